// @ts-check
// Reads a round's proof and works each line's place in the signed log out again. Checks no signature.

/** @typedef {{id: string, index: number, size: number, root: string, origin: string, signers: string[], hashes: number, holds: boolean | null}} Line */

const encoder = new TextEncoder();

/** @param {string} spelled */
const bytes = (spelled) => Uint8Array.from(atob(spelled), (char) => char.charCodeAt(0));

/** @param {Uint8Array[]} parts */
async function hashed(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/**
 * The root that a leaf leads to (RFC 9162, 2.1.3.2), or null where the path does not fit.
 * @param {number} index
 * @param {number} size
 * @param {Uint8Array} leaf
 * @param {Uint8Array[]} path
 */
async function climbed(index, size, leaf, path) {
  let [place, last, node] = [index, size - 1, leaf];
  const even = (/** @type {number} */ one) => one % 2 === 0;
  for (const other of path) {
    if (last === 0) return null;
    if (!even(place) || place === last) {
      node = await hashed(Uint8Array.of(1), other, node);
      while (even(place) && place !== 0) [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
    } else node = await hashed(Uint8Array.of(1), node, other);
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? node : null;
}

/**
 * Read one part: a line of the log, and the text of its proof.
 * @param {{line: string, proof: string}} part
 * @returns {Promise<Line>}
 */
async function read({ line, proof }) {
  const split = proof.indexOf("\n\n");
  const head = proof.slice(0, split).split("\n").filter((one) => !one.startsWith("extra "));
  const [origin = "", size = "0", root = ""] = proof.slice(split + 2).split("\n");
  const signers = [...proof.matchAll(/^— (\S+) /gm)].map((found) => found[1] ?? "");
  const index = Number((head[1] ?? "").replace("index ", ""));
  const path = head.slice(2);
  let holds = null;
  // Only where the page came over TLS or from this machine does a browser lend its hashes.
  if (globalThis.crypto?.subtle) {
    const found = await climbed(index, Number(size), await hashed(Uint8Array.of(0), encoder.encode(line)), path.map(bytes));
    const wanted = bytes(root);
    holds = found !== null && index < Number(size) && found.length === wanted.length && found.every((byte, at) => byte === wanted[at]);
  }
  return { id: String(JSON.parse(line).id), index, size: Number(size), root, origin, signers, hashes: path.length, holds };
}

/**
 * Read a whole proof: its lines by their ids, such as `12-45`.
 * @param {{parts: {line: string, proof: string}[]}} proof
 */
export async function readProof(proof) {
  const lines = await Promise.all(proof.parts.map(read));
  return new Map(lines.map((line) => [line.id, line]));
}
