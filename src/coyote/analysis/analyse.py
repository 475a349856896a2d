"""The analysis of a finished game: what each decision was worth, what was luck, and what could be known.

A label is given only where it is sure: where the whole interval of what a move cost lies beyond its
threshold.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any

from coyote.analysis.analyst import ANALYSTS, Analyst, Judged, Said
from coyote.analysis.luck import Luck, Moment, luck_of
from coyote.analysis.values import Estimate, Values, rounded
from coyote.bots.hints import move_words
from coyote.bots.minds import mind_of
from coyote.games.game import Json
from coyote.match import Match
from coyote.records import follow
from coyote.text import LANGUAGES, Refused, Words

FORMAT = "coyote-analysis/1"
SIMULATIONS = 10_000  # a decision
FEWEST, MOST = 200, 100_000

# What a move must cost at least, in chances to win.
INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.15
GRADES = ((BLUNDER, "blunder"), (MISTAKE, "mistake"), (INACCURACY, "inaccuracy"))
LABELS = ("fine", "inaccuracy", "mistake", "blunder", "unknowable", "forced")
UNKNOWABLE = 0.10  # by what was; and by what was known less than an inaccuracy
FORTUNE = 0.10  # that chance must have done to be named
FORTUNES = ("lucky", "unlucky")
POINTS = 100.0  # of a chance to win

Tell = Callable[[int, int], None]  # how many decisions are done, of how many


class AnalysisError(Refused):
    """A game that cannot be analysed."""


def analyse(record: Json, simulations: int = SIMULATIONS, tell: Tell = lambda done, of: None) -> Json:
    """All that is said of a finished game, as JSON with its sentences in every language.

    AnalysisError where the game is not over; Difference where the record is none of the rules'.
    """
    working = step_by_step(record, simulations)
    while True:
        try:
            tell(next(working), len(record["moves"]))
        except StopIteration as end:
            found: Json = end.value
            return found


def step_by_step(record: Json, simulations: int = SIMULATIONS) -> Generator[int, None, Json]:
    """The same, in as many steps as there are moves: each time, how many are done."""
    check(record)
    followed = follow(record)
    analyst = ANALYSTS[record["game"]](record, simulations)
    luck = settled(luck_of(followed), record["result"])
    match, moves = analyst.match, record["moves"]
    entries = []
    for number, (seat, move) in enumerate(moves, 1):
        moment = luck.moments[number - 1] if number <= len(luck.moments) else None
        entries.append(Entry(analyst, match, number, seat, move).told(moment, luck.error))
        match.play(move, seat)
        yield number
    return {
        "format": FORMAT,
        "game": record["game"],
        "options": record["options"],
        "players": record["players"],
        "result": record["result"],
        "simulations": simulations,
        "thresholds": {"inaccuracy": INACCURACY, "mistake": MISTAKE, "blunder": BLUNDER},
        "curve": curve(luck),
        "luck": {key: rounded_all(value) for key, value in luck.as_json().items()},
        "decisions": entries,
        "seats": [{**summary(entries, luck, seat), "habit": analyst.habit(seat)} for seat in range(2)],
    }


def check(record: Json) -> None:
    """Only what is over is looked back on."""
    if record.get("result") is None:
        raise AnalysisError("analysis.running")
    if record.get("game") not in ANALYSTS:
        raise AnalysisError("analysis.no_analyst", game=str(record.get("game"))[:40])


def settled(luck: Luck, result: Json) -> Luck:
    """Where players ended a game and not the rules, what was left of it counts as the rest."""
    points = 0.5 if result["winner"] is None else 1.0 - result["winner"]
    return replace(luck, rest=luck.rest + points - luck.result, result=points)


def curve(luck: Luck) -> list[float]:
    """Seat 0's chance to win after the deal and after every move."""
    dealt = [luck.moments[0].before] if luck.moments else [luck.result]
    return [rounded(chance) for chance in (*dealt, *(moment.after for moment in luck.moments))]


def rounded_all(value: Any) -> Any:
    return [rounded(one) for one in value] if isinstance(value, list) else rounded(value)


# ---------------------------------------------------------------- one decision


