// @ts-check
// One card on paper: 63 × 88 mm to the cut, and what is printed beyond it where there is a bleed.
import { h, svg } from "./dom.js";
import { duelBack, duelCard } from "./duel-card.js";
import { MOON, SUITS, backArt, dressOf, emblem, pip, suitOf } from "./playing-card.js";

/** @typedef {import("./duel-card.js").Card} Card */
/** @typedef {import("./duel-card.js").Lang} Lang */
/** @typedef {import("./words.js").Speech} Speech */

const WIDE = 63;
const HIGH = 88;

/**
 * @param {string} dress
 * @param {...(Node | string)} inside
 */
function cut(dress, ...inside) {
  return h("div", { class: `cut ${dress}` }, h("span", { class: "ground" }), ...inside);
}

// ---------------------------------------------------------------- the duel

/**
 * @param {Card} card
 * @param {Lang[]} langs the first one louder
 * @param {string} set what its set is called
 */
export function printedCard(card, langs, set) {
  const traits = `${card.rarity}${card.super ? " super" : ""}`;
  const face = duelCard(card, { size: "gallery", langs });
  face.append(h("span", { class: "foot" }, set));
  const made = cut(`duel main-${card.main} ${traits}`, face);
  made.dataset.card = card.id;
  return made;
}

export function printedBack() {
  return cut("duel back", duelBack());
}

/** How large the words are, and how many millimetres the picture must have left for that. */
const FITS = [
  [1, 34],
  [0.94, 32],
  [0.88, 30],
  [0.82, 28],
  [0.76, 24],
  [0.7, 18],
  [0.62, 12],
  [0.55, 0],
];
const MM = 96 / 25.4;

/**
 * Long texts are set smaller. The card must lie on the page.
 * @param {HTMLElement} made
 */
export function fitText(made) {
  const art = /** @type {HTMLElement | null} */ (made.querySelector(".art"));
  if (!art) return;
  for (const [size, left] of FITS) {
    made.style.setProperty("--fit", String(size));
    if (art.offsetHeight >= left * MM) break;
  }
  // What a low picture loses above, its suns and moons are moved down by.
  const lost = Math.max(0, 1 - art.offsetHeight / art.offsetWidth) / 2;
  made.style.setProperty("--lost", String(lost));
}

// ---------------------------------------------------------------- Madness

/** All 54, as one holds them: suit by suit, the Jokers last. */
export const PLAYING_CARDS = [..."SHDC"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit)).concat("X1", "X2");

/**
 * @param {string} name `7S`, `X1`
 * @param {Speech[]} speeches the second one is that of the lower corner
 */
export function printedPlayingCard(name, [first, second = first]) {
  const suit = suitOf(name);
  const made = cut(
    `playing ${dressOf(name, suit)}`,
    svg(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "face-art", role: "img", "aria-label": first.cardSign(name).name },
      index(name, first),
      turned(index(name, second)),
      ...picture(name, suit),
    ),
  );
  made.dataset.card = name;
  return made;
}

export function printedPlayingBack() {
  return cut("playing back", backArt());
}

/** @param {string} name @param {Speech} speech */
function index(name, speech) {
  const { rank } = speech.cardSign(name);
  return svg(
    "g",
    { class: "index" },
    svg("text", { x: 8, y: 13, class: rank.length > 1 ? `wide letters-${rank.length}` : null }, rank),
    drawn(pip(name.startsWith("X") ? SUITS.X : SUITS[suitOf(name)], name), 8, 19.4, 7),
  );
}

/**
 * As whoever sits opposite sees it.
 * @param {SVGElement} shape
 */
function turned(shape) {
  return svg("g", { transform: `rotate(180 ${WIDE / 2} ${HIGH / 2})` }, shape);
}

/**
 * A drawing with its middle at a place.
 * @param {SVGElement} shape @param {number} x @param {number} y @param {number} wide @param {number} [high]
 */
function drawn(shape, x, y, wide, high = wide) {
  for (const [key, value] of Object.entries({ x: x - wide / 2, y: y - high / 2, width: wide, height: high }))
    shape.setAttribute(key, String(value));
  return shape;
}

const [LEFT, MIDDLE, RIGHT] = [21.5, 31.5, 41.5];
const [TOP, BOTTOM] = [18, 70];
const row = (/** @type {number} */ part) => TOP + (BOTTOM - TOP) * part;
const pair = (/** @type {number} */ part) => [[LEFT, row(part)], [RIGHT, row(part)]];
const one = (/** @type {number} */ part) => [[MIDDLE, row(part)]];

/**
 * Where the pips of a number stand.
 * @type {Record<string, number[][]>}
 */
const PIPS = {
  2: [...one(0), ...one(1)],
  3: [...one(0), ...one(0.5), ...one(1)],
  4: [...pair(0), ...pair(1)],
  5: [...pair(0), ...one(0.5), ...pair(1)],
  6: [...pair(0), ...pair(0.5), ...pair(1)],
  7: [...pair(0), ...one(0.25), ...pair(0.5), ...pair(1)],
  8: [...pair(0), ...one(0.25), ...pair(0.5), ...one(0.75), ...pair(1)],
  9: [...pair(0), ...pair(1 / 3), ...one(0.5), ...pair(2 / 3), ...pair(1)],
  T: [...pair(0), ...one(1 / 6), ...pair(1 / 3), ...pair(2 / 3), ...one(5 / 6), ...pair(1)],
};

/** @param {string} name @param {keyof SUITS} suit @returns {SVGElement[]} */
function picture(name, suit) {
  const rank = suit === "X" ? "X" : name[0];
  const sign = () => pip(SUITS[suit], name);
  if (PIPS[rank])
    return PIPS[rank].map(([x, y]) => {
      const shape = drawn(sign(), x, y, 10.5);
      return y > HIGH / 2 + 1 ? svg("g", { transform: `rotate(180 ${x} ${y})` }, shape) : shape;
    });
  const crown = () => emblem(rank) ?? sign();
  if (rank === "A") return [drawn(sign(), MIDDLE, 47, 30), drawn(crown(), MIDDLE, 22, 19, 13)];
  if (rank === "X") return [drawn(pip(MOON, name), MIDDLE, 52, 30), drawn(crown(), MIDDLE, 26, 26, 18)];
  // A court is the same from both sides.
  const half = () => svg("g", {}, drawn(crown(), MIDDLE, 20, 24, 16.5), drawn(sign(), MIDDLE, 36, 13));
  return [
    svg("rect", { class: "court", x: 15.5, y: 8, width: 32, height: 72, rx: 2.5 }),
    half(),
    turned(half()),
    svg("path", { class: "court", d: "M15.5 51.5L47.5 36.5" }),
  ];
}
