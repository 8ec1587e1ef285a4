"""Spells what bettors ask of a table's dealer: commands as entries. Decides none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import commands as co
from schemas.address import Sources
from schemas.commands import BetId, command_id
from schemas.envelope import encode, type_of
from services.bettors.systems import Leave

if TYPE_CHECKING:
    from services.bettors.systems import Answer

#: Bettors ask for each thing once; a number above 1 is for those who think again.
_FIRST = 1


class Voice:
    """Speaks to one table. The same thing said again has the same id, and is one command."""

    def __init__(self, table: str) -> None:
        """Speak to this table."""
        self._source = Sources(table).commands

    def sit(self, shoe: int, bettor: str, bankroll: int, time: str) -> bytes:
        """Ask for a seat, the first that is free."""
        return self._spell(shoe, bettor, _FIRST, time, co.BettorSit(bettor, bankroll))

    def cut(self, shoe: int, bettor: str, client_seed: bytes, time: str) -> bytes:
        """Cut the shoe."""
        return self._spell(shoe, bettor, _FIRST, time, co.Cut(bettor, client_seed.hex()))

    def answer(self, shoe: int, number: int, bettor: str, answer: Answer, time: str) -> list[bytes]:
        """Say all that a bettor has to say in a round: his bets, a pass, or that he leaves."""
        if isinstance(answer, Leave):
            return [self._spell(shoe, bettor, _FIRST, time, co.BettorLeave(bettor))]
        if not answer:
            return [self._spell(shoe, bettor, number, time, co.BetPass(number, bettor))]
        last = len(answer) - 1
        said = []
        for index, (spot, stake, chips) in enumerate(answer):
            bet = co.BetPlace(number, bettor, spot, stake, chips, index == last)
            bet_id = str(BetId(shoe, number, bettor, spot, _FIRST))
            said.append(encode(bet_id, self._source, time, bet))
        return said

    def _spell(self, shoe: int, who: str, n: int, time: str, command: co.Command) -> bytes:
        return encode(command_id(shoe, type_of(command), who, n), self._source, time, command)
