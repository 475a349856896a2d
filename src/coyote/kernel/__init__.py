"""The compiled ground that every game stands on. No game and no word is in here."""
