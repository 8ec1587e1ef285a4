"""What a viewer of the board may choose, kept for him; and what he may not see in public."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.support.board import Board, board_in
from tests.support.board_pages import Looking
from tests.support.said import said_at, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.integration]
TABLE = "CHOSEN"
NONE = "\u2013"
EVIL = '<img src=x onerror="window.got=1"><script>window.got=2</script>'
WORD = "known-to-this-test-only"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A table in mid-shoe; a bettor's claim and a dealer's name are markup, if one lets them."""
    with board_in(tmp_path_factory.mktemp("board")) as board:
        board.show(TABLE, "EVIL")
        clean = said_at("CLEAN", TABLE)
        ends = [at for at, one in enumerate(clean) if b'"type":"round.audited"' in one.data]
        say(board.client, TABLE, clean[: ends[20] + 1])
        spelled = json.dumps(EVIL)[1:-1].encode()
        said = [
            one._replace(
                data=one.data.replace(b'"dealer":"dora"', b'"dealer":"%s"' % spelled).replace(
                    b"I had two chips of 25 on player, and was paid on one", spelled
                )
            )
            for one in said_at("DISPUTED", "EVIL")
        ]
        say(board.client, "EVIL", said)
        board.crew.until(
            lambda: board.get("/api/tables/EVIL")[1].count(b"onerror") >= 2, "it to be read"
        )
        yield board


def choose(page: Page, group: str, name: str) -> None:
    page.locator("#top button.options").click()
    page.get_by_role("group", name=group).get_by_role("radio", name=name, exact=True).click()
    page.locator("dialog .primary").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_all_options_hold_at_once_and_are_kept(chromium: Browser, board: Board) -> None:
    with Looking(chromium, board.url, color_scheme="light", allowed=("404", "503")) as viewer:
        page = viewer.go(f"/tables/{TABLE}")
        root = page.locator("html")
        back = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(back)
        choose(page, "Light or dark", "Dark")
        assert page.evaluate(back) != light
        choose(page, "Card colours", "Four")
        expect(root).to_have_attribute("data-colours", "four")
        choose(page, "Card back", "Waves")
        expect(root).to_have_attribute("data-back", "waves")
        marks = page.locator(".score td.banker", has_text=re.compile(r"\S"))
        expect(marks.first).to_have_text("X")
        choose(page, "Score card", "Numbers")
        expect(marks.first).to_have_text("1")
        choose(page, "Speed of cards", "Twice")
        choose(page, "Squeeze", "Off")
        choose(page, "Sound", "On")
        expect(page.locator(".play .card.down")).to_have_count(0)
        choose(page, "Hands", "Hidden until turned")
        down = page.locator(".play .card.down")
        expect(down).not_to_have_count(0)
        expect(page.locator(".hand .total").first).to_have_text(NONE)
        choose(page, "Wall screen", "Big type, to be read from 4 m")
        expect(root).to_have_attribute("data-wall", "on")
        assert (
            page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") >= 18
        )
        choose(page, "Language", "日本語")
        expect(page.locator("h1")).to_have_text(f"テーブル {TABLE}")
        page.reload()
        expect(page.locator("h1")).to_have_text(f"テーブル {TABLE}")
        for name, value in {
            "theme": "dark",
            "colours": "four",
            "back": "waves",
            "wall": "on",
        }.items():
            expect(root).to_have_attribute(f"data-{name}", value)
        expect(page.locator(".play .card.down")).not_to_have_count(0)
        page.locator("#top button.options").click()
        page.locator("button.anew").click()
        expect(page.locator("#options-head")).to_have_text("Options")
        page.keyboard.press("Escape")
        expect(page.locator("#top button.options")).to_be_focused()
        expect(page.locator(".play .card.down")).to_have_count(0)


