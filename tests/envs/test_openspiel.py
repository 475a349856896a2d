"""The games as OpenSpiel has them: its own suites, chance as the rules have it, and what seats may know."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags

import coyote.envs  # noqa: F401  registers the games
from coyote.envs.duel.openspiel import next_in_order
from coyote.envs.openspiel import resampler
from coyote.envs.openspiel_chance import Open, table_from
from coyote.envs.openspiel_presets import PRESETS
from coyote.games.game import Chance
from coyote.kernel.events import silent_log

PAGE = Path(__file__).parents[2] / "docs" / "openspiel.md"
FULL = (
    "coyote_madness",
    "coyote_madness(edition=classic)",
    "coyote_madness(goal=3,hand=2,fields=4,extra=1,coyotes_chance=no,chance_card=over,jokers=1)",
    "coyote_madness(chance=explicit)",
    "coyote_madness(chance=explicit,edition=classic,jokers=0)",
    "coyote_duel",
    "coyote_duel(deck_0=random,deck_1=random,health=40,hand=5)",
    "coyote_duel(chance=explicit,deck_0=magpies,deck_1=drought,health=50)",
    "coyote_duel(chance=explicit,dynamics=sequential,deck_0=boneyard,deck_1=sweet-tooth)",
)
SMALL = tuple(f"coyote_{game}(preset={preset})" for game, presets in PRESETS.items() for preset in presets)
TINY = ("coyote_madness(preset=tiny)", "coyote_duel(preset=tiny,dynamics=sequential)")


def play_on(state: Any, dice: random.Random) -> None:
    """One random step."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(dice.choices(outcomes, weights)[0])
    elif state.is_simultaneous_node():
        state.apply_actions([dice.choice(state.legal_actions(seat)) for seat in range(2)])
    else:
        state.apply_action(dice.choice(state.legal_actions()))


def states(game: Any, seed: int) -> Iterator[Any]:
    """Every state of a random game, the last one too."""
    state, dice = game.new_initial_state(), random.Random(seed)
    while True:
        yield state
        if state.is_terminal():
            return
        play_on(state, dice)


# ---------------------------------------------------------------- their own suites


