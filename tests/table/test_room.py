"""Rooms by themselves: no socket, no store, and a time that the tests set."""

from random import Random
from typing import Any, get_args

import msgspec
import pytest

from coyote.fairness import FairnessError, check_fair
from coyote.games.duel.game import Duel
from coyote.games.game import Json
from coyote.records import follow
from coyote.table import inputs, wire
from coyote.table.games import Games, chosen_deck
from coyote.table.parts import written_set
from coyote.table.room import MOST_NOTES, Phase, Room, replay
from coyote.table.sockets import as_input
from coyote.text import Words

MINUTE, DAY = 60_000, 86_400_000
ANNA, BORIS = inputs.Player("a", "Anna"), inputs.Player("b", "Boris")
DIGEST, WRITTEN = written_set(None)
GAMES = Games({DIGEST: WRITTEN})
PACK, OASIS = (chosen_deck(Duel(), None, party, Random(1)) for party in range(2))


class Table:
    """A room with a hand on its clock; every input also goes through JSON."""

    def __init__(self, game: str = "madness", secret: str = "5a" * 32, **terms: Any) -> None:
        self.at = 1_000
        duel = game == "duel"
        usual = {"begins": "host", "rules": 2 if duel else 1}
        agreed = inputs.Terms(game, set=DIGEST if duel else "", **{**usual, **terms})
        self.inputs: list[inputs.AnyInput] = [
            inputs.Make(self.at, "room", agreed, ANNA, secret, None, (PACK if duel else None, None), "invite")
        ]
        self.room = Room(self.inputs[0], GAMES)  # type: ignore[arg-type]
        self.do(inputs.Join, BORIS, OASIS if duel else None, "invite")
        self.do(inputs.Ready, 0, "", "ab" * 16)
        self.do(inputs.Ready, 1, "", "cd" * 16)

    def give(self, kind: Any, *values: Any) -> str | None:
        """The code of the refusal, or None when it was done."""
        given = inputs.read_input(inputs.write_input(kind(self.at, *values)))
        before = wire.write_message(self.told(0)), wire.write_message(self.told(1))
        refusal = self.room.refuses(given)
        if refusal:
            assert before == (wire.write_message(self.told(0)), wire.write_message(self.told(1)))
            return refusal.code
        self.room.apply(given)
        self.inputs.append(given)
        return None

    def do(self, kind: Any, *values: Any) -> None:
        assert self.give(kind, *values) is None

    def move(self, party: int, move: str | None = None) -> None:
        self.do(inputs.Move, party, "", move or self.room.legal(self.room.seat(party))[0])

    def told(self, viewer: int, seen: int = 0) -> wire.Update:
        update = wire.update(self.room, viewer, seen, self.at, ("view", "legal", "events", "story"))
        return msgspec.json.decode(wire.write_message(update), type=wire.Update)

    def wait(self, milliseconds: int) -> None:
        self.at += milliseconds

    @property
    def result(self) -> Json | None:
        return self.room.result.as_json() if self.room.result else None

    def same_again(self) -> None:
        """A room is its inputs."""
        again = replay([inputs.read_input(inputs.write_input(given)) for given in self.inputs], GAMES)
        for viewer in (0, 1, -1):
            shown = [wire.write_message(wire.update(room, viewer, 0, self.at)) for room in (self.room, again)]
            assert shown[0] == shown[1]
        assert again.deadline() == self.room.deadline()


def play_out(table: Table) -> None:
    for _ in range(5000):
        if table.room.over:
            return
        seat = table.room.thinking()[0]
        legal = table.room.legal(seat)
        table.move(table.room.seat(seat), legal[table.at % len(legal)])
        table.wait(7)


WAYS: list[tuple[str, Json]] = [
    ("madness", {}),
    ("madness", {"edition": "classic"}),
    ("madness", {"fields": 4, "jokers": 1, "boss-points": 3, "chance": "no"}),
    ("duel", {}),
    ("duel", {"open-lists": "yes", "health": 30, "hand-limit": 3, "wear-from": 2}),
]


