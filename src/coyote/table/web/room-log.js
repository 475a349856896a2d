// @ts-check
// What was told so far, for each viewer. After an undo some of it did not happen.

/** @typedef {import("./wire").Line} Line */

const MOST_NEWS = 3;

export class RoomLog {
  /** @param {{choices: string[], minor: string[]}} kinds which events are choices, and which one sees anyway */
  constructor(kinds) {
    this.kinds = kinds;
    /** @type {{from: number, to: number, lines: Line[]}[]} */
    this.chunks = [];
  }

  /**
   * Take in what is new. False where a piece would have to be cut in two: then all must be told anew.
   * @param {number} kept
   * @param {unknown[]} events
   * @param {Line[]} story
   */
  add(kept, events, story) {
    this.chunks = this.chunks.filter((chunk) => chunk.from < kept);
    if (this.chunks.some((chunk) => chunk.to > kept)) return false;
    this.chunks.push({ from: kept, to: kept + events.length, lines: story });
    return true;
  }

  clear() {
    this.chunks = [];
  }

  /** All lines, the newest first. */
  lines() {
    return this.chunks.flatMap((chunk) => chunk.lines).reverse();
  }

  /**
   * What happened since this seat chose last, without what one sees anyway.
   * @param {number} seat
   */
  news(seat) {
    const lines = this.lines();
    const chosen = lines.findIndex((line) => line.seat === seat && this.isChoice(line));
    const since = chosen < 0 ? lines : lines.slice(0, chosen);
    const found = since.filter((line) => !this.kinds.minor.includes(line.kind));
    return (found.length ? found : lines.slice(0, 1)).slice(0, MOST_NEWS).reverse();
  }
  /** The seat that chose last, as far as it was told. */
  lastToChoose() {
    return this.lines().find((line) => this.isChoice(line))?.seat ?? null;
  }

  /** @param {Line} line */
  isChoice(line) {
    return this.kinds.choices.includes(line.kind);
  }
}
