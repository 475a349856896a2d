// Written by tools/make_types.py from the server's own structs. Do not change it by hand: run that.

export type Lang = "en" | "ru";
export type Options = Record<string, string | number | boolean>;
export type View = DuelView | MadnessView;
export type Tree = string | TreeNode;

/** Who the client is here. `parties` is empty for a spectator. */
export interface Welcome {
  type: "welcome";
  version: number;
  room: string;
  parties: number[];
  game: string;
  rules: number;
  options: Options;
  title: Record<string, string>;
  set: CardSet | null;
  clock: Record<string, number>;
  opponent: string;
  commitment: string;
}

/** The cards that are played with; only the core set is called core. */
export interface CardSet {
  name: string;
  digest: string;
  core: boolean;
}

/** All that one viewer may know now. */
export interface Update {
  type: "update";
  n: number;
  viewer: number;
  phase: string;
  names: (string | null)[];
  seats: number[] | null;
  sealed: boolean[];
  ready: boolean[];
  context: string | null;
  actors: number[];
  clocks: number[] | null;
  offers: [number, string][];
  result: Result | null;
  next: string | null;
  kept: number;
  done: string[];
  view?: View | null;
  legal?: string[];
  events?: EventJson[];
  story?: Line[];
  prompt?: string;
  open?: Opened;
  abort?: boolean;
  notes?: Note[];
}

/** A sentence of what happened, the rule behind it, the kind of event and whose it was. */
export interface Line {
  text: string;
  rule: string;
  kind: string;
  seat: number | null;
}

/** What a party did beside moves, and when: after so many events. */
export interface Note {
  n: number;
  after: number;
  kind: "accepted" | "declined" | "lapsed" | "offered" | "undone";
  party: number;
  what: "draw" | "rematch" | "undo";
  text: string;
}

/** Who is connected. */
export interface Presence {
  type: "presence";
  here: boolean[];
  watching: number;
  claim: number | null;
}

export interface Emoted {
  type: "emote";
  party: number;
  what: "hello" | "luck" | "nice" | "oops" | "thanks" | "wow";
}

/** The request is kept durably, and there is no update to say so: it came again. */
export interface Done {
  type: "done";
  id: string;
}

/** A request that changed nothing, and why. */
export interface Error {
  type: "error";
  code: string;
  text: string;
  rule: string | null;
  id: string | null;
}

/** Why the move of a `why` is not allowed; nothing where it is. */
export interface Reason {
  type: "reason";
  id: string;
  code: string | null;
  text: string | null;
  rule: string | null;
}

export interface Pong {
  type: "pong";
  id: string;
  time: number;
}

/** The first message: the version spoken, the updates seen, by viewer, and what updates shall have. */
export interface Hello {
  type: "hello";
  version: number;
  seen?: Record<string, number>;
  want?: ("events" | "legal" | "story" | "view")[];
  lang?: "en" | "ru";
  public?: boolean;
}

/** The digest of one's nonce; the context is made when every person's is in. */
export interface Seal {
  type: "seal";
  id: string;
  party?: number | null;
  seal?: string;
}

export interface Ready {
  type: "ready";
  id: string;
  party?: number | null;
  nonce?: string;
}

export interface Move {
  type: "move";
  id: string;
  party?: number | null;
  move?: string;
}

export interface Undo {
  type: "undo";
  id: string;
  party?: number | null;
}

export interface Offer {
  type: "offer";
  id: string;
  party?: number | null;
  what?: "draw" | "rematch" | "undo";
}

export interface Answer {
  type: "answer";
  id: string;
  party?: number | null;
  what?: "draw" | "rematch" | "undo";
  yes?: boolean;
}

export interface Resign {
  type: "resign";
  id: string;
  party?: number | null;
}

/** Before both have made a choice. */
export interface Abort {
  type: "abort";
  id: string;
  party?: number | null;
}

/** The win from somebody who has left. */
export interface Claim {
  type: "claim";
  id: string;
  party?: number | null;
}

export interface Close {
  type: "close";
  id: string;
  party?: number | null;
}

/** Why a move is not allowed; it is not made, even if it is. */
export interface Why {
  type: "why";
  id: string;
  party?: number | null;
  move?: string;
}

/** A sign to the other one; it is not kept. */
export interface Emote {
  type: "emote";
  id: string;
  party?: number | null;
  what?: "hello" | "luck" | "nice" | "oops" | "thanks" | "wow";
}

export interface Ping {
  type: "ping";
  id?: string;
}

export type FromServer = Welcome | Update | Presence | Emoted | Done | Error | Reason | Pong;

