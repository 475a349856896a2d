// @ts-check
// The gallery: all cards of the core set. `/cards#ember` shows one of them large.
import { cardFilter } from "./card-filter.js";
import { $, h } from "./dom.js";
import { duelCard, loadCards, showCard, traitChips } from "./duel-card.js";
import { ready, startPage } from "./shell.js";
import { lang, say } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */

await ready();
const { main } = startPage({ title: say("cards.title") });
main.classList.add("gallery");
const cards = await loadCards();
const found = h("p", { class: "found note", role: "status" });
const none = h("p", { class: "none panel", hidden: true }, say("cards.none"));
const grid = h("ul", { class: "card-grid" }, [...cards.values()].map(entry));

main.append(
  h("h1", null, say("cards.title")),
  h("p", { class: "note" }, say("cards.lead")),
  cardFilter((matches) => showOnly(matches)),
  found,
  grid,
  none,
);
showOnly(() => true);
addEventListener("hashchange", openNamed);
openNamed();

/** @param {Card} card */
function entry(card) {
  return h(
    "li",
    { dataset: { id: card.id } },
    h("a", { class: "card-link", href: `#${card.id}` }, duelCard(card, { size: "gallery" })),
  );
}

/** @param {(card: Card) => boolean} matches */
function showOnly(matches) {
  let n = 0;
  for (const item of grid.children) {
    const card = cards.get(/** @type {HTMLElement} */ (item).dataset.id ?? "");
    const shown = card !== undefined && matches(card);
    /** @type {HTMLElement} */ (item).hidden = !shown;
    n += Number(shown);
  }
  found.textContent = say("cards.found", { n });
  none.hidden = n > 0;
}

/** The card that the address names. */
function openNamed() {
  $("dialog.card-dialog")?.remove();
  const card = cards.get(decodeURIComponent(location.hash.slice(1)));
  if (!card) return;
  const other = lang === "ru" ? "en" : "ru";
  const dialog = showCard(
    card,
    traitChips(card),
    h("p", { class: "note", lang: other }, say("cards.other", { name: card.name[other], text: card.text[other] })),
  );
  dialog.addEventListener("close", () => {
    history.replaceState(null, "", location.pathname + location.search);
    $(`[data-id="${card.id}"] a`)?.focus();
  });
}
