"""The opponents for people, and bots by name."""

from random import Random

import numpy as np
import pytest

from coyote import Match
from coyote.bots.bot import Answer, Thought
from coyote.bots.level_bot import LevelBot, best_of
from coyote.bots.levels import NUMBERS
from coyote.bots.minds import mind_of
from coyote.bots.names import UnknownBot, kind_of, make_bot, read_budget
from coyote.bots.seed import dice_for
from coyote.games.game import Game
from coyote.games.registry import make_game
from coyote.questions import Budget, Question
from coyote.text import LANGUAGES, Words

GAMES = {"madness": make_game("madness"), "duel": make_game("duel")}


def questions(game: Game, n: int) -> list[Question]:
    """Decisions of random games with more than one legal move."""
    rng, deal = Random(game.name), 0
    found: list[Question] = []
    while len(found) < n:
        match = Match(game, seed=f"levels {deal}")
        deal += 1
        while actors := match.actors:
            for seat in actors:
                legal = match.legal_actions(seat)
                if len(legal) > 1:
                    found.append(match.question(seat))
                match.play_action(rng.choice(legal), seat)
    return rng.sample(found, n)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_there_are_five_levels_with_names_and_the_last_thinks_for_a_second(game: Game) -> None:
    levels = mind_of(game).LEVELS
    assert [level.number for level in levels] == list(NUMBERS) == [1, 2, 3, 4, 5]
    assert levels[-1].budget == Budget(seconds=1.0)
    for lang in LANGUAGES:
        assert len({Words(lang)(f"level.{number}") for number in NUMBERS}) == 5


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_lower_levels_overlook_more(game: Game) -> None:
    overlooks = [level.overlooks for level in mind_of(game).LEVELS]
    assert overlooks == sorted(overlooks, reverse=True) and overlooks[-2:] == [0.0, 0.0]
    noticed = []
    for number in (1, 2, 4):
        bot = LevelBot(game, "eyes", number)
        seen = [len(bot.noticed(q, dice_for("eyes", q))) / len(q.legal) for q in questions(game, 100)]
        assert min(seen) > 0
        noticed.append(sum(seen) / len(seen))
    assert noticed[0] < noticed[1] < noticed[2] == 1.0


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_level_makes_a_legal_move_and_the_same_one_again(game: Game, number: int) -> None:
    bot, twin = LevelBot(game, "twice", number), LevelBot(game, "twice", number)
    for question in questions(game, 20):
        answer = bot.answer(question)
        assert answer.action in question.legal
        assert twin.answer(question).action == answer.action


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_levels_err_by_not_seeing_a_move_and_not_by_rubbish(game: Game) -> None:
    """What level 1 plays is what the rules of thumb like best of the moves that came to mind."""
    bot = LevelBot(game, "err", 1)
    for question in questions(game, 60):
        dice = dice_for("err", question)
        thoughts = mind_of(game).thumb(question, dice).thoughts
        noticed = bot.noticed(question, dice)
        chances = {thought.action: thought.chance for thought in thoughts}
        played = bot.answer(question).action
        assert chances[played] == max(chances[action] or 0.0 for action in noticed)


def test_the_best_thought_that_came_to_mind_is_taken() -> None:
    thoughts = [Thought(1, 0.4, 10), Thought(2, 0.6, 90), Thought(3, None, 0), Thought(4, 0.5, 40)]
    found = Answer(2, thoughts)
    assert best_of(found, [1, 2, 3]).action == 2
    assert best_of(found, [1, 3, 4]).action == 4
    assert best_of(found, [3]).action == 3


@pytest.mark.parametrize(
    "name",
    ["", "Random", "search:", "search:0", "search:fast", "level:0", "level:6", "level", "cmd:", "cmd: "],
)
def test_a_name_that_no_bot_has_is_refused(name: str) -> None:
    with pytest.raises(UnknownBot):
        kind_of(name)
    with pytest.raises(UnknownBot):
        make_bot(name, GAMES["madness"], "x")


def test_budgets_read_and_print_alike() -> None:
    assert str(read_budget("2000s")) == str(read_budget("2000")) == "2000"
    assert str(read_budget("100ms")) == "100ms"
    assert make_bot("search:100ms", GAMES["madness"], "x").name == "search:100ms"


def test_random_takes_every_move_about_as_often() -> None:
    """And the same one for the same seed and view."""
    question = questions(GAMES["madness"], 1)[0]
    counts = np.zeros(max(question.legal) + 1)
    for seed in range(200 * len(question.legal)):
        counts[make_bot("random", GAMES["madness"], str(seed)).answer(question).action] += 1
    found = counts[list(question.legal)]
    assert found.sum() == counts.sum() and found.min() > 120 and found.max() < 280
