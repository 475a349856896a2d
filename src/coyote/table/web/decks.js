// @ts-check
// The deck builder, for any set: `/decks?set=DIGEST`, and with the names of house rules by these. Which decks are legal
// only the server knows (D19): every change is checked there.
import { get, isGuest, post, put } from "./api.js";
import { cardFilter } from "./card-filter.js";
import { CORE, decksAddress, decksOf, loadSet, setAsked, setTitle, withQuery } from "./card-set.js";
import { allGames } from "./catalog.js";
import { copyText } from "./clipboard.js";
import { deckChart } from "./deck-chart.js";
import { $, $$, h } from "./dom.js";
import { cardName, cardText, duelCard, icon, showCard, strangeCard, traitChips } from "./duel-card.js";
import { optionLine } from "./house-rules.js";
import { deleteDeck, draft, keepDraft, saveDeck, savedDecks } from "./saved-decks.js";
import { SetChoice } from "./set-choice.js";
import { announce, confirmed, ready, ruleLink, showError, startPage } from "./shell.js";
import { lang, say, sentence } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */
/** @typedef {import("./card-set.js").CardSet} CardSet */
/** @typedef {import("./wire").CheckedDeck} CheckedDeck */
/** @typedef {Record<string, string | number>} Options house rules, by their names */

const PAUSE = 150; // milliseconds without a change after which the server is asked

class DeckPage {
  start = h("select", { id: "deck-start", onchange: () => this.startFrom(this.start.value) });
  codeIn = h("input", { type: "text", id: "code-in", autocomplete: "off", spellcheck: "false" });
  name = h("input", { type: "text", id: "deck-name", maxlength: 60, autocomplete: "off", oninput: () => this.keep() });
  told = h("p", { class: "note", role: "status", hidden: true });
  count = h("p", { class: "deck-count" });
  verdict = h("div", { class: "verdict", role: "status" });
  list = h("ul", { class: "deck-list" });
  codeOut = h("input", { type: "text", id: "code-out", readonly: true, onfocus: () => this.codeOut.select() });
  noCode = h("p", { class: "note", hidden: true }, say("decks.no_code"));
  copy = h("button", { type: "button", onclick: () => this.copyCode() }, say("decks.copy"));
  play = h("a", { class: "button primary play-link", hidden: true }, say(room ? "decks.sit" : "decks.play"));
  give = h("button", { type: "button", hidden: true, onclick: () => this.giveToSet() }, say("decks.give"));
  paper = h("a", { class: "button quiet print-link", hidden: true }, say("print.link_deck"));
  remove = h(
    "button",
    { type: "button", class: "quiet", hidden: true, onclick: () => this.deleteSaved() },
    say("decks.delete"),
  );
  chart = h("div", { class: "chart" });
  dealt = h("div", { class: "dealt" });
  deal = h("button", { type: "button", onclick: () => this.dealHand() }, say("decks.deal"));
  jump = h("a", { class: "jump", href: "#deck" });

  /**
   * @param {HTMLElement} main
   * @param {CardSet} set
   * @param {Card[]} cards
   * @param {import("./wire").DeckShown[]} ready
   * @param {Options} options
   */
  constructor(main, set, cards, ready, options) {
    this.cardSet = set;
    this.cards = new Map(cards.map((card) => [card.id, card]));
    this.ready = ready;
    this.options = options;
    /** @type {string | null} the set of the reader's own that this is the newest version of */
    this.own = null;
    /** @type {Map<string, number>} */
    this.copies = new Map();
    /** @type {CheckedDeck | null} what the server last said of the deck */
    this.checked = null;
    this.asked = 0;
    this.timer = 0;
    main.append(
      h("h1", null, say("decks.title")),
      h("p", { class: "note" }, say("decks.lead", bounds(options))),
      ...this.terms(),
      this.startRow(),
      h("div", { class: "deck-page" }, this.library(), this.panel()),
      this.jump,
    );
    this.fillStart();
  }

  // ------------------------------------------------------------ the parts of the page

  /** Whose cards and which house rules; in the core set by the usual rules there is nothing to say. */
  terms() {
    const { core } = this.cardSet;
    const told = ruleLines(this.options);
    return [
      core ? "" : h("p", { class: "row" }, h("span", { class: "chip strange" }, setTitle(this.cardSet))),
      told ? h("p", { class: "panel by-rules" }, h("b", null, say("decks.by_rules")), ` ${told}`) : "",
    ];
  }

