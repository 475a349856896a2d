// @ts-check
// The page of a room: connects, asks for what the player wants, shows what the server tells.
import { ApiError, post } from "./api.js";
import { setChip } from "./card-set.js";
import { titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { makeTable } from "./game-table.js";
import { lookOf } from "./games.js";
import { RoomClocks } from "./room-clock.js";
import { Deal } from "./room-deal.js";
import { RoomLog } from "./room-log.js";
import * as panels from "./room-panels.js";
import { Side, tool } from "./room-side.js";
import { invites } from "./share.js";
import { announce, confirmed, ready, showError, startPage } from "./shell.js";
import { RoomSocket } from "./socket.js";
import { say, shownName } from "./words.js";

/** @typedef {import("./types").GameTable} GameTable */
/** @typedef {import("./types").FullUpdate} FullUpdate */
/** @typedef {import("./socket.js").Refused} Refused */
/** @typedef {import("./socket.js").Request} Request */
/**
 * @template {Request["type"]} T
 * @typedef {import("./socket.js").Fields<T>} Fields
 */

/** @typedef {NonNullable<import("./wire").Offer["what"]>} Offered */

const NOBODY = -1;

class RoomPage {
  /** @param {string} room */
  constructor(room) {
    this.room = room;
    this.invite = new URLSearchParams(location.search).get("invite") ?? "";
    const { header, main } = startPage({ title: say("table.title"), bare: true });
    document.body.classList.add("room");
    this.side = new Side();
    this.connection = h("p", { class: "connection", role: "status", hidden: true });
    this.warning = h("p", { class: "warning panel", role: "alert", hidden: true });
    this.players = h("div", { class: "players" });
    this.quick = h("div", { class: "quick" });
    this.stage = h("div", { class: "stage" });
    this.below = h("div", { class: "below" });
    header.append(this.players, this.quick, this.side.more);
    main.append(
      h("h1", { class: "visually-hidden" }, say("table.title")),
      this.connection,
      h("div", { class: "place-of-play" }, this.warning, this.stage, this.below),
      this.side.element,
    );
    this.clocks = new RoomClocks();
    /** @type {import("./wire").Welcome | null} */
    this.welcome = null;
    /** @type {Record<number, FullUpdate>} by viewer, the newest update */
    this.updates = {};
    /** @type {Record<number, RoomLog>} */
    this.logs = {};
    /** @type {Record<number, import("./wire").EventJson[]>} events that the table has not shown yet */
    this.unseen = {};
    this.here = [true, true];
    this.viewer = NOBODY;
    /** @type {number | null} whose hand may be seen, of two at one device */
    this.revealed = null;
    /** @type {GameTable | null} */
    this.table = null;
    /** @type {Promise<GameTable> | null} */
    this.making = null;
    this.scene = "";
    /** @type {import("./fair.js").Difference[]} what is wrong with the deal */
    this.unfair = [];
    this.deal = new Deal(room, (type, fields) => this.takePart(type, fields));
    /** @type {RoomSocket} */
    this.socket = new RoomSocket(room, {
      onwelcome: (welcome) => this.welcomed(welcome),
      onupdate: (update) => this.updated(update),
      onpresence: ({ here }) => this.present(here),
      onerror: (error) => this.failed(error),
      onstate: (state) => this.connected(state),
    });
    setInterval(() => this.tick(), 250);
  }

  // ------------------------------------------------------------ what the server tells

  /** @param {import("./wire").Welcome} welcome */
  welcomed(welcome) {
    this.welcome = welcome;
    if (!(this.viewer in this.updates)) this.viewer = welcome.parties[0] ?? NOBODY;
    document.title = `${titleOf(welcome)} · ${say("shell.name")}`;
    const cards = setChip(welcome.set, this.room);
    this.side.about.replaceChildren(titleOf(welcome), ...(cards ? [" ", cards] : []));
  }

  /** @param {FullUpdate} update */
  updated(update) {
    const { viewer } = update;
    const log = (this.logs[viewer] ??= new RoomLog(lookOf(this.welcome?.game ?? "")));
    if (!log.add(update.kept, update.events, update.story)) {
      log.clear();
      this.unseen[viewer] = [];
      return this.socket.startOver();
    }
    const before = this.updates[viewer];
    this.updates[viewer] = update;
    this.unseen[viewer] = [...(this.unseen[viewer] ?? []), ...update.events];
    const was = this.viewer;
    this.viewer = this.viewerNow();
    if (before && !before.next && update.next && this.mine.length) return location.assign(`/room/${update.next}`);
    this.followDeal(update);
    // A sealed choice of one changes nothing for the other, and yet it is the other's turn to look.
    if (viewer === this.viewer || was !== this.viewer) this.show();
  }

  /** @param {boolean[]} here */
  present(here) {
    const other = this.other;
    if (other !== null && this.here[other] !== here[other] && this.update?.phase === "playing") {
      announce(say(here[other] ? "table.presence.back" : "table.presence.away", { name: this.name(other) }));
    }
    this.here = here;
    if (this.update?.phase === "seated") this.show();
    this.showPlayers();
  }

  /** @param {Refused} error */
  failed(error) {
    if (error.code === "room.none") this.setScene("none", () => panels.noRoom());
    else if (error.code === "room.ended") this.setScene("ended", () => panels.endedRoom(error.text));
    else this.refuse(error);
  }

  /** @param {import("./socket.js").State} state */
  connected(state) {
    if (state === "closed") return;
    const back = state === "open" && !this.connection.hidden;
    this.connection.className = `connection ${state}`;
    if (state === "lost") this.connection.textContent = say("table.connection.lost");
    if (back) this.connection.textContent = say("table.connection.back");
    this.connection.hidden = state !== "lost" && !back;
    if (back) setTimeout(() => (this.connection.hidden = this.socket.state === "open"), 2000);
  }

  // ------------------------------------------------------------ who is who

  /** @returns {FullUpdate | undefined} */
  get update() {
    return this.updates[this.viewer];
  }

  /** @returns {number[]} */
  get mine() {
    return this.welcome?.parties ?? [];
  }

  get oneDevice() {
    return this.mine.length === 2;
  }

  /** The party on the other side of the table, for somebody who plays one. */
  get other() {
    return this.mine.length === 1 ? 1 - this.mine[0] : null;
  }

  /** @param {number} party */
  name(party) {
    return shownName(this.update?.names[party]);
  }

  /** @param {FullUpdate} update */
  seatOf(update) {
    return update.viewer === NOBODY || !update.seats ? 0 : update.seats.indexOf(update.viewer);
  }

  /** Two at one device see the table in turns: the one who has to choose. */
  viewerNow() {
    if (!this.oneDevice) return this.mine[0] ?? NOBODY;
    const owes = (/** @type {number} */ party) => {
      const update = this.updates[party];
      return update && update.legal.length > 0 && !hasSealed(update);
    };
    return this.mine.find(owes) ?? (this.mine.includes(this.viewer) ? this.viewer : this.mine[0]);
  }

  // ------------------------------------------------------------ beginning

  /**
   * Our part in the shuffle, and whether it goes as it should.
   * @param {FullUpdate} update
   */
  async followDeal(update) {
    if (!this.welcome) return;
    const found = await this.deal.follow(this.welcome, update);
    if (!found.length) return;
    this.unfair = found;
    this.show();
  }

  /**
   * What another tab of ours has done already needs no second time.
   * @template {"seal" | "ready"} T
   * @param {T} type
   * @param {Fields<T>} fields
   */
  async takePart(type, fields) {
    try {
      await this.socket.request(type, fields);
    } catch (error) {
      const refused = /** @type {Refused} */ (error);
      if (!["room.sealed_already", "room.ready_already", "room.not_seated"].includes(refused.code)) this.refuse(refused);
    }
  }

  // ------------------------------------------------------------ showing

  show() {
    const { update, welcome } = this;
    if (!update || !welcome) return;
    this.clocks.told(update.clocks, update.phase === "playing" ? update.actors : []);
    this.showPlayers();
    this.tell(update);
    if (update.phase === "waiting") this.showWaiting(welcome, update);
    else if (update.phase === "closed") this.setScene("closed", () => panels.closedRoom());
    else if (update.view) this.showTable();
    else if (this.unfair.length) this.showUnfair();
    else this.showDealing(update);
    this.warn(update);
    this.showBelow(update);
    this.showTools(welcome, update);
  }

  /** @param {FullUpdate} update */
  tell(update) {
    const lines = this.logs[this.viewer]?.lines() ?? [];
    const hidden = this.oneDevice && update.phase === "playing" && this.revealed !== this.viewer;
    const news = this.logs[this.viewer]?.news(this.seatOf(update)) ?? [];
    this.side.tell(
      hidden ? [] : news,
      hidden ? [] : lines,
      hidden ? say("table.pass.title", { name: this.name(this.viewer) }) : update.prompt,
    );
    this.side.element.classList.toggle("yours", update.legal.length > 0);
    this.side.element.hidden = this.unfair.length > 0 && !update.view; // the panel says something else
    announce(this.side.newest.textContent + " " + this.side.prompt.textContent);
  }

  /**
   * @param {string} scene
   * @param {() => Node | Promise<Node>} make
   */
  async setScene(scene, make) {
    if (this.scene === scene) return;
    this.scene = scene;
    const made = await make();
    if (this.scene === scene) this.stage.replaceChildren(made);
    document.body.classList.toggle("playing", scene === "table" || scene.startsWith("pass"));
  }

  /** @param {import("./wire").Welcome} welcome @param {FullUpdate} update */
  showWaiting(welcome, update) {
    if (this.mine.length) return this.setScene("invite", () => panels.waitingRoom(welcome, () => this.close()));
    if (welcome.opponent === "link" && !this.invite)
      return this.setScene("wait", () => panels.waitingForOthers(welcome));
    const joined = () => {
      this.updates = {};
      this.logs = {};
      this.socket.seen = {};
      history.replaceState(null, "", `/room/${this.room}`);
      this.socket.reopen();
    };
    return this.setScene("join", () =>
      panels.joinPanel({ welcome, host: update.names[0], invite: this.invite, joined }),
    );
  }

  /** Somebody's number may be missing, because they are away: one waits for them, and not for cards. */
  /** @param {FullUpdate} update */
  showDealing({ sealed, ready }) {
    const { other } = this;
    const missing = other !== null && !this.here[other] && !(sealed[other] && ready[other]);
    const text = missing ? say("table.dealing_waits", { name: this.name(other) }) : say("table.dealing");
    this.setScene(`seated ${text}`, () => h("p", { class: "dealing" }, text));
  }

  showUnfair() {
    const close = this.mine.includes(0) ? () => this.close() : null;
    this.setScene("unfair", () => panels.unfairDeal(this.unfair, close));
  }

  /** The cards are dealt, and only now something turns out to be wrong. */
  /** @param {FullUpdate} update */
  warn({ view }) {
    this.warning.hidden = !this.unfair.length || !view;
    if (!this.warning.hidden && !this.warning.textContent) this.warning.append(...panels.unfairLine(this.unfair));
  }

  async showTable() {
    if (this.oneDevice && this.update?.phase === "playing" && this.revealed !== this.viewer) return this.coverTable();
    const table = await (this.making ??= this.makeTable());
    if (this.scene !== "table") await this.setScene("table", () => table);
    const now = this.update;
    if (!now?.view || !now.seats) return;
    const events = this.unseen[this.viewer] ?? [];
    this.unseen[this.viewer] = [];
    const names = now.seats.map((party) => now.names[party]);
    table.show({ view: now.view, legal: now.legal, events, seat: this.seatOf(now), names, open: now.open ?? null });
  }

  coverTable() {
    const { viewer } = this;
    const reveal = () => {
      this.revealed = viewer;
      this.unseen[viewer] = [];
      this.show();
    };
    this.setScene(`pass-${viewer}`, () => panels.handOver(this.updates[viewer].names[viewer], reveal));
  }

  /** @returns {Promise<GameTable>} */
  async makeTable() {
    const table = await makeTable(this.welcome?.game ?? "", this.room);
    this.table = table;
    table.addEventListener("move", (event) => this.move(/** @type {CustomEvent} */ (event).detail));
    table.addEventListener("attempt", (event) => this.attempt(/** @type {CustomEvent} */ (event).detail));
    return table;
  }

  showPlayers() {
    const { update } = this;
    if (!update) return;
    const bottom = update.seats ? update.seats[this.seatOf(update)] : (this.mine[0] ?? 1);
    this.players.replaceChildren(...[1 - bottom, bottom].map((party) => this.player(update, party, party === bottom)));
  }

  /** @param {FullUpdate} update @param {number} party @param {boolean} bottom */
  player(update, party, bottom) {
    const seat = update.seats?.indexOf(party) ?? -1;
    const clock = seat < 0 ? null : this.clocks.shown(seat);
    const person = update.names[party] && !(this.welcome?.opponent === "bot" && party === 1);
    const away = person && !this.here[party] && update.phase === "playing";
    const acting = update.phase === "playing" && update.actors.includes(seat);
    return h(
      "div",
      { class: `player ${bottom ? "mine" : "theirs"}${acting ? " acting" : ""}${away ? " away" : ""}` },
      h("span", {
        class: "dot",
        title: say(away ? "table.presence.away" : "table.presence.here", { name: this.name(party) }),
      }),
      h("span", { class: "name" }, this.name(party)),
      away ? h("span", { class: "chip" }, say("table.presence.short")) : null,
      clock ? h("time", { class: `clock${this.clocks.low(seat) ? " low" : ""}`, dataset: { seat } }, clock) : null,
    );
  }

  tick() {
    for (const clock of this.players.querySelectorAll("[data-seat]")) {
      clock.textContent = this.clocks.shown(Number(/** @type {HTMLElement} */ (clock).dataset.seat));
    }
  }

  /** @param {FullUpdate} update */
  showBelow(update) {
    const found = update.phase === "over" ? [this.end(update)] : [];
    for (const [party, what] of update.offers) {
      if (this.mine.includes(party) || !this.mine.length || update.next) continue;
      found.unshift(
        panels.offerBar(say(`table.offer.${what}`, { name: this.name(party) }), (yes) =>
          this.ask("answer", { what: /** @type {Offered} */ (what), yes }),
        ),
      );
    }
    this.below.replaceChildren(...found);
  }

  /** @param {FullUpdate} update */
  end(update) {
    const winner = update.result?.winner ?? null;
    const seat = this.seatOf(update);
    const plays = this.mine.length === 1;
    const outcome = !plays ? "seen" : winner === null ? "drawn" : winner === seat ? "won" : "lost";
    const offered = update.offers.some(([party, what]) => what === "rematch" && this.mine.includes(party));
    const rematch = this.mine.length ? () => this.ask("offer", { what: "rematch", party: this.mine[0] }) : null;
    return panels.endPanel({ room: this.room, prompt: update.prompt, outcome, next: update.next, offered, rematch });
  }

  /** @param {import("./wire").Welcome} welcome @param {FullUpdate} update */
  showTools({ opponent }, update) {
    const playing = update.phase === "playing" && this.mine.length > 0;
    const ways = {
      hint: playing && opponent === "bot",
      undo: playing,
      draw: playing && (opponent === "link" || opponent === "open"),
      resign: playing,
    };
    const build = (/** @type {("hint" | "undo" | "draw" | "resign")[]} */ names) =>
      names.filter((name) => ways[name]).map((name) => tool(name, () => this[name]()));
    // Only rebuilt where something changed: a button that has the focus shall keep it.
    const key = JSON.stringify(ways);
    if (key === this.side.tools.dataset.key) return;
    this.side.tools.dataset.key = key;
    this.side.tools.replaceChildren(...build(["hint", "undo", "draw", "resign"]));
    this.quick.replaceChildren(...build(["hint", "undo", "draw", "resign"]));
  }

  // ------------------------------------------------------------ what the player asks for

  /** @param {string} move */
  async move(move) {
    try {
      await this.socket.request("move", { party: this.viewer, move });
      if (this.table) this.table.busy = false;
    } catch (error) {
      this.table?.refused();
      this.refuse(/** @type {Refused} */ (error));
    }
  }

  /**
   * Something that the table does not offer: the server says why not, with the rule. It is not made, even if it
   * could be by now.
   * @param {string} move
   */
  async attempt(move) {
    try {
      const told = await this.socket.request("why", { party: this.viewer, move });
      if (told.type === "reason" && told.text) this.refuse({ text: told.text, rule: told.rule });
    } catch (error) {
      this.refuse(/** @type {Refused} */ (error));
    }
  }

  /**
   * @template {Request["type"]} T
   * @param {T} type
   * @param {Fields<T>} fields
   */
  async ask(type, fields) {
    const party = fields.party ?? (this.oneDevice ? this.viewer : this.mine[0]);
    try {
      await this.socket.request(type, { ...fields, party });
      return true;
    } catch (error) {
      this.refuse(/** @type {Refused} */ (error));
      return false;
    }
  }

  /** @param {Pick<Refused, "text" | "rule">} why */
  refuse({ text, rule }) {
    this.side.ask(text, { rule, look: "refused" });
    announce(text);
  }

  /** Take the last choice back, or ask the other one to allow it. */
  async undo() {
    const party = this.oneDevice ? this.lastToMove() : this.mine[0];
    try {
      await this.socket.request("undo", { party });
    } catch (error) {
      const refused = /** @type {Refused} */ (error);
      if (refused.code !== "room.undo_by_consent" || this.oneDevice) return this.refuse(refused);
      if (await this.ask("offer", { what: "undo", party }))
        this.side.ask(say("table.asked.undo", { name: this.name(this.other ?? 1) }));
    }
  }

  /** Of two at one device the one who may have something to take back is the one who chose last. */
  lastToMove() {
    const sealed = this.mine.find((party) => this.updates[party] && hasSealed(this.updates[party]));
    if (sealed !== undefined) return sealed;
    const seat = this.logs[this.viewer]?.lastToChoose() ?? null;
    return seat === null ? this.viewer : (this.update?.seats?.[seat] ?? this.viewer);
  }

  async draw() {
    if (await this.ask("offer", { what: "draw" }))
      this.side.ask(say("table.asked.draw", { name: this.name(this.other ?? 1) }));
  }

  async resign() {
    if (await confirmed(say("table.resign.sure"), say("table.resign.yes"))) await this.ask("resign", {});
  }

  async hint() {
    this.side.ask(say("table.hint.thinking"));
    try {
      const { move, text } = await post("/api/rooms/{room}/hint", {}, { room: this.room });
      this.side.ask(text, { look: "hinted" });
      announce(text);
      this.table?.highlight(move);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.side.ask(error.text, { rule: error.rule, look: "refused" });
    }
  }

  async close() {
    if (!(await this.ask("close", {}))) return;
    invites.forget(this.room);
    location.assign("/");
  }
}

/**
 * Whether the viewer has made a choice that the other one may not know yet.
 * @param {FullUpdate} update
 */
function hasSealed({ view }) {
  return Boolean(view && "chosen" in view && view.chosen);
}

await ready();
const found = location.pathname.match(/^\/room\/([0-9A-Za-z_-]{1,40})$/);
if (found) new RoomPage(found[1]);
else {
  const { main } = startPage({ title: say("table.title") });
  main.append(panels.noRoom());
}
addEventListener("unhandledrejection", () => showError(say("shell.no_server")));
