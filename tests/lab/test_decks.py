"""The question `decks`: the matrix, the mix in equilibrium, the best answer, and what is refused."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from coyote.cli.main import main
from coyote.games.duel.decks import faults
from coyote.games.duel.sets import CORE
from coyote.lab import decks_report
from coyote.lab.answer import CROWD, Search, bred
from coyote.lab.decks import DeckQuestion
from coyote.lab.kept import kept_in
from coyote.lab.matrix import Matrix, Players, Wanted, play_meetings, share_of
from coyote.text import LANGUAGES, Words
from lab.kit_decks import ARMED, GAME, LAZY, PLAIN, SLOW, serial, share, silent

PLAYERS = Players(GAME, "greedy", "test")
FIELD = {"plain": PLAIN, "slow": SLOW, "lazy": LAZY}


def question(**other: object) -> DeckQuestion:
    asked = {"game": GAME, "decks": FIELD, "bot": "greedy", "seed": "test", "wanted": Wanted(30), **other}
    return DeckQuestion(**asked)  # type: ignore[arg-type]


# ---------------------------------------------------------------- the matrix


def test_a_matrix_is_the_games_of_its_pairings_seen_from_both_sides() -> None:
    matrix = Matrix(PLAYERS, Wanted(30), dict(FIELD))
    matrix.play(serial(), silent)
    piece = PLAYERS.piece(PLAIN, [PLAYERS.meeting(PLAIN, LAZY, 0, 30)])
    counts = np.array(play_meetings(piece)["counts"])
    assert counts.sum() == 30 and (matrix.counts["plain", "lazy"] == counts).all()
    assert (matrix.counts["lazy", "plain"] == counts[::-1]).all()
    assert matrix.share("plain", "lazy").mean == 1 - matrix.share("lazy", "plain").mean
    assert matrix.games == 90


def test_a_further_deck_changes_no_pairing() -> None:
    small, large = (Matrix(PLAYERS, Wanted(20), dict(decks)) for decks in (FIELD, FIELD | {"armed": ARMED}))
    for matrix in (small, large):
        matrix.play(serial(), silent)
    assert all((large.counts[pair] == counts).all() for pair, counts in small.counts.items())


def test_each_pairing_is_played_until_its_interval_is_narrow() -> None:
    matrix = Matrix(PLAYERS, Wanted(30, within=0.045), {"plain": PLAIN, "lazy": LAZY})
    matrix.play(serial(), silent)
    assert matrix.share("plain", "lazy").reach <= 0.045
    assert matrix.games >= 400


def test_a_lopsided_or_drawn_pairing_takes_fewer_games() -> None:
    """Each pairing stops by its own variance: of even ones without draws it is the greatest."""
    even, drawn, lopsided = (np.array(counts) for counts in ([200, 0, 200], [120, 160, 120], [320, 0, 80]))
    wanted = Wanted(1, within=0.045)
    assert [wanted.is_enough(counts) for counts in (even, drawn, lopsided)] == [False, True, True]
    expected = [wanted.expected(counts) for counts in (even, drawn, lopsided)]
    assert expected[0] > 400 and expected[1:] == [400, 400]


def test_the_share_counts_a_draw_as_half_a_win() -> None:
    known = share_of(np.array([50, 20, 30]))
    assert known.mean == 0.6 and known.low < 0.6 < known.high


def test_against_the_field_every_other_deck_counts_the_same() -> None:
    matrix = known_matrix({("a", "b"): (90, 0, 10), ("a", "c"): (100, 0, 300), ("b", "c"): (10, 0, 10)})
    assert matrix.field("a").mean == pytest.approx((0.9 + 0.25) / 2)


# ---------------------------------------------------------------- the mix


def known_matrix(counts: dict[tuple[str, str], tuple[int, int, int]]) -> Matrix:
    matrix = Matrix(PLAYERS, Wanted(1), dict(zip("abc", (PLAIN, SLOW, LAZY), strict=True)))
    for pair, known in counts.items():
        matrix.add(pair, known)
    return matrix


def test_rock_paper_scissors_is_mixed_evenly_and_cannot_be_exploited() -> None:
    even = {("a", "b"): (9000, 0, 1000), ("b", "c"): (9000, 0, 1000), ("a", "c"): (1000, 0, 9000)}
    mixes = known_matrix(even).mixes()
    assert mixes.mix == pytest.approx([1 / 3] * 3, abs=0.01)
    assert mixes.support == [1.0, 1.0, 1.0] and mixes.exploitability.mean < 0.01


def test_few_games_leave_the_mix_open() -> None:
    few = known_matrix({("a", "b"): (3, 0, 2), ("b", "c"): (2, 1, 2), ("a", "c"): (2, 0, 3)}).mixes()
    assert all(weight.high - weight.low > 0.5 for weight in few.weights)


def test_a_deck_that_beats_all_is_the_mix() -> None:
    best = {("a", "b"): (80, 0, 20), ("a", "c"): (80, 0, 20), ("b", "c"): (50, 0, 50)}
    assert known_matrix(best).mixes().mix[0] > 0.99


# ---------------------------------------------------------------- the best answer


def test_decks_that_are_bred_are_legal() -> None:
    dice = Random("bred")
    decks = [bred(GAME, list(FIELD.values()), dice) for _ in range(200)]
    assert not any(faults(deck, GAME.card_set, GAME.limits) for deck in decks)
    assert len({deck.cards for deck in decks}) > 50


def test_opponents_are_met_as_often_as_the_mix_says_in_any_part_of_the_games() -> None:
    search = Search(PLAYERS, [(PLAIN, 0.7), (SLOW, 0.2), (LAZY, 0.1)], serial(), silent)
    assert [search.met(100)[place] for place in range(3)] == pytest.approx([70, 20, 10], abs=2)
    parts = [meeting for ends in ((0, 30), (30, 100)) for meeting in search.meetings("x", *ends)]
    games = [number for deck, _, first, last in parts if deck == PLAIN.ids() for number in range(first, last)]
    assert games == list(range(search.met(100)[0]))


def test_the_search_finds_the_card_that_is_far_too_strong() -> None:
    answer = Search(PLAYERS, [(PLAIN, 0.5), (LAZY, 0.5)], serial(), silent).best(1, Wanted(200))
    assert dict(answer.deck.cards).get("bomb", 0) >= 1
    assert answer.share.low > 0.5 and answer.counts.sum() == 200
    assert answer.tried == CROWD


def test_an_answer_joins_the_decks_and_is_told() -> None:
    found = question(search=1, rounds=1, wanted=Wanted(20)).find(serial(), silent)
    assert found["names"] == list(FIELD) and found["at_last"]["names"] == [*FIELD, "answer 1"]
    assert found["at_last"]["matrix"][0][1] == found["matrix"][0][1]
    (answer,) = found["answers"]
    assert answer["checked"] == 20 and found["at_last"]["codes"][-1] == answer["code"]


# ---------------------------------------------------------------- kept, told, refused


def test_a_run_that_is_resumed_finds_the_same(tmp_path: Path) -> None:
    asked = question(search=1, wanted=Wanted(20))
    whole = asked.find(serial(), silent)
    path, spec = tmp_path / "out.jsonl", {"spec": asked.arguments}
    with kept_in(path, spec) as kept:
        assert asked.find(serial(kept), silent) == whole
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]) + lines[-1][:20], encoding="utf-8")
    with kept_in(path, spec) as kept:
        assert 0 < len(kept) < len(lines) - 1
        assert asked.find(serial(kept), silent) == whole


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_tells_all_of_it(lang: str) -> None:
    found = question(search=1, rounds=1, wanted=Wanted(20)).find(serial(), silent)
    asked = {"command": "coyote lab decks", "seed": "test", "seconds": 1.0, "table": "https://table.example"}
    report = decks_report.report({**question().arguments, **found, **asked}, Words(lang))
    html = report.html(lang)  # type: ignore[arg-type]
    for code in found["at_last"]["codes"]:
        assert html.count(code) >= 2  # to be read and to be clicked
    assert "slow" in html and len(html) < 150_000


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["lab", "decks", *arguments, "--lang", "en"])
    said = capsys.readouterr().err
    assert ended.value.code == 2 and said.count("\n") == 1
    return said


def test_what_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        CORE.read_text(encoding="utf-8").replace('name = "core"', 'name = "desert"'), encoding="utf-8"
    )
    assert "at least two decks" in refused(capsys, "--deck", "pack")
    assert "there is no deck" in refused(capsys, "--deck", "pakc", "--deck", "oasis")
    assert "pack is there twice" in refused(capsys, "--deck", "pack", "--deck", "pack")
    assert "needs --search" in refused(capsys, "--oracle", "2")
    assert "there is no bot" in refused(capsys, "--bot", "nobody")
    assert "no ready deck" in refused(capsys, "--set", str(own))
    assert "--within must be" in refused(capsys, "--within", "0")


def test_the_command_answers_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text('deck = ["pack", "oasis"]\nbot = "greedy"\ngames = 6\nseed = "x"\n', encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["lab", "decks", str(spec), "--json", "--engine", "serial"])
    found = json.loads(capsys.readouterr().out)
    assert ended.value.code == 0 and found["names"] == ["pack", "oasis"] and found["played"] == 6
    assert sum(share(found["matrix"][i][1 - i])[0] for i in range(2)) == 1
