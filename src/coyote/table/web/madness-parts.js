// @ts-check
// The things that lie on a table of Madness, as the view has them.
import { h } from "./dom.js";
import { playingCard } from "./playing-card.js";
import { coyote } from "./shell.js";
import { cardSign, say, shownName } from "./words.js";

/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("./wire").MadnessView} View */
/** @typedef {import("./wire").MadnessField} Field */
/** @typedef {"mine" | "theirs" | "nobodys"} Whose */
/**
 * @typedef {object} Drawing everything needed to draw
 * @property {View} view
 * @property {number} seat the seat at the bottom
 * @property {string[]} names by seat
 * @property {boolean} you whether the one at the bottom is the reader
 * @property {string[] | null} mine the hand at the bottom, where it may be seen
 * @property {string[] | null} theirs the hand at the top, where it may be seen
 */

/**
 * @param {import("./types").TableState<View>} state
 * @returns {Drawing}
 */
export function drawing({ view, seat, names, open }) {
  const you = view.seat === seat;
  return {
    view,
    seat,
    names: names.map(shownName),
    you,
    mine: open?.hands?.[seat] ?? (you ? view.hand : null),
    theirs: open?.hands?.[1 - seat] ?? null,
  };
}

const MOST_CUBES = 7; // more would not fit on a phone

/** @param {string | null} card */
function named(card) {
  return card ? cardSign(card).name : "";
}

/**
 * A place where a card may go: a real button, so that it works with everything that presses buttons.
 * @param {string} place
 * @param {string} label
 * @param {string} look
 * @param {...Child} children
 */
function placeButton(place, label, look, ...children) {
  const props = {
    type: "button",
    class: `place ${look}`,
    dataset: { place, label, focus: place },
    "aria-label": label,
  };
  return h("button", props, ...children);
}

// ---------------------------------------------------------------- the piles

/** @param {Drawing} all */
export function piles(all) {
  const { view } = all;
  return h("div", { class: "piles" }, all.theirs ? null : theirHand(all), deck(view), boss(view), discard(view));
}

/** @param {Drawing} all */
function theirHand(all) {
  const held = all.view.held[1 - all.seat];
  return h(
    "div",
    { class: "their-hand", role: "group", "aria-label": theirHandIs(all) },
    h(
      "span",
      { class: "fan", "aria-hidden": "true" },
      Array.from({ length: held }, () => leaf(null)),
    ),
    h("span", { class: "count" }, say("table.cards", { n: held })),
  );
}

/**
 * The other hand in a row of its own, where nobody hides it any more.
 * @param {Drawing} all
 */
export function openHand(all) {
  if (!all.theirs) return null;
  const label = theirHandIs(all);
  return h(
    "div",
    { class: "their-hand open", role: "group", "aria-label": label, dataset: { scroll: "open", focus: "open" } },
    h("span", { class: "fan" }, all.theirs.map(leaf)),
  );
}

/** @param {Drawing} all */
function theirHandIs({ view, seat, names }) {
  return say("table.their_hand", { name: names[1 - seat], n: view.held[1 - seat] });
}

/** @param {string | null} card */
function leaf(card) {
  return h("span", { class: "leaf" }, playingCard(card, { size: "s" }));
}

/** @param {View} view */
function deck(view) {
  const full = view.deck > 0;
  return h(
    "div",
    { class: "pile deck" },
    placeButton(
      "deck",
      say("table.deck_of", { n: view.deck }),
      full ? "thick" : "bare",
      full ? playingCard(null, { size: "s" }) : null,
    ),
    h("span", { class: "under", "aria-hidden": "true" }, say("table.deck"), " ", h("b", null, view.deck)),
  );
}

/** @param {View} view */
function boss(view) {
  return h(
    "div",
    { class: "pile boss" },
    placeButton(
      "boss",
      say("table.boss_is", { card: named(view.boss) }),
      "",
      view.boss ? playingCard(view.boss, { size: "s" }) : null,
    ),
    h("span", { class: "under", "aria-hidden": "true" }, say("table.boss")),
  );
}

