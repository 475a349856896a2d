"""Laws that hold at every step of any duel: random legal sets, random legal decks, random play."""

import json
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coyote.games.duel import events as ev
from coyote.games.duel.decks import Deck, faults
from coyote.games.duel.game import Duel
from coyote.games.duel.language import Action
from coyote.games.duel.records import read_chance, write_chance
from coyote.games.duel.sets import CardSet
from coyote.games.game import Result
from coyote.kernel.events import new_log, take_rows
from coyote.kernel.seats import HIDDEN, NONE
from coyote.match import IllegalMove, Match
from coyote.records import follow, record_line
from coyote.seeds import seed_from
from duel.kit_duel import (
    FLAVOURS,
    Step,
    at,
    copy_state,
    fillers,
    made_set,
    random_duel,
    steps,
    words,
)
from kit.play import state_bytes

SEATS = (0, 1, -1)
EVERYONE = settings(deadline=None, derandomize=True, max_examples=40, suppress_health_check=list(HealthCheck))
FEWER = settings(EVERYONE, max_examples=15)
MOST_TURNS = 200

PLAYS = {"number": st.integers(0, 2**32), "flavour": st.sampled_from(sorted(FLAVOURS))}


def a_duel(number: int, flavour: str, **options: Any) -> tuple[Duel, Any, Random]:
    """A game, its first state and the generator that goes on to choose."""
    rng = Random(f"{number} {flavour}")
    game = random_duel(rng, flavour, **options)
    return game, game.deal(words(str(number))), rng


def played(number: int, flavour: str) -> tuple[Duel, list[Step]]:
    game, s, rng = a_duel(number, flavour)
    return game, list(steps(game, s, rng))


# ---------------------------------------------------------------- cards

ZONES = ("deck", "hand", "discard", "play", "aside")
SCRATCH = ("held", "attacked", "attack", "heal", "block", "was_health", "n_was")


def zone(s: Any, name: str, seat: int) -> list[int]:
    return [int(kind) for kind in s[name][seat][: s[f"in_{name}"][seat]]]


def assert_cards_are_conserved(s: Any) -> None:
    """All zones of a player together are the deck that was brought; nothing lies behind their ends."""
    for seat in range(2):
        listed = s.listed[seat].tolist()
        n = int(s.n_listed[seat])
        assert listed[:n] == sorted(listed[:n]) and listed[n:] == [NONE] * (20 - n)
        found = Counter(kind for name in ZONES for kind in zone(s, name, seat))
        assert found == Counter(listed[:n])
        for name in ZONES:
            size = int(s[f"in_{name}"][seat])
            assert size >= 0 and (s[name][seat][size:] == NONE).all(), name
        assert_shown_is_sound(s, seat)
        in_play = int(s.in_play[seat])
        assert not s.age[seat][in_play:].any() and not s.leaves[seat][in_play:].any()
        assert (s.mark[seat][in_play:] == NONE).all()


def assert_shown_is_sound(s: Any, seat: int) -> None:
    """D18  What was shown is on the list; what lies in sight was shown."""
    n = int(s.n_shown[seat])
    shown = Counter(s.shown[seat].tolist()[:n])
    assert (s.shown[seat][n:] == NONE).all()
    assert shown <= Counter(s.listed[seat].tolist())
    assert Counter(kind for name in ("discard", "play", "aside") for kind in zone(s, name, seat)) <= shown


def assert_numbers_are_sound(game: Duel, s: Any) -> None:
    programs = [card.program for card in game.card_set.cards]
    assert bool(s.over) == bool((s.health <= 0).any())
    assert not (s.choice != NONE).all()
    for seat in range(2):
        assert s.health[seat] <= s.top[seat] <= 100
        assert s.in_hand[seat] <= 7 and s.deck_number[seat] >= 1
        for kind, age, leaves in zip(zone(s, "play", seat), s.age[seat], s.leaves[seat], strict=False):
            assert 0 <= age <= max(effect.last for effect in programs[kind].effects)
            assert not leaves or any(e.action is Action.SET_ASIDE_THIS for e in programs[kind].effects)
        if not s.over:
            assert not any(programs[kind].auto for kind in zone(s, "hand", seat)), "D5"
        waiting = int(s.super[seat])
        if waiting != NONE:
            assert programs[waiting].super and waiting in zone(s, "aside", seat) and s.deck_number[seat] < 3
        if s.choice[seat] > 0:
            assert s.choice[seat] - 1 in zone(s, "hand", seat)


