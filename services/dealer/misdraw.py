"""A card drawn in error: when it can be, and what the rule set's policy makes of it. Bets nothing.

Source: ``docs/procedure.md``, "A card drawn in error".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas import commands as co
from schemas import events as ev
from services.dealer.reply import LATER

if TYPE_CHECKING:
    from schemas.ruleset import Side
    from services.dealer.inbox import Inbox, Waiting
    from services.dealer.reply import Reply
    from services.dealer.shoe import ShoeFacts

ANNUL: Final = "annul-and-burn"
DUMMY: Final = "dummy-hand"
#: The word for it: why a coup is annulled, why a card is put aside.
REASON: Final = "misdraw"
#: Why it is put aside where no hand is left that it could begin.
NO_HAND: Final = "no-next-hand"
_TWO: Final = 2
_FOUR: Final = 4


def can_err(facts: ShoeFacts, due: Side | None) -> bool:
    """Tell whether the next card could be one too many: one for the player who stands counts.

    A card that is due to a hand goes there, whatever the dealer meant by it.
    """
    dealt = len(facts.player) + len(facts.banker)
    if dealt < _FOUR or facts.misdrawn == facts.round:
        return False
    return due is None or (due == "banker" and len(facts.player) == _TWO)


def asked(facts: ShoeFacts, inbox: Inbox) -> str | None:
    """Give the id of the command that wants a card drawn in error in this round, if one waits."""
    return next(
        (
            command.id
            for command, asks in inbox.asking(co.CardMisdraw, facts.number)
            if asks.round == facts.round and command.id not in facts.commands
        ),
        None,
    )


def follows(facts: ShoeFacts, due: Side | None) -> ev.Event | None:
    """Say what has to come of the card on the table now; None where the round just goes on."""
    error, policy = facts.error, facts.rules.misdraw
    if policy == ANNUL and facts.misdrawn == facts.round:
        if error is None:
            return ev.RoundVoided(round=facts.round, reason=REASON, by="rules", command=None)
        return aside(error, REASON)
    if error is None or due is None:
        return None
    if error.round == facts.round and policy == DUMMY:
        return None
    return ev.CardDrawn(
        round=facts.round, hand=due, position=error.position, card=error.card, command=None
    )


def aside(error: ev.CardDrawn, reason: str) -> ev.CardDiscarded:
    """Put the card aside."""
    return ev.CardDiscarded(position=error.position, card=error.card, reason=reason, command=None)


def begins_dummy(facts: ShoeFacts) -> bool:
    """Tell whether the next round, or the one that is open, is a hand dealt without bets."""
    return (
        facts.rules.misdraw == DUMMY
        and facts.error is not None
        and (facts.error.round <= facts.settled)
    )


def misdraw(facts: ShoeFacts, _command: Waiting, asks: co.CardMisdraw) -> Reply | ev.CommandRefusal:
    """Answer a command that could not be done yet: it waits for its round, or comes too late."""
    if asks.round < 1:
        return "no-round"
    if asks.round > facts.settled:
        return LATER
    return "repeat" if asks.round == facts.misdrawn else "dealt"
