// @ts-check
// The end of a game: who won and why, what the points or the damage came from, how long it took, and what now.
import { h } from "./dom.js";
import { coyote, ruleLink } from "./shell.js";
import { knows, line, say } from "./words.js";

/** @typedef {import("./wire").EventJson} Happening */
/** @typedef {"won" | "lost" | "drawn" | "seen" | "aborted"} Outcome */
/** @typedef {{title: string, rows: {name: string, by: number[]}[]}} Tally by seat */

const MOST_ROWS = 5;

/**
 * @param {object} about
 * @param {string} about.room
 * @param {Outcome} about.outcome
 * @param {string} about.headline
 * @param {{text: string, rule: string | null}} about.why
 * @param {Tally | null} about.tally
 * @param {string[]} about.names the heads of its columns: the seat at the bottom first
 * @param {number} about.seat the one at the bottom
 * @param {string[]} about.facts
 * @param {string | null} about.next the room of the rematch
 * @param {boolean} about.offered whether we have asked for one
 * @param {(() => void) | null} about.rematch
 * @param {(folded: boolean) => void} about.onfold whether the table below it is to be seen
 */
export function endPanel({ room, outcome, headline, why, tally, names, seat, facts, next, offered, rematch, onfold }) {
  const again = next
    ? h("a", { class: "button primary", href: `/room/${next}` }, say("table.end.next"))
    : rematch &&
      h(
        "button",
        { type: "button", class: "primary rematch", disabled: offered, onclick: rematch },
        say(offered ? "table.end.offered" : "table.end.rematch"),
      );
  const fold = h("button", { type: "button", class: "fold", "aria-expanded": "true" }, say("table.end.fold"));
  const panel = h(
    "section",
    { class: `panel end ${outcome}`, "aria-label": say("table.end.label") },
    h("div", { class: "end-head" }, coyote(), h("h2", null, headline), fold),
    h(
      "div",
      { class: "end-told" },
      h("p", { class: "why" }, why.text, why.rule ? [" ", ruleLink(why.rule)] : null),
      tally ? tallyTable(tally, names, seat) : null,
      facts.length ? h("p", { class: "facts note" }, line(...facts)) : null,
    ),
    h(
      "div",
      { class: "row" },
      again,
      h("a", { class: "button", href: `/replay/${room}` }, say("table.end.replay")),
      h("a", { class: "button", href: `/replay/${room}#analysis=yes` }, say("table.end.analysis")),
      h("a", { class: "button", href: `/replay/${room}#verify` }, say("table.end.verify")),
      h("a", { class: "button", href: "/" }, say("table.to_lobby")),
    ),
  );
  fold.addEventListener("click", () => {
    const folded = panel.classList.toggle("folded");
    fold.textContent = say(folded ? "table.end.unfold" : "table.end.fold");
    fold.setAttribute("aria-expanded", String(!folded));
    onfold(folded);
  });
  return panel;
}

/** @param {Tally} tally @param {string[]} names @param {number} seat */
function tallyTable({ title, rows }, names, seat) {
  const order = [seat, 1 - seat];
  return h(
    "table",
    { class: "tally" },
    h("caption", null, title),
    h("thead", null, h("tr", null, h("td", null), names.map((name) => h("th", { scope: "col" }, name)))),
    h(
      "tbody",
      null,
      rows.map(({ name, by }) =>
        h("tr", null, h("th", { scope: "row" }, name), order.map((one) => h("td", null, by[one] || "–"))),
      ),
    ),
  );
}

/**
 * Points by what they were for, or damage by the card that dealt it; only what was told is added up.
 * @param {Happening[]} events
 * @param {(card: string) => string} nameOf
 * @returns {Tally | null}
 */
export function tallyOf(events, nameOf) {
  /** @type {Map<string, number[]>} */
  const points = new Map();
  /** @type {Map<string, number[]>} */
  const damage = new Map();
  let lead = 0;
  for (const event of events) {
    if (event.kind === "point" && event.source && event.lead !== undefined) {
      add(points, event.source, event.seat, Math.abs(event.lead - lead));
      lead = event.lead;
    }
    if (event.kind === "strike" && event.title) add(damage, event.title, event.seat, event.points ?? 0);
  }
  if (points.size) {
    const named = (/** @type {string} */ source) => (knows(`table.source.${source}`) ? say(`table.source.${source}`) : source);
    return { title: say("table.end.points"), rows: rowsOf(points, named) };
  }
  return damage.size ? { title: say("table.end.damage"), rows: rowsOf(damage, nameOf) } : null;
}

/** @param {Map<string, number[]>} sums @param {string} key @param {number | null} seat @param {number} n */
function add(sums, key, seat, n) {
  const by = sums.get(key) ?? [0, 0];
  if (seat !== null) by[seat] += n;
  sums.set(key, by);
}

/**
 * The largest first; the small ones together, and below all of them the sum.
 * @param {Map<string, number[]>} sums @param {(key: string) => string} named
 */
function rowsOf(sums, named) {
  const rows = [...sums].map(([key, by]) => ({ name: named(key), by })).sort((a, b) => total(b.by) - total(a.by));
  const shown = rows.length > MOST_ROWS ? rows.slice(0, MOST_ROWS - 1) : rows;
  const rest = rows.slice(shown.length);
  if (rest.length) shown.push({ name: say("table.end.rest", { n: rest.length }), by: sum(rest) });
  return rows.length > 1 ? [...shown, { name: say("table.end.sum"), by: sum(rows) }] : shown;
}

/** @param {{by: number[]}[]} rows */
function sum(rows) {
  return [0, 1].map((seat) => rows.reduce((all, { by }) => all + by[seat], 0));
}

/** @param {number[]} by */
function total(by) {
  return by[0] + by[1];
}

/**
 * How long a game took that began and ended before our eyes.
 * @param {string} room
 * @param {boolean} over
 * @returns {string | null}
 */
export function lengthOf(room, over) {
  const key = `time:${room}`;
  const [from, to] = (sessionStorage.getItem(key) ?? "").split(" ").map(Number);
  if (!from && over) return null;
  const [began, ended] = [from || Date.now(), to || (over ? Date.now() : 0)];
  sessionStorage.setItem(key, ended ? `${began} ${ended}` : String(began));
  if (!ended) return null;
  const minutes = Math.floor((ended - began) / 60_000);
  return minutes ? say("table.end.minutes", { n: minutes }) : say("table.end.seconds", { n: Math.round((ended - began) / 1000) });
}
