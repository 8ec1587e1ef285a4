"""Good shoes of every published rule set pass, whichever way they are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemas import events as ev
from schemas import ruleset
from schemas.envelope import decode_line
from services.auditor import bomb, order
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_lines
from tests.unit.auditor.table import BETS, Table

YABA4 = (("ann", "banker", 100_000), ("bob", "player", 100_000), ("cyd", "tie", 100_000))
VECTORS = Path(__file__).parents[2] / "vectors" / "shoes" / "shoes.json"


def bets_for(name: str) -> list[tuple[str, str, int]]:
    if name == "yaba4":
        return list(YABA4)
    spots = ruleset.parse(ruleset.named(name).text).spots
    bets = [bet for bet in BETS if bet[1] in spots]
    hands = {spot for _, spot, _ in BETS}
    return bets + [("cyd", spot, of.minimum) for spot, of in spots.items() if spot not in hands]


def ktane() -> Table:
    """A public deck: a bet on each side, which the rules judge at the close."""
    vector = json.loads(VECTORS.read_text(encoding="utf-8"))["ktane"][0]
    fields = {name: vector[name] for name in ev.Ktane.__struct_fields__}
    origin = ev.Ktane(**{**fields, "ports": tuple(vector["ports"]), "lit": ()})
    cards = bomb.deck(origin)
    assert cards is not None
    return Table("ktane", origin=origin, order=cards)


@pytest.mark.parametrize("name", sorted(set(ruleset.published()) - {"ktane", "buti-1990"}))
def test_a_whole_shoe(name: str) -> None:
    table = Table(name).begin().play(bets_for(name)).close()
    result = audit_lines(table.lines())
    assert (result.verdict, result.findings) == ("pass", ())
    assert result.counts.rounds == table.number
    slowly = ShoeAudit()
    for line in table.lines():
        slowly.take(decode_line(line), line)
    assert slowly.result() == result


def test_a_shoe_that_ends_where_its_seed_says() -> None:
    table = Table("buti-1990").begin()
    key = order.key_of("T7/12", table.seed, bytes.fromhex(table.client), b"")
    least = 16 + order.number_below(key, "reshuffle", 15)
    while len(table.order) - table.position > least:
        table.round(*BETS)
    assert audit_lines(table.close().lines()).findings == ()
    table.entries.pop()
    past = table.open_round()
    table.pass_rest()
    table.close_bets()
    table.deal()
    table.settle()
    (finding,) = audit_lines(table.close().lines()).findings
    assert (finding.code, finding.at) == ("dealt-past-cut", table.at(past))


def test_a_shoe_that_ends_before_its_seed_says() -> None:
    table = Table("buti-1990").begin().play(BETS, rounds=70).close()
    assert [f.code for f in audit_lines(table.lines()).findings] == ["closed-early"]


def test_who_still_sits_is_restated_unasked() -> None:
    table = Table()
    for bettor, seat, bankroll in table.seats:
        table.say(ev.BettorSeated(bettor, seat, bankroll, command=None))
    table.cut()
    table.burn()
    assert audit_lines(table.play().close().lines()).findings == ()


def test_a_public_deck() -> None:
    table = ktane().begin()
    # Nobody's profit solves the module: what one wins the other loses.
    main = (("ann", "banker", 1_900), ("bob", "player", 1_900))
    result = audit_lines(table.play(main).close().lines())
    assert (result.verdict, result.findings) == ("pass", ())


def test_a_public_deck_shows_a_wrong_card_at_once() -> None:
    table = ktane().begin()
    table.open_round()
    table.pass_rest()
    table.close_bets()
    table.draw("player")
    wrong = table.draw("banker", "2S")
    (finding,) = audit_lines(table.lines()).findings
    assert (finding.code, finding.at) == ("card-order", table.at(wrong))


def test_bets_judged_at_the_close_count_only_if_the_round_is_dealt() -> None:
    table = ktane().begin()
    table.open_round()
    table.bet("ann", "tie", 100)
    table.pass_rest()
    table.close_bets()
    table.void("invalid-bet", "rules")
    table.settle(void=True)
    assert [f.code for f in audit_lines(table.lines()).findings] == ["voided"]
    table.open_round()
    table.bet("ann", "tie", 100)
    table.pass_rest()
    table.close_bets()
    dealt = table.deal()
    table.settle()
    assert [(f.code, f.at) for f in audit_lines(table.lines()).findings[1:]] == [
        ("bet-combination", table.at(dealt))
    ]


@pytest.mark.parametrize("seed", range(12))
def test_cut_cards_wherever_they_come_out(seed: int) -> None:
    """Before a hand's first card, in mid-hand, on its last card: the shoe ends where it has to."""
    table = Table(seed=bytes([seed]) * 32, shoe=3 + seed).begin().play()
    assert audit_lines(table.close().lines()).findings == ()


@pytest.mark.parametrize("size", [14, 15, 20, 26, 40, 53])
def test_short_stacked_shoes(size: int) -> None:
    """The cut card in the burn, in the first hand and later."""
    whole = Table().order[:size]
    table = Table("punto-banco", stacked=" ".join(whole)).begin().play()
    result = audit_lines(table.close().lines())
    assert result.findings == ()


def test_marked_commission_is_collected_before_the_close() -> None:
    def marked(text: str) -> str:
        return text.replace('collected = "each-hand"', 'collected = "shoe-end"')

    table = Table(edit=marked).begin().play(BETS, rounds=9)
    known = {"punto-banco": table.entries[0].data.rules}
    owed = sum(
        one.commission
        for entry in table.entries
        if entry.is_outcome
        for one in entry.data.settlements
    )
    table.say(ev.CommissionCollected("ann", owed, command=None))
    result = audit_lines(table.asked().lines(), known=known)
    assert [finding.code for finding in result.findings] == ["closed-early"]
