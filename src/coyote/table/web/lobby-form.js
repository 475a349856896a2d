// @ts-check
// The form for a new game. Everything has a sensible value already, so that one press is enough.
import { ApiError, ensureGuest, post } from "./api.js";
import { allKinds, kindNamed, nameOf, titleOf } from "./catalog.js";
import { deckChoice } from "./deck-choice.js";
import { h } from "./dom.js";
import { Notes } from "./fair.js";
import { lookOf } from "./games.js";
import { HouseRules } from "./house-rules.js";
import { invites } from "./share.js";
import { ruleLink, showError } from "./shell.js";
import { knows, say } from "./words.js";

/** @typedef {import("./catalog.js").Kind} Kind */
/** @typedef {import("./deck-choice.js").DeckChoice} DeckChoice */
/** @typedef {import("./wire").NewRoom} NewRoom */
/** @typedef {Record<string, string | number>} Values */
/** @typedef {{chosen: Record<string, string>, house: Record<string, Values>}} Kept house rules by the kind of game */

/** @type {NonNullable<NewRoom["opponent"]>[]} */
const OPPONENTS = ["bot", "link", "open", "self"];
const ALONE = ["bot", "self"];
const LEVELS = ["1", "2", "3", "4", "5"];
const KEPT = "lobby";

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
 * What the address asks for: `/?game=madness&edition=standard&goal=7`, and a deck from the deck page.
 * @returns {{kind: Kind | undefined, deck: string | undefined, house: Values}}
 */
function asked() {
  const { game = "", edition = "", deck, ...house } = Object.fromEntries(new URLSearchParams(location.search));
  const kind = kindNamed(game, edition);
  return { kind, deck, house: kind ? house : {} };
}

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
      LEVELS.map((n) => h("i", { class: n <= level ? "on" : "" })),
    ),
  ];
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string[]} values
 * @param {string} chosen
 */
function select(id, label, values, chosen) {
  const found = h(
    "select",
    { id, name: id },
    values.map((value) => h("option", { value }, say(`lobby.${id}.${value}`))),
  );
  found.value = values.includes(chosen) ? chosen : values[0];
  return h("div", { class: "field" }, h("label", { for: id }, label), found);
}

/**
 * @param {string} id
 * @param {string} value
 * @param {number} most
 */
function number(id, value, most) {
  const input = h("input", {
    type: "number",
    id,
    name: id,
    value,
    min: 0,
    max: most,
    step: "any",
    inputmode: "decimal",
  });
  return h("div", { class: "field small" }, h("label", { for: id }, say(`lobby.${id}`)), input);
}

