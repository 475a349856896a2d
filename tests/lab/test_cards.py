"""The question `cards`: the same deals with another card in a card's place."""

import json
from pathlib import Path

import numpy as np
import pytest

from coyote.cli.main import main
from coyote.games.duel.decks import Deck, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import core_set
from coyote.lab import cards_report
from coyote.lab.cards import (
    Arm,
    CardQuestion,
    DeckCards,
    blank_id,
    exchanged,
    neighbours,
    play_exchanged,
    prices,
    turns_of,
    with_blanks,
)
from coyote.lab.kept import kept_in
from coyote.lab.matrix import Wanted
from coyote.lab.play import play_games
from coyote.text import LANGUAGES, Words
from lab.kit_decks import ARMED, GAME, LAZY, PLAIN, SLOW, serial, share, silent

SEED = np.array([3, 5], np.uint64)


def question(deck: Deck, games: int = 60, **other: object) -> CardQuestion:
    asked = {"game": GAME, "decks": {"mine": deck}, "against": {"plain": PLAIN, "slow": SLOW}, **other}
    return CardQuestion(bot="greedy", seed="test", wanted=Wanted(games), **asked)  # type: ignore[arg-type]


# ---------------------------------------------------------------- the deals are the same


@pytest.mark.parametrize("card", ["ember", "fireflies", "scouts"])
def test_another_card_lies_just_where_the_card_would_have_been(card: str) -> None:
    """Through deal, hands and the rest of the deck, whatever the place of the new card in the set."""
    game = with_blanks(Duel())
    instead = blank_id(core_set().by_id[card])
    before, after = (
        game.deal(exchanged(game, ("pack", "oasis"), *pair), SEED) for pair in (("", ""), (card, instead))
    )
    out, comes = game.kinds[card], game.kinds[instead]
    assert (before.listed[0] == out).any() and not (after.listed[0] == out).any()
    for zone in ("listed", "deck", "hand", "play"):
        assert (np.where(before[zone][0] == out, comes, before[zone][0]) == after[zone][0]).all()
        assert (before[zone][1] == after[zone][1]).all()
    assert before.counter == after.counter


def test_a_super_that_does_nothing_waits_for_its_deck_as_well() -> None:
    game = with_blanks(Duel())
    state = game.deal(exchanged(game, ("moonrise", "oasis"), "coyote-king", "blank super"), SEED)
    assert state.super[0] == game.kinds["blank super"]


def test_bots_expect_the_ready_decks_where_blanks_are_in_the_set() -> None:
    from coyote.bots.duel.mind import expected_decks

    plain, more = expected_decks(Duel()), expected_decks(with_blanks(Duel()))
    assert len(plain) == 10 and (plain == more).all()


# ---------------------------------------------------------------- what cards are worth


def test_a_card_that_does_nothing_is_worth_nothing_game_by_game() -> None:
    asked = question(LAZY)
    games = [
        play_exchanged(asked.piece(LAZY, Arm(card, instead), 0, 60))["scores"]
        for card, instead in (("", ""), ("doze", "blank"))
    ]
    assert games[0] == games[1]
    found = asked.find(serial(), silent)["found"][0]
    (doze,) = (card for card in found["cards"] if card["id"] == "doze")
    mean, low, high = share(doze["worth"])
    assert mean == 0 and low < 0 < high


def test_a_card_that_is_far_too_strong_is_found() -> None:
    found = question(ARMED, games=200).find(serial(), silent)["found"][0]
    best, *others = found["cards"]
    assert best["id"] == "bomb" and best["worth"]["low"] > 0.1
    assert best["worth"]["mean"] > max(card["worth"]["mean"] for card in others)
    assert best["when_drawn"]["mean"] > found["share"]["mean"]
    assert best["instead"][0]["more"]["mean"] > 0


