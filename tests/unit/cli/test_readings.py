"""A log by other rules: what it says by its own has to be what was dealt, to the card and cent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import events as ev
from schemas.ruleset import Drawn, named, parse
from services.auditor import order as auditors_order
from services.baccarat.course import Course
from services.cli.log_view import LogView, read_log
from services.cli.readings import as_dealt, compared, redealt, side_of
from tests.support.samples import ROOT
from tests.unit.auditor.table import BETS, Table, cards

if TYPE_CHECKING:
    from pathlib import Path

    from services.baccarat.redeal import Played

#: Committed logs of real services: of each rule set, cards in error and public decks among them.
FAITHFUL = sorted(
    log.relative_to(ROOT).as_posix()
    for log in ROOT.glob("*/*[0-9].jsonl")
    if log.parent.name.split("-")[0] not in {"DISPUTE", "DEMO", "AUTOPLAY"}
)


def viewed(naive: Table, path: Path) -> LogView:
    path.write_bytes(b"".join(line + b"\n" for line in naive.lines()))
    return read_log(path)


def by_its_own(view: LogView) -> list[tuple[Played, Played]]:
    """Each round as it was dealt, and dealt again by the log's own rules."""
    dealt = [as_dealt(view, one) for one in view.rounds.values()]
    return list(zip(dealt, redealt(view, side_of(view, None)), strict=True))


def same(one: Played, other: Played) -> bool:
    hands = [(each.player, each.banker, each.winner, each.settlements) for each in (one, other)]
    places = [
        [(card.hand, card.card, card.position) for card in each.cards if card.hand != "error"]
        for each in (one, other)
    ]
    return hands[0] == hands[1] and places[0] == places[1]


@pytest.mark.parametrize("log", FAITHFUL)
def test_a_faithful_log_by_its_own_rules_is_itself(log: str) -> None:
    view = read_log(ROOT / log)
    assert all(same(*pair) for pair in by_its_own(view))
    found = compared(view, None, side_of(view, None))
    assert found.dealt_again is not None
    assert (found.same_coup.rounds, found.dealt_again.rounds) == ((), ())
    assert (found.unknown, found.unplaceable, found.notes) == ((), (), ())


@given(st.binary(min_size=32, max_size=32), st.sampled_from(["punto-banco", "ez-baccarat"]))
@settings(max_examples=6, deadline=None)
def test_any_seeded_shoe_by_its_own_rules_is_itself(
    tmp_path_factory: pytest.TempPathFactory, seed: bytes, rules: str
) -> None:
    path = tmp_path_factory.mktemp("log") / "1.jsonl"
    view = viewed(Table(rules, seed=seed).begin().play().close(), path)
    assert len(view.rounds) > 50
    assert all(same(*pair) for pair in by_its_own(view))


@pytest.mark.parametrize("table", ["DISPUTE-COMMISSION", "DISPUTE-DRAW", "DISPUTE-YABA4"])
def test_a_fault_of_the_table_shows_against_its_own_rules(table: str) -> None:
    view = read_log(ROOT / table / "1.jsonl")
    found = compared(view, None, side_of(view, None))
    assert len(found.same_coup.rounds) == 1


