"""Rule sets as data: what is published fits, and what no table could play is refused in a line."""

from __future__ import annotations

import hashlib
import random
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.address import is_name
from schemas.errors import InputError
from schemas.ruleset import RuleSet, named, parse, published, sha256_of

TEXT = named("punto-banco").text
NAMES = sorted(published())


@pytest.mark.parametrize("name", NAMES)
def test_a_published_set_is_what_its_file_says(name: str) -> None:
    told = published()[name]
    data = (resources.files("schemas") / "rulesets" / f"{name}.toml").read_bytes()
    rules = parse(told.text)
    assert isinstance(rules, RuleSet)
    assert told.name == rules.name == name
    assert is_name(name)
    assert told.text.encode() == data
    assert told.sha256 == hashlib.sha256(data).hexdigest() == sha256_of(told.text)
    assert parse(told.text) is rules


@pytest.mark.parametrize("name", NAMES)
def test_a_published_set_can_be_played(name: str) -> None:
    rules = parse(named(name).text)
    assert {"player", "banker"} <= {spot for spot, of in rules.spots.items() if of.main}
    for spot in rules.spots.values():
        assert spot.maximum is None or spot.maximum >= spot.minimum
        assert spot.minimum % spot.step == 0
    assert 4 <= rules.round_needs <= 6


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_from_the_document_is_marked(name: str) -> None:
    text = named(name).text
    assert "(silent)" in text
    assert parse(text).source


def test_a_set_that_is_not_published() -> None:
    with pytest.raises(InputError, match="'roulette' is no published rule set; use one of: buti"):
        named("roulette")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('name = "punto-banco"', 'name = "punto banco"', "the name is no name"),
        ("decks = 8", "decks = 0", "decks must be 1 to 16"),
        ("decks = 8", "decks = 17", "decks must be 1 to 16"),
        ("decks = 8", 'decks = "8"', "decks"),
        ("decks = 8", "decks = 8.5", "decks"),
        ("decks = 8", "decks = nan", "decks"),
        ("decks = 8", "deks = 8", "deks"),
        ("decks = 8", "decks = 8\ndecks = 8", "overwrite"),
        ("decks = 8", f"decks = {10**30}", "decks"),
        ("[1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]", "[1, 2, 3]", "values must be 13 numbers"),
        ("[1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]", "[]", "values must be 13 numbers"),
        ("8, 9, 0, 0, 0, 0]", "8, 9, 10, 0, 0, 0]", "values must be 13 numbers"),
        ("8, 9, 0, 0, 0, 0]", "8, 9, -1, 0, 0, 0]", "values"),
        ("  [], [],   ", "  [],   ", "banker_chart must have 10 rows"),
        ("naturals = [8, 9]", "naturals = [8, 10]", "totals and third cards run from 0 to 9"),
        ("  [6, 7], ", "  [6, 17], ", "totals and third cards run from 0 to 9"),
        (
            'deal = ["player", "banker", "player", "banker"]',
            'deal = ["player", "player", "player", "banker"]',
            "deal must give each hand two cards",
        ),
        ('deal = ["player", "banker", "player", "banker"]', 'deal = ["player"]', "deal"),
        ("10, 10, 10, 10]", "10, 10, 10]", "burn counts must be 13 numbers"),
        ('spots = ["banker"]', 'spots = ["dealer"]', "commission names a spot that there is not"),
        ("exclusive = []", 'exclusive = [["tie", "x"]]', "together names a spot that there is not"),
        ("maximum = 500000", 'maximum = 500000\nmaximum_share = "1/2"', "give a maximum or a"),
        ("minimum = 1000", "minimum = 0", "minimum and step must be positive"),
        ("minimum = 1000", "minimum = 500001", "the minimum is above the maximum"),
        ("step = 100", "step = 0", "minimum and step must be positive"),
        ('odds = "8/1"', 'odds = "16/2"', "not in lowest terms"),
        ('odds = "8/1"', 'odds = "8"', "is no fraction"),
        ('odds = "8/1"', 'result = "push", odds = "8/1"', "a win needs odds, nothing else has"),
        (', odds = "8/1"', "", "a win needs odds"),
        ('result = "push"', 'result = "draw"', "result"),
        ('winner = ["tie"]', 'winner = ["house"]', "winner"),
        ('rate = "1/20"', 'rate = "5%"', "is no fraction"),
        ('rate = "1/20"', "rate = 0.05", "rate"),
        ('on = "winnings"', 'on = "losses"', "on"),
        ("unit = 1\n", "unit = 0\n", "rounding units must be positive"),
        ('direction = "down" }', 'direction = "sideways" }', "direction"),
        ("[drawing]", "chips = [500, 100]\n\n[drawing]", "chips must rise"),
        ("[drawing]", "chips = [100, 100]\n\n[drawing]", "chips must rise"),
        ('kind = "cut-card"', 'kind = "never"', "never"),
        ('kind = "cut-card"\n', "", "kind"),
        ("from_end = 14", "from_end = -1", "from_end"),
        ("[ending]", "[ending", ""),
    ],
)
def test_what_no_table_could_play(old: str, new: str, says: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError) as caught:
        parse(TEXT.replace(old, new, 1))
    line = str(caught.value)
    assert line.startswith("rule set: ")
    assert says in line
    assert "\n" not in line


@pytest.mark.parametrize("choices", [0, 65537, 2**53 - 1])
def test_a_seed_gives_no_such_number(choices: int) -> None:
    text = named("buti-1990").text
    assert "choices = 15" in text
    parse(text.replace("choices = 15", "choices = 65536"))
    with pytest.raises(InputError, match="1 to 65536 choices"):
        parse(text.replace("choices = 15", f"choices = {choices}"))
    with pytest.raises(InputError, match="label must be ASCII"):
        parse(text.replace('label = "', 'label = "\u00e9'))


def test_a_text_that_would_only_cost_time() -> None:
    with pytest.raises(InputError, match="longer than 65536"):
        parse(TEXT + "#" * (1 << 16))
    with pytest.raises(InputError, match="more than 32 dots"):
        parse(TEXT + "\na" + ".a" * 33)
    parse(TEXT + "\n" + "# .\n" * 33)


def test_a_table_needs_a_main_spot_with_a_maximum() -> None:
    with pytest.raises(InputError, match="there must be a main spot with a maximum"):
        parse(TEXT.replace("main = true", "main = false"))


@pytest.mark.parametrize("text", ["", "x", "\0", "a = " + "[" * 10_000, "a = " + "{b=" * 5000])
def test_what_is_no_rule_set_at_all(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


@given(seed=st.integers(0, 2**32), name=st.sampled_from(NAMES))
def test_no_text_breaks_the_reader(seed: int, name: str) -> None:
    text = named(name).text
    chance = random.Random(seed)  # noqa: S311 - hypothesis gives the seed
    for _ in range(3):
        start = chance.randrange(len(text))
        end = start + chance.randrange(4)
        text = text[:start] + chance.choice(["", "0", "-", '"', "[", "]", "\n", "x"]) + text[end:]
    try:
        rules = parse.__wrapped__(text)
    except InputError as wrong:
        assert "\n" not in str(wrong)  # noqa: PT017 - both ends are allowed
    else:
        assert len(rules.values) == 13
