// @ts-check
// What this browser notes down before a deal, and what must hold before it tells its number (docs/fairness.md).
// Nothing that was noted is ever overwritten: a second tab or a reload adds to it, or finds that the server says
// something else than before.
import { sha256, toHex } from "./sha256.js";
import { FORMAT, areSeals, boardName, canonical, isDigest } from "./verify.js";

/** @typedef {import("./wire").Welcome} Welcome */
/** @typedef {{key: string, wanted: string, found: string}} Difference what the server fixed, and what it should be */
/** @typedef {{nonce: string, differences: Difference[]}} Judgement the number to tell, unless something differs */

const KEYS = "format,game,lot,options,room,rules,seals,setup";

/** @param {string} nonce */
export async function sealOf(nonce) {
  return toHex(await sha256(new TextEncoder().encode(nonce)));
}

/** What is noted about one room. */
export class Notes {
  /** @param {string} room */
  constructor(room) {
    this.room = room;
  }

  /** @returns {string | null} */
  get commitment() {
    return localStorage.getItem(`fair:${this.room}:commitment`);
  }

  /** The one for which a number of ours was told. */
  /** @returns {string | null} */
  get context() {
    return localStorage.getItem(`fair:${this.room}:context`);
  }

  /**
   * Only the first one counts.
   * @param {"commitment" | "context"} what
   * @param {string} text
   * @returns {boolean} whether it is the one that was told first
   */
  note(what, text) {
    const key = `fair:${this.room}:${what}`;
    const before = localStorage.getItem(key);
    if (before === null) this.keep(key, text);
    return before === null || before === text;
  }

  /**
   * Every number that this browser drew for a party; which of them counts, the seal tells. Each has an entry of its
   * own, so that two tabs at the same moment lose none.
   * @param {number} party
   * @returns {string[]}
   */
  nonces(party) {
    const start = `fair:${this.room}:nonce:${party}:`;
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length))
      .sort();
  }

  /** @param {number} party @param {string} nonce */
  add(party, nonce) {
    this.keep(`fair:${this.room}:nonce:${party}:${nonce}`, "");
  }

  /**
   * Where browsers keep no more, the notes of other games make room: this one has to be dealt.
   * @param {string} key @param {string} text
   */
  keep(key, text) {
    try {
      localStorage.setItem(key, text);
    } catch {
      const notes = Object.keys(localStorage).filter((one) => one.startsWith("fair:"));
      for (const one of notes) if (!one.startsWith(`fair:${this.room}:`)) localStorage.removeItem(one);
      localStorage.setItem(key, text);
    }
  }
}

/**
 * Whether a number may be told: all that the deal depends on is fixed, is about this game, and nobody can choose
 * a number any more.
 * @param {string} context
 * @param {Welcome} welcome
 * @param {Notes} notes
 * @param {number} party
 * @returns {Promise<Judgement>}
 */
export async function judge(context, welcome, notes, party) {
  const differences = toldBefore(welcome.commitment, context, notes);
  const said = readContext(context);
  if (!said) return { nonce: "", differences: [...differences, { key: "form", wanted: FORMAT, found: context }] };
  for (const key of /** @type {const} */ (["room", "game", "rules", "options"])) {
    const [wanted, found] = [canonical(welcome[key]), canonical(said[key])];
    if (wanted !== found) differences.push({ key, wanted, found });
  }
  const nonce = await sealedNonce(notes.nonces(party), said.seals);
  const own = nonce ? await sealOf(nonce) : "";
  const other = said.seals[0] === own ? said.seals[1] : said.seals[0];
  if (!nonce) differences.push({ key: "own", wanted: "", found: said.seals.join(" ") });
  else if (alone(welcome) ? other !== "" : other === "" || other === own)
    differences.push({ key: alone(welcome) ? "nobody" : "other", wanted: "", found: other });
  return { nonce, differences };
}

/**
 * Whether the server says what it said before.
 * @param {string} commitment
 * @param {string | null} context
 * @param {Notes} notes
 * @returns {Difference[]}
 */
export function toldBefore(commitment, context, notes) {
  /** @type {Difference[]} */
  const found = [];
  if (notes.commitment !== null && notes.commitment !== commitment)
    found.push({ key: "commitment", wanted: notes.commitment, found: commitment });
  if (notes.context !== null && context !== null && notes.context !== context)
    found.push({ key: "context", wanted: notes.context, found: context });
  return found;
}

/**
 * Where no lot gave the seats, our seal stands at the seat that we have got.
 * @param {string} context
 * @param {Notes} notes
 * @param {number} party
 * @param {number} seat
 * @returns {Promise<Difference[]>}
 */
export async function seatTaken(context, notes, party, seat) {
  const said = readContext(context);
  if (notes.context !== context || !said || said.lot) return [];
  const nonce = await sealedNonce(notes.nonces(party), said.seals);
  const own = nonce ? await sealOf(nonce) : "";
  const wanted = String(said.seals.indexOf(own));
  return own && said.seals[seat] !== own ? [{ key: "seat", wanted, found: String(seat) }] : [];
}

/**
 * What is wrong with a deal for several tables as it is fixed now; nothing where all is as it should be, and our
 * number may be told.
 * @param {{id: string, commitment: string, context: string, seals: string[], game: string, rules: number, options: object}} deal
 * @param {Notes} notes
 * @param {number} place ours
 * @param {string} nonce ours
 * @returns {Promise<"" | "commitment" | "room" | "own" | "game" | "rules" | "options" | "context">}
 */
export async function boardDiffers({ id, commitment, context, seals, ...wanted }, notes, place, nonce) {
  if (!notes.note("commitment", commitment)) return "commitment";
  const said = readContext(context);
  if (said?.room !== (await boardName(id, seals))) return "room";
  if (!nonce || seals[place] !== (await sealOf(nonce)) || seals.indexOf(seals[place]) !== seals.lastIndexOf(seals[place])) return "own";
  for (const key of /** @type {const} */ (["game", "rules", "options"]))
    if (canonical(said[key]) !== canonical(wanted[key])) return key;
  return notes.note("context", context) ? "" : "context";
}

/** The other seat has no client of its own. */
/** @param {Welcome} welcome */
function alone({ opponent }) {
  return opponent === "bot" || opponent === "self";
}

/** @param {string[]} nonces @param {string[]} seals */
async function sealedNonce(nonces, seals) {
  for (const nonce of nonces) if (seals.includes(await sealOf(nonce))) return nonce;
  return "";
}

/**
 * @param {string} context
 * @returns {{room: unknown, game: unknown, rules: unknown, options: unknown, lot: boolean, seals: string[]} | null}
 */
function readContext(context) {
  try {
    const said = JSON.parse(context);
    const whole = Object.keys(said).sort().join() === KEYS && canonical(said) === context;
    const formed = said.format === FORMAT && typeof said.lot === "boolean" && isDigest(said.setup);
    return whole && formed && areSeals(said.seals) ? said : null;
  } catch {
    return null;
  }
}
