// @ts-check
// What the cards of a deck do together, and in which turn after they are played (D22).
import { svg } from "./dom.js";
import { icon } from "./duel-card.js";
import { say } from "./words.js";

/** @typedef {import("./wire").Work} Work */

const LEFT = 92;
const CELL = 46;
const ROW = 40;
const POINTS = new Set(["attack", "block", "heal"]);

/** @param {Work[]} works @returns {SVGElement} */
export function deckChart(works) {
  const high = works.length * ROW + 20;
  const wide = LEFT + CELL * 5 + 4;
  const most = (/** @type {boolean} */ points) =>
    Math.max(1, ...works.filter((one) => POINTS.has(one.what) === points).flatMap((one) => one.ages));
  const scale = { true: most(true), false: most(false) };
  return svg(
    "svg",
    { class: "deck-chart", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": spoken(works) },
    works.flatMap((work, i) =>
      row(work, i * ROW, scale[/** @type {"true" | "false"} */ (String(POINTS.has(work.what)))]),
    ),
    [0, 1, 2, 3, 4].map((age) =>
      svg(
        "text",
        { class: "when", x: LEFT + age * CELL + CELL / 2, y: high - 4, "text-anchor": "middle" },
        say(`decks.when.${age}`),
      ),
    ),
  );
}

/** @param {Work} work @param {number} y @param {number} most */
function row({ what, ages }, y, most) {
  const base = y + ROW - 4;
  const sign = icon(what);
  for (const [name, value] of Object.entries({ x: 0, y: base - 19, width: 16, height: 16 }))
    sign.setAttribute(name, String(value));
  return [
    svg(
      "g",
      { class: `chart-label main-${what}` },
      sign,
      svg("text", { x: 22, y: base - 6 }, say(`decks.what.${what}`)),
    ),
    svg("line", { class: "base", x1: LEFT, x2: LEFT + CELL * ages.length, y1: base, y2: base }),
    ...ages.flatMap((n, age) => column(what, n, LEFT + age * CELL, base, (n / most) * (ROW - 20))),
  ];
}

/** @param {string} what @param {number} n @param {number} x @param {number} base @param {number} tall */
function column(what, n, x, base, tall) {
  if (!n) return [];
  const high = Math.max(3, tall);
  return [
    svg("rect", { class: `column main-${what}`, x: x + 7, y: base - high, width: CELL - 14, height: high, rx: 3 }),
    svg("text", { class: "amount", x: x + CELL / 2, y: base - high - 3, "text-anchor": "middle" }, n),
  ];
}

/** @param {Work[]} works */
function spoken(works) {
  const told = works.map(
    ({ what, ages }) =>
      `${say(`decks.what.${what}`)}: ${
        ages
          .map((n, age) => (n ? `${say(`decks.when.${age}`)} ${n}` : ""))
          .filter(Boolean)
          .join(", ") || 0
      }`,
  );
  return `${say("decks.chart")}. ${told.join(". ")}.`;
}
