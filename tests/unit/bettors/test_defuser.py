"""Who plays a bomb's module: what he says, when he stops, and that it is said once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas import events as ev
from schemas.envelope import decode_event
from services.baccarat.bomb import MULTIPLIERS, PORTS
from services.bettors.bets_file import Lay, TakeBack, parse_bets
from tests.unit.bettors.module_game import ModuleGame

SPOTS = ("player", "banker", "tie", "player-pair", "banker-pair")
#: Coups: player 9-3, player 9-4, player 9-3, tie, tie, banker 9-8. Of the blue one: player, player.
RED = ev.Ktane("AB3CD7", 1000, 100_000, ("DVI-D", "Serial", "Serial"), (), 3, "red")
BLUE = replace(RED, colour="blue", solved=5)


def game(text: str, *decks: ev.Ktane, killed_after: int | None = None) -> ModuleGame:
    written = parse_bets(text, SPOTS, "bets")
    return ModuleGame(decks or (RED, BLUE), written, killed_after)


def closes(played: ModuleGame) -> list[str]:
    events = [decode_event(data).data for data in played.bytes]
    return [event.reason for event in events if isinstance(event, ev.ShoeClosed)]


LOSING = "banker 10\nplay\n"
TIED = "player 10\nplay\n"
WHOLE = 3 * LOSING + 3 * TIED


def test_he_stops_when_the_module_is_solved() -> None:
    played = game(LOSING + "player 10\nplay\n" + LOSING)
    assert closes(played) == ["solved"]
    assert [one.result for one in played.fold.module.rounds] == ["strike", "solved"]
    assert played.fold.last_shoe == 1


def test_he_stops_when_nothing_more_is_written() -> None:
    played = game(2 * LOSING)
    assert closes(played) == ["asked"]
    assert played.fold.module.strikes == 2


def test_he_stops_when_the_last_deck_is_used_up() -> None:
    played = game(WHOLE + LOSING, RED)
    assert closes(played) == ["rules"]
    assert len(played.fold.module.rounds) == 6
    assert played.fold.last_shoe == 1


def test_what_is_written_ends_with_the_deck() -> None:
    """The dealer closes it by the rules: nobody has to ask, and no other is opened."""
    played = game(WHOLE)
    assert closes(played) == ["rules"]
    assert [event for event in events(played) if isinstance(event, ev.CommandRefused)] == []


def test_he_goes_on_with_the_next_deck() -> None:
    played = game(WHOLE + LOSING + "player 10\nplay\n")
    assert closes(played) == ["rules", "solved"]
    opened = [event for event in events(played) if isinstance(event, ev.ShoeOpened)]
    assert [event.origin for event in opened] == [RED, BLUE]
    assert played.fold.module.strikes == 5
    assert played.fold.last_shoe == 2


def test_a_win_in_the_deck_s_last_round_solves_it_and_no_other_is_opened() -> None:
    played = game(5 * LOSING + "banker 10\nplay\n" + LOSING)
    assert closes(played) == ["solved"]
    assert len(played.fold.module.rounds) == 6


def test_bets_taken_back_and_laid_again_have_names_of_their_own() -> None:
    played = game("player 10\nwithdraw player\nplayer 10\nwithdraw player\nbanker 10\nplay\n")
    placed = [event.bet for event in events(played) if isinstance(event, ev.BetPlaced)]
    assert placed == [
        "1-1/defuser/player/1",
        "1-1/defuser/player/2",
        "1-1/defuser/banker/1",
    ]
    assert not any(isinstance(event, ev.BetRefused) for event in events(played))
    assert [one.profit for one in played.fold.module.rounds] == [-1000]


def test_no_bet_of_a_written_round_is_refused_however_large() -> None:
    played = game("player 100000000000\ntie 100000000000\nplay\n" * 2)
    assert not any(isinstance(event, ev.BetRefused) for event in events(played))
    assert [one.strikes for one in played.fold.module.rounds] == [("invalid-bet",)] * 2


EVENTFUL = (
    LOSING
    + "player 10\nwithdraw player\nbanker 5+25\nplay\n"
    + "player 9\nplay\n"
    + LOSING
    + "player 10\nwithdraw player\nplay\n"
    + 3 * TIED
    + "banker 10\ntie 101\nplay\n"
    + "player 10\nplay\n"
)


def test_another_one_takes_his_place_anywhere_and_the_same_is_said() -> None:
    whole = game(EVENTFUL)
    assert closes(whole) == ["rules", "solved"]
    assert whole.batches > 10
    for batches in range(1, whole.batches + 1):
        again = game(EVENTFUL, killed_after=batches)
        assert again.bytes == whole.bytes, f"after {batches} batches"
        assert again.fold.last_shoe == 2
        assert again.fold.module.rounds == whole.fold.module.rounds


def test_a_dealer_who_takes_over_anywhere_says_the_same() -> None:
    whole = game(EVENTFUL)
    for said in range(len(whole.bytes) + 1):
        assert whole.table.gone_on_from(said) == whole.bytes, f"after {said} events"


AMOUNTS = st.sampled_from([1, 5, 9, 10, 11, 25, 99, 100, 101, 1000, 1001, 2500])
LAYS = st.builds(
    lambda spot, dollars, chips: Lay(
        spot,
        100 * (sum(chips) if chips else dollars),
        tuple(100 * chip for chip in chips) if len(chips) > 1 else None,
    ),
    st.sampled_from(SPOTS),
    AMOUNTS,
    st.just(()) | st.lists(st.sampled_from([1, 5, 25, 100, 500, 7]), min_size=2, max_size=4),
)
ROUNDS = st.lists(
    st.lists(LAYS, max_size=3, unique_by=lambda one: one.spot).flatmap(
        lambda lays: st.sampled_from([[], lays[:1]]).map(
            lambda back: [*lays, *(TakeBack(one.spot) for one in back)]
        )
    ),
    min_size=1,
    max_size=14,
)
BOMBS = st.builds(
    ev.Ktane,
    serial=st.text("ABCXYZ0123456789", min_size=1, max_size=6),
    min=st.sampled_from([500, 1000, 2500]),
    max=st.sampled_from([2500, 100_000, 1_000_000]),
    ports=st.lists(st.sampled_from(PORTS), max_size=9).map(tuple),
    lit=st.sampled_from([(), ("BOB",)]),
    solved=st.integers(0, 20),
    colour=st.sampled_from(sorted(MULTIPLIERS)),
)


@settings(max_examples=60, deadline=None)
@given(BOMBS, ROUNDS)
def test_whatever_is_written_the_auditor_comes_to_the_same(
    bomb: ev.Ktane, rounds: list[list[Lay | TakeBack]]
) -> None:
    others = [colour for colour in MULTIPLIERS if colour != bomb.colour]
    decks = [bomb, replace(bomb, colour=others[0], solved=bomb.solved + 1)]
    played = ModuleGame(decks, rounds)
    module = played.fold.module
    audits = played.audits()
    assert [one.verdict for one in audits] == ["pass"] * len(audits)
    notices = {finding.code for one in audits for finding in one.findings}
    assert notices <= {"voided", "closed-early"}
    assert sum(one.strikes for one in audits) == module.strikes
    assert [one.solved for one in audits].count(True) == module.solved
    assert len(module.rounds) <= len(rounds)
    assert [one.result for one in module.rounds].count("solved") == module.solved
    assert all(one.result != "solved" for one in module.rounds[:-1])


def events(played: ModuleGame) -> list[ev.Event]:
    return [decode_event(data).data for data in played.bytes]


@pytest.mark.parametrize("spot", SPOTS)
def test_every_spot_can_be_bet_on(spot: str) -> None:
    main = "" if spot in {"player", "banker"} else "banker 10\n"
    played = game(f"{main}{spot} 10\nplay\n")
    assert any(isinstance(event, ev.RoundDealt) for event in events(played))
