// @ts-check
// The text of a card as it is written: what is wrong is underlined where it is, and below stand the words that may
// follow. What they are, the server says.
import { h } from "./dom.js";
import { announce } from "./shell.js";
import { say } from "./words.js";

/** @typedef {import("./wire").CardFault} CardFault */
/** @typedef {import("./wire").Completions} Completions */

const MOST_WORDS = 24;
const SIGNS = /^[.,:]$/;

export class CardTextField {
  under = h("div", { class: "text-under", "aria-hidden": "true" });
  words = h("ul", { id: "next-words", class: "next-words", role: "listbox", "aria-label": say("workshop.text.words") });
  wrong = h("ul", { id: "text-faults", class: "text-faults" });
  area = h("textarea", {
    id: "card-text",
    rows: 2,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: say("workshop.text.example"),
    "aria-autocomplete": "list",
    "aria-controls": "next-words",
    "aria-describedby": "text-faults",
  });
  element = h(
    "div",
    { class: "field card-text" },
    h("label", { for: "card-text" }, say("workshop.text.label")),
    h("div", { class: "text-box" }, this.under, this.area),
    this.wrong,
    this.words,
    h("p", { class: "note" }, say("workshop.text.how")),
  );
  /** @type {CardFault[]} */
  faults = [];
  /** The text that the faults are of. */
  read = "";
  /** @type {Completions} */
  next = { start: 0, words: [] };
  chosen = -1;

  /** @param {() => void} typed @param {() => void} moved to another place in the same text */
  constructor(typed, moved) {
    this.area.addEventListener("input", () => {
      this.choose(-1);
      this.draw();
      typed();
    });
    this.area.addEventListener("keydown", (event) => this.pressed(event));
    this.area.addEventListener("blur", () => this.choose(-1));
    for (const kind of ["keyup", "click"]) this.area.addEventListener(kind, () => this.at !== this.asked && moved());
    this.asked = 0;
  }

  get text() {
    return this.area.value;
  }

  /** Where the next word shall stand. */
  get at() {
    return this.area.selectionStart;
  }

  /** Another card's, or what lists have made of it. */
  write(/** @type {string} */ text) {
    this.faults = [];
    this.area.value = text;
    this.area.setSelectionRange(text.length, text.length);
    this.show([], { start: 0, words: [] });
  }

  /** @param {CardFault[]} faults @param {Completions} next */
  show(faults, next) {
    this.faults = [...faults].sort((a, b) => a.start - b.start);
    this.read = this.text;
    this.draw();
    this.wrong.replaceChildren(...this.faults.map((fault) => this.told(fault)));
    this.area.toggleAttribute("aria-invalid", faults.length > 0);
    this.next = { ...next, words: next.words.slice(0, MOST_WORDS) };
    this.words.hidden = !this.next.words.length;
    this.words.replaceChildren(...this.next.words.map((word, n) => this.word(word, n)));
    this.choose(-1);
  }

  // ------------------------------------------------------------ what is wrong

  /** The same text behind the one that is written, with the faults that are still where they were. */
  draw() {
    const { text } = this;
    /** @type {(Node | string)[]} */
    const parts = [];
    let at = 0;
    for (const { start, end } of this.faults) {
      if (start < at || !text.startsWith(this.read.slice(0, end))) continue;
      parts.push(text.slice(at, start), h("mark", null, text.slice(start, end) || "\u00a0\u00a0"));
      at = end;
    }
    this.under.replaceChildren(...parts, `${text.slice(at)}\n`);
  }

  /** @param {CardFault} fault */
  told({ start, end, text, nearest }) {
    const small = /^\p{Ll}/u.test(this.text.slice(start));
    const word = nearest && small ? nearest[0].toLowerCase() + nearest.slice(1) : nearest;
    const mend = () => {
      this.put(start, end, word ?? "");
      announce(say("workshop.text.mended"));
    };
    return h(
      "li",
      null,
      h("button", { type: "button", class: "quiet where", onclick: () => this.point(start, end) }, text),
      word ? h("button", { type: "button", class: "mend", onclick: mend }, say("workshop.text.mend", { word })) : null,
    );
  }

  /** @param {number} start @param {number} end */
  point(start, end) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
  }

  // ------------------------------------------------------------ what may follow

  /** @param {string} word @param {number} n */
  word(word, n) {
    return h(
      "li",
      {
        id: `next-${n}`,
        role: "option",
        "aria-selected": "false",
        // The text keeps the focus, and a phone its keyboard.
        onpointerdown: (/** @type {Event} */ event) => event.preventDefault(),
        onclick: () => this.take(n),
      },
      word,
    );
  }

  /** @param {number} n none: -1 */
  choose(n) {
    const options = [...this.words.children];
    options.forEach((one, at) => one.setAttribute("aria-selected", String(at === n)));
    this.chosen = n;
    if (n < 0) return this.area.removeAttribute("aria-activedescendant");
    this.area.setAttribute("aria-activedescendant", `next-${n}`);
    options[n].scrollIntoView({ block: "nearest" });
  }

  /** @param {number} n */
  take(n) {
    const word = this.next.words[n];
    const before = this.text.slice(0, SIGNS.test(word) ? this.next.start : undefined);
    const start = SIGNS.test(word) ? before.trimEnd().length : this.next.start;
    this.put(start, Math.max(this.at, start), `${word} `);
  }

  /**
   * As if it had been typed, so that it can be taken back in the same way.
   * @param {number} start @param {number} end @param {string} word
   */
  put(start, end, word) {
    this.point(start, end);
    if (document.execCommand("insertText", false, word)) return;
    this.area.setRangeText(word, start, end, "end");
    this.area.dispatchEvent(new Event("input"));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { length } = this.next.words;
    const { chosen } = this;
    if (!length || event.isComposing) return;
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
    const step = steps[/** @type {keyof steps} */ (event.key)];
    const opens = (event.key === "ArrowDown" && this.at === this.text.length) || (event.key === " " && event.ctrlKey);
    if (chosen < 0 ? !opens : !step && !["Enter", "Tab", "Escape"].includes(event.key)) return;
    event.preventDefault();
    if (chosen < 0) this.choose(0);
    else if (step) this.choose((chosen + step + length) % length);
    else if (event.key === "Escape") this.choose(-1);
    else this.take(chosen);
  }
}
