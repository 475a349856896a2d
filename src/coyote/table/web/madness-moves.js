// @ts-check
// The notation of Madness, read only to connect cards and places on the table with legal moves.

/** @typedef {{move: string, card: string | null, place: string}} Option */

/**
 * Which card goes where with this move. Places are `side-2` (my side of field 2), `centre-2`, `boss`,
 * `discard`, `deck`; a move without a place of its own (`pass`, `decline`) is a button only.
 * @param {string} move
 * @param {number | null} closing the field that closed last, in the Coyote's Chance
 * @returns {Option}
 */
export function readMove(move, closing) {
  const [verb, card = null] = move.split(" ");
  const field = verb.slice(1);
  if (/^a\d$/.test(verb)) return { move, card, place: `side-${field}` };
  if (/^c\d$/.test(verb)) return { move, card, place: `centre-${field}` };
  if (verb === "b") return { move, card, place: "boss" };
  if (verb === "drop") return { move, card, place: "discard" };
  if (verb === "steal") return { move, card, place: `centre-${closing}` };
  if (verb === "draw") return { move, card, place: "deck" };
  if (verb === "push") return { move, card, place: "boss" };
  return { move, card, place: "" };
}

/**
 * @param {string[]} legal
 * @param {{closing: number | null}} view
 * @returns {Option[]}
 */
export function options(legal, view) {
  return legal.map((move) => readMove(move, view.closing));
}

/**
 * What somebody wants who puts a card at a place, legal or not: the server can say why not.
 * @param {string} place
 * @param {string} card
 * @param {string} phase
 * @returns {string | null}
 */
export function attemptedMove(place, card, phase) {
  const [what, field] = place.split("-");
  if (phase === "coyote") return `steal ${card}`;
  if (what === "side") return `a${field} ${card}`;
  if (what === "centre") return `c${field} ${card}`;
  if (what === "boss") return `b ${card}`;
  if (what === "discard") return `drop ${card}`;
  return null;
}
