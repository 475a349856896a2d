"""The analysis of finished games: labels that are right, words, and nothing that could not be known."""

import json
from pathlib import Path

import numpy as np
import pytest

from coyote.analysis.analyse import BLUNDER, LABELS, AnalysisError, analyse, label_of
from coyote.analysis.analyst import ANALYSTS
from coyote.analysis.duel.habit import KINDS, Habit, kind_of
from coyote.analysis.hidden import hidden_hand
from coyote.analysis.madness.belief import Belief, Diary
from coyote.analysis.madness.hidden import believed_ranks
from coyote.analysis.values import Values
from coyote.bots.madness.hands import any_hand
from coyote.cli.main import main
from coyote.games.duel.game import Duel
from coyote.games.duel.rules import FIRST_PLAY, HOLD
from coyote.games.game import Chance, Game, Json, Record
from coyote.games.registry import GAMES, make_game
from coyote.kernel.events import silent_log
from coyote.kernel.record import same
from coyote.lab.games import Crew
from coyote.lab.series import play_one, series
from coyote.match import Match
from coyote.records import follow, record_line
from coyote.seeds import seed_from, seed_words
from coyote.text import Words

FEW = 600  # simulations


def record_of(
    name: str = "madness", seed: str = "analysed", bots: tuple[str, str] = ("level:1", "greedy")
) -> Json:
    game = make_game(name)
    decks = ["thunderhead", "oasis"] if name == "duel" else []
    return play_one(game, game.settle(decks), bots, series(seed), 0, Crew()).record()


def test_every_game_has_an_analyst() -> None:
    assert set(ANALYSTS) == set(GAMES)


@pytest.mark.parametrize("name", ["madness", "duel"])
def test_an_analysis_tells_of_every_decision_in_both_languages(name: str) -> None:
    record = record_of(name)
    told: list[tuple[int, int]] = []
    found = analyse(record, FEW, lambda done, of: told.append((done, of)))
    moves = record["moves"]
    assert [(entry["seat"], entry["made"]) for entry in found["decisions"]] == [tuple(move) for move in moves]
    assert told[-1] == (len(moves), len(moves)) and len(found["curve"]) == len(moves) + 1
    for entry in found["decisions"]:
        assert entry["label"] in LABELS
        for lang in ("en", "ru"):
            assert entry["words"][lang].endswith(f"({entry['rule']}).")
        if entry["known"]:
            assert 0.0 <= entry["known"]["made"] <= entry["known"]["best"] <= 1.0
    for seat, summed in enumerate(found["seats"]):
        own = [entry for entry in found["decisions"] if entry["seat"] == seat]
        assert sum(summed["labels"].values()) == len(own)
        assert 0.0 <= summed["accuracy"] <= 1.0
    luck = found["luck"]
    parts = luck["deal"] + luck["later"] + sum(luck["decisions"]) + luck["rest"]
    assert parts == pytest.approx(luck["result"], abs=0.001)
    json.dumps(found)
    if name == "madness":
        assert analyse(record, FEW) == found  # from the record alone


def test_a_game_that_goes_on_is_not_analysed() -> None:
    match = Match("madness", seed="running")
    match.play(match.legal()[0])
    with pytest.raises(AnalysisError, match="not over"):
        analyse(match.record(), FEW)


def test_a_game_that_was_resigned_is_analysed() -> None:
    match = Match("madness", seed="resigned")
    match.play(match.legal()[0])
    record = {**match.record(), "result": {"winner": 1, "reason": "resignation", "score": match.score}}
    found = analyse(record, FEW)
    assert found["luck"]["result"] == 0.0 and len(found["decisions"]) == 1


# ---------------------------------------------------------------- labels


def test_a_label_needs_the_whole_interval() -> None:
    """Two sure moves, and one of which nothing is sure."""
    good, poor, vague = 1, 2, 3
    known = Values(
        {
            good: np.full(6, 0.6),
            poor: np.full(6, 0.4),
            vague: np.array([0.9, 0.1, 0.2, 0.6, 0.1, 0.5]),
        }
    )
    assert label_of(known, None, good) == "fine"
    assert label_of(known, None, poor) == "blunder"
    assert label_of(known, None, vague) == "fine"
    real = Values({good: np.full(6, 0.2), poor: np.full(6, 0.5)})
    assert label_of(known, real, good) == "unknowable"
    assert label_of(None, None, good) == "forced"


