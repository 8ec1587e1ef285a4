"""The live record: clocks, commands without answers, bets put before their time, wrong refusals."""

from __future__ import annotations

from typing import Any

import pytest

from schemas import commands as co
from schemas import events as ev
from schemas.envelope import decode_command, decode_line, encode
from schemas.errors import Unreadable
from schemas.instant import parse, spell
from schemas.verdicts import Finding
from services.auditor.witness import LiveWitness
from tests.unit.auditor.table import BETS, SECOND, START, Entry, Table, good

SOURCE = "/tables/T7/commands"


def asked(entry: Entry) -> bytes | None:
    """The command that an event answers, as its sender wrote it."""
    said = entry.data
    name = getattr(said, "command", None)
    if name is None or isinstance(said, ev.ShoeOpened):
        return None
    asks: co.Command
    if isinstance(said, ev.BetPlaced | ev.BetRefused):
        asks = co.BetPlace(said.round, said.bettor, said.spot, said.stake, said.chips)
    elif isinstance(said, ev.BetPassed):
        asks = co.BetPass(said.round, said.bettor)
    elif isinstance(said, ev.BettorSeated):
        asks = co.BettorSit(said.bettor, said.bankroll, said.seat)
    elif isinstance(said, ev.ShoeCut):
        asks = co.Cut(said.by, said.client_seed, said.beacon)
    else:
        asks = co.ShoeClose("desk")
    return encode(name, SOURCE, spell(START), asks)


def heard(witness: LiveWitness, at_ms: int, data: bytes) -> tuple[Finding, ...]:
    try:
        return witness.command(at_ms, decode_command(data))
    except Unreadable:  # nobody has to answer it
        return ()


