// @ts-check
// Dragging with finger, pen or mouse. A press that hardly moves stays a tap.

const FAR = 8; // pixels that make a tap a drag

/**
 * @typedef {object} Drag
 * @property {(at: {x: number, y: number}) => void} start
 * @property {(at: {x: number, y: number}) => void} move
 * @property {(at: {x: number, y: number} | null) => void} end null where it was broken off
 */

/**
 * Make an element draggable. `begin` may refuse by returning null.
 * @param {HTMLElement} element
 * @param {() => Drag | null} begin
 */
export function draggable(element, begin) {
  element.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    /** @type {Drag | null} */
    let drag = null;
    const ended = new AbortController();
    const { signal } = ended;
    const at = (/** @type {PointerEvent} */ event) => ({ x: event.clientX, y: event.clientY });
    // A finger that goes along a row with more cards than fit wants to see the others.
    const along = down.pointerType === "touch" && element.closest("[data-crowded]") ? 0 : 1;
    const gone = (/** @type {PointerEvent} */ event) =>
      Math.hypot(along * (event.clientX - down.clientX), event.clientY - down.clientY);

    const moved = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== down.pointerId) return;
      if (!drag && gone(event) < FAR) return;
      if (!drag) {
        drag = begin();
        if (!drag) return ended.abort();
        drag.start(at(down));
      }
      drag.move(at(event));
    };
    const finish = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== down.pointerId) return;
      ended.abort();
      if (!drag) return;
      swallowClick();
      drag.end(event.type === "pointerup" ? at(event) : null);
    };
    addEventListener("pointermove", moved, { signal });
    addEventListener("pointerup", finish, { signal });
    addEventListener("pointercancel", finish, { signal });
  });
}

/**
 * Whether a finger was lifted where it came down.
 * @param {PointerEvent} down
 * @param {PointerEvent} up
 */
export function isTap(down, up) {
  return Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) < FAR;
}

/** The click that a browser may send after a drag is none. */
export function swallowClick() {
  const stop = (/** @type {Event} */ event) => event.stopPropagation();
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }), 50);
}
