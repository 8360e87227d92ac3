/*
 * Puzzles: a position, a task and moves that are judged. They come from the server (the browser stores which ones are
 * solved) or from the mistakes that a review found. The game on the board returns when the puzzle is closed.
 */
import { write } from '../drawing/view.js';
import { bestAt, mistakesOf } from '../state/review.js';
import { aside, change, isOver, keep, kept, onChange, page, plant, recordOf, say, state } from '../state/state.js';
import { addLine, detach, endOf, makeGame, pathTo, writtenOf } from '../state/tree.js';
import { review, setLive } from './analysis.js';
import { askJson, attempt, childBy, load, pause, search, searched } from './server.js';
import { plantNew, show } from './steps.js';

const SOLVED_KEY = 'cupbot-solved';
/** Time in ms before a wrong move is taken back. */
const WRONG_MS = 900;
/** Time in ms between two moves of a solution. */
const STEP_MS = 700;
/** Number of moves of the best line that the solution of a mistake shows. */
const LINE_PLAYED = 3;

/** Opens a lesson. @param {number} index */
export const learn = index => attempt(async () => (await import('./learn.js')).openLesson(index));

/** @returns {Puzzle[]} */
const all = () => page.puzzles || [];
/** Returns the positions of the solved puzzles. @returns {string[]} */
const solved = () => (kept(SOLVED_KEY) || {})[page.game] || [];
/** @param {string[]} positions */
const keepSolved = positions => keep(SOLVED_KEY, { ...kept(SOLVED_KEY), [page.game]: positions });

/** Updates the state of the current puzzle. @param {Partial<NonNullable<State['puzzle']>>} some */
const changePuzzle = some => change(it => { if (it.puzzle) Object.assign(it.puzzle, some); });

/** Opens a puzzle of the server. @param {number} index */
export async function openPuzzle(index) {
  const puzzle = all()[index] || all()[0];
  change(it => { it.tab = 'puzzles'; });
  await present(makeGame(puzzle.position), puzzle.side, all().indexOf(puzzle), null);
}

/** Shows a game whose last position is a puzzle or a lesson. @param {Game} game @param {number} side @param {number} index @param {TreeNode[] | null} mistakes @param {Lesson[] | null} [lessons] */
export async function present(game, side, index, mistakes, lessons = null) {
  const { back } = state.puzzle || { back: aside() }, at = endOf(game.root);
  // A live analysis would reveal the solution.
  setLive(false);
  const isBack = Boolean(state.puzzle || mistakes), place = isBack ? plant : plantNew;
  place(game, { puzzle: { index, mistakes, lessons, back, is: 'open', at, text: '' }, isFlipped: Boolean(board.flip) && side === 1 });
  await show(at);
}

/** Opens the position before a mistake of the game. @param {TreeNode[]} mistakes @param {number} index */
async function openMistake(mistakes, index) {
  const path = pathTo(mistakes[index].parent), game = makeGame((state.puzzle ? state.puzzle.back.game : state.game).start);
  addLine(game.root, path.slice(1).map(({ text }) => text));
  pathTo(endOf(game.root)).forEach((node, ply) => { node.scene = path[ply].scene; });
  await present(game, mistakes[index].scene?.mover || 0, index, mistakes);
}

/** Opens the next mistake of the game, after reviewing the game if needed. */
export async function nextMistake() {
  const { puzzle, game } = state;
  if (puzzle && puzzle.mistakes) {
    if (puzzle.index + 1 < puzzle.mistakes.length) return openMistake(puzzle.mistakes, puzzle.index + 1);
    await leavePuzzle();
    return say('That was the last mistake.', true);
  }
  if (!game.notes && !state.review) await review();
  const { notes } = game;
  if (!notes) return;
  // The positions of a newly opened game may still be loading.
  await attempt(() => load(notes.end));
  if (state.game !== game) return;
  const { match: { seats }, current } = state, you = seats.indexOf('you');
  const mistakes = mistakesOf(notes.end, new Set(seats).size === 2 ? [you] : [0, 1]);
  if (!mistakes.length) return say('No mistakes were found.', true);
  const path = pathTo(current), index = mistakes.findIndex(node => !path.includes(node));
  await openMistake(mistakes, Math.max(0, index));
}

/** Closes the puzzle and returns to the game before it. */
export async function leavePuzzle() {
  const { puzzle } = state;
  if (!puzzle) return;
  plant(puzzle.back.game, { ...puzzle.back, tab: puzzle.mistakes ? state.tab : 'play' });
  await show(puzzle.back.current);
}

/** Returns the index of the next unsolved puzzle, or of the next one if all are solved. @param {number} index */
function nextAfter(index) {
  const known = new Set(solved()), puzzles = all();
  const order = puzzles.map((_, by) => (index + 1 + by) % puzzles.length);
  return order.find(other => !known.has(puzzles[other].position)) ?? order[0];
}

