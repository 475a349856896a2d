"""The report of a sweep: each measure along what was varied, as a picture and a table."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from coyote.games.game import Game, Json
from coyote.lab.figures import (
    COUNT,
    NUMBER,
    POINTS,
    SHARE,
    Bars,
    Column,
    Curves,
    Figure,
    Measure,
    Parts,
    Series,
    Table,
    Value,
)
from coyote.lab.found import facts_of, interval_of, links_to
from coyote.lab.measures import is_rare
from coyote.lab.report import Report, Section
from coyote.lab.variants import change_said, label, made, option_title
from coyote.text import Words, game_title

FINE = Measure(digits=2)
MANY = 16  # variants


class Telling:
    """What was found, with the games of its variants and their labels."""

    def __init__(self, found: Json, words: Words) -> None:
        self.found, self.words = found, words
        self.variants: list[Json] = found["variants"]
        self.games = [game_of(found, one["options"]) for one in self.variants]
        self.varied = list(found["vary"])
        base = game_of(found, found["options"])
        if found["each"]:
            self.labels = [change_said(base, game, words) for game in self.games]
        else:
            self.labels = [label(game, self.varied, words) or words("lab.unchanged") for game in self.games]

    def values(self, *path: str) -> list[Value]:
        """A measure of every variant."""
        return [interval_of(dig(one, path)) for one in self.variants]

    def said(self, number: int, *path: str) -> str:
        """A share of one variant with its interval."""
        known = self.values(*path)[number]
        return "–" if known is None else SHARE.whole(known, self.words)

    # ------------------------------------------------------------ figures

    def figure(
        self,
        title: str,
        *path: str,
        measure: Measure = SHARE,
        reference: float | None = None,
        note: str = "",
        drawn: bool = False,
    ) -> Figure:
        """A measure along the first option that is a number, one curve for each way to set the others.

        Of many variants only what is `drawn` anyway is a picture, lest the page get too large to be sent.
        """
        said_of = self.words(title)
        if self.is_large and not drawn:
            return self.table(title, [(said_of, measure, self.values(*path))])
        along = self.along()
        settings: Any = {"measure": measure, "reference": reference, "note": note}
        if along is None:
            series = [Series(said_of, self.values(*path))]
            return Bars(said_of, self.labels, series, label_title=self.words("lab.variant"), **settings)
        places: list[float | str] = sorted({game.values[along] for game in self.games})
        curves: dict[str, list[Value]] = {}
        others = [name for name in self.varied if name != along]
        for game, value in zip(self.games, self.values(*path), strict=True):
            name = label(game, others, self.words) or said_of
            curve = curves.setdefault(name, [None] * len(places))
            curve[places.index(game.values[along])] = value
        series = [Series(name, values) for name, values in curves.items()]
        title_of = option_title(self.found["game"], along, self.words)
        return Curves(said_of, places, series, along_axis=title_of, **settings)

    @property
    def is_large(self) -> bool:
        return len(self.variants) > MANY

    def along(self) -> str | None:
        """The option that goes from left to right, where one does."""
        if self.found["each"] and len(self.varied) > 1:
            return None
        return next((name for name in self.varied if self.is_number(name)), None)

    def is_number(self, name: str) -> bool:
        return len(self.found["vary"][name]) > 1 and all(isinstance(v, int) for v in self.found["vary"][name])

    def parts(self, title: str, shares: Callable[[Json], dict[str, float]], key: str) -> Figure:
        """What a whole is made of in each variant; `key` with the name of a part are its words."""
        found = [shares(one) for one in self.variants]
        series = [
            Series(self.words(f"{key}.{name}"), [one[name] for one in found])
            for name in found[0]
            if any(one[name] for one in found)
        ]
        if self.is_large:
            return self.table(title, [(one.name, SHARE, one.values) for one in series])
        return Parts(self.words(title), self.labels, series, label_title=self.words("lab.variant"))

    def table(self, title: str, columns: Iterable[tuple[str, Measure, Sequence[Any]]]) -> Table:
        listed = list(columns)
        heads = [Column(self.words("lab.variant")), *(Column(name, measure) for name, measure, _ in listed)]
        rows = [[name, *(values[k] for _, _, values in listed)] for k, name in enumerate(self.labels)]
        return Table(self.words(title), heads, rows)

    # ------------------------------------------------------------ sentences

    def lead(self) -> list[str]:
        words, found = self.words, self.found
        games = words("count.games", n=self.variants[0]["games"])
        lines = [words("lab.sweep.lead", games=games, bots=" – ".join(found["bots"]))]
        if len(self.variants) == 1:
            return lines
        shares = [one["first_seat"]["mean"] for one in self.variants]
        lowest = min(range(len(shares)), key=shares.__getitem__)
        highest = max(reversed(range(len(shares))), key=shares.__getitem__)
        lines.append(
            words(
                "lab.sweep.range",
                low=self.said(lowest, "first_seat"),
                least=self.labels[lowest],
                high=self.said(highest, "first_seat"),
                most=self.labels[highest],
            )
        )
        if not found["settled"]:
            lines.append(words("lab.sweep.open", within=100 * found["within"]))
        return lines


def game_of(found: Json, options: Json) -> Game:
    """The game of a variant; a set of one's own has no part in how it is called."""
    return made({"game": found["game"], "rules": found["rules"], "options": options})[0]


