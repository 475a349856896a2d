"""The bots of Madness: rules of thumb, light policy, search."""

import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coyote import Match
from coyote.bots.madness.fold import FOLD, N_FOLDS, N_RANKS, first_bare, folded, list_moves
from coyote.bots.madness.games import THOUGHTS
from coyote.bots.madness.habits import N_HABITS, habit_row, surroundings
from coyote.bots.madness.judge import N_SIGNS, judge
from coyote.bots.madness.mind import MadnessMind, learned, scratch
from coyote.bots.madness.thumb import light
from coyote.bots.madness.tree import NODE, TO_THE_END, do_something
from coyote.bots.minds import mind_of
from coyote.bots.names import make_bot
from coyote.games.game import NO_SETUP, Chance
from coyote.games.madness.actions import PASS
from coyote.games.madness.game import Madness
from coyote.games.madness.state import MAIN, STARVATION
from coyote.kernel.events import silent_log
from coyote.kernel.record import new
from coyote.lab.games import ask
from coyote.lab.play import play_games
from coyote.questions import Budget, Question
from coyote.seeds import seed_from, seed_words
from kit.play import EDITIONS

FEW = Budget(simulations=40)
MINDS = {edition: MadnessMind(Madness(edition=edition)) for edition in EDITIONS}
editions = pytest.mark.parametrize("edition", EDITIONS)


def dice(text: str) -> Any:
    return seed_words(seed_from(text))


def question(game: Madness, s: Any, seat: int) -> Question:
    return Question(game.view(s, seat), seat, game.legal(s, seat))


def moments(edition: str, name: str, n: int) -> Iterator[tuple[Madness, Any, int]]:
    """So many decisions of random games: the game, the state, and who decides."""
    game, log, rng = Madness(edition=edition), silent_log(), Random(name)
    deal = 0
    while True:
        s = game.deal(NO_SETUP, dice(f"{name} {deal}"))
        deal += 1
        while actors := game.actors(s):
            seat = 0 if actors & 1 else 1
            yield game, s, seat
            if (n := n - 1) == 0:
                return
            game.act(s, seat, rng.choice(game.legal(s, seat)), log, Chance())


def best_at(position: str, simulations: int = 500) -> str:
    match = Match.from_position(position)
    asked = match.question(match.actors[0])
    found = mind_of(match.game).search(asked, dice("best"), Budget(simulations=simulations))
    return match.game.move_text(found.action)


# ---------------------------------------------------------------- folds and habits


@editions
def test_one_move_of_each_fold_is_listed_the_first(edition: str) -> None:
    x = scratch().work
    for game, s, seat in moments(edition, "listed", 200):
        first: dict[int, int] = {}
        for action in game.legal(s, seat):
            first.setdefault(int(folded(s, first_bare(s, game.row), np.int64(action))), action)
        n = list_moves(s, game.row, seat, x)
        assert list(zip(x.folds[:n].tolist(), x.actions[:n].tolist(), strict=True)) == list(first.items())


def test_m1_suits_are_folded_together_and_ranks_are_not() -> None:
    by_fold: dict[int, set[tuple[str, str]]] = {}
    for action, fold in enumerate(FOLD):
        move = Madness().move_text(action)
        verb, _, card = move.partition(" ")
        by_fold.setdefault(int(fold), set()).add((verb, card[:1]))
    assert all(len(moves) == 1 for moves in by_fold.values())
    assert len(by_fold) == N_FOLDS - N_RANKS  # the rest is for a Boss turned up


@editions
def test_bare_fields_are_one_and_the_same(edition: str) -> None:
    game = Madness(edition=edition)
    s = game.deal(NO_SETUP, dice("bare"))
    bare = first_bare(s, game.row)
    legal = game.legal(s, 0)
    folds: dict[str, set[int]] = {}
    for action in legal:
        text = game.move_text(action)
        if text[0] == "a":
            folds.setdefault(text[3], set()).add(int(folded(s, bare, np.int64(action))))
    assert folds and all(len(found) == 1 for found in folds.values())


@editions
def test_every_move_has_a_habit_and_the_learned_tables_fit(edition: str) -> None:
    for game, s, seat in moments(edition, "habits", 600):
        around = surroundings(s, game.row, np.int64(seat))
        for action in game.legal(s, seat):
            assert 0 <= habit_row(s, game.row, np.int64(seat), *around, np.int64(action)) < N_HABITS
    assert len(learned()[edition]["habits"]) == N_HABITS and min(learned()[edition]["habits"]) > 0
    assert len(learned()[edition]["signs"]) == N_SIGNS


