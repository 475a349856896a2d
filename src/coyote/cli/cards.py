"""`coyote cards`: a set as a table, one card drawn, set files made, checked, changed, priced and printed."""

import json
from pathlib import Path
from typing import Any

import click
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from coyote.cli.common import WORDS, console, file_argument, json_option, lang_option, set_option, words_for
from coyote.cli.duel_table import style_of
from coyote.cli.faults import Fault
from coyote.games.duel.pricing import price, usual_prices
from coyote.games.duel.reading import TextFault, read_card
from coyote.games.duel.set_file import SetFile, first_set, write_new
from coyote.games.duel.sets import Card, CardSet, SetError, core_set, parse_set, read_set
from coyote.text import LANGUAGES, Lang, Refusal, Words

MOST_COPIES = 99
SAID_BELOW = "# "  # begins what an editor shows below a text, and is no part of it


def card_set(path: Path | None) -> CardSet:
    return core_set() if path is None else read_set(path)


@click.group(help=WORDS("cli.cards"))
def command() -> None:
    pass


@command.command("list", help=WORDS("cli.cards_list"))
@set_option
@lang_option
def list_cards(set_file: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    cards = card_set(set_file)
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("id", "name", "rarity", "text"):
        table.add_column(words(f"cards.{heading}"))
    for card in cards.cards:
        name = Text(card.name(speech(words)), style_of(card.program))
        table.add_row(card.id, name, words(f"cards.{card.rarity}"), card.text(speech(words)))
    out = console()
    out.print(table)
    out.print(count(cards, words), style="dim")


@command.command("show", help=WORDS("cli.cards_show"))
@click.argument("card_id", metavar="ID")
@set_option
@lang_option
def show(card_id: str, set_file: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    cards = card_set(set_file)
    card = cards.get(card_id)
    if card is None:
        raise Fault("fault.no_such_card", name=card_id, set=cards.name)
    console().print(drawn(card, words))


@command.command("check", help=WORDS("cli.cards_check"))
@click.argument("file", type=click.Path(path_type=Path))
@lang_option
def check(file: Path, lang: str | None) -> None:
    words = words_for(lang)
    cards = read_set(file)
    click.echo(words("cards.good", path=file, cards=words("count.cards", n=len(cards.cards))))


# ---------------------------------------------------------------- a set file, made and changed


@command.command("new", help=WORDS("cli.cards_new"))
@file_argument
@lang_option
def new(file: Path, lang: str | None) -> None:
    words = words_for(lang)
    write_new(file, first_set(file.stem, speech(words)))
    click.echo(words("cards.made", path=file))


@command.command("edit", help=WORDS("cli.cards_edit"))
@file_argument
@click.argument("card_id", metavar="ID")
@click.option("--text", help=WORDS("cli.cards_text"))
@lang_option
def edit(file: Path, card_id: str, text: str | None, lang: str | None) -> None:
    words = words_for(lang)
    kept = SetFile(file)
    before = kept.card_text(card_id)
    wanted = edited(before, words) if text is None else " ".join(text.split())
    if wanted == before:
        click.echo(words("cards.unchanged", path=file))
        return
    refuse_faults(wanted, card_id)
    changed = kept.with_text(card_id, wanted)
    kept.write(changed)
    click.echo(words("cards.changed", path=file, id=card_id, text=wanted))
    try:
        parse_set(changed, str(file))
    except SetError as error:  # of other cards, which were there before
        click.echo(error.message(words.lang), err=True)


def edited(before: str, words: Words) -> str:
    """What comes back from the editor; a faulty text is shown there again, with its faults below it."""
    text, below = before, words("cards.in_editor")
    while True:
        came = in_editor(f"{text}\n\n{comment(below)}\n")
        wanted = text if came is None else without_comments(came)
        faults = read_card(wanted).faults
        if not faults or wanted == text:  # mended, or left as it is
            return wanted
        text, below = wanted, "\n\n".join(words.refusal(underlined(wanted, fault)) for fault in faults)


def in_editor(text: str) -> str | None:
    try:
        return click.edit(text, extension=".txt", require_save=False)
    except click.ClickException as error:
        raise Fault("cards.no_editor", what=error.format_message()) from error


def comment(text: str) -> str:
    return "\n".join(f"{SAID_BELOW}{line}".rstrip() for line in text.splitlines())


def without_comments(text: str) -> str:
    kept = [line for line in text.splitlines() if not line.startswith(SAID_BELOW.strip())]
    return " ".join(" ".join(kept).split())


def refuse_faults(text: str, card_id: str) -> None:
    faults = read_card(text).faults
    if faults:
        raise SetError(
            [underlined(text, fault, Refusal("set.card", "", {"id": card_id})) for fault in faults]
        )


def underlined(text: str, fault: TextFault, about: Refusal | None = None) -> Refusal:
    """What is wrong, and below it the text with carets where it is."""
    carets = " " * fault.start + "^" * max(1, min(fault.end, len(text)) - fault.start)
    place = {"file": "--text", "line": 1, "column": fault.start + 1, "about": about} if about else {}
    return Refusal("cards.underlined", "", {**place, "why": fault.why, "text": text, "carets": carets})


# ---------------------------------------------------------------- what cards are worth


@command.command("price", help=WORDS("cli.cards_price"))
@click.argument("names", nargs=-1, metavar="[FILE] [ID]…")
@click.option("--weigh", is_flag=True, help=WORDS("cli.cards_weigh"))
@click.option(
    "--games",
    type=click.IntRange(500, 10_000),
    default=1000,
    show_default=True,
    help=WORDS("cli.cards_games"),
)
@json_option
@lang_option
def price_cards(names: tuple[str, ...], weigh: bool, games: int, as_json: bool, lang: str | None) -> None:
    words = words_for(lang)
    cards, chosen = named_cards(names)
    if weigh:
        from coyote.cli.cards_weigh import weigh_cards

        weigh_cards(cards, chosen, games, as_json, words)
    elif as_json:
        click.echo(json_lines(chosen))
    else:
        console().print(price_table(chosen, words))
        console().print(words("cards.price_note"), style="dim")


def named_cards(names: tuple[str, ...]) -> tuple[CardSet, list[Card]]:
    """Cards of a file, if the first name is one; else of the core set. All of them where none is named."""
    is_file = bool(names) and (names[0].endswith(".toml") or Path(names[0]).exists())
    cards = read_set(names[0]) if is_file else core_set()
    ids = names[1:] if is_file else names
    unknown = [name for name in ids if name not in cards.by_id]
    if unknown:
        known = {"set": cards.name}
        raise Fault([Refusal("fault.no_such_card", "", {"name": name, **known}) for name in unknown])
    return cards, [cards.by_id[name] for name in ids] or list(cards.cards)


def verdict(card: Card) -> str:
    """Where the estimate is beside the core set's cards that are as rare and have the same traits."""
    low, high = usual_prices(card)
    points = round(price(card.program), 1)
    return "weak" if points < low else "strong" if points > high else "usual"


def price_table(chosen: list[Card], words: Words) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("id", "name", "points", "core_has", "verdict", "text"):
        table.add_column(words(f"cards.{heading}"), justify="right" if heading == "points" else "left")
    for card in chosen:
        low, high = usual_prices(card)
        says = verdict(card)
        table.add_row(
            card.id,
            Text(card.name(speech(words)), style_of(card.program)),
            words.number(round(price(card.program), 1)),
            f"{words.number(low)}–{words.number(high)}",
            Text(words(f"cards.{says}"), "" if says == "usual" else "bold yellow"),
            card.text(speech(words)),
        )
    return table


def json_lines(chosen: list[Card]) -> str:
    told = [
        {
            "id": card.id,
            "points": round(price(card.program), 1),
            "usual": usual_prices(card),
            "says": verdict(card),
        }
        for card in chosen
    ]
    return json.dumps(told, ensure_ascii=False)


# ---------------------------------------------------------------- on paper


@command.command("print", help=WORDS("cli.cards_print"))
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help=WORDS("cli.print_out"))
@click.option("--deck", help=WORDS("cli.print_deck"))
@click.option(
    "--copies", type=click.IntRange(1, MOST_COPIES), default=1, show_default=True, help=WORDS("cli.copies")
)
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help=WORDS("cli.paper")
)
@click.option("--spoken", type=click.Choice([*LANGUAGES, "both"]), help=WORDS("cli.spoken"))
@click.option("--marks/--no-marks", default=True, help=WORDS("cli.marks"))
@click.option("--bleed", is_flag=True, help=WORDS("cli.bleed"))
@click.option("--backs", is_flag=True, help=WORDS("cli.backs"))
@click.option("--saving", is_flag=True, help=WORDS("cli.saving"))
@lang_option
def print_cards(
    file: Path | None,
    out: Path,
    deck: str | None,
    copies: int,
    spoken: str | None,
    lang: str | None,
    **look: Any,
) -> None:
    words = words_for(lang)
    is_pdf = out.suffix.lower() == ".pdf"
    if not is_pdf and out.suffix.lower() not in (".html", ".htm"):
        raise Fault("cards.print_as", path=out)
    cards = card_set(file)
    ids = [card_id for card_id in listed_cards(deck, cards, file) for _ in range(copies)]
    from coyote.cli.cards_print import print_pdf, printed_file

    first = speech(words)
    langs: list[Lang] = [first, *(other for other in LANGUAGES if other != first)]
    langs = langs if spoken == "both" else [lang for lang in langs if lang == (spoken or first)]
    page = printed_file(cards, ids, langs, look)
    if is_pdf:
        print_pdf(page, out)
    else:
        out.write_text(page, encoding="utf-8")
    click.echo(words("cards.printed", path=out, cards=words("count.cards", n=len(ids))))


