"""What the auditor remembers of a rule set: a bounded number of payments, each of them right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.ruleset import named, parse
from services.auditor import tables
from services.auditor.tables import Tables

if TYPE_CHECKING:
    import pytest


def test_only_so_many_payments_are_remembered_over_all_kinds_of_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables, "_PAYMENTS", 50)
    laid = Tables(parse(named("punto-banco").text))
    hands = {"banker": (["2C", "3C"], ["4C", "5C"]), "player": (["4C", "5C"], ["2C", "3C"])}
    for stake in range(1000, 1200):
        for winner, (player, banker) in hands.items():
            for spot in hands:
                result = laid.result(player, banker)
                fee = stake // 20 if spot == "banker" else 0
                net = stake - fee if spot == winner else -stake
                assert result.paid((spot, stake)).net == net
                assert result.known[spot, stake].net == net
        assert sum(len(one.known) for one in laid._results.values()) <= 50
