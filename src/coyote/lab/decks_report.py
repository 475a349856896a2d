"""The report of the question `decks`: the matrix, each deck against the field, the mix, the answers to it."""

from collections.abc import Iterator

from coyote.games.duel.game import Duel
from coyote.games.game import Json
from coyote.lab.decklists import deck_title
from coyote.lab.figures import COUNT, NUMBER, SHARE, Bars, Column, HeatMap, Link, Series, Table
from coyote.lab.found import facts_of, in_words, interval_of
from coyote.lab.report import Report, Section, play_link
from coyote.lab.stats import Interval
from coyote.text import Words

ENDS = ("mean", "low", "high")


def report(found: Json, words: Words) -> Report:
    last = found.get("at_last")
    sections = [matrix(found, words), field(found, words), equilibrium(found, words)]
    if found["answers"]:
        sections.append(answers(found, words))
    if last:
        sections.append(at_last(last, words))
    sections.append(decks(last or found, found, words))
    title = words("lab.decks.title", decks=len(found["names"]), bot=found["bot"])
    return Report(title, list(lead(found, words)), sections, facts_of(found, words))


# ---------------------------------------------------------------- what is said


def names_of(found: Json, words: Words) -> list[str]:
    return [deck_title(name, words) for name in found["names"]]


def lead(found: Json, words: Words) -> Iterator[str]:
    names, shares = names_of(found, words), [share["mean"] for share in found["field"]]
    weakest, strongest = shares.index(min(shares)), shares.index(max(shares))
    yield words("lab.decks.lead", games=words("count.games", n=found["played"]), bot=found["bot"])
    yield words(
        "lab.decks.range",
        weakest=names[weakest],
        low=in_words(found["field"][weakest], SHARE, words),
        strongest=names[strongest],
        high=in_words(found["field"][strongest], SHARE, words),
    )
    winner, loser, share = most_uneven(found)
    yield words(
        "lab.decks.uneven",
        winner=names[winner],
        loser=names[loser],
        share=in_words(share, SHARE, words),
    )
    yield words("lab.decks.drawn", share=SHARE.say(drawn(found), words))
    if found["answers"]:
        best = max(found["answers"], key=lambda answer: float(answer["share"]["mean"]))
        yield words("lab.decks.best", share=in_words(best["share"], SHARE, words))


def most_uneven(found: Json) -> tuple[int, int, Json]:
    """The pairing with the clearest winner: winner, loser, the winner's share."""
    pairs = [(i, j, share) for i, row in enumerate(found["matrix"]) for j, share in enumerate(row) if share]
    return max(pairs, key=lambda pair: float(pair[2]["mean"]))


def drawn(found: Json) -> float:
    """The share of games without a winner, each pairing as likely."""
    shares: list[float] = [share for row in found["draws"] for share in row if share is not None]
    return sum(shares) / len(shares)


def card_title(card: str, titles: Json, words: Words) -> str:
    return str(titles[card][words.lang])


# ---------------------------------------------------------------- sections


def matrix(found: Json, words: Words) -> Section:
    names = names_of(found, words)
    cells = [[interval_of(share) for share in row] for row in found["matrix"]]
    shown = HeatMap(
        words("lab.decks.matrix_title"),
        names,
        names,
        cells,
        reach=0.4,
        row_title=words("lab.decks.deck"),
        column_title=words("lab.decks.against"),
    )
    return Section(words("lab.decks.matrix_title"), [words("lab.decks.matrix_note")], [shown])


def field(found: Json, words: Words) -> Section:
    shares = [interval_of(share) for share in found["field"]]
    shown = Bars(
        words("lab.decks.field_title"),
        names_of(found, words),
        [Series(words("lab.decks.share"), shares)],
        reference=0.5,
        label_title=words("lab.decks.deck"),
    )
    cards = [card_title(card, found["titles"], words) for card in found["in_every_good"]]
    common = words("lab.decks.in_every_good", cards=", ".join(cards)) if cards else words("lab.decks.in_none")
    return Section(words("lab.decks.field_title"), [words("lab.decks.field_note"), common], [shown])


