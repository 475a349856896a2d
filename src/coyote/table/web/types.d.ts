// Types that are the pages' own: `wire.d.ts` has those of all that the server tells.
import type { EventJson, OpenHands, Update, View } from "./wire";

/** What a table shows: one view, what may be done now, and what happened since it was shown last. */
export interface TableState<V extends View = View> {
  view: V;
  legal: string[];
  events?: EventJson[];
  seat: number;
  names: (string | null)[];
  open?: OpenHands | null;
}

/** The table of a game. It tells of a choice by the event `move`, of one that is not offered by `attempt`. */
export interface GameTable extends HTMLElement {
  /** Resolves when the motion that leads to the situation has ended. */
  show(state: TableState): Promise<void>;
  /** End the motion that runs, and show at once what waits for it. */
  skip(): void;
  /** A factor of how long motions take; 0 for none. */
  pace: number;
  busy: boolean;
  refused(): void;
  highlight(move: string | null): void;
  /** The name of a card, where cards have names. */
  nameOf?(card: string): string;
}

/** An update with all that a page asks for. */
export type FullUpdate = Update & Required<Pick<Update, "view" | "legal" | "events" | "story" | "prompt">>;

/** The parameters of a route: they may be left out where none is needed. */
export type Params<P> = {} extends P ? [params?: P] : [params: P];

/** The body of a request; empty for a request that has none. */
export type BodyOf<R> = R extends { body: infer B } ? B : {};

declare global {
  // TypeScript 4.8 does not know these yet.
  interface Navigator {
    setAppBadge?(n?: number): Promise<void>;
    clearAppBadge?(): Promise<void>;
    userActivation?: { hasBeenActive: boolean };
  }
  interface HTMLElementTagNameMap {
    "madness-table": GameTable;
    "duel-table": GameTable;
    // TypeScript 4.8 does not know it yet.
    search: HTMLElement;
  }
}
