"""The checker's own list of events, outcomes and rule sets, against the published ones."""

from __future__ import annotations

import json
import re
import tomllib
from fnmatch import fnmatch

import msgspec
import pytest

from schemas import ruleset
from schemas.events import EVENTS
from schemas.outcomes import OUTCOMES
from tests.support.checker import LOGS, PAGE, ROOT, Checker

pytestmark = pytest.mark.browser

DESCRIBE = """() => {
    const of = (shape) => {
        if (shape.kind === "record") {
            return Object.fromEntries([...shape.fields].map(([name, inner]) => [name, of(inner)]));
        }
        if (shape.kind === "tagged") {
            return [...shape.records.values()].map(of);
        }
        if (shape.of) return [shape.kind, of(shape.of)];
        return shape.words ? [...shape.words].sort() : shape.kind;
    };
    const all = [...Language.EVENTS, ...Language.OUTCOMES];
    return all.map(([name, shape]) => [name, of(shape), [...(shape.fields?.keys() ?? [])]]);
}"""


def described(kind: msgspec.inspect.Type) -> object:  # noqa: PLR0911 - one a kind of type
    """Describe a type of the published language as the page describes its shapes."""
    if isinstance(kind, msgspec.inspect.StructType):
        fields = {one.encode_name: described(one.type) for one in kind.fields}
        return {kind.tag_field: [kind.tag], **fields} if kind.tag_field else fields
    if isinstance(kind, msgspec.inspect.UnionType):
        inner = [one for one in kind.types if not isinstance(one, msgspec.inspect.NoneType)]
        said = described(inner[0]) if len(inner) == 1 else [described(one) for one in inner]
        maybe = len(inner) < len(kind.types)
        return ["maybe", said] if maybe else said
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return ["list", described(kind.item_type)]
    if isinstance(kind, msgspec.inspect.DictType):
        return ["dict", described(kind.value_type)]
    if isinstance(kind, msgspec.inspect.LiteralType):
        return sorted(map(str, kind.values))
    if isinstance(kind, msgspec.inspect.IntType):
        return "count" if kind.ge == 0 else "amount"
    return "flag" if isinstance(kind, msgspec.inspect.BoolType) else "text"


def test_the_page_knows_every_event_and_outcome_field_by_field(checker: Checker) -> None:
    families = [*EVENTS.items(), *OUTCOMES.items()]
    found = checker.evaluate(DESCRIBE)
    assert [name for name, *_ in found] == [name for name, _ in families]
    for (name, shape, order), (_, struct) in zip(found, families, strict=True):
        fields = [field.encode_name for field in msgspec.structs.fields(struct)]
        assert order == fields, name
        assert shape == described(msgspec.inspect.type_info(struct)), name


def test_the_page_knows_a_rule_set_s_model(checker: Checker) -> None:
    found = checker.evaluate("() => [...Rules.RULESET.fields.keys()]")
    assert set(found) == {field.encode_name for field in msgspec.structs.fields(ruleset.RuleSet)}


def test_the_page_knows_every_published_rule_set() -> None:
    """A new one is a new line in the page: without it the page says that nobody publishes it."""
    page = PAGE.read_text(encoding="utf-8")
    listed = re.search(r'id="published">(.*?)</script>', page, re.DOTALL)
    assert listed is not None
    wanted = {name: rules.sha256 for name, rules in ruleset.published().items()}
    assert json.loads(listed[1]) == wanted


def test_every_committed_line_is_read_and_spelled_again(checker: Checker) -> None:
    lines = [
        line for path in sorted(LOGS.glob("*/[0-9]*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()[::17]
    ]  # fmt: skip
    read = "(lines) => lines.map((line) => Language.read(Bytes.utf8(line))?.type ?? null)"
    types = checker.evaluate(read, lines)
    assert types == [json.loads(line)["type"] for line in lines]
    spaced = [line.replace(":", ": ", 1) for line in lines]
    assert set(checker.evaluate(read, spaced)) == {None}


def test_a_blank_is_the_same_to_the_page_as_to_the_auditor(checker: Checker) -> None:
    """Else a void by a next line or a byte order mark were signed to one of them alone."""
    blanks = """() => Array.from({ length: 0x110000 }, (_, code) => code).filter(
        (code) => Language.bare(String.fromCodePoint(code)) === "")"""
    assert checker.evaluate(blanks) == [code for code in range(0x110000) if not chr(code).strip()]
    texts = ["", " ", "\x85a\x1c b\u2003", "\ufeff a", "a", "\U0001f0a1 "]
    bare = "(texts) => texts.map(Language.bare)"
    assert checker.evaluate(bare, texts) == [text.strip() for text in texts]


def test_the_page_is_part_of_the_package() -> None:
    """What is no Python is installed only where the package's data name it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    data = project["tool"]["setuptools"]["package-data"]["*"]
    assert any(fnmatch(PAGE.name, pattern) for pattern in data)
