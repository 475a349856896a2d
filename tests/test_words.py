"""The words of both languages: the same keys, complete plurals, none missing and none stale."""

import ast
import errno
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest

from coyote.analysis.analyse import FORTUNES, LABELS
from coyote.analysis.duel.habit import KINDS as HABITS
from coyote.cli import main as cli  # noqa: F401  all kinds of refusals are known then
from coyote.cli.madness_typed import parts
from coyote.games.duel.language import ACTIONS, Condition, Per, Zone
from coyote.games.duel.telling import HOW, OF_CARDS
from coyote.games.events import WHAT_FOR
from coyote.games.madness.cards import NAMES, RANKS
from coyote.games.madness.notation import MOVES
from coyote.games.madness.state import PHASES
from coyote.games.options import Option
from coyote.games.registry import GAMES, make_game
from coyote.kernel.seats import NONE
from coyote.lab.preview import VERDICTS
from coyote.records import TABLE_REASONS
from coyote.table import server  # noqa: F401
from coyote.table.inputs import Offered
from coyote.text import Refusal, Refused
from coyote.text.titles import option_said
from coyote.text.words import GAME_WORDS, LANGUAGES, Words, language_of_locale, messages, plural_form

SOURCES = Path(__file__).parent.parent / "src" / "coyote"
PLURALS = {"en": {"one", "many"}, "ru": {"one", "few", "many"}}
PERSONS = {"you", "they", "lost", "nobody", "hidden"}  # the forms of an event