def assert_scratch_is_blank(s: Any) -> None:
    assert not any(s[name].any() for name in SCRATCH)
    if not s.over:
        assert (s.was == NONE).all() and (s.mark == NONE).all() and not s.was_age.any()


@EVERYONE
@given(**PLAYS)
def test_cards_are_conserved_and_numbers_sound_at_every_step(number: int, flavour: str) -> None:
    game, s, rng = a_duel(number, flavour)
    for state in (s, *(step.after for step in steps(game, s, rng))):
        assert_cards_are_conserved(state)
        assert_numbers_are_sound(game, state)
        assert_scratch_is_blank(state)


@EVERYONE
@given(**PLAYS)
def test_every_duel_ends_and_then_owes_nothing(number: int, flavour: str) -> None:
    game, played_steps = played(number, flavour)
    end = played_steps[-1].after
    assert end.turn < MOST_TURNS
    assert game.actors(end) == 0
    assert [game.legal(end, seat) for seat in (0, 1)] == [[], []]
    result = game.result(end)
    assert result is not None and result.reason == "health" and result.score == end.health.tolist()
    assert all(game.result(step.before) is None for step in played_steps)


@EVERYONE
@given(**PLAYS)
def test_both_choose_once_a_turn(number: int, flavour: str) -> None:
    game, played_steps = played(number, flavour)
    for first, second in zip(played_steps[::2], played_steps[1::2], strict=True):
        assert {first.seat, second.seat} == {0, 1}
        assert game.actors(first.before) == 0b11
        assert game.actors(first.after) == 1 << second.seat
        assert first.rows == [], "the first choice changes nothing that is to be seen"
        assert second.after.over or second.after.turn == first.before.turn + 1


# ---------------------------------------------------------------- sight


@EVERYONE
@given(**PLAYS)
def test_legal_moves_follow_from_the_view(number: int, flavour: str) -> None:
    game, played_steps = played(number, flavour)
    for step in played_steps:
        for seat in (0, 1):
            legal = game.legal(step.before, seat)
            assert legal == game.legal(game.view(step.before, seat), seat)
            assert len(set(legal)) == len(legal)
        assert step.legal[0] == 0, "to hold is always legal"


@FEWER
@given(**PLAYS, open_lists=st.booleans())
def test_view_of_what_is_imagined_is_the_view(number: int, flavour: str, open_lists: bool) -> None:
    game, s, rng = a_duel(number, flavour, **{"open-lists": open_lists})
    for place, step in enumerate(steps(game, s, rng)):
        for seat in SEATS:
            view = game.view(step.after, seat)
            imagined = game.imagine(view, seat, words(f"{number} {place} {seat}"))
            assert game.view(imagined, seat).tobytes() == view.tobytes()
            assert state_bytes(game.view(view, seat)) == state_bytes(view)
            assert_cards_are_conserved(imagined)
            if not step.after.over:
                assert_numbers_are_sound(game, imagined)
            assert_lists_are_legal(game, imagined)


def assert_lists_are_legal(game: Duel, s: Any) -> None:
    """D19; a random set has plain cards enough for any deck."""
    for seat in range(2):
        listed = Counter(game.ids[kind] for kind in s.listed[seat] if kind != NONE)
        assert faults(Deck(game.card_set.name, tuple(listed.items())), game.card_set) == []


def test_imagined_lists_are_legal_in_the_smallest_set() -> None:
    """Fourteen plain cards and a Super are the only deck there is, and the Super is in the hidden hand."""
    made = made_set({"sun": "Super. Heal 1."})
    plain = fillers(14)
    made = CardSet("made", tuple(card for card in made.cards if card.id in ("sun", *plain)))
    hands = ",".join(["sun", *plain[:6]])
    discards = ",".join(plain[6:])
    line = f"duel made turn=9 hands={hands}/{hands} deck=-/- discard={discards}/{discards} number=3/3"
    game, s = Duel.at_position(line, made)
    assert isinstance(game, Duel)
    for number in range(5):
        imagined = game.imagine(game.view(s, 0), 0, words(str(number)))
        assert_lists_are_legal(game, imagined)


