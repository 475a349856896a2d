"""Ratings: a fold over finished games, kept game by game; computed anew they are the same numbers.

A finished rated game is a row of `rated_games`, written together with its end, once for each room. Whoever
comes first gives the waiting rows their numbers, in one transaction that others wait for; all else follows
from the rows in the order of these numbers. How much of a result was luck is found out later; skill is the
same fold over results less their luck, as far as luck is known without a gap. Each function that asks the
store may wait: not for the event loop's thread.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import sqlalchemy as sa

from coyote.games.game import Game
from coyote.table import inputs
from coyote.table.glicko import DAY, Strength, settle
from coyote.table.parts import PARTS
from coyote.table.room import Room
from coyote.table.store import (
    Row,
    Store,
    changing,
    guests,
    rated_games,
    rating_steps,
    ratings,
    rows,
    skills,
)

ClockClass = Literal["quick", "slow", "days", "free"]
Counts = Literal["yes", "many", "abort", "no"]
CLOCKS: tuple[ClockClass, ...] = ("quick", "slow", "days", "free")
QUICK = 300  # seconds that a player has for a game; with more it is slow
USUAL_TURNS = 20  # of a player, in a game
MOST_A_DAY = 10  # games of the same two that count
FREE_ABORTS = 3  # of a guest, in a day; each further one is a game lost
BOT = "bot:"
BOT_DEVIATION = 150.0  # of what is known of a level before people have met it
AT_ONCE = 200  # games in one transaction
MOST_LISTED = 200
MOST_STEPS = 300  # of a curve, the last ones


class Pool(NamedTuple):
    """Those who are compared with each other."""

    game: str
    edition: str
    clock: str


class Finished(NamedTuple):
    """A game as the fold takes it in; `score` is of the first seat, 1, 0.5 or 0.

    `luck` is how much of that score was luck, where somebody has found out: then `looked` is true, also where
    nobody can tell. The rating itself goes by results alone.
    """

    room: str
    pool: Pool
    first: str
    second: str
    score: float
    aborted_by: str
    at: int
    luck: float | None = None
    looked: bool = False


class Step(NamedTuple):
    """What a game made of one player's rating."""

    who: str
    before: Strength
    after: Strength


class Counted(NamedTuple):
    counts: Counts
    steps: tuple[Step, ...] = ()


# ---------------------------------------------------------------- rows


def clock_class(clock: inputs.ClockTerms) -> ClockClass:
    """
    >>> clock_class(inputs.ClockTerms(minutes=3, increment=2)), clock_class(inputs.ClockTerms(minutes=10))
    ('quick', 'slow')
    """
    if clock.days:
        return "days"
    if not clock.minutes:
        return "free"
    return "quick" if 60 * clock.minutes + USUAL_TURNS * clock.increment < QUICK else "slow"


def pool_of(game: Game, terms: inputs.Terms) -> Pool:
    return Pool(game.name, str(game.options.get("edition", "")), clock_class(terms.clock))


def called(player: inputs.Player) -> str:
    return f"{BOT}{player.bot}" if player.bot else player.guest


def rated_rows(room: Room, given: inputs.AnyInput) -> list[Row]:
    """Of a rated game that has just ended by that input; none of any other."""
    result = room.result
    if not room.terms.rated or result is None:
        return []
    first, second = map(called, room.in_seats())
    aborted_by = called(room.players[given.by]) if isinstance(given, inputs.Abort) else ""
    return [
        {
            "room": room.id,
            **pool_of(room.game, room.terms)._asdict(),
            "first": first,
            "second": second,
            "score": 0.5 if result.winner is None else float(result.winner == 0),
            "aborted_by": aborted_by,
            "ended_at": room.phase_since,
        }
    ]


def read_row(row: Row) -> Finished:
    pool = Pool(row["game"], row["edition"], row["clock"])
    keys = ("room", "first", "second", "score", "aborted_by", "luck")
    told = {key: row[key] for key in keys}
    return Finished(pool=pool, at=row["ended_at"], looked=bool(row["looked"]), **told)


def shown_as(who: str) -> str:
    """By what pages name a player."""
    return hashlib.sha256(f"ladder {who}".encode()).hexdigest()[:16]


# ---------------------------------------------------------------- the fold


