"""Tournaments: eight scripted clients to the end, in both systems; who does not come loses by the clock."""

from collections.abc import Iterator

import pytest

from coyote.fairness import (
    FairnessError,
    board_name,
    check_fair,
    read_context,
    round_name,
    seal,
    sealed,
)
from coyote.table.tournaments import MOST_ROUNDS
from table.kit_inside import Inside
from table.kit_table import Guest, Json, Seat, sqlite_in
from table.test_table import postgres  # noqa: F401 - a fixture

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor", "Zhanna", "Ivan")
TERMS: Json = {"game": "madness", "clock": {"minutes": 5}, "name": "Friday"}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    sqlite = request.param == "sqlite"
    url = sqlite_in(tmp_path_factory.mktemp("events")) if sqlite else request.getfixturevalue("postgres")
    with Inside(url).running() as running:
        yield running


def gather(server: Inside, n: int, **terms: object) -> tuple[list[Guest], str]:
    people = [server.guest(name) for name in NAMES[:n]]
    id = people[0].ask("POST", "/api/tournaments", {**TERMS, **terms})["tournament"]
    for guest in people[1:]:
        guest.ask("POST", f"/api/tournaments/{id}/join", {})
    return people, id


def look(guest: Guest, id: str) -> Json:
    found: Json = guest.ask("GET", f"/api/tournaments/{id}")
    return found


def stronger(one: int, other: int) -> int:
    """Whoever came first wins."""
    return min(one, other)


def play_round(people: list[Guest], id: str, absent: int | None = None) -> None:
    """Everybody goes where they are sent; the weaker of two resigns. One may not come."""
    number = len(look(people[0], id)["rounds"])
    for game in look(people[0], id)["rounds"][-1]:
        if game["score"] is not None:
            continue
        both = [game["first"], game["second"]]
        for player in both:
            assert look(people[player], id)["room"] == game["room"]
        seats = {player: sit(people[player], game["room"]) for player in both if player != absent}
        if absent in both:
            continue
        for seat in seats.values():
            seat.wait(lambda update: update["phase"] == "playing")
        assert [seats[player].seat for player in both] == [0, 1]
        winner = stronger(*both)
        seats[sum(both) - winner].do("resign")
        seats[winner].wait(lambda update: update["phase"] == "over")
        for seat in seats.values():
            seat.close()
    assert len(look(people[0], id)["rounds"]) >= number


def sit(guest: Guest, room: str) -> Seat:
    seat = guest.sit(room)
    seat.ready()
    return seat


def test_eight_play_each_other_to_the_end(server: Inside) -> None:
    if server.hall.store.shared:
        pytest.skip("the Swiss one is enough there")
    people, id = gather(server, 8)
    assert people[1].try_to("POST", f"/api/tournaments/{id}/start", {})[1]["code"] == "tournament.host"
    found = people[0].ask("POST", f"/api/tournaments/{id}/start", {})
    assert (found["phase"], found["length"], len(found["rounds"][0])) == ("playing", 7, 4)
    late = server.guest("Late")
    assert late.try_to("POST", f"/api/tournaments/{id}/join", {})[1]["code"] == "tournament.begun"
    for _ in range(7):
        play_round(people, id)
    found = look(late, id)
    assert found["phase"] == "over" and found["mine"] is None and found["room"] is None
    assert found["order"] == list(range(8))
    assert [found["players"][n]["points"] for n in found["order"]] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert all(player["games"] == 7 for player in found["players"])
    assert look(people[3], id)["mine"] == 3
    mine = people[0].ask("GET", "/api/me/games?most=100")["games"]
    assert sum(game["outcome"] == "won" for game in mine) == 7


def test_eight_by_the_swiss_system(server: Inside) -> None:
    people, id = gather(server, 8, system="swiss", rounds=3)
    people[0].ask("POST", f"/api/tournaments/{id}/start", {})
    for number in range(3):
        assert len(look(people[0], id)["rounds"]) == number + 1
        play_round(people, id)
    found = look(people[0], id)
    assert found["phase"] == "over" and found["length"] == 3
    assert found["players"][0]["points"] == 3 and found["players"][7]["points"] == 0
    met = [frozenset((game["first"], game["second"])) for one in found["rounds"] for game in one]
    assert len(met) == len(set(met)) == 12


def test_who_does_not_come_loses_by_the_clock(server: Inside) -> None:
    """Three players: one of each round has it free, and one is never there."""
    people, id = gather(server, 3, grace=2)
    people[0].ask("POST", f"/api/tournaments/{id}/start", {})
    for _ in range(3):
        play_round(people, id, absent=1)
        found = look(people[0], id)
        if any(game["score"] is None for game in found["rounds"][-1]):
            assert found["late_at"] is not None and found["phase"] == "playing"
            server.at += 3 * 60_000
            found = look(people[0], id)
    assert found["phase"] == "over"
    assert [player["points"] for player in found["players"]] == [3.0, 1.0, 2.0]
    absent = [game for one in found["rounds"] for game in one if game["why"]["en"] == "somebody did not come"]
    assert len(absent) == 2


