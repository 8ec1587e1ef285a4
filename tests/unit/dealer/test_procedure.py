"""Deal order, burns, cut card and the shoe's end, on fixed shoes worked out by hand."""

from __future__ import annotations

import pytest

from schemas import commands as co
from schemas import events as ev
from services.ledger.lines import interleave, log_root
from tests.unit.dealer.house import Table, cards, rules_like


def small(from_end: int, *more: tuple[str, str], after: int = 1) -> dict[str, ev.RuleText]:
    return rules_like(
        "punto-banco",
        ("from_end = 14", f"from_end = {from_end}"),
        ("hands_after = 1", f"hands_after = {after}"),
        *more,
    )


def open_stacked(order: str, rules: dict[str, ev.RuleText] | None = None) -> Table:
    name = "yaba4" if rules is None else "test"
    table = Table(
        co.ShoeOpen(name, co.AskFixed("stacked"), seats=("alice",)),
        decks={"stacked": cards(order)},
        rules=rules,
    )
    table.sit("alice")
    table.say()
    table.play_on("alice")
    return table


def drawn(table: Table) -> list[tuple[int, str, int, str]]:
    return [
        (event.round, event.hand, event.position, event.card)
        for event in table.events
        if isinstance(event, ev.CardDrawn)
    ]


def closed(table: Table) -> ev.ShoeClosed:
    last = table.events[-1]
    assert isinstance(last, ev.ShoeClosed)
    return last


def test_the_first_four_go_player_banker_player_banker() -> None:
    # P 2+4 = 6 stands, B 3+4 = 7 stands; dealt P P B B it would be P 2+3, B 4+4 = 8.
    table = open_stacked("2C 3C 4C 4D")
    assert drawn(table) == [
        (1, "player", 0, "2C"),
        (1, "banker", 1, "3C"),
        (1, "player", 2, "4C"),
        (1, "banker", 3, "4D"),
    ]


def test_third_cards_go_to_the_player_first() -> None:
    # P 2+3 = 5 draws 4; B 3+2 = 5 draws on a 4.
    table = open_stacked("2C 3C 3D 2D 4C 9C")
    assert drawn(table)[4:] == [(1, "player", 4, "4C"), (1, "banker", 5, "9C")]


def test_a_drawn_total_is_not_tested_again() -> None:
    # P stands on 6; B 0+0 draws a 3 and must not draw again.
    table = open_stacked("6C KC KD QD 3C 2C 9C 5D 3D 4D")
    first = [card for card in drawn(table) if card[0] == 1]
    assert first[-1] == (1, "banker", 4, "3C")
    assert len(first) == 5


def test_no_card_is_drawn_against_a_natural() -> None:
    # P 9+K = 9, B 2+K = 2.
    table = open_stacked("9C 2C KC KD")
    assert len([card for card in drawn(table) if card[0] == 1]) == 4


def test_a_face_card_burns_ten_and_only_the_first_lies_face_up() -> None:
    order = "KC " + "2C " * 10 + "6C 7C KD KH " + "5D " * 20
    rules = small(4, ("decks = 8", "decks = 16"))
    table = open_stacked(order, rules)
    burns = [event for event in table.events if isinstance(event, ev.CardBurned)]
    assert [(burn.position, burn.card) for burn in burns] == [
        (0, "KC"),
        *((position, None) for position in range(1, 11)),
    ]
    assert drawn(table)[0][2:] == (11, "6C")


def test_an_ace_burns_one() -> None:
    table = open_stacked("AC 2C 6C 7C KD KH " + "5D " * 14, small(4, ("decks = 8", "decks = 16")))
    burns = [event for event in table.events if isinstance(event, ev.CardBurned)]
    assert [burn.position for burn in burns] == [0, 1]


# Ace burns one (positions 0, 1). Each coup P 6, B 7: four cards, from position 2 on.
COUPS = "6C 7C KC KD 6D 7D KH KS 6H 7H QC QD 6S 7S QH QS TC TD TH TS"
SHOE = f"AC 2C {COUPS}"  # 22 cards; coups begin at 2, 6, 10, 14, 18


@pytest.mark.parametrize(
    ("from_end", "index", "last_round", "what"),
    [
        (12, 10, 3, "in place of the third coup's first card: that coup is the last"),
        (11, 11, 4, "in mid-hand: that coup is finished and one more dealt"),
        (9, 13, 4, "before the last card of a coup: still within it, so one more"),
        (16, 6, 2, "in place of the second coup's first card"),
    ],
)
def test_where_the_cut_card_comes_out(
    from_end: int, index: int, last_round: int, what: str
) -> None:
    table = open_stacked(SHOE, small(from_end, ("round_needs = 6", "round_needs = 4")))
    opened = table.events[0]
    assert isinstance(opened, ev.ShoeOpened)
    assert opened.cut_card == index, what
    events = table.events
    place = next(i for i, event in enumerate(events) if isinstance(event, ev.CutCardOut))
    after = events[place + 1]
    assert isinstance(after, ev.CardDrawn)
    assert after.position == index, what
    rounds = [event.round for event in events if isinstance(event, ev.RoundDealt)]
    assert rounds[-1] == last_round, what
    assert closed(table).reason == "rules"


