"""The evidence for a disputed round, as one document. It judges nothing itself.

What dealer and resolver said is in it in their own words, and what the auditor says of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec

from schemas import events as ev
from schemas.address import EventAddress, RoundAddress, Shoe
from schemas.cards import Card
from schemas.disputes import Adjustment, Clip
from schemas.envelope import decode_line
from schemas.errors import InputError
from schemas.outcomes import HandResult, RoundResolved, Settlement
from schemas.verdicts import Finding
from services.cli.dispute_proof import Proof, proof_of
from services.cli.dispute_worth import Worth, worth
from services.cli.log_view import view_of
from services.cli.readings import as_dealt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from schemas.envelope import Message, Said
    from services.cli.log_view import LogView
    from services.ledger.disputes import Dispute
    from services.ledger.note import Verifier

_FIRST: Final = 4
_TWO: Final = 2
Answer = Literal["placed", "refused", "withdrawn", "passed"]


class Resolution(msgspec.Struct, frozen=True):
    """How a dispute was resolved; ``adjusted_at`` is the event that moved the money, if any did."""

    time: str
    by: str
    finding: str
    adjustment: Adjustment | None
    adjusted_at: str | None
    clips: tuple[Clip, ...]


class DisputeShown(msgspec.Struct, frozen=True):
    """A dispute as commands print it; ``seconds`` is its age, or how long it was open."""

    id: str
    at: str
    status: Literal["open", "resolved"]
    seconds: int
    opened: str
    by: str
    claim: str
    bettor: str | None
    bet: str | None
    spot: str | None
    stake: int | None
    clips: tuple[Clip, ...]
    resolution: Resolution | None


class CardLine(msgspec.Struct, frozen=True):
    """A card as it was drawn: where, when, and why by the rules."""

    at: str
    time: str
    hand: str
    card: Card
    position: int
    reason: str


class BetLine(msgspec.Struct, frozen=True):
    """What a bettor asked for and got: a bet taken, refused, taken back, or a pass."""

    at: str
    time: str
    answer: Answer
    bettor: str
    bet: str | None
    spot: str | None
    stake: int | None
    reason: str | None


class RoundFacts(msgspec.Struct, frozen=True):
    """Where and when the round was played, by whom and by which rules; ``seats`` by number."""

    rules: str
    rules_sha256: str
    currency: str
    dealer: str
    software: str
    shoe_closed: bool
    seats: dict[str, int]
    opened: str
    closed: str | None
    settled: str | None


class VerdictShown(msgspec.Struct, frozen=True):
    """What the auditor says: of the shoe, of this round, and how many faults elsewhere."""

    shoe: str
    round: Literal["pass", "open", "fail"]
    findings: tuple[Finding, ...]
    elsewhere: int


class Evidence(msgspec.Struct, frozen=True):
    """All that the record has of a disputed round, on one page.

    ``ended`` says by the rules why no further card was drawn, or that one was due.
    """

    dispute: DisputeShown
    facts: RoundFacts
    cards: tuple[CardLine, ...]
    ended: str
    player: HandResult
    banker: HandResult
    winner: str
    bets: tuple[BetLine, ...]
    settlements: tuple[Settlement, ...]
    verdict: VerdictShown | None
    worth: Worth | None
    proof: Proof | None


class RoundLog:
    """A shoe's lines, and those of one round with their numbers. Refuses where there is no such."""

    def __init__(self, lines: Sequence[bytes], at: RoundAddress, where: str) -> None:
        """Look at the whole shoe, and keep what was said of this round."""
        self.at = at
        self.lines = lines
        self.where = where
        self.view: LogView = view_of(lines, where)
        if (self.view.table, self.view.shoe) != (at.table, at.shoe):
            what = f"this is the log of {Shoe(self.view.table, self.view.shoe)}"
            raise InputError(what, where, f"put that of {Shoe(at.table, at.shoe)} there")
        if at.round not in self.view.rounds:
            rounds = len(self.view.rounds)
            mend = f"it holds rounds 1 to {rounds}" if rounds else "it holds no round"
            raise InputError(f"there is no round {at}", where, mend)
        self.round = self.view.rounds[at.round]
        self.dealer = self.view.opened.dealer
        self.seats: dict[str, int] = {}
        #: The round's messages, by the line that each stands in (from 0).
        self.said: dict[int, Message[Said]] = {}
        self._collect()

    def _collect(self) -> None:
        inside = over = False
        for number, line in enumerate(self.lines):
            message = decode_line(line)
            said = message.data
            of_it = getattr(said, "round", None) == self.at.round
            inside = inside or (of_it and isinstance(said, ev.RoundOpened))
            if of_it or (inside and not over):
                self.said[number] = message
            over = over or (of_it and not isinstance(said, ev.Event))
            if not inside:
                self._seat(said)

    def _seat(self, said: Said) -> None:
        if isinstance(said, ev.BettorSeated):
            self.seats[said.bettor] = said.seat
        elif isinstance(said, ev.BettorLeft):
            self.seats.pop(said.bettor, None)
        elif isinstance(said, ev.DealerChanged):
            self.dealer = said.dealer

    def bets(self) -> list[ev.BetPlaced | ev.BetRefused]:
        """Give the bets that were asked for, taken or not."""
        said = [message.data for message in self.said.values()]
        return [one for one in said if isinstance(one, ev.BetPlaced | ev.BetRefused)]

    def time_of(self, *kinds: type) -> str | None:
        """Say when one of these was said of the round; None where it was not."""
        return next((m.time for m in self.said.values() if isinstance(m.data, kinds)), None)


