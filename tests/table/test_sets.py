"""Card sets of guests: what they may cost, and what they may call themselves."""

import asyncio
import re
import signal
import subprocess
import sys
import time
import tracemalloc
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coyote.games.duel import records
from coyote.games.duel.bounds import MOST_EVENTS, most_events
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import CORE, LONGEST_ID, SetError, core_set, parse_set
from coyote.games.game import OptionError
from coyote.games.registry import make_game
from coyote.match import Match
from coyote.table import set_reader
from coyote.table.limits import Denied, Limits
from coyote.table.parts import set_shown, too_much, within_bounds, written_set
from coyote.table.set_reader import MOST_WAITING, SetReader, environment
from coyote.table.set_trial import KINDNESS
from coyote.text import LANGUAGES, Words
from coyote.text.tomlfile import MOST_FAULTS
from table.kit_table import PATIENCE

SIZE = 60_000  # bytes, the most that a table takes
CARD = '[[card]]\nid = "c{n}"\nname.ru = "a"\nname.en = "b"\nrarity = "common"\ntext = "{text}"\n'


def filled(piece: Callable[[int], str], most: int = 1990) -> str:
    """As many pieces as fit, numbered."""
    text, n = [], 0
    left = SIZE
    while n < most and (left := left - len(one := piece(n))) >= 0:
        text.append(one)
        n += 1
    return "".join(text)


def cards(text: str) -> str:
    return filled(lambda n: CARD.format(n=n, text=text))


