// @ts-check
// The options, in a dialog: each holds at once, and is kept in this browser alone.

import { face } from "./card.js";
import { h, fill } from "./dom.js";
import { CHOICES, choose, chooseAnew, options } from "./options.js";
import { t } from "./texts.js";

/** @typedef {keyof import("./options.js").Options} Name */

/** @type {[string, Name[]][]} */
const GROUPS = [
  ["look", ["theme", "wall", "lang"]],
  ["cards", ["hands", "squeeze", "speed", "colours", "back"]],
  ["more", ["marks", "sound"]],
];

/** @param {Name} name */
function group(name) {
  const names = CHOICES[name].map((value) =>
    h("label.choice", {},
      h("input", { type: "radio", name, value, checked: options[name] === value }),
      h("span", {}, t(`option.${name}.${value}`))));
  return h("fieldset", {}, h("legend", {}, t(`option.${name}`)), h("div.choices", {}, ...names));
}

function samples() {
  return h("div.samples", { "aria-hidden": "true" },
    ...["AS", "9H", "KD", "7C"].map((card) => h("span.card.up.still", {}, h("span.front", {}, face(card, { silent: true })))),
    h("span.card.down.still", {}, h("span.back", {})));
}

/** Open the dialog; the focus goes back to where it was when it is closed. */
export function openOptions() {
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog.options", { "aria-labelledby": "options-head" }));
  function draw() {
    fill(dialog,
      h("form", { method: "dialog", on: { change: took } },
        h("div.dialog-head", {}, h("h2", { id: "options-head" }, t("option.head")),
          h("button.close", { "aria-label": t("option.close") }, "×")),
        h("p.soft", {}, t("option.kept")),
        ...GROUPS.map(([title, names]) =>
          h("section", { "aria-label": t(`option.group.${title}`) }, title === "cards" && samples(), ...names.map(group))),
        h("div.dialog-foot", {},
          h("button.anew", { type: "button", on: { click: anew } }, t("option.anew")),
          h("button.primary", {}, t("option.close")))));
  }
  /** @param {Event} event */
  function took(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const before = options.lang;
    choose(/** @type {Name} */ (input.name), input.value);
    if (options.lang === before) return;
    draw();
    const same = dialog.querySelector(`input[name="lang"][value="${options.lang}"]`);
    if (same instanceof HTMLElement) same.focus();
  }
  function anew() {
    chooseAnew();
    draw();
    const again = dialog.querySelector(".anew");
    if (again instanceof HTMLElement) again.focus();
  }
  draw();
  dialog.addEventListener("close", () => {
    dialog.remove();
    const opener = document.querySelector("#top button.options");
    if (opener instanceof HTMLElement) opener.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
