"""Duel: the card language, sets, decks and rules."""
