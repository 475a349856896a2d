"""Duplicate: one deal at two tables, fair for all who play it, and secret until both are over."""

import json
import secrets
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from coyote import Match, fairness
from coyote.cli.verify import Noted, verify
from coyote.fairness import FairnessError, board_name, board_nonces, check_fair, commitment, seal, sealed
from coyote.records import follow
from coyote.table import boards, par
from table.kit_inside import Inside
from table.kit_table import PATIENCE, Guest, Json, Seat, sqlite_in

NAMES = ("Anna", "Boris", "Vera", "Gleb")  # a1, b1, b2, a2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(sqlite_in(tmp_path_factory.mktemp("boards"))).running() as running:
        yield running


def ask(guest: Guest, id: str, what: str, **body: object) -> Json:
    found: Json = guest.ask("POST", f"/api/boards/{id}/{what}", body)
    return found


def look(guest: Guest, id: str) -> Json:
    found: Json = guest.ask("GET", f"/api/boards/{id}")
    return found


def deal(people: list[Guest], id: str) -> list[str]:
    """All seals, then all nonces; the nonces by person."""
    nonces = [secrets.token_hex(16) for _ in people]
    for guest, nonce in zip(people, nonces, strict=True):
        assert look(guest, id)["context"] is None
        ask(guest, id, "seal", seal=seal(nonce))
    for guest, nonce in zip(people, nonces, strict=True):
        ask(guest, id, "ready", nonce=nonce)
    return nonces


def four(server: Inside, **terms: object) -> tuple[list[Guest], str]:
    people = [server.guest(name) for name in NAMES]
    id = people[0].ask("POST", "/api/boards", {"game": "madness", **terms})["board"]
    for guest in people[1:]:
        ask(guest, id, "join")
    return people, id


def play_out(seats: tuple[Seat, Seat], dice: Random) -> None:
    while seats[0].state["phase"] == "playing":
        for seat in seats:
            if seat.seat in seat.state["actors"]:
                seat.do("move", move=dice.choice(seat.state["legal"]))
        for seat in seats:
            seat.catch_up()


def hands(seat: Seat) -> list[str]:
    return list(seat.state["view"]["hand"])


