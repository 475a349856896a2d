"""One duel by two readings of the rules side by side: the kernel, and `kit/slow_duel.py`."""

from collections import Counter
from random import Random
from typing import Any

from coyote.games.duel import events as ev
from coyote.games.duel.game import Duel
from coyote.games.duel.language import write
from coyote.games.duel.records import write_chance
from coyote.games.duel.rules import shuffle_decks
from coyote.games.game import Chance as Luck
from coyote.games.game import Setup
from coyote.kernel.events import new_log, take_rows
from coyote.kernel.record import plain
from duel.kit_duel import copy_state, pick, words
from kit.slow_duel import Card, Chance, RecordedChance, SlowDuel, read_card

MOST_TURNS = 200  # no duel comes near it: 80 cards at most before the fifth deck, and 20 draws from it
Shape = tuple[Any, ...]


def slow_cards(game: Duel) -> dict[str, Card]:
    """The set as the slow reading reads it from the printed English texts."""
    return {card.id: read_card(write(card.program, "en")) for card in game.card_set.cards}


class FedChance(RecordedChance):
    """Chance that is told turn by turn what the kernel's chance has decided."""

    def feed(self, entries: list[list[Any]]) -> None:
        assert self.finished(), f"chance left over: {self.entries[self.used :]}"
        self.entries, self.used = entries, 0


def leaves(p: Any, seat: int) -> list[int]:
    """Marks of cards that will go aside (D16); once the duel has ended, nothing goes anywhere."""
    return [0] * len(p.leaves[seat]) if p.over else list(p.leaves[seat])


def kernel_shape(game: Duel, s: Any) -> list[Shape]:
    """Everything that is on the table, the order of hands and decks too."""
    p, ids = plain(s), game.ids

    def names(zone: str, size: str, seat: int) -> list[str]:
        return [ids[kind] for kind in getattr(p, zone)[seat][: getattr(p, size)[seat]]]

    return [
        (
            p.turn,
            p.health[seat],
            p.max_health[seat],
            p.deck_number[seat],
            names("hand", "in_hand", seat),
            names("deck", "in_deck", seat)[::-1],
            sorted(names("discard", "in_discard", seat)),
            sorted(names("aside", "in_aside", seat)),
            names("shown", "n_shown", seat),
            list(zip(names("play", "in_play", seat), p.age[seat], leaves(p, seat), strict=False)),
        )
        for seat in range(2)
    ]


def slow_shape(slow: SlowDuel) -> list[Shape]:
    return [
        (
            slow.turn,
            p.health,
            p.max,
            p.deck_number,
            p.hand,
            p.deck,
            sorted(p.discard),
            sorted(p.aside),
            p.shown,
            [(card.id, card.age, card.goes_aside and not slow.over) for card in p.play],
        )
        for p in slow.players
    ]


def slow_twin(game: Duel, s: Any, cards: dict[str, Card], chance: Chance) -> SlowDuel:
    """The same deal by the slow reading."""
    fresh = copy_state(s)
    shuffle_decks(fresh, game.table, game.row, s.key)
    deal = game.record_deal(fresh)
    return SlowDuel(cards, deal["decks"], deal["super"], chance, game.options, game.rules_version)


def play_both(game: Duel, setup: Setup, cards: dict[str, Card], seed: str, rng: Random) -> Counter[str]:
    """A whole duel by both readings; AssertionError says where they part. What happened in it, counted."""
    chance = FedChance([])
    s, log, luck = game.deal(setup, words(seed)), new_log(game.EVENTS), Luck()
    slow = slow_twin(game, s, cards, chance)
    listed = [sorted(game.ids[kind] for kind in s.listed[seat] if kind >= 0) for seat in range(2)]
    eager = [rng.choice((0.0, 0.5, 1.0)) for _ in range(2)]
    seen: Counter[str] = Counter()
    while not slow.over:
        assert not s.over and slow.turn < MOST_TURNS, slow.turn
        moves = []
        for seat in range(2):
            legal = game.legal(s, seat)
            assert sorted(map(game.move_text, legal)) == slow.legal(seat)
            moves.append(pick(rng, legal, eager[seat]))
        for seat, action in enumerate(moves):
            game.act(s, seat, action, log, luck)
        rows = take_rows(log)
        chance.feed(write_chance(rows, game.ids))
        for seat, action in enumerate(moves):
            slow.choose(seat, game.move_text(action))
        assert kernel_shape(game, s) == slow_shape(slow), (seed, slow.turn)
        assert chance.finished(), chance.entries[chance.used :]
        assert [sorted(slow.all_cards(seat)) for seat in range(2)] == listed, "cards are not conserved"
        seen.update(ev.KINDS.names[row[0]] for row in rows)
    result = game.result(s)
    assert result is not None and result.as_json() == slow.result(), (seed, slow.result())
    seen["games"] += 1
    seen["turns"] += slow.turn
    seen["fifth deck"] += max(p.deck_number for p in slow.players) >= 5
    seen["drawn"] += result.winner is None
    return seen
