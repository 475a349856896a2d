"""`coyote lab` as a user runs it: spec files, faults, resuming, reports."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from coyote.cli.lab import QUESTIONS
from coyote.cli.warm import with_bar
from coyote.text import Words
from kit.terminal import COYOTE, RUSSIAN, coyote, environment

SMALL = ("--bots", "random,random", "--games", "60", "--weigh", "0", "--seed", "s")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def without_time(text: str) -> dict[str, object]:
    found = json.loads(text)
    return {key: value for key, value in found.items() if key not in ("seconds", "command")}


# ---------------------------------------------------------------- help


def test_the_group_lists_its_questions(data: Path) -> None:
    done = coyote("lab", "--help", data=data)
    assert done.returncode == 0 and done.stderr == ""
    for question in QUESTIONS:
        assert re.search(rf"^  {question} ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_help_in_both_languages(question: str, data: Path) -> None:
    assert "--out" in coyote("lab", question, "--help", data=data).stdout
    assert Words("ru")("cli.out")[:20] in coyote("lab", question, "--help", data=data, locale=RUSSIAN).stdout


# ---------------------------------------------------------------- answers


def test_a_sweep_is_json_for_programs(data: Path) -> None:
    done = coyote("lab", "sweep", "madness", "--vary", "goal=4,5", *SMALL, "--json", data=data)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == [
        "question", "seed", "game", "rules", "options", "bots", "vary", "each", "most", "within", "weighed",
        "base", "settled", "variants", "command", "seconds",
    ]  # fmt: skip
    assert found["vary"] == {"goal": [4, 5]} and found["base"] == 1
    for variant in found["variants"]:
        assert list(variant) == [
            "options", "games", "first_seat", "draws", "ends", "turns", "lead_changes", "comebacks", "behind",
            "half_time", "points", "decisions", "choices", "forced", "moves", "difference",
        ]  # fmt: skip
        for known in (variant["first_seat"], variant["draws"], variant["turns"], variant["difference"]):
            assert known["low"] <= known["mean"] <= known["high"]
    assert found["command"].startswith("coyote lab sweep madness --vary goal=4,5")


def test_a_sweep_is_told_in_the_terminal_and_written_as_a_report(data: Path, tmp_path: Path) -> None:
    report = tmp_path / "goal.html"
    command = (
        "lab",
        "sweep",
        "madness",
        "--vary",
        "goal=4,5",
        *SMALL,
        "--report",
        str(report),
        "--lang",
        "ru",
    )
    pictures = tmp_path / "pictures"
    done = coyote(*command, "--table", "https://table.example", "--pictures", str(pictures), data=data)
    assert done.returncode == 0, done.stderr
    drawn = sorted(pictures.iterdir())
    assert [path.name for path in drawn] == [f"{number}.svg" for number in range(1, 8)]
    assert all(ElementTree.parse(path).getroot().tag.endswith("svg") for path in drawn)
    assert Words("ru")("lab.sweep.first_seat") in done.stdout
    assert str(report) in done.stderr
    html = report.read_text(encoding="utf-8")
    assert "https://table.example/?game=madness&amp;edition=standard&amp;goal=4" in html
    assert Words("ru")("lab.sweep.seats") in html and len(html.encode()) < 150_000


def test_options_can_be_varied_one_by_one(data: Path) -> None:
    vary = ("--vary", "goal=4,5", "--vary", "komi=1")
    done = coyote("lab", "sweep", "madness", *vary, "--each", *SMALL, "--json", data=data)
    found = [variant["options"] for variant in json.loads(done.stdout)["variants"]]
    standard = {"edition": "standard"}
    assert found == [standard, {**standard, "goal": 4}, {**standard, "komi": 1}]


def test_amounts_of_cards_are_tuned_to_sets_that_can_be_played(data: Path, tmp_path: Path) -> None:
    spec = write(
        tmp_path / "cards.toml",
        """game = "duel"
