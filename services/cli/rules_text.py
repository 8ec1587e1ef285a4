"""A rule set in words and rows, for people. Says what the data says and judges nothing by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.cards import RANKS
from schemas.ruleset import (
    TOTALS,
    CardsLeft,
    Commission,
    CutCard,
    Drawn,
    Ending,
    Pay,
    Rounding,
    RuleSet,
    When,
)
from services.cli.output import money

if TYPE_CHECKING:
    from collections.abc import Iterable

_ALWAYS = "anything else"


def summary(rules: RuleSet) -> dict[str, str]:
    """Say all but the chart and the spots, a line each."""
    drawing = rules.drawing
    found = {
        "name": rules.name,
        "source": rules.source,
        "decks": str(rules.decks),
        "currency": rules.currency,
        "card values": " ".join(map(_pair, RANKS, rules.values)),
        "deal": " ".join(drawing.deal),
        "naturals": _numbers(drawing.naturals),
        "player draws on": _numbers(drawing.player),
        "commission": _commission(rules.commission, rules.currency),
        "fractions": _rounding(rules.rounding, rules.currency),
        "bets together": _together(rules),
        "bets are judged": rules.judged,
        "burn": "none" if rules.burn is None else _burn(rules.burn.counts),
        "shoe ends": _ending(rules.ending),
        "a round needs": f"{rules.round_needs} cards",
        "card drawn in error": rules.misdraw,
        "void after a card for": ", ".join(rules.void_after_card) or "nothing",
    }
    if rules.chips is not None:
        found["chips"] = " ".join(money(chip, rules.currency) for chip in rules.chips)
    if rules.differential is not None:
        found["differential"] = money(rules.differential, rules.currency)
    return found


def chart(rules: RuleSet) -> list[list[str]]:
    """Give the banker's rows: his total, whether he draws when the player stood, and by thirds."""
    drawing = rules.drawing
    return [
        [
            str(total),
            _letter(total in drawing.banker_player_stood),
            *(_letter(value in drawing.banker_chart[total]) for value in range(TOTALS)),
        ]
        for total in range(TOTALS)
        if total not in drawing.naturals
    ]


def spots(rules: RuleSet) -> list[list[str]]:
    """Give each spot's limits."""
    rows = []
    for name, spot in rules.spots.items():
        amounts = (spot.minimum, spot.maximum, spot.step)
        least, most, step = (
            f"{spot.maximum_share} of the hands'" if one is None else money(one, rules.currency)
            for one in amounts
        )
        rows.append([name, "main" if spot.main else "side", least, most, step])
    return rows


def pays(rules: RuleSet) -> list[list[str]]:
    """Give each spot's conditions in order, and what it loses by."""
    rows = []
    for name, spot in rules.spots.items():
        rows += [[name, _condition(pay.when), _comes_to(pay)] for pay in spot.pays]
        rows.append([name, _ALWAYS, "lose"])
    return rows


def _condition(when: When) -> str:
    said = []
    for field in when.__struct_fields__:
        asked = getattr(when, field)
        words = field.replace("_", " ")
        if isinstance(asked, bool):
            said.append(words if asked else f"no {words}")
        elif asked is not None:
            said.append(f"{words} {' or '.join(map(str, asked))}")
    return ", ".join(said) or "always"


def _comes_to(pay: Pay) -> str:
    return pay.result if pay.odds is None else pay.odds.replace("/", " to ")


def _commission(commission: Commission | None, currency: str) -> str:
    if commission is None:
        return "none"
    least = f", at least {money(commission.minimum, currency)}" if commission.minimum else ""
    return (
        f"{commission.rate} of the {commission.on} on {', '.join(commission.spots)}{least}; "
        f"{_rounding(commission.rounding, currency)}; {commission.collected}"
    )


def _rounding(rounding: Rounding, currency: str) -> str:
    return f"{rounding.direction} to {money(rounding.unit, currency)}"


def _together(rules: RuleSet) -> str:
    said = ["exactly one main bet"] if rules.together.exactly_one_main else []
    said += [f"one of {', '.join(names)}" for names in rules.together.exclusive]
    return "; ".join(said) or "any"


def _burn(counts: Iterable[int]) -> str:
    return "one face up, then face down by its rank: " + " ".join(map(_pair, RANKS, counts))


def _ending(ending: Ending) -> str:
    if isinstance(ending, CutCard):
        first = "that hand is the last" if ending.first_card_is_last else "it is as in play"
        return (
            f"cut card {ending.from_end} from the end: the hand in play and {ending.hands_after} "
            f"more; in place of a hand's first card, {first}"
        )
    if isinstance(ending, CardsLeft):
        return f"at a round's end with {ending.at_most} cards or fewer left"
    if isinstance(ending, Drawn):
        most = ending.least + ending.choices - 1
        return f"at {ending.least} to {most} cards left, drawn from the seed as {ending.label!r}"
    return f"after {ending.rounds} rounds"


def _pair(rank: str, number: int) -> str:
    return f"{rank}={number}"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers)) or "none"


def _letter(draws: bool) -> str:
    return "D" if draws else "S"
