/*
 * Persistent state. The address contains what a link shares: the game with variations, names and result, the current
 * position, the seats and the clocks. The browser's storage contains the user's games with their analyses.
 */
import { change, elapsed, isOver, keep, kept, nameOf, onChange, onLeave, page, plant, say, state } from '../state/state.js';
import { allNodes, endOf, makeGame, nodeAt, pathTo, readTree, treeText, wayText } from '../state/tree.js';
import { reply, seatsChosen, startMatch } from './match.js';
import { learn, openPuzzle } from './puzzles.js';
import { attempt, load, loadVariations } from './server.js';
import { show } from './steps.js';

const GAMES_KEY = 'cupbot-games';
const GAME_KEY = 'cupbot-game-';
const LEFT_KEY = 'cupbot-left-';
/** Maximum number of stored games; the oldest ones are deleted. */
const MAX_GAMES = 60;
const MAX_LINE = 10;
const SAVE_MS = 400;
const SIDE_COUNT = 2;

/** Returns the fragment of the address for the current state. @returns {string} */
function address({ game, current, match, puzzle, settings, isFlipped } = state) {
  // Mistakes are part of a game and have no address of their own.
  if (puzzle && puzzle.mistakes) return address({ ...state, ...puzzle.back, puzzle: null });
  // The address of a puzzle does not contain the tried moves.
  if (puzzle) return '#' + new URLSearchParams({ [puzzle.lessons ? 'lesson' : 'puzzle']: String(puzzle.index + 1) });
  const text = new URLSearchParams(), tree = treeText(game.root, true), at = wayText(current);
  text.set('id', game.id);
  if (game.start) text.set('start', game.start);
  if (tree) { text.set('tree', tree); text.set('at', at); }
  if (isFlipped) text.set('flip', '1');
  if (game.names.some(Boolean)) text.set('names', game.names.map(name => name || '').join('|'));
  if (game.result) text.set('result', `${game.result.outcome}|${game.result.text}`);
  text.set('play', [...match.seats, settings.level, match.is].join(','));
  if (match.is !== 'none' || game.result) text.set('live', wayText(match.live));
  if (match.is !== 'none') {
    text.set('clock', [...match.live.spent, elapsed(match)].map(Math.round).join(','));
  }
  return '#' + text;
}

/** Returns the notes of a position: everything except what the rules say. @param {TreeNode} node */
function knownOf({ note, found, shapes, comment, commands, glyphs, spent }) {
  const short = found && { ...found, finding: { ...found.finding, lines: found.finding.lines.map(line => ({ ...line, moves: line.moves.slice(0, MAX_LINE) })) } };
  return { note: note && Object.keys(note).length ? note : undefined, found: short || undefined, shapes: shapes.length ? shapes : undefined, comment: comment || undefined, commands: commands || undefined, glyphs: glyphs.length ? glyphs : undefined, spent: spent.some(Boolean) ? spent.map(Math.round) : undefined };
}

/** Saves the game in the browser. */
export function saveGame() {
  const { game, match, puzzle } = state;
  if (!game.root.children.length || puzzle || game.forgotten === treeText(game.root)) return;
  const nodes = allNodes(game.root), end = endOf(game.root);
  const summary = {
    id: game.id, game: page.game, title: page.title, names: game.names.map((_, side) => nameOf(side)),
    result: game.result ? game.result.text : (isOver(end) && end.scene ? end.scene.status : match.is === 'none' ? '' : 'not over'),
    count: pathTo(end).length - 1, when: Date.now(),
  };
  /** @type {any[]} */
  const games = (kept(GAMES_KEY) || []).filter((/** @type {any} */ other) => other.id !== game.id);
  games.unshift(summary);
  for (const old of games.splice(MAX_GAMES)) localStorage.removeItem(GAME_KEY + old.id);
  const whole = { address: address(), tree: treeText(game.root), known: nodes.map(knownOf), tags: game.tags, notes: game.notes && { way: wayText(game.notes.end), notes: game.notes.notes } };
  // If the storage is full, the oldest games are deleted.
  while (!keep(GAME_KEY + game.id, whole) && games.length > 1) localStorage.removeItem(GAME_KEY + (games.pop() || {}).id);
  keep(GAMES_KEY, games);
}

/** Returns the games stored in this browser, the latest first. @returns {any[]} */
export const ownGames = () => kept(GAMES_KEY) || [];
/** Returns the address of a stored game. @param {any} summary @returns {string} */
export const addressOf = summary => `${summary.game}${(kept(GAME_KEY + summary.id) || {}).address || ''}`;
/** Goes to the page of another game, where this tab has left it. @param {string} name */
export function changeGame(name) {
  saveGame();
  sessionStorage.setItem(LEFT_KEY + page.game, address());
  location.assign(name + (sessionStorage.getItem(LEFT_KEY + name) || ''));
}
/** @param {string} id */
export function forget(id) {
  localStorage.removeItem(GAME_KEY + id);
  keep(GAMES_KEY, ownGames().filter(game => game.id !== id));
  // The current game is not saved again until it continues.
  change(it => { if (it.game.id === id) it.game.forgotten = treeText(it.game.root); });
}

