"""Answers the API's addresses, but for the streams: from the live tables, and from old logs.

It only reads. What others may not see is taken out by ``redact`` for ``/public``.
"""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import LARGEST
from schemas.ruleset import named, parse, published
from services.auditor.codes import CODES
from services.baccarat.game import compile_rules
from services.dashboard.board import answers, redact
from services.dashboard.board.answers import ShoeRow
from services.dashboard.board.other_rules import under
from services.dashboard.web import respond
from services.dashboard.web.findings_page import findings_page
from services.dashboard.web.respond import Refusal
from services.dashboard.web.routes import UNLESS_TOLD

if TYPE_CHECKING:
    from starlette.responses import Response

    from services.dashboard.web.archive import Archive
    from services.dashboard.web.asked import Asked
    from services.dashboard.web.odds_desk import OddsDesk
    from services.dashboard.web.ports import Board, Live, Past
    from services.dashboard.web.turns import Turns


#: So many shoes that are in Redis alone are shown at most: each is asked for its verdict.
_MOST_KEPT: Final = 500

#: Hundreds of tables are spelled for all who ask within so long.
_FRESH_S: Final = 0.1


class Found(NamedTuple):
    """A shoe's fold; ``body`` is how it is shown whole, where it is an old one."""

    board: Board
    body: bytes | None


