"""Half an hour at half load: whether memory, descriptors, threads and latency stay as they are.

    python tools/table_soak.py [--minutes 30] [--games 500] [--pace 0] [--out soak] [--db URL]

So many games are played at a pace, each followed by another one, between clients in another process who
are told all that a screen needs. Without a pace, half of what the server takes: a short run as fast as
it goes is made first, and the pace is half of that. Every ten seconds the server's memory, descriptors
and threads, the moves and their latency, and how late its loop is for somebody who asks over HTTP.
OUT.svg has the plot, OUT.json the numbers; in the end one line says what the first and the last quarter
differ by.
"""

import argparse
import asyncio
import json
import math
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from table.kit_load import Game, Makers, Waits
from table.kit_raw import Process, Requests, percentile, wide_limits

WHOLE = "view,legal,events"
EVERY = 10.0  # seconds between two samples
Json = dict[str, Any]


# ---------------------------------------------------------------- the clients, in a process of their own


async def play(host: str, games: int, pace: float) -> None:
    """For ever; what is asked on the standard input is answered with the moves since the last time."""
    waits = Waits()
    makers = Makers(host, "madness")
    await makers.open()
    found = await makers.all_seated(games, WHOLE, waits, pace)
    playing = [asyncio.create_task(on(makers, game)) for game in found]
    print("there", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        for task in playing:
            if task.done():
                task.result()
        seen, waits.found[:] = list(waits.found), []
        answer = {f"p{share}": percentile(seen, share) for share in (50, 99)}
        print(json.dumps({"moves": len(seen), **answer}), flush=True)


async def on(makers: Makers, game: Game) -> None:
    await makers.on_and_on(game, await makers.guests(), WHOLE)


async def fastest(server: Process, games: int) -> float:
    """Moves a second, as fast as it goes."""
    makers, waits = Makers(server.host, "madness"), Waits()
    await makers.open()
    ready = await makers.all_seated(games, WHOLE, waits)
    start = time.perf_counter()
    await asyncio.gather(*(game.play() for game in ready))
    return len(waits.found) / (time.perf_counter() - start)


# ---------------------------------------------------------------- the samples


async def sample(server: Process, clients: asyncio.subprocess.Process, start: float, since: float) -> Json:
    assert clients.stdin and clients.stdout
    passed = time.perf_counter() - since
    clients.stdin.write(b"\n")
    heard = json.loads(await clients.stdout.readline())
    requests, lags = await Requests.open(server.host), []
    for _ in range(10):
        asked = time.perf_counter()
        await requests.ask("GET", "/healthz")
        lags.append(time.perf_counter() - asked)
    requests.transport.close()
    return {
        "minute": (time.perf_counter() - start) / 60,
        "MB": server.memory(),
        "descriptors": server.descriptors(),
        "threads": server.threads(),
        "work": server.work(),
        "moves": heard["moves"],
        "moves_per_s": heard["moves"] / passed,
        "p50_ms": heard["p50"],
        "p99_ms": heard["p99"],
        "lag_ms": percentile(lags, 90),
    }


async def soak(server: Process, wanted: argparse.Namespace) -> list[Json]:
    requests = await Requests.open(server.host)
    while (await requests.ask("GET", "/healthz"))[1]["preparing"]:
        await asyncio.sleep(0.2)
    requests.transport.close()
    pace = wanted.pace or 0.5 * await fastest(server, wanted.games) / wanted.games
    print(json.dumps({"games": wanted.games, "moves_per_s_wanted": round(pace * wanted.games)}), flush=True)
    pipe = asyncio.subprocess.PIPE
    clients = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "--play", server.host, str(wanted.games), str(pace), stdin=pipe, stdout=pipe
    )
    assert clients.stdin and clients.stdout
    await clients.stdout.readline()
    start, samples = time.perf_counter(), []
    await sample(server, clients, start, start)
    while (since := time.perf_counter()) - start < 60 * wanted.minutes:
        await asyncio.sleep(EVERY)
        samples.append(await sample(server, clients, start, since))
    clients.stdin.close()
    await clients.wait()
    return samples


