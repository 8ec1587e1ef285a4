"""The evidence for a dispute as one HTML file: nothing is fetched or run, and it prints on A4.

Whatever came from anybody is escaped; the page has no script, and its policy allows none.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from html import escape
from importlib import resources
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from schemas.plain_text import clean
from services.cli import dispute_shown as shown
from services.cli.output import money

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from services.cli.dispute_evidence import CardLine, DisputeShown, Evidence

_SUITS: Final = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
_RED: Final = "DH"
_SIGN: Final = (
    '<div class="sign"><span>for the house</span><span>the claimant</span>'
    "<span>place and date</span></div>"
)
_FOOT: Final = (
    "<footer>Made by shoetrail from the replay log and the record of disputes. Amounts are as the "
    "bettor sees them; times are UTC.</footer>"
)


def page(found: Evidence) -> str:
    """Write the page."""
    style = resources.files("services.cli").joinpath("dispute.css").read_text("utf-8")
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    one = found.dispute
    body = [
        _header(found),
        _claim(one),
        _section("The dispute", _facts(_dispute_facts(found))),
        _section("The round", _round(found)),
        _section("Cards", _hands(found) + _cards(found)),
        _section("Bets", _bets(found)),
        _section("Settlements", _settlements(found)),
        _section("Verdict of the audit", _verdict(found)),
        _section("What the claim would be worth", _worth(found)),
        _section("Proof", _proof(found)),
        _SIGN,
        _FOOT,
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>Dispute {_text(one.id)}</title>\n<style>{style}</style></head>\n<body>\n"
        + "\n".join(part for part in body if part)
        + "\n</body></html>\n"
    )


def _header(found: Evidence) -> str:
    one = found.dispute
    return (
        f"<header><h1>Dispute {_text(one.id)}<small>round {_text(one.at)}</small></h1>"
        f'<span class="badge {one.status}">{one.status}</span></header>'
    )


def _claim(one: DisputeShown) -> str:
    cite = f"<cite>{_text(one.by)}, {_text(one.opened)}</cite>"
    return f"<blockquote>{_text(one.claim)}{cite}</blockquote>"


def _dispute_facts(found: Evidence) -> dict[str, str]:
    facts = shown.dispute_facts(found)
    for said_above in ("round", "by", "claim"):
        facts.pop(said_above)
    return facts


def _round(found: Evidence) -> str:
    facts = shown.round_facts(found)
    rules = _facts({"rules": facts.pop("rules")})
    told = list(facts.items())
    half = len(told) // 2
    return f'{rules}<div class="two">{_facts(dict(told[:half]))}{_facts(dict(told[half:]))}</div>'


def _hands(found: Evidence) -> str:
    parts = []
    for side, result in (("player", found.player), ("banker", found.banker)):
        won = " won" if found.winner == side else ""
        cards = " ".join(map(_card, result.cards)) or "no cards"
        total = f'<span class="total">{result.total}</span>' if result.cards else ""
        parts.append(f'<div class="hand{won}"><b>{side}</b>{cards}{total}</div>')
    return (
        f'<div class="hands">{"".join(parts)}</div>'
        f"<p>Winner: <b>{_text(found.winner)}</b>. No further card: {_text(found.ended)}.</p>"
    )


def _cards(found: Evidence) -> str:
    return _table(
        ["at", "time", "hand", "card", "position", "reason for the draw"],
        map(_card_row, found.cards),
        right={4},
    )


def _card_row(one: CardLine) -> list[str]:
    told = [_text(one.at), _text(one.time[11:19]), _text(one.hand)]
    return [*told, _card(one.card), str(one.position), _text(one.reason)]


def _card(card: str) -> str:
    rank, suit = card[0].replace("T", "10"), card[1]
    red = " red" if suit in _RED else ""
    return f'<span class="card{red}">{_text(rank)}{_SUITS.get(suit, "")}</span>'


def _bets(found: Evidence) -> str:
    rows = [shown.bet_row(one, found.facts.currency) for one in found.bets]
    mine = [one.bettor == found.dispute.bettor for one in found.bets]
    return _plain(shown.BET_HEAD, rows, right={5}, mine=mine)


def _settlements(found: Evidence) -> str:
    mine = [one.bettor == found.dispute.bettor for one in found.settlements]
    return _plain(shown.PAID_HEAD, shown.paid_rows(found), right={2, 5, 6, 7, 8}, mine=mine)


def _verdict(found: Evidence) -> str:
    facts = shown.verdict_facts(found)
    badge = ""
    if found.verdict is not None:
        state = found.verdict.round
        badge = f'<span class="badge {state}">{state}</span>'
    findings = ""
    if found.verdict is not None and found.verdict.findings:
        findings = _plain(shown.FINDING_HEAD, shown.finding_rows(found), right={5})
    return f'<div class="verdict">{badge}{_facts(facts)}</div>{findings}'


def _worth(found: Evidence) -> str:
    if found.worth is None:
        return "<p>Not known: the claim names no bettor.</p>"
    rows = shown.worth_rows(found)
    head = [f"the bets of {found.worth.bettor}", "net", "more than was paid"]
    most = money(found.worth.most, found.facts.currency)
    return f"<p>At most <b>{_text(most)}</b> more than was paid.</p>" + _plain(
        head, rows, right={1, 2}, last="sum"
    )


def _proof(found: Evidence) -> str:
    if found.proof is None:
        return "<p>The log is not on the disk that this page was made from.</p>"
    told = shown.proof_facts(found.proof)
    told["log"] = "/".join(PurePath(told["log"]).parts[-2:])  # where it lies is nobody's business
    facts = _facts(told, code=("SHA-256", "root", "signed"))
    texts = []
    if found.proof.checkpoint is not None:
        texts.append(f"<p>The signed checkpoint:</p><pre>{_block(found.proof.checkpoint)}</pre>")
    if found.proof.tlog_proof is not None:
        path = found.proof.tlog_proof.partition("\n\n")[0]
        texts.append(
            f"<p>The path from line {found.proof.proves} to its root (c2sp.org/tlog-proof):</p>"
            f'<pre class="path">{_block(path)}</pre>'
        )
    return facts + "".join(texts)


def _section(title: str, inside: str) -> str:
    return f"<section><h2>{_text(title)}</h2>{inside}</section>" if inside else ""


def _facts(facts: Mapping[str, str], code: Sequence[str] = ()) -> str:
    rows = []
    for name, value in facts.items():
        told = f"<code>{_text(value)}</code>" if name in code else _text(value)
        rows.append(f"<dt>{_text(name)}</dt><dd>{told}</dd>")
    return f"<dl>{''.join(rows)}</dl>"


def _plain(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: set[int],
    mine: Sequence[bool] = (),
    last: str = "",
) -> str:
    """Lay out a table of plain text; rows that are ``mine`` are marked, the last one as told."""
    if not rows:
        return ""
    kinds = ["mine" if is_mine else "" for is_mine in mine] or [""] * len(rows)
    if last:
        kinds[-1] = last
    return _table(head, ([_text(cell) for cell in row] for row in rows), right=right, kinds=kinds)


def _table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: set[int],
    kinds: Sequence[str] | None = None,
) -> str:
    """Lay out a table; its cells are HTML already."""

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(
            f'<{tag} class="n">{cell}</{tag}>' if place in right else f"<{tag}>{cell}</{tag}>"
            for place, cell in enumerate(row)
        )

    body = []
    for number, row in enumerate(rows):
        kind = kinds[number] if kinds else ""
        start = f'<tr class="{kind}">' if kind else "<tr>"
        body.append(f"{start}{cells('td', row)}</tr>")
    named = cells("th", [_text(name) for name in head])
    return f"<table><thead><tr>{named}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _block(text: str) -> str:
    return "\n".join(_text(line) for line in text.rstrip("\n").split("\n"))


def _text(text: str) -> str:
    """Escape what somebody wrote, wherever it stands; what cannot be seen is spelled out."""
    return escape(clean(text), quote=True)
