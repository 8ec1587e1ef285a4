"""The key file that a site signs with: made, replaced, read. Never overwritten, never shown.

One line, ``PRIVATE+KEY+<name>+<key id>+<base64>``, of mode 0600. A key that was replaced stays
beside it, in ``<file>.<key id>``.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from schemas.errors import InputError, Unavailable, Unproven, why_not
from services.ledger.disk import make_folder, sync_folder
from services.ledger.note import Signer, Verifier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Where a site's key is kept in its state folder, unless told.
KEY_FILE: Final = "signing.key"
SITE: Final = "shoetrail.local"
_SITE: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,98}[A-Za-z0-9])?", re.ASCII)
_LONGEST: Final = 1_000
_LONGEST_LIST: Final = 1_000_000
_OLD: Final = re.compile(r"\.[0-9a-f]{8}", re.ASCII)
_SEED: Final = 32
_MAKE: Final = "make one with `shoetrail key new`"


def make_key(path: Path, name: str = SITE, random: Callable[[int], bytes] = os.urandom) -> Signer:
    """Make a key, and refuse where there is one already."""
    _check_site(name)
    made = _draw(name, random)
    with _folder(path):
        if not _place(path, made, new=True):
            mend = "it is never overwritten; see `shoetrail key rotate`, or give another --file"
            raise InputError("there is a key already", str(path), mend)
    return made


def key_at(path: Path, name: str = SITE) -> Signer:
    """Read the key, or make it where there is none."""
    if not path.exists():
        try:
            return make_key(path, name)
        except InputError:
            if not path.exists():
                raise
    return read_key(path)


def rotate_key(path: Path, random: Callable[[int], bytes] = os.urandom) -> Signer:
    """Put a new key of the same name in the old one's place; the old one stays beside it."""
    with _folder(path):
        old = read_key(path)
        made = _draw(old.name, random)
        kept = path.with_name(f"{path.name}.{old.verifier.key_id.hex()}")
        try:
            kept.hardlink_to(path)
        except FileExistsError:
            if read_key(kept).verifier != old.verifier:
                raise InputError("another key is kept here", str(kept), "move it away") from None
        except OSError as trouble:
            raise _cannot("keep", kept, trouble) from None
        _place(path, made, new=False)
    return made


def read_key(path: Path) -> Signer:
    """Read a private key; refuse one that others may read. Nothing of it is ever quoted."""
    try:
        with path.open("rb") as file:
            seen = os.fstat(file.fileno())
            data = file.read(_LONGEST + 1)
    except FileNotFoundError:
        raise InputError("there is no key", str(path), _MAKE) from None
    except OSError as trouble:
        raise _cannot("read", path, trouble) from None
    if stat.S_IMODE(seen.st_mode) & 0o077:
        raise InputError("others may read this private key", str(path), "chmod 600 it")
    try:
        return Signer.parse(data.decode("ascii", "replace").removesuffix("\n"))
    except Unproven as wrong:
        raise Unproven(wrong.what, str(path), wrong.mend or _MAKE) from None


def vkeys(path: Path) -> list[Verifier]:
    """Give the public keys of a site: that in use, then those it replaced, by their names."""
    found = [read_key(path).verifier]
    beside = sorted(path.parent.glob(path.name + ".*"))
    old = [one for one in beside if _OLD.fullmatch(one.name.removeprefix(path.name))]
    found += [read_key(one).verifier for one in old]
    return list(dict.fromkeys(found))


def parse_vkeys(texts: list[str], where: str) -> list[Verifier]:
    """Read vkeys, one or several lines in each text; a text may also name a file of them."""
    found: list[Verifier] = []
    for text in texts:
        for line in _vkey_lines(text, where):
            try:
                found.append(Verifier.parse(line))
            except Unproven as wrong:
                raise Unproven(wrong.what, where, wrong.mend) from None
    return list(dict.fromkeys(found))


def _vkey_lines(text: str, where: str) -> list[str]:
    try:
        if Path(text).is_file():
            with Path(text).open("rb") as file:
                text = file.read(_LONGEST_LIST).decode("utf-8", "replace")
    except (OSError, ValueError):  # no name of a file, or one that cannot be read
        pass
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    if not lines:
        raise Unproven("no vkey is here", where, "give what `shoetrail key show` prints")
    return lines


def _check_site(name: str) -> None:
    if _SITE.fullmatch(name) is None or "//" in name:
        mend = "use what stands for you alone, as casino.example, of A-Z a-z 0-9 . _ - /"
        raise InputError(f"{name[:60]!r} names no site", "--name", mend)


def _draw(name: str, random: Callable[[int], bytes]) -> Signer:
    try:
        seed = random(_SEED)
    except (OSError, NotImplementedError):
        seed = b""
    if len(seed) != _SEED:
        raise Unavailable("the system gives no randomness: no key is made")
    return Signer(name, seed)


@contextmanager
def _folder(path: Path) -> Iterator[None]:
    """Make the folder, and keep others from making or replacing keys in it."""
    try:
        make_folder(path.parent)
        handle = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as trouble:
        raise _cannot("keep", path, trouble) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _place(path: Path, made: Signer, *, new: bool) -> bool:
    """Bring a key to the disk whole, or not at all; False where there is one and there should not.

    The name is a second link to a file that is on the disk: a crash leaves no half of a key.
    """
    try:
        file, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        fresh = Path(name)  # of mode 0600
        try:
            with open(file, "wb") as temporary:  # noqa: PTH123 - it is open already
                temporary.write(made.private_text().encode() + b"\n")
                temporary.flush()
                os.fsync(file)
            if new:
                path.hardlink_to(fresh)
            else:
                fresh.replace(path)
        except FileExistsError:
            return False
        finally:
            fresh.unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as trouble:
        raise _cannot("keep", path, trouble) from None
    return True


def _cannot(do: str, path: Path, trouble: OSError) -> InputError:
    why = why_not(trouble)
    return InputError(f"cannot {do} the key ({why})", str(path), "look at its permissions")
