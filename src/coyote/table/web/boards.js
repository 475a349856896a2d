// @ts-check
// `/boards`: one deal at two tables, by two teams. `/boards/ID`: the places, the deal, and what came of it.
import { ApiError, ensureGuest, get, post } from "./api.js";
import { allKinds, nameOf, titleOf } from "./catalog.js";
import { h, remember } from "./dom.js";
import { Notes, boardDiffers, sealOf } from "./fair.js";
import { HouseRules } from "./house-rules.js";
import { parText } from "./rating.js";
import { clockTitle } from "./room-panels.js";
import { toHex } from "./sha256.js";
import { linkBox } from "./share.js";
import { announce, ready, showError, startPage } from "./shell.js";
import { LEVELS, lang, line, say, shownName } from "./words.js";

/** @typedef {import("./wire").BoardShown} Board */
/** @typedef {import("./wire").NewBoardRoom} NewBoard */

const LOOK_EVERY = 1500; // milliseconds
const PAR_EVERY = 3000;
/** @type {Record<string, number[]>} the places of the computer */
const PEOPLE = { four: [], two: [2, 3], one: [1, 2, 3] };
const CLOCKS = ["none", "5", "10", "20"]; // minutes

await ready();
const { main } = startPage({ title: say("boards.title") });
main.classList.add("boards");
const id = location.pathname.split("/")[2] ?? "";

// ---------------------------------------------------------------- a new one

class NewForm {
  constructor() {
    const kinds = allKinds();
    this.house = new HouseRules(false);
    this.kind = choice("kind", kinds.map(({ id: value, game, edition }) => [value, line(titleOf(game), ...(edition ? [titleOf(edition)] : []))]), () => this.showHouse());
    this.people = choice("people", Object.keys(PEOPLE).map((one) => [one, say(`boards.people.${one}`)]), () => this.adapt());
    this.level = choice("level", LEVELS.map((one) => [one, shownName(one)]));
    this.clock = choice("clock", CLOCKS.map((one) => [one, one === "none" ? say("table.clock.none") : say("boards.minutes", { n: Number(one) })]));
    this.level.select.value = "level:5";
    this.button = h("button", { class: "primary big" }, say("boards.make"));
    this.form = h(
      "form",
      { class: "panel", onsubmit: (/** @type {Event} */ event) => this.make(event) },
      h("div", { class: "two" }, this.kind.element, this.people.element, this.level.element, this.clock.element),
      this.house.element,
      this.button,
    );
    this.showHouse();
    this.adapt();
    main.append(h("h1", null, say("boards.title")), h("p", { class: "note" }, say("boards.lead")), this.form);
  }

  get chosen() {
    return allKinds().find(({ id: one }) => one === this.kind.select.value) ?? allKinds()[0];
  }

  showHouse() {
    this.house.show(this.chosen, {});
  }

  adapt() {
    this.level.element.hidden = this.people.select.value === "four";
  }

