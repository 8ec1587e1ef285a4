from __future__ import annotations

import json
from base64 import b64decode, b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import ShoetrailError, Unproven
from services.ledger.note import (
    LONGEST,
    Note,
    Signature,
    Signer,
    Verifier,
    format_note,
    is_key_name,
    parse_note,
    verify_note,
)

if TYPE_CHECKING:
    from collections.abc import Callable

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "notes" / "notes.json").read_text()
)["notes"]
EXAMPLE, NEUMANN = VECTORS
FOO = Verifier.parse(EXAMPLE["vkey"])
NOTE: bytes = EXAMPLE["note"].encode()
OURS = Signer("casino.example", bytes(range(32)))


def open_note(data: bytes, known: list[Verifier]) -> str:
    """Read a note and give its text, once a known key has signed it."""
    note = parse_note(data)
    verify_note(note, known)
    return note.text


@pytest.mark.parametrize("vector", VECTORS)
def test_the_notes_of_the_documents(vector: dict[str, Any]) -> None:
    key = Verifier.parse(vector["vkey"])
    assert key.vkey == vector["vkey"]
    note = parse_note(vector["note"].encode())
    assert verify_note(note, [key]) == key
    assert note.text == vector["text"]
    assert format_note(note) == vector["note"].encode()


def test_signing_gives_the_document_s_bytes() -> None:
    signer = Signer.parse(NEUMANN["private"])
    assert signer.private_text() == NEUMANN["private"]
    assert signer.verifier.vkey == NEUMANN["vkey"]
    assert signer.sign(NEUMANN["text"]).decode() == NEUMANN["note"]


def test_a_private_key_shows_nothing_of_itself() -> None:
    assert "[withheld]" in repr(OURS)
    assert OURS.private_text().rpartition("+")[2] not in repr(OURS) + str(OURS)
    assert bytes(range(32)).hex() not in repr(OURS)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60), st.binary(min_size=32,
       max_size=32))  # fmt: skip
def test_what_is_signed_verifies_and_nothing_else_does(text: str, seed: bytes) -> None:
    signer = Signer("s", seed)
    data = signer.sign(text + "\n\n \n")
    assert open_note(data, [signer.verifier]) == text + "\n\n \n"
    with pytest.raises(Unproven):
        open_note(data.replace(b"\n\n \n", b"\n\n-\n", 1), [signer.verifier])
    with pytest.raises(Unproven):
        open_note(data, [Verifier("s", OURS.verifier.public)])


def with_lines(*lines: Signature, text: str = "hello\n") -> bytes:
    return format_note(Note(text, lines))


def good(signer: Signer = OURS, text: str = "hello\n") -> Signature:
    return parse_note(signer.sign(text)).signatures[0]


def test_unknown_keys_are_passed_over() -> None:
    other = Signer("witness.example", bytes(32))
    note = with_lines(good(other), good(), Signature("x", b"1234", b"no Ed25519 at all"))
    assert open_note(note, [OURS.verifier]) == "hello\n"
    assert open_note(note, [other.verifier, OURS.verifier]) == "hello\n"
    # the same name with another key, and the same key id under another name, are unknown too
    named = Signature(OURS.name, b"1234", bytes(64))
    renamed = Signature("eve.example", OURS.verifier.key_id, bytes(64))
    assert open_note(with_lines(named, renamed, good()), [OURS.verifier]) == "hello\n"
    for known in ([], [Signer("casino.example", bytes(32)).verifier], [FOO]):
        with pytest.raises(Unproven, match="no key that was given has signed this"):
            open_note(note, known)


@pytest.mark.parametrize("bad", [bytes(64), b"x", bytes(65)])
def test_a_bad_signature_by_a_known_key_is_refused_though_another_is_good(bad: bytes) -> None:
    line = Signature(OURS.name, OURS.verifier.key_id, bad)
    other = Signer("witness.example", bytes(32))
    for lines in ((line, good()), (good(), line), (good(other), line)):
        with pytest.raises(Unproven, match="is not of this text"):
            open_note(with_lines(*lines), [OURS.verifier, other.verifier])


def test_two_keys_of_one_name_and_id() -> None:
    twin = Verifier(OURS.name, Signer("t", bytes(32)).verifier.public)
    twin.key_id = OURS.verifier.key_id
    with pytest.raises(Unproven, match="two keys are called"):
        open_note(with_lines(good()), [OURS.verifier, twin])
    assert open_note(with_lines(good()), [OURS.verifier, OURS.verifier]) == "hello\n"


def test_every_single_byte_edit_of_a_note_is_refused() -> None:
    for at in range(len(NOTE)):
        for byte in (NOTE[at] ^ 1, NOTE[at] ^ 0x20, 0, 10, 13, 32, 65, 255):
            if byte != NOTE[at]:
                edited = NOTE[:at] + bytes([byte]) + NOTE[at + 1 :]
                with pytest.raises(Unproven):
                    open_note(edited, [FOO])


_SIG = NOTE.split(b" ")[-1]

