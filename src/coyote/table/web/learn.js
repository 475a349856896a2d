// @ts-check
// A first game: real moves on set tables. What is said stays until the learner goes on, by a move or by a button; only
// moves about which nothing is said follow by themselves. Whoever wants may leave at any time.
import { get } from "./api.js";
import { allGames, gameOfPage, nameOf, titleOf } from "./catalog.js";
import { $, calm, h } from "./dom.js";
import { makeTable } from "./game-table.js";
import { announce, coyote, ready, ruleLink, startPage } from "./shell.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").Lesson} Lesson */

const PAUSE = 900; // milliseconds in which a move is seen about which nothing is said
const KIND_WORDS = 3;

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

const progress = h("div", { class: "ln-progress" });
const words = h("div", { class: "ln-words", tabindex: "0", role: "group", "aria-label": title });
const [backButton, showButton, nextButton] = [helper("back", back), helper("show", show), helper("next", next)];
const leaving = h("a", { class: "button quiet ln-leave", href: "/" }, say("learn.leave"));
const playing = h("a", { class: "button primary", href: "/" }, say("learn.play", { game: titleOf(game) }));
const helpers = h("div", { class: "ln-helpers" }, leaving, backButton, showButton, nextButton);
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
  leaving.href = playing.href = toPlay();
  stage.replaceChildren(h("h2", { class: "visually-hidden" }, say("learn.table")), table);
  stage.addEventListener("move", (event) => moved(/** @type {CustomEvent<string>} */ (event).detail));
  stage.addEventListener("attempt", () => kindly(say("learn.not_now")));
  addEventListener("keydown", keyed);
  main.replaceChildren(
    h(
      "section",
      { class: "panel ln-guide" },
      h("div", { class: "ln-teller" }, coyote(), h("h1", null, title)),
      progress,
      words,
      helpers,
    ),
    stage,
  );
  go(0);
}

// ---------------------------------------------------------------- going through it

/**
 * The learner stops where a move is wanted or something is said.
 * @param {number} number
 */
function stops(number) {
  const { want, say: said } = lesson.steps[number];
  return Boolean(want || said);
}

/** @param {number} to */
function go(to) {
  window.clearTimeout(timer);
  const one = to === place + 1 && lesson.steps[to].part === lesson.steps[place].part;
  place = to;
  const { view, legal, events, want } = lesson.steps[place];
  table.skip();
  const shown = table.show({ view, legal, events: one ? events : [], seat: 0, names: lesson.names, open: null });
  table.busy = false;
  if (want) glow(want);
  if (!stops(place)) void shown.then(() => follow(to));
  draw(null);
}

/**
 * After the motion that led to this step, and a moment: on by itself.
 * @param {number} from
 */
function follow(from) {
  if (place === from) timer = window.setTimeout(() => go(from + 1), calm() ? PAUSE / 5 : PAUSE);
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
  if (move === lesson.steps[place].want) return go(place + 1);
  table.refused();
  kindly(say(`learn.other.${mistakes++ % KIND_WORDS}`));
}

/** @param {string} text what is said about a move that is not the one */
function kindly(text) {
  glow(lesson.steps[place].want ?? "");
  draw(text);
}

/** The move is made for the learner. */
function show() {
  const { want } = lesson.steps[place];
  if (want) moved(want);
}

function next() {
  if (!lesson.steps[place].want && place < lesson.steps.length - 1) go(place + 1);
}

/** To where the learner stopped before. */
function back() {
  go(Math.max(0, before(place)));
}

/** @param {number} number @returns {number} the stop before this step, or -1 */
function before(number) {
  const earlier = lesson.steps.map((_, n) => n).filter((n) => n < number && stops(n));
  return earlier.at(-1) ?? -1;
}

/**
 * Enter goes on wherever nothing else has the focus.
 * @param {KeyboardEvent} event
 */
function keyed(event) {
  const nowhere = event.target === document.body || event.target === words;
  if (event.key === "Enter" && nowhere) next();
}

