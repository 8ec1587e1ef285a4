"""The bettors' fold at a table made by hand: what it says, when, and never twice."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import commands as co
from schemas import events as ev
from schemas.envelope import decode_command
from schemas.ruleset import named
from services.bettors import (
    LEAVE,
    BettorsFold,
    Coup,
    Seat,
    System,
    View,
    Wish,
    shipped,
    simulated_client_seed,
)
from services.bettors.flat import Flat
from tests.unit.bettors.stage import Stage, feed, heard, ids, settled
from tests.unit.bettors.test_log_order import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.address import Shoe
    from schemas.cards import Card
    from services.bettors.systems import Answer


class Recorder(System):
    """Writes down what it is told, and answers from a list; a pass when that is empty."""

    def __init__(self, answers: Sequence[Answer] = ()) -> None:
        self.told: list[object] = []
        self.answers = list(answers)

    def shoe(self) -> None:
        self.told.append("shoe")

    def card(self, card: Card) -> None:
        self.told.append(card)

    def coup(self, coup: Coup) -> None:
        self.told.append(coup)

    def bet(self, view: View) -> Answer:
        self.told.append(view)
        return self.answers.pop(0) if self.answers else ()


def alice(bankroll: int = 10_000) -> Seat:
    return Seat("alice", bankroll, Flat([Wish("player", 1000)]))


def bob() -> Seat:
    return Seat("bob", 10_000, Flat([Wish("banker", 1000), Wish("tie", 500)]))


def carol() -> Seat:
    return Seat("carol", 400, Flat([Wish("tie", 500)]))


def fold_of(*seats: Seat, live: bool = True) -> BettorsFold:
    fold = BettorsFold("T7", seats or (alice(), bob(), carol()), simulated_client_seed)
    if live:
        assert fold.resume() == []
    return fold


def ready_stage() -> Stage:
    stage = Stage()
    stage.open(seats=["alice", "bob", "carol"])
    stage.seat(alice=10_000, bob=10_000, carol=400)
    stage.cut()
    return stage


ROUND_1 = [
    "1-1/alice/player/1", "1-1/bob/banker/1", "1-1/bob/tie/1", "1/bet.pass/carol/1",
]  # fmt: skip


def test_a_first_shoe_is_asked_for_seats_in_order_and_cut_by_the_first() -> None:
    stage = Stage()
    stage.open()
    said = feed(fold_of(), stage.lines)
    seed = sha256(b"client T7/1").hexdigest()
    assert heard(said) == [
        ("1/bettor.sit/alice/1", co.BettorSit("alice", 10_000)),
        ("1/bettor.sit/bob/1", co.BettorSit("bob", 10_000)),
        ("1/bettor.sit/carol/1", co.BettorSit("carol", 400)),
        ("1/shoe.cut/alice/1", co.Cut("alice", seed, "")),
    ]
    assert {decode_command(data).time for data in said} == {stage.now}
    assert {decode_command(data).source for data in said} == {"/tables/T7/commands"}


def test_round_1_is_bet_on_when_the_shoe_is_ready() -> None:
    stage = ready_stage()
    fold = fold_of()
    feed(fold, stage.lines[:-1])
    assert heard(feed(fold, stage.lines[-1:])) == [
        (ROUND_1[0], co.BetPlace(1, "alice", "player", 1000, None, last=True)),
        (ROUND_1[1], co.BetPlace(1, "bob", "banker", 1000, None, last=False)),
        (ROUND_1[2], co.BetPlace(1, "bob", "tie", 500, None, last=True)),
        (ROUND_1[3], co.BetPass(1, "carol")),
    ]


def test_a_fixed_shoe_has_no_cut_and_is_ready_with_the_last_seat() -> None:
    stage = Stage()
    stage.open(origin=ev.Fixed(), seats=["alice"])
    stage.seat(alice=10_000)
    assert ids(feed(fold_of(alice()), stage.lines)) == ["1/bettor.sit/alice/1", ROUND_1[0]]


def test_others_who_are_awaited_are_waited_for() -> None:
    stage = Stage()
    stage.open(origin=ev.Fixed(), seats=["alice", "zoe"])
    stage.seat(alice=10_000)
    fold = fold_of(alice())
    assert ids(feed(fold, stage.lines)) == ["1/bettor.sit/alice/1"]
    stage.seat(zoe=1)
    assert ids(feed(fold, stage.lines[-1:])) == [ROUND_1[0]]


def test_the_next_rounds_bets_are_sent_as_soon_as_the_outcome_is_in() -> None:
    stage = ready_stage()
    fold = fold_of()
    feed(fold, stage.lines)
    stage.betting()
    stage.deal("9H", "KS", "8D", "KC")
    assert feed(fold, stage.lines[6:]) == []
    known = len(stage.lines)
    stage.settle("player", settled("alice", "player", 1000, "win"))
    said = feed(fold, stage.lines[known:])
    assert ids(said) == [text.replace("1-1", "1-2") for text in ROUND_1[:3]] + [
        "1/bet.pass/carol/2"
    ]
    assert {decode_command(data).time for data in said} == {stage.now}


def test_bankrolls_move_by_the_net() -> None:
    recorder = Recorder([(), (), (), (), ()])
    stage = Stage()
    stage.open(origin=ev.Fixed(), seats=["r"])
    stage.seat(r=1000)
    won = msgspec.structs.replace(settled("r", "banker", 100, "win"), commission=5)
    stage.play("banker", won, settled("r", "tie", 10, "lose"), settled("x", "tie", 10, "lose"))
    stage.play("tie", settled("r", "banker", 100, "push"))
    stage.say(adjusted("r", -85), adjusted("x", 7))
    stage.play("void", settled("r", "banker", 100, "void"))
    feed(fold_of(Seat("r", 1000, recorder)), stage.lines)
    views = [told for told in recorder.told if isinstance(told, View)]
    assert views == [View(1, 1, 1000), View(1, 2, 1085), View(1, 3, 1085), View(1, 4, 1000)]


def adjusted(bettor: str, amount: int) -> ev.MoneyAdjusted:
    return ev.MoneyAdjusted(
        "T7/1#1", None, bettor, amount, "mistake", by="desk", dispute=None, command=None
    )


def test_a_system_is_told_what_the_table_sees_and_its_own_bets() -> None:
    recorder = Recorder([(Wish("player", 5),), (), ()])
    stage = Stage()
    stage.open()
    stage.seat(r=1000)
    stage.cut()
    stage.say(
        ev.CardBurned(0, "2C", command=None),
        ev.CardBurned(1, None, command=None),
        ev.CardDiscarded(2, "KH", "face up", command=None),
    )
    refused = ev.BetRefused(
        1, "1-1/r/player/1", "r", "player", 5, None, reason="below-minimum", command=None
    )
    other = ev.BetRefused(1, "1-1/x/tie/1", "x", "tie", 5, None, reason="spot", command=None)
    stage.betting(refused, other)
    stage.deal("9H", "KS")
    mine = settled("r", "tie", 10, "lose")
    stage.settle("player", mine, settled("x", "tie", 10, "lose"))
    stage.play("banker")
    feed(fold_of(Seat("r", 1000, recorder)), stage.lines)
    assert recorder.told == [
        "shoe", View(1, 1, 1000), "2C", "KH", "9H", "KS",
        Coup(1, "player", (mine,), (refused,)), View(1, 2, 990), Coup(2, "banker"), View(1, 3, 990),
    ]  # fmt: skip


def test_bankrolls_carry_on_into_the_next_shoe_and_seats_are_not_asked_for_again() -> None:
    stage = ready_stage()
    stage.play("player")
    stage.close()
    fold = fold_of()
    feed(fold, stage.lines)
    known = len(stage.lines)
    stage.open(seats=["alice"], restated={"alice": 700, "bob": 10_000, "carol": 500})
    stage.cut()
    said = heard(feed(fold, stage.lines[known:]))
    assert [command_id for command_id, _ in said] == [
        "2/shoe.cut/alice/1",
        "2/bet.pass/alice/1",
        "2-1/bob/banker/1",
        "2-1/bob/tie/1",
        "2-1/carol/tie/1",
    ]


def test_nothing_is_said_to_a_fixed_shoe_before_all_are_restated() -> None:
    stage = ready_stage()
    stage.play("player")
    stage.close()
    fold = fold_of()
    feed(fold, stage.lines)
    known = len(stage.lines)
    stage.open(origin=ev.Fixed(), restated={"alice": 1, "bob": 2, "carol": 3})
    assert feed(fold, stage.lines[known:-1]) == []
    assert ids(feed(fold, stage.lines[-1:])) == [
        "2/bet.pass/alice/1", "2/bet.pass/bob/1", "2/bet.pass/carol/1",
    ]  # fmt: skip


def test_who_left_is_not_spoken_for_and_sits_down_again_in_the_next_shoe() -> None:
    stage = ready_stage()
    stage.play("player")
    stage.say(ev.BettorLeft("bob", command=None))
    stage.play("player")
    stage.close()
    stage.open(restated={"alice": 1000, "carol": 1})
    said = ids(feed(fold_of(), stage.lines))
    assert [text for text in said if "bob" in text] == [
        "1/bettor.sit/bob/1", "1-1/bob/banker/1", "1-1/bob/tie/1", "1-2/bob/banker/1",
        "1-2/bob/tie/1", "2/bettor.sit/bob/1",
    ]  # fmt: skip


def test_a_script_that_leaves_says_so_once_and_no_more() -> None:
    leaver = Recorder([(Wish("tie", 5),), LEAVE, (Wish("tie", 5),)])
    stage = Stage()
    stage.open(origin=ev.Fixed())
    stage.seat(r=1000, alice=10_000)
    stage.play("player")
    stage.play("player")
    stage.play("player")
    said = heard(feed(fold_of(Seat("r", 1000, leaver), alice()), stage.lines))
    assert [pair for pair in said if "alice" not in pair[0]] == [
        ("1/bettor.sit/r/1", co.BettorSit("r", 1000)),
        ("1-1/r/tie/1", co.BetPlace(1, "r", "tie", 5, None, last=True)),
        ("1/bettor.leave/r/1", co.BettorLeave("r")),
    ]


def test_a_refused_seat_is_not_waited_for_unless_the_shoe_does() -> None:
    stage = Stage()
    stage.open(origin=ev.Fixed())
    stage.seat(alice=10_000)
    stage.say(ev.CommandRefused("seat-taken", command="1/bettor.sit/bob/1"))
    assert ids(feed(fold_of(alice(), bob()), stage.lines))[2:] == [ROUND_1[0]]

    stage = Stage()
    stage.open(origin=ev.Fixed(), seats=["bob"])
    stage.seat(alice=10_000)
    stage.say(ev.CommandRefused("seat-taken", command="1/bettor.sit/bob/1"))
    fold = fold_of(alice(), bob())
    assert ids(feed(fold, stage.lines))[2:] == []
    stage.seat(bob=10_000)
    assert ids(feed(fold, stage.lines[-1:])) == ROUND_1[:3]


def test_a_refused_bet_is_not_sent_again() -> None:
    stage = ready_stage()
    stage.betting(
        ev.BetRefused(
            1, ROUND_1[0], "alice", "player", 1000, None, reason="step", command=ROUND_1[0]
        )
    )
    fold = fold_of()
    said = ids(feed(fold, stage.lines))
    assert said.count(ROUND_1[0]) == 1


@pytest.mark.parametrize("end", ["halt", "close"])
def test_nothing_is_said_after_the_end(end: str) -> None:
    stage = ready_stage()
    stage.betting()
    stage.deal()
    if end == "halt":
        stage.halt(settled("alice", "player", 1000, "void"))
    else:
        stage.settle("player")
        stage.close()
    fold = fold_of()
    said = ids(feed(fold, stage.lines))
    assert fold.resume() == []
    expected = [] if end == "halt" else ["1-2/alice/player/1"]
    assert [text for text in said if text.startswith("1-2/alice")] == expected


def test_a_table_without_seats_of_ours_hears_nothing() -> None:
    stage = ready_stage()
    stage.play("player")
    fold = BettorsFold("T7", [], simulated_client_seed)
    fold.resume()
    assert feed(fold, stage.lines) == []


# ------------------------------------------------------------------------------------- restarting


def long_stage() -> Stage:
    """Two shoes with everything in them, as alice, bob, carol and bond play them."""
    stage = Stage()
    stage.open(seats=["alice", "bob", "carol", "bond"])
    stage.seat(alice=10_000, bob=10_000, carol=400, bond=7_600_000)
    stage.cut()
    stage.play("player", settled("bond", "player", 500_000, "win"))
    stage.play("void", settled("bond", "player", 500_000, "void"))
    stage.play("banker", settled("bond", "player", 500_000, "lose"))
    stage.say(adjusted("carol", 100))
    stage.play("tie", settled("carol", "tie", 500, "win", 4000))
    stage.close()
    stage.open(restated={"alice": 10_000, "bob": 10_000, "carol": 4_500, "bond": 7_600_000})
    stage.cut()
    stage.play("banker", settled("bond", "player", 500_000, "lose"))
    stage.play("banker", settled("bond", "banker", 500_000, "win"))
    stage.betting()
    return stage


LONG = long_stage().lines


def four() -> list[Seat]:
    return [alice(), bob(), carol(), shipped("yaba4").seat()]


def all_said() -> list[bytes]:
    return feed(fold_of(*four()), LONG)


@given(st.lists(st.booleans(), min_size=len(LONG), max_size=len(LONG)))
def test_the_same_is_said_whichever_stream_is_quicker(coins: list[bool]) -> None:
    assert feed(fold_of(*four()), merged(LONG, coins)) == all_said()


@pytest.mark.parametrize("at", range(len(LONG) + 1))
def test_a_restart_says_what_is_due_and_what_follows(at: int) -> None:
    """Fed again from the shoe's start: nothing of a past round, nothing lost, nothing else."""
    opened = max(
        (n for n in range(at) if isinstance(LONG[n].message.data, ev.ShoeOpened)), default=0
    )
    # A dealer appends the shoe's opening with its restated seats at once.
    if at < len(LONG) and opened < at and restating(at):
        return
    fold = fold_of(*four(), live=False)
    assert feed(fold, LONG[opened:at]) == []
    due = fold.resume()
    before = feed(fold_of(*four()), LONG[:at])
    assert set(due) <= set(before)
    now = ids(due)
    assert now == [text for text in ids(before) if text in now]
    assert len({text.split("/")[0] for text in now if "-" in text.split("/")[0]}) <= 1
    after = feed(fold, LONG[at:])
    assert before + after == all_said()
    assert fold.resume() == fold_of_all().resume()


