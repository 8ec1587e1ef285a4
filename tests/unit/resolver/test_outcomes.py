"""Outcomes of rounds that can be folded: cards, totals, money, addresses and times."""

from __future__ import annotations

import pytest

from schemas import events as ev
from schemas.address import EntryId
from schemas.envelope import decode_outcome
from schemas.outcomes import HandResult, RoundResolved, Settlement
from schemas.ruleset import sha256_of
from tests.unit.baccarat.charts import NAMES, chart
from tests.unit.baccarat.hands import by_value, changed
from tests.unit.resolver.script import Script, fold, time_of


def resolved(script: Script) -> list[RoundResolved]:
    outcomes = script.outcomes()
    assert all(isinstance(outcome, RoundResolved) for outcome in outcomes), outcomes
    return [outcome for outcome in outcomes if isinstance(outcome, RoundResolved)]


def test_a_round_from_its_first_event_to_its_outcome() -> None:
    script = Script().opened()
    script.open_round().bet("banker", 1900).bet("player", 1000, "bob").bet("tie", 500, "cyd")
    script.close_bets().deal("2C", "3S", "3D", "TC", "9H", "4D").dealt()
    (said,) = script.fold()
    assert said.id == EntryId(12, 1)
    message = decode_outcome(said.data)
    assert (message.id, message.source) == ("12-1", "/tables/T7/outcomes")
    assert message.time == time_of(len(script.lines) - 1)
    assert message.data == RoundResolved(
        round=1,
        first="T7/12-1",
        through="T7/12-12",
        player=HandResult(("2C", "3D", "9H"), 4),
        banker=HandResult(("3S", "TC", "4D"), 7),
        winner="banker",
        natural=False,
        settlements=(
            Settlement(
                "12-1/alice/banker/1", "alice", "banker", 1900, "win", "1/1", 1900, 95, 1900
            ),
            Settlement("12-1/bob/player/1", "bob", "player", 1000, "lose", None, 0, 0, 0),
            Settlement("12-1/cyd/tie/1", "cyd", "tie", 500, "lose", None, 0, 0, 0),
        ),
        house=-(1900 - 95) + 1000 + 500,
    )


def test_nothing_is_said_before_the_last_event_of_the_round() -> None:
    script = Script().opened().hand("9C", "2D", "TH", "3S")
    assert fold(script.lines[:-1]) == []
    assert len(fold(script.lines)) == 1


def test_bets_are_settled_in_the_order_placed_less_those_taken_back() -> None:
    script = Script().opened().open_round()
    script.bet("tie", 500).bet("banker", 1000).bet("player", 1000, "bob")
    script.say(ev.BetWithdrawn(round=1, bet="12-1/alice/banker/1", command=None))
    script.bet("banker", 2000, n=2)
    script.close_bets().deal("9C", "2D", "TH", "3S").dealt()
    (outcome,) = resolved(script)
    assert [(paid.bettor, paid.spot, paid.stake) for paid in outcome.settlements] == [
        ("alice", "tie", 500),
        ("bob", "player", 1000),
        ("alice", "banker", 2000),
    ]


def test_a_round_without_bets_is_resolved_too() -> None:
    (outcome,) = resolved(Script().opened().hand("9C", "2D", "TH", "3S"))
    assert (outcome.settlements, outcome.house, outcome.natural) == ((), 0, True)


@pytest.mark.parametrize("cards", [(), ("9C",), ("2C", "2D", "2H", "2S", "3C")])
def test_a_void_round_gives_all_back_and_shows_what_was_drawn(cards: tuple[str, ...]) -> None:
    script = Script().opened().open_round().bet("banker", 1900).bet("tie", 500, "bob")
    script.close_bets().deal(*cards).voided()  # type: ignore[arg-type]
    (outcome,) = resolved(script)
    assert (outcome.winner, outcome.natural, outcome.house) == ("void", False, 0)
    assert [paid.returned for paid in outcome.settlements] == [1900, 500]
    assert {paid.result for paid in outcome.settlements} == {"void"}
    assert (outcome.player.cards, outcome.banker.cards) == (cards[0::2], cards[1::2])
    assert outcome.through == f"T7/12-{len(script.lines) - 1}"


def test_a_round_may_be_voided_while_bets_are_open() -> None:
    script = Script().opened().open_round().bet("banker", 1900).voided()
    script.hand("9C", "2D", "TH", "3S", bets=[("player", 1000)])
    first, second = resolved(script)
    assert (first.winner, first.player, first.banker) == (
        "void",
        HandResult((), 0),
        HandResult((), 0),
    )
    assert (second.round, second.winner) == (2, "player")


