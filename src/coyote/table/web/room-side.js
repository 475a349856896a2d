// @ts-check
// Beside the table: the sentence, older lines with their rules, and what can be asked for.
import { h } from "./dom.js";
import { languageSwitch, ruleLink, themeSwitch } from "./shell.js";
import { sign } from "./sign.js";
import { say } from "./words.js";

/** @typedef {import("./room-log.js").Line} Line */

const SIGNS = {
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5 1 1.2 1.1 2.2h5c.1-1 .5-1.7 1.1-2.2A6 6 0 0 0 12 3Z",
  undo: "M9 5 4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3",
  draw: "M5 9h14M5 15h14",
  resign: "M6 3v18M6 4h12l-3 4 3 4H6",
};
const MORE = "M5 12h.01M12 12h.01M19 12h.01";

/**
 * @param {"hint" | "undo" | "draw" | "resign"} name
 * @param {() => void} act
 */
export function tool(name, act) {
  return h(
    "button",
    { type: "button", class: `tool ${name}`, title: say(`table.tool.${name}`), onclick: act },
    sign(SIGNS[name]),
    h("span", null, say(`table.tool.${name}`)),
  );
}

export class Side {
  constructor() {
    this.newest = h("p", { class: "newest" });
    this.prompt = h("p", { class: "prompt" });
    this.older = h("ol", { class: "older", tabindex: "0", "aria-label": say("table.story") });
    this.tools = h("div", { class: "tools" });
    this.about = h("p", { class: "about note" });
    this.more = h(
      "button",
      { type: "button", class: "more quiet", "aria-expanded": "false", "aria-label": say("table.more") },
      sign(MORE, { "stroke-width": 4 }),
    );
    this.sheet = h(
      "div",
      { class: "sheet" },
      this.about,
      this.tools,
      h("h2", { class: "visually-hidden" }, say("table.story")),
      this.older,
      h("div", { class: "switches" }, languageSwitch(), themeSwitch()),
    );
    this.element = h(
      "aside",
      { class: "side-panel panel", "aria-label": say("table.story") },
      h("div", { class: "sentence" }, h("div", { class: "said" }, this.newest, this.prompt)),
      this.sheet,
    );
    this.more.addEventListener("click", () => this.open(!this.element.classList.contains("open")));
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.open(false));
    // A touch anywhere else closes it.
    document.addEventListener("pointerdown", ({ target }) => {
      if (target instanceof Node && !this.element.contains(target) && !this.more.contains(target)) this.open(false);
    });
    this.sheet.addEventListener(
      "click",
      (event) => event.target instanceof Element && event.target.closest(".tool") && this.open(false),
    );
  }

  /** @param {boolean} open */
  open(open) {
    this.element.classList.toggle("open", open);
    this.more.setAttribute("aria-expanded", String(open));
    if (!open && this.sheet.contains(document.activeElement)) this.more.focus();
  }

  /**
   * @param {Line[]} news what one needs to know now
   * @param {Line[]} lines everything, the newest first
   * @param {string} prompt
   */
  tell(news, lines, prompt) {
    this.newest.replaceChildren(...news.flatMap((line) => said(line)));
    this.ask(prompt);
    const older = lines.filter((line) => !news.includes(line));
    this.element.scrollTop = 0;
    this.older.replaceChildren(...older.map((line) => h("li", null, ...said(line))));
  }

  /**
   * @param {string} text
   * @param {{rule?: string | null, look?: string}} [how]
   */
  ask(text, how = {}) {
    const { rule = null, look = "" } = how;
    this.prompt.className = `prompt ${look}`;
    this.prompt.replaceChildren(...said({ text, rule }));
  }
}

/** @param {{text: string, rule: string | null}} line @returns {(Node | string)[]} */
function said({ text, rule }) {
  // A refusal ends with its rule in brackets already; here the rule is a link.
  const bare = rule ? text.replace(` (${rule})`, "") : text;
  return rule ? [bare, " ", ruleLink(rule), " "] : [bare, " "];
}
