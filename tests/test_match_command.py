"""Two bots against each other: counted in pairs, the same every time, and whatever the bots do."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from coyote.cli.main import main
from coyote.games.duel.game import Duel
from coyote.games.game import NO_SETUP, Game, Setup
from coyote.games.madness.game import Madness
from coyote.lab.contest import Contest, Standing
from coyote.lab.games import Played
from coyote.lab.series import Pair
from coyote.lab.simulate import count, records, summary
from coyote.questions import Budget
from coyote.records import follow, read_records, record_line
from coyote.text import Words
from kit.terminal import COYOTE, PATIENCE, coyote, environment

ROOT = Path(__file__).parent.parent
SIMPLE = f"cmd:{shlex.join([sys.executable, str(ROOT / 'examples' / 'simple_bot.py')])}"
PROGRAM = """
import json, os, sys, time
def say(**message): print(json.dumps(message), flush=True)
open({pids!r}, "a").write(f"{{os.getpid()}}\\n")
games = 0
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello": say(type="hello", name="test")
    if m["type"] == "start": games += 1; say(type="ready")
    if m["type"] == "move":
        {on_move}
        say(type="move", id=m["id"], move=m["legal"][0])
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def program(folder: Path, on_move: str = "pass") -> str:
    """A bot that plays the first legal move but for what is given; it notes its processes."""
    path = folder / "program.py"
    path.write_text(PROGRAM.format(pids=str(folder / "pids"), on_move=on_move))
    return f"cmd:{shlex.join([sys.executable, str(path)])}"


def still_running(folder: Path) -> list[int]:
    found = []
    for pid in map(int, (folder / "pids").read_text().split()):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in "ZX":
            found.append(pid)
    return found


def hold(
    game: Game, *bots: str, pairs: int = 5, setup: Setup | None = None, **settings: Any
) -> tuple[Standing, list[Pair]]:
    standing = Standing()
    contest = Contest(
        game, setup or game.settle(), (bots[0], bots[1]), pairs, settings.pop("seed", "s"), **settings
    )
    return standing, list(contest.play(standing))


# ---------------------------------------------------------------- a contest


@pytest.mark.parametrize("game", [Madness(), Duel()], ids=["madness", "duel"])
def test_every_deal_is_played_twice_with_the_seats_swapped(game: Game) -> None:
    setup = game.settle(("thunderhead", "oasis") if game.NEEDS_DECKS else ())
    standing, pairs = hold(game, "random", "greedy", setup=setup)
    for first, second in pairs:
        ours, theirs = first.record(), second.record()
        assert ours["players"] == ["random", "greedy"] and theirs["players"] == ["greedy", "random"]
        assert ours["seed"] == theirs["seed"]
        for key in game.DEAL_KEYS:
            assert ours[key] == theirs[key], "the decks stay with the seats"
    seeds = [first.match.seed for first, _ in pairs]
    assert len(set(seeds)) == len(seeds)
    assert seeds == [record["seed"] for record in records(game, setup, ["random", "random"], 5, "s")]
    assert standing.games == 10


