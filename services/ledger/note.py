"""Signed notes (c2sp.org/signed-note) with Ed25519: parse, format, sign, verify; vkeys. No I/O.

Whatever comes in, what is wrong with it is said by ``Unproven`` and by nothing else.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from schemas.errors import Unproven
from schemas.plain_text import is_utf8
from services.ledger.spelling import from_base64, to_base64

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Larger notes, and those with more signatures, are refused unread (the format wants 16 or more).
LONGEST: Final = 1_000_000
MOST_SIGNATURES: Final = 100
_DASH: Final = "\u2014 "
_ED25519: Final = b"\x01"
_SEED: Final = 32
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")
_ID: Final = 4
_PRIVATE: Final = "PRIVATE+KEY+"
_VKEY: Final = "a vkey is <name>+<8 hex digits>+<base64>, as `shoetrail key show` prints it"


class Signature(NamedTuple):
    """One signature line of a note; ``signature`` is what follows the key id."""

    name: str
    key_id: bytes
    signature: bytes


class Note(NamedTuple):
    """A note: its text, with the final newline, and its signatures, none of them checked."""

    text: str
    signatures: tuple[Signature, ...]


class Verifier:
    """A public key with its name. Equal where name and key are."""

    __slots__ = ("_key", "key_id", "name", "public")

    def __init__(self, name: str, public: bytes) -> None:
        """Take 32 bytes of public key."""
        if not is_key_name(name):
            raise Unproven(f"{name[:60]!r} names no key", mend="use no spaces and no +")
        if type(public) is not bytes or len(public) != _SEED:
            raise Unproven("an Ed25519 public key is 32 bytes")
        try:
            self._key = Ed25519PublicKey.from_public_bytes(public)
        except ValueError:
            raise Unproven("these bytes are no Ed25519 public key") from None
        self.name = name
        self.public = public
        self.key_id = sha256(name.encode() + b"\n" + _ED25519 + public).digest()[:_ID]

    @classmethod
    def parse(cls, vkey: str) -> Verifier:
        """Read ``<name>+<hex key id>+<base64(01 || public key)>``."""
        name, key_id, data = _three(vkey, "vkey")
        if data[:1] != _ED25519:
            raise Unproven("this vkey is of another kind than Ed25519", mend=_VKEY)
        found = cls(name, data[1:])
        if found.key_id.hex() != key_id:
            raise Unproven("the vkey's key id is not that of its name and key", mend=_VKEY)
        return found

    @property
    def vkey(self) -> str:
        """Spell it as text that may be given to anybody."""
        return f"{self.name}+{self.key_id.hex()}+{to_base64(_ED25519 + self.public)}"

    def has_signed(self, text: str, signature: bytes) -> bool:
        """Tell whether this key made this signature of a note's text."""
        try:
            self._key.verify(signature, text.encode())
        except (InvalidSignature, ValueError):
            return False
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verifier):
            return NotImplemented
        return (self.name, self.public) == (other.name, other.public)

    def __hash__(self) -> int:
        return hash((self.name, self.public))

    def __repr__(self) -> str:
        return f"Verifier({self.vkey!r})"


