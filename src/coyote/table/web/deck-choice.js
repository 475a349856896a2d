// @ts-check
// Choosing a deck for a duel: a ready one, one at random, or a code from the deck page.
import { get } from "./api.js";
import { h } from "./dom.js";
import { lang, say } from "./words.js";

/** @type {Promise<any[]> | null} */
let loading = null;

/** @returns {Promise<{id: string, name: Record<string, string>, description: Record<string, string>}[]>} */
function readyDecks() {
  // Without the list one can still take a deck by lot or by its code.
  loading ??= get("/api/decks").catch(() => []);
  return loading;
}

/**
 * A form row; `value()` is the deck as the server takes it.
 * @param {{label: string, id: string, chosen?: string}} about
 */
export async function deckChoice({ label, id, chosen = "random" }) {
  const decks = await readyDecks();
  const note = h("p", { class: "note" });
  const code = h("input", { type: "text", id: `${id}-code`, placeholder: say("table.deck_code"), "aria-label": say("table.deck_code"), autocomplete: "off", spellcheck: "false" });
  const select = h(
    "select",
    { id },
    h("option", { value: "random" }, say("table.deck_random")),
    decks.map((deck) => h("option", { value: deck.id }, deck.name[lang])),
    h("option", { value: "code" }, say("table.deck_by_code")),
  );
  select.value = chosen;
  const tell = () => {
    const deck = decks.find((one) => one.id === select.value);
    note.textContent = deck ? deck.description[lang] : say(select.value === "code" ? "table.deck_code_note" : "table.deck_random_note");
    code.hidden = select.value !== "code";
  };
  select.addEventListener("change", tell);
  tell();
  return {
    element: h("div", { class: "field" }, h("label", { for: id }, label), select, code, note),
    value: () => (select.value === "code" ? code.value.trim() : select.value),
  };
}
