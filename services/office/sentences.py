"""Each figure in a plain sentence, for who has no statistics. Works nothing out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from services.office.figures import Class, Figure
    from services.office.hold import Hold

#: Rarer than this by itself is worth a word, though with many figures some will be.
_WORTH_A_WORD: Final = 0.05
_MOST: Final = 1e15
_SHARES: Final = frozenset({"winners", "draws", "drift"})


def of_figure(one: Figure, *, alarm: bool) -> str:
    """Say what was seen, what is expected, and how rare that is."""
    total = sum(each.seen for each in one.classes)
    if not total:
        return "There is nothing to count yet."
    return f"{_seen(one, total)}: {_rare(one.p, alarm=alarm, look='have the shuffle looked at')}."


def _seen(one: Figure, total: int) -> str:
    if one.name in _SHARES:
        if one.name == "drift":
            return _drift(one)
        parts = [
            f"{each.name} {_percent(each.seen, total)} ({_percent(each.expected, total)} expected)"
            for each in one.classes
        ]
        return f"Of {total:,} rounds " + ", ".join(parts)
    if one.name == "stayed":
        return _stayed(one, total)
    worst = max(one.classes, key=_off)
    return f"Of {total:,} cards {_called(one.name, worst)} {_counts(worst)}"


def _stayed(one: Figure, total: int) -> str:
    return f"Of {total:,} cards those that lie where they lay in an unshuffled shoe are " + _counts(
        one.classes[0]
    )


def _drift(one: Figure) -> str:
    ahead, behind = one.classes
    return (
        f"{ahead.seen:,} cards lie {ahead.name} and {behind.seen:,} {behind.name} where they lay "
        f"in an unshuffled shoe, {ahead.expected:,.0f} expected of each"
    )


def _off(one: Class) -> float:
    return (one.seen - one.expected) ** 2 / one.expected if one.expected else float(one.seen)


def _called(name: str, worst: Class) -> str:
    if name == "places":
        where = "in their places of" if worst.name == "0" else f"{worst.name} places on from"
        return f"those {where} an unshuffled shoe are furthest off,"
    return f"{worst.name} is furthest off,"


def _counts(one: Class) -> str:
    return f"{one.seen:,} where {one.expected:,.1f} are expected"


def of_hold(one: Hold, *, alarm: bool) -> str:
    """Say what the house took, what it takes in the long run, and how rare that is."""
    kept = f"Of {'the stakes with' if one.who == 'dealer' else 'what'} {one.who} {one.name}"
    kept += f"{' staked' if one.who == 'bettor' else ''} in {one.rounds:,} rounds"
    took = f"the house kept {_share(one.actual, one.handle)}"
    due = f"{_share(one.expected, one.handle)} is due in the long run, give or take "
    give = _share(one.deviation, one.handle)
    look = "have it looked at who knew the cards" if one.actual < one.expected else (
        "have it looked at what was paid"
    )  # fmt: skip
    return f"{kept} {took}, where {due}{give}: {_rare(one.p, alarm=alarm, look=look)}."


def of_all(looked_at: int, alarms: int, level: float) -> str:
    """Say what all figures come to."""
    if not looked_at:
        return "There is too little to tell chance from anything else."
    if not alarms:
        return f"None of {looked_at} figures is more than chance accounts for."
    verb = "is" if alarms == 1 else "are"
    return (
        f"{alarms} of {looked_at} figures {verb} more than chance accounts for; all of them "
        f"together would have an alarm by chance in one run of {1 / level:,.0f} at most."
    )


def _rare(p: float | None, *, alarm: bool, look: str) -> str:
    if p is None:
        return "too few to tell"
    often = "never" if p == 0 else f"once in {min(1 / p, _MOST):,.0f} times"
    if p * _MOST < 1:
        often = "practically never"
    if alarm:
        return f"chance alone does that {often}; {look}"
    if p <= _WORTH_A_WORD:
        return f"chance alone does that {often}, which among so many figures is no alarm"
    return "as chance would have it"


def _percent(part: float, whole: int) -> str:
    return f"{100 * part / whole:.1f}%"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "nothing"
