"""How to play Madness."""
