"""What players do beside moves, on real sockets: calling a game off, claiming it, getting ready, signs."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from coyote.table.hall import REST
from table.kit_inside import OPEN, Inside
from table.kit_table import Json, Seat, seat_two, sqlite_in

MINUTE = 60_000
CLOCK = {"minutes": 5}
SLOW = replace(OPEN, emotes_per_minute=20)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(sqlite_in(tmp_path_factory.mktemp("manners")), SLOW).running() as server:
        yield server


def two(server: Inside, **terms: object) -> tuple[Seat, Seat]:
    return seat_two(server, **{"game": "madness", **terms})  # type: ignore[arg-type]


def close(*seats: Seat) -> None:
    for seat in seats:
        seat.close()


# ---------------------------------------------------------------- calling off


def test_a_game_that_is_called_off_has_no_winner_and_a_rematch(server: Inside) -> None:
    first, second = two(server)
    assert first.state["abort"] is True
    second.do("abort")
    over = first.wait(lambda update: update["result"])
    assert (over["result"]["winner"], over["result"]["reason"], "abort" in over) == (None, "aborted", False)
    assert first.guest.ask("GET", f"/api/rooms/{first.room}/record")["result"]["reason"] == "aborted"
    assert first.refused("abort") == "refusal.over"
    first.do("offer", what="rematch")
    second.wait(lambda update: update["offers"])
    second.do("answer", what="rematch", yes=True)
    assert first.wait(lambda update: update["next"])
    close(first, second)


def test_too_late_to_call_it_off(server: Inside) -> None:
    seats = two(server)
    for seat in sorted(seats, key=lambda seat: seat.seat):
        while seat.seat in seat.wait(lambda update: update["actors"])["actors"]:
            seat.do("move", move="pass" if "pass" in seat.state["legal"] else seat.state["legal"][0])
        for other in seats:
            other.catch_up()
    assert "abort" not in seats[0].state
    assert seats[0].refused("abort") == "room.abort_late"
    close(*seats)


# ---------------------------------------------------------------- claiming


@pytest.mark.parametrize("game", ["madness", "duel"])
def test_a_win_is_claimed_after_a_minute(server: Inside, game: str) -> None:
    first, second = two(server, game=game, clock=CLOCK)
    assert first.see(here=[True, True])["claim"] is None
    assert first.refused("claim") == "room.claim_here"
    second.close()
    assert first.see(here=[True, False])["claim"] == MINUTE
    server.at += MINUTE - 1
    answer = first.request("claim")
    assert (answer["code"], answer["text"].endswith("in 1 s")) == ("room.claim_early", True)
    server.at += 1
    first.do("claim")
    assert first.state["result"]["reason"] == "left" and first.state["result"]["winner"] == first.seat
    assert first.see(claim=None)
    second.open()
    second.catch_up()
    assert second.state["result"]["winner"] == first.seat
    close(first, second)


def test_who_comes_back_in_time_has_not_left(server: Inside) -> None:
    first, second = two(server, clock=CLOCK)
    second.close()
    first.see(here=[True, False])
    server.at += MINUTE
    second.open()
    first.see(here=[True, True])
    assert first.refused("claim") == "room.claim_here"
    second.close()
    assert first.see(here=[True, False])["claim"] == MINUTE
    close(first)


def test_only_time_counts_in_which_the_one_was_there_and_the_other_was_not(server: Inside) -> None:
    first, second = two(server, clock=CLOCK)
    watcher = server.guest("Vera").sit(first.room)
    second.close()
    first.see(here=[True, False])
    server.at += MINUTE - 1
    first.close()
    watcher.see(here=[False, False], claim=None)
    first.open()
    assert first.see(here=[True, False])["claim"] == MINUTE
    assert first.refused("claim") == "room.claim_early"
    assert watcher.refused("claim") == "room.not_yours"
    close(first, watcher)


def test_absence_counts_from_the_deal(server: Inside) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(game="madness", clock=CLOCK)
    boris.join(made)
    first, second = anna.sit(made["room"]), boris.sit(made["room"])
    second.ready()
    second.close()
    assert first.see(here=[True, False])["claim"] is None
    server.at += 10 * MINUTE
    first.ready()
    first.wait(lambda update: update["phase"] == "playing")
    assert first.see(claim=MINUTE)
    assert first.refused("claim") == "room.claim_early"
    close(first)


@pytest.mark.parametrize("terms", [{}, {"clock": {"days": 1}}, {"clock": CLOCK, "opponent": "bot"}])
def test_nothing_is_claimed_where_nobody_need_be_there(server: Inside, terms: Json) -> None:
    if "opponent" in terms:
        anna = server.guest("Anna")
        first = anna.sit(anna.make(game="madness", **terms)["room"])
        first.ready()
    else:
        first, second = two(server, **terms)
        second.close()
        first.see(here=[True, False])
        server.at += MINUTE
    first.wait(lambda update: update["phase"] == "playing")
    assert first.around["claim"] is None
    assert first.refused("claim") == "room.no_claim"
    close(first)


def test_after_a_fall_of_the_server_nobody_has_been_away(tmp_path: Path) -> None:
    with Inside(sqlite_in(tmp_path)).running() as server:
        first, second = two(server, clock=CLOCK)
        second.close()
        first.see(here=[True, False])
        server.at += MINUTE
        at = server.at
        first.close()
    again = Inside(sqlite_in(tmp_path))
    again.at = at + 60 * MINUTE
    with again.running():
        first.guest.server = again  # type: ignore[assignment]
        first.open()
        assert first.see(here=[True, False])["claim"] == MINUTE
        assert first.refused("claim") == "room.claim_early"
        again.at += MINUTE
        assert first.state["clocks"] and REST < MINUTE
        first.do("claim")
        first.close()


# ---------------------------------------------------------------- getting ready


@pytest.mark.parametrize("by", [0, 1])
def test_nobody_has_to_wait_for_somebody_who_does_not_get_ready(server: Inside, by: int) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(game="duel", opponent="open", clock=CLOCK)
    boris.join({"room": made["room"]})
    seats = anna.sit(made["room"]), boris.sit(made["room"])
    seats[by].ready()
    assert seats[1 - by].wait(lambda update: update["ready"][by])["ready"] == [by == 0, by == 1]
    server.at += 60 * MINUTE
    seats[by].do("close")
    assert seats[1 - by].wait(lambda update: update["phase"] == "closed")
    assert anna.ask("GET", "/api/mine")[0]["phase"] == "closed"
    close(*seats)


def test_no_clock_runs_before_both_are_ready(server: Inside) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(game="madness", clock=CLOCK)
    boris.join(made)
    first, second = anna.sit(made["room"]), boris.sit(made["room"])
    first.ready()
    server.at += 60 * MINUTE
    second.ready()
    assert first.wait(lambda update: update["phase"] == "playing")["clocks"] == [5 * MINUTE, 5 * MINUTE]
    close(first, second)


# ---------------------------------------------------------------- signs and spectators


def test_a_sign_is_seen_by_all_and_kept_nowhere(server: Inside) -> None:
    first, second = two(server)
    watcher = server.guest("Vera").sit(first.room)
    number = first.state["n"]
    assert first.request("emote", what="wow")["type"] == "done"
    for seat in (first, second, watcher):
        seat.catch_up()
        assert seat.emotes == [{"type": "emote", "party": 0, "what": "wow"}]
    assert first.state["n"] == number
    second.reopen()
    assert len(second.emotes) == 1
    assert watcher.refused("emote", what="wow") == "room.not_yours"
    first.send(type="emote", id="x", what="insult")
    assert first.until(lambda message: message["type"] == "error")["code"] == "room.malformed"
    close(first, second, watcher)


def test_one_sign_at_a_time(server: Inside) -> None:
    first, second = two(server)
    assert first.request("emote", what="hello")["type"] == "done"
    answer = first.request("emote", what="hello")
    assert (answer["code"], answer["type"]) == ("room.emote_fast", "error")
    assert second.request("emote", what="luck")["type"] == "done"  # each for themselves
    close(first, second)


def test_no_signs_to_bots_or_to_nobody(server: Inside) -> None:
    anna = server.guest("Anna")
    for terms in ({"opponent": "bot"}, {"opponent": "self"}, {"opponent": "open"}):
        seat = anna.sit(anna.make(game="madness", **terms)["room"])
        assert seat.refused("emote", what="hello") == "room.no_emote"
        seat.close()


def test_players_know_how_many_look_on(server: Inside) -> None:
    first, second = two(server)
    assert first.see(here=[True, True])["watching"] == 0
    watchers = [server.guest("Vera").sit(first.room) for _ in range(2)]
    first.see(watching=2)
    assert watchers[0].guest.ask("GET", f"/api/rooms/{first.room}")["presence"]["watching"] == 2
    watchers[0].close()
    second.see(watching=1)
    close(first, second, watchers[1])
