# ruff: noqa: ANN401 - any field of any event can be given or changed
"""An honest, naive table: says the lines of a shoe, and lets a test tamper with any step.

It shares nothing with the services: its arithmetic is a third one, from the rule set's data.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, cast

from schemas import events as ev
from schemas import outcomes as oc
from schemas import ruleset
from schemas.cards import DECK, RANKS, Card
from schemas.envelope import encode
from schemas.instant import parse, spell
from schemas.ruleset import When
from services.auditor.report import Previous

START = parse("2026-11-30T03:22:19.000000Z")
SECOND = 1_000_000
Seats = Sequence[tuple[str, int, int]]
SEATS = (("ann", 1, 10_000_000), ("bob", 2, 10_000_000), ("cyd", 3, 10_000_000))
BETS = (("ann", "banker", 10_000), ("bob", "player", 2_500), ("cyd", "tie", 1_000))


def cards(text: str) -> list[Card]:
    return cast("list[Card]", text.split())


def seeded_order(seed: bytes, client: bytes, shoe_id: str, decks: int) -> list[Card]:
    def lp(data: bytes) -> bytes:
        return struct.pack(">H", len(data)) + data

    said = b"baccarat-shoe/v1\0" + lp(shoe_id.encode()) + lp(client) + lp(b"")
    key = hmac.new(seed, said, hashlib.sha256).digest()
    words: list[int] = []
    for counter in range(52 * decks // 8):
        block = hmac.new(key, struct.pack(">I", counter), hashlib.sha256).digest()
        words += struct.unpack(">16H", block)
    order = list(range(52 * decks))
    spent = iter(words)
    for i in range(52 * decks - 1, 0, -1):
        m = i + 1
        word = next(w for w in spent if w < 65536 - 65536 % m)
        j = word % m
        order[i], order[j] = order[j], order[i]
    return [DECK[index % 52] for index in order]


class Entry:
    """One line to be: ids and addresses are given when the log is written out."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.id: str | None = None
        self.source: str | None = None
        self.time: str | None = None
        self.raw: bytes | None = None
        self.skip = 0
        self.first: Entry | None = None
        self.through: Entry | None = None
        self.silent = False
        self.unasked = False

    @property
    def is_outcome(self) -> bool:
        return isinstance(self.data, oc.Outcome)

    def set(self, **fields: Any) -> None:
        self.data = type(self.data)(
            **{name: fields.get(name, getattr(self.data, name))
               for name in self.data.__struct_fields__}
        )  # fmt: skip

    def settlement(self, index: int, **fields: Any) -> None:
        settled = list(self.data.settlements)
        one = settled[index]
        settled[index] = oc.Settlement(
            **{name: fields.get(name, getattr(one, name)) for name in one.__struct_fields__}
        )
        self.set(settlements=tuple(settled))


