"""Entries with holes: filled, they are what ``encode`` spells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from schemas.envelope import dump, encode
from schemas.events import BetPlaced, CardDrawn
from schemas.outcomes import HandResult, RoundResolved, Settlement
from schemas.stencil import MEMBERS, NUMBER, TEXT, member, members, stencil

COUNTS = st.integers(0, 2**53 - 1)
TIME = "2026-11-30T03:22:19.123456Z"


@given(COUNTS, COUNTS, COUNTS)
def test_filled_it_is_what_is_encoded(seq: int, number: int, position: int) -> None:
    holed = stencil(
        "12-" + NUMBER, "/tables/T7", CardDrawn(NUMBER, "player", NUMBER, TEXT, command=None)
    )
    told = CardDrawn(number, "player", position, "9H", command=None)
    filled = holed % (seq, TIME.encode(), number, position, b"9H")
    assert filled == encode(f"12-{seq}", "/tables/T7", TIME, told)


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\1\2\3\4\5\6"), max_size=20)


@given(NAMES, COUNTS)
def test_whatever_stands_between_the_holes(name: str, number: int) -> None:
    told = BetPlaced(number, "b", name, "%d%%b", 5, None, command=None)
    holed = BetPlaced(NUMBER, "b", name, "%d%%b", 5, None, command=None)
    assert stencil("1", name, holed) % (TIME.encode(), number) == encode("1", name, TIME, told)


@given(st.lists(COUNTS, max_size=4))
def test_a_list_with_its_members(stakes: list[int]) -> None:
    def paid(stake: int) -> Settlement:
        return Settlement("b", "ann", "tie", stake, "lose", None, 0, 0, 0)

    hand = HandResult(("9H",), 9)
    told = RoundResolved(
        1, "f", "t", hand, hand, "tie", natural=True, settlements=tuple(map(paid, stakes)), house=0
    )
    holed = RoundResolved(
        1, "f", "t", hand, hand, "tie", natural=True, settlements=(MEMBERS,), house=0
    )
    spelled = members(member(paid(NUMBER)) % stake for stake in stakes)
    assert stencil("1", "s", holed) % (TIME.encode(), spelled) == encode("1", "s", TIME, told)
    assert member(paid(7)) == dump(paid(7))
