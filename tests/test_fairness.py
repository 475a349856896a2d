"""Fair shuffles: the vectors, a second reading with nothing of ours, tampering, and `coyote verify`."""

import hashlib
import hmac
import inspect
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coyote.cli import verify
from coyote.cli.faults import Fault
from coyote.fairness import (
    SECRET_BYTES,
    FairnessError,
    check_fair,
    commitment,
    derive_seed,
    draw_lot,
    fair_part,
    make_context,
    seal,
)
from coyote.games.duel.game import Duel
from coyote.games.game import NO_SETUP, Game, Json, Setup
from coyote.games.madness.game import Madness
from coyote.games.options import Option
from coyote.games.registry import make_game
from coyote.match import Match
from coyote.records import follow, record_line, write_records
from coyote.table.hall import Hall
from coyote.text import Words
from coyote.text.words import LANGUAGES
from kit.slow_chance import PACK, WORD, Stream
from kit.terminal import RUSSIAN, coyote

ROOT = Path(__file__).parent.parent
DATA = json.loads((ROOT / "tests/data/fairness.json").read_text(encoding="utf-8"))
VECTORS: list[Json] = DATA["vectors"]
MADNESS, DUEL, CLASSIC = (vector["record"] for vector in VECTORS)
NAMES = [vector["name"] for vector in VECTORS]
NONCES = ["00" * 16, "ff" * 32]
each_vector = pytest.mark.parametrize("vector", VECTORS, ids=NAMES)


def code_of(record: Json) -> str:
    """Why a record's deal is not shown to be fair; empty if it is."""
    try:
        check_fair(record)
    except FairnessError as error:
        return error.code
    return ""


def changed(record: Json, path: list[Any], value: Any) -> Json:
    """A record with another value at one place."""
    record = deepcopy(record)
    place: Any = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return record


# ---------------------------------------------------------------- a second reading
#
# From docs/fairness.md, with hashlib, hmac and the slow chance of the kit; nothing of coyote's.


def slow_digest(secret: str, *texts: str) -> str:
    message = b""
    for text in texts:
        data = text.encode("utf-8")
        message += (
            bytes([len(data) >> 24, len(data) >> 16 & 255, len(data) >> 8 & 255, len(data) & 255]) + data
        )
    return hmac.new(bytes.fromhex(secret), message, hashlib.sha256).hexdigest()


def slow_shuffle(stream: Stream, cards: list[str]) -> list[str]:
    """Top first; the stream goes on where it was."""
    cards = list(cards)
    bounds = list(range(len(cards), 1, -1))
    while bounds:
        group, bounds = bounds[:9], bounds[9:]
        product = 1
        for bound in group:
            product *= bound
        word = stream.word(product)
        for bound in group:
            roll, word = divmod(word * bound, WORD)
            cards[bound - 1], cards[roll] = cards[roll], cards[bound - 1]
    return cards[::-1]


def slow_deal(record: Json, seed: str) -> Json:
    stream = Stream(seed)
    if record["game"] == "madness":
        return {"deck": slow_shuffle(stream, PACK[: 52 + record["options"].get("jokers", 2)])}
    order = [card["id"] for card in record["set"]["cards"]]
    return {"decks": [slow_shuffle(stream, sorted(deck, key=order.index)) for deck in record["decks"]]}


def slow_setup(record: Json) -> str:
    if record["game"] == "madness":
        return "{}"
    pairs = zip(record["decks"], record["super"], strict=True)
    decks = [sorted(deck + ([last] if last else [])) for deck, last in pairs]
    return json.dumps(
        {"decks": decks, "set": record["set"]}, sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )


def slow_seats(fair: Json) -> list[str]:
    ordered = sorted(fair["nonces"])
    digest = slow_digest(fair["secret"], "coyote-fair/1 lot", fair["context"], *ordered)
    return ordered[::-1] if int(digest[1], 16) % 2 else ordered