decks = "oasis,briar,pack"
bots = ["random", "random"]
trials = 4
games = 60
fresh = 60
seed = "s"
[amounts]
ember = "30..40"
thorns.2 = "20,30"
[target]
turns = "5..8"
ends.health = "50.."
""",
    )
    report = tmp_path / "cards.html"
    done = coyote("lab", "tune", spec, "--report", str(report), "--json", data=data)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["amounts"] == {"ember.1": list(range(30, 41)), "thorns.2": [20, 30]}
    last = found["front"][-1]["set"]
    assert (
        last["file"] == str(tmp_path / f"cards-{len(found['front'])}.toml")
        and last["file"] in report.read_text()
    )
    checked = coyote("cards", "check", last["file"], data=data)
    assert checked.returncode == 0, checked.stderr
    codes = last["codes"]
    assert list(codes) == ["oasis", "briar", "pack"]
    simulated = coyote(
        "simulate", "duel", "--set", last["file"], "--decks", f"{codes['oasis']},{codes['briar']}",
        "--games", "5",
        data=data,
    )  # fmt: skip
    assert simulated.returncode == 0, simulated.stderr


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('ember = "8..x"', ":4: --amounts takes CARD.NUMBER=VALUES"),
        ('mirage.3 = "8..9"', ":4: there is no amount mirage.3; there is: mirage.1, mirage.2"),
        ('"ember.1" = "900..1100"', ":4: ember.1 is a number from 0 to 999 (D20)"),
        ('comet = "-1..+1"', ":4: comet is in none of the decks that play"),
    ],
)
def test_wrong_amounts_are_told_with_their_line(line: str, sentence: str, data: Path, tmp_path: Path) -> None:
    spec = write(tmp_path / "x.toml", f'game = "duel"\ntarget = ["turns=5..8"]\n[amounts]\n{line}\n')
    done = coyote("lab", "tune", spec, data=data)
    assert done.returncode == 2 and done.stdout == ""
    assert f"{spec}{sentence}" in done.stderr


def test_a_game_without_cards_has_no_amounts(data: Path) -> None:
    done = coyote("lab", "tune", "madness", "--amounts", "ember=8..9", "--target", "turns=5..8", data=data)
    assert done.returncode == 2 and "--amounts is for the duel" in done.stderr


def test_tune_and_preview_answer(data: Path, tmp_path: Path) -> None:
    tuned = coyote(
        "lab", "tune", "madness", "--vary", "komi=0..2", "--target", "first-seat=30..40", "--bots",
        "random,random", "--trials", "2", "--games", "30", "--fresh", "30", "--seed", "s", "--json",
        data=data,
    )  # fmt: skip
    assert tuned.returncode == 0, tuned.stderr
    assert json.loads(tuned.stdout)["front"][0]["fresh"]["games"] == 30
    games = tmp_path / "games.jsonl"
    coyote("simulate", "madness", "--games", "3", "--seed", "s", "--records", str(games), data=data)
    previewed = coyote("lab", "preview", str(games), "--option", "goal=2", "--json", data=data)
    assert previewed.returncode == 0, previewed.stderr
    assert json.loads(previewed.stdout)["total"] == 3
    assert coyote("lab", "preview", str(games), "--option", "goal=2", data=data).stdout


# ---------------------------------------------------------------- spec files


def test_a_spec_file_has_the_flags_by_their_names(data: Path, tmp_path: Path) -> None:
    spec = write(
        tmp_path / "goal.toml",
        'game = "madness"\nedition = "classic"\nbots = ["random", "random"]\ngames = 60\n'
        'weigh = 0\nseed = "s"\n'
        '[option]\njokers = 1\nchance = false\n[vary]\ngoal = [4, 5]\nkomi = "0..1"\n',
    )
    filed = coyote("lab", "sweep", spec, "--json", data=data)
    assert filed.returncode == 0, filed.stderr
    flags = ("--edition", "classic", "--option", "jokers=1", "--option", "chance=no", "--vary", "goal=4,5")
    typed = coyote("lab", "sweep", "madness", *flags, "--vary", "komi=0..1", *SMALL, "--json", data=data)
    assert without_time(filed.stdout) == without_time(typed.stdout)
    fewer = coyote("lab", "sweep", spec, "--games", "20", "--vary", "goal=7", "--json", data=data)
    found = json.loads(fewer.stdout)
    assert (found["most"], found["vary"]) == (20, {"goal": [7]}), "a flag counts for more than the file"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("gmaes = 5", "3: unknown key «gmaes» — did you mean «games»?"),
        ("games = 0", "3: «games»: --games must be a number from 1 to 100000000"),
        ("games = [5, {}]", "3: «games» must be a number, a text, or a list of them"),
        ("json = 1", "3: «json» must be true or false"),
        ("vary = 5", "3: «vary» must be a table, or a list of texts"),
        ("engine = \"moon\"", "3: «engine»: --engine: choose from serial, local, ray"),
        ("[vary]\ngoal = \"3..99\"", "4: goal cannot be 3..99: it is a number from 1 to 20 (M10)"),
        ("[option]\njokers = 7", "4: jokers cannot be 7: it is a number from 0 to 2 (M1)"),
        ("[vary]\ngoal = [2, 5]\nkomi = [0, 3]", "3: goal=2, komi=3 is no variant: "),
        ("games = ", "3:9: broken TOML: "),
    ],
)  # fmt: skip
def test_a_fault_of_a_spec_file_names_line_and_key(line: str, fault: str, data: Path, tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", f'game = "madness"\nweigh = 0\n{line}\n')
    done = coyote("lab", "sweep", spec, data=data)
    assert done.returncode == 2 and done.stdout == ""
    assert f"{spec}:{fault}" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["sweep"], "name a game, or a spec file that names one"),
        (["sweep", "chess"], "chess is neither a game nor a spec file; the games are: madness, duel"),
        (["sweep", "none.toml"], "none.toml: there is no such file"),
        (["sweep", "madness", "--vary", "gaol=3"], "there is no option gaol; did you mean goal?"),
        (["sweep", "madness", "--vary", "goal=3", "--vary", "goal=4"], "the option goal is given twice"),
        (["sweep", "madness", "--vary", "goal=2", "--vary", "komi=2"], "goal=2, komi=2 is no variant: "),
        (["sweep", "duel", "--vary", "deck-min=30"], "deck-min=30 is no variant: deck-min (30) must"),
        (["sweep", "madness", "--bots", "greedy,clever"], "there is no bot clever"),
        (["sweep", "madness", "--engine", "serial", "--address", "x"], "--address"),
        (["tune", "madness"], "tune needs what may change"),
        (["tune", "madness", "--vary", "goal=4,5", "--target", "fun=1.."], "there is no measure fun"),
        (["tune", "duel", "--vary", "hand=2,3", "--target", "best-deck=..55"], "best-deck needs three"),
        (["preview"], "name a file of finished games"),
        (["preview", "games.jsonl"], "nothing is changed"),
        (["preview", "no.jsonl", "--option", "goal=2"], "no.jsonl: there is no such file"),
        (["guess"], "there is no command guess; there is: sweep"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_sentence(command: list[str], sentence: str, data: Path) -> None:
    done = coyote("lab", *command, data=data)
    assert done.returncode == 2 and sentence in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


# ---------------------------------------------------------------- going on


def test_ctrl_c_is_a_sentence_and_the_same_command_goes_on(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "found.jsonl"
    asked = ["lab", "sweep", "madness", "--vary", "goal=4,5", "--bots", "greedy,greedy", "--weigh", "0"]
    asked += ["--seed", "s", "--games", "9000", "--json", "--out", str(out)]
    begun = subprocess.Popen(
        [str(COYOTE), *asked],
        env=environment(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while begun.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < 3):
        time.sleep(0.02)
    begun.send_signal(signal.SIGINT)
    said, why = begun.communicate(timeout=60)
    assert begun.returncode == 130 and said == "", why
    assert Words("en")("lab.interrupted_kept", path=out) in why and "Traceback" not in why
    kept = out.read_bytes().count(b"\n")
    resumed = coyote(*asked, data=data)
    assert resumed.returncode == 0, resumed.stderr
    assert out.read_bytes().count(b"\n") > kept
    whole = coyote(*asked[:-2], data=data)
    assert without_time(resumed.stdout) == without_time(whole.stdout)


def test_another_question_is_refused_for_a_result_file(data: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "found.jsonl")
    assert coyote("lab", "sweep", "madness", *SMALL, "--out", out, data=data).returncode == 0
    before = Path(out).read_bytes()
    other = coyote("lab", "sweep", "madness", *SMALL, "--vary", "goal=4", "--out", out, data=data)
    assert other.returncode == 2 and out in other.stderr
    assert Path(out).read_bytes() == before


def test_a_run_without_a_seed_is_resumed_with_its_own(data: Path, tmp_path: Path) -> None:
    asked = ("lab", "sweep", "madness", *SMALL[:-2], "--json", "--out", str(tmp_path / "found.jsonl"))
    first, again = coyote(*asked, data=data), coyote(*asked, data=data)
    assert again.returncode == 0, again.stderr
    assert without_time(first.stdout) == without_time(again.stdout)


def test_a_full_disk_is_a_sentence(data: Path) -> None:
    done = coyote("lab", "sweep", "madness", *SMALL, "--report", "/dev/full", data=data)
    assert done.returncode == 2 and "the disk is full" in done.stderr


def test_an_interruption_that_the_compiler_turns_into_an_error_is_one_still() -> None:
    def compiling() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet") from None

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        with_bar("", 1, compiling)
    assert signal.getsignal(signal.SIGINT) is before


def test_an_error_without_an_interruption_stays_one() -> None:
    def failing() -> None:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        with_bar("", 1, failing)