export class GameForm {
  constructor() {
    const last = lastTime();
    const link = asked();
    this.kept = last.house;
    this.link = link;
    const kinds = allKinds();
    const first = link.kind ?? kinds.find((kind) => kind.id === last.chosen.game) ?? kinds[0];
    const { chosen } = last;
    this.about = h("p", { class: "note level-about" });
    this.deckPart = h("div", { class: "deck-part" });
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
    this.form = h(
      "form",
      { class: "panel new-game", "aria-label": say("lobby.new") },
      choice(
        "game",
        kinds.map((kind) => kind.id),
        first.id,
        (id) => gameFace(kinds.find((kind) => kind.id === id) ?? first),
      ),
      choice("opponent", OPPONENTS, chosen.opponent ?? "bot", opponentFace),
      h("div", { class: "only-bot" }, choice("level", LEVELS, chosen.level ?? "2", levelFace), this.about),
      h(
        "div",
        { class: "field only-self" },
        h("label", { for: "other_name" }, say("lobby.other_name")),
        this.otherName,
      ),
      this.deckPart,
      h("div", { class: "more" }, this.house.element, this.details(chosen)),
      this.reasons,
      this.button,
    );
    /** @type {{mine: DeckChoice, theirs: DeckChoice} | null} */
    this.decks = null;
    this.showHouse(first, link.kind ? link.house : undefined);
    this.form.addEventListener("change", () => this.adapt());
    this.form.addEventListener("input", () => this.reasons.replaceChildren());
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
    return h(
      "details",
      { class: "more-choices" },
      h("summary", null, say("lobby.details")),
      h(
        "div",
        { class: "grid" },
        select("clock", say("lobby.clock.label"), ["none", "minutes", "days"], last.clock ?? "none"),
        h(
          "div",
          { class: "row only-minutes" },
          number("minutes", last.minutes ?? "10", 600),
          number("increment", last.increment ?? "5", 600),
        ),
        h("div", { class: "only-days" }, number("days", last.days ?? "1", 30)),
        h(
          "div",
          { class: "only-lot" },
          select("begins", say("lobby.begins.label"), ["lot", "host", "other"], last.begins ?? "lot"),
        ),
      ),
    );
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
    const chosen = this.values();
    const { kind } = this;
    if (this.house.kind?.id !== kind.id) this.showHouse(kind);
    this.kept[kind.id] = this.house.values();
    this.show({
      bot: chosen.opponent === "bot",
      self: chosen.opponent === "self",
      minutes: chosen.clock === "minutes",
      days: chosen.clock === "days",
      lot: kind.game.lot,
    });
    this.about.textContent = say(`lobby.level.about.${chosen.level}`);
    this.button.textContent = say(`lobby.go.${chosen.opponent}`);
    this.deckPart.hidden = !kind.game.needs_decks;
    if (kind.game.needs_decks)
      this.loadDecks().then(({ theirs }) => (theirs.element.hidden = !ALONE.includes(this.values().opponent)));
    localStorage.setItem(KEPT, JSON.stringify({ ...chosen, house: this.kept }));
  }

  /** @param {Record<string, boolean>} what */
  show(what) {
    for (const [name, shown] of Object.entries(what)) {
      for (const part of this.form.querySelectorAll(`.only-${name}`)) /** @type {HTMLElement} */ (part).hidden = !shown;
    }
  }

  /** @param {Event} event */
  uncover({ target }) {
    const closed = target instanceof Element ? target.closest("details") : null;
    if (closed) closed.open = true;
  }

  async loadDecks() {
    if (this.decks) return this.decks;
    const mine = await deckChoice({ label: say("lobby.my_deck"), id: "my_deck", chosen: this.link.deck });
    const theirs = await deckChoice({ label: say("lobby.their_deck"), id: "their_deck" });
    this.decks ??= { mine, theirs };
    this.deckPart.replaceChildren(this.decks.mine.element, this.decks.theirs.element);
    return this.decks;
  }

  async play() {
    this.button.disabled = true;
    // After an update the server may have to compile the rules first.
    const patience = setTimeout(() => (this.button.textContent = say("lobby.preparing")), 1200);
    try {
      await ensureGuest();
      const made = await post("/api/rooms", this.wanted());
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
   * @returns {NewRoom}
   */
  wanted() {
    const chosen = this.values();
    const { game, edition } = this.kind;
    const decks = game.needs_decks ? this.decks : null;
    return {
      game: nameOf(game),
      options: { ...(edition ? { edition: edition.name } : {}), ...this.house.values() },
      opponent: OPPONENTS.find((one) => one === chosen.opponent),
      ...(chosen.opponent === "bot" ? { bot: /** @type {NewRoom["bot"]} */ (`level:${chosen.level}`) } : {}),
      ...(chosen.opponent === "self" ? { other_name: chosen.other_name } : {}),
      ...(decks ? { deck: decks.mine.value() } : {}),
      ...(decks && ALONE.includes(chosen.opponent) ? { their_deck: decks.theirs.value() } : {}),
      clock: clock(chosen),
      begins: /** @type {NewRoom["begins"]} */ (game.lot ? chosen.begins : "lot"),
    };
  }
}

/** @param {Record<string, string>} chosen */
function clock(chosen) {
  if (chosen.clock === "minutes") return { minutes: Number(chosen.minutes), increment: Number(chosen.increment) };
  return chosen.clock === "days" ? { days: Number(chosen.days) } : {};
}
