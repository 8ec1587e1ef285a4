// @ts-check
// Steps through a round: first, back, play, forward, last, by button, slider and key. Knows no card.

import { h, s, say } from "./dom.js";
import { moves, paceIs } from "./options.js";
import { number, t } from "./texts.js";

const PACES = [0.25, 0.5, 1, 2, 4, 8];
const SIGNS = /** @type {Record<string, string>} */ ({
  first: "M5 4V16M16 4L8 10L16 16Z",
  back: "M14 4L6 10L14 16Z",
  play: "M6 3.5L16 10L6 16.5Z",
  pause: "M6.5 4V16M13.5 4V16",
  forward: "M6 4L14 10L6 16Z",
  last: "M15 4V16M4 4L12 10L4 16Z",
});

/** @param {string} name */
const sign = (name) => s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: SIGNS[name] }));

/**
 * Make a stepper. `wait` says how long a step is looked at, in milliseconds at pace 1.
 * @param {object} told
 * @param {(step: number, forward: boolean) => void} told.show
 * @param {(step: number) => string} told.name
 * @param {(step: number) => number} told.wait
 */
export function stepper({ show, name, wait }) {
  let [step, last, pace] = [0, 0, 1];
  /** @type {number | undefined} */
  let timer;
  /** @param {string} key @param {() => void} does */
  const button = (key, does) => h(`button.step.${key}`, { type: "button", "aria-label": t(`step.${key}`), title: t(`step.${key}`), on: { click: does } }, sign(key));
  const play = button("play", toggle);
  const slider = /** @type {HTMLInputElement} */ (h("input", { type: "range", min: 0, max: 0, step: 1, value: 0, "aria-label": t("step.slider") }));
  const said = h("p.step-said", { role: "status" });
  const speeds = /** @type {HTMLSelectElement} */ (h("select", {}, ...PACES.map((one) => h("option", { value: one, selected: one === 1 }, t("step.pace", { n: one })))));
  const buttons = [button("first", () => go(0)), button("back", () => go(step - 1)), play, button("forward", () => go(step + 1)), button("last", () => go(last))];
  const element = h("div.stepper", { role: "group", "aria-label": t("step.title") },
    h("div.step-buttons", {}, ...buttons),
    slider,
    h("label.pace", {}, h("span", {}, t("step.speed")), speeds),
    said);
  slider.addEventListener("input", () => go(Number(slider.value)));
  speeds.addEventListener("change", () => {
    pace = Number(speeds.value);
    paceIs(pace);
  });
  paceIs(pace);

  function stop() {
    clearTimeout(timer);
    timer = undefined;
    play.replaceChildren(sign("play"));
    play.setAttribute("aria-label", t("step.play"));
    play.title = t("step.play");
  }

  function toggle() {
    if (timer !== undefined) return stop();
    if (step >= last) move(0);
    play.replaceChildren(sign("pause"));
    play.setAttribute("aria-label", t("step.pause"));
    play.title = t("step.pause");
    timer = setTimeout(onwards, 300 / pace);
  }

  function onwards() {
    move(step + 1);
    if (step >= last) return stop();
    timer = setTimeout(onwards, (moves() ? wait(step) : 900) / pace);
  }

  /** @param {number} to */
  function go(to) {
    stop();
    move(to);
  }

  /** @param {number} to */
  function move(to) {
    const before = step;
    step = Math.max(0, Math.min(last, to));
    draw();
    if (step !== before) show(step, step === before + 1);
  }

  function draw() {
    slider.max = String(last);
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", name(step));
    buttons.forEach((one, index) => {
      const off = index < 2 ? step === 0 : index > 2 ? step === last : last === 0;
      one.setAttribute("aria-disabled", String(off));
    });
    say(said, t("step.of", { n: step, last, name: name(step) }));
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const own = target.closest("input, select, textarea, summary, a, [tabindex='0'], .card.down");
    const does = { ArrowRight: () => go(step + 1), ArrowLeft: () => go(step - 1), Home: () => go(0), End: () => go(last), " ": toggle }[event.key];
    if (!does || own || (event.key === " " && target.closest("button"))) return;
    event.preventDefault();
    does();
  }
  document.addEventListener("keydown", key);

  /** How many steps there are; a viewer who stood at the end stays there. @param {number} count @param {number} [at] */
  function steps(count, at) {
    const end = step === last;
    last = count;
    if (at !== undefined) step = Math.min(at, last);
    else if (end) step = last;
    draw();
    show(step, false);
  }
  return { element, steps, remove: () => document.removeEventListener("keydown", key) };
}
