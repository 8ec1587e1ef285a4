"""``shoetrail autoplay``: bad input, what it asks for, and how it tells what came of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import typer
from typer.testing import CliRunner

from schemas.errors import Unavailable
from schemas.events import RuleText
from schemas.money import MOST_BANKROLL
from schemas.ruleset import named, parse
from services.cli import autoplay
from services.cli.autoplay_asked import Asked, Done
from services.cli.autoplay_told import Sessions
from services.cli.figures import Figures
from services.cli.main import app
from services.cli.score_book import FILE, ScoreBook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result

    from services.cli.score_rows import HighScore, Statistics

SEED = "00" * 31 + "07"
GOOD = ("--system", "martingale", "--hands", "5")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHOETRAIL_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("SHOETRAIL_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.delenv("SHOETRAIL_REDIS_URL", raising=False)
    return tmp_path


def command(*args: str) -> Result:
    return CliRunner().invoke(app, ["autoplay", *args], prog_name="shoetrail")


def never(*_: object, **__: object) -> Done:
    pytest.fail("it was played")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--system", "martingale"), "Missing option '--hands'"),
        (("--hands", "5"), "Missing option '--system'"),
        ((*GOOD, "--hands", "0"), "--hands: 0 hands cannot be; give 1 to 200000"),
        ((*GOOD, "--hands", "200001"), "--hands: 200001 hands cannot be; give 1 to 200000"),
        ((*GOOD, "--hands", "-1"), "--hands: -1 hands cannot be"),
        ((*GOOD, "--hands", "many"), "--hands': Input should be a valid integer"),
        ((*GOOD, "--system", "roulette"), "'roulette' is no betting system; use one of: canc"),
        ((*GOOD, "--seed", "xyz"), "--seed: this is no hex"),
        ((*GOOD, "--seed", "00"), "--seed: 32 bytes are wanted, not 1; give 64 hex digits"),
        ((*GOOD, "--pace", "-1"), "--pace: -1.0 cannot be; give 0 or more"),
        ((*GOOD, "--pace", "nan"), "--pace: nan cannot be"),
        ((*GOOD, "--pace", "1e9"), "--pace: 1000000000.0 cannot be; give at most 3600"),
        ((*GOOD, "--unit", "0"), "--unit: '0' is no amount"),
        ((*GOOD, "--unit", "5.5"), "--unit: '5.5' is no amount"),
        ((*GOOD, "--min", "x"), "--min: 'x' is no amount"),
        ((*GOOD, "--max", "-5"), "--max: '-5' is no amount"),
        (
            (*GOOD, "--min", "50", "--max", "20"),
            "martingale: the maximum, 20, is below the minimum, 50",
        ),
        ((*GOOD, "--min", "4"), "buti-1990: the table takes $5.00 to $500.00 on"),
        ((*GOOD, "--max", "501"), "buti-1990: the table takes $5.00 to $500.00 on"),
        ((*GOOD, "--restart", "maybe"), "--restart: 'maybe' is neither; say yes or no"),
        ((*GOOD, "--side", "tie"), "--side: 'tie' is neither; say player or banker"),
        ((*GOOD, "--series", "1 2 3"), "martingale has no series"),
        ((*GOOD, "--start-count", "14"), "martingale counts no cards"),
        (
            (*GOOD, "--system", "cancellation", "--series", "1 x 3"),
            "--series: 'x' is no number of a series",
        ),
        (
            (*GOOD, "--system", "card-count", "--start-count", "many"),
            "--start-count: 'many' is no whole number",
        ),
        ((*GOOD, "--system", "follow-the-shoe", "--side", "player"), "takes no side"),
        ((*GOOD, "--rules", "nope"), "nope"),
        ((*GOOD, "--rules", "yaba4"), "yaba4: the table takes $1,000.00 to $100,000.00 on"),
        ((*GOOD, "--rules", "fun-casino-simple"), "the table takes £10.00 to £5,000.00 on"),
        ((*GOOD, "--start", "2026-01-01T00:00:00.000000Z"), "--start: a start without a seed"),
        ((*GOOD, "--seed", SEED, "--start", "soon"), "--start: 'soon' is not a time; write it as"),
        ((*GOOD, "--marks", "o"), "--marks: 'o' is no mark; use x or numbers"),
        ((*GOOD, "--name", ""), "'' is no player's name"),
        ((*GOOD, "--name", "x" * 31), "is no player's name; use 1 to 30 letters"),
        ((*GOOD, "extra"), "unexpected extra argument"),
    ],
)
def test_bad_input(
    args: tuple[str, ...], says: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay, "autoplay_hands", never)
    result = command(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("shoetrail: ")
    assert says in result.stderr
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("system", ["martingale", "follow-the-shoe"])
def test_a_bankroll_that_nobody_may_sit_down_with(
    system: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No published table takes such bets; another house's may."""
    text = named("buti-1990").text.replace("maximum = 50000\n", "maximum = 1000000000000\n")
    rules = RuleText("buti-1990", "", text)
    assert parse(text).spots["player"].maximum == 10**12
    monkeypatch.setattr(autoplay, "named", lambda _name: rules)
    asked: list[Asked] = []

    async def hands(_settings: object, asked_for: Asked, *_: object, **__: object) -> Done:
        asked.append(asked_for)
        raise Unavailable("enough")

    monkeypatch.setattr(autoplay, "autoplay_hands", hands)
    most = ("--max", "5000000000", "--system", system)
    result = command(*most, "--hands", "2001")
    assert (result.exit_code, result.stdout, asked) == (2, "", [])
    assert result.stderr == (
        "shoetrail: --hands, --max: 2001 hands of $5,000,000,000.00 are more than anybody may sit "
        "down with, $10,000,000,000,000.00; give fewer hands, or a smaller maximum\n"
    )
    assert list(folder.iterdir()) == []
    assert "enough" in command(*most, "--hands", "2000").stderr
    assert [one.bankroll for one in asked] == [MOST_BANKROLL]


