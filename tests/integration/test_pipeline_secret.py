"""Until the reveal, nobody but the dealer's own state file knows the seed."""

from __future__ import annotations

import base64
import json
import stat
from typing import TYPE_CHECKING, cast

import pytest

from schemas import commands as co
from schemas.address import Streams
from services.auditor.offline import audit_paths
from tests.support.crew import Crew
from tests.support.floor import FLAT, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from redis import Redis

pytestmark = [pytest.mark.integration, pytest.mark.slow]

T1 = Streams("T1")


def spellings(seed: bytes) -> dict[str, bytes]:
    """Spell a seed in every way that it might slip out."""
    found = {"raw": seed, "hex": seed.hex().encode(), "HEX": seed.hex().upper().encode()}
    for before, skipped in enumerate((0, 2, 3)):  # wherever it stands in what is encoded
        for name, code in (("base64", base64.b64encode), ("base64url", base64.urlsafe_b64encode)):
            found[f"{name} {before}"] = code(bytes(before) + seed)[skipped:40]
    found["list"] = ", ".join(map(str, seed)).encode()
    found["repr"] = repr(seed)[2:-1].encode()
    return found


def everything(client: Redis, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give all that is stored or logged anywhere, but the dealer's own state."""
    for key in cast("list[bytes]", client.keys("*")):
        if client.type(key) == b"stream":
            for at, fields in cast("list[tuple[bytes, dict[bytes, bytes]]]", client.xrange(key)):
                yield f"{key!r} {at!r}", b" ".join(fields.values())
        else:
            yield repr(key), cast("bytes", client.dump(key))
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "state" not in path.relative_to(folder).parts[:1]:
            yield str(path.relative_to(folder)), path.read_bytes()


def test_the_seed_is_nowhere_before_the_reveal(tmp_path: Path) -> None:
    with Crew(tmp_path) as crew, crew.client() as client:
        crew.hire("auditor", "auditor")
        crew.hire("resolver", "resolver")
        crew.hire("worker", "worker")
        crew.hire("bettors", "bettors", "--tables", "T1", "--flat", FLAT)
        dealer = crew.hire(
            "dealer", "dealer", "--tables", "T1", "--rules", "punto-banco", "--shoes", "1",
            "--seats", ",".join(names_in(FLAT)), "--pace", "0.3",
        )  # fmt: skip
        crew.until(lambda: client.xlen(T1.verdicts) >= 3, "three verdicts")
        dealer.kill()  # one who takes the seed from its file says no more of it
        dealer.start()
        crew.until(lambda: client.xlen(T1.verdicts) >= 6, "six verdicts")
        kept = crew.state_dir / "T1" / "1.json"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        seed = bytes.fromhex(json.loads(kept.read_bytes())["value"])
        wanted = spellings(seed)
        looked = dict(everything(client, tmp_path))
        assert client.xlen(T1.verdicts) < 40, "the shoe went on all the while"
        assert {"dealer.log", "auditor.log", "logs/T1/1.jsonl"} <= set(looked)
        assert any(
            name.startswith("redis/appendonlydir") or name.endswith(".aof") for name in looked
        )
        found = [
            (name, spelling)
            for name, data in looked.items()
            for spelling, needle in wanted.items()
            if needle in data
        ]
        assert found == []

        crew.tell("T1", "1/shoe.close/test/1", co.ShoeClose("test"))
        log = crew.log_dir / "T1" / "1.jsonl"
        crew.until(lambda: log.with_suffix(".audit.json").exists(), "the shoe to be audited")
        assert audit_paths([log]).verdict == "pass"
        revealed = [name for name, data in everything(client, tmp_path) if wanted["hex"] in data]
        assert "logs/T1/1.jsonl" in revealed
        assert not any(name.endswith(".log") for name in revealed)
