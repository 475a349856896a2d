"""Fair shuffles: a commitment before the deal, a nonce from each client, everything open at the end.

`docs/fairness.md` describes the protocol for other programs. Who sends what when is the table's
business and not here.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from typing import Any, Literal

from coyote.games.game import Game, Json, RecordError, Setup
from coyote.match import Match
from coyote.records import open_record

FORMAT = "coyote-fair/1"
SECRET_BYTES = 32  # for one match only: they are told to everybody when it is over
SEED_BYTES = 16
NONCE = re.compile(r"[0-9a-f]{32,64}")
HEX_256 = re.compile(r"[0-9a-f]{64}")
ROOM_NAME = re.compile(r"[A-Za-z0-9._~:/-]{1,100}")
CONTEXT = re.compile(r"[ -~]{2,4000}")
KEYS = ("commitment", "secret", "nonces", "context")
Sealed = Literal["both", "one", "none", "alone"]


class FairnessError(RecordError):
    """Why a deal is not shown to be fair."""


# ---------------------------------------------------------------- at the table


def commitment(secret: bytes) -> str:
    """What is published before any nonce is asked for."""
    return hashlib.sha256(secret).hexdigest()


def seal(nonce: str) -> str:
    """What a client may tell of its nonce before it tells the nonce."""
    return hashlib.sha256(nonce.encode()).hexdigest() if nonce else ""


def make_context(
    game: Game,
    setup: Setup,
    secret: bytes,
    room: str,
    seals: Sequence[str] = ("", ""),
    lot: bool = False,
    options: Json | None = None,
) -> str:
    """All that is settled before the nonces come, in one line; published with the commitment.

    `room` is the name of this one match: a rematch has another. The decks are in it only as a
    digest under the secret, so they stay hidden. Random decks must have been drawn before.
    With `lot` the seats are not settled yet: `draw_lot` gives them; seals then stand in any order.
    `options` are the game's, as a record writes them: the first version wrote some in another way.
    """
    if not ROOM_NAME.fullmatch(room):
        raise ValueError(f"no name for a room: {room!r}")
    return _canonical(
        {
            "format": FORMAT,
            "game": game.name,
            "lot": lot,
            "options": game.options if options is None else options,
            "room": room,
            "rules": game.rules_version,
            "seals": list(seals),
            "setup": _digest(secret, "setup", _canonical(_sealed(setup))).hex(),
        }
    )


def derive_seed(secret: bytes, nonces: Sequence[str], context: str) -> str:
    """The match's seed. Nonces stand in the order of the seats; a seat without one has an empty text."""
    if len(nonces) != 2 or not all(nonce == "" or NONCE.fullmatch(nonce) for nonce in nonces):
        raise FairnessError("fair.nonce")
    return _digest(secret, "seed", context, *nonces)[:SEED_BYTES].hex()


def draw_lot(secret: bytes, nonces: Sequence[str], context: str) -> list[str]:
    """The nonces in the order of the seats, where the lot decides; in whatever order they came.

    They must differ: else one player could copy the other's and so decide that nothing is swapped.
    """
    low, high = sorted(nonces)
    if low == high:
        raise FairnessError("fair.lot")
    return [high, low] if _digest(secret, "lot", context, low, high)[0] & 1 else [low, high]


def board_name(id: str, seals: Sequence[str]) -> str:
    """The name of a deal that several tables play, in its context: it has the seals of all who play it."""
    return f"board:{id}:{hashlib.sha256(_canonical(list(seals)).encode()).hexdigest()[:40]}"


def round_name(tournament: str, number: int) -> str:
    """What the deal of a round is called, where all its tables have the same; rounds count from 0."""
    return f"{tournament}-{number + 1}"


def is_round(id: Any) -> bool:
    return isinstance(id, str) and "-" in id


def board_nonces(nonces: Sequence[str]) -> list[str]:
    """One for each seat, from those of all who sit there at any table; places stand table by table."""
    return [_joined(nonces[seat::2]) for seat in range(2)]


def _joined(nonces: Sequence[str]) -> str:
    if not any(nonces):
        return ""
    texts = [text.encode() for text in (f"{FORMAT} board", *nonces)]
    return hashlib.sha256(b"".join(len(text).to_bytes(4, "big") + text for text in texts)).hexdigest()


def fair_part(secret: bytes, nonces: Sequence[str], context: str) -> Json:
    """The key `fair` of a record, for when the match is over."""
    return {
        "commitment": commitment(secret),
        "secret": secret.hex(),
        "nonces": list(nonces),
        "context": context,
    }


def _digest(secret: bytes, use: str, *parts: str) -> bytes:
    """Each part behind its length, so that no two lists of parts make the same message."""
    texts = [text.encode() for text in (f"{FORMAT} {use}", *parts)]
    message = b"".join(len(text).to_bytes(4, "big") + text for text in texts)
    return hmac.digest(secret, message, "sha256")


