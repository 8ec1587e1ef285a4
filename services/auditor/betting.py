"""Who sits and which bets stand, as the events tell it. Judges no bet but a plainly good one."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Final

from schemas.events import BetPlaced, BetRefused, Limits
from schemas.money import LARGEST
from services.auditor.tables import Tables

#: A standing bet: its id, bettor, spot and stake, as a settlement has to repeat them.
Row = tuple[str, str, str, int]

#: As good as no limit: a bankroll that cannot be known.
UNKNOWN: Final = 2**60
_AT_CLOSE: Final = "at-close"
_REMEMBERED: Final = 4096
#: Which way a bet widens the gap between all stakes on player and all on banker.
_SIDES: Final = {"player": 1, "banker": -1}


class Seat:
    """A bettor's seat, what he may stake, and the marked commission that he owes."""

    __slots__ = ("bankroll", "bettor", "number", "owed")

    def __init__(self, bettor: str, number: int, bankroll: int) -> None:
        """Sit down with so much, owing nothing."""
        self.bettor = bettor
        self.number = number
        self.bankroll = bankroll
        self.owed = 0


def limits_of(tables: Tables, stated: Limits) -> dict[str, tuple[int, int, int]]:
    """Lay out minimum, maximum and step of each spot that the table offers."""
    return {
        name: (spot.minimum, spot.maximum, spot.step)
        for name, spot in stated.spots.items()
        if name in tables.rules.spots
    }


class Repeated:
    """The bets of a round, without its number: most bettors bet the same again.

    ``rows`` are the ends of the ids with the terms, ``seats`` those of their ``bettors``.
    """

    __slots__ = ("again", "bettors", "rows", "seats", "stakes", "sum", "terms")

    def __init__(
        self, terms: list[tuple[str, str, int]], rows: list[Row], seats: list[Seat]
    ) -> None:
        """Lay them out."""
        #: They were made in two rounds at least.
        self.again = False
        self.terms = terms
        self.rows = rows
        self.seats = seats
        self.bettors = frozenset([term[0] for term in terms])
        self.stakes = tuple([term[1:] for term in terms])
        self.sum = sum([term[2] for term in terms])

    def affordable(self) -> bool:
        """Tell whether each bettor could stake alone what all of them stake."""
        whole = self.sum
        return all([seat.bankroll >= whole for seat in self.seats])  # noqa: C419 - faster


