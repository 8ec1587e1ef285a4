"""The committed logs of rule sets: made again byte for byte, audited, and what each has to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schemas import events as ev
from schemas.envelope import decode_line
from schemas.outcomes import RoundResolved
from schemas.ruleset import named, parse, published
from services.auditor.offline import audit_paths
from services.auditor.tables import Tables
from services.runtime.logging import configure
from services.runtime.settings import Settings
from tests.support import samples, samples_rules

if TYPE_CHECKING:
    from pathlib import Path

    from schemas.outcomes import Settlement
    from tests.support.samples_rules import Sample

pytestmark = pytest.mark.integration
STANDARD = Tables(parse(named("punto-banco").text))
BY_RULES = {sample.rules: sample for sample in samples_rules.SAMPLES}


def log(table: str) -> Path:
    return samples.ROOT / table / "1.jsonl"


def said(rules: str) -> list[object]:
    path = log(BY_RULES[rules].table)
    return [decode_line(line).data for line in path.read_bytes().splitlines()]


def outcomes(rules: str) -> list[RoundResolved]:
    return [one for one in said(rules) if isinstance(one, RoundResolved)]


def settled(rules: str, spot: str) -> list[tuple[RoundResolved, Settlement]]:
    return [(told, one) for told in outcomes(rules) for one in told.settlements if one.spot == spot]


def test_they_are_made_again_byte_for_byte(tmp_path: Path) -> None:
    configure(Settings.read({"SHOETRAIL_LOG_LEVEL": "critical"}))
    samples_rules.make(tmp_path)
    made = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    tables = [name for one in BY_RULES.values() for name in (one.table, f"DISPUTE-{one.table}")]
    assert made == sorted(tmp_path / name / "1.jsonl" for name in tables)
    for path in made:
        assert path.read_bytes() == (samples.ROOT / path.relative_to(tmp_path)).read_bytes()


@pytest.mark.parametrize("sample", samples_rules.SAMPLES, ids=lambda one: one.rules)
def test_the_clean_one_passes(sample: Sample) -> None:
    audit = audit_paths([log(sample.table)])
    assert audit.verdict == "pass"
    notices = [] if sample.misdraw is None else ["voided", "policy-applied"]
    assert [finding.code for finding in audit.findings] == notices


@pytest.mark.parametrize("sample", samples_rules.SAMPLES, ids=lambda one: one.rules)
def test_the_disputed_one_fails_for_its_one_reason(sample: Sample) -> None:
    audit = audit_paths([log(f"DISPUTE-{sample.table}")])
    assert audit.verdict == "fail"
    (finding,) = audit.findings
    assert (finding.code, finding.grade) == (sample.code, "fault")


@pytest.mark.parametrize("sample", samples_rules.SAMPLES, ids=lambda one: one.rules)
def test_the_clean_one_is_by_the_published_text(sample: Sample) -> None:
    opened = said(sample.rules)[0]
    assert isinstance(opened, ev.ShoeOpened)
    assert opened.rules == published()[sample.rules]


def test_the_even_game_charges_nothing() -> None:
    won = [one for _, one in settled("punto-banco-even", "banker") if one.result == "win"]
    assert len(won) > 2
    assert {(one.odds, one.commission) for one in won} == {("1/1", 0)}
    assert "win" in {one.result for _, one in settled("punto-banco-even", "tie")}


def test_the_misprint_changes_draws_both_ways_and_who_wins() -> None:
    found = set()
    for told in outcomes("fun-casino-as-printed"):
        player, banker = told.player.cards, told.banker.cards
        standard = STANDARD.draws(player, banker[:2])
        if len(player) == 3 and (standard == "banker") is not (len(banker) == 3):
            found.add(STANDARD.total(banker[:2]) * 10 + len(banker))
    # The banker's 5 stood on a card he should draw on, and drew; and his 6 drew.
    assert found == {52, 53, 63}


def test_in_the_simple_game_both_draw_on_6_and_7() -> None:
    for told in outcomes("fun-casino-simple"):
        assert told.natural is (len(told.player.cards) == 2)
        assert len(told.player.cards) == len(told.banker.cards)
    firsts = {STANDARD.total(told.player.cards[:2]) for told in outcomes("fun-casino-simple")}
    assert firsts >= {6, 7}


def test_a_banker_7_of_three_cards_pushes_and_the_dragon_and_the_panda_come() -> None:
    pushed = [
        told.banker
        for told, one in settled("ez-baccarat", "banker")
        if one.result == "push" and told.winner == "banker"
    ]
    assert [(hand.total, len(hand.cards)) for hand in pushed] == [(7, 3)]
    for spot, odds in (("dragon-7", "40/1"), ("panda-8", "25/1")):
        won = [one.odds for _, one in settled("ez-baccarat", spot) if one.result == "win"]
        assert won == [odds]


def test_a_banker_6_pays_half_and_the_odd_cent_is_the_houses() -> None:
    halves = [
        (len(told.banker.cards), one.stake, one.won)
        for told, one in settled("no-commission-six", "banker")
        if one.odds == "1/2"
    ]
    assert halves == [(3, 1001, 500), (2, 1001, 500)]
    assert [one.won for _, one in settled("no-commission-six", "super-6") if one.won] == [6000] * 2
    sixes = [told.winner for told in outcomes("no-commission-six") if told.banker.total == 6]
    assert sorted(sixes) == ["banker", "banker", "tie"]


def test_in_france_a_wrong_draw_annuls_the_coup_and_the_cut_card_ends_the_shoe() -> None:
    events = said("casino-france-1959")
    (voided,) = [one for one in outcomes("casino-france-1959") if one.winner == "void"]
    assert voided.round == BY_RULES["casino-france-1959"].misdraw
    assert {one.result for one in voided.settlements} == {"void"}
    (wrong,) = [one for one in events if isinstance(one, ev.CardDrawn) and one.hand == "error"]
    away = [
        one
        for one in events
        if isinstance(one, ev.CardBurned | ev.CardDiscarded) and one.position == wrong.position
    ]
    assert len(away) == 1
    won = {one.odds for _, one in settled("casino-france-1959", "banker") if one.result == "win"}
    assert won == {"19/20"}
    # In mid-hand, with cards enough for another; and none was dealt.
    (out,) = [at for at, one in enumerate(events) if isinstance(one, ev.CutCardOut)]
    assert isinstance(events[out - 1], ev.CardDrawn)
    assert not any(isinstance(one, ev.RoundOpened) for one in events[out:])
    last = max(one.position for one in events if isinstance(one, ev.CardDrawn))
    assert len(BY_RULES["casino-france-1959"].deck) - last - 1 >= 6
    (closed,) = [one for one in events if isinstance(one, ev.ShoeClosed)]
    assert closed.reason == "rules"


def test_every_side_bet_is_won() -> None:
    rules = parse(named("punto-banco-sides").text)
    for spot in rules.spots:
        assert "win" in {one.result for _, one in settled("punto-banco-sides", spot)}, spot
    odds = {
        (one.spot, one.odds) for told in outcomes("punto-banco-sides") for one in told.settlements
    }
    for line in [("lucky-6", "12/1"), ("lucky-6", "23/1"), ("tiger", "20/1"), ("small", "3/2"),
                 ("big", "27/50"), ("perfect-pair", "25/1"), ("either-pair", "5/1")]:  # fmt: skip
        assert line in odds
    pushed = [told.natural for told, one in settled("punto-banco-sides", "dragon-bonus-player")
              if one.result == "push"]  # fmt: skip
    assert pushed == [True]
