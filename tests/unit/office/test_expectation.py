"""Means and variances of sets of bets, each against a sum over every kind of round there is."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.ruleset import named, parse
from services.baccarat import compile_rules
from services.baccarat.odds import odds
from services.baccarat.odds_counting import count_rounds
from services.baccarat.result import RoundResult
from services.office.expectation import Expectation

SETS = ("punto-banco", "punto-banco-sides", "no-commission-six", "ez-baccarat")
RULES = {name: parse(named(name).text) for name in SETS}


@cache
def known(name: str) -> Expectation:
    return Expectation(RULES[name], 2)


@cache
def rounds(name: str) -> Counter[RoundResult]:
    return count_rounds(RULES[name], 2)


@st.composite
def bets(draw: st.DrawFn) -> tuple[str, list[tuple[str, int]]]:
    name = draw(st.sampled_from(SETS))
    spot = st.sampled_from(sorted(RULES[name].spots))
    return name, draw(st.lists(st.tuples(spot, st.integers(1, 10**7)), min_size=1, max_size=5))


@settings(max_examples=15, deadline=None)
@given(bets())
def test_they_are_those_of_the_settled_rounds(said: tuple[str, list[tuple[str, int]]]) -> None:
    name, placed = said
    game = compile_rules(RULES[name])
    total = rounds(name).total()
    takes: dict[int, int] = {}
    for result, ways in rounds(name).items():
        take = 0
        for spot, stake in placed:
            paid = game.settle("b", "ann", spot, stake, result)
            take += stake - paid.returned - paid.won + paid.commission
        takes[take] = takes.get(take, 0) + ways
    mean = Fraction(sum(take * ways for take, ways in takes.items()), total)
    variance = sum(((take - mean) ** 2 * ways for take, ways in takes.items()), Fraction(0)) / total
    terms = known(name).terms(placed)
    assert known(name).ways == total
    assert Fraction(terms.mean, total) == mean
    assert Fraction(terms.variance, total**2) == variance
    assert terms.most >= float(max(takes) - mean) * (1 - 1e-9) - 1e-6
    assert terms.least >= float(mean - min(takes)) * (1 - 1e-9) - 1e-6


@pytest.mark.parametrize("name", SETS)
def test_one_bet_is_its_spots_edge(name: str) -> None:
    exact = odds(RULES[name], 2)
    for spot, told in exact.spots.items():
        terms = known(name).terms([(spot, 100_000)])
        assert Fraction(terms.mean, known(name).ways * 100_000) == told.edge


def test_the_order_of_bets_is_nothing() -> None:
    banco = known("punto-banco")
    placed = [("player", 500), ("banker", 700), ("player", 300)]
    assert banco.terms(placed) == banco.terms(placed[::-1])
    assert banco.terms([]) == (0, 0, 0, 0)
    assert (banco.knows("tie"), banco.knows("tiger")) == (True, False)
