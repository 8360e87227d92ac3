/* Preview board at the pointer: the position after a move of a line, or at a point of the score curve. */
import { redraw } from '../drawing/view.js';
import { recordOf, state } from '../state/state.js';
import { boardUrl } from './games.js';
import { askJson } from './server.js';

/** Size of the preview board and its distance from the pointer, in pixels. */
const SIZE = 200, GAP = 16;
/** The position that is shown or requested. */
let wanted = '';

/** Shows a position beside the pointer, or hides the preview. @param {Frame | null} frame @param {{ clientX: number, clientY: number }} [at] */
export function preview(frame, { clientX: x, clientY: y } = { clientX: 0, clientY: 0 }) {
  const picture = /** @type {HTMLImageElement} */ (byId('preview'));
  picture.hidden = !frame;
  if (!frame) { wanted = ''; return; }
  // Drawn on the board itself and copied before the browser repaints.
  board.draw(frame, false);
  picture.src = boardUrl('.shapes, [data-hint]');
  redraw();
  // Place it beside the tools if there is room.
  const { left } = byId('panel').getBoundingClientRect();
  Object.assign(picture.style, { left: `${Math.max(0, (left > SIZE ? left : x) - SIZE - GAP)}px`, top: `${Math.max(0, Math.min(innerHeight - SIZE, y + GAP))}px` });
}

/** Previews the position after the first moves of a line. @param {string[]} moves @param {PointerEvent} event */
export async function previewLine(moves, event) {
  const record = recordOf(state.current), key = [...record.moves, '', ...moves].join(' ');
  if (key === wanted) return;
  wanted = key;
  record.moves.push(...moves);
  const { scenes } = await askJson('scenes', { record, from: record.moves.length });
  if (wanted === key) preview(scenes[0], event);
}