class TestWhatPeopleDid:
    """Misdraws and voided rounds: the log's own rules still give the log."""

    def test_a_round_voided_with_cards_out(self, tmp_path: Path) -> None:
        naive = Table().begin().play(rounds=2)
        naive.open_round()
        naive.bet(*BETS[0])
        naive.close_bets()
        naive.first_four()
        naive.void("misdeal")
        naive.settle(void=True)
        view = viewed(naive.play(rounds=3).close("asked"), tmp_path / "1.jsonl")
        assert all(same(*pair) for pair in by_its_own(view))
        # By other rules it is void, too, and no money moves in it.
        other = redealt(view, side_of(view, "fun-casino-simple"))
        assert [one.round for one in other if one.winner == "void"] == [3]

    def test_a_card_in_error_that_begins_the_next_hand(self, tmp_path: Path) -> None:
        naive = Table().begin().play(rounds=1)
        naive.open_round()
        naive.close_bets()
        naive.first_four()
        if naive.player_draws():
            naive.draw("player")
        if naive.banker_draws():
            naive.draw("banker")
        error: ev.CardDrawn = naive.draw("error").data
        naive.dealt()
        naive.settle()
        naive.open_round()
        naive.close_bets()
        naive.say(ev.CardDrawn(3, "player", error.position, error.card, command=None))
        naive.player.append(error.card)
        for hand in naive.rules.drawing.deal[1:]:
            naive.draw(hand)
        if naive.player_draws():
            naive.draw("player")
        if naive.banker_draws():
            naive.draw("banker")
        naive.dealt()
        naive.settle()
        view = viewed(naive.play(rounds=3).close("asked"), tmp_path / "1.jsonl")
        assert view.known.course == Course()
        assert all(same(*pair) for pair in by_its_own(view))

    def test_a_card_in_error_that_is_put_aside(self, tmp_path: Path) -> None:
        naive = Table("casino-france-1959").begin().play(rounds=1)
        naive.open_round()
        naive.bet("ann", "player", 2_500)
        naive.close_bets()
        naive.first_four()
        error: ev.CardDrawn = naive.draw("error").data
        naive.say(ev.CardDiscarded(error.position, error.card, "misdraw", command=None))
        naive.void("misdraw", "rules")
        naive.settle(void=True)
        view = viewed(naive.play(rounds=3).close("asked"), tmp_path / "1.jsonl")
        assert view.known.course.out == {error.position}
        assert all(same(*pair) for pair in by_its_own(view))

    def test_a_shoe_that_ran_out(self, tmp_path: Path) -> None:
        stacked = "9C KD KC KD 2C KH 3C QD"
        naive = Table("yaba4", stacked=stacked, seats=[("bond", 1, 7_600_000)]).begin()
        naive.round(("bond", "player", 500_000))
        naive.open_round()
        naive.bet("bond", "player", 500_000)
        naive.close_bets()
        naive.first_four()
        naive.void("shoe-exhausted", "rules")
        naive.settle(void=True)
        view = viewed(naive.close(), tmp_path / "1.jsonl")
        assert all(same(*pair) for pair in by_its_own(view))
        found = compared(view, None, side_of(view, None))
        assert found.same_coup.rounds == ()


class TestAnOpenShoe:
    def test_only_the_first_reading_and_what_nobody_has_seen_is_not_guessed(
        self, tmp_path: Path
    ) -> None:
        """Round 6 by the page needs the card that begins round 7."""
        lines = (ROOT / "CLEAN" / "1.jsonl").read_bytes().splitlines(keepends=True)
        last = next(n for n, one in enumerate(lines) if b'"id":"1-6"' in one and b"resolved" in one)
        (tmp_path / "1.jsonl").write_bytes(b"".join(lines[: last + 1]))
        view = read_log(tmp_path / "1.jsonl")
        found = compared(view, None, side_of(view, "fun-casino-as-printed"))
        assert (found.rounds, found.unknown) == (6, (6,))
        assert 3 in [one.round for one in found.same_coup.rounds]
        assert found.dealt_again is None
        assert found.why_not == "the shoe is still open, so its order is not revealed yet"

    def test_a_round_that_is_not_settled_is_left_out(self, tmp_path: Path) -> None:
        naive = Table().begin().play(rounds=2)
        naive.open_round()
        view = viewed(naive, tmp_path / "1.jsonl")
        assert compared(view, None, side_of(view, None)).rounds == 2

    def test_a_shoe_closed_without_a_reveal(self, tmp_path: Path) -> None:
        naive = Table().begin().play(rounds=2).close("asked", reveal=None)
        found = compared(view := viewed(naive, tmp_path / "1.jsonl"), None, side_of(view, None))
        assert found.why_not == "the shoe was closed without a reveal that gives its order"


def test_the_end_drawn_from_the_seed_is_the_auditors(tmp_path: Path) -> None:
    naive = Table("buti-1990").begin().play(rounds=2)
    view = viewed(naive.close("asked"), tmp_path / "1.jsonl")
    ending = parse(view.opened.rules.text).ending
    assert isinstance(ending, Drawn)
    key = auditors_order.key_of("T7/12", naive.seed, bytes.fromhex(naive.client), b"")
    expected = ending.least + auditors_order.number_below(key, ending.label, ending.choices)
    assert view.reshuffle_at(ending) == expected


