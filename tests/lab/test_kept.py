"""Result files: what is in them is not done again, and whatever goes wrong, they stay whole."""

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from coyote.cli.faults import sentence
from coyote.games.game import Json
from coyote.lab.engines import LocalEngine, SerialEngine
from coyote.lab.kept import Kept, KeptFault, append_whole, kept_in, run, spec_of
from coyote.text import Words
from kit import lab_run, lab_tasks

SPEC = spec_of("test", {"bots": ["greedy", "random"]}, "friday")
TESTS = Path(__file__).parent.parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def numbers(*which: int) -> Iterator[Json]:
    return ({"n": n} for n in which)


def squares(
    kept: Kept | None, pieces: Iterable[Json], stop_at: int | None = None
) -> tuple[list[int], list[int]]:
    """What is found until somebody has seen enough, and which pieces were done for it."""
    found, done = [], []

    def square(piece: Json) -> Json:
        done.append(piece["n"])
        return {"square": piece["n"] ** 2, "text": "ё"}

    with SerialEngine() as engine:
        running = run(engine, square, pieces, kept)
        for piece, result in running:
            assert result == {"square": piece["n"] ** 2, "text": "ё"}
            found.append(piece["n"])
            if piece["n"] == stop_at:
                break
        running.close()
    return found, done


def some_results(path: Path, count: int = 3) -> bytes:
    with kept_in(path, SPEC) as kept:
        squares(kept, numbers(*range(count)))
    return path.read_bytes()


# ---------------------------------------------------------------- going on


def test_what_is_kept_is_not_done_again(path: Path) -> None:
    some_results(path)
    with kept_in(path, SPEC) as kept:
        assert squares(kept, numbers(*range(6))) == ([0, 1, 2, 3, 4, 5], [3, 4, 5])
    with kept_in(path, SPEC) as kept:
        assert squares(kept, numbers(*range(6))) == ([0, 1, 2, 3, 4, 5], [])


def test_pieces_in_between_and_in_another_order_are_found(path: Path) -> None:
    with kept_in(path, SPEC) as kept:
        squares(kept, numbers(1, 4, 5))
        assert squares(kept, numbers(5, 3, 4, 2, 1, 0)) == ([5, 3, 4, 2, 1, 0], [3, 2, 0])


def test_without_a_file_it_finds_the_same() -> None:
    assert squares(None, numbers(0, 1, 2)) == ([0, 1, 2], [0, 1, 2])


def test_what_comes_after_enough_is_neither_done_nor_kept(path: Path) -> None:
    with kept_in(path, SPEC) as kept:
        endless = ({"n": n} for n in range(10**9))
        assert squares(kept, endless, stop_at=4) == ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    with kept_in(path, SPEC) as kept:
        assert squares(kept, ({"n": n} for n in range(10**9)), stop_at=4) == ([0, 1, 2, 3, 4], [])


def test_a_result_is_the_same_before_and_after_it_was_in_the_file(path: Path) -> None:
    def task(piece: Json) -> Json:
        return {"pair": (1, 2), "by": {3: 0.1}}

    with SerialEngine() as engine, kept_in(path, SPEC) as kept:
        ((_, fresh),) = run(engine, task, [{"n": 1}], kept)
        ((_, read),) = run(engine, task, [{"n": 1}], kept)
    assert fresh == read == {"pair": [1, 2], "by": {"3": 0.1}}


def test_two_tasks_share_a_file(path: Path) -> None:
    with SerialEngine() as engine, kept_in(path, SPEC) as kept:
        assert [found["n"] for _, found in run(engine, lab_tasks.double, numbers(1, 2), kept)] == [2, 4]
        assert squares(kept, numbers(1, 2)) == ([1, 2], [1, 2])


def test_the_file_says_what_it_is(path: Path) -> None:
    some_results(path)
    frame, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert frame["spec"] == SPEC
    assert lines[1].pop("task").endswith("square")
    assert lines[1] == {"piece": {"n": 1}, "found": {"square": 1, "text": "ё"}}


# ---------------------------------------------------------------- what is torn, or somebody else's


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_torn_last_line_is_dropped(path: Path, cut: int) -> None:
    whole = some_results(path)
    path.write_bytes(whole[:-cut])
    with kept_in(path, SPEC) as kept:
        assert squares(kept, numbers(0, 1, 2)) == ([0, 1, 2], [2])
    assert path.read_bytes() == whole