@pytest.mark.parametrize(("game", "options"), WAYS)
def test_a_whole_game_replays_and_its_record_is_true_and_fair(game: str, options: Json) -> None:
    table = Table(game, options=options)
    play_out(table)
    assert table.room.phase == "over"
    record = table.room.record()
    follow(record)
    check_fair(record)
    table.same_again()


# ---------------------------------------------------------------- who begins


@pytest.mark.parametrize(("begins", "seats"), [("host", [0, 1]), ("other", [1, 0])])
def test_who_begins(begins: Any, seats: list[int]) -> None:
    assert Table(begins=begins).told(0).seats == seats


def test_the_lot_follows_from_secret_and_nonces() -> None:
    lots = {f"{n:02x}": Table(secret=f"{n:02x}" * 32, begins="lot").room.swap for n in range(12)}
    assert set(lots.values()) == {0, 1}
    assert lots["03"] == Table(secret="03" * 32, begins="lot").room.swap


@pytest.mark.parametrize("secret", ["01" * 32, "02" * 32, "03" * 32, "04" * 32])
def test_the_lot_is_verified_with_the_deal(secret: str) -> None:
    """A table that gave the seats otherwise would be found out."""
    table = Table(secret=secret, begins="lot")
    table.do(inputs.Resign, 0)
    record = table.room.record()
    check_fair(record)
    record["fair"]["nonces"] = record["fair"]["nonces"][::-1]
    with pytest.raises(FairnessError):
        check_fair(record)


def test_a_nonce_of_the_other_player_is_refused() -> None:
    room = Room(inputs.Make(0, "room", inputs.Terms("madness"), ANNA, "5a" * 32, BORIS), GAMES)
    assert room.refuses(inputs.Ready(1, 0, "", "ab" * 16)) is None
    room.apply(inputs.Ready(1, 0, "", "ab" * 16))
    for nonce, code in (("ab" * 16, "room.nonce_taken"), ("", "room.nonce")):
        refusal = room.refuses(inputs.Ready(2, 1, "", nonce))
        assert refusal and refusal.code == code


# ---------------------------------------------------------------- sealed choices


def test_nobody_can_tell_whether_the_other_has_chosen() -> None:
    table = Table("duel", clock=inputs.ClockTerms(minutes=1))
    table.wait(5_000)
    before = [wire.write_message(table.told(viewer)) for viewer in (1, -1)]
    table.move(0, "hold")
    assert [wire.write_message(table.told(viewer)) for viewer in (1, -1)] == before
    shown = table.told(0)
    assert isinstance(shown.view, dict) and shown.view["chosen"] == "hold"
    table.wait(5_000)
    assert table.told(0).clocks == [55_000, 50_000]
    assert table.told(1).clocks == [50_000, 50_000]


def test_a_choice_may_be_changed_until_both_are_in() -> None:
    table = Table("duel")
    play = table.room.legal(0)[1]
    table.move(0, "hold")
    table.move(0, play)
    table.do(inputs.Undo, 0)
    shown = table.told(0)
    assert isinstance(shown.view, dict) and shown.view["chosen"] is None
    table.move(0, play)
    table.move(1, "hold")
    assert table.room.match and table.room.match.moves == [(0, play), (1, "hold")]
    table.same_again()


def test_a_choice_that_is_refused_leaves_the_sealed_one() -> None:
    table = Table("duel")
    legal = table.room.legal(0)
    table.move(0, "hold")
    assert table.give(inputs.Move, 0, "", "play moon") == "refusal.no_choice"
    assert table.room.legal(0) == legal and table.told(0).legal == legal
    shown = table.told(0)
    assert isinstance(shown.view, dict) and shown.view["chosen"] == "hold"


