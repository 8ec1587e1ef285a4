"""Scripted bettors: read events and outcomes, send commands; see no hidden card."""

from services.bettors.config import parse_flat, parse_seats, parse_systems
from services.bettors.deciding import deciding_card
from services.bettors.decks import read_deck
from services.bettors.scenario import load_scenario, shipped, shipped_deck
from services.bettors.systems import LEAVE, Coup, System, View, Wish
from services.bettors.table import BettorsFold, Seat, simulated_client_seed

__all__ = [
    "LEAVE",
    "BettorsFold",
    "Coup",
    "Seat",
    "System",
    "View",
    "Wish",
    "deciding_card",
    "load_scenario",
    "parse_flat",
    "parse_seats",
    "parse_systems",
    "read_deck",
    "shipped",
    "shipped_deck",
    "simulated_client_seed",
]
