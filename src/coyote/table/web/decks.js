// @ts-check
// The deck builder. Which decks are legal only the server knows (D19): every change is checked there.
import { get, post } from "./api.js";
import { cardFilter } from "./card-filter.js";
import { allGames } from "./catalog.js";
import { copyText } from "./clipboard.js";
import { deckChart } from "./deck-chart.js";
import { $, $$, h } from "./dom.js";
import { cardName, cardText, duelCard, icon, loadCards, showCard, strangeCard, traitChips } from "./duel-card.js";
import { deleteDeck, draft, keepDraft, saveDeck, savedDecks } from "./saved-decks.js";
import { announce, confirmed, ready, ruleLink, showError, startPage } from "./shell.js";
import { lang, say, sentence } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */
/** @typedef {import("./wire").CheckedDeck} CheckedDeck */

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
  play = h("a", { class: "button primary play-link", hidden: true }, say("decks.play"));
  remove = h(
    "button",
    { type: "button", class: "quiet", hidden: true, onclick: () => this.deleteSaved() },
    say("decks.delete"),
  );
  chart = h("div", { class: "chart" });
  dealt = h("div", { class: "dealt" });
  deal = h("button", { type: "button", onclick: () => this.dealHand() }, say("decks.deal"));
  jump = h("a", { class: "jump", href: "#deck" });

  /** @param {HTMLElement} main @param {Map<string, Card>} cards @param {import("./wire").DeckShown[]} ready */
  constructor(main, cards, ready) {
    this.cards = cards;
    this.ready = ready;
    /** @type {Map<string, number>} */
    this.copies = new Map();
    /** @type {CheckedDeck | null} what the server last said of the deck */
    this.checked = null;
    this.asked = 0;
    this.timer = 0;
    main.append(
      h("h1", null, say("decks.title")),
      h("p", { class: "note" }, say("decks.lead")),
      this.startRow(),
      h("div", { class: "deck-page" }, this.library(), this.panel()),
      this.jump,
    );
    this.fillStart();
  }

  // ------------------------------------------------------------ the parts of the page

  startRow() {
    return h(
      "form",
      { class: "start-row panel", onsubmit: (/** @type {Event} */ event) => this.openCode(event) },
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
        h("button", { type: "button", class: "quiet", onclick: () => this.set([], "") }, say("decks.clear")),
        this.remove,
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
    const saved = savedDecks();
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
    if (kind === "empty") return this.set([], "");
    const saved = kind === "saved" ? savedDecks().find((one) => one.name === id) : undefined;
    if (saved) return this.set(saved.cards, saved.name);
    const deck = this.ready.find((one) => one.id === id);
    if (deck) this.set(deck.cards, deck.name[lang]);
  }

  /** @param {Event} event */
  async openCode(event) {
    event.preventDefault();
    const code = this.codeIn.value.trim();
    if (!code) return;
    const told = await this.answered(post("/api/decks/check", { code }));
    if (!told) return;
    // A code that cannot be read leaves the deck as it is.
    if (!told.cards.length) return showError(sentence(told.faults[0].text));
    this.codeIn.value = "";
    this.set(told.cards, "");
  }

  /** @param {string[]} cards @param {string} name */
  set(cards, name) {
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
    keepDraft({ name: this.name.value, cards: this.ids() });
    this.remove.hidden = !savedDecks().some((deck) => deck.name === this.name.value);
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
    const told = await this.answered(post("/api/decks/check", { cards: this.ids() }));
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
    if (code) this.play.href = playLink(code);
    this.chart.replaceChildren(deckChart(works));
    this.jump.replaceChildren(h("b", null, say("decks.count", { n: summary.cards })), ...(empty ? [] : [" · ", state]));
    this.jump.className = `jump ${empty ? "empty" : faults.length ? "" : "good"}`;
  }

  async dealHand() {
    this.deal.setAttribute("aria-busy", "true");
    const told = await this.answered(post("/api/decks/hand", { cards: this.ids() }));
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
    saveDeck({ name, cards: this.ids(), ...this.codeNow() });
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
    deleteDeck(name);
    this.fillStart();
    this.keep();
    announce(say("decks.deleted", { name }));
  }
}

/**
 * To the lobby, with the deck chosen for a game that needs one.
 * @param {string} code
 */
function playLink(code) {
  const game = allGames().find((one) => one.needs_decks)?.name ?? "";
  return `/?${new URLSearchParams({ game, deck: code })}`;
}

await ready();
const { main } = startPage({ title: say("decks.title") });
main.classList.add("builder");
const [cards, decks] = await Promise.all([loadCards(), get("/api/decks")]);
const page = new DeckPage(main, cards, decks);
const code = new URLSearchParams(location.search).get("code");
const kept = draft();
page.set(kept?.cards ?? [], kept?.name ?? "");
if (code) {
  page.codeIn.value = code;
  page.openCode(new Event("submit"));
}