@pytest.mark.parametrize("threads", [1, 3])
def test_the_result_does_not_depend_on_the_number_of_threads(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots, budget = ("search", "greedy"), Budget(simulations=5)
    _, wanted = hold(Madness(), *bots, budget=budget)
    monkeypatch.setattr(os, "cpu_count", lambda: threads)
    _, found = hold(Madness(), *bots, budget=budget)
    assert lines(found) == lines(wanted)


def lines(pairs: Sequence[Pair]) -> list[str]:
    return [record_line(played.record()) for pair in pairs for played in pair]


def test_the_score_adds_up() -> None:
    standing, pairs = hold(Madness(edition="classic"), "greedy", "random", pairs=12)
    told = standing.as_json(None)
    wins = sum(first.result.winner == 0 for first, _ in pairs)
    wins += sum(second.result.winner == 1 for _, second in pairs)
    assert told["wins"] == wins and told["wins"] + told["draws"] + told["losses"] == told["games"] == 24
    share = (told["wins"] + told["draws"] / 2) / 24
    assert told["score"]["share"] == pytest.approx(share)
    assert told["score"]["low"] < share < told["score"]["high"] or share == 1
    first_seat = sum(played.points(0) for pair in pairs for played in pair) / 24
    assert told["first_seat"]["share"] == pytest.approx(first_seat)
    assert sum(told["ends"].values()) == 24 and told["failures"] == []
    assert told["turns"] == pytest.approx(sum(game.turns for pair in pairs for game in pair) / 24)


@pytest.mark.parametrize("game", [Madness(), Duel()], ids=["madness", "duel"])
def test_the_example_plays_both_games_sensibly(game: Game) -> None:
    standing, _ = hold(game, SIMPLE, "random", pairs=15)
    assert standing.failures == {}
    assert standing.as_json(None)["score"]["low"] > 0.5


def test_the_example_is_short_and_knows_nothing_of_the_program() -> None:
    text = (ROOT / "examples" / "simple_bot.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    imported = re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)
    assert set(imported) <= sys.stdlib_module_names


def test_a_contest_ends_when_it_is_settled_and_says_the_same_on_any_day() -> None:
    standing, pairs = hold(Madness(), "greedy", "random", pairs=400, until=0.95)
    assert standing.stronger(0.95) == 0
    assert 3 < len(pairs) < 400
    low, _ = standing.interval(0.95)
    assert low > 0.5
    again, _ = hold(Madness(), "greedy", "random", pairs=400, until=0.95)
    assert again.as_json(0.95) == standing.as_json(0.95)


# ---------------------------------------------------------------- failures


@pytest.mark.parametrize("game", [Madness(), Duel()], ids=["madness", "duel"])
def test_a_failure_loses_one_game_and_the_match_goes_on(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    bot = program(tmp_path, "if games == 2: sys.exit(1)")
    standing, pairs = hold(game, bot, "random", pairs=2)
    failures = {(0, "bot.crashed_silent"): 2}
    assert dict(standing.failures) == failures, "the new process of the third game fails in its second"
    for _, lost in pairs:
        assert lost.failed == 1 and lost.result.winner == 0
        check_lost(lost, "resignation")
    assert still_running(tmp_path) == []


def test_a_late_bot_has_lost_on_time(tmp_path: Path) -> None:
    """In the middle of a turn that the other player has decided already."""
    bot = program(tmp_path, "if games == 2 and m['view']['turn'] == 3: time.sleep(60)")
    standing, pairs = hold(Duel(), bot, "random", pairs=1, budget=Budget(seconds=0.01))
    assert dict(standing.failures) == {(0, "bot.late"): 1} and standing.ends["timeout"] == 1
    (_, lost), *_ = pairs
    assert len(lost.match.moves) == 4 and list(lost.match.sealed) == [0]
    check_lost(lost, "timeout")
    assert still_running(tmp_path) == []


def check_lost(played: Played, reason: str) -> None:
    """The record says why the game is over, and the rules bear it out as far as it went."""
    record = json.loads(record_line(played.record()))
    assert record["result"]["reason"] == reason
    assert [list(move) for move in follow(record).moves] == record["moves"]


def test_a_bot_that_cannot_be_started_loses_every_game() -> None:
    standing, _ = hold(Duel(), "cmd:no-such-program-anywhere", "random", pairs=10)
    assert standing.won == [0, 20]
    assert dict(standing.failures) == {(0, "bot.no_start"): 20}


# ---------------------------------------------------------------- simulate


@pytest.mark.parametrize("game", [Madness(), Duel()], ids=["madness", "duel"])
def test_simulate_counts_the_games_of_any_bots(game: Game) -> None:
    bots = ["greedy", "random"]
    setup = game.settle()
    told = summary(game, count(game, setup, 12, "s", lambda done: None, bots))
    kept = list(records(game, setup, bots, 12, "s"))
    assert kept == list(records(game, setup, bots, 12, "s"))
    results = [record["result"] for record in kept]
    assert [share["games"] for share in told["wins"]] == [
        sum(result["winner"] == seat for result in results) for seat in range(2)
    ]
    assert told["decisions"] == sum(len(record["moves"]) for record in kept)
    assert sum(map(sum, told["points"].values())) > 0 and "failures" not in told
    for record in kept:
        follow(record)


def test_simulate_counts_failures_apart() -> None:
    bots = ["cmd:no-such-program-anywhere", "random"]
    told = summary(Madness(), count(Madness(), NO_SETUP, 5, "s", lambda done: None, bots))
    assert told["failures"] == 5 and told["wins"][1]["games"] == 5 and sum(told["ends"].values()) == 0


# ---------------------------------------------------------------- the command


def test_match_prints_a_table(data: Path) -> None:
    done = coyote("match", "madness", SIMPLE, "random", "--games", "9", "--seed", "s", data=data)
    assert done.returncode == 0
    words = Words("en")
    assert words("match.odd", games="10 games") in done.stderr
    for part in ("10 games", "seed s", SIMPLE, "random", "●", "Elo", words("simulate.end")):
        assert part in done.stdout


def test_match_prints_json_and_writes_records(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "games.jsonl"
    command = ["match", "duel", "random", "cmd:no-such-program", "--games", "4", "--seed", "s"]
    command += ["--decks", "pack,random", "--option", "open-lists=true", "--budget", "20s"]
    done = coyote(*command, "--json", "--records", path, data=data)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["bots"] == ["random", "cmd:no-such-program"] and found["wins"] == found["games"] == 4
    assert found["options"] == {"open-lists": "yes"} and found["decks"] == ["pack", "random"]
    assert found["budget"] == {"simulations": 20, "seconds": None}
    assert found["elo"]["difference"] is None and found["elo"]["low"] < 0
    assert found["failures"] == [{"bot": 1, "reason": "bot.no_start", "games": 4}]
    assert found["settled"] is None and found["interrupted"] is False
    kept = list(read_records(path))
    assert [record["result"]["reason"] for record in kept] == ["resignation"] * 4
    assert Words("en")("reason.resignation") in coyote("replay", path, data=data).stdout


def test_match_speaks_russian(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["match", "duel", "random", "cmd:нет такой", "--games", "4", "--until", "0.9", "--lang", "ru"])
    assert not left.value.code
    said = capsys.readouterr().out
    for part in ("Дуэль", "4 партии", "Сдача", "нет такой не запускается", "При надёжности 0,9 не решено"):
        assert part in said


FAULTS = {
    "no such bot": (["madness", "deep", "random"], "level:1"),
    "no such budget of a bot": (["madness", "random", "search:fast"], "search:fast"),
    "no such budget": (["madness", "random", "random", "--budget", "long"], "long"),
    "no such confidence": (["madness", "random", "random", "--until", "2"], "--until"),
    "one bot": (["madness", "random"], "B"),
    "no decks": (["madness", "random", "random", "--decks", "pack,oasis"], "madness"),
    "no such option": (["madness", "random", "random", "--option", "flieds=2"], "fields"),
    "out of bounds": (["duel", "random", "random", "--option", "hand-limit=11"], "from 1 to 10"),
    "contradiction": (["duel", "random", "random", "--option", "deck-min=30"], "deck-max (20)"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_match_says_what_is_wrong(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, part = FAULTS[name]
    with pytest.raises(SystemExit) as left:
        main(["match", *command, "--lang", "en"])
    said = capsys.readouterr()
    assert left.value.code == 2 and said.out == ""
    assert said.err.startswith("coyote: ") and part in said.err and "Traceback" not in said.err


@pytest.mark.parametrize(
    ("lang", "options", "title"),
    [
        ("en", ["goal=7", "fields=2"], "Madness · standard · goal 7 · 2 fields · 2 games"),
        ("ru", ["edition=classic", "chance=no"], "Мэднесс · классическая · без Шанса Койота · 2 партии"),
        ("ru", ["health=30"], "Дуэль · здоровье 30, pack – oasis · 2 партии"),
    ],
)
def test_a_match_names_what_differs(
    lang: str, options: list[str], title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = "duel" if "health=30" in options else "madness"
    given = [part for option in options for part in ("--option", option)]
    with pytest.raises(SystemExit) as left:
        main(["match", game, "greedy", "random", "--games", "2", "--lang", lang, *given])
    assert not left.value.code
    assert " ".join(capsys.readouterr().out.split()).startswith(title)


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_match_tells_the_result_so_far_and_leaves_nothing_running(
    kind: signal.Signals, tmp_path: Path, data: Path
) -> None:
    """The bot plays a few games and then hangs for ever, in every thread: the first deals are over then."""
    hangs, records_file = tmp_path / "hangs", tmp_path / "games.jsonl"
    hangs.mkdir()
    sign = f"open({str(hangs)!r} + '/' + str(os.getpid()), 'w').close()"
    bot = program(tmp_path, f"if games > 6: {sign}; time.sleep(600)")
    command = ["match", "madness", bot, "random", "--games", "1000", "--records", str(records_file)]
    with subprocess.Popen(
        [str(COYOTE), *command, "--json"],
        env=environment(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        limit = time.monotonic() + PATIENCE
        threads = os.cpu_count() or 1
        while len(list(hangs.iterdir())) < threads and process.poll() is None and time.monotonic() < limit:
            time.sleep(0.05)
        process.send_signal(kind)
        out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err
    assert process.returncode == 130
    found = json.loads(out)
    assert found["interrupted"] is True and found["games"] >= 2
    assert len(list(read_records(records_file))) == found["games"]
    assert still_running(tmp_path) == []


def test_our_bots_play_a_match_as_programs(data: Path) -> None:
    """In process and as a program: the same bot with the same seeds gives the same games."""
    game = Madness(edition="classic", fields=4, hand=7)
    inside, _ = hold(game, "greedy", "random", pairs=2)
    outside, _ = hold(game, f"cmd:{COYOTE} bot madness greedy", "random", pairs=2)
    assert outside.failures == {}
    assert outside.as_json(None) == inside.as_json(None)


def test_a_bot_command_says_what_is_wrong(data: Path) -> None:
    done = subprocess.run(
        [COYOTE, "bot", "madness", "random"],
        input='{"type": "weather"}\n\n{"type": "start", "game": "duel", "options": {}, "seed": "s"}\n',
        env=environment(data),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == 'coyote: this bot plays madness, not "duel"\n'
