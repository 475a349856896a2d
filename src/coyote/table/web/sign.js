// @ts-check
// Small pictures for buttons, all of one hand.
import { svg } from "./dom.js";

/**
 * @param {string} path lines in a square of 24
 * @param {Record<string, string | number>} [look] what is different about it
 */
export function sign(path, look = {}) {
  const usual = {
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 2,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  return svg(
    "svg",
    { viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true", ...usual, ...look },
    svg("path", { d: path }),
  );
}
