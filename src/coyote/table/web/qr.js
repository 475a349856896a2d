// @ts-check
// A QR code of a link, drawn as SVG. Written from the description in ISO/IEC 18004: byte mode, level M,
// versions 1 to 10, which is enough for 213 bytes.
import { svg } from "./dom.js";

// Per version at level M: check words per block, and how many data words each block has.
/** @type {[number, number[]][]} */
const BLOCKS = [
  [10, [16]],
  [16, [28]],
  [26, [44]],
  [18, [32, 32]],
  [24, [43, 43]],
  [16, [27, 27, 27, 27]],
  [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]],
  [22, [36, 36, 36, 37, 37]],
  [26, [43, 43, 43, 43, 44]],
];
const ALIGN = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]];
const LEVEL_M = 0;

/** @typedef {{size: number, dark: boolean[][], fixed: boolean[][]}} Grid */

/**
 * @param {string} text
 * @param {string} label
 */
export function qrCode(text, label) {
  const { size, dark } = encode(text);
  let path = "";
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) if (dark[y][x]) path += `M${x} ${y}h1v1h-1z`;
  const border = 4; // the quiet zone that readers need
  return svg(
    "svg",
    { viewBox: `${-border} ${-border} ${size + 2 * border} ${size + 2 * border}`, class: "qr", role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { x: -border, y: -border, width: size + 2 * border, height: size + 2 * border, fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
}

/**
 * The squares, dark or light, with the mask that is easiest to read.
 * @param {string} text
 * @returns {Grid}
 */
export function encode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex(([, blocks], n) => sum(blocks) >= bytes.length + (n < 9 ? 2 : 3)) + 1;
  if (!version) throw new RangeError("too long for a QR code");
  const bits = interleave(dataWords(bytes, version), version);
  const drawn = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => draw(version, bits, mask));
  return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((a, b) => a + b, 0);
}

// ---------------------------------------------------------------- the words

/** @param {Uint8Array} bytes @param {number} version @returns {number[]} */
function dataWords(bytes, version) {
  const room = sum(BLOCKS[version - 1][1]);
  /** @type {number[]} */
  const bits = [];
  const push = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let n = length - 1; n >= 0; n--) bits.push((value >> n) & 1);
  };
  push(0b0100, 4); // byte mode
  push(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => push(byte, 8));
  push(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, n) => parseInt(bits.slice(8 * n, 8 * n + 8).join(""), 2));
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/**
 * The blocks' words in turn, then their check words in turn, as bits.
 * @param {number[]} words
 * @param {number} version
 * @returns {number[]}
 */
function interleave(words, version) {
  const [checks, lengths] = BLOCKS[version - 1];
  let at = 0;
  const blocks = lengths.map((length) => words.slice(at, (at += length)));
  const checked = blocks.map((block) => remainder(block, checks));
  const out = [];
  for (let n = 0; n < Math.max(...lengths); n++) for (const block of blocks) if (n < block.length) out.push(block[n]);
  for (let n = 0; n < checks; n++) for (const block of checked) out.push(block[n]);
  return out.flatMap((word) => [7, 6, 5, 4, 3, 2, 1, 0].map((n) => (word >> n) & 1));
}

/**
 * Multiplication in GF(256) modulo x⁸+x⁴+x³+x²+1.
 * @param {number} a
 * @param {number} b
 */
function times(a, b) {
  let product = 0;
  for (let n = 7; n >= 0; n--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((b >> n) & 1) product ^= a;
  }
  return product;
}

/**
 * The check words: the remainder by (x−1)(x−α)…(x−αⁿ⁻¹).
 * @param {number[]} data
 * @param {number} n
 */
function remainder(data, n) {
  let divisor = [1];
  for (let k = 0, root = 1; k < n; k++, root = times(root, 2)) {
    const longer = [...divisor, 0];
    divisor.forEach((factor, m) => (longer[m + 1] ^= times(factor, root)));
    divisor = longer;
  }
  const rest = [...data, ...new Array(n).fill(0)];
  data.forEach((_, at) => {
    const lead = rest[at];
    divisor.forEach((factor, m) => (rest[at + m] ^= times(factor, lead)));
  });
  return rest.slice(data.length);
}

// ---------------------------------------------------------------- the squares

/** @param {number} version @param {number[]} bits @param {number} mask @returns {Grid} */
function draw(version, bits, mask) {
  const size = 17 + 4 * version;
  const empty = () => Array.from({ length: size }, () => new Array(size).fill(false));
  const grid = { size, dark: empty(), fixed: empty() };
  drawFixed(grid, version);
  drawFormat(grid, mask);
  if (version >= 7) drawVersion(grid, version);
  fill(grid, bits, mask);
  return grid;
}

