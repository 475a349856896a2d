// @ts-check
// A picture for any duel card, made from its effects alone: a new card has one by itself.
//
// What it does gives the colours and the figures, how much of it their number and size, when it does it the suns
// and moons along the sky: a full one for each turn in which the card works, an empty one for each turn of waiting
// (D22). The id of the card settles the rest: the land, where the sun stands, which of several figures is taken.
import { svg } from "./dom.js";
import * as s from "./art-shapes.js";

/**
 * @typedef {import("./wire").CardEffect} Effect
 * @typedef {import("./wire").CardShown} Card
 * @typedef {(() => number)} Dice  a number from 0 up to 1, the next one each time
 */

const WIDE = 104;
const HIGH = 104;
const GROUND = 76;

/** @param {Card} card @returns {SVGElement} */
export function cardArt(card) {
  const dice = diceOf(card.id);
  const shown = chosenEffects(card);
  const ground = shown.map((effect) => effect.look).find((c) => c !== card.main) ?? card.main;
  return svg(
    "svg",
    {
      class: `card-art sky-${card.main} ground-${ground}`,
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      "aria-hidden": "true",
      focusable: "false",
      preserveAspectRatio: "xMidYMid slice",
    },
    s.box(-1, -1, WIDE + 2, HIGH + 2, 0, "sky"),
    ...heaven(card, dice),
    ...land(dice),
    ...(card.auto ? [s.at(17, 97, 0.95, 0, ...s.weed())] : []),
    ...figures(shown, dice),
    s.path(
      `M-1 ${HIGH + 1}V${s.round(93 - dice() * 3)}Q${s.round(26 + dice() * 30)} ${s.round(97 - dice() * 5)} ${WIDE + 1} ${s.round(94 + dice() * 4)}V${HIGH + 1}Z`,
      "front",
    ),
    ...timeline(card),
  );
}

/**
 * Numbers that follow from a name (FNV-1a, then xorshift).
 * @param {string} name @returns {Dice}
 */
