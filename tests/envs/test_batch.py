"""Many games side by side are the same games as one by one, with the same observations."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coyote.envs import Batch
from coyote.envs.duel.features import card_vectors
from coyote.envs.registry import FEATURES
from coyote.games.duel.setup import Decks
from coyote.kernel.dice import roll
from coyote.kernel.seats import NONE
from coyote.lab.games import Crew
from coyote.lab.series import AT_RANDOM, play_one, series, words_of
from coyote.match import IllegalMove, Match
from coyote.text import Refused
from kit.subject import Play, Subject, plays, state_bytes
from kit.subjects import SUBJECTS

FEW = settings(deadline=None, derandomize=True, max_examples=12, suppress_health_check=list(HealthCheck))
each_game = pytest.mark.parametrize("game", FEATURES)
each_subject = pytest.mark.parametrize("subject", [SUBJECTS[name] for name in FEATURES], ids=FEATURES)


def decks_of(play: Play) -> Any:
    return play.setup.decks if isinstance(play.setup, Decks) else ()


def any_actions(batch: Batch, dice: Random) -> Any:
    """One legal action of each row; 0 where a game is over."""
    return np.array([dice.choice(np.flatnonzero(row).tolist() or [0]) for row in batch.mask])


class Beside:
    """The same games played as matches, from their numbers, and what the batch should show of them."""

    def __init__(self, batch: Batch, decks: Any, seed: str) -> None:
        self.batch, self.setup, self.source = batch, batch.game.settle(decks), series(seed)
        self.matches = [self.deal(number) for number in batch.number.tolist()]

    def deal(self, number: int) -> Match:
        seed, _ = words_of(self.source, number)
        return Match(self.batch.game, self.setup, seed=seed)

    def step(self, actions: Any) -> None:
        features, rows = self.batch.features, self.rows()
        moves = [
            features.move(m.view(seat), seat, a) for (m, seat), a in zip(rows, actions.tolist(), strict=True)
        ]
        for (match, seat), move in zip(rows, moves, strict=True):
            match.play_action(move, seat)

    def rows(self) -> list[tuple[Match, int]]:
        return [(match, seat) for match in self.matches for seat in match.actors]

    def compare(self) -> None:
        """Games that are over have their outcome, and the next ones are dealt."""
        batch, wanted = self.batch, [rewards(match) for match in self.matches]
        assert batch.done.tolist() == [match.over for match in self.matches]
        assert batch.reward.tolist() == wanted
        for place, match in enumerate(self.matches):
            if match.over:
                self.matches[place] = self.deal(int(batch.number[place]))
        rows = self.rows()
        assert batch.seat.tolist() == [seat for _, seat in rows]
        for (match, seat), obs, mask in zip(rows, batch.obs, batch.mask, strict=True):
            assert np.array_equal(obs, batch.features.observe(match, seat))
            assert np.array_equal(mask, batch.features.mask(match, seat))


def rewards(match: Match) -> list[float]:
    if not match.result or match.result.winner is None:
        return [0, 0]
    return [1, -1] if match.result.winner == 0 else [-1, 1]


# ---------------------------------------------------------------- the same games


@each_subject
@FEW
@given(data=st.data())
def test_a_batch_of_any_variant_plays_what_matches_play(subject: Subject, data: st.DataObject) -> None:
    play, n = data.draw(plays(subject)), data.draw(st.integers(1, 4))
    batch = Batch(play.game, n, decks=decks_of(play), seed="beside", first=play.number % 1000)
    beside, dice = Beside(batch, decks_of(play), "beside"), Random(play.number)
    for _ in range(90):
        actions = any_actions(batch, dice)
        beside.step(actions)
        batch.step(actions)
        beside.compare()


@each_game
def test_game_k_of_a_seed_is_the_one_that_simulate_plays(game: str) -> None:
    """With the series' own dice each game goes through the same moves to the same end."""
    n, source = 7, series("friday")
    batch = Batch(game, n, seed="friday", first=3)
    dice = {k: words_of(source, k)[1] for k in range(3, 3 + 3 * n)}
    made: dict[int, list[Any]] = {k: [] for k in dice}
    ended: dict[int, list[float]] = {}
    while len(ended) < 2 * n:
        actions = []
        for row, seat in enumerate(batch.seat.tolist()):
            place = row // batch.features.seats
            number, state = int(batch.number[place]), batch.states[place]
            legal = batch.game.legal(state, seat)
            move = legal[int(roll(dice.setdefault(number, words_of(source, number)[1]), seat, len(legal)))]
            made.setdefault(number, []).append((seat, batch.game.move_text(move)))
            actions.append(batch.features.action(state, seat, move))
        before = batch.number.copy()
        batch.step(actions)
        ended |= {int(before[place]): batch.reward[place].tolist() for place in np.flatnonzero(batch.done)}
        assert (batch.number == before + n * batch.done).all()
    crew = Crew()
    for number, reward in ended.items():
        played = play_one(batch.game, batch.game.settle(), AT_RANDOM, source, number, crew)
        assert list(played.match.moves) == made[number]
        assert rewards(played.match) == reward
    crew.close()


