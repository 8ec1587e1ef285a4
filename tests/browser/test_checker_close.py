"""What the checker says of a shoe's close: by whom, why a card lay aside, what opens it.

Each case is held against what the auditor finds in the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from schemas import events as ev
from services.auditor.report import ShoeResult
from tests.support import misdraws
from tests.support.checker import Checker, both, spelled, told
from tests.unit.auditor import test_misdraw
from tests.unit.auditor.table import Entry, Table, good
from tests.unit.auditor.test_module import LOSES, module
from tests.unit.auditor.test_openings import STACKED, unreadable

pytestmark = pytest.mark.browser
Said = list[tuple[str, str]]


def faults(result: ShoeResult) -> Said:
    return [(one.code, one.at) for one in result.findings if one.grade == "fault"]


def agreed(checker: Checker, cases: Iterable[tuple[str, Table]]) -> dict[str, ShoeResult]:
    """Let both read each case: they have to find the same, for as much. Give the auditor's."""
    named = list(cases)
    results = {}
    pairs = both(checker, [table for _, table in named])
    for (name, _), (audit, found) in zip(named, pairs, strict=True):
        there = (found.verdict, sorted(found.findings))
        assert there == (audit.verdict, told(audit.findings)), name
        results[name] = audit
    assert len(results) == len(named)
    return results


# ------------------------------------------------------------------------------------ by the rules
WHO = ("", " ", "desk", "Rules", "resolver", "rules ", "\x85", "\ufeff")


def test_the_rules_close_a_shoe_and_nobody_else(checker: Checker) -> None:
    cases = []
    for by in ("rules", *WHO):
        cases += [
            (f"ended, {by!r}", good(rounds=100).close(by=by)),
            (f"early, {by!r}", good(rounds=2).close(by=by)),
            (f"named, {by!r}", good(rounds=100).close("rules", "12/shoe.close/desk/1", by=by)),
            (f"asked, {by!r}", good(rounds=1).close("asked", "12/shoe.close/desk/1", by=by)),
            (f"halted, {by!r}", good(rounds=1).close("halted", by=by)),
            (f"voided, {by!r}", Table().close("voided", "12/shoe.close/desk/1", by=by)),
            (f"module, {by!r}", deck_at_its_end().close(by=by)),
        ]
        gap = good(rounds=2)
        gap.entries[-1].skip = 1
        cases.append((f"gap, {by!r}", gap.close(by=by)))
    found = agreed(checker, cases)
    assert {name for name, one in found.items() if one.verdict == "pass"} >= {
        "ended, 'rules'", "module, 'rules'", *(f"asked, {by!r}" for by in WHO)
    }  # fmt: skip
    for name in (f"{kind}, {by!r}" for kind in ("ended", "module") for by in WHO):
        assert [code for code, _ in faults(found[name])] == ["malformed"], name
    for by in WHO:
        assert [code for code, _ in faults(found[f"early, {by!r}"])] == [
            "closed-early",
            "malformed",
        ]


def deck_at_its_end() -> Table:
    table = module()
    for _ in range(6):
        table.round(("ann", "player", 1000)) if table.number > 2 else table.round(LOSES)
    return table


# ------------------------------------------------------------------------------- a card put aside
REASONS = ("misdraw", "no-next-hand", "", " ", "\x85", "\ufeff", "spilt drink", "Misdraw")


def asides(table: Table) -> list[Entry]:
    return [one for one in table.entries if isinstance(one.data, ev.CardDiscarded)]


def test_a_card_in_error_is_put_aside_for_its_one_reason(checker: Checker) -> None:
    cases, wanted = [], {}
    for case in misdraws.CASES:
        for reason in REASONS:
            table, _ = test_misdraw.played(case)
            for one in asides(table)[:1]:
                right = "misdraw" if case.policy == test_misdraw.ANNUL else "no-next-hand"
                one.set(reason=reason)
                name = f"{case.name}, {reason!r}"
                cases.append((name, table))
                wanted[name] = [] if reason == right else [("out-of-place", table.at(one))]
    found = agreed(checker, cases)
    assert {name: faults(one) for name, one in found.items()} == wanted
    assert len({tuple(one) for one in wanted.values()}) > 2


def test_its_reason_is_judged_once_and_after_what_is_worse(checker: Checker) -> None:
    """Wherever a policy is broken: burned too late, with a hand after it, another card."""
    cases = []
    for name, make in test_misdraw.BREAKS.items():
        for reason in REASONS:
            table, _ = make()
            for one in asides(table)[:1]:
                one.set(reason=reason)
                cases.append((f"{name}, {reason!r}", table.asked()))
    assert len(cases) > 8 * len(REASONS)
    found = agreed(checker, cases)
    codes = {code for one in found.values() for code, _ in faults(one)}
    assert codes >= {"out-of-place", "draw-extra", "card-order", "void-after-card"}
    followed = found["it_is_put_aside_and_another_hand_follows, 'spilt drink'"]
    assert [code for code, _ in faults(followed)] == ["draw-extra"]


