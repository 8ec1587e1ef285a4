"""What all tests of the auditor share."""

from __future__ import annotations

import pytest

from tests.unit.auditor.table import Table


@pytest.fixture(autouse=True)
def _all_speak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all who sit speak before betting closes, so that only what a test is of is wrong."""
    monkeypatch.setattr(Table, "passing", True)
