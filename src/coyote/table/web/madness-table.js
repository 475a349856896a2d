// @ts-check
// The table of Madness. It shows what it is told and offers what is legal; it knows no rules.
import { h, $, $$, calm } from "./dom.js";
import { attemptedMove, options } from "./madness-moves.js";
import { drawing, fields, hand, moment, openHand, piles, rope } from "./madness-parts.js";
import { fade, fly, travel } from "./motion.js";
import { playingCard } from "./playing-card.js";
import { GameTableElement } from "./table-element.js";
import { say } from "./words.js";

/** @typedef {import("./madness-moves.js").Option} Option */
/** @typedef {import("./motion.js").Place} Place */
/** @typedef {import("./table-element.js").Point} Point */
/** @typedef {import("./table-element.js").Happening} Happening */
/** @typedef {import("./types").TableState<View>} State */
/** @typedef {import("./wire").MadnessView} View */
/** @typedef {{cards: Map<string, Place>, sideways: Set<string | undefined>, sugar?: Place}} Before */

const BUTTONS = ["pass", "draw", "push", "drop", "decline"];

/** @extends {GameTableElement<View, Before>} */
export class MadnessTable extends GameTableElement {
  constructor() {
    super();
    /** @type {Option[]} */
    this.options = [];
    /** Whether the next card that is picked shall be dropped. */
    this.asking = false;
  }

  // ------------------------------------------------------------ drawing

  /** @param {State} state */
  prepare(state) {
    super.prepare(state);
    this.options = options(state.legal, state.view);
    this.picked = this.options.some((one) => one.card === this.picked) ? this.picked : null;
    this.asking = false;
  }

  /** @param {State} state */
  drawn(state) {
    const all = drawing(state);
    const stealing = state.legal.includes("decline");
    this.classList.toggle("over", state.view.over);
    return h(
      "div",
      { class: `mt${all.theirs ? " opened" : ""}` },
      openHand(all),
      piles(all),
      h("div", { class: "arena" }, fields(all)),
      moment(all, stealing),
      rope(all),
      hand(all),
      h("div", { class: "acts" }),
    );
  }

  /** Which places can be used now, and what the buttons offer. */
  markRest() {
    const { picked } = this;
    const can = new Map(this.options.filter((one) => one.card === picked).map((one) => [one.place, one]));
    const hinted = this.options.find((one) => one.move === this.hinted);
    for (const place of $$("[data-place]", this)) {
      this.markPlace(place, this.waiting ? undefined : can.get(place.dataset.place ?? ""));
      place.classList.toggle("hint", place.dataset.place === hinted?.place);
    }
    this.classList.toggle("asking", this.asking);
    $(".acts", this)?.replaceChildren(...this.actions());
  }

  /** @param {HTMLElement} place @param {Option | undefined} option */
  markPlace(place, option) {
    // Not `disabled`: who puts a card where it may not go shall be told why.
    place.setAttribute("aria-disabled", String(!option));
    place.tabIndex = option ? 0 : -1;
    place.classList.toggle("can", Boolean(option?.card));
    place.classList.toggle("may", Boolean(option && !option.card));
    const what = option ? `. ${this.actionName(option)}` : "";
    place.setAttribute("aria-label", `${place.dataset.label}${what}`);
  }

  /** What the buttons below the hand offer. */
  actions() {
    const withCard = this.options.filter(
      (one) => one.card && one.card === this.picked && /^(b|drop|steal) /.test(one.move),
    );
    const without = this.options.filter((one) => !one.card && BUTTONS.includes(one.move));
    const drops = this.options.some((one) => one.move.startsWith("drop ")) && !withCard.length;
    return [...[...without, ...withCard].map((one) => this.action(one)), ...(drops ? [this.dropButton()] : [])];
  }

  /** @param {Option} one */
  action(one) {
    const verb = one.move.split(" ")[0];
    const look = `${one.card ? "primary" : ""}${this.hinted === one.move ? " hint" : ""}`;
    const dataset = { act: one.move, focus: `act-${verb}` };
    // Not `disabled`: a button that is would lose the focus.
    return h(
      "button",
      { type: "button", class: look, dataset, "aria-disabled": this.waiting ? "true" : null },
      this.actionName(one),
    );
  }

  /** A card may be dropped, and none is picked yet: pressed, it asks for one. */
  dropButton() {
    const look = `ask${this.asking ? " asking" : ""}${this.hinted?.startsWith("drop ") ? " hint" : ""}`;
    const words = say(this.asking ? "table.act.drop_which" : "table.act.drop");
    return h(
      "button",
      {
        type: "button",
        class: look,
        dataset: { ask: "drop", focus: "act-drop" },
        "aria-disabled": this.waiting ? "true" : null,
      },
      words,
    );
  }

  /** @param {Option} option */
  actionName(option) {
    const verb = option.move.split(" ")[0];
    return say(`table.act.${verb[0] === "a" || verb[0] === "c" ? verb[0] : verb}`, {
      n: option.place.split("-")[1] ?? "",
    });
  }

  // ------------------------------------------------------------ choosing

  /** @param {HTMLElement} held */
  canPick(held) {
    return this.options.some((one) => one.card === held.dataset.held);
  }

  /** @param {Event} event */
  clicked(event) {
    if (!(event.target instanceof Element) || this.waiting) return;
    const button = event.target.closest("button");
    const held = button?.dataset.held;
    if (held) return this.tapCard(held);
    if (button?.dataset.ask) return this.ask();
    if (button?.dataset.act) return this.play(button.dataset.act);
    const place = button?.dataset.place ?? this.placeOfField(event.target);
    if (place) return this.playAt(place);
    this.pick(null);
  }

  ask() {
    this.pick(null);
    this.asking = true;
    this.mark();
    $("[data-held]:not(.useless)", this)?.focus();
  }

