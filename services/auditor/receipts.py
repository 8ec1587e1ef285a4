"""A bettor's own receipts against a log: was each bet taken, and paid as it was then? Reads both.

A receipt is one JSON object a line (``docs/record.md``). It trusts no log: what a receipt says has
to be in it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import chain
from typing import TYPE_CHECKING, Final

import msgspec

from schemas.address import RoundAddress, Shoe
from schemas.envelope import decode_line, from_plain, load_strict
from schemas.errors import InputError, Unproven, why_not
from schemas.events import BetPlaced, BetWithdrawn
from schemas.money import Amount, Count
from schemas.outcomes import RoundHalted, RoundResolved
from services.auditor.codes import finding
from services.auditor.files import LONGEST, lines_of
from services.ledger.checkpoint import Checkpoint, open_checkpoint

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from pathlib import Path

    from schemas.verdicts import Finding
    from services.ledger.note import Verifier

RULE: Final = "docs/record.md#receipts"
_LARGEST: Final = 1 << 26
_MEND: Final = "see docs/record.md for what a receipt is"


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bettor was told: his bet, and once it is settled, what came back over the table.

    ``round`` like ``T7/12#17``; ``stake`` and ``paid`` (stake and winnings, less commission) in
    minor units; ``bet`` its id; ``checkpoint`` the signed note of that moment.
    """

    round: str
    bettor: str
    spot: str
    stake: Count
    paid: Amount | None = None
    bet: str | None = None
    checkpoint: str | None = None

    def __str__(self) -> str:
        """Say it in a few words."""
        paid = "" if self.paid is None else f", {self.paid} paid"
        return f"{self.stake} on {self.spot} by {self.bettor}{paid}"


class Noted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint alone, that a bettor was given."""

    checkpoint: str


class Receipts:
    """All that a bettor brings: by shoe, his receipts and the checkpoints that he was given."""

    def __init__(self) -> None:
        """Begin with none."""
        self.bets: defaultdict[Shoe, list[Receipt]] = defaultdict(list)
        self.seen: defaultdict[str, dict[Checkpoint, None]] = defaultdict(dict)

    def read(self, path: Path, known: Sequence[Verifier]) -> None:
        """Read a file of them; ``known`` are the keys that checkpoints may be signed by."""
        try:
            with path.open("rb") as file:
                data = file.read(_LARGEST + 1)
        except OSError as trouble:
            why = why_not(trouble)
            raise InputError(f"cannot be read ({why})", str(path), _MEND) from None
        if len(data) > _LARGEST:
            raise InputError(f"is larger than {_LARGEST} bytes", str(path), "part it")
        lines = data.removesuffix(b"\n").split(b"\n")
        if not data:
            raise InputError("the file is empty", str(path), _MEND)
        for number, line in enumerate(lines, 1):
            self._add(line, f"{path}, line {number}", known)

    def checkpoints(self) -> Iterable[Checkpoint]:
        """Give all checkpoints that came with them."""
        return chain.from_iterable(self.seen.values())

    def _add(self, line: bytes, where: str, known: Sequence[Verifier]) -> None:
        if len(line) > LONGEST:
            raise InputError("this line is no receipt: it is too long", where, _MEND)
        try:
            plain = load_strict(line, where)
        except InputError:
            raise InputError("this line is no receipt: it is no JSON", where, _MEND) from None
        if not isinstance(plain, dict):
            raise InputError("this line is no receipt: it is no JSON object", where, _MEND)
        note: str | None
        if plain.keys() == {"checkpoint"}:
            note = from_plain(Noted, plain, where).checkpoint
        else:
            said = from_plain(Receipt, plain, where)
            try:
                table, shoe, _ = RoundAddress.parse(said.round)
            except InputError as wrong:
                raise InputError(wrong.what, where, wrong.mend) from None
            self.bets[Shoe(table, shoe)].append(said)
            note = said.checkpoint
        if note is not None:
            self._note(note, where, known)

    def _note(self, note: str, where: str, known: Sequence[Verifier]) -> None:
        if not known:
            what = "this receipt has a checkpoint, and no key was given to check it"
            raise InputError(what, where, "give --key VKEY")
        try:
            signed = open_checkpoint(note.encode(), known)
        except Unproven as wrong:
            mend = "a receipt's checkpoint has to be signed by a key that was given"
            raise InputError(wrong.what, where, mend) from None
        self.seen[signed.origin][signed] = None


def check_receipts(path: Path, receipts: Iterable[Receipt]) -> list[Finding]:
    """Look for what receipts say in their shoe's log."""
    wanted = [(one, RoundAddress.parse(one.round).round) for one in receipts]
    lines = (line for some, _ in lines_of(path) for line in some)
    taken = _Unclaimed(_bets(lines, {number for _, number in wanted}))
    # Who has two receipts of like bets has to find two bets; a receipt that says more comes first.
    wanted.sort(key=lambda said: (said[0].bet is None, said[0].paid is None))
    found: list[Finding] = []
    for one, number in wanted:
        bet = taken.claim(one, number)
        if bet is None or (one.paid is not None and one.paid != bet.paid):
            found.append(_missing(one, number, bet))
    return sorted(found, key=lambda finding: finding.round or 0)


