"""Finished games as datasets: written, read again, and equal to what was played."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coyote.cli import main
from coyote.envs import features_of
from coyote.envs.dataset import read_npz, read_parquet
from coyote.games.registry import make_game
from coyote.lab.simulate import records
from coyote.match import Match
from coyote.records import write_records

READ = {"npz": read_npz, "parquet": read_parquet}


def run(*arguments: str) -> int:
    """The exit code of the command."""
    with pytest.raises(SystemExit) as left:
        main.main(list(arguments))
    return int(left.value.code or 0)


def played(tmp_path: Path, game: str, n: int, **options: Any) -> Path:
    made = make_game(game, **options)
    path = tmp_path / f"{game}.jsonl"
    write_records(path, records(made, made.settle(), ("random", "greedy"), n, "export"))
    return path


@pytest.mark.parametrize("form", READ)
@pytest.mark.parametrize("game", ["madness", "duel"])
def test_a_dataset_is_what_was_played(tmp_path: Path, game: str, form: str) -> None:
    file = played(tmp_path, game, 6)
    assert run("export", str(file), "--format", form) == 0
    about, columns = READ[form](file.with_suffix(f".{form}"))
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    row = 0
    for number, record in enumerate(lines):
        match = Match.from_record(record)
        features = features_of(match.game)
        for decision, (seat, move) in enumerate(record["moves"]):
            assert (columns["game"][row], columns["decision"][row], columns["seat"][row]) == (
                number,
                decision,
                seat,
            )
            assert np.array_equal(columns["observation"][row], features.observe(match, seat))
            assert np.array_equal(columns["mask"][row], features.mask(match, seat))
            action = int(columns["choice"][row])
            assert match.game.move_text(features.move(match.view(seat), seat, action)) == move
            winner = record["result"]["winner"]
            assert columns["result"][row] == (0 if winner is None else 1 if winner == seat else -1)
            match.play(move, seat)
            row += 1
    assert {len(column) for column in columns.values()} == {row}
    assert about == {
        "game": game, "features": features.version, "observation": features.size, "actions": features.actions,
    }  # fmt: skip


def test_both_formats_say_the_same(tmp_path: Path) -> None:
    file = played(tmp_path, "madness", 4, edition="classic", goal=3)
    for form in READ:
        assert run("export", str(file), "--format", form, "--out", str(tmp_path / f"found.{form}")) == 0
    first, second = (READ[form](tmp_path / f"found.{form}") for form in READ)
    assert first[0] == second[0]
    assert first[1].keys() == second[1].keys()
    for name, column in first[1].items():
        assert column.dtype == second[1][name].dtype and np.array_equal(column, second[1][name])


def refused(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert run("export", *arguments, "--lang", "en") == 2
    return capsys.readouterr().err


def test_what_cannot_be_exported_is_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    madness, duel = played(tmp_path, "madness", 2), played(tmp_path, "duel", 1)
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text(madness.read_text(encoding="utf-8") + duel.read_text(encoding="utf-8"), encoding="utf-8")
    assert "game 3 is duel with" in refused(str(mixed), capsys=capsys)

    wrong = json.loads(madness.read_text(encoding="utf-8").splitlines()[0])
    wrong["moves"][2][1] = "steal 2C"
    broken = tmp_path / "broken.jsonl"
    write_records(broken, [wrong])
    assert "game 1, move 3" in refused(str(broken), capsys=capsys)

    assert "--out" in refused(str(madness), "--out", str(madness), capsys=capsys)
    assert "nowhere.jsonl" in refused(str(tmp_path / "nowhere.jsonl"), capsys=capsys)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install 'coyote[envs]'" in refused(str(madness), "--format", "parquet", capsys=capsys)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "broken.jsonl", "duel.jsonl", "madness.jsonl", "mixed.jsonl",
    ]  # fmt: skip
