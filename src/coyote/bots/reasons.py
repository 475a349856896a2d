"""Why a move is good, in one clause: a key of the words and what to fill in.

Everything here is read from a view, so that no reason can give away what its seat may not know. Where
no reason of a player's fits, the search itself is the reason.
"""

from typing import Any

from coyote.bots.bot import Answer, Thought

Reason = tuple[str, dict[str, Any]]

MOST_OTHERS = 2  # moves named besides the best one
GOOD = 0.1  # a move is still good with a chance so much below that of the best
CLOSE = 0.02  # and as good as the best with so much
LOOKED_AT = 0.05  # a chance counts where the search went there this part as often as to the best


def also_good(answer: Answer) -> list[Thought]:
    """Other moves worth naming, the best first: those about as good, or else those not much worse."""
    best, *rest = distinct(answer)
    least = LOOKED_AT * best.examined
    looked_at = [thought for thought in rest if thought.chance is not None and thought.examined >= least]
    found = [thought for thought in looked_at if shortfall(best, thought) <= CLOSE]
    found = found or [thought for thought in looked_at if shortfall(best, thought) <= GOOD]
    return sorted(found, key=lambda thought: -(thought.chance or 0.0))[:MOST_OTHERS]


def is_close(answer: Answer, thought: Thought) -> bool:
    return shortfall(distinct(answer)[0], thought) <= CLOSE


def shortfall(best: Thought, thought: Thought) -> float:
    return (best.chance or 0.0) - (thought.chance or 0.0)


def distinct(answer: Answer) -> list[Thought]:
    """The thoughts, that of the answer first. Moves that come to the same share one, which is here once."""
    found: dict[tuple[float | None, int], Thought] = {}
    for thought in sorted(answer.thoughts, key=lambda thought: thought.action != answer.action):
        found.setdefault((thought.chance, thought.examined), thought)
    return list(found.values())
