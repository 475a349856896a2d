// @ts-check
// The reveal as a moment: both cards turn together, then each card in play shows what it did, then everything settles.
// It only tells what the events say.
import { $, $$, h } from "./dom.js";
import { icon } from "./duel-card.js";
import { say } from "./words.js";

const STEP = 400; // milliseconds for each thing that is told
const EASE = "cubic-bezier(.3,.7,.3,1)";
const TURNING = [
  { transform: "perspective(600px) rotateY(90deg) scale(1.14)" },
  { transform: "perspective(600px) rotateY(0) scale(1.14)", offset: 0.6 },
  { transform: "none" },
];
const RISING = [
  { opacity: 0, translate: "0 6px", scale: 0.8 },
  { opacity: 1, translate: "0 0", scale: 1.1, offset: 0.12 },
  { opacity: 1, translate: "0 -2px", scale: 1, offset: 0.75 },
  { opacity: 0, translate: "0 -12px" },
];
const POPPING = [{ scale: 0.3, opacity: 0 }, { scale: 1.25, opacity: 1, offset: 0.6 }, { scale: 1 }];
const SHAKING = [{ translate: "0" }, { translate: "-5px" }, { translate: "4px" }, { translate: "0" }];

/** @typedef {{health: number, top: number}} Health */
/** @typedef {import("./wire").EventJson} Happening */
/** @typedef {"attack" | "block" | "heal" | "draw" | "strip"} Look */
/**
 * What a card did in a turn.
 * @typedef {object} Deed
 * @property {number} seat whose card it is
 * @property {string} title
 * @property {number} copy which of several equal cards of that seat
 * @property {Look} look
 * @property {number | null} points null for all there is
 */
/** @typedef {{title: string | null, deeds: Deed[]}} Turned the card that was turned over, null where none was played */
/**
 * @typedef {object} Reveal
 * @property {(Turned | null)[]} turned by seat
 * @property {Deed[]} deeds of all cards, in the order of the rules
 * @property {Happening[]} after everything after the reveal
 */

/** @type {Record<string, Look>} */
const LOOKS = { strike: "attack", guard: "block", guard_all: "block", mend: "heal" };

/**
 * What of the events belongs to the last reveal.
 * @param {Happening[]} events
 * @returns {Reveal | null}
 */
export function lastReveal(events) {
  const shown = events.map((event) => event.kind === "reveal" || event.kind === "hold");
  const last = shown.lastIndexOf(true);
  if (last < 0) return null;
  let first = last;
  while (first > 0 && shown[first - 1]) first--;
  const after = events.slice(last + 1);
  const deeds = deedsOf(after);
  /** @type {(Turned | null)[]} */
  const turned = [null, null];
  for (const { seat, title = null } of events.slice(first, last + 1))
    turned[seat ?? 0] = { title, deeds: title === null ? [] : ofTheLast(deeds, seat ?? 0, title) };
  return { turned, deeds, after };
}

/** @param {Happening[]} after @returns {Deed[]} */
function deedsOf(after) {
  /** @type {Deed[]} */
  const deeds = [];
  const add = (/** @type {Happening} */ { seat, title }, /** @type {Look} */ look, /** @type {number | null} */ points) => {
    const same = deeds.filter((one) => one.seat === seat && one.title === title && one.look === look);
    deeds.push({ seat: seat ?? 0, title: title ?? "", copy: same.length, look, points });
  };
  after.forEach((event, i) => {
    if (event.kind in LOOKS) add(event, LOOKS[event.kind], event.points ?? null);
    if (event.kind !== "work") return;
    for (const [look, points] of moved(after.slice(i + 1))) add(event, look, points);
  });
  return deeds;
}

/**
 * The cards that one card moves: those up to the next thing of another kind.
 * @param {Happening[]} following
 * @returns {[Look, number][]}
 */
