"""What a board shows of rounds that were written by hand, and of committed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schemas import events as ev
from schemas.address import EntryId
from schemas.cards import RANKS
from schemas.envelope import decode_event, decode_outcome
from schemas.outcomes import RoundHalted
from schemas.ruleset import named, sha256_of
from services.baccarat.card_count import CardCount
from services.baccarat.roads import LETTERS, Roads
from services.dashboard.board.reading import fold_log
from services.dashboard.board.round_shapes import Reason, RoundShape
from services.dashboard.board.shapes import TableView
from services.dashboard.board.shoe_board import ShoeBoard
from services.dealer.facts import TableFacts
from tests.unit.dashboard.board_streams import LOGS, TABLES, Entry, Verdict, entries_of, folded
from tests.unit.resolver.script import Script

if TYPE_CHECKING:
    from schemas.outcomes import Outcome


def board_of(script: Script, *, settled: bool = True) -> ShoeBoard:
    """Fold a script's events, each outcome right after the event that it folds through."""
    board = ShoeBoard(script.table)
    said = [(entry, decode_event(data)) for entry, data in script.lines]
    told = [(one.id, decode_outcome(one.data)) for one in script.fold()] if settled else []
    for entry, message in said:
        board.take("events", entry, message)
        while told and _pivot(told[0][1].data) == f"{script.table}/{entry}":
            board.take("outcomes", *told.pop(0))
    return board


def _pivot(outcome: Outcome) -> str:
    return outcome.at if isinstance(outcome, RoundHalted) else outcome.through  # type: ignore[attr-defined]


def now(script: Script, *, settled: bool = True) -> RoundShape:
    one = board_of(script, settled=settled).view().round
    assert one is not None
    return one


def seated(script: Script) -> Script:
    for seat, name in enumerate(("alice", "bob"), start=1):
        script.say(ev.BettorSeated(bettor=name, seat=seat, bankroll=100_000, command=None))
    return script


def test_whose_card_is_next_and_why_from_the_first_card_on() -> None:
    """7H 2S 5C 4D: 2 against 6, the player draws 6D, and by the chart 6 draws on a 6."""
    script = seated(Script().opened()).open_round().bet("player", 1000)
    one = now(script)
    assert (one.phase, one.next, one.next_why) == ("betting", "player", Reason("first"))
    script.close_bets()
    assert now(script).phase == "closed"
    script.deal("7H")
    one = now(script)
    assert (one.phase, one.next, one.next_why) == ("dealing", "banker", Reason("first"))
    assert (one.player_total, one.banker_total) == (7, None)
    script.card("banker", "2S").card("player", "5C").card("banker", "4D")
    one = now(script)
    assert (one.next, one.next_why) == ("player", Reason("player-draws", 2, 6))
    script.card("player", "6D")
    one = now(script)
    assert (one.next, one.next_why) == ("banker", Reason("banker-draws-third", 2, 6, "6D"))
    script.card("banker", "AC")
    one = now(script)
    assert (one.next, one.next_why) == (None, Reason("complete", 2, 6, "6D"))
    assert (one.phase, one.player_total, one.banker_total) == ("dealing", 8, 7)
    script.dealt()
    assert now(script, settled=False).phase == "dealt"
    one = now(script)
    assert (one.phase, one.winner, one.house) == ("settled", "player", -1000)
    assert [(card.hand, card.card, card.total) for card in one.cards] == [
        ("player", "7H", 7),
        ("banker", "2S", 2),
        ("player", "5C", 2),
        ("banker", "4D", 6),
        ("player", "6D", 8),
        ("banker", "AC", 7),
    ]
    assert [card.reason for card in one.cards[4:]] == [
        Reason("player-draws", 2, 6),
        Reason("banker-draws-third", 2, 6, "6D"),
    ]
    assert one.cards[0].at == "T7/12-6"


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        (("9H", "2S", "KC", "4D"), Reason("natural", 9, 6)),
        (("7H", "2S", "KC", "4D"), Reason("banker-stands-stood", 7, 6)),
        (("7H", "2S", "KC", "3D", "4D"), Reason("complete", 7, 5)),
        (("2H", "2S", "KC", "5D", "8C"), Reason("banker-stands-third", 2, 7, "8C")),
    ],
)
def test_why_no_card_falls(cards: tuple[str, ...], why: Reason) -> None:
    one = now(Script().opened().hand(*cards))  # type: ignore[arg-type]
    assert (one.next, one.next_why) == (None, why)
    assert one.natural == (why.why == "natural")


