from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.envelope import load_strict
from schemas.errors import InputError, Unreadable

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_what_says_one_thing_is_read(plain: object) -> None:
    try:
        data = json.dumps(plain).encode()
        json.dumps(plain, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    assert load_strict(data, "here") == plain


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n", b"{", b"\xff", b"NaN", b"[Infinity]", b"\xef\xbb\xbf{}", b"{}{}", b"'a'",
        b'{"a":1,"a":1}', b'{"b":{"a":1,"\\u0061":2}}', b'[{"a":1,"a":2}]', b'"\\ud800"',
        b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b"1" * 10_000 + b"x",
    ],
)  # fmt: skip
def test_all_else_is_one_error(data: bytes) -> None:
    with pytest.raises(Unreadable, match="here"):
        load_strict(data, "here")


@given(st.binary(max_size=100))
def test_any_bytes_are_json_or_one_error(data: bytes) -> None:
    try:
        load_strict(data, "here")
    except InputError:
        return
    json.loads(data)
