"""How bettors spell what they ask: kept spellings are those of the envelope."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from schemas import commands as co
from schemas.address import Sources
from schemas.envelope import encode
from services.bettors import Wish
from services.bettors.voice import Voice

#: The second is what somebody else may say the time is.
TIMES = st.sampled_from(["2026-01-01T00:00:00.000000Z", 'at "%d"\\ \u00e9\1\n'])
WISHES = st.lists(
    st.builds(
        Wish,
        st.sampled_from(["player", "banker", "tie", 'a "%d" of\u00e9'])
        | st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"]), max_size=5),
        st.integers(1, 2**53),
        st.none() | st.lists(st.integers(1, 1000), max_size=3).map(tuple),
    ),
    min_size=1,
    max_size=3,
)


@given(st.lists(st.tuples(WISHES, st.integers(1, 99), st.integers(1, 99), TIMES), max_size=6))
def test_bets_are_spelled_as_the_envelope_does(
    said: list[tuple[list[Wish], int, int, str]],
) -> None:
    voice = Voice("T7")
    for wishes, shoe, number, time in said:
        expected = [
            encode(
                f"{shoe}-{number}/ann/{spot}/1",
                Sources("T7").commands,
                time,
                co.BetPlace(number, "ann", spot, stake, chips, index == len(wishes) - 1),
            )
            for index, (spot, stake, chips) in enumerate(wishes)
        ]
        assert voice.answer(shoe, number, "ann", wishes, time) == expected
