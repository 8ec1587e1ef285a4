"""The ``shoetrail`` command: names its subcommands, and imports only the one that is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import typer

from services.cli.errors import ShoetrailGroup

#: Each subcommand in the order that help shows them: its module, and its function or Typer app.
COMMANDS: Final = {
    "demo": ("demo", "demo"),
    "serve": ("serve", "serve"),
    "run": ("run", "app"),
    "tell": ("tell", "tell"),
    "play": ("games", "app"),
    "autoplay": ("autoplay", "autoplay"),
    "audit": ("audit", "audit"),
    "key": ("key", "app"),
    "proof": ("proof", "proof"),
    "verify": ("verify", "verify"),
    "receipts": ("receipts", "receipts"),
    "dispute": ("dispute", "app"),
    "find": ("find", "find"),
    "replay": ("replay", "replay"),
    "compare": ("compare", "compare_command"),
    "roads": ("roads", "roads_command"),
    "shoe": ("shoe", "shoe_command"),
    "rules": ("rules", "rules_command"),
    "odds": ("odds", "odds_command"),
    "systems": ("systems", "systems"),
    "scores": ("scores", "scores"),
    "stats": ("stats", "stats"),
    "report": ("report", "report"),
    "export": ("export", "export"),
    "bundle": ("bundle", "bundle"),
}


class Commands(ShoetrailGroup):
    """Finds a subcommand by name; Redis and FastStream are not imported to print a shoe's order."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - typer's own signature
        """Name them all."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401, ARG002
        """Import one."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        found = getattr(import_module(f"services.cli.{module}"), name)
        if not isinstance(found, typer.Typer):
            single = typer.Typer(add_completion=False, rich_markup_mode=None)
            single.command(cmd_name)(found)
            found = single
        command = typer.main.get_command(found)
        command.name = cmd_name
        return command


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    help="An event-sourced baccarat shoe: deal, resolve, audit and replay.",
)


@app.callback()
def _shoetrail() -> None:
    """An event-sourced baccarat shoe: deal, resolve, audit and replay."""


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
