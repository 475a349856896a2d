"""Observations: what their places mean, that they tell what a seat may know, and nothing else."""

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coyote.envs import features_of
from coyote.envs.features import Features
from coyote.envs.registry import FEATURES, features_for
from coyote.games.duel.sets import CardSet, core_set, parse_set
from coyote.games.game import OptionError, Record
from coyote.games.registry import GAMES
from coyote.match import Match
from coyote.text.rulebook import rulebook, rules_of
from kit.slow_features import slow_features
from kit.subject import Play, Subject, copy_state, plays
from kit.subjects import SUBJECTS

ROOT = Path(__file__).parent.parent.parent
MANY = settings(deadline=None, derandomize=True, max_examples=25, suppress_health_check=list(HealthCheck))
each_game = pytest.mark.parametrize("subject", [SUBJECTS[name] for name in FEATURES], ids=FEATURES)


# ---------------------------------------------------------------- what the places are


@pytest.mark.parametrize("game", FEATURES)
def test_every_place_has_one_name_a_meaning_and_a_rule(game: str) -> None:
    features = features_of(game)
    at, rules = 0, rules_of(rulebook(game, "en"))
    for row in features.table:
        assert row.start == at < row.stop and 1 <= row.most <= 255
        assert row.meaning and row.rule in rules
        at = row.stop
    assert at == features.size == len(features.most)
    assert len({row.name for row in features.table}) == len(features.table)
    assert features.privileged_table[-1].stop == features.privileged_size > 2 * features.size


def test_only_the_games_that_there_are_have_environments() -> None:
    assert sorted(FEATURES) == sorted(GAMES)
    with pytest.raises(OptionError, match="there is no game chess"):
        features_of("chess")
    with pytest.raises(OptionError, match="goal cannot be 99"):
        features_of("madness", {"goal": 99})


@pytest.mark.usefixtures("third_game")
def test_a_game_without_features_is_refused_by_name() -> None:
    with pytest.raises(OptionError, match="no environments of goofspiel; there are of: madness, duel"):
        features_of("goofspiel")


