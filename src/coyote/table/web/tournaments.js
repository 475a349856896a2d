// @ts-check
// `/tournaments`: a tournament for a group of friends. `/tournaments/ID`: who plays, the rounds, the table, live.
import { ApiError, ensureGuest, get, post } from "./api.js";
import { allKinds, nameOf, titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { Notes, boardDiffers, sealOf } from "./fair.js";
import { HouseRules } from "./house-rules.js";
import { clockTitle } from "./room-panels.js";
import { toHex } from "./sha256.js";
import { linkBox } from "./share.js";
import { announce, confirmed, ready, showError, startPage } from "./shell.js";
import { lang, line, say } from "./words.js";

/** @typedef {import("./wire").TournamentShown} Tournament */
/** @typedef {import("./wire").NewTournament} NewTournament */
/** @typedef {Tournament["rounds"][number][number]} Pairing */

const LOOK_EVERY = 2000; // milliseconds
const SYSTEMS = ["round_robin", "swiss"];
const CLOCKS = ["3", "5", "10", "20", "days"]; // minutes for the game, or a day for each turn
const GRACES = ["2", "5", "10", "30", "1440"]; // minutes

await ready();
const { main } = startPage({ title: say("tournaments.title") });
main.classList.add("tournaments");
const id = location.pathname.split("/")[2] ?? "";

// ---------------------------------------------------------------- a new one

class NewForm {
  constructor() {
    const kinds = allKinds();
    this.house = new HouseRules(false);
    this.name = h("input", { type: "text", id: "tournaments-name", required: true, maxlength: 60, value: say("tournaments.usual_name"), autocomplete: "off" });
    this.kind = choice("kind", kinds.map(({ id: value, game, edition }) => [value, line(titleOf(game), ...(edition ? [titleOf(edition)] : []))]), () => this.house.show(this.chosen, {}));
    this.system = choice("system", SYSTEMS.map((one) => [one, say(`tournaments.system.${one}`)]), () => this.adapt());
    this.rounds = choice("rounds", ["0", "2", "3", "4", "5", "6", "7"].map((one) => [one, one === "0" ? say("tournaments.usual") : one]));
    this.clock = choice("clock", CLOCKS.map((one) => [one, one === "days" ? clockTitle({ days: 1 }) : clockTitle({ minutes: Number(one), increment: 5 })]));
    this.grace = choice("grace", GRACES.map((one) => [one, one === "1440" ? say("tournaments.a_day") : say("tournaments.minutes", { n: Number(one) })]));
    this.same = h("input", { type: "checkbox", id: "tournaments-same" });
    this.clock.select.value = "10";
    this.grace.select.value = "5";
    this.button = h("button", { class: "primary big" }, say("tournaments.make"));
    const name = h("div", { class: "field" }, h("label", { for: this.name.id }, say("tournaments.label.name")), this.name);
    this.form = h(
      "form",
      { class: "panel", onsubmit: (/** @type {Event} */ event) => this.make(event) },
      h("div", { class: "two" }, name, this.kind.element, this.system.element, this.rounds.element, this.clock.element, this.grace.element),
      this.house.element,
      h("label", { class: "tick" }, this.same, h("span", null, say("tournaments.same"))),
      this.button,
    );
    this.house.show(this.chosen, {});
    this.adapt();
    main.append(h("h1", null, say("tournaments.title")), h("p", { class: "note" }, say("tournaments.lead")), this.form);
  }

  get chosen() {
    return allKinds().find(({ id: one }) => one === this.kind.select.value) ?? allKinds()[0];
  }

  adapt() {
    this.rounds.element.hidden = this.system.select.value !== "swiss";
  }

  /** @param {Event} event */
  async make(event) {
    event.preventDefault();
    const { game, edition } = this.chosen;
    const clock = this.clock.select.value;
    /** @type {NewTournament} */
    const wanted = {
      name: this.name.value,
      game: nameOf(game),
      options: { ...(edition ? { edition: edition.name } : {}), ...this.house.values() },
      system: /** @type {NewTournament["system"]} */ (this.system.select.value),
      rounds: this.system.select.value === "swiss" ? Number(this.rounds.select.value) : 0,
      grace: Number(this.grace.select.value),
      duplicate: this.same.checked,
      clock: clock === "days" ? { days: 1 } : { minutes: Number(clock), increment: 5 },
    };
    this.button.disabled = true;
    try {
      await ensureGuest();
      location.assign(`/tournaments/${(await post("/api/tournaments", wanted)).tournament}`);
    } catch (error) {
      this.button.disabled = false;
      if (!(error instanceof ApiError)) throw error;
      for (const { text, rule } of error.reasons) showError(text, rule);
    }
  }
}

/**
 * @param {string} name
 * @param {string[][]} values with their words
 * @param {() => void} [changed]
 */
function choice(name, values, changed) {
  const select = h("select", { id: `tournaments-${name}`, onchange: changed ?? null }, values.map(([value, text]) => h("option", { value }, text)));
  return { select, element: h("div", { class: "field" }, h("label", { for: select.id }, say(`tournaments.label.${name}`)), select) };
}

// ---------------------------------------------------------------- one of them

class TournamentPage {
  constructor() {
    this.title = h("h1", null, say("tournaments.title"));
    this.about = h("p", { class: "note about" });
    this.state = h("p", { class: "state", role: "status" });
    this.actions = h("div", { class: "row" });
    this.table = h("div", { class: "panel standings" });
    this.rounds = h("div", { class: "rounds" });
    this.share = h("section", { class: "panel", hidden: true }, h("h2", null, say("tournaments.send")));
    this.shown = "";
    this.room = "";
    /** @type {string[] | null} */
    this.commitments = null;
    this.told = ""; // the deal for which our number is being told, or was
    /** @type {Awaited<ReturnType<typeof boardDiffers>>} with a deal, so that our number is not told */
    this.wrong = "";
    main.append(this.title, this.about, this.state, this.actions, this.table, this.rounds, this.share);
    this.share.append(linkBox(`${location.origin}${location.pathname}`, { label: say("tournaments.address"), picture: say("tournaments.qr"), send: true }));
  }

  async look() {
    try {
      this.show(await get("/api/tournaments/{id}", { id }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404) return void this.state.replaceChildren(error.text);
    }
    setTimeout(() => this.look(), LOOK_EVERY);
  }

  /** @param {Tournament} found */
  show(found) {
    const now = JSON.stringify([found, this.wrong]);
    if (now === this.shown) return;
    this.shown = now;
    const { name, phase, rounds, length, room } = found;
    this.commitments = found.commitments;
    document.title = `${name} · ${say("shell.name")}`;
    this.title.textContent = name;
    this.about.textContent = line(titleOf(found), clockTitle(found.clock), say(`tournaments.system.${found.system}`), ...(found.duplicate ? [say("tournaments.same")] : []));
    const told = this.wrong
      ? say(`table.unfair.is.${this.wrong}`)
      : phase === "playing"
        ? say("tournaments.round", { n: rounds.length, of: length })
        : say(`tournaments.phase.${phase}`);
    if (this.state.textContent !== told) this.state.textContent = told;
    if (room && room !== this.room) announce(say("tournaments.your_game"));
    this.room = room ?? "";
    this.actions.replaceChildren(...this.ways(found));
    this.table.replaceChildren(standings(found));
    this.rounds.replaceChildren(...rounds.map((games, n) => roundPanel(found, games, n)).reverse());
    this.share.hidden = phase !== "open";
    if (found.opening) void this.open(found, found.opening);
  }

  /**
   * Our number for the deal of this round: when everybody's seal is in its name, ours among them.
   * @param {Tournament} found @param {NonNullable<Tournament["opening"]>} opening
   */
  async open(found, { deal, context, seals, ready: told, place }) {
    if (place === null || told[place] || this.told === deal) return;
    this.told = deal;
    const notes = new Notes(`board-${deal}`);
    let nonce = "";
    for (const one of notes.nonces(0)) if ((await sealOf(one)) === seals[place]) nonce = one;
    const { game, rules, options } = found;
    const commitment = found.commitments?.[found.rounds.length - 1] ?? "";
    this.wrong = await boardDiffers({ id: deal, commitment, context, seals, game, rules, options }, notes, place, nonce);
    if (this.wrong) return this.show(found);
    try {
      this.show(await post("/api/tournaments/{id}/ready", { nonce }, { id }));
    } catch (error) {
      this.told = this.shown = ""; // once more, when we look again
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    }
  }

  /** @param {Tournament} found */
  ways({ phase, mine, host, players, room, late_at: late, opening }) {
    const button = (/** @type {"join" | "leave" | "start"} */ what, look = "") =>
      h("button", { type: "button", class: look, dataset: { what }, onclick: () => this.ask(what) }, say(`tournaments.${what}`));
    const made = [];
    if (room) {
      made.push(h("a", { class: "button primary", href: `/room/${room}` }, say("tournaments.to_game")));
      made.push(h("span", { class: "note" }, late ? say("tournaments.late", { at: timeOf(late) }) : say("tournaments.dealt")));
    }
    if (opening && late) made.push(h("span", { class: "note" }, say("tournaments.opening", { at: timeOf(late) })));
    if (phase === "open" && mine === null) made.push(button("join", "primary"));
    if (phase === "open" && host && players.length > 1) made.push(button("start", "primary"));
    if (phase !== "over" && mine !== null && !players[mine].out) made.push(button("leave", "quiet"));
    return made;
  }

  /**
   * A number for the deal of each round, where all tables have the same one: drawn and noted once, beside what the
   * server has fixed; only their seals are told now.
   */
  async seals() {
    const drawn = (this.commitments ?? []).map((commitment, n) => {
      const notes = new Notes(`board-${id}-${n + 1}`);
      notes.note("commitment", commitment);
      const nonce = notes.nonces(0)[0] ?? toHex(crypto.getRandomValues(new Uint8Array(16)));
      notes.add(0, nonce);
      return nonce;
    });
    return Promise.all(drawn.map(sealOf));
  }

  /** @param {"join" | "leave" | "start"} what */
  async ask(what) {
    if (what !== "join" && !(await confirmed(say(`tournaments.${what}_sure`), say(`tournaments.${what}`)))) return;
    try {
      await ensureGuest();
      if (what !== "join") return this.show(await post(`/api/tournaments/{id}/${what}`, {}, { id }));
      this.show(await post("/api/tournaments/{id}/join", { seals: await this.seals() }, { id }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    }
  }
}

/** @param {Tournament} found */
function standings({ players, order, phase }) {
  const heads = ["place", "name", "points", "won", "games", "against"];
  const row = (/** @type {number} */ n, /** @type {number} */ place) => {
    const one = players[n];
    return h(
      "tr",
      { class: one.me ? "me" : "" },
      h("td", null, phase === "open" ? "–" : place + 1),
      h("th", { scope: "row" }, one.out ? say("tournaments.gone", { name: one.name }) : one.name),
      h("td", { class: "points" }, number(one.points)),
      h("td", { class: "won" }, one.won),
      h("td", null, one.games),
      h("td", { class: "against" }, number(one.against)),
    );
  };
  return h(
    "table",
    null,
    h("caption", null, say("tournaments.table")),
    h("thead", null, h("tr", null, heads.map((one) => h("th", { scope: "col", class: one }, say(`tournaments.column.${one}`))))),
    h("tbody", null, order.map(row)),
  );
}

/** @param {number} at */
function timeOf(at) {
  return new Date(at).toLocaleTimeString(lang, { hour: "numeric", minute: "2-digit" });
}

/** @param {number} n */
function number(n) {
  return n.toLocaleString(lang);
}

/** @param {Tournament} found @param {Pairing[]} games @param {number} n */
function roundPanel({ players, rounds, duplicate }, games, n) {
  const now = n === rounds.length - 1;
  const item = (/** @type {Pairing} */ game) => {
    const { first, second, room, score, void: nobody, why, phase } = game;
    const one = players[first].name;
    if (second === null) return h("li", null, h("span", { class: "who" }, one), h("span", { class: "note" }, why?.[lang] ?? ""));
    const result = score === null ? say(`tournaments.game.${phase === "playing" ? "playing" : "waiting"}`) : nobody ? "0 : 0" : `${number(score)} : ${number(1 - score)}`;
    // A deal that is played at other tables, too, is not to be seen.
    const open = duplicate ? "" : `/room/${room}`;
    const href = room && (score === null ? open : phase === "closed" || why?.en === undefined ? "" : `/replay/${room}`);
    return h(
      "li",
      null,
      h("span", { class: "who" }, `${one} — ${players[second].name}`),
      h("b", { class: "score" }, result),
      h("span", { class: "note" }, why?.[lang] ?? ""),
      href ? h("a", { href }, say(score === null ? "tournaments.watch" : "tournaments.replay")) : null,
    );
  };
  return h("details", { class: "panel round", open: now }, h("summary", null, say("tournaments.round_title", { n: n + 1 })), h("ul", null, games.map(item)));
}

if (id) await new TournamentPage().look();
else new NewForm();
