"""The board's pages as somebody has them open: what goes wrong in one is kept, and may not be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType

    from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize

#: Counts shifts that nobody's own doing explains, and sees the first paint.
_WATCH = """
window.shifts = 0; window.painted = null; window.refused = [];
new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
    for (const one of list.getEntries())
        if (one.name === "first-contentful-paint") window.painted = one.startTime;
}).observe({ type: "paint", buffered: true });
document.addEventListener("securitypolicyviolation", (event) => {
    window.refused.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""


class Looking:
    """One viewer with a profile of his own. At the end nothing may have gone wrong in his pages.

    ``allowed`` are words of what may be said on the console, such as that the line is lost.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        width: int = 1280,
        height: int = 900,
        options: dict[str, str] | None = None,
        still: bool = True,
        allowed: tuple[str, ...] = (),
        **how: Any,  # noqa: ANN401 - as playwright has them
    ) -> None:
        viewport: ViewportSize = {"width": width, "height": height}
        self.context: BrowserContext = browser.new_context(
            viewport=viewport,
            reduced_motion="reduce" if still else "no-preference",
            **{"locale": "en-GB", **how},
        )
        self.context.set_default_timeout(15_000)
        self.context.add_init_script(_WATCH)
        if options is not None:
            kept = json.dumps(json.dumps(options))
            self.context.add_init_script(
                f"if (!localStorage.getItem('shoetrail.options'))"
                f" localStorage.setItem('shoetrail.options', {kept})"
            )
        self.url = url
        self.allowed = allowed
        self.troubles: list[str] = []
        self.asked: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        self.page.on("console", lambda line: self._said(line.type, line.text))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        refused = [] if self.page.is_closed() else self.page.evaluate("window.refused")
        self.context.close()
        if kind is None:
            assert refused == []
            assert self.troubles == [], self.troubles
            strangers = [url for url in self.asked if not url.startswith((self.url, "blob:"))]
            assert strangers == [], "a page asked another host"

    def _said(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"} and not any(word in text for word in self.allowed):
            self.troubles.append(text)

    def go(self, path: str) -> Page:
        """Open a page, and wait until it shows what it is about."""
        self.page.goto(self.url + path)
        self.page.locator("main:not(.waiting) h1").first.wait_for()
        return self.page

    def shown(self, text: str) -> Locator:
        return self.page.locator("main").get_by_text(text).first

    @property
    def overflow(self) -> int:
        """By how much the page is wider than its window."""
        found: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return found
