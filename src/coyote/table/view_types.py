"""The shapes of what pages are told as plain dictionaries: views, events, records, replays, lessons, books.

Nothing here runs: `tools/make_types.py` writes `web/wire.d.ts` from these and from the server's own
structs, and `tests/table/test_types.py` compares them with what is really told.
"""

from typing import Any, Literal, NotRequired, TypedDict

from coyote.games.duel.view_json import View as DuelView
from coyote.games.madness.view_json import Field as MadnessField  # noqa: F401 - its name in the types
from coyote.games.madness.view_json import View as MadnessView

Json = dict[str, Any]
Options = dict[str, str | int | bool]


class Both(TypedDict):
    """Something said in both languages."""

    en: str
    ru: str


# ---------------------------------------------------------------- views


View = MadnessView | DuelView


class EventJson(TypedDict):
    """Of the keys besides the first two, those that its kind has; null is hidden from the viewer."""

    kind: str
    seat: int | None
    turn: NotRequired[int]
    field: NotRequired[int]
    card: NotRequired[str | None]
    laid: NotRequired[str | None]
    source: NotRequired[str]
    lead: NotRequired[int]
    reason: NotRequired[str]
    title: NotRequired[str | None]
    number: NotRequired[int]
    n: NotRequired[int]
    place: NotRequired[int | None]
    points: NotRequired[int]
    max: NotRequired[int]
    damage: NotRequired[int]
    blocked: NotRequired[int]
    healed: NotRequired[int]
    health: NotRequired[int]
    zone: NotRequired[str]
    goes: NotRequired[str]


class Result(TypedDict):
    winner: int | None
    reason: str
    score: int | tuple[int, int]


class OpenHands(TypedDict):
    hands: tuple[list[str], list[str]]


class Opened(TypedDict):
    """After the end: all cards, and how the deal was made."""

    hands: tuple[list[str], list[str]]
    commitment: str
    secret: str
    nonces: tuple[str, str]
    context: str


class CardEffect(TypedDict):
    """What a card of the duel does (D20 to D24)."""

    action: str
    amount: int
    per: str | None
    zone: str | None
    opponent: bool
    first: int
    last: int
    turns: int
    condition: str | None
    threshold: int
    look: Literal["attack", "heal", "block", "draw", "strip"]  # colour, sign, column of a chart
    gain: bool  # its owner has something of it


# ---------------------------------------------------------------- records


class Fair(TypedDict):
    commitment: str
    secret: str
    nonces: tuple[str, str]
    context: str


class RecordCard(TypedDict):
    id: str
    rarity: str
    text: str


class RecordSet(TypedDict):
    name: str
    cards: list[RecordCard]


class RecordBoard(TypedDict):
    """docs/duplicate.md: a deal that several tables play; by place, table by table, seat 0 first."""

    id: str
    table: int
    seals: list[str]
    nonces: list[str]


class GameRecord(TypedDict):
    """docs/records.md. What a deal is differs from game to game."""

    format: str
    game: str
    options: Options
    rules: int
    seed: NotRequired[str]
    players: tuple[str, str]
    moves: list[tuple[int, str]]
    result: Result | None
    fair: NotRequired[Fair]
    board: NotRequired[RecordBoard]
    deck: NotRequired[list[str]]
    set: NotRequired[RecordSet]
    decks: NotRequired[tuple[list[str], list[str]]]
    super: NotRequired[tuple[str | None, str | None]]
    chance: NotRequired[list[list[str | int | list[str]]]]


class ReplayMove(TypedDict):
    seat: int
    move: str


class ReplayLine(TypedDict):
    text: str
    rule: str


class ReplayStep(TypedDict):
    moves: list[ReplayMove]
    turn: int
    actors: list[int]
    view: Json  # a View
    events: list[EventJson]
    story: list[ReplayLine]
    open: OpenHands | None


class Replay(TypedDict):
    game: str
    title: Both
    options: Options
    viewer: str
    names: tuple[str, str]
    cards: list[Json]  # as `library.CardShown`
    steps: list[ReplayStep]
    result: Result
    ended: str


