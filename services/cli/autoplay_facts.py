"""The lines about a table that plays itself: last hand, bet, count, profit. Pure; draws no card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from services.cli import output

if TYPE_CHECKING:
    from schemas.outcomes import RoundResolved
    from services.cli.autoplay_table import AutoTable

_RED: Final = frozenset("DH")
_SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_BECAME: Final = {"win": "won", "lose": "lost", "push": "came back", "void": "came back"}
_LABEL: Final = len("card count")
_CARDS: Final = len(" 10♥ 10♠ 4♠")


def facts(table: AutoTable, currency: str, *, hands: bool, count: bool) -> list[Text]:
    """Say how the game stands, a line each; ``hands``: their cards too, ``count``: the count."""
    figures, last = table.figures, table.last

    def money(amount: int) -> str:
        return output.money(amount, currency)

    lines = [] if last is None else [_hand(last, cards=hands), _bet(last, currency)]
    if count:
        lines.append(_fact("card count", f"{table.count.now:+d}"))
    won = f"banker {figures.banker:,} · player {figures.player:,} · tie {figures.ties:,}"
    bets = f"won {figures.won:,} · lost {figures.lost:,} · largest {money(figures.largest)}"
    net = f"{money(figures.net)}   best {money(figures.best)} · worst {money(figures.worst)}"
    return [*lines, _fact("hands", won), _fact("bets", bets), _fact("profit", net)]


def _fact(label: str, *parts: str | tuple[str, str]) -> Text:
    text = Text.assemble((f"{label:<{_LABEL}}  ", "cyan"), *parts)
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _hand(last: RoundResolved, *, cards: bool) -> Text:
    parts: list[str | tuple[str, str]] = []
    for side, hand in (("player", last.player), ("banker", last.banker)):
        parts.append(f"{side} {hand.total} ")
        if cards:
            shown = [f"{card[0].replace('T', '10')}{_SUITS[card[1]]}" for card in hand.cards]
            parts += [
                (f" {text}", "red" if card[1] in _RED else "")
                for text, card in zip(shown, hand.cards, strict=True)
            ]
            # As wide whether two or three cards lie there: the eye looks for them in one place.
            parts.append(" " * (_CARDS - sum(len(text) + 1 for text in shown)))
        parts.append("  ")
    won = "a tie" if last.winner == "tie" else f"{last.winner} wins"
    natural = ", natural" if last.natural and last.winner != "tie" else ""
    return _fact("last hand", *parts, (won + natural, "bold"))


def _bet(last: RoundResolved, currency: str) -> Text:
    told = [
        f"{output.money(one.stake, currency)} on {one.spot}, {_BECAME[one.result]}"
        for one in last.settlements
    ]
    return _fact("its bet", " · ".join(told) or "none")
