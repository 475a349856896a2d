// @ts-check
// A finished game gone on with otherwise, at the same table, against a bot. Nothing of it is kept.
import { post } from "./api.js";
import { h } from "./dom.js";
import { announce, ruleLink, showError } from "./shell.js";
import { LEVELS, lang, say, shownName } from "./words.js";

/** @typedef {NonNullable<import("./wire").Try["bot"]>} Level */

// Those that think by number: the same moves get the same answers.
const BY_NUMBER = /** @type {Level[]} */ (LEVELS.slice(0, -1));

/**
 * @param {object} about
 * @param {string} about.room
 * @param {import("./types").GameTable} about.board
 * @param {HTMLElement} about.words where it is told what happens
 * @param {() => void} about.back to the game as it was
 */
export function tryOut({ room, board, words, back }) {
  /** @type {{at: number, seat: number, bot: Level, seed: string, moves: string[]} | null} */
  let now = null;
  /** @type {Level} */
  let bot = "level:5";

  board.addEventListener("move", (event) => {
    if (now) void go([...now.moves, /** @type {CustomEvent<string>} */ (event).detail]);
  });

  /** @param {number} at @param {number} seat */
  function begin(at, seat) {
    now = { at, seat, bot, seed: String(Math.random()).slice(2, 18), moves: [] };
    void go([]);
  }

  /** @param {string[]} moves */
  async function go(moves) {
    if (!now) return;
    const asked = { ...now, moves };
    board.busy = true;
    try {
      const told = await post("/api/rooms/{room}/try", asked, { room, lang });
      now = asked;
      const { view, legal, events, names, story, result } = told;
      board.skip();
      board.pace = 1;
      words.replaceChildren(
        h("p", { class: "an-trying" }, say("replay.try.now", { name: names[asked.seat], bot: names[1 - asked.seat] })),
        ...story.map((one) => h("p", null, one.text, one.rule ? [" ", ruleLink(one.rule)] : null)),
        ...(result ? [h("p", { class: "rp-ended" }, say("replay.try.over"))] : []),
        tools(),
      );
      if (!moves.length) words.scrollIntoView({ block: "nearest" });
      announce(story.map((one) => one.text).join(" "));
      void board.show({ view, legal, events: moves.length ? events : [], seat: asked.seat, names, open: null });
    } catch (error) {
      board.refused();
      showError(error instanceof Error ? error.message : String(error));
    }
    board.busy = false;
  }

  function tools() {
    const level = h(
      "select",
      { "aria-label": say("replay.try.level"), onchange: () => again(BY_NUMBER[level.selectedIndex]) },
      BY_NUMBER.map((one) => h("option", { value: one, selected: one === bot }, shownName(one))),
    );
    return h(
      "div",
      { class: "row an-tools" },
      level,
      h("button", { type: "button", onclick: () => again(bot) }, say("replay.try.again")),
      h("button", { type: "button", class: "primary", onclick: leave }, say("replay.try.back")),
    );
  }

  /** @param {Level} wanted */
  function again(wanted) {
    bot = wanted;
    if (now) begin(now.at, now.seat);
  }

  function leave() {
    now = null;
    back();
  }

  return { begin, stop: () => (now = null) };
}
