// @ts-check
// SHA-256 and HMAC-SHA-256. Browsers have them only on pages that came safely (https, localhost); the
// second implementation is for all others, so that nobody is told "cannot be verified" for that.

const K = roots(64, 3);
const START = roots(8, 2);

/**
 * The first 32 bits of the fractional parts of the square or cube roots of the first primes (FIPS 180-4).
 * @param {number} count
 * @param {number} root
 */
function roots(count, root) {
  const found = new Uint32Array(count);
  for (let n = 2, i = 0; i < count; n++) if (isPrime(n)) found[i++] = (n ** (1 / root) % 1) * 2 ** 32;
  return found;
}

/** @param {number} n */
function isPrime(n) {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return true;
}

/** @param {number} x @param {number} n */
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/**
 * Without the help of the browser.
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function plainSha256(message) {
  const state = START.slice();
  const padded = pad(message);
  for (let at = 0; at < padded.byteLength; at += 64) mix(state, new DataView(padded.buffer, at, 64));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/** @param {Uint8Array} message */
function pad(message) {
  const padded = new Uint8Array(64 * Math.ceil((message.length + 9) / 64));
  padded.set(message);
  padded[message.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, 8 * message.length);
  return padded;
}

/** @param {Uint32Array} state @param {DataView} block */
function mix(state, block) {
  const w = schedule(block);
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

/** @param {DataView} block */
function schedule(block) {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i++) w[i] = block.getUint32(4 * i);
  for (let i = 16; i < 64; i++) {
    const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

/**
 * @param {Uint8Array} message
 * @returns {Promise<Uint8Array>}
 */
export async function sha256(message) {
  const subtle = globalThis.crypto?.subtle;
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", message)) : plainSha256(message);
}

/**
 * RFC 2104; the key has at most 64 bytes, as ours always does.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export async function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key);
  const inner = await sha256(joined([block.map((byte) => byte ^ 0x36), message]));
  return sha256(joined([block.map((byte) => byte ^ 0x5c), inner]));
}

/**
 * @param {Uint8Array[]} parts
 * @returns {Uint8Array}
 */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {string} digits */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
