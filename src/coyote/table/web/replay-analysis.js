// @ts-check
// The analysis of a finished game, beside its replay: a curve, what each decision was worth, and what was luck.
import { ApiError, get } from "./api.js";
import { h, svg } from "./dom.js";
import { announce, ruleLink } from "./shell.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").Analysis} Analysis */
/** @typedef {import("./wire").Decision} Decision */

const OFTEN = 700; // milliseconds between two questions how far it is
const [WIDE, HIGH] = [600, 120];
const LOUD = ["inaccuracy", "mistake", "blunder", "unknowable"];
const numbers = new Intl.NumberFormat(lang, { maximumFractionDigits: 0 });
const decimals = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(lang, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
const MINUS = "\u2212";

/**
 * Ask until it is found.
 * @param {string} room
 * @param {(progress: number, ahead: number) => void} tell how far it is
 * @returns {Promise<Analysis>}
 */
export async function analysisOf(room, tell) {
  for (;;) {
    const told = await get("/api/rooms/{room}/analysis", { room });
    if (told.problem) throw new ApiError(409, { text: told.problem[lang] });
    if (told.analysis) return told.analysis;
    tell(told.progress, told.ahead);
    await new Promise((resolve) => setTimeout(resolve, OFTEN));
  }
}

/** @param {Decision} one */
export function standsOut(one) {
  return one.fortune !== null || LOUD.includes(one.label);
}

/**
 * What a decision is called, as a mark.
 * @param {Decision} one
 */
export function badge(one) {
  const label = one.fortune ?? one.label;
  return h("span", { class: `an-label ${label}` }, say(`replay.label.${label}`));
}

/**
 * The sentence about a decision, its rule as a link.
 * @param {Decision} one
 */
export function said({ words, rule }) {
  const [before, after] = words[lang].split(`(${rule})`);
  return after === undefined ? [before] : [before, "(", ruleLink(rule), ")", after];
}

/**
 * The panel: asked for by a button, then the curve, the sums and what is said of the step that is shown.
 * @param {object} about
 * @param {string} about.room
 * @param {string[]} about.names
 * @param {(found: Analysis) => void} about.found
 * @param {(move: number) => void} about.go to the step that a move led to
 * @param {(move: Decision) => void} about.attempt go on from before a move
 * @param {(card: string) => string} about.nameOf a card or a rank
 */
export function analysisPanel({ room, names, found, go, attempt, nameOf }) {
  const about = h("p", { class: "note" }, say("replay.analysis.about"));
  const begin = h("button", { type: "button", class: "primary", onclick: start }, say("replay.analysis.begin"));
  const body = h("div", { class: "an-body" }, about, begin);
  const here = h("div", { class: "an-here" });
  const panel = h(
    "section",
    { class: "panel an", id: "analysis", "aria-labelledby": "analysis-title" },
    h("h2", { id: "analysis-title" }, say("replay.analysis.title")),
    body,
  );
  /** @type {Analysis | null} */
  let analysis = null;
  /** @type {SVGElement | null} */
  let mark = null;

  async function start() {
    if (analysis) return;
    const bar = h("progress", { max: "1", value: "0", "aria-label": say("replay.analysis.busy") });
    const note = h("p", { class: "note", role: "status" }, say("replay.analysis.busy"));
    body.replaceChildren(note, bar);
    try {
      analysis = await analysisOf(room, (progress, ahead) => {
        bar.value = progress;
        note.textContent = ahead ? say("replay.analysis.ahead", { n: ahead }) : say("replay.analysis.busy");
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      body.replaceChildren(h("p", { class: "an-problem", role: "alert" }, why), begin);
      return;
    }
    const drawn = curve(analysis, names, go);
    mark = drawn.mark;
    body.replaceChildren(drawn.figure, sums(analysis, names), here, turningPoints(analysis, names, go));
    announce(say("replay.analysis.ready"));
    found(analysis);
  }

  /** @param {number} done how many moves are made @param {number} last how many the step has made */
  function show(done, last) {
    if (!analysis) return;
    const decisions = analysis.decisions.slice(done - last, done);
    if (mark) place(mark, done, analysis.curve.length - 1);
    here.replaceChildren(...decisions.map((one) => decision(one, names, attempt, nameOf)));
  }

  return { panel, start, show };
}

// ---------------------------------------------------------------- the curve

/**
 * A press on it goes to that move.
 * @param {Analysis} analysis @param {string[]} names @param {(move: number) => void} go
 */
function curve(analysis, names, go) {
  const last = Math.max(1, analysis.curve.length - 1);
  const x = (/** @type {number} */ n) => (WIDE * n) / last;
  const y = (/** @type {number} */ chance) => HIGH * (1 - chance);
  const points = analysis.curve.map((chance, n) => `${x(n).toFixed(1)},${y(chance).toFixed(1)}`);
  const mark = svg("line", { class: "an-now", x1: 0, x2: 0, y1: 0, y2: HIGH });
  const dots = analysis.decisions.filter(standsOut).map((one) =>
    // A line without length has round ends of one size, however the picture is stretched.
    svg("path", {
      class: `an-dot ${one.fortune ?? one.label}`,
      d: `M${x(one.move).toFixed(1)} ${y(analysis.curve[one.move] ?? 0.5).toFixed(1)}h0`,
    }),
  );
  const label = say("replay.analysis.curve", { first: names[0] });
  /** @param {MouseEvent} event */
  const press = ({ offsetX }) => go(Math.round((last * offsetX) / Math.max(1, drawn.clientWidth)));
  const drawn = h(
    "div",
    { class: "an-drawn", onclick: press },
    svg(
      "svg",
      { viewBox: `0 -6 ${WIDE} ${HIGH + 12}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      svg("polygon", { class: "an-area", points: `0,${HIGH} ${points.join(" ")} ${WIDE},${HIGH}` }),
      svg("line", { class: "an-even", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
      svg("polyline", { class: "an-line", points: points.join(" ") }),
      ...dots,
      mark,
    ),
  );
  const figure = h(
    "figure",
    { class: "an-curve" },
    h("div", { class: "an-scale", "aria-hidden": "true" }, [100, 50, 0].map((share) => h("span", null, `${share} %`))),
    drawn,
    h("figcaption", { class: "note" }, label),
  );
  return { figure, mark };
}

/** @param {SVGElement} mark @param {number} n @param {number} last */
function place(mark, n, last) {
  const x = String((WIDE * n) / Math.max(1, last));
  mark.setAttribute("x1", x);
  mark.setAttribute("x2", x);
}

// ---------------------------------------------------------------- both players

/** @param {Analysis} analysis @param {string[]} names */
function sums(analysis, names) {
  const percent = (/** @type {number} */ share) => `${numbers.format(100 * share)} %`;
  const points = (/** @type {number} */ chance) => signed.format(100 * chance).replace("-", MINUS);
  const rows = [
    row("accuracy", analysis.seats.map((seat) => percent(seat.accuracy))),
    row("lost", analysis.seats.map((seat) => points(-seat.lost))),
    row("luck_deal", analysis.seats.map((seat) => points(seat.luck.deal))),
    row("luck_later", analysis.seats.map((seat) => points(seat.luck.later))),
    ...LOUD.map((label) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, say(`replay.labels.${label}`)),
        analysis.seats.map((seat) => h("td", null, seat.labels[label])),
      ),
    ),
    ...habits(analysis),
  ];
  const table = h(
    "table",
    { class: "an-sums" },
    h("caption", { class: "visually-hidden" }, say("replay.analysis.sums")),
    h("thead", null, h("tr", null, h("td", null), names.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, rows),
  );
  return h("div", null, table, h("p", { class: "note" }, say("replay.analysis.unit")));
}

/**
 * In a duel: how often each kind was chosen, and how often a good player would have chosen it.
 * @param {Analysis} analysis
 */
function habits(analysis) {
  const kinds = ["hold", "attack", "block", "heal", "cards"].filter((kind) =>
    analysis.seats.some((seat) => kind in seat.habit),
  );
  const cell = (/** @type {{chosen: number, usual: number} | undefined} */ one) =>
    h("td", null, `${one?.chosen ?? 0} (${decimals.format(one?.usual ?? 0)})`);
  return kinds.map((kind) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, say("replay.analysis.habit", { kind: say(`replay.habit.${kind}`) })),
      analysis.seats.map((seat) => cell(seat.habit[kind])),
    ),
  );
}

/** @param {string} key @param {string[]} cells */
function row(key, cells) {
  return h("tr", null, h("th", { scope: "row" }, say(`replay.analysis.${key}`)), cells.map((one) => h("td", null, one)));
}

/** @param {Analysis} analysis @param {string[]} names @param {(move: number) => void} go */
function turningPoints(analysis, names, go) {
  const loud = analysis.decisions.filter(standsOut);
  return h(
    "div",
    { class: "an-points" },
    h("h3", null, say("replay.analysis.points")),
    loud.length
      ? h(
          "ol",
          null,
          loud.map((one) =>
            h(
              "li",
              null,
              h(
                "button",
                { type: "button", class: "quiet", onclick: () => go(one.move) },
                h("span", { class: `rp-made seat-${one.seat}` }, `${names[one.seat]} · ${say("replay.turn", { n: one.turn })}`),
                badge(one),
                h("span", { class: "an-said" }, one.words[lang]),
              ),
            ),
          ),
        )
      : h("p", { class: "note" }, say("replay.analysis.none")),
  );
}

// ---------------------------------------------------------------- one decision

/**
 * @param {Decision} one @param {string[]} names @param {(move: Decision) => void} attempt
 * @param {(card: string) => string} nameOf
 */
function decision(one, names, attempt, nameOf) {
  return h(
    "article",
    { class: "an-one" },
    h("h3", null, names[one.seat], " ", badge(one)),
    h("p", null, said(one)),
    one.moves.length ? moves(one) : null,
    hidden(one, names, nameOf),
    h("button", { type: "button", onclick: () => attempt(one) }, say("replay.analysis.try")),
  );
}

/** @param {Decision} one */
function moves(one) {
  const percent = (/** @type {number | null} */ share) => (share === null ? "–" : `${numbers.format(100 * share)} %`);
  const mixes = one.moves.some((move) => move.share !== undefined);
  const used = one.habit !== null;
  const table = h(
    "table",
    { class: "an-moves" },
    h("caption", { class: "visually-hidden" }, say("replay.analysis.moves")),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, say("replay.analysis.move")),
        h("th", { scope: "col" }, say("replay.analysis.known")),
        h("th", { scope: "col" }, say("replay.analysis.real")),
        mixes ? h("th", { scope: "col" }, say("replay.analysis.share")) : null,
        used ? h("th", { scope: "col" }, say("replay.analysis.against_habit")) : null,
      ),
    ),
    h(
      "tbody",
      null,
      one.moves.map((move) =>
        h(
          "tr",
          { class: move.move === one.made ? "made" : null },
          h("th", { scope: "row" }, move.words ? move.words[lang] : h("code", null, move.move)),
          h("td", null, percent(move.known)),
          h("td", null, percent(move.real)),
          mixes ? h("td", null, percent(move.share ?? 0)) : null,
          used ? h("td", null, percent(move.habit ?? null)) : null,
        ),
      ),
    ),
  );
  return h("div", null, table, used ? h("p", { class: "note" }, say("replay.analysis.habit_about")) : null);
}

/**
 * What the other hand could hold, from what this player could know.
 * @param {Decision} one
 * @param {string[]} names
 * @param {(card: string) => string} nameOf
 */
function hidden({ seat, hidden: hand }, names, nameOf) {
  const likely = Object.entries(hand.ranks ?? hand.cards ?? {}).sort(([, a], [, b]) => b - a);
  if (!hand.held || !likely.length) return null;
  const percent = (/** @type {number} */ chance) => `${numbers.format(100 * chance)} %`;
  const believed = hand.believed;
  const named = likely.map(([card, chance]) =>
    h("li", null, h("b", null, nameOf(card)), ` ${percent(chance)}`, believed ? ` → ${percent(believed[card])}` : ""),
  );
  return h(
    "details",
    { class: "an-hidden" },
    h("summary", null, say("replay.analysis.hidden", { name: names[1 - seat], n: hand.held })),
    h("p", { class: "note" }, say(hand.exact ? "replay.analysis.exact" : "replay.analysis.supposed")),
    believed ? h("p", { class: "note" }, say("replay.analysis.believed")) : null,
    h("ul", null, named),
  );
}