def leaves(found: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Every single text with its whole key."""
    for key, value in found.items():
        whole = f"{path}.{key}" if path else key
        if isinstance(value, Mapping):
            yield from leaves(value, whole)
        elif isinstance(value, list):
            yield from ((f"{whole}.{number}", text) for number, text in enumerate(value))
        else:
            yield whole, value


@cache
def texts(lang: str) -> dict[str, str]:
    return dict(leaves(messages(lang)))


def is_plural(message: Any) -> bool:
    return isinstance(message, Mapping) and "one" in message


def tables(found: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every table of the file that has texts directly in it."""
    for key, value in found.items():
        if isinstance(value, Mapping):
            whole = f"{path}.{key}" if path else key
            yield whole, value
            yield from tables(value, whole)


@cache
def plural_keys(lang: str) -> frozenset[str]:
    return frozenset(key for key, table in tables(messages(lang)) if is_plural(table))


def slots_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def message_key(key: str, lang: str) -> str:
    """The key as code names it: without the form of a plural, of an event, or the place in a list."""
    head, _, last = key.rpartition(".")
    if head in plural_keys(lang) or last.isdigit() and not head.startswith("rank"):
        return head
    if ".event." in key and last in PERSONS:
        return head
    return key


@cache
def keys(lang: str) -> frozenset[str]:
    return frozenset(message_key(key, lang) for key in texts(lang))


# ---------------------------------------------------------------- both languages alike


def test_there_are_two_languages() -> None:
    assert set(LANGUAGES) == {"en", "ru"}


def test_both_languages_have_the_same_keys() -> None:
    assert sorted(keys("en") ^ keys("ru")) == []
    assert plural_keys("en") == plural_keys("ru")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plurals_are_complete(lang: str) -> None:
    for key in plural_keys(lang):
        assert set(Words(lang).find(key)) == PLURALS[lang], key


def test_both_languages_have_the_same_forms_of_events() -> None:
    forms = {lang: {key for key in texts(lang) if ".event." in key} for lang in LANGUAGES}
    assert forms["en"] ^ forms["ru"] == set()


# A card in a sentence is given as a sign, as a name or as an object, whichever the language needs.
CARD_SLOT = re.compile(r"_(name|object)$")


def test_both_languages_fill_in_the_same() -> None:
    """Per message all its forms together: one form may leave out what another needs."""
    for key in sorted(keys("en")):
        filled = []
        for lang in LANGUAGES:
            own = [text for whole, text in texts(lang).items() if message_key(whole, lang) == key]
            filled.append({CARD_SLOT.sub("", slot) for text in own for slot in slots_of(text)})
        assert filled[0] == filled[1], key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_is_well_formed(lang: str) -> None:
    for key, text in texts(lang).items():
        assert text or ".event." in key, key  # an event may go unsaid
        assert text.lstrip() == text, key
        assert text.rstrip() == text or key == "play.press_enter", key  # typed after
        assert slots_of(text) is not None


def test_russian_texts_are_russian_and_english_ones_are_not() -> None:
    letters = re.compile("[а-яё]", re.IGNORECASE)
    for key, text in texts("en").items():
        assert not letters.search(text), key
    plain = {key for key, text in texts("ru").items() if not letters.search(text)}
    for key in plain:
        words = re.findall(r"[A-Za-z]{3,}", re.sub(r"\{[^}]*\}", "", texts("ru")[key]))
        assert not words, f"{key} is not said in Russian: {texts('ru')[key]}"


# ---------------------------------------------------------------- used and there


@cache
def constants(path: Path) -> frozenset[str]:
    """Every string that stands in a source file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def all_constants() -> set[str]:
    return {text for path in SOURCES.rglob("*.py") for text in constants(path)}


# What moves begin with, in notation.
VERBS = {
    "madness": ("a", "c", "b", "pass", "draw", "drop", "drop_nothing", "push", "steal", "decline"),
    "duel": ("play", "hold"),
}


def game_keys(name: str) -> set[str]:
    """Keys of one game that follow from what it is: events, choices, editions, options."""
    game = GAMES[name]
    found = {"name", *(f"event.{key}" for key in told_keys(name))}
    found |= {f"{where}.{kind}" for where in ("wanted", "prompt") for kind in game.WANTED}
    found |= {f"prompt.{kind}_other" for kind in game.WANTED}
    found |= {f"{manner}.{verb}" for manner in ("advice", "reply") for verb in VERBS.get(name, ())}
    found |= {
        f"{names}.{edition}" for names in ("edition", "edition_title") for edition in game.EDITIONS if edition
    }
    found |= {f"option.{option.name}.{key}" for option in game.OPTIONS for key in option_keys(option)}
    return {f"{name}.{key}" for key in found}


def told_keys(name: str) -> set[str]:
    """Most kinds of events have one sentence; damage in a duel has one for each way it can go."""
    found = set(GAMES[name].KINDS.keys())
    return found - {"damage"} | {f"damage.{how}" for how in HOW} if "damage" in found else found


def option_keys(option: Option) -> set[str]:
    """A number is said in one sentence, maybe with plurals; each word of a choice in its own."""
    if isinstance(option.allowed, range):
        return {"title", "about", "said"}
    return {"title", "about", *(f"{key}.{word}" for key in ("said", "choice") for word in option.allowed)}


@cache
def families() -> frozenset[str]:
    """Keys that the code puts together from names it has elsewhere."""
    found = {f"rank.{rank}.{form}" for rank in (*RANKS, "X") for form in ("sign", "name", "object")}
    found |= {f"typed.rank.{rank}" for rank in "TJQKAX"} | {f"typed.suit.{suit}" for suit in "CDHS"}
    verbs = {parts(move)[0] for move in MOVES}
    found |= {f"madness.{key}.{verb}" for key in ("move", "list") for verb in verbs}
    found |= {"madness.move.drop_nothing"}
    found |= {f"madness.phase.{phase}" for phase in PHASES}
    found |= {f"judging.prompt.{phase}" for phase in PHASES if phase != "over"}
    found |= {f"outlook.{verdict}_{person}" for verdict in ("won", "drawn") for person in ("you", "they")}
    found |= {f"reason.{reason}" for game in GAMES.values() for reason in (*game.REASONS, *TABLE_REASONS)}
    forms = [
        f"{form}_{why}" for form in ("won", "lost", "seen") for why in ("resignation", "timeout", "left")
    ]
    forms += ["won", "lost", "seen", "drawn", "drawn_timeout", "drawn_agreement", "drawn_aborted"]
    found |= {f"prompt.end.{form}" for form in forms}
    kinds = [f"{kind}_{what}" for kind in ("offered", "declined") for what in get_args(Offered)]
    kinds += ["accepted_draw", "accepted_undo", "lapsed_draw", "lapsed_undo", "undone_undo"]
    found |= {f"note.{kind}.{who}" for kind in kinds for who in ("you", "other")}
    found |= {f"source.{source}" for game in GAMES.values() for source in game.SOURCES}
    found |= {f"bot.names.{kind}" for kind in ("random", "greedy", "search")}
    found |= {f"lab.moves.{kind}" for game in GAMES.values() for kind in game.MOVE_KINDS}
    found |= {f"lab.part.{part}" for game in GAMES.values() for part in (*game.TRACE_RULES, "legal")}
    found |= {f"lab.part.{part}" for part in ("events", "over")}
    found |= {f"lab.preview.{verdict}" for verdict in VERDICTS}
    found |= {f"analysis.label.{label}" for label in (*LABELS, *FORTUNES)}
    found |= {f"analysis.said.{fortune}" for fortune in FORTUNES}
    found |= {f"analysis.habit.{kind}" for kind in HABITS}
    found |= {f"analysis.puzzle.madness.{kind}" for kind in ("win", "save", "best")}
    found |= {f"analysis.puzzle.duel.{kind}" for kind in ("win", "save")}
    found |= {f"analysis.puzzle.at_once_{kind}" for kind in ("win", "save")}
    found |= {f"match.spread_{kind}" for kind in ("game", "pair")}
    found |= {f"workshop.weighed.{one}" for one in ("strong", "usual", "weak", "dead")} | reading_keys()
    return frozenset(found.union(*map(game_keys, GAMES)))


def reading_keys() -> set[str]:
    """What is said of a card that is being written: all that the language of the cards can say."""
    picked = {"per": Per, "zone": Zone, "condition": Condition, "trait": ("auto", "super")}
    found = {f"picked.{kind}.{one}" for kind, words in picked.items() for one in words}
    found |= {f"condition.{one}" for one in Condition}
    found |= {f"when.{one}" for one in ("now", "next", "in", "for", "for_next")}
    found |= {f"unsayable.{one}" for one in ("amount", "no_amount", "per", "zone", "time", "threshold")}
    for who in ("you", "they"):
        found |= {f"per.{who}.{one}" for one in Per} | {f"{who}.block_all"}
        for action, kind in ACTIONS.items():
            if kind.counts or who == "you":
                found |= {f"{who}.{action}.{zone}" for zone in kind.zones} or {f"{who}.{action}"}
    return {f"duel.reading.{key}" for key in found}


# Sections whose keys end in a name that stands in the code by itself: `self.fault("twice")`.
BY_LAST_PART = ("position", "zone", "cards", "action", "cli", "count", "admin.column")
COMPOSED = ("fault.range_", "fault.os.", "verify.seals_")


def is_used(key: str, known: set[str]) -> bool:
    head, _, last = key.rpartition(".")
    if key in known or key in families():
        return True
    if head in BY_LAST_PART:
        return last in known
    return key.startswith(COMPOSED)


def test_no_key_is_stale() -> None:
    known = all_constants()
    assert sorted(key for key in keys("en") if not is_used(key, known)) == []


def test_no_key_is_missing() -> None:
    """Every text in the code that looks like a key of a section is one; and so are all families."""
    sections = set(messages("en"))
    like_a_key = re.compile(rf"({'|'.join(sections)})(\.[a-z_]+)+")
    named = {
        text for text in all_constants() if like_a_key.fullmatch(text) and not text.endswith((".toml", "_"))
    }
    found = keys("en") | {key for key, _ in tables(messages("en"))}
    assert sorted((named | families()) - found) == []


def is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def called_with(path: Path, names: tuple[str, ...]) -> set[str]:
    """The first argument, but for a status, of every call of these functions, where it is a plain text."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in names:
            first = next((arg for arg in node.args if not is_number(arg)), None)
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                found.add(first.value)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_fault_of_a_position_has_words(game: str) -> None:
    codes = called_with(SOURCES / "games" / game / "position.py", ("fault", "_fault"))
    assert codes
    codes |= called_with(SOURCES / "games" / "positions.py", ("fault",))
    assert sorted(f"position.{code}" for code in codes if f"position.{code}" not in keys("en")) == []


def kinds_of_refused(kind: type[Refused] = Refused) -> list[type[Refused]]:
    """Every exception that carries refusals, in whichever layer."""
    direct = kind.__subclasses__()
    return direct + [inner for found in direct for inner in kinds_of_refused(found)]


def test_every_refusal_record_fault_and_command_fault_has_words() -> None:
    makers = ("Refusal", "Refused", *(kind.__name__ for kind in kinds_of_refused()))
    codes = {code for path in SOURCES.rglob("*.py") for code in called_with(path, makers)}
    assert len(codes) > 50
    assert sorted(code for code in codes if code not in keys("en")) == []


def test_names_of_system_errors_are_such_names() -> None:
    assert set(messages("en")["fault"]["os"]) <= set(errno.errorcode.values())


# ---------------------------------------------------------------- nowhere else

# What people type in Russian is read there.
RUSSIAN_IN_CODE = {"cli/madness_typed.py", "cli/duel_typed.py", "cli/play.py"}
CYRILLIC = re.compile(r"[\u0400-\u04ff]")


def russian_lines(path: Path) -> set[int]:
    """The lines with a Cyrillic letter that is in no comment and no docstring."""
    source = path.read_text(encoding="utf-8")
    described = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type != tokenize.COMMENT and CYRILLIC.search(token.string)
        for line in range(token.start[0], token.end[0] + 1)
    } - described


