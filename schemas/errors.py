"""The one error hierarchy: what the user can mend apart from what is a bug. Raises nothing itself.

Every error that we raise on purpose is a ``ShoetrailError``. Anything else that escapes is a bug.
"""

from __future__ import annotations


class ShoetrailError(Exception):
    """Something went wrong that we foresaw; ``str()`` is one line for a person."""


class InputError(ShoetrailError):
    """Input that cannot be used and that its sender can mend: exit code 2.

    ``what`` is wrong, ``where`` it stands, and what to do (``mend``); ``str()`` joins the three.
    """

    def __init__(self, what: str, where: str = "", mend: str = "") -> None:
        """Keep the three parts; an empty one is left out of the line."""
        self.what = " ".join(what.split())
        self.where = " ".join(where.split())
        self.mend = " ".join(mend.split())
        place = f"{self.where}: " if self.where else ""
        cure = f"; {self.mend}" if self.mend else ""
        super().__init__(f"{place}{self.what}{cure}")


def cannot_read(where: object, trouble: OSError) -> InputError:
    """Say why a file is not read."""
    if isinstance(trouble, FileNotFoundError):
        return InputError("there is no such file", str(where), "name one that is there")
    return InputError(f"cannot be read ({why_not(trouble)})", str(where), "look at its permissions")


def why_not(trouble: OSError) -> str:
    """Give the system's own reason, as part of a line."""
    return (trouble.strerror or str(trouble) or "no reason given").lower()


class Unreadable(InputError):
    """Bytes that are no entry of ours: not JSON, not this schema, not this spelling."""


class Unproven(InputError):
    """A key, signed note, checkpoint or proof that is not what it claims to be."""


class Conflict(ShoetrailError):
    """Somebody else said something else at this address: the table stops in this process."""


class Lost(ShoetrailError):
    """A stream is shorter than we know it to be, or not the one we read: never read on."""


class Unavailable(ShoetrailError):
    """A server that we need does not answer."""
