"""A module's count of strikes, and whether it is solved, as its rounds fall."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from schemas import events as ev
from schemas.outcomes import HandResult, RoundHalted, RoundResolved, Settlement, Winner
from services.baccarat import Module

#: A bet that won, lost, or came back; a round voided for invalid bets; one that was halted.
KINDS = st.lists(st.sampled_from(["win", "lose", "push", "void", "halt"]), max_size=12)


def outcome(number: int, kind: str) -> RoundResolved | RoundHalted:
    won, returned = {"win": (500, 500), "lose": (0, 0)}.get(kind, (0, 500))
    paid = (Settlement("b", "defuser", "player", 500, "win", None, won, 0, returned),)
    if kind == "halt":
        return RoundHalted(number, "T7/1-9", "rules", (), 0)
    winner: Winner = "void" if kind == "void" else "player"
    none = HandResult((), 0)
    return RoundResolved(
        number, "", "", none, none, winner, natural=False, settlements=paid, house=0
    )


@given(KINDS, st.booleans())
def test_solved_and_strikes_are_those_of_the_rounds(kinds: list[str], unsorted: bool) -> None:
    module = Module()
    for number, kind in enumerate(kinds, 1):
        module.event(ev.RoundOpened(number, command=None))
        chips = (100, 500) if unsorted else (500, 100)
        module.event(
            ev.BetPlaced(number, f"b{number}", "defuser", "player", 600, chips, command=None)
        )
        module.event(ev.BetsClosed(number, "all-spoke", command=None))
        if kind == "void":
            module.event(ev.RoundVoided(number, "invalid-bet", "rules", command=None))
        module.outcome(outcome(number, kind))
        assert module.solved == ("win" in kinds[:number])
        assert module.strikes == sum(len(one.strikes) for one in module.rounds)
    dealt = [kind for kind in kinds if kind != "halt"]
    assert [one.result == "solved" for one in module.rounds] == [kind == "win" for kind in dealt]
    stacks = unsorted * sum(kind != "void" for kind in dealt)
    assert module.strikes == stacks + dealt.count("lose") + dealt.count("void")
