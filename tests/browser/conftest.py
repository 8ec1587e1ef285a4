"""The checker's page in a real Chromium, opened from its file with an empty profile."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from tests.support.checker import Checker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


# No longer than this directory: playwright's loop runs as long as it is open, and other tests have
# their own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("no chromium on PATH: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def opened(chromium: Browser) -> Iterator[Checker]:
    """One page for many tests, as somebody has it who checks one shoe after the other."""
    with chromium.new_context() as context:
        yield Checker(context.new_page())


@pytest.fixture
def checker(opened: Checker) -> Iterator[Checker]:
    """The page, started over; nothing may be asked of a network, and no error be left uncaught."""
    opened.page.click("#again")
    yield opened
    assert opened.troubles == []


@pytest.fixture
def fresh(chromium: Browser) -> Iterator[Checker]:
    """The page, opened for this test alone."""
    with chromium.new_context() as context:
        page = Checker(context.new_page())
        yield page
        assert page.troubles == []
