"""Rounds: opened, closed for bets, dealt, voided, each in its place. Settles nothing."""

from __future__ import annotations

from typing import Final

from schemas.events import BetsClosed, RoundDealt, RoundOpened, RoundVoided
from services.auditor import ending, misdraw, module
from services.auditor.betting import Row
from services.auditor.cards import awaited, check_burn
from services.auditor.hands import ROUND, complete
from services.auditor.judging import judge_at_close
from services.auditor.state import BETTING, COMPLETE, DEALING, Round, State

_EXHAUSTED: Final = "shoe-exhausted"
_INVALID: Final = "invalid-bet"
_NOBODY: Final = "no-bets"
_NO_BETS: Final[list[Row]] = []
END: Final = "docs/procedure.md#the-end-of-a-shoe"


def opened(st: State, data: RoundOpened) -> None:
    """Judge a round's opening."""
    number = data.round
    before = st.round
    if before is not None:
        _overtake(st, before)
    if number != st.round_number + 1:
        st.doubt("out-of-place", f"round {st.round_number + 1}", f"round {number}", ROUND)
    st.round = Round(number, st.seq, st.position, st.betting.open_round(number))
    if st.misdrawn is not None:
        misdraw.opened(st, st.round)
    if not st.round_number:
        check_burn(st)
        awaited(st)
        ending.look(st)
    if st.halted:
        st.find("out-of-place", "shoe.closed after round.halted", "another round", END)
    elif st.ended and not st.past_said:
        st.past_said = True
        st.find("dealt-past-cut", "shoe.closed", f"round {number}", _end_rule(st))
    st.round_number = number


def _end_rule(st: State) -> str:
    return f"{st.tables.rules.name}/ending"


def _overtake(st: State, before: Round) -> None:
    """File a round that another one overtakes: its outcome is missing, or comes too late."""
    st.rounds.append(before)
    st.round = None
    if before.settled or st.hole:
        return
    if before.phase == COMPLETE:
        st.owing.append((before, st.seq))
    else:
        st.find("out-of-place", f"round {before.number} dealt", "another round", ROUND)


def bets_closed(st: State, data: BetsClosed) -> None:
    """Judge the end of a round's betting."""
    playing = st.round
    if playing is None and st.hole:
        st.adopt(data.round, DEALING)
        return
    if playing is None or playing.number != data.round or playing.phase != BETTING:
        st.doubt("out-of-place", "a round open for bets", f"bets.closed {data.round}", ROUND)
        return
    if (data.reason == _NOBODY) is not playing.dummy:
        wanted = _NOBODY if playing.dummy else "bets, or that all pass"
        if not st.lost:
            st.find("out-of-place", wanted, data.reason, f"{ROUND}/1")
    elif data.reason == "window" and st.opened.window is None:
        st.find("out-of-place", "all-spoke", "window", f"{ROUND}/1")
    if data.reason == "all-spoke" and not playing.dummy:
        playing.all_spoke = st.seq
    playing.phase = DEALING
    st.betting.open = False
    if st.betting.at_close:
        playing.invalid = judge_at_close(st.betting)
    if st.module_of is not None and not playing.dummy:
        module.bets_closed(st, playing)


def dealt(st: State, data: RoundDealt) -> None:
    """Judge a round's completion."""
    playing = _in_play(st, data.round, "round.dealt")
    if playing is None:
        return
    if playing.phase == BETTING and not playing.card_early:
        st.doubt("out-of-place", "bets.closed", "round.dealt", ROUND)
    complete(st, playing)
    for row, wrong in playing.invalid:
        st.find(wrong.code, wrong.expected, wrong.actual, wrong.rule, amount=row[3])
    playing.dealt = True
    _done(st, playing)


def _in_play(st: State, number: int, said: str) -> Round | None:
    """Find the round that ends, or say that there is none."""
    playing = st.round
    if playing is not None and playing.number == number and playing.phase != COMPLETE:
        return playing
    if playing is None and st.hole:
        return st.adopt(number, DEALING)
    st.doubt("out-of-place", "a round in play", f"{said} {number}", ROUND)
    return None


