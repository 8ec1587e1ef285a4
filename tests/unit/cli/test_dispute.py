# ruff: noqa: ISC004 - what is said on stderr is longer than a line here
"""``shoetrail dispute`` without a Redis: what is kept, shown and refused."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from base64 import b64encode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from schemas.address import Sources
from schemas.disputes import DisputeOpened
from schemas.envelope import decode_dispute, encode
from services.auditor.offline import audit_paths
from services.cli import dispute_proof
from services.cli.dispute_shown import age
from services.cli.main import app
from services.ledger.checkpoint import Checkpoint
from services.ledger.keys import make_key
from services.ledger.lines import log_root
from services.ledger.merkle import leaf_hash
from services.ledger.note import Signer, Verifier
from services.ledger.proof import parse_proof
from services.ledger.seal import Sealer

ROOT = Path(__file__).parents[3] / "replay_logs"
BET = "1-17/alice/player/1"


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "logs"
    for name in ("CLEAN", "DISPUTE-CARD", "KTANE", "MISDRAW-ANNUL"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("SHOETRAIL_REDIS_URL", "SHOETRAIL_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SHOETRAIL_LOG_DIR", str(folder))
    monkeypatch.setenv("SHOETRAIL_STATE_DIR", str(tmp_path / "state"))
    return folder


def run(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["dispute", *words], prog_name="shoetrail")
    assert (done.exit_code, done.stderr) == (code, ""), done.stderr
    return done.stdout


def told(*words: str) -> Any:  # noqa: ANN401 - each test knows its shape
    return json.loads(run(*words, "--json"))


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, ["dispute", *words], prog_name="shoetrail")
    assert (done.exit_code, done.stdout) == (2, ""), done.stdout
    assert done.stderr.startswith("shoetrail: ")
    assert done.stderr.count("\n") == 1
    return done.stderr[:-1].removeprefix("shoetrail: ")


def opened(*more: str, at: str = "CLEAN/1#17", by: str = "alice") -> str:
    return str(told("open", at, "--by", by, "--claim", "it was 50", *more)["dispute"]["id"])


def record(logs: Path, table: str = "CLEAN") -> list[bytes]:
    return (logs / table / "disputes.jsonl").read_bytes().splitlines()


# -------------------------------------------------------------------------------- open and list


def test_a_dispute_is_kept_with_the_hash_of_its_clip(logs: Path, tmp_path: Path) -> None:
    clip = tmp_path / "cam 4.mp4"
    clip.write_bytes(b"frames" * 1000)
    made = told("open", "CLEAN/1#17", "--by", "Sue Stone", "--claim", " misread ", "--bettor",
                "bob", "--attach", str(clip))  # fmt: skip
    (line,) = record(logs)
    entry = decode_dispute(line)
    assert (entry.id, entry.source) == ("1-0", "/tables/CLEAN/disputes")
    said = entry.data
    assert isinstance(said, DisputeOpened)
    assert (said.at, said.by, said.claim, said.bettor) == (
        "CLEAN/1#17", "Sue Stone", "misread", "bob",
    )  # fmt: skip
    (kept,) = said.clips
    assert (kept.name, kept.size) == ("cam 4.mp4", 6000)
    assert kept.sha256 == hashlib.sha256(clip.read_bytes()).hexdigest()
    assert b"frames" not in line
    assert (made["stream"], made["sealed"]) == (False, False)
    one = made["dispute"]
    assert (one["id"], one["status"], one["opened"]) == ("CLEAN:1", "open", entry.time)


def test_whose_money_it_is_about(logs: Path) -> None:
    about = [
        told("open", "CLEAN/1#17", "--claim", "x", *more)["dispute"]["bettor"]
        for more in (
            ["--by", "alice"],
            ["--by", "Alice, seat 1"],
            ["--by", "sue", "--bettor", "carol"],
            ["--by", "sue", "--bet", BET],
        )
    ]
    assert about == ["alice", None, "carol", "alice"]
    assert len(record(logs)) == 4


def test_disputes_are_listed_with_their_age_open_ones_first(logs: Path) -> None:
    assert run("list") == "There are no disputes.\n"
    first, second = opened(), opened(by="bob")
    third = opened(at="DISPUTE-CARD/1#17", by="bob")
    run("resolve", second, "--finding", "no")
    listed = told("list")
    assert listed["open"] == 2
    assert [one["id"] for one in listed["disputes"]] == [first, third, second]
    assert all(0 <= one["seconds"] < 60 for one in listed["disputes"])
    assert [one["id"] for one in told("list", "--open")["disputes"]] == [first, third]
    assert [one["id"] for one in told("list", "--table", "CLEAN")["disputes"]] == [first, second]
    table = run("list")
    assert table.splitlines()[1].split() == [
        "id", "round", "status", "age", "by", "bettor", "claim",
    ]  # fmt: skip
    assert (logs / "CLEAN" / "disputes.jsonl").exists()


def test_an_age_is_by_the_clock_and_the_entry(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = encode(
        "1-0", Sources("CLEAN").disputes, "2026-11-30T21:15:00.000000Z",
        DisputeOpened("CLEAN/1#17", "ann", "x", None, None, None, None, ()),
    )  # fmt: skip
    (logs / "CLEAN" / "disputes.jsonl").write_bytes(entry + b"\n")
    now = 1_796_073_300_000_000 + (3 * 86_400 + 4 * 3600) * 1_000_000
    monkeypatch.setattr("services.cli.dispute.wall_microseconds", lambda: now)
    (one,) = told("list")["disputes"]
    assert one["seconds"] == 3 * 86_400 + 4 * 3600
    assert "3 d 4 h" in run("list")


@pytest.mark.parametrize(
    ("seconds", "spelled"),
    [(0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h 0 min"),
     (86_399, "23 h 59 min"), (86_400, "1 d 0 h"), (40 * 86_400, "40 d 0 h")],
)  # fmt: skip
def test_how_an_age_is_spelled(seconds: int, spelled: str) -> None:
    assert age(seconds) == spelled


# -------------------------------------------------------------------------------------- resolve


def test_a_dispute_is_resolved_once(logs: Path) -> None:
    name = opened("--bet", BET)
    made = told("resolve", name, "--by", "sue", "--finding", "half is paid", "--adjust", "1250")
    done = made["dispute"]["resolution"]
    assert made["dispute"]["status"] == "resolved"
    assert (done["by"], done["finding"]) == ("sue", "half is paid")
    assert done["adjustment"] == {"bettor": "alice", "bet": BET, "amount": 1250}
    assert made["adjusted"] == {"state": "waiting", "command": None, "at": None, "reason": None}
    assert len(record(logs)) == 2
    says = refused("resolve", name, "--finding", "another finding")
    assert re.fullmatch(
        r"CLEAN:1 is resolved already, on 20\S+Z; see `shoetrail dispute show CLEAN:1`", says
    )
    assert len(record(logs)) == 2
    assert audit_paths([logs / "CLEAN"]).verdict == "pass"


@pytest.mark.usefixtures("logs")
def test_the_same_words_again() -> None:
    name = opened()
    words = ("resolve", name, "--finding", "as it should be")
    run(*words)
    assert refused(*words).startswith("CLEAN:1 is resolved already, on ")
    again = opened()
    assert again == "CLEAN:3"
    assert refused("open", "CLEAN/1#17", "--by", "alice", "--claim", "it was 50") == (
        "CLEAN:3 says the same and is open; see `shoetrail dispute show CLEAN:3`"
    )


@pytest.mark.usefixtures("logs")
@pytest.mark.parametrize(
    ("about", "more", "money"),
    [
        (["--bet", BET], [], ("alice", BET)),
        ([], [], ("alice", None)),
        ([], ["--bet", BET], ("alice", BET)),
        (["--bet", BET], ["--bettor", "bob"], ("bob", None)),
        ([], ["--bettor", "bob", "--bet", "1-17/bob/banker/1"], ("bob", "1-17/bob/banker/1")),
    ],
)
def test_whose_money_moves(about: list[str], more: list[str], money: tuple[str, str]) -> None:
    name = opened(*about)
    made = told("resolve", name, "--finding", "x", "--adjust", "-5", *more)
    adjusted = made["dispute"]["resolution"]["adjustment"]
    assert (adjusted["bettor"], adjusted["bet"], adjusted["amount"]) == (*money, -5)


# ----------------------------------------------------------------------------------------- show


@pytest.mark.usefixtures("logs")
def test_the_evidence_for_a_round_that_was_dealt_wrongly() -> None:
    page = told("show", opened(at="DISPUTE-CARD/1#17", by="bob"))
    assert [(one["hand"], one["card"], one["reason"]) for one in page["cards"]] == [
        ("player", "TD", "card 1 of the first 4: player"),
        ("banker", "5S", "card 2 of the first 4: banker"),
        ("player", "TC", "card 3 of the first 4: player"),
        ("banker", "9H", "card 4 of the first 4: banker"),
        ("player", "TC", "player draws on 0"),
    ]
    assert page["ended"] == "banker 4 stands: player's third card is a 10, chart row 4"
    assert page["winner"] == "banker"
    assert [(one["bettor"], one["answer"], one["stake"]) for one in page["bets"]] == [
        ("ann", "placed", 10_000),
        ("bob", "placed", 2_500),
        ("cyd", "placed", 1_000),
    ]
    verdict = page["verdict"]
    assert (verdict["round"], verdict["shoe"], verdict["elsewhere"]) == ("fail", "fail", 0)
    (finding,) = verdict["findings"]
    assert (finding["code"], finding["at"]) == ("card-order", page["cards"][3]["at"])
    assert page["facts"]["seats"] == {"ann": 1, "bob": 2, "cyd": 3}
    worth = page["worth"]
    assert (worth["paid"], worth["due"], worth["claimed"], worth["most"]) == (
        -2500, -2500, -2500, 5000,
    )  # fmt: skip
    proof = page["proof"]
    assert (proof["state"], proof["first_line"], proof["last_line"]) == ("unsealed", 206, 217)


@pytest.mark.usefixtures("logs")
@pytest.mark.parametrize(
    ("more", "bets", "numbers"),
    [
        # alice lost 25 on the player, the banker won with 9 to 8: 50 on it would have lost 50
        (["--bet", BET, "--stake", "5000"], [("player", 5000)], (-2500, -2500, -5000, 7500)),
        # on the banker they would have won 25 less 5%
        (["--bet", BET, "--spot", "banker"], [("banker", 2500)], (-2500, -2500, 2375, 4875)),
        # one bet more, on a tie: 8 to 1, and the stake on the player comes back
        (["--spot", "tie", "--stake", "500"], [("player", 2500), ("tie", 500)],
         (-2500, -2500, -3000, 6500)),
        ([], [("player", 2500)], (-2500, -2500, -2500, 5000)),
    ],
)  # fmt: skip
def test_what_a_claim_would_be_worth(
    more: list[str], bets: list[tuple[str, int]], numbers: tuple[int, ...]
) -> None:
    worth = told("show", opened(*more))["worth"]
    assert [(one["spot"], one["stake"]) for one in worth["bets"]] == bets
    assert (worth["paid"], worth["due"], worth["claimed"], worth["most"]) == numbers
    assert [one["winner"] for one in worth["outcomes"]] == ["banker", "player", "tie"]


@pytest.mark.usefixtures("logs")
def test_a_claim_about_nobodys_money_has_no_worth() -> None:
    name = opened(by="A guest, standing")
    assert told("show", name)["worth"] is None
    assert "What the claim would be worth is not known" in run("show", name)


@pytest.mark.usefixtures("logs")
def test_a_voided_round_has_no_due() -> None:
    page = told("show", opened(at="MISDRAW-ANNUL/1#2"))
    assert page["winner"] == "void"
    assert page["ended"] == "voided: misdraw"
    assert (page["worth"]["due"], page["worth"]["claimed"], page["worth"]["paid"]) == (
        None,
        None,
        0,
    )
    assert any(one["hand"] == "error" for one in page["cards"])
    assert "policy-applied" in {one["code"] for one in page["verdict"]["findings"]}


@pytest.mark.usefixtures("logs")
def test_a_bet_taken_back_is_in_the_evidence() -> None:
    names = [f"KTANE/1#{number}" for number in range(1, 4)]
    answers = [
        one["answer"] for at in names for one in told("show", opened(at=at, by="desk"))["bets"]
    ]
    assert "withdrawn" in answers


def test_the_proof_of_a_sealed_log(logs: Path, tmp_path: Path) -> None:
    path = logs / "CLEAN" / "1.jsonl"
    lines = path.read_bytes().splitlines()
    key = tmp_path / "state" / "signing.key"
    signer = make_key(key, "casino.example")
    seal = Sealer.beside(signer, key).shoe("CLEAN", 1, path)
    seal.add(lines)
    seal.sign(last=True)
    name = opened()
    proof = told("show", name)["proof"]
    assert (proof["state"], proof["size"], proof["origin"]) == (
        "good", len(lines), "casino.example/CLEAN/1",
    )  # fmt: skip
    assert proof["root"] == log_root(lines).hex()
    path_up = parse_proof(proof["tlog_proof"].encode())
    path_up.verify(lines[proof["proves"] - 1], [signer.verifier])
    assert b"round.resolved" in lines[proof["proves"] - 1]
    assert told("open", "CLEAN/1#3", "--by", "bob", "--claim", "x")["sealed"] is True
    stranger = make_key(tmp_path / "other.key", "other.example").verifier.vkey
    assert Verifier.parse(stranger).name == "other.example"
    assert told("show", name, "--key", stranger)["proof"]["state"] == "unknown-key"
    path.write_bytes(path.read_bytes().replace(b"alice", b"alicf"))
    found = told("show", name)
    assert found["proof"]["state"] == "bad"
    assert found["proof"]["why"] == "the first 982 lines are others than those that were signed"


def test_each_line_is_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where less is signed than there is, and the round is in it or not."""
    hashed: list[bytes] = []

    def leaf(line: bytes) -> bytes:
        hashed.append(line)
        return leaf_hash(line)

    monkeypatch.setattr(dispute_proof, "leaf_hash", leaf)
    signer = Signer("casino.example", bytes(32))
    log = tmp_path / "1.jsonl"
    lines = [b"%d" % number for number in range(9)]
    for size, last, state in ((9, 5, "good"), (6, 5, "good"), (5, 5, "not-covered")):
        signed = Checkpoint("casino.example/T7/1", size, log_root(lines[:size])).signed(signer)
        log.with_suffix(".checkpoint").write_bytes(signed)
        hashed.clear()
        proof = dispute_proof.proof_of(log, lines, [3, last], [signer.verifier])
        assert (proof.state, proof.root) == (state, log_root(lines).hex())
        assert hashed == lines


