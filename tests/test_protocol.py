"""Bots that are programs: what is said to them, and what becomes of programs that behave badly.

Every program here is a real one. Nothing is measured in seconds but what the tests themselves set.
"""

import json
import os
import re
import shlex
import sys
import time
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coyote.bots.bot import Bot, BotFailure
from coyote.bots.external import LONGEST_LINE, MOST_STARTS, ExternalBot, Patience, Program, Programs
from coyote.bots.names import make_bot
from coyote.bots.protocol import Server, answer_json, ask, game_of, hello, line_of, message_of, start, tame
from coyote.bots.protocol import end as end_message
from coyote.games.duel.game import Duel
from coyote.games.game import Game, Setup
from coyote.games.madness.game import Madness
from coyote.games.registry import make_game
from coyote.kernel.seats import SPECTATOR
from coyote.match import Match
from coyote.questions import Budget, Question
from coyote.text import Words
from kit.terminal import COYOTE

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "bot-protocol.md").read_text(encoding="utf-8")
HASTY = Patience(hello=20, ready=20, move=0.5, grace=0.5)  # only an answer that never comes takes so long
CALM = Patience(hello=20, ready=20, move=20)

House = dict[str, Any]
LARGE: House = {"edition": "classic", "fields": 4, "hand": 10, "extra": 3, "goal": 20, "komi": 2, "jokers": 1}
SMALL: House = {
    "fields": 1,
    "hand": 2,
    "goal": 12,
    "close": "never",
    "chance": "no",
    "starvation": "no",
    "field-points": 3,
}
LONG: House = {
    "health": 200,
    "hand": 5,
    "hand-limit": 10,
    "wear-from": 2,
    "super-deck": 2,
    "deck-max": 40,
    "copies": 4,
}
BRIEF: House = {"health": 30, "hand": 0, "hand-limit": 2, "deck-min": 9, "autos": 0, "open-lists": "yes"}
GAMES: dict[str, Game] = {
    "standard": Madness(),
    "classic": Madness(edition="classic"),
    "large": Madness(**LARGE),
    "small": Madness(**SMALL),
    "duel": Duel(),
    "open duel": make_game("duel", **{"open-lists": True}),
    "magpies": Duel(),
    "long duel": make_game("duel", **LONG),
    "brief duel": make_game("duel", **BRIEF),
    "first rules": Duel(rules=1),
}
DECKS = {
    "open duel": ("boneyard", "random"),
    "magpies": ("magpies", "sweet-tooth"),
    "long duel": ("random", "random"),
    "brief duel": ("random", "random"),
}
HOUSE = ["large", "small", "long duel", "brief duel"]


def setup_of(name: str) -> Setup:
    return GAMES[name].settle(DECKS.get(name, ()))


def random_play(name: str, seed: str) -> Iterator[Match]:
    """Every situation of a random game, the last one included."""
    random, match = Random(seed), Match(GAMES[name], setup_of(name), seed=seed)
    yield match
    while actors := match.actors:
        for seat in actors:
            match.play(random.choice(match.legal(seat)), seat)
            yield match


def question(match: Match, seat: int | None = None, since: int = 0, budget: Budget | None = None) -> Question:
    return match.question(match.actors[0] if seat is None else seat, since, budget or Budget())


def over_the_wire(message: dict[str, Any]) -> dict[str, Any]:
    return message_of(line_of(message))


# ---------------------------------------------------------------- the view


@pytest.mark.parametrize("name", GAMES)
def test_the_view_in_json_holds_all_that_the_seat_may_know(name: str) -> None:
    """The record made from it is the view, byte for byte, for both seats and a bystander."""
    game, seen = GAMES[name], 0
    for number in range(6):
        for match in random_play(name, f"{name} {number}"):
            for seat in (0, 1, SPECTATOR):
                told = over_the_wire({"type": "x", **match.view_json(seat)})
                assert game.read_view(told, seat).tobytes() == match.view(seat).tobytes()
                seen += 1
    assert seen > 200


