"""What anybody may see: no bettor's name, stake or payout, and no words that people wrote. Pure.

What is let through is listed, all else is left out: command ids hold names, claims and reasons may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec
from msgspec import structs

from schemas.outcomes import HaltReason
from services.dashboard.board.fields import MORE
from services.dashboard.board.round_shapes import RoundShape
from services.dashboard.board.shapes import DisputeShape, TableView, Tile

if TYPE_CHECKING:
    from services.dashboard.board.answers import RoundAnswer
    from services.dashboard.board.shoe_board import Change

#: Why the rules void a round, put a card aside or halt a shoe: words of ours, not of people.
_WORDS: Final = frozenset(
    {"invalid-bet", "shoe-exhausted", "misdraw", "no-next-hand", *get_args(HaltReason)}
)
#: By type, the parts of an entry that are public; of the types that are not here, none.
PUBLIC: Final[dict[str, tuple[str, ...]]] = {
    "shoe.opened": (
        "rules", "decks", "currency", "origin", "commitment", "cut_card", "limits", "window",
        "dealer", "software", "previous_root",
    ),
    "shoe.cut": ("client_seed", "beacon"),
    "card.burned": ("position", "card"),
    "card.discarded": ("position", "card", "reason"),
    "round.opened": ("round",),
    "bets.closed": ("round", "reason"),
    "round.dealt": ("round",),
    "round.voided": ("round", "reason"),
    "card.drawn": ("round", "hand", "position", "card"),
    "cut_card.out": ("position",),
    "dealer.changed": ("dealer", "supervisor"),
    "money.adjusted": ("at",),
    "shoe.closed": ("reason", "reveal"),
    "round.resolved": ("round", "first", "through", "player", "banker", "winner", "natural"),
    "round.halted": ("round", "at", "reason"),
    "round.audited": ("round", "verdict"),
    "shoe.audited": ("verdict", "root"),
    "dispute.opened": ("at",),
    "dispute.resolved": ("dispute",),
}  # fmt: skip
#: Types whose ``reason`` people may word as they like.
_WORDED: Final = frozenset({"card.discarded", "round.voided"})
#: Fields of a view that are left out whole.
HIDDEN: Final = frozenset({*MORE, *MORE.values()})


def public_said(kind: str, said: msgspec.Struct | None) -> dict[str, Any] | None:
    """Give what of an entry of this type anybody may see; None where that is nothing."""
    parts = PUBLIC.get(kind)
    if parts is None or said is None:
        return None
    plain = {name: msgspec.to_builtins(getattr(said, name)) for name in parts}
    if kind in _WORDED and plain["reason"] not in _WORDS:
        plain["reason"] = None
    return plain


def public_view(view: TableView) -> TableView:
    """Give a view as anybody may see it."""
    return structs.replace(
        view, **{name: public_field(name, getattr(view, name)) for name in (*HIDDEN, *_CHANGED)}
    )


def public_field(name: str, value: Any) -> Any:  # noqa: ANN401 - as the view's fields are
    """Give a field of a view as anybody may see it."""
    if name in HIDDEN:
        return () if name in MORE else 0
    change = _CHANGED.get(name)
    return value if change is None or value is None else change(value)


def public_round(one: RoundShape) -> RoundShape:
    """Give a round without its bets, what the house made, and why people voided it."""
    reason = one.reason if one.reason in _WORDS else None
    return structs.replace(one, bets=(), bets_more=0, house=None, reason=reason)


def public_answer(answer: RoundAnswer) -> RoundAnswer:
    """Give the answer about a round as anybody may see it."""
    other = answer.other
    if other is not None:
        other = structs.replace(other, bets=(), unplaceable=())
    return structs.replace(answer, round=public_round(answer.round), findings=(), other=other)


def public_tile(tile: Tile) -> Tile:
    """Give a tile without how many faults were found: its lamp says whether it failed."""
    return structs.replace(tile, faults=0)


def public_fields(change: Change) -> tuple[str, ...]:
    """Name the fields that an entry changed and that are not left out."""
    return tuple(name for name in change.fields if name not in HIDDEN)


def _disputes(shapes: tuple[DisputeShape, ...]) -> tuple[DisputeShape, ...]:
    """Give which rounds are under dispute, and since when; not who says what."""
    return tuple(
        DisputeShape(one.dispute, one.round, "", "", one.opened, one.resolved, None)
        for one in shapes
    )


def _shoe(shape: Any) -> Any:  # noqa: ANN401 - see _CHANGED
    return structs.replace(shape, counts=None)


_CHANGED: Final[dict[str, Any]] = {"round": public_round, "disputes": _disputes, "shoe": _shoe}
