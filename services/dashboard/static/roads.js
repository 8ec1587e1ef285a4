// @ts-check
// The five roads as SVG, each with the same in words beside it. It works out no mark: the board says them.

import { h, redraw, s } from "./dom.js";
import { options } from "./options.js";
import { number, t } from "./texts.js";

/** @typedef {import("./types.js").Roads} Roads */
/** @typedef {import("./types.js").BigCell} BigCell */
/** @typedef {import("./types.js").DerivedCell} DerivedCell */

const ROWS = 6;
const CELL = 20;
const DERIVED = /** @type {const} */ (["big_eye", "small", "cockroach"]);
/** As wide as this at least, so that a road does not grow while one looks; and the next cells can be seen. */
const WIDEST = { bead: 15, big: 30, big_eye: 30, small: 30, cockroach: 30 };
const CLASS = /** @type {Record<string, string>} */ ({ B: "banker", P: "player", T: "tie" });

/** @param {number} columns @param {number} cell */
function grid(columns, cell) {
  let d = "";
  for (let row = 0; row <= ROWS; row += 1) d += `M0 ${row * cell}H${columns * cell}`;
  for (let column = 0; column <= columns; column += 1) d += `M${column * cell} 0V${ROWS * cell}`;
  return s("path.grid", { d });
}

/** @param {number} columns @param {string} label @param {Element[]} cells */
function board(columns, label, cells) {
  const [width, height] = [columns * CELL, ROWS * CELL];
  return s("svg.road", { viewBox: `-1 -1 ${width + 2} ${height + 2}`, width: width + 2, height: height + 2, role: "img", "aria-label": label },
    grid(columns, CELL), ...cells);
}

/** @param {number} column @param {number} row @param {string} kind @param {Element[]} shapes @param {boolean} last */
const at = (column, row, kind, shapes, last) =>
  s(`g.${kind}${last ? ".last" : ""}`, { transform: `translate(${column * CELL + CELL / 2} ${row * CELL + CELL / 2})` }, ...shapes);

/** @param {string} letter @param {string} kind */
const lettered = (letter, kind) => s(`text.${kind}`, { y: 4, "text-anchor": "middle" }, letter);

/** @param {string} letters @param {number} columns */
function beadCells(letters, columns) {
  const from = Math.max(0, Math.ceil(letters.length / ROWS) - columns) * ROWS;
  return [...letters.slice(from)].map((letter, index, all) =>
    at(Math.floor(index / ROWS), index % ROWS, CLASS[letter] ?? "none",
      [s("circle.disc", { r: 8.4 }), lettered(letter, "on-disc")], index === all.length - 1));
}

/** @param {readonly BigCell[]} cells */
const bigCells = (cells) =>
  cells.map(([column, row, side, ties], index) => {
    const shapes = [s("circle.ring", { r: 7.6 }), lettered(side, "in-ring")];
    if (ties) shapes.push(s("path.ties", { d: "M-8 8L8 -8" }));
    if (ties > 1) shapes.push(s("text.tie-count", { x: 5, y: 8.5, "text-anchor": "middle" }, number(ties)));
    return at(column, row, CLASS[side] ?? "none", shapes, index === cells.length - 1);
  });

/**
 * The sign of a derived road: red and blue differ in shape, as in `shoetrail roads`.
 * @param {string} road
 * @param {string} mark R or B
 */
function derivedSign(road, mark) {
  const red = mark === "R";
  if (road === "cockroach") return s("path.slash", { d: red ? "M-6 6L6 -6" : "M-6 -6L6 6" });
  const kind = road === "small" ? "solid" : "hollow";
  return red ? s(`circle.${kind}`, { r: 6 }) : s(`rect.${kind}`, { x: -5.5, y: -5.5, width: 11, height: 11 });
}

/** @param {string} road @param {readonly DerivedCell[]} cells */
const derivedCells = (road, cells) =>
  cells.map(([column, row, mark], index) =>
    at(column, row, mark === "R" ? "red" : "blue", [derivedSign(road, mark)], index === cells.length - 1));

/** How many columns these cells take, with one to spare. @param {readonly (readonly [number, ...unknown[]])[]} cells */
const wide = (cells) => cells.reduce((most, [column]) => Math.max(most, column + 2), 0);

/** The big road column by column, in words. @param {readonly BigCell[]} cells */
function runs(cells) {
  /** @type {{side: string, length: number, ties: number}[]} */
  const told = [];
  for (const [, , side, ties] of cells) {
    const last = told.at(-1);
    if (last?.side === side) {
      last.length += 1;
      last.ties += ties;
    } else told.push({ side, length: 1, ties });
  }
  return told.map(({ side, length, ties }) => t(ties ? "roads.run-ties" : "roads.run", { side: t(`hand.${CLASS[side]}`), n: length, ties }));
}

