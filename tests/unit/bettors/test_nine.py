"""The nine systems as bettors at a table: what moves their stake and side, and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.events import BetRefused
from schemas.outcomes import Result, Winner
from schemas.ruleset import Side
from services.bettors import Coup, View, Wish
from services.bettors.nine import KINDS, BettingSystem, Run, Terms, letters, make, play
from services.bettors.nine.progressions import Cancellation, ThirtyOne
from tests.unit.bettors.stage import settled

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.outcomes import Settlement

RICH = 10**18
SIDED = [name for name, kind in KINDS.items() if kind.chooses == "side"]

names = st.sampled_from(list(KINDS))
sides: st.SearchStrategy[Side] = st.sampled_from(["player", "banker"])
amounts = st.integers(1, 2000)
series = st.lists(st.integers(1, 50), min_size=1, max_size=12).map(tuple)


@st.composite
def terms_of(draw: st.DrawFn, name: str) -> Terms:
    """Any terms that a system takes, a unit above the maximum among them."""
    minimum, maximum = sorted((draw(amounts), draw(amounts)))
    return Terms(
        unit=draw(amounts),
        minimum=minimum,
        maximum=maximum,
        restart=draw(st.booleans()),
        side=draw(sides) if name in SIDED else None,
        series=draw(series) if "cancellation" in name else None,
        start_count=draw(st.integers(-20, 20)) if name == "card-count" else None,
    )


def wish(system: BettingSystem) -> Wish | None:
    bets = system.bet(View(1, 1, RICH))
    assert len(bets) <= 1
    return bets[0] if bets else None


def ended(winner: Winner, bet: Wish | None, result: Result | None = None) -> Coup:
    """A round that a hand or nobody won, with the bet that was in it settled so."""
    found: tuple[Settlement, ...] = ()
    if bet is not None:
        if result is None:
            draw: Result = "push" if winner == "tie" else "void"
            won: Result = "win" if winner == bet.spot else "lose"
            result = draw if winner in ("tie", "void") else won
        found = (settled("alice", bet.spot, bet.stake, result),)
    return Coup(1, winner, found)


@given(names.flatmap(lambda name: st.tuples(st.just(name), terms_of(name))), st.data())
def test_a_stake_is_never_below_the_minimum_or_above_the_maximum(
    chosen: tuple[str, Terms], data: st.DataObject
) -> None:
    name, terms = chosen
    system = make(name, terms)
    winners = data.draw(st.lists(st.sampled_from(get_args(Winner)), max_size=80))
    for winner in winners:
        bet = wish(system)
        if bet is not None:
            assert (terms.minimum or 0) <= bet.stake <= (terms.maximum or 0)
        system.coup(ended(winner, bet))
    if not terms.restart:
        assert system.restarts == 0


@given(names.flatmap(lambda name: st.tuples(st.just(name), terms_of(name))), st.data())
def test_played_at_a_table_it_bets_what_it_bets_by_hand(
    chosen: tuple[str, Terms], data: st.DataObject
) -> None:
    name, terms = chosen
    told = data.draw(st.text(letters(make(name, terms)), max_size=40))
    counts = [data.draw(st.integers(-9, 9)) for _ in [*told, 0]] if name == "card-count" else None
    by_hand = play(make(name, terms), told, counts)
    system = make(name, terms)
    bets = []
    for number, letter in enumerate([*told, ""]):
        if counts is not None:
            system.count.now = counts[number]  # type: ignore[attr-defined]
        bet = wish(system)
        bets.append((0, None) if bet is None else (bet.stake, bet.spot))
        if letter in ("B", "P", "T"):
            winner: Winner = {"B": "banker", "P": "player", "T": "tie"}[letter]  # type: ignore[assignment]
            system.coup(ended(winner, bet))
        elif letter:
            system.coup(ended("player", bet, "win" if letter == "W" else "lose"))
    assert (by_hand.stakes, by_hand.sides) == tuple(zip(*bets, strict=True))
    assert system.restarts == by_hand.restarts


@given(series, amounts, st.text("WLT", max_size=60))
def test_a_plain_cancellation_ends_its_series_sum_up(
    numbers: tuple[int, ...], unit: int, told: str
) -> None:
    """Without a stake cut, profit and what is left of the series always add up to its sum."""
    amount = [number * unit for number in numbers]
    progression = Cancellation(amount)
    stake: int | None = progression.begin()
    profit = ended_at = 0
    # Wins without end finish any series, whatever came before them.
    for letter in [*told, *"W" * (len(told) + len(numbers))]:
        if letter == "T":
            continue
        assert stake is not None
        won = letter == "W"
        profit += stake if won else -stake
        stake = progression.after(won=won, stake=stake)
        if stake is None:
            assert profit == (ended_at := ended_at + 1) * sum(amount)
            stake = progression.begin()
    assert ended_at


@given(series, st.text("WLT", max_size=30))
def test_a_plain_cancellation_by_hand_ends_its_series_sum_up(
    numbers: tuple[int, ...], told: str
) -> None:
    """The same through the whole system, where each return to the first bet may be a new series."""
    terms = Terms(unit=1, minimum=1, maximum=10**12, series=numbers)
    told += "W" * (len(told) + len(numbers))
    run = play(make("cancellation", terms), told)
    assert run.restarts == 0
    assert sum(numbers) in run.profit


def _profit_at_series_ends(name: str, told: str) -> list[int]:
    run: Run = play(make(name, Terms(unit=1, minimum=1, maximum=10**12)), told)
    return [
        profit
        for profit, letter, stake in zip(run.profit, told, run.stakes[1:], strict=True)
        if letter == "W" and stake == 1
    ]


@given(st.text("WLT", max_size=39))
def test_a_martingale_wins_one_unit_each_time_it_wins(told: str) -> None:
    ends = _profit_at_series_ends("martingale", told)
    assert ends == list(range(1, told.count("W") + 1))


@given(st.text("WL", min_size=9, max_size=80))
def test_a_thirty_one_ends_31_down_or_some_up_and_bets_16_at_most(told: str) -> None:
    """A win that rides and is lost costs what its own bet would have; two running pay for all."""
    progression = ThirtyOne(1)
    stake: int | None = progression.begin()
    profit = 0
    for letter in told:
        assert stake is not None
        assert stake <= 16
        profit += stake if letter == "W" else -stake
        stake = progression.after(won=letter == "W", stake=stake)
        if stake is None:
            assert profit > 0 if letter == "W" else profit == -31
            stake, profit = progression.begin(), 0
        else:
            assert profit > -31


@pytest.mark.parametrize("name", SIDED)
@pytest.mark.parametrize(("winner", "result"), [("tie", "push"), ("void", "void")])
def test_a_push_and_a_void_round_change_nothing(name: str, winner: Winner, result: Result) -> None:
    system = make(name, Terms())
    system.coup(ended("banker", wish(system)))
    before = wish(system)
    system.coup(ended(winner, before, result))
    assert wish(system) == before


@pytest.mark.parametrize("name", SIDED)
def test_a_win_that_pushes_by_a_tables_rules_is_neither_won_nor_lost(name: str) -> None:
    system = make(name, Terms(side="banker"))
    before = wish(system)
    system.coup(ended("banker", before, "push"))
    assert wish(system) == before


@pytest.mark.parametrize("name", list(KINDS))
def test_a_refused_bet_is_neither_won_nor_lost(name: str) -> None:
    system = make(name, Terms())
    system.coup(ended("banker", wish(system)))
    before = wish(system)
    assert before is not None
    bet = f"1-2/alice/{before.spot}/1"
    refused = BetRefused(
        2, bet, "alice", before.spot, before.stake, None, reason="above-maximum", command=bet
    )
    for _ in range(3):
        system.coup(Coup(2, "banker", (), (refused,)))
    assert system.stake == before.stake
    assert system.restarts == 0


@pytest.mark.parametrize(
    ("name", "then"), [("follow-the-shoe", "player"), ("opposite-the-shoe", "banker")]
)
def test_the_last_winner_counts_where_the_bet_was_refused(name: str, then: str) -> None:
    system = make(name, Terms())
    assert wish(system) is None
    system.coup(Coup(1, "banker"))
    system.coup(Coup(2, "player"))
    assert wish(system) == Wish(then, 5)
    system.coup(Coup(3, "void"))
    assert wish(system) == Wish(then, 5)


def test_others_bets_are_not_in_a_coup_and_move_nothing() -> None:
    system = make("martingale", Terms())
    system.coup(Coup(1, "banker"))
    assert wish(system) == Wish("player", 5)


@pytest.mark.parametrize(("bankroll", "bets"), [(5, (Wish("player", 5),)), (4, ()), (0, ())])
def test_a_stake_above_the_bankroll_is_not_bet(bankroll: int, bets: tuple[Wish, ...]) -> None:
    assert make("martingale", Terms()).bet(View(1, 1, bankroll)) == bets


@pytest.mark.parametrize("name", SIDED)
def test_a_series_goes_on_in_the_next_shoe(name: str) -> None:
    system, other = make(name, Terms()), make(name, Terms())
    assert system.across_shoes
    for one in (system, other):
        one.shoe()
        for winner in ("banker", "banker", "player"):
            one.coup(ended(winner, wish(one)))
    other.shoe()
    assert wish(other) == wish(system)


def test_a_new_shoe_does_not_forget_the_last_winner() -> None:
    system = make("follow-the-shoe", Terms())
    assert system.across_shoes
    system.shoe()
    system.coup(Coup(1, "banker"))
    system.shoe()
    assert wish(system) == Wish("banker", 5)


def test_the_card_count_begins_anew_in_each_shoe() -> None:
    system = make("card-count", Terms(start_count=2))
    assert not system.across_shoes
    system.shoe()
    shown: list[Card] = ["9S", "AD"]
    for card in shown:
        system.card(card)
    assert wish(system) == Wish("player", 5)
    system.coup(ended("player", wish(system)))
    assert wish(system) == Wish("player", 5)
    system.shoe()
    assert wish(system) == Wish("banker", 5)


def test_money_may_be_cents() -> None:
    cents = make("martingale", Terms(), dollar=100)
    told = [cents.stake]
    for _ in range(7):
        cents.settle(won=False)
        told.append(cents.stake)
    assert told == [500, 1000, 2000, 4000, 8000, 16000, 32000, 500]
    assert cents.restarts == 1
