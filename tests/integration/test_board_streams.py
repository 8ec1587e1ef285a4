"""The board's streams, as real clients hear them from a real process: each entry once, in order."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest

from schemas.address import Streams
from services.dashboard.board.shoe_board import ShoeBoard
from services.dashboard.live.weave import told
from services.journal import Entry
from tests.support.board import Board, board_in
from tests.support.looker import Looker, addresses, applied, heard_by_stream
from tests.support.said import Said, said_at, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

pytestmark = [pytest.mark.integration]
_names = itertools.count()


class Two(NamedTuple):
    """Two new tables of the board, and what is said at each: two shoes and a dispute, one shoe."""

    board: Board
    one: str
    said: tuple[Said, ...]
    other: str
    more: tuple[Said, ...]

    def stream(self, table: str, cursor: str = "") -> str:
        after = f"?after={cursor}" if cursor else ""
        return f"{self.board.url}/api/tables/{table}/stream{after}"

    @property
    def lobby(self) -> str:
        return f"{self.board.url}/api/stream"

    def answer(self, table: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.board.get(f"/api/tables/{table}")[1])
        return found

    def say(self, table: str, said: Sequence[Said], *, before: Sequence[Said] = ()) -> None:
        """Say it, and wait until the board has read it."""
        say(self.board.client, table, said)
        last = {one.stream: str(one.id) for one in (*before, *said)}
        self.board.crew.until(
            lambda: all(f".{one}." in self.answer(table)["cursor"] for one in last.values()),
            "the table to be read",
        )


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with board_in(tmp_path_factory.mktemp("board")) as board:
        yield board


@pytest.fixture
def two(board: Board) -> Two:
    number = next(_names)
    one, other = f"ONE-{number}", f"OTHER-{number}"
    board.show(one, other)
    return Two(board, one, said_at("DISPUTED", one), other, said_at("MISDRAW-DUMMY", other))


def fold(table: str, said: Sequence[Said]) -> dict[str, Any]:
    one = ShoeBoard(table)
    for stream, entry, data in said:
        (read,) = told(stream, [Entry(entry, data)])
        one.take(stream, entry, read.message)
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(one.view()))
    return plain


def of_lobby(table: str, said: Sequence[Said]) -> list[str]:
    kept = [one for one in said if one.stream != "events" or one.id.minor == 0]
    return sorted(at for ats in addresses(table, kept).values() for at in ats)


def test_two_tables_and_the_lobby(two: Two) -> None:
    with (
        Looker(two.stream(two.one)) as one,
        Looker(two.stream(two.other)) as other,
        Looker(two.lobby) as lobby,
    ):
        say(two.board.client, two.one, two.said)
        say(two.board.client, two.other, two.more)
        for looker, table, said in ((one, two.one, two.said), (other, two.other, two.more)):
            looker.until(lambda looker=looker, said=said: len(looker.heard) >= len(said))  # type: ignore[misc]
            assert heard_by_stream(looker.heard) == addresses(table, said)
            assert applied(looker.heard, {"table": table}) == fold(table, said)
            assert len({heard.id for heard in looker.heard}) == len(said)
        both = of_lobby(two.one, two.said) + of_lobby(two.other, two.more)
        lobby.until(lambda: len(lobby.heard) >= len(both))
        assert sorted(heard.data["at"] for heard in lobby.heard) == sorted(both)
        assert {heard.data["tile"]["table"] for heard in lobby.heard} == {two.one, two.other}
    answer = two.answer(two.one)
    assert answer["cursor"] == one.cursor
    assert answer["view"] == applied(one.heard, {"table": two.one})
    mine = [heard.data for heard in lobby.heard if heard.data["tile"]["table"] == two.one]
    faults = [one for data in mine for one in data["findings"]]
    found = json.loads(two.board.get(f"/api/findings?table={two.one}")[1])["findings"]
    assert len(faults) == len({json.dumps(one) for one in faults}) == len(found)


def test_a_line_that_drops_again_and_again(two: Two) -> None:
    said = two.said
    with (
        Looker(two.stream(two.one), break_off_after=37) as one,
        Looker(two.lobby, break_off_after=5) as lobby,
    ):
        for begin in range(0, len(said), 60):
            say(two.board.client, two.one, said[begin : begin + 60])
            time.sleep(0.02)
        one.until(lambda: len(one.heard) >= len(said))
        wanted = of_lobby(two.one, said)
        lobby.until(lambda: len(lobby.heard) >= len(wanted))
    assert one.left > len(said) // 37 - 2
    assert heard_by_stream(one.heard) == addresses(two.one, said)
    assert applied(one.heard, {"table": two.one}) == fold(two.one, said)
    assert sorted(heard.data["at"] for heard in lobby.heard) == wanted


def test_a_table_that_comes_later_is_in_the_lobby_from_its_first_word(board: Board) -> None:
    table = f"LATE-{next(_names)}"
    said = said_at("MISDRAW-DUMMY", table)
    with Looker(f"{board.url}/api/stream", break_off_after=7) as lobby:
        say(board.client, table, said[:60])
        board.show(table)
        say(board.client, table, said[60:])
        wanted = of_lobby(table, said)
        lobby.until(lambda: len(lobby.heard) >= len(wanted))
    assert sorted(heard.data["at"] for heard in lobby.heard) == wanted
    tiles = [json.loads(board.get("/api/tables")[1])["tables"], [lobby.heard[-1].data["tile"]]]
    assert tiles[1][0] in tiles[0]


def test_from_a_view_on_and_across_shoes(two: Two) -> None:
    """A page asks for the view, and opens the stream after its cursor, a shoe later even."""
    said, table = two.said, two.one
    cut = next(n for n, one in enumerate(said) if one.id.major == 2 and one.id.minor == 9)
    two.say(table, said[:60])
    old = two.answer(table)
    two.say(table, said[60:cut], before=said[:60])
    answer = two.answer(table)
    assert old["view"] == fold(table, said[:60])
    assert answer["view"] == fold(table, said[:cut])
    with (
        Looker(two.stream(table, old["cursor"])) as late,
        Looker(two.stream(table, answer["cursor"])) as now,
    ):
        say(two.board.client, table, said[cut:])
        now.until(lambda: len(now.heard) >= len(said) - cut)
        late.until(lambda: len(late.heard) >= len(said) - 60)
    assert heard_by_stream(late.heard) == addresses(table, said[60:])
    assert heard_by_stream(now.heard) == addresses(table, said[cut:])
    assert applied(late.heard, old["view"]) == applied(now.heard, answer["view"])
    assert applied(now.heard, answer["view"]) == fold(table, said)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_plain_curl(two: Two) -> None:
    two.say(two.other, two.more[:50])
    url = two.stream(two.other, two.answer(two.other)["cursor"])
    with subprocess.Popen(["curl", "-sN", url], stdout=subprocess.PIPE) as curl:
        assert curl.stdout is not None
        assert curl.stdout.readline() == b"retry: 1000\n"
        say(two.board.client, two.other, two.more[50:53])
        lines = [curl.stdout.readline() for _ in range(14)]
        curl.terminate()
    assert next(line for line in lines if line[:5] == b"data:").startswith(b'data: {"at":"')
    names = [line.split()[1].decode() for line in lines if line.startswith(b"event: ")]
    assert names == [json.loads(one.data)["type"] for one in two.more[50:53]]


@pytest.mark.parametrize(
    "garbage", ["x", "T7", "L00000000.", "L00000000.AAAA", "T7.1-2.3-4", "L" * 5000, "1-0.1-0"]
)
def test_garbage_is_no_cursor(board: Board, garbage: str) -> None:
    board.show("T")
    for path in ("/api/stream", "/api/tables/T/stream", "/public/api/stream"):
        assert board.get(f"{path}?after={garbage}")[0] == 400
        assert board.get(path, **{"Last-Event-ID": garbage})[0] == 400


def test_what_there_is_not(two: Two) -> None:
    assert two.board.get("/api/tables/NONE/stream")[0] == 404
    assert two.board.get(f"/api/tables/{two.one}/stream?before=1")[0] == 400


def test_a_cursor_that_cannot_be_served_is_reset(two: Two) -> None:
    two.say(two.one, two.said[:100])
    two.say(two.other, two.more[:100])
    for cursor in (
        two.answer(two.other)["cursor"],  # another table's
        f"{two.one}.1-2.0-0.0-0.0-0.0badcafe",  # of a stream that was begun anew
        f"{two.one}.1-900.0-0.0-0.0-0.0badcafe",  # of what was never said
        f"{two.one}.9-1.9-0.9-0.0-0.0badcafe",
        f"{two.one}.0-0.0-0.0-0.0-0.0badcafe",
    ):
        with Looker(two.stream(two.one), cursor) as one:
            one.until(lambda one=one: one.heard)  # type: ignore[misc]
        assert (one.heard[0].event, one.heard[0].id) == ("reset", ""), cursor
        assert one.heard[0].data["why"]


def test_a_stream_begun_anew_resets_the_table_and_the_lobby(two: Two) -> None:
    table, said = two.one, two.said
    two.say(table, said[:100])
    with Looker(two.stream(table)) as one, Looker(two.lobby) as lobby:
        streams = Streams(table)
        two.board.client.delete(streams.events, streams.outcomes, streams.verdicts)
        say(two.board.client, table, said[:60])
        time.sleep(1.1)
        two.board.client.xadd(streams.disputes, {"__data__": b"no dispute"}, id="1-0")
        for looker in (one, lobby):
            looker.until(lambda looker=looker: any(h.event == "reset" for h in looker.heard))  # type: ignore[misc]
    assert two.answer(table)["view"]["shoe"] == fold(table, said[:60])["shoe"]


def test_in_public_nobody_is_named(two: Two) -> None:
    with (
        Looker(f"{two.board.url}/public/api/tables/{two.one}/stream", break_off_after=50) as one,
        Looker(f"{two.board.url}/public/api/stream") as lobby,
    ):
        say(two.board.client, two.one, two.said)
        one.until(lambda: len(one.heard) >= len(two.said))
        lobby.until(lambda: len(lobby.heard) >= len(of_lobby(two.one, two.said)))
    assert heard_by_stream(one.heard) == addresses(two.one, two.said)
    text = json.dumps([heard.data for heard in (*one.heard, *lobby.heard)])
    for name in ("alice", "bob", "carol", "stake", '"bankroll"', '"returned"', '"settlements"'):
        assert name not in text, name


def test_it_only_reads(two: Two) -> None:
    """Redis itself says which commands it was sent while all is asked of the board."""
    board, table = two.board, two.other
    two.say(table, two.more)
    board.client.config_resetstat()
    cursor = json.loads(board.get("/api/tables")[1])["cursor"]
    for path in (
        f"/api/tables/{table}", f"/api/tables/{table}/shoes", f"/api/tables/{table}/shoes/1",
        f"/api/tables/{table}/shoes/1/rounds/1", "/api/findings", "/metrics", "/readyz",
    ):  # fmt: skip
        assert board.get(path)[0] == 200, path
    with Looker(f"{two.lobby}?after={cursor}") as lobby:
        board.client.xadd(Streams(table).disputes, {"__data__": b"no dispute"}, id="9-0")
        lobby.until(lambda: lobby.heard)
        assert lobby.heard[0].event == "unreadable"
        time.sleep(1.2)  # the streams are looked at for having been begun anew
    stats: dict[str, Any] = board.client.info("commandstats")
    asked = {name.removeprefix("cmdstat_").split("|")[0] for name in stats}
    mine = {"config", "info", "xadd"}
    reads = {"xread", "xrange", "xrevrange", "xinfo", "evalsha", "eval", "ping"}
    assert asked - mine - {"hello", "client", "select"} <= reads
    assert "xread" in asked
