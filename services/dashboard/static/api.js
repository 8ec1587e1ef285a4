// @ts-check
// Asks the board for JSON. What goes wrong is an ApiError; who is not signed in goes to sign in.

/** How far the board's clock is ahead of this one, in milliseconds; small differences are none. */
let ahead = 0;

/** The board's time, as well as it can be told here. */
export const now = () => Date.now() + ahead;

export class ApiError extends Error {
  /**
   * @param {number} status 0 where no answer came
   * @param {string} message
   * @param {string} mend
   * @param {number} wait seconds that the board asks to wait for
   */
  constructor(status, message, mend, wait) {
    super(message);
    this.status = status;
    this.mend = mend;
    this.wait = wait;
  }
}

/** Go where one signs in, and come back here after it. */
export function signIn() {
  const back = location.pathname + location.search;
  if (location.pathname !== "/signin") location.assign(`/signin?next=${encodeURIComponent(back)}`);
}

/**
 * @param {string} url
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export async function ask(url, how = {}) {
  let answer;
  try {
    answer = await fetch(url, { credentials: "same-origin", ...how });
  } catch {
    throw new ApiError(0, "", "", 0);
  }
  if (answer.ok) {
    const date = Date.parse(answer.headers.get("date") ?? "");
    const off = date - Date.now();
    if (!Number.isNaN(off)) ahead = Math.abs(off) > 2_000 ? off : 0;
    return answer;
  }
  let told = { error: "", mend: "" };
  try {
    told = await answer.json();
  } catch {
    // Not the board's own words; the status says enough.
  }
  throw new ApiError(answer.status, String(told.error ?? ""), String(told.mend ?? ""), Number(answer.headers.get("retry-after") ?? 0) || 0);
}

/**
 * @param {string} url
 * @returns {Promise<any>}
 */
export async function get(url) {
  try {
    return await (await ask(url)).json();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) signIn();
    throw error;
  }
}
