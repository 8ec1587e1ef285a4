"""What a module came to, read from its logs, and how it is shown. Plays nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec

from schemas.cards import Card
from schemas.envelope import decode_line
from schemas.events import Event, ShoeClosed
from schemas.outcomes import HandResult, Outcome, RoundResolved
from schemas.ruleset import published
from schemas.verdicts import ShoeVerdict
from services.auditor.files import logs
from services.auditor.offline import audit_file
from services.baccarat import Module, bomb_deck
from services.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from schemas.events import Ktane
    from services.auditor.report import Previous

Ended = Literal["solved", "bets-used-up", "decks-used-up", "halted"]

_CURRENCY: Final = "USD"
_RANK: Final[tuple[ShoeVerdict, ...]] = ("pass", "open", "fail")
_STRIKES: Final = {
    "invalid-bet": "invalid bets, not dealt",
    "chips": "chips out of order",
    "loss": "a loss",
}
_ENDED: Final = {
    "solved": "the module is solved",
    "bets-used-up": "the bets are used up",
    "decks-used-up": "the decks are used up",
    "halted": "the resolver could not go on",
}


class Deck(msgspec.Struct, frozen=True):
    """A deck of the module, the first card out first."""

    colour: str
    order: tuple[Card, ...]


class Round(msgspec.Struct, frozen=True):
    """A round: both hands (no cards where nothing was dealt), and its profit in minor units."""

    player: HandResult
    banker: HandResult
    profit: int
    result: str


class Decks(msgspec.Struct, frozen=True):
    """A module that is not played: its decks alone."""

    decks: tuple[Deck, ...]
    rounds: tuple[Round, ...] = ()
    strikes: int = 0


class Played(msgspec.Struct, frozen=True):
    """A module that was played: also why its play ended, and what the auditor says of the logs."""

    decks: tuple[Deck, ...]
    rounds: tuple[Round, ...]
    strikes: int
    ended: Ended
    verdict: ShoeVerdict
    logs: tuple[str, ...]


class Told:
    """A module's logs, folded: each round with the shoe it is of, and what the auditor says."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Read and audit them; they are one module's, shoe after shoe."""
        self.paths = paths
        self.module = Module()
        #: The resolved rounds, each with its shoe.
        self.rounds: list[tuple[int, RoundResolved]] = []
        self.closed: ShoeClosed | None = None
        for shoe, path in enumerate(paths, start=1):
            for line in path.read_bytes().splitlines():
                self._take(shoe, decode_line(line).data)
        self.verdict = self._audited()

    def _take(self, shoe: int, said: object) -> None:
        if isinstance(said, Event):
            self.module.event(said)
        elif isinstance(said, Outcome):
            self.module.outcome(said)
        if isinstance(said, RoundResolved):
            self.rounds.append((shoe, said))
        elif isinstance(said, ShoeClosed):
            self.closed = said

    def _audited(self) -> ShoeVerdict:
        """Audit the logs; the auditor's own fold has to come to the same as ours."""
        previous: Previous | None = None
        worst, strikes, solved = 0, 0, False
        for file in logs(self.paths):
            result, previous = audit_file(file, published(), previous)
            worst = max(worst, _RANK.index(result.verdict))
            strikes += result.strikes
            solved = solved or result.solved
        if (solved, strikes) != (self.module.solved, self.module.strikes):
            what = f"the auditor counts {strikes} strikes, the module {self.module.strikes}"
            raise RuntimeError(what)
        return _RANK[worst]

    def ended(self, wanted: int) -> Ended:
        """Say why play ended, ``wanted`` rounds having been written down."""
        if self.module.solved:
            return "solved"
        if self.closed is not None and self.closed.reason == "halted":
            return "halted"
        return "bets-used-up" if len(self.rounds) >= wanted else "decks-used-up"


def decks_of(bombs: Sequence[Ktane]) -> Decks:
    """Compute the decks alone."""
    return Decks(tuple(Deck(bomb.colour, bomb_deck(bomb)) for bomb in bombs))


def played(bombs: Sequence[Ktane], told: Told, wanted: int) -> Played:
    """Lay out what the play of ``wanted`` written rounds came to."""
    return Played(
        decks=decks_of(bombs).decks,
        rounds=tuple(
            Round(one.player, one.banker, came.profit, came.result)
            for (_, one), came in zip(told.rounds, told.module.rounds, strict=True)
        ),
        strikes=told.module.strikes,
        ended=told.ended(wanted),
        verdict=told.verdict,
        logs=tuple(map(str, told.paths)),
    )


def show_decks(decks: Sequence[Deck]) -> None:
    """Show the decks' orders, the first card out first."""
    orders = {f"{place}, {deck.colour}": deck for place, deck in enumerate(decks, start=1)}
    output.facts("Decks", {name: " ".join(deck.order) for name, deck in orders.items()})


def show(done: Played, told: Told, wanted: int) -> None:
    """Show the rounds, of ``wanted`` that were written down, and what they came to."""
    show_decks(done.decks)
    rows = [
        [
            str(shoe),
            str(one.round),
            _hand(one.player),
            _hand(one.banker),
            output.money(came.profit, _CURRENCY),
            came.result,
            ", ".join(_STRIKES[strike] for strike in came.strikes),
        ]
        for (shoe, one), came in zip(told.rounds, told.module.rounds, strict=True)
    ]
    head = ["deck", "round", "player", "banker", "profit", "result", "strikes"]
    output.table("The Baccarat module", head, rows)
    output.facts(
        "It came to",
        {
            "rounds": f"{len(done.rounds)} of {wanted} written",
            "strikes": str(done.strikes),
            "play ended": _ENDED[done.ended],
            "audit": done.verdict,
            "logs": " ".join(done.logs),
        },
    )


def _hand(hand: HandResult) -> str:
    return f"{' '.join(hand.cards)}: {hand.total}" if hand.cards else "-"