/** @param {Grid} grid @param {number} x @param {number} y @param {boolean} dark */
function set(grid, x, y, dark) {
  if (x < 0 || y < 0 || x >= grid.size || y >= grid.size) return;
  grid.dark[y][x] = dark;
  grid.fixed[y][x] = true;
}

/** @param {Grid} grid @param {number} version */
function drawFixed(grid, version) {
  const end = grid.size - 1;
  for (let n = 0; n < grid.size; n++) {
    set(grid, n, 6, n % 2 === 0);
    set(grid, 6, n, n % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [end - 3, 3], [3, end - 3]]) square(grid, x, y, 4, [0, 1, 3]);
  const marks = version === 1 ? [] : [6, ...ALIGN[version - 1]];
  for (const x of marks) for (const y of marks) {
    const corner = (x === 6 && (y === 6 || y === end - 6)) || (x === end - 6 && y === 6);
    if (!corner) square(grid, x, y, 2, [0, 2]);
  }
}

/**
 * Rings around a middle; those of the given radii are dark.
 * @param {Grid} grid
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number[]} darkRings
 */
function square(grid, x, y, radius, darkRings) {
  for (let dy = -radius; dy <= radius; dy++) for (let dx = -radius; dx <= radius; dx++) {
    const ring = Math.max(Math.abs(dx), Math.abs(dy));
    set(grid, x + dx, y + dy, darkRings.includes(ring));
  }
}

/**
 * A number followed by the remainder of its division: a code that survives damage.
 * @param {number} value
 * @param {number} length
 * @param {number} divisor
 */
function protectedBits(value, length, divisor) {
  const bits = divisor.toString(2).length - 1;
  let rest = value << bits;
  for (let n = length - 1; n >= 0; n--) if ((rest >> (n + bits)) & 1) rest ^= divisor << n;
  return (value << bits) | rest;
}

/** @param {Grid} grid @param {number} mask */
function drawFormat(grid, mask) {
  const bits = protectedBits((LEVEL_M << 3) | mask, 5, 0b10100110111) ^ 0b101010000010010;
  const bit = (/** @type {number} */ n) => Boolean((bits >> n) & 1);
  const end = grid.size - 1;
  for (let n = 0; n < 15; n++) {
    // Around the first corner, going round the timing lines; and split between the two others.
    if (n < 8) set(grid, 8, n < 6 ? n : n + 1, bit(n));
    else set(grid, n === 8 ? 7 : 14 - n, 8, bit(n));
    if (n < 8) set(grid, end - n, 8, bit(n));
    else set(grid, 8, end - 14 + n, bit(n));
  }
  set(grid, 8, end - 7, true);
}

/** @param {Grid} grid @param {number} version */
function drawVersion(grid, version) {
  const bits = protectedBits(version, 6, 0b1111100100101);
  for (let n = 0; n < 18; n++) {
    const [a, b] = [grid.size - 11 + (n % 3), Math.floor(n / 3)];
    set(grid, a, b, Boolean((bits >> n) & 1));
    set(grid, b, a, Boolean((bits >> n) & 1));
  }
}

/** @type {((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/**
 * The bits go up and down in columns two wide, from the right, around all that is fixed.
 * @param {Grid} grid
 * @param {number[]} bits
 * @param {number} mask
 */
function fill(grid, bits, mask) {
  let at = 0;
  let up = true;
  for (let right = grid.size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5; // the timing column is passed over
    for (let n = 0; n < grid.size; n++) {
      const y = up ? grid.size - 1 - n : n;
      for (const x of [right, right - 1]) {
        if (!grid.fixed[y][x]) grid.dark[y][x] = Boolean(bits[at++]) !== MASKS[mask](x, y);
      }
    }
    up = !up;
  }
}

// ---------------------------------------------------------------- which mask

/**
 * How hard the code is to read: long runs, blocks, shapes like the corners, too much of one colour.
 * @param {Grid} grid
 */
function penalty({ size, dark }) {
  const columns = dark.map((_, x) => dark.map((row) => row[x]));
  const lines = [...dark, ...columns].map((line) => line.map((one) => (one ? "1" : "0")).join(""));
  let points = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
    points += 40 * (line.match(/(?=10111010000|00001011101)/g) ?? []).length;
  }
  for (let y = 1; y < size; y++) for (let x = 1; x < size; x++) {
    const [a, b, c, d] = [dark[y][x], dark[y - 1][x], dark[y][x - 1], dark[y - 1][x - 1]];
    if (a === b && a === c && a === d) points += 3;
  }
  const share = (100 * dark.flat().filter(Boolean).length) / (size * size);
  return points + 10 * Math.floor(Math.abs(share - 50) / 5);
}
