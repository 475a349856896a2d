// @ts-check
// The gallery: all cards of the core set, or of another one (`/cards?set=DIGEST`). `/cards#ember` shows one of them large.
import { cardFilter } from "./card-filter.js";
import { decksAddress, loadSet, withQuery } from "./card-set.js";
import { allGames } from "./catalog.js";
import { $, h } from "./dom.js";
import { duelCard, showCard, traitChips } from "./duel-card.js";
import { ready, showError, startPage } from "./shell.js";
import { lang, say } from "./words.js";

/** @typedef {import("./duel-card.js").Card} Card */
/** @typedef {import("./wire").SetShown} SetShown */

await ready();
const shown = await askedSet();
const title = shown.core ? say("cards.title") : say("cards.set.gallery", { name: shown.set });
const { main } = startPage({ title });
main.classList.add("gallery");
const cards = new Map(shown.cards.map((card) => [card.id, card]));
const found = h("p", { class: "found note", role: "status" });
const none = h("p", { class: "none panel", hidden: true }, say("cards.none"));
const grid = h("ul", { class: "card-grid" }, shown.cards.map(entry));

main.append(
  h("h1", null, title),
  ...(shown.core ? lead() : ways(shown)),
  cardFilter((matches) => showOnly(matches)),
  found,
  grid,
  none,
);
showOnly(() => true);
addEventListener("hashchange", openNamed);
openNamed();

/** The cards that the address names; where there are none, the core set. */
async function askedSet() {
  try {
    return await loadSet(new URLSearchParams(location.search).get("set") ?? "");
  } catch (error) {
    addEventListener("loaded", () => showError(/** @type {Error} */ (error).message), { once: true });
    return loadSet("");
  }
}

function lead() {
  const print = h("a", { class: "button print-link", href: "/print" }, say("print.link_cards"));
  return [h("p", { class: "note" }, say("cards.lead")), h("p", null, print)];
}

/**
 * What one may do with a set, and exactly which one it is.
 * @param {SetShown} set
 */
function ways({ set: name, digest, core }) {
  const game = allGames().find((one) => one.own_sets)?.name ?? "";
  const way = (/** @type {string} */ href, /** @type {string} */ key, look = "") =>
    h("a", { class: `button ${look}`, href }, say(key));
  return [
    h("p", { class: "note" }, say("cards.set.warning")),
    h(
      "p",
      { class: "row ways" },
      way(withQuery("/", { game, set: digest }), "cards.set.play", "primary"),
      way(decksAddress({ name, digest, core }), "cards.set.build"),
      way(withQuery("/print", { set: digest }), "cards.set.print"),
    ),
    h("p", { class: "note digest" }, say("cards.set.digest", { digest })),
  ];
}

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
