"""Secrets: kept before they are committed to, found again, shown to nobody."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from schemas import commands as co
from schemas import events as ev
from schemas.address import Shoe
from schemas.errors import InputError, Unavailable
from schemas.ruleset import published
from services.dealer.opening import House, Opener
from services.dealer.secret import DerivedSecrets, FileSecrets
from tests.unit.dealer.house import Table, cards

SHOE = Shoe("T7", 12)


def test_a_secret_is_kept_with_mode_0600_and_found_again(tmp_path: Path) -> None:
    made = FileSecrets(tmp_path).make(SHOE, None)
    path = tmp_path / "T7" / "12.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = FileSecrets(tmp_path).find(SHOE, None)
    assert found is not None
    assert (found.value, found.order) == (made.value, None)


def test_a_secret_made_before_a_crash_is_taken_again(tmp_path: Path) -> None:
    first = FileSecrets(tmp_path).make(SHOE, None)
    assert FileSecrets(tmp_path).make(SHOE, None).value == first.value


def test_two_dealers_who_open_a_shoe_at_once_have_one_secret(tmp_path: Path) -> None:
    """The second would put his own in place of the one that is committed to already."""
    others: list[bytes] = []

    def slowly(count: int) -> bytes:
        others.append(FileSecrets(tmp_path).make(SHOE, None).value)
        return bytes(count)

    assert FileSecrets(tmp_path, slowly).make(SHOE, None).value == others[0]
    found = FileSecrets(tmp_path).find(SHOE, None)
    assert found is not None
    assert found.value == others[0]
    assert [path.name for path in (tmp_path / "T7").iterdir()] == ["12.json"]


def test_another_order_takes_the_place_of_one_that_no_shoe_was_opened_with(tmp_path: Path) -> None:
    FileSecrets(tmp_path).make(SHOE, cards("9H TD"))
    made = FileSecrets(tmp_path).make(SHOE, cards("AS"))
    found = FileSecrets(tmp_path).find(SHOE, None)
    assert found is not None
    assert (found.value, found.order) == (made.value, cards("AS"))


def test_a_stacked_order_is_kept_with_its_salt(tmp_path: Path) -> None:
    order = cards("9H TD AS")
    FileSecrets(tmp_path).make(SHOE, order)
    found = FileSecrets(tmp_path).find(SHOE, None)
    assert found is not None
    assert found.order == order


def test_two_shoes_never_share_a_seed(tmp_path: Path) -> None:
    kept = FileSecrets(tmp_path)
    assert kept.make(SHOE, None).value != kept.make(Shoe("T7", 13), None).value


@pytest.mark.parametrize("given", [b"", b"\0" * 31])
def test_without_randomness_no_shoe_is_opened(tmp_path: Path, given: bytes) -> None:
    with pytest.raises(Unavailable, match="no shoe is opened"):
        FileSecrets(tmp_path, lambda _count: given).make(SHOE, None)


def test_a_failing_source_of_randomness_is_no_reason_to_use_a_clock(tmp_path: Path) -> None:
    def broken(_count: int) -> bytes:
        raise NotImplementedError

    with pytest.raises(Unavailable, match="no shoe is opened"):
        FileSecrets(tmp_path, broken).make(SHOE, None)
    assert not list(tmp_path.rglob("*.json"))


def test_a_secret_that_others_may_read_is_refused(tmp_path: Path) -> None:
    FileSecrets(tmp_path).make(SHOE, None)
    (tmp_path / "T7" / "12.json").chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        FileSecrets(tmp_path).find(SHOE, None)


@pytest.mark.parametrize("data", [b"", b"{}", b'{"value":"00","order":null}', b"\xff", b"[1]"])
def test_a_spoilt_secret_is_one_line(tmp_path: Path, data: bytes) -> None:
    FileSecrets(tmp_path).make(SHOE, None)
    (tmp_path / "T7" / "12.json").write_bytes(data)
    with pytest.raises(InputError) as caught:
        FileSecrets(tmp_path).find(SHOE, None)
    assert "\n" not in str(caught.value)


def test_a_secret_shows_nothing_of_itself(tmp_path: Path) -> None:
    made = FileSecrets(tmp_path).make(SHOE, None)
    assert made.value.hex() not in repr(made)
    assert made.value.hex() not in f"{made}"


def test_derived_secrets_differ_by_shoe_and_begin_with_the_seed() -> None:
    kept = DerivedSecrets(bytes(32))
    assert kept.make(Shoe("T7", 1), None).value == bytes(32)
    assert kept.make(Shoe("T7", 2), None).value != kept.make(Shoe("T7", 3), None).value


def opened(folder: Path) -> Table:
    """A table whose dealer keeps his secrets there; nothing is said yet."""
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)), resolve=False)
    table.opener = Opener(
        House("dora", "test", table.asks, 1), published(), {}, FileSecrets(folder)
    )
    table.dealer = table._dealer()
    return table


def commitment(said: list[ev.Event]) -> str | None:
    (shoe,) = [event for event in said if isinstance(event, ev.ShoeOpened)]
    return shoe.commitment


def test_a_shoe_that_a_new_stream_does_not_have_is_dealt_from_its_old_seed_only_uncut(
    tmp_path: Path,
) -> None:
    first = opened(tmp_path)
    before = commitment(first.say())
    assert commitment(opened(tmp_path).say()) == before  # nobody saw a card
    first.sit("alice")
    first.cut()
    first.bet(1)
    first.say()
    assert any(isinstance(event, ev.CardDrawn) for event in first.events)
    with pytest.raises(InputError, match="T7/1 was cut and dealt from before") as caught:
        opened(tmp_path).say()
    assert "\n" not in str(caught.value)
    again = opened(tmp_path)  # the dealer who has its events goes on
    for entry, data in first.entries:
        again.dealer.stored(entry, data)
    assert again.dealer.say() is None
    for name in ("1.cut", "1.json"):
        (tmp_path / "T7" / name).unlink()
    assert commitment(opened(tmp_path).say()) != before


def test_a_cut_is_noted_when_it_is_on_the_record_and_not_before(tmp_path: Path) -> None:
    table = opened(tmp_path)
    table.say()
    table.sit("alice")
    table.cut()
    said = table.dealer.say()
    assert said is not None
    assert not (tmp_path / "T7" / "1.cut").exists()  # a dealer killed now says the same again
    table.dealer.say()
    assert (tmp_path / "T7" / "1.cut").stat().st_mode & 0o777 == 0o600
