// @ts-check
// The page for an address where nothing is.

import { by, fill, h } from "./dom.js";
import { page } from "./place.js";
import { start, titled } from "./shell.js";
import { t } from "./texts.js";

void start(() => {
  titled(t("trouble.404"));
  fill(by("main"), h("div.trouble", {}, h("h1", {}, t("trouble.404")), h("p", {}, t("trouble.404-help")), h("p.ways", {}, h("a", { href: page.lobby() }, t("head.lobby")))));
});