def test_a_natural_and_pairs_are_marked_as_they_lie() -> None:
    script = Script().opened().open_round().close_bets().deal("4H", "2S", "4C", "2S")
    one = now(script)
    assert (one.natural, one.player_pair, one.banker_pair) == (True, True, True)
    assert one.winner is None
    row = board_of(script.dealt()).result(1)
    assert row is not None
    assert (row.natural, row.player_pair, row.banker_pair, row.cards) == (True, True, True, 4)


def test_bets_are_placed_refused_taken_back_and_settled() -> None:
    script = seated(Script().opened()).open_round()
    script.bet("player", 2000).bet("banker", 4000, "bob").bet("tie", 500)
    script.say(
        ev.BetRefused(
            round=1, bet="12-1/bob/tie/1", bettor="bob", spot="tie", stake=None, chips=None,
            reason="stake", command="12-1/bob/tie/1",
        )
    )  # fmt: skip
    script.say(ev.BetWithdrawn(round=1, bet="12-1/alice/tie/1", command="x"))
    script.close_bets().deal("2H", "3S", "2C", "4D", "KC").dealt()
    one = now(script)
    assert [(bet.bettor, bet.spot, bet.stake, bet.status, bet.refusal) for bet in one.bets] == [
        ("alice", "player", 2000, "settled", None),
        ("bob", "banker", 4000, "settled", None),
        ("alice", "tie", 500, "withdrawn", None),
        ("bob", "tie", None, "refused", "stake"),
    ]
    assert [(bet.result, bet.won, bet.commission, bet.net) for bet in one.bets] == [
        ("lose", 0, 0, -2000),
        ("win", 4000, 200, 3800),
        (None, 0, 0, None),
        (None, 0, 0, None),
    ]
    view = board_of(script).view()
    assert [(seat.bettor, seat.bankroll) for seat in view.seats] == [
        ("alice", 98_000),
        ("bob", 103_800),
    ]


def test_commission_that_is_marked_is_owed_until_it_is_collected() -> None:
    text = named("punto-banco").text.replace('"each-hand"', '"shoe-end"')
    rules = ev.RuleText("punto-banco", sha256_of(text), text)
    script = seated(Script().opened(rules)).open_round().bet("banker", 4000, "bob")
    script.close_bets().deal("2H", "3S", "2C", "4D", "KC").dealt()
    seats = board_of(script).view().seats
    assert [(seat.bankroll, seat.owed) for seat in seats] == [(100_000, 0), (103_800, 200)]
    script.say(ev.CommissionCollected(bettor="bob", amount=200, command=None))
    assert board_of(script).view().seats[1].owed == 0


def test_who_sits_down_later_is_not_paid_for_what_was_before() -> None:
    script = seated(Script().opened()).open_round().bet("player", 1000)
    script.close_bets().deal("9H", "2S", "KC", "4D").dealt()
    script.say(ev.BettorLeft(bettor="alice", command=None))
    script.say(ev.BettorSeated(bettor="alice", seat=3, bankroll=500, command=None))
    late = board_of(script, settled=False)
    for told in script.fold():
        late.take("outcomes", told.id, decode_outcome(told.data))
    expected = [("bob", 2, 100_000), ("alice", 3, 500)]
    for board in (late, board_of(script)):
        seats = board.view().seats
        assert [(seat.bettor, seat.seat, seat.bankroll) for seat in seats] == expected


def test_a_card_against_the_rules_has_no_reason_nor_those_after_it() -> None:
    script = Script().opened().open_round().close_bets().deal("9H", "2S", "KC", "4D")
    script.card("player", "2C")
    one = now(script)
    assert [card.reason.why for card in one.cards] == ["first"] * 4 + ["unknown"]
    halted = board_of(script)
    assert (one.phase, one.reason, one.next, one.winner) == ("halted", "draw-extra", None, None)
    row = halted.result(1)
    assert row is not None
    assert (row.winner, row.halted) == ("void", True)
    assert halted.view().tally.void == 1


