/* A match at this board: who sits where, moves, clocks, and cupbot's answers. */
import { change, clockOf, computerAt, elapsed, isAtMatch, isCupbots, isArranging, isOver, isPuzzling, level, mayMove, page, say, set, shownFrame, state, stopThinking, turnOf, recordOf } from '../state/state.js';
import { detach, makeGame, pathTo, writtenOf } from '../state/tree.js';
import { pauseSearch, follow } from './analysis.js';
import { tryMove } from './puzzles.js';
import { askJson, attempt, childBy, isAway, load, pause, searched } from './server.js';
import { cut, plantNew, show, step } from './steps.js';

/** Time of a hint in ms. */
const HINT_MS = 1000;
/** Time after which the page says that a move is not confirmed, and interval between attempts to send it. */
const LATE_MS = 1000;
const RETRY_MS = 500;
/** Number of different games of a level. */
const SEEDS = 1e6;
/** The opponent of the user: cupbot, or a program. */
const opponent = () => page.players.includes(state.settings.opponent) ? state.settings.opponent : 'cupbot';
/** The seats for each choice on the page. @type {Record<string, () => Seat[]>} */
const SEATS = {
  first: () => ['you', opponent()], second: () => [opponent(), 'you'],
  random: () => Math.random() < .5 ? SEATS.first() : SEATS.second(),
  both: () => ['you', 'you'], nobody: () => [opponent(), 'cupbot'],
};
/** Returns the seats of a new match. */
export const seatsChosen = () => SEATS[state.settings.seat]();

/** Starts or stops the clock to agree with the state. */
function settleClock() {
  const { match } = state;
  const runs = match.is === 'on' && !state.editing && !isOver(match.live);
  if (runs === (match.since !== null)) return;
  change(it => {
    it.match.carried = elapsed();
    it.match.since = runs ? performance.now() : null;
  });
}
/** Ends the match if a side has run out of time. */
export function watchClock() {
  settleClock();
  const { match } = state, side = turnOf(match.live);
  if (match.since === null || side < 0) return;
  const { ms, isLimited } = clockOf(side);
  if (isLimited && ms === 0) finish(page.isTeam ? `The time of ${page.sides[side]} is over` : `The time of ${page.sides[side]} is over, ${page.sides[1 - side]} wins`, `${page.names[1 - side]}-time`);
}

/** Starts or resumes a match at a node. @param {TreeNode} node @param {Seat[]} [seats] */
export function startMatch(node, seats) {
  change(it => {
    it.match = { is: 'on', live: node, seats: seats || it.match.seats, seed: Math.floor(Math.random() * SEEDS), carried: 0, since: performance.now() };
    it.game.result = null;
    // The user's side is at the bottom.
    if (board.flip && new Set(it.match.seats).size === 2) it.isFlipped = it.match.seats[1] === 'you';
  });
}

/** Sets who plays, in the running match or otherwise in the next one. @param {string} seat */
export function chooseSeat(seat) {
  set({ seat });
  const { match, current, game } = state;
  const isFresh = match.is === 'none' && current === game.root && !game.root.children.length;
  if (state.puzzle || match.is === 'over' || (match.is === 'none' && !isFresh)) return;
  stopThinking();
  if (isFresh) startMatch(current, seatsChosen());
  else {
    const { is, live, carried } = match, spent = elapsed();
    startMatch(live, seatsChosen());
    change(it => { Object.assign(it.match, { is, carried: spent || carried, since: is === 'on' ? performance.now() : null }); });
  }
  follow();
  reply();
}

/** Plays a move of the user. @param {string} text */
export async function makeMove(text) {
  const from = state.current;
  const wasAtMatch = isAtMatch();
  change(it => { Object.assign(it, { picked: [], message: null, refusal: null }); });
  const isTried = isPuzzling();
  const moved = await sendMove(from, text);
  if (!moved) return false;
  if (isTried) return tryMove(moved);
  if (endsByWord(moved)) {
    change(it => { it.ahead = null; });
    return true;
  }
  if (wasAtMatch && state.match.live === from) advance(from, moved);
  await show(moved, true);
  reply();
  return true;
}

