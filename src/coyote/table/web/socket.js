// @ts-check
// One connection to one room that comes back by itself. What was asked and not answered is asked again
// with the same id, which the server counts once; what was missed comes with the next update.
import { lang, sentence } from "./words.js";

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
 * @property {(emote: import("./wire").Emoted) => void} [onemote]
 * @property {(error: Refused) => void} [onerror]
 * @property {(state: State) => void} [onstate]
 */

/** @type {Required<import("./wire").Hello>["want"]} all of it: a `FullUpdate` */
const WANT = ["view", "legal", "events", "story"];
const SHORTEST_WAIT = 300;
const LONGEST_WAIT = 8_000;
const PING_EVERY = 20_000;
const SILENCE = 10_000;
const BUSY_WAIT = 3_000; // where the server has too many, and does not say for how long
const AT_ONCE = 3; // times in a row that we come back at once when asked to
const CLOSED = { moved: 1012, busy: 1013, refused: 1008 };

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
    this.slowness = 0; // milliseconds that we were last told to be silent for
    this.silent = 0; // the timer of it
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
    const again = this.tries ? `?again=${this.tries}` : ""; // lets a proxy try another process
    const socket = new WebSocket(`${scheme}//${location.host}/api/rooms/${this.room}/socket${again}`);
    this.socket = socket;
    socket.onopen = () => this.greet();
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = (event) => this.lost(socket, event);
  }

  drop() {
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    clearTimeout(this.silent);
    this.silent = 0;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** @param {WebSocket | null} socket @param {Partial<CloseEvent>} [why] */
  lost(socket, why = {}) {
    if (socket !== this.socket || this.state === "closed") return;
    this.drop();
    // Whoever is asked to come again at once was not cut off.
    if (why.code !== CLOSED.moved) this.tell("lost");
    const wait = this.wait(why);
    this.tries += 1;
    this.retry = setTimeout(() => navigator.onLine && this.open(), wait * (0.75 + Math.random() / 2));
  }

  /**
   * How long until we come again, in milliseconds; longer each time.
   * @param {Partial<CloseEvent>} why
   */
  wait({ code, reason }) {
    const grown = Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** this.tries);
    if (code === CLOSED.moved && this.tries < AT_ONCE) return SHORTEST_WAIT / 3;
    if (code === CLOSED.busy) return Math.max(grown, 1000 * (Number(reason?.match(/\d+/)?.[0]) || 0) || BUSY_WAIT);
    return code === CLOSED.refused ? LONGEST_WAIT : grown;
  }

  /** We asked too much at once: be silent for a while, then ask again what was not answered. */
  slowDown() {
    if (this.silent) return;
    this.slowness = Math.min(LONGEST_WAIT, 2 * this.slowness || SHORTEST_WAIT);
    this.silent = setTimeout(() => {
      this.silent = 0;
      if (this.state === "open") this.askAgain();
      else this.greet();
    }, this.slowness);
  }

  askAgain() {
    for (const { message } of this.unanswered.values()) this.send(message);
  }

  greet() {
    this.send({ type: "hello", version: 1, seen: this.seen, want: WANT, lang, public: true });
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
    if (this.socket?.readyState === WebSocket.OPEN && !this.silent) this.socket.send(JSON.stringify(message));
  }

  /** @param {import("./wire").FromServer} message */
  hear(message) {
    clearTimeout(this.silence);
    const { onwelcome, onupdate, onpresence, onemote } = this.listeners;
    if (message.type === "welcome") {
      this.tries = 0;
      this.tell("open");
      onwelcome?.(message);
      this.askAgain();
    } else if (message.type === "update") {
      const update = /** @type {FullUpdate} */ (message);
      this.seen[update.viewer] = update.n;
      this.slowness = 0;
      onupdate?.(update);
      for (const id of update.done) this.answered(id)?.resolve(update);
      return;
    }
    if ("text" in message && message.text) message.text = sentence(message.text);
    if (message.type === "presence") onpresence?.(message);
    else if (message.type === "emote") onemote?.(message);
    else if (message.type === "done" || message.type === "reason") this.answered(message.id)?.resolve(message);
    else if (message.type === "error") this.refused(message);
  }

  /** @param {Refused} error */
  refused(error) {
    if (error.code === "room.too_fast") return this.slowDown();
    if (error.code === "room.none" || error.code === "room.ended") this.close();
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
