// @ts-check
// What was found, said at once on whatever page is open, with a way to it; how many are new. Of cards that are hidden it tells nothing.

import { by, fill, h } from "./dom.js";
import { mayBeHidden, watchHidden } from "./hidden.js";
import { address, here, isPublic, page } from "./place.js";
import { sound } from "./sound.js";
import { codeName, money, number, t } from "./texts.js";

/** @typedef {import("./types.js").Finding} Finding */

const UNSEEN = "shoetrail.unseen";
const MOST_ALERTS = 3;

function unseen() {
  try {
    const count = Number(localStorage.getItem(UNSEEN) ?? 0);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch {
    return 0;
  }
}

/** @param {number} count */
function keepUnseen(count) {
  try {
    localStorage.setItem(UNSEEN, String(count));
  } catch {
    // The badge then counts from nothing on each page.
  }
  badge();
}

/** Nothing is new any more: the findings are on the screen. */
export const seen = () => keepUnseen(0);

/** Show how many are new, in the head. */
export function badge() {
  const place = document.getElementById("badge");
  if (!place) return;
  const count = unseen();
  place.hidden = count === 0;
  fill(place, h("span", { "aria-hidden": "true" }, count > 99 ? "99+" : number(count)), h("span.unseen", {}, t("head.new-findings", { n: count })));
}

/** @type {Set<string>} */
const alerted = new Set();
/** The alerts that stand, each with how it is drawn anew. @type {Map<Element, () => void>} */
const standing = new Map();

/** @param {string} table @param {Finding} one */
const nameOf = (table, one) => `${table} ${one.code} ${one.at}`;

/**
 * Say at once that something was found. Each is said once.
 * @param {string} table
 * @param {readonly Finding[]} findings
 * @param {string | null} currency
 */
export function alertOf(table, findings, currency) {
  const fresh = findings.filter((one) => !alerted.has(nameOf(table, one)));
  for (const one of fresh) alerted.add(nameOf(table, one));
  if (!fresh.length || isPublic) return;
  if (document.documentElement.dataset["page"] !== "findings") keepUnseen(unseen() + fresh.length);
  if (fresh.some((one) => one.grade === "fault")) sound("finding");
  for (const one of fresh.slice(-MOST_ALERTS)) toast(table, one, currency);
}

/** These were there when the page came, and are no news. @param {string} table @param {readonly Finding[]} findings */
export function knownBefore(table, findings) {
  for (const one of findings) alerted.add(nameOf(table, one));
}

/** @param {string} table @param {Finding} one @param {string | null} currency */
function said(table, one, currency) {
  const grade = h("strong", {}, t(`grade.${one.grade}`));
  if (mayBeHidden(table, one)) {
    const words = t("find.hidden", { table, n: one.round ?? 0 });
    return [grade, " ", here.table === table ? words : h("a", { href: page.table(table) }, words)];
  }
  const shoe = address(one.at)?.shoe;
  const where = one.round !== null ? t("find.where-round", { table, n: one.round }) : t("find.where", { table });
  return [grade, " ", codeName(one.code), one.amount ? ` ${money(one.amount, currency, { sign: true })}` : "", " ",
    shoe === undefined
      ? where
      : h("a", { href: one.round !== null ? page.round(table, shoe, one.round) : page.shoe(table, shoe) }, where)];
}

/** @param {string} table @param {Finding} one @param {string | null} currency */
function toast(table, one, currency) {
  const place = by("alerts");
  const box = h("div.toast", { class: `toast ${one.grade}` });
  /** @type {boolean | undefined} */
  let hidden;
  const draw = () => {
    if (hidden === (hidden = mayBeHidden(table, one))) return;
    fill(box, ...said(table, one, currency),
      h("button.close", { type: "button", "aria-label": t("alert.close"), on: { click: () => remove(box) } }, "×"));
  };
  draw();
  standing.set(box, draw);
  place.append(box);
  while (place.firstElementChild && place.children.length > MOST_ALERTS) remove(place.firstElementChild);
}

/** @param {Element} box */
function remove(box) {
  standing.delete(box);
  box.remove();
}

watchHidden(() => [...standing.values()].forEach((draw) => draw()));
addEventListener("storage", (event) => event.key === UNSEEN && badge());