def test_rules_that_cannot_be_read_leave_what_is_said() -> None:
    text = ev.RuleText("no-such", "00" * 32, "nothing")
    script = Script().opened(text)
    script.open_round().close_bets().deal("9H", "2S", "KC", "4D").dealt()
    view = board_of(script, settled=False).view()
    assert view.shoe is not None
    assert view.round is not None
    assert (view.shoe.rules, view.shoe.rules_title) == ("no-such", "")
    assert (view.round.next, view.round.next_why) == (None, Reason("unknown"))
    assert {(card.total, card.reason.why) for card in view.round.cards} == {(None, "unknown")}
    # The resolver halts before any round: that is shown as the round that was not opened.
    halted = ShoeBoard("T7")
    entry, data = script.lines[0]
    halted.take("events", entry, decode_event(data))
    (told,) = script.fold()
    change = halted.take("outcomes", told.id, decode_outcome(told.data))
    assert set(change.fields) == {"tally", "round", "updated"} - {"updated"}
    one = halted.view().round
    assert one is not None
    assert (one.number, one.phase, one.reason, one.cards) == (1, "halted", "rules", ())


def test_an_opening_that_cannot_be_read_leaves_an_unknown_shoe() -> None:
    script = Script().opened().hand("9H", "2S", "KC", "4D")
    board = ShoeBoard("T7")
    assert "shoe" in board.take("events", EntryId(12, 0), None).fields
    for entry, data in script.lines[1:]:
        board.take("events", entry, decode_event(data))
    view = board.view()
    assert view.shoe is not None
    assert (view.shoe.shoe, view.shoe.origin, view.shoe.rules) == (12, "unknown", "")
    assert (view.shoe.cards, view.shoe.drawn) == (None, 4)
    assert board.tile().rules is None


def test_money_moved_for_a_round_marks_it() -> None:
    script = seated(Script().opened()).hand("9H", "2S", "KC", "4D", bets=[("player", 1000)])
    for at in ("T7/12#1", "T7/11#3", "nowhere"):
        script.say(
            ev.MoneyAdjusted(
                at=at, bet=None, bettor="alice", amount=250, reason="short", by="pit",
                dispute=None, command="12/money.adjust/pit/1",
            )
        )  # fmt: skip
    view = board_of(script).view()
    assert [row.corrected for row in view.results] == [True]
    assert [(one.round, one.amount) for one in view.adjustments] == [
        ("T7/12#1", 250),
        ("T7/11#3", 250),
        ("nowhere", 250),
    ]
    assert view.seats[0].bankroll == 100_000 + 1000 + 750


def test_voided_by_people_and_by_the_rules() -> None:
    script = Script().opened().open_round().close_bets().voided("fire alarm")
    one = now(script, settled=False)
    assert (one.phase, one.reason, one.next, one.next_why) == ("voided", "fire alarm", None, None)
    board = board_of(script)
    assert board.view().tally.void == 1
    assert board.view().roads.bead == ""
    assert board.tile().last == ""


def test_a_round_that_is_opened_twice_is_one_round() -> None:
    script = seated(Script().opened()).open_round().bet("player", 1000).open_round(1)
    one = now(script, settled=False)
    assert (one.phase, len(one.bets)) == ("betting", 1)


def test_a_card_is_out_of_the_shoe_once_whatever_is_said_of_it() -> None:
    script = Script().opened()
    for card in (None, None, "9C", "9C", None):
        script.say(ev.CardBurned(position=3, card=card, command=None))
    view = board_of(script, settled=False).view()
    assert view.shoe is not None
    assert view.left is not None
    assert (view.shoe.drawn, view.left.face_down, view.left.running_count) == (1, 0, 12)


def test_two_rounds_that_were_only_halted_show_the_later() -> None:
    board = ShoeBoard("T7")
    board.take("events", EntryId(12, 0), None)
    for entry, number in enumerate((5, 2)):
        halted = RoundHalted(number, "T7/12-0", "rules", (), 0)
        message = Verdict("12-0", "", "2026-01-01T20:00:33.500000Z", halted)
        board.take("outcomes", EntryId(12, entry), message)
        one = board.view().round
        assert one is not None
        assert one.number == 5


