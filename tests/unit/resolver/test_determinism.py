"""The same events give the same bytes: from any beginning, in any batches, whatever they are."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas import events as ev
from schemas.address import EntryId
from schemas.cards import DECK
from schemas.envelope import decode_outcome, encode
from schemas.outcomes import RoundHalted
from services.resolver.fold import TableFold
from tests.unit.resolver.script import Script, fold, time_of
from tests.unit.schemas.making import made

if TYPE_CHECKING:
    from schemas.cards import Card
    from services.resolver.fold import Said
    from tests.unit.resolver.script import Line


def whole_shoe(shoe: int, rules: str = "punto-banco") -> Script:
    """Deal a shuffled shoe with three bettors, a void now and then, bets taken back."""
    chance = random.Random(shoe)  # noqa: S311 - nobody bets on a test
    order = list(DECK) * 2
    chance.shuffle(order)
    script = Script(rules, shoe=shoe).opened()
    while len(order) > 6:
        script.open_round()
        for bettor, spot in (("ann", "banker"), ("bob", "player"), ("cyd", "tie")):
            script.bet(spot, 100_000 + 100 * chance.randrange(100), bettor)
        if chance.random() < 0.2:
            bet = f"{shoe}-{script.round}/ann/banker/1"
            script.say(ev.BetWithdrawn(round=script.round, bet=bet, command=None))
        script.close_bets()
        player: list[Card] = []
        banker: list[Card] = []
        while (side := script.game.next_draw(player, banker)) is not None:
            card = order.pop()
            (player if side == "player" else banker).append(card)
            script.card(side, card)
        if chance.random() < 0.1:
            script.voided()
        else:
            script.dealt()
    return script.closed()


@pytest.fixture(scope="module")
def shoes() -> list[Script]:
    return [whole_shoe(shoe) for shoe in (3, 4, 5)]


@pytest.fixture(scope="module")
def lines(shoes: list[Script]) -> list[Line]:
    return [line for shoe in shoes for line in shoe.lines]


def test_any_prefix_says_a_prefix(lines: list[Line]) -> None:
    whole = fold(lines)
    assert len(whole) > 40
    for end in range(0, len(lines), 7):
        said = fold(lines[:end])
        assert said == whole[: len(said)]


def test_a_resolver_that_begins_at_any_shoe_says_the_same(shoes: list[Script]) -> None:
    whole = fold([line for shoe in shoes for line in shoe.lines])
    for first, shoe in enumerate(shoes):
        rest = [line for later in shoes[first:] for line in later.lines]
        assert fold(rest) == [said for said in whole if said.id.major >= shoe.shoe]


def test_a_resolver_that_stops_and_starts_anywhere_says_the_same(shoes: list[Script]) -> None:
    (shoe, *_) = shoes
    whole = shoe.fold()
    for end in range(0, len(shoe.lines), 11):
        before = fold(shoe.lines[:end])
        again = fold(shoe.lines)
        assert again[: len(before)] == before
        assert again == whole


@pytest.mark.parametrize("size", [1, 2, 3, 7, 127, 128, 129, 500])
def test_any_batches_say_the_same(lines: list[Line], size: int) -> None:
    broken = Script(shoe=6).opened().open_round().bet("banker", 1900).raw(b"{").closed()
    entries = lines + broken.lines
    resolver = TableFold("T7")
    said = []
    for start in range(0, len(entries), size):
        said += resolver.events(entries[start : start + size])
    assert said == fold(entries)
    assert len(said) == len(fold(lines)) + 1


def test_two_at_once_say_the_same(lines: list[Line]) -> None:
    one, other = TableFold("T7"), TableFold("T7")
    for entry, data in lines:
        assert one.event(entry, data) == other.event(entry, bytes(bytearray(data)))


def test_each_round_has_one_outcome_and_the_money_is_conserved(lines: list[Line]) -> None:
    whole = fold(lines)
    assert len({said.id for said in whole}) == len(whole)
    for said in whole:
        outcome = decode_outcome(said.data).data
        nets = [s.returned + s.won - s.commission - s.stake for s in outcome.settlements]  # type: ignore[attr-defined]
        assert outcome.house + sum(nets) == 0  # type: ignore[attr-defined]


EVENTS = st.sampled_from(sorted(ev.EVENTS)).flatmap(lambda name: made(ev.EVENTS[name]))
OPENED = Script().opened().lines[0][1]
STEPS = st.one_of(
    st.tuples(st.just("event"), EVENTS),
    st.tuples(st.just("bytes"), st.binary(max_size=40)),
    st.tuples(st.just("skip"), st.integers(-3, 3)),
    st.tuples(st.just("shoe"), st.integers(0, 2)),
    st.tuples(
        st.just("event"),
        st.sampled_from(
            [
                ev.RoundOpened(round=1, command=None),
                ev.BetsClosed(round=1, reason="window", command=None),
                ev.CardDrawn(round=1, hand="player", position=0, card="9C", command=None),
                ev.CardDrawn(round=1, hand="banker", position=1, card="9D", command=None),
                ev.RoundVoided(round=1, reason="r", by="b", command=None),
                ev.RoundDealt(round=1, command=None),
                ev.ShoeClosed(reason="rules", by="rules", reveal=None, command=None),
            ]
        ),
    ),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEPS, max_size=25))
def test_no_stream_whatever_breaks_the_fold(steps: list[tuple[str, object]]) -> None:
    shoe, seq = 12, 1
    lines: list[Line] = [(EntryId(12, 0), OPENED)]
    for kind, what in steps:
        if kind == "skip":
            seq = max(seq + int(str(what)), 0)
        elif kind == "shoe":
            shoe, seq = shoe + int(str(what)), 0
        else:
            entry = EntryId(shoe, seq)
            data = (
                what
                if isinstance(what, bytes)
                else encode(str(entry), "/tables/T7", time_of(seq), what)  # type: ignore[arg-type]
            )
            lines.append((entry, data))
            seq += 1
    said: list[Said] = fold(lines)
    assert max(Counter(one.id for one in said).values(), default=1) == 1
    assert [one.id for one in said] == sorted(one.id for one in said)
    halted = set()
    for one in said:
        assert one.id.major not in halted
        message = decode_outcome(one.data)
        assert message.id == str(one.id)
        if isinstance(message.data, RoundHalted):
            halted.add(one.id.major)
    assert fold(lines) == said