  /** @param {string | null} card */
  pick(card) {
    this.asking = false;
    super.pick(card);
  }

  /**
   * A second tap plays the card where only one thing can be done with it; otherwise it lies down again. What is
   * dropped is gone, so that wants its button.
   * @param {string} card
   */
  tapCard(card) {
    const ways = this.options.filter((one) => one.card === card);
    const plain = ways.length === 1 && !ways[0].move.startsWith("drop ");
    if (this.picked === card) return plain ? this.play(ways[0].move) : this.pick(null);
    if (ways.length) this.pick(card);
    else this.shake(card);
  }

  /**
   * A card that can do nothing now says so.
   * @param {string} card
   */
  shake(card) {
    const held = this.held(card);
    if (!calm())
      held?.animate([{ translate: "0" }, { translate: "-4px" }, { translate: "4px" }, { translate: "0" }], 180);
    if (this.options.length) this.attempt(attemptedMove("", card, this.state?.view.phase ?? ""));
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
    else if (this.picked) this.attempt(attemptedMove(place, this.picked, this.state?.view.phase ?? ""));
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
    this.layAt(option.place);
    this.send(move);
  }

  /**
   * The picked card goes to the middle of a place.
   * @param {string} place
   */
  layAt(place) {
    const held = this.held(this.picked);
    const to = $(`[data-place="${place}"]`, this)?.getBoundingClientRect();
    const size = held?.firstElementChild?.getBoundingClientRect();
    if (held && to && size) this.sendOff(held, middle(to, size));
  }

  /**
   * A digit picks a card; with a card picked, a field. 0 goes to what can be done without one.
   * @param {number} n
   */
  digit(n) {
    if (n === 0) return void $(".acts button", this)?.focus();
    if (this.waiting) return;
    const place = [`side-${n}`, `centre-${n}`].find((one) => $(`[data-place="${one}"]`, this));
    if (this.picked && place) return this.playAt(place);
    const held = $$("[data-held]", this)[n - 1];
    held?.focus();
    if (held) this.tapCard(held.dataset.held ?? "");
  }

  get groups() {
    return ["[data-held]", "[data-place][aria-disabled='false']", ".acts button"];
  }

  /** Where cards are not played but only dropped, the buttons come first. */
  firstFocus() {
    const plays = this.options.some((one) => one.card && !one.move.startsWith("drop "));
    return (plays ? null : $(".acts button", this)) ?? super.firstFocus();
  }

  get above() {
    return "button.can, button.may";
  }

  // ------------------------------------------------------------ dragging

  /** @param {Point} at @returns {string | null} */
  placeAt(at) {
    const under = document.elementFromPoint(at.x, at.y);
    if (!under || !this.contains(under)) return null;
    const button = under.closest("[data-place]");
    const place = button instanceof HTMLElement ? (button.dataset.place ?? null) : null;
    const can = (/** @type {string | null} */ one) =>
      this.options.some((two) => two.place === one && two.card === this.picked);
    const field = this.placeOfField(under);
    return can(place) ? place : (field ?? place);
  }

  /** @param {Point | null} at */
  hover(at) {
    const place = at && this.placeAt(at);
    for (const one of $$("[data-place]", this)) one.classList.toggle("over", one.dataset.place === place);
  }

  /** @param {Point | null} at */
  drop(at) {
    const place = at && this.placeAt(at);
    if (place) this.playAt(place);
    else this.refused();
  }

  // ------------------------------------------------------------ motion

  /** @returns {Before} */
  measure() {
    /** @type {Map<string, Place>} */
    const cards = new Map();
    for (const card of $$(".playing-card[data-card]", this)) {
      if (card !== this.ghost && !card.closest(".lifted"))
        cards.set(card.dataset.card ?? "", card.getBoundingClientRect());
    }
    if (this.ghost?.dataset.card) cards.set(this.ghost.dataset.card, this.ghost.getBoundingClientRect());
    const sideways = new Set($$(".playing-card.sideways", this).map((card) => card.dataset.card));
    return { cards, sideways, sugar: $(".way .cube", this)?.getBoundingClientRect() };
  }

  /** @param {Before} before @param {Happening[]} events */
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
    if (events.some((event) => event.kind === "point")) this.slideSugar(before.sugar);
  }

  /**
   * A card that was not seen before comes from the deck or from the other hand.
   * @param {string} card
   * @param {Happening[]} events
   */
  originOf(card, events) {
    const came = events
      .filter((event) => event.card === card && !["field", "round", "clear"].includes(event.kind))
      .at(0);
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

  /** @param {Happening[]} events */
  drawnByOther(events) {
    const from = $(".deck .place", this)?.getBoundingClientRect();
    const to = $(".their-hand .fan", this)?.getBoundingClientRect();
    const other = events.filter((event) => event.kind === "draw" && event.card === null);
    if (from && to) other.forEach((_, i) => fly(playingCard(null), from, middle(to, from), { host: this, delay: 90 * i }));
  }

  /**
   * A new cube comes over the rope, or the only one is pulled along it.
   * @param {Place | undefined} from where the only one was
   */
  slideSugar(from) {
    const shines = [{ filter: "brightness(1.5)" }, { filter: "none" }];
    $(".rope", this)?.animate(shines, { duration: calm() ? 160 : 500 });
    const cube = $$(".rope .full", this).at(-1);
    if (!cube || calm()) return;
    if (from) return travel(cube, from);
    const away = cube.closest(".mine") ? -60 : 60;
    const far = { transform: `translateX(${away}px) rotate(${away * 2}deg)`, opacity: 0 };
    cube.animate([far, { transform: "none", opacity: 1 }], { duration: 300, easing: "ease-out" });
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
