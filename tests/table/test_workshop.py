"""The workshop at a real server: sets with drafts and versions, cards as they are written, house rules."""

import json
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coyote.games.duel.decks import set_of_code
from coyote.games.duel.sets import CORE, core_set, parse_set
from coyote.table.limits import Limits
from coyote.table.writing import MOST_NEAR
from table.kit_table import PATIENCE, QUICK, Guest, Server, play_on, sqlite_in
from table.kit_workshop import DECK, NAME, OTHER, Json, make_set, publish, small_set

LIMITS = ("--limit", "sets_per_guest=4", "--limit", "versions_per_set=5", "--limit", "variants_per_guest=3")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("workshop")), *QUICK, *LIMITS) as server:
        yield server


@pytest.fixture
def anna(server: Server) -> Guest:
    return server.guest("Anna")


@pytest.fixture
def boris(server: Server) -> Guest:
    return server.guest("Boris")


def refused(guest: Guest, method: str, path: str, body: Any = None) -> tuple[int, str]:
    status, answer = guest.try_to(method, path, body)
    return status, answer.get("code", "")


def text_of(guest: Guest, path: str) -> str:
    """A file, letter by letter."""
    request = urllib.request.Request(f"http://{guest.server.host}{path}", headers=guest.headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return response.read().decode()  # type: ignore[no-any-return]


# ---------------------------------------------------------------- sets and versions


def test_a_draft_is_kept_as_it_is_and_becomes_a_version(anna: Guest) -> None:
    text = "# mine\n" + small_set() + "\n\n# the end"
    made = make_set(anna, text)
    assert (made["name"], made["sight"], made["versions"], made["text"]) == (NAME, "private", [], text)
    version = publish(anna, made)
    assert version["number"] == 1 and version["cards"] == 10
    assert version["digest"] == parse_set(text).digest
    assert publish(anna, made) == version, "the same cards are the same version"
    assert text_of(anna, f"/api/sets/{made['id']}/versions/1.toml") == text
    changed = anna.ask("PUT", f"/api/sets/{made['id']}", {"revision": 1, "text": small_set(attack=3)})
    assert changed["revision"] == 2 and publish(anna, made)["number"] == 2
    assert text_of(anna, f"/api/sets/{made['id']}/versions/1.toml") == text, "a version is never changed"
    listed = [(one["name"], one["latest"]["number"]) for one in anna.ask("GET", "/api/sets")]
    assert listed == [(NAME, 2)]


def test_a_set_without_a_name_of_its_own_is_called_as_its_owner_says(anna: Guest) -> None:
    text = "\n".join(small_set().split("\n")[1:])
    made = anna.ask("POST", "/api/sets", {"name": "Дюны", "text": text})
    assert publish(anna, made)["name"] == "Дюны"


def test_whoever_changes_what_has_changed_meanwhile_is_told(anna: Guest) -> None:
    made = make_set(anna)
    anna.ask("PUT", f"/api/sets/{made['id']}", {"revision": 1, "about": "sand"})
    late = refused(anna, "PUT", f"/api/sets/{made['id']}", {"revision": 1, "text": "x"})
    assert late == (409, "workshop.changed_meanwhile")
    assert anna.ask("GET", f"/api/sets/{made['id']}")["text"] == small_set()


def test_of_many_who_change_at_once_one_does(anna: Guest) -> None:
    made = make_set(anna)
    with ThreadPoolExecutor(8) as pool:
        said = list(
            pool.map(
                lambda n: anna.try_to("PUT", f"/api/sets/{made['id']}", {"revision": 1, "about": str(n)})[0],
                range(8),
            )
        )
    assert sorted(said) == [200] + [409] * 7
    assert anna.ask("GET", f"/api/sets/{made['id']}")["revision"] == 2


def test_versions_that_are_published_at_once_have_numbers_of_their_own(anna: Guest, boris: Guest) -> None:
    """Each is read in its turn; whoever comes while one's own is being read is asked to wait."""
    sets = [make_set(anna, small_set(attack=n)) for n in (1, 2)]
    with ThreadPoolExecutor(6) as pool:
        said = [pool.submit(anna.try_to, "POST", f"/api/sets/{made['id']}/versions", {}) for made in sets * 3]
        answers = [one.result() for one in said]
    assert {status for status, _ in answers} <= {201, 429}
    for made in sets:
        publish(anna, made)
        assert [one["number"] for one in anna.ask("GET", f"/api/sets/{made['id']}")["versions"]] == [1]


def test_faults_of_a_draft_are_told_with_their_lines_and_nothing_is_published(anna: Guest) -> None:
    made = make_set(anna, small_set().replace("Attack 14.", "Attak 14.").replace("Attack 16.", "Attack."))
    status, problem = anna.try_to("POST", f"/api/sets/{made['id']}/versions", {})
    assert status == 422 and len(problem["reasons"]) == 2
    assert "set.toml:19" in problem["reasons"][0]["text"] and "Attack" in problem["reasons"][0]["text"]
    assert anna.ask("GET", f"/api/sets/{made['id']}")["versions"] == []


def test_who_may_see_a_set(anna: Guest, boris: Guest) -> None:
    made = make_set(anna, decks=[{"name": "First", "cards": DECK}])
    version = publish(anna, made)
    path = f"/api/sets/{made['id']}"
    assert refused(boris, "GET", path) == (404, "workshop.no_set")
    assert refused(boris, "GET", f"{path}/versions/1.toml") == (404, "workshop.no_set")
    anna.ask("PUT", path, {"revision": 2, "sight": "link"})
    seen = boris.ask("GET", path)
    assert (seen["text"], seen["mine"], seen["author"]) == (None, False, "Anna")
    assert seen["versions"] == [version] and seen["decks"][0]["name"] == "First"
    assert made["id"] not in [one["id"] for one in boris.ask("GET", "/api/sets?listed=1")]
    anna.ask("PUT", path, {"revision": 3, "sight": "listed"})
    assert made["id"] in [one["id"] for one in boris.ask("GET", "/api/sets?listed=1")]
    assert [one["id"] for one in boris.ask("GET", "/api/sets")] == []


def test_what_is_somebody_elses_cannot_be_changed(anna: Guest, boris: Guest) -> None:
    made = make_set(anna, sight="link")
    path = f"/api/sets/{made['id']}"
    assert refused(boris, "PUT", path, {"revision": 2, "name": "Mine"}) == (403, "workshop.not_yours")
    assert refused(boris, "DELETE", path) == (403, "workshop.not_yours")
    assert refused(boris, "POST", f"{path}/versions", {}) == (403, "workshop.not_yours")
    body = {"text": "Attack 3.", "set": made["id"]}
    assert refused(boris, "POST", "/api/workshop/card", body) == (403, "workshop.not_yours")


def test_a_deleted_set_is_gone_but_not_from_games(anna: Guest, boris: Guest) -> None:
    made = make_set(anna, sight="link")
    room = anna.make(game="duel", set={"id": made["id"]}, deck="random")
    digest = anna.ask("GET", f"/api/rooms/{room['room']}/cards")["digest"]
    anna.ask("DELETE", f"/api/sets/{made['id']}")
    assert refused(anna, "GET", f"/api/sets/{made['id']}") == (404, "workshop.no_set")
    assert boris.ask("GET", f"/api/card-sets/{digest}")["set"] == NAME
    boris.join(room, deck="random")


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "name", ["core", "Core 2", "c.0.r.é", "Сore", "Official", "основной", "<b>bold</b>", "a\u202eb", "ㅤ", " "]
)
def test_names_that_nobody_may_have(anna: Guest, name: str) -> None:
    """Neither for a set nor in its file, which may say so later."""
    status, code = refused(anna, "POST", "/api/sets", {"name": name, "text": ""})
    assert status == 422 and code in ("set.name", "set.core"), name
    made = make_set(anna)
    path = f"/api/sets/{made['id']}"
    assert refused(anna, "PUT", path, {"revision": 1, "name": name})[0] == 422
    anna.ask("PUT", path, {"revision": 1, "text": small_set(name)})
    assert refused(anna, "POST", f"{path}/versions", {})[0] == 422
    assert anna.ask("GET", path)["versions"] == []


