"""The page of a dispute in a real Chromium: its policy lets its style in, and it is one A4 page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support import samples
from tests.support.nursery import Command

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser
_PAGES = re.compile(rb"/Type\s*/Page[^s]")
#: Points: 210 by 297 mm.
_A4 = re.compile(rb"/MediaBox\s*\[\s*0 0 59[45]\.\d+ 84[12]\.\d+\s*\]")


def test_it_is_styled_and_prints_on_one_page(tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium on PATH: apt-get install chromium")
    env = {key: value for key, value in os.environ.items() if not key.startswith("SHOETRAIL_")}
    env["SHOETRAIL_LOG_DIR"] = str(samples.ROOT)
    page, pdf = tmp_path / "page.html", tmp_path / "page.pdf"
    # A process of its own: playwright's loop may run in this one.
    done = Command(["dispute", "show", "DISPUTED:1", "--html", str(page)], env)
    code, _, err = done.ends()
    assert code == 0, err
    words = [
        chromium, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
        f"--user-data-dir={tmp_path / 'profile'}", "--no-pdf-header-footer",
        f"--print-to-pdf={pdf}", page.as_uri(),
    ]  # fmt: skip
    said = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stderr
    assert "Content Security Policy" not in said, said
    printed = pdf.read_bytes()
    assert len(_PAGES.findall(printed)) == 1
    assert _A4.search(printed)
    # a page whose style is not let in would say so
    page.write_text(page.read_text("utf-8").replace("--ink: #16181d", "--ink: #16181e"), "utf-8")
    said = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stderr
    assert "Content Security Policy" in said
