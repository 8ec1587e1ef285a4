// @ts-check
// Small signs that tell by shape and word, never by colour alone: verdict lamps, winners, round marks.

import { h, s } from "./dom.js";
import { t } from "./texts.js";

// In a box of 16 by 16: a tick in a disc, a cross in an octagon, a ring that is not closed, a dash.
const SHAPES = /** @type {Record<string, [string, string][]>} */ ({
  pass: [["disc", "M8 .8A7.2 7.2 0 1 1 7.99 .8Z"], ["sign", "M4.4 8.4L7 11L11.8 5.6"]],
  fail: [["disc", "M5 .8H11L15.2 5V11L11 15.2H5L.8 11V5Z"], ["sign", "M5.3 5.3L10.7 10.7M10.7 5.3L5.3 10.7"]],
  open: [["ring", "M8 2A6 6 0 1 1 2 8"], ["sign", "M8 5V8.4L10.2 9.8"]],
  none: [["ring", "M3.5 8H12.5"]],
});

/** @param {string} lamp */
export function lampSign(lamp) {
  const shapes = SHAPES[lamp] ?? SHAPES["none"] ?? [];
  return s(`svg.lamp-sign.${lamp}`, { viewBox: "0 0 16 16", "aria-hidden": "true" },
    ...shapes.map(([part, d]) => s(`path.${part}`, { d })));
}

/** A verdict lamp: shape and word. @param {string} lamp */
export const lampFor = (lamp) => h(`span.lamp.${lamp}`, { title: t(`help.lamp-${lamp}`) }, lampSign(lamp), h("span", {}, t(`lamp.${lamp}`)));

/** A winner as on the bead plate: a disc with its letter; the words stand beside it. @param {string} winner */
export function bead(winner) {
  const letter = { banker: "B", player: "P", tie: "T", void: "–" }[winner] ?? "?";
  return h(`span.disc.${winner}`, { "aria-hidden": "true" }, letter);
}

/**
 * What is to be said of a round besides who won.
 * @param {import("./types.js").Result} result
 */
export function marksOf(result) {
  /** @type {[string, boolean][]} */
  const all = [
    ["natural", result.natural && result.winner !== "void"],
    ["player-pair", result.player_pair],
    ["banker-pair", result.banker_pair],
    ["voided", result.winner === "void" && !result.halted],
    ["halted", result.halted],
    ["corrected", result.corrected],
    ["disputed", result.disputed === "open"],
    ["resolved", result.disputed === "resolved"],
    ["fail", result.verdict === "fail"],
  ];
  return all.filter(([, is]) => is).map(([mark]) => mark);
}

/** @param {string} mark */
export const tag = (mark) => h(`span.tag.${mark}`, {}, t(`mark.${mark}`));
