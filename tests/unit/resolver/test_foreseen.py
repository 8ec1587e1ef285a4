"""Rounds that are compared as bytes: the same outcomes as folding them, for any byte changed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from schemas.cards import DECK
from schemas.ruleset import named, parse
from services.baccarat import compile_rules
from services.resolver.course import Course
from services.resolver.fold import TableFold
from services.resolver.shoe import ShoeFold
from tests.unit.resolver.script import Script, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from services.resolver.fold import Said
    from tests.unit.resolver.script import Line

BETS = (("ann", "banker", 250_000), ("bob", "player", 100_000), ("cyd", "tie", 100_000))
RULES = "punto-banco"
TIME, CARD = 27, 2


@pytest.fixture(name="taken")
def _taken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Collect the rounds that were foreseen, with how many events they took."""
    taken: list[tuple[int, int]] = []
    ahead = ShoeFold.ahead

    def watched(
        shoe: ShoeFold, seq: int, lines: Sequence[bytes], at: int
    ) -> tuple[int, object] | None:
        found = ahead(shoe, seq, lines, at)
        if found is not None:
            taken.append((found[1].round, found[0]))
        return found

    monkeypatch.setattr(ShoeFold, "ahead", watched)
    return taken


def slowly(lines: list[Line]) -> list[Said]:
    """Fold event by event: what is not there yet cannot be foreseen."""
    resolver = TableFold("T7")
    return [said for entry, data in lines for said in resolver.event(entry, data)]


def shoe(
    number: int = 12,
    *,
    rounds: int = 30,
    rules: str = RULES,
    table: str = "T7",
    bets: Sequence[tuple[str, str, int]] = BETS,
    change: int = 0,
    lays: Callable[[int], Sequence[tuple[str, str, int]]] | None = None,
) -> Script:
    """Deal a shuffled shoe with the same bets, but more in every ``change``-th round.

    ``lays`` gives each round's bets instead.
    """
    chance = random.Random(number)  # noqa: S311 - nobody bets on a test
    order = list(DECK) * 4
    chance.shuffle(order)
    script = Script(rules, table=table, shoe=number).opened()
    for played in range(1, rounds + 1):
        script.open_round()
        more = 50_000 if change and played % change == 0 else 0
        for bettor, spot, stake in bets if lays is None else lays(played):
            script.bet(spot, stake + more, bettor)
        script.close_bets()
        hands: dict[str, list[str]] = {"player": [], "banker": []}
        while (side := script.game.next_draw(hands["player"], hands["banker"])) is not None:  # type: ignore[arg-type]
            hands[side].append(order[-1])
            script.card(side, order.pop())
        script.dealt()
    return script.closed()


def test_rounds_are_foreseen_once_bets_repeat(taken: list[tuple[int, int]]) -> None:
    script = shoe()
    said = script.fold()
    assert len(said) == 30
    first = [number for number, events in taken if events < 8]
    assert first == [1, 2]  # their cards alone: nobody has bet twice the same yet
    whole = [number for number, events in taken if events >= 10]
    assert whole == list(range(3, 31))
    assert said == slowly(script.lines)


