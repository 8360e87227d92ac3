/* Import and export of games (texts, files, pictures), and the list of stored games. */
import { change, counted, nameOf, onChange, page, recordOf, say, state } from '../state/state.js';
import { addLine, annotate, annotationsOf, endOf, makeGame, pathTo } from '../state/tree.js';
import { takeViews } from './analysis.js';
import { ask, askJson, askText, attempt, loadVariations } from './server.js';
import { plantNew, show } from './steps.js';
import { addressOf, forget, ownGames, saveGame } from './store.js';

const IMPORT_KEY = 'cupbot-import';
const MAX_LISTED = 1000;
const MIB = 1 << 20;
/** Width of a copied picture, in pixels. */
const PIXELS = 800;
/** Style properties that a picture keeps. */
const PAINT = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'font-size', 'font-weight', 'font-family', 'text-anchor', 'display', 'visibility', 'transform', 'color', 'paint-order'];

/** Returns the record of the current line, with result and review. @returns {GameRecord} */
function recordShown() {
  const { game, current, match } = state, end = endOf(current);
  const record = recordOf(end);
  // A variation has another end.
  if (game.result && pathTo(end).includes(match.live)) record.outcome = game.result.outcome;
  return game.notes && game.notes.end === end ? { ...record, notes: game.notes.notes } : record;
}
/** Returns the record of the whole game: names, variations, comments and glyphs. @returns {GameRecord} */
function wholeRecord() {
  const { game } = state, end = endOf(game.root), now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, '0')).join('.');
  return {
    ...recordOf(end), outcome: game.result ? game.result.outcome : undefined, players: SIDES.map((_, side) => nameOf(side) || null),
    tags: game.tags.length ? game.tags : [['Date', today]], annotations: annotationsOf(pathTo(end)),
    notes: game.notes && game.notes.end === end ? game.notes.notes : undefined,
  };
}
/** @param {GameRecord} record */
const withoutNotes = record => ({ ...record, notes: undefined });