/** Shows a move at once and returns its node, for which it stays on the board, when the server has confirmed it; null if the move is refused or taken back. While the server is away the move is sent again. @param {TreeNode} from @param {string} text */
async function sendMove(from, text) {
  const choice = from.scene?.moves.find(move => text.startsWith(move.text)), shown = shownFrame();
  const known = choice && board.ahead ? board.ahead(shown, choice) : null;
  const ahead = { node: from, frame: known || shown, isShown: Boolean(known) };
  change(it => { it.ahead = ahead; }, { glide: true });
  const isWanted = () => state.ahead === ahead;
  const late = setTimeout(() => { if (isWanted()) say('cupbot has not answered yet. Your move is kept; Take back removes it.'); }, LATE_MS);
  try {
    for (;;) {
      try {
        const moved = await childBy(from, text);
        if (isWanted()) return moved;
        if (!moved.children.length) detach(moved);
        return null;
      } catch (error) {
        if (!isWanted()) return null;
        if (!isAway(error)) change(it => { it.ahead = null; });
        say(error instanceof Error ? error.message + (isAway(error) ? ' Your move is kept and sent again; Take back removes it.' : '') : String(error));
        if (!isAway(error)) return null;
      }
      await pause(RETRY_MS);
      if (!isWanted()) return null;
    }
  } finally {
    clearTimeout(late);
  }
}

/** Ends the game if the text was an agreed draw or a resignation, which is not a move. @param {TreeNode} moved */
function endsByWord(moved) {
  const { scene } = moved;
  if (!scene || !scene.word) return false;
  detach(moved);
  const winner = scene.end && scene.end.winner;
  const outcome = winner === null || winner === undefined ? 'draw' : `${page.names[winner]}-resigned`;
  if (state.match.is === 'none') change(it => { it.game.result = { text: scene.status, outcome }; });
  else finish(scene.status, outcome);
  return true;
}

/** Continues the match with a move. @param {TreeNode} from @param {TreeNode} moved */
function advance(from, moved) {
  stopThinking();
  change(it => {
    moved.spent = [...from.spent];
    if (turnOf(from) >= 0) moved.spent[turnOf(from)] += elapsed();
    Object.assign(it.match, { live: moved, carried: 0, since: performance.now() });
    // A game continues in its main line.
    const { parent } = moved;
    if (parent) parent.children = [moved, ...parent.children.filter(child => child !== moved)];
    if (isOver(moved)) it.match.is = 'over';
  });
  if (isOver(moved)) showEnding();
}

/** Lets cupbot move if it is its turn. */
export function reply() {
  const { match, thinking } = state;
  if (match.is === 'on' && !thinking && !state.editing && match.live.scene && !isOver(match.live) && isCupbots(match.live)) cupbotMoves(match.live);
}

/** Returns cupbot's move or hint at a node; null if the search was stopped. @param {TreeNode} node @param {'answer' | 'hint'} about @param {object} asked */
async function thought(node, about, asked) {
  stopThinking();
  pauseSearch();
  // A page has one search.
  if (state.review) state.review.control.abort();
  const control = new AbortController();
  change(it => { Object.assign(it, { review: null, thinking: { about, control, node } }); });
  const answer = await attempt(() => searched(about, { record: recordOf(node), ...asked }, control.signal));
  if (!state.thinking || state.thinking.control !== control) return null;
  change(it => { it.thinking = null; });
  return answer;
}

/** @param {TreeNode} node */
function levelAt(node) {
  const asked = level();
  if (asked.by === 'named') return { ...asked, seed: state.match.seed || 0 };
  const spent = node.spent[Math.max(0, turnOf(node))] + (node === state.match.live ? elapsed() : 0);
  return asked.by === 'game' ? { ...asked, spent: Math.round(Math.min(spent, (asked.ms || 1) - 1)) } : asked;
}

