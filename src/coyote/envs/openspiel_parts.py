"""What each game has of its own for OpenSpiel, by its name."""

from coyote.envs.duel.openspiel import DuelPart
from coyote.envs.madness.openspiel import MadnessPart
from coyote.envs.openspiel_chance import Part

SPIEL_PARTS: dict[str, type[Part]] = {"madness": MadnessPart, "duel": DuelPart}
