"""Odds of small stripped decks under any rules, against every order of their cards laid out.

The auditor's arithmetic plays and pays each order; the odds have to be its mean, to the fraction.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import perm
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import RANKS, SUITS, Card, card_named
from schemas.ruleset import Commission, Pay, Rounding, RuleSet, SpotRules, When, named, parse
from services.auditor.money import Facts, Paid, deciding, paid_by
from services.auditor.tables import Tables
from services.baccarat.odds import Bound, odds_of
from services.baccarat.odds_counting import count_rounds

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Ranks, suits and decks of which at most eight cards are made.
SIZES = [
    (r, s, d) for r in range(1, 9) for s in range(1, 5) for d in range(1, 9) if 6 <= r * s * d <= 8
]
#: Nothing is rounded of it, and no minimum binds.
EXACT = 2**8 * 10**6
DIGITS = st.integers(0, 9)


def some(most: int = 9) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(0, most), unique=True, max_size=most + 1).map(tuple)


CHARTS = st.lists(some(), min_size=10, max_size=10).map(tuple)
WHENS = st.builds(
    When,
    winner=st.none() | st.lists(st.sampled_from(["player", "banker", "tie"])).map(tuple),
    player_total=st.none() | some(),
    banker_total=st.none() | some(),
    player_cards=st.none() | some(3),
    banker_cards=st.none() | some(3),
    cards=st.none() | some(6),
    margin=st.none() | some(),
    natural=st.none() | st.booleans(),
    player_pair=st.none() | st.booleans(),
    banker_pair=st.none() | st.booleans(),
    player_suited=st.none() | st.booleans(),
    banker_suited=st.none() | st.booleans(),
)
ODDS = st.sampled_from(["0/1", "1/2", "19/20", "27/50", "1/1", "3/2", "25/1"])
PAYS = st.one_of(
    st.builds(Pay, WHENS, st.just("win"), ODDS),
    st.builds(Pay, WHENS, st.sampled_from(["push", "lose"])),
)
ROUNDINGS = st.builds(
    Rounding, st.sampled_from([1, 5]), st.sampled_from(["down", "up", "half-even"])
)
COMMISSIONS = st.builds(
    Commission,
    st.just(("banker",)),
    st.sampled_from(["1/20", "1/25", "0/1"]),
    st.sampled_from(["winnings", "stake"]),
    st.sampled_from([0, 25]),
    ROUNDINGS,
    st.just("each-hand"),
)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    base = parse(named("punto-banco").text)
    drawing = msgspec.structs.replace(
        base.drawing,
        deal=draw(st.permutations(base.drawing.deal).map(tuple)),
        naturals=draw(some()) if draw(st.booleans()) else (8, 9),
        player=draw(some()),
        banker_player_stood=draw(some()),
        banker_chart=draw(CHARTS),
    )
    limits = SpotRules(
        main=True,
        pays=tuple(draw(st.lists(PAYS, max_size=4))),
        minimum=draw(st.sampled_from([1, 100, 1000])),
        step=draw(st.sampled_from([1, 20, 100])),
        maximum=10**6,
    )
    return msgspec.structs.replace(
        base,
        drawing=drawing,
        values=tuple(draw(st.lists(DIGITS, min_size=13, max_size=13))),
        spots={"player": base.spots["player"], "banker": limits},
        rounding=draw(ROUNDINGS),
        commission=draw(st.none() | COMMISSIONS),
    )


def laid_out(laid: Tables, deck: list[Card]) -> Iterator[tuple[Facts, int]]:
    """Deal each order of the deck's cards, and count the orders of those behind the round."""
    size = len(deck)

    def deal(dealt: list[int]) -> Iterator[tuple[Facts, int]]:
        player: list[Card] = []
        banker: list[Card] = []
        side = None
        for at, place in enumerate(dealt):
            side = laid.deal[at] if at < 4 else laid.draws(player, banker)
            (player if side == "player" else banker).append(deck[place])
        if len(dealt) >= 4 and laid.draws(player, banker) is None:
            yield laid._facts(player, banker), perm(size - len(dealt), 6 - len(dealt))
            return
        for place in range(size):
            if place not in dealt:
                yield from deal([*dealt, place])

    return deal([])


