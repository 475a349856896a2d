// @ts-check
// Shows what `verify` found: a verdict, and every step with its values for whoever wants to compute it again.
import { setChip } from "./card-set.js";
import { copyText } from "./clipboard.js";
import { h } from "./dom.js";
import { Notes } from "./fair.js";
import { announce } from "./shell.js";
import { refuted, safety, unknown, verify } from "./verify.js";
import { say } from "./words.js";

/** @typedef {import("./verify.js").Check} Check */

/**
 * @param {string} room
 * @param {import("./wire").GameRecord} record
 * @param {import("./wire").Welcome["set"]} set
 * @returns {Promise<HTMLElement>}
 */
export async function proof(room, record, set) {
  const checks = await verify(record, record.board ? notedForBoard(record.board.id) : notedFor(room));
  const bad = refuted(checks);
  const open = !bad && unknown(checks);
  return h(
    "section",
    { class: `proof panel ${bad ? "bad" : open ? "open" : "good"}`, "aria-labelledby": "proof-title" },
    h("h2", { id: "proof-title" }, say("replay.proof.title")),
    h(
      "p",
      { class: "verdict" },
      tick(open ? null : !bad),
      h("strong", null, say(bad ? "replay.proof.bad" : open ? "replay.proof.open" : "replay.proof.good")),
    ),
    h("p", null, say("replay.proof.about")),
    bad || open ? null : whoCould(safety(record, checks), checks.some((check) => check.key === "alone")),
    set ? h("p", { class: "row" }, setChip(set, room)) : null,
    h("ol", { class: "checks" }, checks.map(step)),
    h("p", null, say("replay.proof.page")),
    h("p", null, say("replay.proof.limits")),
    value("command", `coyote verify ${location.origin}/api/rooms/${room}/record`),
  );
}

/**
 * What the page of the room noted down before the deal.
 * @param {string} room
 * @returns {import("./verify.js").Noted | null}
 */
function notedFor(room) {
  const notes = new Notes(room);
  const { commitment, context } = notes;
  const nonces = [0, 1].map((party) => notes.nonces(party)).filter((some) => some.length > 0);
  return commitment === null ? null : { commitment, context, nonces };
}

/**
 * What the page of a board or a tournament noted down; a number may have been drawn for another place first.
 * @param {string} id
 * @returns {import("./verify.js").Noted | null}
 */
function notedForBoard(id) {
  const notes = new Notes(`board-${id}`);
  const { commitment, context } = notes;
  const drawn = [0, 1, 2, 3].flatMap((place) => notes.nonces(place));
  return commitment === null ? null : { commitment, context, nonces: drawn.length ? [drawn] : [] };
}

/**
 * Who could have chosen the cards.
 * @param {import("./verify.js").Safe} safe
 * @param {boolean} alone whether only one number counts
 */
function whoCould(safe, alone) {
  const answer = (/** @type {"player" | "server" | "both"} */ who) =>
    !safe[who] ? "open" : who === "both" && alone ? "alone" : "no";
  const rows = /** @type {const} */ (["player", "server", "both"]).map((who) =>
    h(
      "li",
      { dataset: { who, safe: safe[who] ? "yes" : "no" } },
      tick(safe[who] ? true : null),
      h("span", null, say(`replay.proof.could.${who}.${answer(who)}`)),
    ),
  );
  return h("div", { class: "could" }, h("h3", null, say("replay.proof.could.title")), h("ul", null, rows));
}

/** @param {Check} check */
function step(check) {
  return h(
    "li",
    { class: check.ok === null ? "none" : check.ok ? "yes" : "no", dataset: { check: check.key } },
    tick(check.ok),
    h(
      "div",
      null,
      h("h3", null, say(`replay.proof.step.${check.key}`)),
      h("p", null, say(`replay.proof.why.${check.key}`)),
      check.values.length
        ? h(
            "details",
            null,
            h("summary", null, say("replay.proof.more")),
            check.values.map(([name, one]) => value(name, one)),
          )
        : null,
    ),
  );
}

/** @param {boolean | null} ok */
function tick(ok) {
  const [sign, word] = ok === null ? ["–", "none"] : ok ? ["✓", "yes"] : ["✗", "no"];
  return h("span", { class: `tick ${word}`, role: "img", "aria-label": say(`replay.proof.${word}`) }, sign);
}

/** @param {string} name @param {string} text */
function value(name, text) {
  const label = say(`replay.proof.value.${name}`);
  return h(
    "div",
    { class: "value" },
    h("span", { class: "label" }, label),
    text ? h("code", null, text) : h("span", { class: "note" }, say("replay.proof.empty")),
    text
      ? h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": `${say("replay.proof.copy")}: ${label}`,
            onclick: () => copy(text),
          },
          say("replay.proof.copy"),
        )
      : null,
  );
}

/** @param {string} text */
async function copy(text) {
  if (await copyText(text)) announce(say("replay.proof.copied"));
}
