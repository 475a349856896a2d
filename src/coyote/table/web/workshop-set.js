// @ts-check
// A set of one's own: its cards to write, its file, and what it is for.
import { ApiError, get, remove } from "./api.js";
import { cardFilter } from "./card-filter.js";
import { $, $$, h } from "./dom.js";
import { duelCard, loadCards, showCard, traitChips } from "./duel-card.js";
import { announce, confirmed, showError } from "./shell.js";
import { CardEditor, addCard } from "./workshop-card.js";
import { Draft } from "./workshop-draft.js";
import { FilePanel } from "./workshop-file.js";
import { WaysPanel, linkButton, playAddress } from "./workshop-ways.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").KeptSet} KeptSet */
/** @typedef {import("./duel-card.js").Card} Card */
/** @typedef {"cards" | "file" | "ways"} Tab */

const SIGHTS = ["private", "link", "listed"];

export class SetPage {
  name = h("input", { type: "text", id: "set-name", maxlength: 60, autocomplete: "off", onchange: () => this.rename() });
  about = h("textarea", { id: "set-about", rows: 2, maxlength: 600, onchange: () => this.describe() });
  sight = h(
    "select",
    { id: "set-sight", onchange: () => this.reveal() },
    SIGHTS.map((value) => h("option", { value }, say(`workshop.sight.${value}`))),
  );
  fresh = false;
  state = h("p", { class: "draft-state", role: "status" });
  otherName = h("p", { class: "note", hidden: true });
  list = h("ul", { class: "card-list" });
  count = h("span", { class: "note" });
  nothing = h("p", { class: "note nothing" }, say("workshop.nothing"));
  tabs = h(
    "nav",
    { class: "set-tabs", "aria-label": say("workshop.tab.label") },
    ["cards", "file", "ways"].map((tab) => h("a", { href: `#${tab}`, dataset: { tab } }, say(`workshop.tab.${tab}`))),
  );

  /** @param {HTMLElement} main @param {KeptSet} set @param {import("./wire").LanguageShown} language */
  constructor(main, set, language) {
    this.draft = new Draft(set);
    this.editor = new CardEditor(this.draft, language, (near) => this.openNear(near), () => this.gone());
    this.file = new FilePanel(this.draft);
    this.ways = new WaysPanel(this.draft, () => (location.hash = "#file"));
    this.link = linkButton(set.id);
    this.cards = h("section", { class: "cards-panel", "aria-label": say("workshop.tab.cards") }, this.listPanel(), this.editor.element, h("p", { class: "panel note choose-card" }, say("workshop.pick")));
    main.append(this.head(), this.tabs, this.cards, this.file.element, this.ways.element);
    this.name.value = set.name;
    this.about.value = set.about;
    this.sight.value = set.sight;
    this.link.hidden = set.sight === "private";
    this.draft.addEventListener("state", () => this.showState());
    this.draft.addEventListener("cards", () => this.looked());
    this.draft.addEventListener("renamed", () => this.showList());
    this.draft.addEventListener("added", () => {
      this.fresh = true;
      location.hash = `#card/${this.draft.cards.length}`;
    });
    addEventListener("hashchange", () => this.route());
  }

  async begin() {
    this.ways.show();
    this.showState();
    await this.draft.check();
    this.route();
  }

  // ------------------------------------------------------------ the parts of the page

  head() {
    const field = (/** @type {HTMLElement} */ input, /** @type {string} */ key, /** @type {HTMLElement[]} */ ...more) =>
      h("div", { class: "field" }, h("label", { for: input.id }, say(`workshop.set.${key}`)), input, ...more);
    return h(
      "header",
      { class: "set-head" },
      h("h1", { class: "visually-hidden" }, say("shell.workshop.title")),
      h("p", { class: "row way-back" }, h("a", { href: "/workshop" }, say("workshop.back")), this.state),
      h(
        "div",
        { class: "set-fields panel" },
        field(this.name, "name", this.otherName),
        field(this.sight, "sight", this.link),
        h(
          "div",
          { class: "row set-does" },
          h("button", { type: "button", class: "primary", onclick: () => this.play() }, say("workshop.play")),
          h("details", null, h("summary", { class: "button quiet" }, say("workshop.set.more")), this.more()),
        ),
      ),
    );
  }

