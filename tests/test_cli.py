"""Every command as a user runs it: what it prints, what it writes, and how it says what is wrong."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from coyote import __version__
from coyote.cli.main import COMMANDS
from coyote.games.game import NO_SETUP
from coyote.games.madness.game import Madness
from coyote.games.registry import GAMES, make_game
from coyote.lab.simulate import records
from coyote.records import follow, read_records, record_line, write_records
from coyote.text import Words
from kit.play import EDITIONS
from kit.terminal import CLEAR, COYOTE, ENGLISH, RUSSIAN, Terminal, coyote, environment

BOTS = ["random", "random"]
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file of three traced games."""
    path = tmp_path / "games.jsonl"
    write_records(path, records(Madness(), NO_SETUP, BOTS, 3, "cli", trace=True))
    return path


def files_under(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---------------------------------------------------------------- help


def test_help_names_every_command(data: Path) -> None:
    done = coyote("--help", data=data)
    assert done.returncode == 0 and done.stderr == ""
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("command", ["play", "simulate", "replay", "check", "rules", "options", "bench"])
def test_every_command_has_help(command: str, data: Path) -> None:
    done = coyote(command, "-h", data=data)
    assert done.returncode == 0 and done.stderr == ""
    assert Words("en")(f"cli.{command}") in done.stdout
    assert not CYRILLIC.search(done.stdout)


def test_help_is_russian_under_a_russian_locale(data: Path) -> None:
    done = coyote("simulate", "--help", data=data, locale=RUSSIAN)
    assert done.returncode == 0
    assert Words("ru")("cli.simulate") in done.stdout
    assert "Show this message" not in done.stdout
    assert "Usage" not in done.stdout


@pytest.mark.parametrize(("lang", "locale"), [("en", ENGLISH), ("ru", RUSSIAN)])
def test_help_and_fault_name_the_opponents(lang: str, locale: str, data: Path) -> None:
    words = Words(lang)
    helped = coyote("play", "--help", data=data, locale=locale).stdout
    refused = coyote("play", "duel", "--against", "?", data=data, locale=locale).stderr
    for number in "12345":
        name = words(f"level.{number}")
        assert re.search(rf"^ +{number}  {name} +{words.find('level.about')[number]}$", helped, re.MULTILINE)
        assert f"{number} {name}" in refused


def test_bare_command_shows_the_help(data: Path) -> None:
    done = coyote(data=data)
    assert "simulate" in done.stdout + done.stderr
    assert "coyote: Usage" not in done.stderr


def test_version(data: Path) -> None:
    done = coyote("--version", data=data)
    assert done.returncode == 0
    assert __version__ in done.stdout


# ---------------------------------------------------------------- simulate


@pytest.mark.parametrize("edition", EDITIONS)
def test_simulate_prints_json_for_programs(edition: str, data: Path) -> None:
    command = ("simulate", "madness", "--games", "500", "--seed", "s", "--option", f"edition={edition}")
    done = coyote(*command, "--json", data=data)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert list(found) == [
        "game", "options", "seed", "bots", "games", "wins", "draws", "ends", "turns", "decisions", "points",
        "seconds",
    ]  # fmt: skip
    assert (found["game"], found["options"], found["seed"]) == ("madness", {"edition": edition}, "s")
    assert (found["bots"], found["games"]) == (BOTS, 500)
    assert len(found["wins"]) == 2
    for share in (*found["wins"], found["draws"]):
        assert list(share) == ["games", "share", "low", "high"]
        assert 0 <= share["low"] <= share["share"] <= share["high"] <= 1
    assert sum(share["games"] for share in (*found["wins"], found["draws"])) == 500
    assert list(found["ends"]) == ["lead", "starvation", "endurance", "stall"]
    assert sum(found["ends"].values()) == 500
    assert list(found["turns"]) == ["mean", "least", "median", "most"]
    assert {source: len(seats) for source, seats in found["points"].items()} == {
        "field": 2, "boss": 2, "round": 2, "hand": 2,
    }  # fmt: skip
    again = json.loads(coyote(*command, "--json", data=data).stdout)
    assert {**again, "seconds": 0} == {**found, "seconds": 0}


def test_simulate_prints_a_summary_for_people(data: Path) -> None:
    done = coyote("simulate", "madness", "--games", "300", "--seed", "s", "--edition", "classic", data=data)
    assert done.returncode == 0
    words = Words("en")
    for part in (
        words("madness.name"),
        words("madness.edition.classic"),
        "300 games",
        words("simulate.winner"),
        "[95 % interval]",
        *(words(f"reason.{reason}") for reason in Madness.REASONS),
        *(words(f"source.{source}") for source in Madness.SOURCES),
        "decisions a game",
    ):
        assert part in done.stdout


@pytest.mark.parametrize(("lang", "thousands", "point"), [("en", ",", "."), ("ru", "\u00a0", ",")])
def test_numbers_are_written_as_the_language_writes_them(
    lang: str, thousands: str, point: str, data: Path
) -> None:
    command = ("simulate", "madness", "--games", "6000", "--seed", "s", "--lang", lang)
    said = coyote(*command, data=data).stdout
    found = json.loads(coyote(*command, "--json", data=data).stdout)
    won, points = found["wins"][0], found["points"]["boss"][0] / 6000
    assert f"{won['games'] // 1000}{thousands}{won['games'] % 1000:03}" in said
    assert f"{100 * won['share']:.2f} %".replace(".", point) in said
    assert f"{points:.3f}".replace(".", point) in said
    assert f"{found['turns']['mean']:.1f}".replace(".", point) in said
    speed = coyote("bench", "duel", "--seconds", "0.1", "--lang", lang, data=data).stdout
    assert re.search(rf"\d{thousands}\d{{3}}\D", speed)


def test_simulate_speaks_russian_when_asked_or_by_locale(data: Path) -> None:
    by_lang = coyote("simulate", "madness", "--games", "121", "--seed", "s", "--lang", "ru", data=data)
    by_locale = coyote("simulate", "madness", "--games", "121", "--seed", "s", data=data, locale=RUSSIAN)
    for done in (by_lang, by_locale):
        assert done.returncode == 0
        assert "Мэднесс · стандартная · " in done.stdout and "121 партия" in done.stdout
    english = coyote(
        "simulate", "madness", "--games", "2", "--seed", "s", "--lang", "en", data=data, locale=RUSSIAN
    )
    assert not CYRILLIC.search(english.stdout)


@pytest.mark.parametrize("options", [[], ["--trace"], ["--option", "edition=classic", "--trace"]])
def test_simulate_writes_records(options: list[str], tmp_path: Path, data: Path) -> None:
    path = tmp_path / "games.jsonl"
    command = ("simulate", "madness", "--games", "7", "--seed", "s", "--bots", "random,random", *options)
    done = coyote(*command, "--records", path, data=data)
    assert done.returncode == 0 and done.stdout == ""
    assert done.stderr.strip() == f"7 games written to {path}."
    edition = "classic" if "edition=classic" in options else "standard"
    wanted = records(Madness(edition=edition), NO_SETUP, BOTS, 7, "s", trace="--trace" in options)
    assert path.read_text(encoding="utf-8") == "".join(record_line(record) for record in wanted)
    first = path.read_bytes()
    coyote(*command, "--records", path, data=data)
    assert path.read_bytes() == first, "the same command writes the same file"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["games.jsonl"]
    checked = coyote("check", path, data=data)
    assert checked.returncode == 0


def test_without_a_seed_every_run_is_another(data: Path) -> None:
    runs = [
        json.loads(coyote("simulate", "madness", "--games", "9", "--json", data=data).stdout) for _ in "ab"
    ]
    assert runs[0]["seed"] != runs[1]["seed"]


def test_ctrl_c_while_records_are_written_leaves_what_was_there(tmp_path: Path, data: Path) -> None:
    """Interrupted as soon as the hidden file is there: it goes, and the old one stays."""
    path = tmp_path / "games.jsonl"
    path.write_text("old\n")
    command = [
        str(COYOTE),
        "simulate",
        "madness",
        "--games",
        "1000000",
        "--seed",
        "s",
        "--records",
        str(path),
    ]
    process = subprocess.Popen(command, env=environment(data), stderr=subprocess.PIPE, text=True)
    limit = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < limit:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert files_under(tmp_path) == {"games.jsonl": b"old\n"}


# ---------------------------------------------------------------- house rules


@pytest.mark.parametrize(("lang", "locale"), [("en", ENGLISH), ("ru", RUSSIAN)])
@pytest.mark.parametrize("game", GAMES)
def test_options_tells_every_house_rule_in_plain_words(game: str, lang: str, locale: str, data: Path) -> None:
    """Its name, its bounds, what the editions have, and what it is."""
    done = coyote("options", game, data=data, locale=locale)
    assert done.returncode == 0 and done.stderr == ""
    words, kind = Words(lang), GAMES[game]
    parts = re.split(rf"(?m)^(?={'|'.join(f'{option.name} ' for option in kind.OPTIONS)})", done.stdout)
    assert len(parts) == 1 + len(kind.OPTIONS)
    for option, part in zip(kind.OPTIONS, parts[1:], strict=True):
        key, said, cells = f"{game}.option.{option.name}", " ".join(part.split()), part.split()
        assert words(f"{key}.title") in said and f"({option.rule})" in said
        assert words(f"{key}.about").split()[-1] in cells
        usual = [str(edition[option.name]) for edition in kind.EDITIONS.values()]
        if isinstance(option.allowed, range):
            assert cells[:2] == [option.name, f"{option.allowed[0]}–{option.allowed[-1]}"]
        else:
            assert cells[:2] == [option.name, option.allowed[0]]
            assert all(choice in cells for choice in option.allowed)
            if not option.is_switch:
                assert all(words(f"{key}.choice.{choice}") in said for choice in option.allowed)
        assert cells[2 : 2 + len(usual)] == usual
    assert bool(CYRILLIC.search(done.stdout)) == (lang == "ru")
    assert max(map(len, done.stdout.splitlines())) <= 140


def test_options_of_one_edition_and_for_programs(data: Path) -> None:
    done = coyote("options", "madness", "--edition", "classic", data=data)
    assert done.returncode == 0 and "standard" not in done.stdout
    found = json.loads(coyote("options", "madness", "--json", data=data).stdout)
    assert found["game"] == "madness"
    assert [option["name"] for option in found["options"]] == [option.name for option in Madness.OPTIONS]
    goal, close = found["options"][0], found["options"][7]
    assert (goal["least"], goal["most"], goal["rule"]) == (1, 20, "M10")
    assert goal["usual"] == {"standard": 5, "classic": 6}
    assert list(close["choices"]) == ["empty", "open", "never"]


WRONG = ["goal=99", "flieds=2", "close=maybe", "komi", "hand=3", "hand=4", "rules=1"]
COMMANDS_WITH_OPTIONS = [["play"], ["simulate"], ["bench"], ["match", "random", "random"]]


@pytest.mark.parametrize(("lang", "locale"), [("en", ENGLISH), ("ru", RUSSIAN)])
@pytest.mark.parametrize("command", COMMANDS_WITH_OPTIONS, ids=lambda command: command[0])
def test_every_fault_of_the_options_is_told_at_once_and_nothing_is_changed(
    command: list[str], lang: str, locale: str, tmp_path: Path, data: Path
) -> None:
    given = [part for option in WRONG for part in ("--option", option)]
    name, *rest = command
    done = coyote(name, "madness", *rest, *given, data=data, locale=locale, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    words = Words(lang)
    for sentence in (
        words("option.range", name="goal", value="99", least=1, most=20),
        words("option.unknown_near", name="flieds", near="fields", known="").rstrip(),
        words("option.value", name="close", value="maybe", known="empty, open, never"),
        words("fault.key_value", text="komi"),
        words("fault.option_twice", name="hand"),
        words("option.unknown", name="rules", known="").rstrip(),
    ):
        assert sentence in done.stderr
    assert done.stderr.startswith("coyote: ") and done.stderr.count("\n") == 1
    assert files_under(tmp_path) == {}


@pytest.mark.parametrize(
    ("game", "options", "sentences"),
    [
        ("madness", ["goal=3", "komi=3"], [("option.komi", {"komi": 3, "goal": 3})]),
        (
            "duel",
            ["hand=7", "hand-limit=3", "deck-min=30", "deck-max=9"],
            [
                ("option.above", {"name": "hand", "value": 7, "other": "hand-limit", "limit": 3}),
                ("option.above", {"name": "deck-min", "value": 30, "other": "deck-max", "limit": 9}),
            ],
        ),
    ],
)
@pytest.mark.parametrize(("lang", "locale"), [("en", ENGLISH), ("ru", RUSSIAN)])
def test_options_that_contradict_each_other_are_refused_each_with_its_reason(
    game: str, options: list[str], sentences: list[tuple[str, Any]], lang: str, locale: str, data: Path
) -> None:
    given = [part for option in options for part in ("--option", option)]
    done = coyote("simulate", game, "--games", "1", *given, data=data, locale=locale)
    assert (done.returncode, done.stdout) == (2, "")
    assert all(Words(lang)(key, **values) in done.stderr for key, values in sentences)
    assert files_under(data) == {} if data.exists() else True


@pytest.mark.parametrize(
    ("game", "options", "lang", "title"),
    [
        ("madness", ["goal=7", "fields=2"], "en", "Madness · standard · goal 7 · 2 fields · 20 games"),
        ("madness", ["edition=classic", "starvation=0"], "ru", "Мэднесс · классическая · без Голодания · "),
        ("duel", ["health=30", "open-lists=yes"], "en", "Duel · health 30 · open lists · 20 games"),
        ("duel", ["health=100"], "ru", "Дуэль · 20 партий"),
    ],
)
def test_simulate_names_what_differs(
    game: str, options: list[str], lang: str, title: str, tmp_path: Path, data: Path
) -> None:
    given = [part for option in options for part in ("--option", option)]
    command = ["simulate", game, "--games", "20", "--seed", "s", *given, "--lang", lang]
    done = coyote(*command, data=data)
    assert done.returncode == 0 and done.stdout.startswith(title)
    path = tmp_path / "games.jsonl"
    assert coyote(*command, "--records", path, "--trace", data=data).returncode == 0
    wanted: Any = dict(option.split("=") for option in options)
    made = make_game(game, **wanted)
    assert all(record["options"] == made.options for record in read_records(path))
    assert coyote("check", path, data=data).returncode == 0
    shown = coyote("replay", path, "--lang", lang, data=data)
    assert shown.returncode == 0 and title.rpartition(" · ")[0].rstrip(" ·") in shown.stdout


def test_bench_measures_a_variant(data: Path) -> None:
    for game, option in (("madness", "fields=1"), ("duel", "health=10"), ("duel", "deck-min=30")):
        more = ["--option", "deck-max=40"] if option == "deck-min=30" else []
        done = coyote("bench", game, "--option", option, *more, "--seconds", "0.2", "--json", data=data)
        assert done.returncode == 0 and json.loads(done.stdout)["games_per_s"] > 0


# ---------------------------------------------------------------- check


def test_check_follows_every_record(games: Path, data: Path) -> None:
    moves = sum(len(record["moves"]) for record in read_records(games))
    done = coyote("check", games, data=data)
    assert done.returncode == 0
    assert done.stdout == f"3 games followed, {moves} moves: all as the rules say.\n"
    russian = coyote("check", games, data=data, locale=RUSSIAN)
    assert russian.stdout == f"Проверено: 3 партии, ходов: {moves}. Всё по правилам.\n"


def test_check_names_game_move_and_rule(games: Path, data: Path) -> None:
    lines = games.read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[1])
    record["trace"][6]["lead"] = 3
    games.write_text("\n".join([lines[0], json.dumps(record), lines[2]]), encoding="utf-8")
    done = coyote("check", games, data=data)
    assert done.returncode == 2 and done.stdout == ""
    wanted = "coyote: game 2, move 7: lead is 3 in the trace, and 0 by the rules (M9)\n"
    assert done.stderr.replace('"', "") == wanted
    russian = coyote("check", games, "--lang", "ru", data=data)
    assert russian.stderr.startswith("coyote: партия 2, ход 7: ")


def test_check_names_a_move_that_is_not_allowed(games: Path, data: Path) -> None:
    lines = games.read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[2])
    del record["trace"]
    record["moves"][0][1] = "push"
    games.write_text("\n".join([*lines[:2], json.dumps(record)]), encoding="utf-8")
    done = coyote("check", games, data=data)
    assert done.returncode == 2
    assert done.stderr.startswith(
        'coyote: game 3, move 1: "push" is not allowed: the main action comes first'
    )
    assert done.stderr.endswith("(M14)\n") and done.stderr.count("\n") == 1


