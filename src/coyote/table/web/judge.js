// @ts-check
// `/judge`: two people with a real pack tap what was played; the server's rules say what is allowed and what it
// comes to. The page keeps what was tapped, and knows nothing else: the hands are the players' own.
import { ApiError, myName, post } from "./api.js";
import { allKinds, kindNamed, nameOf, titleOf } from "./catalog.js";
import { h, remember } from "./dom.js";
import { HouseRules } from "./house-rules.js";
import { drawing, fieldPhrase } from "./madness-parts.js";
import { playingCard, dressOf, suitOf } from "./playing-card.js";
import { announce, confirmed, ready, ruleLink, showError, startPage } from "./shell.js";
import { cardSign, line, say, sentence } from "./words.js";

/** @typedef {import("./wire").Judgement} Judgement */
/** @typedef {import("./wire").MadnessView} View */
/** @typedef {{kind: string, house: Record<string, string | number>, names: string[], boss: string, said: string[]}} Game */

const KEPT = "judge";
const MOST_TOLD = 6; // sentences that are seen at once
const RANKS = "A K Q J T 9 8 7 6 5 4 3 2".split(" ");
const SUITS = "SHDC";
const ALL = [...RANKS.flatMap((rank) => [...SUITS].map((suit) => rank + suit)), "X1", "X2"];

await ready();
const { main } = startPage({ title: say("judge.title") });
main.classList.add("judge");

