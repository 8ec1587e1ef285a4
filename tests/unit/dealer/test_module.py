"""A bomb's module at the dealer: its decks, its placard, every edge of its bets, its end."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from schemas import commands as co
from schemas import events as ev
from schemas.cards import Card
from schemas.events import SpotLimits
from schemas.ruleset import named, parse
from services.auditor.fold import ShoeAudit
from services.baccarat import ModuleRound, bomb_deck, compile_rules
from tests.unit.dealer.bombs import BLUE, RED, WHO, Bet, ModuleTable
from tests.unit.dealer.house import Table

LOSING: Bet = ("banker", 1000)


def kinds(events: list[ev.Event]) -> list[type[ev.Event]]:
    return [type(event) for event in events]


def result(table: ModuleTable) -> ModuleRound:
    return table.module.rounds[-1]


class TestTheDeck:
    def test_the_command_that_opened_it_has_but_one_answer(self) -> None:
        asked = [event.command for event in ModuleTable().events]
        assert asked == ["1/shoe.open/alice/1", "1/bettor.sit/alice/1"]

    def test_its_origin_is_public_and_nothing_else_is_kept(self) -> None:
        table = ModuleTable()
        opened = table.events[0]
        assert isinstance(opened, ev.ShoeOpened)
        assert (opened.origin, opened.commitment, opened.cut_card) == (RED, None, None)
        table.close("asked")
        closed = table.events[-1]
        assert isinstance(closed, ev.ShoeClosed)
        assert closed.reveal is None

    def test_it_is_dealt_in_the_bomb_s_order_without_a_cut(self) -> None:
        table = ModuleTable()
        table.play(LOSING)
        drawn = [event for event in table.events if isinstance(event, ev.CardDrawn)]
        assert tuple(event.card for event in drawn) == bomb_deck(RED)[:4]
        table.cut(WHO)
        assert kinds(table.say()) == [ev.CommandRefused]

    def test_the_table_s_limits_are_the_placard_s(self) -> None:
        opened = ModuleTable(replace(RED, min=2500, max=25_700)).events[0]
        assert isinstance(opened, ev.ShoeOpened)
        main, side = SpotLimits(2500, 25_700, 100), SpotLimits(100, 2500, 100)
        sides = dict.fromkeys(("tie", "player-pair", "banker-pair"), side)
        assert opened.limits.spots == {"player": main, "banker": main, **sides}

    def test_they_may_be_said_again_in_the_command(self) -> None:
        main, side = SpotLimits(1000, 100_000, 100), SpotLimits(100, 10_000, 100)
        table = ModuleTable(limits={"player": main, "banker": main, "tie": side})
        assert isinstance(table.events[0], ev.ShoeOpened)

    @pytest.mark.parametrize(
        ("deck", "more", "reason"),
        [
            (replace(RED, serial=""), {}, "origin"),
            (replace(RED, serial="AB 3"), {}, "origin"),
            (replace(RED, serial="ab3cd7"), {}, "origin"),
            (replace(RED, ports=("USB",)), {}, "origin"),
            (replace(RED, lit=("bob",)), {}, "origin"),
            (replace(RED, colour="gold"), {}, "origin"),
            (replace(RED, min=700), {}, "limits"),
            (replace(RED, min=1001), {}, "limits"),
            (replace(RED, max=999), {}, "limits"),
            (replace(RED, max=1000), {}, "shoe-open"),
            (RED, {"limits": {"player": SpotLimits(1000, 99_900, 100)}}, "limits"),
            (RED, {"limits": {"banker": SpotLimits(900, 100_000, 100)}}, "limits"),
            (RED, {"limits": {"tie": SpotLimits(100, 10_100, 100)}}, "limits"),
            (RED, {"differential": 5000}, "limits"),
            (RED, {"rules": "punto-banco"}, "origin"),
            (RED, {}, "shoe-open"),
        ],
    )
    def test_what_cannot_be_opened(self, deck: ev.Ktane, more: dict[str, Any], reason: str) -> None:
        table = ModuleTable()
        name = co.command_id(1, "shoe.open", "desk", 1)
        table.send(name, co.ShoeOpen(**{"rules": "ktane", "origin": deck, **more}))
        table.say()
        said = table.answer(name)
        assert isinstance(said, ev.CommandRefused)
        assert said.reason == reason

    def test_a_table_whose_house_wants_what_is_on_no_bomb_opens_nothing(self) -> None:
        table = Table(co.ShoeOpen("ktane", replace(RED, min=700)))
        assert table.say() == []


class TestItsBets:
    @pytest.mark.parametrize(
        "bets",
        [
            [("player", 1000)],
            [("banker", 1000)],
            [("player", 100_000)],
            [("player", 1000), ("tie", 100)],
            [("player", 1000), ("tie", 10_000)],
            [("player", 1000), ("player-pair", 10_000), ("banker-pair", 10_000)],
            [("tie", 100), ("banker", 1000)],
            [("player", 1000, (500, 500))],
            [("player", 3100, (2500, 500, 100))],
            [
                (
                    "player",
                    99_900,
                    (50_000, 10_000, 10_000, 10_000, 10_000, 2500, 2500, 2500, 2400 - 500),
                )
            ],
        ][:9],
    )
    def test_what_is_dealt(self, bets: list[Bet]) -> None:
        table = ModuleTable()
        said = table.play(*bets)
        assert ev.RoundDealt in kinds(said)
        assert "chips" not in result(table).strikes

    @pytest.mark.parametrize(
        "bets",
        [
            [],
            [("player", 900)],
            [("player", 999)],
            [("player", 1001)],
            [("player", 1050)],
            [("player", 100_100)],
            [("player", 100_001)],
            [("tie", 100)],
            [("player-pair", 100), ("banker-pair", 100)],
            [("player", 1000), ("banker", 1000)],
            [("player", 1000), ("tie", 50)],
            [("player", 1000), ("tie", 99)],
            [("player", 1000), ("tie", 101)],
            [("player", 1000), ("tie", 10_100)],
            [("player", 1000), ("player-pair", 10_100)],
            [("player", 1000), ("banker-pair", 10_100)],
            [("player", 1000), ("dragon", 100)],
            [("player", 2000, (2000,))],
            [("player", 1000, (500, 400))],
            [("player", 1000, (500, 500, 500))],
            [("player", 1000, (1000, 500, -500))],
            [("player", 1000, (50,) * 20)],
        ],
    )
    def test_what_is_a_strike_and_no_deal(self, bets: list[Bet]) -> None:
        table = ModuleTable()
        said = table.play(*bets)
        assert ev.CardDrawn not in kinds(said)
        voided = next(event for event in said if isinstance(event, ev.RoundVoided))
        assert (voided.reason, voided.by, voided.command) == ("invalid-bet", "rules", None)
        assert result(table) == ModuleRound(1, 0, "strike", ("invalid-bet",))
        # The next round is dealt from the same card on.
        assert ev.RoundDealt in kinds(table.play(LOSING))
        assert table.dealer._facts.shoe is not None
        assert table.dealer._facts.shoe.progress.position == 4

    @pytest.mark.parametrize(("maximum", "offered"), [(900, False), (999, False), (1000, True)])
    def test_a_tenth_that_no_chip_fits_in_offers_no_side_bet(
        self, maximum: int, offered: bool
    ) -> None:
        table = ModuleTable(replace(RED, min=500, max=maximum))
        said = table.play(("player", 500), ("tie", 100))
        assert (ev.RoundDealt in kinds(said)) is offered

    def test_a_bet_can_be_taken_back_until_the_deck_is_pressed(self) -> None:
        table = ModuleTable()
        first = table.bet(1, WHO, "player", last=False)
        table.send(co.withdraw_id(first), co.BetWithdraw(first))
        table.bet(1, WHO, "banker", last=False)
        table.let_go(1, WHO)
        said = table.say()
        assert kinds(said)[:6] == [
            ev.RoundOpened, ev.BetPlaced, ev.BetWithdrawn, ev.BetPlaced, ev.BetPassed, ev.BetsClosed
        ]  # fmt: skip
        assert ev.RoundDealt in kinds(said)
        assert result(table) == ModuleRound(1, -1000, "strike", ("loss",))
        # Too late: the round is dealt.
        second = "1-1/alice/banker/1"
        table.send(co.withdraw_id(second), co.BetWithdraw(second))
        (refused,) = table.say()
        assert isinstance(refused, ev.CommandRefused)

    def test_taking_all_back_leaves_no_bet_and_a_strike(self) -> None:
        table = ModuleTable()
        first = table.bet(1, WHO, "player", last=False)
        table.send(co.withdraw_id(first), co.BetWithdraw(first))
        table.let_go(1, WHO)
        assert ev.RoundVoided in kinds(table.say())
        assert table.module.strikes == 1

    def test_an_unsorted_stack_that_is_taken_back_is_no_strike(self) -> None:
        table = ModuleTable()
        first = table.bet(1, WHO, "banker", 3000, last=False, chips=(500, 2500))
        table.send(co.withdraw_id(first), co.BetWithdraw(first))
        table.bet(1, WHO, "banker", 3000, last=False, n=2, chips=(2500, 500))
        table.let_go(1, WHO)
        table.say()
        assert result(table).strikes == ("loss",)


class TestItsRounds:
    """The first coup of the red deck is the player's, 9 to 3; the fourth a tie with knaves."""

    @pytest.mark.parametrize(
        ("bets", "profit", "came_to", "strikes"),
        [
            ([("player", 1000)], 1000, "solved", ()),
            ([("banker", 1000)], -1000, "strike", ("loss",)),
            # Exactly nothing, a dollar more and a dollar less.
            ([("player", 1000), ("tie", 1000)], 0, "neither", ()),
            ([("player", 1000), ("tie", 900)], 100, "solved", ()),
            ([("player", 1000), ("tie", 1100)], -100, "strike", ("loss",)),
            # The dealer sorts the stack, plays on, and records a strike.
            ([("player", 3000, (500, 2500))], 3000, "solved", ("chips",)),
            ([("banker", 3000, (500, 2500))], -3000, "strike", ("chips", "loss")),
            (
                [("player", 1000), ("tie", 1000, (100,) * 5 + (500,))],
                0,
                "neither",
                ("chips",),
            ),
            # Two stacks, one attempt to play.
            (
                [("player", 3000, (500, 2500)), ("tie", 600, (100, 500))],
                2400,
                "solved",
                ("chips",),
            ),
            # Not played at all, so nothing is sorted.
            ([("player", 3000, (500, 2500)), ("banker", 1000)], 0, "strike", ("invalid-bet",)),
        ],
    )
    def test_the_first_coup(
        self, bets: list[Bet], profit: int, came_to: str, strikes: tuple[str, ...]
    ) -> None:
        table = ModuleTable()
        table.play(*bets)
        assert result(table) == (1, profit, came_to, strikes)
        assert table.module.solved == (came_to == "solved")

    def test_a_tie_gives_both_main_bets_back_and_pays_ties_and_pairs(self) -> None:
        bets: list[list[Bet]] = [
            [("player", 1900)],
            [("banker", 1900)],
            [("banker", 1900), ("tie", 100)],
            [("banker", 1900), ("player-pair", 100)],
            [("banker", 1900), ("banker-pair", 100)],
        ]
        found = []
        for fourth in bets:
            table = ModuleTable()
            for _ in range(3):
                table.play(LOSING)
            table.play(*fourth)
            found.append(result(table).profit)
        # The player has knave, knave; the banker ten, king: of one value, and no pair.
        assert found == [0, 0, 800, 1100, -100]

    def test_nineteen_dollars_on_the_banker_win_eighteen_and_five_cents(self) -> None:
        table = ModuleTable()
        for _ in range(5):
            table.play(LOSING)
        table.play(("banker", 1900))
        assert result(table) == ModuleRound(6, 1805, "solved", ())

    def test_strikes_add_up_over_rounds_and_decks(self) -> None:
        table = ModuleTable()
        for _ in range(3):
            table.play(LOSING)
        table.play(("tie", 100))
        table.play(LOSING)
        table.play(LOSING)
        table.play(("player", 3000, (500, 2500)))
        assert table.dealer.shoe_closed
        table.open(BLUE)
        table.play(LOSING)
        results = [one.result for one in table.module.rounds]
        tied, lost = "neither", "strike"
        assert results == [lost, lost, lost, lost, tied, tied, lost, lost]
        assert table.module.strikes == 7  # the stack and the loss of round 7 are two


