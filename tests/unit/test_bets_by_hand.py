"""Bets worked by hand, settled by the resolver's rules and again by the auditor's own."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from schemas.ruleset import named, parse, published
from services.auditor.tables import tables
from services.baccarat import compile_rules

if TYPE_CHECKING:
    from schemas.cards import Card

FILE = Path(__file__).parents[1] / "vectors" / "settlements" / "bets.csv"
with FILE.open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))


def cards(text: str) -> list[Card]:
    return cast("list[Card]", text.split())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['rules']} {row['spot']}")
def test_both_settle_it_as_worked_by_hand(row: dict[str, str]) -> None:
    text = named(row["rules"]).text
    game, laid = compile_rules(parse(text)), tables(text)
    assert laid is not None
    player, banker, stake = cards(row["player"]), cards(row["banker"]), int(row["stake"])
    for ours in (game.next_draw, laid.draws):
        assert ours(player[:2], banker[:2]) == due(player, banker)
        if len(player) == 3:
            assert ours(player, banker[:2]) == ("banker" if len(banker) == 3 else None)
    money = (int(row["won"]), int(row["commission"]), int(row["returned"]))
    wanted = (row["result"], row["odds"] or None, *money)
    paid = game.settle("b", "ann", row["spot"], stake, game.result(player, banker))
    assert (paid.result, paid.odds, paid.won, paid.commission, paid.returned) == wanted
    assert laid.result(player, banker).paid((row["spot"], stake)).says == wanted


def due(player: list[Card], banker: list[Card]) -> str | None:
    if len(player) == 3:
        return "player"
    return "banker" if len(banker) == 3 else None


def test_every_line_of_the_side_bets_is_worked() -> None:
    worked = {(row["rules"], row["spot"], row["odds"]) for row in ROWS}
    for name in ("ez-baccarat", "no-commission-six", "casino-france-1959", "punto-banco-sides"):
        for spot, of in parse(published()[name].text).spots.items():
            if of.main or spot in {"tie", "player-pair", "banker-pair"}:
                continue
            for pay in of.pays:
                assert (name, spot, pay.odds or "") in worked