# ---------------------------------------------------------------- replay


def steps_of(text: str) -> list[str]:
    """The printed steps of a replay."""
    return re.split(r"(?m)^(?=Move \d+ of \d+$)", text)[1:]


def test_replay_prints_every_step_when_piped(games: Path, data: Path) -> None:
    record = list(read_records(games))[1]
    done = coyote("replay", games, "--game", "2", data=data)
    assert done.returncode == 0 and done.stderr == ""
    steps = steps_of(done.stdout)
    assert len(steps) == len(record["moves"]) + 1
    assert "\x1b" not in done.stdout
    match, words = follow(record), Words("en")
    names = ["First player (random)", "Second player (random)"]
    for event in match.events():
        assert words.event("madness", event, None, names) in done.stdout
    assert words(f"reason.{record['result']['reason']}") in steps[-1]


@pytest.mark.parametrize("viewer", [0, 1])
def test_replay_shows_a_seat_only_what_it_may_know(viewer: int, games: Path, data: Path) -> None:
    """At no step is a card on the paper that lies in the other hand then."""
    record = next(iter(read_records(games)))
    done = coyote("replay", games, "--view", str(viewer), data=data)
    assert done.returncode == 0
    words = Words("en")
    for step, situation in zip(steps_of(done.stdout), record["trace"], strict=False):
        for card in situation["hands"][1 - viewer]:
            assert not re.search(rf"(?<!\d){re.escape(words.card(card))}", step), (card, step)
        for card in situation["hands"][viewer]:
            assert words.card(card) in step


