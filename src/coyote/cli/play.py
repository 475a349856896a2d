"""`coyote play`: the table in the terminal, for two people or one and a bot."""

import re
import select
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import click
import numpy as np
from rich.columns import Columns
from rich.markdown import Markdown
from rich.markup import escape

from coyote.bots.bot import Answer, Bot, BotFailure
from coyote.bots.hints import HINT, advise, hint_lines
from coyote.bots.levels import NUMBERS
from coyote.bots.names import SEARCH, UnknownBot, kind_of, make_bot, uses
from coyote.cli.common import (
    WORDS,
    console,
    edition_option,
    game_with,
    house_rules_option,
    lang_option,
    plain_text,
    set_option,
    setup_with,
    words_for,
)
from coyote.cli.faults import Fault
from coyote.cli.saves import Save
from coyote.cli.terminals import TERMINALS, Drawing, table_for
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.game import Game, Json
from coyote.games.registry import GAMES
from coyote.kernel.seats import SPECTATOR
from coyote.lab.games import Played, ask, say_goodbye
from coyote.match import IllegalMove, Match
from coyote.questions import Budget
from coyote.seeds import new_seed, seed_from, seed_words
from coyote.text import LANGUAGES, Refused, Words
from coyote.text.rulebook import rulebook, rules_of

HUMAN = "human"
IN_WORDS = {"human": HUMAN, "человек": HUMAN}
USUAL_OPPONENT = "2"
MOMENT = 0.5  # seconds
LAST_SAID = 12  # lines of the story that stay in view
HOME_AND_CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # the scrollback too: it may hold the other player's hand


def list_of_levels(words: Words) -> str:
    """For the help: one line for each level. The mark keeps Click from making one paragraph of them."""
    numbered = [(number, words(f"level.{number}")) for number in NUMBERS]
    about = words.find("level.about")
    lines = [f"  {number}  {name:10} {about[str(number)]}" for number, name in numbered]
    return "\n".join(["\b", words("cli.levels"), *lines])


@click.command(help=WORDS("cli.play"), epilog=list_of_levels(WORDS))
@click.argument("game", type=click.Choice(list(GAMES)), required=False)
@edition_option
@house_rules_option
@click.option("--against", callback=plain_text, help=WORDS("cli.against"))
@lang_option
@click.option("--seed", callback=plain_text, help=WORDS("cli.seed"))
@click.option("--deck", help=WORDS("cli.deck"))
@click.option("--their-deck", help=WORDS("cli.their_deck"))
@set_option
@click.option("--resume", is_flag=True, help=WORDS("cli.resume"))
def command(
    game: str | None,
    edition: str | None,
    options: tuple[str, ...],
    against: str | None,
    lang: str | None,
    seed: str | None,
    deck: str | None,
    their_deck: str | None,
    set_file: Path | None,
    resume: bool,
) -> None:
    words = words_for(lang)
    if resume:
        if game or edition or options or against or seed or deck or their_deck or set_file:
            raise Fault("fault.resume_alone")
        save = Save.latest()
        match, table = save.read(lambda saved, players: prepare(saved, players, words))
        words = words_for(lang or table["lang"])
        table["lang"] = words.lang
    elif game is None:
        raise Fault("fault.no_game_named", known=", ".join(GAMES))
    else:
        seed = new_seed() if seed is None else seed
        seats = draw_lots(seed, opponent_called(against or USUAL_OPPONENT, words))
        chosen = game_with(game, edition, options, set_file)
        setup = setup_with(chosen, seat_decks(seats, deck, their_deck))
        prepare(chosen, seats, words)
        match, save = Match(chosen, setup, seed=seed, players=seats), Save.new()
        table = {"lang": words.lang}
    Seating(match, save, table, words).play()


def opponent_called(text: str, words: Words) -> str:
    """The player's name in records: `human`, `level:3`, `search:2000`. Levels go by number and by name."""
    called = dict(IN_WORDS)
    for number in NUMBERS:
        names = [Words(lang)(f"level.{number}") for lang in LANGUAGES]
        called |= {name.lower(): f"level:{number}" for name in (str(number), *names)}
    if found := called.get(text.strip().lower()):
        return found
    try:
        kind_of(text)
    except UnknownBot as error:
        levels = ", ".join(f"{number} {words(f'level.{number}')}" for number in NUMBERS)
        raise Fault("fault.no_opponent", name=text, levels=levels, bots=error.values["known"]) from None
    return text


def prepare(game: Game, players: list[str], words: Words) -> None:
    """Compile what the game and its players need, and no more."""
    bots = [player for player in players if player != HUMAN]
    for bot in bots:
        kind_of(bot)
    warm_up(game, words)
    warm_bots(game, bots, words)


def draw_lots(seed: str, opponent: str) -> list[str]:
    """M11  Who sits in seat 0 is decided by lot; the lot follows from the seed, apart from the deal."""
    lot = seed_words(seed_from(f"lot {seed_from(seed)}"))[0] & np.uint64(1)
    seats = [HUMAN, opponent]
    return seats[::-1] if lot else seats