class Table:
    """A shoe of table T7. Methods are the steps of ``docs/procedure.md``."""

    #: Who has said nothing by the close of betting passes.
    passing = False

    def __init__(
        self,
        rules: str = "punto-banco",
        *,
        table: str = "T7",
        shoe: int = 12,
        seed: bytes = bytes(range(32)),
        stacked: str | None = None,
        seats: Seats = SEATS,
        edit: Callable[[str], str] = lambda text: text,
        origin: ev.Origin | None = None,
        order: Sequence[Card] | None = None,
        client: str = "c11e",
        restated: Seats | None = None,
        **opened: Any,
    ) -> None:
        known = ruleset.named(rules)
        text = edit(known.text)
        self.edited = text != known.text
        self.previous: Previous | None = None
        self.rules = ruleset.parse(text)
        self.table, self.shoe = table, shoe
        self.shoe_id = f"{table}/{shoe}"
        #: Who still sits from the shoe before is restated: no command asks for it.
        self.restates = restated is not None
        self.seats = seats = seats if restated is None else restated
        self.seed, self.client = seed, client
        self.salt = bytes(reversed(range(32)))
        self.kind: str = "seeded"
        if stacked is not None:
            self.kind = "fixed"
            self.order = cards(stacked)
        elif order is not None:
            self.kind = "public"
            self.order = list(order)
        else:
            self.order = seeded_order(
                seed, bytes.fromhex(self.client), self.shoe_id, self.rules.decks
            )
        self.entries: list[Entry] = []
        self.position = 0
        self.number = 0
        self.bets: list[Entry] = []
        self.spoken: set[str] = set()
        self.opened_at: Entry | None = None
        self.player: list[Card] = []
        self.banker: list[Card] = []
        self.cut_out = False
        self.cut_round_card: int | None = None
        self.hands_left: int | None = None
        self.hands = 0
        self.start = 0
        ending = self.rules.ending
        cut = None
        if isinstance(ending, ruleset.CutCard):
            cut = max(0, len(self.order) - ending.from_end)
        self.cut_card = cut
        tag = b"baccarat-shoe/v1 "
        name = struct.pack(">H", len(self.shoe_id)) + self.shoe_id.encode()
        secrets = {
            "seeded": tag + b"commit\0" + name + seed,
            "fixed": tag + b"fixed\0" + name + self.salt + " ".join(self.order).encode(),
        }
        secret = secrets.get(self.kind)
        spots = {}
        most = max(s.maximum for s in self.rules.spots.values() if s.main and s.maximum)
        for spot, terms in self.rules.spots.items():
            share = Fraction(terms.maximum_share or "0") * most
            spots[spot] = ev.SpotLimits(terms.minimum, terms.maximum or int(share), terms.step)
        fields: dict[str, Any] = {
            "rules": ev.RuleText(rules, ruleset.sha256_of(text), text),
            "decks": self.rules.decks,
            "currency": self.rules.currency,
            "origin": origin
            or (ev.Seeded("baccarat-shoe/v1") if self.kind == "seeded" else ev.Fixed()),
            "commitment": None if secret is None else hashlib.sha256(secret).hexdigest(),
            "cut_card": cut,
            "limits": ev.Limits(spots, self.rules.differential),
            "seats": tuple(seat[0] for seat in seats),
            "window": None,
            "dealer": "dora",
            "software": "test 1",
            "previous_root": None,
            "command": f"{shoe}/shoe.open/desk/1",
        }
        fields |= {name: said for name, said in opened.items() if name != "limits" or said}
        self.say(ev.ShoeOpened(**fields))

    # ------------------------------------------------------------------------- saying things
    def say(self, data: Any) -> Entry:
        entry = Entry(data)
        self.entries.append(entry)
        return entry

    def seat_all(self) -> None:
        for bettor, seat, bankroll in self.seats:
            name = None if self.restates else f"{self.shoe}/bettor.sit/{bettor}/1"
            self.say(ev.BettorSeated(bettor, seat, bankroll, command=name))

    def cut(self, client: str | None = None, by: str = "ann") -> Entry:
        return self.say(
            ev.ShoeCut(self.client if client is None else client, "", by,
                       command=f"{self.shoe}/shoe.cut/{by}/1")
        )  # fmt: skip

    def take(self) -> tuple[int, Card]:
        if self.cut_card == self.position and not self.cut_out:
            self.cut_out = True
            self.say(ev.CutCardOut(self.position, command=None))
        position = self.position
        self.position += 1
        return position, self.order[position] if position < len(self.order) else "AC"

    def burn(self) -> None:
        if self.rules.burn is None:
            return
        position, card = self.take()
        self.say(ev.CardBurned(position, card, command=None))
        for _ in range(self.rules.burn.counts[RANKS.index(card[0])]):
            if self.position < len(self.order):
                self.say(ev.CardBurned(self.take()[0], None, command=None))

    def begin(self) -> Table:
        """Seat everybody, cut and burn."""
        self.seat_all()
        if self.kind == "seeded":
            self.cut()
        self.burn()
        return self

    # --------------------------------------------------------------------------------- rounds
    def open_round(self) -> Entry:
        self.number += 1
        self.bets, self.player, self.banker = [], [], []
        self.spoken = set()
        self.start = self.position
        self.opened_at = self.say(ev.RoundOpened(self.number, command=None))
        return self.opened_at

    def bet(self, bettor: str, spot: str, stake: int, n: int = 1, **fields: Any) -> Entry:
        name = f"{self.shoe}-{self.number}/{bettor}/{spot}/{n}"
        told: dict[str, Any] = {
            "round": self.number, "bet": name, "bettor": bettor, "spot": spot, "stake": stake,
            "chips": None, "command": name,
        }  # fmt: skip
        entry = self.say(ev.BetPlaced(**{**told, **fields}))
        self.bets.append(entry)
        return entry

    def close_bets(self, reason: str = "all-spoke") -> Entry:
        if self.passing and reason == "all-spoke":
            self.pass_rest()
        return self.say(ev.BetsClosed(self.number, cast("Any", reason), command=None))

    def draw(self, hand: str, card: Card | None = None) -> Entry:
        position, right = self.take()
        card = card or right
        {"player": self.player, "banker": self.banker}.get(hand, []).append(card)
        return self.say(ev.CardDrawn(self.number, cast("Any", hand), position, card, command=None))

    def draw_again(self, hand: str, position: int) -> Entry:
        """Give a hand the card of this position, which was drawn in error before."""
        card = self.order[position]
        {"player": self.player, "banker": self.banker}[hand].append(card)
        return self.say(ev.CardDrawn(self.number, cast("Any", hand), position, card, command=None))

    def discard(self, position: int, reason: str) -> Entry:
        return self.say(ev.CardDiscarded(position, self.order[position], reason, command=None))

    def value(self, hand: Sequence[Card]) -> int:
        return sum(self.rules.values[RANKS.index(card[0])] for card in hand) % 10

    def player_draws(self) -> bool:
        drawing = self.rules.drawing
        firsts = {self.value(self.player[:2]), self.value(self.banker[:2])}
        return not firsts & set(drawing.naturals) and self.value(self.player[:2]) in drawing.player

    def banker_draws(self) -> bool:
        drawing = self.rules.drawing
        firsts = {self.value(self.player[:2]), self.value(self.banker[:2])}
        if firsts & set(drawing.naturals):
            return False
        total = self.value(self.banker[:2])
        if len(self.player) == 2:
            return total in drawing.banker_player_stood
        return self.value(self.player[2:]) in drawing.banker_chart[total]

    def deal(self, dealt: int = 0) -> Entry:
        """Deal a round, of whose first four so many lie there already."""
        for hand in self.rules.drawing.deal[dealt:]:
            self.draw(hand)
        if self.player_draws():
            self.draw("player")
        if self.banker_draws():
            self.draw("banker")
        return self.dealt()

    def first_four(self) -> None:
        for hand in self.rules.drawing.deal:
            self.draw(hand)

    def dealt(self) -> Entry:
        return self.say(ev.RoundDealt(self.number, command=None))

    def void(self, reason: str = "misdeal", by: str = "sue") -> Entry:
        command = None if by == "rules" else f"{self.shoe}/round.void/{by}/1"
        return self.say(ev.RoundVoided(self.number, reason, by, command=command))

    def round(self, *bets: tuple[str, str, int]) -> Entry:
        """Play a whole round and give its outcome."""
        self.open_round()
        for bet in bets:
            self.bet(*bet)
        self.pass_rest()
        self.close_bets()
        self.deal()
        return self.settle()

    def pass_rest(self) -> None:
        """Let all pass who have not spoken yet."""
        self.spoken |= {bet.data.bettor for bet in self.bets}
        for bettor, _, _ in self.seats:
            if bettor not in self.spoken:
                self.spoken.add(bettor)
                name = f"{self.shoe}/bet.pass/{bettor}/{self.number}"
                self.say(ev.BetPassed(self.number, bettor, command=name))

    # ---------------------------------------------------------------------------- settlement
    def winner(self) -> str:
        p, b = self.value(self.player), self.value(self.banker)
        return "player" if p > b else "banker" if b > p else "tie"

    def natural(self) -> bool:
        firsts = {self.value(self.player[:2]), self.value(self.banker[:2])}
        return bool(firsts & set(self.rules.drawing.naturals))

    def met(self, when: When) -> bool:
        p, b = self.player, self.banker
        pair = [hand[0][0] == hand[1][0] for hand in (p, b)]
        suited = [hand[0] == hand[1] for hand in (p, b)]
        tests = [
            when.winner is None or self.winner() in when.winner,
            when.player_total is None or self.value(p) in when.player_total,
            when.banker_total is None or self.value(b) in when.banker_total,
            when.player_cards is None or len(p) in when.player_cards,
            when.banker_cards is None or len(b) in when.banker_cards,
            when.cards is None or len(p) + len(b) in when.cards,
            when.margin is None or abs(self.value(p) - self.value(b)) in when.margin,
            when.natural is None or self.natural() == when.natural,
            when.player_pair is None or pair[0] == when.player_pair,
            when.banker_pair is None or pair[1] == when.banker_pair,
            when.player_suited is None or suited[0] == when.player_suited,
            when.banker_suited is None or suited[1] == when.banker_suited,
        ]
        return all(tests)

    def whole(self, amount: Fraction, rounding: ruleset.Rounding) -> int:
        units = amount / rounding.unit
        down = units.numerator // units.denominator
        whole = {
            "down": down,
            "up": down + (units != down),
            "half-even": round(units),
        }[rounding.direction]
        return whole * rounding.unit

    def pay(self, bet: ev.BetPlaced, *, void: bool = False) -> oc.Settlement:
        who = (bet.bet, bet.bettor, bet.spot, bet.stake)
        if void or bet.spot not in self.rules.spots:
            return oc.Settlement(*who, "void", None, 0, 0, bet.stake)
        for line in self.rules.spots[bet.spot].pays:
            if self.met(line.when):
                break
        else:
            return oc.Settlement(*who, "lose", None, 0, 0, 0)
        if line.result == "push":
            return oc.Settlement(*who, "push", None, 0, 0, bet.stake)
        if line.result == "lose" or line.odds is None:
            return oc.Settlement(*who, "lose", None, 0, 0, 0)
        won = self.whole(Fraction(line.odds) * bet.stake, self.rules.rounding)
        fee, terms = 0, self.rules.commission
        if terms is not None and bet.spot in terms.spots:
            base = won if terms.on == "winnings" else bet.stake
            fee = max(terms.minimum, self.whole(Fraction(terms.rate) * base, terms.rounding))
        return oc.Settlement(*who, "win", line.odds, won, fee, bet.stake)

    def resolve(self, *, void: bool = False) -> oc.RoundResolved:
        settled = tuple(self.pay(bet.data, void=void) for bet in self.bets)
        return oc.RoundResolved(
            self.number,
            "",
            "",
            oc.HandResult(tuple(self.player), self.value(self.player)),
            oc.HandResult(tuple(self.banker), self.value(self.banker)),
            cast("Any", "void" if void else self.winner()),
            not void and self.natural(),
            settled,
            house_of(settled),
        )

    def settle(self, *, void: bool = False) -> Entry:
        through = next(entry for entry in reversed(self.entries) if not entry.is_outcome)
        entry = self.say(self.resolve(void=void))
        entry.first, entry.through = self.opened_at, through
        self._look(dealt=not void)
        return entry

    def _look(self, *, dealt: bool) -> None:
        if not dealt:
            return
        self.hands += 1
        ending = self.rules.ending
        if isinstance(ending, ruleset.CutCard) and self.cut_card is not None:
            if self.hands_left is not None:
                self.hands_left -= 1
            elif self.cut_card < self.position:
                first = self.cut_card <= self.start and ending.first_card_is_last
                self.hands_left = 0 if first else ending.hands_after

    # --------------------------------------------------------------------------------- the end
    def finished(self) -> bool:
        ending = self.rules.ending
        left = len(self.order) - self.position
        return (
            (self.hands_left is not None and self.hands_left <= 0)
            or left < self.rules.round_needs
            or (isinstance(ending, ruleset.Rounds) and self.hands >= ending.rounds)
            or (isinstance(ending, ruleset.CardsLeft) and left <= ending.at_most)
        )

    def play(self, bets: Sequence[tuple[str, str, int]] = BETS, rounds: int = 10_000) -> Table:
        """Play rounds until the shoe ends, or so many."""
        for _ in range(rounds):
            if self.finished():
                break
            self.round(*bets)
        return self

    def close(self, reason: str = "rules", command: str | None = None, **fields: Any) -> Table:
        reveals: dict[str, ev.Reveal] = {
            "seeded": ev.SeedReveal(self.seed.hex()),
            "fixed": ev.OrderReveal(self.salt.hex(), " ".join(self.order)),
        }
        told: dict[str, Any] = {
            "reason": reason, "by": "rules" if command is None else "desk",
            "reveal": reveals.get(self.kind), "command": command,
        }  # fmt: skip
        self.say(ev.ShoeClosed(**{**told, **fields}))
        return self

    def asked(self) -> Table:
        """Close before the rules' end, because somebody asked."""
        return self.close("asked", f"{self.shoe}/shoe.close/desk/1")

    def left(self) -> list[tuple[str, int, int]]:
        """Who sits now, in order of seats, with how much: added up from all that was said."""
        seats: dict[str, tuple[int, int]] = {}
        for told in (entry.data for entry in self.entries):
            if isinstance(told, ev.BettorSeated):
                seats[told.bettor] = told.seat, told.bankroll
            elif isinstance(told, ev.BettorLeft):
                del seats[told.bettor]
            elif isinstance(told, ev.MoneyAdjusted) and told.bettor in seats:
                seat, bankroll = seats[told.bettor]
                seats[told.bettor] = seat, bankroll + told.amount
            for one in getattr(told, "settlements", ()):
                if one.bettor in seats:
                    seat, bankroll = seats[one.bettor]
                    net = one.returned + one.won - one.commission - one.stake
                    seats[one.bettor] = seat, bankroll + net
        return sorted(((who, *where) for who, where in seats.items()), key=lambda one: one[1])

    # --------------------------------------------------------------------------------- writing
    def seqs(self) -> dict[Entry, int]:
        found, seq = {}, 0
        for entry in self.entries:
            seq += entry.skip
            found[entry] = seq
            seq += not entry.is_outcome and not entry.silent
        return found

    def at(self, entry: Entry) -> str:
        """The address of an entry."""
        if entry.is_outcome:
            return f"{self.shoe_id}#{entry.data.round}"
        return f"{self.shoe_id}-{self.seqs()[entry]}"

    def lines(self) -> list[bytes]:
        seqs = self.seqs()
        found, last = [], ""
        source = f"/tables/{self.table}"
        for entry in self.entries:
            if entry.raw is not None:
                found.append(entry.raw)
                continue
            if entry.is_outcome:
                if entry.first is not None and not entry.data.first:
                    entry.set(first=f"{self.shoe_id}-{seqs[entry.first]}")
                if entry.through is not None and not entry.data.through:
                    entry.set(through=f"{self.shoe_id}-{seqs[entry.through]}")
                name = entry.id or f"{self.shoe}-{entry.data.round}"
                whose = entry.source or f"{source}/outcomes"
                found.append(encode(name, whose, entry.time or last, entry.data))
                continue
            time = entry.time or spell(START + SECOND * seqs[entry])
            last = time
            name = entry.id or f"{self.shoe}-{seqs[entry]}"
            found.append(encode(name, entry.source or source, time, entry.data))
        return found


def house_of(settled: Sequence[oc.Settlement]) -> int:
    return -sum(s.returned + s.won - s.commission - s.stake for s in settled)


def good(rules: str = "punto-banco", rounds: int = 3, **more: Any) -> Table:
    """A short good shoe, not closed yet."""
    return Table(rules, **more).begin().play(rounds=rounds)
