"""The checker and the seal of a log: checkpoints and keys that hold, and all that do not."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from services.ledger.checkpoint import shoe_origin
from services.ledger.note import Signer
from tests.support.checker import (
    GAME,
    OURS,
    SHORT,
    THEIRS,
    VKEY,
    Checker,
    Given,
    lines_of,
    sealed,
    spelled,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
OF_GAME = "casino.example/YABA4-WON/1"


@pytest.fixture
def seal(tmp_path: Path) -> Path:
    """The checkpoint of the scripted game's log."""
    path = tmp_path / "1.checkpoint"
    path.write_bytes(sealed(lines_of(GAME), shoe_origin(OURS.name, "YABA4-WON", 1)))
    return path


def test_a_sealed_log_with_its_key(checker: Checker, seal: Path) -> None:
    alone = checker.drop(GAME)
    assert alone.verdict == "pass"
    assert alone.told.endswith("The signature was not checked.")
    assert sum("No checkpoint was given" in claim for claim in alone.claims) == 2
    unsigned = checker.drop(seal)
    assert unsigned.verdict == "pass"
    assert any("all 75 lines" in claim for claim in unsigned.claims)
    assert any("said to be of casino.example, was not checked" in said for said in unsigned.claims)
    signed = checker.paste(VKEY)
    assert signed.verdict == "pass"
    assert signed.told == "YABA4-WON/1, 7 rounds: no fault. Signed by casino.example."
    assert any("signed with the key of casino.example" in claim for claim in signed.claims)
    # another log, without its own checkpoint, is not held against this one
    assert checker.choose(SHORT).verdict == "pass"
    assert (
        checker.drop(GAME, seal).told
        == "YABA4-WON/1, 7 rounds: no fault. Signed by casino.example."
    )


def test_keys_may_be_dropped_too_and_files_beside_a_log_are_passed_over(
    checker: Checker, seal: Path, tmp_path: Path
) -> None:
    key = tmp_path / "site.vkey"
    key.write_text(VKEY + "\n")
    beside = [tmp_path / name for name in ("1.live.jsonl", "1.audit.json", "1.verdicts.jsonl")]
    for path in beside:
        path.write_bytes(b"{}\n")
    shown = checker.drop(*beside, seal, GAME, key, SHORT)
    assert (shown.verdict, shown.told) == (
        "pass",
        "YABA4-WON/1, 7 rounds: no fault. Signed by casino.example.",
    )
    given = checker.page.inner_text("#given")
    assert "Not looked at, one shoe at a time: 1.live.jsonl, 1.audit.json" in given
    assert "2.jsonl" in given


@pytest.mark.parametrize(
    ("origin", "signer", "change"),
    [
        (OF_GAME, THEIRS, None),
        ("casino.example/YABA4-WON/2", OURS, None),
        ("casino.example/KTANE/1", OURS, None),
        ("elsewhere.example/YABA4-WON/1", OURS, None),
        (OF_GAME, OURS, lambda note: note.replace(b"\n75\n", b"\n74\n")),
        (OF_GAME, OURS, lambda note: note[:-8] + b"AAAA" + note[-4:]),
        (OF_GAME, OURS, lambda note: note.replace(b"\n", b"\r\n")),
        (OF_GAME, OURS, lambda note: b"\xef\xbb\xbf" + note),
        (OF_GAME, OURS, lambda note: note[:40]),
        (OF_GAME, OURS, lambda note: note.replace(b"\n75\n", b"\n075\n")),
        (OF_GAME, OURS, lambda _: b""),
        (OF_GAME, OURS, lambda _: b"\xff\xfe" * 9),
    ],
)  # fmt: skip
def test_a_seal_that_is_none(
    checker: Checker, origin: str, signer: Signer, change: Callable[[bytes], bytes] | None
) -> None:
    """Another key, another shoe, another site, a byte changed, CR LF, a mark, torn, misspelled."""
    note = sealed(lines_of(GAME), origin, signer)
    changed = note if change is None else change(note)
    assert changed != note or change is None
    (found,) = checker.run([Given(GAME.read_bytes(), changed, (VKEY,))])
    assert (found.verdict, found.findings) == (
        "fail",
        [("signature", "YABA4-WON/1", "fault", 0, 0)],
    )


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("hello", "name+id+key"),
        (VKEY[:-4], "no Ed25519 key"),
        (VKEY.replace("casino", "cazino"), "its id should be"),
        ("ca sino" + VKEY[14:], "a space"),
        (VKEY + "=", "no base64"),
        (VKEY + "\n" + "x+00000000+AA==", "no Ed25519 key"),
    ],
)
def test_a_key_that_is_none_is_never_a_pass(
    checker: Checker, seal: Path, key: str, says: str
) -> None:
    checker.choose(GAME, seal)
    shown = checker.paste(key)
    assert shown.verdict == "unusable"
    assert "the key cannot be used" in shown.told.lower()
    assert says in shown.told
    assert "by itself has no fault" in shown.told


