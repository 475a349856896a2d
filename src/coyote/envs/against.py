"""One seat of each game for a learner; the other one is a bot's."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.bots.bot import Bot
from coyote.bots.deciding import ANY_MOVE, BY_THUMB
from coyote.bots.minds import mind_of
from coyote.bots.names import BOTS, UnknownBot, kind_of, make_bot, plan_of
from coyote.envs.batch import Batch
from coyote.envs.features import Bytes, Flags, Numbers, Truths
from coyote.games.game import OptionError
from coyote.kernel.chance import game_words
from coyote.kernel.seats import SPECTATOR
from coyote.questions import Budget, Page, Question
from coyote.seeds import bot_seed
from coyote.text import Refused

AT_ONCE = (ANY_MOVE, BY_THUMB)
LOST = -1.0  # for an action that is not legal


def check_opponent(name: str, seat: int | None) -> None:
    """OptionError where no bot of ours has this name, or no seat this number."""
    if kind_of(name) is BOTS["cmd"]:
        raise UnknownBot(name)
    if seat not in (None, 0, 1):
        raise OptionError("envs.seat", found=repr(seat))


class Against:
    """The games of a batch, which deals no game by itself.

    `seat` is the learner's, or None: then seat 0 in games of even number, seat 1 in those of odd number.
    """

    def __init__(self, batch: Batch, opponent: str, seat: int | None) -> None:
        assert not batch.autoreset
        self.batch, self.seat = batch, seat
        n, every = batch.n, batch.features.seats
        self.mine: Numbers = np.zeros(n, np.int64)
        self.ended: Truths = np.zeros(n, np.bool_)
        self.rewards = np.zeros(n)
        self.illegal: dict[int, str] = {}  # by place, why the last action lost the game
        self._at = np.arange(n)
        self._choices: Numbers = np.zeros((n, every), np.int64)
        self._seats = batch.seat.reshape(n, every)  # whose the rows are
        plan = plan_of(opponent, batch.game, Budget())
        quick = mind_of(batch.game).PLAYS and plan is not None and plan.way in AT_ONCE
        self._bots = QuickBots(batch, plan) if quick else AskedBots(batch, opponent)
        self.sit_down(np.ones(n, np.bool_))

    def sit_down(self, places: Truths) -> None:
        """New games were dealt there; where the bot begins, it does."""
        self.mine[places] = self.batch.number[places] % 2 if self.seat is None else self.seat
        self.ended[places] = False
        self._bots.sit_down(np.flatnonzero(places), 1 - self.mine)
        self._wait_for_bots(places)

    def step(self, actions: npt.ArrayLike) -> None:
        """One action for each game that goes on; the bots answer until all of these are to choose again.

        `rewards`, `ended` and `illegal` say what came of it. Refused where these are no actions.
        """
        chosen = self._checked(actions)
        legal = self.mask_rows()[self._at, chosen] != 0
        self.rewards[:] = 0
        wrong = np.flatnonzero(~self.ended & ~legal).tolist()
        self.illegal = {place: self._why(place, chosen) for place in wrong}
        going = ~self.ended & legal
        self._choices[:] = chosen[:, np.newaxis]  # where a row is the bot's, it writes its own
        self._play(going)
        self._wait_for_bots(going & ~self.ended)
        for place in self.illegal:
            self.ended[place], self.rewards[place] = True, LOST

    def seen(self) -> tuple[Bytes, Flags]:
        """What the learner may know of each game, and may do; nothing where the game has ended."""
        rows, batch = self._rows(), self.batch
        obs, mask = batch.obs[rows], batch.mask[rows]
        batch.observe(self.mine, obs, self.ended)  # as the last ones to choose may have been the bots
        mask[self.ended] = 0
        return obs, mask

    def mask_rows(self) -> Flags:
        return self.batch.mask[self._rows()]

    def _rows(self) -> Numbers:
        """Where in the batch the learner's part of each game is."""
        every = self._seats.shape[1]
        return every * self._at + (self.mine if every > 1 else 0)

    def _play(self, places: Truths) -> None:
        """One step of some games, with the choices of whoever is to choose there."""
        theirs = (self._seats != self.mine[:, np.newaxis]) & places[:, np.newaxis]
        if theirs.any():
            at, _ = np.nonzero(theirs)
            self._choices[theirs] = self._bots.choose(at, self._seats[theirs].astype(np.int64))
        own = (self._seats == self.mine[:, np.newaxis]) & places[:, np.newaxis]
        self._bots.watch(np.flatnonzero(own.any(axis=1)), self.mine, self._choices[:, 0])
        self.batch.step(self._choices.reshape(-1), where=places)
        self.rewards += self.batch.reward[self._at, self.mine]
        self.ended |= places & self.batch.done

    def _wait_for_bots(self, places: Truths) -> None:
        """Until none of these games waits for the bot alone."""
        while (waiting := places & ~self.ended & (self._seats != self.mine[:, np.newaxis]).all(axis=1)).any():
            self._play(waiting)

    def _checked(self, actions: npt.ArrayLike) -> Numbers:
        chosen, n, most = np.asarray(actions), self.batch.n, self.batch.features.actions - 1
        if chosen.shape != (n,) or chosen.dtype.kind not in "iu":
            raise Refused("envs.actions", rows=n, found=f"{chosen.dtype} {chosen.shape}")
        if ((chosen < 0) | (chosen > most)).any():
            wrong = chosen[(chosen < 0) | (chosen > most)][0]
            raise Refused("envs.not_action", found=str(wrong), most=most)
        return chosen.astype(np.int64)

    def _why(self, place: int, chosen: Numbers) -> str:
        batch = self.batch
        why = batch.features.why_not(batch.states[place], int(self.mine[place]), int(chosen[place]))
        return str(Refused(why))


