// @ts-check
// Ratings in words and as a drawing: a number with its mark, what a game has changed, a curve.
import { get } from "./api.js";
import { gameNamed, kindNamed, titleOf } from "./catalog.js";
import { h, svg } from "./dom.js";
import { lang, line, say, shownName } from "./words.js";

/** @typedef {import("./wire").PoolShown} Pool */
/** @typedef {import("./wire").Curve} Curve */
/** @typedef {{rating: number, provisional: boolean}} Rated */

const [WIDE, HIGH] = [600, 180]; // of a drawing, in its own units
const MARGIN = { left: 76, right: 10, top: 12, bottom: 34 };

/**
 * `1523`, or `1523?` while it may be far off.
 * @param {Rated} rated
 */
export function ratingText({ rating, provisional }) {
  return provisional ? say("ladder.provisional", { rating: String(rating) }) : String(rating);
}

/** @param {Rated | null | undefined} rated */
export function ratingMark(rated) {
  if (!rated) return null;
  const about = say(rated.provisional ? "ladder.about_provisional" : "ladder.about");
  return h("span", { class: "rating", title: about }, ratingText(rated));
}

/** @param {number} before @param {number} after */
export function changeText(before, after) {
  const more = after - before;
  const sign = more > 0 ? "+" : more < 0 ? "−" : "±";
  return say("ladder.change", { before: String(before), after: String(after), change: `${sign}${Math.abs(more)}` });
}

/** @param {Pool} pool */
export function poolTitle({ game, edition, clock }) {
  const kind = kindNamed(game, edition);
  const known = gameNamed(game);
  const names = [known ? titleOf(known) : game, ...(kind?.edition ? [titleOf(kind.edition)] : [])];
  return line(...names, say(`ladder.clock.${clock}`));
}

/**
 * What a game that is over has made of the ratings, as sentences; nothing where it cannot be known now.
 * @param {string} room
 * @param {string[]} names by seat
 * @returns {Promise<string[]>}
 */
export async function gameChanges(room, names) {
  const found = await get("/api/rooms/{room}/rating", { room }).catch(() => null);
  if (!found?.counts) return [];
  if (found.counts === "many") return [say("ladder.counts.many", { most: found.most })];
  if (found.counts === "no") return [say("ladder.counts.no")];
  const told = found.changes.flatMap((one, seat) =>
    one ? [say("ladder.changed", { name: names[seat], change: changeText(one.before, one.after) })] : [],
  );
  return found.counts === "abort" ? [say("ladder.counts.abort"), ...told] : told;
}

/**
 * A curve over time with a band of how far off it may be; the same in words for those who do not see it.
 * @param {Curve} curve
 */
export function drawCurve({ points, pool }) {
  const first = points[0];
  const last = points[points.length - 1];
  const lows = points.map(({ rating, deviation }) => rating - deviation);
  const highs = points.map(({ rating, deviation }) => rating + deviation);
  const [low, high] = bounds(Math.min(...lows), Math.max(...highs));
  const x = (/** @type {number} */ n) =>
    MARGIN.left + ((WIDE - MARGIN.left - MARGIN.right) * n) / Math.max(1, points.length - 1);
  const y = (/** @type {number} */ value) =>
    HIGH - MARGIN.bottom - ((HIGH - MARGIN.top - MARGIN.bottom) * (value - low)) / (high - low);
  const at = (/** @type {number} */ n, /** @type {number} */ value) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`;
  const band = [...highs.map((value, n) => at(n, value)), ...lows.map((value, n) => at(n, value)).reverse()];
  const lines = levels(low, high);
  const label = say("ladder.curve", {
    pool: poolTitle(pool),
    n: points.length,
    first: String(first.rating),
    last: String(last.rating),
  });
  return svg(
    "svg",
    { class: "curve", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label },
    lines.map((value) => svg("line", { class: "level", x1: MARGIN.left, x2: WIDE - MARGIN.right, y1: y(value), y2: y(value) })),
    lines.map((value) => svg("text", { class: "number", x: MARGIN.left - 8, y: y(value) + 4, "text-anchor": "end" }, String(value))),
    svg("polygon", { class: "band", points: band.join(" ") }),
    svg("polyline", { class: "line", points: points.map(({ rating }, n) => at(n, rating)).join(" ") }),
    svg("circle", { class: "now", cx: x(points.length - 1), cy: y(last.rating), r: 4 }),
    svg("text", { class: "date", x: MARGIN.left, y: HIGH - 6 }, date(first.at)),
    points.length > 1 ? svg("text", { class: "date", x: WIDE - MARGIN.right, y: HIGH - 6, "text-anchor": "end" }, date(last.at)) : null,
  );
}

/** @param {number} low @param {number} high */
function bounds(low, high) {
  const room = Math.max(100, high - low) * 0.08;
  return [low - room, high + room];
}

/**
 * Round numbers between two, a few of them.
 * @param {number} low @param {number} high
 */
function levels(low, high) {
  const apart = [50, 100, 200, 500, 1000].find((step) => (high - low) / step <= 4) ?? 2000;
  const found = [];
  for (let value = Math.ceil(low / apart) * apart; value <= high; value += apart) found.push(value);
  return found;
}

/** @param {number} at */
function date(at) {
  return new Date(at).toLocaleDateString(lang, { day: "numeric", month: "short", year: "numeric" });
}

/**
 * What the computer makes of a deal, as far as it has played it.
 * @param {import("./wire").ParShown} par
 */
export function parText({ games, bot, first, margin }) {
  if (first === null || margin === null) return say("boards.par_soon");
  const ahead = margin.toLocaleString(lang, { signDisplay: "exceptZero", maximumFractionDigits: 1 }).replace("-", "−");
  return say("boards.par", { n: games, bot: shownName(bot), first, margin: ahead });
}
