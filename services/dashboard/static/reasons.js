// @ts-check
// Why each card fell where it did, and how a round came out, in words.

import { glyph, t } from "./texts.js";

/** @typedef {import("./types.js").Reason} Reason */
/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Result} Result */

/**
 * Say a reason; `n` is the card's place in the deal, from 1.
 * @param {Reason} reason
 * @param {number} [n]
 */
export function why(reason, n = 0) {
  const { player = null, banker = null, third = null } = reason;
  return t(`why.${reason.why}`, { n, player, banker, third: third ? glyph(third) : null });
}

/**
 * Say how a round came out: "Round 17: banker wins, 7 to 3, natural".
 * @param {Result} result
 */
export function outcome(result) {
  const { round: n, winner, player_total: p, banker_total: b } = result;
  const [high, low] = winner === "player" ? [p, b] : [b, p];
  const parts = [t(result.halted ? "said.halted" : `said.${winner}`, { n, high, low })];
  if (winner !== "void" && result.natural) parts.push(t("mark.natural"));
  if (result.player_pair) parts.push(t("mark.player-pair"));
  if (result.banker_pair) parts.push(t("mark.banker-pair"));
  return parts.join(t("list.comma"));
}

/**
 * Where a round is, in a few words.
 * @param {Round} round
 */
export function phase(round) {
  if (round.phase === "voided") return t("phase.voided", { reason: round.reason ?? "–" });
  if (round.phase === "halted") return t("phase.halted", { reason: round.reason ?? "–" });
  if (round.winner) return t(`wins.${round.winner}`);
  if (round.phase === "dealing" && round.next && round.next_why?.why !== "first") return t(`phase.next-${round.next}`);
  return t(`phase.${round.phase}`);
}