  startRow() {
    return h(
      "form",
      { class: "start-row panel", onsubmit: (/** @type {Event} */ event) => this.openCode(event) },
      sets.element,
      h("div", { class: "field" }, h("label", { for: "deck-start" }, say("decks.start")), this.start),
      h(
        "div",
        { class: "field" },
        h("label", { for: "code-in" }, say("decks.code_in")),
        h("div", { class: "with-button" }, this.codeIn, h("button", null, say("decks.take_code"))),
      ),
    );
  }

  library() {
    const none = h("p", { class: "none panel", hidden: true }, say("cards.none"));
    const grid = h(
      "ul",
      { class: "card-grid tiles" },
      [...this.cards.values()].map((card) => this.tile(card)),
    );
    const filter = cardFilter((matches) => {
      for (const tile of $$(".tile", grid)) tile.hidden = !matches(this.card(tile.dataset.id ?? ""));
      none.hidden = $$(".tile:not([hidden])", grid).length > 0;
    });
    return h("section", { class: "library", "aria-label": say("decks.library") }, filter, grid, none);
  }

  /** @param {Card} card */
  tile(card) {
    const name = cardName(card);
    return h(
      "li",
      { class: "tile", dataset: { id: card.id } },
      h(
        "button",
        {
          type: "button",
          class: "add",
          "aria-label": `${say("decks.add", { name })}. ${cardText(card)}`,
          onclick: () => this.change(card.id, 1),
        },
        duelCard(card, { size: "gallery" }),
      ),
      h(
        "div",
        { class: "tile-tools" },
        h(
          "button",
          {
            type: "button",
            class: "quiet less",
            disabled: true,
            "aria-label": say("decks.remove", { name }),
            onclick: () => this.change(card.id, -1),
          },
          "−",
        ),
        h("output", { class: "copies", "aria-label": say("decks.in_deck", { n: 0 }) }, "0"),
        h(
          "button",
          {
            type: "button",
            class: "quiet view",
            "aria-label": say("decks.look", { name }),
            onclick: () => showCard(card, traitChips(card)),
          },
          "⤢",
        ),
      ),
    );
  }

