// @ts-check
// A card of the duel: its name, its rarity as a gem, a picture of what it does, and its text exactly as the rules
// read it. Small cards leave the text out and wear numbers instead; `showCard` shows any card large.
import { get } from "./api.js";
import { cardArt } from "./art.js";
import { $, h, svg } from "./dom.js";
import { lang, say } from "./words.js";

/** @typedef {import("./art.js").Card} Card */
/** @typedef {import("./art.js").Effect} Effect */
/** @typedef {import("./wire").Lang} Lang */

// A page that shows cards need not know what they are dressed in.
if (!$('link[href$="/duel-card.css"], style[data-sheet="duel-card"]'))
  document.head.append(h("link", { rel: "stylesheet", href: new URL("duel-card.css", import.meta.url).href }));

/** @type {Map<string, Promise<Map<string, Card>>>} by room */
const loading = new Map();

/**
 * All cards of the set that a room plays with, by their ids; without a room, those of the core set.
 * @param {string} [room]
 * @returns {Promise<Map<string, Card>>}
 */
export function loadCards(room = "") {
  const asked = loading.get(room) ?? (room ? get("/api/rooms/{room}/cards", { room }) : get("/api/cards")).then(byId);
  loading.set(room, asked);
  return asked;
}

/** @param {{cards: Card[]}} set */
function byId({ cards }) {
  return new Map(cards.map((card) => [card.id, card]));
}

/**
 * A card of another set, of which only the id is known here.
 * @param {string} id @returns {Card}
 */
export function strangeCard(id) {
  const both = (/** @type {string} */ text) => ({ en: text, ru: text });
  const pieces = { en: [], ru: [] };
  return {
    id,
    rarity: "common",
    name: both(id),
    text: both(""),
    pieces,
    auto: false,
    super: false,
    main: "strip",
    does: [],
    last: 0,
    effects: [],
  };
}

/** @param {Card} card */
export const cardName = (card) => card.name[lang];

/** @param {Card} card */
export const cardText = (card) => card.text[lang];

/**
 * @param {Card} card
 * @param {{count?: number, size?: "hand" | "table" | "gallery", langs?: Lang[]}} [look] `count` shows how many of it
 *   there are; `langs`: on paper, the languages it speaks, the first one louder
 * @returns {HTMLElement}
 */
export function duelCard(card, look = {}) {
  const { count = 0, size = "hand", langs = [lang] } = look;
  const traits = `${card.auto ? " auto" : ""}${card.super ? " super" : ""}`;
  return h(
    "span",
    { class: `duel-card size-${size} main-${card.main} ${card.rarity}${traits}`, dataset: { card: card.id } },
    h(
      "span",
      { class: "inside" },
      h("span", { class: "title" }, name(card, langs), gem(card)),
      h("span", { class: "art" }, card.effects.length ? cardArt(card) : backArt(), stats(card)),
      words(card, langs),
    ),
    count > 0 ? h("span", { class: "count" }, `×${count}`) : null,
  );
}

/**
 * Nobody may see it.
 * @returns {HTMLElement}
 */
export function duelBack() {
  return h("span", { class: "duel-card back", role: "img", "aria-label": say("duel.back") }, backArt());
}

/** @param {Card} card */
function gem(card) {
  return h(
    "span",
    { class: "gem" },
    svg(
      "svg",
      { viewBox: "0 0 20 20", "aria-hidden": "true" },
      svg("path", { class: "gem-face", d: "M10 1L18 10L10 19L2 10Z" }),
      svg("path", { class: "gem-light", d: "M10 1L18 10H10Z" }),
    ),
    h("span", { class: "visually-hidden" }, `${say(`duel.rarity.${card.rarity}`)}. `),
  );
}

/** @param {Card} card @param {Lang[]} langs */
function name(card, [first, ...others]) {
  const also = others.filter((other) => card.name[other] !== card.name[first]);
  return h(
    "span",
    { class: "name" },
    card.name[first],
    also.map((other) => h("span", { class: "also", lang: other }, card.name[other])),
  );
}

/**
 * The text, letter by letter; what is done stands out in its colour.
 * @param {Card} card
 * @param {Lang[]} langs
 */
