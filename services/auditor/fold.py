"""One shoe's audit as a pure fold: log lines in, findings out. No I/O, clock or asyncio."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from schemas import events as ev
from schemas.envelope import Message, decode_line, decode_lines
from schemas.errors import Unreadable
from schemas.events import RuleText
from schemas.outcomes import RoundHalted, RoundResolved
from schemas.ruleset import published
from schemas.verdicts import Counts, Finding, RoundAudited, ShoeAudited, ShoeVerdict
from services.auditor import (
    cards,
    carried,
    closing,
    hands,
    naming,
    outcomes,
    people,
    rounds,
    stream,
)
from services.auditor.codes import verdict_of
from services.auditor.foreseen import take_foreseen
from services.auditor.opening import Opening, unusable
from services.auditor.report import Fate, Previous, ShoeResult
from services.auditor.state import State
from services.auditor.swift import Block, take_round
from services.ledger.disputes import DisputeBook

_FAULT: Final = "fault"
_UNOPENED: Final = frozenset(("not-revealed", "commitment-mismatch"))
#: So many lines are decoded at once: a round and more, and few enough to stay near the processor.
_LEAST: Final = 16
_MOST: Final = 128

_Handlers = dict[type, Callable[[State, Any], None]]


def _again(st: State, data: ev.ShoeOpened) -> None:
    st.find("out-of-place", "one shoe.opened", f"another, by {data.dealer}", "DESIGN.md#3")


def _after_close(st: State, data: ev.Event) -> None:
    del data
    st.once("out-of-place", "nothing after shoe.closed", "another event", "DESIGN.md#3")


def _unjudged(st: State, data: ev.Event) -> None:
    """Pass over what cannot be judged without readable rules."""


_OPEN: Final[_Handlers] = {
    ev.CardDrawn: hands.drawn,
    ev.BetPlaced: people.placed,
    ev.BetPassed: people.passed,
    ev.BetRefused: people.refused,
    ev.BetWithdrawn: people.withdrawn,
    ev.BetsClosed: rounds.bets_closed,
    ev.RoundOpened: rounds.opened,
    ev.RoundDealt: rounds.dealt,
    ev.RoundVoided: rounds.voided,
    ev.CardBurned: cards.burned,
    ev.CardDiscarded: cards.discarded,
    ev.CutCardOut: cards.cut_card_out,
    ev.ShoeOpened: _again,
    ev.ShoeCut: people.shoe_cut,
    ev.BettorSeated: people.seated,
    ev.BettorLeft: people.left,
    ev.DealerChanged: people.dealer_changed,
    ev.CommissionCollected: people.collected,
    ev.CommandRefused: people.command_refused,
    ev.MoneyAdjusted: people.adjusted,
    ev.ShoeClosed: closing.closed,
}
_CLOSED: Final[_Handlers] = dict.fromkeys(_OPEN, _after_close)
_UNREADABLE_RULES: Final[_Handlers] = {
    **dict.fromkeys(_OPEN, _unjudged),
    ev.ShoeOpened: _again,
    ev.ShoeClosed: closing.unjudged,
}


class ShoeAudit:
    """Audits one shoe. The first line must be its ``shoe.opened``, else ``InputError``."""

    __slots__ = ("_disputes", "_handlers", "_opening", "_st")

    def __init__(
        self,
        table: str | None = None,
        shoe: int | None = None,
        *,
        known: Mapping[str, RuleText] | None = None,
        previous: Previous | None = None,
        disputes: DisputeBook | None = None,
    ) -> None:
        """Expect this table's shoe (None: whichever comes), judged by the ``known`` rule sets.

        ``disputes`` are the table's, as far as they are on the record; None: they are not known.
        """
        rules = published() if known is None else known
        self._opening = Opening(table, shoe, rules, previous)
        self._disputes = disputes
        self._st: State | None = None
        self._handlers = _OPEN

    def line(self, data: bytes) -> tuple[Finding, ...]:
        """Take one line of the log, without its newline, and give what it shows."""
        before = 0 if self._st is None else len(self._st.findings)
        self._line(data)
        st = self._begun()
        st.tree.add_line(data)
        return tuple(st.findings[before:])

    def lines(self, lines: Sequence[bytes]) -> None:
        """Take many lines of the log, without their newlines: the fastest way.

        What can be foreseen is compared; what comes otherwise is decoded, more at once the more of
        it there is.
        """
        at, end, size = 0, len(lines), _LEAST // 2  # after the first round all may be foreseen
        while at < end:
            after = 0
            if self._st is not None and self._handlers is _OPEN:
                after = take_foreseen(self._st, lines, at)
            if after:
                size = _LEAST
            else:
                some = lines[at : at + max(size, _LEAST)]
                after = at + self._some(some, more=size < _MOST and at + len(some) < end)
                size = min(2 * size, _MOST)
            at = after
        if lines:
            self._begun().tree.add_lines(lines)

    def _some(self, lines: Sequence[bytes], *, more: bool) -> int:
        """Take lines, good rounds whole and all else one by one; tell how many.

        Where there are ``more``, a round whose outcome is not there yet is left for the next time.
        """
        try:
            block = Block(decode_lines(lines))
        except Unreadable:
            for data in lines:
                self._line(data)
            return len(lines)
        at, end = 0, len(lines)
        while at < end:
            after = 0
            if block.opens(at) and self._st and self._handlers is _OPEN:
                if (more or at) and block.unfinished(at):
                    break
                after = take_round(self._st, block, at)
            if not after:
                self._take(block.messages[at])
            at = after or at + 1
        return at

    def _line(self, data: bytes) -> None:
        try:
            message = decode_line(data)
        except Unreadable:
            if self._st is None:
                raise unusable() from None
            stream.unreadable(self._st, data)
        else:
            self._take(message)

    def take(self, message: Message[Any], data: bytes) -> tuple[Finding, ...]:
        """Take one line that is decoded already."""
        before = 0 if self._st is None else len(self._st.findings)
        self._take(message)
        st = self._begun()
        st.tree.add_line(data)
        return tuple(st.findings[before:])

    def _take(self, message: Message[Any]) -> None:
        st = self._st
        if st is None:
            self._begin(message)
            return
        body = message.data
        handler = self._handlers.get(type(body))
        if handler is None:
            self._outcome(st, message, body)
            return
        seq = st.next
        if message.id == st.prefix + str(seq) and message.source == st.source:
            st.seq = seq
            st.next = seq + 1
        elif not stream.displaced(st, message):
            return
        time = message.time
        if time != st.time:
            minutes, tails = stream.MINUTES, stream.TAILS
            if time[:17] in minutes and time[17:] in tails and time > st.time:
                st.time = time
            else:
                stream.clock(st, time)
        kind = type(body)
        named = body.command is not None or kind not in naming.UNASKED
        if named and kind is not ev.BetPlaced and self._handlers is _OPEN:
            naming.check(st, body)
        handler(st, body)
        if st.closed:
            self._handlers = _CLOSED

    def torn(self) -> tuple[Finding, ...]:
        """Take the end of a log whose last line is not whole."""
        st = self._begun()
        before = len(st.findings)
        st.seq = st.next
        st.find("malformed", "a whole line", "a torn one", "DESIGN.md#7")
        return tuple(st.findings[before:])

    def round_verdict(self) -> RoundAudited | None:
        """Give the verdict on the round whose outcome was the last line, else None."""
        st = self._begun()
        number = st.verdict_for
        if number is None:
            return None
        found = self.untold()
        st.told = len(st.findings)
        st.verdict_for = None
        failed = verdict_of(found, closed=False) == "fail"
        return RoundAudited(number, found, "fail" if failed else "open")

    def untold(self) -> tuple[Finding, ...]:
        """Give what was found and is in no verdict on a round."""
        st = self._begun()
        return tuple(st.findings[st.told :])

    def close(self) -> ShoeAudited:
        """Give the verdict on the whole shoe; one that is not closed does not pass."""
        result = self.result()
        passes = result.verdict == "pass"
        verdict: Literal["pass", "fail"] = "pass" if passes else "fail"
        return ShoeAudited(result.findings, verdict, result.counts, result.root)

    def result(self) -> ShoeResult:
        """Give all that was found so far; ``open`` where the shoe is not closed."""
        st = self._begun()
        return ShoeResult(
            st.table,
            st.shoe,
            self.verdict,
            tuple(st.findings),
            self.counts,
            self.root,
            st.solved,
            st.strikes,
            tuple(st.adjusted),
            self._commitment(st),
            st.end,
        )

    def _commitment(self, st: State) -> Fate:
        if isinstance(st.opened.origin, ev.Ktane):
            return "public"
        if not st.closed:
            return "open"
        unopened = any(one.code in _UNOPENED for one in st.findings)
        return "unopened" if unopened else "opened"

    def as_previous(self) -> Previous:
        """Give what the audit of this table's next shoe needs of this one."""
        st = self._begun()
        opened = st.opened
        rules = opened.rules.sha256
        seats = carried.sitting(st) if self.verdict == "pass" else None
        return Previous(st.shoe, rules, opened.limits, self.root, opened.origin, st.solved, seats)

    @property
    def commitment(self) -> str | None:
        """What the dealer committed to, as he spelled it."""
        return self._begun().opened.commitment

    @property
    def revealed(self) -> tuple[str, bytes] | None:
        """The server seed that was revealed, and the address of the event that did."""
        return self._begun().revealed

    @property
    def next_address(self) -> str:
        """Where the next event would stand."""
        st = self._begun()
        return st.event_at(st.next)

    @property
    def state(self) -> str:
        """Whether the shoe is ``awaited``, ``open`` or ``closed``."""
        if self._st is None:
            return "awaited"
        return "closed" if self._st.closed else "open"

    @property
    def verdict(self) -> ShoeVerdict:
        """What the shoe comes to so far."""
        st = self._begun()
        return verdict_of(st.findings, closed=st.closed)

    @property
    def counts(self) -> Counts:
        """What the shoe held so far."""
        st = self._begun()
        faults = sum(finding.grade == _FAULT for finding in st.findings)
        return Counts(
            st.tree.size - st.outcomes - st.odd,
            st.outcomes,
            len(st.rounds) + (st.round is not None),
            st.voided,
            st.bets,
            faults,
            len(st.findings) - faults,
        )

    @property
    def root(self) -> str:
        """The Merkle root of the lines so far (hex)."""
        st = self._begun()
        return st.tree.root().hex()

    def _begun(self) -> State:
        if self._st is None:
            raise unusable()
        return self._st

    def _begin(self, message: Message[Any]) -> None:
        self._st, readable = self._opening.begin(message)
        self._st.disputes = self._disputes
        if not readable:
            self._handlers = _UNREADABLE_RULES

    def _outcome(self, st: State, message: Message[Any], body: object) -> None:
        st.verdict_for = None
        if st.closed:
            st.once("out-of-place", "nothing after shoe.closed", "an outcome", "DESIGN.md#3")
            st.outcomes += 1
        elif isinstance(body, RoundResolved):
            if self._handlers is _OPEN:
                outcomes.resolved(st, message, body)
            else:
                outcomes.unjudged(st, body)
        elif isinstance(body, RoundHalted):
            outcomes.halted(st, message, body)
