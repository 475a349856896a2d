"""A bot for both games in plain Python, written from docs/bot-protocol.md alone.

Try it: coyote match madness random "cmd:python examples/simple_bot.py"
"""

import json
import re
import sys
from typing import Any

RANKS = "A23456789TJQKX"  # from the weakest card to the strongest; an Ace beats only a King


def beats(card: str, laid: str) -> bool:
    if card[0] + laid[0] in ("AK", "KA"):
        return card[0] == "A"
    return card[0] == "X" or RANKS.index(card[0]) > RANKS.index(laid[0])


def madness(move: str, view: dict[str, Any]) -> float:
    """Beat the Boss, answer a threat, attack; steal; draw. Of several cards the weakest is best."""
    verb, _, card = move.partition(" ")
    weaker = -RANKS.index(card[0]) if card else 0
    if verb in ("b", "steal", "draw"):
        return 300 + weaker
    if verb[0] == "a":
        me, field = view["seat"], int(verb[1]) - 1
        mine, theirs = view["fields"][field]["tops"][me], view["fields"][field]["tops"][1 - me]
        if view["outlook"][field][1 - me] == "won" and beats(card, theirs):
            return 200 + weaker  # without an answer the field is lost
        if mine is None and theirs is None and len(view["hand"]) > 2:
            return 100 + weaker
    return 50 if verb in ("pass", "decline") else weaker


def duel(move: str, view: dict[str, Any]) -> float:
    """The biggest numbers before "Opponent:"; with little health left, heal and block count for more."""
    weak = view["health"][view["seat"]] < 0.4 * view["full"]
    worth = {"attack": 1.0, "heal": 1.5 if weak else 0.8, "block": 1.0 if weak else 0.5}
    own = texts.get(move.removeprefix("play "), "").lower().split("opponent:")[0]
    found = re.findall(r"(?:for (\d+) turns[^.]*?)?(attack|heal|block) (\d+|all)", own)
    return sum(worth[what] * (20 if n == "all" else int(n)) * int(turns or 1) for turns, what, n in found)


texts: dict[str, str] = {}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "name": "simple bot"}
    elif message["type"] == "start":
        worth_of = duel if message["game"] == "duel" else madness
        texts = {card["id"]: card["text"] for card in message.get("set", {"cards": []})["cards"]}
        answer = {"type": "ready"}
    elif message["type"] == "move":
        best = max(message["legal"], key=lambda move: worth_of(move, message["view"]))
        answer = {"type": "move", "id": message["id"], "move": best}
    else:
        continue
    print(json.dumps(answer), flush=True)
