// @ts-check
// A shoe's page: all its rounds, findings and roads, its commitment, and its files to take away.

import { alertOf, knownBefore } from "./alerts.js";
import { ApiError, ask, get } from "./api.js";
import { scoreCard, tallyPanel } from "./counts.js";
import { by, fill, h, redraw } from "./dom.js";
import { handOver } from "./hand_over.js";
import { apply, listen } from "./live.js";
import { watchOptions } from "./options.js";
import { api, here, isPublic, page } from "./place.js";
import { outcome } from "./reasons.js";
import { disputesPanel, findingsPanel, resultsPanel } from "./record.js";
import { roadsPanel } from "./roads.js";
import { announce, lineIs, start, titled, updatedAt } from "./shell.js";
import { fact, helpPanel, shoeFacts, shoeHead } from "./shoe_head.js";
import { number, t } from "./texts.js";

/** @typedef {import("./types.js").TableView} TableView */

const { table, shoe: wanted } = here;

/** @type {TableView | null} */
let view = null;
/** @type {(() => void) | null} */
let end = null;
/** @type {{shoe: number, live: boolean, log: boolean, lamp: string}[]} */
let shoes = [];
/** @type {ReturnType<typeof build> | null} */
let shown = null;
let due = false;
/** Which files lie beside the log, as far as it was asked. @type {{checkpoint?: boolean, audit?: boolean}} */
let lies = {};

/** @param {string} key @param {string} name @param {...import("./dom.js").Child} content */
const panel = (key, name, ...content) => h(`section.panel.${name}`, { "aria-labelledby": `${name}-head` }, h("div.panel-head", {}, h("h2", { id: `${name}-head` }, t(key))), ...content);

/** The shoe's commitment, what opens it, and the roots that tie it to the shoe before and to its log. @param {import("./types.js").Shoe} shoe */
function commitment(shoe) {
  const said = shoe.commitment === null ? "commit.public" : shoe.revealed ? "commit.opened" : shoe.status === "closed" ? "commit.unopened" : "commit.open";
  return [
    h("p", {}, t(said)),
    h("dl.fact-list.hashes", {},
      fact("commit.commitment", h("code", {}, shoe.commitment ?? "–")),
      fact("commit.previous", h("code", {}, shoe.previous_root ?? "–")),
      fact("commit.root", h("code", {}, shoe.root ?? "–")),
      fact("commit.rules", h("code", {}, shoe.rules_sha256))),
    shoe.revealed && !isPublic && revealed(),
  ];
}

