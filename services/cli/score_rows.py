"""What the score book holds: sessions, high scores, statistics. Data; reads and writes no file."""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from schemas.errors import InputError
from services.cli.figures import Figures

LONGEST_NAME: Final = 30


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """What one run came to. ``name``: the player's, who gave it for the high scores; or None."""

    id: str
    system: str
    rules: str
    currency: str
    figures: Figures
    name: str | None = None


class HighScore(msgspec.Struct, frozen=True):
    """A place among the fifteen; the score is the session's profit in minor units."""

    name: str
    score: int
    currency: str
    system: str
    rules: str
    hands: int
    ended: str
    session: str


class Statistics(msgspec.Struct, frozen=True):
    """All sessions of one system under one rule set, added up."""

    system: str
    rules: str
    currency: str
    sessions: int
    figures: Figures


def session_id(*parts: str) -> str:
    """Derive a session's id from what makes its run that run (table, first commitment, system)."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def player_name(text: str) -> str:
    """Read the name for a high score: 1 to 30 characters that can be printed."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        mend = f"use 1 to {LONGEST_NAME} letters, digits and signs"
        raise InputError(f"{name[:40]!r} is no player's name", mend=mend)
    return name
