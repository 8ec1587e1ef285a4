from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.address import Shoe
from schemas.envelope import decode_line, type_of
from schemas.errors import InputError, Unproven
from schemas.events import ShoeOpened
from services.auditor.proven import proven_cards
from services.ledger.checkpoint import Checkpoint, shoe_origin
from services.ledger.consistency import (
    format_consistency,
    parse_consistency,
    prove_consistency,
    verify_consistency_proof,
)
from services.ledger.lines import log_root
from services.ledger.note import Signer
from services.ledger.proof import parse_proof
from services.ledger.round_proof import (
    LARGEST,
    Proven,
    RoundProof,
    format_round_proof,
    parse_round_proof,
    prove_round,
    verify_round_proof,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3] / "replay_logs"
LINES = (ROOT / "CLEAN" / "1.jsonl").read_bytes().splitlines()
SHOE = Shoe("CLEAN", 1)
SIGNER = Signer("casino.example", bytes(range(32)))
OTHER = Signer("casino.example", bytes(32))
KNOWN = [SIGNER.verifier]


def note_of(lines: list[bytes], shoe: Shoe = SHOE, signer: Signer = SIGNER) -> bytes:
    origin = shoe_origin(signer.name, *shoe)
    return Checkpoint(origin, len(lines), log_root(lines)).signed(signer)


NOTE = note_of(LINES)
PROOF = prove_round(SHOE, 17, LINES, NOTE)
FILE = format_round_proof(PROOF)


def verified(data: bytes, known: list[Any] | None = None) -> Proven:
    return verify_round_proof(parse_round_proof(data), KNOWN if known is None else known)


def test_a_round_is_proven_by_its_file_and_a_vkey() -> None:
    found = verified(FILE)
    assert (found.key, found.shoe, found.round) == (SIGNER.verifier, SHOE, 17)
    assert found.checkpoint.size == len(LINES)
    types = [type_of(found.lines[at].data) for at in range(found.first, found.last + 1)]
    assert types[0] == "round.opened"
    assert types[-1] == "round.resolved"
    assert types.count("bet.placed") == 3
    frame = {type_of(said.data) for at, said in found.lines.items() if at < found.first}
    assert frame == {"shoe.opened", "shoe.cut"}
    assert type_of(found.lines[len(LINES) - 1].data) == "shoe.closed"
    for at, said in found.lines.items():
        assert decode_line(LINES[at]) == said


def test_each_part_is_a_tlog_proof_by_itself() -> None:
    for part in json.loads(FILE)["parts"]:
        one = parse_proof(part["proof"].encode())
        assert part["proof"].startswith("c2sp.org/tlog-proof@v1\nindex ")
        assert part["proof"].endswith("\n\n" + NOTE.decode())
        assert LINES[one.index] == part["line"].encode()
        assert one.verify(LINES[one.index], KNOWN).size == len(LINES)


