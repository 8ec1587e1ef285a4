// @ts-check
// The shoe in numbers: counts and streaks, what is left in it, the next round's exact odds, the score card.

import { h, redraw, s } from "./dom.js";
import { options } from "./options.js";
import { column, sheet } from "./bets.js";
import { has, known, number, percent, signed, spotName, t } from "./texts.js";

/** @typedef {import("./types.js").Tally} Tally */
/** @typedef {import("./types.js").Left} Left */
/** @typedef {import("./types.js").Odds} Odds */
/** @typedef {import("./types.js").Result} Result */

/** @param {string} term @param {string} told @param {string} [kind] */
const figure = (term, told, kind = "") => h("div.figure", { class: `figure ${kind}`, title: has(`help.${term}`) ? t(`help.${term}`) : null }, h("dt", {}, t(term)), h("dd", {}, told));

/** Make the panel of counts and streaks. */
export function tallyPanel() {
  const element = h("div.tally", {});
  /** @param {Tally} tally */
  function update(tally) {
    redraw(element, [options.lang, tally], () => {
      const share = (/** @type {number} */ part) => (tally.rounds ? t("tally.share", { n: part, share: percent(part / tally.rounds, 1) }) : number(part));
      const run = tally.run_side === null ? "–" : t("tally.run-of", { side: t(`hand.${tally.run_side}`), n: tally.run });
      return [h("dl.figures", {},
        figure("tally.rounds", number(tally.rounds)),
        figure("hand.banker", share(tally.banker), "banker"), figure("hand.player", share(tally.player), "player"), figure("hand.tie", share(tally.tie), "tie"),
        figure("tally.run", run),
        figure("tally.longest", t("tally.longest-of", { banker: tally.longest_banker, player: tally.longest_player })),
        figure("tally.naturals", number(tally.naturals)),
        figure("tally.pairs", t("tally.pairs-of", { player: tally.player_pairs, banker: tally.banker_pairs })),
        figure("tally.void", number(tally.void)))];
    });
  }
  return { element, update };
}

const RANKS = [..."A23456789TJQK"];

/** Make the panel of what is left in the shoe. */
export function leftPanel() {
  const element = h("div.left", {});
  /** @param {Left | null} left @param {number} decks */
  function update(left, decks) {
    redraw(element, [options.lang, left, decks], () => {
      if (left === null) return [h("p.soft", {}, t("left.none"))];
      const full = 4 * decks || 1;
      const ranks = left.ranks;
      return [
        h("dl.figures.three", {},
          figure("left.unseen", left.unseen === null ? "–" : number(left.unseen)), figure("left.face-down", number(left.face_down)), figure("left.running", signed(left.running_count))),
        h("table.ranks", {}, h("caption.unseen", {}, t("left.title")),
          h("thead", {}, h("tr", {}, ...RANKS.map((rank) => h("th", { scope: "col" }, h("abbr", { title: known(`rank.${rank}`, rank) }, rank === "T" ? "10" : rank))))),
          h("tbody", {}, h("tr", {}, ...RANKS.map((rank) => {
            const count = ranks?.[rank] ?? 0;
            return h("td", {},
              s("svg.bar", { viewBox: "0 0 10 40", preserveAspectRatio: "none", "aria-hidden": "true" },
                s("rect.all", { x: 0, y: 0, width: 10, height: 40 }),
                s("rect.is", { x: 0, y: 40 - (40 * Math.min(count, full)) / full, width: 10, height: (40 * Math.min(count, full)) / full })),
              ranks ? number(count) : "–");
          })))),
      ];
    });
  }
  return { element, update };
}

/** Make the panel of the next round's odds. */
export function oddsPanel() {
  const bar = h("div.odds-bar", {});
  const body = h("tbody", {});
  const note = h("p.soft.odds-note", {}, "\u00A0");
  /** @type {readonly string[]} */
  let spots = [];
  /** @type {[Odds | null, string]} */
  let last = [null, ""];
  const element = h("div.odds", {}, bar, sheet(t("odds.title"), [column("bet.spot"), column("odds.edge", "number")], body, "odds"), note);
  /** @param {Odds | null} odds @param {string} [why] */
  function update(odds, why = "") {
    redraw(bar, [options.lang, odds?.banker, odds?.player, odds?.tie], () => {
      const sides = /** @type {const} */ (["player", "tie", "banker"]);
      let x = 0;
      return [
        h("dl.figures.three", {}, ...sides.map((side) => figure(`hand.${side}`, odds ? percent(odds[side]) : "–", side))),
        s("svg.split", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
          ...sides.map((side) => {
            const width = odds ? 100 * odds[side] : 100 / 3;
            const part = s(`rect.${odds ? side : "all"}`, { x, y: 0, width: Math.max(0, width - 0.4), height: 6 });
            x += width;
            return part;
          })),
      ];
    });
    // A row for each spot, odds or none: when they come, nothing moves.
    const told = odds?.spots ?? [];
    const rows = [...told, ...spots.filter((name) => !told.some((one) => one.spot === name)).map((spot) => ({ spot, edge: null, share: null }))];
    redraw(body, [options.lang, rows], () =>
      rows.map((row) => h("tr", {}, h("th", { scope: "row" }, spotName(row.spot)), h("td.number", { title: row.edge }, row.share === null ? "–" : percent(row.share)))));
    redraw(note, [options.lang, odds?.after, odds?.unseen, why], () => [odds ? t("odds.after", { n: odds.after, unseen: odds.unseen }) : why || "\u00A0"]);
    last = [odds, why];
  }
  /** Which spots there are, before their odds are known. @param {readonly string[]} names */
  function offered(names) {
    spots = names;
    update(...last);
  }
  return { element, update, offered };
}

/**
 * The score card as a casino hands it out: a column a hand, an X or the side's running number in the
 * row of who won it. A hand that was voided is not on it.
 */
export function scoreCard() {
  const element = h("div.score", { tabindex: "0", role: "group" });
  /** @param {readonly Result[]} results */
  function update(results) {
    const hands = results.filter((row) => row.winner !== "void" && !row.halted);
    element.setAttribute("aria-label", t("score.title"));
    const changed = redraw(element, [options.lang, options.marks, hands.map((row) => [row.round, row.winner])], () => {
      const won = { player: 0, banker: 0, tie: 0 };
      const rows = /** @type {const} */ (["player", "banker", "tie"]);
      /** @type {Record<string, HTMLElement[]>} */
      const cells = { player: [], banker: [], tie: [] };
      for (const row of hands) {
        const winner = /** @type {"player" | "banker" | "tie"} */ (row.winner);
        won[winner] += 1;
        for (const side of rows)
          cells[side]?.push(h(`td.${side}`, {}, side === winner ? (options.marks === "x" ? "X" : number(won[winner])) : ""));
      }
      const room = Math.max(0, Math.floor((element.clientWidth - 96) / 26.6) - hands.length);
      const spare = () => Array.from({ length: room }, () => h("td", {}));
      return [h("table", {}, h("caption.unseen", {}, t("score.title")),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("score.hand")), ...hands.map((row) => h("th", { scope: "col" }, number(row.round))), ...spare())),
        h("tbody", {}, ...rows.map((side) => h("tr", {}, h("th", { scope: "row" }, t(`hand.${side}`)), ...(cells[side] ?? []), ...spare()))))];
    });
    if (changed) element.scrollLeft = element.scrollWidth;
  }
  return { element, update };
}

