"""Which bets may stand, and why others may not. It may not know rounds, ids or who is seated.

The order of reasons is that of ``docs/procedure.md``, "A round" 3; the reasons before ``stake`` are
the table's, not the rules'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from schemas.money import is_amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.events import Limits, Refusal
    from schemas.ruleset import RuleSet
    from services.baccarat.game import Game


class Stake(NamedTuple):
    """A standing bet of one bettor in one round."""

    spot: str
    stake: int
    chips: tuple[int, ...] | None = None


def judge(  # noqa: PLR0913, PLR0917 - all that a bet is judged by
    game: Game,
    limits: Limits,
    standing: Sequence[Stake],
    all_player: int,
    all_banker: int,
    bankroll: int,
    spot: str,
    stake: object,
    chips: tuple[int, ...] | None,
) -> Refusal | None:
    """Say why a bet may not be taken, or None where it may.

    ``standing`` are the bettor's own bets in this round, ``all_player`` and ``all_banker`` the
    stakes of all bettors there. Where bets are judged at the close, only the stake and the bankroll
    are judged here, and ``judge_set`` does the rest.
    """
    if not is_amount(stake):
        return "stake"
    bet = Stake(spot, cast("int", stake), chips)
    if game.rules.judged == "on-arrival":
        reason = _by_itself(game.rules, limits, bet) or _with_others(game.rules, standing, bet)
        if reason is not None:
            return reason
        before = all_player - all_banker
        after = before + {"player": bet.stake, "banker": -bet.stake}.get(spot, 0)
        if abs(after) > abs(before) and _too_far_apart(limits, after):
            return "differential"
    if sum(other.stake for other in standing) + bet.stake > bankroll:
        return "bankroll"
    return None


def judge_set(
    game: Game,
    limits: Limits,
    standing: Sequence[Stake],
    all_player: int = 0,
    all_banker: int = 0,
) -> Refusal | None:
    """Say why the bets that one bettor has at the close may not be dealt for, or None."""
    rules = game.rules
    if not standing:
        return None
    for bet in standing:
        if (reason := _by_itself(rules, limits, bet)) is not None:
            return reason
    spots = [bet.spot for bet in standing]
    mains = sum(rules.spots[spot].main for spot in spots)
    if (rules.together.exactly_one_main and mains != 1) or any(
        sum(spot in names for spot in spots) > 1 for names in rules.together.exclusive
    ):
        return "combination"
    return "differential" if _too_far_apart(limits, all_player - all_banker) else None


def _by_itself(rules: RuleSet, limits: Limits, bet: Stake) -> Refusal | None:
    bounds = limits.spots.get(bet.spot)
    if bounds is None or bet.spot not in rules.spots:
        return "spot"
    if bet.stake < bounds.minimum:
        return "below-minimum"
    if bet.stake > bounds.maximum:
        return "above-maximum"
    if bet.stake % bounds.step:
        return "step"
    if bet.chips is not None and (
        not set(bet.chips).issubset(rules.chips or ()) or sum(bet.chips) != bet.stake
    ):
        return "chips"
    return None


def _with_others(rules: RuleSet, standing: Sequence[Stake], bet: Stake) -> Refusal | None:
    others = [other.spot for other in standing]
    for names in rules.together.exclusive:
        if bet.spot in names and not set(names).isdisjoint(others):
            return "combination"
    mains = {name for name, spot in rules.spots.items() if spot.main}
    second = bet.spot in mains and not mains.isdisjoint(others)
    return "combination" if rules.together.exactly_one_main and second else None


def _too_far_apart(limits: Limits, gap: int) -> bool:
    return limits.differential is not None and abs(gap) > limits.differential
