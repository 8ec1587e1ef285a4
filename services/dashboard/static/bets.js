// @ts-check
// Who bet what, and what it came to; who sits, with what, and what he owes.

import { h, redraw } from "./dom.js";
import { options } from "./options.js";
import { bdi } from "./shoe_head.js";
import { known, money, number, spotName, t } from "./texts.js";

/** @typedef {import("./types.js").Bet} Bet */
/** @typedef {import("./types.js").Seat} Seat */

/** @param {string} key @param {string} [kind] */
export const column = (key, kind) => h("th", { scope: "col", class: kind ?? null }, t(key));

/**
 * A table that scrolls within itself, and is reached by keyboard where it has to.
 * @param {string} name
 * @param {HTMLElement[]} head
 * @param {HTMLElement} body
 * @param {string} [kind]
 */
export const sheet = (name, head, body, kind = "") =>
  h("div.sheet", { class: `sheet ${kind}`, tabindex: "0", role: "group", "aria-label": name },
    h("table", {}, h("caption.unseen", {}, name), h("thead", {}, h("tr", {}, ...head)), body));

/** @param {Bet} bet @param {string} currency */
function came(bet, currency) {
  if (bet.status === "refused") return [h("span.tag.refused", {}, t("bet.refused")), " ", h("small", {}, known(`refusal.${bet.refusal}`, bet.refusal ?? ""))];
  if (bet.status === "withdrawn") return [h("span.tag.withdrawn", {}, t("bet.withdrawn"))];
  if (bet.result === null) return [h("span.soft", {}, t("bet.placed"))];
  const small = [
    bet.odds && t("bet.at-odds", { odds: bet.odds.replace("/", " : ") }),
    bet.won ? t("bet.won", { money: money(bet.won, currency) }) : "",
    bet.commission ? t("bet.commission", { money: money(bet.commission, currency) }) : "",
    bet.returned ? t("bet.returned", { money: money(bet.returned, currency) }) : "",
  ].filter(Boolean);
  return [h(`span.tag.${bet.result}`, {}, t(`bet.${bet.result}`)), " ", h("small", {}, small.join(t("list.dot")))];
}

/** @param {number | null} net @param {string} currency */
export const netCell = (net, currency) =>
  h("td.number", { class: `number ${net === null ? "" : net > 0 ? "plus" : net < 0 ? "minus" : ""}` }, net === null ? "–" : money(net, currency, { sign: true }));

/** @param {readonly Bet[]} bets @param {string} currency */
export function betRows(bets, currency) {
  return bets.map((bet) =>
    h("tr", { class: bet.status },
      h("th", { scope: "row" }, bdi(bet.bettor)),
      h("td.spot", {}, spotName(bet.spot), h("span.came", {}, ...came(bet, currency))),
      h("td.number.stake", {}, bet.stake === null ? "–" : money(bet.stake, currency)),
      netCell(bet.net, currency)));
}

const betHead = () => [column("bet.bettor"), column("bet.result", "spot"), column("bet.stake", "number stake"), column("bet.net", "number")];

/** @param {readonly Bet[]} bets @param {string} currency */
export const betSheet = (bets, currency) => sheet(t("bet.title"), betHead(), h("tbody", {}, ...betRows(bets, currency)), "bets came-to");

/** Make the panel of the round's bets. */
export function betsPanel() {
  const body = h("tbody", {});
  const house = h("p.house", {}, "\u00A0");
  const total = h("p.soft.empty", {});
  const head = h("tr", {});
  const element = h("div", {},
    h("div.sheet.bets.came-to", { tabindex: "0", role: "group", "aria-label": t("bet.title") },
      h("table", {}, h("caption.unseen", {}, t("bet.title")), h("thead", {}, head), body), total),
    house);
  head.append(...betHead());

  /** @param {import("./types.js").Round | null} round @param {string} currency */
  function update(round, currency) {
    const bets = round?.bets ?? [];
    redraw(body, [options.lang, currency, bets], () => betRows(bets, currency));
    const more = round?.bets_more ?? 0;
    redraw(total, [options.lang, bets.length, more], () => (more ? [t("bet.more", { count: number(more) })] : bets.length ? [] : [t("bet.none")]));
    redraw(house, [options.lang, currency, round?.house], () => [
      round === null || round.house === null ? "\u00A0" : t("bet.house", { money: money(round.house, currency, { sign: true }) })]);
  }
  return { element, update };
}

/** Make the panel of those who sit. */
export function seatsPanel() {
  const body = h("tbody", {});
  const rest = h("p.soft", {});
  const element = h("div", {}, sheet(t("seat.title"), [column("seat.seat"), column("bet.bettor"), column("seat.bankroll", "number"), column("seat.owed", "number")], body, "seats"), rest);
  /** @param {readonly Seat[]} seats @param {string} currency @param {number} [more] */
  function update(seats, currency, more = 0) {
    redraw(rest, [options.lang, more], () => (more ? [t("list.more", { count: number(more) })] : []));
    redraw(body, [options.lang, currency, seats], () =>
      seats.length === 0 ? [h("tr", {}, h("td.soft", { colspan: 4 }, t("seat.none")))] :
      seats.map((seat) => h("tr", {},
        h("td", {}, number(seat.seat)), h("th", { scope: "row" }, bdi(seat.bettor)),
        h("td.number", {}, money(seat.bankroll, currency)),
        h("td.number", { class: `number ${seat.owed ? "owed" : ""}` }, seat.owed ? money(seat.owed, currency) : "–"))));
  }
  return { element, update };
}

