"""Files of records: written whole or not at all, and read line by line."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from coyote.games.game import Json, RecordError
from coyote.games.madness.game import Madness
from coyote.lab.simulate import records
from coyote.records import read_records, record_line, write_records, written_whole
from coyote.text import LANGUAGES, Words


@cache
def some_records() -> list[Json]:
    game = Madness()
    return list(records(game, game.settle(), ["random", "random"], 3, "records"))


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_records(path, some_records())
    assert list(read_records(path)) == some_records()
    assert names_in(tmp_path) == ["games.jsonl"]
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask


def failing(games: int) -> Iterator[Json]:
    for number in range(games):
        yield some_records()[number % 3]
    raise RuntimeError("the lamp went out")


@pytest.mark.parametrize("before", [None, "what was there before\n"])
@pytest.mark.parametrize("games", [0, 1, 300])
def test_a_failure_in_the_middle_leaves_everything_as_it_was(
    tmp_path: Path, before: str | None, games: int
) -> None:
    path = tmp_path / "games.jsonl"
    if before is not None:
        path.write_text(before)
    kept = names_in(tmp_path)
    with pytest.raises(RuntimeError):
        write_records(path, failing(games))
    assert names_in(tmp_path) == kept
    assert before is None or path.read_text() == before


def test_an_interruption_in_the_middle_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), written_whole(path) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert names_in(tmp_path) == ["games.jsonl"]
    assert path.read_text() == "old"


def test_nothing_is_to_be_seen_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with written_whole(path) as file:
        file.write("half")
        file.flush()
        assert not path.exists()
    assert path.read_text() == "half"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_records(tmp_path / "none" / "games.jsonl", [])


def test_blank_lines_are_no_records(tmp_path: Path) -> None:
    path, good = tmp_path / "games.jsonl", some_records()[0]
    path.write_text(f"\n{record_line(good)}\n  \n{record_line(good)}")
    assert list(read_records(path)) == [good, good]


NOT_RECORDS = {
    b"": ("record.empty", {}),
    b"\n\n": ("record.empty", {}),
    b"\xff\xfe{}": ("record.not_utf8", {}),
    b"{": ("record.not_json", {"line": 1}),
    b"\n{}x": ("record.not_json", {"line": 2}),
    b"[]": ("record.not_object", {"line": 1}),
    b"{}\n7": ("record.not_object", {"line": 2}),
    b"[" * 100_000: ("record.not_json", {"line": 1}),
}


@pytest.mark.parametrize("content", NOT_RECORDS, ids=lambda content: repr(content[:12]))
def test_what_is_no_record_is_named_with_its_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    code, values = NOT_RECORDS[content]
    with pytest.raises(RecordError) as caught:
        list(read_records(path))
    assert caught.value.code == code
    assert values.items() <= caught.value.values.items()
    for lang in LANGUAGES:
        assert Words(lang).refusal(caught.value.refusal)
