"""The games: rules as compiled functions, and what the rest of the program needs to use them."""