class Entry:
    """A move on its way into the analysis; `match` is before it."""

    def __init__(self, analyst: Analyst, match: Match, number: int, seat: int, move: str) -> None:
        self.analyst, self.match, self.number, self.seat, self.move = analyst, match, number, seat, move
        made = match.game.read_move(move)
        assert made is not None
        self.made = made
        self.judged: Judged = analyst.judge(match, number, seat, made)

    def told(self, moment: Moment | None, error: float) -> Json:
        known, real = self.judged.known, self.judged.real
        luck = self.luck(moment)
        label = label_of(known, real, self.made)
        fortune = fortune_of(luck, error, label)
        said, rule = self.said(label, fortune, luck)
        return {
            "move": self.number,
            "turn": self.match.turn,
            "seat": self.seat,
            "wanted": self.match.wanted,
            "made": self.move,
            "label": label,
            "fortune": fortune,
            "known": self.part(known),
            "real": self.part(real),
            "habit": self.part(self.judged.habit),
            "moves": self.moves(),
            "luck": rounded(luck),
            "rule": rule,
            "words": {
                lang: self.beside_habit(Words(lang)) + self.sentence(said, rule, Words(lang))
                for lang in LANGUAGES
            },
            "hidden": self.analyst.hidden(self.match, self.seat, self.number),
        }

    def luck(self, moment: Moment | None) -> float:
        """What chance did after this move, for its own seat."""
        if moment is None:
            return 0.0
        return moment.luck if self.seat == 0 else -moment.luck

    def part(self, values: Values | None) -> Json | None:
        if values is None:
            return None
        best = values.best()
        return {
            "made": rounded(values.mean(self.made)),
            "best": rounded(values.mean(best)),
            "best_move": self.match.game.move_text(best),
            "loss": values.loss(self.made).as_json(),
        }

    def moves(self) -> list[Json]:
        """The moves that were looked at, by what could be known the best first."""
        known, real, mixture = self.judged.known, self.judged.real, self.judged.mixture
        habit = self.judged.habit
        if known is None:
            return []
        listed = known.in_order() + [
            one for one in (real.in_order() if real else []) if one not in known.batches
        ]
        return [
            {
                "move": (move := self.match.game.move_text(action)),
                "words": {lang: move_words(self.match.game, move, Words(lang)) for lang in LANGUAGES},
                "known": rounded(known.mean(action)) if action in known.batches else None,
                "real": rounded(real.mean(action)) if real and action in real.batches else None,
                **({"share": rounded(mixture[action])} if action in mixture else {}),
                **({"habit": rounded(habit.mean(action))} if habit else {}),
            }
            for action in listed
        ]

    # ------------------------------------------------------------ in words

    def said(self, label: str, fortune: str | None, luck: float) -> tuple[Said, str]:
        """One clause about the move, and its rule."""
        known, real = self.judged.known, self.judged.real
        rule = self.analyst.rule(self.move)
        if fortune is not None:
            return (f"analysis.said.{fortune}", {"points": POINTS * abs(luck)}), rule
        if label == "forced" or known is None:
            return ("analysis.said.forced", {}), rule
        if label == "unknowable" and real is not None:
            return self.better("analysis.said.unknowable", real), rule
        if label == "fine":
            why = mind_of(self.match.game).reason(self.match.view(self.seat), self.seat, self.move)
            return why or ("analysis.said.fine", {}), rule
        best = self.match.game.move_text(known.best())
        what, rule = self.analyst.fault(self.match, self.seat, self.move, best)
        key, values = self.better("analysis.said.loss", known)
        return (key, {**values, "what": what}), rule

    def better(self, key: str, values: Values) -> Said:
        best = self.match.game.move_text(values.best())
        return key, {"best": best, "points": POINTS * values.loss(self.made).mean}

    def beside_habit(self, words: Words) -> str:
        """What another move would have brought against this opponent, where that is sure."""
        habit = self.judged.habit
        if habit is None or habit.loss(self.made).low < INACCURACY:
            return ""
        key, values = self.better("analysis.said.habit", habit)
        best = move_words(self.match.game, values["best"], words)
        return words(key, **{**values, "best": best}) + " "

    def sentence(self, said: Said, rule: str, words: Words) -> str:
        key, values = said
        filled = dict(values)
        if "best" in filled:
            filled["best"] = move_words(self.match.game, filled["best"], words)
        if "what" in filled:
            what, inner = filled["what"]
            filled["what"] = words(what, **inner)
        text = words(key, **filled)
        return f"{text[0].upper()}{text[1:]} ({rule})."


def label_of(known: Values | None, real: Values | None, made: int) -> str:
    if known is None:
        return "forced"
    loss = known.loss(made)
    for least, grade in GRADES:
        if loss.low >= least:
            return grade
    if real is not None and is_unknowable(loss, real.loss(made)):
        return "unknowable"
    return "fine"


def is_unknowable(loss: Estimate, missed: Estimate) -> bool:
    """Right with what was known, and wrong with the cards that were there."""
    return loss.mean < INACCURACY and missed.low >= UNKNOWABLE


def fortune_of(luck: float, error: float, label: str) -> str | None:
    """What chance did after a move that was not wrong, where that is much and sure; `error` is that of the
    luck of a whole game, so it is more than enough."""
    if abs(luck) - error < FORTUNE or label not in ("fine", "forced"):
        return None
    return "lucky" if luck > 0 else "unlucky"


# ---------------------------------------------------------------- the whole game


def summary(entries: Sequence[Json], luck: Luck, seat: int) -> Json:
    """What one seat did, and what was done to it; luck and decisions are from its own side."""
    own = [entry for entry in entries if entry["seat"] == seat]
    chosen = [entry for entry in own if entry["known"] is not None]
    sign = 1 if seat == 0 else -1
    return {
        "decisions": len(chosen),
        "accuracy": rounded(accuracy(chosen)),
        "lost": rounded(sum(max(0.0, entry["known"]["loss"]["mean"]) for entry in chosen)),
        "labels": {label: sum(entry["label"] == label for entry in own) for label in LABELS},
        "fortunes": {one: sum(entry["fortune"] == one for entry in own) for one in FORTUNES},
        "luck": {
            "deal": rounded(sign * luck.deal),
            "later": rounded(sign * luck.later),
            "total": rounded(sign * luck.total),
        },
        "decided": rounded(sign * luck.decisions[seat]),
    }


def accuracy(chosen: Sequence[Json]) -> float:
    """How much of the best chance the moves kept: the mean of made over best."""
    kept = [
        min(1.0, entry["known"]["made"] / entry["known"]["best"]) if entry["known"]["best"] > 0 else 1.0
        for entry in chosen
    ]
    return sum(kept) / len(kept) if kept else 1.0
