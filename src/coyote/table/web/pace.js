// @ts-check
// What happens is shown one thing after another, at a pace that a person can follow: nothing cuts short what is
// being shown, and whoever is in a hurry skips to the newest.
import { calm, remember } from "./dom.js";

export const PACES = /** @type {const} */ (["slow", "normal", "fast", "off"]);
/** @typedef {typeof PACES[number]} Pace */

const FACTORS = { slow: 1.8, normal: 1, fast: 0.5, off: 0 };
const CALM = 0.6; // with reduced motion there is less to look at
const STEP = 700; // milliseconds from one choice of the computer to the next
const KEY = "pace";

/** @returns {Pace} */
export function chosenPace() {
  const kept = localStorage.getItem(KEY);
  return PACES.find((one) => one === kept) ?? "normal";
}

/** @param {Pace} pace */
export function choosePace(pace) {
  remember(KEY, pace);
}

/** How much longer than usual everything takes; 0 for no motion at all. */
export function paceFactor() {
  return FACTORS[chosenPace()];
}

/**
 * @template T
 * @typedef {(step: T, newest: boolean) => unknown} Show shows a step; its promise is kept when nothing moves any more
 */

/** @template T */
export class Steps {
  /** @param {Show<T>} show @param {(steps: T[]) => T} join several steps as one, shown at once */
  constructor(show, join) {
    this.show = show;
    this.join = join;
    /** @type {{step: T, beats: number}[]} */
    this.waiting = [];
    this.running = false;
    this.moving = false;
    /** @type {Promise<unknown>} */
    this.motion = Promise.resolve();
    this.shownAt = -Infinity;
    this.hurry = () => {};
  }

  /** Whether there is something newer than what is shown. */
  get behind() {
    return this.waiting.length > 0;
  }

  /**
   * @param {T} step
   * @param {number} [beats] how long what is shown before it stays at least
   */
  add(step, beats = 0) {
    this.waiting.push({ step, beats });
    this.run();
  }

  /** Show the newest at once, whatever moves. */
  skip() {
    if (!this.waiting.length) return;
    this.waiting = [{ step: this.join(this.waiting.map(({ step }) => step)), beats: 0 }];
    this.hurry();
  }

  async run() {
    if (this.running) return;
    this.running = true;
    while (this.waiting.length) {
      const left = this.shownAt + beat(this.waiting[0].beats) - performance.now();
      // Without a reason to wait it is shown at once, not a moment later.
      if (this.moving || left > 0) await this.rest(left);
      const { step } = /** @type {{step: T, beats: number}} */ (this.waiting.shift());
      this.begin(step);
    }
    this.running = false;
  }

  /** @param {T} step */
  begin(step) {
    this.shownAt = performance.now();
    const motion = Promise.resolve(this.show(step, !this.waiting.length));
    const ends = () => {
      if (this.motion === ended) this.moving = false;
    };
    const ended = motion.then(ends, ends);
    this.motion = ended;
    this.moving = true;
  }

  /** @param {number} ms */
  rest(ms) {
    const hurried = new Promise((resolve) => (this.hurry = () => resolve(null)));
    const time = new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
    return Promise.race([hurried, Promise.all([this.motion, time])]);
  }
}

/** @param {number} beats in milliseconds */
function beat(beats) {
  return beats * STEP * paceFactor() * (calm() ? CALM : 1);
}