  more() {
    return h(
      "div",
      { class: "set-more" },
      h("div", { class: "field" }, h("label", { for: "set-about" }, say("workshop.set.about")), this.about),
      h("button", { type: "button", class: "delete", onclick: () => this.delete() }, say("workshop.set.delete")),
    );
  }

  listPanel() {
    return h(
      "div",
      { class: "list-panel panel" },
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => this.add() }, say("workshop.card.add")),
        h("button", { type: "button", class: "quiet", onclick: () => this.chooseCore() }, say("workshop.card.core")),
      ),
      this.count,
      this.nothing,
      this.list,
    );
  }

  // ------------------------------------------------------------ what is shown

  /** The part that the address names: `#file`, `#ways`, or a card of the list, `#card/3`. */
  async route() {
    await this.editor.finish();
    const [kind, n] = location.hash.slice(1).split("/");
    if (kind === "main") return; // the way past the navigation
    const number = Number(n);
    const tab = /** @type {Tab} */ (["file", "ways"].includes(kind) ? kind : "cards");
    for (const link of $$("a", this.tabs)) link.dataset.tab === tab ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
    this.cards.hidden = tab !== "cards";
    this.file.element.hidden = tab !== "file";
    this.ways.element.hidden = tab !== "ways";
    if (tab === "file") this.file.show();
    if (tab === "ways") this.ways.show();
    if (tab === "cards" && this.draft.byHand) await this.draft.keepNow();
    const opened = tab === "cards" && number >= 1 && number <= this.draft.cards.length;
    this.cards.classList.toggle("card-open", opened);
    this.editor.element.hidden = !opened;
    if (opened) this.open(number - 1);
    else this.editor.n = -1;
    this.showList();
  }

  /** @param {number} n */
  open(n) {
    if (!this.draft.standsAlone(n)) {
      location.hash = "#file";
      this.file.point(this.draft.cards[n].first);
    } else if (this.editor.n !== n) {
      this.editor.open(n);
      if (matchMedia("(max-width: 800px)").matches) this.editor.element.scrollIntoView({ block: "start" });
      if (this.fresh) this.editor.text.area.focus({ preventScroll: true });
      this.fresh = false;
    }
  }

  looked() {
    const { cards, name, set } = this.draft;
    this.otherName.hidden = !cards.length || name === set.name;
    this.otherName.textContent = say("workshop.set.other_name", { name });
    if (this.editor.n >= cards.length) location.hash = "#cards";
    this.editor.blame();
    this.showList();
  }

  showList() {
    const { cards, faults } = this.draft;
    const bad = new Set(faults.map(({ line }) => cards.findIndex(({ first, last }) => line >= first && line <= last)));
    this.nothing.hidden = cards.length > 0;
    this.count.textContent = cards.length ? say("workshop.cards", { n: cards.length }) : "";
    this.list.replaceChildren(
      ...cards.map((card, n) =>
        h(
          "li",
          null,
          h(
            "a",
            {
              href: `#card/${n + 1}`,
              class: `${card.rarity}${!card.good || bad.has(n) ? " bad" : ""}`,
              "aria-current": n === this.editor.n ? "true" : null,
            },
            h("b", null, card.name[lang] || card.id || say("workshop.card.unnamed")),
            h("span", null, card.text),
            !card.good || bad.has(n) ? h("span", { class: "visually-hidden" }, say("workshop.card.bad")) : null,
          ),
        ),
      ),
    );
    $("[aria-current]", this.list)?.scrollIntoView({ block: "nearest" });
  }

  showState() {
    const { state, why } = this.draft;
    this.state.className = `draft-state ${state}`;
    this.state.replaceChildren(say(`workshop.state.${state}`), why && state !== "changed" ? ` ${why}` : "");
    if (state === "failed") this.state.append(this.choice("workshop.state.again", () => this.draft.keep()));
    if (state === "changed") {
      this.state.append(
        this.choice("workshop.state.theirs", () => this.settle(true)),
        this.choice("workshop.state.mine", () => this.settle(false)),
      );
    }
  }

  /** @param {string} key @param {() => void} act */
  choice(key, act) {
    return h("button", { type: "button", onclick: act }, say(key));
  }

  /** @param {boolean} theirs */
  async settle(theirs) {
    await this.draft.settle(theirs);
    this.name.value = this.draft.set.name;
    this.editor.n = -1;
    this.route();
  }

  // ------------------------------------------------------------ cards

  add() {
    const name = { ru: "", en: "" };
    addCard(this.draft, { id: "card", name, rarity: "common", text: "" });
  }

  gone() {
    location.hash = "#cards";
    this.route();
    announce(say("workshop.card.gone"));
  }

  /** @param {import("./wire").NearCard} near */
  async openNear({ id, set }) {
    if (set === "own") {
      const n = this.draft.cards.findIndex((card) => card.id === id);
      if (n >= 0) location.hash = `#card/${n + 1}`;
      return;
    }
    const card = (await loadCards()).get(id);
    if (card) this.showCore(card);
  }

  /** @param {Card} card */
  showCore(card) {
    const take = h(
      "button",
      { type: "button", class: "primary", onclick: () => this.copyCore(card) },
      say("workshop.core.copy"),
    );
    showCard(card, traitChips(card), take);
  }

  /** @param {Card} card */
  copyCore(card) {
    for (const dialog of $$("dialog")) /** @type {HTMLDialogElement} */ (dialog).close();
    const { id, name, text } = card;
    addCard(this.draft, { id, name, rarity: card.rarity === "rare" ? "rare" : "common", text: text[lang] });
  }

  /** All cards of the core set, to take one and change it. */
  async chooseCore() {
    const cards = await loadCards();
    const tiles = [...cards.values()].map((card) =>
      h("li", { dataset: { id: card.id } }, h("button", { type: "button", class: "core-card", onclick: () => this.copyCore(card) }, duelCard(card, { size: "gallery" }))),
    );
    const filter = cardFilter((matches) => {
      for (const tile of tiles) {
        const card = cards.get(tile.dataset.id ?? "");
        tile.hidden = !card || !matches(card);
      }
    });
    const dialog = h(
      "dialog",
      { class: "core-dialog", "aria-label": say("workshop.core.title"), onclose: () => dialog.remove() },
      h(
        "div",
        { class: "row core-head" },
        h("h2", null, say("workshop.core.title")),
        h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, say("duel.close")),
      ),
      filter,
      h("ul", { class: "card-grid" }, tiles),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  // ------------------------------------------------------------ the set itself

  async rename() {
    const name = this.name.value.trim();
    if (!name || !(await this.change({ name }))) this.name.value = this.draft.set.name;
    else await this.draft.check();
  }

  describe() {
    return this.change({ about: this.about.value });
  }

  async reveal() {
    const sight = /** @type {KeptSet["sight"]} */ (this.sight.value);
    if (!(await this.change({ sight }))) this.sight.value = this.draft.set.sight;
    this.link.hidden = this.sight.value === "private";
  }

  /** @param {Omit<import("./wire").ChangedSet, "revision">} changes */
  async change(changes) {
    const done = await this.draft.inTurn(() => this.draft.change(changes));
    // What is wrong with a name is no reason to keep the cards from being kept.
    if (this.draft.state === "failed") {
      showError(this.draft.why);
      this.draft.tell(this.draft.text === this.draft.kept ? "saved" : "waiting");
    }
    return done;
  }

  /** Whoever plays with a set plays with a version of it. */
  async play() {
    const made = await this.ways.publish();
    if (made) location.assign(playAddress(made.digest));
  }

  async delete() {
    const { id, name } = this.draft.set;
    if (!(await confirmed(say("workshop.set.delete_sure", { name }), say("workshop.delete")))) return;
    try {
      await remove("/api/sets/{id}", { id });
      this.draft.kept = this.draft.text;
      location.assign("/workshop");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    }
  }
}

/** All that effects can be picked from. */
export function loadLanguage() {
  return get("/api/workshop/language");
}
