// @ts-check
// What a set is for: its versions, and from each the ways to a game, to decks, to paper; the decks that come with it.
import { ApiError, post } from "./api.js";
import { allGames } from "./catalog.js";
import { copyText } from "./clipboard.js";
import { h } from "./dom.js";
import { announce, confirmed, showError } from "./shell.js";
import { outside } from "./share.js";
import { WeighBox } from "./workshop-weigh.js";
import { lang, line, say } from "./words.js";

/** @typedef {import("./wire").VersionShown} VersionShown */
/** @typedef {import("./wire").KeptSet} KeptSet */
/** @typedef {import("./workshop-draft.js").Draft} Draft */

/**
 * To the lobby, with the cards chosen for a game that is played with them.
 * @param {string} set the digest of a version
 */
export function playAddress(set) {
  const game = allGames().find((one) => one.needs_decks)?.name ?? "";
  return `/?${new URLSearchParams({ game, set })}`;
}

/**
 * The versions of a set, the newest first.
 * @param {KeptSet} set
 */
export function versionList({ id, versions }) {
  return [...versions].reverse().map((version) => {
    const { number, digest, cards, made_at } = version;
    const made = new Date(made_at).toLocaleDateString(lang, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
    const link = (/** @type {string} */ key, /** @type {string} */ href) =>
      h("a", { class: "button", href }, say(`workshop.version.${key}`));
    const file = (/** @type {string} */ format) =>
      h("a", { class: "button quiet", href: `/api/sets/${id}/versions/${number}.${format}`, download: "" }, format.toUpperCase());
    return h(
      "li",
      { class: "version" },
      h("b", null, say("workshop.version.number", { n: number })),
      h("span", { class: "note" }, line(say("workshop.cards", { n: cards }), made)),
      h(
        "div",
        { class: "row" },
        link("play", playAddress(digest)),
        link("cards", `/cards?set=${digest}`),
        link("decks", `/decks?set=${digest}`),
        link("print", `/print?set=${digest}`),
        file("toml"),
        file("csv"),
      ),
    );
  });
}

/**
 * The link to a set; a button that copies it.
 * @param {string} id
 */
export function linkButton(id) {
  const button = h("button", { type: "button", class: "quiet" }, say("workshop.sight.copy"));
  button.addEventListener("click", async () => {
    const { origin } = await outside();
    await copyText(`${origin}/workshop?set=${id}`);
    button.textContent = say("workshop.sight.copied");
    announce(say("workshop.sight.copied"));
  });
  return button;
}

export class WaysPanel {
  versions = h("ul", { class: "versions" });
  decks = h("ul", { class: "set-decks" });
  noDecks = h("p", { class: "note" });
  go = h("button", { type: "button", class: "primary", onclick: () => this.publish() }, say("workshop.version.make"));
  build = h("a", { class: "button" }, say("workshop.decks.build"));
  weigh = new WeighBox(say("workshop.weigh.decks"), async () => {
    const digest = this.draft.set.latest?.digest;
    return digest ? { set: { set: digest } } : null;
  });
  element = h(
    "div",
    { class: "ways" },
    h(
      "section",
      { class: "panel" },
      h("h2", null, say("workshop.version.title")),
      h("p", { class: "note" }, say("workshop.version.lead")),
      this.go,
      this.versions,
    ),
    h("section", { class: "panel" }, h("h2", null, say("workshop.decks.title")), this.noDecks, this.decks, this.build, this.weigh.element),
  );

  /** @param {Draft} draft @param {() => void} onFaults where something of the file is to be mended first */
  constructor(draft, onFaults) {
    this.draft = draft;
    this.onFaults = onFaults;
  }

  show() {
    const { set } = this.draft;
    this.versions.replaceChildren(...versionList(set));
    this.decks.replaceChildren(...set.decks.map((deck) => this.deck(deck)));
    this.noDecks.textContent = say(!set.latest ? "workshop.decks.first" : set.decks.length < 2 ? "workshop.decks.few" : "workshop.decks.lead");
    this.build.hidden = !set.latest;
    if (set.latest) this.build.href = `/decks?set=${set.latest.digest}`;
    this.weigh.element.hidden = !set.latest || set.decks.length < 2;
  }

  /** @param {import("./wire").KeptDeck} deck */
  deck({ name, cards }) {
    return h(
      "li",
      null,
      h("b", null, name),
      h("span", { class: "note" }, say("workshop.cards", { n: cards.length })),
      h("button", { type: "button", class: "quiet", "aria-label": say("workshop.decks.take", { name }), onclick: () => this.take(name) }, "✕"),
    );
  }

  /** @param {string} name */
  async take(name) {
    if (!(await confirmed(say("workshop.decks.take_sure", { name }), say("workshop.delete")))) return;
    const decks = this.draft.set.decks.filter((deck) => deck.name !== name);
    await this.draft.inTurn(() => this.draft.change({ decks }));
    this.show();
  }

  /**
   * The draft as it is now becomes a version; if nothing has changed, it is the one that there is.
   * @returns {Promise<VersionShown | null>}
   */
  async publish() {
    const { draft } = this;
    this.go.setAttribute("aria-busy", "true");
    try {
      await draft.keepNow();
      const { id } = draft.set;
      const made = await draft.inTurn(() => post("/api/sets/{id}/versions", {}, { id }));
      const versions = [...draft.set.versions.filter((one) => one.number !== made.number), made].sort((a, b) => a.number - b.number);
      const known = versions.length === draft.set.versions.length;
      draft.set = { ...draft.set, versions, latest: made };
      this.show();
      announce(say(known ? "workshop.version.same" : "workshop.version.made", { n: made.number }));
      return made;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { length } = draft.faults;
      if (length) this.onFaults();
      if (length) showError(say("workshop.version.faults", { n: length }));
      else showError(error.text, error.rule);
      return null;
    } finally {
      this.go.removeAttribute("aria-busy");
    }
  }
}
