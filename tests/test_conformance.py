"""One suite for every game: laws, records, positions, secrecy, three modes, a second reading of the rules.

To put a game through it, add what is special about it to `kit.subjects`.
"""

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coyote.bots.bot import Bot
from coyote.bots.names import make_bot
from coyote.games.game import Chance, OptionError, Setup
from coyote.games.registry import GAMES
from coyote.match import LOGS, Match
from coyote.questions import Question
from coyote.text import LANGUAGES, Words, game_title
from kit.conformance import COSTLY, LAWS, Law
from kit.reachable import as_list, begins_with, reachable
from kit.subject import Play, Subject, plays
from kit.subjects import SUBJECTS

TESTS = Path(__file__).parent
MANY = settings(deadline=None, derandomize=True, max_examples=20, suppress_health_check=list(HealthCheck))
FEW = settings(MANY, max_examples=6)

pytestmark = pytest.mark.usefixtures("third_game")
each_game = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)


def test_every_game_is_a_subject() -> None:
    assert {name: subject.kind for name, subject in SUBJECTS.items()} == GAMES


# ---------------------------------------------------------------- laws


@each_game
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@MANY
@given(data=st.data())
def test_law(subject: Subject, law: Law, data: st.DataObject) -> None:
    law(data.draw(plays(subject)))


@each_game
@pytest.mark.parametrize("law", COSTLY, ids=lambda law: law.__name__)
@FEW
@given(data=st.data())
def test_costly_law(subject: Subject, law: Law, data: st.DataObject) -> None:
    law(data.draw(plays(subject)))


# ---------------------------------------------------------------- three modes

FEW_PLAYS, MANY_PLAYS = 5, 30
MODES: dict[str, tuple[dict[str, str], list[int]]] = {
    "compiled": ({}, [FEW_PLAYS, MANY_PLAYS]),
    "bounds checked": ({"NUMBA_BOUNDSCHECK": "1"}, [FEW_PLAYS, MANY_PLAYS]),
    "uncompiled": ({"NUMBA_DISABLE_JIT": "1"}, [FEW_PLAYS]),
}


@cache
def digests(game: str, mode: str) -> dict[str, str]:
    """The digest of so many games, by their number."""
    switches, numbers = MODES[mode]
    plain = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    command = [sys.executable, "-W", "error", "-m", "kit.modes", game, *map(str, numbers)]
    done = subprocess.run(command, env={**plain, **switches}, capture_output=True, text=True, cwd=TESTS)
    assert (done.returncode, done.stderr) == (0, "")
    found = {}
    for line in done.stdout.splitlines():
        asked, played, digest = line.split()
        assert int(played) >= min(int(asked), 5), "Hypothesis found nothing to draw"
        found[asked] = digest
    return found


@each_game
@pytest.mark.parametrize("mode", [pytest.param("bounds checked", marks=pytest.mark.soak), "uncompiled"])
def test_every_mode_gives_the_digest_of_the_compiled_one(subject: Subject, mode: str) -> None:
    compiled = digests(subject.name, "compiled")
    assert len(set(compiled.values())) == 2
    for number, digest in digests(subject.name, mode).items():
        assert digest == compiled[number], f"{mode}: other states, events or results in {number} games"


# ---------------------------------------------------------------- secrecy


@each_game
@pytest.mark.parametrize("name", ["random", "greedy", "search:2", "level:1", "level:2"])
def test_there_is_nothing_to_see_for_a_bot(subject: Subject, name: str) -> None:
    """From the game, the question and the bot itself nobody gets at a deck, a hand, the table or chance."""
    for number in range(3):
        play = Play(subject, *subject.table(Random(number)), number)
        match = play.match()
        for step in play.steps[: 3 * number]:
            match.play(play.game.move_text(step.action), step.seat)
        for seat in match.actors:
            bot = make_bot(name, match.game, "seed")
            question = match.question(seat)
            bot.answer(question)
            assert_no_secret(play, match, seat, bot, question)


def assert_no_secret(play: Play, match: Match, seat: int, bot: Bot, question: Question) -> None:
    state = match._state
    secrets = [one for one in play.subject.secrets(play.game, state, seat) if one]
    lists = [one for one in secrets if isinstance(one, list) and is_telling(one)]
    numbers = [one for one in secrets if isinstance(one, int)]
    known = [as_list(part) for part in reachable(play.game.view(state, seat), play.game)]
    for found in reachable(match.game, question, bot):
        assert not isinstance(found, Match | Setup | Chance), found
        assert found is not state and found is not LOGS
        if (listed := as_list(found)) is not None and listed not in known:
            assert not any(begins_with(listed, secret) for secret in lists), listed
        if isinstance(found, int) and not isinstance(found, bool):
            assert found not in numbers, found


def is_telling(secret: list[Any]) -> bool:
    """One or two small numbers may be anything."""
    return len(secret) > 2 or any(isinstance(one, int) and one > 10**6 for one in secret)


# ---------------------------------------------------------------- options


@each_game
def test_options_that_cannot_be_are_refused_with_every_reason_at_once(subject: Subject) -> None:
    kind = subject.kind
    given: dict[str, Any] = {option.name: "?" for option in kind.OPTIONS} | {"limit": 7}
    with pytest.raises(OptionError) as caught:
        kind(**given)
    refusals = caught.value.refusals
    assert [refusal.values["name"] for refusal in refusals] == list(given)
    for lang in LANGUAGES:
        assert all(Words(lang).refusal(refusal) for refusal in refusals)


@each_game
@MANY
@given(data=st.data())
def test_a_variant_is_what_differs_and_is_named_so(subject: Subject, data: st.DataObject) -> None:
    """M25, D26  An edition's own value is no difference; whatever differs is in the title."""
    play = data.draw(plays(subject))
    game, kind = play.game, subject.kind
    usual = kind.EDITIONS[game.edition]
    assert game.differences == {name: v for name, v in game.values.items() if v != usual[name]}
    for lang in LANGUAGES:
        title = game_title(game, lang)
        assert title.count(" · ") == bool(game.edition) + len(game.differences)
    given: dict[str, Any] = {**({"edition": game.edition} if game.edition else {}), **game.values}
    again = kind(rules=game.rules_version, **given)
    assert again.options == game.options and again.row.tobytes() == game.row.tobytes()
    as_text: dict[str, Any] = {name: str(value) for name, value in game.options.items()}
    assert kind(rules=game.rules_version, **as_text).options == game.options


# ---------------------------------------------------------------- a second reading of the rules

SLOW = [subject for subject in SUBJECTS.values() if subject.slow_games]
CHUNKS = 4


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("subject", SLOW, ids=lambda subject: subject.name)
def test_both_readings_agree_in_every_decision(subject: Subject, chunk: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(chunk, subject.slow_games, CHUNKS):
        seen += subject.slow_series(number)
    few = {what: seen[what] for what, least in subject.slow_least.items() if seen[what] < least}
    assert not few, few
