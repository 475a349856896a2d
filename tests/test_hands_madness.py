"""What the other may hold, as the search of Madness thinks of it: hands weighed by what was done."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from coyote import Match
from coyote.bots.madness.fold import first_bare, folded
from coyote.bots.madness.hands import (
    EACH,
    FEW,
    MOST_HANDS,
    any_hand,
    card_played,
    hand_before,
    hands_for,
    how_likely,
    speaks_for,
    take_hand,
)
from coyote.bots.madness.mind import MadnessMind, expected, scratch
from coyote.bots.minds import mind_of
from coyote.bots.names import make_bot
from coyote.games.madness.game import Madness
from coyote.games.madness.view import seen
from coyote.kernel.bits import count, has
from coyote.kernel.record import same
from coyote.kernel.seats import HIDDEN, NONE, SPECTATOR
from coyote.questions import Budget, Page, Question
from kit.play import EDITIONS

editions = pytest.mark.parametrize("edition", EDITIONS)
DICE = np.array([1, 2], np.uint64)


def mind(game: Madness) -> MadnessMind:
    found = mind_of(game)
    assert isinstance(found, MadnessMind)
    return found


def played(edition: str, bot: str, seed: str) -> Iterator[tuple[Match, int]]:
    """A game of a bot with itself: before each decision the match, and who decides."""
    match = Match("madness", seed=seed, edition=edition)
    players = [make_bot(bot, match.game, f"{seed} {seat}") for seat in range(2)]
    while match.actors:
        (seat,) = match.actors
        yield match, seat
        match.play_action(players[seat].answer(match.question(seat)).action, seat)


def in_rows(past: list[Page]) -> tuple[np.ndarray, np.ndarray]:
    """Pages as the search has them."""
    moves = np.array([page.action for page in past], np.int16)
    return np.array([page.view for page in past]), moves


# ---------------------------------------------------------------- what a bot is told


@editions
def test_m8_a_question_tells_the_others_last_decisions_as_a_bystander_saw_them(edition: str) -> None:
    match, rng = Match("madness", seed="past", edition=edition), Random(edition)
    done: list[list[tuple[bytes, int]]] = [[], []]
    while match.actors:
        (seat,) = match.actors
        for watcher in range(2):
            past = match.question(watcher).past
            assert [(page.view.tobytes(), page.action) for page in past] == done[1 - watcher][-8:]
            for page in past:
                assert not page.view.hands.any() and not page.view.key.any()
                assert set(page.view.deck.tolist()) <= {int(HIDDEN), int(NONE)}
        action = rng.choice(match.legal_actions(seat))
        done[seat].append((match.view(SPECTATOR).tobytes(), action))
        match.play_action(action, seat)
    assert min(map(len, done)) > 8


def test_d6_nothing_is_told_of_choices_that_are_made_in_secret() -> None:
    match = Match("duel", seed="past")
    for _ in range(3):
        match.play_action(match.legal_actions(0)[-1], 0)
        assert not match.question(1).past
        match.play_action(match.legal_actions(1)[0], 1)
        assert not match.question(0).past


def test_a_copy_of_a_match_goes_on_by_itself() -> None:
    match = Match("madness", seed="twin")
    match.play("pass")
    twin = match.copy()
    match.play("draw")
    assert [len(one.question(1).past) for one in (match, twin)] == [2, 1]


# ---------------------------------------------------------------- back through what was done


@editions
def test_m15_the_true_hand_walked_back_has_as_many_cards_as_it_had(edition: str) -> None:
    walked = 0
    for match, seat in played(edition, "greedy", f"back {edition}"):
        hand = match.table().hands[1 - seat]
        for page in reversed(match.question(seat).past):
            hand = hand_before(page.view, hand, np.int64(page.action), DICE)
            assert count(hand) == page.view.held[1 - seat]
            card = card_played(np.int64(page.action))
            assert card == NONE or has(hand, card)
            walked += 1
    assert walked > 200


@editions
def test_any_hand_is_of_cards_that_the_seat_does_not_see(edition: str) -> None:
    match = Match("madness", seed="any", edition=edition)
    view = match.view(1)
    hands = [any_hand(view, match.game.row, 1, DICE) for _ in range(3000)]
    assert {int(count(hand)) for hand in hands} == {5} and not any(hand & seen(view) for hand in hands)
    often = np.array([[int(hand) >> card & 1 for card in range(54)] for hand in hands]).mean(axis=0)
    unseen = [card for card in range(54) if not has(seen(view), card)]
    assert len(unseen) == 48 and often[unseen] == pytest.approx(5 / 48, abs=0.025)


# ---------------------------------------------------------------- what it speaks for


@editions
def test_a_move_is_as_likely_as_the_policy_has_it(edition: str) -> None:
    """Over all moves that differ it comes to 1, and what cannot be done with a hand is never done."""
    game, x = Madness(edition=edition), scratch()
    bot, folds = mind(game), 0
    for match, seat in played(edition, "greedy", "likely"):
        s, shares = match.table(), dict[int, float]()
        for action in match.legal_actions(seat):
            share = how_likely(s, game.row, seat, np.int64(action), bot.nets[0], bot.manner, x.work)
            shares[int(folded(s, first_bare(s, game.row), np.int64(action)))] = share
        assert sum(shares.values()) == pytest.approx(1.0, abs=1e-3)
        folds += len(shares)
        s.hands[seat] = 0
        lays = np.int64(match.legal_actions(seat)[0])
        if card_played(lays) != NONE:
            assert how_likely(s, game.row, seat, lays, bot.nets[0], bot.manner, x.work) == 0.0
    assert folds > 100


def test_a_hand_speaks_by_all_that_is_told_and_by_the_last_of_it_where_there_was_more() -> None:
    game, x = Madness(), scratch()
    bot = mind(game)
    *_, (match, seat) = (
        moment for moment, _ in zip(played("standard", "greedy", "ring"), range(40), strict=False)
    )
    past = match.question(seat).past
    pages, moves = in_rows(list(past))
    hand, n = match.table().hands[1 - seat], len(past)
    given = (1 - seat, game.row)
    nets = (bot.nets[0], bot.manner, x.work, x.world)

    def said(told: int, pages: np.ndarray, moves: np.ndarray) -> float:
        bot.begin(DICE)
        return float(speaks_for(hand, *given, pages, moves, told, *nets))

    assert n == 8 and said(8, pages, moves) < said(3, pages[:3], moves[:3]) < 0.0
    turned = np.roll(pages, 3), np.roll(moves, 3)  # as they lie when eleven were told
    assert said(11, *turned) == said(8, pages, moves)


def test_hands_are_taken_as_often_as_they_weigh() -> None:
    x = scratch().work
    x.hands[:4] = [10, 20, 30, 40]
    x.bounds[:4] = [1.0, 1.0, 4.0, 5.0]  # the second weighs nothing
    x.n_hands, x.taken = 4, 0.0
    taken = [int(take_hand(x)) for _ in range(5000)]
    assert [taken.count(hand) / 5000 for hand in (10, 20, 30, 40)] == pytest.approx(
        [0.2, 0, 0.6, 0.2], abs=0.002
    )


@pytest.mark.parametrize(
    ("simulations", "hands"), [(0, 0), (FEW - 1, 0), (FEW, FEW // EACH), (1600, 100), (10**12, MOST_HANDS)]
)
def test_a_longer_search_weighs_more_hands(simulations: int, hands: int) -> None:
    assert hands_for(simulations) == hands


def test_a_search_by_the_clock_weighs_as_many_hands_as_one_of_so_many_simulations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And none while the rules are not compiled: that would take longer than it may."""
    assert expected(Budget(seconds=0.01)) == 4000 == expected(Budget(simulations=4000))
    assert expected(Budget(simulations=300, seconds=0.01)) == 300
    monkeypatch.setattr("coyote.bots.madness.mind.runs_plain", lambda: True)
    assert hands_for(expected(Budget(seconds=1.0))) == 0
    assert expected(Budget(simulations=300)) == 300


