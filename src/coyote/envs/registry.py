"""The environments by the name of their game."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from coyote.envs.features import Features
from coyote.games.duel.sets import CardSet
from coyote.games.game import Game, OptionError
from coyote.games.registry import make_game


def madness_features(game: Game) -> Features:
    from coyote.envs.madness.game import MadnessFeatures

    return MadnessFeatures(game)


def duel_features(game: Game) -> Features:
    from coyote.envs.duel.game import DuelFeatures

    return DuelFeatures(game)


FEATURES: dict[str, Callable[[Game], Features]] = {"madness": madness_features, "duel": duel_features}


@lru_cache(64)
def features_for(game: Game) -> Features:
    """Those of a game with its options settled."""
    if game.name not in FEATURES:
        raise OptionError("envs.no_game", name=game.name, known=", ".join(FEATURES))
    return FEATURES[game.name](game)


def game_of(
    game: str | Game, options: Mapping[str, Any] | None = None, card_set: CardSet | None = None
) -> Game:
    """A game by its name, with its options and, where it has such, its cards; or OptionError."""
    if isinstance(game, Game):
        return game
    cards = {} if card_set is None else {"card_set": card_set}
    return make_game(game, **(options or {}), **cards)


def features_of(
    game: str | Game, options: Mapping[str, Any] | None = None, card_set: CardSet | None = None
) -> Features:
    """Observations, masks and actions of a game.

    >>> features = features_of("madness", {"edition": "classic"})
    >>> features.size, features.actions, features.version
    (942, 599, 1)
    """
    return features_for(game_of(game, options, card_set))
