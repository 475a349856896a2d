// @ts-check
// Requests over HTTP, typed by their route, and who this browser is to the server.
import { lang, say } from "./words.js";

/** @typedef {import("./wire").Gets} Gets */
/** @typedef {import("./wire").Posts} Posts */
/** @typedef {{text: string, rule: string | null, code?: string}} Reason */

/** What the server refused, in words of the reader's language; `reasons` are all of them. */
export class ApiError extends Error {
  /** @param {number} status @param {Partial<import("./wire").Problem>} told */
  constructor(status, told) {
    super(told.text ?? say("shell.no_server"));
    this.status = status;
    this.code = told.code ?? "";
    this.text = this.message;
    this.rule = told.rule ?? null;
    /** @type {Reason[]} */
    this.reasons = told.reasons ?? [{ text: this.text, rule: this.rule, code: this.code }];
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
  const headers = { "Content-Type": "application/json" };
  return ask(address(route, given[0]), { method: "POST", body: JSON.stringify(body), headers });
}

/** @param {string} route @param {Record<string, string>} [params] */
function address(route, params = {}) {
  const query = new URLSearchParams(Object.entries(params).filter(([name]) => !route.includes(`{${name}}`)));
  const path = route.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]));
  return query.toString() ? `${path}?${query}` : path;
}

/** @param {string} path @param {RequestInit} init */
async function ask(path, init) {
  const headers = { ...init.headers, "Accept-Language": lang };
  const answer = await fetch(path, { ...init, headers }).catch(() => null);
  if (!answer) throw new ApiError(0, {});
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ApiError(answer.status, told);
  return told;
}

/** The name that this browser goes by; made up at the first visit. */
export function myName() {
  const kept = localStorage.getItem("name");
  if (kept) return kept;
  const made = say("shell.guest", { n: 100 + Math.floor(Math.random() * 900) });
  localStorage.setItem("name", made);
  return made;
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
  const me = await post("/api/guest", { name });
  localStorage.setItem("name", me.name);
  localStorage.setItem("guest", "yes");
  return me.name;
}
