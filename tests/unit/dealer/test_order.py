"""The dealer's shoe derivation against the published vectors."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import InputError
from services.dealer import order

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "vectors/shoes/shoes.json").read_text()
)["seeded"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['decks']} decks")
def test_the_published_vectors(vector: dict[str, Any]) -> None:
    server = bytes.fromhex(vector["server_seed"])
    client = bytes.fromhex(vector["client_seed"])
    shoe, decks = vector["shoe_id"], vector["decks"]
    assert order.shoe_key(server, shoe, client, b"").hex() == vector["key"]
    indices = order.derive(server, shoe, client, b"", decks)
    assert list(indices[:10]) == vector["first"]
    assert " ".join(order.named(indices[:10])) == vector["first_cards"]
    packed = b"".join(index.to_bytes(2) for index in indices)
    assert hashlib.sha256(packed).hexdigest() == vector["order_sha256"]
    assert order.commitment(server, shoe).hex() == vector["commitment"]


def test_there_are_three_and_one_refuses_a_word() -> None:
    assert len(VECTORS) == 3
    assert any(vector["refused"] for vector in VECTORS)


@pytest.mark.parametrize(
    ("server", "client", "beacon", "decks"),
    [
        (b"\0" * 31, b"", b"", 8),
        (b"\0" * 33, b"", b"", 8),
        (b"\0" * 32, b"\0" * 65, b"", 8),
        (b"\0" * 32, b"", b"\0" * 65, 8),
        (b"\0" * 32, b"", b"", 0),
        (b"\0" * 32, b"", b"", 17),
    ],
)
def test_what_no_shoe_can_be_made_of(
    server: bytes, client: bytes, beacon: bytes, decks: int
) -> None:
    with pytest.raises(InputError):
        order.derive(server, "T7/1", client, beacon, decks)


def test_the_last_card_can_be_chosen_for_any_place() -> None:
    places = {
        order.derive(bytes([seed]) * 32, "T7/1", b"", b"", 1).index(51) for seed in range(200)
    }
    assert {0, 51} <= places


def test_client_seed_and_beacon_are_told_apart() -> None:
    server = bytes(32)
    one = order.derive(server, "T7/1", b"ab", b"", 1)
    other = order.derive(server, "T7/1", b"a", b"b", 1)
    assert one != other
