"""What leaves the shoe next: a burn, a card for a hand, the cut card. Decides no end of a shoe.

Source: ``docs/procedure.md``, "A shoe" 3 and 4, "A round" 3 to 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from services.baccarat import judge_set
from services.dealer import misdraw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.cards import Card
    from services.dealer.inbox import Inbox
    from services.dealer.shoe import ShoeFacts


def burn(facts: ShoeFacts, cards: Sequence[Card]) -> ev.Event:
    """Burn the next card: the first of a shoe lies face up."""
    position = facts.progress.position
    card = cards[position] if position == 0 else None
    return _cut_card(facts) or ev.CardBurned(position=position, card=card, command=None)


def next_card(facts: ShoeFacts, cards: Sequence[Card], inbox: Inbox) -> ev.Event:
    """Say what comes next in a round whose bets are closed; one card too many where it is asked."""
    number = facts.round
    judged_now = not facts.player and facts.rules.judged == "at-close"
    if judged_now and not misdraw.begins_dummy(facts) and not _sets_stand(facts):
        return ev.RoundVoided(round=number, reason="invalid-bet", by="rules", command=None)
    hand: ev.Hand | None
    hand = due = facts.game.next_draw(facts.player, facts.banker)
    if then := misdraw.follows(facts, due):
        return then
    position = facts.progress.position
    left = position < facts.progress.size
    command = misdraw.asked(facts, inbox) if left and misdraw.can_err(facts, due) else None
    if command is not None:
        hand = "error"
    if hand is None:
        return ev.RoundDealt(round=number, command=None)
    if not left:
        return ev.RoundVoided(round=number, reason="shoe-exhausted", by="rules", command=None)
    return _cut_card(facts) or ev.CardDrawn(
        round=number, hand=hand, position=position, card=cards[position], command=command
    )


def _cut_card(facts: ShoeFacts) -> ev.CutCardOut | None:
    position = facts.progress.position
    if facts.cut_card_out or position != facts.opened.cut_card:
        return None
    return ev.CutCardOut(position=position, command=None)


def _sets_stand(facts: ShoeFacts) -> bool:
    bettors = {bet.bettor for bet in facts.bets.values()}
    if facts.module is not None and not bettors:
        return False  # whoever plays a module has to bet
    return all(
        judge_set(facts.game, facts.opened.limits, facts.standing(bettor)) is None
        for bettor in bettors
    )