def slow_verdict(record: Json) -> bool:
    """Steps 1 to 5 of "Verifying a record", for seals in the order of the seats."""
    fair = record["fair"]
    digest = slow_digest(fair["secret"], "coyote-fair/1 seed", fair["context"], *fair["nonces"])
    said = json.loads(fair["context"])
    wanted = {
        "format": "coyote-fair/1",
        **{key: record[key] for key in ("game", "options", "rules")},
        **{key: said[key] for key in ("lot", "room", "seals")},
        "setup": slow_digest(fair["secret"], "coyote-fair/1 setup", slow_setup(record)),
    }
    dealt = slow_deal(record, digest[:32])
    return (
        hashlib.sha256(bytes.fromhex(fair["secret"])).hexdigest() == fair["commitment"]
        and any(fair["nonces"])
        and (not said["lot"] or slow_seats(fair) == fair["nonces"])
        and digest[:32] == record["seed"]
        and all(record[key] == value for key, value in dealt.items())
        and json.dumps(wanted, sort_keys=True, separators=(",", ":")) == fair["context"]
        and all(
            text in ("", hashlib.sha256(nonce.encode()).hexdigest())
            for text, nonce in zip(said["seals"], fair["nonces"], strict=True)
        )
    )


# ---------------------------------------------------------------- vectors


def game_of(record: Json) -> Game:
    """Of the version and with the options that the record was played by."""
    return make_game(record["game"], rules=record["rules"], **record["options"])


def setup_of(vector: Json) -> Setup:
    """What the seats brought then, whatever ready decks are now."""
    return game_of(vector["record"]).read_setup(json.loads(vector["setup"]))


@each_vector
def test_the_vectors_are_what_the_program_computes(vector: Json) -> None:
    secret, nonces = bytes.fromhex(vector["secret"]), vector["nonces"]
    game, setup = game_of(vector["record"]), setup_of(vector)
    assert commitment(secret) == vector["commitment"]
    context = make_context(game, setup, secret, vector["room"], vector["seals"], vector["lot"])
    assert context == vector["context"]
    assert json.loads(vector["context"])["setup"] == vector["setup_digest"]
    assert derive_seed(secret, nonces, vector["context"]) == vector["seed"]
    dealt = Match(game, setup, seed=vector["seed"]).record()
    assert {key: dealt[key] for key in vector["deal"]} == vector["deal"]
    assert fair_part(secret, nonces, vector["context"]) == vector["record"]["fair"]
    assert all(text in ("", seal(nonce)) for text, nonce in zip(vector["seals"], nonces, strict=True))


@each_vector
def test_the_vectors_are_what_the_second_reading_computes(vector: Json) -> None:
    record, secret = vector["record"], vector["secret"]
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == vector["commitment"]
    assert slow_setup(record) == vector["setup"]
    assert slow_digest(secret, "coyote-fair/1 setup", vector["setup"]) == vector["setup_digest"]
    texts = ("coyote-fair/1 seed", vector["context"], *vector["nonces"])
    assert slow_digest(secret, *texts) == vector["hmac"]
    message = bytes.fromhex(vector["message"])
    assert hmac.new(bytes.fromhex(secret), message, "sha256").hexdigest() == vector["hmac"]
    assert vector["hmac"][:32] == vector["seed"] == record["seed"]
    if vector["lot"]:
        lot = slow_digest(secret, "coyote-fair/1 lot", vector["context"], *sorted(vector["nonces"]))
        assert lot == vector["lot_digest"] and slow_seats(record["fair"]) == vector["nonces"]
    for key, value in slow_deal(record, vector["seed"]).items():
        assert record[key] == value == vector["deal"][key]


@each_vector
def test_the_records_of_the_vectors_are_verified(vector: Json) -> None:
    assert code_of(vector["record"]) == ""
    assert slow_verdict(vector["record"])
    follow(vector["record"])


@pytest.mark.parametrize(
    "change", DATA["refuted"], ids=lambda c: f"{c['vector']}-{'.'.join(map(str, c['path']))}"
)
def test_the_changes_of_the_vectors_are_refuted(change: Json) -> None:
    record = changed(VECTORS[change["vector"]]["record"], change["path"], change["value"])
    assert code_of(record) == change["code"]


def test_the_page_shows_the_vectors() -> None:
    page = " ".join((ROOT / "docs/fairness.md").read_text(encoding="utf-8").split())
    for vector in VECTORS[:2]:
        for key in ("secret", "commitment", "setup", "setup_digest", "context", "hmac", "seed"):
            assert f"`{vector[key]}`" in page or f"``` {vector[key]} ```" in page, key
        for nonce, text in zip(vector["nonces"], vector["seals"], strict=True):
            assert not nonce or (f"`{nonce}`" in page and f"`{text}`" in page)
        decks = [vector["deal"]["deck"]] if "deck" in vector["deal"] else vector["deal"]["decks"]
        for deck in decks:
            assert f"``` {' '.join(deck)} ```" in page
    assert f"`{VECTORS[2]['lot_digest']}`" in page


