"""A bomb's module as the auditor works it out again: placard, decks, solved, strikes, its end."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from schemas import events as ev
from schemas.envelope import decode_line
from schemas.events import Ktane, SpotLimits
from services.auditor import bomb
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_lines
from services.auditor.report import Previous, ShoeResult
from services.baccarat import Module
from tests.unit.auditor.table import Table

#: Coups of this deck: player 9-3, player 9-4, player 9-3, tie, tie, banker 9-8; 23 cards are left.
RED = Ktane("AB3CD7", 1000, 100_000, ("DVI-D", "Serial", "Serial"), (), 3, "red")
SEATS = (("ann", 1, 10_000_000),)
LOSES = ("ann", "banker", 1000)
WINS = ("ann", "player", 1000)
CLOSE = "12/shoe.close/ann/1"


def module(deck: Ktane = RED, **opened: Any) -> Table:  # noqa: ANN401
    cards = bomb.deck(deck) or bomb.deck(RED)
    return Table("ktane", origin=deck, order=cards, seats=SEATS, **opened).begin()


def audited(table: Table, previous: Previous | None = None) -> ShoeResult:
    lines = table.lines()
    slowly = ShoeAudit(previous=previous)
    for line in lines:
        slowly.line(line)
    result = audit_lines(lines, previous=previous)
    assert slowly.result() == result
    return result


def codes(table: Table, previous: Previous | None = None) -> list[tuple[str, str, str]]:
    return [(one.code, one.at, one.grade) for one in audited(table, previous).findings]


def stacked(table: Table, *chips: int, spot: str = "banker") -> None:
    """Play a round with one stack, bottom first."""
    table.open_round()
    table.bet("ann", spot, sum(chips), chips=chips)
    table.close_bets()
    table.deal()
    table.settle()


def voided(table: Table, *bets: tuple[str, str, int]) -> None:
    table.open_round()
    for bet in bets:
        table.bet(*bet)
    table.pass_rest()
    table.close_bets()
    table.void("invalid-bet", "rules")
    table.settle(void=True)


def test_a_round_that_a_person_voids_is_no_strike() -> None:
    """Whatever he calls it: only the rules say that bets are invalid."""
    table = module()
    table.open_round()
    table.bet(*LOSES)
    table.pass_rest()
    table.void("invalid-bet", "sue")
    table.settle(void=True)
    table.close("asked", CLOSE)
    result = audited(table)
    assert (result.strikes, {one.grade for one in result.findings}) == (0, {"notice"})
    played = Module()
    for line in table.lines():
        said = decode_line(line).data
        if isinstance(said, ev.Event):
            played.event(said)
        else:
            played.outcome(said)
    assert [one.strikes for one in played.rounds] == [()]


class TestSolved:
    def test_a_profit_solves_and_the_shoe_is_closed_as_solved(self) -> None:
        table = module()
        table.round(WINS)
        table.close("solved", CLOSE)
        result = audited(table)
        assert (result.verdict, result.findings) == ("pass", ())
        assert (result.solved, result.strikes) == (True, 0)

    @pytest.mark.parametrize("named", [True, False])
    @pytest.mark.parametrize("bets", [[LOSES], [WINS, ("ann", "tie", 1000)]])
    def test_closed_as_solved_though_nothing_was_won(
        self, bets: list[tuple[str, str, int]], *, named: bool
    ) -> None:
        table = module()
        table.round(*bets)
        table.close("solved", CLOSE if named else None)
        assert codes(table) == [("closed-early", table.at(table.entries[-1]), "fault")]
        assert not audited(table).solved

    def test_closed_as_solved_at_the_deck_s_end_though_nothing_was_won(self) -> None:
        table = module()
        for _ in range(6):
            table.round(("ann", "player", 1000)) if table.number > 2 else table.round(LOSES)
        table.close("solved", CLOSE)
        assert codes(table) == [("closed-early", table.at(table.entries[-1]), "fault")]

    def test_closed_as_solved_without_a_command(self) -> None:
        table = module()
        table.round(WINS)
        table.close("solved")
        assert codes(table) == [("malformed", table.at(table.entries[-1]), "fault")]

    def test_it_went_on_after_it_was_solved(self) -> None:
        table = module()
        table.round(WINS)
        table.round(LOSES)
        assert table.opened_at is not None
        opened = table.opened_at
        table.round(LOSES)
        table.close("solved", CLOSE)
        assert codes(table) == [("dealt-past-cut", table.at(opened), "fault")]

    def test_closed_because_somebody_asked(self) -> None:
        table = module()
        table.round(LOSES)
        table.asked()
        assert codes(table) == [("closed-early", table.at(table.entries[-1]), "notice")]

    def test_a_wrong_payment_is_said_once(self) -> None:
        """The table paid a loss as a win and goes on as if it were solved."""
        table = module()
        told = table.round(LOSES)
        told.settlement(0, result="win", odds="1/1", won=1000, commission=50, returned=1000)
        told.set(house=-950)
        table.close("solved", CLOSE)
        assert codes(table) == [("payout", table.at(told), "fault")]

    def test_in_a_log_that_lacks_lines_the_profit_may_be_among_them(self) -> None:
        table = module()
        table.round(LOSES)
        table.round(LOSES)
        table.close("solved", CLOSE)
        lines = table.lines()
        first = next(i for i, line in enumerate(lines) if b"round.opened" in line)
        second = next(i for i, line in enumerate(lines) if b"round.resolved" in line) + 1
        found = [one.code for one in audit_lines(lines[:first] + lines[second:]).findings]
        assert "sequence-gap" in found
        assert ("closed-early", "fault") not in [
            (one.code, one.grade)
            for one in audit_lines(lines[:first] + lines[second:]).findings
        ]  # fmt: skip

    def test_without_its_outcome_nobody_knows_whether_it_was(self) -> None:
        table = module()
        told = table.round(LOSES)
        table.entries.remove(told)
        table.close("solved", CLOSE)
        assert [code for code, _, _ in codes(table)] == ["outcome-missing"]

    def test_an_outcome_that_came_too_early_still_solves_it(self) -> None:
        table = module()
        told = table.round(WINS)
        dealt = table.entries[-2]
        table.entries[-2:] = [told, dealt]
        table.close("solved", CLOSE)
        assert ("closed-early", "fault") not in [
            (code, grade) for code, _, grade in codes(table)
        ]  # fmt: skip


class TestStrikes:
    def test_each_kind(self) -> None:
        table = module()
        table.round(LOSES)  # a loss
        stacked(table, 500, 2500)  # a stack out of order, and a loss
        stacked(table, 2500, 500)  # a loss
        voided(table, ("ann", "tie", 100))  # an invalid set
        voided(table)  # no bet at all
        stacked(table, 100, 500, 2500, spot="player")  # a stack out of order, and a tie
        result = audited(table.asked())
        assert result.strikes == 7
        assert not result.solved
        assert [one.code for one in result.findings] == ["voided", "voided", "closed-early"]

    @pytest.mark.parametrize(
        ("chips", "strikes"),
        [
            ((1000,), 0),
            ((500, 500), 0),
            ((2500, 500, 500, 100), 0),
            ((2500, 100, 500, 500), 1),
            ((100, 500, 500, 2500), 1),
            ((500, 500, 100, 500), 1),
        ],
    )
    def test_larger_chips_lie_below_smaller_ones(
        self, chips: tuple[int, ...], strikes: int
    ) -> None:
        table = module()
        if sum(chips) == 1000 and len(chips) == 1:
            chips = (500, 500)
        stacked(table, *chips, spot="player")
        assert audited(table).strikes == strikes

    def test_a_stack_that_was_taken_back_is_none(self) -> None:
        table = module()
        table.open_round()
        bet = table.bet("ann", "banker", 3000, chips=(500, 2500))
        table.say(ev.BetWithdrawn(1, bet.data.bet, command=f"{bet.data.bet}/withdraw"))
        table.bets.clear()
        table.bet("ann", "banker", 3000, 2, chips=(2500, 500))
        table.close_bets()
        table.deal()
        table.settle()
        assert audited(table).strikes == 1  # the loss

    def test_a_round_without_any_bet_was_dealt(self) -> None:
        table = module()
        table.open_round()
        table.pass_rest()
        table.close_bets()
        dealt = table.deal()
        table.settle()
        assert codes(table) == [("bet-combination", table.at(dealt), "fault")]

    def test_a_good_set_was_voided_as_invalid(self) -> None:
        table = module()
        voided(table, LOSES)
        assert [code for code, _, _ in codes(table)] == ["void-unexplained"]
        assert audited(table).strikes == 0


class TestThePlacard:
    SIDE = SpotLimits(100, 10_000, 100)
    MAIN = SpotLimits(1000, 100_000, 100)

    def limits(self, **changed: SpotLimits) -> ev.Limits:
        sides = dict.fromkeys(("tie", "player-pair", "banker-pair"), self.SIDE)
        return ev.Limits({"player": self.MAIN, "banker": self.MAIN, **sides, **changed}, None)

    def test_as_it_says(self) -> None:
        assert codes(module(limits=self.limits())) == []

    @pytest.mark.parametrize(
        ("spot", "limits"),
        [
            ("player", SpotLimits(900, 100_000, 100)),
            ("player", SpotLimits(1000, 100_100, 100)),
            ("banker", SpotLimits(1000, 99_900, 100)),
            ("banker", SpotLimits(1000, 100_000, 50)),
            ("tie", SpotLimits(100, 10_100, 100)),
            ("tie", SpotLimits(100, 9900, 100)),
            ("tie", SpotLimits(200, 10_000, 100)),
        ],
    )
    def test_other_limits_than_it_says(self, spot: str, limits: SpotLimits) -> None:
        table = module(limits=self.limits(**{spot: limits}))
        assert codes(table) == [("rules-mismatch", "T7/12-0", "fault")]

    def test_a_tenth_is_rounded_down_and_below_a_chip_no_side_bet_is_offered(self) -> None:
        odd = {name: SpotLimits(500, 25_700, 100) for name in ("player", "banker")}
        sides = dict.fromkeys(("tie", "player-pair", "banker-pair"), SpotLimits(100, 2500, 100))
        deck = replace(RED, min=500, max=25_700)
        assert codes(module(deck, limits=ev.Limits({**odd, **sides}, None))) == []
        small = {name: SpotLimits(500, 999, 100) for name in ("player", "banker")}
        deck = replace(RED, min=500, max=999)
        assert codes(module(deck, limits=ev.Limits(small, None))) == []
        sides = dict.fromkeys(sides, SpotLimits(100, 100, 100))
        found = codes(module(deck, limits=ev.Limits({**small, **sides}, None)))
        assert found == [("rules-mismatch", "T7/12-0", "fault")]

    def test_a_bomb_that_is_none(self) -> None:
        assert codes(module(replace(RED, serial="AB 3"))) == [
            ("rules-mismatch", "T7/12-0", "fault")
        ]


class TestTheNextDeck:
    def before(self, *, solved: bool, deck: Ktane = RED) -> Previous:
        rules = module().entries[0].data
        return Previous(11, rules.rules.sha256, rules.limits, "00" * 32, deck, solved)

    @pytest.mark.parametrize(
        ("last", "solved", "found"),
        [
            (replace(RED, colour="blue"), False, []),
            (replace(RED, colour="blue", solved=1), False, []),
            (RED, False, ["rules-mismatch"]),
            (replace(RED, solved=1), False, ["rules-mismatch"]),
            (replace(RED, colour="blue"), True, ["out-of-place"]),
            (RED, True, ["out-of-place"]),
            # Another module's.
            (replace(RED, serial="ZZ9"), True, []),
        ],
    )
    def test_it_is_of_another_colour_and_there_is_none_once_solved(
        self, last: Ktane, solved: bool, found: list[str]
    ) -> None:
        table = module(previous_root="00" * 32)
        said = codes(table, self.before(solved=solved, deck=last))
        assert said == [(code, "T7/12-0", "fault") for code in found]

    def test_what_an_audit_says_of_the_deck_before(self) -> None:
        table = module()
        table.round(WINS)
        audit = ShoeAudit()
        audit.lines(table.close("solved", CLOSE).lines())
        previous = audit.as_previous()
        assert (previous.origin, previous.solved) == (RED, True)


def test_one_deck_is_a_bomb_s() -> None:
    cards = bomb.deck(RED)
    table = Table("punto-banco-even", origin=RED, order=cards, seats=SEATS, cut_card=402)
    assert codes(table) == [("rules-mismatch", "T7/12-0", "fault")]
