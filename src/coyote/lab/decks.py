"""The question `decks`: how decks stand against each other, and how far above half a new one can get."""

from dataclasses import dataclass

from coyote.games.duel.decks import Deck
from coyote.games.duel.game import Duel
from coyote.games.game import Json
from coyote.lab.answer import Answer, Search
from coyote.lab.decklists import code_of, duel_frame, lists, titles
from coyote.lab.matrix import Matrix, Players, Run, Tell, Wanted

LEAST = 0.01  # a deck that has less of the mix is not met in a search


@dataclass(frozen=True)
class DeckQuestion:
    """`search` is how many games each search for an answer has, `rounds` how many answers join the decks."""

    game: Duel
    decks: dict[str, Deck]
    bot: str
    seed: str
    wanted: Wanted
    search: int = 0
    rounds: int = 0

    @property
    def arguments(self) -> Json:
        """With the seed, all that the answer follows from."""
        return {
            **duel_frame(self.game),
            "decks": lists(self.decks),
            "bot": self.bot,
            "games": self.wanted.games,
            "within": self.wanted.within,
            "search": self.search,
            "rounds": self.rounds,
        }

    def find(self, run: Run, tell: Tell) -> Json:
        """The matrix; then, one after another, answers to its mix, which join it (a double oracle)."""
        matrix = Matrix(Players(self.game, self.bot, self.seed), self.wanted, dict(self.decks))
        matrix.play(run, tell)
        found = {**self.told(matrix), "answers": []}
        for number in range(1, max(self.rounds, 1) + 1 if self.search else 1):
            answer = self.answer(matrix, number, run, tell)
            found["answers"].append(self.told_answer(answer))
            if number <= self.rounds:
                matrix.decks[f"answer {number}"] = answer.deck
                matrix.play(run, tell)
        if self.rounds:
            found["at_last"] = self.told(matrix)
        return found

    def answer(self, matrix: Matrix, number: int, run: Run, tell: Tell) -> Answer:
        """The best answer to the mix in equilibrium; each round has deals of its own."""
        players = Players(self.game, self.bot, f"{self.seed} round {number}")
        mix = zip(matrix.decks.values(), matrix.mixes().mix, strict=True)
        met = [(deck, weight) for deck, weight in mix if weight >= LEAST]
        return Search(players, met, run, tell).best(self.search, self.wanted)

    # ------------------------------------------------------------ what is told

    def told(self, matrix: Matrix) -> Json:
        names = list(matrix.decks)
        named = [titles(deck, self.game) for deck in matrix.decks.values()]
        return {
            "names": names,
            "codes": [code_of(deck, self.game) for deck in matrix.decks.values()],
            "matrix": [[None if a == b else matrix.share(a, b).as_json() for b in names] for a in names],
            "draws": [[None if a == b else matrix.draws(a, b) for b in names] for a in names],
            "field": [matrix.field(name).as_json() for name in names],
            "equilibrium": matrix.mixes().as_json(),
            "in_every_good": in_every_good(matrix),
            "titles": {card: title for one in named for card, title in one.items()},
            "played": matrix.games,
        }

    def told_answer(self, answer: Answer) -> Json:
        return {
            "code": code_of(answer.deck, self.game),
            "cards": dict(answer.deck.cards),
            "titles": titles(answer.deck, self.game),
            "share": answer.share.as_json(),
            "checked": int(answer.counts.sum()),
            "seemed": answer.seemed,
            "tried": answer.tried,
            "searched": answer.games,
        }


def in_every_good(matrix: Matrix) -> list[str]:
    """The cards that no deck with more than half against the field does without."""
    good = [deck for name, deck in matrix.decks.items() if matrix.field(name).mean > 0.5]
    cards = [{card for card, _ in deck.cards} for deck in good]
    return sorted(set.intersection(*cards)) if cards else []
