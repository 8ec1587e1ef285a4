"""A shoe's first event: the rules, the terms and the shoe before. Judges no card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from schemas.address import is_name
from schemas.envelope import Message
from schemas.errors import InputError
from schemas.events import Event, Fixed, Ktane, RuleText, Seeded, ShoeOpened
from services.auditor import module, naming
from services.auditor.cards import ORDER, set_mark
from services.auditor.ending import set_full, stated_cut
from services.auditor.order import ALGORITHM, unhex
from services.auditor.report import Previous
from services.auditor.state import State
from services.auditor.stream import DESIGN, clock, entry_id
from services.auditor.tables import Tables, hash_of, tables

_RULES: Final = "DESIGN.md#4"
_HASH_BYTES: Final = 32
_SOURCE: Final = "/tables/"


class Opening:
    """What an auditor was told to expect of a shoe."""

    __slots__ = ("known", "previous", "shoe", "table")

    def __init__(
        self,
        table: str | None,
        shoe: int | None,
        known: Mapping[str, RuleText],
        previous: Previous | None,
    ) -> None:
        """Expect this table and shoe, whichever comes where None; judge by these rule sets."""
        self.table = table
        self.shoe = shoe
        self.known = known
        self.previous = previous

    def begin(self, message: Message[Event]) -> tuple[State, bool]:
        """Judge the first event; the second value is False where its rules cannot be read."""
        opened = message.data
        said = entry_id(message.id)
        name = message.source.removeprefix(_SOURCE)
        if not isinstance(opened, ShoeOpened) or said is None:
            raise unusable()
        table = name if self.table is None else self.table
        shoe = said.major if self.shoe is None else self.shoe
        if not is_name(table) or shoe < 1:
            raise unusable()
        laid = self._tables(opened)
        readable = laid is not None
        st = State(table, shoe, opened, laid or _any_tables(self.known))
        st.seq, st.next = said.minor, said.minor + 1
        st.told_which = self.table is not None or self.shoe is not None
        if message.source != st.source or said.major != shoe:
            there = f"{message.source} {message.id}"
            st.find("wrong-table", f"{st.source} {shoe}-0", there, DESIGN)
        if said.minor:
            st.find("sequence-gap", f"{shoe}-0", message.id, DESIGN)
            st.hole = st.lost = True
        clock(st, message.time)
        self._rules(st, opened, readable=readable)
        if readable:
            _terms(st, opened)
            _offers(st, opened)
        if said.major == shoe:
            naming.check(st, opened)
        _origin(st, opened)
        self._before(st, opened)
        set_mark(st)
        return st, readable

    def _tables(self, opened: ShoeOpened) -> Tables | None:
        known = self.known.get(opened.rules.name)
        return tables(opened.rules.text) or (None if known is None else tables(known.text))

    def _rules(self, st: State, opened: ShoeOpened, *, readable: bool) -> None:
        rules = opened.rules
        known = self.known.get(rules.name)
        right = hash_of(rules.text)
        if known is None:
            st.find("rules-unknown", "a published rule set", rules.name, _RULES)
        if rules.sha256 != right:
            st.find("rules-mismatch", right, rules.sha256, _RULES)
        elif known is not None and known.sha256 != right:
            st.find("rules-mismatch", known.sha256, right, _RULES)
        elif not readable or st.tables.rules.name != rules.name:
            st.find("rules-mismatch", f"the text of {rules.name}", "another text", _RULES)

    def _before(self, st: State, opened: ShoeOpened) -> None:
        before = self.previous
        if st.shoe == 1 and opened.previous_root is not None:
            st.find("chain-broken", "null", opened.previous_root, DESIGN)
        if before is None or before.shoe != st.shoe - 1:
            return
        if opened.rules.sha256 != before.rules:
            st.find("rules-changed", before.rules, opened.rules.sha256, _RULES)
        if opened.limits != before.limits:
            st.find("limits-changed", f"as in shoe {before.shoe}", "others", _RULES)
        if opened.previous_root != before.root:
            st.find("chain-broken", before.root, str(opened.previous_root).lower(), DESIGN)
        if isinstance(opened.origin, Ktane):
            module.follows(st, opened.origin, before)
        if before.seats is not None:
            st.carried = {one.bettor: one for one in before.seats}


def unusable() -> InputError:
    """Say that a log's first line is no readable ``shoe.opened``."""
    mend = "give a replay log whole, from its first line on"
    return InputError("this is no readable shoe.opened", "line 1", mend)


def _any_tables(known: Mapping[str, RuleText]) -> Tables:
    """Give some rule set, never looked at, to a shoe whose own cannot be read."""
    for rules in known.values():
        laid = tables(rules.text)
        if laid is not None:
            return laid
    raise unusable()


def _terms(st: State, opened: ShoeOpened) -> None:
    """Judge what the event restates of its rule set."""
    rules = st.tables.rules
    if isinstance(opened.origin, Fixed):
        st.size = None
    stated = {
        "decks": (str(rules.decks), str(opened.decks)),
        "currency": (rules.currency, opened.currency),
    }
    if st.size is not None:
        cut = stated_cut(st, st.size)
        stated["ending"] = (f"cut card at {cut}", f"cut card at {opened.cut_card}")
    elif stated_cut(st, 0) is None:
        stated["ending"] = ("cut card at None", f"cut card at {opened.cut_card}")
    set_full(st)
    for part, (expected, actual) in stated.items():
        if expected != actual:
            st.find("rules-mismatch", expected, actual, f"{rules.name}/{part}")


def _offers(st: State, opened: ShoeOpened) -> None:
    """Judge what the table offers by itself: its spots, limits and window, and who is awaited."""
    rules = st.tables.rules
    limits = opened.limits
    for name, spot in limits.spots.items():
        where = f"{rules.name}/spots/{name}"
        if name not in rules.spots:
            st.find("rules-mismatch", " ".join(rules.spots), name, f"{rules.name}/spots")
        elif min(spot.minimum, spot.step) < 1 or spot.minimum > spot.maximum:
            said = f"{spot.minimum} to {spot.maximum} by {spot.step}"
            st.find("rules-mismatch", "limits that a bet can keep", said, where)
    if limits.differential is not None and limits.differential < 1:
        said = str(limits.differential)
        st.find("rules-mismatch", "a positive amount", said, f"{rules.name}/differential")
    if opened.window == 0:
        st.find("malformed", "null, or a second or more", "0", DESIGN)
    if len(set(opened.seats)) != len(opened.seats) or not all(map(is_name, opened.seats)):
        st.find("malformed", "the names of different bettors", " ".join(opened.seats), DESIGN)
    if isinstance(opened.origin, Ktane):
        module.placard(st, opened.origin, limits)


def _origin(st: State, opened: ShoeOpened) -> None:
    """Judge where the order comes from; a public one is worked out at once."""
    origin = opened.origin
    if isinstance(origin, Ktane):
        module.opened(st, origin)
        if opened.commitment is not None:
            st.find("commitment-mismatch", "null", opened.commitment, ORDER)
        return
    if isinstance(origin, Seeded) and origin.algorithm != ALGORITHM:
        st.find("commitment-mismatch", ALGORITHM, origin.algorithm, ORDER)
    elif unhex(opened.commitment or "", _HASH_BYTES, _HASH_BYTES) is None:
        st.find("commitment-mismatch", "a SHA-256 in hex", str(opened.commitment), ORDER)
