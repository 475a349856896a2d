"""Set files in the terminal: made, changed in place, priced, weighed and printed; decks of any set."""

import json
import os
import re
import stat
from pathlib import Path

import pytest

from coyote.games.duel.decks import read_deck
from coyote.games.duel.set_file import SetFile, first_set
from coyote.games.duel.sets import parse_set, read_set
from kit.terminal import ENGLISH, RUSSIAN, coyote

CHROMIUM = [Path(f"/usr/bin/{name}") for name in ("chromium", "chromium-headless-shell")]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def here(tmp_path: Path, data: Path) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    assert coyote("cards", "new", "dunes.toml", data=data, cwd=folder).returncode == 0
    return folder


def editor(folder: Path, *texts: str) -> Path:
    """One that puts these texts into the file, one each time it is opened, and keeps what it was shown."""
    script = folder / "editor.py"
    script.write_text(
        "#!/usr/bin/env python3\nimport sys, pathlib\n"
        f"folder, texts = pathlib.Path({str(folder)!r}), {texts!r}\n"
        "count = len(list(folder.glob('shown*')))\npath = pathlib.Path(sys.argv[1])\n"
        "(folder / f'shown{count}').write_text(path.read_text())\n"
        "if count < len(texts): path.write_text(texts[count])\n"
    )
    script.chmod(0o755)
    return script


# ---------------------------------------------------------------- new


def test_both_first_sets_are_the_same_cards() -> None:
    english, russian = (parse_set(first_set("Dunes", lang)) for lang in ("en", "ru"))
    assert english.digest == russian.digest and english.name == "Dunes"


@pytest.mark.parametrize("locale", [ENGLISH, RUSSIAN])
def test_a_new_set_can_be_played_with_at_once(locale: str, tmp_path: Path, data: Path) -> None:
    done = coyote("cards", "new", "mine.toml", data=data, cwd=tmp_path, locale=locale)
    assert done.returncode == 0 and "mine.toml" in done.stdout
    assert coyote("cards", "check", "mine.toml", data=data, cwd=tmp_path).returncode == 0
    deck = coyote("deck", "random", "--set", "mine.toml", "--seed", "s", data=data, cwd=tmp_path)
    assert deck.returncode == 0 and "Code: " in deck.stdout
    again = coyote("deck", "random", "--set", "mine.toml", "--seed", "s", data=data, cwd=tmp_path)
    assert again.stdout == deck.stdout


def test_a_file_that_is_there_is_never_overwritten(here: Path, data: Path) -> None:
    before = (here / "dunes.toml").read_bytes()
    done = coyote("cards", "new", "dunes.toml", data=data, cwd=here)
    assert done.returncode == 2 and "dunes.toml" in done.stderr
    assert (here / "dunes.toml").read_bytes() == before
    assert coyote("cards", "new", "core.toml", data=data, cwd=here).returncode == 2
    assert not (here / "core.toml").exists(), "the name of the core set belongs to it alone"


# ---------------------------------------------------------------- edit


def test_edit_changes_the_text_and_not_a_letter_more(here: Path, data: Path) -> None:
    path = here / "dunes.toml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    path.chmod(0o640)
    before = path.read_bytes()
    done = coyote("cards", "edit", "dunes.toml", "spring", "--text", "Heal 12.", data=data, cwd=here)
    assert done.returncode == 0 and "Heal 12." in done.stdout
    assert path.read_bytes() == before.replace(b'"Heal 10."', b'"Heal 12."') != before
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [one.name for one in here.iterdir()] == ["dunes.toml"], "nothing is left beside it"


@pytest.mark.parametrize("locale", [ENGLISH, RUSSIAN])
def test_faults_have_carets_where_they_are_and_change_nothing(locale: str, here: Path, data: Path) -> None:
    before = (here / "dunes.toml").read_bytes()
    text = "Heel 12. Draw two cards."
    done = coyote("cards", "edit", "dunes.toml", "spring", "--text", text, data=data, cwd=here, locale=locale)
    assert done.returncode == 2 and done.stdout == ""
    lines = done.stderr.splitlines()
    shown = [number for number, line in enumerate(lines) if line.strip() == text]
    assert len(shown) == 2, "both faults are told at once"
    marked = [[m.span() for m in re.finditer(r"\^+", lines[number + 1])][0] for number in shown]
    assert [lines[number][start:end] for number, (start, end) in zip(shown, marked, strict=True)] == [
        "Heel",
        "two",
    ]
    assert "«Heal»" in done.stderr
    assert (here / "dunes.toml").read_bytes() == before


