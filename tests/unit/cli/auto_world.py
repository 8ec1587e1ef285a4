"""A table, its dealer and its auditor made by hand, for who plays it by itself. Checks nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from schemas.address import EntryId, Streams
from schemas.commands import ShoeClose, ShoeOpen
from schemas.envelope import decode_command, encode
from schemas.verdicts import Counts, Finding, ShoeAudited
from services.cli import autoplay_table, autoplay_verdict
from services.cli.autoplay_table import AutoTable
from services.journal import Entry
from tests.unit.bettors.stage import Stage, settled

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    import pytest

    from schemas.commands import Command
    from services.journal import Journal

    Take = Callable[[list[Entry]], Awaitable[None]]

BETTOR = "gambler"
TIME = "2026-01-01T00:00:00.000000Z"


def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autoplay_table, "_LOOK_S", 0)
    monkeypatch.setattr(autoplay_verdict, "_LOOK_S", 0)


class World:
    """A fake journal, with a dealer who has so many hands in each shoe (the last: in all others).

    ``step`` has the dealer do one thing; what he said reaches the table with ``deliver``.
    """

    def __init__(self, *sizes: int) -> None:
        self.sizes = sizes
        self.stage = Stage("T1")
        self.commands: list[tuple[str, Command]] = []
        #: Hands that were dealt in each shoe.
        self.dealt: list[int] = []
        self.open = False
        self.halts = False
        self._takes: dict[str, Take] = {}
        self._told = {"event": 0, "outcome": 0}
        self._verdicts: dict[int, bytes] = {}

    def table(self, hands: int, **terms: float) -> AutoTable:
        return AutoTable(
            cast("Journal", self),
            "T1",
            ShoeOpen("punto-banco", seats=(BETTOR,)),
            hands=hands,
            first=TIME,
            **terms,  # type: ignore[arg-type]
        )

    # ----------------------------------------------------------------------- what a journal does

    async def follow(self, stream: str, _after: EntryId, take: Take, **_: object) -> World:
        self._takes["event" if stream == Streams("T1").events else "outcome"] = take
        return self

    async def stop(self) -> None:
        pass

    async def send(self, _stream: str, datas: Sequence[bytes]) -> None:
        await asyncio.sleep(0)
        self.commands += [(said.id, said.data) for said in map(decode_command, datas)]

    async def last_of(self, _stream: str, shoe: int) -> Entry | None:
        await asyncio.sleep(0)
        data = self._verdicts.get(shoe)
        return None if data is None else Entry(EntryId(shoe, 99), data)

    # ------------------------------------------------------------------- dealer, auditor, streams

    def asked(self, kind: type[Command], shoe: int) -> list[Command]:
        return [
            asks
            for name, asks in self.commands
            if isinstance(asks, kind) and name.startswith(f"{shoe}/")
        ]

    def step(self) -> bool:
        """Open a shoe, deal a hand or close; False where there is nothing to do."""
        stage, number = self.stage, len(self.dealt)
        if not self.open:
            if not self.asked(ShoeOpen, number + 1):
                return False
            stage.open(seats=(BETTOR,))
            self.dealt.append(0)
            self.open = True
            return True
        hands = self.dealt[-1]
        closes = cast("list[ShoeClose]", self.asked(ShoeClose, number))
        if self.halts:
            stage.betting()
            stage.halt()
            self._close("halted")
        elif any(one.after_round is None or one.after_round <= hands for one in closes):
            self._close("asked")
        elif hands >= self.sizes[min(number, len(self.sizes)) - 1]:
            self._close("rules")
        else:
            stage.play("player", settled(BETTOR, "player", 500, "win"))
            self.dealt[-1] += 1
        return True

    def _close(self, reason: str) -> None:
        self.stage.close(reason)  # type: ignore[arg-type]
        self.open = False

    def audit(self, shoe: int, *codes: str) -> None:
        """Say the verdict on a shoe: it passed, or these are its faults."""
        findings = tuple(
            Finding(code, f"T1/{shoe}-7", 1, "this", "that", 0, "rule", "fault") for code in codes
        )
        said = ShoeAudited(
            findings, "fail" if codes else "pass", Counts(9, 1, 1, 0, 1, len(codes), 0), "00" * 32
        )
        self._verdicts[shoe] = encode(f"{shoe}-99", "/tables/T1/verdicts", TIME, said)

    async def deliver(self, *streams: str) -> None:
        """Hand on what was said since, on both streams or on these."""
        for stream in streams or ("event", "outcome"):
            lines = [line for line in self.stage.lines if line.stream == stream]
            new = lines[self._told[stream] :]
            self._told[stream] = len(lines)
            if new:
                await self._takes[stream](
                    [
                        Entry(
                            line.id,
                            encode(
                                line.message.id,
                                line.message.source,
                                line.message.time,
                                line.message.data,
                            ),
                        )
                        for line in new
                    ]
                )
        await settle()

    async def play(self, steps: int = 10_000, *, audits: bool = True) -> None:
        """Have all done that can be done, one thing after the other."""
        for _ in range(steps):
            went_on = self.step()
            await self.deliver()
            if audits and not self.open and self.dealt:
                self.audit(len(self.dealt))
                await settle()
            if not went_on and not self.step_waits():
                return

    def step_waits(self) -> bool:
        return not self.open and bool(self.asked(ShoeOpen, len(self.dealt) + 1))


async def settle() -> None:
    """Let all tasks do what they can."""
    for _ in range(10):
        await asyncio.sleep(0)