@editions
def test_what_the_search_itself_would_do_speaks_for_the_true_hand(edition: str) -> None:
    """Likely hands have more of its cards than any have."""
    x, tells = scratch(), []
    for number in range(4):
        for match, seat in played(edition, "search:150", f"tells {number}"):
            bot, asked = mind(match.game), match.question(seat)  # type: ignore[arg-type]
            bot.begin(DICE)
            bot.weigh_hands(asked, 200 * EACH)
            if n := int(x.work.n_hands):
                weights = np.diff(x.work.bounds[:n], prepend=0.0)
                true = match.table().hands[1 - seat]
                held = [int(count(hand & true)) for hand in x.work.hands[:n]]
                tells.append(float(weights @ held / weights.sum() - np.mean(held)))
    assert len(tells) > 100 and np.mean(tells) > 3 * np.std(tells) / len(tells) ** 0.5 > 0.0


def test_where_there_is_nothing_to_guess_no_hand_is_weighed() -> None:
    match = Match("madness", seed="nothing")
    bot, x = mind(match.game), scratch().work  # type: ignore[arg-type]

    def weighed(asked: Question) -> int:
        bot.begin(DICE)
        bot.weigh_hands(asked, 1600)
        return int(x.n_hands)

    assert weighed(match.question(0)) == 0  # nobody has done anything yet
    match.play("pass")
    match.play("draw")
    asked = match.question(1)
    assert weighed(asked) == 100
    for name, value in (("left", 0), ("held", 0)):  # the deck, or the other hand, is empty
        view = same(asked.view)
        view[name] = value
        assert weighed(Question(view, 1, asked.legal, past=asked.past)) == 0
    view = same(asked.view)
    view.hands[0] = match.table().hands[0]  # lies open
    assert weighed(Question(view, 1, asked.legal, past=asked.past)) == 0
    assert weighed(Question(asked.view, 1, asked.legal)) == 0


def test_pages_that_cannot_be_harm_nobody() -> None:
    """A program may be told anything."""
    match = Match("madness", seed="harm")
    match.play("pass")
    match.play("draw")
    asked, rng = match.question(1), Random(1)
    bot = mind(match.game)  # type: ignore[arg-type]
    for _ in range(20):
        past = [Page(page.view, rng.randrange(599)) for page in asked.past]
        bot.begin(DICE)
        bot.weigh_hands(Question(asked.view, 1, asked.legal, past=past), 1600)
        assert np.isfinite(scratch().work.bounds[:100]).all()