def test_results_of_another_question_are_refused_by_name_and_stay(path: Path) -> None:
    whole = some_results(path)
    for other, what in [
        (spec_of("test", {"bots": ["greedy", "greedy"]}, "friday"), "arguments"),
        (spec_of("test", SPEC["arguments"], "monday"), "seed"),
        ({**SPEC, "program": "0" * 16}, "program"),
    ]:
        with pytest.raises(KeptFault) as caught, kept_in(path, other):
            pass
        assert (caught.value.code, caught.value.values["what"]) == ("kept.other", what)
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "content",
    ["", "\n", "hello\n", "{}\n", "[1]\n", '{"format":"coyote lab 1"}\n', "\x00\xff", '{"a":' * 9999],
)
def test_what_is_no_result_file_is_refused_and_stays(path: Path, content: str) -> None:
    path.write_text(content, encoding="latin-1")
    with pytest.raises(KeptFault) as caught, kept_in(path, SPEC):
        pass
    assert caught.value.code == "kept.foreign"
    assert path.read_text(encoding="latin-1") == content


def test_a_line_that_is_no_result_is_refused_by_its_number(path: Path) -> None:
    lines = some_results(path).split(b"\n")
    lines[2] = lines[2][:-3]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(KeptFault) as caught, kept_in(path, SPEC):
        pass
    assert (caught.value.code, caught.value.values["line"]) == ("kept.broken", 3)


def test_two_runs_do_not_write_to_one_file(path: Path) -> None:
    with kept_in(path, SPEC), pytest.raises(KeptFault) as caught, kept_in(path, SPEC):
        pass
    assert caught.value.code == "kept.busy"
    with kept_in(path, SPEC):
        pass


@pytest.mark.parametrize(("place", "why"), [("missing/file", "no such"), ("file/inside", "not a folder")])
def test_a_place_where_nothing_can_be_written(tmp_path: Path, place: str, why: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError) as caught, kept_in(tmp_path / place, SPEC):
        pass
    said = sentence(caught.value, Words("en"))
    assert place in said and why in said


def test_a_folder_is_no_result_file(tmp_path: Path) -> None:
    with pytest.raises(KeptFault), kept_in(tmp_path, SPEC):
        pass


# ---------------------------------------------------------------- no room


def test_a_full_disk_is_told_by_name(path: Path) -> None:
    handle = os.open("/dev/full", os.O_RDWR)
    try:
        with pytest.raises(OSError) as caught:
            append_whole(handle, b"much\n", path)
    finally:
        os.close(handle)
    assert caught.value.errno == errno.ENOSPC
    assert sentence(caught.value, Words("ru")) == f"{path}: на диске нет места"


def lab(*arguments: str, room: int | None = None) -> "subprocess.Popen[str]":
    def small_files() -> None:
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    return subprocess.Popen(
        [sys.executable, "-m", "kit.lab_run", *arguments],
        cwd=TESTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=small_files,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )  # fmt: skip


def test_where_the_room_ends_the_file_stays_whole_and_the_run_goes_on_later(path: Path) -> None:
    """The system cuts the line that does not fit in the middle."""
    full = lab("local", str(path), "0", room=4500)
    _, said = full.communicate()
    assert full.returncode == 2
    assert said.strip() == f"coyote: {path}: the file would become larger than is allowed"
    kept = path.read_bytes()
    assert kept.endswith(b"\n") and 1 < kept.count(b"\n") < 16
    again = lab("local", str(path), "0")
    found, said = again.communicate()
    assert (again.returncode, said) == (0, "")
    assert path.read_bytes().startswith(kept)
    assert found.strip() == the_answer()


def test_where_there_is_no_room_for_the_first_line_there_is_no_file(path: Path) -> None:
    full = lab("local", str(path), "0", room=20)
    _, said = full.communicate()
    assert (full.returncode, "larger than is allowed" in said) == (2, True)
    assert list(path.parent.iterdir()) == []


def the_answer() -> str:
    return lab_tasks.digest(map(lab_tasks.play, lab_tasks.pieces(lab_tasks.GAMES)))


# ---------------------------------------------------------------- the run is ended


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_goes_on(path: Path, kind: signal.Signals) -> None:
    ended = lab("local", str(path), "0.1")
    while not path.exists() or path.read_bytes().count(b"\n") < 4:
        time.sleep(0.02)
        assert ended.poll() is None
    ended.send_signal(kind)
    ended.communicate()
    kept = path.read_bytes()
    assert 4 <= kept.count(b"\n") < 16
    with LocalEngine() as engine, kept_in(path, lab_run.SPEC) as file:
        pieces = ({**piece, "pause": 0.1} for piece in lab_tasks.pieces(4))
        digest = lab_tasks.digest(found for _, found in run(engine, lab_tasks.play, pieces, file))
    assert digest == the_answer()
    assert path.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
