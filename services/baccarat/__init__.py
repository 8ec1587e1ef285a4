"""The pure rules core: drawing, settlement, roads, odds; no I/O, clock or asyncio."""

from services.baccarat.bets import Stake, judge, judge_set
from services.baccarat.bomb import bomb_deck, check_bomb, same_bomb
from services.baccarat.ending import ShoeProgress, burn_count, cut_card_index, shoe_over
from services.baccarat.game import Game, compile_rules, game_of
from services.baccarat.limits import placard, resolve_limits
from services.baccarat.module import Module, ModuleRound
from services.baccarat.result import RoundResult
from services.baccarat.settlement import house_net, net, void_settlement
from services.baccarat.values import total

__all__ = [
    "Game",
    "Module",
    "ModuleRound",
    "RoundResult",
    "ShoeProgress",
    "Stake",
    "bomb_deck",
    "burn_count",
    "check_bomb",
    "compile_rules",
    "cut_card_index",
    "game_of",
    "house_net",
    "judge",
    "judge_set",
    "net",
    "placard",
    "resolve_limits",
    "same_bomb",
    "shoe_over",
    "total",
    "void_settlement",
]