def test_replay_of_all_shows_both_hands(games: Path, data: Path) -> None:
    record = next(iter(read_records(games)))
    done = coyote("replay", games, "--view", "all", data=data)
    for step, situation in zip(steps_of(done.stdout), record["trace"], strict=False):
        for card in situation["hands"][0] + situation["hands"][1]:
            assert Words("en").card(card) in step


@pytest.mark.parametrize("view", ["0", "1", "all"])
def test_replay_steps_forward_and_back_in_a_terminal(view: str, games: Path, data: Path) -> None:
    record = next(iter(read_records(games)))
    last = len(record["moves"])
    words = Words("en")
    with Terminal("replay", games, "--view", view, data=data) as terminal:
        place = 0
        terminal.expect(f"Move 0 of {last}\n[\\s\\S]*quit")
        for key, wanted in (
            ("n", 1), ("\x1b[C", 2), (" ", 3), ("\r", 4), ("\x1b[D", 3), ("p", 2), ("G", last), ("n", last),
            ("p", last - 1), ("g", 0), ("p", 0), ("l", 1), ("h", 0), ("?", 0), ("n", 1),
        ):  # fmt: skip
            terminal.press(key)
            shown = terminal.expect(f"{CLEAR}Move {wanted} of {last}\n[\\s\\S]*?quit")[0]
            place = wanted
            if view != "all" and place < last:
                for card in record["trace"][place]["hands"][1 - int(view)]:
                    assert not re.search(rf"(?<!\d){re.escape(words.card(card))}", shown)
        terminal.press("q")
        assert terminal.wait() == 0


