"""Opens shoe after shoe at one table until so many hands are dealt, and keeps the score of them.

It only commands, as anybody may, and follows what is said. It deals, bets and settles nothing.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from schemas.address import START, Shoe
from schemas.commands import ShoeClose, ShoeOpen, command_id
from schemas.envelope import decode_event, decode_outcome, decode_verdict, encode
from schemas.errors import Unavailable
from schemas.events import CardBurned, CardDrawn, RoundDealt, ShoeClosed, ShoeOpened
from schemas.outcomes import RoundHalted, RoundResolved
from schemas.verdicts import ShoeAudited
from services.baccarat.card_count import START as START_COUNT
from services.baccarat.card_count import CardCount
from services.baccarat.score_card import ScoreCard
from services.cli.figures import Figures
from services.journal import Contiguity, Desk

if TYPE_CHECKING:
    from schemas.commands import Command
    from services.journal import Entry, Journal

#: No shoe has more hands than this: it has at most 16 decks, and a hand takes four cards or more.
_MOST_HANDS: Final = 16 * 52 // 4
_BY: Final = "autoplay"
_LOOK_S: Final = 0.02
#: The auditor is a second behind at the beginning, and never that long.
_PATIENCE_S: Final = 60.0


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
    ) -> None:
        """Sit down to watch the one seat there is; ``first`` is the first command's time."""
        super().__init__(_BY, table, journal)
        self.hands = hands
        #: Hands that were dealt, and the number of the newest shoe.
        self.dealt = 0
        self.shoe = 0
        self.figures = Figures()
        self.card = ScoreCard()
        self.count = CardCount(start_count)
        self.last: RoundResolved | None = None
        #: The first shoe's commitment.
        self.commitment = ""
        #: Shoes that were audited, and those that failed.
        self.audited = 0
        self.failed: list[str] = []
        #: Set when the last shoe is closed and audited.
        self.done = asyncio.Event()
        #: Whether hands are dealt; cleared for a pause.
        self.going = asyncio.Event()
        self.going.set()
        self._opens = opens
        self._bettor = opens.seats[0]
        self._start_count = start_count
        self._time = first
        self._over = False
        self._asked = 0

    @property
    def left(self) -> int:
        """How many hands are still to be dealt."""
        return self.hands - self.dealt

    async def start(self) -> None:
        """Open the first shoe and follow."""
        await self.follow(self.streams.outcomes, START, self._outcomes, Contiguity.OUTCOMES)
        await self.follow(self.streams.events, START, self._events, Contiguity.EVENTS)
        await self._open()

    async def quit(self) -> None:
        """Deal no further hand: the shoe is closed after the one in play."""
        if not self._over:
            self._over = True
            self.going.set()
            await self._close(after=None)

    async def _open(self) -> None:
        self.shoe += 1
        self._asked = 0
        await self._command(self._opens, "shoe.open", 1)
        if self.left <= _MOST_HANDS:
            await self._close(after=self.left)

    async def _close(self, *, after: int | None) -> None:
        self._asked += 1
        await self._command(ShoeClose(by=_BY, after_round=after), "shoe.close", self._asked)

    async def _command(self, asks: Command, kind: str, n: int) -> None:
        name = command_id(self.shoe, kind, _BY, n)
        source = f"/tables/{self.table}/commands"
        await self.journal.send(self.streams.commands, [encode(name, source, self._time, asks)])

    async def _events(self, entries: list[Entry]) -> None:
        for entry in entries:
            message = decode_event(entry.data)
            said = message.data
            if isinstance(said, RoundDealt):
                self.dealt += 1
            elif isinstance(said, CardBurned | CardDrawn):
                if said.card is not None:
                    self.count.see(said.card)
            elif isinstance(said, ShoeOpened):
                self.commitment = self.commitment or said.commitment or ""
                self.count = CardCount(self._start_count)
            elif isinstance(said, ShoeClosed):
                self._time = message.time
                self.spawn(self._await_verdict(entry.id.major))
                if self.left <= 0 or self._over:
                    self._over = True
                else:
                    await self._open()

    async def _outcomes(self, entries: list[Entry]) -> None:
        for entry in entries:
            said = decode_outcome(entry.data).data
            if not isinstance(said, RoundResolved | RoundHalted):
                continue
            if said.round == 1:
                self.card = ScoreCard()
            self.figures.outcome(said, self._bettor)
            if isinstance(said, RoundResolved):
                self.last = said
                self.card.add(said.winner)

    async def _await_verdict(self, shoe: int) -> None:
        """Wait for a closed shoe's verdict; following all verdicts would cost each hand a batch."""
        end = time.monotonic() + _PATIENCE_S
        while time.monotonic() < end:
            verdict = await self.journal.last_of(self.streams.verdicts, shoe)
            said = None if verdict is None else decode_verdict(verdict.data).data
            if isinstance(said, ShoeAudited):
                self._audited(shoe, passed=said.verdict == "pass")
                return
            await asyncio.sleep(_LOOK_S)
        await self.halt(Unavailable(f"no verdict on {self.table}/{shoe} in {_PATIENCE_S:.0f} s"))

    def _audited(self, shoe: int, *, passed: bool) -> None:
        self.audited += 1
        if not passed:
            self.failed.append(str(Shoe(self.table, shoe)))
        if self._over and self.audited == self.shoe:
            self.done.set()