def _canonical(value: Any) -> str:
    """JSON as RFC 8785 has it, for what we write: texts, small whole numbers, true and false."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _sealed(setup: Setup) -> Json:
    """What is shuffled besides what the options tell: for a duel the two lists and their cards."""
    if not setup.is_drawn:
        raise ValueError("draw random decks before the commitment: the nonces must not find them open")
    return setup.sealed()


# ---------------------------------------------------------------- afterwards


def check_fair(record: Json) -> None:
    """FairnessError unless the deal of a record follows from the commitment and the nonces.

    The moves are not looked at: `records.follow` does that.
    """
    fair = _read_fair(record)
    secret, nonces, context = bytes.fromhex(fair["secret"]), fair["nonces"], fair["context"]
    if commitment(secret) != fair["commitment"]:
        raise FairnessError("fair.secret")
    seed = derive_seed(secret, nonces, context)
    if not any(nonces):
        raise FairnessError("fair.no_nonce")
    if record.get("seed") != seed:
        raise FairnessError("fair.seed")
    match = _dealt(record)
    if "board" in record:
        _check_board(record["board"], nonces, context)
    _check_context(match, record["options"], secret, nonces, context)


def _read_fair(record: Json) -> Json:
    fair = record.get("fair")
    if fair is None:
        raise FairnessError("fair.none")
    if not isinstance(fair, dict) or set(fair) != set(KEYS):
        raise FairnessError("fair.form", keys=", ".join(KEYS))
    for key in ("commitment", "secret"):
        if not _matches(HEX_256, fair[key]):
            raise FairnessError("fair.digits", key=key)
    if not isinstance(fair["nonces"], list) or not all(isinstance(nonce, str) for nonce in fair["nonces"]):
        raise FairnessError("fair.nonce")
    if not _matches(CONTEXT, fair["context"]):
        raise FairnessError("fair.context_form")
    return fair


def _matches(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _dealt(record: Json) -> Match:
    """The match before its first move: `open_record` deals from the seed and compares."""
    try:
        return open_record(record)
    except RecordError as error:
        raise FairnessError(error.refusals) from None


def _check_context(match: Match, options: Json, secret: bytes, nonces: Sequence[str], context: str) -> None:
    """The context is exactly what the table has to write for this game, but for room, seals and lot."""
    said = read_context(context)
    room, seals, lot = said.get("room"), said.get("seals"), said.get("lot")
    if not isinstance(room, str) or not ROOM_NAME.fullmatch(room):
        raise FairnessError("fair.context", key="room")
    if not isinstance(seals, list) or len(seals) != 2 or not all(_is_seal(text) for text in seals):
        raise FairnessError("fair.context", key="seals")
    if not isinstance(lot, bool):
        raise FairnessError("fair.context", key="lot")
    _check_seals(nonces, seals, lot)
    if lot and draw_lot(secret, nonces, context) != list(nonces):
        raise FairnessError("fair.lot")
    try:
        wanted = make_context(match.game, match.setup, secret, room, seals, lot, options)
    except UnicodeEncodeError:  # JSON can name a set by half a character
        raise FairnessError("fair.context", key="setup") from None
    if context != wanted:
        expected = read_context(wanted)
        wrong = [key for key in expected if said.get(key) != expected[key]]
        if wrong:
            raise FairnessError("fair.context", key=wrong[0])
        raise FairnessError("fair.context_form")


def _check_board(board: Any, nonces: Sequence[str], context: str) -> None:
    """Everybody's nonce is in the deal of a board, each as it was sealed, if it was. In a round of a
    tournament those are left out who never told theirs: they have lost, and sit at none of the tables."""
    told = board if isinstance(board, dict) else {}
    seals, given, table = told.get("seals"), told.get("nonces"), told.get("table")
    if not isinstance(seals, list) or not isinstance(given, list) or len(seals) != len(given):
        raise FairnessError("fair.board")
    if len(given) not in range(2, 101, 2) or not all(isinstance(text, str) for text in (*seals, *given)):
        raise FairnessError("fair.board")
    if not all(text == "" or NONCE.fullmatch(text) for text in given):
        raise FairnessError("fair.nonce")
    if table not in range(len(given) // 2):
        raise FairnessError("fair.board")
    for place, (text, nonce) in enumerate(zip(seals, given, strict=True)):
        absent = is_round(told.get("id")) and nonce == "" and place // 2 != table
        if text not in ("", seal(nonce)) and not absent:
            raise FairnessError("fair.seal")
    if board_nonces(given) != list(nonces):
        raise FairnessError("fair.board")
    if read_context(context).get("room") != board_name(str(told.get("id")), seals):
        raise FairnessError("fair.context", key="room")


def _check_seals(nonces: Sequence[str], seals: Sequence[str], lot: bool) -> None:
    """Each seal fits the nonce of its seat; where the lot gave the seats, each one another nonce."""
    orders = [seals, seals[::-1]] if lot else [seals]
    for order in orders:
        if all(text in ("", seal(nonce)) for text, nonce in zip(order, nonces, strict=True)):
            return
    raise FairnessError("fair.seal")


def sealed(record: Json) -> Sealed:
    """Which nonces of a verified record were fixed before any was told; `alone` where there is but one."""
    fair = record["fair"]
    if "board" in record:
        board = record["board"]
        fixed = [bool(text) for text, nonce in zip(board["seals"], board["nonces"], strict=True) if nonce]
        return "alone" if len(fixed) < 2 else "both" if all(fixed) else "none"
    seals = [text for text in read_context(fair["context"])["seals"] if text]
    if not all(fair["nonces"]):
        return "alone"
    return "none" if not seals else "one" if len(seals) == 1 else "both"


def _is_seal(value: Any) -> bool:
    return value == "" or _matches(HEX_256, value)


def read_context(context: str) -> Json:
    try:
        said = json.loads(context)
    except (ValueError, RecursionError):
        raise FairnessError("fair.context_form") from None
    if not isinstance(said, dict):
        raise FairnessError("fair.context_form")
    return said
