// @ts-check
// A round's page: step by step, each card with its position and proof, and what other rules would pay.

import { ApiError, ask, get } from "./api.js";
import { betSheet } from "./bets.js";
import { by, fill, h, redraw } from "./dom.js";
import { felt, isOver } from "./felt.js";
import { marksOf, tag } from "./lamp.js";
import { apply, listen } from "./live.js";
import { moves, squeezes, watchOptions } from "./options.js";
import { otherRules } from "./other.js";
import { api, here, isPublic, page } from "./place.js";
import { readProof } from "./proof.js";
import { outcome } from "./reasons.js";
import { auditOf, auditSign, findingsPanel } from "./record.js";
import { cardSheet, upTo } from "./round_cards.js";
import { lineIs, start, titled, updatedAt } from "./shell.js";
import { bdi } from "./shoe_head.js";
import { stepper } from "./stepper.js";
import { known, money, t } from "./texts.js";

/** @typedef {import("./types.js").Round} Round */

const { table, shoe, round: wanted } = here;
/** These marks are in the words that say how a round came out. */
const SAID = new Set(["natural", "player-pair", "banker-pair", "voided", "halted"]);
const LOOK = 1_500;
const SQUEEZED = 3_200;

/** @type {{round: Round, result: import("./types.js").Result | null, findings: import("./types.js").Finding[]} | null} */
let told = null;
let currency = "";
/** @type {string | undefined} */
let lamp;
/** The newest round of this shoe, as far as it is known: after it there is none yet. */
let latest = 0;
let dealt = false;
/** Whether the table has a page: somebody deals at it. */
let live = true;
/** @type {(() => void) | null} */
let end = null;
/** @type {(() => void) | null} */
let before = null;
/** @type {Map<string, import("./proof.js").Line> | null} */
let proof = null;
let proofSaid = "";

/** @param {string} key @param {string} name @param {...import("./dom.js").Child} content */
const panel = (key, name, ...content) => h(`section.panel.${name}`, { "aria-labelledby": `${name}-head` }, h("div.panel-head", {}, h("h2", { id: `${name}-head` }, t(key))), ...content);

function build() {
  before?.();
  by("main").classList.toggle("waiting", told === null);
  const felted = felt({ titles: "h2" });
  const [cards, bets, house, summary, said] = [h("div", {}), h("div", {}), h("p.house", {}, "\u00A0"), h("p.summary", {}, "\u00A0"), h("p.soft.proof-said", {}, "\u00A0")];
  const findings = findingsPanel(table);
  const [beside, audited, crumb] = [h("span.beside", {}), h("span.audited", {}), h("span.crumb", {})];
  const title = t("round.title", { table, n: wanted });
  let at = 0;
  const steps = stepper({
    show(step, forward) {
      at = step;
      if (told) draw(told.round, forward);
    },
    name(step) {
      const round = told?.round;
      if (!round || step === 0) return t("step.bets");
      const card = round.cards[step - 1];
      return card ? t("step.card", { n: step, hand: known(`hand.${card.hand}`, card.hand) }) : t("step.end");
    },
    wait(step) {
      const round = told?.round;
      const card = round?.cards[step - 1];
      const earlier = round?.cards.slice(0, step - 1).some((one) => one.hand === card?.hand);
      return earlier && squeezes() && moves() ? SQUEEZED : LOOK;
    },
  });
  /** @param {Round} round @param {boolean} forward */
  function draw(round, forward) {
    const over = isOver(round) && at > round.cards.length;
    felted.update(upTo(round, at), `${table}/${shoe}`, { falls: forward });
    redraw(cards, [document.documentElement.lang, round.cards, at, proof !== null, proofSaid], () => [cardSheet(round, at, proof)]);
    const shown = over ? round.bets : round.bets.map((bet) => (bet.status === "settled" ? { ...bet, status: /** @type {const} */ ("placed"), result: null, odds: null, net: null } : bet));
    redraw(bets, [document.documentElement.lang, shown, currency], () => shown.length ? [betSheet(shown, currency)] : [h("p.soft.empty", {}, t("bet.none"))]);
    redraw(house, [document.documentElement.lang, over, round.house, currency], () => [over && round.house !== null ? t("bet.house", { money: money(round.house, currency, { sign: true }) }) : "\u00A0"]);
  }
  const others = otherRules((rules) => get(api.round(table, shoe, wanted, rules)), () => currency);
  fill(by("main"),
    h("div.crumbs", {}, h("nav", { "aria-label": t("round.way") }, h("a", { href: page.lobby() }, t("head.lobby")), crumb, h("a", { href: page.shoe(table, shoe) }, t("shoe.n", { n: shoe }))),
      beside),
    h("h1", {}, title), h("div.summary-line", {}, summary, audited),
    h("div.round-grid", { class: `round-grid${isPublic ? " public" : ""}` },
      h("section.panel.play", { "aria-label": t("table.round") }, felted.element, steps.element),
      panel("cards.title", "cards-panel", cards, !isPublic && said),
      !isPublic && panel("bet.settlement", "bets", bets, house),
      panel("other.title", "other", others.element),
      !isPublic && panel("find.title", "findings", findings.element)));
  before = steps.remove;

  /** @param {boolean} fresh whether the round was not shown before */
  function update(fresh) {
    if (!told) return;
    const { round, result } = told;
    redraw(summary, [document.documentElement.lang, result, round.phase, round.reason], () => [
      result ? outcome(result) : t(`phase.${round.phase}`, { reason: round.reason ?? "–" }), " ", ...(result ? marksOf(result).filter((mark) => !SAID.has(mark)).flatMap((mark) => [tag(mark), " "]) : [])]);
    const audit = auditOf(result, lamp, told.findings);
    redraw(audited, [document.documentElement.lang, audit], () => [auditSign(audit), " ", h("span.soft", {}, t(`audit.${audit}`))]);
    findings.update(told.findings, shoe, currency, audit === "none" ? "none" : "pass");
    redraw(crumb, [live], () => [live ? h("a", { href: page.table(table) }, bdi(table)) : bdi(table)]);
    redraw(beside, [document.documentElement.lang, latest > wanted], () => [
      wanted > 1 && h("a", { href: page.round(table, shoe, wanted - 1), rel: "prev" }, t("round.before")),
      latest > wanted && h("a", { href: page.round(table, shoe, wanted + 1), rel: "next" }, t("round.after"))]);
    const count = round.cards.length + (isOver(round) ? 1 : 0);
    steps.steps(count, fresh ? count : undefined);
    redraw(said, [document.documentElement.lang, proofSaid, proof?.size], () => saidOfProof());
    updatedAt(round.updated);
  }
  /** Lay the cards anew, hidden or shown. */
  function relay() {
    felted.update(null, "");
    update(false);
  }
  return { update, relay };
}

