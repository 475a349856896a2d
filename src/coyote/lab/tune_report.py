"""The report of tuning: the trade-offs, each a variant or a set of cards that can be played."""

import shlex

from coyote.games.game import Game, Json
from coyote.lab.amounts import cards_said
from coyote.lab.figures import NUMBER, SHARE, Bars, Column, Figure, Measure, Series, Table
from coyote.lab.found import facts_of, interval_of, links_to
from coyote.lab.report import Report, Section
from coyote.lab.sweep_report import game_of, move_said
from coyote.lab.tune import Target
from coyote.lab.variants import changes_of, command_flags, label
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
    "best-pairing": "lab.tune.best_pairing",
    "turns": "lab.sweep.turns",
    "lead-changes": "lab.sweep.lead_changes",
    "behind": "lab.sweep.behind",
    "decisions": "lab.sweep.decisions",
    "choices": "lab.sweep.choices",
}
SIGNS = {"met": "✓", "missed": "✗", "open": "?"}


def report(found: Json, words: Words) -> Report:
    base = game_of(found, found["options"])
    labels = [changes_said(base, one, found, words) for one in found["front"]]
    targets = [target_of(one) for one in found["targets_wanted"]]
    sections = [
        Section(
            words("lab.tune.front"),
            [words("lab.tune.front_note"), words("lab.tune.curse")],
            [front_table(found, labels, targets, words)],
        ),
        *([cards_section(found, labels, words)] if any(map(cards_of, found["front"])) else []),
        Section(
            words("lab.tune.by_target"),
            figures=[
                target_bars(found, labels, number, target, words) for number, target in enumerate(targets)
            ],
        ),
        Section(words("lab.tune.tried"), figures=[tried_table(found, targets, words)]),
        how_section(found, labels, words),
    ]
    title = words("lab.tune.title", game=game_title(base, words.lang))
    more = (words("lab.players"), " – ".join(found["bots"]))
    return Report(title, lead(found, targets, words), sections, facts_of(found, words, more))


def changes_said(base: Game, one: Json, found: Json, words: Words) -> str:
    """`60 health · Ember 12 → 10`, or that nothing differs."""
    game = game_of(found, one["options"])
    parts = [label(game, list(changes_of(base, game)), words), cards_said(cards_of(one), words)]
    return " · ".join(part for part in parts if part) or words("lab.unchanged")


def cards_of(one: Json) -> list[Json]:
    """The cards that are not as they were."""
    cards: list[Json] = one.get("cards", [])
    return cards


def cards_section(found: Json, labels: list[str], words: Words) -> Section:
    """What the cards of each trade-off said, and say now."""
    rows = [
        [said, card["title"][words.lang], *(text[words.lang] for text in card["text"])]
        for said, one in zip(labels, found["front"], strict=True)
        for card in cards_of(one)
    ]
    heads = ("lab.tune.changes", "lab.tune.card", "lab.tune.before", "lab.tune.now")
    table = Table(words("lab.tune.cards"), [Column(words(head)) for head in heads], rows)
    return Section(words("lab.tune.cards"), figures=[table])


def how_section(found: Json, labels: list[str], words: Words) -> Section:
    """How each trade-off is played: flags, links, and a set file with codes of the decks for it."""
    entries = list(zip(labels, found["front"], strict=True))
    games = [game_of(found, one["options"]) for one in found["front"] if not cards_of(one)]
    rows = [
        [one["set"]["file"], name, code]
        for one in found["front"]
        for name, code in one.get("set", {}).get("codes", {}).items()
    ]
    heads = [Column(words("lab.tune.set")), Column(words("lab.decks.deck")), Column(words("lab.decks.code"))]
    return Section(
        words("lab.tune.how"),
        [f"{said}: {how(one, found, words)}" for said, one in entries],
        [Table(words("lab.tune.codes"), heads, rows)] if rows else [],
        links=links_to(games, found, words),
    )


def how(one: Json, found: Json, words: Words) -> str:
    flags = command_flags(game_of(found, one["options"]))
    if "set" not in one:
        return words("lab.tune.no_set") if cards_of(one) else flags or f"coyote play {found['game']}"
    decks = zip(("--deck", "--their-deck"), one["set"]["codes"].values(), strict=False)
    chosen = [part for pair in decks for part in pair]
    return shlex.join(["coyote", "play", found["game"], "--set", one["set"]["file"], *chosen, *flags.split()])


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
    for said, one in zip(labels, found["front"], strict=True):
        cells = [
            f"{SIGNS[told['verdict']]} {value_said(target, told['value'], words)}"
            for target, told in zip(targets, one["targets"], strict=True)
        ]
        rows.append([said, one["size"], *cells, one["fresh"]["distance"]])
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
            changes_said(base, one, found, words),
            one["size"],
            *map(interval_of, one["values"]),
            one["distance"],
        ]
        for one in sorted(found["tried"], key=lambda one: one["distance"])
    ]
    return Table(words("lab.tune.tried"), columns, rows)
