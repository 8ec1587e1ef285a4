"""A comparison as people read it: rounds, money, what could not be bet. Compares nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from services.cli import output

if TYPE_CHECKING:
    from schemas.outcomes import HandResult
    from services.baccarat.compare import Difference, Money, Reading
    from services.baccarat.redeal import Played
    from services.cli.readings import Compared

#: What a row says of each side.
_HAND: Final = ("player", "banker", "winner")


def show(found: Compared) -> None:
    """Print both readings, then what holds for both."""
    _reading(found, found.same_coup, "Same coup, other rules")
    if found.unknown:
        numbers = ", ".join(map(str, found.unknown))
        output.note(f"not known yet, a card is needed that nobody has seen: round {numbers}")
    if found.dealt_again is None:
        output.note(f"The whole shoe cannot be dealt again: {found.why_not}")
    else:
        _reading(found, found.dealt_again, "The whole shoe dealt again")
    _bets(found)
    for line in found.notes:
        output.note(line)


def _reading(found: Compared, reading: Reading, title: str) -> None:
    listed = [one for one in reading.rounds if one.cards or one.winner or one.money]
    sides = (f"{what} {side}" for side in "ab" for what in _HAND)
    head = ["round", *sides, "paid otherwise", "house"]
    rows = [_row(one, found.currency) for one in listed]
    if rows:
        output.table(f"{title}: {found.shoe} by a {found.a}, by b {found.b}", head, rows)
    else:
        but = ", but for bets that only one takes" if reading.rounds else ""
        output.note(f"{title}: {found.shoe}, {found.a} and {found.b} deal and pay alike{but}")
    money = [
        [name, *_money(one, found.currency)]
        for name, one in [*reading.bettors.items(), ("the house", reading.house)]
    ]
    output.table(
        f"{title}: {reading.cards} of {found.rounds} rounds with other cards, {reading.winners} "
        f"with another winner, {reading.money} paid otherwise",
        ["net", found.a, found.b, "difference", "of it, bets only one takes"],
        money,
    )


def _row(one: Difference, currency: str) -> list[str]:
    """Spell a round; its money is of bets that both took, what it makes for the house at last."""
    paid = [
        f"{bet.bettor} {bet.spot} {output.money(bet.a, currency)} -> "
        f"{output.money(bet.b, currency)}"
        for bet in one.bets
        if bet.a is not None and bet.b is not None and bet.a != bet.b
    ]
    house = output.money(one.house.difference - one.house.one_sided, currency)
    return [str(one.round), *_side(one.a), *_side(one.b), ", ".join(paid) or "-", house]


def _side(one: Played | None) -> list[str]:
    if one is None:
        return ["not dealt", "-", "-"]
    return [hand(one.player), hand(one.banker), one.winner]


def hand(result: HandResult) -> str:
    """Spell a hand's cards and total."""
    return f"{' '.join(result.cards)} = {result.total}" if result.cards else "-"


def _money(one: Money, currency: str) -> list[str]:
    return [
        output.money(amount, currency) for amount in (one.a, one.b, one.difference, one.one_sided)
    ]


def _bets(found: Compared) -> None:
    """Say which bets could not have been placed, a line for each bettor and spot."""
    counts: Counter[tuple[str, str, str]] = Counter()
    stakes: Counter[tuple[str, str, str]] = Counter()
    for bet in found.unplaceable:
        key = (bet.rules, bet.bettor, bet.spot)
        counts[key] += 1
        stakes[key] += bet.stake
    for (rules, bettor, spot), count in counts.items():
        staked = output.money(stakes[rules, bettor, spot], found.currency)
        output.note(
            f"{bettor} on {spot}: {count} bets, {staked} in all, unplaceable: {rules} does not "
            "offer this spot"
        )
    outside = Counter((bet.rules, bet.bettor, bet.spot, bet.reason) for bet in found.outside)
    for (rules, bettor, spot, reason), count in outside.items():
        output.note(f"{bettor} on {spot}: {count} bets, {reason} by {rules}: priced all the same")
