"""Pages and what they load: fixed files, right types, and a policy that nothing slips past."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from services.dashboard.web import policies
from services.dashboard.web.pages import PAGES, STATIC, TYPES, Shelf, page_routes, status_page
from services.dashboard.web.safe_app import Bounds, SafeApp
from tests.support.asked_board import ask
from tests.support.checker import policy

if TYPE_CHECKING:
    from services.dashboard.web.safe_app import SafeApp as App

ROOT = Path(__file__).parents[3]
PLAIN = {"table": "T7", "shoe": "12", "round": "17"}
OURS = [file for file in PAGES.values() if file != "checker.html"]


@pytest.fixture(scope="module")
def app() -> App:
    shelf = Shelf()
    return SafeApp(page_routes(shelf), shelf, bounds=Bounds(1e9, 1e9))


@pytest.mark.parametrize(("path", "file"), PAGES.items())
def test_each_page_has_its_address(app: App, path: str, file: str) -> None:
    target = path.format(**PLAIN)
    answer = ask(app, target)
    assert answer.status == 200
    assert answer.body == (STATIC / file).read_bytes()
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    same = ask(app, target, headers={"if-none-match": answer.headers["etag"]})
    assert (same.status, same.body) == (304, b"")
    # A browser puts these headers in place of those that it kept: a page would lose its scripts.
    policy = answer.headers["content-security-policy"]
    assert same.headers.get("content-security-policy", policy) == policy
    public = ask(app, "/public" + target)
    assert public.status == (404 if path in {"/findings", "/signin"} else 200)


def test_public_leads_to_its_page(app: App) -> None:
    answer = ask(app, "/public", host="evil.example")
    assert (answer.status, answer.headers["location"]) == (308, "/public/")


@pytest.mark.parametrize(
    "target",
    ["/tables/-", "/tables/T7/shoes/0", "/tables/T7/shoes/1/rounds/x", "/tables", "/nothing",
     "/tables/T7/", "/tables/T7/shoes/" + "9" * 300, "/public/findings", "/lobby.html"],
)  # fmt: skip
def test_there_is_a_page_for_what_there_is_not(app: App, target: str) -> None:
    answer = ask(app, target)
    assert answer.status == 404
    assert answer.body == (STATIC / "404.html").read_bytes()
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-security-policy"] == policies.PAGE


def test_every_file_that_pages_load_is_served(app: App) -> None:
    served = sorted(file for file in STATIC.rglob("*") if file.suffix in TYPES)
    assert served
    for file in served:
        answer = ask(app, f"/static/{file.relative_to(STATIC).as_posix()}")
        assert (answer.status, answer.body) == (200, file.read_bytes())
        assert answer.headers["content-type"] == TYPES[file.suffix]
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "name", ["lobby.html", "checker.html", "nothing.js", "", "board.css/", ".", "a/../board.css"]
)
def test_no_other_file_is_served(app: App, name: str) -> None:
    assert ask(app, f"/static/{name}").status in {400, 404}


def test_the_checkers_header_is_as_strict_as_the_checker(app: App) -> None:
    told = ask(app, "/checker").headers["content-security-policy"]
    own = policy((STATIC / "checker.html").read_text())
    assert told == f"{own}; frame-ancestors 'none'"


@pytest.mark.parametrize("file", [*OURS, "404.html"])
def test_pages_hold_to_the_policy(file: str) -> None:
    page = (STATIC / file).read_text()
    assert not re.findall(r"<script(?![^>]*\bsrc=)[^>]*>|<style|\bstyle=|\bon[a-z]+=", page)
    for url in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert url.startswith(("/", "#")), url
        assert not url.startswith("//")
        if url.startswith("/static/"):
            assert (STATIC / url.removeprefix("/static/")).is_file(), url


def test_scripts_hold_to_the_policy() -> None:
    for file in STATIC.rglob("*.js"):
        script = file.read_text()
        forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
        assert not re.findall(forbidden, script), file.name
        for name in re.findall(r'(?:from|import)\s*\(?"(\.[^"]+)"', script):
            assert (file.parent / name).is_file(), (file.name, name)


def test_what_is_changed_is_read_again(tmp_path: Path) -> None:
    page = tmp_path / "404.html"
    page.write_text("one")
    shelf = Shelf(tmp_path)
    assert status_page(shelf, 404).body == b"one"
    page.write_text("another")
    assert status_page(shelf, 404).body == b"another"


def test_without_pages_a_line_is_said(tmp_path: Path) -> None:
    assert status_page(Shelf(tmp_path), 401).status_code == 401


def test_every_kind_of_file_is_packed() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packed = told["tool"]["setuptools"]["package-data"]["*"]
    kinds = {f"*{file.suffix}" for file in STATIC.rglob("*") if file.is_file()}
    assert kinds <= set(packed)
