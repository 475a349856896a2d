"""Luck and decisions of the duel."""
