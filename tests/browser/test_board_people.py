"""The board's pages for people: by keyboard, by ear, narrow and wide, both themes, all tongues.

All of it over committed logs, served by the board's own app on loopback; nothing is live here.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect
from starlette.responses import Response
from starlette.routing import Route

from schemas.events import Refusal, ShoeEnd
from schemas.verdicts import Finding
from services.auditor.codes import CODES
from services.dashboard.board.asked_shapes import OtherShape, WhyNot
from services.dashboard.board.reading import fold_log
from services.dashboard.board.round_shapes import Phase, Why
from services.dashboard.board.shapes import FindingRow
from services.dashboard.web.api_routes import api_routes
from services.dashboard.web.archive import Archive
from services.dashboard.web.odds_desk import OddsDesk
from services.dashboard.web.pages import STATIC, Shelf, page_routes
from services.dashboard.web.safe_app import SafeApp
from services.ledger.checkpoint import shoe_origin
from tests.support.board_pages import Looking
from tests.support.boards import FREE, LIVE, LOGS, Tables
from tests.support.checker import OURS, lines_of, sealed
from tests.support.served import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page
    from starlette.requests import Request

pytestmark = pytest.mark.browser
TEXTS: dict[str, dict[str, str]] = json.loads((STATIC / "texts.json").read_text("utf-8"))
#: The committed log of a whole shoe with a fault in round 17, and one that was sealed here.
FAULTY = "DISPUTE-DRAW"
PAGES = {
    "lobby": "/",
    "table": "/tables/DISPUTED",
    "shoe": f"/tables/{FAULTY}/shoes/1",
    "round": f"/tables/{FAULTY}/shoes/1/rounds/17",
    "findings": "/findings",
    "signin": "/signin",
    "lost": "/tables/NOBODY/shoes/1",
    "public": "/public/tables/DISPUTED",
}


async def _still(_request: Request) -> Response:
    """No stream here: the pages are looked at as they stand."""
    return Response(status_code=204)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logs = tmp_path_factory.mktemp("logs")
    for table in (*LIVE, FAULTY):
        (logs / table).mkdir()
        for file in LOGS.glob(f"{table}/*"):
            (logs / table / file.name).write_bytes(file.read_bytes())
    lines = lines_of(LOGS / FAULTY / "1.jsonl")
    note = sealed(lines, shoe_origin(OURS.name, FAULTY, 1))
    (logs / FAULTY / "1.checkpoint").write_bytes(note)
    said = ("player draws", "the player stood", -14_500, "punto-banco/drawing/player")
    rows = [
        FindingRow(FAULTY, 1, f"2026-01-01T20:00:0{number}.000000Z", finding)
        for number in range(8, 0, -1)
        for finding in (Finding("draw-missing", f"{FAULTY}/1-{number}", number, *said, "fault"),)
    ]
    shelf = Shelf()
    api = api_routes(Tables(rows), Archive(logs, fold_log), OddsDesk())
    streams = [
        Route(path, _still)
        for path in ("/api/stream", "/api/tables/{table}/stream",
                     "/public/api/stream", "/public/api/tables/{table}/stream")
    ]  # fmt: skip
    with served(SafeApp([*streams, *api, *page_routes(shelf)], shelf, None, FREE)) as port:
        yield f"http://127.0.0.1:{port}"


def ready(page: Page) -> None:
    page.locator("main:not(.waiting) h1").first.wait_for()
    page.wait_for_load_state("networkidle")


def test_axe_finds_nothing_on_any_page(chromium: Browser, url: str) -> None:
    short = {"shoe": "/tables/MISDRAW-HAND/shoes/1"}  # axe takes seconds for a shoe of 81 rounds
    with Looking(chromium, url, color_scheme="dark", allowed=("404", "503")) as viewer:
        for name, path in (PAGES | short).items():
            page = viewer.go(path)
            ready(page)
            assert found(page) == [], name
        page = viewer.go("/")
        page.get_by_role("button", name="Options").click()
        assert found(page) == [], "options"


def test_axe_finds_every_colour_to_stand_out_in_the_light(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, color_scheme="light", allowed=("404", "503")) as viewer:
        for name in ("lobby", "table", "round", "findings"):
            page = viewer.go(PAGES[name])
            ready(page)
            assert found(page, runOnly=["color-contrast"]) == [], name


def found(page: Page, **options: Any) -> list[str]:  # noqa: ANN401 - as axe has them
    asked = {"resultTypes": ["violations"], **options}
    result: dict[str, Any] = Axe().run(page, options=asked).response
    return [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary']}"
        for one in result["violations"]
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("width", [360, 1920])
def test_no_page_runs_out_of_its_window_and_nothing_jumps(
    chromium: Browser, url: str, width: int
) -> None:
    allowed = ("404", "503")
    with Looking(chromium, url, width=width, height=740, still=False, allowed=allowed) as viewer:
        for name, path in PAGES.items():
            page = viewer.go(path)
            ready(page)
            assert viewer.overflow == 0, name
            assert page.evaluate("window.shifts") < 0.02, name
            if name == "findings":  # they take the width that there is
                ends = page.locator(".finding").evaluate_all(
                    "(all) => all.map((one) => one.getBoundingClientRect().right)"
                )
                assert max(ends) > 0.9 * width
            # The best of five: other tests may hold the machine while one page is painted.
            first = page.evaluate("window.painted")
            assert first < 1_000 or any(painted(viewer, path) < 1_000 for _ in range(4)), name


def painted(viewer: Looking, path: str) -> float:
    """Open a page again, and give the milliseconds to its first paint with something in it."""
    viewer.go(path)
    ready(viewer.page)
    found: float = viewer.page.evaluate("window.painted")
    return found


#: What is read from four metres: the words, and the figures.
WALL = {
    "/tables/DISPUTED": (
        (".shoe-head h1", ".lamp-place .lamp", ".banner", ".hand-head h2"),
        (".total", ".progress-short", ".tally .figure:nth-child(-n + 4) dd"),
    ),
    "/": ((".tile-name",), ()),
}
TALL = """([names, sample]) => names.flatMap((name) => [...document.querySelectorAll(name)]
    .map((one) => {
        const pen = document.createElement("canvas").getContext("2d");
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(one);
        pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
        return [name, pen.measureText(sample).actualBoundingBoxAscent, one.getBoundingClientRect()];
    }))"""


def test_a_wall_is_read_from_four_metres(chromium: Browser, url: str) -> None:
    """A letter of 1/200 of the distance: 20 mm, 32 dots on 55 inches (docs/board.md)."""
    options = {"wall": "on"}
    with Looking(
        chromium, url, width=1920, height=1080, options=options, allowed=("404", "503")
    ) as viewer:
        for path, (words, figures) in WALL.items():
            page = viewer.go(path)
            ready(page)
            for names, sample in ((words, "x"), (figures, "0")):
                found = page.evaluate(TALL, [names, sample])
                assert {name for name, _, _ in found} == set(names)
                for name, tall, box in found:
                    assert tall >= 32, (name, tall)
                    assert box["width"] > 0, name
                    assert path == "/" or box["bottom"] <= 1080, name
            assert viewer.overflow == 0, path


SEEN = """() => {
    const hue = (name) => {
        const one = document.body.appendChild(document.createElement("i"));
        one.style.color = name;
        const told = getComputedStyle(one).color;
        one.remove();
        return told;
    };
    const canvas = hue("Canvas");
    // How a shape looks to one who sees no colours: what it is, and whether it is full.
    const look = (part) => {
        const style = getComputedStyle(part);
        const [full, lined] = [style.fill, style.stroke]
            .map((told) => told !== "none" && told !== canvas);
        const as = `${part.tagName} ${full} ${part.getAttribute("d") ?? ""}`;
        return { seen: full || lined, as };
    };
    const marks = [...document.querySelectorAll(".road g, .lasts g, .asked g")].map((mark) => {
        const text = [...mark.querySelectorAll("text")];
        const shapes = [...mark.querySelectorAll("circle, rect, path:not(.ties)")].map(look);
        return {
            kind: mark.getAttribute("class").replace(" last", ""),
            road: mark.closest("figure")?.className ?? mark.closest("svg").getAttribute("class"),
            seen: shapes.some((one) => one.seen),
            as: text.map((one) => one.textContent).join("") || shapes.map((one) => one.as).join(),
            told: text.every((one) => getComputedStyle(one).fill !==
                (mark.querySelector(".disc") ? hue("CanvasText") : canvas)),
        };
    });
    const lamps = [...document.querySelectorAll(".lamp, .tag, .grade")].map((lamp) => ({
        text: lamp.innerText.trim(),
        seen: getComputedStyle(lamp).color !== canvas,
        signs: [...lamp.querySelectorAll("svg path")].map((part) => look(part).as),
    }));
    const full = (part) => look(part).as.split(" ")[1];
    const small = [...document.querySelectorAll(".small-road")].map((road) =>
        ["banker", "player"].map((side) => full(road.querySelector(`path.${side}`))));
    // A browser lays Canvas behind all letters whose colours it forces: in Canvas they are unseen.
    const ghosts = [...document.querySelectorAll("body *")].filter((one) =>
        [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
        getComputedStyle(one).color === canvas &&
        getComputedStyle(one).forcedColorAdjust !== "none").map((one) => one.outerHTML);
    return { marks, lamps, small, ghosts };
}"""


def test_where_colours_are_forced_marks_and_lamps_are_told_by_shape(
    chromium: Browser, url: str
) -> None:
    forced: dict[str, Any] = {"forced_colors": "active", "color_scheme": "dark"}
    options = {"theme": "light"}  # it is not what counts then
    with Looking(chromium, url, options=options, allowed=("404", "503"), **forced) as viewer:
        for name in ("table", "lobby", "findings"):
            page = viewer.go(PAGES[name])
            ready(page)
            seen = page.evaluate(SEEN)
            assert seen["lamps"], name
            assert seen["ghosts"] == [], name
            for lamp in seen["lamps"]:
                assert lamp["text"], name
                assert lamp["seen"], lamp
            looks: dict[tuple[str, str], set[str]] = {}
            for mark in seen["marks"]:
                assert mark["seen"], mark
                assert mark["told"], mark
                looks.setdefault((mark["road"], mark["as"]), set()).add(mark["kind"])
            assert bool(looks) == (name != "findings")
            for (road, look), kinds in looks.items():
                assert len(kinds) == 1, (road, look, kinds)
            for banker, player in seen["small"]:
                assert (banker, player) == ("true", "false")
            for _ in range(2):
                page.keyboard.press("Tab")
            style = page.evaluate(
                "(({outlineStyle, outlineWidth, outlineColor}) =>"
                " [outlineStyle, parseFloat(outlineWidth), outlineColor])"
                "(getComputedStyle(document.activeElement))"
            )
            assert style[0] == "solid"
            assert style[1] >= 2
            assert style[2] != "rgb(0, 0, 0)"
        viewer.page.get_by_role("button", name="Options").click()
        assert viewer.page.evaluate(SEEN)["ghosts"] == []


@pytest.mark.parametrize(("locale", "lang"), [("ja-JP", "ja"), ("zh-CN", "zh"), ("de-DE", "en")])
def test_the_viewer_s_own_language(chromium: Browser, url: str, locale: str, lang: str) -> None:
    with Looking(chromium, url, locale=locale, width=360, allowed=("404", "503")) as viewer:
        for name in ("lobby", "round", "findings"):
            page = viewer.go(PAGES[name])
            ready(page)
            assert page.evaluate("document.documentElement.lang").startswith(lang), name
            assert viewer.overflow == 0, name
        page = viewer.go(PAGES["table"])
        expect(page.locator("h1")).to_have_text(TEXTS["table.title"][lang].format(table="DISPUTED"))
        expect(page.locator(".course .why").first).to_have_text(
            TEXTS["why.first"][lang].format(n=1)
        )


def test_every_text_is_there_in_three_languages_and_used() -> None:
    script = "".join(path.read_text("utf-8") for path in STATIC.glob("*.js"))
    fixed = set(re.findall(r'"([a-z]+\.[a-z0-9_-]+)"', script))
    begun = tuple(re.findall(r"`([a-z]+\.[a-z-]*)\$\{", script))
    for key, told in TEXTS.items():
        assert set(told) == {"en", "ja", "zh"}, key
        assert all(told.values()), key
        values = [set(re.findall(r"\{(\w+)", text)) for text in told.values()]
        assert values[0] == values[1] == values[2], key
        assert key in fixed or key.startswith(begun), f"{key} is nowhere used"
    asked = set(re.findall(r'\bt\(\s*"([a-z]+\.[a-z0-9_-]+)"', script))
    assert asked <= set(TEXTS)


def test_every_code_reason_and_word_of_a_record_has_a_text() -> None:
    wanted = [f"code.{code}" for code in CODES]
    wanted += [f"why.{why}" for why in get_args(Why)]
    wanted += [f"refusal.{why}" for why in get_args(Refusal)]
    wanted += [f"close.{why}" for why in get_args(ShoeEnd)]
    wanted += [f"phase.{phase}" for phase in get_args(Phase)]
    wanted += [f"other.why-{why}" for why in get_args(WhyNot)]
    assert [key for key in wanted if key not in TEXTS] == []


def test_by_keyboard_alone(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("404", "503")) as viewer:
        page = viewer.go("/")
        expect(page.locator("a.tile")).to_have_count(3)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "by-text"
        page.keyboard.type("misdraw")
        expect(page.locator("a.tile:visible")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator("a.tile:visible")).to_have_count(3)
        page.locator("a.tile").first.focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("a.tile").nth(1)).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url("**/tables/DISPUTED")
        ready(page)
        link = page.locator(".results a").last
        link.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/rounds/1")
        ready(page)
        step = page.locator(".step-said")
        page.keyboard.press("Home")
        expect(step).to_contain_text("Bets")
        page.keyboard.press("ArrowRight")
        expect(step).to_have_text(re.compile(r"^1 of \d: Card 1, Player"))
        page.keyboard.press("End")
        expect(step).to_contain_text("Settlement")
        for region in page.locator("[role=group][tabindex='0']").all():
            region.focus()
            expect(region).to_be_focused()


def test_the_stepper_goes_card_by_card(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("503",)) as viewer:
        page = viewer.go(PAGES["round"])
        ready(page)
        cards = page.locator(".play .card")
        whole = cards.count()
        page.get_by_role("button", name="To the beginning").click()
        expect(cards).to_have_count(0)
        expect(page.locator(".bets .tag.win")).to_have_count(0)
        for number in range(1, whole + 1):
            page.get_by_role("button", name="Forward").click()
            expect(cards).to_have_count(number)
            expect(page.locator("tr[aria-current=step] th")).to_have_text(str(number))
        page.get_by_role("button", name="Back").click()
        expect(cards).to_have_count(whole - 1)
        page.get_by_label("Speed").select_option("8")
        page.get_by_role("button", name="Play (space)").click()
        expect(page.locator(".step-said")).to_contain_text("Settlement")
        page.get_by_role("slider", name="Step").fill("2")
        expect(cards).to_have_count(2)


def test_each_card_has_its_place_and_its_proof(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("503", "404")) as viewer:
        page = viewer.go(PAGES["round"])
        rows = page.locator(".cards-sheet tbody tr")
        proofs = page.locator(".proof.pass")
        expect(proofs).to_have_count(rows.count())
        expect(proofs.first).to_contain_text("in the sealed log")
        assert re.search(r"line \d+ of [\d,]+", rows.first.inner_text())
        expect(page.locator(".proof-said")).to_contain_text(OURS.name)
        viewer.go("/tables/CLEAN/shoes/1/rounds/3")
        expect(page.locator(".proof-said")).to_contain_text("The log is not sealed")


def test_what_other_rules_would_pay(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("503", "404")) as viewer:
        page = viewer.go("/tables/CLEAN/shoes/1/rounds/3")
        choice = page.get_by_label("By the rules")
        expect(choice.locator("option")).not_to_have_count(1)
        choice.select_option("no-commission-six")
        expect(page.locator(".other-won")).to_have_text(re.compile("wins|Tie"))
        expect(page.locator(".other-shown tbody tr")).not_to_have_count(0)
        unsaid: list[bytes] = []
        page.route("**?rules=ktane", lambda asked: asked.fulfill(body=unsaid[-1]))
        for why in get_args(WhyNot):
            other = OtherShape("ktane", "KTANE", (), None, None, None, (), (), why)
            unsaid.append(msgspec.json.encode({"other": other}))
            choice.select_option("")
            choice.select_option("ktane")
            expect(page.locator(".other-won")).to_have_text(TEXTS[f"other.why-{why}"]["en"])


def test_a_shoe_goes_to_the_checker(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("503", "404")) as viewer:
        page = viewer.go(PAGES["shoe"])
        expect(page.locator(".whole tbody tr")).not_to_have_count(0)
        with page.expect_download() as log:
            page.get_by_role("link", name="Download the log").click()
        path = Path(log.value.path())
        assert path.read_bytes() == (LOGS / FAULTY / "1.jsonl").read_bytes()
        with page.expect_popup() as opened:
            page.get_by_role("button", name="Open in the checker").click()
        checker = opened.value
        checker.locator("html[data-checked]").wait_for(state="attached", timeout=30_000)
        assert checker.locator("#verdict").get_attribute("class") == "fail"
        expect(page.get_by_text("The checker has the log and its checkpoint.")).to_be_visible()


def test_what_nobody_audited_is_not_called_clean(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("503", "404")) as viewer:
        for path in ("/tables/CLEAN/shoes/1", "/tables/CLEAN/shoes/1/rounds/3"):
            page = viewer.go(path)
            none = page.locator(".findings .empty")
            expect(none).to_contain_text("Not audited")
            expect(none.locator("code")).to_contain_text("shoetrail audit")
        expect(viewer.page.locator(".audited")).to_contain_text("not audited yet")
        page = viewer.go("/findings?code=payout&table=NOBODY")
        expect(page.locator("#nothing")).to_have_text(TEXTS["find.nothing"]["en"])
        page = viewer.go("/findings?table=")
        ready(page)


def test_the_last_round_has_none_after_it(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("503", "404")) as viewer:
        page = viewer.go(PAGES["shoe"])
        last = page.locator(".whole tbody a").last
        number = int(last.inner_text())
        last.click()
        expect(page.locator(".beside a")).to_have_text(["Round before"])
        page = viewer.go(f"/tables/{FAULTY}/shoes/1/rounds/{number - 1}")
        expect(page.locator(".beside a")).to_have_text(["Round before", "Round after"])


def test_only_files_that_are_there_are_offered(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("503", "404")) as viewer:
        page = viewer.go(PAGES["shoe"])
        expect(page.get_by_role("link", name="Download the checkpoint")).to_be_visible()
        expect(page.get_by_role("link", name="Download the audit")).to_have_count(0)
        expect(page.locator(".missing")).to_contain_text("shoetrail run worker")
        page = viewer.go("/tables/CLEAN/shoes/1")
        expect(page.locator(".missing").first).to_contain_text("Not sealed")
        expect(page.get_by_role("link", name="Download the checkpoint")).to_have_count(0)
        expect(page.get_by_role("link", name="Download the log")).to_be_visible()


def test_a_wrong_address_leads_on_in_the_viewer_s_own_words(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, locale="ja-JP", allowed=("503", "404")) as viewer:
        page = viewer.page
        page.goto(f"{url}/tables/{FAULTY}/shoes/1/rounds/999")
        expect(page.locator(".trouble h1")).to_have_text(TEXTS["trouble.404"]["ja"])
        assert "there is no" not in page.locator("main").inner_text()
        expect(page.locator(f'.ways a[href="/tables/{FAULTY}/shoes/1"]')).to_be_visible()


@pytest.mark.parametrize("width", [360, 390, 1366])
def test_nothing_of_bets_rounds_and_odds_is_cut(chromium: Browser, url: str, width: int) -> None:
    cut = """(names) => [...document.querySelectorAll(names)].map((one) =>
        [one.className, one.scrollWidth - one.clientWidth])"""
    with Looking(chromium, url, width=width, allowed=("503", "404")) as viewer:
        page = viewer.go(PAGES["table"])
        ready(page)
        expect(page.locator(".odds tbody tr")).not_to_have_count(0)
        for name, over in page.evaluate(cut, ".sheet.recent, .sheet.bets, .sheet.odds"):
            assert over == 0, name
        tall = "(one) => one.scrollHeight - one.clientHeight"
        assert page.locator(".sheet.odds").evaluate(tall) <= 0
        assert page.locator(".sheet.bets").evaluate(tall) <= 0
        expect(page.locator("th.time").first).to_have_text(re.compile("Time, .+"))


def test_words_of_a_table_are_explained_by_keyboard(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("503", "404")) as viewer:
        page = viewer.go(PAGES["table"])
        page.locator(".help summary").focus()
        page.keyboard.press("Enter")
        for word in ("Running count", "Cut card", "Burned face down", "Not final"):
            expect(page.locator(".help dt", has_text=word)).to_be_visible()


def test_a_table_that_only_logs_know_is_reached(chromium: Browser, url: str) -> None:
    with Looking(chromium, url, allowed=("503", "404")) as viewer:
        page = viewer.go("/")
        page.locator(".logs a", has_text=FAULTY).click()
        page.wait_for_url(f"**/tables/{FAULTY}/shoes/1")
        ready(page)
        table = page.locator(f'a[href="/tables/{FAULTY}"]')
        expect(page.locator(".crumbs")).to_contain_text(FAULTY)
        expect(table).to_have_count(0)
        page.locator(".whole tbody a").first.click()
        page.wait_for_url("**/rounds/1")
        ready(page)
        expect(table).to_have_count(0)