class Signer:
    """A private key with its name. Its ``repr`` shows nothing of it."""

    __slots__ = ("_key", "_seed", "verifier")

    def __init__(self, name: str, seed: bytes) -> None:
        """Take 32 bytes of seed (RFC 8032)."""
        if type(seed) is not bytes or len(seed) != _SEED:
            raise Unproven("an Ed25519 private key is 32 bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self._seed = seed
        self.verifier = Verifier(name, self._key.public_key().public_bytes_raw())

    @classmethod
    def parse(cls, text: str) -> Signer:
        """Read ``PRIVATE+KEY+<name>+<hex key id>+<base64(01 || seed)>``; never quotes it."""
        if not text.startswith(_PRIVATE):
            raise Unproven("this is no private key", mend="make one with `shoetrail key new`")
        name, key_id, data = _three(text.removeprefix(_PRIVATE), "private key")
        if data[:1] != _ED25519:
            raise Unproven("this private key is of another kind than Ed25519")
        found = cls(name, data[1:])
        if found.verifier.key_id.hex() != key_id:
            raise Unproven("the private key's id is not that of its name and key")
        return found

    @property
    def name(self) -> str:
        """The key's name, which is the site's."""
        return self.verifier.name

    def private_text(self) -> str:
        """Spell the private key, for its file alone."""
        data = to_base64(_ED25519 + self._seed)
        return f"{_PRIVATE}{self.name}+{self.verifier.key_id.hex()}+{data}"

    def sign(self, text: str) -> bytes:
        """Sign a text; the same text gives the same bytes."""
        signature = self._key.sign(_checked_text(text).encode())
        line = Signature(self.name, self.verifier.key_id, signature)
        return format_note(Note(text, (line,)))

    def __repr__(self) -> str:
        return f"Signer({self.name!r}, [withheld])"


def is_key_name(name: str) -> bool:
    """Tell whether a key may be called so: some text without spaces, ``+`` or controls."""
    if not name or "+" in name or any(one.isspace() or one < " " for one in name):
        return False
    return is_utf8(name)


def parse_note(data: bytes) -> Note:
    """Read a note; its signatures are not checked."""
    if type(data) is not bytes or len(data) > LONGEST:
        raise Unproven(f"a note is at most {LONGEST} bytes")
    try:
        whole = data.decode()
    except UnicodeDecodeError:
        raise Unproven("this note is no UTF-8") from None
    text, parted, lines = whole.rpartition("\n\n")
    text += "\n"
    if not parted or not lines.endswith("\n"):
        raise Unproven("this is no signed note", mend="a text, an empty line, signature lines")
    signed = lines[:-1].split("\n")
    if len(signed) > MOST_SIGNATURES:
        raise Unproven(f"a note has at most {MOST_SIGNATURES} signatures")
    return Note(_checked_text(text), tuple(map(_signature, signed)))


def format_note(note: Note) -> bytes:
    """Spell a note."""
    lines = [
        f"{_DASH}{one.name} {to_base64(one.key_id + one.signature)}\n" for one in note.signatures
    ]
    return f"{note.text}\n{''.join(lines)}".encode()


def verify_note(note: Note, known: Iterable[Verifier]) -> Verifier:
    """Give a known key that signed; unknown keys are passed over.

    Raises ``Unproven`` where none did, and where a known key's signature is bad.
    """
    keys: dict[tuple[str, bytes], Verifier] = {}
    for key in known:
        if keys.setdefault((key.name, key.key_id), key) != key:
            raise Unproven(f"two keys are called {key.name}+{key.key_id.hex()}", mend="give one")
    signed = None
    for line in note.signatures:
        claimed = keys.get((line.name, line.key_id))
        if claimed is None:
            continue
        if not claimed.has_signed(note.text, line.signature):
            raise Unproven(f"the signature of {line.name[:60]} is not of this text")
        signed = signed or claimed
    if signed is None:
        names = ", ".join(f"{one.name}+{one.key_id.hex()}" for one in note.signatures)
        raise Unproven(f"no key that was given has signed this, but {names[:120]}")
    return signed


def _signature(line: str) -> Signature:
    name, space, text = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not space or not is_key_name(name):
        raise Unproven("a note's signature line is not as it has to be")
    data = from_base64(text, "a note's signature")
    if len(data) <= _ID:
        raise Unproven("a note's signature is too short")
    return Signature(name, data[:_ID], data[_ID:])


def _checked_text(text: str) -> str:
    if not text.endswith("\n"):
        raise Unproven("a note's text ends in a newline")
    if _CONTROL.search(text) is not None:
        raise Unproven("a note holds no control characters", mend="lines end in LF alone")
    if not is_utf8(text):
        raise Unproven("a note holds UTF-8 only")
    return text


def _three(text: str, what: str) -> tuple[str, str, bytes]:
    """Part ``<name>+<hex>+<base64>``; the base64 may hold more of the plus signs."""
    name, first, rest = text.partition("+")
    key_id, second, data = rest.partition("+")
    if not first or not second or not is_key_name(name) or len(text) > LONGEST:
        raise Unproven(f"this is no {what}", mend=_VKEY if what == "vkey" else "")
    return name, key_id, from_base64(data, f"the {what}'s key")