class Memory(Protocol):
    """What the games so far have come to."""

    def strength(self, pool: Pool, who: str) -> Strength | None: ...

    def met(self, pool: Pool, pair: frozenset[str], since: int) -> int:
        """How many games of these two have counted since then."""
        ...

    def aborted(self, who: str, since: int) -> int: ...


def new_strength(pool: Pool, who: str) -> Strength:
    """A level of ours is as strong as it is, whatever happens; people are found out about."""
    if not who.startswith(BOT):
        return Strength()
    levels = PARTS[pool.game].levels.get(pool.edition, ())
    level = who.removeprefix(f"{BOT}level:")
    known = level.isdigit() and 0 < int(level) <= len(levels)
    return Strength(levels[int(level) - 1] if known else 1500.0, BOT_DEVIATION, 0.0)


def edge_of(pool: Pool) -> float:
    return PARTS[pool.game].edges.get(pool.edition, 0.0)


def count(game: Finished, memory: Memory) -> Counted:
    """What a game counts as, and what it makes of both ratings."""
    pair, score = frozenset((game.first, game.second)), game.score
    people = sum(not who.startswith(BOT) for who in pair)
    if len(pair) < 2 or not people or "" in pair:
        return Counted("no")
    if game.aborted_by:
        if memory.aborted(game.aborted_by, game.at - DAY) < FREE_ABORTS:
            return Counted("no")
        score = float(game.aborted_by == game.second)
    elif memory.met(game.pool, pair, game.at - DAY) >= MOST_A_DAY:
        return Counted("many")
    both = game.first, game.second
    before = [memory.strength(game.pool, who) or new_strength(game.pool, who) for who in both]
    after = settle(before[0], before[1], score, game.at, edge_of(game.pool))
    return Counted("abort" if game.aborted_by else "yes", tuple(map(Step, both, before, after)))


@dataclass
class InMemory:
    """For all games at once."""

    strengths: dict[tuple[Pool, str], Strength] = field(default_factory=dict)
    games: defaultdict[tuple[Pool, str], int] = field(default_factory=lambda: defaultdict(int))
    meetings: defaultdict[tuple[Pool, frozenset[str]], list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )
    aborts: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def strength(self, pool: Pool, who: str) -> Strength | None:
        return self.strengths.get((pool, who))

    def met(self, pool: Pool, pair: frozenset[str], since: int) -> int:
        return sum(at > since for at in self.meetings[pool, pair])

    def aborted(self, who: str, since: int) -> int:
        return sum(at > since for at in self.aborts[who])

    def take(self, game: Finished) -> Counted:
        found = count(game, self)
        if found.counts == "yes":
            self.meetings[game.pool, frozenset((game.first, game.second))].append(game.at)
        if game.aborted_by:
            self.aborts[game.aborted_by].append(game.at)
        for step in found.steps:
            self.strengths[game.pool, step.who] = step.after
            self.games[game.pool, step.who] += 1
        return found


