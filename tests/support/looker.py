"""One who looks on at a stream of the board by httpx-sse, and comes again when it breaks off."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import httpx
from httpx_sse import connect_sse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from schemas.address import EntryId
    from tests.support.said import Said


class Heard(NamedTuple):
    id: str
    event: str
    data: Any


class Looker:
    """Reads in a thread of its own, from its first answer until it is closed.

    ``breaks`` counts what was broken off for him, ``left`` what he broke off himself. He waits for
    a message as long as it takes: how long says how busy the machine is.
    """

    def __init__(self, url: str, cursor: str = "", *, break_off_after: int | None = None) -> None:
        self.heard: list[Heard] = []
        self.cursor = cursor
        self.opened = threading.Event()
        self.breaks = self.left = 0
        self.refused: list[int] = []
        self._url, self._break_off_after = url, break_off_after
        self._end = threading.Event()
        self._line: socket.socket | None = None
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self.opened.wait(15), "the stream was never opened"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self._end.set()
        if self._line is not None:
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)

    def until(self, true: Callable[[], object], seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, self._state()
            time.sleep(0.01)

    def _state(self) -> str:
        resets = [one.data for one in self.heard if one.event == "reset"]
        refused = self.refused[-3:]
        breaks = f"breaks {self.breaks}, left {self.left}"
        heard = f"heard {len(self.heard)} up to {self.cursor}"
        return f"{heard}; resets {resets}, refused {refused}, {breaks}"

    def _look(self) -> None:
        with httpx.Client(timeout=httpx.Timeout(10, read=None)) as client:
            while not self._end.is_set():
                left = False
                with suppress(httpx.HTTPError):
                    left = self._once(client)
                if left:
                    self.left += 1
                elif not self._end.is_set():
                    self.breaks += 1
                self._end.wait(0.02)

    def _once(self, client: httpx.Client) -> bool:
        """Look on until the line ends; True where he broke it off himself."""
        headers = {"last-event-id": self.cursor} if self.cursor else {}
        with connect_sse(client, "GET", self._url, headers=headers) as source:
            if source.response.status_code != httpx.codes.OK:
                self.refused.append(source.response.status_code)
                return False
            self._line = source.response.extensions["network_stream"].get_extra_info("socket")
            self.opened.set()
            number = 0
            for one in source.iter_sse():
                if self._end.is_set():
                    return False
                self.cursor = one.id
                if not one.data:  # where the stream begins, which a browser gives nobody
                    continue
                self.heard.append(Heard(one.id, one.event, json.loads(one.data)))
                number += 1
                if number == self._break_off_after:
                    return True
        return False


def addresses(table: str, said: Iterable[Said]) -> dict[str, list[str]]:
    """The addresses by which messages name these entries, by stream, in order."""
    found: dict[str, list[str]] = {}
    for stream, entry, data in said:
        found.setdefault(stream, []).append(_address(table, stream, entry, data))
    return found


def heard_by_stream(heard: Iterable[Heard]) -> dict[str, list[str]]:
    """The addresses that were heard, by stream, in order."""
    found: dict[str, list[str]] = {}
    for one in heard:
        kind = one.data["type"]
        stream = (
            "disputes"
            if kind.startswith("dispute.")
            else "verdicts"
            if kind.endswith(".audited")
            else "outcomes"
            if kind in {"round.resolved", "round.halted"}
            else "events"
        )
        found.setdefault(stream, []).append(one.data["at"])
    return found


def _address(table: str, stream: str, entry: EntryId, data: bytes) -> str:
    if stream == "disputes":
        return f"{table}:{entry.major}"
    if stream == "events":
        return f"{table}/{entry.major}-{entry.minor}"
    if b'"type":"shoe.audited"' in data:
        return f"{table}/{entry.major}"
    return f"{table}/{entry.major}#{entry.minor}"


def applied(heard: Iterable[Heard], view: dict[str, Any] | None = None) -> dict[str, Any]:
    """A view with the messages that came after it, as a page has it."""
    view = dict(view or {})
    for one in heard:
        view |= one.data["view"]
        rows = {row["round"]: row for row in (*view.get("results", ()), *one.data["results"])}
        view["results"] = [rows[number] for number in sorted(rows)]
    return view
