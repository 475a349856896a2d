// @ts-check
// Everything that can be printed: cards of any set or deck, the deck of Madness, the rules of a game on one page.
// What is chosen stands in the address, so that it can be sent around.
import { get, post } from "./api.js";
import { CORE } from "./card-set.js";
import { allKinds, titleOf } from "./catalog.js";
import { h, $, $$ } from "./dom.js";
import { readList } from "./print-list.js";
import { PLAYING_CARDS, fitText, printedBack, printedCard, printedPlayingBack, printedPlayingCard } from "./print-card.js";
import { fitPage, rulesSheet } from "./print-rules.js";
import { cardSheets, leaf, overLongEdge, plainPlan, plan, takePaper } from "./print-sheet.js";
import { hasRulesCard } from "./rules-card.js";
import { decksOfOtherSets, savedDecks } from "./saved-decks.js";
import { announce, ready, showError, startPage } from "./shell.js";
import { lang, line, loadSpeech, say } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */
/** @typedef {import("./wire").Lang} Lang */
/** @typedef {import("./wire").SetShown} SetShown */
/** @typedef {{set: SetShown, cards: Card[]}} Chosen cards of a set, each as often as it is wanted */
/** @typedef {import("./print-sheet.js").Look} Look */
/** @typedef {{fronts: HTMLElement[], back: HTMLElement} | {pages: HTMLElement[]}} Printed */

const TICKS = ["marks", "bleed", "backs", "saving"];
const MOST_COPIES = 9;
const MOST_CARDS = 1000;
const PAUSE = 200; // milliseconds without a change after which sheets are drawn anew

class PrintPage {
  asked = new URLSearchParams(location.search);
  what = h("select", { id: "what" });
  code = h("input", { type: "text", id: "code", autocomplete: "off", spellcheck: "false" });
  list = h("textarea", { id: "list", rows: 3, spellcheck: "false", placeholder: say("print.list_hint") });
  paper = choice("paper", ["a4", "letter"]);
  langs = choice("langs", ["ru", "en", "both"]);
  copies = h("input", { type: "number", id: "copies", min: 1, max: MOST_COPIES, value: 1 });
  ticks = TICKS.map((name) => h("input", { type: "checkbox", id: name }));
  told = h("p", { class: "told", role: "status" });
  wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  how = h("p", { class: "note how" });
  go = h("button", { type: "button", class: "primary go", onclick: () => print() }, say("print.go"));
  leaves = h("div", { class: "leaves", "aria-label": say("print.preview"), role: "region" });
  timer = 0;
  turn = 0;

  /** @param {HTMLElement} main @param {import("./wire").DeckShown[]} decks */
  constructor(main, decks) {
    this.decks = decks;
    this.fillWhat();
    this.fill();
    main.classList.add("printing");
    main.append(
      h("h1", null, say("print.title")),
      h("p", { class: "note" }, say("print.lead")),
      h("div", { class: "print-page" }, this.form(), this.leaves),
    );
    this.showFields();
    new ResizeObserver(() => this.scale()).observe(this.leaves);
    this.draw();
  }

  // ------------------------------------------------------------ the form

