// @ts-check
// A table for any game: what everybody may know as a list, the hand, and every legal move as a button.
import { $$, h } from "./dom.js";
import { GameTableElement } from "./table-element.js";
import { say, shownName } from "./words.js";

/** @typedef {Record<string, unknown>} View of which nothing is known */
/** @typedef {import("./types").TableState} State */

/** What the page tells, or the table shows in a place of its own. */
const ELSEWHERE = ["game", "options", "seat", "hand", "held", "chosen", "over"];

/** @extends {GameTableElement<import("./wire").View>} */
export class PlainTable extends GameTableElement {
  constructor() {
    super();
    /** @type {Set<string>} what is a list, because it was not always of two: two of anything else are by seat */
    this.lists = new Set();
  }

  /** @param {State} state */
  prepare(state) {
    super.prepare(state);
    for (const [key, value] of Object.entries(state.view))
      if (Array.isArray(value) && value.length !== 2) this.lists.add(key);
  }

  /** @param {string} key @param {unknown} value @param {string[]} names */
  entry(key, value, names) {
    return Array.isArray(value) && !this.lists.has(key) ? bySeat(value, names) : told(value);
  }

  /** @param {State} state */
  drawn({ view: known, legal, seat, names, open }) {
    const view = /** @type {View} */ (/** @type {unknown} */ (known));
    const shown = names.map(shownName);
    const other = 1 - seat;
    return h(
      "div",
      { class: "pt" },
      hand(shown[other], open?.hands?.[other] ?? heldBy(view, other)),
      h(
        "dl",
        { class: "p-view", tabindex: "0", dataset: { focus: "view" } },
        entries(view, (key, value) => this.entry(key, value, shown)),
      ),
      hand(shown[seat], open?.hands?.[seat] ?? (view.seat === seat ? view.hand : heldBy(view, seat))),
      chosen(view, legal),
      h("div", { class: "p-moves", role: "group", "aria-label": say("plain.moves") }, legal.map(moveButton)),
    );
  }

  markRest() {
    const { view } = this.state ?? {};
    const now = view && "chosen" in view ? view.chosen : undefined;
    for (const button of $$("[data-act]", this)) {
      button.classList.toggle("hint", button.dataset.act === this.hinted);
      button.setAttribute("aria-disabled", String(this.waiting));
      if (now !== undefined) button.setAttribute("aria-pressed", String(button.dataset.act === now));
    }
  }

  /** @param {Event} event */
  clicked(event) {
    const act = event.target instanceof Element ? event.target.closest("button")?.dataset.act : undefined;
    if (act && !this.waiting) this.send(act);
  }

  /** @param {number} n */
  digit(n) {
    $$("[data-act]", this)[n - 1]?.focus();
  }

  get groups() {
    return ["[data-act]"];
  }
}

/** @param {string} move */
function moveButton(move) {
  return h("button", { type: "button", dataset: { act: move, focus: `act-${move}` } }, move);
}

/**
 * A choice that is made and may still be changed, until everybody's is.
 * @param {View} view @param {string[]} legal
 */
function chosen(view, legal) {
  if (!view.chosen) return null;
  const words = say(legal.length ? "plain.chosen_yet" : "plain.chosen", { move: String(view.chosen) });
  return h("p", { class: "p-chosen" }, words);
}

// ---------------------------------------------------------------- what is known

/**
 * How many cards somebody holds, where the view says so for each seat.
 * @param {View} view @param {number} seat
 */
function heldBy(view, seat) {
  return Array.isArray(view.held) ? view.held[seat] : null;
}

/**
 * The cards of somebody, or how many they are.
 * @param {string} name @param {unknown} held
 */
function hand(name, held) {
  if (held === null || held === undefined) return null;
  const cards = Array.isArray(held) ? held.map((card) => h("li", { class: "chip" }, brief(card))) : null;
  const many = say("plain.cards", { n: cards ? cards.length : Number(held) });
  return h(
    "section",
    { class: "p-hand", "aria-label": name },
    h("p", null, h("b", null, name), " · ", many),
    cards?.length ? h("ul", null, cards) : null,
  );
}

/** @param {View} view @param {(key: string, value: unknown) => Node | string} show */
function entries(view, show) {
  const keys = Object.keys(view).filter((key) => !ELSEWHERE.includes(key));
  return keys.map((key) =>
    h("div", null, h("dt", null, key.replaceAll("_", " ")), h("dd", null, show(key, view[key]))),
  );
}

/**
 * A value in full.
 * @param {unknown} value
 * @returns {Node | string}
 */
function told(value) {
  if (isObject(value)) return h("dl", null, entries(value, (_, one) => told(one)));
  if (!Array.isArray(value)) return brief(value);
  if (value.some((one) => typeof one === "object" && one !== null)) return numbered(value);
  return value.map(brief).join(", ") || brief(null);
}

/** @param {unknown[]} pair @param {string[]} names */
function bySeat(pair, names) {
  return h(
    "ul",
    null,
    pair.map((one, seat) => h("li", null, h("i", null, `${names[seat]}: `), told(one))),
  );
}

/** @param {unknown[]} list */
function numbered(list) {
  return h(
    "ol",
    null,
    list.map((one) => h("li", null, told(one))),
  );
}

/** @param {unknown} value @returns {value is View} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
function brief(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return say(value ? "plain.yes" : "plain.no");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

customElements.define("plain-table", PlainTable);
