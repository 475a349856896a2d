// @ts-check
// How the cards of each game are dealt from the seed, for `verify.js`. A game that is not here can only be checked
// by the program itself, and the page says so.

/** @typedef {import("./wire").GameRecord} GameRecord */
/** @typedef {import("./siphash.js").Chance} Chance */
/** @typedef {{key: string, ok: boolean, values: [string, string][]}} Dealt */

/**
 * @typedef {object} Deal
 * @property {(record: GameRecord) => object} setup what is settled before the deal besides the options
 * @property {(record: GameRecord, chance: Chance) => Dealt} check
 */

/** @type {Record<string, Deal>} */
const DEALS = {
  madness: { setup: () => ({}), check: checkPack },
  duel: { setup: twoLists, check: checkDecks },
};

/**
 * @param {string} game
 * @returns {Deal | undefined}
 */
export function dealOf(game) {
  return Object.hasOwn(DEALS, game) ? DEALS[game] : undefined;
}

/** @param {string[]} found @param {string[] | undefined} wanted */
function same(found, wanted) {
  return Array.isArray(wanted) && found.length === wanted.length && found.every((one, i) => one === wanted[i]);
}

// ---------------------------------------------------------------- one pack for both

/** @param {GameRecord} record @param {Chance} chance @returns {Dealt} */
function checkPack(record, chance) {
  const deck = chance.shuffled(pack(Number(record.options.jokers ?? 2))).reverse();
  return { key: "deck", ok: same(deck, record.deck), values: [["deck", deck.join(" ")]] };
}

/**
 * The pack before the shuffle: `2C 2D 2H 2S 3C … AS X1 X2`.
 * @param {number} jokers
 */
function pack(jokers) {
  const suited = [..."23456789TJQKA"].flatMap((rank) => [..."CDHS"].map((suit) => rank + suit));
  return [...suited, "X1", "X2"].slice(0, suited.length + jokers);
}

// ---------------------------------------------------------------- a deck for each

/**
 * @param {GameRecord} record
 * @returns {Required<Pick<GameRecord, "decks" | "super" | "set">>}
 */
function cardsOf({ decks, super: supers, set }) {
  if (!decks || !supers || !set) throw new TypeError("a record without decks");
  return { decks, super: supers, set };
}

/** The two lists, each sorted, with the Super, and the cards themselves. */
/** @param {GameRecord} record */
function twoLists(record) {
  const { decks, super: supers, set } = cardsOf(record);
  const lists = decks.map((deck, seat) => {
    const waiting = supers[seat];
    return [...deck, ...(waiting ? [waiting] : [])].sort();
  });
  return { decks: lists, set };
}

/**
 * Seat 0's deck is shuffled first, seat 1's from the words that follow.
 * @param {GameRecord} record
 * @param {Chance} chance
 * @returns {Dealt}
 */
function checkDecks(record, chance) {
  const { decks, set } = cardsOf(record);
  const order = set.cards.map((card) => card.id);
  const dealt = decks.map((deck) => {
    const sorted = [...deck].sort((a, b) => order.indexOf(a) - order.indexOf(b));
    return chance.shuffled(sorted).reverse();
  });
  const ok = dealt.every((deck, seat) => same(deck, decks[seat])) && supersWait(record);
  return { key: "decks", ok, values: [["deck_0", dealt[0].join(" ")], ["deck_1", dealt[1].join(" ")]] };
}

/** A Super is never in the first deck (D17): otherwise a list could be dealt in two ways. */
/** @param {GameRecord} record */
function supersWait(record) {
  const { decks, super: waiting, set } = cardsOf(record);
  const supers = new Set(set.cards.filter((card) => /^(Auto\. )?Super\./.test(card.text)).map((card) => card.id));
  return waiting.every((card) => card === null || supers.has(card)) && decks.flat().every((card) => !supers.has(card));
}
