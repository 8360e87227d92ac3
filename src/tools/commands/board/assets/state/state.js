/*
 * The state of the page: one object that only `change` modifies. After each change the page is redrawn (view.js) and
 * the state is saved in the address and the browser (store.js).
 */
import { frameOf, makeGame, pathTo } from './tree.js';

/** Description of the game by the server. @type {any} */
export const page = JSON.parse(/** @type {string} */ (byId('data').textContent));
const SETTINGS_KEY = 'cupbot-settings';
/** @type {Settings} */
const DEFAULTS = { seat: 'first', opponent: '', level: 2, lines: 3, sound: false, animation: true, premove: false, attacks: false, scheme: '', theme: '', pieces: '', reviewMs: 150 };

/** Returns the value stored in the browser under a key. @param {string} key @returns {any} */
export function kept(key) {
  try { return JSON.parse(localStorage.getItem(key) || 'null'); } catch { return null; }
}
/** @param {string} key @param {any} value */
export function keep(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; }
}

const game = makeGame();
/** @type {State} */
export const state = {
  game, current: game.root,
  match: { is: 'none', live: game.root, seats: ['you', 'cupbot'], carried: 0, since: null },
  picked: [], place: null, hint: null, arrangement: null, editing: null, brush: '', thinking: null, bot: null, ahead: null, premove: null,
  live: { isOn: false, control: null }, review: null, puzzle: null, cut: [], message: null, refusal: null, said: '', tab: 'play', isMenuOpen: false, isFlipped: false,
  settings: { ...DEFAULTS, ...kept(SETTINGS_KEY) },
};

let depth = 0;
/** @type {((how: { glide?: boolean }) => void)[]} */
const listeners = [];
/** Registers a callback that runs after each change. @param {(how: { glide?: boolean }) => void} listener */
export const onChange = listener => listeners.push(listener);
/** @type {(() => void)[]} */
const leaving = [];
/** Registers a callback that runs before the game is replaced. @param {() => void} listener */
export const onLeave = listener => leaving.push(listener);

/** Starts a new setup with the first of the good ones. */
function arrange() {
  const { current, arrangement } = state, setup = isArranging() && current.scene && current.scene.setup;
  if (setup && !(arrangement && arrangement.node === current)) state.arrangement = { node: current, letters: [...setup.good[0][1]] };
}

/** Changes the state and calls the callbacks. @param {(state: State) => void} how @param {{ glide?: boolean }} [drawing] */
export function change(how, drawing) {
  depth++;
  try { how(state); } finally { depth--; }
  if (!depth) arrange();
  if (!depth) for (const listener of listeners) listener(drawing || {});
}

/** Changes settings and saves them. @param {Partial<Settings>} some */
export function set(some) {
  change(it => { Object.assign(it.settings, some); });
  keep(SETTINGS_KEY, state.settings);
}

/** Shows a message, styled as an error unless `isGood`. @param {string} text @param {boolean} [isGood] */
export function say(text, isGood) {
  change(it => { it.message = text ? { text, isGood: Boolean(isGood) } : null; });
}

/** Stops cupbot's search for a move or a hint. */
export function stopThinking() {
  if (!state.thinking) return;
  state.thinking.control.abort();
  change(it => { it.thinking = null; });
}

/** Replaces the game and resets the state that belongs to it. @param {Game} planted @param {Partial<State>} [also] */
export function plant(planted, also) {
  leaving.forEach(listener => listener());
  stopThinking();
  change(it => {
    if (it.review) it.review.control.abort();
    if (it.tab === 'edit') it.tab = 'play';
    Object.assign(it, {
      bot: null, ahead: null, game: planted, current: planted.root, picked: [], hint: null, arrangement: null, editing: null, premove: null,
      review: null, puzzle: null, cut: [], message: null, refusal: null, said: '',
      match: { is: 'none', live: planted.root, seats: ['you', 'you'], carried: 0, since: null },
    }, also);
  });
}

/** Returns the current game, to be restored after a puzzle; its clock is stopped. @returns {Aside} */
export function aside() {
  const { game, current, match, cut, isFlipped } = state;
  return { game, current, match: { ...match, carried: elapsed(), since: null }, cut, isFlipped };
}

/** Formats a number of things, e.g. "1 wall", "2 walls". @param {number} count @param {string} name */
export const counted = (count, name) => `${count} ${name}${count === 1 ? '' : 's'}`;