function saidOfProof() {
  const first = proof?.values().next().value;
  if (!first) return [proofSaid ? t(proofSaid) : "\u00A0"];
  return [t("proof.said", { origin: first.origin, size: first.size, by: first.signers.join(", ") }), " ", h("code.root", {}, first.root), " ",
    h("a", { href: api.proof(table, shoe, wanted), download: `${table}-${shoe}-${wanted}.proof.json` }, t("proof.download"))];
}

async function prove() {
  if (isPublic || proof || !told || !isOver(told.round)) return;
  try {
    proof = await readProof(await (await ask(api.proof(table, shoe, wanted))).json());
    proofSaid = "proof.have";
  } catch (error) {
    proofSaid = error instanceof ApiError && error.status < 500 && error.status !== 0 ? "proof.unsealed" : "proof.away";
  }
}

/** @type {ReturnType<typeof build> | null} */
let shown = null;

async function load() {
  told = await get(api.round(table, shoe, wanted));
}

/** @param {import("./types.js").TableView | undefined} view */
function of(view) {
  if (view?.shoe?.shoe !== shoe) return;
  currency = view.shoe.currency;
  lamp = view.shoe.lamp;
  dealt = view.shoe.status !== "closed";
  latest = Math.max(latest, view.round?.number ?? 0, view.results.at(-1)?.round ?? 0);
}

/** Whether all that this page shows is there, the way to the next round too. */
const isWhole = () => told !== null && isOver(told.round) && told.result?.verdict !== null && latest > wanted;

/** Follow the table until the round is over and audited, and the next one is open. */
async function follow() {
  const { view, cursor } = await get(api.table(table));
  if (view.shoe?.shoe !== shoe || view.shoe.status !== "open" || !cursor) return;
  of(view);
  if (isWhole()) return shown?.update(false);
  end = listen(api.tableStream(table), cursor, {
    message(message) {
      apply(view, message);
      if (!told || view.shoe?.shoe !== shoe) {
        end?.();
        return lineIs("still");
      }
      of(view);
      if (view.round?.number === wanted) told.round = view.round;
      if (message.view.findings) {
        // Of thousands only the newest come: what is known of this round stays.
        const found = view.findings.filter((/** @type {{round: number | null}} */ one) => one.round === wanted);
        if (found.length >= told.findings.length) told.findings = found;
      }
      told.result = view.results.find((/** @type {{round: number}} */ row) => row.round === wanted) ?? told.result;
      shown?.update(false);
      if (isWhole() || view.shoe.status !== "open") {
        end?.();
        lineIs("still");
      }
    },
    reset: () => void follow(),
    state: lineIs,
  });
}

watchOptions((changed) => changed.includes("hands") && shown?.relay());

void start(async () => {
  titled(t("round.title", { table, n: wanted }));
  shown = build();
  if (!told) {
    const view = get(api.shoe(table, shoe)).catch(() => null);
    const rows = get(api.shoes(table)).catch(() => null);
    await load();
    const all = /** @type {{live: boolean}[]} */ ((await rows)?.shoes ?? []);
    live = !all.length || all.some((one) => one.live);
    of((await view)?.view);
    by("main").classList.remove("waiting");
  }
  shown.update(true);
  void prove().then(() => shown?.update(false));
  if (told && dealt && !isWhole() && !end) void follow().catch(() => {});
});

