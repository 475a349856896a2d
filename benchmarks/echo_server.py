"""What the table is compared with: the least that keeps messages as durably.

    python benchmarks/echo_server.py DATABASE

FastAPI and uvicorn. Two clients of a match at `/match/{match}/{seat}` send `{"a": "a1 7S"}`; each message
is read, appended to SQLite (WAL, `synchronous=FULL`) by one thread that makes one transaction of all that
waits, and then both seats are sent an update. No rules, no hidden cards, no limits.
"""

import asyncio
import json
import queue
import socket
import sqlite3
import sys
import threading
import time

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

MOST_AT_ONCE = 2000
Row = tuple[str, int, int, str, float]


class Log:
    """Appends rows; whoever waits is told after the commit."""

    def __init__(self, path: str) -> None:
        self.path, self.loop = path, asyncio.get_running_loop()
        self.rows: queue.SimpleQueue[tuple[Row, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self.write, daemon=True).start()

    def append(self, row: Row) -> asyncio.Future[None]:
        kept = self.loop.create_future()
        self.rows.put((row, kept))
        return kept

    def write(self) -> None:
        connection = sqlite3.connect(self.path, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(
            "CREATE TABLE messages"
            " (game TEXT, n INTEGER, seat INTEGER, body TEXT, at REAL, PRIMARY KEY (game, n)) WITHOUT ROWID"
        )
        while True:
            found = [self.rows.get()]
            while len(found) < MOST_AT_ONCE and not self.rows.empty():
                found.append(self.rows.get())
            connection.execute("BEGIN")
            connection.executemany("INSERT INTO messages VALUES (?, ?, ?, ?, ?)", [row for row, _ in found])
            connection.execute("COMMIT")
            self.loop.call_soon_threadsafe(self.tell, [kept for _, kept in found])

    def tell(self, waiting: list[asyncio.Future[None]]) -> None:
        for kept in waiting:
            if not kept.done():
                kept.set_result(None)


class Match:
    def __init__(self) -> None:
        self.n = 0
        self.sockets: list[WebSocket | None] = [None, None]


app = FastAPI()
matches: dict[str, Match] = {}
logs: list[Log] = []


@app.websocket("/match/{match}/{seat}")
async def play(socket: WebSocket, match: str, seat: int) -> None:
    if not logs:
        logs.append(Log(sys.argv[1]))
    await socket.accept()
    found = matches.setdefault(match, Match())
    found.sockets[seat] = socket
    try:
        while True:
            message = json.loads(await socket.receive_text())
            found.n += 1
            await logs[0].append((match, found.n, seat, json.dumps(message), time.time()))
            update = {"t": "update", "n": found.n, "seat": seat, "a": message["a"], "turn": 1 - seat}
            text = json.dumps(update)
            for other in found.sockets:
                if other is not None:
                    await other.send_text(text)
    except (WebSocketDisconnect, RuntimeError):
        found.sockets[seat] = None


def main() -> None:
    config = uvicorn.Config(
        app,
        loop="uvloop",
        ws="websockets",
        ws_per_message_deflate=False,
        log_level="error",
        access_log=False,
    )
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
        uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main()
