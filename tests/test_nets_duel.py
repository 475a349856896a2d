"""The net of the duel: its file, what it sees, how the search uses it, and that it learns."""

import runpy
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.bots.duel import cardnet, lessons
from coyote.bots.duel.course import keep, new_set, piece_of, play_piece
from coyote.bots.duel.judge import FIRST, SIGNS, judge, propose, take_in
from coyote.bots.duel.mind import DuelMind, Learned, scratch, usual
from coyote.bots.duel.school import (
    LIKING,
    Batch,
    Lot,
    Shelf,
    backward,
    error,
    errors_of,
    forward,
    goals,
    learn,
    new_net,
)
from coyote.bots.duel.tree import turn
from coyote.bots.net import Weights, load, save
from coyote.games.duel.game import Duel
from coyote.games.duel.rules import deal
from coyote.games.duel.sets import Card, CardSet, core_set
from coyote.kernel.luck import REAL_CHANCE
from coyote.questions import Budget, Question
from duel.kit_duel import copy_state, random_duel, steps, words

TOOL = Path(__file__).parents[1] / "tools" / "train_duel.py"
SHIPPED = Path(cardnet.__file__).with_name("judge.npz")
PIECES = 12


def any_net(name: str) -> Learned:
    return Learned(new_net(np.random.default_rng(list(name.encode()))))


def moments(game: Duel, setup: Any, name: str) -> list[Any]:
    """States of a random game at which both owe a choice."""
    played = steps(game, game.deal(setup, words(name)), Random(name))
    return [step.before for step in played if game.actors(step.before) == 0b11]


def judged(mind: DuelMind, s: Any) -> float:
    return float(judge(s, mind.row, mind.net))


