"""The duel's bots: rules of thumb, and the search."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.bots.bot import Answer
from coyote.bots.duel import tree
from coyote.bots.duel.belief import POOL, SURE
from coyote.bots.duel.mind import DuelMind, Learned, Scratch, scratch
from coyote.bots.duel.sure import wins_surely
from coyote.bots.minds import mind_of
from coyote.games.duel.decks import random_deck, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import core_set
from coyote.games.game import Setup
from coyote.kernel.seats import NONE
from coyote.questions import Budget, Question
from duel.kit_duel import FLAVOURS, Table, at, fillers, made_set, random_duel, steps, words

FEW = Budget(simulations=60)


def ask(game: Duel, s: Any, seat: int) -> Question:
    return Question(game.view(s, seat), seat, game.legal(s, seat))


def dealt(game: Duel, seed: str, decks: Sequence[Any] = ()) -> Any:
    return game.deal(game.settle(decks), words(seed))


def positions(game: Duel, setup: Setup, name: str, n: int) -> Iterator[tuple[Any, int]]:
    """So many moments of random games at which both owe a choice, and a seat to be asked."""
    rng, found, deal = Random(name), 0, 0
    while True:
        for step in steps(game, game.deal(setup, words(f"{name} {deal}")), rng):
            if game.actors(step.before) == 0b11 and rng.random() < 0.3:
                yield step.before, rng.randrange(2)
                found += 1
                if found == n:
                    return
        deal += 1


def ready_setups(game: Duel) -> list[Setup]:
    names = list(ready_decks())
    return [game.settle(pair) for pair in zip(names, [*names[1:], names[0]], strict=True)]


@pytest.fixture(scope="module")
def game() -> Duel:
    return Duel()


@pytest.fixture(scope="module")
def thinker(game: Duel) -> DuelMind:
    return DuelMind(game)


def test_the_mind_of_a_duel_is_found_by_its_name() -> None:
    assert isinstance(mind_of(Duel()), DuelMind)


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("flavour", sorted(FLAVOURS))
def test_every_answer_is_legal_in_any_set(flavour: str) -> None:
    for number in range(4):
        game, setup = random_duel(Random(f"{flavour} {number}"), flavour)
        thinker = mind_of(game)
        for s, seat in positions(game, setup, f"legal {flavour} {number}", 10):
            question = ask(game, s, seat)
            for answer in (
                thinker.thumb(question, words("a")),
                thinker.search(question, words("a"), Budget(simulations=20)),
            ):
                assert answer.action in question.legal
                assert [thought.action for thought in answer.thoughts] == question.legal


def test_thoughts_say_the_chance_and_how_often_a_move_was_examined(game: Duel, thinker: DuelMind) -> None:
    for setup in ready_setups(game):
        for s, seat in positions(game, setup, "thoughts", 5):
            answer = thinker.search(ask(game, s, seat), words("a"), FEW)
            if len(answer.thoughts) > 1:
                assert 0 < sum(thought.examined for thought in answer.thoughts) <= 60
            assert all(t.chance is None or 0.0 <= t.chance <= 1.0 for t in answer.thoughts)


def test_the_rules_of_thumb_choose_the_move_they_think_most_of(game: Duel, thinker: DuelMind) -> None:
    for setup in ready_setups(game):
        for s, seat in positions(game, setup, "thumb", 10):
            answer = thinker.thumb(ask(game, s, seat), words("a"))
            chances = {thought.action: thought.chance or 0.0 for thought in answer.thoughts}
            assert chances[answer.action] == max(chances.values())


def test_the_same_question_gets_the_same_answer(game: Duel) -> None:
    """Also by another mind, and after other questions: nothing is left over from them."""
    first, second = DuelMind(game), DuelMind(game)
    for setup in ready_setups(game):
        for s, seat in positions(game, setup, "same", 5):
            question = ask(game, s, seat)
            answer = first.search(question, words("b"), FEW)
            second.search(question, words("c"), Budget(simulations=7))
            assert second.search(question, words("b"), FEW) == answer
            assert first.thumb(question, words("b")) == second.thumb(question, words("b"))


@pytest.mark.parametrize("simulations", [1, 2, 3, 5, 17])
def test_a_search_makes_no_more_simulations_than_it_may(
    game: Duel, thinker: DuelMind, simulations: int
) -> None:
    for s, seat in positions(game, game.settle(), "exact", 10):
        question = ask(game, s, seat)
        if len(question.legal) > 1:
            assert (
                thinker.search(question, words("a"), Budget(simulations=simulations)).action in question.legal
            )
            assert scratch().simulations == simulations


def test_a_search_ends_by_the_clock(game: Duel, thinker: DuelMind) -> None:
    question = ask(game, dealt(game, "clock"), 0)
    assert thinker.search(question, words("a"), Budget(seconds=0.02)).action in question.legal
    assert scratch().simulations > 0
    assert thinker.search(question, words("a"), Budget(simulations=50, seconds=60.0)).action in question.legal
    assert scratch().simulations == 50


def test_a_search_without_any_limit_is_refused(game: Duel, thinker: DuelMind) -> None:
    with pytest.raises(ValueError):
        thinker.search(ask(game, dealt(game, "a"), 0), words("a"), Budget())


def test_a_single_legal_move_is_made_at_once() -> None:
    table = at({}, "hands=-/sand1")
    thinker = DuelMind(table.game)
    assert thinker.search(ask(table.game, table.s, 0), words("a"), Budget(seconds=60.0)).action == 0


# ---------------------------------------------------------------- what it may know


def test_what_the_seat_cannot_see_changes_no_answer(game: Duel, thinker: DuelMind) -> None:
    """The hidden cards dealt anew, and the other's list made up anew (D18)."""
    asked = 0
    for setup in ready_setups(game):
        for number, (s, seat) in enumerate(positions(game, setup, "leak", 30)):
            question = ask(game, s, seat)
            other = game.imagine(game.view(s, seat), seat, words(f"other {number}"))
            again = ask(game, other, seat)
            assert thinker.thumb(question, words("a")) == thinker.thumb(again, words("a"))
            budget = Budget(simulations=30)
            found = thinker.search(question, words("a"), budget)
            assert found == thinker.search(again, words("a"), budget)
            asked += 1
    assert asked == 300