# ---------------------------------------------------------------- the derivation

secrets_32 = st.binary(min_size=32, max_size=32)
a_nonce = st.just("") | st.text("0123456789abcdef", min_size=32, max_size=64)


@given(secrets_32, a_nonce, a_nonce, st.text(st.characters(codec="utf-8"), max_size=200))
def test_any_seed_is_the_second_reading(secret: bytes, first: str, second: str, context: str) -> None:
    digest = slow_digest(secret.hex(), "coyote-fair/1 seed", context, first, second)
    assert derive_seed(secret, [first, second], context) == digest[:32]


# Few letters and short texts: what ends one part could well begin the next.
short_texts = st.text("a0", max_size=3)
short_nonces = st.sampled_from(["", "0" * 32, "0" * 33, "0" * 64, "a" + "0" * 32])


@given(st.lists(st.tuples(short_texts, short_nonces, short_nonces), min_size=2, max_size=60, unique=True))
@example([("a", "", "0" * 32), ("a", "0" * 32, ""), ("a" + "0" * 32, "", ""), ("a0", "", "0" * 32)])
def test_no_two_contexts_and_nonces_make_the_same_seed(parts: list[tuple[str, str, str]]) -> None:
    """The parts cannot flow into each other: they would if they were only put one after the other."""
    secret = bytes(32)
    seeds = {derive_seed(secret, [first, second], context) for context, first, second in parts}
    assert len(seeds) == len(parts)


def test_seed_and_setup_are_kept_apart() -> None:
    assert slow_digest("00" * 32, "coyote-fair/1 seed", "{}") != slow_digest(
        "00" * 32, "coyote-fair/1 setup", "{}"
    )


@pytest.mark.parametrize(
    "nonces",
    [
        [],
        [""],
        ["", "", ""],
        ["0" * 31, ""],
        ["", "0" * 65],
        ["A" * 32, ""],
        ["g" * 32, ""],
        ["0" * 32 + "\n", ""],
    ],
)
def test_a_nonce_has_its_form(nonces: list[str]) -> None:
    with pytest.raises(FairnessError) as caught:
        derive_seed(bytes(32), nonces, "")
    assert caught.value.code == "fair.nonce"


def test_secrets_are_new_each_time() -> None:
    token = inspect.signature(Hall).parameters["token"].default
    assert token is secrets.token_bytes, "the system's own, which nobody can foresee"
    made = {token(SECRET_BYTES) for _ in range(100)}
    assert len(made) == 100 and {len(secret) for secret in made} == {32}


def test_every_deck_card_and_option_is_bound_by_the_context() -> None:
    games: list[tuple[Game, tuple[str, ...]]] = [
        (Madness(edition="standard"), ()),
        (Madness(edition="classic"), ()),
        *((Madness(**{option.name: other(Madness, option)}), ()) for option in Madness.OPTIONS),
        (Duel(), ("pack", "oasis")),
        (Duel(), ("oasis", "pack")),
        (Duel(), ("pack", "pack")),
        (Duel(rules=1), ("pack", "oasis")),
        *(
            (Duel(**{option.name: other(Duel, option)}), ("pack", "oasis"))
            for option in Duel.OPTIONS
            if option.name != "supers"  # oasis has one
        ),
    ]
    contexts = [
        make_context(game, game.settle(decks), bytes(32), room)
        for game, decks in games
        for room in ("r", "r2")
    ]
    assert len(set(contexts)) == len(contexts)


def other(kind: type[Game], option: Option) -> Any:
    """A value that is not the usual one, and with which the ready decks can be played."""
    usual = next(iter(kind.EDITIONS.values()))[option.name]
    near = {"komi": 1, "deck-min": 12}
    return near.get(option.name) or next(value for value in reversed(option.allowed) if value != usual)


def test_the_context_tells_nothing_of_hidden_decks() -> None:
    """All of it but the digest is the same for other decks; and the digest needs the secret."""
    lines = []
    for decks in (("pack", "oasis"), ("wildfire", "briar")):
        setup = Duel().settle(decks)
        line = json.loads(make_context(Duel(), setup, bytes(32), "r"))
        assert line.pop("setup") != json.loads(make_context(Duel(), setup, b"\1" * 32, "r"))["setup"]
        lines.append(line)
    assert lines[0] == lines[1]


