"""The example in docs/record.md is a real one."""

from __future__ import annotations

import re
from pathlib import Path

from services.ledger.checkpoint import open_checkpoint
from services.ledger.lines import log_root
from services.ledger.note import Verifier

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "record.md").read_text("utf-8")


def test_the_checkpoint_on_the_page_is_of_the_sample() -> None:
    note = re.search(r"```\n(casino\.example/CLEAN/1\n.*?)```", PAGE, re.DOTALL)
    vkey = re.search(r"casino\.example\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}", PAGE)
    assert note is not None
    assert vkey is not None
    signed = open_checkpoint(note[1].encode(), [Verifier.parse(vkey[0])])
    lines = (ROOT / "replay_logs" / "CLEAN" / "1.jsonl").read_bytes().splitlines()
    assert signed == ("casino.example/CLEAN/1", len(lines), log_root(lines))
