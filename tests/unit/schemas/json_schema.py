"""JSON Schema 2020-12, as much of it as we publish. Refuses a keyword it does not know."""

from __future__ import annotations

import re
from typing import Any

#: A document, or a part of one.
Json = Any
#: Of no meaning to whether something is valid.
TALK = {"$schema", "$defs", "title", "description", "default", "format"}
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,),
    "number": (int, float), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


def resolve(document: Json, ref: str) -> Json:
    """What a reference within the document points to; KeyError where there is nothing."""
    assert ref.startswith("#/"), ref
    for part in ref[2:].split("/"):
        document = document[part]
    return document


def references(node: Json) -> list[str]:
    """All references in a document, wherever they stand."""
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [ref for part in node.values() for ref in references(part)]
    if isinstance(node, list):
        return [ref for part in node for ref in references(part)]
    return []


def valid(document: Json, value: Json, schema: Json = None) -> bool:
    """Tell whether a value is what a document (or a schema in it) describes."""
    schema = document if schema is None else schema
    if isinstance(schema, bool):
        return schema
    return all(
        _holds(document, value, schema, keyword, asked)
        for keyword, asked in schema.items()
        if keyword not in TALK
    )


def _holds(document: Json, value: Json, schema: Json, keyword: str, asked: Json) -> bool:  # noqa: C901, PLR0911, PLR0912
    match keyword:
        case "$ref":
            return valid(document, value, resolve(document, asked))
        case "type":
            names = asked if isinstance(asked, list) else [asked]
            return any(_is(value, name) for name in names)
        case "enum":
            return any(value == one and type(value) is type(one) for one in asked)
        case "const":
            return bool(value == asked) and type(value) is type(asked)
        case "anyOf":
            return any(valid(document, value, one) for one in asked)
        case "oneOf":
            return sum(valid(document, value, one) for one in asked) == 1
        case "minimum":
            return not _is(value, "number") or value >= asked
        case "maximum":
            return not _is(value, "number") or value <= asked
        case "pattern":
            return not isinstance(value, str) or re.search(asked, value) is not None
        case "minItems":
            return not isinstance(value, list) or len(value) >= asked
        case "maxItems":
            return not isinstance(value, list) or len(value) <= asked
        case "items":
            rest = value[len(schema.get("prefixItems", [])) :] if isinstance(value, list) else []
            return all(valid(document, one, asked) for one in rest)
        case "prefixItems":
            pairs = zip(value, asked, strict=False) if isinstance(value, list) else ()
            return all(valid(document, one, part) for one, part in pairs)
        case "required":
            return not isinstance(value, dict) or set(asked) <= value.keys()
        case "properties":
            known = value if isinstance(value, dict) else {}
            return all(valid(document, known[name], asked[name]) for name in asked.keys() & known)
        case "additionalProperties":
            known = value if isinstance(value, dict) else {}
            others = known.keys() - schema.get("properties", {}).keys()
            return all(valid(document, known[name], asked) for name in others)
        case _:
            raise AssertionError(f"an unknown keyword is published: {keyword}")


def _is(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])
