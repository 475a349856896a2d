// @ts-check
// The table of the duel. It shows what it is told and offers what is legal; it knows no rules.
import { $, $$, calm, h } from "./dom.js";
import { cardName, cardText, duelCard, loadCards, showCard, strangeCard, traitChips } from "./duel-card.js";
import { lastReveal, setHealth, tellMoment } from "./duel-moment.js";
import { bar, drawing, hand, lane, openHand } from "./duel-parts.js";
import { fade, fly, travel } from "./motion.js";
import { GameTableElement } from "./table-element.js";
import { say } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */
/** @typedef {import("./duel-moment.js").Health} Health */
/** @typedef {import("./motion.js").Place} Place */
/** @typedef {import("./table-element.js").Point} Point */
/** @typedef {import("./table-element.js").Happening} Happening */
/** @typedef {import("./types").TableState<View>} State */
/** @typedef {import("./wire").DuelView} View */
/** @typedef {{chosen: string | null, view: View, health: Health[], play: {id: string, at: Place}[][]}} Before */

/** @extends {GameTableElement<View, Before>} */
export class DuelTable extends GameTableElement {
  /** @param {Map<string, Card>} [cards] by their ids */
  constructor(cards = new Map()) {
    super();
    this.cards = cards;
    /** @type {(import("./duel-moment.js").Turned | null)[]} */
    this.turned = [null, null];
    /** @type {import("./duel-moment.js").Reveal | null} what is told now */
    this.reveal = null;
    /** @type {View | null} what lay there before that */
    this.past = null;
    /** @type {{seat: number, turn: number} | null} whose choice was made here last */
    this.chose = null;
    /** @type {string | null} the place in the hand of the card that was chosen */
    this.sent = null;
  }

  /** A table with the cards of a room; without one, of the core set. */
  /** @param {string} [room] */
  static async laid(room) {
    return new DuelTable(await loadCards(room));
  }

  // ------------------------------------------------------------ drawing

  /** @param {State} state */
  prepare(state) {
    const { view } = state;
    const was = this.state?.view;
    const reveal = lastReveal(state.events ?? []);
    this.reveal = was && !this.still ? reveal : null;
    if (reveal) this.turned = reveal.turned;
    else if (view.turn !== was?.turn) this.turned = [null, null]; // a jump in a replay
    this.past = this.reveal && (was ?? null);
    this.keepPick(state);
    // What was asked for has come true, even if the answer to it is still on its way: go on at once.
    if (was && (view.turn !== was.turn || view.chosen !== was.chosen)) this.waiting = false;
  }

  /** @param {State} state */
  drawing(state) {
    const { chose } = this;
    // At one device the second one chooses after the first one has.
    const passed = chose?.turn === state.view.turn && chose.seat !== state.seat ? chose.seat : null;
    return drawing(state, this.cards, { turned: this.turned, passed, telling: Boolean(this.reveal) });
  }

  /** @param {State} state */
  drawn(state) {
    const all = this.drawing(state);
    const { seat } = all;
    // While a turn is told, those cards lie there that did it.
    const { play, due } = this.past ?? state.view;
    const lying = { ...all, view: { ...state.view, play, due } };
    const bars = [bar(all, 0), bar(all, 1)];
    bars.forEach((one, who) => setHealth(one, healthOf(state.view, who)));
    return h(
      "div",
      { class: `dt${all.theirs ? " opened" : ""}${this.live ? " live" : ""}` },
      bars[1 - seat],
      openHand(all),
      h("div", { class: "d-arena" }, lane(lying, 1 - seat), h("p", { class: "d-moment" }), lane(lying, seat)),
      bars[seat],
      hand(all),
      h("div", { class: "d-acts" }),
    );
  }

  /** @param {number} who @param {Health} health */
  setBar(who, health) {
    const found = $(`[data-bar="${who}"]`, this);
    if (found) setHealth(found, health);
  }

