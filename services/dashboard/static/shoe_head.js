// @ts-check
// What shoe is on the table: its rules, people, verdict lamp, and how far it is dealt.

import { h, redraw, s } from "./dom.js";
import { lampFor } from "./lamp.js";
import { options } from "./options.js";
import { page } from "./place.js";
import { known, moment, number, t } from "./texts.js";

/** @typedef {import("./types.js").Shoe} Shoe */

/**
 * How far a shoe is dealt, with the cut card in its place.
 * @param {{cards: number | null, drawn: number, cut_card: number | null}} shoe
 * @param {{small?: boolean}} [how]
 */
export function progress({ cards, drawn, cut_card: cut }, { small = false } = {}) {
  const share = (/** @type {number} */ part) => (cards ? Math.min(100, (100 * part) / cards) : 0);
  const label = cards === null ? t("shoe.progress-unknown", { drawn }) : cut === null ? t("shoe.progress", { drawn, cards }) : t("shoe.progress-cut", { drawn, cards, cut });
  return h(`div.progress${small ? ".small" : ""}`, {},
    s("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", role: "img", "aria-label": label },
      s("rect.all", { x: 0, y: 1, width: 100, height: 4 }),
      s("rect.drawn", { x: 0, y: 1, width: share(drawn), height: 4 }),
      cut !== null && cards !== null && s("path.cut", { d: `M${share(cut)} 0V6` })),
    !small && h("span.progress-said", { "aria-hidden": "true" }, label),
    !small && h("span.progress-short", { "aria-hidden": "true" }, `${number(drawn)} / ${cards === null ? "?" : number(cards)}`));
}

/** @param {string} term @param {import("./dom.js").Child[]} told */
export const fact = (term, ...told) => h("div.fact", {}, h("dt", {}, t(term)), h("dd", {}, ...told));

/** @param {string} text */
export const bdi = (text) => h("bdi", {}, text);

/**
 * Make the head of a table's page. `level` names the page: the table, or one of its shoes.
 * @param {string} table
 * @param {"table" | "shoe"} level
 */
export function shoeHead(table, level) {
  const title = h("h1", {});
  const under = h("p.under", {}, "\u00A0");
  const lamp = h("div.lamp-place", {});
  const far = h("div.far", {});
  const element = h("div.shoe-head", {}, h("div.names", {}, title, under), lamp, far);

  /** @param {Shoe | null} shoe @param {boolean} [live] whether the table has a page: somebody deals at it */
  function update(shoe, live = true) {
    redraw(title, [options.lang, level, shoe?.shoe], () => [
      level === "table" || !shoe ? t("table.title", { table }) : t("shoe.title", { table, n: shoe.shoe })]);
    redraw(under, [options.lang, shoe?.shoe, shoe?.rules_title, shoe?.dealer, shoe?.supervisor, shoe?.decks, shoe?.status, live], () =>
      shoe === null
        ? [t("table.no-shoe")]
        : [
            level === "table"
              ? h("a", { href: page.shoe(table, shoe.shoe) }, t("shoe.n", { n: shoe.shoe }))
              : live && h("a", { href: page.table(table) }, t("table.title", { table })),
            h("span", {}, bdi(shoe.rules_title || shoe.rules)),
            h("span", {}, t("shoe.decks", { n: shoe.decks })),
            h("span", {}, t("shoe.dealer"), " ", bdi(shoe.dealer), shoe.supervisor && bdi(` · ${shoe.supervisor}`)),
            h("span", {}, t(`status.${shoe.status}`)),
          ]);
    redraw(lamp, [options.lang, shoe?.lamp], () => (shoe ? [lampFor(shoe.lamp)] : []));
    redraw(far, [options.lang, shoe?.cards, shoe?.drawn, shoe?.cut_card, shoe?.cut_card_out], () =>
      shoe ? [progress(shoe), h("p.cut-out", {}, shoe.cut_card_out === null ? "\u00A0" : t("shoe.cut-out", { n: shoe.cut_card_out }))] : []);
  }
  return { element, update };
}

/** All there is to say of a shoe. @param {Shoe} shoe */
export function shoeFacts(shoe) {
  return h("dl.fact-list", {},
    fact("shoe.rules", bdi(shoe.rules_title || shoe.rules), " ", h("code", {}, shoe.rules)),
    fact("shoe.opened", moment(shoe.opened)),
    fact("shoe.closed", shoe.closed ? moment(shoe.closed) : "–", shoe.close_reason && ` · ${t(`close.${shoe.close_reason}`)}`),
    fact("shoe.cards", shoe.cards === null ? "–" : number(shoe.cards)),
    fact("shoe.dealer", bdi(shoe.dealer)),
    fact("shoe.supervisor", bdi(shoe.supervisor ?? "–")),
    fact("shoe.origin", known(`origin.${shoe.origin}`, shoe.origin)),
    fact("shoe.currency", shoe.currency),
    fact("shoe.software", bdi(shoe.software)));
}

const TERMS = /** @type {const} */ (["lamp.open", "lamp.none", "lamp.pass", "lamp.fail", "help.cut", "left.face-down", "left.running", "help.derived"]);

/** What the words of these pages mean, for who does not know a table's: opened by pointer or key. */
export const helpPanel = () =>
  h("details.panel.help", {}, h("summary", {}, t("help.title")),
    h("dl.words", {}, ...TERMS.flatMap((term) => [
      h("dt", {}, term === "help.derived" ? t("help.derived-head") : term === "help.cut" ? t("help.cut-head") : t(term)),
      h("dd", {}, t(term.startsWith("lamp.") ? `help.${term.replace(".", "-")}` : term.startsWith("left.") ? `help.${term}` : term))])));
