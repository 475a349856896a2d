// @ts-check
// What was told so far, for each viewer. After an undo some of it did not happen.

/** @typedef {import("./wire").Line} Line */
/** @typedef {import("./wire").EventJson} Happening */
/** @typedef {import("./wire").Note} Note what players did beside their moves */

const NOTE = "note"; // the kind of their lines

export class RoomLog {
  /** @param {Pick<import("./games.js").Look, "choices" | "brought" | "minor">} kinds of events */
  constructor(kinds) {
    this.kinds = kinds;
    /** @type {{from: number, to: number, events: Happening[], lines: Line[]}[]} */
    this.chunks = [];
    /** @type {{n: number, after: number, line: Line}[]} */
    this.notes = [];
  }

  /**
   * Take in what is new. False where a piece would have to be cut in two: then all must be told anew.
   * @param {number} kept
   * @param {Happening[]} events
   * @param {Line[]} story
   * @param {Note[]} [notes]
   */
  add(kept, events, story, notes = []) {
    this.chunks = this.chunks.filter((chunk) => chunk.from < kept);
    if (this.chunks.some((chunk) => chunk.to > kept)) return false;
    this.chunks.push({ from: kept, to: kept + events.length, events, lines: story });
    for (const note of this.notes) note.after = Math.min(note.after, kept);
    for (const { n, after, text } of notes) {
      if (this.notes.some((note) => note.n === n)) continue; // whoever comes back may be told twice
      this.notes.push({ n, after, line: { text, rule: "", kind: NOTE, seat: null } });
    }
    return true;
  }

  clear() {
    this.chunks = [];
    this.notes = [];
  }

  /** All that happened, in order. */
  events() {
    return this.chunks.flatMap((chunk) => chunk.events);
  }

  /**
   * All lines in order, and among them what players did beside their moves.
   * @returns {Line[]}
   */
  lines() {
    /** @type {Line[]} */
    const found = [];
    const notes = [...this.notes];
    const noteUpTo = (/** @type {number} */ event) => {
      while (notes.length && notes[0].after <= event) found.push(...notes.splice(0, 1).map((note) => note.line));
    };
    for (const { from, events, lines } of this.chunks) {
      let next = 0;
      events.forEach((event, i) => {
        const line = lines[next];
        if (line?.kind !== event.kind || line.seat !== event.seat) return; // it goes unsaid
        noteUpTo(from + i);
        found.push(line);
        next += 1;
      });
    }
    noteUpTo(Infinity);
    return found;
  }

  /**
   * The same in pieces, each from a choice of this seat on; for somebody without a seat, of either.
   * @param {number | null} seat
   */
  turns(seat) {
    const lines = this.lines();
    const starts = new Set([0]);
    lines.forEach((line, i) => {
      const own = seat === null || line.seat === seat;
      if (own && this.isChoice(line, lines[i - 1])) starts.add(this.firstOf(lines, i));
    });
    const cuts = [...starts].sort((a, b) => a - b);
    return cuts.map((from, i) => lines.slice(from, cuts[i + 1])).filter((some) => some.length);
  }

  /**
   * What both have chosen comes to light together.
   * @param {Line[]} lines
   * @param {number} i
   */
  firstOf(lines, i) {
    const before = lines[i - 1];
    return before && this.isChoice(before) && before.seat !== lines[i].seat ? i - 1 : i;
  }

  /**
   * Without what one sees anyway.
   * @param {Line[]} lines
   */
  told(lines) {
    return lines.filter((line) => !this.kinds.minor.includes(line.kind));
  }

  /** The seat that chose last, as far as it was told. */
  lastToChoose() {
    return this.lines().reverse().find((line) => this.isChoice(line))?.seat ?? null;
  }

  /** @param {{kind: string}} line @param {{kind: string}} [before] */
  isChoice({ kind }, before) {
    return this.kinds.choices.includes(kind) && (!before || this.kinds.brought[kind] !== before.kind);
  }
}