def twin_of(s: Any) -> Any:
    """The same table with the seats exchanged."""
    twin = copy_state(s)
    for name in s.dtype.names:
        if s[name].shape and s[name].shape[0] == 2 and name != "key":
            twin[name][:] = s[name][::-1]
    return twin


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some games by rules of thumb, kept as they are for a course."""
    made = tmp_path_factory.mktemp("course")
    for number in range(PIECES):
        keep(made / f"{number + 1:05}.npz", *play_piece("test", number, 40, 0, 4))
    keep(made / "00000.npz", *play_piece("asked", 0, 40, 0, 4))
    return made


@pytest.fixture(scope="module")
def shelf(folder: Path) -> Shelf:
    made = Shelf()
    for path in sorted(folder.glob("*.npz")):
        made.add(path)
    return made


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Duel, Any, Lot]:
    """Two games of the search with itself, as they were played and as they are learned from."""
    path = tmp_path_factory.mktemp("searched") / "00001.npz"
    game, made = play_piece("search", 1, 2, 6, 15)
    keep(path, game, made)
    return game, made, Lot(path, {})


# ---------------------------------------------------------------- the file


def test_the_net_of_the_package_fits_and_tells_where_it_comes_from() -> None:
    weights, story = load(SHIPPED)
    assert Learned(weights).there and usual().there
    assert SHIPPED.stat().st_size < 300_000
    assert set(story) == {"command", "seed", "commit"}
    assert story["command"] == f"python tools/train_duel.py --folder lessons --seed {story['seed']}"


def test_a_saved_net_judges_as_before(tmp_path: Path) -> None:
    before = any_net("saved")
    save(tmp_path / "net.npz", before.weights, {})
    after = Learned(load(tmp_path / "net.npz")[0])
    game = Duel()
    for s in moments(game, game.settle(("pack", "oasis")), "saved")[:10]:
        assert judged(DuelMind(game, before), s) == pytest.approx(judged(DuelMind(game, after), s), abs=0.02)


def test_without_a_net_that_fits_the_search_judges_by_health() -> None:
    weights, _ = load(SHIPPED)
    missing = {name: table for name, table in weights.items() if name != "third"}
    narrow = {**weights, "effect": weights["effect"][:-1]}
    game = Duel()
    question = Question(game.view(s := game.deal(game.settle(), words("none")), 0), 0, game.legal(s, 0))
    answers = []
    for learned in (Learned({}), Learned(missing), Learned(narrow)):
        assert not learned.there
        answers.append(DuelMind(game, learned).search(question, words("a"), Budget(simulations=50)))
        assert not scratch().tree.judged and scratch().tree.turns == DuelMind.turns_without
    assert answers[0] == answers[1] == answers[2]
    by_net = DuelMind(game).search(question, words("a"), Budget(simulations=50))
    assert scratch().tree.judged and by_net.thoughts != answers[0].thoughts


def test_a_net_that_proposes_nothing_leaves_it_to_the_rules_of_thumb() -> None:
    weights, _ = load(SHIPPED)
    silent = Learned({name: table for name, table in weights.items() if name != "hold"})
    assert silent.there and not silent.proposes and usual().proposes
    game = Duel()
    question = Question(game.view(s := game.deal(game.settle(), words("none")), 0), 0, game.legal(s, 0))
    by_thumb = DuelMind(game, silent).search(question, words("a"), Budget(simulations=200))
    assert scratch().tree.judged and not scratch().tree.proposed
    by_net = DuelMind(game).search(question, words("a"), Budget(simulations=200))
    assert scratch().tree.proposed and by_net.thoughts != by_thumb.thoughts


# ---------------------------------------------------------------- what it sees


@pytest.mark.parametrize("number", range(4))
def test_a_table_and_its_mirror_image_come_to_one_together(number: int) -> None:
    game, setup = random_duel(Random(f"mirror {number}"))
    mind = DuelMind(game, any_net("mirror"))
    for s in moments(game, setup, f"mirror {number}"):
        assert judged(mind, s) + judged(mind, twin_of(s)) == pytest.approx(1.0, abs=1e-5)


def test_the_order_of_hidden_cards_changes_nothing() -> None:
    game = Duel()
    mind = DuelMind(game, any_net("order"))
    for s in moments(game, game.settle(("drought", "magpies")), "order"):
        other = copy_state(s)
        n = int(s.in_deck[0])
        other.deck[0][:n] = s.deck[0][:n][::-1]
        assert judged(mind, other) == pytest.approx(judged(mind, s), abs=1e-5)


def test_a_card_is_what_it_does_whatever_it_is_called() -> None:
    """The core set in another order and with other names: the same rows, in that order."""
    cards = core_set().cards
    renamed = tuple(
        Card(f"x{number}", "икс", "X", card.rarity, card.program)
        for number, card in enumerate(reversed(cards))
    )
    learned = usual()
    rows, moves, _ = learned.of(Duel())
    others, other_moves, _ = learned.of(Duel(card_set=CardSet("other", renamed)))
    own = rows[SIGNS:].reshape(len(cards), -1)
    np.testing.assert_allclose(others[SIGNS:].reshape(len(cards), -1), own[::-1], atol=2e-3)
    np.testing.assert_allclose(other_moves[1:], moves[:0:-1], atol=2e-3)
    np.testing.assert_array_equal(other_moves[0], moves[0])
    assert len(np.unique(own, axis=0)) == len({card.program for card in cards})


def test_any_card_has_rows_of_a_sensible_size() -> None:
    for number in range(5):
        game = Duel(card_set=new_set(Random(f"rows {number}")))
        rows, moves, always = usual().of(game)
        assert rows.shape[1] == 2 * FIRST and moves.shape == (1 + len(game.ids), FIRST)
        assert all(np.isfinite(table).all() for table in (rows, moves, always))
    wild, _ = random_duel(Random("wild"), "wild")
    assert np.isfinite(usual().of(wild)[0]).all()


def test_the_compiled_judge_is_the_net_that_learns(shelf: Shelf, folder: Path) -> None:
    """Position by position, of games that are played again."""
    learned = usual()
    goal = {id(lot): goals(lot.positions, 1.0) for lot in shelf.lots}
    for number, lot in enumerate(shelf.lots):
        piece = piece_of("test", number, 40)
        mind = DuelMind(piece.game, learned)
        batch = Batch([(lot, np.arange(len(lot.positions)))], goal)
        expected, _ = forward(batch, learned.weights)
        with np.load(folder / f"{number + 1:05}.npz") as kept:
            game = kept["lessons"].view(lessons.LESSON)[0]
        for n, s in enumerate(played_again(mind, game)):
            assert judged(mind, s) == pytest.approx(float(expected[n]), abs=0.01)


def played_again(mind: DuelMind, lesson: Any) -> Iterator[Any]:
    """The states of a lesson at which both owed a choice."""
    x = scratch()
    s = x.world[0]
    for seat in range(2):
        s.listed[seat] = lesson.lists[seat]
        s.n_listed[seat] = (lesson.lists[seat] >= 0).sum()
    deal(s, mind.cards, mind.row, REAL_CHANCE, x.log, lesson.words)
    for n in range(int(lesson.turns)):
        yield s
        first, second = (np.int64(move) for move in lesson.move[n])
        turn(s, mind.cards, mind.row, REAL_CHANCE, x.log, first, second)
    assert s.over


def test_the_compiled_net_proposes_what_it_has_learned(searched: tuple[Duel, Any, Lot]) -> None:
    game, made, lot = searched
    mind = DuelMind(game, any_net("proposes"))
    batch = Batch([(lot, np.arange(len(lot.positions)))], {id(lot): goals(lot.positions, 1.0)})
    likes = forward(batch, mind.learned.weights)[1]["likes"]
    for n, s in enumerate(played_again(mind, made[0])):
        for seat in range(2):
            legal = np.array(game.legal(s, seat), np.int16)
            found = np.zeros(len(legal))
            take_in(s, mind.row, mind.net)
            propose(mind.net, seat, legal, len(legal), found)
            parts = np.exp(found) / np.exp(found).sum()
            assert lot.positions["n_moves"][n, seat] == len(legal)
            np.testing.assert_allclose(parts, likes[n, seat, : len(legal)], atol=0.01)


# ---------------------------------------------------------------- learning


def test_slopes_are_slopes(shelf: Shelf) -> None:
    """Against the difference that a small step makes, for the steepest weight of each table."""
    dice = np.random.default_rng(5)
    w = new_net(dice)
    goal = {id(lot): goals(lot.positions, 0.9) for lot in shelf.lots}
    batch = Batch([(lot, dice.choice(len(lot.positions), 60)) for lot in shelf.lots], goal)
    slope = backward(batch, w, *forward(batch, w))
    assert set(slope) == set(w)
    for name in set(w) - set(cardnet.PROPOSES):
        assert steepest(batch, w, slope, name) == pytest.approx(np.abs(slope[name]).max(), rel=0.1), name


def test_slopes_of_proposed_moves_are_slopes(searched: tuple[Duel, Any, Lot]) -> None:
    _, _, lot = searched
    w = new_net(np.random.default_rng(5))
    batch = Batch([(lot, np.arange(len(lot.positions)))], {id(lot): goals(lot.positions, 0.9)})
    slope = backward(batch, w, *forward(batch, w))
    for name in w:
        assert steepest(batch, w, slope, name) == pytest.approx(np.abs(slope[name]).max(), rel=0.1), name


def steepest(batch: Batch, w: Weights, slope: Weights, name: str) -> float:
    """How much a small step of the steepest weight of a table changes what is to become small."""
    table = slope[name]
    at = np.unravel_index(np.abs(table).argmax(), table.shape)
    here, step, errors = w[name][at], 0.005, []
    for way in (step, -step):
        w[name][at] = here + way
        errors.append(all_errors(batch, w))
    w[name][at] = here
    return abs(errors[0] - errors[1]) / (2 * step)


def all_errors(batch: Batch, w: Weights) -> float:
    """Of who wins and of the moves, as they are learned together."""
    chance, kept = forward(batch, w)
    missed = -(batch.shares * np.log(np.maximum(kept["likes"], 1e-9)).astype(np.float64)).sum()
    return error(chance.astype(np.float64), batch.goal) + LIKING * float(missed) / len(batch.goal)


def test_it_learns_and_what_it_learned_is_used(shelf: Shelf, tmp_path: Path) -> None:
    """From a few games by rules of thumb it knows more of other ones than a new net does."""
    dice = np.random.default_rng(3)
    w = new_net(dice)
    goal = {id(lot): goals(lot.positions, 1.0) for lot in shelf.tests}
    before, _ = errors_of(shelf.tests, goal, w)
    seen: list[float] = []
    learn(shelf, w, 12, 1.0, 0.004, dice, lambda epoch, *errors: seen.append(errors[1]))
    assert len(seen) == 12 and seen[-1] < before - 0.03
    save(tmp_path / "net.npz", w, {})
    game = Duel()
    s = game.deal(game.settle(), words("used"))
    question = Question(game.view(s, 0), 0, game.legal(s, 0))
    found = [
        DuelMind(game, learned).search(question, words("a"), Budget(simulations=40))
        for learned in (Learned(load(tmp_path / "net.npz")[0]), any_net("used"))
    ]
    assert found[0].thoughts != found[1].thoughts


def test_games_of_the_search_are_lessons(tmp_path: Path) -> None:
    game, made = play_piece("search", 1, 2, 6, 15)
    again = play_piece("search", 1, 2, 6, 15)[1]
    assert made.tobytes() == again.tobytes()
    keep(tmp_path / "00001.npz", game, made)
    shelf = Shelf()
    shelf.add(tmp_path / "00001.npz")
    positions = shelf.lots[0].positions
    assert len(positions) == made["turns"].sum() > 0
    assert ((positions["value"] >= 0) & (positions["value"] <= 1)).all()
    goal = goals(positions, 0.5)
    assert goal[-1] == pytest.approx(0.5 * positions["value"][-1] + 0.5 * positions["won"][-1])


class Stopped(Exception):
    """Somebody has stopped the training."""


def test_a_training_that_is_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped while it plays and while it learns: the same net in the end, and the same curves."""
    tool = runpy.run_path(str(TOOL))
    of_tool = tool["Run"].go_on.__globals__
    by_thumb, by_search = (
        tool["Round"](pieces=3, games=3, simulations=n, slips=4, epochs=2, trust=0.9, pace=0.01)
        for n in (0, 6)
    )
    monkeypatch.setitem(of_tool, "ROUNDS", (by_thumb, by_search))

    def stop(*_: Any) -> None:
        raise Stopped

    def run(name: str) -> tuple[bytes, str]:
        tool["Run"](tmp_path / name, "stops", 1.0, 1).go_on(tmp_path / f"{name}.npz")
        weights, story = load(tmp_path / f"{name}.npz")
        assert story["seed"] == "stops"
        bits = b"".join(table.tobytes() for table in weights.values())
        return bits, (tmp_path / name / "curves.csv").read_text(encoding="utf-8")

    for what in ("keep", "save"):
        with monkeypatch.context() as now, pytest.raises(Stopped):
            now.setitem(of_tool, what, stop)
            run("stopped")
    assert run("stopped") == run("whole")
