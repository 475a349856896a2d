// @ts-check
// A plain script, not a module: it runs before anything is painted, so that no page flashes in the other
// theme or claims the other language. And it looks after the rest: where a script, a style or the words do not
// come, the page says so and tries again by itself, more and more slowly.
(() => {
  /** @param {string} theme of the page, and of the window around it */
  function dress(theme) {
    document.documentElement.dataset.theme = theme;
    for (const sky of document.querySelectorAll("meta[data-theme]"))
      sky.setAttribute("media", sky.getAttribute("data-theme") === theme ? "all" : "not all");
  }

  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  dress(localStorage.getItem("theme") || (dark ? "dark" : "light"));
  addEventListener("theme", (event) => dress(/** @type {CustomEvent<string>} */ (event).detail));
  // The first of our languages that the browser asks for, unless one has been chosen.
  const asked = [localStorage.getItem("lang") ?? "", ...navigator.languages].map((one) => one.slice(0, 2).toLowerCase());
  document.documentElement.lang = asked.find((one) => one === "ru" || one === "en") ?? "en";

  const LONGEST = 60;
  const SETTLED = 5_000; // milliseconds after which a page that is there has come for good
  const TRIES = "load.tries"; // how often in a row, for this tab
  /** @type {HTMLElement | null} the sentence that stands in the page until a script replaces it */
  let notice = null;
  let failed = false;

  const box = () => (notice ??= document.getElementById("loading"));
  const starting = () => !document.querySelector("main:not(#loading) > *");

  /** @param {number} [told] how many seconds the server wants us to wait */
  function failure(told = 0) {
    const tries = Number(sessionStorage.getItem(TRIES)) + 1;
    sessionStorage.setItem(TRIES, String(tries));
    // Not all pages at once: a server that was away for a moment is not run over by those who waited.
    const grown = Math.min(LONGEST, 2 ** tries) * (0.75 + Math.random() / 2);
    countDown(Math.ceil(Math.max(told, grown)));
  }

  /** @param {number} seconds */
  function countDown(seconds) {
    show(seconds);
    if (seconds > 0) setTimeout(() => countDown(seconds - 1), 1000);
    else tryAgain();
  }

  /** @param {number} seconds */
  function show(seconds) {
    const shown = box();
    if (!shown || !document.body) return;
    // A page may have begun to build itself, and have lost the place of the sentence.
    if (!shown.isConnected) document.body.prepend(shown);
    shown.classList.add("failed");
    for (const wait of shown.querySelectorAll("[data-wait]")) wait.toggleAttribute("hidden", false);
    for (const place of shown.querySelectorAll("[data-seconds]")) place.textContent = String(seconds);
  }

  /** What failed is not fetched twice by one page, so the page is loaded anew; but only from a server that is there. */
  async function tryAgain() {
    const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
    if (answer?.ok) location.reload();
    else failure(Number(answer?.headers.get("Retry-After")) || 0);
  }

  function fail() {
    if (failed) return;
    failed = true;
    if (document.readyState !== "loading") failure();
    else addEventListener("DOMContentLoaded", () => failure(), { once: true });
  }

  // A script or a style of the page that does not come, also one that a module imports.
  addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) fail();
      else if (starting()) fail();
    },
    true,
  );
  // The words do not come, or what can be played.
  addEventListener("unhandledrejection", () => starting() && fail());
  // A page that is there already needs more of its own files, and does not get them.
  addEventListener("notloaded", fail);
  addEventListener("loaded", () => setTimeout(() => failed || sessionStorage.removeItem(TRIES), SETTLED));
})();
