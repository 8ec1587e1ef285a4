"""How much each address may ask: a bucket of tokens that fills again. Bounded; knows no request."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_ADDRESSES: Final = 4096
_NETWORK: Final = 64


class Buckets:
    """A bucket for each address that asks; an IPv6 address counts by its /64 network.

    Where more addresses ask than are kept, those that have asked nothing for longest are forgotten.
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        clock: Callable[[], float] = time.monotonic,
        most: int = _MOST_ADDRESSES,
    ) -> None:
        """``rate`` tokens come back in a second, ``burst`` at most lie in a bucket."""
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> float:
        """Take tokens; 0 where there were enough, else the seconds until there are (none taken)."""
        who = network_of(address)
        now = self._clock()
        left, since = self._left.pop(who, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        wait = 0.0 if left >= cost else (cost - left) / self._rate
        self._left[who] = (left if wait else left - cost, now)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return wait

    def __len__(self) -> int:
        """Count the addresses that are known."""
        return len(self._left)


def network_of(address: str) -> str:
    """Name whom an address stands for: itself, or the network that one subscriber has."""
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, _NETWORK), strict=False))
