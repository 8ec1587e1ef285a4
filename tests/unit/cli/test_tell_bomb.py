"""``shoetrail tell … shoe.open``: a bomb is told key by key."""

from __future__ import annotations

from schemas import commands as co
from schemas.events import Ktane
from services.cli.tell_pairs import command_of


def test_a_bomb_whose_serial_number_is_all_digits() -> None:
    pairs = [
        "rules=ktane", "seats=ann", "origin.kind=ktane", "origin.serial=012345", "origin.min=1000",
        "origin.max=100000", "origin.ports=DVI-D,Stereo RCA", "origin.lit=", "origin.solved=3",
        "origin.colour=red",
    ]  # fmt: skip
    asks = command_of("shoe.open", pairs)
    bomb = Ktane("012345", 1000, 100_000, ("DVI-D", "Stereo RCA"), (), 3, "red")
    assert asks == co.ShoeOpen("ktane", bomb, ("ann",))
