"""Puzzles: as many as promised, proved, judged, and one for every day."""

from collections import Counter
from datetime import date, timedelta
from itertools import combinations

import pytest

from coyote.analysis import puzzles
from coyote.analysis.madness import solve
from coyote.analysis.madness.proof import Proof, possible_tables, prove, scratch
from coyote.analysis.madness.puzzle import Turn
from coyote.analysis.puzzles import FILES, Puzzle, judge, prove_again, read_file
from coyote.games.game import Chance, Game, Record
from coyote.games.madness.game import Madness
from coyote.kernel.events import silent_log
from coyote.kernel.record import same
from coyote.match import Match

EVERY = 20  # one of so many is proved here; `tools/make_puzzles.py --check` proves all


@pytest.mark.parametrize("name", FILES)
def test_there_are_as_many_as_promised_of_several_levels(name: str) -> None:
    found = read_file(name)
    assert len(found) >= FILES[name]
    assert len({one.id for one in found}) == len({one.position for one in found}) == len(found)
    assert len(Counter((one.kind, one.level) for one in found)) >= 4
    kinds = Counter(one.kind for one in found)
    assert min(kinds.values()) >= 20 and len(kinds) == (2 if name == "duel" else 3)
    assert [one.level for one in found] == sorted(one.level for one in found)


@pytest.mark.parametrize("name", FILES)
def test_puzzles_are_proved(name: str) -> None:
    for puzzle in read_file(name)[::EVERY]:
        assert prove_again(puzzle), puzzle.id


@pytest.mark.parametrize("name", FILES)
def test_the_solution_is_right_and_every_other_move_is_refuted(name: str) -> None:
    for puzzle in read_file(name)[::EVERY]:
        match = puzzle.match()
        right = [move for move in match.legal(puzzle.seat) if judge(puzzle, move)["right"]]
        assert puzzle.solution in right
        for move in match.legal(puzzle.seat):
            found = judge(puzzle, move)
            assert found["right"] or found["refuted_by"] is not None
        cards = {move.partition(" ")[0] for move in right}
        assert len(cards) <= len(right), "moves that come to the same are as good"


@pytest.mark.parametrize("name", ["madness-standard", "madness-classic"])
def test_the_table_of_hands_bears_out_what_is_best(name: str) -> None:
    for puzzle in read_file(name):
        assert (puzzle.proof is not None) == (puzzle.kind == "best")
        if puzzle.proof:
            hands, moves = puzzle.proof["hands"], puzzle.proof["moves"]
            best = moves[puzzle.solution]
            assert len(hands) == puzzle.checked > 1
            assert set(moves) == {puzzle.solution, *puzzle.refutes}
            for move, hand in puzzle.refutes.items():
                short = [a - b for a, b in zip(best, moves[move], strict=True)]
                assert min(short) >= -0.001 and short[hands.index(hand)] == max(short) > 0.09


def test_there_is_one_for_every_day() -> None:
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(60)]
    found = [puzzles.of_day("madness-standard", day).id for day in days]
    assert found == [puzzles.of_day("madness-standard", day).id for day in days]
    assert len(set(found)) > 40


# ---------------------------------------------------------------- the proof itself, by a slower reading


def holds(game: Game, table: Record, me: int, kind: str, turn: int) -> bool:
    """With real hands: some move of mine, all of the other's, and all cards that may come."""
    if (result := game.result(table)) is not None:
        return result.winner == me if kind == "win" else result.winner != 1 - me
    if int(table.mover) == me and int(table.turn) > turn and int(table.phase) == 0:
        return kind == "save"
    mover = 0 if game.actors(table) & 1 else 1
    moves = game.legal(table, mover)
    return (any if mover == me else all)(move_holds(game, table, me, kind, turn, mover, one) for one in moves)


def move_holds(game: Game, table: Record, me: int, kind: str, turn: int, mover: int, action: int) -> bool:
    places = range(int(table.left)) if int(table.phase) == 1 and int(table.left) else [None]
    for place in places:
        twin = same(table)
        if place is not None:
            top = int(twin.left) - 1
            twin.deck[place], twin.deck[top] = int(twin.deck[top]), int(twin.deck[place])
        game.act(twin, mover, action, silent_log(), Chance())
        if not holds(game, twin, me, kind, turn):
            return False
    return True


def small(puzzle: Puzzle) -> bool:
    return puzzle.checked <= 4 and len(puzzle.refutes) <= 12


def test_whatever_they_hold_means_every_single_hand() -> None:
    """Small tables, with every hand of theirs one by one."""
    some = [one for one in read_file("madness-standard") if one.kind in ("win", "save") and small(one)][:4]
    assert some
    for puzzle in some:
        match = puzzle.match()
        game, view = match.game, match.view(puzzle.seat)
        assert isinstance(game, Madness)
        tables = list(possible_tables(game, view, puzzle.seat))
        solution = game.read_move(puzzle.solution)
        assert solution is not None
        turn, seat = int(view.turn), puzzle.seat
        assert all(move_holds(game, one, seat, puzzle.kind, turn, seat, solution) for one in tables)
        for move in Turn(game, view, seat).moves:
            if move != solution:
                every = [move_holds(game, one, seat, puzzle.kind, turn, seat, move) for one in tables]
                assert not all(every), game.move_text(move)


# ---------------------------------------------------------------- small tables, solved to the end

SMALL = (
    "madness standard 0 main turn=43 lead=-1 hands=2C,QD/9D,KS boss=QS discard=2S "
    "fields=8S/JD*2!=1|4S/7C!|-/- deck=7H"
)


def test_every_hand_is_tried_and_every_line_is_played_to_its_end() -> None:
    match = Match.from_position(SMALL)
    assert isinstance(match.game, Madness)
    proved = prove(match.game, match.view(0), 0)
    assert proved is not None and len(proved.hands) == 3  # of three unseen cards two
    assert sorted(map(tuple, proved.hands)) == sorted(combinations(["7H", "9D", "KS"], 2))
    kind = proved.kind()
    assert kind is not None and kind[0] == "best" and match.game.move_text(kind[1]) == "a2 QD"


def test_a_table_that_is_too_large_is_given_up() -> None:
    match = Match("madness", seed="large")
    x = scratch()
    x.memory.most = 100
    x.tables[0] = match.table()
    solve.forget(x.memory)
    action = match.legal_actions(0)[0]
    assert solve.value_after(x.tables, match.game.row, x.log, x.memory, action) == solve.GIVEN_UP


def test_kinds_are_told_apart_by_the_table_of_hands() -> None:
    hands = [["2C"], ["KS"]]
    assert Proof(hands, {1: [1.0, 1.0], 2: [1.0, 0.4], 3: [0.0, 0.0]}).kind() == ("win", 1)
    assert Proof(hands, {1: [0.5, 0.6], 2: [1.0, 0.0], 3: [0.0, 0.0]}).kind() == ("save", 1)
    assert Proof(hands, {1: [0.5, 0.4], 2: [0.3, 0.4], 3: [0.5, 0.1]}).kind() == ("best", 1)
    assert Proof(hands, {1: [0.5, 0.4], 2: [0.3, 0.6]}).kind() is None
    assert Proof(hands, {1: [1.0, 1.0], 2: [1.0, 0.4]}).refutes(2, 1) == 1