@EVERYONE
@given(**PLAYS)
def test_d18_what_was_once_shown_is_never_forgotten(number: int, flavour: str) -> None:
    """Everything that the story of a duel told both players of a list is in every later view."""
    game, played_steps = played(number, flavour)
    told: list[set[int]] = [set(), set()]
    open_kinds = (ev.BURN, ev.AUTO, ev.REVEAL, ev.DISCARD, ev.ASIDE)
    for step in played_steps:
        for kind, seat, card, _ in step.rows:
            if kind in open_kinds:
                told[seat].add(card)
        for watcher in SEATS:
            v = game.view(step.after, watcher)
            for owner in range(2):
                assert told[owner] <= set(v.shown[owner].tolist())


@EVERYONE
@given(**PLAYS)
def test_a_view_holds_no_secret(number: int, flavour: str) -> None:
    game, played_steps = played(number, flavour)
    for step in played_steps:
        s = step.after
        for seat in SEATS:
            v = game.view(s, seat)
            assert v.key.tolist() == [0, 0] and v.counter == 0
            for owner in range(2):
                hidden = [HIDDEN] * int(s.in_deck[owner])
                assert v.deck[owner].tolist() == hidden + [NONE] * (20 - len(hidden))
                if owner != seat:
                    assert set(v.hand[owner].tolist()) <= {HIDDEN, NONE}
                    assert set(v.listed[owner].tolist()) <= {HIDDEN, NONE}
                    assert v.choice[owner] == NONE


TRIED = ("", "hold", "play", "play c0", "play c7", "play c31", "hold c0", "c0", "play nothing")


def refusals(game: Duel, s: Any, seat: int) -> list[Any]:
    view, legal = game.view(s, seat), game.legal(s, seat)
    return [(text, game.why_not(view, seat, text)) for text in TRIED if game.read_move(text) not in legal]


@FEWER
@given(**PLAYS)
def test_what_a_seat_cannot_see_changes_nothing_that_it_gets(number: int, flavour: str) -> None:
    """Deal the hidden cards anew, with another list: view, moves, refusals and the story of a choice."""
    game, played_steps = played(number, flavour)
    log = new_log(game.ROOM)
    for place, step in enumerate(played_steps):
        for seat in SEATS:
            s = step.before
            other = game.imagine(game.view(s, seat), seat, words(f"other {number} {place}"))
            assert json.dumps(game.sight(game.view(s, seat), seat)) == json.dumps(
                game.sight(game.view(other, seat), seat)
            )
            assert game.open_sight(game.view(s, seat)) == game.open_sight(game.view(other, -1))
            if seat >= 0:
                assert game.legal(s, seat) == game.legal(other, seat)
                assert refusals(game, s, seat) == refusals(game, other, seat)
            if seat == step.seat and game.actors(s) == 0b11:
                game.act(other, seat, step.action, log)
                assert take_rows(log) == [] == step.rows
                assert game.view(step.after, seat).tobytes() == game.view(other, seat).tobytes()


@FEWER
@given(**PLAYS)
def test_the_order_of_a_deck_below_what_is_drawn_changes_nothing(number: int, flavour: str) -> None:
    """Turn the rest of both decks round: what everybody hears of the turn and sees after it is the same."""
    game, played_steps = played(number, flavour)
    log = new_log(game.ROOM)
    for step in played_steps[1::2]:
        before, after = step.before, step.after
        if (before.deck_number != after.deck_number).any():
            continue
        other = copy_state(before)
        for seat in range(2):
            rest = int(after.in_deck[seat])
            other.deck[seat][:rest] = before.deck[seat][:rest][::-1]
        game.act(other, step.seat, step.action, log)
        rows = take_rows(log)
        for seat in SEATS:
            assert [game.event(r, seat) for r in rows] == [game.event(r, seat) for r in step.rows]
            assert game.view(other, seat).tobytes() == game.view(after, seat).tobytes()


@EVERYONE
@given(**PLAYS)
def test_only_what_is_secret_is_kept_back_from_a_story(number: int, flavour: str) -> None:
    game, played_steps = played(number, flavour)
    for step in played_steps[1::2]:
        for row in step.rows:
            kind, owner, a, _ = row
            for viewer in (*SEATS, None):
                event = game.event(row, viewer)
                secret = viewer is not None and (kind == ev.ORDER or (kind == ev.DRAW and viewer != owner))
                assert (None in event.values.values()) == secret
                if secret:
                    assert game.ids[a] not in event.values.values()


# ---------------------------------------------------------------- mirrors

