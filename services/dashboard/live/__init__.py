"""The board as it happens: tables followed in Redis, and viewers of their streams."""
