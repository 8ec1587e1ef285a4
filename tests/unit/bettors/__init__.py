"""Bettors: systems, decks, scenarios, the deciding card and the fold at a table."""
