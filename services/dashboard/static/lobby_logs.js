// @ts-check
// The tables that only logs know of, below the lobby's tiles: nobody deals at them now.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { api, page } from "./place.js";
import { t } from "./texts.js";

/** @type {{table: string, shoes: number, newest: number}[]} */
const logs = [];
/** @type {string | null} */
let more = null;

/** Show those that are known. */
export function drawLogs() {
  const place = document.getElementById("logs");
  if (!place) return;
  place.hidden = !logs.length;
  fill(place, h("h2", { id: "logs-head" }, t("lobby.logs")), h("ul.buttons", {}, ...logs.map((one) =>
    h("li", {}, h("a.button", { href: page.shoe(one.table, one.newest) }, h("bdi", {}, one.table), h("span.soft", {}, t("lobby.logs-of", { n: one.shoes })))))),
    more && h("button", { type: "button", on: { click: () => void askLogs() } }, t("lobby.logs-more")));
}

/** Ask for the next of them, by name. */
export async function askLogs() {
  const answer = await get(`${api.logs()}${more ? `?after=${encodeURIComponent(more)}` : ""}`).catch(() => null);
  if (!answer) return;
  logs.push(...answer.tables);
  more = answer.next;
  drawLogs();
}