def test_random_decks_are_those_of_the_series() -> None:
    decks = ("random", "briar")
    batch = Batch("duel", 3, decks=decks, seed="decks")
    beside, dice = Beside(batch, decks, "decks"), Random(1)
    ended = 0
    while ended < 6:
        actions = any_actions(batch, dice)
        beside.step(actions)
        batch.step(actions)
        beside.compare()
        ended += int(batch.done.sum())
    batch.reset()
    assert batch.number.tolist() == [0, 1, 2]
    Beside(batch, decks, "decks").compare()


@each_game
def test_each_place_plays_as_if_it_were_alone(game: str) -> None:
    many = Batch(game, 3, seed="alone")
    rows, dice = many.features.seats, Random(2)
    first = [many.obs[place * rows : (place + 1) * rows].copy() for place in range(3)]
    for place in range(3):
        assert np.array_equal(Batch(game, 1, seed="alone", first=place).obs, first[place])
    for _ in range(200):
        many.step(any_actions(many, dice))
    for place, number in enumerate(many.number.tolist()):
        assert number % 3 == place


# ---------------------------------------------------------------- resets


@each_game
def test_reset_begins_again(game: str) -> None:
    batch, dice = Batch(game, 4, seed="again"), Random(3)
    kept = batch.obs.copy(), batch.mask.copy(), batch.seat.copy(), batch.states.tobytes()
    for _ in range(60):
        batch.step(any_actions(batch, dice))
    batch.reset()
    assert (batch.obs.tobytes(), batch.mask.tobytes(), batch.seat.tobytes(), batch.states.tobytes()) == (
        kept[0].tobytes(), kept[1].tobytes(), kept[2].tobytes(), kept[3]
    )  # fmt: skip
    assert not batch.done.any() and not batch.reward.any()


@each_game
def test_without_autoreset_a_game_that_is_over_waits(game: str) -> None:
    batch, again, dice = Batch(game, 3, seed="wait", autoreset=False), Batch(game, 3, seed="wait"), Random(4)
    while not batch.done.all():
        was, held = batch.done.copy(), batch.states.copy()
        batch.step(any_actions(batch, dice))
        for place in np.flatnonzero(was):
            assert batch.done[place] and not batch.reward[place].any()
            assert state_bytes(batch.states[place]) == state_bytes(held[place])
        for place in np.flatnonzero(batch.done & ~was):
            state = batch.states[place]
            rows = range(place * batch.features.seats, (place + 1) * batch.features.seats)
            for row in rows:
                assert np.array_equal(batch.obs[row], batch.features.observe(state, int(batch.seat[row])))
                assert not batch.mask[row].any()
            winner = batch.game.result(state).winner  # type: ignore[union-attr]
            assert batch.reward[place].tolist() == [
                0 if winner is None else 1 - 2 * (winner != s) for s in (0, 1)
            ]
    assert batch.number.tolist() == [0, 1, 2]
    batch.deal(np.array([True, False, True]))
    assert batch.number.tolist() == [3, 1, 5] and batch.done.tolist() == [False, True, False]
    again.deal(np.ones(3, bool))
    last = 2 * batch.features.seats
    assert np.array_equal(batch.obs[last:], again.obs[last:])


@each_game
def test_critics_see_everything(game: str) -> None:
    batch, dice = Batch(game, 3, seed="critic"), Random(5)
    for _ in range(12):
        batch.step(any_actions(batch, dice))
        found = batch.privilege()
        for state, row in zip(batch.states, found, strict=True):
            assert np.array_equal(row, batch.features.privilege(state))
    assert batch.privilege(found) is found


def test_critics_see_the_deck() -> None:
    batch = Batch("madness", 1, seed="critic")
    state, table = batch.states[0], {row.name: row for row in batch.features.privileged_table}
    row = table["hidden.depth"]
    depth = batch.privilege()[0, row.start : row.stop]
    assert [int(depth[card]) for card in state["deck"][: state["left"]][::-1]] == list(
        range(1, state["left"] + 1)
    )
    duel = Batch("duel", 1, seed="critic")
    state, features = duel.states[0], duel.features
    table = {row.name: row for row in features.privileged_table}
    top = int(state["deck"][1, state["in_deck"][1] - 1])
    start, stop = table["hidden.top.1.card"].start, features.privileged_size
    vectors = card_vectors(features.game.table, len(features.game.ids))  # type: ignore[attr-defined,no-untyped-call]
    assert np.array_equal(duel.privilege()[0, start:stop], vectors[top])


# ---------------------------------------------------------------- buffers


