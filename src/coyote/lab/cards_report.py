"""The report of the question `cards`: what each card is worth, and what those find who only watch."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from coyote.games.game import Json
from coyote.lab.decklists import deck_title
from coyote.lab.figures import COUNT, POINTS, SHARE, Bars, Cell, Column, Series, Table
from coyote.lab.found import facts_of, in_words, interval_of
from coyote.lab.report import Report, Section
from coyote.text import Words


def report(found: Json, words: Words) -> Report:
    sections = [deck_section(one, words) for one in found["found"]]
    if len(found["found"]) > 1:
        sections.append(over_all(found, words))
    names = ", ".join(deck_title(name, words) for name in found["decks"])
    title = words("lab.cards.title", decks=names if len(found["decks"]) < 4 else len(found["decks"]))
    return Report(title, list(lead(found, words)), sections, facts_of(found, words))


def lead(found: Json, words: Words) -> Iterator[str]:
    yield words("lab.cards.lead", bot=found["bot"], opponents=len(found["against"]))
    for one in found["found"]:
        name, best = deck_title(one["name"], words), one["cards"][0]
        worth = in_words(best["worth"], POINTS, words)
        yield words("lab.cards.best", deck=name, name=title_of(best, words), worth=worth)
        if dead := [card for card in one["cards"] if is_dead(card)]:
            cards = ", ".join(title_of(card, words) for card in dead)
            yield words("lab.cards.dead", deck=name, cards=cards)


def title_of(card: Json, words: Words) -> str:
    return str(card["title"][words.lang])


def is_dead(card: Json) -> bool:
    """Whether a blank may be as good."""
    return float(card["worth"]["low"]) <= 0


# ---------------------------------------------------------------- one deck


def deck_section(one: Json, words: Words) -> Section:
    cards, labels = one["cards"], [title_of(card, words) for card in one["cards"]]
    worth = [interval_of(card["worth"]) for card in cards]
    shown = Bars(
        words("lab.cards.worth_title"),
        labels,
        [Series(words("lab.cards.worth"), worth)],
        measure=POINTS,
        reference=0.0,
        label_title=words("lab.cards.card"),
    )
    said = [
        words(
            "lab.cards.deck_note",
            share=in_words(one["share"], SHARE, words),
            games=words("count.games", n=one["games"]),
        ),
        words("lab.cards.watched_note"),
    ]
    return Section(deck_title(one["name"], words), said, [shown, card_table(one, words)])


def card_table(one: Json, words: Words) -> Table:
    """Worth, what the nearest cards would do in its place, and the share when drawn."""
    columns = [
        Column(words("lab.cards.card")),
        Column(words("lab.cards.copies"), COUNT),
        Column(words("lab.cards.worth"), POINTS),
        Column(words("lab.cards.instead")),
        Column(words("lab.cards.when_drawn"), SHARE),
        Column(words("lab.cards.seems"), POINTS),
        Column(words("lab.cards.drawn"), COUNT),
    ]
    rows = [
        [
            title_of(card, words),
            card["copies"],
            interval_of(card["worth"]),
            "; ".join(instead(other, words) for other in card["instead"]) or None,
            interval_of(card["when_drawn"]),
            card["when_drawn"]["mean"] - one["share"]["mean"],
            card["drawn"],
        ]
        for card in one["cards"]
    ]
    return Table(words("lab.cards.table"), columns, rows)


def instead(other: Json, words: Words) -> str:
    more = in_words(other["more"], POINTS, words)
    return words("lab.cards.than", name=title_of(other, words), more=more)


# ---------------------------------------------------------------- all decks together


def over_all(found: Json, words: Words) -> Section:
    """Each card over all decks that have it, and how well watching agrees with exchanging."""
    worth: dict[str, list[float]] = defaultdict(list)
    seems: dict[str, list[float]] = defaultdict(list)
    titles = {card["id"]: title_of(card, words) for one in found["found"] for card in one["cards"]}
    for one in found["found"]:
        for card in one["cards"]:
            worth[card["id"]].append(card["worth"]["mean"])
            seems[card["id"]].append(card["when_drawn"]["mean"] - one["share"]["mean"])
    rows: list[list[Cell]] = [
        [titles[card], len(values), float(np.mean(values)), float(np.mean(seems[card]))]
        for card, values in sorted(worth.items(), key=lambda entry: -np.mean(entry[1]))
    ]
    columns = [
        Column(words("lab.cards.card")),
        Column(words("lab.cards.decks"), COUNT),
        Column(words("lab.cards.worth"), POINTS),
        Column(words("lab.cards.seems"), POINTS),
    ]
    said = [words("lab.cards.agree", correlation=correlation(worth, seems)), common_cards(found, words)]
    return Section(words("lab.cards.all_title"), said, [Table(words("lab.cards.all_title"), columns, rows)])


def correlation(worth: dict[str, list[float]], seems: dict[str, list[float]]) -> float:
    first, second = (np.concatenate(list(by_card.values())) for by_card in (worth, seems))
    spread = float(first.std() * second.std())
    return float(np.mean((first - first.mean()) * (second - second.mean()))) / spread if spread else 0.0


def common_cards(found: Json, words: Words) -> str:
    """The cards that no deck with more than half of the points does without."""
    good = [one["cards"] for one in found["found"] if one["share"]["mean"] > 0.5]
    ids = set.intersection(*({card["id"] for card in cards} for cards in good)) if good else set()
    named = sorted({title_of(card, words) for cards in good for card in cards if card["id"] in ids})
    return words("lab.decks.in_every_good", cards=", ".join(named)) if named else words("lab.decks.in_none")
