/* A small board at the pointer: the position after a move of a line, or at a point of the curve. */
import { redraw } from '../drawing/view.js';
import { recordOf, state } from '../state/state.js';
import { boardUrl } from './games.js';
import { askJson } from './server.js';

/** The side of the small board, in pixels, and its distance from the pointer. */
const SIZE = 200, GAP = 16;
/** What is shown or asked for. */
let wanted = '';

/** Shows a position beside the pointer; none without one. @param {Frame | null} frame @param {{ clientX: number, clientY: number }} [at] */
export function preview(frame, { clientX: x, clientY: y } = { clientX: 0, clientY: 0 }) {
  const picture = /** @type {HTMLImageElement} */ (byId('preview'));
  picture.hidden = !frame;
  if (!frame) { wanted = ''; return; }
  // It is drawn on the board itself, before that is seen.
  board.draw(frame, false);
  picture.src = boardUrl('.shapes, [data-hint]');
  redraw();
  // Beside the tools, if there is room.
  const { left } = byId('panel').getBoundingClientRect();
  Object.assign(picture.style, { left: `${Math.max(0, (left > SIZE ? left : x) - SIZE - GAP)}px`, top: `${Math.max(0, Math.min(innerHeight - SIZE, y + GAP))}px` });
}

/** Shows the position after the first moves of a line. @param {string[]} moves @param {PointerEvent} event */
export async function previewLine(moves, event) {
  const record = recordOf(state.current), key = [...record.moves, '', ...moves].join(' ');
  if (key === wanted) return;
  wanted = key;
  record.moves.push(...moves);
  const { scenes } = await askJson('scenes', { record, from: record.moves.length });
  if (wanted === key) preview(scenes[0], event);
}
