"""Who looks on while a table plays itself: its end, its troubles, and figures that are kept."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from schemas.address import Shoe
from schemas.errors import Conflict, Unavailable
from services.cli import autoplay_verdict, autoplay_watch
from services.cli.autoplay_verdict import verdict_of
from services.cli.autoplay_watch import Watch
from services.cli.figures import Figures
from tests.unit.cli.auto_world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.journal import Journal

pytestmark = pytest.mark.asyncio
SILENT = "it said nothing"


class Stage:
    """A table, an auditor and a screen, as much of them as is looked at."""

    def __init__(self) -> None:
        self.table = SimpleNamespace(
            dealt=1, audited=0, paused=False, pace=0.0, figures=Figures(hands=3),
            commitment="c0", done=asyncio.Event(),
        )  # fmt: skip
        self.desk = SimpleNamespace(trouble=None)
        self.auditor = SimpleNamespace(trouble=None, said=lambda: SILENT)
        self.screen = SimpleNamespace(pause=0.001, look=self._look)
        self.trims = 0
        self.own: Any = SimpleNamespace(client=SimpleNamespace(xtrim=self._trim))
        self.looks = 0
        self.then: Callable[[], None] = lambda: None
        self.kept: list[tuple[int, str]] = []

    def _look(self) -> None:
        self.looks += 1
        self.then()

    async def _trim(self, *_: object, **__: object) -> None:
        self.trims += 1

    def keep(self, figures: Figures, commitment: str) -> None:
        self.kept.append((figures.hands, commitment))

    async def watched(self) -> Exception | None:
        service: Any = SimpleNamespace(desks={"T": self.desk})
        watch = Watch(
            cast("Any", self.table), [service], cast("Any", self.auditor), self.keep, self.own
        )
        async with asyncio.timeout(10):
            return await watch.until_over(cast("Any", self.screen))


async def test_until_all_is_played_and_audited() -> None:
    stage = Stage()
    stage.then = lambda: stage.table.done.set() if stage.looks == 3 else None
    assert await stage.watched() is None
    assert stage.looks == 3
    assert stage.kept == []


async def test_until_a_table_stops() -> None:
    stage = Stage()
    stage.desk.trouble = Conflict("somebody else")
    assert await stage.watched() is stage.desk.trouble


async def test_until_the_auditor_ends() -> None:
    stage = Stage()
    stage.auditor.trouble = Unavailable("the auditor ended by itself")
    assert await stage.watched() is stage.auditor.trouble


async def test_until_the_auditor_s_table_stops() -> None:
    stage = Stage()
    stage.auditor.said = lambda: '{"event":"table stopped","what":"no space","table":"T"}'
    assert str(await stage.watched()) == "the auditor stopped: no space"


@pytest.mark.parametrize("said", ["", "[]", "{", '{"event":"shoe not handed over"}', "Warning: x"])
async def test_other_words_of_his_are_no_trouble(said: str) -> None:
    stage = Stage()
    stage.auditor.said = lambda: said
    stage.then = lambda: stage.table.done.set() if stage.looks == 3 else None
    assert await stage.watched() is None


async def test_until_nothing_has_happened_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autoplay_watch, "_PATIENCE_S", 0.01)
    stage = Stage()

    def deal() -> None:
        stage.table.dealt += stage.looks < 30

    stage.then = deal
    trouble = await stage.watched()
    assert isinstance(trouble, Unavailable)
    assert "nothing has happened for" in str(trouble)
    assert 38 <= stage.looks <= 42


@pytest.mark.parametrize("why", ["paused", "shared", "pace"])
async def test_a_pause_or_another_s_redis_is_waited_out(
    why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay_watch, "_PATIENCE_S", 0.01)
    stage = Stage()
    stage.table.paused = why == "paused"
    stage.table.pace = 3600.0 if why == "pace" else 0.0
    stage.own = None if why == "shared" else stage.own
    stage.then = lambda: stage.table.done.set() if stage.looks == 50 else None
    assert await stage.watched() is None


async def test_figures_are_kept_now_and_then_and_a_book_in_use_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(autoplay_watch, "_KEEP_S", 0)
    stage = Stage()
    keep = stage.keep

    def sometimes(figures: Figures, commitment: str) -> None:
        keep(figures, commitment)
        if figures.hands == 3:
            raise Unavailable("another program has kept it locked")

    stage.keep = sometimes  # type: ignore[method-assign]

    def deal() -> None:
        stage.table.figures.hands += stage.looks in {3, 6}
        if stage.looks == 9:
            stage.table.done.set()

    stage.then = deal
    assert await stage.watched() is None
    assert stage.kept == [(3, "c0"), (4, "c0"), (5, "c0")]
    assert stage.trims == 3


async def test_no_queue_of_anybody_else_s_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autoplay_watch, "_KEEP_S", 0)
    stage = Stage()
    stage.own = None
    stage.then = lambda: stage.table.done.set() if stage.looks == 3 else None
    assert await stage.watched() is None
    assert (stage.kept, stage.trims) == ([(3, "c0")], 0)


async def test_an_auditor_who_falls_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autoplay_verdict, "_PATIENCE_S", 0.05)
    monkeypatch.setattr(autoplay_verdict, "_LOOK_S", 0.001)
    world = World(3)
    journal = cast("Journal", world)
    with pytest.raises(Unavailable, match=r"T1/4: the auditor has said nothing for 0 s"):
        await verdict_of(journal, Shoe("T1", 4))
    world.audit(4)
    assert (await verdict_of(journal, Shoe("T1", 4))).verdict == "pass"