def test_a_question_is_not_changed_by_thinking_about_it(game: Duel, thinker: DuelMind) -> None:
    question = ask(game, dealt(game, "kept"), 1)
    before = question.view.tobytes()
    thinker.search(question, words("a"), FEW)
    thinker.thumb(question, words("a"))
    assert question.view.tobytes() == before


# ---------------------------------------------------------------- what it supposes


def thought_of(game: Duel, s: Any, seat: int) -> tuple[DuelMind, dict[str, float]]:
    """How likely each ready deck is held to be, and `any` other one."""
    thinker = DuelMind(game)
    thinker.begin(ask(game, s, seat))
    weights = scratch().belief.weight
    named = dict(zip(ready_decks(), weights.tolist(), strict=False))
    return thinker, {**named, "any": float(weights[POOL]), "sure": float(weights[SURE])}


def test_a_ready_deck_is_recognised_by_the_cards_shown(game: Duel) -> None:
    for name in ready_decks():
        *_, last = steps(game, dealt(game, "recognise", ("pack", name)), Random("a"))
        _, weights = thought_of(game, last.before, 0)
        assert max(weights, key=lambda deck: weights[deck]) == name
        assert weights["any"] > 0.03 and abs(sum(weights.values()) - 1) < 1e-6


def test_an_unknown_deck_is_no_ready_one(game: Duel) -> None:
    for number in range(10):
        deck = random_deck(core_set(), Random(number))
        *_, last = steps(game, dealt(game, "unknown", ("pack", deck)), Random("a"))
        _, weights = thought_of(game, last.before, 0)
        assert weights["any"] > 0.5, weights


def test_with_open_lists_the_list_is_known() -> None:
    open_lists: dict[str, Any] = {"open-lists": True}
    game = Duel(**open_lists)
    s = dealt(game, "open", ("pack", "briar"))
    thinker, weights = thought_of(game, s, 0)
    assert weights["sure"] == 1.0
    assert supposed(thinker, s, game, 0, 20) == {tuple(ready_list(game, "briar"))}


def ready_list(game: Duel, name: str) -> list[int]:
    return sorted(game.kinds[card_id] for card_id in ready_decks()[name].ids())


def supposed(thinker: DuelMind, s: Any, game: Duel, seat: int, n: int) -> set[tuple[int, ...]]:
    """The lists of the other that come out when so many worlds are supposed."""
    view, dice = game.view(s, seat), words("suppose")
    found = set()
    for _ in range(n):
        world = thinker.suppose(view, seat, dice)
        kinds = [
            int(kind)
            for zone in ("hand", "deck", "discard", "play", "aside")
            for kind in world[zone][1 - seat][: world[f"in_{zone}"][1 - seat]]
        ]
        found.add(tuple(sorted(kinds)))
    return found


