"""How a shoe ends, one event at a time: what still waits, commission, the reveal. Opens nothing.

Source: ``docs/procedure.md``, "The end of a shoe".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import commands as co
from schemas import events as ev
from services.dealer.answers import refused
from services.dealer.misdraw import NO_HAND, aside

if TYPE_CHECKING:
    from services.dealer.inbox import Inbox, Waiting
    from services.dealer.secret import Secret
    from services.dealer.shoe import ShoeFacts

_BETS = co.BetPlace | co.BetPass | co.BetWithdraw


def asked_to_close(facts: ShoeFacts, inbox: Inbox) -> tuple[Waiting, co.ShoeClose] | None:
    """Find the command that closes the shoe now, if there is one."""
    return next(
        (
            (command, asks)
            for command, asks in inbox.asking(co.ShoeClose, facts.number)
            if asks.after_round is None or asks.after_round <= facts.settled
        ),
        None,
    )


def closing(
    facts: ShoeFacts,
    inbox: Inbox,
    secret: Secret | None,
    reason: ev.ShoeEnd,
    by: str,
    command: str | None,
) -> ev.Event:
    """Give the next event of a shoe that ends; the last is ``shoe.closed`` with its reveal."""
    if facts.error is not None and not facts.halted:
        return aside(facts.error, NO_HAND)
    for place, other in enumerate(inbox.waiting):
        bet = isinstance(other.asks, _BETS)
        if other.shoe == facts.number and other.id != command and not bet:
            del inbox.waiting[place]
            return refused(other, "shoe-ended")
    for name, seated in sorted(facts.seated.items(), key=lambda item: item[1].seat):
        if seated.owed > 0:
            return ev.CommissionCollected(bettor=name, amount=seated.owed, command=None)
    return ev.ShoeClosed(reason=reason, by=by, reveal=_reveal(secret), command=command)


def _reveal(secret: Secret | None) -> ev.Reveal | None:
    if secret is None:
        return None
    if secret.order is None:
        return ev.SeedReveal(secret.value.hex())
    return ev.OrderReveal(secret.value.hex(), " ".join(secret.order))