@pytest.mark.parametrize("seals", [0, 1])
def test_a_sealed_choice_is_never_shown_if_the_game_ends(seals: int) -> None:
    table = Table("duel")
    table.move(seals, "hold")
    table.do(inputs.Resign, 1)
    for viewer in (0, 1, -1):
        shown = table.told(viewer)
        assert isinstance(shown.view, dict) and shown.view["chosen"] is None
    assert table.room.record()["moves"] == []
    table.same_again()


def test_taking_back_a_turn_takes_the_choice_that_is_sealed_since() -> None:
    table = Table("duel", clock=inputs.ClockTerms(minutes=1))
    start = table.told(0).view
    for party in (0, 1):
        table.move(party, "hold")
    table.move(0, "hold")
    table.do(inputs.Offer, 1, "", "undo")
    table.do(inputs.Answer, 0, "", "undo", True)
    assert table.told(0).view == start and not table.room.has_sealed(0)
    table.same_again()


def test_a_room_that_was_stored_with_a_sealed_choice_has_its_list() -> None:
    table = Table("duel")
    legal = table.room.legal(1)
    table.move(1, legal[-1])
    assert replay(table.inputs, GAMES).legal(1) == legal
    table.same_again()


# ---------------------------------------------------------------- undo


def test_undo_is_free_while_nothing_was_shown_and_nobody_else_acted() -> None:
    table = Table()
    start = table.told(0)
    table.move(0, "pass")
    table.do(inputs.Undo, 0)
    assert table.told(0).view == start.view
    assert table.told(1).events == []
    table.same_again()


def test_undo_of_what_showed_something_needs_consent() -> None:
    table = Table()
    table.move(0, "pass")
    table.move(0, "draw")
    assert table.give(inputs.Undo, 0) == "room.undo_by_consent"
    table.do(inputs.Offer, 0, "", "undo")
    table.do(inputs.Answer, 1, "", "undo", True)
    shown = table.told(0)
    assert isinstance(shown.view, dict) and shown.view["phase"] == "tut"
    table.same_again()


def test_undo_after_the_other_acted_needs_consent() -> None:
    table = Table()
    table.move(0, "pass")
    table.move(0, next(move for move in table.room.legal(0) if move.startswith("drop")))
    table.move(1)
    assert table.give(inputs.Undo, 0) == "room.undo_by_consent"
    table.do(inputs.Offer, 0, "", "undo")
    assert table.give(inputs.Offer, 0, "", "undo") == "room.offered_already"
    table.do(inputs.Answer, 1, "", "undo", False)
    assert table.give(inputs.Answer, 1, "", "undo", True) == "room.no_offer"
    table.move(1)
    table.same_again()


def test_an_attack_may_be_taken_back() -> None:
    table = Table()
    attack = next(move for move in table.room.legal(0) if move.startswith("a"))
    table.move(0, attack)
    table.do(inputs.Undo, 0)
    table.move(0, attack)
    assert table.room.match and table.room.match.moves == [(0, attack)]
    table.same_again()


def test_nothing_to_undo() -> None:
    assert Table().give(inputs.Undo, 1) == "room.nothing_to_undo"


def test_taking_back_gives_no_time() -> None:
    table = Table(clock=inputs.ClockTerms(minutes=1, increment=10))
    for _ in range(3):
        table.wait(2_000)
        table.move(0, "pass")
        table.move(0, "draw")
        table.do(inputs.Offer, 0, "", "undo")
        table.do(inputs.Answer, 1, "", "undo", True)
        table.do(inputs.Undo, 0)
    assert table.told(0).clocks == [54_000, 60_000]


# ---------------------------------------------------------------- ends


def test_resigning() -> None:
    table = Table()
    table.do(inputs.Resign, 0)
    assert table.result and (table.result["winner"], table.result["reason"]) == (1, "resignation")
    assert table.give(inputs.Move, 0, "", "pass") == "refusal.over"
    follow(table.room.record())


