"""``shoetrail bundle``: what is in it, that it can be checked, and that nothing secret is."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from services.cli.main import app
from services.ledger.keys import make_key
from services.ledger.lines import log_root
from services.ledger.seal import Sealer
from tests.unit.auditor.table import Table, good
from tests.unit.cli.logs import write

if TYPE_CHECKING:
    from typer.testing import Result

HERE = Path(__file__).parents[3]
ROOT = HERE / "replay_logs"


@pytest.fixture(autouse=True)
def _no_key_of_ours(tmp_path: Path, monkeypatch: Any) -> None:  # noqa: ANN401
    monkeypatch.setenv("SHOETRAIL_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("SHOETRAIL_KEY", raising=False)


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args), prog_name="shoetrail")


def bundled(*args: str) -> Any:  # noqa: ANN401 - each test knows its shape
    result = run("bundle", *args, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def refused(*args: str) -> str:
    result = run("bundle", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def sealed(folder: Path, key: Path, table: Table) -> Path:
    """Write a log and sign it."""
    log = write(folder, table)
    sealer = Sealer.beside(make_key(key, "casino.example"), key)
    seal = sealer.shoe(table.table, table.shoe, log)
    seal.add(table.lines())
    seal.sign(last=True)
    return log


def test_it_is_the_record_and_can_be_checked(tmp_path: Path) -> None:
    logs, key, to = tmp_path / "logs", tmp_path / "state" / "signing.key", tmp_path / "t7.zip"
    made = good(shoe=1).asked()
    log = sealed(logs, key, made)
    told = bundled("T7/1", "--log-dir", str(logs), "--to", str(to))
    assert told["sha256"] == hashlib.sha256(to.read_bytes()).hexdigest()
    assert told["files"][:3] == ["README.txt", "logs/T7/1.jsonl", "logs/T7/1.checkpoint"]
    assert {"house.vkeys", "rules/punto-banco.toml"} <= set(told["files"])
    with zipfile.ZipFile(to) as packed:
        assert packed.testzip() is None
        assert packed.namelist() == [f"T7-1/{name}" for name in told["files"]]
        packed.extractall(tmp_path)
    inside = tmp_path / "T7-1"
    assert (inside / "logs/T7/1.jsonl").read_bytes() == log.read_bytes()
    assert (inside / "logs/T7/1.checkpoint").read_bytes() == log.with_suffix(
        ".checkpoint"
    ).read_bytes()
    assert (inside / "house.vkeys").read_text() == run("key", "show").stdout
    rules = (inside / "rules/punto-banco.toml").read_text()
    assert rules == made.entries[0].data.rules.text
    checker = HERE / "services" / "dashboard" / "static" / "checker.html"
    assert ("checker.html" in told["files"]) == checker.is_file()
    # As its README says.
    page = (inside / "README.txt").read_text()
    assert "In this folder (T7-1): shoetrail audit logs --key house.vkeys" in page
    assert f"root {log_root(made.lines()).hex()}" in page
    assert hashlib.sha256(log.read_bytes()).hexdigest() in page
    keys = str(inside / "house.vkeys")
    checked = run("audit", str(inside / "logs"), "--key", keys, "--json")
    assert json.loads(checked.stdout)["verdict"] == "pass", checked.stdout
    # An inspector's copy that was changed fails.
    copy = inside / "logs/T7/1.jsonl"
    copy.write_bytes(copy.read_bytes().replace(b'"stake":10000', b'"stake":10001', 1))
    assert run("audit", str(inside / "logs"), "--key", keys).exit_code == 1


def test_nothing_secret_is_in_it(tmp_path: Path) -> None:
    logs, key, to = tmp_path / "logs", tmp_path / "state" / "signing.key", tmp_path / "t7.zip"
    made = good(shoe=1)  # still open
    sealed(logs, key, made)
    bundled("T7/1", "--log-dir", str(logs), "--to", str(to))
    data = to.read_bytes()
    assert key.read_bytes().strip() not in data
    assert b"PRIVATE" not in data
    assert made.seed not in data
    assert made.seed.hex().encode() not in data
    assert b"not yet: nothing is revealed" in data


def test_the_same_record_gives_the_same_bytes(tmp_path: Path, monkeypatch: Any) -> None:  # noqa: ANN401
    hashes = set()
    for name in ("a", "b"):
        logs = tmp_path / name
        log = write(logs, good(shoe=1).asked())
        log.touch()
        monkeypatch.setattr("os.getpid", lambda name=name: ord(name))
        told = bundled("T7/1", "--log-dir", str(logs), "--to", str(logs / "x.zip"))
        hashes.add(told["sha256"])
    assert len(hashes) == 1


def test_all_that_lies_beside_the_log_is_taken(tmp_path: Path) -> None:
    log = write(tmp_path, good(shoe=1).asked())
    names = ["1.checkpoint", "1.verdicts.jsonl", "1.verdicts.checkpoint", "1.audit.json",
             "1.live.jsonl", "disputes.jsonl", "disputes.checkpoint"]  # fmt: skip
    for name in [*names, "2.checkpoint", ".lock", "11.audit.json"]:
        (log.parent / name).write_text(name)
    told = bundled("T7/1", "--log-dir", str(tmp_path), "--to", str(tmp_path / "x.zip"))
    assert [name for name in told["files"] if name.startswith("logs/T7/")] == [
        "logs/T7/1.jsonl", *(f"logs/T7/{name}" for name in names),
    ]  # fmt: skip
    with zipfile.ZipFile(tmp_path / "x.zip") as packed:
        for name in names:
            assert packed.read(f"T7-1/logs/T7/{name}").decode() == name
    assert [what for what in told["missing"] if "(1." in what or "disputes" in what] == []


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    write(tmp_path, good(shoe=1).asked())
    told = bundled("T7/1", "--log-dir", str(tmp_path), "--to", str(tmp_path / "x.zip"))
    assert "the signed root of the log (1.checkpoint)" in told["missing"]
    assert "the house's public keys (see --key)" in told["missing"]
    with zipfile.ZipFile(tmp_path / "x.zip") as packed:
        page = packed.read("T7-1/README.txt").decode()
    assert "Not in here: the signed root of the log (1.checkpoint)." in page
    assert "Without the house's vkey nothing shows who wrote this record" in page


def test_an_open_shoe_is_packed_in_whole_lines(tmp_path: Path) -> None:
    log = write(tmp_path, good(shoe=1))
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"specversion":')
    bundled("T7/1", "--log-dir", str(tmp_path), "--to", str(tmp_path / "x.zip"))
    with zipfile.ZipFile(tmp_path / "x.zip") as packed:
        assert packed.read("T7-1/logs/T7/1.jsonl") == whole


def test_evidence_is_packed_as_it_is(tmp_path: Path) -> None:
    """A closed log that somebody spoiled is what the inspector has to see."""
    log = write(tmp_path, good(shoe=1).asked())
    lines = log.read_bytes().split(b"\n")
    spoiled = b"\n".join([*lines[:9], b"\xff" * 2_000_000, *lines[9:-1], b"torn \x00"])
    log.write_bytes(spoiled)
    bundled("T7/1", "--log-dir", str(tmp_path), "--to", str(tmp_path / "x.zip"))
    with zipfile.ZipFile(tmp_path / "x.zip") as packed:
        assert packed.read("T7-1/logs/T7/1.jsonl") == spoiled


def test_names_in_a_log_cannot_lead_out_of_the_bundle(tmp_path: Path) -> None:
    made = good(shoe=1, dealer="\x1b[31mdora\n")
    rules = made.entries[0].data.rules
    made.entries[0].set(rules=type(rules)("../../evil", rules.sha256, rules.text))
    write(tmp_path, made)
    told = bundled("T7/1", "--log-dir", str(tmp_path), "--to", str(tmp_path / "x.zip"))
    assert "rules/rules.toml" in told["files"]
    assert not any(".." in name for name in told["files"])
    with zipfile.ZipFile(tmp_path / "x.zip") as packed:
        page = packed.read("T7-1/README.txt").decode()
    assert "dealer    \\x1b[31mdora\\n\n" in page


def test_keys_that_are_told(tmp_path: Path) -> None:
    write(tmp_path, good(shoe=1).asked())
    vkey = make_key(tmp_path / "other.key", "other.example").verifier.vkey
    args = ("T7/1", "--log-dir", str(tmp_path), "--to", str(tmp_path / "x.zip"))
    bundled(*args, "--key", vkey)
    with zipfile.ZipFile(tmp_path / "x.zip") as packed:
        assert packed.read("T7-1/house.vkeys").decode() == vkey + "\n"
    assert "--key: " in refused(*args, "--force", "--key", "nonsense")


def test_for_people(tmp_path: Path) -> None:
    to = tmp_path / "clean.zip"
    result = run("bundle", "CLEAN/1", "--log-dir", str(ROOT), "--to", str(to))
    assert result.exit_code == 0
    assert hashlib.sha256(to.read_bytes()).hexdigest() in result.stdout
    assert "logs/CLEAN/1.jsonl" in result.stdout
    assert "Not in it: the signed root of the log" in result.stdout


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["T7"], "'T7' is no shoe; write it as T7/12"),
        (["../x/1"], "is no shoe"),
        (["T7/0012"], "is no shoe"),
        (["T7/99"], "T7/99.jsonl".replace("T7/99", "99")),
        (["CLEAN/1", "--to", "x.tar"], "'x.tar' is no .zip file; name one"),
        (["CLEAN/1", "--to", "nowhere/x.zip"], "there is no such folder"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_gets_one_line(args: list[str], says: str) -> None:
    more = ["--log-dir", str(ROOT)] if args else []
    assert says in refused(*args, *more)


def test_a_log_that_is_another_shoes(tmp_path: Path) -> None:
    log = write(tmp_path, good(shoe=1))
    log.rename(log.with_name("2.jsonl"))
    says = refused("T7/2", "--log-dir", str(tmp_path), "--to", str(tmp_path / "x.zip"))
    assert "this is the log of T7/1; put it where it belongs" in says


@pytest.mark.parametrize("data", [b"", b"nothing\n", b"\xef\xbb\xbf{}\n", b"{}\r\n"])
def test_a_log_that_is_none(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "T7" / "1.jsonl"
    path.parent.mkdir()
    path.write_bytes(data)
    to = tmp_path / "x.zip"
    assert "1.jsonl" in refused("T7/1", "--log-dir", str(tmp_path), "--to", str(to))
    assert not to.exists()


def test_a_file_that_is_there_stays_unless_told(tmp_path: Path) -> None:
    to = tmp_path / "x.zip"
    to.write_text("mine")
    args = ("CLEAN/1", "--log-dir", str(ROOT), "--to", str(to))
    assert "this file is there already; name another, or say --force" in refused(*args)
    assert to.read_text() == "mine"
    bundled(*args, "--force")
    assert zipfile.is_zipfile(to)


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: Any) -> None:  # noqa: ANN401
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    to = tmp_path / "x.zip"
    says = refused("CLEAN/1", "--log-dir", str(ROOT), "--to", str(to))
    assert "x.zip: cannot be written (no space left on device)" in says
    assert list(tmp_path.iterdir()) == []
