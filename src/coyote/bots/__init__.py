"""Players that get a view and answer with a move."""
