// @ts-check
// A card on the felt that lies face down and is turned: at once, slowly by itself, or peeled by hand.

import { face } from "./card.js";
import { h } from "./dom.js";
import { moves, speed, squeezes } from "./options.js";
import { cardName, t } from "./texts.js";

/** How long a card is squeezed, and how long one is simply turned, at a real table's pace. */
const SQUEEZE = 2_200;
const TURN = 360;
const STEP = 12;
/** How long it takes at a real table's pace until a card that is squeezed can be read. */
export const WHOLE = TURN + SQUEEZE;

/**
 * @typedef {object} Squeezed
 * @property {HTMLElement} element
 * @property {() => boolean} isOpen
 * @property {() => void} open turn it now
 * @property {(within: number) => void} hasten turn it within so many milliseconds, if it is not yet
 */

/**
 * Lay a card. `how`: "open" lies face up, "turn" is turned soon after it fell, "squeeze" slowly,
 * "wait" only by whoever looks. A card that is being squeezed shows no index until it is open.
 * @param {string} card
 * @param {"open" | "turn" | "squeeze" | "wait"} how
 * @param {{sideways: boolean, order: number, label: string, share: number}} lies `share` of a real table's time that it may take
 * @param {() => void} opened called once it can be read
 * @returns {Squeezed}
 */
export function lay(card, how, lies, opened) {
  const front = h("span.front", {}, face(card, { silent: true }));
  const back = h("span.back", { "aria-hidden": "true" });
  const lift = h("span.lift", { "aria-hidden": "true" });
  const element = h(
    "button.card",
    { type: "button", class: `card${lies.sideways ? " sideways" : ""}${moves() ? " falls" : ""}` },
    front, back, lift,
    h("span.order", { "aria-hidden": "true" }, lies.order),
  );
  const stretch = lies.share / speed();
  element.style.setProperty("--pace", String(stretch));
  let done = false;
  let peel = 0;
  /** @type {number | undefined} */
  let frame;
  /** @type {number | undefined} */
  let timer;
  /** @type {number | undefined} */
  let latest;

  function open() {
    if (done) return;
    done = true;
    clearTimeout(timer);
    clearTimeout(latest);
    if (frame !== undefined) cancelAnimationFrame(frame);
    element.classList.remove("down");
    element.classList.add("up");
    element.setAttribute("aria-label", t("card.lies", { card: cardName(card), where: lies.label }));
    element.removeAttribute("title");
    element.setAttribute("aria-disabled", "true");
    element.tabIndex = -1;
    opened();
  }

  /** @param {number} within */
  function hasten(within) {
    if (!done) latest ??= setTimeout(open, within);
  }

  /** @param {number} to per cent of the card that can be seen */
  function show(to) {
    peel = Math.max(0, Math.min(100, to));
    element.style.setProperty("--peel", `${peel}%`);
    if (peel >= 72) open();
  }

  function squeeze() {
    const began = performance.now();
    const whole = SQUEEZE * stretch;
    // As a hand does it: quickly to the first pips, a look, back a little, then all the way.
    /** @param {number} share */
    const course = (share) =>
      share < 0.35 ? (share / 0.35) * 24 : share < 0.55 ? 24 : share < 0.68 ? 24 - ((share - 0.55) / 0.13) * 8 : 16 + ((share - 0.68) / 0.32) * 60;
    /** @param {number} time */
    const step = (time) => {
      const share = Math.max(0, (time - began) / whole);
      show(course(Math.min(1, share)));
      if (!done) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    // Where nothing is painted, as in a tab behind others, it is turned all the same.
    timer = setTimeout(open, whole + 200);
  }

  if (how === "open") {
    open();
    return { element, isOpen: () => done, open, hasten };
  }
  element.classList.add("down");
  element.setAttribute("aria-label", t("card.down", { where: lies.label }));
  element.title = t("card.turn");
  element.addEventListener("click", () => open());
  element.addEventListener("keydown", (event) => {
    const by = { ArrowUp: STEP, ArrowRight: STEP, ArrowDown: -STEP, ArrowLeft: -STEP }[event.key];
    if (by === undefined || done) return;
    event.preventDefault();
    event.stopPropagation();
    if (frame !== undefined) cancelAnimationFrame(frame);
    show(peel + by);
  });
  drag(element, () => done, (share) => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    show(100 * share);
  });
  if (how === "squeeze" && squeezes()) timer = setTimeout(squeeze, TURN * stretch);
  else if (how !== "wait") timer = setTimeout(open, (moves() ? TURN : 0) * stretch);
  return { element, isOpen: () => done, open, hasten };
}

/**
 * Peel a card with the pointer: from its lower edge upwards.
 * @param {HTMLElement} element
 * @param {() => boolean} isOpen
 * @param {(share: number) => void} peeled
 */
function drag(element, isOpen, peeled) {
  let from = 0;
  element.addEventListener("pointerdown", (event) => {
    if (isOpen()) return;
    from = event.clientY;
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!element.hasPointerCapture(event.pointerId) || isOpen()) return;
    const share = (from - event.clientY) / element.getBoundingClientRect().height;
    if (share > 0.05) peeled(share);
  });
}
