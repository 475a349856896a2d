// @ts-check
// Decks that the reader keeps in this browser, by their names and the sets that they are of.

/** @typedef {import("./card-set.js").CardSet} CardSet */
/** @typedef {{name: string, cards: string[], code?: string, set?: string}} SavedDeck with its code, if it broke no rule when it was saved; `set` is what its set is called, if that is not the core one */

const KEY = "decks";
const DRAFT = "deck-draft";

/**
 * A deck follows its set through the versions: which of them fits is for the server to say.
 * @param {CardSet} set
 * @returns {string | undefined}
 */
const called = (set) => (set.core ? undefined : set.name);

/** @returns {SavedDeck[]} */
function allDecks() {
  const found = read(KEY);
  return Array.isArray(found) ? found.filter(isDeck) : [];
}

/**
 * @param {CardSet} set
 * @returns {SavedDeck[]}
 */
export function savedDecks(set) {
  return allDecks().filter((deck) => deck.set === called(set));
}

/**
 * Those of other sets than the core one that have a code, which names the set: they can be had anywhere.
 * @returns {(SavedDeck & {code: string, set: string})[]}
 */
export function decksOfOtherSets() {
  return allDecks().flatMap((deck) => (deck.code && deck.set ? [{ ...deck, code: deck.code, set: deck.set }] : []));
}

/** @param {SavedDeck} deck @param {CardSet} set */
export function saveDeck(deck, set) {
  write([...others(deck.name, set), { ...deck, set: called(set) }].sort((a, b) => a.name.localeCompare(b.name)));
}

/** @param {string} name @param {CardSet} set */
export function deleteDeck(name, set) {
  write(others(name, set));
}

/** @param {string} name @param {CardSet} set */
function others(name, set) {
  return allDecks().filter((one) => one.name !== name || one.set !== called(set));
}

/** @param {SavedDeck[]} decks */
function write(decks) {
  localStorage.setItem(KEY, JSON.stringify(decks));
}

/**
 * What was being built when the page was left.
 * @param {CardSet} set
 * @returns {SavedDeck | null}
 */
export function draft(set) {
  const found = read(DRAFT);
  return isDeck(found) && found.set === called(set) ? found : null;
}

/** @param {SavedDeck} deck @param {CardSet} set */
export function keepDraft(deck, set) {
  localStorage.setItem(DRAFT, JSON.stringify({ ...deck, set: called(set) }));
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