def test_edit_mends_a_card_of_a_faulty_file_and_tells_what_is_left(here: Path, data: Path) -> None:
    path = here / "dunes.toml"
    path.write_text(
        path.read_text("utf-8").replace("Heal 10.", "Heel 10.").replace("Block 14.", "Blok 14."), "utf-8"
    )
    done = coyote("cards", "edit", "dunes.toml", "spring", "--text", "Heal 10.", data=data, cwd=here)
    assert done.returncode == 0
    assert "«low-wall»" in done.stderr and "«spring»" not in done.stderr
    assert SetFile(path).card_text("spring") == "Heal 10."


def test_the_editor_is_opened_again_with_the_faults(
    here: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "editor"
    folder.mkdir()
    monkeypatch.setenv("EDITOR", str(editor(folder, "Heel 11.\n# a remark\n", "Heal 11.\n")))
    monkeypatch.delenv("VISUAL", raising=False)
    done = coyote("cards", "edit", "dunes.toml", "spring", data=data, cwd=here)
    assert done.returncode == 0, done.stderr
    assert read_set(here / "dunes.toml").by_id["spring"].text("en") == "Heal 11."
    assert (folder / "shown0").read_text().startswith("Heal 10.\n")
    second = (folder / "shown1").read_text()
    assert second.startswith("Heel 11.\n") and "\n#     ^^^^\n" in second


def test_a_text_left_as_it_is_changes_nothing(
    here: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "editor"
    folder.mkdir()
    monkeypatch.setenv("EDITOR", str(editor(folder)))
    monkeypatch.delenv("VISUAL", raising=False)
    before = (here / "dunes.toml").stat().st_mtime_ns
    assert coyote("cards", "edit", "dunes.toml", "spring", data=data, cwd=here).returncode == 0
    assert (here / "dunes.toml").stat().st_mtime_ns == before
    monkeypatch.setenv("EDITOR", "/nowhere/at-all")
    done = coyote("cards", "edit", "dunes.toml", "spring", data=data, cwd=here)
    assert done.returncode == 2 and "--text" in done.stderr


def test_a_card_that_is_not_there_is_named(here: Path, data: Path) -> None:
    done = coyote("cards", "edit", "dunes.toml", "dragon", "--text", "Heal 1.", data=data, cwd=here)
    assert done.returncode == 2 and "dragon" in done.stderr and "Traceback" not in done.stderr


def test_any_way_of_writing_a_text_can_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "ways.toml"
    head = "[[card]]\nid = '{0}'\nname = {{ ru = 'a', en = 'a' }}\nrarity = 'common'\n"
    ways = {
        "b": '"""\nHeal \\\n  1."""',
        "c": "'Heal 1.'",
        "d": '"Heal\\u00201." # why',
        "e": "'''Heal 1.'''",
    }
    path.write_text("".join(head.format(key) + f"text = {way}\n" for key, way in ways.items()), "utf-8")
    for key, way in ways.items():
        kept = SetFile(path)
        changed = kept.with_text(key, "Attack 2.")
        literal = way.removesuffix(" # why")
        assert changed == kept.text.replace(f"id = '{key}'", "\0", 1).partition("\0")[0] + kept.text[
            kept.text.index(f"id = '{key}'") :
        ].replace(literal, '"Attack 2."', 1)
        assert parse_set(changed).by_id[key].text("en") == "Attack 2."


# ---------------------------------------------------------------- price


def test_price_tells_points_beside_what_is_usual(here: Path, data: Path) -> None:
    coyote("cards", "edit", "dunes.toml", "spring", "--text", "Heal 60.", data=data, cwd=here)
    done = coyote("cards", "price", "dunes.toml", data=data, cwd=here)
    assert done.returncode == 0
    assert re.search(r"(?m)^spring .*57\.0 .*strong", done.stdout)
    told = json.loads(coyote("cards", "price", "dunes.toml", "--json", data=data, cwd=here).stdout)
    assert [one["id"] for one in told] == read_set(here / "dunes.toml").ids
    assert {one["says"] for one in told} == {"usual", "strong"}
    (ember,) = json.loads(coyote("cards", "price", "ember", "--json", data=data).stdout)
    assert ember["usual"][0] <= ember["points"] <= ember["usual"][1]
    wrong = coyote("cards", "price", "dunes.toml", "dragon", "wyrm", data=data, cwd=here)
    assert wrong.returncode == 2 and "dragon" in wrong.stderr and "wyrm" in wrong.stderr


def test_weighing_finds_what_is_too_strong(here: Path, data: Path) -> None:
    coyote("cards", "edit", "dunes.toml", "spring", "--text", "Attack 40.", data=data, cwd=here)
    done = coyote(
        "cards", "price", "dunes.toml", "spring", "--weigh", "--games", "500", "--json", data=data, cwd=here
    )
    assert done.returncode == 0, done.stderr
    (told,) = json.loads(done.stdout)
    assert told["says"] == "strong" and told["more"]["low"] > 0.1 and told["games"] == 1500


# ---------------------------------------------------------------- print


def test_print_writes_a_file_that_has_everything_in_it(here: Path, data: Path) -> None:
    done = coyote("cards", "print", "dunes.toml", "-o", "cards.html", "--copies", "2", data=data, cwd=here)
    assert done.returncode == 0 and "18 cards" in done.stdout
    page = (here / "cards.html").read_text("utf-8")
    order = json.loads(page.partition('id="order">')[2].partition("</script>")[0])
    assert len(order["ids"]) == 18 and order["langs"] == ["en"] and order["foot"] == "dunes"
    assert not re.search(r'(src|href)="', page)
    core = coyote(
        "cards", "print", "-o", "core.html", "--deck", "oasis", "--spoken", "both", data=data, cwd=here
    )
    assert core.returncode == 0 and "20 cards" in core.stdout


@pytest.mark.skipif(not any(path.exists() for path in CHROMIUM), reason="chromium is not installed")
def test_print_makes_a_pdf_where_chromium_is(here: Path, data: Path) -> None:
    done = coyote("cards", "print", "dunes.toml", "-o", "cards.pdf", data=data, cwd=here)
    assert done.returncode == 0, done.stderr
    assert (here / "cards.pdf").read_bytes().startswith(b"%PDF-")


def test_without_chromium_a_sentence_says_what_to_do(
    here: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COYOTE_CHROMIUM", "no-such-browser")
    done = coyote("cards", "print", "dunes.toml", "-o", "cards.pdf", data=data, cwd=here)
    assert done.returncode == 2 and ".html" in done.stderr and not (here / "cards.pdf").exists()
    odd = coyote("cards", "print", "dunes.toml", "-o", "cards.png", data=data, cwd=here)
    assert odd.returncode == 2 and ".pdf" in odd.stderr


# ---------------------------------------------------------------- decks of any set


def test_decks_of_a_set_are_found_beside_it(here: Path, data: Path) -> None:
    assert "dunes.toml" in coyote("deck", "list", "--set", "dunes.toml", data=data, cwd=here).stdout
    ids = [card.id for card in read_set(here / "dunes.toml").cards if card.rarity == "common"]
    deck = 'name = "Mine"\nset = "dunes"\n[cards]\n' + "".join(f"{card_id} = 2\n" for card_id in ids)
    (here / "mine.toml").write_text(deck, "utf-8")
    listed = coyote("deck", "list", "--set", "dunes.toml", data=data, cwd=here)
    assert listed.returncode == 0 and "mine.toml  Mine" in listed.stdout and "16 cards" in listed.stdout
    code = coyote("deck", "code", "mine.toml", "--set", "dunes.toml", data=data, cwd=here).stdout.strip()
    printed = coyote("cards", "print", "dunes.toml", "-o", "c.html", "--deck", code, data=data, cwd=here)
    assert printed.returncode == 0 and "16 cards" in printed.stdout
    assert read_deck(here / "mine.toml").size == 16
    assert os.path.exists(here / "c.html")
