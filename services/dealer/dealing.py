"""What leaves the shoe next: a burn, a card for a hand, the cut card. Decides no end of a shoe.

Source: ``docs/procedure.md``, "A shoe" 3 and 4, "A round" 3 to 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from services.baccarat import judge_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.cards import Card
    from services.dealer.shoe import ShoeFacts


def burn(facts: ShoeFacts, cards: Sequence[Card]) -> ev.Event:
    """Burn the next card: the first of a shoe lies face up."""
    position = facts.progress.position
    card = cards[position] if position == 0 else None
    return _cut_card(facts) or ev.CardBurned(position=position, card=card, command=None)


def next_card(facts: ShoeFacts, cards: Sequence[Card]) -> ev.Event:
    """Say what comes next in a round whose bets are closed."""
    number = facts.round
    if not facts.player and facts.rules.judged == "at-close" and not _sets_stand(facts):
        return ev.RoundVoided(round=number, reason="invalid-bet", by="rules", command=None)
    hand = facts.game.next_draw(facts.player, facts.banker)
    if hand is None:
        return ev.RoundDealt(round=number, command=None)
    position = facts.progress.position
    if position >= facts.progress.size:
        return ev.RoundVoided(round=number, reason="shoe-exhausted", by="rules", command=None)
    return _cut_card(facts) or ev.CardDrawn(
        round=number, hand=hand, position=position, card=cards[position], command=None
    )


def _cut_card(facts: ShoeFacts) -> ev.CutCardOut | None:
    position = facts.progress.position
    if facts.cut_card_out or position != facts.opened.cut_card:
        return None
    return ev.CutCardOut(position=position, command=None)


def _sets_stand(facts: ShoeFacts) -> bool:
    bettors = {bet.bettor for bet in facts.bets.values()}
    return all(
        judge_set(facts.game, facts.opened.limits, facts.standing(bettor)) is None
        for bettor in bettors
    )
