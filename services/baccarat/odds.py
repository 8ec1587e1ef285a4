"""The exact odds of a rule set: how rounds come out, and the house's edge on each spot. No floats.

An edge is the house's share of the stake in the long run: minus the mean of what a bettor's net is
of his stake, ties and pushes counted as bets. It is of the odds and the commission's rate as the
rule set gives them, which is what every stake comes to that leaves nothing to round and no minimum
commission to fall short of. Where a stake that the rule set takes does, the smallest such stake and
its own edge stand beside it.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from schemas.money import parse_fraction
from services.baccarat.game import compile_rules
from services.baccarat.limits import resolve_limits
from services.baccarat.odds_counting import count_rounds
from services.baccarat.result import RoundResult, holds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemas.outcomes import Result, Winner
    from schemas.ruleset import Pay, RuleSet


class Bound(NamedTuple):
    """The smallest stake that rounding or a minimum commission bears on, and its edge."""

    stake: int
    edge: Fraction


class SpotOdds(NamedTuple):
    """A bet on one spot: its edge, and the combinations by what the bet comes to."""

    edge: Fraction
    ways: dict[Result, int]
    bound: Bound | None


class Counts(NamedTuple):
    """How rounds come out, in combinations of a fresh shoe's first six cards, ``total`` of them.

    ``cards`` counts by how many cards the round takes, ``naturals`` those that a first total ended.
    """

    total: int
    winners: dict[Winner, int]
    cards: dict[int, int]
    naturals: int


class Odds(NamedTuple):
    """The odds of a fresh shoe: its ``Counts``, and those of each spot."""

    total: int
    winners: dict[Winner, int]
    cards: dict[int, int]
    naturals: int
    spots: dict[str, SpotOdds]


class _Kind(NamedTuple):
    """Rounds in which the same line of a spot decides: how many, and any one of them."""

    ways: int
    example: RoundResult


class _Terms(NamedTuple):
    """What a stake of one comes to by a line of a spot, without rounding or minimum."""

    net: Fraction
    won: Fraction = Fraction(0)
    commission: Fraction = Fraction(0)


def odds(rules: RuleSet, decks: int | None = None) -> Odds:
    """Count a rule set's odds for a shoe of so many decks; the rule set's own unless told."""
    return odds_of(rules, count_rounds(rules, rules.decks if decks is None else decks))


def odds_of(rules: RuleSet, rounds: Counter[RoundResult]) -> Odds:
    """Read a rule set's odds off the rounds counted by its drawing."""
    spots = {name: spot_odds(rules, name, rounds) for name in rules.spots}
    return Odds(*counts_of(rounds), spots)


def counts_of(rounds: Counter[RoundResult]) -> Counts:
    """Add up the counted rounds by how they come out."""
    winners: dict[Winner, int] = {"banker": 0, "player": 0, "tie": 0}
    cards: Counter[int] = Counter()
    naturals = 0
    for result, ways in rounds.items():
        winners[result.winner] += ways
        cards[result.player_cards + result.banker_cards] += ways
        naturals += ways * result.natural
    return Counts(rounds.total(), winners, dict(sorted(cards.items())), naturals)


def spot_odds(rules: RuleSet, name: str, rounds: Mapping[RoundResult, int]) -> SpotOdds:
    """Work out one spot's odds from the counted rounds."""
    kinds = _kinds(rules.spots[name].pays, rounds)
    ways: dict[Result, int] = {"win": 0, "push": 0, "lose": 0}
    for pay, kind in kinds.items():
        ways["lose" if pay is None else pay.result] += kind.ways
    terms = {pay: _terms(rules, name, pay) for pay in kinds}
    edge = _edge(kinds, {pay: of.net for pay, of in terms.items()})
    return SpotOdds(edge, ways, _bound(rules, name, kinds, terms))


def edge_of(rules: RuleSet, name: str, rounds: Mapping[RoundResult, int]) -> Fraction:
    """Work out a spot's edge alone, from any counted rounds."""
    kinds = _kinds(rules.spots[name].pays, rounds)
    return _edge(kinds, {pay: _terms(rules, name, pay).net for pay in kinds})


def _kinds(pays: tuple[Pay, ...], rounds: Mapping[RoundResult, int]) -> dict[Pay | None, _Kind]:
    """Sort rounds by the line that decides; none means lost."""
    found: dict[Pay | None, _Kind] = {}
    for result, ways in rounds.items():
        pay = next((pay for pay in pays if holds(pay.when, result)), None)
        known = found.get(pay)
        found[pay] = _Kind(ways + (0 if known is None else known.ways), result)
    return found


def _edge(kinds: Mapping[Pay | None, _Kind], net: Mapping[Pay | None, Fraction]) -> Fraction:
    total = sum(kind.ways for kind in kinds.values())
    return -sum((kind.ways * net[pay] for pay, kind in kinds.items()), Fraction(0)) / total


def _terms(rules: RuleSet, name: str, pay: Pay | None) -> _Terms:
    if pay is None or pay.result == "lose":
        return _Terms(Fraction(-1))
    if pay.odds is None:
        return _Terms(Fraction(0))
    won, fee = parse_fraction(pay.odds), Fraction(0)
    taken = rules.commission
    if taken is not None and name in taken.spots:
        fee = parse_fraction(taken.rate) * (won if taken.on == "winnings" else 1)
    return _Terms(won - fee, won, fee)


def _bound(
    rules: RuleSet,
    name: str,
    kinds: Mapping[Pay | None, _Kind],
    terms: Mapping[Pay | None, _Terms],
) -> Bound | None:
    """Find the smallest stake that does not come to the exact odds; a spot not offered has none.

    A minimum commission bears on the smallest stake if on any, and what is whole for two stakes is
    whole for all their sums and differences: so the two smallest tell for all.
    """
    limits = resolve_limits(rules).spots.get(name)
    if limits is None:
        return None
    first = -(-limits.minimum // limits.step) * limits.step
    game = compile_rules(rules)
    for stake in range(first, min(first + limits.step, limits.maximum) + 1, limits.step):
        paid = {pay: game.prices(kind.example)[name].pay(stake) for pay, kind in kinds.items()}
        if all(
            of.won == stake * terms[pay].won and of.commission == stake * terms[pay].commission
            for pay, of in paid.items()
        ):
            continue
        net = {pay: Fraction(of.net(stake), stake) for pay, of in paid.items()}
        return Bound(stake, _edge(kinds, net))
    return None