function diceOf(name) {
  let state = 2166136261;
  for (const letter of name) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

/**
 * At most three effects fit; points come first, as they colour the card.
 * @param {Card} card
 */
function chosenEffects(card) {
  const points = card.effects.filter((e) => e.look === card.main);
  const rest = card.effects.filter((e) => e.look !== card.main);
  return [...points, ...rest].slice(0, 3);
}

// ---------------------------------------------------------------- sky and land

/** @param {Card} card @param {Dice} dice */
function heaven(card, dice) {
  const x = card.super ? 52 : 24 + dice() * 56;
  const y = card.super ? 50 : 30 + dice() * 18;
  const most = Math.max(...card.effects.map((e) => (e.amount < 0 ? 20 : e.amount)));
  const r = card.super ? 23 : 9 + Math.min(most, 30) * 0.22 + dice() * 2;
  const kind = Math.floor(dice() * 4);
  const glow = [s.disc(x, y, r * 2.3, "glow"), s.disc(x, y, r * 1.6, "glow")];
  const stars = Array.from({ length: 5 + Math.floor(dice() * 5) }, () =>
    s.disc(dice() * WIDE, dice() * 56, 0.5 + dice() * 0.6, "speck"),
  );
  return [
    ...stars,
    ...glow,
    ...(card.super ? rays(x, y, r) : []),
    ...orb(kind, x, y, r),
    ...(card.auto ? orbit(x, y, r) : []),
  ];
}

/**
 * The sun: whole, ringed or striped; or the moon.
 * @param {number} kind @param {number} x @param {number} y @param {number} r
 */
function orb(kind, x, y, r) {
  if (kind === 1)
    return [
      s.path(
        `M${s.round(x)} ${s.round(y - r)}A${s.round(r)} ${s.round(r)} 0 1 0 ${s.round(x + r)} ${s.round(y)}A${s.round(r * 0.78)} ${s.round(r * 0.78)} 0 0 1 ${s.round(x)} ${s.round(y - r)}Z`,
        "orb",
      ),
    ];
  if (kind === 2) return [s.disc(x, y, r * 0.78, "orb"), s.disc(x, y, r, "line thin orb-ring")];
  if (kind === 3)
    return [
      s.disc(x, y, r, "orb"),
      ...[0.25, 0.5, 0.75].map((part) => s.box(x - r, y + r * part, 2 * r, r * 0.09, 0, "sky")),
    ];
  return [s.disc(x, y, r, "orb")];
}

/**
 * A crown of light: Super (D17).
 * @param {number} x @param {number} y @param {number} r
 */
function rays(x, y, r) {
  return Array.from({ length: 16 }, (_, i) =>
    s.at(x, y, 1, i * 22.5, s.path(`M-2.2 ${-r - 3}L0 ${-r - (i % 2 ? 9 : 15)}L2.2 ${-r - 3}Z`, "orb")),
  );
}

/**
 * It comes round by itself: Auto (D5).
 * @param {number} x @param {number} y @param {number} r
 */
function orbit(x, y, r) {
  return [s.disc(x, y, r + 5, "line thin dashed"), s.at(x + r + 5, y + 1, 0.8, 0, s.path("M-3.5-2L0 4L3.5-2Z", "f"))];
}

/** @param {Dice} dice */
function land(dice) {
  const shapes = [];
  const kind = Math.floor(dice() * 3);
  if (kind === 0)
    shapes.push(mesa(12 + dice() * 24, 15 + dice() * 14, dice), mesa(66 + dice() * 26, 12 + dice() * 12, dice));
  if (kind === 1) shapes.push(s.path(ridge(dice), "far"));
  const [a, b, c] = [dice() * 8, dice() * 8, dice() * 8];
  shapes.push(
    s.path(
      `M-1 ${GROUND - 4 + a}Q${20 + b} ${GROUND - 12 + c} 46 ${GROUND - 1}T${WIDE + 1} ${GROUND - 8 + b}V${HIGH + 1}H-1Z`,
      "mid-land",
    ),
  );
  if (kind === 2)
    shapes.push(
      s.at(10 + dice() * 18, GROUND + 3, 0.55, 0, ...dim(s.cactus(0))),
      s.at(80 + dice() * 14, GROUND + 1, 0.45, 0, ...dim(s.cactus(0))),
    );
  shapes.push(
    s.path(
      `M-1 ${GROUND + 5 - a * 0.5}Q${30 + c * 3} ${GROUND - 2 + b} ${WIDE + 1} ${GROUND + 4 + c * 0.6}V${HIGH + 1}H-1Z`,
      "near",
    ),
  );
  return shapes;
}

/**
 * Far mountains.
 * @param {Dice} dice
 */
function ridge(dice) {
  const [a, b, c, d, e] = [dice() * 14, dice() * 10, dice() * 8, dice() * 14, dice() * 12].map(s.round);
  return `M-1 ${GROUND + 4}L${10 + a} ${48 + b}L${34 + c} ${GROUND}L${62 + d} ${50 + e}L${WIDE + 1} ${GROUND + 2}V${HIGH}H-1Z`;
}

/** @param {SVGElement[]} shapes */
const dim = (shapes) => [svg("g", { class: "dim" }, ...shapes)];

/** @param {number} x @param {number} high @param {Dice} dice */
function mesa(x, high, dice) {
  const half = 7 + dice() * 9;
  return s.path(
    `M${s.round(x - half - 4)} ${GROUND + 4}L${s.round(x - half)} ${s.round(GROUND - high)}H${s.round(x + half)}L${s.round(x + half + 5)} ${GROUND + 4}Z`,
    "far",
  );
}

/**
 * The turns of a card that works later or longer (D22).
 * @param {Card} card
 */
function timeline(card) {
  if (card.last === 0) return [];
  const n = Math.min(card.last, 7);
  const step = Math.min(13, 76 / n);
  return Array.from({ length: n + 1 }, (_, age) => {
    const x = WIDE / 2 + (age - n / 2) * step;
    const y = 9 + ((age - n / 2) / (n / 2)) ** 2 * 2.5;
    const due = card.effects.some((e) => e.first <= age && age <= e.last);
    return svg("g", { class: "moment" }, s.disc(x, y, 5, "time-back"), s.disc(x, y, due ? 3.7 : 3, due ? "time due" : "time wait"));
  });
}

// ---------------------------------------------------------------- figures

/** Where one, two or three figures stand: x, y and size. */
const PLACES = [
  [[52, 89, 1.45]],
  [
    [36, 87, 1.08],
    [78, 92, 0.86],
  ],
  [
    [25, 86, 0.8],
    [52, 94, 0.86],
    [82, 88, 0.74],
  ],
];

/** @param {Effect[]} shown @param {Dice} dice */
function figures(shown, dice) {
  return shown.map((effect, i) => {
    const [x, y, size] = PLACES[shown.length - 1][i];
    const look = `fig fig-${effect.look}${effect.opponent ? " theirs" : ""}`;
    const shapes = [...backdrop(effect), ...figure(effect, dice)];
    return svg("g", { class: look }, s.at(x, y, size, 0, ...shapes));
  });
}

/**
 * What a condition looks like, behind the figure (D23).
 * @param {Effect} effect
 */
function backdrop(effect) {
  if (effect.condition === "attacked" && effect.look !== "attack") return [s.at(-17, 2, 0.7, 0, ...s.cactus(6))];
  if (effect.condition === "health")
    return [
      s.at(
        effect.look === "attack" ? -14 : 15,
        -20,
        0.75 + (50 - Math.min(effect.threshold, 50)) / 90,
        0,
        ...s.heart(),
      ),
    ];
  if (effect.condition === "no_card") return [s.at(0, -19, 0.95, 0, ...s.paw("line thin"))];
  if (effect.condition === "not_attacked")
    return [s.at(14, -20, 0.9, 0, s.path("M0-7A7 7 0 1 0 6.5 2A5.5 5.5 0 0 1 0-7Z", "f"))];
  return [];
}

/** @param {Effect} effect @param {Dice} dice @returns {SVGElement[]} */
function figure(effect, dice) {
  if (effect.look === "attack") return attack(effect, dice);
  if (effect.look === "block") return block(effect, dice);
  if (effect.look === "heal") return heal(effect, dice);
  if (effect.look === "draw") return draw(effect, dice);
  if (effect.action === "set_aside_this")
    return [...row(s.star, 3, 11, 0.9, [0, 0, 0], 6), s.at(0, 0, 0.8, 0, ...s.flame())];
  return effect.opponent ? strip(effect) : price(effect);
}

/**
 * The same shape `n` times side by side, the middle ones taller.
 * @param {() => SVGElement[]} shape @param {number} n @param {number} gap @param {number} size @param {number[]} turn @param {number} [rise]
 */
function row(shape, n, gap, size, turn = [0], rise = 0) {
  const [lean = 0] = turn;
  return Array.from({ length: n }, (_, i) => {
    const off = i - (n - 1) / 2;
    const tall = size * (1.12 - Math.abs(off) * (0.34 / Math.max(n, 2)));
    return s.at(off * gap, -rise * (1 - Math.abs(off) / n), tall, off * lean, ...shape());
  });
}

/**
 * How many shapes tell an amount.
 * @param {number} amount @param {number} each @param {number} most
 */
const many = (amount, each, most) => Math.max(1, Math.min(most, Math.round(amount / each)));

/** @param {Effect} e @param {Dice} dice */
function attack(e, dice) {
  const size = 0.85 + Math.min(e.amount, 40) / 45;
  const n = many(e.amount, 4, 7);
  if (e.per === "hand") return row(() => s.coyote(), Math.min(e.amount, 5), 14, 0.85);
  if (e.per === "opponent_hand")
    return Array.from({ length: e.amount }, (_, i) =>
      s.at(i % 2 ? 10 : -10, -5 - Math.floor(i / 2) * 13, 1.15, 0, ...s.eye()),
    );
  if (e.per === "discard") return heap(e.amount * 2 + 2);
  if (e.condition === "attacked")
    return s.cactus(Math.min(4 + e.amount, 22)).map((shape) => s.at(0, 0, size, 0, shape));
  if (e.first > 0 && e.turns === 1) return dice() < 0.45 ? hunt(e, size) : storm(e, size);
  if (e.turns > 1) return row(s.flame, e.turns, 13, size + 0.35, [0]);
  if (e.condition === "no_card") return jaws(Math.max(3, n), size * 0.9);
  const kind = Math.floor(dice() * 3);
  if (kind === 0) return row(s.claw, n, 8, 1.25 + e.amount / 60, [0], 3).map((shape) => s.at(2, -6, 1, 24, shape));
  if (kind === 1) return jaws(Math.max(3, n), size);
  return row(s.flame, n, 46 / (n + 2), size + 0.15, [4], 2);
}

/**
 * An open mouth with so many teeth above, and one less below.
 * @param {number} n @param {number} size
 */
function jaws(n, size) {
  const half = 7 + n * 4.5;
  const width = (1.5 * half) / n;
  /** @param {number} x @param {number} depth where the lip is at x */
  const lip = (x, depth) => s.round(depth * (1 - (x / half) ** 2));
  /** @param {number} x @param {number} depth @param {string} look */
  const tooth = (x, depth, look) =>
    s.path(
      `M${s.round(x - width / 2)} ${lip(x - width / 2, depth)}L${s.round(x)} ${s.round(lip(x, depth) - depth * 0.8)}L${s.round(x + width / 2)} ${lip(x + width / 2, depth)}Z`,
      look,
    );
  const upper = Array.from({ length: n }, (_, i) => tooth((i - (n - 1) / 2) * width, -13, "f"));
  const lower = Array.from({ length: n - 1 }, (_, i) => tooth((i - (n - 2) / 2) * width, 12, "g"));
  const mouth = s.path(`M${-half} 0Q0-26 ${half} 0Q0 24 ${-half} 0Z`, "d");
  return [s.at(0, -13, Math.min(size * 1.15, 27 / half), -4, mouth, ...lower, ...upper)];
}

/**
 * Tracks that lead here, and eyes at their end.
 * @param {Effect} e @param {number} size
 */
function hunt(e, size) {
  const n = 2 + Math.min(e.first, 3);
  const tracks = Array.from({ length: n }, (_, i) =>
    s.at(-16 + i * (30 / n), 3 - i * 3.6, 0.62 - i * 0.06, 38, ...s.paw()),
  );
  return [...tracks, s.at(1, -27, size * 0.95, 8, ...s.eye()), s.at(18, -27, size * 0.95, -8, ...s.eye())];
}

/** @param {Effect} e @param {number} size */
function storm(e, size) {
  const n = many(e.amount, 6, 6);
  return [
    ...row(s.bolt, n, 42 / (n + 2) + 4, size * 0.95, [0]).map((shape) => s.at(0, -1, 1, 0, shape)),
    s.at(-8, -19, 0.95, 0, ...s.cloud()),
    s.at(13, -17, 0.75, 0, ...s.cloud()),
  ];
}

/**
 * Bones lying across each other.
 * @param {number} n
 */
function heap(n) {
  return Array.from({ length: n }, (_, i) => {
    const level = Math.floor((Math.sqrt(8 * (n - i - 1) + 1) - 1) / 2);
    return s.at(((i * 37) % 29) - 14, -2 - (3 - Math.min(level, 3)) * 5, 1.05, ((i * 53) % 70) - 35, ...s.bone());
  });
}

/** @param {Effect} e @param {Dice} dice */
function block(e, dice) {
  if (e.amount < 0) return e.turns > 1 ? [...s.dome(4), ...row(s.star, e.turns, 14, 0.8, [0], 4)] : s.dome(4);
  if (e.per === "hand")
    return [...s.wall(2, 4), ...row(() => s.coyote("g"), 3, 13, 0.75).map((shape) => s.at(0, -10, 1, 0, shape))];
  if (e.per === "opponent_hand")
    return [...s.wall(2, 5), s.at(-9, -18, 1.1, 0, ...s.eye()), s.at(9, -18, 1.1, 0, ...s.eye())];
  if (e.per === "discard")
    return [
      ...row(s.bone, 5, 9, 1.15).map((shape, i) => s.at((i - 2) * 9, -8, 1, 90, ...s.bone())),
      s.at(0, -5, 2.4, 0, ...s.bone()),
    ];
  if (e.turns > 1)
    return Array.from({ length: e.turns }, (_, i) =>
      s.at((i - (e.turns - 1) / 2) * 18, i % 2 ? 2 : -2, 0.9, 0, ...s.wall(3 + (i % 2), 2)),
    );
  if (dice() < 0.4) return s.rock(11 + e.amount * 0.75).map((shape) => s.at(0, 0, 0.75 + e.amount / 40, 0, shape));
  return s.wall(many(e.amount, 3, 6), 2 + Math.min(3, Math.floor(e.amount / 4)));
}

/** @param {Effect} e @param {Dice} dice */
function heal(e, dice) {
  if (e.per === "hand")
    return [
      s.at(0, -1, 1, 0, s.path("M-22 2A22 21 0 0 1 22 2Z", "g")),
      ...row(() => s.paw(), e.amount, 12, 0.8).map((shape) => s.at(0, -2, 1, 0, shape)),
    ];
  if (e.per === "discard")
    return [
      s.at(0, 0, 1.5, 4, ...s.bone()),
      ...row(s.leaf, 1 + e.amount * 2, 9, 0.8, [16]).map((shape) => s.at(0, -3, 1, 0, shape)),
    ];
  if (e.per)
    return [...s.pool(1, 24), ...row(s.heart, e.amount, 11, 0.85, [0], 4).map((shape) => s.at(0, -13, 1, 0, shape))];
  if (e.turns > 1)
    return [
      s.at(18, -1, 1.1, 0, ...palm()),
      ...s.pool(e.turns, 25),
      ...row(s.drop, e.turns, 9, 0.55).map((shape) => s.at(-5, -8, 1, 0, shape)),
    ];
  const n = many(e.amount, 3, 9);
  if (dice() < 0.5) return row(s.leaf, n, 3.4, 1.15 + e.amount / 60, [90 / n]).map((shape) => s.at(0, 0, 1, 0, shape));
  return [
    ...s.pool(2, 16 + Math.min(e.amount, 30) * 0.35),
    ...row(s.drop, Math.min(n, 5), 9.5, 0.62 + e.amount / 200, [0], 7).map((shape) => s.at(0, -9, 1, 0, shape)),
  ];
}

function palm() {
  return [
    s.path("M0 0Q-2-10 1-20", "line mid"),
    ...[-75, -35, 5, 45, 80].map((turn) => s.at(1, -20, 0.75, turn, ...s.leaf())),
  ];
}

/** @param {Effect} e @param {Dice} dice */
function draw(e, dice) {
  const fan = row(s.page, e.amount, 7, 1.1, [e.amount > 1 ? 13 : 0], 2);
  if (e.opponent) return fan;
  return [
    ...fan,
    s.at(-15 + dice() * 6, -19 - dice() * 6, 0.55, 0, ...s.star()),
    s.at(13 + dice() * 5, -22 + dice() * 5, 0.75, 0, ...s.star()),
  ];
}

/**
 * What the opponent loses (D15, D16).
 * @param {Effect} e
 */
function strip(e) {
  const gone = e.action === "set_aside" ? [s.disc(0, -12, 17, "line thin dashed")] : [];
  if (e.zone === "play") return [...gone, ...s.whirl(6)];
  if (e.zone === "discard")
    return [...gone, ...s.funnel(Math.min(e.amount + 1, 4)), s.at(2, -5, 0.9, -28, ...s.bone())];
  if (e.zone === "deck")
    return [
      ...gone,
      ...s.cracks(Math.min(e.amount + 1, 5)),
      ...row(s.crow, many(e.amount, 4, 4), 13, 0.6, [5], 4).map((shape) => s.at(0, -24, 1, 0, shape)),
    ];
  return [
    ...gone,
    ...row(s.feather, Math.min(e.amount, 4), 10, 0.95, [22]).map((shape) => s.at(-3, 0, 1, 0, shape)),
    s.at(3, -23, 0.95, -6, ...s.crow()),
  ];
}

/**
 * What the owner gives for it.
 * @param {Effect} e
 */
function price(e) {
  return row(s.shard, Math.min(e.amount, 4), 9, 0.85, [18]);
}
