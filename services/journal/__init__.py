"""Append, read and follow table streams in Redis. It may not know what an entry says."""

from services.journal.append import Marks, ShoeStart
from services.journal.contiguity import Contiguity
from services.journal.desk import Desk
from services.journal.follower import Follower
from services.journal.journal import Journal, connect
from services.journal.queue import Job, WorkQueue
from services.journal.rows import Entry, Runs
from services.journal.tables import OneTable, TableService

__all__ = [
    "Contiguity",
    "Desk",
    "Entry",
    "Follower",
    "Job",
    "Journal",
    "Marks",
    "OneTable",
    "Runs",
    "ShoeStart",
    "TableService",
    "WorkQueue",
    "connect",
]
