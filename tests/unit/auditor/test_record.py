"""The codes "of the record": the smallest change gives its code at its address, and no more."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.address import Shoe
from schemas.disputes import DisputeOpened
from schemas.envelope import decode_line, encode
from schemas.errors import InputError
from schemas.events import BetPlaced, ShoeClosed
from schemas.outcomes import HandResult, RoundResolved, Settlement
from services.auditor.codes import CODES
from services.auditor.offline import audit_paths
from services.auditor.receipts import Receipt, Receipts, check_receipts
from services.auditor.record import Record
from services.auditor.report import Seals
from services.ledger.checkpoint import Checkpoint
from services.ledger.lines import log_root
from services.ledger.merkle import EMPTY_ROOT
from services.ledger.note import Signer
from services.ledger.seal import Sealer
from tests.unit.auditor.site import OTHER, SIGNER, Site, edit, said
from tests.unit.auditor.table import good

NOON = "2026-11-30T12:00:00.000000Z"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def closed_at(path: Path) -> str:
    """The address of the closing event."""
    message = decode_line(path.read_bytes().splitlines()[-1])
    assert isinstance(message.data, ShoeClosed)
    return f"{path.parent.name}/{message.id}"


# -------------------------------------------------------------------------------- what is in order


def test_a_sealed_log_holds(site: Site) -> None:
    site.sealed(good().asked())
    audit = site.audit()
    assert (audit.verdict, audit.seals, said(audit.findings)) == ("pass", Seals(held=1), [])
    assert all(CODES[one.code] == one.grade or one.code == "closed-early" for one in audit.findings)


def test_without_a_key_a_seal_is_not_checked_and_that_is_said(site: Site) -> None:
    path = site.sealed(good().asked())
    edit(path, b'"software":"test 1"', b'"software":"test 2"')
    audit = audit_paths([site.logs])
    assert (audit.verdict, audit.seals, said(audit.findings)) == ("pass", Seals(unchecked=1), [])
    path.with_suffix(".checkpoint").unlink()
    assert audit_paths([site.logs]).seals == Seals(missing=1)


def test_several_keys_for_logs_of_before_and_after(site: Site) -> None:
    site.sealed(good(shoe=12, seed=b"a" * 32).asked())
    site.sealed(good(table="T8", shoe=12, seed=b"b" * 32).asked(), OTHER)
    assert site.audit(keys=(SIGNER, OTHER)).seals == Seals(held=2)
    assert site.found(keys=(SIGNER,)) == [("signature", "T8/12")]


def test_shoes_in_a_row(site: Site) -> None:
    site.chain(1, 2, 3)
    audit = site.audit(expect=[Shoe("T7", number) for number in (1, 2, 3)])
    assert (audit.verdict, audit.seals, said(audit.findings)) == ("pass", Seals(held=3), [])


# ------------------------------------------------------------------------------------ the one log


def test_unsealed(site: Site) -> None:
    site.write(good().asked())
    audit = site.audit()
    assert said(audit.findings) == [("unsealed", "T7/12")]
    assert (audit.verdict, audit.seals) == ("pass", Seals(missing=1))
    assert CODES["unsealed"] == "notice"


def test_root_mismatch_of_a_change_that_no_game_shows(site: Site) -> None:
    path = site.sealed(good().asked())
    edit(path, b'"software":"test 1"', b'"software":"test 2"')
    audit = site.audit()
    assert said(audit.findings) == [("root-mismatch", "T7/12")]
    assert (audit.verdict, audit.seals) == ("fail", Seals(broken=1))


def test_root_mismatch_beside_what_the_game_shows(site: Site) -> None:
    path = site.sealed(good().asked())
    edit(path, b'"won":9500', b'"won":9501') if b'"won":9500' in path.read_bytes() else edit(
        path, b'"commission":0', b'"commission":1'
    )
    codes = [code for code, _ in site.found()]
    assert codes[-1] == "root-mismatch"
    assert len(codes) > 1


@pytest.mark.parametrize(
    "note",
    [
        b"", b"\n", b"\xff\xfe", b"\xef\xbb\xbf", b"x" * 2_000_000, b"[" * 100_000, b"{}",
        b'{"a":1,"a":NaN,"b":99999999999999999999}', "\ud800\n".encode("utf-8", "surrogatepass"),
    ],
)  # fmt: skip
def test_signature_of_what_is_no_checkpoint(site: Site, note: bytes) -> None:
    path = site.sealed(good().asked())
    path.with_suffix(".checkpoint").write_bytes(note)
    assert site.found() == [("signature", "T7/12")]


def test_signature_of_other_spellings(site: Site) -> None:
    path = site.sealed(good().asked()).with_suffix(".checkpoint")
    right = path.read_bytes()
    for wrong in (
        right.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + right, right[:-1], right + b"\n",
        right[: len(right) // 2], right.partition(b"\n\n")[0] + b"\n", right * 2,
    ):  # fmt: skip
        path.write_bytes(wrong)
        assert site.found() == [("signature", "T7/12")], wrong


def test_signature_by_another_key(site: Site) -> None:
    site.sealed(good().asked(), OTHER)
    assert site.found() == [("signature", "T7/12")]
    assert site.found(keys=(Signer("eve.example", bytes(range(32))),)) == [("signature", "T7/12")]


def test_signature_that_is_bad(site: Site) -> None:
    path = site.sealed(good().asked())
    edit(path.with_suffix(".checkpoint"), b"casino.example/T7/12\n", b"casino.example/T7/13\n")
    (finding,) = [one for one in site.audit().findings if one.code == "signature"]
    assert (finding.at, finding.actual) == (
        "T7/12", "the signature of casino.example is not of this text"
    )  # fmt: skip


@pytest.mark.parametrize("other", [("T8", 12), ("T7", 13)])
def test_signature_of_another_table_s_or_shoe_s_checkpoint(
    site: Site, other: tuple[str, int]
) -> None:
    path = site.sealed(good().asked())
    elsewhere = site.sealed(good(table=other[0], shoe=other[1], seed=b"b" * 32).asked())
    shutil.copy(elsewhere.with_suffix(".checkpoint"), path.with_suffix(".checkpoint"))
    assert site.found(path) == [("signature", "T7/12")]


def test_signature_of_a_checkpoint_of_verdicts_or_another_site(site: Site) -> None:
    path = site.sealed(good().asked())
    size = len(path.read_bytes().splitlines())
    for origin in ("casino.example/T7/12/verdicts", "other.example/T7/12", "casino.example/T7/012"):
        site.sign(path, size, origin=origin)
        assert site.found(path) == [("signature", "T7/12")]


def test_truncated(site: Site) -> None:
    path = site.sealed(good().asked())
    last = closed_at(path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    audit = site.audit()
    assert said(audit.findings) == [("truncated", last)]
    assert audit.verdict == "fail"
    assert audit.findings[-1].actual.isdecimal()


def test_truncated_in_mid_line(site: Site) -> None:
    path = site.sealed(good().asked())
    last = closed_at(path)
    path.write_bytes(path.read_bytes()[:-1])
    assert site.found() == [("malformed", last), ("truncated", last)]


def test_appended_to_a_closed_log(site: Site) -> None:
    path = site.sealed(good().asked())
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[3]]))
    seq = decode_line(lines[3][:-1]).id
    assert ("appended", f"T7/{seq}") in site.found()
    path.write_bytes(b"".join([*lines, b"{}\n"]))
    assert site.found()[-1] == ("appended", "T7/12")


def test_appended_to_what_was_signed_of_a_shoe_that_is_closed_now(site: Site) -> None:
    path = site.write(good().asked())
    lines = path.read_bytes().splitlines()
    for size in (1, len(lines) - 1):
        site.sign(path, size)
        found = decode_line(lines[size])
        kind = "-" if "outcomes" not in found.source else "#"
        assert site.found() == [("appended", f"T7/{found.id.replace('-', kind)}")]
    site.sign(path, 0)
    assert site.found() == [("appended", "T7/12-0")]


# --------------------------------------------------------------------------------- a growing shoe


def test_a_growing_shoe_with_its_checkpoint(site: Site) -> None:
    path = site.write(good())
    site.sign(path, len(path.read_bytes().splitlines()))
    audit = site.audit()
    assert (audit.verdict, audit.findings, audit.seals) == ("open", (), Seals(held=1))


def test_a_growing_shoe_with_an_older_checkpoint(site: Site) -> None:
    path = site.write(good())
    lines = path.read_bytes().splitlines()
    site.sign(path, len(lines) - 2)
    audit = site.audit()
    assert said(audit.findings) == [("unsealed", f"T7/{decode_line(lines[-2]).id}")]
    assert (audit.verdict, audit.seals) == ("open", Seals(held=1))
    assert (audit.findings[0].expected, audit.findings[0].actual) == (
        f"{len(lines) - 2} lines, as was signed so far", "2 more"
    )  # fmt: skip


def test_a_growing_shoe_with_a_newer_checkpoint(site: Site) -> None:
    path = site.write(good())
    lines = path.read_bytes().splitlines(keepends=True)
    site.sign(path, len(lines))
    path.write_bytes(b"".join(lines[:-1]))  # its last line is an outcome, the third round's
    (found,) = site.found()
    assert found[0] == "truncated"
    seq = int(decode_line(lines[-2][:-1]).id.split("-")[1])
    assert found[1] == f"T7/12-{seq + 1}"


# -------------------------------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: data.replace(b'"verdict":"open"', b'"verdict":"fail"', 1), "root-mismatch"),
        (lambda data: b"\n".join(data.split(b"\n")[:-2]) + b"\n", "truncated"),
        (lambda data: data + data.split(b"\n")[0] + b"\n", "appended"),
        (lambda data: data + b"{", "malformed"),
        (lambda _data: b"", "truncated"),
    ],
)
def test_verdicts_that_were_changed(site: Site, change: object, code: str) -> None:
    path = site.sealed(good().asked()).with_suffix(".verdicts.jsonl")
    path.write_bytes(change(path.read_bytes()))  # type: ignore[operator]
    audit = site.audit()
    assert said(audit.findings) == [(code, "T7/12")]
    assert audit.findings[-1].rule == "docs/record.md#verdicts"
    assert (audit.verdict, audit.seals) == ("fail", Seals(held=1))


def test_verdicts_that_are_gone_or_unsealed(site: Site) -> None:
    path = site.sealed(good().asked()).with_suffix(".verdicts.jsonl")
    data = path.read_bytes()
    path.unlink()
    assert site.found() == [("truncated", "T7/12")]
    path.with_suffix(".checkpoint").unlink()
    assert site.found() == []
    path.write_bytes(data)
    assert site.found() == [("unsealed", "T7/12")]


# --------------------------------------------------------------------------------- across the logs


def test_chain_broken(site: Site) -> None:
    first = good(shoe=1, rounds=1).asked()
    site.sealed(first)
    seed, root = b"b" * 32, "00" * 32
    other = good(shoe=2, rounds=1, seed=seed, previous_root=root, restated=first.left())
    site.sealed(other.asked())
    assert site.found() == [("chain-broken", "T7/2-0")]


def test_a_changed_log_breaks_its_own_seal_and_not_the_chain(site: Site) -> None:
    first, *_ = site.chain(1, 2)
    edit(first, b'"software":"test 1"', b'"software":"test 2"')
    assert site.found() == [("root-mismatch", "T7/1")]
    assert said(audit_paths([site.logs]).findings) == [("chain-broken", "T7/2-0")]


def test_a_log_signed_anew_breaks_the_chain(site: Site) -> None:
    first, *_ = site.chain(1, 2)
    edit(first, b'"software":"test 1"', b'"software":"test 2"')
    site.sign(first, len(first.read_bytes().splitlines()))
    assert site.found() == [("chain-broken", "T7/2-0")]


def test_shoe_missing_of_those_expected(site: Site) -> None:
    paths = site.chain(1, 2, 3)
    for path in (paths[1], paths[1].with_suffix(".checkpoint")):
        path.unlink()
    expect = [Shoe("T7", number) for number in (1, 2, 3, 4)] + [Shoe("T9", 1)]
    audit = site.audit(expect=expect)
    assert said(audit.findings) == [
        ("shoe-missing", "T7/2"), ("shoe-missing", "T7/4"), ("shoe-missing", "T9/1"),
    ]  # fmt: skip
    assert audit.verdict == "fail"
    assert said(site.audit(keys=(), expect=expect).findings) == said(audit.findings)


def test_shoe_missing_of_one_whose_checkpoint_is_there(site: Site) -> None:
    paths = site.chain(1, 2, 3)
    paths[1].unlink()
    assert site.found() == [("shoe-missing", "T7/2")]
    assert site.found(expect=[Shoe("T7", 2)]) == [("shoe-missing", "T7/2")]
    assert site.found(keys=(OTHER,))[-1][0] == "signature"
    assert site.found(paths[0], paths[2]) == []  # only these were asked for


def test_seed_reused_at_the_later_shoe_of_any_table(site: Site) -> None:
    site.sealed(good(table="A", shoe=1, seed=b"s" * 32).asked())
    later = site.sealed(good(table="B", shoe=5, seed=b"s" * 32).asked())
    audit = site.audit()
    assert said(audit.findings) == [("seed-reused", closed_at(later))]
    assert audit.findings[-1].actual == "that of A/1"
    assert ("73" * 32) not in str(audit.findings)


def test_commitment_reused(site: Site) -> None:
    first = good(shoe=1, rounds=1, seed=b"a" * 32)
    reused = first.entries[0].data.commitment
    path = site.sealed(first.asked())
    root = log_root(path.read_bytes().splitlines()).hex()
    second = good(
        shoe=2,
        rounds=1,
        seed=b"b" * 32,
        commitment=reused,
        previous_root=root,
        restated=first.left(),
    )
    site.sealed(second.asked())
    found = site.found()
    assert ("commitment-reused", "T7/2-0") in found
    assert {code for code, _ in found} == {"commitment-reused", "commitment-mismatch"}


def test_equivocation_of_two_logs_of_one_shoe(site: Site, tmp_path: Path) -> None:
    site.sealed(good().asked())
    elsewhere = Site(tmp_path / "elsewhere")
    other = elsewhere.sealed(good(seed=b"z" * 32).asked())
    audit = site.audit(site.logs, elsewhere.logs)
    assert said(audit.findings) == [("equivocation", "T7/12")]
    assert (audit.verdict, audit.shoes) == ("fail", 1)
    # another copy, an older one, and one that nobody signed prove nothing
    for change in (
        lambda: shutil.copytree(site.logs, elsewhere.logs, dirs_exist_ok=True),
        lambda: elsewhere.sign(other, 5),
        lambda: other.with_suffix(".checkpoint").unlink(),
    ):
        change()
        with pytest.raises(InputError, match="two logs of T7/12"):
            site.audit(site.logs, elsewhere.logs)


def test_equivocation_of_two_growing_logs(site: Site, tmp_path: Path) -> None:
    """Of one more was signed than of the other: what both have is another."""
    first = site.write(good(rounds=3))
    site.sign(first, len(first.read_bytes().splitlines()))
    elsewhere = Site(tmp_path / "elsewhere")
    other = elsewhere.write(good(rounds=2, seed=b"z" * 32))
    elsewhere.sign(other, len(other.read_bytes().splitlines()))
    assert ("equivocation", "T7/12") in site.found(site.logs, elsewhere.logs)


# --------------------------------------------------------------------------------------- receipts

BET = {"round": "T7/12#2", "bettor": "ann", "spot": "banker", "stake": 10_000}


def paid(path: Path, number: int, bettor: str) -> int:
    for line in path.read_bytes().splitlines():
        told = decode_line(line).data
        for one in getattr(told, "settlements", ()):
            if getattr(told, "round", 0) == number and one.bettor == bettor:
                return int(one.returned + one.won - one.commission)
    raise AssertionError


def bring(site: Site, *receipts: dict[str, object]) -> None:
    site.receipts.write_text("".join(json.dumps(one) + "\n" for one in receipts))


def test_receipts_of_what_is_in_the_log(site: Site) -> None:
    path = site.sealed(good().asked())
    back = paid(path, 2, "ann")
    note = path.with_suffix(".checkpoint").read_text()
    bring(
        site,
        BET,
        {**BET, "round": "T7/12#1"},
        {**BET, "round": "T7/12#3", "bet": "12-3/ann/banker/1"},
        {"round": "T7/12#2", "bettor": "bob", "spot": "player", "stake": 2500, "paid":
            paid(path, 2, "bob"), "checkpoint": note},
        {"checkpoint": note},
    )  # fmt: skip
    assert site.found() == []
    bring(site, {**BET, "paid": back, "bet": "12-2/ann/banker/1"})
    assert site.found() == []
    assert said(site.audit(keys=()).findings) == []


@pytest.mark.parametrize(
    ("change", "amount"),
    [
        ({"round": "T7/12#9"}, 0),
        ({"bettor": "eve"}, 0),
        ({"spot": "player"}, 0),
        ({"stake": 10_001}, 0),
        ({"bet": "12-2/ann/banker/2"}, 0),
        ({"paid": 1_000_000}, None),
    ],
)
def test_receipt_missing(site: Site, change: dict[str, object], amount: int | None) -> None:
    path = site.sealed(good().asked())
    bring(site, {**BET, **change})
    audit = site.audit()
    at = str(change.get("round", "T7/12#2"))
    assert said(audit.findings) == [("receipt-missing", at)]
    finding = audit.findings[-1]
    assert finding.round == int(at.partition("#")[2])
    expected = 1_000_000 - paid(path, 2, "ann") if amount is None else amount
    assert (finding.amount, finding.grade) == (expected, "fault")


def test_a_receipt_of_a_bet_that_was_dropped_says_what_it_was_worth(site: Site) -> None:
    site.sealed(good().asked())
    bring(site, {**BET, "stake": 700, "paid": 1_400})
    (finding,) = [one for one in site.audit().findings if one.code == "receipt-missing"]
    assert finding.amount == 700
    assert finding.expected == "700 on banker by ann, 1400 paid"
    assert finding.actual == "no such bet"


def test_two_receipts_need_two_bets(site: Site) -> None:
    site.sealed(good().asked())
    bring(site, BET, BET)
    assert site.found() == [("receipt-missing", "T7/12#2")]


def test_a_receipt_of_a_shoe_that_is_not_there(site: Site) -> None:
    site.sealed(good().asked())
    bring(site, {**BET, "round": "T7/11#2"})
    assert site.found() == [("receipt-missing", "T7/11#2")]


def told(bets: list[tuple[int, int, int | None]]) -> list[bytes]:
    """Say bets of ann's in two rounds (round, stake, paid or None), then what settles them."""
    rounds: dict[int, list[Settlement]] = {1: [], 2: []}
    lines = []
    for n, (number, stake, back) in enumerate(bets, 1):
        name = f"12-{number}/ann/player/{n}"
        bet = BetPlaced(number, name, "ann", "player", stake, None, command=name)
        lines.append(encode(f"12-{n}", "/tables/T7", NOON, bet))
        if back is not None:
            rounds[number].append(Settlement(name, "ann", "player", stake, "win", "1", 0, 0, back))
    hand = HandResult((), 0)
    for number, settled in rounds.items():
        said = RoundResolved(
            number, "", "", hand, hand, "player", natural=False, settlements=tuple(settled), house=0
        )
        lines.append(encode(f"12-{number}", "/tables/T7/outcomes", NOON, said))
    return lines


