"""The table: rooms for games between people and bots, their store, their messages, their server."""
