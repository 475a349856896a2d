// @ts-check
// The one place where pages know games by their names: how each looks on its tile, and which of its events matter.
// A game that is not here has a plain tile and a plain story.
import { h } from "./dom.js";
import { playingCard } from "./playing-card.js";

/**
 * @typedef {object} Look
 * @property {(edition: number) => HTMLElement} picture for its tile; another one for each of its editions
 * @property {string[]} choices the events that are somebody's choice
 * @property {Record<string, string>} brought those that are none right after this one, which brings them
 * @property {string[]} minor the events that one sees anyway
 */

const FANS = [
  ["7S", "QH", "X1"],
  ["9D", "KC", "AH"],
];

/** @type {Record<string, Look>} */
const LOOKS = {
  madness: {
    picture: (edition) => fan(...FANS[edition % FANS.length].map((card) => playingCard(card, { size: "s" }))),
    choices: ["attack", "close", "beat", "pass", "draw", "drop", "push", "steal", "decline"],
    brought: { draw: "drop" },
    minor: ["turn", "clear"],
  },
  duel: {
    picture: () => fan(...["attack", "wild", "block"].map((kind) => h("i", { class: kind }))),
    choices: ["reveal", "hold"],
    brought: {},
    minor: ["turn"],
  },
};

/** @type {Look} */
const PLAIN = { picture: () => fan(h("i"), h("i"), h("i")), choices: [], brought: {}, minor: ["turn"] };

/** @param {string} game */
export function lookOf(game) {
  return Object.hasOwn(LOOKS, game) ? LOOKS[game] : PLAIN;
}

/** @param {...HTMLElement} cards */
function fan(...cards) {
  return h("span", { class: "fan", "aria-hidden": "true" }, cards);
}
