"""Signing in with the board's token in a real browser: once, by any page, and nothing is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.dashboard.web.http_slow import BoundedProtocol
from tests.support.boards import board_app
from tests.support.served import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

TOKEN = "a-token-of-this-test"  # noqa: S105 - its own


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(board_app(token=TOKEN), BoundedProtocol) as port:
        yield f"http://127.0.0.1:{port}"


def test_any_page_leads_to_itself_by_the_token(chromium: Browser, url: str) -> None:
    with chromium.new_context(locale="en-GB") as context:
        page = context.new_page()
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "console",
            lambda line: troubles.append(line.text) if "Policy" in line.text else None,
        )
        answer = page.goto(f"{url}/tables/KTANE/shoes/2#rounds")
        assert answer is not None
        assert answer.status == 401
        page.fill("#token", "another")
        page.click("form button")
        page.locator("#token-said:not(:empty)").wait_for()
        page.fill("#token", TOKEN)
        with page.expect_response(lambda got: got.url.endswith("/api/tables/KTANE/shoes/2")) as got:
            page.click("form button")
        assert got.value.status == 200
        assert page.url == f"{url}/tables/KTANE/shoes/2#rounds"
        (cookie,) = context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")
        kept = page.evaluate("JSON.stringify([localStorage, sessionStorage]) + document.cookie")
        assert TOKEN not in kept + cookie["value"]
        assert troubles == []
