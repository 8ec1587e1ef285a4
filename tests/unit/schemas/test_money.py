"""Exact fractions and amounts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.money import LARGEST, is_amount, parse_fraction, spell_fraction


def test_fractions_that_we_use() -> None:
    assert parse_fraction("8/1") == 8
    assert parse_fraction("19/20") == Fraction(19, 20)
    assert parse_fraction("0/1") == 0
    assert spell_fraction(Fraction(54, 100)) == "27/50"


@given(above=st.integers(0, 10**9 - 1), below=st.integers(1, 10**9 - 1))
def test_what_is_spelled_is_read_back(above: int, below: int) -> None:
    fraction = Fraction(above, below)
    assert parse_fraction(spell_fraction(fraction)) == fraction


@pytest.mark.parametrize(
    "text",
    [
        *("", "8", "8:1", "8/", "/1", "8/0", "-8/1", "+8/1", "08/1", "8/01", "8 /1", "8/1 "),
        *("2/4", "0/2", "0.5/1", "1e2/1", "٨/1", "nan/1", "8/1/1", "8/1\n"),
        "1" * 10 + "/1",
        "1/" + "1" * 10,
    ],
)
def test_another_spelling_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_fraction(text)


def test_a_fraction_that_could_be_shorter_is_told_how() -> None:
    with pytest.raises(InputError, match="'38/40' is not in lowest terms; write 19/20"):
        parse_fraction("38/40")


@pytest.mark.parametrize("value", [1, 1900, LARGEST])
def test_amounts(value: object) -> None:
    assert is_amount(value)


@pytest.mark.parametrize("value", [0, -1, LARGEST + 1, 2**63, 1.0, True, "1", None, [1]])
def test_what_is_no_amount(value: object) -> None:
    assert not is_amount(value)
