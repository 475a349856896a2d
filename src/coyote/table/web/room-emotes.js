// @ts-check
// A few ready words for the one across the table: sent from a small window, shown beside the name for a moment.
import { h, remember } from "./dom.js";
import { sign } from "./sign.js";
import { say } from "./words.js";

/** @typedef {import("./wire").Emoted["what"]} What */

const EMOTES = /** @type {const} */ (["hello", "luck", "nice", "oops", "wow", "thanks"]);
const SIGN = "M21 12a8 8 0 0 1-11.5 7.2L4 20l1.2-4.2A8 8 0 1 1 21 12ZM9 11h.01M15 11h.01M9.5 14.5a4 4 0 0 0 5 0";
const SHOWN = 4_000;
const KEY = "emotes";

export class Emotes {
  /** @param {(what: What) => void} send */
  constructor(send) {
    /** @type {Record<number, {what: What, until: number}>} by party, what is being said */
    this.said = {};
    this.button = h(
      "button",
      { type: "button", class: "emotes-open quiet", "aria-label": say("table.emote.open"), "aria-expanded": "false", hidden: true },
      sign(SIGN),
    );
    const all = EMOTES.map((what) =>
      h("button", { type: "button", class: "emote", dataset: { emote: what }, onclick: () => this.choose(what) }, say(`table.emote.${what}`)),
    );
    this.mute = h("button", { type: "button", class: "quiet mute", onclick: () => this.turn(this.muted) });
    this.menu = h("div", { class: "emotes panel", role: "group", "aria-label": say("table.emote.open"), hidden: true }, all, this.mute);
    this.send = send;
    this.button.addEventListener("click", () => this.open(this.menu.hidden));
    this.menu.addEventListener("keydown", (event) => event.key === "Escape" && this.open(false));
    this.dress();
  }

  get muted() {
    return localStorage.getItem(KEY) === "off";
  }

  /** @param {boolean} on */
  turn(on) {
    remember(KEY, on ? "on" : "off");
    this.said = {};
    this.dress();
  }

  dress() {
    this.mute.textContent = say(this.muted ? "table.emote.unmute" : "table.emote.mute");
  }

  /** @param {boolean} open */
  open(open) {
    this.menu.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    const next = open ? this.menu.querySelector("button") : this.button;
    next?.focus();
  }

  /** @param {What} what */
  choose(what) {
    this.open(false);
    this.send(what);
  }

  /**
   * Somebody says something; those who want silence have it.
   * @param {number} party @param {What} what @param {boolean} mine
   * @returns {boolean} whether it is shown
   */
  hear(party, what, mine) {
    if (this.muted && !mine) return false;
    this.said[party] = { what, until: performance.now() + SHOWN };
    return true;
  }

  /**
   * What this party says now.
   * @param {number} party
   */
  bubble(party) {
    const said = this.said[party];
    if (!said || said.until < performance.now()) return null;
    return h("span", { class: "bubble" }, say(`table.emote.${said.what}`));
  }

  /** Whether something was said that is over now. */
  fades() {
    const over = Object.entries(this.said).filter(([, { until }]) => until < performance.now());
    for (const [party] of over) delete this.said[Number(party)];
    return over.length > 0;
  }
}