@pytest.mark.parametrize("open_lists", [False, True])
def test_a_supposed_world_looks_the_same_to_the_seat(open_lists: bool) -> None:
    """But for the list itself, which nobody asks for in it, and dice that are no part of a view."""
    options: dict[str, Any] = {"open-lists": open_lists}
    game = Duel(**options)
    thinker = DuelMind(game)
    for deck in ("boneyard", "magpies", "random"):
        for s, seat in positions(game, game.settle(("pack", deck)), f"worlds {deck}", 20):
            view = game.view(s, seat)
            thinker.begin(ask(game, s, seat))
            for _ in range(5):
                world = thinker.suppose(view, seat, words("a"))
                assert game.view(world, seat).tobytes() == view.tobytes()
                assert NONE not in world.deck[1 - seat][: world.in_deck[1 - seat]]
                held = world.hand[1 - seat][: world.in_hand[1 - seat]]
                assert not any(core_set().cards[kind].program.auto for kind in held), "D5"


def test_what_was_never_shown_is_held_once_a_second_deck_is_drawn_from() -> None:
    """The whole first deck was drawn by then (D13); of kinds of which a copy was shown nothing is said."""
    open_lists: dict[str, Any] = {"open-lists": True}
    game = Duel(**open_lists)
    thinker = DuelMind(game)
    found = 0
    for s, seat in positions(game, game.settle(("oasis", "oasis")), "held", 120):
        they = 1 - seat
        if s.deck_number[they] > 1:
            shown = set(s.shown[they][: s.n_shown[they]].tolist())
            hidden = Counter(
                kind for kind in s.listed[they][: s.n_listed[they]].tolist() if kind not in shown
            )
            thinker.begin(ask(game, s, seat))
            for world in (s, thinker.suppose(game.view(s, seat), seat, words("a"))):
                assert hidden <= Counter(world.hand[they][: world.in_hand[they]].tolist())
            found += len(hidden)
    assert found > 5


def test_own_cards_are_all_accounted_for_in_a_supposed_world(game: Duel, thinker: DuelMind) -> None:
    for s, seat in positions(game, game.settle(("drought", "magpies")), "own", 20):
        thinker.begin(ask(game, s, seat))
        world = thinker.suppose(game.view(s, seat), seat, words("a"))
        for zone in ("deck", "hand"):
            size = int(s[f"in_{zone}"][seat])
            assert Counter(world[zone][seat][:size].tolist()) == Counter(s[zone][seat][:size].tolist())


# ---------------------------------------------------------------- how it plays


def answers(table: Table, seat: int, simulations: int, n: int) -> list[Answer]:
    thinker = mind_of(table.game)
    question = ask(table.game, table.s, seat)
    return [thinker.search(question, words(str(i)), Budget(simulations=simulations)) for i in range(n)]


def test_a_winning_move_is_found() -> None:
    cards = {"hit": "Attack 10.", "rest": "Heal 30.", "wall": "Block 20."}
    table = at(cards, "hands=hit,rest,wall,sand1/sand1 health=40/9 rules=open-lists:yes")
    hit = table.game.read_move("play hit")
    assert {answer.action for answer in answers(table, 0, 100, 10)} == {hit}
    assert mind_of(table.game).thumb(ask(table.game, table.s, 0), words("a")).action == hit
    chances = {t.action: t.chance or 0.0 for t in answers(table, 0, 400, 1)[0].thoughts}
    assert hit is not None and chances[hit] > 0.9


@pytest.mark.parametrize("simulations", [1, 2, 5, 60])
def test_a_proven_win_is_always_played(simulations: int) -> None:
    """Nothing that the other may hold keeps the blow off; a few simulations alone would not show it."""
    cards = {"hit": "Attack 10.", "rest": "Heal 90.", "wall": "Block 20, draw 3 cards."}
    table = at(cards, "hands=rest,wall,hit,sand1/sand1,sand2 health=40/9 rules=open-lists:yes")
    hit = table.game.read_move("play hit")
    assert {answer.action for answer in answers(table, 0, simulations, 20)} == {hit}
    assert mind_of(table.game).thumb(ask(table.game, table.s, 0), words("a")).action == hit


def sure(table: Table, seat: int, move: str) -> bool:
    mind, x = DuelMind(table.game), scratch()
    action = table.game.read_move(move)
    assert action is not None
    v = table.game.view(table.s, seat)
    return bool(
        wins_surely(v, mind.cards, mind.row, mind.n_kinds, x.log, x.world, np.int64(seat), np.int64(action))
    )


