"""What it costs that every write shows that its room is still this process's, with PostgreSQL.

    python benchmarks/table_owners.py [--games 200] [--rounds 12] [--want legal]

Two servers with a database each in one cluster: one as it is, one that does not ask. Their rounds
alternate, so that whatever else happens on the machine happens to both.
"""

import argparse
import statistics
import sys
from pathlib import Path

import sqlalchemy as sa
import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.table_load import WHOLE, Load, tell

from table.kit_raw import Process, wide_limits
from table.kit_wide import Postgres

UNFENCED = """
import runpy
from coyote.table.store import Store
put = Store.put
def put_unfenced(self, write, told):
    write.fence = None
    put(self, write, told)
Store.put = put_unfenced
runpy.run_module("coyote", run_name="__main__", alter_sys=True)
"""


def database(postgres: Postgres, name: str) -> str:
    engine = sa.create_engine(postgres.url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return postgres.url.replace("/postgres?", f"/{name}?")


async def compare(servers: dict[str, Process], wanted: argparse.Namespace) -> None:
    loads = {name: Load(server, wanted) for name, server in servers.items()}
    for load in loads.values():
        await load.open()
        await load.fast(20, wanted.want)
    ratios = []
    for round_ in range(wanted.rounds):
        speed, work = {}, {}
        for name in sorted(loads, reverse=bool(round_ % 2)):  # neither is always the first
            found, _ = await loads[name].fast(wanted.games, wanted.want)
            tell({"server": name, **found})
            speed[name], work[name] = found["moves_per_s"], found["server_us_per_move"]
        ratios.append((speed["fenced"] / speed["unfenced"], work["fenced"] / work["unfenced"]))
    by_speed, by_work = zip(*ratios, strict=True)
    tell({
        "moves_per_s_fenced_to_unfenced": round(statistics.median(by_speed), 3),
        "rounds": [round(one, 3) for one in by_speed],
        "work_fenced_to_unfenced": round(statistics.median(by_work), 3),
    })  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--want", default=WHOLE)
    parser.add_argument("--game", default="madness")
    wanted = parser.parse_args()
    with Postgres() as postgres:
        url, other = database(postgres, "fenced"), database(postgres, "unfenced")
        options = ["--port", "0", "--lang", "en", "--db", other, *wide_limits()]
        with (
            Process(url, *wide_limits()) as fenced,
            Process("", command=["-c", UNFENCED, "table", *options]) as unfenced,
        ):
            uvloop.run(compare({"fenced": fenced, "unfenced": unfenced}, wanted))


if __name__ == "__main__":
    main()
