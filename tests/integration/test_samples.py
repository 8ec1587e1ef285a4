"""The committed sample logs: made again byte for byte, and what the auditor says of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.envelope import decode_line
from schemas.events import RoundOpened
from services.auditor.offline import audit_paths
from tests.support import samples

pytestmark = pytest.mark.integration
CLEAN = ("CLEAN", "YABA4-WON", "YABA4-LOST")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    samples.make(folder)
    return folder


@pytest.mark.parametrize("table", [*CLEAN, *samples.DISPUTED])
def test_it_is_made_again_byte_for_byte(made: Path, table: str) -> None:
    again = (made / table / "1.jsonl").read_bytes()
    assert again == (samples.ROOT / table / "1.jsonl").read_bytes()


@pytest.mark.parametrize("table", CLEAN)
def test_a_clean_one_passes_without_a_word(table: str) -> None:
    audit = audit_paths([samples.ROOT / table / "1.jsonl"])
    assert (audit.verdict, audit.findings) == ("pass", ())


@pytest.mark.parametrize("table", samples.DISPUTED)
def test_a_disputed_one_fails_for_its_one_reason(table: str) -> None:
    audit = audit_paths([samples.ROOT / table / "1.jsonl"])
    assert audit.verdict == "fail"
    assert {finding.code for finding in audit.findings} == samples.DISPUTED[table][1]
    assert len(audit.findings) == 1
    assert audit.findings[0].round is not None
    assert audit.findings[0].round >= samples.AT


def test_the_clean_shoe_is_a_whole_one() -> None:
    lines = (samples.ROOT / "CLEAN" / "1.jsonl").read_bytes().splitlines()
    rounds = sum(isinstance(decode_line(line).data, RoundOpened) for line in lines)
    assert rounds > 70
