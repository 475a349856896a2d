"""The one sentence of what is wanted now, for whoever looks at a room."""

from coyote.table import inputs as i
from coyote.table.room import Room
from coyote.text import Words


def name_of(player: i.Player | None, words: Words) -> str:
    """People are called as they wish; bots of ours have names in both languages."""
    return "" if player is None else words.bot(player.bot) or player.name


def names_in_seats(room: Room, words: Words) -> list[str]:
    return [name_of(player, words) for player in room.in_seats()]


PHASES = {"waiting": "prompt.waiting", "seated": "prompt.ready", "closed": "prompt.closed"}


def prompt(room: Room, viewer: int, words: Words) -> str:
    seat = room.seat(viewer)
    if room.result:
        return how_it_ended(room, seat, words)
    if room.match is None:
        return words(PHASES[room.phase])
    if seat in room.deciders:
        return words(
            "prompt.chosen" if room.has_sealed(seat) else f"{room.terms.game}.prompt.{room.match.wanted}"
        )
    return of_others(room, words)


def of_others(room: Room, words: Words) -> str:
    """Nothing of this tells who has chosen already (D6)."""
    assert room.match is not None
    if len(room.deciders) == 2:
        return words("prompt.both")
    name = names_in_seats(room, words)[room.deciders[0]]
    return words(f"{room.terms.game}.prompt.{room.match.wanted}_other", name=name)


def how_it_ended(room: Room, seat: int, words: Words) -> str:
    """What ends by the rules is told by the story; what ends otherwise is told here."""
    assert room.result is not None
    winner, names = room.result.winner, names_in_seats(room, words)
    form = "drawn" if winner is None else "won" if winner == seat else "lost"
    slots = {} if winner is None else {"name": names[winner], "other": names[1 - winner]}
    return words(
        f"prompt.end.{form}_{room.result.reason}"
        if room.table and room.table.ended
        else f"prompt.end.{form}",
        **slots,
    )
