"""How the net of the duel learns: it plays with itself (`practice`); what it thinks of a turn comes nearer to
how the game went on, and moves that turned out to be worth more become likelier. Plain NumPy and a few
compiled loops: the net is small.

The forward pass here is the one of `judge` and `cardnet`, for many turns at once; a test holds them together.
`tools/train_duel.py` does all of it with one command. Everything follows from a seed, however many threads
there are; what has been reached is written down now and then, so that a run which was stopped goes on.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.bots.duel import cardnet, practice
from coyote.bots.duel.cardnet import EFFECT_NET, Entries
from coyote.bots.duel.course import Piece
from coyote.bots.duel.judge import DECK, FIRST, HAND, LAYERS, ROOM, Net
from coyote.bots.duel.practice import LESSON, MOST_TURNS, PLACES
from coyote.bots.net import Weights, dot, fill
from coyote.bots.training import PUPILS, Course, Found, mean_of
from coyote.games.duel.game import EVENTS
from coyote.games.duel.state import STATE
from coyote.kernel.events import silent_log
from coyote.kernel.jit import big_rule
from coyote.kernel.luck import REAL_CHANCE
from coyote.kernel.record import new
from coyote.kernel.seats import NONE

Floats = npt.NDArray[np.float32]
TINY = 1e-6


# ---------------------------------------------------------------- the net


def shapes() -> dict[str, tuple[int, ...]]:
    layers = {name: new(LAYERS)[name].shape for name in LAYERS.names or ()}
    return {**cardnet.SHAPES, **layers, **cardnet.PROPOSES}


def new_net(dice: np.random.Generator) -> Weights:
    made: Weights = {}
    for name, shape in shapes().items():
        fan = shape[-2] if len(shape) > 1 else shape[0]
        size = 0.0 if "bias" in name or name == "always" else (2.0 / fan) ** 0.5
        size *= {"places": 0.15, "house": 0.1, "third": 0.5, "moves": 0.1, "hold": 0.1}.get(name, 1.0)
        made[name] = (dice.normal(size=shape) * size).astype(np.float32)
    return made


@big_rule
def add_cards(places, cards, n, sums):
    """sums[turn, seat] gets the rows of all cards; places is [place, entry]."""
    for p in range(len(sums)):
        for seat in range(2):
            out = sums[p, seat]
            for i in range(n[p, seat]):
                card = cards[p, seat, i]
                row = places[card % PLACES, card // PLACES]
                for j in range(len(out)):
                    out[j] += row[j]


@big_rule
def close_hands(places, cards, n_hand, closed):
    """closed[turn, seat] is what the other sees of that side: the hand is with the deck."""
    for p in range(len(closed)):
        for seat in range(2):
            out = closed[p, seat]
            for i in range(n_hand[p, seat]):
                entry = cards[p, seat, i] // PLACES
                deck, hand = places[DECK, entry], places[HAND, entry]
                for j in range(FIRST):
                    out[j] += deck[FIRST + j] - hand[FIRST + j]


@big_rule
def share_out(slopes, closed, cards, n, n_hand, places):
    """The way back: each row gets the slopes of all sums that it is in."""
    for p in range(len(slopes)):
        for seat in range(2):
            slope, hidden = slopes[p, seat], closed[p, seat]
            for i in range(n[p, seat]):
                card = cards[p, seat, i]
                row = places[card % PLACES, card // PLACES]
                for j in range(len(slope)):
                    row[j] += slope[j]
            for i in range(n_hand[p, seat]):
                entry = cards[p, seat, i] // PLACES
                deck, hand = places[DECK, entry], places[HAND, entry]
                for j in range(FIRST):
                    deck[FIRST + j] += hidden[j]
                    hand[FIRST + j] -= hidden[j]


@big_rule
def liked(first, rows, hold, moves, n, out):
    """out[turn, seat] gets how much each move is liked, as parts of 1."""
    for p in range(len(first)):
        for seat in range(2):
            here, chance = first[p, seat], out[p, seat]
            top, total = np.float32(-np.inf), np.float32(0.0)
            for i in range(n[p, seat]):
                move = moves[p, seat, i]
                chance[i] = dot(here, hold if move == NONE else rows[move])
                top = max(top, chance[i])
            for i in range(n[p, seat]):
                chance[i] = np.exp(chance[i] - top)
                total += chance[i]
            for i in range(n[p, seat]):
                chance[i] /= total


@big_rule
def like_more(slopes, first, rows, hold, moves, n, d_first, d_rows, d_hold):
    """The way back: what the first layer and the rows of moves get of it."""
    for p in range(len(first)):
        for seat in range(2):
            here, d_here = first[p, seat], d_first[p, seat]
            for i in range(n[p, seat]):
                move, slope = moves[p, seat, i], slopes[p, seat, i]
                row, d_row = (hold, d_hold) if move == NONE else (rows[move], d_rows[move])
                for j in range(len(here)):
                    d_here[j] += slope * row[j]
                    d_row[j] += slope * here[j]


@dataclass
class Batch:
    """Turns of games with one set of cards under one set of house rules."""

    entries: Entries
    house: Floats
    lessons: npt.NDArray[Any]


def from_both(own: Floats, other: Floats, always: Floats) -> Floats:
    """The first layer of each turn from either seat: one's own side, and the other's as it is seen."""
    first: Floats = own + other[:, ::-1] + always
    first *= first > 0
    return first


def forward(b: Batch, w: Weights) -> tuple[Floats, dict[str, Any]]:
    """The chance of seat 0, and all that the way back needs."""
    e, told = b.entries, b.lessons
    effects = e.effects @ w["effect"] + w["effect_bias"]
    effects *= effects > 0
    added = np.zeros((len(e.traits), EFFECT_NET), np.float32)
    np.add.at(added, e.owner, effects)
    both = np.concatenate([added, e.traits], axis=1)
    cards = both @ w["card"] + w["card_bias"]
    cards *= cards > 0
    places = cards @ w["places"][:, :-1] + w["places"][:, -1:]
    signs = told["signs"]
    sums = (signs.reshape(-1, signs.shape[-1]) @ w["signs"]).reshape(len(signs), 2, 2 * FIRST)
    add_cards(places, told["cards"], told["n"], sums)
    own, open_ = sums[:, :, :FIRST], sums[:, :, FIRST:]
    closed = open_.copy()
    close_hands(places, told["cards"], told["n_hand"], closed)
    always = w["always"] + b.house @ w["house"]
    first, eyes = from_both(own, open_, always), from_both(own, closed, always)
    second = first @ w["second"] + w["second_bias"]
    second *= second > 0
    out = second @ w["third"]
    chance = 1.0 / (1.0 + np.exp(-(out[:, 0] - out[:, 1])))
    moves = cards @ w["moves"][:-1] + w["moves"][-1:]
    likes = np.zeros(told["worth"].shape, np.float32)
    liked(eyes, moves, w["hold"], told["moves"], told["n_moves"], likes)
    return chance, {
        "effects": effects, "both": both, "cards": cards, "places": places, "first": first, "eyes": eyes,
        "second": second, "moves": moves, "likes": likes,
    }  # fmt: skip


def backward(b: Batch, w: Weights, chance: Floats, kept: dict[str, Any], likes: Floats) -> Weights:
    """The slope with each weight, where `likes` are the slopes with how much the moves are liked."""
    slope: Weights = {}
    told = b.lessons
    out = ((chance - told["foreseen"]) / len(chance)).astype(np.float32)
    d_out = np.stack([out, -out], axis=1)
    second, first, eyes = kept["second"], kept["first"], kept["eyes"]
    slope["third"] = np.einsum("ps,psk->k", d_out, second)
    d_second = d_out[:, :, None] * w["third"] * (second > 0)
    flat = d_second.reshape(-1, d_second.shape[-1])
    slope["second"] = first.reshape(-1, FIRST).T @ flat
    slope["second_bias"] = flat.sum(0)
    d_first = (flat @ w["second"].T).reshape(first.shape) * (first > 0)
    d_eyes, d_moves = np.zeros_like(eyes), np.zeros_like(kept["moves"])
    slope["hold"] = np.zeros_like(w["hold"])
    like_more(
        likes, eyes, kept["moves"], w["hold"], told["moves"], told["n_moves"], d_eyes, d_moves, slope["hold"]
    )
    d_eyes *= eyes > 0
    d_own = d_first + d_eyes
    slope["always"] = d_own.sum((0, 1))
    slope["house"] = np.outer(b.house, slope["always"])
    d_sums = np.concatenate([d_own, d_own[:, ::-1]], axis=2)
    signs = told["signs"]
    slope["signs"] = signs.reshape(-1, signs.shape[-1]).T @ d_sums.reshape(-1, 2 * FIRST)
    d_places = np.zeros_like(kept["places"])
    closed = np.ascontiguousarray(d_eyes[:, ::-1])
    share_out(d_sums, closed, told["cards"], told["n"], told["n_hand"], d_places)
    cards, both, effects = kept["cards"], kept["both"], kept["effects"]
    slope["places"] = np.concatenate([cards.T @ d_places, d_places.sum(1)[:, None]], axis=1)
    slope["moves"] = np.concatenate([cards.T @ d_moves, d_moves.sum(0)[None]], axis=0)
    d_cards = (d_places @ w["places"][:, :-1].transpose(0, 2, 1)).sum(0)
    d_cards = (d_cards + d_moves @ w["moves"][:-1].T) * (cards > 0)
    slope["card"], slope["card_bias"] = both.T @ d_cards, d_cards.sum(0)
    d_added = (d_cards @ w["card"].T)[:, :EFFECT_NET]
    d_effects = d_added[b.entries.owner] * (effects > 0)
    slope["effect"], slope["effect_bias"] = b.entries.effects.T @ d_effects, d_effects.sum(0)
    return slope


def like_better(b: Batch, likes: Floats, spread: float) -> tuple[Floats, float]:
    """The slopes with how much moves are liked: those that gain become likelier, in the measure in which they
    are made (the policy's gradient), where being rare is worth something too: `spread` for e times as rare.
    And how much the best move is worth more than those that are made, on average."""
    worth = b.lessons["worth"]
    there = np.arange(worth.shape[2]) < b.lessons["n_moves"][:, :, None]
    gains = worth - np.float32(spread) * np.log(np.maximum(likes, TINY))
    gains -= (likes * gains).sum(2, keepdims=True)
    best = np.where(there, worth, 0).max(2) - (likes * worth).sum(2)
    return np.float32(-1.0 / len(worth)) * likes * gains * there, float(best.mean())


class Adam:
    """Steps along slopes, each weight at its own pace."""

    def __init__(self, w: Weights) -> None:
        self.mean = {name: np.zeros_like(table) for name, table in w.items()}
        self.square = {name: np.zeros_like(table) for name, table in w.items()}
        self.steps = 0

    def step(self, w: Weights, slope: Weights, pace: float) -> None:
        self.steps += 1
        for name, g in slope.items():
            m, v = self.mean[name], self.square[name]
            m += np.float32(0.1) * (g - m)
            v += np.float32(0.001) * (g * g - v)
            way = (m / (1 - 0.9**self.steps)) / (np.sqrt(v / (1 - 0.999**self.steps)) + 1e-8)
            w[name] -= np.float32(pace) * way.astype(np.float32)


def error(chance: Floats, goal: Floats) -> float:
    p = np.clip(chance, TINY, 1 - TINY)
    return float(-np.mean(goal * np.log(p) + (1 - goal) * np.log(1 - p)))


# ---------------------------------------------------------------- a course


COURSE = Course(steps=24_000, reach=0.95, spread=(0.02, 0.004))
LIKING = np.float32(20.0)  # how much moves count beside who wins


class Pupil:
    """Somebody who plays with itself, and says in which direction the net would be better."""

    def __init__(self, games: int) -> None:
        self.table, self.world = np.zeros(1, STATE), np.zeros(1, STATE)
        self.words, self.dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        self.log, self.desk, self.room = silent_log(EVENTS), new(practice.DESK), new(ROOM)
        self.layers = new(LAYERS)
        self.lessons = np.zeros(MOST_TURNS + 40 * games, LESSON)

    def play(self, piece: Piece, entries: Entries, w: Weights, seed: str, reach: float) -> Batch:
        """The games of a piece with new deals."""
        game, dice, house = piece.game, Random(seed), cardnet.house_of(piece.game.row)
        fill(self.layers, w)
        net = Net(*cardnet.rows_of(entries, w), cardnet.always_there(game.row, w), self.layers, self.room)
        source = np.array([dice.getrandbits(64), dice.getrandbits(64)], np.uint64)
        n = practice.play_lessons(
            self.table, game.table, net, game.row, REAL_CHANCE, self.log, self.world, entries.of, piece.lists,
            source, self.words, self.dice, self.desk, reach, self.lessons,
        )  # fmt: skip
        return Batch(entries, house, self.lessons[:n])


class Class:
    """A net that learns, with what Adam remembers, and the pieces of games that it plays."""

    def __init__(self, w: Weights, course: Course, pieces: list[Piece], seed: str) -> None:
        self.w, self.course, self.pieces, self.seed = w, course, pieces, seed
        self.entries = [cardnet.entries_of(piece.game.table, len(piece.game.ids)) for piece in pieces]
        self.pupils = [Pupil(len(pieces[0].lists)) for _ in range(PUPILS)]
        self.adam = Adam(w)

    @property
    def steps(self) -> int:
        return self.adam.steps

    def lesson(self, number: int) -> tuple[Weights, Found]:
        """One pupil plays and studies."""
        course, turn = self.course, self.steps * PUPILS + number
        which = turn % len(self.pieces)
        batch = self.pupils[number].play(
            self.pieces[which], self.entries[which], self.w, f"{self.seed} {turn}", course.reach
        )
        chance, kept = forward(batch, self.w)
        likes, behind = like_better(batch, kept["likes"], course.spread_at(self.steps))
        slope = backward(batch, self.w, chance, kept, LIKING * likes)
        return slope, (error(chance, batch.lessons["won"]), behind)

    def step(self, pool: ThreadPoolExecutor) -> Found:
        slopes, found = zip(*pool.map(self.lesson, range(PUPILS)), strict=True)
        slope = {name: sum(each[name] for each in slopes) / np.float32(PUPILS) for name in self.w}
        self.adam.step(self.w, slope, self.course.rate_at(self.steps + 1))
        return mean_of(list(found))

    def state(self) -> dict[str, Any]:
        parts = {"w": self.w, "mean": self.adam.mean, "square": self.adam.square}
        return {f"{part} {name}": table for part, tables in parts.items() for name, table in tables.items()}

    def go_on_from(self, steps: int) -> None:
        self.adam.steps = steps
