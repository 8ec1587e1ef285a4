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


def test_every_page_shows_it_within_its_window(chromium: Browser, board: Board) -> None:
    with Looking(chromium, board.url, width=360) as looking:
        page = looking.page
        for path in ("/", "/findings", "/tables/TIMELESS", "/tables/LONG", "/tables/LONG/shoes/2"):
            page.goto(board.url + path)
            page.locator("main:not(.waiting) a").first.wait_for()
            page.wait_for_timeout(200)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
            assert "native code" not in page.inner_text("main")
            assert page.locator(".trouble").count() == 0, path


def test_what_nobody_of_ours_kept_is_as_nothing(chromium: Browser, board: Board) -> None:
    with Looking(chromium, board.url) as looking:
        looking.page.goto(board.url)
        strange = '{"theme":{"a":1},"lang":["en"],"back":"__proto__"}'
        for options, unseen in (("[1", "-5"), ("null", "1e999"), (strange, "{}")):
            kept = {"shoetrail.options": options, "shoetrail.unseen": unseen}
            looking.page.evaluate(f"Object.assign(localStorage, {json.dumps(kept)})")
            looking.page.reload()
            looking.page.locator("a.tile").first.wait_for()
            assert looking.page.locator("#badge").is_hidden()
            assert looking.page.evaluate("document.documentElement.dataset.theme") == "auto"


def test_a_browser_that_keeps_nothing_shows_everything(chromium: Browser, board: Board) -> None:
    with Looking(chromium, board.url) as looking:
        looking.context.add_init_script(
            "Object.defineProperty(window, 'localStorage',"
            " { get() { throw new DOMException('no', 'SecurityError'); } })"
        )
        for path in ("/", "/findings", "/tables/LONG"):
            looking.page.goto(board.url + path)
            looking.page.locator("main:not(.waiting) a").first.wait_for()
            assert looking.page.locator(".trouble").count() == 0
