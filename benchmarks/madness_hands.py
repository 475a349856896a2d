"""Hands weighed by the policy: what the moves of the other tell about their hand, and what that is worth.

    python benchmarks/madness_hands.py --edition classic --games 400

A player keeps a diary: what it saw before each of the other's moves, and the move. When it is asked, it
imagines many hands, walks each back through the diary (a card that was played comes back, cards that were
drawn since go out, nobody knows which), and weighs it by how likely the policy would have made these moves
with it. It searches with hands drawn by weight, against the same search with hands drawn evenly. Told are
also how much the diary says of the true hand, in nats, and how many of its cards the imagined hands have.
"""

import argparse
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.progress import track

from coyote.analysis.luck import luck_of
from coyote.bots.madness import tree
from coyote.bots.madness.fold import first_bare, folded
from coyote.bots.madness.mind import MadnessMind
from coyote.bots.madness.nets import weigh_moves
from coyote.bots.madness.tree import list_moves
from coyote.bots.seed import dice_for
from coyote.games.game import NO_SETUP, Record
from coyote.games.madness.actions import ATTACK, BEAT, DROP, DROP_NOTHING, PASS, STEAL
from coyote.games.madness.cards import N_CARDS, all_cards
from coyote.games.madness.game import Madness
from coyote.games.madness.state import STATE
from coyote.games.madness.view import seen
from coyote.kernel.bits import ONE, count, only
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import new, same
from coyote.kernel.seats import NONE
from coyote.lab.contest import Standing
from coyote.lab.games import Played
from coyote.lab.series import series, words_of
from coyote.match import Match
from coyote.questions import Question

WORLDS, HANDS, TRIES = 64, 256, 16  # hands searched with, hands to draw them from, simulations with each
SURE = 0.95  # of the policy's word: anybody may do something else


def card_of(action: int) -> int:
    """The card that leaves the hand, or NONE."""
    if ATTACK <= action < PASS:
        return (action - ATTACK) % N_CARDS if action < BEAT else action - BEAT
    if DROP <= action < DROP_NOTHING:
        return action - DROP
    return action - STEAL if STEAL <= action < STEAL + N_CARDS else NONE


@rule
def nth(cards, n):
    """The card number n of a set."""
    for card in range(64):
        if cards >> np.uint64(card) & ONE:
            if n == 0:
                return card
            n -= 1
    return NONE


@rule
def likelihood(s, ed, seat, action, net, biases, x):
    """That the policy makes this move; 1 where there is no other."""
    n = list_moves(s, ed, seat, x)
    fold = folded(s, first_bare(s, ed), action)
    if n < 2 or x.stamped[fold] != x.stamp:
        return 1.0
    weigh_moves(s, ed, seat, net, biases, x, n)
    return SURE * x.weights[x.place[fold]] + (1.0 - SURE) / n


@big_rule
def weigh_hands(views, actions, cards, drawn, n, ed, seat, net, biases, x, world, hands, out):
    """Write the logarithm of each hand's weight; `drawn` are cards that came between a move and the next."""
    s = world[0]
    for h in range(len(hands)):
        hand, out[h] = hands[h], 0.0
        for i in range(n - 1, -1, -1):
            for _ in range(min(drawn[i], count(hand))):
                hand &= ~only(nth(hand, roll(x.dice, 0, count(hand))))
            hand |= only(cards[i])
            world[0] = views[i]
            s.hands[seat] = hand
            out[h] += np.log(likelihood(s, ed, seat, actions[i], net, biases, x))


@dataclass
class Diary:
    """What a seat has seen of the other's moves."""

    views: list[Record] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)

    def note(self, view: Record, action: int) -> None:
        self.views.append(same(view))
        self.actions.append(action)

    def last(self, n: int, view: Record, them: int) -> tuple[Any, ...]:
        """The last moves, as `weigh_hands` has them."""
        views, actions = self.views[-n:], self.actions[-n:]
        cards = [card_of(action) for action in actions]
        held = [int(v.held[them]) for v in [*views, view]]
        drawn = [max(0, held[i + 1] - held[i] + (card != NONE)) for i, card in enumerate(cards)]
        kept = np.zeros(len(views), STATE)
        for i, v in enumerate(views):
            kept[i] = v
        return kept, *(np.array(part, np.int64) for part in (actions, cards, drawn)), len(views)


