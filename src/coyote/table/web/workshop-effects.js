// @ts-check
// A card by picking from lists: its traits, and a row for each effect. What there is to pick from the server says, and
// it says what does not go together.
import { h, $ } from "./dom.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").LanguageShown} Language */
/** @typedef {import("./wire").ActionShown} ActionShown */
/** @typedef {import("./wire").CardFault} CardFault */
/** @typedef {Required<import("./wire").PickedEffect>} Picked */
/** @typedef {import("./wire").CardEffect} CardEffect */
/** @typedef {{auto: boolean, super: boolean, effects: Picked[]}} PickedCard */
/** @typedef {{auto: boolean, super: boolean, effects: CardEffect[]}} WholeCard */

const THRESHOLD = 10; // to begin with
const NOTHING = { auto: false, super: false, effects: [] };

export class EffectLists {
  rows = h("ol", { class: "effects" });
  traits = h("div", { class: "row traits" });
  more = h("button", { type: "button", class: "add-effect", onclick: () => this.add() }, say("workshop.effect.add"));
  element = h("div", { class: "effect-lists" }, this.traits, this.rows, this.more);
  /** @type {PickedCard} */
  card = NOTHING;

  /** @param {Language} language @param {() => void} changed */
  constructor(language, changed) {
    this.language = language;
    this.changed = changed;
    this.draw();
  }

  /**
   * Nothing is drawn anew that is shown already: whoever picks keeps their place.
   * @param {PickedCard | WholeCard} card
   */
  show({ auto, super: last, effects }) {
    const card = { auto, super: last, effects: effects.map(picked) };
    if (JSON.stringify(card) === JSON.stringify(this.card)) return;
    this.card = card;
    this.draw();
  }

  /** @param {CardFault[]} faults */
  blame(faults) {
    [...this.rows.children].forEach((row, n) => {
      const told = faults.filter((fault) => fault.effect === n).map((fault) => fault.text);
      const place = $(".wrong", /** @type {HTMLElement} */ (row));
      if (place) place.textContent = told.join(" ");
    });
  }

  draw() {
    this.traits.replaceChildren(
      ...this.language.traits.map(({ key, title }) => this.trait(/** @type {"auto" | "super"} */ (key), title[lang])),
    );
    this.rows.replaceChildren(...this.card.effects.map((effect, n) => this.row(effect, n)));
    this.more.disabled = this.card.effects.length >= this.language.most_effects;
  }

  /** @param {"auto" | "super"} key @param {string} title */
  trait(key, title) {
    const tick = h("input", { type: "checkbox", checked: this.card[key] });
    tick.addEventListener("change", () => this.change({ ...this.card, [key]: tick.checked }));
    return h("label", { class: "tick" }, tick, title);
  }

  /** @param {PickedCard} card */
  change(card) {
    this.card = card;
    this.changed();
  }

  add() {
    const [action] = this.language.actions;
    this.change({ ...this.card, effects: [...this.card.effects, picked(usual(action))] });
    this.draw();
    $("li:last-child select", this.rows)?.focus();
  }

  /** @param {number} n */
  take(n) {
    this.change({ ...this.card, effects: this.card.effects.filter((_, at) => at !== n) });
    this.draw();
    this.more.focus();
  }

  /** @param {number} n @param {Partial<Picked>} told @param {string} [focus] the row has other fields now */
  set(n, told, focus) {
    const effects = this.card.effects.map((effect, at) => (at === n ? { ...effect, ...told } : effect));
    this.change({ ...this.card, effects });
    if (!focus) return;
    this.rows.children[n].replaceWith(this.row(effects[n], n));
    $(`[data-field="${focus}"]`, /** @type {HTMLElement} */ (this.rows.children[n]))?.focus();
  }

  // ------------------------------------------------------------ a row

