// @ts-check
// A finished game, step by step, with the eyes of either player or with all cards open.
import { ApiError, get } from "./api.js";
import { setChip } from "./card-set.js";
import { titleOf } from "./catalog.js";
import { copyText } from "./clipboard.js";
import { h, remember, $, $$ } from "./dom.js";
import { makeTable } from "./game-table.js";
import { proof } from "./proof.js";
import { analysisPanel, badge, said, standsOut } from "./replay-analysis.js";
import { tryOut } from "./replay-try.js";
import { announce, ready, ruleLink, showError, startPage } from "./shell.js";
import { sign } from "./sign.js";
import { knows, lang, say } from "./words.js";

/** @typedef {import("./wire").Replay} Replay */
/** @typedef {import("./wire").ReplayStep} Step */
/** @typedef {NonNullable<import("./wire").Gets["/api/rooms/{room}/replay"]["params"]["viewer"]>} Viewer */

const PAUSE = 1100; // milliseconds for which a step stands while it plays
const SPEEDS = [0.5, 1, 2, 4];
/** @type {Viewer[]} */
const VIEWERS = ["0", "1", "open"];
const SIGNS = {
  first: "M6 5v14M19 5 9 12l10 7Z",
  back: "M17 5 7 12l10 7Z",
  play: "M7 4v16l13-8Z",
  pause: "M8 5v14M16 5v14",
  forward: "M7 5l10 7-10 7Z",
  last: "M18 5v14M5 5l10 7-10 7Z",
};

const FULL = { fill: "currentColor", "stroke-width": 2.5 };

await ready();
const room = location.pathname.split("/")[2] ?? "";
const { main } = startPage({ title: say("replay.title"), bare: true });
main.className = "replay";

/** @type {Map<string, Replay>} */
const known = new Map();
/** @type {Replay} */
let shown;
/** @type {import("./types").GameTable} */
let board;
/** @type {import("./wire").Welcome["set"]} */
let set = null;
let place = 0;
let hides = localStorage.getItem("replay.hide") === "yes";
let speed = SPEEDS.find((one) => String(one) === localStorage.getItem("replay.speed")) ?? 1;
let playing = false;
let timer = 0;
let tabbed = false; // whether what has the focus was reached by keys
/** @type {import("./wire").Analysis | null} */
let analysis = null;
/** @type {ReturnType<typeof analysisPanel>} */
let analysed;
/** @type {ReturnType<typeof tryOut>} */
let trying;

const table = h("div", { class: "rp-stage" });
const sentence = h("div", { class: "rp-sentence panel", role: "status", tabindex: "0" });
const slider = h("input", {
  type: "range",
  min: "0",
  value: "0",
  "aria-label": say("replay.place"),
  oninput: () => go(Number(slider.value)),
});
const counter = h("span", { class: "rp-counter" });
const playButton = control("play", toggle);
const speedButton = h("button", { type: "button", class: "rp-speed", onclick: faster });
const list = h("ol", { class: "rp-moves", "aria-label": say("replay.moves"), tabindex: "0" });

try {
  await begin();
} catch (error) {
  const gone = error instanceof ApiError && error.status === 404;
  const why = gone ? say("replay.gone") : error instanceof Error ? error.message : String(error);
  main.replaceChildren(
    h(
      "section",
      { class: "panel rp-lost" },
      h("h1", null, say("replay.failed")),
      h("p", null, why),
      h("a", { class: "button primary", href: "/" }, say("replay.home")),
    ),
  );
}

async function begin() {
  const asked = new URLSearchParams(location.hash.slice(1));
  shown = await load(viewerOf(asked));
  [board, set] = await Promise.all([makeTable(shown.game, room), cardSet()]);
  analysed = analysisPanel({ room, names: shown.names, found: showAnalysis, go: goToMove, attempt: tryFrom, nameOf });
  trying = tryOut({ room, board, words: sentence, back: () => draw(false) });
  build();
  dressSpeed();
  go(stepOf(asked), true);
  addEventListener("keydown", keyed, { capture: true }); // before the table has a use for them
  addEventListener("pointerdown", () => (tabbed = false));
  main.addEventListener("click", letGo);
  addEventListener("hashchange", followHash);
  if (asked.has("analysis")) {
    void analysed.start();
    analysed.panel.scrollIntoView();
  }
  main.append(await proof(room, await get("/api/rooms/{room}/record", { room }), set));
}