class Player:
    """A search with a fixed number of imagined hands, weighed or not."""

    def __init__(self, game: Madness, back: int) -> None:
        self.game, self.back, self.mind = game, back, MadnessMind(game)
        self.work, self.world = new(tree.WORK), np.zeros(1, STATE)
        self.told: list[tuple[float, float, float]] = []

    def choose(self, question: Question, dice: Any, diary: Diary, true: np.uint64) -> int:
        if len(question.legal) == 1:
            return question.legal[0]
        luck, them, view = np.random.default_rng(dice), 1 - question.seat, same(question.view)
        hands = self.imagine(view, them, luck)
        if self.back:
            hands = self.weighed(hands, view, them, diary, true, luck)
        self.mind.begin(dice)
        for hand in hands[:WORLDS]:
            view.hands[them] = hand
            self.mind.grow(Question(view, question.seat, question.legal), TRIES)
        return self.mind.conclude(question).action

    def imagine(self, view: Record, them: int, luck: np.random.Generator) -> Any:
        unseen = int(all_cards(self.game.row.jokers)) & ~int(seen(view))
        cards = [card for card in range(N_CARDS) if unseen >> card & 1]
        n = int(view.held[them])
        picks = luck.permuted(np.tile(cards, (HANDS, 1)), axis=1)[:, :n].astype(np.uint64)
        return np.bitwise_or.reduce(np.uint64(1) << picks, axis=1) if n else np.zeros(HANDS, np.uint64)

    def weighed(
        self, hands: Any, view: Record, them: int, diary: Diary, true: np.uint64, luck: np.random.Generator
    ) -> Any:
        net, logs = self.mind.nets[self.mind.manner.policy_net], np.zeros(2 * HANDS)
        self.work.dice[:] = luck.integers(0, 1 << 63, 2)
        told, place = (diary.last(self.back, view, them), self.game.row), (self.work, self.world)
        both = np.append(hands, np.full(HANDS, true))
        weigh_hands(*told[0], told[1], np.int64(them), net, self.mind.manner, *place, both, logs)
        weights, truly = np.split(np.exp(logs - logs.max()), 2)
        even, share = np.array([int(hand & true).bit_count() for hand in hands]), weights / weights.sum()
        if true:
            nats = np.log(truly.mean() / weights.mean())
            self.told.append((nats, *(each / int(true).bit_count() for each in (even.mean(), even @ share))))
        return luck.choice(hands, WORLDS, p=share)


def play(game: Madness, seed: str, players: list[Player]) -> Played:
    match, diaries = Match(game, NO_SETUP, seed=seed), [Diary(), Diary()]
    while actors := match.actors:
        seat = actors[0]
        question = Question(match.view(seat), seat, match.legal_actions(seat))
        true = match.view(1 - seat).hands[1 - seat]  # to tell how near the hands came; nobody plays by it
        action = players[seat].choose(question, dice_for(f"{seed} {seat}", question), diaries[seat], true)
        diaries[1 - seat].note(match.view(1 - seat), action)
        match.play_action(action, seat)
    return Played(match)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--edition", choices=["standard", "classic"], default="classic")
    arguments.add_argument("--games", type=int, default=400)
    arguments.add_argument("--back", type=int, default=16, help="moves of the other that are looked back at")
    asked = arguments.parse_args()
    game, standing, source = Madness(edition=asked.edition), Standing(), series("hands")
    weighs, plain = Player(game, asked.back), Player(game, 0)
    for number in track(range(asked.games // 2), "playing", transient=True):
        seed, _ = words_of(source, number)
        pair = play(game, seed, [weighs, plain]), play(game, seed, [plain, weighs])
        standing.add(pair)
        standing.adjusted.add(pair, [luck_of(played.match) for played in pair])
    found, told = standing.as_json(None), np.array(weighs.told)
    for name, score in (("share", found["score"]), ("less luck", found["luck"]["score"])):
        print(
            f"{name:10} {100 * score['share']:.1f} % [{100 * score['low']:.1f} – {100 * score['high']:.1f}]"
        )
    nats, even, weighed = told.mean(axis=0)
    error = told[:, 0].std() / np.sqrt(len(told))
    print(
        f"{asked.edition}, {asked.games} games, {asked.back} moves back: {nats:.2f} ± {error:.2f} nats;",
        end=" ",
    )
    print(f"of the true hand's cards {100 * even:.1f} % in any hands, {100 * weighed:.1f} % in weighed ones")


if __name__ == "__main__":
    main()
