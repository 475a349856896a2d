// @ts-check
// The rules on the spot: a game on one screen, and one rule by its number. The books are behind both.
import { get } from "./api.js";
import { BookText } from "./book-text.js";
import { gameNamed, gameOfRule, kindNamed, nameOf, titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { ruleLink, showError } from "./shell.js";
import { keysUnder, lang, line, say } from "./words.js";

/** @typedef {import("./catalog.js").Game} Game */
/** @typedef {import("./wire").Book} Book */
/** @typedef {{game: string, options: Partial<Record<string, string | number | boolean>>}} About a game and what is settled about it */

/** @type {Map<string, Promise<Book>>} */
const books = new Map();

/** @param {Game} game */
function bookOf(game) {
  const found = books.get(game.name) ?? get("/api/rules/{game}", { game: nameOf(game), lang });
  books.set(game.name, found);
  found.catch(() => books.delete(game.name));
  return found;
}

// ---------------------------------------------------------------- a game on one screen

/** @param {() => About} about */
export function rulesCardButton(about) {
  const onclick = () => showRulesCard(about());
  return h("button", { type: "button", class: "short-rules", onclick }, say("rules.short"));
}

/** @param {string} game */
export function hasRulesCard(game) {
  return lineNames(game).length > 0;
}

/** @param {About} about */
export function showRulesCard({ game: name, options }) {
  const game = gameNamed(name);
  if (!game) return;
  const { edition } = kindNamed(name, String(options.edition ?? ""));
  const values = { ...usualValues(game, edition), ...options };
  const title = line(titleOf(game), ...(edition ? [titleOf(edition)] : []));
  const whole = `/rules/${name}${edition ? `?edition=${edition.name}` : ""}`;
  open("rules-card", title, h("dl", null, cardLines(game, values)), whole);
}

/** @typedef {Partial<Record<string, string | number | boolean>>} Values of options, by their names */

/**
 * The options of a game as one of its editions has them.
 * @param {Game} game @param {import("./catalog.js").Edition | null} edition
 * @returns {Values}
 */
export function usualValues(game, edition) {
  return Object.fromEntries(game.options.map((option) => [option.name, option.values[edition?.name ?? ""]]));
}

/**
 * `Lead: the rest (M12).` A line that ends in a value of an option is there only where the option has it.
 * @param {Game} game
 * @param {Values} values
 * @param {typeof say} tell
 */
export function rulesInShort(game, values, tell = say) {
  const slots = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.replaceAll("-", "_"), typeof value === "number" ? value : String(value)]),
  );
  const fits = (/** @type {string} */ name) => {
    const [option, value] = name.split(".");
    return value === undefined || String(values[option]) === value;
  };
  return lineNames(game.name)
    .filter(fits)
    .map((name) => {
      const [lead, ...rest] = tell(`rules.card.${game.name}.${name}`, slots).split(": ");
      return { lead, rest: rest.join(": ") };
    });
}

/** @param {Game} game @param {Values} values */
function cardLines(game, values) {
  return rulesInShort(game, values).map(({ lead, rest }) =>
    h("div", null, h("dt", null, lead), " ", h("dd", null, linked(rest, game))),
  );
}

/** @param {string} game */
function lineNames(game) {
  const start = `rules.card.${game}.`;
  return keysUnder(start).map((key) => key.slice(start.length));
}

/**
 * What stands in brackets stays on one line.
 * @param {string} text @param {Game} game
 */
function linked(text, game) {
  const rules = (/** @type {string} */ part) =>
    part.split(new RegExp(`(${game.letter}\\d+)`)).map((one, number) => (number % 2 ? ruleLink(one) : one));
  return text.split(/(\([^)]*\)\S?)/).map((part, number) => (number % 2 ? h("span", { class: "cited" }, rules(part)) : part));
}

// ---------------------------------------------------------------- one rule

/** @param {string} rule */
export async function showRule(rule) {
  const game = gameOfRule(rule);
  if (!game) return;
  try {
    const { chapters } = await bookOf(game);
    const found = chapters.flatMap((chapter) => chapter.rules).find((one) => one.id === rule);
    if (!found) return;
    const text = h("div", { class: "text" }, new BookText(game).nodes(found.blocks));
    open("one-rule", line(found.id, found.title), text, `/rules/${game.name}#${rule}`);
  } catch (error) {
    showError(/** @type {Error} */ (error).message);
  }
}

// ---------------------------------------------------------------- both

/**
 * One at a time: a rule that is opened from a card or from another rule takes its place.
 * @param {string} look @param {string} title @param {HTMLElement} content @param {string} whole
 */
function open(look, title, content, whole) {
  for (const before of document.querySelectorAll("dialog.on-the-spot")) /** @type {HTMLDialogElement} */ (before).close();
  const closes = (/** @type {Event} */ event) => event.target === dialog && dialog.close();
  const dialog = h(
    "dialog",
    { class: `on-the-spot ${look}`, "aria-label": title, onclose: () => dialog.remove(), onclick: closes },
    // It begins at its beginning, however long it is.
    h("h2", { tabindex: "-1", autofocus: true }, title),
    content,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", onclick: () => dialog.close() }, say("cards.set.close")),
      h("a", { class: "button", href: whole, target: "_blank" }, say("rules.whole")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
