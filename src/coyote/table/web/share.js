// @ts-check
// A link for a friend: to copy, to send, to photograph.
import { get } from "./api.js";
import { copyText } from "./clipboard.js";
import { h } from "./dom.js";
import { qrCode } from "./qr.js";
import { announce } from "./shell.js";
import { say } from "./words.js";

const COMMAND = "coyote table --host 0.0.0.0";
const ONLY_HERE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @typedef {{origin: string, told: HTMLElement[]}} Outside where other devices find this table, and what is to be said of it */

/** @type {Promise<Outside> | null} */
let looking = null;

/** A page that was opened at the machine itself has an address that is of use nowhere else. */
export function outside() {
  looking ??= ONLY_HERE.test(location.hostname) ? askAddress() : Promise.resolve({ origin: location.origin, told: [] });
  return looking;
}

/** @returns {Promise<Outside>} */
async function askAddress() {
  const found = await get("/api/address").catch(() => null);
  const [address] = (found?.addresses ?? []).map((one) => new URL(one).origin);
  if (address && !found?.only_here) return { origin: address, told: [note("reach", say("share.other_devices", { address }))] };
  const how = [h("p", null, say("share.mend")), h("p", null, h("code", null, COMMAND))];
  const then = address ? h("p", null, say("share.then", { address })) : null;
  const told = note("reach only-here", h("b", null, say("share.only_here")), ...(found?.only_here ? [...how, then] : []));
  return { origin: location.origin, told: [told] };
}

/** @param {string} look @param {...import("./dom.js").Child} said */
function note(look, ...said) {
  return h("div", { class: look }, ...said);
}

/** @param {string} room @param {string} invite */
export function inviteLink(room, invite) {
  return `${location.origin}/room/${room}?invite=${encodeURIComponent(invite)}`;
}

/** The invitation of a room that this browser made: the server tells it only once. */
export const invites = {
  /** @param {string} room @param {string} invite */
  keep(room, invite) {
    localStorage.setItem(`invite:${room}`, invite);
  },
  /** @param {string} room */
  of(room) {
    return localStorage.getItem(`invite:${room}`);
  },
  /** @param {string} room */
  forget(room) {
    localStorage.removeItem(`invite:${room}`);
  },
};

/** @param {string} link */
export function sharePanel(link) {
  return linkBox(link, { label: say("table.invite.link"), picture: say("table.invite.qr"), send: true });
}

/**
 * A link for another device: to photograph, to copy, and where that makes sense to send.
 * @param {string} link
 * @param {{label: string, picture: string, send?: boolean}} about
 */
export function linkBox(link, about) {
  const box = h("div", { class: "share" }, ...linkParts(link, about));
  outside().then(({ origin, told }) => {
    if (origin !== location.origin) box.replaceChildren(...linkParts(link.replace(location.origin, origin), about));
    box.append(...told.map((one) => one.cloneNode(true)));
  });
  return box;
}

/**
 * @param {string} link
 * @param {{label: string, picture: string, send?: boolean}} about
 */
function linkParts(link, { label, picture, send = false }) {
  const shown = h("input", {
    type: "text",
    readonly: true,
    value: link,
    id: "invite-link",
    onfocus: () => shown.select(),
  });
  return [
    h("div", { class: "code" }, qrCode(link, picture)),
    h(
      "div",
      { class: "ways" },
      h("div", { class: "field" }, h("label", { for: "invite-link" }, label), shown),
      h("div", { class: "row" }, copyButton(link), send ? sendButton(link) : null),
    ),
  ];
}

/** @param {string} link */
function copyButton(link) {
  const button = h("button", { type: "button", class: "primary copy" }, say("table.invite.copy"));
  button.addEventListener("click", async () => {
    const told = say((await copyText(link)) ? "table.invite.copied" : "table.invite.by_hand");
    button.textContent = told;
    announce(told);
    setTimeout(() => (button.textContent = say("table.invite.copy")), 2500);
  });
  return button;
}

/** @param {string} link */
function sendButton(link) {
  if (!navigator.share) return null;
  const send = () =>
    navigator.share({ title: say("shell.name"), text: say("table.invite.text"), url: link }).catch(() => {});
  return h("button", { type: "button", onclick: send }, say("table.invite.send"));
}
