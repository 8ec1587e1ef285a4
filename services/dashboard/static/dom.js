// @ts-check
// Builds elements: text is always a text node, and no markup is ever read from a string.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Set attributes. `on` is a record of listeners, `data` of data attributes; false and null are left
 * out, true is an empty attribute.
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [type, listener] of Object.entries(/** @type {Record<string, EventListener>} */ (value)))
        element.addEventListener(type, listener);
    } else if (name === "data") {
      for (const [key, told] of Object.entries(/** @type {Record<string, unknown>} */ (value)))
        element.setAttribute(`data-${key}`, String(told));
    } else if (/^(?:on|style$|srcdoc$)/.test(name)) {
      throw new Error(`${name} is not set like this`);
    } else if (value === null || value === undefined || value === false) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/**
 * @param {Element} element
 * @param {string[]} classes
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function filled(element, classes, attributes, children) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  set(element, attributes);
  element.append(.../** @type {(Node | string)[]} */ (spoken(children)));
  return element;
}

/** @param {Child[]} children */
function spoken(children) {
  return children
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === "number" ? String(child) : child));
}

/**
 * Make an HTML element from `tag.class.class`.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(/** @type {string} */ (name));
  return /** @type {HTMLElement} */ (filled(element, classes, attributes, children));
}

/**
 * Make an SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElementNS(SVG, /** @type {string} */ (name));
  return /** @type {SVGElement} */ (filled(element, classes, attributes, children));
}

/**
 * Put children in place of what an element holds.
 * @param {Element} element
 * @param {Child[]} children
 */
export function fill(element, ...children) {
  element.replaceChildren(.../** @type {(Node | string)[]} */ (spoken(children)));
}

/**
 * Show text, and touch the page only where it is another one.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/**
 * Draw an element anew only if what it shows has changed; tells whether it did.
 * @param {Element} element
 * @param {unknown} shown
 * @param {() => Child[]} draw
 */
export function redraw(element, shown, draw) {
  const spelled = JSON.stringify(shown) ?? "";
  if (drawn.get(element) === spelled) return false;
  drawn.set(element, spelled);
  fill(element, ...draw());
  return true;
}

/** @type {WeakMap<Element, Map<string, {node: Element, spelled: string}>>} */
const kept = new WeakMap();

/**
 * Show a list: an item whose data did not change keeps its element, and with it the focus.
 * @template T
 * @param {Element} parent
 * @param {readonly T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => Element} make
 */
export function keyed(parent, items, key, make) {
  const before = kept.get(parent) ?? new Map();
  const now = new Map();
  let next = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    const spelled = JSON.stringify(item) ?? "";
    const old = before.get(name);
    let node = old?.node;
    if (!old || old.spelled !== spelled) {
      node = make(item);
      if (old) exchange(old.node, node);
      if (next === old?.node) next = node;
    }
    if (node === next) next = next?.nextElementSibling ?? null;
    else parent.insertBefore(/** @type {Element} */ (node), next);
    now.set(name, { node, spelled });
  }
  for (const [name, { node }] of before) if (!now.has(name)) node.remove();
  kept.set(parent, now);
}

const FOCUSABLE = "a[href], button, input, select, summary, [tabindex]";

/**
 * Put an element in another's place, with the focus where it was.
 * @param {Element} old
 * @param {Element} node
 */
function exchange(old, node) {
  const held = old.contains(document.activeElement);
  const at = held ? [old, ...old.querySelectorAll(FOCUSABLE)].indexOf(/** @type {Element} */ (document.activeElement)) : -1;
  old.replaceWith(node);
  if (at >= 0) {
    const there = [node, ...node.querySelectorAll(FOCUSABLE)][at];
    if (there instanceof HTMLElement) there.focus({ preventScroll: true });
  }
}

/**
 * Give the element of this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function by(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no #${id} on this page`);
  return element;
}
