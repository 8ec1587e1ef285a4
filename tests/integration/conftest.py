from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.conftest import floor

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["floor"]


@pytest.fixture(autouse=True)
def _keys_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key remembers what it signed, and tests play the same shoe in more than one way."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
