// @ts-check
// The table of the duel. It shows what it is told and offers what is legal; it knows no rules.
import { draggable } from "./drag.js";
import { $, $$, h } from "./dom.js";
import { cardName, cardText, duelCard, loadCards, showCard, strangeCard, traitChips } from "./duel-card.js";
import { lastReveal, setHealth, tellMoment } from "./duel-moment.js";
import { bar, hand, lane, openHand, sightOf } from "./duel-parts.js";
import { fade, fly, pin, travel } from "./motion.js";
import { say } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */
/** @typedef {import("./duel-parts.js").Sight} Sight */
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

export class DuelTable extends HTMLElement {
  constructor() {
    super();
    /** @type {State | null} */
    this.state = null;
    /** @type {Map<string, Card> | null} */
    this.cards = null;
    /** @type {({title: string | null} | null)[]} */
    this.turned = [null, null];
    /** @type {number | null} the place in the hand of the card that is picked up */
    this.picked = null;
    /** @type {string | null} */
    this.hinted = null;
    /** @type {HTMLElement | null} */
    this.ghost = null;
    this.moment = new AbortController();
    this.waiting = false;
    this.addEventListener("click", (event) => this.clicked(event));
    this.addEventListener("keydown", (event) => this.keyed(event));
  }

  connectedCallback() {
    this.away = new AbortController();
    // Keys work before anything on the table has the focus, too.
    document.addEventListener("keydown", (event) => event.target === document.body && this.keyed(event), { signal: this.away.signal });
  }

  disconnectedCallback() {
    this.away?.abort();
    this.moment.abort();
  }

  /** @param {boolean} waiting */
  set busy(waiting) {
    this.waiting = waiting;
    this.toggleAttribute("data-busy", waiting);
    this.mark();
  }

  get busy() {
    return this.waiting;
  }

  /** @param {State} state */
  show(state) {
    if (this.cards) return this.showNow(state);
    // The first time the cards have to be fetched; of several states only the last one counts.
    const first = this.early === undefined;
    this.early = state;
    if (first) {
      loadCards().then((cards) => {
        this.cards = cards;
        if (this.early) this.showNow(this.early);
      });
    }
  }

  /** @param {State} state */
  showNow(state) {
    const before = this.state ? this.measure(this.state) : null;
    const reveal = lastReveal(state.events ?? []);
    const focus = this.focusKey();
    this.moment.abort();
    this.moment = new AbortController();
    if (reveal) this.turned = reveal.turned;
    else if (state.view.turn !== this.state?.view.turn) this.turned = [null, null]; // a jump in a replay
    this.keepPick(state);
    // What was asked for has come true, even if the answer to it is still on its way: go on at once.
    if (this.state && (state.view.turn !== this.state.view.turn || state.view.chosen !== this.state.view.chosen)) this.waiting = false;
    this.toggleAttribute("data-busy", this.waiting);
    this.state = state;
    this.hinted = null;
    this.forgetGhost();
    this.build(sightOf(state, this.cards ?? new Map(), this.turned));
    this.mark();
    this.focusAgain(focus);
    if (before && reveal) this.tell(before, reveal.after);
    if (before && state.events?.length) this.animateFrom(before, state.events);
  }

  /** The move was not taken: the card slides back to the hand. */
  refused() {
    const home = this.picked === null ? null : $(`[data-held="${this.picked}"] .duel-card`, this);
    const from = this.ghost?.getBoundingClientRect();
    this.forgetGhost();
    this.picked = null;
    this.busy = false;
    if (home && from) travel(home, from);
  }

  /**
   * Let a card glow: for hints and lessons.
   * @param {string | null} move
   */
  highlight(move) {
    this.hinted = move;
    this.mark();
  }

  // ------------------------------------------------------------ drawing

  /** @param {Sight} sight */
  build(sight) {
    const { seat, view } = sight;
    this.replaceChildren(
      h(
        "div",
        { class: `dt${sight.theirs ? " opened" : ""}${sight.legal.length ? " live" : ""}` },
        bar(sight, 1 - seat),
        openHand(sight),
        h("div", { class: "d-arena" }, lane(sight, 1 - seat), h("p", { class: "d-moment" }), lane(sight, seat)),
        bar(sight, seat),
        hand(sight),
        h("div", { class: "d-acts" }),
      ),
    );
    for (const who of [0, 1]) this.setBar(who, { health: view.health[who], top: view.max[who] });
    for (const held of $$("[data-held]", this)) draggable(held, () => this.dragOf(held));
  }

