"""A shoe by other rules, on shoes small enough to deal by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import DECK, card_named
from schemas.events import BetPlaced
from schemas.ruleset import CutCard, Rounds, RuleSet, named, parse
from services.baccarat import compile_rules, resolve_limits
from services.baccarat.compare import compare, outside
from services.baccarat.course import Course, KnownCards, Unseen
from services.baccarat.redeal import Logged, Played, deal_again, same_coup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.cards import Card
    from services.baccarat import Game


def cards(text: str) -> tuple[Card, ...]:
    found = [card_named(name) for name in text.split()]
    assert None not in found
    return tuple(card for card in found if card is not None)


def game(name: str, **changes: object) -> Game:
    """A rule set without burn and cut card, unless told otherwise."""
    plain: dict[str, object] = {"burn": None, "ending": Rounds(99), "round_needs": 4}
    rules: RuleSet = msgspec.structs.replace(parse(named(name).text), **{**plain, **changes})
    return compile_rules(rules)


STANDARD, PRINTED = game("punto-banco-even"), game("fun-casino-as-printed")
SIMPLE = game("fun-casino-simple")

#: Two rounds by the standard chart, two others by the page as printed. In the first, P 5 draws a 2:
#: the banker's 5 stands by the chart, and draws by the page.
SHOE = cards("5C 5D KC KD 2D  3S KS 5H TC 9D 9H QC JD JC")


def bet(number: int, bettor: str, spot: str, stake: int = 1000) -> BetPlaced:
    name = f"1-{number}/{bettor}/{spot}/1"
    return BetPlaced(
        round=number, bet=name, bettor=bettor, spot=spot, stake=stake, chips=None, command=name
    )


def logged(number: int, start: int | None, *bets: BetPlaced, taken: int = 0) -> Logged:
    return Logged(number, bets, start, voided=bool(taken), taken=taken)


def known(order: Sequence[Card], *out: int) -> KnownCards:
    return KnownCards(lambda position: order[position], len(order), Course(frozenset(out)))


def spelled(one: Played) -> str:
    return f"{' '.join(one.player.cards)} | {' '.join(one.banker.cards)} | {one.winner}"


ROUNDS = [
    logged(1, 0, bet(1, "ann", "player"), bet(1, "bob", "banker")),
    logged(2, 5, bet(2, "ann", "player"), bet(2, "cyd", "tie")),
]


class TestSameCoup:
    def test_each_round_begins_where_it_began(self) -> None:
        chart = [spelled(same_coup(STANDARD, one, known(SHOE))) for one in ROUNDS]
        page = [spelled(same_coup(PRINTED, one, known(SHOE))) for one in ROUNDS]
        assert chart == ["5C KC 2D | 5D KD | player", "3S 5H | KS TC | player"]
        # The 3 that the banker draws by the page begins round 2 all the same.
        assert page == ["5C KC 2D | 5D KD 3S | banker", "3S 5H | KS TC | player"]

    def test_how_much(self) -> None:
        chart = [same_coup(STANDARD, one, known(SHOE)) for one in ROUNDS]
        page = [same_coup(PRINTED, one, known(SHOE)) for one in ROUNDS]
        found = compare(chart, page, ROUNDS)
        first, second = found.rounds
        assert (first.round, first.cards, first.winner, first.money) == (1, True, True, True)
        assert [(one.bettor, one.a, one.b) for one in first.bets] == [
            ("ann", 1000, -1000), ("bob", -1000, 950),
        ]  # fmt: skip
        assert (first.house.a, first.house.b, first.house.difference) == (0, 50, 50)
        # In round 2 only the tie bet differs: the page has no such spot.
        assert (second.round, second.cards, second.winner, second.money) == (2, False, False, False)
        assert [(one.bettor, one.a, one.b) for one in second.bets] == [
            ("ann", 1000, 1000), ("cyd", -1000, None),
        ]  # fmt: skip
        assert second.b is not None
        assert second.b.unplaceable == ("1-2/cyd/tie/1",)
        assert (found.cards, found.winners, found.money) == (1, 1, 1)
        money = {name: (one.a, one.b, one.one_sided) for name, one in found.bettors.items()}
        assert money == {"ann": (2000, 0, 0), "bob": (-1000, 950, 0), "cyd": (-1000, 0, 1000)}
        assert (found.house.difference, found.house.one_sided) == (-950, -1000)

    def test_a_card_put_aside_is_passed_over(self) -> None:
        order = cards("5C 5D KC 9H KD 2D")
        assert spelled(same_coup(STANDARD, logged(1, 0), known(order, 3))) == (
            "5C KC 2D | 5D KD | player"
        )

    def test_a_card_nobody_has_seen(self) -> None:
        seen = dict(enumerate(SHOE[:5]))
        few = KnownCards(seen.get, None)
        assert same_coup(STANDARD, ROUNDS[0], few).winner == "player"
        with pytest.raises(Unseen, match="the card at position 5 is not known from this log"):
            same_coup(PRINTED, ROUNDS[0], few)

    def test_a_shoe_that_ends_in_the_coup_voids_it(self) -> None:
        one = same_coup(PRINTED, ROUNDS[0], known(SHOE[:5]))
        assert spelled(one) == "5C KC 2D | 5D KD | void"
        assert [paid.result for paid in one.settlements] == ["void", "void"]

    def test_a_voided_round_stays_void_and_one_without_cards_has_none(self) -> None:
        voided = logged(1, 0, bet(1, "ann", "player"), taken=3)
        assert spelled(same_coup(SIMPLE, voided, known(SHOE))) == "5C KC | 5D | void"
        before = Logged(1, (bet(1, "ann", "player"), bet(1, "cyd", "tie")), None, True, 0)  # noqa: FBT003
        one = same_coup(SIMPLE, before, known(SHOE))
        assert (spelled(one), one.unplaceable) == (" |  | void", ("1-1/cyd/tie/1",))


class TestDealtAgain:
    def test_a_changed_draw_shifts_what_follows(self) -> None:
        chart = deal_again(STANDARD, ROUNDS, SHOE, to_the_end=False)
        page = deal_again(PRINTED, ROUNDS, SHOE, to_the_end=False)
        assert [spelled(one) for one in chart] == [
            "5C KC 2D | 5D KD | player", "3S 5H | KS TC | player",
        ]  # fmt: skip
        # Round 2 begins a card later: KS 5H TC 9D, and P 0 draws the 9H against B 4.
        assert [spelled(one) for one in page] == [
            "5C KC 2D | 5D KD 3S | banker", "KS TC 9H | 5H 9D | player",
        ]  # fmt: skip
        assert [card.position for card in page[1].cards] == [6, 7, 8, 9, 10]
        found = compare(chart, page, ROUNDS)
        assert [(one.round, one.cards, one.winner) for one in found.rounds] == [
            (1, True, True), (2, True, False),
        ]  # fmt: skip

    def test_the_burn_is_the_rule_sets_own(self) -> None:
        burn = parse(named("punto-banco").text).burn
        burning = game("punto-banco-even", burn=burn)
        order = cards("3H 9S 9S 9S " + "5C 9D KC KD")
        assert spelled(deal_again(burning, [], order)[0]) == "5C KC | 9D KD | banker"
        assert spelled(deal_again(STANDARD, [], order)[0]) == "3H 9S | 9S 9S | banker"
        # A king burns ten, fewer where the shoe is shorter.
        assert deal_again(burning, [], cards("KH 9S 9S 9S 9D 9D 9D 9D")) == []

    @pytest.mark.parametrize(
        ("from_end", "hands_after", "first_is_last", "rounds"),
        [
            # Rounds of four cards, 24 in all. The cut card lies before card 24 - from_end.
            (14, 1, True, 4),  # before card 10, in hand 3: that one and one more
            (14, 0, True, 3),
            (14, 2, True, 5),
            (16, 1, True, 3),  # before card 8, the first of hand 3: that hand is the last
            (16, 1, False, 4),  # unless the rules count it like any other
            (24, 1, True, 1),  # before the first card of all
            (4, 1, True, 6),
        ],
    )
    def test_the_cut_card(
        self, from_end: int, hands_after: int, *, first_is_last: bool, rounds: int
    ) -> None:
        ending = CutCard(from_end, hands_after, first_is_last)
        order = cards("9C KD KC KD " * 6)
        assert len(deal_again(game("punto-banco-even", ending=ending), [], order)) == rounds

    def test_the_end_of_the_rules_and_the_end_of_the_log(self) -> None:
        order = cards("9C KD KC KD " * 6)
        seven = game("yaba4", ending=Rounds(5))
        assert len(deal_again(seven, ROUNDS, order)) == 5
        assert len(deal_again(seven, ROUNDS, order, to_the_end=False)) == 2
        assert len(deal_again(game("yaba4", ending=Rounds(1)), ROUNDS, order)) == 1

    @pytest.mark.parametrize(("reshuffle_at", "rounds"), [(16, 2), (15, 3), (None, 2), (0, 6)])
    def test_a_number_drawn_from_the_seed(self, reshuffle_at: int | None, rounds: int) -> None:
        buti = game("buti-1990", ending=parse(named("buti-1990").text).ending, round_needs=0)
        order = cards("9C KD KC KD " * 6)
        assert len(deal_again(buti, [], order, reshuffle_at=reshuffle_at)) == rounds

    def test_a_round_the_other_rules_do_not_deal(self) -> None:
        short = game("yaba4", ending=Rounds(1))
        found = compare(
            deal_again(STANDARD, ROUNDS, SHOE, to_the_end=False),
            deal_again(short, ROUNDS, SHOE, to_the_end=False),
            ROUNDS,
        )
        assert [(one.round, one.a is None, one.b is None) for one in found.rounds] == [
            (2, False, True)
        ]
        assert found.bettors["ann"].one_sided == found.bettors["ann"].difference == -1000

    def test_a_voided_round_takes_the_cards_it_took(self) -> None:
        rounds = [logged(1, 0, bet(1, "ann", "player"), taken=3), logged(2, 3)]
        order = cards("5C 5D KC  9C KD KC KD")
        played = deal_again(STANDARD, rounds, order, to_the_end=False)
        assert [spelled(one) for one in played] == ["5C KC | 5D | void", "9C KC | KD KD | player"]
        assert played[0].settlements[0].returned == 1000

    def test_the_shoe_runs_out_in_mid_hand(self) -> None:
        played = deal_again(STANDARD, [], cards("9C KD KC KD  2C 3D KC KD"))
        assert [one.winner for one in played] == ["player", "void"]

    def test_cards_put_aside_stay_aside(self) -> None:
        order = cards("9H 9C KD KC KD 9H 9H 5C 5D KC 9H KD 2D")
        played = deal_again(STANDARD, [], order, Course(frozenset({0, 5, 6, 10})))
        assert [spelled(one) for one in played] == [
            "9C KC | KD KD | player", "5C KC 2D | 5D KD | player",
        ]  # fmt: skip

    def test_a_card_drawn_in_error_that_is_dealt_later(self) -> None:
        """The 9H at 4 was drawn in error, the 6D after it was the banker's; a dummy hand began
        with the 9H. By the page the banker draws elsewhere, and the 9H comes as it came."""
        order = cards("6C 3S TD TC 9H 6D  2S KD KC  9C KD KC KD")
        course = Course(late={5: 4})
        played = deal_again(STANDARD, [], order, course)
        assert [spelled(one) for one in played] == [
            "6C TD | 3S TC 6D | banker", "9H KD | 2S KC | player", "9C KC | KD KD | player",
        ]  # fmt: skip
        assert [card.position for card in played[1].cards] == [4, 6, 7, 8]
        begun = KnownCards(lambda position: order[position], len(order), course)
        for one, start in zip(played, (0, 4, 9), strict=True):
            assert same_coup(STANDARD, logged(one.round, start), begun) == one


@given(st.lists(st.sampled_from(DECK), max_size=120), st.sampled_from([STANDARD, PRINTED, SIMPLE]))
def test_every_card_is_dealt_once_in_order(order: list[Card], by: Game) -> None:
    dealt = [card for one in deal_again(by, [], order) for card in one.cards]
    assert [card.position for card in dealt] == list(range(len(dealt)))
    assert [card.card for card in dealt] == order[: len(dealt)]
    assert len(order) - len(dealt) < 4


@given(
    st.lists(st.sampled_from(DECK), min_size=12, max_size=60),
    st.lists(st.sampled_from(["player", "banker", "tie"]), min_size=1, max_size=4),
)
def test_a_comparison_adds_up_and_turned_round_it_is_its_negative(
    order: list[Card], spots: list[str]
) -> None:
    rounds = [
        logged(number, None, *(bet(number, f"b{n}", spot) for n, spot in enumerate(spots)))
        for number in range(1, 12)
    ]
    chart, page = (deal_again(by, rounds, order) for by in (STANDARD, PRINTED))
    there, back = compare(chart, page, rounds), compare(page, chart, rounds)
    for found in (there, back):
        assert found.house.a == -sum(one.a for one in found.bettors.values())
        assert found.house.difference == sum(one.house.difference for one in found.rounds)
        assert found.house.one_sided == sum(one.house.one_sided for one in found.rounds)
        assert all(one.difference == one.b - one.a for one in found.bettors.values())
    assert [one.round for one in there.rounds] == [one.round for one in back.rounds]
    assert there.house.difference == -back.house.difference
    assert compare(chart, chart, rounds).rounds == ()


@pytest.mark.parametrize(
    ("name", "bets", "reasons"),
    [
        ("fun-casino-simple", [("player", 1000), ("banker", 999)], [("banker", "below-minimum")]),
        ("fun-casino-simple", [("player", 500_100)], [("player", "above-maximum")]),
        ("fun-casino-simple", [("player", 1050)], [("player", "step")]),
        ("fun-casino-simple", [("tie", 1)], []),  # unplaceable, and said so elsewhere
        ("yaba4", [("player", 100_000), ("tie", 100_000)],
         [("player", "combination"), ("tie", "combination")]),
        # The tie is too small by itself; what is left is one bet, and stands.
        ("yaba4", [("player", 100_000), ("tie", 100)], [("tie", "below-minimum")]),
        ("ktane", [("tie", 500)], [("tie", "combination")]),
        ("ktane", [("player", 5000), ("tie", 500)], []),
    ],
)  # fmt: skip
def test_bets_outside_the_limits(
    name: str, bets: list[tuple[str, int]], reasons: list[tuple[str, str]]
) -> None:
    by = game(name)
    limits = resolve_limits(by.rules)
    rounds = [logged(1, 0, *(bet(1, "ann", spot, stake) for spot, stake in bets))]
    assert [(one.spot, one.reason) for one in outside(by, limits, rounds)] == reasons


def test_a_gap_between_the_tables_stakes() -> None:
    by = game("fun-casino-simple")
    limits = resolve_limits(by.rules, differential=5000)
    rounds = [logged(1, 0, bet(1, "ann", "player", 9000), bet(1, "bob", "banker", 3000))]
    assert {one.reason for one in outside(by, limits, rounds)} == {"differential"}


def test_the_page_marks_the_rows_in_which_it_contradicts_the_standard_chart() -> None:
    text = named("fun-casino-as-printed").text
    page, chart = parse(text).drawing, parse(named("punto-banco").text).drawing
    rows = [
        (set(row), set(other))
        for row, other in zip(page.banker_chart, chart.banker_chart, strict=True)
    ]
    differing = [total for total, (row, other) in enumerate(rows) if row != other]
    lines = text.split("banker_chart = [")[1].splitlines()[1:9]
    assert [total for total, line in enumerate(lines) if "(!)" in line] == differing == [5, 6]
    # Each of the ten third cards is answered with the opposite.
    for total in differing:
        assert rows[total][0] | rows[total][1] == set(range(10))
        assert not rows[total][0] & rows[total][1]
    assert (page.player, page.naturals, page.deal) == (chart.player, chart.naturals, chart.deal)
    assert page.banker_player_stood == chart.banker_player_stood
