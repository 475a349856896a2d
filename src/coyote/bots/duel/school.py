"""How the judge of the duel learns: what it makes of a position, how far that is from how the game went on
and from what the searches chose there, and in which direction each weight would make it better. Plain NumPy:
the net is small.

The forward pass here is the one of `judge` and `cardnet`, for many positions at once; a test holds them
together.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.bots.duel import cardnet
from coyote.bots.duel.cardnet import EFFECT_NET, Entries
from coyote.bots.duel.judge import FIRST, LAYERS
from coyote.bots.duel.lessons import LESSON, PLACES, POSITION, play_again
from coyote.bots.net import Weights, dot
from coyote.games.duel.editions import OPTIONS
from coyote.games.duel.game import EVENTS
from coyote.games.duel.state import STATE
from coyote.games.options import row_dtype
from coyote.kernel.events import silent_log
from coyote.kernel.jit import big_rule
from coyote.kernel.luck import REAL_CHANCE
from coyote.kernel.record import new
from coyote.kernel.seats import NONE

Floats = npt.NDArray[np.float32]
Tell = Callable[[int, float, float, float], None]  # epoch, error, and with positions not learned from: errors


# ---------------------------------------------------------------- positions


class Lot:
    """All positions of games with one set of cards under one set of house rules."""

    def __init__(self, path: Path, sets: dict[bytes, Entries]) -> None:
        with np.load(path) as kept:
            lessons, table, kinds = kept["lessons"].view(LESSON), kept["table"], int(kept["kinds"])
            row = kept["row"].view(row_dtype(OPTIONS))[0]
        if table.tobytes() not in sets:
            sets[table.tobytes()] = cardnet.entries_of(table, kinds)
        self.entries, self.house = sets[table.tobytes()], cardnet.house_of(row)
        self.positions = np.zeros(int(lessons["turns"].sum()), POSITION)
        play_again(
            lessons, np.zeros(1, STATE), table, row, REAL_CHANCE, silent_log(EVENTS), self.entries.of,
            self.positions,
        )  # fmt: skip


def goals(positions: Any, trust: float) -> Floats:
    """What to learn: what was expected in the turns that followed, later ones less, and how it ended."""
    value, won, left = positions["value"], positions["won"], positions["left"]
    goal = np.empty(len(positions), np.float32)
    after = 0.0
    for i in range(len(positions) - 1, -1, -1):
        after = won[i] if left[i] == 1 else after
        after = (1.0 - trust) * value[i] + trust * after
        goal[i] = after
    return goal


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
def add_cards(places, offset, cards, n, sums):
    """sums[position, seat] gets the rows of all cards; places is [place, entry]."""
    for p in range(len(sums)):
        for seat in range(2):
            out = sums[p, seat]
            for i in range(n[p, seat]):
                card = cards[p, seat, i]
                row = places[card % PLACES, offset[p] + card // PLACES]
                for j in range(len(out)):
                    out[j] += row[j]


@big_rule
def share_out(slopes, offset, cards, n, places):
    """The way back: each row gets the slopes of all sums that it is in."""
    for p in range(len(slopes)):
        for seat in range(2):
            slope = slopes[p, seat]
            for i in range(n[p, seat]):
                card = cards[p, seat, i]
                row = places[card % PLACES, offset[p] + card // PLACES]
                for j in range(len(slope)):
                    row[j] += slope[j]


@big_rule
def liked(first, rows, hold, offset, moves, n, out):
    """out[position, seat] gets how much each move is liked, as parts of 1."""
    for p in range(len(first)):
        for seat in range(2):
            here, chance = first[p, seat], out[p, seat]
            top, total = np.float32(-np.inf), np.float32(0.0)
            for i in range(n[p, seat]):
                move = moves[p, seat, i]
                chance[i] = dot(here, hold if move == NONE else rows[offset[p] + move])
                top = max(top, chance[i])
            for i in range(n[p, seat]):
                chance[i] = np.exp(chance[i] - top)
                total += chance[i]
            for i in range(n[p, seat]):
                chance[i] /= total


@big_rule
def like_more(slopes, first, rows, hold, offset, moves, n, d_first, d_rows, d_hold):
    """The way back: what the first layer and the rows of moves get of it."""
    for p in range(len(first)):
        for seat in range(2):
            here, d_here = first[p, seat], d_first[p, seat]
            for i in range(n[p, seat]):
                move, slope = moves[p, seat, i], slopes[p, seat, i]
                row, d_row = (
                    (hold, d_hold) if move == NONE else (rows[offset[p] + move], d_rows[offset[p] + move])
                )
                for j in range(len(here)):
                    d_here[j] += slope * row[j]
                    d_row[j] += slope * here[j]


def join(parts: list[Entries]) -> Entries:
    """Several sets as one; of each set the number of its first entry is where the ones before it end."""
    starts = np.cumsum([0, *(len(part.traits) for part in parts)])
    return Entries(
        np.zeros((0, 0), np.int64),
        np.concatenate([part.effects for part in parts]),
        np.concatenate([part.owner + start for part, start in zip(parts, starts, strict=False)]),
        np.concatenate([part.traits for part in parts]),
    )


class Batch:
    """Positions of several lots."""

    def __init__(self, parts: list[tuple[Lot, npt.NDArray[np.int64]]], goal: dict[int, Floats]) -> None:
        sets: dict[int, Entries] = {id(lot.entries): lot.entries for lot, _ in parts}
        self.entries = join(list(sets.values()))
        starts, n = {}, 0
        for key, entries in sets.items():
            starts[key] = n
            n += len(entries.traits)
        chosen = [lot.positions[picked] for lot, picked in parts]
        self.positions = np.concatenate(chosen)
        self.offset = np.concatenate(
            [np.full(len(picked), starts[id(lot.entries)], np.int64) for lot, picked in parts]
        )
        self.house = np.concatenate([np.repeat(lot.house[None], len(picked), 0) for lot, picked in parts])
        self.goal = np.concatenate([goal[id(lot)][picked] for lot, picked in parts])
        shares = self.positions["share"].astype(np.float32)
        self.shares = shares / np.maximum(shares.sum(2, keepdims=True), 1)


def forward(b: Batch, w: Weights) -> tuple[Floats, dict[str, Any]]:
    """The chance of seat 0, and all that the way back needs."""
    e = b.entries
    effects = e.effects @ w["effect"] + w["effect_bias"]
    effects *= effects > 0
    added = np.zeros((len(e.traits), EFFECT_NET), np.float32)
    np.add.at(added, e.owner, effects)
    both = np.concatenate([added, e.traits], axis=1)
    cards = both @ w["card"] + w["card_bias"]
    cards *= cards > 0
    places = cards @ w["places"][:, :-1] + w["places"][:, -1:]
    signs = b.positions["signs"]
    sums = (signs.reshape(-1, signs.shape[-1]) @ w["signs"]).reshape(len(signs), 2, 2 * FIRST)
    add_cards(places, b.offset, b.positions["cards"], b.positions["n"], sums)
    always = w["always"] + b.house @ w["house"]
    first = sums[:, :, :FIRST] + sums[:, ::-1, FIRST:] + always[:, None]
    first *= first > 0
    second = first @ w["second"] + w["second_bias"]
    second *= second > 0
    out = second @ w["third"]
    chance = 1.0 / (1.0 + np.exp(-(out[:, 0] - out[:, 1])))
    moves = cards @ w["moves"][:-1] + w["moves"][-1:]
    likes = np.zeros(b.shares.shape, np.float32)
    liked(first, moves, w["hold"], b.offset, b.positions["moves"], b.positions["n_moves"], likes)
    return chance, {
        "effects": effects, "both": both, "cards": cards, "places": places, "first": first, "second": second,
        "moves": moves, "likes": likes,
    }  # fmt: skip


def backward(b: Batch, w: Weights, chance: Floats, kept: dict[str, Any]) -> Weights:
    """The slope of the error with each weight."""
    slope: Weights = {}
    out = ((chance - b.goal) / len(chance)).astype(np.float32)
    d_out = np.stack([out, -out], axis=1)
    second, first = kept["second"], kept["first"]
    slope["third"] = np.einsum("ps,psk->k", d_out, second)
    d_second = d_out[:, :, None] * w["third"] * (second > 0)
    flat = d_second.reshape(-1, d_second.shape[-1])
    slope["second"] = first.reshape(-1, FIRST).T @ flat
    slope["second_bias"] = flat.sum(0)
    d_first = (flat @ w["second"].T).reshape(first.shape)
    d_moves = like_better(b, w, kept, slope, d_first)
    d_first *= first > 0
    slope["always"] = d_first.sum((0, 1))
    slope["house"] = b.house.T @ d_first.sum(1)
    d_sums = np.concatenate([d_first, d_first[:, ::-1]], axis=2)
    signs = b.positions["signs"]
    slope["signs"] = signs.reshape(-1, signs.shape[-1]).T @ d_sums.reshape(-1, 2 * FIRST)
    d_places = np.zeros_like(kept["places"])
    share_out(d_sums, b.offset, b.positions["cards"], b.positions["n"], d_places)
    cards, both, effects = kept["cards"], kept["both"], kept["effects"]
    slope["places"] = np.concatenate([cards.T @ d_places, d_places.sum(1)[:, None]], axis=1)
    slope["moves"] = np.concatenate([cards.T @ d_moves, d_moves.sum(0)[None]], axis=0)
    d_cards = np.einsum("zej,zcj->ec", d_places, w["places"][:, :-1], optimize=True)
    d_cards = (d_cards + d_moves @ w["moves"][:-1].T) * (cards > 0)
    slope["card"], slope["card_bias"] = both.T @ d_cards, d_cards.sum(0)
    d_added = (d_cards @ w["card"].T)[:, :EFFECT_NET]
    d_effects = d_added[b.entries.owner] * (effects > 0)
    slope["effect"], slope["effect_bias"] = b.entries.effects.T @ d_effects, d_effects.sum(0)
    return slope


def like_better(b: Batch, w: Weights, kept: dict[str, Any], slope: Weights, d_first: Floats) -> Floats:
    """What the proposed moves add to the slopes; those of the rows of moves are given back."""
    slopes = (kept["likes"] - b.shares) * np.float32(LIKING / len(b.goal))
    d_moves: Floats = np.zeros_like(kept["moves"])
    slope["hold"] = np.zeros_like(w["hold"])
    moves, n = b.positions["moves"], b.positions["n_moves"]
    like_more(
        slopes, kept["first"], kept["moves"], w["hold"], b.offset, moves, n, d_first, d_moves, slope["hold"]
    )
    return d_moves


LIKING = 0.4  # how much what is proposed counts beside who wins
DECAY = 0.1


class Adam:
    """Steps along slopes, each weight at its own pace."""

    def __init__(self, w: Weights) -> None:
        self.mean = {name: np.zeros_like(table) for name, table in w.items()}
        self.square = {name: np.zeros_like(table) for name, table in w.items()}
        self.steps, self.decay = 0, DECAY

    def step(self, w: Weights, slope: Weights, pace: float) -> None:
        self.steps += 1
        for name, g in slope.items():
            m, v = self.mean[name], self.square[name]
            m += 0.1 * (g - m)
            v += 0.01 * (g * g - v)
            way = (m / (1 - 0.9**self.steps)) / (np.sqrt(v / (1 - 0.99**self.steps)) + 1e-7)
            w[name] -= np.float32(pace) * (way + np.float32(self.decay) * w[name])


def error(chance: Floats, goal: Floats) -> float:
    p = np.clip(chance, 1e-6, 1 - 1e-6)
    return float(-np.mean(goal * np.log(p) + (1 - goal) * np.log(1 - p)))


# ---------------------------------------------------------------- learning

GROUP, GROUPS = 256, 8  # positions of one lot in a batch, and lots
TESTED = 21  # one piece in so many is not learned from


class Shelf:
    """All lots that are learned from, and those that are only asked."""

    def __init__(self) -> None:
        self.sets: dict[bytes, Entries] = {}
        self.lots: list[Lot] = []
        self.tests: list[Lot] = []

    def add(self, path: Path) -> None:
        lot = Lot(path, self.sets)
        (self.tests if int(path.stem) % TESTED == 0 else self.lots).append(lot)


def batches(lots: list[Lot], goal: dict[int, Floats], dice: np.random.Generator) -> Iterator[Batch]:
    """Every position once, in any order."""
    groups = []
    for lot in lots:
        order = dice.permutation(len(lot.positions))
        groups += [(lot, order[start : start + GROUP]) for start in range(0, len(order), GROUP)]
    dice.shuffle(groups)
    for start in range(0, len(groups), GROUPS):
        yield Batch(groups[start : start + GROUPS], goal)


def learn(
    shelf: Shelf, w: Weights, epochs: int, trust: float, pace: float, dice: np.random.Generator, tell: Tell
) -> None:
    """Change the weights; `tell` hears after each epoch how it goes."""
    goal = {id(lot): goals(lot.positions, trust) for lot in [*shelf.lots, *shelf.tests]}
    adam, total = Adam(w), 0
    steps = epochs * -(-sum(-(-len(lot.positions) // GROUP) for lot in shelf.lots) // GROUPS)
    for epoch in range(epochs):
        errors = []
        for b in batches(shelf.lots, goal, dice):
            chance, kept = forward(b, w)
            errors.append(error(chance, b.goal))
            now = pace * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * min(total / steps, 1.0))))
            adam.step(w, backward(b, w, chance, kept), now * min(1.0, (total + 1) / 100))
            total += 1
        tell(epoch, float(np.mean(errors)), *errors_of(shelf.tests, goal, w))


def errors_of(lots: list[Lot], goal: dict[int, Floats], w: Weights) -> tuple[float, float]:
    """The errors with positions that were not learned from: of the goal, and of how the games ended."""
    found = [(b, forward(b, w)[0]) for b in batches(lots, goal, np.random.default_rng(0))]
    chance = np.concatenate([chance for _, chance in found])
    wanted = np.concatenate([b.goal for b, _ in found])
    won = np.concatenate([b.positions["won"] for b, _ in found])
    return error(chance, wanted), error(chance, won)