def test_replay_speaks_russian(games: Path, data: Path) -> None:
    done = coyote("replay", games, data=data, locale=RUSSIAN)
    assert done.returncode == 0
    assert "Ход 1 из" in done.stdout and "Первый игрок (random)" in done.stdout
    assert "Партию выигрывает " in done.stdout


# ---------------------------------------------------------------- rules and bench


@pytest.mark.parametrize(
    ("lang", "edition", "has", "lacks"),
    [
        ("en", "standard", "The winning lead is 5", "Classic."),
        ("en", "classic", "The winning lead is 6", "Standard."),
        ("ru", "standard", "Стандарт.", "Классика."),
        ("ru", "classic", "Классика.", "Стандарт."),
    ],
)
def test_rules_prints_the_rulebook(lang: str, edition: str, has: str, lacks: str, data: Path) -> None:
    done = coyote("rules", "madness", "--lang", lang, "--edition", edition, data=data)
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert has in text and lacks not in text
    assert all(f"M{number} ·" in text for number in range(1, 26))


def test_rules_prints_one_rule(data: Path) -> None:
    done = coyote("rules", "madness", "m12", data=data)
    assert done.returncode == 0
    assert done.stdout.lstrip().startswith("M12 · Settling")
    assert "M13 ·" not in done.stdout


