"""Tuning: what is wanted, how far a variant is from it, and trade-offs that nothing beats."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from coyote.games.game import Json
from coyote.games.registry import make_game
from coyote.lab.engines import engine_named
from coyote.lab.kept import run
from coyote.lab.stats import Interval
from coyote.lab.tune import Target, Tuning, by_deck, names_of, read_target, size_of
from coyote.lab.tune_report import report
from coyote.lab.variants import changes_of
from coyote.text import LANGUAGES, Lang, Refused, Words

MADNESS = make_game("madness")


def quiet(what: str, done: int, total: int) -> None:
    Words("en")(what)


def tuning(**settings: Any) -> Tuning:
    usual: Json = {
        "base": MADNESS, "given": {}, "vary": {"komi": [0, 1, 2, 3], "chance": ["no", "yes"]}, "decks": [()],
        "targets": [read_target(MADNESS, "first-seat=30..35")], "bots": ["random", "random"], "seed": "tune",
        "trials": 5, "games": 100, "fresh": 60,
    }  # fmt: skip
    return Tuning(**{**usual, **settings})


def serially(asked: Tuning) -> Json:
    with engine_named("serial") as engine:
        return asked.ask(partial(run, engine), quiet)


# ---------------------------------------------------------------- what is wanted


def test_shares_are_in_percent_and_numbers_are_not() -> None:
    assert read_target(MADNESS, "first-seat=49..51") == Target("first-seat", 0.49, 0.51)
    assert read_target(MADNESS, "turns=12..20") == Target("turns", 12, 20)
    assert read_target(MADNESS, "moves.push=5..").low == 0.05


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("draws", "--target takes NAME=LOW..HIGH"),
        ("draws=5", "--target takes NAME=LOW..HIGH"),
        ("draws=..", "--target takes NAME=LOW..HIGH"),
        ("draws=5..3", "--target takes NAME=LOW..HIGH"),
        ("draws=a..b", "--target takes NAME=LOW..HIGH"),
        ("fun=5..", "there is no measure fun; there is: first-seat, draws"),
        ("ends.health=5..", "there is no measure ends.health"),
        ("best-deck=..55", "there is no measure best-deck"),
    ],
)
def test_a_target_that_is_none_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        read_target(MADNESS, text)
    assert refused.value.message("en").startswith(sentence)


def test_distance_is_in_points_and_hundredths() -> None:
    draws, turns = Target("draws", 0, 0.05), Target("turns", 20, 40)
    assert draws.distance(Interval(0.03, 0, 1)) == 0
    assert draws.distance(Interval(0.08, 0, 1)) == pytest.approx(3)
    assert turns.distance(Interval(18, 0, 1)) == pytest.approx(10)
    assert turns.distance(Interval(50, 0, 1)) == pytest.approx(25)


def test_a_target_is_met_when_the_whole_interval_is_there() -> None:
    seat = Target("first-seat", 0.49, 0.51)
    assert seat.verdict(Interval(0.5, 0.495, 0.505)) == "met"
    assert seat.verdict(Interval(0.5, 0.48, 0.505)) == "open"
    assert seat.verdict(Interval(0.6, 0.59, 0.61)) == "missed"


def test_every_measure_that_can_be_a_target_is_measured() -> None:
    measured = serially(tuning(trials=1, games=20, fresh=20))["front"][0]["fresh"]
    for name in names_of(MADNESS):
        found = Target(name, 0, 1).of(measured)
        assert found is not None and found.low <= found.mean <= found.high, name


# ---------------------------------------------------------------- changes


def test_few_and_small_changes_are_small() -> None:
    sizes = [
        size_of(MADNESS, make_game("madness", **options))
        for options in ({}, {"goal": 6}, {"goal": 8}, {"goal": 6, "komi": 1}, {"chance": "no"})
    ]
    assert sizes == pytest.approx([0, 1, 1.2, 2, 1])


def test_another_edition_is_one_change() -> None:
    classic = make_game("madness", edition="classic", komi=1)
    assert changes_of(MADNESS, classic) == {"edition": "classic", "komi": 1}
    assert size_of(MADNESS, classic) == 2


# ---------------------------------------------------------------- the answer


def test_trade_offs_are_those_that_nothing_beats() -> None:
    found = serially(tuning())
    assert len(found["tried"]) in (5, 6), "the game as it is, and five others unless it was one of them"
    front = found["front"]
    assert [one["size"] for one in front] == sorted({one["size"] for one in front})
    assert [one["distance"] for one in front] == sorted((one["distance"] for one in front), reverse=True)
    for one in found["tried"]:
        assert any(best["size"] <= one["size"] and best["distance"] <= one["distance"] for best in front)
    assert front[0]["changes"] == {}


def test_the_same_seed_finds_the_same(tmp_path: Any) -> None:
    assert serially(tuning()) == serially(tuning())


def test_what_is_told_was_measured_on_fresh_games() -> None:
    played: set[tuple[str, int]] = set()
    chosen: set[tuple[str, int]] = set()

    def watched(task: Any, pieces: Any) -> Any:
        listed = list(pieces)
        target = chosen if listed[0]["first"] < 100 else played
        target |= {(str(one["variant"]), one["first"] + k) for one in listed for k in range(one["n"])}
        with engine_named("serial") as engine:
            yield from run(engine, task, listed)

    found = tuning().ask(watched, quiet)
    assert played and not played & chosen
    assert all(one["fresh"]["games"] == 60 for one in found["front"])


def test_impossible_variants_are_passed_over() -> None:
    found = serially(tuning(vary={"goal": [2, 5], "komi": [0, 3]}, trials=4))
    assert all((one["options"].get("goal"), one["options"].get("komi")) != (2, 3) for one in found["tried"])
    assert len(found["tried"]) == 3


def test_a_field_of_decks_is_measured_deck_by_deck() -> None:
    duel = make_game("duel")
    targets = [read_target(duel, "best-deck=..55")]
    pairs = [("oasis", "briar"), ("oasis", "pack"), ("briar", "pack")]
    asked = tuning(
        base=duel, vary={"health": [40, 80]}, decks=pairs, targets=targets, trials=2, games=30, fresh=30
    )
    found = serially(asked)["front"][0]["fresh"]
    means = [deck["mean"] for deck in found["decks"].values()]
    assert set(found["decks"]) == {"oasis", "briar", "pack"} and sum(means) == pytest.approx(1.5)
    assert found["best_deck"]["mean"] == max(means) and found["worst_deck"]["mean"] == min(means)


def test_points_of_decks_add_up() -> None:
    from coyote.lab.measures import pack

    found = by_deck([("a", "b")], [[{"scores": pack(np.array([2, 2, 1, 0])), "games": 4}]])["decks"]
    assert (found["a"]["mean"], found["b"]["mean"]) == (0.625, 0.375)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_report_has_every_trade_off_with_its_flags(lang: Lang) -> None:
    wanted = ("first-seat=20..25", "draws=..5", "ends.lead=50..", "turns=10..20")
    targets = [read_target(MADNESS, text) for text in wanted]
    asked = tuning(trials=3, games=40, fresh=40, targets=targets)
    found = {
        "game": "madness", "rules": 1, "options": MADNESS.options, "bots": asked.bots, "seed": "tune",
        "targets_wanted": [target.as_json() for target in asked.targets], **serially(asked),
        "command": "coyote lab tune", "seconds": 1.0, "table": "https://table.example",
    }  # fmt: skip
    html = report(found, Words(lang)).html(lang)
    assert len(html.encode()) < 150_000
    for one in found["front"]:
        for name, value in one["changes"].items():
            assert f"--option {name}={value}" in html
    assert html.count("https://table.example/?") == len(found["front"])
