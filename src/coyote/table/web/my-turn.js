// @ts-check
// Whose turn it is, for somebody who looks elsewhere: in the title, in the icon, and where it is wanted by a
// notification of the system.
import { $, remember } from "./dom.js";
import { say } from "./words.js";

const KEY = "notify";

/** Whether this browser can notify at all, and has not been forbidden to. */
export function canNotify() {
  return isSecureContext && "Notification" in globalThis && Notification.permission !== "denied";
}

export function notifies() {
  return canNotify() && Notification.permission === "granted" && localStorage.getItem(KEY) === "on";
}

/**
 * Only ever asked for by a button.
 * @param {boolean} on
 */
export async function setNotify(on) {
  const granted = on && (await Notification.requestPermission()) === "granted";
  remember(KEY, granted ? "on" : "off");
  return granted;
}

export class MyTurn {
  constructor() {
    this.title = document.title;
    this.mine = false;
    /** @type {Notification | null} */
    this.notice = null;
    const icon = $("link[rel~='icon']");
    this.icon = icon instanceof HTMLLinkElement ? icon : null;
    this.usual = this.icon?.href ?? "";
    addEventListener("pagehide", () => this.badge(false));
    document.addEventListener("visibilitychange", () => !document.hidden && this.notice?.close());
  }

  /** @param {string} title of the page when nothing is asked for */
  name(title) {
    this.title = title;
    this.show("table.my_turn.title");
  }

  /**
   * @param {boolean} mine whether something is asked for
   * @param {string} key how the title says it
   * @param {string} body what happened
   * @returns {boolean} whether it has just begun
   */
  tell(mine, key, body) {
    const begins = mine && !this.mine;
    this.mine = mine;
    this.show(key);
    this.badge(mine);
    if (begins && document.hidden) this.notify(say(key), body);
    if (!mine) this.notice?.close();
    return begins;
  }

  /** @param {string} key */
  show(key) {
    document.title = this.mine ? `● ${say(key)} · ${this.title}` : this.title;
    if (this.icon) this.icon.href = this.mine ? new URL("icon-turn.svg", import.meta.url).href : this.usual;
  }

  /**
   * The number on the icon of an installed page.
   * @param {boolean} on
   */
  badge(on) {
    const told = on ? navigator.setAppBadge?.(1) : navigator.clearAppBadge?.();
    told?.catch(() => {}); // a page that is not installed has none
  }

  /** @param {string} title @param {string} body */
  notify(title, body) {
    if (!notifies()) return;
    try {
      this.notice = new Notification(`${title} · ${this.title}`, { body, tag: location.pathname, icon: this.usual });
      this.notice.onclick = () => focus();
    } catch {
      // Some phones let only installed pages notify.
    }
  }
}
