// @ts-check
// The form for a new game. Everything has a sensible value already, so that one press is enough.
import { ApiError, post } from "./api.js";
import { allKinds, kindNamed, nameOf, titleOf } from "./catalog.js";
import { CORE, withQuery } from "./card-set.js";
import { copyText } from "./clipboard.js";
import { deckChoice } from "./deck-choice.js";
import { h, remember } from "./dom.js";
import { Notes } from "./fair.js";
import { lookOf } from "./games.js";
import { HouseRules } from "./house-rules.js";
import { hasRulesCard, rulesCardButton } from "./rules-card.js";
import { clockTitle } from "./room-panels.js";
import { SetChoice } from "./set-choice.js";
import { invites, outside } from "./share.js";
import { announce, ruleLink, showError } from "./shell.js";
import { LEVELS, knows, line, say } from "./words.js";

/** @typedef {import("./catalog.js").Kind} Kind */
/** @typedef {import("./deck-choice.js").DeckChoice} DeckChoice */
/** @typedef {import("./wire").NewRoom} NewRoom */
/** @typedef {Record<string, string | number>} Values */
/** @typedef {{chosen: Record<string, string>, house: Record<string, Values>}} Kept house rules by the kind of game */

/** @type {NonNullable<NewRoom["opponent"]>[]} */
const OPPONENTS = ["bot", "link", "open", "self"];
const ALONE = ["bot", "self"];
const NUMBERS = LEVELS.map((level) => level.slice(-1)); // of the levels
const CLOCKS = ["none", "minutes", "days"];
const BEGINS = ["lot", "host", "other"];
const RATED = ["casual", "rated"];
// What a link may say besides the game, its rules and the decks: fields of the form by their names.
const FIELDS = ["opponent", "level", "other_name", "clock", "minutes", "increment", "days", "begins", "rated"];
const KEPT = "lobby";
const SHOWN_AS_COPIED = 2500; // milliseconds

/**
 * The choices of the last time.
 * @returns {Kept}
 */
function lastTime() {
  try {
    const { house = {}, ...chosen } = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return { chosen, house };
  } catch {
    return { chosen: {}, house: {} };
  }
}

/**
 * What the address asks for: `/?game=madness&edition=standard&goal=7&opponent=bot&level=3`. What it does not name is
 * as it was the last time, but for the house rules and the cards of a game that it names.
 * @returns {{kind: Kind | undefined, house: Values, chosen: Record<string, string>}}
 */
function asked() {
  const { game = "", edition = "", deck, set = "", ...rest } = Object.fromEntries(new URLSearchParams(location.search));
  const kind = kindNamed(game, edition);
  const isField = (/** @type {[string, string]} */ [name]) => FIELDS.includes(name) || name === "their_deck";
  const chosen = Object.fromEntries(Object.entries(rest).filter(isField));
  if (deck) chosen.my_deck = deck;
  if (kind) chosen.set = set;
  const house = Object.fromEntries(Object.entries(rest).filter((one) => !isField(one)));
  return { kind, house: kind ? house : {}, chosen };
}

/**
 * A link or the last time may be of another version of the program.
 * @param {readonly string[]} values @param {string | undefined} wanted @param {string} usual
 */
const oneOf = (values, wanted, usual) => (wanted !== undefined && values.includes(wanted) ? wanted : usual);

/**
 * One of several, as big buttons that are radio buttons underneath.
 * @param {string} name
 * @param {string[]} values
 * @param {string} chosen
 * @param {(value: string) => import("./dom.js").Child[]} show
 */
function choice(name, values, chosen, show) {
  const one = (/** @type {string} */ value) =>
    h(
      "label",
      { class: "option" },
      h("input", { type: "radio", name, value, checked: value === chosen, class: "visually-hidden" }),
      h("span", { class: "tile" }, ...show(value)),
    );
  return h(
    "fieldset",
    { class: `field choice ${name}` },
    h("legend", null, say(`lobby.${name}.label`)),
    h("div", { class: "options" }, values.map(one)),
  );
}

