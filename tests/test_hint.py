"""The hint at the table: why a move is good, said in both languages, from what the seat may know alone."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from coyote.bots.bot import Answer, Thought
from coyote.bots.hints import hint_lines, move_words, reason
from coyote.bots.reasons import Reason, also_good, is_close
from coyote.cli.play import Seating
from coyote.cli.saves import Save
from coyote.cli.warm import Warming, warm_bots, warm_up
from coyote.games.duel.game import Duel
from coyote.games.game import Game
from coyote.games.madness.game import Madness
from coyote.games.madness.notation import MOVES
from coyote.match import Match
from coyote.questions import Budget
from coyote.text import LANGUAGES, Words
from kit.terminal import CLEAR, ENGLISH, RUSSIAN, Terminal

LANGS = {"en": ENGLISH, "ru": RUSSIAN}
PROMPT = r"\n> \Z"
HINT = {"en": ("hint", "Hint: "), "ru": ("подсказка", "Подсказка: ")}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """A terminal waits only so long, and another version of the search may have to be compiled first."""
    for game in (Madness(), Duel()):
        warm_up(game, Words("en"))
        warm_bots(game, ["search"], Words("en"))


def chosen(match: Match, seat: int, move: str) -> Answer:
    """An answer as a search would give it."""
    action = match.game.read_move(move)
    assert action in match.legal_actions(seat), move
    return Answer(action, [Thought(legal, 0.5, 10) for legal in match.legal_actions(seat)])


def why(match: Match, seat: int, move: str) -> Reason:
    return reason(match.game, match.question(seat), chosen(match, seat, move))


def assert_said(found: Reason) -> None:
    for lang in LANGUAGES:
        key, values = found
        sentence = Words(lang)(key, **values)
        assert "{" not in sentence and "None" not in sentence and not sentence.endswith(".")


@pytest.mark.parametrize("manner", ["advice", "reply"])
def test_every_move_has_words(manner: str) -> None:
    """Also the drop of an empty hand, which names no card."""
    for lang in LANGUAGES:
        for move in MOVES:
            said = move_words(Madness(), move, Words(lang), manner)
            assert said and "{" not in said and not re.match(r"[a-d]\d? ", said), move
        assert move_words(Madness(), "drop", Words(lang), manner) != "drop"


# ---------------------------------------------------------------- Madness

LOW, HIGH = "2C,3C,4C,5H,6C,7C,8C,2D,3D,4D", "KC,QC,JC,KH,QD,JH,TC,TD,9D,8D"
ACE_AMONG = "2C,3C,4C,5H,6C,7C,8C,2D,3D,AD"
LAST_FIELD = "fields=-/-|-/-=3H|-/-=4H"
CHANCE = "fields=9S/-=0|-/-=3H|-/-=4H closing=1"

MADNESS = [
    ("boss_wins", f"0 main lead=+4 hands=KD,5C/9H,2S boss=QH deck={LOW}", "b KD"),
    ("boss_weakest", f"0 main hands=KD,5C,9C/9H,2S boss=7H deck={LOW}", "b 9C"),
    ("boss_hard", f"0 main hands=KD,5C/9H,2S boss=QH deck={LOW}", "b KD"),
    ("boss", f"0 main hands=5C,2S/9H,6S boss=3H deck={HIGH}", "b 5C"),
    ("attack_saves", f"0 main lead=-4 hands=KD,5C/2S boss=AH fields=-/9C|-/-|-/- deck={LOW}", "a1 KD"),
    ("attack_answer", f"0 main hands=KD,5C/2S boss=AH fields=-/-|-/9C|-/- deck={LOW}", "a2 KD"),
    ("attack_equal", f"0 main hands=9D,5C/2S boss=AH fields=-/9C|-/-|-/- deck={LOW}", "a1 9D"),
    ("attack_retake", f"0 main hands=9D,5C/2S boss=AH fields=7S/7D!|-/-|-/- deck={LOW}", "a1 9D"),
    ("attack_goal", f"0 main lead=+4 hands=KD,5C/2S boss=AH deck={LOW}", "a1 5C"),
    ("attack_free", "0 main hands=KD,5C/- boss=AH", "a1 5C"),
    ("attack_unbeatable", f"0 main hands=KD,5C/2S boss=AH deck={LOW}", "a1 KD"),
    ("attack_hard", f"0 main hands=KD,5C/2S boss=AH deck={ACE_AMONG}", "a1 KD"),
    ("attack_bait", f"0 main hands=KD,5C/2S boss=AH deck={HIGH}".replace("KC,", ""), "a1 5C"),
    ("close_end", f"0 main hands=KD,5C/2S boss=AH {LAST_FIELD} deck={LOW}", "c1 5C"),
    ("close_round", f"classic 0 main hands=KD,5C/2S boss=AH {LAST_FIELD} deck={LOW}", "c1 5C"),
    ("close_stop", f"classic 0 main hands=KD,5C/2S boss=AH fields=-/9C|-/-|-/- deck={LOW}", "c1 5C"),
    ("close", f"0 main hands=KD,5C/2S boss=AH deck={LOW}", "c1 5C"),
    ("pass", f"0 main hands=KD,5C/2S boss=AH deck={LOW}", "pass"),
    ("tut_nothing", "0 tut hands=KD/2S boss=AH", "push"),
    ("draw_starve", f"0 tut hands=-/2S boss=AH deck={LOW}", "draw"),
    ("draw_short", f"0 tut hands=KD/2S boss=AH deck={LOW}", "draw"),
    ("draw", f"0 tut hands=KD,JD,TD/2S boss=AH deck={LOW}", "draw"),
    ("drop_weakest", f"0 tut hands=KD,5C,JD/2S boss=AH deck={LOW}", "drop 5C"),
    ("drop", f"0 tut hands=KD,5C,JD/2S boss=AH deck={LOW}", "drop JD"),
    ("drop_dry", "0 tut hands=KD,5C/2S boss=AH", "drop 5C"),
    ("push_easy", f"0 tut hands=KS,5C/2S boss=3H deck={HIGH}", "push"),
    ("push_stuck", f"0 tut hands=KD,5C/2S boss=KH deck={LOW}", "push"),
    ("push_light", f"0 tut hands=TD,5C/2S boss=9H deck={LOW}", "push"),
    ("steal_wins", f"0 coyote lead=-4 hands=2S/KH,JC boss=AH {CHANCE} deck={LOW}", "steal KH"),
    ("steal_saves", f"0 coyote lead=+4 hands=2S/KH,JC boss=AH {CHANCE} deck={LOW}", "steal KH"),
    ("steal_weakest", f"0 coyote hands=2S/KH,JC boss=AH {CHANCE} deck={LOW}", "steal JC"),
    ("steal", f"0 coyote hands=2S/KH,JC boss=AH {CHANCE} deck={LOW}", "steal KH"),
    ("decline_starve", f"0 coyote hands=2S/KH boss=AH {CHANCE} deck={LOW}", "decline"),
    ("decline_keep", f"0 coyote hands=2S/KH,JC boss=AH {CHANCE} deck={LOW}", "decline"),
]


def madness_at(text: str) -> Match:
    edition = "" if text.startswith("classic") else "standard "
    return Match.from_position(f"madness {edition}{text}")


@pytest.mark.parametrize(("key", "position", "move"), MADNESS, ids=[case[0] for case in MADNESS])
def test_why_in_madness(key: str, position: str, move: str) -> None:
    match = madness_at(position)
    (seat,) = match.actors
    found = why(match, seat, move)
    assert found[0] == f"hint.madness.{key}"
    assert_said(found)


def test_an_only_move_needs_no_other_reason() -> None:
    match = madness_at(f"0 coyote hands=2S/4S,4H boss=AH {CHANCE} deck={LOW}".replace("=4H c", "=5S c"))
    assert why(match, 1, "decline") == ("hint.only", {})


def test_a_move_without_a_readable_reason_is_what_came_out_best() -> None:
    """To bury one's own Jack under a five."""
    match = madness_at(f"0 main hands=KD,5C/2S boss=AH fields=JD/KS!|-/-|-/- deck={LOW}")
    key, values = why(match, 0, "a1 5C")
    assert (key, values["n"]) == ("hint.imagined", 10)
    assert Words("ru")(key, n=1) != Words("ru")(key, n=2)