def shown(dispute: Dispute, seconds: int, adjusted_at: str | None = None) -> DisputeShown:
    """Give a dispute as it stands."""
    said, done = dispute.opened, dispute.resolved
    resolution = None
    if done is not None:
        money, time = done.adjustment, dispute.resolved_time or ""
        resolution = Resolution(time, done.by, done.finding, money, adjusted_at, done.clips)
    return DisputeShown(
        id=dispute.address,
        at=str(dispute.at),
        status="open" if dispute.is_open else "resolved",
        seconds=seconds,
        opened=dispute.time,
        by=said.by,
        claim=said.claim,
        bettor=said.bettor,
        bet=said.bet,
        spot=said.spot,
        stake=said.stake,
        clips=said.clips,
        resolution=resolution,
    )


def evidence(
    dispute: DisputeShown,
    said: Dispute,
    log: RoundLog,
    verdict: VerdictShown | None,
    file: Path | None,
    keys: Sequence[Verifier],
) -> Evidence:
    """Put all that there is on one page; ``file`` is the log, where it is one."""
    dealt = as_dealt(log.view, log.round)
    reasons = {(card.hand, card.position): card.reason for card in dealt.cards}
    told = [(f"{log.at.table}/{one.id}", one.time, one.data) for one in log.said.values()]
    cards = tuple(
        CardLine(at, time, one.hand, one.card, one.position, _reason(reasons, one))
        for at, time, one in told
        if isinstance(one, ev.CardDrawn)
    )
    return Evidence(
        dispute=dispute,
        facts=_facts(log),
        cards=cards,
        ended=_ended(log),
        player=dealt.player,
        banker=dealt.banker,
        winner=dealt.winner,
        bets=tuple(line for at, time, one in told for line in _bet(log, at, time, one)),
        settlements=dealt.settlements,
        verdict=verdict,
        worth=worth(log.view, log.round, said.opened, log.bets()),
        proof=None if file is None else proof_of(file, log.lines, list(log.said), keys),
    )


def _reason(reasons: Mapping[tuple[str, int], str], one: ev.CardDrawn) -> str:
    return reasons.get((one.hand, one.position), f"said to be of round {one.round}")


def _ended(log: RoundLog) -> str:
    one, game = log.round, log.view.game
    player, banker = (
        [card.card for card in one.cards if card.hand == side] for side in ("player", "banker")
    )
    if one.voided is not None:
        return f"voided: {one.voided}"
    if len(player) + len(banker) >= _FIRST and min(len(player), len(banker)) < _TWO:
        return "the first cards went to the wrong hands"
    why = game.why(player, banker)
    return why if game.next_draw(player, banker) is None else f"a card was due: {why}"


def _facts(log: RoundLog) -> RoundFacts:
    opened = log.view.opened
    return RoundFacts(
        rules=opened.rules.name,
        rules_sha256=opened.rules.sha256,
        currency=opened.currency,
        dealer=log.dealer,
        software=opened.software,
        shoe_closed=log.view.closed is not None,
        seats=dict(sorted(log.seats.items(), key=lambda seat: seat[1])),
        opened=log.time_of(ev.RoundOpened) or "",
        closed=log.time_of(ev.BetsClosed),
        settled=log.time_of(RoundResolved),
    )


def _bet(log: RoundLog, at: str, time: str, said: Said) -> list[BetLine]:
    match said:
        case ev.BetPlaced():
            terms = said.bettor, said.bet, said.spot, said.stake
            return [BetLine(at, time, "placed", *terms, None)]
        case ev.BetRefused():
            asked = said.bettor, said.bet, said.spot, said.stake
            return [BetLine(at, time, "refused", *asked, said.reason)]
        case ev.BetPassed():
            return [BetLine(at, time, "passed", said.bettor, None, None, None, None)]
        case ev.BetWithdrawn():
            bet = next((one for one in log.bets() if one.bet == said.bet), None)
            who, spot, stake = (
                ("", None, None) if bet is None else (bet.bettor, bet.spot, bet.stake)
            )
            return [BetLine(at, time, "withdrawn", who, said.bet, spot, stake, None)]
        case _:
            return []


def verdict_of(findings: Sequence[Finding], shoe: str, log: RoundLog) -> VerdictShown:
    """Part what was found of this round from what was found elsewhere."""
    first = last = -1
    for message in log.said.values():
        if isinstance(message.data, ev.Event):
            seq = EventAddress.parse(f"{log.at.table}/{message.id}").seq
            first, last = (seq if first < 0 else first), seq
    here = tuple(
        one
        for one in findings
        if one.round == log.at.round
        or one.at == str(log.at)
        or _within(one.at, log.at, first, last)
    )
    faults = sum(one.grade == "fault" for one in findings)
    own = sum(one.grade == "fault" for one in here)
    state: Literal["pass", "open", "fail"] = "open" if log.view.closed is None else "pass"
    return VerdictShown(shoe, "fail" if own else state, here, faults - own)


def _within(at: str, of: RoundAddress, first: int, last: int) -> bool:
    try:
        event = EventAddress.parse(at)
    except InputError:
        return False
    return (event.table, event.shoe) == (of.table, of.shoe) and first <= event.seq <= last
