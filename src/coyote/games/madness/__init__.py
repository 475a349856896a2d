"""Madness: the rules in `rules`, the game as the rest of the program uses it in `game`."""
