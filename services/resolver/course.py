"""The events of a round as they must come, compared as bytes. It folds nothing and halts nothing.

Where a round's cards lie one after the other its events follow from them, but for their times; and
so do its bets, where they are known, but for the stakes: all is spelled, and compared with what
came.
"""

from __future__ import annotations

import re
import struct
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import Sources
from schemas.cards import DECK, Card
from schemas.events import BetPlaced, BetsClosed, CardDrawn, Event, Hand, RoundDealt, RoundOpened
from schemas.instant import is_timelike
from schemas.money import LARGEST
from schemas.stencil import NUMBER, ROUND, SHOE, TEXT, stencil
from services.resolver.layout import Layout, parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.baccarat import Game

_FOUR: Final = 4
#: As many events as a shoe is likely to have; later ones are folded one by one.
_NUMBERS: Final = tuple([b"%d" % number for number in range(8192)])
_CARDS: Final[dict[bytes, Card]] = {card.encode(): card for card in DECK}
_STAKE: Final = b',"stake":'
_is_number: Final = re.compile(rb"[1-9][0-9]{0,15}").fullmatch
#: So many sets of stakes are remembered.
_REMEMBERED: Final = 64
_is_plain: Final = re.compile(r"[A-Za-z0-9/_-]+", re.ASCII).fullmatch
_PLAYER: Final[tuple[Hand, ...]] = ("player",)
_BANKER: Final[tuple[Hand, ...]] = ("banker",)
_DRAWS: Final = ((), _PLAYER, _BANKER, _PLAYER + _BANKER)


class Terms(NamedTuple):
    """A bet without round and stake: the end of its id, after ``<shoe>-<round>/``, and the rest."""

    end: str
    bettor: str
    spot: str
    chips: tuple[int, ...] | None


def terms_of(prefix: str, bets: Sequence[BetPlaced]) -> tuple[Terms, ...] | None:
    """Give a round's bets without ``<shoe>-<round>/`` and stake; None where they are not plain.

    No text but a plain one may become part of a stencil.
    """
    rows = []
    for bet in bets:
        end = bet.bet.removeprefix(prefix)
        text = f"{end}/{bet.bettor}/{bet.spot}"
        if end == bet.bet or bet.command != bet.bet or _is_plain(text) is None:
            return None
        rows.append(Terms(end, bet.bettor, bet.spot, bet.chips))
    return tuple(rows)


class Dealt(NamedTuple):
    """A round's hands and stakes; how many events told it, and the last one's time."""

    player: list[Card]
    banker: list[Card]
    stakes: tuple[int, ...]
    events: int
    time: bytes


