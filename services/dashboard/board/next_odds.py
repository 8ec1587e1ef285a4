"""The next round's exact odds, from the cards of a shoe that nobody has seen. Pure.

Cards that were burned face down are as likely to be any of the unseen ones as those in the shoe,
so the next six are any six of the unseen. ``next_round`` is quick, and asked where the board is
folded; ``odds_of`` takes some tenths of a second, and may be asked in another thread or process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from schemas.cards import DECK, RANKS
from schemas.ruleset import parse
from services.baccarat.odds import counts_of, edge_of
from services.baccarat.odds_counting import count_left
from services.dashboard.board.asked_shapes import OddsShape, SpotOddsShape
from services.dashboard.board.shoe_board import ShoeBoard

if TYPE_CHECKING:
    from services.dashboard.board.shoe_fold import ShoeFold

_SIX: Final = 6


class NextRound(msgspec.Struct, frozen=True):
    """What the next round is dealt from: rules as their text, cards of each rank suit by suit."""

    shoe: int
    after: int
    rules: str
    spots: tuple[str, ...]
    left: dict[str, tuple[int, ...]]


def next_round(board: object) -> NextRound | None:
    """Give what the next round is dealt from; None where there is none, or nobody can say.

    So with a shoe that is closed, or has fewer than six cards left; with rules that cannot be read,
    a stacked shoe that is not revealed, and one that has shown more of a card than it can hold.
    """
    shoe = board.shoe if isinstance(board, ShoeBoard) else None
    if shoe is None or shoe.opened is None or shoe.game is None or shoe.closed is not None:
        return None
    unseen, size = shoe.cards.unseen(), shoe.cards.size
    if unseen is None or size is None or size - shoe.cards.drawn < _SIX:
        return None
    left = {rank: tuple(unseen.get(card, 0) for card in DECK if card[0] == rank) for rank in RANKS}
    if any(many < 0 for suits in left.values() for many in suits):
        return None
    offered = shoe.opened.limits.spots
    spots = tuple(name for name in shoe.game.rules.spots if name in offered)
    return NextRound(shoe.name.number, _after(shoe), shoe.opened.rules.text, spots, left)


def odds_of(asked: NextRound) -> OddsShape:
    """Count the odds; ``asked`` as ``next_round`` gave it."""
    rules = parse(asked.rules)
    rounds = count_left(rules, asked.left)
    counts = counts_of(rounds)
    edges = [(name, edge_of(rules, name, rounds)) for name in asked.spots]
    return OddsShape(
        shoe=asked.shoe,
        after=asked.after,
        unseen=sum(map(sum, asked.left.values())),
        banker=counts.winners["banker"] / counts.total,
        player=counts.winners["player"] / counts.total,
        tie=counts.winners["tie"] / counts.total,
        spots=tuple(SpotOddsShape(name, str(edge), float(edge)) for name, edge in edges),
    )


def next_odds(board: object) -> OddsShape | None:
    """Give the next round's odds at once; None as ``next_round``."""
    asked = next_round(board)
    return None if asked is None else odds_of(asked)


def _after(shoe: ShoeFold) -> int:
    """Number the last round that has had a card, or is over without one."""
    one = shoe.current
    if one is None:
        return 0
    over = one.phase in {"voided", "halted", "settled"}
    return one.number if one.cards or over else one.number - 1
