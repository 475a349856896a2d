// @ts-check
// What was told so far, for each viewer. After an undo some of it did not happen.

/** @typedef {{text: string, rule: string | null, kind?: string, seat?: number | null}} Line */

const CHOICES = ["attack", "close", "beat", "pass", "draw", "drop", "push", "steal", "decline", "reveal", "hold"];
const MINOR = ["turn", "draw", "clear", "no_draw", "no_push"]; // what one sees anyway
const MOST_NEWS = 3;

export class RoomLog {
  constructor() {
    /** @type {{from: number, to: number, lines: Line[]}[]} */
    this.chunks = [];
  }

  /**
   * Take in what is new. False where a piece would have to be cut in two: then all must be told anew.
   * @param {number} kept
   * @param {any[]} events
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
    const chosen = lines.findIndex((line) => line.seat === seat && CHOICES.includes(line.kind ?? ""));
    const since = chosen < 0 ? lines : lines.slice(0, chosen);
    const found = since.filter((line) => !MINOR.includes(line.kind ?? ""));
    return (found.length ? found : lines.slice(0, 1)).slice(0, MOST_NEWS).reverse();
  }
}