  /** What is chosen and offered now. */
  markRest() {
    const { state } = this;
    if (!state) return;
    const chosen = this.chosenPlace();
    for (const held of $$("[data-held]", this)) held.classList.toggle("chosen", held.dataset.held === chosen);
    $(".dt", this)?.classList.toggle("aimed", this.hinted !== null && this.hinted === `play ${this.pickedId()}`);
    $(".d-acts", this)?.replaceChildren(...this.actions(state));
    $(".d-moment", this)?.replaceChildren(...this.momentWords(state));
  }

  /** @param {State} state */
  momentWords({ view, legal }) {
    const turn = h("b", null, say("duel.turn", { n: view.turn }));
    if (view.over) return [h("b", null, say("duel.over"))];
    if (!legal.length) return [turn];
    if (!view.chosen) return [turn, " · ", legal.length > 1 ? say("duel.pick") : say("duel.only_hold")];
    const name = this.nameOf(cardOf(view.chosen) ?? "");
    const done = view.chosen === "hold" ? say("duel.chosen_hold") : say("duel.chosen_card", { name });
    return [turn, " · ", h("span", { class: "done" }, done)];
  }

  /** @param {State} state */
  actions({ legal, view }) {
    if (!legal.length) return [];
    const card = this.pickedId();
    const words = card
      ? [h("b", null, this.nameOf(card)), ` ${cardText(this.card(card))}`]
      : view.chosen
        ? say("duel.chosen")
        : "";
    return [
      h("p", { class: "reader" }, words),
      h("div", { class: "choices" }, this.holdButton(legal, view), this.playButton(card, view)),
    ];
  }

  /** @param {string[]} legal @param {View} view */
  holdButton(legal, view) {
    return h(
      "button",
      {
        type: "button",
        class: `hold${this.hinted === "hold" ? " hint" : ""}`,
        dataset: { act: "hold", focus: "hold" },
        // Not `disabled` while a move is on its way: a button that is would lose the focus.
        "aria-disabled": this.waiting ? "true" : null,
        disabled: !legal.includes("hold") || view.chosen === "hold",
      },
      h("span", { class: "long" }, say("duel.hold")),
      h("span", { class: "short" }, say("duel.hold_short")),
    );
  }

  /** @param {string | null} card @param {View} view */
  playButton(card, view) {
    const name = card ? this.nameOf(card) : "";
    const label = !card ? say("duel.pick") : view.chosen ? say("duel.change", { name }) : say("duel.play", { name });
    const move = `play ${card}`;
    return h(
      "button",
      {
        type: "button",
        class: "primary go",
        dataset: { act: move, focus: "go" },
        "aria-disabled": this.waiting ? "true" : null,
        disabled: !card || view.chosen === move,
      },
      label,
    );
  }

  /** @param {string} id */
  card(id) {
    return this.cards.get(id) ?? strangeCard(id);
  }

  /** @param {string} id */
  nameOf(id) {
    return cardName(this.card(id));
  }

  // ------------------------------------------------------------ choosing

  /** @param {HTMLElement} held */
  canPick(held) {
    return this.canPlay(held.dataset.card ?? "");
  }

  /** @param {string} id */
  canPlay(id) {
    return this.state?.legal.includes(`play ${id}`) ?? false;
  }

  /** @returns {string | null} */
  pickedId() {
    return this.held(this.picked)?.dataset.card ?? null;
  }

  /** Which card of the hand is the one that was chosen: of two copies the one that was touched. */
  chosenPlace() {
    const chosen = cardOf(this.state?.view.chosen ?? "");
    const same = $$("[data-held]", this).filter((held) => held.dataset.card === chosen);
    const touched = same.find((held) => held.dataset.held === this.sent);
    return (touched ?? same[0])?.dataset.held ?? null;
  }

