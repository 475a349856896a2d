// @ts-check
// The page of a room: connects, asks for what the player wants, shows what the server tells, one thing after another.
import { ApiError, get, post } from "./api.js";
import { setChip } from "./card-set.js";
import { titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { swallowClick } from "./drag.js";
import { makeTable } from "./game-table.js";
import { lookOf } from "./games.js";
import { MyTurn } from "./my-turn.js";
import { Steps, paceFactor } from "./pace.js";
import { RoomClocks } from "./room-clock.js";
import { Deal } from "./room-deal.js";
import { Emotes } from "./room-emotes.js";
import { endPanel, lengthOf, tallyOf } from "./room-end.js";
import { RoomLog } from "./room-log.js";
import * as panels from "./room-panels.js";
import { gameChanges, parText, ratingMark } from "./rating.js";
import { Side, tool } from "./room-side.js";
import { invites } from "./share.js";
import { announce, confirmed, ready, showError, startPage } from "./shell.js";
import { sign } from "./sign.js";
import { RoomSocket } from "./socket.js";
import { play } from "./sounds.js";
import { say, shownName } from "./words.js";

/** @typedef {import("./types").GameTable} GameTable */
/** @typedef {import("./types").FullUpdate} FullUpdate */
/** @typedef {import("./wire").EventJson} Happening */
/** @typedef {import("./room-log.js").Line} Line */
/** @typedef {import("./room-side.js").Tool} Tool */
/** @typedef {import("./socket.js").Refused} Refused */
/** @typedef {import("./socket.js").Request} Request */
/**
 * @template {Request["type"]} T
 * @typedef {import("./socket.js").Fields<T>} Fields
 */
/** @typedef {NonNullable<import("./wire").Offer["what"]>} Offered */
/**
 * @typedef {object} Step what is shown at once
 * @property {FullUpdate} update
 * @property {Happening[]} events since the step before
 * @property {Line[][]} turns the story so far, in pieces from one own choice to the next
 * @property {boolean} [still] without motion
 */

const PAR_EVERY = 3000; // milliseconds between two looks at what a deal is worth
const NOBODY = -1;
const EYE = "M2 12s4-6 10-6 10 6 10 6-4 6-10 6S2 12 2 12ZM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z";
const HEARD_TOGETHER = 120; // milliseconds: what is said within them is one announcement
const LOOK = 2; // beats for which one sees what one's last choice brought, before the device is handed over

class RoomPage {
  /** @param {string} room */
  constructor(room) {
    this.room = room;
    this.invite = new URLSearchParams(location.search).get("invite") ?? "";
    const { header, main } = startPage({ title: say("table.title"), bare: true });
    document.body.classList.add("room");
    this.side = new Side();
    this.emotes = new Emotes((what) => this.ask("emote", { what }));
    this.myTurn = new MyTurn();
    this.connection = h("p", { class: "connection", role: "status", hidden: true });
    this.warning = h("p", { class: "warning panel", role: "alert", hidden: true });
    this.players = h("div", { class: "players" });
    this.eye = h("span", { class: "chip eye", hidden: true });
    this.quick = h("div", { class: "quick" });
    this.stage = h("div", { class: "stage" });
    this.offers = h("div", { class: "offers" });
    this.below = h("div", { class: "below" });
    header.append(this.players, this.eye, this.quick, this.emotes.button, this.side.more, this.emotes.menu);
    main.append(
      h("h1", { class: "visually-hidden" }, say("table.title")),
      this.connection,
      h("div", { class: "place-of-play" }, this.warning, this.stage, this.below, this.offers),
      this.side.element,
    );
    this.clocks = new RoomClocks();
    /** @type {import("./wire").Welcome | null} */
    this.welcome = null;
    /** @type {Record<number, FullUpdate>} by viewer, the newest update */
    this.updates = {};
    /** @type {Record<number, RoomLog>} */
    this.logs = {};
    /** @type {FullUpdate | null} what is on the screen */
    this.update = null;
    /** @type {Steps<Step>} */
    this.steps = new Steps((step, newest) => this.showStep(step, newest), joined);
    this.here = [true, true];
    this.watching = 0;
    /** @type {number | null} when the win may be claimed, by `performance.now` */
    this.claimAt = null;
    this.viewer = NOBODY; // whose story is followed
    this.bottom = 0; // the seat at the bottom of the table
    /** @type {number | null} whose hand may be seen, of two at one device */
    this.revealed = null;
    /** @type {Happening[]} what both at one device have chosen, and watch together */
    this.together = [];
    /** @type {GameTable | null} */
    this.table = null;
    /** @type {Promise<GameTable> | null} */
    this.making = null;
    this.scene = "";
    this.taken = false; // whether a move was, of which nothing is shown yet
    this.ended = false; // whether the end was seen to come
    /** @type {import("./fair.js").Difference[]} what is wrong with the deal */
    this.unfair = [];
    this.deal = new Deal(room, (type, fields) => this.takePart(type, fields));
    /** @type {Set<Line>} */
    this.heard = new Set();
    /** @type {string[]} */
    this.toSay = [];
    /** @type {RoomSocket} */
    this.socket = new RoomSocket(room, {
      onwelcome: (welcome) => this.welcomed(welcome),
      onupdate: (update) => this.updated(update),
      onpresence: (presence) => this.present(presence),
      onemote: (emote) => this.emoted(emote),
      onerror: (error) => this.failed(error),
      onstate: (state) => this.connected(state),
    });
    setInterval(() => this.tick(), 250);
    this.listenForHurry();
  }

  // ------------------------------------------------------------ what the server tells

  /** @param {import("./wire").Welcome} welcome */
  welcomed(welcome) {
    this.welcome = welcome;
    this.viewer = this.mine.length === 1 ? this.mine[0] : NOBODY;
    this.myTurn.name(`${titleOf(welcome)} · ${say("shell.name")}`);
    this.deal.waits = this.checksReady;
    const cards = setChip(welcome.set, this.room);
    const rated = welcome.rated ? [" ", h("span", { class: "chip" }, say("table.rated"))] : [];
    this.side.about.replaceChildren(titleOf(welcome), ...rated, ...(cards ? [" ", cards] : []));
    document.body.classList.toggle("watching", !this.mine.length);
  }

  /** @param {FullUpdate} update */
  updated(update) {
    const { viewer, events } = update;
    const log = (this.logs[viewer] ??= new RoomLog(lookOf(this.welcome?.game ?? "")));
    if (!log.add(update.kept, events, update.story, update.notes)) {
      log.clear();
      return this.socket.startOver();
    }
    const before = this.updates[viewer];
    this.updates[viewer] = update;
    if (before && !before.next && update.next && this.mine.length) return location.assign(`/room/${update.next}`);
    this.followDeal(update);
    if (this.oneDevice) this.followDevice(update, before);
    if (viewer === this.viewer) this.steps.add(this.step(events), this.beats(update));
    else if (this.revealed === null && this.oneDevice) this.show(); // whose turn it is now
    this.tellTurn();
  }

  /** @param {import("./wire").Presence} presence */
  present({ here, watching = 0, claim = null }) {
    const other = this.other;
    if (other !== null && this.here[other] !== here[other] && this.update?.phase === "playing") {
      this.say(say(here[other] ? "table.presence.back" : "table.presence.away", { name: this.name(other) }));
    }
    this.here = here;
    this.watching = watching;
    this.claimAt = claim === null ? null : performance.now() + claim;
    if (this.update?.phase === "seated") this.show();
    this.showPlayers();
    this.showWatching();
    if (this.update) this.showTools(this.update);
  }

  /** @param {import("./wire").Emoted} emote */
  emoted({ party, what }) {
    if (!this.emotes.hear(party, what, this.mine.includes(party))) return;
    this.showPlayers();
    if (!this.mine.includes(party)) {
      this.say(say("table.emote.said", { name: this.name(party), what: say(`table.emote.${what}`) }));
    }
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

  /** Whether two people sit at this table, each at a place of their own. */
  get ofPeople() {
    return ["link", "open"].includes(this.welcome?.opponent ?? "");
  }

  /** Whether a clock of minutes waits until both say that they are there. */
  get checksReady() {
    return this.ofPeople && Boolean(this.welcome?.clock.minutes);
  }

  /** @param {number} party */
  name(party) {
    return shownName((this.update ?? this.updates[this.viewer])?.names[party]);
  }

  /**
   * The seat of whoever looks; for those without one, the seat at the bottom.
   * @param {FullUpdate} update
   */
  seatOf(update) {
    return update.viewer === NOBODY || !update.seats ? this.bottom : update.seats.indexOf(update.viewer);
  }

  /**
   * Whether this party has something to choose, and has not done it.
   * @param {number} party
   */
  owes(party) {
    const update = this.updates[party];
    return Boolean(update && update.legal.length > 0 && !hasSealed(update));
  }

  /** Of two at one device, whose turn it is to look. @returns {number | undefined} */
  get next() {
    return this.mine.find((party) => this.owes(party));
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

  /** A person says that they are there: now our number is told, and the clock may start. */
  beReady() {
    this.deal.waits = false;
    const update = this.updates[this.mine[0]];
    if (update) this.followDeal(update);
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

  // ------------------------------------------------------------ one after another

  /** @param {Happening[]} events @returns {Step} */
  step(events) {
    const update = this.updates[this.viewer];
    const log = this.logs[this.viewer];
    return { update, events, turns: log?.turns(this.viewer === NOBODY ? null : this.seatOf(update)) ?? [] };
  }

  /** Show how things stand, where no more than that has changed. */
  show() {
    if (this.updates[this.viewer]) this.steps.add(this.step([]));
  }

  /**
   * A choice of the computer's comes when one has seen what was before it. What a person does is shown at once.
   * @param {FullUpdate} update
   */
  beats(update) {
    if (this.welcome?.opponent !== "bot") return 0;
    const seat = this.viewer === NOBODY ? null : this.seatOf(update);
    const chosen = update.events.filter((event) => lookOf(this.welcome?.game ?? "").choices.includes(event.kind));
    const theirs = chosen.length > 0 && !chosen.some((event) => event.seat === seat);
    // Beside a running clock nobody wants to wait.
    return !theirs ? 0 : update.clocks ? 0.5 : 1;
  }

  /** A tap or a key while something newer waits shows that at once, and does nothing else. */
  listenForHurry() {
    const hurry = (/** @type {Event} */ event) => {
      if (!this.steps.behind) return false;
      event.preventDefault();
      event.stopPropagation();
      this.hurry();
      return true;
    };
    this.stage.addEventListener("pointerdown", (event) => hurry(event) && swallowClick(), { capture: true });
    document.addEventListener(
      "keydown",
      (event) => {
        const atTable = event.target === document.body || (event.target instanceof Node && this.stage.contains(event.target));
        if (atTable && !event.ctrlKey && !event.altKey && !event.metaKey && event.key !== "Tab") hurry(event);
      },
      { capture: true },
    );
  }

  hurry() {
    this.steps.skip();
    this.table?.skip();
  }

  // ------------------------------------------------------------ two at one device

  /**
   * Between two choices the table is shown as anybody may see it. What both have chosen both watch there; of what one
   * has chosen alone they see the outcome first.
   * @param {FullUpdate} update
   * @param {FullUpdate | undefined} before
   */
  followDevice(update, before) {
    const { viewer, events } = update;
    const { revealed } = this;
    const both = before?.actors.length === 2 && events.length > 0;
    if (viewer === NOBODY && both) this.together = events;
    if (viewer === NOBODY || revealed === null) return;
    const watched = viewer === revealed && both;
    const over = viewer === revealed && update.phase !== "playing";
    if (!watched && !over && (this.owes(revealed) || this.next === undefined)) return;
    if (viewer === revealed && !watched) this.steps.add(this.step(events));
    this.cover(watched || over ? 0 : LOOK);
  }

  /** @param {number} beats how long the open hand is still seen */
  cover(beats) {
    this.revealed = null;
    this.viewer = NOBODY;
    const events = this.together;
    this.together = [];
    this.steps.add(this.step(events), beats);
  }

  /** @param {number} party */
  reveal(party) {
    this.revealed = party;
    this.viewer = party;
    this.show();
  }

  // ------------------------------------------------------------ showing

  /** @param {Step} step @param {boolean} newest */
  showStep({ update, events, turns, still }, newest) {
    const { welcome } = this;
    if (!welcome) return null;
    this.update = update;
    this.showWatching();
    if (update.viewer !== NOBODY) this.bottom = this.seatOf(update);
    this.clocks.told(this.updates[this.viewer]?.clocks ?? null, update.phase === "playing" ? update.actors : []);
    this.showPlayers();
    this.tell(update, turns, newest);
    const motion = this.showScene(welcome, update, newest ? update.legal : [], events, still ?? false);
    this.warn(update);
    this.showOffers(update);
    this.showBelow(update, motion);
    this.showTools(update);
    this.sound(update, events);
    return motion;
  }

  /**
   * @param {import("./wire").Welcome} welcome @param {FullUpdate} update
   * @param {string[]} legal @param {Happening[]} events @param {boolean} still
   */
  showScene(welcome, update, legal, events, still) {
    if (update.phase === "waiting") return this.showWaiting(welcome, update);
    if (update.phase === "closed") return this.setScene("closed", () => panels.closedRoom());
    if (update.view) return this.showTable(update, legal, events, still);
    return this.unfair.length ? this.showUnfair() : this.showDealing(update);
  }

  /** @param {FullUpdate} update @param {Line[][]} turns @param {boolean} newest */
  tell(update, turns, newest) {
    const log = this.logs[update.viewer];
    const prompt = this.promptOf(update, turns, newest);
    this.side.tell(turns, (lines) => log?.told(lines) ?? lines, prompt);
    this.side.element.classList.toggle("yours", newest && update.legal.length > 0);
    this.side.element.hidden = !update.view; // before the game the panel says it all
    // Who comes back to a game hears how things stand, and not all of it once more.
    const fresh = (this.heard.size ? turns.flat() : (turns.at(-1) ?? [])).filter((line) => !this.heard.has(line));
    this.heard = new Set(turns.flat());
    this.say(...(log?.told(fresh) ?? []).map((line) => line.text), ...(newest ? [prompt] : []));
  }

  /** @param {FullUpdate} update @param {Line[][]} turns @param {boolean} newest */
  promptOf(update, turns, newest) {
    if (this.oneDevice && update.phase === "playing" && update.viewer === NOBODY && this.next !== undefined)
      return say("table.pass.title", { name: shownName(update.names[this.next]) });
    // How it ended the story tells already, where it ended by the rules.
    if (update.phase === "over" && turns.at(-1)?.some((line) => line.kind === "end")) return "";
    if (!this.mine.length && update.phase === "playing") return say("table.watching.prompt", { prompt: update.prompt });
    return newest ? update.prompt : "";
  }

  /** For those who listen instead of looking: everything once, and what comes at once together. */
  /** @param {...string} texts */
  say(...texts) {
    if (!this.toSay.length)
      setTimeout(() => {
        announce(this.toSay.join(" "));
        this.toSay = [];
      }, HEARD_TOGETHER);
    const last = this.toSay.at(-1);
    this.toSay.push(...texts.filter((text) => text && text !== last));
  }

  /** Whether something is wanted from whoever sits here, for those who look elsewhere. */
  tellTurn() {
    if (this.mine.length !== 1) return;
    const party = this.mine[0];
    const update = this.updates[party];
    if (!update) return;
    const waits = this.readyWanted(update);
    const body = update.story.map((line) => line.text).join(" ");
    const key = waits ? "table.my_turn.ready" : "table.my_turn.title";
    const mine = waits || (update.phase === "playing" && this.owes(party));
    if (this.myTurn.tell(mine, key, body) && (document.hidden || waits)) play("turn");
  }

  /** @param {FullUpdate} update @param {Happening[]} events */
  sound(update, events) {
    if (update.phase === "playing") this.ended = true;
    if (update.phase === "over" && this.ended) {
      this.ended = false;
      const outcome = this.outcome(update);
      return play(outcome === "won" || outcome === "lost" ? outcome : "drawn");
    }
    if (events.some((event) => lookOf(this.welcome?.game ?? "").choices.includes(event.kind))) play("step");
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
    document.body.classList.toggle("playing", scene === "table");
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

  /**
   * Whether it is us who have to say that we are there.
   * @param {FullUpdate} update
   */
  readyWanted({ phase, context, ready }) {
    return phase === "seated" && this.deal.waits && context !== null && this.mine.length === 1 && !ready[this.mine[0]];
  }

  /** Somebody's number may be missing, because they are away or not ready: one waits for them, and not for cards. */
  /** @param {FullUpdate} update */
  showDealing(update) {
    const { other, mine } = this;
    const { sealed, ready } = update;
    if (other !== null && this.readyWanted(update)) {
      const about = { name: this.name(other), there: ready[other], clock: this.welcome?.clock ?? {} };
      const [go, close] = [() => this.beReady(), () => this.close()];
      return this.setScene(`ready ${about.there}`, () => panels.readyCheck(about, go, close));
    }
    const missing = other !== null && !(sealed[other] && ready[other]);
    const away = missing && !this.here[other];
    const waits = missing && this.checksReady && ready[mine[0]];
    const text = away
      ? say("table.dealing_waits", { name: this.name(other) })
      : waits
        ? say("table.ready.waits", { name: this.name(other) })
        : say("table.dealing");
    const close = away || waits ? () => this.close() : null;
    return this.setScene(`seated ${text}`, () => panels.dealing(text, close));
  }

  showUnfair() {
    const close = this.mine.length ? () => this.close() : null;
    return this.setScene("unfair", () => panels.unfairDeal(this.unfair, close));
  }

  /** The cards are dealt, and only now something turns out to be wrong. */
  /** @param {FullUpdate} update */
  warn({ view }) {
    this.warning.hidden = !this.unfair.length || !view;
    if (!this.warning.hidden && !this.warning.textContent) this.warning.append(...panels.unfairLine(this.unfair));
  }

  /** @param {FullUpdate} update @param {string[]} legal @param {Happening[]} events @param {boolean} still */
  async showTable(update, legal, events, still) {
    const table = this.table ?? (await (this.making ??= this.makeTable()));
    if (this.scene !== "table") await this.setScene("table", () => table);
    const { view, seats } = update;
    if (!view || !seats || this.update !== update) return null; // the first table takes a moment, and is late then
    table.pace = still ? 0 : paceFactor();
    const names = seats.map((party) => update.names[party]);
    const motion = table.show({ view, legal, events, seat: this.seatOf(update), names, open: update.open ?? null });
    this.goOn();
    return motion;
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
    const you = this.mine.length === 1 && this.mine[0] === party;
    return h(
      "div",
      { class: `player ${bottom ? "mine" : "theirs"}${acting ? " acting" : ""}${away ? " away" : ""}` },
      h("span", {
        class: "dot",
        title: say(away ? "table.presence.away" : "table.presence.here", { name: this.name(party) }),
      }),
      h("span", { class: "name", title: this.name(party) }, you ? say("table.you") : this.name(party)),
      ratingMark(update.ratings?.[party]),
      away ? h("span", { class: "chip" }, say("table.presence.short")) : null,
      clock ? h("time", { class: `clock${this.clocks.low(seat) ? " low" : ""}`, dataset: { seat } }, clock) : null,
      this.emotes.bubble(party),
    );
  }

  /** Spectators know that they are, and players that there are some. */
  showWatching() {
    const { watched } = this.side;
    const others = this.watching - (this.mine.length ? 0 : 1);
    const words = this.mine.length ? [] : [say("table.watching.you")];
    if (others > 0) words.push(say("table.watching.others", { n: others }));
    watched.textContent = words.join(" ");
    watched.hidden = !words.length;
    this.eye.hidden = !words.length || (!this.mine.length && this.update?.phase === "waiting"); // may still sit down
    this.eye.title = words.join(" ");
    this.eye.replaceChildren(...(this.mine.length ? [sign(EYE), String(others)] : [say("table.watching.short")]));
  }

  tick() {
    if (this.emotes.fades()) this.showPlayers();
    for (const clock of this.players.querySelectorAll("[data-seat]")) {
      clock.textContent = this.clocks.shown(Number(/** @type {HTMLElement} */ (clock).dataset.seat));
    }
    if (this.claimAt !== null && this.update) this.showTools(this.update);
  }

  /**
   * Offers lie over the table's edge: nothing moves under a finger because of them.
   * @param {FullUpdate} update
   */
  showOffers(update) {
    const key = JSON.stringify([update.offers, update.next]);
    if (key === this.offers.dataset.key) return;
    this.offers.dataset.key = key;
    const asked = update.offers.filter(([party]) => this.mine.length && !this.mine.includes(party) && !update.next);
    this.offers.replaceChildren(
      ...asked.map(([party, what]) =>
        panels.offerBar(say(`table.offer.${what}`, { name: this.name(party) }), (yes) =>
          this.answer(/** @type {Offered} */ (what), yes),
        ),
      ),
    );
  }

  /** @param {Offered} what @param {boolean} yes */
  async answer(what, yes) {
    if (yes && what === "draw" && !(await confirmed(say("table.draw.sure"), say("table.draw.yes")))) return;
    await this.ask("answer", { what, yes });
  }

  /**
   * The end, and to whom the device is handed, wait until everybody has seen what happened.
   * @param {FullUpdate} update
   * @param {unknown} motion
   */
  async showBelow(update, motion) {
    if (update.phase === "playing") lengthOf(this.room, false);
    const { next } = this;
    const passes = this.oneDevice && update.viewer === NOBODY && update.phase === "playing" && next !== undefined;
    const over = update.phase === "over";
    const key = over ? JSON.stringify([update.next, update.offers]) : passes ? `pass ${next}` : "";
    if (!key) this.below.replaceChildren();
    if (!over) this.stage.inert = false;
    if (!key || key === this.below.dataset.key) return void (this.below.dataset.key = key);
    await motion;
    if (this.update !== update || this.steps.behind) return;
    this.below.dataset.key = key;
    const panel = passes ? panels.handOver(update.names[next], () => this.reveal(next)) : this.end(update);
    this.below.replaceChildren(panel);
    this.stage.inert = over; // under the panel nothing can be reached
  }

  /** @param {FullUpdate} update @returns {import("./room-end.js").Outcome} */
  outcome(update) {
    const { winner = null, reason = "" } = update.result ?? {};
    if (reason === "aborted") return "aborted";
    if (winner === null) return "drawn";
    if (this.mine.length !== 1) return "seen";
    return winner === this.seatOf(update) ? "won" : "lost";
  }

  /** @param {FullUpdate} update */
  end(update) {
    const log = this.logs[update.viewer];
    const [seat, outcome] = [this.seatOf(update), this.outcome(update)];
    const names = (update.seats ?? [0, 1]).map((party) => shownName(update.names[party]));
    const told = log?.lines().find((line) => line.kind === "end");
    const length = lengthOf(this.room, true);
    const offered = update.offers.some(([party, what]) => what === "rematch" && this.mine.includes(party));
    const panel = endPanel({
      room: this.room,
      outcome,
      headline: say(`table.end.is.${outcome}`, { name: names[update.result?.winner ?? 0] }),
      why: told ?? { text: update.prompt, rule: null },
      tally: tallyOf(log?.events() ?? [], (card) => this.table?.nameOf?.(card) ?? card),
      names: [this.mine.length === 1 ? say("table.you") : names[seat], names[1 - seat]],
      seat,
      facts: [say("table.end.turns", { n: update.view?.turn ?? 0 }), ...(length ? [length] : [])],
      next: update.next,
      offered,
      rematch: this.mine.length ? () => this.ask("offer", { what: "rematch", party: this.mine[0] }) : null,
      onfold: (folded) => (this.stage.inert = !folded),
    });
    if (this.welcome?.rated) this.tellRating(panel, names);
    const { board, tournament } = this.welcome ?? {};
    if (!board) this.offerPar(panel);
    else if (!tournament) this.tellBoard(panel, `/boards/${board}`, say("boards.back"));
    if (tournament) this.tellBoard(panel, `/tournaments/${tournament}`, say("tournaments.back"));
    return panel;
  }

  /**
   * The way to what the game is a part of.
   * @param {HTMLElement} panel @param {string} href @param {string} text
   */
  tellBoard(panel, href, text) {
    panel.querySelector(".row")?.prepend(h("a", { class: "button primary part-of", href }, text));
  }

  /**
   * What the computer makes of the same cards, for whoever wants to know.
   * @param {HTMLElement} panel
   */
  offerPar(panel) {
    if (this.update?.result?.reason === "aborted") return;
    const told = h("p", { class: "par note", role: "status", hidden: true });
    const look = async () => {
      const found = await get("/api/rooms/{room}/par", { room: this.room }).catch(() => null);
      if (!found || !panel.isConnected) return;
      told.textContent = parText(found);
      if (found.games < found.of) setTimeout(look, PAR_EVERY);
    };
    const ask = h("button", { type: "button", class: "ask-par" }, say("boards.par_ask"));
    ask.addEventListener("click", () => {
      ask.remove();
      told.hidden = false;
      told.textContent = say("boards.par_soon");
      look();
    });
    panel.querySelector(".end-told")?.append(told);
    panel.querySelector(".row")?.append(ask);
  }

  /** @param {HTMLElement} panel @param {string[]} names by seat */
  async tellRating(panel, names) {
    const told = await gameChanges(this.room, names);
    if (told.length) panel.querySelector(".end-told")?.append(h("p", { class: "rated note" }, told.join(" ")));
  }

  /** @param {FullUpdate} update */
  showTools(update) {
    const playing = update.phase === "playing" && this.mine.length > 0;
    /** @type {Record<Tool, boolean>} */
    const ways = {
      hint: playing && this.welcome?.opponent === "bot" && !this.welcome.rated && !this.welcome.board,
      undo: playing,
      draw: playing && this.ofPeople,
      claim: playing && this.claimAt !== null && this.claimAt <= performance.now(),
      abort: playing && Boolean(this.updates[this.mine[0]]?.abort),
      resign: playing,
    };
    const names = /** @type {Tool[]} */ (Object.keys(ways)).filter((name) => ways[name]);
    // Only rebuilt where something changed: a button that has the focus shall keep it.
    const key = names.join(" ");
    this.emotes.button.hidden = !this.ofPeople || !this.mine.length || !["seated", "playing", "over"].includes(update.phase);
    if (key === this.side.tools.dataset.key) return;
    this.side.tools.dataset.key = key;
    const build = () => names.map((name) => tool(name, () => this[name]()));
    this.side.tools.replaceChildren(...build());
    this.quick.replaceChildren(...build());
  }

  // ------------------------------------------------------------ what the player asks for

  /** @param {string} move */
  async move(move) {
    try {
      await this.socket.request("move", { party: this.update?.viewer, move });
      this.taken = true;
      this.goOn();
    } catch (error) {
      this.table?.refused();
      this.refuse(/** @type {Refused} */ (error));
    }
  }

  /** A move that was taken is over when what it brought is shown: until then the table offers what was before it. */
  goOn() {
    if (!this.taken || !this.table || this.steps.behind) return;
    this.taken = false;
    this.table.busy = false;
  }

  /**
   * Something that the table does not offer: the server says why not, with the rule. It is not made, even if it
   * could be by now.
   * @param {string} move
   */
  async attempt(move) {
    try {
      const told = await this.socket.request("why", { party: this.update?.viewer, move });
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
    const party = fields.party ?? (this.oneDevice ? (this.revealed ?? this.next ?? 0) : this.mine[0]);
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
    this.say(rule ? text.replace(` (${rule})`, "") : text);
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
    const seat = this.logs[NOBODY]?.lastToChoose() ?? null;
    return (seat === null ? null : this.update?.seats?.[seat]) ?? this.mine[0];
  }

  async draw() {
    if (await this.ask("offer", { what: "draw" }))
      this.side.ask(say("table.asked.draw", { name: this.name(this.other ?? 1) }));
  }

  async abort() {
    if (await confirmed(say("table.abort.sure"), say("table.abort.yes"))) await this.ask("abort", {});
  }

  async claim() {
    const name = this.name(this.other ?? 1);
    if (await confirmed(say("table.claim.sure", { name }), say("table.claim.yes"))) await this.ask("claim", {});
  }

  async resign() {
    if (await confirmed(say("table.resign.sure"), say("table.resign.yes"))) await this.ask("resign", {});
  }

  async hint() {
    this.side.ask(say("table.hint.thinking"));
    try {
      const { move, text } = await post("/api/rooms/{room}/hint", {}, { room: this.room });
      this.side.ask(text, { look: "hinted" });
      this.say(text);
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
 * Several steps as one.
 * @param {Step[]} steps
 * @returns {Step}
 */
function joined(steps) {
  const last = steps[steps.length - 1];
  // What two people see of one table is not the same: the events of the other's are not for this one.
  const same = steps.filter(({ update }) => update.viewer === last.update.viewer);
  return { ...last, events: same.flatMap(({ events }) => events), still: true };
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
