// @ts-check
// `/ladder`: who stands where, by game, edition and clock. `/ladder/PLAYER`: the curves of one of them.
import { ApiError, get, isGuest, myName, takeName } from "./api.js";
import { allKinds, titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { drawCurve, poolTitle, ratingText } from "./rating.js";
import { announce, ready, showError, startPage } from "./shell.js";
import { line, say, shownName } from "./words.js";

/** @typedef {import("./wire").Ladder} Ladder */
/** @typedef {import("./wire").PlayerShown} Player */
/** @typedef {Pick<Ladder["players"][number], "rating" | "deviation" | "provisional" | "games" | "skill">} Rated */

/** @type {import("./wire").PoolShown["clock"][]} */
const CLOCKS = ["quick", "slow", "days", "free"];

await ready();
const { main } = startPage({ title: say("ladder.title") });
main.classList.add("ladder");
const player = location.pathname.split("/")[2] ?? "";

// ---------------------------------------------------------------- all of them

class LadderPage {
  constructor() {
    const asked = new URLSearchParams(location.search);
    const kinds = allKinds();
    const wanted = kinds.find(({ game, edition }) => game.name === asked.get("game") && (edition?.name ?? "") === (asked.get("edition") ?? ""));
    this.kind = select("kind", kinds.map(({ id, game, edition }) => [id, line(titleOf(game), ...(edition ? [titleOf(edition)] : []))]), () => this.show());
    this.clock = select("clock", CLOCKS.map((one) => [one, say(`ladder.clock.${one}`)]), () => this.show());
    this.kind.select.value = (wanted ?? kinds[0]).id;
    this.clock.select.value = CLOCKS.find((one) => one === asked.get("clock")) ?? "slow";
    this.named = wanted !== undefined;
    this.list = h("div", { class: "standings" });
    this.mine = h("div", { class: "mine" });
    this.shown = 0;
    main.append(
      h("h1", null, say("ladder.title")),
      h("p", { class: "note" }, say("ladder.lead")),
      h("section", { class: "panel" }, h("div", { class: "filters" }, this.kind.element, this.clock.element), this.list),
      this.mine,
      h("p", { class: "row" }, h("a", { class: "button primary", href: "/?rated=rated" }, say("ladder.play"))),
    );
  }

  /** Where the address names nothing, begin where most have played. */
  async begin() {
    if (!this.named) {
      const pools = await get("/api/ladder/pools").catch(() => []);
      const most = pools.sort((one, other) => other.players - one.players)[0];
      if (most) {
        this.kind.select.value = most.edition ? `${most.game}/${most.edition}` : most.game;
        this.clock.select.value = most.clock;
      }
    }
    await Promise.all([this.show(), this.showMine()]);
  }

  async show() {
    const asked = (this.shown += 1);
    const [game, edition = ""] = this.kind.select.value.split("/");
    const clock = CLOCKS.find((one) => one === this.clock.select.value) ?? "slow";
    history.replaceState(null, "", `/ladder?${new URLSearchParams({ game, edition, clock })}`);
    const found = await get("/api/ladder", { game, edition, clock });
    if (asked === this.shown) this.list.replaceChildren(...standings(found));
  }

  async showMine() {
    if (!isGuest()) return;
    const me = await get("/api/me/ratings").catch(() => null);
    if (!me?.curves.length) return;
    const list = h(
      "button",
      {
        type: "button",
        onclick: async () => {
          await takeName(myName());
          announce(say("ladder.listed"));
          await Promise.all([this.show(), this.showMine()]);
        },
      },
      say("ladder.list_me", { name: me.name }),
    );
    this.mine.replaceChildren(
      h(
        "section",
        { class: "panel" },
        h("h2", null, say("ladder.yours")),
        h("ul", { class: "own" }, me.curves.map((curve) => h("li", null, h("b", null, ratingText(curve)), " ", poolTitle(curve.pool)))),
        h(
          "p",
          { class: "row" },
          h("a", { class: "button", href: `/ladder/${me.player}` }, say("ladder.curves")),
          me.listed ? null : list,
        ),
        me.listed ? null : h("p", { class: "note" }, say("ladder.not_listed")),
      ),
    );
  }
}

/** @param {Ladder} found */
function standings({ players, bots, edge }) {
  const place = new Map(players.filter((one) => !one.provisional).map((one, n) => [one.player, n + 1]));
  const rows = players.map((one) => ({
    ...one,
    place: place.get(one.player) ?? null,
    who: h("a", { href: `/ladder/${one.player}` }, one.name),
  }));
  const levels = bots.map((one) => ({ ...one, me: false, place: null, who: h("span", null, shownName(one.bot)) }));
  return [
    rows.length ? table(say("ladder.people"), rows) : h("p", { class: "note" }, say("ladder.nobody")),
    levels.length ? table(say("ladder.bots"), levels) : null,
    [...rows, ...levels].some(({ skill }) => skill) ? h("p", { class: "note" }, say("ladder.about_skill")) : null,
    edge ? h("p", { class: "note" }, say("ladder.edge", { points: edge })) : null,
  ].flatMap((one) => one ?? []);
}

/**
 * @param {string} title
 * @param {(Rated & {who: HTMLElement, place: number | null, me: boolean})[]} rows
 */
function table(title, rows) {
  const heads = ["place", "name", "rating", "deviation", "skill", "games"];
  return h(
    "table",
    null,
    h("caption", null, title),
    h("thead", null, h("tr", null, heads.map((one) => h("th", { scope: "col", class: one }, say(`ladder.column.${one}`))))),
    h(
      "tbody",
      null,
      rows.map((row) =>
        h(
          "tr",
          { class: row.me ? "me" : "" },
          h("td", { class: "place" }, row.place ?? "–"),
          h("th", { scope: "row", class: "name" }, row.who),
          h("td", { class: "rating" }, ratingText(row)),
          h("td", { class: "deviation" }, `± ${row.deviation}`),
          h("td", { class: "skill" }, row.skill ? ratingText(row.skill) : "–"),
          h("td", { class: "games" }, row.games),
        ),
      ),
    ),
  );
}

/**
 * @param {string} name
 * @param {string[][]} choices value and words
 * @param {() => void} changed
 */
function select(name, choices, changed) {
  const made = h(
    "select",
    { id: `ladder-${name}`, onchange: changed },
    choices.map(([value, text]) => h("option", { value }, text)),
  );
  const element = h("div", { class: "field" }, h("label", { for: made.id }, say(`ladder.filter.${name}`)), made);
  return { element, select: made };
}

// ---------------------------------------------------------------- one of them

/** @param {Player} found */
function showPlayer({ name, curves, me, listed }) {
  document.title = `${name} · ${say("shell.name")}`;
  main.append(
    h("h1", null, name),
    me && !listed ? h("p", { class: "note" }, say("ladder.not_listed")) : "",
    ...curves.map((curve) =>
      h(
        "section",
        { class: "panel" },
        h("h2", null, poolTitle(curve.pool)),
        h("p", null, h("b", { class: "big" }, ratingText(curve)), " ", say("ladder.sure", { deviation: curve.deviation, n: curve.games })),
        curve.skill ? skillLine(curve.skill) : "",
        drawCurve(curve),
      ),
    ),
    curves.length ? "" : h("p", { class: "panel" }, say("ladder.no_games")),
    h("p", { class: "row" }, h("a", { class: "button", href: "/ladder" }, say("ladder.all"))),
  );
}

/** @param {NonNullable<Rated["skill"]>} skill */
function skillLine(skill) {
  return h(
    "p",
    { class: "skill" },
    h("b", null, say("ladder.skill", { skill: ratingText(skill) })),
    " ",
    say("ladder.sure", { deviation: skill.deviation, n: skill.games }),
    h("span", { class: "note" }, say("ladder.about_skill")),
  );
}

try {
  if (player) showPlayer(await get("/api/players/{player}", { player }));
  else await new LadderPage().begin();
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  if (!player) showError(error.text);
  else
    main.append(
      h("h1", null, say("ladder.title")),
      h("p", { class: "panel" }, error.text),
      h("p", null, h("a", { class: "button primary", href: "/ladder" }, say("ladder.all"))),
    );
}