def test_markup_stays_text(anna: Guest) -> None:
    """In names of cards and decks it is text like any other; pages are told it as JSON, never as HTML."""
    evil = "<img src=x onerror=alert(1)>"
    made = make_set(
        anna, small_set().replace("Card 1", evil), about=evil, decks=[{"name": evil, "cards": DECK}]
    )
    version = publish(anna, made)
    cards = anna.ask("GET", f"/api/card-sets/{version['digest']}")["cards"]
    assert cards[1]["name"]["en"] == evil
    assert anna.ask("GET", f"/api/card-sets/{version['digest']}/decks")[0]["name"]["en"] == evil
    request = urllib.request.Request(
        f"http://{anna.server.host}/api/sets/{made['id']}/versions/1.csv", headers=anna.headers
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        assert response.headers["content-type"].startswith("text/csv")
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/sets", {"name": "x" * 61}),
        ("POST", "/api/sets", {"name": "Large", "text": "#" * 60_001}),
        ("POST", "/api/sets", {"name": "Nothing", "text": "\x00"}),
        ("POST", "/api/sets", {"name": "Half", "text": "\ud800"}),
        ("POST", "/api/sets", {"name": "More", "colour": "red"}),
        ("POST", "/api/workshop/check", {"text": "#" * 60_001}),
        ("POST", "/api/workshop/card", {"text": "a" * 2001}),
        ("POST", "/api/workshop/effects", {"effects": [{"action": "attack"}] * 17}),
        ("POST", "/api/workshop/effects", {"effects": [{"action": "explode"}]}),
        ("POST", "/api/workshop/effects", {"effects": [{"action": "attack", "amount": 10**30}]}),
        ("POST", "/api/workshop/weigh", {}),
        ("POST", "/api/workshop/weigh", {"card": {"text": "Explode 3."}}),
        ("POST", "/api/variants", {"name": "x", "game": "chess"}),
        ("POST", "/api/variants", {"name": "x", "game": "duel", "options": {"health": 10**9}}),
        ("POST", "/api/variants", {"name": "ㅤ", "game": "duel"}),
        ("POST", "/api/variants", {"name": "Official rules", "game": "duel"}),
        ("POST", "/api/rooms", {"game": "duel", "set": {}}),
        ("POST", "/api/rooms", {"game": "duel", "set": {"id": "x", "digest": "0" * 32}}),
        ("POST", "/api/rooms", {"game": "madness", "set": {"digest": core_set().digest}}),
    ],
)
def test_what_is_refused_as_it_comes(anna: Guest, method: str, path: str, body: Json) -> None:
    status, answer = anna.try_to(method, path, body)
    wrong = (
        path.endswith("effects") and len(body["effects"]) == 1 and body["effects"][0]["action"] == "attack"
    )
    assert status == 422 or (wrong and answer["faults"]), answer


