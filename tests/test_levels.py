"""The opponents for people, and bots by name."""

from dataclasses import replace
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
def test_there_are_seven_levels_with_names_and_the_last_thinks_for_a_second(game: Game) -> None:
    levels = mind_of(game).LEVELS
    assert [level.number for level in levels] == list(NUMBERS) == [1, 2, 3, 4, 5, 6, 7]
    assert levels[-1].budget == Budget(seconds=1.0)
    for lang in LANGUAGES:
        assert len({Words(lang)(f"level.{number}") for number in NUMBERS}) == 7


def noticed(game: Game, question: Question, number: int, seed: str = "eyes") -> list[int]:
    level = mind_of(game).LEVELS[number - 1]
    return mind_of(game).noticed(question, dice_for(seed, question), level)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_lower_levels_err_more(game: Game) -> None:
    levels = mind_of(game).LEVELS
    for errs in ([level.misses for level in levels], [level.overlooks for level in levels]):
        assert errs == sorted(errs, reverse=True) and errs[-1] == 0.0 < errs[-2]
    shares = []
    for number in list(NUMBERS)[:-1]:
        seen = [len(noticed(game, q, number)) / len(q.legal) for q in questions(game, 100)]
        assert min(seen) > 0
        shares.append(sum(seen) / len(seen))
    assert shares == sorted(shares) and shares[-1] < 1.0


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("number", list(NUMBERS)[:-1])
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
        seen = mind_of(game).noticed(question, dice, bot.level)
        chances = {thought.action: thought.chance for thought in thoughts}
        played = bot.answer(question).action
        assert chances[played] == max(chances[action] or 0.0 for action in seen)


# ---------------------------------------------------------------- what people miss, and what nobody does


def asked_at(position: str) -> tuple[Game, Question]:
    match = Match.from_position(f"madness standard {position} deck=4C,4D,4H,4S")
    [seat] = match.actors
    return match.game, match.question(seat)


def ever_noticed(position: str, number: int = 1) -> set[str]:
    """The moves that come to the mind of a level, in a hundred tries."""
    game, question = asked_at(position)
    seen = [noticed(game, question, number, f"try {k}") for k in range(100)]
    return {game.move_text(action) for tried in seen for action in tried}


def always_noticed(position: str, number: int = 1) -> set[str]:
    game, question = asked_at(position)
    seen = [set(noticed(game, question, number, f"try {k}")) for k in range(100)]
    return {game.move_text(action) for action in set.intersection(*seen)}


def test_no_level_starves_by_a_push_m13() -> None:
    position = "0 tut hands=-/3C,5D boss=JS"
    assert "push" not in ever_noticed(position) and "draw" in always_noticed(position)


def test_no_level_throws_a_joker_away() -> None:
    position = "0 tut hands=X1,6C,9D/3C,5D boss=JS"
    assert {"drop 6C", "drop 9D", "push"} <= ever_noticed(position)
    assert "drop X1" not in ever_noticed(position)


def test_a_win_at_once_is_always_seen_m10() -> None:
    position = "0 main lead=+4 hands=2C,8C,QH/3C,5D boss=JS fields=-/-|-/-|-/7C!"
    assert {"b QH", "pass"} <= always_noticed(position)
    assert "b QH" not in always_noticed(position.replace("lead=+4", "lead=+1"))


def test_a_threat_is_missed_with_all_that_would_answer_it_m12() -> None:
    """A field that is about to be lost: all its answers come to mind, or, in many tries, none of them."""
    position = "0 main hands=8C,QH,KH/3C,5D boss=AS fields=-/7C!|-/-|-/-"
    game, question = asked_at(position)
    answers = {action for action in question.legal if game.move_text(action).startswith(("a1", "c1"))}
    level = replace(mind_of(game).LEVELS[0], misses=0.5, overlooks=0.0)
    seen = [mind_of(game).noticed(question, dice_for(f"try {k}", question), level) for k in range(60)]
    among = [len(answers & set(tried)) for tried in seen]
    assert answers and set(among) == {0, len(answers)}


def test_the_best_thought_that_came_to_mind_is_taken() -> None:
    thoughts = [Thought(1, 0.4, 10), Thought(2, 0.6, 90), Thought(3, None, 0), Thought(4, 0.5, 40)]
    found = Answer(2, thoughts)
    assert best_of(found, [1, 2, 3]).action == 2
    assert best_of(found, [1, 3, 4]).action == 4
    assert best_of(found, [3]).action == 3


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Random",
        "search:",
        "search:0",
        "search:fast",
        "level:0",
        "level:8",
        "level:10",
        "level",
        "cmd:",
        "cmd: ",
    ],
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
