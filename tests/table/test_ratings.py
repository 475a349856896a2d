"""Ratings at the table: what is rated, what counts, and that they are a fold over finished games."""

import json
import math
import os
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from coyote.cli.main import main
from coyote.table import admin, analyses, ladder
from coyote.table.glicko import DAY, Strength
from coyote.table.ladder import FREE_ABORTS, MOST_A_DAY, Finished, InMemory, Pool
from coyote.table.measured import AS_IT_IS, tables
from coyote.table.parts import PARTS
from coyote.table.store import Store, Write, rated_games, rating_steps, ratings, rows, skills
from table.kit_inside import Inside
from table.kit_table import PATIENCE, Guest, Json, Seat, Server, seat_two, sqlite_in
from table.test_table import postgres  # noqa: F401 - a fixture

POOL = Pool("madness", "classic", "slow")
START = 1_700_000_000_000
HOUR = DAY // 24


def a_row(room: str, first: str, second: str, score: float, at: int, **more: Any) -> Json:
    pool = more.pop("pool", POOL)
    told = {"room": room, **pool._asdict(), "first": first, "second": second, "score": score}
    return {**told, "aborted_by": "", "ended_at": at, **more}


def some_rows(number: int, seed: str) -> list[Json]:
    """A club of twelve and two levels of the computer, over some weeks."""
    dice, found = Random(seed), []
    people = [f"guest{n}" for n in range(12)] + ["bot:level:2", "bot:level:4"]
    at = START
    for n in range(number):
        at += dice.randrange(1, HOUR // 3)
        first, second = dice.sample(people[:2] if dice.random() < 0.6 else people, 2)
        aborted = dice.choice((first, second)) if dice.random() < 0.15 else ""
        pool = dice.choice((POOL, Pool("madness", "standard", "quick"), Pool("duel", "", "days")))
        score = 0.5 if aborted else dice.choice((0.0, 0.5, 1.0))
        found.append(a_row(f"room{n}", first, second, score, at, aborted_by=aborted, pool=pool))
    return found


def kept(store: Store) -> Json:
    """All that follows from the games, to the last digit."""
    games = sa.select(rated_games.c.room, rated_games.c.number, rated_games.c.counts)
    return {
        "games": sorted(map(str, rows(store, games))),
        "steps": sorted(map(str, rows(store, sa.select(rating_steps)))),
        "ratings": sorted(map(str, rows(store, sa.select(ratings)))),
        "skills": sorted(map(str, rows(store, sa.select(skills)))),
    }


@pytest.fixture(params=["sqlite", "postgresql"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """The same database twice, as two processes have it."""
    url = sqlite_in(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres")
    two = Store(url), Store(url)
    with two[0].engine.begin() as connection:
        for table in (rated_games, rating_steps, ratings, skills):
            connection.execute(sa.delete(table))
    yield two
    for store in two:
        store.close()


# ---------------------------------------------------------------- the fold


def test_ratings_kept_game_by_game_are_those_computed_anew(stores: tuple[Store, Store]) -> None:
    """Delivered twice and out of order, counted in pieces: computing all of it anew changes nothing."""
    store, given, dice = stores[0], some_rows(400, "club"), Random("order")
    while given:
        some = given[: dice.randrange(1, 60)]
        given = given[len(some) :]
        dice.shuffle(some)
        store.keep_now(Write(rated_games=some))
        store.keep_now(Write(rated_games=some[:3]))  # the answer was lost, and it came again
        assert ladder.fold(store) == len(some)
        store.keep_now(Write(rated_games=some[:3]))
        assert ladder.fold(store) == 0
    before = kept(store)
    assert {row["counts"] for row in rows(store, sa.select(rated_games))} == {"yes", "many", "abort", "no"}
    found = ladder.recompute(store)
    assert (found.games, found.changed) == (400, 0) and kept(store) == before


def test_what_was_changed_by_hand_is_found_and_mended(stores: tuple[Store, Store]) -> None:
    store = stores[0]
    store.keep_now(Write(rated_games=some_rows(60, "mend")))
    ladder.fold(store)
    before = kept(store)
    with store.engine.begin() as connection:
        connection.execute(sa.update(ratings).values(rating=ratings.c.rating + 100))
        connection.execute(sa.delete(rating_steps).where(rating_steps.c.number == 7))
        connection.execute(sa.update(rated_games).where(rated_games.c.number == 9).values(counts="?"))
    assert ladder.recompute(store).changed > 2 and kept(store) == before
    assert ladder.recompute(store).changed == 0


def test_two_processes_count_every_game_once(stores: tuple[Store, Store]) -> None:
    given = some_rows(120, "both")
    faults: list[BaseException] = []

    def work(store: Store, some: list[Json]) -> None:
        try:
            for row in some:
                store.keep_now(Write(rated_games=[row]))
                ladder.fold(store)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(s, given[n::2])) for n, s in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not faults, faults
    numbers = [row["number"] for row in rows(stores[0], sa.select(rated_games.c.number))]
    assert sorted(numbers) == list(range(1, 121))
    assert ladder.recompute(stores[1]).changed == 0


def test_skill_is_the_same_whenever_luck_becomes_known(stores: tuple[Store, Store]) -> None:
    """In whatever order games are looked at, by two processes, some twice, some in vain."""
    store, dice = stores[0], Random("luck")
    store.keep_now(Write(rated_games=some_rows(120, "skill")))
    ladder.fold(store)
    games = rows(store, sa.select(rated_games).where(rated_games.c.counts == "yes"))
    luck = {row["room"]: dice.choice((None, dice.uniform(-0.6, 0.6))) for row in games}
    assert len(luck) > 40
    found = []
    for order in range(2):
        with store.engine.begin() as connection:
            connection.execute(sa.delete(skills))
            connection.execute(sa.update(rated_games).values(luck=None, looked=False))
        told = list(luck)
        if order:
            dice.shuffle(told)
        for n, room in enumerate(told):
            ladder.tell_luck(stores[n % 2], room, luck[room])
            if n % 20 == 0:
                ladder.tell_luck(stores[1], room, 0.9)  # too late: it is known
            if n % 30 == 0:
                assert ladder.recompute(store).changed == 0
        assert ladder.next_without_luck(store) is None and ladder.recompute(store).changed == 0
        found.append(kept(store)["skills"])
    assert found[0] == found[1] and found[0]
    with store.engine.begin() as connection:
        connection.execute(sa.update(skills).values(rating=skills.c.rating + 1))
    assert ladder.recompute(store).changed > 2 and kept(store)["skills"] == found[0]


def test_skill_waits_in_its_pool_for_the_first_game_whose_luck_is_not_known(tmp_path: Path) -> None:
    store, other = Store(sqlite_in(tmp_path)), Pool("duel", "", "days")
    given = [a_row(f"room{n}", "anna", "boris", 1.0, START + n) for n in range(3)]
    store.keep_now(Write(rated_games=[*given, a_row("duel", "anna", "vera", 1.0, START + 9, pool=other)]))
    ladder.fold(store)
    assert ladder.next_without_luck(store) == "room0"
    for room in ("room1", "room2", "duel"):
        ladder.tell_luck(store, room, 0.4)
    assert list(ladder.skills_of(store, "anna")) == [other]
    ladder.tell_luck(store, "room0", None)  # nobody can tell; the others need not wait any longer
    anna = ladder.skills_of(store, "anna")
    assert (
        anna[POOL]["games"] == 2
        and 1500 < anna[POOL]["rating"] < ladder.ratings_of(store, "anna")[0]["rating"]
    )
    store.close()


def test_a_deleted_guest_leaves_the_ratings_of_the_others(tmp_path: Path) -> None:
    store = Store(sqlite_in(tmp_path))
    person = {"id": "guest1", "name": "Anna", "owner": "", "named": True, "made_at": 0, "seen_at": 0}
    store.keep_now(Write(guests=[person], rated_games=some_rows(80, "gone")))
    ladder.fold(store)
    while room := ladder.next_without_luck(store):
        ladder.tell_luck(store, room, 0.2)
    assert [row["name"] for row in ladder.listed(store, POOL)] == ["Anna"]
    assert json.loads("".join(admin.export_guest(store, "guest1")))["ratings"]
    others = {row["who"]: row["rating"] for row in rows(store, sa.select(ratings)) if row["who"] != "guest1"}
    admin.delete_guest(store, "guest1")
    found = {row["who"]: row["rating"] for row in rows(store, sa.select(ratings))}
    assert "guest1" not in found and others.items() <= found.items()
    assert not ladder.skills_of(store, "guest1") and len(ladder.skills_in(store, POOL)) > 2
    assert not ladder.listed(store, POOL) and ladder.recompute(store).changed == 0
    store.close()


# ---------------------------------------------------------------- what counts


def take(memory: InMemory, first: str, second: str, score: float, at: int, aborted_by: str = "") -> str:
    return memory.take(Finished(f"room{at}", POOL, first, second, score, aborted_by, at)).counts


def test_many_games_of_the_same_two_in_a_day_are_casual() -> None:
    memory = InMemory()
    for n in range(MOST_A_DAY):
        assert take(memory, *(("anna", "boris") if n % 2 else ("boris", "anna")), 1.0, START + n) == "yes"
    before = dict(memory.strengths)
    assert take(memory, "anna", "boris", 1.0, START + HOUR) == "many" and memory.strengths == before
    assert take(memory, "anna", "vera", 1.0, START + HOUR) == "yes"
    assert take(memory, "anna", "boris", 1.0, START + DAY + HOUR) == "yes"


def test_bots_are_farmed_as_little_and_never_count_among_themselves() -> None:
    memory = InMemory()
    assert take(memory, "bot:level:1", "bot:level:2", 1.0, START) == "no" and not memory.strengths
    counts = [take(memory, "anna", "bot:level:1", 1.0, START + n) for n in range(MOST_A_DAY + 5)]
    assert counts == ["yes"] * MOST_A_DAY + ["many"] * 5
    assert memory.strengths[POOL, "bot:level:1"].volatility == 0
    assert memory.strengths[POOL, "bot:level:1"].rating < 1000 < memory.strengths[POOL, "anna"].rating


def test_calling_games_off_is_free_a_few_times_a_day() -> None:
    memory = InMemory()
    for n in range(FREE_ABORTS):
        assert take(memory, "anna", f"other{n}", 0.5, START + n, "anna") == "no"
    assert not memory.strengths
    assert take(memory, "anna", "boris", 0.5, START + 9, "anna") == "abort"
    assert memory.strengths[POOL, "anna"].rating < 1500 < memory.strengths[POOL, "boris"].rating
    assert take(memory, "vera", "anna", 0.5, START + 10, "vera") == "no"
    assert take(memory, "anna", "vera", 0.5, START + 2 * DAY, "anna") == "no"


def test_pools_are_apart() -> None:
    memory = InMemory()
    for n, pool in enumerate((POOL, POOL._replace(clock="quick"), POOL._replace(edition="standard"))):
        memory.take(Finished(f"room{n}", pool, "anna", "boris", 1.0, "", START))
    assert len(memory.strengths) == 6
    assert len({strength.rating for (_, who), strength in memory.strengths.items() if who == "anna"}) == 2


def test_levels_and_edges_are_those_that_were_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the tables of docs/bots.md and measured.toml: nobody may change one and forget the other."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    _, rated = import_module("make_pictures").rated()
    pools = [("madness", "standard"), ("madness", "classic"), ("duel", "")]
    for column, (game, edition) in enumerate(pools):
        assert PARTS[game].levels[edition] == tuple(cells[column][0] for _, cells in rated), (game, edition)
    for edition, edge in PARTS["madness"].edges.items():
        share = tables()["madness"][edition][AS_IT_IS]["first"][0] / 100
        assert edge == round(400 * math.log10(share / (1 - share)))


# ---------------------------------------------------------------- at the table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("rated"))) as running:
        yield running


RATED = {"game": "madness", "options": {"edition": "classic"}, "clock": {"minutes": 10}, "rated": True}


def over(first: Seat, second: Seat) -> Json:
    """The loser resigns after both have moved."""
    move_once(first, second)
    first.do("resign")
    second.wait(lambda update: update["phase"] == "over")
    found: Json = first.guest.ask("GET", f"/api/rooms/{first.room}/rating")
    return found


def move_once(first: Seat, second: Seat) -> None:
    while any(seat.state.get("abort") for seat in (first, second)):
        mover = next(seat for seat in (first, second) if seat.seat in seat.state["actors"])
        mover.do("move", move=mover.state["legal"][0])
        for seat in (first, second):
            seat.catch_up()


def ladder_of(guest: Guest, edition: str = "classic", clock: str = "slow") -> Json:
    found: Json = guest.ask("GET", f"/api/ladder?game=madness&edition={edition}&clock={clock}")
    return found


@pytest.mark.parametrize(
    ("code", "terms"),
    [
        ("room.rated_self", {"opponent": "self"}),
        ("room.rated_house", {"options": {"edition": "classic", "goal": 7}}),
        ("room.rated_clock", {"clock": {}}),
        ("room.rated_bot", {"opponent": "bot", "bot": "random"}),
    ],
)
def test_only_what_is_the_same_for_all_is_rated(server: Server, code: str, terms: Json) -> None:
    status, problem = server.guest("Anna").try_to("POST", "/api/rooms", {**RATED, **terms})
    assert (status, problem["code"]) == (422, code)


def test_programs_of_guests_play_casual(server: Server) -> None:
    anna = server.guest("Anna")
    token = anna.ask("POST", "/api/tokens", {"name": "Robot"})["token"]
    robot = Guest(server, "Robot", token)
    assert robot.try_to("POST", "/api/rooms", RATED)[1]["code"] == "room.rated_token"
    made = anna.make(**RATED)
    status, problem = robot.try_to("POST", f"/api/rooms/{made['room']}/join", {"invite": made["invite"]})
    assert (status, problem["code"]) == (409, "room.rated_token")


def test_a_rated_game_from_the_lobby_to_the_ladder(server: Server) -> None:
    first, second = seat_two(server, **RATED)
    assert first.welcome["rated"]
    assert first.state["ratings"] == [{"rating": 1500, "provisional": True}] * 2
    found = over(first, second)
    assert found["counts"] == "yes"
    lost, won = found["changes"][first.seat], found["changes"][second.seat]
    assert lost["after"] < 1500 < won["after"] and won["provisional"]
    top = ladder_of(second.guest)
    me = next(row for row in top["players"] if row["me"])
    assert (me["name"], me["rating"], me["games"]) == ("Boris", won["after"], 1) and top["edge"] == 73
    shown = second.guest.ask("GET", f"/api/players/{me['player']}")
    assert shown["me"] and [point["rating"] for point in shown["curves"][0]["points"]] == [won["after"]]
    (mine,) = second.guest.ask("GET", "/api/me/games")["games"]
    assert mine["rated"] and mine["rating"] == {"before": 1500, "after": won["after"]}
    assert server.guest("Vera").ask("GET", f"/api/players/{me['player']}")["me"] is False


def test_a_rematch_begins_with_the_new_ratings(server: Server) -> None:
    first, second = seat_two(server, **RATED)
    changes = over(first, second)["changes"]
    new = {seat.viewer: changes[seat.seat]["after"] for seat in (first, second)}
    first.do("offer", what="rematch")
    second.do("answer", what="rematch", yes=True)
    again = first.guest.sit(second.state["next"])
    assert again.welcome["rated"]
    assert [one and one["rating"] for one in again.state["ratings"]] in ([new[0], new[1]], [None, None])


def test_a_casual_game_says_nothing_of_ratings(server: Server) -> None:
    first, second = seat_two(server, game="madness", clock={"minutes": 10})
    assert not first.welcome["rated"] and "ratings" not in first.state
    move_once(first, second)
    first.do("resign")
    status, problem = first.guest.try_to("GET", f"/api/rooms/{first.room}/rating")
    assert (status, problem["code"]) == (404, "room.not_rated")


def test_whoever_has_not_chosen_a_name_is_rated_but_not_listed(server: Server) -> None:
    first, second = seat_two(server, **{**RATED, "options": {"edition": "standard"}})
    stranger = Guest(server, "Vera")
    stranger.cookie = ""
    stranger.ask("POST", "/api/guest", {"name": "Quiet Fox", "made_up": True})
    made = first.guest.make(**{**RATED, "options": {"edition": "standard"}})
    stranger.join(made)
    mine, theirs = first.guest.sit(made["room"]), stranger.sit(made["room"])
    for seat in (mine, theirs):
        seat.ready()
    for seat in (mine, theirs):
        seat.wait(lambda update: update["phase"] == "playing")
    over(mine, theirs)
    names = [row["name"] for row in ladder_of(stranger, "standard")["players"]]
    assert "Quiet Fox" not in names and "Anna" in names
    own = stranger.ask("GET", "/api/me/ratings")
    assert own["curves"] and not own["listed"]
    page = f"/api/players/{own['player']}"
    assert second.guest.try_to("GET", page)[0] == 404 and stranger.try_to("GET", page)[0] == 200
    stranger.ask("POST", "/api/guest", {"name": "Quiet Fox"})
    assert "Quiet Fox" in [row["name"] for row in ladder_of(stranger, "standard")["players"]]


def test_against_a_level_nothing_is_hinted_or_taken_back(server: Server) -> None:
    anna = server.guest("Anna")
    made = anna.make(**{**RATED, "opponent": "bot", "bot": "level:1", "clock": {}, "begins": "host"})
    seat = anna.sit(made["room"])
    seat.ready()
    seat.wait(lambda update: update["phase"] == "playing")
    assert seat.state["ratings"][1] == {"rating": 1000, "provisional": True}
    assert anna.try_to("POST", f"/api/rooms/{made['room']}/hint")[1]["code"] == "room.no_hint"
    seat.wait(lambda update: seat.seat in update["actors"])
    while seat.state.get("abort"):
        seat.do("move", move=seat.state["legal"][0])
        seat.wait(lambda update: seat.seat in update["actors"] or update["result"])
    seat.do("offer", what="undo")
    seat.wait(lambda update: not update["offers"])
    assert any(note["kind"] == "declined" for note in notes(seat))
    seat.do("resign")
    assert anna.ask("GET", f"/api/rooms/{made['room']}/rating")["counts"] == "yes"
    (bot,) = ladder_of(anna, clock="free")["bots"]
    assert bot["bot"] == "level:1" and bot["rating"] > 1000
    seat.do("offer", what="rematch")
    again = anna.sit(seat.wait(lambda update: update["next"])["next"])
    assert again.state["ratings"][1] in (None, {"rating": bot["rating"], "provisional": bot["provisional"]})


def notes(seat: Seat) -> list[Json]:
    return [note for text in seat.raw for note in json.loads(text).get("notes", [])]


def test_a_killed_server_loses_and_doubles_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Between the end of a game and its counting; and one command finds the same numbers."""
    server = Server(sqlite_in(tmp_path))
    first, second = seat_two(server, **RATED)
    move_once(first, second)
    first.do("resign")
    server.kill()
    server.start()
    with server:
        guest = first.guest
        found = guest.ask("GET", f"/api/rooms/{first.room}/rating")
        assert found["counts"] == "yes"
        again = guest.ask("GET", f"/api/rooms/{first.room}/rating")
        assert again == found
        server.stop()
    before = os.umask(0o022)
    for flags, wanted in (
        (["--recompute"], {"games": 1, "players": 2, "changed": 0}),
        ([], {**POOL._asdict(), "players": 2}),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["table", "--db", sqlite_in(tmp_path), "admin", "ratings", *flags, "--json"])
        assert not ended.value.code and json.loads(capsys.readouterr().out) == wanted
    os.umask(before)


def test_clock_classes_and_new_strengths() -> None:
    assert ladder.new_strength(POOL, "guest") == Strength()
    assert ladder.new_strength(POOL, "bot:level:3").rating == PARTS["madness"].levels["classic"][2]
    assert ladder.new_strength(POOL, "bot:random").rating == 1500


def test_the_luck_of_a_rated_game_is_found_when_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the process that analyses games; then skill stands beside the rating, and follows from the rows."""
    monkeypatch.setattr(analyses, "LOOK", 0.05)
    with Inside(sqlite_in(tmp_path)).running() as server:
        first, second = seat_two(server, **RATED)  # type: ignore[arg-type]
        assert over(first, second)["counts"] == "yes"
        until = time.monotonic() + 3 * PATIENCE
        while (me := ladder_of(second.guest)["players"][0])["skill"] is None:
            assert time.monotonic() < until
            time.sleep(0.1)
        (row,) = rows(server.hall.store, sa.select(rated_games))
        assert row["looked"] and row["luck"] != 0 and abs(row["luck"]) < 1
        assert me["skill"]["games"] == 1 and me["skill"]["deviation"] < me["deviation"]
        curve = second.guest.ask("GET", "/api/me/ratings")["curves"][0]
        assert curve["skill"] == me["skill"]
        store = Store(str(server.hall.store.engine.url))
        assert ladder.recompute(store).changed == 0
        store.close()
