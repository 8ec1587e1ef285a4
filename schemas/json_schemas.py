"""The published language as JSON Schema 2020-12, made from its structs. Says nothing of its own.

A schema is of a whole entry, envelope included; what was said is its ``data``. Ids, sources and
times are held to their spelling here, which decoding leaves to those who use them.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from schemas.address import NAME
from schemas.commands import COMMANDS, SPOT
from schemas.disputes import DISPUTES
from schemas.events import EVENTS, NOTICES
from schemas.outcomes import OUTCOMES
from schemas.ruleset import RuleSet
from schemas.verdicts import VERDICTS

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
#: What is said, by the envelope's type, in families of one spelling of ids and sources.
FAMILIES: Final[dict[str, dict[str, type[Any]]]] = {
    "commands": {**COMMANDS},
    "events": {**EVENTS},
    "outcomes": {**OUTCOMES},
    "verdicts": {**VERDICTS},
    "disputes": {**DISPUTES},
    "notices": {**NOTICES},
}

_NUMBER: Final = "(?:0|[1-9][0-9]{0,15})"
_COUNT: Final = "(?:0|[1-9][0-9]{0,9})"
_BET: Final = f"{_COUNT}-{_COUNT}/{NAME}/{SPOT}/{_COUNT}"
_ENTRY: Final = f"{_NUMBER}-{_NUMBER}"
_TIME: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z"


def components(ref: str) -> dict[str, Schema]:
    """Give each struct's schema by its name, each entry's by family and type; sorted.

    A command and the event that answers it may be of one type: ``commands.shoe.cut`` is not
    ``events.shoe.cut``. ``ref`` is where they are going to stand, such as ``#/$defs/``.
    """
    structs = [struct for family in FAMILIES.values() for struct in family.values()]
    _, found = msgspec.json.schema_components(structs, ref_template=ref + "{name}")
    made = {name: _tidied(schema) for name, schema in found.items()}
    for family, types in FAMILIES.items():
        for name, struct in types.items():
            made[f"{family}.{name}"] = _entry(family, name, ref + struct.__name__)
    return dict(sorted(made.items()))


def documents() -> dict[str, Schema]:
    """Give every schema file by its path: one for each type, any line of a log, a rule set."""
    parts = components("#/$defs/")
    found: dict[str, Schema] = {}
    for family, types in FAMILIES.items():
        for name in types:
            found[f"{family}/{name}.json"] = _document(name, parts[f"{family}.{name}"], parts)
    line: Schema = {
        "description": "A line of a replay log: an event, or a round's outcome.",
        "oneOf": [
            {"$ref": f"#/$defs/{family}.{name}"}
            for family in ("events", "outcomes")
            for name in FAMILIES[family]
        ],
    }
    found["line.json"] = _document("line", line, parts)
    (top,), rules = msgspec.json.schema_components([RuleSet], ref_template="#/$defs/{name}")
    made = {name: _tidied(schema) for name, schema in sorted(rules.items())}
    found["ruleset.json"] = _document("ruleset", top, made)
    return found


def _entry(family: str, name: str, data: str) -> Schema:
    """Describe an entry of a type: a CloudEvents 1.0 envelope, spelled in this order."""
    return {
        "title": name,
        "type": "object",
        "properties": {
            "specversion": {"const": "1.0"},
            "id": _id_of(family, name),
            "source": _source_of(family),
            "type": {"const": name},
            "time": {"type": "string", "format": "date-time", "pattern": f"^{_TIME}$"},
            "data": {"$ref": data},
        },
        "required": ["specversion", "id", "source", "type", "time", "data"],
        "additionalProperties": False,
    }


def _id_of(family: str, name: str) -> Schema:
    spelling = _ENTRY
    if family == "notices":
        return {"type": "string"}
    if name == "bet.place":
        spelling = _BET
    elif name == "bet.withdraw":
        spelling = f"{_BET}/withdraw"
    elif family == "disputes":
        spelling = "[1-9][0-9]{0,15}-0"
    elif family == "commands":
        spelling = f"{_COUNT}/{name.replace('.', '[.]')}/{NAME}/{_COUNT}"
    return {"type": "string", "pattern": f"^{spelling}$"}


def _source_of(family: str) -> Schema:
    if family == "notices":
        return {"type": "string"}
    suffix = "" if family == "events" else f"/{family}"
    return {"type": "string", "pattern": f"^/tables/{NAME}{suffix}$"}


def _document(title: str, top: Schema, parts: dict[str, Schema]) -> Schema:
    """Make a document that stands alone: the schema and all that it refers to."""
    needed: dict[str, Schema] = {}
    waiting = [top]
    while waiting:
        for name in _references(waiting.pop()):
            if name not in needed:
                needed[name] = parts[name]
                waiting.append(parts[name])
    return {"$schema": DIALECT, **top, "title": title, "$defs": dict(sorted(needed.items()))}


def _references(schema: object) -> set[str]:
    if isinstance(schema, dict):
        own = {schema["$ref"].rpartition("/")[2]} if isinstance(schema.get("$ref"), str) else set()
        return own.union(*map(_references, schema.values()))
    if isinstance(schema, list):
        return set().union(*map(_references, schema))
    return set()


def _tidied(schema: Any) -> Any:  # noqa: ANN401 - any JSON
    """Drop OpenAPI's ``discriminator``, no word of JSON Schema, and unwrap descriptions."""
    if isinstance(schema, list):
        return [_tidied(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _tidied(part) for key, part in schema.items() if key != "discriminator"}
    if isinstance(found.get("description"), str):
        paragraphs = found["description"].split("\n\n")
        found["description"] = "\n\n".join(" ".join(lines.split()) for lines in paragraphs)
    return found