/** @param {Kind} kind */
function gameFace({ game, edition }) {
  const number = edition ? game.editions.indexOf(edition) : 0;
  return [
    lookOf(game.name).picture(number),
    h("b", null, titleOf(game)),
    edition ? h("span", { class: "edition" }, titleOf(edition)) : null,
    h("small", null, aboutKind(game, edition)),
  ];
}

/**
 * A sentence about it, where there is one; numbers of its rules stand in it as the server has them.
 * @param {Kind["game"]} game
 * @param {Kind["edition"]} edition
 */
function aboutKind(game, edition) {
  const key = `lobby.kind.${game.name}.${edition?.name ?? "only"}`;
  const values = game.options.map((option) => [option.name, option.values[edition?.name ?? ""]]);
  return knows(key) ? say(key, Object.fromEntries(values)) : "";
}

/** @param {string} kind */
function opponentFace(kind) {
  return [h("b", null, say(`lobby.opponent.${kind}`)), h("small", null, say(`lobby.opponent.about.${kind}`))];
}

/** @param {string} level */
function levelFace(level) {
  return [
    h("b", null, say(`name.level.${level}`)),
    h(
      "span",
      { class: "pips", "aria-hidden": "true" },
      NUMBERS.map((n) => h("i", { class: n <= level ? "on" : "" })),
    ),
  ];
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string[]} values the first one is the usual one
 * @param {string | undefined} chosen
 */
function select(id, label, values, chosen) {
  const found = h(
    "select",
    { id, name: id },
    values.map((value) => h("option", { value }, say(`lobby.${id}.${value}`))),
  );
  found.value = oneOf(values, chosen, values[0]);
  return h("div", { class: "field" }, h("label", { for: id }, label), found);
}

/**
 * @param {string} id
 * @param {string | undefined} value
 * @param {string} usual
 * @param {number} most
 */
function number(id, value, usual, most) {
  const input = h("input", {
    type: "number",
    id,
    name: id,
    value: value && Number.isFinite(Number(value)) ? value : usual,
    min: 0,
    max: most,
    step: "any",
    inputmode: "decimal",
  });
  return h("div", { class: "field small" }, h("label", { for: id }, say(`lobby.${id}`)), input);
}