def test_an_unreadable_event_between_rounds_is_of_neither() -> None:
    script = Script().opened().hand("9H", "2S", "KC", "4D").raw(b"?")
    entry, data = script.lines[-1]
    before = now(Script().opened().hand("9H", "2S", "KC", "4D"))
    board = ShoeBoard("T7")
    for name, line in script.lines[:-1]:
        board.take("events", name, decode_event(line))
    assert data == b"?"
    board.take("events", entry, None)
    (told, *_) = script.fold()
    board.take("outcomes", told.id, decode_outcome(told.data))
    assert board.view().round == before


# ------------------------------------------------------------------------------ committed logs


def log(table: str) -> ShoeBoard:
    return fold_log(table, 1, (LOGS / table / "1.jsonl").read_bytes())


def errors(table: str) -> dict[int, list[tuple[str, int, str]]]:
    """The rounds that had a card in error, as their cards fell after the first four."""
    board = log(table)
    return {
        row.round: [(card.hand, card.position, card.reason.why) for card in shape.cards[4:]]
        for row in board.view().results
        if (shape := board.round(row.round)) is not None
        if any(card.hand == "error" for card in shape.cards)
    }


def test_a_card_in_error_goes_on_to_a_hand() -> None:
    """The banker's where he draws by the same rules, else the first of the next round."""
    board = log("MISDRAW-HAND")
    in_error = errors("MISDRAW-HAND")
    assert in_error[2] == [("error", 10, "error"), ("banker", 10, "banker-draws-stood")]
    assert in_error[3] == [("error", 15, "error")]
    following = board.round(4)
    assert following is not None
    assert (following.cards[0].position, following.cards[0].reason.why) == (15, "first")
    shoe = board.view().shoe
    assert shoe is not None
    assert shoe.drawn == 38


def test_a_card_in_error_annuls_its_round() -> None:
    assert errors("MISDRAW-ANNUL")[2] == [("error", 10, "error")]
    rows = log("MISDRAW-ANNUL").view().results
    assert [row.round for row in rows if row.winner == "void"] == [2, 4, 8]
    # Between the card and the void nothing falls: the rules annul the coup.
    said = entries_of("MISDRAW-ANNUL")
    place = next(n for n, one in enumerate(said) if getattr(_data(one), "hand", "") == "error")
    one = folded(said[: place + 1]).view().round
    assert one is not None
    assert (one.next, one.next_why) == (None, Reason("error"))


def test_a_card_in_error_begins_a_dummy_hand() -> None:
    assert errors("MISDRAW-DUMMY")[2][0] == ("error", 10, "error")
    third = log("MISDRAW-DUMMY").round(3)
    assert third is not None
    assert third.cards[0].position == 10
    assert third.bets == ()


def _data(entry: Entry) -> object:
    return None if entry.message is None else entry.message.data


@pytest.mark.parametrize("table", TABLES)
def test_seats_are_as_the_dealer_knows_them(table: str) -> None:
    facts, board = TableFacts(table), ShoeBoard(table)
    for entry in entries_of(table):
        board.take(*entry)
        message = entry.message
        assert message is not None
        if entry.stream == "events":
            facts.read(entry.id.major, entry.id.minor, message)
        elif entry.stream == "outcomes":
            facts.outcome(entry.id.major, message.data)
        else:
            continue
        assert facts.shoe is not None
        known = {
            name: (one.seat, one.bankroll, one.owed) for name, one in facts.shoe.seated.items()
        }
        seats = {seat.bettor: (seat.seat, seat.bankroll, seat.owed) for seat in _view(board).seats}
        assert seats == known


def _view(board: ShoeBoard) -> TableView:
    return board.view()


@pytest.mark.parametrize("table", TABLES)
def test_cards_and_counts_are_those_of_the_log(table: str) -> None:
    board = log(table)
    seen: dict[int, str] = {}
    gone: set[int] = set()
    count = CardCount()
    roads = Roads()
    for entry in entries_of(table):
        said = _data(entry)
        if entry.id.major > 1 or entry.stream in {"verdicts", "disputes"}:
            continue
        if isinstance(said, ev.CardBurned | ev.CardDiscarded | ev.CardDrawn):
            gone.add(said.position)
            if said.card is not None and said.position not in seen:
                seen[said.position] = said.card
                count.see(said.card)
        winner = getattr(said, "winner", "void")
        if winner in LETTERS:
            roads.add(LETTERS[winner])
    view = board.view()
    assert view.shoe is not None
    assert view.left is not None
    assert view.shoe.drawn == len(gone)
    assert view.left.running_count == count.now
    assert view.left.face_down == len(gone) - len(seen)
    if view.shoe.origin == "seeded":
        assert view.shoe.cards == 416
        assert view.left.unseen == 416 - len(seen)
        assert view.left.ranks == {
            rank: 32 - sum(card[0] == rank for card in seen.values()) for rank in RANKS
        }
    assert view.roads.bead == "".join(roads.bead)
    assert view.roads.big == tuple((c.column, c.row, c.side, c.ties) for c in roads.big)
    assert view.roads.big_eye == tuple(
        (cell.column, cell.row, mark)
        for cell, mark in zip(roads.big_eye.cells, roads.big_eye.marks, strict=True)
    )
    assert (view.tally.banker, view.tally.tie) == (roads.bead.count("B"), roads.bead.count("T"))