@pytest.mark.parametrize("name", FULL + SMALL)
def test_random_simulations_pass(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        turns = pyspiel.convert_to_turn_based(game)
        pyspiel.random_sim_test(turns, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "name", ["coyote_madness", "coyote_madness(edition=classic)", "coyote_duel(preset=tiny)", *TINY]
)
def test_a_playthrough_is_played_again(name: str, tmp_path: Path) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test"])
    text = generate_playthrough.playthrough(name, None, seed=7)
    file = tmp_path / "playthrough.txt"
    file.write_text(text, encoding="utf-8")
    kept, again = generate_playthrough.replay(str(file))
    assert kept == again == text
    assert "IsTerminal() = True" in text


def test_their_environment_for_learning_runs() -> None:
    from open_spiel.python import rl_environment

    for name in ("coyote_madness", "coyote_duel"):
        env = rl_environment.Environment(name)
        step = env.reset()
        while not step.last():
            seats = range(2) if env.is_turn_based is False else [step.observations["current_player"]]
            step = env.step([step.observations["legal_actions"][seat][0] for seat in seats])
        assert sum(step.rewards) == 0


# ---------------------------------------------------------------- chance


def normal(s: Any) -> bytes:
    """A table whose decks are in order: what is hidden from everybody is not compared."""
    s.key[:], s.counter = 0, 0
    decks = s.deck if s.deck.ndim > 1 else s.deck[None]
    for deck, n in zip(decks, np.atleast_1d(s.in_deck if s.deck.ndim > 1 else s.left), strict=True):
        deck[:n] = np.sort(deck[:n])
    return bytes(s.tobytes())


def by_asking(shared: Any, table: bytes, choices: Any) -> dict[bytes, float]:
    """How likely each table is after a choice, from all answers that chance may give."""
    found: Counter[bytes] = Counter()
    waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while waiting:
        decided, likely = waiting.pop()
        after = shared.dealer.act(table, choices, decided)
        if isinstance(after, Open):
            assert sum(share for _, share in after.outcomes) == pytest.approx(1)
            waiting += [((*decided, outcome), likely * share) for outcome, share in after.outcomes]
        else:
            found[normal(after.table)] += likely  # type: ignore[assignment]
    return dict(found)


def by_the_rules(shared: Any, table: bytes, choices: Any, n: int) -> Counter[bytes]:
    """How often each comes about where the rules roll their own dice."""
    found: Counter[bytes] = Counter()
    dice, game = np.random.default_rng(5), shared.game
    for _ in range(n):
        s = table_from(game, table)
        s.key[:] = dice.integers(2**64, size=2, dtype=np.uint64)
        for deck, left in [(s.deck, s.left)] if s.deck.ndim == 1 else zip(s.deck, s.in_deck, strict=True):
            deck[:left] = dice.permutation(deck[:left])
        for seat, move in choices:
            game.act(s, seat, move, silent_log(game.EVENTS), Chance())
        found[normal(s)] += 1
    return found


def assert_alike(asked: dict[bytes, float], rolled: Counter[bytes]) -> None:
    """By the sum of squares: what is asked comes about as often as it should, and nothing else does."""
    n = rolled.total()
    assert sum(asked.values()) == pytest.approx(1)
    assert set(rolled) <= set(asked)
    chi = sum((rolled[table] - n * share) ** 2 / (n * share) for table, share in asked.items())
    freedom = len(asked) - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5


ROLLED = {
    # draws; picks from hand, deck, discard and play; a new deck in the middle of a turn
    "coyote_madness(chance=explicit,hand=2,cards=2C 2D 3C 3D 4C 4D 5C 5D X1)": 300,
    "coyote_duel(chance=explicit,cards=spark spark night-raid night-raid dig dig magpie,hand=3)": 2000,
    "coyote_duel(chance=explicit,cards=quicksand sandstorm fever shed-skin scouts thirst,hand=4)": 2000,
    "coyote_duel(chance=explicit,cards=long-road campfire-tales brushfire sandstorm fireflies,hand=3)": 2000,
}


@pytest.mark.parametrize("name", ROLLED)
def test_chance_that_is_asked_is_the_chance_of_the_rules(name: str) -> None:
    game = pyspiel.load_game(name)
    seen = 0
    for seed in range(4):
        for state in states(game, seed):
            if state.is_chance_node() and state.choices and not state.decided and seen < 12:
                asked = by_asking(state.shared, state.table, state.choices)
                if 1 < len(asked) <= 200:
                    assert_alike(asked, by_the_rules(state.shared, state.table, state.choices, ROLLED[name]))
                    seen += 1
    assert seen >= 5


def test_each_hand_is_dealt_as_often_as_chance_has_it() -> None:
    deck = Counter({1: 2, 4: 1, 6: 3})
    hands: Counter[tuple[int, ...]] = Counter()

    def deal(begun: tuple[int, ...], likely: float) -> None:
        if len(begun) == 3:
            hands[begun] += likely  # type: ignore[assignment]
            return
        for kind, share in next_in_order(deck, begun, 3):
            deal((*begun, kind), likely * share)

    deal((), 1.0)
    assert hands[1, 1, 4] == pytest.approx(1 / 20)
    assert hands[1, 4, 6] == pytest.approx(6 / 20)
    assert hands[6, 6, 6] == pytest.approx(1 / 20)
    assert all(hand == tuple(sorted(hand)) for hand in hands)
    assert sum(hands.values()) == pytest.approx(1)


def test_madness_deals_every_hand_alike() -> None:
    game = pyspiel.load_game("coyote_madness(chance=explicit,hand=2,cards=2C 3C 4C 5C 6C 7C)")
    deals: Counter[tuple[Any, ...]] = Counter()

    def deal(state: Any, likely: float) -> None:
        if state.table:
            s = state.shared.table(state)
            deals[int(s.hands[0]), int(s.hands[1]), int(s.boss)] += likely  # type: ignore[assignment]
            return
        for card, share in state.chance_outcomes():
            deal(state.child(card), likely * share)

    deal(game.new_initial_state(), 1.0)
    assert len(deals) == 15 * 6 * 2
    assert all(share == pytest.approx(1 / 180) for share in deals.values())


# ---------------------------------------------------------------- what seats may know


@pytest.mark.parametrize("name", ["coyote_madness", "coyote_duel(dynamics=sequential)"])
def test_an_observation_is_the_same_whatever_is_hidden(name: str) -> None:
    game, resample = pyspiel.load_game(name), resampler("guesses")
    for state in states(game, 3):
        if state.current_player() >= 0:
            seat = state.current_player()
            other = resample(state, seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            assert other.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("name", ["coyote_madness", "coyote_duel"])
def test_nothing_is_forgotten(name: str) -> None:
    before = ["0:", "1:"]
    for state in states(pyspiel.load_game(name), 11):
        for seat in range(2):
            now = state.information_state_string(seat)
            assert now.startswith(before[seat])
            before[seat] = now


@pytest.mark.parametrize("name", TINY)
def test_an_information_state_is_one_situation_for_its_owner(name: str) -> None:
    """Its string and its tensor tell the same situations apart, and in each the same actions are legal.

    And the page has the right numbers of them.
    """
    preset = name.replace(",dynamics=sequential", "")
    found: dict[str, tuple[bytes, list[int]]] = {}
    waiting, histories = [pyspiel.load_game(name).new_initial_state()], 0
    while waiting:
        state, histories = waiting.pop(), histories + 1
        if state.current_player() >= 0:
            tensor = np.array(state.information_state_tensor(), np.float32).tobytes()
            known = found.setdefault(state.information_state_string(), (tensor, state.legal_actions()))
            assert known == (tensor, state.legal_actions())
        waiting += [state.child(action) for action in state.legal_actions()]
    assert len({tensor for tensor, _ in found.values()}) == len(found)
    row = next(
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{preset}`")
    )
    assert row.endswith(f"| {histories:,} | {len(found):,} |")


def test_a_story_tells_of_a_hidden_card_only_its_owner() -> None:
    state = pyspiel.load_game("coyote_madness").dealt(0)
    for seat in range(2):
        hand = state.shared.game.hands(state.shared.table(state))[seat]
        mine, theirs = state.information_state_string(seat), state.information_state_string(1 - seat)
        assert all(f"{seat} draw {card}" in mine for card in hand)
        assert not any(card in theirs for card in hand)
        assert theirs.count(f"{seat} draw ?") == len(hand)


# ---------------------------------------------------------------- solved


@pytest.mark.parametrize("name", TINY)
def test_a_small_game_is_solved_exactly(name: str) -> None:
    game = pyspiel.convert_to_cached_tree(pyspiel.load_game(name))
    solver = pyspiel.CFRPlusSolver(game)
    at_random = pyspiel.exploitability(game, pyspiel.UniformPolicy())
    for _ in range(100):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < 0.005 < at_random / 20


# ---------------------------------------------------------------- search


@pytest.mark.parametrize("name", ["coyote_madness(goal=2)", "coyote_duel(dynamics=sequential,health=30)"])
def test_their_search_plays_with_imagined_tables(name: str) -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game(name)
    dice = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, dice), 2.0, 8, random_state=dice, use_observation_string=True
    )
    bot.set_resampler(resampler("ours"))
    state = game.dealt(5)
    for _ in range(12):
        if not state.is_terminal():
            state.apply_action(bot.step(state))
    assert len(state.history()) > 10


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("coyote_madness(goal=99)", "goal cannot be 99: it is a number from 1 to 20 (M10)"),
        ("coyote_madness(close=often)", "close cannot be often; choose from: empty, open, never (M14)"),
        ("coyote_madness(goal=2,komi=2)", "M25"),
        ("coyote_madness(chance=maybe)", "chance cannot be maybe; choose from: sampled, explicit"),
        ("coyote_madness(preset=huge)", "preset cannot be huge; choose from: tiny"),
        ("coyote_madness(cards=2C 3C 4C)", "with `cards` chance must be explicit"),
        ("coyote_madness(chance=explicit,cards=2C 3C)", "2 cards are too few to deal: it takes 11 (M11)"),
        ("coyote_madness(chance=explicit,cards=1C)", "there is no card 1C (M1)"),
        ("coyote_duel(deck_0=nobody)", "nobody"),
        ("coyote_duel(chance=explicit,deck_0=random)", "name both decks"),
        ("coyote_duel(dynamics=slow)", "dynamics cannot be slow; choose from: simultaneous, sequential"),
        ("coyote_duel(chance=explicit,cards=ember)", "1 cards are too few to deal: it takes 3 (D2)"),
        ("coyote_duel(card_set=nowhere.toml)", "nowhere.toml"),
        ("coyote_duel(chance=explicit,cards=bite)", "there is no card bite (D20)"),
    ],
)
def test_a_wrong_parameter_is_refused_with_the_rule(name: str, why: str) -> None:
    with pytest.raises(pyspiel.SpielError) as refused:
        pyspiel.load_game(name)
    assert why in str(refused.value)


def test_an_illegal_action_is_refused_with_the_rule_and_changes_nothing() -> None:
    state = pyspiel.load_game("coyote_madness").dealt(1)
    before = (str(state), state.history())
    for action, why in ((487, "M14"), (9999, "an action is a whole number from 0 to 598, not 9999")):
        with pytest.raises(pyspiel.SpielError, match=why):
            state.apply_action(action)
    duel = pyspiel.load_game("coyote_duel").dealt(1)
    with pytest.raises(pyspiel.SpielError, match="D6"):
        duel.apply_actions([0, 10])
    assert (str(state), state.history()) == before