def test_the_example_of_a_hint_in_words() -> None:
    match = madness_at(f"0 main hands=KD,5C/2S boss=AH deck={ACE_AMONG}")
    lines = hint_lines(match.game, match.question(0), chosen(match, 0, "a2 KD"), Words("en"))
    assert lines == [
        "Hint: a2 KD (50 % to win): K♦ on field 2 is hard to beat (unseen cards that can: 1), "
        "and unanswered it brings a point when your turn comes back."
    ]


# ---------------------------------------------------------------- the duel

COMMON = ("dig", "vulture", "den", "howl", "rattle", "mirage", "thorns", "siesta", "double-bite")
DUEL = [
    ("finish", "ember/shade", "-/-", "90/10"),
    ("rescue", "shade/ember", "-/brushfire@1", "5/90"),
    ("block_due", "shade/ember", "-/brushfire@1", "90/90"),
    ("block_all", "burrow/ember", "-/-", "90/90"),
    ("block", "shade/ember", "-/-", "90/90"),
    ("counter", "scorpion/ember", "-/-", "90/90"),
    ("heal", "waterhole/ember", "-/-", "60/90"),
    ("heal_ahead", "waterhole/ember", "-/-", "100/90"),
    ("lasting", "brushfire/ember", "-/-", "90/90"),
    ("later", "stalk/ember", "-/-", "90/90"),
    ("attack", "ember/shade", "-/-", "90/90"),
    ("attack_free", "ember/-", "-/-", "90/90"),
    ("strip_hand", "empty-paws/ember", "-/-", "90/90"),
    ("strip_play", "sandstorm/ember", "-/brushfire@1", "90/90"),
    ("strip_deck", "drought/ember", "-/-", "90/90"),
    ("draw", "scouts/ember", "-/-", "90/90"),
    ("hold", "ember/shade", "-/-", "90/90"),
]