def test_a_match_of_two_teams(server: Inside) -> None:
    people, id = four(server)
    stranger = server.guest("Stranger")
    assert [place["name"] for place in look(stranger, id)["places"]] == list(NAMES)
    nonces = deal(people, id)
    board = look(people[0], id)
    assert board["phase"] == "playing" and board["tables"][1]["room"] is None
    rooms = [look(people[place], id)["tables"][place // 2]["room"] for place in (0, 2)]
    first = people[0].sit(rooms[0]), people[1].sit(rooms[0])
    second = people[2].sit(rooms[1]), people[3].sit(rooms[1])
    assert [seat.seat for seat in (*first, *second)] == [0, 1, 0, 1]
    assert hands(first[0]) == hands(second[0]) and hands(first[1]) == hands(second[1])
    # Nobody but those at a table sees anything of it, until both are over.
    for guest, room in ((people[0], rooms[1]), (stranger, rooms[0])):
        assert guest.try_to("GET", f"/api/rooms/{room}")[1]["code"] == "board.hidden"
        assert refused_socket(guest, room)
    dice = Random("board")
    play_out(first, dice)
    for way in ("record", "replay", "analysis", "par"):
        assert people[0].try_to("GET", f"/api/rooms/{rooms[0]}/{way}")[1]["code"] == "board.hidden"
    tried = people[0].try_to("POST", f"/api/rooms/{rooms[0]}/try", {"at": 0, "seat": 0})
    assert tried[1]["code"] == "board.hidden"
    assert look(people[3], id)["tables"][0]["result"] is None
    play_out(second, dice)
    board = look(stranger, id)
    assert board["phase"] == "over"
    margins = [table["margin"] for table in board["tables"]]
    assert board["margins"] == [margins[0] - margins[1], margins[1] - margins[0]]
    wins = [{0: 0.5, 1: -0.5, None: 0.0}[table["result"]["winner"]] for table in board["tables"]]
    assert board["points"] == [wins[0] - wins[1], wins[1] - wins[0]]
    records = [stranger.ask("GET", f"/api/rooms/{room}/record") for room in rooms]
    assert records[0]["seed"] == records[1]["seed"] and records[0]["deck"] == records[1]["deck"]
    for record in records:
        check_fair(record)
        follow(record)
        assert sealed(record) == "both" and record["board"]["nonces"] == nonces
        assert commitment(bytes.fromhex(record["fair"]["secret"])) == board["commitment"]


def refused_socket(guest: Guest, room: str) -> bool:
    try:
        seat = guest.sit(room)
    except Exception:
        return True
    seat.close()
    return False


def proved(id: str, absent: int | None = None) -> Json:
    """A record of a deal for two tables, at the first one; somebody may be absent, as in a tournament."""
    secret, told = bytes(32), [f"{n}" * 32 for n in range(1, 5)]
    seals = [seal(nonce) for nonce in told]
    nonces = ["" if place == absent else nonce for place, nonce in enumerate(told)]
    match = Match("madness", seed="x")
    context = fairness.make_context(match.game, match.setup, secret, board_name(id, seals))
    pair = board_nonces(nonces)
    match = Match("madness", seed=fairness.derive_seed(secret, pair, context))
    board: Json = {"id": id, "table": 0, "seals": seals, "nonces": nonces}
    return {**match.record(), "fair": fairness.fair_part(secret, pair, context), "board": board}


PROOFS = (("abc", None), ("abc-1", None), ("abc-1", 3))  # what `proved` is asked for
CHANGES: tuple[tuple[str, object], ...] = (
    ("nonces", ["0" * 32] * 4),
    ("nonces", []),
    ("seals", [""] * 4),
    ("id", "another"),
    ("seals", 7),
    ("table", None),
    ("table", 2),
)


@pytest.mark.parametrize(("id", "absent"), PROOFS)
def test_a_proof_that_was_changed_is_refuted(id: str, absent: int | None) -> None:
    """A deal of which somebody's nonce is not a part, or was not sealed before, is not fair to them."""
    record = proved(id, absent)
    check_fair(record)
    for key, value in CHANGES:
        with pytest.raises(FairnessError):
            check_fair({**record, "board": {**record["board"], key: value}})


@pytest.mark.parametrize(("id", "absent", "table"), [("abc", 3, 0), ("abc-1", 0, 0), ("abc-1", 3, 1)])
def test_only_in_rounds_and_at_other_tables_is_somebody_absent(id: str, absent: int, table: int) -> None:
    record = proved(id, absent)
    with pytest.raises(FairnessError):
        check_fair({**record, "board": {**record["board"], "table": table}})


@pytest.mark.parametrize(("nonce", "status"), [("2" * 32, "verified"), ("9" * 32, "refuted")])
def test_verify_compares_the_number_of_any_place(nonce: str, status: str) -> None:
    record = proved("abc")
    record["result"] = {"winner": None, "reason": "aborted", "score": 0}
    (verdict,) = verify([record], Noted(nonce=nonce))
    assert verdict.status == status, verdict.error


def test_nobody_meets_a_deal_twice(server: Inside) -> None:
    people, id = four(server)
    anna = people[0]
    assert look(anna, id)["mine"] == 0 and ask(anna, id, "join")["mine"] == 0
    token = server.guest("Vera").ask("POST", "/api/tokens", {"name": "Robot"})["token"]
    robot = Guest(server, "Robot", token)  # type: ignore[arg-type]
    assert robot.try_to("POST", f"/api/boards/{id}/join", {})[0] == 403
    late = server.guest("Late")
    status, problem = late.try_to("POST", f"/api/boards/{id}/join", {})
    assert (status, problem["code"]) == (409, "board.taken")


def test_seals_come_before_nonces_and_fit(server: Inside) -> None:
    people, id = four(server)
    nonce = "a" * 32
    early = people[0].try_to("POST", f"/api/boards/{id}/ready", {"nonce": nonce})
    assert early[1]["code"] == "board.seals"
    ask(people[0], id, "seal", seal=seal(nonce))
    same = people[1].try_to("POST", f"/api/boards/{id}/seal", {"seal": seal(nonce)})
    assert same[1]["code"] == "room.nonce_taken"
    other = people[0].try_to("POST", f"/api/boards/{id}/seal", {"seal": seal("b" * 32)})
    assert other[1]["code"] == "room.sealed_already"
    for n, guest in enumerate(people[1:]):
        ask(guest, id, "seal", seal=seal(f"{n}" * 32))
    wrong = people[0].try_to("POST", f"/api/boards/{id}/ready", {"nonce": "c" * 32})
    assert wrong[1]["code"] == "room.nonce_seal"
    assert json.loads(look(people[0], id)["context"])["room"] == board_name(id, look(people[0], id)["seals"])


def test_whoever_leaves_before_the_deal_makes_all_seals_void(server: Inside) -> None:
    people, id = four(server)
    for n, guest in enumerate(people):
        ask(guest, id, "seal", seal=seal(f"{n}" * 32))
    assert look(people[0], id)["context"]
    ask(people[3], id, "leave")
    board = look(people[0], id)
    assert board["phase"] == "gathering" and board["context"] is None
    assert not any(place["sealed"] for place in board["places"])


def test_bots_are_partners_and_play_a_table_by_themselves(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people and two bots: A1 and B1 at one table, the bots at the other; then the par of the deal."""
    monkeypatch.setattr(par, "GAMES", 3)
    monkeypatch.setattr(par, "BOT", "greedy")
    people = [server.guest(name) for name in NAMES[:2]]
    made = {"game": "madness", "bots": [2, 3], "bot": "greedy", "options": {"edition": "classic"}}
    id = people[0].ask("POST", "/api/boards", made)["board"]
    ask(people[1], id, "join")
    deal(people, id)
    room = look(people[0], id)["tables"][0]["room"]
    seats = people[0].sit(room), people[1].sit(room)
    seats[0].do("resign")
    until = time.monotonic() + PATIENCE
    while (board := look(people[0], id))["phase"] != "over":
        assert time.monotonic() < until, board
        time.sleep(0.05)
    assert board["tables"][0]["result"]["winner"] == 1 and len(board["margins"]) == 2
    while (found := people[0].ask("GET", f"/api/rooms/{room}/par"))["games"] < 3:
        assert time.monotonic() < until, found
        time.sleep(0.05)
    assert found["of"] == 3 and 0 <= found["first"] <= 100
    assert people[1].ask("GET", f"/api/rooms/{room}/par") == found


def test_a_duel_has_the_same_decks_at_both_tables(server: Inside) -> None:
    people, id = four(server, game="duel", deck="oasis", their_deck="thunderhead")
    deal(people, id)
    rooms = [look(people[place], id)["tables"][place // 2]["room"] for place in (0, 2)]
    seats = [people[place].sit(rooms[place // 2]) for place in range(4)]
    assert sorted(hands(seats[0])) == sorted(hands(seats[2]))
    for seat in (seats[0], seats[2]):
        seat.do("resign")
    board = look(people[0], id)
    assert board["phase"] == "over" and board["points"] == [0.0, 0.0]


def test_there_are_no_hints_nor_is_a_table_called_off(server: Inside) -> None:
    anna = server.guest("Anna")
    made = {"game": "madness", "bots": [1, 2, 3], "bot": "random"}
    id = anna.ask("POST", "/api/boards", made)["board"]
    deal([anna], id)
    room = look(anna, id)["tables"][0]["room"]
    seat = anna.sit(room)
    assert "abort" not in seat.state
    assert anna.try_to("POST", f"/api/rooms/{room}/hint")[1]["code"] == "room.no_hint"
    assert seat.refused("abort") == "room.abort_late"


def test_many_who_look_at_once_find_one_pair_of_rooms(server: Inside) -> None:
    """The last nonce, and everybody asks at the same moment: the rooms are made once."""
    people, id = four(server)
    nonces = [secrets.token_hex(16) for _ in people]
    for guest, nonce in zip(people, nonces, strict=True):
        ask(guest, id, "seal", seal=seal(nonce))
    for guest, nonce in zip(people[:3], nonces, strict=False):
        ask(guest, id, "ready", nonce=nonce)
    board = boards.change_board(server.hall.store, id, lambda board: boards_ready(board, nonces[3]))
    with ThreadPoolExecutor(8) as many:
        found = list(many.map(lambda n: look(people[n % 4], id)["phase"], range(16)))
    assert set(found) == {"playing"}
    for table, room in enumerate(board.rooms):
        first, second = people[2 * table].sit(room), people[2 * table + 1].sit(room)
        first.do("move", move=first.state["legal"][0])
        second.catch_up()
        assert second.state["view"]["phase"] == first.state["view"]["phase"] == "tut"
        assert len(server.hall.store.inputs_of(room)) == 2


def boards_ready(board: boards.Board, nonce: str) -> None:
    """As a process does that falls before it has made the rooms."""
    board.places[3].nonce = nonce
    board.rooms, board.at = [secrets.token_hex(15) for _ in range(2)], 1_700_000_000_000