def test_a_random_deck_must_be_drawn_before() -> None:
    with pytest.raises(ValueError, match="random"):
        make_context(Duel(), Duel().settle(("pack", "random")), bytes(32), "r")
    drawn = Duel().settle(("pack", "random"), Random(1))
    assert make_context(Duel(), drawn, bytes(32), "r") == make_context(Duel(), drawn, bytes(32), "r")


@pytest.mark.parametrize("room", ["", "a b", "x" * 101, "стол", 'a"'])
def test_a_room_has_a_plain_name(room: str) -> None:
    with pytest.raises(ValueError, match="room"):
        make_context(Madness(), NO_SETUP, bytes(32), room)


# ---------------------------------------------------------------- house rules and older versions


@pytest.mark.parametrize(
    ("name", "house"),
    [
        ("madness", {"edition": "classic", "fields": 2, "jokers": 1, "chance": "no"}),
        ("duel", {"health": 40, "open-lists": "yes", "deck-max": 40}),
        ("duel", {"rules": 1, "open-lists": True}),
    ],
    ids=["madness", "duel", "first version"],
)
def test_a_game_by_house_rules_is_verified_and_by_no_others(name: str, house: dict[str, Any]) -> None:
    """A server of the first version wrote `true` where it is `yes` now: its contexts are as good as ever."""
    game = make_game(name, **house)
    decks = ("pack", "oasis") if name == "duel" else ()
    options = {"open-lists": True} if house.get("rules") == 1 else game.options
    secret, nonces = bytes(range(32)), ["", "0" * 32]
    setup = game.settle(decks)
    context = make_context(game, setup, secret, "house/1", options=options)
    match = Match(game, setup, seed=derive_seed(secret, nonces, context))
    record = {**match.record(), "options": options, "fair": fair_part(secret, nonces, context)}
    assert code_of(record) == ""
    assert slow_verdict(record)
    for key, value in {"hand": 2, "edition": "standard", "health": 41, "open-lists": "no"}.items():
        if key in dict.fromkeys(option.name for option in game.OPTIONS) or key in options:
            assert code_of({**record, "options": {**options, key: value}}) != ""
    assert code_of({**record, "options": {}}) != ""


# ---------------------------------------------------------------- tampering


def fair_record(record: Json, **fair: Any) -> Json:
    """The record of another server: dealt anew from what it says, as well as it can be done."""
    parts = {**record["fair"], **fair}
    secret = bytes.fromhex(parts["secret"])
    seed = derive_seed(secret, parts["nonces"], parts["context"])
    dealt = Match(game_of(record), game_of(record).settle(), seed=seed).record()
    return {**dealt, "fair": fair_part(secret, parts["nonces"], parts["context"])}


def test_a_record_without_fair_cannot_be_verified() -> None:
    assert code_of({key: value for key, value in MADNESS.items() if key != "fair"}) == "fair.none"
    assert code_of({}) == "fair.none"


def test_without_any_nonce_the_deal_could_have_been_chosen() -> None:
    context = make_context(Madness(), NO_SETUP, bytes(32), "r")
    record = fair_record(MADNESS, secret="00" * 32, nonces=["", ""], context=context)
    assert code_of(record) == "fair.no_nonce"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('"game":"madness"', '"game":"duel"', "fair.context"),
        ('"standard"', '"classic"', "fair.context"),
        ('"rules":1', '"rules":2', "fair.context"),
        ('"rules":1', '"rules":1.0', "fair.context_form"),
        ('"rules":1', '"rules":true', "fair.context_form"),
        ("coyote-fair/1", "coyote-fair/2", "fair.context"),
        ('"room":"', '"room":"\\u0001', "fair.context"),
        ('"room":"kitchen-table-7/1"', '"room":7', "fair.context"),
        ('"lot":false', '"lot":0', "fair.context"),
        ('"lot":false,', "", "fair.context"),
        ('"seals":["5947', '"seals":["5948', "fair.seal"),
        ('"seals":["', '"seals":["0', "fair.context"),
        ('"seals":[', '"seals":["",', "fair.context"),
        ('"setup":"9d', '"setup":"9e', "fair.context"),
        ('"room"', '"more":1,"room"', "fair.context_form"),
        ('"game"', ' "game"', "fair.context_form"),
        ('"game":', '"game":"duel","game":', "fair.context_form"),
        ("{", "[", "fair.context_form"),
    ],
)
def test_a_context_of_something_else_is_refuted_though_the_seed_follows(
    old: str, new: str, code: str
) -> None:
    """A server that plays by its own rules: all digests are right, the context is not."""
    context = MADNESS["fair"]["context"].replace(old, new)
    assert code_of(fair_record(MADNESS, context=context)) == code


