"""What may be thousands goes by hundreds into a message; the shoe's own address has all of it."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

from schemas import events as ev
from schemas.address import EntryId
from schemas.outcomes import RoundResolved
from schemas.verdicts import Finding, RoundAudited
from services.dashboard.board.fields import FIELDS, MORE, MOST
from services.dashboard.board.redact import public_view
from services.dashboard.board.shoe_board import Change, ShoeBoard
from services.dashboard.live.message import lobby_message, public_message, table_message
from services.dashboard.live.weave import Told
from tests.unit.dashboard.board_streams import entries_of, patched

TIME = "2026-01-01T20:00:00.000000Z"
MANY = 1_000


def told(stream: Any, seq: int, said: Any) -> Told:  # noqa: ANN401
    message = cast("Any", SimpleNamespace(time=TIME, data=said))
    return Told(stream, EntryId(1, seq), message, b"")


def take(board: ShoeBoard, one: Told) -> Change:
    return board.take(one.stream, one.id, one.message)


def data_of(message: bytes) -> dict[str, Any]:
    line = next(one for one in message.split(b"\n") if one.startswith(b"data: "))
    found: dict[str, Any] = json.loads(line[6:])
    return found


def crowded() -> ShoeBoard:
    """A shoe with a thousand at the table, and as many findings and adjustments."""
    board = ShoeBoard("CLEAN")
    view, first = board.view(), entries_of("CLEAN")[0]
    change = board.take(*first)
    view = patched(view, change, board)
    said: list[Told] = []
    for number in range(1, MANY + 1):
        name = f"b{number:04d}"
        at = f"CLEAN/1#{number % 7}"
        moved = ev.MoneyAdjusted(
            command=None, at=at, bet=None, bettor=name, amount=1, reason="x", by="pit", dispute=None
        )
        seated = ev.BettorSeated(command=None, bettor=name, seat=number, bankroll=5)
        found = Finding("payout", at, number % 7, "1", str(number), 1, "x", "fault")
        said += [
            told("events", 2 * number, seated),
            told("events", 2 * number + 1, moved),
            told("verdicts", number, RoundAudited(number, (found,), "fail")),
        ]
    for one in said:
        change = take(board, one)
        view = patched(view, change, board)
        if one.id.minor in {MOST // 2, MOST // 2 + 1, MOST, MOST + 1, 2 * MOST + 2, 2 * MANY + 1}:
            assert view == board.view()  # the counts come with what they count
    assert view == board.view()
    return board


def test_a_message_carries_the_newest_and_a_count_and_the_shoe_has_all() -> None:
    board = crowded()
    view, whole = board.view(), board.whole()
    for name, more in MORE.items():
        assert (len(getattr(view, name)), getattr(view, more)) == (MOST, MANY - MOST)
        assert (len(getattr(whole, name)), getattr(whole, more)) == (MANY, 0)
        assert getattr(whole, name)[-MOST:] == getattr(view, name)
    assert board.tile().faults == MANY
    assert len(board.found(3)) == len([one for one in whole.findings if one.round == 3]) > MOST / 2
    again = told("events", 3_000, ev.BettorSeated(command=None, bettor="b0001", seat=1, bankroll=7))
    change = take(board, again)
    assert board.view().seats[0].bankroll == 7  # who sat down last is among them
    message = table_message("c", board, again, change)
    assert len(message) < 25_000
    assert len(data_of(message)["view"]["seats"]) == MOST
    hidden = public_message("c", board, again, change)
    assert not {*MORE, *MORE.values()} & data_of(hidden)["view"].keys()
    public = public_view(board.view())
    assert [getattr(public, name) for name in (*MORE, *MORE.values())] == [(), (), (), 0, 0, 0]


def test_a_new_shoe_begins_with_none_left_out() -> None:
    board = crowded()
    view = board.view()
    said = entries_of("CLEAN")[0].message
    change = board.take("events", EntryId(2, 0), said)
    assert set(MORE.values()) <= set(change.fields)
    assert patched(view, change, board) == board.view()
    assert [FIELDS[more](board) for more in MORE.values()] == [0, 0, 0]
    assert board.whole() == board.view()


def test_what_one_entry_says_is_bounded_too() -> None:
    board = ShoeBoard("CLEAN")
    findings = tuple(
        Finding("payout", "CLEAN/1#1", 1, "1", str(n), 1, "x", "fault") for n in range(MANY)
    )
    verdict = told("verdicts", 1, RoundAudited(1, findings, "fail"))
    change = take(board, verdict)
    assert len(change.findings) == MANY
    said = data_of(table_message("c", board, verdict, change))["said"]
    assert [one["actual"] for one in said["findings"]] == [str(n) for n in range(MOST)]
    lobby = data_of(lobby_message("c", "at", "type", None, board.tile(), change.findings))
    assert lobby["findings"][-1]["actual"] == str(MANY - 1)
    assert (len(lobby["findings"]), lobby["findings_more"]) == (MOST, MANY - MOST)
    outcome = next(
        one.message
        for one in entries_of("CLEAN")
        if one.message is not None and isinstance(one.message.data, RoundResolved)
    )
    assert outcome is not None
    paid = outcome.data.settlements[0]
    resolved = RoundResolved(
        **{name: getattr(outcome.data, name) for name in outcome.data.__struct_fields__}
        | {"settlements": (paid,) * MANY}
    )
    one = told("outcomes", 1, resolved)
    said = data_of(table_message("c", board, one, take(board, one)))["said"]
    assert len(said["settlements"]) == MOST
