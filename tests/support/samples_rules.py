"""The samples of rule sets: each played clean by the real services, and once with its special rule
broken by a naive table that shares nothing with them.

Both lie on one short stacked deck: the first cards of a shuffle in which what is special to the
rule set comes up. So the shoe ends by its own rule after some ten rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from schemas.address import Shoe, Sources
from schemas.cards import Card
from schemas.commands import AskFixed, CardMisdraw, ShoeOpen, command_id
from schemas.envelope import encode
from schemas.instant import parse, spell
from schemas.outcomes import RoundResolved, Settlement
from schemas.ruleset import named
from schemas.ruleset import parse as parse_rules
from services.bettors.config import parse_flat
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.process import run_async
from services.runtime.settings import Settings
from tests.unit.auditor.table import Entry, Table, house_of, seeded_order

START: Final = parse("2026-01-01T20:00:00.000000Z")
BANKROLL: Final = 1_000_000
Bet = tuple[str, str, int]
HANDS: Final = (("ann", "banker", 2000), ("bob", "player", 2500))
TIE: Final = ("cyd", "tie", 500)


class Sample(NamedTuple):
    """One rule set's pair of logs. ``wrong`` plays the naive table's shoe; ``code`` is found."""

    rules: str
    shuffle: int
    cards: int
    bets: tuple[Bet, ...]
    wrong: Callable[[Table, tuple[Bet, ...]], None]
    code: str
    #: The round in which a card is drawn in error, in the clean log.
    misdraw: int | None = None

    @property
    def table(self) -> str:
        """The clean log's table; the other's begins with ``DISPUTE-``."""
        return self.rules.upper()

    @property
    def deck(self) -> tuple[Card, ...]:
        """The first cards of a shuffle of as many decks as the rule set has."""
        seed = f"{self.rules} {self.shuffle}".encode().ljust(32, b".")
        decks = parse_rules(named(self.rules).text).decks
        return tuple(seeded_order(seed, b"", f"{self.table}/1", decks)[: self.cards])


# ------------------------------------------------------------------------- what goes wrong once


def paid(
    wrong: Callable[[RoundResolved, Settlement], dict[str, object] | None], first: int
) -> Callable[[Table, tuple[Bet, ...]], None]:
    """Go wrong in the first settlement, from a round on, for which ``wrong`` gives other fields."""

    def play(naive: Table, bets: tuple[Bet, ...]) -> None:
        naive.play(bets, rounds=first - 1)
        while not _once(naive.round(*bets), wrong):
            pass
        naive.play(bets)

    return play


def _once(
    told: Entry, wrong: Callable[[RoundResolved, Settlement], dict[str, object] | None]
) -> bool:
    assert isinstance(told.data, RoundResolved)
    for index, one in enumerate(told.data.settlements):
        fields = wrong(told.data, one)
        if fields is not None:
            told.settlement(index, **fields)
            told.set(house=house_of(told.data.settlements))
            return True
    return False


def taxed(_told: RoundResolved, one: Settlement) -> dict[str, object] | None:
    """The usual 5% are taken where the banker is paid even money and nobody named any."""
    won = one.spot == "banker" and one.result == "win"
    return {"commission": one.won // 20} if won else None


def three_card_seven_paid(told: RoundResolved, one: Settlement) -> dict[str, object] | None:
    """A banker's 7 with three cards is paid instead of pushed."""
    seven = one.spot == "banker" and one.result == "push" and told.winner == "banker"
    return {"result": "win", "odds": "1/1", "won": one.stake} if seven else None


def odd_cent_up(_told: RoundResolved, one: Settlement) -> dict[str, object] | None:
    """Half of an odd stake is rounded up."""
    return {"won": one.won + 1} if one.odds == "1/2" else None


def natural_by_margin(told: RoundResolved, one: Settlement) -> dict[str, object] | None:
    """The Dragon Bonus pays a natural's win by 8 as if it were none: 10 instead of 1."""
    margin = abs(told.player.total - told.banker.total)
    bonus = one.spot.startswith("dragon-bonus") and one.result == "win"
    by_eight = bonus and told.natural and margin == 8
    return {"odds": "10/1", "won": 10 * one.stake} if by_eight else None


