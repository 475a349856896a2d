"""The question `cards`: what a card is worth in a deck, found by playing the same deals without it.

Another card takes its place in the list, so the same shuffles put it where the card would have been, and all
others stay where they are. Beside that stands what people count who only watch: the share of points of those
games in which the card was drawn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from coyote.bots.duel import thumb
from coyote.games.duel.decks import Deck
from coyote.games.duel.game import Duel, decks_of
from coyote.games.duel.language import Action, Effect, Program
from coyote.games.duel.rules import FIRST_PLAY
from coyote.games.duel.sets import Card, CardSet
from coyote.games.duel.setup import Decks
from coyote.games.game import Json, Words64
from coyote.lab.decklists import code_of, duel_frame, lists
from coyote.lab.matrix import Run, Tell, Wanted, spans
from coyote.lab.play import play_games, scores
from coyote.lab.stats import Interval, difference, mean, narrow_enough
from coyote.lab.variants import described, made
from coyote.text import LANGUAGES

Drawn = npt.NDArray[np.bool_]  # games in which a card was drawn
Scores = npt.NDArray[np.int8]  # of games, in half points

TRAITS = ((False, False), (True, False), (False, True), (True, True))  # Auto, Super
USUAL_HEALTH, USUAL_DISCARD = 60, 6  # of the moment at which cards are priced


# ---------------------------------------------------------------- cards that do nothing


def blank_id(card: Card) -> str:
    """The blank that comes and goes as this card does. No set has such an id."""
    traits = [name for name in ("auto", "super") if getattr(card.program, name)]
    return " ".join(["blank", *traits])


@lru_cache(maxsize=8)
def with_blanks(game: Duel) -> Duel:
    """The same game, its set having a card that does nothing for each combination of traits."""
    nothing = (Effect(Action.BLOCK, 0),)
    cards = [Card("", "", "", "rare", Program(auto, super_, nothing)) for auto, super_ in TRAITS]
    blanks = [replace(card, id=blank_id(card)) for card in cards]
    made = CardSet(game.card_set.name, (*game.card_set.cards, *blanks))
    return Duel(card_set=made, rules=game.rules_version, **game.known(game.options))


@dataclass(frozen=True)
class Exchanged(Decks):
    """Two decks, of which the first has a card in the place of each copy of another one."""

    card: str = ""
    instead: str = ""

    def row(self, deck: Deck | None, seed: Words64, seat: int) -> list[int]:
        kinds = super().row(deck, seed, seat)
        if seat or not self.card:
            return kinds
        out, comes = (self.card_set.kinds[card_id] for card_id in (self.card, self.instead))
        return [comes if kind == out else kind for kind in kinds]


# ---------------------------------------------------------------- pieces


def play_exchanged(piece: Json) -> Json:
    """The task: games first … last - 1, against each opponent in turn, with a card in the place of another.

    `scores` are their half points; `drawn` says for each card of the deck which games it was drawn in.
    """
    base = made(piece["game"])[0]
    assert isinstance(base, Duel)
    game = with_blanks(base)
    parts = [play_one(game, piece, place) for place in range(len(piece["against"]))]
    half_points, drawn = (np.concatenate(part) for part in zip(*parts, strict=True))
    bits = [(drawn >> np.uint64(k)) & np.uint64(1) for k in range(len(set(piece["deck"])))]
    return {"scores": half_points.tobytes().hex(), "drawn": [packed(bit) for bit in bits]}


def play_one(game: Duel, piece: Json, place: int) -> tuple[Scores, npt.NDArray[np.uint64]]:
    """The games against the opponent at this place: half points, and sets of cards drawn."""
    opponents = piece["against"]
    first, last = (turns_of(place, piece[end], len(opponents)) for end in ("first", "last"))
    setup = exchanged(game, (piece["deck"], opponents[place]), piece["card"], piece["instead"])
    rows = play_games(game, setup, (piece["bot"],) * 2, f"{piece['seed']} {place}", first, last - first)
    return scores(rows), rows["drawn"][:, 0]


def exchanged(game: Duel, decks: Sequence[Sequence[str]], card: str, instead: str) -> Exchanged:
    settled = decks_of(game.settle(decks))
    return Exchanged(game.card_set, game.limits, settled.decks, card, instead)


def turns_of(place: int, games: int, opponents: int) -> int:
    """How many of so many games are against the opponent at this place, where they take turns.

    >>> [turns_of(place, 7, 3) for place in range(3)]
    [3, 2, 2]
    """
    return (games - place + opponents - 1) // opponents


def packed(bits: npt.NDArray[np.uint64]) -> str:
    return np.packbits(bits.astype(np.uint8)).tobytes().hex()


def unpacked(text: str, n: int) -> Drawn:
    return np.unpackbits(np.frombuffer(bytes.fromhex(text), np.uint8), count=n).astype(bool)


# ---------------------------------------------------------------- what a card might be exchanged for


def prices(game: Duel) -> dict[str, float]:
    """What the rules of thumb think of each card, in points of health, in the middle of a usual game."""
    s = game.deal(game.settle(), np.zeros(2, np.uint64))
    s.health[:] = USUAL_HEALTH
    s.in_discard[:] = USUAL_DISCARD
    n = len(game.ids)
    moves = np.arange(FIRST_PLAY, FIRST_PLAY + n, dtype=np.int16)
    worth, due = np.zeros(n), np.zeros((2, thumb.SUMS))
    thumb.weigh_all(s, game.table, game.row, due, np.int64(0), moves, np.int64(n), worth)
    return dict(zip(game.ids, worth.tolist(), strict=True))


def neighbours(game: Duel, deck: Deck, card: Card, n: int) -> list[str]:
    """The cards nearest in price that come and go as this one does and are not in the deck."""
    known, mine = prices(game), {card_id for card_id, _ in deck.cards}
    alike = [one.id for one in game.card_set.cards if blank_id(one) == blank_id(card) and one.id not in mine]
    return sorted(alike, key=lambda other: (abs(known[other] - known[card.id]), other))[:n]


# ---------------------------------------------------------------- one deck


@dataclass
class Arm:
    """A series of games of a deck with a card in the place of another; all arms have the same deals."""

    card: str
    instead: str
    half_points: Scores = field(default_factory=lambda: np.zeros(0, np.int8))

    @property
    def points(self) -> npt.NDArray[np.float64]:
        return self.half_points / 2


@dataclass
class DeckCards:
    """A deck as it is, and with each of its cards exchanged."""

    deck: Deck
    arms: Sequence[Arm]
    plain: Arm = field(default_factory=lambda: Arm("", ""))
    drawn: list[Drawn] = field(default_factory=list)  # by card, in the games of `plain`

    def worth(self, arm: Arm) -> Interval:
        """How much the card has over what stands in its place."""
        return difference(self.plain.points[: len(arm.points)], arm.points)

    def when_drawn(self, place: int) -> Interval:
        """What those find who only watch."""
        return mean(self.plain.points[self.drawn[place]])

    def add(self, arm: Arm, found: Json) -> None:
        more = np.frombuffer(bytes.fromhex(found["scores"]), np.int8)
        arm.half_points = np.append(arm.half_points, more)
        if arm is self.plain:
            bits = [unpacked(text, len(more)) for text in found["drawn"]]
            before = self.drawn or [bit[:0] for bit in bits]
            self.drawn = [np.append(*pair) for pair in zip(before, bits, strict=True)]


@dataclass(frozen=True)
class CardQuestion:
    """What each card is worth in each of these decks against those, all as likely."""

    game: Duel
    decks: dict[str, Deck]
    against: dict[str, Deck]
    bot: str
    seed: str
    wanted: Wanted
    neighbours: int = 1

    @property
    def arguments(self) -> Json:
        """With the seed, all that the answer follows from."""
        return {
            **duel_frame(self.game),
            "decks": lists(self.decks),
            "against": lists(self.against),
            "bot": self.bot,
            "games": self.wanted.games,
            "within": self.wanted.within,
            "neighbours": self.neighbours,
        }

    def find(self, run: Run, tell: Tell) -> Json:
        found = []
        for name, deck in self.decks.items():
            cards = DeckCards(deck, list(self.arms(deck)))
            self.play(cards, run, tell)
            found.append({"name": name, **self.told(cards)})
        return {"found": found}

    def arms(self, deck: Deck) -> Iterator[Arm]:
        for card_id, _ in deck.cards:
            card = self.game.card_set.by_id[card_id]
            for instead in (blank_id(card), *neighbours(self.game, deck, card, self.neighbours)):
                yield Arm(card_id, instead)

    def play(self, cards: DeckCards, run: Run, tell: Tell) -> None:
        """Until every difference is known well enough; those that are not yet go on together."""
        wide = list(cards.arms)
        while wide:
            first = len(cards.plain.points)
            parts = [
                (arm, part) for part in spans(first, self.wanted.goal(first)) for arm in (cards.plain, *wide)
            ]
            pieces = [self.piece(cards.deck, arm, *part) for arm, part in parts]
            results = zip(parts, run(play_exchanged, pieces), strict=True)
            for done, ((arm, _), (_, found)) in enumerate(results, 1):
                cards.add(arm, found)
                tell("lab.cards.playing", done, len(parts))
            wide = [arm for arm in wide if not self.is_known(cards, arm)]

    def is_known(self, cards: DeckCards, arm: Arm) -> bool:
        within, games = self.wanted.within, len(arm.points)
        return games >= self.wanted.most or (within is not None and narrow_enough([cards.worth(arm)], within))

    def piece(self, deck: Deck, arm: Arm, first: int, last: int) -> Json:
        return {
            "game": described(self.game, self.game.settle()),
            "bot": self.bot,
            "seed": self.seed,
            "deck": deck.ids(),
            "card": arm.card,
            "instead": arm.instead,
            "against": [theirs.ids() for theirs in self.against.values()],
            "first": first,
            "last": last,
        }

    # ------------------------------------------------------------ as JSON

    def told(self, cards: DeckCards) -> Json:
        game = self.game
        return {
            "code": code_of(cards.deck, game),
            "share": mean(cards.plain.points).as_json(),
            "games": len(cards.plain.points),
            "cards": sorted(
                (
                    self.told_card(cards, place, card_id, copies)
                    for place, (card_id, copies) in enumerate(by_kind(game, cards.deck))
                ),
                key=lambda card: -float(card["worth"]["mean"]),
            ),
        }

    def told_card(self, cards: DeckCards, place: int, card_id: str, copies: int) -> Json:
        blank, *others = [arm for arm in cards.arms if arm.card == card_id]
        return {
            "id": card_id,
            "title": self.title(card_id),
            "copies": copies,
            "worth": cards.worth(blank).as_json(),
            "games": len(blank.points),
            "instead": [
                {"id": arm.instead, "title": self.title(arm.instead), "more": cards.worth(arm).as_json()}
                for arm in others
            ],
            "drawn": int(cards.drawn[place].sum()),
            "when_drawn": cards.when_drawn(place).as_json(),
        }

    def title(self, card_id: str) -> Json:
        card = self.game.card_set.by_id[card_id]
        return {lang: card.name(lang) for lang in LANGUAGES}


def by_kind(game: Duel, deck: Deck) -> list[tuple[str, int]]:
    """The cards of a deck in the order of the set, in which games tell what was drawn."""
    return sorted(deck.cards, key=lambda entry: game.kinds[entry[0]])
