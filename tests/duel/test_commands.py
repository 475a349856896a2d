"""The duel's commands as a user runs them: what they print and write, and how they say what is wrong."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from coyote.cli.warm import touch
from coyote.games.duel.decks import encode, read_deck, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import core_set
from coyote.games.game import Chance
from coyote.match import Match
from coyote.records import follow, read_records
from coyote.text import Words
from kit.terminal import CLEAR, ENGLISH, RUSSIAN, Terminal, coyote

CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
LANGS = {"en": ENGLISH, "ru": RUSSIAN}
PROMPT = r"\n> \Z"
READY = {"en": "Press Enter when you are ready. ", "ru": "Нажмите Enter, когда будете готовы. "}
KEPT = {"en": "The record of the game: ", "ru": "Запись партии: "}

SET = 'name = "dunes"\n' + "".join(
    f'[[card]]\nid = "card{n}"\nname = {{ ru = "Карта {n}", en = "Card {n}" }}\n'
    f'rarity = "common"\ntext = "{text}"\n'
    for n, text in enumerate(
        ["Attack 9.", "Атака 4, возьми карту.", "Auto. Heal 3.", "Super. Attack 40.", *["Block 5."] * 8]
    )
)
BAD_SET = (
    SET.replace("Attack 9.", "Atack 9.")
    .replace("Атака 4, возьми карту.", "Аттака 4.")
    .replace('id = "card5"', 'id = "card4"')
    .replace('id = "card7"\n', "")
)
DECK = 'name = "Mine"\nset = "dunes"\n[cards]\n' + "".join(f"card{n} = 2\n" for n in (0, 1, 4, 5, 6, 7, 8, 9))
SHARP = 'name = "sharp"\n' + "".join(
    f'[[card]]\nid = "knife{n}"\nname = {{ ru = "Нож {n}", en = "Knife {n}" }}\n'
    f'rarity = "common"\ntext = "Attack {20 + n}."\n'
    for n in range(10)
)  # duels of few turns
SHARP_DECKS = [
    'name = "Knives"\nset = "sharp"\n[cards]\n' + "".join(f"knife{n} = 2\n" for n in range(first, first + 8))
    for first in (0, 2)
]
BAD_DECK = 'name = "Mine"\nset = "dunes"\n[cards]\ncard0 = 3\ncard2 = 3\ncard3 = 2\ndragon = 1\n'


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with sets, decks and records, good and bad."""
    folder = tmp_path / "here"
    folder.mkdir()
    core_deck = 'name = "Mine"\nset = "core"\n[cards]\n' + "".join(
        f"{card.id} = 1\n" for card in plain_cards()[:20]
    )
    for name, text in {
        "dunes.toml": SET,
        "bad.toml": BAD_SET,
        "empty.toml": "",
        "tiny.toml": SET.split('[[card]]\nid = "card3"')[0],
        "mine.toml": DECK,
        "sharp.toml": SHARP,
        "near.toml": SHARP_DECKS[0],
        "far.toml": SHARP_DECKS[1],
        "random.toml": DECK,
        "broken.toml": BAD_DECK,
        "twenty.toml": core_deck,
        "shuffled.toml": "\n".join([*DECK.splitlines()[:3], *reversed(DECK.splitlines()[3:])]) + "\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def plain_cards() -> list[Any]:
    return [card for card in core_set().cards if not (card.program.auto or card.program.super)]


def said(text: str) -> str:
    """Without the line ends that tables put in."""
    return " ".join(text.split())


# ---------------------------------------------------------------- cards


@pytest.mark.parametrize("lang", LANGS)
def test_cards_list_shows_every_card_of_the_core_set(lang: str, data: Path) -> None:
    done = coyote("cards", "list", data=data, locale=LANGS[lang])
    assert done.returncode == 0 and done.stderr == ""
    for card in core_set().cards:
        assert re.search(rf"(?m)^{re.escape(card.id)}\s", done.stdout), card.id
        assert card.name("ru" if lang == "ru" else "en") in said(done.stdout)
    assert bool(CYRILLIC.search(done.stdout)) == (lang == "ru")
    assert f"{len(core_set().cards)} " in done.stdout.splitlines()[-1]


def test_cards_list_of_a_set_file(here: Path, data: Path) -> None:
    done = coyote("cards", "list", "--set", "dunes.toml", data=data, cwd=here)
    assert done.returncode == 0
    assert "Attack 4, draw a card." in done.stdout, "a Russian text is printed in English"
    russian = coyote("cards", "list", "--set", "dunes.toml", "--lang", "ru", data=data, cwd=here)
    assert "Атака 9." in russian.stdout and "Карта 3" in russian.stdout
    assert "12" in russian.stdout.splitlines()[-1]


@pytest.mark.parametrize("lang", LANGS)
def test_cards_show_draws_one_card(lang: str, data: Path) -> None:
    card = core_set().cards[0]
    done = coyote("cards", "show", card.id, "--lang", lang, data=data)
    assert done.returncode == 0
    assert card.name("ru" if lang == "ru" else "en") in done.stdout
    assert card.text("ru" if lang == "ru" else "en") in done.stdout
    assert card.id in done.stdout


def test_cards_check_says_that_a_set_is_good(here: Path, data: Path) -> None:
    done = coyote("cards", "check", "dunes.toml", data=data, cwd=here)
    assert (done.returncode, done.stdout) == (0, "dunes.toml: 12 cards, no faults.\n")
    russian = coyote("cards", "check", "dunes.toml", "--lang", "ru", data=data, cwd=here)
    assert russian.returncode == 0 and "12 карт" in russian.stdout


@pytest.mark.parametrize(
    ("command", "lang"),
    [
        (["cards", "check", "bad.toml"], "en"),
        (["cards", "check", "bad.toml"], "ru"),
        (["cards", "list", "--set", "bad.toml"], "ru"),
        (["simulate", "duel", "--set", "bad.toml"], "en"),
        (["play", "duel", "--set", "bad.toml"], "ru"),
    ],
)
def test_a_bad_set_is_refused_with_all_its_faults(
    command: list[str], lang: str, here: Path, data: Path
) -> None:
    done = coyote(*command, "--lang", lang, data=data, cwd=here)
    assert done.returncode == 2 and done.stdout == ""
    for part in ("«Attack»", "«Атака»", "card4", "«id»"):
        assert part in done.stderr, part
    assert len(re.findall(r"bad\.toml:\d+", done.stderr)) == 4
    assert "Traceback" not in done.stderr
    assert bool(re.search("может быть", done.stderr)) == (lang == "ru")


# ---------------------------------------------------------------- decks


@pytest.mark.parametrize("lang", LANGS)
def test_deck_list_describes_every_ready_deck(lang: str, data: Path) -> None:
    done = coyote("deck", "list", data=data, locale=LANGS[lang])
    assert done.returncode == 0
    for deck in ready_decks().values():
        assert deck.id in done.stdout
        assert deck.name("ru" if lang == "ru" else "en") in said(done.stdout)
        assert deck.description("ru" if lang == "ru" else "en") in said(done.stdout)


@pytest.mark.parametrize("name", [*ready_decks()][:2])
def test_deck_show_has_cards_counts_curve_and_code(name: str, data: Path) -> None:
    done = coyote("deck", "show", name, data=data)
    assert done.returncode == 0
    for card_id, copies in ready_decks()[name].cards:
        assert re.search(rf"(?m)^{copies}\s+{re.escape(card_id)}\s", done.stdout)
    assert "█" in done.stdout and f"{ready_decks()[name].size} cards" in done.stdout
    assert encode(ready_decks()[name], core_set()) in done.stdout


def test_deck_show_prints_a_long_code_in_one_piece(here: Path, data: Path) -> None:
    """Twenty single cards have the longest code; it is to be copied into a message."""
    code = encode(read_deck(here / "twenty.toml", core_set()), core_set())
    done = coyote("deck", "show", "twenty.toml", data=data, cwd=here)
    assert done.returncode == 0
    assert code in done.stdout


def test_deck_check_says_that_a_deck_is_legal(here: Path, data: Path) -> None:
    done = coyote("deck", "check", "mine.toml", "--set", "dunes.toml", data=data, cwd=here)
    assert (done.returncode, done.stdout) == (0, "mine.toml: 16 cards, a legal deck.\n")


@pytest.mark.parametrize("lang", LANGS)
def test_deck_check_names_every_broken_rule_with_the_card(lang: str, here: Path, data: Path) -> None:
    done = coyote("deck", "check", "broken.toml", "--set", "dunes.toml", "--lang", lang, data=data, cwd=here)
    assert done.returncode == 2 and done.stdout == ""
    for part in ("15", "«card0»", "«card2»", "card3", "dragon"):
        assert part in done.stderr, part
    assert done.stderr.count("(D19)") == 6, "too small, copies of two cards, Auto, Super, unknown"
    assert bool(CYRILLIC.search(done.stderr)) == (lang == "ru")


def test_deck_code_and_decode_go_round(here: Path, data: Path) -> None:
    given = ("--set", "dunes.toml")
    code = coyote("deck", "code", "mine.toml", *given, data=data, cwd=here)
    assert code.returncode == 0 and re.fullmatch(r"[A-Za-z0-9_-]+\n", code.stdout)
    same = coyote("deck", "code", "shuffled.toml", *given, data=data, cwd=here)
    assert same.stdout == code.stdout, "equal decks have equal codes"
    shown = coyote("deck", "decode", code.stdout.strip(), *given, data=data, cwd=here)
    assert shown.returncode == 0
    for number in (0, 1, 4, 5, 6, 7, 8, 9):
        assert re.search(rf"(?m)^2\s+card{number}\s", shown.stdout)
    assert code.stdout.strip() in shown.stdout


def test_a_code_is_a_deck_wherever_a_deck_is_asked_for(here: Path, data: Path) -> None:
    code = coyote("deck", "code", "oasis", data=data).stdout.strip()
    runs = [
        coyote(
            "simulate", "duel", "--games", "20", "--seed", "s", "--decks", f"{deck},pack", "--json", data=data
        )
        for deck in (code, "oasis")
    ]
    assert [done.returncode for done in runs] == [0, 0]
    first, second = (json.loads(done.stdout) for done in runs)
    assert (first["wins"], first["turns"]) == (second["wins"], second["turns"])


HOUSE = ("--option", "copies=4", "--option", "deck-max=40")


def test_decks_are_judged_by_the_house_rules_they_are_for(here: Path, data: Path) -> None:
    """Four copies of a card, and thirty cards: too much by the document, and a deck by these rules (D26)."""
    (here / "large.toml").write_text(DECK.replace("= 2\n", "= 4\n"), encoding="utf-8")
    cards = ("--set", "dunes.toml")
    refused = coyote("deck", "check", "large.toml", *cards, data=data, cwd=here)
    assert refused.returncode == 2 and "(D19)" in refused.stderr
    good = coyote("deck", "check", "large.toml", *cards, *HOUSE, data=data, cwd=here)
    assert (good.returncode, good.stdout) == (0, "large.toml: 32 cards, a legal deck.\n")
    code = coyote("deck", "code", "large.toml", *cards, *HOUSE, data=data, cwd=here).stdout.strip()
    for command in (("show", "large.toml"), ("decode", code)):
        shown = coyote("deck", *command, *cards, *HOUSE, data=data, cwd=here)
        assert shown.returncode == 0 and code in shown.stdout
        assert re.search(r"(?m)^4\s+card0\s", shown.stdout)
    assert coyote("deck", "decode", code, *cards, data=data, cwd=here).returncode == 2
    for deck in ("large.toml", code):
        played = ("simulate", "duel", "--games", "3", *cards, "--decks", f"{deck},random")
        done = coyote(*played, *HOUSE, "--records", "games.jsonl", data=data, cwd=here)
        assert done.returncode == 0, done.stderr
        assert coyote("check", "games.jsonl", data=data, cwd=here).returncode == 0
        assert coyote(*played, data=data, cwd=here).returncode == 2
    assert coyote("deck", "show", "pack", "--option", "autos=0", data=data).returncode == 2


@pytest.mark.parametrize("lang", LANGS)
def test_a_damaged_code_says_so(lang: str, data: Path) -> None:
    code = encode(ready_decks()["oasis"], core_set())
    for wrong in (code[:-1], code[:10] + ("a" if code[10] != "a" else "b") + code[11:]):
        done = coyote("deck", "decode", wrong, "--lang", lang, data=data)
        assert done.returncode == 2 and done.stdout == ""
        assert ("damaged" if lang == "en" else "повреждён") in done.stderr
        assert done.stderr.count("\n") == 1


# ---------------------------------------------------------------- simulate, check, replay, bench


def test_simulate_prints_json_for_programs(data: Path) -> None:
    command = ("simulate", "duel", "--games", "300", "--seed", "s", "--decks", "pack,oasis", "--json")
    found = json.loads(coyote(*command, data=data).stdout)
    assert (found["game"], found["games"], found["ends"]) == ("duel", 300, {"health": 300})
    assert sum(share["games"] for share in (*found["wins"], found["draws"])) == 300
    assert set(found["points"]) == set(Duel.SOURCES)
    again = json.loads(coyote(*command, data=data).stdout)
    assert {**again, "seconds": 0} == {**found, "seconds": 0}


@pytest.mark.parametrize("lang", LANGS)
def test_simulate_prints_a_summary_for_people(lang: str, data: Path) -> None:
    done = coyote("simulate", "duel", "--games", "101", "--seed", "s", data=data, locale=LANGS[lang])
    assert done.returncode == 0
    words = Words(lang)
    parts = [words("duel.name"), words("count.games", n=101), words("reason.health")]
    for part in parts + [words(f"source.{source}") for source in Duel.SOURCES]:
        assert part in said(done.stdout)
    assert bool(CYRILLIC.search(done.stdout)) == (lang == "ru")


@pytest.mark.parametrize(
    "options",
    [
        ["--decks", "random,random", "--trace"],
        ["--decks", "pack,oasis"],
        ["--decks", "mine.toml,random", "--set", "dunes.toml", "--trace"],
        ["--option", "open-lists=true", "--trace"],
    ],
)
def test_simulated_records_are_as_the_rules_say(options: list[str], here: Path, data: Path) -> None:
    command = ("simulate", "duel", "--games", "6", "--seed", "s", *options)
    done = coyote(*command, "--records", "games.jsonl", data=data, cwd=here)
    assert done.returncode == 0 and done.stdout == ""
    assert done.stderr.strip() == "6 games written to games.jsonl."
    first = (here / "games.jsonl").read_bytes()
    coyote(*command, "--records", "games.jsonl", data=data, cwd=here)
    assert (here / "games.jsonl").read_bytes() == first, "the same command writes the same file"
    records = list(read_records(here / "games.jsonl"))
    assert all(("trace" in record) == ("--trace" in options) for record in records)
    if "random,random" in options:
        assert len({json.dumps(sorted(record["decks"][0])) for record in records}) == 6, (
            "new decks every game"
        )
    moves = sum(len(record["moves"]) for record in records)
    checked = coyote("check", "games.jsonl", data=data, cwd=here)
    assert (checked.returncode, checked.stdout) == (
        0,
        f"6 games followed, {moves} moves: all as the rules say.\n",
    )


def test_a_deck_file_called_random_is_that_deck(here: Path, data: Path) -> None:
    command = ("simulate", "duel", "--games", "2", "--seed", "s", "--set", "dunes.toml")
    done = coyote(
        *command, "--decks", "./random.toml,./random.toml", "--records", "games.jsonl", data=data, cwd=here
    )
    assert done.returncode == 0
    wanted = sorted(read_deck(here / "random.toml").ids())
    for record in read_records(here / "games.jsonl"):
        assert [sorted(deck) for deck in record["decks"]] == [wanted, wanted]


@pytest.mark.parametrize("lang", LANGS)
def test_check_names_game_move_and_rule(lang: str, here: Path, data: Path) -> None:
    command = ("simulate", "duel", "--games", "2", "--seed", "s", "--trace", "--records", "games.jsonl")
    coyote(*command, data=data, cwd=here)
    first, second = (here / "games.jsonl").read_text(encoding="utf-8").splitlines()
    record = json.loads(second)
    record["trace"][6]["health"][1] = 777
    (here / "games.jsonl").write_text(f"{first}\n{json.dumps(record)}\n", encoding="utf-8")
    done = coyote("check", "games.jsonl", "--lang", lang, data=data, cwd=here)
    assert done.returncode == 2 and done.stdout == ""
    start = "coyote: game 2, move 7: " if lang == "en" else "coyote: партия 2, ход 7: "
    assert done.stderr.startswith(start) and done.stderr.endswith("(D9)\n")


def replayed(here: Path, data: Path, viewer: str) -> tuple[dict[str, Any], list[str]]:
    """A record and the printed steps of its replay."""
    command = ("simulate", "duel", "--games", "1", "--seed", "s", "--trace", "--records", "games.jsonl")
    coyote(*command, "--set", "sharp.toml", "--decks", "near.toml,far.toml", data=data, cwd=here)
    (record,) = read_records(here / "games.jsonl")
    done = coyote("replay", "games.jsonl", "--view", viewer, data=data, cwd=here)
    assert done.returncode == 0 and done.stderr == ""
    steps = re.split(r"(?m)^Move \d+ of \d+$", done.stdout)[1:]
    assert len(steps) == len(record["moves"]) + 1
    return record, steps


def stands_on(card: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\S){re.escape(card)}(?![\w-])", text))


def surely(step: str) -> str:
    """Without the paragraph of what the other could hold: that is supposed, whatever they have.

    `tests/analysis` swaps the cards for it.
    """
    return re.sub(r"(?m)^.*could hold:.*\n(?:\S.*\n)*", "", step)


@pytest.mark.parametrize("viewer", ["0", "1", "all"])
def test_replay_shows_only_what_the_viewer_may_know(viewer: str, here: Path, data: Path) -> None:
    record, steps = replayed(here, data, viewer)
    match, before = Match.from_record(record), 0
    for step, situation, (mover, move) in zip(steps, record["trace"], record["moves"], strict=False):
        seat = None if viewer == "all" else int(viewer)
        told = {event.values.get("title") for event in match.events(seat, before)}
        for owner, hand in enumerate(situation["hands"]):
            if seat in (None, owner):
                assert all(stands_on(card, step) for card in hand)
                continue
            lies_open = [card for side in situation["play"] for card, _ in side] + situation["aside"][owner]
            secret = set(hand) - {
                *situation["hands"][1 - owner],
                *situation["aside"][1 - owner],
                *lies_open,
                *told,
            }
            assert not any(stands_on(card, surely(step)) for card in secret)
        before = len(match.events())
        match.play(move, mover)
    assert Words("en")("reason.health") in steps[-1]


@pytest.mark.parametrize("viewer", ["1", "all"])
def test_replay_does_not_tell_a_choice_before_both_have_chosen(viewer: str, here: Path, data: Path) -> None:
    """After the first choice of a turn the table is as before it, and nothing has happened."""
    _, steps = replayed(here, data, viewer)
    lines = [[line.rstrip() for line in step.strip().splitlines()] for step in steps]
    for before, after in zip(lines[0::2], lines[1::2], strict=False):
        assert after == before[: len(after)]
        assert not any("plays" in line for line in after)


def test_bench_tells_numbers(data: Path) -> None:
    done = coyote("bench", "duel", "--seconds", "0.2", "--json", data=data)
    assert done.returncode == 0
    assert all(number > 0 for number in json.loads(done.stdout).values() if isinstance(number, int | float))
    spoken = coyote(
        "bench", "duel", "--seconds", "0.2", "--decks", "random,random", data=data, locale=RUSSIAN
    )
    assert spoken.returncode == 0 and "в секунду" in spoken.stdout


# ---------------------------------------------------------------- what is wrong


FAULTS: dict[str, tuple[list[str], str]] = {
    "no such card": (["cards", "show", "dragon"], "dragon"),
    "no such set": (["cards", "list", "--set", "none.toml"], "none.toml"),
    "set a folder": (["cards", "check", "."], ""),
    "set empty": (["cards", "check", "empty.toml"], "[[card]]"),
    "set too small for a deck": (["simulate", "duel", "--set", "tiny.toml"], "dunes"),
    "set too small to play": (["play", "duel", "--set", "tiny.toml"], "dunes"),
    "no such ready deck": (["deck", "show", "dragons"], "dragons"),
    "a random deck to show": (["deck", "show", "random"], "random"),
    "no such deck file": (["deck", "check", "none.toml"], "none.toml"),
    "no deck to code": (["deck", "code", "none.toml"], "none.toml"),
    "one deck": (["simulate", "duel", "--decks", "pack"], "--decks"),
    "three decks": (["simulate", "duel", "--decks", "pack,pack,pack"], "--decks"),
    "deck unknown": (["simulate", "duel", "--decks", "pack,dragons"], "dragons"),
    "decks for madness": (["simulate", "madness", "--decks", "pack,oasis"], ""),
    "set for madness": (["play", "madness", "--set", "dunes.toml"], ""),
    "option unknown": (["simulate", "duel", "--option", "limit=7"], "limit"),
    "option value": (["simulate", "duel", "--option", "open-lists=maybe"], "maybe"),
    "edition of madness": (["simulate", "duel", "--edition", "classic"], "edition"),
    "play: no such deck": (["play", "duel", "--deck", "dragons"], "dragons"),
    "play: resume and more": (["play", "--resume", "--deck", "pack"], "--resume"),
    "bench: no such deck": (["bench", "duel", "--decks", "pack,dragons"], "dragons"),
    "no such rule": (["rules", "duel", "D27"], "D27"),
    "deck missing": (["deck", "show"], ""),
    "no such command": (["cards", "burn"], "burn"),
}


IN_RUSSIAN = (
    "no such card", "no such set", "set empty", "set too small for a deck", "a random deck to show",
    "one deck", "decks for madness", "option value", "no such command",
)  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "lang"), [*((kind, "en") for kind in FAULTS), *((kind, "ru") for kind in IN_RUSSIAN)]
)
def test_a_fault_is_one_sentence_and_nothing_is_written(kind: str, lang: str, here: Path, data: Path) -> None:
    arguments, part = FAULTS[kind]
    before = {path: path.read_bytes() for path in here.iterdir()}
    done = coyote(*arguments, data=data, locale=LANGS[lang], cwd=here)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("coyote: ") and done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1, done.stderr
    assert part in done.stderr
    internal = Words(lang).find("fault.internal").split("(")[0].strip()
    assert internal not in done.stderr and "Traceback" not in done.stderr
    assert bool(CYRILLIC.search(done.stderr)) == (lang == "ru"), done.stderr
    assert {path: path.read_bytes() for path in here.iterdir()} == before