def duel_at(hands: str, play: str, health: str) -> Match:
    """Decks of common cards are filled up to what the rules ask for."""
    fill = ",".join(card for card in COMMON for _ in range(2))
    return Match.from_position(
        f"duel core turn=3 health={health} hands={hands} play={play} deck={fill}/{fill}"
    )


@pytest.mark.parametrize(("key", "hands", "play", "health"), DUEL, ids=[case[0] for case in DUEL])
def test_why_in_a_duel(key: str, hands: str, play: str, health: str) -> None:
    match = duel_at(hands, play, health)
    move = "hold" if key == "hold" else f"play {hands.partition('/')[0]}"
    found = why(match, 0, move)
    assert found[0] == f"hint.duel.{key}"
    assert_said(found)


def test_numbers_of_a_reason_are_those_of_the_table() -> None:
    assert why(duel_at("shade/ember", "-/brushfire@1", "90/90"), 0, "play shade")[1]["n"] == 5
    healed = why(duel_at("waterhole/ember", "-/-", "96/90"), 0, "play waterhole")[1]
    assert healed["n"] == 4


def test_what_only_may_happen_is_not_promised() -> None:
    """`If the opponent played no card: attack 28` is no blow of 28."""
    match = duel_at("empty-paws/ember", "-/-", "90/90")
    assert "28" not in Words("en")(why(match, 0, "play empty-paws")[0], title="x")


def test_every_reason_has_its_case() -> None:
    for game, cases in (("madness", {case[0] for case in MADNESS}), ("duel", {case[0] for case in DUEL})):
        assert set(Words("en").find(f"hint.{game}")) == cases


# ---------------------------------------------------------------- other moves


def answer_of(*thoughts: tuple[int, float | None, int]) -> Answer:
    return Answer(thoughts[0][0], [Thought(*thought) for thought in thoughts])


@pytest.mark.parametrize(
    ("answer", "others", "close"),
    [
        (answer_of((1, 0.6, 900), (2, 0.59, 800), (3, 0.55, 500)), [2], True),
        (answer_of((1, 0.6, 900), (2, 0.55, 800), (3, 0.56, 500), (4, 0.54, 400)), [3, 2], False),
        (answer_of((1, 0.6, 900), (2, 0.3, 800)), [], False),
        (answer_of((1, 0.6, 900), (2, 0.6, 900), (3, 0.59, 2), (4, None, 0)), [], False),
    ],
    ids=["close", "worse", "bad", "the same, or hardly looked at"],
)
def test_other_good_moves(answer: Answer, others: list[int], close: bool) -> None:
    found = also_good(answer)
    assert [thought.action for thought in found] == others
    assert all(is_close(answer, thought) for thought in found) or not close


