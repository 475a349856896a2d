// @ts-check
// Choosing a deck, for a game that needs one: one's own, a ready one, one at random, or a code from the deck page.
import { ApiError, get, post } from "./api.js";
import { h } from "./dom.js";
import { savedDecks } from "./saved-decks.js";
import { ruleLink } from "./shell.js";
import { lang, say, sentence } from "./words.js";

/** @typedef {import("./wire").DeckShown} Deck */
/** @typedef {import("./wire").CheckedDeck} CheckedDeck */

const RANDOM = "random";
const BY_CODE = "code";
const SAVED = "saved:";
const PAUSE = 250; // milliseconds without a letter after which a code is looked at

/** @type {Promise<Deck[]> | null} */
let loading = null;

/** @returns {Promise<Deck[]>} */
function readyDecks() {
  // Without the list one can still take a deck by lot or by its code.
  loading ??= get("/api/decks").catch(() => []);
  return loading;
}

/**
 * @param {object} about
 * @param {string} about.label
 * @param {string} about.id of the form's field, and its name there
 * @param {string} [about.chosen] a ready deck's id, `saved:` with a name, `random`, or a code
 * @param {boolean} [about.core] ready and saved decks are of the core set: with other cards there are none
 */
export async function deckChoice({ label, id, chosen = "", core = true }) {
  return new DeckChoice(label, id, chosen, core ? await readyDecks() : [], core ? savedDecks() : []);
}

export class DeckChoice {
  /**
   * @param {string} label
   * @param {string} id
   * @param {string} chosen
   * @param {Deck[]} ready
   * @param {import("./saved-decks.js").SavedDeck[]} saved
   */
  constructor(label, id, chosen, ready, saved) {
    this.ready = ready;
    this.saved = saved;
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
  }

  options() {
    const group = (/** @type {string} */ label, /** @type {[string, string][]} */ options) =>
      options.length
        ? h(
            "optgroup",
            { label },
            options.map(([value, name]) => h("option", { value }, name)),
          )
        : null;
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
    ];
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
    if (ready) this.note.textContent = ready.description[lang];
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
    return post("/api/decks/check", own ? { cards: own.cards } : { code: this.code.value.trim() });
  }

  /** @param {CheckedDeck | null} told */
  show(told) {
    if (!told) return this.note.replaceChildren();
    const { works, ...sorts } = told.summary;
    const [fault] = told.faults;
    const what = `${say("decks.count", { n: sorts.cards })}: ${say("decks.sorts", sorts)}.`;
    const why = fault ? h("span", { class: "fault" }, sentence(fault.text)) : "";
    const rule = fault?.rule ? ["\u00a0", ruleLink(fault.rule)] : [];
    this.note.replaceChildren(sorts.cards ? `${what} ` : "", why, ...rule);
    // A deck of one's own has no code while it breaks a rule; what comes by a code may suit the house rules.
    if (fault && (!sorts.cards || this.select.value !== BY_CODE)) this.complain(sentence(fault.text));
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
    if (!value.startsWith(SAVED)) return value;
    const { code, faults } = await this.check();
    if (!code) throw new ApiError(422, faults[0]);
    return code;
  }
}
