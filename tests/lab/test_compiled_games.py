"""Games between our bots that are compiled as a whole are those that are asked for move by move."""

import hashlib
import os
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote import Match
from coyote.bots.duel.mind import tables
from coyote.games.duel.game import Duel
from coyote.games.game import Game, OptionError, Setup
from coyote.games.madness.game import Madness
from coyote.games.registry import GAMES
from coyote.kernel.sha256 import padded, sha256
from coyote.lab.contest import Contest, Standing
from coyote.lab.games import Crew, Stopped
from coyote.lab.play import MOST_LOOKS, Rows, Table, play_games, play_pairs, scores
from coyote.lab.series import play_one, series
from coyote.lab.simulate import count, records, summary
from coyote.questions import Budget
from duel.kit_duel import FLAVOURS, random_duel

BOTS = ("random", "greedy", "search:9", "search:130", "level:1", "level:2", "level:4", "level:6")
PAIRS = [(bot, BOTS[(3 * k + 1) % len(BOTS)]) for k, bot in enumerate(BOTS)]


def slowly(table: Table) -> Table:
    table.plans = None
    return table


def check(game: Game, setup: Setup, bots: tuple[str, str], seed: str, n: int, first: int = 0) -> None:
    """Game by game, bit by bit, as `simulate` plays them and as `match` does."""
    for twice in (False, True):
        table = Table(game, setup, bots, seed, twice)
        assert table.plans is not None
        found = table.play(first, n)
        wanted = slowly(Table(game, setup, bots, seed, twice)).play(first, n)
        for k in range(n):
            assert found[k].tobytes() == wanted[k].tobytes(), difference(found[k], wanted[k])


def difference(found: Rows, wanted: Rows) -> str:
    names = found.dtype.names or ()
    return "; ".join(
        f"{name}: {found[name]} {wanted[name]}" for name in names if (found[name] != wanted[name]).any()
    )


# ---------------------------------------------------------------- the same games


@pytest.mark.parametrize("bots", PAIRS, ids=" ".join)
@pytest.mark.parametrize(
    "game", [Madness(), Madness(edition="classic"), Duel()], ids=["standard", "classic", "duel"]
)
def test_every_bot_plays_the_same_games(game: Game, bots: tuple[str, str]) -> None:
    check(game, game.settle(), bots, "same", 2)


def variant(name: str, dice: Random) -> tuple[Game, Setup]:
    """Any values of some options that may stand together; in a duel with any decks."""
    kind = GAMES[name]
    while True:
        given: Any = {
            option.name: dice.choice(option.allowed) for option in kind.OPTIONS if dice.random() < 0.5
        }
        if edition := dice.choice(list(kind.EDITIONS)):
            given["edition"] = edition
        try:
            game = kind(**given)
            return game, game.settle(("random", "random") if game.NEEDS_DECKS else ())
        except OptionError:
            continue


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("number", range(10))
def test_house_rules_change_nothing_of_that(name: str, number: int) -> None:
    dice = Random(f"{name} {number}")
    game, setup = variant(name, dice)
    check(game, setup, dice.choice(PAIRS), f"rules {number}", 2, first=dice.randrange(10**6))


@pytest.mark.parametrize("flavour", sorted(FLAVOURS))
def test_nor_do_other_cards(flavour: str) -> None:
    dice = Random(flavour)
    for number in range(2):
        game, setup = random_duel(dice, flavour)
        check(game, setup, dice.choice(PAIRS), f"cards {number}", 2)


def test_a_turn_with_more_events_than_can_be_noted_is_counted_in_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, log = Duel(), tables().log
    capacity, log.capacity = int(log.capacity), 6
    try:
        check(game, game.settle(), ("greedy", "random"), "long", 2)
    finally:
        log.capacity = capacity


def test_a_budget_of_whoever_asks_is_that_of_a_search_without_one() -> None:
    game = Madness()
    found = play_pairs(game, game.settle(), ("search", "greedy"), "b", 0, 2, Budget(simulations=20))
    assert found.tobytes() == play_pairs(game, game.settle(), ("search:20", "greedy"), "b", 0, 2).tobytes()


@pytest.mark.parametrize("bot", ["search:10ms", "level:7", "cmd:nothing", f"search:{MOST_LOOKS + 1}"])
def test_what_needs_a_clock_or_is_no_bot_of_ours_is_asked_move_by_move(bot: str) -> None:
    for game in (Madness(), Duel()):
        assert Table(game, game.settle(), ("greedy", bot), "s", twice=True).plans is None


PLAIN = """
import warnings
warnings.simplefilter("error")
warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # dice and hashes wrap around
from coyote.games.registry import make_game
from coyote.lab.play import play_pairs
for name, bots in (("madness", ("level:2", "greedy")), ("duel", ("greedy", "greedy"))):
    game = make_game(name)
    print(play_pairs(game, game.settle(), bots, "plain", 0, 1).tobytes().hex())
"""


def test_uncompiled_they_are_the_same_too() -> None:
    wanted = subprocess.run([sys.executable, "-c", PLAIN], capture_output=True, text=True, check=True)
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    found = subprocess.run([sys.executable, "-c", PLAIN], env=env, capture_output=True, text=True)
    assert found.stdout == wanted.stdout, found.stderr


# ---------------------------------------------------------------- what a row tells


