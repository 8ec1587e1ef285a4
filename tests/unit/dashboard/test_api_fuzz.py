"""Whatever an address is spelled like, it gets an answer of ours, and never a bug."""

from __future__ import annotations

import string
from urllib.parse import quote

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from services.dashboard.web import policies
from services.dashboard.web.routes import ADDRESSES
from tests.support.asked_board import ask
from tests.support.boards import board_app

#: What a request line may hold.
VISIBLE = "".join(chr(n) for n in range(0x21, 0x7F) if chr(n) != "#")
PIECES = st.one_of(
    st.text(VISIBLE, max_size=12),
    st.text(max_size=6).map(lambda text: quote(text, safe="")),
    st.binary(max_size=6).map(lambda data: quote(data, safe="")),
    st.integers().map(str),
    st.sampled_from(
        ["..", ".", "", "%2e%2e", "%2f", "%00", "%c0%af", "%25", "CLEAN", "1", "~", "\\", ";", "%"]
    ),
)
PATHS = st.one_of(
    st.text(VISIBLE, max_size=40).map(lambda text: "/" + text),
    st.lists(PIECES, max_size=6).map(lambda parts: "/" + "/".join(parts)),
    st.tuples(st.sampled_from(ADDRESSES), PIECES, PIECES, PIECES).map(
        lambda drawn: drawn[0].path.format(table=drawn[1], shoe=drawn[2], round=drawn[3])
    ),
)
NAMES = st.sampled_from(["code", "table", "limit", "before", "rules", "after", "x", ""])
QUERIES = st.lists(st.tuples(NAMES, PIECES), max_size=4).map(
    lambda pairs: "".join(f"&{name}={value}" for name, value in pairs)
)
EXPECTED = {200, 308, 400, 404, 405, 414, 503}
OPEN = board_app()
SHUT = board_app(token="a token that nobody guesses")  # noqa: S106 - a test's own


@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(path=PATHS, query=QUERIES, method=st.sampled_from(["GET", "HEAD", "POST"]))
@example(path="/api/tables/CLEAN/shoes/1", query="&x=%", method="GET")
def test_every_address_is_answered(path: str, query: str, method: str) -> None:
    answer = ask(OPEN, f"{path}?{query}" if query else path, method)
    assert answer.status in EXPECTED
    assert answer.headers["x-content-type-options"] == policies.HEADERS["x-content-type-options"]
    if answer.status == 405:
        assert method == "POST"
    if method == "HEAD":
        assert answer.body == b""
    elif answer.headers.get("content-type") == "application/json" and answer.status >= 400:
        assert set(answer.json()) == {"error", "mend"}


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(["if-none-match", "authorization", "cookie", "last-event-id", "accept"]),
    value=st.text(string.printable.strip() + "\x80\xff ", max_size=60),
)
def test_every_header_is_answered(name: str, value: str) -> None:
    assert ask(SHUT, "/api/rules", headers={name: value}).status == 401
    assert ask(OPEN, "/api/rules", headers={name: value}).status in {200, 304}
