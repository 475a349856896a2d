// @ts-check
// Beside the table: what happened since one's last choice, everything before with its rules, what can be asked for,
// and what can be set. Where there is little room, all but the newest is in a sheet.
import { $, $$, h } from "./dom.js";
import { canNotify, notifies, setNotify } from "./my-turn.js";
import { PACES, choosePace, chosenPace } from "./pace.js";
import { languageSwitch, ruleLink, themeSwitch } from "./shell.js";
import { sign } from "./sign.js";
import { setSound, soundOn } from "./sounds.js";
import { say } from "./words.js";

/** @typedef {import("./room-log.js").Line} Line */
/** @typedef {keyof typeof SIGNS} Tool */

const SIGNS = {
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5 1 1.2 1.1 2.2h5c.1-1 .5-1.7 1.1-2.2A6 6 0 0 0 12 3Z",
  undo: "M9 4 4 9l5 5M4 9h10a5 5 0 0 1 0 10h-3",
  draw: "M5 9h14M5 15h14",
  abort: "M6 6l12 12M18 6 6 18",
  claim: "M6 4h12v3a6 6 0 0 1-12 0ZM12 13v5M8 20h8",
  resign: "M6 3v18M6 4h12l-3 4 3 4H6",
};
const MORE = "M5 12h.01M12 12h.01M19 12h.01";
const UNFOLD = "m6 9 6 6 6-6";
const CLOSE = "M6 6l12 12M18 6 6 18";
const SOUND = {
  on: "M4 9v6h4l5 4V5L8 9ZM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  off: "M4 9v6h4l5 4V5L8 9ZM17 10l4 4M21 10l-4 4",
};
const BELL = {
  on: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4ZM10 21h4",
  off: "M6 16V11a6 6 0 0 1 9-5M18 11v5l2 2H4l2-2M10 21h4M4 4l16 16",
};

/**
 * @param {Tool} name
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
    this.newest = h("ol", { class: "newest", "aria-label": say("table.newest"), tabindex: "0", onkeydown: amongRules });
    this.prompt = h("p", { class: "prompt" });
    this.older = h("ol", { class: "older", "aria-label": say("table.story"), tabindex: "0", onkeydown: amongRules });
    this.tools = h("div", { class: "tools" });
    this.about = h("p", { class: "about note" });
    this.watched = h("p", { class: "watched note", hidden: true });
    this.more = this.opener("more", say("table.more"), MORE, { "stroke-width": 4 });
    this.unfold = this.opener("unfold", say("table.story"), UNFOLD);
    const close = h("button", { type: "button", class: "close quiet", "aria-label": say("table.close_sheet") }, sign(CLOSE));
    this.sheet = h(
      "div",
      { class: "sheet", id: "sheet" },
      h("div", { class: "sheet-head" }, this.about, close),
      this.watched,
      h("h2", { class: "visually-hidden" }, say("table.story")),
      this.older,
      this.tools,
      settings(),
    );
    // Whoever taps beside the sheet closes it and does nothing else.
    this.shade = h("div", { class: "shade", onclick: () => this.open(false) });
    this.element = h(
      "aside",
      { class: "side-panel panel", "aria-label": say("table.story") },
      h("div", { class: "sentence" }, h("div", { class: "said" }, this.newest, this.prompt), this.unfold),
      this.shade,
      this.sheet,
    );
    close.addEventListener("click", () => this.open(false));
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.open(false));
    this.sheet.addEventListener(
      "click",
      (event) => event.target instanceof Element && event.target.closest(".tool") && this.open(false),
    );
    this.newest.addEventListener("scroll", () => this.markEdges(), { passive: true });
    new ResizeObserver(() => this.markEdges()).observe(this.newest); // its place may change after the words
    /** @type {Line[]} */
    this.lines = [];
  }

  /**
   * @param {string} look @param {string} label @param {string} path
   * @param {Record<string, string | number>} [drawn]
   */
  opener(look, label, path, drawn) {
    const props = { type: "button", class: `${look} quiet`, "aria-label": label, "aria-expanded": "false", "aria-controls": "sheet" };
    const button = h("button", props, sign(path, drawn));
    button.addEventListener("click", () => this.open(!this.element.classList.contains("open"), button));
    return button;
  }

  /** @param {boolean} open @param {HTMLElement} [by] */
  open(open, by) {
    if (open === this.element.classList.contains("open")) return;
    this.element.classList.toggle("open", open);
    if (by) this.openedBy = by;
    for (const opener of [this.more, this.unfold]) opener.setAttribute("aria-expanded", String(open));
    if (open) {
      this.older.scrollTop = 0;
      $(".close", this.sheet)?.focus();
    } else if (this.sheet.contains(document.activeElement)) this.openedBy?.focus();
  }

  /**
   * @param {Line[][]} turns everything, in pieces from one own choice to the next
   * @param {(lines: Line[]) => Line[]} told leaves out what one sees anyway
   * @param {string} prompt
   */
  tell(turns, told, prompt) {
    const newest = told(turns.at(-1) ?? []);
    const before = new Set(this.lines);
    this.lines = turns.flat();
    this.newest.replaceChildren(
      ...newest.map((line) => h("li", { class: before.has(line) ? "known" : null }, ...said(line))),
    );
    this.newest.hidden = !newest.length;
    this.ask(prompt);
    this.showFresh();
    const pieces = turns.map((lines) => h("li", { class: "turn" }, lines.map((line) => h("p", null, ...said(line)))));
    pieces.at(-1)?.classList.add("now"); // where there is room it stands above
    this.older.replaceChildren(...pieces.reverse());
  }

  /** What is new begins at the top, and what is beyond the edges is seen to be there. */
  showFresh() {
    const { newest } = this;
    const fresh = $("li:not(.known)", newest)?.getClientRects()[0];
    if (fresh) newest.scrollTop += fresh.top - newest.getBoundingClientRect().top;
    this.markEdges();
  }

  markEdges() {
    const { newest } = this;
    newest.classList.toggle("cut-above", newest.scrollTop > 2);
    newest.classList.toggle("cut-below", newest.scrollTop + newest.clientHeight < newest.scrollHeight - 2);
  }

  /**
   * @param {string} text
   * @param {{rule?: string | null, look?: string}} [how]
   */
  ask(text, how = {}) {
    const { rule = null, look = "" } = how;
    this.prompt.className = `prompt ${look}`;
    this.prompt.replaceChildren(...said({ text, rule }, 0));
  }
}

