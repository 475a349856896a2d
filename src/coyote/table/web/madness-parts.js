// @ts-check
// The things that lie on a table of Madness, as the view has them.
import { h } from "./dom.js";
import { playingCard } from "./playing-card.js";
import { coyote } from "./shell.js";
import { cardSign, say, shownName } from "./words.js";

/**
 * @typedef {object} Sight everything needed to draw
 * @property {any} view
 * @property {number} seat the seat at the bottom
 * @property {string[]} names by seat
 * @property {boolean} you whether the one at the bottom is the reader
 * @property {string[] | null} mine the hand at the bottom, where it may be seen
 * @property {string[] | null} theirs the hand at the top, where it may be seen
 */

/**
 * @param {{view: any, seat: number, names: (string | null)[], open?: any}} state
 * @returns {Sight}
 */
export function sightOf({ view, seat, names, open }) {
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

/** @param {string | null} card */
function named(card) {
  return card ? cardSign(card).name : "";
}

/**
 * A place where a card may go: a real button, so that it works with everything that presses buttons.
 * @param {string} place
 * @param {string} label
 * @param {string} look
 * @param {...any} children
 */
function placeButton(place, label, look, ...children) {
  const props = { type: "button", class: `place ${look}`, dataset: { place, label, focus: place }, "aria-label": label };
  return h("button", props, ...children);
}

// ---------------------------------------------------------------- the piles

/** @param {Sight} sight */
export function piles(sight) {
  const { view } = sight;
  return h("div", { class: "piles" }, theirHand(sight), deck(view), boss(view), discard(view));
}

/** @param {Sight} sight */
function theirHand({ view, seat, names, theirs }) {
  const held = view.held[1 - seat];
  const label = say("table.their_hand", { name: names[1 - seat], n: held });
  const cards = theirs
    ? theirs.map((card) => playingCard(card, { size: "s" }))
    : Array.from({ length: held }, () => playingCard(null, { size: "s" }));
  if (!theirs) for (const card of cards) card.setAttribute("aria-hidden", "true");
  return h(
    "div",
    { class: "their-hand", role: "group", "aria-label": label },
    h("span", { class: "fan" }, cards),
    h("span", { class: "count" }, say("table.cards", { n: held })),
  );
}

/** @param {any} view */
function deck(view) {
  const full = view.deck > 0;
  return h(
    "div",
    { class: "pile deck" },
    placeButton("deck", say("table.deck_of", { n: view.deck }), full ? "thick" : "bare", full ? playingCard(null, { size: "s" }) : null),
    h("span", { class: "under", "aria-hidden": "true" }, say("table.deck"), " ", h("b", null, view.deck)),
  );
}

/** @param {any} view */
function boss(view) {
  return h(
    "div",
    { class: "pile boss" },
    placeButton("boss", say("table.boss_is", { card: named(view.boss) }), "", view.boss ? playingCard(view.boss, { size: "s" }) : null),
    h("span", { class: "under", "aria-hidden": "true" }, say("table.boss")),
  );
}

/** @param {any} view */
function discard(view) {
  const label = view.discard ? say("table.discard_is", { card: named(view.discard) }) : say("table.discard_empty");
  return h(
    "div",
    { class: "pile discard" },
    placeButton("discard", label, view.discard ? "" : "bare", view.discard ? playingCard(view.discard, { size: "s" }) : null),
    h("span", { class: "under", "aria-hidden": "true" }, say("table.discard")),
  );
}

// ---------------------------------------------------------------- the fields

/** @param {Sight} sight */
export function fields(sight) {
  return h("div", { class: "fields" }, [1, 2, 3].map((number) => field(sight, number)));
}

/** @param {Sight} sight @param {number} number */
function field(sight, number) {
  const found = sight.view.fields[number - 1];
  const told = phrase(sight, number);
  const look = `field-of-war ${told.whose}${found.closed ? " closed" : ""}`;
  const title = h("span", { class: "number", "aria-hidden": "true" }, number);
  const parts = found.closed
    ? [marker(sight, number, found), h("p", { class: `chip told ${told.whose}` }, told.text)]
    : [theirSide(sight, number, found), centre(number, told), mySide(sight, number, found)];
  return h("section", { class: look, dataset: { field: number }, "aria-label": say("table.field", { n: number }) }, title, ...parts);
}

/** @param {Sight} sight @param {number} number @param {any} found */
function theirSide({ seat, names }, number, found) {
  const top = found.tops[1 - seat];
  return h("div", { class: "side theirs", title: names[1 - seat], dataset: { side: `their-${number}` } }, top ? stack(top, found.heights[1 - seat]) : null);
}

/** @param {Sight} sight @param {number} number @param {any} found */
function mySide({ seat }, number, found) {
  const top = found.tops[seat];
  const label = top
    ? say("table.side_is", { n: number, card: named(top) })
    : say("table.side_empty", { n: number });
  return placeButton(`side-${number}`, label, "side mine", top ? stack(top, found.heights[seat]) : h("span", { class: "verb" }, say("table.attack")));
}

/** @param {number} number @param {{text: string, whose: string}} told */
function centre(number, told) {
  return h(
    "div",
    { class: "centre" },
    told.text ? h("p", { class: `chip told ${told.whose}` }, told.text) : null,
    placeButton(`centre-${number}`, say("table.close_here", { n: number }), "close-here", say("table.close")),
  );
}

/** @param {Sight} sight @param {number} number @param {any} found */
function marker({ view }, number, found) {
  const label = say("table.marker_is", { n: number, card: named(found.marker) });
  const last = view.phase === "coyote" && view.closing === number;
  const card = found.marker ? playingCard(found.marker, { sideways: true }) : null;
  return placeButton(`centre-${number}`, label, `marker${last ? " last" : ""}`, card);
}

/** @param {string} top @param {number} height */
function stack(top, height) {
  const card = playingCard(top);
  card.classList.add(`high-${Math.min(height, 4)}`);
  const badge = height > 1 ? h("span", { class: "badge", "aria-label": say("table.high", { n: height }) }, `×${height}`) : null;
  return h("span", { class: "stack" }, card, badge);
}

/**
 * What will happen to a field if nobody acts, as the server foretells it (M12).
 * @param {Sight} sight
 * @param {number} number
 * @returns {{text: string, whose: "mine" | "theirs" | "nobodys"}}
 */
function phrase({ view, seat, names, you }, number) {
  const found = view.fields[number - 1];
  const tense = you ? "you" : "name";
  if (found.closed) return closedPhrase(found, seat, names, tense);
  if (view.over) return { text: "", whose: "nobodys" };
  const [forMe, forThem] = [view.outlook[number - 1][seat], view.outlook[number - 1][1 - seat]];
  const told = (/** @type {string} */ key, /** @type {"mine" | "theirs" | "nobodys"} */ whose, who = seat) => ({
    text: say(`table.told.${key}.${tense}`, { name: names[who] }),
    whose,
  });
  // Whoever has made the main action can answer no more in this turn (M14).
  const tooLate = view.phase === "tut" && view.mover === seat;
  if (forMe === "won") return told("won", "mine");
  if (forThem === "won") return told(tooLate ? "lost" : "attacked", "theirs", 1 - seat);
  if (forMe === "drawn") return told("drawn", "nobodys");
  if (forThem === "drawn") return told("drawn_they", "nobodys", 1 - seat);
  return { text: say("table.told.empty"), whose: "nobodys" };
}

/** @param {any} found @param {number} seat @param {string[]} names @param {string} tense */
function closedPhrase(found, seat, names, tense) {
  if (found.winner === null) return { text: say("table.told.closed_nobody"), whose: /** @type {const} */ ("nobodys") };
  const whose = found.winner === seat ? /** @type {const} */ ("mine") : /** @type {const} */ ("theirs");
  const key = whose === "mine" ? `table.told.closed.${tense}` : "table.told.closed.name";
  return { text: say(key, { name: names[found.winner] }), whose };
}

// ---------------------------------------------------------------- the rope

/**
 * The lead as a rope of sugar cubes between the two names (M9, M10).
 * @param {Sight} sight
 */
export function rope({ view, seat, names }) {
  const goal = view.options.edition === "classic" ? 6 : 5;
  const lead = seat === 0 ? view.lead : -view.lead;
  const cells = (/** @type {number} */ filled, /** @type {string} */ look) =>
    Array.from({ length: goal }, (_, n) => h("i", { class: n < filled ? "cube full" : "cube", dataset: { cube: `${look}-${n}` } }));
  const leader = lead === 0 ? say("table.rope_even") : say("table.rope", { name: names[lead > 0 ? seat : 1 - seat], n: Math.abs(lead), goal });
  return h(
    "div",
    { class: "rope", role: "img", "aria-label": leader },
    h("span", { class: "who theirs" }, names[1 - seat], lead < 0 ? h("b", null, ` +${-lead}`) : null),
    h("span", { class: "cubes theirs" }, cells(-lead, "theirs")),
    h("span", { class: "knot" }),
    h("span", { class: "cubes mine" }, cells(lead, "mine")),
    h("span", { class: "who mine" }, names[seat], lead > 0 ? h("b", null, ` +${lead}`) : null),
  );
}

// ---------------------------------------------------------------- the hand and the moment

/** @param {Sight} sight */
export function hand({ view, seat, mine }) {
  if (!mine) {
    const backs = Array.from({ length: view.held[seat] }, () => h("span", { class: "held" }, playingCard(null)));
    return h("div", { class: "hand", role: "group", "aria-label": say("table.cards", { n: view.held[seat] }) }, backs);
  }
  const cards = mine.map((card) =>
    h(
      "button",
      { type: "button", class: "held", dataset: { held: card, focus: `held-${card}` }, "aria-label": named(card), "aria-pressed": "false" },
      playingCard(card),
    ),
  );
  return h("div", { class: "hand", role: "group", "aria-label": say("table.your_hand", { n: mine.length }) }, cards);
}

/**
 * The Coyote's Chance is a moment of its own (M18).
 * @param {Sight} sight
 * @param {boolean} mineToTake
 */
export function moment({ view, seat, names }, mineToTake) {
  if (view.phase !== "coyote") return null;
  const marker = view.fields[view.closing - 1].marker;
  const decides = names[1 - view.mover];
  const text = mineToTake
    ? say("table.chance.yours", { card: named(marker) })
    : say("table.chance.theirs", { name: decides });
  return h("div", { class: `moment${mineToTake ? " yours" : ""}`, dataset: { seat } }, coyote(), h("p", null, h("b", null, say("table.chance.title")), " ", text));
}
