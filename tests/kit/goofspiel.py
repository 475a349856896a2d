"""Goofspiel: a whole small game, which only the tests know. `register` is all that the program is told.

G1  Each player has the bids 1 to N; the prizes 1 to N are shuffled.
G2  Each turn the next prize is turned up.
G3  Both choose a bid that they have not made before, unseen by the other.
G4  The higher bid takes the prize; on equal bids it is lost.
G5  After the last prize the higher sum of prizes wins.
"""

import tomllib

import numpy as np

from coyote.bots.anygame import AnyMind
from coyote.bots.minds import MINDS
from coyote.cli.terminals import TERMINALS, PlainTable, Terminal, no_set
from coyote.games import game as g
from coyote.games.events import Kind, Kinds
from coyote.games.options import Option
from coyote.games.positions import PositionReader, house_rules
from coyote.games.registry import GAMES
from coyote.kernel.chance import CHANCE_FIELDS, shuffle
from coyote.kernel.events import new_log, note
from coyote.kernel.record import Field, new, record_dtype
from coyote.kernel.seats import NONE
from coyote.kernel.tally import tally_dtype
from coyote.table.parts import PARTS, Part
from coyote.text.words import GAME_WORDS

PRIZE, BID, TAKE, END = range(4)


class Goofspiel(g.Game):
    name, LETTER, DEAL_KEYS, DEAL_RULE = "goofspiel", "G", ("prizes",), "G1"
    OPTIONS, EDITIONS = (Option("cards", "G1", range(3, 8)),), {"": {"cards": 5}}
    # Prizes in their order, 0 where unknown; bids by seat and turn, 0 where there is none yet.
    ZONES: list[Field] = [("prizes", np.int16, 7), ("bids", np.int16, (2, 7)), ("turn", np.int16)]
    STATE = record_dtype([*CHANCE_FIELDS, *ZONES])
    KINDS = Kinds(
        Kind("prize", "G2", "prize:all"),
        Kind("bid", "G3", "bid:all"),
        Kind("take", "G4", "worth:all"),
        Kind("end", {"points": "G5"}, "reason:all"),
    )
    REASONS, SOURCES, WANTED, SIMULTANEOUS, DRAWS_LOT = ("points",), ("prizes",), {"bid": "G3"}, True, False
    TRACE_RULES = {"seat": "G3", "turn": "G2", "legal": "G3", "points": "G4", "prizes": "G2", "bids": "G3"}
    TALLY = tally_dtype(REASONS, SOURCES)  # type: ignore[no-untyped-call]

    def deal(self, setup: g.Setup, seed: g.Words64, log: g.Record | None = None) -> g.Record:
        s, n = new(self.STATE), int(self.row.cards)
        s.key[:], s.prizes[:n] = seed, self.all_bids()
        shuffle(s, s.prizes, n)
        return self.turn_up(s, log)

    def turn_up(self, s: g.Record, log: g.Record | None) -> g.Record:
        note(new_log() if log is None else log, PRIZE, NONE, s.prizes[s.turn], 0)
        s.turn += 1
        return s

    def all_bids(self) -> list[int]:
        return list(range(1, self.row.cards + 1))

    def actors(self, s: g.Record) -> int:
        return sum(1 << seat for seat in range(2) if not s.bids[seat, s.turn - 1])

    def legal(self, s: g.Record, seat: int) -> list[int]:
        owes = seat >= 0 and self.actors(s) >> seat & 1
        return [bid for bid in self.all_bids() if owes and bid not in s.bids[seat]]

    def act(self, s: g.Record, seat: int, action: int, log: g.Record, chance: g.Chance) -> None:
        s.bids[seat, s.turn - 1] = action
        if not self.actors(s):
            mine, yours = s.bids[:, s.turn - 1]
            note(log, BID, 0, mine, 0)
            note(log, BID, 1, yours, 0)
            note(log, TAKE, ahead(mine, yours), s.prizes[s.turn - 1], 0)
            if s.turn < self.row.cards:
                self.turn_up(s, log)
            else:
                note(log, END, ahead(*self.score(s)), 0, 0)

    def score(self, s: g.Record) -> list[int]:
        mine, yours = s.bids * s.bids.all(axis=0)
        return [int(s.prizes[mine > yours].sum()), int(s.prizes[yours > mine].sum())]

    def result(self, s: g.Record) -> g.Result | None:
        winner, over = ahead(*self.score(s)), s.bids.all(axis=0).sum() == self.row.cards
        return g.Result(None if winner == NONE else winner, "points", self.score(s)) if over else None

    def sealed(self, s: g.Record) -> dict[int, int]:
        bids = s.bids[:, s.turn - 1].tolist()
        return {seat: bids[seat] for seat in range(2) if bids[seat] and not bids[1 - seat]}

    def unseal(self, s: g.Record, seat: int) -> None:
        s.bids[seat, s.turn - 1] = 0

    def view(self, s: g.Record, seat: int) -> g.Record:
        v = new(self.STATE)
        v.prizes[: s.turn], v.bids[:], v.turn = s.prizes[: s.turn], s.bids, s.turn
        for other in self.sealed(s).keys() - {seat}:
            self.unseal(v, other)
        return v

    def imagine(self, v: g.Record, seat: int, seed: g.Words64) -> g.Record:
        s, n = v.copy(), int(self.row.cards)
        s.key[:], s.prizes[s.turn : n] = seed, [k for k in self.all_bids() if k not in v.prizes]
        shuffle(s, s.prizes[s.turn :], n - int(s.turn))
        return s

    def move_text(self, action: int) -> str:
        return f"bid {action}"

    def read_move(self, text: str) -> int | None:
        return {f"bid {bid}": bid for bid in self.all_bids()}.get(" ".join(text.lower().split()))

    def why_not(self, v: g.Record, seat: int, text: str) -> g.Refusal:
        if self.result(v):
            return g.Refusal("refusal.over", "G5")
        if seat in self.sealed(v):
            return g.Refusal("goofspiel.sealed", "G3")
        return g.Refusal("goofspiel.no_bid", "G3", {"text": text.strip()[:40]})

    def position(self, s: g.Record) -> str:
        """`goofspiel rules=cards:3 prizes=231 bids=1302`: bids by turns, seat 0 first; 0 is not made yet."""
        prizes, bids = ("".join(map(str, k.flat)) for k in (s.prizes[: self.row.cards], s.bids.T[: s.turn]))
        return " ".join([self.name, *house_rules(self), f"prizes={prizes}", f"bids={bids}"])

    @classmethod
    def at_position(cls, text: str) -> tuple[g.Game, g.Setup, g.Record]:
        reader, s = PositionReader(text, ("rules", "prizes", "bids")), new(cls.STATE)
        game, prizes = reader.game(cls), reader.given.get("prizes", "")
        if reader.head != [cls.name] or sorted(prizes) != [str(k + 1) for k in range(game.row.cards)]:
            raise g.PositionError([*reader.faults, g.Refusal("position.prizes", "G1", {"text": text[:60]})])
        s.prizes[: len(prizes)], s.turn = [*map(int, prizes)], 1
        for place, bid in enumerate(reader.given.get("bids", "")):
            if bid in map(str, game.legal(s, place % 2)):
                game.act(s, place % 2, int(bid), new_log(), g.Chance())
            elif bid != "0":
                reader.fault("bids", "G3", bid=bid, place=place + 1)
        if reader.faults:
            raise g.PositionError(reader.faults)
        return game, g.NO_SETUP, s

    def open_json(self, v: g.Record) -> g.Json:
        prizes, bids = v.prizes[: v.turn].tolist(), v.bids[:, v.bids.all(axis=0)].tolist()
        table = {"turn": int(v.turn), "points": self.score(v), "prizes": prizes, "bids": bids}
        return {"game": self.name, "options": self.options, **table, "over": self.result(v) is not None}

    def own_json(self, v: g.Record, seat: int) -> g.Json:
        chosen = [self.move_text(bid) for who, bid in self.sealed(v).items() if who == seat]
        hand = self.hands(v)[seat] if seat >= 0 else []
        return {"seat": seat, "hand": hand, "chosen": chosen[0] if chosen else None}

    def read_view(self, shown: g.Json, seat: int) -> g.Record:
        v = new(self.STATE)
        v.turn, v.prizes[: len(shown["prizes"])] = shown["turn"], shown["prizes"]
        v.bids[:, : len(shown["bids"][0])] = shown["bids"]
        if shown["chosen"]:
            v.bids[seat, v.turn - 1] = self.read_move(str(shown["chosen"])) or 0
        return v

    def hands(self, s: g.Record) -> list[list[str]]:
        return [[str(k) for k in self.all_bids() if k not in bids] for bids in s.bids * s.bids.all(axis=0)]

    def situation(self, s: g.Record, seat: int, legal: list[str]) -> g.Json:
        shown = {**self.open_json(s), "seat": seat, "legal": legal}
        return {key: shown[key] for key in self.TRACE_RULES}

    def record_deal(self, s: g.Record) -> g.Json:
        return {"prizes": s.prizes[: self.row.cards].tolist()}

    def read_deal(self, record: g.Json, setup: g.Setup, chance: g.Chance, log: g.Record) -> g.Record:
        s, prizes = new(self.STATE), record.get("prizes")
        if not isinstance(prizes, list) or sorted(map(repr, prizes)) != [*map(repr, self.all_bids())]:
            raise g.RecordError("record.prizes", "G1", n=int(self.row.cards))
        s.prizes[: len(prizes)] = prizes
        return self.turn_up(s, log)

    def count_points(self, log: g.Record, tally: g.Record) -> None:
        for kind, seat, worth, _ in log.rows[: log.n].tolist():
            if kind == TAKE and seat != NONE:
                tally.points[seat, 0] += worth


