// @ts-check
// Whether the deal of a finished game follows from what was fixed before it (docs/fairness.md, "Verifying
// a record"). Everything is computed here, in the reader's own browser; nothing is asked of the server.
import { dealOf } from "./deals.js";
import { fromHex, hmac, joined, sha256, toHex } from "./sha256.js";
import { Chance } from "./siphash.js";

export const FORMAT = "coyote-fair/1";
const NONCE = /^([0-9a-f]{32,64})?$/;
const DIGEST = /^[0-9a-f]{64}$/;
const NAME_DIGITS = 40; // of the digest of all seals, in the name of a deal for several tables
const ROOM = /^[A-Za-z0-9._~:/-]{1,100}$/;

/** @typedef {import("./wire").GameRecord} GameRecord */
/** @typedef {import("./wire").Fair} Fair */
/**
 * One step of the verification. `ok` is null where there was nothing to compare.
 * @typedef {{key: string, ok: boolean | null, values: [string, string][]}} Check
 * @typedef {{commitment: string, context: string | null, nonces: string[][]}} Noted by party, any number may count
 * @typedef {{player: true, server: boolean, both: boolean}} Safe who could not choose the cards: the other player
 *   alone, the server alone, the two together; as far as this browser can tell
 * @typedef {{room?: unknown, seals?: unknown, lot?: unknown}} Said what stands in a context
 */

/**
 * All steps, in the order in which they were promised. The deal is shown to be fair if no step has failed.
 * @param {GameRecord} record as a server sent it, so none of it is certain
 * @param {Noted | null} noted what this browser wrote down before the deal
 * @returns {Promise<Check[]>}
 */
export async function verify(record, noted) {
  const fair = wellFormed(record?.fair);
  try {
    if (fair) return await steps(record, fair, noted);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
  }
  return [{ key: "form", ok: false, values: [] }]; // this is no record at all
}

/** @param {GameRecord} record @param {Fair} fair @param {Noted | null} noted */
async function steps(record, fair, noted) {
  const secret = fromHex(fair.secret);
  const said = readContext(fair.context);
  return [
    await checkCommitment(fair, secret),
    checkNonces(fair),
    await checkContext(record, fair, secret, said),
    await (record.board ? checkBoard(record.board, fair, said) : checkSeals(fair, said)),
    await checkLot(fair, secret, said),
    await checkSeed(record, fair, secret),
    checkDeal(record),
    checkNoted(record.board?.nonces ?? fair.nonces, fair, noted),
  ];
}

/** @param {Check[]} checks */
export function refuted(checks) {
  return checks.some((check) => check.ok === false);
}

/**
 * Whether the deal itself could not be checked here: nothing is shown then.
 * @param {Check[]} checks
 */
export function unknown(checks) {
  return checks.some((check) => check.key === "unknown_deal");
}

/**
 * Who could not have chosen the cards, if no step has failed. A number protects the one who drew it, and a seal of
 * the other's number protects those who held theirs back until they had seen it: so nothing is promised but to a
 * browser that played and noted it down.
 * @param {GameRecord} record
 * @param {Check[]} checks
 * @returns {Safe}
 */
export function safety(record, checks) {
  const noted = checks.some((check) => check.key === "noted" && check.ok);
  const sealed = checks.some((check) => ["seals", "alone", "board"].includes(check.key) && check.ok !== false);
  return { player: true, server: noted, both: noted && sealed };
}

/** @param {Fair | undefined} fair @returns {Fair | null} */
function wellFormed(fair) {
  if (!fair || typeof fair !== "object") return null;
  const keys = Object.keys(fair).sort().join();
  const digests = [fair.commitment, fair.secret].every((one) => typeof one === "string" && DIGEST.test(one));
  const nonces = Array.isArray(fair.nonces) && fair.nonces.length === 2 && fair.nonces.every(isText);
  return keys === "commitment,context,nonces,secret" && digests && nonces && isText(fair.context) ? fair : null;
}

/** @param {unknown} value @returns {value is string} */
function isText(value) {
  return typeof value === "string";
}

/** @param {string} context @returns {Said} */
function readContext(context) {
  try {
    const said = JSON.parse(context);
    return said && typeof said === "object" ? said : {};
  } catch {
    return {};
  }
}

