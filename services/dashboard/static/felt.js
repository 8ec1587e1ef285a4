// @ts-check
// The felt: two hands, cards falling in deal order, totals as far as cards are turned, and why.

import { fill, h, redraw, say } from "./dom.js";
import { options, speed, squeezes } from "./options.js";
import { phase, why } from "./reasons.js";
import { lay, WHOLE } from "./squeeze.js";
import { cardName, glyph, known, number, t } from "./texts.js";
import { onPaper } from "./card.js";

/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Card} Card */
/** @typedef {import("./squeeze.js").Squeezed} Squeezed */

const HANDS = /** @type {const} */ (["player", "banker"]);
/** How many cards can be dealt, and one line for why there are no more: room is kept for all. */
const LINES = 7;
/** Of the time between two rounds, how much may go by with a card hidden; and never more once one is over. */
const OF_GAP = 0.25;
const MOMENT = 1_000;
const OVER = new Set(["settled", "voided", "halted"]);

/** Whether nothing of a round is to come. @param {Round} round */
export const isOver = (round) => OVER.has(round.phase);

/** A small card in a line of text. @param {string} card */
export const chip = (card) => onPaper(card, h("span", { role: "img", "aria-label": cardName(card) }, glyph(card)));

/**
 * Make a felt. `update` shows a round; cards that were not there before fall, unless it is told not to.
 * `gap` is the time from a round's end to the next one's first card, in milliseconds, as far as it is
 * known: cards are turned in a part of it. `turned` is called when the last hidden card was turned.
 * @param {{titles: "h2" | "h3", sound?: (what: "card" | "turn") => void, gap?: () => number, turned?: () => void}} how
 */
