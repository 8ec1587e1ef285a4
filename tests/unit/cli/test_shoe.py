"""``shoetrail shoe`` against the published vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from services.cli.main import app

if TYPE_CHECKING:
    from typer.testing import Result

FILE = Path(__file__).parents[2] / "vectors" / "shoes" / "shoes.json"
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text())["seeded"]
SEED = "00" * 32


def shoe(*args: str) -> Result:
    return CliRunner().invoke(app, ["shoe", *args], prog_name="shoetrail")


def given(vector: dict[str, Any]) -> list[str]:
    return [
        "--seed", vector["server_seed"], "--client", vector["client_seed"], "--shoe-id",
        vector["shoe_id"], "--decks", str(vector["decks"]), "--beacon", vector["beacon"],
    ]  # fmt: skip


@pytest.mark.parametrize("vector", VECTORS, ids=[f"{one['decks']} decks" for one in VECTORS])
def test_the_vectors(vector: dict[str, Any]) -> None:
    result = shoe(*given(vector), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert list(found) == ["order", "sha256", "commitment"]
    assert len(found["order"]) == 52 * vector["decks"]
    assert " ".join(found["order"][:10]) == vector["first_cards"]
    assert found["sha256"] == vector["order_sha256"]
    assert found["commitment"] == vector["commitment"]


def test_for_people() -> None:
    result = shoe(*given(VECTORS[1]))
    assert result.exit_code == 0
    assert "Shoe T7/12, first card first" in result.stdout
    assert "   0  3S AS 3C 5C 8H QH 2H 5H 6C 7S " in result.stdout
    assert VECTORS[1]["commitment"] in result.stdout


def test_what_is_not_given_is_eight_decks_and_empty_seeds() -> None:
    bare = shoe("--seed", SEED, "--shoe-id", "T7/1", "--json")
    full = shoe(*given({**VECTORS[1], "shoe_id": "T7/1", "decks": 8}), "--json")
    assert bare.stdout == full.stdout


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["--seed", "00"], "--seed: 32 bytes are wanted, not 1; give 64 hex digits"),
        (["--seed", "00" * 33], "--seed: 32 bytes are wanted, not 33"),
        (["--seed", "xy" * 32], "--seed: this is no hex"),
        (["--seed", "0" * 63], "--seed: this is no hex"),
        (["--client", "00" * 65], "--client: at most 64 bytes are taken, not 65"),
        (["--client", "0"], "--client: this is no hex"),
        (["--beacon", "00" * 65], "--beacon: at most 64 bytes are taken, not 65"),
        (["--beacon", "g0"], "--beacon: this is no hex"),
        (["--decks", "0"], "--decks: a shoe cannot have 0 decks; give 1 to 16"),
        (["--decks", "17"], "--decks: a shoe cannot have 17 decks"),
        (["--decks", "-1"], "--decks: a shoe cannot have -1 decks"),
        (["--decks", "two"], "Invalid value for '--decks'"),
        (["--shoe-id", ""], "--shoe-id: it must be 1 to 65535 bytes, not 0"),
        (["--shoe-id", "x" * 65536], "--shoe-id: it must be 1 to 65535 bytes, not 65536"),
        (["--shoe-id", "\udcff"], "--shoe-id: this is no UTF-8"),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_what_cannot_be_used_gets_one_line_and_exit_2(
    args: list[str], line: str, as_json: list[str]
) -> None:
    result = shoe("--seed", SEED, "--shoe-id", "T7/12", *args, *as_json)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"shoetrail: {line}")
    assert result.stderr.count("\n") == 1


def test_limits_are_taken_up_to_the_edge() -> None:
    edge = ["--client", "ff" * 64, "--beacon", "ff" * 64, "--decks", "16"]
    result = shoe("--seed", SEED, "--shoe-id", "x" * 65535, *edge, "--json")
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["order"]) == 832


def test_help_has_an_example() -> None:
    assert "shoetrail shoe --seed" in shoe("--help").stdout
