"""What bets can come to in any one round: against random rounds, and worked out by hand."""

from __future__ import annotations

import random

import pytest

from schemas.cards import DECK
from schemas.ruleset import named, parse, published
from services.baccarat import Game, compile_rules
from services.baccarat.possible import Span, net_of, possible, spans


def game_of(name: str) -> Game:
    return compile_rules(parse(named(name).text))


@pytest.mark.parametrize("name", published())
def test_any_round_that_is_dealt_is_one_of_them(name: str) -> None:
    game = game_of(name)
    kinds = possible(game)
    draw = random.Random(name)  # noqa: S311 - any cards will do
    for _ in range(300):
        cards = draw.sample(DECK * game.rules.decks, 6)
        player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
        rest = iter(cards[4:])
        while side := game.next_draw(player, banker):
            (player if side == "player" else banker).append(next(rest))
        assert game.result(player, banker) in kinds


def test_each_of_them_can_be() -> None:
    kinds = possible(game_of("punto-banco"))
    assert all(kind.player_pair or not kind.player_suited for kind in kinds)
    assert {kind.winner for kind in kinds} == {"player", "banker", "tie"}
    # a natural is two cards each; a player who stood on seven meets a banker of three cards
    assert not any(kind.natural and kind.player_cards + kind.banker_cards != 4 for kind in kinds)
    assert any(kind.player_cards == 2 and kind.banker_cards == 3 for kind in kinds)
    one_deck = possible(game_of("ktane"))
    assert not any(kind.player_suited or kind.banker_suited for kind in one_deck)
    assert any(kind.player_pair for kind in one_deck)


def test_one_bet() -> None:
    game = game_of("punto-banco")
    assert spans(game, [("player", 2500)]) == [
        Span("banker", -2500, -2500),
        Span("player", 2500, 2500),
        Span("tie", 0, 0),
    ]
    assert spans(game, [("banker", 1900)]) == [
        Span("banker", 1805, 1805),
        Span("player", -1900, -1900),
        Span("tie", 0, 0),
    ]


def test_bets_together_are_priced_in_one_round() -> None:
    game = game_of("punto-banco")
    assert spans(game, [("player", 1000), ("tie", 500)]) == [
        Span("banker", -1500, -1500),
        Span("player", 500, 500),
        Span("tie", 4000, 4000),
    ]
    # eleven to one, whoever wins: pairs come or do not
    assert spans(game, [("player-pair", 100)]) == [
        Span("banker", -100, 1100),
        Span("player", -100, 1100),
        Span("tie", -100, 1100),
    ]


def test_what_cannot_come_together_is_not_added_up() -> None:
    """A banker's 6 pays half on the hand (the odd cent: down) and 12 to 1 on Super 6."""
    game = game_of("no-commission-six")
    by_winner = {span.winner: span for span in spans(game, [("banker", 1001), ("super-6", 100)])}
    assert by_winner["banker"] == Span("banker", 901, 1700)
    assert by_winner["player"].most == by_winner["player"].least == -1101


def test_a_bets_net_in_a_round_is_what_it_is_settled_at() -> None:
    game = game_of("punto-banco")
    result = game.result(["9H", "KS"], ["2C", "3D"])
    assert net_of(game, [("player", 1000), ("banker", 500), ("tie", 100)], result) == 400
