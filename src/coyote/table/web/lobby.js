// @ts-check
// The first page: play at once, or choose; games that wait; one's own games.
import { ApiError, get, isGuest, myName, takeName } from "./api.js";
import { setMark } from "./card-set.js";
import { allGames, titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { GameForm } from "./lobby-form.js";
import { clockTitle } from "./room-panels.js";
import { announce, coyote, ready, showError, startPage } from "./shell.js";
import { lang, line, say, shownName } from "./words.js";

/** @typedef {import("./wire").Listed} Listed */

const LOOK_EVERY = 5_000;
const MOST_MINE = 12;
/** @type {Record<string, string>} games that nobody plays any more, and that have no end to be seen */
const LEFT = { closed: "lobby.closed", ended: "lobby.ended" };

await ready();
const { main } = startPage({ title: say("lobby.title") });
const waiting = h("div", { class: "games" });
const mine = h("div", { class: "games" });
const mineBox = h("section", { class: "panel", hidden: true }, h("h2", null, say("lobby.mine")), mine);

main.classList.add("lobby");
main.append(
  hero(),
  new GameForm().form,
  h(
    "div",
    { class: "beside" },
    nameBox(),
    mineBox,
    h("section", { class: "panel" }, h("h2", null, say("lobby.waiting")), waiting),
  ),
);
look();
setInterval(() => document.visibilityState === "visible" && look(), LOOK_EVERY);

function hero() {
  return h(
    "section",
    { class: "hero" },
    coyote(),
    h("div", null, h("h1", null, say("lobby.hello")), h("p", null, say("lobby.about"))),
    h(
      "div",
      { class: "first" },
      h("p", null, say("lobby.first")),
      h(
        "div",
        { class: "row" },
        allGames()
          .filter((game) => game.lesson)
          .map((game) =>
            h("a", { class: "button", href: `/learn/${game.name}` }, say("lobby.learn", { game: titleOf(game) })),
          ),
      ),
    ),
  );
}

/** One's name, to be changed at any time. */
function nameBox() {
  const input = h("input", { type: "text", id: "my-name", value: myName(), maxlength: 40, autocomplete: "nickname" });
  const button = h("button", { type: "submit", disabled: true }, say("lobby.rename"));
  input.addEventListener("input", () => (button.disabled = !input.value.trim() || input.value.trim() === myName()));
  const form = h(
    "form",
    { class: "panel name-box" },
    h("label", { for: "my-name" }, say("lobby.name")),
    h("div", { class: "row" }, input, button),
    h("p", { class: "note" }, h("a", { href: "/me" }, say("me.carry.title"))),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      input.value = await takeName(input.value.trim());
      button.disabled = true;
      announce(say("lobby.renamed", { name: input.value }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    }
  });
  return form;
}

async function look() {
  try {
    const [open, own] = await Promise.all([get("/api/waiting"), isGuest() ? get("/api/mine") : []]);
    const ownIds = new Set(own.map((game) => game.room));
    const others = open.filter((game) => !ownIds.has(game.room));
    list(waiting, others.map(waitingGame), say("lobby.nobody_waits"));
    mineBox.hidden = own.length === 0;
    list(mine, own.slice(0, MOST_MINE).map(ownGame), "");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // the server is away for a moment; the next look may find it
    if (error.status === 401) localStorage.removeItem("guest");
  }
}

/** @param {HTMLElement} box @param {HTMLElement[]} rows @param {string} none */
function list(box, rows, none) {
  // Not rebuilt without need: a link that has the focus shall keep it.
  const now = rows.map((row) => `${row.getAttribute("href")} ${row.textContent}`).join("\n");
  if (box.dataset.shown === now) return;
  box.dataset.shown = now;
  box.replaceChildren(...(rows.length ? rows : [h("p", { class: "note" }, none)]));
}

/** @param {Listed} game */
function waitingGame(game) {
  return row(game, shownName(game.names[0]), `/room/${game.room}`, say("lobby.sit"));
}

/** @param {Listed} game */
function ownGame(game) {
  const over = game.phase === "over";
  const href = over ? `/replay/${game.room}` : `/room/${game.room}`;
  const names = game.names.filter(Boolean).map(shownName).join(" — ");
  const action = over ? "lobby.replay" : (LEFT[game.phase] ?? "lobby.go_on");
  return row(game, names, href, say(action));
}

/** @param {Listed} game @param {string} who @param {string} href @param {string} action */
function row(game, who, href, action) {
  const made = new Date(game.made_at).toLocaleDateString(lang, { day: "numeric", month: "short" });
  return h(
    "a",
    { class: `game-row ${game.phase}`, href },
    h("span", { class: "who" }, who),
    h("span", { class: "what" }, line(titleOf(game), clockTitle(game.clock), made), " ", setMark(game.set)),
    h("span", { class: "chip" }, action),
  );
}
