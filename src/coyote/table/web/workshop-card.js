// @ts-check
// One card of a set: what it is called, its text or its effects, and beside it all that follows from them. The text and
// the lists show each other: whatever was changed last, the server says it in the other way.
import { ApiError, post } from "./api.js";
import { h } from "./dom.js";
import { confirmed, showError } from "./shell.js";
import { EffectLists } from "./workshop-effects.js";
import { CardShownBeside } from "./workshop-shown.js";
import { CardTextField } from "./workshop-text.js";
import { WeighBox } from "./workshop-weigh.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").CardRead} CardRead */
/** @typedef {import("./wire").NearCard} NearCard */
/** @typedef {import("./workshop-draft.js").Draft} Draft */
/** @typedef {"common" | "rare"} Rarity */

const PAUSE = 140; // milliseconds without a change after which the server is asked
const LANGS = /** @type {const} */ (["ru", "en"]);
const NEW_KEY = /^card(-\d+)?$/; // of a card that nobody has named yet

export class CardEditor {
  id = h("input", { type: "text", id: "card-id", maxlength: 40, autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  names = LANGS.map((one) => h("input", { type: "text", id: `name-${one}`, lang: one, maxlength: 60, autocomplete: "off" }));
  rarity = h(
    "select",
    { id: "card-rarity" },
    ["common", "rare"].map((value) => h("option", { value }, say(`duel.rarity.${value}`))),
  );
  text = new CardTextField(() => this.changed("text"), () => this.soon());
  wrong = h("ul", { class: "card-faults" });
  /** @type {CardRead | null} */
  read = null;
  n = -1;
  turn = 0;
  timer = 0;
  /** Whether something was changed that the set does not have yet. */
  keeps = false;
  /** @type {"text" | "lists"} what was changed last */
  by = "text";
  /** Whether the key is made from the English name: that of a new card, until somebody writes another. */
  named = false;

  /**
   * @param {Draft} draft
   * @param {import("./wire").LanguageShown} language
   * @param {(near: NearCard) => void} onNear
   * @param {() => void} onGone
   */
  constructor(draft, language, onNear, onGone) {
    this.draft = draft;
    this.onGone = onGone;
    this.lists = new EffectLists(language, () => this.changed("lists"));
    this.shown = new CardShownBeside(() => this.swap(), onNear);
    this.weigh = new WeighBox(say("workshop.weigh.card"), () => this.question());
    this.id.addEventListener("input", () => (this.named = false));
    this.names[LANGS.indexOf("en")].addEventListener("input", () => this.nameKey());
    for (const input of [this.id, ...this.names, this.rarity]) input.addEventListener("input", () => this.changed("name"));
    this.shown.about.append(
      h("section", null, h("h2", null, say("workshop.weigh.title")), h("p", { class: "note" }, say("workshop.weigh.lead")), this.weigh.element),
    );
    this.element = h("div", { class: "card-editor" }, this.form(), this.shown.element);
  }

  form() {
    const field = (/** @type {string} */ name, /** @type {HTMLElement} */ input) =>
      h("div", { class: `field field-${name}` }, h("label", { for: input.id }, say(`workshop.card.${name}`)), input);
    return h(
      "form",
      { class: "card-form panel", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      h("a", { class: "all-cards", href: "#cards" }, say("workshop.card.all")),
      this.text.element,
      h(
        "div",
        { class: "card-names" },
        LANGS.map((one, at) => field(`name_${one}`, this.names[at])),
        field("id", this.id),
        field("rarity", this.rarity),
      ),
      h("div", { role: "status" }, this.wrong),
      h("details", { class: "by-lists", open: matchMedia("(min-width: 801px)").matches }, h("summary", null, say("workshop.lists")), this.lists.element),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "quiet", onclick: () => this.copy() }, say("workshop.card.copy")),
        h("button", { type: "button", class: "quiet", onclick: () => this.take() }, say("workshop.card.take")),
      ),
    );
  }

  /** @param {number} n its place in the set */
  open(n) {
    this.weigh.stop();
    clearTimeout(this.timer);
    this.keeps = false;
    this.n = n;
    this.read = null;
    this.by = "text";
    const card = this.draft.cards[n];
    this.id.value = card.id;
    this.named = NEW_KEY.test(card.id);
    LANGS.forEach((one, at) => (this.names[at].value = card.name[one]));
    this.rarity.value = card.rarity === "rare" ? "rare" : "common";
    this.shown.clear();
    this.text.write(card.text);
    this.lists.show({ auto: false, super: false, effects: [] });
    this.blame();
    this.ask();
  }

