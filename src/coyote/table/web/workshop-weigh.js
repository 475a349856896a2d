// @ts-check
// Weighing by playing: asked for, shown while it goes on, given up when nobody wants it any more.
import { ApiError, get, post, remove } from "./api.js";
import { h, svg } from "./dom.js";
import { announce, showError } from "./shell.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").Weighing} Weighing */
/** @typedef {import("./wire").Share} Share */

const LOOK_EVERY = 500;
const REACH = 0.4; // of a share, to either side: how far the axis goes

export class WeighBox {
  progress = h("progress", { max: 1, hidden: true, "aria-label": say("workshop.weigh.progress") });
  state = h("p", { class: "note", role: "status" });
  found = h("div", { class: "found" });
  go = h("button", { type: "button", class: "weigh", onclick: () => this.toggle() });
  element = h("div", { class: "weigh-box" }, this.go, this.progress, this.state, this.found);
  job = "";
  turn = 0;

  /**
   * @param {string} title what the button does
   * @param {() => Promise<import("./wire").Weigh | null>} asked nothing where it cannot be weighed now
   */
  constructor(title, asked) {
    this.title = this.go.textContent = title;
    this.asked = asked;
  }

  toggle() {
    if (this.job) this.stop();
    else this.begin();
  }

  async begin() {
    const turn = ++this.turn;
    try {
      const asked = await this.asked();
      if (!asked) this.state.textContent = say("workshop.weigh.not_yet");
      if (!asked || turn !== this.turn) return;
      this.found.replaceChildren();
      let told = await post("/api/workshop/weigh", asked);
      this.go.textContent = say("workshop.weigh.stop");
      while (turn === this.turn) {
        this.job = told.job;
        this.show(told);
        if (told.state === "done" || told.state === "failed") return this.end(told);
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
        if (turn === this.turn) told = await get("/api/workshop/jobs/{job}", { job: told.job });
      }
      if (!this.job) await remove("/api/workshop/jobs/{job}", { job: told.job });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn !== this.turn) return; // it was given up, and the server had forgotten it already
      this.stop();
      showError(error.text);
    }
  }

  /** Given up: what was known is not of this card any more. */
  stop() {
    this.turn += 1;
    this.rest();
    this.state.textContent = "";
    this.found.replaceChildren();
  }

  rest() {
    this.job = "";
    this.progress.hidden = true;
    this.go.textContent = this.title;
  }

  /** @param {Weighing} told */
  end(told) {
    this.rest();
    const why = (told.card ?? told.decks)?.text ?? told.problem;
    this.state.textContent = told.problem ? told.problem[lang] : "";
    if (why) announce(why[lang]);
  }

  /** @param {Weighing} told */
  show({ state, ahead, progress, card, decks }) {
    this.progress.hidden = false;
    if (progress) this.progress.value = progress;
    else this.progress.removeAttribute("value");
    const begins = state === "waiting" ? "waiting" : "begins";
    this.state.textContent = ahead ? say("workshop.weigh.ahead", { n: ahead }) : progress ? "" : say(`workshop.weigh.${begins}`);
    if (card) this.found.replaceChildren(...cardFound(card));
    if (decks) this.found.replaceChildren(...decksFound(decks));
  }
}

/** @param {import("./wire").CardWeighed} card */
function cardFound({ says, text, worth, more, ahead, games }) {
  return [
    h("p", { class: `verdict-${says}` }, h("span", { class: `chip says-${says}` }, say(`workshop.weigh.${says}`)), " ", text[lang]),
    interval(say("workshop.weigh.more"), more),
    interval(say("workshop.weigh.worth"), worth),
    h("p", { class: "note" }, say(`workshop.weigh.${ahead ? "foresight" : "thumb"}`), " ", say("workshop.weigh.games", { n: games })),
  ];
}

/** @param {string} title @param {Share} share */
function interval(title, { mean, low, high }) {
  const x = (/** @type {number} */ value) => 100 + (100 * Math.min(Math.max(value, -REACH), REACH)) / REACH;
  const told = say("workshop.weigh.interval", { mean: percent(mean), low: percent(low), high: percent(high) });
  return h(
    "div",
    { class: "interval" },
    h("span", null, title),
    svg(
      "svg",
      { class: "bar", viewBox: "0 0 200 14", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "ground", y: 3, width: 200, height: 8, rx: 4 }),
      svg("rect", { class: "range", x: x(low), y: 3, width: Math.max(x(high) - x(low), 1), height: 8 }),
      svg("rect", { class: "zero", x: 99.5, width: 1, height: 14 }),
      svg("rect", { class: "value", x: x(mean) - 1.5, width: 3, height: 14 }),
    ),
    h("span", { class: "note" }, told),
  );
}

/** @param {import("./wire").DecksWeighed} decks */
function decksFound({ names, field, matrix, text, games }) {
  return [
    h("p", null, text[lang]),
    h(
      "div",
      { class: "heat-box", tabindex: "0", role: "region", "aria-label": say("workshop.weigh.table") },
      h(
        "table",
        { class: "heat" },
        h("caption", { class: "visually-hidden" }, say("workshop.weigh.table")),
        h("thead", null, h("tr", null, h("td"), names.map((name) => h("th", { scope: "col" }, name)), h("th", { scope: "col" }, say("workshop.weigh.field")))),
        h(
          "tbody",
          null,
          names.map((name, row) =>
            h("tr", null, h("th", { scope: "row" }, name), matrix[row].map(heat), heat(field[row])),
          ),
        ),
      ),
    ),
    h("p", { class: "note" }, say("workshop.weigh.table_note", { n: games })),
  ];
}

/** @param {Share | null} share */
function heat(share) {
  if (!share) return h("td", { class: "self" }, "–");
  const warm = Math.round(Math.min(Math.abs(share.mean - 0.5) * 2, 1) * 100);
  const title = say("workshop.weigh.interval", { mean: percent(share.mean), low: percent(share.low), high: percent(share.high) });
  return h("td", { class: share.mean < 0.5 ? "cold" : "warm", style: { "--warm": `${warm}%` }, title }, percent(share.mean));
}

/** @param {number} share */
function percent(share) {
  return new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0 }).format(share);
}
