"""The one sentence of what is wanted now, for whoever looks at a room."""

from coyote.table.room import Room
from coyote.text import Words


def names_in_seats(room: Room, words: Words) -> list[str]:
    """People are called as they wish; bots of ours have names in both languages."""
    return [words.bot(player.bot) or player.name for player in room.in_seats()]


PHASES = {"waiting": "prompt.waiting", "seated": "prompt.ready", "closed": "prompt.closed"}


def prompt(room: Room, viewer: int, words: Words) -> str:
    seat = room.seat(viewer)
    if room.result:
        return how_it_ended(room, seat, words)
    if room.match is None:
        return words(PHASES[room.phase])
    wanted = f"{room.game.name}.prompt.{room.match.wanted}"
    if seat in room.deciders:
        return words("prompt.chosen" if room.has_sealed(seat) else wanted)
    if len(room.deciders) == 2:  # nothing of this tells who has chosen already (D6)
        return words("prompt.both")
    return words(f"{wanted}_other", name=names_in_seats(room, words)[room.deciders[0]])


def how_it_ended(room: Room, seat: int, words: Words) -> str:
    """What ends by the rules is told by the story; what ends otherwise is told here."""
    assert room.result is not None
    winner, names = room.result.winner, names_in_seats(room, words)
    if winner is None:
        form = "drawn"
    elif seat < 0 or room.terms.opponent == "self":
        form = "seen"
    else:
        form = "won" if winner == seat else "lost"
    slots = {} if winner is None else {"name": names[winner], "other": names[1 - winner]}
    by_rules = room.table is not None and room.table.ended is None
    return words(f"prompt.end.{form}" if by_rules else f"prompt.end.{form}_{room.result.reason}", **slots)