@editions
def test_a_table_is_judged_alike_from_both_sides(edition: str) -> None:
    """Seats exchanged, the chance is the other one's: nothing but the turn prefers a seat."""
    weights, room = np.array(learned()[edition]["signs"]), np.zeros(N_SIGNS)
    for game, s, _ in moments(edition, "judge", 300):
        if s.phase != MAIN:
            continue
        chance = judge(s, game.row, weights, 1.0, room)
        assert 0 < chance < 1
        twin = s.copy()
        twin.hands[:], twin.held[:] = s.hands[::-1], s.held[::-1]
        twin.tops[:], twin.heights[:] = s.tops[:, ::-1], s.heights[:, ::-1]
        twin.lead, twin.mover = -s.lead, 1 - s.mover
        for field in range(3):
            if s.last[field] >= 0:
                twin.last[field] = 1 - s.last[field]
        assert judge(twin, game.row, weights, 1.0, room) == pytest.approx(1 - chance)


# ---------------------------------------------------------------- answers


@given(st.integers(0, 10**6), st.sampled_from(EDITIONS))
def test_the_light_policy_makes_legal_moves_to_the_end_of_any_game(seed: int, edition: str) -> None:
    game, log, luck = Madness(edition=edition), silent_log(), dice(f"luck {seed}").copy()
    s = game.deal(NO_SETUP, dice(f"light {seed}"))
    while actors := game.actors(s):
        seat = 0 if actors & 1 else 1
        action = int(light(s, game.row, np.int64(seat), luck))
        assert action in game.legal(s, seat)
        game.act(s, seat, action, log, Chance())


@editions
def test_every_answer_is_legal_and_has_a_thought_for_every_move(edition: str) -> None:
    mind = MINDS[edition]
    for game, s, seat in moments(edition, "legal", 400):
        asked = question(game, s, seat)
        for answer in (mind.thumb(asked, dice("a")), mind.search(asked, dice("a"), FEW)):
            assert answer.action in asked.legal
            assert [thought.action for thought in answer.thoughts] == asked.legal
            assert all(t.chance is None or 0 <= t.chance <= 1 for t in answer.thoughts)


def visits_at_root() -> Iterator[int]:
    nodes = scratch().nodes
    child = int(nodes[0]["child"])
    while child:
        yield int(nodes[child]["visits"])
        child = int(nodes[child]["beside"])


@pytest.mark.parametrize("simulations", [1, 2, 255, 256, 257, 1000])
def test_a_search_makes_just_the_simulations_it_may(simulations: int) -> None:
    mind = MINDS["standard"]
    for game, s, seat in moments("standard", "count", 10):
        asked = question(game, s, seat)
        if len(asked.legal) > 1:
            mind.search(asked, dice("n"), Budget(simulations=simulations))
            assert scratch().nodes[0]["visits"] == simulations
            assert sum(visits_at_root()) == simulations


@editions
def test_the_search_looks_at_every_move_however_sure_the_policy_is(edition: str) -> None:
    """Without the part that all moves share, more than half of them are never looked at here."""
    for game, s, seat in moments(edition, "sure", 60):
        answer = MINDS[edition].search(question(game, s, seat), dice("sure"), Budget(simulations=3000))
        assert len(answer.thoughts) == 1 or all(thought.examined for thought in answer.thoughts)


@editions
def test_no_move_of_any_node_is_without_weight(edition: str) -> None:
    """A node stands for many hands, and the policy was asked with one of them."""
    mind = MINDS[edition]
    for game, s, seat in moments(edition, "weight", 20):
        mind.search(question(game, s, seat), dice("weight"), Budget(simulations=500))
        weights = scratch().nodes[1 : int(scratch().work.used)]["weight"]
        assert all(weights > 0.001)


def test_a_search_ends_by_the_clock_too() -> None:
    game, s, seat = next(moments("standard", "clock", 1))
    asked = question(game, s, seat)
    assert MINDS["standard"].search(asked, dice("t"), Budget(seconds=0.01)).action in asked.legal


def test_a_search_without_any_limit_is_refused_and_one_of_nothing_ends() -> None:
    game, s, seat = next(moments("standard", "limit", 1))
    asked = question(game, s, seat)
    with pytest.raises(ValueError, match="limit"):
        MINDS["standard"].search(asked, dice("l"), Budget())
    assert MINDS["standard"].search(asked, dice("l"), Budget(simulations=0)).action in asked.legal


