// @ts-check
// The rules of a game on one page, in either language.
import { h } from "./dom.js";
import { rulesInShort, usualValues } from "./rules-card.js";
import { coyote } from "./shell.js";

/** @typedef {import("./catalog.js").Kind} Kind */
/** @typedef {import("./words.js").Speech} Speech */

/** @param {Kind} kind @param {Speech} speech */
export function rulesSheet({ game, edition }, speech) {
  const say = speech.say.bind(speech);
  const lines = rulesInShort(game, usualValues(game, edition), say);
  return h(
    "article",
    { class: "rules-sheet", lang: speech.lang },
    h("span", { class: "head" }, coyote()),
    h("h2", null, game.title[speech.lang]),
    h("p", { class: "edition" }, edition ? edition.title[speech.lang] : say("print.in_short")),
    h(
      "dl",
      null,
      lines.map(({ lead, rest }) => h("div", null, h("dt", null, lead), " ", h("dd", null, glued(rest)))),
    ),
    h("p", { class: "whole" }, say("print.whole", { address: `${location.host}/rules/${game.name}` })),
  );
}

/**
 * The number of a rule stays with the word before it.
 * @param {string} text
 */
function glued(text) {
  return text.replace(/ (?=\([^)]*\d\))/g, "\u00a0");
}

const SIZES = [1.2, 1.12, 1.06, 1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6];

/**
 * As large as one page has room for. It must lie on the page.
 * @param {HTMLElement} sheet
 */
export function fitPage(sheet) {
  for (const size of SIZES) {
    sheet.style.setProperty("--fit", String(size));
    if (sheet.scrollHeight <= sheet.clientHeight) return;
  }
}
