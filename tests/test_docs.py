"""Every rule has its number in the rulebooks, in the code and in the name of a test."""

import re
from functools import cache
from pathlib import Path

import pytest

from coyote.cli.main import COMMANDS
from coyote.games.madness.editions import EDITIONS
from coyote.games.registry import GAMES
from coyote.text.rulebook import edition_marks, rulebook, rules_of

ROOT = Path(__file__).parent.parent
LAST = {"madness": 25, "duel": 26}  # rules in the specification
RULES = {
    game: [f"{GAMES[game].LETTER}{number}" for number in range(1, last + 1)] for game, last in LAST.items()
}
LANGS = ("en", "ru")
IN_ITS_OWN_RULE = {"open-lists"}  # D18 has it: it is no number of the document's
EXAMPLE = {"en": "**Example.**", "ru": "**Пример.**"}

both_games = pytest.mark.parametrize("game", GAMES)
both_langs = pytest.mark.parametrize("lang", LANGS)


@cache
def code_of(game: str) -> str:
    folder = ROOT / "src" / "coyote" / "games"
    files = [*folder.glob("*.py"), *(folder / game).rglob("*.py")]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@cache
def names_of_tests() -> str:
    found = [
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
    ]
    return "\n".join(found)


# ---------------------------------------------------------------- numbers


def test_every_game_has_its_numbers() -> None:
    assert set(RULES) == set(GAMES)


@both_langs
@pytest.mark.parametrize(
    ("game", "edition"),
    [(name, edition) for name, game in GAMES.items() for edition in [None, *game.EDITIONS]],
)
def test_every_rule_is_a_heading_of_the_rulebook_in_order(lang: str, game: str, edition: str | None) -> None:
    assert list(rules_of(rulebook(game, lang, edition))) == RULES[game]


def cited(text: str, rule: str) -> bool:
    """`M12`, also as a part of `M12-M14`."""
    if re.search(rf"\b{rule}\b", text):
        return True
    letter, number = rule[0], int(rule[1:])
    ranges = re.findall(rf"\b{letter}(\d+)[-–]{letter}(\d+)\b", text)
    return any(int(first) <= number <= int(last) for first, last in ranges)


@both_games
def test_every_rule_is_cited_in_the_code(game: str) -> None:
    assert [rule for rule in RULES[game] if not cited(code_of(game), rule)] == []


@both_games
def test_every_rule_is_in_the_name_of_a_test(game: str) -> None:
    names = names_of_tests()
    missing = [rule for rule in RULES[game] if not re.search(rf"_{rule.lower()}(_|$)", names, re.MULTILINE)]
    assert missing == []


@both_games
def test_no_number_is_cited_that_is_not_there(game: str) -> None:
    letter = GAMES[game].LETTER
    for text in (code_of(game), *(rulebook(game, lang) for lang in LANGS)):
        assert {f"{letter}{number}" for number in re.findall(rf"\b{letter}(\d+)\b", text)} <= set(RULES[game])


@both_games
def test_every_rule_that_the_program_names_is_in_the_rulebook(game: str) -> None:
    """Of options, events, choices, ends and traces: a refusal sends people there."""
    kind = GAMES[game]
    named = (
        {option.rule for option in kind.OPTIONS} | set(kind.WANTED.values()) | set(kind.TRACE_RULES.values())
    )
    named |= {kind.KINDS.end_rule(reason) for reason in kind.REASONS} | {kind.DEAL_RULE}
    for row in kind.KINDS.rows:
        named |= {row.rule} if isinstance(row.rule, str) else set(row.rule.values())
    assert named - {""} <= set(RULES[game])


@both_langs
@both_games
def test_every_house_rule_is_in_the_rulebook(game: str, lang: str) -> None:
    """Each option in the last rule, with its bounds, and named beside the rule that it changes."""
    rules = rules_of(rulebook(game, lang))
    for option in GAMES[game].OPTIONS:
        assert option.name in IN_ITS_OWN_RULE or f"`{option.name}`" in rules[RULES[game][-1]], option.name
        assert f"`{option.name}`" in rules[option.rule], (
            f"{option.rule} does not say that {option.name} changes it"
        )


