// @ts-check
// Which cards a game is played with: only the core set is called core, and any other shows what its cards do.
import { get } from "./api.js";
import { h } from "./dom.js";
import { lang, say } from "./words.js";

/** @typedef {NonNullable<import("./wire").Welcome["set"]>} CardSet */

const SHOWN_DIGITS = 6;

/** @type {CardSet} the core set, where nobody asks which version of it */
export const CORE = { name: "core", digest: "", core: true };

/**
 * The cards of a version of a set; without a digest, those of the core set.
 * @param {string} digest
 */
export function loadSet(digest) {
  return digest ? get("/api/card-sets/{digest}", { digest }) : get("/api/cards");
}

/**
 * The decks that come with a set.
 * @param {CardSet} set
 */
export function decksOf({ digest, core }) {
  return core ? get("/api/decks") : get("/api/card-sets/{digest}/decks", { digest });
}

/**
 * What the server is told of a set: nothing of the core one.
 * @param {CardSet} set
 */
export function setAsked({ digest, core }) {
  return core ? {} : { set: digest };
}

/** @param {CardSet} set */
export function galleryAddress(set) {
  return withQuery("/cards", setAsked(set));
}

/**
 * Where a deck of a set is built.
 * @param {CardSet} set
 * @param {Partial<Record<string, string | number | boolean>>} [more] house rules that it has to keep to, and where it is for
 */
export function decksAddress(set, more = {}) {
  return withQuery("/decks", { ...setAsked(set), ...more });
}

/** @param {string} path @param {Partial<Record<string, string | number | boolean>>} asked */
export function withQuery(path, asked) {
  const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
  return query.toString() ? `${path}?${query}` : path;
}

/** @param {import("./wire").SetShown} set */
export function titleOfSet({ set, digest }) {
  return say("cards.set.named", { name: set, digest: digest.slice(0, SHOWN_DIGITS) });
}

/** @param {CardSet} set */
export function setTitle({ name, digest, core }) {
  return core ? say("cards.set.core") : say("cards.set.other", { name, digest: digest.slice(0, SHOWN_DIGITS) });
}

/**
 * For a list, where there is little space; nothing for the core set.
 * @param {CardSet | null} set
 */
export function setMark(set) {
  return set && !set.core ? h("span", { class: "chip strange" }, say("cards.set.short", { name: set.name })) : null;
}

/**
 * Shows all cards of the set when it is pressed; nothing where a game has none.
 * @param {CardSet | null} set
 * @param {string} room
 */
export function setChip(set, room) {
  if (!set) return null;
  const look = `chip card-set${set.core ? "" : " strange"}`;
  return h("button", { type: "button", class: look, onclick: () => showSet(set, room) }, setTitle(set));
}

/** @param {CardSet} set @param {string} room */
async function showSet(set, room) {
  const { cards } = await get("/api/rooms/{room}/cards", { room });
  const closes = (/** @type {Event} */ event) => event.target === dialog && dialog.close();
  const dialog = h(
    "dialog",
    { class: "set-dialog", "aria-label": say("cards.set.title"), onclose: () => dialog.remove(), onclick: closes },
    // It begins at its beginning, however long it is.
    h("h2", { tabindex: "-1", autofocus: true }, say("cards.set.title")),
    h("p", { class: "note" }, setTitle(set)),
    set.core ? null : h("p", null, say("cards.set.warning")),
    h(
      "ul",
      { class: "set-cards" },
      cards.map((card) => h("li", null, h("b", null, card.name[lang]), " ", card.text[lang])),
    ),
    h("p", { class: "note digest" }, say("cards.set.digest", { digest: set.digest })),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", onclick: () => dialog.close() }, say("cards.set.close")),
      h("a", { class: "button", href: galleryAddress(set), target: "_blank" }, say("cards.set.pictures")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
