// @ts-check
// What the tables of all games have in common: a card is picked, follows the finger and comes back if it was not
// taken; keys work; whatever had the focus, or was scrolled, is so again after the table was drawn anew; and no motion
// is cut by what comes next.
//
// A table marks what it draws:
//   data-held    a card of the hand that may be picked, by a name of its own; its first child is the picture
//   data-act     a button that makes this move
//   data-focus   the name under which a button finds the focus again
//   data-scroll  the name under which a row of cards finds its place again
import { $, $$, calm } from "./dom.js";
import { draggable, isTap, swallowClick } from "./drag.js";
import { pin, travel } from "./motion.js";

/** @typedef {import("./motion.js").Place} Place */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {import("./wire").EventJson} Happening */
/**
 * @template {import("./wire").View} View
 * @typedef {{state: import("./types").TableState<View>, hint: string | null, shown: () => void}} Coming
 */

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
    /** How long motions take, as a part of what they usually do; 0 for none at all. */
    this.pace = 1;
    /** @type {AbortController | null} ends the motion that runs */
    this.motion = null;
    /** @type {Coming<View>[]} what is shown once that has ended */
    this.coming = [];
    this.dragged = false;
    this.sizes = new ResizeObserver(() => this.markCrowds());
    this.addEventListener("pointerdown", (event) => this.pressed(event));
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
    // Where nobody sees it, a motion would last until somebody does.
    document.addEventListener("visibilitychange", () => document.hidden && this.skip(), { signal: this.left.signal });
    this.tabIndex = -1;
    this.sizes.observe(this);
  }

  disconnectedCallback() {
    this.left?.abort();
    this.sizes.disconnect();
    this.skip();
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

  // ------------------------------------------------------------ showing

  /** Whether nothing shall travel. */
  get still() {
    return !this.pace || document.hidden || calm();
  }

  /**
   * Show a situation. What comes while a motion runs waits for its end.
   * @param {import("./types").TableState<View>} state
   * @returns {Promise<void>} until the motion that leads there has ended
   */
  show(state) {
    return new Promise((shown) => {
      this.coming.push({ state, hint: null, shown });
      if (!this.motion) this.showNext();
    });
  }

  /** End the motion that runs, and show at once what waits for it. */
  skip() {
    const { pace } = this;
    this.pace = 0;
    this.motion?.abort();
    this.motion = null;
    this.showNext();
    this.pace = pace;
  }

  showNext() {
    for (let next = this.coming.shift(); next; next = this.coming.shift()) {
      const { shown } = next;
      const moving = this.lay(next.state, next.hint);
      if (moving) return void moving.then(shown);
      shown();
    }
  }

  /**
   * @param {import("./types").TableState<View>} state
   * @param {string | null} hint
   * @returns {Promise<void> | null} until all has come to rest, where anything moves
   */
  lay(state, hint) {
    const before = this.state ? this.measure(this.state) : null;
    const [focus, scrolled] = [this.focusKey(), this.scrolled()];
    this.prepare(state);
    this.state = state;
    this.hinted = hint;
    this.forgetGhost();
    this.replaceChildren(this.drawn(state));
    for (const held of $$("[data-held]", this)) draggable(held, () => this.dragOf(held));
    this.mark();
    this.scrollAgain(scrolled);
    this.focusAgain(focus);
    if (!before || !state.events?.length || !this.pace || document.hidden) return null;
    return this.moveFrom(before, state.events);
  }

  /** @param {Before} before @param {Happening[]} events */
  moveFrom(before, events) {
    const motion = new AbortController();
    this.motion = motion;
    motion.signal.addEventListener("abort", () => {
      for (const one of this.motions()) one.finish();
    });
    const told = this.animateFrom(before, events, motion.signal);
    if (calm()) {
      this.motion = null;
      return null;
    }
    return this.rest(told, motion);
  }

  /**
   * @param {Promise<void> | void} told @param {AbortController} motion
   * @returns {Promise<void>}
   */
  async rest(told, motion) {
    this.setPace();
    await told;
    await Promise.allSettled(this.motions().map((one) => one.finished));
    if (this.motion !== motion) return;
    this.motion = null;
    this.showNext();
  }

  /** All that moves because something happened, and not because a pointer is over it. */
  motions() {
    const all = this.getAnimations({ subtree: true });
    return all.filter((one) => !(one instanceof CSSTransition || one instanceof CSSAnimation));
  }

  setPace() {
    for (const one of this.motions()) one.updatePlaybackRate(1 / (this.pace || 1));
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
    const last = this.coming.at(-1);
    if (last) last.hint = move;
    else this.hinted = move;
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

  /**
   * Let everything travel from where it was. What lasts longer than the motions that were started is promised.
   * @param {Before} _before @param {Happening[]} _events @param {AbortSignal} _signal ends it at once
   * @returns {Promise<void> | void}
   */
  animateFrom(_before, _events, _signal) {}

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
    return now instanceof HTMLElement && now !== this && this.contains(now) ? (now.dataset.focus ?? "") : null;
  }

  /**
   * Who plays with keys shall not be thrown out of the table with each move.
   * @param {string | null} key
   */
  focusAgain(key) {
    if (key === null || this.focusKey() === key) return;
    const same = $(`[data-focus="${CSS.escape(key)}"]:not(:disabled):not([tabindex="-1"])`, this);
    (same ?? this.firstFocus() ?? this).focus({ preventScroll: true });
  }

  /** Where the focus goes when what had it is gone. */
  firstFocus() {
    return $("[data-held]", this) ?? $("[data-act]:not(:disabled)", this);
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

  // ------------------------------------------------------------ a press

  /**
   * A press counts for what it began on, even if that slides away, or is drawn anew, before it ends.
   * @param {PointerEvent} down
   */
  pressed(down) {
    const button = down.target instanceof Element ? down.target.closest("button") : null;
    if (!button || down.button !== 0) return;
    this.dragged = false;
    const ended = new AbortController();
    const end = (/** @type {PointerEvent} */ up) => {
      if (up.pointerId !== down.pointerId) return;
      ended.abort();
      if (up.type === "pointerup" && isTap(down, up) && !this.dragged) this.lifted(button, up);
    };
    addEventListener("pointerup", end, { signal: ended.signal });
    addEventListener("pointercancel", end, { signal: ended.signal });
  }

  /**
   * Where the browser would not find the button again, it is pressed here.
   * @param {HTMLElement} button
   * @param {PointerEvent} up
   */
  lifted(button, up) {
    const under = document.elementFromPoint(up.clientX, up.clientY)?.closest("button");
    if (under === button) return;
    const { focus = "", card, act } = button.dataset;
    const now = button.isConnected ? button : $(`[data-focus="${CSS.escape(focus)}"]`, this);
    if (now && now.dataset.card === card && now.dataset.act === act) now.click();
    swallowClick();
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
        this.dragged = true;
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
