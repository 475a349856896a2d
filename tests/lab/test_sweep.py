"""Sweeps: the same deals in every variant, the same answer from everybody, and what is known of it."""

from collections.abc import Callable, Generator, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coyote.games.game import Json
from coyote.games.registry import make_game
from coyote.lab.engines import engine_named
from coyote.lab.kept import kept_in, run, spec_of
from coyote.lab.stats import looks
from coyote.lab.sweep import Sweep, games_at_once, play_piece
from coyote.lab.sweep_report import report
from coyote.lab.variants import MOST_VARIANTS, grid
from coyote.text import LANGUAGES, Lang, Words

BOTS = ["random", "random"]
SOME = {"mean": 0.123456, "low": 0.112345, "high": 0.134567}
USUAL_ENDS = {"ends": dict.fromkeys(("lead", "starvation", "endurance", "stall"), SOME)}


def quiet(what: str, done: int, total: int) -> None:
    assert 0 <= done <= total
    Words("en")(what)


def sweep(
    vary: Json, most: int = 300, within: float | None = None, weighed: int = 0, **options: Any
) -> Sweep:
    base = make_game("madness", **options)
    variants = [(game, game.settle()) for game in grid(base, options, vary)]
    return Sweep(base, variants, BOTS, "sweep", most, within, weighed)


def serially(asked: Sweep) -> Json:
    with engine_named("serial") as engine:
        return asked.ask(partial(run, engine), quiet)


def told(asked: Sweep, vary: Json, found: Json) -> Json:
    """As the command tells it."""
    return {
        "game": asked.base.name, "rules": asked.base.rules_version, "options": asked.base.options,
        "bots": asked.bots, "seed": asked.seed, "vary": vary, "each": False,
        "most": asked.most, "within": asked.within, "weighed": asked.weighed, **found,
        "command": "coyote lab sweep", "seconds": 1.0,
    }  # fmt: skip


def test_variants_play_the_same_deals() -> None:
    """Points of a round that never comes change nothing at all, game by game."""
    asked = sweep({"goal": [1], "hand-points": [1, 3]}, most=200)
    one, other = serially(asked)["variants"]
    assert other["difference"]["mean"] == 0
    assert one["turns"] == other["turns"] and one["moves"] == other["moves"]


def test_what_is_varied_shows() -> None:
    found = serially(sweep({"komi": [0, 3]}, most=400))["variants"]
    assert found[1]["difference"]["high"] < 0, "a lead for seat 1 costs seat 0 points"
    without = serially(sweep({"starvation": ["no"]}, most=100))["variants"][0]
    assert without["ends"]["starvation"]["mean"] == 0
    assert without["moves"]["attack"]["a_game"]["mean"] > 1


def test_the_base_is_compared_with_itself() -> None:
    found = serially(sweep({"goal": [4, 5, 6]}, most=50))
    assert found["base"] == 1, "the game as it is"
    assert found["variants"][1]["difference"] == {"mean": 0, "low": 0, "high": 0}


def test_it_stops_at_a_look_when_differences_are_known_well_enough() -> None:
    found = serially(sweep({"goal": [5, 6]}, most=5000, within=0.06))
    games = found["variants"][0]["games"]
    assert found["settled"] and games in list(looks(5000)) and games < 5000
    assert found["variants"][1]["difference"]["high"] - found["variants"][1]["difference"]["low"] <= 0.12
    short = serially(sweep({"goal": [5, 6]}, most=100, within=0.001))
    assert not short["settled"] and short["variants"][1]["games"] == 100


def test_the_answer_does_not_depend_on_who_played(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = sweep({"goal": [5, 6]}, most=900, within=0.05, weighed=2)
    alone = serially(asked)
    with engine_named("local") as engine:
        assert asked.ask(partial(run, engine), quiet) == alone
    monkeypatch.setattr("coyote.lab.sweep.games_at_once", lambda bots: 70)
    assert serially(asked) == alone


class Enough(Exception):
    """The run is killed."""


def stopping(pieces_wanted: int, whole: Callable[..., Any]) -> Callable[..., Any]:
    """A run that is killed after so many pieces."""

    def cut(task: Any, pieces: Iterable[Json]) -> Generator[tuple[Json, Json], None, None]:
        for number, found in enumerate(whole(task, pieces)):
            if number == pieces_wanted:
                raise Enough
            yield found

    return cut


def test_a_run_that_was_killed_goes_on_to_the_same_answer(tmp_path: Path) -> None:
    asked, path = sweep({"goal": [5, 6]}, most=600, weighed=2), tmp_path / "found.jsonl"
    alone = serially(asked)
    spec = spec_of("sweep", {"goal": [5, 6]}, "sweep")
    with engine_named("serial") as engine:
        with kept_in(path, spec) as kept, pytest.raises(Enough):
            asked.ask(stopping(3, partial(run, engine, kept=kept)), quiet)
        with kept_in(path, spec) as kept:
            assert len(kept) == 4, "the piece that was not told any more is kept, too"
            assert asked.ask(partial(run, engine, kept=kept), quiet) == alone


def test_pieces_are_smaller_where_bots_think() -> None:
    sizes = [games_at_once([bot, "random"]) for bot in ("random", "greedy", "search:100", "search:5000")]
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] >= 1


def test_choices_are_weighed() -> None:
    found = serially(sweep({}, most=20, weighed=6))["variants"][0]["matters"]
    assert found["decisions"] <= 6
    assert 0 <= found["second"]["mean"] <= 1 and 0 <= found["mean"]["mean"] <= 1


def test_a_duel_is_swept_with_its_decks() -> None:
    base = make_game("duel")
    variants = [(game, game.settle(["oasis", "briar"])) for game in grid(base, {}, {"health": [30, 100]})]
    found = serially(Sweep(base, variants, BOTS, "duel", 40, None, 0))["variants"]
    assert found[0]["turns"]["mean"] < found[1]["turns"]["mean"]
    assert set(found[0]["moves"]) == {"hold", "play"}


def test_a_piece_holds_only_what_json_can() -> None:
    asked = sweep({"goal": [5]}, most=10)
    piece = next(asked._pieces(10))
    found = play_piece(piece)
    assert found["games"] == 10 and isinstance(found["scores"], str)


def test_the_largest_grid_makes_no_page_that_is_too_large() -> None:
    """All variants that there may be, each with numbers of usual length."""
    vary = {"goal": list(range(6, 14)), "komi": list(range(5))}
    asked = sweep(vary, most=3)
    found = told(asked, vary, serially(asked))
    found["variants"] = [{**one, **USUAL_ENDS} for one in found["variants"]]
    assert len(found["variants"]) == MOST_VARIANTS
    for each in (False, True):
        assert len(report({**found, "each": each}, Words("ru")).html("ru").encode()) < 150_000


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "vary",
    [{}, {"goal": [4, 5]}, {"edition": ["standard", "classic"], "goal": [4, 5]}, {"chance": ["no", "yes"]}],
    ids=["nothing", "number", "grid", "words"],
)
def test_a_report_tells_every_variant(vary: Json, lang: Lang) -> None:
    asked = sweep(vary, most=30, weighed=2 if not vary else 0)
    found = {**told(asked, vary, serially(asked)), "table": "https://table.example"}
    made = report(found, Words(lang))
    html = made.html(lang)
    assert len(html.encode()) < 150_000 and "<script" not in html
    assert html.count("https://table.example/?game=madness&amp;edition=") == len(asked.variants)
    assert all(f"goal={value}" in html for value in vary.get("goal", []) if value != 5)