/**
 * A card, or a rank of playing cards.
 * @param {string} card
 */
function nameOf(card) {
  return board.nameOf?.(card) ?? (knows(`card.rank.${card}`) ? say(`card.rank.${card}`) : card);
}

async function cardSet() {
  const { welcome } = await get("/api/rooms/{room}", { room });
  return welcome.set;
}

/** @param {Viewer} viewer @returns {Promise<Replay>} */
async function load(viewer) {
  const found = known.get(viewer) ?? (await get("/api/rooms/{room}/replay", { room, viewer, lang }));
  known.set(viewer, found);
  return found;
}

// ---------------------------------------------------------------- the address: #turn=12&seat=1

/** @param {URLSearchParams} asked @returns {Viewer} */
function viewerOf(asked) {
  return VIEWERS.find((viewer) => viewer === asked.get("seat")) ?? "open";
}

/** @param {URLSearchParams} asked the turn, and where needed which of its steps */
function stepOf(asked) {
  const turn = Number(asked.get("turn") ?? 0);
  const first = shown.steps.findIndex((step) => step.view.turn >= turn);
  return (first < 0 ? shown.steps.length - 1 : first) + Number(asked.get("part") ?? 0);
}

function writeHash() {
  const { turn } = shown.steps[place].view;
  const part = place - shown.steps.findIndex((step) => step.view.turn === turn);
  const hash = new URLSearchParams({ turn: String(turn), seat: shown.viewer, ...(part ? { part: String(part) } : {}) });
  history.replaceState(null, "", `#${hash}`);
}

async function followHash() {
  const asked = new URLSearchParams(location.hash.slice(1));
  await look(viewerOf(asked));
  go(stepOf(asked));
}

// ---------------------------------------------------------------- building

function build() {
  const [first, second] = shown.names;
  document.title = `${say("replay.between", { first, second })} · ${say("replay.title")}`;
  table.replaceChildren(h("h2", { class: "visually-hidden" }, say("replay.table")), board);
  slider.max = String(shown.steps.length - 1);
  main.replaceChildren(
    h(
      "div",
      { class: "rp-about" },
      h("h1", null, say("replay.between", { first, second })),
      h("span", { class: "chip" }, titleOf(shown)),
      eyes(),
    ),
    table,
    h(
      "div",
      { class: "rp-bar panel" },
      h("div", { class: "rp-place" }, slider, counter),
      h(
        "div",
        { class: "rp-controls" },
        control("first", () => go(0)),
        control("back", () => go(place - 1)),
        playButton,
        control("forward", () => go(place + 1)),
        control("last", () => go(Infinity)),
        speedButton,
      ),
    ),
    h(
      "div",
      { class: "rp-side" },
      sentence,
      h("section", { class: "panel rp-history" }, h("h2", null, say("replay.moves")), list, tools()),
    ),
    analysed.panel,
  );
}

/** @param {keyof SIGNS} name @param {() => void} act */
function control(name, act) {
  return h(
    "button",
    {
      type: "button",
      class: name === "play" ? "primary" : "",
      "aria-label": say(`replay.${name}`),
      dataset: { control: name },
      onclick: act,
    },
    sign(SIGNS[name], FULL),
  );
}

/** Whose eyes to see with. Buttons, so that the arrows are free to step. */
function eyes() {
  const choices = VIEWERS.map((viewer) =>
    h(
      "button",
      { type: "button", class: "chip", dataset: { eyes: viewer }, onclick: () => look(viewer) },
      viewer === "open" ? say("replay.eyes_open") : shown.names[Number(viewer)],
    ),
  );
  return h("div", { class: "rp-eyes", role: "group", "aria-label": say("replay.eyes") }, choices);
}

function dressEyes() {
  for (const one of $$("[data-eyes]")) one.setAttribute("aria-pressed", String(one.dataset.eyes === shown.viewer));
}

