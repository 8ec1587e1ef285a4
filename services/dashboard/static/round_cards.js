// @ts-check
// A round's cards in a table, and the round as it was after some of them. It asks for nothing.

import { column, sheet } from "./bets.js";
import { h } from "./dom.js";
import { chip } from "./felt.js";
import { isPublic } from "./place.js";
import { why } from "./reasons.js";
import { known, number, t } from "./texts.js";

/** @typedef {import("./types.js").Round} Round */

/** The round as it was after so many cards. @param {Round} round @param {number} step @returns {Round} */
export function upTo(round, step) {
  if (step > round.cards.length) return round;
  const next = round.cards[step];
  const over = { winner: null, natural: false, player_pair: false, banker_pair: false, house: null };
  const cards = round.cards.slice(0, step);
  if (!next) return { ...round, ...over, phase: round.phase === "settled" ? "dealt" : round.phase, cards };
  return { ...round, ...over, phase: step === 0 ? "closed" : "dealing", cards, next: next.hand, next_why: next.reason };
}

/** @typedef {Map<string, import("./proof.js").Line> | null} Proof */

/** What is proven of a card, in a cell. @param {string} at @param {Proof} proof */
function proven(at, proof) {
  if (isPublic) return [];
  const line = proof?.get(at.slice(at.indexOf("/") + 1));
  if (!line) return [h("span.soft", {}, proof ? t("proof.not-in") : "–")];
  const sign = line.holds === null ? "open" : line.holds ? "pass" : "fail";
  return [h(`span.proof.${sign}`, {}, t(`proof.${sign}`)), " ", h("small", {}, t("proof.line", { n: line.index + 1, size: line.size }))];
}

/** Each card with its place and its proof; what comes after a step pales. @param {Round} round @param {number} step @param {Proof} proof */
export function cardSheet(round, step, proof) {
  const head = [column("cards.n", "number"), column("cards.hand"), column("cards.card"), column("cards.total", "number"), column("cards.position", "number"), column("cards.at"), !isPublic && column("cards.proof"), column("cards.why")];
  const rows = round.cards.map((card, index) =>
    h("tr", { class: index < step ? "" : "later", "aria-current": index === step - 1 ? "step" : null },
      h("th.number", { scope: "row" }, number(index + 1)),
      h("td.nowrap", {}, known(`hand.${card.hand}`, card.hand)),
      h("td", {}, chip(card.card)),
      h("td.number", {}, card.total === null ? "–" : number(card.total)),
      h("td.number", {}, number(card.position)),
      h("td.nowrap", {}, h("code", {}, card.at)),
      !isPublic && h("td.nowrap", {}, ...proven(card.at, proof)),
      h("td.reason", {}, why(card.reason, index + 1))));
  return sheet(t("cards.title"), /** @type {HTMLElement[]} */ (head.filter(Boolean)), h("tbody", {}, ...rows), "cards-sheet");
}
