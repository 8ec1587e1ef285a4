from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.ledger.lines import log_root
from tests.unit.auditor.site import OTHER, SIGNER, Site, edit
from tests.unit.auditor.table import Table, good

VKEY = SIGNER.verifier.vkey


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(Table, "passing", True)
    return Site(tmp_path)


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], prog_name="shoetrail")


def test_a_proof_is_written_and_verified(site: Site, tmp_path: Path) -> None:
    log = site.sealed(good().asked())
    out = tmp_path / "12-2.proof"
    done = run("proof", log, "--round", 2, "--out", out, "--json")
    assert json.loads(done.stdout) == {
        "out": str(out), "shoe": "T7/12", "round": 2, "bytes": out.stat().st_size,
    }  # fmt: skip
    printed = run("proof", log, "--round", 2)
    assert printed.stdout_bytes == out.read_bytes()
    assert run("proof", log, "--round", 2, "--json").stdout == printed.stdout
    for one in (log, log.with_suffix(".checkpoint")):  # it needs no more than the proof
        one.unlink()
    done = run("verify", out, "--key", VKEY, "--key", OTHER.verifier.vkey)
    assert done.exit_code == 0
    assert "casino.example (key " in done.stdout
    assert "all 11 from its opening" in done.stdout or "from its opening" in done.stdout
    assert "ann had $100.00 on banker: " in done.stdout
    assert "Its cards are those of the order that was committed to" in done.stdout
    told = json.loads(run("verify", out, "--key", VKEY, "--json").stdout)
    assert (told["shoe"], told["round"], told["cards"]) == ("T7/12", 2, "right")
    assert told["lines"][0] == {"index": 0, "at": "T7/12-0", "type": "shoe.opened"}
    assert told["lines"][-2]["at"] == "T7/12#2"
    assert told["says"] == done.stdout.splitlines()


def test_a_card_that_is_not_the_shoe_s_is_proven_against_the_house(
    site: Site, tmp_path: Path
) -> None:
    table = good(rounds=1)
    table.open_round()
    for bettor in ("ann", "bob", "cyd"):
        table.bet(bettor, "player", 10_000)
    table.close_bets()
    held = table.order[table.position]
    table.draw("player", "9H" if held != "9H" else "8H")
    table.deal()
    table.settle()
    log = site.sealed(table.asked())
    out = tmp_path / "proof"
    run("proof", log, "--round", 2, "--out", out)
    done = run("verify", out, "--key", VKEY)
    assert done.exit_code == 1
    assert "ITS CARDS ARE NOT THOSE" in done.stdout


def test_what_a_growing_log_kept(site: Site, tmp_path: Path) -> None:
    log = site.write(good())
    lines = log.read_bytes().splitlines()
    old = tmp_path / "old.checkpoint"
    old.write_bytes(site.sign(log, 10))
    site.sign(log, len(lines))
    out = tmp_path / "grown.proof"
    assert run("proof", log, "--from", old, "--out", out).exit_code == 0
    done = run("verify", out, "--key", VKEY)
    assert done.exit_code == 0
    assert f"The first 10 of the {len(lines)} lines are those" in done.stdout
    told = json.loads(run("verify", out, "--key", VKEY, "--json").stdout)
    assert (told["from_size"], told["size"], told["root"]) == (
        10, len(lines), log_root(lines).hex()
    )  # fmt: skip


def test_bad_input_is_one_line(site: Site, tmp_path: Path) -> None:
    log = site.sealed(good().asked())
    unsealed = site.write(good(table="T8"))
    out = tmp_path / "there"
    out.write_bytes(b"")
    cases: list[tuple[list[object], str]] = [
        (["proof", log], "nothing to prove, or two things; give --round N, or --from FILE"),
        (["proof", log, "--round", 1, "--from", log], "nothing to prove, or two things"),
        (["proof", log, "--round", 0], "--round"),
        (["proof", log, "--round", 99], "there is no round 99"),
        (["proof", log, "--round", 1, "--out", out], "there is a file already"),
        (["proof", log, "--round", 1, "--out", tmp_path / "no" / "where"], "No such file"),
        (["proof", tmp_path, "--round", 1], "a folder has many logs"),
        (["proof", tmp_path / "none", "--round", 1], "there is no such file"),
        (["proof", out, "--round", 1], "the file is empty"),
        (["proof", unsealed, "--round", 1], "there is no checkpoint"),
        (["proof", log, "--from", tmp_path / "none"], "there is no checkpoint"),
        (["proof", log, "--from", out], "this is no signed note"),
        (["proof", log, "--from", log], "no"),
        (["verify", tmp_path / "none", "--key", VKEY], "there is no such file"),
        (["verify", tmp_path, "--key", VKEY], "is a directory"),
        (["verify", out, "--key", VKEY], "this proves nothing: this is no JSON"),
        (["verify", log, "--key", VKEY], "this proves nothing"),
        (["verify", out, "--key", "hello"], "--key: this is no vkey"),
        (["verify", out], "Missing option '--key'"),
    ]
    for words, says in cases:
        done = run(*words)
        assert (done.exit_code, done.stdout) == (2, ""), words
        assert says in done.stderr, (words, done.stderr)
        assert done.stderr.count("\n") == 1, words
    edit(log, b'"software":"test 1"', b'"software":"test 2"')
    done = run("proof", log, "--round", 1)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "not what was signed of it; see what `shoetrail audit --key`" in done.stderr


def test_another_key_proves_nothing(site: Site, tmp_path: Path) -> None:
    log = site.sealed(good().asked())
    out = tmp_path / "proof"
    run("proof", log, "--round", 1, "--out", out)
    done = run("verify", out, "--key", OTHER.verifier.vkey)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "this proves nothing: no key that was given has signed this" in done.stderr
