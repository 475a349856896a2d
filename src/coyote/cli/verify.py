"""`coyote verify`: recomputes the deals of records, from a file or a link, and follows their moves."""

import errno
import http.client
import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import click

from coyote.cli.common import WORDS, console, json_option, lang_option, words_for
from coyote.cli.faults import Fault
from coyote.fairness import FairnessError, check_fair, read_context, sealed
from coyote.games.game import Json, RecordError
from coyote.records import follow, parse_record, read_records
from coyote.text import Words

MOST_BYTES = 20_000_000
SECONDS = 30.0  # for the whole of a download
CHUNK = 65_536
LINK = re.compile(r"https?://", re.IGNORECASE)
NOT_VERIFIED = 1


@dataclass(frozen=True)
class Noted:
    """What a player kept from before the deal."""

    commitment: str | None = None
    nonce: str | None = None
    context: str | None = None

    def check(self, record: Json) -> None:
        fair = record["fair"]
        told = record["board"]["nonces"] if "board" in record else fair["nonces"]
        if self.commitment and self.commitment != fair["commitment"]:
            raise FairnessError("fair.noted_commitment")
        if self.nonce and self.nonce not in told:
            raise FairnessError("fair.noted_nonce")
        if self.context and self.context != fair["context"]:
            raise FairnessError("fair.noted_context")


@dataclass
class Verdict:
    """What became of one record: `error` is why it is not verified."""

    game: int
    record: Json
    error: RecordError | None
    moves: int = 0

    @property
    def status(self) -> str:
        if self.error is None:
            return "verified"
        return "unverifiable" if self.error.refusal.code == "fair.none" else "refuted"

    @property
    def move(self) -> int | None:
        return getattr(self.error, "move", None)


