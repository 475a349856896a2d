"""What is said between Coyote and bots that are programs of their own: JSON, one message a line.

`docs/bot-protocol.md` describes it for people who write bots. Here are the messages both ways, and
`Server`, with which Coyote's own bots answer to it. Processes and their troubles are in `external`.
"""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from coyote.bots.bot import Answer, Bot, BotFailure, Thought
from coyote.games.events import Event
from coyote.games.game import Game, Json
from coyote.games.registry import GAMES
from coyote.kernel.seats import SPECTATOR
from coyote.questions import Budget, Page, Question
from coyote.text.harmless import harmless

VERSION = 1
LONGEST_SHOWN = 200  # letters of a stranger's text that are shown

Read = TypeVar("Read")


def tame(text: str) -> str:
    """A stranger's text as one short line that cannot steer a terminal."""
    return harmless(text, LONGEST_SHOWN)


def line_of(message: Json) -> bytes:
    """Plain ASCII, so that no program is troubled by its idea of an encoding."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def message_of(line: bytes) -> Json:
    """The message of a line; BotFailure where it is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BotFailure("bot.nonsense", what=tame(line.decode(errors="replace").strip()))
    return message


# ---------------------------------------------------------------- what Coyote says


def hello() -> Json:
    return {"type": "hello", "protocol": VERSION, "program": "coyote"}


def start(game: Game, seed: str, question: Question) -> Json:
    """All that a seat may know before the first question: what is public, and what it brought itself."""
    return {
        "type": "start",
        "game": game.name,
        "rules": game.rules_version,
        "options": game.options,
        "seat": question.seat,
        "seed": seed,
        **game.public(),
        **game.brought(question.view, question.seat),
    }


def ask(game: Game, number: int, question: Question, time_left: float) -> Json:
    return {
        "type": "move",
        "id": number,
        "view": game.view_json(question.view, question.seat),
        "events": [event.as_json() for event in question.events],
        **({"past": [page_json(game, page) for page in question.past]} if question.past else {}),
        "legal": sorted(game.move_text(action) for action in question.legal),
        "budget": budget_json(question.budget),
        "time_left": round(1000 * time_left),
    }


def page_json(game: Game, page: Page) -> Json:
    return {"view": game.view_json(page.view, SPECTATOR), "move": game.move_text(page.action)}


def budget_json(budget: Budget) -> Json:
    ms = None if budget.seconds is None else round(1000 * budget.seconds)
    return {"simulations": budget.simulations, "ms": ms}


def end(result: Json | None) -> Json:
    return {"type": "end", "result": result}


def quit_() -> Json:
    return {"type": "quit"}


# ---------------------------------------------------------------- what a bot says


def read_answer(game: Game, number: int, question: Question, message: Json) -> Answer:
    """The answer to question `number`; BotFailure where it is none."""
    if message.get("id") != number or isinstance(message["id"], bool):
        raise BotFailure("bot.wrong_id", found=tame(json.dumps(message.get("id"))), wanted=number)
    action = legal_action(game, question, message.get("move"))
    if action is None:
        raise BotFailure("bot.illegal", move=tame(json.dumps(message.get("move"), ensure_ascii=False)))
    return Answer(action, read_thoughts(game, question, message.get("thoughts")))


def legal_action(game: Game, question: Question, move: Any) -> int | None:
    action = game.read_move(move) if isinstance(move, str) else None
    return action if action in question.legal else None


def read_thoughts(game: Game, question: Question, said: Any) -> tuple[Thought, ...]:
    """One thought for each legal move, or none at all. What cannot be read is left out: it costs no game."""
    found = {}
    for entry in said if isinstance(said, list) else []:
        if isinstance(entry, dict):
            action = legal_action(game, question, entry.get("move"))
            if action is not None:
                found[action] = Thought(action, share(entry.get("chance")), whole(entry.get("examined")))
    if not found:
        return ()
    return tuple(found.get(action, Thought(action, None, 0)) for action in question.legal)