/* Queries of the state. */
/** @param {TreeNode} node */
export const turnOf = node => node.scene && node.scene.turn !== undefined ? node.scene.turn : -1;
/** Whether the game has ended by the rules. @param {TreeNode} node */
export const isOver = node => Boolean(node.scene && node.scene.end);
/** Whether the game has ended here, by the rules or otherwise. @param {TreeNode} node */
export const hasEnded = node => isOver(node) || Boolean(state.game.result && node === state.match.live);
/** Returns the end of the game at a node: that of the record, or by the rules. @param {TreeNode} node */
export function endingOf(node) {
  const { result } = state.game, end = node.scene && node.scene.end;
  const winner = result ? page.names.findIndex((/** @type {string} */ name) => result.outcome.startsWith(name)) : -1;
  if (node.scene && end && (!result || winner === (end.winner === null ? -1 : end.winner))) return node.scene.status;
  return result ? result.text : '';
}
/** Returns who is to move: cupbot, a program, or the user (an empty text). @param {TreeNode} node */
export function computerAt(node) {
  const seat = state.match.seats[turnOf(node)];
  return seat && seat !== 'you' ? seat : '';
}
/** Whether a computer player is to move. @param {TreeNode} node */
export const isCupbots = node => computerAt(node) !== '';
/** Whether the current position is that of the running match. */
export const isAtMatch = () => state.match.is === 'on' && state.current === state.match.live;
/** @returns {Level} */
export const level = () => page.levels[state.settings.level] || page.levels[DEFAULTS.level];
/** Whether cupbot is to move in the running match. */
export const isWaiting = () => isAtMatch() && !isOver(state.current) && isCupbots(state.current);
/** Whether the user is to solve a puzzle at the current position. */
export const isPuzzling = () => Boolean(state.puzzle && state.puzzle.is === 'open' && state.puzzle.at === state.current);
/** Whether the user may move in the current position. */
export function mayMove() {
  const { ahead, current, thinking, puzzle } = state;
  if (page.replay || ahead) return false;
  if (puzzle && (puzzle.is === 'judging' || puzzle.is === 'wrong')) return false;
  return Boolean(current.scene) && !isOver(current) && !isWaiting() && !(thinking && thinking.node === current && thinking.about === 'answer');
}
export const isArranging = () => Boolean(!state.editing && state.current.scene && state.current.scene.setup && mayMove() && !hasEnded(state.current));
/** Returns the name of a side's player. @param {number} side */
export function nameOf(side) {
  const { game: { names }, match } = state;
  return state.editing ? '' : names[side] || (match.is === 'none' ? '' : match.seats[side]);
}
/** Returns the record of the line to a node. @param {TreeNode} node @returns {GameRecord} */
export const recordOf = node => ({ game: page.game, start: state.game.start, moves: pathTo(node).slice(1).map(step => step.text), players: state.game.names });
/** Returns the frame on the board: the edited position, or the current node with an unfinished setup. @returns {Frame} */
export function shownFrame() {
  const { editing, ahead, current, arrangement } = state;
  if (editing) return { ...editing.frame, isBuilt: true };
  if (ahead && ahead.node === current) return ahead.frame;
  const frame = frameOf(current);
  if (!isArranging() || !arrangement || !current.scene || !current.scene.setup) return frame;
  return { ...frame, arranged: Object.fromEntries(current.scene.setup.spots.map((id, index) => [id, arrangement.letters[index]])) };
}

/* Clocks: a node stores the time used up to it, the match the time used for the next move. */
/** Returns the time used for the current move, in ms. */
export const elapsed = ({ carried, since } = state.match) => carried + (since === null ? 0 : performance.now() - since);
/** Minimum time per game for a clock of the user; shorter times limit only cupbot. */
const LEAST_GAME_MS = 60000;
/** Returns the remaining time of a side (or the used time if it is unlimited) and whether its clock runs. @param {number} side */
export function clockOf(side) {
  const { match, current } = state, asked = level();
  const shown = match.is === 'on' || match.is === 'paused' || current === match.live ? match.live : current;
  const isMoving = match.is !== 'none' && shown === match.live && turnOf(shown) === side;
  const used = shown.spent[side] + (isMoving ? elapsed() : 0);
  const total = asked.by === 'game' ? asked.ms || 0 : 0;
  // Programs have the limits of their contest, which the server knows.
  const isLimited = match.is !== 'none' && total > 0 && (match.seats[side] === 'cupbot' || (total >= LEAST_GAME_MS && match.seats[side] === 'you'));
  return { ms: isLimited ? Math.max(0, total - used) : used, isLimited, isRunning: isMoving && match.since !== null };
}
