// @ts-check
// House rules with a name: a list of them, one of them, and the form by which they are made.
// `/rules/variants/ID` is one; `/rules/variants?new=yes&game=madness&goal=7` begins with these.
import { ApiError, ensureGuest, get, isGuest, post, put, remove } from "./api.js";
import { withQuery } from "./card-set.js";
import { allKinds, gameNamed, kindNamed, nameOf, titleOf } from "./catalog.js";
import { h } from "./dom.js";
import { HouseRules, optionValue } from "./house-rules.js";
import { hasRulesCard, rulesCardButton } from "./rules-card.js";
import { linkBox } from "./share.js";
import { confirmed, ready, ruleLink, showError, startPage } from "./shell.js";
import { lang, line, say } from "./words.js";

/** @typedef {import("./wire").VariantShown} Variant */
/** @typedef {import("./wire").Measured} Measured */
/** @typedef {import("./catalog.js").Kind} Kind */

await ready();
const { main } = startPage({ title: say("variants.title") });
main.classList.add("variants");
const id = location.pathname.split("/")[3] ?? "";
const asked = new URLSearchParams(location.search);

// ---------------------------------------------------------------- all of them

async function showAll() {
  const [own, listed] = await Promise.all([
    isGuest() ? get("/api/variants").catch(() => []) : [],
    get("/api/variants", { listed: true }),
  ]);
  const others = listed.filter(({ mine }) => !mine);
  const form = new VariantForm(null);
  const make = h("details", { class: "panel", open: asked.has("new") }, h("summary", null, say("variants.new")), form.element);
  main.append(
    h("h1", null, say("variants.title")),
    h("p", { class: "note" }, say("variants.lead")),
    ...(own.length ? [list(say("variants.yours"), own)] : []),
    list(say("variants.listed"), others),
    make,
  );
  if (asked.has("new")) form.name.focus();
}

/** @param {string} title @param {Variant[]} variants */
function list(title, variants) {
  return h(
    "section",
    { class: "panel" },
    h("h2", null, title),
    variants.length ? h("div", { class: "games" }, variants.map(row)) : h("p", { class: "note" }, say("variants.none")),
  );
}

/** @param {Variant} variant */
function row({ id, name, author, title, mine, listed }) {
  const state = mine ? say(listed ? "variants.is_listed" : "variants.is_by_link") : say("variants.by", { author });
  return h(
    "a",
    { class: "game-row", href: `/rules/variants/${id}` },
    h("span", { class: "who" }, name),
    h("span", { class: "what" }, line(title[lang])),
    h("span", { class: "chip" }, state),
  );
}

// ---------------------------------------------------------------- one of them

/** @param {Variant} variant */
function showOne(variant) {
  const { name, about, author, game, options, title } = variant;
  document.title = `${name} · ${say("shell.name")}`;
  main.replaceChildren(
    h("h1", null, name),
    h("p", { class: "note" }, line(title[lang]), " · ", say("variants.by", { author })),
    ...(about ? [h("section", { class: "panel about" }, about.split("\n").map((text) => h("p", null, text)))] : []),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button primary", href: withQuery("/", { game, ...options }) }, say("variants.play")),
      hasRulesCard(game) ? rulesCardButton(() => ({ game, options })) : null,
      h("a", { class: "button", href: "/rules/variants" }, say("variants.all")),
    ),
    differences(variant),
    changes(variant),
    h("section", { class: "panel" }, h("h2", null, say("variants.send")), shareBox()),
    ...(variant.mine ? [own(variant)] : []),
  );
}

function shareBox() {
  const link = `${location.origin}${location.pathname}`;
  return linkBox(link, { label: say("variants.address"), picture: say("variants.qr"), send: true });
}

/**
 * What differs from the edition, rule by rule.
 * @param {Variant} variant
 */
function differences({ game: name, options }) {
  const { game, edition } = kindNamed(name, String(options.edition ?? ""));
  const changed = game.options.filter((option) => option.name in options);
  const items = changed.map((option) => {
    const usual = optionValue(option, option.values[edition?.name ?? ""]);
    const now = optionValue(option, options[option.name]);
    return h(
      "li",
      null,
      h("b", null, say("variants.change", { title: titleOf(option), usual, now })),
      h("p", { class: "note" }, option.about[lang], "\u00a0", ruleLink(option.rule)),
    );
  });
  return h(
    "section",
    { class: "panel differs" },
    h("h2", null, edition ? say("variants.differs_from", { edition: titleOf(edition) }) : say("variants.differs")),
    items.length ? h("ul", null, items) : h("p", null, say("variants.nothing_differs")),
  );
}

/**
 * What the lab has measured of it; where it has not, that.
 * @param {Variant} variant
 */
function changes({ game, measured }) {
  const known = measured.some(({ draws, option }) => option && draws !== null);
  return h(
    "section",
    { class: "panel measured" },
    h("h2", null, say("variants.what_changes")),
    ...(measured.length
      ? [h("p", { class: "note" }, say("variants.measured")), table(game, measured, known)]
      : [h("p", null, say("variants.not_measured"))]),
  );
}