@editions
def test_the_same_question_gets_the_same_answer(edition: str) -> None:
    """Whatever the mind has thought of in between."""
    other = MadnessMind(Madness(edition=edition))
    for game, s, seat in moments(edition, "same", 60):
        asked = question(game, s, seat)
        first = MINDS[edition].search(asked, dice("x"), FEW)
        assert other.search(asked, dice("x"), FEW) == first
        MINDS[edition].search(asked, dice("y"), Budget(simulations=300))
        assert MINDS[edition].search(asked, dice("x"), FEW) == first


def test_a_question_is_not_changed_by_thinking_about_it() -> None:
    for game, s, seat in moments("classic", "kept", 40):
        asked = question(game, s, seat)
        before = asked.view.tobytes()
        MINDS["classic"].search(asked, dice("k"), FEW)
        assert asked.view.tobytes() == before


# ---------------------------------------------------------------- what it may know


@editions
def test_m8_what_the_seat_cannot_see_changes_no_answer(edition: str) -> None:
    """At 2,000 decisions of each edition everything hidden is changed, the deck and the key too."""
    bots = ["greedy", "search:25", "level:1", "level:3"]
    made = {name: make_bot(name, Madness(edition=edition), "leak") for name in bots}
    for number, (game, s, seat) in enumerate(moments(edition, "leak", 2000)):
        match, twin = Match(game, seed="leak"), Match(game, seed="leak")
        match._state = s
        twin._state = game.imagine(game.view(s, seat), seat, dice(f"other cards {number}"))
        bot = made[bots[number % len(bots)]]
        assert ask(match, seat, bot, [0, 0], Budget()) == ask(twin, seat, bot, [0, 0], Budget())


@editions
def test_m8_a_card_that_was_shown_is_never_imagined_in_a_hand(edition: str) -> None:
    mind = MINDS[edition]
    for game, s, seat in moments(edition, "memory", 300):
        asked = question(game, s, seat)
        if len(asked.legal) > 1:
            mind.search(asked, dice("m"), Budget(simulations=1))
            view = asked.view
            shown = int(view.gone)
            world = scratch().world[0]
            assert int(world.hands[1 - seat]) & shown == 0
            assert int(world.hands[0]) & int(world.hands[1]) == 0


# ---------------------------------------------------------------- playing well


def test_a_point_that_wins_is_taken() -> None:
    position = "madness standard 0 main lead=+4 hands=8S,KD,2C/2H,3H,4H boss=7H deck=AS,2S,3S,4S,5S"
    assert best_at(position) in ("b 8S", "b KD")


def test_a_field_that_would_lose_the_game_is_answered() -> None:
    position = (
        "madness standard 0 main lead=-4 hands=9S,2C,3C/2H,3H boss=KH fields=-/8D|-/-|-/- deck=AS,2S,3S,4S"
    )
    assert best_at(position) == "a1 9S"


def test_the_weakest_card_that_can_steals() -> None:
    position = (
        "madness standard 0 coyote lead=+3 hands=2S,3S/9H,KH,4C,5C boss=KD "
        "fields=7S/-=0|8S/-=0|7C/-=0 closing=3 deck=AS,2D,3D,4D,5D"
    )
    assert best_at(position) == "steal 9H"


def test_a_hand_that_would_starve_is_filled() -> None:
    """M13  Push would leave the hand empty, and the turn to come would be lost."""
    position = "madness standard 0 tut hands=-/2H,3H,4H boss=KH fields=-/8D|-/-|-/- deck=AS,2S,3S,4S,5S,6S"
    assert best_at(position) in ("draw", "drop")


@pytest.mark.parametrize(
    ("first", "second", "least"),
    [("greedy", "random", 36), ("search:50", "random", 37), ("search:200", "greedy", 26)],
)
def test_the_stronger_bot_wins(first: str, second: str, least: float) -> None:
    """40 games that come out the same in every run."""
    game, won = Madness(), 0.0
    for deal in range(20):
        for swap in range(2):
            match = Match(game, seed=f"strength {deal}")
            names = (second, first) if swap else (first, second)
            players = [make_bot(name, game, f"{deal} {seat}") for seat, name in enumerate(names)]
            while actors := match.actors:
                match.play_action(ask(match, actors[0], players[actors[0]], [0, 0], Budget()), actors[0])
            assert match.result
            won += 0.5 if match.result.winner is None else match.result.winner == swap
    assert won >= least


# ---------------------------------------------------------------- what nobody should overlook


def thumbs_up(position: str) -> str:
    """What the rules of thumb make of it."""
    match = Match.from_position(position)
    asked = match.question(match.actors[0])
    return match.game.move_text(mind_of(match.game).thumb(asked, dice("thumb")).action)


