/* The board of Chess960. */
const KINDS = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };
const sideOf = letter => letter === letter.toUpperCase() ? 'white' : 'black';
const kind = letter => KINDS[letter.toUpperCase()];

/** A piece around the origin. */
function piece(letter) {
  return [
    svg('use', { class: 'glyph', href: '#glyph-' + letter.toUpperCase() }),
    svg('use', { class: 'glyph other', href: '#plain-' + letter.toUpperCase() }),
    svg('text', { class: 'letter', y: 21 }, letter),
  ];
}

/** The squares of a move that may follow: of the moves here, or of the best one of the frame. */
function squaresOf(frame, text) {
  if (!frame.moves) return frame.best || [];
  const found = frame.moves.find(move => move.text === text || move.written === text);
  return found ? found.spots.slice(0, 2) : [];
}

/** What a pawn may become, to be picked at the square that it goes to; see `gather`. */
function promotions(frame) {
  const found = new Set((frame.moves || []).filter(move => move.spots.length > 2).map(move => move.spots[2]));
  return [...found].map(id => {
    const shape = svg('g', { class: 'promotion ' + sideOf(id[1]) }, svg('rect', { x: -50, y: -50, width: 100, height: 100 }), ...piece(id[1]));
    return { id, label: 'promotes to a ' + kind(id[1]), x: 0, y: 0, taken: true, isPassing: true, shape };
  });
}

/** Puts the choice of a promotion on the square of the pawn and those before it. */
function gather(spots, picked) {
  if (picked.length < 2) return;
  const { x, y } = centre(picked[1]), down = y < 400 ? 100 : -100;
  [...spots.values()].filter(spot => spot.isPassing).sort((one, other) => 'QNRB'.indexOf(one.id[1].toUpperCase()) - 'QNRB'.indexOf(other.id[1].toUpperCase())).forEach((spot, index) => {
    Object.assign(spot, { x, y: y + index * down });
    spot.shape.setAttribute('transform', `translate(${x} ${spot.y})`);
  });
}

const { board: common, centre, icon, arrow } = pieceBoard({
  across: 0, rowOf: index => 7 - index, sideOf, kind, piece, hinted: (text, frame) => arrow(squaresOf(frame, text)),
});
const board = {
  ...common,
  sets: [['', 'carved'], ['other', 'flat']],
  spots: frame => [...common.spots(frame), ...promotions(frame)],
  gather,
  number: frame => frame.number || '',
  row: frame => parseInt(frame.number, 10),
  legend: () => [html('span', { class: 'for-letters' }, 'capitals: White, small letters: Black')],
};
