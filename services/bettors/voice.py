"""Spells what bettors ask of a table's dealer: commands as entries. Decides none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas import commands as co
from schemas.address import Sources
from schemas.commands import command_id
from schemas.envelope import dump, encode, type_of
from schemas.stencil import NUMBER, stencil
from services.bettors.systems import Leave

if TYPE_CHECKING:
    from services.bettors.systems import Answer, Wish

#: Bettors ask for each thing once; a number above 1 is for those who think again.
_FIRST: Final = 1
#: More than one table's bettors lay by turns.
_REMEMBERED: Final = 256


class Voice:
    """Speaks to one table. The same thing said again has the same id, and is one command."""

    def __init__(self, table: str) -> None:
        """Speak to this table."""
        self._source = Sources(table).commands
        self._bets: dict[tuple[str, Wish, bool], bytes] = {}

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
        # An event's time is not checked: it may be any text.
        last, holes = len(answer) - 1, (shoe, number, dump(time)[1:-1], number)
        return [
            self._bet(bettor, wish, last=index == last) % holes for index, wish in enumerate(answer)
        ]

    def _bet(self, bettor: str, wish: Wish, *, last: bool) -> bytes:
        """Spell a bet but for its shoe, round and time: most bettors lay the same again."""
        key = (bettor, wish, last)
        spelled = self._bets.get(key)
        if spelled is None:
            spot, stake, chips = wish
            bet = co.BetPlace(NUMBER, bettor, spot, stake, chips, last)
            bet_id = f"{NUMBER}-{NUMBER}/{bettor}/{spot}/{_FIRST}"
            if len(self._bets) >= _REMEMBERED:
                self._bets.clear()
            spelled = self._bets[key] = stencil(bet_id, self._source, bet)
        return spelled

    def _spell(self, shoe: int, who: str, n: int, time: str, command: co.Command) -> bytes:
        return encode(command_id(shoe, type_of(command), who, n), self._source, time, command)
