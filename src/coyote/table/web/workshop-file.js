// @ts-check
// The whole set as its file: written by hand, brought from elsewhere, taken away. All that is wrong is listed, and each
// fault leads to its line.
import { ApiError, post } from "./api.js";
import { h } from "./dom.js";
import { announce, confirmed, showError } from "./shell.js";
import { say } from "./words.js";

/** @typedef {import("./workshop-draft.js").Draft} Draft */
/** @typedef {import("./wire").SetFault} SetFault */
/** @typedef {"toml" | "csv"} Format */

export class FilePanel {
  area = h("textarea", {
    id: "set-file",
    class: "set-file",
    rows: 18,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "none",
    wrap: "off",
    oninput: () => this.draft.writeAll(this.area.value),
  });
  file = h("input", { type: "file", id: "bring", accept: ".toml,.csv,text/plain,text/csv", onchange: () => this.bring() });
  faults = h("ol", { class: "set-faults" });
  told = h("p", { role: "status", class: "file-told" });
  element = h(
    "section",
    { class: "file-panel panel", "aria-label": say("workshop.tab.file") },
    h("p", { class: "note" }, say("workshop.file.lead")),
    h(
      "div",
      { class: "row" },
      h("label", { class: "button bring", for: "bring" }, say("workshop.file.bring")),
      this.file,
      ["toml", "csv"].map((format) =>
        h(
          "button",
          { type: "button", dataset: { format }, onclick: () => this.save(/** @type {Format} */ (format)) },
          say("workshop.file.save", { format: format.toUpperCase() }),
        ),
      ),
    ),
    this.told,
    this.faults,
    h("label", { for: "set-file" }, say("workshop.file.label")),
    this.area,
  );

  /** @param {Draft} draft */
  constructor(draft) {
    this.draft = draft;
    draft.addEventListener("cards", () => this.blame());
  }

  show() {
    if (this.area.value !== this.draft.text) this.area.value = this.draft.text;
    this.blame();
  }

  blame() {
    const { faults, cards } = this.draft;
    this.told.textContent = faults.length ? say("workshop.faults", { n: faults.length }) : say("workshop.file.good", { n: cards.length });
    this.told.classList.toggle("bad", faults.length > 0);
    this.faults.replaceChildren(...faults.map((fault) => this.fault(fault)));
  }

  /** @param {SetFault} fault */
  fault({ line, card, text }) {
    const where = [line ? say("workshop.file.line", { n: line }) : "", card ?? ""].filter(Boolean).join(" · ");
    return h("li", null, h("button", { type: "button", class: "quiet", onclick: () => this.point(line) }, h("b", null, where), ` ${text}`));
  }

  /** @param {number} line from 1 */
  point(line) {
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    const height = this.area.scrollHeight / Math.max(lines.length, 1);
    this.area.scrollTop = Math.max(0, height * (line - 4));
    this.area.scrollIntoView({ block: "nearest" });
  }

  async bring() {
    const [file] = this.file.files ?? [];
    if (!file) return;
    const brought = await readFile(file, this.draft.set.name).catch(refused);
    this.file.value = "";
    if (!brought) return;
    if (this.draft.text.trim() && !(await confirmed(say("workshop.file.replace"), say("workshop.file.replace_yes")))) return;
    this.area.value = brought;
    this.draft.writeAll(brought);
    await this.draft.keepNow();
    announce(this.told.textContent ?? "");
  }

  /** @param {Format} format */
  async save(format) {
    const { text, set } = this.draft;
    const written = format === "toml" ? text : await this.draft.inTurn(() => converted(text, "toml", "csv", set.name)).catch(refused);
    if (written !== null) download(`${set.name}.${format}`, written);
  }
}

/** @param {unknown} error */
function refused(error) {
  if (!(error instanceof ApiError)) throw error;
  showError(error.text);
  return null;
}

/**
 * What is in a file, as a set's file has it; a table becomes one.
 * @param {File} file @param {string} name what the set is called
 */
export async function readFile(file, name) {
  const text = await file.text();
  return file.name.toLowerCase().endsWith(".csv") ? converted(text, "csv", "toml", name) : text;
}

/** @param {string} text @param {Format} format @param {Format} into @param {string} name */
async function converted(text, format, into, name) {
  return (await post("/api/workshop/check", { text, format, into, name })).written ?? "";
}

/** @param {string} name @param {string} text */
function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = h("a", { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