BAD_NOTES = {
    "empty": b"",
    "text alone": b"hello\n",
    "no signature line": b"hello\n\n",
    "an empty signature line": b"hello\n\n\n",
    "no empty line": NOTE.replace(b"\n\n", b"\n"),
    "no final newline": NOTE[:-1],
    "CRLF": NOTE.replace(b"\n", b"\r\n"),
    "BOM": b"\xef\xbb\xbf" + NOTE,
    "UTF-16": NOTE.decode().encode("utf-16"),
    "a lone surrogate": "a\ud800".encode("utf-8", "surrogatepass") + NOTE,
    "a NUL": b"\0" + NOTE,
    "a tab": b"a\t" + NOTE,
    "another dash": NOTE.replace("\u2014".encode(), b"-"),
    "two spaces": NOTE.replace(b"foo Uw", b"foo  Uw"),
    "a no-break space in the name": NOTE.replace(b"com/foo Uw", "com\u00a0foo Uw".encode()),
    "a plus in the name": NOTE.replace(b"com/foo Uw", b"com+foo Uw"),
    "no name": NOTE.replace(b"example.com/foo Uw", b" Uw"),
    "no base64": NOTE.replace(_SIG, b"!!!!\n"),
    "base64 with a space": NOTE[:-1] + b" \n",
    "no padding": NOTE.replace(b"aQM=", b"aQM"),
    "loose bits": NOTE.replace(b"aQM=", b"aQN="),
    "URL-safe base64": NOTE.replace(b"Uw2Q", b"Uw-_"),
    "a key id and no signature": NOTE.replace(_SIG, b64encode(b"S\r\x90:") + b"\n"),
    "half of it": NOTE[: len(NOTE) // 2],
    "too long": b"x" * LONGEST + NOTE,
    "too many signatures": NOTE + NOTE.split(b"\n\n")[1] * 100,
}


@pytest.mark.parametrize("what", BAD_NOTES)
def test_bad_notes(what: str) -> None:
    with pytest.raises(Unproven) as caught:
        open_note(BAD_NOTES[what], [FOO])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_as_many_signatures_as_the_format_wants() -> None:
    others = [Signature(f"w{number}", b"1234", bytes(5000)) for number in range(16)]
    assert open_note(with_lines(*others, good()), [OURS.verifier]) == "hello\n"


@pytest.mark.parametrize("text", ["", "no newline", "a\r\n", "\t\n", "\ud800\n", "\0\n"])
def test_texts_that_are_not_signed(text: str) -> None:
    with pytest.raises(Unproven):
        OURS.sign(text)


VKEY: str = EXAMPLE["vkey"]
BAD_VKEYS = [
    "", "+", "++", "a", "a+b", "a+b+c", VKEY[:-1], VKEY + "=", VKEY + "\n", " " + VKEY,
    "\ufeff" + VKEY, VKEY.replace("530d903a", "530d903b"), VKEY.replace("530d903a", "530D903A"),
    VKEY.replace("example", "exbmple"), VKEY.replace("example", "ex ample"), "+" + VKEY,
    VKEY.replace("AekyeRrm", "BOkyeRrm"), VKEY.replace("+530d903a", ""), "\ud800" + VKEY,
    "x+00000000+" + b64encode(b"\1" + bytes(31)).decode(), NEUMANN["private"], "é" * 10,
    "a" * 10**6,
]  # fmt: skip


@pytest.mark.parametrize("vkey", BAD_VKEYS)
def test_bad_vkeys(vkey: str) -> None:
    with pytest.raises(Unproven):
        Verifier.parse(vkey)


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text[:-1],
        lambda text: text + "\r",
        lambda text: "\ufeff" + text,
        lambda text: text.removeprefix("PRIVATE+KEY+"),
        lambda text: text.replace("c74f20a3", "c74f20a4"),
        lambda text: text.replace("+AY", "+BY"),
        lambda _text: NEUMANN["vkey"],
        lambda _text: "",
    ],
)
def test_bad_private_keys_are_not_quoted(edit: Callable[[str], str]) -> None:
    text = edit(NEUMANN["private"])
    with pytest.raises(Unproven) as caught:
        Signer.parse(text)
    assert "YEKFALV" not in str(caught.value)


def test_keys_of_other_sizes() -> None:
    for size in (0, 31, 33):
        with pytest.raises(Unproven):
            Signer("s", bytes(size))
        with pytest.raises(Unproven):
            Verifier("s", bytes(size))
    with pytest.raises(Unproven):
        Signer("a b", bytes(32))


def test_key_names() -> None:
    for good_name in ("a", "casino.example/t", "é", "日本"):
        assert is_key_name(good_name)
    for bad in ("", "a b", "a+b", "a\u2003b", "a\nb", "\x1f", "\ud800"):
        assert not is_key_name(bad)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_note_or_one_error(data: bytes) -> None:
    _only_unproven(data)


@given(st.text(max_size=80), st.lists(st.tuples(st.text(max_size=20), st.binary(max_size=90))))
def test_anything_like_a_note_is_one_or_one_error(
    text: str, lines: list[tuple[str, bytes]]
) -> None:
    signed = "".join(f"\u2014 {name} {b64encode(data).decode()}\n" for name, data in lines)
    _only_unproven(f"{text}\n\n{signed}".encode("utf-8", "surrogatepass"))


@given(st.data())
def test_a_note_mangled_in_any_way_is_one_error(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(NOTE)))
    to = data.draw(st.integers(at, len(NOTE)))
    other = data.draw(st.binary(max_size=20))
    mangled = NOTE[:at] + other + NOTE[to:]
    if mangled != NOTE:
        _only_unproven(mangled)


def _only_unproven(data: bytes) -> None:
    try:
        note = parse_note(data)
        assert format_note(note) == data  # one spelling
        verify_note(note, [FOO])
    except Unproven:
        return
    assert note.text == EXAMPLE["text"]


@given(st.text(max_size=120) | st.from_regex(r"[a-z]{1,5}\+[0-9a-f]{8}\+[A-Za-z0-9+/=]*"))
def test_any_text_is_a_vkey_or_one_error(text: str) -> None:
    for parse in (Verifier.parse, Signer.parse):
        with pytest.raises(ShoetrailError):
            parse(text)
    assert b64decode("") == b""
