// @ts-check
// Requests over HTTP, typed by their route, and who this browser is to the server.
import { lang, say, sentence } from "./words.js";

const LONGEST_WAIT = 15; // seconds: whoever has to wait longer is told, and asks again when they like
const MOST_TRIES = 4;

/** @typedef {import("./wire").Gets} Gets */
/** @typedef {import("./wire").Posts} Posts */
/** @typedef {import("./wire").Puts} Puts */
/** @typedef {import("./wire").Deletes} Deletes */
/** @typedef {{text: string, rule: string | null, code?: string}} Reason */

/** What the server refused, in words of the reader's language; `reasons` are all of them. */
export class ApiError extends Error {
  /** @param {number} status @param {Partial<import("./wire").Problem>} told */
  constructor(status, told) {
    super(told.text ? sentence(told.text) : say("shell.no_server"));
    this.status = status;
    this.code = told.code ?? "";
    this.text = this.message;
    /** @type {string | null} */
    this.rule = told.rule ?? null;
    /** @type {Reason[]} */
    this.reasons = told.reasons?.map((one) => ({ ...one, text: sentence(one.text) })) ?? [this];
  }
}

/**
 * @template {keyof Gets} R
 * @param {R} route as the server has it, with `{slots}`
 * @param {import("./types").Params<Gets[R]["params"]>} given what fills the slots; the rest is the query
 * @returns {Promise<Gets[R]["answer"]>}
 */
export function get(route, ...given) {
  return ask(address(route, given[0]), {});
}

/**
 * @template {keyof Posts} R
 * @param {R} route
 * @param {import("./types").BodyOf<Posts[R]>} body
 * @param {import("./types").Params<Posts[R]["params"]>} given
 * @returns {Promise<Posts[R]["answer"]>}
 */
export function post(route, body, ...given) {
  return ask(address(route, given[0]), { method: "POST", ...asJson(body) });
}

/**
 * @template {keyof Puts} R
 * @param {R} route
 * @param {import("./types").BodyOf<Puts[R]>} body
 * @param {import("./types").Params<Puts[R]["params"]>} given
 * @returns {Promise<Puts[R]["answer"]>}
 */
export function put(route, body, ...given) {
  return ask(address(route, given[0]), { method: "PUT", ...asJson(body) });
}

/** @param {unknown} body */
function asJson(body) {
  return { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
}

/**
 * @template {keyof Deletes} R
 * @param {R} route
 * @param {import("./types").Params<Deletes[R]["params"]>} given
 * @returns {Promise<Deletes[R]["answer"]>}
 */
export function remove(route, ...given) {
  return ask(address(route, given[0]), { method: "DELETE" });
}

/** @param {string} route @param {Record<string, string | number | boolean>} [params] */
function address(route, params = {}) {
  const rest = Object.entries(params).filter(([name]) => !route.includes(`{${name}}`));
  const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)]));
  const path = route.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]));
  return query.toString() ? `${path}?${query}` : path;
}

/** @param {string} path @param {RequestInit} init */
async function ask(path, init) {
  const headers = { ...init.headers, "Accept-Language": lang };
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(path, { ...init, headers }).catch(() => null);
    if (!answer) throw new ApiError(0, {});
    const wait = waitOf(answer);
    if (wait && tries < MOST_TRIES) {
      dispatchEvent(new CustomEvent("waiting", { detail: wait }));
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
      continue;
    }
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new ApiError(answer.status, told);
    return told;
  }
}

/**
 * How many seconds a request that was not answered for its number has to wait; 0 where that makes no sense.
 * @param {Response} answer
 */
function waitOf({ status, headers }) {
  const wait = status === 429 || status === 503 ? Number(headers.get("Retry-After")) : 0;
  return wait > 0 && wait <= LONGEST_WAIT ? wait : 0;
}

/** The name that this browser goes by; made up at the first visit. */
export function myName() {
  const kept = localStorage.getItem("name");
  if (kept) return kept;
  const made = ["kind", "animal"].map((part) => oneOf(say(`shell.guest.${part}`).split(" "))).join(" ");
  localStorage.setItem("name", made);
  localStorage.setItem("made_up", "yes");
  return made;
}

/** @param {string[]} words */
function oneOf(words) {
  return words[Math.floor(Math.random() * words.length)];
}

/** Whether the server has met this browser: asking for oneself before that would only be refused. */
export function isGuest() {
  return localStorage.getItem("guest") === "yes";
}

/** Make sure that the server knows us, and return our name. */
export async function ensureGuest() {
  if (!isGuest()) return takeName(myName());
  try {
    return (await get("/api/me")).name;
  } catch (error) {
    // The cookie is gone, or the server has another database: be a new guest with the old name.
    if (error instanceof ApiError && error.status === 401) return takeName(myName());
    throw error;
  }
}

/** @param {string} name @returns {Promise<string>} the name as the server keeps it */
export async function takeName(name) {
  const made_up = localStorage.getItem("made_up") === "yes" && name === myName();
  return beGuest((await post("/api/guest", { name, made_up })).name);
}

/** @param {string} name by which the server knows us now */
export function beGuest(name) {
  localStorage.setItem("name", name);
  localStorage.setItem("guest", "yes");
  localStorage.removeItem("made_up");
  return name;
}

/** The server knows nothing of us any more; all that stays here is how pages look. */
export function forgetMe() {
  const looks = ["theme", "lang"].map((key) => [key, localStorage.getItem(key)]);
  localStorage.clear();
  for (const [key, value] of looks) if (key && value) localStorage.setItem(key, value);
}
