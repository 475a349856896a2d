"""Every ready deck against every other, seats swapped: the tables of docs/games/duel-balance.md.

python tools/duel_balance.py --games 2000
python tools/duel_balance.py --games 100 --bot search:200
"""

import argparse
from itertools import combinations

from rich.progress import track

from coyote.games.duel.decks import Deck, ready_decks
from coyote.games.duel.game import Duel
from coyote.lab.contest import Contest, Standing
from coyote.lab.simulate import series
from coyote.lab.stats import interval, mean_score

GAME = Duel()


def points(first: str, second: str, games: int, bot: str) -> float:
    """How many of the games the first deck won; a draw is half a win."""
    return random_points(first, second, games) if bot == "random" else bot_points(first, second, games, bot)


def bot_points(first: str, second: str, games: int, bot: str) -> float:
    """Of games between two bots of that name; the decks stay in their seats, the bots change theirs."""
    standing = Standing()
    setup = GAME.settle((first, second))
    contest = Contest(GAME, setup, (bot, bot), games // 2, f"balance {first} {second}")
    for _ in contest.play(standing):
        pass
    return mean_score(standing.seat_scores) * games


def random_points(first: str, second: str, games: int) -> float:
    """Of games of random play, half of them from each seat."""
    won = 0.0
    for seat, decks in enumerate(((first, second), (second, first))):
        source = series(f"balance {first} {second} {seat}")
        tally = GAME.random_games(GAME.settle(decks), source, 0, games // 2, False)
        won += int(tally.wins[seat]) + int(tally.wins[2]) / 2
    return won


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2000, help="games a pairing")
    parser.add_argument("--bot", default="random", help="who plays both sides")
    asked = parser.parse_args()
    games, decks = asked.games, ready_decks()
    pairings = list(combinations(decks, 2))
    won = {(a, b): points(a, b, games, asked.bot) for a, b in track(pairings, "playing", transient=True)}
    won |= {(b, a): games - number for (a, b), number in won.items()}
    print(f"| deck | {' | '.join(decks)} | against the field |\n|---|{'---|' * len(decks)}---|")
    shares = {}
    for a in decks:
        row = ["–" if a == b else f"{100 * won[a, b] / games:.0f}" for b in decks]
        total, played = sum(won[a, b] for b in decks if b != a), games * (len(decks) - 1)
        shares[a] = total / played
        low, high = interval(round(total), played)
        print(f"| {a} | {' | '.join(row)} | **{100 * shares[a]:.1f}** ({100 * low:.1f} – {100 * high:.1f}) |")
    print(f"\nWeakest {100 * min(shares.values()):.1f} %, strongest {100 * max(shares.values()):.1f} %.")
    common = in_every([deck for name, deck in decks.items() if shares[name] > 0.5])
    print("In every deck that wins more than half: " + (", ".join(sorted(common)) or "no card") + ".")


def in_every(decks: list[Deck]) -> set[str]:
    return set.intersection(*({card for card, _ in deck.cards} for deck in decks))


if __name__ == "__main__":
    main()
