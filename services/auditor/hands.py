"""Cards dealt to the hands: the deal's order and the third-card rules. Knows no money."""

from __future__ import annotations

from typing import Final

from schemas.events import CardDrawn
from services.auditor import misdraw
from services.auditor.cards import check_burn, leaves
from services.auditor.state import BETTING, COMPLETE, DEALING, Round, State
from services.auditor.tables import MOST_IN_HAND

ROUND: Final = "docs/procedure.md#a-round"
_FOUR: Final = 4
_THIRD: Final = 5


def drawn(st: State, data: CardDrawn) -> None:
    """Judge a card's going to a hand."""
    playing = st.round
    if playing is None or playing.number != data.round or playing.phase != DEALING:
        playing = _unready(st, data)
    card, position = data.card, data.position
    left = st.left[card]
    if st.misdrawn is not None and playing is not None and misdraw.used(st, playing, data):
        pass  # the card has left the shoe already
    elif position != st.position or position >= st.mark or not left:
        leaves(st, position, card, data.round)
    else:  # what leaves() comes to when all is well
        st.position = position + 1
        st.left[card] = left - 1
        st.seen.append((position, (card,), st.seq, data.round))
    if playing is None:
        return
    hand, count = data.hand, playing.count
    wanted = st.deal[count] if count < _FOUR else playing.need
    if hand != wanted and _wrong(st, playing, data, wanted):
        return
    (playing.player if hand == "player" else playing.banker).append(card)
    count += 1
    playing.count = count
    if count >= _FOUR:
        playing.need = None if playing.faulted else _next(st, playing, count)


def _next(st: State, playing: Round, count: int) -> str | None:
    """Say which hand draws next: the charts, looked up."""
    tables = st.tables
    value = tables.values
    player, banker = playing.player, playing.banker
    if playing.misdealt and count == _FOUR and len(player) != len(banker):
        playing.faulted = True
        return None
    total = (value[banker[0]] + value[banker[1]]) % 10
    if count == _FOUR:
        first = (value[player[0]] + value[player[1]]) % 10
        return tables.after_four[10 * first + total]
    if count == _THIRD and len(banker) < MOST_IN_HAND:
        return tables.after_third[10 * total + value[player[2]]]
    return None


def _unready(st: State, data: CardDrawn) -> Round | None:
    """Judge a card that comes when no card of this round is due."""
    playing = st.round
    if playing is None:
        if st.hole:
            return st.adopt(data.round, DEALING)
        if not st.round_number:
            check_burn(st)
        st.find("out-of-place", "a round in play", f"card {data.position}", ROUND,
                number=data.round)  # fmt: skip
        return None
    if playing.number != data.round:
        st.doubt("out-of-place", f"round {playing.number}", f"round {data.round}", ROUND)
    if playing.phase == COMPLETE:
        st.find("out-of-place", "the round's outcome", f"card {data.position}", ROUND)
        return None
    if playing.phase == BETTING and not playing.card_early:
        playing.card_early = True
        st.doubt("card-before-bets-closed", "bets.closed", f"card {data.position}", f"{ROUND}/1")
    return playing


def _wrong(st: State, playing: Round, data: CardDrawn, wanted: str | None) -> bool:
    """Judge a card that went elsewhere than it had to; tell whether it is in neither hand."""
    name = st.tables.rules.name
    in_error = data.hand == "error"
    if in_error and misdraw.drawn(st, playing, data):
        return True
    if playing.count < _FOUR:
        if not playing.misdealt:
            playing.misdealt = True
            st.doubt("deal-order", str(wanted), data.hand, f"{name}/drawing/deal")
        return in_error
    if not playing.faulted:
        code = "draw-missing" if wanted == "player" else "draw-extra"
        rule = _rule(st, playing, data.hand if wanted is None else wanted)
        st.doubt(code, "no card" if wanted is None else f"a card to {wanted}",
                 f"{data.card} to {data.hand}", rule)  # fmt: skip
    playing.faulted = True
    return in_error


def _rule(st: State, playing: Round, side: str) -> str:
    """Name the line of the rule set that decides a hand's draw."""
    tables, player, banker = st.tables, playing.player, playing.banker
    name = f"{tables.rules.name}/drawing"
    if min(len(player), len(banker)) < 2:  # noqa: PLR2004 - a hand's first two cards
        return f"{name}/deal"
    first, second = tables.total(player[:2]), tables.total(banker[:2])
    if first in tables.naturals or second in tables.naturals:
        return f"{name}/naturals"
    if side == "player":
        return f"{name}/player"
    if len(player) < MOST_IN_HAND:
        return f"{name}/banker_player_stood"
    return f"{name}/banker_chart/{second}"


def complete(st: State, playing: Round) -> None:
    """Judge, when both hands are said to be complete, whether they are."""
    wanted = st.deal[playing.count] if playing.count < _FOUR else playing.need
    if wanted is not None and not playing.faulted:
        playing.faulted = True
        st.doubt("draw-missing", f"a card to {wanted}", "both hands complete",
                 _rule(st, playing, wanted))  # fmt: skip
    if st.misdrawn is not None:
        misdraw.dealt(st, playing)