class Api:
    """A method an address, by the name that ``routes.ADDRESSES`` gives it."""

    def __init__(
        self, live: Live, past: Past | None, archive: Archive, odds: OddsDesk, turns: Turns
    ) -> None:
        """Take whatever answers are made from; ``turns`` for work that takes a while.

        ``past`` None: no shoe is kept but those on the tables and those with logs.
        """
        self._live = live
        self._past = past
        self._archive = archive
        self._odds = odds
        self._turns = turns
        #: When all tables were spelled last, and how; by whether in public.
        self._tables: dict[bool, tuple[float, bytes]] = {}

    async def tables(self, asked: Asked) -> Response:
        """Give all tables in small."""
        now = time.monotonic()
        since, body = self._tables.get(asked.public, (0.0, b""))
        if now - since > _FRESH_S:
            boards = map(self._live.board, self._live.tables())
            tiles = tuple(board.tile() for board in boards if board is not None)
            if asked.public:
                tiles = tuple(map(redact.public_tile, tiles))
            body = respond.spelled(answers.TablesAnswer(tiles, self._live.lobby_cursor()))
            self._tables[asked.public] = (now, body)
        return respond.live_bytes(body)

    async def logs(self, asked: Asked) -> Response:
        """Name the tables that only logs know of."""
        after = asked.query.get("after", "")
        live = frozenset(self._live.tables())
        limit = asked.number("limit", UNLESS_TOLD)
        return respond.live(await self._archive.tables(limit, after, live))

    async def table(self, asked: Asked) -> Response:
        """Give the shoe on a table."""
        board = await self._board(asked)
        view = redact.public_view(board.view()) if asked.public else board.view()
        return respond.live(answers.TableAnswer(view, self._live.cursor(asked.table)))

    async def shoes(self, asked: Asked) -> Response:
        """Give a table's shoes: the one that is on it, those in the logs, those still in Redis."""
        logs = await self._archive.shoes(asked.table)
        board = self._live.board(asked.table)
        if board is None and not logs:
            raise respond.no_table(asked.table)
        tile = None if board is None else board.tile()
        on_table = 0 if tile is None or tile.shoe is None else tile.shoe
        kept: range = range(0)
        if self._past is not None and on_table and (first := await self._past.first(asked.table)):
            kept = range(max(first, on_table - _MOST_KEPT), on_table)
        limit, before = asked.number("limit", UNLESS_TOLD), asked.number("before", LARGEST + 1)
        numbers = sorted({*logs, *kept, on_table} - {0}, reverse=True)
        found = [number for number in numbers if number < before]
        shown = found[:limit]
        rows = await self._archive.rows(asked.table, [one for one in shown if one in set(logs)])
        by_shoe = {row.shoe: row for row in rows}
        for shoe in shown:
            if tile is not None and shoe == on_table:
                by_shoe[shoe] = ShoeRow(shoe, live=True, log=shoe in by_shoe, lamp=tile.lamp)
            elif shoe not in by_shoe and self._past is not None:
                lamp = await self._past.lamp(asked.table, shoe)
                by_shoe[shoe] = ShoeRow(shoe, live=False, log=False, lamp=lamp)
        more = shown[-1] if len(found) > limit else None
        return respond.live(answers.ShoesAnswer(tuple(by_shoe[shoe] for shoe in shown), more))

    async def shoe(self, asked: Asked) -> Response:
        """Give a shoe, whole."""
        found = await self._found(asked)
        if found.body is not None and not asked.public:
            return respond.kept(found.body, asked.asked_if)
        view = redact.public_view(found.board.view()) if asked.public else found.board.whole()
        return self._shown(asked, found, answers.ShoeAnswer(view))

    async def round(self, asked: Asked) -> Response:
        """Give a round, and what other rules would have made of it where that is asked."""
        found = await self._found(asked)
        whole = found.board.round(asked.round)
        if whole is None:
            where = f"{asked.table}/{asked.shoe}"
            raise Refusal(404, f"there is no round {asked.round} in {where}", "look at the shoe")
        rules = asked.query.get("rules")
        if rules is not None and rules not in published():
            raise Refusal(404, "there are no published rules of that name", "look at /api/rules")
        other = None
        if rules is not None:
            await self._turns.run(lambda: compile_rules(parse(named(rules).text)))  # once for all
            other = under(found.board, asked.round, rules)
        findings = found.board.found(asked.round)
        answer = answers.RoundAnswer(whole, found.board.result(asked.round), findings, other)
        return self._shown(asked, found, redact.public_answer(answer) if asked.public else answer)

    async def odds(self, asked: Asked) -> Response:
        """Give the next round's odds."""
        return respond.live(await self._odds.odds(asked.table, await self._board(asked)))

    async def findings(self, asked: Asked) -> Response:
        """Give the newest findings, or those before a place in them."""
        query = asked.query
        limit = asked.number("limit", UNLESS_TOLD)
        rows, code = self._live.findings, query.get("code")
        # Another version's auditor may have said a code that ours cannot.
        if code is not None and code not in CODES and all(r.finding.code != code for r in rows):
            what = f"there are no findings of the code {code}"
            mend = "/api/openapi.json lists the codes, at this address"
            raise Refusal(400, what, mend)
        page = findings_page(rows, code, query.get("table"), limit, query.get("before"))
        return respond.live(page)

    async def rules(self, asked: Asked) -> Response:
        """Name the published rule sets."""
        return respond.kept(await self._turns.run(_rules), asked.asked_if)

    async def _board(self, asked: Asked) -> Board:
        board = self._live.board(asked.table)
        if board is not None:
            return board
        if await self._archive.shoes(asked.table):
            mend = f"its logs are at /api/tables/{asked.table}/shoes"
            raise Refusal(404, f"nobody deals at {asked.table} now", mend)
        raise respond.no_table(asked.table)

    async def _found(self, asked: Asked) -> Found:
        """Find a shoe: the one on the table, or its log."""
        board = self._live.board(asked.table)
        if board is not None and board.tile().shoe == asked.shoe:
            return Found(board, None)
        archived = await self._archive.shoe(asked.table, asked.shoe)
        if archived is None:
            past = None
            if self._past is not None and board is not None:  # else nobody deals at that table
                past = await self._past.shoe(asked.table, asked.shoe)
            if past is not None:
                return Found(past, None)
            where = f"{asked.table}/{asked.shoe}"
            raise Refusal(404, f"there is no shoe {where}", "look at the table's shoes")
        return Found(archived.board, archived.body)

    def _shown(self, asked: Asked, found: Found, answer: object) -> Response:
        if found.body is None:
            return respond.live(answer)
        return respond.kept(respond.spelled(answer), asked.asked_if)


@cache
def _rules() -> bytes:
    rows = (answers.RulesRow(name, parse(one.text).title) for name, one in published().items())
    return respond.spelled(answers.RulesAnswer(tuple(rows)))
