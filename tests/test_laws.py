"""Laws that hold at every step of any game, under random play."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coyote import IllegalMove, Match
from coyote.games.game import Result
from coyote.games.madness.cards import N_CARDS, NAMES
from coyote.games.madness.game import Madness
from coyote.games.madness.notation import ACTIONS, MOVES, read_move
from coyote.games.madness.state import COYOTE, MAIN, OVER
from coyote.kernel.bits import count
from coyote.kernel.events import new_log, take_rows
from coyote.kernel.seats import HIDDEN, NONE
from coyote.records import follow
from coyote.seeds import seed_text
from kit.play import (
    EDITIONS,
    MOST_DECISIONS,
    STYLES,
    Step,
    copy_state,
    mirrored,
    mirrored_row,
    state_bytes,
    steps,
)

SEATS = (0, 1, -1)
GAMES = {edition: Madness(edition=edition) for edition in EDITIONS}
EVERYONE = settings(deadline=None, derandomize=True, max_examples=60, suppress_health_check=list(HealthCheck))
FEWER = settings(EVERYONE, max_examples=20)

SEEDS = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
PLAYS = {
    "edition": st.sampled_from(EDITIONS),
    "seed": SEEDS,
    "picks": st.lists(st.integers(0, 10_000), max_size=150),
    "style": st.sampled_from(sorted(STYLES)),
}


def words(seed: tuple[int, int]) -> Any:
    return np.array(seed, np.uint64)


def game_steps(edition: str, seed: tuple[int, int], picks: list[int], style: str) -> list[Step]:
    """A whole game: by the choice numbers given, and when they are used up by the style."""
    game = GAMES[edition]
    return list(steps(game, game.deal(words(seed)), picks, style, Random(seed[0])))


# ---------------------------------------------------------------- cards


def cards_of(mask: Any) -> list[int]:
    return [card for card in range(64) if int(mask) >> card & 1]


def places(s: Any) -> list[tuple[str, int]]:
    """Every card with the place where it lies (the list at the end of `state`'s docstring)."""
    found = [("deck", int(card)) for card in s.deck[: s.left]]
    for seat in range(2):
        found += [(f"hand {seat}", card) for card in cards_of(s.hands[seat])]
    found += [("gone", card) for card in cards_of(s.gone)]
    found += [("boss", int(s.boss))]
    found += [("discard", int(s.discard))] if s.discard != NONE else []
    for field in range(3):
        tops = [int(card) for card in s.tops[field] if card != NONE]
        found += [(f"field {field + 1}", card) for card in tops]
        if s.marker[field] != NONE and s.marker[field] not in tops:
            found.append((f"marker {field + 1}", int(s.marker[field])))
    return found


def assert_table_is_whole(s: Any) -> None:
    """54 cards, each in one place; sizes, heights and markers agree with them."""
    found = Counter(card for _, card in places(s))
    assert found == Counter(range(N_CARDS)), [place for place in places(s) if found[place[1]] != 1]
    assert [int(held) for held in s.held] == [int(count(hand)) for hand in s.hands]
    assert 0 <= s.left <= N_CARDS - 11
    assert all(card == NONE for card in s.deck[s.left :])
    for field in range(3):
        heights, tops = s.heights[field], s.tops[field]
        assert [height > 0 for height in heights] == [top != NONE for top in tops]
        assert (s.last[field] == NONE) == (heights.sum() == 0)
        assert s.last[field] == NONE or heights[s.last[field]] > 0
        if s.marker[field] == NONE:
            assert s.winner[field] == NONE
        elif s.winner[field] != NONE:
            assert s.marker[field] == tops[s.winner[field]]
    covered = int((s.heights - 1).clip(0).sum())
    assert covered <= count(s.gone)


def assert_phase_is_sound(game: Madness, s: Any) -> None:
    closed = int((s.marker != NONE).sum())
    goal = int(game.row.goal)
    if s.phase == OVER:
        assert game.actors(s) == 0 and game.result(s) is not None
        assert abs(int(s.lead)) <= goal
        return
    assert game.result(s) is None and s.reason == NONE
    assert abs(int(s.lead)) < goal
    assert (s.phase == COYOTE) == (closed == 3) == (s.closing != NONE)
    assert s.left > 0 or s.held.any()
    assert s.held[s.mover] > 0 or s.left == 0 or s.phase != MAIN
    assert s.mover == (s.turn - 1) % 2
    assert s.idle < 2


@EVERYONE
@given(**PLAYS)
def test_54_cards_each_in_one_place_after_every_step(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    game = GAMES[edition]
    fresh = game.deal(words(seed))
    assert_table_is_whole(fresh)
    for step in game_steps(edition, seed, picks, style):
        assert_table_is_whole(step.after)
        assert_phase_is_sound(game, step.after)


@EVERYONE
@given(**PLAYS)
def test_every_game_ends_and_then_owes_nothing(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    game = GAMES[edition]
    played = game_steps(edition, seed, picks, style)
    assert len(played) < MOST_DECISIONS
    end = played[-1].after
    assert game.actors(end) == 0
    assert [game.legal(end, seat) for seat in SEATS] == [[], [], []]
    result = game.result(end)
    assert result is not None and result.reason in game.REASONS
    assert all(game.result(step.before) is None for step in played)


@EVERYONE
@given(**PLAYS)
def test_every_tut_shortens_the_deck(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    """What bounds a game: after the deck, a turn that is not idle takes a card from a hand, for good."""
    for step in game_steps(edition, seed, picks, style):
        shorter = step.before.left - step.after.left
        in_tut = step.before.phase == 1
        assert shorter == (1 if in_tut and step.before.left > 0 else 0)
        if step.before.left == 0:
            assert step.after.held.sum() <= step.before.held.sum()


# ---------------------------------------------------------------- sight


@EVERYONE
@given(**PLAYS)
def test_legal_moves_follow_from_the_view(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    game = GAMES[edition]
    for step in game_steps(edition, seed, picks, style):
        for seat in (0, 1):
            legal = game.legal(step.before, seat)
            assert legal == game.legal(game.view(step.before, seat), seat)
            assert legal == (step.legal if seat == step.seat else [])
            assert legal == sorted(set(legal))


@FEWER
@given(**PLAYS)
def test_view_of_what_is_imagined_is_the_view(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    game = GAMES[edition]
    for number, step in enumerate(game_steps(edition, seed, picks, style)):
        for seat in SEATS:
            view = game.view(step.after, seat)
            imagined = game.imagine(view, seat, words((seed[0], number)))
            assert_table_is_whole(imagined)
            assert game.view(imagined, seat).tobytes() == view.tobytes()
            assert state_bytes(game.view(view, seat)) == state_bytes(view)


@EVERYONE
@given(**PLAYS)
def test_view_holds_no_secret(edition: str, seed: tuple[int, int], picks: list[int], style: str) -> None:
    """The key, the order of the deck and the other hand are blank in a view."""
    game = GAMES[edition]
    for step in game_steps(edition, seed, picks, style):
        s = step.after
        for seat in SEATS:
            v = game.view(s, seat)
            assert v.key.tolist() == [0, 0] and v.counter == 0
            assert v.deck.tolist() == [HIDDEN] * int(s.left) + [NONE] * (N_CARDS - int(s.left))
            for owner in range(2):
                assert v.hands[owner] == (s.hands[owner] if owner == seat else 0)


ILLEGAL_SAMPLE = ("", "a4 7S", "drop", "pass", "draw", "decline", "push", "castle")


def refusals(game: Madness, s: Any, seat: int, legal: list[int], random: Random) -> list[Any]:
    """What the seat is told about moves it may not make: some of every kind."""
    tried = [MOVES[action] for action in random.sample(range(len(MOVES)), 12)]
    view = game.view(s, seat)
    refused = [text for text in (*tried, *ILLEGAL_SAMPLE) if read_move(text) not in legal]
    return [(text, game.why_not(view, seat, text)) for text in refused]


def heard(game: Madness, rows: list[list[int]], seat: int) -> list[Any]:
    return [game.event(row, seat) for row in rows]


@FEWER
@given(**PLAYS)
def test_what_a_seat_cannot_see_changes_nothing_that_it_gets(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    """Deal the hidden cards anew: view, moves, refusals, and what it hears of any move it can make."""
    game = GAMES[edition]
    for number, step in enumerate(game_steps(edition, seed, picks, style)):
        for seat in SEATS:
            s = step.before
            other = game.imagine(game.view(s, seat), seat, words((number, seed[1])))
            assert game.view(s, seat).tobytes() == game.view(other, seat).tobytes()
            assert game.sight(game.view(s, seat), seat) == game.sight(game.view(other, seat), seat)
            assert game.open_sight(game.view(s, seat)) == game.open_sight(game.view(other, -1))
            assert game.legal(s, seat) == game.legal(other, seat)
            legal, luck = game.legal(s, seat), Random(number)
            told = refusals(game, s, seat, legal, Random(number))
            assert told == refusals(game, other, seat, legal, luck)
            if seat == step.seat:
                assert_same_story(game, other, step, seat)


def assert_same_story(game: Madness, other: Any, step: Step, seat: int) -> None:
    """The mover hears the same of its move in both worlds, but for the card that comes from the deck."""
    log = new_log()
    game.act(other, seat, step.action, log)
    stories = [heard(game, rows, seat) for rows in (step.rows, take_rows(log))]
    here, there = ([replace(e, values={}) if e.kind in ("draw", "push") else e for e in s] for s in stories)
    assert here == there


@FEWER
@given(**PLAYS)
def test_the_other_seat_hears_the_same_whatever_is_drawn(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    """Change only the hand and the deck of the mover, keep the card played: the watcher's story is equal."""
    game = GAMES[edition]
    for number, step in enumerate(game_steps(edition, seed, picks, style)):
        watcher = 1 - step.seat
        other = game.imagine(game.view(step.before, watcher), watcher, words((number, seed[0])))
        if step.action not in game.legal(other, step.seat) or MOVES[step.action] == "push":
            continue
        log = new_log()
        game.act(other, step.seat, step.action, log)
        assert heard(game, take_rows(log), watcher) == heard(game, step.rows, watcher)
        for viewer in (watcher, -1):
            ours, theirs = game.view(step.after, viewer), game.view(other, viewer)
            assert ours.tobytes() == theirs.tobytes()


@EVERYONE
@given(**PLAYS)
def test_a_drawn_card_is_told_only_to_its_owner(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    game = GAMES[edition]
    for step in game_steps(edition, seed, picks, style):
        for viewer in (0, 1, -1, None):
            for row, event in zip(step.rows, [game.event(row, viewer) for row in step.rows], strict=True):
                if event.kind == "draw":
                    known = viewer is None or viewer == event.seat
                    assert event.values == {"card": NAMES[row[2]] if known else None}
                else:
                    assert None not in event.values.values()


# ---------------------------------------------------------------- mirrors


def mirrored_result(result: Result | None) -> Result | None:
    if result is None:
        return None
    winner = None if result.winner is None else 1 - result.winner
    return Result(winner, result.reason, -result.score)


@EVERYONE
@given(**PLAYS, start=st.integers(0, 40))
def test_mirrored_seats_give_the_mirrored_game(
    edition: str, seed: tuple[int, int], picks: list[int], style: str, start: int
) -> None:
    """From any state on: exchange the seats, play the same actions, and all comes out exchanged."""
    game = GAMES[edition]
    played = game_steps(edition, seed, picks, style)
    played = played[min(start, len(played) - 1) :]
    glass, log = mirrored(played[0].before), new_log()
    assert state_bytes(mirrored(glass)) == state_bytes(played[0].before)
    for step in played:
        assert game.legal(glass, 1 - step.seat) == step.legal
        game.act(glass, 1 - step.seat, step.action, log)
        assert state_bytes(glass) == state_bytes(mirrored(step.after))
        assert take_rows(log) == [mirrored_row(row) for row in step.rows]
        assert game.result(glass) == mirrored_result(game.result(step.after))
        for seat in (0, 1):
            assert state_bytes(game.view(glass, seat)) == state_bytes(
                mirrored(game.view(step.after, 1 - seat))
            )


# ---------------------------------------------------------------- the same again


@EVERYONE
@given(**PLAYS)
def test_same_seed_and_moves_same_bytes(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    game = GAMES[edition]
    s, log = game.deal(words(seed)), new_log()
    for step in game_steps(edition, seed, picks, style):
        assert s.tobytes() == step.before.tobytes()
        game.act(s, step.seat, step.action, log)
        assert take_rows(log) == step.rows
    assert s.tobytes() == step.after.tobytes()


def played_match(edition: str, seed: tuple[int, int], picks: list[int], style: str) -> Match:
    match = Match("madness", seed=seed_text(words(seed)), edition=edition)
    match.trace()
    for step in game_steps(edition, seed, picks, style):
        match.play(MOVES[step.action], step.seat)
    return match


@FEWER
@given(**PLAYS)
def test_records_round_trip(edition: str, seed: tuple[int, int], picks: list[int], style: str) -> None:
    match = played_match(edition, seed, picks, style)
    record = match.record()
    again = played_match(edition, seed, picks, style)
    assert again.record() == record
    followed = follow(record)
    followed_record = followed.record()
    traced = {**record}
    del traced["trace"]
    assert followed_record == traced
    assert followed.events() == match.events()
    assert followed.position() == match.position()


def without_chance(s: Any) -> bytes:
    """A state's bytes but for the key and the counter, which a position does not tell."""
    twin = copy_state(s)
    twin.key[:] = 0
    twin.counter = 0
    return state_bytes(twin)


@FEWER
@given(**PLAYS)
def test_positions_round_trip_at_every_step(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    """Saved as a line and read back after each move, the game goes on as if nothing had happened."""
    game = GAMES[edition]
    saved = game.position(game.deal(words(seed)))
    log = new_log()
    for step in game_steps(edition, seed, picks, style):
        same_game, s = Madness.at_position(saved)
        assert same_game.options == game.options
        assert without_chance(s) == without_chance(step.before)
        assert same_game.legal(s, step.seat) == step.legal
        same_game.act(s, step.seat, step.action, log)
        assert take_rows(log) == step.rows
        saved = same_game.position(s)
        assert saved == game.position(step.after)
    _, s = Madness.at_position(saved)
    assert without_chance(s) == without_chance(step.after)
    assert game.result(s) == game.result(step.after)


def test_notation_round_trips_for_every_move() -> None:
    for action, text in enumerate(MOVES):
        assert read_move(text) == action == ACTIONS[text]
        assert read_move(f"  {text.lower()} ") == action
        assert read_move(text.replace(" ", "")) == action
    assert len(set(MOVES)) == len(MOVES)


@FEWER
@given(**PLAYS)
def test_a_refused_move_changes_nothing(
    edition: str, seed: tuple[int, int], picks: list[int], style: str
) -> None:
    match = Match("madness", seed=seed_text(words(seed)), edition=edition)
    random = Random(seed[1])
    for step in game_steps(edition, seed, picks, style):
        kept = match.record(), match.position(), len(match.events())
        for seat in (0, 1):
            text = MOVES[random.randrange(len(MOVES))]
            if ACTIONS[text] not in match.legal_actions(seat):
                with pytest.raises(IllegalMove):
                    match.play(text, seat)
        assert (match.record(), match.position(), len(match.events())) == kept
        match.play(MOVES[step.action], step.seat)


@FEWER
@given(**PLAYS)
def test_a_copy_plays_on_by_itself(edition: str, seed: tuple[int, int], picks: list[int], style: str) -> None:
    match = Match("madness", seed=seed_text(words(seed)), edition=edition)
    for step in game_steps(edition, seed, picks, style):
        kept, position = match.copy(), match.position()
        match.play(MOVES[step.action], step.seat)
        assert kept.position() == position
        kept.play(MOVES[step.action], step.seat)
        assert kept.position() == match.position()
        assert kept.record() == match.record()
