// @ts-check
// One's name in the lobby. A name that was typed is taken: when one leaves the field, and at the latest when one plays.
import { ApiError, ensureGuest, myName, takeName } from "./api.js";
import { h } from "./dom.js";
import { showError } from "./shell.js";
import { say } from "./words.js";

export class NameBox {
  constructor() {
    /** @type {Promise<void> | null} */
    this.taking = null;
    this.input = h("input", { type: "text", id: "my-name", value: myName(), maxlength: 40, autocomplete: "nickname" });
    this.button = h("button", { type: "submit", disabled: true }, say("lobby.rename"));
    this.told = h("p", { class: "name-told", role: "status", hidden: true });
    this.element = h(
      "form",
      { class: "panel name-box" },
      h("label", { for: "my-name" }, say("lobby.name")),
      h("div", { class: "row" }, this.input, this.button),
      this.told,
      h("p", { class: "note" }, h("a", { href: "/me" }, say("me.carry.title"))),
    );
    this.input.addEventListener("input", () => {
      this.button.disabled = !this.differs;
      this.told.hidden = true;
    });
    this.input.addEventListener("change", () => this.attempt());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.attempt();
    });
  }

  get typed() {
    return this.input.value.trim();
  }

  get differs() {
    return this.typed !== "" && this.typed !== myName();
  }

  /** Whoever sits down is called as they have typed. */
  async settle() {
    if (this.differs) await this.take();
    else await ensureGuest();
  }

  async attempt() {
    // Leaving the field and pressing the button are one wish.
    if (this.taking || !this.differs) return;
    try {
      await this.take();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showError(error.text);
    }
  }

  take() {
    this.taking ??= this.send().finally(() => (this.taking = null));
    return this.taking;
  }

  async send() {
    this.input.value = await takeName(this.typed);
    this.button.disabled = true;
    this.told.textContent = say("lobby.renamed", { name: this.input.value });
    this.told.hidden = false;
  }
}