class InStore:
    """For the next games: what is kept."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

    def strength(self, pool: Pool, who: str) -> Strength | None:
        found = self.connection.execute(sa.select(ratings).where(*is_rating(pool, who))).mappings().first()
        return strength_of(found) if found else None

    def met(self, pool: Pool, pair: frozenset[str], since: int) -> int:
        one, other = sorted(pair)
        games = rated_games.c
        these = sa.or_(
            sa.and_(games.first == one, games.second == other),
            sa.and_(games.first == other, games.second == one),
        )
        return self._number(these, *in_pool(rated_games, pool), games.counts == "yes", games.ended_at > since)

    def aborted(self, who: str, since: int) -> int:
        games = rated_games.c
        return self._number(games.aborted_by == who, games.number.is_not(None), games.ended_at > since)

    def _number(self, *where: sa.ColumnElement[bool]) -> int:
        query = sa.select(sa.func.count()).select_from(rated_games).where(*where)
        return int(self.connection.execute(query).scalar_one())

    def take(self, row: Row, number: int) -> None:
        game = read_row(row)
        found = count(game, self)
        this = sa.update(rated_games).where(rated_games.c.room == game.room)
        self.connection.execute(this.values(number=number, counts=found.counts))
        if found.steps:
            self.connection.execute(sa.insert(rating_steps), step_rows(game, number, found))
        for step in found.steps:
            self._keep(game.pool, step)

    def _keep(self, pool: Pool, step: Step) -> None:
        now = sa.update(ratings).where(*is_rating(pool, step.who))
        values = {**strength_row(step.after), "games": ratings.c.games + 1}
        if not self.connection.execute(now.values(values)).rowcount:
            self.connection.execute(sa.insert(ratings), rating_row(pool, step.who, step.after, 1))


def in_pool(table: sa.Table, pool: Pool) -> list[sa.ColumnElement[bool]]:
    return [table.c[name] == value for name, value in pool._asdict().items()]


def is_rating(pool: Pool, who: str) -> list[sa.ColumnElement[bool]]:
    return [ratings.c.who == who, *in_pool(ratings, pool)]


def strength_of(row: Any) -> Strength:
    return Strength(row["rating"], row["deviation"], row["volatility"], row["at"])


def strength_row(found: Strength) -> Row:
    return {name: getattr(found, name) for name in ("rating", "deviation", "volatility", "at")}


def rating_row(pool: Pool, who: str, found: Strength, games: int) -> Row:
    return {"who": who, **pool._asdict(), **strength_row(found), "games": games, "shown": shown_as(who)}


def step_rows(game: Finished, number: int, found: Counted) -> list[Row]:
    return [
        {
            "room": game.room,
            "who": step.who,
            **game.pool._asdict(),
            "number": number,
            "before": step.before.rating,
            **strength_row(step.after),
        }
        for step in found.steps
    ]


# ---------------------------------------------------------------- skill: the same without luck


class Skill(NamedTuple):
    """`number` is that of the last game that is in it."""

    strength: Strength
    games: int = 0
    number: int = 0


def count_skill(game: Finished, number: int, before: Sequence[Skill]) -> tuple[Skill, Skill]:
    """Of both, after a game whose luck is known."""
    assert game.luck is not None
    noise = PARTS[game.pool.game].noises.get(game.pool.edition, 1.0)
    first, second = (one.strength for one in before)
    after = settle(first, second, game.score, game.at, edge_of(game.pool), game.luck, noise)
    made = [Skill(new, old.games + 1, number) for new, old in zip(after, before, strict=True)]
    return made[0], made[1]


@dataclass
class AllSkills:
    """For all games at once. A pool waits at its first game whose luck nobody has looked for yet: so it does
    not matter when that becomes known."""

    found: dict[tuple[Pool, str], Skill] = field(default_factory=dict)
    waiting: set[Pool] = field(default_factory=set)

    def take(self, game: Finished, number: int, counts: str) -> None:
        if counts != "yes" or game.pool in self.waiting:
            return
        if not game.looked:
            self.waiting.add(game.pool)
        elif game.luck is not None:
            both = [(game.pool, who) for who in (game.first, game.second)]
            before = [self.found.get(one) or Skill(new_strength(*one)) for one in both]
            self.found.update(zip(both, count_skill(game, number, before), strict=True))


def next_without_luck(store: Store) -> str | None:
    """The room of the first game that skill waits for."""
    games = rated_games.c
    waiting = sa.select(games.room).where(games.counts == "yes", ~games.looked).order_by(games.number)
    found = rows(store, waiting.limit(1))
    return found[0]["room"] if found else None


def tell_luck(store: Store, room: str, luck: float | None) -> None:
    """What was found out of a game, None where nobody can tell; and all that skill has waited for it."""
    games = rated_games.c
    with changing(store) as connection:
        hold(connection, store)
        this = sa.select(rated_games).where(games.room == room, ~games.looked)
        row = connection.execute(this).mappings().first()
        if row is None:  # somebody else was quicker
            return
        connection.execute(sa.update(rated_games).where(games.room == room).values(luck=luck, looked=True))
        _fold_skill(connection, read_row(dict(row)).pool)


def _fold_skill(connection: sa.Connection, pool: Pool) -> None:
    """From the last game that is in it on, until one whose luck nobody has looked for yet."""
    games = rated_games.c
    last = sa.select(sa.func.coalesce(sa.func.max(skills.c.number), 0)).where(*in_pool(skills, pool))
    query = sa.select(rated_games).where(*in_pool(rated_games, pool), games.counts == "yes")
    query = query.where(sa.or_(games.luck.is_not(None), ~games.looked)).order_by(games.number).limit(AT_ONCE)
    while found := connection.execute(query.where(games.number > last.scalar_subquery())).mappings().all():
        for row in found:
            if not row["looked"]:
                return
            _keep_skill(connection, read_row(dict(row)), row["number"])


def _keep_skill(connection: sa.Connection, game: Finished, number: int) -> None:
    both = (game.first, game.second)
    these = sa.select(skills).where(*in_pool(skills, game.pool), skills.c.who.in_(both))
    known = {row["who"]: skill_of(row) for row in connection.execute(these).mappings()}
    before = [known.get(who) or Skill(new_strength(game.pool, who)) for who in both]
    for who, one in zip(both, count_skill(game, number, before), strict=True):
        if who in known:
            here = [skills.c.who == who, *in_pool(skills, game.pool)]
            connection.execute(sa.update(skills).where(*here).values(skill_row(game.pool, who, one)))
        else:
            connection.execute(sa.insert(skills), skill_row(game.pool, who, one))


def skill_of(row: Any) -> Skill:
    return Skill(strength_of(row), row["games"], row["number"])


def skill_row(pool: Pool, who: str, found: Skill) -> Row:
    told = strength_row(found.strength)
    return {"who": who, **pool._asdict(), **told, "games": found.games, "number": found.number}


# ---------------------------------------------------------------- keeping it


def hold(connection: sa.Connection, store: Store) -> None:
    """One at a time, of all processes; whoever comes second sees what the first has done."""
    if store.shared:
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(hashtext('coyote ratings'))"))
    else:
        connection.execute(sa.update(rated_games).where(rated_games.c.room == "").values(luck=None))


def fold(store: Store) -> int:
    """Count all finished games that have not counted yet; how many there were."""
    total = 0
    while found := _fold_some(store):
        total += found
        if found < AT_ONCE:
            break
    return total


def _fold_some(store: Store) -> int:
    games = rated_games.c
    waiting = sa.select(rated_games).where(games.number.is_(None)).order_by(games.ended_at, games.room)
    if not rows(store, waiting.limit(1)):
        return 0
    with changing(store) as connection:
        hold(connection, store)
        found = connection.execute(waiting.limit(AT_ONCE)).mappings().all()
        last = connection.execute(sa.select(sa.func.max(games.number))).scalar() or 0
        memory = InStore(connection)
        for number, row in enumerate(found, last + 1):
            memory.take(dict(row), number)
    return len(found)


class Recomputed(NamedTuple):
    games: int
    players: int
    changed: int  # rows that were not as they had to be


def recompute(store: Store) -> Recomputed:
    """All ratings anew from the games, in the order in which they counted."""
    fold(store)
    with changing(store) as connection:
        hold(connection, store)
        query = sa.select(rated_games).where(rated_games.c.number.is_not(None))
        given = connection.execute(query.order_by(rated_games.c.number)).mappings().all()
        memory, skill, steps, verdicts = InMemory(), AllSkills(), list[Row](), list[Row]()
        for row in given:
            game = read_row(dict(row))
            found = memory.take(game)
            skill.take(game, row["number"], found.counts)
            steps += step_rows(game, row["number"], found)
            if found.counts != row["counts"]:
                verdicts.append({"one": game.room, "counts": found.counts})
        now = [
            rating_row(pool, who, strength, memory.games[pool, who])
            for (pool, who), strength in memory.strengths.items()
        ]
        able = [skill_row(pool, who, one) for (pool, who), one in skill.found.items()]
        changed = len(verdicts) + sum(
            _replace(connection, table, new)
            for table, new in ((rating_steps, steps), (ratings, now), (skills, able))
        )
        if verdicts:
            these = sa.update(rated_games).where(rated_games.c.room == sa.bindparam("one"))
            connection.execute(these, verdicts)
    return Recomputed(len(given), len(now), changed)


def _replace(connection: sa.Connection, table: sa.Table, new: Sequence[Row]) -> int:
    """The rows of a table, and how many were others before, too many, or missing."""
    before = {_written(table, row) for row in connection.execute(sa.select(table)).mappings()}
    after = {_written(table, row) for row in new}
    if before != after:
        connection.execute(sa.delete(table))
        for first in range(0, len(new), 1000):
            connection.execute(sa.insert(table), list(new[first : first + 1000]))
    return len(before ^ after)


def _written(table: sa.Table, row: Any) -> tuple[Any, ...]:
    return tuple(row[column.name] for column in table.columns)


# ---------------------------------------------------------------- asking


def strengths(store: Store, pool: Pool, people: Iterable[str], at: int) -> dict[str, Strength]:
    """How strong these are now, as far as anybody knows."""
    wanted = list(people)
    query = sa.select(ratings).where(*in_pool(ratings, pool), ratings.c.who.in_(wanted))
    known = {row["who"]: strength_of(row) for row in rows(store, query)}
    return {who: known.get(who, new_strength(pool, who)).at_time(at) for who in wanted}


def skills_in(store: Store, pool: Pool) -> dict[str, Row]:
    """Of those whose luck is known, by player."""
    return {row["who"]: row for row in rows(store, sa.select(skills).where(*in_pool(skills, pool)))}


def skills_of(store: Store, who: str) -> dict[Pool, Row]:
    found = rows(store, sa.select(skills).where(skills.c.who == who))
    return {Pool(row["game"], row["edition"], row["clock"]): row for row in found}


def listed(store: Store, pool: Pool) -> list[Row]:
    """Those who have chosen a name, the strongest first; bots of ours are not among them."""
    query = sa.select(ratings, guests.c.name).join(guests, guests.c.id == ratings.c.who)
    who = [guests.c.named, ~guests.c.banned, guests.c.owner == ""]
    return rows(
        store,
        query.where(*in_pool(ratings, pool), *who).order_by(ratings.c.rating.desc()).limit(MOST_LISTED),
    )


def bots(store: Store, pool: Pool) -> list[Row]:
    query = sa.select(ratings).where(*in_pool(ratings, pool), ratings.c.who.like(f"{BOT}%"))
    return rows(store, query.order_by(ratings.c.rating.desc()))


def pools(store: Store) -> list[Row]:
    """Those in which somebody has played, with the number of their players."""
    by = [ratings.c[name] for name in Pool._fields]
    people = ~ratings.c.who.like(f"{BOT}%")
    return rows(
        store, sa.select(*by, sa.func.count().label("players")).where(people).group_by(*by).order_by(*by)
    )


def player(store: Store, shown: str) -> Row | None:
    """The guest behind a page's name for them, with `who`; None where there is none to be seen."""
    query = sa.select(guests, ratings.c.who).join(ratings, ratings.c.who == guests.c.id)
    found = rows(store, query.where(ratings.c.shown == shown, ~guests.c.banned).limit(1))
    return found[0] if found else None