def test_26_cards_left_end_a_deck_and_27_do_not() -> None:
    """On every red deck of this bomb: lose each round, and look what is left when it is closed."""
    game = compile_rules(parse(named("ktane").text))
    left = set()
    for solved in range(52):
        deck = replace(RED, solved=solved)
        cards, table, at = list(bomb_deck(deck)), ModuleTable(deck), 0
        while 52 - at > 26:
            assert not table.dealer.shoe_closed
            left.add(52 - at)
            hands: dict[str, list[Card]] = {"player": [], "banker": []}
            while (hand := game.next_draw(hands["player"], hands["banker"])) is not None:
                hands[hand].append(cards[at])
                at += 1
            winner = game.result(hands["player"], hands["banker"]).winner
            table.play(("banker" if winner == "player" else "player", 1000))
        assert table.dealer.shoe_closed
        left.add(52 - at)
    assert {25, 26, 27, 28} <= left


class TestItsEnd:
    def test_the_deck_is_replaced_at_a_round_s_end_with_26_cards_or_fewer(self) -> None:
        table = ModuleTable()
        for _ in range(5):
            table.play(LOSING)
        assert not table.dealer.shoe_closed  # 27 cards are left
        table.play(("player", 1000))
        closed = table.events[-1]
        assert isinstance(closed, ev.ShoeClosed)
        assert (closed.reason, closed.by, closed.command) == ("rules", "rules", None)
        table.open(BLUE)
        opened = next(e for e in reversed(table.events) if isinstance(e, ev.ShoeOpened))
        assert (opened.origin, opened.commitment) == (BLUE, None)
        assert opened.previous_root is not None
        assert kinds(table.events[-1:]) == [ev.BettorSeated]  # he still sits

    def test_the_new_deck_is_of_another_colour(self) -> None:
        table = ModuleTable()
        for _ in range(5):
            table.play(LOSING)
        table.play(("player", 1000))
        table.open(replace(RED, solved=9))
        assert table.dealer.shoe_closed
        # Another module's deck may be of any.
        table.send("2/shoe.open/desk/1", co.ShoeOpen("ktane", replace(RED, serial="ZZ9")))
        assert ev.ShoeOpened in kinds(table.say())

    def test_a_profit_ends_play_though_nobody_says_so_yet(self) -> None:
        table = ModuleTable()
        table.play(("player", 1000))
        assert table.play(LOSING) == []
        assert not table.dealer.shoe_closed
        table.close()
        closed = table.events[-1]
        assert isinstance(closed, ev.ShoeClosed)
        assert (closed.reason, closed.by) == ("solved", WHO)
        table.open(BLUE)
        assert table.dealer.shoe_closed

    def test_one_that_is_solved_with_its_deck_s_last_round_is_closed_as_solved(self) -> None:
        table = ModuleTable()
        for _ in range(5):
            table.play(LOSING)
        table.play(("banker", 1000))
        assert not table.dealer.shoe_closed
        table.close()
        closed = table.events[-1]
        assert isinstance(closed, ev.ShoeClosed)
        assert closed.reason == "solved"

    @pytest.mark.parametrize("bets", [[LOSING], [("player", 1000), ("tie", 1000)], []])
    def test_what_is_not_solved_is_not_closed_as_solved(self, bets: list[Bet]) -> None:
        table = ModuleTable()
        table.play(*bets)
        said = table.answer(table.close())
        assert isinstance(said, ev.CommandRefused)
        assert said.reason == "reason"
        assert not table.dealer.shoe_closed
        table.close("asked", 2)
        assert table.dealer.shoe_closed

    def test_a_close_that_waits_for_its_round_is_judged_then(self) -> None:
        table = ModuleTable()
        name = table.close(after=2)
        table.play(LOSING)
        assert not any(event.command == name for event in table.events)
        table.play(("player", 1000))
        closed = table.events[-1]
        assert isinstance(closed, ev.ShoeClosed)
        assert (closed.reason, closed.command) == ("solved", name)


