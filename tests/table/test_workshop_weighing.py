"""Weighing at a real server: a card, the decks of a set, one job a guest, given up, played by any process."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from coyote.games.duel.sets import core_set
from coyote.lab.stats import Interval
from coyote.table import admin, retention, shelf
from coyote.table.card_sets import CardSets
from coyote.table.identity import Guest as Person
from coyote.table.limits import Denied, Limits
from coyote.table.store import Store, Write, milliseconds
from coyote.table.weigher import AHEAD, BY_THUMB, answers, scale_for, usual_card, verdict
from coyote.table.weighing import FORGOTTEN, Weigh, Weighings
from coyote.text import Refused
from table.kit_table import PATIENCE, Guest, Server, sqlite_in
from table.kit_workshop import DECK, OTHER, Json, make_set, publish, small_set
from table.test_table import postgres  # noqa: F401 - a fixture


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("weighing"))) as server:
        yield server


def finished(guest: Guest, job: Json) -> Json:
    until = time.monotonic() + PATIENCE
    while job["state"] in ("waiting", "playing") and time.monotonic() < until:
        time.sleep(0.2)
        job = guest.ask("GET", f"/api/workshop/jobs/{job['job']}")
    return job


def test_cards_are_weighed_in_words_and_numbers(server: Server) -> None:
    anna = server.guest("Anna")
    strong = finished(anna, anna.ask("POST", "/api/workshop/weigh", {"card": {"text": "Attack 40."}}))
    assert strong["state"] == "done" and strong["progress"] == 1, strong
    told = strong["card"]
    assert told["says"] == "strong" and told["more"]["low"] > 0.1 and told["same"] == []
    assert told["text"]["en"].startswith("Too strong") and told["text"]["ru"].startswith("Слишком сильная")
    dead = finished(anna, anna.ask("POST", "/api/workshop/weigh", {"card": {"text": "Лечение 0."}}))["card"]
    assert dead["says"] == "dead" and dead["worth"]["low"] <= 0 <= dead["worth"]["high"]
    same = finished(anna, anna.ask("POST", "/api/workshop/weigh", {"card": {"text": "Attack 12."}}))["card"]
    assert (same["says"], same["same"]) == ("usual", ["ember"])
    assert same["more"]["low"] <= 0 <= same["more"]["high"], "measured by itself"
    assert "Ember" in same["text"]["en"] and "Уголёк" in same["text"]["ru"]


def test_the_decks_of_a_set_are_played_against_each_other(server: Server) -> None:
    anna = server.guest("Anna")
    made = make_set(anna, small_set(attack=5), decks=[{"name": "Low", "cards": DECK}])
    version = publish(anna, made)
    few = anna.try_to("POST", "/api/workshop/weigh", {"set": {"set": version["digest"]}})
    assert (few[0], few[1]["code"]) == (422, "workshop.few_decks")
    decks = [{"name": "Low", "cards": DECK}, {"name": "High", "cards": OTHER}]
    anna.ask("PUT", f"/api/sets/{made['id']}", {"revision": 2, "decks": decks})
    job = finished(anna, anna.ask("POST", "/api/workshop/weigh", {"set": {"set": version["digest"]}}))
    told = job["decks"]
    assert told["names"] == ["Low", "High"] and told["field"][1]["low"] > 0.5
    assert told["matrix"][0][0] is None and told["games"] == 400
    assert told["text"]["ru"].startswith("Сильнее всех «High»")


def test_a_guest_has_one_job_and_gives_it_up_for_the_next(server: Server) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    first = anna.ask("POST", "/api/workshop/weigh", {"card": {"text": "Attack 11."}})
    second = anna.ask("POST", "/api/workshop/weigh", {"card": {"text": "Attack 13."}})
    assert anna.try_to("GET", f"/api/workshop/jobs/{first['job']}")[0] == 404
    assert boris.try_to("GET", f"/api/workshop/jobs/{second['job']}")[0] == 404
    assert boris.try_to("DELETE", f"/api/workshop/jobs/{second['job']}")[0] == 404
    theirs = boris.ask("POST", "/api/workshop/weigh", {"card": {"text": "Heal 11."}})
    anna.ask("DELETE", f"/api/workshop/jobs/{second['job']}")
    assert anna.try_to("GET", f"/api/workshop/jobs/{second['job']}")[1]["code"] == "workshop.no_job"
    assert finished(boris, theirs)["state"] == "done", "whoever waits comes next"


def test_what_the_numbers_say() -> None:
    def known(mean: float) -> Interval:
        return Interval(mean, mean - 0.01, mean + 0.01)

    assert verdict(known(0.3), known(0.2), BY_THUMB) == "strong"
    assert verdict(known(0.3), Interval(0.2, 0.05, 0.35), BY_THUMB) == "usual", "nothing is said for sure"
    assert verdict(known(0.03), known(-0.2), BY_THUMB) == "weak"
    assert verdict(known(-0.05), known(-0.2), BY_THUMB) == "dead"
    assert usual_card(core_set().by_id["campfire"]).program.auto


def test_who_looks_ahead_weighs_what_becomes_of_cards() -> None:
    """Rules of thumb take a card that dries the other's deck for one that does nothing."""
    assert scale_for(core_set().by_id["ember"]) is BY_THUMB
    job = {"kind": "card", "id": "-", "rarity": "common", "text": "Opponent: set aside 4 cards from deck."}
    told = next(answers(job))
    assert told["ahead"] and told["games"] == 3 * AHEAD.chunk and told["says"] != "dead"


