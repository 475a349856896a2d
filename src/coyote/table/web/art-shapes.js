// @ts-check
// The shapes that card art is made of. Each stands on its origin, about 15 units tall, and takes its colour from
// a class: `f` is light, `g` an accent, `d` dark; `line` is an outline. duel-card.css says what these are.
import { svg } from "./dom.js";

/** @typedef {SVGElement} Shape */

/** @param {string} d @param {string} look @returns {Shape} */
export const path = (d, look) => svg("path", { d, class: look });

/** @param {number} x @param {number} y @param {number} r @param {string} look @returns {Shape} */
export const disc = (x, y, r, look) => svg("circle", { cx: round(x), cy: round(y), r: round(r), class: look });

/** @param {number} x @param {number} y @param {number} rx @param {number} ry @param {string} look */
export const oval = (x, y, rx, ry, look) =>
  svg("ellipse", { cx: round(x), cy: round(y), rx: round(rx), ry: round(ry), class: look });

/** @param {number} x @param {number} y @param {number} w @param {number} h @param {number} r @param {string} look */
export const box = (x, y, w, h, r, look) =>
  svg("rect", { x: round(x), y: round(y), width: round(w), height: round(h), rx: r, class: look });

/**
 * Shapes moved to a place, made larger or smaller, and turned.
 * @param {number} x @param {number} y @param {number} size @param {number} turn @param {...Shape} shapes
 */
export const at = (x, y, size, turn, ...shapes) =>
  svg("g", { transform: `translate(${round(x)} ${round(y)}) rotate(${round(turn)}) scale(${round(size)})` }, ...shapes);

/** @param {number} n */
export const round = (n) => Math.round(n * 100) / 100;

export const flame = () => [
  path(
    "M0 0C-5-1-6.5-5.5-3.5-9.5C-2.8-7.8-2-7-1-7C-1.8-10.5.4-13.5 2.2-16C2.2-11.5 6.5-9 5.3-4C4.7-1.5 2.6 0 0 0Z",
    "f",
  ),
  path(
    "M.2-.8C-2.2-1.2-2.8-3.8-1.2-5.8C-.8-4.9-.4-4.6 0-4.7C0-6.3.7-7.3 1.3-8.2C1.7-6 3.6-4.8 2.9-2.6C2.5-1.3 1.4-.7.2-.8Z",
    "g",
  ),
];
export const claw = () => [
  path("M-2-19C.6-12 1.4-5 .4 4C-1.6-3-2.8-11-2-19Z", "f"),
  path("M-2-19C.6-12 1.4-5 .4 4C-.6-4-1-11-2-19Z", "g"),
];
export const bolt = () => [
  path("M1.5-17L-4.5-6.5H-.7L-3 2L5-9.5H1L4.5-17Z", "f"),
  path("M1.5-17L-4.5-6.5H-2.7L3-17Z", "g"),
];
export const spine = () => [path("M-1-0L0-9L1 0Z", "f")];
export const drop = () => [
  path("M0-12C4-6.5 5.2-4 5.2-1A5.2 5.2 0 0 1-5.2-1C-5.2-4-4-6.5 0-12Z", "f"),
  path("M-2.8-1.5A3 3 0 0 0-.4 1.8", "shine"),
];
export const leaf = () => [path("M0 0C-4-5-3.4-12 0-18C3.4-12 4-5 0 0Z", "f"), path("M0 0C3.4-5 3-12 0-18Z", "g")];
export const bone = () => [
  svg(
    "g",
    { class: "f" },
    box(-6.5, -1.3, 13, 2.6, 1.2, ""),
    disc(-6.6, -1.5, 1.9, ""),
    disc(-6.6, 1.5, 1.9, ""),
    disc(6.6, -1.5, 1.9, ""),
    disc(6.6, 1.5, 1.9, ""),
  ),
];
export const paw = (look = "f") => [
  path("M0-6C3.5-6 5.5-3 5-.8C4.5 1.5 2 .6 0 .6C-2 .6-4.5 1.5-5-.8C-5.5-3-3.5-6 0-6Z", look),
  oval(-5.6, -7, 1.7, 2.5, look),
  oval(-2.1, -9.6, 1.7, 2.7, look),
  oval(2.1, -9.6, 1.7, 2.7, look),
  oval(5.6, -7, 1.7, 2.5, look),
];
export const coyote = (look = "f") => [
  path(
    "M-6.5 0L-5.6-6.5C-5.5-9.5-4.8-11.5-3.2-13L-4.6-17.5L-9.2-22.4L-3.4-21.2L-1.4-24.6L.2-20.8C1.7-18 1.6-14.5 3.2-11.5C5.2-8 6.3-5 6.3-2.2C8.3-2.4 9.8-3.6 10.8-6.6C12.8-2.6 10.3 0 7 0Z",
    look,
  ),
];
export const eye = () => [path("M-5.5 0Q0-5 5.5 0Q0 5-5.5 0Z", "f"), oval(0, 0, 1.2, 2.6, "d")];
export const crow = () => [
  path("M-10-3C-6.5-7.5-3-6 0-1.5C3-6 6.5-7.5 10-3C6.5-4.5 3.5-2.5 1.6 1L0 4L-1.6 1C-3.5-2.5-6.5-4.5-10-3Z", "f"),
];
export const feather = () => [path("M0 0C-5-4-5-13 .5-19C4.5-13 4-4 0 0Z", "f"), path("M0 3L.3-15", "line thin")];
export const star = () => [path("M0-6Q.8-.8 6 0Q.8.8 0 6Q-.8.8-6 0Q-.8-.8 0-6Z", "f")];
export const heart = () => [
  path("M0 6C-9-1-6-9 0-4C6-9 9-1 0 6Z", "f"),
  path("M.4-4L-1.6-1.5L1.2.4L-.6 3.4", "line thin dark"),
];
export const page = () => [box(-5, -15, 10, 15, 1.6, "f edge"), path("M-2.6-7.5L0-11.5L2.6-7.5L0-3.5Z", "g")];
export const shard = () => [path("M-5-13L4-15L1.5-9.5L4.5-6L-.5-4.5L-1.5 0L-5-1Z", "f")];