  /** @param {Picked} effect @param {number} n */
  row(effect, n) {
    const { language } = this;
    const action = language.actions.find((one) => one.action === effect.action) ?? language.actions[0];
    const condition = language.conditions.find((one) => one.key === effect.condition);
    const words = (/** @type {{key: string, title: Record<"en" | "ru", string>}[]} */ some) =>
      some.map(({ key, title }) => /** @type {[string, string]} */ ([key, title[lang]]));
    const zones = language.zones.filter(({ key }) => action.zones.some((zone) => zone === key));
    const all = action.all !== null && effect.amount === action.all;
    const begin = (/** @type {string} */ wanted) => {
      const next = language.actions.find((one) => one.action === wanted) ?? action;
      this.set(n, { ...usual(next), opponent: effect.opponent }, "action");
    };
    const field = (/** @type {string} */ name, /** @type {HTMLElement} */ input) => labelled(name, n, input);
    return h(
      "li",
      { class: `effect main-${action.look}` },
      field("action", list(words(language.actions.map((one) => ({ key: one.action, title: one.title }))), effect.action, begin)),
      action.counts && !all
        ? field("amount", number(effect.amount, action.least, action.most, (amount) => this.set(n, { amount })))
        : null,
      action.all !== null
        ? tick(say("workshop.effect.all"), all, (on) => this.set(n, { amount: on ? action.all ?? 0 : action.least, per: null }, "all"))
        : null,
      zones.length ? field("zone", list(words(zones), effect.zone ?? "", (zone) => this.set(n, { zone: /** @type {Picked["zone"]} */ (zone) }))) : null,
      action.points && !all
        ? field("per", list([["", say("workshop.effect.once")], ...words(language.per)], effect.per ?? "", (per) => this.set(n, { per: /** @type {Picked["per"]} */ (per || null) })))
        : null,
      field(
        "who",
        list([["", say("workshop.effect.you")], ["they", say("workshop.effect.they")]], effect.opponent ? "they" : "", (who) =>
          this.set(n, { opponent: who === "they" }),
        ),
      ),
      field("first", number(effect.first, 0, language.most_turns, (first) => this.set(n, { first }))),
      field("turns", number(effect.turns, 1, language.most_turns, (turns) => this.set(n, { turns }))),
      field(
        "condition",
        list([["", say("workshop.effect.always")], ...words(language.conditions)], effect.condition ?? "", (wanted) =>
          this.set(n, { condition: /** @type {Picked["condition"]} */ (wanted || null), threshold: this.least(wanted) }, "condition"),
        ),
      ),
      condition?.counts
        ? field("threshold", number(effect.threshold, 0, language.most_threshold, (threshold) => this.set(n, { threshold })))
        : null,
      h(
        "button",
        { type: "button", class: "quiet take", "aria-label": say("workshop.effect.take", { n: n + 1 }), onclick: () => this.take(n) },
        "✕",
      ),
      h("p", { class: "wrong", role: "status" }),
    );
  }

  /** @param {string} condition */
  least(condition) {
    const counts = this.language.conditions.some((one) => one.key === condition && one.counts);
    return counts ? Math.min(THRESHOLD, this.language.most_threshold) : 0;
  }
}

/**
 * What of an effect is picked; the rest follows from it.
 * @param {Picked | CardEffect} effect
 */
function picked({ action, amount, per, zone, opponent, first, turns, condition, threshold }) {
  return /** @type {Picked} */ ({ action, amount, per, zone, opponent, first, turns, condition, threshold });
}

/**
 * The plainest effect of an action.
 * @param {ActionShown} action @returns {Picked}
 */
function usual({ action, counts, least, zones }) {
  const rest = { per: null, opponent: false, first: 0, turns: 1, condition: null, threshold: 0 };
  return { action, amount: counts ? Math.max(least, 1) : 0, zone: zones[0] ?? null, ...rest };
}

/** @param {string} name @param {number} n @param {HTMLElement} input */
function labelled(name, n, input) {
  input.id = `effect-${n}-${name}`;
  input.dataset.field = name;
  return h("div", { class: `pick pick-${name}` }, h("label", { for: input.id }, say(`workshop.effect.${name}`)), input);
}

/** @param {[string, string][]} options @param {string} chosen @param {(value: string) => void} act */
function list(options, chosen, act) {
  const select = h("select", null, options.map(([value, title]) => h("option", { value, selected: value === chosen }, title)));
  select.addEventListener("change", () => act(select.value));
  return select;
}

/** @param {number} value @param {number} min @param {number} max @param {(value: number) => void} act */
function number(value, min, max, act) {
  const input = h("input", { type: "number", inputmode: "numeric", min, max, value });
  input.addEventListener("input", () => input.value !== "" && act(Math.round(Number(input.value))));
  return input;
}

/** @param {string} title @param {boolean} on @param {(on: boolean) => void} act */
function tick(title, on, act) {
  const box = h("input", { type: "checkbox", checked: on, dataset: { field: "all" } });
  box.addEventListener("change", () => act(box.checked));
  return h("label", { class: "tick" }, box, title);
}
