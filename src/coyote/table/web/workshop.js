// @ts-check
// The workshop: sets of one's own and those of others; `/workshop?set=ID` is one of them.
import { ApiError, ensureGuest, get, isGuest, post } from "./api.js";
import { $, h } from "./dom.js";
import { duelCard, showCard, traitChips } from "./duel-card.js";
import { ready, showError, startPage } from "./shell.js";
import { readFile } from "./workshop-file.js";
import { SetPage, loadLanguage } from "./workshop-set.js";
import { versionList } from "./workshop-ways.js";
import { lang, line, say } from "./words.js";

/** @typedef {import("./wire").SetInList} SetInList */
/** @typedef {import("./wire").KeptSet} KeptSet */

await ready();
const { main } = startPage({ title: say("shell.workshop.title") });
main.classList.add("workshop");
const asked = new URLSearchParams(location.search).get("set");
await (asked ? openSet(asked) : shelf()).catch(tell);

/** @param {unknown} error */
function tell(error) {
  if (!(error instanceof ApiError)) throw error;
  const back = h("a", { class: "button", href: "/workshop" }, say("workshop.back"));
  if ($("h1")) showError(error.text);
  else main.append(h("h1", null, say("shell.workshop.title")), h("section", { class: "panel" }, h("p", null, error.text), back));
}

// ---------------------------------------------------------------- all sets

async function shelf() {
  const [own, listed] = await Promise.all([isGuest() ? ownSets() : [], get("/api/sets", { listed: true })]);
  const others = listed.filter((set) => !set.mine);
  main.append(
    h("h1", null, say("shell.workshop.title")),
    h("p", { class: "note" }, say("shell.workshop.lead")),
    newSet(),
    h(
      "section",
      { class: "panel own-sets" },
      h("h2", null, say("workshop.own")),
      own.length ? setList(own) : h("p", { class: "note" }, say("workshop.no_own")),
    ),
    h(
      "section",
      { class: "panel listed-sets" },
      h("h2", null, say("workshop.listed")),
      others.length ? setList(others) : h("p", { class: "note" }, say("workshop.no_listed")),
    ),
  );
}

/** @returns {Promise<SetInList[]>} */
async function ownSets() {
  try {
    return await get("/api/sets");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return []; // the server has met nobody here
    throw error;
  }
}

function newSet() {
  const name = h("input", { type: "text", id: "new-name", maxlength: 60, autocomplete: "off", placeholder: say("workshop.new.hint") });
  const file = h("input", { type: "file", id: "bring", accept: ".toml,.csv,text/plain,text/csv" });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    file.value = "";
    if (!chosen) return;
    await ensureGuest().catch(tell);
    const text = await readFile(chosen, name.value.trim() || chosen.name.replace(/\.\w+$/, "")).catch(tell);
    if (typeof text === "string") await make(name.value.trim(), text);
  });
  return h(
    "form",
    {
      class: "panel new-set",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        make(name.value.trim() || say("workshop.new.unnamed"), "");
      },
    },
    h("label", { for: "new-name" }, say("workshop.new.name")),
    h(
      "div",
      { class: "row" },
      name,
      h("button", { class: "primary" }, say("workshop.new.go")),
      h("label", { class: "button bring", for: "bring" }, say("workshop.new.bring")),
      file,
    ),
  );
}

/** @param {string} name @param {string} text */
async function make(name, text) {
  try {
    await ensureGuest();
    const { id } = await post("/api/sets", { name, text });
    location.assign(`/workshop?set=${id}`);
  } catch (error) {
    tell(error);
  }
}

/** @param {SetInList[]} sets */
function setList(sets) {
  return h("ul", { class: "sets" }, sets.map((set) => h("li", null, setRow(set))));
}

/** @param {SetInList} set */
function setRow({ id, name, about, sight, author, mine, changed_at, latest }) {
  const changed = new Date(changed_at).toLocaleDateString(lang, { day: "numeric", month: "short" });
  const what = [latest ? say("workshop.cards", { n: latest.cards }) : say("workshop.draft_only"), changed];
  return h(
    "a",
    { class: "set-row", href: `/workshop?set=${id}` },
    h("b", null, name),
    h("span", { class: "note" }, line(...(mine ? [] : [author]), ...what)),
    mine ? h("span", { class: "chip" }, say(`workshop.sight.${sight}`)) : null,
    about ? h("span", { class: "set-about" }, about) : null,
  );
}

// ---------------------------------------------------------------- one set

/** @param {string} id */
async function openSet(id) {
  if (isGuest()) await ensureGuest();
  const set = await get("/api/sets/{id}", { id });
  if (!set.mine) return showSet(set);
  document.title = `${set.name} · ${document.title}`;
  const page = new SetPage(main, set, await loadLanguage());
  await page.begin();
}

/**
 * Somebody else's: to look at, to play with, to go on from.
 * @param {KeptSet} set
 */
async function showSet(set) {
  const { name, about, author, latest } = set;
  const copy = h("button", { type: "button", onclick: () => copySet(set) }, say("workshop.copy_set"));
  main.append(
    h("p", { class: "row way-back" }, h("a", { href: "/workshop" }, say("workshop.back"))),
    h("h1", null, name),
    h("p", { class: "note" }, say("workshop.by", { author })),
    about ? h("p", { class: "set-about" }, about) : "",
    latest ? h("section", { class: "panel" }, h("ul", { class: "versions" }, versionList(set)), copy) : h("p", { class: "panel" }, say("workshop.nothing_yet")),
  );
  if (!latest) return;
  const { cards } = await get("/api/card-sets/{digest}", { digest: latest.digest });
  main.append(
    h(
      "ul",
      { class: "card-grid" },
      cards.map((card) =>
        h(
          "li",
          null,
          h("button", { type: "button", class: "core-card", onclick: () => showCard(card, traitChips(card)) }, duelCard(card, { size: "gallery" })),
        ),
      ),
    ),
  );
}

/** @param {KeptSet} set */
async function copySet({ id, name, latest }) {
  const answer = await fetch(`/api/sets/${id}/versions/${latest?.number}.toml`).catch(() => null);
  if (!answer?.ok) return showError(say("shell.no_server"));
  await make(say("workshop.copy_name", { name }).slice(0, 60), await answer.text());
}
