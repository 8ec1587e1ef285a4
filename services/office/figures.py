"""A figure that chance has to account for: what was seen, what is expected, and how rare that is.

Data and its arithmetic only; what is counted is for others to say.
"""

from __future__ import annotations

import msgspec

from services.office.chance import chi_square_tail

#: Chi-square's curve is no measure for classes in which fewer than this are expected (Cochran).
FEW = 5


class Class(msgspec.Struct, frozen=True):
    """One of the classes that were counted."""

    name: str
    seen: int
    expected: float


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A chi-square figure; ``p`` is null where there is too little to tell.

    ``adjusted`` is ``p`` for all that was looked at (Holm), ``alarm`` whether that is too rare for
    chance; both are set once all figures are known, and ``says`` with them.
    """

    name: str
    classes: tuple[Class, ...]
    statistic: float
    freedom: int
    p: float | None
    adjusted: float | None = None
    alarm: bool = False
    says: str = ""


def figure(
    name: str, classes: list[Class], statistic: float, freedom: int, *, enough: bool
) -> Figure:
    """Make a figure of a statistic that is distributed as chi-square by chance."""
    p = chi_square_tail(statistic, freedom) if enough and freedom > 0 else None
    return Figure(name=name, classes=tuple(classes), statistic=statistic, freedom=freedom, p=p)


def pearson(name: str, classes: list[Class]) -> Figure:
    """Make a figure of independent counts in classes; what cannot be and was seen has p 0."""
    possible = [one for one in classes if one.expected > 0]
    impossible = any(one.seen for one in classes if one.expected <= 0)
    statistic = sum((one.seen - one.expected) ** 2 / one.expected for one in possible)
    enough = all(one.expected >= FEW for one in possible)
    found = figure(name, classes, statistic, len(possible) - 1, enough=enough)
    return msgspec.structs.replace(found, p=0.0) if impossible else found