  /** @param {number} who @param {{health: number, top: number}} health */
  setBar(who, health) {
    const found = $(`[data-bar="${who}"]`, this);
    if (found) setHealth(found, health);
  }

  /** What is picked, chosen and offered now. */
  mark() {
    const state = this.state;
    if (!state) return;
    const chosen = this.chosenPlace();
    for (const held of $$("[data-held]", this)) {
      const place = Number(held.dataset.held);
      held.classList.toggle("picked", place === this.picked);
      held.classList.toggle("chosen", place === chosen);
      held.classList.toggle("useless", !this.canPlay(held.dataset.card ?? ""));
      held.classList.toggle("hint", this.hinted === `play ${held.dataset.card}`);
      held.setAttribute("aria-pressed", String(place === this.picked));
    }
    this.classList.toggle("picking", this.picked !== null);
    const focus = this.focusKey();
    $(".d-acts", this)?.replaceChildren(...this.actions(state));
    $(".d-moment", this)?.replaceChildren(...this.momentWords(state));
    this.focusAgain(focus);
  }

  /** @param {State} state */
  momentWords({ view, legal }) {
    const turn = h("b", null, say("duel.turn", { n: view.turn }));
    if (view.over) return [h("b", null, say("duel.over"))];
    if (!legal.length) return [turn];
    if (view.chosen === "hold") return [turn, " · ", h("span", { class: "done" }, say("duel.chosen_hold"))];
    if (view.chosen) return [turn, " · ", h("span", { class: "done" }, say("duel.chosen_card", { name: this.nameOf(view.chosen.slice(5)) }))];
    return [turn, " · ", legal.length > 1 ? say("duel.pick") : say("duel.only_hold")];
  }

  /** @param {State} state */
  actions({ legal, view }) {
    if (!legal.length) return [];
    const card = this.pickedId();
    const move = `play ${card}`;
    const words = card ? h("p", { class: "reader" }, h("b", null, this.nameOf(card)), ` ${cardText(this.card(card))}`) : h("p", { class: "reader" }, view.chosen ? say("duel.chosen") : "");
    const hold = h("button", { type: "button", class: `hold${this.hinted === "hold" ? " hint" : ""}`, dataset: { act: "hold", focus: "hold" }, "aria-disabled": this.waiting ? "true" : null, disabled: !legal.includes("hold") || view.chosen === "hold" }, h("span", { class: "long" }, say("duel.hold")), h("span", { class: "short" }, say("duel.hold_short")));
    const name = card ? this.nameOf(card) : "";
    const label = !card ? say("duel.pick") : view.chosen ? say("duel.change", { name }) : say("duel.play", { name });
    const play = h("button", { type: "button", class: "primary go", dataset: { act: move, focus: "go" }, "aria-disabled": this.waiting ? "true" : null, disabled: !card || view.chosen === move }, label);
    return [words, h("div", { class: "choices" }, hold, play)];
  }

  /** @param {string} id */
  card(id) {
    return this.cards?.get(id) ?? strangeCard(id);
  }

  /** @param {string} id */
  nameOf(id) {
    return cardName(this.card(id));
  }

  // ------------------------------------------------------------ choosing

  /** @param {string} id */
  canPlay(id) {
    return this.state?.legal.includes(`play ${id}`) ?? false;
  }

  /** @returns {string | null} */
  pickedId() {
    return this.picked === null ? null : ($(`[data-held="${this.picked}"]`, this)?.dataset.card ?? null);
  }

  /** Which card of the hand is the one that was chosen: of two copies the one that was touched. */
  chosenPlace() {
    const chosen = this.state?.view.chosen;
    if (!chosen?.startsWith("play ")) return null;
    const same = $$("[data-held]", this).filter((held) => held.dataset.card === chosen.slice(5));
    const places = same.map((held) => Number(held.dataset.held));
    return places.includes(this.sent ?? -1) ? (this.sent ?? null) : (places[0] ?? null);
  }

  /**
   * A card stays picked while the turn goes on and nothing new was decided. In a new turn another copy of it may
   * lie at the same place, and nobody has picked that.
   * @param {State} state
   */
  keepPick(state) {
    const was = this.pickedId();
    const stays = was !== null && this.picked !== null && state.view.turn === this.state?.view.turn && state.view.hand?.[this.picked] === was && state.legal.includes(`play ${was}`);
    if (!stays || state.view.chosen === `play ${was}`) this.picked = null;
  }

  /** @param {number | null} place */
  pick(place) {
    this.picked = place;
    this.mark();
  }