def seat_decks(seats: list[str], mine: str | None, theirs: str | None) -> list[str] | None:
    """Decks by seat: the first person's and the other one's."""
    if mine is None and theirs is None:
        return None
    decks = [mine or "random", theirs or "random"]
    return decks if seats[0] == HUMAN else decks[::-1]


def bot_called(player: str, bot: Bot, words: Words) -> str:
    """A bot's name at the table: of a program of somebody else's, what it calls itself."""
    return words.bot(player) or (words("play.bot") if bot.name == player else bot.name)


# ---------------------------------------------------------------- the table


class Seating:
    """One match at one keyboard."""

    def __init__(self, match: Match, save: Save, table: Json, words: Words) -> None:
        self.match, self.save, self.manner, self.words = match, save, table, words
        self.out = console()
        self.people = [seat for seat, player in enumerate(match.players) if player == HUMAN]
        self.hot_seat = len(self.people) == 2
        self.bots = self._make_bots()
        self.failure: tuple[int, BotFailure] | None = None  # the seat that does not play on, and why
        self.heard = [0, 0]  # how much of the story each person has heard
        self.asked = [0, 0]  # and each bot
        self.shown: int | None = None  # whose cards are on the screen
        self.rule = ""  # the rule in question

    def _make_bots(self) -> dict[int, Bot]:
        """Their dice are told apart from the deal by the name; what they see does the rest."""
        dice, game = f"dice {self.match.seed}", self.match.game
        names = enumerate(self.match.players)
        return {seat: make_bot(name, game, dice) for seat, name in names if name != HUMAN}

    # ------------------------------------------------------------ the course of a game

    def play(self) -> None:
        self.keep()
        try:
            if self.go_on():
                self.end()
            else:
                self.out.print(f"\n{self.words('play.left')}")
        finally:
            say_goodbye(list(self.bots.values()), self.result())

    def go_on(self) -> bool:
        """To the end; False when somebody leaves the table before."""
        try:
            with self.screen():
                while self.failure is None and (actors := self.match.actors):
                    self.decide(actors[0])
        except (EOFError, KeyboardInterrupt, click.Abort):
            return False
        return True

    def screen(self) -> AbstractContextManager[object]:
        """Two people get a screen of its own, which leaves no cards behind in the scrollback."""
        if self.hot_seat and self.out.is_terminal:
            return self.out.screen(hide_cursor=False)
        return nullcontext()

    def decide(self, seat: int) -> None:
        """One decision, by whoever sits there; saved before anything else happens."""
        if seat in self.bots:
            self.let_think(seat)
        else:
            self.hand_over(seat)
            self.show(seat)
            self.ask(seat)
        self.keep()

    def let_think(self, seat: int) -> None:
        """A bot's decision. One that fails has lost, and nothing is decided any more."""
        try:
            with self.thinking(seat):
                action = ask(self.match, seat, self.bots[seat], self.asked, Budget())
        except BotFailure as failure:
            self.failure = (seat, failure)
        else:
            self.match.play_action(action, seat)

    def thinking(self, seat: int) -> AbstractContextManager[object]:
        """A sign of life beside the name of a bot that takes its time."""
        player = self.match.players[seat]
        if SEARCH in uses(player, self.match.game) or player.startswith("cmd:"):
            return self.busy(self.words("play.thinking", name=self.name(seat)))
        return nullcontext()

    def busy(self, text: str) -> AbstractContextManager[object]:
        return self.out.status(escape(text)) if self.out.is_terminal else nullcontext()

    def keep(self) -> None:
        self.save.write(self.match, self.manner)

    def end(self) -> None:
        """Everything is open now: the table, how it ended, where the record lies."""
        viewer = None if self.hot_seat else self.people[0]
        self.clear()
        view = self.match.view_json(viewer if viewer is not None else SPECTATOR)
        self.out.print(self.table(viewer).draw(view, self.match.hands))
        self.tell(viewer, self.heard[viewer] if viewer is not None else min(self.heard))
        self.tell_failure()
        path = self.save.finish({**self.match.record(), "result": self.result()})
        self.out.print(self.words("play.kept", path=path), style="dim")

    def tell_failure(self) -> None:
        if self.failure:
            seat, failure = self.failure
            why = failure.message(self.words.lang)
            self.out.print(escape(self.words("play.failed", name=self.name(seat), why=why)), style="red")

    def result(self) -> Json | None:
        """How the game ended, by the rules or because a bot failed."""
        if self.failure is None:
            return self.match.result.as_json() if self.match.result else None
        return Played(self.match, *self.failure).result.as_json()

    # ------------------------------------------------------------ what is on the screen

    def names(self, viewer: int | None) -> list[str]:
        """The players as the viewer calls them."""
        if self.hot_seat:
            return [str(name) for name in self.words.find("play.players")]
        return [self.name(seat) for seat in range(2)]

    def name(self, seat: int) -> str:
        if seat not in self.bots:
            return self.words("play.you")
        return bot_called(self.match.players[seat], self.bots[seat], self.words)

    def table(self, viewer: int | None) -> Drawing:
        return table_for(self.match.game, self.words, self.names(viewer))

    def clear(self) -> None:
        if self.out.is_terminal:
            self.out.file.write(HOME_AND_CLEAR)

    def hand_over(self, seat: int) -> None:
        """Two people: hide the cards until the other one has taken the keyboard."""
        if not self.hot_seat or self.shown == seat:
            return
        self.clear()
        self.out.print(self.words("play.hand_over", name=self.names(seat)[seat]), style="bold")
        self.read_line(self.words("play.press_enter"))
        self.shown = seat

    def show(self, seat: int) -> None:
        self.clear()
        self.out.print(self.table(seat).draw(self.match.view_json(seat)))
        self.tell(seat, self.heard[seat])
        self.heard[seat] = len(self.match.rows)
        self.wanted(seat)

    def tell(self, viewer: int | None, since: int) -> None:
        """What has happened, in words."""
        said = self.match.story(viewer, self.names(viewer), self.words.lang, since)
        for line in said[-LAST_SAID:]:
            self.out.print(f"  {escape(line)}")

    def wanted(self, seat: int) -> None:
        """What is to be decided now."""
        game, wanted = self.match.game, self.match.wanted
        self.rule = game.WANTED[wanted]
        self.out.print(self.words(f"{game.name}.wanted.{wanted}"), style="yellow")

    # ------------------------------------------------------------ what is typed

    def read_line(self, prompt: str) -> str:
        """A line that was typed. Python may miss a Ctrl-C that comes just when the waiting begins, and hear
        of it only when that ends: so it ends now and then.
        """
        self.out.print(prompt, end="")
        while sys.stdin.isatty() and not select.select([sys.stdin], [], [], MOMENT)[0]:
            pass
        return input()

    def ask(self, seat: int) -> None:
        """Until a legal move has been made."""
        while True:
            typed = self.read_line("> ").strip()
            if typed and not self.obey(typed, seat) and self.try_move(typed, seat):
                return

    def obey(self, typed: str, seat: int) -> bool:
        """Words that are not moves."""
        command, _, rest = typed.lower().partition(" ")
        if command in ("?", "help", "помощь"):
            self.list_moves(seat)
        elif command in ("hint", "подсказка"):
            self.give_hint(seat)
        elif command in ("rules", "правила"):
            self.open_rulebook(rest.strip().upper() or self.rule)
        elif command in ("quit", "exit", "q", "выход"):
            raise EOFError
        elif command in ("table", "стол"):
            self.show(seat)
        else:
            return False
        return True

    def moves(self, seat: int) -> list[str]:
        """The legal moves in the order in which they are numbered."""
        return [self.match.game.move_text(action) for action in self.match.legal_actions(seat)]

    def list_moves(self, seat: int) -> None:
        moves = [f"[dim]{number:3}[/] {move}" for number, move in enumerate(self.moves(seat), 1)]
        self.out.print(Columns(moves, padding=(0, 3), column_first=True))
        self.out.print(self.words("play.help", rule=self.rule), style="dim")

    def give_hint(self, seat: int) -> None:
        """What a search would do in this seat, and why."""
        answer = self.advice(seat)
        first, *others = hint_lines(self.match.game, self.match.question(seat), answer, self.words)
        self.out.print(escape(first), style="green")
        for line in others:
            self.out.print(escape(line), style="dim")

    def advice(self, seat: int, budget: Budget = HINT) -> Answer:
        match = self.match
        warm_bots(match.game, ["search"], self.words)
        with self.busy(self.words("hint.busy")):
            return advise(match.game, str(match.seed), match.question(seat), budget)

    def open_rulebook(self, rule: str) -> None:
        game = self.match.game
        try:
            rules = rules_of(rulebook(game.name, self.words.lang, game.edition or None))
        except Refused as error:  # not every game has one, and nobody leaves the table for it
            self.out.print(error.message(self.words.lang))
            return
        if rule in rules:
            self.out.print(Markdown(rules[rule]))
        else:
            last = list(rules)[-1]
            self.out.print(self.words("fault.no_rule", rule=escape(rule), first=next(iter(rules)), last=last))

    def try_move(self, typed: str, seat: int) -> bool:
        moves = self.moves(seat)
        if re.fullmatch(r"\d+", typed) and 1 <= int(typed) <= len(moves):
            typed = moves[int(typed) - 1]
        try:
            self.match.play(TERMINALS[self.match.game.name].read_move(typed), seat)
        except IllegalMove as error:
            self.rule = error.refusal.rule or self.rule
            self.out.print(
                self.words("play.refused", why=escape(error.message(self.words.lang))), style="red"
            )
            return False
        return True
