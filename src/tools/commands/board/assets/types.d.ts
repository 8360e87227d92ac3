/* The types that the scripts of the page share, for `tsc --checkJs` (see tsconfig.json). Nothing of it is served. */

/** A move that the server offers. */
interface Choice { text: string; written?: string; spots: string[]; is_risky?: boolean }
interface Setup { spots: string[]; good: [string, string][] }
/** What a board draws; beside these fields whatever the game's own script reads. */
interface Frame { ply?: number; turn?: number; move?: string; mover?: number; view?: string; line?: string[]; mark?: string; cost?: string; certain?: boolean; why?: string; height?: number; detail?: string; isBuilt?: boolean; reach?: Record<string, string[]>; [name: string]: any }
/** A position with all that can be done there. */
interface Scene extends Frame { ply: number; status: string; moves: Choice[]; setup?: Setup; position?: string; end?: { winner: number | null }; begins?: boolean; text?: string; written?: string }
interface Line { height: number; score: string; moves: string[] }
interface Finding { depth: string; nodes: number; lines: Line[]; remark?: string }
/** What an analysis has found so far. */
interface Found { finding: Finding; ms: number; done: boolean; error?: string }
/** What a review says of a position and of the move that led to it. */
interface View extends Note { ply: number }
interface Note { height?: number; view?: string; detail?: string; line?: string[]; mark?: string; cost?: string; certain?: boolean; why?: string }
/** Something drawn on the board by hand: an arrow, or a circle where both ends are one spot. */
interface Shape { from: string; to: string; colour: string }

/** A position of the tree; its children are the moves made there, the first one the main line. */
interface TreeNode {
  id: number; parent: TreeNode | null; text: string; children: TreeNode[]; scene: Scene | null;
  note: Note | null; found: Found | null; shapes: Shape[]; comment: string;
  /** What a comment of PGN has beside its text: commands such as [%clk 0:01:00], and a match runner's score. */
  commands: string;
  /** Numeric glyphs of PGN: 1 for a good move, 4 for a blunder. */
  glyphs: number[];
  /** What each side has used of its time, in milliseconds. */
  spent: [number, number];
}
/** How a game has ended other than on the board: in words, and as records write it. */
interface Result { text: string; outcome: string }
interface Game { id: string; start: string | null; root: TreeNode; names: (string | null)[]; result: Result | null; tags: [string, string][]; notes: { end: TreeNode; notes: any[] } | null; /** The moves with which it was taken off the list of own games. */ forgotten?: string }
interface GameRecord { game: string; id?: string; start: string | null; moves: string[]; players: (string | null)[]; outcome?: string; notes?: any[]; scores?: object; tags?: [string, string][]; annotations?: Annotations }
/** What stands beside the moves of a line, by their numbers in it. */
interface Annotations { comments?: Record<number, string>; glyphs?: Record<number, number[]>; variations?: Variation[] }
/** Moves that replace others, from the move of this number on. */
interface Variation extends Annotations { ply: number; moves: string[]; /** In a replay. */ scenes?: Scene[] }
/** The user, cupbot, or the name of a program. */
type Seat = string;
interface Match {
  /** Whether a match goes on; `none`: moves are only tried out. */
  is: 'on' | 'paused' | 'over' | 'none';
  live: TreeNode; seats: Seat[];
  /** Seed of cupbot's moves at a level. */
  seed?: number;
  /** What the side to move has used for its move before its clock ran on last. */
  carried: number;
  /** When its clock ran on; null: it stands. */
  since: number | null;
}
interface Level { by: 'named' | 'nodes' | 'move' | 'game'; ms?: number; nodes?: number; spent?: number; index?: number; seed?: number }
interface Settings { seat: string; opponent: string; level: number; lines: number; sound: boolean; animation: boolean; premove: boolean; attacks: boolean; scheme: string; theme: string; pieces: string; reviewMs: number }
/** A position in which something is to be found. */
interface Puzzle { position: string; side: number; task: string; moves: number }
/** A position with a task that one move solves. */
interface Lesson { start: string | null; moves: string[]; side: number; text: string; task: string }
/** What the server says of a move that was tried. */
interface Verdict { is: 'solved' | 'right' | 'wrong'; text?: string; answer?: string }
/** A game that waits while a puzzle is on the board. */
interface Aside { game: Game; current: TreeNode; match: Match; cut: State['cut']; isFlipped: boolean }
/** The puzzle on the board: one of the server's or of the game's own mistakes, how it stands, where its next move is to be found, and what was said of the last one. */
interface Puzzling { index: number; mistakes: TreeNode[] | null; lessons: Lesson[] | null; back: Aside; is: 'open' | 'judging' | 'wrong' | 'solved' | 'shown'; at: TreeNode; text: string }
interface Editing { position: string; /** What was typed, if that is no position. */ text?: string; frame: Frame; fault: string | null; remarks?: string[]; rights?: { right: string; label: string; isOn: boolean; isPossible: boolean }[] }
interface State {
  game: Game; current: TreeNode; match: Match;
  picked: string[];
  /** The spot that the keyboard stands on. */
  place: string | null;
  hint: { node: TreeNode; move: string; text: string } | null;
  arrangement: { node: TreeNode; letters: string[] } | null;
  editing: Editing | null; brush: string;
  /** What cupbot thinks about, if it does. */
  thinking: { about: 'answer' | 'hint'; control: AbortController; node: TreeNode } | null;
  /** What a program answered last. */
  bot: { name: string; time: string; log: string[]; fault?: { text: string; outcome: string; details: string[] } } | null;
  /** A move of the user that the server has not confirmed: the node before it, and what is shown. */
  ahead: { node: TreeNode; frame: Frame; isShown: boolean } | null;
  /** A move to be made as soon as cupbot has moved. */
  premove: string[] | null;
  live: { isOn: boolean; control: AbortController | null };
  puzzle: Puzzling | null;
  review: { control: AbortController; count: number; total: number } | null;
  /** What was taken back or deleted, the last one at the end. */
  cut: { parent: TreeNode; node: TreeNode; index: number; match: Match; current: TreeNode; result: Result | null }[];
  message: { text: string; isGood: boolean } | null;
  /** Why a pick was refused, and where. */
  refusal: { spot: string; text: string } | null;
  said: string; tab: string;
  /** Whether the tools are shown on a phone. */
  isMenuOpen: boolean; isFlipped: boolean; settings: Settings;
}