def test_a_hidden_card_is_squeezed_by_hand(chromium: Browser, board: Board) -> None:
    options = {"hands": "hidden"}
    with Looking(
        chromium, board.url, options=options, still=False, allowed=("404", "503")
    ) as viewer:
        page = viewer.go(f"/tables/{TABLE}")
        down = page.locator(".play .card.down")
        expect(down).not_to_have_count(0)
        count = down.count()
        first = down.first
        label = first.get_attribute("aria-label") or ""
        assert "face down" in label
        assert " of " not in label.split(",")[0]
        assert first.locator(".index").first.is_hidden()
        first.focus()
        for _ in range(3):
            page.keyboard.press("ArrowUp")
        assert first.evaluate("(card) => card.style.getPropertyValue('--peel')") == "36%"
        expect(down).to_have_count(count)
        for _ in range(3):
            page.keyboard.press("ArrowUp")
        expect(down).to_have_count(count - 1)
        down.first.click()
        expect(down).to_have_count(count - 2)
        page.keyboard.press("r")
        expect(down).to_have_count(0)
        expect(page.locator(".hand .total").first).not_to_have_text(NONE)


def test_in_public_no_name_no_stake_no_payout(chromium: Browser, board: Board) -> None:
    with Looking(chromium, board.url, allowed=("404", "503")) as viewer:
        bodies: list[str] = []
        viewer.page.on(
            "response",
            lambda answer: (
                bodies.append(answer.text())
                if "/public/api/" in answer.url and "stream" not in answer.url
                else None
            ),
        )
        for path in ("/", "/tables/EVIL", "/tables/EVIL/shoes/2", "/tables/EVIL/shoes/2/rounds/1"):
            page = viewer.go(f"/public{path}")
            expect(page.locator(".public-tag")).to_have_text("public")
            shown = page.locator("body").inner_text()
            for word in ("alice", "bob", "carol", "$", "Bettor", "Findings", "Download"):
                assert word not in shown, (path, word)
            links = page.locator("a[href^='/']").evaluate_all(
                "(all) => all.map((one) => one.getAttribute('href'))"
            )
            assert all(link.startswith("/public/") for link in links), links
        assert bodies
        assert not any(name in body for body in bodies for name in ("alice", "carol", "$"))
        assert not any(url for url in viewer.asked if "/api/" in url and "/public/api/" not in url)


def test_what_people_say_is_text(chromium: Browser, board: Board) -> None:
    with Looking(chromium, board.url, allowed=("404", "503")) as viewer:
        for path in ("/", "/tables/EVIL", "/tables/EVIL/shoes/2", "/tables/EVIL/shoes/2/rounds/1"):
            page = viewer.go(path)
            page.wait_for_load_state("load")
            assert page.evaluate("window.got") is None
            assert page.locator("main :is(img, script, iframe, style, [onerror])").count() == 0
        page = viewer.go("/tables/EVIL")
        expect(page.locator(".dispute q").first).to_have_text(EVIL)
        expect(page.locator(".under")).to_contain_text("<img src=x")


def test_the_token_is_asked_for_and_kept_nowhere(
    chromium: Browser,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    monkeypatch.setenv("SHOETRAIL_DASHBOARD_TOKEN", WORD)
    with (
        board_in(tmp_path_factory.mktemp("signed")) as board,
        Looking(chromium, board.url, allowed=("401", "503")) as viewer,
    ):
        page = viewer.go("/findings?code=payout")
        expect(page.locator("h1")).to_have_text("Sign in")
        page.get_by_label("Token").fill("not-it")
        page.keyboard.press("Enter")
        expect(page.locator("#token-said")).to_have_text("This is not the token.")
        page.get_by_label("Token").fill(WORD)
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text("Findings at all tables")
        assert page.url.endswith("/findings?code=payout")
        kept = page.evaluate("JSON.stringify([localStorage, sessionStorage]) + document.cookie")
        assert WORD not in kept
        assert not any(WORD in url for url in viewer.asked)
