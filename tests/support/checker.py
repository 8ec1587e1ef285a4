"""The checker's page as its user has it, and the policy that names its scripts by their hashes.

``python -m tests.support.checker`` writes that policy into the page after an edit; a test says so
where it was forgotten.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from schemas.ruleset import published
from services.auditor.offline import audit_lines
from services.ledger.checkpoint import Checkpoint
from services.ledger.merkle import leaf_hash, root
from services.ledger.note import Signer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from playwright.sync_api import Page

    from schemas.verdicts import Finding
    from services.auditor.report import ShoeResult
    from tests.unit.auditor.table import Table

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "services" / "dashboard" / "static" / "checker.html"
LOGS = ROOT / "replay_logs"
#: A short log, one of a game, and the longest.
SHORT = LOGS / "KTANE" / "2.jsonl"
GAME = LOGS / "YABA4-WON" / "1.jsonl"
LONG = LOGS / "CLEAN" / "1.jsonl"
OURS = Signer("casino.example", bytes(range(32)))
THEIRS = Signer("casino.example", bytes(range(1, 33)))
VKEY = OURS.verifier.vkey

_POLICY = re.compile(r'(?<=http-equiv="Content-Security-Policy" content=")[^"]*(?=")')
_SHOWN = """() => ({
    verdict: document.getElementById("verdict").className,
    told: document.getElementById("told").innerText,
    status: document.getElementById("status").textContent,
    claims: [...document.querySelectorAll("#claims li")].map((item) => item.innerText),
    findings: [...document.querySelectorAll("#findings tbody tr")].map((row) => [
        row.querySelector("code").textContent,
        row.cells[1].querySelector("bdi").textContent,
        row.querySelector(".grade").textContent.toLowerCase(),
        Number(row.querySelector("a")?.dataset.round ?? 0),
    ]),
})"""
_RUN = """async (cases) => {
    const found = [];
    for (const { log, checkpoint, keys, published } of cases) {
        const known = published ?? JSON.parse(document.getElementById("published").textContent);
        const seal = checkpoint === null ? null : Bytes.unbase64(checkpoint);
        const result = await Check.run(Bytes.unbase64(log), seal, keys, known, null);
        found.push({
            verdict: result.verdict,
            findings: result.findings.map((one) =>
                [one.code, one.at, one.grade, one.round ?? 0, Number(one.amount)]),
        });
    }
    return found;
}"""


class Shown(NamedTuple):
    """What the page shows; a finding is its code, address, grade and round (0 where in none)."""

    verdict: str
    told: str
    status: str
    claims: list[str]
    findings: list[tuple[str, str, str, int]]


class Found(NamedTuple):
    """What the page's own check comes to, each finding with the amount at stake."""

    verdict: str
    findings: list[tuple[str, str, str, int, int]]


class Given(NamedTuple):
    """What is given to the page's own check."""

    log: bytes
    checkpoint: bytes | None = None
    keys: tuple[str, ...] = ()
    published: Mapping[str, str] | None = None


class Checker:
    """The page, opened from its file; ``troubles`` are errors, and whatever it asks a network."""

    def __init__(self, page: Page, before: str | None = None) -> None:
        self.page = page
        self.troubles: list[str] = []
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("console", lambda line: self.troubles.append(line.text))
        page.on("request", lambda request: self._asked(request.url))
        if before is not None:
            page.add_init_script(before)
        page.goto(PAGE.as_uri())

    def _asked(self, url: str) -> None:
        if url.partition("#")[0] != PAGE.as_uri():
            self.troubles.append(f"request: {url}")

    def choose(self, *paths: Path) -> Shown:
        """Choose files with the file picker."""
        return self._after(lambda: self.page.set_input_files("#files", list(paths)))

    def drop(self, *paths: Path) -> Shown:
        """Drag files over the page and drop them, as the system hands them to the browser."""
        return self._after(lambda: self._drop(paths))

    def _drop(self, paths: Iterable[Path]) -> None:
        files = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        session = self.page.context.new_cdp_session(self.page)
        for kind in ("dragEnter", "dragOver", "drop"):
            told = {"type": kind, "x": 60, "y": 200, "data": files}
            session.send("Input.dispatchDragEvent", told)
        session.detach()

    def paste(self, key: str) -> Shown:
        """Write into the field for keys."""
        return self._after(lambda: self.page.fill("#key", key))

    def _after(self, act: Callable[[], object]) -> Shown:
        html = self.page.locator("html")
        before = html.get_attribute("data-checked")
        act()
        mark = "[data-checked]" if before is None else f':not([data-checked="{before}"])'
        self.page.locator(f"html{mark}").wait_for(state="attached")
        return self.shown()

    def shown(self) -> Shown:
        """Read what is shown now."""
        told = self.page.evaluate(_SHOWN)
        findings = [tuple(one) for one in told.pop("findings")]
        return Shown(**told, findings=findings)

    def run(self, cases: Iterable[Given]) -> list[Found]:
        """Run the page's own check on what is given, without showing anything."""
        told = [
            {
                "log": _base64(one.log),
                "checkpoint": None if one.checkpoint is None else _base64(one.checkpoint),
                "keys": list(one.keys),
                "published": one.published,
            }
            for one in cases
        ]
        return [
            Found(one["verdict"], [tuple(finding) for finding in one["findings"]])
            for one in self.evaluate(_RUN, told)
        ]

    def evaluate(self, expression: str, told: object = None) -> Any:  # noqa: ANN401 - JavaScript's
        """Evaluate an expression in the page."""
        return self.page.evaluate(expression, told)


def lines_of(path: Path) -> list[bytes]:
    """Read a log's lines, without their newlines."""
    return path.read_bytes().split(b"\n")[:-1]


def spelled(lines: Sequence[bytes]) -> bytes:
    """Write lines as a log."""
    return b"".join(line + b"\n" for line in lines)


def sealed(lines: Sequence[bytes], origin: str, signer: Signer = OURS) -> bytes:
    """Sign a checkpoint of these lines."""
    tree = root([leaf_hash(line) for line in lines])
    return Checkpoint(origin, len(lines), tree).signed(signer)


def told(findings: Iterable[Finding]) -> list[tuple[str, str, str, int, int]]:
    """Spell the auditor's findings as the page's are, in order."""
    return sorted((f.code, f.at, f.grade, f.round or 0, f.amount) for f in findings)


def both(checker: Checker, tables: Iterable[Table]) -> list[tuple[ShoeResult, Found]]:
    """Let the auditor and the page read each table's log: the same bytes, by the same rule sets."""
    audits, cases = [], []
    for table in tables:
        text = table.entries[0].data.rules
        known = {**published(), text.name: text} if table.edited else published()
        lines = table.lines()
        audits.append(audit_lines(lines, known=known))
        hashes = {name: rules.sha256 for name, rules in known.items()}
        cases.append(Given(spelled(lines), published=hashes))
    return list(zip(audits, checker.run(cases), strict=True))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _hashes(page: str, tag: str) -> str:
    # A block of data has a type, and is no script: nothing runs it.
    blocks = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(block.encode()).digest()) for block in blocks]
    return " ".join(f"'sha256-{digest.decode()}'" for digest in digests)


def policy(page: str) -> str:
    """Work out what the page's policy has to be: its own blocks, and nothing from anywhere."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hashes(page, 'script')}",
            f"style-src {_hashes(page, 'style')}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def stated(page: str) -> str:
    """Give the policy that the page states."""
    found = _POLICY.search(page)
    return "" if found is None else found[0]


def main() -> None:
    """Write the policy into the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_POLICY.sub(lambda _: policy(page), page, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
