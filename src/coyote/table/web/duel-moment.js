// @ts-check
// The reveal as a moment: both cards turn together, then block, damage and healing are told one after the other,
// then everything settles. It only tells what the events say, and nobody has to wait for it.
import { $, $$, calm, h } from "./dom.js";
import { say } from "./words.js";

const STEP = 260;
const TURNING = [
  { transform: "perspective(600px) rotateY(90deg) scale(1.12)" },
  { transform: "perspective(600px) rotateY(0) scale(1.12)", offset: 0.7 },
  { transform: "none" },
];
const RISING = [
  { opacity: 0, translate: "0 6px", scale: 0.8 },
  { opacity: 1, translate: "0 0", scale: 1.1, offset: 0.12 },
  { opacity: 1, translate: "0 -2px", scale: 1, offset: 0.75 },
  { opacity: 0, translate: "0 -12px" },
];
const APPEARING = [{ opacity: 0 }, { opacity: 1, offset: 0.1 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }];

/** @typedef {{health: number, top: number}} Health */
/** @typedef {import("./wire").EventJson} Happening */

/**
 * What of the events belongs to the last reveal, and what each seat turned over in it.
 * @param {Happening[]} events
 */
export function lastReveal(events) {
  const shown = events.map((event) => event.kind === "reveal" || event.kind === "hold");
  const last = shown.lastIndexOf(true);
  if (last < 0) return null;
  let first = last;
  while (first > 0 && shown[first - 1]) first--;
  /** @type {({title: string | null} | null)[]} */
  const turned = [null, null];
  for (const event of events.slice(first, last + 1)) turned[event.seat ?? 0] = { title: event.title ?? null };
  return { turned, after: events.slice(last + 1) };
}

/**
 * Draw a health bar as it is.
 * @param {Element} bar @param {Health} health
 */
export function setHealth(bar, { health, top }) {
  const shown = Math.max(0, health);
  measure(bar, { "--now": shown, "--top": Math.max(0, top), "--lost": 0, "--gain": 0 });
  const points = $(".points", bar);
  if (points) points.textContent = `${health} / ${top}`.replaceAll("-", "−");
}

/** @param {Element} bar @param {Record<string, number>} values */
function measure(bar, values) {
  for (const [name, value] of Object.entries(values))
    /** @type {HTMLElement} */ (bar).style.setProperty(name, String(value));
}

/**
 * Tell the moment at a table whose bars show the health before it.
 * @param {HTMLElement} table
 * @param {Happening[]} after the events after the reveal
 * @param {Health[]} before by seat
 * @param {Health[]} now by seat
 * @param {AbortSignal} signal ends it at once: the bars then show what is
 */
export async function tellMoment(table, after, before, now, signal) {
  const told = [0, 1].map((seat) => sums(after, seat));
  const bars = [0, 1].map((seat) => $(`[data-bar="${seat}"]`, table));
  turnCards(table);
  await pause(STEP + 60, signal);
  if (told.some((one) => one.blocked)) {
    told.forEach((one, seat) => one.blocked && float(bars[seat], "block", say("duel.blocked", { n: one.blocked })));
    await pause(STEP, signal);
  }
  if (told.some((one) => one.damage)) {
    told.forEach((one, seat) => one.damage && hurt(bars[seat], before[seat], one.damage));
    await pause(STEP, signal);
  }
  if (told.some((one) => one.healed)) {
    told.forEach((one, seat) => one.healed && mend(bars[seat], before[seat], one, now[seat].top));
    await pause(STEP, signal);
  }
  bars.forEach((bar, seat) => bar && setHealth(bar, now[seat]));
  for (const slot of $$(".slot.fresh", table)) slot.classList.remove("fresh");
  told.forEach((one, seat) => one.top !== null && float(bars[seat], "wear", say("duel.worn", { n: one.top })));
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
    const card = slot?.firstElementChild;
    if (!card) continue;
    if (calm()) card.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 160 });
    else card.animate(TURNING, { duration: STEP + 60, easing: "ease-out" });
    slot.classList.add("fresh");
  }
}

/** @param {Element | null} bar @param {Health} before @param {number} damage */
function hurt(bar, before, damage) {
  if (!bar) return;
  const left = Math.max(0, before.health - damage);
  measure(bar, { "--now": left, "--lost": Math.max(0, before.health) - left });
  float(bar, "damage", `−${damage}`);
  if (!calm())
    bar.animate([{ translate: "0" }, { translate: "-5px" }, { translate: "4px" }, { translate: "0" }], {
      duration: 220,
    });
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
  raised.animate(calm() ? APPEARING : RISING, { duration: 1500, easing: "ease-out" }).onfinish = () => raised.remove();
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
