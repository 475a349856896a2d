"""How to play the duel."""