def digits(least: int, most: int) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """A callback for an option of hexadecimal digits; large letters are as good as small ones."""

    def read(_ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
        if text is None:
            return None
        small = text.strip().lower()
        if not re.fullmatch(rf"[0-9a-f]{{{least},{most}}}", small):
            raise Fault("verify.noted", name=param.opts[0], least=least, most=most)
        return small

    return read


@click.command(help=WORDS("cli.verify"))
@click.argument("source", metavar="FILE|URL")
@click.option("--commitment", metavar="HEX", callback=digits(64, 64), help=WORDS("cli.commitment"))
@click.option("--nonce", metavar="HEX", callback=digits(32, 64), help=WORDS("cli.nonce"))
@click.option("--context", metavar="TEXT", help=WORDS("cli.context"))
@json_option
@lang_option
def command(
    source: str,
    commitment: str | None,
    nonce: str | None,
    context: str | None,
    as_json: bool,
    lang: str | None,
) -> int:
    words = words_for(lang)
    noted = Noted(commitment, nonce, context)
    verdicts = []
    with console(stderr=True).status(words("check.busy")):
        for verdict in verify(records_of(source), noted):
            verdicts.append(verdict)
            if not as_json:
                click.echo("\n  ".join(report(verdict, noted, words)))
    good = sum(verdict.status == "verified" for verdict in verdicts)
    if as_json:
        games = [as_object(verdict, words) for verdict in verdicts]
        click.echo(json.dumps({"source": source, "verified": good, "games": games}, ensure_ascii=False))
    else:
        click.echo(words("verify.sum", good=good, games=len(verdicts)))
    return 0 if good == len(verdicts) else NOT_VERIFIED


# ---------------------------------------------------------------- verdicts


def verify(records: Iterable[Json], noted: Noted) -> Iterator[Verdict]:
    """One verdict a record. No secret may serve two matches."""
    used: dict[str, tuple[int, str]] = {}
    for game, record in enumerate(records, 1):
        try:
            check_fair(record)
            fair = record["fair"]
            noted.check(record)
            first, context = used.setdefault(fair["secret"], (game, fair["context"]))
            if context != fair["context"]:
                raise FairnessError("fair.reused", game=first)
            moves = len(follow(record).moves)
        except RecordError as error:
            yield Verdict(game, record, error)
        else:
            yield Verdict(game, record, None, moves)


def report(verdict: Verdict, noted: Noted, words: Words) -> Iterator[str]:
    """A verdict in lines: the sentence, then what the player can compare."""
    if verdict.error is not None:
        key = {"refuted": "verify.bad", "unverifiable": "verify.unknown"}[verdict.status]
        key = "verify.bad_move" if verdict.move is not None else key
        why = words.refusal(verdict.error.refusal)
        yield words(key, game=verdict.game, move=verdict.move, why=why)
        return
    fair = verdict.record["fair"]
    yield words("verify.good", game=verdict.game, moves=verdict.moves)
    yield words("verify.room", room=read_context(fair["context"])["room"])
    yield words("verify.compared" if noted.commitment else "verify.compare", commitment=fair["commitment"])
    for seat, nonce in enumerate(fair["nonces"]):
        yield words("verify.nonce" if nonce else "verify.no_nonce", seat=seat, nonce=nonce)
    yield words(f"verify.seals_{sealed(verdict.record)}")


def as_object(verdict: Verdict, words: Words) -> Json:
    found: Json = {"game": verdict.game, "status": verdict.status}
    if verdict.error is not None:
        refusal = verdict.error.refusal
        return {**found, "code": refusal.code, "move": verdict.move, "why": words.refusal(refusal)}
    fair, seed = verdict.record["fair"], verdict.record["seed"]
    return {**found, "moves": verdict.moves, "seed": seed, "sealed": sealed(verdict.record), **fair}


# ---------------------------------------------------------------- where records come from


def records_of(source: str) -> Iterator[Json]:
    return linked_records(source) if LINK.match(source) else read_records(Path(source))


def linked_records(url: str) -> Iterator[Json]:
    try:
        text = fetch(url).decode()
    except UnicodeDecodeError:
        raise RecordError("record.not_utf8", path=url) from None
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise RecordError("record.empty", path=url)
    for number, line in lines:
        yield parse_record(line, number)


@dataclass
class Download:
    """A download on a thread of its own, so that no server can hold us longer than we wait."""

    url: str
    seconds: float
    body: bytearray = field(default_factory=bytearray)
    error: Exception | None = None

    def run(self) -> None:
        try:
            with opener().open(self.url, timeout=self.seconds) as answer:
                while len(self.body) <= MOST_BYTES and (chunk := answer.read1(CHUNK)):
                    self.body += chunk
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.error = error


def fetch(url: str, seconds: float = SECONDS) -> bytes:
    """What a link gives; Fault says in a sentence why not."""
    download = Download(url, seconds)
    thread = Thread(target=download.run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise Fault("verify.slow", url=url, seconds=seconds)
    if download.error is not None:
        raise fault_of(download.error, url, seconds) from None
    if len(download.body) > MOST_BYTES:
        raise Fault("verify.too_big", url=url, most=MOST_BYTES // 1_000_000)
    return bytes(download.body)


def opener() -> urllib.request.OpenerDirector:
    """HTTP and HTTPS only: a link cannot lead on to a file of this machine."""
    made = urllib.request.OpenerDirector()
    made.addheaders = [("User-Agent", "coyote"), ("Accept", "application/jsonl, application/json")]
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.UnknownHandler(),
    ):
        made.add_handler(handler)
    return made


def fault_of(error: Exception, url: str, seconds: float) -> Fault:
    if isinstance(error, urllib.error.HTTPError):
        error.close()
        return Fault("verify.status", url=url, status=error.code)
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return Fault("verify.slow", url=url, seconds=seconds)
    if isinstance(reason, socket.gaierror):
        return Fault("verify.no_host", url=url)
    number = reason.errno if isinstance(reason, OSError) else None
    name = errno.errorcode.get(number or 0, "")
    return Fault("verify.unreachable", url=url, why=os_words(name) or one_line(reason))


def one_line(reason: object) -> str:
    """What Python says of it, which may quote the server: plain, short, on one line."""
    plain = "".join(letter if letter.isprintable() else " " for letter in str(reason))
    return " ".join(plain.split())[:100] or type(reason).__name__


def os_words(name: str) -> dict[str, str] | None:
    """The name of a system error in both languages, where we have words for it."""
    try:
        return {lang: Words(lang)(f"fault.os.{name}") for lang in ("en", "ru")}
    except KeyError:
        return None
