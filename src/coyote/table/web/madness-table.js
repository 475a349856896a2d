// @ts-check
// The table of Madness. It shows what it is told and offers what is legal; it knows no rules.
import { h, $, $$, calm } from "./dom.js";
import { draggable } from "./drag.js";
import { attemptedMove, options } from "./madness-moves.js";
import { fields, hand, moment, piles, rope, sightOf } from "./madness-parts.js";
import { fade, fly, pin, travel } from "./motion.js";
import { playingCard } from "./playing-card.js";
import { say } from "./words.js";

/** @typedef {import("./madness-moves.js").Option} Option */
/** @typedef {import("./motion.js").Place} Place */
/**
 * @typedef {object} State
 * @property {any} view
 * @property {string[]} legal
 * @property {any[]} [events]
 * @property {number} seat
 * @property {(string | null)[]} names
 * @property {any} [open]
 */

const BUTTONS = ["pass", "draw", "push", "drop", "decline"];

export class MadnessTable extends HTMLElement {
  constructor() {
    super();
    /** @type {State | null} */
    this.state = null;
    /** @type {Option[]} */
    this.options = [];
    /** @type {string | null} */
    this.picked = null;
    /** @type {HTMLElement | null} */
    this.ghost = null;
    /** @type {Option | null} */
    this.hinted = null;
    this.waiting = false;
    this.addEventListener("click", (event) => this.clicked(event));
    this.addEventListener("keydown", (event) => this.keyed(event));
  }

  /** @param {boolean} waiting */
  set busy(waiting) {
    this.waiting = waiting;
    this.toggleAttribute("data-busy", waiting);
    if (!waiting) this.forgetGhost();
    if (this.state) this.mark();
  }

  get busy() {
    return this.waiting;
  }

  /** @param {State} state */
  show(state) {
    const before = this.measure();
    const focus = this.focusKey();
    this.state = state;
    this.options = options(state.legal, state.view);
    this.picked = this.options.some((one) => one.card === this.picked) ? this.picked : null;
    this.hinted = null;
    this.forgetGhost();
    this.build(state);
    this.busy = false; // an update is complete: whatever was on its way has arrived, or will come again
    this.focusAgain(focus);
    if (before && state.events?.length) this.animateFrom(before, state.events);
  }

  /** The move was not taken: the card slides back to the hand. */
  refused() {
    const [ghost, card] = [this.ghost, this.picked];
    const home = card ? $(`[data-held="${card}"]`, this) : null;
    const from = ghost?.getBoundingClientRect();
    this.busy = false;
    this.pick(null);
    if (home && from) travel(/** @type {Element} */ (home.firstElementChild), from);
  }

  /**
   * Let a card and its target glow: for hints and lessons.
   * @param {string | null} move
   */
  highlight(move) {
    this.hinted = this.options.find((one) => one.move === move) ?? null;
    this.mark();
  }

  // ------------------------------------------------------------ drawing

  /** @param {State} state */
  build(state) {
    const sight = sightOf(state);
    const stealing = state.legal.includes("decline");
    this.classList.toggle("over", Boolean(state.view.over));
    this.replaceChildren(
      h("div", { class: "mt" }, piles(sight), h("div", { class: "arena" }, fields(sight)), moment(sight, stealing), rope(sight), hand(sight), h("div", { class: "acts" })),
    );
    for (const card of $$("[data-held]", this)) draggable(card, () => this.dragOf(card));
  }

  /** Which cards and places can be used now. */
  mark() {
    const { picked } = this;
    const can = new Map(this.options.filter((one) => (picked ? one.card === picked : !one.card)).map((one) => [one.place, one]));
    const active = this.options.length > 0 && !this.waiting;
    this.classList.toggle("picking", Boolean(picked));
    for (const place of $$("[data-place]", this)) this.markPlace(place, active ? can.get(place.dataset.place ?? "") : undefined);
    for (const held of $$("[data-held]", this)) this.markHeld(held, active);
    $(".acts", this)?.replaceChildren(...this.actions());
  }

