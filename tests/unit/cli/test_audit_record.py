from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from schemas.address import Shoe
from schemas.errors import InputError
from services.cli.audit import expected
from services.cli.main import app
from tests.unit.auditor.site import SIGNER, Site, edit
from tests.unit.auditor.table import Table

VKEY = SIGNER.verifier.vkey


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(Table, "passing", True)
    site = Site(tmp_path)
    site.chain(1, 2)
    return site


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["audit", *words], prog_name="shoetrail")


def test_a_sealed_folder(site: Site) -> None:
    folder = str(site.logs)
    done = run(folder, "--key", VKEY, "--expect", "T7/1..2", "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["verdict"]) == (0, "pass")
    assert told["seals"] == {"held": 2, "broken": 0, "missing": 0, "unchecked": 0}
    assert "2 held" in run(folder, "--key", VKEY).stdout
    assert "2 not checked (give --key)" in run(folder).stdout
    keys = site.logs.parent / "house.vkeys"
    keys.write_text(f"# of the house\n{VKEY}\n")
    assert run(folder, "--key", str(keys)).exit_code == 0


def test_a_changed_one_fails(site: Site) -> None:
    edit(site.path(shoe=1), b'"software":"test 1"', b'"software":"test 2"')
    done = run(str(site.logs), "--key", VKEY)
    assert done.exit_code == 1
    assert "1 held, 1 broken" in done.stdout
    assert "root-mismatch" in done.stdout
    done = run(str(site.logs), "--key", VKEY, "--expect", "T7/1..4", "--json")
    codes = [one["code"] for one in json.loads(done.stdout)["findings"]]
    assert [code for code in codes if code != "closed-early"] == [
        "root-mismatch", "shoe-missing", "shoe-missing",
    ]  # fmt: skip


def test_receipts(site: Site) -> None:
    site.receipts.write_text('{"round":"T7/1#1","bettor":"ann","spot":"banker","stake":10000}\n')
    assert run(str(site.logs), "--receipts", str(site.receipts)).exit_code == 0
    site.receipts.write_text('{"round":"T7/1#1","bettor":"ann","spot":"banker","stake":9999}\n')
    done = run(str(site.logs), "--receipts", str(site.receipts), "--key", VKEY)
    assert done.exit_code == 1
    assert "receipt-missing" in done.stdout


def test_shoes_that_are_expected() -> None:
    assert expected(["T7/12"]) == (Shoe("T7", 12),)
    assert expected(["T7/1..3", "B/5", "T7/2..4"]) == (
        Shoe("T7", 1), Shoe("T7", 2), Shoe("T7", 3), Shoe("B", 5), Shoe("T7", 4),
    )  # fmt: skip
    for bad in (
        "", "T7", "T7/", "T7/0", "T7/01", "T7/3..1", "T7/1-3", "T7/1..", "/1", "T7/1..2..3", "é/1",
        "T7/1..999999999", "T7/\u0661", "T7/1\n", "T7/" + "9" * 50,
    ):  # fmt: skip
        with pytest.raises(InputError, match="--expect"):
            expected([bad])


BAD = [
    (["--key", ""], "--key: no vkey is here"),
    (["--key", "hello"], "--key: this is no vkey"),
    (["--key", VKEY + "\r"], "--key: the vkey's key is no base64"),
    (["--key", "\ufeff" + VKEY], "--key"),
    (["--key", VKEY[:-4]], "--key"),
    (["--expect", "T7"], "--expect: 'T7' names no shoes; write T7/12 or T7/1..12"),
    (["--receipts", "/nowhere"], "/nowhere: cannot be read"),
    (["--receipts", os.devnull], "the file is empty"),
]


@pytest.mark.parametrize(("words", "says"), BAD)
def test_bad_input_is_one_line(site: Site, words: list[str], says: str) -> None:
    done = run(str(site.logs), *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
