// @ts-check
// A finished game, step by step, with the eyes of either player or with all cards open.
import { get } from "./api.js";
import { setChip } from "./card-set.js";
import { titleOf } from "./catalog.js";
import { copyText } from "./clipboard.js";
import { h, $, $$ } from "./dom.js";
import { makeTable } from "./game-table.js";
import { proof } from "./proof.js";
import { announce, ready, ruleLink, showError, startPage } from "./shell.js";
import { sign } from "./sign.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").Replay} Replay */
/** @typedef {import("./wire").ReplayStep} Step */
/** @typedef {NonNullable<import("./wire").Gets["/api/rooms/{room}/replay"]["params"]["viewer"]>} Viewer */

const PACE = 1600; // milliseconds between two steps while it plays
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
let timer = 0;

const table = h("div", { class: "rp-stage" });
const sentence = h("div", { class: "rp-sentence panel", role: "status" });
const slider = h("input", {
  type: "range",
  min: "0",
  value: "0",
  "aria-label": say("replay.place"),
  oninput: () => go(Number(slider.value)),
});
const counter = h("span", { class: "rp-counter" });
const playButton = control("play", toggle);
const list = h("ol", { class: "rp-moves", "aria-label": say("replay.moves"), tabindex: "0" });

try {
  await begin();
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
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
  build();
  go(stepOf(asked), true);
  addEventListener("keydown", keyed);
  addEventListener("hashchange", followHash);
  main.append(await proof(room, await get("/api/rooms/{room}/record", { room }), set));
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
      slider,
      h(
        "div",
        { class: "rp-controls" },
        control("first", () => go(0)),
        control("back", () => go(place - 1)),
        playButton,
        control("forward", () => go(place + 1)),
        control("last", () => go(Infinity)),
        counter,
      ),
    ),
    h(
      "div",
      { class: "rp-side" },
      sentence,
      h("section", { class: "panel rp-history" }, h("h2", null, say("replay.moves")), list, tools()),
    ),
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

/** Whose eyes to see with. */
function eyes() {
  const choices = VIEWERS.map((viewer) => {
    const input = h("input", { type: "radio", name: "eyes", value: viewer, onchange: () => look(viewer) });
    input.checked = viewer === shown.viewer;
    return h(
      "label",
      { class: "chip" },
      input,
      viewer === "open" ? say("replay.eyes_open") : shown.names[Number(viewer)],
    );
  });
  return h("fieldset", { class: "rp-eyes" }, h("legend", { class: "visually-hidden" }, say("replay.eyes")), choices);
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
  localStorage.setItem("replay.hide", wanted ? "yes" : "no");
  draw([]);
}

/** @param {Viewer} viewer */
async function look(viewer) {
  if (viewer === shown.viewer) return;
  try {
    shown = await load(viewer);
  } catch (error) {
    return showError(error instanceof Error ? error.message : String(error));
  }
  for (const input of $$("input[name=eyes]"))
    if (input instanceof HTMLInputElement) input.checked = input.value === viewer;
  draw([]);
}

// ---------------------------------------------------------------- going through it

/** @param {number} wanted @param {boolean} [always] */
function go(wanted, always = false) {
  const next = Math.max(0, Math.min(shown.steps.length - 1, Number.isNaN(wanted) ? 0 : wanted));
  if (next === place && !always) return;
  // Only one step on is shown as motion; over a longer way cards would fly from where they never were.
  const events = next === place + 1 ? shown.steps[next].events : [];
  place = next;
  if (place === shown.steps.length - 1) stop();
  draw(events);
}

/** @param {import("./wire").EventJson[]} events */
function draw(events) {
  const step = shown.steps[place];
  const seat = shown.viewer === "1" ? 1 : 0;
  board.show({ view: step.view, legal: [], events, seat, names: shown.names, open: step.open });
  slider.value = String(place);
  slider.setAttribute("aria-valuetext", where());
  counter.replaceChildren(
    h("b", null, hides ? String(place) : `${place} / ${shown.steps.length - 1}`),
    h("span", null, say("replay.turn", { n: step.view.turn })),
  );
  sentence.replaceChildren(...told(step));
  drawList();
  writeHash();
}

function where() {
  const last = shown.steps.length - 1;
  return say(hides ? "replay.at_hidden" : "replay.at", { n: place, last, turn: shown.steps[place].view.turn });
}

/** @param {Step} step */
function told(step) {
  const lines = step.story.length ? step.story.map(line) : [h("p", null, say("replay.dealt"))];
  const end = place === shown.steps.length - 1 ? [h("p", { class: "rp-ended" }, h("strong", null, shown.ended))] : [];
  return [...lines, ...end];
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
  // Where both chose at the same time, the sentences say as much.
  const notation = step.moves.length === 1 ? h("code", null, step.moves[0].move) : null;
  return h(
    "li",
    null,
    newTurn ? h("span", { class: "rp-turn" }, say("replay.turn", { n: step.turn })) : null,
    h(
      "button",
      { type: "button", class: "quiet", "aria-current": number === place ? "step" : null, onclick: () => go(number) },
      h("span", { class: "rp-lines" }, made.length ? made : say("replay.dealt")),
      notation,
    ),
  );
}

// ---------------------------------------------------------------- by itself, and by keys

function toggle() {
  if (timer) return stop();
  if (place === shown.steps.length - 1) go(0);
  timer = window.setInterval(() => go(place + 1), PACE);
  dressPlay("pause");
}

function stop() {
  window.clearInterval(timer);
  timer = 0;
  dressPlay("play");
}

/** @param {"play" | "pause"} name */
function dressPlay(name) {
  playButton.setAttribute("aria-label", say(`replay.${name}`));
  playButton.replaceChildren(sign(SIGNS[name], FULL));
}

/** @param {KeyboardEvent} event */
function keyed(event) {
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  const busy = event.defaultPrevented || target.matches("input, textarea, select") || $("dialog[open]");
  if (busy || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " " && target.closest("button, a, summary")) return;
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
  act();
}
