/*
 * Picks of spots (squares and pieces in hand) by mouse, touch and keys. A chooser gives them their meaning:
 *   starts(id)  whether a pick can start at this spot
 *   ends(id)    whether this spot continues the current pick
 *   choose(id)  picks the spot
 *   marks(id)   CSS class of a spot that continues the current pick
 *   refuses(id) explains why nothing can be done at this spot (optional)
 */
import { drawMarks, spotOf, spots } from '../drawing/spots.js';
import { write } from '../drawing/view.js';
import { change, computerAt, isArranging, isWaiting, mayMove, onChange, page, recordOf, shownFrame, state } from '../state/state.js';
import { building } from './editor.js';
import { makeMove } from './match.js';
import { askJson } from './server.js';

const DRAG_FROM = 7;
const SWIPE_FROM = 30;
/** Colours of drawn shapes, by modifier keys: none, Shift or Ctrl, Alt, both. */
const SHAPE_COLOURS = ['green', 'red', 'blue', 'yellow'];

/** @typedef {{ starts(id: string): boolean, ends(id: string): boolean, choose(id: string): void, marks(id: string): string, refuses?(id: string): void }} Chooser */

/** The current pointer gesture, from press to release; null if no button is pressed. @type {any} */
let gesture = null;
/** The spot under the mouse. @type {string | null} */
let hovered = null;

/** Returns the moves that begin with these spots. @param {string[]} prefix */
const movesBy = prefix => (state.current.scene && mayMove() ? state.current.scene.moves : []).filter(move => prefix.every((id, index) => move.spots[index] === id));

/** @type {Chooser} */
const playing = {
  starts: id => movesBy([id]).some(move => move.spots.length > 1),
  ends: id => movesBy([...state.picked, id]).some(move => state.picked.length > 0 || move.spots.length === 1),
  choose(id) {
    const path = [...state.picked, id];
    const move = movesBy(path).find(found => found.spots.length === path.length);
    if (move) makeMove(move.text + markWanted());
    else change(it => { it.picked = path; });
  },
  marks: id => movesBy([...state.picked, id]).every(move => move.is_risky) ? 'risky' : '',
  refuses: refuse,
};

/** Premoves: a move chosen while cupbot thinks. Its legality is checked later. @type {Chooser} */
const premoving = {
  starts: id => Boolean(spots.get(id) ? spots.get(id)?.taken : true),
  ends: id => state.picked.length === 1 && id !== state.picked[0],
  choose(id) { change(it => { Object.assign(it, { premove: [...it.picked, id], picked: [] }); }); },
  marks: () => '',
};

/** @type {Chooser} */
const arranging = {
  starts: id => Boolean(state.current.scene?.setup?.spots.includes(id)),
  ends: id => state.picked.length === 1 && id !== state.picked[0] && arranging.starts(id),
  choose(id) {
    const places = state.current.scene?.setup?.spots || [];
    const [one, other] = [places.indexOf(state.picked[0]), places.indexOf(id)];
    change(it => {
      const letters = it.arrangement ? it.arrangement.letters : [];
      [letters[one], letters[other]] = [letters[other], letters[one]];
      it.picked = [];
    });
  },
  marks: () => '',
};

const hasPairs = () => Boolean(state.current.scene?.moves.some(move => move.spots.length > 1)) || Boolean(board.ghost);
/** @returns {Chooser} */
const chooserNow = () => state.editing ? building : isArranging() ? arranging : state.settings.premove && isWaiting() && hasPairs() ? premoving : playing;

/** Returns the mark for the next move and unchecks its box. */
export function markWanted() {
  const box = /** @type {HTMLInputElement | null} */ (byId('mark'));
  if (!box || !box.checked) return '';
  box.checked = false;
  return page.mark.symbol;
}

