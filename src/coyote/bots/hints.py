"""A hint for people: what a search would do in their seat, and why, in a sentence."""

from collections.abc import Sequence

from coyote.bots.bot import Answer, Budget, Question, Thought
from coyote.bots.reasons import also_good, is_close, reason
from coyote.bots.search import SearchBot
from coyote.games.duel.game import Duel
from coyote.games.game import Game, Record
from coyote.text import Words

HINT = Budget(seconds=1.0)


def advise(
    game: Game, seed: str, view: Record, seat: int, legal: Sequence[int], budget: Budget = HINT
) -> Answer:
    """The adviser sees what the seat may know, and nothing else; an only move needs no adviser."""
    if len(legal) == 1:
        return Answer(legal[0], [Thought(legal[0], None, 0)])
    return SearchBot(game, f"hint {seed}").answer(Question(view, seat, legal, (), budget))


def hint_lines(game: Game, view: Record, seat: int, answer: Answer, words: Words) -> list[str]:
    """The move, its chance and why, from what the seat may know; then other moves that are good."""
    key, values = reason(game, view, seat, answer)
    move, why = game.move_text(answer.action), words(key, **values)
    chance = next((thought.chance for thought in answer.thoughts if thought.action == answer.action), None)
    if chance is None:
        return [words("hint.sole", move=move, why=why)]
    first = words("hint.best", move=move, chance=100 * chance, why=why)
    return [first, *_other_moves(game, answer, words)]


def _other_moves(game: Game, answer: Answer, words: Words) -> list[str]:
    others = also_good(answer)
    if not others:
        return []
    moves = ", ".join(
        words("hint.other", move=game.move_text(other.action), chance=100 * (other.chance or 0.0))
        for other in others
    )
    if not is_close(answer, others[0]):
        return [words("hint.others", moves=moves)]
    # Where both choose in secret, always making the same choice can be foreseen.
    return [words("hint.mix" if isinstance(game, Duel) else "hint.close", moves=moves)]
