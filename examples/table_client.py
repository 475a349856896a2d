"""Plays one game at a Coyote table by docs/protocol.md, making any legal move:

    python examples/table_client.py http://127.0.0.1:8000 [ROOM INVITE]

Without a room it plays Madness against a bot of the table's own.
"""

import json
import random
import secrets
import sys
import urllib.request
from typing import Any

from websockets.sync.client import connect


def post(url: str, body: dict[str, Any], cookie: str = "") -> tuple[Any, str]:
    """The answer, and the cookie that came with it."""
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response), (response.headers["Set-Cookie"] or "").split(";")[0]


def play(server: str, room: str | None = None, invite: str = "") -> dict[str, Any]:
    """The result of the game."""
    _, cookie = post(f"{server}/api/guest", {"name": "Page"})
    if room is None:
        wanted = {"game": "madness", "opponent": "bot", "bot": "level:1"}
        made, _ = post(f"{server}/api/rooms", wanted, cookie)
    else:
        made, _ = post(f"{server}/api/rooms/{room}/join", {"invite": invite}, cookie)
    address = server.replace("http", "ws", 1) + made["socket"]
    with connect(address, additional_headers={"Cookie": cookie}) as socket:

        def say(**message: Any) -> None:
            socket.send(json.dumps({"id": secrets.token_hex(8), **message}))

        socket.send(json.dumps({"type": "hello", "version": 1}))
        asked = 0  # the number of the last update that was answered with a move
        for text in socket:
            message = json.loads(text)
            if message["type"] == "error":
                raise SystemExit(f"{message['text']} ({message['code']})")
            if message["type"] != "update":
                continue
            if message["phase"] == "over":
                return {**message["result"], "seat": message["seats"].index(message["viewer"])}
            if message["phase"] == "seated" and not message["ready"][message["viewer"]]:
                say(type="ready", nonce=secrets.token_hex(16))
            chosen = (message["view"] or {}).get("chosen")
            if message["legal"] and not chosen and message["n"] > asked:
                asked = message["n"]
                say(type="move", move=random.choice(message["legal"]))
    raise SystemExit("the server has closed the connection")


if __name__ == "__main__":
    result = play(sys.argv[1].rstrip("/"), *sys.argv[2:4])
    print(
        "drawn" if result["winner"] is None else "won" if result["winner"] == result["seat"] else "lost",
        result,
    )
