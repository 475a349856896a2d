// @ts-check
// What a room shows besides the table: invitation, joining, handing the device over, the end.
import { ApiError, ensureGuest, myName, post, takeName } from "./api.js";
import { CORE, decksAddress, setChip } from "./card-set.js";
import { gameNamed, titleOf } from "./catalog.js";
import { deckChoice } from "./deck-choice.js";
import { h } from "./dom.js";
import { inviteLink, invites, sharePanel } from "./share.js";
import { coyote, showError } from "./shell.js";
import { say, shownName } from "./words.js";

/** @typedef {import("./wire").Welcome} Welcome */
/** @typedef {import("./fair.js").Difference} Difference */

const MOST_SHOWN = 400; // letters of what a server says instead of what it should

/** @param {Record<string, number>} clock */
export function clockTitle(clock) {
  if (clock.days) return say("table.clock.days", { n: clock.days });
  if (!clock.minutes) return say("table.clock.none");
  if (!clock.increment) return say("table.clock.plain", { minutes: clock.minutes });
  return say("table.clock.minutes", { minutes: clock.minutes, increment: clock.increment });
}

/** @param {string} title @param {...import("./dom.js").Child} children */
function panel(title, ...children) {
  return h(
    "section",
    { class: "panel notice" },
    h("div", { class: "notice-head" }, coyote(), h("h1", null, title)),
    ...children,
  );
}

/** @param {Welcome} welcome */
function terms(welcome) {
  return h(
    "p",
    { class: "row" },
    h("span", { class: "chip" }, titleOf(welcome)),
    h("span", { class: "chip" }, clockTitle(welcome.clock)),
    welcome.rated ? h("span", { class: "chip" }, say("table.rated")) : null,
    setChip(welcome.set, welcome.room),
  );
}

export function noRoom() {
  return panel(
    say("table.none.title"),
    h("p", null, say("table.none.text")),
    h("a", { class: "button primary", href: "/" }, say("table.to_lobby")),
  );
}

export function closedRoom() {
  return panel(say("table.closed.title"), h("a", { class: "button primary", href: "/" }, say("table.to_lobby")));
}

/** The rules or the cards of this game cannot be followed here any more. */
/** @param {string} why */
export function endedRoom(why) {
  return panel(
    say("table.ended.title"),
    h("p", { class: "why" }, why),
    h("a", { class: "button primary", href: "/" }, say("table.to_lobby")),
  );
}

/**
 * Our number was not told, so nothing is dealt.
 * @param {Difference[]} differences
 * @param {(() => void) | null} close for the one whose room it is
 */
export function unfairDeal(differences, close) {
  return panel(
    say("table.unfair.title"),
    h("p", null, say("table.unfair.text")),
    h("ul", { class: "differences" }, differences.map(difference)),
    h(
      "p",
      { class: "row" },
      close ? h("button", { type: "button", class: "primary", onclick: close }, say("table.unfair.close")) : null,
      h("a", { class: `button ${close ? "" : "primary"}`, href: "/" }, say("table.to_lobby")),
    ),
  );
}

/** @param {Difference[]} differences @returns {(Node | string)[]} */
export function unfairLine(differences) {
  return [h("strong", null, say("table.unfair.dealt")), " ", ...differences.map(({ key }) => say(`table.unfair.is.${key}`))];
}

/** @param {Difference} one */
function difference({ key, wanted, found }) {
  const rows = /** @type {const} */ ([["wanted", wanted], ["found", found]]).filter(([, text]) => text);
  return h(
    "li",
    { dataset: { difference: key } },
    say(`table.unfair.is.${key}`),
    rows.map(([name, text]) => h("div", { class: "value" }, h("span", null, say(`table.unfair.${name}`)), h("code", null, text.slice(0, MOST_SHOWN)))),
  );
}

/**
 * The host waits for somebody.
 * @param {Welcome} welcome
 * @param {() => void} close
 */
export function waitingRoom(welcome, close) {
  const invite = invites.of(welcome.room);
  const link =
    welcome.opponent === "link" && invite
      ? inviteLink(welcome.room, invite)
      : `${location.origin}/room/${welcome.room}`;
  const text = say(welcome.opponent === "link" ? "table.invite.how" : "table.invite.open");
  return panel(
    say("table.invite.title"),
    h("p", null, text),
    terms(welcome),
    welcome.opponent === "link" && !invite ? null : sharePanel(link),
    h(
      "p",
      { class: "row waiting" },
      h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
      say("table.invite.waiting"),
    ),
    h("button", { type: "button", class: "quiet", onclick: close }, say("table.invite.close")),
  );
}

