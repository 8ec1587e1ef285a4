"""Searches logs for rounds, line by line: it holds one round at a time, and audits nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from schemas import events as ev
from schemas.cards import Card
from schemas.envelope import decode_line, decode_lines
from schemas.errors import InputError, Unreadable
from schemas.instant import parse as parse_time
from schemas.outcomes import HandResult, RoundHalted, RoundResolved
from services.cli.find_when import ALWAYS, Span, When

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from schemas.envelope import Message, Said

_NO_HAND: Final = HandResult((), 0)


class Wanted(NamedTuple):
    """What a round has to have; None or empty: whatever it has."""

    when: When = ALWAYS
    bettor: str | None = None
    seat: int | None = None
    bet: str | None = None
    cards: tuple[Card, ...] = ()
    code: str | None = None


class FoundBet(msgspec.Struct, frozen=True):
    """A bet that was asked for: taken, refused or taken back."""

    bettor: str
    spot: str
    stake: int | None
    answer: str
    bet: str


class FoundRound(msgspec.Struct, frozen=True):
    """A round that is as wanted. ``settled`` is null where it has no outcome (yet)."""

    at: str
    log: str
    opened: str
    settled: str | None
    dealer: str
    currency: str
    seats: dict[str, int]
    player: HandResult
    banker: HandResult
    winner: str
    bets: tuple[FoundBet, ...]
    codes: tuple[str, ...]


class _Round:
    """The round in play."""

    def __init__(self, number: int, time: str, seats: Mapping[str, int], dealer: str) -> None:
        self.number = number
        self.time = self.last = time
        self.seats = dict(seats)
        self.dealer = dealer
        self.bets: dict[str, FoundBet] = {}
        self.hands: dict[str, list[Card]] = {"player": [], "banker": [], "error": []}
        self.outcome: RoundResolved | RoundHalted | None = None

    def take(self, message: Message[Said]) -> None:
        """Take what was said while it was played."""
        said = message.data
        self.last = message.time
        if isinstance(said, ev.BetPlaced | ev.BetRefused):
            answer = "placed" if isinstance(said, ev.BetPlaced) else f"refused: {said.reason}"
            self.bets[said.bet] = FoundBet(said.bettor, said.spot, said.stake, answer, said.bet)
        elif isinstance(said, ev.BetWithdrawn) and said.bet in self.bets:
            bet = self.bets[said.bet]
            self.bets[said.bet] = msgspec.structs.replace(bet, answer="withdrawn")
        elif isinstance(said, ev.CardDrawn):
            self.hands[said.hand].append(said.card)
        elif isinstance(said, ev.BettorSeated):
            self.seats[said.bettor] = said.seat


class _Shoe:
    """One log, as far as it was read: who sits, who deals, and the round in play."""

    def __init__(self, log: str, wanted: Wanted, codes: Mapping[int, tuple[str, ...]]) -> None:
        self._log = log
        self._wanted = wanted
        self._codes = codes
        self._name = self._currency = self._dealer = ""
        self._seats: dict[str, int] = {}
        self._playing: _Round | None = None

    def take(self, message: Message[Said]) -> FoundRound | None:
        """Take the next line; give the round that it ends, if that is as wanted."""
        said, found = message.data, None
        if isinstance(said, ev.RoundOpened):
            found = self.end()  # one that was never settled
            self._playing = _Round(said.round, message.time, self._seats, self._dealer)
        elif isinstance(said, ev.Event):
            self._follow(message, said)
            if self._playing is not None:
                self._playing.take(message)
        elif isinstance(said, RoundResolved | RoundHalted) and self._playing is not None:
            self._playing.take(message)
            self._playing.outcome = said
            found = self.end()
        return found

    def end(self) -> FoundRound | None:
        """End the round in play; give it if it is as wanted."""
        one, self._playing = self._playing, None
        if one is None:
            return None
        codes = self._codes.get(one.number, ())
        if not _fits(one, self._wanted) or self._wanted.code not in {None, *codes}:
            return None
        return _made(one, f"{self._name}#{one.number}", self._log, self._currency, codes)

    def _follow(self, message: Message[Said], said: ev.Event) -> None:
        if isinstance(said, ev.ShoeOpened):
            shoe = message.id.partition("-")[0]
            self._name = f"{message.source.rpartition('/')[2]}/{shoe}"
            self._currency, self._dealer = said.currency, said.dealer
        elif isinstance(said, ev.BettorSeated):
            self._seats[said.bettor] = said.seat
        elif isinstance(said, ev.BettorLeft):
            self._seats.pop(said.bettor, None)
        elif isinstance(said, ev.DealerChanged):
            self._dealer = said.dealer


def search(
    blocks: Iterable[Sequence[bytes]],
    log: str,
    wanted: Wanted,
    codes: Mapping[int, tuple[str, ...]],
    unreadable: list[int],
) -> Iterator[FoundRound]:
    """Give the rounds of one log that are as wanted; ``codes`` are the audit's, by round.

    Lines that cannot be read are passed over, and counted in ``unreadable``: what is wrong with a
    log is for its audit to say.
    """
    shoe = _Shoe(log, wanted, codes)
    for message in _messages(blocks, unreadable):
        if (one := shoe.take(message)) is not None:
            yield one
    if (one := shoe.end()) is not None:
        yield one


def _messages(blocks: Iterable[Sequence[bytes]], unreadable: list[int]) -> Iterator[Message[Said]]:
    for lines in blocks:
        try:
            yield from decode_lines(lines)
        except Unreadable:
            yield from _one_by_one(lines, unreadable)


def _one_by_one(lines: Sequence[bytes], unreadable: list[int]) -> Iterator[Message[Said]]:
    for line in lines:
        try:
            yield decode_line(line)
        except Unreadable:
            unreadable[0] += 1


def _fits(one: _Round, wanted: Wanted) -> bool:
    drawn = [card for hand in one.hands.values() for card in hand]
    asked = one.bets.values()
    who = wanted.bettor
    if wanted.seat is not None:
        who = next((name for name, seat in one.seats.items() if seat == wanted.seat), None)
        if who is None or wanted.bettor not in {None, who}:
            return False
    if who is not None and who not in one.seats and all(bet.bettor != who for bet in asked):
        return False
    if wanted.bet is not None and not any(
        wanted.bet in {bet.bet, bet.spot} and who in {None, bet.bettor} for bet in asked
    ):
        return False
    if any(drawn.count(card) < wanted.cards.count(card) for card in wanted.cards):
        return False
    return wanted.when == ALWAYS or _was(one, wanted.when)


def _was(one: _Round, when: When) -> bool:
    try:
        first, last = parse_time(one.time), parse_time(one.last)
    except InputError:  # a time that is none: nobody knows when this round was
        return False
    return when.meets(Span(first, max(first, last)))


def _made(one: _Round, at: str, log: str, currency: str, codes: tuple[str, ...]) -> FoundRound:
    told = one.outcome
    resolved = told if isinstance(told, RoundResolved) else None
    winner = "unsettled" if told is None else "halted" if resolved is None else resolved.winner
    return FoundRound(
        at=at,
        log=log,
        opened=one.time,
        settled=None if told is None else one.last,
        dealer=one.dealer,
        currency=currency,
        seats=dict(sorted(one.seats.items(), key=lambda seat: seat[1])),
        player=_NO_HAND if resolved is None else resolved.player,
        banker=_NO_HAND if resolved is None else resolved.banker,
        winner=winner,
        bets=tuple(one.bets.values()),
        codes=codes,
    )
