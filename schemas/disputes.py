"""What a dispute desk says: disputes opened and resolved. Data only, no judgement of a claim.

Entry ``<n>-0`` of a table's disputes stream, and line n of its ``disputes.jsonl``, are the same
bytes. A dispute is known by the entry that opened it: the third entry at T7 opened ``T7:3``.
"""

from __future__ import annotations

import unicodedata
from pathlib import PurePath
from typing import Final

import msgspec

from schemas.errors import InputError
from schemas.money import Amount, Count

#: So many characters at most: a claim or a finding, who makes it, a clip's name.
LONGEST_TEXT: Final = 500
LONGEST_WHO: Final = 64
LONGEST_NAME: Final = 120
#: So many clips at most with one claim or finding.
MOST_CLIPS: Final = 16
#: What moves a cursor, breaks a line or is no character; joiners within a word are fine.
_REFUSED: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_JOINERS: Final = "\u200c\u200d"
#: Who asks the dealer to move money for a dispute: ``13/money.adjust/disputes/3`` is for ``T7:3``.
DESK: Final = "disputes"


class Clip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that is kept elsewhere: its name, and its SHA-256 (hex) and size in bytes."""

    name: str
    sha256: str
    size: Count


class Adjustment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Money that a resolution moves: whose, for which bet (or none), how much, his view."""

    bettor: str
    bet: str | None
    amount: Amount


class DisputeOpened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody disputes a round, ``at`` like ``T7/12#17``; its evidence stays until resolved.

    ``bettor`` is whose money it is about, ``bet`` one of his bets; ``spot`` and ``stake`` are of a
    bet that the claim says was made and that is not on the record, or not like this.
    """

    at: str
    by: str
    claim: str
    bettor: str | None
    bet: str | None
    spot: str | None
    stake: Amount | None
    clips: tuple[Clip, ...]


class DisputeResolved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dispute is decided, once: who found what, and the money that moves for it, or null."""

    dispute: Count
    by: str
    finding: str
    adjustment: Adjustment | None
    clips: tuple[Clip, ...]


DisputeSaid = DisputeOpened | DisputeResolved

DISPUTES: Final[dict[str, type[msgspec.Struct]]] = {
    "dispute.opened": DisputeOpened,
    "dispute.resolved": DisputeResolved,
}


def checked_words(text: str, where: str, longest: int = LONGEST_TEXT) -> str:
    """Give a text of one line back without spaces around it, or refuse it."""
    told = text.strip(" ")
    if not told:
        raise InputError("nothing is said", where, "say it in a few words")
    for character in told:
        if unicodedata.category(character) in _REFUSED and character not in _JOINERS:
            wrong = f"the character U+{ord(character):04X} cannot be in it"
            raise InputError(wrong, where, "write one line of plain text")
    if len(told) > longest:
        wrong = f"{len(told)} characters are too many"
        raise InputError(wrong, where, f"use {longest} at most, and attach the rest")
    return told


def clip_name(path: PurePath, where: str) -> str:
    """Give the last part of a path as the record may carry it."""
    return checked_words(path.name, where, LONGEST_NAME)
