// @ts-check
// Chance as docs/fairness.md describes it: SipHash-2-4 in counter mode, and the shuffle made of its words.
import { fromHex } from "./sha256.js";

const WORD = 64;
const LAST = 2n ** 64n - 1n;
const ROLLS_PER_WORD = 9;

/** @param {bigint} x @param {number} n */
function turn(x, n) {
  return ((x << BigInt(n)) | (x >> BigInt(WORD - n))) & LAST;
}

/** @param {bigint[]} v four words; they are changed in place */
function round(v) {
  v[0] = (v[0] + v[1]) & LAST;
  v[1] = turn(v[1], 13) ^ v[0];
  v[0] = turn(v[0], 32);
  v[2] = (v[2] + v[3]) & LAST;
  v[3] = turn(v[3], 16) ^ v[2];
  v[0] = (v[0] + v[3]) & LAST;
  v[3] = turn(v[3], 21) ^ v[0];
  v[2] = (v[2] + v[1]) & LAST;
  v[1] = turn(v[1], 17) ^ v[2];
  v[2] = turn(v[2], 32);
}

/**
 * SipHash-2-4 of one message of eight bytes, little end first.
 * @param {bigint} key0
 * @param {bigint} key1
 * @param {bigint} message
 */
export function siphash(key0, key1, message) {
  const v = [0x736f6d6570736575n ^ key0, 0x646f72616e646f6dn ^ key1, 0x6c7967656e657261n ^ key0, 0x7465646279746573n ^ key1];
  for (const block of [message, 8n << 56n]) {
    v[3] ^= block;
    round(v);
    round(v);
    v[0] ^= block;
  }
  v[2] ^= 0xffn;
  for (let i = 0; i < 4; i++) round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/** The stream of words that a seed gives. */
export class Chance {
  /** @param {string} seed 32 hexadecimal digits */
  constructor(seed) {
    const bytes = new DataView(fromHex(seed).buffer);
    this.key0 = bytes.getBigUint64(0, true);
    this.key1 = bytes.getBigUint64(8, true);
    this.counter = 0n;
  }

  next() {
    return siphash(this.key0, this.key1, this.counter++);
  }

  /**
   * A word that is even for steps with this product of bounds; the few that are not are passed over.
   * @param {bigint} product
   */
  fair(product) {
    for (;;) {
      const word = this.next();
      if (((word * product) & LAST) >= (LAST + 1n) % product) return word;
    }
  }

  /**
   * For i = n … 2 the card in place i changes with one in a place from 1 to i.
   * @template T
   * @param {T[]} cards
   * @returns {T[]}
   */
  shuffled(cards) {
    const found = [...cards];
    for (let i = found.length; i > 1; ) {
      const stop = Math.max(1, i - ROLLS_PER_WORD);
      let word = this.fair(product(stop + 1, i));
      for (; i > stop; i--) {
        const roll = Number((word * BigInt(i)) >> BigInt(WORD));
        word = (word * BigInt(i)) & LAST;
        [found[i - 1], found[roll]] = [found[roll], found[i - 1]];
      }
    }
    return found;
  }
}

/** @param {number} from @param {number} to */
function product(from, to) {
  let found = 1n;
  for (let n = from; n <= to; n++) found *= BigInt(n);
  return found;
}
