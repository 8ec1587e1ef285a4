// @ts-check
// The panels of the table's page, in their places. It asks for nothing.

import { betsPanel, seatsPanel } from "./bets.js";
import { leftPanel, oddsPanel, scoreCard, tallyPanel } from "./counts.js";
import { by, fill, h } from "./dom.js";
import { felt } from "./felt.js";
import { here, isPublic, page } from "./place.js";
import { disputesPanel, findingsPanel, resultsPanel } from "./record.js";
import { roadsPanel } from "./roads.js";
import { helpPanel, shoeHead } from "./shoe_head.js";
import { sound } from "./sound.js";
import { t } from "./texts.js";

const { table } = here;
const RECENT = 12;

/** @param {string} key @param {string} name @param {Element} content @param {Element} [more] */
const panel = (key, name, content, more) =>
  h(`section.panel.${name}`, { "aria-labelledby": `${name}-head` }, h("div.panel-head", {}, h("h2", { id: `${name}-head` }, t(key)), more), content);

/**
 * Put the table's page together; `gap` and `turned` are as `felt` has them.
 * @param {{gap: () => number, turned: () => void, waiting: boolean}} how
 */
export function tablePanels({ gap, turned, waiting }) {
  const head = shoeHead(table, "table");
  const felted = felt({ titles: "h2", sound, gap, turned });
  const coming = h("span.coming", {});
  const betsOf = h("span.coming", {});
  const roundName = h("a.round-name", { href: page.table(table) }, "\u00A0");
  const [roads, score, results] = [roadsPanel(), scoreCard(), resultsPanel(table, { newest: RECENT })];
  const [bets, seats, tally, left, odds] = [betsPanel(), seatsPanel(), tallyPanel(), leftPanel(), oddsPanel()];
  const [findings, disputes] = [findingsPanel(table), disputesPanel(table)];
  odds.update(null);
  by("main").classList.toggle("waiting", waiting);
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
