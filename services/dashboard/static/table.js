// @ts-check
// The table's page: one shoe as it is dealt.

import { ApiError, ask, get } from "./api.js";
import { betsPanel, seatsPanel } from "./bets.js";
import { leftPanel, oddsPanel, scoreCard, tallyPanel } from "./counts.js";
import { by, fill, h, say } from "./dom.js";
import { felt, isOver } from "./felt.js";
import { apply, listen } from "./live.js";
import { options, watchOptions } from "./options.js";
import { api, here, isPublic, page } from "./place.js";
import { outcome, phase } from "./reasons.js";
import { disputesPanel, findingsPanel, resultsPanel } from "./record.js";
import { roadsPanel } from "./roads.js";
import { alertOf, announce, knownBefore, lineIs, start, titled, updatedAt } from "./shell.js";
import { helpPanel, shoeHead } from "./shoe_head.js";
import { sound } from "./sound.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").TableView} TableView */

const { table } = here;
/** The exact odds are counted anew after a round, and not more often than this. */
const ODDS_EVERY = 2_500;
const RECENT = 12;
/** From so many rounds the table's pace is told. */
const PACED_BY = 3;

/** @type {TableView | null} */
let view = null;
let cursor = "";
/** @type {(() => void) | null} */
let end = null;
/** @type {ReturnType<typeof panels> | null} */
let shown = null;
let due = false;
/** The shoe as it was before the round's first card: shown beside cards that are not turned yet. @type {TableView | null} */
let before = null;
/** The last round that was over, on the felt until the next one's first card. @type {import("./types.js").Round | null} */
let last = null;
/** An outcome that waits to be said until its cards are turned. @type {import("./types.js").Result | null} */
let unsaid = null;
let endedAt = 0;
/** How long it took from a round's end to the next one's first card. @type {number[]} */
let gaps = [];

/** @param {string} key @param {string} name @param {Element} content @param {Element} [more] */
const panel = (key, name, content, more) =>
  h(`section.panel.${name}`, { "aria-labelledby": `${name}-head` }, h("div.panel-head", {}, h("h2", { id: `${name}-head` }, t(key)), more), content);

function panels() {
  const head = shoeHead(table, "table");
  const felted = felt({ titles: "h2", sound, gap: () => Math.min(Infinity, ...gaps), turned: soon });
  const coming = h("span.coming", {});
  const betsOf = h("span.coming", {});
  const roundName = h("a.round-name", { href: page.table(table) }, "\u00A0");
  const [roads, score, results] = [roadsPanel(), scoreCard(), resultsPanel(table, { newest: RECENT })];
  const [bets, seats, tally, left, odds] = [betsPanel(), seatsPanel(), tallyPanel(), leftPanel(), oddsPanel()];
  const [findings, disputes] = [findingsPanel(table), disputesPanel(table)];
  odds.update(null);
  by("main").classList.toggle("waiting", view === null);
  fill(by("main"),
    head.element,
    h("div.table-grid", { class: `table-grid${isPublic ? " public" : ""}` },
      h("div.middle", {},
        h("section.panel.play", { "aria-label": t("table.round") }, h("div.panel-head", {}, roundName, coming), felted.element),
        panel("roads.title", "roads", roads.element),
        panel("score.title", "score", score.element),
        panel("results.title", "results", results.element),
        !isPublic && panel("find.title", "findings", findings.element)),
      h("div.side", {},
        !isPublic && panel("bet.title", "bets", bets.element, betsOf),
        panel("tally.title", "tally", tally.element),
        panel("odds.title", "odds", odds.element),
        panel("left.title", "left", left.element),
        !isPublic && panel("seat.title", "seats", seats.element),
        panel("dispute.title", "disputes", disputes.element))),
    helpPanel());
  return { head, felted, roundName, coming, betsOf, roads, score, results, bets, seats, tally, left, odds, findings, disputes };
}

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
  shown.seats.update(told.seats, currency);
  shown.findings.update(told.findings, number, currency, shoe?.lamp ?? "none");
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
  askOdds();
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
  if (message.type === "shoe.opened") last = null;
  else if (view.round && isOver(view.round)) last = view.round;
  if (message.type === "shoe.opened") announce(t("said.shoe", { n: view.shoe?.shoe ?? 0 }));
  if (message.type === "round.resolved" || message.type === "round.halted") {
    unsaid = message.results.at(-1) ?? null;
    endedAt = performance.now();
  }
  if (message.view.findings) alertOf(table, message.view.findings, view.shoe?.currency ?? null);
}

/** @type {number | undefined} */
let oddsTimer;
let oddsAt = 0;

function askOdds() {
  // Nobody plays another round of a closed shoe, and of a stacked one nobody knows what is left.
  if (view?.shoe?.status !== "open" || !view.left?.unseen) return shown?.odds.update(null, t("odds.none"));
  if (oddsTimer !== undefined) return;
  oddsTimer = setTimeout(async () => {
    oddsTimer = undefined;
    oddsAt = Date.now();
    if (document.hidden) return;
    try {
      const odds = await (await ask(api.odds(table))).json();
      shown?.odds.update(odds);
    } catch (error) {
      const wait = error instanceof ApiError ? error.wait : 0;
      if (wait) setTimeout(askOdds, 1_000 * wait);
      else shown?.odds.update(null, t("odds.none"));
    }
  }, Math.max(0, oddsAt + ODDS_EVERY - Date.now()));
}

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
  if (!oddsAt) askOdds();
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
document.addEventListener("visibilitychange", () => !document.hidden && view && askOdds());
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLInputElement || document.querySelector("dialog[open]")) return;
  shown?.felted.turnAll();
});

void start(async () => {
  titled(t("table.title", { table }));
  shown = panels();
  if (view) {
    draw({ falls: false });
    askOdds();
  } else await load();
});

