// @ts-check
// What the tables of all games have in common: a card is picked, follows the finger and comes back if it was not
// taken; keys work; and whatever had the focus, or was scrolled, is so again after the table was drawn anew.
//
// A table marks what it draws:
//   data-held    a card of the hand that may be picked, by a name of its own; its first child is the picture
//   data-act     a button that makes this move
//   data-focus   the name under which a button finds the focus again
//   data-scroll  the name under which a row of cards finds its place again
import { $, $$ } from "./dom.js";
import { draggable } from "./drag.js";
import { pin, travel } from "./motion.js";

/** @typedef {import("./motion.js").Place} Place */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {import("./wire").EventJson} Happening */

/**
 * @template {import("./wire").View} View what the game's view is
 * @template [Before=null] what is remembered of a table before it changes
 */
export class GameTableElement extends HTMLElement {
  constructor() {
    super();
    /** @type {import("./types").TableState<View> | null} */
    this.state = null;
    /** @type {string | null} which of the held cards is picked up */
    this.picked = null;
    /** @type {string | null} the move that glows */
    this.hinted = null;
    /** @type {HTMLElement | null} the picked card on its way */
    this.ghost = null;
    this.waiting = false;
    this.sizes = new ResizeObserver(() => this.markCrowds());
    this.addEventListener("click", (event) => this.clicked(event));
    this.addEventListener("keydown", (event) => this.keyed(event));
    this.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
  }

  connectedCallback() {
    this.left = new AbortController();
    // Keys work before anything on the table has the focus, too.
    const early = (/** @type {KeyboardEvent} */ event) =>
      event.target === document.body && this.live && this.keyed(event);
    document.addEventListener("keydown", early, { signal: this.left.signal });
    this.sizes.observe(this);
  }

  disconnectedCallback() {
    this.left?.abort();
    this.sizes.disconnect();
  }

  /** Whether a choice is asked for. */
  get live() {
    return Boolean(this.state?.legal.length);
  }

  /**
   * A move is on its way.
   * @param {boolean} waiting
   */
  set busy(waiting) {
    this.waiting = waiting;
    if (!waiting) this.forgetGhost();
    this.mark();
  }

  get busy() {
    return this.waiting;
  }

  /** @param {import("./types").TableState<View>} state */
  show(state) {
    const before = this.state ? this.measure(this.state) : null;
    const [focus, scrolled] = [this.focusKey(), this.scrolled()];
    this.prepare(state);
    this.state = state;
    this.hinted = null;
    this.forgetGhost();
    this.replaceChildren(this.drawn(state));
    for (const held of $$("[data-held]", this)) draggable(held, () => this.dragOf(held));
    this.mark();
    this.scrollAgain(scrolled);
    this.focusAgain(focus);
    if (before && state.events?.length) this.animateFrom(before, state.events);
  }

  /** The move was not taken: the card slides back to the hand. */
  refused() {
    const home = this.held(this.picked)?.firstElementChild;
    const from = this.ghost?.getBoundingClientRect();
    this.picked = null;
    this.busy = false;
    if (home && from) travel(home, from);
  }

  /**
   * Let a card and its target glow: for hints and lessons.
   * @param {string | null} move
   */
  highlight(move) {
    this.hinted = move;
    this.mark();
  }

  // ------------------------------------------------------------ what each table has of its own

  /**
   * Think about a state before it is drawn.
   * @param {import("./types").TableState<View>} _state
   */
  prepare(_state) {
    this.waiting = false; // an update is complete: whatever was on its way has arrived, or will come again
  }

  /** @param {import("./types").TableState<View>} _state @returns {Node} */
  drawn(_state) {
    throw new Error("every table draws itself");
  }

  /** Show on what is drawn what can be done now. */
  markRest() {}

  /**
   * Whether this card of the hand can do anything now.
   * @param {HTMLElement} _held
   */
  canPick(_held) {
    return false;
  }

  /** @param {Event} _event */
  clicked(_event) {}

  /**
   * A digit was typed.
   * @param {number} _n
   */
  digit(_n) {}

  /**
   * The card on its way is over this place, or no longer over any.
   * @param {Point | null} _at
   */
  hover(_at) {}

  /**
   * The card on its way falls here, or nowhere.
   * @param {Point | null} _at
   */
  drop(_at) {
    this.refused();
  }

  /** Buttons through which the arrows go, in groups. */
  get groups() {
    return ["[data-held]"];
  }

  /** Where the arrow up leads to. */
  get above() {
    return "[data-act]:not(:disabled)";
  }

  /**
   * Where everything is before it changes.
   * @param {import("./types").TableState<View>} _state
   * @returns {Before | null}
   */
  measure(_state) {
    return null;
  }

  /** @param {Before} _before @param {Happening[]} _events */
  animateFrom(_before, _events) {}

  // ------------------------------------------------------------ choosing

  /** @param {string | null} key @returns {HTMLElement | null} */
  held(key) {
    return key === null ? null : $(`[data-held="${CSS.escape(key)}"]`, this);
  }

  /** @param {string | null} key */
  pick(key) {
    this.picked = key;
    this.mark();
  }

  /** @param {string} move */
  send(move) {
    this.busy = true;
    this.dispatchEvent(new CustomEvent("move", { detail: move, bubbles: true }));
  }