/** Asks the server why the pick can't continue here and shows the reason on the spot. @param {string} id */
async function refuse(id) {
  if (page.replay) return;
  const { current, picked } = state;
  const isPair = hasPairs();
  // A click elsewhere closes the promotion chooser.
  if (picked.length > 1 || (isPair && !picked.length && !spots.get(id)?.taken)) return;
  const show = (/** @type {string} */ text) => change(it => { it.refusal = { spot: id, text }; });
  if (!current.scene) return;
  if (current.scene.end) { show('The game is over here.'); return; }
  if (!mayMove()) { show(`${computerAt(current) || 'cupbot'} is to move.`); return; }
  const answer = await askJson('refusal', { record: recordOf(current), spots: [...picked, id] }).catch(() => null);
  if (answer && answer.reason && state.current === current) show(answer.reason);
}

/** Draws the picked spots, their targets, the reach of the hovered piece, and the user's shapes. */
function drawPicks() {
  const { picked, place } = state, chooser = chooserNow();
  /** @type {SVGElement[]} */
  const marks = [];
  const at = (/** @type {string} */ id, /** @type {object} */ attributes) => { const spot = spots.get(id); if (spot) marks.push(svg('circle', { cx: spot.x, cy: spot.y, ...attributes })); };
  if (board.gather) board.gather(spots, picked);
  const shown = hovered || (isOnBoard() ? place : null);
  const reach = shownFrame().reach || {};
  if (!picked.length && shown && reach[shown]) reach[shown].forEach(id => at(id, { r: 34, class: 'reach', 'data-reach': id }));
  if (picked.length === 1) (reach[picked[0]] || []).forEach(id => at(id, { r: 34, class: 'reach', 'data-reach': id }));
  for (const id of picked) at(id, { r: 44, class: 'picked-mark' });
  for (const id of state.premove || []) at(id, { r: 44, class: 'premove-mark' });
  for (const [id, spot] of spots) {
    const isEnd = chooser.ends(id);
    spot.shape.classList.toggle('source', !isEnd && chooser.starts(id));
    spot.shape.classList.toggle('open', isEnd);
    if (isEnd && picked.length && !spot.isPassing) at(id, { r: spot.taken ? 42 : 15, class: `target ${chooser.marks(id)} ${spot.taken ? 'taken' : ''}`, 'data-target': id });
  }
  if (place) at(place, { r: 47, class: 'place-mark', 'data-place': place });
  drawMarks(marks);
  for (const held of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.extra [data-spot]'))) {
    const id = held.dataset.spot || '';
    const isSource = chooser.starts(id) || chooser.ends(id);
    held.classList.toggle('source', isSource);
    held.classList.toggle('picked', picked.includes(id));
    held.tabIndex = isSource ? 0 : -1;
    held.setAttribute('role', 'button');
    held.setAttribute('aria-pressed', String(picked.includes(id)));
  }
  sayPlace();
}

/** Adds a shape, or removes it if it exists. @param {string} from @param {string} to @param {string} colour */
function toggleShape(from, to, colour) {
  change(({ current }) => {
    const rest = current.shapes.filter(shape => !(shape.from === from && shape.to === to));
    current.shapes = rest.length < current.shapes.length && current.shapes.some(shape => shape.from === from && shape.to === to && shape.colour === colour) ? rest : [...rest, { from, to, colour }];
  });
}

const clearPicks = () => change(it => { Object.assign(it, { picked: [], premove: null }); });

/** Continues the current pick with a spot, or starts a new one. @param {string} id */
function pick(id) {
  const chooser = chooserNow();
  if (chooser.ends(id)) chooser.choose(id);
  else if (chooser.starts(id) && !state.picked.includes(id)) change(it => { Object.assign(it, { picked: [id], refusal: null }); });
  else {
    const wasPicked = state.picked.includes(id);
    if (!wasPicked && chooser.refuses) chooser.refuses(id);
    change(it => { it.picked = []; });
  }
}

/** Removes the reason of a refusal at the next input, and the pick at a press outside the board. @param {Event} event */
function clearBefore(event) {
  const isBeside = event.type === 'pointerdown' && event.target instanceof Element && !event.target.closest('#board, .extra, #typed');
  if (state.refusal || (isBeside && state.picked.length)) change(it => { Object.assign(it, { refusal: null, picked: isBeside ? [] : it.picked }); });
}

