"""Shoes dealt in memory, fairly or not, as facts: far more of them than logs could be played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from schemas.cards import DECK, Card
from schemas.instant import spell
from schemas.outcomes import HandResult, RoundResolved, Settlement
from schemas.ruleset import CutCard, RuleSet, named, parse, sha256_of
from services.baccarat import RoundResult, ShoeProgress, burn_count, compile_rules, shoe_over
from services.office.reading import Round, Shoe

Shuffle = Callable[[Random, int], list[int]]
#: Asked before each round, with the cards that are left, for (bettor, spot, stake).
Bets = Callable[[int, Sequence[Card]], list[tuple[str, str, int]]]
DAY: Final = 86_400_000_000
START: Final = 1_764_547_200_000_000


def fair(random: Random, size: int) -> list[int]:
    order = list(range(size))
    random.shuffle(order)
    return order


def sattolo(random: Random, size: int) -> list[int]:
    """Off by one: a card never stays where it is."""
    order = list(range(size))
    for i in range(size - 1, 0, -1):
        j = int(random.random() * i)
        order[i], order[j] = order[j], order[i]
    return order


def last_never(random: Random, size: int) -> list[int]:
    """Off by one: of the cards that are left, the last is never the one that is taken."""
    left = list(range(size))
    order = []
    while len(left) > 1:
        order.append(left.pop(int(random.random() * (len(left) - 1))))
    return order + left


def any_swaps(random: Random, size: int) -> list[int]:
    """Each card is swapped with any: n^n ways, which n! does not divide."""
    order = list(range(size))
    for i in range(size):
        j = int(random.random() * size)
        order[i], order[j] = order[j], order[i]
    return order


def flat(*bets: tuple[str, str, int]) -> Bets:
    return lambda _number, _cards: list(bets)


_NOBODY: Final = flat()


def shoes(
    number: int,
    shuffle: Shuffle,
    random: Random,
    bets: Bets = _NOBODY,
    *,
    rules: str = "punto-banco",
    table: str = "T7",
    dealer: str = "dora",
) -> Iterator[tuple[Shoe, list[Round]]]:
    """Deal shoes by a rule set; one is opened a day."""
    text = named(rules).text
    parsed = parse(text)
    for each in range(1, number + 1):
        time = spell(START + DAY * each)
        shoe = Shoe(
            table, each, time, parsed, rules, sha256_of(text), parsed.decks, parsed.currency,
            "seeded", dealer, time,
        )  # fmt: skip
        order = [DECK[index % 52] for index in shuffle(random, 52 * parsed.decks)]
        yield shoe, list(_rounds(shoe, parsed, order, bets))


def _rounds(shoe: Shoe, rules: RuleSet, order: list[Card], bets: Bets) -> Iterator[Round]:
    game, progress = compile_rules(rules), ShoeProgress(len(order), 0, 0)
    if rules.burn is not None:
        shoe.seen[0] = order[0]
        progress.position = 1 + burn_count(rules, order[0])
    cut = len(order) - rules.ending.from_end if isinstance(rules.ending, CutCard) else None
    while not shoe_over(rules, progress):
        at = start = progress.position
        placed = bets(progress.hands + 1, order[at:])
        player: list[Card] = []
        banker: list[Card] = []
        while (side := game.next_draw(player, banker)) is not None:
            (player if side == "player" else banker).append(order[at])
            shoe.seen[at] = order[at]
            at += 1
        progress.hands += 1
        progress.position = at
        if cut is not None and progress.cut_out_hand is None and at > cut:
            progress.cut_out_hand = progress.hands
            progress.cut_out_before_first = start >= cut
        result = game.result(player, banker)
        settled = tuple(
            game.settle(f"{progress.hands}/{who}/{spot}", who, spot, stake, result)
            for who, spot, stake in placed
        )
        yield Round(
            shoe, progress.hands, shoe.dealer, shoe.time, shoe.time,
            _resolved(progress.hands, result, player, banker, settled), None, known=False,
        )  # fmt: skip


def _resolved(
    number: int,
    result: RoundResult,
    player: list[Card],
    banker: list[Card],
    settled: tuple[Settlement, ...],
) -> RoundResolved:
    return RoundResolved(
        number,
        "",
        "",
        HandResult(tuple(player), result.player_total),
        HandResult(tuple(banker), result.banker_total),
        result.winner,
        result.natural,
        settled,
        -sum(one.returned + one.won - one.commission - one.stake for one in settled),
    )


def knows_the_order(rules: str, bettor: str, stake: int, *, every: int = 1) -> Bets:
    """Bet on the hand that will win, once in so many rounds; on the player in the others."""
    game = compile_rules(parse(named(rules).text))

    def bets(number: int, cards: Sequence[Card]) -> list[tuple[str, str, int]]:
        player: list[Card] = []
        banker: list[Card] = []
        coming = iter(cards)
        while (side := game.next_draw(player, banker)) is not None:
            (player if side == "player" else banker).append(next(coming))
        winner = game.result(player, banker).winner
        spot = winner if winner != "tie" and number % every == 0 else "player"
        return [(bettor, spot, stake)]

    return bets