@pytest.mark.parametrize(
    "context", ["", "{}", "[]", "null", "1", "[" * 3000, "x" * 5000, "{\n}", "\ud800\ud800"]
)
def test_what_is_no_context_is_refuted(context: str) -> None:
    assert code_of(changed(MADNESS, ["fair", "context"], context)) in ("fair.context_form", "fair.seed")


@pytest.mark.parametrize(
    "context", ["{}", "[]", "null", "[" * 3000, '{"room":"r"}', '{"room":"r","seals":{}}']
)
def test_what_is_no_context_is_refuted_though_the_seed_follows(context: str) -> None:
    assert code_of(fair_record(MADNESS, context=context)) in ("fair.context", "fair.context_form")


def test_a_deck_that_was_exchanged_after_the_nonces_is_refuted() -> None:
    """The server finds a better deck for its bot once it knows the nonce."""
    secret, nonces = bytes(32), ["", "0" * 32]
    context = make_context(Duel(), Duel().settle(("pack", "oasis")), secret, "r")
    for decks, code in ((("pack", "oasis"), ""), (("wildfire", "oasis"), "fair.context")):
        seed = derive_seed(secret, nonces, context)
        record = Match("duel", seed=seed, decks=decks).record()
        assert code_of({**record, "fair": fair_part(secret, nonces, context)}) == code


def test_another_order_of_the_set_is_refuted_though_the_deal_follows() -> None:
    """The order of the cards in the set decides the deal, so it is bound, too."""
    cards = DUEL["set"]["cards"]
    record = changed(DUEL, ["set", "cards"], cards[::-1])
    game, setup, _ = Duel.from_record(record)
    record |= {
        key: value for key, value in Match(game, setup, seed=DUEL["seed"]).record().items() if key in record
    }
    assert record["set"]["cards"] == cards[::-1] and record["decks"] != DUEL["decks"]
    assert code_of(record) == "fair.context"


def test_a_nonce_must_fit_its_seal() -> None:
    record = fair_record(MADNESS, nonces=["1" * 32, MADNESS["fair"]["nonces"][1]])
    assert code_of(record) == "fair.seal"


# ---------------------------------------------------------------- the lot


def lot_record(secret: bytes, nonces: list[str], seals: list[str]) -> Json:
    """A deal where the seats are as the nonces stand here."""
    context = make_context(Madness(), NO_SETUP, secret, "r", seals, lot=True)
    record = Match("madness", seed=derive_seed(secret, nonces, context)).record()
    return {**record, "fair": fair_part(secret, nonces, context)}


@given(secrets_32, a_nonce, a_nonce)
def test_the_lot_does_not_ask_who_came_first(secret: bytes, first: str, second: str) -> None:
    if first == second:
        return
    seats = draw_lot(secret, [first, second], "context")
    assert seats == draw_lot(secret, [second, first], "context")
    fair = {"secret": secret.hex(), "nonces": [first, second], "context": "context"}
    assert seats == slow_seats(fair) and set(seats) == {first, second}


def test_the_lot_falls_both_ways() -> None:
    firsts = [draw_lot(number.to_bytes(32, "big"), NONCES, "")[0] for number in range(100)]
    assert 20 < firsts.count(NONCES[0]) < 80  # a fair coin misses this once in a billion


@pytest.mark.parametrize("number", range(6))
def test_seats_against_the_lot_are_refuted(number: int) -> None:
    """The server looks at both deals and takes the one that pleases."""
    secret = number.to_bytes(32, "big")
    codes = set()
    for nonces in (NONCES, NONCES[::-1]):
        record = lot_record(secret, nonces, ["", ""])
        codes.add(code_of(record))
        assert slow_verdict(record) == (code_of(record) == "")
    assert codes == {"", "fair.lot"}


@pytest.mark.parametrize("seals", [NONCES, NONCES[::-1], [NONCES[0], ""], ["", NONCES[0]]])
def test_seals_stand_in_any_order_where_there_is_a_lot(seals: list[str]) -> None:
    texts = [seal(nonce) for nonce in seals]
    codes = {code_of(lot_record(bytes(32), nonces, texts)) for nonces in (NONCES, NONCES[::-1])}
    assert codes == {"", "fair.lot"}
    assert code_of(lot_record(bytes(32), ["1" * 32, "2" * 32], texts)) == "fair.seal"


