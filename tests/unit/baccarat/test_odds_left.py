"""Odds of what is left of a shoe, against every order of those cards laid out by the auditor's."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import perm
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import DECK, RANKS, SUITS
from schemas.ruleset import named, parse
from services.auditor.tables import Tables
from services.baccarat.odds import counts_of, edge_of, odds_of
from services.baccarat.odds_counting import count_left, count_rounds
from tests.unit.baccarat.test_odds_laid_out import EXACT, laid_out, mean, rule_sets, without_minimum

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.ruleset import RuleSet
    from services.auditor.money import Facts
    from services.baccarat.result import RoundResult

#: Of few ranks and suits, so that pairs and suited pairs come, and ranks run out.
FEW = [card for card in DECK if card[0] in "AK9"] + list(DECK[:8])


def by_rank(cards: list[Card]) -> dict[str, list[int]]:
    held = Counter(cards)
    return {rank: [held[rank + suit] for suit in SUITS] for rank in RANKS}  # type: ignore[index]


def facts_of(rules: RuleSet, cards: list[Card]) -> Counter[Facts]:
    facts: Counter[Facts] = Counter()
    for fact, ways in laid_out(Tables(rules), cards):
        facts[fact] += ways
    return facts


def named_alike(result: RoundResult, fact: Facts) -> bool:
    return all(getattr(fact, name) == value for name, value in result._asdict().items())


@settings(max_examples=12, deadline=None)
@given(
    rules=rule_sets(),
    cards=st.lists(st.sampled_from(FEW), min_size=6, max_size=7),
)
def test_any_cards_by_any_rules(rules: RuleSet, cards: list[Card]) -> None:
    rounds, facts = count_left(rules, by_rank(cards)), facts_of(rules, cards)
    assert rounds.total() == facts.total() == perm(len(cards), 6)
    for result, ways in rounds.items():
        assert ways == sum(there for fact, there in facts.items() if named_alike(result, fact))
    for spot in rules.spots:
        edge = edge_of(rules, spot, rounds)
        assert edge == mean(without_minimum(rules), facts, spot, EXACT)
        assert edge == odds_of(rules, rounds).spots[spot].edge


@settings(max_examples=6, deadline=None)
@given(st.lists(st.sampled_from(FEW[:6]), min_size=6, max_size=7))
def test_side_bets_over_any_cards(cards: list[Card]) -> None:
    rules = parse(named("punto-banco-sides").text)
    rounds, facts = count_left(rules, by_rank(cards)), facts_of(rules, cards)
    for spot in rules.spots:
        assert edge_of(rules, spot, rounds) == mean(rules, facts, spot, EXACT)


@pytest.mark.parametrize("name", ["punto-banco-sides", "ez-baccarat"])
def test_a_whole_shoe_is_what_a_fresh_one_is(name: str) -> None:
    rules = parse(named(name).text)
    assert count_left(rules, by_rank(list(DECK) * 8)) == count_rounds(rules, 8)


def test_six_cards_are_the_fewest() -> None:
    rules = parse(named("punto-banco").text)
    assert not count_left(rules, by_rank(list(DECK[:5])))
    assert not count_left(rules, {})
    assert count_left(rules, by_rank(list(DECK[:6]))).total() == perm(6, 6)


def test_four_aces_and_two_nines_by_hand() -> None:
    """There are 15 places for the two nines, each as likely as another.

    Both in one hand (2): a natural 8 against 2. One in each (4): 0 and 0, each draws an ace: a tie
    at 1. None in the first four (1): 2 and 2, each draws a nine: a tie at 1. One in the player's
    hand (4): 0 against 2; he draws an ace and the banker the nine, a tie at 1 (2), or he draws the
    nine and wins (2). One in the banker's hand (4): 2 against 0; the player draws an ace and the
    banker the nine, who wins (2), or the other way round, a tie at 1 (2).
    """
    rules = parse(named("punto-banco").text)
    rounds = count_left(rules, by_rank(["AC", "AD", "AH", "AS", "9C", "9D"]))
    counts = counts_of(rounds)
    assert counts.winners == {"banker": 3 * 48, "player": 3 * 48, "tie": 9 * 48}
    assert counts.naturals == 2 * 48
    # Player and banker push on a tie; the banker pays 5% of what he wins.
    assert edge_of(rules, "tie", rounds) == 1 - Fraction(9 * 9, 15)
    assert edge_of(rules, "player", rounds) == 0
    assert edge_of(rules, "banker", rounds) == Fraction(3, 15) * Fraction(1, 20)