@pytest.mark.parametrize("table", TABLES)
def test_only_a_disputed_draw_has_no_reason(table: str) -> None:
    board = log(table)
    shapes = [board.round(row.round) for row in board.view().results]
    unknown = [card for one in shapes if one is not None for card in one.cards
               if card.reason.why == "unknown"]  # fmt: skip
    assert len(unknown) == (table in {"DISPUTE-DRAW", "DISPUTE-FUN-CASINO-SIMPLE"})


def test_a_disputed_round_is_marked_open_and_then_resolved() -> None:
    board, seen = ShoeBoard("DISPUTED"), []
    for entry in entries_of("DISPUTED"):
        change = board.take(*entry)
        if entry.stream == "disputes":
            marks = [row.disputed for row in board.view().results[:2]]
            seen.append((marks, [row.round for row in change.results], board.tile().disputed))
    # All are of shoe 1; the second is resolved before the first, which moves money in shoe 2.
    assert seen[0] == (["open", None], [1], 1)
    assert seen[1] == (["open", "open"], [2], 2)
    assert seen[2][2:] == (1,)
    assert seen[3][2:] == (0,)
    view = board.view()
    assert view.shoe is not None
    assert view.shoe.shoe == 2
    assert [one.dispute for one in view.disputes] == ["DISPUTED:1", "DISPUTED:2"]
    assert [(one.round, one.dispute) for one in view.adjustments] == [
        ("DISPUTED/1#1", "DISPUTED:1")
    ]


def test_what_was_found_in_a_round_is_not_found_again_with_its_shoe() -> None:
    board = ShoeBoard("DISPUTE-COMMISSION")
    said = []
    for entry in entries_of("DISPUTE-COMMISSION"):
        change = board.take(*entry)
        said += list(change.findings)
        judged = any(row.verdict for row in board.view().results)
        assert board.tile().lamp == ("fail" if said else "open" if judged else "none")
    assert tuple(said) == board.view().findings
    assert len(said) == len(set(said)) > 0
    assert {row.verdict for row in board.view().results} == {"open", "fail"}


def test_a_verdict_that_comes_after_the_next_shoe_says_only_what_it_found() -> None:
    said = [entry for entry in entries_of("KTANE") if entry.stream != "verdicts"]
    late = [entry for entry in entries_of("KTANE") if entry.stream == "verdicts"]
    board = folded(said)
    before = board.view().shoe
    assert before is not None
    assert not any(board.take(*entry).fields for entry in late if entry.id.major == 1)
    for entry in late:
        board.take(*entry)
    shoe = board.view().shoe
    assert shoe is not None
    assert (shoe.shoe, shoe.lamp, before.lamp) == (2, "pass", "none")


def test_a_tile_has_the_last_results_and_the_last_columns() -> None:
    board = log("CLEAN")
    tile, view = board.tile(), board.view()
    assert (tile.table, tile.shoe, tile.status, tile.phase) == ("CLEAN", 1, "closed", "settled")
    assert tile.last == view.roads.bead[-12:]
    assert (tile.banker + tile.player + tile.tie, tile.rounds) == (len(view.roads.bead), 81)
    last = max(cell[0] for cell in view.roads.big)
    assert {cell[0] for cell in tile.big} == set(range(20))
    assert len(tile.big) == sum(cell[0] > last - 20 for cell in view.roads.big)
    assert tile.big[-1][1:] == view.roads.big[-1][1:]
    empty = ShoeBoard("T7").tile()
    assert (empty.shoe, empty.status, empty.phase, empty.big) == (None, "none", None, ())
