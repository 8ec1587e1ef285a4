"""Rounds that are said at once: the same bytes, batches and facts as event by event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas import commands as co
from schemas import events as ev
from schemas.address import EntryId, Sources
from schemas.envelope import encode
from schemas.events import RuleText, SpotLimits
from schemas.outcomes import RoundHalted
from schemas.ruleset import sha256_of
from services.resolver.fold import TableFold
from tests.unit.dealer.house import TABLE, TIME, Table, cards, rules_like

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.dealer.dealer import Dealer, Said

WHO = ("alice", "bob")
LONG = cards("9H 8S 5D 5C 9C 8D 2H 3H 9D 8C 4H 4S 2C 3C") * 4


def plainly(table: Table) -> Table:
    """Have this table's dealer say every event by itself."""
    table.dealer._say_round = lambda: None  # type: ignore[method-assign]
    return table


def known(dealer: Dealer) -> dict[str, Any]:
    """Give all that a dealer knows."""
    facts = dealer._facts
    shoe = {} if facts.shoe is None else dict(vars(facts.shoe))
    seated = {
        name: (one.seat, one.bankroll, one.owed) for name, one in shoe.pop("seated", {}).items()
    }
    for name in ("carried", "module"):
        shoe.pop(name, None)
    lines = dealer._log._order
    return {
        **shoe,
        "seated": seated,
        "at": (facts.seq, facts.time),
        "waiting": dealer._inbox.waiting,
        "held": list(lines._held),
    }


class Both:
    """The same said to two dealers, of whom one says every event by itself."""

    def __init__(self, make: Callable[[], Table]) -> None:
        self.one, self.other = make(), plainly(make())
        self.at_once = 0
        dealer = self.one.dealer
        say = dealer._say_round

        def counted() -> list[Said] | None:
            told = say()
            self.at_once += told is not None
            return told

        dealer._say_round = counted  # type: ignore[method-assign]
        #: How many commands were read.
        self.read = 0
        hear = dealer._hear

        def heard(data: bytes) -> bool:
            self.read += 1
            return hear(data)

        dealer._hear = heard  # type: ignore[method-assign]

    def do(self, name: str, *words: object, **more: object) -> None:
        for table in (self.one, self.other):
            getattr(table, name)(*words, **more)

    def hear(self, data: bytes) -> None:
        """Have both hear what may be no command."""
        for table in (self.one, self.other):
            table.script.append(data)
            table.dealer.command(data)

    def say(self) -> None:
        self.do("say")
        assert self.one.entries == self.other.entries
        assert self.one.batches == self.other.batches
        assert known(self.one.dealer) == known(self.other.dealer)


def seated(asks: co.ShoeOpen | None = None) -> Both:
    asks = replace(asks or co.ShoeOpen("punto-banco"), seats=WHO)
    both = Both(lambda: Table(asks, shoes=2))
    both.do("sit", *WHO)
    both.do("cut")
    both.say()
    return both


def test_a_whole_shoe_and_the_next_are_said_so_but_for_the_cut_card() -> None:
    both = seated()
    for shoe in (1, 2):
        for number in range(1, 100):
            if both.one.entries[-1][0].major > shoe or both.one.dealer.shoe_closed:
                break
            both.do("bet", number, "alice", "player", 2500, shoe=shoe)
            both.do("bet", number, "bob", "tie", 500, last=False, shoe=shoe)
            both.do("bet", number, "bob", "banker", 2500, shoe=shoe)
            both.say()
        if shoe == 1:
            both.do("cut", shoe=2)
            both.say()
    assert both.one.dealer.shoe_closed
    dealt = [event for event in both.one.events if isinstance(event, ev.RoundDealt)]
    # The cut card comes in a round or between two, and two rounds are near it.
    assert len(dealt) - 4 <= both.at_once < len(dealt)
    # Those of two rounds are read before the third's are known, and where a round is not plain.
    assert both.read <= 3 * 2 * (3 + 2) + 5


