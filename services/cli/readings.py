"""A log by other rules, in both readings, as one document. Deals and prices nothing itself.

Same coup: each round begins with the card that it began with in the log. Dealt again: the whole
shoe from its first card, so that a changed draw shifts the cards that follow; for this the shoe's
order has to be revealed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from schemas.address import Shoe
from schemas.events import CardBurned, CardDiscarded, CardDrawn
from schemas.outcomes import HandResult, RoundResolved
from schemas.ruleset import named, parse
from services.baccarat import Game, compile_rules, resolve_limits
from services.baccarat.compare import Outside, Reading, compare, outside
from services.baccarat.course import Unseen
from services.baccarat.redeal import Drawn, Played, deal_again, same_coup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.cards import Card
    from schemas.events import Limits
    from services.baccarat.redeal import Logged
    from services.cli.log_view import LogView, RoundView

#: The side of a comparison that is the log itself, whoever dealt and settled it.
AS_DEALT = "as dealt"


class Side(NamedTuple):
    """One side of a comparison: a rule set by name, with a table's limits."""

    game: Game
    limits: Limits

    @property
    def name(self) -> str:
        """The rule set's name."""
        return self.game.rules.name


class Unplaceable(msgspec.Struct, frozen=True):
    """A bet on a spot that a rule set does not offer."""

    rules: str
    bet: str
    bettor: str
    spot: str
    stake: int


class Compared(msgspec.Struct, frozen=True):
    """A log by ``a`` and by ``b``: the rounds that differ, in both readings.

    ``unknown`` rounds need cards that nobody has seen yet. ``dealt_again`` is null where the order
    is not known, and ``why_not`` says so. ``outside`` bets break a rule set's limits and are priced
    all the same. Money is minor units of ``currency``.
    """

    shoe: str
    currency: str
    a: str
    b: str
    rounds: int
    same_coup: Reading
    unknown: tuple[int, ...]
    dealt_again: Reading | None
    why_not: str | None
    unplaceable: tuple[Unplaceable, ...]
    outside: tuple[Outside, ...]
    notes: tuple[str, ...]


def side_of(view: LogView, name: str | None) -> Side:
    """Give a published rule set as a side, or the log's own rules; with the table's own limits."""
    rules = view.rules if name is None else parse(named(name).text)
    stated = view.opened.limits
    # A log may come from anybody: a step of 0 is none to judge by.
    own = rules.name == view.rules.name and all(spot.step > 0 for spot in stated.spots.values())
    return Side(compile_rules(rules), stated if own else resolve_limits(rules))


def compared(view: LogView, a: Side | None, b: Side) -> Compared:
    """Compare a log by two rule sets; without ``a``, what was dealt and settled with ``b``."""
    logged = view.logged()
    record = [as_dealt(view, one) for one in view.rounds.values() if one.outcome is not None]
    known: list[Logged] = []
    coups: tuple[list[Played], list[Played]] = ([], [])
    for one, was in zip(logged, record, strict=True):
        try:
            both = (
                (was if a is None else same_coup(a.game, one, view.known)),
                same_coup(b.game, one, view.known),
            )
        except Unseen:
            continue
        known.append(one)
        for dealt, coup in zip(coups, both, strict=True):
            dealt.append(coup)
    numbers = {one.number for one in known}
    again = None
    if view.order:
        left = record if a is None else redealt(view, a)
        again = compare(left, redealt(view, b), logged)
    sides = [side for side in (a, b) if side is not None]
    return Compared(
        shoe=str(Shoe(view.table, view.shoe)),
        currency=view.currency,
        a=AS_DEALT if a is None else a.name,
        b=b.name,
        rounds=len(logged),
        same_coup=compare(*coups, known),
        unknown=tuple(one.number for one in logged if one.number not in numbers),
        dealt_again=again,
        why_not=None if view.order else why_not(view),
        unplaceable=tuple(lost for side in sides for lost in _unplaceable(side, logged)),
        outside=tuple(bet for side in sides for bet in outside(side.game, side.limits, logged)),
        notes=tuple(_notes(view, sides)),
    )


def redealt(view: LogView, side: Side) -> list[Played]:
    """Deal the whole shoe again; its order has to be known."""
    return deal_again(
        side.game,
        view.logged(),
        view.order,
        view.known.course,
        reshuffle_at=view.reshuffle_at(side.game.rules.ending),
        to_the_end=view.closed is not None and view.closed.reason == "rules",
    )


def why_not(view: LogView) -> str:
    """Say why a shoe cannot be dealt again."""
    if view.closed is None:
        return "the shoe is still open, so its order is not revealed yet"
    return "the shoe was closed without a reveal that gives its order"


def as_dealt(view: LogView, one: RoundView) -> Played:
    """Give a round as it stands in the log, each card with the reason for its draw."""
    told = one.outcome
    resolved = told if isinstance(told, RoundResolved) else None
    empty = HandResult((), 0)
    return Played(
        round=one.number,
        rules=view.rules.name,
        cards=_reasons(view, one),
        player=empty if resolved is None else resolved.player,
        banker=empty if resolved is None else resolved.banker,
        winner="unsettled" if told is None else "halted" if resolved is None else resolved.winner,
        settlements=() if told is None else told.settlements,
        unplaceable=(),
    )


def _reasons(view: LogView, one: RoundView) -> tuple[Drawn, ...]:
    """Give each card's reason; what follows a card that broke the rules has none of theirs."""
    game = view.game
    hands: dict[str, list[Card]] = {"player": [], "banker": [], "error": []}
    drawn: list[Drawn] = []
    broken = False
    for card in one.cards:
        reason = "after a card against the rules"
        if not broken:
            reason = game.why(hands["player"], hands["banker"])
            if card.hand == "error":
                reason = f"one too many: {reason}; {_went(view, card.position)}"
            elif game.next_draw(hands["player"], hands["banker"]) != card.hand:
                reason = f"against the rules: {reason}"
                broken = True
            elif card.position in view.in_error:
                reason += f"; drawn in error in round {view.in_error[card.position]}"
        hands[card.hand].append(card.card)
        drawn.append(Drawn(card.hand, card.card, card.position, reason))
    return tuple(drawn)


def _went(view: LogView, position: int) -> str:
    """Say what became of a card that was drawn in error."""
    match view.became.get(position):
        case CardDrawn(round=number, hand=hand) if number == view.in_error[position]:
            return f"it goes to the {hand}"
        case CardDrawn(round=number):
            return f"it begins round {number}"
        case CardDiscarded(reason=reason):
            return f"it is put aside ({reason})"
        case CardBurned():
            return "it is burned"
        case _:
            return "it lies on the table"


def _unplaceable(side: Side, logged: Sequence[Logged]) -> list[Unplaceable]:
    return [
        Unplaceable(side.name, bet.bet, bet.bettor, bet.spot, bet.stake)
        for one in logged
        for bet in one.bets
        if bet.spot not in side.game.rules.spots
    ]


def _notes(view: LogView, sides: Sequence[Side]) -> list[str]:
    notes = []
    for side in sides:
        rules = side.game.rules
        if rules.decks != view.opened.decks:
            notes.append(
                f"{rules.name} is for {rules.decks} decks, this shoe was opened with "
                f"{view.opened.decks}: it is dealt as it is"
            )
        if rules.currency != view.currency:
            notes.append(
                f"{rules.name} counts in {rules.currency}, this table in {view.currency}: stakes "
                "are taken by their number of minor units"
            )
    return notes