  /**
   * A card stays picked while the turn goes on and nothing new was decided. In a new turn another copy of it may
   * lie at the same place, and nobody has picked that.
   * @param {State} state
   */
  keepPick({ view, legal }) {
    const was = this.pickedId();
    const sameTurn = view.turn === this.state?.view.turn && view.hand?.[Number(this.picked)] === was;
    const move = `play ${was}`;
    if (!was || !sameTurn || !legal.includes(move) || view.chosen === move) this.picked = null;
  }

  /** @param {Event} event */
  clicked(event) {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest("button");
    const { held, act, look, pile, who } = button?.dataset ?? {};
    if (look) return this.look(look);
    if (pile) return this.spread(pile, Number(who));
    if (this.waiting) return;
    if (held !== undefined) return this.tap(held);
    if (act) return this.play(act);
    if (this.picked !== null && event.target.closest(".d-arena")) return this.play(`play ${this.pickedId()}`);
    if (!event.target.closest(".d-acts")) this.pick(null);
  }

  /**
   * The first touch picks a card up, the second one plays it.
   * @param {string} place
   */
  tap(place) {
    const id = this.held(place)?.dataset.card ?? "";
    if (!this.canPlay(id)) return this.look(id);
    if (this.picked === place) return this.play(`play ${id}`);
    this.pick(place);
  }

  /** @param {string} move */
  play(move) {
    this.skip();
    const { state } = this;
    if (!state || this.waiting || !state.legal.includes(move)) return;
    if (state.view.chosen === move) return this.pick(null);
    this.sent = this.picked;
    this.chose = { seat: state.seat, turn: state.view.turn };
    const held = this.held(this.picked);
    const slot = $(".slot.mine", this)?.getBoundingClientRect();
    if (held && slot) this.sendOff(held, slot);
    this.send(move);
  }

  /**
   * A digit picks a card, and plays it the second time; 0 plays none.
   * @param {number} n
   */
  digit(n) {
    if (n === 0) return void $(".hold", this)?.focus();
    const held = this.held(String(n - 1));
    held?.focus();
    if (held && !this.waiting) this.tap(String(n - 1));
  }

  get groups() {
    return [".d-hand button"];
  }