STAKES = st.sampled_from([2500, 100, 1000, 999, 0, -100, 1_000_000, 700_000, 2**53, True, 2500.0])
ACTS = st.one_of(
    st.tuples(
        st.just("bet"),
        st.sampled_from(WHO),
        st.sampled_from(["player", "banker", "tie", "dragon"]),
        STAKES,
        st.booleans(),
    ),
    st.sampled_from([("bet", "alice", "player", 2500, True), ("bet", "bob", "banker", 2500, True)]),
    st.tuples(st.just("let_go"), st.sampled_from(WHO)),
    st.tuples(st.just("again"), st.integers(1, 3)),
    st.tuples(st.just("round"), st.integers(0, 2)),
    st.tuples(st.just("round"), st.just(0)),
    st.tuples(st.just("odd"), st.sampled_from(WHO), st.integers(0, 15)),
    st.tuples(st.just("void")),
    st.tuples(st.just("leave"), st.sampled_from(WHO)),
    st.tuples(st.just("sit"), st.sampled_from([*WHO, "carol"])),
    st.tuples(st.just("misdraw")),
    st.tuples(st.just("say")),
)  # fmt: skip


def oddly(number: int, bettor: str, spot: str, how: int) -> bytes:
    """Spell a bet otherwise than we would; some are none, or say something else."""
    bet = str(co.BetId(1, number, bettor, spot, 1))
    data = encode(bet, Sources(TABLE).commands, TIME, co.BetPlace(number, bettor, spot, 2500))
    last = data.replace(b'"last":false', b'"last":true')
    told = b'"round":%d,' % number
    return [
        data,
        last.replace(TIME.encode(), b"\\u0032" + TIME.encode()[6:]),
        last.replace(TIME.encode(), b"9999-99-99T99:99:99.999999Z"),
        last.replace(TIME.encode(), TIME.encode()[1:]),
        last.replace(b",", b", "),
        last.replace(told, told * 2),
        last.replace(told, b'"round":%d,' % (number + 1)),
        last.replace(b'"last":true}}', b'"last":true},"id":"%b"}' % bet.encode()),
        last.replace(b'"last":true}}', b'"last":true,"round":%d}}' % (number + 1)),
        last.replace(b"2500", b"2500.0"),
        last.replace(b"1-%d/" % number, b"1-0%d/" % number),
        last.replace(TIME.encode(), b'2026-01-01","time":"26-01-"'),
        last.replace(TIME.encode(), b"\xff" * len(TIME)),
        last.replace(TIME.encode(), b'"' * len(TIME)),
        last.replace(TIME.encode(), TIME.encode() + b"\xff"),
        last.replace(b"/T7/", b"/T8/"),
    ][how]


class Player:
    """Does what was drawn, at both tables."""

    def __init__(self, both: Both) -> None:
        self.both = both
        self.n = 0

    @property
    def number(self) -> int:
        facts = self.both.one.dealer._facts.shoe
        assert facts is not None
        return facts.settled + 1

    def act(self, kind: str, words: tuple[Any, ...]) -> None:  # noqa: C901, PLR0912 - one a case
        self.n += 1
        both, number = self.both, self.number
        match kind:
            case "bet":
                bettor, spot, stake, last = words
                both.do("bet", number, bettor, spot, stake, last=last, n=1 + self.n % 2)
            case "let_go":
                both.do("let_go", number, *words)
            case "again":
                for data in both.one.commands[-words[0] :]:
                    for table in (both.one, both.other):
                        table.script.append(data)
                        table.dealer.command(data)
            case "round":
                both.do("bet", number, "alice", "player", 2500)
                if words[0] == 1:
                    both.do("bet", number, "alice", "tie", 500)
                both.do("bet", number, "bob", "banker", 2500)
                if words[0] != 2:
                    both.say()
            case "odd":
                bettor, how = words
                spot = "player" if bettor == "alice" else "banker"
                both.hear(oddly(number, bettor, spot, how))
            case "void":
                self.send("round.void", co.RoundVoid(number, "spilt", "pit"))
            case "misdraw":
                self.send("card.misdraw", co.CardMisdraw(number))
            case "leave":
                self.send("bettor.leave", co.BettorLeave(words[0]), words[0])
            case "sit":
                self.send("bettor.sit", co.BettorSit(words[0], 5000), words[0])
            case _:
                both.say()

    def send(self, kind: str, asks: co.Command, who: str = "pit") -> None:
        self.both.do("send", co.command_id(1, kind, who, self.n), asks)


