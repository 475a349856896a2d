// @ts-check
// A rulebook: its text comes as a tree of known tags and becomes elements here.
import { get } from "./api.js";
import { BookText } from "./book-text.js";
import { allGames, gameOfPage, kindNamed, nameOf, titleOf } from "./catalog.js";
import { h, $, $$ } from "./dom.js";
import { hasRulesCard, rulesCardButton } from "./rules-card.js";
import { announce, ready, showError, startPage } from "./shell.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").BookRule} Rule */
/** @typedef {import("./wire").BookChapter} Chapter */
/** @typedef {import("./wire").Book} Book */
/** @typedef {import("./catalog.js").Game} Game */
/** @typedef {import("./catalog.js").Edition} Edition */

await ready();
const game = gameOfPage();
const edition = chosenEdition();
const { main } = startPage({ title: say("rules.title", { game: titleOf(game) }) });
const words = new BookText(game, edition, placeOf);

try {
  show(await get("/api/rules/{game}", { game: nameOf(game), lang }));
} catch (error) {
  showError(error instanceof Error ? error.message : String(error));
}

/** With an edition in the address, what holds only for another one is left out. */
function chosenEdition() {
  const asked = new URLSearchParams(location.search).get("edition");
  return game.editions.find((one) => one.name === asked);
}

/** @param {Book} book */
function show(book) {
  const text = h("div", { class: "text" });
  main.className = "rules";
  main.append(top(book), h("div", { class: "columns" }, contents(book), text));
  write(book, text);
  goToRule();
  addEventListener("hashchange", goToRule);
  $("#search")?.addEventListener("input", (event) => {
    const typed = /** @type {HTMLInputElement} */ (event.target).value;
    search(book, text, typed);
  });
}

// ---------------------------------------------------------------- the frame

/** @param {Book} book */
function top(book) {
  return h(
    "div",
    { class: "book-top" },
    h("h1", null, book.title),
    h(
      "nav",
      { class: "books", "aria-label": say("rules.books") },
      allGames()
        .filter((one) => one.rulebook)
        .flatMap(bookLinks),
    ),
    h(
      "div",
      { class: "row search", role: "search" },
      h("label", { class: "visually-hidden", for: "search" }, say("rules.search")),
      h("input", {
        id: "search",
        type: "search",
        placeholder: say("rules.search_hint"),
        autocomplete: "off",
        spellcheck: "false",
      }),
      hasRulesCard(game.name) ? rulesCardButton(() => ({ game: game.name, options: { edition: edition?.name } })) : null,
      h("a", { class: "button variants-link", href: "/rules/variants" }, say("variants.title")),
      game.lesson ? h("a", { class: "button", href: `/learn/${game.name}` }, say("rules.learn")) : null,
      hasRulesCard(game.name) ? h("a", { class: "button print-link", href: onOnePage() }, say("print.link_rules")) : null,
      h("button", { type: "button", class: "print", onclick: () => print() }, say("rules.print")),
    ),
    h("p", { class: "found note", role: "status" }),
  );
}

/** The edition that is read, else the first one. */
function onOnePage() {
  return `/print?${new URLSearchParams({ what: `rules:${kindNamed(game.name, edition?.name ?? "").id}` })}`;
}

/**
 * The whole book, and as it reads for each edition.
 * @param {Game} book
 */
function bookLinks(book) {
  const link = (/** @type {Edition | undefined} */ only) => {
    const current = book === game && only === edition;
    const path = `/rules/${book.name}${only ? `?edition=${only.name}` : ""}`;
    return h(
      "a",
      { class: "chip", href: path, "aria-current": current ? "page" : null },
      only ? `${titleOf(book)} · ${titleOf(only)}` : titleOf(book),
    );
  };
  return [link(undefined), ...book.editions.map(link)];
}

/** @param {Book} book */
function contents(book) {
  const wide = matchMedia("(min-width: 900px)").matches;
  const parts = book.chapters.map((chapter) =>
    h(
      "li",
      null,
      h("a", { href: `#${chapter.id}` }, chapter.title),
      chapter.rules.length ? h("ol", null, chapter.rules.map(ruleLine)) : null,
    ),
  );
  return h(
    "details",
    { class: "contents panel", open: wide },
    h("summary", null, say("rules.contents")),
    h("nav", { "aria-label": say("rules.contents") }, h("ol", null, parts)),
  );
}

/** @param {Rule} rule */
function ruleLine(rule) {
  return h("li", null, h("a", { href: `#${rule.id}` }, h("b", null, rule.id), h("span", null, rule.title)));
}

function goToRule() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (const old of $$(".here")) old.classList.remove("here");
  target.classList.add("here");
  target.scrollIntoView({ block: "start" });
}

// ---------------------------------------------------------------- the text

/** @param {Book} book @param {HTMLElement} text @returns {number} how many passages are shown */
function write(book, text) {
  const parts = book.chapters.map(chapterShown).filter((part) => part !== null);
  const intro = words.wanted ? [] : [h("section", { class: "panel intro" }, words.nodes(book.intro))];
  text.replaceChildren(...intro, .../** @type {HTMLElement[]} */ (parts));
  return $$("mark", text).length;
}

/** @param {Chapter} chapter */
function chapterShown(chapter) {
  const rules = chapter.rules.filter((rule) => words.matches([rule.id, rule.title, ...rule.blocks]));
  const own = words.matches([chapter.title, ...chapter.blocks]);
  if (!own && !rules.length) return null;
  return h(
    "section",
    { class: "chapter panel", id: chapter.id, "aria-labelledby": `${chapter.id}-title` },
    h("h2", { id: `${chapter.id}-title` }, words.marked(chapter.title)),
    own ? words.found(chapter.blocks) : null,
    rules.map(ruleShown),
  );
}

/** @param {Rule} rule */
function ruleShown(rule) {
  const link = h(
    "a",
    { class: "number", href: `#${rule.id}`, "aria-label": say("rules.link", { rule: rule.id }) },
    words.marked(rule.id),
  );
  return h(
    "article",
    { class: "rule-text", id: rule.id },
    h("h3", null, link, " ", words.marked(rule.title)),
    words.nodes(rule.blocks),
  );
}

/**
 * Within the book a link to a rule leads to its place.
 * @param {string} rule
 */
function placeOf(rule) {
  return h("a", { class: "rule", href: `#${rule}`, "aria-label": say("shell.rule", { rule }) }, rule);
}

// ---------------------------------------------------------------- search

/** @param {Book} book @param {HTMLElement} text @param {string} typed */
function search(book, text, typed) {
  words.search(typed);
  const found = write(book, text);
  const told = !words.wanted ? "" : found ? say("rules.found", { n: found }) : say("rules.nothing");
  const line = $(".found");
  if (line) line.textContent = told;
  announce(told);
}
