"""The board's pages beside a live table: from the lobby to a round, and on when the board dies."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.support.board import Board, board_in
from tests.support.board_pages import Looking
from tests.support.said import Said, said_at, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.integration]
_names = itertools.count(1)
NONE = "\u2013"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with board_in(tmp_path_factory.mktemp("board")) as board:
        yield board


def upto(said: Sequence[Said], kind: bytes, number: int) -> int:
    """Give the place after the nth entry of this type."""
    hits = [place for place, one in enumerate(said) if b'"type":"%s"' % kind in one.data]
    return hits[number - 1] + 1


def opened(board: Board, log: str) -> tuple[str, tuple[Said, ...]]:
    """Show a new table, and give what is to be said at it."""
    table = f"{log}-{next(_names)}"
    board.show(table)
    return table, said_at(log, table)


def test_from_the_lobby_to_a_round(chromium: Browser, board: Board) -> None:
    table, said = opened(board, "DISPUTED")
    with Looking(chromium, board.url, allowed=("404", "503")) as viewer:
        page = viewer.go("/")
        tile = page.locator("a.tile", has_text=table)
        expect(tile).to_contain_text("no shoe yet")
        one = upto(said, b"round.audited", 1)
        say(board.client, table, said[:one])
        expect(tile).to_contain_text("shoe 1 · 1 round")
        expect(tile.locator(".lamp")).to_have_text("Not final")
        expect(tile.locator(".since")).to_have_text(re.compile("ago"))
        tile.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Table {table}")
        expect(page.locator("#line")).to_contain_text("Live")
        expect(page.locator(".play .card.up")).not_to_have_count(0)
        # The round that is over stays until the next one's first card; then card by card: what is
        # said falls at once, in deal order, each with its reason.
        won = page.locator(".banner").inner_text()
        begun = upto(said, b"bets.closed", 2)
        say(board.client, table, said[one:begun])
        expect(page.locator(".coming").first).to_have_text("Round 2: No more bets")
        expect(page.locator(".round-name")).to_have_text("Round 1")
        expect(page.locator(".banner")).to_have_text(won)
        for number in range(1, 5):
            card = upto(said, b"card.drawn", drawn_before(said, begun) + 1)
            say(board.client, table, said[begun:card])
            begun = card
            expect(page.locator(".play .card")).to_have_count(number)
            row = page.locator(".course li").nth(number - 1)
            expect(row).to_contain_text(f"Card {number} of the first four")
        two = upto(said, b"round.audited", 2)
        say(board.client, table, said[begun:two])
        expect(page.locator(".course")).to_contain_text("banker stands on 6")
        expect(page.locator("#said")).to_have_text(re.compile(r"Round 2: .+, \d to \d"))
        expect(page.locator(".bets .tag.win, .bets .tag.lose")).not_to_have_count(0)
        expect(page.locator(".results tbody tr")).to_have_count(2)
        expect(page.locator(".bead text")).to_have_count(2)
        page.locator(".results a", has_text="2").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Table {table}, round 2")
        expect(page.locator(".cards-sheet tbody tr")).not_to_have_count(0)


SEEN = """
() => new Promise((done) => {
    const seen = [];
    const timer = setInterval(() => {
        seen.push({
            won: document.querySelector(".banner").className !== "banner ",
            hidden: document.querySelectorAll(".play .card.down").length > 0,
            round: Number(document.querySelector(".round-name").textContent.match(/\\d+/)),
            listed: Number(document.querySelector(".results tbody th")?.textContent),
            house: document.querySelector(".house").textContent.trim() !== "",
            beads: document.querySelectorAll(".bead text").length,
            toast: document.querySelector(".toast")?.textContent ?? "",
        });
        if (seen.at(-1).round < UNTIL) return;
        clearInterval(timer);
        done(seen);
    }, 50);
})
"""


def test_at_a_quick_table_the_winner_is_seen_and_nothing_is_told_before_the_cards(
    chromium: Browser, board: Board
) -> None:
    # As `serve --pace 2` deals: a round's entries at once, and two seconds to the next.
    table, said = opened(board, "DISPUTE-DRAW")
    ends = [upto(said, b"round.audited", number) for number in range(12, 19)]
    say(board.client, table, said[: ends[1]])
    with Looking(chromium, board.url, still=False, allowed=("404", "503")) as viewer:
        page = viewer.go(f"/tables/{table}")
        page.evaluate("window.seen = (" + SEEN.replace("UNTIL", "18") + ")(); null")
        for begun, end in itertools.pairwise(ends[1:]):
            say(board.client, table, said[begun:end])
            page.wait_for_timeout(2_000)
        seen = [one for one in page.evaluate("window.seen") if 14 < one["round"] < 18]
    # Of 120 looks; a busy machine looks less often.
    assert len(seen) > 20
    assert any(one["hidden"] for one in seen)
    assert sum(one["won"] for one in seen) > 0.5 * len(seen)
    for one in seen:
        assert not (one["hidden"] and one["won"])
        if one["hidden"]:
            assert one["listed"] == one["beads"] == one["round"] - 1
            assert not one["house"]
            assert "round" not in one["toast"] or "in round 17" in one["toast"]
    assert "in round" not in seen[-1]["toast"]
    assert "round 17" in seen[-1]["toast"]


def test_cards_that_are_hidden_by_choice_are_not_told_beside(
    chromium: Browser, board: Board
) -> None:
    table, said = opened(board, "CLEAN")
    one, two = upto(said, b"round.audited", 1), upto(said, b"round.audited", 2)
    say(board.client, table, said[:one])
    hidden = {"hands": "hidden"}
    with Looking(chromium, board.url, options=hidden, allowed=("404", "503")) as viewer:
        page = viewer.go(f"/tables/{table}")
        rows = page.locator(".results tbody tr")
        # What was before is not known here: all of it waits.
        expect(page.locator(".roads .boards")).to_be_hidden()
        expect(rows).to_have_count(1)
        expect(rows.first).to_be_hidden()
        page.keyboard.press("r")
        expect(rows.first).to_be_visible()
        say(board.client, table, said[one:two])
        expect(page.locator(".round-name")).to_have_text("Round 2")
        expect(page.locator(".play .card.down")).not_to_have_count(0)
        page.locator(".play .card.down").first.click()
        expect(page.locator(".hand .total")).to_have_text([NONE, NONE])
        expect(page.locator(".course .sum").nth(2)).to_have_text("")
        expect(rows).to_have_count(1)
        expect(page.locator(".house")).to_have_text("\u00a0", use_inner_text=False)
        page.keyboard.press("r")
        expect(rows).to_have_count(2)
        expect(page.locator(".house")).to_contain_text("result")
        expect(page.locator("#said")).to_contain_text("Round 2")


def drawn_before(said: Sequence[Said], place: int) -> int:
    return sum(b'"type":"card.drawn"' in one.data for one in said[:place])


def test_it_goes_on_when_the_board_was_killed_in_mid_shoe(chromium: Browser, board: Board) -> None:
    table, said = opened(board, "MISDRAW-HAND")
    parts = [upto(said, b"round.audited", number) for number in (1, 2, 4)]
    with Looking(chromium, board.url, allowed=("ERR_", "503")) as viewer:
        say(board.client, table, said[: parts[0]])
        page = viewer.go(f"/tables/{table}")
        rows = page.locator(".results tbody tr")
        expect(rows).to_have_count(1)
        # Each entry that comes in is counted, by the page's own listening.
        board.worker.kill()
        expect(page.locator("#line")).to_contain_text("Line lost")
        expect(page.locator("body")).to_have_class(re.compile("stale"))
        say(board.client, table, said[parts[0] : parts[1]])
        board.worker.start()
        board.until_ready(table)
        expect(rows).to_have_count(2, timeout=20_000)
        expect(page.locator("#line")).to_contain_text("Live")
        say(board.client, table, said[parts[1] : parts[2]])
        expect(rows).to_have_count(4)
        numbers = page.locator(".results tbody th").all_inner_texts()
        assert numbers == ["4", "3", "2", "1"]
        expect(page.locator(".bead text")).to_have_count(4)
        cards = board.get(f"/api/tables/{table}")[1]
        shown = page.locator(".tally .figure dd").first
        expect(shown).to_have_text("4")
        assert cards


def test_findings_come_with_an_alert(chromium: Browser, board: Board) -> None:
    table, said = opened(board, "DISPUTE-DRAW")
    before = upto(said, b"round.audited", 16)
    after = upto(said, b"round.audited", 17)
    say(board.client, table, said[:before])
    clean, _ = opened(board, "CLEAN")
    with Looking(chromium, board.url, allowed=("404", "503")) as viewer:
        page = viewer.go("/")
        expect(page.locator("a.tile", has_text=table)).to_contain_text("16 rounds")
        assert page.locator("#alerts .toast").count() == 0
        say(board.client, table, said[before:after])
        alert = page.locator("#alerts[role=alert] .toast.fault")
        expect(alert).to_contain_text(f"at table {table}, round 17")
        expect(page.locator("#badge")).to_contain_text("1 new finding")
        expect(page.locator("a.tile", has_text=table)).to_contain_text("1 fault")
        page.get_by_label("Only with faults").check()
        expect(page.locator("a.tile", has_text=clean)).to_be_hidden()
        expect(page.locator("a.tile", has_text=table)).to_be_visible()
        alert.get_by_role("link").click()
        expect(page.locator(".finding.fault")).to_have_count(1)
        expect(page.locator(".audited .lamp.fail")).to_have_count(1)
        expect(page.locator(".beside a")).to_have_text(["Round before"])
        viewer.go(f"/tables/{table}")
        expect(page.locator(".recent td.audit .lamp.fail")).to_have_count(1)
        expect(page.locator(".recent td.audit .lamp.pass")).not_to_have_count(0)
        page.get_by_role("link", name="Findings").click()
        expect(page.locator(".finding", has_text=table)).to_have_count(1)
        expect(page.locator("#badge")).to_be_hidden()
        code = page.locator(".finding", has_text=table).locator(".finding-head code").inner_text()
        page.get_by_label("Code").fill("payout")
        page.get_by_label("Table", exact=True).fill(table)
        page.get_by_role("button", name="Show these").click()
        expect(page.get_by_text("No finding is as you ask")).to_be_visible()
        page.get_by_label("Code").fill(code)
        page.keyboard.press("Enter")
        expect(page.locator(".finding")).to_have_count(1)
        assert page.url.endswith(f"?code={code}&table={table}")


#: The pitch of each tone that is begun, as it is begun.
HEARD = """
window.heard = [];
window.OscillatorNode = class extends OscillatorNode {
    start(when) {
        window.heard.push(this.frequency.value);
        super.start(when);
    }
};
"""


def test_no_finding_tells_of_cards_that_are_hidden_but_by_a_sound_where_it_is_chosen(
    chromium: Browser, board: Board
) -> None:
    table, said = opened(board, "DISPUTE-DRAW")
    ends = [upto(said, b"round.audited", number) for number in (14, 15, 16, 17)]
    say(board.client, table, said[: ends[0]])
    hidden = {"hands": "hidden"}
    with Looking(chromium, board.url, options=hidden, allowed=("404", "503")) as viewer:
        viewer.page.add_init_script(HEARD)
        page = viewer.go(f"/tables/{table}")
        page.keyboard.press("r")  # after a key a browser lets be heard what sounds
        say(board.client, table, said[ends[0] : ends[1]])
        expect(page.locator(".round-name")).to_have_text("Round 15")
        page.keyboard.press("r")
        expect(page.locator("#said")).to_contain_text("Round 15")
        assert page.evaluate("heard") == []
        page.locator("#top button.options").click()
        page.get_by_role("group", name="Sound").get_by_role("radio", name="On").click()
        page.locator("dialog .primary").click()
        say(board.client, table, said[ends[1] : ends[2]])
        expect(page.locator(".round-name")).to_have_text("Round 16")
        assert not {392, 523, 440} & set(page.evaluate("heard"))  # nor is a winner heard
        page.keyboard.press("r")
        board.crew.until(lambda: {392, 523} <= set(page.evaluate("heard")), "a winner's tones")
        lobby, findings = viewer.context.new_page(), viewer.context.new_page()
        lobby.goto(f"{board.url}/")
        findings.goto(f"{board.url}/findings?table={table}")
        expect(lobby.locator("a.tile", has_text=table)).to_contain_text("16 rounds")
        expect(findings.locator("#line")).to_contain_text("Live")
        assert 660 not in page.evaluate("heard")
        say(board.client, table, said[ends[2] : ends[3]])
        board.crew.until(lambda: page.evaluate("heard").count(660) == 2, "a finding's tones")
        one = findings.locator(".finding")
        told = (page.locator(".toast"), lobby.locator(".toast"), findings.locator(".toast"), one)
        for where in told:
            expect(where).to_contain_text(f"at table {table}, in round 17")
            expect(where.locator("a[href*=rounds], code, dl, bdi")).to_have_count(0)
        # Come anew, what was before is not known: the list of findings is all that is shown.
        page.reload()
        listed = page.locator(".table-grid .finding")
        expect(listed).to_contain_text("in round 17")
        expect(listed.locator("code, dl")).to_have_count(0)
        one.get_by_role("button", name="Show it now").click()
        expect(one.locator("dl")).to_have_count(1)
        expect(lobby.locator(".toast a[href*='rounds/17']")).to_have_count(1)
        page.keyboard.press("r")
        expect(listed.locator("dl")).to_have_count(1)
        expect(page.locator(".hand .total").first).not_to_have_text(NONE)


def test_a_new_shoe_takes_the_place_of_the_old(chromium: Browser, board: Board) -> None:
    table, said = opened(board, "DISPUTED")
    last = upto(said, b"shoe.audited", 1)
    say(board.client, table, said[:last])
    with Looking(chromium, board.url, allowed=("404", "503")) as viewer:
        page = viewer.go(f"/tables/{table}")
        expect(page.locator(".under")).to_contain_text("closed")
        expect(page.locator(".lamp-place")).to_have_text("Pass")
        say(board.client, table, said[last : last + 1])
        expect(page.locator(".under")).to_contain_text("Shoe 2")
        expect(page.locator(".lamp-place")).to_have_text("Not audited")
        expect(page.locator(".results tbody tr")).to_have_count(0)
        expect(page.locator("#said")).to_have_text("A new shoe: shoe 2")
