"""Kill and stop the table's processes again and again while people play, and see that nothing is lost.

    python tools/table_chaos.py [--workers 3] [--games 100] [--kills 100] [--stalls 100] [--nginx]

Several workers on PostgreSQL, behind nginx with the configuration of `deploy/`. So many are killed with
kill -9; so many are stopped (SIGSTOP) for longer than the lease on their rooms, and go on afterwards.
Meanwhile PostgreSQL and nginx are restarted some times. Clients come back by themselves and say again
whatever was not acknowledged. In the end every game is played to its end; every acknowledged move must be
in the store once and in order, with no move that nobody made, and each game's inputs must replay.

What is printed: besides these counts the seconds from each event until the rooms of that process were open
again (`alone`: where nothing else happened in between), and what players' clocks were charged beyond the
time that they thought.
"""

import argparse
import asyncio
import json
import random
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from table.kit_wide import Trial, running

PATIENCE = 240.0  # seconds in which all games must end once nothing happens any more
AT_FIRST = 10.0  # seconds of peace
STALL = (6.2, 9.0)  # seconds: longer than the lease; those that take longest are ended by the supervisor
BETWEEN_RESTARTS = 60.0  # seconds, of PostgreSQL and of nginx in turn
HARMFUL = ("stuck", "lost", "twice", "strange", "disordered", "illegal", "faults")


async def kills(trial: Trial, number: int) -> None:
    for k in range(number):
        await trial.kill()
        if (k + 1) % 10 == 0:
            print(f"{k + 1} kills, {len(trial.games)} games", file=sys.stderr, flush=True)
        await asyncio.sleep(random.uniform(6.0, 14.0))


async def stalls(trial: Trial, number: int) -> None:
    for _ in range(number):
        await trial.stall(random.uniform(*STALL))
        await asyncio.sleep(random.uniform(1.0, 4.0))


async def restarts(trial: Trial, apart: float) -> None:
    while True:
        for restart in (trial.restart_postgres, trial.restart_nginx):
            until = time.monotonic() + apart
            while time.monotonic() < until:
                await asyncio.sleep(0.5)
                if trial.ending:
                    return
            await restart()


async def happen(trial: Trial, wanted: argparse.Namespace) -> None:
    await asyncio.gather(kills(trial, wanted.kills), stalls(trial, wanted.stalls))


async def play(trial: Trial, wanted: argparse.Namespace) -> None:
    await trial.greet()
    tables = asyncio.create_task(trial.tables(wanted.games))
    await asyncio.sleep(AT_FIRST)
    others = asyncio.create_task(restarts(trial, BETWEEN_RESTARTS))
    events = asyncio.create_task(happen(trial, wanted))
    await asyncio.wait([events, tables], return_when=asyncio.FIRST_COMPLETED)
    trial.ending = True
    await others
    await asyncio.wait([tables], timeout=PATIENCE)
    if tables.done():
        tables.result()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--stalls", type=int, default=100)
    parser.add_argument("--think", type=float, default=1.0, help="seconds that a player thinks, on average")
    parser.add_argument("--nginx", action="store_true")
    parser.add_argument("--log", help="where to keep what the workers logged")
    wanted = parser.parse_args()
    began = time.monotonic()
    with running(wanted.workers, wanted.nginx, wanted.think) as trial:
        asyncio.run(play(trial, wanted))
        found = trial.report()
        errors = [x for x in trial.workers.log.read_text().splitlines() if '"trace"' in x]
        found |= {"minutes": round((time.monotonic() - began) / 60, 1), "traces": len(errors)}
        if errors:
            print(errors[0][:3000], file=sys.stderr)
        if wanted.log:
            shutil.copy(trial.workers.log, wanted.log)
    print(json.dumps(found))
    sys.exit(any(found[name] for name in HARMFUL))


if __name__ == "__main__":
    main()
