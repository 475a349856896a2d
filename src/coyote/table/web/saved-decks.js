// @ts-check
// Decks that the reader keeps in this browser, by their names.

/** @typedef {{name: string, cards: string[], code?: string}} SavedDeck with its code, if it broke no rule when it was saved */

const KEY = "decks";
const DRAFT = "deck-draft";

/** @returns {SavedDeck[]} */
export function savedDecks() {
  const found = read(KEY);
  return Array.isArray(found) ? found.filter(isDeck) : [];
}

/** @param {SavedDeck} deck */
export function saveDeck(deck) {
  const others = savedDecks().filter((one) => one.name !== deck.name);
  localStorage.setItem(KEY, JSON.stringify([...others, deck].sort((a, b) => a.name.localeCompare(b.name))));
}

/** @param {string} name */
export function deleteDeck(name) {
  localStorage.setItem(KEY, JSON.stringify(savedDecks().filter((one) => one.name !== name)));
}

/**
 * What was being built when the page was left.
 * @returns {SavedDeck | null}
 */
export function draft() {
  const found = read(DRAFT);
  return isDeck(found) ? found : null;
}

/** @param {SavedDeck} deck */
export function keepDraft(deck) {
  localStorage.setItem(DRAFT, JSON.stringify(deck));
}

/** @param {string} key @returns {unknown} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null; // somebody else wrote it
  }
}

/** @param {unknown} one @returns {one is SavedDeck} */
function isDeck(one) {
  const { name, cards } = /** @type {Partial<SavedDeck>} */ (one ?? {});
  return typeof name === "string" && Array.isArray(cards) && cards.every((id) => typeof id === "string");
}