def test_a_checkpoint_that_cannot_be_read_is_never_a_pass(checker: Checker, tmp_path: Path) -> None:
    bad = tmp_path / "1.checkpoint"
    bad.write_bytes(b"hello\n")
    shown = checker.drop(GAME, bad)
    assert (shown.verdict, shown.findings) == ("unusable", [])
    assert "The checkpoint cannot be used: it has no signature lines" in shown.told
    assert checker.paste(VKEY).verdict == "fail"


def test_lines_after_the_seal_and_lines_that_are_gone(checker: Checker) -> None:
    lines = lines_of(GAME)
    origin = shoe_origin(OURS.name, "YABA4-WON", 1)

    def check(there: Sequence[bytes], signed: Sequence[bytes]) -> tuple[str, list[tuple[str, str]]]:
        case = Given(spelled(there), sealed(signed, origin), (VKEY,))
        (found,) = checker.run([case])
        return found.verdict, [(code, at) for code, at, *_ in found.findings]

    assert check(lines, lines[:-1]) == ("fail", [("appended", "YABA4-WON/1-67")])
    assert check(lines[:-1], lines) == ("fail", [("truncated", "YABA4-WON/1-67")])
    assert check(lines[:-1], lines[:-1]) == ("open", [])
    assert check(lines[:-1], lines[:50])[0] == "open"
    assert check(lines[:-1], lines[:50])[1][0][0] == "unsealed"
    assert check(lines[:-1], [])[0] == "open"


def test_every_edit_of_a_sealed_log_is_found(checker: Checker) -> None:
    """Each byte of a line, bytes all over the log, and each line dropped, doubled, swapped."""
    lines = lines_of(SHORT)
    whole = spelled(lines)
    note = sealed(lines, shoe_origin(OURS.name, "KTANE", 2))
    dice = random.Random(4)  # noqa: S311 - the same each time
    first = len(lines[0]) + 1
    edits = [
        whole[:at] + bytes([whole[at] ^ 1 << dice.randrange(8)]) + whole[at + 1 :]
        for at in [*range(first, first + len(lines[1]) + 1), *dice.sample(range(len(whole)), 120)]
    ]
    for at in range(len(lines)):
        edits += [
            spelled([*lines[:at], *lines[at + 1 :]]),
            spelled([*lines[: at + 1], *lines[at:]]),
        ]
        edits.append(spelled(lines[:at]))
        if at:
            edits.append(spelled([*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]))
    found = checker.run([Given(edit, note, (VKEY,)) for edit in [whole, *edits]])
    assert found[0] == ("pass", [])
    assert {one.verdict for one in found[1:]} <= {"fail", "unusable"}
    assert len(found) > 300


def test_it_has_ed25519_of_its_own_where_the_browser_has_none(
    chromium: Browser, seal: Path
) -> None:
    """Both ways say the same; the browser's own is not there in the second page."""
    without = """
        const known = crypto.subtle.importKey.bind(crypto.subtle);
        SubtleCrypto.prototype.importKey = (form, key, name, ...rest) => (name.name ?? name) ===
            "Ed25519" ? Promise.reject(new DOMException("no", "NotSupportedError"))
                      : known(form, key, name, ...rest);
    """
    for before in (None, without):
        with chromium.new_context() as context:
            checker = Checker(context.new_page(), before)
            has = checker.evaluate("Ed25519.inBrowser()")
            assert has is (before is None), "this Chromium lacks Ed25519: only one way was tested"
            checker.choose(GAME, seal)
            assert "Signed by casino.example." in checker.paste(VKEY).told
            assert checker.paste(THEIRS.verifier.vkey).findings == [
                ("signature", "YABA4-WON/1", "fault", 0)
            ]
            assert checker.troubles == []


def test_without_webcrypto_it_says_so(chromium: Browser) -> None:
    before = 'Object.defineProperty(Crypto.prototype, "subtle", { get: () => undefined });'
    with chromium.new_context() as context:
        shown = Checker(context.new_page(), before).choose(GAME)
        assert shown.verdict == "unusable"
        assert "no WebCrypto" in shown.told


def test_a_fault_of_the_page_is_never_a_pass(fresh: Checker) -> None:
    fresh.evaluate("void (Lines.clock = () => { throw new Error('oops'); })")
    shown = fresh.choose(GAME)
    assert shown.verdict == "unusable"
    assert shown.told == "This page failed on it: Error: oops."
