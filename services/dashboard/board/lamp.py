"""What an audit of a shoe came to, of all that was said: one rule, wherever it was said. Pure.

The live auditor's verdicts on its rounds and on the whole, and the worker's audit of its log: the
worst of them counts, for a log may have been changed after it was audited live.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas.verdicts import RoundVerdict, ShoeVerdict
    from services.dashboard.board.shapes import Lamp

_WORST: Final[tuple[ShoeVerdict, ...]] = ("fail", "pass", "open")


def lamp_of(said: Iterable[ShoeVerdict | RoundVerdict]) -> Lamp:
    """Give the lamp: ``none`` where nothing was said, ``open`` where only rounds were, unfailed."""
    known = set(said)
    return next((one for one in _WORST if one in known), "none")