def restating(at: int) -> bool:
    said = LONG[at].message.data
    return isinstance(said, ev.BettorSeated) and said.command is None


def fold_of_all() -> BettorsFold:
    fold = fold_of(*four())
    feed(fold, LONG)
    return fold


def test_due_after_a_restart_in_each_phase() -> None:
    stage = Stage()
    stage.open(seats=["alice", "bob"])
    assert due(stage) == [
        "1/bettor.sit/alice/1",
        "1/bettor.sit/bob/1",
        "1/bettor.sit/carol/1",
        "1/shoe.cut/alice/1",
    ]
    stage.seat(alice=10_000, bob=10_000)
    assert due(stage) == ["1/bettor.sit/carol/1", "1/shoe.cut/alice/1"]
    stage.seat(carol=400)
    assert due(stage) == ["1/shoe.cut/alice/1"]
    stage.cut()
    assert due(stage) == ROUND_1
    stage.say(ev.RoundOpened(1, command=None))
    assert due(stage) == ROUND_1
    stage.betting()
    assert due(stage) == []
    stage.deal()
    assert due(stage) == []
    stage.settle("tie")
    assert due(stage)[0] == "1-2/alice/player/1"
    stage.close()
    assert due(stage) == []
    stage.open(restated={"alice": 1, "bob": 1, "carol": 1})
    assert due(stage) == ["2/shoe.cut/alice/1"]


