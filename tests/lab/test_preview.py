"""Previews: the same deals and choices in a changed game, and where nothing can be said."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coyote.games.duel.sets import core_set
from coyote.games.game import Json
from coyote.games.registry import GAMES, make_game
from coyote.lab.engines import engine_named
from coyote.lab.kept import run
from coyote.lab.preview import Preview
from coyote.lab.preview_report import report
from coyote.lab.simulate import records
from coyote.match import Match
from coyote.records import record_line, write_records
from coyote.text import LANGUAGES, Lang, Words

N = 12


def written(path: Path, game: str, bots: str = "greedy", **options: Any) -> list[Json]:
    made = make_game(game, **options)
    found = list(records(made, made.settle(), [bots, bots], N, "preview"))
    write_records(path, found)
    return found


@pytest.fixture(scope="module")
def madness(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Json]]:
    path = tmp_path_factory.mktemp("preview") / "madness.jsonl"
    return path, written(path, "madness")


@pytest.fixture(scope="module")
def duels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Json]]:
    path = tmp_path_factory.mktemp("preview") / "duel.jsonl"
    return path, written(path, "duel")


def preview(path: Path, game: str, options: Json, public: Json | None = None) -> Json:
    with engine_named("serial") as engine:
        return Preview(path, game, options, public or {}).ask(partial(run, engine), lambda *_: None)


# ---------------------------------------------------------------- Madness


def test_what_changes_nothing_changes_nothing(madness: tuple[Path, list[Json]]) -> None:
    path, _ = madness
    found = preview(path, "madness", {"goal": 5})
    assert found["verdicts"]["same"] == found["total"] == N
    assert found["winner_changes"]["mean"] == 0
    assert all("from" not in game and "event" not in game for game in found["games"])


def test_m10_a_lower_goal_ends_games_when_the_lead_is_there(madness: tuple[Path, list[Json]]) -> None:
    path, played = madness
    found = preview(path, "madness", {"goal": 2})
    for game, record in zip(found["games"], played, strict=True):
        match = Match.from_record(GAMES["madness"].altered(record, {"goal": 2}, {}))
        for seat, move in record["moves"]:
            if not match.over:
                match.play(move, seat)
        assert match.result is not None
        assert game["now"] == {"winner": match.result.winner, "reason": match.result.reason}
        assert game["was"]["winner"] == record["result"]["winner"]
        changed = match.result.winner != record["result"]["winner"]
        assert game["verdict"] == ("other_winner" if changed else "same_winner")
        assert 0 < game["from"] <= len(record["moves"]) and game["event"]["number"] > 0


def test_m10_a_higher_goal_leaves_games_open(madness: tuple[Path, list[Json]]) -> None:
    path, played = madness
    found = preview(path, "madness", {"goal": 20})
    by_lead = [record["result"]["reason"] == "lead" for record in played]
    assert any(by_lead)
    for game, was_by_lead in zip(found["games"], by_lead, strict=True):
        assert (game["verdict"] == "not_over") == was_by_lead
        if was_by_lead:
            assert game["what"] == "over" and "now" not in game["event"] or game["event"]["now"]["en"]


def test_m14_a_choice_that_is_not_allowed_any_more_is_named(tmp_path: Path) -> None:
    """Random players close fields now and then."""
    path = tmp_path / "random.jsonl"
    played = written(path, "madness", "random")
    found = preview(path, "madness", {"close": "never"})
    closed = [
        next((n for n, (_, move) in enumerate(one["moves"], 1) if move[0] == "c"), None) for one in played
    ]
    assert any(closed)
    for game, first in zip(found["games"], closed, strict=True):
        assert game["choices_from"] == 1, "Close is among the choices from the beginning"
        assert game["verdict"] == ("illegal" if first else "same_winner")
        assert game.get("stopped") == first
        if first:
            assert game["rule"] == "M14" and "(M14)" in game["why"]["en"] and game["why"]["ru"]
    assert found["rules"] == {"M14": sum(map(bool, closed))}


def test_m9_a_head_start_differs_before_the_first_move(madness: tuple[Path, list[Json]]) -> None:
    path, _ = madness
    assert preview(path, "madness", {"komi": 1})["first"] == {"lead": N}


def test_m1_jokers_leave_the_deck_but_cannot_come(madness: tuple[Path, list[Json]], tmp_path: Path) -> None:
    path, played = madness
    altered = GAMES["madness"].altered(played[0], {"jokers": 1}, {})
    assert [card for card in played[0]["deck"] if card not in altered["deck"]] == ["X2"]
    assert "impossible" not in {game["verdict"] for game in preview(path, "madness", {"jokers": 1})["games"]}
    fewer = tmp_path / "fewer.jsonl"
    written(fewer, "madness", jokers=1)
    found = preview(fewer, "madness", {"jokers": 2})
    assert found["verdicts"]["impossible"] == N and "(M1)" in found["games"][0]["why"]["en"]


def test_another_edition_is_a_change_too(madness: tuple[Path, list[Json]]) -> None:
    path, _ = madness
    found = preview(path, "madness", {"edition": "classic"})
    assert found["verdicts"]["same"] == 0 and sum(found["verdicts"].values()) == N


def test_a_game_that_players_ended_ends_the_same_way(tmp_path: Path) -> None:
    match = Match("madness", seed="given up")
    match.play("pass")
    record = {**match.record(), "result": {"winner": 1, "reason": "resignation", "score": 0}}
    path = tmp_path / "one.jsonl"
    write_records(path, [record])
    assert preview(path, "madness", {"goal": 6})["verdicts"]["same"] == 1
    assert preview(path, "madness", {"komi": 1})["verdicts"]["not_over"] == 1


def test_what_is_no_record_is_counted_apart(madness: tuple[Path, list[Json]], tmp_path: Path) -> None:
    _, played = madness
    wrong = {**played[1], "moves": [[0, "a1 XX"], *played[1]["moves"]]}
    path = tmp_path / "mixed.jsonl"
    duel = next(records(make_game("duel"), make_game("duel").settle(), ["random", "random"], 1, "d"))
    path.write_text(
        record_line(played[0]) + "{}\n\nno json\n" + record_line(wrong) + record_line(duel), encoding="utf-8"
    )
    found = preview(path, "madness", {"goal": 5})
    assert [game["verdict"] for game in found["games"]] == ["same", *["unreadable"] * 4]
    assert found["shares"]["same"]["mean"] == 1


# ---------------------------------------------------------------- the duel


def test_d1_more_health_leaves_duels_open(duels: tuple[Path, list[Json]]) -> None:
    path, _ = duels
    found = preview(path, "duel", {"health": 500})
    assert set(found["first"]) == {"health"}
    assert found["verdicts"]["same"] == found["verdicts"]["same_winner"] == 0


def test_d20_a_changed_card_changes_the_duels_that_it_was_played_in(duels: tuple[Path, list[Json]]) -> None:
    path, played = duels
    used = [{move.partition(" ")[2] for _, move in record["moves"]} for record in played]
    card = next(one for one in sorted(set.union(*used)) if one and 0 < sum(one in game for game in used) < N)
    public = make_game("duel").public()
    for one in public["set"]["cards"]:
        if one["id"] == card:
            one["text"] = "Attack 1."
    found = preview(path, "duel", {}, public)
    for game, cards in zip(found["games"], used, strict=True):
        if card not in cards:
            assert game["verdict"] == "same"
    assert any(game["verdict"] != "same" for game in found["games"])


def test_d20_a_card_that_is_gone_is_named(duels: tuple[Path, list[Json]]) -> None:
    path, played = duels
    gone = played[0]["set"]["cards"][0]["id"]
    public = make_game("duel").public()
    public["set"]["cards"] = [card for card in public["set"]["cards"] if card["id"] != gone]
    found = preview(path, "duel", {}, public)
    assert found["verdicts"]["impossible"] == N
    assert gone in found["games"][0]["why"]["en"] and core_set().get(gone)


# ---------------------------------------------------------------- the report


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("options", [{"goal": 5}, {"goal": 2}, {"close": "never", "edition": "classic"}])
def test_a_report_tells_what_becomes_of_games(
    madness: tuple[Path, list[Json]], options: Json, lang: Lang
) -> None:
    path, _ = madness
    found = {
        "records": str(path), "game": "madness", "rules": 1, "options": options, "seed": "s",
        **preview(path, "madness", options), "command": "coyote lab preview", "seconds": 1.0,
    }  # fmt: skip
    html = report(found, Words(lang)).html(lang)
    assert len(html.encode()) < 150_000 and Words(lang)("lab.preview.fates") in html