def test_a_body_that_is_too_large_is_not_read(anna: Guest) -> None:
    large = b'{"name": "Large", "text": "' + b"#" * 250_000 + b'"}'
    assert refused(anna, "POST", "/api/sets", large) == (413, "room.too_long")
    assert refused(anna, "POST", "/api/workshop/card", b'{"text": "' + b"a" * 30_000 + b'"}')[0] == 413


def test_there_are_only_so_many(anna: Guest) -> None:
    sets = [make_set(anna) for _ in range(4)]
    assert refused(anna, "POST", "/api/sets", {"name": "Fifth"}) == (429, "workshop.too_many_sets")
    made = sets[0]
    for n in range(5):
        anna.ask("PUT", f"/api/sets/{made['id']}", {"revision": n + 1, "text": small_set(attack=n)})
        publish(anna, made)
    anna.ask("PUT", f"/api/sets/{made['id']}", {"revision": 6, "text": small_set(attack=9)})
    many = refused(anna, "POST", f"/api/sets/{made['id']}/versions", {})
    assert many == (429, "workshop.too_many_versions")
    for n in range(3):
        anna.ask("POST", "/api/variants", {"name": f"Mine {n}", "game": "madness"})
    fourth = refused(anna, "POST", "/api/variants", {"name": "Fourth", "game": "madness"})
    assert fourth == (429, "workshop.too_many_variants")


def test_all_of_a_guests_sets_together_have_a_size(tmp_path: Path) -> None:
    with Server(sqlite_in(tmp_path), *QUICK, "--limit", "kept_bytes_per_guest=5000") as server:
        anna, boris = server.guest("Anna"), server.guest("Boris")
        made = make_set(anna, "# " + "ы" * 2000)
        assert refused(anna, "POST", "/api/sets", {"name": "More", "text": "#" * 1000}) == (
            429,
            "workshop.full",
        )
        path = f"/api/sets/{made['id']}"
        assert refused(anna, "PUT", path, {"revision": 1, "text": "ы" * 2600}) == (429, "workshop.full")
        assert anna.ask("PUT", path, {"revision": 1, "text": "ы" * 2400})["revision"] == 2
        make_set(boris, "#" * 4900)