/** @param {View} view */
function discard(view) {
  const label = view.discard ? say("table.discard_is", { card: named(view.discard) }) : say("table.discard_empty");
  return h(
    "div",
    { class: "pile discard" },
    placeButton(
      "discard",
      label,
      view.discard ? "" : "bare",
      view.discard ? playingCard(view.discard, { size: "s" }) : null,
    ),
    h("span", { class: "under", "aria-hidden": "true" }, say("table.discard")),
  );
}

// ---------------------------------------------------------------- the fields

/** @param {Drawing} all */
export function fields(all) {
  const { fields: found } = all.view;
  return h(
    "div",
    { class: `fields of-${found.length}`, style: { "--n": found.length } },
    found.map((one, i) => field(all, i + 1, one)),
  );
}

/** @param {Drawing} all @param {number} number @param {Field} found */
function field(all, number, found) {
  const told = fieldPhrase(all, number);
  const look = `field-of-war ${told.whose}${found.closed ? " closed" : ""}`;
  const title = h("span", { class: "number", "aria-hidden": "true" }, number);
  const parts = found.closed
    ? [marker(all, number, found), h("p", { class: `chip told ${told.whose}` }, told.text)]
    : [theirSide(all, number, found), centre(number, told), mySide(all, number, found)];
  const label = say("table.field", { n: number });
  return h("section", { class: look, dataset: { field: number }, "aria-label": label }, title, ...parts);
}

/** @param {Drawing} all @param {number} number @param {Field} found */
function theirSide({ seat, names }, number, found) {
  const top = found.tops[1 - seat];
  const shown = top ? stack(top, found.heights[1 - seat]) : null;
  return h("div", { class: "side theirs", title: names[1 - seat], dataset: { side: `their-${number}` } }, shown);
}

/** @param {Drawing} all @param {number} number @param {Field} found */
function mySide({ seat }, number, found) {
  const top = found.tops[seat];
  const label = top ? say("table.side_is", { n: number, card: named(top) }) : say("table.side_empty", { n: number });
  const shown = top ? stack(top, found.heights[seat]) : h("span", { class: "verb" }, say("table.attack"));
  return placeButton(`side-${number}`, label, "side mine", shown);
}

/** @param {number} number @param {{text: string, whose: Whose}} told */
function centre(number, told) {
  return h(
    "div",
    { class: "centre" },
    told.text ? h("p", { class: `chip told ${told.whose}` }, told.text) : null,
    placeButton(`centre-${number}`, say("table.close_here", { n: number }), "close-here", say("table.close")),
  );
}

/** @param {Drawing} all @param {number} number @param {Field} found */
function marker({ view }, number, found) {
  const label = say("table.marker_is", { n: number, card: named(found.marker) });
  const last = view.closing === number;
  const card = found.marker ? playingCard(found.marker, { sideways: true }) : null;
  return placeButton(`centre-${number}`, label, `marker${last ? " last" : ""}`, card);
}

/** @param {string} top @param {number} height */
function stack(top, height) {
  const card = playingCard(top);
  card.classList.add(`high-${Math.min(height, 4)}`);
  const badge =
    height > 1 ? h("span", { class: "badge", "aria-label": say("table.high", { n: height }) }, `×${height}`) : null;
  return h("span", { class: "stack" }, card, badge);
}

/**
 * What will happen to a field if nobody acts, as the server foretells it (M12).
 * @param {Drawing} all
 * @param {number} number
 * @returns {{text: string, whose: Whose}}
 */
export function fieldPhrase({ view, seat, names, you }, number) {
  const found = view.fields[number - 1];
  const tense = you ? "you" : "name";
  if (found.closed) return closedPhrase(found, seat, names, tense);
  if (view.over) return { text: "", whose: "nobodys" };
  const [forMe, forThem] = [view.outlook[number - 1][seat], view.outlook[number - 1][1 - seat]];
  const told = (/** @type {string} */ key, /** @type {Whose} */ whose, who = seat) => ({
    text: say(`table.told.${key}.${tense}`, { name: names[who] }),
    whose,
  });
  if (forMe === "won") return told("won", "mine");
  if (forThem === "won") return told(view.can_answer[seat] ? "attacked" : "lost", "theirs", 1 - seat);
  if (forMe === "drawn") return told("drawn", "nobodys");
  if (forThem === "drawn") return told("drawn_they", "nobodys", 1 - seat);
  return { text: say("table.told.empty"), whose: "nobodys" };
}