BOTS = ["random", "greedy", "search:150", "level:1", "level:5"]  # 150: enough to weigh hands of Madness


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", ["standard", "duel", *HOUSE, "first rules"])
def test_our_bots_answer_over_the_protocol_as_they_do_in_process(name: str, bot: str) -> None:
    game = GAMES[name]
    match, told, asked = Match(game, setup_of(name), seed=f"{name} {bot}"), [0, 0], 0
    inside = [make_bot(bot, game, f"seat {seat}") for seat in range(2)]
    outside = [Server(bot, partial(make_bot, bot)) for _ in range(2)]
    for seat, server in enumerate(outside):
        assert server.reply(over_the_wire(hello())) == {"type": "hello", "name": bot, "protocol": 1}
        first = question(match, seat)
        assert server.reply(over_the_wire(start(game, f"seat {seat}", first))) == {"type": "ready"}
    while actors := match.actors:
        for seat in actors:
            asked += 1
            here = question(match, seat, told[seat])
            told[seat] += len(here.events)
            answer = inside[seat].answer(here)
            wanted = over_the_wire(answer_json(game, asked, answer))
            reply = outside[seat].reply(over_the_wire(ask(game, asked, here, 10.0)))
            assert reply is not None and over_the_wire(reply) == wanted
            match.play_action(answer.action, seat)
    assert asked >= 10


@pytest.mark.parametrize(
    ("name", "bot"),
    [("magpies", "random"), ("large", "search:20"), ("small", "greedy"), ("long duel", "level:5")],
)
def test_our_bots_are_programs_for_others(name: str, bot: str) -> None:
    """The command itself, asked from outside, against the bot in process; under house rules too."""
    game = GAMES[name]
    programs = Programs()
    inside: Bot = make_bot(bot, game, "seed")
    outside = ExternalBot(game, "seed", f"{COYOTE} bot {game.name} {bot}", programs)
    try:
        for match in random_play(name, "as a command"):
            if match.actors == [0] or match.actors == [0, 1]:
                here = question(match, 0)
                told, meant = outside.answer(here), inside.answer(here)
                assert (told.action, list(told.thoughts)) == (meant.action, list(meant.thoughts))
    finally:
        outside.close()
        programs.close()


def test_a_bot_of_ours_refuses_what_it_cannot_read() -> None:
    server = Server("random", partial(make_bot, "random"))
    for message in (
        {"type": "move", "id": 1},
        {"type": "start", "game": "chess", "options": {}, "seed": "s"},
        {"type": "start", "game": "madness", "options": {"edition": "third"}, "seed": "s"},
        {"type": "start", "game": "madness", "options": {"goal": 21}, "seed": "s"},
        {"type": "start", "game": "madness", "options": {"rules": 1}, "seed": "s"},
        {"type": "start", "game": "madness", "options": {"goal": 2, "komi": 2}, "seed": "s"},
        {"type": "start", "game": "duel", "rules": 3, "options": {}, "seed": "s"},
        {"type": "start", "game": "duel", "options": {"decks": ["pack", "pack"]}, "seed": "s"},
    ):
        with pytest.raises(BotFailure):
            server.reply(message)
    assert server.reply({"type": "weather", "sun": True}) is None


@pytest.mark.parametrize("name", HOUSE)
def test_house_rules_come_with_the_start_and_only_what_differs(name: str) -> None:
    match = Match(GAMES[name], setup_of(name), seed="start")
    told = over_the_wire(start(match.game, "seed", question(match)))
    given = {"large": LARGE, "small": SMALL, "long duel": LONG, "brief duel": BRIEF}[name]
    edition = {"edition": "standard"} if name == "small" else {}
    assert told["options"] == {**edition, **given} == match.game.options
    assert game_of(told) == match.game


# ---------------------------------------------------------------- the document


