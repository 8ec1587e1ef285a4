// @ts-check
// A table in small: the last results, the big road, how far the shoe is, its verdict, what is wrong.

import { h, redraw, s, say } from "./dom.js";
import { lampFor } from "./lamp.js";
import { page } from "./place.js";
import { smallRoad } from "./roads.js";
import { progress } from "./shoe_head.js";
import { ago, number, t } from "./texts.js";

const COLUMNS = 24;
const CLASS = /** @type {Record<string, string>} */ ({ B: "banker", P: "player", T: "tie" });

/** The last letters as discs, in words for who does not see them. @param {string} last */
function letters(last) {
  const words = [...last].map((letter) => t(`hand.${CLASS[letter] ?? "tie"}`)).join(t("list.comma"));
  return s("svg.lasts", { viewBox: "0 0 216 18", role: "img", "aria-label": t("tile.last", { words: words || "–" }) },
    ...[...last].map((letter, index) =>
      s(`g.${CLASS[letter] ?? "none"}`, { transform: `translate(${index * 18 + 9} 9)` },
        s("circle.disc", { r: 8 }), s("text.on-disc", { y: 4, "text-anchor": "middle" }, letter))));
}

/**
 * Make a table's tile.
 * @param {string} name
 */
export function tileFor(name) {
  const [lamp, line, road, far, foot] = [h("span.tile-lamp", {}), h("span.tile-line", {}), h("span.tile-road", {}), h("span.tile-far", {}), h("span.tile-foot", {})];
  const which = h("span.tile-shoe", {});
  const since = h("span.since", {});
  const lasts = h("span.tile-lasts", {});
  const element = h("li", {}, h("a.tile", { href: page.table(name) },
    h("span.tile-head", {}, h("bdi.tile-name", {}, name), which, lamp),
    line, lasts, road, far, h("span.tile-last-line", {}, foot, since)));
  const lang = () => document.documentElement.lang;

  /** @param {import("./types.js").Tile} tile @param {string} rules */
  function update(tile, rules) {
    redraw(lamp, [lang(), tile.lamp], () => [lampFor(tile.lamp)]);
    redraw(which, [lang(), tile.shoe, tile.rounds], () => [tile.shoe !== null && t("tile.shoe", { n: tile.shoe, rounds: tile.rounds })]);
    redraw(line, [lang(), rules], () => [h("bdi", {}, rules || t("table.no-shoe"))]);
    redraw(lasts, [lang(), tile.last], () => [letters(tile.last)]);
    redraw(road, tile.big, () => [smallRoad(tile.big, COLUMNS)]);
    redraw(far, [lang(), tile.cards, tile.drawn, tile.cut_card], () => [progress(tile, { small: true })]);
    redraw(foot, [lang(), tile.faults, tile.disputed, tile.banker, tile.player, tile.tie, tile.phase], () => [
      h("span.tally-line", { role: "img", "aria-label": t("tile.tally", { banker: tile.banker, player: tile.player, tie: tile.tie }) },
        h("span.banker", {}, `B ${number(tile.banker)}`), " ", h("span.player", {}, `P ${number(tile.player)}`), " ", h("span.tie", {}, `T ${number(tile.tie)}`)),
      tile.faults > 0 && h("span.tag.fail", {}, t("tile.faults", { n: tile.faults })),
      tile.disputed > 0 && h("span.tag.disputed", {}, t("tile.disputes", { n: tile.disputed })),
      tile.faults + tile.disputed === 0 && tile.phase && h("span.soft", {}, t(`tile.${tile.status === "closed" ? "closed" : tile.phase}`))]);
    element.classList.toggle("wrong", tile.faults > 0);
    aged(tile.updated);
  }
  /** @param {string | null} updated */
  function aged(updated) {
    say(since, updated ? ago(updated) : "–");
  }
  return { element, update, aged };
}
