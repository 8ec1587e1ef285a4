"""Rule sets as data: the model that every published TOML file fits. Settles and draws nothing.

Nothing in Python names a rule set: a house that plays otherwise writes another file. Lists by
total or value run from 0; lists by rank run ``A23456789TJQK``. Money is minor units.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import Final, Literal

import msgspec

from schemas.address import is_name
from schemas.cards import MOST_DECKS
from schemas.errors import InputError
from schemas.events import RuleText
from schemas.money import Amount, Count, Direction, parse_fraction
from schemas.outcomes import Winner
from schemas.toml_text import read_toml

Side = Literal["player", "banker"]
TOTALS: Final = 10
RANKS: Final = 13
#: A seed gives numbers below this at most (``specs/baccarat-shoe-v1.md``, step 7).
MOST_CHOICES: Final = 1 << 16
_MEND: Final = "see schemas/published/ruleset.json"


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ground of every part of a rule set."""


class Drawing(_Part, frozen=True):
    """Who draws. ``deal`` is the order of the first four cards.

    Neither hand draws when a first total is in ``naturals``. The player draws when his first total
    is in ``player``. The banker draws when his first total is in ``banker_player_stood`` if the
    player stood, else when ``banker_chart[total]`` holds the value of the player's third card.
    """

    deal: tuple[Side, Side, Side, Side]
    naturals: tuple[Count, ...]
    player: tuple[Count, ...]
    banker_player_stood: tuple[Count, ...]
    banker_chart: tuple[tuple[Count, ...], ...]


class When(_Part, frozen=True):
    """A condition on a finished round: all that is given must hold; a list means any of these.

    ``margin`` is the distance between the totals, ``cards`` how many lie in both hands, ``natural``
    whether a first total ended the round; a pair is two first cards of one rank, suited also of
    one suit.
    """

    winner: tuple[Winner, ...] | None = None
    player_total: tuple[Count, ...] | None = None
    banker_total: tuple[Count, ...] | None = None
    player_cards: tuple[Count, ...] | None = None
    banker_cards: tuple[Count, ...] | None = None
    cards: tuple[Count, ...] | None = None
    margin: tuple[Count, ...] | None = None
    natural: bool | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    player_suited: bool | None = None
    banker_suited: bool | None = None


class Pay(_Part, frozen=True):
    """What a spot comes to ``when`` this holds: ``odds`` for a win, else a push or a loss."""

    when: When
    result: Literal["win", "push", "lose"] = "win"
    odds: str | None = None


class SpotRules(_Part, frozen=True):
    """A spot: the first of ``pays`` that holds decides, and none of them means lost.

    ``main`` spots are the hands. The maximum is an amount, or a share of the main spots' maximum.
    """

    main: bool
    pays: tuple[Pay, ...]
    minimum: Amount
    step: Amount
    maximum: Amount | None = None
    maximum_share: str | None = None


class Rounding(_Part, frozen=True):
    """How a fraction becomes whole: to a multiple of ``unit`` minor units."""

    unit: Amount
    direction: Direction


class Commission(_Part, frozen=True):
    """What the house keeps of won bets on ``spots``: ``rate`` of the winnings or of the stake."""

    spots: tuple[str, ...]
    rate: str
    on: Literal["winnings", "stake"]
    minimum: Amount
    rounding: Rounding
    collected: Literal["each-hand", "shoe-end"]


class Together(_Part, frozen=True):
    """Which bets one bettor may hold in one round: at most one of each ``exclusive`` list."""

    exactly_one_main: bool
    exclusive: tuple[tuple[str, ...], ...]


class Burn(_Part, frozen=True):
    """The first card is burned face up, then as many face down as ``counts`` gives its rank."""

    counts: tuple[Count, ...]


class CutCard(_Part, frozen=True, tag_field="kind", tag="cut-card"):
    """A cut card lies ``from_end`` cards from the end of the shoe.

    When it comes out, the hand in play is finished and ``hands_after`` more are dealt; if it comes
    out in place of a hand's first card, that hand is the last (``first_card_is_last``) or counts as
    the hand in play.
    """

    from_end: Count
    hands_after: Count
    first_card_is_last: bool


class CardsLeft(_Part, frozen=True, tag_field="kind", tag="cards-left"):
    """The shoe ends at a round's end with this many cards or fewer left."""

    at_most: Count


class Drawn(_Part, frozen=True, tag_field="kind", tag="drawn"):
    """As ``CardsLeft``, the number being ``least`` + a number below ``choices`` from the seed."""

    label: str
    least: Count
    choices: Count


class Rounds(_Part, frozen=True, tag_field="kind", tag="rounds"):
    """The shoe ends after this many rounds."""

    rounds: Count


Ending = CutCard | CardsLeft | Drawn | Rounds


