// @ts-check
// Clocks as the server told them last, ticking on by themselves.

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

  /** @param {number} seat @returns {string | null} */
  shown(seat) {
    if (!this.left) return null;
    const spent = this.running.includes(seat) ? performance.now() - this.at : 0;
    return readable(Math.max(0, this.left[seat] - spent));
  }

  /** @param {number} seat */
  low(seat) {
    return this.left !== null && this.left[seat] < 30_000;
  }
}

/**
 * `9:41`, `1:02:05`, `2 d 4 h` in digits that need no language.
 * @param {number} ms
 */
export function readable(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
