// @ts-check
// A page that is not there or was refused. The server has said why; here it gets the frame of all pages, and the
// reader's own language where that is another one than the browser's.
import { $, h } from "./dom.js";
import { coyote, ready, startPage } from "./shell.js";
import { knows, say } from "./words.js";

await ready();
const told = $("#problem");
const status = told?.dataset.status ?? "";
const known = knows(`shell.problem.${status}`) ? status : "other";
const why = knows(`shell.problem.why.${status}`) ? say(`shell.problem.why.${status}`) : ($("p", told ?? document)?.textContent ?? "");
const title = say(`shell.problem.${known}`);
const { main } = startPage({ title });
main.classList.add("problem");
main.append(
  h(
    "section",
    { class: "panel" },
    h("div", { class: "problem-head" }, coyote(), h("h1", null, title)),
    h("p", null, why),
    h("a", { class: "button primary", href: "/" }, say("shell.problem.home")),
  ),
);
