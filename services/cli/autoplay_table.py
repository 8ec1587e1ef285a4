"""Opens shoe after shoe at one table until so many hands are dealt, and keeps the score of them.

It only commands, as anybody may, and follows what is said. It deals, bets and settles nothing.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from schemas.address import START, EntryId, Shoe
from schemas.cards import DECK, MOST_DECKS
from schemas.commands import ShoeClose, ShoeOpen, command_id
from schemas.envelope import decode_event, decode_outcome, encode, event_or_none, kind_of
from schemas.events import CardBurned, CardDrawn, RoundDealt, RoundVoided, ShoeClosed, ShoeOpened
from schemas.outcomes import RoundHalted, RoundResolved
from services.baccarat.card_count import START as START_COUNT
from services.baccarat.card_count import CardCount
from services.baccarat.score_card import ScoreCard
from services.cli.autoplay_verdict import faults_in, verdict_of
from services.cli.figures import Figures
from services.journal import Contiguity, Desk

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from schemas.commands import Command
    from services.journal import Entry, Journal

#: The dealer is at most so many shoes ahead of the auditor: what is not audited fills Redis, and a
#: shoe's verdict has to be seen before it is trimmed.
MOST_AHEAD: Final = 8
#: No shoe has more hands than this, for a hand takes four cards or more.
_MOST_HANDS: Final = MOST_DECKS * len(DECK) // 4
_BY: Final = "autoplay"
_DRAWN: Final = b"card.drawn"
#: Said in each round, and nothing to us.
_IDLE: Final = frozenset({b"round.opened", b"bet.placed", b"bets.closed"})
_ENDS: Final = (RoundDealt, RoundVoided)
_OUTCOMES: Final = (RoundResolved, RoundHalted)
_LOOK_S: Final = 0.02
#: A rest is cut into pieces of this length, so that another pace holds at once.
_NAP_S: Final = 0.2


class AutoTable(Desk):
    """One table that is played by itself: ``hands`` in all, then its last shoe is closed."""

    def __init__(
        self,
        journal: Journal,
        table: str,
        opens: ShoeOpen,
        *,
        hands: int,
        first: str,
        start_count: int = START_COUNT,
        pace: float = 0.0,
    ) -> None:
        """Sit down to watch the one seat there is.

        ``first`` is the first command's time, ``pace`` the seconds of rest before a next hand.
        """
        super().__init__(_BY, table, journal)
        self.hands = hands
        self.pace = pace
        #: Hands that were dealt, the number of the newest shoe, and the shoes that were audited.
        self.dealt = self.shoe = self.audited = 0
        self.figures = Figures()
        self.card = ScoreCard()
        self._count = CardCount(start_count)
        #: Cards that were drawn and are not counted yet: nobody has looked.
        self._drawn: list[bytes] = []
        self.last: RoundResolved | None = None
        #: The first shoe's commitment.
        self.commitment = ""
        #: What ended the game, in words: a shoe that halted, or that the auditor did not pass.
        self.faults: list[str] = []
        #: Whether no further shoe is opened.
        self.over = False
        #: Set when the last shoe is closed and audited.
        self.done = asyncio.Event()
        self._going = asyncio.Event()
        self._going.set()
        #: Set when nobody need rest any more: no further hand is dealt.
        self._last_hand = asyncio.Event()
        self._opens = opens
        self._bettor = opens.seats[0]
        self._start_count = start_count
        self._time = first
        self._open = False
        self._asked = 0
        #: The last round that was dealt or voided, and the last that an outcome told of.
        self._ended = self._settled = START

    @property
    def left(self) -> int:
        """How many hands are still to be dealt."""
        return self.hands - self.dealt

    @property
    def count(self) -> CardCount:
        """The count of the shoe in play, of all cards that were shown."""
        drawn, self._drawn = self._drawn, []
        for message in map(event_or_none, drawn):
            if message is not None and isinstance(message.data, CardDrawn):
                self._count.see(message.data.card)
        return self._count

    @property
    def paused(self) -> bool:
        """Whether the game is paused."""
        return not self._going.is_set()

    # ------------------------------------------------------------------------- what may be asked

    async def start(self) -> None:
        """Open the first shoe and follow."""
        await self.follow(self.streams.outcomes, START, self._outcomes, Contiguity.OUTCOMES)
        await self.follow(self.streams.events, START, self._events, Contiguity.EVENTS)
        self.soon(self._judge)
        await self._proceed()

    def pause(self) -> None:
        """Deal no hand after the one in play, until ``go_on``."""
        if not self.over:
            self._going.clear()

    async def go_on(self) -> None:
        """Deal on after a pause."""
        self._going.set()
        await self._proceed()

    async def quit(self) -> None:
        """Deal no further hand: the shoe is closed after the one in play."""
        if self.over:
            return
        self.over = True
        if self._open:  # asked for before the pause ends: whoever is paused hears of it first
            await self._command(self._close(after=None))
        self._last_hand.set()
        self._going.set()
        await self._proceed()

    async def rest(self) -> None:
        """Rest before a next hand, and as long as the game is paused."""
        end = time.monotonic()
        while not self._last_hand.is_set() and (left := end + self.pace - time.monotonic()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._last_hand.wait(), min(left, _NAP_S))
        await self._going.wait()

    def soon(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Do something beside the streams; what goes wrong in it stops the table."""

        async def guarded() -> None:
            await self.guard(work())

        self.spawn(guarded())

    # ---------------------------------------------------------------------------- shoe after shoe

    async def _proceed(self) -> None:
        """Open the next shoe where it is time for that, or see that all is done."""
        if self._open:
            return
        if self.over:
            if self.audited == self.shoe and self._settled >= self._ended:
                self.done.set()
        elif not self.paused and self.shoe - self.audited < MOST_AHEAD:
            self.shoe += 1
            self._open = True
            self._asked = 0
            asks: list[tuple[Command, str, int]] = [(self._opens, "shoe.open", 1)]
            if self.left <= _MOST_HANDS:
                asks.append(self._close(after=self.left))
            await self._command(*asks)

    def _close(self, *, after: int | None) -> tuple[Command, str, int]:
        self._asked += 1
        return ShoeClose(by=_BY, after_round=after), "shoe.close", self._asked

    async def _command(self, *asks: tuple[Command, str, int]) -> None:
        source = f"/tables/{self.table}/commands"
        datas = [
            encode(command_id(self.shoe, kind, _BY, n), source, self._time, command)
            for command, kind, n in asks
        ]
        await self.journal.send(self.streams.commands, datas)

    # ------------------------------------------------------------------------------ what is said

    async def _events(self, entries: list[Entry]) -> None:
        for entry in entries:
            kind = kind_of(entry.data)
            if kind == _DRAWN:
                self._drawn.append(entry.data)
                continue
            if kind in _IDLE:
                continue
            message = decode_event(entry.data)
            said = message.data
            if isinstance(said, CardBurned):
                if said.card is not None:
                    self._count.see(said.card)
            elif isinstance(said, _ENDS):
                self.dealt += isinstance(said, RoundDealt)
                self._ended = EntryId(entry.id.major, said.round)
            elif isinstance(said, ShoeOpened):
                self.commitment = self.commitment or said.commitment or ""
                self._count = CardCount(self._start_count)
                self._drawn.clear()
            elif isinstance(said, ShoeClosed):
                self._time = message.time
                self._closed(entry.id.major, said)
                await self._proceed()

    def _closed(self, shoe: int, said: ShoeClosed) -> None:
        self._open = False
        if said.reason == "halted":
            self._fault(f"{Shoe(self.table, shoe)} was halted")
        elif said.reason == "rules" and self._ended.major != shoe:  # as all that follow would be
            self._fault(f"no hand could be dealt from {Shoe(self.table, shoe)}")
        if self.left <= 0:
            self.over = True

    def _fault(self, what: str) -> None:
        self.faults.append(what)
        self.over = True

    async def _outcomes(self, entries: list[Entry]) -> None:
        for entry in entries:
            said = decode_outcome(entry.data).data
            self._settled = entry.id
            if not isinstance(said, _OUTCOMES):
                continue
            if said.round == 1:
                self.card = ScoreCard()
            self.figures.outcome(said, self._bettor)
            if isinstance(said, RoundResolved):
                self.last = said
                self.card.add(said.winner)
        await self._proceed()

    async def _judge(self) -> None:
        """Wait for each closed shoe's verdict; following them all would cost each hand a batch."""
        while not self.done.is_set():
            if self.audited < self.shoe - self._open:
                shoe = self.audited + 1
                said = await verdict_of(self.journal, Shoe(self.table, shoe))
                if said.verdict != "pass":
                    self.faults += faults_in(said)
                    await self.quit()
                self.audited = shoe
                await self._proceed()
            else:
                await asyncio.sleep(_LOOK_S)
