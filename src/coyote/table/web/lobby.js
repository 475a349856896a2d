// @ts-check
// The first page: play at once, or choose; games that wait or can be watched; one's own games.
import { ApiError, get, isGuest } from "./api.js";
import { setMark } from "./card-set.js";
import { allGames, titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { GameForm } from "./lobby-form.js";
import { NameBox } from "./name-box.js";
import { clockTitle } from "./room-panels.js";
import { coyote, ready, startPage } from "./shell.js";
import { lang, line, say, shownName } from "./words.js";

/** @typedef {import("./wire").Listed} Listed */
/** @typedef {import("./wire").OwnGame} OwnGame */

const LOOK_EVERY = 5_000;
const MOST_MINE = 12;
const MOST_WATCHED = 8;
const CLUB = ["puzzles", "ladder", "tournaments", "boards", "judge"];
const NOBODY = { games: [], next: null };

await ready();
const { main } = startPage({ title: say("lobby.title") });
const mine = gameList("mine");
const waiting = gameList("waiting", say("lobby.nobody_waits"));
const playing = gameList("playing");
const nameBox = new NameBox();

mine.element.append(h("p", { class: "note" }, h("a", { href: "/games" }, say("lobby.all_mine"))));
main.classList.add("lobby");
main.append(
  hero(),
  new GameForm(() => nameBox.settle()).form,
  h("div", { class: "beside" }, nameBox.element, mine.element, waiting.element, playing.element, club()),
);
look();
setInterval(() => document.visibilityState === "visible" && look(), LOOK_EVERY);

function hero() {
  return h(
    "section",
    { class: "hero" },
    coyote(),
    h("div", null, h("h1", null, say("lobby.hello")), h("p", null, say("lobby.about"))),
    h(
      "div",
      { class: "first" },
      h("p", null, say("lobby.first")),
      h(
        "div",
        { class: "row" },
        allGames()
          .filter((game) => game.lesson)
          .map(lessonLink),
      ),
    ),
  );
}

/** What there is beside single games. */
function club() {
  const links = CLUB.map((name) => h("a", { class: "button", href: `/${name}` }, say(`${name}.title`)));
  return h("section", { class: "panel club" }, h("h2", null, say("lobby.club")), h("div", { class: "row" }, links));
}

/** @param {import("./catalog.js").Game} game */
function lessonLink(game) {
  const title = titleOf(game);
  return h("a", { class: "button", href: `/learn/${game.name}`, "aria-label": say("lobby.learn", { game: title }) }, title);
}

async function look() {
  try {
    const [open, running, { games: own }] = await Promise.all([
      get("/api/waiting"),
      get("/api/playing"),
      isGuest() ? get("/api/me/games", { most: MOST_MINE }) : NOBODY,
    ]);
    const ownIds = new Set(own.map((game) => game.room));
    const others = (/** @type {Listed[]} */ games) => games.filter((game) => !ownIds.has(game.room));
    mine.show(own.map(ownGame));
    waiting.show(others(open).map(waitingGame));
    playing.show(others(running).slice(0, MOST_WATCHED).map(watchedGame));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // the server is away for a moment; the next look may find it
    if (error.status === 401) localStorage.removeItem("guest");
  }
}

/**
 * A list of games under a title; where it has none, and nothing to say about that, it is not there.
 * @param {string} name @param {string} [none]
 */
function gameList(name, none = "") {
  const box = h("div", { class: "games" }, none ? h("p", { class: "note" }, none) : null);
  const element = h("section", { class: `panel ${name}`, hidden: !none }, h("h2", null, say(`lobby.${name}`)), box);
  let shown = "";
  const show = (/** @type {HTMLElement[]} */ rows) => {
    // Not rebuilt without need: a link that has the focus shall keep it.
    const now = rows.map((row) => `${row.getAttribute("href")} ${row.textContent}`).join("\n");
    if (shown === now) return;
    shown = now;
    element.hidden = !rows.length && !none;
    box.replaceChildren(...(rows.length ? rows : [h("p", { class: "note" }, none)]));
  };
  return { element, show };
}

/** @param {Listed} game */
function waitingGame(game) {
  return row(game, shownName(game.names[0]), `/room/${game.room}`, say("lobby.sit"));
}

/** @param {Listed} game */
function watchedGame(game) {
  return row(game, players(game), `/room/${game.room}`, say("lobby.watch"));
}

/** @param {OwnGame} game */
function ownGame(game) {
  const over = game.phase === "over";
  const made = row(game, players(game), over ? `/replay/${game.room}` : `/room/${game.room}`, say(stateOf(game)));
  made.classList.toggle("my-turn", game.turn === "yours");
  return made;
}

/**
 * How it ended; before that, whose turn it is.
 * @param {OwnGame} game
 */
function stateOf({ phase, outcome, turn }) {
  if (phase === "over") return outcome ? `lobby.outcome.${outcome}` : "lobby.replay";
  if (phase === "ended") return "lobby.ended";
  return turn ? `lobby.turn.${turn}` : "lobby.go_on";
}

/** @param {Listed} game */
function players(game) {
  return game.names.filter(Boolean).map(shownName).join(" — ");
}

/** @param {Listed} game @param {string} who @param {string} href @param {string} action */
function row(game, who, href, action) {
  const made = new Date(game.made_at).toLocaleDateString(lang, { day: "numeric", month: "short" });
  const rated = game.rated ? [say("table.rated")] : [];
  return h(
    "a",
    { class: `game-row ${game.phase}`, href },
    h("span", { class: "who" }, who),
    h("span", { class: "what" }, line(titleOf(game), clockTitle(game.clock), ...rated, made), " ", setMark(game.set)),
    h("span", { class: "chip" }, action),
  );
}
