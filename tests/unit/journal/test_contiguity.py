from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.address import START, EntryId
from services.journal import Contiguity, Entry
from services.journal.contiguity import break_in, follows

EVENTS, OUTCOMES, NONE = Contiguity.EVENTS, Contiguity.OUTCOMES, Contiguity.NONE
TOP = 2**64 - 1
IDS = st.builds(EntryId, st.integers(0, 3), st.integers(0, 3))


@pytest.mark.parametrize(
    ("kind", "before", "after", "may"),
    [
        (EVENTS, (1, 4), (1, 5), True),
        (EVENTS, (1, 4), (2, 0), True),
        (EVENTS, (1, 4), (1, 6), False),
        (EVENTS, (1, 4), (1, 4), False),
        (EVENTS, (1, 4), (3, 0), False),
        (EVENTS, (1, 4), (2, 1), False),
        (EVENTS, (2, 0), (1, 1), False),
        (EVENTS, START, (1, 0), True),
        (EVENTS, START, (7, 0), True),
        (EVENTS, START, (0, 1), False),
        (EVENTS, START, (1, 1), False),
        (EVENTS, (6, TOP), (7, 0), True),
        (EVENTS, (6, TOP), (8, 0), False),
        (EVENTS, (0, TOP), (1, 0), True),
        (OUTCOMES, (1, 4), (1, 5), True),
        (OUTCOMES, (1, 4), (2, 1), True),
        (OUTCOMES, (1, 4), (5, 1), True),
        (OUTCOMES, (1, 4), (2, 0), False),
        (OUTCOMES, (1, 4), (2, 2), False),
        (OUTCOMES, START, (3, 1), True),
        (OUTCOMES, START, (0, 1), False),
        (OUTCOMES, (6, TOP), (7, 1), True),
        (NONE, START, (1796015889923, 0), True),
        (NONE, (5, 1), (5, 1), False),
        (NONE, (5, 1), (5, 9), True),
        (NONE, (5, 1), (4, 9), False),
    ],
)
def test_what_may_follow(
    kind: Contiguity, before: tuple[int, int], after: tuple[int, int], *, may: bool
) -> None:
    assert follows(kind, EntryId(*before), EntryId(*after)) is may
    batch = [Entry(EntryId(*after), b"")]
    assert break_in(kind, EntryId(*before), batch) == (None if may else 0)


@given(st.sampled_from(Contiguity), IDS, st.lists(IDS, max_size=6))
def test_a_batch_is_judged_as_its_steps_are(
    kind: Contiguity, position: EntryId, ids: list[EntryId]
) -> None:
    steps = zip([position, *ids], ids, strict=False)
    breaks = [index for index, (one, two) in enumerate(steps) if not follows(kind, one, two)]
    found = break_in(kind, position, [Entry(one, b"") for one in ids])
    assert found == (breaks[0] if breaks else None)
