// @ts-check
// `/games`: one's own games, those that go on first, and how the others ended.
import { ApiError, get, isGuest, post } from "./api.js";
import { setMark } from "./card-set.js";
import { allGames, allKinds, titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { sumsPanel } from "./own-sums.js";
import { changeText } from "./rating.js";
import { clockTitle } from "./room-panels.js";
import { announce, confirmed, ready, showError, startPage } from "./shell.js";
import { LEVELS, lang, line, say, shownName } from "./words.js";

/** @typedef {import("./wire").OwnGame} OwnGame */
/** @typedef {import("./wire").Gets["/api/me/games"]["params"]} Wanted */
/** @typedef {Map<string, string>} DeckNames of ready decks, by their ids */

const AT_ONCE = 20;
const FEW = 8; // letters of a deck's code that tell it from others
const RESULTS = ["won", "lost", "drawn", "aborted"];
const ORDER = ["yours", "seated", "playing", "theirs", "waiting"]; // what waits for me comes first

await ready();
const { main } = startPage({ title: say("games.title") });
main.classList.add("own-games");
main.append(h("div", { class: "row head" }, h("h1", null, say("games.title")), h("a", { class: "button", href: "/ladder" }, say("ladder.title"))));
/** @type {DeckNames} */
let decks = new Map();

async function showAll() {
  const going = isGuest() ? await ownGames({ phase: "going", most: 100 }) : null;
  decks = await deckNames();
  if (!going) return main.append(nobody());
  const over = new FinishedGames();
  const sums = sumsPanel(deckTitle);
  main.append(h("div", { class: "lists" }, goingPanel(going.games), over.panel), sums.panel);
  await Promise.all([over.choose(), sums.show("")]);
}

/**
 * Not those of a guest whom the server does not know any more.
 * @param {Wanted} wanted
 */
async function ownGames(wanted) {
  try {
    return await get("/api/me/games", wanted);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 401) showError(error.text);
    return null;
  }
}

function nobody() {
  return h(
    "section",
    { class: "panel" },
    h("p", null, say("games.nobody")),
    h("a", { class: "button primary", href: "/" }, say("games.play")),
  );
}

/** @returns {Promise<DeckNames>} */
async function deckNames() {
  const found = await get("/api/decks").catch(() => []);
  return new Map(found.map((deck) => [deck.id, deck.name[lang]]));
}

/** @param {string} deck */
function deckTitle(deck) {
  return decks.get(deck) ?? say("games.own_deck", { end: deck.slice(-FEW) });
}

// ---------------------------------------------------------------- those that go on

/** @param {OwnGame[]} games */
function goingPanel(games) {
  const rank = (/** @type {OwnGame} */ game) => ORDER.indexOf(state(game));
  const list = h("ul", { class: "games going" });
  const none = h("p", { class: "note", hidden: games.length > 0 }, say("games.going.none"));
  const gone = (/** @type {HTMLElement} */ row) => {
    row.remove();
    none.hidden = list.childElementCount > 0;
    announce(say("games.left"));
  };
  for (const game of [...games].sort((a, b) => rank(a) - rank(b))) list.append(goingRow(game, gone));
  return h("section", { class: "panel" }, h("h2", null, say("games.going.title")), none, list);
}

/** @param {OwnGame} game */
function state({ phase, turn }) {
  if (phase === "playing") return turn ?? "playing";
  return phase === "seated" ? "seated" : "waiting";
}

/** @param {OwnGame} game @param {(row: HTMLElement) => void} gone */
function goingRow(game, gone) {
  const now = state(game);
  const begun = game.phase === "playing";
  const stage = begun ? "playing" : "waiting";
  const leave = h("button", { type: "button", class: "quiet" }, say(`games.leave.${stage}`));
  const made = gameRow(game, now, say(`games.state.${now}`), [
    h("a", { class: now === "yours" ? "button primary" : "button", href: `/room/${game.room}` }, say("games.go_on")),
    leave,
  ]);
  leave.addEventListener("click", async () => {
    if (!(await confirmed(say(`games.leave_sure.${stage}`), say(`games.leave.${stage}`)))) return;
    leave.disabled = true;
    try {
      await post("/api/rooms/{room}/leave", {}, { room: game.room });
      gone(made);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text, error.rule);
      leave.disabled = false;
    }
  });
  return made;
}

// ---------------------------------------------------------------- those that are over

/** A list that grows on demand, and what is chosen from it. */
class FinishedGames {
  constructor() {
    this.list = h("ul", { class: "games" });
    this.none = h("p", { class: "note", hidden: true }, say("games.over.none"));
    this.more = h("button", { type: "button", class: "more", hidden: true }, say("games.more"));
    this.more.addEventListener("click", () => this.grow());
    this.game = choice("game", gameChoices(), () => this.choose());
    this.against = choice("against", againstChoices(), () => this.choose());
    this.result = choice("result", RESULTS.map((one) => [one, say(`games.result.${one}`)]), () => this.choose());
    const filters = [this.game, this.against, this.result].map((one) => one.element);
    this.panel = h(
      "section",
      { class: "panel" },
      h("h2", null, say("games.over.title")),
      h("div", { class: "filters", role: "group", "aria-label": say("games.filter.label") }, filters),
      this.none,
      this.list,
      this.more,
    );
    /** @type {string | null} */
    this.next = null;
    this.asked = 0;
  }

