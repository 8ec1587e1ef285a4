"""The checker as the board serves it: under a policy as strict, and given files by its opener."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.responses import HTMLResponse
from starlette.routing import Route

from services.dashboard.web.http_slow import BoundedProtocol
from services.dashboard.web.pages import Shelf, page_routes
from services.dashboard.web.safe_app import SafeApp
from tests.support.checker import SHORT
from tests.support.served import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page
    from starlette.requests import Request
    from starlette.responses import Response

pytestmark = pytest.mark.browser

_OPEN = """async ([path, log, kind]) => {
    const opened = window.open(path);
    await new Promise((resolve) => addEventListener("message", (event) => {
        if (event.source === opened && event.data.kind === "shoetrail-checker-ready") resolve();
    }));
    const files = [new File([log], "2.jsonl")];
    opened.postMessage({ kind, files }, location.origin);
}"""


async def _opener(_request: Request) -> Response:
    return HTMLResponse("<!doctype html><title>opener</title>")


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    shelf = Shelf()
    app = SafeApp([Route("/opener", _opener), *page_routes(shelf)], shelf)
    with served(app, BoundedProtocol) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def test_the_opener_hands_a_log_over(page: Page, base: str) -> None:
    page.goto(f"{base}/opener")
    with page.expect_popup() as opened:
        page.evaluate(_OPEN, ["/checker", SHORT.read_text(), "shoetrail-check"])
    checker = opened.value
    troubles: list[str] = []
    checker.on("console", lambda line: troubles.append(line.text))
    checker.on("pageerror", lambda error: troubles.append(str(error)))
    checker.locator("html[data-checked]").wait_for(state="attached")
    assert checker.locator("#verdict").get_attribute("class") == "pass"
    assert "2.jsonl" in checker.locator("body").inner_text()
    assert troubles == []


def test_what_is_said_otherwise_is_not_heard(page: Page, base: str) -> None:
    page.goto(f"{base}/opener")
    with page.expect_popup() as opened:
        page.evaluate(_OPEN, ["/checker", SHORT.read_text(), "something-else"])
    checker = opened.value
    checker.wait_for_timeout(200)
    assert checker.locator("html[data-checked]").count() == 0


def test_another_origin_has_no_hold_of_it(page: Page, base: str) -> None:
    """Pages of another origin that open the checker are no opener of it: it waits for nobody."""
    page.goto(base.replace("127.0.0.1", "localhost") + "/opener")
    with page.expect_popup() as opened:
        page.evaluate("(url) => { window.opened = window.open(url); }", f"{base}/checker")
    checker = opened.value
    checker.wait_for_load_state()
    assert checker.evaluate("() => window.opener") is None
    page.wait_for_function("() => window.opened.closed")


def test_its_policy_is_the_stated_one(page: Page, base: str) -> None:
    answer = page.goto(f"{base}/checker")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    meta = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    assert meta is not None
    assert policy == f"{meta}; frame-ancestors 'none'"
    assert "connect-src" not in policy  # it falls back to default-src 'none'
