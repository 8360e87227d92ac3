/* Event handlers of the tools, the keyboard and the mouse wheel. */
import { review, setLive } from './actions/analysis.js';
import { listenToEditor, startEditing, stopEditing } from './actions/editor.js';
import { drawOwnGames, listenToGames, openWaiting } from './actions/games.js';
import { chooseSeat, goOn, hint, makeMove, makeTyped, newGame, rematch, reply, resign, resume, takeBack, watchClock } from './actions/match.js';
import { listenToPicks, markWanted, slideBy } from './actions/picks.js';
import { preview, previewLine } from './actions/preview.js';
import { hintAtBest, learn, leavePuzzle, listenToPuzzles } from './actions/puzzles.js';
import { openReplay, runOrStop } from './actions/replay.js';
import { attempt, leave } from './actions/server.js';
import { playSounds } from './actions/sounds.js';
import { cutCurrent, playLine, promoteCurrent, restore, show, step, toggleSymbol } from './actions/steps.js';
import { changeGame, keepAll, restoreState } from './actions/store.js';
import { drawAll, drawClocks, TABS, TOOLS } from './drawing/view.js';
import { change, isAtMatch, mayMove, onChange, page, set, state } from './state/state.js';
import { allNodes, frameOf, lineThrough, SYMBOLS } from './state/tree.js';

const TICK_MS = 200;
/** Wheel movement per step, and minimum time between steps in ms. */
const WHEEL_FROM = 20;
const WHEEL_MS = 60;

/** @param {string} id @param {string} event @param {(event: any) => void} action */
const on = (id, event, action) => byId(id)?.addEventListener(event, action);

/** @param {string} tab */
function chooseTab(tab) {
  openMenu(true);
  change(it => { it.tab = tab; });
  if (tab === 'edit') startEditing();
  else stopEditing();
}

/** Shows or hides the tools on small screens. @param {boolean} isMenuOpen */
function openMenu(isMenuOpen) {
  change(it => { it.isMenuOpen = isMenuOpen; });
  if (isMenuOpen) document.querySelector('.tools')?.scrollIntoView({ block: 'nearest' });
}

function listenToTabs() {
  for (const id of TOOLS) on('tab-' + id, 'click', () => chooseTab(id === state.tab && !TABS.includes(id) ? 'play' : id));
  on('menu', 'click', () => openMenu(!state.isMenuOpen));
  const tabs = /** @type {HTMLElement} */ (document.querySelector('.tabs'));
  tabs.addEventListener('keydown', event => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(state.tab) + by + TABS.length) % TABS.length];
    chooseTab(next);
    byId('tab-' + next).focus();
  });
}

const openRules = () => attempt(async () => (await import('./actions/rules.js')).openRules());
const flip = () => { if (board.flip) change(it => { it.isFlipped = !it.isFlipped; }); };
const hintHere = () => { if (!hintAtBest()) hint(); };
const restoreMoves = async () => { await restore(); reply(); };
const reviewGame = async () => { await review(); reply(); };
const showHelp = () => /** @type {HTMLDialogElement} */ (byId('help')).showModal();

/** Whether a key press belongs to the focused element. @param {KeyboardEvent} event */
function isTyping(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  if (document.querySelector('dialog[open]')) return true;
  if (target.closest('input, textarea, select, [role=tablist]')) return true;
  return target.closest('#board') !== null && (event.key.startsWith('Arrow') || event.key === 'Escape');
}

/** Plays a slide in a match; otherwise steps through the game. @param {number} by @returns {(event?: KeyboardEvent) => void} */
const stepOr = by => () => {
  const key = by > 0 ? 'ArrowRight' : 'ArrowLeft';
  if (!(isAtMatch() && slideBy(key))) step(by);
};

function listenToKeys() {
  /** @type {Record<string, () => void>} */
  const through = { ArrowLeft: stepOr(-1), ArrowRight: stepOr(1), Home: () => step(-Infinity), End: () => step(Infinity), PageUp: () => step(-10), PageDown: () => step(10) };
  if (page.replay) {
    onKeys({ ...through, f: flip, F: flip, ' ': runOrStop }, event => isTyping(event) || (event.key === ' ' && event.target instanceof Element && event.target.closest('button') !== null));
    return;
  }
  /** @type {Record<string, () => void>} */
  const letters = { f: flip, h: hintHere, m: goOn, n: newGame, z: restoreMoves, a: () => { chooseTab('analyse'); setLive(!state.live.isOn); } };
  /** @type {Record<string, () => void>} */
  const keys = {
    ...through, ArrowUp: () => { if (isAtMatch()) slideBy('ArrowUp'); }, ArrowDown: () => { if (isAtMatch()) slideBy('ArrowDown'); },
    Backspace: takeBack, '/': () => byId('move').focus(), '?': showHelp,
    Escape: () => change(it => { Object.assign(it, { picked: [], premove: null, refusal: null, message: null }); }),
  };
  for (const [letter, action] of Object.entries(letters)) keys[letter] = keys[letter.toUpperCase()] = action;
  SYMBOLS.forEach((_, number) => { keys[number] = () => toggleSymbol(number); });
  if (!board.keys) { delete keys.ArrowUp; delete keys.ArrowDown; }
  onKeys(keys, isTyping);
}

