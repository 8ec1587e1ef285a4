"""The command line: what it prints, how it ends."""