/** Returns the game of an address with its stored notes. @param {URLSearchParams} text @returns {Game} */
function gameOf(text) {
  const game = makeGame(text.get('start'));
  const stored = text.get('id') ? kept(GAME_KEY + text.get('id')) : null;
  if (text.get('id')) game.id = /** @type {string} */ (text.get('id'));
  readTree(game.root, text.get('tree') || '');
  const names = text.get('names');
  if (names) game.names = names.split('|').slice(0, SIDE_COUNT).map(name => name || null);
  const result = text.get('result');
  if (result) game.result = { outcome: result.split('|')[0], text: result.split('|').slice(1).join('|') };
  if (stored && stored.tree === treeText(game.root)) {
    allNodes(game.root).forEach((node, index) => Object.assign(node, stored.known[index]));
    game.tags = stored.tags || [];
    if (stored.notes) game.notes = { end: nodeAt(game.root, stored.notes.way), notes: stored.notes.notes };
  }
  return game;
}

/** Restores the state from the address and the game's stored notes. */
export async function restoreState() {
  const text = new URLSearchParams(location.hash.slice(1));
  const puzzle = Number(text.get('puzzle')), isMeant = ['id', 'tree', 'start', 'play'].some(key => text.has(key));
  if (text.has('lesson') || (page.puzzles && page.puzzles[puzzle - 1])) {
    // Leaving the puzzle shows a new game.
    if (!state.current.scene) startMatch(state.game.root, seatsChosen());
    await (text.has('lesson') ? learn(Number(text.get('lesson')) - 1) : openPuzzle(puzzle - 1));
    return;
  }
  const [first, second, chosen, is] = (text.get('play') || '').split(',');
  const game = gameOf(text);
  plant(game);
  change(it => {
    it.isFlipped = Boolean(board.flip) && text.get('flip') === '1';
    if (page.levels[Number(chosen)] && chosen) it.settings.level = Number(chosen);
  });
  const end = endOf(game.root);
  const isKnown = await attempt(async () => { await load(end); return true; });
  // The user may have left the game meanwhile.
  if (state.game !== game) return;
  const { message } = state;
  if (!isKnown) {
    // A game that can't be loaded is not saved when it is left.
    game.forgotten = treeText(game.root);
    plant(makeGame());
  }
  const { root } = state.game;
  const live = isKnown && text.has('live') ? nodeAt(root, text.get('live')) : endOf(root);
  const clock = (text.get('clock') || '').split(',').map(Number);
  /** @type {Seat[] | null} */
  const seats = isPlayer(first) && isPlayer(second) ? [first, second] : null;
  if (seats && (is === 'on' || is === 'paused' || is === 'over')) {
    const { isFlipped, game: { result: ended } } = state;
    startMatch(live, seats);
    change(it => {
      if (clock.length === SIDE_COUNT + 1 && clock.every(Number.isFinite)) { live.spent = [clock[0], clock[1]]; it.match.carried = clock[2]; }
      Object.assign(it.match, { is, since: is === 'on' ? performance.now() : null });
      Object.assign(it, { isFlipped });
      it.game.result = ended;
      if (isOver(live)) it.match.is = 'over';
    });
  } else if (text.has('live')) {
    change(it => { it.match.live = live; });
  } else if (!text.has('play') && !text.has('tree') && !text.has('start')) {
    startMatch(root, seatsChosen());
  }
  await show(text.has('at') ? nodeAt(root, text.get('at')) : live);
  if (!isKnown) say(`This link can't be opened: ${message ? message.text : ''}`);
  else if (location.hash.length > 1 && !isMeant) say(text.has('puzzle') ? `There is no puzzle ${text.get('puzzle')} here.` : 'This link leads to no game.');
  loadVariations(root);
  reply();
}
/** Updates the game when another tab has saved it. A match continues in one tab only. @param {StorageEvent} event */
async function followTab({ key }) {
  const { puzzle, editing } = state, game = puzzle ? puzzle.back.game : state.game, stored = key === GAME_KEY + game.id && kept(key);
  if (!stored || stored.tree === treeText(game.root)) return;
  game.forgotten = treeText(game.root);
  if (puzzle || editing) {
    // The game of this tab becomes a copy: otherwise it would replace the moves of the other tab.
    change(() => { game.id = makeGame().id; });
    return;
  }
  history.replaceState(null, '', stored.address.replace(/(play=[^&]*%2C)on(?=&|$)/, '$1paused'));
  await restoreState();
  if (state.game.id === game.id) say('The game has gone on in another tab, and this one has followed.', true);
}

/** @param {string} seat @returns {seat is Seat} */
const isPlayer = seat => seat === 'you' || seat === 'cupbot' || page.players.includes(seat);

/** Minimum interval between changes of the address: browsers refuse more than 200 in 10 s. */
const ADDRESS_MS = 60;
/** @type {number | undefined} */
let timer;
/** Saves every change from now on. @param {() => void} onSaved */
export function keepAll(onSaved) {
  const link = /** @type {HTMLInputElement} */ (byId('link'));
  let written = '', writtenAt = 0;
  /** @type {number | undefined} */
  let later;
  const writeAddress = (now = address()) => {
    clearTimeout(later);
    writtenAt = performance.now();
    written = now;
    history.replaceState(null, '', now);
  };
  onChange(() => {
    const now = address();
    if (now !== written) {
      clearTimeout(later);
      if (performance.now() - writtenAt >= ADDRESS_MS) writeAddress(now);
      else later = setTimeout(writeAddress, ADDRESS_MS);
    }
    link.value = new URL(now, location.href).href;
    clearTimeout(timer);
    timer = setTimeout(() => { saveGame(); onSaved(); }, SAVE_MS);
  });
  // The timer above may not have run yet.
  onLeave(saveGame);
  addEventListener('pagehide', () => { writeAddress(); saveGame(); });
  addEventListener('storage', followTab);
}