/** @param {PointerEvent} event */
function press(event) {
  const id = spotOf(event.target);
  const isDrawing = event.button === 2;
  if ((event.button && !isDrawing) || !event.isPrimary) return;
  const colour = SHAPE_COLOURS[(event.shiftKey || event.ctrlKey ? 1 : 0) + (event.altKey ? 2 : 0)];
  const chooser = chooserNow();
  gesture = { id, x: event.clientX, y: event.clientY, isDrag: false, isDrawing, colour, wasPicked: id !== null && state.picked.includes(id), pointer: event.pointerId };
  if (isDrawing) return;
  change(it => {
    it.premove = null;
    if (id && !chooser.ends(id) && chooser.starts(id)) it.picked = [id];
  });
}

/** @param {PointerEvent} event */
function moveGesture(event) {
  if (!gesture || event.pointerId !== gesture.pointer || gesture.isDrawing) return;
  const far = Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y);
  if (!gesture.isDrag && far > DRAG_FROM && gesture.id && state.picked[state.picked.length - 1] === gesture.id) {
    gesture.isDrag = true;
    const drawn = board.ghost && board.ghost(shownFrame(), gesture.id);
    gesture.ghost = html('div', { id: 'ghost' }, ...(drawn ? [drawn] : []));
    document.body.append(gesture.ghost);
    document.body.classList.add('dragging');
    const lifted = byId('board').querySelector(`[data-square="${gesture.id}"]`);
    if (lifted) lifted.classList.add('lifted');
  }
  if (gesture.ghost) {
    gesture.ghost.style.left = event.clientX + 'px';
    gesture.ghost.style.top = event.clientY + 'px';
  }
}

/** @param {PointerEvent} event */
function release(event) {
  if (!gesture || event.pointerId !== gesture.pointer) return;
  const { id, x, y, isDrag, isDrawing, colour, wasPicked } = gesture;
  endGesture();
  const chooser = chooserNow(), dropped = spotOf(document.elementFromPoint(event.clientX, event.clientY));
  if (isDrawing) {
    if (id && dropped) toggleShape(id, dropped, colour);
    return;
  }
  if (isDrag) {
    if (dropped && dropped !== id && chooser.ends(dropped)) chooser.choose(dropped);
    else {
      if (dropped && dropped !== id && chooser.refuses) chooser.refuses(dropped);
      else if (!dropped && state.editing) building.drop(id);
      change(it => { it.picked = []; });
    }
    return;
  }
  const swiped = swipe(event.clientX - x, event.clientY - y);
  if (swiped && chooser.ends(swiped)) chooser.choose(swiped);
  else if (wasPicked) clearPicks();
  else if (id && dropped === id && chooser.ends(id)) chooser.choose(id);
  else if (swiped && chooser.refuses) chooser.refuses(swiped);
  else if (!id || !state.picked.includes(id)) {
    if (id && dropped === id && chooser.refuses) chooser.refuses(id);
    change(it => { it.picked = []; });
  }
}

/** Returns the spot that a swipe stands for, or null. @param {number} x @param {number} y */
function swipe(x, y) {
  if (!board.keys || Math.max(Math.abs(x), Math.abs(y)) < SWIPE_FROM) return null;
  if (Math.abs(x) > Math.abs(y)) return board.keys[x > 0 ? 'ArrowRight' : 'ArrowLeft'];
  return board.keys[y > 0 ? 'ArrowDown' : 'ArrowUp'];
}

