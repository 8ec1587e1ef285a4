"""Statistics and the fifteen high scores, in an SQLite file between runs. Plays nothing.

Source: 001_8304c434475ca3ac.txt, "High Scores" and "Save High Games". Several programs may use it
at once: each change is one immediate transaction, which waits its turn. A session is written under
an id of its own that its run derives, so writing it again, further on or after a crash, counts it
once.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Self, TypeVar

import msgspec

from schemas.errors import InputError, ShoetrailError, Unavailable
from schemas.instant import spell
from services.cli.figures import Figures
from services.cli.score_rows import HighScore, Statistics, player_name
from services.ledger.disk import make_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from services.cli.score_rows import Session

Row = TypeVar("Row", HighScore, Statistics)

FILE: Final = "scores.sqlite3"
#: "You will be able to view the top fifteen players and their scores."
PLACES: Final = 15

_OURS: Final = 0x53484F45  # "SHOE", in the file's header
_VERSION: Final = 1
_PATIENCE_S: Final = 10.0
_FIGURES: Final = tuple(field.name for field in msgspec.structs.fields(Figures))
#: Figures that do not add up over sessions: the highest, or the lowest, stands for all.
_OVER_ALL: Final = {"best": "MAX", "worst": "MIN", "largest": "MAX"}

_HIGH_SCORE: Final = tuple(field.name for field in msgspec.structs.fields(HighScore))
#: What statistics have beside their figures.
_STATISTIC: Final = ("system", "rules", "currency", "sessions")

_COLUMNS: Final = ", ".join(_FIGURES)
_SCHEMA: Final = f"""
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, system TEXT NOT NULL, rules TEXT NOT NULL, currency TEXT NOT NULL,
    ended TEXT NOT NULL, name TEXT, {", ".join(f"{name} INTEGER NOT NULL" for name in _FIGURES)}
)
"""
# A session that is written again goes on: what is further on stands, whoever writes it last.
_KEEP: Final = f"""
INSERT INTO sessions (id, system, rules, currency, ended, name, {_COLUMNS})
VALUES (:id, :system, :rules, :currency, :ended, :name, {", ".join(f":{x}" for x in _FIGURES)})
ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, name = COALESCE(excluded.name, name),
    {", ".join(f"{name} = excluded.{name}" for name in _FIGURES)}