/**
 * @param {Field} found @param {number} seat @param {string[]} names @param {string} tense
 * @returns {{text: string, whose: Whose}}
 */
function closedPhrase(found, seat, names, tense) {
  if (found.winner === null) return { text: say("table.told.closed_nobody"), whose: "nobodys" };
  const whose = found.winner === seat ? "mine" : "theirs";
  const key = whose === "mine" ? `table.told.closed.${tense}` : "table.told.closed.name";
  return { text: say(key, { name: names[found.winner] }), whose };
}

// ---------------------------------------------------------------- the rope

/**
 * The lead as a rope of sugar cubes between the two names (M9, M10).
 * @param {Drawing} all
 */
export function rope({ view, seat, names, you }) {
  const { goal } = view;
  const lead = seat === 0 ? view.lead : -view.lead;
  const leader = names[lead > 0 ? seat : 1 - seat];
  const label = lead === 0 ? say("table.rope_even") : say("table.rope", { name: leader, n: Math.abs(lead), goal });
  const fits = goal <= MOST_CUBES;
  const who = (/** @type {Whose} */ whose, /** @type {string} */ name, /** @type {number} */ by) =>
    h("span", { class: `who ${whose}` }, h("span", null, name), fits && by > 0 ? h("b", null, `+${by}`) : null);
  return h(
    "div",
    { class: "rope", role: "img", "aria-label": label },
    who("theirs", names[1 - seat], -lead),
    fits ? [cubes(-lead, goal, "theirs"), h("span", { class: "knot" }), cubes(lead, goal, "mine")] : track(lead, goal),
    who("mine", you ? say("table.you") : names[seat], lead),
  );
}

/** @param {number} filled @param {number} goal @param {"mine" | "theirs"} whose */
function cubes(filled, goal, whose) {
  const all = Array.from({ length: goal }, (_, n) => h("i", { class: n < filled ? "cube full" : "cube" }));
  return h("span", { class: `cubes ${whose}` }, all);
}

/**
 * A long way to go: one cube with the number on it, pulled along the rope.
 * @param {number} lead @param {number} goal
 */
function track(lead, goal) {
  const whose = lead > 0 ? "mine" : lead < 0 ? "theirs" : "nobodys";
  return h(
    "span",
    { class: `track ${whose}`, style: { "--at": lead / goal } },
    h("i", { class: "goal theirs" }, goal),
    h(
      "span",
      { class: "way" },
      h("i", { class: "pull" }),
      h("span", { class: "knot" }),
      h("b", { class: "cube full" }, Math.abs(lead)),
    ),
    h("i", { class: "goal mine" }, goal),
  );
}

// ---------------------------------------------------------------- the hand and the moment

/** @param {Drawing} all */
export function hand({ view, seat, mine }) {
  const n = view.held[seat];
  const label = mine ? say("table.your_hand", { n }) : say("table.cards", { n });
  const cards = mine
    ? mine.map(held)
    : Array.from({ length: n }, () => h("span", { class: "held" }, playingCard(null)));
  return h(
    "div",
    { class: "hand", role: "group", "aria-label": label, dataset: { scroll: "hand", focus: "hand" } },
    cards,
  );
}

/** @param {string} card */
function held(card) {
  const dataset = { held: card, focus: `held-${card}` };
  return h(
    "button",
    { type: "button", class: "held", dataset, "aria-label": named(card), "aria-pressed": "false" },
    playingCard(card),
  );
}

/**
 * The Coyote's Chance is a moment of its own (M18).
 * @param {Drawing} all
 * @param {boolean} mineToTake
 */
export function moment({ view, names, theirs }, mineToTake) {
  if (view.closing === null || theirs) return null; // with open hands nobody is asked any more
  const { marker } = view.fields[view.closing - 1];
  const text = mineToTake
    ? say("table.chance.yours", { card: named(marker) })
    : say("table.chance.theirs", { name: names[view.decider ?? 0] });
  const words = h("p", null, h("b", null, say("table.chance.title")), " ", text);
  return h("div", { class: `moment${mineToTake ? " yours" : ""}` }, coyote(), words);
}
