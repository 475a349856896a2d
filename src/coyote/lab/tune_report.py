"""The report of tuning: the trade-offs, each a variant that can be played."""

from coyote.games.game import Json
from coyote.lab.figures import NUMBER, SHARE, Bars, Column, Figure, Measure, Series, Table
from coyote.lab.found import facts_of, interval_of, links_to
from coyote.lab.report import Report, Section
from coyote.lab.sweep_report import game_of, move_said
from coyote.lab.tune import Target
from coyote.lab.variants import change_said, command_flags
from coyote.text import Words, game_title

FINE = Measure(digits=2)
WORDS_OF = {
    "first-seat": "lab.sweep.first_seat",
    "draws": "lab.sweep.draws",
    "comebacks": "lab.sweep.comebacks",
    "half-time": "lab.sweep.half_time",
    "forced": "lab.sweep.forced",
    "best-deck": "lab.tune.best_deck",
    "worst-deck": "lab.tune.worst_deck",
    "turns": "lab.sweep.turns",
    "lead-changes": "lab.sweep.lead_changes",
    "behind": "lab.sweep.behind",
    "decisions": "lab.sweep.decisions",
    "choices": "lab.sweep.choices",
}
SIGNS = {"met": "✓", "missed": "✗", "open": "?"}


def report(found: Json, words: Words) -> Report:
    games = [game_of(found, one["options"]) for one in found["front"]]
    base = game_of(found, found["options"])
    labels = [change_said(base, game, words) for game in games]
    targets = [target_of(one) for one in found["targets_wanted"]]
    sections = [
        Section(
            words("lab.tune.front"),
            [words("lab.tune.front_note"), words("lab.tune.curse")],
            [front_table(found, labels, targets, words)],
        ),
        Section(
            words("lab.tune.by_target"),
            figures=[
                target_bars(found, labels, number, target, words) for number, target in enumerate(targets)
            ],
        ),
        Section(words("lab.tune.tried"), figures=[tried_table(found, targets, words)]),
        Section(
            words("lab.tune.how"),
            [f"{label}: {command_flags(game)}" for label, game in zip(labels, games, strict=True)],
            links=links_to(games, found, words),
        ),
    ]
    title = words("lab.tune.title", game=game_title(base, words.lang))
    more = (words("lab.players"), " – ".join(found["bots"]))
    return Report(title, lead(found, targets, words), sections, facts_of(found, words, more))


def lead(found: Json, targets: list[Target], words: Words) -> list[str]:
    wanted = "; ".join(wanted_said(target, words) for target in targets)
    met = sum(all(one["verdict"] == "met" for one in variant["targets"]) for variant in found["front"])
    return [
        words("lab.tune.lead", wanted=wanted),
        words("lab.tune.met", tried=len(found["tried"]), front=len(found["front"]), met=met),
    ]


def target_of(told: Json) -> Target:
    infinite = float("inf")
    return Target(told["name"], told.get("low", -infinite), told.get("high", infinite))


def target_name(target: Target, words: Words) -> str:
    family, _, member = target.name.partition(".")
    match family:
        case "ends":
            return words(f"reason.{member}")
        case "moves":
            return move_said(member, words)
        case "points":
            return words(f"source.{member}")
        case _:
            return words(WORDS_OF[family])


def measure_of(target: Target) -> Measure:
    return SHARE if target.is_share else NUMBER


def wanted_said(target: Target, words: Words) -> str:
    """`Draws at most 5 %`"""
    say, name = measure_of(target).say, target_name(target, words)
    if target.low == -float("inf"):
        return words("lab.tune.at_most", name=name, high=say(target.high, words))
    if target.high == float("inf"):
        return words("lab.tune.at_least", name=name, low=say(target.low, words))
    return words("lab.tune.between", name=name, low=say(target.low, words), high=say(target.high, words))


# ---------------------------------------------------------------- figures


def front_table(found: Json, labels: list[str], targets: list[Target], words: Words) -> Table:
    columns = [
        Column(words("lab.tune.changes")),
        Column(words("lab.tune.size"), NUMBER),
        *(Column(target_name(target, words)) for target in targets),
        Column(words("lab.tune.distance"), FINE),
    ]
    rows = []
    for label, one in zip(labels, found["front"], strict=True):
        cells = [
            f"{SIGNS[told['verdict']]} {value_said(target, told['value'], words)}"
            for target, told in zip(targets, one["targets"], strict=True)
        ]
        rows.append([label, one["size"], *cells, one["fresh"]["distance"]])
    return Table(words("lab.tune.front"), columns, rows, words("lab.tune.signs"))


def value_said(target: Target, value: Json | None, words: Words) -> str:
    known = interval_of(value)
    return "–" if known is None else measure_of(target).whole(known, words)


def target_bars(found: Json, labels: list[str], number: int, target: Target, words: Words) -> Figure:
    """What was measured anew, beside what the variant was chosen for: the difference is luck."""
    anew = [interval_of(one["targets"][number]["value"]) for one in found["front"]]
    chosen = [interval_of(one["values"][number]) for one in found["front"]]
    return Bars(
        wanted_said(target, words),
        labels,
        [Series(words("lab.tune.anew"), anew), Series(words("lab.tune.chosen"), chosen)],
        measure=measure_of(target),
        reference=target.middle,
        label_title=words("lab.tune.changes"),
    )


def tried_table(found: Json, targets: list[Target], words: Words) -> Table:
    columns = [
        Column(words("lab.tune.changes")),
        Column(words("lab.tune.size"), NUMBER),
        *(Column(target_name(target, words), measure_of(target)) for target in targets),
        Column(words("lab.tune.distance"), FINE),
    ]
    base = game_of(found, found["options"])
    rows = [
        [
            change_said(base, game_of(found, one["options"]), words),
            one["size"],
            *map(interval_of, one["values"]),
            one["distance"],
        ]
        for one in sorted(found["tried"], key=lambda one: one["distance"])
    ]
    return Table(words("lab.tune.tried"), columns, rows)
