"""The nets of Madness: their file, what they see, how the search uses them, and that they learn."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.bots.madness import school, study
from coyote.bots.madness.inputs import MOST_SET, N_INPUTS, N_OPTIONS, N_OWN, list_all, list_options, list_own
from coyote.bots.madness.lessons import LESSON
from coyote.bots.madness.mind import MadnessMind, use_nets
from coyote.bots.madness.nets import NET, SHEET, judge_by_net, nets, set_biases
from coyote.bots.madness.school import Course, Pupil, fresh_nets, games_of, load_lessons, play_lessons, train
from coyote.bots.madness.tree import MANNER
from coyote.bots.net import NoNet, as_weights, fill, load, save
from coyote.games.game import NO_SETUP, Chance
from coyote.games.madness.game import Madness
from coyote.games.madness.state import OVER
from coyote.kernel.events import silent_log
from coyote.kernel.record import new, record_dtype
from coyote.questions import Budget, Question
from coyote.seeds import seed_from, seed_words
from kit.play import EDITIONS

GAMES, LOOKS = 600, 20
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
    variants = [Madness(edition=edition), *games_of(edition, school.EVERY - 1, "inputs", {})]
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


def small_lessons(games: int, nets: Any | None = None) -> school.Lessons:
    """Of a reduced game: two fields, three cards, no jokers, a short way to the goal."""
    return play_lessons([Madness(**SMALL)], "small", LOOKS, 50, nets, games)


def assert_same(some: Any, others: Any) -> None:
    assert all(np.array_equal(some[name], others[name]) for name in some.dtype.names)


@pytest.fixture(scope="module")
def lessons() -> school.Lessons:
    return small_lessons(GAMES)


def test_lessons_are_the_decisions_of_games_with_their_ends(lessons: school.Lessons) -> None:
    assert len(lessons.tables) == len(lessons.lessons) == len(lessons.which) > 3000
    assert set(np.unique(lessons.lessons["won"])) <= {0.0, 0.5, 1.0}
    assert (lessons.tables["phase"] != OVER).all()
    for lesson in lessons.lessons[:200]:
        assert lesson.looks[: lesson.n].sum() == LOOKS


def test_lessons_come_again_from_the_same_seed_and_survive_a_file(
    lessons: school.Lessons, tmp_path: Path
) -> None:
    assert_same(small_lessons(GAMES).tables, lessons.tables)
    lessons.save(tmp_path / "a.npz")
    found = load_lessons([tmp_path / "a.npz", tmp_path / "a.npz"])
    assert len(found.tables) == 2 * len(lessons.tables) and found.lessons.dtype == LESSON
    assert_same(found.tables[: len(lessons.tables)], lessons.tables)
    assert found.options == 2 * lessons.options


def test_what_is_learned_of_a_table_is_what_came_of_it(lessons: school.Lessons) -> None:
    """With all the reach that there is it is the result; with none, the next search's thought."""
    told, keys = lessons.lessons, lessons.tables["key"]
    assert (lessons.foreseen(1.0) == told["won"]).all()
    same = (keys[1:] == keys[:-1]).all(axis=1)
    assert 100 < (~same).sum() + 1 <= GAMES
    assert np.array_equal(lessons.foreseen(0.0)[:-1], np.where(same, told["thought"][1:], told["won"][:-1]))


def constant_loss(lessons: school.Lessons, order: Any, reach: float) -> float:
    """Of whoever always says what is true on average."""
    deciders, target = lessons.tables["mover"] ^ (lessons.tables["phase"] == 2), lessons.foreseen(reach)
    target = np.where(deciders == 0, target, 1 - target)[order]
    mean = float(target.mean())
    return float(-mean * np.log(mean) - (1 - mean) * np.log(1 - mean))


def test_a_net_learns_from_a_few_games_and_the_search_uses_it(
    lessons: school.Lessons, tmp_path: Path
) -> None:
    heard: list[tuple[school.Losses, school.Losses]] = []
    course = Course(epochs=4, batch=64, warm=20)
    begin = fresh_nets(1)
    before = Pupil(begin.copy())
    _, check = school.split(len(lessons.tables))
    first = before.losses(lessons, lessons.rows, lessons.foreseen(course.reach), check, learns=False)
    made = train(lessons, begin, course, 1, None, lambda _, mine, unseen: heard.append((mine, unseen)))
    constant = constant_loss(lessons, check, course.reach)
    judged, policy = heard[-1][1]
    assert judged < constant - 0.03 and judged < first[0]
    assert policy < first[1] - 0.02
    save(tmp_path / "net.npz", as_weights(made[0]), {})
    kept = np.zeros(1, NET)
    fill(kept[0], load(tmp_path / "net.npz")[0])
    mind = MadnessMind(Madness(**SMALL))
    use_nets(mind, kept)
    table, game = lessons.tables[7], mind.game
    seat = int(table["mover"])
    question = Question(game.view(table, seat), seat, game.legal(table, seat))
    with_it = mind.search(question, words("uses"), Budget(simulations=200))
    use_nets(mind, None)
    assert mind.search(question, words("uses"), Budget(simulations=200)) != with_it


def test_the_weights_that_learn_are_those_that_play(lessons: school.Lessons) -> None:
    """Training and search come to the same chance for the same table."""
    pupil = Pupil(fresh_nets(3))
    manner, sheet = new(MANNER), new(record_dtype(SHEET))
    set_biases(manner, pupil.nets[0], lessons.rows[0])
    for k in range(100):
        s = lessons.tables[k]
        seat = int(s["mover"]) ^ int(s["phase"] == 2)
        mine = study.judge_lesson(s, lessons.rows[0], np.int64(seat), pupil.net, pupil.desk)
        chance = judge_by_net(s, lessons.rows[0], pupil.nets[0], manner, sheet)
        assert (chance if seat == 0 else 1 - chance) == pytest.approx(mine, abs=1e-5)


def test_a_course_that_was_stopped_comes_to_the_same_net(lessons: school.Lessons, tmp_path: Path) -> None:
    def stop(epoch: int, *_: school.Losses) -> None:
        if epoch == 1:
            raise KeyboardInterrupt

    course, kept = Course(epochs=3, batch=256, warm=5), tmp_path / "kept.npz"
    whole = train(lessons, fresh_nets(2), course, 5, None, lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        train(lessons, fresh_nets(2), course, 5, kept, stop)
    resumed = train(lessons, fresh_nets(2), course, 5, kept, lambda *_: None)
    assert resumed.tobytes() == whole.tobytes()