def test_a_wrong_reason_in_a_log_that_lacks_a_line(checker: Checker) -> None:
    cases = []
    for case in misdraws.CASES:
        table, _ = test_misdraw.played(case)
        for one in asides(table)[:1]:
            one.set(reason="spilt drink")
            at = table.entries.index(one)
            for lost in range(at - 2, min(at + 2, len(table.entries) - 1)):
                if lost != at and not table.entries[lost].is_outcome:
                    less, _ = test_misdraw.played(case)
                    asides(less)[0].set(reason="spilt drink")
                    less.lines()  # its outcomes say where they are from while all is there
                    less.entries[lost + 1].skip = 1
                    del less.entries[lost]
                    cases.append((f"{case.name} without {lost}", less))
    found = agreed(checker, cases)
    assert {"out-of-place", "sequence-gap"} <= {
        code for one in found.values() for code, _ in faults(one)
    }  # fmt: skip


# ------------------------------------------------------------------------------------ its reveal
def reveals(table: Table) -> dict[str, ev.Reveal | None]:
    """What a dealer may say at the close, by name."""
    order = " ".join(table.order)
    return {
        "the seed": ev.SeedReveal(table.seed.hex()),
        "in capitals": ev.SeedReveal(table.seed.hex().upper()),
        "another seed": ev.SeedReveal("ff" * 32),
        "no hex": ev.SeedReveal("no hex"),
        "too short": ev.SeedReveal(table.seed.hex()[2:]),
        "the order": ev.OrderReveal(table.salt.hex(), order),
        "another order": ev.OrderReveal(table.salt.hex(), order + " 7C"),
        "another salt": ev.OrderReveal("ff" * 32, order),
        "no salt": ev.OrderReveal("", order),
        "nothing": None,
    }


def bomb() -> Table:
    made = module()
    made.entries[0].set(rules=unreadable().entries[0].data.rules)
    return made


KINDS: dict[str, Any] = {
    "seeded": unreadable,
    "stacked": lambda: unreadable(rules="yaba4", stacked=STACKED),
    "public": bomb,
}


def test_a_commitment_is_opened_where_the_rules_cannot_be_read(checker: Checker) -> None:
    cases = []
    for kind, make in KINDS.items():
        for name in reveals(make()):
            table = make().asked()
            table.entries[-1].set(reveal=reveals(table)[name])
            cases.append((f"{kind}: {name}", table))
    found = agreed(checker, cases)
    there = {name: {code for code, at in faults(one) if not at.endswith("-0")}
             for name, one in found.items()}  # fmt: skip
    for kind, good_one in (("seeded", "the seed"), ("stacked", "the order")):
        for name in reveals(good()):
            wanted = {"not-revealed" if name == "nothing" else "commitment-mismatch"}
            assert there[f"{kind}: {name}"] == (set() if name == good_one else wanted), name
    assert not any(there[f"public: {name}"] for name in reveals(good()))
    assert all(one.verdict == "fail" for one in found.values())


def test_no_order_is_read_where_the_rules_cannot_be_read(checker: Checker) -> None:
    """Names that are no card's: what was committed to is what was revealed, and that is all."""
    table = Table("yaba4", stacked="XX YY")
    table.entries[0].set(rules=unreadable().entries[0].data.rules)
    (one,) = agreed(checker, [("no cards", table.close("voided", "12/shoe.close/desk/1"))]).values()
    assert {code for code, _ in faults(one)} == {"rules-unknown", "rules-mismatch"}


def test_a_published_name_with_a_text_that_is_none(checker: Checker) -> None:
    """The auditor goes on by the text that it knows; the page knows its hash alone."""
    named = []
    for name in reveals(good()):
        table = good(rounds=1)
        text = table.entries[0].data.rules
        table.entries[0].set(rules=type(text)(text.name, text.sha256, "no rules at all"))
        table.asked().entries[-1].set(reveal=reveals(table)[name])
        named.append((name, table))
    pairs = both(checker, [table for _, table in named])
    for (name, _), (audit, found) in zip(named, pairs, strict=True):
        there = [(code, at) for code, at, grade, *_ in found.findings if grade == "fault"]
        assert (found.verdict, there) == ("fail", faults(audit)), name


@pytest.mark.parametrize(
    ("reveal", "says"),
    [
        ("the seed", "not checked: the shoe\u2019s order. Its commitment opens."),
        ("another seed", "What was revealed is not what had been committed to."),
        ("nothing", "closed without a reveal, so its order cannot be proved."),
    ],
)
def test_the_page_says_whether_it_opens(
    checker: Checker, tmp_path: Path, reveal: str, says: str
) -> None:
    table = unreadable().asked()
    table.entries[-1].set(reveal=reveals(table)[reveal])
    path = tmp_path / "12.jsonl"
    path.write_bytes(spelled(table.lines()))
    shown = checker.choose(path)
    assert sum(says in claim for claim in shown.claims) == 1
    assert sum("Its commitment opens." in claim for claim in shown.claims) == (reveal == "the seed")
