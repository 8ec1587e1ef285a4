"""``shoetrail shoe``: the order of a shoe from its seeds, for anyone to check. Deals nothing."""

from __future__ import annotations

import hashlib
import struct
from typing import Annotated, Final

import msgspec
import typer

from schemas.cards import MOST_DECKS, Card
from schemas.errors import InputError
from schemas.plain_text import is_utf8
from services.cli import output
from services.cli.options import hex_bytes
from services.dealer import order as shoe_order

_IN_A_LINE: Final = 13
_LONGEST_ID: Final = 2**16 - 1


class ShoeOrder(msgspec.Struct, frozen=True):
    """A shoe's order, the SHA-256 of its indices as big-endian u16, and the seed's commitment."""

    order: tuple[Card, ...]
    sha256: str
    commitment: str


def shoe_command(
    seed: Annotated[str, typer.Option(help="Server seed: 64 hex digits.")],
    shoe_id: Annotated[str, typer.Option(help="The shoe's address, such as T7/12.")],
    client: Annotated[str, typer.Option(help="Client seed: hex of 0 to 64 bytes.")] = "",
    decks: Annotated[int, typer.Option(help="How many decks, 1 to 16.")] = 8,
    beacon: Annotated[str, typer.Option(help="Beacon: hex of 0 to 64 bytes.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Derive a shoe's order from its seed.

    And the commitment that the seed must open. Take them from the shoe's log: server_seed from
    shoe.closed, client_seed and beacon from shoe.cut, decks and the commitment to compare with
    from shoe.opened.

    For example:

      shoetrail shoe --seed $(printf 00%.0s $(seq 32)) --shoe-id T7/12 --decks 6

      shoetrail shoe --seed HEX --client 706c61796572 --shoe-id T7/12 --json
    """
    server_seed = hex_bytes(seed, "--seed", exactly=shoe_order.SEED_BYTES)
    client_seed = hex_bytes(client, "--client", most=shoe_order.OPEN_BYTES)
    beacon_bytes = hex_bytes(beacon, "--beacon", most=shoe_order.OPEN_BYTES)
    if not 1 <= decks <= MOST_DECKS:
        mend = f"give 1 to {MOST_DECKS}"
        raise InputError(f"a shoe cannot have {decks} decks", "--decks", mend)
    _check_id(shoe_id)
    indices = shoe_order.derive(server_seed, shoe_id, client_seed, beacon_bytes, decks)
    found = ShoeOrder(
        shoe_order.named(indices),
        hashlib.sha256(struct.pack(f">{len(indices)}H", *indices)).hexdigest(),
        shoe_order.commitment(server_seed, shoe_id).hex(),
    )
    if json:
        output.document(found)
    else:
        _show(shoe_id, found)


def _check_id(shoe_id: str) -> None:
    if not is_utf8(shoe_id):
        raise InputError("this is no UTF-8", "--shoe-id", "write it as T7/12")
    length = len(shoe_id.encode())
    if not 1 <= length <= _LONGEST_ID:
        what = f"it must be 1 to {_LONGEST_ID} bytes, not {length}"
        raise InputError(what, "--shoe-id", "write it as T7/12")


def _show(shoe_id: str, found: ShoeOrder) -> None:
    rows = [
        [str(first), " ".join(found.order[first : first + _IN_A_LINE])]
        for first in range(0, len(found.order), _IN_A_LINE)
    ]
    output.table(f"Shoe {shoe_id}, first card first", ["from", "cards"], rows)
    output.facts("Check against the log", {"commitment": found.commitment, "sha256": found.sha256})