def test_a_game_of_a_tournament_is_not_called_off_or_closed(server: Inside) -> None:
    people, id = gather(server, 2)
    people[0].ask("POST", f"/api/tournaments/{id}/start", {})
    room = look(people[0], id)["room"]
    seat = people[0].sit(room)
    assert seat.welcome["tournament"] == id and seat.refused("close") == "room.event"
    status, problem = people[0].try_to("POST", f"/api/rooms/{room}/leave", {})
    assert (status, problem["code"]) == (409, "room.event")
    other = people[1].sit(room)
    for one in (seat, other):
        one.ready()
    seat.wait(lambda update: update["phase"] == "playing")
    assert "abort" not in seat.state and seat.refused("abort") == "room.abort_late"
    other.wait(lambda update: update["phase"] == "playing")
    other.do("resign")
    assert look(people[0], id)["players"][0]["points"] == 1


def test_whoever_leaves_is_paired_no_more(server: Inside) -> None:
    people, id = gather(server, 4, system="swiss", rounds=2)
    people[3].ask("POST", f"/api/tournaments/{id}/leave", {})
    assert len(look(people[0], id)["players"]) == 3
    people[3].ask("POST", f"/api/tournaments/{id}/join", {})
    people[0].ask("POST", f"/api/tournaments/{id}/start", {})
    people[3].ask("POST", f"/api/tournaments/{id}/leave", {})
    play_round(people, id)
    last = look(people[0], id)["rounds"][1]
    assert all(3 not in (game["first"], game["second"]) for game in last)
    assert any(game["second"] is None for game in last)  # three are left
    play_round(people, id)
    assert look(people[0], id)["phase"] == "over"


@pytest.mark.parametrize(
    ("code", "terms"),
    [
        ("tournament.clock", {"clock": {}}),
        ("tournament.name", {"name": "\u2800 \u3164"}),
        ("workshop.no_text", {"name": "Ours\u0000"}),
        ("room.rated_house", {"options": {"goal": 7}, "rated": True}),
        ("option.range", {"options": {"goal": 700}}),
    ],
)
def test_what_cannot_be_a_tournament_is_refused(server: Inside, code: str, terms: Json) -> None:
    status, problem = server.guest("Anna").try_to("POST", "/api/tournaments", {**TERMS, **terms})
    assert (status, problem["code"]) == (422, code)


def test_a_duel_draws_decks_for_every_game(server: Inside) -> None:
    people, id = gather(server, 2, game="duel")
    people[0].ask("POST", f"/api/tournaments/{id}/start", {})
    play_round(people, id)
    assert look(people[0], id)["phase"] == "over"


# ---------------------------------------------------------------- the same deal at all tables


Nonces = list[list[str]]  # by player, round by round


def gather_sealed(server: Inside, n: int, **terms: object) -> tuple[list[Guest], str, Nonces]:
    people = [server.guest(name) for name in NAMES[:n]]
    id = people[0].ask("POST", "/api/tournaments", {**TERMS, "duplicate": True, **terms})["tournament"]
    nonces = [[f"{player:x}{number:x}" * 16 for number in range(1, MOST_ROUNDS + 1)] for player in range(n)]
    for guest, own in zip(people, nonces, strict=True):
        guest.ask("POST", f"/api/tournaments/{id}/join", {"seals": list(map(seal, own))})
    return people, id, nonces


def open_all(people: list[Guest], id: str, nonces: Nonces, absent: int | None = None) -> Json:
    """As pages do: each looks at what is fixed, its own seal among it, and tells its number."""
    found = look(people[0], id)
    number = len(found["rounds"]) - 1
    for player, guest in enumerate(people):
        opening = look(guest, id)["opening"]
        if opening is None or opening["place"] is None or player == absent:
            continue
        assert opening["deal"] == round_name(id, number) and opening["seals"] == found["opening"]["seals"]
        assert opening["seals"][opening["place"]] == seal(nonces[player][number])
        assert read_context(opening["context"])["room"] == board_name(opening["deal"], opening["seals"])
        assert not opening["ready"][opening["place"]] and look(guest, id)["room"] is None
        found = guest.ask("POST", f"/api/tournaments/{id}/ready", {"nonce": nonces[player][number]})
    return found


