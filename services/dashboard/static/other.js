// @ts-check
// What another rule set would have made of a round: chosen from the published ones, asked of the board.

import { column, netCell, sheet } from "./bets.js";
import { fill, h } from "./dom.js";
import { chip } from "./felt.js";
import { api } from "./place.js";
import { get } from "./api.js";
import { why } from "./reasons.js";
import { troubleOf } from "./shell.js";
import { bdi } from "./shoe_head.js";
import { known, money, spotName, t } from "./texts.js";

/** @typedef {any} Other */

/** @param {Other} other @param {string} currency */
function drawn(other, currency) {
  const cards = /** @type {any[]} */ (other.cards ?? []);
  const bets = /** @type {any[]} */ (other.bets ?? []);
  const money_ = other.currency ?? currency;
  return [
    h("p.other-won", {}, h("strong", {}, other.winner ? t(`wins.${other.winner}`) : t(`other.why-${other.why_not ?? "unseen"}`)),
      other.player_total !== undefined && other.player_total !== null && ` · ${t("results.totals-of", { player: other.player_total, banker: other.banker_total })}`),
    h("ol.other-cards", {}, ...cards.map((card, index) =>
      h("li", {}, h("span.who", {}, known(`hand.${card.hand}`, card.hand)), chip(card.card), h("span.why", {}, why(card.reason, index + 1))))),
    bets.length > 0 && sheet(t("other.bets"), [column("bet.bettor"), column("bet.spot"), column("bet.stake", "number"), column("other.was", "number"), column("other.is", "number")],
      h("tbody", {}, ...bets.map((bet) => h("tr", {},
        h("th", { scope: "row" }, bdi(bet.bettor)), h("td", {}, spotName(bet.spot)),
        h("td.number", {}, money(bet.stake, money_)), netCell(bet.net ?? null, money_),
        bet.other === null || bet.other === undefined ? h("td.number.soft", {}, t("other.no-spot")) : netCell(bet.other, money_)))), "bets"),
  ];
}

/**
 * @param {(rules: string) => Promise<any>} asked
 * @param {() => string} currency
 */
export function otherRules(asked, currency) {
  const choice = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", { value: "" }, t("other.choose"))));
  const shown = h("div.other-shown", { role: "status" });
  const element = h("div", {}, h("label.other-choice", {}, h("span", {}, t("other.rules")), choice), shown);
  let last = "";
  get(api.rules()).then((answer) => {
    for (const { name, title } of answer.rules) choice.append(h("option", { value: name }, title || name));
  }, () => {});
  choice.addEventListener("change", async () => {
    const rules = choice.value;
    last = rules;
    if (!rules) return fill(shown);
    try {
      const { other } = await asked(rules);
      if (last === rules) fill(shown, ...(other ? drawn(other, currency()) : [h("p.soft", {}, t("other.none"))]));
    } catch (error) {
      const told = /** @type {{status?: number}} */ (error);
      if (last === rules) fill(shown, h("p.soft", {}, told.status === 404 ? t("other.none") : troubleOf(error)));
    }
  });
  return { element };
}