/** @param {Fair} fair @param {Uint8Array} secret @returns {Promise<Check>} */
async function checkCommitment(fair, secret) {
  const found = toHex(await sha256(secret));
  return { key: "commitment", ok: found === fair.commitment, values: [["secret", fair.secret], ["commitment", found]] };
}

/** @param {Fair} fair @returns {Check} */
function checkNonces(fair) {
  const ok = fair.nonces.every((nonce) => NONCE.test(nonce)) && fair.nonces.some((nonce) => nonce !== "");
  return { key: "nonces", ok, values: [["nonce_0", fair.nonces[0]], ["nonce_1", fair.nonces[1]]] };
}

/**
 * The context must be, to the letter, the line that stands for this game and these cards.
 * @param {GameRecord} record
 * @param {Fair} fair
 * @param {Uint8Array} secret
 * @param {Said} said
 * @returns {Promise<Check>}
 */
async function checkContext(record, fair, secret, said) {
  const deal = dealOf(record.game);
  if (!deal) return { key: "unknown_context", ok: null, values: [["context", fair.context]] };
  const setup = toHex(await digest(secret, "setup", canonical(deal.setup(record))));
  const { room, seals, lot } = said;
  const { game, options, rules } = record;
  const wanted = canonical({ format: FORMAT, game, lot, options, room, rules, seals, setup });
  const formed = isText(room) && ROOM.test(room) && typeof lot === "boolean" && areSeals(seals);
  return { key: "context", ok: formed && wanted === fair.context, values: [["setup", setup], ["context", fair.context]] };
}

/** @param {unknown} value @returns {value is string} */
export function isDigest(value) {
  return isText(value) && DIGEST.test(value);
}

/** @param {unknown} seals @returns {seals is string[]} */
export function areSeals(seals) {
  const one = (/** @type {unknown} */ seal) => seal === "" || isDigest(seal);
  return Array.isArray(seals) && seals.length === 2 && seals.every(one);
}

/** @param {Fair} fair @param {Said} said @returns {Promise<Check>} */
async function checkSeals(fair, said) {
  const seals = areSeals(said.seals) ? said.seals : ["?", "?"];
  const found = await Promise.all(fair.nonces.map(async (nonce) => (nonce ? toHex(await sha256(bytes(nonce))) : "")));
  // Where the lot gave the seats, seals stand in any order.
  const orders = said.lot ? [seals, [...seals].reverse()] : [seals];
  const fits = orders.some((order) => order.every((seal, i) => seal === "" || seal === found[i]));
  /** @type {[string, string][]} */
  const values = [["seal_0", found[0]], ["seal_1", found[1]]];
  if (!fits) return { key: "seals", ok: false, values };
  const numbers = fair.nonces.filter((nonce) => nonce !== "").length;
  const sealed = seals.filter((seal) => seal !== "").length;
  if (numbers === 1) return { key: "alone", ok: sealed ? true : null, values: sealed ? values : [] };
  if (sealed === 0) return { key: "no_seals", ok: null, values: [] };
  return sealed === 2 ? { key: "seals", ok: true, values } : { key: "one_seal", ok: null, values };
}

/**
 * A deal for several tables: everybody's seal is in its name, each number fits its own, and all of them make those of
 * the seats. Whoever of a round of a tournament has told none sits at another table, and has lost.
 * @param {import("./wire").RecordBoard} board
 * @param {Fair} fair
 * @param {Said} said
 * @returns {Promise<Check>}
 */
async function checkBoard({ id, table, seals, nonces }, fair, said) {
  const texts = [seals, nonces].every((some) => Array.isArray(some) && some.every(isText));
  const here = Number.isInteger(table) && table >= 0 && 2 * table < nonces.length;
  if (!texts || !here || seals.length !== nonces.length || seals.length % 2) return { key: "board", ok: false, values: [] };
  const found = await Promise.all(nonces.map(async (nonce) => (nonce ? toHex(await sha256(bytes(nonce))) : "")));
  const absent = (/** @type {number} */ place) => id.includes("-") && nonces[place] === "" && place >> 1 !== table;
  const fits = seals.every((seal, place) => seal === "" || seal === found[place] || absent(place));
  const formed = nonces.every((nonce) => NONCE.test(nonce));
  const seats = await Promise.all([0, 1].map((seat) => together(nonces.filter((_, place) => place % 2 === seat))));
  const ok = fits && formed && said.room === (await boardName(id, seals)) && seats.every((one, seat) => one === fair.nonces[seat]);
  const people = nonces.flatMap((nonce, place) => (nonce ? [seals[place]] : []));
  const key = !ok || people.every((seal) => seal !== "") ? (ok && people.length === 1 ? "alone" : "board") : "no_seals";
  return { key, ok: key === "no_seals" ? null : ok, values: [["seals", seals.join(" ")], ["nonces", nonces.join(" ")]] };
}