def ratings_of(store: Store, who: str) -> list[Row]:
    return rows(store, sa.select(ratings).where(ratings.c.who == who).order_by(ratings.c.games.desc()))


def curve(store: Store, who: str, pool: Pool) -> list[Row]:
    """The last steps, the oldest first."""
    query = sa.select(rating_steps).where(rating_steps.c.who == who, *in_pool(rating_steps, pool))
    return rows(store, query.order_by(rating_steps.c.number.desc()).limit(MOST_STEPS))[::-1]


def game_of(store: Store, room: str) -> tuple[Row | None, list[Row]]:
    """A rated game, and what it made of whom."""
    found = rows(store, sa.select(rated_games).where(rated_games.c.room == room))
    steps = rows(store, sa.select(rating_steps).where(rating_steps.c.room == room))
    return (found[0] if found else None), steps


# ---------------------------------------------------------------- for `admin`


def export(store: Store, guest: str) -> list[Row]:
    """Each with `skill`, or null."""
    keys = ("rating", "deviation", "volatility", "at", "games")
    able = skills_of(store, guest)
    found = []
    for row in ratings_of(store, guest):
        pool = Pool(row["game"], row["edition"], row["clock"])
        skill = {key: able[pool][key] for key in keys} if pool in able else None
        found.append({**pool._asdict(), **{key: row[key] for key in keys}, "skill": skill})
    return found


def forget(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Whose games they were; the ratings of those who played against them stay what they are."""
    for id in ids:
        gone = f"gone:{hashlib.sha256(id.encode()).hexdigest()[:32]}"
        for table, names in (
            (rated_games, ("first", "second", "aborted_by")),
            (rating_steps, ("who",)),
        ):
            for name in names:
                connection.execute(sa.update(table).where(table.c[name] == id).values({name: gone}))
        theirs = sa.update(ratings).where(ratings.c.who == id)
        connection.execute(theirs.values(who=gone, shown=shown_as(gone)))
        connection.execute(sa.update(skills).where(skills.c.who == id).values(who=gone))
