"""Commands, which people may write by hand, and documents beside the record."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import envelope
from schemas.commands import COMMANDS, LONGEST, BetPlace
from schemas.errors import InputError, Unreadable
from schemas.events import SpotLimits
from schemas.money import is_amount
from tests.unit.schemas.making import made

TIME = "2026-11-30T03:22:19.123456Z"


def command(**changes: object) -> bytes:
    data = {"round": 17, "bettor": "alice", "spot": "banker", "stake": 1000, "last": True}
    data |= changes
    return json.dumps(
        {
            "specversion": "1.0",
            "id": "12-17/alice/banker/1",
            "source": "/tables/T7/commands",
            "type": "bet.place",
            "time": TIME,
            "data": data,
        },
        indent=2,
    ).encode()


@pytest.mark.parametrize("name", COMMANDS)
@given(data=st.data())
@settings(max_examples=20)
def test_a_command_is_read_back(name: str, data: st.DataObject) -> None:
    said = data.draw(made(COMMANDS[name]))
    spelling = envelope.encode("12/x.y/a/1", "/tables/T7/commands", TIME, said)
    if len(spelling) <= LONGEST:
        assert envelope.decode_command(spelling).data == said


def test_people_may_write_commands_in_any_spelling() -> None:
    message = envelope.decode_command(command())
    assert message.data == BetPlace(17, "alice", "banker", 1000, last=True)
    assert (
        envelope.decode_command(command(last=False)).data
        == envelope.decode_command(command().replace(b',\n    "last": true', b"")).data
    )


@pytest.mark.parametrize(
    "stake", ["1000", "-1", "0", "1.5", '"x"', "null", "true", "1e400", "9" * 30, "9" * 6000, "1e5"]
)
def test_a_bad_stake_is_kept_so_that_it_can_be_refused(stake: str) -> None:
    data = command().replace(b'"stake": 1000', b'"stake": ' + stake.encode())
    try:
        said = envelope.decode_command(data).data
    except Unreadable:
        assert len(stake) > 20 or "e4" in stake
        return
    assert isinstance(said, BetPlace)
    assert is_amount(said.stake) == (stake == "1000")


@pytest.mark.parametrize(
    "data",
    [
        command().replace(b"bet.place", b"bet.eat"),
        command(extra=1),
        command(round=-1.5),
        command(bettor=None),
        command(stake=[1]),
        command(stake={"a": 1}),
        command(chips="x"),
        command().replace(b'"stake": 1000', b'"stake": NaN'),
        command(spot="x" * LONGEST),
        command() + b" " * LONGEST,
    ],
)
def test_what_is_no_command(data: bytes) -> None:
    with pytest.raises(Unreadable, match="no command of ours"):
        envelope.decode_command(data)


def test_plain_data_into_a_struct_or_a_line_that_says_why_not() -> None:
    plain = {"minimum": 1, "maximum": 2, "step": 1}
    assert envelope.from_plain(SpotLimits, plain, "limits") == SpotLimits(1, 2, 1)
    with pytest.raises(InputError, match=r"^limits: .*step"):
        envelope.from_plain(SpotLimits, {"minimum": 1, "maximum": 2}, "limits")
    with pytest.raises(InputError, match=r"^limits: "):
        envelope.from_plain(SpotLimits, [1], "limits")


def test_documents_beside_the_record() -> None:
    assert envelope.dump({"a": [1, SpotLimits(1, 2, 1)]}) == (
        b'{"a":[1,{"minimum":1,"maximum":2,"step":1}]}'
    )
    assert envelope.dump([1], indent=True) == b"[\n  1\n]"
    assert envelope.load(b' {"a": 1}', "file") == {"a": 1}
    for data in (b"", b"{", b"\xff", b"[" * 200_000, b"nan"):
        with pytest.raises(Unreadable, match="file: this is no JSON"):
            envelope.load(data, "file")