def test_a_win_is_proven_only_where_no_card_of_the_other_prevents_it() -> None:
    cards = {"hit": "Attack 10.", "wall": "Block all.", "spike": "If attacked: attack 40."}
    asked = "hands=hit/{} health=40/9 rules=open-lists:{}"
    known = at(cards, asked.format("sand1", "yes"))
    assert sure(known, 0, "play hit") and not sure(known, 0, "hold")
    assert not sure(at(cards, asked.format("wall", "yes")), 0, "play hit")
    assert not sure(at(cards, asked.format("spike", "yes")), 0, "play hit"), "both would be dead"
    assert not sure(at(cards, asked.format("sand1", "no")), 0, "play hit"), "for all that it knows"
    assert sure(at(cards, asked.format("-", "no")), 0, "play hit"), "who has no card can play none"


def test_a_win_at_hand_is_not_given_away_by_the_rules_of_thumb() -> None:
    """The storm wins if nothing is done about it; of two cards the better one would stop it."""
    cards = {"storm": "Next turn: attack 30.", "peace": "Heal 30, draw 2 cards. Opponent: block all."}
    table = at(cards, "hands=peace,sand1/- health=30/20 play=storm@1/-")
    mind = mind_of(table.game)
    assert mind.thumb(ask(table.game, table.s, 0), words("a")).action != table.game.read_move("play peace")
    for answer in answers(table, 0, 3, 10):
        assert answer.action != table.game.read_move("play peace")


def test_the_rules_of_thumb_do_not_throw_themselves_away() -> None:
    cards = {"burst": "Attack 30. Opponent: attack 5.", "nap": "Block 1."}
    for health, wanted in ((5, False), (6, True)):
        table = at(cards, f"hands=burst,nap/sand1 health={health}/90")
        action = mind_of(table.game).thumb(ask(table.game, table.s, 0), words("a")).action
        assert (action == table.game.read_move("play burst")) == wanted


def test_a_blow_that_would_kill_is_blocked() -> None:
    cards = {"storm": "Next turn: attack 30.", "wall": "Block 40.", "hit": "Attack 5."}
    table = at(cards, "hands=hit,wall/sand1 health=20/90 play=-/storm@1 rules=open-lists:yes")
    wall = table.game.read_move("play wall")
    assert {answer.action for answer in answers(table, 0, 100, 10)} == {wall}
    assert mind_of(table.game).thumb(ask(table.game, table.s, 0), words("a")).action == wall


def test_a_choice_that_could_be_answered_is_mixed() -> None:
    """Each card beats the next one, and the last one the first: who is foreseen has lost."""
    cards = {
        "strike": "Attack 10.",
        "parry": "If attacked: block all, attack 10.",
        "creep": "If not attacked: attack 10.",
    }
    # with nothing in the decks, each knows what the other holds
    table = at(
        cards, "hands=strike,parry,creep/strike,parry,creep deck=-/- health=10/10 rules=open-lists:yes"
    )
    found = Counter(table.game.move_text(answer.action) for answer in answers(table, 0, 500, 40))
    assert min(found[f"play {card}"] for card in cards) >= 3, found


# ---------------------------------------------------------------- first visits


def begun(thinker: DuelMind, seat: int, move: int, behind: float) -> float:
    """What a move is thought to win that is met for the first time, at a node where seat 0 won 0.8 so far."""
    t, node = scratch().tree, scratch().nodes[1]
    node.times, node.won = 10.0, 8.0
    tree.begin_slot(t, node, np.int64(seat), np.int64(0), np.int64(move), behind, t.prior)
    return float(tree.mean(t, 0))


def test_a_move_is_first_thought_to_win_what_others_won_there(game: Duel, thinker: DuelMind) -> None:
    thinker.begin(ask(game, dealt(game, "hope"), 0))
    assert begun(thinker, 0, 3, 0.0) == pytest.approx(0.8)
    assert begun(thinker, 1, 3, 0.0) == pytest.approx(0.2)
    assert begun(thinker, 0, 3, 12.0) == pytest.approx(0.7)  # at first sight it is liked less
    former = DuelMind(game, Learned({}))
    former.begin(ask(game, dealt(game, "hope"), 0))
    assert begun(former, 0, 3, 0.0) == pytest.approx(0.5)
    assert begun(former, 0, 3, 12.0) == pytest.approx(0.3)  # rules of thumb are more sure of themselves