def looked_through(receipts: list[Receipt], bets: list[tuple[int, int, int | None]]) -> list[str]:
    """Which receipts have no bet: every bet looked at for every one of them."""
    left = {f"12-{one[0]}/ann/player/{n}": one for n, one in enumerate(bets, 1)}
    missing = []
    for one in sorted(receipts, key=lambda one: (one.bet is None, one.paid is None)):
        terms = int(one.round[-1]), one.stake
        fits = [name for name, bet in left.items() if bet[:2] == terms and one.bet in {None, name}]
        right = [name for name in fits if one.paid in {None, left[name][2]}]
        if not right:
            missing.append(f"{one.round} {one}")
        for name in (right or fits)[:1]:
            del left[name]
    return sorted(missing)


few = st.integers(1, 2)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(few, few, st.none() | few), max_size=8),
    st.lists(st.tuples(few, few, st.none() | few, st.none() | st.integers(1, 8)), max_size=8),
)
def test_receipts_find_the_bets_that_looking_through_all_finds(
    bets: list[tuple[int, int, int | None]],
    wanted: list[tuple[int, int, int | None, int | None]],
) -> None:
    receipts = [
        Receipt(
            f"T7/12#{number}",
            "ann",
            "player",
            stake,
            back,
            None if n is None else f"12-{number}/ann/player/{n}",
        )
        for number, stake, back, n in wanted
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "12.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in told(bets)))
        found = check_receipts(path, receipts)
    assert sorted(f"{one.at} {one.expected}" for one in found) == looked_through(receipts, bets)


def test_twenty_thousand_receipts_take_seconds(tmp_path: Path) -> None:
    """Each bet looked at for each receipt takes a quarter of an hour."""
    bets: list[tuple[int, int, int | None]] = [(1, 100, n % 3) for n in range(20_000)]
    path = tmp_path / "12.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in told(bets)))
    receipts = [
        Receipt("T7/12#1", "ann", "player", 100, n % 3, None if n % 2 else f"12-1/ann/player/{n}")
        for n in range(1, 20_000)
    ]
    began = time.process_time()
    assert check_receipts(path, [*receipts, receipts[0], receipts[1]])
    assert time.process_time() - began < 10


def test_a_checkpoint_alone_of_a_shoe_that_is_not_there(site: Site) -> None:
    path = site.sealed(good(table="T8", shoe=11, seed=b"a" * 32).asked())
    note = path.with_suffix(".checkpoint").read_text()
    site.sealed(good().asked())
    bring(site, {"checkpoint": note})
    assert site.found() == []
    for file in path.parent.glob("11.*"):
        file.unlink()
    found = site.audit().findings
    assert said(found) == [("shoe-missing", "T8/11")]
    size = note.split("\n")[1]
    assert f"a log: {size} lines of it were signed" in {one.expected for one in found}
    origins = ("casino.example/T7/11/verdicts", "casino.example/T7/disputes", "other.example/T7/11")
    for origin in origins:  # of no shoe, or of none that this key may sign for
        other = Checkpoint(origin, 0, EMPTY_ROOT).signed(SIGNER).decode()
        bring(site, {"checkpoint": other})
        assert site.found() == []


def test_a_receipt_before_its_round_is_settled(site: Site) -> None:
    table = good(rounds=1)
    table.open_round()
    table.bet("ann", "banker", 10_000)
    site.write(table)
    bring(site, BET)
    assert ("receipt-missing", "T7/12#2") not in site.found()
    bring(site, {**BET, "paid": 0})
    assert ("receipt-missing", "T7/12#2") in site.found()


def test_equivocation_against_a_receipt_s_checkpoint(site: Site) -> None:
    other = site.write(good(seed=b"z" * 32))
    notes = [site.sign(other, size).decode() for size in (1, 5, 20)]
    site.sealed(good().asked())
    for note in notes:
        bring(site, {"checkpoint": note})
        assert site.found() == [("equivocation", "T7/12")]


def test_equivocation_of_checkpoints_of_one_size(site: Site) -> None:
    path = site.sealed(good().asked())
    size = len(path.read_bytes().splitlines())
    signed = Checkpoint("casino.example/T7/12", size, bytes(32)).signed(SIGNER).decode()
    bring(site, {"checkpoint": signed})
    assert site.found() == [("equivocation", "T7/12")]


def test_a_receipt_s_checkpoint_of_more_than_the_log(site: Site) -> None:
    path = site.write(good().asked())
    lines = path.read_bytes().splitlines(keepends=True)
    note = site.sign(path, len(lines)).decode()
    path.write_bytes(b"".join(lines[:-1]))
    last = f"T7/{decode_line(lines[-1][:-1]).id}"
    bring(site, {"checkpoint": note})
    site.sign(path, len(lines) - 1)
    assert site.found() == [("truncated", last)]
    path.with_suffix(".checkpoint").unlink()
    assert site.found() == [("unsealed", "T7/12"), ("truncated", last)]


def test_a_receipt_s_checkpoint_against_an_unsealed_log(site: Site) -> None:
    path = site.write(good().asked())
    note = site.sign(path, 20).decode()
    path.with_suffix(".checkpoint").unlink()
    bring(site, {"checkpoint": note})
    assert site.found() == [("unsealed", "T7/12")]
    edit(path, b'"software":"test 1"', b'"software":"test 2"')
    assert site.found() == [("unsealed", "T7/12"), ("root-mismatch", "T7/12")]


BAD_RECEIPTS = {
    "empty": b"",
    "an empty line": b"\n\n",
    "no JSON": b"hello\n",
    "CRLF is white space": b"{}\r\n",
    "BOM": b"\xef\xbb\xbf{}\n",
    "a list": b"[]\n",
    "a key twice": b'{"checkpoint":"a","checkpoint":"b"}\n',
    "NaN": json.dumps({**BET, "stake": float("nan")}).encode(),
    "beyond 64 bits": json.dumps({**BET, "stake": 2**64}).encode(),
    "beyond 2**53": json.dumps({**BET, "stake": 2**53}).encode(),
    "negative": json.dumps({**BET, "stake": -1}).encode(),
    "half a cent": json.dumps({**BET, "stake": 0.5}).encode(),
    "a lone surrogate": b'{"round":"\\ud800"}\n',
    "raw surrogates": b'{"round":"\xed\xa0\x80"}\n',
    "deep": b"[" * 200_000,
    "deep in a key": b'{"round":' + b"[" * 900 + b"]" * 900 + b"}",
    "unknown field": json.dumps({**BET, "more": 1}).encode(),
    "no stake": json.dumps({"round": "T7/12#2", "bettor": "ann", "spot": "tie"}).encode(),
    "no round": json.dumps({**BET, "round": "T7/12-2"}).encode(),
    "a huge round": json.dumps({**BET, "round": "T7/12#" + "9" * 99}).encode(),
    "no checkpoint": json.dumps({**BET, "checkpoint": "hello"}).encode(),
    "a long line": b'"' + b"x" * (2 << 20) + b'"',
}


@pytest.mark.parametrize("what", BAD_RECEIPTS)
def test_bad_receipts(site: Site, what: str) -> None:
    site.sealed(good().asked())
    site.receipts.write_bytes(BAD_RECEIPTS[what])
    with pytest.raises(InputError) as caught:
        site.audit()
    said_of = str(caught.value)
    assert str(site.receipts) in said_of
    assert "\n" not in said_of
    assert len(said_of) < 400


def test_a_receipt_s_checkpoint_needs_a_key(site: Site) -> None:
    path = site.sealed(good().asked())
    note = path.with_suffix(".checkpoint").read_text()
    bring(site, {"checkpoint": note})
    with pytest.raises(InputError, match="give --key VKEY"):
        site.audit(keys=())
    with pytest.raises(InputError, match="no key that was given has signed"):
        site.audit(keys=(OTHER,))


def test_files_that_cannot_be_read(site: Site) -> None:
    path = site.sealed(good().asked())
    checkpoint = path.with_suffix(".checkpoint")
    checkpoint.unlink()
    checkpoint.mkdir()
    with pytest.raises(InputError, match="is a directory"):
        site.audit()
    record = Record((SIGNER.verifier,))
    with pytest.raises(InputError, match="no such file"):
        audit_paths([path.with_name("13.jsonl")], record=record)


# --------------------------------------------------------------------------------------- disputes


def test_the_seal_of_disputes(site: Site) -> None:
    path = site.sealed(good().asked())
    record = path.with_name("disputes.jsonl")
    sealer = Sealer(SIGNER, site.memory)
    record.write_bytes(b"")
    assert site.found() == [("unsealed", "T7:0")]
    seal = sealer.disputes("T7", record)
    seal.sign()
    assert site.found() == []
    right = record.with_suffix(".checkpoint").read_bytes()
    for wrong in (
        right.replace(b"T7/disputes\n", b"T8/disputes\n"),
        Checkpoint("casino.example/T8/disputes", 0, EMPTY_ROOT).signed(SIGNER),
        Checkpoint("casino.example/T7/disputes", 0, EMPTY_ROOT).signed(OTHER),
    ):
        record.with_suffix(".checkpoint").write_bytes(wrong)
        assert site.found() == [("signature", "T7:0")]


def test_the_seal_of_disputes_in_a_folder_of_two_tables(site: Site) -> None:
    folder = site.logs / "both"
    folder.mkdir(parents=True)
    for number, (table, seed) in enumerate((("T7", b"a"), ("T8", b"b")), 12):
        path = site.sealed(good(table=table, shoe=number, seed=seed * 32).asked())
        for file in path.parent.iterdir():
            file.rename(folder / file.name)
    record = folder / "disputes.jsonl"
    checkpoint = record.with_suffix(".checkpoint")
    told = DisputeOpened("T8/13#1", "ann", "the card was wet", None, None, None, None, ())
    line = encode("1-0", "/tables/T8/disputes", "2026-11-30T04:00:00.000000Z", told)
    for lines in ([], [line]):
        record.write_bytes(b"".join(one + b"\n" for one in lines))
        signed = Checkpoint("casino.example/T8/disputes", len(lines), log_root(lines))
        checkpoint.write_bytes(signed.signed(SIGNER))
        assert site.found() == []
        checkpoint.write_bytes(signed.signed(OTHER))
        assert site.found() == [("signature", f"T8:{len(lines)}")]
        others = signed._replace(origin="casino.example/T9/disputes")
        checkpoint.write_bytes(others.signed(SIGNER))
        assert site.found() == [("signature", f"T{8 if lines else 7}:{len(lines)}")]
        checkpoint.unlink()
        assert site.found() == [("unsealed", f"T{8 if lines else 7}:{len(lines)}")]
    # of T7's log alone the record of T8 beside it is none of its business
    checkpoint.write_bytes(
        Checkpoint("casino.example/T8/disputes", 1, log_root([line])).signed(SIGNER)
    )
    assert site.found(folder / "12.jsonl") == []
    checkpoint.write_bytes(
        Checkpoint("casino.example/T7/disputes", 1, log_root([line])).signed(SIGNER)
    )
    assert site.found(folder / "12.jsonl") == [("signature", "T7:1")]


@settings(deadline=None)
@given(st.binary(max_size=200) | st.builds(json.dumps, st.dictionaries(st.text(), st.integers())))
def test_any_receipts_are_read_or_one_error(data: bytes | str) -> None:
    receipts = Receipts()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        with pytest.raises(InputError):
            receipts.read(path, (SIGNER.verifier,))