def dig(found: Any, path: Sequence[str]) -> Any:
    for key in path:
        found = found and found[key]
    return found


# ---------------------------------------------------------------- the report


def report(found: Json, words: Words) -> Report:
    telling = Telling(found, words)
    sections = [first_seat(telling), ends(telling), length(telling), course(telling)]
    if any(points_shares(one) for one in telling.variants):
        sections.append(Section(words("lab.sweep.points"), figures=[points(telling)]))
    sections += [choices(telling), moves(telling)]
    if links := links_to(telling.games, found, words):
        sections.append(Section(words("lab.play"), links=links))
    title = game_title(game_of(found, found["options"]), words.lang)
    named = ", ".join(option_title(found["game"], name, words) for name in telling.varied)
    heading = words("lab.sweep.title", game=title, varied=named) if named else title
    more = (words("lab.players"), " – ".join(found["bots"]))
    return Report(heading, telling.lead(), sections, facts_of(found, words, more))


def first_seat(telling: Telling) -> Section:
    words = telling.words
    figures = [telling.figure("lab.sweep.first_seat", "first_seat", reference=0.5)]
    if len(telling.variants) > 1:
        base = telling.labels[telling.found["base"]]
        note = words("lab.sweep.paired", base=base)
        figures.append(
            telling.figure(
                "lab.sweep.difference", "difference", measure=POINTS, reference=0, note=note, drawn=True
            )
        )
    return Section(words("lab.sweep.seats"), figures=figures)


def ends(telling: Telling) -> Section:
    def shares(one: Json) -> dict[str, float]:
        return {name: share["mean"] for name, share in one["ends"].items()}

    return Section(
        telling.words("lab.sweep.ends"),
        figures=[
            telling.parts("lab.sweep.reasons", shares, "reason"),
            telling.figure("lab.sweep.draws", "draws"),
        ],
    )


def length(telling: Telling) -> Section:
    words = telling.words
    spread = [
        (words(key), measure, [float(one["turns"][name]) for one in telling.variants])
        for name, key, measure in (
            ("spread", "lab.sweep.spread", NUMBER),
            ("p10", "lab.sweep.p10", COUNT),
            ("median", "lab.sweep.median", COUNT),
            ("p90", "lab.sweep.p90", COUNT),
        )
    ]
    return Section(
        words("lab.sweep.length"),
        figures=[
            telling.figure("lab.sweep.turns", "turns", measure=NUMBER),
            telling.table("lab.sweep.spread_title", spread),
        ],
    )


def course(telling: Telling) -> Section:
    words = telling.words
    columns = [
        (words("lab.sweep.lead_changes"), FINE, telling.values("lead_changes")),
        (words("lab.sweep.comebacks"), SHARE, telling.values("comebacks")),
        (words("lab.sweep.behind"), FINE, telling.values("behind")),
        (words("lab.sweep.half_time"), SHARE, telling.values("half_time")),
    ]
    figures = [telling.figure("lab.sweep.half_time", "half_time"), telling.table("lab.sweep.course", columns)]
    return Section(words("lab.sweep.course"), [words("lab.sweep.course_note")], figures)


def points_shares(one: Json) -> dict[str, float]:
    """What part of all points comes from where; nothing where no points are counted."""
    means = {name: (known or {"mean": 0.0})["mean"] for name, known in one["points"].items()}
    whole = sum(means.values())
    return {name: mean / whole for name, mean in means.items()} if whole else {}


def points(telling: Telling) -> Figure:
    return telling.parts("lab.sweep.points", points_shares, "source")


def choices(telling: Telling) -> Section:
    words = telling.words
    columns = [
        (words("lab.sweep.decisions"), NUMBER, telling.values("decisions")),
        (words("lab.sweep.choices"), NUMBER, telling.values("choices")),
        (words("lab.sweep.forced"), SHARE, telling.values("forced")),
    ]
    paragraphs = []
    if telling.found["weighed"]:
        columns += [
            (words("lab.sweep.best_second"), POINTS, telling.values("matters", "second")),
            (words("lab.sweep.best_mean"), POINTS, telling.values("matters", "mean")),
        ]
        paragraphs = [words("lab.sweep.weighed", n=telling.found["weighed"])]
    return Section(
        words("lab.sweep.choices_title"), paragraphs, [telling.table("lab.sweep.choices_title", columns)]
    )


def moves(telling: Telling) -> Section:
    words = telling.words
    kinds = {kind: move_said(kind, words) for kind in telling.variants[0]["moves"]}
    columns = [(said, SHARE, telling.values("moves", kind, "share")) for kind, said in kinds.items()]
    paragraphs = [words("lab.sweep.moves_note")]
    for name, one in zip(telling.labels, telling.variants, strict=True):
        if rare := [said for kind, said in kinds.items() if is_rare(one["moves"][kind])]:
            paragraphs.append(words("lab.sweep.rare", variant=name, moves=rare))
    return Section(words("lab.sweep.moves"), paragraphs, [telling.table("lab.sweep.moves", columns)])


def move_said(kind: str, words: Words) -> str:
    """What a kind of move is called; games from elsewhere have no words here."""
    key = f"lab.moves.{kind}"
    return words(key) if words.knows(key) else kind