def winners(game: Madness, s: Any, seat: int) -> set[int]:
    """The moves that win at once."""
    found = set()
    for action in game.legal(s, seat):
        after = s.copy()
        game.act(after, seat, action, silent_log(), Chance())
        result = game.result(after)
        if result is not None and result.winner == seat:
            found.add(action)
    return found


def test_m10_a_point_that_wins_is_worth_more_than_an_answer() -> None:
    position = (
        "madness standard 0 main turn=15 lead=+4 hands=2C,8C,AS,QH,TC/3C,5D,5H,6S,7S boss=JS discard=X1 "
        "fields=JD!/8H=0|-/-|-/7C! deck=4C,4H,3H,9H,4D,6H,AH,KD,3D,AD,QS,2H,7H,KC,8S,KH,2S,3S,9C,6C"
    )
    assert thumbs_up(position) == "b QH"


@editions
@pytest.mark.parametrize("name", ["greedy", "search:30"])
def test_a_win_in_one_is_always_taken(edition: str, name: str) -> None:
    bot, taken = make_bot(name, Madness(edition=edition), "win"), 0
    for number, (game, s, seat) in enumerate(moments(edition, "wins", 4000)):
        if wins := winners(game, s, seat):
            match = Match(game, seed=f"{number}")
            match._state = s
            assert ask(match, seat, bot, [0, 0], Budget()) in wins
            taken += 1
    assert taken > 20


def test_m13_the_last_card_is_not_spent_on_a_steal_that_starves() -> None:
    fields = "boss=KD fields=7S/-=0|8S/-=0|7C/-=0 closing=3"
    for lead, left, move in ((0, "AS,2D,3D", "decline"), (0, "AS", "steal 9H"), (-4, "AS,2D,3D", "steal 9H")):
        position = f"madness standard 0 coyote lead={lead:+} hands=2S,3S/9H {fields} deck={left}"
        assert thumbs_up(position) == move


@editions
def test_m13_rules_of_thumb_do_not_starve_themselves(edition: str) -> None:
    rows = play_games(Madness(edition=edition), NO_SETUP, ["greedy", "greedy"], "full", 0, 400)
    assert (rows["reason"] != STARVATION).all()


def test_of_equal_moves_one_that_does_something_is_made() -> None:
    t = new(THOUGHTS)
    t.n, t.legal[:3] = 3, [PASS, 0, 5]
    for examined, likely, picked in (
        ([100, 90, 20], [0.5, 0.499, 0.6], 1),
        ([100, 90, 20], [0.5, 0.48, 0.6], 0),
        ([100, 50, 20], [0.5, 0.499, 0.6], 0),
    ):
        t.examined[:3], t.likely[:3] = examined, likely
        assert do_something(t, np.int64(0)) == picked
    assert do_something(t, np.int64(1)) == 1


# ---------------------------------------------------------------- memory, manners, modes


def test_a_full_tree_goes_on_learning(monkeypatch: pytest.MonkeyPatch) -> None:
    mind = MadnessMind(Madness())
    monkeypatch.setattr(scratch(), "nodes", np.zeros(64, NODE))
    for game, s, seat in moments("standard", "full", 20):
        asked = question(game, s, seat)
        if len(asked.legal) > 1:
            assert mind.search(asked, dice("f"), Budget(simulations=500)).action in asked.legal
            assert scratch().work.used <= 64


def test_other_manners_of_searching_work() -> None:
    """The benchmark compares them."""
    for turns, at_random, one_world, blind_push in [
        (2, 0, 0, 0),
        (TO_THE_END, 1, 0, 1),
        (TO_THE_END, 0, 1, 0),
    ]:
        mind = MadnessMind(Madness(edition="classic"))
        mind.manner.turns, mind.manner.at_random = turns, at_random
        mind.manner.one_world, mind.manner.blind_push = one_world, blind_push
        for game, s, seat in moments("classic", "manners", 40):
            asked = question(game, s, seat)
            assert mind.search(asked, dice("w"), FEW).action in asked.legal


PROGRAM = """
from coyote import Match
from coyote.bots.minds import mind_of
from coyote.questions import Budget
from coyote.seeds import seed_words, seed_from
match = Match("madness", seed="modes")
answer = mind_of(match.game).search(match.question(0), seed_words(seed_from("modes")), Budget(simulations=12))
print(answer.action, [(t.action, t.examined) for t in answer.thoughts])
"""


@pytest.mark.parametrize(
    "switch", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.soak)]
)
def test_it_thinks_the_same_in_every_mode(switch: str) -> None:
    def run(**more: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert run(**{switch: "1"}) == run()
