// @ts-check
// The table of any game, for pages that learn only from the server which one they show. A game that is not listed
// here is played on a plain table, with nothing of its own.
import { ApiError } from "./api.js";
import { $, h } from "./dom.js";

/** @typedef {import("./types").GameTable} GameTable */
/** @typedef {{styles: string[], load: (room?: string) => Promise<GameTable>}} Kind styles besides those of the page, in order */

/** @type {Record<string, Kind>} */
const TABLES = {
  madness: {
    styles: ["playing-card", "madness-table"],
    load: async () => new (await import("./madness-table.js")).MadnessTable(),
  },
  duel: {
    styles: ["duel-card", "duel-table"],
    load: async (room) => (await import("./duel-table.js")).DuelTable.laid(room),
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
 * @param {string} [room] whose cards it is played with
 * @returns {Promise<GameTable>}
 */
export async function makeTable(game, room) {
  const { styles, load } = Object.hasOwn(TABLES, game) ? TABLES[game] : PLAIN;
  try {
    const [table] = await Promise.all([load(room), ...styles.map(dress)]);
    return table;
  } catch (error) {
    // What the server refuses, it refuses the next time as well.
    if (!(error instanceof ApiError) || error.status === 0) dispatchEvent(new Event("notloaded"));
    throw error;
  }
}

/** @param {string} name */
function dress(name) {
  const { href } = new URL(`${name}.css`, import.meta.url);
  if ($(`link[href$="/${name}.css"]`)) return null;
  return new Promise((resolve, reject) => {
    const onerror = () => reject(new Error(`no style: ${name}`));
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror }));
  });
}
