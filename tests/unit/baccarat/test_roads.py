"""The five roads: the spec's examples, and an independent naive reading of any sequence."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.baccarat.roads import Roads, bead_cell
from services.baccarat.roads_grid import ROWS, Grid

FILE = Path(__file__).parents[2] / "vectors" / "roads" / "roads.json"
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text())
ROADS = ("big_eye", "small", "cockroach")
#: Each run lays one cell under the next, a row higher each time, until one turns right in row 0.
STAIRS = "".join(side * length for side, length in zip("BPBPBP", (7, 6, 5, 4, 3, 2), strict=True))

sequences = st.text("BPT", max_size=90)
#: Long runs, so that tails meet.
runs = st.lists(st.integers(1, 14), max_size=14).map(
    lambda lengths: "".join("BP"[n % 2] * length for n, length in enumerate(lengths))
)
any_sequence = st.one_of(sequences, runs)


def roads_of(sequence: str) -> Roads:
    return Roads(sequence)  # type: ignore[arg-type]


def big_of(roads: Roads) -> list[list[object]]:
    return [[cell.column, cell.row, cell.side, cell.ties] for cell in roads.big]


def marks_of(roads: Roads) -> dict[str, str]:
    return {name: "".join(getattr(roads, name).marks) for name in ROADS}


# ------------------------------------------------------------ a naive reading, from the words alone
def columns_of(sequence: str) -> list[int]:
    return [len(list(run)) for _, run in groupby(sequence.replace("T", ""))]


def naive_marks(sequence: str, k: int) -> str:
    depth = [0, *columns_of(sequence)]  # columns from 1
    marks = ""
    for n in range(1, len(depth)):
        for m in range(1, depth[n] + 1):
            if m >= 2 and n - k >= 1:
                marks += "B" if m == depth[n - k] + 1 else "R"
            elif m == 1 and n - 1 - k >= 1:
                marks += "R" if depth[n - 1] == depth[n - 1 - k] else "B"
    return marks


def naive_ties(sequence: str) -> list[int]:
    """Ties counted on each decision: those after it, and for the first those before it too."""
    parts = sequence.replace("P", "B").split("B")
    ties = [len(part) for part in parts]
    if len(ties) > 1:
        ties[1] += ties[0]
    return ties[1:]


# ------------------------------------------------------------------------------------ the tests
@pytest.mark.parametrize("vector", VECTORS, ids=[one["sequence"] for one in VECTORS])
def test_the_vectors(vector: dict[str, Any]) -> None:
    roads = roads_of(vector["sequence"])
    found: dict[str, Any] = {"big": big_of(roads), **marks_of(roads)}
    expected = {name: told for name, told in vector.items() if name != "sequence"}
    assert {name: found[name] for name in expected} == expected
    assert "".join(roads.bead) == vector["sequence"]


def test_the_vectors_tell_the_known_wrong_readings_apart() -> None:
    """Blue for m > p+1 is wrong: here m runs past p+1, and that is red."""
    assert marks_of(roads_of("BPPP"))["big_eye"] == "BR"
    # Read from the drawn grid, the second column would end at row 4 and the third cell be blue.
    long = "BBBBBBBBPPPPPPPP"
    assert marks_of(roads_of(long))["big_eye"] == "RRRRRRR"


@given(any_sequence)
@example("BBPPPBPBB")
@example(STAIRS + "BPB")
def test_derived_roads_against_the_naive_reading(sequence: str) -> None:
    roads = roads_of(sequence)
    assert marks_of(roads) == {
        name: naive_marks(sequence, k) for k, name in enumerate(ROADS, start=1)
    }


@given(any_sequence)
def test_the_number_of_marks(sequence: str) -> None:
    """All cells from the first that can be compared on: the second of column k+1, or the next."""
    depths = columns_of(sequence)
    for k, road in enumerate(roads_of(sequence).derived, start=1):
        assert len(road.marks) == max(sum(depths[k:]) - 1, 0)
        assert len(road.cells) == len(road.marks)


@given(any_sequence)
def test_the_big_road_holds_the_sequence(sequence: str) -> None:
    roads = roads_of(sequence)
    assert [cell.ties for cell in roads.big] == naive_ties(sequence)
    rebuilt = "".join(cell.side + "T" * cell.ties for cell in roads.big)
    lead = len(sequence) - len(sequence.lstrip("T"))
    if roads.big:  # the first cell counts the ties before it, too
        first = roads.big[0]
        rebuilt = "T" * lead + first.side + "T" * (first.ties - lead) + rebuilt[1 + first.ties :]
        assert rebuilt == sequence
    else:
        assert (roads.waiting, sequence) == (len(sequence), "T" * len(sequence))
    assert roads.depths == columns_of(sequence)


@given(any_sequence)
@example(STAIRS + "BBPB")
def test_the_drawn_grid(sequence: str) -> None:
    roads = roads_of(sequence)
    cells = [(cell.column, cell.row) for cell in roads.big]
    assert len(set(cells)) == len(cells), "two marks on one cell"
    taken: set[tuple[int, int]] = set()
    run, side, before = -1, "", (0, 0)
    for (column, row), cell in zip(cells, roads.big, strict=True):
        assert 0 <= row < ROWS
        if cell.side != side:
            run, side = run + 1, cell.side
            assert row == 0
            assert all((between, 0) in taken for between in range(run, column))
        else:
            last_column, last_row = before
            below = (last_column, last_row + 1)
            turns = last_row + 1 == ROWS or below in taken
            assert (column, row) == ((last_column + 1, last_row) if turns else below)
        taken.add((column, row))
        before = (column, row)


@given(any_sequence)
def test_round_by_round_is_the_same_and_the_next_mark_is_foretold(sequence: str) -> None:
    roads = Roads()
    for letter in sequence:
        asked = roads.ask("banker" if letter == "B" else "player")
        before = [list(road.marks) for road in roads.derived]
        roads.add(letter)  # type: ignore[arg-type]
        for road, marks, mark in zip(roads.derived, before, asked, strict=True):
            foretold = [] if mark is None or letter == "T" else [mark]
            assert road.marks == marks + foretold
    again = roads_of(sequence)
    assert big_of(roads) == big_of(again)
    assert marks_of(roads) == marks_of(again)


@given(sequences)
def test_asking_changes_nothing_and_one_side_is_red_where_the_other_is_blue(sequence: str) -> None:
    roads = roads_of(sequence)
    banker, player = roads.ask("banker"), roads.ask("player")
    assert (roads.ask("banker"), roads.ask("player")) == (banker, player)
    for one, other in zip(banker, player, strict=True):
        if one is not None and other is not None:
            assert one != other


def test_a_tail_turns_down_again_where_it_can() -> None:
    cells = [tuple(cell) for cell in (Grid().lay(new_run=True),)]
    assert cells == [(0, 0)]
    roads = roads_of("B" * 7 + "P" * 9)
    drawn = [(cell.column, cell.row) for cell in roads.big[7:]]
    assert drawn == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (2, 5), (3, 5), (4, 5)]


def test_a_run_whose_column_begins_with_a_tail_starts_in_the_next_free_one() -> None:
    roads = roads_of(STAIRS + "BBP")
    drawn = [(cell.column, cell.row, cell.side) for cell in roads.big]
    assert drawn[len(STAIRS) - 2 :] == [
        (5, 0, "P"), (6, 0, "P"),  # turned right in row 0, into column 6
        (7, 0, "B"), (7, 1, "B"),  # whose run starts in column 7
        (8, 0, "P"),
    ]  # fmt: skip
    assert len(STAIRS) == 27
    # The derived roads do not see it: they read logical columns.
    assert marks_of(roads)["big_eye"] == naive_marks(STAIRS + "BBP", 1)


def test_derived_marks_are_drawn_in_runs_of_one_colour() -> None:
    roads = roads_of("BBPPPBPBB")
    assert [tuple(cell) for cell in roads.big_eye.cells] == [
        (0, 0), (1, 0), (1, 1), (1, 2), (2, 0), (3, 0),
    ]  # fmt: skip
    assert [tuple(cell) for cell in roads.small.cells] == [(0, 0), (0, 1), (0, 2)]
    # Red runs of nine turn right in the last row.
    red = roads_of("BBBBBBBBBPPPPPPPPP").big_eye
    assert [tuple(cell) for cell in red.cells[-3:]] == [(0, 5), (1, 5), (2, 5)]


def test_the_bead_plate_is_six_to_a_column() -> None:
    assert [tuple(bead_cell(n)) for n in (0, 5, 6, 12)] == [(0, 0), (0, 5), (1, 0), (2, 0)]


@pytest.mark.parametrize("letter", ["", "V", "b", "BB", "X"])
def test_what_is_no_result_is_refused(letter: str) -> None:
    roads = Roads()
    with pytest.raises(ValueError, match=letter or "^$"):
        roads.add(letter)  # type: ignore[arg-type]
    assert roads.bead == []