def test_every_round_of_every_sample_can_be_proven() -> None:
    proven = 0
    for path in sorted(ROOT.glob("*/*.jsonl")):
        if not path.stem.isdecimal():
            continue
        lines = path.read_bytes().splitlines()
        shoe = Shoe(path.parent.name, int(path.stem))
        note = note_of(lines, shoe)
        for line in lines[:: len(lines) // 4]:
            number = getattr(decode_line(line).data, "round", None)
            if number is not None:
                made = prove_round(shoe, number, lines, note)
                assert verify_round_proof(made, KNOWN).round == number
                proven += 1
    assert proven > 60


def test_a_growing_shoe_s_round_is_proven_as_soon_as_it_is_signed() -> None:
    found = verified(FILE)
    grown = LINES[: found.last + 1]
    early = verified(format_round_proof(prove_round(SHOE, 17, LINES, note_of(grown))))
    assert early.checkpoint.size == len(grown)
    assert proven_cards(SHOE, [one.data for one in early.lines.values()], 17) == "unknown"
    with pytest.raises(InputError, match="round 17 is not signed yet; try again"):
        prove_round(SHOE, 17, LINES, note_of(LINES[: found.last]))


def test_its_cards_are_held_against_the_order() -> None:
    said = [one.data for one in verified(FILE).lines.values()]
    assert proven_cards(SHOE, said, 17) == "right"
    assert proven_cards(Shoe("CLEAN", 2), said, 17) == "unopened"
    lines = (ROOT / "DISPUTE-CARD" / "1.jsonl").read_bytes().splitlines()
    shoe = Shoe("DISPUTE-CARD", 1)
    for number, cards in ((16, "right"), (17, "wrong"), (18, "right")):
        made = prove_round(shoe, number, lines, note_of(lines, shoe))
        found = verify_round_proof(made, KNOWN)
        assert proven_cards(shoe, [one.data for one in found.lines.values()], number) == cards
    fixed = (ROOT / "YABA4-WON" / "1.jsonl").read_bytes().splitlines()
    shoe = Shoe("YABA4-WON", 1)
    found = verify_round_proof(prove_round(shoe, 3, fixed, note_of(fixed, shoe)), KNOWN)
    assert proven_cards(shoe, [one.data for one in found.lines.values()], 3) == "right"


def test_how_many_decks_were_shuffled_is_told_by_the_rules_text() -> None:
    said = [one.data for one in verified(FILE).lines.values()]
    opened = said[0]
    assert isinstance(opened, ShoeOpened)
    fewer = replace(opened, decks=6)
    assert proven_cards(SHOE, [fewer, *said[1:]], 17) == "right"
    unreadable = replace(opened, rules=replace(opened.rules, text="no rules at all"))
    assert proven_cards(SHOE, [unreadable, *said[1:]], 17) == "unknown"
    assert proven_cards(Shoe("CLEAN", 2), [unreadable, *said[1:]], 17) == "unopened"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda: prove_round(SHOE, 999, LINES, NOTE), "there is no round 999"),
        (lambda: prove_round(SHOE, 0, LINES, NOTE), "there is no round 0"),
        (lambda: prove_round(SHOE, 1, LINES[:-1], NOTE), "not what was signed of it"),
        (lambda: prove_round(SHOE, 1, LINES[1:], NOTE), "not what was signed of it"),
        (lambda: prove_round(SHOE, 1, [], NOTE), "not what was signed of it"),
        (lambda: prove_round(SHOE, 1, LINES, b"hello"), "no signed note"),
    ],
)
def test_what_cannot_be_proven(change: Callable[[], RoundProof], says: str) -> None:
    with pytest.raises(InputError, match=says):
        change()


def test_another_key_or_shoe_proves_nothing() -> None:
    with pytest.raises(Unproven, match="no key that was given has signed"):
        verified(FILE, [OTHER.verifier])
    with pytest.raises(Unproven, match="no key that was given has signed"):
        verified(FILE, [])
    renamed = prove_round(SHOE, 17, LINES, note_of(LINES, Shoe("T7", 12)))
    with pytest.raises(Unproven, match=r"the checkpoint of casino\.example/T7/12, not of CLEAN/1"):
        verify_round_proof(renamed, KNOWN)


Plain = dict[str, Any]


def _less(plain: Plain, at: int) -> None:
    del plain["parts"][at]


def _swap(plain: Plain) -> None:
    plain["parts"][2], plain["parts"][3] = plain["parts"][3], plain["parts"][2]


def _other_line(plain: Plain) -> None:
    plain["parts"][4]["line"] = plain["parts"][4]["line"].replace('"stake":2500', '"stake":2501')


def _other_note(plain: Plain) -> None:
    note = note_of(LINES[:-1]).decode()
    plain["parts"][0]["proof"] = plain["parts"][0]["proof"].partition("\n\n")[0] + "\n\n" + note