def test_a_bombs_deck_needs_no_reveal(tmp_path: Path) -> None:
    bomb = ev.Ktane("AB3CD7", 1000, 100_000, ("DVI-D", "Serial", "Serial"), (), 3, "red")
    first = cards("9D AH QH 2D 8D KH 3S 4C 8S TH")
    order = first + cards("2C " * 42)
    naive = Table(
        "ktane", origin=bomb, order=order, seats=[("defuser", 1, 1_000_000)], commitment=None
    )  # fmt: skip
    naive.seat_all()
    naive.round(("defuser", "player", 1000))
    view = viewed(naive, tmp_path / "1.jsonl")
    assert list(view.order[:10]) == first
    found = compared(view, side_of(view, None), side_of(view, "fun-casino-simple"))
    assert found.dealt_again is not None


def test_currencies_and_decks_that_differ_are_said(tmp_path: Path) -> None:
    view = viewed(Table().begin().play(rounds=1).close("asked"), tmp_path / "1.jsonl")
    found = compared(view, None, side_of(view, "ktane"))
    assert found.notes == (
        "ktane is for 1 decks, this shoe was opened with 8: it is dealt as it is",
    )
    found = compared(view, None, side_of(view, "fun-casino-simple"))
    assert len(found.notes) == 1
    assert "counts in GBP, this table in USD" in found.notes[0]


def test_the_tables_own_limits_are_those_it_was_opened_with(tmp_path: Path) -> None:
    limits = ev.Limits(
        {name: ev.SpotLimits(1, 100, 1) for name in parse(named("punto-banco").text).spots}, None
    )
    view = viewed(Table(limits=limits).begin().play(rounds=1).close("asked"), tmp_path / "1.jsonl")
    own = compared(view, None, side_of(view, "punto-banco"))
    assert {one.reason for one in own.outside} == {"above-maximum"}
    assert compared(view, None, side_of(view, "punto-banco-even")).outside == ()


def test_a_log_from_anybody_is_read_all_the_same(tmp_path: Path) -> None:
    """Cards dealt to one hand, and a step of nothing: said, and no reason made up for the rest."""
    limits = ev.Limits({"player": ev.SpotLimits(1, 100, 0)}, None)
    naive = Table(limits=limits).begin()
    naive.open_round()
    naive.bet("ann", "player", 7)
    naive.close_bets()
    for _ in range(5):
        naive.draw("player")
    naive.draw("banker")
    naive.say(ev.RoundVoided(1, "misdeal", "sue", command="12/round.void/sue/1"))
    naive.settle(void=True)
    view = viewed(naive.close("asked"), tmp_path / "1.jsonl")
    reasons = [card.reason for card in as_dealt(view, view.rounds[1]).cards]
    assert reasons == [
        "card 1 of the first 4: player",
        "against the rules: card 2 of the first 4: banker",
        *["after a card against the rules"] * 4,
    ]
    assert compared(view, None, side_of(view, None)).rounds == 1


def test_a_round_that_a_person_voided_as_if_the_shoe_were_empty_is_void_again(
    tmp_path: Path,
) -> None:
    naive = Table().begin().play(rounds=1)
    naive.open_round()
    naive.void("shoe-exhausted", "sue")
    naive.settle(void=True)
    view = viewed(naive.play(rounds=1).close("asked"), tmp_path / "1.jsonl")
    assert [one.winner for one in redealt(view, side_of(view, None))][1] == "void"
    assert compared(view, None, side_of(view, None)).dealt_again.rounds == ()  # type: ignore[union-attr]


def test_bets_are_counted_apart_where_a_spot_is_not_offered() -> None:
    view = read_log(ROOT / "CLEAN" / "1.jsonl")
    found = compared(view, None, side_of(view, "fun-casino-as-printed"))
    ties = [bet for one in view.rounds.values() for bet in one.bets if bet.spot == "tie"]
    assert [one.bet for one in found.unplaceable] == [bet.bet for bet in ties]
    carol = found.same_coup.bettors["carol"]
    assert (carol.b, carol.one_sided) == (0, -carol.a)
