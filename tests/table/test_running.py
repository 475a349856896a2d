"""The server as whoever runs it sees it: its files, its second start, its logs, numbers and health."""

import asyncio
import json
import os
import re
import shlex
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import click
import pytest
import sqlalchemy as sa
import yaml  # type: ignore[import-untyped]

from coyote.cli.table import command
from coyote.table import health, metrics
from coyote.table.database import Claim, DatabaseError, file_of, keep_private, without_password
from coyote.table.hall import Hall, Live
from coyote.table.metrics import HELP, Metrics
from coyote.table.store import Store
from table.kit_table import PATIENCE, QUICK, Server, seat_two, sqlite_in, well
from table.kit_wide import free_ports

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "coyote"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def coyote(*words: str, **env: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "coyote", *words]
    settled = {**os.environ, "LC_ALL": "C.UTF-8", **env}
    return subprocess.run(command, capture_output=True, text=True, env=settled, timeout=PATIENCE)


def get(url: str, **headers: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=PATIENCE) as found:
            return found.status, found.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


# ---------------------------------------------------------------- files


def test_the_database_is_its_owners_alone(tmp_path: Path) -> None:
    """C1: whoever reads the file has the signing key and all cards. Old files are closed to others, too."""
    path = tmp_path / "table.sqlite3"
    path.touch()
    path.chmod(0o644)
    with Server(sqlite_in(tmp_path)) as server:
        seats = seat_two(server, game="madness", opponent="link")
        found = {one.name: mode(one) for one in tmp_path.iterdir()}
        for seat in seats:
            seat.close()
    assert set(found) == {"table.sqlite3", "table.sqlite3-wal", "table.sqlite3-shm", "table.sqlite3.lock"}
    assert set(found.values()) == {0o600}


