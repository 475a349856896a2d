// @ts-check
// `/me`: your name on another device, your bots, what is kept of you. `/take#CODE`: a name from another device.
import { ApiError, beGuest, forgetMe, get, isGuest, post, remove } from "./api.js";
import { h } from "./dom.js";
import { linkBox } from "./share.js";
import { announce, confirmed, ready, showError, startPage } from "./shell.js";
import { lang, say } from "./words.js";

/** @typedef {import("./wire").Gets["/api/tokens"]["answer"][number]} Bot */

await ready();
const taking = location.pathname === "/take";
const { main } = startPage({ title: say(taking ? "me.take.title" : "me.title") });
main.classList.add("me");
main.append(...(taking ? takePage() : await ownPage()));

// ---------------------------------------------------------------- who one is here

async function ownPage() {
  const name = await whoAmI();
  const title = h("h1", null, say("me.title"));
  if (name === null) return [title, panel(null, h("p", null, say("me.nobody")), takeLink())];
  return [
    title,
    h("p", { class: "note" }, h("b", null, say("me.name", { name })), " ", say("me.lead")),
    carryPanel(),
    botsPanel(await get("/api/tokens")),
    dataPanel(name),
  ];
}

/** @returns {Promise<string | null>} */
async function whoAmI() {
  if (!isGuest()) return null;
  try {
    return (await get("/api/me")).name;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** @param {string | null} title @param {...(import("./dom.js").Child | import("./dom.js").Child[])} children */
function panel(title, ...children) {
  return h("section", { class: "panel" }, title ? h("h2", null, title) : null, ...children);
}

function takeLink() {
  return h("p", null, h("a", { href: "/take" }, say("me.carry.here")));
}

/**
 * A button that does something with the server, and tells why it could not.
 * @param {string} text @param {string} look @param {() => Promise<void>} act
 */
function action(text, look, act) {
  const button = h("button", { type: "button", class: look }, text);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    } finally {
      button.disabled = false;
    }
  });
  return button;
}

// ---------------------------------------------------------------- to another device

function carryPanel() {
  const shown = h("div", { class: "carried", role: "status" });
  const make = action(say("me.carry.make"), "primary", async () => {
    const { code, until } = await post("/api/me/codes", {});
    shown.replaceChildren(...codeShown(code, until));
    make.textContent = say("me.carry.again");
  });
  return panel(
    say("me.carry.title"),
    h("p", null, say("me.carry.text", { place: `${location.host}/take` })),
    shown,
    make,
    takeLink(),
  );
}

/** @param {string} code @param {number} until in milliseconds since 1970 */
function codeShown(code, until) {
  const left = h("p", { class: "left" });
  const parts = [
    h("p", { class: "code-line" }, h("span", { class: "note" }, say("me.carry.code")), " ", h("code", null, code)),
    linkBox(`${location.origin}/take#${code}`, { label: say("me.carry.link"), picture: say("me.carry.qr") }),
    left,
  ];
  const tick = () => {
    const seconds = Math.max(0, Math.floor((until - Date.now()) / 1000));
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    left.textContent = seconds ? say("me.carry.left", { time }) : say("me.carry.over");
    if (!seconds) for (const part of parts) part.hidden = part !== left;
    if (seconds && left.isConnected) setTimeout(tick, 1000);
  };
  queueMicrotask(tick);
  return parts;
}

// ---------------------------------------------------------------- bots

/** @param {Bot[]} bots */
function botsPanel(bots) {
  const none = h("p", { class: "note", hidden: bots.length > 0 }, say("me.bots.none"));
  const list = h("ul", { class: "bots" });
  list.append(...bots.map((bot) => botRow(bot, () => (none.hidden = list.childElementCount > 0))));
  return panel(say("me.bots.title"), none, list);
}

/** @param {Bot} bot @param {() => void} gone */
function botRow({ id, name, made_at }, gone) {
  const date = new Date(made_at).toLocaleDateString(lang, { day: "numeric", month: "long", year: "numeric" });
  const row = h(
    "li",
    null,
    h("b", null, name),
    h("span", { class: "note" }, say("me.bots.made", { date })),
    action(say("me.bots.revoke"), "", async () => {
      if (!(await confirmed(say("me.bots.sure", { name }), say("me.bots.revoke")))) return;
      await remove("/api/tokens/{id}", { id });
      row.remove();
      gone();
    }),
  );
  return row;
}

// ---------------------------------------------------------------- what is kept

/** @param {string} name */
function dataPanel(name) {
  const signOut = action(say("me.data.everywhere"), "", async () => {
    if (!(await confirmed(say("me.data.everywhere_sure"), say("me.data.everywhere")))) return;
    await post("/api/me/sign-out-everywhere", {});
    signOut.after(h("p", { class: "done", role: "status" }, say("me.data.everywhere_done")));
  });
  const deletion = action(say("me.data.delete"), "danger", async () => {
    if (!(await confirmed(say("me.data.delete_sure", { name }), say("me.data.delete")))) return;
    await remove("/api/me");
    forgetMe();
    main.replaceChildren(h("h1", null, say("me.title")), panel(null, h("p", null, say("me.data.deleted"))));
    announce(say("me.data.deleted"));
  });
  return panel(
    say("me.data.title"),
    h("p", null, h("a", { class: "button", href: "/api/me/export", download: "" }, say("me.data.export"))),
    h("p", null, say("me.data.everywhere_text")),
    signOut,
    h("p", null, say("me.data.delete_text")),
    deletion,
  );
}

// ---------------------------------------------------------------- from another device

function takePage() {
  const code = h("input", {
    type: "text",
    id: "code",
    value: location.hash.slice(1),
    maxlength: 40,
    required: true,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
  });
  const button = h("button", { type: "submit", class: "primary" }, say("me.take.go"));
  const form = h(
    "form",
    null,
    h("div", { class: "field" }, h("label", { for: "code" }, say("me.take.code")), code),
    button,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      if (await mayReplace()) await take(code.value.trim());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    } finally {
      button.disabled = false;
    }
  });
  return [h("h1", null, say("me.take.title")), panel(null, h("p", null, say("me.take.text")), form)];
}

/** Whoever has games here already is asked first: they would be out of reach. */
async function mayReplace() {
  const name = await whoAmI();
  const games = name === null ? [] : await get("/api/mine");
  if (name === null || !games.length) return true;
  return confirmed(say("me.take.replace", { name, n: games.length }), say("me.take.replace_yes"));
}

/** @param {string} code */
async function take(code) {
  const { name } = await post("/api/guest/take", { code });
  beGuest(name);
  history.replaceState(null, "", "/take"); // it has counted
  const done = say("me.take.done", { name });
  main.replaceChildren(
    h("h1", null, say("me.take.title")),
    panel(null, h("p", null, done), h("a", { class: "button primary", href: "/" }, say("me.take.play"))),
  );
  announce(done);
}