def test_how_often_somebody_may_ask_is_bounded(tmp_path: Path) -> None:
    limits = (
        "readings_per_minute=5",
        "set_readings_per_minute=3",
        "saves_per_minute=4",
        "weighings_per_minute=1",
    )
    with Server(sqlite_in(tmp_path), *[part for one in limits for part in ("--limit", one)]) as server:
        anna = server.guest("Anna")
        for path, body, most in (
            ("/api/workshop/card", {"text": "Attack 3."}, 5),
            ("/api/workshop/check", {"text": "x"}, 3),
            ("/api/variants", {"name": "x", "game": "madness"}, 4),
            ("/api/workshop/weigh", {}, 1),
        ):
            said = [anna.try_to("POST", path, body)[0] for _ in range(most + 1)]
            assert said[-1] == 429 and 429 not in said[:-1], path
    assert Limits().readings_per_minute >= 120, "two a second, as somebody types"


# ---------------------------------------------------------------- cards


def test_a_card_is_read_as_it_is_written(anna: Guest) -> None:
    told = anna.ask("POST", "/api/workshop/card", {"text": "Attak 12. Next turn: heal 3. Hael 4."})
    assert [(one["start"], one["end"], one["nearest"]) for one in told["faults"]] == [
        (0, 5, "Attack"),
        (29, 33, "Heal"),
    ]
    assert told["card"] is None and told["price"] is None
    ask = {"text": "Attack 12. Next turn: he", "id": "mine", "name": {"ru": "Моя", "en": "Mine"}}
    told = anna.ask("POST", "/api/workshop/card", ask)
    assert told["completions"] == {"start": 22, "words": ["heal"]}
    told = anna.ask("POST", "/api/workshop/card", {**ask, "text": "Атака 12. В следующий ход: лечение 3."})
    assert told["faults"] == [] and told["card"]["text"]["en"] == "Attack 12. Next turn: heal 3."
    assert told["timeline"] == [{"turn": 0, "effects": [0]}, {"turn": 1, "effects": [1]}]
    assert parse_set("name = 'x'\n" + told["stanza"]).cards[0].name_ru == "Моя"
    assert [step["when"]["en"] for step in told["steps"]] == ["this turn", "next turn"]


def test_lists_and_texts_say_the_same(anna: Guest) -> None:
    """From each card of the core set to its effects and back."""
    for card in Random("lists").sample(core_set().cards, 12):
        read = anna.ask("POST", "/api/workshop/card", {"text": card.text("ru")})["card"]
        keys = anna.ask("GET", "/openapi.json")["components"]["schemas"]["PickedEffect"]["properties"]
        effects = [{key: effect[key] for key in keys} for effect in read["effects"]]
        picked = {"auto": read["auto"], "super": read["super"], "effects": effects}
        back = anna.ask("POST", "/api/workshop/effects", picked)
        assert back["card"]["text"] == read["text"] and back["faults"] == []


def test_near_cards_are_of_the_core_set_and_of_ones_own(anna: Guest) -> None:
    made = make_set(anna, small_set(attack=1) + '\n[[card]]\nid = "bad"\ntext = "Nonsense."\n')
    told = anna.ask("POST", "/api/workshop/card", {"text": "Attack 12.", "set": made["id"], "id": "card-9"})
    near = told["nearest"]
    assert near[0]["id"] == "ember" and near[0]["same"] and near[0]["set"] == "core"
    assert [one["id"] for one in near if one["set"] == "own"] == ["card-8", "card-7", "card-6"][:MOST_NEAR]


# ---------------------------------------------------------------- files


def test_a_hundred_cards_are_checked_at_once_with_all_faults(anna: Guest) -> None:
    text = small_set(cards=100).replace("Attack", "Attak")
    found = anna.ask("POST", "/api/workshop/check", {"text": text})
    assert len(found["faults"]) == 100 and found["digest"] is None
    assert found["faults"][0] | {"text": ""} == {
        "line": 7, "column": 9, "card": "card-0", "code": "set.text", "text": "",
    }  # fmt: skip
    assert "Attack" in found["faults"][0]["text"]
    lines = text.split("\n")
    for card in found["cards"]:
        assert lines[card["first"] - 1] == "[[card]]" and lines[card["last"] - 1].startswith("text")