@pytest.mark.parametrize("game", [Madness(), Duel()], ids=["madness", "duel"])
def test_a_row_tells_what_its_game_shows(game: Game) -> None:
    setup, bots = game.settle(), ("random", "greedy")
    found = play_games(game, setup, bots, "row", 0, 12)
    for k, row in enumerate(found):
        record = play_one(game, setup, bots, series("row"), k, Crew()).match.record()
        told = retold(record)
        assert {name: np.asarray(row[name]).tolist() for name in told} == told


def retold(record: Any) -> dict[str, Any]:
    """The same from the record of a game, followed move by move."""
    match = Match.from_record(record)
    game = match.game
    leads, after = [lead_of(match)], {0: lead_of(match)}
    told: dict[str, Any] = {"decisions": [0, 0], "choices": [0, 0], "forced": [0, 0]}
    told |= {name: [[0] * len(game.MOVE_KINDS) for _ in range(2)] for name in ("made", "offered")}
    for seat, move in record["moves"]:
        legal, turn = match.legal(seat), match.turn
        told["decisions"][seat] += 1
        told["choices"][seat] += len(legal)
        told["forced"][seat] += len(legal) == 1
        told["made"][seat][kind(game, move)] += 1
        for offered in {kind(game, other) for other in legal}:
            told["offered"][seat][offered] += 1
        match.play(move, seat)
        leads.append(lead_of(match))
        after[turn] = leads[-1]
    leaders = [lead > 0 for lead in leads if lead]
    winner = record["result"]["winner"]
    losing = [-lead if winner == 0 else lead for lead in leads] if winner is not None else []
    half = after[match.turn // 2]
    cards = {name: [0, 0] for name in ("drawn", "played")}
    for event in match.events() if game.NEEDS_DECKS else []:
        name = {"draw": "drawn", "burn": "drawn", "reveal": "played", "auto": "played"}.get(event.kind)
        if name and event.seat is not None:
            kinds = sorted({game.kinds[card] for card in deck_of(record, event.seat)})  # type: ignore[attr-defined]
            cards[name][event.seat] |= 1 << kinds.index(game.kinds[event.values["title"]])  # type: ignore[attr-defined]
    return (
        told
        | cards
        | {
            "winner": -1 if winner is None else winner,
            "reason": game.REASONS.index(record["result"]["reason"]),
            "turns": match.turn,
            "lead_changes": sum(one != other for one, other in zip(leaders, leaders[1:], strict=False)),
            "behind": max(0, *losing) if losing else 0,
            "half": -1 if half == 0 else int(half < 0),
        }
    )


def deck_of(record: Any, seat: int) -> list[str]:
    return [*record["decks"][seat], *filter(None, [record["super"][seat]])]


def lead_of(match: Match) -> int:
    score = match.score
    return int(score[0] - score[1] if isinstance(score, list) else score)


WORDS = {"a": "attack", "c": "close", "b": "beat"}


def kind(game: Game, move: str) -> int:
    """By the first word of its notation."""
    word = move.split()[0]
    if word not in game.MOVE_KINDS:
        word = WORDS[word[0]]
    return game.MOVE_KINDS.index(word)


def test_scores_are_seat_0s_halves_or_the_first_bots_quarters() -> None:
    game = Madness()
    rows = np.zeros((5, 2), game.ROW)
    rows["winner"] = [[0, 1], [0, -1], [-1, -1], [1, -1], [1, 0]]
    assert scores(rows).tolist() == [4, 3, 2, 1, 0]
    assert scores(rows[:, 0]).tolist() == [2, 2, 1, 0, 0]


# ---------------------------------------------------------------- counted


@pytest.mark.parametrize("until", [None, 0.95])
def test_a_contest_counts_the_games_that_it_would_play(until: float | None) -> None:
    game = Madness()
    contest = Contest(game, game.settle(), ("greedy", "random"), 40, "count", until=until)
    played, counted = Standing(), Standing()
    for _ in contest.play(played):
        pass
    assert sum(contest.count(counted)) == played.pairs
    assert counted.as_json(until) == played.as_json(until)


@pytest.mark.parametrize("game", [Madness(), Duel()], ids=["madness", "duel"])
def test_a_series_is_counted_as_its_records_say(game: Game) -> None:
    bots, done = ["level:1", "random"], list[int]()
    told = summary(game, count(game, game.settle(), 700, "tally", done.append, bots))
    assert sum(done) == 700 and len(done) > 1, "in more than one piece"
    kept = list(records(game, game.settle(), bots, 20, "tally"))
    again = summary(game, count(game, game.settle(), 20, "tally", done.append, bots))
    assert again["decisions"] == sum(len(record["moves"]) for record in kept)
    assert told["games"] == 700 and told["decisions"] > again["decisions"]


def test_whoever_stops_a_series_need_not_wait_for_its_end() -> None:
    crew = Crew()
    crew.close()
    with pytest.raises(Stopped):
        Table(Madness(), Madness().settle(), ("greedy", "greedy"), "s", twice=True).play(0, 10**5, crew)


# ---------------------------------------------------------------- the hash


def test_the_hash_is_sha_256() -> None:
    dice = Random("hash")
    for n in [*range(0, 130), 2023, 4096]:
        text = dice.randbytes(n)
        message, out = np.zeros(padded(n), np.uint8), np.zeros(8, np.uint32)  # type: ignore[no-untyped-call]
        message[:n] = np.frombuffer(text, np.uint8)
        sha256(message, n, out, np.zeros(64, np.uint32))
        assert out.astype(">u4").tobytes() == hashlib.sha256(text).digest()