def section(title: str) -> str:
    found = re.search(rf"^##+ {title}\n(.*?)(?=^##+ |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def rows(title: str, table: int = 0) -> list[list[str]]:
    """The cells of a table of a section, without its head."""
    tables = re.findall(r"(?:^\|.*\n)+", section(title), re.MULTILINE)
    return [line.strip("|").split(" | ") for line in tables[table].splitlines()[2:]]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def first_column(title: str, table: int = 0) -> set[str]:
    return {named(row[0])[0] for row in rows(title, table)}


@cache
def said(name: str) -> list[dict[str, Any]]:
    """Every message of whole games, as a bot hears it."""
    found = [hello(), end_message(None)]
    for table, game in GAMES.items():
        if game.name == name:
            for number in range(10):
                found += said_in_game(table, f"page {number}")
    return found


def said_in_game(name: str, seed: str) -> list[dict[str, Any]]:
    game, found, told = GAMES[name], list[dict[str, Any]](), [0, 0]
    for match in random_play(name, seed):
        for seat in match.actors or [0, 1]:  # at the end for the last events
            here = question(match, seat, told[seat])
            told[seat] += len(here.events)
            if not match.moves:
                found.append(start(game, "seed", here))
            found.append(ask(game, 1, here, 10.0))
    return found


def keys_of(messages: list[dict[str, Any]]) -> set[str]:
    return {key for message in messages for key in message} - {"type"}


@pytest.mark.parametrize("game", ["madness", "duel"])
def test_the_page_names_every_key_of_every_message_and_no_other(game: str) -> None:
    heard = said(game)
    assert {message["type"] for message in heard} <= first_column("Coyote to bot")
    for kind in ("hello", "start", "move", "end"):
        known = first_column(kind)
        if game == "madness":
            known -= {"set", "deck"}
        else:
            known -= {"past"}
        assert keys_of([message for message in heard if message["type"] == kind]) == known, kind


@pytest.mark.parametrize(("game", "title"), [("madness", "Madness"), ("duel", "the duel")])
def test_the_page_names_every_key_of_the_views_and_no_other(game: str, title: str) -> None:
    views = [message["view"] for message in said(game) if message["type"] == "move"]
    assert keys_of(views) == first_column(f"The view of {title}")
    if game == "madness":
        fields = [field for view in views for field in view["fields"]]
        assert keys_of(fields) == first_column("The view of Madness", 1)


@pytest.mark.parametrize(("game", "title"), [("madness", "Madness"), ("duel", "the duel")])
def test_the_page_names_every_event_with_its_keys_and_no_other(game: str, title: str) -> None:
    events = [event for message in said(game) if message["type"] == "move" for event in message["events"]]
    heard = {event["kind"]: set(event) - {"kind", "seat"} for event in events}
    page = {named(row[0])[0]: set(named(row[1])) for row in rows(f"The events of {title}")}
    assert {kind: page[kind] for kind in heard} == heard
    rare = set(page) - set(heard)
    assert set(page) == set(make_game(game).KINDS.names)
    assert len(rare) <= 3, "the games played here are to show nearly all of them"


def test_the_page_tells_the_limits_as_they_are() -> None:
    usual = Patience()
    for seconds in (usual.hello, usual.ready, usual.move, usual.grace):
        assert f"{seconds:g} s" in section("Time")
    assert f"{LONGEST_LINE:,} bytes" in section("Failures")
    assert MOST_STARTS == 3 and "three times in a row" in section("Failures")


def test_a_card_of_the_set_is_as_the_page_says() -> None:
    message = next(message for message in said("duel") if message["type"] == "start")
    assert set(message["set"]) == {"name", "cards"}
    text = section("start")
    assert {key for card in message["set"]["cards"] for key in card} == {"id", "rarity", "text", "ru", "en"}
    assert all(f"`{key}`" in text for key in ("name", "cards", "id", "rarity", "text", "ru", "en"))


# ---------------------------------------------------------------- programs

PROGRAM = """
import json, os, subprocess, sys, time
def say(**message): print(json.dumps(message), flush=True)
def answer(): say(type="move", id=m["id"], move=m["legal"][0])
{before}
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello": say(type="hello", name="test", extra=[1])
    if m["type"] == "start": {on_start}
    if m["type"] == "move": {on_move}
    if m["type"] == "end": {on_end}
    if m["type"] == "quit": break
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def command(
    folder: Path, on_move: str = "answer()", before: str = "", on_start: str = "", on_end: str = "pass"
) -> str:
    """A program that behaves well but for what is given."""
    path = folder / "program.py"
    on_start = on_start or 'say(type="ready")'
    path.write_text(PROGRAM.format(before=before, on_start=on_start, on_move=on_move, on_end=on_end))
    return shlex.join([sys.executable, str(path)])


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not asked about yet does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def processes(programs: Programs) -> list[Program]:
    return list(programs._all)


def failure_of(order: str, patience: Patience = CALM) -> BotFailure:
    """What is told of a program that fails; and it is gone after that."""
    match, programs = Match("madness", seed="x"), Programs(patience)
    bot = ExternalBot(match.game, "seed", order, programs)
    with pytest.raises(BotFailure) as caught:
        bot.answer(question(match))
    assert processes(programs) == []
    bot.close()
    programs.close()
    for lang in ("en", "ru"):
        sentence = Words(lang)(caught.value.code, **caught.value.values)
        assert sentence.isprintable()
    return caught.value


BAD = {
    "ends at once": ({"before": "sys.exit(3)"}, "bot.crashed_silent"),
    "ends with a complaint": ({"before": "raise ValueError('no luck')"}, "bot.crashed"),
    "ends when the game starts": ({"on_start": "sys.exit()"}, "bot.crashed_silent"),
    "ends when asked": ({"on_move": "raise KeyError('boss')"}, "bot.crashed"),
    "is killed": ({"on_move": "os.kill(os.getpid(), 9)"}, "bot.crashed_silent"),
    "closes its output": ({"on_move": "os.close(1); time.sleep(60)"}, "bot.crashed_silent"),
    "does not speak JSON": ({"on_move": "print('a1 7S', flush=True)"}, "bot.nonsense"),
    "says a list": ({"on_move": "print([1], flush=True)"}, "bot.nonsense"),
    "says no type": ({"on_move": "say(move='pass')"}, "bot.nonsense"),
    "says bytes that are no text": (
        {"on_move": r"sys.stdout.buffer.write(b'\xff\x1b[2J\n'); sys.stdout.flush()"},
        "bot.nonsense",
    ),
    "nests without end": ({"on_move": "print('[' * 100_000, flush=True)"}, "bot.nonsense"),
    "makes an illegal move": ({"on_move": 'say(type="move", id=m["id"], move="draw")'}, "bot.illegal"),
    "makes a move of no kind": ({"on_move": 'say(type="move", id=m["id"], move=["a1"])'}, "bot.illegal"),
    "makes no move": ({"on_move": 'say(type="move", id=m["id"])'}, "bot.illegal"),
    "answers another question": ({"on_move": 'say(type="move", id=m["id"] + 1)'}, "bot.wrong_id"),
    "answers no question": ({"on_move": 'say(type="move", move="pass")'}, "bot.wrong_id"),
    "never ends a line": ({"on_move": "print('x' * 1_500_000, end='', flush=True)"}, "bot.too_long"),
    "ends a line too late": ({"on_move": "print('x' * 1_000_001, flush=True)"}, "bot.too_long"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_program_that(name: str, folder: Path) -> None:
    parts, code = BAD[name]
    assert failure_of(command(folder, **parts)).code == code


LATE = {
    "says nothing at all": ({"before": "time.sleep(60)"}, Patience(hello=0.5)),
    "never gets ready": ({"on_start": "pass"}, Patience(hello=20, ready=0.5)),
    "does not answer": ({"on_move": "pass"}, HASTY),
    "never reads its input": (
        {"before": "say(type='hello'); say(type='ready'); time.sleep(60)"},
        HASTY,
    ),
    "talks of other things without end": (
        {"on_move": "\n        while True: say(type='info', text='x' * 1000)"},
        HASTY,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LATE)
def test_late_is_a_program_that(name: str, folder: Path) -> None:
    parts, patience = LATE[name]
    assert failure_of(command(folder, **parts), patience).code == "bot.late"


def test_a_program_that_does_not_read_holds_up_nobody(folder: Path) -> None:
    """Far more is said to it than a pipe takes."""
    program = Program(command(folder, before="time.sleep(60)"), HASTY)
    for _ in range(5):
        program.send({"type": "start", "set": "x" * 1_000_000})
    with pytest.raises(BotFailure) as caught:
        program.wait_for("ready", 0.1)
    assert caught.value.code == "bot.late"
    program.close()
    for thread in program.threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in program.threads)
    assert not alive(program.process.pid)


@pytest.mark.parametrize("order", ["no-such-program-anywhere", "'quotes that do not close", "/", "''"])
def test_what_cannot_be_started_is_said_so(order: str) -> None:
    assert failure_of(order).code == "bot.no_start"


def test_last_words_are_told_and_cannot_steer_the_terminal(folder: Path) -> None:
    before = r"print('\x1b[31mred\x07 [bold]\n' * 3 + '\x9b2J\u202eend', file=sys.stderr); sys.exit(4)"
    failure = failure_of(command(folder, before=before))
    assert failure.code == "bot.crashed" and failure.values["status"] == "4"
    told = str(failure.values["said"])
    assert "end" in told and "[bold]" in told and told.isprintable()


def test_a_long_text_is_cut() -> None:
    assert len(tame("x" * 10_000)) == 200


def plays(order: str, games: int = 1, name: str = "standard") -> list[int]:
    """Play whole games with one pool; which processes played."""
    game, programs, used = GAMES[name], Programs(CALM), list[int]()
    for number in range(games):
        bot = ExternalBot(game, "seed", order, programs)
        match = Match(game, seed=f"{number}")
        while actors := match.actors:
            for seat in actors:
                if seat == 0:
                    match.play_action(bot.answer(question(match, 0)).action, 0)
                else:
                    match.play(match.legal(1)[0], 1)
        used += [program.process.pid for program in processes(programs)]
        bot.close({"winner": None, "reason": "agreement", "score": 0})
    programs.close()
    assert not any(map(alive, used))
    return used


@pytest.mark.parametrize("name", ["standard", "duel"])
def test_one_process_plays_game_after_game(name: str, folder: Path) -> None:
    assert len(set(plays(command(folder), games=3, name=name))) == 1


def test_a_program_may_end_after_a_game_and_is_started_again(folder: Path) -> None:
    used = plays(command(folder, on_end="break"), games=3)
    assert len(set(used)) == 3


@pytest.mark.parametrize(
    "on_move",
    [
        "print('x' * 1_000_000, file=sys.stderr); print('y' * 70_000, file=sys.stderr); answer()",
        "[say(type='info', depth=d) for d in range(2000)]; answer()",
        "print('', flush=True); answer()",
    ],
    ids=["complains a lot", "says much that nobody knows", "leaves lines empty"],
)
def test_what_does_no_harm_is_borne(on_move: str, folder: Path) -> None:
    plays(command(folder, on_move=on_move))


def test_an_answer_that_comes_twice_is_not_taken_for_the_next_question(folder: Path) -> None:
    match, programs = Match("madness", seed="x"), Programs(CALM)
    bot = ExternalBot(match.game, "seed", command(folder, on_move="answer(); answer()"), programs)
    bot.answer(question(match))
    with pytest.raises(BotFailure) as caught:
        bot.answer(question(match))
    assert caught.value.code == "bot.wrong_id" and caught.value.values["wanted"] == 2
    programs.close()


def test_an_answer_after_the_time_reaches_nobody(folder: Path) -> None:
    """The late program is ended, and the next question goes to a new one."""
    flag = folder / "was late"
    name = repr(str(flag))
    on_move = f"answer() if os.path.exists({name}) else (open({name}, 'w').close(), time.sleep(60))"
    match, programs = Match("madness", seed="x"), Programs(Patience(move=3))
    bot = ExternalBot(match.game, "seed", command(folder, on_move=on_move), programs)
    with pytest.raises(BotFailure) as caught:
        bot.answer(question(match, budget=Budget(seconds=0.01)))
    assert caught.value.code == "bot.late" and caught.value.values["seconds"] == 2.01
    assert bot.answer(question(match)).action in match.legal_actions(0)
    programs.close()


def test_a_command_that_never_starts_is_not_tried_for_ever(folder: Path) -> None:
    log = folder / "starts"
    order = command(folder, before=f"open({str(log)!r}, 'a').write('x'); sys.exit(1)")
    match, programs = Match("madness", seed="x"), Programs(CALM)
    codes = []
    for _ in range(6):
        with pytest.raises(BotFailure) as caught:
            ExternalBot(match.game, "seed", order, programs).answer(question(match))
        codes.append(caught.value.code)
    assert codes == ["bot.crashed_silent"] * 6
    assert log.read_text() == "x" * MOST_STARTS
    programs.close()


def test_a_program_is_ended_with_all_that_it_started(folder: Path) -> None:
    note = folder / "child"
    before = (
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))"
    )
    plays(command(folder, before=before))
    child, limit = int(note.read_text()), time.monotonic() + 20
    while alive(child) and time.monotonic() < limit:  # it is told to end; ending takes its moment
        time.sleep(0.02)
    assert not alive(child)


def test_without_a_pool_a_bot_ends_its_own_program(folder: Path) -> None:
    match = Match("madness", seed="x")
    bot = make_bot(f"cmd:{command(folder, on_move='answer()')}", match.game, "seed")
    assert isinstance(bot, ExternalBot)
    assert bot.name == f"cmd:{bot.command}"
    bot.answer(question(match))
    assert bot.name == "test"
    (program,) = processes(bot._programs)
    bot.close()
    assert not alive(program.process.pid)


def test_thoughts_are_read_where_they_make_sense(folder: Path) -> None:
    match = Match("madness", seed="x")
    first, second, *_ = match.legal()
    thoughts = [
        {"move": first, "chance": 0.25, "examined": 7},
        {"move": second, "chance": 7, "examined": -1, "colour": "red"},
        {"move": "castle", "chance": 0.5},
        "nonsense",
    ]
    on_move = f'say(type="move", id=m["id"], move=m["legal"][0], thoughts={thoughts!r})'
    bot = make_bot(f"cmd:{command(folder, on_move=on_move)}", match.game, "seed")
    answer = bot.answer(question(match))
    bot.close()
    assert [thought.action for thought in answer.thoughts] == match.legal_actions(0)
    told = {match.game.move_text(thought.action): thought for thought in answer.thoughts}
    assert (told[first].chance, told[first].examined) == (0.25, 7)
    assert (told[second].chance, told[second].examined) == (None, 0)


def test_a_program_is_told_all_that_the_page_promises(folder: Path) -> None:
    """What a real process reads, line by line."""
    log = folder / "heard"
    order = command(folder, before=f"heard = open({str(log)!r}, 'w', buffering=1)").replace("''", "")
    path = folder / "program.py"
    path.write_text(
        path.read_text().replace("m = json.loads(line)", "m = json.loads(line); heard.write(line)")
    )
    plays(order, games=2)
    heard = [json.loads(line) for line in log.read_text().splitlines()]
    kinds = [message["type"] for message in heard]
    assert kinds[0] == "hello" and kinds[-1] == "quit"
    assert kinds.count("hello") == 1 and kinds.count("start") == kinds.count("end") == 2
    asked = [message["id"] for message in heard if message["type"] == "move"]
    assert asked == list(range(1, len(asked) + 1))
    assert heard[-2]["result"] == {"winner": None, "reason": "agreement", "score": 0}
    assert os.linesep == "\n" and log.read_text().isascii()
