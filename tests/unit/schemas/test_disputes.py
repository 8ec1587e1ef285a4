"""Claims, findings and names as a dispute's record may carry them."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.disputes import LONGEST_NAME, LONGEST_TEXT, checked_words, clip_name
from schemas.errors import InputError


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("  the stake was 5,000  ", "the stake was 5,000"),
        ("五千ドル\u3000賭けました", "五千ドル\u3000賭けました"),
        ("क्\u200dष", "क्\u200dष"),
        ("<b>&amp;</b> \"'`", "<b>&amp;</b> \"'`"),
        ("x" * LONGEST_TEXT, "x" * LONGEST_TEXT),
    ],
)
def test_plain_text_of_one_line_is_kept(said: str, kept: str) -> None:
    assert checked_words(said, "--claim") == kept


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("", "--claim: nothing is said; say it in a few words"),
        ("   ", "--claim: nothing is said; say it in a few words"),
        ("a\nb", "--claim: the character U+000A cannot be in it; write one line of plain text"),
        ("\x1b[2J", "--claim: the character U+001B cannot be in it; write one line of plain text"),
        (
            "\u202egnp",
            "--claim: the character U+202E cannot be in it; write one line of plain text",
        ),
        ("a\u2028b", "--claim: the character U+2028 cannot be in it; write one line of plain text"),
        ("\udcff", "--claim: the character U+DCFF cannot be in it; write one line of plain text"),
        ("x" * 501, "--claim: 501 characters are too many; use 500 at most, and attach the rest"),
    ],
)
def test_what_is_none_is_refused_in_one_line(said: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        checked_words(said, "--claim")
    assert str(refused.value) == says


@given(st.text(max_size=600))
def test_whatever_is_said_is_kept_or_refused(said: str) -> None:
    try:
        kept = checked_words(said, "--claim")
    except InputError as refused:
        assert str(refused).isprintable()  # noqa: PT017 - both ends are allowed
    else:
        assert kept == said.strip(" ")
        assert checked_words(kept, "--claim") == kept
        assert not any(unicodedata.category(one) in {"Cc", "Cs", "Zl", "Zp"} for one in kept)


def test_of_a_clip_the_last_part_of_its_path_is_kept() -> None:
    assert clip_name(PurePosixPath("/home/sue/table 7.mp4"), "--attach") == "table 7.mp4"
    for name in ("a\tb.mp4", "x" * (LONGEST_NAME + 1), "/"):
        with pytest.raises(InputError):
            clip_name(PurePosixPath(name), "--attach")