WHERE excluded.hands >= sessions.hands
"""  # noqa: S608 - our own field names
_SUMS: Final = ", ".join(f"{_OVER_ALL.get(name, 'SUM')}({name})" for name in _FIGURES)
_STATISTICS: Final = f"""
SELECT system, rules, currency, COUNT(*), {_SUMS}
FROM sessions GROUP BY system, rules, currency ORDER BY system, rules, currency
"""  # noqa: S608 - our own field names
_TOP: Final = f"""
SELECT name, net, currency, system, rules, hands, ended, id FROM sessions
WHERE name IS NOT NULL AND net > 0 AND currency = ? ORDER BY net DESC, ended, id LIMIT {PLACES}
"""  # noqa: S608 - a number of ours
_AHEAD: Final = """
SELECT COUNT(*) FROM sessions WHERE name IS NOT NULL AND net >= ? AND net > 0 AND currency = ?
"""


class ScoreBook:
    """The file, open; use it in a ``with``."""

    def __init__(self, path: Path, now: Callable[[], int]) -> None:
        """Open the book, or begin one. ``now`` gives microseconds since 1970.

        ``InputError``: the file is damaged, another program's, or a newer Shoetrail's.
        ``Unavailable``: another program does not let go of it.
        """
        self._path = path
        self._now = now
        make_folder(path.parent)
        with self._explained():
            self._db = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None)
            try:
                self._begin()
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self._db.close()

    def keep(self, session: Session) -> int | None:
        """Write a session down, or how far it has come; give its place among the fifteen."""
        name = None if session.name is None else player_name(session.name)
        row = {
            "id": session.id,
            "system": session.system,
            "rules": session.rules,
            "currency": session.currency,
            "ended": spell(self._now()),
            "name": name,
            **msgspec.structs.asdict(session.figures),
        }
        with self._explained(), self._change():
            self._db.execute(_KEEP, row)
            found = self._db.execute(_TOP, (session.currency,)).fetchall()
        ids = [one[-1] for one in found]
        return ids.index(session.id) + 1 if session.id in ids else None

    def place_of(self, score: int, currency: str) -> int | None:
        """Tell which place a new score would take, or None: whether to ask for a name."""
        if score <= 0:
            return None  # a loss is no winnings (silent)
        with self._explained():
            place = 1 + self._ask_number(_AHEAD, score, currency)
        return place if place <= PLACES else None

    def high_scores(self, currency: str) -> list[HighScore]:
        """Give the fifteen, the highest first; of equal ones the earlier."""
        with self._explained():
            rows = self._db.execute(_TOP, (currency,)).fetchall()
        return [self._row(HighScore, dict(zip(_HIGH_SCORE, row, strict=True))) for row in rows]

    def statistics(self) -> list[Statistics]:
        """Add up all sessions, those of each system and rule set by themselves."""
        with self._explained():
            rows = self._db.execute(_STATISTICS).fetchall()
        return [
            self._row(
                Statistics,
                {
                    **dict(zip(_STATISTIC, row, strict=False)),
                    "figures": dict(zip(_FIGURES, row[len(_STATISTIC) :], strict=True)),
                },
            )
            for row in rows
        ]

    def _begin(self) -> None:
        """Check that the file is ours and whole; an empty one is made ours."""
        if self._is_empty():
            with self._change():
                if self._is_empty():  # another program may have been quicker
                    self._db.execute(_SCHEMA)
                    self._db.execute(f"PRAGMA application_id = {_OURS}")
                    self._db.execute(f"PRAGMA user_version = {_VERSION}")
        if self._ask_number("PRAGMA application_id") != _OURS:
            mend = "move it away, or name another state folder in SHOETRAIL_STATE_DIR"
            raise InputError("this is another program's database", str(self._path), mend)
        if (version := self._ask_number("PRAGMA user_version")) != _VERSION:
            what = f"it has schema {version}, and this Shoetrail knows {_VERSION}"
            raise InputError(what, str(self._path), "use the Shoetrail that wrote it")
        if (found := self._db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise self._damaged(str(found))

    def _is_empty(self) -> bool:
        tables = self._ask_number("SELECT COUNT(*) FROM sqlite_master")
        return tables == 0 and self._ask_number("PRAGMA application_id") == 0

    def _row(self, kind: type[Row], plain: dict[str, object]) -> Row:
        """Read a row: SQLite holds its columns to no type."""
        try:
            return msgspec.convert(plain, kind)
        except msgspec.ValidationError as error:
            raise self._damaged(str(error)) from None

    def _ask_number(self, query: str, *values: object) -> int:
        return int(self._db.execute(query, values).fetchone()[0])

    @contextmanager
    def _change(self) -> Iterator[None]:
        """One transaction that holds the file from its start; what fails in it is undone."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn SQLite's errors into a line that says what to do."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._explanation(error) from None

    def _explanation(self, error: sqlite3.Error) -> ShoetrailError:
        code = (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            what = f"another program has kept it locked for {_PATIENCE_S:.0f} seconds"
            return Unavailable(f"{self._path}: {what}; end it, or try again")
        if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
            mend = "make it writable, or name another state folder in SHOETRAIL_STATE_DIR"
            return InputError("it cannot be opened for writing", str(self._path), mend)
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return Unavailable(f"{self._path}: {error}; see to the disk")
        return self._damaged(str(error))

    def _damaged(self, how: str) -> InputError:
        what = f"the scores are damaged, or this is no file of ours ({how})"
        return InputError(what, str(self._path), "move it away: a new one is begun")
