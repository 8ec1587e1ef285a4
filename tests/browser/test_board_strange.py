"""A record in words that nobody of ours writes: times that are none, names without an end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.board import Board, board_in
from tests.support.board_pages import Looking
from tests.support.said import Said, said_at, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.integration]
LONG = "W" * 500
WORDS = {
    "bettor", "by", "claim", "finding", "dealer", "software", "currency",
    "expected", "actual", "rule", "code",
}  # fmt: skip


def strange(table: str, word: str, time: str, rules: str) -> list[Said]:
    """What was said at a table, with every word and time another one."""

    def changed(value: Any, key: str = "") -> Any:  # noqa: ANN401 - JSON
        if isinstance(value, dict):
            return {name: changed(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [changed(one) for one in value]
        return word if key in WORDS and isinstance(value, str) else value

    said = []
    for one in said_at("DISPUTED", table):
        plain = json.loads(one.data)
        plain |= {"time": time, "data": changed(plain["data"])}
        if "rules" in plain["data"]:
            plain["data"]["rules"]["name"] = rules
        said.append(one._replace(data=json.dumps(plain, separators=(",", ":")).encode()))
    return said


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with board_in(tmp_path_factory.mktemp("board")) as board:
        say(board.client, "LONG", strange("LONG", LONG, "9999-12-31T23:59:59.999999Z", LONG))
        say(board.client, "TIMELESS", strange("TIMELESS", "x", "yesterday", "constructor"))
        board.show("LONG", "TIMELESS")
        yield board


@pytest.mark.parametrize("path", ["/", "/findings", "/tables/{}", "/tables/{}/shoes/2"])
def test_every_page_shows_it_within_its_window(chromium: Browser, board: Board, path: str) -> None:
    for table in ("LONG", "TIMELESS"):
        with Looking(chromium, board.url, width=360) as looking:
            page = looking.page
            page.goto(board.url + path.format(table))
            page.locator("main:not(.waiting) a").first.wait_for()
            page.wait_for_timeout(200)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            assert "native code" not in page.inner_text("main")
            assert page.locator(".trouble, .lost-page").count() == 0
