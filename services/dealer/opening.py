"""How a shoe is opened: by a command, or by the house's own standing wish. Deals nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from schemas import commands as co
from schemas import events as ev
from schemas.address import Shoe, is_name
from schemas.errors import InputError
from schemas.money import LARGEST
from schemas.ruleset import RuleSet, parse
from services.baccarat import check_bomb, cut_card_index, placard, resolve_limits, same_bomb
from services.dealer import order as shoe_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemas.cards import Card
    from schemas.events import CommandRefusal, Limits, RuleText
    from services.dealer.secret import Secret, Secrets
    from services.dealer.shoe import ShoeFacts

#: A betting window is at most a day.
LONGEST_WINDOW_S = 86_400


class House(msgspec.Struct, frozen=True):
    """Who deals, with which software; what it opens by itself, up to shoe number ``shoes``."""

    dealer: str
    software: str
    opens: co.ShoeOpen | None = None
    shoes: int | None = None


class Opener:
    """Opens shoes at one table with the rule sets, stacked decks and secrets it was given."""

    def __init__(
        self,
        house: House,
        rules: Mapping[str, RuleText],
        decks: Mapping[str, tuple[Card, ...]],
        secrets: Secrets,
    ) -> None:
        """Keep what shoes are opened from; nothing is read yet."""
        self._house = house
        self._rules = rules
        self._decks = decks
        self._secrets = secrets

    def wish(self, number: int) -> co.ShoeOpen | None:
        """What the house itself wants shoe ``number`` to be, if it wants one."""
        shoes = self._house.shoes
        return self._house.opens if shoes is None or number <= shoes else None

    def problem(self, asks: co.ShoeOpen, before: ShoeFacts | None = None) -> CommandRefusal | None:
        """Say why no shoe can be opened as asked after the one before; None where it can."""
        text = self._rules.get(asks.rules)
        try:
            rules = None if text is None else parse(text.text)
        except InputError:
            rules = None
        if rules is None:
            return "rules"
        if isinstance(asks.origin, ev.Ktane) and (wrong := _bomb(rules, asks.origin, before)):
            return wrong
        wrongs: dict[CommandRefusal, bool] = {
            "deck": isinstance(asks.origin, co.AskFixed) and not self._decks.get(asks.origin.deck),
            "window": asks.window is not None and not 0 < asks.window <= LONGEST_WINDOW_S,
            "not-awaited": len(set(asks.seats)) != len(asks.seats)
            or not all(map(is_name, asks.seats)),
            "limits": not _limits_hold(rules, asks),
        }
        return next((reason for reason, wrong in wrongs.items() if wrong), None)

    def opened(
        self, shoe: Shoe, asks: co.ShoeOpen, previous_root: str | None, command: str | None
    ) -> ev.ShoeOpened:
        """Open a shoe as asked, where there is no ``problem``; its secret is made here."""
        text = self._rules[asks.rules]
        rules = parse(text.text)
        limits = _limits(rules, asks)
        origin: ev.Origin
        secret: Secret | None = None
        if isinstance(asks.origin, ev.Ktane):
            origin = asks.origin
        elif isinstance(asks.origin, co.AskFixed):
            secret = self._secrets.make(shoe, self._decks[asks.origin.deck])
            origin = ev.Fixed()
        else:
            secret = self._secrets.make(shoe, None)
            origin = ev.Seeded(shoe_order.ALGORITHM)
        stacked = None if secret is None else secret.order
        size = 52 * rules.decks if stacked is None else len(stacked)
        return ev.ShoeOpened(
            rules=text,
            decks=rules.decks,
            currency=rules.currency,
            origin=origin,
            commitment=None if secret is None else committed(secret, shoe),
            cut_card=cut_card_index(rules, size),
            limits=limits,
            seats=asks.seats,
            window=asks.window,
            dealer=self._house.dealer,
            software=self._house.software,
            previous_root=previous_root,
            command=command,
        )

    def secret(self, shoe: Shoe, opened: ev.ShoeOpened) -> Secret:
        """Find the secret of a shoe that is open; refuse one that does not open its commitment."""
        decks = self._decks.values() if isinstance(opened.origin, ev.Fixed) else (None,)
        for order in decks or (None,):
            secret = self._secrets.find(shoe, order)
            if secret is not None and committed(secret, shoe) == opened.commitment:
                return secret
        what = f"no secret kept for {shoe} opens its commitment"
        raise InputError(what, mend="give this dealer the seed or state folder that opened it")

    def cut(self, shoe: Shoe) -> None:
        """Note that a shoe's cut is on the record; it is never opened with this secret again."""
        self._secrets.cut(shoe)


def _limits(rules: RuleSet, asks: co.ShoeOpen) -> Limits:
    """Work out the table's limits: a module's are on its placard."""
    asked = asks.limits or {}
    if isinstance(asks.origin, ev.Ktane):
        asked = {**placard(rules, asks.origin), **asked}
    return resolve_limits(rules, asked, asks.differential)


def _limits_hold(rules: RuleSet, asks: co.ShoeOpen) -> bool:
    if asks.differential is not None and not 0 < asks.differential <= LARGEST:
        return False
    try:
        limits = _limits(rules, asks)
    except InputError:
        return False
    shown = msgspec.structs.replace(asks, limits=None, differential=None)
    return not isinstance(asks.origin, ev.Ktane) or limits == _limits(rules, shown)


def _bomb(rules: RuleSet, bomb: ev.Ktane, before: ShoeFacts | None) -> CommandRefusal | None:
    """Say why a module has no such deck: none once it is solved, else one of another colour."""
    try:
        check_bomb(bomb)
    except InputError as wrong:
        return "limits" if wrong.where in {"min", "max"} else "origin"
    last = None if before is None else before.opened.origin
    over = (
        before is not None
        and isinstance(last, ev.Ktane)
        and same_bomb(last, bomb)
        and (before.solved or last.colour == bomb.colour)
    )
    return "origin" if over or rules.decks != 1 else None


def committed(secret: Secret, shoe: Shoe) -> str:
    """Commit to a secret, in hex."""
    if secret.order is None:
        return shoe_order.commitment(secret.value, str(shoe)).hex()
    return shoe_order.fixed_commitment(secret.value, secret.order, str(shoe)).hex()