def test_a_draw_by_agreement() -> None:
    table = Table()
    table.do(inputs.Offer, 0, "", "draw")
    assert table.told(1).offers == [(0, "draw")]
    table.do(inputs.Answer, 1, "", "draw", True)
    assert table.result and (table.result["winner"], table.result["reason"]) == (None, "agreement")
    table.same_again()


def test_two_offers_of_a_draw_are_an_agreement() -> None:
    table = Table()
    table.do(inputs.Offer, 0, "", "draw")
    table.do(inputs.Offer, 1, "", "draw")
    assert table.result and table.result["reason"] == "agreement"
    assert table.told(0).offers == []
    assert table.give(inputs.Answer, 0, "", "draw", True) == "room.no_offer"
    table.same_again()


def test_a_move_declines_what_the_other_offered() -> None:
    table = Table()
    table.do(inputs.Offer, 1, "", "draw")
    table.move(0, "pass")
    assert table.give(inputs.Answer, 0, "", "draw", True) == "room.no_offer"


@pytest.mark.parametrize("game", ["madness", "duel"])
def test_a_game_is_called_off_until_both_have_chosen(game: str) -> None:
    table = Table(game, clock=inputs.ClockTerms(minutes=5))
    assert table.told(0).abort is table.told(-1).abort is True
    table.move(0, "hold" if game == "duel" else "pass")
    assert table.told(1).abort is True  # in a duel nobody has seen it
    calling_off = replay(table.inputs, GAMES)
    calling_off.apply(inputs.Abort(table.at, 1))
    assert calling_off.result and (calling_off.result.winner, calling_off.result.reason) == (None, "aborted")
    follow(calling_off.record())
    while table.told(0).abort is True:
        table.move(table.room.party(table.room.thinking()[0]))
    assert table.give(inputs.Abort, 0) == "room.abort_late"
    assert b'"abort"' not in wire.write_message(table.told(0))
    table.do(inputs.Resign, 0)
    assert table.give(inputs.Abort, 0) == "refusal.over"


@pytest.mark.parametrize("ends", [inputs.Resign, inputs.Abort, inputs.Claim])
def test_clocks_stay_where_they_were_when_a_game_ends(ends: Any) -> None:
    for game in ("madness", "duel"):
        table = Table(game, clock=inputs.ClockTerms(minutes=2))
        table.wait(6_000)
        if game == "duel":
            table.move(1, "hold")
        table.wait(20_000)
        before = [table.told(viewer).clocks for viewer in (0, 1, -1)]
        table.do(ends, 0)
        assert [table.told(viewer).clocks for viewer in (0, 1, -1)] == before
        table.wait(DAY)
        assert [table.told(viewer).clocks for viewer in (0, 1, -1)] == before
        table.same_again()


def test_a_win_is_claimed_only_between_people_with_minutes() -> None:
    table = Table(clock=inputs.ClockTerms(minutes=5))
    table.do(inputs.Claim, 1)
    assert table.result and (table.result["winner"], table.result["reason"]) == (1, "left")
    follow(table.room.record())
    table.same_again()
    assert Table().give(inputs.Claim, 1) == "room.no_claim"
    assert Table(clock=inputs.ClockTerms(days=1)).give(inputs.Claim, 1) == "room.no_claim"
    alone = Table(clock=inputs.ClockTerms(minutes=5))
    alone.room.terms = msgspec.structs.replace(alone.room.terms, opponent="bot")
    assert alone.give(inputs.Claim, 1) == "room.no_claim"


def notes(table: Table, viewer: int, seen: int = 0) -> list[tuple[str, int, str]]:
    found = table.told(viewer, seen).notes
    return [(note.kind, note.party, note.what) for note in found] if isinstance(found, list) else []


