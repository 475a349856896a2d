"""Laws that hold for every game, at every step of any play of any variant.

A law takes a `Play` and asserts. `test_conformance` has Hypothesis draw the plays; `kit.modes` does so
compiled, with bounds checks, and uncompiled. No law knows a game: what differs is in `kit.subjects`.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.games.events import Event
from coyote.games.game import Chance, PositionError, Record, Refusal
from coyote.match import IllegalMove, Match
from coyote.records import follow, record_line
from coyote.text import LANGUAGES, Refused, Words
from kit.subject import SEATS, Play, act, copy_state, state_bytes

Law = Callable[[Play], None]
LAWS: list[Law] = []
COSTLY: list[Law] = []  # laws that get fewer examples
GARBAGE: tuple[Any, ...] = (None, True, -1, 10**9, 10**40, 0.5, "", "?", [], {}, [None], [[]], {"a": 1})


def law(found: Law) -> Law:
    LAWS.append(found)
    return found


def costly_law(found: Law) -> Law:
    COSTLY.append(found)
    return found


# ---------------------------------------------------------------- the course of a game


@law
def no_card_is_lost_at_any_step(play: Play) -> None:
    for s in play.states:
        play.subject.check(play.game, s)
    for step in play.steps:
        play.subject.check_step(play.game, step.before, step.after)


@law
def every_game_ends_and_then_owes_nothing(play: Play) -> None:
    game, end = play.game, play.end
    assert game.actors(end) == 0 and game.sealed(end) == {}
    assert [game.legal(end, seat) for seat in SEATS] == [[], [], []]
    result = game.result(end)
    assert result is not None and result.reason in game.REASONS and result.score == game.score(end)
    assert all(game.result(step.before) is None for step in play.steps)
    assert game.turn(end) >= 1


@law
def whoever_owes_a_choice_has_one_and_nobody_else_does(play: Play) -> None:
    game = play.game
    for step in play.steps:
        mask = game.actors(step.before)
        assert [bool(game.legal(step.before, seat)) for seat in SEATS] == [mask & 1 > 0, mask & 2 > 0, False]
        assert len(set(step.legal)) == len(step.legal)
        assert game.wanted(step.before) in game.WANTED
    for turn in play.turns:
        if not game.SIMULTANEOUS:
            assert len(turn) == 1 and game.actors(turn[0].before) in (0b01, 0b10)
            continue
        first, second = turn
        assert {first.seat, second.seat} == {0, 1}
        assert game.actors(first.before) == 0b11 and game.actors(first.after) == 1 << second.seat
        assert game.turn(second.after) == game.turn(first.before) + 1 or game.result(second.after)


@law
def a_sealed_choice_is_told_to_nobody_and_can_be_taken_back(play: Play) -> None:
    game = play.game
    for turn in play.turns:
        for step in turn[:-1]:
            assert step.rows == [] and game.sealed(step.after) == {step.seat: step.action}
            for viewer in SEATS:
                if viewer != step.seat:
                    assert game.view(step.after, viewer).tobytes() == game.view(step.before, viewer).tobytes()
            back = copy_state(step.after)
            game.unseal(back, step.seat)
            assert state_bytes(back) == state_bytes(step.before)
        assert game.sealed(turn[-1].after) == {}


# ---------------------------------------------------------------- what is seen


@law
def legal_moves_follow_from_the_view(play: Play) -> None:
    game = play.game
    for step in play.steps:
        for seat in SEATS:
            assert game.legal(step.before, seat) == game.legal(game.view(step.before, seat), seat)


@law
def a_view_holds_no_secret(play: Play) -> None:
    for s in play.states:
        for seat in SEATS:
            v = play.game.view(s, seat)
            assert v.key.tolist() == [0, 0] and v.counter == 0
            play.subject.check_hidden(play.game, s, v, seat)


@costly_law
def the_view_of_what_is_imagined_is_the_view(play: Play) -> None:
    game = play.game
    for number, s in enumerate(play.states):
        for seat in SEATS:
            view = game.view(s, seat)
            imagined = game.imagine(view, seat, play.other_words("imagined", number, seat))
            assert game.view(imagined, seat).tobytes() == view.tobytes()
            assert state_bytes(game.view(view, seat)) == state_bytes(view)
            play.subject.check_imagined(game, imagined)


@costly_law
def a_view_is_read_back_from_its_json_byte_for_byte(play: Play) -> None:
    game = play.game
    for s in play.states:
        for seat in SEATS:
            view = game.view(s, seat)
            shown = game.view_json(view, seat)
            assert shown == {**game.open_json(game.view(s, -1)), **game.own_json(view, seat)}
            assert game.read_view(json.loads(json.dumps(shown)), seat).tobytes() == view.tobytes()
            assert shown["game"] == game.name and shown["options"] == game.options


@costly_law
def what_is_no_view_is_refused_as_such(play: Play) -> None:
    """With what Python says of wrong data, and nothing else."""
    game, dice = play.game, Random(play.number)
    seat = dice.randrange(2)
    shown = game.view_json(game.view(dice.choice(play.states), seat), seat)
    for key in shown:
        for wrong in (*GARBAGE, ...):
            given = {k: v for k, v in shown.items() if k != key} | ({} if wrong is ... else {key: wrong})
            with suppress(LookupError, TypeError, ValueError, OverflowError):
                game.read_view(given, seat)


@costly_law
def what_a_seat_cannot_see_changes_nothing_that_it_gets(play: Play) -> None:
    """Deal the hidden cards anew: view, JSON, moves and refusals are the same."""
    game = play.game
    for number, step in enumerate(play.steps):
        for seat in SEATS:
            view = game.view(step.before, seat)
            other = game.imagine(view, seat, play.other_words("other", number))
            theirs = game.view(other, seat)
            assert theirs.tobytes() == view.tobytes()
            assert json.dumps(game.view_json(view, seat)) == json.dumps(game.view_json(theirs, seat))
            assert game.open_json(view) == game.open_json(game.view(other, -1))
            assert game.legal(step.before, seat) == game.legal(other, seat)
            told = [refusals(play, s, seat, Random(number)) for s in (step.before, other)]
            assert told[0] == told[1]


def refusals(play: Play, s: Record, seat: int, dice: Random) -> list[tuple[str, Refusal]]:
    """What the seat is told about moves it may not make: some that are moves, and some that are none."""
    game, legal, view = play.game, play.game.legal(s, seat), play.game.view(s, seat)
    actions = play.subject.actions(game)
    texts = [game.move_text(action) for action in dice.sample(list(actions), min(8, len(actions)))]
    refused = [text for text in (*texts, *play.subject.nonsense) if game.read_move(text) not in legal]
    return [(text, game.why_not(view, seat, text)) for text in refused]


@costly_law
def what_a_seat_hears_follows_from_what_it_sees(play: Play) -> None:
    """On tables that a seat can tell apart neither before nor after the same moves, it hears the same."""
    game = play.game
    for number, turn in enumerate(play.turns):
        start, moves = turn[0].before, [(step.seat, step.action) for step in turn]
        for viewer in SEATS:
            view = game.view(start, viewer)
            heard: dict[bytes, list[Event]] = {}
            worlds = [copy_state(start)]
            worlds += [game.imagine(view, viewer, play.other_words(number, viewer, k)) for k in range(3)]
            for world in worlds:
                events = play_on(play, world, moves, viewer)
                if events is not None:
                    seen = game.view(world, viewer).tobytes()
                    assert heard.setdefault(seen, events) == events


def play_on(play: Play, s: Record, moves: list[tuple[int, int]], viewer: int) -> list[Event] | None:
    """What a seat hears of these moves; nothing where they cannot be made, or bury what was to be seen."""
    rows = []
    for seat, action in moves:
        if action not in play.game.legal(s, seat):
            return None
        rows += act(play.game, s, seat, action, Chance())
    events = [play.game.event(row, viewer) for row in rows]
    return None if any(event.kind in play.subject.buried for event in events) else events


@law
def events_keep_back_what_is_secret_and_nothing_else(play: Play) -> None:
    game, secret = play.game, play.subject.secret_slots
    rows = [row for step in play.steps for row in step.rows]
    for row, viewer in product(rows, (*SEATS, None)):
        event = game.event(row, viewer)
        for slot, value in event.values.items():
            who = secret.get((event.kind, slot), "all")
            known = viewer is None or who == "all" or (who == "owner" and viewer == event.seat)
            assert (value is None) != known, (event, viewer)
        assert game.event_rule(game.event(row, None))
        for lang in LANGUAGES:
            for told in game.told([event]):
                Words(lang).event(game.name, told, viewer, ["a", "b"], game.title)


# ---------------------------------------------------------------- the same again


@law
def the_same_seed_and_moves_give_the_same_bytes(play: Play) -> None:
    s = play.deal()
    for step in play.steps:
        assert s.tobytes() == step.before.tobytes()
        assert act(play.game, s, step.seat, step.action, Chance()) == step.rows
    assert s.tobytes() == play.end.tobytes()


@law
def all_bytes_of_a_table_are_fields_or_zero(play: Play) -> None:
    """What the compiler puts between fields stays blank, so that views can be compared as bytes."""
    for s in play.states[::7]:
        for seat in SEATS:
            bare = np.zeros(1, play.game.STATE)
            for name in play.game.STATE.names or ():
                bare[0][name] = s[name]
            assert play.game.view(bare[0], seat).tobytes() == play.game.view(s, seat).tobytes()


@costly_law
def a_position_saved_after_every_choice_is_the_same_game(play: Play) -> None:
    """Written as a line and read back, the game goes on as if nothing had happened."""
    subject, game = play.subject, play.game
    if game.rules_version != game.RULES[-1]:  # a position is one of today's rules
        return
    saved = game.position(play.deal())
    for step in play.steps:
        same, setup, s = subject.at_position(game, saved)
        assert same.options == game.options and same.name == saved.split()[0]
        assert state_bytes(subject.not_told(s)) == state_bytes(subject.not_told(step.before))
        assert same.position(s) == saved and same.legal(s, step.seat) == step.legal
        assert act(same, s, step.seat, step.action, subject.known_chance(game, step.rows)) == step.rows
        assert state_bytes(subject.not_told(s)) == state_bytes(subject.not_told(step.after))
        saved = same.position(s)
        assert saved == game.position(step.after)
        game.deal(setup, play.words)  # the setup is whole
    _, _, end = subject.at_position(game, saved)
    assert game.result(end) == game.result(play.end) is not None


@costly_law
def a_faulty_position_is_refused_with_every_reason_in_words(play: Play) -> None:
    """Whatever stands in the line: a PositionError, or a situation that can be."""
    dice, subject, game = Random(play.number), play.subject, play.game
    line = game.position(dice.choice(play.states))
    for text in broken_lines(line, dice):
        try:
            found, _, s = subject.at_position(game, text)
        except PositionError as error:
            assert error.refusals
            for lang, refusal in product(LANGUAGES, error.refusals):
                assert Words(lang).refusal(refusal)
        else:
            subject.check_imagined(found, s)
            again = found.position(s)
            assert found.position(subject.at_position(found, again)[2]) == again


def broken_lines(line: str, dice: Random) -> list[str]:
    """The line with a part left out, twice, exchanged, cut, or with nonsense in it."""
    parts = line.split()
    found = [line + " " + line, line + " castle=1", line.partition(" ")[0], ""]
    for number, part in enumerate(parts[1:], 1):
        key, equals, value = part.partition("=")
        wrong = ["-", "", "7", "-1", "9" * 12, "9" * 5000, "x/y", "/", ",", "²"]
        wrong += [value * 2, value[::-1], value[:-1]]
        found += [" ".join([*parts[:number], f"{key}{equals}{text}", *parts[number + 1 :]]) for text in wrong]
        found.append(" ".join(parts[:number] + parts[number + 1 :]))
        found.append(" ".join([*parts, part]))
    for _ in range(20):
        place = dice.randrange(len(line))
        found.append(line[:place] + dice.choice("0123456789,/|=-@!*aZ ") + line[place + dice.randrange(2) :])
    return found


@law
def what_is_kept_of_a_game_and_its_setup_gives_them_again(play: Play) -> None:
    game, setup = play.game, play.setup
    kept = json.loads(json.dumps({"options": game.options, "public": game.public(), "setup": setup.sealed()}))
    again = type(game).from_public(kept["options"], kept["public"], game.rules_version)
    assert again == game and hash(again) == hash(game) and again.row.tobytes() == game.row.tobytes()
    brought = again.read_setup(kept["setup"])
    assert brought.sealed() == setup.sealed() and brought.for_seat(0) == setup.for_seat(0)
    assert state_bytes(again.deal(brought, play.words)) == state_bytes(play.deal())
    assert json.loads(json.dumps(setup.for_seat(1))) == setup.for_seat(1)


# ---------------------------------------------------------------- matches and records


@costly_law
def a_record_is_written_followed_and_written_again(play: Play) -> None:
    match = play.played_match()
    record = match.record()
    assert play.played_match().record() == record
    optional = ((), ("seed",), ("seed", "trace"), *([("rules",)] if play.game.rules_version == 1 else []))
    for absent in optional:
        less = {key: value for key, value in record.items() if key not in absent}
        followed = follow(json.loads(record_line(less)))
        wanted = {key: value for key, value in less.items() if key != "trace"}
        assert followed.record() == {**wanted, "rules": play.game.rules_version}
        assert followed.events() == match.events() and followed.position() == match.position()


@law
def choices_of_a_turn_stand_in_the_order_of_the_seats(play: Play) -> None:
    """Whoever chose first: moves and trace are the same."""
    record = play.played_match().record()
    assert len(record["trace"]) == len(record["moves"])
    for (seat, move), entry in zip(record["moves"], record["trace"], strict=True):
        assert entry["seat"] == seat and move in entry["legal"]
    if play.game.SIMULTANEOUS:
        assert [seat for seat, _ in record["moves"]] == [0, 1] * (len(record["moves"]) // 2)
        for first, second in zip(record["trace"][::2], record["trace"][1::2], strict=True):
            assert {**first, "seat": 0, "legal": []} == {**second, "seat": 0, "legal": []}


@costly_law
def a_refused_move_changes_nothing(play: Play) -> None:
    match, dice = play.match(), Random(play.number)
    texts = [match.game.move_text(action) for action in play.subject.actions(match.game)]
    for step in play.steps:
        kept = match.record(), match.position(), match.rows[:]
        for seat in (0, 1):
            for text in (dice.choice(texts), dice.choice(play.subject.nonsense)):
                if match.game.read_move(text) not in match.legal_actions(seat):
                    with pytest.raises(IllegalMove) as caught:
                        match.play(text, seat)
                    assert_said(caught.value)
        assert (match.record(), match.position(), list(match.rows)) == kept
        match.play(match.game.move_text(step.action), step.seat)


def assert_said(refused: Refused) -> None:
    for lang in LANGUAGES:
        assert refused.message(lang)


@costly_law
def a_copy_plays_on_by_itself(play: Play) -> None:
    """Also a copy of a match that follows a record: each has its own place in the recorded chance."""
    whole = play.played_match(trace=False)
    for match in (play.match(), Match.from_record(whole.record())):
        for seat, move in whole.moves:
            kept, position = match.copy(), match.position()
            match.play(move, seat)
            assert kept.position() == position
            kept.play(move, seat)
            assert kept.position() == match.position()
            assert kept.record() == match.record()
        assert match.position() == whole.position()


@costly_law
def a_move_that_shows_something_is_told_from_one_that_does_not(play: Play) -> None:
    """`showed` is about what the maker of a move gets to see, and changes nothing."""
    match, dice = play.match(), Random(play.number)
    for step in play.steps:
        move = match.game.move_text(step.action)
        if dice.random() < 0.1:
            kept = match.record(), match.position()
            told = match.showed(move, step.seat)
            assert (match.record(), match.position()) == kept
            if len(step.rows) == 0:
                assert not told
        match.play(move, step.seat)


# ---------------------------------------------------------------- notation


@law
def every_move_is_read_back_from_its_text(play: Play) -> None:
    game = play.game
    texts = [game.move_text(action) for action in play.subject.actions(game)]
    assert len(set(texts)) == len(texts)
    for action, text in zip(play.subject.actions(game), texts, strict=True):
        for written in (text, f"  {text.lower()} ", text.upper()):
            assert game.read_move(written) == action
    assert {step.action for step in play.steps} <= set(play.subject.actions(game))
    assert all(game.read_move(text) is None for text in play.subject.nonsense)


# ---------------------------------------------------------------- a second reading


@law
def a_slow_reading_of_the_rules_agrees(play: Play) -> None:
    play.subject.slow_reading(play)