@pytest.mark.parametrize(
    ("command", "lang"),
    [
        (["deck", "check", "mine.toml"], "ru"),
        (["deck", "show", "mine.toml"], "en"),
        (["deck", "code", "mine.toml"], "ru"),
        (["deck", "code", "pack", "--set", "dunes.toml"], "en"),
        (["deck", "code", "pack", "--set", "dunes.toml"], "ru"),
        (["deck", "show", "pack", "--set", "dunes.toml"], "en"),
        (["simulate", "duel", "--decks", "mine.toml,pack"], "en"),
        (["simulate", "duel", "--decks", "pack,pack", "--set", "dunes.toml"], "ru"),
    ],
)
def test_a_deck_of_another_set_is_refused(command: list[str], lang: str, here: Path, data: Path) -> None:
    done = coyote(*command, "--lang", lang, data=data, cwd=here)
    assert done.returncode == 2 and done.stdout == ""
    assert Words(lang).find("fault.internal").split("(")[0].strip() not in done.stderr
    assert bool(CYRILLIC.search(done.stderr)) == (lang == "ru"), done.stderr


def test_a_code_whose_deck_has_become_illegal_is_refused_with_the_reasons(here: Path, data: Path) -> None:
    """The card was common when the code was made, and is rare now."""
    code = coyote("deck", "code", "mine.toml", "--set", "dunes.toml", data=data, cwd=here).stdout.strip()
    (here / "later.toml").write_text(SET.replace('"common"', '"rare"'), encoding="utf-8")
    done = coyote("deck", "decode", code, "--set", "later.toml", data=data, cwd=here)
    assert done.returncode == 2
    assert "(D19)" in done.stderr and "broken in the program" not in done.stderr
    played = coyote(
        "simulate", "duel", "--set", "later.toml", "--decks", f"{code},{code}", data=data, cwd=here
    )
    assert played.returncode == 2
    assert "(D19)" in played.stderr and "broken in the program" not in played.stderr