def ahead(mine: int, yours: int) -> int:
    return NONE if mine == yours else int(yours > mine)


def register() -> None:
    """One row in the table of each layer."""
    GAMES["goofspiel"] = Goofspiel
    MINDS["goofspiel"] = AnyMind
    TERMINALS["goofspiel"] = Terminal(PlainTable, no_set("goofspiel"))
    PARTS["goofspiel"] = Part()
    GAME_WORDS["goofspiel"] = {"en": tomllib.loads(ENGLISH), "ru": tomllib.loads(RUSSIAN)}


ENGLISH = """
reason.points = "Points"
source.prizes = "Prizes"
position.prizes = "a position is like “goofspiel prizes=21345 bids=1302”, each prize once, not like “{text}”"
position.bids = "bid {bid} in place {place} cannot be made"
record.prizes = "prizes must be the numbers from 1 to {n}, each once"
[goofspiel]
name = "Goofspiel"
sealed = "you have made your bid already; the other player has not yet"
no_bid = "“{text}” is no bid that you have"
wanted.bid = "Bid for the prize: a number, or bid 3.  ? lists all bids"
prompt = { bid = "Bid for the prize.", bid_other = "{name} is to bid." }
option.cards.title = "Cards"
option.cards.about = "So many bids for each, and so many prizes."
option.cards.said = { one = "{n} card", many = "{n} cards" }
event.prize = { nobody = "The prize is {prize}." }
event.bid = { you = "You bid {bid}.", they = "{name} bids {bid}." }
event.take = { you = "You take {worth}.", they = "{name} takes {worth}.", nobody = "{worth} is lost." }
event.end.points = { you = "You have more points.", they = "{name} has more points.", nobody = "A draw." }
"""
RUSSIAN = """
reason.points = "По очкам"
source.prizes = "Призы"
position.prizes = "позиция — это как «goofspiel prizes=21345 bids=1302», каждый приз один раз, а не «{text}»"
position.bids = "ставку {bid} на месте {place} сделать нельзя"
record.prizes = "prizes должны быть числами от 1 до {n}, каждое один раз"
[goofspiel]
name = "Гуфшпиль"
sealed = "вы уже сделали ставку, а другой игрок ещё нет"
no_bid = "«{text}» — не ваша ставка"
wanted.bid = "Сделайте ставку: номер или bid 3.  ? покажет все ставки"
prompt = { bid = "Сделайте ставку.", bid_other = "Ставит {name}." }
option.cards.title = "Карты"
option.cards.about = "Столько ставок у каждого и столько призов."
option.cards.said = { one = "{n} карта", few = "{n} карты", many = "{n} карт" }
event.prize = { nobody = "Приз — {prize}." }
event.bid = { you = "Вы ставите {bid}.", they = "{name} ставит {bid}." }
event.take = { you = "Вы берёте {worth}.", they = "{name} берёт {worth}.", nobody = "Приз {worth} пропал." }
event.end.points = { you = "У вас больше очков.", they = "{name}: больше очков.", nobody = "Ничья." }
"""
