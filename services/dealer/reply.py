"""What an answer can be: an event, or one of two words. Holds nothing else."""

from __future__ import annotations

from typing import Final

from schemas.events import Event


class Sign:
    """A word that is no event."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        """Name it."""
        self.name = name


#: The command must wait.
LATER: Final = Sign("later")
#: The same was answered before.
NOTHING: Final = Sign("nothing")

Reply = Event | Sign
