"""Luck and decisions of Madness."""
