"""``shoetrail tell``: whatever is typed is a command that a dealer reads, or gets one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from schemas import commands as co
from services.cli import tell
from services.cli.main import app
from services.cli.tell_pairs import command_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: What each command says when all is well.
GOOD = {
    "shoe.open": ["rules=punto-banco", "seats=alice,7", "window=20"],
    "shoe.cut": ["by=alice", "client_seed=1234", "beacon="],
    "bettor.sit": ["bettor=alice", "bankroll=100000", "seat=2"],
    "bettor.leave": ["bettor=alice"],
    "bet.place": ["round=1", "bettor=alice", "spot=player", "stake=2500", "last=true"],
    "bet.withdraw": ["bet=1-1/alice/player/1"],
    "bet.pass": ["round=1", "bettor=alice"],
    "card.misdraw": ["round=5"],
    "round.void": ["round=1", "reason=a torn card", "by=Sue Smith"],
    "dealer.change": ["dealer=Dan", "supervisor=12"],
    "money.adjust": ["at=T7/1#1", "bettor=alice", "amount=-5", "reason=5", "by=sue"],
    "shoe.close": ["by=sue", "after_round=3"],
}


class _WouldSend(Exception):
    """All was read, and would go to Redis now."""


@pytest.fixture(scope="module", autouse=True)
def no_redis() -> Iterator[None]:
    def send(_work: object) -> NoReturn:
        raise _WouldSend

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tell, "run_async", send)
        patch.setenv("SHOETRAIL_REDIS_URL", "redis://127.0.0.1:1/0")
        yield


def told(kind: str, *pairs: str) -> str:
    """Give the one line that is said of it; empty where it would be sent."""
    result = CliRunner().invoke(app, ["tell", "T7", kind, "--", *pairs], prog_name="shoetrail")
    assert result.stdout == ""
    if result.exit_code == 70 and "_WouldSend" in result.stderr:
        return ""
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1), (kind, pairs, result.stderr)
    assert result.stderr.isprintable() or result.stderr[:-1].isprintable()
    return result.stderr


def fields(kind: str) -> list[str]:
    return [field.name for field in msgspec.structs.fields(co.COMMANDS[kind])]


def test_there_is_one_of_each_command() -> None:
    assert GOOD.keys() == co.COMMANDS.keys()


@pytest.mark.parametrize("kind", GOOD)
def test_what_is_well_is_sent(kind: str) -> None:
    assert told(kind, *GOOD[kind]) == ""


@pytest.mark.parametrize("kind", GOOD)
def test_a_key_within_what_is_no_folder(kind: str) -> None:
    for name in fields(kind):
        others = [pair for pair in GOOD[kind] if pair.partition("=")[0] != name]
        assert f"{kind}: " in told(kind, *others, f"{name}.x=5"), name
        assert f"{kind}: " in told(kind, *others, f"{name}.x.y=z"), name


SPOILED: dict[str, Callable[[str, str], list[str]]] = {
    "no sign": lambda name, _: [name],
    "twice": lambda name, value: [f"{name}={value}", f"{name}={value}"],
    "twice, and within": lambda name, value: [f"{name}={value}", f"{name}.x=1"],
    "within, and twice": lambda name, value: [f"{name}.x=1", f"{name}={value}"],
    "a key before it": lambda name, value: [f".{name}={value}"],
    "a key after it": lambda name, value: [f"{name}.={value}"],
    "no UTF-8": lambda name, _: [f"{name}=\udcff"],
    "a key of no UTF-8": lambda name, _: [f"{name}\udcff=1"],
    "too long": lambda name, _: [f"{name}={'x' * 9000}"],
}


@pytest.mark.parametrize("kind", GOOD)
@pytest.mark.parametrize("spoiled", SPOILED)
def test_what_is_no_key_and_value(kind: str, spoiled: str) -> None:
    for pair in GOOD[kind]:
        name, _, value = pair.partition("=")
        others = [other for other in GOOD[kind] if other != pair]
        assert told(kind, *others, *SPOILED[spoiled](name, value)) != "", pair


@pytest.mark.parametrize(
    ("kind", "pairs", "says"),
    [
        ("shoe.open", ["rules.x=5"], "shoe.open: Expected `str`, got `object` - at `$.rules`"),
        ("shoe.open", ["rules=punto-banco", "origin=5"], "at `$.origin`"),
        ("shoe.open", ["rules=punto-banco", "origin=fixed"], "missing required field `deck`"),
        ("shoe.open", ["rules=punto-banco", "limits.player=5"], "at `$.limits[...]`"),
        ("bettor.sit", ["bettor=a b", "bankroll=5"], "no dealer reads 1/bettor.sit/a b/1"),
        ("bettor.sit", ["bankroll=5"], "missing required field `bettor`"),
        ("bettor.leave", ["bettor="], "no dealer reads"),
        ("bet.place", ["round=-1", "bettor=al", "spot=tie", "stake=1"], "no dealer reads 1--1/al"),
        ("bet.place", ["round=1", "bettor=al", "spot=Tie", "stake=1"], "no dealer reads 1-1/al"),
        ("bet.withdraw", ["bet=mine"], "no dealer reads mine/withdraw"),
        ("bet.pass", ["round=1", "bettor=\x1b[2J"], "no dealer reads"),
        ("shoe.cut", ["by=the house"], "no dealer reads 1/shoe.cut/the house/1"),
        ("card.misdraw", ["round=five"], "Expected `int`, got `str` - at `$.round`"),
        ("card.misdraw", ["round=1e400"], "at `$.round`"),
        ("round.void", ["round=1", "reason=x", "colour=red"], "unknown field `colour`"),
        ("no.such", [], "'no.such' is no command"),
    ],
)
def test_what_is_wrong_is_said(kind: str, pairs: list[str], says: str) -> None:
    assert says in told(kind, *pairs)


def test_names_that_are_all_digits() -> None:
    assert command_of("bettor.sit", ["bettor=7", "bankroll=7"]) == co.BettorSit("7", 7)
    opens = command_of("shoe.open", ["rules=5", "seats=1,true"])
    assert opens == co.ShoeOpen("5", seats=("1", "true"))


def test_the_name_in_an_id_is_one() -> None:
    """People have spaces in their names, ids have none; whose a bet is stands in its id."""
    void = co.RoundVoid(1, "torn", "Sue Smith")
    assert tell._name(3, void, None, {"3/round.void/desk/1"}) == "3/round.void/desk/2"
    assert tell._name(3, co.ShoeClose("sue"), None, set()) == "3/shoe.close/sue/1"


_TEXT = st.text(st.characters(exclude_characters="\0"), max_size=12)
_KEY = st.sampled_from(sorted({name for kind in GOOD for name in fields(kind)})) | _TEXT
_VALUE = _TEXT | st.sampled_from(["null", "true", "1", "-1", "1.5", "1e999", "[1]", "{}", '"x"'])
_PAIR = st.builds("{}{}={}".format, _KEY, st.sampled_from(["", ".x", ".", ".a.b"]), _VALUE)


@settings(max_examples=100, deadline=None)
@given(
    kind=st.sampled_from(sorted(GOOD)),
    pairs=st.lists(_PAIR | _TEXT, max_size=4),
    more=st.booleans(),
)
def test_any_words(kind: str, pairs: list[str], more: bool) -> None:
    told(kind, *(GOOD[kind] if more else []), *pairs)


def test_the_words_are_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table's name, the shoe and the command are looked at before Redis is."""
    monkeypatch.delenv("SHOETRAIL_REDIS_URL")
    found: list[Any] = [
        CliRunner().invoke(app, ["tell", *words], prog_name="shoetrail")
        for words in (["T 7", "bet.pass"], ["T7", "bet.pass", "round=1", "bettor=al"])
    ]
    assert [one.exit_code for one in found] == [2, 2]
    assert "'T 7' is no table" in found[0].stderr
    assert "SHOETRAIL_REDIS_URL is not set" in found[1].stderr


@pytest.mark.parametrize(
    ("kind", "pairs", "says"),
    [
        ("card.misdraw", ["round=5"], "none yet; it waits with the dealer for round 5 to be dealt"),
        ("shoe.close", ["by=sue", "after_round=3"], "the dealer for round 3 to be settled"),
        ("shoe.close", ["by=sue"], "none yet; it waits with the dealer\n"),
    ],
)
def test_what_waits_says_for_what(
    kind: str, pairs: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tell._show(tell.Told("1/x/desk/1", kind, command_of(kind, pairs), None, None, None))
    assert says in capsys.readouterr().out
