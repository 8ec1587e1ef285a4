"""Which bets may stand: each reason by the smallest case, the order of reasons, and the close."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.events import Limits, SpotLimits
from services.baccarat import Game, Stake, judge, judge_set, resolve_limits
from tests.unit.baccarat.hands import changed, game

if TYPE_CHECKING:
    from collections.abc import Sequence

RICH = 10**9


def say(
    spot: str,
    stake: object,
    *,
    rules: Game | None = None,
    limits: Limits | None = None,
    standing: Sequence[Stake] = (),
    table: tuple[int, int] = (0, 0),
    bankroll: int = RICH,
    chips: tuple[int, ...] | None = None,
) -> str | None:
    played = rules or game()
    bounds = limits or resolve_limits(played.rules)
    return judge(played, bounds, standing, *table, bankroll, spot, stake, chips)


def test_a_good_bet_stands() -> None:
    assert say("banker", 10_000) is None
    assert say("tie", 500, standing=[Stake("banker", 10_000)]) is None


@pytest.mark.parametrize(
    "stake",
    [0, -100, 2**53, 2**63, 2**64 + 1000, 1000.0, "1000", True, None, float("nan"), [1000]],
)
def test_a_stake_is_a_positive_whole_number_below_2_to_53(stake: object) -> None:
    assert say("banker", stake) == "stake"


@pytest.mark.parametrize(
    ("spot", "stake", "reason"),
    [
        ("dragon-7", 1000, "spot"),
        ("Banker", 1000, "spot"),
        ("", 1000, "spot"),
        ("banker", 999, "below-minimum"),
        ("banker", 1, "below-minimum"),
        ("banker", 1000, None),
        ("banker", 500_000, None),
        ("banker", 500_001, "above-maximum"),
        ("banker", 500_100, "above-maximum"),
        ("banker", 2**53 - 1, "above-maximum"),
        ("banker", 1001, "step"),
        ("tie", 500, None),
        ("tie", 400, "below-minimum"),
        ("tie", 50_100, "above-maximum"),
    ],
)
def test_spot_and_limits(spot: str, stake: int, reason: str | None) -> None:
    assert say(spot, stake) == reason


@pytest.mark.parametrize(
    ("chips", "reason"),
    [
        (None, None),
        ((1000,), None),
        ((500, 500), None),
        ((), "chips"),
        ((500,), "chips"),
        ((1000, 100), "chips"),
        ((999, 1), "chips"),
        ((1500, -500), "chips"),
    ],
)
def test_chips_are_the_rule_sets_and_add_up(
    chips: tuple[int, ...] | None, reason: str | None
) -> None:
    rules = changed("punto-banco", ("[drawing]", "chips = [100, 500, 1000]\n\n[drawing]"))
    assert say("banker", 1000, rules=rules, chips=chips) == reason


def test_a_rule_set_without_chips_takes_none() -> None:
    assert say("banker", 1000, chips=(1000,)) == "chips"


def test_two_of_one_exclusive_list() -> None:
    rules = game("yaba4")
    placed = [Stake("player", 100_000)]
    assert say("banker", 100_000, rules=rules, standing=placed) == "combination"
    assert say("tie", 100_000, rules=rules, standing=placed) == "combination"
    assert say("tie", 100_000, rules=rules) is None


def test_a_second_main_bet_where_one_is_asked_for() -> None:
    rules = changed("punto-banco", ("exactly_one_main = false", "exactly_one_main = true"))
    assert say("banker", 1000, rules=rules, standing=[Stake("player", 1000)]) == "combination"
    assert say("tie", 1000, rules=rules, standing=[Stake("player", 1000)]) is None
    assert say("banker", 1000, rules=rules, standing=[Stake("tie", 1000)]) is None
    # The first may come after the side bets.
    assert say("tie", 1000, rules=rules) is None


@pytest.mark.parametrize(
    ("spot", "stake", "table", "reason"),
    [
        ("player", 10_000, (0, 0), None),
        ("player", 10_100, (0, 0), "differential"),
        ("banker", 10_100, (0, 0), "differential"),
        ("player", 20_000, (0, 10_000), None),
        ("player", 20_100, (0, 10_000), "differential"),
        # Wider than the limit but not wider than before: it helps.
        ("player", 1000, (0, 50_000), None),
        ("player", 100_000, (0, 50_000), None),
        ("player", 100_100, (0, 50_000), "differential"),
        ("banker", 1000, (0, 50_000), "differential"),
        ("tie", 50_000, (0, 50_000), None),
    ],
)
def test_the_table_differential(
    spot: str, stake: int, table: tuple[int, int], reason: str | None
) -> None:
    limits = resolve_limits(game().rules, None, 10_000)
    assert say(spot, stake, limits=limits, table=table) == reason


def test_all_standing_stakes_come_out_of_the_bankroll() -> None:
    assert say("banker", 1000, bankroll=1000) is None
    assert say("banker", 1000, bankroll=999) == "bankroll"
    assert say("banker", 1000, bankroll=1500, standing=[Stake("tie", 500)]) is None
    assert say("banker", 1000, bankroll=1499, standing=[Stake("tie", 500)]) == "bankroll"


def test_the_first_reason_that_holds_is_given() -> None:
    rules = changed(
        "punto-banco",
        ("[drawing]", "differential = 100\nchips = [100, 500, 1000]\n\n[drawing]"),
        ("exactly_one_main = false", "exactly_one_main = true"),
    )
    placed = [Stake("player", 1000)]

    def first(spot: str, stake: object, chips: tuple[int, ...] | None) -> str | None:
        return say(spot, stake, rules=rules, standing=placed, bankroll=0, chips=chips)

    assert first("nowhere", 0, (7,)) == "stake"
    assert first("nowhere", 1, (7,)) == "spot"
    assert first("banker", 501, (7,)) == "below-minimum"
    assert first("banker", 600_001, (7,)) == "above-maximum"
    assert first("banker", 1001, (7,)) == "step"
    assert first("banker", 1100, (7,)) == "chips"
    assert first("banker", 1100, (1000, 100)) == "combination"
    rules = changed("punto-banco", ("[drawing]", "differential = 100\n\n[drawing]"))
    assert first("banker", 1100, None) == "differential"
    rules = game()
    assert first("banker", 1100, None) == "bankroll"


def test_where_bets_are_judged_at_the_close_only_stake_and_bankroll_count_before() -> None:
    rules = game("ktane")
    assert say("nowhere", 1, rules=rules) is None
    assert say("banker", 10**8, rules=rules, standing=[Stake("player", 1000)]) is None
    assert say("banker", 10**8, rules=rules, bankroll=1000) == "bankroll"
    assert say("banker", 1.5, rules=rules) == "stake"


@pytest.mark.parametrize(
    ("standing", "reason"),
    [
        ([], None),
        ([Stake("player", 1000)], None),
        ([Stake("player", 1000), Stake("tie", 100), Stake("player-pair", 100)], None),
        ([Stake("player", 1000), Stake("banker", 1000)], "combination"),
        ([Stake("tie", 100)], "combination"),
        ([Stake("player", 900)], "below-minimum"),
        ([Stake("player", 100_100)], "above-maximum"),
        ([Stake("player", 1050)], "step"),
        # A tenth of the table's maximum.
        ([Stake("player", 1000), Stake("tie", 10_000)], None),
        ([Stake("player", 1000), Stake("tie", 10_100)], "above-maximum"),
        ([Stake("player", 1000), Stake("dragon-7", 100)], "spot"),
        ([Stake("player", 1000, (300, 700))], "chips"),
        ([Stake("player", 1000, (100,) * 10)], None),
        ([Stake("player", 3000, (2500, 500))], None),
    ],
)
def test_a_set_at_the_close(standing: list[Stake], reason: str | None) -> None:
    rules = game("ktane")
    limits = resolve_limits(rules.rules)
    assert judge_set(rules, limits, standing) == reason


def test_a_set_at_the_close_against_exclusive_lists_and_the_differential() -> None:
    rules = changed(
        "ktane",
        ("exclusive = []", 'exclusive = [["tie", "player-pair"]]'),
        ("[drawing]", "differential = 1000\n\n[drawing]"),
    )
    limits = resolve_limits(rules.rules)
    both = [Stake("player", 1000), Stake("tie", 100), Stake("player-pair", 100)]
    assert judge_set(rules, limits, both) == "combination"
    one = both[:2]
    assert judge_set(rules, limits, one, 2000, 1000) is None
    assert judge_set(rules, limits, one, 2100, 1000) == "differential"
    assert judge_set(rules, limits, one, 1000, 2100) == "differential"


def test_a_share_is_of_the_maximum_that_the_table_has() -> None:
    rules = game("ktane").rules
    limits = resolve_limits(rules)
    assert limits.spots["tie"] == SpotLimits(100, 10_000, 100)
    placard = {name: SpotLimits(500, 25_700, 100) for name in ("player", "banker")}
    limits = resolve_limits(rules, placard)
    assert limits.spots["player"] == SpotLimits(500, 25_700, 100)
    # 2570, rounded down to the step.
    assert limits.spots["tie"] == SpotLimits(100, 2500, 100)
    assert resolve_limits(rules, {"tie": SpotLimits(1, 7, 2)}).spots["tie"] == SpotLimits(1, 7, 2)


def test_limits_without_wishes_are_the_rule_sets() -> None:
    limits = resolve_limits(game().rules)
    assert limits.spots["banker"] == SpotLimits(1000, 500_000, 100)
    assert limits.differential is None
    assert list(limits.spots) == list(game().rules.spots)
    assert resolve_limits(game().rules, None, 5000).differential == 5000


@pytest.mark.parametrize(
    ("overrides", "differential", "what"),
    [
        ({"dragon-7": SpotLimits(1, 2, 1)}, None, "no spot of punto-banco; use one of: player"),
        ({"tie": SpotLimits(0, 2, 1)}, None, "limits of tie"),
        ({"tie": SpotLimits(1, 2, 0)}, None, "limits of tie"),
        ({"tie": SpotLimits(3, 2, 1)}, None, "limits of tie"),
        ({"tie": SpotLimits(-3, -2, 1)}, None, "limits of tie"),
        ({"tie": SpotLimits(1, 2**53, 1)}, None, "limits of tie"),
        (None, 0, "no table differential"),
        (None, -1, "no table differential"),
        (None, 2**53, "no table differential"),
    ],
)
def test_limits_that_make_no_sense(
    overrides: dict[str, SpotLimits] | None, differential: int | None, what: str
) -> None:
    with pytest.raises(InputError, match=what):
        resolve_limits(game().rules, overrides, differential)


STAKES = st.one_of(
    st.integers(), st.floats(), st.text(max_size=3), st.booleans(), st.none(), st.just(1000)
)
SPOTS = st.one_of(st.sampled_from(["player", "banker", "tie", "player-pair"]), st.text(max_size=3))


@given(
    name=st.sampled_from(["punto-banco", "ktane", "yaba4", "buti-1990"]),
    spot=SPOTS,
    stake=STAKES,
    chips=st.none() | st.lists(st.integers(-1000, 1000), max_size=3).map(tuple),
    standing=st.lists(st.builds(Stake, SPOTS, st.integers(1, 10**6)), max_size=3),
)
def test_no_command_can_break_the_judge(
    name: str,
    spot: str,
    stake: object,
    chips: tuple[int, ...] | None,
    standing: list[Stake],
) -> None:
    rules = game(name)
    reason = say(spot, stake, rules=rules, standing=standing, chips=chips)
    judge_set(rules, resolve_limits(rules.rules), standing)
    if reason is None and rules.rules.judged == "on-arrival":
        bounds = resolve_limits(rules.rules).spots[spot]
        assert isinstance(stake, int)
        assert bounds.minimum <= stake <= bounds.maximum
        assert stake % bounds.step == 0
