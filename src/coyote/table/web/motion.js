// @ts-check
// Cards travel from where they were to where they are now. With reduced motion they fade in instead.
import { calm } from "./dom.js";

const EASE = "cubic-bezier(.2,.8,.2,1)";

/** @typedef {{left: number, top: number, width: number, height: number}} Place */

/**
 * The middle and the width are compared, so that a card that also turns on its side arrives rightly.
 * @param {Element} element
 * @param {Place} from
 * @param {{delay?: number, turn?: number, duration?: number}} [how]
 */
export function travel(element, from, how = {}) {
  const { delay = 0, turn = 0, duration = 280 } = how;
  if (calm()) return fade(element);
  const to = element.getBoundingClientRect();
  if (!to.width || !from.width) return;
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  // A card on its side is as wide as it was high.
  const scale = Math.min(from.width, from.height) / Math.min(to.width, to.height);
  if (Math.abs(x) < 1 && Math.abs(y) < 1 && Math.abs(scale - 1) < 0.02) return;
  const frames = [{ transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})` }, { transform: "none" }];
  lift(element, element.animate(frames, { duration, delay, easing: EASE, fill: "backwards" }));
}

/** @param {Element} element */
export function fade(element) {
  element.animate([{ opacity: 0.15 }, { opacity: 1 }], { duration: 160 });
}

/**
 * A picture of something that is no longer there, on its way.
 * @param {HTMLElement} ghost
 * @param {Place} from
 * @param {Place} to
 * @param {{delay?: number, host?: HTMLElement}} [how]
 */
export function fly(ghost, from, to, how = {}) {
  if (calm()) return;
  const { delay = 0, host = document.body } = how;
  pin(ghost, from);
  host.append(ghost);
  const x = to.left + to.width / 2 - (from.left + from.width / 2);
  const y = to.top + to.height / 2 - (from.top + from.height / 2);
  const scale = Math.min(to.width, to.height) / Math.min(from.width, from.height);
  const frames = [
    { transform: "none", opacity: 1 },
    { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 1, offset: 0.85 },
    { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 0 },
  ];
  ghost.animate(frames, { duration: 320, delay, easing: EASE, fill: "both" }).onfinish = () => ghost.remove();
}

/**
 * Keep something at a place of the window, above everything.
 * @param {HTMLElement} ghost
 * @param {Place} at
 */
export function pin(ghost, at) {
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.setProperty("left", `${at.left}px`);
  ghost.style.setProperty("top", `${at.top}px`);
  ghost.style.setProperty("--card-w", `${Math.min(at.width, at.height)}px`);
}

/**
 * What moves lies above what does not.
 * @param {Element} element
 * @param {Animation} motion
 */
function lift(element, motion) {
  element.classList.add("moving");
  const land = () => element.classList.remove("moving");
  motion.onfinish = land;
  motion.oncancel = land;
}
