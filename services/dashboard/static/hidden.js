// @ts-check
// Whether a round's cards may still be hidden from this viewer, here or on another page of his. It draws nothing.

import { options, watchOptions } from "./options.js";
import { address } from "./place.js";

/** By table: the round on its felt in this browser, and whether a card of it is hidden: `12#17 down`. */
const KEY = "shoetrail.felt/";

/** The newest round of each table that this page knows. @type {Map<string, {shoe: number, round: number}>} */
const newest = new Map();
/** @type {Set<() => void>} */
const watchers = new Set();
/** What was kept where a browser keeps nothing. @type {Map<string, string>} */
const here = new Map();

const tell = () => watchers.forEach((watcher) => watcher());

/** Be told when a round may be told of that could not be before. @param {() => void} watcher */
export const watchHidden = (watcher) => watchers.add(watcher);

/** @param {string} table */
function felt(table) {
  try {
    return localStorage.getItem(KEY + table);
  } catch {
    return here.get(table) ?? null;
  }
}

/**
 * Keep whether cards of the round on a table's felt are hidden.
 * @param {string} table @param {number} shoe @param {number} round @param {boolean} down
 */
export function feltIs(table, shoe, round, down) {
  const value = `${shoe}#${round} ${down ? "down" : "up"}`;
  if (felt(table) === value) return;
  here.set(table, value);
  try {
    localStorage.setItem(KEY + table, value);
  } catch {
    // It holds for this page, then.
  }
  tell();
}

/**
 * Note a table's newest round: those before it lie open everywhere.
 * @param {string} table @param {number | null} shoe @param {number} round
 */
export function newestIs(table, shoe, round) {
  const known = newest.get(table);
  if (known?.shoe === shoe && known?.round === round) return;
  newest.set(table, { shoe: shoe ?? 0, round });
  if (known) tell();
}

/**
 * Whether what was found would tell of cards that this viewer has not seen turned.
 * @param {string} table
 * @param {{round: number | null, at: string}} finding
 */
export function mayBeHidden(table, finding) {
  const now = newest.get(table);
  const shoe = address(finding.at)?.shoe ?? now?.shoe;
  if (!now || finding.round === null || shoe !== now.shoe || finding.round < now.round) return false;
  const [kept, name] = [felt(table), `${shoe}#${finding.round}`];
  return kept === `${name} down` || (options.hands === "hidden" && kept !== `${name} up`);
}

watchOptions((changed) => changed.includes("hands") && tell());
addEventListener("storage", (event) => event.key?.startsWith(KEY) && tell());
