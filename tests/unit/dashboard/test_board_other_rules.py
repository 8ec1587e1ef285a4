"""What other rules make of a round is what ``replay --rules`` makes of it, with codes for words."""

from __future__ import annotations

import pytest

from schemas.errors import InputError
from schemas.events import CardDrawn, RoundVoided
from schemas.ruleset import published
from services.baccarat.course import Unseen
from services.baccarat.redeal import Logged, Played, same_coup
from services.cli.log_view import LogView, view_of
from services.cli.readings import side_of
from services.dashboard.board.answers import RoundAnswer
from services.dashboard.board.asked_shapes import OtherShape
from services.dashboard.board.other_rules import logged, under
from services.dashboard.board.reading import fold_log
from services.dashboard.board.redact import public_answer
from services.dashboard.board.round_board import RoundBoard
from tests.unit.dashboard.board_streams import LOGS, TABLES

#: Other draws, other spots, other commission.
RULES = ("fun-casino-as-printed", "ez-baccarat", "punto-banco")


def view(table: str) -> LogView:
    return view_of((LOGS / table / "1.jsonl").read_bytes().splitlines(), table)


def played_by(known: LogView, number: int, rules: str) -> Played | None:
    try:
        return same_coup(side_of(known, rules).game, known.rounds[number].logged(), known.known)
    except Unseen:
        return None


@pytest.mark.parametrize("table", TABLES)
def test_each_round_of_each_log_is_dealt_again_as_replay_does(table: str) -> None:
    known = view(table)
    board = fold_log(table, 1, (LOGS / table / "1.jsonl").read_bytes())
    assert board.shoe is not None
    assert board.shoe.known().course == known.known.course
    for number, one in known.rounds.items():
        if one.outcome is None:
            continue
        mine = board.shoe.round(number)
        assert mine is not None
        assert logged(mine) == one.logged()
        for rules in RULES:
            shape, played = under(board, number, rules), played_by(known, number, rules)
            assert shape is not None
            if played is None:
                assert (shape.winner, shape.why_not) == (None, "unseen")
                continue
            assert shape.why_not is None
            assert [(c.hand, c.card, c.position) for c in shape.cards] == [
                (c.hand, c.card, c.position) for c in played.cards
            ]
            assert shape.winner == played.winner
            assert shape.unplaceable == played.unplaceable
            assert [(b.bet, b.won, b.commission) for b in shape.bets if b.other is not None] == [
                (s.bet, s.won, s.commission) for s in played.settlements
            ]


def test_a_round_by_its_own_rules_came_to_what_it_came_to() -> None:
    board = fold_log("CLEAN", 1, (LOGS / "CLEAN/1.jsonl").read_bytes())
    for row in board.view().results:
        own, one = under(board, row.round, "punto-banco"), board.round(row.round)
        assert own is not None
        assert one is not None
        assert own.winner == row.winner
        assert (own.player_total, own.banker_total) == (row.player_total, row.banker_total)
        assert [(bet.bet, bet.other) for bet in own.bets] == [(b.bet, b.net) for b in one.bets]
        assert [bet.net for bet in own.bets] == [bet.net for bet in one.bets]
        assert [card.reason for card in own.cards] == [card.reason for card in one.cards]


def test_an_open_round_cannot_be_said_yet() -> None:
    lines = (LOGS / "CLEAN/1.jsonl").read_bytes().splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if b'"round.dealt"' in line)
    board = fold_log("CLEAN", 1, b"".join(lines[:place]))
    shape = under(board, 1, "ez-baccarat")
    assert shape is not None
    assert (shape.rules, shape.winner, shape.why_not) == ("ez-baccarat", None, "open")
    assert under(board, 2, "ez-baccarat") is None
    assert under(object(), 1, "ez-baccarat") is None


def test_a_card_that_nobody_has_seen_is_not_guessed() -> None:
    lines = (LOGS / "CLEAN/1.jsonl").read_bytes().splitlines(keepends=True)
    shapes: list[OtherShape | None] = []
    for place, line in enumerate(lines):
        if b'"round.resolved"' in line:
            board = fold_log("CLEAN", 1, b"".join(lines[: place + 1]))
            shapes.append(under(board, len(shapes) + 1, "fun-casino-as-printed"))
            assert shapes[-1] is not None
            if shapes[-1].why_not == "unseen":
                break
    assert shapes[0] is not None
    assert shapes[0].why_not is None
    last = shapes[-1]
    assert last is not None
    assert (last.winner, last.cards, last.bets) == (None, (), ())
    whole = fold_log("CLEAN", 1, b"".join(lines))
    later = under(whole, len(shapes), "fun-casino-as-printed")
    assert later is not None
    assert later.winner is not None


def test_unknown_rules_are_refused() -> None:
    board = fold_log("CLEAN", 1, (LOGS / "CLEAN/1.jsonl").read_bytes())
    with pytest.raises(InputError):
        under(board, 1, "no-such-rules")
    assert all(under(board, 1, name) is not None for name in published())


def test_nobody_is_named_in_public() -> None:
    board = fold_log("CLEAN", 1, (LOGS / "CLEAN/1.jsonl").read_bytes())
    one, other = board.round(1), under(board, 1, "ktane")
    assert one is not None
    assert other is not None
    assert other.bets
    assert other.unplaceable == ()
    answer = public_answer(RoundAnswer(one, board.result(1), (), other))
    assert answer.round.bets == ()
    assert answer.other is not None
    assert (answer.other.bets, answer.other.cards) == ((), other.cards)


def test_a_round_that_ran_out_of_cards_may_be_dealt_by_rules_that_need_fewer() -> None:
    for command, by, voided in ((None, "rules", False), ("12/round.void/pit/1", "pit", True)):
        one = RoundBoard(1, "T7/12#1", "2026-01-01T20:00:33.500000Z", None)
        one.draw(CardDrawn(command=None, round=1, hand="player", position=3, card="AC"), "T7/12-4")
        one.void(RoundVoided(command=command, round=1, reason="shoe-exhausted", by=by))
        assert logged(one) == Logged(1, (), 3, voided, 1)