def stripped(ranks: str, suits: str, decks: int) -> list[Card]:
    cards = [card_named(rank + suit) for rank in ranks for suit in suits]
    return [card for card in cards if card is not None] * decks


@settings(max_examples=25, deadline=None)
@given(rules=rule_sets(), size=st.sampled_from(SIZES), order=st.permutations(RANKS))
def test_any_rules_over_a_small_deck(
    rules: RuleSet, size: tuple[int, int, int], order: list[str]
) -> None:
    ranks, suits = "".join(order[: size[0]]), SUITS[: size[1]]
    rounds = count_rounds(rules, size[2], ranks, suits)
    facts: Counter[Facts] = Counter()
    for fact, ways in laid_out(Tables(rules), stripped(ranks, suits, size[2])):
        facts[fact] += ways
    told = odds_of(rules, rounds)
    total = facts.total()
    assert told.total == total == perm(size[0] * size[1] * size[2], 6)
    for winner, ways in told.winners.items():
        assert ways == sum(w for fact, w in facts.items() if fact.winner == winner)
    assert told.naturals == sum(w for fact, w in facts.items() if fact.natural)
    for cards in (4, 5, 6):
        there = sum(w for fact, w in facts.items() if fact.cards == cards)
        assert told.cards.get(cards, 0) == there
    for spot in rules.spots:
        of = told.spots[spot]
        comes: Counter[str] = Counter()
        for fact, ways in facts.items():
            comes[paid(rules, fact, spot, EXACT).says[0]] += ways
        assert Counter(of.ways) == comes
        assert of.edge == mean(without_minimum(rules), facts, spot, EXACT)
        check_bound(rules, facts, spot, of.bound)


def paid(rules: RuleSet, fact: Facts, spot: str, stake: int) -> Paid:
    return paid_by(rules, deciding(rules.spots[spot], fact), spot, stake)


def mean(rules: RuleSet, facts: Counter[Facts], spot: str, stake: int) -> Fraction:
    """The house's share of this very stake."""
    net = sum(ways * paid(rules, fact, spot, stake).net for fact, ways in facts.items())
    return Fraction(-net, stake * facts.total())


def check_bound(rules: RuleSet, facts: Counter[Facts], spot: str, bound: Bound | None) -> None:
    """The stake that is named is the first that is not paid in the measure of a great one."""
    terms = rules.spots[spot]
    first = -(-terms.minimum // terms.step) * terms.step
    for stake in range(first, first + 20 * terms.step, terms.step):
        if not all(in_measure(rules, fact, spot, stake) for fact in facts):
            assert bound is not None
            assert (bound.stake, bound.edge) == (stake, mean(rules, facts, spot, stake))
            return
    assert bound is None


def in_measure(rules: RuleSet, fact: Facts, spot: str, stake: int) -> bool:
    _, _, won, fee, _ = paid(rules, fact, spot, stake).says
    _, _, great_won, great_fee, _ = paid(without_minimum(rules), fact, spot, EXACT).says
    return (won * EXACT, fee * EXACT) == (great_won * stake, great_fee * stake)


def without_minimum(rules: RuleSet) -> RuleSet:
    if rules.commission is None:
        return rules
    free = msgspec.structs.replace(rules.commission, minimum=0)
    return msgspec.structs.replace(rules, commission=free)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranks", "suits", "decks"),
    [("2K3", "S", 3), ("69T", "S", 3), ("2K", "HS", 2), ("7", "CHS", 3)],
)
def test_side_bets_over_eight_or_nine_cards(ranks: str, suits: str, decks: int) -> None:
    """Pairs and suited pairs, on one hand and on both, of one rank and of two."""
    rules = parse(named("punto-banco-sides").text)
    facts: Counter[Facts] = Counter()
    for fact, ways in laid_out(Tables(rules), stripped(ranks, suits, decks)):
        facts[fact] += ways
    told = odds_of(rules, count_rounds(rules, decks, ranks, suits))
    assert told.total == perm(len(ranks) * len(suits) * decks, 6)
    for spot, of in told.spots.items():
        assert of.edge == mean(rules, facts, spot, EXACT)
