"""TOML from anybody, read within bounds: refused in one line, never slowly. Knows no schema."""

from __future__ import annotations

import tomllib
from typing import Any, Final

from schemas.errors import InputError

#: A longer text, or one whose keys are nested deeper, is none of ours: it would only cost time.
LONGEST_TEXT: Final = 1 << 16
_MOST_DOTS: Final = 32


def read_toml(text: str, where: str, mend: str = "") -> dict[str, Any]:
    """Read a TOML text, or say in one line what is wrong; ``where`` it is from, how to ``mend``."""
    if len(text) > LONGEST_TEXT:
        raise InputError(f"longer than {LONGEST_TEXT} characters", where)
    if any(line.count(".") > _MOST_DOTS for line in text.split("\n")):
        raise InputError(f"a line with more than {_MOST_DOTS} dots", where)
    try:
        return tomllib.loads(text)
    except ValueError as error:  # a number of too many digits is no TOMLDecodeError
        raise InputError(str(error), where, mend) from None
    except RecursionError:
        raise InputError("nested too deeply", where) from None