def test_a_move_that_did_better_than_thought_is_thought_more_of_elsewhere(
    game: Duel, thinker: DuelMind
) -> None:
    thinker.begin(ask(game, dealt(game, "habit"), 0))
    for _ in range(200):
        tree.find_habit(scratch().tree, 0, 3, 0.85 - begun(thinker, 0, 3, 0.0))
    assert begun(thinker, 0, 3, 0.0) == pytest.approx(0.85, abs=0.005)
    assert begun(thinker, 0, 4, 0.0) == pytest.approx(0.8)
    assert begun(thinker, 1, 3, 0.0) == pytest.approx(0.2)
    thinker.begin(ask(game, dealt(game, "habit"), 0))  # another search knows nothing of it
    assert begun(thinker, 0, 3, 0.0) == pytest.approx(0.8)


# ---------------------------------------------------------------- bounds


def test_a_full_tree_goes_on_learning(game: Duel, thinker: DuelMind, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = len(scratch().nodes)
    monkeypatch.setattr(scratch(), "nodes", scratch().nodes[:40])
    question = ask(game, dealt(game, "full"), 0)
    answer = thinker.search(question, words("a"), Budget(simulations=2000))
    assert scratch().tree.used == 40 < whole
    assert answer.action in question.legal and sum(t.examined for t in answer.thoughts) > 500


def test_nothing_is_left_in_the_tree_of_the_search_before(game: Duel, thinker: DuelMind) -> None:
    t = scratch().tree
    for simulations in (300, 3000, 50):
        thinker.search(ask(game, dealt(game, "left"), 0), words("a"), Budget(simulations=simulations))
        assert (t.key != NONE).sum() == t.used - 1
        assert len(set(t.child[t.key != NONE])) == t.used - 1


def test_without_room_for_moves_no_nodes_are_added(game: Duel, thinker: DuelMind) -> None:
    """What is left of the room is for further moves of nodes that are there."""
    thinker.begin(ask(game, dealt(game, "no room"), 0))
    t, nodes = scratch().tree, scratch().nodes
    t.n_slots = tree.ROOM_FOR_NODES
    assert tree.child_of(t, nodes, tree.key_of(np.int64(0), 1, 2)) == 1
    t.n_slots += 1
    assert tree.child_of(t, nodes, tree.key_of(np.int64(0), 1, 3)) == NONE
    assert tree.child_of(t, nodes, tree.key_of(np.int64(0), 1, 2)) == 1


def test_minds_are_small_and_what_a_search_works_in_takes_what_it_says() -> None:
    """Each thread has one such place, however many games it has a mind of."""
    assert taken_by(Scratch()) <= 40_000_000
    assert sum(taken_by(DuelMind(Duel(health=health))) for health in range(1, 65)) < 2_000_000


def taken_by(thing: Any) -> int:
    return sum(value.nbytes for value in vars(thing).values() if hasattr(value, "nbytes"))


def test_a_set_with_more_kinds_than_a_node_remembers_is_played() -> None:
    cards = {f"card{number}": f"Attack {number % 9}." for number in range(120)}
    game = Duel(card_set=made_set(cards))
    thinker = mind_of(game)
    for s, seat in positions(game, game.settle(("random", "random")), "many kinds", 20):
        question = ask(game, s, seat)
        assert thinker.search(question, words("a"), Budget(simulations=300)).action in question.legal


def test_the_smallest_set_is_played() -> None:
    made = made_set({"lamp": "Auto. Heal 1."})
    hands, decks = f"{','.join(fillers(3))}/sand9", f"{','.join(fillers(15)[3:])}/{','.join(fillers(14))}"
    line = f"duel made hands={hands} deck={decks}"
    game, _, s = Duel.at_position(line, made)
    assert isinstance(game, Duel)
    assert mind_of(game).search(ask(game, s, 0), words("a"), FEW).action in game.legal(s, 0)


UNCOMPILED = """
import warnings
warnings.simplefilter("error")
warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # dice and hashes wrap around
import numpy as np
from coyote.bots.minds import mind_of
from coyote.games.duel.game import Duel
from coyote.questions import Budget, Question
game = Duel()
s = game.deal(game.settle(), np.array([1, 2], np.uint64))
question = Question(game.view(s, 1), 1, game.legal(s, 1))
thinker = mind_of(game)
for answer in (thinker.thumb(question, np.array([3, 4], np.uint64)),
               thinker.search(question, np.array([3, 4], np.uint64), Budget(simulations=25))):
    print(answer.action in question.legal, len(answer.thoughts) == len(question.legal))
"""


@pytest.mark.parametrize(
    "switch", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.soak)]
)
def test_it_thinks_in_every_mode(switch: str) -> None:
    env = {**os.environ, switch: "1"}
    done = subprocess.run([sys.executable, "-c", UNCOMPILED], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True"] * 4
