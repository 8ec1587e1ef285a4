// @ts-check
// The lobby: a tile for each table, live, and found by what one types.

import { alertOf } from "./alerts.js";
import { get } from "./api.js";
import { by, fill, h, say } from "./dom.js";
import { newestIs } from "./hidden.js";
import { listen } from "./live.js";
import { askLogs, drawLogs } from "./lobby_logs.js";
import { watchOptions } from "./options.js";
import { api } from "./place.js";
import { lineIs, start, titled, updatedAt } from "./shell.js";
import { known, t } from "./texts.js";
import { tileFor } from "./tile.js";
import "./lobby_keys.js";

/** @typedef {import("./types.js").Tile} Tile */

const LAMPS = ["open", "pass", "fail", "none"];

/** @type {Map<string, Tile>} */
const tables = new Map();
/** @type {Map<string, ReturnType<typeof tileFor>>} */
const tiles = new Map();
/** @type {Set<string>} */
const changed = new Set();
/** @type {Record<string, string>} */
const titles = Object.create(null); // rules may be called as every object's own parts are
let cursor = "";
let loaded = false;
/** @type {(() => void) | null} */
let end = null;
let due = false;
/** @type {string | null} */
let newest = null;
const filter = { text: "", lamp: "", rules: "", faults: false };

const natural = new Intl.Collator("en", { numeric: true });

/** @param {Tile} tile */
function fits(tile) {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const about = `${tile.table} ${tile.rules ?? ""} ${titles[tile.rules ?? ""] ?? ""} ${tile.dealer ?? ""}`.toLowerCase();
  return words.every((word) => about.includes(word)) && (!filter.lamp || tile.lamp === filter.lamp) &&
    (!filter.rules || tile.rules === filter.rules) && (!filter.faults || tile.faults > 0 || tile.disputed > 0);
}

function sift() {
  let count = 0;
  for (const [name, tile] of tables) {
    const is = fits(tile);
    if (is) count += 1;
    const place = tiles.get(name);
    if (place && place.element.hidden === is) place.element.hidden = !is;
  }
  const place = document.getElementById("count");
  if (place) say(place, t("lobby.count", { n: count, all: tables.size }));
  const none = document.getElementById("no-tables");
  if (none) {
    none.hidden = count > 0;
    say(none, tables.size ? t("lobby.none-fits") : t("lobby.none"));
  }
}

/** Put the tiles in their order, and draw those that changed. */
function draw() {
  due = false;
  const list = document.getElementById("tables");
  if (!list) return;
  if ([...tables.keys()].some((name) => !tiles.has(name))) {
    for (const name of [...tables.keys()].sort(natural.compare)) {
      let tile = tiles.get(name);
      if (!tile) tiles.set(name, (tile = tileFor(name)));
      list.append(tile.element);
      changed.add(name);
    }
    choices();
  }
  for (const name of changed) {
    const tile = tables.get(name);
    if (tile) tiles.get(name)?.update(tile, titles[tile.rules ?? ""] ?? tile.rules ?? "");
  }
  changed.clear();
  sift();
  updatedAt(newest);
}

function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(draw);
}

/** Offer those rules that are played. */
function choices() {
  const select = /** @type {HTMLSelectElement | null} */ (document.getElementById("by-rules"));
  if (!select) return;
  const played = [...new Set([...tables.values()].map((tile) => tile.rules).filter((rules) => rules !== null))].sort();
  fill(select, h("option", { value: "" }, t("lobby.all-rules")), ...played.map((rules) => h("option", { value: rules, selected: rules === filter.rules }, titles[rules] ?? rules)));
}

/** @param {string} id @param {string} label @param {HTMLElement} input */
function field(id, label, input) {
  input.id = id;
  return h("div.field", {}, h("label", { for: id }, t(label)), input);
}

function build() {
  tiles.clear();
  const text = h("input", { type: "search", value: filter.text, autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/", on: { input: read } });
  const lamp = h("select", { on: { change: read } }, h("option", { value: "" }, t("lobby.all-lamps")), ...LAMPS.map((one) => h("option", { value: one, selected: one === filter.lamp }, known(`lamp.${one}`, one))));
  const rules = h("select", { on: { change: read } });
  const faults = h("input", { type: "checkbox", checked: filter.faults, on: { change: read } });
  by("main").classList.toggle("waiting", !loaded);
  fill(by("main"),
    h("div.lobby-head", {}, h("h1", {}, t("lobby.title")), h("p.soft", { id: "count", role: "status" }, "\u00A0")),
    h("form.filters", { role: "search", "aria-label": t("lobby.filter"), on: { submit: (/** @type {Event} */ event) => event.preventDefault() } },
      field("by-text", "lobby.text", text), field("by-lamp", "lobby.lamp", lamp), field("by-rules", "lobby.rules", rules),
      h("label.check", {}, faults, h("span", {}, t("lobby.faults")))),
    h("ul.tiles", { id: "tables", "aria-label": t("lobby.title") }),
    h("p.soft", { id: "no-tables", hidden: true }),
    h("section.logs", { id: "logs", "aria-labelledby": "logs-head", hidden: true }));
  drawLogs();

  function read() {
    filter.text = /** @type {HTMLInputElement} */ (text).value;
    filter.lamp = /** @type {HTMLSelectElement} */ (lamp).value;
    filter.rules = /** @type {HTMLSelectElement} */ (rules).value;
    filter.faults = /** @type {HTMLInputElement} */ (faults).checked;
    sift();
  }
}

/** @param {Tile} tile */
function put(tile) {
  tables.set(tile.table, tile);
  changed.add(tile.table);
  newestIs(tile.table, tile.shoe, tile.rounds);
  if (tile.updated && (!newest || tile.updated > newest)) newest = tile.updated;
}

/** @param {import("./types.js").LobbyMessage} message */
function took(message) {
  const { tile } = message;
  put(tile);
  soon();
  if (message.findings?.length) alertOf(tile.table, message.findings, tile.currency);
}

async function load() {
  end?.();
  const answer = await get(api.tables());
  tables.clear();
  for (const tile of /** @type {Tile[]} */ (answer.tables)) put(tile);
  for (const [name, tile] of tiles) {
    if (tables.has(name)) continue;
    tile.element.remove();
    tiles.delete(name);
  }
  cursor = answer.cursor;
  loaded = true;
  by("main").classList.remove("waiting");
  draw();
  end = listen(api.stream(), cursor, { message: took, reset: () => void again(), state: lineIs });
}

async function again() {
  try {
    await load();
  } catch {
    setTimeout(again, 2_000);
  }
}

setInterval(() => {
  if (document.hidden) return;
  for (const [name, tile] of tiles) if (!tile.element.hidden) tile.aged(tables.get(name)?.updated ?? null);
}, 1_000);

watchOptions(() => loaded && soon());

void start(async () => {
  titled(t("lobby.title"));
  build();
  get(api.rules()).then((answer) => {
    for (const { name, title } of answer.rules) titles[name] = title;
    for (const name of tables.keys()) changed.add(name);
    choices();
    soon();
  }, () => {});
  if (loaded) {
    for (const name of tables.keys()) changed.add(name);
    draw();
  } else {
    await load();
    void askLogs();
  }
});