def test_no_russian_word_is_in_the_code() -> None:
    found = {path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.py") if russian_lines(path)}
    assert found == RUSSIAN_IN_CODE


# ---------------------------------------------------------------- sentences


CARD, LAID = 0, 53
SAMPLES = {"card": CARD, "laid": LAID, "title": 0, "lead": -2}  # of every other slot 1 will do
SEATLESS = {"madness": {"field", "round", "clear", "end"}, "duel": {"turn", "end"}}  # may be of nobody
NOBODYS = {"clear", "turn"}  # and these always are, but a turn of Madness
ALWAYS_WON = {"madness": ("lead", "starvation"), "duel": ()}  # ends with a winner
UNSAID = {"duel": {"order", *OF_CARDS}}


def rows(name: str) -> Iterator[list[int]]:
    """A row of every kind of event, for every seat it can have, and every source, reason and way to go."""
    game = GAMES[name]
    for number, kind in enumerate(game.KINDS.rows):
        slots = [slot.name for slot in kind.slots]
        nobodys = kind.name in SEATLESS[name]
        seats = ([] if nobodys and kind.name in NOBODYS else [0, 1]) + [int(NONE)] * nobodys
        whats = range(1) if isinstance(kind.rule, str) else range(len(kind.rule))
        for seat, what in product(seats, whats):
            if kind.name == "end" and seat == NONE and game.REASONS[what] in ALWAYS_WON[name]:
                continue
            pair = [what if slot in WHAT_FOR else SAMPLES.get(slot, 1) for slot in slots]
            yield [number, seat, *pair, *[int(NONE)] * (2 - len(slots))]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_is_said_to_everybody(lang: str, name: str) -> None:
    game, words = make_game(name), Words(lang)
    names = ["Анна", "Boris"]
    said = set()
    for row in rows(name):
        told = {
            viewer: words.event(name, event, viewer, names, game.title)
            for viewer in (0, 1, -1, None)
            for event in game.told([game.event(row, viewer)])
        }
        kind, seat = game.KINDS.rows[row[0]], row[1]
        said.add(game.event(row, None).key)
        if kind.name in UNSAID.get(name, ()):
            assert set(told.values()) == {""}
            continue
        for viewer, sentence in told.items():
            assert sentence and "{" not in sentence and "None" not in sentence, (row, viewer)
        if seat in (0, 1):
            assert told[seat] != told[1 - seat], f"{kind.name}: you and they are not the same"
        hidden = [slot.name for slot in kind.slots if slot.seen_by == "owner"]
        if hidden:
            event = game.event(row, None)
            card = words.card(NAMES[CARD]) if hidden == ["card"] else game.title(event.values["title"], lang)
            assert card in told[seat]
            assert card not in told[1 - seat] + told[-1]
    assert said == set(game.KINDS.keys()), "every key that an event can have"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_option_is_said(lang: str, name: str) -> None:
    """Its title, what it is about, and each of its values, no two alike."""
    words = Words(lang)
    titles = []
    for option in GAMES[name].OPTIONS:
        key = f"{name}.option.{option.name}"
        titles.append(words(f"{key}.title"))
        assert words(f"{key}.about").endswith("."), key
        said = [option_said(name, option.name, value, words) for value in option.allowed]
        assert len(set(said)) == len(said), key
        assert not [text for text in said if "{" in text or not text[0].strip() or text.endswith(".")], key
        if not isinstance(option.allowed, range):
            choices = [words(f"{key}.choice.{word}") for word in option.allowed]
            assert len(set(choices)) == len(choices), key
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_of_an_option_can_be_said(lang: str) -> None:
    words = Words(lang)
    values = {
        "name": "goal", "value": 21, "least": 1, "most": 20, "known": "goal, hand", "near": "goal", "komi": 5,
        "goal": 5, "other": "hand-limit", "limit": 6, "found": 3, "reasons": "",
    }  # fmt: skip
    for code in messages(lang)["option"]:
        sentence = words.refusal(Refusal(f"option.{code}", "M25", values))
        assert sentence.endswith("(M25)") and "{" not in sentence


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_of_madness_can_be_said(lang: str) -> None:
    words = Words(lang)
    values = {"card": "KD", "laid": "AS", "field": 2, "most": 3, "text": "castle"}
    codes = called_with(SOURCES / "games" / "madness" / "refusals.py", ("Refusal",))
    codes |= {f"refusal.{phase}_now" for phase in ("main", "tut", "coyote")}
    assert len(codes) >= 15
    for code in codes:
        sentence = words.refusal(Refusal(code, "M2", values))
        assert sentence.endswith("(M2)") and "{" not in sentence


def test_a_refusal_in_words() -> None:
    refusal = Refusal("refusal.boss_too_strong", "M2", {"card": "KD", "laid": "AS"})
    assert Words("en").refusal(refusal) == "a King does not beat an Ace Boss (M2)"
    assert Words("ru").refusal(refusal) == "Король не бьёт Босса: там Туз (M2)"


PLACED = [
    ({"file": "mine.toml", "line": 5, "column": 3}, "mine.toml:5:3: "),
    ({"file": "mine.toml", "line": 5, "column": 0}, "mine.toml:5: "),
    ({"file": "mine.toml", "line": 0, "column": 0}, "mine.toml: "),
    ({"line": 2, "column": 7}, "line 2, column 7: "),
    ({"line": 2}, ""),
    (
        {"file": "mine.toml", "line": 5, "column": 0, "about": Refusal("set.card", "", {"id": "wall"})},
        "mine.toml:5: card «wall»: ",
    ),
]


@pytest.mark.parametrize(("place", "said"), PLACED)
def test_a_refusal_says_its_place_first(place: dict[str, Any], said: str) -> None:
    refusal = Refusal("file.empty", "D19", {"key": "name", **place})
    assert Words("en").refusal(refusal) == f"{said}«name» is empty (D19)"


def test_what_is_filled_in_may_be_a_refusal_an_error_or_a_list() -> None:
    inner = Refusal("file.empty", "D19", {"key": "name", "file": "mine.toml", "line": 5, "column": 0})
    words = Words("ru")
    assert words("set.text", why=inner) == "текст не читается: «name» пусто"
    assert words("set.text", why=Refused(inner)) == "текст не читается: mine.toml:5: «name» пусто (D19)"
    assert words("set.text", why=["a", inner, "b"]) == "текст не читается: a, «name» пусто, b"
    assert words("set.text", why={"en": "no", "ru": "нет"}) == "текст не читается: нет"


@pytest.mark.parametrize(
    ("n", "en", "ru"),
    [
        (0, "0 cards", "0 карт"),
        (1, "1 card", "1 карта"),
        (2, "2 cards", "2 карты"),
        (4, "4 cards", "4 карты"),
        (5, "5 cards", "5 карт"),
        (11, "11 cards", "11 карт"),
        (12, "12 cards", "12 карт"),
        (14, "14 cards", "14 карт"),
        (21, "21 cards", "21 карта"),
        (22, "22 cards", "22 карты"),
        (25, "25 cards", "25 карт"),
        (101, "101 cards", "101 карта"),
        (111, "111 cards", "111 карт"),
        (112, "112 cards", "112 карт"),
        (1001, "1001 cards", "1001 карта"),
    ],
)
def test_numbers_and_their_words(n: int, en: str, ru: str) -> None:
    assert Words("en")("count.cards", n=n) == en
    assert Words("ru")("count.cards", n=n) == ru
    assert plural_form("ru", -n) == plural_form("ru", n)


@pytest.mark.parametrize("word", ["карт", "партий", "очков", "ходов", "решений", "Полей", "Джокеров"])
def test_no_russian_sentence_puts_a_plural_after_any_number(word: str) -> None:
    """`{n} партий` is wrong for 1 and for 2: a number before a noun needs the forms of `count`."""
    wrong = [
        key
        for key, text in texts("ru").items()
        if message_key(key, "ru") not in plural_keys("ru") and re.search(rf"\{{[^}}]*\}} {word}\b", text)
    ]
    assert wrong == []


def test_cards_have_signs_in_both_languages() -> None:
    assert [Words("en").card(card) for card in ("QH", "TD", "X1", "X2")] == ["Q♥", "10♦", "Jk★", "Jk☆"]
    assert [Words("ru").card(card) for card in ("QH", "TD", "X1", "X2")] == ["Д♥", "10♦", "Дж★", "Дж☆"]
    for lang in LANGUAGES:
        assert len({Words(lang).card(card) for card in NAMES}) == 54


@pytest.mark.parametrize(
    ("variables", "lang"),
    [
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "ru_RU"}, "ru"),
        ({"LANG": "", "LC_ALL": ""}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_follows_the_locale(
    variables: dict[str, str], lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language_of_locale() == lang


# ---------------------------------------------------------------- a game from elsewhere

GOOFSPIEL = {
    "en": {"goofspiel": {"name": "Goofspiel"}, "hint": {"goofspiel": {"low": "a low bid"}}},
    "ru": {"goofspiel": {"name": "Гуфшпиль"}, "hint": {"goofspiel": {"low": "низкая ставка"}}},
}


def test_a_game_from_elsewhere_brings_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    said_before = Words("en")
    assert said_before("duel.name") == "Duel"
    monkeypatch.setitem(GAME_WORDS, "goofspiel", GOOFSPIEL)
    assert said_before("goofspiel.name") == "Goofspiel"
    assert Words("ru")("hint.goofspiel.low") == "низкая ставка"
    assert Words("ru")("hint.only") and Words("ru")("hint.duel.hold"), "the others keep theirs"
    monkeypatch.undo()
    with pytest.raises(KeyError):
        said_before("goofspiel.name")


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ({"duel": {"name": "Another duel"}}, "duel.name"),
        ({"count": {"cards": "cards"}}, "count.cards"),
        ({"duel": {"name": {"one": "Duel", "many": "Duels"}}}, "duel.name"),
        ({"hint": {"only": "no other"}}, "hint.only"),
    ],
)
def test_no_game_may_say_what_is_said_already(
    words: Mapping[str, Any], key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAME_WORDS, "goofspiel", {"en": words, "ru": words})
    with pytest.raises(ValueError, match=key):
        messages("en")


def test_every_game_has_its_words() -> None:
    assert set(GAME_WORDS) == set(GAMES)
    for words in GAME_WORDS.values():
        assert set(words) == set(LANGUAGES)


def test_a_key_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        Words("en")("refusal.no_such_key")
