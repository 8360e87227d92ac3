/* The board of Chess960. */
const KINDS = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };
const GLIDE_MS = 150;
const sideOf = letter => letter === letter.toUpperCase() ? 'white' : 'black';

/** Whether Black is at the bottom. */
let isTurned = false;

/** Returns the top left corner of a square; rank 1 is at the bottom, or at the top if flipped. */
function corner(square) {
  const column = square.charCodeAt(0) - 97, row = square.charCodeAt(1) - 49;
  return { x: (isTurned ? 7 - column : column) * 100, y: (isTurned ? row : 7 - row) * 100 };
}
function centre(square) {
  const { x, y } = corner(square);
  return { x: x + 50, y: y + 50 };
}

/** Draws a piece centred at the origin. */
function piece(letter) {
  return [
    svg('use', { class: 'glyph', href: '#glyph-' + letter.toUpperCase() }),
    svg('use', { class: 'glyph other', href: '#plain-' + letter.toUpperCase() }),
    svg('text', { class: 'letter', y: 21 }, letter),
  ];
}
function icon(letter) {
  return svg('svg', { viewBox: '-42 -42 84 84', class: sideOf(letter), 'aria-hidden': 'true' }, ...piece(letter));
}

/** Parses a FEN placement into squares and piece letters. */
function placed(rows) {
  const found = [];
  rows.split('/').forEach((text, row) => {
    let column = 0;
    for (const letter of text) {
      if (letter >= '1' && letter <= '8') { column += Number(letter); continue; }
      found.push([String.fromCharCode(97 + column) + (8 - row), letter]);
      column += 1;
    }
  });
  return found;
}

/** Draws the squares, and the coordinates above the marks. */
function drawSquares() {
  const squares = [], coordinates = [];
  for (let row = 1; row <= 8; row++) for (const file of 'abcdefgh') {
    const { x, y } = corner(file + row);
    const shade = (file.charCodeAt(0) + row) % 2 === 0 ? 'dark' : 'light';
    squares.push(svg('rect', { x, y, width: 100, height: 100, class: shade }));
    if (x === 0) coordinates.push(svg('text', { class: 'coordinate on-' + shade, x: x + 5, y: y + 20 }, String(row)));
    if (y === 700) coordinates.push(svg('text', { class: 'coordinate on-' + shade, x: x + 95, y: y + 95, 'text-anchor': 'end' }, file));
  }
  layers.squares.replaceChildren(...squares);
  layers.coordinates.replaceChildren(...coordinates);
}
function drawBoard(frame, glide) {
  const squares = [...new Set([frame.from, frame.to].filter(Boolean))];
  layers.moved.replaceChildren(...squares.map(square => svg('rect', { ...corner(square), width: 100, height: 100, class: 'moved', 'data-moved': square })));
  layers.pieces.replaceChildren(...placed(frame.board).map(([square, letter]) => {
    const { x, y } = centre(square);
    const label = sideOf(letter) + ' ' + KINDS[letter.toUpperCase()] + ' on ' + square;
    const drawn = svg('g', { class: sideOf(letter), transform: `translate(${x} ${y})`, 'data-square': square, 'data-piece': letter }, svg('title', {}, label), ...piece(letter));
    if (square === frame.threat) drawn.append(svg('circle', { class: 'threat', r: 46 }));
    if (glide && square === frame.to && frame.from !== frame.to) glideIn(drawn, frame);
    return drawn;
  }));
}

function glideIn(drawn, frame) {
  if (!drawn.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const from = centre(frame.from), to = centre(frame.to);
  drawn.animate([{ transform: `translate(${from.x}px, ${from.y}px)` }, { transform: `translate(${to.x}px, ${to.y}px)` }], { duration: GLIDE_MS, easing: 'ease-out' });
}

/** Returns the squares of a suggested move. */
function squaresOf(frame, text) {
  if (!frame.moves) return frame.best || [];
  const found = frame.moves.find(move => move.text === text || move.written === text);
  return found ? found.spots.slice(0, 2) : [];
}

/** Draws a suggested move as an arrow. */
function arrow(squares) {
  if (squares.length < 2 || squares[0] === squares[1]) return [];
  const [from, to] = squares.map(centre);
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const point = (origin, along, across) => ({
    x: origin.x + along * Math.cos(angle) - across * Math.sin(angle),
    y: origin.y + along * Math.sin(angle) + across * Math.cos(angle),
  });
  const head = [point(to, -8, 0), point(to, -38, 18), point(to, -38, -18)].map(p => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(' ');
  const tail = point(to, -40, 0);
  return [
    svg('line', { class: 'hint', x1: from.x, y1: from.y, x2: tail.x.toFixed(1), y2: tail.y.toFixed(1) }),
    svg('polygon', { class: 'hint-head', points: head }),
  ];
}

/** The promotion pieces, to be picked at the target square; see `gather`. */
function promotions(frame) {
  const found = new Set((frame.moves || []).filter(move => move.spots.length > 2).map(move => move.spots[2]));
  return [...found].map(id => {
    const shape = svg('g', { class: 'promotion ' + sideOf(id[1]) }, svg('rect', { x: -50, y: -50, width: 100, height: 100 }), ...piece(id[1]));
    return { id, label: 'promotes to a ' + KINDS[id[1].toUpperCase()], x: 0, y: 0, taken: true, isPassing: true, shape };
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

const layers = {};
/** Draws a frame. */
let shown = {};
const board = {
  hasLetters: true,
  sets: [['', 'carved'], ['other', 'flat']],
  begin() {
    for (const name of ['squares', 'moved', 'coordinates', 'pieces']) layers[name] = svg('g');
    layers.hint = svg('g', { 'pointer-events': 'none' });
    drawSquares();
    byId('board').setAttribute('viewBox', '0 0 800 800');
    byId('board').append(layers.squares, layers.moved, layers.coordinates, layers.pieces, layers.hint);
  },
  draw(frame, glide) {
    shown = frame;
    drawBoard(frame, glide);
  },
  hint(moves) {
    const drawn = moves.map((text, rank) => svg('g', { class: 'rank-' + rank, 'data-hint': text }, ...arrow(squaresOf(shown, text))));
    layers.hint.replaceChildren(...drawn.reverse());
  },
  spots(frame) {
    const standing = new Map(placed(frame.board));
    const squares = [1, 2, 3, 4, 5, 6, 7, 8].flatMap(row => [...'abcdefgh'].map(file => {
      const id = file + row, letter = standing.get(id);
      const label = letter ? sideOf(letter) + ' ' + KINDS[letter.toUpperCase()] : 'empty';
      return { id, label: `${id}, ${label}`, ...centre(id), taken: Boolean(letter), shape: svg('rect', { ...corner(id), width: 100, height: 100 }) };
    }));
    return [...squares, ...promotions(frame)];
  },
  gather,
  kind: letter => KINDS[letter.toUpperCase()],
  ghost(frame, id) {
    const drawn = layers.pieces.querySelector(`[data-square="${id}"]`);
    return drawn && icon(drawn.dataset.piece);
  },
  icon,
  flip(isFlipped) {
    isTurned = isFlipped;
    drawSquares();
  },
  number: frame => frame.number || '',
  row: frame => parseInt(frame.number, 10),
  icons: frame => frame.piece ? [icon(frame.piece)] : [],
  behind: frame => frame.takes ? [html('span', { class: 'taken', title: 'takes' }, '×', icon(frame.takes))] : [],
  legend: () => [html('span', { class: 'for-letters' }, 'capitals: White, small letters: Black')],
};
