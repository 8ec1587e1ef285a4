"""The reveal: the commitment opened, the order rebuilt, every card seen compared. Deals nothing."""

from __future__ import annotations

from collections import Counter
from typing import Final

from msgspec.structs import replace

from schemas.cards import DECK, Card
from schemas.events import Fixed, Ktane, OrderReveal, Reveal, Seeded, SeedReveal
from schemas.ruleset import Drawn
from services.auditor import order
from services.auditor.cards import ORDER
from services.auditor.ending import stated_cut
from services.auditor.order import SEED_BYTES, unhex
from services.auditor.state import Round, Seen, State

#: So many cards in a row must fit before they are taken for the same order moved along.
_ROW: Final = 6
_FURTHEST: Final = 4
#: As many cards as a round takes, one in error among them.
_MOST: Final = 7
#: More wrong cards than this, and most of them wrong: it is another order, said once.
_MANY: Final = 12
#: Findings whose amount is what the round would have paid had it been dealt by the rules.
_WORTH: Final = frozenset(("card-order", "deal-order", "draw-missing", "draw-extra"))
_VOID: Final = "void-after-card"
_UNEXPLAINED: Final = "void-unexplained"


def reveal(st: State, said: Reveal | None) -> None:
    """Judge what the dealer reveals, and every card by it."""
    origin = st.opened.origin
    if isinstance(origin, Ktane):
        _amounts(st)
        return
    if not opens(st, said):
        return
    if isinstance(said, SeedReveal):
        _shuffled(st)
    elif isinstance(said, OrderReveal):
        _order(st, said)
    if st.order is not None:
        _compare(st, st.order)
        _amounts(st)


def opens(st: State, said: Reveal | None) -> bool:
    """Judge whether a reveal opens the shoe's commitment, which takes no rules.

    A public order was never committed to, and needs none.
    """
    origin = st.opened.origin
    if isinstance(origin, Ktane):
        return True
    if said is None:
        st.find("not-revealed", "a reveal", "none", ORDER)
        return False
    if isinstance(origin, Seeded) and isinstance(said, SeedReveal):
        secret = unhex(said.server_seed, SEED_BYTES, SEED_BYTES)
    elif isinstance(origin, Fixed) and isinstance(said, OrderReveal):
        secret = unhex(said.salt, SEED_BYTES, SEED_BYTES)
    else:
        st.find("commitment-mismatch", "a reveal of this shoe's kind", "another kind", ORDER)
        return False
    if secret is None:
        st.find("commitment-mismatch", "32 bytes in hex", "another spelling", ORDER)
        return False
    if isinstance(said, SeedReveal):
        st.revealed = (st.event_at(st.seq), secret)
        committed = order.seed_commitment(st.shoe_id, secret)
    else:
        committed = order.order_commitment(st.shoe_id, secret, said.order)
    if committed != st.opened.commitment:
        st.find("commitment-mismatch", str(st.opened.commitment), committed, ORDER)
        return False
    return True


def _shuffled(st: State) -> None:
    if st.client_seed is None or st.revealed is None:
        return
    _, seed = st.revealed
    key = order.key_of(st.shoe_id, seed, st.client_seed, st.beacon)
    st.order = order.shuffle(key, list(DECK) * st.decks)
    end = st.tables.rules.ending
    if isinstance(end, Drawn) and end.choices:
        st.threshold = end.least + order.number_below(key, end.label, end.choices)


def _order(st: State, said: OrderReveal) -> None:
    cards = order.read_order(said.order)
    if cards is None:
        st.find("order-composition", "cards", "a name that is no card's", ORDER)
        return
    st.order = cards
    st.size = len(cards)
    many = sorted(card for card, copies in Counter(cards).items() if copies > st.decks)
    if many and not st.order_said.issuperset(many):
        st.find("order-composition", f"at most {st.decks} of each", " ".join(many), ORDER)
    _stacked(st, st.size)


