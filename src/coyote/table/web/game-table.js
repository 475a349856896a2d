// @ts-check
// The table of any game, for pages that learn only from the server which one they show. A game that is not listed
// here is played on a plain table, with nothing of its own.
import { $, h } from "./dom.js";

/** @typedef {import("./types").GameTable} GameTable */
/** @typedef {{styles: string[], load: () => Promise<GameTable>}} Kind styles besides those of the page, in order */

/** @type {Record<string, Kind>} */
const TABLES = {
  madness: {
    styles: ["playing-card", "madness-table"],
    load: async () => new (await import("./madness-table.js")).MadnessTable(),
  },
  duel: {
    styles: ["duel-card", "duel-table"],
    load: async () => (await import("./duel-table.js")).DuelTable.laid(),
  },
};

/** @type {Kind} */
const PLAIN = {
  styles: ["plain-table"],
  load: async () => new (await import("./plain-table.js")).PlainTable(),
};

/**
 * An element of the game, with all that it needs to be shown at once. It says `move` and `attempt`.
 * @param {string} game
 * @returns {Promise<GameTable>}
 */
export async function makeTable(game) {
  const { styles, load } = Object.hasOwn(TABLES, game) ? TABLES[game] : PLAIN;
  const [table] = await Promise.all([load(), ...styles.map(dress)]);
  return table;
}

/** @param {string} name */
function dress(name) {
  const href = `/static/${name}.css`;
  if ($(`link[href="${href}"]`)) return null;
  return new Promise((resolve, reject) => {
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: reject }));
  });
}
