"""What fields of the board's JSON mean where their names do not say it, for OpenAPI. Data only."""

from __future__ import annotations

from typing import Final

_CELLS: Final = (
    "Cells [column, row, colour] of the derived road, in the order of entry; columns and rows count"
    " from 0; colour is R (red: it repeats) or B (blue: it does not)."
)
_BIG: Final = (
    "Cells [column, row, side, ties] of the big road; columns and rows count from 0, side is B or"
    " P, ties is how many ties came after it (before it too, on the first cell)."
)
_LAMP: Final = (
    "What an audit of the shoe came to. none: nobody has audited it; open: rounds were, and none"
    " failed, but there is no verdict of the shoe; pass, fail: the verdict; a failed round fails it"
    " at once."
)
_PHASE: Final = (
    "betting: bets are taken; closed: no more, no card is out; dealing: cards are falling; dealt:"
    " the last has fallen; settled: the resolver has said who won; voided: it is as if it had not"
    " been; halted: the resolver could not go on."
)
_CUT_CARD: Final = "The position, from 0, of the first card behind the cut card; null: none."
_MINOR: Final = "In minor units of the shoe's currency."
_COMMISSION: Final = "Commission on it, in minor units."
_AT: Final = "The entry's address: T7/12-45 an event, T7/12#17 an outcome, T7:3 a dispute."

#: By shape and field.
MEANS: Final[dict[str, dict[str, str]]] = {
    "Reason": {
        "why": (
            "first: one of the first four cards; natural: eight or nine, both stand;"
            " player-draws, player-stands: by the player's total;"
            " banker-draws-stood, banker-stands-stood: by the banker's total, the player stood;"
            " banker-draws-third, banker-stands-third: by the banker's total and the player's third"
            " card; complete: all cards are out; error: drawn in error; unknown: the record does"
            " not say."
        ),
        "player": "The total of the player's first two cards; null where it plays no part.",
        "banker": "The total of the banker's first two cards; null where it plays no part.",
        "third": "The player's third card, where the banker goes by it.",
    },
    "CardShape": {
        "hand": "player or banker; error: put aside, drawn in error.",
        "card": "Rank and suit: AS, TH (a ten), KD, QC.",
        "position": "The card's place in the shoe, from 0.",
        "at": _AT,
        "total": "Its hand's total after it; null where the rules cannot be read.",
        "reason": "Why it was drawn.",
    },
    "RoundShape": {
        "phase": _PHASE,
        "next": "The hand that the next card goes to; null where none falls.",
        "next_why": "Why the next card goes there, or why none falls; null once voided or halted.",
        "house": "The house's net, in minor units; null until the outcome is there, and in public.",
        "bets_more": "So many bets are left out here: the round's own address has all.",
        "reason": "Why it was voided or halted.",
        "at": _AT,
    },
    "BetShape": {
        "stake": _MINOR + " Null where what was refused named none.",
        "net": "What the bettor won or lost by it, in minor units; null until settled.",
        "won": "What it won beside the stake, before commission, in minor units.",
        "commission": _COMMISSION,
        "returned": "What of the stake came back, in minor units.",
        "odds": "What it was paid at, as the rules spell it.",
        "refusal": "Why it was refused.",
    },
    "ResultShape": {
        "at": _AT,
        "cards": "How many cards fell.",
        "corrected": "Money was moved after it was settled.",
        "disputed": "open while a dispute of it is undecided; null: never disputed.",
        "verdict": "The round's own verdict; null: not audited yet.",
    },
    "SeatShape": {
        "bankroll": _MINOR,
        "owed": "Commission marked and not collected yet, in minor units.",
    },
    "AskedShape": {
        "big_eye": "R (red) or B (blue); null: no mark.",
        "small": "R (red) or B (blue); null: no mark.",
        "cockroach": "R (red) or B (blue); null: no mark.",
    },
    "RoadsShape": {
        "bead": "A letter a round: B banker, P player, T tie.",
        "big": _BIG,
        "big_eye": _CELLS,
        "small": _CELLS,
        "cockroach": _CELLS,
        "waiting": "Ties before the first win, which wait for its cell.",
        "if_banker": "The next marks of the derived roads if the banker wins.",
        "if_player": "The next marks of the derived roads if the player wins.",
    },
    "TallyShape": {
        "run": "How many times in a row run_side has won; ties do not break it.",
        "void": "Rounds that were voided.",
    },
    "LeftShape": {
        "ranks": "How many cards of each rank (A to K) were not seen; null: nobody knows.",
        "unseen": "How many cards were not seen, those burned face down among them.",
        "face_down": "How many of them were burned face down.",
        "running_count": (
            "The running count of BACCARAT 3.00 (1990), from 14: shown 2 and 5 add 1, 3 adds 2, 4"
            " adds 3, ten to king and 8 take 1, 9 takes 2."
        ),
    },
    "AdjustmentShape": {
        "round": "The round's address.",
        "amount": "What the bettor got (below zero: gave), in minor units.",
    },
    "ShoeShape": {
        "lamp": _LAMP,
        "cards": "How many cards it holds; null: stacked, and not revealed yet.",
        "drawn": "How many cards have left it.",
        "cut_card": _CUT_CARD,
        "cut_card_out": "The position of the card before which the cut card came; null: not yet.",
        "origin": "Where the order comes from: seeded, fixed, ktane; unknown: it cannot be read.",
        "commitment": "The hash of the order or seed, said before the cut.",
        "root": "The Merkle root of its log, once audited whole (hex).",
        "previous_root": "The root of the table's last log, as this shoe says it.",
        "counts": "What it held, as its auditor says; null without a verdict.",
    },
    "ShoeRow": {"lamp": _LAMP},
    "Tile": {
        "lamp": _LAMP,
        "phase": _PHASE + " Null: no round yet.",
        "last": "The last letters, twelve at most: B banker, P player, T tie.",
        "big": _BIG + " Its last columns alone, counted from 0 again.",
        "cut_card": _CUT_CARD,
        "cards": "How many cards the shoe holds; null: not known.",
        "drawn": "How many cards have left the shoe.",
        "faults": "How many faults were found in the shoe.",
        "disputed": "How many disputes are undecided.",
    },
    "Finding": {
        "code": "What is wrong; docs/findings.md says what each code means.",
        "at": _AT,
        "amount": "What is at stake, in minor units, from the bettor's view.",
        "grade": "A fault fails the shoe; a notice is on the record only.",
    },
    "SpotOddsShape": {
        "edge": "The house's share of a stake, an exact fraction: 1/81.",
        "share": "The same as a number.",
    },
    "OtherBetShape": {
        "stake": _MINOR,
        "net": "The bettor's net as it was settled, in minor units; null: not yet.",
        "other": "The bettor's net by the other rules, in minor units; null: not offered.",
        "won": "By the other rules, before commission, in minor units.",
        "commission": _COMMISSION,
        "returned": "What of the stake would have come back, in minor units.",
    },
    "OtherShape": {
        "why_not": "unseen: it takes a card that nobody has seen yet; open: it is not settled.",
    },
    "TableMessage": {
        "at": _AT,
        "type": "The entry's type, card.drawn; unreadable where it cannot be read.",
        "said": "The entry's data, as /asyncapi describes it; null where it cannot be read.",
        "view": "The fields of the view that it changed, whole; no others.",
        "results": "Rows of the results to put in place, by round.",
    },
    "LobbyMessage": {
        "at": _AT,
        "type": "The entry's type.",
        "findings": "What this entry found that was not said before.",
    },
}
