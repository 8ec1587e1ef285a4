// @ts-check
// All that a person reads comes from here: the catalogue, money, times, numbers, names of cards.

import { now } from "./api.js";
import { options } from "./options.js";

/** @typedef {"en" | "ja" | "zh"} Lang */
/** @typedef {Record<string, string | number | null | undefined>} Values */

/** @type {Record<string, Record<Lang, string>>} */
let texts = {};
/** @type {Lang} */
let lang = "en";
const LOCALES = { en: "en", ja: "ja", zh: "zh-Hans" };

/** Load the catalogue, once for each page. */
export async function loadTexts() {
  const answer = await fetch("/static/texts.json", { credentials: "same-origin" });
  texts = await answer.json();
  chooseLanguage();
}

/** Take the viewer's language: what he chose, else the first of his browser's that there is. */
export function chooseLanguage() {
  const wanted = options.lang === "auto" ? navigator.languages : [options.lang];
  const known = wanted.map((one) => one.slice(0, 2).toLowerCase()).find((one) => one in LOCALES);
  lang = /** @type {Lang} */ (known ?? "en");
  document.documentElement.lang = LOCALES[lang] === "zh-Hans" ? "zh-Hans" : lang;
  forms.clear();
}

/** Whether the catalogue has this text. @param {string} key */
export const has = (key) => Object.hasOwn(texts, key);

/**
 * Give a text. `{name}` is a value; `{n?round:rounds}` is the one or the other by the number n.
 * @param {string} key
 * @param {Values} [values]
 */
export function t(key, values = {}) {
  const found = Object.hasOwn(texts, key) ? texts[key] : undefined;
  const text = found?.[lang] ?? found?.en ?? key;
  return text.replace(/\{(\w+)(?:\?([^:}]*):([^}]*))?\}/g, (whole, name, one, other) => {
    const value = values[name];
    if (one !== undefined) return value === 1 ? one : other;
    if (typeof value === "number") return number(value);
    return value === undefined ? whole : (value ?? "–");
  });
}

/** A text that may be missing: then what it names is shown as it is. @param {string} key @param {string} plain */
export const known = (key, plain) => (has(key) ? t(key) : plain);

/** @type {Map<string, any>} */
const forms = new Map();

/** @template T @param {string} key @param {() => T} make @returns {T} */
function form(key, make) {
  let found = forms.get(key);
  if (!found) forms.set(key, (found = make()));
  return found;
}

const locale = () => LOCALES[lang];

/** @param {number} value */
export const number = (value) => form("number", () => new Intl.NumberFormat(locale())).format(value);

/** A whole number with its sign. @param {number} value */
export const signed = (value) =>
  form("signed", () => new Intl.NumberFormat(locale(), { signDisplay: "exceptZero" })).format(value);

/** A share of 1 as per cent. @param {number} value @param {number} [digits] */
export const percent = (value, digits = 2) =>
  form(`percent ${digits}`, () =>
    new Intl.NumberFormat(locale(), { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ).format(value);

/**
 * Money, from minor units, without ever being a float: the decimals are spelled, not divided.
 * @param {number} amount
 * @param {string | null | undefined} currency
 * @param {{sign?: boolean}} [how]
 */
export function money(amount, currency, { sign = false } = {}) {
  const signDisplay = sign ? "exceptZero" : "auto";
  let told;
  try {
    told = form(`${currency} ${sign}`, () =>
      new Intl.NumberFormat(locale(), { style: "currency", currency: currency ?? "", signDisplay, currencyDisplay: "narrowSymbol" }),
    );
  } catch {
    return `${sign ? signed(amount) : number(amount)} ${currency ?? ""}`.trim();
  }
  const digits = told.resolvedOptions().maximumFractionDigits ?? 2;
  const spelled = String(Math.abs(amount)).padStart(digits + 1, "0");
  const whole = digits ? `${spelled.slice(0, -digits)}.${spelled.slice(-digits)}` : spelled;
  return told.format(/** @type {any} */ (`${amount < 0 ? "-" : ""}${whole}`));
}

/** What a record says a time is may be none: then it is shown as it is. @param {string} time @param {Intl.DateTimeFormat} how */
function spelled(time, how) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : how.format(date);
}

/** The time of day of an event. @param {string} time */
export const clock = (time) =>
  spelled(time, form("clock", () => new Intl.DateTimeFormat(locale(), { timeStyle: "medium" })));

/** The zone that times are told in, short. */
export const zone = () =>
  form("zone", () => new Intl.DateTimeFormat(locale(), { timeZoneName: "short" })).formatToParts(new Date()).find((/** @type {{type: string}} */ part) => part.type === "timeZoneName")?.value ?? "";

/** Day and time of an event, with its zone. @param {string} time */
export const moment = (time) =>
  spelled(time, form("moment", () => new Intl.DateTimeFormat(locale(), { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short" })));

/** How long ago that was, in one unit. @param {string | null} time */
export function ago(time) {
  const seconds = time ? Math.max(0, Math.floor((now() - Date.parse(time)) / 1000)) : NaN;
  if (Number.isNaN(seconds)) return t("ago.never");
  if (seconds < 100) return t("ago.seconds", { n: seconds });
  if (seconds < 6_000) return t("ago.minutes", { n: Math.floor(seconds / 60) });
  if (seconds < 172_800) return t("ago.hours", { n: Math.floor(seconds / 3_600) });
  return t("ago.days", { n: Math.floor(seconds / 86_400) });
}

const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** A card in two signs, as `9♦`. The sign is told to be text, not a picture. @param {string} card */
export const glyph = (card) =>
  `${card[0] === "T" ? "10" : card[0]}${SUITS[/** @type {keyof typeof SUITS} */ (card[1])] ?? card.slice(1)}\uFE0E`;

/** A card in words. @param {string} card */
export const cardName = (card) =>
  t("card.name", { rank: known(`rank.${card[0]}`, card[0] ?? ""), suit: known(`suit.${card[1]}`, card.slice(1)) });

/** @param {string} spot */
export const spotName = (spot) => known(`spot.${spot}`, spot);

/** What a finding's code says. @param {string} code */
export const codeName = (code) => known(`code.${code}`, code);