@both_langs
@both_games
def test_the_table_of_house_rules_is_the_one_of_the_program(game: str, lang: str) -> None:
    rule = rules_of(rulebook(game, lang))[RULES[game][-1]]
    rows = [line for line in rule.splitlines() if line.startswith("|")]
    for option in [option for option in GAMES[game].OPTIONS if option.name not in IN_ITS_OWN_RULE]:
        (row,) = [row for row in rows if f"`{option.name}`" in row.split("|")[1]]
        allowed = row.split("|")[2]
        if isinstance(option.allowed, range):
            assert re.findall(r"\d+", allowed)[:2] == [str(option.allowed[0]), str(option.allowed[-1])], row
        else:
            assert set(re.findall(r"`([^`]+)`", allowed)) == set(option.allowed), row
        usual = [str(edition[option.name]) for edition in GAMES[game].EDITIONS.values()]
        assert [cell.strip(" `") for cell in row.split("|")[3 : 3 + len(usual)]] == usual, row


# ---------------------------------------------------------------- editions and examples


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rulebook_of_one_edition_has_nothing_of_the_other(lang: str, edition: str) -> None:
    whole, text = rulebook("madness", lang), rulebook("madness", lang, edition)
    for name, marker in edition_marks("madness", lang).items():
        assert f"**{marker}.**" in whole
        assert (f"**{marker}.**" in text) == (name == edition)
    assert "\n\n\n" not in text
    assert len(text) < len(whole)
    assert text.count(EXAMPLE[lang]) == whole.count(EXAMPLE[lang]), "an example is for both editions"


@both_games
def test_both_languages_have_the_same_examples(game: str) -> None:
    """Rule by rule as many examples, passages of one edition, tables and lists."""
    english, russian = (rules_of(rulebook(game, lang)) for lang in LANGS)
    for rule in RULES[game]:
        texts = {"en": english[rule], "ru": russian[rule]}
        counts = {
            lang: [
                text.count(EXAMPLE[lang]),
                *(text.count(f"**{name}.**") for name in edition_marks(game, lang).values()),
                len(re.findall(r"^\|", text, re.MULTILINE)),
                len(re.findall(r"^- ", text, re.MULTILINE)),
            ]
            for lang, text in texts.items()
        }
        assert counts["en"] == counts["ru"], rule


@both_games
def test_both_languages_show_the_same_moves(game: str) -> None:
    """The moves, commands and options, rule by rule, are the same; cards are named in either language."""
    options = {option.name for option in GAMES[game].OPTIONS}
    a_move = re.compile(r"play [a-z-]+|hold|coyote .+" if game == "duel" else ".+")

    def shown(text: str) -> list[str]:
        quoted = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)
        return sorted(word for word in quoted if word in options or a_move.fullmatch(word))

    english, russian = (rules_of(rulebook(game, lang)) for lang in LANGS)
    for rule in RULES[game]:
        assert shown(english[rule]) == shown(russian[rule]), rule


@pytest.mark.parametrize("lang", LANGS)
def test_what_people_get_wrong_has_an_example(lang: str) -> None:
    """The cycle of Ace and King, Joker on Joker, the equal answer, the Chance, the hand point."""
    rules = rules_of(rulebook("madness", lang))
    for rule in ("M2", "M3", "M12", "M18", "M20"):
        assert EXAMPLE[lang] in rules[rule], rule


@pytest.mark.parametrize("lang", LANGS)
def test_the_glossary_comes_first(lang: str) -> None:
    first = re.findall(r"^## (.*)$", rulebook("madness", lang), re.MULTILINE)[0]
    assert first == {"en": "Glossary", "ru": "Словарь"}[lang]


@pytest.mark.parametrize("lang", LANGS)
def test_the_moves_in_the_rulebook_are_moves(lang: str) -> None:
    from coyote.games.madness.notation import ACTIONS

    moves = re.findall(r"`((?:a\d|c\d|b|drop|steal) [^`]+)`", rulebook("madness", lang))
    assert len(moves) > 30
    assert [move for move in moves if move not in ACTIONS] == []


# ---------------------------------------------------------------- the other pages


def test_readme_shows_the_two_commands_first() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first_screen = "\n".join(text.splitlines()[:40])
    assert "make play" in first_screen and "make test" in first_screen
    assert re.search(r"!\[|```|<img", first_screen), "a picture of the table"


def test_make_has_the_commands_that_the_readme_shows() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    shown = set(re.findall(r"`?make (\w+)`?", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"play", "test"} <= shown & targets
    assert {"check", "bench", "golden"} <= targets


def test_every_command_is_in_the_documentation() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    assert [command for command in COMMANDS if f"coyote {command}" not in text] == []


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target and not target.startswith("mailto:"):
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"


def test_the_pages_that_the_project_promises_are_there() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"):
        assert (ROOT / name).is_file(), name
    for name in ("architecture.md", "kernel-style.md", "fairness.md", "positions.md"):
        assert (ROOT / "docs" / name).is_file(), name
