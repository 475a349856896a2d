// @ts-check
// The table of either game, for pages that learn only from the server which one they show.
import { h } from "./dom.js";

/** @type {Record<string, string[]>} styles beside those of the page, in their order */
const STYLES = {
  madness: ["playing-card", "madness-table"],
  duel: ["duel-card", "duel-table"],
};

/**
 * An element of the game, with all that it needs to be shown at once.
 * @param {string} game
 * @returns {Promise<import("./types").GameTable>}
 */
export async function makeTable(game) {
  await Promise.all([import(`./${game}-table.js`), ...STYLES[game].map(dress)]);
  if (game === "duel") await (await import("./duel-card.js")).loadCards();
  return /** @type {import("./types").GameTable} */ (document.createElement(`${game}-table`));
}

/** @param {string} name */
function dress(name) {
  return new Promise((resolve, reject) => {
    document.head.append(h("link", { rel: "stylesheet", href: `/static/${name}.css`, onload: resolve, onerror: reject }));
  });
}
