"""Tables as files, CSV or Parquet: written beside their place and renamed when they are whole."""

from __future__ import annotations

import csv
import os
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol

from schemas import instant
from schemas.errors import InputError
from services.cli.files import cannot_write, check_free

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from services.office.tables import Column, Row, Value

#: Rows that are kept until they are written: a row group of a Parquet file.
ROWS: Final = 50_000
#: What begins a formula in a spreadsheet, or makes it look further for one.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


class Table(Protocol):
    """A file that takes rows."""

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows."""

    def end(self) -> None:
        """Write what is left."""

    def drop(self) -> None:
        """Let go of the file, which will not be whole."""


class Csv:
    """RFC 4180: a head, CRLF, quotes where they are needed. UTF-8.

    Text that a spreadsheet would take for a formula gets a ``'`` before it: a bettor's name is none
    of the house's, and would be worked out on the desk of whoever opens the file.
    """

    def __init__(self, file: BinaryIO, columns: Sequence[Column]) -> None:
        """Write the head."""
        self._file = file
        self._names = [column.name for column in columns]
        self.write([])

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        lines = _Lines()
        writer = csv.writer(lines)
        if self._names:
            writer.writerow(self._names)
            self._names = []
        writer.writerows([[_plain(value) for value in row] for row in rows])
        self._file.write("".join(lines.said).encode())

    def end(self) -> None:
        """Everything is written."""

    def drop(self) -> None:
        """Nothing is held."""


class _Lines:
    """Takes what csv writes."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def write(self, line: str) -> None:
        self.said.append(line)


def _plain(value: Value) -> str | int:
    if isinstance(value, str):
        return "'" + value if value.startswith(_FORMULA) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


class Parquet:
    """Row groups of so many rows, compressed; times are UTC microseconds."""

    def __init__(self, file: BinaryIO, columns: Sequence[Column]) -> None:
        """Write the beginning; pyarrow has to be there, see ``check_library``."""
        self._arrow: Any = import_module("pyarrow")
        kinds = {
            "text": self._arrow.string(),
            "number": self._arrow.int64(),
            "flag": self._arrow.bool_(),
            "time": self._arrow.timestamp("us", tz="UTC"),
        }
        self._columns = columns
        self._schema = self._arrow.schema([(one.name, kinds[one.kind]) for one in columns])
        parquet: Any = import_module("pyarrow.parquet")
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")

    def write(self, rows: Sequence[Row]) -> None:
        """Add a row group."""
        if not rows:
            return
        arrays = [
            [_time(value) for value in values] if column.kind == "time" else values
            for column, values in zip(self._columns, zip(*rows, strict=True), strict=True)
        ]
        made = [
            self._arrow.array(values, field.type)
            for values, field in zip(arrays, self._schema, strict=True)
        ]
        self._writer.write_table(self._arrow.table(made, schema=self._schema))

    def end(self) -> None:
        """Write the end."""
        self._writer.close()

    def drop(self) -> None:
        """Have the library write its end now; it would try, and complain, when nobody looks."""
        with suppress(OSError):
            self._writer.close()
        self._writer.is_open = False


def _time(value: Value) -> datetime | None:
    if not isinstance(value, str) or not value:
        return None
    return instant.moment(instant.parse(value))


class Buffered:
    """A table's rows, written so many at a time."""

    def __init__(self, table: Table) -> None:
        """Begin with no row."""
        self._table = table
        self._rows: list[Row] = []
        self.count = 0

    def add(self, row: Row) -> None:
        """Add a row."""
        self._rows.append(row)
        self.count += 1
        if len(self._rows) >= ROWS:
            self._flush()

    def end(self) -> None:
        """Write what is left."""
        self._flush()
        self._table.end()

    def drop(self) -> None:
        """Write no more."""
        self._table.drop()

    def _flush(self) -> None:
        self._table.write(self._rows)
        self._rows = []


_KINDS: Final[dict[str, Callable[[BinaryIO, Sequence[Column]], Table]]] = {
    ".csv": Csv,
    ".parquet": Parquet,
}


def check_place(path: Path, *, force: bool) -> None:
    """Refuse a place that cannot be written, before any log is read."""
    if path.suffix.lower() not in _KINDS:
        what = f"{path.suffix or path.name!r} is no kind of file that is written"
        raise InputError(what, "--to", "name a .csv or .parquet file")
    check_free(path, force=force)
    if path.suffix.lower() == ".parquet":
        try:
            import_module("pyarrow.parquet")
        except ImportError:
            mend = "pip install 'shoetrail[export]', or write .csv"
            raise InputError("Parquet needs pyarrow, which is not here", "--to", mend) from None


@contextmanager
def written(places: Sequence[tuple[Path, Sequence[Column]]]) -> Iterator[list[Buffered]]:
    """Open tables to be written; they take their places together, when the block has ended well."""
    parts = [path.with_name(f".{path.name}.{os.getpid()}.part") for path, _ in places]
    files: list[BinaryIO] = []
    tables: list[Buffered] = []
    at = places[0][0]
    try:
        for (path, columns), part in zip(places, parts, strict=True):
            at = path
            files.append(part.open("wb"))
            tables.append(Buffered(_KINDS[path.suffix.lower()](files[-1], columns)))
        yield tables
        for (path, _), table, file in zip(places, tables, files, strict=True):
            at = path
            table.end()
            file.flush()
            os.fsync(file.fileno())
            file.close()
        for (path, _), part in zip(places, parts, strict=True):
            at = path
            part.replace(path)
    except OSError as trouble:
        raise cannot_write(at, trouble) from None
    finally:
        for table in tables:
            table.drop()
        for file in files:
            with suppress(OSError):
                file.close()
        for part in parts:
            part.unlink(missing_ok=True)
