/* The board of Chess960. */
const SIDE_NAMES = ['white', 'black'];
const IS_ROW_FIRST = false;
const KINDS = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };
const kindOf = letter => KINDS[letter.toUpperCase()];

function piece(letter) {
  return [
    svg('use', { class: 'glyph', href: '#glyph-' + letter.toUpperCase() }),
    svg('use', { class: 'glyph other', href: '#plain-' + letter.toUpperCase() }),
  ];
}

/** Returns the squares of a suggested move. */
function squaresOf(frame, text) {
  const found = (frame.moves || []).find(move => move.text === text || move.written === text);
  return found ? found.spots.slice(0, 2) : [];
}
function hinted(text) {
  const squares = squaresOf(shown, text);
  return squares.length < 2 || squares[0] === squares[1] ? [] : arrow(squares);
}

/** The promotion pieces, to be picked at the target square; see `gather`. */
function promotions(frame) {
  const found = new Set((frame.moves || []).filter(move => move.spots.length > 2).map(move => move.spots[2]));
  return [...found].map(id => {
    const shape = svg('g', { class: 'promotion ' + sideOf(id[1]) }, svg('rect', { x: -50, y: -50, width: 100, height: 100 }), ...piece(id[1]));
    return { id, label: 'promotes to a ' + kindOf(id[1]), x: 0, y: 0, taken: true, isPassing: true, shape };
  });
}

/** Places the promotion chooser on the target square and the squares before it. */
function gather(spots, picked) {
  if (picked.length < 2) return;
  const { x, y } = centre(picked[1]), down = y < 400 ? 100 : -100;
  [...spots.values()].filter(spot => spot.isPassing).sort((one, other) => 'QNRB'.indexOf(one.id[1].toUpperCase()) - 'QNRB'.indexOf(other.id[1].toUpperCase())).forEach((spot, index) => {
    Object.assign(spot, { x, y: y + index * down });
    spot.shape.setAttribute('transform', `translate(${x} ${spot.y})`);
  });
}

/** Values of the pieces. */
const VALUES = { Q: 9, R: 5, B: 3, N: 3, P: 1 };
/** Returns what a side has more than the other: its pieces, and the difference in pawns. */
function material(frame, side) {
  const count = letter => (frame.board || '').split(letter).length - 1;
  const more = Object.keys(VALUES).map(kind => {
    const [own, other] = side ? [kind.toLowerCase(), kind] : [kind, kind.toLowerCase()];
    return [own, count(own) - count(other), VALUES[kind]];
  });
  const ahead = more.reduce((sum, [, surplus, value]) => sum + surplus * value, 0);
  return [
    ...more.flatMap(([letter, surplus]) => Array.from({ length: Math.max(0, surplus) }, () => icon(letter))),
    ...(ahead > 0 ? [html('span', { title: 'material ahead, in pawns' }, `+${ahead}`)] : []),
  ];
}

const board = {
  ...squareBoard,
  extra: material,
  sets: [['', 'carved'], ['other', 'flat']],
  spots: frame => [...squareBoard.spots(frame), ...promotions(frame)],
  gather,
  number: frame => frame.number || '',
  row: frame => parseInt(frame.number, 10),
};
