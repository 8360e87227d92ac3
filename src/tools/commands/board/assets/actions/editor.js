/* The position editor. */
import { spotOf, spots } from '../drawing/spots.js';
import { write } from '../drawing/view.js';
import { change, onChange, page, state, stopThinking } from '../state/state.js';
import { makeGame } from '../state/tree.js';
import { follow, pauseSearch } from './analysis.js';
import { reply, watchClock } from './match.js';
import { askJson, attempt } from './server.js';
import { plantNew, show } from './steps.js';

const ERASER = '';
/** The brush that moves pieces. */
const HAND = '.';

/** Returns the letter of the piece on a square. @param {string} id */
function pieceOn(id) {
  const drawn = /** @type {HTMLElement | null} */ (byId('board').querySelector(`[data-square="${id}"][data-piece]`));
  return (drawn && drawn.dataset.piece) || '';
}

/** Clicks add the selected piece (to a square or a hand) or remove one; pieces can be dragged. */
export const building = {
  /** @param {string} id */
  starts: id => state.brush === HAND && (!spots.has(id) || pieceOn(id) !== ''),
  /** @param {string} id */
  ends: id => state.picked.length ? id !== state.picked[0] : state.brush !== HAND,
  /** @param {string} id */
  choose(id) {
    const [from] = state.picked;
    change(it => { it.picked = []; });
    if (from) { movePiece(from, id); return; }
    const isErased = state.brush === ERASER;
    edit({ spot: id, piece: isErased ? null : spots.has(id) ? state.brush : id });
  },
  marks: () => '',
  /** Removes a piece that is dropped outside the board. @param {string} id */
  drop(id) { edit({ spot: id, piece: null }); },
};
/** @param {string} from @param {string} to */
async function movePiece(from, to) {
  const piece = spots.has(from) ? pieceOn(from) : from;
  await edit({ spot: from, piece: null });
  await edit({ spot: to, piece: spots.has(to) ? piece : to });
}

let pending = 0, last = Promise.resolve();
/** Queues a change of the position after the pending ones. @param {{ position?: string, [name: string]: any }} what */
export function edit(what) {
  const showBusy = () => byId('edit').setAttribute('aria-busy', String(pending > 0));
  pending++;
  showBusy();
  last = last.then(() => send(what)).finally(() => { pending--; showBusy(); });
  return last;
}

/** Sends a change and draws the new position. An invalid text stays in its field, with the reason. @param {{ position?: string }} what */
async function send(what) {
  const { editing } = state;
  if (!editing) return;
  const changed = await attempt(() => askJson('edit', { game: page.game, position: editing.position, ...what }));
  if (changed && state.editing) change(it => { it.editing = changed.position === undefined ? { ...editing, text: what.position, fault: changed.fault } : changed; });
}

export function startEditing() {
  if (!page.editor || state.editing) return;
  stopThinking();
  pauseSearch();
  const { scene } = state.current, hasPosition = Boolean(scene && scene.position);
  // An unfinished setup has no text form: place its pieces on an empty board.
  const pieces = /** @type {HTMLElement[]} */ (hasPosition ? [] : [...byId('board').querySelectorAll('[data-square][data-piece]')]).map(({ dataset: { square, piece } }) => ({ spot: square, piece }));
  change(it => { Object.assign(it, { editing: { position: (scene && scene.position) || page.editor.empty, frame: scene || {}, fault: null }, picked: [], refusal: null }); });
  watchClock();
  edit({});
  pieces.forEach(edit);
}

export function stopEditing() {
  if (!state.editing) return;
  change(it => { Object.assign(it, { editing: null, picked: [] }); });
  watchClock();
  follow();
  reply();
}

async function useEdited() {
  // A change of the text may be pending.
  await last;
  if (!state.editing || state.editing.fault) return;
  const { position } = state.editing;
  plantNew(makeGame(position));
  await show(state.game.root);
}

function drawPalette() {
  /** @type {[string, string][]} */
  const pieces = [[HAND, 'move pieces'], ...page.editor.palette, [ERASER, 'eraser']];
  byId('palette').replaceChildren(...pieces.map(([piece, name]) => {
    const button = html('button', { role: 'radio', 'aria-checked': String(piece === state.brush), 'aria-label': name, title: name, 'data-brush': piece });
    if (piece === ERASER || piece === HAND || !board.icon) button.append(piece === HAND ? '✥' : '⌫');
    else button.append(board.icon(piece));
    return button;
  }));
}

/** Draws the editor. */
function drawEditor() {
  const { editing } = state;
  if (!editing) return;
  drawPalette();
  const field = /** @type {HTMLInputElement} */ (byId('position'));
  if (document.activeElement !== field) field.value = editing.text ?? editing.position;
  write('edit-fault', [editing.fault ? `Not yet a position: ${editing.fault}.` : 'A position to begin from.', ...(editing.remarks || []).map(remark => `Note: ${remark}.`)].join(' '));
  /** @type {HTMLButtonElement} */ (byId('edit-use')).disabled = Boolean(editing.fault);
  byId('rights').replaceChildren(...(editing.rights || []).map(({ right, label, isOn, isPossible }) => {
    const box = html('input', { type: 'checkbox', 'data-right': right });
    Object.assign(box, { checked: isOn, disabled: !isPossible });
    return html('label', { class: 'mark' }, box, ' ' + label);
  }));
}

export function listenToEditor() {
  if (!page.editor) return;
  onChange(drawEditor);
  state.brush = HAND;
  byId('position-form').textContent = page.editor.form;
  const buttonOf = (/** @type {Event} */ event) => /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('[data-brush]'));
  byId('palette').addEventListener('click', event => {
    const button = buttonOf(event);
    if (button) change(it => { Object.assign(it, { brush: button.dataset.brush || ERASER, picked: [] }); });
  });
  // Pieces can also be dragged from the palette.
  byId('palette').addEventListener('pointerdown', event => {
    const button = buttonOf(event);
    if (!button || !button.dataset.brush || button.dataset.brush === HAND) return;
    button.releasePointerCapture(event.pointerId);
    document.addEventListener('pointerup', over => {
      const spot = spotOf(document.elementFromPoint(over.clientX, over.clientY), '#board');
      if (spot) edit({ spot, piece: button.dataset.brush });
    }, { once: true });
  });
  byId('rights').addEventListener('change', event => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    edit({ right: box.dataset.right });
  });
  byId('edit-turn').addEventListener('click', () => edit({ turn: true }));
  byId('edit-clear').addEventListener('click', () => edit({ position: page.editor.empty }));
  byId('position').addEventListener('change', event => edit({ position: /** @type {HTMLInputElement} */ (event.target).value.trim() }));
  byId('edit-use').addEventListener('click', useEdited);
  byId('edit-leave').addEventListener('click', () => { stopEditing(); change(it => { it.tab = 'play'; }); });
}
