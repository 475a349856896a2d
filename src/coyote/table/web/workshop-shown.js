// @ts-check
// Beside a card that is being written: how it will look, the other language, what it does step by step and turn by
// turn, what it is worth about, and the cards that are like it.
import { h, svg } from "./dom.js";
import { duelCard, icon } from "./duel-card.js";
import { lang, say, sentence, written } from "./words.js";

/** @typedef {import("./wire").CardRead} CardRead */
/** @typedef {import("./wire").NearCard} NearCard */
/** @typedef {import("./wire").PriceShown} PriceShown */
/** @typedef {import("./duel-card.js").Card} Card */

const MOST_TURNS = 8; // on the time line

export class CardShownBeside {
  card = h("div", { class: "card-now" });
  stale = h("p", { class: "note stale-note", role: "status", hidden: true });
  otherText = h("p", { class: "other-text" });
  swap = h("button", { type: "button", class: "quiet", onclick: () => this.onSwap() }, say("workshop.other.swap"));
  otherTitle = h("h2");
  other = h("section", { class: "other" }, this.otherTitle, this.otherText, this.swap);
  steps = h("ol", { class: "steps" });
  turns = h("ol", { class: "turns" });
  price = h("div", { class: "price" });
  near = h("ul", { class: "near-cards" });
  about = h(
    "div",
    { class: "about-card" },
    this.other,
    h("section", null, h("h2", null, say("workshop.steps")), this.steps, this.turns),
    h("section", null, h("h2", null, say("workshop.price.title")), this.price),
    h("section", null, h("h2", null, say("workshop.near.title")), this.near),
  );
  element = h("aside", { class: "beside-card panel", "aria-label": say("workshop.beside") }, this.card, this.stale, this.about);

  /** @param {() => void} onSwap @param {(near: NearCard) => void} onNear */
  constructor(onSwap, onNear) {
    this.onSwap = onSwap;
    this.onNear = onNear;
  }

  /** Another card: nothing of the last one stays. */
  clear() {
    this.card.replaceChildren();
    this.element.classList.add("empty");
  }

  /** @param {CardRead} read of a text with a fault the last good one stays, and it is said so */
  show(read) {
    this.element.classList.toggle("stale", !read.card);
    this.stale.hidden = read.card !== null;
    this.stale.textContent = say(this.element.classList.contains("empty") ? "workshop.unread" : "workshop.stale");
    if (!read.card) return;
    this.element.classList.remove("empty");
    const other = read.lang === "ru" ? "en" : "ru";
    this.card.replaceChildren(duelCard(read.card, { size: "gallery" }));
    this.otherTitle.textContent = say(`workshop.other.in_${other}`);
    this.otherText.textContent = read.card.text[other];
    this.otherText.lang = other;
    this.steps.replaceChildren(...read.steps.map(step));
    this.turns.replaceChildren(...timeline(read, read.card));
    if (read.price) this.price.replaceChildren(...priceShown(read.price));
    this.near.replaceChildren(
      ...(read.nearest.length
        ? read.nearest.map((one) => this.nearCard(one))
        : [h("li", { class: "note" }, say("workshop.near.none"))]),
    );
  }

  /** @param {NearCard} near */
  nearCard(near) {
    return h(
      "li",
      { class: near.same ? "same" : null },
      h(
        "button",
        { type: "button", class: "quiet", onclick: () => this.onNear(near) },
        h("b", null, near.name[lang] || near.id),
        h("span", { class: "note" }, say(`workshop.near.${near.set}`)),
        near.same ? h("span", { class: "chip mine" }, say("workshop.near.same")) : null,
        h("span", { class: "near-text" }, near.text[lang]),
      ),
    );
  }
}

/** @param {import("./wire").StepShown} told */
function step({ when, condition, what }) {
  return h(
    "li",
    null,
    h("b", null, sentence(when[lang]).replace(/\.$/, "")),
    condition ? `, ${condition[lang]}` : null,
    `: ${what[lang]}`,
  );
}

/** @param {CardRead} read @param {Card} card */
function timeline({ timeline: due, steps }, card) {
  const last = due.at(-1)?.turn ?? 0;
  const shown = Array.from({ length: Math.min(last + 1, MOST_TURNS) }, (_, turn) => turn);
  const turns = shown.map((turn) => {
    const effects = due.find((one) => one.turn === turn)?.effects ?? [];
    return h(
      "li",
      { class: effects.length ? "busy" : null },
      h("span", { class: "turn" }, turn ? say("workshop.turn.later", { n: turn }) : say("workshop.turn.now")),
      effects.map((n) => mark(card.effects[n], steps[n].what[lang])),
    );
  });
  return last >= MOST_TURNS ? [...turns, h("li", { class: "note" }, say("workshop.turn.on", { n: last }))] : turns;
}

/** @param {import("./wire").CardEffect} effect @param {string} what */
function mark(effect, what) {
  const amount = effect.amount < 0 ? "∞" : effect.per ? `×${effect.amount}` : effect.amount || "";
  return h(
    "span",
    { class: `mark-${effect.look} due${effect.opponent ? " theirs" : ""}${effect.condition ? " perhaps" : ""}`, title: what },
    icon(effect.look),
    h("span", { class: "visually-hidden" }, what),
    h("span", { "aria-hidden": "true" }, amount),
  );
}

/** @param {PriceShown} price */
function priceShown({ points, usual: [low, high], says }) {
  const far = Math.max(high * 1.5, points * 1.15, 1);
  const x = (/** @type {number} */ value) => (200 * Math.max(value, 0)) / far;
  return [
    h("p", null, h("b", null, say("workshop.price.points", { n: points })), " ", h("span", { class: `chip ${says}` }, say(`workshop.price.${says}`))),
    svg(
      "svg",
      { class: "bar", viewBox: "0 0 200 14", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "ground", y: 3, width: 200, height: 8, rx: 4 }),
      svg("rect", { class: "usual", x: x(low), y: 3, width: x(high) - x(low), height: 8 }),
      svg("rect", { class: "value", x: x(points) - 1.5, width: 3, height: 14 }),
    ),
    h("p", { class: "note" }, say("workshop.price.usual_range", { low: written(low), high: written(high) })),
  ];
}