@each_game
def test_buffers_of_the_caller_are_written_in_place(game: str) -> None:
    plain = Batch(game, 2, seed="buffers")
    names = ("obs", "mask", "reward", "done", "seat")
    buffers = {name: np.empty_like(getattr(plain, name)) for name in names}
    for buffer in buffers.values():
        buffer[...] = 1
    batch, dice = Batch(game, 2, seed="buffers", **buffers), Random(6)
    for _ in range(150):
        actions = any_actions(plain, dice)
        plain.step(actions)
        batch.step(actions.astype(np.int32))
        for name, buffer in buffers.items():
            assert getattr(batch, name) is buffer
            assert np.array_equal(buffer, getattr(plain, name)), name


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("obs", np.zeros((2, 7), np.uint8)),
        ("mask", np.zeros((2, 599), np.uint8)),
        ("mask", np.zeros((2, 1198), np.int8)[:, ::2]),
        ("reward", [[0.0, 0.0]] * 2),
        ("done", np.zeros(3, bool)),
        ("seat", np.broadcast_to(np.zeros(1, np.int8), (2,))),
    ],
    ids=["narrow", "unsigned", "with gaps", "list", "longer", "read only"],
)
def test_a_buffer_that_does_not_fit_is_refused(name: str, wrong: Any) -> None:
    with pytest.raises(Refused, match=f"{name} must be a writable NumPy array"):
        Batch("madness", 2, **{name: wrong})


# ---------------------------------------------------------------- refusals


@each_game
def test_an_illegal_action_is_refused_by_its_rule_and_changes_nothing(game: str) -> None:
    batch, dice = Batch(game, 3, seed="wrong"), Random(7)
    for _ in range(25):
        actions = any_actions(batch, dice)
        kept = batch.states.tobytes(), batch.obs.tobytes(), batch.mask.tobytes(), batch.number.tobytes()
        row = dice.randrange(batch.rows)
        illegal = [*np.flatnonzero(batch.mask[row] == 0).tolist(), -1, batch.features.actions, 10**12]
        for wrong in dice.sample(illegal, 3):
            tried = actions.copy()
            tried[row] = wrong
            with pytest.raises(IllegalMove, match=f"row {row}") as caught:
                batch.step(tried)
            assert caught.value.message("ru") and caught.value.message("en")
            found = batch.states.tobytes(), batch.obs.tobytes(), batch.mask.tobytes(), batch.number.tobytes()
            assert found == kept
        batch.step(actions)


def test_a_mask_that_the_caller_spoils_lets_nothing_illegal_through() -> None:
    for game in FEATURES:
        batch = Batch(game, 1, seed="spoiled")
        illegal = int(np.flatnonzero(batch.mask[0] == 0)[0])
        batch.mask[:] = 1
        with pytest.raises(IllegalMove):
            batch.step([illegal, *[0] * (batch.rows - 1)])


@pytest.mark.parametrize("wrong", [[0], [0.5, 1.5], [[0, 0]], ["pass", "pass"], [True, False]])
def test_actions_of_another_shape_or_kind_are_refused(wrong: Any) -> None:
    with pytest.raises(Refused, match="a step takes 2 whole numbers"):
        Batch("madness", 2).step(wrong)


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    with pytest.raises(Refused, match="at least one game, not 0"):
        Batch("madness", 0)
    with pytest.raises(Refused, match="the places to deal at are 2 truths"):
        Batch("madness", 2).deal([1, 0])
    with pytest.raises(Refused, match="no option gaol; did you mean goal"):
        Batch("madness", 2, options={"gaol": 3})
    with pytest.raises(Refused, match="decks"):
        Batch("madness", 2, decks=("pack", "oasis"))


def test_a_copy_in_the_hand_is_refused_for_what_it_is() -> None:
    """Of two copies the one that came first is played (D6)."""
    batch = Batch("duel", 1, seed="copies")
    while True:
        hand = batch.states[0]["hand"][0].tolist()
        copies = [place for place, kind in enumerate(hand) if kind != NONE and kind in hand[:place]]
        if copies:
            break
        batch.step([0, 0])
    with pytest.raises(IllegalMove, match=rf"card {copies[0] + 1} of the hand is a copy of card \d.*\(D6\)"):
        batch.step([copies[0] + 1, 0])
    with pytest.raises(IllegalMove, match=r"the hand has no card 10.*\(D6\)"):
        batch.step([0, 10])


@each_game
def test_some_games_may_be_stepped_while_others_wait(game: str) -> None:
    batch, dice = Batch(game, 3, seed="some"), Random(9)
    for _ in range(60):
        where = np.array([dice.random() < 0.5 for _ in range(3)])
        actions, kept = any_actions(batch, dice), batch.states.copy()
        seen = batch.obs.copy()
        actions[np.repeat(~where, batch.features.seats)] = -1  # nobody looks at these
        batch.step(actions, where)
        for place in np.flatnonzero(~where):
            rows = slice(place * batch.features.seats, (place + 1) * batch.features.seats)
            assert state_bytes(batch.states[place]) == state_bytes(kept[place])
            assert np.array_equal(batch.obs[rows], seen[rows])
            assert not batch.done[place] and not batch.reward[place].any()
        for place in np.flatnonzero(where):
            assert state_bytes(batch.states[place]) != state_bytes(kept[place])