/** @param {string} game @param {Measured[]} measured @param {boolean} long whether more is known than who has the edge */
function table(game, measured, long) {
  const columns = ["rule", "first", "difference", ...(long ? ["draws", "turns"] : [])];
  return h(
    "div",
    { class: "wide-table", tabindex: "0", role: "region", "aria-label": say("variants.what_changes") },
    h(
      "table",
      null,
      h("thead", null, h("tr", null, columns.map((one) => h("th", { scope: "col" }, say(`variants.column.${one}`))))),
      h(
        "tbody",
        null,
        measured.map((one) => h("tr", null, cells(game, one).slice(0, columns.length))),
      ),
    ),
  );
}

/** @param {string} game @param {Measured} measured */
function cells(game, { option, value, first, difference, draws, turns }) {
  const known = gameNamed(game)?.options.find(({ name }) => name === option);
  const number = (/** @type {number} */ n, sign = false) =>
    n
      .toLocaleString(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: sign ? "exceptZero" : "auto" })
      .replace("-", "−");
  const reach = (/** @type {number[] | null} */ told, sign = false) =>
    told ? say("variants.reach", { mean: number(told[0], sign), off: number(told[1]) }) : "–";
  return [
    h("th", { scope: "row" }, known ? `${titleOf(known)}: ${optionValue(known, value)}` : say("variants.as_it_is")),
    h("td", null, reach(first)),
    h("td", null, reach(difference, true)),
    h("td", null, draws === null ? "–" : number(draws)),
    h("td", null, turns === null ? "–" : number(turns)),
  ];
}

/**
 * For whoever made it.
 * @param {Variant} variant
 */
function own(variant) {
  const { id, name } = variant;
  const drop = async () => {
    if (!(await confirmed(say("variants.delete_sure", { name }), say("variants.delete")))) return;
    await remove("/api/variants/{id}", { id });
    location.assign("/rules/variants");
  };
  return h(
    "details",
    { class: "panel own" },
    h("summary", null, say("variants.edit")),
    new VariantForm(variant).element,
    h("p", null, h("button", { type: "button", class: "quiet", onclick: drop }, say("variants.delete"))),
  );
}

// ---------------------------------------------------------------- the form

class VariantForm {
  /** @param {Variant | null} variant to be changed; none for a new one */
  constructor(variant) {
    this.variant = variant;
    const given = variant ? { game: variant.game, ...variant.options } : Object.fromEntries(asked);
    const first = kindNamed(given.game ?? "", String(given.edition ?? "")) ?? allKinds()[0];
    this.name = h("input", { type: "text", id: "variant-name", required: true, maxlength: 60, value: variant?.name ?? "", autocomplete: "off" });
    this.about = h("textarea", { id: "variant-about", rows: 4, maxlength: 600 }, variant?.about ?? "");
    this.listed = h("input", { type: "checkbox", id: "variant-listed", checked: variant?.listed ?? false });
    this.kind = h(
      "select",
      { id: "variant-kind", onchange: () => this.house.show(this.chosen, {}) },
      allKinds().map(({ id, game, edition }) => h("option", { value: id }, line(titleOf(game), ...(edition ? [titleOf(edition)] : [])))),
    );
    this.kind.value = first.id;
    this.house = new HouseRules(false);
    this.house.show(first, /** @type {Record<string, string | number>} */ (given));
    this.house.element.open = true;
    const field = (/** @type {HTMLElement} */ input, /** @type {string} */ key) =>
      h("div", { class: "field" }, h("label", { for: input.id }, say(key)), input);
    this.element = h(
      "form",
      { class: "variant-form", onsubmit: (/** @type {Event} */ event) => this.save(event) },
      field(this.name, "variants.name"),
      field(this.about, "variants.about"),
      field(this.kind, "variants.kind"),
      this.house.element,
      h("label", { class: "tick" }, this.listed, h("span", null, say("variants.list_it"))),
      h("button", { class: "primary" }, say("variants.save")),
    );
  }

  /** @returns {Kind} */
  get chosen() {
    return allKinds().find(({ id }) => id === this.kind.value) ?? allKinds()[0];
  }

  /** @param {Event} event */
  async save(event) {
    event.preventDefault();
    const { game, edition } = this.chosen;
    const told = {
      name: this.name.value,
      about: this.about.value,
      game: nameOf(game),
      options: { ...(edition ? { edition: edition.name } : {}), ...this.house.values() },
      listed: this.listed.checked,
    };
    try {
      await ensureGuest();
      if (this.variant) return showOne(await put("/api/variants/{id}", told, { id: this.variant.id }));
      const made = await post("/api/variants", told);
      location.assign(`/rules/variants/${made.id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      for (const { text, rule } of error.reasons) showError(text, rule);
    }
  }
}

try {
  if (id) showOne(await get("/api/variants/{id}", { id }));
  else await showAll();
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  main.replaceChildren(
    h("h1", null, say("variants.title")),
    h("p", { class: "panel" }, error.text),
    h("p", null, h("a", { class: "button primary", href: "/rules/variants" }, say("variants.all"))),
  );
}