def test_a_book_that_is_none_is_told_of_before_anything_is_played(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay, "autoplay_hands", never)
    (folder / "state").mkdir()
    (folder / "state" / FILE).write_text("no database")
    result = command(*GOOD)
    assert result.exit_code == 2
    assert "move it away: a new one is begun" in result.stderr


# ------------------------------------------------------------------------- what comes of a game
@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Asked]]:
    """Have games come to this, without playing them; gives what was asked for."""

    def come_to(**fields: Any) -> list[Asked]:  # noqa: ANN401 - any field of the outcome
        asked_for: list[Asked] = []

        async def hands(_settings: object, asked: Asked, *_: object, **__: object) -> Done:
            asked_for.append(asked)
            plain = {
                "figures": Figures(shoes=1, hands=5, net=1500, best=2000, largest=1000),
                "verdict": "pass",
                "faults": [],
                "interrupted": False,
                "trouble": None,
                "seconds": 2.0,
                "commitment": "c0",
            }
            return Done(**{**plain, **fields})

        monkeypatch.setattr(autoplay, "autoplay_hands", hands)
        return asked_for

    return come_to


def kept(folder: Path) -> tuple[list[Statistics], list[HighScore]]:
    with ScoreBook(folder / "state" / FILE, lambda: 0) as book:
        return book.statistics(), book.high_scores("USD")


