"""Sets as other files: TOML written from cards, tables (CSV) both ways, where cards stand."""

from random import Random

import pytest

from coyote.games.duel.set_formats import (
    COLUMNS,
    Entry,
    check_csv,
    entry_in,
    entry_of,
    quoted,
    spans,
    stanza,
    write_csv,
    write_toml,
)
from coyote.games.duel.sets import CORE, MOST_CARDS, check_set, core_set, parse_set
from coyote.text.tomlfile import MOST_FAULTS

HEAD = ",".join(COLUMNS)
CORE_ENTRIES = [entry_of(card) for card in core_set().cards]


def test_the_core_set_goes_through_both_kinds_of_file() -> None:
    assert parse_set(write_toml("core", CORE_ENTRIES)).digest == core_set().digest
    assert check_csv(write_csv(CORE_ENTRIES), name="core").whole().digest == core_set().digest


def test_any_name_survives() -> None:
    dice = Random("names")
    signs = "aЯ \"'\\,;=+-@#|<&>«»…\t"
    for _ in range(200):
        name = "x" + "".join(dice.choice(signs[:-1]) for _ in range(dice.randrange(12))) + "x"
        for written in (name, name[1:-1].strip() or "x"):
            card = Entry("id", written, written, "common", "Attack 3.")
            assert parse_set(write_toml("Set", [card])).cards[0].name_en == written
            assert check_csv(write_csv([card]), name="Set").whole().cards[0].name_en == written


def test_toml_strings_are_toml() -> None:
    import tomllib

    for text in ('"', "\\", "\n\t\r", "\x00\x1f\x7f", "ё…\u2028"):
        assert tomllib.loads(f"x = {quoted(text)}")["x"] == text


@pytest.mark.parametrize("cell", ["=HYPERLINK(1)", "+1", "-1", "@x", "'=x"])
def test_no_cell_is_a_formula(cell: str) -> None:
    table = write_csv([Entry("id", cell, "Fine", "common", "Attack 3.")])
    assert table.split("\r\n")[1].split(",")[1].startswith("'")
    assert check_csv(table, name="Set").whole().cards[0].name_ru == cell


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_tables_of_other_programs_are_read(separator: str, end: str) -> None:
    rows = [
        ["TEXT", " Name.EN", "id", "rarity", "name.ru"],
        ["Attack 3.", "One", "one", "rare", "Раз"],
        [""] * 5,
    ]
    table = "\ufeff" + end.join(separator.join(row) for row in rows)
    (card,) = check_csv(table, name="Set").whole().cards
    assert (card.id, card.name_ru, card.rarity) == ("one", "Раз", "rare")


def test_faults_of_a_table_have_the_lines_of_the_table() -> None:
    table = (
        f'{HEAD}\none,Раз,One,common,"Attack\n3."\ntwo,,Two,gold,Attak 3.\none,Раз,One,common,Heal 3.,more\n'
    )
    found = check_csv(table)
    assert [(one.values["line"], one.code) for one in found.faults] == [
        (5, "file.cells"),
        (4, "file.no_key"),
        (4, "set.rarity"),
        (4, "set.text"),
        (5, "set.duplicate"),
    ]
    assert [card.id for card in found.cards] == ["one", "one"]


@pytest.mark.parametrize(
    ("table", "codes"),
    [
        ("", ["file.columns"]),
        ("id,name.ru,name.en,rarity", ["file.columns"]),
        (HEAD, ["set.no_cards"]),
        (f"{HEAD},colour", ["file.unknown"]),
        ("id,nam.ru,name.en,rarity,text", ["file.unknown_near", "file.columns"]),
        (f'{HEAD}\n"one', ["file.no_key", "file.no_key", "file.no_key", "file.no_key"]),
        (f"{HEAD}\n{'x' * 20_000}", ["file.csv"]),
        (f"{HEAD}\nx\0", None),
    ],
)
def test_tables_that_are_none(table: str, codes: list[str] | None) -> None:
    found = [one.code for one in check_csv(table).faults]
    assert found == codes if codes else found, found


def test_a_table_is_bounded() -> None:
    assert check_csv(f"{HEAD}\n" + "x\n" * (MOST_CARDS + 1), most=10**6).faults[0].code == "set.large"
    assert len(check_csv(f"{HEAD}\n" + "x\n" * 100, most=30).faults) <= 30 + 5
    wrong = write_toml("Set", [Entry(f"c{n}", "a", "b", "common", "Attak.") for n in range(100)])
    assert len(check_set(wrong).faults) == MOST_FAULTS + 1
    assert len(check_set(wrong, most=300).faults) == 100


def test_a_card_can_be_exchanged_where_it_stands() -> None:
    """Its lines are replaced by another stanza; all others, comments too, stay as they were."""
    text = CORE.read_text()
    tables = check_set(text, str(CORE)).tables
    lines = text.split("\n")
    places = spans(text, [table.line("") for table in tables])
    for place, (first, last) in reversed(list(enumerate(places))):
        lines[first - 1 : last] = stanza(entry_in(tables[place].data)).rstrip("\n").split("\n")
    assert "\n".join(lines) == text
