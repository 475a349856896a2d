"""The duel for environments."""
