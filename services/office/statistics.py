"""Whether rounds, cards and money are as chance alone would have them: a fold over many shoes.

What is left out is counted. Rounds that were voided or halted have no result. Where a card drawn in
error lay face up, or the order of the shoe is public or stacked, bettors may know what comes, as
the rules want it: none of that is chance.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from schemas.cards import DECK
from schemas.events import OrderReveal
from schemas.outcomes import RoundResolved
from services.baccarat import net
from services.office import sentences
from services.office.chance import adjusted
from services.office.expectation import Expectation
from services.office.figures import Class, Figure, pearson
from services.office.hold import Account, Hold, Who
from services.office.shuffle import Shuffle

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.office.reading import Round, Shoe

#: What is so rare, all figures of a run together, is an alarm: one run in a thousand by chance.
LEVEL: Final = 0.001
_CARDS: Final = (4, 5, 6)


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """A table's shoes of one rule set in one period; ``shoes`` are those with cards to count."""

    table: str
    rules: str
    decks: int
    origin: str
    period: str
    shoes: int
    rounds: int
    figures: tuple[Figure, ...]


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """All figures; ``left_out`` are rounds by why chance has nothing to say of them."""

    shoes: int
    rounds: int
    left_out: dict[str, int]
    level: float
    looked_at: int
    alarms: int
    subjects: tuple[Subject, ...]
    holds: tuple[Hold, ...]
    says: str


class _Key(NamedTuple):
    table: str
    period: str
    rules: str
    sha256: str
    decks: int
    origin: str


class _Group:
    """What is counted of a subject."""

    __slots__ = ("cards", "rounds", "shuffle", "winners")

    def __init__(self, decks: int) -> None:
        self.rounds = 0
        self.winners: Counter[str] = Counter()
        self.cards: Counter[int] = Counter()
        self.shuffle = Shuffle(decks)


class Counting:
    """The fold: rounds as they come, then their shoe. Keeps one shoe's rounds, and sums."""

    def __init__(
        self,
        period: Callable[[str], str],
        expected: dict[tuple[str, int], Expectation] | None = None,
    ) -> None:
        """Begin; ``period`` names the period of a time, which is that of a shoe's opening.

        ``expected``, by a rule set's hash and decks, is what has been counted out before.
        """
        self._period = period
        self._rounds: list[Round] = []
        self._groups: dict[_Key, _Group] = {}
        self._accounts: dict[tuple[Who, str, str], Account] = {}
        self._expected = {} if expected is None else expected
        self._left_out: Counter[str] = Counter()
        self._shoes = 0

    def round(self, done: Round) -> None:
        """Take a settled round of the shoe that is read."""
        self._rounds.append(done)

    def shoe(self, shoe: Shoe) -> None:
        """Take the shoe, all of whose rounds have been taken."""
        rounds, self._rounds = self._rounds, []
        self._shoes += 1
        why = _no_chance(shoe)
        if why is not None:
            self._left_out[why] += len(rounds)
            return
        name = (shoe.rules_sha256, shoe.decks)
        if name not in self._expected:
            self._expected[name] = Expectation(shoe.rules, shoe.decks)
        period = self._period(shoe.opened)
        key = _Key(shoe.table, period, shoe.rules_name, *name, shoe.origin)
        group = self._groups.setdefault(key, _Group(shoe.decks))
        group.shuffle.add(shoe.seen)
        for one in rounds:
            self._add(one, group, self._expected[name])

    def _add(self, one: Round, group: _Group, expected: Expectation) -> None:
        said = one.outcome
        if not isinstance(said, RoundResolved) or said.winner == "void":
            self._left_out["voided" if isinstance(said, RoundResolved) else "halted"] += 1
            return
        if one.known:
            self._left_out["a card was known"] += 1
            return
        group.rounds += 1
        group.winners[said.winner] += 1
        group.cards[len(said.player.cards) + len(said.banker.cards)] += 1
        bets = [
            (paid.bettor, (paid.spot, paid.stake), -net(paid))
            for paid in said.settlements
            if expected.knows(paid.spot)
        ]  # fmt: skip
        if not bets:
            return
        currency = one.shoe.currency
        self._account(("dealer", one.dealer, currency)).add(bets, expected)
        bettors = {bettor for bettor, _, _ in bets}
        for bettor in bettors:
            own = bets if len(bettors) == 1 else [bet for bet in bets if bet[0] == bettor]
            self._account(("bettor", bettor, currency)).add(own, expected)

    def _account(self, name: tuple[Who, str, str]) -> Account:
        account = self._accounts.get(name)
        if account is None:
            account = self._accounts[name] = Account()
        return account

    def result(self) -> Statistics:
        """Give all figures, judged together."""
        subjects = [self._subject(key, group) for key, group in sorted(self._groups.items())]
        holds = [account.hold(*who) for who, account in sorted(self._accounts.items())]
        told = [one for subject in subjects for one in subject.figures] + holds
        known = [one.p for one in told if one.p is not None]
        judged = iter(adjusted(known))
        rare = [None if one.p is None else next(judged) for one in told]
        settled = iter(map(_judge, told, rare))
        subjects = [
            msgspec.structs.replace(subject, figures=tuple(next(settled) for _ in subject.figures))
            for subject in subjects
        ]
        holds = [one for one in settled if isinstance(one, Hold)]
        alarms = sum(value is not None and value <= LEVEL for value in rare)
        return Statistics(
            shoes=self._shoes,
            rounds=sum(group.rounds for group in self._groups.values()),
            left_out=dict(sorted(self._left_out.items())),
            level=LEVEL,
            looked_at=len(known),
            alarms=alarms,
            subjects=tuple(subjects),
            holds=tuple(holds),
            says=sentences.of_all(len(known), alarms, LEVEL),
        )

    def _subject(self, key: _Key, group: _Group) -> Subject:
        exact = self._expected[key.sha256, key.decks].counts
        winners = [
            Class(winner, group.winners[winner], group.rounds * ways / exact.total)
            for winner, ways in exact.winners.items()
        ]
        cards = [
            Class(f"{count} cards", group.cards[count],
                  group.rounds * exact.cards.get(count, 0) / exact.total)
            for count in _CARDS
        ]  # fmt: skip
        return Subject(
            table=key.table,
            rules=key.rules,
            decks=key.decks,
            origin=key.origin,
            period=key.period,
            shoes=group.shuffle.shoes,
            rounds=group.rounds,
            figures=(
                pearson("winners", winners), pearson("draws", cards), *group.shuffle.figures()
            ),
        )  # fmt: skip


def _no_chance(shoe: Shoe) -> str | None:
    """Say why chance had no part in a shoe, or None where it had."""
    if shoe.origin == "ktane":
        return "the order is public"
    if shoe.origin == "seeded":
        return None
    # A fixed order may be a shuffle of whole decks from elsewhere, which is worth looking at.
    order = shoe.reveal.order.split(" ") if isinstance(shoe.reveal, OrderReveal) else []
    whole = Counter(DECK * shoe.decks) == Counter(order)
    return None if whole else "the deck was stacked"


def _judge(one: Figure | Hold, rare: float | None) -> Figure | Hold:
    alarm = rare is not None and rare <= LEVEL
    says = (
        sentences.of_hold(one, alarm=alarm)
        if isinstance(one, Hold)
        else sentences.of_figure(one, alarm=alarm)
    )
    return msgspec.structs.replace(one, adjusted=rare, alarm=alarm, says=says)