function listenToWheel() {
  let turned = 0, last = 0;
  byId('board').addEventListener('wheel', event => {
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < WHEEL_FROM || event.timeStamp - last < WHEEL_MS) return;
    step(Math.sign(turned));
    turned = 0;
    last = event.timeStamp;
  }, { passive: false });
}

function listenToPlay() {
  on('new', 'click', newGame);
  on('start-random', 'click', () => {
    /** @type {HTMLInputElement} */ (byId('start-number')).value = String(Math.floor(Math.random() * page.editor.numbered));
    newGame();
  });
  on('undo', 'click', takeBack);
  on('restore', 'click', restoreMoves);
  on('resume', 'click', resume);
  on('hint', 'click', hintHere);
  on('go', 'click', goOn);
  on('resign', 'click', resign);
  on('rematch', 'click', rematch);
  on('puzzle-leave', 'click', async () => { await leavePuzzle(); reply(); });
  on('set-up', 'click', () => { if (state.arrangement) makeMove(state.arrangement.letters.join('')); });
  on('good', 'change', event => change(it => { if (it.arrangement) it.arrangement.letters = [...event.target.value]; }));
  on('seat', 'change', event => chooseSeat(event.target.value));
  on('opponent', 'change', event => { set({ opponent: event.target.value }); chooseSeat(state.settings.seat); });
  on('level', 'change', event => set({ level: Number(event.target.value) }));
  on('typed', 'submit', async event => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (byId('move')), text = field.value.trim();
    if (text && await makeTyped(text + (mayMove() ? markWanted() : ''))) field.value = '';
  });
  setInterval(() => { watchClock(); drawClocks(); }, TICK_MS);
}

function listenToMoves() {
  on('list', 'click', event => {
    const button = event.target.closest('[data-node]');
    const node = button && allNodes(state.game.root).find(other => other.id === Number(button.dataset.node));
    if (node) show(node);
  });
  on('first', 'click', () => step(-Infinity));
  on('back', 'click', () => step(-1));
  on('forward', 'click', () => step(1));
  on('last', 'click', () => step(Infinity));
  on('comment', 'input', event => change(it => { it.current.comment = event.target.value.trim(); }));
  on('promote', 'click', promoteCurrent);
  on('cut', 'click', cutCurrent);
}

function listenToAnalysis() {
  on('live', 'click', () => setLive(!state.live.isOn));
  on('lines', 'change', event => { set({ lines: Number(event.target.value) }); setLive(state.live.isOn); });
  on('review', 'click', reviewGame);
  on('after-review', 'click', () => { chooseTab('analyse'); reviewGame(); });
  on('review-time', 'change', event => set({ reviewMs: Number(event.target.value) }));
  byId('review').hidden = !page.reviews;
  on('found', 'click', event => {
    const button = event.target.closest('[data-line]'), { found } = state.current;
    if (button && found) playLine(found.finding.lines[Number(button.dataset.line)].moves.slice(0, Number(button.dataset.index) + 1));
  });
  followCurve(() => lineThrough(state.current).map(frameOf), index => show(lineThrough(state.current)[index]), preview);
  on('found', 'pointerover', event => {
    const button = event.target.closest('[data-line]'), { found } = state.current;
    if (button && found && event.pointerType === 'mouse') previewLine(found.finding.lines[button.dataset.line].moves.slice(0, Number(button.dataset.index) + 1), event);
  });
  on('found', 'pointerleave', () => preview(null));
}

/** Fills the list of piece sets, if the game has any. */
function offerPieces() {
  byId('pieces').hidden = !board.sets;
  byId('pieces').querySelector('select')?.append(...(board.sets || []).map(([set, name]) => html('option', { value: set }, name)));
}

function listenToOptions() {
  on('options', 'change', event => {
    const { setting } = event.target.dataset;
    if (setting) set({ [setting]: event.target.type === 'checkbox' ? event.target.checked : event.target.value });
  });
}

/** On phones, shows the lines of the analysis and the legend below the board. */
function placeParts() {
  const narrow = matchMedia('(max-width: 859px), (max-height: 500px)');
  const place = () => {
    byId(narrow.matches ? 'prompt' : 'analyse').append(byId('finding'));
    if (narrow.matches) byId('prompt').after(byId('legend'));
    else document.querySelector('main')?.after(byId('legend'));
  };
  narrow.addEventListener('change', place);
  place();
}

/** Shows the game of the address, or an imported one, and keeps what changes. */
async function openBoard() {
  listenToGames();
  await restoreState();
  keepAll(drawOwnGames);
  addEventListener('hashchange', restoreState);
  addEventListener('pagehide', leave);
  await openWaiting();
}

async function begin() {
  board.begin();
  byId('flip').hidden = !board.flip;
  byId('legend').append(...(board.legend ? board.legend() : []));
  on('flip', 'click', flip);
  for (const id of ['rules-button', 'how-rules']) on(id, 'click', openRules);
  offerPieces();
  on('game', 'change', event => changeGame(event.target.value));
  on('learn-button', 'click', () => learn(0));
  // The tools are drawn after their common parts.
  onChange(drawAll);
  [placeParts, listenToPicks, listenToMoves, listenToPlay, listenToAnalysis, listenToEditor, listenToPuzzles, listenToOptions, listenToTabs, listenToKeys, listenToWheel].forEach(listen => listen());
  playSounds();
  if (page.replay) await openReplay();
  else await openBoard();
  document.body.dataset.ready = 'true';
}
begin();