def due(stage: Stage) -> list[str]:
    opened = max(n for n, line in enumerate(stage.lines) if line.id.minor == 0)
    fold = fold_of(live=False)
    feed(fold, stage.lines[opened:])
    return ids(fold.resume())


def test_latecomers_ask_for_seats_and_bet_on_the_next_round_they_can() -> None:
    stage = Stage()
    stage.open(seats=["zoe"])
    stage.seat(zoe=1)
    stage.cut()
    stage.play("player")
    fold = fold_of(alice(), live=False)
    feed(fold, stage.lines)
    assert ids(fold.resume()) == ["1/bettor.sit/alice/1"]
    known = len(stage.lines)
    stage.betting()
    stage.seat(alice=10_000)
    assert feed(fold, stage.lines[known:]) == []
    known = len(stage.lines)
    stage.deal()
    stage.settle("player")
    assert ids(feed(fold, stage.lines[known:])) == ["1-3/alice/player/1"]


def test_outcomes_of_older_shoes_are_nothing_to_us() -> None:
    older = ready_stage()
    older.play("player")
    outcome = older.lines[-1]
    stage = Stage()
    stage.shoe = 1
    stage.open(restated={"alice": 10_000})
    stage.cut()
    fold = fold_of(alice(), live=False)
    feed(fold, [outcome, *stage.lines])
    assert ids(fold.resume()) == ["2-1/alice/player/1"]


