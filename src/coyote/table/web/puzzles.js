// @ts-check
// Puzzles: the one of the day, and all of them by level. A move is made at the table or picked from the list.
import { ApiError, get, post } from "./api.js";
import { $$, h, remember } from "./dom.js";
import { makeTable } from "./game-table.js";
import { announce, ready, showError, startPage } from "./shell.js";
import { lang, say, sentence } from "./words.js";

/** @typedef {import("./wire").PuzzleShown} Puzzle */
/** @typedef {import("./wire").PuzzleFile} File */

await ready();
const { main } = startPage({ title: say("puzzles.title") });
main.className = "puzzles";

const percent = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 0 });
/** @type {Set<string>} */
const solved = new Set((localStorage.getItem("puzzles") ?? "").split(" ").filter(Boolean));
const stage = h("div", { class: "pz-stage" });
const verdict = h("p", { class: "pz-verdict", role: "status" });
const after = h("div", { class: "row pz-after" });
const moves = h("div", { class: "pz-moves", role: "group", "aria-label": say("puzzles.answer") });
/** @type {import("./types").GameTable | null} */
let board = null;
/** @type {Puzzle} */
let puzzle;
/** @type {File[]} */
let files = [];

try {
  ({ files } = await get("/api/puzzles"));
  await open(location.pathname.split("/")[2] || today());
} catch (error) {
  const gone = error instanceof ApiError && error.status === 404;
  const why = error instanceof Error ? error.message : String(error);
  main.replaceChildren(
    h(
      "section",
      { class: "panel" },
      h("h1", null, say("puzzles.failed")),
      gone ? null : h("p", null, why),
      h("p", null, h("a", { class: "button primary", href: "/puzzles" }, say("puzzles.home"))),
    ),
  );
}

/** Of the game that was looked at last. */
function today() {
  const name = localStorage.getItem("puzzles.file");
  return (files.find((one) => one.name === name) ?? files[0]).today;
}

/** @param {string} id */
async function open(id) {
  puzzle = await get("/api/puzzles/{id}", { id });
  remember("puzzles.file", puzzle.file);
  board = await makeTable(puzzle.game);
  board.addEventListener("move", (event) => attempt(/** @type {CustomEvent<string>} */ (event).detail));
  draw();
  show();
}

function show() {
  const { view, legal, seat } = puzzle;
  const names = [say("puzzles.you"), say("puzzles.they")];
  if (board) board.pace = 0;
  void board?.show({ view, legal, events: [], seat, names: seat === 0 ? names : names.reverse(), open: null });
  if (board) board.busy = false;
}

function draw() {
  const file = files.find((one) => one.name === puzzle.file) ?? files[0];
  const number = file.puzzles.findIndex((one) => one.id === puzzle.id) + 1;
  verdict.textContent = "";
  verdict.className = "pz-verdict";
  after.replaceChildren();
  moves.replaceChildren(
    ...puzzle.legal.map((move) =>
      h("button", { type: "button", class: "quiet", dataset: { move }, onclick: () => attempt(move) }, sentence(puzzle.words[move][lang])),
    ),
  );
  stage.replaceChildren(h("h2", { class: "visually-hidden" }, say("puzzles.table")), board ?? "");
  main.replaceChildren(
    h("h1", null, say("puzzles.title")),
    h("p", { class: "note" }, say("puzzles.lead")),
    choices(file),
    h(
      "section",
      { class: "panel pz-asked" },
      h(
        "h2",
        null,
        puzzle.id === file.today ? say("puzzles.today") : say("puzzles.number", { n: number }),
        " ",
        h("span", { class: "chip" }, say(`puzzles.level_${puzzle.level}`)),
      ),
      h("p", null, puzzle.asked[lang]),
      verdict,
      after,
    ),
    stage,
    h("details", { class: "panel pz-list" }, h("summary", null, say("puzzles.show")), moves),
    all(file),
  );
}

/** @param {File} now */
function choices(now) {
  return h(
    "nav",
    { class: "row", "aria-label": say("puzzles.which") },
    files.map((one) =>
      h(
        "a",
        { class: "chip", href: `/puzzles/${one.today}`, "aria-current": one === now ? "true" : null },
        one.title[lang],
      ),
    ),
  );
}

/** @param {File} file */
function all(file) {
  const done = file.puzzles.filter((one) => solved.has(one.id)).length;
  return h(
    "section",
    { class: "panel pz-all" },
    h("h2", null, say("puzzles.all")),
    h("p", { class: "note" }, say("puzzles.done", { n: done, of: file.puzzles.length })),
    [1, 2, 3].map((level) => {
      const some = file.puzzles.map((one, n) => ({ one, n: n + 1 })).filter(({ one }) => one.level === level);
      return some.length
        ? h(
            "div",
            { class: "pz-level" },
            h("h3", null, say(`puzzles.levels_${level}`)),
            h(
              "ul",
              null,
              some.map(({ one, n }) =>
                h(
                  "li",
                  null,
                  h(
                    "a",
                    {
                      href: `/puzzles/${one.id}`,
                      class: solved.has(one.id) ? "solved" : null,
                      "aria-label": `${say("puzzles.number", { n })}${solved.has(one.id) ? `, ${say("puzzles.solved")}` : ""}`,
                      "aria-current": one.id === puzzle.id ? "page" : null,
                    },
                    String(n),
                  ),
                ),
              ),
            ),
          )
        : null;
    }),
  );
}

/** @param {string} move */
async function attempt(move) {
  if (board) board.busy = true;
  try {
    const found = await post("/api/puzzles/{id}", { move }, { id: puzzle.id });
    verdict.textContent = found.text[lang];
    verdict.className = `pz-verdict ${found.right ? "right" : "wrong"}`;
    announce(found.text[lang]);
    if (found.right) solve(found.proof);
    else after.replaceChildren(h("button", { type: "button", onclick: again }, say("puzzles.again")));
    for (const one of $$("[data-move]", moves)) one.setAttribute("aria-pressed", String(one.dataset.move === move));
    if (!found.right) show();
  } catch (error) {
    board?.refused();
    showError(error instanceof Error ? error.message : String(error));
  }
  if (board) board.busy = false;
}

/** @param {import("./wire").HandsProof | null} proof */
function solve(proof) {
  solved.add(puzzle.id);
  remember("puzzles", [...solved].join(" "));
  after.replaceChildren(
    ...(proof ? [hands(proof)] : []),
    ...(puzzle.next ? [h("a", { class: "button primary", href: `/puzzles/${puzzle.next}` }, say("puzzles.next"))] : []),
  );
}

/**
 * The table of hands: a row for each, a column for each move, the solution first.
 * @param {import("./wire").HandsProof} proof
 */
function hands(proof) {
  const moves = Object.entries(proof.moves);
  return h(
    "div",
    { class: "pz-proof", role: "region", tabindex: "0", "aria-label": say("puzzles.proof") },
    h(
      "table",
      null,
      h("caption", null, say("puzzles.proof")),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, say("puzzles.hand")),
          moves.map(([move]) => h("th", { scope: "col" }, h("code", null, move))),
        ),
      ),
      h(
        "tbody",
        null,
        proof.hands.map((hand, n) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, h("code", null, hand)),
            moves.map(([, worth]) => h("td", null, percent.format(worth[n]))),
          ),
        ),
      ),
    ),
  );
}

function again() {
  verdict.textContent = "";
  after.replaceChildren();
  show();
}
