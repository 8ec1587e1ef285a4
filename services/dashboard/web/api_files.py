"""Hands out the files of a shoe as they are, and proofs made of them. Changes and judges none.

A log that is still written is given as far as it is written now.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.concurrency import iterate_in_threadpool
from starlette.responses import Response, StreamingResponse

from schemas.address import Shoe
from schemas.errors import InputError
from services.dashboard.web import respond, routes
from services.dashboard.web.respond import Refusal
from services.ledger.note import LONGEST
from services.ledger.round_proof import format_round_proof, prove_round

if TYPE_CHECKING:
    from services.dashboard.web.archive import Archive
    from services.dashboard.web.asked import Asked
    from services.dashboard.web.log_folder import Kind
    from services.dashboard.web.turns import Turns

_NAMES: Final[dict[Kind, str]] = {
    "log": "jsonl",
    "checkpoint": "checkpoint",
    "audit": "audit.json",
}
_MEDIA: Final[dict[Kind, str]] = {
    "log": routes.LINES,
    "checkpoint": routes.TEXT,
    "audit": routes.JSON,
}
_MISSING: Final[dict[Kind, tuple[str, str]]] = {
    "log": ("there is no log of {}", "an auditor writes it"),
    "checkpoint": ("the log of {} is not sealed", "an auditor with a key seals it"),
    "audit": ("the log of {} was not audited whole yet", "audit it, or wait for a worker"),
}
#: A larger file is none of a shoe's; a proof reads a log whole.
_LARGEST: Final = 1 << 26


class FilesApi:
    """A method an address, by the name that ``routes.ADDRESSES`` gives it."""

    def __init__(self, archive: Archive, turns: Turns) -> None:
        """Take the logs; ``turns`` for proofs, which take a while."""
        self._archive = archive
        self._turns = turns

    async def log(self, asked: Asked) -> Response:
        """Give a shoe's log."""
        return await self._file(asked, "log")

    async def checkpoint(self, asked: Asked) -> Response:
        """Give a log's checkpoint."""
        return await self._file(asked, "checkpoint")

    async def audit(self, asked: Asked) -> Response:
        """Give a worker's audit of a log."""
        return await self._file(asked, "audit")

    async def proof(self, asked: Asked) -> Response:
        """Prove a round by its shoe's log and checkpoint."""
        made = await self._turns.run(lambda: self._proof(asked.table, asked.shoe, asked.round))
        answer = respond.kept(made, asked.asked_if)
        name = f"{asked.table}-{asked.shoe}-{asked.round}.proof"
        answer.headers["content-disposition"] = f'attachment; filename="{name}"'
        return answer

    async def _file(self, asked: Asked, kind: Kind) -> Response:
        seen = await self._archive.seen(asked.table, asked.shoe, kind)
        if seen is None or (kind != "log" and seen.size > _LARGEST):
            raise _missing(asked.table, asked.shoe, kind)
        name = f"{asked.table}-{asked.shoe}.{_NAMES[kind]}"
        headers = {
            "cache-control": respond.KEPT,
            "etag": seen.tag,
            "content-disposition": f'attachment; filename="{name}"',
        }
        if kind != "log":  # small, and another file in a moment
            data = await asyncio.to_thread(self._archive.files.read, seen)
            if data is None:
                raise _missing(asked.table, asked.shoe, kind)
            answer = respond.kept(data, asked.asked_if, _MEDIA[kind])
            answer.headers["content-disposition"] = headers["content-disposition"]
            return answer
        if respond.matches(asked.asked_if, seen.tag):
            return Response(status_code=304, headers=headers)
        if asked.request.method == "HEAD":
            headers["content-length"] = str(seen.size)
            return Response(None, 200, headers, _MEDIA[kind])
        blocks = iterate_in_threadpool(self._archive.files.blocks(seen))
        headers["content-length"] = str(seen.size)
        answer = StreamingResponse(blocks, 200, headers)
        answer.headers["content-type"] = _MEDIA[kind]  # without a charset: bytes as they are
        return answer

    def _proof(self, table: str, shoe: int, number: int) -> bytes:
        files = self._archive.files
        log, sealed = files.seen(table, shoe, "log"), files.seen(table, shoe, "checkpoint")
        if log is None or log.size > _LARGEST:
            raise _missing(table, shoe, "log")
        if sealed is None or sealed.size > LONGEST:
            raise _missing(table, shoe, "checkpoint")
        # The checkpoint first: a log that is written on has at least the lines that it signs.
        note, data = files.read(sealed), files.read(log)
        if note is None or data is None:
            raise _missing(table, shoe, "log")
        lines = data.split(b"\n")[:-1]
        try:
            return format_round_proof(prove_round(Shoe(table, shoe), number, lines, note))
        except InputError as wrong:
            raise Refusal(404, wrong.what, wrong.mend) from None


def _missing(table: str, shoe: int, kind: Kind) -> Refusal:
    what, mend = _MISSING[kind]
    return Refusal(404, what.format(f"{table}/{shoe}"), mend)
