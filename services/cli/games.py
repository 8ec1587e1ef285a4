"""``shoetrail play``: which game is asked for, and whose command plays it. Plays none itself."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand

from services.cli.play import play

#: Games with options of their own: each one's module and function. Any other name is a scenario's.
GAMES: Final = {"ktane": ("ktane", "ktane")}


class ByGame(TyperCommand):
    """Hands over to a game's own command where the first word names one."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: Any = None,  # noqa: ANN401 - typer's own signature
        **extra: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Read the words; the context tells which command they are for."""
        named = GAMES.get(args[0]) if args else None
        if named is None:
            return super().make_context(info_name, args, parent, **extra)
        module, name = named
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(args[0])(getattr(import_module(f"services.cli.{module}"), name))
        command = typer.main.get_command(single)
        return command.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)


app = typer.Typer(add_completion=False, rich_markup_mode=None)
app.command(
    "play", cls=ByGame, epilog="A game with options of its own: shoetrail play ktane --help"
)(play)
