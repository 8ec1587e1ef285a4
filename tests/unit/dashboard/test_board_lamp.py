"""A shoe's lamp is one rule, wherever its verdicts stand: live, in Redis, beside its log."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final, cast

import pytest

from schemas.address import EntryId
from schemas.envelope import decode_verdict, encode
from schemas.verdicts import Counts, RoundAudited, ShoeAudited
from services.dashboard.board.lamp import lamp_of
from services.dashboard.board.reading import fold_log
from services.dashboard.board.shoe_board import ShoeBoard
from services.dashboard.live.past import RedisPast
from services.dashboard.web.log_folder import LogFolder
from services.journal import Entry
from tests.unit.dashboard.board_streams import LOGS, entries_of

if TYPE_CHECKING:
    from pathlib import Path

    from schemas.verdicts import Verdict
    from services.dashboard.board.shapes import Lamp

LOG: Final = (LOGS / "CLEAN/1.jsonl").read_bytes()
TIME: Final = "2026-01-01T20:00:00.000000Z"


def whole(verdict: str) -> ShoeAudited:
    return ShoeAudited((), cast("Any", verdict), Counts(1, 1, 1, 0, 0, 0, 0), "")


def rounds(*verdicts: str) -> tuple[RoundAudited, ...]:
    return tuple(RoundAudited(n, (), cast("Any", one)) for n, one in enumerate(verdicts, 1))


#: What was said live, and the worst of it.
SAID: Final[list[tuple[tuple[Verdict, ...], Lamp]]] = [
    ((), "none"),
    (rounds("open"), "open"),
    (rounds("open", "fail", "open"), "fail"),
    ((*rounds("open", "open"), whole("pass")), "pass"),
    ((*rounds("open", "open"), whole("fail")), "fail"),
    ((*rounds("fail"), *rounds("open"), whole("pass")), "fail"),
    ((whole("pass"), whole("fail")), "fail"),
]
#: What the worker's audit says, and the worst of it; what cannot be read says nothing.
AUDITS: Final[list[tuple[bytes | None, Lamp]]] = [
    (None, "none"),
    (b'{"verdict": "pass", "findings": []}', "pass"),
    (b'{"verdict": "fail", "findings": []}', "fail"),
    (b'{"verdict": "open", "findings": []}', "open"),
    (b'{"verdict": "pass"}', "none"),
    (b'{"verdict": "well", "findings": []}', "none"),
    (b"[" * 5000, "none"),
    (b"\xff", "none"),
    (b"", "none"),
]


def lines_of(said: tuple[Verdict, ...]) -> list[bytes]:
    return [encode(f"1-{n}", "/tables/CLEAN/verdicts", TIME, one) for n, one in enumerate(said, 1)]


@pytest.mark.parametrize(
    ("said", "live", "audit", "filed"),
    [(*one, *other) for one, other in itertools.product(SAID, AUDITS)],
)
def test_beside_a_log_the_worst_that_was_said_counts(
    tmp_path: Path, said: tuple[Verdict, ...], live: Lamp, audit: bytes | None, filed: Lamp
) -> None:
    verdicts = b"\n".join([b"torn", *lines_of(said), b""])
    (tmp_path / "CLEAN").mkdir()
    (tmp_path / "CLEAN/1.verdicts.jsonl").write_bytes(verdicts)
    if audit is not None:
        (tmp_path / "CLEAN/1.audit.json").write_bytes(audit)
    board = fold_log("CLEAN", 1, LOG, audit, verdicts)
    worst = next(one for one in ("fail", "pass", "open", "none") if one in {live, filed})
    assert board.tile().lamp == LogFolder(tmp_path).lamp("CLEAN", 1) == worst
    assert LogFolder(tmp_path).lamp("CLEAN", 10) == "none"


@pytest.mark.asyncio
@pytest.mark.parametrize(("said", "lamp"), SAID)
async def test_at_a_table_and_in_redis_too(said: tuple[Verdict, ...], lamp: Lamp) -> None:
    board = ShoeBoard("CLEAN")
    for one in entries_of("CLEAN"):
        if one.stream != "verdicts":
            board.take(*one)
    entries = [Entry(EntryId(1, n), line) for n, line in enumerate(lines_of(said), 1)]
    for entry in entries:
        before = board.tile().lamp
        change = board.take("verdicts", entry.id, decode_verdict(entry.data))
        assert ("shoe" in change.fields) >= (board.tile().lamp != before)
    shoe = board.view().shoe
    assert shoe is not None
    assert board.tile().lamp == shoe.lamp == lamp

    class Journal:
        async def read(self, *_: object) -> list[Entry]:
            return entries

    assert await RedisPast(cast("Any", Journal())).lamp("CLEAN", 1) == lamp


def test_nothing_said_is_no_lamp() -> None:
    assert lamp_of(()) == "none"
