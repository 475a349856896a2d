// @ts-check
// The things that lie on the table of a duel, as the view has them.
import { h } from "./dom.js";
import { cardName, duelBack, duelCard, strangeCard } from "./duel-card.js";
import { mark } from "./duel-moment.js";
import { say, shownName } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */
/** @typedef {import("./wire").DuelView} View */
/** @typedef {import("./duel-moment.js").Turned} Turned */
/**
 * @typedef {object} Drawing everything needed to draw
 * @property {View} view
 * @property {string[]} legal
 * @property {number} seat the seat at the bottom
 * @property {string[]} names by seat
 * @property {boolean} you whether the one at the bottom is the reader
 * @property {string[] | null} mine the hand at the bottom, where it may be seen
 * @property {string[] | null} theirs the hand at the top, where it may be seen
 * @property {(Turned | null)[]} turned by seat, what was revealed last
 * @property {number | null} passed the seat that has chosen, where everybody knows: at one device
 * @property {boolean} telling whether it is just told what they did
 * @property {(id: string) => Card} card
 */

/**
 * @param {import("./types").TableState<View>} state
 * @param {Map<string, Card>} cards
 * @param {Pick<Drawing, "turned" | "passed" | "telling">} told
 * @returns {Drawing}
 */
export function drawing({ view, legal, seat, names, open }, cards, told) {
  const you = view.seat === seat;
  return {
    view,
    legal,
    seat,
    names: names.map(shownName),
    you,
    mine: open?.hands?.[seat] ?? (you ? view.hand : null),
    theirs: open?.hands?.[1 - seat] ?? null,
    ...told,
    card: (id) => cards.get(id) ?? strangeCard(id),
  };
}

const MOST_APART = 3; // more cards in play lie over each other

// ---------------------------------------------------------------- health

/**
 * Name, health and what cannot be seen of a player: how many cards are in the hand and in the deck.
 * @param {Drawing} all
 * @param {number} who
 */
export function bar(all, who) {
  const { view, names, seat } = all;
  const inHand = h("span", { class: "tally" }, say("duel.hand", { n: view.held[who] }));
  return h(
    "div",
    { class: `d-bar ${who === seat ? "mine" : "theirs"}`, dataset: { bar: who } },
    h("span", { class: "d-who" }, all.you && who === seat ? say("table.you") : names[who]),
    health(names[who], view, who),
    h("span", { class: "counts" }, backs(view.held[who]), inHand, deckTally(view, who)),
  );
}

/** @param {View} view @param {number} who */
function deckTally(view, who) {
  const wears = view.wears[who];
  return h(
    "span",
    {
      class: `tally deck-tally${wears ? " worn" : ""}`,
      dataset: { deck: who },
      title: wears ? say("duel.deck_worn") : null,
    },
    say("duel.deck", { n: view.deck[who] }),
    h("span", { class: "number" }, ` · ${say("duel.deck_number", { n: view.deck_number[who] })}`),
  );
}

/** @param {number} n */
function backs(n) {
  return h(
    "span",
    { class: "backs", "aria-hidden": "true" },
    Array.from({ length: n }, () => h("i", null)),
  );
}

