"""Disputes and their evidence as people read them, on a terminal. Decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from services.baccarat import net
from services.cli import output
from services.cli.compared_shown import hand

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schemas.disputes import Clip
    from services.cli.dispute_evidence import BetLine, DisputeShown, Evidence
    from services.cli.dispute_proof import Proof
    from services.disputes import Adjusted

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_WON: Final = {"player": "had the player won", "banker": "had the banker won", "tie": "in a tie"}
_STATES: Final = {
    "unsealed": "this log is not sealed",
    "good": "signed by a key that is known here, and the log's root agrees",
    "unknown-key": "the log's root agrees; who signed it is not checked: give --key",
    "not-covered": "what was signed so far does not reach this round",
    "bad": "the seal does not hold",
}


def age(seconds: int) -> str:
    """Spell a time span in its two largest units: ``3 d 4 h``, ``2 h 5 min``, ``40 s``."""
    if seconds < _MINUTE:
        return f"{seconds} s"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min"
    if seconds < _DAY:
        return f"{seconds // _HOUR} h {seconds % _HOUR // _MINUTE} min"
    return f"{seconds // _DAY} d {seconds % _DAY // _HOUR} h"


def opened(one: DisputeShown, *, stream: bool) -> None:
    """Say that a dispute was opened."""
    held = "on the table's stream and in its file" if stream else "in the table's file alone"
    output.facts(
        f"Dispute {one.id} is open",
        {
            "round": one.at,
            "by": one.by,
            "claim": one.claim,
            "about": _about(one),
            **_clips(one.clips),
            "on record": held,
            "frozen": f"nothing from shoe {one.at.rpartition('#')[0]} on is trimmed",
        },
    )


def listed(found: Sequence[DisputeShown]) -> None:
    """Print a line each."""
    rows = [
        [one.id, one.at, one.status, age(one.seconds), one.by, one.bettor or "-", one.claim]
        for one in found
    ]
    if rows:
        head = ["id", "round", "status", "age", "by", "bettor", "claim"]
        output.table("Disputes", head, rows)
    else:
        output.note("There are no disputes.")


def resolved(one: DisputeShown, moved: Adjusted | None, *, stream: bool) -> None:
    """Say how a dispute was resolved, and what becomes of its money."""
    done = one.resolution
    if done is None:
        return
    money = {} if done.adjustment is None else {"adjustment": _adjustment(one, "")}
    if moved is not None:
        money["money"] = moved_words(moved, stream=stream)
    output.facts(
        f"Dispute {one.id} is resolved",
        {"round": one.at, "by": done.by, "finding": done.finding, **_clips(done.clips), **money},
    )


def moved_words(moved: Adjusted, *, stream: bool = True) -> str:
    """Say what became of an adjustment."""
    if moved.state == "said":
        return f"money.adjusted at {moved.at}"
    if moved.state == "refused":
        return f"refused by the dealer: {moved.reason}"
    if not stream:
        return "not asked of the dealer yet: say it again with SHOETRAIL_REDIS_URL set"
    return f"waits with the dealer for the next shoe ({moved.command}); say it again to look"


def page(found: Evidence) -> None:
    """Print the evidence."""
    currency = found.facts.currency
    output.facts(f"Dispute {found.dispute.id}: {found.dispute.status}", dispute_facts(found))
    output.facts("The round", round_facts(found))
    rows = [[one.at, one.hand, one.card, str(one.position), one.reason] for one in found.cards]
    output.table("Cards", ["at", "hand", "card", "position", "reason"], rows)
    output.facts("Result", result_facts(found))
    if found.bets:
        output.table("Bets", BET_HEAD, (bet_row(one, currency) for one in found.bets))
    if found.settlements:
        output.table("Settlements", PAID_HEAD, paid_rows(found))
    _verdict(found)
    if found.worth is None:
        output.note("What the claim would be worth is not known: it names no bettor (--bettor).")
    else:
        output.table(
            f"What the claim would be worth to {found.worth.bettor}",
            ["", "net", "more than was paid"],
            worth_rows(found),
        )
    if found.proof is not None:
        output.facts("Proof", proof_facts(found.proof))


def _verdict(found: Evidence) -> None:
    output.facts("Verdict", verdict_facts(found))
    if found.verdict is not None and found.verdict.findings:
        rows = finding_rows(found)
        output.table("Findings of this round", FINDING_HEAD, rows)


BET_HEAD: Final = ["at", "time", "bettor", "answer", "spot", "stake", "reason", "bet"]
PAID_HEAD: Final = [
    "bettor", "spot", "stake", "result", "odds", "won", "commission", "returned", "net",
]  # fmt: skip
FINDING_HEAD: Final = ["code", "at", "grade", "expected", "actual", "amount", "rule"]


def dispute_facts(found: Evidence) -> dict[str, str]:
    """Say what is claimed, by whom, and how it was resolved."""
    one, currency = found.dispute, found.facts.currency
    facts = {
        "round": one.at,
        "opened": f"{one.opened} ({_lasting(one)})",
        "by": one.by,
        "claim": one.claim,
        "about": _about(one, currency),
        **_clips(one.clips),
    }
    done = one.resolution
    if done is not None:
        facts |= {
            "resolved": f"{done.time} by {done.by}",
            "finding": done.finding,
            "adjustment": _adjustment(one, currency),
            **{f"finding's {name}": value for name, value in _clips(done.clips).items()},
        }
        if done.adjustment is not None:
            facts["money moved at"] = done.adjusted_at or "not on record yet"
    return facts


def round_facts(found: Evidence) -> dict[str, str]:
    """Say where, when and by whom the round was played."""
    facts = found.facts
    seats = ", ".join(f"{number} {name}" for name, number in facts.seats.items())
    return {
        "rules": f"{facts.rules} (SHA-256 {facts.rules_sha256})",
        "dealer": facts.dealer,
        "seats": seats or "nobody sat",
        "opened": facts.opened,
        "betting closed": facts.closed or "-",
        "settled": facts.settled or "-",
        "software": facts.software,
    }


def result_facts(found: Evidence) -> dict[str, str]:
    """Say what the round came to, by the resolver, and why no further card was drawn."""
    return {
        "player": hand(found.player),
        "banker": hand(found.banker),
        "winner": found.winner,
        "no further card": found.ended,
    }


def bet_row(one: BetLine, currency: str) -> list[str]:
    """Spell what a bettor asked for and got."""
    stake = "-" if one.stake is None else output.money(one.stake, currency)
    time = one.time[11:19]
    said = [one.spot or "-", stake, one.reason or "-", one.bet or "-"]
    return [one.at, time, one.bettor, one.answer, *said]


def paid_rows(found: Evidence) -> list[list[str]]:
    """Spell the settlements."""
    currency = found.facts.currency
    rows = []
    for one in found.settlements:
        amounts = (one.won, one.commission, one.returned, net(one))
        told = [output.money(amount, currency) for amount in amounts]
        stake = output.money(one.stake, currency)
        rows.append([one.bettor, one.spot, stake, one.result, one.odds or "-", *told])
    return rows


def verdict_facts(found: Evidence) -> dict[str, str]:
    """Say what the auditor says."""
    verdict = found.verdict
    if verdict is None:
        return {"auditor": "the log is not on this disk, so it was not audited"}
    elsewhere = f"{verdict.elsewhere} faults elsewhere" if verdict.elsewhere else "no other fault"
    return {"this round": verdict.round, "the whole shoe": f"{verdict.shoe}, {elsewhere}"}


def finding_rows(found: Evidence) -> list[list[str]]:
    """Spell what the auditor found of the round."""
    if found.verdict is None:
        return []
    currency = found.facts.currency
    return [
        [one.code, one.at, one.grade, one.expected, one.actual,
         output.money(one.amount, currency), one.rule]
        for one in found.verdict.findings
    ]  # fmt: skip


def worth_rows(found: Evidence) -> list[list[str]]:
    """Spell what the claim would be worth: a label, the net, and how much more that is."""
    worth, currency = found.worth, found.facts.currency
    if worth is None:
        return []

    def row(label: str, *nets: int) -> list[str]:
        ends = sorted(set(nets))
        spelled = " to ".join(output.money(one, currency) for one in ends)
        more = " to ".join(output.money(one - worth.paid, currency) for one in ends)
        return [label, spelled, more]

    bets = " + ".join(f"{output.money(bet.stake, currency)} on {bet.spot}" for bet in worth.bets)
    other = found.dispute.spot is not None or found.dispute.stake is not None
    claimed = f"as claimed ({bets or 'no bet'})" if other else "these bets"
    rows = [row("as it was paid", worth.paid)]
    if worth.due is not None:
        rows.append(row("as the rules pay it on these cards", worth.due))
    if worth.claimed is not None and other:
        rows.append(row(f"{claimed}, on these cards", worth.claimed))
    rows += [row(f"{claimed}, {_WON[one.winner]}", one.least, one.most) for one in worth.outcomes]
    rows.append(row("at most", worth.most + worth.paid))
    return rows


def proof_facts(proof: Proof) -> dict[str, str]:
    """Say what proves the round."""
    facts = {
        "log": proof.log,
        "SHA-256": proof.sha256,
        "lines": f"{proof.first_line} to {proof.last_line} of {proof.lines}",
        "root": proof.root,
        "seal": _STATES[proof.state] + (f": {proof.why}" if proof.why else ""),
    }
    if proof.origin is not None:
        facts["signed"] = f"{proof.size} lines of {proof.origin} by {', '.join(proof.signed_by)}"
    return facts


def _lasting(one: DisputeShown) -> str:
    return f"for {age(one.seconds)}" if one.status == "open" else f"open for {age(one.seconds)}"


def _about(one: DisputeShown, currency: str = "") -> str:
    stake = "" if one.stake is None else f"{_amount(one.stake, currency)} "
    terms = f", claimed: {stake}on {one.spot or 'its spot'}" if one.spot or one.stake else ""
    whose = one.bet or one.bettor or "nobody's money in particular"
    return f"{whose}{terms}"


def _adjustment(one: DisputeShown, currency: str) -> str:
    money = None if one.resolution is None else one.resolution.adjustment
    if money is None:
        return "none"
    return f"{_amount(money.amount, currency)} to {money.bettor}, for {money.bet or one.at}"


def _amount(amount: int, currency: str) -> str:
    return output.money(amount, currency) if currency else f"{amount} minor units"


def _clips(clips: Iterable[Clip]) -> dict[str, str]:
    return {
        f"clip {number}": f"{one.name}, {one.size} bytes, SHA-256 {one.sha256}"
        for number, one in enumerate(clips, 1)
    }
