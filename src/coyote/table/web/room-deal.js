// @ts-check
// The part of this browser in the shuffle (docs/fairness.md): it draws a number, seals it, and tells it only when all
// that the deal depends on is fixed and is what it should be.
import { Notes, judge, sealOf, seatTaken, toldBefore } from "./fair.js";
import { randomHex } from "./socket.js";

/** @typedef {import("./fair.js").Difference} Difference */
/** @typedef {import("./types").FullUpdate} FullUpdate */
/** @typedef {import("./wire").Welcome} Welcome */

/** @typedef {(type: "seal" | "ready", fields: {party: number, seal: string} | {party: number, nonce: string}) => void} Ask */

const NOBODY = -1;

export class Deal {
  /** @param {string} room @param {Ask} ask */
  constructor(room, ask) {
    this.notes = new Notes(room);
    this.ask = ask;
    this.asked = new Set();
    this.waits = false; // whether our number is held back until a person says that they are there
  }

  /**
   * Do what is due, and tell what is wrong with this deal.
   * @param {Welcome} welcome
   * @param {FullUpdate} update
   * @returns {Promise<Difference[]>}
   */
  async follow(welcome, update) {
    const before = update.phase === "waiting" || update.phase === "seated";
    // After the deal it is too late to note anything: it would only be what the server says then.
    if (before) this.notes.note("commitment", welcome.commitment);
    if (update.viewer === NOBODY) return [];
    if (update.phase === "seated") return this.begin(welcome, update);
    return before ? [] : this.compare(welcome, update);
  }

  /** @param {Welcome} welcome @param {FullUpdate} update */
  async begin(welcome, { viewer: party, sealed, ready, context }) {
    if (!sealed[party]) await this.seal(party);
    if (context === null || ready[party]) return toldBefore(welcome.commitment, context, this.notes);
    const { nonce, differences } = await judge(context, welcome, this.notes, party);
    if (!differences.length && !this.waits && this.notes.note("context", context) && this.first(`ready ${party}`))
      this.ask("ready", { party, nonce });
    return differences;
  }

  /** @param {number} party */
  async seal(party) {
    if (!this.first(`seal ${party}`)) return;
    const nonce = this.notes.nonces(party)[0] ?? randomHex(32);
    this.notes.add(party, nonce);
    this.ask("seal", { party, seal: await sealOf(nonce) });
  }

  /** @param {Welcome} welcome @param {FullUpdate} update */
  async compare(welcome, { viewer, seats, context }) {
    const found = toldBefore(welcome.commitment, context, this.notes);
    if (found.length || !seats || context === null) return found;
    return seatTaken(context, this.notes, viewer, seats.indexOf(viewer));
  }

  /** @param {string} what */
  first(what) {
    const first = !this.asked.has(what);
    this.asked.add(what);
    return first;
  }
}
