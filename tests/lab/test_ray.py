"""Ray: the same games from any number of workers, though some die; silent, and gone at the end."""

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

os.environ |= {"RAY_worker_niceness": "0"}  # or the workers stand back behind the other tests
from coyote.lab import ray_engine  # isort: skip  # it has its say before Ray is imported
import ray
from ray._private import ray_constants
from ray.cluster_utils import Cluster

from coyote.lab.engines import EngineFault, engine_named
from coyote.lab.kept import kept_in, run
from coyote.text import Refused
from kit import lab_run, lab_tasks

TESTS = Path(__file__).parent.parent
SOON = 300.0  # seconds: long enough for a busy computer
# A node that is gone is to be missed within seconds, not within half a minute.
WATCHFUL = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 4,
}


def wait_until(is_so: Callable[[], bool]) -> None:
    limit = time.monotonic() + SOON
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.05)


def the_answer() -> str:
    return lab_tasks.digest(map(lab_tasks.play, lab_tasks.pieces(lab_tasks.GAMES)))


# ---------------------------------------------------------------- a cluster that is there


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """A head that does no work itself; computers are added by the test."""
    monkeypatch.setattr(ray_constants, "ENABLE_RAY_CLUSTER", False)  # on the loopback
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    monkeypatch.setenv("RAY_AUTH_TOKEN", os.environ.get("RAY_AUTH_TOKEN", uuid.uuid4().hex * 2))
    head = {"num_cpus": 0, "include_dashboard": False, "_system_config": WATCHFUL}
    made = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def test_workers_of_any_number_that_may_die_find_the_same(cluster: Cluster) -> None:
    """One story, for a cluster takes its time to begin."""
    answer = the_answer()
    cluster.add_node(num_cpus=1)
    with ray_engine.RayEngine(cluster.address) as engine:
        for workers in (1, 3):
            if workers > 1:
                last = cluster.add_node(num_cpus=2)
            cluster.wait_for_nodes()
            for size in lab_tasks.SIZES:
                found = engine.map(lab_tasks.play, lab_tasks.pieces(size))
                assert lab_tasks.digest(found) == answer, (workers, size)
        # A computer falls in the middle of the work.
        found = engine.map(lab_tasks.play, lab_tasks.pieces(4, pause=0.3))
        parts = [next(found), next(found)]
        cluster.remove_node(last, allow_graceful=False)
        parts += found
        assert lab_tasks.digest(parts) == answer
        wait_until(lambda: ray.cluster_resources().get("CPU") == 1)


# ---------------------------------------------------------------- a cluster of one's own


def ray_run(mark: str, path: Path, pause: float) -> "subprocess.Popen[str]":
    """A run as a program; all its processes, and theirs, have the mark in their environment."""
    return subprocess.Popen(
        [sys.executable, "-m", "kit.lab_run", "ray", str(path), str(pause)],
        cwd=TESTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "COYOTE_MARK": mark},
    )  # fmt: skip


def marked(mark: str) -> dict[int, str]:
    """The processes that have the mark, by number."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
    return found


def listening(processes: dict[int, str]) -> set[str]:
    """The addresses at which they listen for connections."""
    said = subprocess.run(["ss", "-ltnpH"], capture_output=True, text=True, check=True).stdout
    own = [line for line in said.splitlines() if any(f"pid={number}," in line for number in processes)]
    return {line.split()[3].rpartition(":")[0] for line in own}


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_leaves_nothing_running_and_goes_on(
    tmp_path: Path, kind: signal.Signals
) -> None:
    """SIGINT goes to all of them, as Ctrl-C does. After SIGKILL some of Ray's idle on for a while."""
    path, mark = tmp_path / "results.jsonl", uuid.uuid4().hex
    ended = ray_run(mark, path, 0.2)
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 3)
    assert ended.poll() is None and len(marked(mark)) > 4
    assert {re.sub(r"\W|ffff", "", place) for place in listening(marked(mark))} == {"127001"}
    if kind == signal.SIGKILL:
        ended.kill()
    else:
        os.killpg(ended.pid, kind)
    said = ended.communicate()
    idle = re.compile(
        "ray::DashboardAgent|ray::RuntimeEnvAgent|.*default_worker" if kind == signal.SIGKILL else "-"
    )
    wait_until(lambda: all(idle.match(name) for name in marked(mark).values()))
    for number in marked(mark):
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    assert said == ("", "")
    kept = path.read_bytes()
    assert kept.count(b"\n") < 16
    with engine_named("local") as engine, kept_in(path, lab_run.SPEC) as file:
        pieces = ({**piece, "pause": 0.2} for piece in lab_tasks.pieces(4))
        digest = lab_tasks.digest(found for _, found in run(engine, lab_tasks.play, pieces, file))
    assert digest == the_answer()
    assert path.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])


def test_what_goes_wrong_is_said_and_nothing_else(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_engine, "RETRIES", 1)  # each takes a worker that has to start
    numbers = [{"n": n} for n in range(4)]
    before = signal.getsignal(signal.SIGTERM)
    with ray_engine.RayEngine(workers=2) as engine:
        assert signal.getsignal(signal.SIGTERM) is before
        with pytest.raises(Refused) as refused:
            list(engine.map(lab_tasks.refuse, numbers))
        assert refused.value.values["name"] == "0", "it comes as it is"
        with pytest.raises(EngineFault) as crashed:
            list(engine.map(lab_tasks.die, numbers[:1]))
        assert (crashed.value.code, crashed.value.values["times"]) == ("engine.crashed", 2)
        running = engine.map(lab_tasks.double, ({"n": n, "pause": 0.05} for n in range(10**9)))
        assert [next(running)["n"] for _ in range(5)] == [0, 2, 4, 6, 8]
        running.close()
        found = list(engine.map(lab_tasks.double, numbers))
        assert [one["n"] for one in found] == [0, 2, 4, 6]
        assert os.getpid() not in {one["process"] for one in found}
    assert not ray.is_initialized()
    assert capfd.readouterr() == ("", "")