// ---------------------------------------------------------------- words

/** What has happened since the learner's last stop; it is told until the next one is left. */
function told() {
  const here = lesson.steps[place];
  return lesson.steps
    .slice(before(place) + 1, place + 1)
    .filter((step) => step.part === here.part)
    .flatMap((step) => step.told ?? []);
}

/** @param {string | null} reply */
function draw(reply) {
  const step = lesson.steps[place];
  const over = place === lesson.steps.length - 1;
  words.replaceChildren(
    ...(reply ? [h("p", { class: "ln-kindly" }, reply)] : []),
    ...told().map((text) => h("p", { class: "ln-told" }, linked(text))),
    ...(step.say ? [h("p", { class: "ln-say" }, linked(step.say))] : []),
    ...(over ? [farewell()] : []),
  );
  words.scrollTop = 0;
  drawHelpers(over);
  drawProgress(over);
  announce([reply, ...told(), step.say].filter(Boolean).join(" "));
}

/** @param {"back" | "show" | "next"} name @param {() => void} act */
function helper(name, act) {
  const look = { back: "quiet", show: "", next: "primary" }[name];
  return h("button", { type: "button", class: look, dataset: { helper: name }, onclick: act }, say(`learn.${name}`));
}

/**
 * What cannot be done now is not seen, but keeps its room: no button comes under a finger that meant another one.
 * Who had a button in focus at the end finds there what is offered instead.
 * @param {boolean} over
 */
function drawHelpers(over) {
  const focused = helpers.contains(document.activeElement);
  const { want } = lesson.steps[place];
  backButton.classList.toggle("away", before(place) < 0);
  showButton.classList.toggle("away", !want);
  nextButton.classList.toggle("away", Boolean(want));
  if (over === helpers.contains(playing)) return;
  helpers.replaceChildren(...(over ? [backButton, playing] : [leaving, backButton, showButton, nextButton]));
  if (over && focused) playing.focus();
}

/** A game against the weakest bot, with the cards that one has learned with. */
function toPlay() {
  const link = new URLSearchParams({ game: game.name, opponent: "bot", level: "1" });
  if (lesson.deck) link.set("deck", lesson.deck);
  return `/?${link}`;
}

function farewell() {
  const others = allGames().filter((one) => one.lesson && one !== game);
  return h(
    "p",
    { class: "ln-farewell" },
    others.map((one) => h("a", { href: `/learn/${one.name}` }, say("learn.title", { game: titleOf(one) }))),
    game.rulebook ? h("a", { href: `/rules/${game.name}` }, say("learn.rules")) : null,
    h("button", { type: "button", class: "quiet", onclick: () => go(0) }, say("learn.again")),
  );
}

/** @param {boolean} over */
function drawProgress(over) {
  const mine = lesson.steps.map((step, number) => (step.want ? number : -1)).filter((number) => number >= 0);
  const done = over ? mine.length : mine.filter((number) => number < place).length;
  const label = say("learn.place", { n: Math.min(done + 1, mine.length), last: mine.length });
  const dots = mine.map((_, number) => h("span", { class: number < done ? "done" : number === done ? "now" : null }));
  progress.replaceChildren(
    h("span", { class: "ln-dots", role: "img", "aria-label": `${say("learn.progress")}: ${label}` }, dots),
    h("span", { class: "note" }, over ? say("learn.over") : part()),
  );
}

function part() {
  const number = lesson.steps[place].part;
  const about = { n: number + 1, last: lesson.parts.length, title: lesson.parts[number] };
  return lesson.parts.length > 1 ? say("learn.part", about) : about.title;
}

/**
 * A sentence whose rules are links, in brackets that no line breaks.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function linked(text) {
  return text.split(/(\([^)]*\))/).map((part, number) => {
    if (number % 2 === 0) return part;
    return h("span", { class: "ln-rules" }, part.split(RULE).map((one, n) => (n % 2 ? ruleLink(one) : one)));
  });
}
