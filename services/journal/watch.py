"""Watch over the followed streams: notice outages, stalls, and streams begun anew.

One task for a journal, one round trip a second for all. It may not deliver entries.
"""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import structlog
from redis.exceptions import ResponseError

from schemas.errors import Lost
from services.journal.rows import Entry, entries
from services.journal.wire import Waiting, ask, ask_all, cancelled, is_trouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schemas.address import EntryId
    from services.journal.follow import Subscription
    from services.journal.wire import Client, Value

_EVERY_MS: Final = 1_000
_STALLED: Final = 2
_AT_ONCE: Final = 32
#: So many are looked at in a second, in turn: a bound on what watching costs.
_AT_A_TIME: Final = 300
#: No stream of ours: a read that blocks on it ends at once when Redis dies.
_BELL: Final = "shoetrail:bell"

log = structlog.get_logger(__name__)


class Watcher:
    """Keeps every subscription reading at its own position, with one subscriber each."""

    def __init__(self, client: Client) -> None:
        """Watch nothing yet."""
        self._client = client
        self._watched: dict[Subscription, int] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, subscription: Subscription) -> None:
        """Watch over one more."""
        self._watched[subscription] = 0
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch(), name="journal watcher")

    async def stop(self) -> None:
        """Stop watching, then every subscription."""
        if self._task is not None:
            await cancelled([self._task])
        await asyncio.gather(*(one.stop() for one in self._watched))
        await asyncio.gather(*(one.said() for one in self._watched))
        self._watched.clear()

    async def _watch(self) -> None:
        waiting = Waiting("followed streams")
        while True:
            try:
                if waiting.going_on:  # Redis answers again: read on at our own positions at once
                    await ask(self._client, "PING")
                    await self._renew(list(self._watched))
                    waiting.over()
                await ask(self._client, "XREAD", "BLOCK", _EVERY_MS, "STREAMS", _BELL, "$")
                await self._look()
            except Exception as error:
                for one in self._watched:
                    one.checked = 0.0
                if is_trouble(error):
                    await waiting.after(error)
                else:
                    log.exception("watching failed, and goes on")
                    await asyncio.sleep(_EVERY_MS / 1000)

    async def _look(self) -> None:
        for one in [one for one in self._watched if one.ended]:
            del self._watched[one]
            await one.stop()
        turn = list(islice(self._watched, _AT_A_TIME))
        for one in turn:  # to the end of the line
            self._watched[one] = self._watched.pop(one)
        seen = [(one, _Known.of(one)) for one in turn if one.is_up]
        answers = iter(
            await ask_all(self._client, [words for _, known in seen for words in known.questions()])
        )
        renew = [one for one in turn if not one.is_up]
        for one, known in seen:
            answered = list(islice(answers, known.asked))
            try:
                same, more = known.judge(answered)
            except ResponseError as error:
                _refused(one, error)
                continue
            if not same:
                await self._judge(one)
                continue
            if known.data is not None:
                one.passed(Entry(known.position, known.data))
            stalled = more and one.position == known.position and not one.turn.locked()
            self._watched[one] = self._watched[one] + 1 if stalled else 0
            if self._watched[one] >= _STALLED:
                log.warning("reading stalled, starting again", stream=one.stream)
                renew.append(one)
        await self._renew(renew)

    async def _judge(self, one: Subscription) -> None:
        try:
            await one.check()
        except Lost as lost:
            one.lost(lost)
        except ResponseError as error:
            _refused(one, error)

    async def _renew(self, renew: list[Subscription]) -> None:
        """Replace subscribers; one that is delivering reads on by itself, or stalls later."""
        gate = asyncio.Semaphore(_AT_ONCE)

        async def up(one: Subscription) -> None:
            async with gate:
                if not one.ended and not one.turn.locked():
                    self._watched[one] = 0
                    try:
                        await one.up()
                    except ResponseError as error:
                        _refused(one, error)

        for result in await asyncio.gather(*map(up, renew), return_exceptions=True):
            if isinstance(result, BaseException):
                raise result


class _Known(NamedTuple):
    """What is known of a subscription while Redis is asked about it."""

    stream: str
    anchor: Entry | None
    position: EntryId
    data: bytes | None

    @classmethod
    def of(cls, one: Subscription) -> _Known:
        return cls(one.stream, one.anchor, one.position, one.data)

    @property
    def _anchored(self) -> bool:
        return self.anchor is not None and self.anchor.id != self.position

    @property
    def asked(self) -> int:
        """The number of questions."""
        return 2 if self._anchored else 1

    def questions(self) -> Iterator[tuple[Value, ...]]:
        """Ask for the anchor, for the entry at the position, and for the next."""
        if self.anchor is not None and self._anchored:
            at = str(self.anchor.id)
            yield ("XRANGE", self.stream, at, at)
        if self.data is None:
            yield ("XRANGE", self.stream, f"({self.position}", "+", "COUNT", 1)
        else:
            yield ("XRANGE", self.stream, str(self.position), "+", "COUNT", 2)

    def judge(self, answers: Sequence[object]) -> tuple[bool, bool]:
        """Tell whether all is as it was read, and whether there is more to read."""
        same = not self._anchored or _answered(answers[0]) == [self.anchor]
        found = _answered(answers[-1])
        if self.data is None:
            return same, bool(found)
        return same and found[:1] == [(self.position, self.data)], len(found) > 1


def _refused(one: Subscription, error: ResponseError) -> None:
    """End one whose stream Redis will not read; an answer that waiting may mend is raised."""
    if is_trouble(error):
        raise error
    one.lost(Lost(f"{one.stream}: Redis will not read it: {error}"))


def _answered(answer: object) -> list[Entry]:
    if isinstance(answer, Exception):
        raise answer
    return entries(answer)