  form() {
    const changed = () => this.changed();
    const field = (/** @type {HTMLElement} */ input) =>
      h("div", { class: "field" }, h("label", { for: input.id }, say(`print.${input.id}`)), input);
    return h(
      "form",
      { class: "print-form panel", oninput: changed, onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      field(this.what),
      field(this.code),
      h("div", { class: "pair" }, field(this.paper), field(this.langs)),
      field(this.list),
      field(this.copies),
      this.ticks.map((tick) => h("label", { class: "tick" }, tick, h("span", null, say(`print.${tick.id}`)))),
      this.go,
      this.told,
      this.wrong,
      this.how,
    );
  }

  fillWhat() {
    const option = (/** @type {string} */ value, /** @type {string} */ words) => h("option", { value }, words);
    const group = (/** @type {string} */ key, /** @type {HTMLElement[]} */ options) =>
      options.length ? h("optgroup", { label: say(`print.group.${key}`) }, options) : "";
    const set = this.asked.get("set");
    this.what.append(
      group("cards", [
        option("core", say("print.core")),
        ...(set ? [option(`set:${set}`, say("print.set", { digest: set.slice(0, 6) }))] : []),
      ]),
      group("saved", [
        ...savedDecks(CORE).map(({ name }) => option(`saved:${name}`, name)),
        ...decksOfOtherSets().map(({ name, set, code }) => option(`coded:${code}`, line(name, set))),
      ]),
      group("decks", [
        ...this.decks.map((deck) => option(`deck:${deck.id}`, deck.name[lang])),
        option("code", say("print.by_code")),
      ]),
      group("playing", [option("playing", say("print.playing"))]),
      group(
        "rules",
        allKinds()
          .filter((kind) => hasRulesCard(kind.game.name))
          .map(({ id, game, edition }) => option(`rules:${id}`, line(titleOf(game), ...(edition ? [titleOf(edition)] : [])))),
      ),
    );
  }

  /** What the address says; else what is usual where the reader is. */
  fill() {
    const { asked } = this;
    const what = asked.get("what") ?? (asked.has("code") ? "code" : asked.has("set") ? `set:${asked.get("set")}` : "core");
    choose(this.what, what);
    choose(this.paper, asked.get("paper") ?? (/-(US|CA|MX)$/.test(navigator.language) ? "letter" : "a4"));
    choose(this.langs, asked.get("langs") ?? lang);
    this.code.value = asked.get("code") ?? "";
    this.list.value = asked.get("list") ?? "";
    this.copies.value = asked.get("copies") ?? "1";
    for (const tick of this.ticks) tick.checked = (asked.get(tick.id) ?? (tick.id === "marks" ? "yes" : "")) === "yes";
  }

  showFields() {
    const [kind] = this.what.value.split(":");
    const hide = (/** @type {HTMLElement} */ input, /** @type {boolean} */ hidden) => {
      const box = input.closest(".field, .tick");
      if (box instanceof HTMLElement) box.hidden = hidden;
    };
    hide(this.code, kind !== "code");
    hide(this.list, kind !== "core" && kind !== "set");
    for (const input of [this.copies, ...this.ticks.filter((tick) => tick.id !== "saving")]) hide(input, kind === "rules");
  }

  changed() {
    this.showFields();
    this.keep();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), PAUSE);
  }

  /** In the address stands what is not usual. */
  keep() {
    const [kind, digest] = this.what.value.split(":");
    const told = {
      what: ["core", "code", "set"].includes(kind) ? "" : this.what.value,
      set: kind === "set" ? digest : "",
      code: kind === "code" ? this.code.value.trim() : "",
      list: this.list.value.trim(),
      paper: this.paper.value,
      langs: this.langs.value === lang ? "" : this.langs.value,
      copies: this.copies.value === "1" ? "" : this.copies.value,
      ...Object.fromEntries(this.ticks.map(({ id, checked }) => [id, checked === (id === "marks") ? "" : checked ? "yes" : "no"])),
    };
    const kept = new URLSearchParams(Object.entries(told).filter(([, value]) => value));
    history.replaceState(null, "", `${location.pathname}?${kept}`);
  }

  /** @returns {Look} */
  look() {
    const [marks, bleed, backs, saving] = this.ticks.map((tick) => tick.checked);
    return { paper: this.paper.value === "letter" ? "letter" : "a4", marks, bleed, backs, saving };
  }

  /** @returns {Lang[]} */
  spoken() {
    const { value } = this.langs;
    if (value === "both") return lang === "ru" ? ["ru", "en"] : ["en", "ru"];
    return [value === "ru" ? "ru" : "en"];
  }

  // ------------------------------------------------------------ the sheets

  /** Only what was asked for last is shown. */
  async draw() {
    const turn = ++this.turn;
    this.leaves.setAttribute("aria-busy", "true");
    this.complain("");
    try {
      const printed = await this.printed();
      if (turn === this.turn) this.show(printed);
    } catch (error) {
      if (turn !== this.turn) return;
      this.leaves.replaceChildren();
      this.told.textContent = "";
      this.how.textContent = "";
      this.go.disabled = true;
      this.complain(/** @type {Error} */ (error).message);
    } finally {
      if (turn === this.turn) this.leaves.removeAttribute("aria-busy");
    }
  }

  /** @returns {Promise<Printed>} */
  async printed() {
    const [kind, ...rest] = this.what.value.split(":");
    const id = rest.join(":");
    const speeches = await Promise.all(this.spoken().map(loadSpeech));
    if (kind === "rules") {
      const chosen = allKinds().find((one) => one.id === id) ?? allKinds()[0];
      return { pages: speeches.map((speech) => rulesSheet(chosen, speech)) };
    }
    if (kind === "playing") {
      const fronts = this.copied(PLAYING_CARDS).map((name) => printedPlayingCard(name, speeches));
      return { fronts, back: printedPlayingBack() };
    }
    const { cards, set } = await this.chosenCards(kind, id);
    const foot = set.core ? speeches[0].say("print.foot") : set.set;
    const fronts = this.copied(cards).map((card) => printedCard(card, this.spoken(), foot));
    return { fronts, back: printedBack() };
  }

  /**
   * @template T
   * @param {T[]} listed
   */
  copied(listed) {
    const copies = Math.max(1, Math.min(MOST_COPIES, Math.round(Number(this.copies.value)) || 1));
    return listed.flatMap((one) => Array(copies).fill(one)).slice(0, MOST_CARDS);
  }

  /**
   * @param {string} kind @param {string} id
   * @returns {Promise<Chosen>}
   */
  async chosenCards(kind, id) {
    if (kind === "set") return this.listed(await get("/api/card-sets/{digest}", { digest: id }));
    const core = await get("/api/cards");
    if (kind === "deck") return known(core, this.decks.find((deck) => deck.id === id)?.cards ?? []);
    if (kind === "saved") return known(core, savedDecks(CORE).find((deck) => deck.name === id)?.cards ?? []);
    if (kind === "code") return this.decoded(core, this.code.value.trim());
    if (kind === "coded") return this.decoded(core, id);
    return this.listed(core);
  }

  /**
   * A code names the set that its deck was built from.
   * @param {SetShown} core @param {string} code
   */
  async decoded(core, code) {
    const told = await post("/api/decks/check", { code });
    if (!told.cards.length) throw new Error(told.faults[0].text);
    return known(told.set === core.digest ? core : await get("/api/card-sets/{digest}", { digest: told.set }), told.cards);
  }

  /**
   * The whole set, or what the list says.
   * @param {SetShown} set
   * @returns {Chosen}
   */
  listed(set) {
    const text = this.list.value.trim();
    if (!text) return { set, cards: set.cards };
    const found = readList(text, set.cards);
    if (found.unknown.length) this.complain(say("print.unknown", { names: found.unknown.join(", ") }));
    return { set, cards: found.cards };
  }

  /** @param {Printed} printed */
  show(printed) {
    const look = this.look();
    const cards = "fronts" in printed ? printed.fronts.length : 0;
    const sheet = "fronts" in printed ? plan(look) : plainPlan(look);
    takePaper(sheet);
    this.leaves.replaceChildren(
      ...("fronts" in printed
        ? cardSheets(printed.fronts, printed.back, look)
        : printed.pages.map((page) => leaf(sheet, look, "text", [page]))),
    );
    this.scale();
    $$(".cut", this.leaves).forEach(fitText);
    $$(".rules-sheet", this.leaves).forEach(fitPage);
    const pages = say("print.pages", { n: this.leaves.children.length });
    this.told.textContent = cards ? line(say("print.count", { n: cards }), pages) : pages;
    this.how.textContent = [
      say("print.how"),
      ...(cards && look.backs ? [say(overLongEdge(sheet) ? "print.long_edge" : "print.short_edge")] : []),
    ].join(" ");
    this.go.disabled = !this.leaves.children.length;
    announce(this.told.textContent);
  }

  /** A sheet is shown in full, and no larger than it is. */
  scale() {
    const first = $(".leaf", this.leaves);
    if (!first) return;
    const wide = (Number(first.style.getPropertyValue("--paper-w")) * 96) / 25.4;
    const room = this.leaves.clientWidth;
    this.leaves.style.setProperty("--shown", String(Math.min(1, room / wide)));
  }

  /** @param {string} text */
  complain(text) {
    this.wrong.textContent = text;
    this.wrong.hidden = !text;
  }
}

/** @param {SetShown} set @param {string[]} ids @returns {Chosen} */
function known(set, ids) {
  const cards = new Map(set.cards.map((card) => [card.id, card]));
  return { set, cards: ids.flatMap((id) => cards.get(id) ?? []) };
}

/** @param {string} name @param {string[]} values */
function choice(name, values) {
  return h(
    "select",
    { id: name },
    values.map((value) => h("option", { value }, say(`print.${name}_${value}`))),
  );
}

/** @param {HTMLSelectElement} select @param {string} value what it shows if it has it */
function choose(select, value) {
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

await ready();
const { main } = startPage({ title: say("print.title") });
try {
  new PrintPage(main, await get("/api/decks"));
} catch (error) {
  showError(/** @type {Error} */ (error).message);
}