def share(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 1 else None


def whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def answer_json(game: Game, number: Any, answer: Answer) -> Json:
    message: Json = {"type": "move", "id": number, "move": game.move_text(answer.action)}
    if answer.thoughts:
        message["thoughts"] = [
            {"move": game.move_text(thought.action), "chance": thought.chance, "examined": thought.examined}
            for thought in answer.thoughts
        ]
    return message


# ---------------------------------------------------------------- Coyote's own bots as programs


class Server:
    """Answers for a bot of ours: message in, message out. `make` makes the bot for a game and a seed."""

    def __init__(
        self, name: str, make: Callable[[Game, str], Bot], games: Sequence[str] = tuple(GAMES)
    ) -> None:
        self.name, self.make, self.games = name, make, games
        self.game: Game | None = None
        self.bot: Bot | None = None

    def reply(self, message: Json) -> Json | None:
        match message["type"]:
            case "hello":
                return {"type": "hello", "name": self.name, "protocol": VERSION}
            case "start":
                self.begin(message)
                return {"type": "ready"}
            case "move":
                return self.answer(message)
            case "end" | "quit":
                self.close()
        return None

    def begin(self, message: Json) -> None:
        self.close()
        if message.get("game") not in self.games:
            found = tame(json.dumps(message.get("game")))
            raise BotFailure("bot.other_game", known=", ".join(self.games), found=found)
        self.game = understood(game_of, message)
        self.bot = self.make(self.game, message["seed"])

    def answer(self, message: Json) -> Json:
        if self.game is None or self.bot is None:
            raise BotFailure("bot.nonsense", what="move before start")
        question = understood(read_question, self.game, message)
        answer = self.bot.answer(question)
        return answer_json(self.game, message["id"], answer)

    def close(self) -> None:
        if self.bot is not None:
            self.bot.close()
        self.game = self.bot = None

    def serve(self) -> None:
        """Answer on the standard output to the standard input, until there is nothing more to answer to."""
        try:
            for line in sys.stdin.buffer:
                if line.strip():
                    message = message_of(line)
                    if answer := self.reply(message):
                        sys.stdout.buffer.write(line_of(answer))
                        sys.stdout.buffer.flush()
                    if message["type"] == "quit":
                        return
        finally:
            self.close()


def understood(read: Callable[..., Read], *parts: Any) -> Read:
    """What a reader makes of a message; BotFailure where it lacks something or has the wrong thing."""
    try:
        return read(*parts)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise BotFailure("bot.nonsense", what=tame(f"{type(error).__name__}: {error}")) from None


def game_of(message: Json) -> Game:
    """The game that a start tells of."""
    return GAMES[message["game"]].from_public(message["options"], message, message.get("rules"))


def read_question(game: Game, message: Json) -> Question:
    seat = message["view"]["seat"]
    view = game.read_view(message["view"], seat)
    return Question(
        view=view,
        seat=seat,
        legal=game.legal(view, seat),  # in the rules' own order, not in that of the message
        events=[read_event(event) for event in message["events"]],
        past=read_past(game, message.get("past", [])),
        budget=read_budget(message["budget"]),
    )


def read_past(game: Game, past: list[Json]) -> list[Page]:
    """The last of them, if this game's bots go by any."""
    return [read_page(game, page) for page in past[-game.REMEMBERED :]] if game.REMEMBERED else []


def read_page(game: Game, page: Json) -> Page:
    action = game.read_move(page["move"])
    if action is None:
        raise ValueError(page["move"])
    return Page(game.read_view(page["view"], SPECTATOR), action)


def read_event(event: Json) -> Event:
    values = {key: value for key, value in event.items() if key not in ("kind", "seat")}
    return Event(event["kind"], event["seat"], values)


def read_budget(budget: Json) -> Budget:
    seconds = None if budget["ms"] is None else budget["ms"] / 1000
    return Budget(budget["simulations"], seconds)
