"""Nonces are sealed before the context is made: nobody fits one to another, even with the server's help."""

import itertools
import json
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coyote import fairness
from coyote.fairness import FairnessError, check_fair
from coyote.games.duel.game import Duel
from coyote.games.game import Json
from coyote.records import follow, open_record
from coyote.table import inputs, wire
from coyote.table.games import Games, chosen_deck
from coyote.table.parts import written_set
from coyote.table.room import Room, replay
from table.kit_table import Guest, Seat, Server, play_on, sqlite_in

ANNA, BORIS, ROBOT = (
    inputs.Player("a", "Anna"),
    inputs.Player("b", "Boris"),
    inputs.Player("", "bot", "greedy"),
)
DIGEST, WRITTEN = written_set(None)
GAMES = Games({DIGEST: WRITTEN})
DECKS = tuple(chosen_deck(Duel(), None, party, Random(1)) for party in range(2))
NONCES = ("ab" * 16, "cd" * 20)
SEALS = tuple(map(fairness.seal, NONCES))


class Seated:
    """A room in which both are; every input goes through JSON."""

    def __init__(self, other: inputs.Player = BORIS, seals: bool = True, **terms: Any) -> None:
        game = terms.pop("game", "madness")
        duel = game == "duel"
        agreed = inputs.Terms(game, set=DIGEST if duel else "", rules=2 if duel else 1, **terms)
        decks = DECKS if duel else (None, None)
        made = inputs.Make(1, "room", agreed, ANNA, "5a" * 32, other, decks, seals=seals)  # type: ignore[arg-type]
        self.inputs: list[inputs.AnyInput] = [made]
        self.room = Room(made, GAMES)

    def give(self, kind: Any, *values: Any) -> str | None:
        """The code of the refusal, or None when it was done."""
        given = inputs.read_input(inputs.write_input(kind(len(self.inputs), *values)))
        if refusal := self.room.refuses(given):
            return refusal.code
        self.room.apply(given)
        self.inputs.append(given)
        again = replay([inputs.read_input(inputs.write_input(one)) for one in self.inputs], GAMES)
        for viewer in (0, 1, -1):
            assert wire.write_message(self.told(viewer)) == wire.write_message(
                wire.update(again, viewer, 0, self.room.at)
            )
        return None

    def told(self, viewer: int) -> wire.Update:
        return wire.update(self.room, viewer, 0, self.room.at)

    @property
    def seals(self) -> list[str] | None:
        context = self.told(-1).context
        return json.loads(context)["seals"] if context else None

    def record(self) -> Json:
        """Resigned, and checked."""
        if not self.room.over:
            assert self.give(inputs.Resign, 0) is None
        record = self.room.record()
        check_fair(record)
        follow(record)
        return record


# ---------------------------------------------------------------- seals, context, nonces


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(("game", "begins"), [("madness", "lot"), ("madness", "other"), ("duel", "lot")])
def test_seals_then_context_then_nonces(game: str, begins: Any, first: int) -> None:
    table, second = Seated(game=game, begins=begins), 1 - first
    assert table.told(0).sealed == [False, False] and table.seals is None
    assert table.give(inputs.Seal, first, "", SEALS[first]) is None
    assert table.told(second).sealed == [first == 0, first == 1] and table.seals is None
    assert table.give(inputs.Seal, second, "", SEALS[second]) is None
    assert table.told(0).sealed == [True, True] and table.told(0).ready == [False, False]
    assert table.seals == ([*SEALS[::-1]] if begins == "other" else [*SEALS])
    context = table.told(0).context
    assert table.give(inputs.Ready, second, "", NONCES[second]) is None
    assert table.told(first).phase == "seated" and table.told(first).ready == [second == 0, second == 1]
    assert table.give(inputs.Ready, first, "", NONCES[first]) is None
    assert table.told(0).phase == "playing" and table.told(0).context == context
    assert table.record()["fair"]["context"] == context


def test_a_nonce_must_fit_its_seal() -> None:
    table = Seated()
    for party in range(2):
        assert table.give(inputs.Seal, party, "", SEALS[party]) is None
    for wrong in ("12" * 16, NONCES[0] + "00", NONCES[0].upper(), "", NONCES[1]):
        code = table.give(inputs.Ready, 0, "", wrong)
        assert code == ("room.nonce_seal" if fairness.NONCE.fullmatch(wrong) else "room.nonce")
    assert table.give(inputs.Ready, 0, "", NONCES[0]) is None
    assert table.give(inputs.Ready, 0, "", NONCES[0]) == "room.ready_already"