# ----------------------------------------------------------------------------------------- html


class Tags(HTMLParser):
    """Every tag and attribute of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>&lt;'


@pytest.mark.usefixtures("logs")
def test_the_page_is_one_file_without_script_or_network(tmp_path: Path) -> None:
    clip = tmp_path / "a<b>&'c.mp4"
    clip.write_bytes(b"")
    name = str(
        told("open", "CLEAN/1#17", "--by", EVIL[:64], "--claim", EVIL, "--bettor", "alice",
             "--attach", str(clip))["dispute"]["id"]
    )  # fmt: skip
    run("resolve", name, "--by", EVIL[:64], "--finding", EVIL)
    page = tmp_path / "page.html"
    assert run("show", name, "--html", str(page)) == f"written: {page}\n"
    text = page.read_text()
    read = Tags()
    read.feed(text)
    known = (
        "html head meta title style body header h1 small span blockquote cite section h2 dl dt dd "
        "div b p table thead tbody tr th td code pre footer"
    )
    assert {tag for tag, _ in read.tags} <= set(known.split())
    for tag, attributes in read.tags:
        allowed = (
            {"class", "lang"} if tag != "meta" else {"charset", "name", "content", "http-equiv"}
        )
        assert attributes.keys() <= allowed, (tag, attributes)
    assert read.text.count(EVIL) == 4
    assert "a<b>&'c.mp4" in read.text
    assert not re.search(r"https?:|url\(|@import|javascript:", text)
    policy = next(a["content"] for t, a in read.tags if a.get("http-equiv"))
    assert policy is not None
    style = re.search(r"<style>(.*)</style>", text, re.DOTALL)
    assert style is not None
    digest = b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert "@page { size: A4" in style[1]


@pytest.mark.usefixtures("logs")
def test_a_terminal_shows_no_control_characters_of_others(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "CLEAN" / "disputes.jsonl"
    said = DisputeOpened("CLEAN/1#17", "ann\x1b[2J", "a\nb\x1b[31m", None, None, None, None, ())
    log.write_bytes(
        encode("1-0", Sources("CLEAN").disputes, "2026-11-30T21:15:00.000000Z", said) + b"\n"
    )
    for words in (("list",), ("show", "CLEAN:1")):
        out = run(*words)
        assert "\x1b" not in out
        assert r"a\nb\x1b[31m" in out


# ------------------------------------------------------------------------------------ bad input


OPEN = ("open", "CLEAN/1#17", "--by", "alice", "--claim", "x")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("open", "CLEAN/1", "--by", "a", "--claim", "x"),
         "'CLEAN/1' is no round address; write it as T7/12#17"),
        (("open", "CLEAN/1#0", "--by", "a", "--claim", "x"),
         "there is no round CLEAN/1#0; shoes and rounds count from 1"),
        (("open", "CLEAN/1#99", "--by", "a", "--claim", "x"),
         "LOGS/CLEAN/1.jsonl: there is no round CLEAN/1#99; it holds rounds 1 to 81"),
        (("open", "CLEAN/2#1", "--by", "a", "--claim", "x"),
         "LOGS/CLEAN/2.jsonl: there is no log of CLEAN/2; name its folder with --log-dir, or its "
         "Redis with SHOETRAIL_REDIS_URL"),
        ((*OPEN[:4], "--claim", " "), "--claim: nothing is said; say it in a few words"),
        ((*OPEN[:4], "--claim", "x" * 501),
         "--claim: 501 characters are too many; use 500 at most, and attach the rest"),
        ((*OPEN[:4], "--claim", "a\x1b[2J"),
         "--claim: the character U+001B cannot be in it; write one line of plain text"),
        ((*OPEN[:2], "--by", "x" * 65, "--claim", "x"),
         "--by: 65 characters are too many; use 64 at most, and attach the rest"),
        ((*OPEN, "--attach", "NOWHERE"), "--attach NOWHERE: there is no such file; name a file"),
        ((*OPEN, "--attach", "LOGS"), "--attach LOGS: this is no file; name a file"),
        ((*OPEN, "--bettor", "a b"), "'a b' is no bettor; use 1 to 32 of A-Z a-z 0-9 _ -, a letter "
         "or digit first"),
        ((*OPEN, "--bettor", "eve"),
         "--bettor: eve sat at no seat in CLEAN/1#17; there sat: alice, bob, carol"),
        ((*OPEN, "--bet", "nonsense"),
         "--bet: 'nonsense' is no bet of CLEAN/1#17; write it as 1-17/alice/banker/1"),
        ((*OPEN, "--bet", "1-16/alice/player/1"),
         "--bet: '1-16/alice/player/1' is no bet of CLEAN/1#17; write it as 1-17/alice/banker/1"),
        ((*OPEN, "--bet", "1-17/alice/tie/1"),
         "--bet: there is no bet 1-17/alice/tie/1 on record; its bets are: 1-17/alice/player/1, "
         "1-17/bob/banker/1, 1-17/carol/tie/1"),
        ((*OPEN, "--bet", BET, "--bettor", "bob"),
         f"--bettor: {BET} is no bet of bob; say alice"),
        ((*OPEN, "--spot", "nowhere", "--stake", "5"), "--spot: 'nowhere' is no spot; use: player, "
         "banker, tie, player-pair, banker-pair"),
        ((*OPEN, "--stake", "5"), "--spot, --stake: a bet has both; give both, or name a --bet"),
        ((*OPEN, "--spot", "tie"), "--spot, --stake: a bet has both; give both, or name a --bet"),
        ((*OPEN, "--bet", BET, "--stake", "0"),
         "--stake: 0 is no stake; give 1 to 9007199254740991 minor units"),
        ((*OPEN, "--bet", BET, "--stake", str(2**53)),
         "--stake: 9007199254740992 is no stake; give 1 to 9007199254740991 minor units"),
        (("open", "CLEAN/1#17", "--by", "A guest", "--claim", "x", "--spot", "tie", "--stake", "5"),
         "--spot, --stake: it is not said whose bet; give --bettor too"),
        (("show", "CLEAN"), "'CLEAN' is no dispute; write it as T7:3"),
        (("show", "CLEAN:0"), "there is no dispute CLEAN:0; they count from 1"),
        (("show", "CLEAN:7"), "there is no dispute CLEAN:7; see `shoetrail dispute list`"),
        (("show", "T9:1"), "there is no dispute T9:1; see `shoetrail dispute list`"),
        (("resolve", "CLEAN:7", "--finding", "x"),
         "there is no dispute CLEAN:7; see `shoetrail dispute list`"),
        (("list", "--table", "T9"), "LOGS: no table T9 is known here; they are: CLEAN, "
         "DISPUTE-CARD, KTANE, MISDRAW-ANNUL"),
        (("list", "--table", "T 9"), "'T 9' is no table; use 1 to 32 of A-Z a-z 0-9 _ -, a letter "
         "or digit first"),
        (("open", "CLEAN/1#17", "--by", "a"),
         "Missing option '--claim'; see shoetrail dispute open --help"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line(logs: Path, words: tuple[str, ...], says: str) -> None:
    told = [word.replace("LOGS", str(logs)) for word in words]
    assert refused(*told) == says.replace("LOGS", str(logs))
    assert not (logs / "CLEAN" / "disputes.jsonl").exists()
    assert not (logs / "T9").exists()


@pytest.mark.usefixtures("logs")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--adjust", "0"), "--adjust: 0 is no amount that can move; give -9007199254740991 to "
         "9007199254740991 minor units, but not 0"),
        (("--adjust", str(2**53)), "--adjust: 9007199254740992 is no amount that can move; give "
         "-9007199254740991 to 9007199254740991 minor units, but not 0"),
        (("--adjust", str(-(2**63) - 1)), "--adjust: -9223372036854775809 is no amount that can "
         "move; give -9007199254740991 to 9007199254740991 minor units, but not 0"),
        (("--bet", BET), "--bettor, --bet: no money moves; give --adjust, or leave them out"),
        (("--adjust", "5"),
         "--adjust: it is not said whose money moves; give --bettor or --bet"),
        (("--adjust", "5", "--bet", BET, "--bettor", "bob"),
         f"--bet, --bettor: {BET} is no bet of bob; say alice"),
        (("--adjust", "5", "--bettor", "a b"), "'a b' is no bettor; use 1 to 32 of A-Z a-z 0-9 _ "
         "-, a letter or digit first"),
        (("--adjust", "5", "--bet", "1-16/alice/player/1"),
         "--bet: '1-16/alice/player/1' is no bet of CLEAN/1#17; write it as 1-17/alice/banker/1"),
        (("--wait", "-1"), "--wait: -1.0 cannot be; give 0 or more"),
    ],
)  # fmt: skip
def test_bad_resolutions_get_one_line(words: tuple[str, ...], says: str) -> None:
    name = opened(by="A guest")
    assert refused("resolve", name, "--finding", "x", *words) == says
    assert told("list")["open"] == 1


def test_a_record_that_is_none_gets_one_line(logs: Path) -> None:
    (logs / "CLEAN" / "disputes.jsonl").write_bytes(b"nonsense\n")
    where = logs / "CLEAN" / "disputes.jsonl"
    for words in (OPEN, ("list",), ("show", "CLEAN:1"), ("resolve", "CLEAN:1", "--finding", "x")):
        assert refused(*words) == (
            f"{where}, line 1: malformed: expected an entry of a disputes record, there is "
            "'nonsense'; audit the table's folder"
        )


def test_a_log_that_is_none_gets_one_line(logs: Path) -> None:
    path = logs / "CLEAN" / "1.jsonl"
    whole = path.read_bytes()
    path.write_bytes(b"\xff\xfe\n" + whole)
    assert refused(*OPEN) == f"{path}, line 1: this is no line of a log; audit it"
    path.write_bytes(b"")
    assert refused(*OPEN) == f"{path}: the file is empty; name a replay log"
    path.write_bytes((logs / "KTANE" / "1.jsonl").read_bytes())
    assert refused(*OPEN) == f"{path}: this is the log of KTANE/1; put that of CLEAN/1 there"
    path.write_bytes(whole + whole[:77])  # a line is being written
    assert told(*OPEN)["dispute"]["id"] == "CLEAN:1"


@pytest.mark.usefixtures("logs")
def test_a_page_that_cannot_be_written_gets_one_line(tmp_path: Path) -> None:
    name = opened()
    nowhere = tmp_path / "nowhere" / "page.html"
    assert refused("show", name, "--html", str(nowhere)) == (
        f"--html {nowhere}: cannot be written (no such file or directory); name a file in a folder "
        "that is there"
    )
    assert refused("show", name, "--html", str(tmp_path)) == (
        f"--html {tmp_path}: this is a folder; name a file"
    )


def test_a_redis_that_does_not_answer_gets_one_line(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.cli.whole_shoe._PATIENCE_S", 0.3)
    monkeypatch.setenv("SHOETRAIL_REDIS_URL", "redis://:hidden@127.0.0.1:1/0")
    for words in (OPEN, ("list",), ("show", "CLEAN:1"), ("resolve", "CLEAN:1", "--finding", "x")):
        says = refused(*words)
        assert says == "no Redis answers at redis://:***@127.0.0.1:1/0 within 0 seconds"
    monkeypatch.setenv("SHOETRAIL_REDIS_URL", "nonsense")
    assert refused(*OPEN).startswith("SHOETRAIL_REDIS_URL: 'nonsense' is no address of a Redis; ")
    assert not (logs / "CLEAN" / "disputes.jsonl").exists()