class RuleSet(_Part, frozen=True):
    """A whole rule set. ``round_needs`` cards must be left for another round to be opened.

    ``void_after_card`` names the reasons for which a round may be voided once a card is out.
    ``misdraw`` says what becomes of a card drawn in error. ``judged`` says when bets are.
    """

    name: str
    title: str
    source: str
    decks: Count
    currency: str
    values: tuple[Count, ...]
    drawing: Drawing
    spots: dict[str, SpotRules]
    rounding: Rounding
    together: Together
    ending: Ending
    round_needs: Count
    judged: Literal["on-arrival", "at-close"]
    misdraw: Literal["annul-and-burn", "banker-or-next-hand", "dummy-hand"]
    void_after_card: tuple[str, ...]
    commission: Commission | None = None
    burn: Burn | None = None
    chips: tuple[Amount, ...] | None = None
    differential: Amount | None = None

    def __post_init__(self) -> None:
        """Refuse what no table could play."""
        _check(self)


def _check(rules: RuleSet) -> None:
    drawing = rules.drawing
    spots = set(rules.spots)
    totals = (drawing.naturals, drawing.player, drawing.banker_player_stood)
    faults = {
        "the name is no name": not is_name(rules.name),
        f"decks must be 1 to {MOST_DECKS}": not 1 <= rules.decks <= MOST_DECKS,
        "values must be 13 numbers from 0 to 9": len(rules.values) != RANKS
        or max(rules.values) >= TOTALS,
        "banker_chart must have 10 rows": len(drawing.banker_chart) != TOTALS,
        "totals and third cards run from 0 to 9": any(
            number >= TOTALS for row in (*totals, *drawing.banker_chart) for number in row
        ),
        "deal must give each hand two cards": sorted(drawing.deal)
        != ["banker"] * 2 + ["player"] * 2,
        "burn counts must be 13 numbers": rules.burn is not None
        and len(rules.burn.counts) != RANKS,
        "commission names a spot that there is not": rules.commission is not None
        and not spots.issuperset(rules.commission.spots),
        "together names a spot that there is not": not all(
            spots.issuperset(names) for names in rules.together.exclusive
        ),
        "there must be a main spot with a maximum": not any(
            spot.main and spot.maximum is not None for spot in rules.spots.values()
        ),
        "chips must rise": rules.chips is not None
        and list(rules.chips) != sorted(set(rules.chips)),
        "a drawn ending has 1 to 65536 choices": isinstance(rules.ending, Drawn)
        and not 1 <= rules.ending.choices <= MOST_CHOICES,
        "a drawn ending's label must be ASCII": isinstance(rules.ending, Drawn)
        and not rules.ending.label.isascii(),
        "rounding units must be positive": rules.rounding.unit < 1
        or (rules.commission is not None and rules.commission.rounding.unit < 1),
    }
    for name, spot in rules.spots.items():
        faults[f"spot {name}: give a maximum or a maximum_share"] = (spot.maximum is None) == (
            spot.maximum_share is None
        )
        faults[f"spot {name}: the minimum is above the maximum"] = (
            spot.maximum is not None and spot.minimum > spot.maximum
        )
        faults[f"spot {name}: minimum and step must be positive"] = min(spot.minimum, spot.step) < 1
        faults[f"spot {name}: a win needs odds, nothing else has them"] = any(
            (pay.result == "win") != (pay.odds is not None) for pay in spot.pays
        )
    for fault, found in faults.items():
        if found:
            raise ValueError(fault)
    for spot in rules.spots.values():
        for text in (spot.maximum_share, *(pay.odds for pay in spot.pays)):
            if text is not None:
                parse_fraction(text)
    if rules.commission is not None:
        parse_fraction(rules.commission.rate)


def sha256_of(text: str) -> str:
    """Hash a rule set's text as ``shoe.opened`` states it."""
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def parse(text: str) -> RuleSet:
    """Read a rule set's TOML text, or say in one line what is wrong with it."""
    plain = read_toml(text, "rule set", _MEND)
    try:
        return msgspec.convert(plain, RuleSet)
    except (msgspec.ValidationError, ValueError, InputError) as error:
        raise InputError(str(error), "rule set", _MEND) from None
    except RecursionError:
        raise InputError("nested too deeply", "rule set") from None


@cache
def published() -> dict[str, RuleText]:
    """Every published rule set by name, as it goes into ``shoe.opened``."""
    found: dict[str, RuleText] = {}
    folder = resources.files("schemas") / "rulesets"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            text = file.read_text(encoding="utf-8")
            name = file.name.removesuffix(".toml")
            found[name] = RuleText(name, sha256_of(text), text)
    return found


def named(name: str) -> RuleText:
    """Give a published rule set, or say which there are."""
    sets = published()
    if name not in sets:
        mend = "use one of: " + ", ".join(sets)
        raise InputError(f"{name[:40]!r} is no published rule set", mend=mend)
    return sets[name]