def test_bench_tells_two_numbers(data: Path) -> None:
    for edition in EDITIONS:
        done = coyote("bench", "madness", "--edition", edition, "--seconds", "0.2", "--json", data=data)
        assert done.returncode == 0
        found = json.loads(done.stdout)
        assert list(found) == ["decisions_per_s", "games_per_s"]
        assert found["decisions_per_s"] > found["games_per_s"] > 0
    spoken = coyote("bench", "madness", "--seconds", "0.2", data=data, locale=RUSSIAN)
    assert "в секунду" in spoken.stdout


# ---------------------------------------------------------------- what is wrong


FAULTS: dict[str, tuple[list[str], str]] = {
    "no such command": (["fly"], "fly"),
    "no such option": (["--wrong"], "--wrong"),
    "option misspelt": (["simulate", "madness", "--gmaes", "4"], "--games"),
    "game missing": (["simulate"], ""),
    "no such game": (["simulate", "chess"], "madness"),
    "no such game to play": (["play", "chess"], "madness"),
    "games none": (["simulate", "madness", "--games", "0"], "--games"),
    "games no number": (["simulate", "madness", "--games", "many"], "--games"),
    "option without its value": (["simulate", "madness", "--games"], "--games"),
    "one argument too many": (["simulate", "madness", "more"], "more"),
    "one bot": (["simulate", "madness", "--bots", "random"], "--bots"),
    "bot unknown": (["simulate", "madness", "--bots", "random,deep"], "deep"),
    "option without equals": (["simulate", "madness", "--option", "edition"], "--option"),
    "option unknown": (["simulate", "madness", "--option", "limit=7"], "limit"),
    "edition unknown": (["simulate", "madness", "--option", "edition=modern"], "modern"),
    "edition twice": (
        ["simulate", "madness", "--option", "edition=classic", "--edition", "standard"],
        "edition",
    ),
    "trace without records": (["simulate", "madness", "--trace"], "--records"),
    "records into no folder": (["simulate", "madness", "--records", "none/games.jsonl"], "none/games.jsonl"),
    "records into a folder": (["simulate", "madness", "--records", "."], ""),
    "seed no text": (["simulate", "madness", "--games", "1", "--seed", "\udcff"], ""),
    "file missing": (["check"], ""),
    "no such file": (["check", "none.jsonl"], "none.jsonl"),
    "a folder": (["check", "."], ""),
    "binary": (["check", "binary"], "binary"),
    "empty": (["check", "empty"], "empty"),
    "not JSON": (["check", "text"], "JSON"),
    "no record": (["check", "other"], "coyote-record/1"),
    "replay: no such file": (["replay", "none.jsonl"], "none.jsonl"),
    "replay: broken": (["replay", "other"], "coyote-record/1"),
    "replay: no such game": (["replay", "games.jsonl", "--game", "4"], "4"),
    "replay: game none": (["replay", "games.jsonl", "--game", "0"], "--game"),
    "replay: no such view": (["replay", "games.jsonl", "--view", "2"], "--view"),
    "no such rule": (["rules", "madness", "M26"], "M26"),
    "seconds none": (["bench", "madness", "--seconds", "0"], "--seconds"),
    "language unknown": (["rules", "madness", "--lang", "de"], "--lang"),
    "play: no game named": (["play"], "madness"),
    "play: nothing to resume": (["play", "--resume"], ""),
    "play: resume and more": (["play", "madness", "--resume"], "--resume"),
    "play: no such opponent": (["play", "madness", "--against", "cat"], "cat"),
    "play: no such level": (["play", "madness", "--against", "8"], "--against"),
    "play: no such search": (["play", "duel", "--against", "search:fast"], "search:2000"),
}