def test_fault_4_the_next_round_begins_with_empty_hands_and_no_bets() -> None:
    script = Script().opened()
    script.hand("2C", "3S", "3D", "TC", "9H", "4D", bets=[("banker", 1000)])
    # The player stands: no third card of the round before may decide for the banker.
    script.hand("6C", "3S", "TD", "TC", "5H")
    first, second = resolved(script)
    assert len(first.settlements) == 1
    assert second.settlements == ()
    assert (second.player.cards, second.banker.cards) == (("6C", "TD"), ("3S", "TC", "5H"))


def test_fault_11_a_shoe_is_settled_by_the_text_it_was_opened_with() -> None:
    other = changed("punto-banco", ('odds = "8/1"', 'odds = "9/1"'))
    text = Script().rules.text.replace('odds = "8/1"', 'odds = "9/1"', 1)
    script = Script()
    script.game = other
    script.opened(ev.RuleText("punto-banco", sha256_of(text), text))
    script.hand("7C", "7D", "TH", "TS", bets=[("tie", 500)])
    (outcome,) = resolved(script)
    assert outcome.settlements[0].won == 4500


def test_what_moves_no_card_and_no_stake_is_passed_over() -> None:
    script = Script().opened()
    script.say(ev.ShoeCut(client_seed="", beacon="", by="alice", command=None))
    script.say(ev.BettorSeated(bettor="alice", seat=1, bankroll=10_000, command=None))
    script.say(ev.CardBurned(position=0, card="2C", command=None))
    script.say(ev.CardBurned(position=1, card=None, command=None))
    script.say(ev.CardDiscarded(position=2, card="KC", reason="face up", command=None))
    script.position = 3
    script.say(ev.DealerChanged(dealer="d", supervisor="s", command=None))
    script.open_round().bet("player", 1000)
    refused = ev.BetRefused(
        round=1,
        bet="12-1/bob/x/1",
        bettor="bob",
        spot="x",
        stake=None,
        chips=None,
        reason="spot",
        command=None,
    )
    script.say(refused).say(ev.BetPassed(round=1, bettor="bob", command=None))
    script.close_bets()
    script.say(ev.CutCardOut(position=3, command=None))
    script.deal("9C", "2D", "TH", "3S").dealt()
    script.say(ev.CommandRefused(reason="deck", command="12/shoe.open/x/1"))
    script.say(ev.CommissionCollected(bettor="alice", amount=5, command=None))
    adjusted = ev.MoneyAdjusted(
        at="T7/12#1",
        bet=None,
        bettor="alice",
        amount=-5,
        reason="r",
        by="b",
        dispute=None,
        command=None,
    )
    script.say(adjusted).say(ev.BettorLeft(bettor="alice", command=None)).closed()
    (outcome,) = resolved(script)
    assert outcome.house == -1000


def test_a_card_drawn_in_error_is_no_card_of_a_hand_and_may_be_taken_once_more() -> None:
    script = Script().opened().open_round().bet("player", 1000).close_bets()
    script.deal("9C", "2D", "TH", "3S").card("error", "5D").dealt()
    # It starts the next hand, and the one after is discarded.
    script.open_round().close_bets().card("player", "5D", 4)
    script.card("banker", "2D").card("player", "3H").card("banker", "6S").card("error", "KD")
    script.dealt()
    script.say(ev.CardBurned(position=8, card="KD", command=None))
    first, second = resolved(script)
    assert first.player.cards == ("9C", "TH")
    assert second.player.cards == ("5D", "3H")


@pytest.mark.parametrize("name", NAMES)
def test_every_pair_of_totals_and_every_third_card_as_the_chart_is_printed(name: str) -> None:
    printed = chart(name)
    script = Script(name).opened()
    expected = []
    for player in range(10):
        for banker in range(10):
            for third in range(10):
                values: dict[str, list[int]] = {"player": [player, 0], "banker": [banker, 0]}
                while (side := printed.next_draw(values["player"], values["banker"])) is not None:
                    values[side].append((third + len(values["banker"])) % 10)
                script.open_round().close_bets()
                sides = ["player", "banker", "player", "banker"]
                sides += ["player"] * (len(values["player"]) - 2)
                sides += ["banker"] * (len(values["banker"]) - 2)
                hands = {side: iter(by_value(hand)) for side, hand in values.items()}
                for side in sides:
                    script.card(side, next(hands[side]))  # type: ignore[arg-type]
                script.dealt()
                expected.append([sum(hand) % 10 for hand in values.values()])
    found = resolved(script)
    assert [[outcome.player.total, outcome.banker.total] for outcome in found] == expected
    assert {outcome.winner for outcome in found} == {"player", "banker", "tie"}