function words(card, [first, ...others]) {
  const parts = (/** @type {Lang} */ spoken) =>
    card.pieces[spoken].map(([kind, text]) => (kind ? h("b", { class: `word-${kind}` }, text) : text));
  return h(
    "span",
    { class: `words${card.text[first].length > 64 ? " long" : ""}` },
    parts(first),
    others.map((other) => h("span", { class: "also", lang: other }, parts(other))),
  );
}

// ---------------------------------------------------------------- numbers for cards too small for words

const ICONS = {
  attack: "M3 17L13 5.5L17 3L14.8 7.2L4.5 18.5ZM3.5 12L8.2 16.5",
  block: "M10 2L17 4.5V10C17 14.5 14 17 10 18.5C6 17 3 14.5 3 10V4.5Z",
  heal: "M10 2C14 8 16 10.5 16 13A6 6 0 0 1 4 13C4 10.5 6 8 10 2Z",
  draw: "M5 2H15V18H5ZM10 6.5V13.5M6.8 10H13.2",
  strip: "M5 2H15V18H5ZM7 10H13",
};

/** @param {string} kind */
export function icon(kind) {
  const path = ICONS[/** @type {keyof ICONS} */ (kind)];
  return svg(
    "svg",
    { class: `icon icon-${kind}`, viewBox: "0 0 20 20", "aria-hidden": "true" },
    svg("path", { d: path }),
  );
}

/** @param {Card} card */
function stats(card) {
  const own = card.effects.filter((effect) => effect.gain);
  return h("span", { class: "stats", "aria-hidden": "true" }, own.slice(0, 3).map(stat));
}

/** @param {Effect} effect */
function stat(effect) {
  return h("span", { class: `stat main-${effect.look}` }, icon(effect.look), amount(effect));
}

/** @param {Effect} effect */
function amount(effect) {
  if (effect.amount < 0) return "∞";
  return effect.per ? `×${effect.amount}` : String(effect.amount);
}

const BEAST =
  "M-6.5 0L-5.6-6.5C-5.5-9.5-4.8-11.5-3.2-13L-4.6-17.5L-9.2-22.4L-3.4-21.2L-1.4-24.6L.2-20.8C1.7-18 1.6-14.5 3.2-11.5" +
  "C5.2-8 6.3-5 6.3-2.2C8.3-2.4 9.8-3.6 10.8-6.6C12.8-2.6 10.3 0 7 0Z";

/** The back: a coyote before the moon, on dunes. */
function backArt() {
  return svg(
    "svg",
    { class: "back-art", viewBox: "0 0 100 142", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    svg("rect", { class: "ground", width: 100, height: 142 }),
    svg("circle", { class: "halo", cx: 50, cy: 58, r: 38 }),
    svg("circle", { class: "moon", cx: 50, cy: 58, r: 27 }),
    svg("path", { class: "beast", transform: "translate(49 96) scale(1.7)", d: BEAST }),
    svg("path", { class: "dune", d: "M0 98Q26 84 52 96T100 92V142H0Z" }),
    svg("path", {
      class: "line",
      d: "M0 108Q26 94 52 106T100 102M0 120Q26 106 52 118T100 114M0 132Q26 118 52 130T100 126",
    }),
  );
}

// ---------------------------------------------------------------- one card large

/**
 * Show a card large until the reader closes it.
 * @param {Card} card
 * @param {...(Node | string | null)} more what else there is to say or do
 */
export function showCard(card, ...more) {
  const closes = (/** @type {Event} */ event) => event.target === dialog && dialog.close();
  const dialog = h(
    "dialog",
    { class: "card-dialog", "aria-label": cardName(card), onclose: () => dialog.remove(), onclick: closes },
    duelCard(card, { size: "gallery" }),
    h(
      "div",
      { class: "card-more" },
      ...more,
      h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, say("duel.close")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * How to read a card, in a few words: rarity and traits.
 * @param {Card} card
 */
export function traitChips(card) {
  const told = [
    card.rarity === "rare" ? "rarity.rare" : "rarity.common",
    ...(card.auto ? ["auto"] : []),
    ...(card.super ? ["super"] : []),
  ];
  return h(
    "p",
    { class: "row" },
    told.map((key) => h("span", { class: "chip" }, say(`duel.${key}`))),
  );
}
