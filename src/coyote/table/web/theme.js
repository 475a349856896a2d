// @ts-check
// A plain script, not a module: it runs before anything is painted, so that no page flashes in the other
// theme or claims the other language.
(() => {
  const chosen = localStorage.getItem("theme");
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const lang = localStorage.getItem("lang") || navigator.language;
  document.documentElement.lang = lang.toLowerCase().startsWith("ru") ? "ru" : "en";
})();