  /** @param {Event} event */
  async make(event) {
    event.preventDefault();
    const { game, edition } = this.chosen;
    const minutes = Number(this.clock.select.value) || 0;
    /** @type {NewBoard} */
    const wanted = {
      game: nameOf(game),
      options: { ...(edition ? { edition: edition.name } : {}), ...this.house.values() },
      bots: PEOPLE[this.people.select.value],
      bot: /** @type {NewBoard["bot"]} */ (this.level.select.value),
      clock: minutes ? { minutes, increment: 5 } : {},
    };
    this.button.disabled = true;
    try {
      await ensureGuest();
      const made = await post("/api/boards", wanted);
      new Notes(`board-${made.board}`).note("commitment", made.commitment);
      location.assign(`/boards/${made.board}`);
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
  const select = h("select", { id: `boards-${name}`, onchange: changed ?? null }, values.map(([value, text]) => h("option", { value }, text)));
  return { select, element: h("div", { class: "field" }, h("label", { for: select.id }, say(`boards.label.${name}`)), select) };
}

// ---------------------------------------------------------------- one of them

class BoardPage {
  constructor() {
    this.notes = new Notes(`board-${id}`);
    this.places = h("div", { class: "teams" });
    this.state = h("p", { class: "state", role: "status" });
    this.actions = h("div", { class: "row" });
    this.result = h("div", { class: "result" });
    this.share = h("section", { class: "panel", hidden: true }, h("h2", null, say("boards.send")));
    /** @type {Awaited<ReturnType<typeof boardDiffers>>} with the deal, so that our number is not told */
    this.wrong = "";
    this.shown = "";
    this.busy = false;
    main.append(h("h1", null, say("boards.title")), this.state, h("section", { class: "panel" }, this.places, this.actions), this.result, this.share);
    this.share.append(linkBox(`${location.origin}${location.pathname}`, { label: say("boards.address"), picture: say("boards.qr"), send: true }));
  }

  async look() {
    try {
      await this.take(await get("/api/boards/{id}", { id }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404) return void this.state.replaceChildren(error.text);
    }
    setTimeout(() => this.look(), LOOK_EVERY);
  }

  /** @param {Board} board */
  async take(board) {
    this.show(board);
    if (board.mine === null || this.busy) return;
    this.busy = true;
    try {
      await this.takePart(board, board.mine);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    } finally {
      this.busy = false;
    }
  }

  /**
   * Our seal first; our number when everybody's seal is in the name of the deal, ours among them.
   * @param {Board} board @param {number} mine
   */
  async takePart(board, mine) {
    const place = board.places[mine];
    const drawn = this.notes.nonces(mine);
    if (!place.sealed && (board.phase === "gathering" || board.phase === "sealing")) {
      // One that was told is of no use any more: somebody has left, and all begins anew.
      const kept = drawn.find((one) => !localStorage.getItem(`board:${id}:told:${one}`));
      const nonce = kept ?? toHex(crypto.getRandomValues(new Uint8Array(16)));
      if (!kept) this.notes.add(mine, nonce);
      return void (await post("/api/boards/{id}/seal", { seal: await sealOf(nonce) }, { id }));
    }
    if (board.phase !== "opening" || place.ready || !board.context || !board.seals) return;
    let nonce = "";
    for (const one of drawn) if ((await sealOf(one)) === board.seals[mine]) nonce = one;
    this.wrong = await boardDiffers({ ...board, context: board.context, seals: board.seals }, this.notes, mine, nonce);
    if (!this.wrong) {
      remember(`board:${id}:told:${nonce}`, "yes");
      await post("/api/boards/{id}/ready", { nonce }, { id });
    }
    this.show(board);
  }

  /** @param {Board} board */
  show(board) {
    const now = JSON.stringify([board, this.wrong]);
    if (now === this.shown) return;
    this.shown = now;
    const { phase, mine } = board;
    const told = this.wrong ? say(`table.unfair.is.${this.wrong}`) : say(`boards.phase.${phase}`);
    if (this.state.textContent !== told) announce(told);
    this.state.replaceChildren(line(titleOf(board), clockTitle(board.clock)), h("br"), h("b", null, told));
    this.places.replaceChildren(this.team(board, 0), this.team(board, 1));
    this.share.hidden = phase !== "gathering";
    const room = mine === null ? null : board.tables[Math.floor(mine / 2)]?.room;
    this.actions.replaceChildren(
      ...(phase === "playing" && room ? [h("a", { class: "button primary", href: `/room/${room}` }, say("boards.to_table"))] : []),
      ...(mine !== null && !["playing", "over"].includes(phase) ? [h("button", { type: "button", class: "quiet", onclick: () => this.ask("leave") }, say("boards.leave"))] : []),
    );
    if (phase === "playing" && room && !sessionStorage.getItem(`board:${id}`)) {
      sessionStorage.setItem(`board:${id}`, "gone"); // to the table, once: whoever comes back wants to be here
      location.assign(`/room/${room}`);
    }
    if (phase === "over") this.tell(board);
  }

  /** @param {Board} board @param {number} team */
  team({ places, mine, phase }, team) {
    const rows = places.flatMap((place, n) => (place.place.startsWith("ab"[team]) ? [{ ...place, n }] : []));
    const row = (/** @type {(typeof rows)[number]} */ { n, place, name, sealed, ready: told }) => {
      const free = name === null && mine === null && phase === "gathering";
      const take = h("button", { type: "button", class: "primary", onclick: () => this.ask("join", n) }, say("boards.take"));
      const mark = phase === "sealing" || phase === "opening" ? (told ? "✓" : sealed ? "…" : "") : "";
      return h(
        "li",
        { class: mine === n ? "me" : "" },
        h("span", { class: "where" }, say(`boards.place.${place}`)),
        name === null ? (free ? take : h("span", { class: "note" }, say("boards.free"))) : h("b", null, shownName(name)),
        mark ? h("span", { "aria-hidden": "true" }, mark) : null,
      );
    };
    return h("section", { class: `team team-${team}` }, h("h2", null, say(`boards.team.${team}`)), h("ul", null, rows.map(row)));
  }

  /** @param {"join" | "leave"} what @param {number} [place] */
  async ask(what, place) {
    try {
      await ensureGuest();
      const told = what === "join" ? await post("/api/boards/{id}/join", { place }, { id }) : await post("/api/boards/{id}/leave", {}, { id });
      await this.take(told);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    }
  }

  /** @param {Board} board */
  tell({ tables, places, points, margins }) {
    const name = (/** @type {number} */ n) => shownName(places[n].name);
    const rows = tables.map(({ room, result, why, margin }, table) => {
      const winner = result?.winner ?? null;
      const who = winner === null ? say("boards.drawn") : say("boards.won", { name: name(2 * table + winner) });
      return h(
        "li",
        null,
        h("span", { class: "who" }, `${name(2 * table)} — ${name(2 * table + 1)}`),
        h("b", null, who),
        h("span", { class: "note" }, line(why?.[lang] ?? "", say("boards.margin", { margin: signed(margin ?? 0) }))),
        room ? h("a", { href: `/replay/${room}` }, say("boards.replay")) : null,
      );
    });
    const [a] = points ?? [0];
    const [more] = margins ?? [0];
    const ahead = a || more;
    const headline = ahead ? say("boards.team_wins", { team: say(`boards.team.${ahead > 0 ? 0 : 1}`) }) : say("boards.nobody_wins");
    const par = h("p", { class: "note par" });
    this.result.replaceChildren(
      h(
        "section",
        { class: "panel" },
        h("h2", null, headline),
        h("p", null, say("boards.sum", { points: signed(a), margin: signed(more) })),
        h("ul", { class: "both" }, rows),
        par,
      ),
    );
    if (tables[0].room) tellPar(tables[0].room, par);
  }
}

/** @param {number} n */
function signed(n) {
  return n.toLocaleString(lang, { signDisplay: "exceptZero" }).replace("-", "−");
}

/** @param {string} room @param {HTMLElement} told */
async function tellPar(room, told) {
  const found = await get("/api/rooms/{room}/par", { room }).catch(() => null);
  if (!found) return;
  told.textContent = parText(found);
  if (found.games < found.of) setTimeout(() => tellPar(room, told), PAR_EVERY);
}

if (id) await new BoardPage().look();
else new NewForm();
