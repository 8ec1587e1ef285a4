"""How people write results, series, counts and a seat's terms. Reads text; plays nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

from schemas.errors import InputError
from services.bettors.nine.catalogue import Terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas.ruleset import Side

Found = TypeVar("Found")

_PARTED = re.compile(r"[ ,]+")
_WHOLE = re.compile(r"[0-9]{1,15}", re.ASCII)
_SIGNED = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)
_SIDES: Final[dict[str, Side]] = {"player": "player", "banker": "banker"}
_ANSWERS: Final = {"yes": True, "no": False}


def results(text: str) -> list[str]:
    """Read ``WLLT``, ``W L L T`` or ``W,L,L,T`` as letters, whichever they are."""
    return [letter for letter in text if letter not in " ,"]


def series(text: str, where: str) -> tuple[int, ...]:
    """Read ``1 2 3`` or ``1,2,3``: whole numbers above 0."""
    parts = _parts(text)
    for part in parts:
        if _WHOLE.fullmatch(part) is None or int(part) == 0:
            mend = 'write whole numbers above 0, as in "1 2 3"'
            raise InputError(f"{part[:20]!r} is no number of a series", where, mend)
    if not parts:
        raise InputError("there is no number in it", where, 'write it as "1 2 3"')
    return tuple(map(int, parts))


def counts(text: str, where: str) -> tuple[int, ...]:
    """Read ``14 13 -2`` or ``14,13,-2``: whole numbers."""
    return tuple(integer(part, where) for part in _parts(text))


def amount(text: str, where: str) -> int:
    """Read a whole number above 0."""
    if _WHOLE.fullmatch(text) is None or int(text) == 0:
        raise InputError(f"{text[:20]!r} is no amount", where, "write a whole number above 0")
    return int(text)


def integer(text: str, where: str) -> int:
    """Read a whole number with or without a sign."""
    if _SIGNED.fullmatch(text) is None:
        mend = "write whole numbers, as in 14,13,-2"
        raise InputError(f"{text[:20]!r} is no whole number", where, mend)
    return int(text)


def restart(text: str, where: str) -> bool:
    """Read yes or no."""
    return _one_of(_ANSWERS, text, where)


def side(text: str, where: str) -> Side:
    """Read player or banker."""
    return _one_of(_SIDES, text, where)


#: What a seat may set, by its name in the text: the field, and how it is read.
_SETTINGS: Final[dict[str, tuple[str, Callable[[str, str], object]]]] = {
    "unit": ("unit", amount),
    "min": ("minimum", amount),
    "max": ("maximum", amount),
    "restart": ("restart", restart),
    "side": ("side", side),
    "series": ("series", lambda text, where: series(_dashed(text), where)),
    "start-count": ("start_count", integer),
}


def terms(text: str) -> Terms:
    """Read ``unit=500:max=50000:series=1-2-3:restart=no`` in any order; empty: all unset."""
    found: dict[str, object] = {}
    for setting in filter(None, text.split(":")):
        name, _, value = setting.partition("=")
        if name not in _SETTINGS:
            mend = f"use NAME=VALUE with one of: {', '.join(_SETTINGS)}"
            raise InputError(f"{setting[:40]!r} is no setting of a system", mend=mend)
        field, read = _SETTINGS[name]
        if field in found:
            raise InputError(f"{name} is there twice", mend="give each setting once")
        found[field] = read(value, name)
    return Terms(**found)  # type: ignore[arg-type]


def _dashed(text: str) -> str:
    """Spell ``1-2-3`` as ``1 2 3``; a dash with no number before or after it stays one."""
    return " ".join(part or "-" for part in text.split("-")) if text else text


def _parts(text: str) -> list[str]:
    return [part for part in _PARTED.split(text) if part]


def _one_of(words: dict[str, Found], text: str, where: str) -> Found:
    if text not in words:
        raise InputError(f"{text[:20]!r} is neither", where, f"say {' or '.join(words)}")
    return words[text]
