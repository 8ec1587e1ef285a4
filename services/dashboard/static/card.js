// @ts-check
// Draws a card's face as an SVG: pips where a printed card has them. Knows no game.

import { s } from "./dom.js";
import { cardName } from "./texts.js";

// Each suit in a box of 100 by 100.
const SUIT = {
  H: "M50 90C22 66 8 50 8 32C8 17 19 8 31 8C40 8 47 13 50 21C53 13 60 8 69 8C81 8 92 17 92 32C92 50 78 66 50 90Z",
  D: "M50 4C58 22 69 37 85 50C69 63 58 78 50 96C42 78 31 63 15 50C31 37 42 22 50 4Z",
  S: "M50 5C57 25 91 42 91 64C91 76 82 83 72 83C64 83 57 79 54 72C55 82 58 89 67 95L33 95C42 89 45 82 46 72C43 79 36 83 28 83C18 83 9 76 9 64C9 42 43 25 50 5Z",
  C: "M50 5A20 20 0 0 1 66 37A21 21 0 1 1 54 68C55 80 58 88 67 95L33 95C42 88 45 80 46 68A21 21 0 1 1 34 37A20 20 0 0 1 50 5Z",
};
const LEFT = 31;
const MID = 50;
const RIGHT = 69;
/** Where the pips lie on a face of 100 by 140; those below the middle stand on their heads. */
const PIPS = /** @type {Record<string, [number, number][]>} */ ({
  2: [[MID, 30], [MID, 110]],
  3: [[MID, 30], [MID, 70], [MID, 110]],
  4: [[LEFT, 30], [RIGHT, 30], [LEFT, 110], [RIGHT, 110]],
  5: [[LEFT, 30], [RIGHT, 30], [MID, 70], [LEFT, 110], [RIGHT, 110]],
  6: [[LEFT, 30], [RIGHT, 30], [LEFT, 70], [RIGHT, 70], [LEFT, 110], [RIGHT, 110]],
  7: [[LEFT, 30], [RIGHT, 30], [MID, 50], [LEFT, 70], [RIGHT, 70], [LEFT, 110], [RIGHT, 110]],
  8: [[LEFT, 30], [RIGHT, 30], [MID, 50], [LEFT, 70], [RIGHT, 70], [MID, 90], [LEFT, 110], [RIGHT, 110]],
  9: [[LEFT, 28], [RIGHT, 28], [LEFT, 56], [RIGHT, 56], [MID, 70], [LEFT, 84], [RIGHT, 84], [LEFT, 112], [RIGHT, 112]],
  T: [[LEFT, 28], [RIGHT, 28], [MID, 42], [LEFT, 56], [RIGHT, 56], [LEFT, 84], [RIGHT, 84], [MID, 98], [LEFT, 112], [RIGHT, 112]],
});
// What the kings, queens and jacks wear, in a box of 40 by 16.
const WORN = {
  K: "M2 15L0 3L9 9L15 0L20 9L25 0L31 9L40 3L38 15Z",
  Q: "M3 15L0 5Q6 11 10 3Q15 11 20 1Q25 11 30 3Q34 11 40 5L37 15Z",
  J: "M2 15Q4 5 20 5Q36 5 38 15ZM20 5Q24 -2 36 -1Q30 5 20 5Z",
};

/** @param {string} suit @param {number} x @param {number} y @param {number} size @param {boolean} [turned] */
function pip(suit, x, y, size, turned = false) {
  const scale = size / 100;
  const turn = turned ? " rotate(180 50 50)" : "";
  return s("path", {
    d: SUIT[/** @type {keyof typeof SUIT} */ (suit)] ?? "",
    transform: `translate(${x - size / 2} ${y - size / 2}) scale(${scale})${turn}`,
  });
}

/** @param {string} rank @param {string} suit @param {boolean} turned */
function index(rank, suit, turned) {
  const label = rank === "T" ? "10" : rank;
  const corner = s("g.index", turned ? { transform: "rotate(180 50 70)" } : {});
  const text = s("text.rank", { x: 11.5, y: 19, "text-anchor": "middle" }, label);
  if (rank === "T") text.setAttribute("textLength", "15");
  if (rank === "T") text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  corner.append(text, pip(suit, 11.5, 30, 13));
  return corner;
}

/** @param {string} rank @param {string} suit */
function court(rank, suit) {
  const worn = WORN[/** @type {keyof typeof WORN} */ (rank)];
  const half = () => [
    s("path", { d: worn, transform: "translate(34 37) scale(.8)" }),
    pip(suit, 30.5, 29, 13),
  ];
  return [
    s("rect.frame", { x: 22, y: 20, width: 56, height: 100, rx: 3 }),
    s("g", {}, ...half()),
    s("g", { transform: "rotate(180 50 70)" }, ...half()),
    s("text.letter", { x: 50, y: 83, "text-anchor": "middle" }, rank),
  ];
}

/**
 * Draw a card's face. It is named for who does not see it, unless `silent`.
 * @param {string} card rank and suit, as `9D`
 * @param {{silent?: boolean}} [how]
 */
export function face(card, { silent = false } = {}) {
  const rank = card[0] ?? "";
  const suit = card[1] ?? "";
  const spots = PIPS[rank];
  const inner = spots
    ? spots.map(([x, y]) => pip(suit, x, y, rank === "T" || rank === "9" ? 17.5 : 21, y > 70))
    : rank === "A"
      ? [pip(suit, 50, 70, 46)]
      : court(rank, suit);
  const named = silent ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(card) };
  return s(
    `svg.face.suit-${/^[CDHS]$/.test(suit) ? suit : "none"}`,
    { viewBox: "0 0 100 140", ...named },
    ...inner,
    index(rank, suit, false),
    index(rank, suit, true),
  );
}

/** A card in line with text: its sign on a small piece of paper. @param {string} card @param {HTMLElement} paper */
export function onPaper(card, paper) {
  const suit = card[1] ?? "";
  paper.className = `chip suit-${/^[CDHS]$/.test(suit) ? suit : "none"}`;
  return paper;
}
