// @ts-check
// A first game: real moves on a set table, a sentence at each step, and whoever wants may leave at any time.
import { get } from "./api.js";
import { allGames, gameOfPage, nameOf, titleOf } from "./catalog.js";
import { $, calm, h } from "./dom.js";
import { makeTable } from "./game-table.js";
import { announce, coyote, ready, ruleLink, startPage } from "./shell.js";
import { sign } from "./sign.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").Lesson} Lesson */

const PAUSE = 1500; // milliseconds in which the other one's move is seen before the next thing happens
const KIND_WORDS = 3;
const SIGNS = {
  show: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.5 1 2.5h6c0-1 .2-1.7 1-2.5A6 6 0 0 0 12 3Z",
  back: "M4 5v5h5M4.6 10A8 8 0 1 1 4 14",
  play: "M7 4v16l13-8Z",
};

await ready();
const game = gameOfPage();
const title = say("learn.title", { game: titleOf(game) });
// Rules are named by the letter of any game, and a number.
const RULE = new RegExp(
  `\\b([${allGames()
    .map((one) => one.letter)
    .join("")}]\\d{1,2})\\b`,
);
const { main } = startPage({ title, bare: true });
main.className = "learn";

/** @type {Lesson} */
let lesson;
/** @type {import("./types").GameTable} */
let table;
let place = 0;
let mistakes = 0;
let timer = 0;
/** @type {string[]} what was told since the learner's last move */
let heard = [];

const progress = h("div", { class: "ln-progress" });
const words = h("div", { class: "ln-words" });
const helpers = h("div", { class: "ln-helpers" }, helper("show", on), helper("back", back), leave());
const stage = h("div", { class: "ln-stage" });

try {
  await begin();
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  main.replaceChildren(h("section", { class: "panel" }, h("h1", null, say("learn.failed")), h("p", null, why)));
}

async function begin() {
  lesson = await get("/api/lessons/{game}", { game: nameOf(game), lang });
  table = await makeTable(game.name);
  stage.replaceChildren(h("h2", { class: "visually-hidden" }, say("learn.table")), table);
  stage.addEventListener("move", (event) => moved(/** @type {CustomEvent<string>} */ (event).detail));
  main.replaceChildren(
    h(
      "section",
      { class: "panel ln-guide" },
      h("div", { class: "ln-teller" }, coyote(), h("h1", null, title)),
      progress,
      helpers,
      words,
    ),
    stage,
  );
  go(0);
}

// ---------------------------------------------------------------- going through it

/** @param {number} next */
function go(next) {
  window.clearTimeout(timer);
  place = next;
  const step = lesson.steps[place];
  if (step.told) heard.push(step.told);
  const { view, legal, events } = step;
  table.show({ view, legal, events, seat: 0, names: lesson.names, open: null });
  table.busy = false;
  if (step.want) glow(step.want);
  else if (place < lesson.steps.length - 1) timer = window.setTimeout(() => go(place + 1), calm() ? PAUSE / 5 : PAUSE);
  draw(null);
}

/**
 * Once the table stands: the first time it may take until the next frame.
 * @param {string} move
 */
function glow(move) {
  requestAnimationFrame(() => {
    if (lesson.steps[place].want === move) table.highlight(move);
  });
}

/** @param {string} move */
function moved(move) {
  if (move === lesson.steps[place].want) {
    heard = [];
    return go(place + 1);
  }
  table.refused();
  glow(lesson.steps[place].want ?? "");
  draw(say(`learn.other.${mistakes++ % KIND_WORDS}`));
}

/** The move is made for the learner; or, while the other one moves, nothing is waited for. */
function on() {
  const { want } = lesson.steps[place];
  if (want) moved(want);
  else if (place < lesson.steps.length - 1) go(place + 1);
}

/** Back to the learner's move before this one. */
function back() {
  const before = lesson.steps.map((step, number) => (step.want && number < place ? number : 0));
  heard = [];
  go(Math.max(...before));
}

// ---------------------------------------------------------------- words

/** @param {string | null} kindly what is said about a move that is not the one */
function draw(kindly) {
  const step = lesson.steps[place];
  const over = place === lesson.steps.length - 1;
  words.replaceChildren(
    ...heard.map((text) => h("p", { class: "ln-heard" }, linked(text))),
    ...(kindly ? [h("p", { class: "ln-kindly" }, kindly)] : []),
    ...(step.say ? [h("p", { class: "ln-say" }, linked(step.say))] : []),
    ...(over ? [farewell()] : []),
  );
  sayGoodbye(over);
  drawProgress(over);
  announce([...heard, kindly, step.say].filter(Boolean).join(" "));
}

/** @param {"show" | "back"} name @param {() => void} act */
function helper(name, act) {
  return h(
    "button",
    { type: "button", class: name === "back" ? "quiet" : "", "aria-label": say(`learn.${name}`), onclick: act },
    sign(SIGNS[name]),
    h("span", null, say(`learn.${name}`)),
  );
}

function leave() {
  return h(
    "a",
    { class: "button quiet", href: `/?game=${game.name}`, "aria-label": say("learn.skip") },
    sign(SIGNS.play),
    h("span", null, say("learn.skip")),
  );
}

/**
 * At the end other things are offered; who had a button in focus finds the first of them there.
 * @param {boolean} over
 */
function sayGoodbye(over) {
  const focused = helpers.contains(document.activeElement);
  helpers.hidden = over;
  if (over && focused) $("a.primary", words)?.focus();
}

function farewell() {
  const others = allGames().filter((one) => one.lesson && one !== game);
  return h(
    "div",
    { class: "row ln-farewell" },
    h("a", { class: "button primary", href: `/?game=${game.name}` }, say("learn.play", { game: titleOf(game) })),
    others.map((one) =>
      h("a", { class: "button", href: `/learn/${one.name}` }, say("learn.next", { game: titleOf(one) })),
    ),
    game.rulebook ? h("a", { class: "button", href: `/rules/${game.name}` }, say("learn.rules")) : null,
    h("button", { type: "button", class: "quiet", onclick: again }, say("learn.again")),
  );
}

function again() {
  heard = [];
  go(0);
}

/** @param {boolean} over */
function drawProgress(over) {
  const mine = lesson.steps.map((step, number) => (step.want ? number : -1)).filter((number) => number >= 0);
  const done = over ? mine.length : mine.filter((number) => number < place).length;
  const label = say("learn.place", { n: Math.min(done + 1, mine.length), last: mine.length });
  const dots = mine.map((_, number) => h("span", { class: number < done ? "done" : number === done ? "now" : null }));
  progress.replaceChildren(
    h("span", { class: "ln-dots", role: "img", "aria-label": `${say("learn.progress")}: ${label}` }, dots),
    h("span", { class: "note", "aria-hidden": "true" }, over ? say("learn.over") : label),
  );
}

/**
 * A sentence whose rules are links.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function linked(text) {
  return text.split(RULE).map((part, number) => (number % 2 ? ruleLink(part) : part));
}
