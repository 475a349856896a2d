"""Every rule has its number in the rulebooks, in the code and in the name of a test."""

import re
from functools import cache
from pathlib import Path

import pytest

from coyote.cli.main import COMMANDS
from coyote.games.madness.editions import EDITIONS
from coyote.text.rulebook import EDITION_NAMES, rulebook, rules_of

ROOT = Path(__file__).parent.parent
RULES = [f"M{number}" for number in range(1, 25)]
LANGS = ("en", "ru")
EXAMPLE = {"en": "**Example.**", "ru": "**Пример.**"}


@cache
def madness_code() -> str:
    return "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "src/coyote/games/madness").glob("*.py")
    )


@cache
def names_of_tests() -> str:
    found = [
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
    ]
    return "\n".join(found)


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("edition", [None, *EDITIONS])
def test_every_rule_is_a_heading_of_the_rulebook_in_order(lang: str, edition: str | None) -> None:
    assert list(rules_of(rulebook("madness", lang, edition))) == RULES


def cited(text: str, rule: str) -> bool:
    """`M12`, also as a part of `M12-M14`."""
    if re.search(rf"\b{rule}\b", text):
        return True
    number = int(rule[1:])
    return any(int(a) <= number <= int(b) for a, b in re.findall(r"\bM(\d+)[-–]M(\d+)\b", text))


def test_every_rule_is_cited_in_the_code() -> None:
    assert [rule for rule in RULES if not cited(madness_code(), rule)] == []


def test_every_rule_is_in_the_name_of_a_test() -> None:
    names = names_of_tests()
    assert [rule for rule in RULES if not re.search(rf"_{rule.lower()}(_|$)", names, re.MULTILINE)] == []


def test_no_number_is_cited_that_is_not_there() -> None:
    for text in (madness_code(), *(rulebook("madness", lang) for lang in LANGS)):
        assert {f"M{number}" for number in re.findall(r"\bM(\d+)\b", text)} <= set(RULES)


# ---------------------------------------------------------------- editions and examples


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rulebook_of_one_edition_has_nothing_of_the_other(lang: str, edition: str) -> None:
    whole, text = rulebook("madness", lang), rulebook("madness", lang, edition)
    for name, marker in EDITION_NAMES[lang].items():
        assert f"**{marker}.**" in whole
        assert (f"**{marker}.**" in text) == (name == edition)
    assert "\n\n\n" not in text
    assert len(text) < len(whole)
    assert text.count(EXAMPLE[lang]) == whole.count(EXAMPLE[lang]), "an example is for both editions"


def test_both_languages_have_the_same_examples() -> None:
    """Rule by rule as many examples, passages of one edition and tables."""
    english, russian = (rules_of(rulebook("madness", lang)) for lang in LANGS)
    for rule in RULES:
        texts = {"en": english[rule], "ru": russian[rule]}
        counts = {
            lang: [
                text.count(EXAMPLE[lang]),
                *(text.count(f"**{name}.**") for name in EDITION_NAMES[lang].values()),
                len(re.findall(r"^\|", text, re.MULTILINE)),
                len(re.findall(r"^- ", text, re.MULTILINE)),
            ]
            for lang, text in texts.items()
        }
        assert counts["en"] == counts["ru"], rule


def test_both_languages_show_the_same_moves() -> None:
    """The moves in the examples, rule by rule, are the same moves."""
    english, russian = (rules_of(rulebook("madness", lang)) for lang in LANGS)
    for rule in RULES:
        assert sorted(re.findall(r"`[^`]+`", english[rule])) == sorted(
            re.findall(r"`[^`]+`", russian[rule])
        ), rule


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