/** A place on the board that can be picked. */
interface Spot { id: string; label: string; x: number; y: number; shape: SVGElement; taken?: boolean; isPassing?: boolean }
/** What a game's script defines; see parts.js. */
declare const board: {
  begin(): void; draw(frame: Frame, glide?: boolean): void; hint?(moves: string[]): void;
  extra?(frame: Frame, side: number): Node[]; icons?(frame: Frame): Node[]; suffix?(frame: Frame): Node[]; legend?(): Node[];
  sets?: [string, string][]; flip?(isFlipped: boolean): void; number?(frame: Frame): string; row?(frame: Frame): number;
  spots?(frame: Frame): Spot[]; gather?(spots: Map<string, Spot>, picked: string[]): void;
  ghost?(frame: Frame, id: string): Element | null; keys?: Record<string, string>; icon?(piece: string): Element;
  kind?(letter: string): string; ahead?(frame: Frame, move: Choice): Frame | null; order?(frame: Frame): Node[]; how?(frame: Frame): string; perfect?: string; count?(frame: Frame): string;
};

/* What look/parts.js defines for all pages. */
declare function byId(id: string): HTMLElement;
declare function html(name: string, attributes?: object, ...children: (Node | string)[]): HTMLElement;
declare function svg(name: string, attributes?: object, ...children: (Node | string)[]): SVGElement;
declare function drawPosition(frame: Frame, glide: boolean): void;
declare function turnBoard(isFlipped: boolean): void;
declare function remark(frame: Frame, before: Note | null, beginning: string): Node[];
declare function moveButton(frame: Frame, attributes: object): HTMLElement;
declare function chooseButton(list: Element, button: Element | null): void;
declare function drawCurve(frames: Note[], base: number): ((index: number) => void) | null;
declare function followCurve(frames: () => Frame[], go: (index: number) => void, look?: (frame: Frame | null, event?: PointerEvent) => void): void;
declare function onKeys(keys: Record<string, (event?: KeyboardEvent) => void>, isElsewhere: (event: KeyboardEvent) => boolean): void;
declare const MARKS: Record<string, string[]>;
declare const SIDES: string[];
declare const LINE_SHOWN: number;
