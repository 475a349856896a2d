"""The games as OpenSpiel has games: `coyote_madness` and `coyote_duel`, once this is imported.

A state keeps its table, its story and what chance has decided of a choice as bytes and tuples, which
OpenSpiel copies and pickles at no cost; all else is shared by the states of a game (`Shared`).
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import pyspiel
from numpy.random import PCG64, Generator

from coyote.envs.openspiel_chance import DEALS, Choices, Dealer, Open, Part, Sampled, table_from
from coyote.envs.openspiel_parts import SPIEL_PARTS
from coyote.envs.openspiel_presets import PRESETS
from coyote.envs.openspiel_story import Story
from coyote.envs.registry import features_for
from coyote.games.game import Json, OptionError, Record
from coyote.games.options import Option
from coyote.games.registry import GAMES
from coyote.kernel.seats import SPECTATOR
from coyote.seeds import seed_from
from coyote.text.refusals import Refused

SAMPLED, EXPLICIT = "sampled", "explicit"
TOGETHER, APART = "simultaneous", "sequential"
AS_EVER = {range: -1, tuple: ""}  # an option that is not given, by how its values are told
PRIVATE = pyspiel.PrivateInfoType
CHANCE_NODE = -1  # in place of who is to choose
RENAMED = {"chance": "coyotes_chance"}  # OpenSpiel's users know chance as something else


# ---------------------------------------------------------------- parameters


def parameter_of(option: Option) -> str:
    return RENAMED.get(option.name, option.field)


def parameters_of(name: str) -> Json:
    """Every parameter of a game with its value where none is given."""
    game = GAMES[name]
    given: Json = {"preset": "", "chance": "", "seed": 0, **SPIEL_PARTS[name].PARAMETERS}
    if game.SIMULTANEOUS:
        given["dynamics"] = TOGETHER
    if "" not in game.EDITIONS:
        given["edition"] = ""
    return given | {parameter_of(option): AS_EVER[type(option.allowed)] for option in game.OPTIONS}


def settled(name: str, given: Mapping[str, Any]) -> Json:
    """All parameters: those given, those of the preset that is named, and the usual ones."""
    usual = parameters_of(name)
    said = {key: value for key, value in given.items() if key in usual and value != usual[key]}
    presets = PRESETS[name]
    if (preset := said.get("preset", "")) and preset not in presets:
        raise OptionError("option.value", name="preset", value=preset[:40], known=", ".join(presets))
    return usual | presets.get(preset, {}) | said


def options_of(name: str, parameters: Json) -> Json:
    """The options among the parameters, as the game takes them."""
    found = {option.name: parameters[parameter_of(option)] for option in GAMES[name].OPTIONS}
    found["edition"] = parameters.get("edition", "")
    return {key: value for key, value in found.items() if value not in AS_EVER.values()}


def one_of(name: str, value: str, *known: str) -> str:
    if value not in known:
        raise OptionError("option.value", name=name, value=value[:40], known=", ".join(known))
    return value


# ---------------------------------------------------------------- what the states of a game share


class Shared:
    def __init__(self, name: str, parameters: Json) -> None:
        self.part: Part = SPIEL_PARTS[name](options_of(name, parameters), parameters)
        self.game, self.setup = self.part.game, self.part.setup
        self.explicit = one_of("chance", parameters["chance"] or SAMPLED, SAMPLED, EXPLICIT) == EXPLICIT
        self.together = one_of("dynamics", parameters.get("dynamics", APART), TOGETHER, APART) == TOGETHER
        if parameters["cards"] and not self.explicit:
            raise OptionError("envs.spiel.cards_sampled")
        self.dealer: Dealer = (
            self.part.dealer() if self.explicit else Sampled(self.game, self.setup, parameters["seed"])
        )
        self.story = Story(self.game, self.part.STORY)
        self.features = features_for(self.game)
        self._last: tuple[bytes, int, list[int]] = (b"", -1, [])

    def table(self, state: "CoyoteState") -> Record:
        return table_from(self.game, state.table)

    def legal(self, kept: bytes, seat: int) -> list[int]:
        """It is asked before each choice, and checked with it."""
        known, who, legal = self._last
        if known != kept or who != seat:
            table = table_from(self.game, kept)
            moves = self.game.legal(table, seat)
            legal = sorted(self.features.action(table, seat, move) for move in moves)
            self._last = (kept, seat, legal)
        return legal


# ---------------------------------------------------------------- state


class CoyoteState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """One game from before the deal to its end."""

    shared: ClassVar[Shared]

    def __init__(self, game: pyspiel.Game) -> None:
        super().__init__(game)
        self.table = b""  # none before the deal
        self.story = b""
        self.choices: Choices = ()  # made, while chance decides what comes of them
        self.decided: tuple[int, ...] = ()
        self.actors = CHANCE_NODE  # a bit for each seat that is to choose

    # ------------------------------------------------------------ asking

    def current_player(self) -> Any:
        if self.actors == CHANCE_NODE:
            return pyspiel.PlayerId.CHANCE
        if self.actors == 0:
            return pyspiel.PlayerId.TERMINAL
        if self.actors == 3 and self.shared.together:
            return pyspiel.PlayerId.SIMULTANEOUS
        return 0 if self.actors & 1 else 1

    def _legal_actions(self, player: int) -> list[int]:
        return self.shared.legal(self.table, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        found = self._try()
        assert isinstance(found, Open)
        return found.outcomes

    def is_terminal(self) -> bool:
        return self.actors == 0

    def returns(self) -> list[float]:
        result = self.shared.game.result(self.shared.table(self)) if self.actors == 0 else None
        if result is None or result.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if result.winner == 0 else [-1.0, 1.0]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.shared.dealer.outcome_text(action)
        table = self.shared.table(self)
        return self.shared.game.move_text(self.shared.features.move(table, player, action))

    def __str__(self) -> str:
        position = self.shared.game.position(self.shared.table(self)) if self.table else "deal"
        asked = [self.shared.game.move_text(move) for _, move in self.choices]
        asked += [self.shared.dealer.outcome_text(outcome) for outcome in self.decided]
        return " | ".join([position, *asked])

    # ------------------------------------------------------------ moving

    def _apply_action(self, action: int) -> None:
        if self.actors == CHANCE_NODE:
            self.decided += (action,)
        else:
            self._choose((self.current_player(), action))
        self._settle()

    def _apply_actions(self, actions: list[int]) -> None:
        self._choose(*enumerate(actions))
        self._settle()

    def _choose(self, *choices: tuple[int, int]) -> None:
        """Seats and actions; SpielError where one is not legal, and then nothing has changed."""
        table, features = self.shared.table(self), self.shared.features
        for seat, action in choices:
            if action not in self.shared.legal(self.table, seat):
                raise pyspiel.SpielError(self._why_not(table, seat, action))
        self.choices = tuple((seat, features.move(table, seat, action)) for seat, action in choices)

    def _why_not(self, table: Record, seat: int, action: int) -> str:
        most = self.shared.features.actions - 1
        if not 0 <= action <= most:
            return str(Refused("envs.not_action", found=str(action), most=most))
        return str(Refused(self.shared.features.why_not(table, seat, action)))

    def _try(self) -> Any:
        if not self.table:
            return self.shared.dealer.deal(self.decided)
        return self.shared.dealer.act(self.table, self.choices, self.decided)

    def _settle(self) -> None:
        """Let happen what was chosen, as soon as chance has decided all that it takes."""
        found = self._try()
        if isinstance(found, Open):
            self.actors = CHANCE_NODE
            return
        rows = found.rows if self.table else [*self.shared.part.opening(found.table), *found.rows]
        self.story += self.shared.story.kept(rows)
        self.table = found.table.tobytes()
        self.choices, self.decided = (), ()
        self.actors = self.shared.game.actors(found.table)


def resampler(seed: str = "") -> Callable[[CoyoteState, int], CoyoteState]:
    """For `ISMCTSBot.set_resampler`: states that a seat cannot tell from the one it is in.

    What the other seat saw before is not made up with them, so the bot must go by observations, not by
    information states: `ISMCTSBot(…, use_observation_string=True)`.
    """
    words = Generator(PCG64(list(seed_from(seed).encode())))

    def resample(state: CoyoteState, seat: int) -> CoyoteState:
        game = state.shared.game
        twin: CoyoteState = state.clone()
        view = game.view(state.shared.table(state), seat)
        twin.table = game.imagine(view, seat, words.integers(2**64, size=2, dtype=np.uint64)).tobytes()
        return twin

    return resample


# ---------------------------------------------------------------- observers


class CoyoteObserver:
    """What a seat may know: the features of its view, and with perfect recall the story besides."""

    def __init__(self, shared: Shared, recall: bool) -> None:
        self.shared, self.recall = shared, recall
        size, steps = shared.features.size, shared.part.most_steps if recall else 0
        self.tensor = np.zeros(size + 2 * steps, np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if recall:
            self.dict["story"] = self.tensor[size:]

    def set_from(self, state: CoyoteState, player: int) -> None:
        self.tensor.fill(0)
        if not state.table:
            return
        self.dict["observation"][:] = self.shared.features.observe(self._view(state, player), player)
        if self.recall:
            steps = self.shared.story.numbers(state.story, player)
            self.dict["story"][: steps.size] = steps.ravel()

    def string_from(self, state: CoyoteState, player: int) -> str:
        if not state.table:
            return f"{player}:"
        if self.recall:
            return f"{player}: {self.shared.story.text(state.story, player)}"
        game, view = self.shared.game, self._view(state, player)
        return f"{player}: {game.open_text(view)[:-1]},{game.own_text(view, player)[1:]}"

    def _view(self, state: CoyoteState, player: int) -> Record:
        return self.shared.game.view(self.shared.table(state), player)


class HalfObserver:
    """Of an observation only what everybody may know, or only what the seat knows besides; as a string."""

    tensor = None
    dict: ClassVar[Json] = {}

    def __init__(self, shared: Shared, public: bool) -> None:
        self.shared, self.public = shared, public

    def set_from(self, state: CoyoteState, player: int) -> None:
        pass

    def string_from(self, state: CoyoteState, player: int) -> str:
        game = self.shared.game
        if not state.table:
            return ""
        view = game.view(self.shared.table(state), SPECTATOR if self.public else player)
        return game.open_text(view) if self.public else game.own_text(view, player)


# ---------------------------------------------------------------- game


class CoyoteGame(pyspiel.Game):  # type: ignore[misc]
    """A game with all its parameters settled; `pyspiel.load_game` makes it."""

    def __init__(self, shared: Shared, said: Json) -> None:
        self.shared = shared
        super().__init__(game_type(shared.game.name, shared.together), self._info(), said)
        self.state_class = type("CoyoteState", (CoyoteState,), {"shared": shared})

    def _info(self) -> pyspiel.GameInfo:
        shared = self.shared
        return pyspiel.GameInfo(
            num_distinct_actions=shared.features.actions,
            max_chance_outcomes=shared.dealer.most_outcomes,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=shared.part.most_choices,
        )

    def new_initial_state(self, *given: Any) -> CoyoteState:
        state: CoyoteState = self.state_class(self)
        return state

    def dealt(self, number: int) -> CoyoteState:
        """This game of the series `seed`, as `coyote simulate` plays it; for chance=sampled."""
        state = self.new_initial_state()
        for digit in divmod(number, DEALS):
            state.apply_action(digit)
        return state

    def max_chance_nodes_in_history(self) -> int:
        return self.shared.dealer.most_questions

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CoyoteObserver | HalfObserver:
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        own = {PRIVATE.SINGLE_PLAYER: True, PRIVATE.NONE: False}.get(wanted.private_info)
        if wanted.public_info and own:
            return CoyoteObserver(self.shared, wanted.perfect_recall)
        if own is None or wanted.perfect_recall:
            raise pyspiel.SpielError(str(Refused("envs.spiel.observer")))
        return HalfObserver(self.shared, wanted.public_info)


def game_type(name: str, together: bool) -> pyspiel.GameType:
    kind = pyspiel.GameType
    return kind(
        short_name=f"coyote_{name}",
        long_name=f"Coyote: {name}",
        dynamics=kind.Dynamics.SIMULTANEOUS if together else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters_of(name),
    )


class Maker:
    """What OpenSpiel calls to make a game. It keeps this until after Python has ended, where it must not go
    away as a function would: a class never does."""

    name: ClassVar[str]

    def __new__(cls, given: Json) -> CoyoteGame:
        """The game with these parameters; SpielError says what is wrong with them."""
        usual = parameters_of(cls.name)
        try:
            shared = Shared(cls.name, settled(cls.name, given))
        except (Refused, OSError) as error:
            raise pyspiel.SpielError(str(error)) from None
        return CoyoteGame(shared, {key: value for key, value in given.items() if value != usual[key]})


def register() -> None:
    """Make the games known to `pyspiel.load_game`."""
    for name, game in GAMES.items():
        pyspiel.register_game(game_type(name, game.SIMULTANEOUS), type("Maker", (Maker,), {"name": name}))