def test_the_next_shoe_is_foreseen_from_its_first_round(taken: list[tuple[int, int]]) -> None:
    one, other = shoe(9), shoe(10)
    lines = one.lines + other.lines
    said = fold(lines)
    assert taken[len(taken) // 2][1] >= 10
    assert said == slowly(lines) == one.fold() + other.fold()


@pytest.mark.parametrize("change", [2, 3, 5])
def test_stakes_may_change(taken: list[tuple[int, int]], change: int) -> None:
    script = shoe(change=change)
    assert script.fold() == slowly(script.lines)
    assert [number for number, events in taken if events >= 10] == list(range(3, 31))


SPOTS = ("banker", "player", "tie")


def test_spots_that_change_are_folded_and_the_cards_foreseen(taken: list[tuple[int, int]]) -> None:
    script = shoe(lays=lambda played: [("ann", SPOTS[played % 3], 100_000)])
    assert script.fold() == slowly(script.lines)
    assert len(taken) >= 28
    assert max(events for _, events in taken) <= 7


def test_who_bets_by_turns_is_foreseen_when_his_bets_come_again(
    taken: list[tuple[int, int]],
) -> None:
    script = shoe(lays=lambda played: [("ann", SPOTS[(played - 1) // 3 % 2], 50_000 * played)])
    assert script.fold() == slowly(script.lines)
    whole = [number for number, events in taken if events >= 8]
    # The first to come twice is spelled at once, the second when it has come twice once more.
    assert whole == [3, *(number for number in range(7, 31) if number % 3 != 1)]


@pytest.mark.parametrize(
    "stake",
    [
        b"0", b"-1", b"007", b"1.0", b"1e3", b" 9", b"9 ", b"true", b"null", b'"9"', b"", b"1,",
        b"9007199254740991", b"9007199254740992", b"12345678901234567", b'1,"stake":2',
        "\u0661".encode(),
    ],
)  # fmt: skip
def test_what_stands_for_a_stake_is_folded_as_ever(stake: bytes) -> None:
    lines = shoe(rounds=6).lines
    at = next(
        n for n, (_, data) in enumerate(lines) if b"bet.placed" in data and b'"round":4,' in data
    )
    for place in (at, at + 1, at + 2):
        entry, data = lines[place]
        before, _, rest = data.partition(b'"stake":')
        changed = before + b'"stake":' + stake + rest[rest.index(b",") :]
        broken = [*lines[:place], (entry, changed), *lines[place + 1 :]]
        assert fold(broken) == slowly(broken)


def test_a_stake_of_any_length_is_foreseen(taken: list[tuple[int, int]]) -> None:
    script = shoe(lays=lambda played: [("ann", "player", 10 ** (played % 16)), ("bo", "tie", 7)])
    assert script.fold() == slowly(script.lines)
    assert len([number for number, events in taken if events >= 9]) == 28


def test_of_all_stakes_few_are_remembered(taken: list[tuple[int, int]]) -> None:
    """Each round has stakes of its own."""
    lines = []
    for number in range(1, 12):
        begin = 1000 * number
        lines += shoe(number, lays=lambda played, n=begin: [("ann", "player", n + played)]).lines  # type: ignore[misc]
    resolver = TableFold("T7")
    said = resolver.events(lines)
    assert said == slowly(lines)
    assert len([number for number, events in taken if events >= 8]) == 11 * 30 - 2
    (repeated,) = resolver._foreseen._known.values()
    assert len(repeated._kinds) <= 128
    assert len(repeated.course._known) <= 64


@pytest.mark.parametrize("rules", ["punto-banco-even", "punto-banco-sides", "buti-1990"])
def test_other_rules(taken: list[tuple[int, int]], rules: str) -> None:
    script = shoe(rules=rules)
    assert script.fold() == slowly(script.lines)
    assert taken


@pytest.mark.parametrize("size", [1, 2, 5, 9, 11, 12, 23, 100])
def test_any_batches_say_the_same(size: int) -> None:
    lines = shoe(11).lines + shoe(12, change=5).lines
    resolver = TableFold("T7")
    said = []
    for start in range(0, len(lines), size):
        said += resolver.events(lines[start : start + size])
    assert said == slowly(lines)


def test_every_byte_of_a_foreseen_round_counts(taken: list[tuple[int, int]]) -> None:
    """A bit of every third byte: the same outcomes as event by event, mostly a halt."""
    lines = shoe(rounds=4).lines
    start, end = (
        next(at for at, (_, data) in enumerate(lines) if name in data and b'"round":3,' in data)
        for name in (b"round.opened", b"round.dealt")
    )
    good = fold(lines)
    assert 3 in [number for number, _ in taken]
    halted = 0
    for number in range(start, end + 1):
        entry, data = lines[number]
        for place in range(number % 3, len(data), 3):
            changed = bytearray(data)
            changed[place] ^= 1
            broken = [*lines[:number], (entry, bytes(changed)), *lines[number + 1 :]]
            taken.clear()
            said = fold(broken)
            assert said == slowly(broken)
            if 3 in [found for found, events in taken if events >= 10]:
                assert b'"time":"' in changed or b'"card":"' in changed
                assert said[:2] == good[:2]
            halted += b"round.halted" in said[-1].data
    assert halted > 500


@pytest.mark.parametrize(
    "time",
    [
        b"\\u0032026-01-01T00:00:00.00",
        b'x","time":"2026-01-01T00:00',
        b"2026-01-01T00:00:00.000000\xff",
        b"2026-01-01 00:00:00.000000Z",
        b"ZZZZ-01-01T00:00:00.000000Z",
    ],
    ids=["an escape", "twice", "no UTF-8", "a space", "no time"],
)
@pytest.mark.parametrize("event", [b"round.opened", b"bet.placed", b"card.drawn", b"round.dealt"])
def test_what_stands_for_a_time_is_folded_as_ever(time: bytes, event: bytes) -> None:
    lines = shoe(rounds=5).lines
    at = next(n for n, (_, data) in enumerate(lines) if event in data and b'"round":4,' in data)
    entry, data = lines[at]
    place = data.index(b'"time":"') + len(b'"time":"')
    lines[at] = entry, data[:place] + time + data[place + 27 :]
    assert fold(lines) == slowly(lines)


def test_a_gap_and_a_repeat_in_a_batch_are_folded_as_ever() -> None:
    lines = shoe(rounds=6).lines
    for at in range(40, 60):
        for broken in ([*lines[:at], *lines[at + 1 :]], [*lines[:at], *lines[at - 3 :]]):
            assert fold(broken) == slowly(broken)


@pytest.mark.parametrize("name", ["50%d", "\x01", "\x05", 'a"b', "é"])
def test_names_that_would_spoil_a_stencil_are_folded_as_ever(name: str) -> None:
    script = shoe(rounds=6, bets=((name, "banker", 250_000),))
    assert len(script.fold()) == 6
    assert script.fold() == slowly(script.lines)


def test_a_table_whose_name_looks_like_a_hole() -> None:
    script = shoe(table="T%d")
    resolver = TableFold("T%d")
    one_by_one = [said for line in script.lines for said in resolver.event(*line)]
    assert fold(script.lines, "T%d") == one_by_one
    assert len(one_by_one) == 30


def test_of_all_lengths_that_numbers_may_have_few_are_remembered() -> None:
    """Each shoe's numbers grow elsewhere in its rounds: a table that is open for years is full."""
    course = Course("T7", compile_rules(parse(named(RULES).text)))
    layout = course._layouts[()]
    shoes, rounds = layout.numbers
    for first in (*range(90, 130), *range(990, 1010)):
        for position in (3, 8, 95, 98, 150):
            seqs, places = (
                tuple([b"%d" % number for number in range(start, start + many)])
                for start, many in ((first, 5), (position, 4))
            )
            numbers = (*[b"12"] * shoes, *[b"7"] * rounds, *seqs, *places)
            size = len(b"".join([*layout.fixed, *numbers])) + 5 * TIME + 4 * CARD
            pieces = layout.cut(b"12", b"7", seqs, places)(bytes(size))
            assert [*map(len, pieces[::2])] == [*map(len, layout.fixed)]
            assert [*map(len, layout.seqs(pieces))] == [*map(len, seqs)]
            assert [*map(len, layout.places(pieces))] == [*map(len, places)]
    assert 1 < len(layout._cuts) <= 16