function tools() {
  const box = h("input", { type: "checkbox", onchange: () => hide(box.checked) });
  box.checked = hides;
  return h(
    "div",
    { class: "rp-tools" },
    setChip(set, room),
    h("label", { class: "rp-check" }, box, say("replay.hide")),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", onclick: copyLink }, say("replay.link")),
      h("a", { class: "button", href: `/api/rooms/${room}/record`, download: "" }, say("replay.record")),
    ),
    h("p", { class: "note rp-keys" }, say("replay.keys")),
  );
}

async function copyLink() {
  announce(say((await copyText(location.href)) ? "replay.linked" : "replay.link_in_bar"));
}

/** @param {boolean} wanted */
function hide(wanted) {
  hides = wanted;
  remember("replay.hide", wanted ? "yes" : "no");
  drawWords();
}

/** @param {Viewer} viewer */
async function look(viewer) {
  if (viewer === shown.viewer) return;
  try {
    shown = await load(viewer);
  } catch (error) {
    return showError(error instanceof Error ? error.message : String(error));
  }
  draw(false);
}

// ---------------------------------------------------------------- what is said of it

/** @param {import("./wire").Analysis} found */
function showAnalysis(found) {
  analysis = found;
  drawWords();
}

/**
 * How many moves are made when a step stands.
 * @param {number} step
 */
function movesUntil(step) {
  return shown.steps.slice(0, step + 1).reduce((n, { moves }) => n + moves.length, 0);
}

/** @param {number} move its number, from 1 */
function goToMove(move) {
  const step = shown.steps.findIndex((_, n) => movesUntil(n) >= move);
  void go(step < 0 ? shown.steps.length - 1 : step);
  toTable();
}

/**
 * From before a decision; where both chose at once, from before both.
 * @param {import("./wire").Decision} one
 */
function tryFrom(one) {
  const step = shown.steps.findIndex((_, n) => movesUntil(n) >= one.move);
  stop();
  trying.begin(movesUntil(step - 1), one.seat);
  toTable();
}

/** On a phone what is said stands above the table, and both are wanted. */
function toTable() {
  table.scrollIntoView({ block: "nearest" });
  sentence.scrollIntoView({ block: "nearest" });
}

// ---------------------------------------------------------------- going through it

/**
 * @param {number} wanted
 * @param {boolean} [always]
 * @returns {Promise<void>} until the step stands
 */
async function go(wanted, always = false) {
  const next = Math.max(0, Math.min(shown.steps.length - 1, Number.isNaN(wanted) ? 0 : wanted));
  if (next === place && !always) return;
  // Only one step on is shown as motion; over a longer way cards would fly from where they never were.
  const moves = next === place + 1 && !always;
  place = next;
  if (place === shown.steps.length - 1) stop();
  await draw(moves);
}

/** @param {boolean} moves whether what happened is seen to happen */
async function draw(moves) {
  const { view, events, open } = shown.steps[place];
  trying.stop();
  const seat = shown.viewer === "1" ? 1 : 0;
  drawWords();
  board.skip();
  board.pace = moves ? 1 / speed : 0;
  await board.show({ view, legal: [], events, seat, names: shown.names, open });
}

function drawWords() {
  const step = shown.steps[place];
  slider.value = String(place);
  slider.setAttribute("aria-valuetext", where());
  counter.replaceChildren(
    h("b", null, hides ? String(place) : `${place} / ${shown.steps.length - 1}`),
    h("span", null, say("replay.turn", { n: step.view.turn })),
  );
  sentence.replaceChildren(...told(step));
  sentence.scrollTop = 0;
  dressEyes();
  drawList();
  analysed.show(movesUntil(place), step.moves.length);
  writeHash();
}

function where() {
  const last = shown.steps.length - 1;
  return say(hides ? "replay.at_hidden" : "replay.at", { n: place, last, turn: shown.steps[place].view.turn });
}

/**
 * An end by the rules is the last sentence of the story; any other one has none there. How it ended is read first.
 * @param {Step} step
 */
function told(step) {
  const lines = [...(step.story.length ? step.story.map(line) : [h("p", null, say("replay.dealt"))]), ...judged(step)];
  if (place < shown.steps.length - 1) return lines;
  if (!step.events.some((event) => event.kind === "end")) lines.push(h("p", null, shown.ended));
  const [ended, ...before] = [...lines.slice(-1), ...lines.slice(0, -1)];
  ended.classList.add("rp-ended");
  return [ended, ...before];
}

