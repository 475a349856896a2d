// @ts-check
// What every page has: the header, the place for content, and a voice for those who do not see it.
import { gameOfRule, loadGames } from "./catalog.js";
import { h, svg, $, $$ } from "./dom.js";
import { sign } from "./sign.js";
import { lang, loadWords, say, setLang } from "./words.js";

const SUN =
  "M16.5 12a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5";
const MOON = "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z";

/** What a page waits for before it shows anything: its words, and what can be played. */
export async function ready() {
  await Promise.all([loadWords(), loadGames()]);
}

/**
 * Build the frame of the page. `bare` leaves the navigation out, for a table that needs the room.
 * @param {{title: string, bare?: boolean}} about
 * @returns {{header: HTMLElement, main: HTMLElement}}
 */
export function startPage({ title, bare = false }) {
  document.title = `${title} · ${say("shell.name")}`;
  const main = h("main", { id: "main", tabindex: "-1" });
  const header = h("header", { class: "top" }, wordmark(), bare ? null : navigation(), switches());
  const voice = h("div", { id: "voice", class: "visually-hidden", role: "status", "aria-live": "polite" });
  const toasts = h("div", { class: "toasts", role: "alert" });
  document.body.replaceChildren(
    h("a", { class: "skip", href: "#main" }, say("shell.skip")),
    header,
    main,
    voice,
    toasts,
  );
  dispatchEvent(new Event("loaded"));
  return { header, main };
}

function wordmark() {
  return h(
    "a",
    { class: "wordmark", href: "/", "aria-label": say("shell.home") },
    coyote(),
    h("span", null, say("shell.name")),
  );
}

/** The head of a coyote before the moon. */
export function coyote() {
  return svg(
    "svg",
    { viewBox: "0 0 48 48", "aria-hidden": "true", focusable: "false" },
    svg("circle", { cx: 24, cy: 24, r: 23, fill: "#ffd08a" }),
    svg("path", { d: "M10 6 L20 17 H28 L38 6 L40 24 L33 32 L24 44 L15 32 L8 24 Z", fill: "#8c4a2b" }),
    svg("path", { d: "M8 24 L15 32 L24 44 L33 32 L40 24 L29 29 L24 38 L19 29 Z", fill: "#f6dcc0" }),
    svg("path", { d: "M13 12 L18 18 L12 21 Z M35 12 L30 18 L36 21 Z", fill: "#5e2f1b" }),
    svg("path", { d: "M15 23 L20.5 25.2 L16.5 26.4 Z M33 23 L27.5 25.2 L31.5 26.4 Z", fill: "#23202c" }),
    svg("path", { d: "M21 38 H27 L24 42.5 Z", fill: "#23202c" }),
  );
}

/** The server knows the pages, and which of them this is; it gave the links, and here they get their words. */
function navigation() {
  const links = $$("body > nav a");
  for (const link of links) link.textContent = say(`shell.nav.${link.dataset.page}`);
  return h("nav", { "aria-label": say("shell.nav.label") }, links);
}

function switches() {
  return h("div", { class: "switches" }, languageSwitch(), themeSwitch());
}

export function languageSwitch() {
  const other = lang === "ru" ? "en" : "ru";
  // The name of the other language, in that language: whoever needs it can read it.
  const name = other === "ru" ? "Русский" : "English";
  return h(
    "button",
    { class: "quiet", type: "button", lang: other, "aria-label": name, onclick: () => setLang(other) },
    other === "ru" ? "Ру" : "En",
  );
}

export function themeSwitch() {
  const button = h("button", { class: "quiet theme", type: "button" });
  const dress = () => {
    const dark = document.documentElement.dataset.theme === "dark";
    button.setAttribute("aria-label", say(dark ? "shell.theme.light" : "shell.theme.dark"));
    button.replaceChildren(sign(dark ? SUN : MOON));
  };
  button.addEventListener("click", () => {
    const chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("theme", chosen);
    dispatchEvent(new CustomEvent("theme", { detail: chosen }));
    dress();
  });
  dress();
  return button;
}

/**
 * Say something to those who listen to the page instead of looking at it.
 * @param {string} text
 */
export function announce(text) {
  const voice = $("#voice");
  if (voice) voice.textContent = text;
}

/**
 * Something went wrong or was refused.
 * @param {string} text
 * @param {string | null} [rule]
 */
export function showError(text, rule) {
  const toast = h("p", { class: "toast" }, text, rule ? [" ", ruleLink(rule)] : null);
  $(".toasts")?.append(toast);
  setTimeout(() => toast.remove(), 7000);
}

// The server is busy, and what was asked is asked again by itself.
addEventListener("waiting", (event) => {
  const seconds = /** @type {CustomEvent<number>} */ (event).detail;
  if ($(".toast.waiting")) return;
  const toast = h("p", { class: "toast waiting" }, say("shell.waiting", { n: Math.ceil(seconds) }));
  $(".toasts")?.append(toast);
  setTimeout(() => toast.remove(), 1000 * seconds);
});

/**
 * A rule's number. Pressed it shows the rule on the spot; opened as a link it leads to its place in the book.
 * @param {string} rule
 */
export function ruleLink(rule) {
  const game = gameOfRule(rule);
  if (!game?.rulebook) return h("span", { class: "rule" }, rule);
  const href = `/rules/${game.name}#${rule}`;
  const onclick = async (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    (await import("./rules-card.js")).showRule(rule);
  };
  return h("a", { class: "rule", href, target: "_blank", "aria-label": say("shell.rule", { rule }), onclick }, rule);
}

/**
 * Ask before something that cannot be taken back.
 * @param {string} question
 * @param {string} yes what the button does, in words
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      {
        "aria-label": question,
        onclose: () => {
          dialog.remove();
          resolve(dialog.returnValue === "yes");
        },
      },
      h("p", null, question),
      h(
        "form",
        { class: "row", method: "dialog" },
        h("button", { class: "primary", value: "yes" }, yes),
        h("button", { value: "no", autofocus: true }, say("shell.no")),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
