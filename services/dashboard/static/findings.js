// @ts-check
// All findings, newest first, by code and table; those that come are put on top and told at once.

import { alertOf, seen } from "./alerts.js";
import { get } from "./api.js";
import { by, fill, h, say } from "./dom.js";
import { feltIs, mayBeHidden, newestIs, watchHidden } from "./hidden.js";
import { listen } from "./live.js";
import { api } from "./place.js";
import { findingItem } from "./record.js";
import { lineIs, start, titled, troubleOf } from "./shell.js";
import { codeName, has, t } from "./texts.js";

/** @typedef {import("./types.js").FindingRow} Row */

const PAGE = 50;
const CODES = ["payout", "commission", "draw-extra", "draw-missing", "card-order", "bet-late"];

const asked = new URLSearchParams(location.search);
const filter = { code: asked.get("code") ?? "", table: asked.get("table") ?? "" };
/** @type {Row[]} */
let rows = [];
/** @type {string | null} */
let next = null;
/** @type {(() => void) | null} */
let end = null;
/** @type {Set<string>} */
const names = new Set();
/** @type {Map<string, string | null>} */
const currencies = new Map();
/** @type {Set<string>} */
const codes = new Set(CODES);

/** @param {Row} row */
const nameOf = (row) => `${row.table} ${row.finding.at} ${row.finding.code} ${row.finding.actual}`;

/** Items that do not tell all yet. @type {Map<Element, Row>} */
const veiled = new Map();

/** @param {Row} row */
function item(row) {
  const { finding, table, shoe, time } = row;
  const shown = findingItem(finding, { table, shoe, currency: currencies.get(table) ?? null, time, show: () => feltIs(table, shoe, finding.round ?? 0, false) });
  if (mayBeHidden(table, finding)) veiled.set(shown, row);
  return shown;
}

watchHidden(() => {
  for (const [old, row] of veiled) {
    if (mayBeHidden(row.table, row.finding)) continue;
    veiled.delete(old);
    const held = old.contains(document.activeElement);
    const shown = item(row);
    old.replaceWith(shown);
    if (held) shown.querySelector("a")?.focus();
  }
});

/** @param {import("./types.js").Tile} tile */
function knows(tile) {
  currencies.set(tile.table, tile.currency);
  newestIs(tile.table, tile.shoe, tile.rounds);
}

function tell() {
  say(by("found"), t(next ? "find.shown-more" : "find.shown", { n: rows.length }));
  by("more").hidden = next === null;
  by("nothing").hidden = rows.length > 0;
  say(by("nothing"), t(filter.code || filter.table ? "find.nothing" : "find.no"));
}

/** @param {Row[]} more */
function add(more) {
  const fresh = more.filter((row) => !names.has(nameOf(row)));
  for (const row of fresh) {
    names.add(nameOf(row));
    codes.add(row.finding.code);
  }
  rows.push(...fresh);
  by("all").append(...fresh.map(item));
  offer();
  tell();
}

function offer() {
  fill(by("codes"), ...[...codes].sort().map((code) => h("option", { value: code }, has(`code.${code}`) ? codeName(code) : "")));
}

async function load() {
  const answer = await get(api.findings({ ...filter, limit: String(PAGE) }));
  rows = [];
  names.clear();
  veiled.clear();
  fill(by("all"));
  next = answer.next;
  add(answer.findings);
}

async function older() {
  if (next === null) return;
  const answer = await get(api.findings({ ...filter, limit: String(PAGE), before: next }));
  const first = by("all").children.length;
  next = answer.next;
  add(answer.findings);
  const link = by("all").children[first]?.querySelector("a");
  if (link instanceof HTMLElement) link.focus();
}

/** @param {import("./types.js").LobbyMessage} message */
function took(message) {
  knows(message.tile);
  if (!message.findings?.length) return;
  const { tile, findings, time } = message;
  alertOf(tile.table, findings, tile.currency);
  for (const finding of findings) {
    const row = { table: tile.table, shoe: tile.shoe ?? 0, time, finding };
    if (names.has(nameOf(row)) || (filter.code && finding.code !== filter.code) || (filter.table && tile.table !== filter.table)) continue;
    names.add(nameOf(row));
    rows.unshift(row);
    const shown = item(row);
    shown.classList.add("new");
    by("all").prepend(shown);
  }
  tell();
}

async function follow() {
  end?.();
  const answer = await get(api.tables());
  for (const tile of answer.tables) knows(tile);
  fill(by("known-tables"), ...answer.tables.map((/** @type {{table: string}} */ tile) => h("option", { value: tile.table })));
  end = listen(api.stream(), answer.cursor, { message: took, reset: () => void again(), state: lineIs });
}

async function again() {
  try {
    await follow();
    await load();
  } catch {
    setTimeout(again, 2_000);
  }
}

function build() {
  const code = /** @type {HTMLInputElement} */ (h("input", { id: "by-code", list: "codes", value: filter.code, autocomplete: "off", spellcheck: "false" }));
  const table = /** @type {HTMLInputElement} */ (h("input", { id: "by-table", list: "known-tables", value: filter.table, autocomplete: "off", spellcheck: "false" }));
  by("main").classList.add("waiting");
  fill(by("main"),
    h("div.lobby-head", {}, h("h1", {}, t("find.all")), h("p.soft", { id: "found", role: "status" }, "\u00A0")),
    h("form.filters", { role: "search", "aria-label": t("find.filter"), on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); void sift(); } } },
      h("div.field", {}, h("label", { for: "by-code" }, t("find.code")), code),
      h("div.field", {}, h("label", { for: "by-table" }, t("find.table")), table),
      h("button.primary", {}, t("find.sift")),
      h("button", { type: "button", on: { click: () => { code.value = table.value = ""; void sift(); } } }, t("find.sift-none"))),
    h("datalist", { id: "codes" }), h("datalist", { id: "known-tables" }),
    h("ol.findings.all", { id: "all" }),
    h("p.soft", { id: "nothing", hidden: true }),
    h("button", { id: "more", type: "button", hidden: true, on: { click: () => void older() } }, t("find.more")));
  async function sift() {
    filter.code = code.value.trim();
    filter.table = table.value.trim();
    const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value)).toString();
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
    try {
      await load();
    } catch (error) {
      rows = [];
      next = null;
      fill(by("all"));
      tell();
      say(by("found"), troubleOf(error));
    }
  }
}

void start(async () => {
  titled(t("find.all"));
  build();
  await follow();
  await load();
  by("main").classList.remove("waiting");
  seen();
});
