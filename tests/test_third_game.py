"""A game that only the tests know goes through all that the program can do, without a change in it.

The conformance suite is in `test_conformance`, rooms and the socket in `table/test_third_game`, the page
in `web/test_third_game`.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coyote.bots.anygame import AnyMind
from coyote.bots.minds import MINDS, mind_of
from coyote.bots.names import make_bot
from coyote.cli.terminals import TERMINALS
from coyote.games.events import Kind, Kinds
from coyote.games.game import PositionError, Record
from coyote.games.registry import GAMES
from coyote.kernel.events import new_log, note
from coyote.kernel.seats import NONE
from coyote.match import IllegalMove, Match
from coyote.records import follow, read_records
from coyote.table.parts import PARTS
from coyote.text import LANGUAGES, Words, game_title
from coyote.text.words import GAME_WORDS
from kit import forks
from kit.conformance import COSTLY, LAWS
from kit.goofspiel import Goofspiel
from kit.subject import Play
from kit.subjects import OfGoofspiel
from kit.terminal import ENGLISH, PATIENCE, RUSSIAN, environment

pytestmark = pytest.mark.usefixtures("third_game")

TESTS = Path(__file__).parent
SOURCE = TESTS / "kit" / "goofspiel.py"
EVEN = "goofspiel prizes=35142 bids="  # nobody has bid yet


def run(data: Path, *arguments: str | Path, said: str = "", locale: str = ENGLISH) -> Any:
    """The program with the third game."""
    command = ["kit.with_goofspiel", *map(str, arguments)]
    env = environment(data, locale)
    code, *found = forks.run(command, env, TESTS, 10 * PATIENCE, command[0], said.encode())
    return subprocess.CompletedProcess(command, code, *(part.decode() for part in found))


def ran(data: Path, *arguments: str | Path, said: str = "", locale: str = ENGLISH) -> str:
    done = run(data, *arguments, said=said, locale=locale)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


# ---------------------------------------------------------------- what it is


def test_it_is_small_and_brings_all_its_words() -> None:
    lines = [line for line in SOURCE.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) < 200, "blank lines aside"
    assert all(GAME_WORDS["goofspiel"][lang] for lang in LANGUAGES)


def test_every_layer_has_a_row_for_every_game() -> None:
    for table in (GAME_WORDS, MINDS, TERMINALS, PARTS):
        assert list(table) == list(GAMES) == ["madness", "duel", "goofspiel"]


def test_it_is_called_by_its_name_and_what_differs() -> None:
    assert game_title(Goofspiel(), "en") == "Goofspiel"
    assert game_title(Goofspiel(cards=7), "en") == "Goofspiel · 7 cards"
    assert game_title(Goofspiel(cards=3), "ru") == "Гуфшпиль · 3 карты"


# ---------------------------------------------------------------- its rules


def test_g1_the_prizes_are_shuffled_and_both_have_every_bid() -> None:
    match = Match("goofspiel", seed="a", cards=6)
    assert sorted(match.record()["prizes"]) == [1, 2, 3, 4, 5, 6]
    assert match.legal(0) == match.legal(1) == [f"bid {k}" for k in range(1, 7)]


def test_g2_g3_g4_the_higher_bid_takes_the_prize_that_is_shown() -> None:
    match = Match.from_position(EVEN)
    assert match.view_json(-1)["prizes"] == [3]
    match.play("bid 2", 0)
    assert match.view_json(1)["chosen"] is None and match.score == [0, 0]
    match.play("bid 4", 1)
    assert match.view_json(-1)["prizes"] == [3, 5] and match.score == [0, 3]
    assert "bid 2" not in match.legal(0)


def test_g4_on_equal_bids_the_prize_is_lost() -> None:
    match = Match.from_position(EVEN + "33")
    assert match.score == [0, 0] and match.turn == 2


@pytest.mark.parametrize(
    ("bids", "score", "winner"), [("5142332415", [8, 6], 0), ("1122334455", [0, 0], None)]
)
def test_g5_the_higher_sum_of_prizes_wins(bids: str, score: list[int], winner: int | None) -> None:
    match = Match.from_position(EVEN + bids)
    assert match.result is not None
    assert (match.result.score, match.result.winner, match.over) == (score, winner, True)


@pytest.mark.parametrize(
    ("seat", "move", "why"),
    [
        (0, "bid 3", "you have made your bid already; the other player has not yet (G3)"),
        (1, "bid 1", "“bid 1” is no bid that you have (G3)"),
        (1, "bid 9", "“bid 9” is no bid that you have (G3)"),
    ],
)
def test_g3_what_is_no_bid_is_refused(seat: int, move: str, why: str) -> None:
    match = Match.from_position(EVEN + "2140")
    with pytest.raises(IllegalMove) as caught:
        match.play(move, seat)
    assert str(caught.value) == why


@pytest.mark.parametrize("line", ["goofspiel", "goofspiel prizes=12", EVEN + "11122", EVEN + "9", EVEN + "x"])
def test_what_is_no_position_is_refused(line: str) -> None:
    with pytest.raises(PositionError):
        Match.from_position(line)


# ---------------------------------------------------------------- its bots


def test_the_mind_for_any_game_looks_ahead() -> None:
    """With 2 and 3 left against 1 and 3, the 3 is for the prize of 3."""
    match = Match.from_position("goofspiel rules=cards:3 prizes=132 bids=12")
    assert isinstance(mind_of(match.game), AnyMind)
    answer = make_bot("search:300", match.game, "a").answer(match.question(0))
    assert match.game.move_text(answer.action) == "bid 3"
    assert sum(thought.examined for thought in answer.thoughts) == 300


# ---------------------------------------------------------------- its commands


def test_simulate_and_check(tmp_path: Path) -> None:
    counted = json.loads(ran(tmp_path, "simulate", "goofspiel", "--games", "40", "--seed", "a", "--json"))
    assert counted["games"] == 40 and counted["decisions"] == 400 and counted["ends"] == {"points": 40}
    file = tmp_path / "games.jsonl"
    options = ("--games", "40", "--seed", "a", "--records", file, "--trace")
    ran(tmp_path, "simulate", "goofspiel", *options)
    records = list(read_records(file))
    assert sum(record["result"]["winner"] == 0 for record in records) == counted["wins"][0]["games"]
    assert "40 games followed, 400 moves" in ran(tmp_path, "check", file)
    records[7]["trace"][2]["points"] = [9, 9]
    file.write_text("\n".join(map(json.dumps, records)))
    done = run(tmp_path, "check", file)
    assert done.returncode == 2 and "game 8, move 3: " in done.stderr and "(G4)" in done.stderr


def test_simulate_with_house_rules_tells_of_them(tmp_path: Path) -> None:
    shown = ran(tmp_path, "simulate", "goofspiel", "--games", "5", "--option", "cards=7", locale=RUSSIAN)
    assert shown.startswith("Гуфшпиль · 7 карт · 5 партий") and "По очкам" in shown and "Призы" in shown
    done = run(tmp_path, "simulate", "goofspiel", "--option", "cards=8")
    assert (done.returncode, done.stderr) == (
        2,
        "coyote: cards cannot be 8: it is a number from 3 to 7 (G1)\n",
    )


@pytest.mark.parametrize(("first", "second"), [("search:20", "random"), ("greedy", "level:2")])
def test_bots_are_matched(tmp_path: Path, first: str, second: str) -> None:
    file = tmp_path / "games.jsonl"
    options = ("--games", "12", "--seed", "a", "--json", "--records", file)
    found = json.loads(ran(tmp_path, "match", "goofspiel", first, second, *options))
    assert found["games"] == 12 and not found["failures"]
    for record in read_records(file):
        assert {first, second} == set(record["players"])
        follow(record)


def test_somebody_elses_program_plays_it(tmp_path: Path) -> None:
    """The bot protocol knows the game, since its view can be read back."""
    program = f"cmd:{sys.executable} -m kit.with_goofspiel bot goofspiel search:5"
    options = ("--games", "4", "--seed", "a", "--option", "cards=4", "--json")
    found = json.loads(ran(tmp_path, "match", "goofspiel", program, "random", *options))
    assert found["games"] == 4 and not found["failures"], found


def test_somebody_plays_it_at_the_terminal(tmp_path: Path) -> None:
    """With a look at the moves and a hint, a bid that is refused, a break, and on to the end."""
    first = ran(tmp_path, "play", "goofspiel", "--seed", "a", said="?\nhint\nrules\nbid 9\nbid 2\n")
    assert "  1 bid 1" in first and "Hint: bid" in first and "Not possible: “bid 9”" in first
    assert "goofspiel has no rulebook here" in first and "You bid 2." in first
    assert "Go on with: coyote play --resume" in first
    rest = ran(tmp_path, "play", "--resume", said="1\n1\n1\n1\n")
    kept = re.search(r"The record of the game: (.*)", rest)
    assert kept, rest
    (record,) = read_records(Path(kept[1].strip()))
    assert "bid 2" in [move for _, move in record["moves"]]
    follow(record)


def test_a_record_is_replayed_and_read_aloud(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    ran(tmp_path, "simulate", "goofspiel", "--games", "1", "--seed", "a", "--records", file)
    shown = ran(tmp_path, "replay", file, locale=RUSSIAN)
    assert "Ход 10 из 10" in shown and "Приз — " in shown
    done = run(tmp_path, "rules", "goofspiel")
    assert (done.returncode, done.stderr) == (2, "coyote: goofspiel has no rulebook here\n")


# ---------------------------------------------------------------- the suite has teeth


class Open(Goofspiel):
    """Everybody sees what is sealed."""

    def view(self, s: Record, seat: int) -> Record:
        v = super().view(s, seat)
        v.bids[:] = s.bids
        return v


class Clairvoyant(Goofspiel):
    """A view has the order of the prizes."""

    def view(self, s: Record, seat: int) -> Record:
        v = super().view(s, seat)
        v.prizes[:] = s.prizes
        return v


class Partial(Goofspiel):
    """What is legal depends on the prizes to come."""

    def legal(self, s: Record, seat: int) -> list[int]:
        found = super().legal(s, seat)
        return found[:1] if s.prizes[-1] or s.prizes[self.row.cards - 1] == 1 else found


class Forgetful(Goofspiel):
    """A position without what is sealed."""

    def position(self, s: Record) -> str:
        twin = s.copy()
        for seat in self.sealed(s):
            self.unseal(twin, seat)
        return super().position(twin)


class Gossip(Goofspiel):
    """Whoever hears of a prize hears of the next one, too."""

    KINDS = Kinds(Kind("prize", "G2", "prize:all", "next:all"), *Goofspiel.KINDS.rows[1:])

    def turn_up(self, s: Record, log: Record | None) -> Record:
        shown, following = s.prizes[s.turn], s.prizes[min(int(s.turn) + 1, 6)]
        note(new_log() if log is None else log, 0, NONE, shown, following)
        s.turn += 1
        return s


class Lucky(Goofspiel):
    """Chance that does not come from the seed."""

    def deal(self, setup: Any, seed: Any, log: Record | None = None) -> Record:
        s = super().deal(setup, seed, log)
        s.prizes[: self.row.cards] = Random().sample(s.prizes[: self.row.cards].tolist(), int(self.row.cards))
        return s


class Endless(Goofspiel):
    """A finished game in which somebody may still bid."""

    def legal(self, s: Record, seat: int) -> list[int]:
        return super().legal(s, seat) or ([1] if self.result(s) and seat == 0 else [])


class Vague(Goofspiel):
    """Two moves with one text."""

    def move_text(self, action: int) -> str:
        return super().move_text(max(action, 2))


class Losing(Goofspiel):
    """A bid is made twice."""

    def act(self, s: Record, seat: int, action: int, log: Record, chance: Any) -> None:
        super().act(s, seat, action, log, chance)
        if s.turn > 2:
            s.bids[0, 1] = s.bids[0, 0]


class Unread(Goofspiel):
    """The JSON of a view loses what is sealed."""

    def own_json(self, v: Record, seat: int) -> Any:
        return {**super().own_json(v, seat), "chosen": None}


BROKEN: dict[type[Goofspiel], str] = {
    Open: "a_sealed_choice_is_told_to_nobody_and_can_be_taken_back",
    Clairvoyant: "a_view_holds_no_secret",
    Gossip: "what_a_seat_hears_follows_from_what_it_sees",
    Partial: "legal_moves_follow_from_the_view",
    Forgetful: "a_position_saved_after_every_choice_is_the_same_game",
    Lucky: "the_same_seed_and_moves_give_the_same_bytes",
    Endless: "every_game_ends_and_then_owes_nothing",
    Vague: "every_move_is_read_back_from_its_text",
    Losing: "no_card_is_lost_at_any_step",
    Unread: "a_view_is_read_back_from_its_json_byte_for_byte",
}


@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_a_broken_game_breaks_the_law(kind: type[Goofspiel], monkeypatch: pytest.MonkeyPatch) -> None:
    laws: dict[str, Callable[[Play], None]] = {law.__name__: law for law in (*LAWS, *COSTLY)}
    subject = OfGoofspiel()
    monkeypatch.setitem(GAMES, "goofspiel", kind)
    monkeypatch.setattr(OfGoofspiel, "kind", kind)
    with pytest.raises(AssertionError):
        for number in range(20):
            laws[BROKEN[kind]](Play(subject, kind(), kind().settle(), number))


def test_all_words_of_it_are_said_in_both_languages() -> None:
    for lang in LANGUAGES:
        words = Words(lang)
        for key in (*(f"wanted.{kind}" for kind in Goofspiel.WANTED), "prompt.bid", "prompt.bid_other"):
            assert words(f"goofspiel.{key}", name="Anna")
        for option in Goofspiel.OPTIONS:
            assert words(f"goofspiel.option.{option.name}.title")
            assert words(f"goofspiel.option.{option.name}.about")
        assert all(words(f"reason.{reason}") for reason in Goofspiel.REASONS)
        assert all(words(f"source.{source}") for source in Goofspiel.SOURCES)
