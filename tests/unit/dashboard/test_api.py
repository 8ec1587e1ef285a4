"""The API over committed logs: what each address gives, to whom, and what it refuses."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from schemas.ruleset import published
from schemas.verdicts import Finding
from services.auditor.codes import CODES
from services.dashboard.board import answers
from services.dashboard.board.shapes import FindingRow
from services.dashboard.web.findings_page import findings_page
from services.ledger.checkpoint import shoe_origin
from services.ledger.round_proof import parse_round_proof, verify_round_proof
from tests.support.asked_board import Answer, ask
from tests.support.boards import LOGS, board_app, board_of
from tests.support.checker import OURS, lines_of
from tests.support.checker import sealed as signed

if TYPE_CHECKING:
    from services.dashboard.web.safe_app import SafeApp

ROUND = "/api/tables/CLEAN/shoes/1/rounds/1"


@pytest.fixture(scope="module")
def app() -> SafeApp:
    return board_app()


def test_tables_come_with_the_lobbys_cursor(app: SafeApp) -> None:
    told = msgspec.json.decode(ask(app, "/api/tables").body, type=answers.TablesAnswer)
    assert [tile.table for tile in told.tables] == ["CLEAN", "DISPUTED", "MISDRAW-HAND"]
    assert told.cursor == "L.cursor"


def test_a_table_comes_with_its_cursor(app: SafeApp) -> None:
    answer = ask(app, "/api/tables/CLEAN")
    told = msgspec.json.decode(answer.body, type=answers.TableAnswer)
    assert told == answers.TableAnswer(board_of("CLEAN", 1).view(), "CLEAN.cursor")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "application/json"


def test_shoes_are_the_live_one_and_those_with_logs(app: SafeApp) -> None:
    told = ask(app, "/api/tables/KTANE/shoes").json()
    shoes = [row["shoe"] for row in told["shoes"]]
    assert shoes == sorted(shoes, reverse=True)
    assert {row["live"] for row in told["shoes"]} == {False}
    (live,) = ask(app, "/api/tables/CLEAN/shoes").json()["shoes"]
    assert live == {"shoe": 1, "live": True, "log": True, "lamp": board_of("CLEAN", 1).tile().lamp}


def test_shoes_come_a_page_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "T9").mkdir()
    for shoe in range(1, 8):
        (tmp_path / "T9" / f"{shoe}.jsonl").touch()
    app = board_app(tmp_path)
    seen: list[int] = []
    target = "/api/tables/T9/shoes?limit=3"
    more = ""
    while True:
        told = ask(app, target + more).json()
        seen += [row["shoe"] for row in told["shoes"]]
        if told["next"] is None:
            break
        more = f"&before={told['next']}"
    assert seen == [7, 6, 5, 4, 3, 2, 1]


def test_an_old_shoe_is_as_its_log_says_and_stays(app: SafeApp) -> None:
    answer = ask(app, "/api/tables/KTANE/shoes/2")
    told = msgspec.json.decode(answer.body, type=answers.ShoeAnswer)
    assert told.view == board_of("KTANE", 2).view()
    tag = answer.headers["etag"]
    again = ask(app, "/api/tables/KTANE/shoes/2", headers={"if-none-match": f'"x", W/{tag}'})
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert ask(app, "/api/tables/KTANE/shoes/2", headers={"if-none-match": '"x"'}).status == 200


# -------------------------------------------------------------------------- tables with logs alone


def _logs(home: Path, shoes: dict[str, int]) -> Path:
    for table, many in shoes.items():
        (home / table).mkdir()
        for shoe in range(1, many + 1):
            (home / table / f"{shoe}.jsonl").touch()
    return home


def test_tables_that_logs_alone_know_are_listed(tmp_path: Path) -> None:
    outside = _logs(tmp_path, {"out": 0}) / "out"
    home = outside / "logs"
    home.mkdir()
    _logs(home, {"CLEAN": 3, "T1": 12, "T10": 1, "T2": 2, "EMPTY": 0, ".git": 1})
    (home / "8.jsonl").touch()
    (home / "LINK").symlink_to(_logs(outside, {"else": 2}) / "else")
    app = board_app(home)
    for path in ("/api/logs", "/public/api/logs"):
        told = msgspec.json.decode(ask(app, path).body, type=answers.LogsAnswer)
        rows = [("T1", 12, 12), ("T10", 1, 1), ("T2", 2, 2)]  # CLEAN is live
        assert told == answers.LogsAnswer(tuple(answers.LogsRow(*row) for row in rows), None)


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 500])
def test_tables_that_logs_alone_know_come_a_page_at_a_time(tmp_path: Path, limit: int) -> None:
    names = [f"T{number}" for number in range(1, 8)]
    app = board_app(_logs(tmp_path, dict.fromkeys(names, 1)))
    seen: list[str] = []
    more = ""
    while True:
        told = ask(app, f"/api/logs?limit={limit}{more}").json()
        assert 0 < len(told["tables"]) <= limit
        seen += [row["table"] for row in told["tables"]]
        if told["next"] is None:
            break
        more = f"&after={told['next']}"
    assert seen == names


def test_where_there_are_no_logs_none_are_listed(tmp_path: Path) -> None:
    assert ask(board_app(tmp_path / "none"), "/api/logs").json() == {"tables": [], "next": None}


@pytest.mark.parametrize("before", ["", "/public"])
def test_a_table_that_logs_alone_know_sends_to_them(app: SafeApp, before: str) -> None:
    wanted = f"its logs are at {before}/api/tables/KTANE/shoes"
    for what in ("", "/odds"):
        answer = ask(app, f"{before}/api/tables/KTANE{what}")
        assert answer.status == 404
        assert answer.json() == {"error": "nobody deals at KTANE now", "mend": wanted}
    assert ask(app, wanted.rpartition(" ")[2]).status == 200


@pytest.mark.parametrize(
    "target",
    ["/api/tables/T404", "/api/tables/T404/shoes", "/api/tables/-T", "/api/x", "/api/x%22",
     ROUND + "?rules=nothing"],
)  # fmt: skip
def test_mends_in_public_name_public_addresses(app: SafeApp, target: str) -> None:
    mend = ask(app, target).json()["mend"]
    named = [word for word in mend.split() if word.startswith("/")]
    assert named
    public = ask(app, "/public" + target).json()["mend"]
    assert public == " ".join(
        "/public" + word if word.startswith("/") else word for word in mend.split()
    )
    assert all(ask(app, "/public" + word).status == 200 for word in named)


@pytest.mark.parametrize("value", ["0", "abc", "501", "-1", "1.0", ""])
def test_a_limit_out_of_bounds_is_told_them(app: SafeApp, value: str) -> None:
    for path in ("/api/findings", "/api/logs", "/api/tables/CLEAN/shoes"):
        answer = ask(app, f"{path}?limit={value}")
        assert answer.status == 400
        assert "a number from 1 to 500" in answer.json()["mend"]


def test_findings_of_a_code_that_nobody_says_are_refused() -> None:
    app = board_app(findings=ROWS)
    answer = ask(app, "/api/findings?code=nonsense")
    assert answer.status == 400
    assert "nonsense" in answer.json()["error"]
    listed = ask(app, answer.json()["mend"].split()[0]).json()["paths"]["/api/findings"]["get"]
    (code,) = [one for one in listed["parameters"] if one["name"] == "code"]
    assert code["schema"]["enum"] == sorted(CODES)
    assert ask(app, f"/api/findings?code={code['schema']['enum'][0]}").json()["findings"] == []
    assert ask(app, "/api/findings?code=a").json()["findings"]  # of another version's auditor


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/api/tables/T404", 404),
        ("/api/tables/T404/shoes", 404),
        ("/api/tables/T404/odds", 404),
        ("/api/tables/CLEAN/shoes/2", 404),
        ("/api/tables/CLEAN/shoes/0", 404),
        ("/api/tables/CLEAN/shoes/01", 404),
        ("/api/tables/CLEAN/shoes/1e3", 404),
        ("/api/tables/CLEAN/shoes/-1", 404),
        ("/api/tables/CLEAN/shoes/" + "9" * 16, 404),
        ("/api/tables/CLEAN/shoes/" + "9" * 400, 404),
        ("/api/tables/CLEAN/shoes/%D9%A1", 404),
        ("/api/tables/CLEAN/shoes/1/rounds/9999", 404),
        ("/api/tables/" + "A" * 33, 404),
        ("/api/tables/-T", 404),
        ("/api/tables/.git/shoes", 404),
        (ROUND + "?rules=nothing", 404),
        (ROUND + "?rules=../x", 400),
        (ROUND + "?rules=", 400),
        (ROUND + "?rules=buti-1990&rules=buti-1990", 400),
        (ROUND + "?rule=buti-1990", 400),
        ("/api/tables?x", 400),
        ("/api/tables?" + "&".join("limit=1" for _ in range(40)), 400),
        ("/api/findings?limit=0", 400),
        ("/api/findings?limit=501", 400),
        ("/api/findings?limit=+1", 400),
        ("/api/findings?limit=1.0", 400),
        ("/api/findings?table=..", 400),
        ("/api/findings?code=<b>", 400),
        ("/api/findings?before=x", 400),
        ("/api/tables/CLEAN/shoes?before=" + "9" * 17, 400),
        ("/public/api/findings", 404),
        ("/public" + ROUND + "/proof", 404),
        ("/public/api/tables/CLEAN/shoes/1/log", 404),
        ("/public/api/tables/CLEAN/shoes/1/checkpoint", 404),
        ("/public/api/tables/CLEAN/shoes/1/audit", 404),
        (ROUND + "/proof", 404),
        ("/api/tables/CLEAN/shoes/1/audit", 404),
    ],
)
def test_what_there_is_not_is_said_in_a_line(app: SafeApp, target: str, status: int) -> None:
    answer = ask(app, target)
    assert answer.status == status, answer.body
    assert set(answer.json()) == {"error", "mend"}
    assert str(LOGS) not in answer.body.decode()


def test_a_round_comes_with_its_row_and_findings(app: SafeApp) -> None:
    told = msgspec.json.decode(ask(app, ROUND).body, type=answers.RoundAnswer)
    board = board_of("CLEAN", 1)
    assert told == answers.RoundAnswer(board.round(1), board.result(1), (), None)  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", sorted(published()))
def test_other_rules_are_laid_on_a_round(app: SafeApp, rules: str) -> None:
    other = ask(app, f"{ROUND}?rules={rules}").json()["other"]
    assert (other["rules"], bool(other["bets"])) == (rules, True)
    public = ask(app, f"/public{ROUND}?rules={rules}").json()["other"]
    assert public == other | {"bets": [], "unplaceable": []}


def test_public_answers_name_nobody(app: SafeApp) -> None:
    names = {seat.bettor for seat in board_of("CLEAN", 1).view().seats}
    assert names
    for path in ("/api/tables", "/api/tables/CLEAN", "/api/tables/CLEAN/shoes/1", ROUND):
        text = ask(app, "/public" + path).body.decode()
        assert not [name for name in names if f'"{name}"' in text or f"/{name}/" in text]
    assert ask(app, "/public" + ROUND).json()["round"]["bets"] == []


def test_rules_are_the_published_ones(app: SafeApp) -> None:
    rules = ask(app, "/api/rules").json()["rules"]
    assert [one["name"] for one in rules] == list(published())
    assert all(one["title"] for one in rules)


# ------------------------------------------------------------------------------------------ files


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("sealed")
    (home / "logs" / "CLEAN").mkdir(parents=True)
    log = home / "logs" / "CLEAN" / "1.jsonl"
    shutil.copy(LOGS / "CLEAN" / "1.jsonl", log)
    origin = shoe_origin(OURS.name, "CLEAN", 1)
    log.with_suffix(".checkpoint").write_bytes(signed(lines_of(log), origin))
    log.with_suffix(".audit.json").write_text('{"verdict": "pass", "findings": []}\n')
    return home / "logs"


@pytest.mark.parametrize(
    ("kind", "name", "media"),
    [
        ("log", "1.jsonl", "application/jsonl"),
        ("checkpoint", "1.checkpoint", "text/plain; charset=utf-8"),
        ("audit", "1.audit.json", "application/json"),
    ],
)
def test_files_are_given_as_they_are(sealed: Path, kind: str, name: str, media: str) -> None:
    app = board_app(sealed)
    target = f"/api/tables/CLEAN/shoes/1/{kind}"
    answer = ask(app, target)
    assert answer.body == (sealed / "CLEAN" / name).read_bytes()
    assert answer.headers["content-disposition"] == f'attachment; filename="CLEAN-{name}"'
    assert answer.headers["content-type"] == media
    _kept(app, target, answer)


def _kept(app: SafeApp, target: str, answer: Answer) -> None:
    head = ask(app, target, "HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == str(len(answer.body))
    assert head.headers["etag"] == answer.headers["etag"]
    assert ask(app, target, headers={"if-none-match": head.headers["etag"]}).status == 304


def test_a_rounds_proof_holds(sealed: Path) -> None:
    app = board_app(sealed)
    answer = ask(app, f"{ROUND}/proof")
    proven = verify_round_proof(parse_round_proof(answer.body), [OURS.verifier])
    assert (str(proven.shoe), proven.round) == ("CLEAN/1", 1)
    _kept(app, f"{ROUND}/proof", answer)


# --------------------------------------------------------------------------------------- findings


def _row(n: int, table: str = "T7", code: str = "wrong-card") -> FindingRow:
    found = Finding(code, f"{table}/1-{n}", n, "KS", "QS", 0, "rule", "fault")
    return FindingRow(table, 1, f"2026-11-30T03:22:{n // 2:02}.000000Z", found)


ROWS = [_row(n, ("T7", "T8")[n % 2], ("a", "b", "c")[n % 3]) for n in reversed(range(30))]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("", ROWS),
        ("code=a", [row for row in ROWS if row.finding.code == "a"]),
        ("table=T8", [row for row in ROWS if row.table == "T8"]),
        ("table=T8&code=b", [r for r in ROWS if r.table == "T8" and r.finding.code == "b"]),
        ("table=T9", []),
    ],
)
@pytest.mark.parametrize("limit", [1, 7, 30, 500])
def test_findings_come_a_page_at_a_time(query: str, wanted: list[FindingRow], limit: int) -> None:
    app = board_app(findings=ROWS)
    seen: list[FindingRow] = []
    more = f"&limit={limit}"
    while True:
        answer = ask(app, f"/api/findings?{query}{more}")
        page = msgspec.json.decode(answer.body, type=answers.FindingsAnswer)
        seen += page.findings
        assert len(page.findings) <= limit
        if page.next is None:
            break
        more = f"&limit={limit}&before={page.next}"
    assert seen == wanted


def test_findings_that_come_meanwhile_shift_nothing() -> None:
    first = findings_page(ROWS, None, None, 10, None)
    more = findings_page([_row(40), *ROWS], None, None, 10, first.next)
    assert [*first.findings, *more.findings] == ROWS[:20]


def test_where_a_place_is_kept_no_more_older_findings_follow() -> None:
    first = findings_page(ROWS, None, None, 10, None)
    left = ROWS[12:]
    after = findings_page(left, None, None, 100, first.next)
    assert after.findings == tuple(row for row in left if row.time < first.findings[-1].time)
