// @ts-check
// The table's page: one shoe as it is dealt.

import { alertOf, knownBefore } from "./alerts.js";
import { get } from "./api.js";
import { by, say } from "./dom.js";
import { isOver } from "./felt.js";
import { feltIs, newestIs } from "./hidden.js";
import { apply, listen } from "./live.js";
import { oddsAsked } from "./odds_asked.js";
import { options, squeezes, watchOptions } from "./options.js";
import { api, here, page } from "./place.js";
import { outcome, phase } from "./reasons.js";
import { announce, lineIs, start, titled, updatedAt } from "./shell.js";
import { sound } from "./sound.js";
import { tablePanels } from "./table_panels.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").TableView} TableView */

const { table } = here;
/** From so many rounds the table's pace is told. */
const PACED_BY = 3;

/** @type {TableView | null} */
let view = null;
let cursor = "";
/** @type {(() => void) | null} */
let end = null;
/** @type {ReturnType<typeof tablePanels> | null} */
let shown = null;
let due = false;
/** The shoe as it was before the round's first card: shown beside cards that are not turned yet. @type {TableView | null} */
let before = null;
/** The last round that was over, on the felt until the next one's first card. @type {import("./types.js").Round | null} */
let last = null;
/** An outcome that waits to be said until its cards are turned. @type {import("./types.js").Result | null} */
let unsaid = null;
/** Whether something was found that was not said yet. */
let found = false;
let endedAt = 0;
/** How long it took from a round's end to the next one's first card. @type {number[]} */
let gaps = [];

/** @param {{falls: boolean}} move */
function draw({ falls }) {
  due = false;
  if (!view || !shown) return;
  const { shoe } = view;
  const [number, currency] = [shoe?.shoe ?? 0, shoe?.currency ?? ""];
  shown.head.update(shoe);
  const next = view.round;
  const round = next?.cards.length === 0 && !isOver(next) && last ? last : next;
  say(shown.coming, next && round !== next ? t("table.coming", { n: next.number, phase: phase(next) }) : "");
  const name = round ? t("round.n", { n: round.number }) : t("table.no-round");
  if (shown.roundName.textContent !== name) shown.roundName.textContent = name;
  shown.roundName.setAttribute("href", round ? page.round(table, number, round.number) : page.table(table));
  shown.felted.update(round, `${table}/${number}`, { falls });
  updatedAt(view.updated);
  // What a hidden card decides is not told beside it.
  const hides = shown.felted.hides();
  newestIs(table, number, round?.number ?? 0);
  feltIs(table, number, round?.number ?? 0, hides);
  if (found) alertOf(table, view.findings, currency);
  found = false;
  const told = hides && before ? before : view;
  by("main").classList.toggle("kept", hides && !before);
  const bets = told === view && !next?.bets.length ? round : told.round;
  say(shown.betsOf, bets ? t("round.n", { n: bets.number }) : "");
  shown.bets.update(bets, currency);
  shown.roads.update(told.roads);
  shown.tally.update(told.tally);
  shown.score.update(told.results);
  shown.odds.offered(shoe?.spots ?? []);
  shown.left.update(told.left, shoe?.decks ?? 8);
  shown.results.update(told.results, number, shoe?.lamp, told.findings);
  shown.seats.update(told.seats, currency, told.seats_more);
  shown.findings.update(told.findings, number, currency, shoe?.lamp ?? "none", told.findings_more);
  shown.disputes.update(told, currency);
  if (!hides) sayIt();
}

function soon() {
  if (due) return;
  due = true;
  // Many messages in one frame are one drawing; a tab that is not looked at draws once it is.
  requestAnimationFrame(() => draw({ falls: true }));
}

/** Say how the last round came out, once. */
function sayIt() {
  if (!unsaid) return;
  announce(outcome(unsaid));
  sound(unsaid.winner);
  unsaid = null;
  odds.ask();
}

/** @param {number} gap */
const paced = (gap) => (gaps = [...gaps, gap].slice(-PACED_BY));

/** @param {import("./types.js").TableMessage} message */
function took(message) {
  if (!view) return;
  if (message.type === "card.drawn" && message.view.round?.cards.length === 1) {
    sayIt();
    before = { ...view };
    last = null;
    if (endedAt) paced(performance.now() - endedAt);
    endedAt = 0;
  }
  apply(view, message);
  soon();
  // His other pages may hear of this round before it is drawn here.
  if (message.type === "card.drawn" && view.shoe && view.round && (options.hands === "hidden" || (squeezes() && !document.hidden)))
    feltIs(table, view.shoe.shoe, view.round.number, true);
  if (message.type === "shoe.opened") last = null;
  else if (view.round && isOver(view.round)) last = view.round;
  if (message.type === "shoe.opened") announce(t("said.shoe", { n: view.shoe?.shoe ?? 0 }));
  if (message.type === "round.resolved" || message.type === "round.halted") {
    unsaid = message.results.at(-1) ?? null;
    endedAt = performance.now();
  }
  if (message.view.findings) found = true;
  // A tab that is not looked at draws nothing, and turns no card.
  if (document.hidden && found) {
    alertOf(table, view.findings, view.shoe?.currency ?? null);
    found = false;
  }
}

const odds = oddsAsked(table, () => view, (found, why) => shown?.odds.update(found, why));

async function load() {
  end?.();
  const answer = await get(api.table(table));
  view = /** @type {TableView} */ (answer.view);
  cursor = answer.cursor;
  // Cards that lie here already lie open, unless they are hidden by choice.
  before = options.hands === "hidden" || (view.round && isOver(view.round)) ? null : { ...view };
  last = view.round && isOver(view.round) ? view.round : null;
  const times = view.results.slice(-PACED_BY).map((row) => Date.parse(row.time));
  gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0)).filter((gap) => gap > 0);
  knownBefore(table, view.findings);
  // Shown once it is whole, so that nothing jumps.
  by("main").classList.remove("waiting");
  draw({ falls: false });
  if (!odds.asked()) odds.ask();
  // A table that only logs know is not dealt at: there is nothing to follow.
  if (cursor) follow();
  else lineIs("still");
}

function follow() {
  end = listen(api.tableStream(table), cursor, {
    message: took,
    reset: () => void again(),
    state: lineIs,
  });
}

async function again() {
  try {
    await load();
  } catch {
    setTimeout(again, 2_000);
  }
}

watchOptions((changed) => {
  if (!view || !shown) return;
  if (changed.includes("hands")) {
    shown.felted.update(null, "");
  }
  draw({ falls: false });
});
addEventListener("pagehide", () => {
  const round = view?.round;
  if (options.hands === "shown" && view?.shoe && round) feltIs(table, view.shoe.shoe, round.number, false);
});
document.addEventListener("visibilitychange", () => !document.hidden && view && odds.ask());
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLInputElement || document.querySelector("dialog[open]")) return;
  shown?.felted.turnAll();
});

void start(async () => {
  titled(t("table.title", { table }));
  shown = tablePanels({ gap: () => Math.min(Infinity, ...gaps), turned: soon, waiting: view === null });
  if (view) {
    draw({ falls: false });
    odds.ask();
  } else await load();
});

