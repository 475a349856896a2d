"""The report of a preview: which finished games would have gone differently, and where that is unknown."""

from coyote.games.game import Json
from coyote.lab.figures import COUNT, SHARE, Bars, Cell, Column, HeatMap, Histogram, Series, Table
from coyote.lab.found import facts_of, interval_of
from coyote.lab.preview import SAME, VERDICTS
from coyote.lab.report import Report, Section
from coyote.text import Words, titles_of

EXAMPLES = 12  # of games that went differently


def report(found: Json, words: Words) -> Report:
    sections = [
        Section(words("lab.preview.fates"), [words("lab.preview.caution")], [fates(found, words)]),
    ]
    if any(map(any, found["winners"])):
        sections.append(Section(words("lab.preview.winners"), figures=[winners(found, words)]))
    if found["first"]:
        sections.append(where(found, words))
    if found["rules"]:
        sections.append(Section(words("lab.preview.illegal_title"), figures=[rules(found, words)]))
    if told := examples(found, words):
        sections.append(Section(words("lab.preview.examples"), figures=[told]))
    changed = titles_of(found["game"], found["options"])["en" if words.lang == "en" else "ru"]
    title = words("lab.preview.title", changed=changed, path=found["records"])
    return Report(title, lead(found, words), sections, facts_of(found, words))


def lead(found: Json, words: Words) -> list[str]:
    verdicts = found["verdicts"]
    games = words("count.games", n=found["total"])
    lines = [words("lab.preview.lead", games=games, same=verdicts[SAME])]
    if changes := interval_of(found["winner_changes"]):
        lines.append(words("lab.preview.changes", share=SHARE.whole(changes, words)))
    return lines


def verdict_said(verdict: str, words: Words) -> str:
    return words(f"lab.preview.{verdict}")


def fates(found: Json, words: Words) -> Bars:
    told = [verdict for verdict in VERDICTS if found["shares"].get(verdict) and found["verdicts"][verdict]]
    return Bars(
        words("lab.preview.fates"),
        [verdict_said(verdict, words) for verdict in told],
        [Series(words("lab.preview.share"), [interval_of(found["shares"][verdict]) for verdict in told])],
        label_title=words("lab.preview.fate"),
    )


def winners(found: Json, words: Words) -> HeatMap:
    """Who won before, and who wins now, where that is known; as shares of each row."""
    names = [words("lab.preview.seat", seat=0), words("lab.preview.seat", seat=1), words("simulate.draw")]
    cells = [[n / sum(row) if sum(row) else None for n in row] for row in found["winners"]]
    return HeatMap(
        words("lab.preview.winners"),
        names,
        names,
        cells,
        row_title=words("lab.preview.before"),
        column_title=words("lab.preview.after"),
    )


def where(found: Json, words: Words) -> Section:
    """From which turn on games differ, and in what first."""
    turns = dict(found["turns"])
    start, last = min(turns), max(turns)
    counts = [turns.get(turn, 0) for turn in range(start, last + 1)]
    series = [Series(words("lab.preview.games"), counts)]
    columns = [Column(words("lab.preview.part")), Column(words("lab.preview.games"), COUNT)]
    parts: list[list[Cell]] = [[part_said(key, words), n] for key, n in found["first"].items()]
    return Section(
        words("lab.preview.where"),
        figures=[
            Histogram(words("lab.preview.turns"), start, series, axis=words("lab.preview.turn")),
            Table(words("lab.preview.what"), columns, parts),
        ],
    )


def part_said(key: str, words: Words) -> str:
    """What of a situation differs; games from elsewhere have no words here."""
    name = f"lab.part.{key}"
    return words(name) if words.knows(name) else key


def rules(found: Json, words: Words) -> Table:
    columns = [Column(words("lab.preview.rule")), Column(words("lab.preview.games"), COUNT)]
    return Table(
        words("lab.preview.illegal_title"), columns, [[rule, n] for rule, n in found["rules"].items()]
    )


def examples(found: Json, words: Words) -> Table | None:
    """The first games of which there is something to tell."""
    told = [game for game in found["games"] if "event" in game or "why" in game][:EXAMPLES]
    if not told:
        return None
    columns = [Column(words(key)) for key in (
        "lab.preview.game", "lab.preview.fate", "lab.preview.from_event",
        "lab.preview.event_was", "lab.preview.event_now", "lab.preview.why",
    )]  # fmt: skip
    rows: list[list[Cell]] = []
    for game in told:
        event = game.get("event", {})
        rows.append(
            [
                str(game["game"]),
                verdict_said(game["verdict"], words),
                str(event["number"]) if event else None,
                said(event.get("was"), words),
                said(event.get("now"), words),
                said(game.get("why"), words),
            ]
        )
    return Table(words("lab.preview.examples"), columns, rows)


def said(text: Json | None, words: Words) -> str | None:
    return str(text[words.lang]) or None if text else None
