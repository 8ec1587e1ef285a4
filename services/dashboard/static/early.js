// @ts-check
// Runs before the first paint, so that a page never flashes in the wrong theme or size. It reads the
// viewer's options and marks the root with them; options.js does the same whenever one changes.
(() => {
  const root = document.documentElement;
  /** @type {Record<string, unknown>} */
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("shoetrail.options") ?? "{}") ?? {};
  } catch {
    // Whatever is kept there is not ours, or nothing may be kept: the page looks as it does at first.
  }
  for (const name of ["theme", "colours", "back", "wall"]) {
    const value = kept[name];
    if (typeof value === "string" && /^[a-z0-9]{1,12}$/.test(value)) root.dataset[name] = value;
  }
  const { lang } = kept;
  const chosen = lang === "en" || lang === "ja" || lang === "zh" ? lang : null;
  const wanted = chosen ?? navigator.languages.map((one) => one.slice(0, 2).toLowerCase());
  const first = typeof wanted === "string" ? wanted : wanted.find((one) => /^(en|ja|zh)$/.test(one));
  root.lang = first ?? "en";
})();
