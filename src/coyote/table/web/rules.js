// @ts-check
// A rulebook: its text comes as a tree of known tags and becomes elements here.
import { get } from "./api.js";
import { allGames, gameOfPage, nameOf, titleOf } from "./catalog.js";
import { h, $, $$ } from "./dom.js";
import { announce, ready, ruleLink, showError, startPage } from "./shell.js";
import { cardSign, lang, say } from "./words.js";

/** @typedef {import("./wire").Tree} Tree */
/** @typedef {import("./wire").BookRule} Rule */
/** @typedef {import("./wire").BookChapter} Chapter */
/** @typedef {import("./wire").Book} Book */
/** @typedef {import("./catalog.js").Game} Game */
/** @typedef {import("./catalog.js").Edition} Edition */

const KNOWN = ["p", "ul", "ol", "li", "strong", "em", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"];
const WITH_CARD = /^([abc]\d? |drop |steal )?([2-9TJQKA][CDHS]|X[12])$/;
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs", X: "joker" };

await ready();
const game = gameOfPage();
const edition = chosenEdition();
const { main } = startPage({ title: say("rules.title", { game: titleOf(game) }) });

/** What is searched for, ready for comparing. */
let wanted = "";

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
      game.lesson ? h("a", { class: "button", href: `/learn/${game.name}` }, say("rules.learn")) : null,
      h("button", { type: "button", class: "print", onclick: () => print() }, say("rules.print")),
    ),
    h("p", { class: "found note", role: "status" }),
  );
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
  const intro = wanted ? [] : [h("section", { class: "panel intro" }, nodes(book.intro))];
  text.replaceChildren(...intro, .../** @type {HTMLElement[]} */ (parts));
  return $$("mark", text).length;
}

/** @param {Chapter} chapter */
function chapterShown(chapter) {
  const rules = chapter.rules.filter((rule) => matches([rule.id, rule.title, ...rule.blocks]));
  const own = matches([chapter.title, ...chapter.blocks]);
  if (!own && !rules.length) return null;
  return h(
    "section",
    { class: "chapter panel", id: chapter.id, "aria-labelledby": `${chapter.id}-title` },
    h("h2", { id: `${chapter.id}-title` }, marked(chapter.title)),
    own ? shownBlocks(chapter.blocks) : null,
    rules.map(ruleShown),
  );
}

/** @param {Rule} rule */
function ruleShown(rule) {
  const link = h(
    "a",
    { class: "number", href: `#${rule.id}`, "aria-label": say("rules.link", { rule: rule.id }) },
    marked(rule.id),
  );
  return h(
    "article",
    { class: "rule-text", id: rule.id },
    h("h3", null, link, " ", marked(rule.title)),
    nodes(rule.blocks),
  );
}

/**
 * A long table of words is cut down to its lines that have the word; a rule is always shown whole.
 * @param {Tree[]} blocks
 */
function shownBlocks(blocks) {
  return nodes(blocks.filter((block) => matches([block])).map(thinned));
}

/** @param {Tree} block @returns {Tree} */
function thinned(block) {
  if (!wanted || typeof block === "string" || !["table", "tbody"].includes(block.tag)) return block;
  const kids = block.kids.map(thinned).filter((kid) => typeof kid === "string" || kid.tag !== "tr" || matches([kid]));
  return { ...block, kids };
}

/** @param {Tree[]} trees @returns {Node[]} */
function nodes(trees) {
  return trees.filter((tree) => !isForeign(tree)).map(node);
}

/**
 * Whether a passage is for another edition than the one that is read.
 * @param {Tree} tree
 */
function isForeign(tree) {
  const own = editionOf(tree);
  return edition !== undefined && own >= 0 && game.editions[own] !== edition;
}

/**
 * The number of the edition that a passage is for alone; -1 where it is for all.
 * @param {Tree} tree
 */
function editionOf(tree) {
  return typeof tree === "string" ? -1 : game.editions.findIndex((one) => one.name === tree.kind);
}

/** @param {Tree} tree @returns {Node} */
function node(tree) {
  if (typeof tree === "string") return fragment(marked(tree));
  if (tree.tag === "a") return rulePointer(tree.rule ?? "");
  if (!KNOWN.includes(tree.tag)) return fragment(nodes(tree.kids));
  const tag = /** @type {keyof HTMLElementTagNameMap} */ (tree.tag);
  if (tag === "table") return scrolling(h(tag, null, nodes(tree.kids)), say("rules.table"));
  if (tag === "pre")
    return h(tag, { tabindex: "0", role: "group", "aria-label": say("rules.code") }, marked(textOf(tree)));
  if (tag === "code") return code(textOf(tree));
  const own = editionOf(tree);
  return h(
    tag,
    { class: own < 0 ? tree.kind : `edition edition-${own}`, dataset: own < 0 ? null : { edition: tree.kind } },
    nodes(tree.kids),
  );
}

/** @param {(Node | string)[]} kids */
function fragment(kids) {
  const made = document.createDocumentFragment();
  made.append(...kids);
  return made;
}

/** Within the book a link to a rule leads to its place; it does not open another page. */
/** @param {string} rule */
function rulePointer(rule) {
  const link = ruleLink(rule);
  link.setAttribute("href", `#${rule}`);
  link.removeAttribute("target");
  return link;
}

/** @param {HTMLElement} inner @param {string} label */
function scrolling(inner, label) {
  return h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": label }, inner);
}

/**
 * A move with a card: the notation stays, and the card stands beside it as it looks on the table.
 * @param {string} text
 */
function code(text) {
  const found = WITH_CARD.exec(text);
  if (!found) return h("code", null, marked(text));
  const card = found[2];
  const sign = cardSign(card);
  const suit = SUITS[/** @type {keyof SUITS} */ (card[0] === "X" ? "X" : card[1])];
  return h(
    "span",
    { class: "move" },
    h("code", null, marked(text)),
    h("span", { class: `mini ${suit}`, role: "img", "aria-label": sign.name }, sign.rank + sign.suit),
  );
}

// ---------------------------------------------------------------- search

/** @param {Book} book @param {HTMLElement} text @param {string} typed */
function search(book, text, typed) {
  wanted = plain(typed.trim());
  const found = write(book, text);
  const told = !wanted ? "" : found ? say("rules.found", { n: found }) : say("rules.nothing");
  const line = $(".found");
  if (line) line.textContent = told;
  announce(told);
}

/** Letters as they are compared: small, and е for ё. */
/** @param {string} text */
function plain(text) {
  return text.toLowerCase().replaceAll("ё", "е");
}

/** @param {Tree[]} trees */
function matches(trees) {
  return !wanted || trees.some((tree) => plain(textOf(tree)).includes(wanted));
}

/** @param {Tree} tree @returns {string} */
function textOf(tree) {
  return typeof tree === "string" ? tree : tree.kids.map(textOf).join("");
}

/** @param {string} text @returns {(Node | string)[]} */
function marked(text) {
  if (!wanted) return [text];
  /** @type {(Node | string)[]} */
  const parts = [];
  const low = plain(text);
  let at = 0;
  for (let found = low.indexOf(wanted); found >= 0; found = low.indexOf(wanted, at)) {
    parts.push(text.slice(at, found), h("mark", null, text.slice(found, found + wanted.length)));
    at = found + wanted.length;
  }
  return [...parts, text.slice(at)];
}
