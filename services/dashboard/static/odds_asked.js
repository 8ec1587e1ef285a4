// @ts-check
// Asks for a table's exact odds after a round, and not more often than that they can be counted.

import { ApiError, ask } from "./api.js";
import { api } from "./place.js";
import { t } from "./texts.js";

const EVERY = 2_500;

/**
 * @param {string} table
 * @param {() => import("./types.js").TableView | null} view
 * @param {(odds: any, why?: string) => void} show
 */
export function oddsAsked(table, view, show) {
  /** @type {number | undefined} */
  let timer;
  let at = 0;

  function again() {
    const now = view();
    // Nobody plays another round of a closed shoe, and of a stacked one nobody knows what is left.
    if (now?.shoe?.status !== "open" || !now.left?.unseen) return show(null, t("odds.none"));
    if (timer !== undefined) return;
    timer = setTimeout(async () => {
      timer = undefined;
      at = Date.now();
      if (document.hidden) return;
      try {
        show(await (await ask(api.odds(table))).json());
      } catch (error) {
        const wait = error instanceof ApiError ? error.wait : 0;
        if (wait) setTimeout(again, 1_000 * wait);
        else show(null, t("odds.none"));
      }
    }, Math.max(0, at + EVERY - Date.now()));
  }
  return { ask: again, asked: () => at > 0 };
}
