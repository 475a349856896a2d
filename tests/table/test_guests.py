"""Who somebody is at a real server: names, cookies that get old, other devices, bots, leaving for good."""

import json
import sqlite3
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from coyote.fairness import check_fair
from coyote.table.identity import LETTERS, clean_name, code_digest, is_bots, new_code, sign, unsign
from table.kit_table import PATIENCE, Guest, Seat, Server, seat_two, sqlite_in

DAY = 24 * 3600 * 1000


class Place:
    """A server and its file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "table.sqlite3"
        self.server = Server(sqlite_in(folder))

    def rows(self, query: str, *values: Any) -> list[Any]:
        with sqlite3.connect(self.path, timeout=PATIENCE) as database:
            return database.execute(query, values).fetchall()

    @property
    def key(self) -> bytes:
        return bytes.fromhex(self.rows("SELECT value FROM settings WHERE name = 'signing_key'")[0][0])

    def id_of(self, guest: Guest) -> str:
        shown = unsign(guest.cookie.partition("=")[2], self.key)
        assert shown
        return shown.id


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    found = Place(tmp_path_factory.mktemp("guests"))
    with found.server:
        yield found


def with_cookie(server: Server, value: str) -> Guest:
    """Another browser, with a cookie that somebody gave it."""
    guest = Guest(server, "", token="none")
    guest.token, guest.cookie = "", f"coyote_guest={value}"
    return guest


def code_of(answer: Any) -> str:
    return str(answer["code"])


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name", ["\u3164", "\u115f\u1160", "\u2800", "\uffa0", "\u200b\u2060", "\u0301", "\u3164 \u2800"]
)
def test_a_name_that_shows_nothing_is_none(name: str) -> None:
    assert clean_name(name) == ""


@pytest.mark.parametrize("name", ["Anna", "Анна", "李", "O'Neil", "🦊", "J. B. 3", "é", "e\u0301"])
def test_a_name_that_can_be_seen_stays(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    "name", ["level:5", "greedy", "GREEDY", "search:1000", "Old Coyote", "Койот", "жадина", "Greedy"]
)
def test_bots_names_are_bots(name: str) -> None:
    assert is_bots(name)


def test_names_are_refused_with_a_reason(place: Place) -> None:
    anna = place.server.guest("Anna")
    status, answer = anna.try_to("POST", "/api/guest", {"name": "\u3164\u3164"})
    assert (status, code_of(answer)) == (422, "room.name")
    for name in ("level:5", "Койот", "Lev\u3164el:5"):
        status, answer = anna.try_to("POST", "/api/guest", {"name": name})
        assert (status, code_of(answer)) == (422, "room.bot_name"), name
    assert anna.ask("GET", "/api/me")["name"] == "Anna"
    status, answer = anna.try_to("POST", "/api/tokens", {"name": "greedy"})
    assert code_of(answer) == "room.bot_name"


# ---------------------------------------------------------------- cookies and tokens


def test_cookies_of_the_first_version_still_count_and_are_given_anew(place: Place) -> None:
    anna = place.server.guest("Anna")
    id = place.id_of(anna)
    import hmac  # as the first version did it

    mark = hmac.digest(place.key, f"guest {id}".encode(), "sha256").hex()[:40]
    old = with_cookie(place.server, f"{id}.{mark}")
    assert old.ask("GET", "/api/me")["name"] == "Anna"
    assert old.cookie.count(".") == 2  # id, time, mark
    assert place.id_of(old) == id


def test_a_cookie_gets_old(place: Place) -> None:
    anna = place.server.guest("Anna")
    id, now = place.id_of(anna), time.time_ns() // 1_000_000
    for days, status, renewed in ((1, 200, False), (31, 200, True), (364, 200, True), (366, 401, False)):
        given = sign(id, now - days * DAY, place.key)
        browser = with_cookie(place.server, given)
        assert browser.try_to("GET", "/api/me")[0] == status, days
        assert (browser.cookie != f"coyote_guest={given}") == renewed, days


def test_a_token_that_gets_old_is_told_anew(place: Place) -> None:
    anna = place.server.guest("Anna")
    token = anna.ask("POST", "/api/tokens", {"name": "Robot"})["token"]
    shown = unsign(token, place.key)
    assert shown
    old = sign(shown.id, shown.given - 40 * DAY, place.key)
    robot = Guest(place.server, "Robot", token=old)
    me = robot.ask("GET", "/api/me")
    assert me["bot"] and unsign(me["token"], place.key)
    robot.token = me["token"]
    assert robot.ask("GET", "/api/me")["token"] is None


def test_marks_cannot_be_moved_to_another_time_or_guest(place: Place) -> None:
    anna = place.server.guest("Anna")
    id, given, mark = anna.cookie.partition("=")[2].split(".")
    for forged in (
        f"{id}.{int(given) + 1}.{mark}",
        f"{id}.{mark}",
        f"x{id}.{given}.{mark}",
        f"{id}..{mark}",
        "...",
        "é.1.2",
    ):
        assert with_cookie(place.server, forged).try_to("GET", "/api/me")[0] == 401, forged


def test_signing_out_everywhere_leaves_this_browser_in(place: Place) -> None:
    anna = place.server.guest("Anna")
    other = with_cookie(place.server, anna.cookie.partition("=")[2])
    room = anna.make(game="madness", opponent="self")["room"]
    seat = other.sit(room)
    time.sleep(0.01)
    assert anna.ask("POST", "/api/me/sign-out-everywhere")["name"] == "Anna"
    assert other.try_to("GET", "/api/me")[0] == 401
    assert anna.ask("GET", "/api/me")["name"] == "Anna"
    with pytest.raises(Exception, match="1012"):
        while True:
            seat.receive()
    again = other.sit(room)
    assert again.welcome["parties"] == []  # it only looks on
    again.close()
    seat.close()


def test_a_guest_is_seen_once_a_day(place: Place) -> None:
    anna = place.server.guest("Anna")
    id = place.id_of(anna)
    made, seen = place.rows("SELECT made_at, seen_at FROM guests WHERE id = ?", id)[0]
    assert made == seen
    place.rows("UPDATE guests SET seen_at = 7 WHERE id = ? RETURNING id", id)
    until = time.monotonic() + PATIENCE
    while place.rows("SELECT seen_at FROM guests WHERE id = ?", id)[0][0] == 7:
        assert time.monotonic() < until
        anna.ask("GET", "/api/me")  # the store is asked again after some seconds
        time.sleep(0.5)
    assert place.rows("SELECT seen_at FROM guests WHERE id = ?", id)[0][0] > made


def test_a_ban_counts_at_once_for_a_new_process_and_soon_for_this_one(place: Place) -> None:
    anna = place.server.guest("Anna")
    robot = Guest(place.server, "Robot", token=anna.ask("POST", "/api/tokens", {"name": "Robot"})["token"])
    seat = anna.sit(anna.make(game="madness", opponent="self")["room"])
    place.rows("UPDATE guests SET banned = 1 WHERE id = ? OR owner = ?", place.id_of(anna), place.id_of(anna))
    with pytest.raises(Exception, match="1012"):  # within some ten seconds
        while True:
            seat.receive()
    for guest in (anna, robot):
        status, answer = guest.try_to("GET", "/api/me")
        assert (status, code_of(answer)) == (403, "room.banned")
    assert anna.try_to("POST", "/api/guest", {"name": "Another"})[0] == 403


# ---------------------------------------------------------------- another device


def test_a_code_is_kind_to_type() -> None:
    codes = {new_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert all(len(code) == 10 and set(code) <= set(LETTERS) for code in codes)
    assert not set("01IO") & set(LETTERS) and len(LETTERS) == 32  # 50 bits
    assert code_digest(" abcde-fghjk ") == code_digest("ABCDEFGHJK")


def test_a_guest_comes_to_another_device(place: Place) -> None:
    anna = place.server.guest("Anna")
    room = anna.make(game="madness", opponent="open")["room"]
    given = anna.ask("POST", "/api/me/codes")
    phone = place.server.guest("Somebody")
    assert phone.ask("POST", "/api/guest/take", {"code": given["code"].lower()}) == {
        "name": "Anna", "bot": False, "token": None,
    }  # fmt: skip
    assert [one["room"] for one in phone.ask("GET", "/api/mine")] == [room]
    assert place.id_of(phone) == place.id_of(anna)
    status, answer = place.server.guest("Late").try_to("POST", "/api/guest/take", {"code": given["code"]})
    assert (status, code_of(answer)) == (403, "room.code")
    assert given["code"] not in str(place.rows("SELECT * FROM transfers"))


def test_of_many_who_take_a_code_at_once_one_gets_it(place: Place) -> None:
    code = place.server.guest("Anna").ask("POST", "/api/me/codes")["code"]
    browsers = [place.server.guest("Somebody") for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda one: one.try_to("POST", "/api/guest/take", {"code": code})[0], browsers))
    assert sorted(found) == [200] + [403] * 7


def test_codes_end_and_are_few(place: Place) -> None:
    anna = place.server.guest("Anna")
    codes = [anna.ask("POST", "/api/me/codes")["code"] for _ in range(5)]
    kept = {row[0] for row in place.rows("SELECT digest FROM transfers WHERE guest = ?", place.id_of(anna))}
    assert kept == {code_digest(code) for code in codes[2:]}
    place.rows("UPDATE transfers SET until = 1 WHERE digest = ?", code_digest(codes[4]))
    assert place.server.guest("Late").try_to("POST", "/api/guest/take", {"code": codes[4]})[0] == 403
    assert anna.ask("GET", "/api/me")["name"] == "Anna"


def test_guessing_codes_is_slowed_down(tmp_path: Path) -> None:
    with Server(sqlite_in(tmp_path), "--limit", "codes_per_minute=3") as server:
        browser = server.guest("Guesser")
        found = [browser.try_to("POST", "/api/guest/take", {"code": new_code()})[0] for _ in range(6)]
    assert found[:3] == [403] * 3 and found[-1] == 429


# ---------------------------------------------------------------- bots


def test_tokens_are_listed_and_revoked(place: Place) -> None:
    anna, boris = place.server.guest("Anna"), place.server.guest("Boris")
    token = anna.ask("POST", "/api/tokens", {"name": "Robot"})["token"]
    anna.ask("POST", "/api/tokens", {"name": "Other"})
    robot = Guest(place.server, "Robot", token=token)
    assert robot.ask("GET", "/api/me")["bot"]
    listed = anna.ask("GET", "/api/tokens")
    assert [one["name"] for one in listed] == ["Robot", "Other"]
    assert not any(one["id"] in token for one in listed)
    path = f"/api/tokens/{listed[0]['id']}"
    assert boris.try_to("DELETE", path)[0] == 404
    assert robot.try_to("DELETE", path)[0] == 403 and robot.try_to("GET", "/api/tokens")[0] == 403
    anna.ask("DELETE", path)
    assert robot.try_to("GET", "/api/me")[0] == 401
    assert [one["name"] for one in anna.ask("GET", "/api/tokens")] == ["Other"]
    assert anna.try_to("DELETE", path)[0] == 404


# ---------------------------------------------------------------- what is kept


def test_an_export_has_what_is_ones_own_and_nothing_of_the_other(place: Place) -> None:
    first, second = seat_two(place.server, game="madness", opponent="link")
    mover, waits = (first, second) if first.seat in first.state["actors"] else (second, first)
    mover.do("move", move=mover.state["legal"][0])
    (secret,) = [json.loads(row[0])["secret"] for row in made_of(place, first.room)]
    told = waits.guest.ask("GET", "/api/me/export")
    text = json.dumps(told)
    (room,) = told["rooms"]
    assert told["name"] == waits.guest.name and room["phase"] == "playing"
    assert secret not in text and place.id_of(mover.guest) not in text and "seed" not in text
    assert [one["kind"] for one in room["inputs"]] in (["make", "ready"], ["join", "ready"])
    theirs = mover.guest.ask("GET", "/api/me/export")["rooms"][0]["inputs"]
    assert [one["kind"] for one in theirs][1:] == ["ready", "move"]
    nonces = [one["nonce"] for one in (*theirs, *room["inputs"]) if one["kind"] == "ready"]
    assert nonces[0] not in text
    for seat in (first, second):
        seat.close()


def made_of(place: Place, room: str) -> list[Any]:
    return place.rows("SELECT body FROM inputs WHERE room = ? AND number = 0", room)


def finish(first: Seat, second: Seat) -> None:
    first.do("resign")
    for seat in (first, second):
        seat.wait(lambda update: update["phase"] == "over")
        seat.close()


def record_of(server: Server, room: str) -> Any:
    with urllib.request.urlopen(f"http://{server.host}/api/rooms/{room}/record", timeout=PATIENCE) as answer:
        return json.loads(answer.read())


@pytest.mark.parametrize("leaves", [0, 1])
def test_who_leaves_for_good_is_nobody_in_finished_games(place: Place, leaves: int) -> None:
    seats = seat_two(place.server, game="madness", opponent="link")
    guest, stays = seats[leaves].guest, seats[1 - leaves].guest
    guest.ask("POST", "/api/guest", {"name": f"Gone-{leaves}"})
    renamed = seat_two_again(place.server, guest, stays)
    guest.ask("POST", "/api/tokens", {"name": "Robot"})
    id, room = place.id_of(guest), renamed[0].room
    seat_of_gone = renamed[0].seat
    status, answer = guest.try_to("DELETE", "/api/me")
    assert (status, code_of(answer)) == (409, "room.unfinished") and "2" in answer["text"]
    finish(*seats)
    finish(*renamed)
    before = record_of(place.server, room)
    assert guest.ask("DELETE", "/api/me") == {"rooms": 2}
    assert guest.try_to("GET", "/api/me")[0] == 401

    record = record_of(place.server, room)
    assert record["players"][seat_of_gone] == "—" and record["players"][1 - seat_of_gone] == stays.name
    assert {**before, "players": 0} == {**record, "players": 0}
    check_fair(record)
    replay = stays.ask("GET", f"/api/rooms/{room}/replay?viewer=open&lang=en")
    assert "—" in replay["names"]
    names = next(one["names"] for one in stays.ask("GET", "/api/mine") if one["room"] == room)
    assert sorted(names) == sorted(["—", stays.name])
    left = [str(row) for table in ("guests", "players", "inputs", "records", "rooms", "transfers")
            for row in place.rows(f"SELECT * FROM {table}")]  # fmt: skip
    assert not [row for row in left if id in row or f"Gone-{leaves}" in row]


def seat_two_again(server: Server, host: Guest, other: Guest) -> tuple[Seat, Seat]:
    made = host.make(game="madness", opponent="link")
    other.join(made)
    seats = host.sit(made["room"]), other.sit(made["room"])
    for seat in seats:
        seat.ready()
    for seat in seats:
        seat.wait(lambda update: update["phase"] == "playing")
    return seats
