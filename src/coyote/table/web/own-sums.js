// @ts-check
// How one's games have ended, in small tables: by game, edition, opponent and deck.
import { get } from "./api.js";
import { allGames, gameNamed, kindNamed, titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { lang, line, say, shownName } from "./words.js";

/** @typedef {import("./wire").Statistics} Statistics */
/** @typedef {Statistics["games"][number] | Statistics["opponents"][number] | Statistics["decks"][number]} Sum */

/** @param {(deck: string) => string} deckTitle */
export function sumsPanel(deckTitle) {
  const tables = h("div", { class: "sums" });
  const select = h(
    "select",
    { id: "sums-game", onchange: () => show(select.value) },
    h("option", { value: "" }, say("games.filter.all")),
    allGames().map((game) => h("option", { value: game.name }, titleOf(game))),
  );
  const panel = h(
    "section",
    { class: "panel" },
    h("h2", null, say("games.sums.title")),
    h("div", { class: "field" }, h("label", { for: select.id }, say("games.filter.game")), select),
    tables,
  );
  let asked = 0;

  /** @param {string} game */
  async function show(game) {
    const mine = (asked += 1);
    const found = await get("/api/me/statistics", { game });
    if (mine === asked) tables.replaceChildren(...shown(found, deckTitle));
  }

  return { panel, show };
}

/** @param {Statistics} found @param {(deck: string) => string} deckTitle */
function shown({ games, editions, opponents, decks, alone }, deckTitle) {
  const gameTitle = (/** @type {{game: string}} */ { game }) => titleOf(gameNamed(game) ?? { title: { [lang]: game } });
  /** @type {(HTMLElement | null)[]} */
  const made = [
    table("games", games, gameTitle),
    table("editions", editions, (sum) => line(gameTitle(sum), editionTitle(sum.game, sum.edition ?? ""))),
    table("opponents", opponents, ({ bot, name }) => (bot ? shownName(bot) : (name ?? say("games.sums.gone")))),
    table("decks", decks, ({ deck }) => deckTitle(deck)),
    table("alone", alone, gameTitle, false),
  ];
  const tables = made.flatMap((one) => one ?? []);
  return tables.length ? tables : [h("p", { class: "note" }, say("games.sums.none"))];
}

/** @param {string} game @param {string} edition */
function editionTitle(game, edition) {
  const kind = kindNamed(game, edition);
  return kind?.edition?.name === edition ? titleOf(kind.edition) : edition;
}

/**
 * @template {Sum} S
 * @param {"games" | "editions" | "opponents" | "decks" | "alone"} name
 * @param {S[]} sums
 * @param {(sum: S) => string} title
 * @param {boolean} [decided] whether somebody has won
 */
function table(name, sums, title, decided = true) {
  if (!sums.length) return null;
  const heads = ["number", ...(decided ? ["shares"] : [])];
  return h(
    "table",
    null,
    h("caption", null, say(`games.sums.${name}`)),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("td", null),
        heads.map((head) => h("th", { scope: "col", class: head }, say(`games.sums.${head}`))),
      ),
    ),
    h(
      "tbody",
      null,
      sums.map((sum) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, title(sum), h("span", { class: "note" }, mean(sum))),
          h("td", { class: "number" }, sum.games),
          decided ? h("td", { class: "shares" }, bar(sum), counts(sum)) : null,
        ),
      ),
    ),
  );
}

/** @param {Sum} sum */
function bar({ won, drawn, lost }) {
  const parts = Object.entries({ won, drawn, lost }).filter(([, number]) => number);
  return h(
    "span",
    { class: "bar", "aria-hidden": "true" },
    parts.map(([name, number]) => h("span", { class: name, style: { "flex-grow": number } })),
  );
}

/** @param {Sum} sum */
function counts({ won, drawn, lost }) {
  return [
    h("span", { class: "counts", "aria-hidden": "true" }, line(String(won), String(drawn), String(lost))),
    h("span", { class: "visually-hidden" }, say("games.sums.told", { won, drawn, lost })),
  ];
}

/** @param {Sum} sum */
function mean({ turns, seconds }) {
  const minutes = (seconds / 60).toLocaleString(lang, { maximumFractionDigits: seconds < 600 ? 1 : 0 });
  const said = say("games.turns", { n: Math.round(turns) });
  return seconds < 60 ? say("games.sums.mean_short", { turns: said }) : say("games.sums.mean", { turns: said, minutes });
}
