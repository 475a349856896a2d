// @ts-check
// Sheets of paper with cards on them, in millimetres: nothing here knows what is on a card.
import { h } from "./dom.js";

/** @typedef {"a4" | "letter"} Paper */
/** @typedef {{paper: Paper, marks: boolean, bleed: boolean, backs: boolean, saving: boolean}} Look */
/** @typedef {{wide: number, high: number, columns: number, rows: number, bleed: number}} Plan */

/** @type {Record<Paper, [number, number]>} */
const PAPERS = { a4: [210, 297], letter: [215.9, 279.4] };
const [CARD_WIDE, CARD_HIGH] = [63, 88]; // poker size
const BLEED = 3;
const EDGE = 5; // that no printer needs less than
const MARK = 4; // the length of a cut mark
const GAP = 0.6; // between what is printed and a mark

/**
 * How the sheet lies so that most cards fit on it.
 * @param {Look} look
 * @returns {Plan}
 */
export function plan({ paper, bleed: bleeds }) {
  const bleed = bleeds ? BLEED : 0;
  const [short, long] = PAPERS[paper];
  const [upright, lying] = [
    [short, long],
    [long, short],
  ].map(([wide, high]) => ({
    wide,
    high,
    columns: Math.floor((wide - 2 * EDGE) / (CARD_WIDE + 2 * bleed)),
    rows: Math.floor((high - 2 * EDGE) / (CARD_HIGH + 2 * bleed)),
    bleed,
  }));
  return lying.columns * lying.rows > upright.columns * upright.rows ? lying : upright;
}

/** @param {Look} look @returns {Plan} an upright sheet without cards */
export function plainPlan({ paper }) {
  const [wide, high] = PAPERS[paper];
  return { wide, high, columns: 0, rows: 0, bleed: 0 };
}

/**
 * Whether it is the long edge over which the sheet is turned, so that what was left comes to the right.
 * @param {Plan} sheet
 */
export function overLongEdge({ wide, high }) {
  return high > wide;
}

const paperStyle = new CSSStyleSheet();

/**
 * Tell the printer what paper it is.
 * @param {Plan} sheet
 */
export function takePaper({ wide, high }) {
  paperStyle.replaceSync(`@page { size: ${wide}mm ${high}mm; margin: 0; }`);
  document.adoptedStyleSheets = [paperStyle];
}

/**
 * @param {Plan} sheet @param {Look} look @param {"front" | "back" | "text"} side
 * @param {(Node | null)[]} inside
 */
export function leaf({ wide, high, bleed }, { saving, marks }, side, inside) {
  const sizes = { "--paper-w": wide, "--paper-h": high, "--bleed": `${bleed}mm` };
  const dress = `leaf noon${saving ? " saving" : ""}${marks && !bleed ? " marked" : ""}`;
  return h(
    "div",
    { class: dress, style: sizes, dataset: { side } },
    h("div", { class: "sheet" }, inside),
  );
}

/**
 * All sheets; where there are backs, each front is followed by its own, and what is left on one is right on the
 * other.
 * @param {HTMLElement[]} fronts
 * @param {HTMLElement} back
 * @param {Look} look
 */
export function cardSheets(fronts, back, look) {
  const sheet = plan(look);
  const most = sheet.columns * sheet.rows;
  const leaves = [];
  for (let first = 0; first < fronts.length; first += most) {
    const shown = fronts.slice(first, first + most);
    leaves.push(leaf(sheet, look, "front", laid(shown, sheet, look, (column) => column)));
    if (!look.backs) continue;
    const backs = shown.map(() => /** @type {HTMLElement} */ (back.cloneNode(true)));
    leaves.push(leaf(sheet, look, "back", laid(backs, sheet, look, (column) => sheet.columns - 1 - column)));
  }
  return leaves;
}

/**
 * @param {HTMLElement[]} cards @param {Plan} sheet @param {Look} look
 * @param {(column: number) => number} place of a column on this side
 */
function laid(cards, sheet, { marks }, place) {
  const columns = Array.from({ length: Math.min(cards.length, sheet.columns) }, (_, n) => columnAt(sheet, place(n)));
  const rows = Array.from({ length: Math.ceil(cards.length / sheet.columns) }, (_, n) => rowAt(sheet, n));
  cards.forEach((card, n) => {
    card.style.setProperty("left", `${columns[n % sheet.columns]}mm`);
    card.style.setProperty("top", `${rows[Math.floor(n / sheet.columns)]}mm`);
  });
  return marks ? [...cards, ...cutMarks(columns, rows, sheet)] : cards;
}

/** @param {Plan} sheet @param {number} n */
function columnAt({ wide, columns, bleed }, n) {
  return wide / 2 + (n - columns / 2) * (CARD_WIDE + 2 * bleed) + bleed;
}

/** @param {Plan} sheet @param {number} n */
function rowAt({ high, rows, bleed }, n) {
  return high / 2 + (n - rows / 2) * (CARD_HIGH + 2 * bleed) + bleed;
}

/**
 * Short lines around all cards, where the knife goes in and comes out.
 * @param {number[]} columns @param {number[]} rows @param {Plan} sheet
 */
function cutMarks(columns, rows, { bleed }) {
  const off = bleed + GAP;
  const xs = new Set(columns.flatMap((x) => [x, x + CARD_WIDE]));
  const ys = new Set(rows.flatMap((y) => [y, y + CARD_HIGH]));
  const [top, bottom] = [Math.min(...ys) - off - MARK, Math.max(...ys) + off];
  const [left, right] = [Math.min(...xs) - off - MARK, Math.max(...xs) + off];
  const mark = (/** @type {string} */ kind, /** @type {number} */ x, /** @type {number} */ y) =>
    h("span", { class: `cut-mark ${kind}`, style: { left: `${x}mm`, top: `${y}mm` } });
  return [
    ...[...xs].flatMap((x) => [mark("upright", x, top), mark("upright", x, bottom)]),
    ...[...ys].flatMap((y) => [mark("level", left, y), mark("level", right, y)]),
  ];
}
