"""The nets of Madness: their file, what they see, how the search uses them, and that they learn."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.bots.madness import study
from coyote.bots.madness.inputs import MOST_SET, N_INPUTS, N_OPTIONS, N_OWN, list_all, list_options, list_own
from coyote.bots.madness.mind import MadnessMind, use_nets
from coyote.bots.madness.nets import NET, SHEET, judge_by_net, nets, set_biases, weigh_moves
from coyote.bots.madness.school import Class, Pupil, fresh_nets, house_rules
from coyote.bots.madness.tree import MANNER, WORK
from coyote.bots.net import NoNet, as_weights, fill, load, save
from coyote.bots.training import Course, Found, train
from coyote.games.game import NO_SETUP, Chance
from coyote.games.madness.game import Madness
from coyote.games.madness.state import OVER
from coyote.kernel.events import silent_log
from coyote.kernel.record import first, new, record_dtype
from coyote.questions import Budget, Question
from coyote.seeds import seed_from, seed_words
from kit.play import EDITIONS

GAMES = 60
SMALL = {"fields": 2, "goal": 3, "hand": 3, "jokers": 0}
editions = pytest.mark.parametrize("edition", EDITIONS)


def words(text: str) -> Any:
    return seed_words(seed_from(text))


def states(game: Madness, name: str, n: int) -> list[tuple[Any, int]]:
    """So many decisions of random games, and who decides."""
    found: list[tuple[Any, int]] = []
    log, rng = silent_log(), Random(name)
    while len(found) < n:
        s = game.deal(NO_SETUP, words(f"{name} {len(found)}"))
        while actors := game.actors(s):
            seat = 0 if actors & 1 else 1
            found.append((s.copy(), seat))
            game.act(s, seat, rng.choice(game.legal(s, seat)), log, Chance())
    return found[:n]


def listed(sheet: Any) -> list[tuple[int, float]]:
    n = int(sheet.n_set)
    return sorted(zip(sheet.rows[:n].tolist(), sheet.worths[:n].tolist(), strict=True))


def twin_of(s: Any) -> Any:
    """The same table with the seats exchanged."""
    twin = s.copy()
    twin.hands[:], twin.held[:] = s.hands[::-1], s.held[::-1]
    twin.tops[:], twin.heights[:] = s.tops[:, ::-1], s.heights[:, ::-1]
    twin.lead, twin.mover = -s.lead, 1 - s.mover
    for field in range(4):
        for name in ("last", "winner"):
            if s[name][field] >= 0:
                twin[name][field] = 1 - s[name][field]
    return twin


# ---------------------------------------------------------------- inputs


@editions
def test_inputs_fit_their_tables_and_the_own_ones_need_no_other_hand(edition: str) -> None:
    sheet, bare = new(record_dtype(SHEET)), new(record_dtype(SHEET))
    dice = Random(f"inputs {edition}")
    variants = [Madness(edition=edition), *(house_rules(edition, dice) for _ in range(8))]
    for game in variants:
        list_options(game.row, sheet)
        assert all(0 <= row < N_OPTIONS for row, _ in listed(sheet))
        for s, seat in states(game, f"inputs {game.options}", 150):
            list_all(s, game.row, np.int64(seat), sheet)
            assert sheet.n_set + N_OPTIONS < MOST_SET
            assert all(N_OPTIONS <= row < N_INPUTS for row, _ in listed(sheet))
            list_own(game.view(s, seat), game.row, np.int64(seat), bare)
            assert listed(bare) == [each for each in listed(sheet) if each[0] < N_OWN]


@editions
def test_seats_exchanged_the_inputs_are_the_same(edition: str) -> None:
    game = Madness(edition=edition)
    ours, theirs = new(record_dtype(SHEET)), new(record_dtype(SHEET))
    for s, seat in states(game, "twins", 300):
        list_all(s, game.row, np.int64(seat), ours)
        list_all(twin_of(s), game.row, np.int64(1 - seat), theirs)
        assert listed(ours) == listed(theirs)


# ---------------------------------------------------------------- files


def test_the_package_has_nets_with_their_story() -> None:
    _, there = nets()
    assert there
    path = Path(study.__file__).with_name("nets.npz")
    assert path.stat().st_size < 300_000
    _, story = load(path)
    assert story["command"].startswith("python tools/train_madness.py --folder lessons")
    assert {"seed", "commit"} <= set(story)


@editions
def test_the_search_goes_by_the_net_and_under_house_rules_too(edition: str) -> None:
    mind = MadnessMind(Madness(edition=edition, fields=2, goal=8))
    assert mind.manner.has_nets
    other = new(MANNER)
    set_biases(other, mind.nets[0], Madness(edition=edition).row)
    assert not np.allclose(mind.manner.bias, other.bias)


def test_a_net_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    weights = as_weights(fresh_nets(1)[0])
    save(tmp_path / "whole.npz", weights, {"seed": "a"})
    found, story = load(tmp_path / "whole.npz")
    fill(np.zeros(1, NET)[0], found)
    assert story == {"seed": "a"}
    save(tmp_path / "short.npz", {**weights, "first": weights["first"][1:]}, {})
    for name, lacks in (("short.npz", "first"), ("none.npz", "none.npz")):
        with pytest.raises(NoNet, match=lacks):
            fill(np.zeros(1, NET)[0], load(tmp_path / name)[0])


def test_without_a_net_the_search_goes_by_habits_and_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coyote.bots.madness.mind.nets", lambda: (np.zeros(1, NET), False))
    game = Madness()
    mind = MadnessMind(game)
    assert not mind.manner.has_nets
    s = game.deal(NO_SETUP, words("without"))
    question = Question(game.view(s, 0), 0, game.legal(s, 0))
    answer = mind.search(question, words("without"), Budget(simulations=100))
    assert answer.action in question.legal and sum(t.examined for t in answer.thoughts) >= 100


# ---------------------------------------------------------------- learning


def small_class(course: Course, games: int) -> Class:
    """Of a reduced game: two fields, three cards, no jokers, a short way to the goal."""
    return Class(fresh_nets(1), course, "small", games, [Madness(**SMALL)])


@pytest.fixture(scope="module")
def played() -> tuple[Pupil, Any, int]:
    """One who has played, the options, and how many lessons there are."""
    return lessons_with(0.97)


def lessons_with(reach: float) -> tuple[Pupil, Any, int]:
    pupil = Pupil(GAMES)
    return pupil, *pupil.play(first(fresh_nets(1)), "small", reach, [Madness(**SMALL)])


def test_lessons_are_the_decisions_of_games_with_their_ends(played: tuple[Pupil, Any, int]) -> None:
    pupil, rows, n = played
    tables, told, game = pupil.tables[:n], pupil.lessons[:n], Madness(**SMALL)
    assert n > 600 and set(np.unique(told["won"])) <= {0.0, 0.5, 1.0}
    assert (tables["phase"] != OVER).all() and (told["n"] > 1).all()
    manner, sheet, log = new(MANNER), new(record_dtype(SHEET)), silent_log()
    nets = fresh_nets(1)
    set_biases(manner, nets[0], rows[0])
    for s, lesson in list(zip(tables, told, strict=True))[:60]:
        seat = int(s.mover) ^ int(s.phase == 2)
        after = []
        for action in game.legal(s, seat):
            then = s.copy()
            game.act(then, seat, action, log, Chance())
            result = game.result(then)
            if result is not None:
                worth = 0.5 if result.winner is None else 1.0 - result.winner
            else:
                worth = judge_by_net(then, rows[0], nets[0], manner, sheet)
            after.append(worth if seat == 0 else 1.0 - worth)
        mine = lesson.worth[: lesson.n]
        assert max(after) == pytest.approx(mine.max(), abs=1e-5)
        assert min(after) == pytest.approx(mine.min(), abs=1e-5)


def test_lessons_come_again_from_the_same_seed(played: tuple[Pupil, Any, int]) -> None:
    pupil, _, n = played
    again, _, m = lessons_with(0.97)
    assert n == m and pupil.lessons[:n].tobytes() == again.lessons[:m].tobytes()


def test_what_is_learned_of_a_table_is_what_came_of_it() -> None:
    """With all the reach that there is it is the result; with none, what was thought next."""
    far, _, n = lessons_with(1.0)
    assert (far.lessons["foreseen"][:n] == far.lessons["won"][:n]).all()
    near, _, n = lessons_with(0.0)
    told, keys = near.lessons[:n], near.tables["key"][:n]
    same = (keys[1:] == keys[:-1]).all(axis=1)
    assert (~same).sum() + 1 == GAMES
    expected = np.where(same, told["thought"][1:], told["won"][:-1])
    assert np.array_equal(told["foreseen"][:-1], expected)


def test_the_weights_that_learn_are_those_that_play(played: tuple[Pupil, Any, int]) -> None:
    """Training and search come to the same chance for the same table, and of each move."""
    pupil, rows, _ = played
    nets = fresh_nets(3)
    manner, sheet, work = new(MANNER), new(record_dtype(SHEET)), new(WORK)
    set_biases(manner, nets[0], rows[0])
    for k in range(100):
        s = pupil.tables[k]
        seat = np.int64(int(s["mover"]) ^ int(s["phase"] == 2))
        mine = study.judge_lesson(s, rows[0], seat, first(nets), pupil.desk)
        chance = judge_by_net(s, rows[0], nets[0], manner, sheet)
        assert (chance if seat == 0 else 1 - chance) == pytest.approx(mine, abs=1e-5)
        n = study.score_lesson(s, rows[0], seat, first(nets), work, pupil.desk)
        weigh_moves(s, rows[0], seat, nets[0], manner, work, n)
        np.testing.assert_allclose(work.weights[:n], pupil.desk.chances[:n], atol=1e-5)


def worth_of_policy(pupil: Pupil, rows: Any, n: int, nets: Any, spread: float) -> float:
    """What is to become large: what moves are worth as they are made, and how even they are."""
    total = 0.0
    for k in range(n):
        s, lesson = pupil.tables[k], pupil.lessons[k]
        seat = np.int64(int(s["mover"]) ^ int(s["phase"] == 2))
        m = study.score_lesson(s, rows[0], seat, first(nets), pupil.work, pupil.desk)
        chances = pupil.desk.chances[:m]
        total += float((chances * (lesson.worth[:m] - spread * np.log(chances))).sum())
    return total / n


def test_slopes_of_the_policy_are_slopes(played: tuple[Pupil, Any, int]) -> None:
    """Against the difference that a small step makes, for the steepest weight of each table."""
    pupil, rows, _ = played
    nets, spread, n, step = fresh_nets(4), 0.05, 200, 0.005
    nets["moves"] += 0.2 * np.random.default_rng(1).normal(size=nets["moves"].shape)
    pupil.study(first(nets), rows, n, spread)
    slopes = pupil.slopes.copy()
    pupil.slopes.view(np.float32)[:] = 0.0
    for name in ("look", "look_bias", "focus", "focus_bias", "moves", "moves_bias"):
        at = np.unravel_index(np.abs(slopes[name]).argmax(), slopes[name].shape)
        here, found = nets[name][at], []
        for way in (step, -step):
            nets[name][at] = here + way
            found.append(worth_of_policy(pupil, rows, n, nets, spread))
        nets[name][at] = here
        assert -(found[0] - found[1]) / (2 * step) == pytest.approx(slopes[name][at], rel=0.1), name


def share_of(nets: Any, others: Any, games: int) -> float:
    """What the policy of the first takes from that of the others, without any search."""
    game = Madness(**SMALL)
    minds = [MadnessMind(game), MadnessMind(game)]
    for mind, made in zip(minds, (nets, others), strict=True):
        use_nets(mind, made)
    total, log, one = 0.0, silent_log(), Budget(simulations=1)
    for number in range(games):
        s = game.deal(NO_SETUP, words(f"share {number // 2}"))
        while actors := game.actors(s):
            seat = 0 if actors & 1 else 1
            question = Question(game.view(s, seat), seat, game.legal(s, seat))
            answer = minds[seat ^ number % 2].search(question, words(f"{number} {seat}"), one)
            game.act(s, seat, answer.action, log, Chance())
        result = game.result(s)
        assert result is not None
        mine = 0.5 if result.winner is None else 1.0 - result.winner
        total += mine if number % 2 == 0 else 1.0 - mine
    return total / games


def test_it_learns_to_play_better_from_its_own_games(tmp_path: Path) -> None:
    """From nothing, in a reduced game: the judgement knows more than nothing, and the policy wins."""
    heard: list[Found] = []
    pupils = small_class(Course(400, 0.97, (0.01, 0.005), rate=4e-3, warm=20), 32)
    train(pupils, 2, None, 50, lambda _, found: heard.append(found))
    assert heard[-1][0] < heard[0][0] - 0.03
    save(tmp_path / "net.npz", as_weights(pupils.nets[0]), {})
    kept = np.zeros(1, NET)
    fill(kept[0], load(tmp_path / "net.npz")[0])
    assert share_of(kept, fresh_nets(1), 600) > 0.6


def test_a_course_that_was_stopped_comes_to_the_same_net(tmp_path: Path) -> None:
    def stop(step: int, _: Found) -> None:
        if step == 4:
            raise KeyboardInterrupt

    course, kept = Course(7, 0.97, (0.01, 0.003), warm=2), tmp_path / "kept.npz"
    whole, stopped, resumed = (small_class(course, 3) for _ in range(3))
    train(whole, 2, None, 2, lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        train(stopped, 1, kept, 2, stop)
    train(resumed, 1, kept, 2, lambda *_: None)
    assert resumed.nets.tobytes() == whole.nets.tobytes()