function moved(following) {
  const end = following.findIndex((event) => ["work", "leave", "turn", "end"].includes(event.kind));
  const own = following.slice(0, end < 0 ? undefined : end);
  const count = (/** @type {string[]} */ kinds) => own.filter((event) => kinds.includes(event.kind)).length;
  /** @type {[Look, number][]} */
  const found = [
    ["draw", count(["draw", "burn"])],
    ["strip", count(["discard", "aside"])],
  ];
  return found.filter(([, n]) => n > 0);
}

/**
 * The card that was turned over lies behind its equals.
 * @param {Deed[]} deeds @param {number} seat @param {string} title
 */
function ofTheLast(deeds, seat, title) {
  const own = deeds.filter((one) => one.seat === seat && one.title === title);
  return own.filter((one) => !own.some((two) => two.look === one.look && two.copy > one.copy));
}

/**
 * Draw a health bar as it is.
 * @param {Element} bar @param {Health} health
 */
export function setHealth(bar, { health, top }) {
  const shown = Math.max(0, health);
  measure(bar, { "--now": shown, "--top": Math.max(0, top), "--lost": 0, "--gain": 0 });
  setPoints(bar, { health, top });
}

/** @param {Element} bar @param {Health} health */
function setPoints(bar, { health, top }) {
  const points = $(".points", bar);
  if (points) points.textContent = `${health} / ${top}`.replaceAll("-", "−");
}

/** @param {Element} bar @param {Record<string, number>} values */
function measure(bar, values) {
  for (const [name, value] of Object.entries(values))
    /** @type {HTMLElement} */ (bar).style.setProperty(name, String(value));
}

/**
 * What a card did, in a sign and a number.
 * @param {{look: Look, points: number | null}} deed
 */
export function mark({ look, points }) {
  return h("span", { class: `did main-${look}` }, icon(look), points ?? "∞");
}

/**
 * Tell the moment at a table whose bars and cards show how it was before.
 * @param {HTMLElement & {pace: number, setPace: () => void}} table
 * @param {Reveal} reveal
 * @param {Health[]} before by seat
 * @param {Health[]} now by seat
 * @param {AbortSignal} signal ends it at once
 */
export async function tellMoment(table, { deeds, after }, before, now, signal) {
  const told = [0, 1].map((seat) => sums(after, seat));
  const bars = [0, 1].map((seat) => $(`[data-bar="${seat}"]`, table));
  const step = (/** @type {number} */ part) => {
    table.setPace();
    return pause(STEP * part * table.pace, signal);
  };
  const show = async (/** @type {Look} */ look, /** @type {(seat: number) => Element | null} */ to) => {
    const own = deeds.filter((one) => one.look === look);
    if (!own.length) return;
    own.forEach((deed, i) => act(table, deed, to(deed.seat), i));
    await step(1.4);
  };
  turnCards(table);
  await step(1.5);
  await show("block", () => null);
  await show("attack", (seat) => bars[1 - seat]);
  if (told.some((one) => one.damage || one.blocked)) {
    told.forEach((one, seat) => one.blocked && float(bars[seat], "block", say("duel.blocked", { n: one.blocked })));
    told.forEach((one, seat) => one.damage && hurt(bars[seat], before[seat], one.damage));
    await step(1.2);
  }
  await show("heal", (seat) => bars[seat]);
  if (told.some((one) => one.healed)) {
    told.forEach((one, seat) => one.healed && mend(bars[seat], before[seat], one, now[seat].top));
    await step(1);
  }
  await show("draw", () => null);
  await show("strip", () => null);
  told.forEach((one, seat) => one.top !== null && float(bars[seat], "wear", say("duel.worn", { n: one.top })));
  table.setPace();
}

/** @param {Happening[]} events @param {number} seat */
function sums(events, seat) {
  const own = events.filter((event) => event.seat === seat);
  const sum = (/** @type {"damage" | "blocked" | "healed"} */ key) =>
    own.reduce((total, event) => total + (event[key] ?? 0), 0);
  const top = own.filter((event) => event.kind === "wear").at(-1)?.max ?? null;
  return { damage: sum("damage"), blocked: sum("blocked"), healed: sum("healed"), top };
}