/** What was revealed and what the cut added, as the log says it; read when somebody wants to see it. */
function revealed() {
  const shown = h("dl.fact-list.hashes", { role: "status" });
  return h("details", { on: { toggle: () => void read() } }, h("summary", {}, t("commit.show")), shown);
  async function read() {
    if (shown.childElementCount) return;
    try {
      const lines = (await (await ask(api.file(table, wanted, "log"))).text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
      const said = (/** @type {string} */ type) => lines.find((line) => line.type === type)?.data;
      const [reveal, cut] = [said("shoe.closed")?.reveal, said("shoe.cut")];
      fill(shown,
        fact("commit.reveal", h("code", {}, reveal?.server_seed ?? reveal?.salt ?? "–")),
        reveal?.order && fact("commit.order", h("code", {}, reveal.order)),
        cut && fact("commit.cut", h("code", {}, [cut.client_seed, cut.beacon].filter(Boolean).join(" · ") || "–")),
        cut && fact("commit.cut-by", h("bdi", {}, cut.by)));
    } catch {
      fill(shown, fact("commit.reveal", t("files.none")));
    }
  }
}

/** @param {import("./types.js").Shoe} shoe */
function files(shoe) {
  const row = shoes.find((one) => one.shoe === wanted);
  if (row && !row.log) return [h("p.soft", {}, t("files.none"))];
  /** @param {boolean | undefined} is @param {HTMLElement} link */
  const there = (is, link) => is && link;
  const one = (/** @type {"log" | "checkpoint" | "audit"} */ what, /** @type {string} */ suffix) =>
    h("a.button", { href: api.file(table, wanted, what), download: `${table}-${wanted}${suffix}` }, t(`files.${what}`));
  const said = h("p.soft", { role: "status" });
  const check = h("button.primary", { type: "button", on: { click: () => void handOver(table, wanted, said) } }, t("files.check"));
  return [
    h("p.soft", {}, t(shoe.status === "closed" ? "files.closed" : "files.open")),
    h("div.buttons", {}, one("log", ".jsonl"), there(lies.checkpoint, one("checkpoint", ".checkpoint")), there(lies.audit, one("audit", ".audit.json")), check),
    lies.checkpoint === false && h("p.soft.missing", {}, t("files.no-checkpoint")),
    lies.audit === false && h("p.soft.missing", {}, t("files.no-audit")),
    said,
  ];
}

function build() {
  const head = shoeHead(table, "shoe");
  const [roads, score, tally, results] = [roadsPanel(), scoreCard(), tallyPanel(), resultsPanel(table)];
  const [findings, disputes] = [findingsPanel(table), disputesPanel(table)];
  const [facts, commit, downloads, counts] = [h("div", {}), h("div", {}), h("div", {}), h("div", {})];
  const [beside, crumb] = [h("span.beside", {}), h("span.crumb", {})];
  by("main").classList.toggle("waiting", view === null);
  fill(by("main"),
    h("div.crumbs", {}, h("nav", { "aria-label": t("round.way") }, h("a", { href: page.lobby() }, t("head.lobby")), crumb), beside),
    head.element,
    h("div.shoe-grid", {},
      panel("results.title", "results", results.element),
      h("div.column", {},
        panel("shoe.facts", "facts", facts, counts),
        !isPublic && panel("find.title", "findings", findings.element),
        !isPublic && panel("files.title", "files", downloads),
        panel("commit.title", "commit", commit),
        panel("tally.title", "tally", tally.element),
        panel("dispute.title", "disputes", disputes.element)),
      panel("roads.title", "roads", roads.element),
      panel("score.title", "score", score.element)),
    helpPanel());

  function draw() {
    due = false;
    if (!view) return;
    const { shoe } = view;
    const lang = document.documentElement.lang;
    head.update(shoe, shoes.length === 0 || shoes.some((one) => one.live));
    results.update(view.results, wanted, shoe?.lamp, view.findings);
    roads.update(view.roads);
    score.update(view.results);
    tally.update(view.tally);
    findings.update(view.findings, wanted, shoe?.currency ?? null, shoe?.lamp ?? "none", view.findings_more);
    disputes.update(view, shoe?.currency ?? null);
    redraw(facts, [lang, shoe], () => (shoe ? [shoeFacts(shoe)] : []));
    redraw(counts, [lang, shoe?.counts], () => shoe?.counts ? [h("dl.fact-list", {}, ...["events", "outcomes", "rounds", "voided", "bets", "faults", "notices"].map((name) => fact(`counts.${name}`, number(shoe.counts?.[name] ?? 0))))] : []);
    redraw(commit, [lang, shoe], () => (shoe ? commitment(shoe) : []));
    redraw(downloads, [lang, shoe?.status, shoes, lies], () => (shoe ? files(shoe) : []));
    const live = shoes.length === 0 || shoes.some((one) => one.live);
    redraw(crumb, [live], () => [live ? h("a", { href: page.table(table) }, h("bdi", {}, table)) : h("bdi", {}, table)]);
    redraw(beside, [lang, shoes], () => {
      const all = shoes.map((one) => one.shoe).sort((one, other) => one - other);
      const [earlier, next] = [all.filter((one) => one < wanted).at(-1), all.find((one) => one > wanted)];
      return [earlier !== undefined && h("a", { href: page.shoe(table, earlier), rel: "prev" }, t("shoe.before", { n: earlier })), next !== undefined && h("a", { href: page.shoe(table, next), rel: "next" }, t("shoe.after", { n: next }))];
    });
    updatedAt(view.updated);
  }
  return { draw };
}

function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => shown?.draw());
}

async function load() {
  const answer = await get(api.shoe(table, wanted));
  view = /** @type {TableView} */ (answer.view);
  knownBefore(table, view.findings);
  try {
    shoes = (await (await ask(api.shoes(table))).json()).shoes;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  by("main").classList.remove("waiting");
  shown?.draw();
}

/** Ask which files there are, so that none is offered that is not. */
async function look() {
  if (isPublic || !shoes.some((one) => one.shoe === wanted && one.log)) return;
  const is = (/** @type {"checkpoint" | "audit"} */ what) => ask(api.file(table, wanted, what), { method: "HEAD" }).then(() => true, (error) => (error instanceof ApiError && error.status === 404 ? false : undefined));
  const [checkpoint, audit] = await Promise.all([is("checkpoint"), is("audit")]);
  lies = { ...(checkpoint !== undefined && { checkpoint }), ...(audit !== undefined && { audit }) };
  shown?.draw();
}

/** A shoe that is on the table is followed; its verdict comes after its end. */
async function follow() {
  end?.();
  const answer = await get(api.table(table));
  if (answer.view.shoe?.shoe !== wanted) return lineIs("still");
  view = answer.view;
  shown?.draw();
  end = listen(api.tableStream(table), answer.cursor, {
    message(message) {
      if (!view || message.type === "shoe.opened") {
        end?.();
        return lineIs("still");
      }
      apply(view, message);
      soon();
      const row = message.type === "round.resolved" ? message.results.at(-1) : undefined;
      if (row) announce(outcome(row));
      if (message.type === "shoe.closed" || message.type === "shoe.audited") void look();
      if (message.view.findings) alertOf(table, message.view.findings, view.shoe?.currency ?? null);
    },
    reset: () => void follow().catch(() => {}),
    state: lineIs,
  });
}

watchOptions(() => shown?.draw());

void start(async () => {
  titled(t("shoe.title", { table, n: wanted }));
  shown = build();
  if (view) return shown.draw();
  await load();
  void look();
  await follow().catch(() => {});
});
