// Run in a page: what is wrong with how it stands in its window, in short lines.
(touch) => {
  const PRESSED = "button, a[href], input:not([type=hidden]), select, textarea, summary";
  const SOLID = ".playing-card, .duel-card, .health";
  // What lies on a card, or over another of its row, on purpose.
  const TOGETHER = "[data-scroll], .stack, .slot, .fan, .d-pile, .centre, .pile, .health, .text-box";
  const LEAST_TARGET = 39.5;
  const LEAST_CARD = 27.5;
  const faults = new Set();

  const name = (one) => {
    const el = one.nodeType === Node.TEXT_NODE ? one.parentElement : one;
    const say = (part) => {
      const extra = ["place", "act", "held", "control"].filter((key) => part.dataset?.[key]);
      const classes = [...part.classList].filter((each) => !/^(main-|size-|of-\d)/.test(each)).slice(0, 2);
      return [part.tagName.toLowerCase(), part.id && `#${part.id}`, ...classes.map((each) => `.${each}`)]
        .concat(extra.map((key) => `[${key}=${part.dataset[key]}]`))
        .filter(Boolean)
        .join("");
    };
    const holder = el.parentElement?.closest("[class]");
    const words = one.nodeType === Node.TEXT_NODE ? ` "${one.textContent.trim().slice(0, 24)}"` : "";
    return `${holder && holder !== document.body ? `${say(holder)} > ` : ""}${say(el)}${words}`;
  };

  const styles = new Map();
  const styleOf = (el) => styles.get(el) ?? styles.set(el, getComputedStyle(el)).get(el);
  const shown = new Map();
  const seen = (el) => {
    if (!el || el === document.documentElement) return true;
    if (!shown.has(el)) shown.set(el, seenItself(el) && seen(el.parentElement));
    return shown.get(el);
  };
  const seenItself = (el) =>
    !el.matches(".visually-hidden, [hidden], [inert], .ghost, .coming, .skip") &&
    !styleOf(el).clipPath.startsWith("inset(50%") &&
    el.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
  const chains = new Map();
  function chain(el) {
    if (!el || el === document.documentElement) return [];
    if (!chains.has(el)) chains.set(el, [el, ...chain(el.parentElement)]);
    return chains.get(el);
  }

  // What of a place is seen through everything that clips it; and whether scrolling would show the rest.
  const clipped = (el, { left, top, right, bottom }, own = false) => {
    let scrolls = false;
    for (const part of own ? chain(el) : chain(el).slice(1)) {
      const { overflowX, overflowY, position } = styleOf(part);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const box = part.getBoundingClientRect();
      const before = [left, top, right, bottom].join();
      if (overflowX !== "visible") [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (overflowY !== "visible") [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      if (before !== [left, top, right, bottom].join() && /auto|scroll/.test(overflowX + overflowY)) scrolls = true;
      if (position === "fixed") break;
    }
    return { left, top, right, bottom, scrolls, empty: right - left < 1 || bottom - top < 1 };
  };
  const layer = (el) =>
    chain(el).find((part) => ["fixed", "sticky"].includes(styleOf(part).position) || part.matches("dialog[open]")) ?? null;

  // ---- everything that counts
  const things = [];
  const pressed = [...document.querySelectorAll(PRESSED)].filter((el) => seen(el) || el.closest("label"));
  const target = (el) => (el.matches("input") ? (el.closest("label") ?? el) : el);
  const targets = [...new Set(pressed.map(target))].filter(seen);
  for (const el of targets) {
    const box = clipped(el, el.getBoundingClientRect());
    if (!box.empty) things.push({ el, node: el, box });
    else if (!box.scrolls && !el.matches(":disabled")) faults.add(`lost: ${name(el)}`);
  }
  for (const el of document.querySelectorAll(SOLID)) {
    if (!seen(el) || el.closest("button, a, svg")) continue;
    const box = clipped(el, el.getBoundingClientRect());
    if (!box.empty) things.push({ el, node: el, box });
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    if (!node.textContent.trim() || el.closest(`${SOLID}, svg, script, style, option, .badge, .deeds, .countdown, .digit, .float`))
      continue;
    if (!seen(el)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const slack = rect.height * 0.2;
      const { left, right } = rect;
      const box = clipped(el, { left, right, top: rect.top + slack, bottom: rect.bottom - slack }, true);
      if (!box.empty) things.push({ el, node, box });
      const holder = el.closest("button, .button, .chip");
      if (!holder || el.closest(".caption") || box.empty || styleOf(holder).overflow !== "visible") continue;
      const edge = holder.getBoundingClientRect();
      if (rect.right > edge.right + 2 || rect.left < edge.left - 2 || rect.bottom - slack > edge.bottom + 2)
        faults.add(`spills: ${name(node)}`);
    }
  }

  // ---- nothing wider than the window
  if (document.documentElement.scrollWidth > innerWidth + 1) {
    faults.add(`wide: ${document.documentElement.scrollWidth} px`);
    for (const { node, box } of things) if (box.right > innerWidth + 1) faults.add(`outside: ${name(node)}`);
  }
  for (const { node, box } of things)
    if (box.left < -1 || (box.right > innerWidth + 1 && !layer(node.parentElement))) faults.add(`outside: ${name(node)}`);

  // ---- nothing over anything else
  const layers = new Map(things.map((one) => [one, layer(one.el)]));
  things.sort((one, two) => one.box.top - two.box.top);
  things.forEach((one, i) => {
    for (let j = i + 1; j < things.length && things[j].box.top < one.box.bottom - 2; j++) {
      const two = things[j];
      if (one.el.contains(two.el) || two.el.contains(one.el) || layers.get(one) !== layers.get(two)) continue;
      const wide = Math.min(one.box.right, two.box.right) - Math.max(one.box.left, two.box.left);
      const high = Math.min(one.box.bottom, two.box.bottom) - Math.max(one.box.top, two.box.top);
      if (wide <= 2 || high <= 2) continue;
      const together = one.el.closest(TOGETHER);
      if (together && together.contains(two.el)) continue;
      const row = two.el.closest(TOGETHER);
      if (row && row.contains(one.el)) continue;
      const some = (what) => [one, two].some((each) => each.el.closest(what));
      if ((some(".moment") && some(".piles")) || (some(".number") && some(".place"))) continue;
      faults.add(`overlap: ${name(one.node)} and ${name(two.node)}`);
    }
  });

  // ---- large enough for a finger, and cards large enough to be read
  if (touch)
    for (const el of targets) {
      const box = el.getBoundingClientRect();
      const inText = el.matches("a, summary") && styleOf(el).display.startsWith("inline") && !el.matches(".button");
      if (inText || el.matches(":disabled")) continue;
      const least = el.closest("[data-scroll]") ? 27.5 : LEAST_TARGET;
      if (box.height < LEAST_TARGET && !el.closest("[data-scroll]")) faults.add(`low: ${name(el)} ${Math.round(box.height)} px`);
      if (box.width < least) faults.add(`narrow: ${name(el)} ${Math.round(box.width)} px`);
    }
  for (const el of document.querySelectorAll("madness-table .playing-card, duel-table .duel-card")) {
    const box = el.getBoundingClientRect();
    if (seen(el) && !el.closest(".their-hand:not(.open)") && Math.min(box.width, box.height) < LEAST_CARD)
      faults.add(`tiny: ${name(el)} ${Math.round(box.width)} px`);
  }

  // ---- everything can be scrolled to, and nothing is in front of it
  const places = new Map();
  const at = (el, x, y) => {
    const found = document.elementFromPoint(x, y);
    return found && (el.contains(found) || found.contains(el) && found.matches("label"));
  };
  const free = (el) => {
    const { left, top, right, bottom, empty } = clipped(el, el.getBoundingClientRect());
    if (empty) return false;
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    if (at(el, x, y)) return true;
    return Boolean(el.closest("[data-scroll], p, li, dd")) && (at(el, left + 6, y) || at(el, right - 4, y) || at(el, left + 6, top + 4));
  };
  for (const el of targets.slice(0, 120)) {
    if (el.matches(":disabled") || (el.closest(".piles") && document.querySelector(".moment"))) continue;
    if (free(el)) continue;
    for (const part of chain(el)) if (!places.has(part)) places.set(part, [part.scrollLeft, part.scrollTop]);
    el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    if (!free(el)) faults.add(`under: ${name(el)}`);
  }
  for (const [part, [left, top]] of places) part.scrollTo({ left, top, behavior: "instant" });
  scrollTo({ top: 0, behavior: "instant" });
  return [...faults].slice(0, 40);
}
