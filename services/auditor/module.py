"""A bomb's module: its placard, its decks, what its rounds came to. Deals and settles nothing.

Solved and strikes are on no line of the record: they follow from it, and are worked out here again.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from msgspec.structs import astuple

from schemas.events import Ktane, Limits, ShoeClosed
from schemas.outcomes import RoundResolved
from services.auditor import bomb
from services.auditor.judging import Wrong
from services.auditor.report import Previous
from services.auditor.settling import net_of
from services.auditor.state import Round, State

MODULE: Final = "docs/procedure.md#a-module"
_DOCUMENT: Final = "specs/sources.md#c"
_NO_ROW: Final = ("", "", "", 0)


def opened(st: State, said: Ktane) -> None:
    """Judge a module's deck and placard; its order is public."""
    st.module_of = said
    st.betting.plain_shoe = False  # each round has to be looked at
    st.order = bomb.deck(said)
    if st.order is None:
        st.find("rules-mismatch", "a bomb of the document", "none", _DOCUMENT)


def placard(st: State, said: Ktane, limits: Limits) -> None:
    """Judge the table's limits: the placard's on the hands, a share of its maximum elsewhere."""
    if st.tables.rules.decks != 1:
        st.find("rules-mismatch", "one deck", str(st.tables.rules.decks), _DOCUMENT)
        return
    if not bomb.is_one(said):
        return  # which is said of the origin
    for name, spot in st.tables.rules.spots.items():
        least, most, step = spot.minimum, spot.maximum, spot.step
        if spot.main:
            least, most = said.min, said.max
        elif spot.maximum_share is not None:
            most = step * int(Fraction(spot.maximum_share) * said.max // step)
        wanted = None if most is None or most < least else (least, most, step)
        there = limits.spots.get(name)
        shown = None if there is None else (there.minimum, there.maximum, there.step)
        nonsense = shown is not None and not 0 < shown[0] <= shown[1]  # which has been said
        if shown != wanted and not nonsense:
            st.find("rules-mismatch", f"{name}: {_spell(wanted)}", _spell(shown), MODULE)
            return


def _spell(limits: tuple[int, int, int] | None) -> str:
    return "not offered" if limits is None else f"{limits[0]} to {limits[1]} by {limits[2]}"


def follows(st: State, said: Ktane, before: Previous) -> None:
    """Judge a deck by the one before: none once the module is solved, never the same colour."""
    last = before.origin
    if not isinstance(last, Ktane) or _bomb(last) != _bomb(said):
        return
    if before.solved:
        st.find("out-of-place", "no deck of a solved module", f"a {said.colour} deck", MODULE)
    elif last.colour == said.colour:
        st.find("rules-mismatch", "a deck of another colour", said.colour, MODULE)


def _bomb(said: Ktane) -> tuple[object, ...]:
    serial, least, most, ports, lit, _solved, _colour = astuple(said)
    return serial, least, most, ports, lit


def bets_closed(st: State, playing: Round) -> None:
    """Look at the stacks, bottom first; a module's round needs a bet."""
    chips = st.betting.chips
    stacks = [list(chips[row[0]]) for row in st.betting.rows if row[0] in chips]
    playing.unsorted = any(stack != sorted(stack, reverse=True) for stack in stacks)
    if not (st.betting.rows or playing.invalid or st.hole):
        rule = f"{st.tables.rules.name}/together/exactly_one_main"
        none = Wrong("combination", "bet-combination", "one main bet", "no bet", rule)
        playing.invalid = [(_NO_ROW, none)]


def settled(st: State, playing: Round, told: RoundResolved) -> None:
    """Take account of a settled round: solved with a profit, a strike with a loss."""
    if playing.void:
        st.strikes += bool(playing.invalid)
        return
    profit = sum(map(net_of, told.settlements))
    st.strikes += playing.unsorted
    st.strikes += profit < 0
    st.solved = st.solved or profit > 0


def falsely_solved(st: State, said: ShoeClosed) -> None:
    """Judge a module closed as solved that is not, unless a missing round may have solved it."""
    if not st.lost and all(one.settled for one in st.rounds):
        who = said.by or "nobody"
        st.find("closed-early", "a round with a profit", f"solved, by {who}", MODULE)