def test_what_becomes_of_offers_is_told_to_all_once() -> None:
    table = Table()
    assert b'"notes"' not in wire.write_message(table.told(0))
    table.move(0, "pass")
    seen = table.told(0).n
    table.do(inputs.Offer, 0, "", "draw")
    assert notes(table, 0, seen) == [("offered", 0, "draw")]
    table.do(inputs.Answer, 1, "", "draw", False)
    assert notes(table, 0, seen + 1) == [("declined", 1, "draw")]
    assert notes(table, 0, seen + 2) == []
    table.do(inputs.Offer, 1, "", "draw")
    table.move(0, "draw")
    assert notes(table, 1, seen + 3) == [("lapsed", 1, "draw")]
    table.do(inputs.Offer, 0, "", "undo")
    table.do(inputs.Answer, 1, "", "undo", True)
    assert notes(table, -1, seen + 5) == [("accepted", 1, "undo")]
    everything = table.told(1).notes
    assert isinstance(everything, list) and [note.n for note in everything] == [1, 2, 3, 4, 5, 6]
    events = table.told(1).events
    assert isinstance(events, list) and everything[-1].after == len(events) < everything[-2].after
    table.do(inputs.Undo, 0)
    assert notes(table, 1)[-1] == ("undone", 0, "undo")
    table.same_again()


def test_notes_are_sentences_from_each_side_and_never_more_than_some() -> None:
    table = Table()
    for _ in range(MOST_NOTES):
        table.do(inputs.Offer, 0, "", "draw")
        table.do(inputs.Answer, 1, "", "draw", False)
    ends = {}
    for viewer in (0, 1, -1):
        found = table.told(viewer).notes
        assert isinstance(found, list) and len(found) == MOST_NOTES and found[-1].n == 2 * MOST_NOTES
        ends[viewer] = found[-1].text
    assert ends == {0: "Boris declines the draw.", 1: "You decline the draw.", -1: "Boris declines the draw."}
    update = wire.update(table.room, 0, 0, table.at)
    assert isinstance(update.notes, list) and not update.notes[0].text


def test_the_end_is_told_from_each_side() -> None:
    table = Table()
    table.do(inputs.Resign, 0)
    said = [table.told(viewer).prompt for viewer in (0, 1, -1)]
    assert said == [
        "You resign, and Boris wins.",
        "Anna resigns, and you win.",
        "Anna resigns, and Boris wins.",
    ]


def test_a_rematch_is_agreed_on_after_the_end() -> None:
    table = Table()
    assert table.give(inputs.Offer, 0, "", "rematch") == "room.not_over"
    table.do(inputs.Resign, 0)
    assert table.give(inputs.Next, 1, "", "other") == "room.no_offer"
    table.do(inputs.Offer, 0, "", "rematch")
    table.do(inputs.Next, 1, "", "other")
    assert table.told(0).next == "other"


@pytest.mark.parametrize("opponent", ["bot", "self"])
def test_whoever_plays_alone_need_not_ask_for_a_rematch(opponent: Any) -> None:
    alone, two = (inputs.Terms("madness", opponent=one) for one in (opponent, "open"))
    wanted = inputs.Offer(1, 0, "", "rematch")
    assert new_room(alone, BORIS).begins_rematch(wanted)
    assert not new_room(two, BORIS).begins_rematch(wanted)
    assert new_room(two, BORIS).begins_rematch(inputs.Answer(1, 1, "", "rematch", True))
    assert not new_room(two, BORIS).begins_rematch(inputs.Answer(1, 1, "", "rematch", False))


# ---------------------------------------------------------------- coming and going


def new_room(terms: inputs.Terms, other: inputs.Player | None = None) -> Room:
    return Room(inputs.Make(0, "room", terms, ANNA, "5a" * 32, other, (None, None), "invite"), GAMES)


def test_a_link_is_needed_where_a_friend_is_waited_for() -> None:
    room = new_room(inputs.Terms("madness"))
    codes = [
        (refusal := room.refuses(inputs.Join(1, player, None, invite))) and refusal.code
        for player, invite in ((BORIS, ""), (BORIS, "another"), (ANNA, "invite"), (BORIS, "invite"))
    ]
    assert codes == ["room.invite", "room.invite", "room.own", None]
    assert new_room(inputs.Terms("madness", opponent="open")).refuses(inputs.Join(1, BORIS)) is None