# Tables with an empty deck and few cards: both hands are known to everybody who watched (M8), so the truth is
# what comes of trying every line. In each of them a move throws away at least half a point.
ENDGAMES = [
    "1 main turn=48 lead=-2 hands=5D/5S,8S boss=X2 discard=5H fields=9S/QS*2!=1|KS*2!/7C|KC*2!/TD=0 deck=-",
    "0 main turn=45 hands=JH/AC boss=X1 discard=5S fields=QS*2!/9D*2=0|-/-|-/6S! deck=-",
    "1 main turn=48 lead=+1 hands=3C/8S,TC boss=AD discard=KC fields=-/8H!=1|-/-|-/- deck=-",
    "0 main turn=45 hands=4C,TC/JC boss=X2 discard=3C fields=6H/7H*2!|-/-|-/- deck=-",
    "1 main turn=46 lead=+1 hands=2C/5H,9S boss=QH discard=3S fields=-/-|9D*4/QD*4!=1|8D!/- deck=-",
    "0 main turn=45 lead=+1 hands=QS/5C,TC boss=JH discard=2D fields=-/-|3C/4C!|-/- deck=-",
    "0 main turn=45 lead=-1 hands=2C,4C,QS/- boss=X1 discard=JS fields=4S/7C*2!=1|4D/JD!|-/- deck=-",
    "0 main turn=45 hands=3H,8D/- boss=KD discard=5S fields=-/9H!=1|6H/9S!|-/- deck=-",
    "0 main turn=49 lead=-2 hands=3C,4S,AC/- boss=X2 discard=QD fields=-/2D!|-/-|-/- deck=-",
    "1 main turn=46 lead=+1 hands=-/4H,QD,QS boss=X1 discard=3D fields=6C*2!/3C|2H/9S!=1|9C*2/QH*2!=1 deck=-",
    "1 main turn=48 lead=-1 hands=3H/QS boss=JC discard=KS fields=-/-|-/-|4C!/- deck=-",
    "0 main turn=45 lead=-1 hands=3H,6D,7H/- boss=TH discard=3C fields=8D!/AS=0|7C!/-=0|-/3S! deck=-",
]


class Solver:
    """What seat 0 has of a table when both play as well as can be: every line is tried."""

    def __init__(self, game: Game) -> None:
        self.game, self.known = game, dict[bytes, float]()
        self.log = silent_log()

    def value(self, table: Record) -> float:
        if (result := self.game.result(table)) is not None:
            return 0.5 if result.winner is None else 1.0 - result.winner
        key = table.tobytes()
        if key not in self.known:
            mover = 0 if self.game.actors(table) & 1 else 1
            self.known[key] = (max if mover == 0 else min)(self.outcomes(table, mover).values())
        return self.known[key]

    def outcomes(self, table: Record, mover: int) -> dict[int, float]:
        """By move."""
        found = {}
        for action in self.game.legal(table, mover):
            twin = same(table)
            self.game.act(twin, mover, action, self.log, Chance())
            found[action] = self.value(twin)
        return found


def test_what_is_called_a_blunder_is_one_where_the_truth_is_known() -> None:
    """Every move of every such table is looked at, good ones and bad ones."""
    right = wrong = missed = 0
    analyst = ANALYSTS["madness"]({}, 1000)
    for number, text in enumerate(ENDGAMES):
        match = Match.from_position(f"madness standard {text}")
        seat = match.actors[0]
        sign = 1 if seat == 0 else -1
        exact = {
            action: sign * value for action, value in Solver(match.game).outcomes(match.table(), seat).items()
        }
        for action, value in exact.items():
            known = analyst.judge(match, number, seat, action).known
            loss = max(exact.values()) - value
            if label_of(known, None, action) == "blunder":
                right, wrong = right + (loss >= BLUNDER), wrong + (loss < BLUNDER)
            else:
                missed += loss >= BLUNDER
    assert right >= 40
    assert right >= 0.95 * (right + wrong), (right, wrong)
    assert right >= missed, (right, missed)


