"""A list that only grows at its end, and whose copies cost nothing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Growing(Sequence[T]):
    """Copies share what they have in common; the first that goes on goes on in place, others part ways.

    >>> one = Growing([1, 2])
    >>> two = one.copy()
    >>> one.append(3)
    >>> two.append(4)
    >>> list(one), list(two), two[1:], len(two)
    ([1, 2, 3], [1, 2, 4], [2, 4], 3)
    """

    __slots__ = ("_items", "_n")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._n = len(self._items)

    def copy(self) -> "Growing[T]":
        twin: Growing[T] = Growing.__new__(Growing)
        twin._items, twin._n = self._items, self._n
        return twin

    def append(self, item: T) -> None:
        self._part_ways()
        self._items.append(item)
        self._n += 1

    def __iadd__(self, items: list[T]) -> "Growing[T]":
        self._part_ways()
        self._items += items
        self._n += len(items)
        return self

    def pop(self) -> T:
        """The last one; copies keep it."""
        self._n -= 1
        return self._items[self._n]

    def _part_ways(self) -> None:
        if self._n != len(self._items):
            self._items = self._items[: self._n]

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> list[T]: ...

    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return self._items[slice(*at.indices(self._n))]
        if not -self._n <= at < self._n:
            raise IndexError(at)
        return self._items[at if at >= 0 else at + self._n]

    def __iter__(self) -> Iterator[T]:
        return iter(self._items[: self._n])

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Growing | list) else NotImplemented

    def __repr__(self) -> str:
        return f"Growing({list(self)})"
