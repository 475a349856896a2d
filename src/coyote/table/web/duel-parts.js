// @ts-check
// The things that lie on the table of a duel, as the view has them.
import { h } from "./dom.js";
import { cardName, duelBack, duelCard, strangeCard } from "./duel-card.js";
import { say, shownName } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */
/**
 * @typedef {{title: string | null}} Turned a card turned over in the last turn; null where none was played
 * @typedef {object} Sight everything needed to draw
 * @property {any} view
 * @property {string[]} legal
 * @property {number} seat the seat at the bottom
 * @property {string[]} names by seat
 * @property {boolean} you whether the one at the bottom is the reader
 * @property {string[] | null} mine the hand at the bottom, where it may be seen
 * @property {string[] | null} theirs the hand at the top, where it may be seen
 * @property {(Turned | null)[]} turned by seat, what was revealed last
 * @property {(id: string) => Card} card
 */

/**
 * @param {{view: any, legal: string[], seat: number, names: (string | null)[], open?: any}} state
 * @param {Map<string, Card>} cards
 * @param {(Turned | null)[]} turned
 * @returns {Sight}
 */
export function sightOf({ view, legal, seat, names, open }, cards, turned) {
  const you = view.seat === seat;
  return {
    view,
    legal,
    seat,
    names: names.map(shownName),
    you,
    mine: open?.hands?.[seat] ?? (you ? view.hand : null),
    theirs: open?.hands?.[1 - seat] ?? null,
    turned,
    card: (id) => cards.get(id) ?? strangeCard(id),
  };
}

// ---------------------------------------------------------------- health

/**
 * Name, health and what cannot be seen of a player: how many cards are in the hand and in the deck.
 * @param {Sight} sight
 * @param {number} who
 */
export function bar(sight, who) {
  const { view, names, seat } = sight;
  return h(
    "div",
    { class: `d-bar ${who === seat ? "mine" : "theirs"}`, dataset: { bar: who } },
    h("span", { class: "d-who" }, names[who]),
    health(names[who], view.health[who], view.max[who]),
    h("span", { class: "counts" }, backs(view.held[who]), h("span", { class: "tally" }, say("duel.hand", { n: view.held[who] })), deckTally(view, who)),
  );
}

/** @param {any} view @param {number} who */
function deckTally(view, who) {
  const number = view.deck_number[who];
  return h(
    "span",
    { class: `tally deck-tally${number >= 5 ? " worn" : ""}`, dataset: { deck: who }, title: number >= 5 ? say("duel.deck_worn") : null },
    say("duel.deck", { n: view.deck[who] }),
    h("span", { class: "number" }, ` · ${say("duel.deck_number", { n: number })}`),
  );
}

/** @param {number} n */
function backs(n) {
  return h("span", { class: "backs", "aria-hidden": "true" }, Array.from({ length: n }, () => h("i", null)));
}