/** Lets cupbot or a program move. @param {TreeNode} node */
async function cupbotMoves(node) {
  const { match } = state, name = match.is === 'on' && match.live === node ? computerAt(node) : '', isBot = page.players.includes(name);
  const answer = await thought(node, 'answer', { level: levelAt(node), player: isBot ? name : undefined });
  if (answer === null) return;
  if (isBot && answer) change(it => { it.bot = { name, ...answer }; });
  if (answer && answer.fault) {
    finish(answer.fault.text, answer.fault.outcome);
    return;
  }
  const moved = answer && await attempt(() => childBy(node, answer.text));
  if (moved && endsByWord(moved)) return;
  if (!moved) {
    if (state.match.live === node) pauseMatch();
    return;
  }
  if (state.match.is === 'on' && state.match.live === node) advance(node, moved);
  const declined = !isBot && page.mark && page.mark.declined && node.text.endsWith(page.mark.symbol) ? page.mark.declined : '';
  change(it => { it.said = `${page.sides[turnOf(node)] || ''} plays ${writtenOf(moved)}. ${moved.scene ? moved.scene.status : ''}`; });
  if (state.current === node) await show(moved, true);
  if (declined) say(declined, true);
  if (!await playPremove()) reply();
}

/** Plays the premove if it is legal now. */
async function playPremove() {
  const { premove, current } = state;
  if (!premove || !isAtMatch() || isCupbots(current)) return false;
  change(it => { it.premove = null; });
  const found = current.scene && current.scene.moves.find(move => move.spots.slice(0, 2).join() === premove.join());
  return found ? makeMove(found.text) : false;
}

/** Lets cupbot move for the side to move, or stops it if it is thinking. */
export function goOn() {
  const { thinking, current } = state;
  if (thinking) {
    stopThinking();
    if (state.match.is === 'on' && isCupbots(state.match.live)) pauseMatch();
    follow();
    return;
  }
  if (!state.puzzle && !state.editing && current.scene && !isOver(current)) cupbotMoves(current);
}

function pauseMatch() {
  change(it => { Object.assign(it.match, { is: 'paused', carried: elapsed(), since: null }); });
}

/** Resumes a paused match, returns to the running one, or starts a new match from this position. */
export async function resume() {
  const { match, current } = state;
  if (match.is === 'on' || match.is === 'paused') {
    if (current !== match.live) await show(match.live);
    if (state.match.is === 'paused') change(it => { Object.assign(it.match, { is: 'on', since: performance.now() }); });
  } else startMatch(current, seatsChosen());
  follow();
  reply();
}

/** Takes back moves up to the user's last one in a match (they can be restored); otherwise steps back. */
export function takeBack() {
  const { ahead, match, current } = state;
  if (state.editing) return;
  if (ahead) {
    change(it => { it.ahead = null; });
    say('Your move is taken back: cupbot had not received it.', true);
    return;
  }
  const isMatch = (match.is === 'on' || match.is === 'paused') && current === match.live;
  if (!isMatch) { step(-1); return; }
  stopThinking();
  let node = match.live;
  if (!node.parent) return;
  let first = node;
  do {
    first = node;
    node = /** @type {TreeNode} */ (node.parent);
  } while (node.parent && isCupbots(node) && match.seats.includes('you'));
  cut(first);
  change(it => { Object.assign(it.match, { live: node, carried: 0, since: it.match.is === 'on' ? performance.now() : null }); });
  show(node).then(reply);
}

/** Asks for a hint, or cancels the request if it is running. */
export async function hint() {
  if (state.thinking && state.thinking.about === 'hint') { stopThinking(); follow(); reply(); return; }
  const { current: node } = state;
  if (state.editing || !node.scene || isOver(node) || state.thinking) return;
  const answer = await thought(node, 'hint', { ms: HINT_MS });
  if (answer && state.current === node) change(it => {
    if (isArranging() && it.arrangement) it.arrangement.letters = [...answer.text];
    it.hint = { node, move: answer.text, text: `Hint: ${answer.reason} (${answer.score}).` };
  });
  if (answer !== null) { follow(); reply(); }
}

/** Shows the card of the end when the last move is on the board. */
const showEnding = () => { import('./ending.js').then(({ openEnding }) => openEnding()); };

/** @param {string} text @param {string} outcome */
function finish(text, outcome) {
  stopThinking();
  change(it => {
    Object.assign(it.match, { is: 'over', carried: elapsed(), since: null });
    it.game.result = { text, outcome };
  });
  showEnding();
}