def test_a_seal_has_its_form_comes_once_and_is_ones_own() -> None:
    table = Seated()
    for wrong in ("", "ab", SEALS[0].upper(), SEALS[0] + "0", NONCES[0]):
        assert table.give(inputs.Seal, 0, "", wrong) == "room.seal"
    assert table.give(inputs.Seal, 0, "", SEALS[0]) is None
    assert table.give(inputs.Seal, 0, "", SEALS[1]) == "room.sealed_already"
    assert table.give(inputs.Seal, 1, "", SEALS[0]) == "room.nonce_taken", "a copied one would decide the lot"
    assert table.give(inputs.Ready, 1, "", NONCES[0]) == "room.nonce_taken"
    assert table.give(inputs.Seal, 1, "", SEALS[1]) is None
    for party, nonce in enumerate(NONCES):
        assert table.give(inputs.Ready, party, "", nonce) is None
    assert table.give(inputs.Seal, 0, "", SEALS[0]) == "room.not_seated"


def test_a_seal_needs_both_to_be_there() -> None:
    terms = inputs.Terms("madness", opponent="open")
    room = Room(inputs.Make(1, "room", terms, ANNA, "5a" * 32, seals=True), GAMES)
    refusal = room.refuses(inputs.Seal(2, 0, "", SEALS[0]))
    assert refusal and refusal.code == "room.not_seated"


@pytest.mark.parametrize("sealing", [[], [0], [1]])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("begins", ["lot", "host", "other"])
def test_who_sends_no_seal_is_sealed_by_the_server(sealing: list[int], order: Any, begins: Any) -> None:
    """An older client knows of none: it says hello, then ready."""
    table = Seated(begins=begins)
    for party in sealing:
        assert table.give(inputs.Seal, party, "", SEALS[party]) is None
    for party in order:
        assert table.give(inputs.Ready, party, "", NONCES[party]) is None
    assert table.room.phase == "playing" and set(table.seals or ()) == set(SEALS)
    table.record()


def test_a_nonce_that_came_first_shows_no_context_until_the_other_is_bound() -> None:
    """Or whoever is last could choose by it."""
    table = Seated()
    assert table.give(inputs.Ready, 0, "", NONCES[0]) is None
    assert table.seals is None and table.told(1).sealed == [True, False]
    assert table.give(inputs.Seal, 1, "", SEALS[1]) is None
    assert table.seals == [*SEALS] and table.room.phase == "seated"
    assert table.give(inputs.Ready, 1, "", "12" * 16) == "room.nonce_seal"
    assert table.give(inputs.Ready, 1, "", NONCES[1]) is None


@pytest.mark.parametrize(("other", "opponent"), [(ROBOT, "bot"), (ANNA, "self")])
@pytest.mark.parametrize("begins", ["lot", "host", "other"])
@pytest.mark.parametrize("seals", [True, False])
def test_who_plays_alone_has_one_seal(other: inputs.Player, opponent: Any, begins: Any, seals: bool) -> None:
    table = Seated(other, opponent=opponent, begins=begins)
    assert table.told(0).sealed == [False, True] and table.told(0).ready == [False, True]
    assert table.give(inputs.Seal, 1, "", SEALS[1]) == "room.sealed_already"
    if seals:
        assert table.give(inputs.Seal, 0, "", SEALS[0]) is None
        assert set(table.seals or ()) == {SEALS[0], ""}
    assert table.give(inputs.Ready, 0, "", NONCES[0]) is None
    record = table.record()
    assert set(record["fair"]["nonces"]) == {NONCES[0], ""} and set(table.seals or ()) == {SEALS[0], ""}


def test_nothing_tells_a_nonce_or_the_secret_before_the_end() -> None:
    table = Seated(game="duel")
    secret = [*NONCES, "5a" * 32]
    steps = [(inputs.Seal, SEALS), (inputs.Ready, NONCES)]
    for kind, values in steps:
        for party in range(2):
            assert table.give(kind, party, "", values[party]) is None
            for viewer in (0, 1, -1):
                told = wire.write_message(table.told(viewer)).decode()
                assert not any(one in told for one in secret)
    table.record()
    assert all(one in wire.write_message(table.told(-1)).decode() for one in secret)


def test_a_room_from_before_has_no_seals() -> None:
    table = Seated(seals=False)
    assert table.seals == ["", ""] and table.told(0).sealed == [True, True]
    assert table.give(inputs.Seal, 0, "", SEALS[0]) == "room.sealed_already"
    for party in range(2):
        assert table.give(inputs.Ready, party, "", NONCES[party]) is None
    assert json.loads(table.record()["fair"]["context"])["seals"] == ["", ""]


# ---------------------------------------------------------------- nobody can choose


@pytest.mark.parametrize(("game", "begins"), [("madness", "lot"), ("madness", "host"), ("duel", "host")])
def test_once_the_context_is_told_no_other_nonce_fits(game: str, begins: Any) -> None:
    """A server that deals by another nonce of its friend's, found after it saw the victim's, is refuted."""
    table = Seated(game=game, begins=begins)
    for party in range(2):
        assert table.give(inputs.Seal, party, "", SEALS[party]) is None
    context = table.told(0).context
    assert context is not None
    for party in range(2):
        assert table.give(inputs.Ready, party, "", NONCES[party]) is None
    record = table.record()
    secret = bytes.fromhex("5a" * 32)
    for place, n in itertools.product(range(2), range(20)):
        nonces = list(record["fair"]["nonces"])
        nonces[place] = f"{n:032x}"
        with pytest.raises(FairnessError) as refuted:
            check_fair(dealt_by(record, secret, nonces, context))
        assert refuted.value.code == "fair.seal"


