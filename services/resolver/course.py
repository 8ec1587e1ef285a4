"""The events of a round as they must come, compared as bytes. It folds nothing and halts nothing.

Where a round's cards lie one after the other its events follow from them, but for their times; and
so do its bets, where they are known: all is spelled, and compared with what came.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import Sources
from schemas.cards import DECK, Card
from schemas.events import BetPlaced, BetsClosed, CardDrawn, Event, Hand, RoundDealt, RoundOpened
from schemas.stencil import NUMBER, ROUND, SHOE, TEXT, filled, stencil

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.baccarat import Game

_FOUR: Final = 4
_TIME: Final = len("2026-11-30T03:22:19.123456Z")
#: Text of these alone is spelled in one way.
_OF_TIMES: Final = b"0123456789-T:.Z"
#: As many events as a shoe is likely to have; later ones are folded one by one.
_NUMBERS: Final = tuple([b"%d" % number for number in range(8192)])
_CARDS: Final[dict[bytes, Card]] = {card.encode(): card for card in DECK}
_HOLE: Final = b"%b"
_TIME_IS: Final = b'"time":"'
_is_plain: Final = re.compile(r"[A-Za-z0-9/_-]+", re.ASCII).fullmatch
_PLAYER: Final[tuple[Hand, ...]] = ("player",)
_BANKER: Final[tuple[Hand, ...]] = ("banker",)
_DRAWS: Final = ((), _PLAYER, _BANKER, _PLAYER + _BANKER)


class Terms(NamedTuple):
    """A bet without its round: the end of its id, after ``<shoe>-<round>/``, and its terms."""

    end: str
    bettor: str
    spot: str
    stake: int
    chips: tuple[int, ...] | None


def terms_of(prefix: str, bets: Sequence[BetPlaced]) -> tuple[Terms, ...] | None:
    """Give a round's bets without their ``<shoe>-<round>/``; None where they are not plain.

    No text but a plain one may become part of a stencil.
    """
    rows = []
    for bet in bets:
        end = bet.bet.removeprefix(prefix)
        text = f"{end}/{bet.bettor}/{bet.spot}"
        if end == bet.bet or bet.command != bet.bet or _is_plain(text) is None:
            return None
        rows.append(Terms(end, bet.bettor, bet.spot, bet.stake, bet.chips))
    return tuple(rows)


class Dealt(NamedTuple):
    """A round's hands; how many events told it, and the last one's time."""

    player: list[Card]
    banker: list[Card]
    events: int
    time: bytes


class Course:
    """How a table's rounds are spelled, in any shoe.

    From the opening on where the bets are given, else from the first card on.
    """

    __slots__ = (
        "_bankers", "_before", "_card", "_cuts", "_next_draw", "_players", "_shoe", "_spelled",
        "_starts", "_whole",
    )  # fmt: skip

    def __init__(self, table: str, game: Game, bets: Sequence[Terms] | None = None) -> None:
        """Spell each kind of line once, with holes."""
        events: list[Event] = []
        if bets is not None:
            events.append(RoundOpened(ROUND, command=None))
            for end, bettor, spot, stake, chips in bets:
                bet = f"{SHOE}-{ROUND}/{end}"
                events.append(BetPlaced(ROUND, bet, bettor, spot, stake, chips, command=bet))
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
        self._players = [at for at, hand in enumerate(deal) if hand == "player"]
        self._bankers = [at for at, hand in enumerate(deal) if hand == "banker"]
        self._next_draw = game.next_draw
        self._before = len(before)
        # A card's name, from the end of its line.
        place = drawn["player"].rindex(_HOLE) - len(drawn["player"])
        self._card = slice(place, place + 2)
        # By who draws after the first four cards: all the lines, and where their times begin but
        # for the digits of the shoe and of the event.
        self._whole: dict[tuple[Hand, ...], bytes] = {}
        self._starts: dict[tuple[Hand, ...], list[int]] = {}
        for draws in _DRAWS:
            lines = [*before, *(drawn[hand] for hand in (*deal, *draws)), last]
            self._whole[draws] = b"\n".join(lines)
            self._starts[draws] = [line.index(_TIME_IS) + len(_TIME_IS) for line in lines]
        self._cuts: dict[tuple[tuple[Hand, ...], int], list[slice]] = {}
        self._shoe = b""
        self._spelled = self._whole

    def take(
        self, shoe: bytes, lines: Sequence[bytes], at: int, first: int, number: int, position: int
    ) -> Dealt | None:
        """Read a round to its end; None where anything is not, to the byte, as it must be.

        It begins with the line at ``at``, the event of number ``first``; its next card is the one
        at ``position`` in the shoe.
        """
        before, card = self._before, self._card
        cards = [line[card] for line in lines[at + before : at + before + _FOUR + 2]]
        draws: tuple[Hand, ...] = ()
        try:
            player = [_CARDS[cards[place]] for place in self._players]
            banker = [_CARDS[cards[place]] for place in self._bankers]
            due = self._next_draw(player, banker)
            if due == "player":
                player.append(_CARDS[cards[_FOUR]])
                draws = _PLAYER
                due = self._next_draw(player, banker)
            if due == "banker":
                banker.append(_CARDS[cards[_FOUR + len(draws)]])
                draws += _BANKER
        except (IndexError, KeyError):
            return None
        size = before + _FOUR + len(draws) + 1
        events, seqs = lines[at : at + size], _NUMBERS[first : first + size]
        if len(events) < size or len(seqs) < size or len(seqs[0]) != len(seqs[-1]):
            return None
        cuts = self._times(draws, len(shoe) + len(seqs[0]))
        times = [event[cut] for event, cut in zip(events, cuts, strict=True)]
        if b"".join(times).translate(None, _OF_TIMES):
            return None
        if shoe != self._shoe:
            self._begin(shoe)
        spelled = filled(self._spelled[draws], ROUND, _NUMBERS[number])
        drawn, last = size - before - 1, size - 1
        start, end = 2 * before, 2 * before + 4 * drawn
        # A number and a time each, but four things for a card.
        holes: list[object] = [None] * (end + 2)
        holes[:start:2], holes[1:start:2] = seqs[:before], times[:before]
        holes[start:end:4], holes[start + 1 : end : 4] = seqs[before:last], times[before:last]
        holes[start + 2 : end : 4] = range(position, position + drawn)
        holes[start + 3 : end : 4] = cards[:drawn]
        holes[end:] = seqs[last], times[last]
        if spelled % (*holes,) != b"\n".join(events):
            return None
        return Dealt(player, banker, size, times[-1])

    def _begin(self, shoe: bytes) -> None:
        self._shoe = shoe
        self._spelled = {draws: filled(lines, SHOE, shoe) for draws, lines in self._whole.items()}

    def _times(self, draws: tuple[Hand, ...], digits: int) -> list[slice]:
        """Give where the times stand, the shoe's and the event's number having so many digits."""
        cuts = self._cuts.get((draws, digits))
        if cuts is None:
            # A mark and a hole stand for the digits.
            more = digits - 1 - len(_HOLE)
            starts = [start + more for start in self._starts[draws]]
            cuts = self._cuts[draws, digits] = [slice(at, at + _TIME) for at in starts]
        return cuts