TABLE = "madness standard 0 main turn=5 hands=3C,KS/2D,5D boss=QH fields=-/9H|-/-|-/- deck=AS,2C,7C,8C"
FAULTS = [
    ("pass", "a1 KS", "leaves_field", "M12"),
    ("pass", "b KS", "leaves_boss", "M14"),
    ("a1 3C", "a1 KS", "other_card", "M14"),
    ("a2 KS", "pass", "spends", "M14"),
    ("pass", "c2 3C", "no_close", "M14"),
    ("pass", "a2 KS", "no_attack", "M14"),
    ("draw", "push", "no_push", "M15"),
    ("draw", "drop 3C", "no_drop", "M15"),
    ("drop KS", "draw", "no_drop_now", "M15"),
    ("push", "draw", "no_draw", "M15"),
    ("decline", "steal KS", "leaves_round", "M18"),
    ("steal KS", "decline", "spends_on_round", "M18"),
]


@pytest.mark.parametrize(("made", "best", "fault", "rule"), FAULTS)
def test_a_fault_is_named_with_its_rule(made: str, best: str, fault: str, rule: str) -> None:
    match = Match.from_position(TABLE)
    analyst = ANALYSTS["madness"]({}, FEW)
    (key, values), cited = analyst.fault(match, 0, made, best)
    assert (key, cited) == (f"analysis.madness.{fault}", rule)
    for lang in ("en", "ru"):
        assert Words(lang)(key, **values)


def test_m13_a_push_with_an_empty_hand_starves() -> None:
    match = Match.from_position(TABLE.replace(" main", " tut").replace("3C,KS", "-"))
    (key, _), rule = ANALYSTS["madness"]({}, FEW).fault(match, 0, "push", "draw")
    assert (key, rule) == ("analysis.madness.starves", "M13")


# ---------------------------------------------------------------- what could be known


def with_other_cards(match: Match, seat: int) -> Match:
    """The same to the seat's eyes, with other cards in the other hand."""
    twin = match.copy()
    view = match.view(seat)
    for number in range(50):
        table = match.game.imagine(view, seat, seed_words(seed_from(f"other {number}")))
        if match.game.hands(table) != match.hands:
            twin._state = table
            twin._changed()
            return twin
    raise AssertionError("no other table")


@pytest.mark.parametrize("name", ["madness", "duel"])
def test_what_could_be_known_does_not_depend_on_the_cards_of_the_other(name: str) -> None:
    record = record_of(name)
    analyst = ANALYSTS[name](record, FEW)
    match, compared = analyst.match, 0
    for number, (seat, move) in enumerate(record["moves"], 1):
        if number in (3, 4, 9) and len(match.legal(seat)) > 1 and not match.sealed:
            made = match.game.read_move(move)
            assert made is not None
            other = with_other_cards(match, seat)
            first, second = (one.view(seat).tobytes() for one in (match, other))
            assert first == second
            here, there = (analyst.judge(one, number, seat, made) for one in (match, other))
            assert here.known is not None and there.known is not None
            assert {key: list(value) for key, value in here.known.batches.items()} == {
                key: list(value) for key, value in there.known.batches.items()
            }
            assert hidden_hand(match, seat) == hidden_hand(other, seat)
            assert analyst.hidden(match, seat, number) == analyst.hidden(other, seat, number)
            if here.habit is not None:
                assert there.habit is not None
                assert [list(one) for one in here.habit.batches.values()] == [
                    list(one) for one in there.habit.batches.values()
                ]
            compared += 1
        match.play(move, seat)
    assert compared


def test_m8_every_unseen_card_is_as_likely_as_another() -> None:
    match = Match("madness", seed="hidden")
    found = hidden_hand(match, 0)
    assert found["exact"] and found["held"] == 5 and len(found["unseen"]) == 48
    assert found["chance"] == pytest.approx(5 / 48, abs=1e-4)
    assert not set(found["unseen"]) & set(match.hands[0])
    often = 0
    for number in range(2000):
        table = match.game.imagine(match.view(0), 0, np.array([number, 7], np.uint64))
        often += any(card[0] == "K" for card in match.game.hands(table)[1])
    assert often / 2000 == pytest.approx(found["ranks"]["K"], abs=0.04)


