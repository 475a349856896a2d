"""Laws of the duel alone; those of every game are in `kit.conformance`."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coyote.games.duel import events as ev
from coyote.games.duel.decks import ready_decks
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.game import Duel
from coyote.games.duel.records import read_chance, write_chance
from coyote.games.duel.sets import CardSet, core_set
from coyote.games.game import Chance, Result
from coyote.kernel.seats import NONE
from duel.kit_duel import at, fillers, made_set, random_list, words
from duel.kit_readings import play_both, slow_cards
from kit.subject import SEATS, Play, act, copy_state, plays, state_bytes
from kit.subjects import SUBJECTS, check_lists

FEW = settings(deadline=None, derandomize=True, max_examples=20, suppress_health_check=list(HealthCheck))
PLAYS = plays(SUBJECTS["duel"])
VECTORS = Path(__file__).parent.parent / "data" / "vectors"


# ---------------------------------------------------------------- what is seen


def test_imagined_lists_are_legal_in_the_smallest_set() -> None:
    """Fourteen plain cards and a Super are the only deck there is, and the Super is in the hidden hand."""
    made = made_set({"sun": "Super. Heal 1."})
    plain = fillers(14)
    made = CardSet("made", tuple(card for card in made.cards if card.id in ("sun", *plain)))
    hands = ",".join(["sun", *plain[:6]])
    discards = ",".join(plain[6:])
    line = f"duel made turn=9 hands={hands}/{hands} deck=-/- discard={discards}/{discards} number=3/3"
    game, _, s = Duel.at_position(line, made)
    assert isinstance(game, Duel)
    for number in range(5):
        check_lists(game, game.imagine(game.view(s, 0), 0, words(str(number))))


@FEW
@given(play=PLAYS)
def test_d18_what_was_once_shown_is_never_forgotten(play: Play) -> None:
    """Everything that the story of a duel told both players of a list is in every later view."""
    told: list[set[int]] = [set(), set()]
    open_kinds = (ev.BURN, ev.AUTO, ev.REVEAL, ev.DISCARD, ev.ASIDE)
    for step in play.steps:
        for kind, seat, card, _ in step.rows:
            if kind in open_kinds:
                told[seat].add(card)
        for watcher in SEATS:
            v = play.game.view(step.after, watcher)
            for owner in range(2):
                assert told[owner] <= set(v.shown[owner].tolist())


@FEW
@given(play=PLAYS)
def test_the_order_of_a_deck_below_what_is_drawn_changes_nothing(play: Play) -> None:
    """Turn the rest of both decks round: what everybody hears of the turn and sees after it is the same."""
    game = play.game
    for step in play.steps[1::2]:
        before, after = step.before, step.after
        if (before.deck_number != after.deck_number).any():
            continue
        other = copy_state(before)
        for seat in range(2):
            rest = int(after.in_deck[seat])
            other.deck[seat][:rest] = before.deck[seat][:rest][::-1]
        rows = act(game, other, step.seat, step.action, Chance())
        for seat in SEATS:
            assert [game.event(r, seat) for r in rows] == [game.event(r, seat) for r in step.rows]
            assert game.view(other, seat).tobytes() == game.view(after, seat).tobytes()


# ---------------------------------------------------------------- mirrors

BY_SEAT = [name for name in Duel.STATE.names or () if name not in ("key", "counter", "turn", "over")]


def mirrored(s: Any) -> Any:
    """The same situation with the players in each other's seats."""
    glass = copy_state(s)
    for name in BY_SEAT:
        glass[name][:] = s[name][::-1]
    return glass


def mirrored_chance(game: Duel, rows: list[list[int]]) -> Chance:
    """Chance for the other seats: in D10 and in the draws of the next turn seat 0 still comes first."""
    parts: list[list[list[int]]] = [[]]
    for row in rows:
        if row[0] == ev.TURN:
            parts.append([])
        parts[-1].append(row)
    entries: list[Any] = []
    for part in parts:
        chance = write_chance(part, game.ids)
        for seat in (1, 0):
            entries += [[what, 1 - owner, *rest] for what, owner, *rest in chance if owner == seat]
    return Chance(read_chance({"chance": entries}, game.kinds))


BY_CARDS = (ev.STRIKE, ev.GUARD, ev.GUARD_ALL, ev.MEND, ev.WORK)