  /** @param {HTMLElement} place @param {Option | undefined} option */
  markPlace(place, option) {
    // Not `disabled`: who puts a card where it may not go shall be told why.
    place.setAttribute("aria-disabled", String(!option));
    place.tabIndex = option ? 0 : -1;
    place.classList.toggle("can", Boolean(option?.card));
    place.classList.toggle("may", Boolean(option && !option.card));
    place.classList.toggle("hint", this.hinted?.place === place.dataset.place);
    const what = option ? `. ${this.actionName(option)}` : "";
    place.setAttribute("aria-label", `${place.dataset.label}${what}`);
  }

  /** @param {HTMLElement} held @param {boolean} active */
  markHeld(held, active) {
    const card = held.dataset.held;
    const useful = this.options.some((one) => one.card === card);
    held.classList.toggle("picked", card === this.picked);
    held.classList.toggle("useless", active && !useful);
    held.classList.toggle("hint", this.hinted?.card === card);
    held.setAttribute("aria-pressed", String(card === this.picked));
  }

  /** What the buttons below the hand offer. */
  actions() {
    if (!this.options.length) return [];
    const withCard = this.options.filter((one) => one.card && one.card === this.picked && /^(b|drop|steal) /.test(one.move));
    const without = this.options.filter((one) => !one.card && BUTTONS.includes(one.move));
    return [...without, ...withCard].map((one) =>
      h(
        "button",
        {
          type: "button",
          class: `${one.card ? "primary" : ""}${this.hinted?.move === one.move ? " hint" : ""}`,
          dataset: { act: one.move, focus: `act-${one.move}` },
          disabled: this.waiting,
        },
        this.actionName(one),
      ),
    );
  }

  /** @param {Option} option */
  actionName(option) {
    const verb = option.move.split(" ")[0];
    return say(`table.act.${verb[0] === "a" || verb[0] === "c" ? verb[0] : verb}`, { n: option.place.split("-")[1] ?? "" });
  }

  // ------------------------------------------------------------ choosing

  /** @param {string | null} card */
  pick(card) {
    this.picked = card;
    this.mark();
  }

  /** @param {Event} event */
  clicked(event) {
    if (!(event.target instanceof Element) || this.waiting) return;
    const button = event.target.closest("button");
    const held = button?.dataset.held;
    if (held) return this.tapCard(held);
    if (button?.dataset.act) return this.play(button.dataset.act);
    const place = button?.dataset.place ?? this.placeOfField(event.target);
    if (place) return this.playAt(place);
    this.pick(null);
  }

  /**
   * A second tap plays the card where only one thing can be done with it; otherwise it lies down again.
   * @param {string} card
   */
  tapCard(card) {
    const ways = this.options.filter((one) => one.card === card);
    if (this.picked === card) return ways.length === 1 ? this.play(ways[0].move) : this.pick(null);
    if (ways.length) this.pick(card);
    else this.shake(card);
  }

  /**
   * A card that can do nothing now says so.
   * @param {string} card
   */
  shake(card) {
    const held = $(`[data-held="${card}"]`, this);
    if (!calm()) held?.animate([{ translate: "0" }, { translate: "-4px" }, { translate: "4px" }, { translate: "0" }], 180);
    if (this.options.length) this.attempt(attemptedMove("", card, this.state?.view.phase));
  }

  /**
   * With a card in hand the whole field is as good as my side of it.
   * @param {Element} target
   */
  placeOfField(target) {
    const field = target.closest("[data-field]");
    return this.picked && field instanceof HTMLElement ? `side-${field.dataset.field}` : null;
  }

  /** @param {string} place */
  playAt(place) {
    const found = this.options.find((one) => one.place === place && one.card === this.picked);
    if (found) this.play(found.move);
    else if (this.picked) this.attempt(attemptedMove(place, this.picked, this.state?.view.phase));
  }

  /**
   * Not one of the legal moves: the card goes back, and whoever listens finds out why.
   * @param {string | null} move
   */
  attempt(move) {
    this.refused();
    if (move) this.dispatchEvent(new CustomEvent("attempt", { detail: move, bubbles: true }));
  }

  /** @param {string} move */
  play(move) {
    const option = this.options.find((one) => one.move === move);
    if (!option || this.waiting) return;
    this.picked = option.card;
    this.sendOff(option);
    this.busy = true;
    this.dispatchEvent(new CustomEvent("move", { detail: move, bubbles: true }));
  }