def test_all_tables_of_a_round_have_the_same_deal(server: Inside) -> None:
    """Everybody's number is in every deal; who plays it sees nothing of the others, and the proof holds."""
    people, id, nonces = gather_sealed(server, 5)
    promised = look(people[0], id)["commitments"]
    found = people[0].ask("POST", f"/api/tournaments/{id}/start", {})
    assert found["late_at"] is not None and found["room"] is None
    context = found["opening"]["context"]
    found = open_all(people, id, nonces)
    games = [game for game in found["rounds"][0] if game["room"]]
    assert len(games) == 2 and found["late_at"] is None and found["opening"] is None
    seats = [[people[game[who]].sit(game["room"]) for who in ("first", "second")] for game in games]
    for seat in range(2):
        assert seats[0][seat].state["view"]["hand"] == seats[1][seat].state["view"]["hand"]
    other = people[games[0]["first"]]
    assert other.try_to("GET", f"/api/rooms/{games[1]['room']}")[1]["code"] == "board.hidden"
    seats[0][0].do("resign")
    found = look(people[0], id)
    assert all(game["score"] is None for game in found["rounds"][0])
    assert not any(player["points"] for player in found["players"])
    for what, body in (("GET record", None), ("GET analysis", None), ("POST try", {"at": 0, "seat": 0})):
        method, _, name = what.partition(" ")
        asked = other.try_to(method, f"/api/rooms/{games[0]['room']}/{name}", body)
        assert asked[1]["code"] == "board.hidden", what
    seats[1][1].do("resign")
    found = look(people[0], id)
    assert len(found["rounds"]) == 2 and sum(player["points"] for player in found["players"]) == 3
    for game in games:
        record = other.ask("GET", f"/api/rooms/{game['room']}/record")
        check_fair(record)
        assert record["fair"]["commitment"] == promised[0] and sealed(record) == "both"
        assert record["fair"]["context"] == context
        told = [nonces[one[who]][0] for one in games for who in ("first", "second")]
        assert record["board"]["nonces"] == told


def test_who_does_not_open_their_seal_loses_and_the_others_play(server: Inside) -> None:
    """The deal has the seals of all, as it was fixed, and the numbers of those who came."""
    people, id, nonces = gather_sealed(server, 4, grace=2)
    people[0].ask("POST", f"/api/tournaments/{id}/start", {})
    found = open_all(people, id, nonces, absent=1)
    assert found["opening"] and sum(found["opening"]["ready"]) == 3
    server.at += 3 * 60_000
    found = look(people[0], id)
    assert found["opening"] is None
    (game,) = (game for game in found["rounds"][0] if game["room"])
    seats = [people[game[who]].sit(game["room"]) for who in ("first", "second")]
    seats[0].do("resign")
    found = look(people[0], id)
    assert len(found["rounds"]) == 2
    (lost,) = (one for one in found["rounds"][0] if 1 in (one["first"], one["second"]))
    assert lost["room"] is None and lost["why"]["en"] == "somebody did not come"
    assert lost["score"] == (0.0 if lost["first"] == 1 else 1.0)
    record = people[0].ask("GET", f"/api/rooms/{game['room']}/record")
    check_fair(record)
    board = record["board"]
    assert board["nonces"].count("") == 1 and all(board["seals"]) and sealed(record) == "both"
    here = 2 * board["table"]
    for changed in (
        {"nonces": ["" if place == here else nonce for place, nonce in enumerate(board["nonces"])]},
        {"table": 1 - board["table"]},
        {"table": None},
        {"id": id},
    ):
        with pytest.raises(FairnessError):
            check_fair({**record, "board": {**board, **changed}})


def test_seals_are_ones_own_and_are_opened_in_their_round(server: Inside) -> None:
    people, id, nonces = gather_sealed(server, 2)
    late, join = server.guest("Late"), f"/api/tournaments/{id}/join"
    own = [seal(f"{n:x}" * 32) for n in range(1, MOST_ROUNDS)]
    for wrong, code in (
        ([], "tournament.seals"),
        (own, "tournament.seals"),
        ([*own, "x" * 64], "tournament.seals"),
        ([*own, own[0]], "room.nonce_taken"),
        ([*own, seal(nonces[0][0])], "room.nonce_taken"),
    ):
        assert late.try_to("POST", join, {"seals": wrong})[1]["code"] == code
    ready = f"/api/tournaments/{id}/ready"
    assert people[0].try_to("POST", ready, {"nonce": nonces[0][0]})[1]["code"] == "tournament.not_opening"
    people[0].ask("POST", f"/api/tournaments/{id}/start", {})
    for wrong_nonce, code in ((nonces[0][1], "room.nonce_seal"), ("no", "room.nonce")):
        assert people[0].try_to("POST", ready, {"nonce": wrong_nonce})[1]["code"] == code
    assert late.try_to("POST", ready, {"nonce": nonces[0][0]})[1]["code"] == "tournament.not_opening"
    assert open_all(people, id, nonces)["opening"] is None
    assert people[0].try_to("POST", ready, {"nonce": nonces[0][0]})[1]["code"] == "tournament.not_opening"