@pytest.mark.parametrize(
    "asks",
    [
        co.ShoeOpen("punto-banco"),
        co.ShoeOpen("punto-banco", differential=3000),
        co.ShoeOpen("punto-banco-sides", limits={"tie": SpotLimits(500, 2500, 500)}),
        co.ShoeOpen("punto-banco-dummy"),
        co.ShoeOpen("casino-france-1959"),
        co.ShoeOpen("punto-banco", window=30),
    ],
)
@settings(max_examples=15)
@given(acts=st.lists(ACTS, max_size=60))
def test_whatever_is_asked_it_says_the_same(asks: co.ShoeOpen, acts: list[tuple[Any, ...]]) -> None:
    player = Player(seated(asks))
    for kind, *words in acts:
        player.act(kind, tuple(words))
    player.both.say()


@pytest.mark.parametrize(
    "more",
    [
        {"stake": True},
        {"stake": 2500.0},
        {"stake": "2500"},
        {"stake": None},
        {"stake": 2**53},
        {"spot": "dragon"},
        {"stake": 99},
        {"stake": 2_000_000},
        {"chips": (2500,)},
        {"spot": "player"},
        {"bettor": "carol"},
        {"bettor": "bob", "n": 2},
    ],
)
def test_a_bet_that_is_not_plain_is_answered_by_itself(more: dict[str, Any]) -> None:
    both = seated(co.ShoeOpen("punto-banco", differential=3000))
    for number in (1, 2, 3):
        both.do("bet", number, "alice", "player", 2500)
        if number == 2:
            both.do("bet", number, **{"bettor": "bob", "spot": "tie", "stake": 2500, **more})
        if number != 2 or more.get("bettor"):
            both.do("bet", number, "bob", "tie", 2500)
        both.say()
    assert both.at_once == 2


def test_a_bet_that_came_early_is_not_taken_when_it_comes_again() -> None:
    both = seated()
    for number in range(1, 8):
        both.do("bet", number, "alice", "player", 2500)
        if number in {1, 5}:
            both.do("bet", number + 1, "bob", "banker", 2500)
        both.do("bet", number, "bob", "banker", 2500)
        both.say()
        both.do("let_go", number, "bob")
        both.say()
    assert both.at_once == 3  # 3, 4 and 7


def test_who_sits_down_is_waited_for() -> None:
    both = seated()
    for number in range(1, 7):
        if number == 4:
            both.do("sit", "carol")
            both.say()
        both.do("bet", number, "alice", "player", 2500)
        both.do("bet", number, "bob", "banker", 2500)
        both.say()
        if number == 4:
            both.do("let_go", number, "carol")
            both.do("send", "1/bettor.leave/carol/1", co.BettorLeave("carol"))
            both.say()
    assert both.at_once == 5


@pytest.mark.parametrize("rules", ["punto-banco", "punto-banco-dummy", "casino-france-1959"])
def test_a_card_drawn_in_error_is_played_first(rules: str) -> None:
    both = seated(co.ShoeOpen(rules))
    for number in range(1, 9):
        both.do("bet", number, "alice", "player", 100_000)
        both.do("bet", number, "bob", "player", 100_000)
        if number in {2, 3}:
            both.do("send", f"1/card.misdraw/pit/{number}", co.CardMisdraw(number))
        both.say()