class QuickBots:
    """Bots that search nothing: they choose in compiled code."""

    def __init__(self, batch: Batch, plan: Any) -> None:
        self.batch, self.plan = batch, plan

    def sit_down(self, places: Numbers, seats: Numbers) -> None:
        """They remember nothing, not even of the game they play."""

    def watch(self, places: Numbers, seats: Numbers, actions: Numbers) -> None:
        """Nor of what the learner does."""

    def choose(self, places: Numbers, seats: Numbers) -> Numbers:
        """An action for each of these places and seats."""
        batch, moves = self.batch, np.empty(len(places), np.int64)
        states = batch.states[places]
        mind_of(batch.game).choose(self.plan, batch.source, batch.number[places], states, seats, moves)
        return batch.features.actions_of(states, seats, moves)


class AskedBots:
    """Any bots of ours, asked one by one."""

    def __init__(self, batch: Batch, name: str) -> None:
        self.batch, self.name = batch, name
        self._bots: list[Bot | None] = [None] * batch.n
        self._pages: list[deque[Page]] = [deque(maxlen=batch.game.REMEMBERED) for _ in range(batch.n)]

    def sit_down(self, places: Numbers, seats: Numbers) -> None:
        words, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        for place in places.tolist():
            game_words(self.batch.source, int(self.batch.number[place]), words, dice)
            seed = bot_seed(dice, f"seat {seats[place]}")
            self._bots[place] = make_bot(self.name, self.batch.game, seed)
            self._pages[place].clear()

    def watch(self, places: Numbers, seats: Numbers, actions: Numbers) -> None:
        """What the learner is about to do, as everybody sees it (`Question.past`)."""
        batch = self.batch
        for place in places.tolist() if batch.game.REMEMBERED else []:
            state = batch.states[place]
            move = batch.features.move(state, int(seats[place]), int(actions[place]))
            self._pages[place].append(Page(batch.game.view(state, SPECTATOR), move))

    def choose(self, places: Numbers, seats: Numbers) -> Numbers:
        asked: Sequence[tuple[int, int]] = list(zip(places.tolist(), seats.tolist(), strict=True))
        moves = np.array([self._answer(place, seat) for place, seat in asked], np.int64)
        return self.batch.features.actions_of(self.batch.states[places], seats, moves)

    def _answer(self, place: int, seat: int) -> int:
        game, bot = self.batch.game, self._bots[place]
        assert bot is not None
        view = game.view(self.batch.states[place], seat)
        legal = game.legal(view, seat)
        past = tuple(self._pages[place])
        return legal[0] if len(legal) == 1 else bot.answer(Question(view, seat, legal, past=past)).action
