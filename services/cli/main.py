"""The ``shoetrail`` command: names its subcommands and nothing more."""

from __future__ import annotations

import typer

from services.cli import run as run_module
from services.cli.audit import audit
from services.cli.demo import demo
from services.cli.errors import ShoetrailGroup
from services.cli.play import play
from services.cli.replay import replay
from services.cli.rules import rules_command
from services.cli.serve import serve
from services.cli.shoe import shoe_command
from services.cli.tell import tell

app = typer.Typer(
    cls=ShoetrailGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    help="An event-sourced baccarat shoe: deal, resolve, audit and replay.",
)
app.command("demo")(demo)
app.command("serve")(serve)
app.add_typer(run_module.app, name="run")
app.command("tell")(tell)
app.command("play")(play)
app.command("audit")(audit)
app.command("replay")(replay)
app.command("shoe")(shoe_command)
app.command("rules")(rules_command)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
