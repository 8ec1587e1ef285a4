"""What only the dealer may know until a shoe closes, kept outside every stream. Deals nothing.

A shoe's secret is made once and found again after a crash. Its ``repr`` shows nothing.
"""

from __future__ import annotations

import hmac
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import msgspec

from schemas.cards import card_named, order_text
from schemas.envelope import dump, from_plain, load
from schemas.errors import InputError, Unavailable
from services.ledger.disk import make_folder, sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas.address import Shoe
    from schemas.cards import Card

_BYTES = 32
_CUT = ".cut"


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A secret as its file holds it."""

    value: str
    order: str | None


class Secret:
    """A shoe's 32 secret bytes: the server seed, or the salt of a stacked order."""

    __slots__ = ("order", "value")

    def __init__(self, value: bytes, order: tuple[Card, ...] | None) -> None:
        """Keep the bytes, and the stacked order where there is one."""
        self.value = value
        self.order = order

    def __repr__(self) -> str:
        """Show nothing of it."""
        return "Secret([withheld])"


class Secrets(Protocol):
    """Where a dealer's secrets come from; the same shoe always gets the same one."""

    def make(self, shoe: Shoe, order: tuple[Card, ...] | None) -> Secret:
        """Give a new shoe's secret, kept from now on; ``order`` is a stacked shoe's."""

    def find(self, shoe: Shoe, order: tuple[Card, ...] | None) -> Secret | None:
        """Find the secret of a shoe that was opened; a stacked shoe's order may be ``order``."""

    def cut(self, shoe: Shoe) -> None:
        """Note that a shoe's cut is on the record: its cards may be seen from now on."""


class DerivedSecrets:
    """Secrets of a simulated run, all from its first seed; for runs that anyone may repeat."""

    def __init__(self, first_seed: bytes) -> None:
        """Start from the 32 bytes that shoe 1 is dealt from."""
        if len(first_seed) != _BYTES:
            raise InputError(f"a seed is {_BYTES} bytes, not {len(first_seed)}")
        self._first = first_seed

    def make(self, shoe: Shoe, order: tuple[Card, ...] | None) -> Secret:
        """Shoe 1 has the first seed; later ones HMAC-SHA-256(first, "server " + address)."""
        if order is not None:
            return Secret(hmac.digest(self._first, f"salt {shoe}".encode(), "sha256"), order)
        if shoe.number == 1:
            return Secret(self._first, None)
        return Secret(hmac.digest(self._first, f"server {shoe}".encode(), "sha256"), None)

    def find(self, shoe: Shoe, order: tuple[Card, ...] | None) -> Secret | None:
        """Derive it again."""
        return self.make(shoe, order)

    def cut(self, shoe: Shoe) -> None:
        """Note nothing: such runs are there to be repeated."""


class FileSecrets:
    """Secrets drawn from the system's randomness and kept in files of mode 0600.

    The file is on disk before its commitment leaves this process. Without randomness no shoe
    is opened: there is nothing to fall back to.
    """

    def __init__(self, folder: Path, random: Callable[[int], bytes] = os.urandom) -> None:
        """Keep secrets under ``folder``/<table>/<shoe>.json."""
        self._folder = folder
        self._random = random

    def find(self, shoe: Shoe, order: tuple[Card, ...] | None) -> Secret | None:  # noqa: ARG002
        """Read what was kept; the order is kept with it."""
        return self._read(self._path(shoe))

    def make(self, shoe: Shoe, order: tuple[Card, ...] | None) -> Secret:
        """Draw and keep a secret; one that was kept before its shoe was opened is taken again.

        Never one whose shoe was cut: who saw its cards, and cuts again, would know those to come.
        """
        path = self._path(shoe)
        if path.with_suffix(_CUT).exists():
            what = f"{shoe} was cut and dealt from before, and its events are not in this Redis"
            mend = "start the Redis that has them, take another table's name, or move both away"
            where = f"{shoe.table}/{shoe.number}{_CUT} and .json in the state folder"
            raise InputError(what, where, mend)
        found = self._read(path)
        if found is not None and found.order == order:
            return found
        try:
            value = self._random(_BYTES)
        except (OSError, NotImplementedError):
            raise Unavailable("the system gives no randomness: no shoe is opened") from None
        if len(value) != _BYTES:
            raise Unavailable("the system gives too little randomness: no shoe is opened")
        kept = _Kept(value.hex(), None if order is None else order_text(order))
        if self._keep(path, dump(kept), new=found is None):
            return Secret(value, order)
        return self.make(shoe, order)  # another dealer of this table was quicker: take his

    def cut(self, shoe: Shoe) -> None:
        """Note it in an empty file beside the secret."""
        path = self._path(shoe).with_suffix(_CUT)
        if path.exists():
            return
        try:
            path.touch(mode=0o600)
            sync_folder(path.parent)
        except OSError as error:
            raise _unkept(error) from None

    def _path(self, shoe: Shoe) -> Path:
        return self._folder / shoe.table / f"{shoe.number}.json"

    def _read(self, path: Path) -> Secret | None:
        where = f"{path.name} in the state folder"
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"cannot read ({error.strerror})", where) from None
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise InputError("others may read this secret", where, "chmod 600 it")
        kept = from_plain(_Kept, load(data, where), where)
        try:
            value = bytes.fromhex(kept.value)
        except ValueError:
            value = b""
        order = None if kept.order is None else tuple(map(card_named, kept.order.split()))
        if len(value) != _BYTES or (order is not None and None in order):
            raise InputError("this is no secret of a shoe", where, "restore it") from None
        return Secret(value, cast("tuple[Card, ...] | None", order))

    def _keep(self, path: Path, data: bytes, *, new: bool) -> bool:
        """Bring a secret to the disk; False where it should be new and one has come meanwhile."""
        try:
            make_folder(path.parent)
            path.parent.chmod(0o700)
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            fresh = Path(name)  # of mode 0600
            try:
                with open(handle, "wb") as file:  # noqa: PTH123 - it is open already
                    file.write(data)
                    file.flush()
                    os.fsync(handle)
                if not new:
                    fresh.replace(path)
                else:
                    try:
                        path.hardlink_to(fresh)
                    except FileExistsError:
                        return False
            finally:
                fresh.unlink(missing_ok=True)
            sync_folder(path.parent)
        except OSError as error:
            raise _unkept(error) from None
        return True


def _unkept(error: OSError) -> Unavailable:
    return Unavailable(f"cannot keep a secret in the state folder: {error.strerror}")