  /** @param {Event} event */
  clicked(event) {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest("button");
    const { held, act, look, pile, who } = button?.dataset ?? {};
    if (look) return this.look(look);
    if (pile) return this.spread(pile, Number(who));
    if (this.waiting) return;
    if (held !== undefined) return this.tap(Number(held));
    if (act) return this.play(act);
    if (this.picked !== null && event.target.closest(".d-arena")) return this.play(`play ${this.pickedId()}`);
    if (!event.target.closest(".d-acts")) this.pick(null);
  }

  /**
   * The first touch picks a card up, the second one plays it.
   * @param {number} place
   */
  tap(place) {
    const id = $(`[data-held="${place}"]`, this)?.dataset.card ?? "";
    if (!this.canPlay(id)) return this.look(id);
    if (this.picked === place) return this.play(`play ${id}`);
    this.pick(place);
  }

  /** @param {string} move */
  play(move) {
    const state = this.state;
    if (!state || this.waiting || !state.legal.includes(move)) return;
    if (state.view.chosen === move) return this.pick(null);
    this.sent = this.picked;
    this.sendOff();
    this.busy = true;
    this.dispatchEvent(new CustomEvent("move", { detail: move, bubbles: true }));
  }

  /** The card leaves at once, face down; where the server disagrees, it comes back. */
  sendOff() {
    const held = this.picked === null ? null : $(`[data-held="${this.picked}"] .duel-card`, this);
    const target = $(".slot.mine", this)?.getBoundingClientRect();
    const id = this.pickedId();
    if (!held || !target || !id) return;
    const from = this.ghost?.getBoundingClientRect() ?? held.getBoundingClientRect();
    this.raiseGhost(id, target);
    if (this.ghost) travel(this.ghost, from, { duration: 220 });
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || $("dialog[open]")) return;
    if (event.key === "Escape") return this.pick(null);
    if (/^[1-9]$/.test(event.key)) return this.digit(Number(event.key) - 1);
    if (event.key === "0") return void $(".hold", this)?.focus();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) this.stepFocus(step, event);
    if (event.key === "ArrowUp") $(".go:not(:disabled)", this)?.focus();
    if (event.key === "ArrowDown") ($("[data-held].picked", this) ?? $("[data-held]", this))?.focus();
  }

  /** @param {number} place */
  digit(place) {
    const held = $(`[data-held="${place}"]`, this);
    held?.focus();
    if (held && !this.waiting) this.tap(place);
  }

  /** @param {number} step @param {Event} event */
  stepFocus(step, event) {
    const all = $$(".d-hand button", this);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (at < 0) return;
    event.preventDefault();
    all[(at + step + all.length) % all.length].focus();
  }

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
    const same = $(`[data-focus="${key}"]:not(:disabled)`, this);
    (same ?? $("[data-held]", this) ?? $(".d-acts button:not(:disabled)", this))?.focus({ preventScroll: true });
  }

  // ------------------------------------------------------------ looking

  /** @param {string} id */
  look(id) {
    showCard(this.card(id), traitChips(this.card(id)));
  }

  /**
   * All cards of an open pile.
   * @param {string} zone @param {number} who
   */
  spread(zone, who) {
    if (!this.state) return;
    const { view, names } = sightOf(this.state, this.cards ?? new Map(), this.turned);
    const title = say(`duel.pile.${zone}`, { name: names[who] });
    const ids = /** @type {string[]} */ (view[zone][who]).slice().reverse();
    const waits = zone === "aside" ? view.super[who] : null;
    const dialog = h(
      "dialog",
      { class: "pile-dialog", "aria-label": title, onclose: () => dialog.remove(), onclick: (/** @type {Event} */ e) => e.target === dialog && dialog.close() },
      h("h2", null, title),
      waits ? h("p", { class: "note" }, say("duel.super_waits", { name: this.nameOf(waits) })) : null,
      ids.length ? h("div", { class: "spread" }, ids.map((id) => h("button", { type: "button", class: "look", onclick: () => this.look(id) }, duelCard(this.card(id), { size: "table" })))) : h("p", null, say("duel.pile.empty")),
      h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, say("duel.close")),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  // ------------------------------------------------------------ dragging

  /** @param {HTMLElement} held @returns {import("./drag.js").Drag | null} */
  dragOf(held) {
    const id = held.dataset.card ?? "";
    const card = $(".duel-card", held);
    if (this.waiting || !this.canPlay(id) || !card) return null;
    const from = card.getBoundingClientRect();
    let grip = { x: 0, y: 0 };
    return {
      start: (at) => {
        grip = { x: at.x - from.left, y: at.y - from.top };
        this.pick(Number(held.dataset.held));
        this.raiseGhost(id, from);
        this.classList.add("dragging");
      },
      move: (at) => {
        this.ghost?.style.setProperty("left", `${at.x - grip.x}px`);
        this.ghost?.style.setProperty("top", `${at.y - grip.y}px`);
        this.classList.toggle("over-table", this.overTable(at));
      },
      end: (at) => this.dropped(at !== null && this.overTable(at), id),
    };
  }

  /** @param {{x: number, y: number}} at */
  overTable(at) {
    const arena = $(".d-arena", this)?.getBoundingClientRect();
    return Boolean(arena && at.y > arena.top && at.y < arena.bottom && at.x > arena.left && at.x < arena.right);
  }

  /** @param {boolean} onTable @param {string} id */
  dropped(onTable, id) {
    this.classList.remove("dragging", "over-table");
    if (onTable) this.play(`play ${id}`);
    if (!this.waiting) this.refused();
  }

  /** @param {string} id @param {Place} at */
  raiseGhost(id, at) {
    this.forgetGhost();
    this.ghost = duelCard(this.card(id), { size: "hand" });
    pin(this.ghost, at);
    this.append(this.ghost);
    $(`[data-held="${this.picked}"]`, this)?.classList.add("gone-away");
  }

  forgetGhost() {
    this.ghost?.remove();
    this.ghost = null;
    for (const held of $$(".gone-away", this)) held.classList.remove("gone-away");
  }

  // ------------------------------------------------------------ motion

  /**
   * Where everything is before it changes.
   * @param {State} state
   */
  measure({ view }) {
    const place = (/** @type {Element} */ one) => one.getBoundingClientRect();
    return {
      view,
      health: [0, 1].map((seat) => ({ health: view.health[seat], top: view.max[seat] })),
      hand: new Map($$("[data-held]", this).map((one) => [one.dataset.card ?? "", place(one)])),
      play: [0, 1].map((seat) => $$(`[data-lane="${seat}"] .play .duel-card`, this).map((one) => ({ id: one.dataset.card ?? "", at: place(one) }))),
    };
  }

  /**
   * @param {ReturnType<DuelTable["measure"]>} before
   * @param {any[]} after
   */
  tell(before, after) {
    const view = this.state?.view;
    const now = [0, 1].map((seat) => ({ health: view.health[seat], top: view.max[seat] }));
    before.health.forEach((health, who) => this.setBar(who, health));
    tellMoment(this, after, before.health, now, this.moment.signal).catch(() => {});
  }

  /**
   * @param {ReturnType<DuelTable["measure"]>} before
   * @param {any[]} events
   */
  animateFrom(before, events) {
    this.arrive(events);
    for (const seat of [0, 1]) this.leave(before.play[seat], events, seat);
    if (this.state?.view.chosen && this.state.view.chosen !== before.view.chosen) {
      const card = $(".slot.mine > *", this);
      if (card) fade(card);
    }
  }

  /**
   * Cards drawn come from the deck.
   * @param {any[]} events
   */
  arrive(events) {
    const from = this.state ? $(`[data-deck="${this.state.seat}"]`, this)?.getBoundingClientRect() : null;
    const drawn = events.filter((event) => event.kind === "draw" && event.seat === this.state?.seat && event.title);
    if (!from || !this.state?.view.hand) return;
    const n = Math.min(drawn.length, this.state.view.hand.length);
    const fresh = n ? $$(".d-hand .duel-card", this).slice(-n) : [];
    fresh.forEach((card, i) => travel(card, { left: from.left, top: from.top, width: 40, height: 57 }, { delay: 60 * i }));
  }

  /**
   * Cards that leave play go to the discard, or out of the game.
   * @param {{id: string, at: Place}[]} were
   * @param {any[]} events
   * @param {number} seat
   */
  leave(were, events, seat) {
    const pool = [...were];
    for (const event of events) {
      if (event.seat !== seat || !(event.kind === "leave" || event.zone === "play")) continue;
      const i = pool.findIndex((one) => one.id === event.title);
      const to = $(`[data-lane="${seat}"] .d-pile`, this)?.getBoundingClientRect();
      if (i < 0 || !to) continue;
      fly(duelCard(this.card(event.title), { size: "table" }), pool.splice(i, 1)[0].at, to, { host: this });
    }
  }
}

customElements.define("duel-table", DuelTable);