def test_each_shoe_is_cut_with_the_seed_given_for_it() -> None:
    asked: list[Shoe] = []

    def seed(shoe: Shoe) -> bytes:
        asked.append(shoe)
        return bytes([shoe.number])

    stage = Stage()
    stage.open()
    stage.close()
    stage.open()
    fold = BettorsFold("T7", [alice()], seed)
    fold.resume()
    said = [command for _, command in heard(feed(fold, stage.lines)) if isinstance(command, co.Cut)]
    assert [str(shoe) for shoe in asked] == ["T7/1", "T7/2"]
    assert [cut.client_seed for cut in said] == ["01", "02"]


def in_error(stage: Stage, position: int, card: Card) -> ev.CardDrawn:
    return ev.CardDrawn(stage.round, "error", position, card, command=None)


def test_a_card_drawn_in_error_is_counted_once() -> None:
    recorder = Recorder([()])
    stage = Stage()
    stage.open()
    stage.seat(r=1000)
    stage.cut()
    stage.betting()
    stage.say(
        in_error(stage, 4, "5D"),
        ev.CardDrawn(1, "banker", 4, "5D", command=None),
        in_error(stage, 5, "KD"),
        ev.CardDiscarded(5, "KD", "no-next-hand", command=None),
    )
    feed(fold_of(Seat("r", 1000, recorder)), stage.lines)
    assert [told for told in recorder.told if isinstance(told, str)] == ["shoe", "5D", "KD"]


@pytest.mark.parametrize(
    ("rules", "rounds"),
    [("punto-banco-dummy", [1, 3]), ("punto-banco", [1, 2, 3]), ("casino-france-1959", [1, 2, 3])],
)
def test_nobody_bets_on_a_dummy_hand(rules: str, rounds: list[int]) -> None:
    recorder = Recorder([(Wish("player", 100),)] * 3)
    stage = Stage()
    stage.rules = named(rules)
    stage.open()
    stage.seat(r=1000)
    stage.cut()
    stage.betting()
    stage.say(in_error(stage, 4, "5D"))
    stage.deal()
    stage.settle("player")
    stage.play("banker")
    fold = fold_of(Seat("r", 1000, recorder))
    said = heard(feed(fold, stage.lines))
    bets = [name for name, _ in said if "/player/" in name]
    assert bets == [f"1-{number}/r/player/1" for number in rounds]
    asked = [told.round for told in recorder.told if isinstance(told, View)]
    assert asked == rounds
    assert Coup(2, "banker") in recorder.told