def missed(hand: str, at: int) -> Callable[[Table, tuple[Bet, ...]], None]:
    """In one round a hand stands that has to draw by this rule set, and by no other."""

    def play(naive: Table, bets: tuple[Bet, ...]) -> None:
        naive.play(bets, rounds=at - 1)
        naive.open_round()
        for bet in bets:
            naive.bet(*bet)
        naive.close_bets()
        naive.first_four()
        if hand != "player" and naive.player_draws():
            naive.draw("player")
        if hand != "banker" and naive.banker_draws():
            naive.draw("banker")
        naive.dealt()
        naive.settle()
        naive.play(bets)

    return play


def one_more(naive: Table, bets: tuple[Bet, ...]) -> None:
    """A hand is dealt after the one in which the cut card came out."""
    naive.play(bets)
    naive.round(*bets)


SAMPLES: Final = (
    Sample("punto-banco-even", 0, 60, (*HANDS, TIE), paid(taxed, 5), "commission"),
    Sample("fun-casino-as-printed", 36, 70, HANDS, missed("banker", 5), "draw-missing"),
    Sample("fun-casino-simple", 12, 60, HANDS, missed("player", 6), "draw-missing"),
    Sample(
        "ez-baccarat",
        4,
        70,
        (HANDS[0], ("ann", "dragon-7", 500), HANDS[1], ("bob", "panda-8", 500), TIE),
        paid(three_card_seven_paid, 1),
        "payout",
    ),
    Sample(
        "no-commission-six",
        153,
        70,
        (("ann", "banker", 1001), HANDS[1], TIE, ("cyd", "super-6", 500)),
        paid(odd_cent_up, 5),
        "payout",
    ),
    Sample("casino-france-1959", 0, 60, (*HANDS, TIE), one_more, "dealt-past-cut", misdraw=5),
    Sample(
        "punto-banco-sides",
        1043,
        80,
        (
            HANDS[0],
            *(("ann", spot, 500) for spot in ("dragon-bonus-banker", "lucky-6", "tiger")),
            HANDS[1],
            *(("bob", spot, 500) for spot in ("dragon-bonus-player", "player-pair")),
            *(("bob", spot, 500) for spot in ("banker-pair", "either-pair", "perfect-pair")),
            TIE,
            *(("cyd", spot, 500) for spot in ("small", "big")),
        ),
        paid(natural_by_margin, 5),
        "payout",
    ),
)


# --------------------------------------------------------------------------------------- making


def played(folder: Path, sample: Sample) -> None:
    """Let the real services play it."""
    table = sample.table
    names = tuple(dict.fromkeys(bettor for bettor, _, _ in sample.bets))
    house = House(
        "dora", "shoetrail 0.1.0", ShoeOpen(sample.rules, AskFixed("sample"), names), shoes=1
    )
    said = ",".join(
        f"{bettor}=" + "+".join(f"{spot}:{stake}" for _, spot, stake in own)
        for bettor, own in groupby(sample.bets, key=lambda bet: bet[0])
    )
    commands = []
    if sample.misdraw is not None:
        name = command_id(1, "card.misdraw", "desk", 1)
        asks = CardMisdraw(sample.misdraw)
        commands.append(encode(name, Sources(table).commands, spell(START), asks))
    run_async(
        lambda: play_shoe(
            Settings.read({}),
            Shoe(table, 1),
            house,
            lambda: parse_flat(said, BANKROLL),
            folder,
            decks={"sample": sample.deck},
            simulation=Simulation(table.encode().ljust(32, b"."), START),
            commands=commands,
        )
    )
    (folder / table / ".lock").unlink()


def disputed(sample: Sample) -> Table:
    """Let the naive table play it, once wrong, and go on as if nothing had happened."""
    names = dict.fromkeys(bettor for bettor, _, _ in sample.bets)
    naive = Table(
        sample.rules,
        table=f"DISPUTE-{sample.table}",
        shoe=1,
        stacked=" ".join(sample.deck),
        seats=[(name, seat, BANKROLL) for seat, name in enumerate(names, start=1)],
        software="naive table",
    ).begin()
    sample.wrong(naive, sample.bets)
    return naive.close()


def make(folder: Path) -> None:
    """Write the logs into a folder."""
    for sample in SAMPLES:
        played(folder, sample)
        naive = disputed(sample)
        path = folder / naive.table / "1.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in naive.lines()))
