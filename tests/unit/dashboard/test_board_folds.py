"""A board's view does not depend on how its streams interleave, and changes as it says it does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas import events as ev
from schemas.address import EntryId
from schemas.cards import DECK
from schemas.envelope import dump
from schemas.outcomes import HandResult, RoundHalted, RoundResolved, Settlement
from schemas.ruleset import named
from schemas.verdicts import Finding, RoundAudited
from services.dashboard.board.shapes import TableView
from services.dashboard.board.shoe_board import ShoeBoard
from tests.unit.dashboard.board_streams import (
    TABLES,
    Entry,
    Verdict,
    entries_of,
    folded,
    fresh,
    patched,
)

#: Tables with two shoes, disputes, cards in error, stacked and public orders, marked commission.
SOME = ("DISPUTED", "KTANE", "MISDRAW-DUMMY", "DISPUTE-MISDRAW-ANNUL", "YABA4-LOST", "BUTI-1990")


@pytest.mark.parametrize("table", TABLES)
def test_each_change_names_what_it_changes(table: str) -> None:
    board = ShoeBoard(table)
    view = board.view()
    for entry in entries_of(table):
        before = view
        change = board.take(*entry)
        view = patched(before, change, board)
        assert view == fresh(board) == board.view(), entry
        assert entry.message is not None
        if isinstance(entry.message.data, ev.ShoeOpened):
            assert {"table", *change.fields} == set(TableView.__struct_fields__)
            continue
        # Of a stacked shoe nobody knows what is left, and many a card counts nothing.
        for name in set(change.fields) - {"left"}:
            assert getattr(view, name) != getattr(before, name), (name, entry)


@st.composite
def interleaved(draw: st.DrawFn) -> tuple[list[Entry], list[Entry]]:
    """A prefix of each stream of a table, as they came and in any other interleaving.

    Some of it is unreadable, is missing, or says what another entry said.
    """
    table = draw(st.sampled_from(SOME))
    said = list(entries_of(table))
    places = st.lists(st.integers(0, len(said) - 1), max_size=4, unique=True)
    for place in draw(places):
        said[place] = said[place]._replace(message=None)
    for place in draw(places):
        other = said[(place * 7) % len(said)]
        if other.stream == said[place].stream:
            said[place] = said[place]._replace(message=other.message)
    for place in sorted(draw(places), reverse=True):
        del said[place]
    ends = {name: draw(st.integers(0, 400)) for name in ("events", "outcomes", "verdicts")}
    counts: Counter[str] = Counter()
    kept = []
    for entry in said:
        counts[entry.stream] += 1
        if counts[entry.stream] <= ends.get(entry.stream, 9):
            kept.append(entry)
    left = {name: iter([one for one in kept if one.stream == name]) for name in counts}
    names = [entry.stream for entry in kept]
    draw(st.randoms(use_true_random=False)).shuffle(names)
    return kept, [next(left[name]) for name in names]


@given(interleaved())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_interleaving_gives_the_same_view(both: tuple[list[Entry], list[Entry]]) -> None:
    one, other = folded(both[0]), ShoeBoard("T")
    view = other.view()
    for entry in both[1]:
        view = patched(view, other.take(*entry), other)
    assert view == other.view()
    assert one.view() == fresh(other) == other.view()
    assert one.tile() == other.tile()
    numbers = [row.round for row in one.view().results]
    assert [one.round(n) for n in numbers] == [other.round(n) for n in numbers]


def test_an_entry_that_was_taken_changes_nothing_again() -> None:
    said = entries_of("DISPUTED")
    board = folded(said)
    view = board.view()
    for entry in said:
        assert not board.take(*entry).fields
    assert board.view() == view


NAMES = st.sampled_from(("alice", "bob", "bank"))
SMALL = st.integers(0, 9)
AMOUNT = st.integers(-(2**53) + 1, 2**53 - 1) | st.integers(-100, 1000)
TEXT = st.sampled_from(("", "player", "1-1/alice/player/1", "T/1#1", "T/1-3", "x" * 40))
RULES = tuple(map(named, ("punto-banco", "ktane", "punto-banco-dummy", "buti-1990")))
FIELD: dict[str, st.SearchStrategy[Any]] = {
    "command": st.none() | TEXT,
    "rules": st.sampled_from(RULES) | st.builds(ev.RuleText, TEXT, TEXT, TEXT),
    "decks": st.integers(0, 3),
    "origin": st.sampled_from(
        (
            ev.Seeded("x"),
            ev.Fixed(),
            ev.Ktane("AB1", 500, 1000, ("PS/2",), ("BOB",), 0, "red"),
            ev.Ktane("?", 1, 0, ("no",), (), 0, "pink"),
        )
    ),
    "commitment": st.none() | TEXT,
    "cut_card": st.none() | SMALL,
    "limits": st.just(ev.Limits({"player": ev.SpotLimits(1, 2, 0)}, None)),
    "seats": st.lists(NAMES).map(tuple),
    "window": st.none() | SMALL,
    "hand": st.sampled_from(("player", "banker", "error")),
    "card": st.sampled_from(DECK[:12]),
    "stake": AMOUNT,
    "amount": AMOUNT,
    "bankroll": AMOUNT,
    "chips": st.none() | st.lists(SMALL).map(tuple),
    "previous_root": st.none() | TEXT,
    "bettor": NAMES,
    "reveal": st.none()
    | st.builds(ev.SeedReveal, st.sampled_from(("00" * 32, "zz", "")))
    | st.builds(ev.OrderReveal, TEXT, st.sampled_from(("", "AC 2C", "?? 3H", " "))),
    "dispute": st.none() | TEXT,
    "bet": TEXT,
    **dict.fromkeys(("seat", "position", "round"), SMALL),
}


def any_event(kind: type[ev.Event]) -> st.SearchStrategy[ev.Event]:
    names = [field.name for field in msgspec.structs.fields(kind)]
    return st.builds(kind, **{name: FIELD.get(name, TEXT) for name in names})


HANDS = st.builds(HandResult, st.lists(FIELD["card"], max_size=3).map(tuple), SMALL)
PAID = st.builds(
    Settlement, TEXT, NAMES, TEXT, AMOUNT, st.just("win"), st.none() | TEXT, AMOUNT, AMOUNT, AMOUNT
)
PAIDS = st.lists(PAID, max_size=2).map(tuple)
OUTCOMES = st.builds(
    RoundResolved, SMALL, TEXT, TEXT, HANDS, HANDS,
    st.sampled_from(("banker", "player", "tie", "void")), st.booleans(), PAIDS, AMOUNT,
) | st.builds(RoundHalted, SMALL, TEXT, st.just("rules"), PAIDS, AMOUNT)  # fmt: skip
FOUND = st.builds(
    Finding, TEXT, TEXT, st.none() | SMALL, TEXT, TEXT, AMOUNT, TEXT, st.just("fault")
)
VERDICTS = st.builds(RoundAudited, SMALL, st.lists(FOUND, max_size=2).map(tuple), st.just("fail"))
TIMES = st.sampled_from(("2026-01-01T20:00:33.500000Z", "2026-01-01T20:00:34.500000Z", "soon", ""))
SAID: dict[str, st.SearchStrategy[Any]] = {
    "events": st.sampled_from(list(ev.EVENTS.values())).flatmap(any_event),
    "outcomes": OUTCOMES,
    "verdicts": VERDICTS,
}


@st.composite
def streams(draw: st.DrawFn) -> list[Entry]:
    """What no honest table says, in each stream's order, of two shoes."""
    said: list[Entry] = []
    for name, strategy in SAID.items():
        for seq, one in enumerate(draw(st.lists(st.none() | strategy, max_size=20))):
            entry = EntryId(1 if seq < 15 else 2, seq)
            message = None if one is None else Verdict(str(entry), "", draw(TIMES), one)
            said.append(Entry(name, entry, message))  # type: ignore[arg-type]
    return said


@given(streams(), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
def test_nothing_that_a_stream_holds_raises(said: list[Entry], chance: Any) -> None:  # noqa: ANN401
    board = ShoeBoard("T")
    view = board.view()
    for entry in said:
        change = board.take(*entry)
        view = patched(view, change, board)
    assert view == fresh(board) == board.view()
    assert dump(view)
    assert dump(board.tile())
    assert dump([board.round(number) for number in range(12)])
    names = [entry.stream for entry in said]
    chance.shuffle(names)
    left = {name: iter([entry for entry in said if entry.stream == name]) for name in names}
    other = ShoeBoard("T")
    patches = other.view()
    for name in names:
        patches = patched(patches, other.take(*next(left[name])), other)
    assert patches == fresh(other) == view