def listed_cards(deck: str | None, cards: CardSet, file: Path | None) -> list[str]:
    """Every card of the set once, or those of a deck."""
    if deck is None:
        return cards.ids
    from coyote.cli.deck import duel_with, one_deck

    return one_deck(deck, duel_with((), file)).ids()


# ---------------------------------------------------------------- how cards are told


def speech(words: Words) -> Lang:
    return "ru" if words.lang == "ru" else "en"


def count(cards: CardSet, words: Words) -> str:
    kinds = [card.rarity for card in cards.cards]
    return words(
        "cards.count",
        cards=words("count.cards", n=len(cards.cards)),
        name=cards.name,
        common=kinds.count("common"),
        rare=kinds.count("rare"),
        auto=sum(card.program.auto for card in cards.cards),
        super=sum(card.program.super for card in cards.cards),
    )


def drawn(card: Card, words: Words) -> Panel:
    """One card: its name, its text as the engine reads it, its rarity as a gem."""
    lang = speech(words)
    gem = "◆" if card.rarity == "rare" else "◇"
    style = style_of(card.program)
    return Panel(
        Text(f"\n{card.text(lang)}\n"),
        title=Text(card.name(lang), f"bold {style}"),
        subtitle=Text(f"{gem} {words(f'cards.{card.rarity}')} · {card.id}", "dim"),
        border_style=style,
        width=36,
        padding=(0, 2),
    )