/** @param {HTMLElement} table */
function turnCards(table) {
  for (const slot of [0, 1].map((seat) => $(`[data-slot="${seat}"]`, table))) {
    slot?.firstElementChild?.animate(TURNING, { duration: STEP, easing: "ease-out" });
    slot?.classList.add("fresh");
  }
}

/**
 * A card shows what it does, and what is meant for a bar flies there, one after the other.
 * @param {HTMLElement} table @param {Deed} deed @param {Element | null} bar @param {number} i
 */
function act(table, deed, bar, i) {
  const found = $$(`[data-lane="${deed.seat}"] [data-look="${CSS.escape(deed.title)}"]`, table);
  const card = found[Math.min(deed.copy, found.length - 1)];
  if (!card) return;
  const made = mark(deed);
  const row = $(".deeds", card) ?? card.appendChild(h("span", { class: "deeds" }));
  row.append(made);
  made.animate(POPPING, { duration: STEP * 0.8, easing: "ease-out" });
  const to = bar && $(".health", bar);
  if (to) send(table, made, to, 60 * Math.min(i, 6));
}

/** @param {HTMLElement} table @param {HTMLElement} made @param {Element} health @param {number} delay */
function send(table, made, health, delay) {
  const [from, to] = [made.getBoundingClientRect(), health.getBoundingClientRect()];
  const end = $(".fill", /** @type {HTMLElement} */ (health))?.getBoundingClientRect().right ?? to.left;
  const x = Math.min(end, to.right - 20) - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  const flies = /** @type {HTMLElement} */ (made.cloneNode(true));
  flies.classList.add("flies");
  flies.setAttribute("aria-hidden", "true");
  flies.style.setProperty("left", `${from.left}px`);
  flies.style.setProperty("top", `${from.top}px`);
  table.append(flies);
  const frames = [
    { translate: "0 0", scale: 1, offset: 0.25 },
    { translate: `${x}px ${y}px`, scale: 1.3, opacity: 1, offset: 0.92 },
    { translate: `${x}px ${y}px`, scale: 1, opacity: 0 },
  ];
  flies.animate(frames, { duration: STEP * 1.5, delay, easing: EASE, fill: "both" }).onfinish = () => flies.remove();
}

/** @param {Element | null} bar @param {Health} before @param {number} damage */
function hurt(bar, before, damage) {
  if (!bar) return;
  const left = Math.max(0, before.health - damage);
  measure(bar, { "--now": left, "--lost": Math.max(0, before.health) - left });
  setPoints(bar, { health: before.health - damage, top: before.top });
  float(bar, "damage", `−${damage}`);
  bar.animate(SHAKING, { duration: 220 });
}

/**
 * @param {Element | null} bar @param {Health} before
 * @param {{damage: number, healed: number}} told @param {number} top
 */
function mend(bar, before, told, top) {
  if (!bar) return;
  const low = Math.max(0, before.health - told.damage);
  const high = Math.max(low, Math.min(top, before.health - told.damage + told.healed));
  measure(bar, { "--now": low, "--gain": high - low, "--lost": 0 });
  setPoints(bar, { health: Math.min(top, before.health - told.damage + told.healed), top });
  float(bar, "heal", `+${told.healed}`);
}

/**
 * A word that rises from a bar and fades.
 * @param {Element | null} bar @param {string} kind @param {string} words
 */
function float(bar, kind, words) {
  if (!bar) return;
  const raised = h("span", { class: `float ${kind}`, "aria-hidden": "true" }, words);
  $(".health", bar)?.append(raised);
  raised.animate(RISING, { duration: STEP * 3, easing: "ease-out" }).onfinish = () => raised.remove();
}

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