@pytest.mark.parametrize("halt", [0, 3])
def test_bets_that_wait_for_an_outcome_are_not_taken_when_the_shoe_is_over(halt: int) -> None:
    opens = co.ShoeOpen("test", seats=("alice",))
    sets = rules_like("punto-banco", ("from_end = 14", "from_end = 60"))
    both = Both(lambda: Table(opens, resolve=False, rules=sets))
    both.do("sit", "alice")
    both.do("cut")
    both.do("bet", 1)
    both.say()
    fold, told = TableFold(TABLE), 0
    for number in range(2, 100):
        both.do("bet", number)
        both.say()
        new = both.one.entries[told:]
        told += len(new)
        for name, outcome in fold.events(new):
            if name.minor == halt:
                at = f"{TABLE}/{new[-1][0].major}-{new[-1][0].minor}"
                halted = RoundHalted(halt, at, "rules", (), 0)
                outcome = encode(str(name), Sources(TABLE).outcomes, TIME, halted)  # noqa: PLW2901
            for table in (both.one, both.other):
                table.dealer.outcome(name, outcome)
        both.say()
        if both.one.dealer.shoe_closed:
            break
    # The first round is said together with what comes before it.
    assert both.at_once == halt - 1 if halt else both.at_once > 60
    assert both.one.dealer.shoe_closed


def test_a_dealer_who_goes_on_from_anywhere_says_the_same() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)), shoes=2)
    table.send("1/shoe.close/pit/1", co.ShoeClose("pit", after_round=2))
    table.sit("alice")
    table.cut()
    for shoe in (1, 2):
        if shoe == 2:
            table.cut(shoe=2)
            table.bet(1, shoe=2)
        table.say()
        for number in (1, 2):
            table.bet(number, shoe=shoe)
            table.say()
    whole = [data for _, data in table.entries]
    for events in range(1, len(whole)):
        assert table.gone_on_from(events) == whole, events


@pytest.mark.parametrize("speaks", [WHO, WHO[:1]])
@pytest.mark.parametrize("burn", [True, False])
@pytest.mark.parametrize("origin", [co.AskSeeded(), co.AskFixed("long")])
def test_what_waits_at_a_new_shoe_waits_for_all_that_comes_before_a_round(
    origin: co.AskOrigin, *, burn: bool, speaks: tuple[str, ...]
) -> None:
    decks = {"long": LONG}
    sets = rules_like("punto-banco")
    if not burn:
        text = sets["test"].text
        before, _, rest = text.partition("[burn]")
        text = before + rest[rest.index("\n[") :]
        sets["test"] = RuleText("test", sha256_of(text), text)
    table = Table(co.ShoeOpen("test", origin), shoes=2, rules=sets, decks=decks)
    table.sit(*WHO)
    table.cut()
    table.send("1/shoe.close/pit/1", co.ShoeClose("pit", after_round=0))
    table.say()
    table.cut(shoe=2)
    table.say()
    opened = [at for at, event in enumerate(table.events) if isinstance(event, ev.ShoeOpened)]
    for events in range(opened[1] + 1, len(table.entries) + 1):
        both = Both(lambda: Table(table.asks, shoes=2, rules=sets, decks=decks))
        for entry, data in table.entries[:events]:
            for other in (both.one, both.other):
                other.dealer.stored(entry, data)
                other.entries.append((entry, data))
                for name, outcome in other.fold.event(entry, data):
                    other.dealer.outcome(name, outcome)
        for bettor in speaks:
            both.do("bet", 1, bettor, shoe=2)
        both.say()