def test_our_own_folder_is_closed_to_others(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    coyote("table", "admin", "rooms", COYOTE_DATA=str(data), COYOTE_DB="")
    assert mode(data) == 0o700


def test_a_second_server_on_one_file_is_refused(tmp_path: Path) -> None:
    """B5: by a sentence that says where the first one is, whatever the file is called by."""
    other_name = tmp_path / "link.sqlite3"
    other_name.symlink_to(tmp_path / "table.sqlite3")
    with Server(sqlite_in(tmp_path)) as server:
        for name, lang, said in (("table", "en", "a table is open"), ("link", "ru", "уже открыт стол")):
            url = f"sqlite:///{tmp_path}/{name}.sqlite3"
            second = coyote("table", "--port", "0", "--lang", lang, COYOTE_DB=url)
            assert second.returncode == 2 and not second.stdout
            assert said in second.stderr and f"http://{server.host}/" in second.stderr
            assert "Traceback" not in second.stderr
        assert well(server.guest("Anna"))["ok"]
        server.kill()
        server.start()  # whoever fell holds nothing


def test_a_claim_is_the_processs_alone(tmp_path: Path) -> None:
    """A child that outlives its parent must not keep the file."""
    url = sqlite_in(tmp_path)
    claim = Claim.of(url)
    claim.tell("http://here/")
    try_it = f"from coyote.table.database import Claim; Claim.of({url!r})"
    refused = subprocess.run([sys.executable, "-c", try_it], capture_output=True, text=True, timeout=PATIENCE)
    assert "http://here/" in refused.stderr
    if (child := os.fork()) == 0:
        time.sleep(20)
        os._exit(0)
    try:
        claim.release()
        again = subprocess.run([sys.executable, "-c", try_it], capture_output=True, timeout=PATIENCE)
        assert again.returncode == 0
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def test_urls() -> None:
    assert file_of("sqlite:////a/b.sqlite3") == Path("/a/b.sqlite3")
    assert file_of("sqlite:///file:/a/b.sqlite3?uri=true") == Path("/a/b.sqlite3")
    assert file_of("sqlite:///:memory:") is None and file_of("postgresql+psycopg://h/db") is None
    with pytest.raises(DatabaseError, match="is no address"):
        file_of("nonsense")
    assert "secret" not in without_password("postgresql://anna:secret@h/db")
    assert "secret" not in without_password("postgres//anna:secret@h/db")


@pytest.mark.skipif(os.geteuid() != 0, reason="files of others can be made by root only")
def test_a_file_of_somebody_else_that_is_open_to_all_is_refused() -> None:
    """In a folder of its own: those of pytest are closed again to others whenever it is started."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "table.sqlite3"
        path.touch()
        path.chmod(0o666)
        shutil.chown(path, 12345)
        script = "import os, sys; from coyote.table.database import keep_private as keep; "
        script += "os.setuid(23456); keep(sys.argv[1])"
        command = [sys.executable, "-c", script, f"sqlite:///{path.name}"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=PATIENCE)
    assert "chmod 600" in done.stderr


# ---------------------------------------------------------------- numbers, health and logs


def looked_at(url: str) -> str:
    """The numbers, once the watch has looked for the first time: half a second after the start."""
    end = time.monotonic() + PATIENCE
    while True:
        status, text = get(url)
        assert status == 200
        if "coyote_loop_lag_seconds_count" in text:
            return text
        assert time.monotonic() < end, text
        time.sleep(0.05)


def test_numbers_logs_and_health_of_a_real_server(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Server(sqlite_in(tmp_path), *QUICK, "--access-log", "--metrics", f"127.0.0.1:{port}")
    with server:
        first, second = seats = seat_two(server, game="madness", opponent="link")
        mover = first if first.seat in first.state["actors"] else second
        mover.do("move", move=mover.state["legal"][0])
        anna, room = first.guest, first.room
        anna.ask("GET", "/api/me")
        refused, _ = anna.try_to("GET", f"/api/rooms/{room}/record?invite=hidden")
        code = anna.ask("POST", "/api/me/codes")["code"]
        assert get(f"http://{server.host}/metrics")[0] == 404
        text = looked_at(f"http://127.0.0.1:{port}/metrics")
        assert {"ok": True, "troubles": []}.items() <= well(anna).items()
        for seat in seats:
            seat.close()
        logged = server.stop()
    numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert numbers["coyote_moves_total"] == "1"
    assert numbers["coyote_move_seconds_count"] == "1"
    assert numbers["coyote_rooms"] == "1" and numbers["coyote_sockets"] == "2"
    assert float(numbers["coyote_loop_lag_seconds_count"]) > 0
    assert numbers['coyote_request_seconds_count{route="/api/rooms/{room}/record",status="4xx"}'] == "1"

    lines = [json.loads(line) for line in logged.splitlines()]
    (asked,) = [line for line in lines if line.get("route") == "/api/rooms/{room}/record"]
    assert asked["status"] == refused and asked["room"] == room and asked["method"] == "GET"
    assert asked["address"] == "127.0.0.1" and asked["ms"] >= 0
    opened = [line for line in lines if line["message"] == "socket"]
    assert len(opened) == 2 and {line["room"] for line in opened} == {room}
    (me,) = [line for line in lines if line.get("route") == "/api/me"]
    assert re.fullmatch("[0-9a-f]{12}", me["guest"])
    shown = anna.cookie.partition("=")[2]
    for secret in (shown, shown.partition(".")[0], "hidden", code, "invite"):
        assert secret not in logged


def test_without_the_option_requests_are_not_logged(tmp_path: Path) -> None:
    os.environ["COYOTE_METRICS_TOKEN"] = "swordfish"
    try:
        server = Server(sqlite_in(tmp_path))
    finally:
        del os.environ["COYOTE_METRICS_TOKEN"]
    with server:
        server.guest("Anna")
        url = f"http://{server.host}/metrics"
        assert get(url)[0] == get(url, Authorization="Bearer swordfisH")[0] == 404
        status, text = get(url, Authorization="Bearer swordfish")
        assert status == 200 and "coyote_rooms 0" in text
        assert server.stop() == ""


def test_the_numbers_in_the_text_format() -> None:
    numbers = Metrics()
    numbers.count("refusals", code='a"b\\c\nd')
    for seconds in (0.0005, 0.001, 0.3, 100):
        numbers.time("move_seconds", seconds)
    numbers.gauge("rooms", lambda: 7)
    lines = numbers.text().splitlines()
    assert r'coyote_refusals_total{code="a\"b\\c\nd"} 1' in lines
    assert 'coyote_move_seconds_bucket{le="0.001"} 2' in lines  # a bound belongs to its bucket
    assert 'coyote_move_seconds_bucket{le="0.5"} 3' in lines
    assert 'coyote_move_seconds_bucket{le="+Inf"} 4' in lines and "coyote_move_seconds_count 4" in lines
    assert "coyote_rooms 7" in lines
    described = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert described == ["coyote_rooms", "coyote_refusals_total", "coyote_move_seconds"]


def test_every_number_is_described_and_none_is_stale() -> None:
    pattern = r"metrics\.(?:count|time|gauge)\(\s*\"(\w+)\""
    found = {name for path in SOURCES.rglob("*.py") for name in re.findall(pattern, path.read_text())}
    watched = set(
        re.findall(r"^ {12}\"(\w+)\": ", (SOURCES / "table" / "health.py").read_text(), re.MULTILINE)
    )
    found |= set(re.findall(r"_note\(\"(\w+)\"", (SOURCES / "table" / "thinking.py").read_text()))
    assert found | (watched - {"store", "loop"}) == set(HELP)


def test_a_collector_that_says_nothing_or_too_much_harms_nobody() -> None:
    async def ask() -> bytes:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
            task = asyncio.create_task(metrics.tell(Metrics(), listening))
            await asyncio.sleep(0)
            silent = await asyncio.open_connection("127.0.0.1", port)
            loud = await asyncio.open_connection("127.0.0.1", port)
            loud[1].write(b"x" * 100_000)
            assert await loud[0].read() == b""
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            found = await reader.read()
            for one in (silent[1], loud[1], writer):
                one.close()
            task.cancel()
            return found

    assert asyncio.run(ask()).startswith(b"HTTP/1.1 200 OK")


def test_health_knows_a_stuck_room_a_failing_store_and_a_late_loop(tmp_path: Path) -> None:
    hall = Hall(Store(sqlite_in(tmp_path)))
    watch = health.Watch(hall, lambda: 0)
    for id, since in (("quick", 99.0), ("idle", None), ("stuck", 50.0)):
        hall.rooms[id] = cast(Live, SimpleNamespace(busy_since=since, room=SimpleNamespace(number=3)))
    watch.look(100.0)
    assert watch.stuck == {"stuck"} and watch.troubles() == ["rooms"]
    hall.rooms["stuck"].busy_since = None
    watch.look(101.0)
    assert watch.troubles() == []
    hall.failing_since = 5
    watch.late.append(3.0)
    assert watch.troubles() == ["store", "loop"]
    answer = asyncio.run(watch.health())
    assert answer.status_code == 503 and json.loads(answer.body)["ok"] is False
    hall.thinkers.close()
    hall.store.close()


def test_an_address_that_is_taken_is_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for option in (["--port", port], ["--port", "0", "--metrics", f"127.0.0.1:{port}"]):
            done = coyote("table", "--db", sqlite_in(tmp_path), "--lang", "en", *option)
            assert done.returncode == 2 and f"port {port}" in done.stderr, done.stderr
            assert "Traceback" not in done.stderr


def test_private_files_stay_as_private_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    path.touch()
    path.chmod(0o400)
    before = os.umask(0o022)
    try:
        keep_private(sqlite_in(tmp_path))
    finally:
        os.umask(before)
    assert mode(path) == 0o400


# ---------------------------------------------------------------- what docs/running.md and deploy/ say

DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")


def understood(words: list[str]) -> None:
    """That `coyote table` takes these words; nothing is done."""
    group: click.Command = command
    while isinstance(group, click.Group) and words and words[0] in group.commands:
        group, words = group.commands[words[0]], words[1:]
    if words or not isinstance(group, click.Group):  # a group alone is help
        assert not group.make_context("coyote", [*words]).args


def test_every_command_of_the_page_is_one() -> None:
    spans = [line for block in re.findall(r"```\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    spans += re.findall(r"`([^`\n]+)`", PAGE)
    found = [words for span in spans if (words := re.findall(r"\bcoyote table (.*)", span))]
    assert len(found) > 12
    for (words,) in found:
        if "…" not in words:
            understood(shlex.split(words))
    options = set(re.findall(r"`(--[a-z-]+)", PAGE)) - {"--json", "--lang"}
    known = {name for one in command.params for name in one.opts}
    assert options and options <= known


def test_every_file_of_the_page_is_there_and_on_it() -> None:
    named = set(re.findall(r"\]\(\.\./deploy/([\w.]+)\)", PAGE))
    assert named == {path.name for path in DEPLOY.iterdir() if path.name != ".env"}
    for path in re.findall(r"\]\(([\w-]+\.md)\)", PAGE):
        assert (ROOT / "docs" / path).exists(), path
    assert "docs/running.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_unit_starts_what_there_is() -> None:
    text = (DEPLOY / "coyote.service").read_text()
    (line,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    program, name, *words = shlex.split(line)
    assert (program, name) == ("/opt/coyote/.venv/bin/coyote", "table") and program in PAGE
    understood(words)
    used = set(re.findall(r"\bCOYOTE_\w+", text))
    assert used <= environment() | {"COYOTE_NAME"}


def environment() -> set[str]:
    """The variables that the program reads."""
    texts = [path.read_text() for path in SOURCES.rglob("*.py")]
    return {name for text in texts for name in re.findall(r"\bCOYOTE_[A-Z_]+", text)}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit, text = tmp_path / "coyote.service", (DEPLOY / "coyote.service").read_text()
    unit.write_text(text.replace("/opt/coyote/.venv/bin/coyote", "/bin/true"))
    verify = ["systemd-analyze", "verify", str(unit)]
    done = subprocess.run(verify, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and str(unit) not in done.stderr, done.stderr


def test_the_image_is_made_of_what_there_is() -> None:
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    sources = [one for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE) for one in line.split()[:-1]]
    assert {"pyproject.toml", "constraints.txt", "src"} <= set(sources)
    assert [one for one in sources if not (ROOT / one).exists()] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = ["README.md", "LICENSE", *project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]]
    assert [one for one in needed if one not in sources] == []
    (words,) = re.findall(r"^CMD (.*)$", text, re.MULTILINE)
    understood(json.loads(words))
    (asked,) = re.findall(r'"(import urllib[^"]*)"', text)
    compile(asked, "HEALTHCHECK", "exec")
    assert "/healthz" in asked and set(re.findall(r"\bCOYOTE_\w+", text)) <= environment()


def test_the_compose_file_fits_together() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    found = yaml.safe_load(text)
    table, caddy, database = (found["services"][name] for name in ("table", "caddy", "db"))
    assert (
        DEPLOY / table["build"]["context"] / table["build"]["dockerfile"]
    ).resolve() == DEPLOY / "Dockerfile"
    words = [re.sub(r"\$\{(\w+)[^}]*\}", r"\1", word) for word in table["command"]]
    understood(words)
    subnet = found["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert words[words.index("--proxy") + 1] == subnet and subnet in PAGE
    url = sa.make_url(re.sub(r"\$\{\w+\}", "password", table["environment"]["COYOTE_DB"]))
    assert url.host == "db" and url.get_dialect().driver == "psycopg"
    assert (url.username, url.database) == (
        database["environment"]["POSTGRES_USER"],
        database["environment"]["POSTGRES_DB"],
    )
    assert "ports" not in table and "ports" not in database  # only the proxy is reached from outside
    assert caddy["environment"]["COYOTE_UPSTREAM"] == "table:8000" and "8000" in words
    assert (DEPLOY / caddy["volumes"][0].split(":")[0]).exists()
    volumes = {one.split(":")[0] for service in (table, caddy, database) for one in service["volumes"]}
    assert volumes - {"./Caddyfile"} == set(found["volumes"])
    assert set(re.findall(r"\$\{(\w+)", text)) == set(re.findall(r"^(\w+)=", PAGE, re.MULTILINE))


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_takes_its_file_and_writes_down_no_invitation(tmp_path: Path) -> None:
    """Neither where a page comes by plain http, nor where the table is not reached."""
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    make += ["-subj", "/CN=table.example", "-keyout", "privkey.pem", "-out", "fullchain.pem"]
    subprocess.run(make, check=True, capture_output=True, cwd=tmp_path, timeout=PATIENCE)
    site = (DEPLOY / "nginx.conf").read_text()
    site = site.replace("/etc/letsencrypt/live/table.example", str(tmp_path))
    site = site.replace("/var/log/nginx", str(tmp_path))
    port = free_ports(5)
    for n, number in enumerate((80, 443, 8001, 8002, 8003)):
        for before in ("listen ", "[::]:", "127.0.0.1:"):
            place = before.replace("listen ", "listen 127.0.0.1:").replace("[::]", "[::1]")
            site = re.sub(rf"{re.escape(before)}{number}\b", f"{place}{port + n}", site)
    usual = f"access_log {tmp_path}/access.log; error_log {tmp_path}/error.log;"  # as Debian has it
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid; events {{}} http {{ {usual} {site} }}")
    run = ["nginx", "-e", str(tmp_path / "errors"), "-c", str(tmp_path / "nginx.conf")]
    done = subprocess.run([*run, "-t"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and "warn" not in done.stderr, done.stderr
    with subprocess.Popen([*run, "-g", "daemon off;"], stderr=subprocess.PIPE) as nginx:
        while True:
            with socket.socket() as trial:
                if not trial.connect_ex(("127.0.0.1", port)):
                    break
            time.sleep(0.05)
        for address in (f"http://127.0.0.1:{port}", f"https://127.0.0.1:{port + 1}"):
            link = ["-H", "Host: table.example", f"{address}/room/r1?invite=secret"]
            subprocess.run(["curl", "-sk", "-o", tmp_path / "page", *link], check=True, timeout=PATIENCE)
        nginx.terminate()
        nginx.communicate(timeout=PATIENCE)
    written = "".join(one.read_text() for one in tmp_path.iterdir() if "log" in one.name or "err" in one.name)
    assert "/room/r1 301" in written and "/room/r1 502" in written and "secret" not in written, written
