// @ts-check
// The form for a new game. Everything has a sensible value already, so that one press is enough.
import { ApiError, ensureGuest, post } from "./api.js";
import { deckChoice } from "./deck-choice.js";
import { h } from "./dom.js";
import { playingCard } from "./playing-card.js";
import { invites } from "./share.js";
import { showError } from "./shell.js";
import { say } from "./words.js";

const GAMES = ["standard", "classic", "duel"];
const OPPONENTS = ["bot", "link", "open", "self"];
const LEVELS = ["1", "2", "3", "4", "5"];
const KEPT = "lobby";

/**
 * The choices of the last time.
 * @returns {Record<string, string>}
 */
function lastTime() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * One of several, as big buttons that are radio buttons underneath.
 * @param {string} name
 * @param {string[]} values
 * @param {string} chosen
 * @param {(value: string) => any[]} show
 */
function choice(name, values, chosen, show) {
  const one = (/** @type {string} */ value) =>
    h(
      "label",
      { class: "option" },
      h("input", { type: "radio", name, value, checked: value === chosen, class: "visually-hidden" }),
      h("span", { class: "tile" }, ...show(value)),
    );
  return h("fieldset", { class: `field choice ${name}` }, h("legend", null, say(`lobby.${name}.label`)), h("div", { class: "options" }, values.map(one)));
}

/** @param {string} game */
function gameFace(game) {
  const cards = { standard: ["7S", "QH", "X1"], classic: ["9D", "KC", "AH"] }[game];
  const picture = cards
    ? h("span", { class: "fan", "aria-hidden": "true" }, cards.map((card) => playingCard(card, { size: "s" })))
    : h("span", { class: "fan duel-fan", "aria-hidden": "true" }, h("i", { class: "attack" }), h("i", { class: "wild" }), h("i", { class: "block" }));
  return [picture, h("b", null, say(`table.game.${game}`)), h("small", null, say(`lobby.game.about.${game}`))];
}

/** @param {string} kind */
function opponentFace(kind) {
  return [h("b", null, say(`lobby.opponent.${kind}`)), h("small", null, say(`lobby.opponent.about.${kind}`))];
}

/** @param {string} level */
function levelFace(level) {
  return [h("b", null, say(`name.level.${level}`)), h("span", { class: "pips", "aria-hidden": "true" }, LEVELS.map((n) => h("i", { class: n <= level ? "on" : "" })))];
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string[]} values
 * @param {string} chosen
 */
function select(id, label, values, chosen) {
  const found = h("select", { id, name: id }, values.map((value) => h("option", { value }, say(`lobby.${id}.${value}`))));
  found.value = values.includes(chosen) ? chosen : values[0];
  return h("div", { class: "field" }, h("label", { for: id }, label), found);
}

/**
 * @param {string} id
 * @param {string} value
 * @param {number} most
 */
function number(id, value, most) {
  const input = h("input", { type: "number", id, name: id, value, min: 0, max: most, step: "any", inputmode: "decimal" });
  return h("div", { class: "field small" }, h("label", { for: id }, say(`lobby.${id}`)), input);
}