  mark() {
    if (!this.state) return;
    const focus = this.focusKey();
    this.toggleAttribute("data-busy", this.waiting);
    this.classList.toggle("picking", this.picked !== null);
    for (const held of $$("[data-held]", this)) this.markHeld(held);
    this.markRest();
    this.markCrowds();
    this.focusAgain(focus);
  }

  /** @param {HTMLElement} held */
  markHeld(held) {
    const picked = held.dataset.held === this.picked;
    const card = held.dataset.card ?? held.dataset.held;
    held.classList.toggle("picked", picked);
    held.classList.toggle("useless", this.live && !this.waiting && !this.canPick(held));
    held.classList.toggle("hint", this.hinted?.endsWith(` ${card}`) ?? false);
    held.setAttribute("aria-pressed", String(picked));
  }

  // ------------------------------------------------------------ keys and focus

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || $("dialog[open]")) return;
    if (event.key === "Escape") return this.pick(null);
    if (/^\d$/.test(event.key)) return this.digit(Number(event.key));
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) this.stepFocus(step, event);
    if (event.key === "ArrowUp") $(this.above, this)?.focus();
    if (event.key === "ArrowDown") (this.held(this.picked) ?? $("[data-held]", this))?.focus();
  }

  /** @param {number} step @param {Event} event */
  stepFocus(step, event) {
    const now = document.activeElement;
    const group = this.groups.find((one) => now?.matches(one));
    if (!group || !(now instanceof HTMLElement) || !this.contains(now)) return;
    event.preventDefault();
    const all = $$(group, this);
    all[(all.indexOf(now) + step + all.length) % all.length].focus();
  }

  /** What has the focus, where it is on this table. */
  focusKey() {
    const now = document.activeElement;
    return now instanceof HTMLElement && this.contains(now) ? (now.dataset.focus ?? "") : null;
  }

  /**
   * Who plays with keys shall not be thrown out of the table with each move.
   * @param {string | null} key
   */
  focusAgain(key) {
    if (key === null || this.focusKey() === key) return;
    const same = $(`[data-focus="${CSS.escape(key)}"]:not(:disabled):not([tabindex="-1"])`, this);
    (same ?? $("[data-held]", this) ?? $("[data-act]:not(:disabled)", this))?.focus({ preventScroll: true });
  }

  // ------------------------------------------------------------ rows with more cards than fit

  /** Only a row that can be scrolled takes the finger for that, elsewhere it drags; and keys can scroll it, too. */
  markCrowds() {
    for (const row of $$("[data-scroll]", this)) {
      const crowded = row.scrollWidth > row.clientWidth + 1;
      row.toggleAttribute("data-crowded", crowded);
      if (crowded && !$("button", row)) row.tabIndex = 0;
      else row.removeAttribute("tabindex");
    }
  }

  /**
   * A wheel that only knows up and down goes along such a row.
   * @param {WheelEvent} event
   */
  wheeled(event) {
    const row = event.target instanceof Element ? event.target.closest("[data-crowded]") : null;
    if (!row || event.deltaX) return;
    event.preventDefault();
    row.scrollLeft += event.deltaY;
  }

  scrolled() {
    return new Map($$("[data-scroll]", this).map((row) => [row.dataset.scroll, row.scrollLeft]));
  }

  /** @param {ReturnType<GameTableElement<View, Before>["scrolled"]>} scrolled */
  scrollAgain(scrolled) {
    for (const row of $$("[data-scroll]", this)) row.scrollLeft = scrolled.get(row.dataset.scroll) ?? 0;
  }

  // ------------------------------------------------------------ a card on its way

  /** @param {HTMLElement} held @returns {import("./drag.js").Drag | null} */
  dragOf(held) {
    const picture = held.firstElementChild;
    if (this.waiting || !picture || !this.canPick(held)) return null;
    const from = picture.getBoundingClientRect();
    let grip = { x: 0, y: 0 };
    return {
      start: (at) => {
        grip = { x: at.x - from.left, y: at.y - from.top };
        this.pick(held.dataset.held ?? null);
        this.raiseGhost(held, from);
        this.classList.add("dragging");
      },
      move: (at) => {
        this.ghost?.style.setProperty("left", `${at.x - grip.x}px`);
        this.ghost?.style.setProperty("top", `${at.y - grip.y}px`);
        this.hover(at);
      },
      end: (at) => {
        this.classList.remove("dragging");
        this.hover(null);
        this.drop(at);
      },
    };
  }

  /**
   * The card leaves at once; where the server disagrees, it comes back.
   * @param {HTMLElement} held
   * @param {Place} to
   */
  sendOff(held, to) {
    const from = (this.ghost ?? held.firstElementChild ?? held).getBoundingClientRect();
    this.raiseGhost(held, to);
    if (this.ghost) travel(this.ghost, from, { duration: 220 });
  }

  /** @param {HTMLElement} held @param {Place} at */
  raiseGhost(held, at) {
    this.forgetGhost();
    this.ghost = /** @type {HTMLElement} */ (held.firstElementChild?.cloneNode(true));
    pin(this.ghost, at);
    this.append(this.ghost);
    held.classList.add("lifted");
  }

  forgetGhost() {
    this.ghost?.remove();
    this.ghost = null;
    for (const held of $$(".lifted", this)) held.classList.remove("lifted");
  }
}