def dealt_by(record: Json, secret: bytes, nonces: list[str], context: str) -> Json:
    """The record of a deal that those nonces give, with the context that was told."""
    seed = fairness.derive_seed(secret, nonces, context)
    match = open_record(record)
    other = type(match)(match.game, match.setup, seed=seed, players=record["players"])
    return {
        **other.record(),
        "options": record["options"],
        "fair": fairness.fair_part(secret, nonces, context),
    }


# ---------------------------------------------------------------- over the socket


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("table"))) as running:
        yield running


class Careful:
    """A client that sends its nonce only when it has checked the context."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.nonce = seat, secrets.token_hex(16)
        self.seal = fairness.seal(self.nonce)

    def bind(self) -> None:
        assert self.seat.state["context"] is None
        self.seat.do("seal", seal=self.seal)

    def ready(self) -> None:
        update = self.seat.wait(lambda update: update["context"])
        assert all(update["sealed"])
        said = json.loads(update["context"])
        assert self.seal in said["seals"] and said["room"] == self.seat.room
        assert said["game"] == self.seat.welcome["game"] and said["options"] == self.seat.welcome["options"]
        self.context = update["context"]
        self.seat.do("ready", nonce=self.nonce)


def bound(*seats: Seat) -> list[Careful]:
    careful = [Careful(seat) for seat in seats]
    for one in careful:
        one.bind()
    for one in careful:
        one.ready()
    for one in careful:
        one.seat.wait(lambda update: update["phase"] == "playing")
    return careful


def is_verified(guest: Guest, careful: Careful, folder: Path) -> Json:
    """By `coyote verify`, with what was noted down before the deal."""
    record: Json = guest.ask("GET", f"/api/rooms/{careful.seat.room}/record")
    check_fair(record)
    file = folder / "game.jsonl"
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    noted = ["--commitment", careful.seat.welcome["commitment"], "--nonce", careful.nonce]
    command = [sys.executable, "-m", "coyote", "verify", str(file), *noted, "--context", careful.context]
    verified = subprocess.run(command, capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    return record


@pytest.mark.parametrize("terms", [{"game": "madness"}, {"game": "duel", "opponent": "open"}])
def test_two_careful_clients_play_and_verify_and_again(server: Server, terms: Json, tmp_path: Path) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(**terms)
    boris.join(made)
    first, second = anna.sit(made["room"]), boris.sit(made["room"])
    careful = bound(first, second)
    play_on((first, second), Random(4), 10)
    first.do("resign")
    for one in careful:
        is_verified(anna, one, tmp_path)
    first.do("offer", what="rematch")
    second.catch_up()
    second.do("answer", what="rematch", yes=True)
    first.wait(lambda update: update["next"])
    again = bound(anna.sit(first.state["next"]), boris.sit(first.state["next"]))
    assert again[0].context != careful[0].context
    again[1].seat.do("resign")
    is_verified(boris, again[0], tmp_path)


def test_a_careful_client_and_one_from_before(server: Server, tmp_path: Path) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(game="madness")
    boris.join(made)
    first, second = Careful(anna.sit(made["room"])), boris.sit(made["room"])
    first.bind()
    second.ready()
    first.ready()
    first.seat.wait(lambda update: update["phase"] == "playing")
    assert first.seat.refused("seal", seal=first.seal) == "room.not_seated"
    first.seat.do("resign")
    record = is_verified(anna, first, tmp_path)
    assert "" not in json.loads(record["fair"]["context"])["seals"]


@pytest.mark.parametrize("opponent", ["bot", "self"])
def test_alone_and_careful(server: Server, opponent: str, tmp_path: Path) -> None:
    anna = server.guest("Anna")
    made = anna.make(game="madness", opponent=opponent, bot="greedy")
    (careful,) = bound(anna.sit(made["room"]))
    careful.seat.do("resign")
    is_verified(anna, careful, tmp_path)


def test_seals_outlive_the_server(tmp_path: Path) -> None:
    """A client that comes back after a fall is bound to what it said before."""
    with Server(sqlite_in(tmp_path)) as server:
        anna, boris = server.guest("Anna"), server.guest("Boris")
        made = anna.make(game="madness")
        boris.join(made)
        first, second = Careful(anna.sit(made["room"])), Careful(boris.sit(made["room"]))
        first.bind()
        server.kill()
        server.start()
        for one in (first, second):
            one.seat.reopen()
        assert first.seat.refused("seal", seal=fairness.seal("12" * 16)) == "room.sealed_already"
        assert first.seat.refused("ready", nonce="12" * 16) == "room.nonce_seal"
        second.bind()
        server.kill()
        server.start()
        for one in (first, second):
            one.seat.reopen()
            one.ready()
        first.seat.wait(lambda update: update["phase"] == "playing")
        first.seat.do("resign")
        is_verified(anna, second, tmp_path)
