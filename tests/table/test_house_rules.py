"""House rules over the API: what is offered, what is refused with every reason, and games played by them."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from coyote.fairness import check_fair
from coyote.games.game import Game
from coyote.games.registry import GAMES
from coyote.records import follow
from coyote.table.catalog import OptionShown, catalog, option_shown
from coyote.text import LANGUAGES, titles
from table.kit_table import Guest, Json, Server, play_on, seat_two, sqlite_in


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("house"))) as running:
        yield running
        assert "error" not in running.stop()


@pytest.fixture(scope="module")
def anna(server: Server) -> Guest:
    return server.guest("Anna")


# ---------------------------------------------------------------- what is offered


def test_the_catalog_is_what_the_games_are(anna: Guest) -> None:
    told = anna.ask("GET", "/api/games")["games"]
    assert [game["name"] for game in told] == list(GAMES)
    for shown, kind in zip(told, GAMES.values(), strict=True):
        assert [edition["name"] for edition in shown["editions"]] == [name for name in kind.EDITIONS if name]
        assert [option["name"] for option in shown["options"]] == [option.name for option in kind.OPTIONS]
        assert (shown["needs_decks"], shown["lot"], shown["letter"]) == (
            kind.NEEDS_DECKS, kind.DRAWS_LOT, kind.LETTER,
        )  # fmt: skip
        assert set(shown["title"]) == set(LANGUAGES)


ALL_OPTIONS = [(kind, option) for kind in GAMES.values() for option in kind.OPTIONS]


@pytest.mark.parametrize(("kind", "option"), ALL_OPTIONS, ids=lambda one: getattr(one, "name", ""))
def test_an_option_is_shown_with_its_bounds_and_in_both_languages(kind: type[Game], option: Any) -> None:
    shown = option_shown(kind, option)
    assert shown.rule.startswith(kind.LETTER)
    for said in (shown.title, shown.about, *shown.choice_titles.values()):
        assert set(said) == set(LANGUAGES) and all(said.values())
    assert set(shown.values) == set(kind.EDITIONS)
    for edition, value in shown.values.items():
        assert value == kind.EDITIONS[edition][option.name] and value in offered(shown)
    assert [option.read(value) for value in offered(shown)] == offered(shown)
    assert option.read((shown.most or 0) + 1) is None


def offered(shown: OptionShown) -> list[Any]:
    if shown.kind == "choice":
        return list(shown.choices)
    assert shown.least is not None and shown.most is not None
    return list(range(shown.least, shown.most + 1))


def test_all_that_the_catalog_offers_can_be_had_by_itself(anna: Guest) -> None:
    """Every value at either end, where no other option forbids it."""
    games = catalog(tuple(GAMES.values())).games
    for game in games:
        for option in game.options:
            for value in (offered(option)[0], offered(option)[-1]):
                options: Json = {option.name: value}
                asked = {"game": game.name, "options": options, "opponent": "open"}
                status, answer = anna.try_to("POST", "/api/rooms", asked)
                codes = {reason["code"].split(".")[0] for reason in answer.get("reasons", [])}
                assert status == 201 or codes == {"option"}, answer
                if status == 201:
                    seat = anna.sit(answer["room"])
                    assert seat.welcome["title"] == titles(GAMES[game.name](**options))
                    seat.do("close")
                    seat.close()


# ---------------------------------------------------------------- what is refused


REFUSED: list[tuple[str, Json, list[tuple[str, str | None]]]] = [
    ("madness", {"goal": 21}, [("option.range", "M10")]),
    ("madness", {"goal": True}, [("option.range", "M10")]),
    ("madness", {"goal": "seven"}, [("option.range", "M10")]),
    ("madness", {"goal": 2**70}, [("option.range", "M10")]),
    ("madness", {"edition": "baroque"}, [("option.value", None)]),
    ("madness", {"komi": 5, "goal": 5}, [("option.komi", "M25")]),
    ("madness", {"health": 60}, [("option.unknown", None)]),
    (
        "madness",
        {"goal": 0, "gaol": 3, "fields": 5, "boss": "maybe"},
        [("option.range", "M10"), ("option.unknown_near", None), ("option.range", "M5"),
         ("option.value", "M11")],
    ),
    ("duel", {"hand": 7, "hand-limit": 2}, [("option.above", "D26")]),
    (
        "duel",
        {"hand": 6, "hand-limit": 1, "deck-min": 30},
        [("option.above", "D26"), ("option.above", "D26")],
    ),
    ("duel", {"rules": 1}, [("option.unknown", None)]),
    ("duel", {"card_set": "core"}, [("option.unknown", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "options", "wanted"), REFUSED, ids=str)
def test_every_reason_is_told(anna: Guest, game: str, options: Json, wanted: list[Any]) -> None:
    for lang in LANGUAGES:
        asked = {"game": game, "options": options}
        status, answer = anna.try_to("POST", "/api/rooms", asked, **{"Accept-Language": lang})
        found = [(reason["code"], reason["rule"]) for reason in answer["reasons"]]
        assert status == 422 and sorted(map(str, found)) == sorted(map(str, wanted))
        assert (answer["code"], answer["rule"]) == found[0]
        assert all(reason["text"] in answer["text"] for reason in answer["reasons"])


@pytest.mark.parametrize(
    "options", [{"goal": 7.5}, {"goal": None}, {"goal": [7]}, {"x" * 41: 1}, [], "goal=7"]
)
def test_what_is_no_option_at_all_is_malformed(anna: Guest, options: Any) -> None:
    status, answer = anna.try_to("POST", "/api/rooms", {"game": "madness", "options": options})
    assert (status, answer["code"], len(answer["reasons"])) == (422, "room.malformed", 1)


def test_decks_are_judged_by_the_rooms_own_rules(server: Server, anna: Guest) -> None:
    boris = server.guest("Boris")
    small = {"deck-min": 30, "deck-max": 40, "copies": 4}
    asked = {"game": "duel", "options": small, "deck": "pack"}
    status, answer = anna.try_to("POST", "/api/rooms", asked)
    assert (status, answer["code"], answer["rule"]) == (422, "option.deck", "D19")
    made = anna.make(game="duel", options=small, deck="random")
    path, body = f"/api/rooms/{made['room']}/join", {"invite": made["invite"], "deck": "oasis"}
    status, answer = boris.try_to("POST", path, body)
    assert (status, answer["code"]) == (422, "option.deck")
    boris.join(made)
    assert boris.sit(made["room"]).state["phase"] == "seated"


# ---------------------------------------------------------------- what is told


@pytest.mark.parametrize(
    ("game", "given", "kept", "title"),
    [
        ("madness", {}, {"edition": "standard"}, "Madness · standard"),
        (
            "madness",
            {"goal": "7", "hand": 5},
            {"edition": "standard", "goal": 7},
            "Madness · standard · goal 7",
        ),
        ("madness", {"edition": "classic", "chance": True}, {"edition": "classic"}, "Madness · classic"),
        ("duel", {"open-lists": True, "health": 100}, {"open-lists": "yes"}, "Duel · open lists"),
    ],
)
def test_options_are_kept_as_the_game_writes_them(
    server: Server, game: str, given: Json, kept: Json, title: str
) -> None:
    """In lists, to those who come, to bystanders, in the record and in the replay."""
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(game=game, options=given, opponent="open")
    id = made["room"]
    wanted = titles(GAMES[game](**given))
    assert wanted["en"] == title
    lists = [row for path in ("/api/waiting", "/api/mine") for row in anna.ask("GET", path)]
    told = [row for row in lists if row["room"] == id]
    assert len(told) == 2
    boris.join({"room": id})
    seats = anna.sit(id), boris.sit(id)
    told += [seat.welcome for seat in seats] + [anna.ask("GET", f"/api/rooms/{id}")["welcome"]]
    assert all(one["rules"] == GAMES[game].RULES[-1] for one in told)
    for seat in seats:
        seat.ready()
    seats[0].do("resign")
    told.append(anna.ask("GET", f"/api/rooms/{id}/replay"))
    assert all((one["options"], one["title"]) == (kept, wanted) for one in told)
    assert anna.ask("GET", f"/api/rooms/{id}/record")["options"] == kept
    assert seats[0].state["view"]["options"] == kept


# ---------------------------------------------------------------- what is played


PLAYED: list[tuple[str, Json]] = [
    ("madness", {"fields": 1, "jokers": 0, "hand": 10, "extra": 3, "komi": 2}),
    ("madness", {"edition": "classic", "fields": 4, "close": "never", "chance": "no", "goal": 3}),
    ("madness", {"field-points": 3, "boss-points": 0, "starvation": "no", "goal": 4, "fields": 2}),
    ("duel", {"health": 40, "hand": 7, "hand-limit": 10, "wear-from": 2, "open-lists": "yes"}),
    ("duel", {"deck-min": 9, "deck-max": 40, "copies": 4, "autos": 10, "supers": 0, "health": 30}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "options"), PLAYED, ids=str)
def test_friends_by_link_play_a_whole_game_by_house_rules(server: Server, game: str, options: Json) -> None:
    decks = {"deck": "random"} if GAMES[game].NEEDS_DECKS else {}
    seats = seat_two(server, game=game, options=options, **decks)
    play_on(seats, Random(3))
    record = seats[1].guest.ask("GET", f"/api/rooms/{seats[1].room}/record")
    assert record["options"] == GAMES[game](**options).options
    follow(record)
    check_fair(record)


@pytest.mark.parametrize("fields", [1, 2, 3, 4])
def test_a_view_has_as_many_fields_as_the_table(server: Server, fields: int) -> None:
    first, second = seat_two(server, game="madness", options={"fields": fields}, begins="host")
    vera = server.guest("Vera").sit(first.room)
    for seat in (first, second, vera):
        view = seat.state["view"]
        assert len(view["fields"]) == len(view["outlook"]) == fields
    attacked = {move.split()[0] for move in first.state["legal"] if move.startswith("a")}
    assert attacked == {f"a{field}" for field in range(1, fields + 1)}
    card = first.state["view"]["hand"][0]
    assert first.request("why", move=f"a{fields} {card}")["code"] is None
    answer = first.request("why", move=f"a{fields + 1} {card}")
    assert answer["code"] == ("refusal.no_move" if fields == 4 else "refusal.no_such_field")


def test_a_bot_plays_by_house_rules_and_a_hint_knows_them(server: Server, anna: Guest) -> None:
    for game, options in (PLAYED[0], PLAYED[3]):
        made = anna.make(game=game, options=options, opponent="bot", bot="greedy", begins="host")
        seat = anna.sit(made["room"])
        seat.ready()
        seat.wait(lambda update: bool(update["legal"]))
        hint = anna.ask("POST", f"/api/rooms/{made['room']}/hint", {})
        assert hint["move"] in seat.state["legal"] and hint["text"]
        while seat.wait(lambda update: update["legal"] or update["phase"] == "over")["phase"] != "over":
            seat.do("move", move=seat.state["legal"][0])
            seat.wait(lambda update: not update["view"].get("chosen"))
        follow(anna.ask("GET", f"/api/rooms/{made['room']}/record"))
        seat.close()
