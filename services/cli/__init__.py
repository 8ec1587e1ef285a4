"""The ``shoetrail`` command: for people at a terminal, and for scripts through ``--json``."""