def test_a_job_that_cannot_be_played_says_why() -> None:
    job: Json = {"kind": "set", "cards": None, "decks": [{"name": "One", "cards": ["ember"]}], "options": {}}
    with pytest.raises(Refused) as caught:
        answers(job)
    assert caught.value.code == "workshop.few_decks"


# ---------------------------------------------------------------- rows, in both databases


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = sqlite_in(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres")
    store = Store(url)
    yield store
    store.close()


def guest_in(store: Store, name: str) -> Person:
    guest = Person(f"{name}-{time.time_ns()}", name)
    now = milliseconds()
    row = {"id": guest.id, "name": name, "owner": "", "made_at": now, "seen_at": now, "named": True}
    store.keep_now(Write(guests=[row]))
    return guest


class HallOf:
    """As much of a hall as jobs need."""

    def __init__(self, store: Store) -> None:
        self.store = store


def test_any_process_takes_the_job_that_waits_longest(store: Store) -> None:
    ours = Weighings(HallOf(store), CardSets(store))  # type: ignore[arg-type]
    guests = [guest_in(store, name) for name in ("anna", "boris")]
    job = ours.job_of(Weigh.model_validate({"card": {"text": "Attack 3."}}), guests[0])
    first, second = (ours.keep(guest, job) for guest in guests)
    assert (ours.ahead(first), ours.ahead(second)) in ((0, 1), (0, 0))
    taken = ours.take_next()
    assert taken and taken["id"] == first["id"]
    assert ours.note(first, progress=0.5) and ours.find(first["id"], guests[0])["progress"] == 0.5
    with pytest.raises(Denied):
        ours.find(first["id"], guests[1])
    ours.keep(guests[0], job)
    assert not ours.note(first, progress=0.7), "it was given up"
    taken = ours.take_next()
    assert taken and taken["id"] == second["id"]
    with admin.changing(store) as connection:
        connection.execute(sa.text("UPDATE weighings SET alive = alive - :late"), {"late": 2 * FORGOTTEN})
    taken = ours.take_next()
    assert taken and taken["id"] == second["id"], "whoever played it is gone"
    retention.prune(store, milliseconds() + 2 * retention.DAY)
    assert ours.take_next() is None


def test_sets_and_house_rules_are_kept_in_both_databases(store: Store) -> None:
    anna, limits = guest_in(store, "anna"), Limits()
    row = shelf.new_set(store, anna.id, "Дюны", "text ы", limits)
    changed = shelf.change_set(store, row, 1, {"text": "other", "sight": "listed"}, limits)
    assert changed["revision"] == 2
    with pytest.raises(Denied) as caught:
        shelf.change_set(store, row, 1, {"text": "late"}, limits)
    assert caught.value.status == 409
    version = shelf.Version("d" * 32, "Дюны", 3, "other", "{}")
    first = shelf.publish(store, changed, version, limits)
    assert first["number"] == 1 and shelf.publish(store, changed, version, limits)["number"] == 1
    assert shelf.publish(store, changed, version._replace(digest="e" * 32), limits)["number"] == 2
    assert [one["id"] for one in shelf.listed_sets(store) if one["guest"] == anna.id] == [row["id"]]
    assert store.card_set("d" * 32) == "{}"
    told = {"name": "Mine", "about": "", "game": "madness", "options": "{}", "listed": True}
    kept = shelf.new_variant(store, anna.id, told, limits)
    assert shelf.change_variant(store, kept, {**told, "name": "Ours"})["name"] == "Ours"
    assert [one["name"] for one in shelf.listed_variants(store, "madness") if one["guest"] == anna.id] == [
        "Ours"
    ]
    exported = json.loads("".join(admin.export_guest(store, anna.id)))
    assert [one["number"] for one in exported["sets"][0]["versions"]] == [1, 2]
    small = Limits(kept_bytes_per_guest=20)
    with pytest.raises(Denied) as full:
        shelf.change_set(store, changed, 2, {"text": "ы" * 10}, small)
    assert full.value.code == "workshop.full"
    later = milliseconds() + 1000 * retention.DAY
    retention.prune(store, later)
    assert store.card_set("d" * 32) == "{}" and store.guest(anna.id), "what was published stays"
    admin.delete_guest(store, anna.id)
    assert shelf.set_of(store, row["id"]) is None and shelf.version_of(store, row["id"], 1) is None
    retention.prune(store, later)
    assert store.card_set("d" * 32) is None


def test_drafts_that_came_to_nothing_go_after_a_year(store: Store) -> None:
    anna = guest_in(store, "anna")
    shelf.new_set(store, anna.id, "Дюны", "text", Limits())
    retention.prune(store, milliseconds() + 364 * retention.DAY)
    assert len(shelf.sets_of(store, anna.id)) == 1
    retention.prune(store, milliseconds() + 366 * retention.DAY)
    assert store.guest(anna.id) is None, "nothing keeps them any more"
