"""Who may look: the bearer token, and the cookie that stands for it. Shows and logs neither.

The cookie is no token: it says until when it holds, under an HMAC that the token is the key of.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

COOKIE: Final = "shoetrail_session"
#: A day's work; the browser forgets the cookie earlier, when it is closed.
HOLDS_S: Final = 16 * 3600
_PURPOSE: Final = b"shoetrail dashboard session v1 until "
_SCHEME: Final = "bearer "
_LONGEST: Final = 4096
_MOST_DIGITS: Final = 12


class Door:
    """Lets those in who know the token; everybody where there is none."""

    def __init__(self, token: str | None, clock: Callable[[], float] = time.time) -> None:
        """Take the token; an empty one is none."""
        self._key = hashlib.sha256(token.encode()).digest() if token else None
        self._clock = clock

    def __repr__(self) -> str:
        """Say whether there is a token, and nothing of it."""
        return f"Door(shut={self.shut})"

    @property
    def shut(self) -> bool:
        """Whether a token is needed."""
        return self._key is not None

    def knows(self, authorization: str | None) -> bool:
        """Tell whether an ``Authorization`` header bears the token."""
        if self._key is None:
            return True
        told = authorization or ""
        if not told.lower().startswith(_SCHEME) or len(told) > _LONGEST:
            return False
        # Digests are of one length: how long it takes says nothing of the token's length either.
        given = hashlib.sha256(told[len(_SCHEME) :].strip().encode("latin-1", "replace")).digest()
        return hmac.compare_digest(given, self._key)

    def admits(self, cookies: str | None) -> bool:
        """Tell whether a ``Cookie`` header has a session that still holds."""
        if self._key is None:
            return True
        return any(map(self._holds, _values(cookies or "")))

    def session(self, *, secure: bool) -> str:
        """Make a ``Set-Cookie`` for someone who knows the token."""
        until = str(int(self._clock()) + HOLDS_S)
        kept = f"{COOKIE}={until}.{self._sealed(until)}; Path=/; HttpOnly; SameSite=Strict"
        return kept + "; Secure" if secure else kept

    def _holds(self, value: str) -> bool:
        until, _, seal = value.partition(".")
        if not (until.isascii() and until.isdigit() and len(until) <= _MOST_DIGITS):
            return False
        right = hmac.compare_digest(seal.encode("latin-1", "replace"), self._sealed(until).encode())
        return right and self._clock() < int(until)

    def _sealed(self, until: str) -> str:
        return hmac.new(self._key or b"", _PURPOSE + until.encode(), hashlib.sha256).hexdigest()


def _values(cookies: str) -> list[str]:
    """Read the session's values of a ``Cookie`` header; there may be several of one name."""
    pairs = (part.strip().partition("=") for part in cookies[:_LONGEST].split(";"))
    return [value for name, _, value in pairs if name == COOKIE]
