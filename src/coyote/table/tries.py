"""A finished game gone on with otherwise: from any move of it, in one seat, against a bot.

Nothing of it is kept: whoever tries says each time from where and what was tried so far. The hidden cards are
others than in the game, as they might have been for all that the seat could know.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from pydantic import Field

from coyote.bots.bot import Bot
from coyote.bots.names import LEVEL_NAMES, make_bot
from coyote.games.game import Json, OptionError, PositionError
from coyote.match import IllegalMove, Match
from coyote.records import open_record
from coyote.seeds import seed_from, seed_words
from coyote.table.bodies import Few, Strict
from coyote.table.limits import Denied
from coyote.text import Words

LEVELS = LEVEL_NAMES[:-1]  # those that think by number, not by the clock
MOST_MOVES = 300


class Try(Strict):
    """`at`: how many moves of the game stay; `moves`: those of the seat since then; `seed`: from which the
    hidden cards and the bot's choices follow, the same as long as it is the same."""

    at: int = Field(ge=0, le=2000)
    seat: int = Field(ge=0, le=1)
    bot: str = Field("level:5", json_schema_extra={"enum": list(LEVELS)})
    seed: str = Field("", max_length=40)
    moves: Annotated[list[Annotated[str, Field(max_length=60)]], Few] = Field(
        default_factory=list, max_length=MOST_MOVES
    )


def try_text(record: str, asked: Try, lang: str) -> bytes:
    """As JSON, from a record's line: for a thread."""
    return msgspec.json.encode(tried(msgspec.json.decode(record), asked, lang))


def tried(record: Json, asked: Try, lang: str) -> Json:
    """How things stand after what was tried and what the bot has answered; Denied."""
    if asked.bot not in LEVELS:
        raise OptionError("option.value", name="bot", value=asked.bot[:40], known=", ".join(LEVELS))
    match = begun(record, asked)
    bot = make_bot(asked.bot, match.game, seed_from(f"try {asked.seed}"))
    answer(match, bot, asked.seat)
    since = 0
    for move in asked.moves:
        since = len(match.rows)
        try:
            match.play(move, asked.seat)
        except IllegalMove as error:
            raise Denied(422, error.refusal) from None
        answer(match, bot, asked.seat)
    return told(match, asked, since, names_of(record, asked, lang), lang)


def begun(record: Json, asked: Try) -> Match:
    """The game as it was, with other cards where the seat could not know them."""
    match = open_record(record)
    for seat, move in record["moves"][: asked.at]:
        match.play(move, seat)
    if match.over or match.sealed:
        raise Denied(409, "room.try_nothing")
    table = match.game.imagine(
        match.view(asked.seat), asked.seat, seed_words(seed_from(f"table {asked.seed}"))
    )
    try:
        return Match.from_position(match.game.position(table))
    except PositionError:  # a set of one's own, which positions do not carry
        raise Denied(409, "room.try_nothing") from None


def answer(match: Match, bot: Bot, seat: int) -> None:
    """Until the seat is to choose, or the game is over."""
    while (others := [one for one in match.actors if one != seat]) and seat not in match.actors:
        match.play_action(bot.answer(match.question(others[0])).action, others[0])
    if others:  # both choose at once: the bot's choice is sealed
        match.play_action(bot.answer(match.question(others[0])).action, others[0])


def names_of(record: Json, asked: Try, lang: str) -> list[str]:
    words = Words(lang)
    names = [words.bot(name) or name for name in record["players"]]
    names[1 - asked.seat] = words.bot(asked.bot)
    return names


def told(match: Match, asked: Try, since: int, names: Sequence[str], lang: str) -> Json:
    result = match.result
    return {
        "view": match.view_json(asked.seat),
        "legal": match.legal(asked.seat) if not match.over else [],
        "events": [event.as_json() for event in match.events(asked.seat, since)],
        "story": [
            {"text": text, "rule": match.game.event_rule(event)}
            for text, event in match.lines(asked.seat, names, lang, since)
        ],
        "names": list(names),
        "result": result.as_json() if result else None,
    }
