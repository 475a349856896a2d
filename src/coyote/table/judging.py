"""A judge for a real pack: a page says what was played, and is told how things stand (docs/judge.md).

Nothing is kept: each time the whole game so far is said, and followed by the rules from the beginning.
"""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from coyote.games.registry import GAMES
from coyote.kernel.seats import SPECTATOR
from coyote.match import Match
from coyote.records import open_record, record_line
from coyote.table.bodies import Few, Strict, Word
from coyote.table.games import kind_of
from coyote.table.guests import Guests
from coyote.table.identity import LONGEST_NAME, clean_name
from coyote.table.limits import Denied, Limits, per_minute
from coyote.table.parts import PARTS, Judge
from coyote.text import Lang, Refusal, Words

MOST_SAID = 300  # moves: a game with 54 cards has far fewer
Said = Annotated[str, Field(max_length=12)]


class JudgeAsked(Strict):
    """`boss` is the first Boss; `said` is what was played since, in notation; after `push` stands the card
    that was turned up (`push 5S`). Without a Boss the answer has the cards to choose from."""

    game: str = Field("madness", max_length=40, json_schema_extra={"enum": list(GAMES)})
    options: Annotated[dict[Word, Word | bool | int], Few] = Field(default_factory=dict, max_length=40)
    names: list[Annotated[str, Field(max_length=LONGEST_NAME)]] = Field(min_length=2, max_length=2)
    boss: str = Field("", max_length=4)
    said: list[Said] = Field(default_factory=list, max_length=MOST_SAID)
    lang: Lang = "en"


class JudgeRefused(BaseModel):
    """Why the last of what was said is not allowed; it does not count."""

    text: str
    rule: str | None
    at: int  # its number among all that was said


class JudgeLine(BaseModel):
    text: str
    rule: str
    kind: str
    seat: int | None
    move: int  # after how many moves


class Judgement(BaseModel):
    """How things stand after what was said, as far as it is allowed. `legal` is what may be said next, if the
    cards are there: nobody knows the hands. `unseen` are the cards that nobody has seen."""

    view: dict[str, Any] | None
    counts: int  # how many of the moves are allowed
    refused: JudgeRefused | None
    legal: list[str]
    turns_up: bool  # whether a push shows a card
    unseen: list[str]
    prompt: str
    story: list[JudgeLine]
    result: dict[str, Any] | None
    record: str | None  # on one line, as files have it


class Judging:
    def __init__(self, guests: Guests, limits: Limits) -> None:
        self.guests, self.asks = guests, per_minute(limits.judgings_per_minute)

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.post("/api/judge")(self.judge)
        return router

    async def judge(self, asked: JudgeAsked, request: Request) -> Judgement:
        """What the rules say of a game with real cards."""
        self.guests.slow_down(request, self.asks, 1 + len(asked.said) / 100)
        return await asyncio.to_thread(judgement, asked)


def judgement(asked: JudgeAsked) -> Judgement:
    """Denied, OptionError, Refused."""
    kind = kind_of(asked.game)
    make = PARTS[kind.name].judge
    if make is None:
        raise Denied(422, "judging.cannot")
    game = kind(**kind.known(dict(asked.options)))
    words = Words(asked.lang)
    if not asked.boss:
        return before_the_deal(make(game, ""), words)
    judge = make(game, asked.boss)
    refused = follow(judge, asked.said, words)
    names = [clean_name(name) or "?" for name in asked.names]
    return told(judge, names, refused, asked.lang)


def before_the_deal(judge: Judge, words: Words) -> Judgement:
    return Judgement(
        view=None, counts=0, refused=None, legal=[], turns_up=False, unseen=judge.hidden,
        prompt=words("judging.boss"), story=[], result=None, record=None,
    )  # fmt: skip


def follow(judge: Judge, said: list[str], words: Words) -> JudgeRefused | None:
    """Up to the first thing that is not allowed."""
    for at, text in enumerate(said):
        verb, _, card = text.partition(" ")
        refusal: Refusal | None = judge.say(verb, card) if verb == "push" else judge.say(text)
        if refusal:
            return JudgeRefused(text=words.refusal(refusal), rule=refusal.rule or None, at=at)
    return None


def told(judge: Judge, names: list[str], refused: JudgeRefused | None, lang: Lang) -> Judgement:
    record = judge.record(names)
    match = open_record(record)
    story = list[JudgeLine]()
    for number, (seat, move) in enumerate(judge.moves, 1):
        before = len(match.rows)
        match.play(move, seat)
        story += lines(match, names, lang, before, number)
    return Judgement(
        view=match.view_json(SPECTATOR),
        counts=len(judge.moves),
        refused=refused,
        legal=judge.legal(),
        turns_up=judge.turns_up,
        unseen=judge.hidden,
        prompt=prompt(match, names, Words(lang)),
        story=story,
        result=match.result.as_json() if match.result else None,
        record=record_line(record),
    )


def lines(match: Match, names: list[str], lang: Lang, since: int, move: int) -> list[JudgeLine]:
    rule = match.game.event_rule
    return [
        JudgeLine(text=text, rule=rule(event), kind=event.kind, seat=event.seat, move=move)
        for text, event in match.lines(SPECTATOR, names, lang, since)
    ]


def prompt(match: Match, names: list[str], words: Words) -> str:
    if match.result:
        winner = match.result.winner
        return words("prompt.end.drawn") if winner is None else words("prompt.end.seen", name=names[winner])
    seat = match.actors[0]
    return words(f"judging.prompt.{match.wanted}", name=names[seat])
