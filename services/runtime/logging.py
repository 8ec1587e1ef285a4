"""Structured logs, ours and the libraries', through one renderer; lets no secret through."""

from __future__ import annotations

import dataclasses
import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TextIO, cast

import msgspec
import orjson
import structlog

from services.runtime.settings import mask_url

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger, Processor

    from services.runtime.settings import Settings

WITHHELD = "[withheld]"
_SECRET = re.compile(r"seed|secret|salt|key|token|order|reveal|password", re.IGNORECASE)
_LIBRARIES = ("faststream", "redis", "uvicorn", "asyncio")
_Event = MutableMapping[str, Any]


def configure(settings: Settings, stream: TextIO | None = None) -> None:
    """Send all logs to one stream (stderr): JSON lines, or colours where a person looks on.

    May be called again; the last call holds. stdout is left to the commands' own output.
    """
    out = sys.stderr if stream is None else stream
    renderer = _renderer(settings, out)
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        structlog.processors.format_exc_info,
        withhold,
    ]
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *shared,
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    adopt_libraries()


def adopt_libraries() -> None:
    """Take the libraries' own handlers away, so that they write only through ours.

    FastStream makes a logger that writes to stdout when a broker starts: call this after it too.
    """
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.split(".")[0] in _LIBRARIES and isinstance(logger, logging.Logger):
            logger.handlers = []
            logger.propagate = True
            logger.setLevel(logging.WARNING if "." not in name else logging.NOTSET)


def get_logger(service: str) -> FilteringBoundLogger:
    """Make the logger of a service or part; every line names it."""
    return cast("FilteringBoundLogger", structlog.get_logger(service=service))


def bind_table(
    table: str, *, shoe: int | None = None, round_no: int | None = None, address: str | None = None
) -> AbstractContextManager[None]:
    """Name the table (shoe, round, address) in every line that is logged within the block."""
    named = {"table": table, "shoe": shoe, "round": round_no, "address": address}
    told = {name: value for name, value in named.items() if value is not None}
    return cast("AbstractContextManager[None]", structlog.contextvars.bound_contextvars(**told))


def withhold(_logger: object, _method: str, event: _Event) -> _Event:
    """Replace what must not be seen: values under telling names, raw bytes, passwords in URLs."""
    return {name: _clean(name, value) for name, value in event.items()}


def _clean(name: object, value: object) -> object:  # noqa: PLR0911 (one a kind of value)
    if isinstance(name, str) and _SECRET.search(name):
        return WITHHELD
    match value:
        case str():
            return mask_url(value)
        case None | bool() | int() | float():
            return value
        case bytes() | bytearray() | memoryview():
            return f"<{len(value)} bytes>"
        case Mapping():
            return {str(inner): _clean(inner, item) for inner, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_clean(None, item) for item in value]
        case msgspec.Struct():
            return _clean(None, msgspec.structs.asdict(value))
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = dataclasses.fields(value)
            return {item.name: _clean(item.name, getattr(value, item.name)) for item in fields}
        case _:
            return mask_url(str(value))


def _renderer(settings: Settings, out: TextIO) -> Processor:
    terminal = out.isatty()
    if settings.log_format == "json" or (settings.log_format == "auto" and not terminal):
        return structlog.processors.JSONRenderer(serializer=_json)
    # The plain traceback: the rich one prints local variables, seeds among them.
    return structlog.dev.ConsoleRenderer(
        colors=terminal, exception_formatter=structlog.dev.plain_traceback, timestamp_key="time"
    )


def _json(event: Mapping[str, object], **_options: object) -> str:
    return orjson.dumps(event, default=str).decode()
