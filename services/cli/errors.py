"""How the command ends: exit codes, and one line on stderr for whatever went wrong.

0 well, 1 a fault was found (commands say so with ``typer.Exit``), 2 the input cannot be used, 70 a
bug of ours, 130 interrupted, 141 the reader of our output has left. Mends nothing.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperGroup

from schemas.errors import ShoetrailError
from schemas.plain_text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

UNUSABLE: Final = 2
BUG: Final = 70
INTERRUPTED: Final = 130
READER_LEFT: Final = 141

DEBUG: Final = "SHOETRAIL_DEBUG"
_REPORT: Final = f"please report it to Shoetrail's issues with the traceback that {DEBUG}=1 prints"
_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
_LONGEST: Final = 500


class ShoetrailGroup(TyperGroup):
    """The top of a command line: every way out of it is one of the exit codes above."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,  # noqa: ANN401 - typer's own signature
    ) -> Any:  # noqa: ANN401
        """Run; exit with a code, or give it back where not standing alone."""
        if sys.stdout is None:  # closed before we began: there is nobody to tell
            sys.exit(READER_LEFT)
        try:
            code = super().main(
                args=args,
                prog_name=prog_name,
                complete_var=complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                **extra,
            )
            sys.stdout.flush()
        except KeyboardInterrupt:
            code = INTERRUPTED
        except Exception as error:  # noqa: BLE001 - nothing may leave without its line
            code = _explained(error)
        code = code if isinstance(code, int) else 0
        if not standalone_mode:
            return code
        sys.exit(code)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer's own signature
        """Run the command; a reader who left is no error of anybody's."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Caught here, before typer makes it a fault found (exit code 1).
            raise typer.Exit(_reader_left()) from None


def _explained(error: Exception) -> int:
    """Say in one line what went wrong, and give the exit code."""
    if isinstance(error, BrokenPipeError):
        return _reader_left()
    if isinstance(error, typer.Abort):
        return INTERRUPTED
    if isinstance(error, ShoetrailError):
        return _said(str(error))
    if hasattr(error, "format_message"):  # typer's own errors share no public class
        return _misused(error)
    if isinstance(error, OSError) and (error.filename is not None or error.errno in _FULL):
        where = "" if error.filename is None else f"{error.filename}: "
        return _said(f"{where}{error.strerror}")
    if os.environ.get(DEBUG) == "1":
        traceback.print_exception(error)
    return _said(f"this is a bug: {type(error).__name__}: {error}; {_REPORT}", BUG)


def _misused(error: Any) -> int:  # noqa: ANN401 - see above
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return UNUSABLE
    hint = "" if context is None else f"; see {context.command_path} --help"
    return _said(error.format_message().rstrip(".") + hint)


def _said(text: str, code: int = UNUSABLE) -> int:
    line = clean(" ".join(text.split()))
    typer.echo(f"shoetrail: {line[:_LONGEST]}", err=True)
    return code


def _reader_left() -> int:
    """Send what is still in stdout's buffer nowhere, so that the interpreter ends quietly too."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return READER_LEFT