def eventful() -> ModuleTable:
    """Play two decks: strikes of each kind, a bet taken back, a false close, solved at the end."""
    table = ModuleTable()
    table.play(LOSING)
    first = table.bet(2, WHO, "player", last=False)
    table.send(co.withdraw_id(first), co.BetWithdraw(first))
    table.number = 1
    table.play(("banker", 3000, (500, 2500)))
    table.play(("player", 900))
    table.close()
    for _ in range(3):
        table.play(LOSING)
    table.play(("player", 1000))
    table.open(BLUE)
    table.play(LOSING, ("tie", 10_100))
    table.play(("player", 1000))
    table.close(n=2)
    return table


def test_the_auditor_finds_nothing_but_the_voided_rounds() -> None:
    table = eventful()
    assert table.dealer.shoe_closed
    previous = None
    found, solved, strikes = [], [], []
    for lines in table.logs():
        audit = ShoeAudit(previous=previous)
        audit.lines(lines)
        audited, previous = audit.result(), audit.as_previous()
        assert audited.verdict == "pass"
        found += [finding.code for finding in audited.findings]
        solved.append(audited.solved)
        strikes.append(audited.strikes)
    assert found == ["voided", "voided"]
    assert (solved, strikes) == ([False, True], [6, 1])
    # The fold that the bettor's side and the dealer go by says the same.
    assert (table.module.solved, table.module.strikes) == (True, 7)
    assert [one.strikes for one in table.module.rounds] == [
        ("loss",), ("chips", "loss"), ("invalid-bet",), ("loss",), (), (), ("loss",),
        ("invalid-bet",), (),
    ]  # fmt: skip


def test_a_dealer_goes_on_from_after_every_event_in_mid_deck_and_between_decks() -> None:
    table = eventful()
    whole = [data for _, data in table.entries]
    closed = [i for i, e in enumerate(table.events, 1) if isinstance(e, ev.ShoeClosed)]
    assert len(closed) == 2
    for events in range(len(whole) + 1):
        assert table.gone_on_from(events) == whole, f"after {events} events"


def test_commands_said_again_change_nothing() -> None:
    table = eventful()
    whole = [data for _, data in table.entries]
    for command in table.commands:
        table.dealer.command(command)
    assert table.say() == []
    assert [data for _, data in table.entries] == whole
