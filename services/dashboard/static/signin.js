// @ts-check
// Signing in: the token goes to the board once, in a header, and is kept nowhere here.

import { ApiError, ask } from "./api.js";
import { by, fill, h, say } from "./dom.js";
import { start, titled } from "./shell.js";
import { t } from "./texts.js";

/** Where to go on: the page that was asked for, if it is one of this board's. */
function next() {
  if (location.pathname !== "/signin") return location.href;
  const wanted = new URLSearchParams(location.search).get("next") ?? "/";
  try {
    const url = new URL(wanted, location.origin);
    return url.origin === location.origin && url.pathname !== "/signin" ? url.href : "/";
  } catch {
    return "/";
  }
}

function build() {
  titled(t("sign.title"));
  const token = /** @type {HTMLInputElement} */ (h("input", { id: "token", type: "password", required: true, autocomplete: "current-password", spellcheck: "false", autocapitalize: "off", "aria-describedby": "token-help token-said" }));
  const said = h("p.mistake", { id: "token-said", role: "alert" });
  fill(by("main"), h("div.signin", {},
    h("h1", {}, t("sign.title")),
    h("p.soft", { id: "token-help" }, t("sign.help")),
    h("form", { on: { submit: (/** @type {Event} */ event) => void sign(event) } },
      h("label", { for: "token" }, t("sign.token")), token, h("button.primary", {}, t("sign.go"))),
    said,
    h("p", {}, h("a", { href: "/public/" }, t("sign.public")))));

  /** @param {Event} event */
  async function sign(event) {
    event.preventDefault();
    say(said, "");
    try {
      await ask("/session", { headers: { authorization: `Bearer ${token.value.trim()}` } });
    } catch (error) {
      const status = error instanceof ApiError ? error.status : -1;
      say(said, t(status === 401 || status === -1 ? "sign.wrong" : status === 429 ? "sign.often" : "trouble.0"));
      token.focus();
      token.select();
      return;
    }
    token.value = "";
    // The same address with a fragment would only be scrolled to.
    if (location.pathname === "/signin") location.replace(next());
    else location.reload();
  }
  token.focus();
}

void start(build);