/** Judges the user's move in a puzzle; `moved` is its node. Returns whether there is a puzzle. @param {TreeNode} moved */
export async function tryMove(moved) {
  const { puzzle } = state;
  if (!puzzle) return false;
  changePuzzle({ is: 'judging', text: '' });
  await show(moved, true);
  const verdict = /** @type {Verdict | undefined} */ (await attempt(async () => puzzle.mistakes ? judged(moved, puzzle.mistakes[puzzle.index]) : puzzle.lessons ? askJson('lesson', { game: page.game, index: puzzle.index, move: moved.text }) : searched('judge', { record: recordOf(moved) })));
  if (state.puzzle !== puzzle) return false;
  if (!verdict) await goBack(moved, '');
  else if (verdict.is === 'solved') finishPuzzle(moved, verdict.text || '');
  else if (verdict.is === 'right') await answer(moved, verdict.answer || '');
  else await goBack(moved, `No: ${verdict.text}`);
  return true;
}

/** Judges a move tried instead of a mistake, by the marks of the review. @param {TreeNode} moved @param {TreeNode} mistake @returns {Promise<Verdict>} */
async function judged(moved, mistake) {
  const best = bestAt(/** @type {TreeNode} */ (mistake.parent)), written = writtenOf(moved);
  if (best === moved.text || best === written) return { is: 'solved', text: `${best} is best.` };
  if (moved.text === mistake.text) return { is: 'wrong', text: `${written} is the mistake.` };
  const ply = moved.scene?.ply;
  for await (const message of search('review', { record: recordOf(moved), ms: state.settings.reviewMs, from: ply })) {
    const { mark, cost } = (message.views || []).find((/** @type {View} */ view) => view.ply === ply) || {};
    if (message.done) return mark ? { is: 'wrong', text: `${written} costs ${cost || 'too much'}.` } : { is: 'solved', text: `${written} is good; ${best} was expected.` };
  }
  throw new Error('The move could not be judged.');
}

/** @param {TreeNode} moved @param {string} text */
function finishPuzzle(moved, text) {
  const { puzzle } = state;
  if (!puzzle) return;
  changePuzzle({ is: 'solved', at: moved, text });
  if (puzzle.mistakes || puzzle.lessons) return;
  const { position } = all()[puzzle.index];
  if (!solved().includes(position)) keepSolved([...solved(), position]);
  change(() => {});
}

/** Plays the answer to a correct move. @param {TreeNode} moved @param {string} text */
async function answer(moved, text) {
  const { puzzle } = state;
  const next = await attempt(() => childBy(moved, text));
  if (state.puzzle !== puzzle) return;
  if (!next) { changePuzzle({ is: 'open', at: moved }); return; }
  changePuzzle({ is: 'open', at: next, text: 'Right. Go on.' });
  await show(next, true);
}

/** Shows why a move is wrong and takes it back after a moment. @param {TreeNode} moved @param {string} text */
async function goBack(moved, text) {
  const { puzzle } = state, { parent } = moved;
  changePuzzle({ is: 'wrong', text });
  await pause(WRONG_MS);
  if (state.puzzle !== puzzle || !parent) return;
  change(() => detach(moved));
  changePuzzle({ is: 'open', at: parent });
  await show(parent);
}

/** Plays the solution from the current position of the puzzle. */
async function showSolution() {
  const { puzzle } = state;
  if (!puzzle || puzzle.is !== 'open') return;
  const { at, mistakes, index } = puzzle;
  changePuzzle({ is: 'judging', text: '' });
  const found = mistakes ? { moves: mistakes[index].parent?.note?.line?.slice(0, LINE_PLAYED) } : await attempt(() => puzzle.lessons ? askJson('lesson', { game: page.game, index }) : searched('solve', { record: recordOf(at) }));
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
  changePuzzle({ is: puzzle.lessons ? 'solved' : 'shown', at: node, text: `The solution: ${found.moves.join(' ')}` });
}

/** Hint for a mistake: what it allowed, and where the best move starts. Returns false if none is open. A lesson has only its solution. */
export function hintAtBest() {
  if (state.puzzle?.lessons) return true;
  const { puzzle } = state, mistake = puzzle && puzzle.mistakes && puzzle.mistakes[puzzle.index];
  if (!mistake || !mistake.parent) return false;
  if (puzzle.is !== 'open') return true;
  const best = bestAt(mistake.parent), why = mistake.note && mistake.note.why;
  const found = puzzle.at.scene?.moves.find(({ text, written }) => text === best || written === best);
  const from = found && found.spots.length > 1 ? found.spots[0] : '';
  change(it => { it.picked = from ? [from] : []; });
  changePuzzle({ text: `${why ? `${writtenOf(mistake)} ${why}. ` : ''}The best move starts ${from ? 'at' : 'with'} ${from || best[0]}.` });
  return true;
}

