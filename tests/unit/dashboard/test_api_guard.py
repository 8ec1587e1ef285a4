"""The guard: what is refused before anybody reads it, the token, and every answer's headers."""

from __future__ import annotations

import base64
import contextlib
from typing import TYPE_CHECKING

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from services.dashboard.web import policies
from services.dashboard.web.pages import Shelf
from services.dashboard.web.rate import Buckets
from services.dashboard.web.safe_app import Bounds, SafeApp
from services.dashboard.web.token import COOKIE, HOLDS_S, Door
from tests.support.asked_board import Answer, ask

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

TOKEN = "correct horse battery staple"  # noqa: S105 - a test's own
BEARER = {"authorization": f"Bearer {TOKEN}"}


async def _well(_request: Request) -> Response:
    return PlainTextResponse("well")


async def _bug(_request: Request) -> Response:
    raise RuntimeError("secret of the house")


ROUTES = [
    Route(path, _well)
    for path in (
        "/",
        "/healthz",
        "/readyz",
        "/metrics",
        "/signin",
        "/static/{name:path}",
        "/public/",
        "/api/tables/{table}",
        "/public/api/tables",
    )
] + [Route("/api/bug", _bug)]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    (tmp_path / "signin.html").write_text("<!doctype html><title>Sign in</title>")
    (tmp_path / "404.html").write_text("<!doctype html><title>Nothing here</title>")
    return Shelf(tmp_path)


@pytest.fixture
def app(shelf: Shelf) -> SafeApp:
    return SafeApp(ROUTES, shelf)


@pytest.fixture
def shut(shelf: Shelf) -> SafeApp:
    return SafeApp(ROUTES, shelf, TOKEN)


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/api/tables/T7", 200),
        ("/api/tables/%547", 200),
        ("/api/tables/T7%00", 400),
        ("/api/tables/%ff", 400),
        ("/api/tables/%c0%af", 400),
        ("/api/tables/%e0%80%af", 400),
        ("/api/tables/%ed%a0%80", 400),
        ("/api/tables/%zz", 400),
        ("/api/tables/T7%", 400),
        ("/api/tables/..%2f..%2fetc%2fpasswd", 400),
        ("/api/tables/%2e%2e", 400),
        ("/api/tables/%2e%2e%5c%2e%2e", 400),
        ("/api/tables/..", 400),
        ("/api/../api/tables/T7", 400),
        ("/api//tables/T7", 400),
        ("//evil.example/", 400),
        ("/api/tables/%252e%252e%252f", 400),
        ("/api/tables/T7%0d%0aset-cookie:x=1", 400),
        ("/api/tables/T7%7f", 400),
        ("http://evil.example/api/tables/T7", 400),
        ("*", 400),
        ("/api/tables/T7/", 404),
        ("/api/tables/%e5%8d%93", 404),
        ("/api/tables/T7;a=b", 404),
        ("/api/tables/T7%20", 404),
        ("/api/tables/<script>", 404),
        ("/" + "a" * 600, 414),
        ("/api/tables/T7?" + "a" * 13_000, 414),
        ("/api/tables/T7?a=%ff", 400),
        ("/api/tables/T7?a=%00", 400),
        ("/api/tables/T7?a=%", 400),
    ],
)  # fmt: skip
def test_paths_are_read_in_one_way_or_not_at_all(app: SafeApp, target: str, status: int) -> None:
    answer = ask(app, target)
    assert answer.status == status
    _headed(answer)
    if status != 200 and target.startswith("/api/"):
        assert set(answer.json()) == {"error", "mend"}
        assert b"\n" not in answer.body