  panel() {
    return h(
      "section",
      { class: "deck-panel panel", id: "deck", "aria-label": say("decks.yours") },
      h(
        "div",
        { class: "field" },
        h("label", { for: "deck-name" }, say("decks.name")),
        h(
          "div",
          { class: "with-button" },
          this.name,
          h("button", { type: "button", onclick: () => this.save() }, say("decks.save")),
        ),
        this.told,
      ),
      this.count,
      this.verdict,
      this.play,
      this.list,
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "quiet", onclick: () => this.take([], "") }, say("decks.clear")),
        this.paper,
        this.remove,
        this.give,
      ),
      h(
        "div",
        { class: "field code-field" },
        h("label", { for: "code-out" }, say("decks.code")),
        h("div", { class: "with-button" }, this.codeOut, this.copy),
        this.noCode,
      ),
      h("h2", null, say("decks.chart")),
      this.chart,
      h("p", { class: "note" }, say("decks.chart_note")),
      h("h2", null, say("decks.hand")),
      h("p", { class: "note" }, say("decks.hand_lead")),
      this.dealt,
      this.deal,
    );
  }

  // ------------------------------------------------------------ where to start

  fillStart() {
    const saved = savedDecks(this.cardSet);
    this.start.replaceChildren(
      h("option", { value: "" }, say("decks.choose")),
      h("option", { value: "empty" }, say("decks.empty")),
      saved.length
        ? h(
            "optgroup",
            { label: say("decks.saved") },
            saved.map((deck) => h("option", { value: `saved:${deck.name}` }, deck.name)),
          )
        : "",
      h(
        "optgroup",
        { label: say("decks.ready") },
        this.ready.map((deck) => h("option", { value: `ready:${deck.id}` }, deck.name[lang])),
      ),
    );
  }

  /** @param {string} chosen */
  startFrom(chosen) {
    const [kind, ...rest] = chosen.split(":");
    const id = rest.join(":");
    if (kind === "empty") return this.take([], "");
    const saved = kind === "saved" ? savedDecks(this.cardSet).find((one) => one.name === id) : undefined;
    if (saved) return this.take(saved.cards, saved.name);
    const deck = this.ready.find((one) => one.id === id);
    if (deck) this.take(deck.cards, deck.name[lang]);
  }

  /** @param {Event} event */
  async openCode(event) {
    event.preventDefault();
    const code = this.codeIn.value.trim();
    if (!code) return;
    const told = await this.answered(post("/api/decks/check", { ...this.match, code }));
    if (!told) return;
    if (!this.isOurs(told)) return this.openElsewhere(code, told);
    this.codeIn.value = "";
    this.take(told.cards, "");
  }

  /** @param {CheckedDeck} told whether it is a deck of the cards of this page */
  isOurs(told) {
    return told.cards.length > 0 && told.set === this.cardSet.digest;
  }

  /**
   * A code of other cards leads to their page; one that cannot be read leaves the deck as it is.
   * @param {string} code @param {CheckedDeck} told what is said of it here
   */
  async openElsewhere(code, told) {
    const there = told.cards.length ? told : await post("/api/decks/check", { code }).catch(() => told);
    if (!there.cards.length) return showError(sentence(told.faults[0].text));
    location.assign(withQuery("/decks", { set: there.set, code }));
  }

  /** What decks are checked by: the cards and the house rules of the match. */
  get match() {
    return { ...setAsked(this.cardSet), options: this.options };
  }

  /** @param {string[]} cards @param {string} name */
  take(cards, name) {
    this.copies = new Map();
    for (const id of cards) this.copies.set(id, (this.copies.get(id) ?? 0) + 1);
    this.name.value = name;
    this.dealt.replaceChildren();
    this.deal.textContent = say("decks.deal");
    this.changed();
  }

  // ------------------------------------------------------------ changing the deck

  /** @param {string} id @param {number} by */
  change(id, by) {
    const n = (this.copies.get(id) ?? 0) + by;
    if (n > 0) this.copies.set(id, n);
    else this.copies.delete(id);
    this.changed();
  }

  changed() {
    this.keep();
    this.showCopies();
    this.showList();
    this.play.removeAttribute("href"); // until the server has seen this deck, too
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  keep() {
    this.told.hidden = true;
    keepDraft({ name: this.name.value, cards: this.ids() }, this.cardSet);
    this.remove.hidden = !savedDecks(this.cardSet).some((deck) => deck.name === this.name.value);
  }

  /** @returns {string[]} */
  ids() {
    return [...this.copies].flatMap(([id, n]) => Array(n).fill(id));
  }

  showCopies() {
    for (const tile of $$(".tile")) {
      const n = this.copies.get(tile.dataset.id ?? "") ?? 0;
      const out = $(".copies", tile);
      tile.classList.toggle("in", n > 0);
      if (out) out.textContent = String(n);
      out?.setAttribute("aria-label", say("decks.in_deck", { n }));
      $(".less", tile)?.toggleAttribute("disabled", n === 0);
    }
  }

  /** @param {string} id */
  card(id) {
    return this.cards.get(id) ?? strangeCard(id);
  }

  showList() {
    const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    const order = ["attack", "block", "heal", "draw", "strip"];
    const shown = [...this.copies].map(([id, n]) => ({ card: this.card(id), n }));
    shown.sort(
      (a, b) =>
        order.indexOf(a.card.main) - order.indexOf(b.card.main) ||
        cardName(a.card).localeCompare(cardName(b.card), lang),
    );
    this.list.replaceChildren(
      ...(shown.length
        ? shown.map(({ card, n }) => this.line(card, n))
        : [h("li", { class: "note" }, say("decks.nothing"))]),
    );
    if (focus) $(`[data-key="${focus}"]`, this.list)?.focus();
  }

  /** @param {Card} card @param {number} n */
  line(card, n) {
    const name = cardName(card);
    const wrong = this.checked?.faults.some((fault) => fault.cards.includes(card.id));
    return h(
      "li",
      { class: `line main-${card.main} ${card.rarity}${wrong ? " wrong" : ""}`, dataset: { id: card.id } },
      h(
        "button",
        {
          type: "button",
          class: "quiet line-name",
          "aria-label": say("decks.look", { name }),
          onclick: () => showCard(card, traitChips(card)),
        },
        h("span", { class: "swatch" }, icon(card.main)),
        h("span", null, name),
      ),
      h(
        "button",
        {
          type: "button",
          class: "quiet step",
          dataset: { key: `less-${card.id}` },
          "aria-label": say("decks.remove", { name }),
          onclick: () => this.change(card.id, -1),
        },
        "−",
      ),
      h("b", null, n),
      h(
        "button",
        {
          type: "button",
          class: "quiet step",
          dataset: { key: `more-${card.id}` },
          "aria-label": say("decks.add", { name }),
          onclick: () => this.change(card.id, 1),
        },
        "+",
      ),
    );
  }

  // ------------------------------------------------------------ what the server says

  /**
   * @template T
   * @param {Promise<T>} answer
   * @returns {Promise<T | null>} nothing where the server refused, and then it is shown why
   */
  async answered(answer) {
    try {
      return await answer;
    } catch (error) {
      showError(/** @type {Error} */ (error).message);
      return null;
    }
  }

  async check() {
    const number = ++this.asked;
    const told = await this.answered(post("/api/decks/check", { ...this.match, cards: this.ids() }));
    // Only the answer to the last question counts.
    if (!told || number !== this.asked) return;
    this.checked = told;
    this.showVerdict(told);
    this.showList();
  }

  /** @param {CheckedDeck} told */
  showVerdict({ faults, code, summary }) {
    const { works, ...sorts } = summary;
    this.count.replaceChildren(
      h("b", null, say("decks.count", { n: summary.cards })),
      h("span", { class: "note" }, ` ${say("decks.sorts", sorts)}`),
    );
    // Whoever has just begun has done nothing wrong yet.
    const empty = summary.cards === 0;
    const state = faults.length ? say("decks.faults", { n: faults.length }) : say("decks.legal");
    this.verdict.className = `verdict ${empty ? "empty" : faults.length ? "" : "good"}`;
    this.verdict.replaceChildren(
      empty ? "" : h("p", null, state),
      faults.length
        ? h(
            "ul",
            null,
            faults.map((fault) => h("li", null, sentence(fault.text), "\u00a0", fault.rule ? ruleLink(fault.rule) : "")),
          )
        : "",
    );
    this.codeOut.value = code ?? "";
    this.noCode.hidden = code !== null;
    this.copy.disabled = !code;
    this.deal.disabled = !code;
    this.play.hidden = !code;
    this.paper.hidden = !code;
    this.give.hidden = !code || !this.own;
    if (code) this.play.href = this.playLink(code);
    if (code) this.paper.href = `/print?${new URLSearchParams({ code })}`;
    this.chart.replaceChildren(deckChart(works));
    this.jump.replaceChildren(h("b", null, say("decks.count", { n: summary.cards })), ...(empty ? [] : [" · ", state]));
    this.jump.className = `jump ${empty ? "empty" : faults.length ? "" : "good"}`;
  }

  async dealHand() {
    this.deal.setAttribute("aria-busy", "true");
    const told = await this.answered(post("/api/decks/hand", { ...this.match, cards: this.ids() }));
    this.deal.removeAttribute("aria-busy");
    if (!told) return;
    const shown = (/** @type {string[]} */ ids, /** @type {string} */ words) =>
      ids.map((id) =>
        h("figure", null, duelCard(this.card(id), { size: "hand" }), words ? h("figcaption", null, words) : null),
      );
    this.dealt.replaceChildren(...shown(told.hand, ""), ...shown(told.play, say("decks.hand_play")));
    this.deal.textContent = say("decks.deal_again");
    announce([...told.hand, ...told.play].map((id) => cardName(this.card(id))).join(", "));
  }

  // ------------------------------------------------------------ keeping and giving away

  async copyCode() {
    await copyText(this.codeOut.value);
    this.codeOut.select();
    this.copy.textContent = say("decks.copied");
    announce(say("decks.copied"));
    setTimeout(() => (this.copy.textContent = say("decks.copy")), 2000);
  }

  save() {
    const name = this.name.value.trim() || say("decks.unnamed");
    this.name.value = name;
    saveDeck({ name, cards: this.ids(), ...this.codeNow() }, this.cardSet);
    this.fillStart();
    this.start.value = `saved:${name}`;
    this.keep();
    this.told.textContent = say("decks.saved_as", { name });
    this.told.hidden = false;
  }

  /** The code, if the server has seen the deck as it is now. */
  codeNow() {
    const same = this.checked && [...this.checked.cards].sort().join() === this.ids().sort().join();
    return same && this.checked?.code ? { code: this.checked.code } : {};
  }

  async deleteSaved() {
    const name = this.name.value;
    if (!(await confirmed(say("decks.delete_sure", { name }), say("decks.delete")))) return;
    deleteDeck(name, this.cardSet);
    this.fillStart();
    this.keep();
    announce(say("decks.deleted", { name }));
  }

  /** Whoever has written the set may give it a deck that comes with it. */
  async findOwn() {
    if (this.cardSet.core || !isGuest()) return;
    const own = await get("/api/sets").catch(() => []);
    this.own = own.find(({ latest }) => latest?.digest === this.cardSet.digest)?.id ?? null;
    this.give.hidden = !this.own || !this.checked?.code;
  }

  async giveToSet() {
    if (!this.own) return;
    this.save();
    const name = this.name.value;
    const kept = await this.answered(get("/api/sets/{id}", { id: this.own }));
    if (!kept) return;
    const decks = [...kept.decks.filter((deck) => deck.name !== name), { name, cards: this.ids() }];
    const given = await this.answered(put("/api/sets/{id}", { revision: kept.revision, decks }, { id: this.own }));
    if (!given) return;
    this.told.textContent = say("decks.given", { name, set: kept.name });
    announce(this.told.textContent);
  }

  /**
   * Back to the room that the deck is for; else to the lobby, with the deck chosen for a game that needs one.
   * @param {string} code
   */
  playLink(code) {
    const invite = asked.get("invite");
    if (room) return withQuery(`/room/${encodeURIComponent(room)}`, { ...(invite ? { invite } : {}), deck: code });
    return withQuery("/", { game: game?.name ?? "", ...setAsked(this.cardSet), ...this.options, deck: code });
  }
}

