// @ts-check
// What happened, in lists: rounds with their marks, findings, disputes, money moved afterwards.

import { column, sheet } from "./bets.js";
import { h, keyed, redraw, say } from "./dom.js";
import { mayBeHidden } from "./hidden.js";
import { bead, lampSign, marksOf, tag } from "./lamp.js";
import { options } from "./options.js";
import { address, isPublic, page } from "./place.js";
import { bdi } from "./shoe_head.js";
import { clock, codeName, moment, money, number, t, zone } from "./texts.js";

/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").Finding} Finding */

/**
 * What the auditor says of one round: `ok` (so far), `fail`, or `none` yet. A verdict of the whole
 * shoe is one of each round that it finds nothing in.
 * @param {Result | null} row
 * @param {string | undefined} lamp the shoe's
 * @param {readonly Finding[]} findings
 * @returns {"ok" | "fail" | "none"}
 */
export function auditOf(row, lamp, findings) {
  const number_ = row?.round;
  if (row?.verdict === "fail" || (row && findings.some((one) => one.round === number_ && one.grade === "fault"))) return "fail";
  return row?.verdict === "open" || lamp === "pass" || lamp === "fail" ? "ok" : "none";
}

const SIGNS = { ok: "pass", fail: "fail", none: "none" };

/** @param {"ok" | "fail" | "none"} audit */
export const auditSign = (audit) => h(`span.lamp.${SIGNS[audit]}`, { title: t(`audit.${audit}`) }, lampSign(SIGNS[audit]), h("span.word", {}, t(`audit.${audit}-short`)));

/**
 * Make the list of rounds; `newest` first and only so many, or all in order.
 * @param {string} table
 * @param {{newest?: number}} [how]
 */
export function resultsPanel(table, { newest = 0 } = {}) {
  const body = h("tbody", {});
  const element = sheet(t("results.title"), [column("results.round", "number"), column("results.winner", "won"), column("results.totals", "totals"), column("results.cards", "cards-count number"), column("results.marks", "marks"), column("results.audit", "audit"), h("th.time", { scope: "col" }, h("span", {}, ""))], body, newest ? "recent" : "whole");
  const time = element.querySelector("th.time span");
  /** @param {readonly Result[]} results @param {number} shoe @param {string | undefined} lamp @param {readonly Finding[]} findings */
  function update(results, shoe, lamp, findings) {
    if (time) say(time, t("results.time", { zone: zone() }));
    const rows = newest ? results.slice(-newest).reverse() : results;
    const language = options.lang;
    keyed(body, rows.map((row) => ({ ...row, language, shoe, audit: auditOf(row, lamp, findings) })), (row) => `${row.shoe}#${row.round}`, (row) =>
      h("tr", {},
        h("th.number", { scope: "row" }, h("a", { href: page.round(table, shoe, row.round), "aria-label": t("results.round-n", { n: row.round }) }, number(row.round))),
        h("td.won", {}, bead(row.winner), " ", h("span.word", {}, t(`wins.${row.winner}`))),
        h("td.totals.nowrap", {}, row.winner === "void" && row.cards === 0 ? "–" : t("results.totals-of", { player: row.player_total, banker: row.banker_total })),
        h("td.cards-count.number", {}, number(row.cards)),
        h("td.marks", {}, ...marksOf(row).flatMap((mark) => [tag(mark), " "])),
        h("td.audit.nowrap", {}, auditSign(row.audit)),
        h("td.time.nowrap.soft", {}, h("time", { datetime: row.time }, clock(row.time)))));
  }
  return { element, update };
}

/** @param {{grade: string}} finding */
export const grade = (finding) =>
  h(`span.grade.${finding.grade}`, {}, h("span.sign", { "aria-hidden": "true" }, finding.grade === "fault" ? "✕" : "!"), " ", t(`grade.${finding.grade}`));

/**
 * A finding, whole; or only that there is one, while it would tell of cards that are hidden. `show`: it may be asked for nevertheless.
 * @param {Finding} finding
 * @param {{table: string, shoe: number, currency: string | null, time?: string, show?: () => void}} of
 */