function endGesture() {
  if (gesture && gesture.ghost) gesture.ghost.remove();
  document.body.classList.remove('dragging');
  document.querySelectorAll('.lifted').forEach(element => element.classList.remove('lifted'));
  gesture = null;
}

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Returns the nearest spot in a direction; sideways distance counts more. @param {string} from @param {string} key */
function nextPlace(from, key) {
  const [dx, dy] = DIRECTIONS[key], here = /** @type {Spot} */ (spots.get(from)), chooser = chooserNow();
  let best = from, least = Infinity;
  for (const [id, spot] of spots) {
    if (spot.isPassing && !chooser.ends(id)) continue;
    const along = (spot.x - here.x) * dx + (spot.y - here.y) * dy;
    const aside = Math.abs((spot.x - here.x) * dy) + Math.abs((spot.y - here.y) * dx);
    const cost = along + 2.5 * aside;
    if (along > 1 && cost < least) { best = id; least = cost; }
  }
  return best;
}

const isOnBoard = () => document.activeElement === byId('board');
/** Announces the spot under the keyboard cursor to screen readers. */
function sayPlace() {
  const { place, picked } = state, spot = place && spots.get(place), chooser = chooserNow();
  if (!isOnBoard() || !spot) return;
  const hint = chooser.ends(spot.id) && (picked.length || !hasPairs()) ? ', may go here' : chooser.starts(spot.id) ? ', may be moved' : '';
  const text = spot.label + (picked.includes(spot.id) ? ', picked' : hint);
  write('spot', text);
}

/** Plays the move that an arrow key stands for (e.g. a slide), if it is legal. Returns whether it did. @param {string} key */
export function slideBy(key) {
  const direct = board.keys && board.keys[key], chooser = chooserNow();
  if (!direct || !chooser.ends(direct)) return false;
  chooser.choose(direct);
  return true;
}

/** @param {KeyboardEvent} event */
function onBoardKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !spots.size) return;
  const { place } = state;
  if (board.keys && board.keys[event.key] && slideBy(event.key)) {
    // The key has made a move.
  } else if (DIRECTIONS[event.key]) {
    change(it => { it.place = place && spots.has(place) ? nextPlace(place, event.key) : [...spots.keys()][0]; });
  } else if ((event.key === 'Enter' || event.key === ' ') && place) {
    pick(place);
    // Ask for the promotion piece next.
    const asked = [...spots.values()].find(spot => spot.isPassing && chooserNow().ends(spot.id));
    if (asked) change(it => { it.place = asked.id; });
    else if (spots.get(place)?.isPassing) change(it => { it.place = [...spots.keys()][0]; });
  } else if (event.key === 'Escape' && state.picked.length) {
    clearPicks();
  } else {
    return;
  }
  event.preventDefault();
}

export function listenToPicks() {
  onChange(drawPicks);
  const table = /** @type {HTMLElement} */ (document.querySelector('.place-of-board'));
  table.addEventListener('pointerdown', event => { if (/** @type {Element} */ (event.target).closest('#board, .extra')) press(event); });
  // A click does not focus the board, so the arrow keys still step through the game.
  table.addEventListener('mousedown', event => {
    if (!/** @type {Element} */ (event.target).closest('#board, .extra')) return;
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  table.addEventListener('contextmenu', event => { if (/** @type {Element} */ (event.target).closest('#board')) event.preventDefault(); });
  for (const type of ['pointerdown', 'keydown']) document.addEventListener(type, clearBefore, true);
  document.addEventListener('pointermove', moveGesture);
  document.addEventListener('pointerup', release);
  document.addEventListener('pointercancel', () => { endGesture(); clearPicks(); });
  const drawing = byId('board');
  drawing.addEventListener('pointerover', event => {
    if (event.pointerType !== 'mouse' || gesture) return;
    hovered = spotOf(event.target);
    drawPicks();
  });
  drawing.addEventListener('pointerleave', () => { hovered = null; drawPicks(); });
  drawing.addEventListener('keydown', onBoardKey);
  drawing.addEventListener('focus', drawPicks);
  drawing.addEventListener('blur', drawPicks);
  table.addEventListener('keydown', event => {
    const held = spotOf(event.target, '.extra');
    if (!held || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    pick(held);
    drawing.focus();
  });
}