  /** What the file says besides the text: an id that is taken, a name that is missing. */
  blame() {
    const { cards, faults } = this.draft;
    const card = cards[this.n];
    const own = card ? faults.filter(({ line, code }) => line >= card.first && line <= card.last && code !== "set.text") : [];
    this.wrong.replaceChildren(...own.map(({ text }) => h("li", null, text)));
  }

  nameKey() {
    const key = this.names[LANGS.indexOf("en")].value.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 36).replace(/^-|-$/g, "");
    if (this.named && key) this.id.value = this.draft.freeId(key, this.n);
  }

  // ------------------------------------------------------------ asking the server

  /** @param {"text" | "lists" | "name"} what */
  changed(what) {
    if (what !== "name") this.by = what;
    this.turn += 1; // an answer that is still on its way is to what stood here before
    this.weigh.stop();
    this.draft.tell("waiting");
    this.soon(true);
  }

  soon(keeps = false) {
    this.keeps ||= keeps;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  about() {
    const name = { ru: this.names[0].value, en: this.names[1].value };
    const rarity = /** @type {Rarity} */ (this.rarity.value);
    return { id: this.id.value.trim(), name, rarity, set: this.draft.set.id };
  }

  /** What was changed is read and kept, before another card is shown or none. */
  async finish() {
    for (let asked = 0; this.keeps && asked < 2; asked += 1) await this.ask(); // lists are said as a text first
    this.keeps = false;
  }

  async ask() {
    clearTimeout(this.timer);
    const turn = ++this.turn;
    const { n, by } = this;
    try {
      const read = await this.draft.inTurn(async () => {
        if (turn !== this.turn) return null;
        this.text.asked = this.text.at;
        if (by === "lists") return post("/api/workshop/effects", { ...this.about(), ...this.lists.card });
        return post("/api/workshop/card", { ...this.about(), text: this.text.text, at: this.text.at, lang });
      });
      // Only the answer to the last question counts.
      if (read && turn === this.turn && n === this.n) this.taken(read, by);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    }
  }

  /** @param {CardRead} read @param {"text" | "lists"} by */
  taken(read, by) {
    const spoken = this.read?.lang ?? lang;
    this.shown.show(read);
    if (by === "lists") {
      this.lists.blame(read.faults);
      if (!read.card) return; // there is no text that says it
      // In the language in which the card was written.
      if (this.text.text !== read.card.text[spoken]) this.text.write(read.card.text[spoken]);
      this.by = "text";
      this.soon();
      return;
    }
    this.read = read;
    this.text.area.lang = read.lang;
    this.text.show(read.faults, read.completions);
    if (read.card) this.lists.show(read.card);
    this.lists.element.classList.toggle("stale", !read.card);
    if (read.card) this.lists.blame([]);
    if (this.keeps) this.keep(read);
  }

  /** @param {CardRead} read */
  keep(read) {
    this.keeps = false;
    if (this.draft.byHand) return; // the file was changed as a whole meanwhile
    const { id, name, rarity } = this.about();
    this.draft.replace(this.n, read.stanza, { id, name, rarity, text: read.text, good: read.card !== null });
    this.draft.dispatchEvent(new Event("renamed"));
  }

  // ------------------------------------------------------------ what can be done with it

  /** The same card, written in the other language. */
  swap() {
    const { read } = this;
    if (!read?.card) return;
    this.text.write(read.card.text[read.lang === "ru" ? "en" : "ru"]);
    this.changed("text");
  }

  /** @returns {Promise<import("./wire").Weigh | null>} */
  async question() {
    const { text } = this.text;
    if (!this.read?.card || this.read.text !== text) return null;
    const { set } = this.draft;
    const { id, rarity } = this.about();
    return { card: { text, id, rarity, set: set.decks.length ? set.latest?.digest ?? null : null } };
  }

  async copy() {
    const { name, rarity } = this.about();
    await addCard(this.draft, { id: this.id.value.trim(), name, rarity, text: this.text.text });
  }

  async take() {
    const name = this.names[LANGS.indexOf(lang)].value || this.id.value;
    if (!(await confirmed(say("workshop.card.take_sure", { name }), say("workshop.card.take")))) return;
    clearTimeout(this.timer);
    this.turn += 1;
    this.keeps = false;
    this.draft.take(this.n);
    this.onGone();
  }
}

/**
 * One more card of a set; the server writes it.
 * @param {Draft} draft
 * @param {{id: string, name: Record<"en" | "ru", string>, rarity: Rarity, text: string}} card
 */
export async function addCard(draft, card) {
  const told = { ...card, id: draft.freeId(card.id) };
  try {
    const { stanza } = await draft.inTurn(() => post("/api/workshop/card", told));
    draft.add(stanza, told);
    draft.dispatchEvent(new Event("added"));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showError(error.text);
  }
}
