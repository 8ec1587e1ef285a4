// @ts-check
// What a viewer chose, kept in his browser alone. Knows no text and draws nothing.

/**
 * @typedef {object} Options
 * @property {"auto" | "light" | "dark"} theme
 * @property {"auto" | "en" | "ja" | "zh"} lang
 * @property {"shown" | "hidden"} hands
 * @property {"on" | "off"} squeeze
 * @property {"two" | "four"} colours
 * @property {"lattice" | "waves" | "plain"} back
 * @property {"half" | "one" | "two" | "four"} speed
 * @property {"off" | "on"} sound
 * @property {"x" | "numbers"} marks
 * @property {"off" | "on"} wall
 */

/** @type {{[K in keyof Options]: readonly [Options[K], ...Options[K][]]}} What may be chosen; the first is so at first. */
export const CHOICES = {
  theme: ["auto", "light", "dark"],
  lang: ["auto", "en", "ja", "zh"],
  hands: ["shown", "hidden"],
  squeeze: ["on", "off"],
  colours: ["two", "four"],
  back: ["lattice", "waves", "plain"],
  speed: ["one", "half", "two", "four"],
  sound: ["off", "on"],
  marks: ["x", "numbers"],
  wall: ["off", "on"],
};
const SPEEDS = { half: 0.5, one: 1, two: 2, four: 4 };
const KEY = "shoetrail.options";

/** @type {Set<(changed: string[]) => void>} */
const watchers = new Set();

/** @returns {Options} */
function read() {
  /** @type {Record<string, unknown>} */
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    // Not ours, or not allowed: as at first.
  }
  const entries = Object.entries(CHOICES).map(([name, values]) => {
    const value = /** @type {readonly unknown[]} */ (values).includes(kept[name]) ? kept[name] : values[0];
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** The options as they are now: read them here, change them by `choose`. */
export const options = read();

function mark() {
  const { dataset } = document.documentElement;
  for (const name of /** @type {const} */ (["theme", "colours", "back", "wall"])) dataset[name] = options[name];
}

/** @param {Options} wanted */
function take(wanted) {
  const names = /** @type {(keyof Options)[]} */ (Object.keys(CHOICES));
  const changed = names.filter((name) => options[name] !== wanted[name]);
  Object.assign(options, wanted);
  mark();
  if (changed.length) for (const watcher of watchers) watcher(changed);
}

/**
 * Choose a value, keep it, and tell whoever watches.
 * @param {keyof Options} name
 * @param {string} value
 */
export function choose(name, value) {
  if (!(/** @type {readonly string[]} */ (CHOICES[name]).includes(value))) return;
  const wanted = { ...options, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(wanted));
  } catch {
    // It holds for this page, then.
  }
  take(wanted);
}

/** Choose everything as at first. */
export function chooseAnew() {
  for (const [name, values] of Object.entries(CHOICES)) choose(/** @type {keyof Options} */ (name), values[0]);
}

/**
 * Be told which options changed, here or in another tab.
 * @param {(changed: string[]) => void} watcher
 */
export function watchOptions(watcher) {
  watchers.add(watcher);
}

/** @type {number | null} */
let pace = null;

/** Let this page go at a pace of its own, whatever the options say. @param {number | null} value */
export function paceIs(value) {
  pace = value;
}

/** How fast cards are turned: 1 is a real table's pace. */
export const speed = () => pace ?? SPEEDS[options.speed];

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether things may move at all. */
export const moves = () => !still.matches;

/** Whether the hidden card is turned slowly. */
export const squeezes = () => options.squeeze === "on" && moves();

addEventListener("storage", (event) => {
  if (event.key === KEY || event.key === null) take(read());
});
mark();
