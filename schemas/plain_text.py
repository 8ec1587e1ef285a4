"""Text from anybody, spelled so that it breaks no line and moves no cursor. Knows no message."""

from __future__ import annotations


def clean(text: str) -> str:
    """Spell out what cannot be seen: a log may come from anybody."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def is_utf8(text: str) -> bool:
    """Tell whether it can be spelled in bytes at all: what was typed may not be."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