  get above() {
    return ".go:not(:disabled)";
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
    if (!this.state || (zone !== "discard" && zone !== "aside")) return;
    const { view, names } = this.drawing(this.state);
    const title = say(`duel.pile.${zone}`, { name: names[who] });
    const ids = view[zone][who].slice().reverse();
    const waits = zone === "aside" ? view.super[who] : null;
    const closes = (/** @type {Event} */ event) => event.target === dialog && dialog.close();
    const dialog = h(
      "dialog",
      { class: "pile-dialog", "aria-label": title, onclose: () => dialog.remove(), onclick: closes },
      h("h2", null, title),
      waits ? h("p", { class: "note" }, say("duel.super_waits", { name: this.nameOf(waits) })) : null,
      ids.length
        ? h(
            "div",
            { class: "spread" },
            ids.map((id) => this.lookButton(id)),
          )
        : h("p", null, say("duel.pile.empty")),
      h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, say("duel.close")),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  /** @param {string} id */
  lookButton(id) {
    return h(
      "button",
      { type: "button", class: "look", onclick: () => this.look(id) },
      duelCard(this.card(id), { size: "table" }),
    );
  }

  // ------------------------------------------------------------ dragging

  /** @param {Point} at */
  overTable(at) {
    const arena = $(".d-arena", this)?.getBoundingClientRect();
    return Boolean(arena && at.y > arena.top && at.y < arena.bottom && at.x > arena.left && at.x < arena.right);
  }

  /** @param {Point | null} at */
  hover(at) {
    this.classList.toggle("over-table", at !== null && this.overTable(at));
  }

  /** @param {Point | null} at */
  drop(at) {
    if (at && this.overTable(at)) this.play(`play ${this.pickedId()}`);
    if (!this.waiting) this.refused();
  }

  // ------------------------------------------------------------ motion

  /**
   * @param {State} state
   * @returns {Before}
   */
  measure({ view }) {
    const lying = (/** @type {number} */ seat) => $$(`[data-lane="${seat}"] .play .duel-card`, this);
    return {
      chosen: view.chosen,
      view,
      health: [healthOf(view, 0), healthOf(view, 1)],
      play: [0, 1].map((seat) =>
        lying(seat).map((one) => ({ id: one.dataset.card ?? "", at: one.getBoundingClientRect() })),
      ),
    };
  }

  /** @param {Before} before @param {Happening[]} events @param {AbortSignal} signal */
  animateFrom(before, events, signal) {
    const { reveal, state } = this;
    if (!state || calm()) return;
    const card = $(".slot.mine > *", this);
    if (card && state.view.chosen && state.view.chosen !== before.chosen) fade(card);
    if (!reveal) return this.clearAway(before, events);
    for (const fresh of this.drawnNow(events)) fresh.classList.add("coming");
    before.health.forEach((health, who) => this.setBar(who, health));
    signal.addEventListener("abort", () => this.settle(state));
    const now = [healthOf(state.view, 0), healthOf(state.view, 1)];
    const told = tellMoment(this, reveal, before.health, now, signal);
    return told.then(() => {
      this.settle(state);
      this.clearAway(before, events);
      this.setPace();
    }, ignore);
  }

  /**
   * What was told is as it is now.
   * @param {State} state
   */
  settle(state) {
    if (!this.reveal) return;
    this.reveal = this.past = null;
    const all = this.drawing(state);
    for (const who of [0, 1]) {
      this.setBar(who, healthOf(state.view, who));
      $(`[data-lane="${who}"]`, this)?.replaceWith(lane(all, who));
    }
    for (const card of $$(".coming", this)) card.classList.remove("coming");
    for (const gone of $$(".flies, .float", this)) gone.remove();
    this.markCrowds();
  }

  /** @param {Before} before @param {Happening[]} events */
  clearAway(before, events) {
    this.arrive(events);
    for (const seat of [0, 1]) this.leave(before.play[seat], events, seat);
  }

  /**
   * The cards of the hand that were drawn: the last ones.
   * @param {Happening[]} events
   */
  drawnNow(events) {
    const drawn = events.filter((event) => event.kind === "draw" && event.seat === this.state?.seat && event.title);
    const n = Math.min(drawn.length, this.state?.view.hand?.length ?? 0);
    return n ? $$(".d-hand .duel-card", this).slice(-n) : [];
  }

  /**
   * Cards drawn come from the deck.
   * @param {Happening[]} events
   */
  arrive(events) {
    const from = this.state ? $(`[data-deck="${this.state.seat}"]`, this)?.getBoundingClientRect() : null;
    if (!from) return;
    const at = { left: from.left, top: from.top, width: 40, height: 57 };
    this.drawnNow(events).forEach((card, i) => travel(card, at, { delay: 60 * i }));
  }

  /**
   * Cards that leave play go to the discard, or out of the game.
   * @param {{id: string, at: Place}[]} were
   * @param {Happening[]} events
   * @param {number} seat
   */
  leave(were, events, seat) {
    const pool = [...were];
    for (const event of events) {
      if (event.seat !== seat || !(event.kind === "leave" || event.zone === "play")) continue;
      const i = pool.findIndex((one) => one.id === event.title);
      const to = $(`[data-lane="${seat}"] .d-pile`, this)?.getBoundingClientRect();
      if (i < 0 || !to || !event.title) continue;
      fly(duelCard(this.card(event.title), { size: "table" }), pool.splice(i, 1)[0].at, to, { host: this });
    }
  }
}

/** Whoever skips it has seen enough. */
function ignore() {}

/**
 * The card of a choice.
 * @param {string} move
 */
function cardOf(move) {
  return move.startsWith("play ") ? move.slice("play ".length) : null;
}

/** @param {View} view @param {number} who @returns {Health} */
function healthOf(view, who) {
  return { health: view.health[who], top: view.max[who] };
}

customElements.define("duel-table", DuelTable);
