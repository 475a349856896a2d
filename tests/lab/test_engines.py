"""The engines of one computer: the same answer in the same order, nothing too early, nothing left running."""

import sys
import threading
from collections.abc import Iterator

import pytest

from coyote.games.game import Json
from coyote.lab.engines import AHEAD, Engine, EngineFault, LocalEngine, SerialEngine, engine_named
from coyote.text import Refused
from kit import lab_tasks

NUMBERS = [{"n": n} for n in range(50)]


@pytest.fixture(params=["serial", "local"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with engine_named(request.param) as made:
        yield made


@pytest.fixture(scope="module")
def answer() -> str:
    """The digest that every engine has to find."""
    with SerialEngine() as serial:
        return lab_tasks.digest(serial.map(lab_tasks.play, lab_tasks.pieces(lab_tasks.GAMES)))


@pytest.mark.parametrize("size", lab_tasks.SIZES)
def test_every_engine_finds_the_same_games(engine: Engine, size: int, answer: str) -> None:
    assert lab_tasks.digest(engine.map(lab_tasks.play, lab_tasks.pieces(size))) == answer


def test_other_games_have_another_digest(answer: str) -> None:
    other = [{**piece, "seed": "other"} for piece in lab_tasks.pieces(20)]
    assert lab_tasks.digest(map(lab_tasks.play, other)) != answer


def test_results_come_in_order_though_the_first_pieces_take_longest() -> None:
    pieces = [{"n": n, "pause": 0.05 * (5 - n)} for n in range(5)]
    with LocalEngine(threads=5) as engine:
        assert [found["n"] for found in engine.map(lab_tasks.double, pieces)] == [0, 2, 4, 6, 8]


def test_an_engine_can_be_asked_again(engine: Engine) -> None:
    for _ in range(2):
        assert [found["n"] for found in engine.map(lab_tasks.double, NUMBERS)] == list(range(0, 100, 2))


def test_pieces_without_end_are_taken_a_few_ahead_only() -> None:
    taken = []

    def without_end() -> Iterator[Json]:
        for n in range(10**9):
            taken.append(n)
            yield {"n": n}

    with LocalEngine(threads=2) as engine:
        found = engine.map(lab_tasks.double, without_end())
        assert [next(found)["n"] for _ in range(10)] == list(range(0, 20, 2))
        found.close()
    assert len(taken) <= 10 + 2 * AHEAD


def test_what_was_begun_ahead_is_given_up_when_nobody_wants_it() -> None:
    done, gate = [], threading.Event()

    def task(piece: Json) -> Json:
        if piece["n"]:
            gate.wait()
        done.append(piece["n"])
        return piece

    with LocalEngine(threads=1) as engine:
        found = engine.map(task, NUMBERS)
        next(found)
        threading.Timer(0.1, gate.set).start()
        found.close()
        assert len(done) <= 2 < AHEAD, "at most the one that ran"
        assert list(engine.map(lab_tasks.double, NUMBERS[:1]))
        assert len(done) <= 2


def test_an_error_in_a_piece_comes_out_as_it_is(engine: Engine) -> None:
    with pytest.raises(Refused) as caught:
        list(engine.map(lab_tasks.refuse, NUMBERS))
    assert caught.value.values["name"] == "0"


def test_nothing_runs_after_the_end() -> None:
    before = threading.active_count()
    with LocalEngine(threads=3) as engine:
        list(engine.map(lab_tasks.double, NUMBERS))
        assert threading.active_count() > before
    assert threading.active_count() == before


@pytest.mark.parametrize(
    ("name", "address", "code"),
    [
        ("dask", None, "engine.unknown"),
        ("local", "127.0.0.1:6379", "engine.address"),
        ("ray", "nowhere", "engine.no_cluster"),
        ("ray", "127.0.0.1:1", "engine.no_cluster"),
    ],
)
def test_an_engine_that_cannot_be_had_is_refused(name: str, address: str | None, code: str) -> None:
    with pytest.raises(EngineFault) as caught:
        engine_named(name, address)
    assert caught.value.code == code


def test_without_ray_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "coyote.lab.ray_engine", raising=False)
    with pytest.raises(EngineFault, match=r"coyote\[cluster\]"):
        engine_named("ray")