/**
 * A saguaro; `spines` of them stand out.
 * @param {number} spines
 */
export const cactus = (spines) => [
  ...Array.from({ length: spines }, (_, i) => {
    const side = i % 2 ? 1 : -1;
    return at(side * 2.5, -3 - (i / spines) * 17, 0.75, side * (68 - i * 4), ...spine());
  }),
  path("M0 1V-20M0-7H-7.5V-13M0-5H7.5V-15", "line thick plant"),
  path("M-1 0V-19M6.5-6.5V-14.5M-8.5-8V-12.5", "line thin plant-light"),
];

/**
 * A wall of sand bricks.
 * @param {number} rows @param {number} wide
 */
export function wall(rows, wide) {
  const shapes = [];
  for (let row = 0; row < rows; row++) {
    const shift = row % 2 ? 5 : 0;
    for (let i = 0; i < wide + (row % 2 ? -1 : 0); i++) {
      shapes.push(
        box(-wide * 5 + i * 10 + shift, -5.2 * (row + 1), 9.2, 4.5, 1.1, (row * 3 + i * 2) % 5 === 1 ? "g" : "f"),
      );
    }
  }
  return shapes;
}

/**
 * Arches one in another: nothing comes through.
 * @param {number} n
 */
export const dome = (n) =>
  Array.from({ length: n }, (_, i) => {
    const r = 24 - i * 6;
    return path(`M${-r} 0A${r} ${r} 0 0 1 ${r} 0`, i % 2 ? "line mid accent" : "line mid");
  });

/**
 * A rock with its shade.
 * @param {number} wide
 */
export const rock = (wide) => [
  path(`M${-wide} 0L${-wide * 0.8}-14L${-wide * 0.35}-22L${wide * 0.4}-20L${wide * 0.75}-10L${wide} 0Z`, "f"),
  path(`M${wide * 0.1} 0L${wide * 0.05}-9L${wide * 0.4}-20L${wide * 0.75}-10L${wide} 0Z`, "g"),
];

/**
 * Water with ripples.
 * @param {number} rings @param {number} wide
 */
export const pool = (rings, wide) => [
  oval(0, 0, wide, wide * 0.24, "f"),
  ...Array.from({ length: rings }, (_, i) =>
    oval(0, 0, (wide * (i + 0.6)) / (rings + 0.6), (wide * 0.22 * (i + 0.6)) / (rings + 0.6), "line thin dark"),
  ),
];

/**
 * A whirlwind.
 * @param {number} rings
 */
export const whirl = (rings) =>
  Array.from({ length: rings }, (_, i) =>
    oval(i % 2 ? 1.8 : -1.8, -2 - i * 4.2, 2.5 + i * 2.7, 1.6 + i * 0.25, i % 3 === 1 ? "line mid accent" : "line mid"),
  );

/**
 * Sand that runs down a hole.
 * @param {number} rings
 */
export const funnel = (rings) =>
  Array.from({ length: rings }, (_, i) =>
    oval(0, -i * 2.2, 4 + i * 6.5, 1.4 + i * 1.7, i % 2 ? "line mid accent" : "line mid"),
  );

/**
 * Cracks in the ground.
 * @param {number} n
 */
export const cracks = (n) =>
  Array.from({ length: n }, (_, i) => {
    const x = (i - (n - 1) / 2) * 11;
    const lean = i % 2 ? 3 : -3;
    return path(
      `M${round(x)} 3L${round(x + lean)}-3L${round(x - lean * 0.4)}-8L${round(x + lean * 0.8)}-${14 + (i % 3) * 3}`,
      "line mid",
    );
  });

export const cloud = () => [
  path("M-17 0A6.5 6.5 0 0 1-13.5-11.5A9 9 0 0 1 3-14A7.5 7.5 0 0 1 14-8.5A4.6 4.6 0 0 1 14.5 0Z", "f"),
];

export const weed = () => [
  disc(0, -8, 8, "line thin"),
  path("M-7-9Q0-15 7-6M-7.5-6Q1-11 5-2M-5-2Q-4-13 3-15.5M-1 0Q4-8-3-15", "line thin"),
];
