"""No bettor's name, stake or payout is left in what anybody may see, nor what people wrote."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from schemas import events as ev
from schemas.address import EntryId
from schemas.disputes import DISPUTES, DisputeOpened
from schemas.envelope import dump, type_of
from schemas.events import EVENTS
from schemas.outcomes import OUTCOMES
from schemas.verdicts import VERDICTS
from services.dashboard.board.redact import (
    HIDDEN,
    PUBLIC,
    public_field,
    public_fields,
    public_round,
    public_said,
    public_tile,
    public_view,
)
from services.dashboard.board.shoe_board import ShoeBoard
from tests.unit.dashboard.board_streams import TABLES, Verdict, entries_of

#: What an id of a command of a bettor's looks like: ``12-17/alice/player/1``.
COMMAND = re.compile(rb'"[0-9]+-[0-9]+/|/bettor\.|/shoe\.|/money\.|/bet\.|/round\.|/card\.')
#: Keys under which there is money or a name.
KEYS = re.compile(
    rb'"(?:stake|won|commission|returned|net|amount|bankroll|owed|bettor|by|claim|seats|command|'
    rb'house|settlements|bet)":(?!\[\]|null|"")'
)


def public(board: ShoeBoard, entry: Any) -> bytes:  # noqa: ANN401
    """All that a public viewer gets after an entry."""
    change = board.take(*entry)
    fields = {name: public_field(name, board.field(name)) for name in public_fields(change)}
    said = public_said(type_of(entry.message.data), entry.message.data)
    text = dump([said, fields])
    if entry.stream == "events":
        return text
    one = None if board.shoe is None else board.shoe.current
    assert one is not None
    whole = [public_view(board.view()), public_tile(board.tile()), public_round(one.shape())]
    return text + dump(whole)


@pytest.mark.parametrize("table", TABLES)
def test_nobody_is_named_in_public(table: str) -> None:
    said = entries_of(table)
    people = {
        name
        for entry in said
        if entry.message is not None
        for name in (
            getattr(entry.message.data, "bettor", None),
            entry.message.data.by if isinstance(entry.message.data, DisputeOpened) else None,
        )
        if name is not None
    }
    assert people or table == "DISPUTE-MISDRAW-DUMMY"
    named = re.compile(b"|".join(rb"\b" + name.encode() + rb"\b" for name in people) or rb"(?!)")
    board = ShoeBoard(table)
    for entry in said:
        text = public(board, entry)
        # The rules' own text speaks of seats and money; it is nobody's.
        text = re.sub(rb'"text":"(?:[^"\\]|\\.)*"', b"", text)
        assert named.search(text) is None
        assert COMMAND.search(text) is None
        assert KEYS.search(text) is None


def test_words_of_people_are_left_out() -> None:
    word = "because-alice-said-so"
    board = ShoeBoard("T")
    said: list[Any] = [
        ev.RoundOpened(command=None, round=1),
        ev.CardDiscarded(command=None, position=0, card="AC", reason=word),
        ev.RoundVoided(command="1/round.void/alice/1", round=1, reason=word, by="alice"),
    ]
    for seq, one in enumerate(said, start=1):
        entry = EntryId(1, seq)
        message = Verdict(str(entry), "", "2026-01-01T20:00:33.500000Z", one)
        board.take("events", entry, message)
        text = dump([public_said(type_of(one), one), public_view(board.view())])
        assert b"alice" not in text
        assert word.encode() in dump(one) or seq == 1
    assert board.view().round.reason == word  # type: ignore[union-attr]
    voided = ev.RoundVoided(command=None, round=1, reason="misdraw", by="rules")
    assert public_said("round.voided", voided) == {"round": 1, "reason": "misdraw"}


def test_a_type_that_nobody_thought_of_is_not_shown() -> None:
    assert public_said("bet.placed", ev.BetPassed(command=None, round=1, bettor="alice")) is None
    assert public_said("unreadable", None) is None


def test_each_public_part_is_a_part_of_its_type() -> None:
    told = {**EVENTS, **OUTCOMES, **VERDICTS, **DISPUTES}
    for kind, parts in PUBLIC.items():
        assert set(parts) <= {field.name for field in msgspec.structs.fields(told[kind])}


def test_what_is_hidden_is_said_to_have_changed_by_nothing() -> None:
    board = ShoeBoard("DISPUTED")
    for entry in entries_of("DISPUTED"):
        assert not HIDDEN & set(public_fields(board.take(*entry)))
    view = public_view(board.view())
    assert (view.seats, view.findings, view.adjustments) == ((), (), ())
    assert [one.round for one in view.disputes] == ["DISPUTED/1#1", "DISPUTED/1#2"]