def _headed(answer: Answer) -> None:
    for name, value in policies.HEADERS.items():
        assert answer.headers[name] == value
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "BREW"]
)
def test_only_reading_methods_are_taken(shut: SafeApp, method: str) -> None:
    answer = ask(shut, "/api/tables/T7", method)
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")
    _headed(answer)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-length": "0"}, 200),
        ({"content-length": "5"}, 413),
        ({"content-length": "-0"}, 413),
        ({"transfer-encoding": "chunked"}, 413),
        ({f"x-{n}": "1" for n in range(200)}, 431),
        ({"x-long": "a" * 40_000}, 431),
    ],
)
def test_bodies_and_heaps_of_headers_are_refused(
    app: SafeApp, headers: dict[str, str], status: int
) -> None:
    assert ask(app, "/api/tables/T7", headers=headers).status == status


def test_head_has_no_body(app: SafeApp) -> None:
    answer = ask(app, "/api/tables/T7", "HEAD")
    assert (answer.status, answer.body, answer.headers["content-length"]) == (200, b"", "4")


def test_a_bug_is_one_line_without_its_text(app: SafeApp) -> None:
    async def seen(scope: Scope, receive: Receive, send: Send) -> None:
        with contextlib.suppress(RuntimeError):  # it is uvicorn's to log it
            await app(scope, receive, send)

    answer = ask(seen, "/api/bug")
    assert answer.status == 500
    assert b"secret" not in answer.body
    assert set(answer.json()) == {"error", "mend"}
    _headed(answer)


@pytest.mark.parametrize(
    "target", ["/healthz", "/readyz", "/signin", "/static/a.js", "/public/", "/public/api/tables"]
)
def test_what_is_open_needs_no_token(shut: SafeApp, target: str) -> None:
    assert ask(shut, target).status == 200


@pytest.mark.parametrize("target", ["/api/tables/T7", "/metrics", "/api/nothing", "/session"])
def test_data_needs_the_token(shut: SafeApp, target: str) -> None:
    answer = ask(shut, target)
    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert set(answer.json()) == {"error", "mend"}
    _headed(answer)


@pytest.mark.parametrize("target", ["/", "/tables/T7", "/nothing"])
def test_pages_show_the_way_in(shut: SafeApp, target: str) -> None:
    answer = ask(shut, target)
    assert answer.status == 401
    assert b"Sign in" in answer.body
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-security-policy"] == policies.PAGE


@pytest.mark.parametrize(
    ("told", "status"),
    [
        (f"Bearer {TOKEN}", 200),
        (f"bearer   {TOKEN} ", 200),
        (f"Bearer {TOKEN}x", 401),
        (f"Bearer {TOKEN[:-1]}", 401),
        ("Bearer ", 401),
        ("Bearer", 401),
        ("", 401),
        ("Bearer \xff\xfe", 401),
        (TOKEN, 401),
        ("Basic " + base64.b64encode(TOKEN.encode()).decode(), 401),
    ],
)
def test_the_bearer_token_opens(shut: SafeApp, told: str, status: int) -> None:
    assert ask(shut, "/api/tables/T7", headers={"authorization": told}).status == status


def test_the_token_in_the_address_opens_nothing(shut: SafeApp) -> None:
    target = f"/api/tables/T7?token={TOKEN.replace(' ', '%20')}"
    assert ask(shut, target).status == 401


def test_a_session_stands_for_the_token(shut: SafeApp) -> None:
    signed = ask(shut, "/session", headers=BEARER)
    assert signed.status == 204
    assert signed.body == b""
    cookie = signed.headers["set-cookie"]
    kept, *words = (part.strip() for part in cookie.split(";"))
    assert set(words) == {"Path=/", "HttpOnly", "SameSite=Strict"}
    assert TOKEN not in cookie
    with_cookie = {"cookie": f"other=1; {kept}"}
    assert ask(shut, "/api/tables/T7", headers=with_cookie).status == 200
    assert ask(shut, "/session", headers=with_cookie).status == 204
    assert ask(shut, "/api/tables/T7", headers={"cookie": kept[:-1] + "x"}).status == 401
    value = kept.partition("=")[2]
    until, _, seal = value.partition(".")
    later = f"{COOKIE}={int(until) + 1}.{seal}"
    assert ask(shut, "/api/tables/T7", headers={"cookie": later}).status == 401


