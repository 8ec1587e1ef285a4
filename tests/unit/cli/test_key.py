from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.ledger.keys import read_key, vkeys


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHOETRAIL_STATE_DIR", str(tmp_path))
    monkeypatch.delenv("SHOETRAIL_KEY", raising=False)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["key", *words], prog_name="shoetrail")


def test_a_key_is_made_shown_and_replaced(state: Path) -> None:
    made = run("new", "--name", "casino.example")
    path = state / "signing.key"
    first = read_key(path)
    assert (made.exit_code, made.stdout) == (0, first.verifier.vkey + "\n")
    assert made.stderr == f"shoetrail: made {path}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert run("show").stdout == made.stdout
    rotated = run("rotate")
    second = read_key(path)
    assert rotated.stdout == f"{second.verifier.vkey}\n{first.verifier.vkey}\n"
    assert "start the auditor again" in rotated.stderr
    shown = json.loads(run("show", "--json").stdout)
    assert shown == {
        "file": str(path),
        "name": "casino.example",
        "vkey": second.verifier.vkey,
        "replaced": [first.verifier.vkey],
    }
    for said in (made, rotated):
        for secret in (first, second):
            private = secret.private_text().split("+", 4)[4]
            assert private not in said.stdout + said.stderr


def test_the_key_s_file_is_told_or_set(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = state / "a" / "told.key"
    assert run("new", "--file", str(told), "--json").exit_code == 0
    shown = json.loads(run("show", "--file", str(told), "--json").stdout)
    assert [one.vkey for one in vkeys(told)] == [shown["vkey"]]
    monkeypatch.setenv("SHOETRAIL_KEY", str(told))
    assert run("show").stdout == read_key(told).verifier.vkey + "\n"
    assert not (state / "signing.key").exists()


BAD = [
    (["show"], "there is no key; make one with `shoetrail key new`"),
    (["rotate"], "there is no key; make one with `shoetrail key new`"),
    (["new", "--name", "a b"], "--name: 'a b' names no site; use"),
    (["new", "--file", "/proc/none/key"], "cannot keep the key"),
]


@pytest.mark.parametrize(("words", "says"), BAD)
def test_bad_input_is_one_line(state: Path, words: list[str], says: str) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(state.iterdir()) == []


def test_a_key_that_is_there_is_never_overwritten(state: Path) -> None:
    for content in (b"", b"PRIVATE+KEY+\xff", b"anything\r\n"):
        path = state / "signing.key"
        path.write_bytes(content)
        path.chmod(0o600)
        for words in (["new"], ["rotate"], ["show"]):
            done = run(*words)
            assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
            assert path.read_bytes() == content


def test_a_key_in_the_environment_is_refused_and_not_shown(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("new")
    private = read_key(state / "signing.key").private_text()
    monkeypatch.setenv("SHOETRAIL_KEY", private)
    done = run("show")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "this is a key, not the name of its file" in done.stderr
    assert private.rpartition("+")[2] not in done.stderr
