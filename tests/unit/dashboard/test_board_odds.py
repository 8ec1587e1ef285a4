"""The next round's odds from a board: a fresh shoe's, then those of what nobody has seen."""

from __future__ import annotations

import time
from fractions import Fraction

import msgspec
import pytest

from schemas import events as ev
from schemas.address import EntryId
from schemas.ruleset import named, parse
from services.baccarat.odds import odds
from services.dashboard.board.next_odds import next_odds, next_round, odds_of
from services.dashboard.board.reading import fold_log
from services.dashboard.board.shoe_board import ShoeBoard
from tests.unit.dashboard.board_streams import LOGS, Entry, Verdict, entries_of


def board_after(table: str, stop: type[object], times: int = 1) -> ShoeBoard:
    """The first shoe of a table, through the event of a type that came so many times."""
    board = ShoeBoard(table)
    for entry in entries_of(table):
        board.take(*entry)
        assert entry.message is not None
        times -= isinstance(entry.message.data, stop)
        if not times:
            return board
    raise AssertionError(stop)


def test_a_fresh_shoe_has_the_odds_that_the_rules_have() -> None:
    shape = next_odds(board_after("CLEAN", ev.ShoeCut))
    assert shape is not None
    assert (shape.shoe, shape.after, shape.unseen) == (1, 0, 416)
    fresh = odds(parse(named("punto-banco").text))
    for spot in shape.spots:
        assert Fraction(spot.edge) == fresh.spots[spot.spot].edge
        assert spot.share == pytest.approx(float(fresh.spots[spot.spot].edge))
    assert shape.banker == fresh.winners["banker"] / fresh.total
    assert shape.banker + shape.player + shape.tie == pytest.approx(1)


def test_burns_face_down_are_among_the_unseen() -> None:
    board = board_after("CLEAN", ev.RoundOpened)
    asked, left = next_round(board), board.view().left
    assert asked is not None
    assert left is not None
    assert left.face_down > 0
    assert sum(map(sum, asked.left.values())) == left.unseen == 415
    assert {rank: sum(suits) for rank, suits in asked.left.items()} == left.ranks
    assert asked.after == 0


def test_each_card_that_is_seen_leaves_the_rest() -> None:
    board = board_after("CLEAN", ev.CardDrawn, 3)
    asked = next_round(board)
    assert asked is not None
    assert asked.after == 1
    one = board.round(1)
    assert one is not None
    for card in one.cards:
        suits = asked.left[card.card[0]]
        assert suits["CDHS".index(card.card[1])] < 8


def test_a_late_shoe_is_counted_in_time() -> None:
    asked = next_round(board_after("CLEAN", ev.RoundDealt, 78))
    assert asked is not None
    began = time.process_time()
    shape = odds_of(asked)
    spent = time.process_time() - began
    assert shape.after == 78
    assert shape.unseen < 60
    assert spent < 1, "a quiet machine takes 0.2 s"
    # It may be asked of another process.
    assert odds_of(msgspec.msgpack.decode(msgspec.msgpack.encode(asked), type=type(asked))) == shape


def test_where_nobody_can_say_there_are_none() -> None:
    assert next_odds(ShoeBoard("T7")) is None
    assert next_odds(object()) is None
    closed = fold_log("CLEAN", 1, (LOGS / "CLEAN/1.jsonl").read_bytes())
    assert next_odds(closed) is None
    stacked = board_after("YABA4-WON", ev.RoundOpened)
    assert next_odds(stacked) is None
    unreadable = ShoeBoard("CLEAN")
    first = entries_of("CLEAN")[0]
    unreadable.take(Entry("events", first.id, None).stream, first.id, None)
    assert next_odds(unreadable) is None


def test_of_a_public_deck_odds_are_of_what_was_not_shown() -> None:
    shape = next_odds(board_after("KTANE", ev.RoundDealt))
    assert shape is not None
    assert 46 <= shape.unseen <= 48


def one_deck(*said: ev.Event) -> ShoeBoard:
    """A shoe of one deck of which this was said after it was opened."""
    first = entries_of("CLEAN")[0]
    assert first.message is not None
    board = ShoeBoard("T7")
    opened = msgspec.structs.replace(first.message.data, decks=1)
    for seq, one in enumerate((opened, *said)):
        entry = EntryId(1, seq)
        board.take("events", entry, Verdict(str(entry), "", first.message.time, one))
    return board


def test_fewer_than_six_cards_left_in_the_shoe_have_none() -> None:
    burns = [ev.CardBurned(position=n, card=None, command=None) for n in range(47)]
    assert next_odds(one_deck(*burns[:46])) is not None
    assert next_odds(one_deck(*burns)) is None


def test_a_shoe_that_shows_more_of_a_card_than_it_can_hold_has_none() -> None:
    burns = [ev.CardBurned(position=n, card="AC", command=None) for n in range(2)]
    assert next_odds(one_deck(*burns[:1])) is not None
    assert next_odds(one_deck(*burns)) is None