def test_one_seal_does_not_fit_twice() -> None:
    texts = [seal(NONCES[0])] * 2
    assert {code_of(lot_record(bytes(32), n, texts)) for n in (NONCES, NONCES[::-1])} == {"fair.seal"}


def test_equal_nonces_make_no_lot() -> None:
    with pytest.raises(FairnessError):
        draw_lot(bytes(32), ["0" * 32] * 2, "")
    assert code_of(lot_record(bytes(32), ["0" * 32] * 2, ["", ""])) == "fair.lot"


# ---------------------------------------------------------------- tampering, any field


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all single values."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = [place for key, part in parts for place in leaves(part, (*path, key))]
    yield from inner or [path]


BOUND = ("game", "rules", "seed", "deck", "set", "decks", "super", "fair")
PLACES = {
    number: [path for path in leaves(record) if path[0] in BOUND]
    for number, record in enumerate((MADNESS, DUEL, CLASSIC))
}
places = st.sampled_from(range(3)).flatmap(lambda n: st.tuples(st.just(n), st.sampled_from(PLACES[n])))
anything = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=70)
    | st.lists(st.text(max_size=3), max_size=3)
)


def at(record: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        record = record[key]
    return record


@settings(max_examples=300)
@given(places, anything)
def test_anything_else_in_any_field_is_caught(place: tuple[int, tuple[Any, ...]], value: Any) -> None:
    number, path = place
    record = VECTORS[number]["record"]
    if value != at(record, path) or type(value) is not type(at(record, path)):
        assert code_of(changed(record, list(path), value)) != ""


@settings(max_examples=300)
@given(places, st.data())
def test_one_other_character_in_any_text_is_caught(
    place: tuple[int, tuple[Any, ...]], data: st.DataObject
) -> None:
    number, path = place
    text = at(VECTORS[number]["record"], path)
    if isinstance(text, str) and text:
        i = data.draw(st.integers(0, len(text) - 1))
        other = data.draw(st.sampled_from([c for c in "0123456789abcdefCX" if c != text[i]]))
        tampered = text[:i] + data.draw(st.sampled_from([other, "", other + text[i]])) + text[i + 1 :]
        assert code_of(changed(VECTORS[number]["record"], list(path), tampered)) != ""


@pytest.mark.parametrize("number", range(3))
@given(st.data())
def test_two_cards_exchanged_in_a_deck_are_caught(number: int, data: st.DataObject) -> None:
    record = VECTORS[number]["record"]
    path: list[Any] = ["deck"] if "deck" in record else ["decks", data.draw(st.integers(0, 1))]
    deck = list(at(record, tuple(path)))
    i, j = data.draw(st.integers(0, len(deck) - 1)), data.draw(st.integers(0, len(deck) - 1))
    deck[i], deck[j] = deck[j], deck[i]
    same = deck == at(record, tuple(path))
    assert code_of(changed(record, path, deck)) == ("" if same else "record.seed_deck")


@pytest.mark.parametrize("key", ["commitment", "secret", "nonces", "context"])
def test_fair_is_whole_and_nothing_more(key: str) -> None:
    fair = MADNESS["fair"]
    assert code_of({**MADNESS, "fair": {k: v for k, v in fair.items() if k != key}}) == "fair.form"
    assert code_of({**MADNESS, "fair": {**fair, f"{key}2": fair[key]}}) == "fair.form"
    values: list[Any] = [7, True, [], [1, 2], {}, "x"]
    for value in values:
        assert code_of(changed(MADNESS, ["fair", key], value)) != ""
    assert code_of({**MADNESS, "fair": [1]}) == "fair.form"


# ---------------------------------------------------------------- the command


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def written(folder: Path, *records: Json) -> Path:
    path = folder / "games.jsonl"
    write_records(path, records)
    return path


PLAIN = {key: value for key, value in MADNESS.items() if key != "fair"}
SHORT = {**MADNESS, "moves": MADNESS["moves"][:-1]}
ILLEGAL = changed(MADNESS, ["moves", 2], [MADNESS["moves"][2][0], "steal X1"])
FORGED = changed(DUEL, ["fair", "commitment"], "0" * 64)


def test_a_file_of_fair_games_is_verified(tmp_path: Path, data: Path) -> None:
    done = coyote("verify", written(tmp_path, MADNESS, DUEL, CLASSIC), data=data)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    words = Words("en")
    assert lines[0] == words("verify.good", game=1, moves=len(MADNESS["moves"]))
    assert f"  {words('verify.room', room='kitchen-table-7/1')}" in lines
    for record in (MADNESS, DUEL, CLASSIC):
        assert f"  {words('verify.compare', commitment=record['fair']['commitment'])}" in lines
    assert f"  {words('verify.no_nonce', seat=0)}" in lines
    assert f"  {words('verify.seals_both')}" in lines and f"  {words('verify.seals_alone')}" in lines
    assert lines[-1] == words("verify.sum", good=3, games=3)


def test_in_russian(tmp_path: Path, data: Path) -> None:
    done = coyote("verify", written(tmp_path, DUEL, PLAIN), data=data, locale=RUSSIAN)
    words = Words("ru")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert lines[0] == words("verify.good", game=1, moves=len(DUEL["moves"]))
    assert lines[-2:] == [
        words("verify.unknown", game=2, why=words("fair.none")),
        words("verify.sum", good=1, games=2),
    ]


def test_every_record_gets_its_verdict(tmp_path: Path, data: Path) -> None:
    path = written(tmp_path, MADNESS, PLAIN, SHORT, ILLEGAL, FORGED)
    done = coyote("verify", path, "--json", data=data)
    assert (done.returncode, done.stderr) == (1, "")
    found = json.loads(done.stdout)
    assert (found["source"], found["verified"]) == (str(path), 1)
    assert found["games"][0] == {
        "game": 1,
        "status": "verified",
        "moves": len(MADNESS["moves"]),
        "seed": MADNESS["seed"],
        "sealed": "both",
        **MADNESS["fair"],
    }
    rest = [(game["status"], game["code"], game["move"]) for game in found["games"][1:]]
    assert rest == [
        ("unverifiable", "fair.none", None),
        ("refuted", "record.not_over", None),
        ("refuted", "record.illegal", 3),
        ("refuted", "fair.secret", None),
    ]
    told = coyote("verify", path, data=data).stdout.splitlines()
    starts = [
        "Game 1: verified",
        "Game 2: cannot",
        "Game 3: REFUTED:",
        "Game 4: REFUTED at move 3:",
        "Game 5: REF",
    ]
    assert [[line for line in told if line.startswith(start)] != [] for start in starts] == [True] * 5
    assert told[-1] == "Verified: 1 of 5."


@pytest.mark.parametrize(
    ("option", "good", "bad", "code"),
    [
        ("--commitment", MADNESS["fair"]["commitment"].upper(), "0" * 64, "fair.noted_commitment"),
        ("--nonce", MADNESS["fair"]["nonces"][1], "0" * 32, "fair.noted_nonce"),
        ("--context", MADNESS["fair"]["context"], DUEL["fair"]["context"], "fair.noted_context"),
    ],
)
def test_what_was_noted_down_is_compared(
    option: str, good: str, bad: str, code: str, tmp_path: Path, data: Path
) -> None:
    path = written(tmp_path, MADNESS)
    assert coyote("verify", path, option, good, data=data).returncode == 0
    done = coyote("verify", path, option, bad, data=data)
    assert done.returncode == 1 and Words("en")(code) in done.stdout
    assert (
        json.loads(coyote("verify", path, option, bad, "--json", data=data).stdout)["games"][0]["code"]
        == code
    )


@pytest.mark.parametrize("option", ["--commitment", "--nonce"])
def test_what_was_noted_down_has_its_form(option: str, tmp_path: Path, data: Path) -> None:
    done = coyote("verify", written(tmp_path, MADNESS), option, "12", data=data)
    assert (done.returncode, done.stdout) == (2, "")
    assert option in done.stderr and "Traceback" not in done.stderr


def test_a_secret_serves_one_match() -> None:
    secret, nonces = bytes.fromhex(MADNESS["fair"]["secret"]), MADNESS["fair"]["nonces"]
    context = make_context(Madness(), NO_SETUP, secret, "another")
    record = play_out(Match("madness", seed=derive_seed(secret, nonces, context)))
    record["fair"] = fair_part(secret, nonces, context)
    codes = [
        verdict.error.refusal.code if verdict.error else ""
        for verdict in verify.verify([MADNESS, MADNESS, record, DUEL], verify.Noted())
    ]
    assert codes == ["", "", "fair.reused", ""]


def play_out(match: Match) -> Json:
    """The dullest game that ends by the rules."""
    while not match.over:
        legal = match.legal()
        match.play("draw" if "draw" in legal else "pass" if "pass" in legal else legal[0])
    return match.record()


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "record.empty"), ("\n\n", "record.empty"), ("{", "record.not_json"), ("[]", "record.not_object")],
)
def test_a_file_without_records_is_a_fault(text: str, code: str, tmp_path: Path, data: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    done = coyote("verify", path, data=data)
    assert done.returncode == 2 and done.stderr.startswith("coyote: ") and "Traceback" not in done.stderr
    if code != "record.not_json":
        assert Words("en")(code, path=path, line=1) in done.stderr


def test_a_file_that_is_not_there_is_a_fault(tmp_path: Path, data: Path) -> None:
    for source in (tmp_path / "none", "ftp://127.0.0.1/x", "file:///etc/hostname"):
        done = coyote("verify", source, data=data)
        assert done.returncode == 2 and Words("en")("fault.os.ENOENT") in done.stderr


# ---------------------------------------------------------------- links


class Answers(BaseHTTPRequestHandler):
    """Records at /games, and all the trouble that a server can make."""

    protocol_version = "HTTP/1.1"
    GAMES = "".join(map(record_line, (MADNESS, DUEL))).encode()

    def do_GET(self) -> None:
        match self.path:
            case "/games":
                self.answer(200, self.GAMES)
            case "/moved":
                self.answer(302, b"", Location="/games")
            case "/to-a-file":
                self.answer(302, b"", Location="file:///etc/hostname")
            case "/round":
                self.answer(302, b"", Location="/round")
            case "/page":
                self.answer(200, b"<!doctype html>")
            case "/empty":
                self.answer(200, b"")
            case "/latin":
                self.answer(200, b"\xe9\xff")
            case "/cut":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.close_connection = True
            case "/nonsense":
                self.wfile.write(b"no \x1b[2J http at all\r\n\r\n")
                self.close_connection = True
            case "/endless":
                self.drip(b" " * verify.CHUNK)
            case "/silent":
                self.server.stopping.wait()  # type: ignore[attr-defined]
                self.close_connection = True
            case _:
                self.answer(404, b"nothing here")

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def drip(self, chunk: bytes) -> None:
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        try:
            while not self.server.stopping.is_set():  # type: ignore[attr-defined]
                self.wfile.write(chunk)
        except OSError:
            pass  # the reader has had enough

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.stopping = threading.Event()  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.stopping.set()  # type: ignore[attr-defined]
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def link(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as url:
        yield url


@pytest.mark.parametrize("page", ["/games", "/moved"])
def test_records_behind_a_link_are_verified(page: str, link: str, data: Path) -> None:
    done = coyote("verify", f"{link}{page}", "--json", data=data)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["source"] == f"{link}{page}" and found["verified"] == 2
    assert [game["seed"] for game in found["games"]] == [MADNESS["seed"], DUEL["seed"]]


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("/none", "status 404"),
        ("/round", "status 302"),
        ("/to-a-file", "status 302"),
        ("/page", "not JSON"),
        ("/empty", "has no records"),
        ("/latin", "not UTF-8"),
        ("/cut", ""),
        ("/nonsense", ""),
        ("/endless", "longer than 20 MB"),
        ("/with space", ""),
        (":99999/", ""),
    ],
)
def test_trouble_with_a_link_is_one_sentence(page: str, said: str, link: str, data: Path) -> None:
    done = coyote("verify", f"{link}{page}", data=data)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("coyote: ") and done.stderr.count("\n") == 1
    assert said in done.stderr and "something is broken" not in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nobody_answers(lang: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as url:
        pass
    done = coyote("verify", url, "--lang", lang, data=data)
    assert done.returncode == 2 and Words(lang)("fault.os.ECONNREFUSED") in done.stderr


def test_a_silent_server_is_not_waited_for(link: str) -> None:
    with pytest.raises(Fault) as caught:
        verify.fetch(f"{link}/silent", seconds=0.3)
    assert caught.value.code == "verify.slow"


def test_a_slow_server_is_not_waited_for(link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something comes all the time, so no single wait is too long; the whole is."""
    monkeypatch.setattr(verify, "MOST_BYTES", 10**12)
    with pytest.raises(Fault) as caught:
        verify.fetch(f"{link}/endless", seconds=0.3)
    assert caught.value.code == "verify.slow"
