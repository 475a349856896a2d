"""`coyote play`: the table in the terminal, for two people or one and a bot."""

import re
import select
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import click
import numpy as np
from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.markup import escape
from rich.text import Text

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
from coyote.cli.screen import Screen
from coyote.cli.terminals import table_for, typing_for
from coyote.cli.typed import Doubt
from coyote.cli.warm import Warming, warm_bots
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
USUAL_OPPONENT = "3"
MOMENT = 0.5  # seconds
NOTED = re.compile("`([^`\n]+)`")  # notation in a rulebook
UNDO = ("undo", "back", "назад", "отмена")
YES = ("y", "yes", "д", "да")


def list_of_levels(words: Words) -> str:
    """For the help: one line for each level. The mark keeps Click from making one paragraph of them."""
    numbered = [(number, words(f"level.{number}")) for number in NUMBERS]
    about, wide = words.find("level.about"), max(len(name) for _, name in numbered)
    lines = [f"  {number}  {name:{wide}}  {about[str(number)]}" for number, name in numbered]
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
    with Warming() as warming:
        if resume:
            if game or edition or options or against or seed or deck or their_deck or set_file:
                raise Fault("fault.resume_alone")
            save = Save.latest()
            match, table = save.read(lambda saved, players: prepare(warming, saved, players, words))
            words = words_for(lang or table["lang"])
            table["lang"] = words.lang
        elif game is None:
            raise Fault("fault.no_game_named", known=", ".join(GAMES))
        else:
            seed = new_seed() if seed is None else seed
            seats = draw_lots(seed, opponent_called(against or USUAL_OPPONENT, words))
            chosen = game_with(game, edition, options, set_file)
            prepare(warming, chosen, seats, words)
            setup = setup_with(chosen, seat_decks(seats, deck, their_deck))
            match, save = Match(chosen, setup, seed=seed, players=seats), Save.new()
            table = {"lang": words.lang}
        Seating(match, save, table, words, warming).play()


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


def prepare(warming: Warming, game: Game, players: list[str], words: Words) -> None:
    """Have compiled what the game and its players need; a bot that there is not is refused before."""
    bots = [player for player in players if player != HUMAN]
    for bot in bots:
        kind_of(bot)
    warming.begin(game, bots, words)


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


# ---------------------------------------------------------------- taking back


class Course:
    """A match and how it came there, so that choices can be taken back as at the table (`room.py`)."""

    def __init__(self, match: Match) -> None:
        self.start = Match(match.game, match.setup, seed=match.seed, players=match.players)
        self.go(all_moves(match))

    def go(self, moves: Iterable[tuple[int, str]]) -> None:
        """From the deal to here. `steps` are the places before which no choice was sealed; `seen` is how
        much had happened when each seat last chose."""
        self.match, self.seen = self.start.copy(), [0, 0]
        self.steps: list[int] = []
        for place, (seat, move) in enumerate(moves):
            if not self.match.choices:
                self.steps.append(place)
            self.seen[seat] = len(self.match.rows)
            self.match.play(move, seat)

    def place_of_last(self, seat: int) -> int | None:
        """Before which move the step began in which the seat chose last."""
        chosen = [place for place, (who, _) in enumerate(all_moves(self.match)) if who == seat]
        return max(step for step in self.steps if step <= chosen[-1]) if chosen else None

    def shows_nothing(self, seat: int, place: int) -> bool:
        """Whether only this seat chose from there on, and learned nothing by it."""
        moves = all_moves(self.match)
        if [who for who, _ in moves[place:]] != [seat]:
            return False
        if seat in self.match.choices:
            return True
        before = self.start.copy()
        for who, move in moves[:place]:
            before.play(move, who)
        return not before.showed(moves[place][1], seat)


def all_moves(match: Match) -> list[tuple[int, str]]:
    """Those that are sealed too."""
    return [*match.moves, *match.sealed.items()]


# ---------------------------------------------------------------- the table