def equilibrium(found: Json, words: Words) -> Section:
    mixes, names = found["equilibrium"], names_of(found, words)
    weights = [interval_of(weight) for weight in mixes["weights"]]
    shown = Bars(
        words("lab.decks.mix_title"),
        names,
        [Series(words("lab.decks.weight"), weights)],
        label_title=words("lab.decks.deck"),
    )
    columns = [
        Column(words("lab.decks.deck")),
        Column(words("lab.decks.weight"), SHARE),
        Column(words("lab.decks.support"), SHARE),
        Column(words("lab.decks.against_mix"), SHARE),
    ]
    rows = [
        [name, weight, support, interval_of(score)]
        for name, weight, support, score in zip(
            names, weights, mixes["support"], mixes["scores"], strict=True
        )
    ]
    said = words(
        "lab.decks.mix_note",
        variety=in_words(mixes["variety"], NUMBER, words),
        share=SHARE.whole(Interval(*(0.5 + mixes["exploitability"][end] for end in ENDS)), words),
    )
    table = Table(words("lab.decks.mix_table"), columns, rows)
    return Section(words("lab.decks.mix_title"), [said], [shown, table])


def answers(found: Json, words: Words) -> Section:
    labels = [answer_title(number, words) for number in range(1, len(found["answers"]) + 1)]
    shares = [interval_of(answer["share"]) for answer in found["answers"]]
    shown = Bars(
        words("lab.decks.answers_bars"),
        labels,
        [Series(words("lab.decks.share"), shares)],
        reference=0.5,
        label_title=words("lab.decks.answer_head"),
    )
    columns = [
        Column(words("lab.decks.answer_head")),
        Column(words("lab.decks.share"), SHARE),
        Column(words("lab.decks.seemed"), SHARE),
        Column(words("lab.decks.tried"), COUNT),
        Column(words("lab.decks.searched"), COUNT),
        Column(words("lab.decks.checked"), COUNT),
    ]
    rows = [
        [label, share, *(answer[key] for key in ("seemed", "tried", "searched", "checked"))]
        for label, share, answer in zip(labels, shares, found["answers"], strict=True)
    ]
    listed = [
        words("lab.decks.answer_list", answer=label, cards=card_list(answer, words), code=answer["code"])
        for label, answer in zip(labels, found["answers"], strict=True)
    ]
    table = Table(words("lab.decks.answers_table"), columns, rows)
    said = [words("lab.decks.answers_note"), *listed]
    return Section(words("lab.decks.answers_title"), said, [shown, table])


def answer_title(number: int, words: Words) -> str:
    return words("lab.decks.answer", number=number)


def card_list(answer: Json, words: Words) -> str:
    """`2 Ember, Oasis`"""
    named = [(copies, card_title(card, answer["titles"], words)) for card, copies in answer["cards"].items()]
    return ", ".join(title if copies == 1 else f"{copies} {title}" for copies, title in named)


def at_last(last: Json, words: Words) -> Section:
    """The mix once all answers have joined the decks."""
    names = joined_names(last, words)
    weights = [interval_of(weight) for weight in last["equilibrium"]["weights"]]
    shown = Bars(
        words("lab.decks.at_last"),
        names,
        [Series(words("lab.decks.weight"), weights)],
        label_title=words("lab.decks.deck"),
    )
    return Section(words("lab.decks.at_last"), [words("lab.decks.at_last_note")], [shown])


def joined_names(last: Json, words: Words) -> list[str]:
    """Answers are called by their number."""
    return [
        answer_title(int(name.split()[1]), words) if name.startswith("answer ") else deck_title(name, words)
        for name in last["names"]
    ]


def decks(last: Json, found: Json, words: Words) -> Section:
    """Codes, and where each deck can be played."""
    rows = list(zip(joined_names(last, words), last["codes"], strict=True))
    table = Table(
        words("lab.decks.codes"),
        [Column(words("lab.decks.deck")), Column(words("lab.decks.code"))],
        rows,
    )
    links = []
    if "table" in found:
        game = Duel(**Duel.known(found["options"]))
        links = [Link(name, play_link(found["table"], game, deck=code)) for name, code in rows]
    return Section(words("lab.decks.codes"), [], [table], links)
