"""What is said of a game that is over: luck, decisions, and what could be known."""
