"""Lists of games on a real server, with either database: those to watch, one's own, and their sums."""

import os
from collections.abc import Iterator

import pytest

from table.kit_table import Guest, Json, Seat, Server, seat_two, sqlite_in
from table.test_table import postgres  # noqa: F401 - a fixture


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    sqlite = request.param == "sqlite"
    url = sqlite_in(tmp_path_factory.mktemp("lists")) if sqlite else request.getfixturevalue("postgres")
    with Server(url) as running:
        yield running


def games(guest: Guest, **wanted: object) -> list[Json]:
    query = "&".join(f"{name}={value}" for name, value in wanted.items())
    found: list[Json] = guest.ask("GET", f"/api/me/games?{query}")["games"]
    return found


def against_bot(guest: Guest, bot: str = "random", **terms: object) -> Seat:
    made = guest.make(**{"game": "madness", "opponent": "bot", "bot": bot, **terms})
    seat = guest.sit(made["room"])
    seat.ready()
    seat.wait(lambda update: update["phase"] == "playing")
    return seat


def resign(seat: Seat, other: Seat | None = None) -> None:
    seat.do("resign")
    if other:
        other.wait(lambda update: update["result"])


# ---------------------------------------------------------------- to watch


def test_only_games_of_the_open_list_can_be_found_to_watch(server: Server) -> None:
    anna, boris, vera = (server.guest(name) for name in ("Anna", "Boris", "Vera"))
    rooms = {}
    for opponent in ("open", "link"):
        made = anna.make(game="duel", opponent=opponent)
        boris.join(made if opponent == "link" else {"room": made["room"]})
        rooms[opponent] = anna.sit(made["room"]), boris.sit(made["room"])
    assert rooms["open"][0].room not in [row["room"] for row in vera.ask("GET", "/api/playing")]
    for seats in rooms.values():
        for seat in seats:
            seat.ready()
        seats[0].wait(lambda update: update["phase"] == "playing")
    shown = {row["room"]: row for row in vera.ask("GET", "/api/playing")}
    assert rooms["link"][0].room not in shown
    row = shown[rooms["open"][0].room]
    assert (row["phase"], row["names"], row["opponent"]) == ("playing", ["Anna", "Boris"], "open")
    assert not {"deck", "their_deck", "turn"} & set(row)
    watcher = vera.sit(row["room"])
    assert watcher.welcome["parties"] == [] and watcher.state["legal"] == []
    resign(*rooms["open"])
    assert row["room"] not in [row["room"] for row in vera.ask("GET", "/api/playing")]


# ---------------------------------------------------------------- one's own


def test_a_game_from_both_sides(server: Server) -> None:
    first, second = seat_two(server, game="madness", begins="other", clock={"minutes": 5})
    mover, waiter = (first, second) if first.seat == 0 else (second, first)
    (mine,), (theirs,) = games(mover.guest), games(waiter.guest)
    assert (mine["turn"], theirs["turn"], mine["outcome"]) == ("yours", "theirs", None)
    assert (mine["party"], mine["other"]) == (mover.viewer, waiter.guest.name)
    mover.do("move", move="pass")
    assert games(mover.guest)[0]["turn"] == "yours"  # the same turn still
    mover.do("move", move=mover.state["legal"][0])
    waiter.wait(lambda update: waiter.seat in update["actors"])
    assert (games(mover.guest)[0]["turn"], games(waiter.guest)[0]["turn"]) == ("theirs", "yours")
    resign(first, second)
    (lost,), (won,) = games(first.guest), games(second.guest)
    assert (lost["outcome"], won["outcome"]) == ("lost", "won")
    assert lost["reason"] == won["reason"] == "resignation" and won["turns"] == 2
    assert lost["turn"] is None and lost["ended_at"] >= lost["made_at"]
    first.do("offer", what="rematch")
    second.wait(lambda update: update["offers"])
    second.do("answer", what="rematch", yes=True)
    room = first.wait(lambda update: update["next"])["next"]
    again, before = games(first.guest)
    assert (before["next"], again["room"], again["phase"]) == (room, room, "seated")
    assert before["ended_at"] == lost["ended_at"]


def test_a_sealed_choice_is_not_told_by_whose_turn_it_is(server: Server) -> None:
    first, second = seat_two(server, game="duel", begins="host")
    before = games(second.guest)
    first.do("move", move="hold")
    assert games(first.guest)[0]["turn"] == "theirs"
    assert games(second.guest) == before and before[0]["turn"] == "yours"
    first.do("undo")
    assert games(first.guest)[0]["turn"] == "yours"


def test_decks_are_named_and_those_of_the_other_after_the_end(server: Server) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(game="duel", deck="magpies")
    boris.join(made, deck="random")
    seats = anna.sit(made["room"]), boris.sit(made["room"])
    for seat in seats:
        seat.ready()
    seats[0].wait(lambda update: update["phase"] == "playing")
    (mine,), (theirs,) = games(anna), games(boris)
    assert (mine["deck"], mine["their_deck"]) == ("magpies", None)
    code = theirs["deck"]
    assert boris.ask("POST", "/api/decks/check", {"code": code})["code"] == code
    resign(*seats)
    assert (games(anna)[0]["their_deck"], games(boris)[0]["their_deck"]) == (code, "magpies")


