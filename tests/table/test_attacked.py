"""What was done to the table over HTTP, done again in other words: bodies, headers, card sets, numbers.

Each test is an attack by a guest with an address of their own on a server whose limits are the usual
ones, where no line says otherwise. The letters are those of the list that the attacks were found by.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from coyote.table.limits import Limits
from table.kit_attack import (
    CORE,
    PLAIN,
    Visitor,
    card,
    deal,
    fair_time,
    memory,
    rigged,
    set_of,
    status_of,
    unharmed,
    wait_prepared,
    work,
)
from table.kit_table import Server, sqlite_in

OPEN: dict[str, str] = {}


def attack(test: Callable[..., None]) -> Callable[..., None]:
    """One that is still open is expected to succeed, and no test may forget that it was closed."""
    why = OPEN.get(test.__name__)
    return pytest.mark.xfail(strict=True, reason=why)(test) if why else test


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("attacked")), *PLAIN) as running:
        wait_prepared(running)
        yield running
        logged = running.stop()
    assert running.process.returncode == 0
    assert '"level": "error"' not in logged, logged[-3000:]


def make(guest: Visitor, **terms: Any) -> tuple[int, Any]:
    return guest.try_to("POST", "/api/rooms", {"game": "duel", "opponent": "self", **terms})


# ---------------------------------------------------------------- A1: whose cards they are

CALLED_CORE = (
    "core",
    "Core",
    "CORE",
    " core",
    "core ",
    "ｃｏｒｅ",
    "co\u200bre",
    "core\u3164",
    "co\u0301re",
    "сorе",
)
READS_CORE = CALLED_CORE[:5]


@attack
def test_a1_nobody_takes_other_cards_for_the_core_set(server: Server) -> None:
    for name in CALLED_CORE:
        eve = Visitor(server)
        status, made = make(eve, opponent="open", set=rigged(name))
        if status != 201:
            assert status == 422 and made["code"] == "room.set", made
            continue
        assert name not in READS_CORE, name
        room = eve.ask("GET", f"/api/rooms/{made['room']}")
        listed = [row for row in eve.ask("GET", "/api/waiting") if row["room"] == made["room"]]
        for shown in (room["welcome"]["set"], *(row["set"] for row in listed)):
            assert shown["core"] is False and re.fullmatch("[0-9a-f]{32}", shown["digest"])


@attack
def test_a1_a_room_tells_its_own_cards(server: Server) -> None:
    eve = Visitor(server)
    own = eve.make(game="duel", opponent="open", set=rigged("Bright Days"))
    core = eve.make(game="duel", opponent="open", set=CORE)
    plain = eve.make(game="duel", opponent="open")
    shown = [eve.ask("GET", f"/api/rooms/{made['room']}")["welcome"]["set"] for made in (own, core, plain)]
    assert [one["core"] for one in shown] == [False, True, True]
    assert shown[0]["digest"] != shown[1]["digest"] == shown[2]["digest"]
    assert shown[0]["name"] == "Bright Days"
    for made, text in ((own, "Attack 999."), (plain, "Attack 12.")):
        cards = {one["id"]: one for one in eve.ask("GET", f"/api/rooms/{made['room']}/cards")["cards"]}
        assert cards["ember"]["text"]["en"] == text
    madness = eve.make(game="madness", opponent="open")
    assert eve.ask("GET", f"/api/rooms/{madness['room']}")["welcome"]["set"] is None


# ---------------------------------------------------------------- A2: how long a request is

CHUNK = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
ENCODINGS = (
    "Transfer-Encoding: CHUNKED",
    "transfer-encoding: cHuNkEd",
    "Transfer-Encoding:\tchunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding:\r\n chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 5",
    "Content-Length: 5\r\nTransfer-Encoding: Chunked",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding : chunked",
    "TE: chunked\r\nTransfer-Encoding: chunked;q=1",
)


def head(server: Server, *lines: str, path: str = "/api/guest", version: str = "HTTP/1.1") -> bytes:
    first = [f"POST {path} {version}", f"Host: {server.host}", "Content-Type: application/json"]
    return "\r\n".join([*first, *lines, "", ""]).encode()


@attack
def test_a2_no_body_grows_without_bound(server: Server) -> None:
    for version, line in product(("HTTP/1.1", "HTTP/1.0"), ENCODINGS):
        before = memory(server)
        with Visitor(server, cookie=False).line() as endless:
            endless.send(head(server, line, version=version))
            for _ in range(1200):  # 40 MB
                if not endless.send(CHUNK):
                    break
            grown = memory(server) - before
            answer = endless.rest(5)
        assert 400 <= status_of(answer) < 500 or not answer, (line, answer)
        assert answer.count(b"HTTP/1.") <= 1, (line, answer)
        assert grown < 20, (line, grown)


LENGTHS = (
    "Content-Length: 5\r\nContent-Length: 40",
    "Content-Length: 5, 40",
    "Content-Length: +5",
    "Content-Length: -5",
    "Content-Length: 0x10",
    "Content-Length: 5 5",
    "Content-Length: ٥",
    "Content-Length: 1e3",
    "Content-Length:",
    "Content-Length: " + "9" * 5000,
    "Content-Length: 18446744073709551621",
    "Content-Length: 99999999",
)


@attack
def test_a2_lengths_that_are_none(server: Server) -> None:
    """And nothing behind them is taken for another request."""
    hidden = b"GET /healthz HTTP/1.1\r\nHost: " + server.host.encode() + b"\r\n\r\n"
    for line in LENGTHS:
        answer = Visitor(server, cookie=False).bytes_of(head(server, line) + hidden, 4)
        assert 400 <= status_of(answer) < 500 or not answer, (line, answer)
        assert b'"ok"' not in answer, (line, answer)


@attack
def test_a2_a_small_question_has_a_small_body(server: Server) -> None:
    """Only what may bring a card set may be long."""
    eve = Visitor(server)
    long = b'{"name": "' + b"x" * 190_000 + b'"}'
    assert eve.try_to("POST", "/api/guest", long)[0] == 413
    assert eve.try_to("POST", "/api/decks/check", {"cards": ["ember"] * 20_000})[0] in (413, 422)


@attack
def test_a2_heads_of_any_kind_get_an_answer_or_an_end(server: Server) -> None:
    host = server.host.encode()
    heads = {
        "many": b"GET / HTTP/1.1\r\nHost: "
        + host
        + b"\r\n"
        + b"".join(b"X-%d: y\r\n" % n for n in range(20_000)),
        "long": b"GET / HTTP/1.1\r\nHost: " + host + b"\r\nX: " + b"y" * 3_000_000,
        "path": b"GET /" + b"a" * 3_000_000 + b" HTTP/1.1\r\n",
        "cookie": b"GET /api/me HTTP/1.1\r\nHost: " + host + b"\r\nCookie: " + b"a=b; " * 12_000,
        "cookies": b"GET /api/me HTTP/1.1\r\nHost: " + host + b"\r\n" + b"Cookie: coyote_guest=x.y\r\n" * 500,
        "hosts": b"GET /api/me HTTP/1.1\r\nHost: " + host + b"\r\nHost: evil.example\r\n",
        "no host": b"GET /api/me HTTP/1.1\r\n",
        "absolute": b"GET http://evil.example/api/me HTTP/1.1\r\nHost: " + host + b"\r\n",
        "folded": b"GET /api/me HTTP/1.1\r\nHost:\r\n " + host + b"\r\n",
        "nul": b"GET /api/rooms/\x00 HTTP/1.1\r\nHost: " + host + b"\r\n",
        "bytes": b"GET /\xff\xfe HTTP/1.1\r\nHost: "
        + host
        + b"\r\nCookie: \xff\xff\r\nAuthorization: Bearer \xff\r\n",
        "old": b"GET /",
        "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 200,
        "http2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n",
        "connect": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: " + host + b"\r\n",
        "newlines": b"\r\n" * 100_000,
        "method": b"\x7f" * 100_000,
    }
    with unharmed(server):
        for name, start in heads.items():
            answer = Visitor(server, cookie=False).bytes_of(start + b"\r\n\r\n", 3)
            assert status_of(answer) < 500, (name, answer[:200])
            assert name != "hosts" or status_of(answer) >= 400, "two hosts are none"


@attack
def test_a2_answers_that_nobody_reads(server: Server) -> None:
    """Requests one behind the other, and nothing is read."""
    eve = Visitor(server)
    lines = f"GET /api/cards HTTP/1.1\r\nHost: {server.host}\r\nCookie: {eve.cookie}\r\n\r\n".encode()
    with unharmed(server, megabytes=25):
        greedy = [eve.line() for _ in range(10)]
        for line in greedy:
            line.push(lines * 50, 0.6)
        for line in greedy:
            line.socket.close()


# ---------------------------------------------------------------- A3, A4, B1: what a set may be


def dotted(n: int, key: str = "a", dot: str = ".") -> str:
    return dot.join([key] * n)


def costly_sets(size: int) -> dict[str, str]:
    """Texts of about so many letters that take a reader of TOML much more than that."""
    n = size // 2
    good = card("one", "Attack 1.")
    return {
        "dotted key": f"{dotted(n)} = 1",
        "spaced": f"{dotted(n // 2, dot=' . ')} = 1",
        "quoted": dotted(n // 2, '"a"') + " = 1",
        "literal": dotted(n // 2, "'a'") + " = 1",
        "header": f"[{dotted(n)}]\nb = 1",
        "array header": f"[[{dotted(n)}]]\nb = 1",
        "in a card": f"[[card]]\n{dotted(n)} = 1\n{good}",
        "inline": "a = " + "{a = " * (n // 3) + "1" + "}" * (n // 3),
        "inline dots": f"a = {{ {dotted(n)} = 1 }}",
        "many short": "\n".join(f"{dotted(12, f'k{k}')} = 1" for k in range(size // 60)),
        "many tables": "\n".join(f"[a.b.c.k{k}]" for k in range(size // 12)),
        "arrays": "a = " + "[" * n + "]" * n,
        "numbers": "a = " + "9" * size,
        "floats": "a = [" + "1e999," * (size // 7) + "]",
        "comments": "#\n" * n,
        "strings": 'a = """' + "\\\n" * n + '"""',
        "open string": 'a = "' + "x" * size,
        "quotes": "a = " + "'''" * (size // 3),
        "escapes": 'a = "' + "\\u0041" * (size // 6) + '"',
        "broken cards": "[[card]]\nid = 3 3\n" * (size // 18),
        "empty cards": "[[card]]\n" * (size // 9),
        "crlf": "[[card]]\r\n" * (size // 10),
        "lone cr": "[[card]]\r" * (size // 9),
        "unknown keys": "\n".join(f"naem{k} = 1" for k in range(size // 12)),
        "bom": "\ufeff" * (size // 2),
        "nul": "\0" * size,
    }


@attack
def test_a3_texts_that_are_dear_to_read(server: Server) -> None:
    """At the size that is let in and above it: refused, soon, and with no memory to speak of."""
    with unharmed(server, megabytes=80) as other:
        for size in (59_000, 190_000):
            for name, text in costly_sets(size).items():
                before, eve = work(server), Visitor(server)
                status, answer = make(eve, set=text)
                assert status in (413, 422), (name, size, status)
                assert len(json.dumps(answer)) < 100_000, (name, size)
                assert work(server) - before < 2, (name, size, work(server) - before)
        assert not other.faults


@attack
def test_a4_sets_have_bounds_and_say_which(server: Server) -> None:
    beyond = {
        "effects": set_of("draw 99 cards, " * 200 + "heal 1.", cards=10),
        "effects by many": set_of("heal 0, " * 60 + "heal 0.", cards=100),
        "text": set_of("Attack 1." + " " * 5000),
        "ids": CORE.replace('id = "ember"', f'id = "{"e" * 5000}"', 1),
        "names": CORE.replace('en = "Ember"', f'en = "{"E" * 5000}"', 1),
        "cards": set_of("Attack 1.", cards=3000),
        "name of the set": set_of("Attack 1.", name="N" * 5000),
    }
    for name, text in beyond.items():
        status, answer = make(Visitor(server), set=text)
        assert status in (413, 422), name
        assert answer["code"] in ("room.set", "room.too_long", "room.set_large") and answer["text"], name
        assert answer["code"] != "room.set_large" or len(text) > 60_000, name
        assert len(json.dumps(answer)) < 60_000, name


WORST = (
    "Draw 99 cards, draw 99 cards, draw 99 cards, draw 99 cards.",
    "If attacked: draw 99 cards. If not attacked: draw 99 cards.",
    "For 99 turns: draw 99 cards. Opponent: draw 99 cards.",
    "For 9 turns: draw 9 cards, discard 9 cards.",
    "Attack 999, block all, heal 999. Opponent: heal 999.",
)


@attack
def test_a4_the_worst_sets_are_played_without_anybody_noticing(server: Server) -> None:
    """Whatever is let in is dealt, played, looked at and loaded at a bounded price."""
    played = 0
    with unharmed(server, megabytes=120):
        for text in WORST:
            eve = Visitor(server)
            status, made = make(eve, set=set_of(text, cards=40), deck="random", their_deck="random")
            if status != 201:
                assert status == 422, made
                continue
            seat = eve.sit(made["room"])
            deal(seat)
            for _ in range(6):
                if seat.updates[1]["phase"] != "playing":
                    break
                for party in (0, 1):
                    plays = seat.updates[party]["legal"]
                    before = work(server)
                    seat.do("move", party=party, move=plays[-1])
                    assert work(server) - before < 1, (text, work(server) - before)
                seat.catch_up()
            _, seen = eve.try_to("GET", f"/api/rooms/{made['room']}")
            assert len(json.dumps(seen)) < 400_000, text
            assert max(map(len, seat.raw)) < 300_000, text
            seat.close()
            played += 1
    assert played, "some set with these texts is legal"


@attack
def test_b1_whatever_room_is_made_can_be_dealt(server: Server) -> None:
    """The largest sets, by cards and by effects: made and played, or refused with a reason."""
    for cards, effects in ((2000, 1), (2000, 16), (700, 16), (300, 8), (1, 16)):
        text = set_of(", ".join(["heal 0"] * effects) + ".", cards=cards)
        eve = Visitor(server)
        status, made = make(eve, set=text, deck="random", their_deck="random")
        if status == 201:
            seat = eve.sit(made["room"])
            deal(seat)
            seat.do("move", party=0, move=seat.updates[0]["legal"][-1])
            seat.close()
        else:
            assert status in (413, 422), made


@attack
def test_b1_nobodys_clock_stands_because_of_a_set(server: Server) -> None:
    anna, boris = Visitor(server, "Anna"), Visitor(server, "Boris")
    made = anna.make(game="madness", begins="host", clock={"minutes": 5})
    boris.join(made)
    seats = anna.sit(made["room"]), boris.sit(made["room"])
    for seat in seats:
        seat.ready()
    seats[0].wait(lambda update: update["phase"] == "playing")
    start, full = time.monotonic(), seats[0].state["clocks"][0]
    fair = fair_time(server)
    eve = Visitor(server)
    for text in (set_of(", ".join(["heal 0"] * 16) + ".", cards=2000), CORE, "x = 1"):
        status, other = make(eve, set=text)
        if status == 201:
            deal(eve.sit(other["room"]))
    time.sleep(2)
    least = 1000 * (fair_time(server) - fair)
    left = anna.ask("GET", f"/api/rooms/{made['room']}")["update"]["clocks"]
    passed = 1000 * (time.monotonic() - start)
    assert 0.5 * least < full - left[0] < 1.5 * passed + 500
    assert left[1] <= 300_000
    for seat in seats:
        seat.close()


@attack
def test_b7_sets_do_not_stay_in_memory(server: Server) -> None:
    with unharmed(server, megabytes=40):
        for n in range(24):
            eve = Visitor(server)
            text = set_of("Attack 1, draw a card.", name=f"Set {n}", cards=400)
            status, _ = make(eve, set=text, deck="no-such-deck" if n % 2 else "random", their_deck="random")
            assert status in (201, 413, 422, 429)


# ---------------------------------------------------------------- B4: what anybody may know


@attack
def test_b4_nothing_public_tells_that_a_choice_was_sealed(server: Server) -> None:
    anna, boris, eve = (Visitor(server, name) for name in ("Anna", "Boris", "Eve"))
    made = anna.make(game="duel", opponent="open")
    boris.join(made)
    seats = anna.sit(made["room"]), boris.sit(made["room"])
    for seat in seats:
        seat.ready()
    seats[0].wait(lambda update: update["phase"] == "playing")
    public = ("/healthz", "/api/waiting", f"/api/rooms/{made['room']}", "/api/games")
    before = [eve.try_to("GET", path)[1] for path in public]
    seats[0].do("move", move="hold")
    assert [eve.try_to("GET", path)[1] for path in public] == before
    for seat in seats:
        seat.close()


@attack
def test_b4_metrics_are_not_for_everybody(server: Server) -> None:
    eve = Visitor(server)
    ways = (
        "/metrics",
        "/metrics/",
        "//metrics",
        "/%6detrics",
        "/metrics?x=1",
        "/./metrics",
        "/METRICS",
        "/api/metrics",
    )
    for path, method in product(ways, ("GET", "HEAD", "POST")):
        for headers in (
            {},
            {"Authorization": "Bearer "},
            {"Authorization": "Bearer x"},
            {"Authorization": "Basic x"},
        ):
            status, answer = eve.try_to(method, path, **headers)
            assert status != 200 and "coyote_" not in str(answer), (method, path, headers)
            if status == 429:
                eve = Visitor(server)


# ---------------------------------------------------------------- B7: limits that limit


@attack
def test_b7_a_deck_check_is_cheap_or_refused(server: Server) -> None:
    """Ids that nothing is like, that everything is like, long ones; codes of nonsense; hands, too."""
    eve = Visitor(server)
    asked: list[Any] = [
        {"cards": [f"zzzz-{n}-qqqq" for n in range(200)]},
        {"cards": [f"embe{n}" for n in range(200)]},
        {"cards": ["e" * 400] * 200},
        {"code": "A" * 390},
        {"cards": ["ember"] * 200},
    ]
    before, n = work(server), 0
    for body, path in product(asked, ("/api/decks/check", "/api/decks/hand")):
        for _ in range(3):
            status, _ = eve.try_to("POST", path, body)
            assert status < 500, body
            n += 1
    assert work(server) - before < 0.03 * n + 0.5, f"{(work(server) - before) / n:.3f} s each"


@attack
def test_b7_checks_of_decks_have_a_rate(server: Server) -> None:
    eve = Visitor(server)
    body = {"cards": [f"zzzz-{n}-qqqq" for n in range(20)]}
    with ThreadPoolExecutor(4) as many, unharmed(server):
        found = list(many.map(lambda _: eve.try_to("POST", "/api/decks/check", body)[0], range(200)))
    assert found.count(429) > 30 and max(found) < 500


@attack
def test_b7_a_refusal_says_when_to_come_again(server: Server) -> None:
    eve = Visitor(server)
    for _ in range(60):
        status, answer = eve.try_to("POST", "/api/guest", {"name": "Eve"})
        if status == 429:
            break
    assert status == 429 and answer["text"]
    assert eve.retry_after and 0 < int(eve.retry_after) <= 60


@attack
def test_b7_hints_of_one_guest_do_not_hold_up_the_bots_of_another(server: Server) -> None:
    eve, anna = Visitor(server), Visitor(server, "Anna")
    seats = [bot_game(eve, "level:1") for _ in range(3)]
    own = bot_game(anna, "level:1")
    with ThreadPoolExecutor(24) as many:
        asked = [
            many.submit(eve.try_to, "POST", f"/api/rooms/{seats[n % 3].room}/hint", {}) for n in range(24)
        ]
        time.sleep(0.2)
        took = answer_time(own)
        statuses = [one.result()[0] for one in asked]
    assert took < 12, took
    assert set(statuses) <= {200, 409, 429} and 429 in statuses, statuses


@attack
def test_b7_many_strong_bots_of_one_guest_do_not_hold_up_the_weak_one_of_another(server: Server) -> None:
    eve, anna = Visitor(server), Visitor(server, "Anna")
    own = bot_game(anna, "level:1")
    made = [eve.make(game="madness", opponent="bot", bot="level:7", begins="other") for _ in range(12)]
    seats = [eve.sit(one["room"]) for one in made]
    for seat in seats:
        seat.send(type="ready", id="r", nonce="0" * 32)
    time.sleep(0.3)
    took = answer_time(own)
    for seat in seats:
        seat.close()
    assert took < 12, took


def bot_game(guest: Visitor, bot: str) -> Any:
    """A game against a bot, where the guest is to move."""
    seat = guest.sit(guest.make(game="madness", opponent="bot", bot=bot, begins="host")["room"])
    seat.ready()
    seat.wait(lambda update: bool(update["legal"]))
    return seat


def answer_time(seat: Any) -> float:
    """From the end of a person's turn to the bot's move."""
    seat.do("move", move="pass")
    seat.wait(lambda update: "draw" in update["legal"])
    start = fair_time(seat.guest.server, with_bots=True)
    seat.do("move", move="draw")
    turn = seat.state["view"]["turn"]
    seat.wait(lambda update: update["view"]["turn"] > turn or bool(update["legal"]))
    return fair_time(seat.guest.server, with_bots=True) - start


@attack
def test_b7_a_rematch_is_a_new_room_and_counts_as_one(server: Server) -> None:
    eve = Visitor(server)
    made, refused = eve.make(game="madness", opponent="self"), ""
    room = made["room"]
    for _ in range(60):
        seat = eve.sit(room)
        deal(seat)
        seat.do("resign", party=0)
        answer = seat.request("offer", what="rematch", party=0)
        seat.close()
        if answer["type"] == "error":
            refused = answer["code"]
            break
        status, found = eve.try_to("GET", f"/api/rooms/{room}")
        while status == 429:  # a look costs something, too
            time.sleep(1)
            status, found = eve.try_to("GET", f"/api/rooms/{room}")
        room = found["update"]["next"]
    assert refused in ("room.too_many_requests", "room.too_many_rooms", "room.too_fast"), refused


@attack
def test_b7_nobody_pushes_all_others_off_the_open_list(server: Server) -> None:
    anna = Visitor(server, "Anna")
    waiting = anna.make(game="madness", opponent="open")["room"]
    statuses = []
    for _ in range(5):  # the same person from several addresses
        eve = Visitor(server)
        statuses += [
            eve.try_to("POST", "/api/rooms", {"game": "madness", "opponent": "open"})[0] for _ in range(25)
        ]
    assert statuses.count(201) <= 50 and 429 in statuses
    assert waiting in [row["room"] for row in anna.ask("GET", "/api/waiting")]


# ---------------------------------------------------------------- B8: behind a proxy


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Server]:
    """The proxy is at 127.0.0.77; anybody else at 127.x is nobody."""
    with Server(sqlite_in(tmp_path), "--proxy", "127.0.0.77") as running:
        yield running


def through(server: Server, address: str, **headers: str) -> tuple[int, Visitor]:
    """Somebody behind the proxy takes a name."""
    passed = {"X-Forwarded-For": address, "X-Forwarded-Proto": "https", **headers}
    visitor = Visitor(server, address="127.0.0.77", cookie=False)
    return visitor.try_to("POST", "/api/guest", {"name": "Eve"}, **passed)[0], visitor


def let_in(server: Server, *addresses: str) -> int:
    """How many of 45 were let in, from these addresses in turn."""
    return sum(through(server, addresses[n % len(addresses)])[0] == 200 for n in range(45))


def at_once(server: Server, *addresses: str) -> float:
    """The same without those that are allowed again while time passes."""
    start = time.monotonic()
    return let_in(server, *addresses) - allowed_since(start)


def allowed_since(start: float) -> float:
    return (time.monotonic() - start) * Limits().makes_per_minute / 60


@attack
def test_b8_the_right_address_and_scheme(behind: Server) -> None:
    status, anna = through(behind, "203.0.113.5")
    assert status == 200 and "secure" in anna.given.lower()
    assert at_once(behind, "203.0.113.9") <= 31
    assert through(behind, "203.0.113.10")[0] == 200, "others are not counted together with them"
    spoofed = [f"198.51.100.{n}, 203.0.113.20" for n in range(45)]
    assert at_once(behind, *spoofed) <= 31, "what a client says of itself does not count"
    assert at_once(behind, *(f"2001:db8:1:2::{n:x}" for n in range(45))) <= 31, "a household has one /64"
    assert let_in(behind, *(f"2001:db8:2:{n:x}::1" for n in range(45))) == 45
    assert at_once(behind, "::ffff:203.0.113.30", "203.0.113.30", "203.0.113.30:4711") <= 32
    for nonsense in ("", "evil", ",", "1.2.3.4.5", "[::1", "\u0661.1.1.1", "x" * 5000, "unknown, , ,"):
        assert through(behind, nonsense.encode("ascii", "replace").decode())[0] < 500


@attack
def test_b8_only_the_proxy_is_believed(behind: Server) -> None:
    eve = Visitor(behind, cookie=False)
    start, statuses = time.monotonic(), []
    for n in range(45):
        passed = {
            "X-Forwarded-For": f"203.0.113.{n}",
            "X-Forwarded-Proto": "https",
            "Forwarded": f"for=203.0.113.{n}",
        }
        statuses.append(eve.try_to("POST", "/api/guest", {"name": "Eve"}, **passed)[0])
    assert statuses.count(200) - allowed_since(start) <= 31
    assert "secure" not in eve.given.lower()


# ---------------------------------------------------------------- D

ORIGINS = (
    "http://[",
    "http://]",
    "http://[::1",
    "null",
    "",
    "http://",
    "//",
    "http://a@",
    "http://\x7f",
    "https://[v1.x]",
    "http://evil.example\t",
    "http://127.0.0.1:99999999999",
    "http://127.0.0.1:x",
)


@attack
def test_d_origins_of_any_kind(server: Server) -> None:
    eve = Visitor(server)
    room = eve.make(game="madness", opponent="self")["room"]
    for origin in (*ORIGINS, f"https://{server.host}", f"http://{server.host}.evil.example"):
        raw = head(server, f"Origin: {origin}", "Content-Length: 2") + b"{}"
        assert status_of(eve.bytes_of(raw, 5)) in (400, 403), origin
        with eve.line() as line:
            path = f"GET /api/rooms/{room}/socket HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {origin}\r\n"
            line.send(
                f"{path}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
            )
            assert 400 <= status_of(line.rest(5)) < 500, origin


@attack
def test_d_deep_and_broken_json_is_called_malformed(server: Server) -> None:
    eve = Visitor(server)
    bodies = (
        b"[" * 50_000,
        b'{"a":' * 5000,
        b"{",
        b'{"name": NaN}',
        b'{"name": 1e999999}',
        b"\xff\xfe",
        b'"\\ud800"',
        b'{"name": ' + b"9" * 4999 + b"}",
        b'{"name":"a","name":"b"',
        b"null",
        b"[]",
        b"\x00",
        b"",
    )
    for path in ("/api/guest", "/api/rooms", "/api/tokens"):
        for body in bodies:
            status, answer = eve.try_to("POST", path, body)
            if status == 429:
                eve = Visitor(server)
                status, answer = eve.try_to("POST", path, body)
            assert status in (400, 413, 422) and answer["code"] in (
                "room.malformed",
                "room.too_long",
                "room.no_json",
            ), (
                path,
                body[:20],
            )


@attack
def test_d_names_that_show_nothing_or_a_bot(server: Server) -> None:
    for name in (
        "\u3164",
        "\u3164\u3164a"[:2],
        "\u2800",
        "\u115f",
        "\u200b",
        "\u202e",
        "\u00ad",
        " \u2003 ",
        "\ufe0f",
        "level:5",
        "LEVEL:5",
        " level:5 ",
        "greedy",
        "Greedy",
    ):
        eve = Visitor(server, cookie=False)
        status, answer = eve.try_to("POST", "/api/guest", {"name": name})
        assert status == 422 and answer["code"] in ("room.name", "room.bot_name"), (name, status, answer)


@attack
def test_d_only_what_a_page_needs_is_served(server: Server) -> None:
    eve = Visitor(server)
    for path in (
        "/jsconfig.json",
        "/web/jsconfig.json",
        "/static/jsconfig.json",
        "/files/jsconfig.json",
        "/wire.d.ts",
    ):
        assert eve.try_to("GET", path)[0] in (307, 404), path


@attack
def test_d_nothing_that_anybody_sends_is_the_servers_fault(server: Server) -> None:
    """Every way into the program with odd values."""
    odd = [
        "",
        "x",
        "-1",
        "99999999999999999999",
        "%00",
        "%ff",
        "..",
        "%2e%2e",
        "a" * 300,
        "%F0%9F%98%80",
        "None",
        "[]",
    ]
    ways = (
        "/api/rooms/{}",
        "/api/rooms/{}/record",
        "/api/rooms/{}/replay?viewer={}&lang={}",
        "/api/rooms/{}/cards",
        "/api/rules/{}?lang={}",
        "/api/lessons/{}",
        "/{}",
        "/api/{}",
        "/api/me?{}={}",
        "/replay/{}",
        "/room/{}",
    )
    eve = Visitor(server)
    for way, value in product(ways, odd):
        status, answer = eve.try_to("GET", way.replace("{}", value))
        if status == 429:
            eve = Visitor(server)
            status, answer = eve.try_to("GET", way.replace("{}", value))
        assert status < 500, (way, value, answer)


@attack
def test_d_odd_terms_of_a_room(server: Server) -> None:
    odd: list[Any] = [
        None,
        True,
        -1,
        0,
        2**70,
        1.5,
        "",
        "\0",
        "\ud800",
        [],
        {},
        "x" * 300,
        {"x": {}},
        ["x"] * 3,
    ]
    keys = (
        "game",
        "options",
        "deck",
        "their_deck",
        "set",
        "opponent",
        "bot",
        "other_name",
        "clock",
        "begins",
        "nothing",
    )
    eve = Visitor(server)
    for key, value in product(keys, odd):
        body = json.dumps({"game": "duel", "opponent": "self", key: value}).encode()
        status, answer = eve.try_to("POST", "/api/rooms", body)
        if status == 429:
            eve = Visitor(server)
            status, answer = eve.try_to("POST", "/api/rooms", body)
        assert status in (201, 422), (key, value, status, answer)