/**
 * What the analysis says of a step that stands out, where everybody looks.
 * @param {Step} step
 */
function judged(step) {
  const until = movesUntil(place);
  const loud = (analysis?.decisions ?? []).slice(until - step.moves.length, until).filter(standsOut);
  return loud.map((one) => h("p", { class: "rp-judged" }, badge(one), " ", said(one)));
}

/** @param {import("./wire").ReplayLine} one */
function line(one) {
  return h("p", null, one.text, one.rule ? [" ", ruleLink(one.rule)] : null);
}

function drawList() {
  const last = hides ? place : shown.steps.length - 1;
  const steps = shown.steps.slice(0, last + 1);
  const items = steps.map((step, number) => item(step, number));
  const dark = last < shown.steps.length - 1 ? [h("li", { class: "rp-dark note" }, say("replay.hidden"))] : [];
  list.replaceChildren(...items, ...dark);
  const here = $("[aria-current]", list);
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/**
 * The sentences about the choices themselves come first in a step's story.
 * @param {Step} step
 * @param {number} number
 */
function item(step, number) {
  const newTurn = number > 0 && (number === 1 || step.turn !== shown.steps[number - 1].turn);
  const made = step.moves.map(({ seat, move }, i) =>
    h("span", { class: `rp-made seat-${seat}` }, step.story[i]?.text ?? move),
  );
  const until = movesUntil(number);
  const marks = (analysis?.decisions ?? []).slice(until - step.moves.length, until).filter(standsOut).map(badge);
  // Where both chose at the same time, the sentences say as much.
  const notation = step.moves.length === 1 ? h("code", null, step.moves[0].move) : null;
  return h(
    "li",
    null,
    newTurn ? h("span", { class: "rp-turn" }, say("replay.turn", { n: step.turn })) : null,
    h(
      "button",
      { type: "button", class: "quiet", "aria-current": number === place ? "step" : null, onclick: () => go(number) },
      h("span", { class: "rp-lines" }, made.length ? made : say("replay.dealt"), marks),
      notation,
    ),
  );
}

// ---------------------------------------------------------------- by itself, and by keys

function toggle() {
  if (playing) return stop();
  playing = true;
  dressPlay("pause");
  if (place === shown.steps.length - 1) void go(0);
  timer = window.setTimeout(onward, PAUSE / speed / 2);
}

/** The next step, and after it has been seen and read the one after that. */
async function onward() {
  await go(place + 1);
  if (playing) timer = window.setTimeout(onward, PAUSE / speed);
}

function stop() {
  window.clearTimeout(timer);
  playing = false;
  dressPlay("play");
}

/** @param {"play" | "pause"} name */
function dressPlay(name) {
  playButton.setAttribute("aria-label", say(`replay.${name}`));
  playButton.replaceChildren(sign(SIGNS[name], FULL));
}

/** The next of the speeds; after the fastest the slowest. */
function faster() {
  speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
  remember("replay.speed", String(speed));
  dressSpeed();
}

function dressSpeed() {
  const n = new Intl.NumberFormat(lang).format(speed);
  speedButton.textContent = `${n}×`;
  speedButton.setAttribute("aria-label", say("replay.speed", { n }));
}

/** What was pressed with a pointer gives the keys back: they step, and do not press it again. */
function letGo() {
  const { activeElement: now } = document;
  if (!tabbed && now instanceof HTMLElement && !typedIn(now)) now.blur();
}

/** @param {HTMLElement} target */
function typedIn(target) {
  return target.matches("textarea, select, input:not([type=range], [type=checkbox], [type=radio])");
}

/** @param {KeyboardEvent} event */
function keyed(event) {
  if (event.key === "Tab") tabbed = true;
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  if (event.defaultPrevented || typedIn(target) || $("dialog[open]")) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " " && target.closest("button, a, summary, [type=checkbox]")) return; // reached by Tab
  /** @type {Record<string, () => void>} */
  const acts = {
    ArrowLeft: () => go(place - 1),
    ArrowRight: () => go(place + 1),
    Home: () => go(0),
    End: () => go(Infinity),
    " ": toggle,
  };
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