export class GameForm {
  /** @param {() => Promise<unknown>} introduce takes the name that was typed */
  constructor(introduce) {
    const last = lastTime();
    const link = asked();
    this.introduce = introduce;
    this.kept = last.house;
    this.chosen = { ...last.chosen, ...link.chosen };
    // Decks of other cards than these are of no use.
    if ((this.chosen.set ?? "") !== (last.chosen.set ?? ""))
      for (const deck of ["my_deck", "their_deck"]) this.chosen[deck] = link.chosen[deck] ?? "";
    const { chosen } = this;
    const kinds = allKinds();
    const first = link.kind ?? kinds.find((kind) => kind.id === last.chosen.game) ?? kinds[0];
    this.about = h("p", { class: "note level-about" });
    this.aboutGame = h("p", { class: "note" });
    this.short = rulesCardButton(() => this.settled);
    this.told = h("span", { class: "told" });
    this.reach = h("div", { class: "only-others reach" });
    this.deckPart = h("div", { class: "deck-part only-decks" });
    this.house = new HouseRules();
    this.reasons = h("div", { class: "reasons", role: "alert" });
    this.otherName = h("input", {
      type: "text",
      id: "other_name",
      name: "other_name",
      maxlength: 40,
      value: chosen.other_name || say("lobby.second"),
      autocomplete: "off",
    });
    this.button = h("button", { type: "submit", class: "primary big" });
    this.copy = h("button", { type: "button", class: "quiet", onclick: () => this.copyLink() }, say("lobby.link.copy"));
    this.link = h("input", {
      type: "text",
      class: "form-link",
      readonly: true,
      hidden: true,
      "aria-label": say("lobby.link.label"),
      onfocus: () => this.link.select(),
    });
    this.form = h(
      "form",
      { class: "panel new-game", "aria-label": say("lobby.new") },
      choice(
        "game",
        kinds.map((kind) => kind.id),
        first.id,
        (id) => gameFace(kinds.find((kind) => kind.id === id) ?? first),
      ),
      h("div", { class: "about-game" }, this.aboutGame, this.short),
      choice("opponent", OPPONENTS, oneOf(OPPONENTS, chosen.opponent, "bot"), opponentFace),
      h("div", { class: "only-bot" }, choice("level", NUMBERS, oneOf(NUMBERS, chosen.level, "3"), levelFace), this.about),
      this.reach,
      h(
        "div",
        { class: "field only-self" },
        h("label", { for: "other_name" }, say("lobby.other_name")),
        this.otherName,
      ),
      this.deckPart,
      h("div", { class: "more" }, this.house.element, this.details(chosen)),
      this.reasons,
      h("div", { class: "go" }, this.button),
      h("div", { class: "link-row" }, this.copy, this.link),
    );
    /** @type {import("./card-set.js").CardSet} */
    this.cardSet = CORE;
    /** @type {Promise<SetChoice> | null} */
    this.sets = null;
    /** @type {Promise<{mine: DeckChoice, theirs: DeckChoice}> | null} */
    this.decks = null;
    this.rules = ""; // that the decks were looked at by
    this.showHouse(first, link.kind ? link.house : undefined);
    this.form.addEventListener("change", (event) => {
      if (event.target instanceof HTMLSelectElement && event.target.id === "rated") this.needClock();
      this.adapt();
      this.keep();
    });
    this.form.addEventListener("input", () => {
      this.reasons.replaceChildren();
      this.link.hidden = true;
    });
    // What is wrong must be seen to be mended.
    this.form.addEventListener("invalid", (event) => this.uncover(event), true);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.play();
    });
    this.adapt();
  }

  /** @param {Record<string, string>} last */
  details(last) {
    const uncommon =
      oneOf(CLOCKS, last.clock, "none") !== "none" ||
      oneOf(BEGINS, last.begins, "lot") !== "lot" ||
      oneOf(RATED, last.rated, "casual") !== "casual";
    return h(
      "details",
      { class: "more-choices", open: uncommon && /clock=|rated=/.test(location.search) },
      h("summary", null, h("span", null, say("lobby.details")), this.told),
      h(
        "div",
        { class: "grid" },
        select("clock", say("lobby.clock.label"), CLOCKS, last.clock),
        h(
          "div",
          { class: "row only-minutes" },
          number("minutes", last.minutes, "10", 600),
          number("increment", last.increment, "5", 600),
        ),
        h("div", { class: "only-days" }, number("days", last.days, "1", 30)),
        h("div", { class: "only-lot" }, select("begins", say("lobby.begins.label"), BEGINS, last.begins)),
        h("div", { class: "only-rateable" }, select("rated", say("lobby.rated.label"), RATED, last.rated)),
      ),
    );
  }

  /** People play for a rating by a clock only. */
  needClock() {
    const { rated, opponent } = this.values();
    const timed = this.form.querySelector("#clock");
    if (rated === "rated" && opponent !== "bot" && timed instanceof HTMLSelectElement && timed.value === "none") timed.value = "minutes";
  }

  /** @returns {Record<string, string>} */
  values() {
    return /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(this.form)));
  }

  /** @returns {Kind} */
  get kind() {
    const { game } = this.values();
    return allKinds().find((kind) => kind.id === game) ?? allKinds()[0];
  }

  /** The game with all that is settled about it. */
  get settled() {
    const { game, edition } = this.kind;
    return { game: game.name, options: { ...(edition ? { edition: edition.name } : {}), ...this.house.values() } };
  }

  /**
   * @param {Kind} kind
   * @param {Values} [given] house rules from the address; otherwise those of the last time
   */
  showHouse(kind, given) {
    this.house.show(kind, given ?? this.kept[kind.id] ?? {});
    this.house.element.open ||= Object.keys(given ?? {}).length > 0;
  }

  /** Only what matters for the choices made is there to be seen. */
  adapt() {
    const { kind } = this;
    const { opponent, clock: timed } = this.values();
    const alone = ALONE.includes(opponent);
    if (this.house.kind?.id !== kind.id) this.showHouse(kind);
    const rateable = opponent !== "self" && !Object.keys(this.house.values()).length && !this.wantedSet(() => true).set;
    this.show({
      rateable,
      bot: opponent === "bot",
      self: opponent === "self",
      others: !alone,
      minutes: timed === "minutes",
      days: timed === "days",
      lot: kind.game.lot,
      decks: kind.game.needs_decks,
    });
    if (kind.game.needs_decks) this.loadDecks().then((decks) => this.adaptDecks(decks));
    if (!alone) this.tellReach();
    const { level } = this.values();
    this.about.textContent = level ? say(`lobby.level.about.${level}`) : "";
    this.aboutGame.textContent = aboutKind(kind.game, kind.edition);
    this.short.hidden = !hasRulesCard(kind.game.name);
    this.button.textContent = say(`lobby.go.${opponent}`);
    const { rated } = this.values();
    this.told.textContent = line(clockTitle(clock(this.values())), ...(rated === "rated" ? [say("lobby.rated.rated")] : []));
  }

  keep() {
    this.chosen = { ...this.chosen, ...this.values() };
    this.kept[this.kind.id] = this.house.values();
    remember(KEPT, JSON.stringify({ ...this.chosen, house: this.kept }));
  }

  /**
   * What is not seen is not asked for either.
   * @param {Record<string, boolean>} what
   */
  show(what) {
    for (const [name, shown] of Object.entries(what)) {
      for (const part of this.form.querySelectorAll(`.only-${name}`)) {
        /** @type {HTMLElement} */ (part).hidden = !shown;
        for (const field of part.querySelectorAll("input, select")) field.toggleAttribute("disabled", !shown);
      }
    }
  }

  async tellReach() {
    this.reach.replaceChildren(...(await outside()).told);
  }

  /** @param {Event} event */
  uncover({ target }) {
    const closed = target instanceof Element ? target.closest("details") : null;
    if (closed) closed.open = true;
  }

  /** The cards come first, where there are several to choose from; then the decks of these. */
  loadDecks() {
    this.decks ??= (async () => {
      const sets = this.kind.game.own_sets ? await this.loadSets() : null;
      const { my_deck: own = "", their_deck: other } = this.chosen;
      const about = { set: this.cardSet, options: () => this.deckRules() };
      this.rules = JSON.stringify(this.deckRules());
      const mine = await deckChoice({ ...about, label: say("lobby.my_deck"), id: "my_deck", chosen: own });
      const theirs = await deckChoice({ ...about, label: say("lobby.their_deck"), id: "their_deck", chosen: other || "random" });
      theirs.element.classList.add("only-alone");
      const decks = h("div", { class: "two-decks" }, mine.element, theirs.element);
      this.deckPart.replaceChildren(...(sets ? [sets.element] : []), decks);
      return { mine, theirs };
    })();
    return this.decks;
  }

  /** Those of a game with decks: while these are loaded, somebody may have gone on to another game. */
  deckRules() {
    return this.kind.game.needs_decks ? this.house.values() : {};
  }

  loadSets() {
    this.sets ??= (async () => {
      const options = () => this.deckRules();
      const sets = new SetChoice({ id: "set", chosen: this.chosen.set ?? "", options, changed: (set) => this.takeSet(set) });
      await sets.load();
      return sets;
    })();
    return this.sets;
  }

  /**
   * Other cards have other decks.
   * @param {import("./card-set.js").CardSet} set
   */
  takeSet(set) {
    const first = this.cardSet === CORE && !this.deckPart.childElementCount;
    this.cardSet = set;
    if (first) return;
    this.chosen.my_deck = this.chosen.their_deck = "";
    this.decks = null;
    this.adapt();
  }

  /**
   * Which decks are legal the house rules say, too.
   * @param {{mine: DeckChoice, theirs: DeckChoice}} decks
   */
  adaptDecks(decks) {
    this.show({ alone: ALONE.includes(this.values().opponent) });
    const rules = JSON.stringify(this.deckRules());
    if (rules !== this.rules) for (const deck of Object.values(decks)) deck.tell();
    this.rules = rules;
  }

  async play() {
    this.button.disabled = true;
    this.keep();
    // After an update the server may have to compile the rules first.
    const patience = setTimeout(() => (this.button.textContent = say("lobby.preparing")), 1200);
    try {
      await this.introduce();
      const made = await post("/api/rooms", await this.wanted());
      new Notes(made.room).note("commitment", made.commitment);
      if (made.invite) invites.keep(made.room, made.invite);
      location.assign(`/room/${made.room}`);
    } catch (error) {
      clearTimeout(patience);
      this.button.disabled = false;
      this.adapt();
      if (!(error instanceof ApiError)) throw error;
      this.refused(error);
    }
  }

  /**
   * Every reason, beside the button that was pressed.
   * @param {ApiError} error
   */
  refused(error) {
    if (error.status === 0) return showError(error.text);
    const said = error.reasons.map(({ text, rule }) =>
      h("li", null, rule ? [text.replace(` (${rule})`, ""), "\u00a0", ruleLink(rule)] : text),
    );
    this.reasons.replaceChildren(h("p", null, say("lobby.refused")), h("ul", null, said));
    if (error.code.startsWith("option.")) this.house.element.open = true;
    this.reasons.scrollIntoView({ block: "nearest" });
  }

  /**
   * What the server is asked for.
   * @returns {Promise<NewRoom>}
   */
  async wanted() {
    const chosen = this.values();
    return {
      game: nameOf(this.kind.game),
      options: this.settled.options,
      opponent: OPPONENTS.find((one) => one === chosen.opponent),
      ...(chosen.opponent === "bot" ? { bot: /** @type {NewRoom["bot"]} */ (`level:${chosen.level}`) } : {}),
      ...(chosen.opponent === "self" ? { other_name: chosen.other_name } : {}),
      ...this.wantedSet(({ digest }) => ({ digest })),
      ...(await this.wantedDecks()),
      clock: clock(chosen),
      begins: /** @type {NewRoom["begins"]} */ (chosen.begins ?? "lot"),
      ...(chosen.rated === "rated" ? { rated: true } : {}),
    };
  }

  /** @returns {Promise<{deck?: string, their_deck?: string}>} */
  async wantedDecks() {
    if (!this.kind.game.needs_decks) return {};
    const { mine, theirs } = await this.loadDecks();
    const alone = ALONE.includes(this.values().opponent);
    return { deck: await mine.value(), ...(alone ? { their_deck: await theirs.value() } : {}) };
  }

  /**
   * Nothing where the cards are the core set's.
   * @template T
   * @param {(set: import("./card-set.js").CardSet) => T} told
   * @returns {{set?: T}}
   */
  wantedSet(told) {
    return this.kind.game.own_sets && !this.cardSet.core ? { set: told(this.cardSet) } : {};
  }

  /** Whoever opens it finds the form filled in just like this. */
  async address() {
    const { game, options } = this.settled;
    const values = this.values();
    const fields = FIELDS.filter((name) => name in values).map((name) => [name, values[name]]);
    const set = this.wantedSet(({ digest }) => digest);
    const chosen = { game, ...options, ...Object.fromEntries(fields), ...set, ...(await this.wantedDecks()) };
    return `${(await outside()).origin}${withQuery("/", chosen)}`;
  }

  async copyLink() {
    try {
      this.link.value = await this.address();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return this.refused(error);
    }
    const copied = await copyText(this.link.value);
    this.link.hidden = copied;
    if (!copied) return this.link.focus();
    this.copy.textContent = say("lobby.link.copied");
    announce(say("lobby.link.copied"));
    setTimeout(() => (this.copy.textContent = say("lobby.link.copy")), SHOWN_AS_COPIED);
  }
}

/** @param {Record<string, string>} chosen @returns {Record<string, number>} */
function clock(chosen) {
  if (chosen.clock === "minutes") return { minutes: Number(chosen.minutes), increment: Number(chosen.increment) };
  return chosen.clock === "days" ? { days: Number(chosen.days) } : {};
}
