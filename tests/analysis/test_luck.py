"""Luck: what chance did in a game, told apart from what was decided."""

from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.analysis.luck import FATES, Luck, luck_of, luck_of_record
from coyote.analysis.madness import luck as compiled
from coyote.analysis.madness.fate import MadnessFate, mean_deal, new_eye, scratch, usual_deal
from coyote.analysis.madness.judge import shipped
from coyote.analysis.madness.study import Pupil, train
from coyote.games.game import Chance
from coyote.games.madness.actions import DRAW, PUSH
from coyote.games.madness.game import Madness
from coyote.games.registry import GAMES, make_game
from coyote.kernel.record import same
from coyote.lab.contest import Contest, Standing
from coyote.lab.games import Crew
from coyote.lab.series import play_one, series
from coyote.match import Match
from coyote.records import follow, read_records
from coyote.seeds import seed_from, seed_words

VECTORS = Path(__file__).parent.parent / "data" / "vectors"
VARIANTS: list[dict[str, Any]] = [
    {"edition": "standard"},
    {"edition": "classic"},
    {"edition": "standard", "fields": 2, "jokers": 0, "goal": 3, "komi": 1},
    {"edition": "classic", "chance": "no", "starvation": "no", "hand": 3, "extra": 2},
]


def fate_of(**options: Any) -> MadnessFate:
    game = make_game("madness", **options)
    return MadnessFate(game)


def is_whole(luck: Luck) -> bool:
    """The identity: luck, decisions and the rest are the result."""
    parts = luck.deal + luck.later + sum(luck.decisions) + luck.rest
    return abs(parts - luck.result) < 1e-9


def test_every_game_has_somebody_who_tells_its_luck() -> None:
    assert set(FATES) == set(GAMES)


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options.values())))
def test_luck_and_decisions_are_the_result_in_every_game(options: dict[str, Any]) -> None:
    fate = fate_of(**options)
    found = fate.by_thumb(seed_words(seed_from("identity")), 0, 200)
    for one in found:
        assert is_whole(fate.told(one))
        assert one["result"] in (0.0, 0.5, 1.0)


@pytest.mark.parametrize(("edition", "games"), [("standard", 4000), ("classic", 2000)])
def test_luck_is_nothing_on_average(edition: str, games: int) -> None:
    fate = fate_of(edition=edition)
    found = fate.by_thumb(seed_words(seed_from("on average")), 0, games)
    usual, error = fate.usual()
    for luck in (found["dealt"] - usual, found["draws"], found["dealt"] - usual + found["draws"]):
        assert abs(luck.mean()) < 3 * (luck.std() / np.sqrt(games) + error)


def test_a_result_less_its_luck_has_less_noise() -> None:
    fate = fate_of(edition="standard")
    found = fate.by_thumb(seed_words(seed_from("noise")), 0, 1500)
    luck = found["dealt"] - fate.usual()[0] + found["draws"]
    assert (found["result"] - luck).std() < 0.75 * found["result"].std()


def test_the_judge_fits_is_small_and_says_how_it_was_made() -> None:
    found = shipped()
    assert found is not None
    assert {"command", "seed", "commit"} <= set(found[1])
    assert files("coyote.analysis.madness").joinpath("judge.npz").read_bytes().__len__() < 100_000


def test_what_the_file_says_of_deals_is_what_its_judge_says() -> None:
    for edition in ("standard", "classic"):
        game = Madness(edition=edition)
        told, error = usual_deal(game)
        mean, doubt = mean_deal(game, new_eye(game), 1 << 14)
        assert abs(told - mean) < 4 * (error + doubt)