def test_who_has_not_enough_any_more_is_refused() -> None:
    both = Both(lambda: Table(co.ShoeOpen("punto-banco")))
    both.do("sit", "alice", bankroll=40_000)
    both.do("cut")
    both.say()
    for number in range(1, 30):
        both.do("bet", number, "alice", "tie", 10_000)
        both.say()
        if any(isinstance(event, ev.BetRefused) for event in both.one.events):
            break
    refused = [event for event in both.one.events if isinstance(event, ev.BetRefused)]
    assert [event.reason for event in refused] == ["bankroll"]
    assert both.at_once == number - 1 > 0


def test_a_short_shoe_runs_out_in_the_same_round() -> None:
    order = cards("9H 8S 5D 5C 9C 8D 2H 3H 9D 8C 4H 4S 2C")
    opens = co.ShoeOpen("test", co.AskFixed("short"))
    sets = rules_like("punto-banco", ("round_needs = 6", "round_needs = 1"))
    for left in range(1, len(order) + 1):
        decks = {"short": order[:left]}
        both = Both(lambda decks=decks: Table(opens, decks=decks, rules=sets))  # type: ignore[misc]
        both.do("sit", "alice")
        both.say()
        for number in (1, 2, 3):
            both.do("bet", number)
            both.say()


@pytest.mark.parametrize("how", range(16))
def test_what_is_not_spelled_as_the_last_bet_was_is_read(how: int) -> None:
    both = seated()
    for number in range(1, 6):
        both.do("bet", number, "alice", "player", 2500)
        if number == 4:
            both.hear(oddly(number, "bob", "banker", how))
            both.say()
        both.do("bet", number, "bob", "banker", 2500)
        both.say()
    assert both.read >= 5


def test_bets_that_came_again_wait_for_the_rest() -> None:
    both = seated()
    for number in range(1, 7):
        both.do("bet", number, "alice", "player", 2500)
        both.do("bet", number, "bob", "tie", 500, last=False)
        if number == 4:
            both.say()
        both.do("bet", number, "bob", "banker", 2500)
        both.say()
    assert both.at_once == 6
    assert both.read == 3 * 3 + 3  # and the two who sat down, and the cut


def test_what_waits_for_its_round_is_answered_in_it() -> None:
    both = seated()
    for number in range(1, 9):
        if number in {4, 6}:
            both.do("send", f"1/card.misdraw/pit/{number}", co.CardMisdraw(number))
            both.say()
        both.do("bet", number, "alice", "player", 2500)
        both.do("bet", number, "bob", "banker", 2500)
        both.say()


def test_bets_that_came_again_before_who_left_was_answered() -> None:
    both = seated()
    for number in range(1, 7):
        both.do("bet", number, "alice", "player", 2500)
        if number == 4:
            both.do("send", "1/bettor.leave/bob/1", co.BettorLeave("bob"))
            both.say()
        both.do("bet", number, "bob", "banker", 2500)
        both.say()
        both.do("bet", number, "bob", "banker", 2500)
        both.say()


def test_an_outcome_that_comes_between_bets_leaves_none_unread() -> None:
    opens = co.ShoeOpen("punto-banco", seats=WHO)
    both = Both(lambda: Table(opens, resolve=False))
    both.do("sit", *WHO)
    both.do("cut")
    both.say()
    fold, told = TableFold(TABLE), 0
    for number in range(1, 9):
        both.do("bet", number, "alice", "player", 2500)
        if number == 6:
            halted = RoundHalted(6, f"{TABLE}/1-{told - 1}", "rules", (), 0)
            data = encode("1-6", Sources(TABLE).outcomes, TIME, halted)
            for table in (both.one, both.other):
                table.dealer.outcome(EntryId(1, 6), data)
        both.do("bet", number, "bob", "banker", 2500)
        both.say()
        new = both.one.entries[told:]
        told += len(new)
        for name, outcome in fold.events(new):
            for table in (both.one, both.other):
                table.dealer.outcome(name, outcome)
    assert both.one.dealer.shoe_closed
    assert both.at_once == 5
