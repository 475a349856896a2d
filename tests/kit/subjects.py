"""What the conformance suite has to know of each game."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from coyote.games.duel.decks import Deck, DeckLimits, deck_of, faults
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.game import Duel
from coyote.games.duel.language import Action
from coyote.games.duel.records import read_chance
from coyote.games.duel.sets import CardSet
from coyote.games.events import Event
from coyote.games.game import Chance, Game, Json, OptionError, Record, Setup
from coyote.games.madness.actions import N_ACTIONS
from coyote.games.madness.cards import N_CARDS, N_PLAIN, NAMES
from coyote.games.madness.editions import MOST_FIELDS
from coyote.games.madness.game import Madness
from coyote.games.madness.notation import card_names
from coyote.games.madness.state import COYOTE, MAIN, OVER, TUT
from coyote.kernel.bits import count
from coyote.kernel.seats import HIDDEN, NONE
from duel.kit_duel import FLAVOURS, pick, random_set
from duel.kit_readings import play_both, slow_cards
from kit import slow_duel, slow_madness
from kit.goofspiel import Goofspiel
from kit.play import STYLES, choose
from kit.subject import Play, Player, Subject, Table, play_match

# ---------------------------------------------------------------- Madness


class OfMadness(Subject):
    kind = Madness
    secret_slots = {("draw", "card"): "owner"}
    nonsense = (*Subject.nonsense, "a5 7S", "a0 7S", "drop 1Z", "steal", "c1")
    trace_keys = ("seat", "phase", "turn", "legal", "lead", "hands", "deck", "boss", "discard", "fields")
    vectors = {"madness-standard": 36, "madness-classic": 36, "madness-house": 36}
    slow_games = 1000
    slow_least = {f"{edition} {end}": 5 for edition in Madness.EDITIONS for end in Madness.REASONS}

    def player(self, dice: Random) -> Player:
        """Either seat in a style of its own, more often both in the same: so that every ending comes."""
        styles = (
            [dice.choice(sorted(STYLES))] * 2 if dice.random() < 0.6 else dice.choices(sorted(STYLES), k=2)
        )

        def play_on(game: Game, s: Record, seat: int, legal: list[int]) -> int:
            texts = {game.move_text(action): action for action in legal}
            return texts[choose(styles[seat], dice, sorted(texts), bool(s.left == 0))]

        return play_on

    def actions(self, game: Game) -> Sequence[int]:
        return range(N_ACTIONS)

    # ------------------------------------------------------------ cards

    def check(self, game: Game, s: Record) -> None:
        self.check_cards(game, s)
        self.check_phase(game, s)

    def check_cards(self, game: Game, s: Record) -> None:
        """Each card in one place; sizes, heights and markers agree with them."""
        n, fields = N_PLAIN + int(game.row.jokers), int(game.row.fields)
        found = Counter(card for _, card in places(s))
        assert found == Counter(range(n)), [place for place in places(s) if found[place[1]] != 1]
        assert [int(held) for held in s.held] == [int(count(hand)) for hand in s.hands]
        assert 0 <= s.left <= n - 2 * game.row.hand - game.row.extra - 1
        assert all(card == NONE for card in s.deck[s.left :])
        for field in range(MOST_FIELDS):
            heights, tops = s.heights[field], s.tops[field]
            assert [height > 0 for height in heights] == [top != NONE for top in tops]
            assert (s.last[field] == NONE) == (heights.sum() == 0)
            assert s.last[field] == NONE or heights[s.last[field]] > 0
            if s.marker[field] == NONE:
                assert s.winner[field] == NONE
            elif s.winner[field] != NONE:
                assert s.marker[field] == tops[s.winner[field]]
            assert field < fields or (s.marker[field] == NONE and s.last[field] == NONE)
        assert int((s.heights - 1).clip(0).sum()) <= count(s.gone)

    def check_phase(self, game: Game, s: Record) -> None:
        closed, ed = int((s.marker != NONE).sum()), game.row
        if s.phase == OVER:
            assert game.actors(s) == 0 and game.result(s) is not None
            assert abs(int(s.lead)) <= ed.goal
            return
        assert game.result(s) is None and s.reason == NONE
        assert abs(int(s.lead)) < ed.goal
        assert (s.phase == COYOTE) == (closed == ed.fields) == (s.closing != NONE)
        assert ed.chance or s.phase != COYOTE
        assert s.left > 0 or s.held.any()
        assert s.held[s.mover] > 0 or s.left == 0 or s.phase != MAIN or not ed.starvation
        assert s.mover == (s.turn - 1) % 2
        assert s.idle < 2

    def check_step(self, game: Game, before: Record, after: Record) -> None:
        """What bounds a game: every TUT shortens the deck; after it, no hand grows any more."""
        assert before.left - after.left == (1 if before.phase == TUT and before.left > 0 else 0)
        if before.left == 0:
            assert after.held.sum() <= before.held.sum()

    def check_imagined(self, game: Game, s: Record) -> None:
        self.check_cards(game, s)

    # ------------------------------------------------------------ secrets

    def check_hidden(self, game: Game, s: Record, v: Record, seat: int) -> None:
        assert v.deck.tolist() == [HIDDEN] * int(s.left) + [NONE] * (N_CARDS - int(s.left))
        for owner in range(2):
            assert v.hands[owner] == (s.hands[owner] if owner == seat else 0)

    def secrets(self, game: Game, s: Record, seat: int) -> list[Any]:
        deck, hand = s.deck[: s.left].tolist(), int(s.hands[1 - seat])
        named = [NAMES[card] for card in deck]
        return [deck, deck[::-1], named, named[::-1], hand, card_names(hand), s.key.tolist()]

    # ------------------------------------------------------------ records

    def check_deal(self, record: Json) -> None:
        jokers = record["options"].get("jokers", 2)
        assert sorted(record["deck"]) == sorted(NAMES[: N_PLAIN + jokers])

    def check_situation(self, entry: Json) -> None:
        assert entry["hands"] == [sorted(hand) for hand in entry["hands"]]
        assert all(list(field) == ["tops", "heights", "last", "closed"] for field in entry["fields"])

    def points(self, game: Game, events: Sequence[Event]) -> dict[str, list[int]]:
        points = {source: [0, 0] for source in game.SOURCES}
        for event in events:
            if event.kind == "point" and event.seat is not None:
                points[event.values["source"]][event.seat] += 1
        return points

    # ------------------------------------------------------------ the slow reading

    def slow_reading(self, play: Play) -> None:
        match = play.match()
        slow = slow_madness.SlowMadness(play.game.edition, match.record()["deck"], play.game.options)
        for step in play.steps:
            situation = slow.situation()
            assert match.situation() == situation, (match.record()["moves"], match.seed)
            assert match.actors == [situation["seat"]] and match.legal(1 - situation["seat"]) == []
            move = play.game.move_text(step.action)
            match.play(move, step.seat)
            slow.play(move)
        assert match.over and slow.over
        assert match.result is not None and match.result.as_json() == slow.result(), match.record()

    def slow_series(self, number: int) -> Counter[str]:
        """Both editions in turn; every ending comes often."""
        editions = list(Madness.EDITIONS)
        game = Madness(edition=editions[number // 4 % len(editions)])
        play = Play(self, game, game.settle(), number)
        self.slow_reading(play)
        result = game.result(play.end)
        assert result is not None
        return Counter([f"{game.edition} {result.reason}"])

    def follow_slowly(self, record: Json) -> None:
        slow_madness.follow(record)


def places(s: Record) -> list[tuple[str, int]]:
    """Every card with the place where it lies (the list at the end of `state`'s docstring)."""

    def members(cards: Any) -> list[int]:
        return [card for card in range(64) if int(cards) >> card & 1]

    found = [("deck", int(card)) for card in s.deck[: s.left]]
    found += [(f"hand {seat}", card) for seat in range(2) for card in members(s.hands[seat])]
    found += [("gone", card) for card in members(s.gone)]
    found += [("boss", int(s.boss))]
    found += [("discard", int(s.discard))] if s.discard != NONE else []
    for field in range(MOST_FIELDS):
        tops = [int(card) for card in s.tops[field] if card != NONE]
        found += [(f"field {field + 1}", card) for card in tops]
        if s.marker[field] != NONE and s.marker[field] not in tops:
            found.append((f"marker {field + 1}", int(s.marker[field])))
    return found


# ---------------------------------------------------------------- the duel

ZONES = ("deck", "hand", "discard", "play", "aside")
# How often at least, in a quarter of the games by both readings. Wild cards kill too early for much else.
MUCH = {
    "mild": {"wear": 200, "no_draw": 8, "burn": 20, "auto": 40, "aside": 80, "discard": 80, "fifth deck": 15},
    "even": {"wear": 40, "no_draw": 4, "burn": 20, "auto": 40, "aside": 80, "discard": 80, "fifth deck": 8},
    "sharp": {"burn": 4, "auto": 20, "aside": 20, "discard": 20, "new_deck": 8},
    "wild": {"wear": 200, "no_draw": 40, "burn": 20, "aside": 8, "discard": 8, "fifth deck": 8},
}
SCRATCH = ("passed", "attacked", "attack", "heal", "block", "was_health", "n_was")


class OfDuel(Subject):
    """Random legal sets, random legal decks."""

    kind = Duel
    secret_slots = {("draw", "title"): "owner", ("order", "title"): "nobody", ("order", "place"): "nobody"}
    buried = ("new_deck",)
    nonsense = (*Subject.nonsense, "play", "hold c0", "c0", "play nothing", "hold on")
    trace_keys = (
        "seat", "turn", "legal", "health", "max", "hands", "deck", "deck_number", "discard", "play", "aside",
    )  # fmt: skip
    free_text = ("players", "set.name")
    vectors = {"duel": 36, "duel-house": 18}
    slow_games = 200  # sets, with five duels each
    slow_least = {
        f"{flavour} {what}": least
        for flavour, what_happens in MUCH.items()
        for what, least in what_happens.items()
    }

    def table(self, dice: Random, rules: int | None = None, **given: Any) -> Table:
        game = Duel(card_set=random_set(dice, dice.choice(sorted(FLAVOURS))), rules=rules, **given)
        return game, game.settle([any_deck(game.card_set, dice, game.limits) for _ in range(2)])

    def player(self, dice: Random) -> Player:
        eager = [dice.choice((0.0, 0.5, 1.0)) for _ in range(2)]
        return lambda game, s, seat, legal: pick(dice, legal, eager[seat])

    def actions(self, game: Game) -> Sequence[int]:
        assert isinstance(game, Duel)
        return range(1 + len(game.ids))

    # ------------------------------------------------------------ cards

    def check(self, game: Game, s: Record) -> None:
        assert isinstance(game, Duel)
        self.check_cards(s)
        self.check_numbers(game, s)
        assert not any(s[name].any() for name in SCRATCH)
        if not s.over:
            assert (s.was == NONE).all() and (s.mark == NONE).all() and not s.was_age.any()

    def check_cards(self, s: Record) -> None:
        """All zones of a player together are the deck that was brought; nothing lies behind their ends."""
        for seat in range(2):
            listed, n = s.listed[seat].tolist(), int(s.n_listed[seat])
            assert listed[:n] == sorted(listed[:n]) and listed[n:] == [NONE] * (MOST_CARDS - n)
            assert Counter(kind for name in ZONES for kind in zone(s, name, seat)) == Counter(listed[:n])
            for name in ZONES:
                size = int(s[f"in_{name}"][seat])
                assert size >= 0 and (s[name][seat][size:] == NONE).all(), name
            self.check_shown(s, seat)
            in_play = int(s.in_play[seat])
            assert not s.age[seat][in_play:].any() and not s.leaves[seat][in_play:].any()
            assert (s.mark[seat][in_play:] == NONE).all()

    def check_shown(self, s: Record, seat: int) -> None:
        """D18  What was shown is on the list; what lies in sight was shown."""
        n = int(s.n_shown[seat])
        shown = Counter(s.shown[seat].tolist()[:n])
        assert (s.shown[seat][n:] == NONE).all()
        assert shown <= Counter(s.listed[seat].tolist())
        assert Counter(kind for name in ("discard", "play", "aside") for kind in zone(s, name, seat)) <= shown

    def check_numbers(self, game: Duel, s: Record) -> None:
        programs, ed = [card.program for card in game.card_set.cards], game.row
        assert bool(s.over) == bool((s.health <= 0).any())
        assert not (s.choice != NONE).all()
        for seat in range(2):
            assert s.health[seat] <= s.max_health[seat] <= ed.health
            assert s.in_hand[seat] <= ed.hand_limit and s.deck_number[seat] >= 1
            for kind, age, leaves in zip(zone(s, "play", seat), s.age[seat], s.leaves[seat], strict=False):
                assert 0 <= age <= max(effect.last for effect in programs[kind].effects)
                assert not leaves or any(e.action is Action.SET_ASIDE_THIS for e in programs[kind].effects)
            if not s.over:
                assert not any(programs[kind].auto for kind in zone(s, "hand", seat)), "D5"
            waiting = int(s.super[seat])
            if waiting != NONE:
                assert programs[waiting].super and waiting in zone(s, "aside", seat)
                assert s.deck_number[seat] < ed.super_deck
            if s.choice[seat] > 0:
                assert s.choice[seat] - 1 in zone(s, "hand", seat)

    def check_step(self, game: Game, before: Record, after: Record) -> None:
        assert game.legal(before, 0)[:1] in ([], [0]), "to hold is always legal"

    def check_imagined(self, game: Game, s: Record) -> None:
        assert isinstance(game, Duel)
        self.check_cards(s)
        if not s.over:
            self.check_numbers(game, s)
        if plain_copies(game) >= game.limits.deck_max:  # any deck can be filled up
            check_lists(game, s)

    # ------------------------------------------------------------ secrets

    def check_hidden(self, game: Game, s: Record, v: Record, seat: int) -> None:
        for owner in range(2):
            hidden = [HIDDEN] * int(s.in_deck[owner])
            assert v.deck[owner].tolist() == hidden + [NONE] * (MOST_CARDS - len(hidden))
            if owner != seat:
                assert set(v.hand[owner].tolist()) <= {HIDDEN, NONE}
                assert v.choice[owner] == NONE
                if not game.row.open_lists:
                    assert set(v.listed[owner].tolist()) <= {HIDDEN, NONE}

    def secrets(self, game: Game, s: Record, seat: int) -> list[Any]:
        assert isinstance(game, Duel)
        lists = [s.listed[1 - seat, : s.n_listed[1 - seat]].tolist()]
        lists += [s[name][owner, : s[f"in_{name}"][owner]].tolist() for owner, name in
                  ((0, "deck"), (1, "deck"), (1 - seat, "hand"))]  # fmt: skip
        named = [[game.ids[kind] for kind in kinds] for kinds in lists]
        return [found for kinds in (*lists, *named) for found in (kinds, kinds[::-1], sorted(kinds))] + [
            s.key.tolist()
        ]

    # ------------------------------------------------------------ records

    def check_deal(self, record: Json) -> None:
        assert list(record["set"]) == ["name", "cards"]
        occur = {card for deck in record["decks"] for card in deck} | set(record["super"]) - {None}
        assert {card["id"] for card in record["set"]["cards"]} == occur, "every card that occurs"
        assert all(list(card) == ["id", "rarity", "text"] for card in record["set"]["cards"])
        for entry in record["chance"]:
            match entry:
                case ["shuffle", 0 | 1, [_, *_]]:
                    pass
                case ["discard", 0 | 1, "hand" | "play", str()]:
                    pass
                case ["aside", 0 | 1, "hand" | "discard" | "play", str()]:
                    pass
                case _:
                    raise AssertionError(entry)

    def check_situation(self, entry: Json) -> None:
        assert entry["legal"] == sorted(set(entry["legal"]))
        for key in ("hands", "discard", "aside"):
            assert entry[key] == [sorted(cards) for cards in entry[key]]
        assert all(len(pair) == 2 for side in entry["play"] for pair in side)

    def good_record(self) -> Json:
        """A traced duel in which chance decides all kinds of things."""
        for number in range(1000):
            dice = Random(f"records {number}")
            game = Duel(card_set=random_set(dice, "even"))
            setup = game.settle([any_deck(game.card_set, dice, game.limits) for _ in range(2)])
            record = play_match(self, game, setup, number).record()
            kinds = {(entry[0], entry[2] if entry[0] != "shuffle" else "") for entry in record["chance"]}
            if len(kinds) >= 5 and None not in record["super"] and record["result"]["winner"] is not None:
                return record
        raise AssertionError("no such duel")

    def points(self, game: Game, events: Sequence[Event]) -> dict[str, list[int]]:
        points = {source: [0, 0] for source in game.SOURCES}
        for event in events:
            if event.kind == "damage" and event.seat is not None:
                points["damage"][1 - event.seat] += event.values["damage"]
                points["blocked"][event.seat] += event.values["blocked"]
            elif event.kind == "heal" and event.seat is not None:
                points["healed"][event.seat] += event.values["healed"]
            elif event.kind == "wear" and event.seat is not None:
                points["wear"][event.seat] += int(game.row.wear)
        return points

    def series(self) -> list[Table]:
        game = Duel()
        return [(game, game.settle()), (game, game.settle(("random", "random")))]

    # ------------------------------------------------------------ positions

    def at_position(self, game: Game, line: str) -> tuple[Game, Setup, Record]:
        assert isinstance(game, Duel)
        return Duel.at_position(line, game.card_set)

    def not_told(self, s: Record) -> Record:
        """Also the scratch of an ended turn."""
        twin = super().not_told(s)
        if s.over:
            for name in ("was", "mark"):
                twin[name][:] = NONE
            twin.was_age[:] = 0
        return twin

    def known_chance(self, game: Game, rows: list[list[int]]) -> Chance:
        assert isinstance(game, Duel)
        return Chance(read_chance(game.record_chance(rows), game.kinds))

    # ------------------------------------------------------------ the slow reading

    def slow_reading(self, play: Play) -> None:
        assert isinstance(play.game, Duel)
        play_both(play.game, play.setup, slow_cards(play.game), play.seed, Random(play.number))

    def slow_series(self, number: int) -> Counter[str]:
        """Sets of every flavour in turn, each with several pairs of decks."""
        flavour, dice = sorted(FLAVOURS)[number // 4 % len(FLAVOURS)], Random(f"slow series {number}")
        game, seen = Duel(card_set=random_set(dice, flavour)), Counter[str]()
        cards = slow_cards(game)
        for _ in range(5):
            setup = game.settle([any_deck(game.card_set, dice, game.limits) for _ in range(2)])
            seen += play_both(game, setup, cards, f"{number} {dice.random()}", dice)
        return Counter({f"{flavour} {what}": n for what, n in seen.items()})

    def follow_slowly(self, record: Json) -> None:
        slow_duel.follow(record)


def zone(s: Record, name: str, seat: int) -> list[int]:
    return [int(kind) for kind in s[name][seat][: s[f"in_{name}"][seat]]]


def any_deck(card_set: CardSet, dice: Random, limits: DeckLimits) -> Deck:
    """A legal deck (D19), and often with as much Auto and Super as there may be."""
    cards = list(card_set.cards)
    dice.shuffle(cards)
    if dice.random() < 0.7:
        cards.sort(key=lambda card: not (card.program.auto or card.program.super))
    size = dice.randint(limits.deck_min, limits.deck_max)
    chosen: list[str] = []
    for most_copies in (False, True):  # a few of each, then whatever the cards can give
        for card in cards:
            wanted = limits.copies_of(card) if most_copies else dice.randint(1, limits.copies_of(card))
            while chosen.count(card.id) < wanted and len(chosen) < size:
                more = deck_of(card_set.name, [*chosen, card.id])
                if any(fault.code != "deck.small" for fault in faults(more, card_set, limits)):
                    break
                chosen.append(card.id)
    if len(chosen) < limits.deck_min:
        raise OptionError("option.small_set", "D19", name=card_set.name)
    return deck_of(card_set.name, chosen)


def plain_copies(game: Duel) -> int:
    """How many cards of the set that are neither Auto nor Super a deck may have."""
    plain = [card for card in game.card_set.cards if not (card.program.auto or card.program.super)]
    return sum(game.limits.copies_of(card) for card in plain)


def check_lists(game: Duel, s: Record) -> None:
    """D19"""
    for seat in range(2):
        listed = [game.ids[kind] for kind in s.listed[seat] if kind != NONE]
        assert faults(deck_of(game.card_set.name, listed), game.card_set, game.limits) == []


# ---------------------------------------------------------------- the third game


class OfGoofspiel(Subject):
    kind = Goofspiel
    most_decisions = 20
    nonsense = (*Subject.nonsense, "bid", "bid 0", "bid 8", "bid one", "bid 1 2")
    trace_keys = ("seat", "turn", "legal", "points", "prizes", "bids")

    def actions(self, game: Game) -> Sequence[int]:
        return range(1, game.row.cards + 1)

    def check(self, game: Game, s: Record) -> None:
        n = int(game.row.cards)
        assert sorted(s.prizes[:n].tolist()) == list(range(1, n + 1)) and not s.prizes[n:].any()
        for bids in s.bids.tolist():
            made = [bid for bid in bids if bid]
            assert len(set(made)) == len(made) and set(made) <= set(range(1, n + 1))
        assert 1 <= s.turn <= n and sum(game.score(s)) <= n * (n + 1) // 2

    def check_imagined(self, game: Game, s: Record) -> None:
        self.check(game, s)

    def check_hidden(self, game: Game, s: Record, v: Record, seat: int) -> None:
        assert not v.prizes[s.turn :].any()
        assert all(not v.bids[other, s.turn - 1] for other in game.sealed(s) if other != seat)

    def secrets(self, game: Game, s: Record, seat: int) -> list[Any]:
        return [s.prizes[: game.row.cards].tolist(), s.prizes.tolist(), s.key.tolist()]

    def check_deal(self, record: Json) -> None:
        assert sorted(record["prizes"]) == list(range(1, len(record["prizes"]) + 1))

    def points(self, game: Game, events: Sequence[Event]) -> dict[str, list[int]]:
        takes = [event for event in events if event.kind == "take"]
        return {"prizes": [sum(e.values["worth"] for e in takes if e.seat == seat) for seat in range(2)]}


SUBJECTS = {subject.name: subject for subject in (OfMadness(), OfDuel(), OfGoofspiel())}