/**
 * @param {{text: string, rule: string | null}} line
 * @param {number} [tab] a log of links would take a hundred steps to get past: arrows go through them
 * @returns {(Node | string)[]}
 */
function said({ text, rule }, tab = -1) {
  // A refusal ends with its rule in brackets already; here the rule is a link.
  const bare = rule ? text.replace(` (${rule})`, "") : text;
  if (!rule) return [bare, " "];
  const link = ruleLink(rule);
  if (link instanceof HTMLAnchorElement) link.tabIndex = tab;
  return [bare, " ", link, " "];
}

/** @param {KeyboardEvent} event */
function amongRules(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const list = event.currentTarget;
  if (!step || !(list instanceof HTMLElement)) return;
  const links = $$("a.rule", list).filter((link) => link.offsetParent);
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[at < 0 && step < 0 ? links.length - 1 : at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

// ---------------------------------------------------------------- what can be set

function settings() {
  return h(
    "div",
    { class: "settings" },
    paceChoice(),
    h(
      "div",
      { class: "switches" },
      toggle("sound", SOUND, soundOn, async (on) => setSound(on)),
      canNotify() ? toggle("notify", BELL, notifies, setNotify) : null,
      languageSwitch(),
      themeSwitch(),
    ),
  );
}

function paceChoice() {
  const now = chosenPace();
  const ways = PACES.map((one) => h("option", { value: one, selected: one === now }, say(`table.pace.${one}`)));
  const choice = h("select", { id: "pace", onchange: () => choosePace(/** @type {import("./pace.js").Pace} */ (choice.value)) }, ways);
  return h("div", { class: "pace" }, h("label", { for: "pace" }, say("table.pace.label")), choice);
}

/**
 * @param {"sound" | "notify"} name
 * @param {{on: string, off: string}} signs
 * @param {() => boolean} is
 * @param {(on: boolean) => Promise<unknown>} set
 */
function toggle(name, signs, is, set) {
  const button = h("button", { type: "button", class: `quiet ${name}` });
  const dress = () => {
    const on = is();
    button.setAttribute("aria-pressed", String(on));
    button.setAttribute("aria-label", say(`table.${name}.label`));
    button.title = say(on ? `table.${name}.on` : `table.${name}.off`);
    button.replaceChildren(sign(on ? signs.on : signs.off));
  };
  button.addEventListener("click", async () => {
    await set(!is());
    dress();
  });
  dress();
  return button;
}