def receipts_of(shoe: Shoe, lines: Iterable[bytes], bettor: str) -> list[Receipt]:
    """Make out a bettor's receipts from what was said of a shoe: its events, then outcomes."""
    return [
        Receipt(shoe.round(one.round), bettor, one.spot, one.stake, one.paid, one.bet)
        for one in _bets(lines)
        if one.bettor == bettor
    ]


def no_log(receipts: Iterable[Receipt]) -> list[Finding]:
    """Say of receipts that their shoe is not there at all."""
    numbered = ((one, RoundAddress.parse(one.round).round) for one in receipts)
    return [_missing(one, number, None, "no log of this shoe") for one, number in numbered]


class _Taken(msgspec.Struct):
    """A bet as the log has it; ``paid`` None: not settled yet."""

    round: int
    bet: str
    bettor: str
    spot: str
    stake: int
    paid: int | None = None
    claimed: bool = False


class _Unclaimed:
    """Bets of a log, each to be claimed by one receipt; found without looking through them all."""

    def __init__(self, bets: Iterable[_Taken]) -> None:
        """Lay them out by id, and in their order by terms, and by terms and payment."""
        self._by_id: dict[str, _Taken] = {}
        self._by_terms: defaultdict[Hashable, deque[_Taken]] = defaultdict(deque)
        for bet in bets:
            terms = bet.round, bet.bettor, bet.spot, bet.stake
            self._by_id[bet.bet] = bet
            self._by_terms[terms].append(bet)
            self._by_terms[terms, bet.paid].append(bet)

    def claim(self, one: Receipt, number: int) -> _Taken | None:
        """Take the first bet of these terms, if there is one so that was paid as the receipt says.

        None where no bet of these terms is left.
        """
        terms = number, one.bettor, one.spot, one.stake
        found: _Taken | None
        if one.bet is not None:
            found = self._by_id.get(one.bet)
            if found is None or (found.round, found.bettor, found.spot, found.stake) != terms:
                return None
            found = None if found.claimed else found
        else:
            found = None if one.paid is None else self._first((terms, one.paid))
            found = found or self._first(terms)
        if found is not None:
            found.claimed = True
        return found

    def _first(self, key: Hashable) -> _Taken | None:
        row = self._by_terms.get(key, deque())
        while row and row[0].claimed:
            row.popleft()
        return row[0] if row else None


def _bets(lines: Iterable[bytes], rounds: set[int] | None = None) -> list[_Taken]:
    """Read the bets of some rounds, or of all; lines that are none of ours are passed over."""
    taken: dict[str, _Taken] = {}
    for line in lines:
        try:
            said = decode_line(line).data
        except InputError:
            continue
        number = getattr(said, "round", None)
        if number is None or (rounds is not None and number not in rounds):
            continue
        if isinstance(said, BetPlaced):
            bet = _Taken(number, said.bet, said.bettor, said.spot, said.stake)
            taken.setdefault(said.bet, bet)
        elif isinstance(said, BetWithdrawn):
            taken.pop(said.bet, None)
        elif isinstance(said, RoundResolved | RoundHalted):
            for one in said.settlements:
                if one.bet in taken and one.bettor == taken[one.bet].bettor:
                    taken[one.bet].paid = one.returned + one.won - one.commission
    return list(taken.values())


def _missing(one: Receipt, number: int, bet: _Taken | None, there: str = "no such bet") -> Finding:
    amount = 0
    if one.paid is not None:
        amount = one.paid - (one.stake if bet is None else bet.paid or 0)
    if bet is not None:
        there = "not settled" if bet.paid is None else f"{bet.paid} paid"
    return finding("receipt-missing", one.round, str(one), there, RULE, number=number,
                   amount=amount)  # fmt: skip