export type FromClient = Hello | Seal | Ready | Move | Undo | Offer | Answer | Resign | Abort | Claim | Close | Why | Emote | Ping;

/** `only_here`: other devices do not reach the table; `addresses` are those that they would, if it were started with `--host 0.0.0.0`. */
export interface Address {
  only_here?: boolean;
  addresses?: string[];
}

/** A deck as a list of ids, two copies twice, or as a code. */
export interface AskedDeck {
  cards?: string[];
  code?: string | null;
}

export interface Bot {
  id: string;
  name: string;
  made_at: number;
  seen_at: number;
}

export interface Called {
  name: string;
  made_up?: boolean;
}

/** A card; `pieces` are its text cut into `[kind, words]`, for keywords in their colours. */
export interface CardShown {
  id: string;
  rarity: string;
  name: Record<"en" | "ru", string>;
  text: Record<"en" | "ru", string>;
  pieces: Record<"en" | "ru", [string, string][]>;
  auto: boolean;
  super: boolean;
  main: string;
  does: string[];
  last: number;
  effects: CardEffect[];
}

export interface Catalog {
  games: GameShown[];
}

export interface CheckedDeck {
  faults: FaultShown[];
  code: string | null;
  cards: string[];
  summary: Summary;
}

/** Minutes for the game and seconds more for each turn; or days for each turn; or nothing at all. */
export interface Clock {
  minutes?: number;
  increment?: number;
  days?: number;
}

export interface Code {
  code: string;
}

export interface DeckShown {
  id: string;
  name: Record<"en" | "ru", string>;
  description: Record<"en" | "ru", string>;
  cards: string[];
  code: string;
}

export interface DeckSums {
  games: number;
  won: number;
  lost: number;
  drawn: number;
  turns: number;
  seconds: number;
  deck: string;
}

export interface EditionShown {
  name: string;
  title: Record<"en" | "ru", string>;
}

export interface FaultShown {
  text: string;
  rule: string | null;
  cards: string[];
}

export interface GameShown {
  name: string;
  title: Record<"en" | "ru", string>;
  letter: string;
  editions: EditionShown[];
  options: OptionShown[];
  needs_decks: boolean;
  lot: boolean;
  rulebook: boolean;
  lesson: boolean;
}

export interface GameSums {
  games: number;
  won: number;
  lost: number;
  drawn: number;
  turns: number;
  seconds: number;
  game: string;
  edition?: string | null;
}

export interface Gone {
  rooms: number;
}

/** What a game with the deck may begin with; `play` are Autos, which come by themselves (D5). */
export interface Hand {
  hand: string[];
  play: string[];
}

export interface Health {
  ok: boolean;
  preparing: boolean;
  troubles: string[];
  broken: number;
}

export interface Hint {
  move: string;
  chance: number | null;
  text: string;
}

export interface JoinRoom {
  invite?: string;
  deck?: string | null;
}

export interface Left {
  phase: string;
}

export interface Listed {
  room: string;
  made_at: number;
  phase: string;
  game: string;
  rules: number;
  options: Options;
  title: Record<"en" | "ru", string>;
  set: ListedSet | null;
  clock: Record<string, number>;
  opponent: string;
  begins: string;
  names: (string | null)[];
  result: Result | null;
}

/** The cards that are played with; only the core set is called core. */
export interface ListedSet {
  name: string;
  digest: string;
  core: boolean;
}

export interface Made {
  room: string;
  invite: string | null;
  commitment: string;
  socket: string;
}

export interface Me {
  name: string;
  bot: boolean;
  token?: string | null;
}

export interface Name {
  name: string;
}

export interface NewCode {
  code: string;
  until: number;
}

export interface NewRoom {
  game: "madness" | "duel";
  options?: Record<string, string | boolean | number>;
  deck?: string | null;
  their_deck?: string | null;
  set?: string | null;
  opponent?: "link" | "open" | "bot" | "self";
  bot?: "random" | "greedy" | "level:1" | "level:2" | "level:3" | "level:4" | "level:5";
  other_name?: string;
  clock?: Clock;
  begins?: "lot" | "host" | "other";
}

export interface OpponentSums {
  games: number;
  won: number;
  lost: number;
  drawn: number;
  turns: number;
  seconds: number;
  bot: string | null;
  name: string | null;
}

/** `values` are the editions' own, by their names; a game without editions has one without a name. */
export interface OptionShown {
  name: string;
  rule: string;
  kind: "number" | "choice";
  least: number | null;
  most: number | null;
  choices: string[];
  values: Record<string, number | string>;
  title: Record<"en" | "ru", string>;
  about: Record<"en" | "ru", string>;
  choice_titles: Record<string, Record<"en" | "ru", string>>;
}