/** Returns the title of a puzzle, an explanation and the task of a lesson. @param {Puzzling} puzzle */
function taskOf({ index, mistakes, lessons }) {
  if (lessons) return [`Lesson ${index + 1} of ${lessons.length}`, `${lessons[index].text} `, lessons[index].task];
  if (!mistakes) return [`Puzzle ${index + 1}`, `${all()[index].task}.`];
  const { scene, note } = mistakes[index], symbol = MARKS[(note && note.mark) || ''][0];
  const sure = note && note.certain ? ', proved to be better' : note && note.cost ? `, better by ${note.cost}` : '';
  return [`Mistake ${index + 1} of ${mistakes.length}`, `${writtenOf(mistakes[index])}${symbol} was played. Find a better move for ${page.sides[scene?.mover || 0]}${sure}.`];
}

/** Draws the task below the board, and the list of puzzles. */
function drawPuzzle() {
  const { puzzle, tab, match, editing, game, review: isRunning } = state, known = new Set(page.puzzles && (puzzle || tab === 'puzzles') ? solved() : []);
  byId('task').hidden = !puzzle;
  byId('after').hidden = Boolean(puzzle || editing) || !page.reviews || !(match.is === 'over' || game.result || isOver(endOf(game.root)));
  byId('rematch').hidden = match.is !== 'over';
  byId('after-review').hidden = Boolean(game.notes || isRunning);
  byId('next-mistake').hidden = Boolean(game.notes && !mistakesOf(game.notes.end, [0, 1]).length);
  // Other tabs have their own primary button.
  const isImported = tab === 'play' && match.is !== 'over';
  byId('rematch').className = tab === 'play' ? 'main' : '';
  byId('after-review').className = isImported ? 'main' : '';
  byId('next-mistake').className = isImported && game.notes ? 'main' : '';
  if (puzzle) {
    const [number, text, task = ''] = taskOf(puzzle), isDone = puzzle.is === 'solved' || puzzle.is === 'shown';
    write('task-number', number);
    if (byId('task-text').textContent !== text + task) byId('task-text').replaceChildren(text, html('b', {}, task));
    write('puzzle-next', puzzle.mistakes ? 'Next mistake' : !puzzle.lessons ? 'Next puzzle' : puzzle.lessons[puzzle.index + 1] ? 'Next lesson' : 'Play');
    write('puzzle-leave', puzzle.lessons ? 'Back to the game' : 'Leave');
    write('verdict', puzzle.text);
    byId('verdict').className = puzzle.is;
    byId('puzzle-next').className = isDone ? 'main' : '';
    byId('puzzle-again').hidden = pathTo(state.current).length === (puzzle.mistakes ? pathTo(puzzle.mistakes[puzzle.index]).length - 1 : puzzle.lessons ? puzzle.lessons[puzzle.index].moves.length + 1 : 1) && !isDone;
    byId('puzzle-solve').hidden = isDone;
    /** @type {HTMLButtonElement} */ (byId('puzzle-solve')).disabled = puzzle.is !== 'open';
  }
  if (!page.puzzles || tab !== 'puzzles') return;
  byId('puzzle-begin').className = puzzle ? '' : 'main';
  byId('solved').textContent = `${known.size} of ${all().length} solved in this browser.`;
  const list = /** @type {HTMLSelectElement} */ (byId('puzzle-list')), key = `${[...known].length};${puzzle ? puzzle.index : ''}`;
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...all().map(({ position, task }, index) => html('option', { value: index }, `${index + 1}. ${task}${known.has(position) ? ' ✓' : ''}`)));
  list.value = String(puzzle && !puzzle.mistakes ? puzzle.index : nextAfter(-1));
}

export function listenToPuzzles() {
  onChange(drawPuzzle);
  const again = ({ index, lessons, mistakes } = /** @type {Puzzling} */ (state.puzzle)) => lessons ? learn(index) : mistakes ? openMistake(mistakes, index) : openPuzzle(index);
  const next = ({ index, lessons, mistakes } = /** @type {Puzzling} */ (state.puzzle)) => lessons ? (lessons[index + 1] ? learn(index + 1) : byId('puzzle-leave').click()) : mistakes ? nextMistake() : openPuzzle(nextAfter(index));
  byId('puzzle-next').addEventListener('click', () => next());
  byId('puzzle-again').addEventListener('click', () => again());
  byId('puzzle-solve').addEventListener('click', showSolution);
  byId('next-mistake').addEventListener('click', nextMistake);
  if (!page.puzzles) return;
  const list = /** @type {HTMLSelectElement} */ (byId('puzzle-list'));
  list.addEventListener('change', () => openPuzzle(Number(list.value)));
  byId('puzzle-begin').addEventListener('click', () => openPuzzle(Number(list.value)));
  byId('puzzle-forget').addEventListener('click', () => { keepSolved([]); change(() => {}); });
}