def watch(
    table: Table,
    *,
    more: tuple[tuple[int, bytes], ...] = (),
    late: bool = False,
    skew: dict[int, int] | None = None,
    **options: Any,  # noqa: ANN401 - the witness's own
) -> list[tuple[str, str]]:
    """Let a witness hear a table: every answered command a tenth of a second before its answer."""
    commands = []
    for entry in table.entries:
        data = asked(entry)
        if data is not None and not entry.unasked:
            time = START + SECOND * table.seqs()[entry] - SECOND // 10
            commands.append((time // 1000, data))
    commands = sorted([*commands, *more], key=lambda pair: pair[0])
    witness = LiveWitness("T7", 12, **options)
    found: list[Finding] = []
    if not late:
        for at_ms, data in commands:
            found += heard(witness, at_ms, data)
    for line, entry in zip(table.lines(), table.entries, strict=True):
        message = decode_line(line)
        if entry.is_outcome:
            witness.outcome(message)
        else:
            arrived = parse(message.time) + (skew or {}).get(table.seqs()[entry], 1000)
            found += witness.event(message, arrived)
    if late:
        for at_ms, data in commands:
            found += heard(witness, at_ms, data)
    found += witness.finish()
    return [(finding.code, finding.at) for finding in found]


@pytest.mark.parametrize("late", [False, True])
def test_a_good_shoe_says_nothing(late: bool) -> None:
    table = good(rounds=6)
    table.open_round()
    table.say(
        ev.BetRefused(table.number, "12-7/ann/tie/1", "ann", "tie", 1, None, "below-minimum",
                      command="12-7/ann/tie/1")
    )  # fmt: skip
    table.close_bets()
    table.deal()
    table.settle()
    assert watch(table.asked(), late=late) == []


def test_clock_skew_once_until_it_is_well_again() -> None:
    table = good(rounds=2).asked()
    hour = 3600 * SECOND
    assert watch(table, skew=dict.fromkeys(range(5, 9), hour)) == [("clock-skew", "T7/12-5")]
    assert watch(table, skew=dict.fromkeys((5, 7), -hour)) == [
        ("clock-skew", "T7/12-5"),
        ("clock-skew", "T7/12-7"),
    ]
    assert watch(table, skew={5: hour}, skew_us=2 * hour) == []
    assert watch(table, skew={5: hour}, simulated=True) == []


@pytest.mark.parametrize("late", [False, True])
def test_a_bet_put_before_its_time(late: bool) -> None:
    table = good(rounds=1)
    table.open_round()
    bet = table.bet("ann", "banker", 10_000)
    table.close_bets()
    table.deal()
    table.settle()
    table.asked()
    command = asked(bet)
    assert command is not None
    bet.unasked = True
    after = (START + SECOND * (table.seqs()[bet] + 5)) // 1000
    said = [("bet-backdated", table.at(bet))]
    assert watch(table, more=((after, command),), late=late) == said
    assert watch(table, more=((after, command),), late=late, simulated=True) == []


def test_a_bet_that_nobody_asked_for() -> None:
    table = good(rounds=1)
    table.open_round()
    bet = table.bet("ann", "banker", 10_000)
    table.close_bets()
    table.deal()
    table.settle()
    bet.unasked = True
    assert watch(table.asked()) == [("bet-backdated", table.at(bet))]


@pytest.mark.parametrize("late", [False, True])
def test_a_command_dropped(late: bool) -> None:
    table = good(rounds=3).asked()
    closed = next(
        e for e in table.entries if isinstance(e.data, ev.BetsClosed) and e.data.round == 2
    )
    at_ms = (START + SECOND * (table.seqs()[closed] - 1)) // 1000

    def bet(number: int, **fields: Any) -> bytes:  # noqa: ANN401 - any field
        name = f"12-{number}/ann/tie/1"
        asks = co.BetPlace(number, "ann", "tie", 1_000)
        told: dict[str, Any] = {"entry_id": name, "source": SOURCE, "time": spell(START)}
        return encode(data=asks, **{**told, **fields})

    dropped = ("command-unanswered", table.at(closed))
    assert watch(table, more=((at_ms, bet(2)),), late=late) == [dropped]
    assert watch(table, more=((at_ms, bet(2)), (at_ms, bet(2))), late=late) == [dropped]
    cut = encode("12/shoe.cut/bob/1", SOURCE, spell(START), co.Cut("bob"))
    over = ("command-unanswered", table.at(table.entries[-1]))
    assert watch(table, more=((at_ms, cut),), late=late) == [over]
    # none of these has to be answered
    for good_ in (
        bet(99),
        bet(2, source="/tables/T8/commands"),
        bet(2, entry_id="13-2/ann/tie/1"),
        bet(2, entry_id="12-2/bob/tie/1"),
        b"{",
        encode("12/shoe.cut/eve/1", SOURCE, spell(START), co.Cut("bob")),
    ):
        assert watch(table, more=((at_ms, good_),), late=late) == []
    last = (START + SECOND * 10_000) // 1000
    assert watch(table, more=((last, bet(2)),), late=late) == []


def test_a_bet_taken_with_other_terms() -> None:
    table = good(rounds=1)
    table.open_round()
    bet = table.bet("ann", "banker", 10_000)
    table.close_bets()
    table.deal()
    table.settle()
    table.asked()
    command = asked(bet)
    assert command is not None
    bet.set(stake=20_000)
    bet.unasked = True
    before = (START + SECOND * table.seqs()[bet]) // 1000 - 1
    assert watch(table, more=((before, command),)) == [("command-unanswered", table.at(bet))]


def refuse(table: Table, bet: tuple[str, str, int | None], reason: str, number: int = 0) -> Entry:
    bettor, spot, stake = bet
    name = f"12-{number or table.number}/{bettor}/{spot}/1"
    told: dict[str, Any] = {"reason": reason, "command": name}
    return table.say(ev.BetRefused(number or table.number, name, bettor, spot, stake, None, **told))


@pytest.mark.parametrize(
    ("bet", "reason", "number"),
    [
        (("ann", "tie", 400), "below-minimum", 0),
        (("ann", "tie", 50_100), "above-maximum", 0),
        (("ann", "tie", 1_050), "step", 0),
        (("ann", "odd", 1_000), "spot", 0),
        (("ann", "tie", None), "stake", 0),
        (("ann", "tie", 0), "stake", 0),
        (("eve", "tie", 1_000), "not-seated", 0),
        (("ann", "tie", 1_000), "early", 9),
        (("ann", "tie", 1_000), "late", 1),
        (("ann", "banker", 2_000), "repeat", 0),
    ],
)
def test_right_refusals(bet: tuple[str, str, int | None], reason: str, number: int) -> None:
    table = good(rounds=1)
    table.open_round()
    table.bet(*BETS[0])
    refuse(table, bet, reason, number)
    table.close_bets()
    table.deal()
    table.settle()
    assert watch(table.asked()) == []


def test_a_refusal_though_the_bet_was_good() -> None:
    table = good(rounds=1)
    table.open_round()
    wrong = refuse(table, ("ann", "tie", 1_000), "above-maximum")
    table.close_bets()
    table.deal()
    table.settle()
    assert watch(table.asked()) == [("refusal-wrong", table.at(wrong))]


def test_a_refusal_by_what_he_won() -> None:
    """The bankroll moves with each outcome: too little before, enough after."""
    seats = (("ann", 1, 10_000),)
    table = Table(seats=seats).begin()
    while table.round(("ann", "player", 10_000)).data.winner == "tie":
        pass
    won = table.entries[-1].data.winner == "player"
    table.open_round()
    wrong = refuse(table, ("ann", "player", 20_000), "bankroll")
    table.close_bets()
    table.deal()
    table.settle()
    assert watch(table.asked()) == ([("refusal-wrong", table.at(wrong))] if won else [])


def test_a_withdrawal_refused_though_the_bet_stood() -> None:
    table = good(rounds=1)
    table.open_round()
    bet = table.bet(*BETS[0])
    name = bet.data.bet
    told: dict[str, Any] = {"reason": "no-such-bet", "command": f"{name}/withdraw"}
    wrong = table.say(ev.BetRefused(table.number, name, "ann", "banker", None, None, **told))
    table.close_bets()
    table.deal()
    table.settle()
    table.asked()
    wrong.unasked = True
    assert watch(table) == [("refusal-wrong", table.at(wrong))]