/** @param {Roads} roads */
function inWords(roads) {
  const marks = (/** @type {readonly DerivedCell[]} */ cells) =>
    cells.map(([, , mark]) => t(mark === "R" ? "roads.red" : "roads.blue")).join(t("list.comma")) || t("roads.no-mark");
  return h("dl.words", {},
    h("dt", {}, t("roads.bead")), h("dd", {}, [...roads.bead].join(" ") || t("roads.no-mark")),
    h("dt", {}, t("roads.big")), h("dd", {}, runs(roads.big).join(t("list.comma")) || t("roads.no-mark")),
    ...DERIVED.flatMap((road) => [h("dt", {}, t(`roads.${road}`)), h("dd", {}, marks(roads[road]))]));
}

/** @param {Roads} roads */
function asked(roads) {
  const cell = (/** @type {string} */ road, /** @type {"R" | "B" | null} */ mark) =>
    h("td", {}, mark === null
      ? h("span", {}, "–")
      : s("svg.asked", { viewBox: "-10 -10 20 20", role: "img", "aria-label": t(mark === "R" ? "roads.red" : "roads.blue") },
          s(`g.${mark === "R" ? "red" : "blue"}`, {}, derivedSign(road, mark))));
  const row = (/** @type {"if_banker" | "if_player"} */ side) =>
    h("tr", {}, h("th", { scope: "row" }, t(`roads.${side}`)), ...DERIVED.map((road) => cell(road, roads[side][road])));
  return h("table.predictions", {},
    h("caption", {}, t("roads.next")),
    h("thead", {}, h("tr", {}, h("td", {}), ...DERIVED.map((road) => h("th", { scope: "col" }, t(`roads.${road}`))))),
    h("tbody", {}, row("if_banker"), row("if_player")));
}

/** @param {string} name @param {string} label @param {Element} svg */
const scroll = (name, label, svg) =>
  h(`div.road-box.${name}`, { tabindex: "0", role: "group", "aria-label": label }, svg);

/** Make a panel of all five roads. */
export function roadsPanel() {
  const boards = h("div.boards", {});
  const next = h("div.next-marks", {});
  const words = h("div", {});
  const element = h("div.roads", {}, boards, next,
    h("details.in-words", {}, h("summary", {}, t("roads.in-words")), words));

  /** Keep the last mark of each road in sight, with some room to its right. */
  function follow() {
    for (const box of boards.querySelectorAll(".road-box")) {
      const last = box.querySelector(".last");
      const over = last ? last.getBoundingClientRect().right + 48 - box.getBoundingClientRect().right : 0;
      if (over > 0) box.scrollLeft += over;
    }
  }

  /** @param {Roads} roads */
  function update(roads) {
    const changed = redraw(boards, [options.lang, roads.bead, roads.big], () => {
      const beads = Math.max(WIDEST.bead, Math.ceil(roads.bead.length / ROWS) + 1);
      const labels = { bead: t("roads.bead-label", { n: roads.bead.length }), big: t("roads.big-label", { n: runs(roads.big).length, last: runs(roads.big).at(-1) ?? t("roads.no-mark") }) };
      const one = (/** @type {string} */ name, /** @type {Element} */ svg) =>
        h(`figure.${name}`, {}, h("figcaption", {}, t(`roads.${name}`)), scroll(name, t(`roads.${name}`), svg));
      return [
        one("bead", board(beads, labels.bead, beadCells(roads.bead, beads))),
        one("big", board(Math.max(WIDEST.big, wide(roads.big)), labels.big, bigCells(roads.big))),
        ...DERIVED.map((road) => one(road, board(Math.max(WIDEST[road], wide(roads[road])), t("roads.derived-label", { road: t(`roads.${road}`), n: roads[road].length }), derivedCells(road, roads[road])))),
      ];
    });
    redraw(next, [options.lang, roads.if_banker, roads.if_player], () => [asked(roads)]);
    redraw(words, [options.lang, roads.bead], () => [inWords(roads)]);
    if (changed) follow();
  }
  return { element, update };
}

/**
 * The big road in small, for a tile: three paths whatever its length; a disc is banker, a ring player.
 * @param {readonly BigCell[]} cells
 * @param {number} columns
 */
export function smallRoad(cells, columns) {
  const size = 10;
  const from = Math.max(0, wide(cells) - 1 - columns);
  /** @type {Record<string, string>} */
  const d = { B: "", P: "", ties: "" };
  for (const [column, row, side, ties] of cells) {
    const [x, y] = [(column - from) * size + 5, row * size + 5];
    if (column < from) continue;
    d[side] = `${d[side] ?? ""}M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0`;
    if (ties) d["ties"] += `M${x - 4} ${y + 4}L${x + 4} ${y - 4}`;
  }
  return s("svg.small-road", { viewBox: `-.5 -.5 ${columns * size + 1} ${ROWS * size + 1}`, "aria-hidden": "true" },
    grid(columns, size), s("path.banker", { d: d["B"] }), s("path.player", { d: d["P"] }), s("path.ties", { d: d["ties"] }));
}
