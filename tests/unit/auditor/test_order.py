"""The order of a shoe: the three vectors, other numbers, fixed orders and the bomb's deck."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from schemas.cards import DECK
from schemas.errors import InputError
from schemas.events import Ktane
from services.auditor import bomb, order
from tests.unit.auditor.table import seeded_order

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "shoes" / "shoes.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("vector", VECTORS["seeded"], ids=lambda v: f"{v['decks']} decks")
def test_vector(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["server_seed"])
    client = bytes.fromhex(vector["client_seed"])
    key = order.key_of(vector["shoe_id"], seed, client, bytes.fromhex(vector["beacon"]))
    assert key.hex() == vector["key"]
    indices = order.shuffle(key, list(range(52 * vector["decks"])))
    assert indices[:10] == vector["first"]
    packed = b"".join(struct.pack(">H", index) for index in indices)
    assert hashlib.sha256(packed).hexdigest() == vector["order_sha256"]
    assert order.seed_commitment(vector["shoe_id"], seed) == vector["commitment"]
    cards = order.shuffle(key, list(DECK) * vector["decks"])
    assert " ".join(cards[:10]) == vector["first_cards"]


def test_many_shoes_with_refused_words() -> None:
    for number in range(40):
        seed = hashlib.sha256(b"%d" % number).digest()
        key = order.key_of("T7/12", seed, b"\xc1\x1e", b"")
        assert order.shuffle(key, list(DECK) * 8) == seeded_order(seed, b"\xc1\x1e", "T7/12", 8)


def test_every_place_can_hold_every_card() -> None:
    """Fault 6 of practice: the last card of the shoe never chosen by the shuffle."""
    last, stayed = set(), 0
    for number in range(400):
        indices = order.shuffle(hashlib.sha256(b"%d" % number).digest(), list(range(8)))
        last.add(indices[7])
        stayed += indices[7] == 7
    assert last == set(range(8))
    assert 20 < stayed < 90


def test_other_numbers_are_even() -> None:
    counts = [0] * 15
    for number in range(3000):
        key = hashlib.sha256(b"%d" % number).digest()
        counts[order.number_below(key, "reshuffle", 15)] += 1
    assert min(counts) > 140
    assert max(counts) < 260


def test_other_numbers_are_not_the_shuffles() -> None:
    key = hashlib.sha256(b"key").digest()
    numbers = [order.number_below(key, label, 1 << 16) for label in ("reshuffle", "other")]
    block = hashlib.sha256
    inner = bytes(byte ^ 0x36 for byte in key.ljust(64, b"\0"))
    outer = bytes(byte ^ 0x5C for byte in key.ljust(64, b"\0"))
    said = b"reshuffle\0" + struct.pack(">I", 0)
    word = block(outer + block(inner + said).digest()).digest()[:2]
    assert numbers[0] == int.from_bytes(word, "big")
    assert numbers[0] != numbers[1]


@pytest.mark.parametrize(
    ("text", "good"),
    [("00" * 32, True), ("00" * 31, False), ("0G" * 32, False), ("AB" * 32, False),
     (" 0" * 32, False), ("00" * 32 + "\n", False), ("\u0660" * 64, False)],
)  # fmt: skip
def test_hex_has_one_spelling(text: str, good: bool) -> None:
    assert (order.unhex(text, 32, 32) is not None) is good


def test_orders_are_read_by_one_space() -> None:
    assert order.read_order("AC KS") == ["AC", "KS"]
    assert order.read_order("") == []
    for text in ("AC  KS", " AC", "AC KS ", "ac", "AC,KS", "1C"):
        assert order.read_order(text) is None


@pytest.mark.parametrize("vector", VECTORS["ktane"])
def test_the_bombs_deck(vector: dict[str, Any]) -> None:
    cards = bomb.deck(asked(vector))
    assert cards is not None
    assert " ".join(cards[:10]) == vector["first_cards"]
    assert len(set(cards)) == 52


def asked(vector: dict[str, Any], **changed: Any) -> Ktane:  # noqa: ANN401 - any field
    fields = {name: vector[name] for name in vector if name in Ktane.__struct_fields__}
    fields |= {"ports": tuple(vector["ports"]), "lit": tuple(vector["lit"])}
    return Ktane(**{**fields, **changed})


def test_every_bomb_gives_a_whole_deck_or_none() -> None:
    (vector,) = VECTORS["ktane"]
    for colour in ("red", "blue", "green", "silver"):
        for ports in ((), ("DVI-D",), ("PS/2", "RJ-45"), ("Parallel", "Stereo RCA", "Serial")):
            for serial in ("A", "7", "ABCDEF", "123456", "Z9"):
                for least in (500, 1000, 2500, 5000, 10000):
                    bomb_ = asked(vector, colour=colour, ports=ports, serial=serial, min=least)
                    cards = bomb.deck(bomb_)
                    assert cards is not None
                    assert sorted(cards) == sorted(DECK)
    for serial in ("", "AB 3", "ab3", "AB-3"):
        assert bomb.deck(asked(vector, serial=serial)) is None
    for least in (0, 499, 501, 700, 9999):
        assert bomb.deck(asked(vector, min=least)) is None
        # Also where there is but one letter to choose from.
        assert bomb.deck(asked(vector, min=least, serial="A3")) is None
    assert bomb.deck(asked(vector, colour="gold")) is None
    assert bomb.deck(asked(vector, ports=("Serial", "USB"))) is None
    assert bomb.deck(asked(vector, max=999)) is None
    assert bomb.deck(asked(vector, max=1000)) is not None
    plain = bomb.deck(asked(vector, lit=("BOB",), ports=("RJ-45",) * 8))
    assert plain is not None
    assert " ".join(plain[12:15]) == "KH AC 2C"
    assert " ".join(plain[25:28]) == "KC KD QD"


@pytest.mark.parametrize("choices", [-1, 0, (1 << 16) + 1, 2**53 - 1])
def test_no_number_is_drawn_for_ever(choices: int) -> None:
    with pytest.raises(InputError, match="no number is below"):
        order.number_below(bytes(32), "reshuffle", choices)