def test_a_table_goes_in_and_out(anna: Guest) -> None:
    text = small_set()
    table = anna.ask("POST", "/api/workshop/check", {"text": text, "into": "csv"})["written"]
    assert table.split("\r\n")[0] == "id,name.ru,name.en,rarity,text"
    back = anna.ask(
        "POST", "/api/workshop/check", {"text": table, "format": "csv", "into": "toml", "name": NAME}
    )
    assert back["faults"] == [] and parse_set(back["written"]).digest == parse_set(text).digest
    assert back["digest"] == parse_set(text).digest
    wrong = table.replace("common", "gold", 1).replace("Attack 14", "Attak 14")
    found = anna.ask("POST", "/api/workshop/check", {"text": wrong, "format": "csv"})["faults"]
    assert [(one["line"], one["code"], one["card"]) for one in found] == [
        (2, "set.rarity", "card-0"),
        (4, "set.text", "card-2"),
    ]
    made = make_set(anna)
    publish(anna, made)
    assert text_of(anna, f"/api/sets/{made['id']}/versions/1.csv") == table


# ---------------------------------------------------------------- playing


def test_a_friend_looks_at_the_cards_and_plays_with_a_deck_of_the_set(anna: Guest, boris: Guest) -> None:
    made = make_set(
        anna, small_set(attack=30), decks=[{"name": "One", "cards": DECK}, {"name": "Two", "cards": OTHER}]
    )
    room = anna.make(game="duel", set={"id": made["id"]}, options={"health": 60})
    shown = boris.ask("GET", f"/api/rooms/{room['room']}")["welcome"]
    digest = anna.ask("GET", f"/api/sets/{made['id']}")["latest"]["digest"]
    cards = boris.ask("GET", f"/api/card-sets/{digest}")
    assert cards["set"] == NAME and not cards["core"] and len(cards["cards"]) == 10
    assert digest in json.dumps(shown)
    decks = boris.ask("GET", f"/api/card-sets/{digest}/decks")
    assert [deck["name"]["ru"] for deck in decks] == ["One", "Two"]
    assert set_of_code(decks[1]["code"]) == digest
    boris.join(room, deck=decks[1]["code"])
    seats = anna.sit(room["room"]), boris.sit(room["room"])
    for seat in seats:
        seat.ready()
    for seat in seats:
        seat.wait(lambda update: update["phase"] == "playing")
    play_on(seats, Random("friends"))
    record = json.loads(text_of(anna, f"/api/rooms/{room['room']}/record"))
    assert record["set"]["name"] == NAME
    for seat in seats:
        seat.close()


def test_decks_of_a_private_copy_are_nobody_elses(anna: Guest, boris: Guest) -> None:
    text = small_set(attack=17)
    first = make_set(anna, text, decks=[{"name": "First", "cards": DECK}])
    copy = make_set(boris, text, decks=[{"name": "Secret", "cards": OTHER}])
    digest = publish(anna, first)["digest"]
    assert publish(boris, copy)["digest"] == digest

    def names(guest: Guest) -> list[str]:
        return [deck["name"]["en"] for deck in guest.ask("GET", f"/api/card-sets/{digest}/decks")]

    assert (names(anna), names(boris)) == (["First"], ["Secret", "First"])
    boris.ask("PUT", f"/api/sets/{copy['id']}", {"revision": copy["revision"], "sight": "link"})
    assert names(anna) == ["First", "Secret"]


def test_a_bot_plays_any_set(anna: Guest) -> None:
    made = make_set(anna, decks=[{"name": "One", "cards": DECK}])
    version = publish(anna, made)
    code = anna.ask("GET", f"/api/card-sets/{version['digest']}/decks")[0]["code"]
    room = anna.make(
        game="duel",
        set={"id": made["id"], "version": 1},
        opponent="bot",
        bot="greedy",
        deck=code,
        their_deck=code,
    )
    assert anna.ask("GET", f"/api/rooms/{room['room']}/cards")["digest"] == version["digest"]
    again = anna.make(game="duel", set={"digest": version["digest"]}, opponent="bot", bot="greedy")
    assert anna.ask("GET", f"/api/rooms/{again['room']}/cards")["digest"] == version["digest"]


