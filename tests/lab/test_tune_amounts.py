"""Tuning amounts on cards: which may change, the sets that come of it, and those as files one can play."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coyote.games.duel.decks import decode, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.duel.set_file import SetFile
from coyote.games.duel.sets import CORE, core_set, parse_set, read_set
from coyote.games.game import Json
from coyote.lab.amounts import (
    amounts_of,
    cards_said,
    deck_codes,
    named,
    read_amounts,
    set_name,
    set_text,
    told_cards,
    with_amounts,
)
from coyote.lab.engines import engine_named
from coyote.lab.kept import run
from coyote.lab.tune import Tuning, read_target
from coyote.lab.tune_report import report
from coyote.text import LANGUAGES, Lang, Refused, Words

DUEL = Duel()
DECKS = ("oasis", "briar", "pack")
PAIRS = [("oasis", "briar"), ("oasis", "pack"), ("briar", "pack")]


def quiet(what: str, done: int, total: int) -> None:
    Words("en")(what)


def tuning(**settings: Any) -> Tuning:
    usual: Json = {
        "base": DUEL, "given": {}, "vary": {}, "decks": PAIRS, "bots": ["random", "random"],
        "seed": "amounts", "targets": [read_target(DUEL, "best-deck=..51"), read_target(DUEL, "turns=5..15")],
        "trials": 6, "games": 60, "fresh": 60, "amounts": read_amounts(core_set(), "ember=2..40"),
    }  # fmt: skip
    return Tuning(**{**usual, **settings})


def serially(asked: Tuning) -> Json:
    with engine_named("serial") as engine:
        return asked.ask(partial(run, engine), quiet)


# ---------------------------------------------------------------- which may change


def test_an_amount_is_named_by_its_card_and_its_effect() -> None:
    read = partial(read_amounts, core_set())
    assert read("ember=8..10") == read("ember.1=8..10") == {"ember.1": [8, 9, 10]}
    assert read("thorns.2=11,7,9") == {"thorns.2": [7, 9, 11]}
    assert read("thorns=-1..+1") == {"thorns.1": [7, 8, 9], "thorns.2": [8, 9, 10]}
    assert read("eye-of-storm=5,6") == {"eye-of-storm.2": [5, 6]}, "block all is no number"


def test_a_group_has_every_amount_of_its_cards() -> None:
    rare = read_amounts(core_set(), "rare=-2..+2")
    assert set(rare) == {
        one for card in core_set().cards if card.rarity == "rare" for one in amounts_of(card)
    }
    assert rare["firecracker.1"] == [24, 25, 26, 27, 28]
    assert rare["raven.1"] == [1, 2, 3], "a card cannot discard nothing"
    both = {**read_amounts(core_set(), "common=+0..+1"), **read_amounts(core_set(), "rare=+0..+1")}
    assert both.keys() == read_amounts(core_set(), "all=+0..+1").keys()


def test_cards_that_no_deck_has_are_left_out() -> None:
    played = {card for name in DECKS for card, _ in ready_decks()[name].cards}
    found = read_amounts(core_set(), "rare=-1..+1", played)
    assert {name.split(".")[0] for name in found} == {
        card.id
        for card in core_set().cards
        if card.rarity == "rare" and card.id in played and amounts_of(card)
    }


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ember", "--amounts takes CARD.NUMBER=VALUES"),
        ("ember=", "--amounts takes CARD.NUMBER=VALUES"),
        ("ember=a..b", "--amounts takes CARD.NUMBER=VALUES"),
        ("ember=9..8", "--amounts takes CARD.NUMBER=VALUES"),
        ("embers=8..9", "there is no card embers in the set core; groups of cards are: all, common, rare"),
        ("ember.2=8..9", "there is no amount ember.2; there is: ember.1"),
        ("burrow=8..9", "burrow has no amount"),
        ("thorns=8..9", "thorns has several amounts (thorns.1, thorns.2 …)"),
        ("rare=8..9", "rare has several amounts"),
        ("magpie.2=0..3", "magpie.2 is a number from 1 to 99 (D20)"),
        ("comet=-1..+1", "comet is in none of the decks that play"),
    ],
)
def test_an_amount_that_is_none_is_refused(text: str, sentence: str) -> None:
    played = set(core_set().ids) - {"comet"}
    with pytest.raises(Refused) as refused:
        read_amounts(core_set(), text, played)
    assert refused.value.message("en").startswith(sentence)


# ---------------------------------------------------------------- sets


def test_only_what_is_named_changes() -> None:
    game = with_amounts(DUEL, {"thorns.2": 5, "ember.1": 12})
    assert game.card_set.by_id["thorns"].text("en") == "Block 8. If attacked: attack 5."
    others = [card for card in core_set().cards if card.id != "thorns"]
    assert [card for card in game.card_set.cards if card.id != "thorns"] == others
    assert game != DUEL and with_amounts(DUEL, {"ember.1": 12}) is DUEL
    assert cards_said(told_cards(DUEL, game), Words("en")) == "Thorns 8/9 → 8/5"


def test_options_stay_with_other_amounts() -> None:
    assert with_amounts(Duel(health=60), {"ember.1": 9}).options == {"health": 60}


def test_a_set_file_differs_from_its_source_by_what_changed() -> None:
    game = with_amounts(DUEL, {"thorns.2": 5, "magpie.2": 3})
    text = set_text(SetFile(CORE), DUEL, game, "tuned 1")
    made = parse_set(text, "x.toml")
    assert (made.name, made.cards) == ("tuned 1", game.card_set.cards)
    before, after = CORE.read_text(encoding="utf-8").splitlines(), text.splitlines()
    assert after[:2] == [
        "# thorns: Block 8. If attacked: attack 9. → Block 8. If attacked: attack 5.",
        "# magpie: Attack 10. Opponent: discard a card. → Attack 10. Opponent: discard 3 cards.",
    ]
    differing = [(old, new) for old, new in zip(before, after[3:], strict=True) if old != new]
    assert [new for _, new in differing] == [
        'name = "tuned 1"',
        'text = "Block 8. If attacked: attack 5."',
        'text = "Attack 10. Opponent: discard 3 cards."',
    ]


def test_a_set_of_ones_own_keeps_its_language_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    stanza = '[[card]]\r\nid = "a"\r\nname = {{ ru = "А", en = "A" }}\r\nrarity = "rare"\r\ntext = "{}"\r\n'
    path.write_bytes(stanza.format("Атака 12, возьми карту.").encode())
    base = Duel(card_set=read_set(path))
    name = set_name(base.card_set, 3)
    text = set_text(SetFile(path), base, with_amounts(base, {"a.1": 7}), name)
    assert text.endswith(f'name = "mine tuned 3"\n\n{stanza.format("Атака 7, возьми карту.")}')
    assert parse_set(text, "x.toml").name == name


def test_decks_have_codes_for_the_changed_set() -> None:
    game = named(with_amounts(DUEL, {"ember.1": 10}), "tuned 2")
    codes = deck_codes(game, {name: ready_decks()[name] for name in DECKS})
    for name, code in codes.items():
        deck = decode(code, game.card_set)
        assert deck.cards == ready_decks()[name].cards
        game.settle([deck, deck])


# ---------------------------------------------------------------- the answer


def test_amounts_are_tuned_towards_the_targets() -> None:
    found = serially(tuning())
    front = found["front"]
    assert front[0]["cards"] == [] and front[0]["size"] == 0
    assert len(front) > 1 and front[-1]["distance"] < front[0]["distance"]
    for one in front[1:]:
        (card,) = one["cards"]
        (before,), (after,) = card["amounts"]
        assert before == 12 and after == one["amounts"]["ember.1"]
        assert card["text"][1]["en"] == f"Attack {after}."
        assert one["size"] == pytest.approx(1 + 0.1 * (abs(after - before) - 1))
    assert serially(tuning()) == found, "the same seed finds the same"


def test_a_larger_blow_makes_shorter_games() -> None:
    asked = tuning(
        amounts={"ember.1": [40], "spark.1": [40]}, trials=1, targets=[read_target(DUEL, "turns=1..2")]
    )
    as_it_is, larger = serially(asked)["front"]
    assert larger["fresh"]["turns"]["high"] < as_it_is["fresh"]["turns"]["low"]


def test_of_many_amounts_only_so_many_change() -> None:
    many = read_amounts(core_set(), "common=-3..+3", {"ember", "spark", "shade", "thorns", "waterhole"})
    assert len(many) == 7
    found = serially(tuning(amounts=many, most_changed=2, trials=8, games=30, fresh=30))
    changed = [
        sum(old != new for card in one["cards"] for old, new in zip(*card["amounts"], strict=True))
        for one in found["tried"]
    ]
    assert changed[0] == 0 and set(changed[1:]) == {1, 2}


def test_options_and_amounts_may_change_together() -> None:
    found = serially(tuning(vary={"health": [60, 100]}, trials=6, games=30, fresh=30))
    kinds = {(bool(one["changes"]), bool(one["cards"])) for one in found["tried"]}
    assert (True, True) in kinds


def test_a_run_that_is_read_from_its_pieces_is_the_same(tmp_path: Path) -> None:
    from coyote.lab.kept import kept_in, spec_of

    spec, path = spec_of("tune", {}, "amounts"), tmp_path / "kept.jsonl"
    answers = []
    for _ in range(2):
        with kept_in(path, spec) as kept, engine_named("serial") as engine:
            known = len(kept)
            answers.append(tuning().ask(lambda task, pieces: run(engine, task, pieces, kept), quiet))
            assert known in (0, len(kept))
    assert answers[0] == answers[1]


def test_the_most_uneven_pairing_is_a_target() -> None:
    fresh = serially(tuning(trials=1))["front"][0]["fresh"]
    assert 0.5 <= fresh["best_pairing"]["mean"] <= 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_report_says_what_changed_on_the_cards(lang: Lang) -> None:
    asked = tuning(games=30, fresh=30)
    found = {
        "game": "duel", "rules": 2, "options": {}, "bots": asked.bots, "seed": "s", "command": "c",
        "seconds": 1,
        "targets_wanted": [target.as_json() for target in asked.targets], **serially(asked),
        "table": "https://table.example",
    }  # fmt: skip
    last = found["front"][-1]
    without = report(found, Words(lang)).html(lang)
    assert Words(lang)("lab.tune.no_set") in without
    last["set"] = {"name": "tuned 9", "file": "my set-9.toml", "codes": {"oasis": "CODE1", "pack": "CODE2"}}
    html = report(found, Words(lang)).html(lang)
    assert len(html.encode()) < 150_000
    assert "--set &#x27;my set-9.toml&#x27; --deck CODE1 --their-deck CODE2" in html
    for card in last["cards"]:
        assert card["text"][0][lang] in html and card["text"][1][lang] in html
    assert html.count("https://table.example/?") == 1, "a table plays sets of its own only from its workshop"
