"""Who plays a bomb's module by bets that are written down, as a fold. Sees no card before others.

Besides bets he asks for each deck of the module as the last one ends, and closes the shoe when the
module is solved (reason ``solved``) or when no bets are left (``asked``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from schemas import commands as co
from schemas import events as ev
from schemas.address import Sources
from schemas.envelope import encode, type_of
from schemas.money import MOST_BANKROLL
from schemas.outcomes import RoundHalted, RoundResolved
from schemas.ruleset import RuleSet, parse
from services.baccarat import Module, ShoeProgress, shoe_over
from services.bettors.bets_file import Lay
from services.bettors.systems import System
from services.bettors.table import BettorsFold, Seat, simulated_client_seed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.bettors.bets_file import Action
    from services.bettors.facts import ShoeFacts
    from services.bettors.log_order import Line
    from services.bettors.systems import Answer, View
    from services.journal import Entry

NAME: Final = "defuser"
#: A module's player never runs out of chips.
_BANKROLL: Final = MOST_BANKROLL


class _Written(System):
    """He bets what is written, whatever happens; the fold below says it."""

    def bet(self, view: View) -> Answer:  # noqa: ARG002
        return ()


class DefuserFold(BettorsFold):
    """All that the player of one module says. Fed from the first shoe on, as what is written is."""

    def __init__(
        self,
        table: str,
        rules: str,
        decks: Sequence[ev.Ktane],
        rounds: Sequence[Sequence[Action]],
    ) -> None:
        """Play these rounds on these decks, each of which is a shoe from 1 on."""
        super().__init__(table, [Seat(NAME, _BANKROLL, _Written())], simulated_client_seed)
        self.module = Module()
        #: The last shoe of this play, once it is closed.
        self.last_shoe: int | None = None
        self._source = Sources(table).commands
        self._rules_name = rules
        self._decks = tuple(decks)
        self._rounds = tuple(rounds)
        self._rules: RuleSet | None = None
        self._position = 0
        self._next: list[bytes] = []

    @property
    def across_shoes(self) -> bool:
        """What is written goes on from deck to deck."""
        return True

    def open_deck(self, shoe: int, time: str) -> bytes:
        """Ask for the deck that is shoe ``shoe``."""
        asks = co.ShoeOpen(self._rules_name, self._decks[shoe - 1], seats=(NAME,))
        return self._spell(shoe, 1, time, asks)

    def heeded(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """Leave out nothing: a module's chips and the deck's cards count."""
        return entries

    def resume(self) -> list[bytes]:
        """Have caught up: give the commands that are due now, and speak from here on."""
        return super().resume() or list(self._next)

    def _step(self, line: Line) -> list[bytes]:
        said = line.message.data
        if isinstance(said, ev.ShoeOpened):
            self._rules, self._position, self._next = parse(said.rules.text), 0, []
        elif isinstance(said, ev.CardDrawn):
            self._position = said.position + 1
        if isinstance(said, RoundResolved | RoundHalted):
            self.module.outcome(said)
        elif isinstance(said, ev.Event):
            self.module.event(said)
        spoken = super()._step(line)
        if isinstance(said, ev.ShoeClosed):
            self._next = self._after(line.id.major, said, line.message.time)
            spoken = [*spoken, *self._next]
        return spoken

    def _after(self, shoe: int, closed: ev.ShoeClosed, time: str) -> list[bytes]:
        """Ask for the next deck, if play goes on."""
        over = self.module.solved or len(self.module.rounds) >= len(self._rounds)
        if over or closed.reason != "rules" or shoe >= len(self._decks):
            self.last_shoe = shoe
            return []
        return [self.open_deck(shoe + 1, time)]

    def _speak(self, shoe: ShoeFacts, time: str) -> list[bytes]:
        """Say what is written for the next round, or that there is to be none."""
        number, played = shoe.next_round, len(self.module.rounds)
        said: list[bytes] = []
        if self.module.solved:
            said = [self._close(shoe, "solved", time)]
        elif self._deck_over():
            pass  # the dealer closes it by the rules
        elif played >= len(self._rounds):
            said = [self._close(shoe, "asked", time)]
        else:
            said = self._written(shoe.address.number, number, self._rounds[played], time)
        self._spoken = (number, said)
        return list(said)

    def _deck_over(self) -> bool:
        progress = ShoeProgress(52, self._position, len(self.module.rounds))
        return self._rules is not None and shoe_over(self._rules, progress)

    def _close(self, shoe: ShoeFacts, reason: Literal["asked", "solved"], time: str) -> bytes:
        asks = co.ShoeClose(NAME, reason, shoe.settled)
        return self._spell(shoe.address.number, 1, time, asks)

    def _written(self, shoe: int, number: int, actions: Sequence[Action], time: str) -> list[bytes]:
        """Lay the bets, take some back, and press the deck."""
        said: list[bytes] = []
        laid: dict[str, co.BetId] = {}
        for action in actions:
            spot = action.spot
            if isinstance(action, Lay):
                last = laid.get(spot)
                bet = co.BetId(shoe, number, NAME, spot, 1 if last is None else last.n + 1)
                laid[spot] = bet
                asks = co.BetPlace(number, NAME, spot, action.stake, action.chips)
                said.append(encode(str(bet), self._source, time, asks))
            else:
                name = str(laid[spot])
                withdraws = co.BetWithdraw(name)
                said.append(encode(co.withdraw_id(name), self._source, time, withdraws))
        return [*said, self._spell(shoe, number, time, co.BetPass(number, NAME))]

    def _spell(self, shoe: int, n: int, time: str, asks: co.Command) -> bytes:
        return encode(co.command_id(shoe, type_of(asks), NAME, n), self._source, time, asks)
