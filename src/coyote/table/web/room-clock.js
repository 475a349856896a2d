// @ts-check
// Clocks as the server told them last, ticking on by themselves.

const SHORT = 30_000; // milliseconds with which it is time to hurry

export class RoomClocks {
  constructor() {
    /** @type {number[] | null} */
    this.left = null;
    /** @type {number[]} */
    this.running = [];
    this.at = 0;
  }

  /** @param {number[] | null} left milliseconds by seat @param {number[]} running seats */
  told(left, running) {
    this.left = left;
    this.running = running;
    this.at = performance.now();
  }

  /** @param {number} seat @returns {number | null} milliseconds, where there are clocks */
  now(seat) {
    if (!this.left) return null;
    const spent = this.running.includes(seat) ? performance.now() - this.at : 0;
    return Math.max(0, this.left[seat] - spent);
  }

  /** @param {number} seat @returns {string | null} */
  shown(seat) {
    const left = this.now(seat);
    return left === null ? null : readable(left);
  }

  /** @param {number} seat */
  low(seat) {
    const left = this.now(seat);
    return left !== null && left < SHORT;
  }
}

/**
 * `9:41`, `1:02:05`, `49:30:00`: digits that need no language.
 * @param {number} ms
 */
export function readable(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
