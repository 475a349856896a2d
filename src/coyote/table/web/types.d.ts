// Elements of our own, and those that TypeScript 4.8 does not know yet.
import type { MadnessTable } from "./madness-table.js";

export interface GameTable extends HTMLElement {
  show(state: {
    view: any;
    legal: string[];
    events?: any[];
    seat: number;
    names: (string | null)[];
    open?: any;
  }): void;
  busy: boolean;
  refused(): void;
  highlight(move: string | null): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "madness-table": MadnessTable;
    "duel-table": GameTable;
    search: HTMLElement;
  }
}
