"""Rounds that are compared as bytes: the same findings as reading them, for any byte changed."""

from __future__ import annotations

import random
import re

import pytest

from schemas.cards import DECK
from schemas.events import BetWithdrawn, CutCardOut, Limits, SpotLimits
from schemas.instant import spell
from schemas.money import LARGEST
from schemas.ruleset import parse, published
from services.auditor import fold, foreseen
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_lines
from services.auditor.play import DRAWS, SIZES
from services.auditor.report import ShoeResult
from services.auditor.state import State
from services.auditor.tables import Tables
from tests.unit.auditor.table import BETS, START, Table, good


@pytest.fixture(name="taken")
def _taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the rounds that were foreseen."""
    numbers: list[int] = []

    def watched(st: State, lines: list[bytes], at: int) -> int:
        after = foreseen.take_foreseen(st, lines, at)
        if after:
            numbers.append(st.round_number)
        return after

    monkeypatch.setattr(fold, "take_foreseen", watched)
    return numbers


def _slowly(lines: list[bytes]) -> ShoeResult:
    audit = ShoeAudit()
    for line in lines:
        audit.line(line)
    return audit.result()


def test_rounds_are_foreseen_once_bets_repeat(taken: list[int]) -> None:
    result = audit_lines(good(rounds=20).asked().lines())
    assert result.verdict == "pass"
    assert taken == list(range(2, 21))


def test_every_byte_of_a_foreseen_round_counts(taken: list[int]) -> None:
    """A bit of every third byte: none passes, and reading line by line finds the same."""
    lines = good(rounds=4).asked().lines()
    start = next(at for at, line in enumerate(lines) if b"round.opened" in line and b'":3,' in line)
    end = next(at for at in range(start, len(lines)) if b"round.resolved" in lines[at])
    audit_lines(lines)
    assert 3 in taken
    for number in range(start, end + 1):
        for place in range(number % 3, len(lines[number]), 3):
            line = bytearray(lines[number])
            line[place] ^= 1
            changed = [*lines[:number], bytes(line), *lines[number + 1 :]]
            taken.clear()
            result = audit_lines(changed[: end + 1])
            assert _slowly(changed[: end + 1]) == result
            if 3 in taken:  # a time that is later, or a card whose suit nobody asks for
                assert b'"time":"' in line or b'"card":"' in line


@pytest.mark.parametrize(
    ("place", "changed"),
    [(0, b"x"), (4, b"0"), (6, b"3"), (10, b" "), (12, b"a"), (15, b"6"), (17, b"6"), (19, b","),
     (17, b"9"), (25, b"/"), (26, b"z"), (11, b"29")],
)  # fmt: skip
@pytest.mark.parametrize("event", range(12))
def test_a_time_of_a_foreseen_round_is_looked_at(place: int, changed: bytes, event: int) -> None:
    """Whatever is wrong with it, and in whichever line, reading line by line finds the same."""
    lines = good(rounds=4).asked().lines()
    start = next(at for at, line in enumerate(lines) if b"round.opened" in line and b'":3,' in line)
    line = bytearray(lines[start + event])
    begin = line.index(b'"time":"') + len(b'"time":"') + place
    line[begin : begin + len(changed)] = changed
    lines = [*lines[: start + event], bytes(line), *lines[start + event + 1 :]]
    assert audit_lines(lines) == _slowly(lines)


def test_rounds_in_which_numbers_grow_are_foreseen_too(taken: list[int]) -> None:
    """A whole shoe: 9 to 10 rounds, 99 to 100 and 100 to 101 events and cards, and all draws."""
    lines = Table(table="Table-with_a-long-name", shoe=1234).begin().play().close().lines()
    assert audit_lines(lines) == _slowly(lines)
    rounds = sum(b"round.opened" in line for line in lines)
    assert rounds > 70
    assert len({*range(2, rounds + 1)} - {*taken}) == 1, "the one in which the cut card came out"


def test_one_table_after_the_other_is_spelled_as_it_is_called(taken: list[int]) -> None:
    """What is remembered of bets is of no table and no shoe: names and numbers of any length."""
    for table, shoe in (("A", 2), ("Bcd", 10), ("A", 100), ("Z" * 32, 2)):
        lines = good(rounds=9, table=table, shoe=shoe).asked().lines()
        taken.clear()
        assert audit_lines(lines).verdict == "pass"
        assert taken == list(range(2, 10))
        changed = [line.replace(b"Bcd", b"Bcc") for line in lines[:-6]] + lines[-6:]
        assert audit_lines(changed) == _slowly(changed)


@pytest.mark.parametrize("number", [3, 8, 9])
def test_bytes_beside_a_time_or_a_card_keep_their_places(taken: list[int], number: int) -> None:
    """Neighbours change places about where something is cut out, and from line to line."""
    lines = good(rounds=10).asked().lines()
    opened = b'"data":{"round":%d,"command":null}}' % number
    start = next(at for at, line in enumerate(lines) if line.endswith(opened))
    end = next(at for at in range(start, len(lines)) if b"round.resolved" in lines[at])
    changed = []
    for at in range(start, end + 1):
        line = lines[at]
        edges = [place for found in re.finditer(rb'"(time|card)":"|Z"|[2-9TJQKA][CDHS]"', line)
                 for place in (found.end() - 1, found.end())]  # fmt: skip
        for place in {near for edge in edges for near in range(edge - 2, edge + 3)}:
            swapped = bytearray(line)
            swapped[place - 1], swapped[place] = line[place], line[place - 1]
            changed.append([*lines[:at], bytes(swapped), *lines[at + 1 :]])
        after = lines[at + 1]
        changed.append([*lines[:at], line[:-1], line[-1:] + after, *lines[at + 2 :]])
        changed.append([*lines[:at], line + after[:1], after[1:], *lines[at + 2 :]])
    for some in changed:
        taken.clear()
        assert audit_lines(some) == _slowly(some)
        assert number not in taken or some == lines


def test_a_card_too_many_is_found_in_a_round_that_says_nothing_new(taken: list[int]) -> None:
    """Twelve of one card and at most six of any other: it is of that one that all is said."""
    stacked = [f"9C 9{a} 8{b} 7{a}" for a, b in [("D", "S"), ("H", "C"), ("S", "H")] * 5]
    table = Table(stacked=" ".join(["9C", *["2C 3D 4H"] * 3, *stacked])).begin().play(rounds=12)
    lines = table.asked().lines()
    result = audit_lines(lines)
    assert result == _slowly(lines)
    found = [one.expected for one in result.findings if one.code == "order-composition"]
    assert found[0] == "8 of 9C"
    assert not [one for one in found if one.startswith("8 of ") and one != "8 of 9C"]
    assert taken == list(range(2, 8))


def test_a_cut_card_that_did_not_come_out_is_missed(taken: list[int]) -> None:
    table = Table().begin().play().close()
    table.entries = [one for one in table.entries if not isinstance(one.data, CutCardOut)]
    lines = table.lines()
    result = audit_lines(lines)
    assert result == _slowly(lines)
    assert result.findings[0].expected == f"cut_card.out {table.rules.decks * 52 - 14}"
    assert len(taken) > 70


@pytest.mark.parametrize(
    "name", ["a\\u0001", "\\u0002", "x\\u0005", "\\u0007", "%b", "%%d", '\\"', "\u00e9"]
)
def test_a_name_that_is_none_is_no_hole(name: str) -> None:
    """A bettor is called as no bettor may be: said once, and compared as nothing."""
    lines = [line.replace(b"ann", name.encode()) for line in good(rounds=6).asked().lines()]
    result = audit_lines(lines)
    assert result == _slowly(lines)
    assert result.verdict == "fail"


@pytest.mark.parametrize("rules", published())
def test_a_round_is_played_as_the_rules_say(rules: str) -> None:
    tables = Tables(parse(published()[rules].text))
    dice = random.Random(rules)  # noqa: S311 - hands like any others
    drawn = set()
    for _ in range(3000):
        cards = dice.choices(DECK if dice.random() < 0.7 else DECK[:3], k=6)
        dealt = tables.round_from(cards, 0)
        assert dealt is not None
        draws, result = tables.play([card.encode() for card in cards])
        drawn.add(draws)
        assert SIZES[draws] == dealt.after
        assert len(dealt.player) == 2 + ("player" in DRAWS[draws])
        assert result is tables.result(dealt.player, dealt.banker)
        facts = tables._facts(dealt.player, dealt.banker)
        assert result._facts == facts
    assert len(drawn) > 1


def test_rounds_called_by_high_numbers_are_read_line_by_line() -> None:
    """A number may be higher than that of any event."""

    def higher(line: bytes) -> bytes:
        changed = re.sub(rb'(?<="round":)([5-9])', rb"900\1", line)
        changed = re.sub(rb'(?<=":"12-)([5-9]/)', rb"900\1", changed)
        if b"round.resolved" in line:
            changed = re.sub(rb'(?<="id":"12-)([5-9])', rb"900\1", changed)
        return changed

    lines = [higher(line) for line in good(rounds=9).asked().lines()]
    result = audit_lines(lines)
    assert result == _slowly(lines)
    assert [one.actual for one in result.findings] == ["round 9005", "asked, by desk"]


@pytest.mark.parametrize("repeat", [True, False])
@pytest.mark.parametrize("event", range(13))
def test_two_times_in_one_line_are_no_time(event: int, repeat: bool) -> None:
    """Joined they look like the times of two lines, whether bets repeat or not."""
    table = Table().begin()
    for number in range(4):
        table.round(*(BETS if repeat else [(who, spot, 5000 + 500 * number)
                                           for who, spot, _ in BETS[:2]]))  # fmt: skip
    for at, entry in enumerate(table.asked().entries):
        entry.time = None if entry.is_outcome else spell(START + at)  # all of one minute
    lines = table.lines()
    start = next(at for at, line in enumerate(lines) if b"round.opened" in line and b'":3,' in line)
    at = start + event
    lines[at] = re.sub(rb'(?<="time":")([^"]+)', rb"\1\1", lines[at])
    result = audit_lines(lines)
    assert result == _slowly(lines)
    assert result.findings[0].code == "malformed"


def test_who_sits_under_a_name_that_is_none_cannot_pass() -> None:
    """No command's id can hold it, as often as it is said."""
    seats = (("ann", 1, 10_000_000), ("_b", 2, 10_000_000))
    lines = Table(seats=seats).begin().play([("ann", "player", 2_500)], 4).asked().lines()
    result = audit_lines(lines)
    assert result == _slowly(lines)
    passes = [one.actual for one in result.findings if "bet.pass" in one.actual]
    assert passes == [f"12/bet.pass/_b/{number}" for number in range(1, 5)]


