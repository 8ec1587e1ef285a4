"""What a browser shows: the checker that anyone can open. Judges nothing in Python."""
