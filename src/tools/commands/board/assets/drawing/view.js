/* Draws the page from the state after each change. Nothing here changes the state. */
import { clockOf, computerAt, hasEnded, isArranging, isCupbots, endingOf, isOver, isWaiting, nameOf, page, shownFrame, state, turnOf } from '../state/state.js';
import { summaryOf } from '../state/review.js';
import { frameOf, lineThrough, pathTo } from '../state/tree.js';
import { barOf, drawList } from './list.js';
import { drawSpots, spots } from './spots.js';

/** The tools: those with a tab, then those with an icon in the header. */
export const TABS = ['play', 'analyse', 'puzzles', 'import'].filter(id => byId(id));
export const TOOLS = [...TABS, ...['share', 'options', 'edit'].filter(id => byId(id))];
/** @param {string} id */
const button = id => /** @type {HTMLButtonElement} */ (byId(id));
/** Sets the text of an element if it differs. @param {string} id @param {string} text */
export function write(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

/** Fills the list of good setups when a setup is to be chosen. */
function drawSetup() {
  const { current } = state, setup = isArranging() && current.scene && current.scene.setup, list = byId('good');
  byId('setup').hidden = !setup;
  if (!setup || list.dataset.node === String(current.id)) return;
  list.dataset.node = String(current.id);
  list.replaceChildren(...setup.good.map(([name, letters]) => html('option', { value: letters }, name)));
}

/** @type {any[]} */
let drawn = [];
/** Redraws the board even if nothing has changed. */
export function redraw() {
  drawn = [];
  drawBoard(false);
  drawMatch();
}

/** @param {boolean} glide */
function drawBoard(glide) {
  drawSetup();
  const { current, editing, isFlipped, arrangement, settings } = state;
  if (document.body.classList.contains('flipped') !== isFlipped && board.flip) { turnBoard(isFlipped); drawn = []; }
  if (!current.scene && !editing) return;
  const frame = shownFrame();
  // Do not replace the elements under a finger unless something has changed.
  const key = [current.scene, state.ahead, editing && editing.frame, current.note, isArranging() && arrangement ? arrangement.letters.join('') : '', settings.attacks];
  if (key.some((part, index) => part !== drawn[index])) {
    const wasShown = !state.ahead && drawn[1]?.isShown;
    drawn = key;
    drawPosition(frame, glide && settings.animation && !wasShown);
    drawSpots(frame);
    drawAttacks(frame);
    byId('order').replaceChildren(...(board.order && frame.ply !== undefined && !frame.end ? board.order(frame) : []));
    if (board.count) write('count', board.count(frame));
  }
  drawHints();
}

/** Marks the squares that each side attacks. @param {Frame} frame */
function drawAttacks(frame) {
  const layer = byId('board').querySelector('.attacks') || svg('g', { class: 'attacks', 'pointer-events': 'none' });
  const marks = state.settings.attacks && frame.attacked ? Object.entries(/** @type {Record<string, number[]>} */ (frame.attacked)) : [];
  layer.replaceChildren(...marks.flatMap(([id, counts]) => {
    const spot = spots.get(id);
    return spot ? counts.flatMap((count, side) => count ? [svg('text', { class: 'attack ' + SIDES[side], x: spot.x + (side ? 34 : -34), y: spot.y + (side ? -30 : 42), 'text-anchor': 'middle' }, String(count))] : []) : [];
  }));
  byId('board').append(layer);
}

/** Returns the suggested moves: a hint, those of the analysis, or the best move by the review. */
function drawHints() {
  if (!board.hint) return;
  const { current, hint, editing, picked, live } = state;
  const hinted = hint && hint.node === current ? [hint.move] : [];
  const found = current.found && (live.isOn || state.match.is !== 'on') ? current.found.finding.lines.map(line => line.moves[0]) : [];
  const noted = current.note && current.note.line ? current.note.line.slice(0, 1) : [];
  const shown = [hinted, found, noted].find(moves => moves.length) || [];
  board.hint(editing || isArranging() || picked.length || state.ahead || hasEnded(current) ? [] : shown);
}

function statusText() {
  const { editing, current, game, match } = state;
  // The match or the recorded game ended at this position, even if moves were tried afterwards.
  if (editing) return 'Building a position';
  if (game.result && current === match.live) return endingOf(current);
  return (current.scene && current.scene.status) || '';
}

function drawStatus() {
  const { thinking, hint, current, cut, message, refusal } = state;
  const thinks = thinking ? thinking.about === 'hint' ? ' – cupbot looks for a hint …' : ` – ${computerAt(thinking.node) || 'cupbot'} thinks …` : '';
  write('status', statusText() + thinks);
  byId('status').title = statusText();
  const said = hint && hint.node === current ? hint.text : '';
  write('hinted', said);
  Object.assign(byId('hinted').dataset, { move: said ? hint?.move : '' });
  byId('hinted').hidden = !said;
  const shown = byId('message');
  write('message', message ? message.text : '');
  shown.classList.toggle('good', Boolean(message && message.isGood));
  shown.hidden = !message;
  button('restore').hidden = !cut.length;
  write('said', state.said);
  const spot = refusal && spots.get(refusal.spot), why = byId('why');
  why.hidden = !refusal;
  if (!refusal) return;
  write('why', refusal.text);
  const view = /** @type {any} */ (byId('board')).viewBox.baseVal;
  const x = spot ? spot.x / view.width : .5, y = spot ? spot.y / view.height : .5;
  const width = byId('table').clientWidth, half = why.offsetWidth / 2 + 2;
  Object.assign(why.style, { left: `${Math.min(width - half, Math.max(half, x * width))}px`, top: `${100 * y}%` });
  why.classList.toggle('below', y < .3);
}

/** Returns the result of the match from the user's view, or an empty text. */
export function endText() {
  const { match, game } = state, { end } = match.live.scene || {}, you = match.seats.indexOf('you');
  if (page.isTeam || you < 0 || new Set(match.seats).size < 2) return '';
  const side = game.result ? page.names.findIndex((/** @type {string} */ name) => game.result?.outcome.startsWith(name)) : end && end.winner !== null ? end.winner : -1;
  return side < 0 ? ', a draw' : side === you ? ', you have won' : ', you have lost';
}

/** Number of moves after which the page no longer explains how to move. */
const FIRST_MOVES = 4;
/** Explains to new users how to move in a match. */
function drawHow() {
  const { current, editing, puzzle, match } = state;
  byId('how').hidden = Boolean(editing || puzzle) || match.is === 'none' || !current.scene || hasEnded(current) || pathTo(current).length > FIRST_MOVES;
  const how = byId('how').firstElementChild;
  if (how && board.how && current.scene) how.textContent = board.how(current.scene);
}

/** Draws the state of the match and its buttons. */
function drawMatch() {
  const { match, current, thinking, editing, puzzle } = state;
  const isAway = current !== match.live;
  const you = match.seats.indexOf('you'), who = new Set(match.seats).size === 2 ? (you < 0 ? match.seats.join(' against ') : `You are ${page.sides[you]}`) : you === 0 ? 'You play both sides' : 'Cupbot plays both sides';
  const [text, action] = puzzle ? [`A ${puzzle.lessons ? 'lesson' : 'puzzle'} is on the board.`, ''] : {
    on: isAway ? ['You are looking back. Your game is waiting.', 'Back to the game'] : [`${who}.`, ''],
    paused: ['The match is paused.', 'Go on'],
    over: [`The match is over${endText()}.`, isOver(current) ? '' : 'Play on from here'],
    none: ['Free analysis: move either side.', isOver(current) ? '' : 'Play from here'],
  }[match.is];
  write('match', text);
  write('resume', action);
  button('resume').hidden = !action || Boolean(editing);
  const line = lineThrough(current), index = line.indexOf(current);
  button('first').disabled = button('back').disabled = index === 0;
  button('forward').disabled = button('last').disabled = index === line.length - 1;
  button('undo').disabled = !current.parent && !state.ahead;
  const isOn = match.is === 'on' || match.is === 'paused';
  write('undo', isOn && !isAway ? 'Take back' : 'Step back');
  const isHint = Boolean(thinking && thinking.about === 'hint');
  write('hint', isHint ? 'Stop' : 'Hint');
  button('hint').disabled = isOver(current) || Boolean(editing || puzzle?.lessons || (thinking && !isHint)) || isWaiting();
  write('go', thinking && !isHint ? match.is === 'on' && isCupbots(match.live) ? 'Pause' : 'Stop' : 'Cupbot moves');
  button('go').disabled = isHint;
  // A hint is enough in a match.
  button('go').hidden = Boolean(puzzle) || isOver(current) || (isOn && !isAway && !(thinking && !isHint));
  button('new').classList.toggle('main', !puzzle && match.is !== 'over' && !state.game.root.children.length && !isArranging());
  write('resign', page.isTeam ? 'Give up' : 'Resign');
  button('resign').hidden = !isOn || isOver(match.live);
  byId('branch').hidden = !pathTo(current).some(node => node.parent && node.parent.children[0] !== node);
  SIDES.forEach((_, side) => {
    const row = byId('side-' + side), name = nameOf(side);
    /** @type {HTMLElement} */ (row.querySelector('.name')).textContent = page.sides[side] + (name ? `: ${name}` : '');
    row.classList.toggle('moves', !hasEnded(current) && shownFrame().turn === side);
  });
  const mover = hasEnded(current) ? undefined : page.sides[turnOf(current)], offer = byId('mark')?.closest('label');
  if (offer) offer.hidden = hasEnded(current) || match.is === 'none';
  const title = match.is === 'on' && mover ? isCupbots(match.live) ? `${computerAt(match.live)} thinks` : new Set(match.seats).size > 1 ? '● Your move' : `${mover} to move` : mover ? `${mover} to move` : 'Game over';
  if (current.scene && !page.replay) document.title = `${title} – ${page.title} – cupbot`;
  byId('level').title = match.seed === undefined ? '' : `Seed of this game: ${match.seed}`;
  for (const [id, value] of [['opponent', page.players.includes(state.settings.opponent) ? state.settings.opponent : ''], ['seat', state.settings.seat], ['level', String(state.settings.level)], ['lines', String(state.settings.lines)]]) {
    const list = /** @type {HTMLSelectElement} */ (byId(id));
    if (list && list.value !== value) list.value = value;
  }
}

/** Draws the clocks. */
export function drawClocks() {
  SIDES.forEach((_, side) => {
    const clock = /** @type {HTMLElement} */ (byId('side-' + side).querySelector('.clock'));
    const { ms, isLimited, isRunning } = clockOf(side), seconds = Math.floor(ms / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.hidden = !isLimited;
    clock.title = 'time left';
    clock.dataset.running = String(isRunning);
  });
}

/** Formats a large number, e.g. 1234567 as 1.2 M. @param {number} number */
function short(number) {
  if (number >= 1e6) return (number / 1e6).toFixed(1) + ' M';
  return number >= 1e4 ? Math.round(number / 1e3) + ' k' : String(Math.round(number));
}

function drawFinding() {
  const { current, live, review, settings } = state, { found } = current;
  const finding = found && found.finding, isRunning = live.control !== null;
  button('live').setAttribute('aria-pressed', String(live.isOn));
  write('live', live.isOn ? 'Stop analysing' : 'Analyse this position');
  write('review', review ? 'Stop' : 'Analyse the game');
  const isAnalysing = live.isOn || state.tab === 'analyse';
  byId('finding').hidden = !isAnalysing;
  const speed = found && found.ms > 0 && isRunning ? ` · ${short(found.finding.nodes / found.ms * 1000)} nodes/s` : '';
  const effort = finding ? [finding.depth, `${short(finding.nodes)} ${finding.nodes === 1 ? 'node' : 'nodes'}${speed}`, found.done ? 'done' : isRunning ? '' : 'stopped', finding.remark].filter(Boolean).join(' · ') : isRunning ? 'thinking …' : live.isOn && isOver(current) ? 'The game is over here.' : '';
  write('effort', effort);
  byId('effort').dataset.running = String(isRunning);
  const lines = finding ? finding.lines.slice(0, settings.lines) : [];
  // Reserve room for the lines before the first one is found.
  byId('found').style.minHeight = live.isOn ? `${25 * settings.lines}px` : '';
  byId('found').replaceChildren(...lines.map((line, rank) => {
    const moves = line.moves.slice(0, LINE_SHOWN).map((text, index) => html('button', { 'data-line': rank, 'data-index': index, title: `Play up to ${text}` }, text));
    return html('li', {}, html('b', {}, line.score), html('span', {}, ...moves));
  }));
  byId('progress').hidden = !review;
  if (review) Object.assign(byId('progress'), { max: review.total, value: review.count });
  drawMeter();
}

function drawMeter() {
  const best = barOf(state.current), meter = byId('meter');
  meter.hidden = !best && !state.live.isOn;
  const height = best ? best.height : 0, text = best ? best.score : 'not known yet';
  meter.style.setProperty('--part', (50 + 50 * height).toFixed(1) + '%');
  meter.classList.toggle('team', page.isTeam);
  meter.setAttribute('aria-valuenow', String(Math.round(100 * height)));
  meter.setAttribute('aria-valuetext', text);
  meter.title = text;
  write('score', best && (state.live.isOn || state.current.note) ? best.score : '');
}

/** @type {((index: number) => void) | null} */
let moveCursor = null;
let curveKey = '';
function drawCurveOfLine() {
  const { current, game } = state, line = lineThrough(current);
  const notes = line.map(node => node.note || {}), key = line.map(node => `${node.id}${node.note ? node.note.height : ''}${node.note ? node.note.mark : ''}`).join();
  if (key !== curveKey) { curveKey = key; moveCursor = drawCurve(notes, page.base); }
  if (moveCursor) moveCursor(line.indexOf(current));
  const isNoted = Boolean(current.note && Object.keys(current.note).length);
  byId('remark').hidden = !isNoted;
  if (isNoted) byId('remark').replaceChildren(...remark(frameOf(current), current.parent && current.parent.note, 'The beginning'));
  if (isNoted && current.note && current.note.why) byId('remark').append(html('div', { class: 'why' }, `It ${current.note.why}.`));
  const summary = byId('summary'), noted = game.notes && game.notes.end;
  summary.hidden = !noted;
  if (noted) summary.replaceChildren(...SIDES.map((_, side) => {
    const { accuracy, marks } = summaryOf(noted, side);
    const counted = Object.entries(marks).filter(([, count]) => count).map(([mark, count]) => `${count} ${count === 1 ? mark : mark.replace(/y$/, 'ie') + 's'}`);
    const facts = [...(accuracy === null || page.isTeam ? [] : [`accuracy ${accuracy.toFixed(0)} %`]), ...counted];
    return html('p', {}, html('b', {}, page.sides[side]), ': ' + (facts.join(', ') || 'no mistakes'));
  }));
}

/** Draws the time and the log of a program, and why it has lost by a fault. */
function drawBot() {
  const { bot } = state, panel = byId('bot');
  panel.hidden = !bot;
  if (!bot) return;
  const [summary, log] = panel.children, text = [...(bot.fault ? bot.fault.details : bot.log.length ? bot.log : ['no log on stderr'])].join('\n');
  if (summary.textContent !== `${bot.name}: ${bot.time}`) summary.textContent = `${bot.name}: ${bot.time}`;
  if (log.textContent !== text) { log.textContent = text; log.scrollTop = log.scrollHeight; }
}

function drawComment() {
  const field = /** @type {HTMLInputElement} */ (byId('comment'));
  if (document.activeElement !== field || field.dataset.node !== String(state.current.id)) field.value = state.current.comment;
  field.dataset.node = String(state.current.id);
}

function drawTools() {
  for (const id of TOOLS) {
    const isChosen = id === state.tab, tab = byId('tab-' + id);
    byId(id).hidden = !isChosen;
    tab.setAttribute(TABS.includes(id) ? 'aria-selected' : 'aria-pressed', String(isChosen));
    if (TABS.includes(id)) tab.tabIndex = isChosen ? 0 : -1;
  }
  document.body.classList.toggle('menu', state.isMenuOpen);
  byId('menu').setAttribute('aria-expanded', String(state.isMenuOpen));
  const { settings } = state;
  document.documentElement.style.colorScheme = settings.scheme;
  document.body.dataset.theme = settings.theme;
  document.body.dataset.pieces = settings.pieces;
  document.body.classList.toggle('still', !settings.animation);
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('#options [data-setting]'))) {
    const value = /** @type {any} */ (settings)[box.dataset.setting || ''];
    if (box.type === 'checkbox') box.checked = value;
    else box.value = value;
  }
  /** @type {HTMLSelectElement} */ (byId('review-time')).value = String(settings.reviewMs);
  byId('flip').setAttribute('aria-pressed', String(state.isFlipped));
}

/** @param {{ glide?: boolean }} how */
export function drawAll(how) {
  drawTools();
  drawBoard(Boolean(how.glide));
  drawStatus();
  drawHow();
  drawMatch();
  drawClocks();
  drawList();
  drawFinding();
  drawCurveOfLine();
  drawBot();
  drawComment();
}