/** @param {string} name @param {View} view @param {number} who */
function health(name, view, who) {
  const [now, top] = [view.health[who], view.max[who]];
  return h(
    "div",
    {
      class: "health",
      style: { "--full": view.full },
      role: "meter",
      "aria-label": say("duel.health", { name, n: now, top }),
      "aria-valuemin": 0,
      "aria-valuemax": view.full,
      "aria-valuenow": Math.max(0, now),
    },
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
 * @param {Drawing} all
 * @param {number} who
 */
export function lane(all, who) {
  return h(
    "div",
    { class: `lane ${who === all.seat ? "mine" : "theirs"}`, dataset: { lane: who } },
    inPlay(all, who),
    slot(all, who),
    h("div", { class: "d-piles" }, pile(all, who, "discard"), pile(all, who, "aside")),
  );
}

/** @param {Drawing} all @param {number} who */
function inPlay({ view, names, card }, who) {
  const shown = view.play[who].map(([id], i) => working(card(id), view.due[who][i], `play-${who}-${i}`));
  const label = say("duel.pile.play", { name: names[who] });
  const look = `play${shown.length > MOST_APART ? " many" : ""}`;
  return h("ul", { class: look, "aria-label": label, dataset: { scroll: `play-${who}` } }, shown);
}

/**
 * A card in play with the turns that it waits, or has left.
 * @param {Card} card @param {[number | null, number]} due @param {string} key
 */
function working(card, due, key) {
  const dataset = { look: card.id, focus: key };
  return h(
    "li",
    null,
    h("button", { type: "button", class: "look", dataset }, duelCard(card, { size: "table" }), countdown(...due)),
  );
}

/**
 * In words; and where there is no room for them as in the pictures: a full sun works, an empty one waits.
 * @param {number | null} until turns until it works @param {number} left turns in play, with this one
 */
function countdown(until, left) {
  if (until === null) return null;
  return h(
    "span",
    { class: "countdown" },
    h("span", { class: "long" }, until > 0 ? waits(until) : left > 1 ? say("duel.left", { n: left }) : say("duel.now")),
    h("span", { class: `short ${until > 0 ? "waits-yet" : "works"}`, "aria-hidden": "true" }, until > 0 ? until : left),
  );
}

/** @param {number} n */
function waits(n) {
  return n === 1 ? say("duel.in_one") : say("duel.in", { n });
}

/**
 * Where the picked card lies. What the other one picked, and whether, is nobody's business until the reveal (D6).
 * @param {Drawing} all @param {number} who
 */
function slot(all, who) {
  const { view, you, seat } = all;
  const chosen = you && who === seat ? view.chosen : null;
  const look = `slot ${who === seat ? "mine" : "theirs"}${chosen ? " full" : ""}`;
  return h(
    "div",
    { class: look, dataset: { slot: who } },
    chosen ? hidden(chosen) : (ready(all, who) ?? turnedOver(all, who) ?? empty(all, who)),
  );
}

/** @param {string} chosen */
function hidden(chosen) {
  return chosen === "hold" ? h("span", { class: "hollow none" }, say("duel.held")) : duelBack();
}

/** @param {Drawing} all @param {number} who */
function ready({ passed }, who) {
  if (passed !== who) return null;
  return h("span", { class: "ready" }, duelBack(), h("span", { class: "caption" }, say("duel.has_chosen")));
}

/** @param {Drawing} all @param {number} who */
function turnedOver(all, who) {
  const turned = all.turned[who];
  if (!turned) return null;
  const [long, short] = [say("duel.last_turn"), say("duel.last_short")];
  const label = h(
    "span",
    { class: "caption" },
    h("span", { class: "long" }, long),
    h("span", { class: "short" }, short),
  );
  if (turned.title === null) return h("span", { class: "hollow none last" }, say("duel.held"), label);
  const dataset = { look: turned.title, focus: `slot-${who}` };
  return h(
    "button",
    { type: "button", class: "look last", dataset },
    duelCard(all.card(turned.title), { size: "table" }),
    turned.deeds.length && !all.telling ? h("span", { class: "deeds" }, turned.deeds.map(mark)) : null,
    label,
  );
}

/** @param {Drawing} all @param {number} who */
function empty({ legal, you, seat }, who) {
  const words = !you || !legal.length ? "" : say(who === seat ? "duel.your_card" : "duel.thinks");
  return h("span", { class: "hollow" }, words);
}

/**
 * An open pile: its top card, and how many there are. Touching it spreads it out.
 * @param {Drawing} all @param {number} who @param {"discard" | "aside"} zone
 */
function pile(all, who, zone) {
  const ids = all.view[zone][who];
  const waits = zone === "aside" ? all.view.super[who] : null;
  if (zone === "aside" && !ids.length) return null;
  const top = ids.at(-1);
  const many = say(`duel.${zone}`, { n: ids.length });
  const label = waits ? `${many}. ${say("duel.super_waits", { name: cardName(all.card(waits)) })}` : null;
  const picture = top ? duelCard(all.card(top), { size: "table" }) : h("span", { class: "hollow" });
  return h(
    "button",
    {
      type: "button",
      class: `d-pile ${zone}`,
      dataset: { pile: zone, who, focus: `${zone}-${who}` },
      "aria-label": label,
    },
    h("span", { class: "pile-top", "aria-hidden": "true" }, picture),
    h("span", { class: "pile-words" }, many, waits ? h("span", { class: "waits" }, say("duel.super_short")) : null),
  );
}

// ---------------------------------------------------------------- hands

/** @param {Drawing} all */
export function hand({ mine, you, names, seat, view, card, legal }) {
  const label = you ? say("duel.your_hand") : say("duel.hand_of", { name: names[seat] });
  const dataset = { scroll: "hand", focus: "hand" };
  if (mine) {
    const cards = mine.map((id, i) => held(card(id), i, legal.length > 0));
    return h(
      "div",
      { class: `d-hand${legal.length ? "" : " idle"}`, role: "group", "aria-label": label, dataset },
      cards,
    );
  }
  const n = view.held[seat];
  const backs = Array.from({ length: n }, () => h("span", { class: "seat" }, duelBack()));
  const hidden = `${label}: ${say("duel.hidden_hand", { n })}`;
  return h("div", { class: "d-hand closed", role: "img", "aria-label": hidden, dataset }, backs);
}

/** @param {Card} card @param {number} i @param {boolean} live */
function held(card, i, live) {
  const dataset = live ? { held: i, card: card.id, focus: `held-${i}` } : { look: card.id, focus: `held-${i}` };
  const digit = live && i < 9 ? h("kbd", { class: "digit", "aria-hidden": "true" }, i + 1) : null;
  return h(
    "button",
    { type: "button", class: "seat", dataset, "aria-pressed": live ? "false" : null },
    duelCard(card),
    digit,
  );
}

/** @param {Drawing} all */
export function openHand({ theirs, names, seat, card }) {
  if (!theirs) return null;
  const cards = theirs.map((id, i) => {
    const dataset = { look: id, focus: `open-${i}` };
    return h("button", { type: "button", class: "look", dataset }, duelCard(card(id), { size: "table" }));
  });
  const label = say("duel.hand_of", { name: names[1 - seat] });
  return h("div", { class: "open-hand", role: "group", "aria-label": label, dataset: { scroll: "open" } }, cards);
}
