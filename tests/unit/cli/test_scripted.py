"""The questions of a scripted game, answered from logs that a naive table deals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from schemas import events as ev
from services.bettors.scenario import shipped
from services.cli import scripted
from services.cli.log_view import read_log
from tests.support.samples import ROOT
from tests.unit.auditor.table import Table

if TYPE_CHECKING:
    from services.cli.scripted import Played

GAME = shipped("yaba4")
PLAYER, BANKER, TIE = "9D 2S KD KC", "2S 9D KC KD", "7S 7H TC QD"


def answered(path: Path) -> Played:
    return scripted.played(GAME, read_log(path), path, "pass")


def bond(cards: str, tmp_path: Path) -> tuple[Table, Path]:
    naive = Table("yaba4", stacked=cards, seats=[("bond", 1, 7_600_000)]).begin()
    return naive, tmp_path / "1.jsonl"


def written(naive: Table, path: Path) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in naive.close().lines()))
    return path


def test_the_game_lost_by_a_third_card_before_its_hand_is_over() -> None:
    """The red knave leaves Bond 0; Zeus still draws on 3, but Bond can win no four any more."""
    told = answered(ROOT / "YABA4-LOST" / "1.jsonl")
    assert told.deciding is not None
    card = told.deciding
    assert (card.card, card.round, card.position) == ("JH", 6, 29)
    view = read_log(ROOT / "YABA4-LOST" / "1.jsonl")
    cards = [one.card for one in view.rounds[6].cards]
    assert cards.index("JH") == 4
    assert len(cards) == 6
    lines = (ROOT / "YABA4-LOST" / "1.jsonl").read_bytes().splitlines()
    drawn = next(one for one in lines if b"card.drawn" in one and b'"position":29,' in one)
    assert f'"id":"{card.at.partition("/")[2]}"'.encode() in drawn
    assert (told.goal, told.wins, told.dealt) == (False, 3, 7)


def test_five_losses_leave_6000_and_the_betting_stops_while_all_hands_are_dealt() -> None:
    told = answered(ROOT / "YABA4-LOST" / "1.jsonl")
    left = [hand.bankroll // 100 for hand in told.hands]
    assert left == [71_000, 66_000, 56_000, 36_000, 6_000, 6_000, 6_000]
    assert [hand.stake // 100 for hand in told.hands] == [5000, 5000, 10000, 20000, 30000, 0, 0]
    assert told.stopped == scripted.Stopped(6, 1_500_000, 600_000)
    assert told.handed_back == 600_000


def test_the_game_won() -> None:
    told = answered(ROOT / "YABA4-WON" / "1.jsonl")
    assert (told.goal, told.wins, told.handed_back, told.stopped) == (True, 4, 11_100_000, None)
    assert told.deciding is not None
    assert (told.deciding.card, told.deciding.round) == ("4S", 6)
    assert told.refused == ()


def test_a_hand_that_the_deck_ran_out_in_is_no_hand(tmp_path: Path) -> None:
    naive, path = bond(f"{PLAYER} 2C KH 3C QD", tmp_path)
    naive.round(("bond", "player", 500_000))
    naive.open_round()
    naive.bet("bond", "player", 500_000)
    naive.close_bets()
    naive.first_four()
    naive.void("shoe-exhausted", "rules")
    naive.settle(void=True)
    told = answered(written(naive, path))
    assert [hand.winner for hand in told.hands] == ["player", "void"]
    assert (told.dealt, told.wins, told.deciding, told.handed_back) == (1, 1, None, 8_100_000)


def test_a_deck_that_ends_too_early_may_still_have_decided(tmp_path: Path) -> None:
    """Four hands that Bond did not win leave three to come: he cannot win four."""
    naive, path = bond(f"{BANKER} {TIE} {BANKER} {TIE}", tmp_path)
    for _ in range(4):
        naive.round()
    told = answered(written(naive, path))
    assert told.deciding is not None
    assert (told.deciding.round, told.deciding.position) == (4, 15)
    assert (told.goal, told.dealt) == (False, 4)


def test_more_hands_than_the_game_has_win_nothing(tmp_path: Path) -> None:
    """The log has eight rounds; a game of seven hands looks at seven."""
    naive, path = bond(" ".join([BANKER] * 4 + [PLAYER] * 4), tmp_path)
    for _ in range(8):
        naive.round()
    told = answered(written(naive, path))
    assert (told.dealt, told.wins, told.goal) == (7, 3, False)


@pytest.mark.parametrize("deck", ["YABA4-WON", "YABA4-LOST"])
def test_for_people(deck: str, capsys: pytest.CaptureFixture[str]) -> None:
    scripted.show(GAME, answered(ROOT / deck / "1.jsonl"))
    out = capsys.readouterr().out
    lost = deck == "YABA4-LOST"
    said = "is San Francisco safe  no: the Bay is drained" if lost else "is San Francisco safe  yes"
    assert said in out
    stopped = "hand 6: betting stopped, the stake of $15,000.00 is above the bankroll of $6,000.00"
    assert (stopped in out) == lost


def test_what_went_otherwise_is_said_in_a_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    naive, path = bond(f"{PLAYER} 2C KH 3C QD", tmp_path)
    naive.open_round()
    naive.say(
        ev.BetRefused(1, "1-1/bond/player/1", "bond", "player", 500, None, "below-minimum",
                      command="1-1/bond/player/1")
    )  # fmt: skip
    naive.close_bets()
    naive.deal()
    naive.settle()
    naive.open_round()
    naive.pass_rest()
    naive.close_bets()
    naive.first_four()
    naive.void("shoe-exhausted", "rules")
    naive.settle(void=True)
    scripted.show(GAME, answered(written(naive, path)))
    out = capsys.readouterr().out
    assert "hand 1: $5.00 on player was refused: below-minimum\n" in out
    assert "hand 2: the deck ran out, the hand is void and its stake came back\n" in out
    assert "the deck ended after 1 of 7 hands\n" in out
    assert "which card decided     none: the deck ended first\n" in out
    assert "is San Francisco safe  open\n" in out
