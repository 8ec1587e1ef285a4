// @ts-check
// The lobby by keyboard: to the filter, out of it, and from tile to tile.

import { by } from "./dom.js";

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "/" && !target.closest("input, select, textarea")) {
    event.preventDefault();
    by("by-text").focus();
  }
  if (event.key === "Escape" && target instanceof HTMLInputElement && target.id === "by-text" && target.value) {
    target.value = "";
    target.dispatchEvent(new Event("input"));
  }
  const along = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 0, ArrowUp: 0 }[event.key];
  if (along !== undefined && target.closest(".tile")) move(event, target, along);
});

/** Go from tile to tile by the arrow keys. @param {KeyboardEvent} event @param {HTMLElement} target @param {number} along */
function move(event, target, along) {
  const links = [...document.querySelectorAll(".tiles > :not([hidden]) a.tile")].map((one) => /** @type {HTMLElement} */ (one));
  const at = links.indexOf(/** @type {HTMLElement} */ (target.closest("a.tile")));
  const first = links[0]?.getBoundingClientRect().top;
  const across = links.filter((one) => Math.abs(one.getBoundingClientRect().top - (first ?? 0)) < 2).length || 1;
  const next = links[at + (along || (event.key === "ArrowDown" ? across : -across))];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
