// @ts-check
// Requests over HTTP, and who this browser is to the server.
import { lang, say } from "./words.js";

/** What the server refused, in words of the reader's language. */
export class ApiError extends Error {
  /** @param {number} status @param {{code?: string, text?: string, rule?: string | null}} told */
  constructor(status, told) {
    super(told.text ?? say("shell.no_server"));
    this.status = status;
    this.code = told.code ?? "";
    this.text = this.message;
    this.rule = told.rule ?? null;
  }
}

/** @param {string} path @returns {Promise<any>} */
export function get(path) {
  return ask(path, {});
}

/** @param {string} path @param {any} [body] @returns {Promise<any>} */
export function post(path, body = {}) {
  return ask(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
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
    return /** @type {string} */ ((await get("/api/me")).name);
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
