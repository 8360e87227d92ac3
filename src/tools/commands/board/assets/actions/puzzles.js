/* Puzzles: a position, a task, and moves that the server judges. What is solved the browser remembers. */
import { write } from '../drawing/view.js';
import { change, keep, kept, onChange, page, plant, recordOf, state } from '../state/state.js';
import { detach, makeGame } from '../state/tree.js';
import { setLive } from './analysis.js';
import { attempt, childBy, inSession } from './server.js';
import { plantNew, show } from './steps.js';

const SOLVED_KEY = 'cupbot-solved';
/** A wrong move stays on the board so long, then it is taken back. */
const WRONG_MS = 900;
/** The moves of a solution are shown one after another. */
const STEP_MS = 700;

/** @returns {Puzzle[]} */
const all = () => page.puzzles || [];
/** The positions of the puzzles that are solved. @returns {string[]} */
const solved = () => (kept(SOLVED_KEY) || {})[page.game] || [];
/** @param {string[]} positions */
const keepSolved = positions => keep(SOLVED_KEY, { ...kept(SOLVED_KEY), [page.game]: positions });
/** @param {number} ms */
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Changes the puzzle on the board. @param {Partial<NonNullable<State['puzzle']>>} some */
const changePuzzle = some => change(it => { if (it.puzzle) Object.assign(it.puzzle, some); });

/** Puts a puzzle on the board. @param {number} index @param {boolean} [isNew] the way back leads to what was there */
export async function openPuzzle(index, isNew) {
  const puzzle = all()[index] || all()[0], game = makeGame(puzzle.position);
  // An analysis would tell the solution.
  setLive(false);
  if (isNew) plantNew(game);
  else plant(game);
  change(it => {
    it.puzzle = { index: all().indexOf(puzzle), is: 'open', at: game.root, text: '' };
    it.tab = 'puzzles';
    if (board.flip) it.isFlipped = puzzle.side === 1;
  });
  await show(game.root);
}

/** The first puzzle after this one that is not solved yet; else the next one. @param {number} index */
function nextAfter(index) {
  const known = new Set(solved()), puzzles = all();
  const order = puzzles.map((_, by) => (index + 1 + by) % puzzles.length);
  return order.find(other => !known.has(puzzles[other].position)) ?? order[0];
}

/** A person's move in a puzzle, which is on the tree. @param {TreeNode} moved */
export async function tryMove(moved) {
  const { puzzle } = state;
  if (!puzzle) return false;
  changePuzzle({ is: 'judging', text: '' });
  await show(moved, true);
  const verdict = /** @type {Verdict | undefined} */ (await attempt(async () => (await inSession('judge', { record: recordOf(moved) })).json()));
  if (state.puzzle !== puzzle) return false;
  if (!verdict) await goBack(moved, '');
  else if (verdict.is === 'solved') finish(moved, verdict.text || '');
  else if (verdict.is === 'right') await answer(moved, verdict.answer || '');
  else await goBack(moved, `Not so. ${verdict.text}`);
  return true;
}

/** @param {TreeNode} moved @param {string} text */
function finish(moved, text) {
  const { puzzle } = state;
  if (!puzzle) return;
  changePuzzle({ is: 'solved', at: moved, text });
  const { position } = all()[puzzle.index];
  if (!solved().includes(position)) keepSolved([...solved(), position]);
  change(() => {});
}

/** The answer to a right move is made. @param {TreeNode} moved @param {string} text */
async function answer(moved, text) {
  const { puzzle } = state;
  const next = await attempt(() => childBy(moved, text));
  if (state.puzzle !== puzzle) return;
  if (!next) { changePuzzle({ is: 'open', at: moved }); return; }
  changePuzzle({ is: 'open', at: next, text: 'Right. Go on.' });
  await show(next, true);
}

/** A move that solves nothing is taken back after a moment. @param {TreeNode} moved @param {string} text */
async function goBack(moved, text) {
  const { puzzle } = state, { parent } = moved;
  changePuzzle({ is: 'wrong', text });
  await pause(WRONG_MS);
  if (state.puzzle !== puzzle || !parent) return;
  change(() => detach(moved));
  changePuzzle({ is: 'open', at: parent });
  await show(parent);
}

/** Plays the solution from where the puzzle stands. */
async function showSolution() {
  const { puzzle } = state;
  if (!puzzle || puzzle.is !== 'open') return;
  const { at } = puzzle;
  changePuzzle({ is: 'judging', text: '' });
  const found = await attempt(async () => (await inSession('solve', { record: recordOf(at) })).json());
  if (state.puzzle !== puzzle) return;
  if (!found) { changePuzzle({ is: 'open' }); return; }
  let node = at;
  for (const text of found.moves) {
    const next = await attempt(() => childBy(node, text));
    if (!next || state.puzzle !== puzzle) return;
    node = next;
    await show(node, true);
    await pause(STEP_MS);
    if (state.puzzle !== puzzle) return;
  }
  changePuzzle({ is: 'shown', at: node, text: `The solution: ${found.moves.join(' ')}` });
}

/** The position of the puzzle becomes a game to try things out in. */
function leave() {
  const { puzzle } = state;
  if (!puzzle) return;
  change(it => { Object.assign(it, { puzzle: null, tab: 'play' }); });
}

/** Draws the task below the board, and the list of puzzles. */
function drawPuzzle() {
  const { puzzle, tab } = state, known = new Set(page.puzzles && (puzzle || tab === 'puzzles') ? solved() : []);
  byId('task').hidden = !puzzle;
  if (puzzle) {
    const { task } = all()[puzzle.index], isDone = puzzle.is === 'solved' || puzzle.is === 'shown';
    byId('task-number').textContent = `Puzzle ${puzzle.index + 1}`;
    byId('task-text').textContent = `${task}.`;
    write('verdict', puzzle.text);
    byId('verdict').className = puzzle.is;
    byId('puzzle-next').className = isDone ? 'main' : '';
    byId('puzzle-again').hidden = state.current === state.game.root && !isDone;
    byId('puzzle-solve').hidden = isDone;
    /** @type {HTMLButtonElement} */ (byId('puzzle-solve')).disabled = puzzle.is !== 'open';
  }
  if (!page.puzzles || tab !== 'puzzles') return;
  byId('solved').textContent = `${known.size} of ${all().length} solved in this browser.`;
  const list = /** @type {HTMLSelectElement} */ (byId('puzzle-list')), key = `${[...known].length};${puzzle ? puzzle.index : ''}`;
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...all().map(({ position, task }, index) => html('option', { value: index }, `${index + 1}. ${task}${known.has(position) ? ' ✓' : ''}`)));
  list.value = String(puzzle ? puzzle.index : nextAfter(-1));
}

export function listenToPuzzles() {
  onChange(drawPuzzle);
  if (!page.puzzles) return;
  const list = /** @type {HTMLSelectElement} */ (byId('puzzle-list'));
  list.addEventListener('change', () => openPuzzle(Number(list.value), true));
  byId('puzzle-begin').addEventListener('click', () => openPuzzle(Number(list.value), true));
  byId('puzzle-next').addEventListener('click', () => { if (state.puzzle) openPuzzle(nextAfter(state.puzzle.index)); });
  byId('puzzle-again').addEventListener('click', () => { if (state.puzzle) openPuzzle(state.puzzle.index); });
  byId('puzzle-solve').addEventListener('click', showSolution);
  byId('puzzle-leave').addEventListener('click', leave);
  byId('puzzle-forget').addEventListener('click', () => { keepSolved([]); change(() => {}); });
}
