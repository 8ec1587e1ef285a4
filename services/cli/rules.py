"""``shoetrail rules``: the published rule sets, to read. Plays and changes none of them."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from schemas.errors import InputError
from schemas.events import RuleText
from schemas.ruleset import RuleSet, named, parse, published
from services.cli import output, rules_text


class Listed(msgspec.Struct, frozen=True):
    """A published rule set in a line."""

    name: str
    title: str
    decks: int
    currency: str
    sha256: str


def rules_command(
    name: Annotated[
        str | None, typer.Argument(help="A rule set; all are listed where none is named.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print the published TOML itself.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the rule sets, or show one.

    Drawing, spots, pays, limits, commission, end.

    For example:

      shoetrail rules

      shoetrail rules punto-banco

      shoetrail rules punto-banco --text | sha256sum
    """
    if text and json:
        raise InputError("--text and --json exclude each other", mend="give one of them")
    if name is None:
        if text:
            raise InputError("no rule set is named", "--text", "write: shoetrail rules NAME --text")
        _list(json=json)
        return
    rules_of = named(name)
    if text:
        typer.echo(rules_of.text, nl=False)
    elif json:
        output.document({"sha256": rules_of.sha256, **msgspec.to_builtins(parse(rules_of.text))})
    else:
        _show(rules_of, parse(rules_of.text))


def _list(*, json: bool) -> None:
    parsed = [(one.sha256, parse(one.text)) for one in published().values()]
    listed = [
        Listed(rules.name, rules.title, rules.decks, rules.currency, sha256)
        for sha256, rules in parsed
    ]
    if json:
        output.document(listed)
    else:
        rows = [[one.name, one.title, str(one.decks), one.currency] for one in listed]
        output.table("Published rule sets", ["name", "title", "decks", "currency"], rows)


def _show(published_text: RuleText, rules: RuleSet) -> None:
    output.facts(rules.title, {**rules_text.summary(rules), "sha256": published_text.sha256})
    output.table(
        "The banker draws (D) or stands (S), by the player's third card",
        ["total", "player stood", *(str(value) for value in range(10))],
        rules_text.chart(rules),
    )
    output.table("Spots", ["spot", "hand", "minimum", "maximum", "step"], rules_text.spots(rules))
    output.table(
        "The first that holds decides", ["spot", "when", "comes to"], rules_text.pays(rules)
    )