BY_SEAT = [
    name for name in Duel.STATE.names or () if name not in ("key", "counter", "turn", "over", "open_lists")
]


def mirrored(s: Any) -> Any:
    """The same situation with the players in each other's seats."""
    glass = copy_state(s)
    for name in BY_SEAT:
        glass[name][:] = s[name][::-1]
    return glass


def mirrored_seat(seat: int) -> int:
    return seat if seat == NONE else 1 - seat


def mirrored_chance(game: Duel, rows: list[list[int]]) -> Any:
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
    return read_chance({"chance": entries}, game.kinds)


def by_seat(rows: list[list[int]], swap: bool) -> dict[int, list[list[int]]]:
    """What happened to each; between the seats no order is asked for."""
    found: dict[int, list[list[int]]] = {0: [], 1: [], -1: []}
    for kind, seat, a, b in rows:
        owner = mirrored_seat(seat) if swap else seat
        found[int(owner)].append([kind, a, b])
    return found


def mirrored_result(result: Result | None) -> Result | None:
    if result is None:
        return None
    return Result(None if result.winner is None else 1 - result.winner, result.reason, result.score[::-1])


@EVERYONE
@given(**PLAYS, start=st.integers(0, 20))
def test_mirrored_seats_give_the_mirrored_duel(number: int, flavour: str, start: int) -> None:
    game, played_steps = played(number, flavour)
    first = 2 * min(start, len(played_steps) // 2 - 1)
    glass, log = mirrored(played_steps[first].before), new_log(game.ROOM)
    for step in played_steps[first:]:
        assert game.legal(glass, 1 - step.seat) == step.legal
        game.luck = mirrored_chance(game, step.rows)
        game.act(glass, 1 - step.seat, step.action, log)
        game.check_chance(True)
        wanted = mirrored(step.after)
        wanted.counter = glass.counter  # the glass drew no chance of its own
        assert state_bytes(glass) == state_bytes(wanted)
        assert by_seat(take_rows(log), False) == by_seat(step.rows, True)
        assert game.result(glass) == mirrored_result(game.result(step.after))
        for seat in (0, 1):
            view = game.view(step.after, 1 - seat)
            assert state_bytes(game.view(glass, seat)) == state_bytes(mirrored(view))


# ---------------------------------------------------------------- the same again


@EVERYONE
@given(**PLAYS)
def test_same_seed_and_moves_same_bytes(number: int, flavour: str) -> None:
    game, played_steps = played(number, flavour)
    again, s, _ = a_duel(number, flavour)
    log = new_log(game.ROOM)
    for step in played_steps:
        assert s.tobytes() == step.before.tobytes()
        again.act(s, step.seat, step.action, log)
        assert take_rows(log) == step.rows
    assert s.tobytes() == played_steps[-1].after.tobytes()


def a_match(number: int, flavour: str, trace: bool = True) -> Match:
    rng = Random(f"{number} {flavour}")
    match = Match(random_duel(rng, flavour), seed=seed_from(str(number)), players=["a", "b"])
    if trace:
        match.trace()
    while actors := match.actors:
        for seat in actors if rng.random() < 0.5 else actors[::-1]:
            match.play(rng.choice(match.legal(seat)), seat)
    return match


@FEWER
@given(**PLAYS)
def test_records_round_trip_with_and_without_the_seed(number: int, flavour: str) -> None:
    match = a_match(number, flavour)
    record = match.record()
    assert a_match(number, flavour).record() == record
    trace = record["trace"]
    for absent in ((), ("seed",), ("seed", "trace"), ("rules",)):
        less = {key: value for key, value in record.items() if key not in absent}
        followed = follow(json.loads(record_line(less)))
        wanted = {key: value for key, value in less.items() if key != "trace"}
        assert {**followed.record(), "rules": 1} == {**wanted, "rules": 1}
        assert followed.events() == match.events()
        assert followed.position() == match.position()
    assert len(trace) == len(record["moves"])
    for first, second in zip(trace[::2], trace[1::2], strict=True):
        assert (first["seat"], second["seat"]) == (0, 1)
        assert {**first, "seat": 0, "legal": []} == {**second, "seat": 0, "legal": []}


def without_chance(s: Any) -> bytes:
    """A state's bytes but for what a position does not tell: the key, and the scratch of an ended turn."""
    twin = copy_state(s)
    twin.key[:] = 0
    twin.counter = 0
    if s.over:
        for name in ("was", "mark"):
            twin[name][:] = NONE
        twin.was_age[:] = 0
    return state_bytes(twin)


@FEWER
@given(**PLAYS, open_lists=st.booleans())
def test_positions_round_trip_at_every_step(number: int, flavour: str, open_lists: bool) -> None:
    """Saved as a line and read back after each choice, the duel goes on as if nothing had happened."""
    game, s, rng = a_duel(number, flavour, **{"open-lists": open_lists})
    saved = game.position(s)
    log = new_log(game.ROOM)
    for step in steps(game, s, rng):
        same, again = Duel.at_position(saved, game.card_set)
        assert isinstance(same, Duel)
        assert without_chance(again) == without_chance(step.before)
        assert same.position(again) == saved
        same.luck = read_chance({"chance": write_chance(step.rows, game.ids)}, game.kinds)
        same.act(again, step.seat, step.action, log)
        assert take_rows(log) == step.rows
        assert without_chance(again) == without_chance(step.after)
        saved = same.position(again)
        assert saved == game.position(step.after)
    _, end = Duel.at_position(saved, game.card_set)
    assert game.result(end) == game.result(s)


def test_the_position_of_a_duel_that_ended_far_below_0_is_read() -> None:
    """Deck numbers and maxima have no limit that a card could not pass."""
    table = at({"card": "Draw 99 cards. " * 12}, "hands=card/-").turn("card")
    assert table.over
    line = table.game.position(table.s)
    _, s = Duel.at_position(line, table.game.card_set)
    assert table.game.result(s) == table.game.result(table.s)


@FEWER
@given(**PLAYS)
def test_a_refused_move_changes_nothing(number: int, flavour: str) -> None:
    rng = Random(f"{number} {flavour}")
    match = Match(random_duel(rng, flavour), seed=seed_from(str(number)))
    while actors := match.actors:
        kept = match.record(), match.position(), len(match.events())
        for seat in (0, 1):
            for text in TRIED:
                if match.game.read_move(text) not in match.legal_actions(seat):
                    with pytest.raises(IllegalMove):
                        match.play(text, seat)
        assert (match.record(), match.position(), len(match.events())) == kept
        seat = rng.choice(actors)
        match.play(rng.choice(match.legal(seat)), seat)


@FEWER
@given(**PLAYS, from_record=st.booleans())
def test_a_copy_plays_on_by_itself(number: int, flavour: str, from_record: bool) -> None:
    """Also a copy of a match that follows a record: each has its own place in the recorded chance."""
    whole = a_match(number, flavour, trace=False)
    match = Match.from_record(whole.record()) if from_record else Match(whole.game, seed=whole.seed)
    for seat, move in whole.moves:
        kept, position = match.copy(), match.position()
        match.play(move, seat)
        assert kept.position() == position
        kept.play(move, seat)
        assert kept.position() == match.position()
        assert kept.record()["chance"] == match.record()["chance"]
    assert match.position() == whole.position()


@FEWER
@given(**PLAYS)
def test_a_game_of_a_setup_is_the_same_game(number: int, flavour: str) -> None:
    """What a saved game keeps of its set and decks."""
    rng = Random(f"{number} {flavour}")
    game = random_duel(rng, flavour)
    again = Duel.from_setup(game.options, json.loads(json.dumps(game.setup())))
    assert again.card_set == game.card_set
    seed = words(str(number))
    assert state_bytes(again.deal(seed)) == state_bytes(game.deal(seed))


def test_notation_round_trips_for_every_card() -> None:
    game = random_duel(Random("notation"))
    for action in range(1 + len(game.ids)):
        text = game.move_text(action)
        assert game.read_move(text) == action == game.read_move(f"  {text.upper()} ")
    assert game.read_move("play") is game.read_move("hold on") is game.read_move("") is None


def test_all_bytes_of_a_state_are_fields_or_zero() -> None:
    """What the compiler puts between fields stays blank, so that views can be compared as bytes."""
    game, s, rng = a_duel(1, "even")
    *_, last = steps(game, s, rng)
    for state in (last.after, game.view(last.after, 0)):
        blank = np.zeros(1, Duel.STATE)
        for name in Duel.STATE.names or ():
            blank[0][name] = state[name]
        assert game.view(blank[0], 1).tobytes() == game.view(state, 1).tobytes()
