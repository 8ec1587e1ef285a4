"""Whether somebody else's page may have sent a request here, by a name that he made ours. Pure.

A name of his can be made to lead to this machine (DNS rebinding); a browser then takes his page and
the board for one. Where no token keeps him out, a board on loopback answers to no such name.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_LOCAL: Final = (".localhost", ".local")


def is_foreign(scope: Mapping[str, Any]) -> bool:
    """Tell whether a request on loopback names another machine as the one that it is for."""
    server = scope.get("server")
    if server is None or not is_loopback(server[0]):
        return False
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return any(_is_anothers(host.decode("latin-1").lower()) for host in hosts)


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches what listens there."""
    if host == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_anothers(host: str) -> bool:
    """Tell whether this is a name that somebody could have registered."""
    if host.startswith("["):
        return not _is_address(host[1:].partition("]")[0])
    name = host.partition(":")[0].rstrip(".")
    return "." in name and not _is_address(name) and not name.endswith(_LOCAL)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
