// @ts-check
// A list of cards as people type it: `2 Ember`, `ember = 2`, `Ember ×2`, a line for each.

/** @typedef {import("./duel-card.js").Card} Card */

const MOST = 99; // copies of one card

/**
 * @param {string} text
 * @param {Iterable<Card>} cards
 * @returns {{cards: Card[], unknown: string[]}} each as often as it is wanted, and the lines that mean no card
 */
export function readList(text, cards) {
  const named = new Map([...cards].flatMap((card) => [card.id, card.name.ru, card.name.en].map((name) => [plain(name), card])));
  const found = { cards: /** @type {Card[]} */ ([]), unknown: /** @type {string[]} */ ([]) };
  for (const line of text.split("\n").map((one) => one.trim()).filter(Boolean)) {
    const { name, copies } = readLine(line, (one) => named.has(plain(one)));
    const card = named.get(plain(name));
    if (card) found.cards.push(...Array(Math.min(copies, MOST)).fill(card));
    else found.unknown.push(line);
  }
  return found;
}

/** @param {string} name */
function plain(name) {
  return name.trim().toLowerCase().replaceAll("ё", "е");
}

/**
 * A name may end in a number, or begin with one: what is a name as it stands is one.
 * @param {string} line @param {(name: string) => boolean} isName
 */
function readLine(line, isName) {
  const [, before, after] = line.match(/^(\d+)\s*[x×х*]?\s+(.+)$/i) ?? [];
  const [, first, last] = line.match(/^(.+?)\s*[=×*]\s*(\d+)$/) ?? [];
  if (isName(line) || !(before || last)) return { name: line, copies: 1 };
  return before ? { name: after, copies: Number(before) } : { name: first, copies: Number(last) };
}
