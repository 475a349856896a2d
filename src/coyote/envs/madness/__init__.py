"""Madness for environments."""