def _stacked(st: State, size: int) -> None:
    """Judge what could not be judged before a stacked shoe's size was known."""
    name = st.tables.rules.name
    cut = stated_cut(st, size)
    if cut is not None and cut != st.opened.cut_card:
        st.find("rules-mismatch", f"cut card at {cut}", f"cut card at {st.opened.cut_card}",
                f"{name}/ending", at=st.event_at(0))  # fmt: skip
    beyond = next((one for one in st.each_seen() if one.position >= size), None)
    if beyond is not None:
        st.exhausted = True
        st.find("shoe-exhausted", f"{size} cards", f"card {beyond.position}", ORDER,
                at=st.event_at(beyond.seq), number=beyond.round)  # fmt: skip
    for void in st.rounds:
        if void.exhausted and void.stop < size and not _codes(st, void) & {_VOID, _UNEXPLAINED}:
            left = f"{size - void.stop} cards left"
            st.find(_VOID if void.count else _UNEXPLAINED, "an empty shoe", left,
                    f"{name}/void_after_card",
                    at=st.event_at(void.ended), number=void.number)  # fmt: skip


def _codes(st: State, of: Round) -> set[str]:
    return {finding.code for finding in st.findings if finding.round == of.number}


def _compare(st: State, cards: list[Card]) -> None:
    """Compare every card that was seen with the order; one that moved along is one fault."""
    if _fits(st, tuple(cards)):
        return
    seen = [one for one in st.each_seen() if one.position < len(cards)]
    moved = 0
    wrong: list[tuple[Seen, str]] = []
    for index, one in enumerate(seen):
        at = one.position + moved
        if 0 <= at < len(cards) and cards[at] == one.card:
            continue
        further = _moved(cards, seen[index : index + _ROW], moved)
        note = ""
        if further is not None:
            moved = further
            note = f", and {moved:+} from here on"
        wrong.append((one, note))
    if len(wrong) > _MANY and 2 * len(wrong) > len(seen):
        one, _ = wrong[0]
        wrong = [(one, f", and {len(wrong)} of {len(seen)} cards are others")]
    for one, note in wrong:
        st.find("card-order", cards[one.position], f"{one.card}{note}", ORDER,
                at=st.event_at(one.seq), number=one.round)  # fmt: skip


def _fits(st: State, cards: tuple[Card, ...]) -> bool:
    """Tell whether all that was seen lay where it had to, row by row."""
    if st.exhausted:
        return False
    rows = [(shown, cards[at : at + len(shown)]) for at, shown, *_ in st.seen]
    return all([shown == right for shown, right in rows])  # noqa: C419 - faster


def _moved(cards: list[Card], row: list[Seen], now: int) -> int | None:
    """Find by how many places the next cards lie elsewhere, None where they do not."""
    if len(row) < _ROW:
        return None
    for distance in range(1, _FURTHEST + 1):
        for moved in (now + distance, now - distance):
            if all(
                0 <= one.position + moved < len(cards) and cards[one.position + moved] == one.card
                for one in row
            ):
                return moved
    return None


def _amounts(st: State) -> None:
    """Put on faulty rounds what they cost: what they had to pay less what they paid as dealt."""
    if st.order is None or not st.findings:
        return
    by_number = {one.number: one for one in st.rounds}
    done: set[int] = set()
    for index, finding in enumerate(st.findings):
        number = finding.round
        if number is None or number in done or number not in by_number:
            continue
        if finding.code in _WORTH or finding.code == _VOID:
            done.add(number)
            amount = _cost(st, by_number[number], st.order)
            if amount != finding.amount:
                st.findings[index] = replace(finding, amount=amount)


def _cost(st: State, one: Round, cards: list[Card]) -> int:
    right = st.tables.round_from(_in_turn(one, cards), 0)
    if right is None:
        return 0
    due = _net(st, one, right.player, right.banker)
    return due if one.void else due - _net(st, one, tuple(one.player), tuple(one.banker))


def _in_turn(one: Round, cards: list[Card]) -> list[Card]:
    """List the cards that a round had to be dealt from, as far as it could go."""
    carried = [] if one.carried is None else cards[one.carried : one.carried + 1]
    rest = range(one.start, min(one.start + _MOST, len(cards)))
    return carried + [cards[at] for at in rest if at != one.skipped]


def _net(st: State, one: Round, player: tuple[Card, ...], banker: tuple[Card, ...]) -> int:
    result = st.tables.result(player, banker)
    return sum(result.paid(bet).net for bet in one.stakes)