IN_RUSSIAN = (
    "no such command", "option misspelt", "game missing", "no such game", "games none", "games no number",
    "option without its value", "one argument too many", "bot unknown", "edition unknown",
    "records into no folder", "not JSON", "no record", "replay: no such game", "replay: no such view",
    "no such rule", "play: nothing to resume", "play: no such opponent",
)  # fmt: skip


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_one_sentence_and_nothing_is_written(kind: str, tmp_path: Path, data: Path) -> None:
    assert_one_sentence(kind, ENGLISH, tmp_path, data)


@pytest.mark.parametrize("kind", IN_RUSSIAN)
def test_a_fault_is_a_russian_sentence_under_a_russian_locale(kind: str, tmp_path: Path, data: Path) -> None:
    assert_one_sentence(kind, RUSSIAN, tmp_path, data)


def assert_one_sentence(kind: str, locale: str, tmp_path: Path, data: Path) -> None:
    arguments, part = FAULTS[kind]
    write_records(tmp_path / "games.jsonl", records(Madness(), NO_SETUP, BOTS, 3, "cli"))
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_text("once upon a time\n")
    (tmp_path / "other").write_text('{"format": "chess/1"}\n')
    before = files_under(tmp_path)
    done = coyote(*arguments, data=data, locale=locale, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("coyote: ") and done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1, done.stderr
    assert part in done.stderr
    assert "Traceback" not in done.stderr
    internal = Words("ru" if locale == RUSSIAN else "en").find("fault.internal").split("(")[0].strip()
    assert internal not in done.stderr
    assert bool(CYRILLIC.search(done.stderr)) == (locale == RUSSIAN), done.stderr
    assert files_under(tmp_path) == before


def test_lang_is_the_language_of_faults_too(tmp_path: Path, data: Path) -> None:
    done = coyote("check", "none", "--lang", "ru", data=data, cwd=tmp_path)
    assert done.stderr == "coyote: none: нет такого файла или папки\n"
    done = coyote("check", "none", "--lang", "en", data=data, locale=RUSSIAN, cwd=tmp_path)
    assert done.stderr == "coyote: none: there is no such file or folder\n"


def test_a_reader_that_goes_away_is_no_fault(games: Path, data: Path) -> None:
    """`coyote replay … | head -1` ends quietly."""
    command = f"'{COYOTE}' replay '{games}' | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], env=environment(data), capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout.startswith("Move 0 of")


def test_a_broken_save_is_named(data: Path) -> None:
    (data / "games").mkdir(parents=True)
    save = data / "games" / "2026-01-01-000000-1.game.json"
    for broken in ('{"game": "madness"}', "{", "[]", '"x"', "7"):
        save.write_text(broken)
        done = coyote("play", "--resume", data=data)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1 and str(save) in done.stderr
        assert save.read_text() == broken
