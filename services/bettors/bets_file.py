"""Bets written down, round by round, for a module: one word or bet a line. Plays none of them.

Whether a set of bets may stand is for the table to say: only what nobody could lay is refused here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection

#: Dollars, with cents or in thousands: ``25``, ``2.50``, ``5k``.
_AMOUNT: Final = re.compile(r"([0-9]{1,12})(?:\.([0-9]{2})|(k))?", re.ASCII)
_DOLLAR: Final = 100
#: Above any table's maximum, and what a bettor can lay without being refused.
_MOST_DOLLARS: Final = 10**11
#: A longer stack could not be told to the dealer.
_MOST_CHIPS: Final = 200
_LONGEST: Final = 1 << 20
_MEND: Final = "write SPOT AMOUNT, SPOT CHIP+CHIP+…, withdraw SPOT or play"


class Lay(NamedTuple):
    """Lay a bet: a stake in minor units, and its chips, bottom first, where they are told."""

    spot: str
    stake: int
    chips: tuple[int, ...] | None = None


class TakeBack(NamedTuple):
    """Take the bet on a spot back."""

    spot: str


Action = Lay | TakeBack


def parse_bets(text: str, spots: Collection[str], where: str) -> list[tuple[Action, ...]]:
    """Read what is done in each round before its deck is pressed, or name the line that is wrong.

    ``play`` ends a round; ``#`` begins a comment. ``where`` names the text.
    """
    if len(text) > _LONGEST:
        raise InputError(f"longer than {_LONGEST} characters", where)
    rounds: list[tuple[Action, ...]] = []
    actions: list[Action] = []
    standing: set[str] = set()
    number = 0
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            if words == ["play"]:
                rounds.append(tuple(actions))
                actions, standing = [], set()
            else:
                actions.append(_action(words, spots, standing))
        except InputError as wrong:
            raise InputError(wrong.what, f"{where}, line {number}", wrong.mend) from None
    if actions:
        mend = "end each round with a line: play"
        raise InputError("the last bets are never played", f"{where}, line {number}", mend)
    if not rounds:
        raise InputError("there is no round", where, "end each round with a line: play")
    return rounds


def _action(words: list[str], spots: Collection[str], standing: set[str]) -> Action:
    """Read a line, and keep account of which spots have a bet on them."""
    back = words[0] == "withdraw"
    if len(words) != 2:  # noqa: PLR2004 - each line has two words
        raise InputError(f"{' '.join(words)[:40]!r} is no bet", mend=_MEND)
    spot, amount = (words[1], "") if back else (words[0], words[1])
    if spot not in spots:
        mend = "use: " + ", ".join(spots)
        raise InputError(f"there is no spot {spot[:40]!r}", mend=mend)
    if back:
        if spot not in standing:
            raise InputError(f"no bet lies on {spot}", mend="lay it before taking it back")
        standing.remove(spot)
        return TakeBack(spot)
    if spot in standing:
        mend = "take it back first, or lay one stack"
        raise InputError(f"a bet lies on {spot} already", mend=mend)
    standing.add(spot)
    chips = tuple(map(_amount, amount.split("+")))
    if len(chips) > _MOST_CHIPS:
        raise InputError(f"a stack of {len(chips)} chips", mend=f"lay at most {_MOST_CHIPS}")
    if sum(chips) > _MOST_DOLLARS * _DOLLAR:
        raise InputError("so much cannot be laid", mend=f"lay at most {_MOST_DOLLARS}")
    return Lay(spot, sum(chips), chips if len(chips) > 1 else None)


def _amount(text: str) -> int:
    """Read an amount as minor units."""
    found = _AMOUNT.fullmatch(text)
    amount = 0
    if found is not None:
        dollars, cents, thousands = found.groups()
        amount = _DOLLAR * int(dollars) * (1000 if thousands else 1) + int(cents or 0)
    if not amount:
        raise InputError(f"{text[:40]!r} is no amount", mend="write dollars: 25, 2.50 or 5k")
    return amount
