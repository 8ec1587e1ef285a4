# ruff: noqa: S311 - shoes of a known seed, dealt to be counted
"""Quiet where chance alone is at work, and not where somebody helped it: shoes dealt in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

import pytest

from schemas.cards import DECK, Card
from schemas.events import OrderReveal
from schemas.outcomes import RoundHalted, RoundResolved
from services.office.expectation import Expectation
from services.office.figures import Figure
from services.office.reading import Round, Shoe
from services.office.statistics import LEVEL, Counting, Statistics
from tests.unit.office.dealt import (
    Shuffle,
    any_swaps,
    fair,
    flat,
    knows_the_order,
    last_never,
    sattolo,
    shoes,
)

TABLE = flat(
    ("ann", "player", 2500), ("bob", "banker", 2500), ("bob", "banker-pair", 500),
    ("cyd", "tie", 500),
)  # fmt: skip
#: Counted out once for all tests.
EXPECTED: dict[tuple[str, int], Expectation] = {}


def counted(*dealt: Iterable[tuple[Shoe, list[Round]]]) -> Statistics:
    counting = Counting(lambda _: "all", EXPECTED)
    for table in dealt:
        for shoe, rounds in table:
            for one in rounds:
                counting.round(one)
            counting.shoe(shoe)
    return counting.result()


def figures(found: Statistics) -> dict[str, Figure]:
    (subject,) = found.subjects
    return {one.name: one for one in subject.figures}


def alarms(found: Statistics) -> set[str]:
    named = {one.name for subject in found.subjects for one in subject.figures if one.alarm}
    named |= {one.name for one in found.holds if one.alarm}
    assert found.alarms >= len(named) > 0 or found.alarms == 0
    return named


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_two_thousand_fair_shoes_are_quiet(seed: int) -> None:
    found = counted(shoes(2000, fair, Random(seed)))
    assert (found.shoes, found.alarms) == (2000, 0)
    told = figures(found)
    assert all(one.p is not None and one.p > LEVEL for one in told.values())
    assert "None of" in found.says
    # What is seen is near what is expected, so that the counts are of what they are called.
    for name in ("winners", "draws"):
        total = sum(one.seen for one in told[name].classes)
        assert total == found.rounds == round(sum(one.expected for one in told[name].classes))


@pytest.mark.slow
def test_the_money_of_fair_shoes_is_quiet() -> None:
    """Seventeen bettors: sixteen who play now and then, and one who goes by a ladder."""
    spots = ("player", "banker", "tie", "banker-pair")
    stakes = (1000, 2500, 5000, 20_000)

    def bets(hand: int, cards: Sequence[Card]) -> list[tuple[str, str, int]]:
        who = len(cards) % 16
        ladder = 1000 * 2 ** (hand % 5)
        return [(f"guest-{who}", spots[who % 4], stakes[who // 4]), ("ann", "player", ladder)]

    found = counted(shoes(600, fair, Random(21), bets))
    assert (found.shoes, found.alarms, len(found.holds)) == (600, 0, 18)
    assert all(one.p is not None and one.p > LEVEL for one in found.holds)


def test_figures_of_fair_shoes_are_as_rare_as_they_say() -> None:
    """By chance a p-value is as likely to lie anywhere: of 40 runs, about half are below 0.5."""
    found = [figures(counted(shoes(30, fair, Random(seed)))) for seed in range(40)]
    for name in ("winners", "draws", "ranks", "cards", "blocks", "places", "stayed", "drift"):
        rare = [one[name].p for one in found]
        known = [p for p in rare if p is not None]
        assert len(known) == 40, name
        # Of 40 at one half, 8 to 32 are but once in 5,000 times.
        assert 8 <= sum(p < 0.5 for p in known) <= 32, name
        assert min(known) > LEVEL / 40, name


@pytest.mark.parametrize(
    ("shuffle", "number", "seen", "seed"),
    [
        (sattolo, 300, {"stayed"}, 4),
        (sattolo, 300, {"stayed"}, 5),
        (last_never, 40, {"cards"}, 4),
        (last_never, 40, {"cards"}, 5),
        (any_swaps, 1200, {"places", "drift"}, 4),
    ],
)
def test_a_biased_shuffle_is_seen(shuffle: Shuffle, number: int, seen: set[str], seed: int) -> None:
    found = counted(shoes(number, shuffle, Random(seed)))
    told = figures(found)
    for name in seen:
        assert told[name].alarm, name
        assert "have the shuffle looked at" in told[name].says
    # Who won says nothing of it, so it is the cards that have to be looked at.
    assert not told["winners"].alarm


def test_the_card_that_is_never_taken_is_named() -> None:
    cards = figures(counted(shoes(40, last_never, Random(6))))["cards"]
    assert "KS is furthest off" in cards.says
    worst = min(cards.classes, key=lambda one: one.seen - one.expected)
    assert worst.name == "KS"


@pytest.mark.parametrize(("every", "number"), [(1, 1), (4, 12)])
def test_who_knows_the_order_is_seen_and_the_others_are_not(every: int, number: int) -> None:
    known = knows_the_order("punto-banco", "eve", 2500, every=every)
    others = flat(("ann", "player", 2500), ("bob", "banker", 2500))

    def bets(hand: int, cards: object) -> list[tuple[str, str, int]]:
        return known(hand, cards) + others(hand, cards)  # type: ignore[arg-type]

    # He sits at one of two tables, with a dealer of its own.
    found = counted(
        shoes(number, fair, Random(7), bets),
        shoes(number, fair, Random(8), others, table="T8", dealer="dan"),
    )
    assert alarms(found) >= {"eve"}
    assert alarms(found) <= {"eve", "dora"}
    eve = next(one for one in found.holds if one.name == "eve")
    assert eve.z is not None
    assert eve.z < -4
    assert eve.actual < 0 < eve.expected
    assert "have it looked at who knew the cards" in eve.says


def test_a_long_shot_that_comes_in_is_no_alarm() -> None:
    """One bettor bets once in each of many shoes on a spot of 8 to 1; some win all they bet."""

    def once(hand: int, _cards: object) -> list[tuple[str, str, int]]:
        return [(f"guest-{hand}", "tie", 500)] if hand <= 40 else []

    found = counted(shoes(1, fair, Random(9), once))
    winners = [one for one in found.holds if one.who == "bettor" and one.actual < 0]
    assert winners
    assert max(abs(one.z or 0) for one in winners) > 3
    assert found.alarms == 0


def test_hold_by_hand() -> None:
    found = counted(shoes(1, fair, Random(10), flat(("ann", "player", 1000), ("ann", "tie", 500))))
    (ann, dora) = found.holds
    assert (ann.who, dora.who, dora.name, dora.currency) == ("bettor", "dealer", "dora", "USD")
    assert ann.handle == dora.handle == 1500 * found.rounds
    assert ann.bets == 2 * found.rounds
    # Edges of specs/odds.md, %: player 1.2351, tie 14.3596.
    assert ann.expected == round(found.rounds * (1000 * 0.012351 + 500 * 0.143596))
    # Player wins, ties, loses: the house takes -500, -4000 and 1500.
    shares = {-500: 0.446247, -4000: 0.095156, 1500: 0.458597}
    mean = sum(take * share for take, share in shares.items())
    variance = sum((take - mean) ** 2 * share for take, share in shares.items())
    assert ann.deviation == pytest.approx((variance * found.rounds) ** 0.5, abs=1)
    assert ann.z == pytest.approx((ann.actual - ann.expected) / ann.deviation, abs=0.01)


def test_what_is_left_out_is_counted() -> None:
    (shoe, rounds), *_ = shoes(1, fair, Random(11), TABLE)
    void, halted, known, misdealt = rounds[:4]
    assert isinstance(void.outcome, RoundResolved)
    kept = len(rounds) - 3
    settled = void.outcome.settlements
    hands = (void.outcome.player, void.outcome.banker)
    void.outcome = RoundResolved(
        1, "", "", *hands, "void", natural=False, settlements=settled, house=0
    )
    halted.outcome = RoundHalted(2, "T7/1-30", "rules", (), 0)
    known.known = True
    found = counted([(shoe, rounds)])
    assert found.left_out == {"a card was known": 1, "halted": 1, "voided": 1}
    assert found.rounds == kept
    assert {one.rounds for one in found.holds} == {kept}
    assert misdealt.counts


def test_shoes_that_chance_did_not_order_are_left_out() -> None:
    dealt = list(shoes(4, fair, Random(12), TABLE))
    for (shoe, _), origin in zip(dealt, ("ktane", "fixed", "fixed", "fixed"), strict=True):
        shoe.origin = origin  # type: ignore[assignment]
    dealt[1][0].reveal = OrderReveal("00", " ".join(DECK * 8))
    dealt[2][0].reveal = OrderReveal("00", " ".join([*DECK * 7, *["9H"] * 52]))
    found = counted(dealt)
    assert found.shoes == 4
    assert found.left_out == {
        "the order is public": len(dealt[0][1]),
        "the deck was stacked": len(dealt[2][1]) + len(dealt[3][1]),
    }
    (subject,) = found.subjects
    assert (subject.origin, subject.shoes, subject.rounds) == ("fixed", 1, len(dealt[1][1]))


def test_tables_rule_sets_and_periods_stand_apart() -> None:
    counting = Counting(lambda time: time[:10], EXPECTED)
    for table, rules in (("A", "punto-banco"), ("A", "ez-baccarat"), ("B", "punto-banco")):
        for shoe, rounds in shoes(2, fair, Random(13), rules=rules, table=table):
            for one in rounds:
                counting.round(one)
            counting.shoe(shoe)
    found = counting.result()
    told = [(one.table, one.rules, one.period) for one in found.subjects]
    assert (
        told
        == sorted(
            (table, rules, day)
            for table, rules in (("A", "punto-banco"), ("A", "ez-baccarat"), ("B", "punto-banco"))
            for day in ("2025-12-02", "2025-12-03")
        )
        or len(set(told)) == len(told) == 6
    )
    assert {one.shoes for one in found.subjects} == {1}


def test_draws_that_cannot_be_are_an_alarm() -> None:
    """Where both hands always draw, no round has five cards."""
    dealt = list(shoes(3, fair, Random(14), rules="fun-casino-simple"))
    assert figures(counted(dealt))["draws"].classes[1].expected == 0
    assert not counted(dealt).alarms
    taken = list(shoes(3, fair, Random(14)))
    for (shoe, _), (other, _) in zip(taken, dealt, strict=True):
        shoe.rules, shoe.rules_sha256 = other.rules, other.rules_sha256
    draws = figures(counted(taken))["draws"]
    assert (draws.p, draws.alarm) == (0, True)


def test_nothing_at_all() -> None:
    found = counted()
    assert (found.shoes, found.rounds, found.looked_at, found.alarms) == (0, 0, 0, 0)
    assert found.says == "There is too little to tell chance from anything else."
