// @ts-check
// Every visible word, in the language of the reader. The sentences come from text/pages/*.toml.

/** @typedef {import("./wire").Lang} Lang */
/** @typedef {{one?: string, few?: string, many: string}} Forms */

/** @type {Lang} */
export const lang = document.documentElement.lang === "ru" ? "ru" : "en";

const SUIT_SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** What is said in one language. */
export class Speech {
  /** @param {Lang} spoken @param {Record<string, string | Forms>} words */
  constructor(spoken, words) {
    this.lang = spoken;
    this.words = words;
    this.plural = new Intl.PluralRules(spoken);
    this.numbers = new Intl.NumberFormat(spoken);
  }

  /**
   * A sentence with its `{slots}` filled; with a number `n`, in the form that the number wants. Numbers stand as the
   * language writes them: 2,000 and 0.1, or 2 000 and 0,1.
   * @param {string} key
   * @param {Record<string, string | number>} [values]
   */
  say(key, values = {}) {
    const found = this.words[key];
    if (found === undefined) {
      console.error(`no words for ${key}`);
      return key;
    }
    const text = typeof found === "string" ? found : this.form(found, Number(values.n));
    return text.replace(/\{(\w+)\}/g, (slot, name) => this.written(values[name] ?? slot));
  }

  /** @param {string | number} value */
  written(value) {
    return typeof value === "number" ? this.numbers.format(value) : value;
  }

  /** @param {Forms} forms @param {number} n */
  form(forms, n) {
    const kind = this.plural.select(n);
    return (kind === "one" ? forms.one : kind === "few" ? forms.few : forms.many) ?? forms.many;
  }

  /**
   * A playing card: `QH` is Q♥, the queen of hearts; Д♥, дама червей.
   * @param {string} card
   */
  cardSign(card) {
    const say = this.say.bind(this);
    if (card.startsWith("X")) {
      return { rank: say("card.rank.X"), suit: card === "X1" ? "★" : "☆", name: say(`card.joker.${card}`) };
    }
    const [rank, suit] = [card[0], /** @type {keyof SUIT_SIGNS} */ (card[1])];
    const name = say("card.name", { rank: say(`card.rank_name.${rank}`), suit: say(`card.suit.${suit}`) });
    return { rank: say(`card.rank.${rank}`), suit: SUIT_SIGNS[suit], name };
  }
}

/** What the reader is told. */
let own = new Speech(lang, {});
/** @type {Map<Lang, Promise<Speech>>} */
const loading = new Map();

/** Once before anything is said; `ready` of the shell awaits it. */
export async function loadWords() {
  own = await loadSpeech(lang);
}

/**
 * Either language, also that which is not the reader's.
 * @param {Lang} spoken
 */
export function loadSpeech(spoken) {
  // Beside this file, so that they are of one version.
  const found =
    loading.get(spoken) ??
    fetch(new URL(`words/${spoken}.json`, import.meta.url))
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`no words: ${answer.status}`))))
      .then((words) => new Speech(spoken, words));
  loading.set(spoken, found);
  return found;
}

/**
 * The words of a page that brings them along.
 * @param {Record<string, string | Forms>} words
 */
export function bringWords(words) {
  own = new Speech(lang, words);
}

/**
 * As `Speech.say`, to the reader.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  return own.say(key, values);
}

/** @param {string | number} value */
export function written(value) {
  return own.written(value);
}

/**
 * What the server refuses, as a sentence: in a command's answer it follows a place or a name, here it stands alone.
 * What is written with signs, as `deck-min`, stays as it is.
 * @param {string} text
 */
export function sentence(text) {
  const begun = text.replace(/^\p{Ll}\p{L}*(?![\p{L}\d_-])/u, (word) => word[0].toLocaleUpperCase(lang) + word.slice(1));
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/**
 * The keys that begin so, in the order in which they are written.
 * @param {string} start
 */
export function keysUnder(start) {
  return Object.keys(own.words).filter((key) => key.startsWith(start));
}

/**
 * Whether there is such a sentence.
 * @param {string} key
 */
export function knows(key) {
  return key in own.words;
}

/**
 * A line of several parts, with dots between them: it is broken after a dot rather than before it, and no number
 * is torn from its word.
 * @param {...string} parts
 */
export function line(...parts) {
  return parts.join(" · ").replace(/ (?=·)|(?<!·) (?=\d)|(?<=\d) /g, "\u00a0");
}

/** @param {Lang} chosen */
export function setLang(chosen) {
  localStorage.setItem("lang", chosen);
  location.reload();
}

/**
 * A playing card in the reader's language.
 * @param {string} card
 */
export function cardSign(card) {
  return own.cardSign(card);
}

/** The opponents of the computer, the weakest first. The last one thinks by the clock. */
export const LEVELS = /** @type {const} */ (["level:1", "level:2", "level:3", "level:4", "level:5", "level:6", "level:7"]);

/**
 * The name to show for a party: bots are told as `level:3`, `greedy`, `random`.
 * @param {string | null | undefined} name
 */
export function shownName(name) {
  if (!name) return say("name.nobody");
  const key = `name.${name.replace(":", ".")}`;
  return /^(level:\d|greedy|random)$/.test(name) && knows(key) ? say(key) : name;
}
