"""A search that knows whom it plays: it takes more than half, from what its seat may know alone."""

from coyote.bots.knowing import KnowingBot
from coyote.bots.names import make_bot
from coyote.games.registry import make_game
from coyote.lab.games import play_out
from coyote.match import Match

DEALS = 6


def test_it_takes_more_than_half_from_greedy() -> None:
    game, points, otherwise = make_game("madness"), 0.0, 0
    for number in range(DEALS):
        for seat in range(2):
            knowing = KnowingBot(game, f"k {number} {seat}", "greedy", "search:30", worlds=8, moves=3)
            players = [knowing, make_bot("greedy", game, f"g {number}")]
            match = Match(game, seed=f"knowing {number}")
            winner = play_out(match, players if seat == 0 else players[::-1]).result.winner
            points += 0.5 if winner is None else winner == seat
            otherwise += knowing.changed
    assert points > DEALS  # of twice as many games
    assert otherwise > 0


def test_of_two_that_play_a_duel_it_foresees_the_other() -> None:
    """The same question has the same answer, and nothing that was supposed is left in the question."""
    game = make_game("duel", **{"open-lists": "yes"})
    match = Match(game, game.samples()[0], seed="foreseen")
    question = match.question(0, 0)
    before = question.view.tobytes()
    answers = [KnowingBot(game, "a", "greedy", "search:40", worlds=6).answer(question) for _ in range(2)]
    assert answers[0].action == answers[1].action
    assert answers[0].action in question.legal
    assert question.view.tobytes() == before
