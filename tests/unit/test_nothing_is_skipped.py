"""Where CI=true, a test that skips itself fails: so a missing server never looks like success."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SKIPS = """
import pytest

@pytest.mark.skipif(True, reason="no server here")
def test_by_mark(): ...

def test_by_word():
    pytest.skip("no server here")

@pytest.mark.xfail(strict=True)
def test_that_is_known_to_fail():
    assert False
"""


MODULE = "import pytest\npytest.importorskip('no_such_module')\n"


@pytest.mark.parametrize(
    ("ci", "counts"),
    [
        # A module that cannot be collected ends a run; what is skipped by mark is an error.
        ("true", "1 failed, 1 xfailed, 2 errors"),
        ("", "3 skipped, 1 xfailed"),
    ],
)
def test_a_skipped_test_and_a_skipped_module(tmp_path: Path, ci: str, counts: str) -> None:
    assert counts in run(tmp_path, ci)


def run(folder: Path, ci: str) -> str:
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (folder / "test_trial.py").write_text(SKIPS)
    (folder / "test_trial_module.py").write_text(MODULE)
    without = ("-p", "no:cacheprovider", "--continue-on-collection-errors")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *without, "--rootdir", folder, folder],
        cwd=ROOT,
        env=os.environ | {"CI": ci, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    ).stdout