/** @param {string} name @param {string} type @param {string} text */
function save(name, type, text) {
  const link = /** @type {HTMLAnchorElement} */ (html('a', { href: URL.createObjectURL(new Blob([text], { type })), download: `${page.game}.${name}` }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Returns the board as a self-contained SVG. @param {string} [without] the selector of what is left out */
function boardPicture(without = '.none') {
  const drawn = /** @type {any} */ (byId('board')), copy = drawn.cloneNode(true);
  /** @param {Element} from @param {any} to */
  const inline = (from, to) => {
    const style = getComputedStyle(from);
    for (const name of PAINT) {
      const value = style.getPropertyValue(name);
      if (value && !(name === 'transform' && (value === 'none' || from.hasAttribute('transform')))) to.style.setProperty(name, value);
    }
    for (let index = 0; index < from.children.length; index++) inline(from.children[index], to.children[index]);
  };
  inline(drawn, copy);
  copy.querySelectorAll(without + ', .spot, .place-mark, .reach, .target, .picked-mark, .premove-mark').forEach((/** @type {Element} */ element) => element.remove());
  const shapes = document.querySelector('body > svg defs');
  if (shapes) copy.prepend(shapes.cloneNode(true));
  const { width, height } = drawn.viewBox.baseVal;
  Object.entries({ xmlns: 'http://www.w3.org/2000/svg', width, height }).forEach(([name, value]) => copy.setAttribute(name, value));
  ['id', 'tabindex', 'aria-describedby', 'style'].forEach(name => copy.removeAttribute(name));
  copy.setAttribute('role', 'img');
  return new XMLSerializer().serializeToString(copy);
}

/** Returns the board as a data URL. @param {string} [without] the selector of what is left out */
export const boardUrl = without => 'data:image/svg+xml,' + encodeURIComponent(boardPicture(without));

/** Returns the board as a PNG. @returns {Promise<Blob>} */
async function boardPixels() {
  const image = new Image(), canvas = document.createElement('canvas');
  image.src = boardUrl();
  await image.decode();
  Object.assign(canvas, { width: PIXELS, height: Math.round(PIXELS * image.naturalHeight / image.naturalWidth) });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob(blob => blob ? resolve(blob) : reject(new Error('The picture could not be made.'))));
}

/**
 * Returns the game of a record, to be planted. `positions` returns the scenes of a record, `known` what an analysis says.
 * @param {any} record @param {string} result its end in words @param {(record: any) => any} positions @param {(record: any) => any} known
 */
export async function gameOfRecord(record, result, positions, known) {
  let scenes = await positions(record);
  // An agreed draw or a resignation is not a move: the game can be continued from its last position.
  const ended = scenes[scenes.length - 1];
  if (ended.word) {
    const kept = record.moves.slice(0, -1);
    if (ended.end.winner === null && kept.length) kept.push(kept.pop().replace(/=$/, ''));
    record = { ...record, moves: kept };
    result = ended.status;
    scenes = await positions(record);
  }
  // A word that only names the start position is not a move.
  const first = Math.max(0, scenes.findLastIndex((/** @type {Scene} */ scene) => scene.begins));
  const game = makeGame(first ? scenes[first].position : record.start);
  game.names = record.players || [null, null];
  const end = addLine(game.root, record.moves.slice(first));
  pathTo(end).forEach((node, index) => {
    const scene = scenes[first + index];
    node.scene = scene;
    node.text = (index && scene.text) || node.text;
  });
  if (record.outcome && (page.format || !end.scene?.end)) game.result = { outcome: record.outcome, text: result || record.outcome };
  game.tags = record.tags || [];
  annotate([...Array(first).fill(game.root), ...pathTo(end)], record.annotations || {});
  const views = await known(record);
  if (views) takeViews(end, views);
  if (record.notes?.length) game.notes = { end, notes: record.notes };
  return game;
}

/** The last game that was chosen. @type {any} */
let chosen = null;
/** Opens an imported game. @param {any} record @param {string} [result] its end in words */
async function openGame(record, result) {
  chosen = record;
  if (record.game !== page.game) {
    sessionStorage.setItem(IMPORT_KEY, JSON.stringify({ record, result }));
    location.assign(record.game);
    return;
  }
  await attempt(async () => {
    const positions = async (/** @type {any} */ some) => (await askJson('scenes', { record: { ...some, notes: [], scores: {} }, from: 0 })).scenes;
    const known = async (/** @type {any} */ some) => some.notes?.length || Object.keys(some.scores || {}).length ? (await askJson('views', some)).views : null;
    // Everything is ready before the game appears, since a click on it may come at once. If the game is invalid, the
    // current one stays.
    const game = await gameOfRecord(record, result || '', positions, known), end = endOf(game.root);
    if (chosen !== record) return;
    plantNew(game);
    change(it => { it.match.live = end; it.tab = 'analyse'; });
    await show(end);
    loadVariations(game.root);
    saveGame();
    const count = pathTo(end).length - 1;
    say(`Opened: ${counted(count, 'move')}`, true);
  });
}

/** Opens a game that another tab has imported. */
export async function openWaiting() {
  const waiting = sessionStorage.getItem(IMPORT_KEY);
  if (!waiting) return;
  sessionStorage.removeItem(IMPORT_KEY);
  const { record, result } = JSON.parse(waiting);
  await openGame(record, result);
}

/** Returns the row of a game in the list: players, result, date, moves. @param {any} found */
function listed({ record, line, count, title, result }) {
  const players = (record.players || []).filter(Boolean).join(' – '), [, date] = (record.tags || []).find((/** @type {string[]} */ [name]) => name === 'Date') || [];
  const who = [players || record.id || `line ${line}`, title === page.title ? '' : title].filter(Boolean).join(', ');
  const winner = (record.outcome || 'open').split('-')[0];
  const row = html('button', { title: [record.id, result].filter(Boolean).join(': ') }, html('b', {}, who), ...[winner, date || '', String(count)].map(fact => html('span', {}, fact)));
  row.addEventListener('click', () => openGame(record, result));
  return row;
}

/** Shows the listed games that have all words of the filter. */
function filterGames() {
  const words = /** @type {HTMLInputElement} */ (byId('filter')).value.toLowerCase().split(' ');
  for (const row of byId('games').querySelectorAll('button')) {
    const text = [...row.children].map(cell => cell.textContent).join(' ').toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
  }
}

/** Lists several games; the list of own games is folded. @param {any[]} games */
function listGames(games) {
  const filter = /** @type {HTMLInputElement} */ (byId('filter')), heads = ['players', 'result', 'date', 'moves'];
  filter.hidden = games.length < 2;
  filter.value = '';
  byId('games').replaceChildren(...(games.length > 1 ? [html('div', {}, ...heads.map(head => html('span', {}, head))), ...games.slice(0, MAX_LISTED).map(listed)] : []));
  if (games.length < 2) return;
  /** @type {HTMLDetailsElement} */ (byId('own-games')).open = false;
  /** @type {HTMLTextAreaElement} */ (byId('pasted')).value = '';
}

/** Decodes a file as the server does. @param {File} file */
async function textOf(file) {
  const bytes = await file.arrayBuffer(), [first, second] = new Uint8Array(bytes);
  const wide = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : '';
  try {
    return new TextDecoder(wide || 'utf-8', { fatal: !wide }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Whether a text of `size` bytes is too large to import; if so, shows a message. `sent` is its size as it is sent. @param {number} size @param {number} [sent] */
function isTooLong(size, sent = size) {
  if (sent <= page.maxText) return false;
  say(`This is too long: it has ${(size / MIB).toFixed(1)} MiB, and at most ${page.maxText / MIB} MiB can be imported at once.`);
  return true;
}

/** Imports games from a text: opens a single game, or lists several. @param {string} text */
async function readGames(text) {
  say('');
  byId('faults').textContent = '';
  listGames([]);
  const body = { text };
  if (isTooLong(new Blob([text]).size, new Blob([JSON.stringify(body)]).size)) return;
  const list = await attempt(() => askJson('read', body));
  if (!list) return;
  const { games, faults } = list, moreFaults = faults.length + list.more_faults - 5;
  const more = games.length > MAX_LISTED ? [`only the first ${MAX_LISTED} of ${games.length} games are listed`] : [];
  byId('faults').textContent = [...more, ...faults.slice(0, 5), moreFaults > 0 ? `and ${counted(moreFaults, 'more line')}` : ''].filter(Boolean).join('; ');
  listGames(games);
  if (games.length === 1) await openGame(games[0].record, games[0].result);
  else if (games.length) change(it => { it.tab = 'import'; });
  else say('No game found. Paste PGN, a FEN or moves.');
}

/** Whether the beginning of a file is not text; UTF-16 begins with its byte order mark. @param {File} file */
async function isBinary(file) {
  const bytes = new Uint8Array(await file.slice(0, 4096).arrayBuffer());
  return bytes.includes(0) && !(bytes[0] + bytes[1] === 0xff + 0xfe);
}

/** Imports games from a file. @param {File} file */
async function readFile(file) {
  if (await isBinary(file)) { say(`${file.name} is not a file of games: it is not a text (${(file.size / MIB).toFixed(1)} MiB).`); return; }
  if (!isTooLong(file.size)) readGames(await textOf(file));
}

/** Draws the list of stored games while it is open. */
export function drawOwnGames() {
  if (state.tab !== 'import') return;
  const games = ownGames(), box = byId('own'), key = games.map(game => game.id + game.count + game.result).join();
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(...games.map(game => {
    const who = game.names.filter(Boolean).join(' – ');
    const facts = [game.title, counted(game.count, 'move'), game.result, new Date(game.when).toLocaleString()].filter(Boolean).join(', ');
    const open = html('button', {}, who ? who + ' ' : '', html('span', {}, facts));
    open.addEventListener('click', () => { saveGame(); location.assign(addressOf(game)); });
    const remove = html('button', { class: 'remove', title: 'Remove this game', 'aria-label': 'Remove this game: ' + facts }, '×');
    remove.addEventListener('click', () => forget(game.id));
    return html('div', {}, open, remove);
  }));
  byId('no-games').hidden = games.length > 0;
}

/** Shows the text of the game and of the position while the tool is open. */
async function drawShared() {
  if (state.tab !== 'share') return;
  const { current } = state;
  const field = /** @type {HTMLInputElement | null} */ (byId('fen'));
  if (field) field.value = (current.scene && current.scene.position) || '';
  drawFile();
  const record = withoutNotes(recordShown()), key = JSON.stringify(record), text = byId('as-text');
  if (text.dataset.key === key) return;
  text.dataset.key = key;
  const written = await askText('text', record).catch(() => '');
  if (text.dataset.key === key) text.textContent = written;
}

/** Shows the game in its usual format (e.g. PGN), if it has one. */
async function drawFile() {
  const field = /** @type {HTMLTextAreaElement | null} */ (byId('as-file')), record = wholeRecord(), key = JSON.stringify(record);
  if (!field || field.dataset.key === key) return;
  field.dataset.key = key;
  const written = await attempt(() => askText('file', record));
  if (field.dataset.key === key) field.value = written || '';
}

/** Returns the clipboard, which browsers offer only on secure pages. */
function clipboard() {
  if (!navigator.clipboard) throw new Error('Copying needs https or localhost.');
  return navigator.clipboard;
}

/** @param {string} id @param {string} what */
async function copy(id, what) {
  const field = /** @type {HTMLInputElement} */ (byId(id));
  field.select();
  await clipboard().writeText(field.value);
  say(`${what} is copied.`, true);
}

export function listenToGames() {
  onChange(drawOwnGames);
  onChange(drawShared);
  const pasted = /** @type {HTMLTextAreaElement} */ (byId('pasted')), file = /** @type {HTMLInputElement} */ (byId('file'));
  byId('read').addEventListener('click', () => readGames(pasted.value));
  byId('filter').addEventListener('input', filterGames);
  pasted.addEventListener('paste', () => setTimeout(() => readGames(pasted.value)));
  file.addEventListener('change', async () => {
    const chosen = file.files && file.files[0];
    if (chosen) await readFile(chosen);
    file.value = '';
  });
  addEventListener('dragover', event => {
    if (!event.dataTransfer || ![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    document.body.classList.add('drop-here');
  });
  addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('drop-here'); });
  addEventListener('drop', event => {
    document.body.classList.remove('drop-here');
    const dropped = event.dataTransfer && event.dataTransfer.files[0];
    if (!dropped) return;
    event.preventDefault();
    readFile(dropped);
  });
  byId('copy').addEventListener('click', () => attempt(() => copy('link', 'The link')));
  if (byId('fen')) byId('copy-fen').addEventListener('click', () => attempt(() => copy('fen', 'The position')));
  if (byId('as-file')) {
    byId('copy-file').addEventListener('click', () => attempt(() => copy('as-file', page.format)));
    byId('save-file').addEventListener('click', () => attempt(async () => save(page.format.toLowerCase(), 'text/plain', await askText('file', wholeRecord()))));
  }
  byId('link').addEventListener('focus', event => /** @type {HTMLInputElement} */ (event.target).select());
  byId('save-text')?.addEventListener('click', () => attempt(async () => save('txt', 'text/plain', await askText('text', withoutNotes(recordShown())))));
  byId('copy-png').addEventListener('click', () => attempt(async () => {
    await clipboard().write([new ClipboardItem({ 'image/png': boardPixels() })]);
    say('The picture of the board is copied.', true);
  }));
  byId('save-replay').addEventListener('click', () => attempt(async () => save('html', 'text/html', await (await ask('replay', recordShown())).text())));
}