  /** @returns {Wanted} */
  wanted() {
    const [game, edition = ""] = this.game.value().split("/");
    const result = /** @type {Wanted["result"]} */ (this.result.value());
    return { phase: "over", game, edition, against: this.against.value(), result, most: AT_ONCE };
  }

  async choose() {
    const asked = (this.asked += 1);
    const found = await ownGames(this.wanted());
    if (!found || asked !== this.asked) return;
    this.list.replaceChildren();
    this.show(found);
    this.none.hidden = found.games.length > 0;
  }

  async grow() {
    const asked = this.asked;
    this.more.disabled = true;
    const found = await ownGames({ ...this.wanted(), before: this.next ?? "" });
    this.more.disabled = false;
    if (!found || asked !== this.asked) return;
    const first = this.show(found);
    announce(say("games.more_shown", { n: found.games.length }));
    if (this.more.hidden) first?.querySelector("a")?.focus(); // the button that had the focus is gone
  }

  /** @param {import("./wire").OwnGames} found */
  show({ games, next }) {
    const rows = games.map(finishedRow);
    this.list.append(...rows);
    this.next = next;
    this.more.hidden = next === null;
    return rows[0];
  }
}

/** @param {OwnGame} game */
function finishedRow(game) {
  const over = game.phase === "over";
  const outcome = over ? (game.outcome ?? "played") : "ended";
  return gameRow(game, outcome, say(`games.outcome.${outcome}`), [
    over ? h("a", { class: "button", href: `/replay/${game.room}` }, say("games.replay")) : null,
    game.next ? h("a", { class: "button quiet", href: `/room/${game.next}` }, say("games.rematch")) : null,
  ]);
}

/**
 * @param {string} name
 * @param {string[][]} choices value and words
 * @param {() => void} changed
 */
function choice(name, choices, changed) {
  const select = h(
    "select",
    { id: `games-${name}`, onchange: changed },
    [["", say("games.filter.all")], ...choices].map(([value, text]) => h("option", { value }, text)),
  );
  const label = h("label", { for: select.id }, say(`games.filter.${name}`));
  return { element: h("div", { class: "field" }, label, select), value: () => select.value };
}

function gameChoices() {
  const whole = allGames().filter((game) => game.editions.length > 1);
  const title = (/** @type {import("./catalog.js").Kind} */ { game, edition }) =>
    edition ? line(titleOf(game), titleOf(edition)) : titleOf(game);
  const kinds = allKinds().map((kind) => [kind.id, title(kind)]);
  return [...whole.map((game) => [game.name, titleOf(game)]), ...kinds];
}

function againstChoices() {
  const sides = ["person", "bot", "self"].map((side) => [side, say(`games.against.${side}`)]);
  return [...sides, ...LEVELS.map((level) => [level, shownName(level)])];
}

// ---------------------------------------------------------------- a row

/**
 * @param {OwnGame} game
 * @param {string} look
 * @param {string} mark how it stands, in a word
 * @param {import("./dom.js").Child[]} actions
 */
function gameRow(game, look, mark, actions) {
  const at = new Date(game.ended_at ?? game.made_at);
  const date = at.toLocaleDateString(lang, { day: "numeric", month: "short", year: "numeric" });
  const rated = game.rated ? [game.rating ? changeText(game.rating.before, game.rating.after) : say("table.rated")] : [];
  const details = [titleOf(game), clockTitle(game.clock), ...rated, ...lengthOf(game), ...decksOf(game), date];
  return h(
    "li",
    { class: `own-game ${look}` },
    h("b", { class: "mark" }, mark),
    h(
      "div",
      { class: "about" },
      h("span", { class: "who" }, opponentOf(game)),
      game.why ? h("span", { class: "why" }, game.why[lang]) : null,
      h("span", { class: "what" }, line(...details), " ", setMark(game.set)),
    ),
    h("div", { class: "actions" }, actions),
  );
}

/** @param {OwnGame} game */
function opponentOf({ opponent, other }) {
  if (opponent === "self") return say("games.alone");
  return other ? say("games.versus", { name: shownName(other) }) : shownName(other);
}

/** @param {OwnGame} game */
function lengthOf({ turns }) {
  return turns ? [say("games.turns", { n: turns })] : [];
}

/** @param {OwnGame} game */
function decksOf({ deck, their_deck: other }) {
  if (!deck) return [];
  const name = deckTitle(deck);
  return [other ? say("games.decks", { name, other: deckTitle(other) }) : say("games.deck", { name })];
}

await showAll();