@pytest.mark.parametrize(("other", "by"), [(None, 0), (BORIS, 0), (BORIS, 1)])
def test_who_does_not_wait_closes_and_what_was_told_stays(other: inputs.Player | None, by: int) -> None:
    room = new_room(inputs.Terms("madness"), other)
    before = wire.update(room, -1, 0, 1)
    assert room.refuses(inputs.Close(1, by)) is None
    room.apply(inputs.Close(1, by))
    after = wire.update(room, -1, 0, 1)
    assert (after.phase, after.names, after.context) == ("closed", before.names, before.context)
    again = room.refuses(inputs.Close(2, 0))
    assert again and again.code == "room.begun"


# ---------------------------------------------------------------- every kind

ONE_OF_EACH: list[inputs.AnyInput] = [
    inputs.Make(5_000, "room", inputs.Terms("madness"), ANNA, "5a" * 32),
    inputs.Join(5_000, inputs.Player("v", "Vera"), None, "invite"),
    inputs.Seal(5_000, 0, "", "ef" * 32),
    inputs.Ready(5_000, 0, "", "ef" * 16),
    inputs.Move(5_000, 0, "", "pass"),
    inputs.Undo(5_000, 0),
    inputs.Abort(5_000, 0),
    inputs.Claim(5_000, 0),
    inputs.Offer(5_000, 0),
    inputs.Answer(5_000, 0),
    inputs.Resign(5_000, 0),
    inputs.Next(5_000, 0, "", "other"),
    inputs.Close(5_000, 0),
    inputs.Flag(5_000),
    inputs.Wake(5_000, 1),
]
ONE_OF_EACH_REQUEST: list[wire.AnyRequest] = [
    wire.Ready("1"), wire.Move("2"), wire.Undo("3"), wire.Offer("4"), wire.Answer("5"), wire.Resign("6"),
    wire.Close("7"), wire.Seal("8"), wire.Abort("9"), wire.Claim("10"),
]  # fmt: skip


def rooms_of_every_phase() -> dict[str, Room]:
    over, closed = Table(), new_room(inputs.Terms("madness"))
    over.do(inputs.Resign, 0)
    closed.apply(inputs.Close(1, 0))
    terms = inputs.Terms("madness")
    found = [new_room(terms), new_room(terms, BORIS), Table().room, over.room, closed]
    return {room.phase: room for room in found}


@pytest.mark.parametrize("given", ONE_OF_EACH, ids=lambda given: type(given).__name__)
def test_every_kind_of_input_is_refused_or_done_in_every_phase(given: inputs.AnyInput) -> None:
    assert {type(one) for one in ONE_OF_EACH} == set(get_args(inputs.AnyInput))
    rooms = rooms_of_every_phase()
    assert set(rooms) == set(get_args(Phase))
    for room in rooms.values():
        refusal, number = room.refuses(given), room.number
        assert room.number == number
        if refusal is None:
            room.apply(given)
            assert room.number == number + 1
        else:
            assert Words("ru").refusal(refusal)


def test_every_kind_of_request_is_an_input() -> None:
    assert {type(one) for one in ONE_OF_EACH_REQUEST} == set(get_args(wire.AnyRequest))
    for message in ONE_OF_EACH_REQUEST:
        given = as_input(message, 1, 7)
        assert isinstance(given, inputs.Request) and type(given).__name__ == type(message).__name__
        assert (given.at, given.by, given.id) == (7, 1, message.id)


def test_a_kind_that_nobody_thought_of_does_nothing() -> None:
    """The type check finds it first; at run time it must not pass for another one."""

    class Castle(inputs.Request):
        pass

    class Bow(wire.RequestMessage):
        pass

    strange: Any = Castle(1, 0)
    asked: Any = Bow("1")
    with pytest.raises(AssertionError):
        Table().room.refuses(strange)
    with pytest.raises(AssertionError):
        Table().room.apply(strange)
    with pytest.raises(AssertionError):
        as_input(asked, 0, 1)


