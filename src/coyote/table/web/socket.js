// @ts-check
// One connection to one room that comes back by itself. What was asked and not answered is asked again
// with the same id, which the server counts once; what was missed comes with the next update.
import { lang } from "./words.js";

/** @typedef {"connecting" | "open" | "lost" | "closed"} State */
/** @typedef {import("./wire").Error} Refused */
/** @typedef {import("./wire").FromClient} FromClient */
/** @typedef {import("./types").FullUpdate} FullUpdate */
/** @typedef {FullUpdate | import("./wire").Done | import("./wire").Reason} Answer */
/** @typedef {Extract<FromClient, {id: string}>} Request what a party asks for, and is told when it is kept */
/**
 * @template {Request["type"]} T
 * @typedef {Omit<Extract<Request, {type: T}>, "type" | "id">} Fields
 */
/**
 * @typedef {object} Listeners
 * @property {(welcome: import("./wire").Welcome) => void} [onwelcome]
 * @property {(update: FullUpdate) => void} [onupdate]
 * @property {(presence: import("./wire").Presence) => void} [onpresence]
 * @property {(error: Refused) => void} [onerror]
 * @property {(state: State) => void} [onstate]
 */

/** @type {Required<import("./wire").Hello>["want"]} all of it: a `FullUpdate` */
const WANT = ["view", "legal", "events", "story"];
const SHORTEST_WAIT = 300;
const LONGEST_WAIT = 8_000;
const PING_EVERY = 20_000;
const SILENCE = 10_000;

export class RoomSocket {
  /** @param {string} room @param {Listeners} listeners */
  constructor(room, listeners) {
    this.room = room;
    this.listeners = listeners;
    /** @type {State} */
    this.state = "connecting";
    /** @type {Record<string, number>} */
    this.seen = {};
    /** @type {Map<string, {message: FromClient, resolve: (answer: Answer) => void, reject: (error: Refused) => void}>} */
    this.unanswered = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tries = 0;
    this.retry = 0;
    this.silence = 0;
    this.heartbeat = setInterval(() => this.ping(), PING_EVERY);
    addEventListener("online", () => this.reopen());
    addEventListener("offline", () => this.lost(this.socket));
    this.open();
  }

  /** Connect anew: after a return of the network, or when who we are has changed. */
  reopen() {
    if (this.state === "closed") return;
    this.tries = 0;
    this.drop();
    this.open();
  }

  /** For good. */
  close() {
    clearInterval(this.heartbeat);
    this.drop();
    this.tell("closed");
  }

  /** Have everything told anew, from the beginning. */
  startOver() {
    this.seen = {};
    this.greet();
  }

  /**
   * Ask for something; the promise is kept when the server has it on its disk.
   * @template {Request["type"]} T
   * @param {T} type
   * @param {Fields<T>} fields
   * @returns {Promise<Answer>}
   */
  request(type, fields) {
    const message = /** @type {Request} */ ({ type, id: newId(), ...fields });
    return new Promise((resolve, reject) => {
      this.unanswered.set(message.id, { message, resolve, reject });
      this.send(message);
    });
  }

  open() {
    clearTimeout(this.retry);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/rooms/${this.room}/socket`);
    this.socket = socket;
    socket.onopen = () => this.greet();
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => this.lost(socket);
  }

  drop() {
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** @param {WebSocket | null} socket */
  lost(socket) {
    if (socket !== this.socket || this.state === "closed") return;
    this.drop();
    this.tell("lost");
    const wait = Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** this.tries);
    this.tries += 1;
    this.retry = setTimeout(() => navigator.onLine && this.open(), wait * (0.75 + Math.random() / 2));
  }

  greet() {
    this.send({ type: "hello", version: 1, seen: this.seen, want: WANT, lang });
  }

  ping() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const socket = this.socket;
    this.send({ type: "ping", id: "still-there" });
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lost(socket), SILENCE);
  }

  /** @param {FromClient} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {import("./wire").FromServer} message */
  hear(message) {
    clearTimeout(this.silence);
    const { onwelcome, onupdate, onpresence } = this.listeners;
    if (message.type === "welcome") {
      this.tries = 0;
      this.tell("open");
      onwelcome?.(message);
      for (const { message: asked } of this.unanswered.values()) this.send(asked);
    } else if (message.type === "update") {
      const update = /** @type {FullUpdate} */ (message);
      this.seen[update.viewer] = update.n;
      onupdate?.(update);
      for (const id of update.done) this.answered(id)?.resolve(update);
    } else if (message.type === "presence") onpresence?.(message);
    else if (message.type === "done" || message.type === "reason") this.answered(message.id)?.resolve(message);
    else if (message.type === "error") this.refused(message);
  }

  /** @param {Refused} error */
  refused(error) {
    if (error.code === "room.none") this.close();
    const asked = error.id ? this.answered(error.id) : undefined;
    if (asked) asked.reject(error);
    else this.listeners.onerror?.(error);
  }

  /** @param {string} id */
  answered(id) {
    const asked = this.unanswered.get(id);
    this.unanswered.delete(id);
    return asked;
  }

  /** @param {State} state */
  tell(state) {
    if (state === this.state) return;
    this.state = state;
    this.listeners.onstate?.(state);
  }
}

/** Random hexadecimal digits. `crypto.randomUUID` would need https, which a table at home does not have. */
export function randomHex(bytes = 16) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function newId() {
  return randomHex(12);
}
