"""The golden playthroughs are what the program does now; a wanted change is kept with `make golden`."""

import re

import pytest

from coyote.games.madness.events import KINDS
from coyote.games.registry import GAMES
from kit.golden import FOLDER, SHOWN, path_of, playthrough


@pytest.mark.parametrize("name", SHOWN)
def test_the_playthrough_is_as_it_was(name: str) -> None:
    kept = path_of(name).read_text(encoding="utf-8").splitlines()
    now = playthrough(name).splitlines()
    for number, (old, new) in enumerate(zip(kept, now, strict=False), 1):
        assert new == old, f"{path_of(name).name} line {number}; if this is wanted: make golden"
    assert len(now) == len(kept)


def test_every_edition_of_every_game_has_a_playthrough() -> None:
    wanted = {f"{name}-{edition or 'core'}" for name, game in GAMES.items() for edition in game.EDITIONS}
    assert {path.stem for path in FOLDER.glob("*.playthrough")} == wanted == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_the_playthrough_names_the_version_of_the_rules(name: str) -> None:
    """A change of the rules raises the version, and with it the golden file is written anew."""
    text = path_of(name).read_text(encoding="utf-8")
    found = re.search(r"^rules +(\d+)$", text, re.MULTILINE)
    assert found
    assert int(found[1]) == GAMES[name.split("-")[0]].RULES[-1]


@pytest.mark.parametrize("name", ["madness-standard", "madness-classic"])
def test_all_kinds_of_events_are_in_the_playthrough(name: str) -> None:
    text = path_of(name).read_text(encoding="utf-8")
    assert {kind for kind in KINDS.names if f"\n * {kind}" not in text} <= {"no_draw", "no_push"}