def test_m1_fourteen_ranks_say_the_same_as_all_cards_one_by_one() -> None:
    """In the middle of a game, for a draw and for a push (M15)."""
    fate, x = fate_of(edition="standard"), scratch()
    match = Match(fate.game, seed="folded")
    for move in ("a1 9D", "draw"):
        legal = match.legal()
        match.play(move if move in legal else legal[0])
    while match.wanted != "tut":
        match.play(match.legal()[0])
    table, seat = match.table(), match.actors[0]
    for action in (DRAW, PUSH):
        singly = []
        for place in range(int(table.left)):
            twin = same(table)
            compiled.bring_up(twin, place)
            fate.game.act(twin, seat, action, x.log, Chance())
            singly.append(compiled.stands_anywhere(twin, fate.game.row, x.log, fate.eye, x.room, x.tables))
        folded = compiled.on_average(table, fate.game.row, x.log, seat, action, fate.eye, x.room, x.tables)
        assert folded == pytest.approx(np.mean(singly), abs=1e-12)


@pytest.mark.parametrize("name", ["madness-standard", "madness-classic", "madness-house", "duel"])
def test_records_have_their_luck(name: str) -> None:
    for record in list(read_records(VECTORS / f"{name}.jsonl"))[:3]:
        luck = luck_of(follow(record))
        assert is_whole(luck)
        assert luck.error >= 0.0
        assert len(luck.moments) == len(record["moves"])
        assert luck.moments[-1].after == luck.result
        assert luck_of_record(record) == luck.total


def test_the_luck_of_a_duel_is_nothing_on_average_and_has_its_error() -> None:
    game = make_game("duel")
    setup, crew = game.settle(["thunderhead", "oasis"]), Crew()
    lucks = [
        luck_of(play_one(game, setup, ("greedy", "greedy"), series("duels"), k, crew).match)
        for k in range(40)
    ]
    assert all(map(is_whole, lucks)) and all(0.0 < luck.error < 0.5 for luck in lucks)
    totals = np.array([luck.total for luck in lucks])
    assert abs(totals.mean()) < 3 * totals.std() / np.sqrt(len(lucks))


def test_the_same_deal_is_worth_the_same_to_everybody() -> None:
    """What a deal is worth on average is one number for a game, whoever asks."""
    game = make_game("madness")
    assert isinstance(game, Madness)
    assert usual_deal(game) == usual_deal(make_game("madness"))
    assert 0.4 < usual_deal(game)[0] < 0.7 and usual_deal(game)[1] < 0.001


# ---------------------------------------------------------------- matches


def contest(pairs: int = 12) -> Contest:
    game = make_game("madness")
    return Contest(game, game.settle(), ("greedy", "level:1"), pairs, "luck", luck=True)


def test_a_match_tells_its_score_less_its_luck() -> None:
    standing = Standing()
    assert sum(contest().count(standing)) == 12
    told, adjusted = standing.as_json(None)["luck"], standing.adjusted
    pairs = (np.array(adjusted.points) - np.array(adjusted.luck)).mean(axis=1)
    assert told["score"]["share"] == pytest.approx(pairs.mean())
    assert told["score"]["low"] < told["score"]["share"] < told["score"]["high"]
    assert told["error"] == 0.0
    assert np.array(adjusted.points).mean() == pytest.approx(standing.as_json(None)["score"]["share"])


def test_a_match_without_luck_says_nothing_of_it() -> None:
    standing = Standing()
    assert sum(replace(contest(2), luck=False).count(standing)) == 2
    assert "luck" not in standing.as_json(None)


def test_the_judge_of_luck_learns_how_games_end() -> None:
    game, dice = Madness(), Random("lessons")
    tables, targets = list[Any](), list[float]()
    for number in range(24):
        match = Match(game, seed=f"lesson {number}")
        before = len(tables)
        while not match.over:
            tables.append(np.array(match._state))
            seat = match.actors[0]
            match.play_action(dice.choice(match.legal_actions(seat)), seat)
        assert match.result is not None
        points = 0.5 if match.result.winner is None else float(match.result.winner == 0)
        targets += [points] * (len(tables) - before)
    lessons = (np.array(tables), np.array(targets), np.array([game.row]), np.zeros(len(tables), np.int64))
    losses = list[float]()
    every = np.arange(len(tables))
    train(Pupil(1), lessons, every, every, 12, 1, lambda _epoch, learned, _: losses.append(learned), 0.01, 64)
    assert losses[-1] < losses[0] - 0.2, losses