class Betting:
    """The bets of a table.

    ``round`` is the last one opened, ``open`` while it takes bets; ``settled`` the last settled.
    """

    __slots__ = (
        "_fine", "_gap", "_own", "_plain", "_skipped", "_staked", "_summed", "_taken", "_total",
        "answered", "at_close", "chips", "known", "last_repeated", "limits", "open", "plain_shoe",
        "prefix", "round", "rows", "seats", "settled", "shoe", "silent_said", "spoke",
        "strangers", "tables", "widest",
    )  # fmt: skip

    def __init__(self, shoe: int, tables: Tables, limits: Limits) -> None:
        """Open the table of a shoe: nobody sits yet."""
        together = tables.rules.together
        self.shoe = shoe
        self.tables = tables
        self.limits = limits_of(tables, limits)
        self.widest = limits.differential
        self.at_close = tables.rules.judged == _AT_CLOSE
        self.seats: dict[str, Seat] = {}
        self.round = 0
        self.settled = 0
        self.open = False
        self.prefix = ""
        self.rows: list[Row] = []
        self.answered: set[str] = set()
        self.chips: dict[str, tuple[int, ...]] = {}
        #: Spots and stakes that were found to be within the limits.
        self._fine: dict[tuple[str, int], tuple[str, int]] = {}
        #: The last bets that were laid out: bettors repeat themselves.
        self.last_repeated: Repeated | None = None
        #: Those of the last round, where it was settled elsewhere and nobody asked for its rows.
        self._skipped: Repeated | None = None
        #: Who has which seat.
        self._taken: dict[int, str] = {}
        self._sum_none()
        #: All who ever sat; those who sit though nothing said so; those said to be silent.
        self.known: set[str] = set()
        self.strangers: set[str] = set()
        self.silent_said: set[str] = set()
        #: Who spoke for which round otherwise than with a bet that was taken.
        self.spoke: dict[int, set[str]] = {}
        #: All that was staked in this round.
        self._total = 0
        #: Nothing of this shoe asks how the bets of a round stand to one another,
        self.plain_shoe = not (
            self.at_close
            or together.exactly_one_main
            or together.exclusive
            or self.widest is not None
        )
        #: and all bets of this round have the plainest ids, so that an id tells bettor and spot.
        self._plain = False

    def open_round(self, number: int) -> list[Row]:
        """Begin the betting of a round."""
        self.round = number
        self.open = True
        self.prefix = f"{self.shoe}-{number}/"
        rows: list[Row] = []
        self.rows = rows
        self._skipped = None
        self.answered = set()
        self._sum_none()
        if self.spoke:
            self._forget_before(number)
        self._total = 0
        self._plain = self.plain_shoe
        return rows

    def _forget_before(self, number: int) -> None:
        self.spoke = {key: who for key, who in self.spoke.items() if key >= number}

    def _sum_none(self) -> None:
        #: Sums over so many rows, worked out when they are asked for: what each bettor staked, on
        #: which spots (how often), and all on the player's spot less all on the banker's.
        self._summed = 0
        self._staked: dict[str, int] = {}
        self._own: dict[str, dict[str, int]] = {}
        self._gap = 0

    def _sum_all(self) -> None:
        for row in islice(self.rows, self._summed, None):
            self._add(row, 1)
        self._summed = len(self.rows)

    def _add(self, row: Row, sign: int) -> None:
        _, bettor, spot, stake = row
        self._staked[bettor] = self._staked.get(bettor, 0) + sign * stake
        self._gap += sign * stake * _SIDES.get(spot, 0)
        own = self._own.setdefault(bettor, {})
        own[spot] = own.get(spot, 0) + sign
        if not own[spot]:
            del own[spot]

    def take(self, bet: BetPlaced) -> bool:
        """Let a plainly good bet stand; False leaves all to a judge and ``place``."""
        if not self.open or not self._plain or bet.round != self.round or bet.chips is not None:
            return False
        name, bettor, spot, stake = bet.bet, bet.bettor, bet.spot, bet.stake
        seat = self.seats.get(bettor)
        terms = self._fine.get((spot, stake)) or self._within(spot, stake)
        if (
            seat is None
            or terms is None
            or name != f"{self.prefix}{bettor}/{spot}/1"
            or name in self.answered
            or bet.command != name
        ):
            return False
        self._total += stake
        if self._total > seat.bankroll:  # perhaps he has not enough: to be looked at
            return False
        self.rows.append((name, seat.bettor, *terms))
        self.answered.add(name)
        return True

    def _within(self, spot: str, stake: int) -> tuple[str, int] | None:
        """Give a spot and a stake, the same objects each time, if they are good by themselves."""
        if spot not in self.limits or not 0 < stake <= LARGEST:
            return None
        least, most, step = self.limits[spot]
        if not least <= stake <= most or step < 1 or stake % step:
            return None
        if len(self._fine) >= _REMEMBERED:
            self._fine.clear()
        terms = (spot, stake)
        self._fine[terms] = terms
        return terms

    def repeated(self, terms: list[tuple[str, str, int]]) -> Repeated | None:
        """Give these bets, each (bettor, spot, stake), laid out, if all are plainly good."""
        last = self.last_repeated
        if last is not None and last.terms == terms:
            last.again = True
            return last
        sitting, fine = self.seats, self._fine
        for bettor, spot, stake in terms:
            good = (spot, stake) in fine or self._within(spot, stake) is not None
            if not good or bettor not in sitting:
                return None
        rows = [(f"{bettor}/{spot}/1", bettor, spot, stake) for bettor, spot, stake in terms]
        if len({row[0] for row in rows}) != len(rows):
            return None
        seats = [sitting[bettor] for bettor, _, _ in terms]
        self.last_repeated = Repeated(terms, rows, seats)
        return self.last_repeated

    def skip_round(self, number: int, bets: Repeated) -> None:
        """Go past a round with these bets that was settled elsewhere."""
        self.round = number
        self._skipped = bets
        self.settled = max(self.settled, number)
        self.open = False
        if self.rows:
            self.rows = []
        if self.answered:
            self.answered = set()
        if self.spoke:
            self._forget_before(number)
        if self._summed:
            self._sum_none()

    def place(self, bet: BetPlaced) -> None:
        """Let any bet stand, rightly or not."""
        self._plain = False
        self.answered.add(bet.bet)
        self.rows.append((bet.bet, bet.bettor, bet.spot, bet.stake))
        self._total += bet.stake
        if bet.chips is not None:
            self.chips[bet.bet] = bet.chips

    def refuse(self, bet: BetRefused) -> None:
        """Remember that this id has been answered."""
        self.speak(bet.round, bet.bettor)
        if bet.round == self.round:
            self.answered.add(bet.bet)

    def speak(self, number: int, bettor: str) -> None:
        """Remember that a bettor has spoken for a round."""
        if number >= self.round:
            self.spoke.setdefault(number, set()).add(bettor)

    def silent(self) -> list[str]:
        """Name, each once, who sits and has said nothing in this round."""
        self._sum_all()
        spoke = self.spoke.get(self.round, set())
        quiet = self.seats.keys() - self._own.keys() - spoke - self.strangers - self.silent_said
        self.silent_said |= quiet
        return sorted(quiet)

    def adopt(self, bettor: str) -> None:
        """Take a bettor to sit, with a bankroll that nobody knows."""
        self.sit(bettor, 0, UNKNOWN)
        self.strangers.add(bettor)

    def withdraw(self, bet: str) -> bool:
        """Take a standing bet back; tell whether there was one."""
        if self._skipped is not None:  # too late, as is said elsewhere, but it was one
            prefix, bets = f"{self.shoe}-{self.round}/", self._skipped
            self.rows = [(prefix + row[0], *row[1:]) for row in bets.rows]
            self._skipped = None
        for place, row in enumerate(self.rows):
            if row[0] == bet:
                self._sum_all()
                self._add(row, -1)
                self._summed -= 1
                del self.rows[place]
                return True
        return False

    def stands(self, bet: str) -> bool:
        """Tell whether this bet stands and may still be withdrawn."""
        return self.open and any(row[0] == bet for row in self.rows)

    def staked(self, bettor: str) -> int:
        """Add up what a bettor has standing."""
        self._sum_all()
        return self._staked.get(bettor, 0)

    def spots_of(self, bettor: str) -> Collection[str]:
        """Give the spots that a bettor has bets standing on."""
        self._sum_all()
        return self._own.get(bettor, ())

    def gap(self) -> int:
        """Add up all stakes on the player's spot less all on the banker's."""
        self._sum_all()
        return self._gap

    def rise(self, bettor: str) -> Seat | None:
        """Let a bettor leave his seat; give it, or None where he has none."""
        self.last_repeated = None
        self.strangers.discard(bettor)
        seat = self.seats.pop(bettor, None)
        if seat is not None and self._taken.get(seat.number) == bettor:
            del self._taken[seat.number]
        return seat

    def sits_at(self, number: int) -> str | None:
        """Tell who has a seat."""
        return self._taken.get(number)

    def sit(self, bettor: str, number: int, bankroll: int) -> None:
        """Seat a bettor."""
        self.rise(bettor)
        self._taken[number] = bettor
        self.known.add(bettor)
        self.seats[bettor] = Seat(bettor, number, bankroll)
