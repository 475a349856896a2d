// @ts-check
// House rules: everything that a game's edition lets one change, in plain words, with the way back to the edition.
import { withQuery } from "./card-set.js";
import { titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { announce, ruleLink } from "./shell.js";
import { lang, say } from "./words.js";

/** @typedef {import("./catalog.js").Option} Option */
/** @typedef {import("./catalog.js").Kind} Kind */
/** @typedef {string | number} Value */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

/** @param {Option} option */
const isSwitch = (option) => option.kind === "choice" && [...option.choices].sort().join() === "no,yes";

/** @param {Kind} kind @param {Option} option @returns {Value} the value that the edition has */
const usual = ({ edition }, option) => option.values[edition?.name ?? ""];

/** @param {Option} option @param {Value | boolean | undefined} value as people say it */
export function optionValue(option, value) {
  return option.choice_titles[String(value)]?.[lang] ?? String(value);
}

/** @param {Option} option @param {Value | boolean | undefined} value */
export function optionLine(option, value) {
  return `${titleOf(option)}: ${optionValue(option, value)}`;
}

/** One option: its words, what it is set to, and the way back. */
class Row {
  /** @param {Option} option @param {Value} usual @param {boolean} edition whether the game has editions */
  constructor(option, usual, edition) {
    this.option = option;
    this.usual = usual;
    this.id = `house-${option.name}`;
    /** @type {Control} */
    this.control = this.makeControl();
    this.undo = h(
      "button",
      {
        type: "button",
        class: "quiet undo",
        title: say("house.back"),
        "aria-label": this.backTo(),
        onclick: () => this.reset(),
      },
      "↺",
    );
    this.element = h(
      "div",
      { class: `house-row ${isSwitch(option) ? "switch" : option.kind}`, dataset: { option: option.name } },
      h("div", { class: "house-title" }, h("label", { for: this.id }, titleOf(option))),
      h("div", { class: "house-control" }, this.undo, option.kind === "number" ? this.stepper() : this.control),
      h(
        "p",
        { class: "note", id: `${this.id}-about` },
        option.about[lang],
        "\u00a0",
        ruleLink(option.rule),
        h(
          "span",
          { class: "usual" },
          this.bounds(),
          say(edition ? "house.in_edition" : "house.usually", { value: this.shown(usual) }),
        ),
      ),
    );
    this.set(usual);
    this.element.addEventListener("input", () => this.mark());
    this.control.addEventListener("blur", () => this.control.value === "" && this.set(usual));
  }

  makeControl() {
    const { option, id } = this;
    const about = { id, "aria-describedby": `${id}-about` };
    if (isSwitch(option)) return h("input", { ...about, type: "checkbox", role: "switch" });
    if (option.kind === "choice")
      return h(
        "select",
        about,
        option.choices.map((one) => h("option", { value: one }, this.shown(one))),
      );
    return h("input", {
      ...about,
      type: "number",
      min: option.least,
      max: option.most,
      step: 1,
      required: true,
      inputmode: "numeric",
      autocomplete: "off",
    });
  }

  /** For fingers; who has keys has the arrows in the field itself. */
  stepper() {
    const step = (/** @type {string} */ sign, /** @type {number} */ by) =>
      h(
        "button",
        { type: "button", class: "step", tabindex: "-1", "aria-hidden": "true", onclick: () => this.step(by) },
        sign,
      );
    return h("span", { class: "stepper" }, step("−", -1), this.control, step("+", 1));
  }

  bounds() {
    const { least, most } = this.option;
    return this.option.kind !== "number" || least === null || most === null
      ? ""
      : `${say("house.bounds", { least, most })} · `;
  }

  backTo() {
    return say("house.back_to", { title: titleOf(this.option), value: this.shown(this.usual) });
  }

  /** @param {number} by */
  step(by) {
    const { least, most } = this.option;
    const wanted = Number(this.value) + by;
    this.set(Math.max(least ?? wanted, Math.min(most ?? wanted, wanted)));
    this.tell();
  }

  reset() {
    this.set(this.usual);
    this.control.focus();
    this.tell();
  }

  /** As if it had been typed. */
  tell() {
    this.control.dispatchEvent(new Event("input", { bubbles: true }));
    this.control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** @param {Value} value */
  set(value) {
    if (isSwitch(this.option) && this.control instanceof HTMLInputElement) this.control.checked = value === "yes";
    else this.control.value = String(value);
    this.mark();
  }

  /**
   * What a link or the last time has for it, if it can be had: they may be of another version of the program.
   * @param {Value | undefined} value
   */
  take(value) {
    const { kind, choices } = this.option;
    const fits = kind === "choice" ? choices.includes(String(value)) : /^\d+$/.test(String(value));
    if (value !== undefined && fits) this.set(value);
  }

  /** @returns {Value} */
  get value() {
    const { control, option } = this;
    if (isSwitch(option) && control instanceof HTMLInputElement) return control.checked ? "yes" : "no";
    if (option.kind === "choice") return control.value;
    return control.value === "" ? this.usual : Number(control.value);
  }

  get differs() {
    return String(this.value) !== String(this.usual);
  }

  mark() {
    this.element.classList.toggle("changed", this.differs);
    this.undo.hidden = !this.differs;
  }

  /** @param {Value} value */
  shown(value) {
    return optionValue(this.option, value);
  }

  /** In a few words, for the line that is there when the rest is closed. */
  get summary() {
    return optionLine(this.option, this.value);
  }
}

export class HouseRules {
  /** @param {boolean} [named] whether those with a name, and the way to them, are offered, too */
  constructor(named = true) {
    /** @type {Row[]} */
    this.rows = [];
    /** @type {Kind | null} */
    this.kind = null;
    this.told = h("span", { class: "told" });
    this.list = h("div", { class: "house-rows" });
    this.allBack = h("button", { type: "button", onclick: () => this.reset() }, say("house.all_back"));
    this.keep = h("a", { class: "button quiet keep-rules" }, say("variants.keep"));
    this.element = h(
      "details",
      { class: "more-choices house" },
      h("summary", null, h("span", null, say("house.title")), this.told),
      h("p", { class: "note" }, say("house.about")),
      this.list,
      h(
        "div",
        { class: "row house-ways" },
        this.allBack,
        ...(named ? [this.keep, h("a", { class: "button quiet", href: "/rules/variants" }, say("variants.others"))] : []),
      ),
    );
    this.element.addEventListener("input", () => this.tell());
  }

  /**
   * The options of a game and its edition.
   * @param {Kind} kind
   * @param {Record<string, Value>} given what is to be different from it
   */
  show(kind, given) {
    this.kind = kind;
    this.rows = kind.game.options.map((option) => new Row(option, usual(kind, option), kind.edition !== null));
    for (const row of this.rows) row.take(given[row.option.name]);
    this.list.replaceChildren(...this.rows.map((row) => row.element));
    this.element.hidden = !this.rows.length;
    this.tell();
  }

  /**
   * What is different from the edition.
   * @returns {Record<string, Value>}
   */
  values() {
    return Object.fromEntries(this.rows.filter((row) => row.differs).map((row) => [row.option.name, row.value]));
  }

  /** The game and all that is settled about it, as addresses have it. */
  settled() {
    const { game, edition } = this.kind ?? {};
    return { game: game?.name ?? "", ...(edition ? { edition: edition.name } : {}), ...this.values() };
  }

  reset() {
    for (const row of this.rows) row.set(row.usual);
    this.rows[0]?.tell();
    announce(this.told.textContent ?? "");
  }

  tell() {
    const changed = this.rows.filter((row) => row.differs);
    const unchanged = say(this.kind?.edition ? "house.as_edition" : "house.as_usual");
    this.told.textContent = changed.length ? changed.map((row) => row.summary).join(" · ") : unchanged;
    this.element.classList.toggle("changed", changed.length > 0);
    this.allBack.disabled = changed.length === 0;
    this.keep.hidden = changed.length === 0;
    this.keep.href = withQuery("/rules/variants", { ...this.settled(), new: "yes" });
  }
}
