"""House rules (M25, D26): bots play any variant soundly. And what they are given: there is nothing to see."""

import gc
import types
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote import Match
from coyote.bots.bot import Bot
from coyote.bots.hints import advise, hint_lines
from coyote.bots.minds import mind_of
from coyote.bots.names import make_bot
from coyote.games.duel.decks import Deck
from coyote.games.game import Chance, Game, OptionError, Setup
from coyote.games.registry import GAMES
from coyote.kernel.luck import REAL_CHANCE
from coyote.questions import Budget, Question
from coyote.records import follow
from coyote.text import LANGUAGES, Words, game_title

VARIANTS = 25
PLAYERS = ["greedy", "search:30", "level:1", "level:2", "level:4", "level:6"]
games = pytest.mark.parametrize("name", GAMES)


def drawn(name: str, number: int) -> tuple[Game, Setup]:
    """A variant, and what is brought to it: any values of some options that may stand together."""
    rng, kind = Random(f"{name} {number}"), GAMES[name]
    while True:
        given: Any = {
            option.name: rng.choice(option.allowed) for option in kind.OPTIONS if rng.random() < 0.5
        }
        if edition := rng.choice(list(kind.EDITIONS)):
            given["edition"] = edition
        try:
            game = kind(**given)
            return game, game.settle()
        except OptionError:
            continue


def test_the_variants_drawn_here_have_every_option_and_most_of_its_values() -> None:
    for name, kind in GAMES.items():
        found = [drawn(name, number)[0].differences for number in range(VARIANTS)]
        for option in kind.OPTIONS:
            values = {differences[option.name] for differences in found if option.name in differences}
            usual = {edition[option.name] for edition in kind.EDITIONS.values()}
            assert values and len(values | usual) >= min(3, len(option.allowed)), option.name


@games
@pytest.mark.parametrize("number", range(VARIANTS))
def test_bots_play_any_variant_to_its_end(name: str, number: int) -> None:
    """Every one of them in turn, in either seat; all they do is legal, and its record can be followed."""
    game, setup = drawn(name, number)
    for turn in range(2):
        names = [PLAYERS[(2 * number + turn) % 6], PLAYERS[(2 * number + 3 * turn + 1) % 6]]
        match = Match(game, setup, seed=f"variant {number}", players=names)
        bots = [make_bot(player, game, f"{number} {seat}") for seat, player in enumerate(names)]
        play(match, bots)
        assert follow(match.record()).result == match.result, game_title(game, "en")


def play(match: Match, bots: list[Bot]) -> None:
    heard = [0, 0]
    while actors := match.actors:
        for seat in actors:
            question = match.question(seat, heard[seat])
            heard[seat] += len(question.events)
            answer = bots[seat].answer(question)
            assert answer.action in question.legal
            assert all(t.chance is None or 0.0 <= t.chance <= 1.0 for t in answer.thoughts)
            match.play_action(answer.action, seat)
        assert len(match.moves) < 20_000


@games
@pytest.mark.parametrize("number", range(0, VARIANTS, 5))
def test_what_a_seat_cannot_see_changes_no_answer_in_any_variant(name: str, number: int) -> None:
    game, setup = drawn(name, number)
    mind, few, dice = mind_of(game), Budget(simulations=10), np.array([1, 2], np.uint64)
    for match, seat in moments(game, setup, 40):
        asked = match.question(seat)
        other = game.imagine(asked.view, seat, np.array([len(match.moves), 7], np.uint64))
        again = Question(game.view(other, seat), seat, game.legal(other, seat))
        assert mind.search(asked, dice.copy(), few) == mind.search(again, dice.copy(), few)


@games
def test_a_variant_is_thought_of_as_that_variant(name: str) -> None:
    """Each has a mind of its own, also where only one number differs."""
    kind = GAMES[name]
    others: Any = [{option.name: option.allowed[-1]} for option in kind.OPTIONS if fits(kind, option)]
    minds = [mind_of(kind(**other)) for other in others]
    assert len({id(mind) for mind in minds}) >= len(kind.OPTIONS) - 4
    assert mind_of(kind()) is mind_of(kind())


def fits(kind: type[Game], option: Any) -> bool:
    try:
        return bool(kind(**{option.name: option.allowed[-1]}).differences)
    except OptionError:
        return False


@games
def test_a_hint_and_a_title_are_said_in_every_variant(name: str) -> None:
    for number in range(VARIANTS):
        game, setup = drawn(name, number)
        for lang in LANGUAGES:
            said = game_title(game, lang)
            assert said.count(" · ") == len(game.options) and "{" not in said
        for match, seat in moments(game, setup, 12):
            asked = match.question(seat)
            answer = advise(game, "hint", asked, Budget(simulations=15))
            for lang in LANGUAGES:
                for line in hint_lines(game, asked, answer, Words(lang)):
                    assert "{" not in line and "None" not in line


def moments(game: Game, setup: Setup, n: int) -> Iterator[tuple[Match, int]]:
    """The first decisions of a random game, before each is made."""
    rng, match = Random("moments"), Match(game, setup, seed="moments")
    for _ in range(n):
        for seat in match.actors:
            yield match, seat
            match.play_action(rng.choice(match.legal_actions(seat)), seat)


# ---------------------------------------------------------------- nothing to see


def reachable(*things: Any) -> Iterator[Any]:
    """All that can be got at from these, but for classes, modules and functions: they know no table."""
    seen: set[int] = set()
    waiting = list(things)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type | types.ModuleType | types.FunctionType):
            continue
        seen.add(id(thing))
        yield thing
        waiting += gc.get_referents(thing)
        if isinstance(thing, np.ndarray | np.generic) and thing.base is not None:
            waiting.append(thing.base)


@games
def test_from_a_game_and_a_question_no_deck_state_or_chance_can_be_reached(name: str) -> None:
    decks = ("magpies", "drought") if GAMES[name].NEEDS_DECKS else ()
    match = Match(name, seed="nothing to see", decks=decks)
    whole = list(reachable(match))
    assert all(any(isinstance(thing, kind) for thing in whole) for kind in (Setup, Chance)), (
        "this would find it"
    )
    for _ in range(6):
        for seat in match.actors:
            question = match.question(seat)
            bot = make_bot("search:20", match.game, "eyes")
            bot.answer(question)
            found = list(reachable(match.game, question, bot, mind_of(match.game)))
            assert not [thing for thing in found if isinstance(thing, Setup | Deck | Match | Chance)]
            states = [thing for thing in found if getattr(thing, "dtype", None) == match.game.STATE]
            told = [question.view, *(page.view for page in question.past)]
            assert states and {state.tobytes() for state in states} == {one.tobytes() for one in told}
            assert not [thing for thing in found if is_luck(thing)]
        for seat in match.actors:
            match.play_action(match.legal_actions(seat)[0], seat)


def is_luck(thing: Any) -> bool:
    """Known chance is a list of numbers; the constant that says that there is none is no secret."""
    is_list = isinstance(thing, np.ndarray) and thing.dtype == REAL_CHANCE.dtype and thing.ndim == 1
    return is_list and thing.size > 0 and thing is not REAL_CHANCE


def test_matches_with_other_decks_are_one_game_with_one_mind() -> None:
    real, other = (
        Match("duel", seed="a", decks=decks) for decks in (("magpies", "drought"), ("oasis", "wildfire"))
    )
    assert real.game == other.game and real.setup != other.setup
    assert mind_of(real.game) is mind_of(other.game)