STRETCH = SIZE // 2 - 50
HOSTILE = {
    "a dotted key": "a" + ".a" * STRETCH + " = 1",
    "a dotted key with spaces": " . ".join(["a"] * (SIZE // 4 - 5)) + " = 1",
    "a dotted key in quotes": ".".join(['"a"'] * (SIZE // 4 - 5)) + " = 1",
    "a dotted key of nothing": ".".join(["''"] * (SIZE // 3 - 5)) + " = 1",
    "a dotted header": "[" + "a." * STRETCH + "a]",
    "a dotted header of an array": "[[" + "a." * STRETCH + "a]]",
    "a dotted key in a table": "a = { " + "a." * STRETCH + "a = 1 }",
    "a dotted key in a piece that a string hides": 'x =\nb = """\n[[card]]\n' + "a." * STRETCH + 'a = 1\n"""',
    "many dotted keys": filled(lambda n: f"a.b.c.d.e.f.g.h{n} = 1\n", SIZE),
    "many dotted headers": filled(lambda n: f"[a.b.c.d.e.f.g.h{n}]\n", SIZE),
    "arrays in arrays": "a = " + "[" * STRETCH + "]" * STRETCH,
    "tables in tables": "a = " + "{a=" * (SIZE // 4) + "1" + "}" * (SIZE // 4),
    "deep and wide": "a = " + "[" * 8 + "1," * STRETCH + "]" * 8,
    "unknown keys": filled(lambda n: f"nam{n} = 1\n", SIZE),
    "unknown keys of a card": "[[card]]\n" + filled(lambda n: f"tex{n} = 1\n", SIZE),
    "a long key": "n" * (SIZE - 5) + " = 1",
    "empty cards": "[[card]]\n" * 1990,
    "empty cards in a list": "card = [" + "{}," * 1990 + "]",
    "broken cards": "[[card]]\nx\n" * 1990,
    "one id": cards("Attack 3.").replace('"c', '"c" #'),
    "unreadable cards": cards("Attak 3."),
    "cards of long words": cards("q" * 590),
    "cards of words nearly known": cards("Attakc 3, " * 50),
    "cards of marks": cards("\u0301" * 290),
    "quotes": '"' * SIZE,
    "a string without end": 'a = """' + '\\"' * STRETCH,
    "strings without ends": filled(lambda n: 'a = """\\"""\n', SIZE),
    "escapes": 'name = "' + "\\u0041" * (SIZE // 6 - 5) + '"',
    "a long number": "a = " + "9" * (SIZE - 10),
    "blank lines": "\n" * SIZE + "x",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_costs_more_than_its_length(text: str) -> None:
    """The worst of these took a minute and gigabytes; now all take a fraction of a second."""
    began = time.process_time()
    with pytest.raises(SetError) as caught:
        parse_set(text)
    told = [caught.value.message(lang) for lang in LANGUAGES]
    assert time.process_time() - began < 2, "seconds"
    assert len(caught.value.refusals) <= MOST_FAULTS + 1
    assert all(len(text) < 20_000 for text in told)
    assert memory_for(text) < 64_000_000


def memory_for(text: str) -> int:
    tracemalloc.start()
    try:
        with pytest.raises(SetError):
            parse_set(text)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def faults(text: str) -> list[str]:
    with pytest.raises(SetError) as caught:
        parse_set(text, "made.toml")
    assert caught.value.message("ru") != caught.value.message("en")
    return [Words("en").refusal(fault) for fault in caught.value.refusals]


def test_what_would_cost_too_much_is_told_with_its_line() -> None:
    good = CARD.format(n=0, text="Attack 3.")
    assert faults(f"{good}{'a.' * 9}a = 1\n") == [
        "made.toml:7: broken TOML: a key may have 9 parts with dots between them, not more"
    ]
    assert faults(f"{good}x = {'[' * 9}{']' * 9}\n") == [
        "made.toml:7: broken TOML: arrays and tables may be nested 8 deep, not deeper"
    ]


def test_dots_and_brackets_in_words_are_harmless() -> None:
    text = "Attack 1. " * 16
    dotted = CARD.format(n=1, text=text) + CARD.format(n=2, text=text).replace('"', "'")
    threefold = CARD.format(n=3, text=text).replace(
        f'"{text}"', f'"""\n{text}\\"""" # ' + "a." * 20 + "[" * 20
    )
    assert len(parse_set(dotted).cards) == 2
    assert any("cannot stand here" in fault for fault in faults(dotted + threefold)), (
        'it is the text, with «"»'
    )


def test_of_many_faults_the_first_are_told() -> None:
    told = faults(cards("Attak 3."))
    assert len(told) == MOST_FAULTS + 1 and [int(one.split(":")[1]) for one in told[:-1]] == [
        6 * n + 6 for n in range(MOST_FAULTS)
    ]
    assert told[-1].endswith("there are more: mend them and read the file again")


# ---------------------------------------------------------------- A1: what a set may call itself

SOUND_OFFICIAL = [
    "core", "Core", " CORE ", "c o r e", "C.O.R.E.", "c0re", "cor3", "Córe", "The core", "core 2", "core2",
    "Официальный набор", "Основной", "ОСНОВНОЙ НАБОР", "базовый", "Official cards", "Соге",
]  # fmt: skip
UNUSUAL = [
    "с\u043ere", "\u0441ore", "cor\u0435", "ⓒⓞⓡⓔ", "ᴄᴏʀᴇ", "c⭕re", "core\u3164", "ｃｏｒｅ", "co\u0301re",
    "ꓚꓳꓣꓰ",
]  # fmt: skip


@pytest.mark.parametrize("name", SOUND_OFFICIAL)
def test_no_other_set_sounds_like_the_core_set(name: str) -> None:
    (told,) = faults(f'name = "{name}"\n' + CARD.format(n=0, text="Attack 999."))
    assert told == f"made.toml:1: the name «{name}» belongs to the core set, and this one is another"


@pytest.mark.parametrize("name", UNUSUAL)
def test_names_have_letters_that_are_what_they_look_like(name: str) -> None:
    (told,) = faults(f'name = "{name}"\n' + CARD.format(n=0, text="Attack 999."))
    assert told.startswith(
        "made.toml:1: the name may have Latin and Cyrillic letters, never both in one word"
    )


@pytest.mark.parametrize(
    "name", ["desert", "Anna's desert (2nd)", "Ёлка №1", "Øresund", "hardcore", "Корень"]
)
def test_other_names_are_free(name: str) -> None:
    assert parse_set(f'name = "{name}"\n' + CARD.format(n=0, text="Attack 3.")).name == name


def test_the_core_set_itself_may_come_by_any_way() -> None:
    assert parse_set(CORE.read_text(encoding="utf-8")).digest == core_set().digest


@pytest.mark.parametrize("name", ["\u3164", " \u2800 ", "\u115f\ufe0f"])
def test_no_card_is_nameless_to_the_eye(name: str) -> None:
    (told,) = faults(CARD.format(n=0, text="Attack 3.").replace('"a"', f'"{name}"'))
    assert told == "made.toml:3: card «c0»: «name.ru» is empty"


# ---------------------------------------------------------------- where sets are read

GOOD = 'name = "desert"\n' + "".join(CARD.format(n=n, text="Attack 3.") for n in range(20))


@asynccontextmanager
async def reading(**limits: Any) -> AsyncIterator[SetReader]:
    """With much time, for the process stands back behind the other tests."""
    reader = SetReader(**{"seconds": PATIENCE, **limits})
    with pytest.MonkeyPatch.context() as patch:
        for what in ("STARTING", "GOING"):
            patch.setattr(set_reader, what, PATIENCE)
        try:
            yield reader
        finally:
            await reader.close()


def process_of(reader: SetReader) -> Process:
    assert reader._process is not None
    return reader._process


def test_a_set_is_read_in_a_process_of_its_own_that_stays() -> None:
    async def play() -> None:
        async with reading() as reader:
            assert await reader.read(GOOD, "anna") == written_set(GOOD)
            first = process_of(reader)
            assert (await reader.read(GOOD, "anna"))[0] == parse_set(GOOD).digest
            assert process_of(reader) is first and first.returncode is None
        assert first.returncode == 0, "it ended by itself"

    asyncio.run(play())


def test_the_core_set_needs_no_process() -> None:
    reader = SetReader()
    assert asyncio.run(reader.read(None, "anna")) == written_set(None)
    assert reader._process is None


def test_what_is_wrong_is_told_as_if_it_were_read_here() -> None:
    text = CARD.format(n=0, text="Attak 3.") + "x.y = 5\n" + CARD.format(n=0, text="Heal 1,")

    async def play() -> OptionError:
        async with reading() as reader:
            with pytest.raises(OptionError) as caught:
                await reader.read(text, "anna")
            return caught.value

    with pytest.raises(OptionError) as here:
        written_set(text)
    there = asyncio.run(play())
    assert len(there.refusals) > 1 and all(
        there.message(lang) == here.value.message(lang) for lang in LANGUAGES
    )


def test_a_set_of_too_few_cards_is_refused_before_there_is_a_room() -> None:
    with pytest.raises(OptionError) as caught:
        written_set(CARD.format(n=0, text="Attack 3."))
    assert caught.value.code == "option.small_set"


def test_a_large_text_is_refused_unread() -> None:
    reader = SetReader(Limits(set_bytes=100))
    with pytest.raises(OptionError) as caught:
        asyncio.run(reader.read("#" * 101, "anna"))
    assert caught.value.code == "room.set_large" and reader._process is None


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_process_has_limits_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COYOTE_DB", "postgresql://anna:secret@db/coyote")

    async def play() -> None:
        async with reading() as reader:
            await reader.read(GOOD, "anna")
            about = Path(f"/proc/{process_of(reader).pid}")
            limits = about.joinpath("limits").read_text()
            memory, files = (
                int(re.findall(rf"Max {what} +(\d+) +(\d+)", limits)[0][1])
                for what in ("address space", "open files")
            )
            assert (
                memory < 1_500_000_000
                and files == 16
                and "unlimited" not in re.findall("Max cpu time +(\\S+)", limits)
            )
            assert int(about.joinpath("stat").read_text().rsplit(")")[1].split()[16]) >= KINDNESS
            assert b"secret" not in about.joinpath("environ").read_bytes()

    asyncio.run(play())


def test_a_set_that_takes_too_long_ends_the_process_and_nothing_else() -> None:
    async def play() -> None:
        async with reading() as reader:
            await reader.read(GOOD, "anna")
            first = process_of(reader)
            first.send_signal(signal.SIGSTOP)
            reader.seconds = 0.2
            with pytest.raises(Denied) as caught:
                await reader.read(GOOD, "anna")
            assert (caught.value.status, caught.value.code) == (422, "room.set_slow")
            assert first.returncode == -signal.SIGKILL
            reader.seconds = 60
            assert await reader.read(GOOD, "anna") == written_set(GOOD)

    asyncio.run(play())


def test_a_set_that_takes_too_much_memory_is_refused() -> None:
    async def play() -> None:
        async with reading(megabytes=0) as reader:
            with pytest.raises(Denied) as caught:
                await reader.read(HOSTILE["deep and wide"], "anna")
            assert caught.value.code == "room.set_slow"

    asyncio.run(play())


def test_the_system_ends_a_process_that_has_had_its_time() -> None:
    endless = "from coyote.table.set_trial import allow; allow(0)\nwhile True: pass"
    done = subprocess.run([sys.executable, "-c", endless], env=environment(), timeout=60, check=False)
    assert done.returncode == -signal.SIGXCPU


def test_a_process_that_was_killed_is_started_anew() -> None:
    async def play() -> None:
        async with reading() as reader:
            await reader.read(GOOD, "anna")
            process_of(reader).kill()
            await process_of(reader).wait()
            assert await reader.read(GOOD, "anna") == written_set(GOOD)

    asyncio.run(play())


def test_nobody_has_two_sets_waiting_and_not_everybody_waits() -> None:
    async def play() -> None:
        async with reading(seconds=60) as reader:
            await reader.read(GOOD, "anna")
            process_of(reader).send_signal(signal.SIGSTOP)
            guests = [asyncio.create_task(reader.read(GOOD, f"guest {n}")) for n in range(MOST_WAITING)]
            await asyncio.sleep(0.1)
            for who, status, code in (("guest 3", 429, "room.set_waiting"), ("boris", 429, "room.sets_busy")):
                with pytest.raises(Denied) as caught:
                    await reader.read(GOOD, who)
                assert (caught.value.status, caught.value.code) == (status, code)
                assert caught.value.retry_after
            process_of(reader).send_signal(signal.SIGCONT)
            assert {digest for digest, _ in await asyncio.gather(*guests)} == {parse_set(GOOD).digest}
            assert reader.waiting == 0

    asyncio.run(play())


def test_who_goes_away_leaves_no_answer_to_the_next() -> None:
    async def play() -> None:
        async with reading(seconds=60) as reader:
            await reader.read(GOOD, "anna")
            process_of(reader).send_signal(signal.SIGSTOP)
            task = asyncio.create_task(reader.read(GOOD, "anna"))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            other = GOOD.replace("Attack 3.", "Attack 4.")
            assert await reader.read(other, "anna") == written_set(other)

    asyncio.run(play())


# ---------------------------------------------------------------- what a turn may bring

DISCARDING = ", ".join(["discard 99 cards from deck", "draw a card"] * 8)
WORST = {
    "digging": f"For 99 turns: {DISCARDING}.",
    "digging for the other": f"For 99 turns: opponent: {DISCARDING}.",
    "drawing": "For 99 turns: " + ", ".join(["draw 99 cards"] * 16) + ".",
    "clearing": "For 99 turns: " + ", ".join(["discard 99 cards from in play", "draw 99 cards"] * 8) + ".",
    "emptying": "For 99 turns: " + ", ".join(["discard 99 cards", "draw 9 cards"] * 8) + ".",
}
HOUSES: list[dict[str, Any]] = [
    {},
    {"health": 500, "wear": 50, "deck-max": 40, "deck-min": 40, "copies": 4},
    {"health": 1, "wear": 1, "wear-from": 2},
    {"health": 90, "wear": 1, "wear-from": 9},
]
OTHERS = 120  # events of a turn that no effect on cards causes: reveals, health, cards that leave play


def game_of(text: str, rules: int = 2, **options: Any) -> Duel:
    return Duel(card_set=parse_set('name = "worst"\n' + cards(text)), rules=rules, **options)


@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
@pytest.mark.parametrize("options", HOUSES)
def test_no_turn_brings_more_than_was_known_before(text: str, options: dict[str, Any]) -> None:
    game = game_of(text, **options)
    match = Match(game, seed="worst")
    most = before = 0
    while not match.over:
        for seat in match.actors:
            match.play(match.legal(seat)[-1], seat)
        most, before = max(most, len(match.rows) - before), len(match.rows)
    assert most <= most_events(game) + OTHERS
    assert most_events(game) <= MOST_EVENTS or too_much(game)


def test_with_usual_house_rules_every_set_may_be_played() -> None:
    assert all(too_much(game_of(text)) is None for text in WORST.values())


def test_with_the_core_set_all_house_rules_may_be_played() -> None:
    wildest: dict[str, Any] = {
        "health": 500,
        "wear": 1,
        "wear-from": 9,
        "deck-max": 40,
        "copies": 4,
        "rare-copies": 4,
        "autos": 10,
    }
    for rules in Duel.RULES:
        assert most_events(Duel(rules=rules, **wildest)) <= MOST_EVENTS


def test_cards_and_house_rules_that_are_too_much_together_are_refused_with_the_reason() -> None:
    wild = {"health": 500, "wear": 1, "deck-max": 40}
    for game in (game_of(WORST["digging"], **wild), game_of(WORST["digging"], rules=1)):
        refusal = too_much(game)
        assert refusal is not None and refusal.code == "room.set_wild"
        assert len({Words(lang).refusal(refusal) for lang in LANGUAGES}) == 2
    assert too_much(game_of("Draw 2 cards.", **wild)) is None
    assert too_much(make_game("madness")) is None


def test_sets_that_are_kept_are_asked_whether_they_are_still_allowed() -> None:
    """A room of before may have any: it is ended by name and does not stop everybody."""
    assert within_bounds(written_set(None)[1]) is None
    fine = records.write_set(parse_set(GOOD))
    assert within_bounds(fine) is None
    assert within_bounds(records.write_set(game_of(WORST["digging"]).card_set)) is None
    card = fine["cards"][0]
    for what, change in {
        "effects": {"text": "Heal 1. " * 19},
        "text": {"text": " " * 1201},
        "id": {"id": "x" * 41},
        "names": {"en": "x" * 61},
        "letters": {"ru": "", "more": "x" * 300_000},
    }.items():
        refusal = within_bounds({**fine, "cards": [{**card, **change}]})
        assert refusal is not None and refusal.values["what"] == what, what
    assert within_bounds({**fine, "name": "x" * 61}) and within_bounds({**fine, "cards": [card] * 2001})
    odd: list[Any] = [{}, {"cards": 5}, {"cards": [5]}, None, []]
    for broken in odd:
        assert within_bounds(broken)


def test_which_set_it_is_is_told_and_core_is_only_the_core() -> None:
    assert set_shown(make_game("madness")) is None
    assert set_shown(Duel()) == {"name": "core", "digest": core_set().digest, "core": True}
    rigged = replace(core_set(), cards=core_set().cards[:-1])
    assert set_shown(Duel(card_set=rigged)) == {"name": "core", "digest": rigged.digest, "core": False}


def test_every_card_can_be_named_in_a_move() -> None:
    named = parse_set("".join(CARD.replace("c{n}", f"{n:040}").format(text="Heal 1.") for n in range(20)))
    match = Match(Duel(card_set=named), seed="names")
    assert all(
        len(move) <= LONGEST_ID + len("play ") < 200 for seat in range(2) for move in match.legal(seat)
    )
