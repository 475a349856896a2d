// @ts-check
// The page of a file that `coyote cards print` writes: all that it shows stands in the file itself.
import { $, $$, h } from "./dom.js";
import { fitText, printedBack, printedCard } from "./print-card.js";
import { cardSheets, plan, takePaper } from "./print-sheet.js";
import { bringWords } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */
/**
 * @typedef {object} Order
 * @property {Card[]} cards those that are printed, each once
 * @property {string[]} ids what to print, a card as often as it is wanted
 * @property {import("./wire").Lang[]} langs
 * @property {string} foot what stands below a card
 * @property {import("./print-sheet.js").Look} look
 * @property {Record<string, string>} words
 */

/** @type {Order} */
const order = JSON.parse($("#order")?.textContent ?? "");
bringWords(order.words);
const known = new Map(order.cards.map((card) => [card.id, card]));
const fronts = order.ids.flatMap((id) => known.get(id) ?? []).map((card) => printedCard(card, order.langs, order.foot));
takePaper(plan(order.look));
document.body.append(h("main", { class: "leaves" }, cardSheets(fronts, printedBack(), order.look)));
$$(".cut").forEach(fitText);
