// @ts-check
// What can be played here, as the server tells it: no page knows by itself which games there are.
import { get } from "./api.js";
import { lang, line } from "./words.js";

/** @typedef {import("./wire").Gets["/api/games"]["answer"]["games"][number]} Game */
/** @typedef {Game["editions"][number]} Edition */
/** @typedef {Game["options"][number]} Option */
/** @typedef {import("./wire").NewRoom["game"]} GameName */
/** @typedef {{id: string, game: Game, edition: Edition | null}} Kind a game, in one of its editions where it has some */

/** @type {Game[]} */
let games = [];
/** @type {Promise<void> | null} */
let loading = null;

/** Once before a page is built; `ready` of the shell awaits it. */
export function loadGames() {
  loading ??= get("/api/games").then((told) => {
    games = told.games;
  });
  return loading;
}

export function allGames() {
  return games;
}

/**
 * @param {string | null} name
 * @returns {Game | undefined}
 */
export function gameNamed(name) {
  return games.find((game) => game.name === name);
}

/** @returns {Kind[]} */
export function allKinds() {
  return games.flatMap((game) =>
    [...(game.editions.length ? game.editions : [null])].map((edition) => kindOf(game, edition)),
  );
}

/** @param {Game} game @param {Edition | null} edition @returns {Kind} */
function kindOf(game, edition) {
  return { id: edition ? `${game.name}/${edition.name}` : game.name, game, edition };
}

/**
 * The edition of a game; where that names none, its first one.
 * @param {string} game
 * @param {string} edition
 */
export function kindNamed(game, edition) {
  const kinds = allKinds().filter((kind) => kind.game.name === game);
  return kinds.find((kind) => kind.edition?.name === edition) ?? kinds[0];
}

/**
 * The game that a page is about, by the end of its address; where that names none, the first one.
 * @returns {Game}
 */
export function gameOfPage() {
  return gameNamed(location.pathname.split("/")[2] ?? "") ?? games[0];
}

/**
 * Rules are cited by number, and the letter before it is the game's.
 * @param {string} rule
 */
export function gameOfRule(rule) {
  return games.find((game) => game.letter === rule[0]);
}

/**
 * What people call it, in the reader's language.
 * @param {{title: import("./wire").Both | Record<string, string>}} named
 */
export function titleOf(named) {
  return line(named.title[lang]);
}

/**
 * The name of a game where the server knows only a few.
 * @param {Game} game
 */
export function nameOf(game) {
  return /** @type {GameName} */ (game.name);
}