class Course:
    """How a table's rounds are spelled, in any shoe.

    From the opening on where the bets are given, else from the first card on.
    """

    __slots__ = (
        "_bankers", "_before", "_bets", "_card", "_known", "_layouts", "_lengths", "_next_draw",
        "_players",
    )  # fmt: skip

    def __init__(self, table: str, game: Game, bets: Sequence[Terms] | None = None) -> None:
        """Spell each kind of line once, with holes."""
        events: list[Event] = []
        if bets is not None:
            events.append(RoundOpened(ROUND, command=None))
            for end, bettor, spot, chips in bets:
                bet = f"{SHOE}-{ROUND}/{end}"
                events.append(BetPlaced(ROUND, bet, bettor, spot, NUMBER, chips, command=bet))
            events.append(BetsClosed(ROUND, "all-spoke", command=None))
        source = Sources(table).events

        def line(event: Event) -> bytes:
            return stencil(f"{SHOE}-{TEXT}", source, event)

        before = [line(event) for event in events]
        drawn = {
            hand: line(CardDrawn(ROUND, hand, NUMBER, TEXT, command=None))
            for hand in _PLAYER + _BANKER
        }
        last = line(RoundDealt(ROUND, command=None))
        deal = game.rules.drawing.deal
        self._players = itemgetter(*[at for at, hand in enumerate(deal) if hand == "player"])
        self._bankers = itemgetter(*[at for at, hand in enumerate(deal) if hand == "banker"])
        self._next_draw = game.next_draw
        self._before = len(before)
        self._bets = len(bets or ())
        #: How long the stakes are, if they are as long as in the last round.
        self._lengths = (1,) * self._bets
        #: Stakes as they were told, and in minor units.
        self._known: dict[tuple[bytes, ...], tuple[int, ...]] = {}
        # A card's name, from the end of its line.
        after = len(parts(drawn["player"])[0][-1])
        self._card = slice(-after - 2, -after)
        # By who draws after the first four cards.
        self._layouts = {
            draws: Layout([*before, *(drawn[hand] for hand in (*deal, *draws)), last])
            for draws in _DRAWS
        }

    def take(
        self, shoe: bytes, lines: Sequence[bytes], at: int, first: int, number: int, position: int
    ) -> Dealt | None:
        """Read a round to its end; None where anything is not, to the byte, as it must be.

        It begins with the line at ``at``, the event of number ``first``; its next card is the one
        at ``position`` in the shoe.
        """
        start = at + self._before
        card = self._card
        draws: tuple[Hand, ...] = ()
        try:
            named = [_CARDS[line[card]] for line in lines[start : start + _FOUR]]
            player, banker = [*self._players(named)], [*self._bankers(named)]
            due = self._next_draw(player, banker)
            if due == "player":
                player.append(_CARDS[lines[start + _FOUR][card]])
                draws = _PLAYER
                due = self._next_draw(player, banker)
            if due == "banker":
                banker.append(_CARDS[lines[start + _FOUR + len(draws)][card]])
                draws += _BANKER
        except (IndexError, KeyError):
            return None
        drawn = _FOUR + len(draws)
        size = self._before + drawn + 1
        seqs, places = _NUMBERS[first : first + size], _NUMBERS[position : position + drawn]
        if len(seqs) < size or len(places) < drawn:
            return None
        told = _NUMBERS[number]
        layout = self._layouts[draws]
        text = b"\n".join(lines[at : at + size])
        cut = _cut(layout, text, shoe, told, seqs, places, self._lengths)
        if cut is None and self._is_otherwise(lines, at):
            cut = _cut(layout, text, shoe, told, seqs, places, self._lengths)
        if cut is None:
            return None
        shoes, rounds = layout.numbers
        times = layout.times(cut)
        if (
            layout.seqs(cut) != seqs
            or layout.places(cut) != places
            or layout.rounds(cut) != (told,) * rounds
            or layout.shoes(cut) != (shoe,) * shoes
            or not is_timelike(b"".join(times))
        ):
            return None
        stakes = tuple([cut[hole] for hole in layout.stakes])
        staked = self._known.get(stakes)
        if staked is None and (staked := self._staked(stakes)) is None:
            return None
        return Dealt(player, banker, staked, size, times[-1])

    def _is_otherwise(self, lines: Sequence[bytes], at: int) -> bool:
        """Look how long the stakes are; tell whether they are not as long as in the last round."""
        bets = lines[at + 1 : at + 1 + self._bets]
        lengths = tuple([len(line.partition(_STAKE)[2].partition(b",")[0]) for line in bets])
        before, self._lengths = self._lengths, lengths
        return lengths != before

    def _staked(self, stakes: tuple[bytes, ...]) -> tuple[int, ...] | None:
        """Read stakes that were not told before; None for what is none, or not so spelled."""
        if not all(map(_is_number, stakes)):
            return None
        staked = tuple(map(int, stakes))
        if max(staked, default=0) > LARGEST:
            return None
        if len(self._known) >= _REMEMBERED:
            self._known = {}
        self._known[stakes] = staked
        return staked


def _cut(
    layout: Layout,
    text: bytes,
    shoe: bytes,
    told: bytes,
    seqs: Sequence[bytes],
    places: Sequence[bytes],
    lengths: tuple[int, ...],
) -> tuple[bytes, ...] | None:
    """Cut a round's text; None where what should be fixed is not."""
    try:
        cut = layout.cut(shoe, told, seqs, places, lengths)(text)
    except struct.error:
        return None
    return cut if cut[::2] == layout.fixed else None