def test_their_play_tells_what_they_hold() -> None:
    """By the chances of ranks: what was there is likelier by belief than by counting unseen cards."""
    gains = []
    for number in range(3):
        record = record_of(seed=f"told {number}", bots=("level:6", "level:6"))
        analyst = ANALYSTS["madness"](record, FEW)
        match = analyst.match
        for n, (seat, move) in enumerate(record["moves"], 1):
            if "believed" in (found := analyst.hidden(match, seat, n)):
                there = {card[0] for card in match.hands[1 - seat]}
                gains.append(fit(found["believed"], there) - fit(found["ranks"], there))
            match.play(move, seat)
    assert len(gains) > 60 and float(np.mean(gains)) > 0.05


def fit(ranks: dict[str, float], there: set[str]) -> float:
    """The logarithm of what was said of the ranks that were there, and of those that were not."""
    chances = [ranks[rank] if rank in there else 1.0 - ranks[rank] for rank in ranks]
    return float(np.log(np.clip(chances, 1e-4, None)).sum())


def test_with_nothing_to_go_by_belief_is_what_is_exact() -> None:
    match = Match("madness", seed="hidden")
    view = match.view(0)
    assert Diary(match.record()).belief(view, 0, 1, "none") is None
    dice = np.array([1, 2], np.uint64)
    hands = np.array([any_hand(view, match.game.row, 0, dice) for _ in range(2000)], np.uint64)
    believed, exact = (
        believed_ranks(match.game, view, 0, Belief(hands, np.ones(len(hands)))),
        hidden_hand(match, 0)["ranks"],
    )
    assert believed == pytest.approx(exact, abs=0.04)


def test_a_habit_bends_what_is_expected() -> None:
    """Who has attacked in four turns, where a good player would have in one, is expected to attack again."""
    game = make_game("duel")
    assert isinstance(game, Duel)
    cards = [FIRST_PLAY + kind for kind in range(len(game.ids))]
    attack = next(card for card in cards if KINDS[kind_of(game, card)] == "attack")
    heal = next(card for card in cards if KINDS[kind_of(game, card)] == "heal")
    habit, even = Habit(game), np.array([0.25, 0.25, 0.5])
    assert not habit.is_known(1)
    for turn in range(1, 5):
        habit.note(turn, habit.shares([HOLD, attack, heal], even), attack)
    assert habit.bent(1, [HOLD, attack, heal], even) == pytest.approx(even)  # what came later is not known
    # (4 + 1) / (1 + 1), (0 + 1) / (1 + 1) and (0 + 1) / (2 + 1) times as much
    weights = np.array([0.25 / 2, 0.25 * 5 / 2, 0.5 / 3])
    assert habit.bent(5, [HOLD, attack, heal], even) == pytest.approx(weights / weights.sum())
    assert habit.as_json()["attack"] == {"chosen": 4, "usual": 1.0}


def test_the_other_hand_of_a_duel_is_what_bots_suppose() -> None:
    match = Match("duel", seed="hidden", decks=["thunderhead", "oasis"])
    found = hidden_hand(match, 0)
    assert not found["exact"] and 0 < len(found["cards"]) <= 12
    assert all(0.0 < chance <= 1.0 for chance in found["cards"].values())


# ---------------------------------------------------------------- the command


def run(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


def test_the_command_tells_of_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(record_line(record_of()), encoding="utf-8")
    assert run(["analyse", str(file), "--simulations", str(FEW), "--all", "--lang", "ru"]) == 0
    shown = capsys.readouterr().out
    assert "Разбор партии" in shown and "Точность" in shown and "M15" in shown
    assert run(["analyse", str(file), "--simulations", str(FEW), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["format"] == "coyote-analysis/1"
    assert run(["analyse", str(file), "--game", "2"]) == 2
    assert "there is no game 2" in capsys.readouterr().err


def test_the_command_refuses_a_game_that_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = Match("madness", seed="running")
    match.play(match.legal()[0])
    file = tmp_path / "running.jsonl"
    file.write_text(record_line(match.record()), encoding="utf-8")
    assert run(["analyse", str(file)]) == 2
    assert "only finished games are analysed" in capsys.readouterr().err


def test_what_follows_the_rules_is_analysed_and_nothing_else() -> None:
    record = record_of()
    follow(record)
    with pytest.raises(Exception, match=r"M\d+|move"):
        analyse({**record, "moves": [[0, "decline"], *record["moves"]]}, FEW)