def test_the_cut_card_behind_the_burn_makes_the_first_hand_the_last() -> None:
    # from_end 21 of 22: index 1, within the burn.
    table = open_stacked(SHOE, small(21, ("round_needs = 6", "round_needs = 4")))
    kinds = [type(event) for event in table.events]
    assert kinds.index(ev.CutCardOut) < kinds.index(ev.RoundOpened)
    assert [event.round for event in table.events if isinstance(event, ev.RoundDealt)] == [1]


def test_seven_rounds_end_the_scripted_game() -> None:
    table = open_stacked("6C 7C KC KD " * 8)
    assert sum(isinstance(event, ev.RoundDealt) for event in table.events) == 7
    assert closed(table).reason == "rules"


def test_a_shoe_that_runs_out_in_mid_hand_voids_the_round_and_is_never_rebuilt() -> None:
    # Second coup: P 2+3 draws, and there is no card.
    table = open_stacked("6C 7C KC KD 2C KH 3C QD")
    voided = [event for event in table.events if isinstance(event, ev.RoundVoided)]
    assert [(event.round, event.reason, event.by) for event in voided] == [
        (2, "shoe-exhausted", "rules")
    ]
    assert closed(table).reason == "rules"
    assert max(card[2] for card in drawn(table)) == 7


def test_a_round_is_not_opened_on_fewer_cards_than_it_may_need() -> None:
    table = open_stacked("AC 2C 6C 7C KC KD 6D 7D KH KS 2D", small(1))
    assert [event.round for event in table.events if isinstance(event, ev.RoundDealt)] == [1]
    assert closed(table).reason == "rules"


def test_a_fixed_order_is_revealed_with_its_salt() -> None:
    table = open_stacked("6C 7C KC KD")
    reveal = closed(table).reveal
    assert isinstance(reveal, ev.OrderReveal)
    assert reveal.order == "6C 7C KC KD"
    assert len(bytes.fromhex(reveal.salt)) == 32


def test_one_append_a_round_when_all_have_spoken_ahead() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice", "bob")))
    table.sit("alice", "bob")
    table.cut()
    table.bet(1, "alice", "player")
    table.bet(1, "bob", "banker")
    table.say()
    table.batches.clear()
    table.bet(2, "alice", "player")
    assert table.say() == []
    table.bet(2, "bob", "banker")
    said = table.say()
    assert len(table.batches) == 1
    kinds = [type(event) for event in said]
    assert kinds[:4] == [ev.RoundOpened, ev.BetPlaced, ev.BetPlaced, ev.BetsClosed]
    assert kinds[-1] is ev.RoundDealt
    assert set(kinds[4:-1]) == {ev.CardDrawn}


def test_no_card_leaves_before_the_awaited_sit_and_the_shoe_is_cut() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice", "bob")))
    table.cut()
    table.sit("alice")
    said = table.say()
    assert [type(event) for event in said] == [ev.ShoeOpened, ev.BettorSeated]
    table.sit("bob")
    said = table.say()
    assert [type(event) for event in said[:3]] == [ev.BettorSeated, ev.ShoeCut, ev.CardBurned]


def test_a_whole_seeded_shoe_ends_at_its_cut_card_and_opens_its_commitment() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)))
    table.sit("alice")
    table.cut()
    table.say()
    table.play_on("alice")
    end = closed(table)
    assert end.reason == "rules"
    assert isinstance(end.reveal, ev.SeedReveal)
    assert bytes.fromhex(end.reveal.server_seed) == bytes(range(32))
    out = [event.position for event in table.events if isinstance(event, ev.CutCardOut)]
    assert out == [416 - 14]


def test_the_next_shoe_restates_who_sits_and_names_the_last_root() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)), shoes=2)
    table.sit("alice", bankroll=123_400)
    table.cut()
    table.say()
    table.bet(1, "alice", "player", 1000)
    table.say()
    table.play_on("alice")
    second = [decoded for decoded in table.events if isinstance(decoded, ev.ShoeOpened)][1]
    lines = (
        [data for name, data in said if name.major == 1] for said in (table.entries, table.outcomes)
    )
    assert second.previous_root == log_root(interleave(*lines)).hex()
    at = table.events.index(second)
    restated = table.events[at + 1]
    assert isinstance(restated, ev.BettorSeated)
    assert restated.bettor == "alice"
    assert restated.command is None
    assert restated.bankroll in {122_400, 123_400, 124_400}


def test_a_person_who_calls_a_shoe_empty_ends_only_the_round() -> None:
    """He words his reason as he likes; only the rules end a shoe for want of cards."""
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)))
    table.sit("alice")
    table.cut()
    table.send("1/round.void/pit/1", co.RoundVoid(1, "shoe-exhausted", "pit"))
    table.say()
    for number in (1, 2):
        table.let_go(number)
        table.say()
    assert not table.dealer.shoe_closed
    said = [type(event) for event in table.events]
    assert said.count(ev.RoundVoided) == said.count(ev.RoundDealt) == 1