# ---------------------------------------------------------------- analyses


class Spread(TypedDict):
    """A chance to win, or a difference of such, with its 95 % interval."""

    mean: float
    low: float
    high: float


class Weighed(TypedDict):
    """What a move was worth beside the best one."""

    made: float
    best: float
    best_move: str
    loss: Spread


class MoveWeighed(TypedDict):
    move: str
    known: float | None
    real: float | None
    share: NotRequired[float]
    words: NotRequired[Both]  # not in what was analysed before moves had words
    habit: NotRequired[float]


class HiddenHand(TypedDict):
    """What the other hand could hold: exactly, by card and by rank, or as far as it can be supposed.
    `believed`: by rank, weighed by how the bots would have played with each hand."""

    held: int
    exact: bool
    unseen: NotRequired[list[str]]
    chance: NotRequired[float]
    ranks: NotRequired[dict[str, float]]
    believed: NotRequired[dict[str, float]]
    cards: NotRequired[dict[str, float]]


class Decision(TypedDict):
    """`known` is by what its player could know, `real` by what was, `habit` against how the opponent has
    played so far; null where there was no choice, or nobody can tell."""

    move: int
    turn: int
    seat: int
    wanted: str
    made: str
    label: str
    fortune: str | None
    known: Weighed | None
    real: Weighed | None
    habit: Weighed | None
    moves: list[MoveWeighed]
    luck: float
    rule: str
    words: Both
    hidden: HiddenHand


class SeatLuck(TypedDict):
    deal: float
    later: float
    total: float


class Chosen(TypedDict):
    """How often a kind of choice was chosen, and how often a good player would have."""

    chosen: int
    usual: float


class SeatSums(TypedDict):
    """What one seat did, and what chance did to it, in chances to win from its own side. `habit`: by kind of
    choice, where both choose at once."""

    decisions: int
    accuracy: float
    lost: float
    labels: dict[str, int]
    fortunes: dict[str, int]
    luck: SeatLuck
    decided: float
    habit: dict[str, Chosen]


class LuckParts(TypedDict):
    """From seat 0's side; all but the last two together are the result."""

    deal: float
    later: float
    decisions: list[float]
    rest: float
    result: float
    error: float


class Analysis(TypedDict):
    format: str
    game: str
    options: Options
    result: Result
    simulations: int
    thresholds: dict[str, float]
    curve: list[float]
    luck: LuckParts
    decisions: list[Decision]
    seats: list[SeatSums]


class AnalysisTold(TypedDict):
    """`state`: waiting, working, done or failed; `ahead`: how many wait before it."""

    state: str
    progress: float
    ahead: int
    problem: Both | None
    analysis: Analysis | None


class Tried(TypedDict):
    """How a finished game stands when it is gone on with otherwise."""

    view: Json  # a View
    legal: list[str]
    events: list[EventJson]
    story: list[ReplayLine]
    names: tuple[str, str]
    result: Result | None


# ---------------------------------------------------------------- lessons and books


class LessonStep(TypedDict):
    part: int
    want: str | None
    view: Json  # a View
    legal: list[str]
    events: list[EventJson]
    told: str | None
    say: str | None


class Lesson(TypedDict):
    game: str
    names: tuple[str, str]
    parts: list[str]
    deck: str | None
    steps: list[LessonStep]


class TreeNode(TypedDict):
    """A passage of a book. `kind`: an example, or the edition that it is for alone."""

    tag: str
    kids: list["str | TreeNode"]
    kind: NotRequired[str]
    rule: NotRequired[str]


class BookRule(TypedDict):
    id: str
    title: str
    blocks: list[str | TreeNode]


class BookChapter(TypedDict):
    id: str
    title: str
    blocks: list[str | TreeNode]
    rules: list[BookRule]


class Book(TypedDict):
    game: str
    lang: str
    title: str
    editions: list[str]
    intro: list[str | TreeNode]
    chapters: list[BookChapter]
