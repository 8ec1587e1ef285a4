// @ts-check
// Where this page is, and the addresses of all others. The only place that spells an address.

const parts = location.pathname.split("/").filter((part) => part !== "").map(read);

/** @param {string} part */
function read(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether this is the public side: no bettor's name, stake or payout, no findings, log or proof. */
export const isPublic = parts[0] === "public";
const BASE = isPublic ? "/public" : "";
const inner = isPublic ? parts.slice(1) : parts;

/** The table, shoe and round that this address names, as far as it does. */
export const here = {
  table: inner[0] === "tables" ? (inner[1] ?? "") : "",
  shoe: inner[2] === "shoes" ? Number(inner[3]) : 0,
  round: inner[4] === "rounds" ? Number(inner[5]) : 0,
};

const enc = encodeURIComponent;

export const page = {
  lobby: () => `${BASE}/`,
  findings: () => "/findings",
  checker: () => "/checker",
  /** @param {string} table */
  table: (table) => `${BASE}/tables/${enc(table)}`,
  /** @param {string} table @param {number} shoe */
  shoe: (table, shoe) => `${BASE}/tables/${enc(table)}/shoes/${shoe}`,
  /** @param {string} table @param {number} shoe @param {number} round */
  round: (table, shoe, round) => `${BASE}/tables/${enc(table)}/shoes/${shoe}/rounds/${round}`,
};

export const api = {
  tables: () => `${BASE}/api/tables`,
  logs: () => `${BASE}/api/logs`,
  stream: () => `${BASE}/api/stream`,
  rules: () => `${BASE}/api/rules`,
  /** @param {string} table */
  table: (table) => `${BASE}/api/tables/${enc(table)}`,
  /** @param {string} table */
  tableStream: (table) => `${BASE}/api/tables/${enc(table)}/stream`,
  /** @param {string} table */
  odds: (table) => `${BASE}/api/tables/${enc(table)}/odds`,
  /** @param {string} table */
  shoes: (table) => `${BASE}/api/tables/${enc(table)}/shoes`,
  /** @param {string} table @param {number} shoe */
  shoe: (table, shoe) => `${BASE}/api/tables/${enc(table)}/shoes/${shoe}`,
  /** @param {string} table @param {number} shoe @param {"log" | "checkpoint" | "audit"} what */
  file: (table, shoe, what) => `${BASE}/api/tables/${enc(table)}/shoes/${shoe}/${what}`,
  /** @param {string} table @param {number} shoe @param {number} round @param {string} [rules] */
  round: (table, shoe, round, rules) =>
    `${BASE}/api/tables/${enc(table)}/shoes/${shoe}/rounds/${round}${rules ? `?rules=${enc(rules)}` : ""}`,
  /** @param {string} table @param {number} shoe @param {number} round */
  proof: (table, shoe, round) => `${BASE}/api/tables/${enc(table)}/shoes/${shoe}/rounds/${round}/proof`,
  /** @param {Record<string, string>} query */
  findings: (query) => {
    const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
    return `/api/findings${asked ? `?${asked}` : ""}`;
  },
};

/**
 * Read an address such as `T7/12-45` (an event), `T7/12#17` (a round's outcome) or `T7/12`.
 * @param {string} at
 * @returns {{table: string, shoe: number, round: number | null} | null}
 */
export function address(at) {
  const found = /^([^/\s]+)\/(\d+)(?:-\d+|#(\d+))?$/.exec(at);
  if (!found) return null;
  return { table: found[1] ?? "", shoe: Number(found[2]), round: found[3] ? Number(found[3]) : null };
}
