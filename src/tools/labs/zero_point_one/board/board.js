/* The board of Zero Point One. */
const SIDE_NAMES = ['red', 'blue'];
const IS_ROW_FIRST = true;
const KINDS = {
  W: ['wazir', 'king, 1 straight'], N: ['knight', '2 straight, 1 aside'], F: ['ferz', '1 diagonally'], D: ['dabbaba', '2 straight'], A: ['alfil', '2 diagonally'],
};
const HAND_ORDER = 'NFDA';
const kindOf = letter => KINDS[letter.toUpperCase()][0];

function piece(letter) {
  const kind = letter.toUpperCase();
  return [
    svg('circle', { class: 'disc', r: 37 }),
    svg('use', { class: 'glyph', href: '#leap-' + kind }),
    svg('use', { class: 'glyph other', href: '#glyph-' + kind }),
  ];
}

/** Draws a suggested move: an arrow, or a ring for a drop. */
function hinted(best) {
  if (best.length > 4) return [];
  const square = best.slice(-2), to = centre(square);
  if (best.length > 3) return arrow([best.slice(0, 2), square]);
  const ghost = svg('g', { class: sideOf(best[0]), transform: `translate(${to.x} ${to.y}) scale(.8)`, opacity: .55 }, ...piece(best[0]));
  return [ghost, svg('circle', { class: 'hint', cx: to.x, cy: to.y, r: 40 })];
}

/** Draws the pieces in a side's hand. */
function hand(frame, side) {
  const held = [...HAND_ORDER].map(kind => side === 0 ? kind : kind.toLowerCase())
    .map(letter => [letter, [...frame.hands].filter(other => other === letter).length])
    .filter(([, count]) => count > 0 || frame.isBuilt);
  const pieces = held.map(([letter, count]) => html('span', { 'data-hand': letter, 'data-count': count, 'data-spot': letter, title: `${count} ${kindOf(letter)} in hand` }, icon(letter), '×' + count));
  return pieces.length ? pieces : [html('span', { class: 'none' }, 'nothing in hand')];
}

const board = {
  ...squareBoard,
  sets: [['', 'how they leap'], ['other', 'figures']],
  extra: hand,
  legend: () => Object.entries(KINDS).map(([letter, [name, leap]]) => html('span', {}, icon(letter), `${name}: ${leap}`)),
};