  /**
   * The card leaves at once; where the server disagrees, it comes back.
   * @param {Option} option
   */
  sendOff(option) {
    const held = option.card ? $(`[data-held="${option.card}"] .playing-card`, this) : null;
    const target = $(`[data-place="${option.place}"]`, this);
    if (!held || !target || !option.card) return;
    const to = middle(target.getBoundingClientRect(), held.getBoundingClientRect());
    const from = this.ghost?.getBoundingClientRect() ?? held.getBoundingClientRect();
    this.raiseGhost(option.card, to);
    if (this.ghost) travel(this.ghost, from, { duration: 220 });
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") return this.pick(null);
    if (/^[1-9]$/.test(event.key)) return this.digit(Number(event.key));
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) this.stepFocus(step, event);
    if (event.key === "ArrowUp") $("button.can, button.may", this)?.focus();
    if (event.key === "ArrowDown") ($("[data-held].picked", this) ?? $("[data-held]", this))?.focus();
  }

  /**
   * A digit picks a card; with a card picked, a field.
   * @param {number} n
   */
  digit(n) {
    if (this.waiting) return;
    if (this.picked && n <= 3) return this.playAt($(`[data-place="side-${n}"]`, this) ? `side-${n}` : `centre-${n}`);
    const held = $$("[data-held]", this)[n - 1];
    held?.focus();
    if (held) this.tapCard(held.dataset.held ?? "");
  }

  /**
   * Arrows go through the cards, or through the places.
   * @param {number} step
   * @param {Event} event
   */
  stepFocus(step, event) {
    const now = document.activeElement;
    const group = now?.matches("[data-held]") ? "[data-held]" : "button[data-place][aria-disabled='false']";
    const all = $$(group, this);
    const at = all.indexOf(/** @type {HTMLElement} */ (now));
    if (at < 0) return;
    event.preventDefault();
    all[(at + step + all.length) % all.length].focus();
  }

  focusKey() {
    const now = document.activeElement;
    return now instanceof HTMLElement && this.contains(now) ? now.dataset.focus ?? "" : null;
  }

  /**
   * Who plays with keys shall not be thrown out of the table with each move.
   * @param {string | null} key
   */
  focusAgain(key) {
    if (key === null) return;
    const same = $(`[data-focus="${key}"]:not([aria-disabled="true"])`, this);
    (same ?? $("[data-held]", this) ?? $(".acts button", this))?.focus();
  }

  // ------------------------------------------------------------ dragging

  /** @param {HTMLElement} held @returns {import("./drag.js").Drag | null} */
  dragOf(held) {
    const card = held.dataset.held ?? "";
    if (this.waiting || !this.options.some((one) => one.card === card)) return null;
    const from = /** @type {Element} */ (held.firstElementChild).getBoundingClientRect();
    let grip = { x: 0, y: 0 };
    return {
      start: (at) => {
        grip = { x: at.x - from.left, y: at.y - from.top };
        this.pick(card);
        this.raiseGhost(card, from);
        this.classList.add("dragging");
      },
      move: (at) => {
        this.ghost?.style.setProperty("left", `${at.x - grip.x}px`);
        this.ghost?.style.setProperty("top", `${at.y - grip.y}px`);
        this.hover(this.placeAt(at));
      },
      end: (at) => this.dropped(at && this.placeAt(at)),
    };
  }

  /** @param {{x: number, y: number}} at @returns {string | null} */
  placeAt(at) {
    const under = document.elementFromPoint(at.x, at.y);
    if (!under || !this.contains(under)) return null;
    const button = under.closest("[data-place]");
    const place = button instanceof HTMLElement ? button.dataset.place ?? null : null;
    const can = (/** @type {string | null} */ one) => this.options.some((two) => two.place === one && two.card === this.picked);
    const field = this.placeOfField(under);
    return can(place) ? place : field ?? place;
  }

  /** @param {string | null} place */
  hover(place) {
    for (const one of $$("[data-place]", this)) one.classList.toggle("over", one.dataset.place === place);
  }

  /** @param {string | null} place */
  dropped(place) {
    this.classList.remove("dragging");
    this.hover(null);
    if (place) this.playAt(place);
    else this.refused();
  }

  /** @param {string} card @param {Place} at */
  raiseGhost(card, at) {
    this.forgetGhost();
    this.ghost = playingCard(card);
    pin(this.ghost, at);
    this.append(this.ghost);
    $(`[data-held="${card}"]`, this)?.classList.add("away");
  }

  forgetGhost() {
    this.ghost?.remove();
    this.ghost = null;
    for (const held of $$(".away", this)) held.classList.remove("away");
  }

  // ------------------------------------------------------------ motion

  /** Where every card is now. */
  measure() {
    if (!this.state) return null;
    /** @type {Map<string, Place>} */
    const cards = new Map();
    for (const card of $$(".playing-card[data-card]", this)) {
      if (card !== this.ghost && !card.closest(".away")) cards.set(card.dataset.card ?? "", card.getBoundingClientRect());
    }
    if (this.ghost?.dataset.card) cards.set(this.ghost.dataset.card, this.ghost.getBoundingClientRect());
    const sideways = new Set($$(".playing-card.sideways", this).map((card) => card.dataset.card));
    return { cards, sideways, view: this.state.view };
  }

  /**
   * @param {NonNullable<ReturnType<MadnessTable["measure"]>>} before
   * @param {any[]} events
   */
  animateFrom(before, events) {
    const order = events.map((event) => event.card).filter(Boolean);
    const delay = (/** @type {string} */ card) => 70 * Math.max(0, Math.min(4, order.indexOf(card)));
    const shown = new Set();
    for (const card of $$(".playing-card[data-card]", this)) {
      const name = card.dataset.card ?? "";
      shown.add(name);
      const turned = card.classList.contains("sideways") && !before.sideways.has(name);
      const from = before.cards.get(name) ?? this.originOf(name, events);
      if (from) travel(card, from, { delay: delay(name), turn: turned ? -90 : 0 });
      else fade(card);
    }
    if (events.some((event) => event.kind === "clear")) this.sweep(before.cards, shown);
    this.drawnByOther(events);
    this.slideCubes(events);
  }

  /**
   * A card that was not seen before comes from the deck or from the other hand.
   * @param {string} card
   * @param {any[]} events
   */
  originOf(card, events) {
    const came = events.filter((event) => event.card === card && !["field", "round", "clear"].includes(event.kind)).at(0);
    if (!came || !this.state) return null;
    const fromDeck = ["draw", "push"].includes(came.kind);
    if (!fromDeck && came.seat === this.state.seat) return null;
    return $(fromDeck ? ".deck .place" : ".their-hand .fan", this)?.getBoundingClientRect() ?? null;
  }

  /**
   * The fields are cleared: what lay there goes to the discard (M21).
   * @param {Map<string, Place>} were
   * @param {Set<string>} shown
   */
  sweep(were, shown) {
    const to = $(".discard .place", this)?.getBoundingClientRect();
    if (!to) return;
    for (const [card, from] of were) if (!shown.has(card)) fly(playingCard(card), from, to, { host: this });
  }

  /** @param {any[]} events */
  drawnByOther(events) {
    const from = $(".deck .place", this)?.getBoundingClientRect();
    const to = $(".their-hand .fan", this)?.getBoundingClientRect();
    const other = events.filter((event) => event.kind === "draw" && event.card === null);
    if (from && to) for (const _ of other) fly(playingCard(null), from, { ...to, width: from.width, height: from.height }, { host: this });
  }

  /** @param {any[]} events */
  slideCubes(events) {
    if (!events.some((event) => event.kind === "point")) return;
    const full = $$(".cubes .full", this);
    const last = full.at(-1);
    const ropeAt = $(".rope", this)?.animate([{ filter: "brightness(1.5)" }, { filter: "none" }], { duration: calm() ? 160 : 500 });
    if (!last || calm() || !ropeAt) return;
    const away = last.closest(".mine") ? -60 : 60;
    last.animate([{ transform: `translateX(${away}px) rotate(${away * 2}deg)`, opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 300, easing: "ease-out" });
  }
}

/**
 * A card of this size in the middle of that place.
 * @param {DOMRect} place
 * @param {DOMRect} card
 * @returns {Place}
 */
function middle(place, card) {
  return {
    left: place.left + (place.width - card.width) / 2,
    top: place.top + (place.height - card.height) / 2,
    width: card.width,
    height: card.height,
  };
}

customElements.define("madness-table", MadnessTable);
