// @ts-check
// Choosing a deck, for a game that needs one: a ready one, one at random, or a code from the deck page.
import { get } from "./api.js";
import { h } from "./dom.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").DeckShown} Deck */
/** @typedef {{element: HTMLElement, value: () => string}} DeckChoice */

const RANDOM = "random";
const BY_CODE = "code";

/** @type {Promise<Deck[]> | null} */
let loading = null;

/** @returns {Promise<Deck[]>} */
function readyDecks() {
  // Without the list one can still take a deck by lot or by its code.
  loading ??= get("/api/decks").catch(() => []);
  return loading;
}

/**
 * A form row; `value()` is the deck as the server takes it. `chosen` is a ready deck's id, or a code.
 * Ready decks are of the core set: with other cards there are none.
 * @param {{label: string, id: string, chosen?: string, core?: boolean}} about
 * @returns {Promise<DeckChoice>}
 */
export async function deckChoice({ label, id, chosen = RANDOM, core = true }) {
  const decks = core ? await readyDecks() : [];
  const note = h("p", { class: "note" });
  const known = chosen === RANDOM || decks.some((deck) => deck.id === chosen);
  const code = h("input", {
    type: "text",
    id: `${id}-code`,
    value: known ? "" : chosen,
    placeholder: say("table.deck_code"),
    "aria-label": say("table.deck_code"),
    autocomplete: "off",
    spellcheck: "false",
  });
  const select = h(
    "select",
    { id },
    h("option", { value: RANDOM }, say("table.deck_random")),
    decks.map((deck) => h("option", { value: deck.id }, deck.name[lang])),
    h("option", { value: BY_CODE }, say("table.deck_by_code")),
  );
  select.value = known ? chosen : BY_CODE;
  const tell = () => {
    const deck = decks.find((one) => one.id === select.value);
    note.textContent = deck
      ? deck.description[lang]
      : say(select.value === BY_CODE ? "table.deck_code_note" : "table.deck_random_note");
    code.hidden = select.value !== BY_CODE;
  };
  select.addEventListener("change", tell);
  tell();
  return {
    element: h("div", { class: "field" }, h("label", { for: id }, label), select, code, note),
    value: () => (select.value === BY_CODE ? code.value.trim() : select.value),
  };
}
