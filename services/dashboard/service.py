"""The board as a service: the hub behind an HTTP server. It opens a port and writes nothing."""

from __future__ import annotations

import contextlib
import resource
from typing import TYPE_CHECKING, NamedTuple

import structlog
from starlette.routing import Route

from services.dashboard.app import board_app
from services.dashboard.board.reading import fold_log
from services.dashboard.live.hub import Hub
from services.dashboard.live.kept import KeptShoes
from services.dashboard.live.past import RedisPast
from services.dashboard.live.stream import StreamProtocol
from services.dashboard.live.viewers import Room
from services.dashboard.web.api_routes import api_routes
from services.dashboard.web.archive import Archive
from services.dashboard.web.hosts import is_loopback
from services.dashboard.web.log_folder import LogFolder
from services.dashboard.web.odds_desk import OddsDesk
from services.dashboard.web.safe_app import Bounds
from services.runtime.health import HealthService

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from starlette.routing import BaseRoute

    from services.journal import Journal

log = structlog.get_logger(__name__)


class Served(NamedTuple):
    """Where the board listens, what it has to be shown, and how many it lets in."""

    host: str = "127.0.0.1"
    port: int = 8080
    token: str | None = None
    room: Room = Room()
    bounds: Bounds = Bounds()


class DashboardService:
    """Started like any service; ``url`` says where it is, once started."""

    name = "dashboard"

    def __init__(
        self,
        hub: Hub,
        api: Sequence[BaseRoute],
        served: Served,
        also_ready: Callable[[], Mapping[str, bool]] = dict,
        odds: OddsDesk | None = None,
    ) -> None:
        """``api`` are the routes of all that is no stream and no page; ``odds`` ends with us."""

        def ready() -> dict[str, bool]:
            return {**hub.ready(), **also_ready()}

        self.hub = hub
        self._odds = odds
        self._open = served.token is None and not is_loopback(served.host)
        app = self._app = board_app(hub, api, ready, token=served.token, bounds=served.bounds)
        self._page = HealthService(served.host, served.port, app=app, protocol=StreamProtocol)

    @property
    def url(self) -> str:
        """Where it is served."""
        return self._page.url

    @property
    def routes(self) -> list[tuple[str, set[str]]]:
        """Each route's path, and the methods that it takes."""
        found = [one for one in self._app.routes if isinstance(one, Route)]
        return [(one.path, one.methods or set()) for one in found]

    async def start(self) -> None:
        """Read the tables, and open the port."""
        _allow_files()
        await self.hub.start()
        await self._page.start()
        log.info("the board is served", url=self.url)
        if self._open:
            mend = "set SHOETRAIL_DASHBOARD_TOKEN"
            log.warning("whoever reaches this port sees bettors and stakes", mend=mend)

    async def stop(self) -> None:
        """Let the viewers go, close the port, and read no more."""
        self.hub.release()
        await self._page.stop()
        if self._odds is not None:
            await self._odds.stop()
        await self.hub.stop()


def dashboard_service(
    journal: Journal,
    log_dir: Path,
    served: Served,
    tables: Sequence[str] | None = None,
    also_ready: Callable[[], Mapping[str, bool]] = dict,
) -> DashboardService:
    """Wire the board to its tables and logs.

    ``also_ready``: what else ``/readyz`` has to say, of other services in this process.
    """
    hub = Hub(journal, tables, served.room, KeptShoes(LogFolder(log_dir)))
    odds = OddsDesk()
    api = api_routes(hub, Archive(log_dir, fold_log), odds, RedisPast(journal))
    return DashboardService(hub, api, served, also_ready, odds)


def _allow_files() -> None:
    """Allow as many files and connections as the system lets us: each viewer and table is one."""
    with contextlib.suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
