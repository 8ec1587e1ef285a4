// @ts-check
// What all pages share: the head with its ways, the line's state, announcements, and the start.

import { badge } from "./alerts.js";
import { ask } from "./api.js";
import { openOptions } from "./dialog.js";
import { by, fill, h, s, say } from "./dom.js";
import { watchOptions } from "./options.js";
import { api, here, isPublic, page } from "./place.js";
import { ago, chooseLanguage, loadTexts, t } from "./texts.js";

/** @typedef {import("./live.js").LineState} LineState */

const QUIET = 1_500;
/** So many of a table's shoes are named where another one is not there. */
const NEAR = 5;

/** @type {LineState | "still"} */
let line = "still";
/** @type {string | null} */
let updated = null;

/** @param {string} name @param {string} href @param {string} text @param {Node} [more] */
const way = (name, href, text, more) =>
  h("a", { href, "aria-current": document.documentElement.dataset["page"] === name ? "page" : null }, text, more);

function head() {
  fill(by("top"),
    h("a.brand", { href: page.lobby() },
      s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
        s("rect.b1", { x: 3, y: 4, width: 11, height: 16, rx: 2 }), s("rect.b2", { x: 10, y: 4, width: 11, height: 16, rx: 2 }),
        s("circle.b3", { cx: 15.5, cy: 12, r: 2.6 })),
      h("span", {}, "Shoetrail"), isPublic && h("span.public-tag", {}, t("head.public"))),
    h("nav", { "aria-label": t("head.nav") },
      way("lobby", page.lobby(), t("head.lobby")),
      !isPublic && way("findings", page.findings(), t("head.findings"), h("span.badge", { id: "badge", hidden: true })),
      !isPublic && way("checker", page.checker(), t("head.checker"))),
    h("p.line", { id: "line" }, h("span.line-sign", { "aria-hidden": "true" }), h("span.line-state", { role: "status" }), h("span.line-ago", {})),
    h("button.options", { type: "button", "aria-haspopup": "dialog", on: { click: openOptions } },
      s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: "M2 5H9M13 5H18M2 10H4M8 10H18M2 15H11M15 15H18" }),
        s("circle", { cx: 11, cy: 5, r: 2 }), s("circle", { cx: 6, cy: 10, r: 2 }), s("circle", { cx: 13, cy: 15, r: 2 })),
      h("span", {}, t("head.options"))));
  say(by("skip"), t("head.skip"));
  badge();
  tellLine();
}

function tellLine() {
  const place = document.getElementById("line");
  if (!place) return;
  place.dataset["state"] = line;
  const [, state, since] = place.children;
  if (state) say(state, line === "still" ? "" : t(`line.${line}`));
  if (since) say(since, updated ? t("line.updated", { ago: ago(updated) }) : "");
}

/** Show what became of the line. @param {LineState | "still"} state */
export function lineIs(state) {
  line = state;
  document.body.classList.toggle("stale", state === "lost");
  tellLine();
}

/** Show when the last entry came. @param {string | null} time */
export function updatedAt(time) {
  updated = time;
  tellLine();
}

let spoken = "";
let lastSaid = 0;
/** @type {number | undefined} */
let later;

/** Say a thing politely; where many come at once, the last of them. @param {string} text */
export function announce(text) {
  spoken = text;
  clearTimeout(later);
  const wait = Math.max(0, lastSaid + QUIET - Date.now());
  later = setTimeout(() => {
    lastSaid = Date.now();
    say(by("said"), spoken);
  }, wait);
}

const TROUBLES = new Set([0, 400, 404, 421, 429, 503]);

/** What is wrong, in the viewer's words: an answer's own are for programs. @param {unknown} error */
export function troubleOf(error) {
  const status = /** @type {{status?: number}} */ (error).status ?? -1;
  return t(`trouble.${TROUBLES.has(status) ? status : "other"}`);
}

/** Ways from a place where nothing is to what there is of the same table. @param {HTMLElement} ways */
async function near(ways) {
  const { table, shoe } = here;
  if (!table) return;
  const there = (/** @type {string} */ url) => ask(url).then((answer) => answer.json(), () => null);
  const [live, all] = await Promise.all([there(api.table(table)), there(api.shoes(table))]);
  /** @type {number[]} */
  const shoes = (all?.shoes ?? []).map((/** @type {{shoe: number}} */ one) => one.shoe);
  const best = shoes.includes(shoe) ? [shoe] : shoes.slice(0, NEAR);
  if (live) ways.append(h("a", { href: page.table(table) }, t("table.title", { table })));
  ways.append(...best.map((one) => h("a", { href: page.shoe(table, one) }, t("shoe.title", { table, n: one }))));
}

/** Show in the page's place that something cannot be shown, and where else to look. @param {unknown} error */
export function trouble(error) {
  const status = /** @type {{status?: number}} */ (error).status ?? -1;
  if (status === 401) return;
  if (status < 0) console.error(error);
  by("main").classList.remove("waiting");
  const ways = h("p.ways", {}, status !== 404 && h("button", { type: "button", on: { click: () => location.reload() } }, t("trouble.again")), h("a", { href: page.lobby() }, t("head.lobby")));
  const about = `${here.table}${here.shoe ? ` / ${here.shoe}` : ""}${here.round ? ` / ${here.round}` : ""}`;
  fill(by("main"), h("div.trouble", {}, h("h1", {}, troubleOf(error)),
    status === 404 && h("p", {}, t("trouble.404-help"), about && " ", about && h("bdi.soft", {}, `(${about})`)), ways));
  if (status === 404) void near(ways);
}

/**
 * Start a page: texts first, then the head, then whatever `build` makes; built anew in another language.
 * @param {() => void | Promise<void>} build
 */
export async function start(build) {
  const run = async () => {
    head();
    try {
      await build();
    } catch (error) {
      trouble(error);
    }
  };
  await loadTexts();
  watchOptions((changed) => {
    if (!changed.includes("lang")) return;
    chooseLanguage();
    void run();
  });
  setInterval(() => !document.hidden && tellLine(), 1_000);
  await run();
}

/** Name the page in its tab. @param {string} title */
export function titled(title) {
  document.title = `${title} · Shoetrail`;
}