def test_pages_and_filters(server: Server) -> None:
    anna = server.guest("Anna")
    for bot, edition in (("random", "standard"), ("level:1", "classic"), ("level:1", "standard")):
        resign(against_bot(anna, bot, options={"edition": edition}))
    against_bot(anna)
    waiting = anna.make(game="duel", opponent="open")["room"]
    alone = anna.make(game="madness", opponent="self", other_name="Boris")["room"]
    closed = anna.sit(anna.make(game="madness")["room"])
    closed.do("close")
    every = [row["room"] for row in games(anna)]
    assert len(every) == 6 and closed.room not in every
    pages: list[str] = []
    before = ""
    while before is not None:
        page = anna.ask("GET", f"/api/me/games?most=4&before={before}")
        pages += [row["room"] for row in page["games"]]
        before = page["next"]
    assert pages == every
    assert len(games(anna, phase="over")) == 3 and len(games(anna, phase="going")) == 3
    assert [row["room"] for row in games(anna, game="duel")] == [waiting]
    assert len(games(anna, edition="classic")) == 1
    assert len(games(anna, against="bot")) == 4 and len(games(anna, against="level:1")) == 2
    assert [row["room"] for row in games(anna, against="person")] == [waiting]
    (self_game,) = games(anna, against="self")
    assert (self_game["room"], self_game["party"], self_game["other"]) == (alone, None, "Boris")
    assert len(games(anna, result="lost")) == 3 and not games(anna, result="won")
    assert not games(server.guest("Vera"))
    for wrong in ("before=x", "most=0", "most=101", "phase=none", "result=none", f"game={'x' * 41}"):
        assert anna.try_to("GET", f"/api/me/games?{wrong}")[0] == 422


def test_a_game_is_left_in_the_way_that_costs_least(server: Server) -> None:
    anna, vera = server.guest("Anna"), server.guest("Vera")

    def leave(room: str, who: Guest = anna) -> tuple[int, Json]:
        return who.try_to("POST", f"/api/rooms/{room}/leave", {})

    waiting = anna.make(game="madness")["room"]
    assert leave(waiting, vera) == (403, leave(waiting, vera)[1])
    assert leave(waiting) == (200, {"phase": "closed"})
    assert leave(waiting)[0] == 409
    assert leave(against_bot(anna).room) == (200, {"phase": "over"})
    assert games(anna)[0]["outcome"] == "aborted"
    playing = against_bot(anna, begins="host")
    while "abort" in playing.state:
        playing.do("move", move=playing.wait(lambda update: update["legal"])["legal"][0])
        playing.wait(lambda update: update["legal"] or "abort" not in update)
    assert leave(playing.room) == (200, {"phase": "over"})
    row = games(anna)[0]
    assert (row["outcome"], row["reason"]) == ("lost", "resignation")
    assert row["why"] == {"en": "Resignation", "ru": "Сдача"}


def test_sums(server: Server) -> None:
    first, second = seat_two(server, game="madness")
    anna = first.guest
    resign(first, second)
    second.do("offer", what="rematch")
    first.wait(lambda update: update["offers"])
    first.do("answer", what="rematch", yes=True)
    room = second.wait(lambda update: update["next"])["next"]
    again = anna.sit(room), second.guest.sit(room)
    for seat in again:
        seat.ready()
    again[1].wait(lambda update: update["phase"] == "playing")
    resign(again[1], again[0])
    resign(against_bot(anna, "level:2", game="duel", deck="pack"))
    called_off = against_bot(anna, "level:2")
    called_off.do("abort")
    assert games(anna)[0]["outcome"] == "aborted"
    alone = anna.sit(anna.make(game="madness", opponent="self")["room"])
    alone.ready()
    alone.wait(lambda update: update["phase"] == "playing", 0)
    alone.do("resign", party=0)
    found = anna.ask("GET", "/api/me/statistics")
    brief = {
        part: [[row[name] for name in names] for row in found[part]]
        for part, names in {
            "games": ("game", "games", "won", "lost", "drawn"),
            "editions": ("game", "edition", "games"),
            "opponents": ("bot", "name", "games", "won"),
            "decks": ("deck", "games", "lost"),
            "alone": ("game", "games", "won", "lost"),
        }.items()
    }
    assert brief == {
        "games": [["madness", 2, 1, 1, 0], ["duel", 1, 0, 1, 0]],
        "editions": [["madness", "standard", 2]],
        "opponents": [[None, "Boris", 2, 1], ["level:2", None, 1, 0]],
        "decks": [["pack", 1, 1]],
        "alone": [["madness", 1, 0, 0]],
    }
    assert found["games"][0]["turns"] == 1 and found["games"][0]["seconds"] >= 0
    only = anna.ask("GET", "/api/me/statistics?game=duel")
    assert [row["game"] for row in only["games"]] == ["duel"] and not only["alone"]


def test_who_is_gone_has_no_name_in_sums(server: Server) -> None:
    first, second = seat_two(server, game="madness")
    resign(first, second)
    second.guest.ask("DELETE", "/api/me")
    (row,) = first.guest.ask("GET", "/api/me/statistics")["opponents"]
    assert (row["bot"], row["name"], row["lost"]) == (None, None, 1)
    assert games(first.guest)[0]["other"] == "—"


# ---------------------------------------------------------------- names


def test_a_name_that_was_made_up_is_nobody_elses(server: Server) -> None:
    name = f"Brisk Otter {os.urandom(3).hex()}"
    given = set()
    for _ in range(5):
        guest = Guest(server, name, "none")
        guest.token = ""
        given.add(guest.ask("POST", "/api/guest", {"name": name, "made_up": True})["name"])
    assert name in given and len(given) == 5
    assert server.guest(name).ask("GET", "/api/me")["name"] == name  # who chooses it has it
