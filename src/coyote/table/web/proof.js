// @ts-check
// Shows what `verify` found: a verdict, and every step with its values for whoever wants to compute it again.
import { copyText } from "./clipboard.js";
import { h } from "./dom.js";
import { announce } from "./shell.js";
import { refuted, unknown, verify } from "./verify.js";
import { say } from "./words.js";

/** @typedef {import("./verify.js").Check} Check */

/**
 * @param {string} room
 * @param {import("./wire").GameRecord} record
 * @returns {Promise<HTMLElement>}
 */
export async function proof(room, record) {
  const checks = await verify(record, notedFor(room));
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
    h("ol", { class: "checks" }, checks.map(step)),
    h("p", null, say("replay.proof.limits")),
    value("command", `coyote verify ${location.origin}/api/rooms/${room}/record`),
  );
}

/**
 * What the page of the room noted down before the deal, with its nonce, or at one device both, by party.
 * @param {string} room
 * @returns {import("./verify.js").Noted | null}
 */
function notedFor(room) {
  const kept = localStorage.getItem(`fair:${room}`);
  try {
    const { commitment, context, nonces = {} } = JSON.parse(kept ?? "{}");
    const given = Object.values(nonces).filter((one) => typeof one === "string" && one !== "");
    return typeof commitment === "string" ? { commitment, context: String(context), nonces: given } : null;
  } catch {
    return null; // somebody else wrote there
  }
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