def test_the_page_has_the_tables_that_there_are() -> None:
    """After a change of features: python tools/make_environments.py"""
    command = [sys.executable, str(ROOT / "tools" / "make_environments.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    for game in FEATURES:
        features = features_of(game)
        for number in (features.size, features.privileged_size):
            assert f"| {number:,} places" in page, (game, number)


# ---------------------------------------------------------------- what they say


def assert_read_alike(features: Features, s: Record, seat: int) -> None:
    view = features.game.view(s, seat)
    observed, slow = (
        features.observe(s, seat),
        slow_features(features.game, features.game.view_json(view, seat), seat),
    )
    assert set(slow) == {row.name for row in features.table}
    for row in features.table:
        assert observed[row.start : row.stop].tolist() == slow[row.name], row
    assert (observed <= features.most).all()


@each_game
@MANY
@given(data=st.data())
def test_a_slow_reading_of_what_programs_are_told_says_the_same(
    subject: Subject, data: st.DataObject
) -> None:
    play = data.draw(plays(subject))
    features = features_for(play.game)
    for number, s in enumerate(play.states):
        if number % 5 == play.number % 5 or s is play.end:
            assert_read_alike(features, s, number % 2)


@each_game
@MANY
@given(data=st.data())
def test_the_mask_has_the_legal_moves_and_no_other(subject: Subject, data: st.DataObject) -> None:
    play = data.draw(plays(subject))
    features = features_for(play.game)
    for step in play.steps:
        for seat in range(2):
            mask = features.mask(step.before, seat)
            assert mask.dtype == np.int8 and mask.shape == (features.actions,)
            actions = np.flatnonzero(mask).tolist()
            view = play.game.view(step.before, seat)
            moves = [features.move(view, seat, action) for action in actions]
            assert sorted(moves) == sorted(play.game.legal(step.before, seat))
            assert [features.action(view, seat, move) for move in moves] == actions
    assert not features.mask(play.end, 0).any()


# ---------------------------------------------------------------- what they keep back


@each_game
@MANY
@given(data=st.data())
def test_what_is_hidden_changes_no_observation(subject: Subject, data: st.DataObject) -> None:
    """Tables that differ only in what a seat may not know look the same to it; critics see the difference."""
    play = data.draw(plays(subject))
    game, features = play.game, features_for(play.game)
    differed = False
    for number, step in enumerate(play.steps):
        for seat in range(2):
            view = game.view(step.before, seat)
            other = game.imagine(view, seat, play.other_words("features", number))
            observed = features.observe(step.before, seat)
            assert np.array_equal(observed, features.observe(other, seat))
            assert np.array_equal(observed, features.observe(view, seat))
            assert np.array_equal(features.mask(step.before, seat), features.mask(other, seat))
            differed |= not np.array_equal(features.privilege(step.before), features.privilege(other))
    assert differed or len(play.steps) < 6, "nothing was hidden"


@each_game
def test_every_hidden_byte_may_change(subject: Subject) -> None:
    """The writers read views; whatever else is in the state, they do not come to see it."""
    for number in range(12):
        play = Play(subject, *subject.table(Random(number)), number)
        features = features_for(play.game)
        for step in play.steps[::3]:
            for seat in range(2):
                noisy = copy_state(step.before)
                noisy.deck[...] = 1
                noisy.key[...], noisy.counter = 12345, 678
                hands = "hands" if "hands" in noisy.dtype.names else "hand"
                noisy[hands][1 - seat] = 1
                assert np.array_equal(features.observe(noisy, seat), features.observe(step.before, seat))


def test_a_match_a_state_and_a_view_are_observed_alike() -> None:
    for game in FEATURES:
        match, features = Match(game, seed="friday"), features_of(game)
        for seat in range(2):
            out = np.full(features.size, 7, np.uint8)
            assert features.observe(match, seat, out) is out
            assert np.array_equal(out, features.observe(match.view(seat), seat))
            assert np.array_equal(features.mask(match, seat), features.mask(match.view(seat), seat))


# ---------------------------------------------------------------- a card is what it does


def renamed(cards: CardSet) -> CardSet:
    """The same cards in another order, under other ids and names."""
    twins = [
        replace(card, id=f"x{card.id}", name_en=card.id, name_ru=card.id) for card in reversed(cards.cards)
    ]
    return CardSet("twins", tuple(twins))


def test_a_card_is_its_effects_and_not_its_number() -> None:
    one, two = features_of("duel"), features_of("duel", card_set=renamed(core_set()))
    last = len(core_set().cards) - 1
    play = Play(SUBJECTS["duel"], one.game, one.game.settle(("wildfire", "moonrise")), 5)
    for s in play.states:
        twin = copy_state(s)
        for name in ("deck", "hand", "discard", "play", "aside", "listed", "shown", "super"):
            twin[name] = np.where(s[name] >= 0, last - s[name], s[name])
        for seat in range(2):
            twin["listed"][seat, : s.n_listed[seat]] = np.sort(twin["listed"][seat, : s.n_listed[seat]])
            if s["choice"][seat] > 0:
                twin["choice"][seat] = 2 + last - s["choice"][seat]
            assert np.array_equal(one.observe(s, seat), two.observe(twin, seat))


def test_a_set_with_larger_cards_has_more_places() -> None:
    text = "Attack 1. Heal 2. Block 3. Draw a card. Next turn: attack 4. In 3 turns: block all."
    cards = parse_set(
        f'[[card]]\nid = "six"\nname = {{ en = "Six", ru = "Шесть" }}\nrarity = "common"\ntext = "{text}"\n'
    )
    features = features_of("duel", card_set=cards)
    assert "hand.9.effect.5.turns" in {row.name for row in features.table}
    assert features.size > features_of("duel").size == 2773
    assert features.actions == 11


# ---------------------------------------------------------------- versions and modes

# Of each version the digest of what is observed in the same games: another digest needs another version.
DIGESTS = {"madness": (1, "9b6ea1ee3692fdbc"), "duel": (1, "bab57dcbf9ac9b62")}

SCRIPT = """
import sys
from envs.test_features import digest
print(digest(sys.argv[1], int(sys.argv[2])))
"""


def digest(game: str, games: int) -> str:
    found, features = hashlib.sha256(), features_of(game)
    for number in range(games):
        match, dice = Match(game, seed=f"digest {number}"), Random(number)
        while actors := match.actors:
            for seat in actors:
                found.update(features.observe(match, seat).tobytes() + features.mask(match, seat).tobytes())
                match.play_action(dice.choice(match.legal_actions(seat)), seat)
        found.update(features.privilege(match._state).tobytes())
    return found.hexdigest()[:16]


@pytest.mark.parametrize("game", FEATURES)
def test_what_is_observed_changes_only_with_the_version(game: str) -> None:
    assert (features_of(game).version, digest(game, 20)) == DIGESTS[game]


@pytest.mark.parametrize(
    "switch", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.soak)]
)
@pytest.mark.parametrize("game", FEATURES)
def test_all_modes_observe_the_same(game: str, switch: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, game, "2"],
        env={**os.environ, switch: "1"}, capture_output=True, text=True, cwd=ROOT / "tests",
    )  # fmt: skip
    assert done.stdout.strip() == digest(game, 2), done.stderr[-2000:]