/** @returns {Game} */
function lastTime() {
  const fresh = { kind: kinds()[0].id, house: {}, names: [myName(), say("judge.other")], boss: "", said: [] };
  try {
    return { ...fresh, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  } catch {
    return fresh;
  }
}

function kinds() {
  return allKinds().filter(({ game }) => game.judge);
}

class Judge {
  constructor() {
    this.game = lastTime();
    this.verb = ""; // what was chosen, while its card is waited for
    this.asking = false;
    this.setup = new Setup(this);
    this.play = h("div", { class: "play", hidden: true });
    main.append(h("h1", null, say("judge.title")), this.setup.element, this.play);
  }

  keep() {
    remember(KEPT, JSON.stringify(this.game));
  }

  get options() {
    const kind = kinds().find(({ id }) => id === this.game.kind) ?? kinds()[0];
    return { game: nameOf(kind.game), options: { ...(kind.edition ? { edition: kind.edition.name } : {}), ...this.game.house } };
  }

  /** @param {string[]} said @param {string} [boss] */
  ask(said, boss = this.game.boss) {
    const { names } = this.game;
    return post("/api/judge", { ...this.options, names, boss, said, lang: document.documentElement.lang === "ru" ? "ru" : "en" });
  }

  /**
   * Say something more; what is refused is not kept.
   * @param {string[]} said @param {string} [boss]
   */
  async say(said, boss = this.game.boss) {
    if (this.asking) return;
    this.asking = true;
    try {
      const found = await this.ask(said, boss);
      if (found.refused) refuse(found.refused);
      this.game = { ...this.game, boss, said: said.slice(0, found.counts) };
      this.keep();
      if (!found.refused) this.verb = "";
      this.show(found);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      for (const { text, rule } of error.reasons) showError(text, rule);
    } finally {
      this.asking = false;
    }
  }

  async begin() {
    if (this.game.boss) await this.say(this.game.said);
    else this.setup.show();
  }

  /** @param {Judgement} found */
  show(found) {
    const view = /** @type {View | null} */ (found.view);
    this.setup.element.hidden = view !== null;
    this.play.hidden = view === null;
    if (!view) return;
    this.setup.bosses.replaceChildren();
    const last = found.story.filter(({ move }) => move === found.counts);
    announce([...last.map(({ text }) => text), found.prompt].join(" "));
    this.play.dataset.counts = String(found.counts);
    this.play.replaceChildren(
      this.board(view, found),
      h("p", { class: "prompt" }, found.prompt),
      this.verbs(found),
      this.cards(found),
      this.tools(found),
      told(found),
    );
    this.play.querySelector(this.verb ? ".pick button:not([disabled])" : ".verbs button")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {View} view @param {Judgement} found */
  board(view, { prompt }) {
    const { names } = this.game;
    const drawn = drawing({ view, seat: 0, names, legal: [], events: [], open: null });
    const side = (/** @type {number} */ seat) => {
      const lead = seat === 0 ? view.lead : -view.lead;
      return h(
        "div",
        { class: `who seat-${seat}${view.decider === seat ? " acting" : ""}` },
        h("b", null, names[seat]),
        h("span", { class: "chip" }, say("judge.hand", { n: view.held[seat] })),
        lead > 0 ? h("span", { class: "chip lead" }, say("judge.lead", { n: lead, goal: view.goal })) : null,
        seat === 1 && view.decider === 1 ? h("span", { class: "their-prompt", "aria-hidden": "true" }, prompt) : null,
      );
    };
    const fields = view.fields.map((field, n) => {
      const { text, whose } = fieldPhrase(drawn, n + 1);
      const pile = (/** @type {number} */ seat) =>
        h("div", { class: `pile seat-${seat}` }, field.tops[seat] ? playingCard(field.tops[seat], { size: "s" }) : null, field.heights[seat] > 1 ? h("i", null, field.heights[seat]) : null);
      return h(
        "li",
        { class: `field ${whose}${field.closed ? " closed" : ""}` },
        h("b", { class: "number" }, n + 1),
        pile(1),
        h("div", { class: "centre" }, field.marker ? playingCard(field.marker, { size: "s", sideways: true }) : null, h("span", { class: "phrase" }, text)),
        pile(0),
      );
    });
    const heap = (/** @type {string} */ key, /** @type {Node | string} */ shown) =>
      h("div", { class: `heap ${key}` }, h("span", null, say(`judge.${key}`)), shown);
    return h(
      "div",
      { class: "board" },
      side(1),
      h("ol", { class: "fields" }, fields),
      h(
        "div",
        { class: "heaps" },
        heap("boss", playingCard(view.boss, { size: "s" })),
        heap("deck", h("b", null, view.deck)),
        heap("discard", view.discard ? playingCard(view.discard, { size: "s" }) : "–"),
      ),
      side(0),
    );
  }

  /**
   * What may be done, without the cards.
   * @param {Judgement} found
   */
  verbs({ legal, turns_up: shows }) {
    const verbs = [...new Set(legal.map((move) => move.split(" ")[0]))];
    const button = (/** @type {string} */ verb) => {
      const needs = (verb === "push" && shows) || legal.some((move) => move.startsWith(`${verb} `));
      const chosen = this.verb === verb;
      const choose = () => {
        if (!needs) return this.say([...this.game.said, verb]);
        return this.choose(this.verb === verb ? "" : verb);
      };
      return h("button", { type: "button", class: chosen ? "primary" : "", "aria-pressed": needs ? String(chosen) : null, dataset: { verb }, onclick: choose }, verbText(verb));
    };
    return h("div", { class: "verbs", role: "group", "aria-label": say("judge.verbs") }, verbs.map(button));
  }

  /** @param {string} verb */
  choose(verb) {
    this.verb = verb;
    for (const button of this.play.querySelectorAll(".verbs button"))
      if (button instanceof HTMLElement && button.hasAttribute("aria-pressed")) {
        const now = button.dataset.verb === verb;
        button.setAttribute("aria-pressed", String(now));
        button.classList.toggle("primary", now);
      }
    const pick = this.play.querySelector(".pick");
    if (pick instanceof HTMLElement) pick.hidden = !verb;
    this.play.querySelector(".pick button:not([disabled])")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Judgement} found */
  cards({ unseen }) {
    const pick = cardGrid(say("judge.which"), new Set(unseen), (card) => this.say([...this.game.said, `${this.verb} ${card}`]));
    pick.hidden = !this.verb;
    return pick;
  }

  /** @param {Judgement} found */
  tools({ record }) {
    const { said } = this.game;
    const undo = () => {
      this.verb = "";
      return said.length ? this.say(said.slice(0, -1)) : this.again();
    };
    return h(
      "div",
      { class: "row tools" },
      h("button", { type: "button", class: "undo", onclick: undo }, say("judge.undo")),
      h("button", { type: "button", class: "save", onclick: () => save(record ?? "") }, say("judge.save")),
      h("button", { type: "button", class: "quiet again", onclick: () => this.ask_again() }, say("judge.again")),
    );
  }

  async ask_again() {
    if (!this.game.said.length || (await confirmed(say("judge.again_sure"), say("judge.again")))) this.again();
  }

  again() {
    this.game = { ...this.game, boss: "", said: [] };
    this.verb = "";
    this.keep();
    this.setup.show();
  }
}

/** @param {{text: string, rule: string | null}} refused */
function refuse({ text, rule }) {
  showError(sentence(rule ? text.replace(` (${rule})`, "") : text), rule);
}

/** @param {string} verb */
function verbText(verb) {
  const field = /^([ac])(\d)$/.exec(verb);
  return field ? say(`judge.verb.${field[1]}`, { field: field[2] }) : say(`judge.verb.${verb}`);
}

/**
 * All cards as buttons; those that have been seen cannot be pressed.
 * @param {string} title @param {Set<string>} unseen @param {(card: string) => void} pick
 */
function cardGrid(title, unseen, pick) {
  const one = (/** @type {string} */ card) => {
    const sign = cardSign(card);
    return h(
      "button",
      {
        type: "button",
        class: `mini ${dressOf(card, suitOf(card))}`,
        disabled: !unseen.has(card),
        "aria-label": sign.name,
        dataset: { card },
        onclick: () => pick(card),
      },
      h("b", null, sign.rank),
      h("span", null, sign.suit),
    );
  };
  return h("div", { class: "pick", role: "group", "aria-label": title }, h("p", null, title), h("div", { class: "grid" }, ALL.map(one)));
}

/**
 * What happened, the newest first, each with its rule.
 * @param {Judgement} found
 */
function told({ story }) {
  const lines = [...story].reverse().map(({ text, rule, kind }) => h("li", { class: kind }, text, rule ? [" ", ruleLink(rule)] : null));
  const more = lines.length > MOST_TOLD ? h("details", null, h("summary", null, say("judge.earlier")), h("ol", null, lines.slice(MOST_TOLD))) : null;
  return h("section", { class: "panel story" }, h("h2", null, say("judge.story")), h("ol", null, lines.slice(0, MOST_TOLD)), more);
}

/** @param {string} record */
function save(record) {
  const url = URL.createObjectURL(new Blob([record], { type: "application/x-ndjson" }));
  const link = h("a", { href: url, download: "madness-judged.record.jsonl" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Before the first card: which rules, who plays, and the first Boss. */
class Setup {
  /** @param {Judge} judge */
  constructor(judge) {
    this.judge = judge;
    const { game } = judge;
    this.house = new HouseRules(false);
    this.kind = h(
      "select",
      { id: "judge-kind", onchange: () => this.change(true) },
      kinds().map(({ id, game: named, edition }) => h("option", { value: id }, line(titleOf(named), ...(edition ? [titleOf(edition)] : [])))),
    );
    this.kind.value = kinds().some(({ id }) => id === game.kind) ? game.kind : kinds()[0].id;
    this.names = [0, 1].map((seat) =>
      h("input", { type: "text", id: `judge-name-${seat}`, maxlength: 40, value: game.names[seat], autocomplete: "off", onchange: () => this.change() }),
    );
    this.bosses = h("div", { class: "bosses" });
    const field = (/** @type {HTMLElement} */ input, /** @type {string} */ key) =>
      h("div", { class: "field" }, h("label", { for: input.id }, say(key)), input);
    this.element = h(
      "section",
      { class: "panel setup", hidden: true },
      h("p", null, say("judge.lead_in")),
      h("div", { class: "two" }, field(this.kind, "judge.kind"), field(this.names[0], "judge.first"), field(this.names[1], "judge.second")),
      this.house.element,
      this.bosses,
    );
    this.house.element.addEventListener("change", () => this.change());
    this.showHouse();
  }

  showHouse() {
    const [game, edition = ""] = this.kind.value.split("/");
    this.house.show(kindNamed(game, edition), this.judge.game.house);
  }

  /** @param {boolean} [other] another edition */
  change(other = false) {
    const { judge } = this;
    const names = this.names.map((input, seat) => input.value.trim() || say(seat ? "judge.other" : "judge.one"));
    judge.game = { ...judge.game, kind: this.kind.value, names, house: other ? {} : this.house.values() };
    if (other) this.showHouse();
    judge.keep();
    this.show();
  }

  /** The cards that may be the first Boss. */
  async show() {
    this.element.hidden = false;
    this.judge.play.hidden = true;
    try {
      const { unseen, prompt } = await this.judge.ask([], "");
      this.bosses.replaceChildren(cardGrid(prompt, new Set(unseen), (card) => this.judge.say([], card)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.bosses.replaceChildren(h("p", { role: "alert" }, error.text));
    }
  }
}

await new Judge().begin();