def test_a_session_ends() -> None:
    now = 1_000.0
    door = Door(TOKEN, lambda: now)
    cookie = door.session(secure=True)
    assert cookie.endswith("; Secure")
    assert door.admits(cookie)
    now += HOLDS_S + 1
    assert not door.admits(cookie)


def test_another_token_has_other_sessions() -> None:
    assert not Door("another").admits(Door(TOKEN).session(secure=False))


def test_a_door_shows_nothing_of_its_token() -> None:
    assert repr(Door(TOKEN)) == "Door(shut=True)"
    assert not Door("").shut


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:8080", 200),
        ("127.0.0.1:8080", 200),
        ("[::1]:8080", 200),
        ("board", 200),
        ("board.localhost:1", 200),
        ("", 200),
        ("evil.example", 421),
        ("evil.example:8080", 421),
        ("EVIL.EXAMPLE.", 421),
        ("127.0.0.1.evil.example", 421),
        ("[evil.example]", 421),
    ],
)
def test_a_board_without_a_token_has_no_name_of_another(
    app: SafeApp, shut: SafeApp, host: str, status: int
) -> None:
    assert ask(app, "/api/tables/T7", host=host).status == status
    assert ask(app, "/public/api/tables", host=host).status == 200
    assert ask(shut, "/api/tables/T7", headers=BEARER, host=host).status == 200


def test_a_named_proxy_passes_its_name_on(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    assert ask(SafeApp(ROUTES, shelf), "/api/tables/T7", host="board.example").status == 200


def test_too_many_requests_wait(shelf: Shelf) -> None:
    app = SafeApp(ROUTES, shelf, bounds=Bounds(rate=0.5, burst=3))
    assert [ask(app, "/api/tables/T7").status for _ in range(4)] == [200, 200, 200, 429]
    refused = ask(app, "/api/tables/T7")
    assert refused.headers["retry-after"] == "2"
    assert ask(app, "/api/tables/T7", address="192.0.2.2").status == 200


def test_what_may_take_a_while_counts_more(shelf: Shelf) -> None:
    app = SafeApp(ROUTES, shelf, bounds=Bounds(rate=0.001, burst=10))
    shoes = [ask(app, "/api/tables/T7/shoes/1/rounds/2").status for _ in range(4)]
    assert shoes == [404, 404, 404, 429]
    static = [ask(app, "/static/a.js", address="192.0.2.2").status for _ in range(99)]
    assert set(static) == {200}


def test_guessing_is_slow(shelf: Shelf) -> None:
    app = SafeApp(ROUTES, shelf, TOKEN, Bounds(rate=0.001, burst=50))
    wrong = {"authorization": "Bearer guess"}
    tried = [ask(app, "/api/tables/T7", headers=wrong).status for _ in range(6)]
    assert tried == [401, 401, 401, 401, 429, 429]


def test_buckets_fill_again_and_are_bounded() -> None:
    now = 0.0
    buckets = Buckets(2.0, 4.0, lambda: now, most=3)
    assert [buckets.take("a") for _ in range(5)] == [0.0, 0.0, 0.0, 0.0, 0.5]
    now = 0.5
    assert [buckets.take("a"), buckets.take("a")] == [0.0, 0.5]
    for n in range(100):
        buckets.take(f"10.0.0.{n}")
    assert len(buckets) == 3


def test_one_subscriber_is_one_address() -> None:
    buckets = Buckets(1.0, 1.0, lambda: 0.0)
    assert buckets.take("2001:db8::1") == 0.0
    assert buckets.take("2001:db8::ffff:2") == 1.0
    assert buckets.take("2001:db8:0:1::1") == 0.0
    assert buckets.take("::ffff:192.0.2.1") == 0.0
    assert buckets.take("192.0.2.1") == 1.0
