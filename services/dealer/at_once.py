"""A round of plain bets, from its opening to its last card, said at once. It adds no rule.

Where the next round has all its bets, and nothing else can happen in it, what event by event would
be said is said in one step; everything else is left to that way. A shoe has one of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from schemas import commands as co
from schemas import events as ev
from schemas.instant import spell
from schemas.stencil import NUMBER, TEXT, stencil
from services.baccarat import Stake, judge, shoe_over
from services.dealer.again import Again

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.address import Sources
    from schemas.cards import Card
    from services.dealer.inbox import Inbox
    from services.dealer.shoe import ShoeFacts
    from services.runtime.clocks import Clock

    #: Who bets how much on what.
    Terms = tuple[str, str, int]

#: The most cards of a round.
_MOST: Final = 6
#: So many sets of bets that were judged are remembered.
_REMEMBERED: Final = 512


class PlainRound(NamedTuple):
    """A round that was said: its bets, hands and events, the times of the first and the last."""

    number: int
    bets: list[ev.BetPlaced]
    player: list[Card]
    banker: list[Card]
    datas: list[bytes]
    began: int
    ended: int


class PlainRounds:
    """How one shoe's plain rounds are spelled, and which sets of bets its limits allow."""

    __slots__ = (
        "_closed", "_dealt", "_drawn", "_facts", "_judged", "_opened", "_placed", "again",
    )  # fmt: skip

    def __init__(self, facts: ShoeFacts, sources: Sources) -> None:
        """Spell each kind of event once."""
        source = sources.events

        def holed(event: ev.Event) -> bytes:
            return stencil(f"{facts.number}-{NUMBER}", source, event)

        self._facts = facts
        self.again = Again(facts.number, sources.commands)
        self._opened = holed(ev.RoundOpened(round=NUMBER, command=None))
        self._placed = holed(
            ev.BetPlaced(
                round=NUMBER, bet=TEXT, bettor=TEXT, spot=TEXT, stake=NUMBER, chips=None,
                command=TEXT,
            )
        )  # fmt: skip
        self._closed = holed(ev.BetsClosed(round=NUMBER, reason="all-spoke", command=None))
        hands: tuple[ev.Hand, ...] = ("player", "banker")
        self._drawn: dict[str, bytes] = {
            hand: holed(
                ev.CardDrawn(round=NUMBER, hand=hand, position=NUMBER, card=TEXT, command=None)
            )
            for hand in hands
        }
        self._dealt = holed(ev.RoundDealt(round=NUMBER, command=None))
        #: What each bettor needs for bets that the limits allow in this order; else None.
        self._judged: dict[tuple[Terms, ...], dict[str, int] | None] = {}

    def say(
        self,
        bets: list[ev.BetPlaced],
        cards: Sequence[Card],
        clock: Clock,
        seq: int,
        time: int | None,
    ) -> PlainRound | None:
        """Say the next round after the event at ``seq`` and ``time``; None where it is not plain.

        The caller has to take it as a fact, and its commands as answered.
        """
        facts = self._facts
        number, position = facts.settled + 1, facts.progress.position
        cut = facts.opened.cut_card
        cut_comes = not facts.cut_card_out and cut is not None and 0 <= cut - position < _MOST
        if cut_comes or position + _MOST > facts.progress.size:
            return None
        # Each event's spelling, and what goes into its holes after its number and time.
        said: list[tuple[bytes, tuple[object, ...]]] = [(self._opened, (number,))]
        for bet in bets:
            name, bettor, spot = bet.bet.encode(), bet.bettor.encode(), bet.spot.encode()
            said.append((self._placed, (number, name, bettor, spot, bet.stake, name)))
        said.append((self._closed, (number,)))
        player: list[Card] = []
        banker: list[Card] = []
        next_draw = facts.game.next_draw
        while (hand := next_draw(player, banker)) is not None:
            card = cards[position]
            (player if hand == "player" else banker).append(card)
            said.append((self._drawn[hand], (number, position, card.encode())))
            position += 1
        said.append((self._dealt, (number,)))
        count = len(said)
        times = clock.several(time, count)
        spelled = [spell(times[0]).encode()] * count
        if times[-1] != times[0]:
            spelled = [spell(one).encode() for one in times]
        seqs = range(seq + 1, seq + 1 + count)
        datas = [
            event % (at, when, *words)
            for at, when, (event, words) in zip(seqs, spelled, said, strict=True)
        ]
        return PlainRound(number, bets, player, banker, datas, times[0], times[-1])

    def expects(self, data: bytes) -> bool:
        """Take a command that says for the next round what was said for the last, unread."""
        return self.again.expects(data, self._facts.settled + 1)

    def repeated(self) -> list[ev.BetPlaced] | None:
        """Give the bets of the next round, where they are those of the last, and nothing else is.

        As ``heard`` does, where the commands were not read.
        """
        facts = self._facts
        bets = self.again.bets(facts.settled + 1)
        if (
            not bets
            or not self._is_ready()
            or not facts.seated
            or not facts.seated.keys() <= self.again.speakers
            or any(bet.bet in facts.commands for bet in bets)
        ):
            return None
        return bets if self._stand(bets) else None

    def heard(self, inbox: Inbox) -> list[ev.BetPlaced] | None:
        """Give the bets of the next round, where they are all that can happen before its cards."""
        facts, waiting = self._facts, inbox.waiting
        here, number, answered = facts.number, facts.settled + 1, facts.commands
        if (
            not waiting
            or not self._is_ready()
            or not facts.seated
            or not facts.seated.keys() <= inbox.spoken(number)
        ):
            return None
        bets = []
        for shoe, round_, name, asks in waiting:
            if type(asks) is not co.BetPlace or shoe != here or round_ != number:
                return None
            stake = asks.stake
            if type(stake) is not int or asks.chips is not None or name in answered:
                return None
            bets.append(
                ev.BetPlaced(number, name, asks.bettor, asks.spot, stake, None, command=name)
            )
        return bets if self._stand(bets) else None

    def _is_ready(self) -> bool:
        """Tell whether the next round may be opened, and has no module and no card in error."""
        facts = self._facts
        return (
            facts.phase == "ready"
            and facts.module is None
            and facts.error is None
            and facts.rules.judged == "on-arrival"
            and facts.has_order
            and not (facts.carried or facts.burns_due or facts.halted)
            and not facts.awaited()
            and not shoe_over(facts.rules, facts.progress)
        )

    def _stand(self, bets: list[ev.BetPlaced]) -> bool:
        """Tell whether all these bets are taken."""
        terms = tuple([(bet.bettor, bet.spot, bet.stake) for bet in bets])
        judged = self._judged
        if terms not in judged:
            if len(judged) >= _REMEMBERED:
                judged.clear()
            judged[terms] = self._judge(bets)
        needed = judged[terms]
        if needed is None:
            return False
        seated = self._facts.seated
        return all(
            bettor in seated and seated[bettor].bankroll >= needs
            for bettor, needs in needed.items()
        )

    def _judge(self, bets: list[ev.BetPlaced]) -> dict[str, int] | None:
        """Judge all but what the bettors have; say what they need, None where one is refused."""
        facts = self._facts
        plenty = sum(abs(bet.stake) for bet in bets)
        staked = dict.fromkeys(("player", "banker"), 0)
        standing: dict[str, list[Stake]] = {}
        for bet in bets:
            own = standing.setdefault(bet.bettor, [])
            if any(other.spot == bet.spot for other in own) or judge(
                facts.game,
                facts.opened.limits,
                own,
                staked["player"],
                staked["banker"],
                plenty,
                bet.spot,
                bet.stake,
                None,
            ):
                return None
            own.append(Stake(bet.spot, bet.stake))
            if bet.spot in staked:
                staked[bet.spot] += bet.stake
        return {bettor: sum(bet.stake for bet in own) for bettor, own in standing.items()}
