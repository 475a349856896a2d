// @ts-check
// Copying, also where a browser gives no clipboard: a table at home has no https.

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it is in the clipboard now
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyTheOldWay(text);
  }
}

/** @param {string} text */
function copyTheOldWay(text) {
  const focused = document.activeElement;
  const held = document.createElement("textarea");
  held.value = text;
  held.className = "visually-hidden";
  document.body.append(held);
  held.select();
  const copied = document.execCommand("copy");
  held.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
