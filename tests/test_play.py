"""`coyote play` in a real terminal: whole games by typing, nothing lost, nothing shown that is secret."""

import json
import re
import shlex
import sys
import time
from contextlib import suppress
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from coyote.cli.madness_typed import MadnessTyping, parts
from coyote.cli.play import draw_lots
from coyote.cli.screen import fitted
from coyote.cli.terminals import table_for
from coyote.cli.typed import Doubt
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.duel.game import Duel
from coyote.games.madness.game import Madness
from coyote.games.madness.notation import MOVES
from coyote.games.registry import make_game
from coyote.kernel.seats import SPECTATOR
from coyote.match import Match
from coyote.records import follow, read_records
from coyote.text import Words, game_title
from kit.terminal import CLEAR, ENGLISH, PATIENCE, RUSSIAN, SMALL, Terminal, coyote

LANGS = {"en": ENGLISH, "ru": RUSSIAN}
PROMPT = r"\n> \Z"
KEPT = {"en": r"The record of the game: ", "ru": r"Запись партии: "}
HAND_OVER = {"en": "Press Enter when you are ready. ", "ru": "Нажмите Enter, когда будете готовы. "}
CARD_ROW = re.compile(r"(?m)^(?:\s+(?:[2-9TJQKA][CDHS]|X[12]))+\s*$")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """A terminal waits only so long, and another version of the search may have to be compiled first."""
    for game in (Madness(), Duel()):
        warm_up(game, Words("en"))
        warm_bots(game, ["search"], Words("en"))