/** From the side of the guest who asks. */
export interface OwnGame {
  room: string;
  made_at: number;
  phase: string;
  game: string;
  rules: number;
  options: Options;
  title: Record<"en" | "ru", string>;
  set: ListedSet | null;
  clock: Record<string, number>;
  opponent: string;
  begins: string;
  names: (string | null)[];
  result: Result | null;
  party: number | null;
  other: string | null;
  turn: "yours" | "theirs" | null;
  outcome: "won" | "lost" | "drawn" | "aborted" | null;
  reason: string | null;
  why: Record<"en" | "ru", string> | null;
  deck: string | null;
  their_deck: string | null;
  turns: number | null;
  ended_at: number | null;
  next: string | null;
}

export interface OwnGames {
  games: OwnGame[];
  next: string | null;
}

/** What is wrong: the first reason's code and rule, all of them in one text, and each by itself. */
export interface Problem {
  code: string;
  text: string;
  rule: string | null;
  reasons: ReasonShown[];
}

export interface ReasonShown {
  code: string;
  text: string;
  rule: string | null;
}

export interface SetShown {
  set: string;
  cards: CardShown[];
}

export interface Statistics {
  games: GameSums[];
  editions: GameSums[];
  opponents: OpponentSums[];
  decks: DeckSums[];
  alone: GameSums[];
}

export interface Summary {
  cards: number;
  common: number;
  rare: number;
  auto: number;
  super: number;
  works: Work[];
}

export interface Token {
  name: string;
  token: string;
}

/** How much of one thing all cards of a deck do, by the age at which it is due. */
export interface Work {
  what: string;
  ages: number[];
}

export interface Gets {
  "/api/me": { params: {}; answer: Me };
  "/api/me/export": { params: {}; answer: unknown };
  "/api/tokens": { params: {}; answer: Bot[] };
  "/api/rooms/{room}/replay": { params: { room: string; viewer?: "0" | "1" | "open"; lang?: "en" | "ru" }; answer: Replay };
  "/api/rooms/{room}": { params: { room: string }; answer: { welcome: Welcome; update: Update; presence: Presence } };
  "/api/rooms/{room}/cards": { params: { room: string }; answer: SetShown };
  "/api/rooms/{room}/record": { params: { room: string }; answer: GameRecord };
  "/api/waiting": { params: {}; answer: Listed[] };
  "/api/playing": { params: {}; answer: Listed[] };
  "/api/mine": { params: {}; answer: Listed[] };
  "/api/me/games": { params: { phase?: "going" | "over" | ""; game?: string; edition?: string; against?: string; result?: "won" | "lost" | "drawn" | "aborted" | ""; before?: string; most?: number }; answer: OwnGames };
  "/api/me/statistics": { params: { game?: string }; answer: Statistics };
  "/api/address": { params: {}; answer: Address };
  "/api/games": { params: {}; answer: Catalog };
  "/api/cards": { params: {}; answer: SetShown };
  "/api/decks": { params: {}; answer: DeckShown[] };
  "/api/lessons/{game}": { params: { game: string; lang?: "en" | "ru" }; answer: Lesson };
  "/api/rules/{game}": { params: { game: string; lang?: "en" | "ru" }; answer: Book };
}

export interface Posts {
  "/api/guest": { params: {}; body: Called; answer: Me };
  "/api/guest/take": { params: {}; body: Code; answer: Me };
  "/api/me/codes": { params: {}; answer: NewCode };
  "/api/me/sign-out-everywhere": { params: {}; answer: Me };
  "/api/tokens": { params: {}; body: Name; answer: Token };
  "/api/rooms": { params: {}; body: NewRoom; answer: Made };
  "/api/rooms/{room}/join": { params: { room: string }; body: JoinRoom; answer: Made };
  "/api/rooms/{room}/leave": { params: { room: string }; answer: Left };
  "/api/rooms/{room}/hint": { params: { room: string }; answer: Hint };
  "/api/decks/check": { params: {}; body: AskedDeck; answer: CheckedDeck };
  "/api/decks/hand": { params: {}; body: AskedDeck; answer: Hand };
}

export interface Deletes {
  "/api/me": { params: {}; answer: Gone };
  "/api/tokens/{id}": { params: { id: string }; answer: Bot };
}

export interface DuelView {
  aside: string[][];
  chosen: string | null;
  deck: number[];
  deck_number: number[];
  discard: string[][];
  due: [number | null, number][][];
  full: number;
  game: "duel";
  hand: string[];
  health: number[];
  held: number[];
  leaves: boolean[][];
  lists: (string[] | null)[];
  max: number[];
  options: Record<string, number | string>;
  over: boolean;
  play: [string, number][][];
  seat: number;
  shown: string[][];
  super: (string | null)[];
  turn: number;
  wears: boolean[];
}