TAMPERED: dict[str, Callable[[Plain], Any]] = {
    "no parts": lambda plain: plain.update(parts=[]),
    "without the opening": lambda plain: _less(plain, 0),
    "without the round's opening": lambda plain: _less(plain, 2),
    "without a bet": lambda plain: _less(plain, 3),
    "without the outcome": lambda plain: _less(plain, -2),
    "two parts swapped": _swap,
    "a part twice": lambda plain: plain["parts"].append(plain["parts"][-1]),
    "another stake": _other_line,
    "another round": lambda plain: plain.update(round=16),
    "another shoe": lambda plain: plain.update(shoe="CLEAN/2"),
    "another table": lambda plain: plain.update(shoe="T7/1"),
    "no shoe": lambda plain: plain.update(shoe="CLEAN"),
    "another format": lambda plain: plain.update(format="shoetrail-round-proof/v2"),
    "a round that is text": lambda plain: plain.update(round="17"),
    "a huge round": lambda plain: plain.update(round=2**64),
    "unknown field": lambda plain: plain.update(more=1),
    "no format": lambda plain: plain.pop("format"),
    "another checkpoint in one part": _other_note,
    "no proof": lambda plain: plain["parts"][1].update(proof="hello"),
    "a line break in a line": lambda plain: plain["parts"][1].update(line="a\nb"),
    "a line of none": lambda plain: plain["parts"][1].update(line=""),
    "many parts": lambda plain: plain.update(parts=plain["parts"] * 2000),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_file_that_was_changed_proves_nothing(what: str) -> None:
    plain = json.loads(FILE)
    TAMPERED[what](plain)
    with pytest.raises(Unproven) as caught:
        verified(json.dumps(plain).encode())
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_round_without_its_last_bets_cannot_be_made_to_look_whole() -> None:
    """Even who holds the key of another log cannot leave out a line between."""
    plain = json.loads(FILE)
    del plain["parts"][4]
    with pytest.raises(Unproven, match="lines of round 17 are left out"):
        verified(json.dumps(plain).encode())


BAD_FILES = {
    "empty": b"",
    "no JSON": b"hello",
    "a list": b"[]",
    "BOM": b"\xef\xbb\xbf" + FILE,
    "half": FILE[: len(FILE) // 2],
    "NaN": FILE.replace(b'"round":17', b'"round":NaN'),
    "a key twice": FILE.replace(b'"round":17', b'"round":17,"round":17'),
    "a lone surrogate": FILE.replace(b'"line":"', b'"line":"\\ud800', 1),
    "deep": b'{"parts":' + b"[" * 100_000,
    "UTF-16": FILE.decode().encode("utf-16"),
    "too large": b" " * LARGEST + FILE,
    "CRLF in a proof": FILE.replace(b"index 0\\n", b"index 0\\r\\n"),
}


@pytest.mark.parametrize("what", BAD_FILES)
def test_bad_files(what: str) -> None:
    with pytest.raises(Unproven) as caught:
        verified(BAD_FILES[what])
    assert "\n" not in str(caught.value)


def test_other_white_space_is_the_same_proof() -> None:
    spaced = json.dumps(json.loads(FILE), indent=2).replace("\n", "\r\n").encode()
    assert verified(spaced) == verified(FILE)


@settings(deadline=None)
@given(st.data())
def test_a_file_mangled_in_any_way_proves_nothing_else(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(FILE)))
    to = data.draw(st.integers(at, min(at + 50, len(FILE))))
    mangled = FILE[:at] + data.draw(st.binary(max_size=5)) + FILE[to:]
    try:
        found = verified(mangled)
    except Unproven:
        return
    assert found == verified(FILE)


# ------------------------------------------------------------------------------------ consistency


def lines_of(count: int) -> list[bytes]:
    return [b"line %d" % number for number in range(count)]


def test_consistency_of_every_two_sizes() -> None:
    for new in range(1, 14):
        for old in range(new + 1):
            made = prove_consistency(
                lines_of(13), note_of(lines_of(old)), note_of(lines_of(new), signer=OTHER)
            )
            read = parse_consistency(format_consistency(made))
            assert read == made
            found = verify_consistency_proof(read, [SIGNER.verifier, OTHER.verifier])
            assert (found.old.size, found.new.size) == (old, new)
            assert (found.old_key, found.new_key) == (SIGNER.verifier, OTHER.verifier)


OLD, NEW = note_of(lines_of(5)), note_of(lines_of(13))
GROWN = prove_consistency(lines_of(13), OLD, NEW)


def test_logs_that_did_not_grow() -> None:
    other = note_of([b"other", *lines_of(5)[1:]])
    with pytest.raises(InputError, match="keep both checkpoints: together they prove it"):
        prove_consistency(lines_of(13), other, NEW)
    with pytest.raises(InputError, match="13 lines were signed before, and 5 now"):
        prove_consistency(lines_of(13), NEW, OLD)
    with pytest.raises(InputError, match="not what was signed"):
        prove_consistency(lines_of(12), OLD, NEW)
    with pytest.raises(InputError, match=r"the checkpoint of casino\.example/T7/12"):
        prove_consistency(lines_of(13), note_of(lines_of(5), Shoe("T7", 12)), NEW)


GROWN_TAMPERED: dict[str, Callable[[Plain], Any]] = {
    "other old": lambda plain: plain.update(old=note_of([b"x"] * 5).decode()),
    "other new": lambda plain: plain.update(new=note_of([b"x"] * 13).decode()),
    "swapped": lambda plain: plain.update(old=plain["new"], new=plain["old"]),
    "no path": lambda plain: plain.update(hashes=[]),
    "a longer path": lambda plain: plain.update(hashes=plain["hashes"] * 2),
    "another hash": lambda plain: plain["hashes"].__setitem__(0, plain["hashes"][1]),
    "no hash": lambda plain: plain["hashes"].__setitem__(0, "hello"),
    "a thousand hashes": lambda plain: plain.update(hashes=plain["hashes"] * 1000),
    "another shoe": lambda plain: plain.update(old=note_of(lines_of(5), Shoe("T7", 12)).decode()),
    "another key": lambda plain: plain.update(old=note_of(lines_of(5), signer=OTHER).decode()),
    "another format": lambda plain: plain.update(format="shoetrail-consistency/v2"),
    "a number": lambda plain: plain.update(hashes=[2**70]),
}


@pytest.mark.parametrize("what", GROWN_TAMPERED)
def test_a_consistency_that_was_changed_proves_nothing(what: str) -> None:
    plain = json.loads(format_consistency(GROWN))
    GROWN_TAMPERED[what](plain)
    with pytest.raises(Unproven):
        verify_consistency_proof(parse_consistency(json.dumps(plain).encode()), KNOWN)


def test_a_key_signs_for_its_own_site_only() -> None:
    notes = [
        SIGNER.sign(Checkpoint("other.example/T7/12", size, log_root(lines_of(size))).text)
        for size in (5, 13)
    ]
    made = prove_consistency(lines_of(13), *notes)
    with pytest.raises(Unproven, match=r"does not sign for other\.example/T7/12"):
        verify_consistency_proof(made, KNOWN)


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b" " * (1 << 23), b"[" * 10_000])
def test_files_of_no_consistency(data: bytes) -> None:
    with pytest.raises(Unproven):
        parse_consistency(data)


@settings(deadline=None)
@given(st.data())
def test_a_consistency_mangled_in_any_way_proves_nothing_else(data: st.DataObject) -> None:
    file = format_consistency(GROWN)
    at = data.draw(st.integers(0, len(file)))
    to = data.draw(st.integers(at, min(at + 50, len(file))))
    mangled = file[:at] + data.draw(st.binary(max_size=5)) + file[to:]
    try:
        found = verify_consistency_proof(parse_consistency(mangled), KNOWN)
    except Unproven:
        return
    assert found == verify_consistency_proof(GROWN, KNOWN)
