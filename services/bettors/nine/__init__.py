"""The nine betting systems of BACCARAT 3.00 (document B): pure, they see no card that is hidden."""

from services.bettors.nine.by_hand import Run, letters, play
from services.bettors.nine.catalogue import KINDS, Terms, make, settle
from services.bettors.nine.system import BettingSystem

__all__ = ["KINDS", "BettingSystem", "Run", "Terms", "letters", "make", "play", "settle"]