def saved(data: Path) -> dict[str, Any]:
    """The one unfinished game."""
    (path,) = (data / "games").glob("*.game.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def kept(data: Path) -> dict[str, Any]:
    """The one finished game; no unfinished one and no half of a file is beside it."""
    (path,) = (data / "games").iterdir()
    assert path.name.endswith(".record.jsonl")
    (record,) = read_records(path)
    return record


def finish(terminal: Terminal, lang: str = "en") -> int:
    """Type numbers until the game is over; how many decisions were made. The terminal is at a prompt."""
    decisions = 0
    while True:
        terminal.enter("1")
        decisions += 1
        found = terminal.expect(f"(?P<more>{PROMPT})|(?P<over>{KEPT[lang]})")
        if found["over"]:
            return decisions
        assert decisions < 500


# ---------------------------------------------------------------- a whole game


@pytest.mark.parametrize(("lang", "edition"), [("en", "standard"), ("ru", "classic")])
def test_a_whole_game_against_random_by_typing_numbers(lang: str, edition: str, data: Path) -> None:
    command = ("play", "madness", "--against", "random", "--edition", edition, "--seed", "whole game")
    with Terminal(*command, data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        decisions = finish(terminal, lang)
        assert terminal.wait() == 0
        text = terminal.text
    record = kept(data)
    assert record["options"] == {"edition": edition}
    assert sorted(record["players"]) == ["human", "random"]
    mine = record["players"].index("human")
    assert sum(seat == mine for seat, _ in record["moves"]) == decisions
    assert follow(record).over
    words = Words(lang)
    assert words(f"madness.edition.{edition}") in text
    (path,) = (data / "games").iterdir()
    assert coyote("check", path, data=data).returncode == 0
    end = follow(record).events(mine)[-1]
    names = [words("play.you") if seat == mine else words.bot("random") for seat in range(2)]
    assert words.event("madness", end, mine, names) in " ".join(text.split())


def test_the_opponents_hand_is_never_on_the_screen(data: Path) -> None:
    """Before the end, when everything is opened, no screen shows a card that the bot holds then."""
    with Terminal("play", "madness", "--seed", "secret", data=data) as terminal:
        terminal.expect(PROMPT)
        finish(terminal)
        terminal.wait()
        screens = terminal.text.split(CLEAR)
    record = kept(data)
    mine, words = record["players"].index("human"), Words("en")
    match = Match.from_record(record)
    shown = [screen for screen in screens if screen.strip()]
    for seat, move in record["moves"]:
        if seat == mine:
            screen = shown.pop(0)
            for card in match.hands[1 - mine]:
                assert not re.search(rf"(?<!\d){re.escape(words.card(card))}", screen), (card, screen)
            for card in match.hands[mine]:
                assert words.card(card) in screen
        match.play(move, seat)
    assert len(shown) == 1, "one screen for each decision, and the end"


def test_the_same_seed_deals_the_same_game(data: Path) -> None:
    decks = set()
    for folder in ("one", "two"):
        with Terminal("play", "madness", "--seed", "same", data=data / folder) as terminal:
            terminal.expect(PROMPT)
            terminal.enter("quit")
            assert terminal.wait() == 0
        found = saved(data / folder)
        decks.add((found["seed"], *found["players"]))
    assert len(decks) == 1


# ---------------------------------------------------------------- opponents


@pytest.mark.parametrize(
    ("game", "against", "player", "lang", "name"),
    [
        ("madness", None, "level:3", "en", "Stray"),
        ("madness", "1", "level:1", "ru", "Щенок"),
        ("madness", "sCOUT", "level:5", "en", "Scout"),
        ("duel", "level:1", "level:1", "en", "Pup"),
        ("duel", "следопыт", "level:5", "ru", "Следопыт"),
        ("duel", "greedy", "greedy", "ru", "Жадина"),
        ("duel", "search:20", "search:20", "en", "Thinker"),
    ],
)
def test_some_moves_against(
    game: str, against: str | None, player: str, lang: str, name: str, data: Path
) -> None:
    chosen = ("--against", against) if against else ()
    command = ("play", game, "--seed", "opponents", *chosen)
    with Terminal(*command, data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        for _ in range(4):
            terminal.enter("1")
            terminal.expect(PROMPT)
        found, text = saved(data), terminal.text
        terminal.enter("quit")
        assert terminal.wait() == 0
    assert sorted(found["players"]) == sorted(["human", player])
    assert name in text and Words(lang)("play.bot") not in text
    thinks = Words(lang)("play.thinking", name=name) in text
    looks_ahead = player in ("level:5", "search:20") or (game, player) == ("madness", "level:3")
    assert thinks == looks_ahead, "quick ones need no sign of life"


@pytest.mark.parametrize(("game", "against"), [("madness", "5"), ("duel", "5"), ("duel", "random")])
def test_a_resumed_game_goes_on_as_if_it_had_not_been_left(game: str, against: str, data: Path) -> None:
    moves = []
    for folder, stops in (("whole", (4,)), ("in pieces", (1, 3))):
        command: tuple[str, ...] = ("play", game, "--against", against, "--seed", "in pieces")
        for decisions in stops:
            with Terminal(*command, data=data / folder) as terminal:
                terminal.expect(PROMPT)
                for _ in range(decisions):
                    terminal.enter("2")
                    terminal.expect(PROMPT)
                terminal.interrupt()
                terminal.expect("coyote play --resume")
                assert terminal.wait() == 0
            command = ("play", "--resume")
        moves.append(saved(data / folder)["moves"])
    assert moves[0] == moves[1]


def seed_where_seat_0_is(player: str) -> str:
    """The lot follows from the seed (M11)."""
    return next(seed for seed in map(str, range(100)) if draw_lots(seed, "bot")[0] == player)


def test_ctrl_c_while_the_bot_thinks_loses_nothing(data: Path) -> None:
    seed = seed_where_seat_0_is("human")
    with Terminal("play", "duel", "--against", "search:3600000ms", "--seed", seed, data=data) as terminal:
        terminal.expect(PROMPT)
        terminal.enter("1")
        terminal.expect("Thinker is thinking")
        terminal.interrupt()
        terminal.expect("coyote play --resume")
        assert terminal.wait() == 0
        assert "Traceback" not in terminal.text
    assert saved(data)["moves"] == [[0, "hold"]]


PROGRAM = """
import json, sys
def say(**message): print(json.dumps(message), flush=True)
for asked, line in enumerate(sys.stdin):
    m = json.loads(line)
    if m["type"] == "hello": say(type="hello", name="Crow [bold]")
    if m["type"] == "start": say(type="ready")
    if m["type"] == "move":
        if asked > 3: {then}
        say(type="move", id=m["id"], move=m["legal"][0])
"""


@pytest.mark.parametrize(
    ("then", "told", "lang"),
    [("sys.exit('feathers!')", "feathers!", "en"), ("say(type='move', id=m['id'], move='fly')", "fly", "ru")],
    ids=["crash", "nonsense"],
)
def test_a_program_that_does_not_play_on_has_lost(
    then: str, told: str, lang: str, tmp_path: Path, data: Path
) -> None:
    path = tmp_path / "crow.py"
    path.write_text(PROGRAM.format(then=then))
    against = f"cmd:{shlex.join([sys.executable, str(path)])}"
    command = ("play", "madness", "--against", against, "--seed", "crow")
    with Terminal(*command, data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        finish(terminal, lang)
        assert terminal.wait() == 0
        text = terminal.text
    said = Words(lang).find("play.failed").partition("{why}")[0].format(name="Crow [bold]")
    assert told in text.split(said)[1] and "Traceback" not in text
    record = kept(data)
    human = record["players"].index("human")
    assert record["players"][1 - human] == against
    assert (record["result"]["winner"], record["result"]["reason"]) == (human, "resignation")
    (path,) = (data / "games").iterdir()
    assert coyote("check", path, data=data).returncode == 0


def test_a_program_that_does_not_start_is_named(data: Path) -> None:
    seed = seed_where_seat_0_is("bot")
    with Terminal("play", "duel", "--against", "cmd:no-such-crow", "--seed", seed, data=data) as terminal:
        terminal.expect(r"Opponent does not play on[\s\S]*no-such-crow[\s\S]*The record of the game")
        assert terminal.wait() == 0
    assert kept(data)["result"]["winner"] == 1


# ---------------------------------------------------------------- what can be typed


@pytest.mark.parametrize("lang", LANGS)
def test_questions_and_wrong_moves_change_nothing(lang: str, data: Path) -> None:
    words = Words(lang)
    with Terminal("play", "madness", "--seed", "questions", data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        moves = saved(data)["moves"]
        match = Match("madness", seed="questions")
        for seat, move in moves:
            match.play(move, seat)
        (mine,) = match.actors
        terminal.enter("?")
        listed = terminal.expect(rf"{words('madness.list.a', field=1).split('(')[0]}[\s\S]*{PROMPT}")[0]
        for number, action in enumerate(match.legal_actions(mine), 1):
            verb, field, card = parts(match.game.move_text(action))
            (row,) = re.findall(rf"{re.escape(words(f'madness.list.{verb}', field=field))} +(.*)", listed)
            shown = words.card(card) if card else words(f"madness.move.{verb}")
            assert f" {number}\u00a0{shown} " in f" {row} "
        assert words("play.help", rule="M14") in listed
        terminal.enter("rules" if lang == "en" else "правила")
        terminal.expect(rf"M14 · [^\f]*{PROMPT}")
        terminal.enter("rules m2")
        terminal.expect(rf"M2 · [^\f]*{PROMPT}")
        terminal.enter("rules M99")
        terminal.expect(rf"M99[^\f]*M25[^\f]*{PROMPT}")
        hand = match.view_json(mine)["hand"]
        stranger = next(card for card in ("2C", "3C", "4C", "5C", "6C", "7C") if card not in hand)
        refused = words.find("play.refused").split("{")[0]
        for typed, rule in ((f"a1 {stranger}", "M5"), ("draw", "M14"), ("nonsense", "M14"), ("999", "M14")):
            terminal.enter(typed)
            told = terminal.expect(rf"{refused}[^\f]*?\({rule}\)[^\f]*{PROMPT}")[0]
            assert typed != "nonsense" or words("madness.move.steal", typed=words.card_typed("KH")) in told
        terminal.enter(f"a1 {stranger}")
        terminal.expect(rf"\(M5\)[^\f]*{PROMPT}")
        terminal.enter("rules")
        terminal.expect(rf"M5 · [^\f]*{PROMPT}")
        terminal.enter("")
        terminal.expect(PROMPT)
        terminal.enter("table" if lang == "en" else "стол")
        terminal.expect(f"{CLEAR}[\\s\\S]*{PROMPT}")
        assert saved(data)["moves"] == moves
        terminal.enter("quit" if lang == "en" else "выход")
        terminal.expect("coyote play --resume")
        assert terminal.wait() == 0
    assert saved(data)["moves"] == moves


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("pass", "pass"),
        ("PASS", "pass"),
        (" пас ", "pass"),
        ("1", None),
        ("а1 {sign}", None),
        ("a1{card}", None),
    ],
)
def test_a_move_as_people_write_it(typed: str, played: str | None, data: Path) -> None:
    with Terminal("play", "madness", "--seed", "typing", data=data) as terminal:
        terminal.expect(PROMPT)
        before = saved(data)
        match = Match("madness", seed="typing")
        for seat, move in before["moves"]:
            match.play(move, seat)
        (mine,) = match.actors
        first = match.game.move_text(match.legal_actions(mine)[0])
        card = first.split()[1]
        terminal.enter(typed.format(sign=Words("en").card(card), card=card))
        terminal.expect(PROMPT)
        assert saved(data)["moves"][len(before["moves"])] == [mine, played or first]


@pytest.mark.parametrize("lang", LANGS)
def test_every_move_is_read_as_it_is_shown_whatever_is_legal(lang: str) -> None:
    typing = MadnessTyping(Words(lang), None)
    for move in MOVES:
        for legal in (MOVES, (), (move,)):
            shown = typing.write(move)
            for typed in (shown, shown.lower(), shown.upper(), shown.replace(" ", "")):
                assert typing.read(typed, legal) == move
        verb, _, card = move.partition(" ")
        if card:
            assert typing.read(f"{verb} {Words(lang).card(card)}", MOVES) == move


LATIN_T, CYRILLIC_T = "T", "Т"


@pytest.mark.parametrize(
    ("lang", "typed", "readings"),
    [
        ("en", f"b {LATIN_T}C", ["b TC"]),
        ("en", "b 10C", ["b TC"]),
        ("en", f"b {CYRILLIC_T}C", ["b TC", "b AC"]),
        ("en", f"b {CYRILLIC_T}♣", ["b TC", "b AC"]),
        ("ru", f"b {LATIN_T}C", ["b TC", "b AC"]),
        ("ru", f"б {LATIN_T}♣", ["b TC", "b AC"]),
        ("ru", f"b {CYRILLIC_T}С", ["b TC", "b AC"]),  # both letters look Latin
        ("ru", f"б {CYRILLIC_T}♣", ["b AC"]),
        ("ru", f"б {CYRILLIC_T}{CYRILLIC_T}", ["b AC"]),
        ("ru", "b AC", ["b AC"]),
        ("ru", "б АС", ["b AC"]),  # Cyrillic А and С
    ],
)
def test_a_t_is_never_taken_for_the_other_card(lang: str, typed: str, readings: list[str]) -> None:
    """The ten in notation, the Ace on a Russian card: of two legal cards none is chosen for the player."""
    typing = MadnessTyping(Words(lang), None)
    for move in readings:
        assert typing.read(typed, [move, "b 7C"]) == move
    if len(readings) == 1:
        assert typing.read(typed, ["b TC", "b AC"]) == readings[0]
    else:
        with pytest.raises(Doubt) as doubt:
            typing.read(typed, ["b TC", "b AC"])
        assert all(typing.write(move) in doubt.value.message(lang) for move in readings)
    assert typing.read(typed, []) in readings, "and is refused by name"


def test_in_doubt_which_card_a_t_is_the_terminal_asks(data: Path) -> None:
    def both(seed: str) -> str:
        hand = Match("madness", seed=seed).hands[0]
        return next((card[1] for card in hand if card[0] == "T" and f"A{card[1]}" in hand), "")

    seed = next(seed for seed in map(str, range(1000)) if both(seed))
    command = ("play", "madness", "--against", "human", "--seed", seed)
    typing = MadnessTyping(Words("ru"), None)
    ten, ace = (typing.write(f"a1 {rank}{both(seed)}") for rank in "TA")
    with Terminal(*command, data=data, locale=RUSSIAN) as terminal:
        terminal.expect(HAND_OVER["ru"])
        terminal.enter()
        terminal.expect(PROMPT)
        terminal.enter(f"a1 {LATIN_T}{both(seed)}")
        terminal.expect(rf"введите {ten} или {ace}\.[^\f]*{PROMPT}")
        assert saved(data)["moves"] == []
        terminal.enter(ace)
        terminal.expect(PROMPT)
        assert saved(data)["moves"] == [[0, f"a1 A{both(seed)}"]]
        terminal.enter("правила M14")
        told = terminal.expect(rf"M14 · [^\f]*{PROMPT}")[0]
        assert "а1 7♠" not in told and not re.search(r"\b[abc]\d? [2-9TJQKA][CDHS]\b", told)
        terminal.kill()


@pytest.mark.parametrize(("lang", "typed"), [("en", "{en}"), ("ru", "играть «{ru}»"), ("ru", "PLAY {id}")])
def test_a_card_of_the_duel_goes_by_its_names(lang: str, typed: str, data: Path) -> None:
    seed = seed_where_seat_0_is("human")
    with Terminal("play", "duel", "--seed", seed, data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        shown = re.findall(r"(?m)^2 +(?:◆ )? *([a-z-]+) ", terminal.text)[-1]
        names = {lang: Duel().title(shown, lang) for lang in LANGS}
        terminal.enter("?")
        terminal.expect(rf"\n2 +{re.escape(Words(lang)('duel.move.play', title=names[lang]))}[^\f]*{PROMPT}")
        terminal.enter("Ёж")
        told = terminal.expect(rf"\f[^\f]*Ёж[^\f]*{PROMPT}")[0]
        assert Words(lang)("duel.typing.unread", text="Ёж") in " ".join(told.split())
        assert saved(data)["moves"] == []
        terminal.enter(typed.format(id=shown, **names))
        terminal.expect(PROMPT)
        assert saved(data)["moves"][0] == [0, f"play {shown}"]
        terminal.kill()


# ---------------------------------------------------------------- taken back


@pytest.mark.parametrize(("game", "lang", "word"), [("madness", "ru", "назад"), ("duel", "en", "undo")])
def test_a_choice_against_a_bot_is_taken_back_and_stays_so(
    game: str, lang: str, word: str, data: Path
) -> None:
    """Again and again, to the first one; the bot may choose otherwise afterwards, and nothing is lost."""
    words = Words(lang)
    seed = seed_where_seat_0_is("human")
    command: tuple[str, ...] = ("play", game, "--seed", seed, "--against", "1")
    with Terminal(*command, data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        terminal.enter(word)
        terminal.expect(rf"{words('play.nothing_to_undo')}[^\f]*{PROMPT}")
        before = []
        for number in ("1", "2", "1"):
            before.append(saved(data)["moves"])
            terminal.enter(number)
            terminal.expect(PROMPT)
        assert len(saved(data)["moves"]) > len(before[-1])
        for moves in before[:0:-1]:
            terminal.enter(word)
            terminal.expect(rf"{words('play.undone')}[^\f]*{PROMPT}")
            assert saved(data)["moves"] == moves
        screen = terminal.text.split(CLEAR)[-1]
        terminal.kill()
    with Terminal("play", "--resume", data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        again = terminal.text.split(CLEAR)[-1]
        assert again.replace("\n> ", "") in screen.replace(f"  {words('play.undone')}\n", "")
        assert saved(data)["table"] == {"lang": lang, "taken_back": 2}
        terminal.enter(word)
        terminal.expect(PROMPT)
        assert saved(data)["moves"] == before[0]
        finish(terminal, lang)
        assert terminal.wait() == 0
    assert follow(kept(data)).over


def test_a_program_begins_anew_where_a_choice_is_taken_back(tmp_path: Path, data: Path) -> None:
    """It hears everything from the deal on, and no other one stays behind."""
    path, heard = tmp_path / "crow.py", tmp_path / "heard"
    told = f"print(len(m['events']), file=open({str(heard)!r}, 'a')) or asked > 99"
    path.write_text(PROGRAM.format(then="pass").replace("asked > 3", told))
    against = f"cmd:{shlex.join([sys.executable, str(path)])}"
    command = ("play", "madness", "--against", against, "--seed", seed_where_seat_0_is("human"))
    with Terminal(*command, data=data) as terminal:
        terminal.expect(PROMPT)
        for typed in ("pass", "push", "undo", "push"):
            terminal.enter(typed)
            terminal.expect(PROMPT)
        assert "Crow [bold]" in terminal.text.split(CLEAR)[-1]
        terminal.enter("quit")
        assert terminal.wait() == 0
    first, *_, again, _last = heard.read_text().split()
    assert first == again


def start_for_two(game: str, data: Path, *more: str) -> Terminal:
    terminal = Terminal("play", game, "--against", "human", "--seed", "two undo", *more, data=data)
    terminal.expect(HAND_OVER["en"])
    terminal.enter()
    terminal.expect(PROMPT)
    return terminal


def test_two_people_take_back_at_will_what_showed_nothing_and_the_rest_if_the_other_agrees(
    data: Path,
) -> None:
    words = Words("en")
    asked = words("play.undo_ask", name="First player", other="Second player")
    with start_for_two("madness", data) as terminal:
        terminal.enter("pass")
        terminal.expect(PROMPT)
        terminal.enter("undo")  # it is the same player's turn still, and nothing was drawn
        terminal.expect(rf"{words('play.undone')}[^\f]*{PROMPT}")
        assert saved(data)["moves"] == []
        for typed in ("pass", "push"):
            terminal.enter(typed)
            terminal.expect(rf"{PROMPT}|{HAND_OVER['en']}\Z")
        made = saved(data)["moves"]
        terminal.enter("undo")  # where the keyboard is handed over, it is whoever chose last
        terminal.expect(re.escape(asked))
        covered = terminal.text.split(CLEAR)[-1]
        assert not re.search("[♣♦♥♠★☆]", covered)
        terminal.enter("n")
        terminal.expect(HAND_OVER["en"])
        assert saved(data)["moves"] == made
        terminal.enter("undo")
        terminal.expect(re.escape(asked))
        terminal.enter("y")
        terminal.expect(HAND_OVER["en"])
        covered = terminal.text.split(CLEAR)[-1]
        assert "First player" in covered and not re.search("[♣♦♥♠★☆]", covered)
        assert saved(data)["moves"] == made[:1]
        terminal.enter()
        terminal.expect(rf"{words('play.undone')}[^\f]*{PROMPT}")
        terminal.kill()


def test_a_sealed_choice_is_taken_back_before_the_other_one_chooses(data: Path) -> None:
    """And after both have chosen, both choose again, if the other one agrees."""
    with start_for_two("duel", data) as terminal:
        terminal.enter("1")
        terminal.expect(HAND_OVER["en"])
        assert saved(data)["moves"] == [[0, "hold"]]
        terminal.enter("undo")
        terminal.expect(PROMPT)
        assert saved(data)["moves"] == []
        for _ in range(2):
            terminal.enter("1")
            terminal.expect(HAND_OVER["en"])
            terminal.enter()
            terminal.expect(PROMPT)
        assert saved(data)["moves"] == [[0, "hold"], [1, "hold"]]
        terminal.enter("undo")
        terminal.expect(re.escape(Words("en")("play.undo_ask", name="First player", other="Second player")))
        terminal.enter("yes")
        terminal.expect(HAND_OVER["en"])
        assert saved(data)["moves"] == []
        terminal.kill()


# ---------------------------------------------------------------- a small window


def assert_all_in_view(terminal: Terminal, game: str, lang: str) -> None:
    """From the title to the prompt: the score, both players, what is asked."""
    words, screen = Words(lang), terminal.screen()
    assert screen[0].startswith(words(f"{game}.name")), screen
    assert any("┃" in row or "█" in row for row in screen), screen
    last = next(number for number in range(len(screen) - 1, -1, -1) if screen[number])
    assert screen[last] == ">" and last < len(screen) - 1, screen
    assert screen[last - 1].startswith("?"), screen


LARGEST = {
    "madness": ("fields=4", "hand=10", "extra=3", "goal=20"),
    "duel": ("hand=7", "hand-limit=10"),
}


@pytest.mark.parametrize(
    ("game", "lang", "options"),
    [
        ("madness", "en", ()),
        ("madness", "ru", ()),
        ("duel", "en", ()),
        ("duel", "ru", ()),
        ("madness", "ru", LARGEST["madness"]),
        ("duel", "ru", LARGEST["duel"]),
    ],
)
def test_80_by_24_has_everything(game: str, lang: str, options: tuple[str, ...], data: Path) -> None:
    """At every prompt, after what was asked, after a resume, and at the end."""
    words = Words(lang)
    given = [part for option in options for part in ("--option", option)]
    begin = ("play", game, "--seed", "small window", "--against", "2", *given)
    dice = Random("window")
    decisions = 0
    for command in (begin, ("play", "--resume")):
        with Terminal(*command, data=data, locale=LANGS[lang], size=SMALL) as terminal:
            terminal.expect(PROMPT)
            assert_all_in_view(terminal, game, lang)
            for typed in ("hint", "Ёж") if command is begin else ("table",):
                terminal.enter(typed)
                terminal.expect(rf"\f[^\f]*{PROMPT}")
                assert_all_in_view(terminal, game, lang)
            while decisions < (4 if command is begin else 400):
                decisions += 1
                terminal.enter(str(dice.randint(1, 3)))
                found = terminal.expect(rf"\f[^\f]*({PROMPT}|(?P<over>{KEPT[lang]}[^\f]*jsonl))")
                if found["over"]:
                    screen = terminal.screen()
                    assert screen[0].startswith(words(f"{game}.name")), screen
                    assert terminal.wait() == 0
                    break
                assert_all_in_view(terminal, game, lang)
    assert follow(kept(data)).over


def test_nothing_scrolls_while_a_bot_thinks(data: Path) -> None:
    seed, house = seed_where_seat_0_is("human"), ("--option", "hand=10", "--option", "fields=4")
    command = ("play", "madness", "--against", "search:3600000ms", "--seed", seed, *house)
    with Terminal(*command, data=data, size=SMALL) as terminal:
        terminal.expect(PROMPT)
        for typed in ("pass", "push"):
            terminal.enter(typed)
            terminal.expect(rf"{PROMPT}|Thinker is thinking…\S*")
        screen = terminal.screen()
        assert screen[0].startswith("Madness") and "Thinker is thinking…" in "".join(screen), screen
        terminal.interrupt()
        terminal.expect("coyote play --resume")
        assert terminal.wait() == 0


def test_what_does_not_fit_beside_the_table_has_the_screen_for_itself(data: Path) -> None:
    command = ("play", "madness", "--seed", "long list", "--option", "fields=4", "--option", "hand=10")
    with Terminal(*command, data=data, size=SMALL) as terminal:
        terminal.expect(PROMPT)
        terminal.enter("?")
        terminal.expect(rf"\f[^\f]*{PROMPT}")
        screen = terminal.screen()
        assert screen[0].startswith("Attack field 1"), screen
        assert any(row.startswith("Pass") for row in screen), screen
        terminal.enter()
        terminal.expect(rf"\f[^\f]*{PROMPT}")
        assert_all_in_view(terminal, "madness", "en")
        terminal.kill()


def test_news_that_are_too_many_run_on_and_the_last_are_seen() -> None:
    out = Console(width=44, file=StringIO())
    news = [f"Sentence number {number} is here." for number in range(8)]
    assert fitted(out, news, 8) == news
    whole = fitted(out, news, 7)
    assert len(whole) < 8 and " ".join(whole) == " ".join(news)
    assert fitted(out, news, 2) == [f"… {whole[-2]}", whole[-1]]
    assert fitted(out, news, 0) == []


# ---------------------------------------------------------------- the first game ever


def compilers_of(cache: Path) -> list[int]:
    """Processes that compile into this folder."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command, variables = ((folder / name).read_bytes() for name in ("cmdline", "environ"))
            if b"coyote.cli.warm" in command and f"COYOTE_CACHE={cache}".encode() in variables.split(b"\0"):
                found.append(int(folder.name))
    return found


@pytest.mark.parametrize(("game", "how"), [("madness", "quit"), ("duel", "kill")])
def test_the_first_game_does_not_wait_for_the_compiler(game: str, how: str, tmp_path: Path) -> None:
    """The same game by the same rules meanwhile, and no compiler stays behind."""
    found, cache = {}, tmp_path / "cache"
    for folder, compiled in (("plain", cache), ("compiled", None)):
        command = ("play", game, "--seed", "first ever", "--against", "5")
        with Terminal(*command, data=tmp_path / folder, cache=compiled) as terminal:
            terminal.expect(PROMPT)
            for _ in range(2):
                terminal.enter("1")
                terminal.expect(PROMPT)
            found[folder] = saved(tmp_path / folder)["moves"]
            if compiled:
                assert compilers_of(cache) and not list(cache.rglob("ready-search*"))
                assert "being prepared for the first time" in " ".join(terminal.text.split())
            if how == "kill":
                terminal.kill()
            else:
                terminal.enter("quit")
                assert terminal.wait() == 0
    assert found["plain"] == found["compiled"]
    limit = time.monotonic() + PATIENCE
    while compilers_of(cache):
        assert time.monotonic() < limit, "somebody still compiles"
        time.sleep(0.05)


# ---------------------------------------------------------------- nothing is lost


def leave(terminal: Terminal, how: str) -> None:
    if how == "ctrl-c":
        terminal.interrupt()
        terminal.expect("coyote play --resume")
        assert terminal.wait() == 0
    elif how == "ctrl-d":
        terminal.type("\x04")
        terminal.expect("coyote play --resume")
        assert terminal.wait() == 0
    elif how == "hangup":
        terminal.close()
        terminal.process.wait(60)
    else:
        terminal.kill()


@pytest.mark.parametrize("how", ["ctrl-c", "ctrl-d", "hangup", "kill"])
def test_a_game_goes_on_where_it_was_left(how: str, data: Path) -> None:
    """Left after 0, 1 and 3 decisions, always the same way: every move made is there again."""
    mine: list[str] = []
    command: tuple[str, ...] = ("play", "madness", "--seed", "resume", "--edition", "classic")
    for decisions in (0, 1, 3):
        with Terminal(*command, data=data) as terminal:
            terminal.expect(PROMPT)
            before = saved(data)
            for _ in range(decisions):
                terminal.enter("2")
                terminal.expect(PROMPT)
            found = saved(data)
            leave(terminal, how)
        assert saved(data) == found, "what was on the screen is in the file"
        assert found["moves"][: len(before["moves"])] == before["moves"]
        seat = found["players"].index("human")
        mine_now = [move for who, move in found["moves"] if who == seat]
        assert mine_now[: len(mine)] == mine and len(mine_now) == len(mine) + decisions
        mine, command = mine_now, ("play", "--resume")
    with Terminal(*command, data=data) as terminal:
        terminal.expect(PROMPT)
        finish(terminal)
        assert terminal.wait() == 0
    record = kept(data)
    assert record["moves"][: len(found["moves"])] == found["moves"]
    assert record["options"] == {"edition": "classic"}
    assert follow(record).over


@pytest.mark.parametrize("wait", [False, True])
def test_killed_in_the_middle_of_a_move(wait: bool, data: Path) -> None:
    """Killed right after Enter: the move is there whole or not at all, and the file can be read."""
    command: tuple[str, ...] = ("play", "madness", "--seed", "killed")
    made = 0
    for _ in range(4):
        with Terminal(*command, data=data) as terminal:
            terminal.expect(PROMPT)
            before = len(saved(data)["moves"])
            assert before >= made
            terminal.enter("1")
            if wait:
                terminal.expect("1\n")
            terminal.kill()
        made = len(saved(data)["moves"])
        assert made >= before
        command = ("play", "--resume")
    match = Match("madness", seed="killed")
    for seat, move in saved(data)["moves"]:
        match.play(move, seat)


def test_resume_takes_the_game_played_last_and_keeps_its_language(data: Path) -> None:
    for seed in ("first", "second"):
        with Terminal("play", "madness", "--seed", seed, "--lang", "ru", data=data) as terminal:
            terminal.expect(PROMPT)
            terminal.enter("выход")
            terminal.wait()
    with Terminal("play", "--resume", data=data) as terminal:
        terminal.expect(PROMPT)
        terminal.enter("1")
        terminal.expect(PROMPT)
        terminal.kill()
    saves = {path: json.loads(path.read_text()) for path in (data / "games").glob("*.game.json")}
    human = {
        found["seed"]: [m for s, m in found["moves"] if found["players"][s] == "human"]
        for found in saves.values()
    }
    assert [len(human[Match("madness", seed=seed).seed or ""]) for seed in ("first", "second")] == [0, 1]


# ---------------------------------------------------------------- house rules

MADNESS_HOUSE = ["goal=7", "fields=4", "hand=8", "chance=no"]
DUEL_HOUSE = ["health=30", "hand=2", "hand-limit=2"]


@pytest.mark.parametrize(
    ("game", "options", "lang", "title"),
    [
        ("madness", MADNESS_HOUSE, "en", "Madness · standard · goal 7 · hands of 8 · 4 fields · "),
        ("duel", DUEL_HOUSE, "ru", "Дуэль · здоровье 30 · раздача по 2 · в руке до 2 · core · "),
    ],
)
def test_a_game_by_house_rules_is_played_left_and_played_on(
    game: str, options: list[str], lang: str, title: str, data: Path
) -> None:
    given = [part for option in options for part in ("--option", option)]
    command = ("play", game, "--seed", "house", "--against", "1", *given)
    wanted: Any = dict(option.split("=") for option in options)
    made = make_game(game, **wanted)
    with Terminal(*command, data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        assert title in terminal.text
        terminal.enter("1")
        terminal.expect(PROMPT)
        terminal.enter("quit")
        assert terminal.wait() == 0
    found = saved(data)
    assert (found["options"], found["rules"]) == (made.options, made.rules_version)
    with Terminal("play", "--resume", data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        assert title in terminal.text
        assert saved(data) == found
        finish(terminal, lang)
        assert terminal.wait() == 0
    record = kept(data)
    assert (record["options"], record["rules"]) == (made.options, made.rules_version)
    assert record["moves"][: len(found["moves"])] == found["moves"]
    assert follow(record).over


@pytest.mark.parametrize("place", [0, 1], ids=["madness", "duel"])
def test_a_game_saved_by_the_first_version_goes_on_by_the_rules_it_began_with(place: int, data: Path) -> None:
    """A save from before house rules: without versions, and the set of cards beside the decks."""
    text = (Path(__file__).parent / "data" / "saves-1.jsonl").read_text(encoding="utf-8").splitlines()[place]
    (data / "games").mkdir(parents=True)
    (data / "games" / "2026-01-01-000000-1.game.json").write_text(text, encoding="utf-8")
    before = json.loads(text)
    assert "rules" not in before and "public" not in before
    lang = before["table"]["lang"]
    with Terminal("play", "--resume", data=data) as terminal:
        terminal.expect(PROMPT)
        terminal.enter("1")
        terminal.expect(PROMPT)
        found = saved(data)
        assert found["rules"] == 1 and found["moves"][: len(before["moves"])] == before["moves"]
        finish(terminal, lang)
        assert terminal.wait() == 0
    record = kept(data)
    assert record["rules"] == 1 and record["seed"] == before["seed"]
    if before["game"] == "duel":
        texts = [{card["id"]: card["text"] for card in found["cards"]} for found in
                 (record["set"], before["setup"]["set"])]  # fmt: skip
        assert texts[0].items() <= texts[1].items() and record["options"] == {"open-lists": "yes"}
        assert sorted(record["decks"][0]) == sorted(before["setup"]["decks"][0])
    assert follow(record).over


NAMES = {
    "short": ["You", "Pup"],
    "players": ["Первый игрок", "Второй игрок"],
    "long": ["First player (search:2000)", "Second player (cmd:python bots/mine.py --level 7)"],
}


def drawn(match: Match, lang: str, names: list[str], seat: int, open_hands: bool = False) -> str:
    out = Console(width=100, file=StringIO(), highlight=False)
    table = table_for(match.game, Words(lang), names)
    out.print(table.draw(match.view_json(seat), match.hands if open_hands else None))
    assert isinstance(out.file, StringIO)
    return out.file.getvalue()


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "house",
    [
        {"fields": 1, "goal": 1, "hand": 1, "jokers": 0},
        {"fields": 2, "goal": 20, "komi": 5, "hand": 10, "extra": 3},
        {"fields": 3, "goal": 13, "hand": 10, "starvation": "no"},
        {"fields": 4, "goal": 20, "hand": 10, "edition": "classic", "field-points": 3, "chance": "no"},
    ],
    ids=["one", "two", "three", "four"],
)
def test_the_table_has_room_for_any_house_rules(house: Any, lang: str, names: list[str]) -> None:
    """78 columns: every field, the rope to any goal, and hands of any size, with nothing cut off."""
    words, rng = Words(lang), Random("tables")
    match = Match("madness", seed="tables", **house)
    for number in range(60):
        looked_at = number % 4 == 0 or match.over  # from one choice to the next little is different
        for seat, open_hands in ((0, False), (1, False), (SPECTATOR, True)) if looked_at else ():
            text = drawn(match, lang, names, seat, open_hands)
            assert max(map(cell_len, text.splitlines())) <= 78
            assert "…" not in text.replace(names[0], "").replace(names[1], "")
            said = " ".join(text.split())
            assert said.startswith(game_title(match.game, lang))
            for field in range(1, 5):
                assert (words("table.field", field=field) in text) == (field <= house["fields"])
            assert len(re.findall("[■□]", text)) == 2 * house["goal"]
            assert text.count("■") == abs(match.score)
            for owner in (0, 1) if open_hands else (seat,):
                assert all(words.card(card) in text for card in match.hands[owner])
        if match.over:
            return
        hoard = [move for move in match.legal() if move in ("pass", "draw", "decline")]
        match.play(hoard[0] if hoard and rng.random() < 0.7 else rng.choice(match.legal()))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("health", [1, 40, 100, 500])
def test_the_bars_of_a_duel_are_as_long_as_the_health_there_was(health: int, lang: str) -> None:
    house: Any = {"health": health, "hand": 7, "hand-limit": 10, "copies": 4, "deck-max": 40}
    match, rng = Match("duel", seed="bars", decks=("random", "random"), **house), Random("bars")
    assert drawn(match, lang, ["A", "B"], 0).count("█") == 80
    for _ in range(30):
        view = match.view_json(0)
        text = drawn(match, lang, ["A", "B"], 0)
        bars = [row for row in text.splitlines() if re.search(r"\d+/\d+$", row)]
        for seat, row in zip((1, 0), bars, strict=True):
            full, most = view["health"][seat], view["max"][seat]
            assert row.endswith(f" {full}/{most}")
            assert row.count("█") == max(0, round(40 * full / health))
            assert row.count("█") + row.count("░") == max(0, round(40 * most / health), row.count("█"))
        assert all(card in text for card in view["hand"])
        assert max(map(cell_len, text.splitlines())) <= 100
        if match.over:
            return
        for seat in match.actors:
            match.play(rng.choice(match.legal(seat)), seat)


# ---------------------------------------------------------------- two at one keyboard


@pytest.mark.parametrize(("lang", "edition"), [("en", "classic"), ("ru", "standard")])
def test_two_people_never_see_each_others_cards(lang: str, edition: str, data: Path) -> None:
    """Every screen is emulated: what stands on it since the last clearing, and who sits there."""
    command = ("play", "madness", "--against", "human", "--seed", "hot seat", "--edition", edition)
    words = Words(lang)
    match = Match("madness", seed="hot seat", edition=edition)
    ready, prompt, over = re.escape(HAND_OVER[lang]), PROMPT, KEPT[lang]
    shown: int | None = None
    with Terminal(*command, data=data, locale=LANGS[lang]) as terminal:
        while not match.over:
            (seat,) = match.actors
            if seat != shown:
                terminal.expect(ready)
                covered = terminal.text.split(CLEAR)[-1]
                assert words.find("play.players")[seat] in covered
                assert not re.search("[♣♦♥♠★☆]", covered) and not CARD_ROW.search(covered), covered
                terminal.enter()
                shown = seat
            terminal.expect(prompt)
            screen = terminal.text.split(CLEAR)[-1]
            hands = match.hands
            for card in hands[1 - seat]:
                assert not re.search(rf"(?<!\d){re.escape(words.card(card))}", screen), (card, screen)
                assert not any(card in row.split() for row in CARD_ROW.findall(screen))
            for card in hands[seat]:
                assert words.card(card) in screen
            legal = match.legal_actions(seat)
            choice = len(match.moves) * 7 % len(legal)
            terminal.enter(str(choice + 1))
            match.play_action(legal[choice], seat)
        terminal.expect(over)
        assert terminal.wait() == 0
        assert "\x1b[3J" in terminal.raw.decode(), "the scrollback is cleared too"
    record = kept(data)
    assert record["players"] == ["human", "human"]
    assert record["moves"] == [list(move) for move in match.moves]


def test_two_people_resume_with_the_cards_hidden(data: Path) -> None:
    command = ("play", "madness", "--against", "human", "--seed", "hot resume")
    with Terminal(*command, data=data) as terminal:
        terminal.expect(HAND_OVER["en"])
        terminal.enter()
        terminal.expect(PROMPT)
        terminal.enter("1")
        terminal.expect(PROMPT)
        terminal.interrupt()
        terminal.expect("coyote play --resume")
        assert terminal.wait() == 0
    with Terminal("play", "--resume", data=data) as terminal:
        terminal.expect(HAND_OVER["en"])
        assert not re.search("[♣♦♥♠]", terminal.text)
        terminal.enter()
        terminal.expect(PROMPT)
        assert [seat for seat, _ in saved(data)["moves"]] == [0]
