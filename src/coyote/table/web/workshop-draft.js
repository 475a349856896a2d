// @ts-check
// A set that is being written: its file as it is, the cards that stand in it, and that it is kept. What is right only
// the server knows; of the file nothing is known here but the lines where it says that a card stands.
import { ApiError, get, post, put } from "./api.js";

/** @typedef {import("./wire").KeptSet} KeptSet */
/** @typedef {import("./wire").CardInFile} CardInFile */
/** @typedef {import("./wire").SetFault} SetFault */
/** @typedef {"saved" | "waiting" | "saving" | "failed" | "changed"} State `changed`: by somebody else meanwhile */

const PAUSE = 900; // milliseconds without a change after which it is kept

/** It tells of `state`, and of `cards` whenever the server has looked at the file. */
export class Draft extends EventTarget {
  /** @type {CardInFile[]} */
  cards = [];
  /** @type {SetFault[]} */
  faults = [];
  /** @type {State} */
  state = "saved";
  /** What it is called in its file. */
  name = "";
  why = "";
  /** Written as a whole, and not looked at since: where its cards stand is not known. */
  byHand = false;
  timer = 0;
  /** @type {Promise<unknown>} */
  last = Promise.resolve();

  /** @param {KeptSet} set one of one's own */
  constructor(set) {
    super();
    this.set = set;
    this.text = this.kept = set.text ?? "";
    addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.keepNow());
    addEventListener("beforeunload", (event) => this.text !== this.kept && event.preventDefault());
  }

  /**
   * One after another: the server reads one text of a guest at a time.
   * @template T
   * @param {() => Promise<T>} job
   * @returns {Promise<T>}
   */
  inTurn(job) {
    const done = this.last.then(job);
    this.last = done.catch(() => {});
    return done;
  }

  // ------------------------------------------------------------ changes

  /** @param {string} text */
  write(text) {
    this.text = text;
    this.tell(text === this.kept ? "saved" : "waiting");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), PAUSE);
  }

  /** @param {string} text all of it, from wherever */
  writeAll(text) {
    this.byHand = true;
    this.write(text);
  }

  /**
   * A card in the place of another; whatever stands between cards stays as it is.
   * @param {number} n @param {string} stanza @param {Partial<CardInFile>} told what is known of it
   */
  replace(n, stanza, told) {
    const lines = this.text.split("\n");
    const card = this.cards[n];
    const written = stanza.trimEnd().split("\n");
    const more = written.length - (card.last - card.first + 1);
    lines.splice(card.first - 1, card.last - card.first + 1, ...written);
    Object.assign(card, told, { last: card.last + more });
    for (const below of this.cards.slice(n + 1)) {
      below.first += more;
      below.last += more;
    }
    this.write(lines.join("\n"));
  }

  /**
   * One more, at the end.
   * @param {string} stanza @param {Pick<CardInFile, "id" | "name" | "rarity" | "text">} told
   */
  add(stanza, told) {
    const before = this.text.trim() ? `${this.text.trimEnd()}\n\n` : "";
    const first = before.split("\n").length;
    const last = first + stanza.trimEnd().split("\n").length - 1;
    this.cards.push({ ...told, good: true, first, last });
    this.write(before + stanza);
  }

  /** @param {number} n */
  take(n) {
    const lines = this.text.split("\n");
    const { first, last } = this.cards[n];
    const blank = lines[last]?.trim() === "" ? 1 : 0;
    const gone = last - first + 1 + blank;
    lines.splice(first - 1, gone);
    this.cards.splice(n, 1);
    for (const below of this.cards.slice(n)) {
      below.first -= gone;
      below.last -= gone;
    }
    this.write(lines.join("\n"));
  }

  /**
   * Whether a card stands in lines of its own; one that does not is changed in the file only.
   * @param {number} n
   */
  standsAlone(n) {
    return this.text.split("\n")[this.cards[n].first - 1].trimStart().startsWith("[[");
  }

  /**
   * An id that no card has; or none but this one.
   * @param {string} wanted @param {number} [but]
   */
  freeId(wanted, but) {
    const taken = new Set(this.cards.filter((_, n) => n !== but).map((card) => card.id));
    let id = wanted;
    for (let n = 2; taken.has(id); n += 1) id = `${wanted}-${n}`;
    return id;
  }

  // ------------------------------------------------------------ keeping

  /** @param {State} state */
  tell(state, why = "") {
    this.state = state;
    this.why = why;
    this.dispatchEvent(new Event("state"));
  }

  /** What waits to be kept is kept now. */
  keepNow() {
    clearTimeout(this.timer);
    return this.text === this.kept && !this.byHand ? this.last : this.keep();
  }

  keep() {
    return this.inTurn(async () => {
      const text = this.text;
      if (text !== this.kept && this.state !== "changed") await this.change({ text });
    }).then(() => this.check());
  }

  /**
   * Something of the set, its file or what it is called.
   * @param {Omit<import("./wire").ChangedSet, "revision">} changes
   * @returns {Promise<boolean>} whether it is so now
   */
  async change(changes) {
    this.tell("saving");
    const { id, revision } = this.set;
    try {
      this.set = await put("/api/sets/{id}", { revision, ...changes }, { id });
      if (changes.text !== undefined && changes.text !== null) this.kept = changes.text;
      this.tell(this.text === this.kept ? "saved" : "waiting");
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.tell(error.status === 409 ? "changed" : "failed", error.text);
      return false;
    }
  }

  /** The server looks at the whole file: its cards, where they stand, all that is wrong. */
  check() {
    return this.inTurn(async () => {
      const { text, set } = this;
      if (!text.trim()) this.looked({ cards: [], faults: [], name: set.name });
      else {
        const told = await post("/api/workshop/check", { text, name: set.name });
        if (text === this.text) this.looked(told);
      }
    }).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      this.tell("failed", error.text);
    });
  }

  /** @param {{cards: CardInFile[], faults: SetFault[], name: string}} told */
  looked({ cards, faults, name }) {
    this.cards = cards;
    this.faults = faults;
    this.name = name;
    this.byHand = false;
    this.dispatchEvent(new Event("cards"));
  }

  /**
   * After somebody else has changed the set: theirs is taken, or one's own put in its place.
   * @param {boolean} theirs
   */
  async settle(theirs) {
    this.set = await get("/api/sets/{id}", { id: this.set.id });
    this.kept = this.set.text ?? "";
    if (theirs) this.text = this.kept;
    this.tell(this.text === this.kept ? "saved" : "waiting");
    await this.keep();
  }
}