def summary(samples: list[Json]) -> Json:
    """The first quarter, after two minutes to warm up, against the last."""
    settled = [one for one in samples if one["minute"] > 2] or samples
    quarter = max(1, len(settled) // 4)
    parts = {"first": settled[:quarter], "last": settled[-quarter:]}
    seconds = 60 * (samples[-1]["minute"] - samples[0]["minute"]) or 1
    found: Json = {"minutes": round(samples[-1]["minute"], 1), "moves": sum(one["moves"] for one in samples)}
    found["moves_per_s"] = round(statistics.mean(one["moves_per_s"] for one in samples))
    found["share_of_a_core"] = round((samples[-1]["work"] - samples[0]["work"]) / seconds, 2)
    for name in ("MB", "descriptors", "threads", "p50_ms", "p99_ms", "lag_ms"):
        found[name] = {
            part: round(statistics.median(one[name] for one in seen), 1) for part, seen in parts.items()
        }
    return found


# ---------------------------------------------------------------- the plot

LINES = (  # title, what is drawn in it
    ("memory, MB", ("MB",)),
    ("descriptors, threads", ("descriptors", "threads")),
    ("moves a second", ("moves_per_s",)),
    ("latency of a move, ms: half of all, 99 of 100", ("p50_ms", "p99_ms")),
    ("answer to a request, ms", ("lag_ms",)),
)
WIDTH, HEIGHT, LEFT, TOP, APART = 760, 110, 60, 56, 52
COLOURS = ("#1f5fa8", "#c2571a")


def plot(samples: list[Json], title: str) -> str:
    """One chart below the other, each from nothing to its greatest value."""
    total = TOP + len(LINES) * (HEIGHT + APART)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {total}"'
        ' font-family="sans-serif" font-size="12" fill="#333">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{title}</text>',
    ]
    last = max(one["minute"] for one in samples) or 1
    for row, (name, keys) in enumerate(LINES):
        drawn += chart(samples, name, keys, TOP + row * (HEIGHT + APART), last)
    return "\n".join([*drawn, "</svg>\n"])


def round_up(number: float) -> float:
    """To the next number that is easy to read, with half of it.

    >>> [round_up(number) for number in (0, 0.7, 3.1, 273, 1999)]
    [1.0, 0.8, 4.0, 400.0, 2000.0]
    """
    size = 10.0 ** math.floor(math.log10(number)) if number > 0 else 1.0
    return next((step * size for step in (1, 2, 4, 6, 8) if step * size >= number), 10 * size)


def chart(samples: list[Json], name: str, keys: tuple[str, ...], top: float, last: float) -> list[str]:
    most = round_up(max(one[key] for one in samples for key in keys))
    bottom = top + HEIGHT
    drawn = [f'<text x="{LEFT}" y="{top - 6:.0f}">{name}</text>']
    for share in (0, 0.5, 1):
        y = bottom - share * HEIGHT
        drawn.append(f'<path d="M{LEFT} {y:.1f}h{WIDTH}" stroke="#ddd"/>')
        drawn.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share * most:,g}</text>')
    for key, colour in zip(keys, COLOURS, strict=False):
        points = " ".join(
            f"{LEFT + WIDTH * one['minute'] / last:.1f},{bottom - HEIGHT * one[key] / most:.1f}"
            for one in samples
        )
        drawn.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = LEFT + WIDTH * share
        drawn.append(
            f'<text x="{x:.0f}" y="{bottom + 15}" text-anchor="middle">{share * last:.3g} min</text>'
        )
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--pace", type=float, default=0, help="moves a second of each game")
    parser.add_argument("--out", type=Path, default=Path("soak"))
    parser.add_argument("--db")
    parser.add_argument("--play", nargs=3, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.play:
        host, games, pace = wanted.play
        return uvloop.run(play(host, int(games), float(pace)))
    with tempfile.TemporaryDirectory() as folder:
        url = wanted.db or f"sqlite:///{folder}/table.sqlite3"
        with Process(url, *wide_limits()) as server:
            samples = uvloop.run(soak(server, wanted))
    found = summary(samples)
    wanted.out.with_suffix(".json").write_text(
        json.dumps({"summary": found, "samples": samples}, indent=1) + "\n"
    )
    title = f"{wanted.games} games, {found['moves_per_s']} moves a second, {found['minutes']:.0f} minutes"
    wanted.out.with_suffix(".svg").write_text(plot(samples, title))
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
