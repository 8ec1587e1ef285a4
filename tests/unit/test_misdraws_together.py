"""Random shoes with cards drawn in error, through dealer, resolver and auditor: nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import commands as co
from schemas import events as ev
from schemas.address import EventAddress
from schemas.envelope import decode_command, decode_line, decode_outcome
from schemas.outcomes import RoundResolved, pivot
from services.auditor.offline import audit_lines
from services.auditor.witness import LiveWitness
from tests.support.misdraws import spelled
from tests.unit.dealer.bombs import RED
from tests.unit.dealer.house import Table, rules_like

if TYPE_CHECKING:
    from schemas.events import RuleText

POLICIES = ("banker-or-next-hand", "annul-and-burn", "dummy-hand")
SEATS = ("alice", "bob")


def rules(policy: str) -> dict[str, RuleText]:
    """A shoe of one deck, with burn, cut card and commission that is collected at its end."""
    return rules_like(
        "punto-banco",
        ('misdraw = "banker-or-next-hand"', f'misdraw = "{policy}"'),
        ("decks = 8", "decks = 1"),
        ('collected = "each-hand"', 'collected = "shoe-end"'),
    )


def play(policy: str, client: str, misdraws: dict[int, int], spots: list[str]) -> Table:
    """Play a shoe to its end; ``misdraws``: how many are asked for in a round."""
    table = Table(co.ShoeOpen("test", seats=SEATS), rules=rules(policy))
    table.sit(*SEATS)
    table.cut(client=client)
    for number, times in misdraws.items():
        for n in range(times):
            name = co.command_id(1, "card.misdraw", "desk", 100 * number + n)
            table.send(name, co.CardMisdraw(number))
    table.say()
    for number in range(1, 30):
        if table.dealer.shoe_closed:
            return table
        table.bet(number, "alice", spots[number % len(spots)], 1000)
        table.let_go(number, "bob")
        table.say()
    raise AssertionError(table.events[-1])


def lines(table: Table) -> list[bytes]:
    """Give the log: each outcome right after the event that it settles."""
    after = {EventAddress.parse(pivot(decode_outcome(o).data)).seq: o for _, o in table.outcomes}
    found: list[bytes] = []
    for (_, seq), data in table.entries:
        found += [data, after[seq]] if seq in after else [data]
    return found


def positions(table: Table) -> tuple[list[int], dict[int, list[str]]]:
    """Give the positions in the order that they left the shoe, and where each card went."""
    left: list[int] = []
    went: dict[int, list[str]] = {}
    for event in table.events:
        if isinstance(event, ev.CardDrawn | ev.CardBurned | ev.CardDiscarded):
            if event.position not in went:
                left.append(event.position)
            where = event.hand if isinstance(event, ev.CardDrawn) else "away"
            went.setdefault(event.position, []).append(where)
    return left, went


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(POLICIES),
    st.binary(max_size=8).map(bytes.hex),
    st.dictionaries(st.integers(0, 14), st.integers(1, 2), max_size=9),
    st.lists(st.sampled_from(["player", "banker", "tie", "player-pair"]), min_size=1, max_size=4),
    st.data(),
)
def test_every_card_is_played_once_and_the_log_audits_clean(
    policy: str, client: str, misdraws: dict[int, int], spots: list[str], data: st.DataObject
) -> None:
    table = play(policy, client, misdraws, spots)
    left, went = positions(table)
    assert left == list(range(len(left)))
    for position, places in went.items():
        if "error" in places:
            assert places[0] == "error", position
            wanted = {"annul-and-burn": {"away"}}.get(policy, {"player", "banker", "away"})
            assert len(places) == 2, position
            assert places[1] in wanted, position
        else:
            assert len(places) == 1, position

    result = audit_lines(lines(table), known=rules(policy))
    assert [one for one in result.findings if one.grade == "fault"] == []
    errors = [e for e in table.events if isinstance(e, ev.CardDrawn) and e.hand == "error"]
    applied = [one for one in result.findings if one.code == "policy-applied"]
    assert sorted(one.round or 0 for one in applied) == [error.round for error in errors]
    assert len({error.round for error in errors}) == len(errors)

    told = [decode_outcome(outcome).data for _, outcome in table.outcomes]
    assert all(isinstance(one, RoundResolved) for one in told)
    dealt = sum(isinstance(event, ev.RoundDealt | ev.RoundVoided) for event in table.events)
    assert len(told) == dealt

    witness = LiveWitness("T7", 1, simulated=True)
    found = [
        one for command in table.commands for one in witness.command(0, decode_command(command))
    ]
    for line in lines(table):
        message = decode_line(line)
        if isinstance(message.data, ev.Event):
            found += witness.event(message, None)
        else:
            witness.outcome(message)
    found += witness.finish()
    assert found == []

    whole = [entry for _, entry in table.entries]
    stop = data.draw(st.integers(0, len(whole)))
    assert table.gone_on_from(stop) == whole


@pytest.mark.parametrize("policy", POLICIES)
def test_a_bombs_module_with_a_card_in_error(policy: str) -> None:
    """Whoever plays a module has to bet, but on no dummy hand; the red deck's coups are known."""
    known = rules_like("ktane", ('misdraw = "banker-or-next-hand"', f'misdraw = "{policy}"'))
    table = Table(rules=known)
    table.send("1/shoe.open/alice/1", co.ShoeOpen("test", RED, ("alice",)))
    table.sit("alice")
    table.send("1/card.misdraw/desk/1", co.CardMisdraw(1))
    table.say()
    for number in range(1, 5):
        table.bet(number, "alice", "banker", 1000)
        table.say()
    table.send("1/shoe.close/alice/1", co.ShoeClose("alice"))
    table.say()
    rounds, end = spelled(table.events)
    first = {
        "annul-and-burn": ["P0 B1 P2 B3 E4 D4 V", "P5"],
        "banker-or-next-hand": ["P0 B1 P2 B3 E4 =", "P4"],
        "dummy-hand": ["P0 B1 P2 B3 E4 =", "0 P4"],
    }[policy]
    assert (rounds[0], end) == (first[0], "")
    assert rounds[1].startswith(first[1])
    result = audit_lines(lines(table), known=known)
    assert [one.code for one in result.findings if one.code not in {"closed-early", "voided"}] == [
        "policy-applied"
    ]
    whole = [entry for _, entry in table.entries]
    for stop in range(len(whole)):
        assert table.gone_on_from(stop) == whole