def test_a_bet_withdrawn_after_its_round_was_one_but_once() -> None:
    """Whether or not its round was taken whole."""
    table = good(rounds=4)
    bet = table.bets[1].data
    for _ in range(2):
        table.say(BetWithdrawn(4, bet.bet, command=f"{bet.bet}/withdraw"))
    lines = table.play(BETS, 2).asked().lines()
    result = audit_lines(lines)
    assert result == _slowly(lines)
    said = [one.expected for one in result.findings if "withdrawn" in one.actual]
    assert said == ["before bets.closed", "before bets.closed", "a standing bet"]


@pytest.mark.parametrize("again", range(1, 7))
def test_who_has_passed_in_a_round_that_opens_again_is_known(again: int) -> None:
    """Rounds that were taken whole are forgotten, or not, as those that were not."""
    table = Table().begin()
    for _ in range(6):
        table.round(*BETS[:2])
    table.number = again - 1
    table.open_round()
    table.spoken = {who for who, _, _ in table.seats}
    table.close_bets()
    table.deal()
    table.settle()
    lines = table.lines()
    result = audit_lines(lines)
    assert result == _slowly(lines)
    silent = "ann bob silent" if again == 6 else "ann bob cyd silent"
    assert silent in [one.actual for one in result.findings]


def test_an_outcome_of_amounts_that_none_can_say_is_unreadable(taken: list[int]) -> None:
    """Eight times the stake is no amount any more: such bytes are foreseen by nobody."""
    ties = ["9C 9D KC KD", "9H 9S KH KS"] * 3
    stacked = " ".join(["9C", *["2C 3D 4H"] * 3, "9C 8D KC KD", "9H 8S KH KS", *ties])
    spots = {"tie": SpotLimits(1, LARGEST, 1)}
    for stake, readable in ((LARGEST // 8, True), (LARGEST // 8 + 1, False)):
        seats = (("ann", 1, LARGEST),)
        table = Table(stacked=stacked, seats=seats, limits=Limits(spots, None)).begin()
        lines = table.play([("ann", "tie", stake)], 4).lines()
        taken.clear()
        result = audit_lines(lines)
        assert result == _slowly(lines)
        unreadable = [one.code for one in result.findings if one.actual == "unreadable"]
        assert (unreadable == []) is readable
        assert (3 in taken) is readable
        assert 2 in taken
