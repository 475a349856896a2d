"""Counts of legal continuations from fixed deals: the engine against numbers of the slow reading."""

from typing import Any

import pytest

from coyote.games.game import NO_SETUP, Chance
from coyote.games.madness.game import Madness
from coyote.games.madness.state import COYOTE
from coyote.kernel.events import silent_log
from kit.perft import Count, early_move, path_of, read_counts, slow_count, slow_split, slow_start
from kit.play import EDITIONS, copy_state, owner, seed_array

GAMES = {edition: Madness(edition=edition) for edition in EDITIONS}
COUNTS = [count for edition in EDITIONS for count in read_counts(edition)]
LOG, CHANCE = silent_log(), Chance()


def start(wanted: Count) -> Any:
    """The same deal and the same first decisions as in the slow reading."""
    game = GAMES[wanted.edition]
    s = game.deal(NO_SETUP, seed_array(wanted.seed))
    for k in range(1, wanted.sit + wanted.skip + 1):
        seat = owner(game, s)
        texts = {game.move_text(action): action for action in game.legal(s, seat)}
        game.act(s, seat, texts[early_move(list(texts), wanted.sit, k)], LOG, CHANCE)
    return s


def split(game: Madness, s: Any, depth: int) -> dict[str, int]:
    """How many continuations each legal move has, the move being the first decision."""
    if not game.actors(s):
        return {}
    seat = owner(game, s)
    found = {}
    for action in game.legal(s, seat):
        after = copy_state(s)
        game.act(after, seat, action, LOG, CHANCE)
        found[game.move_text(action)] = count(game, after, depth - 1)
    return found


def count(game: Madness, s: Any, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return len(game.legal(s, owner(game, s))) if game.actors(s) else 0
    return sum(split(game, s, depth).values())


def breakdown(wanted: Count, depth: int) -> str:
    """The moves whose counts differ, each with both numbers: follow one of them to find the rule."""
    ours = split(GAMES[wanted.edition], start(wanted), depth)
    theirs = slow_split(slow_start(wanted.edition, wanted.seed, wanted.sit, wanted.skip), depth)
    differing = [
        f"  {move}: engine {ours.get(move)}, slow reading {theirs.get(move)}"
        for move in sorted(ours.keys() | theirs.keys())
        if ours.get(move) != theirs.get(move)
    ]
    return "\n".join([f"{wanted.edition}: {wanted.line()}, depth {depth}", *differing])


@pytest.mark.parametrize("wanted", COUNTS, ids=lambda count: f"{count.edition} {count.line()}")
def test_the_engine_has_as_many_continuations(wanted: Count) -> None:
    game = GAMES[wanted.edition]
    s = start(wanted)
    for depth, number in enumerate(wanted.counts, 1):
        if count(game, s, depth) != number:
            pytest.fail(breakdown(wanted, depth))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_numbers_are_those_of_the_slow_reading(edition: str) -> None:
    """The file is what tools/make_perft.py wrote; the shallow half of it is counted again here."""
    assert "tools/make_perft.py" in path_of(edition).read_text(encoding="utf-8")
    for wanted in read_counts(edition):
        game = slow_start(edition, wanted.seed, wanted.sit, wanted.skip)
        shallow = wanted.counts[:3]
        assert tuple(slow_count(game, depth) for depth in range(1, len(shallow) + 1)) == shallow


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_starts_cover_every_phase(edition: str) -> None:
    counts = list(read_counts(edition))
    phases = {int(start(count).phase) for count in counts}
    assert phases == {0, 1, COYOTE}
    dry = [s for s in map(start, counts) if s.left == 0]
    assert len(dry) >= 9
    assert {int(s.idle) for s in dry} == {0, 1}


def test_a_difference_is_broken_down_by_move() -> None:
    wanted = Count("standard", "perft one", 0, 0, (1, 2))
    assert breakdown(wanted, 2) == "standard: perft one | 0 + 0 | 1 2, depth 2"
