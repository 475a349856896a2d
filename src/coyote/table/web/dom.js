// @ts-check
// Building the page without ever parsing text as HTML: what a player typed can only become text.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element. `class` and attributes by name, `on…` as listeners, `dataset` as an object; a value of
 * null or false leaves the attribute out, true makes it an empty one.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any> | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) give(made, name, value);
  made.append(...nodes(children));
  return made;
}

/**
 * The same for drawings.
 * @param {string} tag
 * @param {Record<string, any> | null} [attrs]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function svg(tag, attrs, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attrs ?? {})) give(made, name, value);
  made.append(...nodes(children));
  return made;
}

/** @param {Element & ElementCSSInlineStyle & HTMLOrSVGElement} made @param {string} name @param {any} value */
function give(made, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "dataset") Object.assign(made.dataset, value);
  else if (name === "style") for (const [key, one] of Object.entries(value)) made.style.setProperty(key, String(one));
  else if (name.startsWith("on") && typeof value === "function") made.addEventListener(name.slice(2).toLowerCase(), value);
  else if (name === "value" && made instanceof HTMLInputElement) made.value = value;
  else made.setAttribute(name, value === true ? "" : String(value));
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children.flat().flatMap((one) => {
    if (one === null || one === undefined || one === false) return [];
    return [one instanceof Node ? one : String(one)];
  });
}

/**
 * @param {string} selector
 * @param {ParentNode} [inside]
 * @returns {HTMLElement | null}
 */
export function $(selector, inside = document) {
  return inside.querySelector(selector);
}

/**
 * @param {string} selector
 * @param {ParentNode} [inside]
 * @returns {HTMLElement[]}
 */
export function $$(selector, inside = document) {
  return [...inside.querySelectorAll(selector)].map((one) => /** @type {HTMLElement} */ (one));
}

/** True where the system asks for little motion: then things fade instead of travelling. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Keep what the reader chose for the next time. A browser that is full does without.
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is chosen all the same.
  }
}
