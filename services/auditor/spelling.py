"""How the rounds of a shoe are spelled while the bets are the same, outcomes too. Judges none."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from schemas.address import Sources
from schemas.money import LARGEST
from schemas.outcomes import HandResult, RoundResolved, Settlement
from schemas.stencil import (
    MEMBERS,
    NUMBER,
    ROUND,
    SHOE,
    TABLE,
    TEXT,
    filled,
    member,
    members,
    stencil,
)
from services.auditor.course import NUMBERS, Course, ShoeCourse
from services.auditor.play import IN_PLAYER, SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.auditor.betting import Repeated, Row
    from services.auditor.money import Paid
    from services.auditor.state import State
    from services.auditor.tables import Result, Tables

#: Text that cannot be taken for a hole, and that JSON spells as it is.
_PLAIN: Final = re.compile(r"[A-Za-z0-9/_-]*", re.ASCII)
#: Of so many tables the bets are remembered: one is some hundred KiB.
_TABLES: Final = 16
#: What stands between the last settlement and the house's net.
_HOUSE: Final = b'],"house":'


def is_plain(st: State, bets: Repeated) -> bool:
    """Tell whether all texts of a shoe's rounds may become part of what is compared."""
    texts = [text for end, bettor, spot, _ in bets.rows for text in (end, bettor, spot)]
    return _PLAIN.fullmatch("".join([st.table, *texts])) is not None


class Came:
    """What rounds with these bets come to that come out alike, and how that is spelled."""

    __slots__ = ("banker", "frame", "nets", "player", "winner")

    def __init__(self, result: Result, frame: bytes, nets: Sequence[int]) -> None:
        """Spell what the result says; ``frame`` has holes for it, ``nets`` are the bettors'."""
        player, banker, winner, _ = result.reading
        self.player, self.banker = NUMBERS[player], NUMBERS[banker]
        self.winner = winner.encode("ascii")
        self.frame = frame
        self.nets = nets


class Outcomes:
    """How the outcomes of rounds with these bets are spelled, in any shoe of any table."""

    __slots__ = ("_around", "_frames", "_rows", "_settlements", "_stakes", "course", "known")

    def __init__(self, tables: Tables, rows: tuple[Row, ...]) -> None:
        """Spell the events; outcomes as they come."""
        self.course = Course(tables.deal, rows)
        self._rows, self._stakes = rows, [row[2:] for row in rows]
        #: By how rounds come out; None where an amount is too large for an outcome to say it.
        self.known: dict[Result, Came | None] = {}
        # By who drew and whether there is a natural, and what the bets come to: what stands around
        # the settlements, each of these by its bet, and all of it.
        self._around: dict[tuple[int, bool], tuple[bytes, bytes]] = {}
        self._settlements: dict[tuple[int, Paid], bytes] = {}
        self._frames: dict[tuple[object, ...], bytes] = {}

    def came(self, result: Result, draws: int) -> Came | None:
        """Give what rounds come to that come out so, after these draws (a place in ``DRAWS``).

        None where an amount is too large for an outcome to say it.
        """
        known = self.known.get(result)
        if known is None and result not in self.known:
            known = self.known[result] = self._work_out(result, draws)
        return known

    def _work_out(self, result: Result, draws: int) -> Came | None:
        worked_out = result.known
        paid = [worked_out.get(stake) or result.paid(stake) for stake in self._stakes]
        nets = [one.net for one in paid]
        if max(map(abs, (sum(nets), *[said for one in paid for said in one.says[2:]]))) > LARGEST:
            return None
        hands = (draws, result.reading[3])
        frame = self._frames.get((hands, *paid))
        if frame is None:
            frame = self._frames[hands, *paid] = self._frame(hands, paid)
        return Came(result, frame, nets)

    def _frame(self, hands: tuple[int, bool], paid: Sequence[Paid]) -> bytes:
        before, after = self._around.get(hands) or self._spell_around(hands)
        settlements = members(self._settlement(at, one) for at, one in enumerate(paid))
        return b"%b%b%b%d%b" % (before, settlements, _HOUSE, -sum([one.net for one in paid]), after)

    def _settlement(self, at: int, one: Paid) -> bytes:
        spelled = self._settlements.get((at, one))
        if spelled is None:
            end, bettor, spot, stake = self._rows[at]
            said = Settlement(f"{SHOE}-{ROUND}/{end}", bettor, spot, stake, *one.says)
            spelled = self._settlements[at, one] = member(said)
        return spelled

    def _spell_around(self, hands: tuple[int, bool]) -> tuple[bytes, bytes]:
        """Spell what stands before the settlements, and what after the house's net."""
        draws, natural = hands
        in_player = IN_PLAYER[draws]
        event = f"{TABLE}/{SHOE}-{TEXT}"
        players, bankers = (
            HandResult((TEXT,) * many, NUMBER) for many in (in_player, SIZES[draws] - in_player)
        )
        said = RoundResolved(
            ROUND, event, event, players, bankers, TEXT, natural, (MEMBERS,), NUMBER
        )
        spelled = stencil(f"{SHOE}-{ROUND}", Sources(TABLE).outcomes, said)
        before, _, after = spelled.replace(b"%d", b"%b").rpartition(b"%b" + _HOUSE + b"%b")
        self._around[hands] = before, after
        return before, after


@lru_cache(maxsize=_TABLES)
def _outcomes(tables: Tables, rows: tuple[Row, ...]) -> Outcomes:
    """Give how rounds with these bets are spelled: who bets the same does so from shoe to shoe."""
    return Outcomes(tables, rows)


class Spelling:
    """How the rounds of one shoe are spelled while these bets, plain ones, are repeated."""

    __slots__ = ("_frames", "_shoe", "_table", "base", "bets", "came", "course", "held")

    def __init__(self, st: State, bets: Repeated) -> None:
        """Say which shoe's and which bets'."""
        self.bets, self.base = bets, st.base
        #: A round was spelled so.
        self.held = False
        self._table, self._shoe = st.table.encode("ascii"), b"%d" % st.shoe
        outcomes = _outcomes(st.tables, tuple(bets.rows))
        self.came = outcomes.came
        self.course = ShoeCourse(outcomes.course, self._table, self._shoe)
        # All of an outcome but the round's number and the holes, by what they are in any shoe.
        self._frames: dict[bytes, bytes] = {}

    def outcome(
        self,
        came: Came,
        number: int,
        time: bytes,
        events: tuple[int, int],
        hands: Sequence[bytes],
        in_player: int,
    ) -> bytes:
        """Spell the outcome of a round, told by the events from one to another.

        ``hands`` are the player's cards, so many, and then the banker's.
        """
        frame = self._frames.get(came.frame)
        if frame is None:
            frame = filled(filled(came.frame, TABLE, self._table), SHOE, self._shoe)
            self._frames[came.frame] = frame
        first, through = events
        return filled(frame, ROUND, NUMBERS[number]) % (
            time,
            NUMBERS[first],
            NUMBERS[through],
            *hands[:in_player],
            came.player,
            *hands[in_player:],
            came.banker,
            came.winner,
        )
