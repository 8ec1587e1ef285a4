"""Any value of a struct, from its types. Knows nothing of what the fields mean."""

from __future__ import annotations

from typing import Any

import msgspec.inspect as mi
from hypothesis import strategies as st

EDGE = 2**53 - 1


def made(struct: type[Any]) -> st.SearchStrategy[Any]:
    """Any instance of a struct."""
    return _of(mi.type_info(struct))


def _of(kind: mi.Type) -> st.SearchStrategy[Any]:  # noqa: C901, PLR0911 - one line a kind
    match kind:
        case mi.StructType():
            fields = {field.name: _of(field.type) for field in kind.fields}
            return st.builds(kind.cls, **fields)
        case mi.IntType():
            least, most = kind.ge, kind.le
            return st.integers(-EDGE if least is None else least, EDGE if most is None else most)
        case mi.StrType():
            return st.text(max_size=6)
        case mi.LiteralType():
            return st.sampled_from(kind.values)
        case mi.UnionType():
            return st.one_of(*map(_of, kind.types))
        case mi.VarTupleType():
            return st.lists(_of(kind.item_type), max_size=3).map(tuple)
        case mi.DictType():
            return st.dictionaries(_of(kind.key_type), _of(kind.value_type), max_size=2)
        case mi.BoolType():
            return st.booleans()
        case mi.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case mi.NoneType():
            return st.none()
        case _:
            raise AssertionError(f"no strategy for {kind}")
