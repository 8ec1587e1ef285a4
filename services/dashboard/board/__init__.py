"""The pure part of the board: what is shown, folded from what was said. No loop, no I/O."""
