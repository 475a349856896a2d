"""Finished games as a dataset: a row for each decision, from records, as NumPy or Parquet files.

column       what it is
-----------  ------------------------------------------------------------------
game         the number of the record in the file, from 0
decision     the number of the decision in its game, from 0
seat         who decided
observation  what the seat could know, by the table of features
mask         1 for each action that was legal
choice       the action that was chosen
result       of the game, for this seat: 1 won, 0 drawn, -1 lost
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.envs.features import Features
from coyote.envs.registry import features_for
from coyote.games.game import Json, RecordError
from coyote.match import Match
from coyote.records import follow, written_whole
from coyote.text.refusals import Refused

Columns = dict[str, npt.NDArray[Any]]
SINGLE = {"game": np.int32, "decision": np.int32, "seat": np.int8, "choice": np.int16, "result": np.int8}


@dataclass(frozen=True)
class About:
    """What a file says of itself."""

    game: str
    features: int  # their version
    observation: int  # places
    actions: int

    @classmethod
    def of(cls, features: Features) -> "About":
        return cls(features.game.name, features.version, features.size, features.actions)

    def text(self) -> str:
        return json.dumps(vars(self))


# ---------------------------------------------------------------- from records


def decisions(record: Json, number: int) -> tuple[About, Columns]:
    """The rows of one game, which the rules bear out; Difference where they do not."""
    found: list[tuple[int, npt.NDArray[Any], npt.NDArray[Any], int]] = []

    def look(match: Match, seat: int, move: str) -> None:
        features, view = features_for(match.game), match.view(seat)
        chosen = match.game.read_move(move)
        if chosen is not None and chosen in match.legal_actions(seat):
            action = features.action(view, seat, chosen)
            found.append((seat, features.observe(view, seat), features.mask(view, seat), action))

    features = features_for(follow(record, look).game)
    n, winner = len(found), record["result"]["winner"]
    seats, seen, masks, choices = zip(*found, strict=True) if found else ((), (), (), ())
    columns: Columns = {
        "game": np.full(n, number),
        "decision": np.arange(n),
        "seat": np.array(seats),
        "observation": np.array(seen, np.uint8).reshape(n, features.size),
        "mask": np.array(masks, np.int8).reshape(n, features.actions),
        "choice": np.array(choices),
        "result": np.array([0 if winner is None else 1 if winner == seat else -1 for seat in seats]),
    }
    return About.of(features), {
        name: column.astype(SINGLE.get(name, column.dtype)) for name, column in columns.items()
    }


def games_of(records: Iterable[Json]) -> Iterator[tuple[About, Columns]]:
    """Game by game; all of one kind, for a file has one table of features."""
    first: About | None = None
    for number, record in enumerate(records):
        about, columns = decisions(record, number)
        first = first or about
        if about != first:
            raise RecordError(
                "envs.export.mixed",
                game=number + 1,
                found=about.game,
                places=about.observation,
                wanted=first.game,
                first=first.observation,
            )
        yield about, columns


# ---------------------------------------------------------------- to files


class NpzFile:
    """NumPy's: one array a column, all at the end, and `about` as JSON."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.parts: list[Columns] = []
        self.about = ""

    def add(self, about: About, columns: Columns) -> None:
        self.parts.append(columns)
        self.about = about.text()

    def close(self) -> None:
        whole: dict[str, Any] = {"about": np.array(self.about)}
        for name in self.parts[0]:
            whole[name] = np.concatenate([part[name] for part in self.parts])
        np.savez_compressed(self.file, **whole)


class ParquetFile:
    """Arrow's: observation and mask are lists of a fixed size; `about` is in the schema's metadata."""

    ROWS = 20_000  # of a group, which is written at once

    def __init__(self, file: Any) -> None:
        self.arrow, self.parquet = arrow_here()
        self.file = file
        self.writer: Any = None
        self.parts: list[Any] = []

    def add(self, about: About, columns: Columns) -> None:
        self.parts.append(self._table(about, columns))
        if sum(part.num_rows for part in self.parts) >= self.ROWS:
            self._write()

    def close(self) -> None:
        self._write()
        if self.writer:
            self.writer.close()

    def _table(self, about: About, columns: Columns) -> Any:
        arrays = {name: self._array(column) for name, column in columns.items()}
        return self.arrow.table(arrays).replace_schema_metadata({"coyote": about.text()})

    def _array(self, column: npt.NDArray[Any]) -> Any:
        if column.ndim == 1:
            return self.arrow.array(column)
        return self.arrow.FixedSizeListArray.from_arrays(self.arrow.array(column.ravel()), column.shape[1])

    def _write(self) -> None:
        if not self.parts:
            return
        whole = self.arrow.concat_tables(self.parts)
        if self.writer is None:
            self.writer = self.parquet.ParquetWriter(self.file, whole.schema, compression="zstd")
        self.writer.write_table(whole)
        self.parts.clear()


FORMATS: dict[str, Callable[[Any], NpzFile | ParquetFile]] = {"npz": NpzFile, "parquet": ParquetFile}


def arrow_here() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Refused("envs.export.no_arrow") from None
    return pyarrow, pyarrow.parquet


@contextmanager
def dataset(path: Path, form: str) -> Iterator[NpzFile | ParquetFile]:
    """A file to add games to; it appears complete when the block ends, and not at all if it fails."""
    with written_whole(path) as text:
        file = FORMATS[form](text.buffer)  # type: ignore[attr-defined]
        yield file
        file.close()


# ---------------------------------------------------------------- and back


def read_npz(path: Path) -> tuple[Json, Columns]:
    """What the file says of itself, and its columns."""
    with np.load(path) as found:
        columns = {name: found[name] for name in found.files}
    return json.loads(str(columns.pop("about"))), columns


def read_parquet(path: Path) -> tuple[Json, Columns]:
    _, parquet = arrow_here()
    table = parquet.read_table(path)
    columns = {}
    for name in table.column_names:
        column = table[name].combine_chunks()
        size = getattr(column.type, "list_size", 0)
        flat = (column.flatten() if size else column).to_numpy()
        columns[name] = flat.reshape(len(column), size) if size else flat
    return json.loads(table.schema.metadata[b"coyote"]), columns