def voided(st: State, data: RoundVoided) -> None:
    """Judge a round's being voided: before any card with a reason, else by policy only."""
    playing = _in_play(st, data.round, "round.voided")
    if playing is None:
        return
    playing.void = True
    playing.exhausted = data.command is None and data.reason == _EXHAUSTED
    st.voided += 1
    allowed = _judge_void(st, playing, data)
    if st.misdrawn is not None:
        misdraw.voided(st, playing, allowed=allowed)
    _done(st, playing)


def _judge_void(st: State, playing: Round, data: RoundVoided) -> bool:
    """Judge a void; tell whether it might be, whoever said it and however explained."""
    reason = data.reason.strip()
    name = st.tables.rules.name
    explained = bool(reason and data.by.strip())
    if not explained:
        said = f"{reason or 'no reason'}, by {data.by.strip() or 'nobody'}"
        st.find("void-unexplained", "a reason and a name", said, ROUND)
    elif data.command is None and (missing := _rules_miss(st, playing, reason)):
        explained = False
        st.find("void-unexplained", missing, f"{reason}, by the rules", f"{ROUND}/3")
    if (playing.count or playing.errors) and not _allowed(st, playing, data):
        expected = " ".join(st.tables.rules.void_after_card) or "no reason"
        actual = f"{reason}, by {data.by}" if reason else "no reason"
        st.find("void-after-card", expected, actual, f"{name}/void_after_card",
                amount=worth(st, playing))  # fmt: skip
        return False
    if explained:
        st.find("voided", "round.dealt", reason, ROUND)
    return True


def _rules_miss(st: State, playing: Round, reason: str) -> str | None:
    """Say what is missing where the rules void a round: nobody asked, so their word must be so.

    Once a card is out, the rule set's policy is asked instead.
    """
    if reason == _INVALID:
        return None if playing.invalid else "a bet against the rules"
    if playing.count or playing.errors or st.hole:
        return None
    if reason != _EXHAUSTED:
        return "a reason of the rules, or the command that asked"
    return None if st.size is None or st.position >= st.size else "an empty shoe"


def _allowed(st: State, playing: Round, data: RoundVoided) -> bool:
    """Tell whether the rule set's policy names the cause of voiding a round after a card."""
    reason = data.reason.strip()
    if reason == misdraw.REASON and misdraw.annuls(st):
        return bool(playing.errors) or st.hole
    if reason == _EXHAUSTED and (
        data.command is not None or (st.size is not None and st.position < st.size)
    ):
        return False
    return reason in st.tables.rules.void_after_card


def worth(st: State, playing: Round) -> int:
    """Work out what a voided round would have paid its bettors, where its hands are complete."""
    wanted = st.deal[playing.count] if playing.count < len(st.deal) else playing.need
    if wanted is not None:
        return 0
    result = st.tables.result(playing.player, playing.banker)
    return sum(result.paid(row[2:]).net for row in playing.bets)


def _done(st: State, playing: Round) -> None:
    if playing.all_spoke is not None and not st.hole:
        silent = st.betting.silent()  # who spoke too late has been blamed for that
        if silent:
            said = f"{' '.join(silent)} silent"
            st.find("out-of-place", "all who sit have spoken", said, f"{ROUND}/1",
                    at=st.event_at(playing.all_spoke))  # fmt: skip
    playing.phase = COMPLETE
    playing.ended = st.seq
    playing.stop = st.position
    st.betting.open = False
    if playing.settled:
        settle(st, playing)


def settle(st: State, playing: Round) -> None:
    """File a round whose outcome is in."""
    if st.round is playing:
        st.rounds.append(playing)
        st.round = None
    betting = st.betting
    if betting.last_repeated is None:  # the next round is likely to be bet on in the same way
        betting.repeated([row[1:] for row in playing.bets])
    playing.stakes = tuple([row[2:] for row in playing.bets])
    playing.bets = _NO_BETS
    st.hole = False
    st.slack = 0
    if playing.phase == COMPLETE:
        ending.after_round(st, playing)
