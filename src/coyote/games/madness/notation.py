"""Moves and cards as text, both ways (the table of moves is in the rulebook, "Notation")."""

from coyote.games.madness import actions
from coyote.games.madness.cards import NAMES
from coyote.games.madness.editions import MOST_FIELDS


def _move_texts() -> tuple[str, ...]:
    fields = range(1, MOST_FIELDS + 1)
    texts = [f"a{field} {card}" for field in fields for card in NAMES]
    texts += [f"c{field} {card}" for field in fields for card in NAMES]
    texts += [f"b {card}" for card in NAMES]
    texts += ["pass", "draw"]
    texts += [f"drop {card}" for card in NAMES]
    texts += ["drop", "push"]
    texts += [f"steal {card}" for card in NAMES]
    texts += ["decline"]
    return tuple(texts)


MOVES = _move_texts()
ACTIONS = {text: action for action, text in enumerate(MOVES)}
assert len(MOVES) == actions.N_ACTIONS

_PLAIN = {text.replace(" ", "").lower(): action for text, action in ACTIONS.items()}


def read_move(text: str) -> int | None:
    """The action of a move; letter case and spaces do not matter. None where it is no move at all."""
    exact = ACTIONS.get(text)
    return _PLAIN.get("".join(text.split()).lower()) if exact is None else exact


def card_name(card: int) -> str | None:
    """`7S`; None for no card and for one that is not known."""
    return NAMES[card] if card >= 0 else None


BY_STRENGTH = [(name, 1 << card) for card, name in enumerate(NAMES)]
BY_NAME = sorted(BY_STRENGTH)


def card_names(cards: int) -> list[str]:
    """The names of a set of cards, in alphabetical order as records have them."""
    return [name for name, bit in BY_NAME if cards & bit]


def hand_names(cards: int) -> list[str]:
    """The same as people hold them: the weakest first, jokers last.

    >>> hand_names(sum(bit for name, bit in BY_NAME if name in ("TC", "AH", "KD", "X2", "9S")))
    ['9S', 'TC', 'KD', 'AH', 'X2']
    """
    return [name for name, bit in BY_STRENGTH if cards & bit]
