"""Set files: what is read, and that every fault is named with its file, line and reason, all at once."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from coyote.games.duel import records
from coyote.games.duel.language import read
from coyote.games.duel.sets import CORE, MOST_BYTES, Card, CardSet, SetError, core_set, parse_set, read_set
from coyote.text import LANGUAGES, Refusal, Words

GOOD = """\
[[card]]
id = "ember"
name = { ru = "Уголёк", en = "Ember" }
rarity = "common"
text = "Attack 11."
"""


def card(**changes: str) -> str:
    """A good card with some of its lines changed; an empty one is left out."""
    lines = {
        "id": 'id = "wall"',
        "name": 'name = { ru = "Стена", en = "Wall" }',
        "rarity": 'rarity = "rare"',
        "text": 'text = "Блок 9."',
    }
    lines |= changes
    return "\n".join(["[[card]]", *(line for line in lines.values() if line), ""])


def faults(text: str) -> list[Refusal]:
    with pytest.raises(SetError) as caught:
        parse_set(text, "made.toml")
    for fault in caught.value.refusals:
        assert fault.values["file"] == "made.toml"
        assert said(fault, "ru") != said(fault, "en")
    told = [said(fault) for fault in caught.value.refusals]
    assert str(caught.value).splitlines() == told or any("\n" in sentence for sentence in told)
    return caught.value.refusals


def the_fault(text: str) -> Refusal:
    (fault,) = faults(text)
    return fault


def said(fault: Refusal, lang: str = "en") -> str:
    return Words(lang).refusal(fault)


def lines(found: list[Refusal]) -> list[int]:
    return [fault.values["line"] for fault in found]


def test_a_set_is_read() -> None:
    made = parse_set(GOOD + card(), "made.toml")
    ember = Card("ember", "Уголёк", "Ember", "common", read("Attack 11."))
    assert made == CardSet("made", (ember, Card("wall", "Стена", "Wall", "rare", read("Block 9."))))
    assert made.get("ember") is made.cards[0]
    assert made.get("nothing") is None
    assert (ember.name("ru"), ember.text("ru"), ember.text("en")) == ("Уголёк", "Атака 11.", "Attack 11.")


def test_a_set_is_called_by_its_name_or_its_file(tmp_path: Path) -> None:
    path = tmp_path / "desert.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert read_set(path).name == "desert"
    path.write_text('name = "dunes"\n' + GOOD, encoding="utf-8")
    assert read_set(path).name == "dunes"


def test_windows_lines_and_a_byte_order_mark_are_harmless(tmp_path: Path) -> None:
    path = tmp_path / "desert.toml"
    path.write_bytes(b"\xef\xbb\xbf" + (GOOD + card(rarity='rarity = "x"')).replace("\n", "\r\n").encode())
    with pytest.raises(SetError) as caught:
        read_set(path)
    assert lines(caught.value.refusals) == [9]


@pytest.mark.parametrize(
    ("changes", "line", "reason"),
    [
        ({"id": ""}, 6, "«id» is missing"),
        ({"id": "id = 5"}, 7, "«id» must be text"),
        ({"id": 'id = "Wall"'}, 7, "lowercase latin letters"),
        ({"id": 'id = "стена"'}, 7, "lowercase latin letters"),
        ({"id": 'id = ""'}, 7, "«id» is empty"),
        ({"id": 'id = "ember"'}, 7, "already taken by the card in line 2"),
        ({"name": ""}, 6, "«name» is missing"),
        ({"name": 'name = "Wall"'}, 8, "«name» must be a table"),
        ({"name": 'name = { ru = "Стена" }'}, 8, "«name.en» is missing"),
        ({"name": 'name.en = "Wall"'}, 8, "«name.ru» is missing"),
        ({"name": 'name = { ru = " ", en = "Wall" }'}, 8, "«name.ru» is empty"),
        ({"name": 'name = { ru = "Стена", en = "Wa\\u001bll" }'}, 8, "without control characters"),
        ({"name": 'name = { ru = "Стена", en = "Wall", de = "Wand" }'}, 8, "unknown key «de»"),
        ({"rarity": ""}, 6, "«rarity» is missing"),
        ({"rarity": 'rarity = "epic"'}, 9, "must be «common» or «rare», not «epic»"),
        ({"text": ""}, 6, "«text» is missing"),
        ({"text": 'text = "  "'}, 10, "«text» is empty"),
        ({"text": "text = 5"}, 10, "«text» must be text"),
        ({"text": 'text = "Atack 9."'}, 10, "did you mean «Attack»?"),
        ({"text": 'text = "Attack 9."\ncost = 3'}, 11, "unknown key «cost»"),
        ({"text": 'text = "Attack 9."\nrarety = 3'}, 11, "unknown key «rarety» — did you mean «rarity»?"),
    ],
)
def test_each_fault_of_a_card_has_its_line_and_reason(
    changes: dict[str, str], line: int, reason: str
) -> None:
    fault = the_fault(GOOD + card(**changes))
    assert fault.values["line"] == line
    assert reason in said(fault)
    assert said(fault).startswith(f"made.toml:{line}:")


def test_a_fault_names_its_card() -> None:
    fault = the_fault(GOOD + card(rarity='rarity = "epic"'))
    assert said(fault).startswith("made.toml:9: card «wall»: the rarity")
    assert said(fault, "ru").startswith("made.toml:9: карта «wall»: редкость")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('text = "Attack 9. Heel 3."', 10, 19),
        ("text = 'Attack 9. Heel 3.'", 10, 19),
        ('  text  =   "Attack 9. Heel 3." # Attack', 10, 24),
        ('text = "Attack\\u0020\\t9. Heel 3."', 10, 26),
        ('text = """Attack 9. Heel 3."""', 10, 21),
        ('text = """\nAttack 9.\n  Heel 3.\n"""', 12, 3),
        ("text = '''\nAttack 9.\n  Heel 3.\n'''", 12, 3),
        ('text = """Attack 9. \\\n    Heel 3."""', 11, 5),
        ('text = "Attack 9."\n"te\\u0078t2" = 1', 11, 0),
    ],
)
def test_an_unreadable_text_is_placed_in_the_file(text: str, line: int, column: int) -> None:
    fault = the_fault(GOOD + card(text=text))
    assert (fault.values["line"], fault.values["column"]) == (line, column)


def test_an_unreadable_text_keeps_what_the_language_says_of_it() -> None:
    fault = the_fault(GOOD + card(text='text = "Attack 9. Heel 3."'))
    why = fault.values["why"]
    assert (fault.code, why.code) == ("set.text", "duel.text.unexpected_near")
    assert (why.values["found"], why.values["nearest"], why.values["offset"]) == ("Heel", "Heal", 10)
    assert said(fault).startswith(
        "made.toml:10:19: card «wall»: the text cannot be read: «Heel» cannot stand here (in "
    )


INLINE = """\
card = [
  { id = "a", name = { ru = "А", en = "A" }, rarity = "common", text = "Heal 1." },
  { id = "b", name = { ru = "Б", en = "B" }, rarity = "common" },
]
"""
SUBTABLE = """\
[[card]]
id = "a"
rarity = "rare"
text = "Heal 1."
[card.name]
ru = "А"
en = ""
"""
DECEITFUL = """\
# [[card]]
[[card]]
id = "a"
name.ru = '''
[[card]]
'''
name.en = "A"
rarity = 'rare'
text='Heal 1.'
"""


@pytest.mark.parametrize(("text", "line"), [(INLINE, 3), (SUBTABLE, 7), (DECEITFUL, 4)])
def test_lines_are_right_however_the_toml_is_written(text: str, line: int) -> None:
    assert lines(faults(text)) == [line]


def test_all_faults_are_told_at_once_in_the_order_of_their_lines() -> None:
    text = "colour = 1\n" + GOOD + card(id='id = "x y"', text='text = "Heel 3."') + card(rarity="", name="")
    assert lines(faults(text)) == [1, 8, 11, 12, 12]


def test_broken_toml_hides_no_other_fault() -> None:
    text = GOOD + card(name="name = {") + card(text='text = "Heel 3."') + card(rarity='rarity = "rare')
    found = faults(text)
    assert lines(found) == [8, 15, 19]
    assert "broken TOML" in said(found[0])


def test_a_key_given_twice_is_broken_toml() -> None:
    fault = the_fault(GOOD + 'text = "Heal 1."\n')
    assert "broken TOML" in said(fault)
    assert fault.values["line"] == 6


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has no [[card]]"),
        ("# nothing\n", "has no [[card]]"),
        ("card = []", "has no [[card]]"),
        ("card = 5", "under its own [[card]]"),
        ("card = [5]", "under its own [[card]]"),
        (GOOD.replace("[[card]]", "[card]"), "under its own [[card]]"),
        ("cards = 5", "did you mean «card»?"),
        ("name = 5\n" + GOOD, "«name» must be text"),
        (f'name = "{"x" * 61}"\n{GOOD}', "«name» is longer than 60 characters"),
        ("x = " + "[" * 100_000, "broken TOML"),
        ("x = " + "9" * 10_000, "broken TOML"),
        ("\x00", "broken TOML"),
    ],
)
def test_faults_of_the_whole_file(text: str, reason: str) -> None:
    assert any(reason in said(fault) for fault in faults(text))


def test_files_that_cannot_be_read_are_refused_too(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (MOST_BYTES + 1))
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"# one\n# \xe9\n")
    for path, line, reason in [
        (tmp_path / "none.toml", 0, "there is no such file"),
        (tmp_path, 0, "cannot be read"),
        (large, 0, "larger than"),
        (latin, 2, "not UTF-8"),
    ]:
        with pytest.raises(SetError) as caught:
            read_set(path)
        (fault,) = caught.value.refusals
        assert fault.values["line"] == line
        assert reason in said(fault)
        assert str(path) in caught.value.message("ru")


_PIECES = [
    "[[card]]\n",
    "[card]\n",
    'id = "a"\n',
    "id = 5\n",
    'name = { ru = "А", en = "A" }\n',
    'name.ru = "A"\n',
    '[card.name]\nen = "A"\n',
    'rarity = "rare"\n',
    'text = "Heal 1."\n',
    'text = """\nHeel"""\n',
    "text = '''\n",
    "card = [{}, 5]\n",
    '"a.b".c = [1, { d = "#" }, # x\n 2]\n',
    "d = 1979-05-27 07:32:00\n",
    "]}\n",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join) | st.text(max_size=40))
def test_any_text_is_a_set_or_has_faults_with_lines(text: str) -> None:
    try:
        parse_set(text)
    except SetError as error:
        assert error.refusals
        assert all(0 <= line <= text.count("\n") + 1 for line in lines(error.refusals))
        assert all(error.message(lang) for lang in LANGUAGES)


# ------------------------------------------------------------------------------
# Bounds


def test_a_set_of_2000_cards_is_read_and_one_of_2001_is_not() -> None:
    text = "".join(card(id=f'id = "card-{n}"') for n in range(2000))
    assert len(parse_set(text).cards) == 2000
    fault = the_fault(text + card(text='text = "Atack 9."'))
    assert said(fault) == "made.toml:10001: the set has more than 2000 cards", "and no card of it was read"
    inline = "card = [\n" + '{ id = "a", rarity = "none" },\n' * 2001 + "]"
    assert said(the_fault(inline)) == "made.toml:2002: the set has more than 2000 cards"


@pytest.mark.parametrize(
    ("line", "at_most"),
    [
        ('id = "{}"', 40),
        ('name = {{ ru = "{}", en = "Wall" }}', 60),
        ('name = {{ ru = "Стена", en = "{}" }}', 60),
    ],
)
def test_ids_and_names_have_bounds(line: str, at_most: int) -> None:
    key = line.split()[0]
    assert parse_set(card(**{key: line.format("x" * at_most)}))
    fault = the_fault(card(**{key: line.format("x" * (at_most + 1))}))
    assert f"is longer than {at_most} characters" in said(fault)
    assert fault.values["line"] == {"id": 2, "name": 3}[key]


def test_a_text_has_at_most_600_characters_and_is_not_even_read_beyond() -> None:
    assert parse_set(card(text=f'text = "{"Heal 1.":<600}"'))
    fault = the_fault(card(text=f'text = "{"Heel 1.":<601}"'))
    assert said(fault) == "made.toml:5: card «wall»: «text» is longer than 600 characters"


def test_a_card_has_at_most_16_effects() -> None:
    assert len(parse_set(card(text=f'text = "{"Heal 1. " * 16}"')).cards[0].program.effects) == 16
    fault = the_fault(card(text=f'text = "{"Heal 1. " * 17}"'))
    assert said(fault) == "made.toml:5: card «wall»: the text has 17 effects, at most 16 are allowed"


# ------------------------------------------------------------------------------
# Which set it is


def test_the_digest_follows_from_everything_that_a_set_says() -> None:
    made = parse_set(GOOD + card(), "made.toml")
    assert len(made.digest) == 32 and set(made.digest) <= set("0123456789abcdef")
    assert (
        parse_set("# the same\n" + GOOD + card(text='text = "Block 9."'), "made.toml").digest == made.digest
    )
    others = [
        parse_set(GOOD + card(), "other.toml"),
        parse_set(card() + GOOD, "made.toml"),
        parse_set(GOOD, "made.toml"),
        parse_set(GOOD + card(id='id = "fence"'), "made.toml"),
        parse_set(GOOD + card(rarity='rarity = "common"'), "made.toml"),
        parse_set(GOOD + card(text='text = "Block 8."'), "made.toml"),
        parse_set(GOOD + card(name='name = { ru = "Забор", en = "Wall" }'), "made.toml"),
        parse_set(GOOD + card(name='name = { ru = "Стена", en = "Fence" }'), "made.toml"),
    ]
    assert len({made.digest, *(other.digest for other in others)}) == 9


def test_the_digest_is_the_one_that_tables_have_kept() -> None:
    made = parse_set(GOOD + card(name='name = { ru = "Стена «Ы»", en = "Wall \\"A\\\\\\"" }'), "made.toml")
    plain = json.encode(records.write_set(made), order="sorted")
    assert made.digest == hashlib.sha256(plain).hexdigest()[:32]


def test_the_name_core_belongs_to_the_core_set() -> None:
    text = CORE.read_text(encoding="utf-8")
    assert parse_set(text) == read_set(CORE) == core_set()
    fault = the_fault(text.replace("Attack 12.", "Attack 999.", 1))
    assert said(fault) == "made.toml:3: the name «core» belongs to the core set, and this one is another"
    with pytest.raises(SetError, match="belongs to the core set"):
        parse_set(GOOD, "core.toml")
