// What is wrong with the pictures of a report as they are shown now: texts over each other, texts that stick out of
// their picture, letters that are hard to read.
() => {
  const faults = [];
  const shown = (element) => element.getClientRects().length > 0;

  const corners = (text) => {
    const box = text.getBBox();
    const matrix = text.getScreenCTM();
    const at = (x, y) => ({ x: matrix.a * x + matrix.c * y + matrix.e, y: matrix.b * x + matrix.d * y + matrix.f });
    const [left, right, top, bottom] = [box.x + 0.5, box.x + box.width - 0.5, box.y + 1.5, box.y + box.height - 1.5];
    return [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
  };

  // Two turned boxes are apart if they are so along a side of one of them.
  const apartAlong = (one, two, from, to) => {
    const [nx, ny] = [to.y - from.y, from.x - to.x];
    const along = (points) => points.map((point) => point.x * nx + point.y * ny);
    const [a, b] = [along(one), along(two)];
    return Math.max(...a) <= Math.min(...b) || Math.max(...b) <= Math.min(...a);
  };
  const overlap = (one, two) =>
    ![one, two].some((points) => [0, 1].some((k) => apartAlong(one, two, points[k], points[k + 1])));

  const light = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, two) => {
    const [low, high] = [light(one), light(two)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (text) => {
    const cell = text.closest(".on");
    const part = text.matches(".on-part") && text.parentElement.querySelector(".part");
    const behind = part || (cell && text.ownerSVGElement.querySelector(`.cell.${cell.classList[1]}`));
    return behind ? getComputedStyle(behind).fill : getComputedStyle(text.closest("section")).backgroundColor;
  };

  for (const picture of document.querySelectorAll("figure svg")) {
    if (!shown(picture)) continue;
    const frame = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll("text")].map((text) => ({ text, said: text.textContent, box: corners(text) }));
    if (!texts.length) faults.push("a picture without a word");
    for (const { text, said, box } of texts) {
      if (!said.trim()) faults.push("an empty text");
      for (const { x, y } of box) {
        if (x < frame.left - 1 || x > frame.right + 1 || y < frame.top - 1 || y > frame.bottom + 1) {
          faults.push(`out of the picture: ${said}`);
          break;
        }
      }
      const found = contrast(getComputedStyle(text).fill, ground(text));
      if (found < 4.5) faults.push(`hard to read (${found.toFixed(2)}): ${said}`);
    }
    texts.forEach((one, n) => {
      for (const two of texts.slice(n + 1)) {
        if (overlap(one.box, two.box)) faults.push(`«${one.said}» over «${two.said}»`);
      }
    });
  }
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} wide in a window of ${innerWidth}`);
  return faults;
}