# ---------------------------------------------------------------- clocks


def test_time_runs_out() -> None:
    table = Table(clock=inputs.ClockTerms(minutes=1))
    assert table.room.deadline() == table.at + MINUTE
    table.wait(MINUTE)
    assert table.give(inputs.Flag) == "room.time_left"
    table.wait(1)
    assert table.give(inputs.Move, 0, "", "pass") == "room.late"
    table.do(inputs.Flag)
    assert table.result and (table.result["winner"], table.result["reason"]) == (1, "timeout")
    table.same_again()


def test_a_turn_is_credited_once_it_is_over() -> None:
    table = Table(clock=inputs.ClockTerms(minutes=1, increment=10))
    table.wait(5_000)
    table.move(0, "pass")
    assert table.told(0).clocks == [55_000, 60_000]
    table.wait(5_000)
    table.move(0, "draw")
    assert table.told(0).clocks == [60_000, 60_000]


def test_days_are_for_each_turn() -> None:
    table = Table(clock=inputs.ClockTerms(days=1))
    table.wait(DAY - 5)
    table.move(0, "pass")
    table.move(0, "draw")
    assert table.told(1).clocks == [DAY, DAY]
    assert table.room.deadline() == table.at + DAY


def test_no_clock_runs_while_the_server_is_away() -> None:
    table = Table(clock=inputs.ClockTerms(minutes=1))
    table.wait(30_000)
    table.wait(DAY)
    table.do(inputs.Wake, DAY)
    assert table.told(0).clocks == [30_000, 60_000]
    table.same_again()


def test_a_seat_that_runs_out_waits_for_the_other_in_the_duel() -> None:
    """An end at once would tell that it had not chosen."""
    table = Table("duel", clock=inputs.ClockTerms(minutes=1))
    table.wait(59_000)
    table.move(1, "hold")
    table.wait(1_001)
    assert table.give(inputs.Move, 0, "", "hold") == "room.late"
    table.do(inputs.Flag)
    assert table.result and table.result["winner"] == 1


def test_both_out_of_time_at_once_is_a_draw_in_the_duel() -> None:
    table = Table("duel", clock=inputs.ClockTerms(minutes=1))
    table.wait(MINUTE + 1)
    table.do(inputs.Flag)
    assert table.result and (table.result["winner"], table.result["reason"]) == (None, "timeout")


# ---------------------------------------------------------------- order


def test_what_comes_at_the_wrong_time_is_refused() -> None:
    table = Table()
    assert table.give(inputs.Join, BORIS, None, "invite") == "room.full"
    assert table.give(inputs.Ready, 0, "", "ab" * 16) == "room.not_seated"
    assert table.give(inputs.Move, 1, "", "pass") == "refusal.not_your_turn"
    assert table.give(inputs.Move, 0, "", "castle") == "refusal.no_move"
    assert table.give(inputs.Close, 0) == "room.begun"
    assert table.give(inputs.Answer, 0, "", "draw", True) == "room.no_offer"


def test_a_client_that_comes_back_gets_what_it_has_not_seen() -> None:
    table = Table()
    table.move(0)
    seen, events = table.told(1).n, table.told(1).events
    table.move(0)
    rest = table.told(1, seen)
    assert isinstance(events, list) and isinstance(rest.events, list)
    assert table.told(1).events == events[: rest.kept] + rest.events
    assert rest.kept == len(events)


def test_a_client_that_comes_back_after_an_undo_drops_what_is_not_true_any_more() -> None:
    table = Table()
    table.move(0, "pass")
    seen, events = table.told(1).n, table.told(1).events
    table.do(inputs.Undo, 0)
    table.move(0)
    rest = table.told(1, seen)
    assert isinstance(events, list) and isinstance(rest.events, list)
    assert rest.kept == 0
    assert table.told(1).events == events[: rest.kept] + rest.events
