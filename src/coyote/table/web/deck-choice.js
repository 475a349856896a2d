// @ts-check
// Choosing a deck, for a game that needs one: one's own, a ready one, one at random, or a code from the deck page.
import { ApiError, post } from "./api.js";
import { CORE, decksOf, setAsked } from "./card-set.js";
import { h } from "./dom.js";
import { savedDecks } from "./saved-decks.js";
import { ruleLink } from "./shell.js";
import { lang, say, sentence } from "./words.js";

/** @typedef {import("./wire").DeckShown} Deck */
/** @typedef {import("./card-set.js").CardSet} CardSet */
/** @typedef {Partial<Record<string, string | number | boolean>>} Options */
/** @typedef {import("./wire").CheckedDeck} CheckedDeck */

const RANDOM = "random";
const BY_CODE = "code";
const SAVED = "saved:";
const PAUSE = 250; // milliseconds without a letter after which a code is looked at

/** @type {Map<string, Promise<Deck[]>>} by the digests of their sets */
const loading = new Map();

/** @param {CardSet} set @returns {Promise<Deck[]>} */
function readyDecks(set) {
  // Without the list one can still take a deck by lot or by its code.
  const found = loading.get(set.digest) ?? decksOf(set).catch(() => []);
  loading.set(set.digest, found);
  return found;
}

/**
 * @param {object} about
 * @param {string} about.label
 * @param {string} about.id of the form's field, and its name there
 * @param {string} [about.chosen] a ready deck's id, `saved:` with a name, `random`, or a code
 * @param {CardSet} [about.set] whose cards are played with
 * @param {() => Options} [about.options] the house rules of the match
 */
export async function deckChoice({ label, id, chosen = "", set = CORE, options = () => ({}) }) {
  return new DeckChoice(label, id, chosen, set, options, await readyDecks(set));
}

export class DeckChoice {
  /**
   * @param {string} label
   * @param {string} id
   * @param {string} chosen
   * @param {CardSet} set
   * @param {() => Options} rules
   * @param {Deck[]} ready
   */
  constructor(label, id, chosen, set, rules, ready) {
    this.set = set;
    this.rules = rules;
    this.ready = ready;
    this.saved = savedDecks(set);
    this.timer = 0;
    this.asked = 0;
    this.note = h("p", { class: "note", id: `${id}-note`, role: "status" });
    this.code = h("input", {
      type: "text",
      id: `${id}-code`,
      placeholder: say("table.deck_code"),
      "aria-label": say("table.deck_code"),
      maxlength: 400,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    });
    this.select = h("select", { id, name: id, "aria-describedby": `${id}-note` }, this.options());
    this.select.addEventListener("change", () => this.tell());
    this.code.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.tell(), PAUSE);
    });
    this.element = h("div", { class: "field deck-choice" }, h("label", { for: id }, label), this.select, this.code, this.note);
    this.choose(chosen);
    // A deck that was just built on another page is there at once.
    addEventListener("storage", () => this.element.isConnected && this.refill());
  }

  refill() {
    const { value } = this.select;
    this.saved = savedDecks(this.set);
    this.select.replaceChildren(...this.options());
    this.choose(value === BY_CODE ? this.code.value : value);
  }

  /** @returns {HTMLElement[]} */
  options() {
    const group = (/** @type {string} */ label, /** @type {[string, string][]} */ options) =>
      options.length
        ? h(
            "optgroup",
            { label },
            options.map(([value, name]) => h("option", { value }, name)),
          )
        : [];
    return [
      group(
        say("decks.saved"),
        this.saved.map(({ name }) => [SAVED + name, name]),
      ),
      group(
        say("decks.ready"),
        this.ready.map((deck) => [deck.id, deck.name[lang]]),
      ),
      h("option", { value: RANDOM }, say("table.deck_random")),
      h("option", { value: BY_CODE }, say("table.deck_by_code")),
    ].flat();
  }

  /**
   * A deck that is known by a name is shown by it, also where only its code is given. Whoever has chosen nothing yet
   * gets the first ready deck.
   * @param {string} wanted
   */
  choose(wanted) {
    const own = this.saved.find(({ name, code }) => wanted === SAVED + name || wanted === code);
    const ready = this.ready.find(({ id, code }) => wanted === id || wanted === code);
    const gone = wanted.startsWith(SAVED) || !wanted;
    if (own) this.select.value = SAVED + own.name;
    else if (ready) this.select.value = ready.id;
    else if (gone || wanted === RANDOM) this.select.value = (gone && this.ready[0]?.id) || RANDOM;
    else this.select.value = BY_CODE;
    if (this.select.value === BY_CODE) this.code.value = wanted;
    this.tell();
  }

  /** What it is; where it cannot be played, why. */
  async tell() {
    clearTimeout(this.timer);
    const { value } = this.select;
    const byCode = value === BY_CODE;
    this.code.hidden = !byCode;
    this.code.required = byCode;
    this.complain("");
    const number = ++this.asked;
    const ready = this.ready.find((deck) => deck.id === value);
    if (ready && this.set.core && !Object.keys(this.rules()).length) this.note.textContent = ready.description[lang];
    else if (value === RANDOM) this.note.textContent = say("table.deck_random_note");
    else if (byCode && !this.code.value.trim()) this.note.textContent = say("table.deck_code_note");
    else {
      this.note.textContent = say("decks.looking");
      // Whether it can be played says the server once more when the game is asked for.
      const told = await this.check().catch(() => null);
      if (number === this.asked) this.show(told);
    }
  }

  /** @returns {Promise<CheckedDeck>} */
  check() {
    const own = this.saved.find(({ name }) => this.select.value === SAVED + name);
    const ready = this.ready.find(({ id }) => this.select.value === id);
    const cards = own?.cards ?? ready?.cards;
    const options = /** @type {Record<string, string | number | boolean>} */ (this.rules());
    return post("/api/decks/check", { ...(cards ? { cards } : { code: this.code.value.trim() }), ...setAsked(this.set), options });
  }

  /** @param {CheckedDeck | null} told */
  show(told) {
    if (!told) return this.note.replaceChildren();
    const { works, ...sorts } = told.summary;
    const [fault] = told.faults;
    const what = `${say("decks.count", { n: sorts.cards })}: ${say("decks.sorts", sorts)}.`;
    const why = fault ? h("span", { class: "fault" }, sentence(fault.text)) : "";
    const rule = fault?.rule ? ["\u00a0", ruleLink(fault.rule)] : [];
    const about = this.ready.find(({ id }) => this.select.value === id)?.description[lang];
    this.note.replaceChildren(about ? `${about} ` : "", sorts.cards ? `${what} ` : "", why, ...rule);
    if (fault) this.complain(sentence(fault.text));
  }

  /**
   * The form is not sent while something is wrong.
   * @param {string} text
   */
  complain(text) {
    const field = this.select.value === BY_CODE ? this.code : this.select;
    for (const one of [this.select, this.code]) one.setCustomValidity(one === field ? text : "");
  }

  /**
   * The deck as the server takes it.
   * @returns {Promise<string>}
   */
  async value() {
    const { value } = this.select;
    if (value === BY_CODE) return this.code.value.trim();
    // Only the ready decks of the core set are known by their names.
    if (value === RANDOM || (this.set.core && !value.startsWith(SAVED))) return value;
    const { code, faults } = await this.check();
    if (!code) throw new ApiError(422, faults[0]);
    return code;
  }
}
