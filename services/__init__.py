"""The rooms of the house; the docstring of each says what it is and what it may not do."""