export interface MadnessField {
  closed: boolean;
  heights: number[];
  last: number | null;
  marker: string | null;
  tops: (string | null)[];
  winner: number | null;
}

export interface MadnessView {
  back_to: string | null;
  began_dry: boolean;
  boss: string | null;
  can_answer: boolean[];
  closing: number | null;
  decider: number | null;
  deck: number;
  discard: string | null;
  fields: MadnessField[];
  game: "madness";
  goal: number;
  hand: string[];
  held: number[];
  idle: number;
  lead: number;
  memory: string[];
  moved: boolean;
  mover: number;
  options: Record<string, number | string>;
  outlook: ("drawn" | "open" | "won")[][];
  over: boolean;
  phase: "coyote" | "main" | "over" | "tut";
  reason: string | null;
  seat: number;
  turn: number;
}

/** Something said in both languages. */
export interface Both {
  en: string;
  ru: string;
}

/** Of the keys besides the first two, those that its kind has; null is hidden from the viewer. */
export interface EventJson {
  blocked?: number;
  card?: string | null;
  damage?: number;
  field?: number;
  goes?: string;
  healed?: number;
  health?: number;
  kind: string;
  laid?: string | null;
  lead?: number;
  max?: number;
  n?: number;
  number?: number;
  place?: number | null;
  points?: number;
  reason?: string;
  seat: number | null;
  source?: string;
  title?: string | null;
  turn?: number;
  zone?: string;
}

export interface Result {
  reason: string;
  score: number | [number, number];
  winner: number | null;
}

export interface OpenHands {
  hands: [string[], string[]];
}

/** After the end: all cards, and how the deal was made. */
export interface Opened {
  commitment: string;
  context: string;
  hands: [string[], string[]];
  nonces: [string, string];
  secret: string;
}

/** What a card of the duel does (D20 to D24). */
export interface CardEffect {
  action: string;
  amount: number;
  condition: string | null;
  first: number;
  gain: boolean;
  last: number;
  look: "attack" | "block" | "draw" | "heal" | "strip";
  opponent: boolean;
  per: string | null;
  threshold: number;
  turns: number;
  zone: string | null;
}

export interface Fair {
  commitment: string;
  context: string;
  nonces: [string, string];
  secret: string;
}

export interface RecordCard {
  id: string;
  rarity: string;
  text: string;
}

export interface RecordSet {
  cards: RecordCard[];
  name: string;
}

/** docs/records.md. What a deal is differs from game to game. */
export interface GameRecord {
  chance?: (string | number | string[])[][];
  deck?: string[];
  decks?: [string[], string[]];
  fair?: Fair;
  format: string;
  game: string;
  moves: [number, string][];
  options: Record<string, string | number | boolean>;
  players: [string, string];
  result: Result | null;
  rules: number;
  seed?: string;
  set?: RecordSet;
  super?: [string | null, string | null];
}

export interface ReplayMove {
  move: string;
  seat: number;
}

export interface ReplayLine {
  rule: string;
  text: string;
}

export interface ReplayStep {
  actors: number[];
  events: EventJson[];
  moves: ReplayMove[];
  open: OpenHands | null;
  story: ReplayLine[];
  turn: number;
  view: View;
}

export interface Replay {
  cards: CardShown[];
  ended: string;
  game: string;
  names: [string, string];
  options: Record<string, string | number | boolean>;
  result: Result;
  steps: ReplayStep[];
  title: Both;
  viewer: string;
}

export interface LessonStep {
  events: EventJson[];
  legal: string[];
  part: number;
  say: string | null;
  told: string | null;
  view: View;
  want: string | null;
}

export interface Lesson {
  deck: string | null;
  game: string;
  names: [string, string];
  parts: string[];
  steps: LessonStep[];
}

/** A passage of a book. `kind`: an example, or the edition that it is for alone. */
export interface TreeNode {
  kids: (string | TreeNode)[];
  kind?: string;
  rule?: string;
  tag: string;
}

export interface BookRule {
  blocks: (string | TreeNode)[];
  id: string;
  title: string;
}

export interface BookChapter {
  blocks: (string | TreeNode)[];
  id: string;
  rules: BookRule[];
  title: string;
}

export interface Book {
  chapters: BookChapter[];
  editions: string[];
  game: string;
  intro: (string | TreeNode)[];
  lang: string;
  title: string;
}