/**
 * Somebody who has no seat looks at a room that waits, without its link.
 * @param {Welcome} welcome
 */
export function waitingForOthers(welcome) {
  return panel(
    say("table.join.not_for_you"),
    terms(welcome),
    h("a", { class: "button primary", href: "/" }, say("table.to_lobby")),
  );
}

/**
 * A guest may sit down.
 * @param {{welcome: Welcome, host: string | null, invite: string, joined: () => void}} about
 */
export async function joinPanel({ welcome, host, invite, joined }) {
  const name = h("input", { type: "text", id: "join-name", value: myName(), maxlength: 40, autocomplete: "nickname" });
  const game = gameNamed(welcome.game);
  const deck = game?.needs_decks ? await joinDeck(welcome) : null;
  const button = h("button", { type: "submit", class: "primary" }, say("table.join.sit"));
  const form = h(
    "form",
    null,
    h("div", { class: "field" }, h("label", { for: "join-name" }, say("table.join.name")), name),
    deck?.element,
    h("div", { class: "row" }, button, deck ? buildLink(welcome, invite) : null),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await introduce(name.value.trim());
      await post("/api/rooms/{room}/join", { invite, deck: await deck?.value() }, { room: welcome.room });
      joined();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text, error.rule);
      button.disabled = false;
    }
  });
  const learn = game?.lesson
    ? h("p", { class: "note" }, h("a", { href: `/learn/${game.name}` }, say("table.join.learn")))
    : null;
  return panel(say("table.join.title", { name: shownName(host) }), terms(welcome), form, learn);
}

/**
 * A deck of the cards of this game; one that was just built for it comes with the address.
 * @param {Welcome} welcome
 */
function joinDeck({ set, options }) {
  const chosen = new URLSearchParams(location.search).get("deck") ?? "";
  const about = { label: say("table.join.deck"), id: "join-deck", chosen, options: () => options };
  return deckChoice(set ? { ...about, set } : about);
}

/** @param {Welcome} welcome @param {string} invite */
function buildLink({ set, options, room }, invite) {
  const href = decksAddress(set ?? CORE, { ...options, room, ...(invite ? { invite } : {}) });
  return h("a", { class: "button", href }, say("cards.set.build"));
}

/** @param {string} name */
async function introduce(name) {
  if (name && name !== (await ensureGuest())) await takeName(name);
}

/**
 * Two at one device: nobody sees the other's hand.
 * @param {string | null} name
 * @param {() => void} ready
 */
export function handOver(name, ready) {
  const button = h(
    "button",
    { type: "button", class: "primary", onclick: ready },
    say("table.pass.ready", { name: shownName(name) }),
  );
  queueMicrotask(() => button.focus({ preventScroll: true }));
  return h(
    "section",
    { class: "panel pass", "aria-label": say("table.pass.title", { name: shownName(name) }) },
    h("p", null, h("b", null, say("table.pass.title", { name: shownName(name) })), " ", say("table.pass.text")),
    button,
  );
}

/**
 * Both sit at the table, and the clock waits for them.
 * @param {{name: string, there: boolean, clock: Record<string, number>}} about
 * @param {() => void} go
 * @param {() => void} close
 */
export function readyCheck({ name, there, clock }, go, close) {
  const button = h("button", { type: "button", class: "primary big-ready", onclick: go }, say("table.ready.go"));
  queueMicrotask(() => button.focus());
  return panel(
    say("table.ready.title", { name }),
    h("p", null, say(there ? "table.ready.they_are" : "table.ready.text", { name })),
    h("p", { class: "row" }, h("span", { class: "chip" }, clockTitle(clock))),
    h("p", { class: "row" }, button, h("button", { type: "button", class: "quiet", onclick: close }, say("table.ready.close"))),
  );
}

/**
 * @param {string} text
 * @param {(() => void) | null} close for whoever does not want to wait any longer
 */
export function dealing(text, close) {
  return h(
    "div",
    { class: "dealing" },
    h("p", null, text),
    close ? h("button", { type: "button", onclick: close }, say("table.ready.close")) : null,
  );
}

/**
 * Somebody offers something.
 * @param {string} text
 * @param {(yes: boolean) => void} answer
 */
export function offerBar(text, answer) {
  return h(
    "section",
    { class: "panel offer", role: "alert" },
    h("p", null, text),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", onclick: () => answer(true) }, say("table.yes")),
      h("button", { type: "button", onclick: () => answer(false) }, say("table.no")),
    ),
  );
}
