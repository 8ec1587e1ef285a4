// @ts-check
// Opens the offline checker and hands a shoe's log and checkpoint over to it.

import { ApiError, ask, signIn } from "./api.js";
import { api, page } from "./place.js";
import { t } from "./texts.js";

const PATIENCE = 10_000;

/** @param {string} url @param {string} name */
async function file(url, name) {
  const answer = await ask(url);
  return new File([await answer.arrayBuffer()], name);
}

/**
 * Open the checker in a tab of its own, and give it the files once it says that it is ready.
 * @param {string} table
 * @param {number} shoe
 * @param {HTMLElement} said
 */
export async function handOver(table, shoe, said) {
  // Opened at the click, before anything is waited for: later a browser would not let it.
  const opened = window.open(page.checker());
  if (!opened) {
    said.textContent = t("files.blocked");
    return;
  }
  const ready = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("late")), PATIENCE);
    /** @param {MessageEvent} event */
    function heard(event) {
      if (event.origin !== location.origin || event.source !== opened || event.data?.kind !== "shoetrail-checker-ready") return;
      clearTimeout(timer);
      removeEventListener("message", heard);
      resolve(undefined);
    }
    addEventListener("message", heard);
  });
  ready.catch(() => {});
  said.textContent = t("files.fetching");
  try {
    const log = await file(api.file(table, shoe, "log"), `${shoe}.jsonl`);
    const seal = await file(api.file(table, shoe, "checkpoint"), `${shoe}.checkpoint`).catch(() => null);
    await ready;
    opened.postMessage({ kind: "shoetrail-check", files: seal ? [log, seal] : [log] }, location.origin);
    said.textContent = t(seal ? "files.handed" : "files.handed-unsealed");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return signIn();
    said.textContent = t("files.failed");
  }
}
