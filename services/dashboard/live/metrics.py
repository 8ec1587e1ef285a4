"""What the board counts, for Prometheus; a registry of its own. No label grows without bound."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from schemas import events as ev
from schemas import instant
from schemas.errors import InputError
from schemas.verdicts import RoundAudited

if TYPE_CHECKING:
    from services.dashboard.board.shoe_board import Change
    from services.dashboard.live.weave import Told

MEDIA: Final = "text/plain; version=0.0.4; charset=utf-8"
#: Codes are the auditor's and few; whatever else calls itself one is counted as ``other``.
_MOST_CODES: Final = 100
#: A table's rounds whose verdict is not there yet.
_MOST_ROUNDS: Final = 8
_LAGS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
#: What is longer is no lag: the table's times are no clock's.
_LONGEST_S: Final = 3_600.0


class Metrics:
    """Counters and gauges; ``page`` spells them."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry(auto_describe=True)
        self._entries = Counter(
            "shoetrail_board_entries", "Entries read, by stream.", ["stream"], registry=registry
        )
        self._rounds = Counter(
            "shoetrail_board_rounds", "Rounds settled or halted.", registry=registry
        )
        self._findings = Counter(
            "shoetrail_board_findings", "Findings, by code.", ["code"], registry=registry
        )
        self._lag = Histogram(
            "shoetrail_board_verdict_lag_seconds",
            "From a round's last card to when its verdict was seen.",
            buckets=_LAGS,
            registry=registry,
        )
        self.viewers = Gauge(
            "shoetrail_board_viewers", "Streams open now, by kind.", ["kind"], registry=registry
        )
        self.tables = Gauge("shoetrail_board_tables", "Tables shown.", registry=registry)
        self.cut_off = Counter(
            "shoetrail_board_cut_off", "Viewers cut off, who did not read.", registry=registry
        )
        self.refused = Counter(
            "shoetrail_board_refused", "Viewers refused: too many.", registry=registry
        )
        self.resets = Counter("shoetrail_board_resets", "Tables begun afresh.", registry=registry)
        self.outages = Gauge(
            "shoetrail_board_outages", "Times Redis did not answer a table.", registry=registry
        )
        self._counted = {name: self._entries.labels(name) for name in _STREAMS}
        self._codes: set[str] = set()
        self._last_card: dict[str, dict[int, str]] = {}

    def took(self, table: str, told: Told, change: Change, *, live: bool) -> None:
        """Count an entry; only live ones say anything of lag."""
        self._counted[told.stream].inc()
        if told.message is None:
            return
        said = told.message.data
        if told.stream == "outcomes":
            self._rounds.inc()
        for finding in change.findings:
            self._findings.labels(self._code(finding.code)).inc()
        if isinstance(said, ev.CardDrawn):
            cards = self._last_card.setdefault(table, {})
            cards[said.round] = told.message.time
            if len(cards) > _MOST_ROUNDS:
                del cards[min(cards)]
        elif isinstance(said, ev.ShoeOpened):
            self._last_card.pop(table, None)
        elif isinstance(said, RoundAudited):
            fell = self._last_card.get(table, {}).pop(said.round, None)
            if live and fell is not None:
                self._lagged(fell)

    def page(self) -> bytes:
        """Spell all of them."""
        return generate_latest(self._registry)

    def _code(self, code: str) -> str:
        if code not in self._codes:
            if len(self._codes) >= _MOST_CODES:
                return "other"
            self._codes.add(code)
        return code

    def _lagged(self, fell: str) -> None:
        try:
            lag = time.time() - instant.parse(fell) / 1_000_000
        except InputError:
            return
        if 0 <= lag < _LONGEST_S:
            self._lag.observe(lag)


_STREAMS: Final = ("events", "outcomes", "verdicts", "disputes")
