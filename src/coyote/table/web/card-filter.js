// @ts-check
// Searching the cards, for the gallery and the deck builder: words in either language, and marks to choose by.
import { h } from "./dom.js";
import { icon } from "./duel-card.js";
import { say } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */

/** @type {Record<string, (card: Card) => boolean>} */
const MARKS = {
  common: (card) => card.rarity === "common",
  rare: (card) => card.rarity === "rare",
  attack: (card) => card.does.includes("attack"),
  block: (card) => card.does.includes("block"),
  heal: (card) => card.does.includes("heal"),
  draw: (card) => card.does.includes("draw"),
  strip: (card) => card.does.includes("strip"),
  later: (card) => card.last > 0,
  auto: (card) => card.auto,
  super: (card) => card.super,
};
const EITHER = new Set(["common", "rare"]);
const DRAWN = new Set(["attack", "block", "heal", "draw", "strip"]);

/**
 * The search field and the marks. Several marks must all hold; of the two rarities one at a time is chosen.
 * @param {(matches: (card: Card) => boolean) => void} changed told whenever the reader asks for other cards
 */
export function cardFilter(changed) {
  /** @type {Set<string>} */
  const on = new Set();
  const search = h("input", {
    type: "search",
    id: "card-search",
    autocomplete: "off",
    placeholder: say("cards.search"),
    "aria-label": say("cards.search"),
    oninput: () => tell(),
  });
  const marks = Object.keys(MARKS).map((mark) => markButton(mark, () => toggle(mark)));
  const clear = h(
    "button",
    { type: "button", class: "quiet", hidden: true, onclick: () => reset() },
    say("cards.clear"),
  );

  /** @param {string} mark */
  function toggle(mark) {
    if (!on.delete(mark)) {
      if (EITHER.has(mark)) EITHER.forEach((other) => on.delete(other));
      on.add(mark);
    }
    tell();
  }

  function reset() {
    on.clear();
    search.value = "";
    search.focus();
    tell();
  }

  function tell() {
    for (const button of marks) button.setAttribute("aria-pressed", String(on.has(button.dataset.mark ?? "")));
    clear.hidden = on.size === 0 && search.value === "";
    const wanted = folded(search.value).split(/\s+/).filter(Boolean);
    changed((card) => [...on].every((mark) => MARKS[mark](card)) && wanted.every((word) => hay(card).includes(word)));
  }

  return h(
    "div",
    { class: "card-filter" },
    search,
    h("div", { class: "marks", role: "group", "aria-label": say("cards.filters") }, marks, clear),
  );
}

/** @param {string} mark @param {() => void} act */
function markButton(mark, act) {
  return h(
    "button",
    { type: "button", class: `mark main-${mark}`, dataset: { mark }, "aria-pressed": "false", onclick: act },
    DRAWN.has(mark) ? icon(mark) : null,
    say(`cards.filter.${mark}`),
  );
}

/** @param {string} text */
const folded = (text) => text.toLowerCase().replaceAll("ё", "е");

/** @type {WeakMap<Card, string>} */
const hays = new WeakMap();

/**
 * All that a card can be found by.
 * @param {Card} card
 */
function hay(card) {
  const known =
    hays.get(card) ?? folded([card.id, card.name.en, card.name.ru, card.text.en, card.text.ru].join(" \n "));
  hays.set(card, known);
  return known;
}
