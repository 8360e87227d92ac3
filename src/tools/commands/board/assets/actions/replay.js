/* A recorded game in a file: its positions are in the page, there is no server, and nothing can be changed. */
import { change, endingOf, page, plant, state } from '../state/state.js';
import { endOf, lineThrough } from '../state/tree.js';
import { gameOfRecord } from './games.js';
import { show, step } from './steps.js';

const PAUSE_MS = 900;
/** @type {ReturnType<typeof setInterval> | undefined} */
let running;

/** Stops at the end of the line, and when the user does something. */
function stop() {
  clearInterval(running);
  running = undefined;
  byId('run').setAttribute('aria-pressed', 'false');
}
function run() {
  step(1);
  if (lineThrough(state.current).at(-1) === state.current) stop();
}
/** Plays the game, or pauses. */
export function runOrStop() {
  if (running) { stop(); return; }
  byId('run').setAttribute('aria-pressed', 'true');
  running = setInterval(run, PAUSE_MS);
  run();
}

/** Shows the position after the move in the address, e.g. page.html#17. */
function showAddress() {
  const ply = Number(location.hash.slice(1)), line = lineThrough(state.game.root);
  show(line.find(node => node.scene && node.scene.ply === ply) || line[0]);
}

export async function openReplay() {
  const { record, result, scenes, views, title, isReviewed } = page.replay;
  const game = await gameOfRecord(record, result, some => scenes.slice(0, some.moves.length + 1), () => views), end = endOf(game.root);
  if (result) game.result = { outcome: record.outcome || '', text: result };
  if (isReviewed) game.notes = { end, notes: [] };
  plant(game);
  change(it => { it.match.live = end; });
  document.title = title;
  /** @type {HTMLElement} */ (document.querySelector('h1')).textContent = title;
  byId('outcome').textContent = endingOf(end);
  showAddress();
  addEventListener('hashchange', showAddress);
  const isRun = (/** @type {Event} */ { target }) => target instanceof Element && target.closest('#run') !== null;
  document.addEventListener('pointerdown', event => { if (!isRun(event)) stop(); }, true);
  document.addEventListener('keydown', event => { if (event.key !== ' ' && event.key !== 'Enter') stop(); }, true);
  byId('run').addEventListener('click', runOrStop);
  // A tap on the right half of the board steps forward, on the left half back.
  byId('board').addEventListener('click', event => {
    const { left, width } = byId('board').getBoundingClientRect();
    step(event.clientX < left + width / 2 ? -1 : 1);
  });
}
