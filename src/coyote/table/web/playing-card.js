// @ts-check
// A playing card: a big index, the suit by shape and colour, and its name in words for those who listen.
import { h, svg } from "./dom.js";
import { cardSign, say } from "./words.js";

export const SUITS = {
  S:
    "M50 6C40 26 8 42 8 64c0 14 10 22 21 22 8 0 14-4 17-10-1 8-4 13-9 18h26" +
    "c-5-5-8-10-9-18 3 6 9 10 17 10 11 0 21-8 21-22C92 42 60 26 50 6Z",
  H: "M50 92C20 66 6 50 6 32 6 18 16 9 28 9c10 0 18 6 22 16 4-10 12-16 22-16 12 0 22 9 22 23 0 18-14 34-44 60Z",
  D: "M50 4C60 22 72 38 88 50 72 62 60 78 50 96 40 78 28 62 12 50 28 38 40 22 50 4Z",
  C:
    "M50 6c12 0 21 9 21 21 0 6-2 11-6 15 2-1 5-1 7-1 12 0 21 9 21 21s-9 21-21 21c-8 0-14-4-18-10 1 9 4 15 9 21H37" +
    "c5-6 8-12 9-21-4 6-10 10-18 10C16 83 7 74 7 62s9-21 21-21c2 0 5 0 7 1-4-4-6-9-6-15C29 15 38 6 50 6Z",
  // The Jokers: a star, full for the red one, drawn in outline for the black one; and each in its colour.
  X: "M50 7 62 38l33 2-26 21 9 32-28-18-28 18 9-32L5 40l33-2Z",
};
export const MOON = "M62 6A46 46 0 1 0 94 66 38 38 0 1 1 62 6Z";
const NAMES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };

/** @param {string} card @returns {keyof SUITS} */
export function suitOf(card) {
  return /** @type {keyof SUITS} */ (card.startsWith("X") ? "X" : card[1]);
}

/** @param {string} name @param {keyof SUITS} suit */
export function dressOf(name, suit) {
  return suit === "X" ? `joker ${name === "X1" ? "red" : "black"}` : NAMES[suit];
}

/**
 * @param {string | null} name `7S`, `X1`; null for a card that nobody may see
 * @param {{size?: "s" | "m" | "l", faceDown?: boolean, sideways?: boolean}} [look]
 * @returns {HTMLElement}
 */
export function playingCard(name, look = {}) {
  const { size = "m", faceDown = false, sideways = false } = look;
  const dress = `playing-card ${size}${sideways ? " sideways" : ""}`;
  if (!name || faceDown) {
    return h("span", { class: `${dress} back`, role: "img", "aria-label": say("card.back") }, backArt());
  }
  const sign = cardSign(name);
  const suit = suitOf(name);
  return h(
    "span",
    { class: `${dress} ${dressOf(name, suit)}`, role: "img", "aria-label": sign.name, dataset: { card: name } },
    h(
      "span",
      { class: "index" },
      h("b", { class: sign.rank.length > 1 ? "wide" : null }, sign.rank),
      pip(SUITS[suit], name),
    ),
    face(name, suit),
  );
}

/** @param {string} path @param {string} name */
export function pip(path, name) {
  const hollow = name === "X2";
  return svg(
    "svg",
    { viewBox: "0 0 100 100", class: `pip${hollow ? " hollow" : ""}`, "aria-hidden": "true" },
    svg("path", { d: path }),
  );
}

/**
 * The picture: a big suit, and above it what makes the courts and the Ace themselves.
 * @param {string} name
 * @param {keyof SUITS} suit
 */
function face(name, suit) {
  const rank = suit === "X" ? "X" : name[0];
  return h("span", { class: "face" }, emblem(rank), pip(rank === "X" ? MOON : SUITS[suit], name));
}

const EMBLEMS = {
  K: "M6 40V12l14 12L32 6l12 18 14-12v28Z",
  Q: "M8 40 4 16l14 10L32 8l14 18 14-10-4 24ZM32 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z",
  J: "M10 40c0-18 10-28 30-32-4 6-4 10 0 14 8 2 13 8 14 18Z",
  // A fool's cap with three bells.
  X: "M10 42C12 30 6 26 2 24a4 4 0 1 1 3-5c8 0 14 4 17 10 1-9 4-15 10-19a4 4 0 1 1 4 0c5 4 7 10 8 19 3-6 9-10 15-10a4 4 0 1 1 3 5c-5 2-11 6-9 18Z",
  A: "M16 42a16 16 0 0 1 32 0ZM29 20 32 6l3 14ZM17 25 10 12l12 9ZM47 25l7-13-12 9ZM11 36 1 30l12-1ZM53 36l10-6-12-1Z",
};

/** @param {string} rank */
export function emblem(rank) {
  const path = EMBLEMS[/** @type {keyof EMBLEMS} */ (rank)];
  if (!path) return null;
  return svg("svg", { viewBox: "0 0 64 44", class: "emblem", "aria-hidden": "true" }, svg("path", { d: path }));
}

/** The back: dunes under a moon, in lines. */
export function backArt() {
  return svg(
    "svg",
    { viewBox: "0 0 100 140", preserveAspectRatio: "xMidYMid slice", class: "back-art", "aria-hidden": "true" },
    svg("rect", { class: "ground", x: 0, y: 0, width: 100, height: 140 }),
    svg("circle", { class: "moon", cx: 50, cy: 44, r: 19 }),
    svg("path", { class: "dune", d: "M0 84 Q25 62 50 84 T100 84 V140 H0Z" }),
    svg("path", {
      class: "line",
      d: [84, 98, 112, 126].map((y) => `M0 ${y} Q25 ${y - 22} 50 ${y} T100 ${y}`).join(" "),
    }),
  );
}