def test_the_share_when_drawn_is_that_of_those_games() -> None:
    """Counted by hand from the rows: kinds of the deck in the order of the set."""
    asked = question(ARMED, games=40, against={"plain": PLAIN}, neighbours=0)
    found = asked.find(serial(), silent)["found"][0]
    game = with_blanks(GAME)
    setup = exchanged(game, (ARMED.ids(), PLAIN.ids()), "", "")
    rows = play_games(game, setup, ("greedy", "greedy"), "test 0", 0, 40)
    place = ["claw", "bite", "yawn", "bomb"].index("bomb")
    drawn = (rows["drawn"][:, 0] >> np.uint64(place)) & np.uint64(1) == 1
    points = np.where(rows["winner"] < 0, 0.5, rows["winner"] == 0)
    (bomb,) = (card for card in found["cards"] if card["id"] == "bomb")
    assert bomb["drawn"] == drawn.sum() and 0 < bomb["drawn"] < 40
    assert bomb["when_drawn"]["mean"] == pytest.approx(points[drawn].mean())


def test_neighbours_are_near_in_price_and_come_and_go_alike() -> None:
    game, known = Duel(), prices(Duel())
    pack = game.settle(["pack"]).decks[0]  # type: ignore[attr-defined]
    near = neighbours(game, pack, core_set().by_id["fireflies"], 3)
    assert len(near) == 3 and all(core_set().by_id[card].program.auto for card in near)
    ember = neighbours(game, pack, core_set().by_id["ember"], 3)
    assert max(abs(known[card] - known["ember"]) for card in ember) < 1
    assert not {"ember", "howl"} & set(ember)
    assert known["white-noon"] > known["ember"] > known["spark"]


def test_differences_go_on_until_each_is_known_well_enough() -> None:
    asked = question(LAZY, against={"plain": PLAIN}, neighbours=0)
    wide = CardQuestion(**{**vars(asked), "wanted": Wanted(1, within=0.06)})
    cards = DeckCards(LAZY, list(wide.arms(LAZY)))
    wide.play(cards, serial(), silent)
    assert all(cards.worth(arm).reach <= 0.06 for arm in cards.arms)
    assert len(cards.plain.points) == max(len(arm.points) for arm in cards.arms) >= 400


def test_opponents_take_turns() -> None:
    games = [turns_of(place, 100, 3) for place in range(3)]
    assert sum(games) == 100 and max(games) - min(games) == 1


# ---------------------------------------------------------------- kept, told, refused


def test_a_run_that_is_resumed_finds_the_same(tmp_path: Path) -> None:
    asked = question(LAZY, games=20)
    whole = asked.find(serial(), silent)
    path, spec = tmp_path / "out.jsonl", {"spec": asked.arguments}
    with kept_in(path, spec) as kept:
        assert asked.find(serial(kept), silent) == whole
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:4]), encoding="utf-8")
    with kept_in(path, spec) as kept:
        assert len(kept) == 3
        assert asked.find(serial(kept), silent) == whole


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_tells_all_of_it(lang: str) -> None:
    asked = question(LAZY, games=20, decks={"mine": LAZY, "armed": ARMED})
    found = {**asked.arguments, **asked.find(serial(), silent)}
    more = {"command": "coyote lab cards", "seed": "test", "seconds": 1.0}
    html = cards_report.report({**found, **more}, Words(lang)).html(lang)  # type: ignore[arg-type]
    title = {"en": "Card bomb", "ru": "Карта"}[lang]
    assert title in html and "armed" in html


def test_the_command_takes_a_deck_or_a_spec(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text('deck = ["pack"]\nagainst = ["oasis"]\nneighbours = 0\n', encoding="utf-8")
    same = ["--bot", "greedy", "--games", "4", "--seed", "x", "--json", "--engine", "serial"]
    found = []
    for about in (["pack", "--against", "oasis", "--neighbours", "0"], [str(spec)]):
        with pytest.raises(SystemExit) as ended:
            main(["lab", "cards", *about, *same])
        assert ended.value.code == 0
        found.append(json.loads(capsys.readouterr().out)["found"])
    assert found[0] == found[1] and len(found[0][0]["cards"]) == len(ready_decks()["pack"].cards)


def test_what_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["pakc"], ["pack", "--against", "nobody"]):
        with pytest.raises(SystemExit) as ended:
            main(["lab", "cards", *arguments, "--lang", "en"])
        assert ended.value.code == 2 and "there is no deck" in capsys.readouterr().err
