"""The board as a service: the hub behind an HTTP server. It opens a port and writes nothing."""

from __future__ import annotations

import contextlib
import resource
from typing import TYPE_CHECKING

from services.dashboard.app import board_app
from services.dashboard.stream import StreamProtocol
from services.runtime.health import HealthService

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.routing import BaseRoute

    from services.dashboard.hub import Hub
    from services.dashboard.safe_app import Bounds


class DashboardService:
    """Started like any service; ``url`` says where it is, once started."""

    name = "dashboard"

    def __init__(
        self,
        hub: Hub,
        api: Sequence[BaseRoute],
        host: str,
        port: int,
        *,
        token: str | None = None,
        also_ready: Callable[[], Mapping[str, bool]] = dict,
        bounds: Bounds | None = None,
    ) -> None:
        """``also_ready``: what else ``/readyz`` has to say, of other services in this process."""

        def ready() -> dict[str, bool]:
            return {**hub.ready(), **also_ready()}

        self.hub = hub
        app = board_app(hub, api, ready, token=token, bounds=bounds)
        self._page = HealthService(host, port, app=app, protocol=StreamProtocol)

    @property
    def url(self) -> str:
        """Where it is served."""
        return self._page.url

    async def start(self) -> None:
        """Read the tables, and open the port."""
        _allow_files()
        await self.hub.start()
        await self._page.start()

    async def stop(self) -> None:
        """Let the viewers go, close the port, and read no more."""
        self.hub.release()
        await self._page.stop()
        await self.hub.stop()


def _allow_files() -> None:
    """Allow as many files and connections as the system lets us: each viewer and table is one."""
    with contextlib.suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