# ---------------------------------------------------------------- play


def saved(data: Path) -> dict[str, Any]:
    (path,) = (data / "games").glob("*.game.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def kept(data: Path) -> dict[str, Any]:
    (path,) = (data / "games").iterdir()
    (record,) = read_records(path)
    return record


@pytest.mark.parametrize("lang", LANGS)
def test_a_whole_duel_against_random_by_typing_numbers(lang: str, here: Path, data: Path) -> None:
    files = ("--set", here / "sharp.toml", "--deck", here / "near.toml", "--their-deck", here / "far.toml")
    command = ("play", "duel", "--seed", "whole duel", *files)
    with Terminal(*command, data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        decisions = 0
        while True:
            terminal.enter("1" if decisions % 2 else "2")
            decisions += 1
            assert decisions < 400
            if terminal.expect(f"(?P<more>{PROMPT})|(?P<over>{KEPT[lang]})")["over"]:
                break
        assert terminal.wait() == 0
        screens = terminal.text.split(CLEAR)
    record = kept(data)
    assert follow(record).over
    mine = record["players"].index("human")
    wanted = [read_deck(here / name).ids() for name in ("near.toml", "far.toml")]
    assert [sorted(record["decks"][seat]) for seat in (mine, 1 - mine)] == wanted
    assert "█" in screens[-1]
    path = next((data / "games").iterdir())
    assert coyote("check", path, data=data).returncode == 0


def test_wrong_choices_change_nothing_and_name_the_rule(data: Path) -> None:
    with Terminal("play", "duel", "--seed", "wrong", data=data) as terminal:
        terminal.expect(PROMPT)
        before = saved(data)
        for typed in ("play dragon", "nonsense", "99", "play"):
            terminal.enter(typed)
            terminal.expect(rf"\(D6\)[^\f]*{PROMPT}")
        terminal.enter("rules")
        terminal.expect(rf"D6 · [^\f]*{PROMPT}")
        terminal.enter("?")
        terminal.expect(rf"\f[^\f]*1 +hold [^\f]*{PROMPT}")
        assert saved(data) == before
        terminal.enter("quit")
        terminal.expect("coyote play --resume")
        assert terminal.wait() == 0


HOT = ("play", "duel", "--against", "human", "--deck", "pack", "--their-deck", "oasis", "--seed", "hot seat")


def hot_match() -> Match:
    return Match("duel", seed="hot seat", decks=("pack", "oasis"))


def names_on(screen: str, cards: list[str], lang: str) -> set[str]:
    """The cards whose id or name stands on a screen."""
    titles = {card: core_set().by_id[card].name("ru" if lang == "ru" else "en") for card in cards}
    return {
        card
        for card in cards
        if re.search(rf"(?<!\S){re.escape(card)}(?!\S)", screen) or titles[card] in screen
    }


@pytest.mark.parametrize("lang", LANGS)
def test_two_people_never_see_each_others_cards_and_choices(lang: str, data: Path) -> None:
    """On every screen of some turns are the cards of who sits there, and none that only the other knows."""
    match, ready = hot_match(), re.escape(READY[lang])
    every = [card.id for card in core_set().cards]
    with Terminal(*HOT, data=data, locale=LANGS[lang]) as terminal:
        for _ in range(5):
            for seat in (0, 1):
                terminal.expect(ready)
                covered = terminal.text.split(CLEAR)[-1]
                assert Words(lang).find("play.players")[seat] in covered
                assert names_on(covered, every, lang) == set()
                terminal.enter()
                terminal.expect(PROMPT)
                screen = terminal.text.split(CLEAR)[-1]
                view, hands = match.view_json(seat), match.hands
                assert names_on(screen, view["hand"], lang) == set(view["hand"])
                happened = {
                    event.values["title"] for event in match.events(seat) if event.values.get("title")
                }
                texts = json.dumps(
                    [view["play"], view["discard"], view["aside"], sorted(happened), view["hand"]]
                )
                secret = [card for card in hands[1 - seat] if f'"{card}"' not in texts]
                assert names_on(screen, secret, lang) == set()
                move = match.legal(seat)[-1]
                terminal.enter(move)
                match.play(move, seat)
        terminal.expect(ready)
        assert "\x1b[3J" in terminal.raw.decode(), "the scrollback is cleared too"
        found = saved(data)["moves"]
        terminal.kill()
    assert found == [list(move) for move in match.moves]


def second_screen(data: Path, choice: int, command: tuple[str, ...] = HOT) -> str:
    """What is written from the moment the first player has chosen until the second is asked."""
    with Terminal(*command, data=data) as terminal:
        terminal.expect(READY["en"])
        terminal.enter()
        terminal.expect(PROMPT)
        terminal.enter(str(choice))
        terminal.expect(READY["en"])
        terminal.enter()
        terminal.expect(PROMPT)
        terminal.kill()
        return CLEAR.join(terminal.text.split(CLEAR)[-2:])


def test_the_second_player_sees_the_same_whatever_the_first_has_chosen(data: Path) -> None:
    legal = hot_match().legal_actions(0)
    seen = {second_screen(data / str(choice), choice) for choice in range(1, len(legal) + 1)}
    assert len(seen) == 1
    chosen = {json.dumps(saved(data / str(choice))["moves"]) for choice in range(1, len(legal) + 1)}
    assert len(chosen) == len(legal), "and yet the choices differ"


@pytest.mark.parametrize("how", ["kill", "ctrl-c"])
def test_a_duel_left_between_the_two_choices_keeps_the_sealed_one(how: str, data: Path) -> None:
    match = hot_match()
    card = match.legal(0)[-1]
    with Terminal(*HOT, data=data) as terminal:
        terminal.expect(READY["en"])
        terminal.enter()
        terminal.expect(PROMPT)
        terminal.enter(card)
        terminal.expect(READY["en"])
        if how == "kill":
            terminal.kill()
        else:
            terminal.interrupt()
            terminal.expect("coyote play --resume")
            assert terminal.wait() == 0
    assert saved(data)["moves"] == [[0, card]]
    with Terminal("play", "--resume", data=data) as terminal:
        terminal.expect(READY["en"])
        covered = terminal.text.split(CLEAR)[-1]
        assert Words("en").find("play.players")[1] in covered, "it is the second player's turn to choose"
        assert names_on(terminal.text, [c.id for c in core_set().cards], "en") == set()
        terminal.enter()
        terminal.expect(PROMPT)
        terminal.enter("hold")
        terminal.expect(READY["en"])
        assert saved(data)["moves"] == [[0, card], [1, "hold"]]
        terminal.kill()


def test_a_duel_of_a_set_file_goes_on_without_the_file(here: Path, data: Path) -> None:
    """A saved game keeps its cards: the file may change or go."""
    command = (
        "play",
        "duel",
        "--set",
        str(here / "dunes.toml"),
        "--deck",
        str(here / "mine.toml"),
        "--seed",
        "s",
    )
    with Terminal(*command, data=data) as terminal:
        terminal.expect(PROMPT)
        terminal.enter("1")
        terminal.expect(PROMPT)
        terminal.kill()
    before = saved(data)["moves"]
    (here / "dunes.toml").unlink()
    with Terminal("play", "--resume", "--lang", "ru", data=data) as terminal:
        terminal.expect(PROMPT)
        assert "Карта " in terminal.text
        assert saved(data)["moves"] == before
        terminal.enter("1")
        terminal.expect(f"{PROMPT}|{KEPT['ru']}")
        terminal.kill()


def test_a_card_is_played_by_its_id_whatever_it_looks_like(here: Path, data: Path) -> None:
    """In the other game 10d would be a ten of diamonds; here it is what the designer called a card."""
    for name in ("sharp.toml", "near.toml"):
        text = (here / name).read_text(encoding="utf-8")
        for number, card_id in enumerate(("10c", "10d", "10h", "10s", "7s", "kd", "tc", "x1")):
            text = text.replace(f'"knife{number}"', f'"{card_id}"').replace(
                f"knife{number} =", f"{card_id} ="
            )
        (here / name).write_text(text, encoding="utf-8")
    deck = here / "near.toml"
    command = (
        "play",
        "duel",
        "--set",
        here / "sharp.toml",
        "--deck",
        deck,
        "--their-deck",
        deck,
        "--seed",
        "ids",
    )
    with Terminal(*command, "--against", "human", data=data) as terminal:
        terminal.expect(READY["en"])
        terminal.enter()
        terminal.expect(PROMPT)
        for card_id in ("10c", "10d", "10h", "10s", "7s", "kd", "tc", "x1"):
            terminal.enter(f"play {card_id}")
            found = terminal.expect(rf"(?P<refused>\(D6\)\s*> )|(?P<played>{READY['en']})")
            if found["played"]:
                break
            assert f"{card_id} is not in your hand" in said(terminal.text)
        assert saved(data)["moves"] == [[0, f"play {card_id}"]]
        terminal.kill()


def test_the_first_start_compiles_what_a_match_uses() -> None:
    """A log of another size would be compiled a second time, when the bar has gone."""
    sizes = []

    class Spy(Duel):
        def act(self, s: Any, seat: int, action: int, log: Any, chance: Chance) -> None:
            sizes.append(int(log["capacity"]))
            super().act(s, seat, action, log, chance)

    touch(Spy(), series=False)
    assert set(sizes) == {Duel.EVENTS}