/** Asks for confirmation before an action that is hard to undo. @param {string} question @param {string} yes @returns {Promise<boolean>} */
function confirmed(question, yes) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('confirm'));
  byId('question').textContent = question;
  byId('yes').textContent = yes;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise(resolve => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true }));
}

export async function resign() {
  const { match } = state;
  if (!(match.is === 'on' || match.is === 'paused') || isOver(match.live)) return;
  if (!await confirmed(page.isTeam ? 'Give the game up?' : 'Resign this game?', page.isTeam ? 'Give up' : 'Resign')) return;
  const turn = Math.max(0, turnOf(match.live));
  const loser = match.seats[turn] === 'you' || !match.seats.includes('you') ? turn : 1 - turn;
  finish(page.isTeam ? 'The game is given up' : `${page.sides[loser]} resigns, ${page.sides[1 - loser]} wins`, `${page.names[1 - loser]}-resigned`);
}

/** Returns the start position with the chosen number, or null for the usual one. */
async function startWanted() {
  const field = /** @type {HTMLInputElement | null} */ (byId('start-number'));
  if (!field || field.value.trim() === '') return null;
  const { position, fault } = await askJson('edit', { game: page.game, position: field.value.trim() });
  if (!position) throw new Error(fault);
  return position;
}

/** Whether a new game would end a running match. */
function isInMatch() {
  const { match: { is, live } } = state.puzzle ? state.puzzle.back : state;
  return (is === 'on' || is === 'paused') && pathTo(live).length > 1 && !isOver(live);
}

/** Starts a new game. */
export async function newGame() {
  if (isInMatch() && !await confirmed('Begin a new game? The present one stays in the list of your games.', 'New game')) return;
  const position = await attempt(startWanted);
  if (position !== undefined) await beginMatch(position, seatsChosen());
}

/** Starts a match. @param {string | null} position @param {Seat[]} seats */
async function beginMatch(position, seats) {
  plantNew(makeGame(position));
  startMatch(state.game.root, seats);
  await show(state.game.root);
  reply();
}

/** Starts a match from the same position with swapped sides. */
export async function rematch() {
  const { match, game } = state, seats = /** @type {Seat[]} */ ([...match.seats].reverse());
  if (new Set(seats).size > 1 && seats.includes('you')) set({ seat: seats[0] === 'you' ? 'first' : 'second' });
  await beginMatch(game.start, seats);
}

/** Normalises a move for comparison: lower case, without symbols such as those of captures and checks. @param {string} text */
const bare = text => text.toLowerCase().replace(/[-+#x=:!?]/g, '');

/** Returns the move that a text means in another notation, if only one fits; otherwise the text. @param {string} text */
function meant(text) {
  const moves = state.current.scene ? state.current.scene.moves : [];
  if (moves.some(move => move.text === text || move.written === text)) return text;
  const found = new Set(moves.filter(move => bare(move.text) === bare(text) || (move.written && bare(move.written) === bare(text))).map(move => move.text));
  return found.size === 1 ? [...found][0] + (page.mark && text.endsWith(page.mark.symbol) ? page.mark.symbol : '') : text;
}

/** Returns the squares of a promotion if the text does not name the new piece; otherwise null. @param {string} text */
function promotionMeant(text) {
  const moves = (state.current.scene ? state.current.scene.moves : []).filter(move => move.spots.length > 2 && [move.text, move.written || ''].some(form => bare(form).slice(0, -1) === bare(text)));
  const squares = new Set(moves.map(move => move.spots.slice(0, 2).join()));
  return squares.size === 1 ? moves[0].spots.slice(0, 2) : null;
}

/** Plays a typed move. Returns whether it was played. @param {string} text */
export async function makeTyped(text) {
  if (!text || state.editing) return false;
  await attempt(() => load(state.current));
  const squares = mayMove() && promotionMeant(text);
  if (squares) {
    change(it => { it.picked = squares; });
    say('Choose what the pawn becomes, on the board or by typing it: =Q, =R, =B or =N after the move.', true);
    return false;
  }
  if (mayMove()) return makeMove(meant(text));
  say(isOver(state.current) ? 'The game is over here.' : `${computerAt(state.current) || 'cupbot'} is to move.`);
  return false;
}