class Seating:
    """One match at one keyboard."""

    def __init__(self, match: Match, save: Save, table: Json, words: Words, warming: Warming) -> None:
        self.save, self.manner, self.words, self.warming = save, table, words, warming
        self.out = console()
        self.screen = Screen(self.out)
        self.people = [seat for seat, player in enumerate(match.players) if player == HUMAN]
        self.hot_seat = len(self.people) == 2
        self.typing = typing_for(match.game, words)
        self.failure: tuple[int, BotFailure] | None = None  # the seat that does not play on, and why
        self.shown: int | None = None  # whose cards are on the screen
        self.rule = ""  # the rule in question
        self.aside = ""  # what is to be said besides the news
        self.bots: dict[int, Bot] = {}
        self.take_up(match)

    def take_up(self, match: Match) -> None:
        """Go on from here, as after a resume: the bots are new, have heard nothing, and keep their names."""
        self.match, before = match, self.bots
        say_goodbye(list(before.values()), None)
        self.bots = self._make_bots()
        for seat, bot in before.items():
            self.bots[seat].name = bot.name
        self.heard = Course(match).seen  # how much of the story each person has heard
        self.new_from = list(self.heard)  # and from where on it is news
        self.asked = [0, 0]  # what each bot has heard

    def _make_bots(self) -> dict[int, Bot]:
        """Their dice are told apart from the deal by the name; what they see does the rest. Who takes back a
        choice cannot know what a bot will do next time: its dice are others then."""
        times = self.manner.get("taken_back", 0)
        dice, game = f"dice {self.match.seed}" + (f" {times}" if times else ""), self.match.game
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
            with self.own_screen():
                while self.failure is None and (actors := self.match.actors):
                    self.decide(actors[0])
        except (EOFError, KeyboardInterrupt, click.Abort):
            return False
        return True

    def own_screen(self) -> AbstractContextManager[object]:
        """Two people get a screen of its own, which leaves no cards behind in the scrollback."""
        if self.hot_seat and self.out.is_terminal:
            return self.out.screen(hide_cursor=False)
        return nullcontext()

    def decide(self, seat: int) -> None:
        """One decision, by whoever sits there, or one taken back; saved before anything else happens."""
        if seat in self.bots:
            self.let_think(seat)
        elif self.hand_over(seat):
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
        """What is being done; while the rules are plain Python, it is said why that takes longer."""
        if not self.out.is_terminal:
            return nullcontext()
        said = self.words("play.warming", what=text) if self.warming.busy else text
        return self.out.status(escape(said))

    def keep(self) -> None:
        self.save.write(self.match, self.manner)

    def end(self) -> None:
        """Everything is open now: the table, how it ended, where the record lies."""
        viewer = None if self.hot_seat else self.people[0]
        since = min(self.heard) if viewer is None else self.heard[viewer]
        path = self.save.finish({**self.match.record(), "result": self.result()})
        last = [*self.failure_told(), Text(self.words("play.kept", path=path), "dim")]
        self.screen.show(lambda size: self.draw(viewer, size, is_open=True), self.news(viewer, since), last)

    def failure_told(self) -> list[Text]:
        if not self.failure:
            return []
        seat, failure = self.failure
        why = failure.message(self.words.lang)
        return [Text(self.words("play.failed", name=self.name(seat), why=why), "red")]

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

    def draw(self, viewer: int | None, size: int, is_open: bool = False) -> RenderableType:
        table = table_for(self.match.game, self.words, self.names(viewer))
        view = self.match.view_json(viewer if viewer is not None else SPECTATOR)
        return table.draw(view, self.match.hands if is_open else None, size)

    def hand_over(self, seat: int) -> bool:
        """Two people: hide the cards until the other one has taken the keyboard. False where whoever had it
        takes back a choice first."""
        if not self.hot_seat or self.shown == seat:
            return True
        self.screen.clear()
        self.out.print(self.words("play.hand_over", name=self.names(seat)[seat]), style="bold")
        typed = self.read_line(self.words("play.press_enter")).strip().lower()
        if typed in UNDO:
            self.undo(all_moves(self.match)[-1][0] if all_moves(self.match) else seat)
            return False
        self.shown = seat
        return True

    def show(self, seat: int) -> None:
        """The table, what is new, and what is wanted."""
        self.rule = self.match.game.WANTED[self.match.wanted]
        if self.heard[seat] < len(self.match.rows):
            self.new_from[seat], self.heard[seat] = self.heard[seat], len(self.match.rows)
        news = [*filter(None, [self.aside]), *self.news(seat, self.new_from[seat])]
        self.aside = ""
        self.screen.show(lambda size: self.draw(seat, size), news, self.wanted())

    def note(self, seat: int, said: RenderableType) -> None:
        """An answer to what was typed, in the place of the news."""
        self.screen.note(lambda size: self.draw(seat, size), said, self.wanted())

    def news(self, viewer: int | None, since: int) -> list[str]:
        """What has happened, in words."""
        return self.match.story(viewer, self.names(viewer), self.words.lang, since)

    def wanted(self) -> list[RenderableType]:
        """What is to be decided now, and what else can be typed."""
        asked = self.words(f"{self.match.game.name}.wanted.{self.match.wanted}")
        return [Text(asked, "yellow"), Text(self.words("play.help", rule=self.rule), "dim")]

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
        """Until a legal move has been made, or one was taken back."""
        while True:
            typed = self.read_line("> ").strip()
            if typed.lower() in UNDO:
                self.undo(seat)
                return
            if typed and not self.obey(typed, seat) and self.try_move(typed, seat):
                return
            if not typed:
                self.show(seat)

    def obey(self, typed: str, seat: int) -> bool:
        """Words that are not moves."""
        command, _, rest = typed.lower().partition(" ")
        if command in ("?", "help", "помощь"):
            self.note(seat, self.typing.listed(self.moves(seat)))
        elif command in ("hint", "подсказка"):
            self.note(seat, self.hint(seat))
        elif command in ("rules", "правила"):
            self.note(seat, self.rulebook_at(rest.strip().upper() or self.rule))
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

    def hint(self, seat: int) -> RenderableType:
        """What a search would do in this seat, and why."""
        answer = self.advice(seat)
        asked = self.match.question(seat)
        first, *others = hint_lines(self.match.game, asked, answer, self.words, self.typing.write)
        return Group(Text(first, "green"), *(Text(line, "dim") for line in others))

    def advice(self, seat: int, budget: Budget = HINT) -> Answer:
        match = self.match
        if not self.warming.busy:
            warm_bots(match.game, ["search"], self.words)
        with self.busy(self.words("hint.busy")):
            return advise(match.game, str(match.seed), match.question(seat), budget)

    def rulebook_at(self, rule: str) -> RenderableType:
        game = self.match.game
        try:
            rules = rules_of(rulebook(game.name, self.words.lang, game.edition or None))
        except Refused as error:  # not every game has one, and nobody leaves the table for it
            return Text(error.message(self.words.lang))
        if rule in rules:
            return Markdown(NOTED.sub(lambda found: f"`{self.typing.in_text(found[1])}`", rules[rule]))
        return Text(self.words("fault.no_rule", rule=rule, first=next(iter(rules)), last=list(rules)[-1]))

    def try_move(self, typed: str, seat: int) -> bool:
        moves = self.moves(seat)
        try:
            if re.fullmatch(r"\d+", typed) and 1 <= int(typed) <= len(moves):
                move = moves[int(typed) - 1]
            else:
                move = self.typing.read(typed, moves)
            self.match.play(move, seat)
        except Doubt as doubt:
            self.note(seat, Text(doubt.message(self.words.lang), "red"))
            return False
        except IllegalMove as error:
            self.rule = error.refusal.rule or self.rule
            why = self.words.refusal(self.typing.unread(error.refusal))
            self.note(seat, Text(self.words("play.refused", why=why), "red"))
            return False
        return True

    # ------------------------------------------------------------ taking back

    def undo(self, seat: int) -> None:
        """Back to before the seat's last choice: at will against a bot and where it showed nothing,
        otherwise if the other one agrees. Then whoever is to choose is asked anew."""
        course = Course(self.match)
        place = course.place_of_last(seat)
        if place is None:
            self.aside = self.words("play.nothing_to_undo")
        elif self.hot_seat and not course.shows_nothing(seat, place) and not self.other_agrees(seat):
            self.aside = self.words("play.undo_refused", other=self.names(seat)[1 - seat])
        else:
            course.go(all_moves(self.match)[:place])
            self.manner["taken_back"] = self.manner.get("taken_back", 0) + 1
            self.take_up(course.match)
            self.aside = self.words("play.undone")

    def other_agrees(self, seat: int) -> bool:
        """The cards are covered meanwhile, and until whoever is to choose has the keyboard."""
        self.shown = None
        self.screen.clear()
        names = self.names(seat)
        asked = self.words("play.undo_ask", name=names[seat], other=names[1 - seat])
        return self.read_line(f"{asked} ").strip().lower() in YES