@pytest.mark.parametrize("lang", LANGUAGES)
def test_in_a_duel_close_choices_are_to_be_mixed(lang: str) -> None:
    match, words = duel_at("ember,shade/ember", "-/-", "90/90"), Words(lang)
    legal = match.legal_actions(0)
    answer = Answer(legal[0], [Thought(action, 0.5 - 0.001 * i, 90) for i, action in enumerate(legal)])
    lines = hint_lines(match.game, match.question(0), answer, words)
    assert lines[1].endswith(words.find("hint.mix").rpartition("}")[2])


# ---------------------------------------------------------------- nothing hidden is used


@pytest.mark.parametrize(
    "game", [Madness(), Madness(edition="classic"), Duel()], ids=["std", "classic", "duel"]
)
def test_a_hint_is_the_same_whatever_the_seat_cannot_see(game: Game, tmp_path: Path) -> None:
    """The hidden cards are imagined anew: search and reason say the same of every such table."""
    match = Match(game, seed="secret hints", players=("human", "human"))
    said: Counter[str] = Counter()
    for step in range(12):
        seat = match.actors[-1]
        real = hint(match, seat, tmp_path)
        for number in range(3):
            twin = match.copy()
            seed = np.array([step, number], np.uint64)
            twin._state = game.imagine(match.view(seat), seat, seed)
            assert hint(twin, seat, tmp_path) == real
        said[real[0]] += 1
        for actor in match.actors:
            legal = match.legal_actions(actor)
            match.play_action(legal[step * 7 % len(legal)], actor)
    assert len(said) > 6, "and yet not always the same"


def hint(match: Match, seat: int, folder: Path) -> list[str]:
    table = Seating(match, Save(folder / "x.game.json"), {}, Words("en"), Warming())
    answer = table.advice(seat, Budget(simulations=150))
    return hint_lines(match.game, match.question(seat), answer, Words("en"))


# ---------------------------------------------------------------- at the table


@pytest.mark.parametrize("game", ["madness", "duel"])
@pytest.mark.parametrize("lang", LANGS)
def test_a_hint_at_the_table_changes_nothing(game: str, lang: str, data: Path) -> None:
    typed, begins = HINT[lang]
    command = ("play", game, "--against", "1", "--seed", "hint at the table")
    with Terminal(*command, data=data, locale=LANGS[lang]) as terminal:
        terminal.expect(PROMPT)
        (save,) = (data / "games").glob("*.game.json")
        before = save.read_bytes()
        terminal.enter(typed)
        told = terminal.expect(rf"\n{begins}(?P<move>[^(:]*?)( \(|:)[\s\S]*?\.\n[\s\S]*?> \Z")
        assert Words(lang)("hint.busy") in terminal.text, "and meanwhile there was a sign of life"
        assert save.read_bytes() == before
        terminal.enter("?")
        terminal.expect(rf"{typed}[\s\S]*?\n> \Z")
        terminal.enter(told["move"])
        terminal.expect(PROMPT)
        assert save.read_bytes() != before, "what it names can be typed"
        terminal.kill()


def test_a_hint_for_one_of_two_people_tells_nothing_of_the_other(data: Path) -> None:
    command = ("play", "madness", "--against", "human", "--seed", "hot hint")
    match, words = Match("madness", seed="hot hint"), Words("en")
    with Terminal(*command, data=data) as terminal:
        terminal.expect("Press Enter")
        terminal.enter()
        terminal.expect(PROMPT)
        terminal.enter("hint")
        terminal.expect(rf"\nHint: [\s\S]*{PROMPT}")
        told = terminal.text.split(CLEAR)[-1].partition("Hint: ")[2].partition("\nMain action")[0]
        for card in match.hands[1]:
            assert not re.search(rf"(?<!\d){re.escape(words.card(card))}|\b{card}\b", told), card
        terminal.kill()