/**
 * The name of a deal for several tables: it has the seals of all who play it.
 * @param {string} id @param {string[]} seals
 */
export async function boardName(id, seals) {
  return `board:${id}:${toHex(await sha256(bytes(canonical(seals)))).slice(0, NAME_DIGITS)}`;
}

/** @param {string[]} nonces of all who sit in a seat */
async function together(nonces) {
  if (nonces.every((nonce) => nonce === "")) return "";
  const parts = [`${FORMAT} board`, ...nonces].map(bytes);
  return toHex(await sha256(joined(parts.flatMap((part) => [length(part), part]))));
}

/** @param {Fair} fair @param {Uint8Array} secret @param {Said} said @returns {Promise<Check>} */
async function checkLot(fair, secret, said) {
  if (said.lot !== true) return { key: "no_lot", ok: null, values: [] };
  const [low, high] = [...fair.nonces].sort();
  const found = await digest(secret, "lot", fair.context, low, high);
  const seats = found[0] % 2 ? [high, low] : [low, high];
  const ok = low !== high && seats.every((nonce, seat) => nonce === fair.nonces[seat]);
  return { key: "lot", ok, values: [["lot", toHex(found)]] };
}

/** @param {GameRecord} record @param {Fair} fair @param {Uint8Array} secret @returns {Promise<Check>} */
async function checkSeed(record, fair, secret) {
  const found = toHex(await digest(secret, "seed", fair.context, ...fair.nonces));
  return { key: "seed", ok: found.slice(0, 32) === record.seed, values: [["digest", found], ["seed", found.slice(0, 32)]] };
}

/** @param {GameRecord} record @returns {Check} */
function checkDeal(record) {
  const deal = dealOf(record.game);
  return deal ? deal.check(record, new Chance(record.seed ?? "")) : { key: "unknown_deal", ok: null, values: [] };
}

/**
 * @param {string[]} told the numbers of all who play this deal
 * @param {Fair} fair
 * @param {Noted | null} noted
 * @returns {Check}
 */
function checkNoted(told, fair, noted) {
  if (!noted) return { key: "not_noted", ok: null, values: [] };
  const { commitment, context, nonces } = noted;
  // Who has told no number here has played in another browser: only the promise can be compared.
  if (context === null)
    return { key: "noted_part", ok: commitment === fair.commitment ? null : false, values: [["commitment", commitment]] };
  const counted = nonces.map((some) => some.find((nonce) => told.includes(nonce)));
  const ok = commitment === fair.commitment && context === fair.context && !counted.includes(undefined);
  const shown = nonces.map((some, i) => counted[i] ?? some[0]).join(" ");
  return { key: "noted", ok, values: [["commitment", commitment], ["context", context], ["nonce", shown]] };
}

// ---------------------------------------------------------------- messages

/**
 * HMAC of a list of texts, each behind its length, so that no two lists make the same message.
 * @param {Uint8Array} secret
 * @param {string} use
 * @param {...string} texts
 */
function digest(secret, use, ...texts) {
  const parts = [`${FORMAT} ${use}`, ...texts].map(bytes);
  return hmac(secret, joined(parts.flatMap((part) => [length(part), part])));
}

/** @param {Uint8Array} part */
function length(part) {
  const found = new Uint8Array(4);
  new DataView(found.buffer).setUint32(0, part.length);
  return found;
}

/** @param {string} text @returns {Uint8Array} */
function bytes(text) {
  return new TextEncoder().encode(text);
}

/**
 * JSON as RFC 8785 has it, for what stands in a context: keys sorted, no spaces.
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!value || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const pairs = entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`);
  return `{${pairs.join(",")}}`;
}
