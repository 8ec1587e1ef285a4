"""``shoetrail odds``: the exact odds of a rule set, counted and not simulated. Plays nothing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

import msgspec
import typer

from schemas.cards import MOST_DECKS
from schemas.errors import InputError
from schemas.money import spell_fraction
from schemas.ruleset import RuleSet, named, parse
from services.baccarat.odds import Odds, SpotOdds, odds
from services.cli import output


class Rounded(msgspec.Struct, frozen=True):
    """The smallest stake (minor units) that rounding or a minimum commission bears on."""

    stake: int
    edge: float
    exact: str


class Counted(msgspec.Struct, frozen=True):
    """A rule set's odds; all counts are of the ways that a fresh shoe's first six cards can lie.

    ``edges`` are the house's share of the stake, negative where the bettor has it; ``exact`` spells
    them as fractions, ``ways`` counts what a bet comes to.
    """

    rules: str
    decks: int
    combinations: dict[str, int]
    edges: dict[str, float]
    exact: dict[str, str]
    ways: dict[str, dict[str, int]]
    cards: dict[str, int]
    naturals: int
    rounded: dict[str, Rounded]


def odds_command(
    rules: Annotated[str, typer.Option(help="A published rule set; see: shoetrail rules.")],
    decks: Annotated[
        int | None, typer.Option(help="How many decks, 1 to 16; the rule set's own unless told.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Count the exact odds of a rule set: who wins, and the house's edge on every spot.

    Every order of six cards of a fresh shoe, in whole numbers. An edge is the house's share of the
    stake, ties and pushes counted; below zero it is the bettor's. It is of the odds as printed,
    before anything is rounded; a stake that rounding or a minimum commission bears on is named.

    For example:

      shoetrail odds --rules punto-banco

      shoetrail odds --rules fun-casino-as-printed --decks 6 --json
    """
    parsed = parse(named(rules).text)
    if decks is not None and not 1 <= decks <= MOST_DECKS:
        mend = f"give 1 to {MOST_DECKS}"
        raise InputError(f"a shoe cannot have {decks} decks", "--decks", mend)
    of_decks = parsed.decks if decks is None else decks
    found = odds(parsed, of_decks)
    if json:
        output.document(_document(rules, of_decks, found))
    else:
        _show(parsed, of_decks, found)


def _document(rules: str, decks: int, found: Odds) -> Counted:
    spots = found.spots
    return Counted(
        rules=rules,
        decks=decks,
        combinations=_plain(found.winners) | {"total": found.total},
        edges={name: float(spot.edge) for name, spot in spots.items()},
        exact={name: _spelled(spot.edge) for name, spot in spots.items()},
        ways={name: _plain(spot.ways) for name, spot in spots.items()},
        cards=_plain(found.cards),
        naturals=found.naturals,
        rounded={
            name: Rounded(spot.bound.stake, float(spot.bound.edge), _spelled(spot.bound.edge))
            for name, spot in spots.items()
            if spot.bound is not None
        },
    )


def _plain(counts: Mapping[Any, int]) -> dict[str, int]:
    return {str(of): ways for of, ways in counts.items()}


def _spelled(edge: Fraction) -> str:
    return f"{'-' if edge < 0 else ''}{spell_fraction(abs(edge))}"


def _show(rules: RuleSet, decks: int, found: Odds) -> None:
    kinds = {
        **{f"{winner} wins": ways for winner, ways in found.winners.items() if winner != "tie"},
        "tie": found.winners["tie"],
        "natural": found.naturals,
        **{f"{count} cards": ways for count, ways in found.cards.items()},
        "all": found.total,
    }
    output.table(
        f"{rules.title}, {decks} deck{'s'[: decks > 1]}: how a round comes out",
        ["round", "combinations", "%"],
        [[kind, f"{ways:,}", _percent(ways, found.total)] for kind, ways in kinds.items()],
    )
    output.table(
        "The house's edge, % of the stake",
        ["spot", "edge", "wins %", "pushes %", "loses %"],
        [_row(name, spot, found.total) for name, spot in found.spots.items()],
    )
    for name, spot in found.spots.items():
        if spot.bound is not None:
            stake = output.money(spot.bound.stake, rules.currency)
            edge = _percent(spot.bound.edge, 1)
            output.note(
                f"{name}: rounding or a minimum commission bears on {stake}: its edge is {edge}%"
            )


def _row(name: str, spot: SpotOdds, total: int) -> list[str]:
    return [
        name,
        _percent(spot.edge, 1),
        *(_percent(spot.ways[come], total) for come in ("win", "push", "lose")),
    ]


def _percent(share: int | Fraction, whole: int) -> str:
    """Spell a share in percent, to four digits after the point, exactly rounded."""
    ten_thousandths = round(Fraction(share) * 1_000_000 / whole)
    units, rest = divmod(abs(ten_thousandths), 10_000)
    return f"{'-' if ten_thousandths < 0 else ''}{units}.{rest:04}"
