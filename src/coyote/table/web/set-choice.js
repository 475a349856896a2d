// @ts-check
// Choosing the cards of a game: the core set, one's own, those on the list, or the one that a link names.
import { ApiError, get, isGuest, post } from "./api.js";
import { CORE, decksAddress, galleryAddress, loadSet, titleOfSet } from "./card-set.js";
import { h } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./card-set.js").CardSet} CardSet */
/** @typedef {import("./wire").SetInList} SetInList */

const DIGEST = /^[0-9a-f]{32}$/;
const SHOWN_DIGITS = 6;

export class SetChoice {
  /**
   * @param {object} about
   * @param {string} about.id of the form's field
   * @param {string} about.chosen nothing for the core set, the id of a set that is kept here, or a digest
   * @param {(set: CardSet) => void} about.changed told when the cards are known
   * @param {() => Record<string, string | number>} [about.options] house rules that decks are built by; without them no
   *   ways lead from here to the cards and their decks
   */
  constructor({ id, chosen, changed, options }) {
    this.wanted = chosen;
    this.changed = changed;
    this.options = options;
    /** @type {SetInList[]} */
    this.known = [];
    /** @type {CardSet} */
    this.set = CORE;
    this.asked = 0;
    this.note = h("p", { class: "note", id: `${id}-note`, role: "status" });
    this.links = h("p", { class: "row set-links" });
    this.select = h("select", { id, name: id, "aria-describedby": `${id}-note` });
    this.select.addEventListener("change", () => this.take());
    this.element = h(
      "div",
      { class: "field set-choice" },
      h("label", { for: id }, say("cards.set.choose")),
      this.select,
      this.note,
      this.links,
    );
    this.fill([], []);
  }

  /** What there is to choose from; then the cards that were chosen. */
  async load() {
    const [own, listed] = await Promise.all([
      isGuest() ? get("/api/sets").catch(() => []) : [],
      get("/api/sets", { listed: true }).catch(() => []),
    ]);
    const others = listed.filter((set) => !own.some(({ id }) => id === set.id));
    this.known = [...own, ...others];
    this.fill(own, others);
    this.select.value = this.valueOf(this.wanted);
    if (DIGEST.test(this.wanted) && !this.select.value) await this.addLinked(this.wanted);
    return this.take();
  }

  /**
   * The newest version of a set that is kept here goes by its set.
   * @param {string} wanted
   */
  valueOf(wanted) {
    return this.known.find((set) => set.latest?.digest === wanted)?.id ?? wanted;
  }

  /** @param {SetInList[]} own @param {SetInList[]} others */
  fill(own, others) {
    const option = (/** @type {SetInList} */ { id, name, author, mine }) =>
      h("option", { value: id }, mine ? name : say("cards.set.by", { name, author }));
    const group = (/** @type {string} */ label, /** @type {SetInList[]} */ sets) =>
      sets.length ? h("optgroup", { label }, sets.map(option)) : "";
    this.select.replaceChildren(
      h("option", { value: "" }, say("cards.set.core_name")),
      group(say("cards.set.yours"), own),
      group(say("cards.set.listed"), others),
    );
  }

  /** @param {string} digest that a link names; where it leads nowhere, the core set stays */
  async addLinked(digest) {
    const found = await loadSet(digest).catch((error) => this.complain(error));
    if (!found) return (this.select.value = "");
    this.select.append(h("option", { value: digest }, titleOfSet(found)));
    this.select.value = digest;
  }

  /** The cards that are chosen now. */
  async take() {
    const number = ++this.asked;
    this.select.setCustomValidity("");
    this.note.textContent = say("cards.set.looking");
    this.links.replaceChildren();
    try {
      const { set, cards } = await this.find(this.select.value);
      if (number !== this.asked) return;
      this.set = set;
      this.wanted = "";
      this.note.replaceChildren();
      if (this.options) this.showWays(cards, this.options());
      this.changed(set);
    } catch (error) {
      if (number === this.asked) this.complain(error);
    }
  }

  /**
   * To play with a set of one's own makes a version of what is written there now; a link names its version itself.
   * @param {string} value
   * @returns {Promise<{set: CardSet, cards: number}>}
   */
  async find(value) {
    if (!value) return { set: CORE, cards: 0 };
    const known = this.known.find(({ id }) => id === value);
    const publishes = known?.mine && known.latest?.digest !== this.wanted;
    const version = publishes ? await post("/api/sets/{id}/versions", {}, { id: value }) : known?.latest;
    if (version) return { set: { name: version.name, digest: version.digest, core: false }, cards: version.cards };
    const { set, digest, core, cards } = await loadSet(value);
    return { set: { name: set, digest, core }, cards: cards.length };
  }

  /**
   * What it is, and what one may do with it before it is played.
   * @param {number} cards @param {Record<string, string | number>} options
   */
  showWays(cards, options) {
    const { name, digest, core } = this.set;
    if (!core) this.note.textContent = say("cards.set.told", { name, digest: digest.slice(0, SHOWN_DIGITS), n: cards });
    const own = this.known.find(({ id, mine }) => mine && id === this.select.value);
    const link = (/** @type {string} */ href, /** @type {string} */ key) =>
      h("a", { class: "button", href, target: "_blank" }, say(key));
    this.links.replaceChildren(
      link(galleryAddress(this.set), "cards.set.look"),
      link(decksAddress(this.set, options), "cards.set.build"),
      own ? link(`/workshop?set=${own.id}`, "cards.set.edit") : "",
    );
  }

  /** @param {unknown} error that keeps the set from being played with */
  complain(error) {
    if (!(error instanceof ApiError)) throw error;
    const known = this.known.find(({ id, mine }) => mine && id === this.select.value);
    this.note.replaceChildren(h("span", { class: "fault" }, error.text));
    if (known) this.links.replaceChildren(h("a", { class: "button", href: `/workshop?set=${known.id}` }, say("cards.set.mend")));
    this.select.setCustomValidity(error.text);
    return null;
  }
}
