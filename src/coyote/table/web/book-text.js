// @ts-check
// The text of a rulebook: a tree of known tags becomes elements, with what is searched for marked.
import { h } from "./dom.js";
import { ruleLink } from "./shell.js";
import { cardSign, say } from "./words.js";

/** @typedef {import("./wire").Tree} Tree */
/** @typedef {import("./catalog.js").Game} Game */
/** @typedef {import("./catalog.js").Edition} Edition */

const KNOWN = ["p", "ul", "ol", "li", "strong", "em", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"];
const WITH_CARD = /^([abc]\d? |drop |steal )?([2-9TJQKA][CDHS]|X[12])$/;
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs", X: "joker" };

export class BookText {
  /**
   * @param {Game} game
   * @param {Edition | undefined} [edition] what holds only for another one is left out
   * @param {(rule: string) => HTMLElement} [pointer] how the text refers to a rule
   */
  constructor(game, edition, pointer = ruleLink) {
    this.game = game;
    this.edition = edition;
    this.pointer = pointer;
    this.wanted = "";
  }

  /** @param {string} typed what is searched for */
  search(typed) {
    this.wanted = plain(typed.trim());
  }

  /** @param {Tree[]} trees @returns {Node[]} */
  nodes(trees) {
    return trees.filter((tree) => !this.isForeign(tree)).map((tree) => this.node(tree));
  }

  /**
   * A long table of words is cut down to its lines that have the word; a rule is always shown whole.
   * @param {Tree[]} blocks
   */
  found(blocks) {
    return this.nodes(blocks.filter((block) => this.matches([block])).map((block) => this.thinned(block)));
  }

  /** @param {Tree[]} trees */
  matches(trees) {
    return !this.wanted || trees.some((tree) => plain(textOf(tree)).includes(this.wanted));
  }

  /** @param {string} text @returns {(Node | string)[]} */
  marked(text) {
    const { wanted } = this;
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

  /** @param {Tree} block @returns {Tree} */
  thinned(block) {
    if (!this.wanted || typeof block === "string" || !["table", "tbody"].includes(block.tag)) return block;
    const kids = block.kids
      .map((kid) => this.thinned(kid))
      .filter((kid) => typeof kid === "string" || kid.tag !== "tr" || this.matches([kid]));
    return { ...block, kids };
  }

  /**
   * Whether a passage is for another edition than the one that is read.
   * @param {Tree} tree
   */
  isForeign(tree) {
    const own = this.editionOf(tree);
    return this.edition !== undefined && own >= 0 && this.game.editions[own] !== this.edition;
  }

  /**
   * The number of the edition that a passage is for alone; -1 where it is for all.
   * @param {Tree} tree
   */
  editionOf(tree) {
    return typeof tree === "string" ? -1 : this.game.editions.findIndex((one) => one.name === tree.kind);
  }

  /** @param {Tree} tree @returns {Node} */
  node(tree) {
    if (typeof tree === "string") return fragment(this.marked(tree));
    if (tree.tag === "a") return this.pointer(tree.rule ?? "");
    if (!KNOWN.includes(tree.tag)) return fragment(this.nodes(tree.kids));
    const tag = /** @type {keyof HTMLElementTagNameMap} */ (tree.tag);
    if (tag === "table") return scrolling(h(tag, null, this.nodes(tree.kids)), say("rules.table"));
    if (tag === "pre")
      return h(tag, { tabindex: "0", role: "group", "aria-label": say("rules.code") }, this.marked(textOf(tree)));
    if (tag === "code") return this.code(textOf(tree));
    const own = this.editionOf(tree);
    return h(
      tag,
      { class: own < 0 ? tree.kind : `edition edition-${own}`, dataset: own < 0 ? null : { edition: tree.kind } },
      this.nodes(tree.kids),
    );
  }

  /**
   * A move with a card: the notation stays, and the card stands beside it as it looks on the table.
   * @param {string} text
   */
  code(text) {
    const found = WITH_CARD.exec(text);
    if (!found) return h("code", null, this.marked(text));
    const card = found[2];
    const sign = cardSign(card);
    const suit = SUITS[/** @type {keyof SUITS} */ (card[0] === "X" ? "X" : card[1])];
    return h(
      "span",
      { class: "move" },
      h("code", null, this.marked(text)),
      h("span", { class: `mini ${suit}`, role: "img", "aria-label": sign.name }, sign.rank + sign.suit),
    );
  }
}

/** @param {(Node | string)[]} kids */
function fragment(kids) {
  const made = document.createDocumentFragment();
  made.append(...kids);
  return made;
}

/** @param {HTMLElement} inner @param {string} label */
function scrolling(inner, label) {
  return h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": label }, inner);
}

/** Letters as they are compared: small, and е for ё. */
/** @param {string} text */
function plain(text) {
  return text.toLowerCase().replaceAll("ё", "е");
}

/** @param {Tree} tree @returns {string} */
function textOf(tree) {
  return typeof tree === "string" ? tree : tree.kids.map(textOf).join("");
}