def test_somebody_elses_draft_is_not_played(anna: Guest, boris: Guest) -> None:
    made = make_set(anna, sight="link")
    assert refused(boris, "POST", "/api/rooms", {"game": "duel", "set": {"id": made["id"]}}) == (
        404,
        "workshop.no_version",
    )
    first = publish(anna, made)
    anna.ask("PUT", f"/api/sets/{made['id']}", {"revision": 2, "text": small_set(attack=1)})
    room = boris.make(game="duel", set={"id": made["id"]})
    assert boris.ask("GET", f"/api/rooms/{room['room']}/cards")["digest"] == first["digest"]


def test_decks_of_any_version_are_checked_by_the_house_rules_of_the_match(anna: Guest) -> None:
    version = publish(anna, make_set(anna))
    asked = {"cards": DECK, "set": version["digest"]}
    checked = anna.ask("POST", "/api/decks/check", asked)
    assert checked["faults"] == [] and set_of_code(checked["code"]) == version["digest"]
    assert checked["summary"]["cards"] == 16
    by_code = anna.ask("POST", "/api/decks/check", {"code": checked["code"]})
    assert by_code["cards"] == sorted(DECK) and by_code["set"] == version["digest"]
    strict = anna.ask("POST", "/api/decks/check", {**asked, "options": {"copies": 1}})
    assert strict["code"] is None and len(strict["faults"]) == 8
    assert "Card 0" in strict["faults"][0]["text"]
    hand = anna.ask("POST", "/api/decks/hand", {**asked, "options": {"hand": 3}})["hand"]
    assert len(hand) == 3 and set(hand) <= set(DECK)
    none = refused(anna, "POST", "/api/decks/check", {"cards": DECK, "set": "0" * 32})
    assert none == (404, "workshop.no_set")


def test_the_core_set_is_there_as_any_other(anna: Guest) -> None:
    digest = core_set().digest
    shown = anna.ask("GET", f"/api/card-sets/{digest}")
    assert shown["core"] and shown == anna.ask("GET", "/api/cards")
    assert anna.ask("GET", f"/api/card-sets/{digest}/decks") == anna.ask("GET", "/api/decks")
    made = anna.ask("POST", "/api/sets", {"name": "Copy", "text": CORE.read_text()})
    assert publish(anna, made)["digest"] == digest, "a copy of it is it"


# ---------------------------------------------------------------- house rules


def test_house_rules_have_a_name_and_an_address(anna: Guest, boris: Guest) -> None:
    asked = {"name": "Быстрая", "about": "За десять минут.", "game": "madness", "options": {"goal": 3}}
    made = anna.ask("POST", "/api/variants", asked)
    assert made["options"] == {"edition": "standard", "goal": 3} and "3" in made["title"]["ru"]
    path = f"/api/variants/{made['id']}"
    assert boris.ask("GET", path) | {"mine": True} == made
    assert made["id"] not in [one["id"] for one in boris.ask("GET", "/api/variants?listed=1")]
    assert refused(boris, "PUT", path, asked) == (403, "workshop.not_yours")
    anna.ask("PUT", path, {**asked, "listed": True})
    assert made["id"] in [one["id"] for one in boris.ask("GET", "/api/variants?listed=1&game=madness")]
    assert boris.ask("GET", "/api/variants?listed=1&game=duel") == []
    boris.make(game=made["game"], options=made["options"], opponent="self")
    anna.ask("DELETE", path)
    assert refused(boris, "GET", path) == (404, "workshop.no_variant")


# ---------------------------------------------------------------- whoever leaves


def test_what_a_guest_has_goes_with_them_to_another_device_out_and_away(server: Server, anna: Guest) -> None:
    made = make_set(anna, sight="listed", about="sand")
    version = publish(anna, made)
    anna.ask("POST", "/api/variants", {"name": "Mine", "game": "madness", "listed": True})
    phone = server.guest("Phone")
    phone.ask("POST", "/api/guest/take", {"code": anna.ask("POST", "/api/me/codes", {})["code"]})
    assert [one["id"] for one in phone.ask("GET", "/api/sets")] == [made["id"]]
    told = anna.ask("GET", "/api/me/export")
    assert told["sets"][0]["text"] == small_set()
    assert told["sets"][0]["versions"][0]["digest"] == version["digest"]
    assert told["variants"][0]["name"] == "Mine"
    anna.ask("DELETE", "/api/me")
    vera = server.guest("Vera")
    assert refused(vera, "GET", f"/api/sets/{made['id']}") == (404, "workshop.no_set")
    assert made["id"] not in [one["id"] for one in vera.ask("GET", "/api/sets?listed=1")]
