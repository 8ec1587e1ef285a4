"""``KEY=VALUE`` words as a command's data, for ``shoetrail tell``. Sends nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from schemas import commands as co
from schemas.envelope import from_plain, load
from schemas.errors import InputError, Unreadable
from schemas.plain_text import is_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What is text whatever it looks like: a name or a serial number may be all digits.
_WORDS: Final = frozenset((
    "beacon", "bettor", "by", "client_seed", "colour", "dealer", "deck", "reason", "rules",
    "serial", "supervisor",
))  # fmt: skip
#: What is parted by commas: words, or numbers.
_WORD_LISTS: Final = frozenset(("seats", "ports", "lit"))
_LISTS: Final = frozenset(("chips",))


def command_of(kind: str, pairs: Sequence[str]) -> co.Command:
    """Read a command of this kind from its pairs, or say what is wrong with them."""
    struct = co.COMMANDS.get(kind)
    if struct is None:
        mend = "use one of: " + ", ".join(co.COMMANDS)
        raise InputError(f"{kind[:40]!r} is no command", mend=mend)
    plain: dict[str, object] = {}
    for pair in pairs:
        _take(plain, pair)
    if struct is co.ShoeOpen and isinstance(plain.get("origin"), str):
        plain["origin"] = {"kind": plain["origin"]}
    if any(field.name == "by" for field in msgspec.structs.fields(struct)):
        plain.setdefault("by", "desk")
    return from_plain(struct, plain, kind)


def _take(plain: dict[str, object], pair: str) -> None:
    """Put one pair where its key says; ``a.b=1`` goes into ``a``."""
    path, sign, text = pair.partition("=")
    if not sign or not path or not is_utf8(pair):
        raise InputError(f"{pair[:60]!r} is no KEY=VALUE", mend="write bettor=alice")
    at = plain
    *folders, last = path.split(".")
    for folder in folders:
        inner = at.setdefault(folder, {})
        if not isinstance(inner, dict):
            raise _twice(path)
        at = inner
    if last in at:
        raise _twice(path)
    at[last] = _read(last, text)


def _twice(path: str) -> InputError:
    return InputError(f"{path[:60]} is given twice", mend="give each key once")


def _read(key: str, text: str) -> object:
    """Read what a key is given: a list, a word, or whatever it looks like."""
    if key in _WORDS:
        return text
    parts = [part for part in text.split(",") if part]
    if key in _WORD_LISTS:
        return parts
    return [_value(part) for part in parts] if key in _LISTS else _value(text)


def _value(text: str) -> object:
    try:
        value = load(text.encode(), "value")
    except Unreadable:
        return text
    return value if isinstance(value, int | float | bool) or value is None else text
