"""The net of the duel: its file, what it sees, how the search uses it, and that it learns."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.bots.duel import cardnet, practice
from coyote.bots.duel.course import Piece, new_set, piece_of
from coyote.bots.duel.judge import FIRST, ROWS, judge, propose, take_in
from coyote.bots.duel.mind import DuelMind, Learned, scratch, tables, usual
from coyote.bots.duel.school import (
    Batch,
    Class,
    Pupil,
    backward,
    error,
    forward,
    like_better,
    new_net,
)
from coyote.bots.duel.tree import turn
from coyote.bots.net import Weights, load, save
from coyote.bots.training import Course, Found, train
from coyote.games.duel.game import EVENTS, Duel
from coyote.games.duel.many import bring_lists
from coyote.games.duel.rules import deal, legal
from coyote.games.duel.sets import Card, CardSet, core_set
from coyote.games.game import Chance
from coyote.kernel.chance import game_words
from coyote.kernel.events import silent_log
from coyote.kernel.luck import REAL_CHANCE
from coyote.kernel.record import new
from coyote.questions import Budget, Question
from duel.kit_duel import copy_state, random_duel, steps, words

SHIPPED = Path(cardnet.__file__).with_name("judge.npz")
GAMES = 12


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


Played = tuple[Piece, Batch, Weights]


@pytest.fixture(scope="module", params=range(4))
def played(request: pytest.FixtureRequest) -> Played:
    """A piece, the games of it that a new net has played with itself, and that net."""
    return practise("test", request.param, 0.95)


def practise(seed: str, number: int, reach: float) -> Played:
    piece, w = piece_of(seed, number, GAMES), any_net("plays").weights
    entries = cardnet.entries_of(piece.game.table, len(piece.game.ids))
    return piece, Pupil(GAMES).play(piece, entries, w, "games", reach), w


# ---------------------------------------------------------------- the file


def test_the_net_of_the_package_fits_and_tells_where_it_comes_from() -> None:
    weights, story = load(SHIPPED)
    assert Learned(weights).there and usual().there
    assert SHIPPED.stat().st_size < 300_000
    assert set(story) == {"command", "seed", "commit"}
    assert story["command"].startswith("python tools/train_duel.py --folder lessons")


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
    ours, _ = learned.of(Duel())
    theirs, _ = learned.of(Duel(card_set=CardSet("other", renamed)))
    own = ours.cards.reshape(len(cards), -1)
    np.testing.assert_allclose(theirs.cards.reshape(len(cards), -1), own[::-1], atol=1)
    np.testing.assert_allclose(theirs.moves[1:], ours.moves[:0:-1], atol=2e-3)
    np.testing.assert_array_equal(theirs.moves[0], ours.moves[0])
    assert len(np.unique(own, axis=0)) == len({card.program for card in cards})


def test_any_card_has_rows_of_a_sensible_size() -> None:
    for number in range(5):
        game = Duel(card_set=new_set(Random(f"rows {number}")))
        rows, always = usual().of(game)
        assert rows.cards.shape == (ROWS * len(game.ids), 2 * FIRST)
        assert rows.hides.shape == (len(game.ids), FIRST) and rows.moves.shape == (1 + len(game.ids), FIRST)
        assert np.isfinite(rows.moves).all() and np.isfinite(always).all()
        assert 0 < np.abs(rows.cards).max() < 32_767
    wild, _ = random_duel(Random("wild"), "wild")
    assert np.isfinite(usual().of(wild)[0].moves).all()


def first_game(piece: Piece, batch: Batch) -> Iterator[tuple[Any, Any]]:
    """The lessons of the first game, and the states that they were learned from, by its own moves."""
    mind, dice = DuelMind(piece.game), Random("games")
    x, y = scratch(), tables()
    source = np.array([dice.getrandbits(64), dice.getrandbits(64)], np.uint64)
    game_words(source, 0, y.words, y.dice)
    s, desk = x.world[0], new(practice.DESK)
    bring_lists(s, piece.lists, 0)
    deal(s, mind.cards, mind.row, REAL_CHANCE, x.log, y.words)
    net = DuelMind(piece.game, any_net("plays")).net
    for lesson in batch.lessons:
        yield s, lesson
        take_in(s, mind.row, net)
        moves = []
        for seat in range(2):
            n = legal(s, seat, desk.legal[seat])
            practice.choose(s, net, seat, n, desk, y.dice)
            moves.append(np.int64(desk.legal[seat, desk.picked[seat]]))
        turn(s, mind.cards, mind.row, REAL_CHANCE, x.log, *moves)
        if s.over:
            return


def test_the_compiled_net_is_the_net_that_learns(played: Played) -> None:
    """Turn by turn of a game: who is ahead, and which moves are liked."""
    piece, batch, w = played
    mind = DuelMind(piece.game, any_net("plays"))
    chances, kept = forward(batch, w)
    for n, (s, lesson) in enumerate(first_game(piece, batch)):
        assert judged(mind, s) == pytest.approx(float(chances[n]), abs=0.01)
        take_in(s, mind.row, mind.net)
        for seat in range(2):
            moves = np.array(piece.game.legal(s, seat), np.int16)
            found = np.zeros(len(moves))
            propose(s, mind.net, seat, moves, len(moves), found)
            parts = np.exp(found) / np.exp(found).sum()
            assert lesson.n_moves[seat] == len(moves)
            np.testing.assert_allclose(parts, kept["likes"][n, seat, : len(moves)], atol=0.01)


def test_moves_are_liked_by_what_a_seat_may_know() -> None:
    """D18  Whatever the other holds of what they have not shown, it is the same."""
    game = Duel()
    mind = DuelMind(game, any_net("closed"))
    changed = 0
    for s in moments(game, game.settle(("drought", "magpies")), "closed"):
        other = copy_state(s)
        if s.in_hand[1] and s.in_deck[1]:
            other.hand[1][0], other.deck[1][0] = s.deck[1][0], s.hand[1][0]
        moves = np.array(game.legal(s, 0), np.int16)
        found = []
        for table in (s, other):
            likes = np.zeros(len(moves))
            take_in(table, mind.row, mind.net)
            propose(table, mind.net, 0, moves, len(moves), likes)
            found.append(likes)
        np.testing.assert_allclose(found[0], found[1], atol=1e-4)
        changed += judged(mind, s) != judged(mind, other)
    assert changed  # the judgement sees it


# ---------------------------------------------------------------- learning


def test_every_move_is_tried_against_the_choice_that_was_made(played: Played) -> None:
    piece, batch, _ = played
    assert len(batch.lessons) > GAMES
    last = [
        lesson
        for lesson, next_ in zip(batch.lessons, batch.lessons[1:], strict=False)
        if lesson.foreseen == lesson.won and (next_.won != lesson.won)
    ]
    for lesson in last:
        for seat in range(2):
            worth = lesson.worth[seat, : lesson.n_moves[seat]]
            won = lesson.won if seat == 0 else 1.0 - lesson.won
            assert (worth == won).any()  # the choice that was made ended the game
    assert ((batch.lessons["worth"] >= 0) & (batch.lessons["worth"] <= 1)).all()


def test_what_is_learned_of_a_turn_is_what_came_of_it() -> None:
    _, far, _ = practise("reach", 0, 1.0)
    assert (far.lessons["foreseen"] == far.lessons["won"]).all()
    _, near, _ = practise("reach", 0, 0.0)
    told = near.lessons
    ends = np.flatnonzero(told["foreseen"][:-1] != told["thought"][1:])
    assert 0 < len(ends) < GAMES and np.array_equal(told["foreseen"][ends], told["won"][ends])


def test_slopes_are_slopes(played: Played) -> None:
    """Against the difference that a small step makes, for the steepest weight of each table."""
    _, batch, _ = played
    w, spread, liking = new_net(np.random.default_rng(5)), 0.05, 3.0
    chance, kept = forward(batch, w)
    slope = backward(batch, w, chance, kept, liking * like_better(batch, kept["likes"], spread)[0])
    assert set(slope) == set(w)

    def lacking() -> float:
        """What is to become small: of who wins, and of the moves, as they are learned together."""
        chance, kept = forward(batch, w)
        there = np.arange(kept["likes"].shape[2]) < batch.lessons["n_moves"][:, :, None]
        likes = np.where(there, kept["likes"], 1.0).astype(np.float64)
        worth = np.where(there, batch.lessons["worth"] - spread * np.log(likes), 0.0)
        gained = float((likes * worth).sum()) / len(worth)
        return error(chance.astype(np.float64), batch.lessons["foreseen"]) - liking * gained

    for name in w:
        at = np.unravel_index(np.abs(slope[name]).argmax(), slope[name].shape)
        here, step, found = w[name][at], 0.005, []
        for way in (step, -step):
            w[name][at] = here + way
            found.append(lacking())
        w[name][at] = here
        assert (found[0] - found[1]) / (2 * step) == pytest.approx(slope[name][at], rel=0.1), name


def small_class(course: Course) -> Class:
    return Class(any_net("learns").weights, course, [piece_of("learns", k, 24) for k in (0, 1, 2)], "small")


def share_of(w: Weights, others: Weights, deals: int) -> float:
    """What the moves that one net likes best take from those of another, with ready decks."""
    game, total, log = Duel(), 0.0, silent_log(EVENTS)
    minds = [DuelMind(game, Learned(each)) for each in (w, others)]
    for number in range(deals):
        s = game.deal(game.settle(("pack", "pack")), words(f"share {number // 2}"))
        while game.actors(s):
            moves = []
            for seat in range(2):
                net, options = minds[seat ^ number % 2].net, np.array(game.legal(s, seat), np.int16)
                likes = np.zeros(len(options))
                take_in(s, game.row, net)
                propose(s, net, seat, options, len(options), likes)
                moves.append(int(options[likes.argmax()]))
            for seat, move in enumerate(moves):
                game.act(s, seat, move, log, Chance())
        result = game.result(s)
        assert result is not None
        mine = 0.5 if result.winner is None else 1.0 - result.winner
        total += mine if number % 2 == 0 else 1.0 - mine
    return total / deals


def test_it_learns_to_play_better_from_its_own_games(tmp_path: Path) -> None:
    heard: list[Found] = []
    pupils = small_class(Course(250, 0.95, (0.02, 0.004), rate=3e-3, warm=20))
    train(pupils, 2, None, 50, lambda _, found: heard.append(found))
    assert heard[-1][0] < heard[0][0] - 0.02
    save(tmp_path / "net.npz", pupils.w, {})
    assert share_of(load(tmp_path / "net.npz")[0], any_net("learns").weights, 300) > 0.6


def test_a_training_that_is_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    def stop(step: int, _: Found) -> None:
        if step == 4:
            raise KeyboardInterrupt

    course, kept = Course(7, 0.95, (0.02, 0.004), warm=2), tmp_path / "kept.npz"
    whole, stopped, resumed = (small_class(course) for _ in range(3))
    train(whole, 2, None, 2, lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        train(stopped, 1, kept, 2, stop)
    train(resumed, 1, kept, 2, lambda *_: None)
    assert all(np.array_equal(resumed.w[name], whole.w[name]) for name in whole.w)