def by_seat(rows: list[list[int]], swap: bool) -> dict[int, list[list[int]]]:
    """What happened to each; between the seats no order is asked for, nor between what their cards do, for
    those of seat 0 are looked at before those of seat 1."""
    found: dict[int, list[list[int]]] = {0: [], 1: [], -1: []}
    done = []
    for kind, seat, a, b in rows:
        owner = 1 - seat if swap and seat != NONE else seat
        if kind in BY_CARDS:
            done.append([kind, owner, a, b])
        else:
            found[int(owner)].append([kind, a, b])
    return {**found, 2: sorted(done)}


def mirrored_result(result: Result | None) -> Result | None:
    if result is None:
        return None
    return Result(None if result.winner is None else 1 - result.winner, result.reason, result.score[::-1])


@FEW
@given(play=PLAYS, start=st.integers(0, 20))
def test_mirrored_seats_give_the_mirrored_duel(play: Play, start: int) -> None:
    game = play.game
    assert isinstance(game, Duel)
    first = 2 * min(start, len(play.steps) // 2 - 1)
    glass = mirrored(play.steps[first].before)
    for step in play.steps[first:]:
        assert game.legal(glass, 1 - step.seat) == step.legal
        chance = mirrored_chance(game, step.rows)
        rows = act(game, glass, 1 - step.seat, step.action, chance)
        chance.check("D15", over=True)
        wanted = mirrored(step.after)
        wanted.counter = glass.counter  # the glass drew no chance of its own
        assert state_bytes(glass) == state_bytes(wanted)
        assert by_seat(rows, False) == by_seat(step.rows, True)
        assert game.result(glass) == mirrored_result(game.result(step.after))
        for seat in (0, 1):
            view = game.view(step.after, 1 - seat)
            assert state_bytes(game.view(glass, seat)) == state_bytes(mirrored(view))


# ---------------------------------------------------------------- positions, modes, traced duels


def test_the_position_of_a_duel_that_ended_far_below_0_is_read() -> None:
    """Deck numbers and maxima have no limit that a card could not pass; in version 1 nothing stops it."""
    table = at({"card": "Draw 99 cards. " * 12}, "hands=card/-", rules=1).turn("card")
    assert table.over
    line = table.game.position(table.s)
    _, _, s = Duel.at_position(line, table.game.card_set)
    assert table.game.result(s) == table.game.result(table.s)


def test_bounds_checks_are_on_in_their_mode() -> None:
    """There is no place behind the last one in a zone: there the look-up is refused."""
    script = (
        "from coyote.games.duel.rules import put; from coyote.games.duel.state import STATE;"
        "from coyote.kernel.record import new;"
        f"s = new(STATE); s.in_discard[0] = {MOST_CARDS}; put(s.discard, s.in_discard, 0, 1)"
    )
    env = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "IndexError" in done.stderr


@pytest.mark.parametrize(("file", "sets", "each"), [("duel", "made", 6), ("duel-house", "house", 1)])
def test_the_traced_duels_are_over_many_sets(file: str, sets: str, each: int) -> None:
    lines = (VECTORS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    names = Counter(record["set"]["name"] for record in records)
    assert names == {f"{sets}-{number}": each for number in range(len(records) // each)}
    assert all(record["rules"] == 2 for record in records)


def test_d26_the_traced_duels_with_house_rules_have_every_option() -> None:
    lines = (VECTORS / "duel-house.jsonl").read_text(encoding="utf-8").splitlines()
    changed = {name for line in lines for name in json.loads(line)["options"]}
    assert changed >= {option.name for option in Duel.OPTIONS} - {"open-lists"}


# ---------------------------------------------------------------- by both readings


def test_both_readings_agree_on_the_ready_decks() -> None:
    names, game = list(ready_decks()), Duel()
    cards = slow_cards(game)
    seen: Counter[str] = Counter()
    for first in names:
        for second in names:
            place = f"ready {first} {second}"
            seen += play_both(game, game.settle((first, second)), cards, place, Random(place))
    assert seen["games"] == len(names) ** 2


def test_every_card_of_the_core_set_is_played_by_both_readings() -> None:
    """Random decks of the core set, until every card that can be played was in a deck many times."""
    dice, core, game = Random("core"), core_set(), Duel()
    cards = slow_cards(game)
    listed: Counter[str] = Counter()
    for number in range(150):
        decks = [random_list(core, dice) for _ in range(2)]
        listed.update(card_id for deck in decks for card_id in deck.ids())
        play_both(game, game.settle(decks), cards, f"core {number}", dice)
    assert min(listed[card.id] for card in core.cards) >= 3, listed