/**
 * The numbers of cards that a deck may have.
 * @param {Options} options
 */
function bounds(options) {
  const value = (/** @type {string} */ name) =>
    options[name] ?? game?.options.find((one) => one.name === name)?.values[""] ?? "";
  return { least: value("deck-min"), most: value("deck-max") };
}

/** @param {Options} options */
function ruleLines(options) {
  const told = (game?.options ?? []).filter(({ name }) => name in options);
  return told.map((option) => optionLine(option, options[option.name])).join(" · ");
}

/** What of the address is a house rule. @returns {Options} */
function askedOptions() {
  const known = (game?.options ?? []).filter(({ name }) => asked.has(name));
  return Object.fromEntries(known.map(({ name }) => [name, asked.get(name) ?? ""]));
}

/** The cards that the address names; where there are none, it is said, and the core set is shown. */
async function askedSet() {
  try {
    return await loadSet(asked.get("set") ?? "");
  } catch (error) {
    showError(/** @type {Error} */ (error).message);
    return loadSet("");
  }
}

await ready();
const asked = new URLSearchParams(location.search);
const room = asked.get("room") ?? "";
const game = allGames().find((one) => one.needs_decks);
const { main } = startPage({ title: say("decks.title") });
main.classList.add("builder");
const { set: name, digest, core, cards } = await askedSet();
const cardSet = core ? { ...CORE, digest } : { name, digest, core };
const options = askedOptions();
const sets = new SetChoice({
  id: "deck-set",
  chosen: core ? "" : digest,
  changed: (chosen) => {
    const same = chosen.core ? core : chosen.digest === digest;
    if (!same) location.assign(decksAddress(chosen, options));
  },
});
const page = new DeckPage(main, cardSet, cards, await decksOf(cardSet), options);
const code = asked.get("code");
const kept = draft(cardSet);
page.take(kept?.cards ?? [], kept?.name ?? "");
page.findOwn();
sets.load();
if (code) {
  page.codeIn.value = code;
  page.openCode(new Event("submit"));
}