export function findingItem(finding, { table, shoe, currency, time, show }) {
  if (mayBeHidden(table, finding)) {
    return h("li.finding", { class: `finding ${finding.grade} veiled` },
      h("div.finding-head", {}, grade(finding), h("span", {}, t("find.hidden", { table, n: finding.round ?? 0 }))),
      show && h("div.finding-where", {}, h("button", { type: "button", on: { click: show } }, t("find.show"))));
  }
  const where = finding.round !== null
    ? h("a", { href: page.round(table, shoe, finding.round) }, t("find.where-shoe-round", { table, shoe, n: finding.round }))
    : h("a", { href: page.shoe(table, shoe) }, t("find.where-shoe", { table, shoe }));
  return h("li.finding", { class: `finding ${finding.grade}` },
    h("div.finding-head", {}, grade(finding), h("strong", {}, codeName(finding.code)), h("code", {}, finding.code)),
    h("div.finding-where", {}, where, h("span.soft", {}, finding.at), time && h("time.soft", { datetime: time }, moment(time))),
    h("dl.finding-told", {},
      h("div", {}, h("dt", {}, t("find.expected")), h("dd", {}, bdi(finding.expected))),
      h("div", {}, h("dt", {}, t("find.actual")), h("dd", {}, bdi(finding.actual))),
      finding.amount !== 0 && h("div", {}, h("dt", {}, t("find.amount")), h("dd.number", {}, money(finding.amount, currency, { sign: true }))),
      h("div", {}, h("dt", {}, t("find.rule")), h("dd", {}, bdi(finding.rule)))));
}

const HOW = "shoetrail audit LOG.jsonl";

/** Make the panel of a shoe's findings. @param {string} table */
export function findingsPanel(table) {
  const list = h("ol.findings", {});
  const none = h("p.soft.empty", {});
  const rest = h("p.soft", {});
  const element = h("div", {}, list, rest, none);
  /**
   * @param {readonly Finding[]} findings @param {number} shoe @param {string | null} currency
   * @param {string} audit how far it was audited: a lamp's word
   * @param {number} [more] so many before these are not among them
   */
  function update(findings, shoe, currency, audit, more = 0) {
    redraw(rest, [options.lang, table, shoe, more], () =>
      (more ? [h("a", { href: page.shoe(table, shoe) }, t("list.more", { count: number(more) }))] : []));
    const language = options.lang;
    const rows = findings.map((finding, index) => ({ finding, language, shoe, currency, index, hidden: mayBeHidden(table, finding) })).reverse();
    keyed(list, rows, (row) => `${row.finding.at} ${row.finding.code} ${row.index}`, (row) => findingItem(row.finding, { table, shoe, currency }));
    const said = { none: "find.unaudited", open: "find.none-yet" }[audit] ?? "find.none";
    redraw(none, [language, rows.length, said], () => (rows.length ? [] : [t(said), said === "find.unaudited" && " ", said === "find.unaudited" && h("code", {}, HOW)]));
  }
  return { element, update };
}

/** Make the panel of disputes, and of money that was moved afterwards. @param {string} table */
export function disputesPanel(table) {
  const element = h("div.disputes", {});
  /** @param {string} at */
  const link = (at) => {
    const place = address(at);
    return place?.round ? h("a", { href: page.round(table, place.shoe, place.round) }, at) : h("span", {}, at);
  };
  /** @param {Pick<import("./types.js").TableView, "disputes" | "adjustments" | "adjustments_more">} view @param {string | null} currency */
  function update({ disputes, adjustments, adjustments_more: more }, currency) {
    redraw(element, [options.lang, currency, disputes, adjustments, more], () => {
      if (!disputes.length && !adjustments.length) return [h("p.soft.empty", {}, t("dispute.none"))];
      return [
        h("ul.plain", {}, ...disputes.map((one) => h("li.dispute", {},
          h("div.finding-head", {}, tag(one.resolved ? "resolved" : "disputed"), h("strong", {}, one.dispute), link(one.round)),
          !isPublic && h("p", {}, h("span.soft", {}, `${t("dispute.by")} `), bdi(one.by), h("span.soft", {}, `: `), h("q", {}, bdi(one.claim))),
          !isPublic && one.finding !== null && h("p", {}, h("span.soft", {}, `${t("dispute.found")}: `), h("q", {}, bdi(one.finding)))))),
        adjustments.length > 0 && h("ul.plain", {}, ...adjustments.map((one) => h("li.dispute", {},
          h("div.finding-head", {}, tag("corrected"), bdi(one.bettor), h("strong", {}, money(one.amount, currency, { sign: true })), link(one.round)),
          h("p", {}, bdi(one.reason))))),
        more > 0 && h("p.soft", {}, t("list.more", { count: number(more) })),
      ];
    });
  }
  return { element, update };
}