export function felt({ titles, sound = () => {}, gap = () => Infinity, turned = () => {} }) {
  /** @type {Record<string, {box: HTMLElement, cards: HTMLElement, total: HTMLElement}>} */
  const hands = {};
  for (const hand of HANDS) {
    const cards = h("div.cards", { data: { hand } });
    const total = h("output.total", {}, "–");
    const box = h(`section.hand.${hand}`, { "aria-labelledby": `hand-${hand}` },
      h("div.hand-head", {}, h(titles, { id: `hand-${hand}` }, t(`hand.${hand}`)), total), cards);
    hands[hand] = { box, cards, total };
  }
  const banner = h("p.banner", {}, "");
  const marks = h("p.felt-marks", {});
  const aside = h("div.aside", {});
  const turn = h("button.turn", { type: "button", on: { click: () => turnAll() } }, t("felt.turn"));
  const course = h("ol.course", { "aria-label": t("felt.course") });
  const element = h("div.felt", {},
    h("div.hands", {}, hands["player"]?.box, h("div.between", {}, banner, marks, aside, turn), hands["banker"]?.box),
    course);

  /** @type {Squeezed[]} */
  let laid = [];
  /** @type {Round | null} */
  let round = null;
  let name = "";
  let whole = true;
  let hid = false;

  /** How long a card may stay hidden by itself. */
  const within = () => Math.min(OF_GAP * gap(), round && isOver(round) ? MOMENT : Infinity);
  const hides = () => laid.some((one) => !one.isOpen());

  function turnAll() {
    for (const one of laid) one.open();
  }

  /** @param {Card} card @param {number} index @param {boolean} falls */
  function put(card, index, falls) {
    const hand = hands[card.hand];
    const before = round?.cards.slice(0, index).filter((one) => one.hand === card.hand).length ?? 0;
    const hidden = options.hands === "hidden";
    const how = hidden ? "wait" : !falls ? "open" : before > 0 && squeezes() ? "squeeze" : "turn";
    const where = t("card.where", { n: index + 1, hand: known(`hand.${card.hand}`, card.hand), position: card.position });
    const share = Math.min(1, (within() * speed()) / WHOLE);
    const one = lay(card.card, how, { sideways: before === 2, order: index + 1, label: where, share }, () => {
      if (falls) sound("turn");
      queueMicrotask(tell);
    });
    laid.push(one);
    if (falls) sound("card");
    else one.element.classList.remove("falls");
    (hand?.cards ?? aside).append(one.element);
  }

  /** Show totals, reasons and the outcome as far as the cards are turned. */
  function tell() {
    const open = laid.filter((one) => one.isOpen()).length;
    const all = round !== null && open === laid.length;
    for (const hand of HANDS) {
      const last = round?.cards.findLast((card) => card.hand === hand);
      const place = hands[hand];
      if (!place) continue;
      say(place.total, last && last.total !== null && read(hand) ? number(last.total) : "–");
      const wins = all && round?.winner === hand;
      place.box.classList.toggle("wins", wins);
    }
    turn.classList.toggle("off", all || laid.length === 0);
    turn.toggleAttribute("disabled", all || laid.length === 0);
    say(banner, !round ? t("felt.none") : all ? phase(round) : t("felt.turning"));
    banner.className = `banner ${all && round?.winner ? `is-${round.winner}` : ""}`;
    redraw(marks, [options.lang, all, round?.natural, round?.player_pair, round?.banker_pair], () => all && round ? tags(round) : []);
    redraw(course, [options.lang, round?.cards, round?.next_why, laid.map((one) => one.isOpen())], () => (round ? lines(round, all) : []));
    const was = hid;
    hid = hides();
    if (was && !hid) turned();
  }

  /** Whether all cards of a hand are open, of the first so many: a total of some would be none. @param {string} hand @param {number} [count] */
  const read = (hand, count = laid.length) => laid.every((one, index) => index >= count || round?.cards[index]?.hand !== hand || one.isOpen());

  /** @param {Round} told */
  function tags(told) {
    return /** @type {const} */ (["natural", "player_pair", "banker_pair"])
      .filter((mark) => told[mark])
      .map((mark) => h(`span.tag.${mark}`, {}, t(`mark.${mark.replace("_", "-")}`)));
  }

  /** @param {Round} told @param {boolean} all */
  function lines(told, all) {
    const rows = told.cards.map((card, index) => {
      const open = laid[index]?.isOpen();
      return h("li", { class: index < 4 ? `${card.hand} early` : card.hand },
        h("span.who", {}, known(`hand.${card.hand}`, card.hand)),
        open ? chip(card.card) : h("span.chip.hidden", { role: "img", "aria-label": t("card.hidden") }, "?"),
        h("span.sum", {}, read(card.hand, index + 1) && card.total !== null ? number(card.total) : ""),
        h("span.why", {}, index < 4 || laid.slice(0, index).every((one) => one.isOpen()) ? why(card.reason, index + 1) : ""));
    });
    if (told.next_why && all && told.cards.length > 0 && told.next_why.why !== "first") {
      rows.push(h("li.next", {},
        h("span.who", {}, told.next ? known(`hand.${told.next}`, told.next) : t("felt.end")),
        h("span.chip.none", {}), h("span.sum", {}), h("span.why", {}, why(told.next_why, told.cards.length + 1))));
    }
    for (let row = rows.length; row < LINES; row += 1) rows.push(h(row < 4 ? "li.room.early" : "li.room", { "aria-hidden": "true" }, "\u00A0"));
    return rows;
  }

  /**
   * @param {Round | null} now
   * @param {string} key what shoe and table it is of
   * @param {{falls?: boolean}} [move]
   */
  function update(now, key, { falls = true } = {}) {
    const called = now ? `${key}#${now.number}` : "";
    const kept = round?.cards ?? [];
    const grown =
      called === name && now !== null && now.cards.length >= kept.length &&
      kept.every((card, index) => card.card === now.cards[index]?.card && card.hand === now.cards[index]?.hand);
    round = now;
    if (!grown) {
      for (const hand of HANDS) fill(/** @type {HTMLElement} */ (hands[hand]?.cards));
      fill(aside);
      laid = [];
    }
    const first = whole;
    whole = false;
    name = called;
    const from = laid.length;
    now?.cards.slice(from).forEach((card, index) => put(card, from + index, falls && !first));
    // A card that came while another is still being squeezed: who deals does not wait for it.
    if (options.hands === "shown") laid.slice(0, Math.max(0, now?.phase === "settled" ? 0 : laid.length - 2)).forEach((one) => one.open());
    if (now && isOver(now) && options.hands === "shown") for (const one of laid) one.hasten(within());
    tell();
  }

  return { element, update, turnAll, hides };
}
