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
  rated: boolean;
  board: string | null;
  tournament: string | null;
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
  ratings?: (Rating | null)[];
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

/** When the party sat down; `provisional` where it is hardly more than a guess. */
export interface Rating {
  rating: number;
  provisional: boolean;
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

export type Action = "attack" | "heal" | "block" | "draw" | "discard" | "set_aside" | "set_aside_this";

export interface ActionShown {
  action: Action;
  look: string;
  title: Record<"en" | "ru", string>;
  counts: boolean;
  points: boolean;
  zones: Zone[];
  least: number;
  most: number;
  all: number | null;
}

/** `only_here`: other devices do not reach the table; `addresses` are those that they would, if it were started with `--host 0.0.0.0`. */
export interface Address {
  only_here?: boolean;
  addresses?: string[];
}

/** A deck as a list of ids, two copies twice, or as a code; `set` is the digest of its set, if that is not the core one and a code does not say so; `options` are the house rules of the match. */
export interface AskedDeck {
  cards?: string[];
  code?: string | null;
  set?: string | null;
  options?: Record<string, string | boolean | number>;
}

export interface BoardMade {
  board: string;
  commitment: string;
}

/** `points` and `margins` are of team A and team B, once both tables are over. */
export interface BoardShown {
  id: string;
  phase: "gathering" | "sealing" | "opening" | "playing" | "over";
  game: string;
  rules: number;
  options: Options;
  title: Record<"en" | "ru", string>;
  clock: Record<string, number>;
  places: PlaceShown[];
  mine: number | null;
  commitment: string;
  seals: string[] | null;
  context: string | null;
  tables: TableShown[];
  points: number[] | null;
  margins: number[] | null;
}

export interface Bot {
  id: string;
  name: string;
  made_at: number;
  seen_at: number;
}

export interface BotRated {
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
  skill: Rated | null;
  bot: string;
}

export interface Called {
  name: string;
  made_up?: boolean;
}

/** A fault of a text from `start` to `end`, or of an effect by its number; `expected` may stand there. */
export interface CardFault {
  start: number;
  end: number;
  effect: number | null;
  code: string;
  text: string;
  expected: string[];
  nearest: string | null;
}

/** What a file says of a card, and the lines where it does; `good`: nothing is wrong with it. */
export interface CardInFile {
  id: string;
  name: Record<"en" | "ru", string>;
  rarity: string;
  text: string;
  good: boolean;
  first: number;
  last: number;
}

/** A card as far as it can be read; without a fault it has everything. `lang` is the text's. */
export interface CardRead {
  text: string;
  lang: "en" | "ru";
  faults: CardFault[];
  completions: Completions;
  card: CardShown | null;
  stanza: string;
  steps: StepShown[];
  timeline: DueShown[];
  price: PriceShown | null;
  nearest: NearCard[];
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

/** `worth`: how much more a deck wins with the card than with one that does nothing; `more`: than with `usual`, a card of the core set that others of its kind are measured by. `place`: the card whose place it took; `same`: cards of the core set that do the same; `ahead`: bots that look ahead have played. */
export interface CardWeighed {
  says: "strong" | "usual" | "weak" | "dead";
  text: Record<"en" | "ru", string>;
  worth: Share;
  more: Share;
  usual: string;
  place: string;
  same: string[];
  ahead: boolean;
  games: number;
}

export interface Catalog {
  games: GameShown[];
}

/** Of one party; `after` is null until the game has counted. */
export interface Change {
  before: number;
  after: number;
  deviation: number;
  provisional: boolean;
}

/** What changes; `revision` is the one that was seen. */
export interface ChangedSet {
  revision: number;
  name?: string | null;
  about?: string | null;
  sight?: "private" | "link" | "listed" | null;
  text?: string | null;
  decks?: KeptDeck[] | null;
}

/** `set` is the digest of the set that it was checked with. */
export interface CheckedDeck {
  set: string;
  faults: FaultShown[];
  code: string | null;
  cards: string[];
  summary: Summary;
}

/** `digest` where nothing is wrong; `known`: a version of that digest is kept already. */
export interface CheckedSet {
  name: string;
  digest: string | null;
  cards: CardInFile[];
  faults: SetFault[];
  written: string | null;
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

export interface Completions {
  start: number;
  words: string[];
}

export type Condition = "attacked" | "not_attacked" | "health" | "no_card";

/** `counts`: it has a number of its own, the threshold. */
export interface ConditionShown {
  key: string;
  title: Record<"en" | "ru", string>;
  counts: boolean;
}

export interface Curve {
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
  skill: Rated | null;
  pool: PoolShown;
  points: Point[];
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

/** By deck: its share against the field; `matrix` is that of the row against the column. */
export interface DecksWeighed {
  names: string[];
  codes: string[];
  field: Share[];
  matrix: (Share | null)[][];
  text: Record<"en" | "ru", string>;
  games: number;
}

/** What comes in a turn, counted from the one in which the card is played: the numbers of its effects. */
export interface DueShown {
  turn: number;
  effects: number[];
}

export interface EditionShown {
  name: string;
  title: Record<"en" | "ru", string>;
}

export interface EntrantShown {
  name: string;
  out: boolean;
  points: number;
  against: number;
  won: number;
  games: number;
  me: boolean;
}

export interface FaultShown {
  text: string;
  rule: string | null;
  cards: string[];
}

/** `counts`: null while nobody has counted it yet; `many`: too many of the same two in a day; `abort`: as lost by whoever called off too many; `no`: called off. `changes` are by seat. */
export interface GameRated {
  counts: "yes" | "many" | "abort" | "no" | null;
  changes: (Change | null)[];
  most: number;
}

export interface GameShown {
  name: string;
  title: Record<"en" | "ru", string>;
  letter: string;
  editions: EditionShown[];
  options: OptionShown[];
  needs_decks: boolean;
  own_sets: boolean;
  lot: boolean;
  rulebook: boolean;
  lesson: boolean;
  judge: boolean;
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

/** What a game with the deck may begin with; `play` are Autos, which come by themselves (D5). */
export interface Hand {
  hand: string[];
  play: string[];
}

/** Every hand that they could have, and by move the chance to win against each of them. */
export interface HandsProof {
  hands: string[];
  moves: Record<string, number[]>;
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

export interface JoinBoard {
  place?: number | null;
}

export interface JoinRoom {
  invite?: string;
  deck?: string | null;
}

/** `seals`: of nonces of your own, one for each of the `commitments`, where all tables of a round have the same deal. */
export interface JoinTournament {
  seals?: string[];
}

/** `boss` is the first Boss; `said` is what was played since, in notation; after `push` stands the card that was turned up (`push 5S`). Without a Boss the answer has the cards to choose from. */
export interface JudgeAsked {
  game?: "madness" | "duel";
  options?: Record<string, string | boolean | number>;
  names: string[];
  boss?: string;
  said?: string[];
  lang?: "en" | "ru";
}

export interface JudgeLine {
  text: string;
  rule: string;
  kind: string;
  seat: number | null;
  move: number;
}

/** Why the last of what was said is not allowed; it does not count. */
export interface JudgeRefused {
  text: string;
  rule: string | null;
  at: number;
}

/** How things stand after what was said, as far as it is allowed. `legal` is what may be said next, if the cards are there: nobody knows the hands. `unseen` are the cards that nobody has seen. */
export interface Judgement {
  view: View | null;
  counts: number;
  refused: JudgeRefused | null;
  legal: string[];
  turns_up: boolean;
  unseen: string[];
  prompt: string;
  story: JudgeLine[];
  result: Result | null;
  record: string | null;
}

/** A deck of a set, kept with it. */
export interface KeptDeck {
  name: string;
  about?: string;
  cards: string[];
}

/** A set with all its versions; the draft only for whoever made it. */
export interface KeptSet {
  id: string;
  name: string;
  about: string;
  sight: "private" | "link" | "listed";
  author: string;
  mine: boolean;
  changed_at: number;
  latest: VersionShown | null;
  versions: VersionShown[];
  decks: KeptDeck[];
  revision: number;
  text: string | null;
}

export interface Ladder {
  pool: PoolShown;
  edge: number;
  players: OnLadder[];
  bots: BotRated[];
}

/** All that effects can be picked from. */
export interface LanguageShown {
  actions: ActionShown[];
  per: WordShown[];
  zones: WordShown[];
  conditions: ConditionShown[];
  traits: WordShown[];
  most_turns: number;
  most_threshold: number;
  most_effects: number;
  longest_text: number;
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
  rated: boolean;
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

/** `option` is null for the edition as it is; shares are percent, `difference` is that of the first seat's points against the edition. */
export interface Measured {
  option: string | null;
  value: string;
  first: [number, number];
  difference: [number, number] | null;
  draws: number | null;
  turns: number | null;
}

export interface Name {
  name: string;
}

export interface NearCard {
  id: string;
  name: Record<"en" | "ru", string>;
  set: "core" | "own";
  text: Record<"en" | "ru", string>;
  same: boolean;
  difference: number;
}

/** A deal for two tables: what is played, and which of the places a1, b1, b2, a2 the computer has. */
export interface NewBoardRoom {
  bots?: number[];
  game: "madness" | "duel";
  options?: Record<string, string | boolean | number>;
  deck?: string | null;
  their_deck?: string | null;
  set?: string | SetChoice | null;
  opponent?: "link" | "open" | "bot" | "self";
  bot?: "random" | "greedy" | "level:1" | "level:2" | "level:3" | "level:4" | "level:5" | "level:6" | "level:7";
  other_name?: string;
  clock?: Clock;
  begins?: "lot" | "host" | "other";
  rated?: boolean;
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
  set?: string | SetChoice | null;
  opponent?: "link" | "open" | "bot" | "self";
  bot?: "random" | "greedy" | "level:1" | "level:2" | "level:3" | "level:4" | "level:5" | "level:6" | "level:7";
  other_name?: string;
  clock?: Clock;
  begins?: "lot" | "host" | "other";
  rated?: boolean;
}

/** `text` is a TOML file; without a name it is called as it says itself. */
export interface NewSet {
  name?: string;
  text?: string;
}

/** What is played, by which clock, and how the players are paired. */
export interface NewTournament {
  name: string;
  system?: "round_robin" | "swiss";
  rounds?: number;
  grace?: number;
  duplicate?: boolean;
  game: "madness" | "duel";
  options?: Record<string, string | boolean | number>;
  deck?: string | null;
  their_deck?: string | null;
  set?: string | SetChoice | null;
  opponent?: "link" | "open" | "bot" | "self";
  bot?: "random" | "greedy" | "level:1" | "level:2" | "level:3" | "level:4" | "level:5" | "level:6" | "level:7";
  other_name?: string;
  clock?: Clock;
  begins?: "lot" | "host" | "other";
  rated?: boolean;
}

export interface OnLadder {
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
  skill: Rated | null;
  player: string;
  name: string;
  me: boolean;
}

export interface OpenBoard {
  nonce: string;
}

export interface OpenTournament {
  nonce: string;
}

/** The deal of a round as it is fixed, before the nonces are told. `seals` and `ready` are by place, table by table, seat 0 first; `place` is yours. */
export interface Opening {
  deal: string;
  context: string;
  seals: string[];
  ready: boolean[];
  place: number | null;
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
  rated: boolean;
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
  rating: OwnRating | null;
}

export interface OwnGames {
  games: OwnGame[];
  next: string | null;
}

/** What a game has made of one's own. */
export interface OwnRating {
  before: number;
  after: number;
}

/** Players by their place in `players`; `second` is null for a bye. */
export interface PairingShown {
  first: number;
  second: number | null;
  room: string | null;
  score: number | null;
  void: boolean;
  why: Record<"en" | "ru", string> | null;
  phase: string | null;
}

/** `first` is the share of the points that seat 0 takes, in percent, `margin` by how much it is ahead on average; null before the first game is played. */
export interface ParShown {
  games: number;
  of: number;
  bot: string;
  first: number | null;
  margin: number | null;
}

export type Per = "hand" | "opponent_hand" | "discard";

export interface PickedCard {
  id?: string;
  name?: Record<"en" | "ru", string>;
  rarity?: "common" | "rare";
  set?: string | null;
  auto?: boolean;
  super?: boolean;
  effects: PickedEffect[];
}

export interface PickedEffect {
  action: Action;
  amount?: number;
  per?: Per | null;
  zone?: Zone | null;
  opponent?: boolean;
  first?: number;
  turns?: number;
  condition?: Condition | null;
  threshold?: number;
}

export interface PlaceShown {
  place: string;
  name: string | null;
  bot: string | null;
  sealed: boolean;
  ready: boolean;
}

export interface PlayerShown {
  name: string;
  player: string;
  me: boolean;
  listed: boolean;
  curves: Curve[];
}

export interface Point {
  at: number;
  rating: number;
  deviation: number;
  room: string;
}

/** Those who are compared with each other: one game and edition, clocks of one class. */
export interface PoolShown {
  game: string;
  edition: string;
  clock: "quick" | "slow" | "days" | "free";
  players: number;
}

/** An estimate in points of health, of the whole card and of each effect; `usual` is the core set's. */
export interface PriceShown {
  points: number;
  effects: number[];
  usual: [number, number];
  says: "low" | "usual" | "high";
}

/** What is wrong: the first reason's code and rule, all of them in one text, and each by itself. */
export interface Problem {
  code: string;
  text: string;
  rule: string | null;
  reasons: ReasonShown[];
}

/** Whether the move solves it; if not, the reply or the hand by which it fails, "" where none is needed. `proof` comes with the solution, where it is a table of hands. */
export interface PuzzleAnswer {
  right: boolean;
  refuted_by: string | null;
  text: Record<"en" | "ru", string>;
  solution: string | null;
  proof: HandsProof | null;
}

/** The puzzles of a game or an edition, the easy ones first; `today` is the one of this day. */
export interface PuzzleFile {
  name: string;
  title: Record<"en" | "ru", string>;
  today: string;
  puzzles: PuzzleListed[];
}

export interface PuzzleFiles {
  files: PuzzleFile[];
}

export interface PuzzleListed {
  id: string;
  kind: string;
  level: number;
}

export interface PuzzleMove {
  move: string;
}

/** What the one who solves it may know. `words`: what each legal move is called. `checked`: how many cards or hands the proof has gone through. */
export interface PuzzleShown {
  id: string;
  file: string;
  game: string;
  kind: string;
  level: number;
  seat: number;
  view: View;
  legal: string[];
  words: Record<string, Record<"en" | "ru", string>>;
  names: string[];
  asked: Record<"en" | "ru", string>;
  checked: number;
  next: string | null;
}

/** `provisional`: it may still be far off, by about `deviation`. */
export interface Rated {
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
}

export interface ReasonShown {
  code: string;
  text: string;
  rule: string | null;
}

export interface SealBoard {
  seal: string;
}

/** A set of the workshop: a version by its number, or by its digest alone. Without a number it is the newest one; of a set of one's own, the draft, which becomes a version thereby. */
export interface SetChoice {
  id?: string | null;
  version?: number | null;
  digest?: string | null;
}

export interface SetFault {
  line: number;
  column: number;
  card: string | null;
  code: string;
  text: string;
}

export interface SetInList {
  id: string;
  name: string;
  about: string;
  sight: "private" | "link" | "listed";
  author: string;
  mine: boolean;
  changed_at: number;
  latest: VersionShown | null;
}

export interface SetShown {
  set: string;
  digest: string;
  core: boolean;
  cards: CardShown[];
}

/** `name` is what the set is called if it does not say; `into` asks for the same cards as such a file. */
export interface SetText {
  text: string;
  format?: "toml" | "csv";
  into?: "toml" | "csv" | null;
  name?: string;
}

/** A share or a difference of shares, from 0 to 1, with its 95 % interval. */
export interface Share {
  mean: number;
  low: number;
  high: number;
}

export interface Statistics {
  games: GameSums[];
  editions: GameSums[];
  opponents: OpponentSums[];
  decks: DeckSums[];
  alone: GameSums[];
}

export interface StepShown {
  when: Record<"en" | "ru", string>;
  condition: Record<"en" | "ru", string> | null;
  what: Record<"en" | "ru", string>;
}

export interface Summary {
  cards: number;
  common: number;
  rare: number;
  auto: number;
  super: number;
  works: Work[];
}

/** `room` only for those who play there, until both tables are over; `margin` is of seat 0. */
export interface TableShown {
  room: string | null;
  phase: string;
  result: Result | null;
  why: Record<"en" | "ru", string> | null;
  margin: number | null;
}

export interface Token {
  name: string;
  token: string;
}

export interface TournamentMade {
  tournament: string;
}

/** `players` in the order in which they came, `order` as they stand. */
export interface TournamentShown {
  id: string;
  name: string;
  phase: "open" | "playing" | "over";
  system: "round_robin" | "swiss";
  game: string;
  rules: number;
  options: Options;
  title: Record<"en" | "ru", string>;
  clock: Record<string, number>;
  grace: number;
  length: number;
  host: boolean;
  mine: number | null;
  room: string | null;
  late_at: number | null;
  players: EntrantShown[];
  order: number[];
  rounds: PairingShown[][];
  duplicate: boolean;
  commitments: string[] | null;
  opening: Opening | null;
}

/** `at`: how many moves of the game stay; `moves`: those of the seat since then; `seed`: from which the hidden cards and the bot's choices follow, the same as long as it is the same. */
export interface Try {
  at: number;
  seat: number;
  bot?: "level:1" | "level:2" | "level:3" | "level:4" | "level:5" | "level:6";
  seed?: string;
  moves?: string[];
}

export interface Variant {
  name: string;
  about?: string;
  game: "madness" | "duel";
  options?: Record<string, string | boolean | number>;
  listed?: boolean;
}

/** `options` as the game writes them: its edition, and what differs from it; `title`: that in words. `measured` is what the lab knows of these changes, each by itself. */
export interface VariantShown {
  id: string;
  name: string;
  about: string;
  game: string;
  options: Options;
  title: Record<"en" | "ru", string>;
  listed: boolean;
  author: string;
  mine: boolean;
  changed_at: number;
  measured: Measured[];
}

export interface VersionShown {
  number: number;
  digest: string;
  name: string;
  cards: number;
  made_at: number;
}

/** One of the two. */
export interface Weigh {
  card?: WeighCard | null;
  set?: WeighSet | null;
}

/** A card by its text: in a deck of a version (`deck`, a code, or its first that has a place for it), or in one of the core set. `id`: the card of the deck that it takes the place of, if that has it. */
export interface WeighCard {
  text: string;
  id?: string;
  rarity?: "common" | "rare";
  set?: string | null;
  deck?: string | null;
}

/** The decks of a version against each other: its own ones, or these codes. */
export interface WeighSet {
  set: string;
  decks?: string[];
  options?: Record<string, string | boolean | number>;
}

/** `ahead`: how many wait before it. What is known so far is told also before the end. */
export interface Weighing {
  job: string;
  state: "waiting" | "playing" | "done" | "failed";
  ahead: number;
  progress: number;
  card: CardWeighed | null;
  decks: DecksWeighed | null;
  problem: Record<"en" | "ru", string> | null;
}

export interface WordShown {
  key: string;
  title: Record<"en" | "ru", string>;
}

/** How much of one thing all cards of a deck do, by the age at which it is due. */
export interface Work {
  what: string;
  ages: number[];
}

/** `at` is where the next word shall stand; the end, if it is not said. */
export interface WrittenCard {
  id?: string;
  name?: Record<"en" | "ru", string>;
  rarity?: "common" | "rare";
  set?: string | null;
  text: string;
  at?: number | null;
  lang?: "en" | "ru" | null;
}

export type Zone = "hand" | "deck" | "discard" | "play";

export interface coyote__table__guests__Gone {
  rooms: number;
}

export interface coyote__table__workshop__Gone {
  id: string;
}

export interface Gets {
  "/api/me": { params: {}; answer: Me };
  "/api/me/export": { params: {}; answer: unknown };
  "/api/tokens": { params: {}; answer: Bot[] };
  "/api/rooms/{room}/replay": { params: { room: string; viewer?: "0" | "1" | "open"; lang?: "en" | "ru" }; answer: Replay };
  "/api/rooms/{room}": { params: { room: string }; answer: { welcome: Welcome; update: Update; presence: Presence } };
  "/api/rooms/{room}/cards": { params: { room: string }; answer: SetShown };
  "/api/rooms/{room}/record": { params: { room: string }; answer: GameRecord };
  "/api/sets": { params: { listed?: boolean }; answer: SetInList[] };
  "/api/sets/{id}": { params: { id: string }; answer: KeptSet };
  "/api/sets/{id}/versions/{number}.{format}": { params: { id: string; number: number; format: "toml" | "csv" }; answer: string };
  "/api/card-sets/{digest}": { params: { digest: string }; answer: SetShown };
  "/api/card-sets/{digest}/decks": { params: { digest: string }; answer: DeckShown[] };
  "/api/workshop/language": { params: {}; answer: LanguageShown };
  "/api/workshop/jobs/{job}": { params: { job: string }; answer: Weighing };
  "/api/rooms/{room}/analysis": { params: { room: string }; answer: AnalysisTold };
  "/api/variants": { params: { listed?: boolean; game?: string }; answer: VariantShown[] };
  "/api/variants/{id}": { params: { id: string }; answer: VariantShown };
  "/api/waiting": { params: {}; answer: Listed[] };
  "/api/playing": { params: {}; answer: Listed[] };
  "/api/mine": { params: {}; answer: Listed[] };
  "/api/me/games": { params: { phase?: "going" | "over" | ""; game?: string; edition?: string; against?: string; result?: "won" | "lost" | "drawn" | "aborted" | ""; before?: string; most?: number }; answer: OwnGames };
  "/api/me/statistics": { params: { game?: string }; answer: Statistics };
  "/api/ladder/pools": { params: {}; answer: PoolShown[] };
  "/api/ladder": { params: { game: string; edition?: string; clock?: "quick" | "slow" | "days" | "free" }; answer: Ladder };
  "/api/players/{player}": { params: { player: string }; answer: PlayerShown };
  "/api/me/ratings": { params: {}; answer: PlayerShown };
  "/api/rooms/{room}/rating": { params: { room: string }; answer: GameRated };
  "/api/boards/{id}": { params: { id: string }; answer: BoardShown };
  "/api/tournaments/{id}": { params: { id: string }; answer: TournamentShown };
  "/api/rooms/{room}/par": { params: { room: string }; answer: ParShown };
  "/api/address": { params: {}; answer: Address };
  "/api/games": { params: {}; answer: Catalog };
  "/api/cards": { params: {}; answer: SetShown };
  "/api/decks": { params: {}; answer: DeckShown[] };
  "/api/lessons/{game}": { params: { game: string; lang?: "en" | "ru" }; answer: Lesson };
  "/api/puzzles": { params: {}; answer: PuzzleFiles };
  "/api/puzzles/{id}": { params: { id: string }; answer: PuzzleShown };
  "/api/rules/{game}": { params: { game: string; lang?: "en" | "ru" }; answer: Book };
}

export interface Posts {
  "/api/guest": { params: {}; body: Called; answer: Me };
  "/api/guest/take": { params: {}; body: Code; answer: Me };
  "/api/me/codes": { params: {}; answer: NewCode };
  "/api/me/sign-out-everywhere": { params: {}; answer: Me };
  "/api/tokens": { params: {}; body: Name; answer: Token };
  "/api/rooms": { params: {}; body: NewRoom; answer: Made };
  "/api/boards": { params: {}; body: NewBoardRoom; answer: BoardMade };
  "/api/tournaments": { params: {}; body: NewTournament; answer: TournamentMade };
  "/api/rooms/{room}/join": { params: { room: string }; body: JoinRoom; answer: Made };
  "/api/rooms/{room}/leave": { params: { room: string }; answer: Left };
  "/api/rooms/{room}/try": { params: { room: string; lang?: "en" | "ru" }; body: Try; answer: Tried };
  "/api/rooms/{room}/hint": { params: { room: string }; answer: Hint };
  "/api/sets": { params: {}; body: NewSet; answer: KeptSet };
  "/api/sets/{id}/versions": { params: { id: string }; answer: VersionShown };
  "/api/workshop/card": { params: {}; body: WrittenCard; answer: CardRead };
  "/api/workshop/effects": { params: {}; body: PickedCard; answer: CardRead };
  "/api/workshop/check": { params: {}; body: SetText; answer: CheckedSet };
  "/api/workshop/weigh": { params: {}; body: Weigh; answer: Weighing };
  "/api/variants": { params: {}; body: Variant; answer: VariantShown };
  "/api/judge": { params: {}; body: JudgeAsked; answer: Judgement };
  "/api/boards/{id}/join": { params: { id: string }; body: JoinBoard; answer: BoardShown };
  "/api/boards/{id}/leave": { params: { id: string }; answer: BoardShown };
  "/api/boards/{id}/seal": { params: { id: string }; body: SealBoard; answer: BoardShown };
  "/api/boards/{id}/ready": { params: { id: string }; body: OpenBoard; answer: BoardShown };
  "/api/tournaments/{id}/join": { params: { id: string }; body: JoinTournament; answer: TournamentShown };
  "/api/tournaments/{id}/leave": { params: { id: string }; answer: TournamentShown };
  "/api/tournaments/{id}/start": { params: { id: string }; answer: TournamentShown };
  "/api/tournaments/{id}/ready": { params: { id: string }; body: OpenTournament; answer: TournamentShown };
  "/api/decks/check": { params: {}; body: AskedDeck; answer: CheckedDeck };
  "/api/decks/hand": { params: {}; body: AskedDeck; answer: Hand };
  "/api/puzzles/{id}": { params: { id: string }; body: PuzzleMove; answer: PuzzleAnswer };
}

export interface Puts {
  "/api/sets/{id}": { params: { id: string }; body: ChangedSet; answer: KeptSet };
  "/api/variants/{id}": { params: { id: string }; body: Variant; answer: VariantShown };
}

export interface Deletes {
  "/api/me": { params: {}; answer: coyote__table__guests__Gone };
  "/api/tokens/{id}": { params: { id: string }; answer: Bot };
  "/api/sets/{id}": { params: { id: string }; answer: coyote__table__workshop__Gone };
  "/api/workshop/jobs/{job}": { params: { job: string }; answer: coyote__table__workshop__Gone };
  "/api/variants/{id}": { params: { id: string }; answer: coyote__table__workshop__Gone };
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

/** docs/duplicate.md: a deal that several tables play; by place, table by table, seat 0 first. */
export interface RecordBoard {
  id: string;
  nonces: string[];
  seals: string[];
  table: number;
}

/** docs/records.md. What a deal is differs from game to game. */
export interface GameRecord {
  board?: RecordBoard;
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

/** A chance to win, or a difference of such, with its 95 % interval. */
export interface Spread {
  high: number;
  low: number;
  mean: number;
}

/** What a move was worth beside the best one. */
export interface Weighed {
  best: number;
  best_move: string;
  loss: Spread;
  made: number;
}

export interface MoveWeighed {
  habit?: number;
  known: number | null;
  move: string;
  real: number | null;
  share?: number;
  words?: Both;
}

/** What the other hand could hold: exactly, by card and by rank, or as far as it can be supposed. `believed`: by rank, weighed by how the bots would have played with each hand. */
export interface HiddenHand {
  believed?: Record<string, number>;
  cards?: Record<string, number>;
  chance?: number;
  exact: boolean;
  held: number;
  ranks?: Record<string, number>;
  unseen?: string[];
}

/** `known` is by what its player could know, `real` by what was, `habit` against how the opponent has played so far; null where there was no choice, or nobody can tell. */
export interface Decision {
  fortune: string | null;
  habit: Weighed | null;
  hidden: HiddenHand;
  known: Weighed | null;
  label: string;
  luck: number;
  made: string;
  move: number;
  moves: MoveWeighed[];
  real: Weighed | null;
  rule: string;
  seat: number;
  turn: number;
  wanted: string;
  words: Both;
}

export interface SeatLuck {
  deal: number;
  later: number;
  total: number;
}

/** How often a kind of choice was chosen, and how often a good player would have. */
export interface Chosen {
  chosen: number;
  usual: number;
}

/** What one seat did, and what chance did to it, in chances to win from its own side. `habit`: by kind of choice, where both choose at once. */
export interface SeatSums {
  accuracy: number;
  decided: number;
  decisions: number;
  fortunes: Record<string, number>;
  habit: Record<string, Chosen>;
  labels: Record<string, number>;
  lost: number;
  luck: SeatLuck;
}

/** From seat 0's side; all but the last two together are the result. */
export interface LuckParts {
  deal: number;
  decisions: number[];
  error: number;
  later: number;
  rest: number;
  result: number;
}

export interface Analysis {
  curve: number[];
  decisions: Decision[];
  format: string;
  game: string;
  luck: LuckParts;
  options: Record<string, string | number | boolean>;
  result: Result;
  seats: SeatSums[];
  simulations: number;
  thresholds: Record<string, number>;
}

/** `state`: waiting, working, done or failed; `ahead`: how many wait before it. */
export interface AnalysisTold {
  ahead: number;
  analysis: Analysis | null;
  problem: Both | null;
  progress: number;
  state: string;
}

/** How a finished game stands when it is gone on with otherwise. */
export interface Tried {
  events: EventJson[];
  legal: string[];
  names: [string, string];
  result: Result | null;
  story: ReplayLine[];
  view: View;
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