export class GameForm {
  constructor() {
    const last = lastTime();
    this.about = h("p", { class: "note level-about" });
    this.duelPart = h("div", { class: "duel-part" });
    this.otherName = h("input", { type: "text", id: "other_name", name: "other_name", maxlength: 40, value: last.other_name || say("lobby.second"), autocomplete: "off" });
    this.button = h("button", { type: "submit", class: "primary big" });
    this.form = h(
      "form",
      { class: "panel new-game", "aria-label": say("lobby.new") },
      choice("game", GAMES, last.game ?? "standard", gameFace),
      choice("opponent", OPPONENTS, last.opponent ?? "bot", opponentFace),
      h("div", { class: "only-bot" }, choice("level", LEVELS, last.level ?? "2", levelFace), this.about),
      h("div", { class: "field only-self" }, h("label", { for: "other_name" }, say("lobby.other_name")), this.otherName),
      this.duelPart,
      this.details(last),
      this.button,
    );
    /** @type {{mine: any, theirs: any} | null} */
    this.decks = null;
    this.form.addEventListener("change", () => this.adapt());
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
        h("div", { class: "row only-minutes" }, number("minutes", last.minutes ?? "10", 600), number("increment", last.increment ?? "5", 600)),
        h("div", { class: "only-days" }, number("days", last.days ?? "1", 30)),
        h("div", { class: "only-madness" }, select("begins", say("lobby.begins.label"), ["lot", "host", "other"], last.begins ?? "lot")),
        h("label", { class: "check only-duel" }, h("input", { type: "checkbox", name: "open_lists", checked: last.open_lists === "on" }), say("lobby.open_lists")),
      ),
    );
  }

  /** @returns {Record<string, string>} */
  values() {
    return /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(this.form)));
  }

  /** Only what matters for the choices made is there to be seen. */
  adapt() {
    const chosen = this.values();
    const duel = chosen.game === "duel";
    const alone = ["bot", "self"].includes(chosen.opponent);
    this.show({
      bot: chosen.opponent === "bot",
      self: chosen.opponent === "self",
      minutes: chosen.clock === "minutes",
      days: chosen.clock === "days",
      madness: !duel,
      duel,
    });
    this.about.textContent = say(`lobby.level.about.${chosen.level}`);
    this.button.textContent = say(`lobby.go.${chosen.opponent}`);
    if (duel) this.loadDecks().then((decks) => (decks.theirs.element.hidden = !alone));
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  }

  /** @param {Record<string, boolean>} what */
  show(what) {
    this.duelPart.hidden = !what.duel;
    for (const [name, shown] of Object.entries(what)) {
      for (const part of this.form.querySelectorAll(`.only-${name}`)) /** @type {HTMLElement} */ (part).hidden = !shown;
    }
  }

  async loadDecks() {
    if (this.decks) return this.decks;
    const mine = await deckChoice({ label: say("lobby.my_deck"), id: "my_deck" });
    const theirs = await deckChoice({ label: say("lobby.their_deck"), id: "their_deck" });
    this.decks ??= { mine, theirs };
    this.duelPart.replaceChildren(this.decks.mine.element, this.decks.theirs.element);
    return this.decks;
  }

  async play() {
    this.button.disabled = true;
    // After an update the server may have to compile the rules first.
    const patience = setTimeout(() => (this.button.textContent = say("lobby.preparing")), 1200);
    try {
      await ensureGuest();
      const made = await post("/api/rooms", this.wanted());
      if (made.invite) invites.keep(made.room, made.invite);
      location.assign(`/room/${made.room}`);
    } catch (error) {
      clearTimeout(patience);
      this.button.disabled = false;
      this.adapt();
      if (!(error instanceof ApiError)) throw error;
      showError(error.text, error.rule);
    }
  }

  /** What the server is asked for. */
  wanted() {
    const chosen = this.values();
    const duel = chosen.game === "duel";
    const alone = ["bot", "self"].includes(chosen.opponent);
    return {
      game: duel ? "duel" : "madness",
      options: duel ? (chosen.open_lists ? { "open-lists": "true" } : {}) : { edition: chosen.game },
      opponent: chosen.opponent,
      ...(chosen.opponent === "bot" ? { bot: `level:${chosen.level}` } : {}),
      ...(chosen.opponent === "self" ? { other_name: chosen.other_name } : {}),
      ...(duel && this.decks ? { deck: this.decks.mine.value() } : {}),
      ...(duel && alone && this.decks ? { their_deck: this.decks.theirs.value() } : {}),
      clock: clock(chosen),
      begins: duel ? "lot" : chosen.begins,
    };
  }
}

/** @param {Record<string, string>} chosen */
function clock(chosen) {
  if (chosen.clock === "minutes") return { minutes: Number(chosen.minutes), increment: Number(chosen.increment) };
  return chosen.clock === "days" ? { days: Number(chosen.days) } : {};
}

