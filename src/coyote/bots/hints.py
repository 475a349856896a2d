"""A hint for people: what a search would do in their seat, and why, in a sentence."""

import re
from collections.abc import Callable

from coyote.bots.bot import Answer, Thought
from coyote.bots.minds import mind_of
from coyote.bots.reasons import Reason, also_good, distinct, is_close
from coyote.bots.search import SearchBot
from coyote.games.game import Game
from coyote.questions import Budget, Question
from coyote.text import Words

HINT = Budget(seconds=1.0)
MOVE = re.compile(r"(?P<verb>[a-z]+)(?P<field>\d*)(?: (?P<card>.+))?")


def advise(game: Game, seed: str, asked: Question, budget: Budget = HINT) -> Answer:
    """The adviser sees what the seat may know, and nothing else; an only move needs no adviser."""
    if len(asked.legal) == 1:
        return Answer(asked.legal[0], [Thought(asked.legal[0], None, 0)])
    question = Question(asked.view, asked.seat, asked.legal, (), budget, asked.past)
    return SearchBot(game, f"hint {seed}").answer(question)


def reason(game: Game, asked: Question, answer: Answer) -> Reason:
    """Why the move of an answer is good; where no reason of a player's fits, the search itself is it."""
    if len(answer.thoughts) == 1:
        return "hint.only", {}
    why = mind_of(game).reason(asked.view, asked.seat, game.move_text(answer.action))
    return why or ("hint.imagined", {"n": sum(thought.examined for thought in distinct(answer))})


def hint_lines(
    game: Game, asked: Question, answer: Answer, words: Words, write: Callable[[str], str] = str
) -> list[str]:
    """The move, its chance and why, from what the seat may know; then other moves that are good. `write`
    makes of notation what people type."""
    why = said(reason(game, asked, answer), words)
    move, chance = write(game.move_text(answer.action)), chance_of(answer)
    if chance is None:
        return [words("hint.sole", move=move, why=why)]
    first = words("hint.best", move=move, chance=100 * chance, why=why)
    return [first, *_other_moves(game, answer, words, write)]


def hint_sentence(game: Game, asked: Question, answer: Answer, words: Words) -> str:
    """The move in words, why, and its chance, in one sentence."""
    why, chance = said(reason(game, asked, answer), words), chance_of(answer)
    move = move_words(game, game.move_text(answer.action), words)
    if chance is None:
        text = words("hint.told_sole", move=move, why=why)
    else:
        text = words("hint.told", move=move, why=why, chance=100 * chance)
    return text[0].upper() + text[1:]


def move_words(game: Game, move: str, words: Words, manner: str = "advice") -> str:
    """What to do, as one would say it; a game without words for its moves has its notation.

    `manner`: "advice" to whoever moves, or "reply": what the opponent does then.
    """
    parts = MOVE.fullmatch(move)
    if parts is None or not words.knows(key := f"{game.name}.{manner}.{parts['verb']}"):
        return move
    card = parts["card"]
    if card is None:
        key = nothing if words.knows(nothing := f"{key}_nothing") else key  # with an empty hand
        return words(key, field=parts["field"])
    title = game.title(card, words.lang)
    return words(key, field=parts["field"], **({"card": card} if title == card else {"title": title}))


def said(why: Reason, words: Words) -> str:
    key, values = why
    return words(key, **values)


def chance_of(answer: Answer) -> float | None:
    return next(thought.chance for thought in answer.thoughts if thought.action == answer.action)


def _other_moves(game: Game, answer: Answer, words: Words, write: Callable[[str], str]) -> list[str]:
    others = also_good(answer)
    if not others:
        return []
    moves = ", ".join(
        words("hint.other", move=write(game.move_text(other.action)), chance=100 * (other.chance or 0.0))
        for other in others
    )
    if not is_close(answer, others[0]):
        return [words("hint.others", moves=moves)]
    # Where both choose in secret, always making the same choice can be foreseen.
    return [words("hint.mix" if mind_of(game).MIXES else "hint.close", moves=moves)]