/** @param {string} name @param {number} now @param {number} top */
function health(name, now, top) {
  return h(
    "div",
    { class: "health", role: "meter", "aria-label": say("duel.health", { name, n: now, top }), "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.max(0, now) },
    h("span", { class: "gone" }),
    h("span", { class: "d-lost" }),
    h("span", { class: "gain" }),
    h("span", { class: "fill" }),
    h("b", { class: "points" }),
  );
}

// ---------------------------------------------------------------- what lies on one side

/**
 * The cards in play, the place of the picked card, the discard and what is set aside.
 * @param {Sight} sight
 * @param {number} who
 */
export function lane(sight, who) {
  return h(
    "div",
    { class: `lane ${who === sight.seat ? "mine" : "theirs"}`, dataset: { lane: who } },
    inPlay(sight, who),
    slot(sight, who),
    h("div", { class: "d-piles" }, pile(sight, who, "discard"), pile(sight, who, "aside")),
  );
}

/** @param {Sight} sight @param {number} who */
function inPlay({ view, names, card }, who) {
  const shown = view.play[who].map((/** @type {[string, number]} */ [id, age], /** @type {number} */ i) => working(card(id), age, `play-${who}-${i}`));
  return h("ul", { class: "play", "aria-label": say("duel.pile.play", { name: names[who] }) }, shown);
}

/**
 * A card in play with the turns that it has left (D22).
 * @param {Card} card @param {number} age @param {string} key
 */
function working(card, age, key) {
  return h("li", null, h("button", { type: "button", class: "look", dataset: { look: card.id, focus: key } }, duelCard(card, { size: "table" }), h("span", { class: "countdown" }, countdown(card, age))));
}

/** @param {Card} card @param {number} age */
function countdown(card, age) {
  const due = Math.min(...card.effects.filter((effect) => effect.last >= age).map((effect) => Math.max(effect.first, age)));
  if (!Number.isFinite(due)) return "";
  if (due - age === 1) return say("duel.in_one");
  if (due > age) return say("duel.in", { n: due - age });
  return card.last === age ? say("duel.now") : say("duel.left", { n: card.last - age + 1 });
}

/**
 * Where the picked card lies. What the other one picked, and whether, is nobody's business until the reveal (D6).
 * @param {Sight} sight @param {number} who
 */
function slot(sight, who) {
  const { view, you, seat } = sight;
  const chosen = you && who === seat ? view.chosen : null;
  return h("div", { class: `slot ${who === seat ? "mine" : "theirs"}${chosen ? " full" : ""}`, dataset: { slot: who } }, chosen ? hidden(chosen) : (turnedOver(sight, who) ?? empty(sight, who)));
}

/** @param {string} chosen */
function hidden(chosen) {
  return chosen === "hold" ? h("span", { class: "hollow none" }, say("duel.held")) : duelBack();
}

/** @param {Sight} sight @param {number} who */
function turnedOver(sight, who) {
  const turned = sight.turned[who];
  if (!turned) return null;
  const label = h("span", { class: "caption" }, h("span", { class: "long" }, say("duel.last_turn")), h("span", { class: "short" }, say("duel.last_short")));
  if (turned.title === null) return h("span", { class: "hollow none last" }, say("duel.held"), label);
  return h("button", { type: "button", class: "look last", dataset: { look: turned.title, focus: `slot-${who}` } }, duelCard(sight.card(turned.title), { size: "table" }), label);
}

/** @param {Sight} sight @param {number} who */
function empty({ view, you, seat }, who) {
  const words = view.over ? "" : who === seat && you ? say("duel.your_card") : say("duel.thinks");
  return h("span", { class: "hollow" }, words);
}

/**
 * An open pile: its top card, and how many there are. Touching it spreads it out.
 * @param {Sight} sight @param {number} who @param {"discard" | "aside"} zone
 */
function pile(sight, who, zone) {
  const ids = sight.view[zone][who];
  const waits = zone === "aside" ? sight.view.super[who] : null;
  if (zone === "aside" && !ids.length) return null;
  const top = ids.at(-1);
  const words = h("span", { class: "pile-words" }, say(`duel.${zone}`, { n: ids.length }), waits ? h("span", { class: "waits" }, say("duel.super_short")) : null);
  const label = waits ? `${say("duel.aside", { n: ids.length })}. ${say("duel.super_waits", { name: cardName(sight.card(waits)) })}` : null;
  return h(
    "button",
    { type: "button", class: `d-pile ${zone}`, dataset: { pile: zone, who, focus: `${zone}-${who}` }, "aria-label": label },
    h("span", { class: "pile-top", "aria-hidden": "true" }, top ? duelCard(sight.card(top), { size: "table" }) : h("span", { class: "hollow" })),
    words,
  );
}

// ---------------------------------------------------------------- hands

/** @param {Sight} sight */
export function hand({ mine, you, names, seat, view, card, legal }) {
  const label = you ? say("duel.your_hand") : say("duel.hand_of", { name: names[seat] });
  if (!mine) {
    return h("div", { class: "d-hand closed", role: "img", "aria-label": `${label}: ${say("duel.hidden_hand", { n: view.held[seat] })}` }, Array.from({ length: view.held[seat] }, () => h("span", { class: "seat" }, duelBack())));
  }
  return h("div", { class: `d-hand${legal.length ? "" : " idle"}`, role: "group", "aria-label": label }, mine.map((id, i) => held(card(id), i, legal.length > 0)));
}

/** @param {Card} card @param {number} i @param {boolean} live */
function held(card, i, live) {
  const dataset = live ? { held: i, card: card.id, focus: `held-${i}` } : { look: card.id, focus: `held-${i}` };
  return h("button", { type: "button", class: "seat", dataset, "aria-pressed": live ? "false" : null }, duelCard(card, { size: "hand" }), live ? h("kbd", { class: "digit", "aria-hidden": "true" }, i + 1) : null);
}

/** @param {Sight} sight */
export function openHand({ theirs, names, seat, card }) {
  if (!theirs) return null;
  return h("div", { class: "open-hand", role: "group", "aria-label": say("duel.hand_of", { name: names[1 - seat] }) }, theirs.map((id, i) => h("button", { type: "button", class: "look", dataset: { look: id, focus: `open-${i}` } }, duelCard(card(id), { size: "table" }))));
}
