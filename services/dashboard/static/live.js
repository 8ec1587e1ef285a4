// @ts-check
// Holds on to a stream: goes on after the last message it got, whatever became of the line. It draws nothing.

import { ApiError, ask, signIn } from "./api.js";

/** @typedef {"connecting" | "live" | "lost" | "resting"} LineState */

// What an event stream may be called by: an EventSource hears only the names that it listens to.
const TYPES = [
  "shoe.opened", "shoe.cut", "bettor.seated", "bettor.left", "card.burned", "card.discarded",
  "round.opened", "bets.closed", "round.dealt", "round.voided", "bet.placed", "bet.refused",
  "bet.passed", "bet.withdrawn", "card.drawn", "cut_card.out", "dealer.changed",
  "commission.collected", "command.refused", "money.adjusted", "shoe.closed", "round.resolved",
  "round.halted", "round.audited", "shoe.audited", "dispute.opened", "dispute.resolved",
  "unreadable", "message",
];
const SLOWEST = 8_000;
// A browser opens six lines to one host and no more: who is not looked at lets go of his.
const REST_AFTER = 60_000;

/**
 * Begin to listen after a cursor.
 * @param {string} url
 * @param {string} cursor
 * @param {object} told
 * @param {(message: any) => void} told.message
 * @param {() => void} told.reset the view has to be asked for anew; this line is closed then
 * @param {(state: LineState) => void} told.state
 * @returns {() => void} ends it
 */
export function listen(url, cursor, told) {
  let after = cursor;
  let wait = 500;
  let ended = false;
  /** @type {EventSource | null} */
  let source = null;
  /** @type {number | undefined} */
  let timer;

  function open() {
    source?.close();
    const line = new EventSource(`${url}?after=${encodeURIComponent(after)}`);
    source = line;
    line.addEventListener("open", () => {
      wait = 500;
      told.state("live");
    });
    /** @param {MessageEvent<string>} event */
    const take = (event) => {
      if (event.lastEventId) after = event.lastEventId;
      told.message(JSON.parse(event.data));
    };
    for (const type of TYPES) line.addEventListener(type, take);
    line.addEventListener("reset", () => {
      end();
      told.reset();
    });
    line.addEventListener("error", () => {
      if (source !== line || ended) return;
      told.state("lost");
      // While it is CONNECTING the browser tries again by itself, with the id of the last message.
      if (line.readyState === EventSource.CLOSED) void again();
    });
  }

  async function again() {
    source?.close();
    wait = Math.min(2 * wait, SLOWEST);
    try {
      await ask(url.replace(/\/stream$/, url.includes("/tables/") ? "" : "/tables"), { method: "HEAD" });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return signIn();
      if (error instanceof ApiError && error.wait) wait = 1_000 * error.wait;
    }
    if (!ended) timer = setTimeout(open, wait);
  }

  function looked() {
    if (ended) return;
    if (!document.hidden) {
      clearTimeout(timer);
      if (source === null || source.readyState === EventSource.CLOSED) open();
    } else {
      timer = setTimeout(() => {
        source?.close();
        source = null;
        told.state("resting");
      }, REST_AFTER);
    }
  }

  function end() {
    ended = true;
    clearTimeout(timer);
    source?.close();
    document.removeEventListener("visibilitychange", looked);
  }

  document.addEventListener("visibilitychange", looked);
  told.state("connecting");
  open();
  return end;
}

/**
 * Apply a table's message to a view: fields are replaced, results put in place by round.
 * @param {import("./types.js").TableView} view
 * @param {import("./types.js").TableMessage} message
 */
export function apply(view, message) {
  Object.assign(view, message.view);
  if (!message.results.length) return;
  const rows = new Map(view.results.map((row) => [row.round, row]));
  for (const row of message.results) rows.set(row.round, row);
  view.results = [...rows.values()].sort((one, other) => one.round - other.round);
}
