/* The board of Zero Point One. */
const KINDS = {
  W: ['wazir', '1 straight'], N: ['knight', '2 straight, 1 aside'], F: ['ferz', '1 diagonally'], D: ['dabbaba', '2 straight'], A: ['alfil', '2 diagonally'],
};
const HAND_ORDER = 'NFDA';
const sideOf = letter => letter === letter.toUpperCase() ? 'red' : 'blue';
const kind = letter => KINDS[letter.toUpperCase()][0];

/** A piece around the origin. */
function piece(letter) {
  const capital = letter.toUpperCase();
  return [
    svg('circle', { class: 'disc', r: 37 }),
    svg('use', { class: 'glyph', href: '#glyph-' + capital }),
    svg('use', { class: 'glyph other', href: '#leap-' + capital }),
    svg('text', { class: 'letter', y: 18 }, letter),
  ];
}

/** A move that may follow: an arrow, or a ring where a piece is dropped. */
function hinted(best) {
  if (best.length !== 3) return best.length > 4 ? [] : arrow([best.slice(0, 2), best.slice(-2)]);
  const { x, y } = centre(best.slice(-2));
  const ghost = svg('g', { class: sideOf(best[0]), transform: `translate(${x} ${y}) scale(.8)`, opacity: .55 }, ...piece(best[0]));
  return [ghost, svg('circle', { class: 'hint', cx: x, cy: y, r: 40 })];
}

/** The pieces in a side's hand. */
function hand(frame, side) {
  const held = [...HAND_ORDER].map(letter => side === 0 ? letter : letter.toLowerCase())
    .map(letter => [letter, [...frame.hands].filter(other => other === letter).length])
    .filter(([, count]) => count > 0 || frame.isBuilt);
  const shown = held.map(([letter, count]) => html('span', { 'data-hand': letter, 'data-count': count, 'data-spot': letter, title: `${count} ${kind(letter)} in hand` }, icon(letter), '×' + count));
  return shown.length ? shown : [html('span', { class: 'none' }, 'nothing in hand')];
}

const { board: common, centre, icon, arrow } = pieceBoard({ across: 1, rowOf: index => index, sideOf, kind, piece, hinted });
const board = {
  ...common,
  sets: [['', 'figures'], ['other', 'how they leap']],
  extra: hand,
  legend: () => [
    ...Object.entries(KINDS).map(([letter, [name, leap]]) => html('span', {}, icon(letter), html('span', { class: 'for-letters' }, icon(letter.toLowerCase())), `${name}: ${leap}`)),
    html('span', { class: 'for-letters' }, 'capitals: Red, small letters: Blue'),
  ],
};
