"""Puzzles at a real server."""

from collections.abc import Iterator

import pytest

from table.kit_table import Server, sqlite_in


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("puzzles"))) as server:
        yield server


def test_puzzles_are_listed_shown_and_judged(server: Server) -> None:
    anna = server.guest("Anna")
    files = anna.ask("GET", "/api/puzzles")["files"]
    assert [one["name"] for one in files] == ["madness-standard", "madness-classic", "duel"]
    for file in files:
        shown = anna.ask("GET", f"/api/puzzles/{file['today']}")
        assert shown["legal"] and shown["asked"]["ru"] and shown["checked"] > 0
        assert "solution" not in shown and "refutes" not in shown
        hidden = shown["view"].get("hand") or shown["view"].get("hands")
        assert hidden, "one's own cards are seen"
        found = [anna.ask("POST", f"/api/puzzles/{shown['id']}", {"move": move}) for move in shown["legal"]]
        assert any(one["right"] for one in found) and not all(one["right"] for one in found)
        for one in found:
            assert one["text"]["en"] and one["text"]["ru"]
            assert one["right"] == (one["solution"] is not None) == (one["refuted_by"] is None)


def test_the_best_answer_comes_with_its_table_of_hands(server: Server) -> None:
    anna = server.guest("Anna")
    listed = anna.ask("GET", "/api/puzzles")["files"][0]["puzzles"]
    id = next(one["id"] for one in listed if one["kind"] == "best")
    for move in anna.ask("GET", f"/api/puzzles/{id}")["legal"]:
        found = anna.ask("POST", f"/api/puzzles/{id}", {"move": move})
        assert (found["proof"] is not None) == found["right"], "it would give the solution away"
        if found["right"]:
            hands, moves = found["proof"]["hands"], found["proof"]["moves"]
            assert len(hands) > 1 and next(iter(moves)) == found["solution"]
            assert all(len(worth) == len(hands) for worth in moves.values())
        else:
            assert found["refuted_by"] in found["text"]["ru"]


def test_what_is_no_puzzle_and_no_move_is_refused(server: Server) -> None:
    anna = server.guest("Anna")
    assert anna.try_to("GET", "/api/puzzles/madness-standard-999")[0] == 404
    today = anna.ask("GET", "/api/puzzles")["files"][0]["today"]
    assert anna.try_to("POST", f"/api/puzzles/{today}", {"move": "decline"})[0] == 422