def test_all_is_well(played: Callable[..., list[Asked]], folder: Path) -> None:
    asked_for = played()
    result = command(*GOOD, "--seed", SEED, "--name", " Ada  R ", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    told = json.loads(result.stdout)
    assert (told["ended"], told["verdict"], told["place"], told["hands_per_s"]) == (
        "played", "pass", 1, 2.5,
    )  # fmt: skip
    (asked,) = asked_for
    assert (asked.hands, asked.bankroll, asked.table) == (5, 5 * 50_000, told["table"])
    statistics, scores = kept(folder)
    assert [one.figures.hands for one in statistics] == [5]
    assert [(one.name, one.score) for one in scores] == [("Ada R", 1500)]


def test_who_quit(played: Callable[..., list[Asked]]) -> None:
    played(figures=Figures(shoes=1, hands=3))
    result = command(*GOOD)
    assert result.exit_code == 0
    assert result.stdout.endswith("\nended after 3 of 5 hands, as asked\n")
    assert json.loads(command(*GOOD, "--json").stdout)["ended"] == "quit"


def test_a_fault_is_said_and_is_one_and_no_high_score(
    played: Callable[..., list[Asked]], folder: Path
) -> None:
    played(verdict="fail", faults=["T/1 was halted", "card-order at T/1-9"])
    result = command(*GOOD, "--name", "Ada")
    assert (result.exit_code, result.stderr) == (1, "")
    assert "the audit found: T/1 was halted\nthe audit found: card-order at T/1-9\n" in (
        result.stdout
    )
    statistics, scores = kept(folder)
    assert ([one.figures.hands for one in statistics], scores) == ([5], [])
    result = command(*GOOD, "--json")
    assert (result.exit_code, result.stdout.count("\n")) == (1, 1)
    told = json.loads(result.stdout)
    assert (told["ended"], told["faults"][0]) == ("faults", "T/1 was halted")


def test_an_interruption_is_130_and_all_is_kept(
    played: Callable[..., list[Asked]], folder: Path
) -> None:
    played(interrupted=True, verdict="open")
    result = command(*GOOD, "--name", "Ada")
    assert result.exit_code == 130
    assert "ended after 5 of 5 hands, interrupted\n" in result.stdout
    assert [one.score for one in kept(folder)[1]] == [1500]
    assert json.loads(command(*GOOD, "--json").stdout)["verdict"] == "open"


def test_an_interruption_before_the_first_hand_keeps_nothing(
    played: Callable[..., list[Asked]], folder: Path
) -> None:
    played(interrupted=True, figures=Figures(), seconds=0.0)
    assert command(*GOOD).exit_code == 130
    assert kept(folder) == ([], [])


def test_a_trouble_is_two_and_what_was_played_is_kept(
    played: Callable[..., list[Asked]], folder: Path
) -> None:
    played(trouble=Unavailable("the auditor stopped: no space"), verdict="open")
    result = command(*GOOD)
    assert (result.exit_code, result.stderr) == (2, "shoetrail: the auditor stopped: no space\n")
    assert result.stdout == "5 hands were played, and are kept in the statistics\n"
    result = command(*GOOD, "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert sum(one.figures.hands for one in kept(folder)[0]) == 10


def test_the_same_game_is_one_session_and_another_bet_another_one(
    played: Callable[..., list[Asked]], folder: Path
) -> None:
    played()
    for more in ((), (), ("--side", "banker"), ("--max", "400"), ("--system", "thirty-one")):
        assert command(*GOOD, "--seed", SEED, *more).exit_code == 0
    assert [(one.system, one.sessions) for one in kept(folder)[0]] == [
        ("martingale", 3),
        ("thirty-one", 1),
    ]


# ----------------------------------------------------------------------------- the player's name
class TestTheName:
    @pytest.fixture
    def sessions(self, folder: Path) -> Sessions:
        return Sessions(folder, "T", "martingale", "buti-1990", "USD", "terms")

    @pytest.fixture
    def answers(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
        """A person who answers so."""

        def person(*said: str | BaseException) -> list[str]:
            asked: list[str] = []
            waiting = list(said)

            def prompt(text: str, **_: object) -> str:
                asked.append(text)
                answer = waiting.pop(0)
                if isinstance(answer, BaseException):
                    raise answer
                return answer

            monkeypatch.setattr(typer, "prompt", prompt)
            for stream in ("stdin", "stdout"):
                monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
            return asked

        return person

    def test_until_it_is_one(self, sessions: Sessions, answers: Callable[..., list[str]]) -> None:
        asked = answers("x" * 31, "a\x07b", "Ada")
        assert sessions.ask_name(1500) == "Ada"
        assert asked == ["$15.00 is high score number 1. Your name"] * 3

    @pytest.mark.parametrize("answer", ["", "  ", typer.Abort()])
    def test_none_is_an_answer(
        self, sessions: Sessions, answers: Callable[..., list[str]], answer: str
    ) -> None:
        answers(answer)
        assert sessions.ask_name(1500) is None

    @pytest.mark.parametrize("score", [0, -500])
    def test_a_loss_is_not_asked_about(
        self, sessions: Sessions, answers: Callable[..., list[str]], score: int
    ) -> None:
        assert sessions.ask_name(score) is None
        assert answers() == []

    def test_fifteen_better_ones(
        self, folder: Path, sessions: Sessions, answers: Callable[..., list[str]]
    ) -> None:
        for number in range(15):
            other = Sessions(folder, f"T{number}", "martingale", "buti-1990", "USD", "terms")
            other.keep(Figures(hands=1, net=1000 + number), "c0", "Bob")
        asked = answers("Ada")
        assert sessions.ask_name(1000) is None
        assert sessions.ask_name(1001) == "Ada"
        assert asked == ["$10.01 is high score number 15. Your name"]

    def test_nobody_is_asked_in_a_pipe(self, sessions: Sessions) -> None:
        assert sessions.ask_name(1500) is None
