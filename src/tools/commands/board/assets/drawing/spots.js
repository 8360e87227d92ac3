/* Spots: the places of the board that can be picked, and the marks drawn over them. */
import { state } from '../state/state.js';

/** The current spots by id. @type {Map<string, Spot>} */
export let spots = new Map();
const marks = svg('g', { 'pointer-events': 'none' });
const shapes = svg('g', { 'pointer-events': 'none', class: 'shapes' });
const group = svg('g');

/** Draws the spots of a position. @param {Frame} frame */
export function drawSpots(frame) {
  spots = new Map((board.spots ? board.spots(frame) : []).map(spot => [spot.id, spot]));
  group.replaceChildren(...[...spots.values()].map(({ id, label, shape }) => {
    shape.classList.add('spot');
    shape.dataset.spot = id;
    shape.append(svg('title', {}, label));
    return shape;
  }));
  byId('board').append(marks, shapes, group);
}

/** Returns an arrow or a circle drawn by the user. @param {Shape} shape */
function drawnShape({ from, to, colour }) {
  const one = spots.get(from), other = spots.get(to);
  if (!one || !other) return [];
  if (one === other) return [svg('circle', { cx: one.x, cy: one.y, r: 44, class: `drawn ${colour}`, 'data-shape': from + to })];
  const far = Math.hypot(other.x - one.x, other.y - one.y), [dx, dy] = [(other.x - one.x) / far, (other.y - one.y) / far];
  const [x, y] = [other.x - 34 * dx, other.y - 34 * dy];
  return [
    svg('line', { class: `drawn ${colour}`, x1: one.x, y1: one.y, x2: x, y2: y, 'data-shape': from + to }),
    svg('polygon', { class: `drawn-head ${colour}`, points: `${other.x - 4 * dx},${other.y - 4 * dy} ${x - 20 * dy},${y + 20 * dx} ${x + 20 * dy},${y - 20 * dx}` }),
  ];
}

/** Draws marks and the user's shapes. @param {SVGElement[]} some */
export function drawMarks(some) {
  marks.replaceChildren(...some);
  shapes.replaceChildren(...state.current.shapes.flatMap(drawnShape));
}

/** Returns the id of the spot that contains an element, or null. @param {EventTarget | null} element @param {string} [within] the selector of an ancestor */
export function spotOf(element, within = '') {
  const found = element instanceof Element && element.closest(`${within} [data-spot]`);
  return (found && /** @type {HTMLElement} */ (found).dataset.spot) || null;
}
