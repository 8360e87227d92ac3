/* A board of eight by eight squares with pieces on them. The game's script, which follows, defines `SIDE_NAMES`, `kindOf`
   (the name of a letter's piece), `piece` (its shapes around the origin), `hinted` (the shapes of a move that may follow)
   and `IS_ROW_FIRST`: whether a square's name begins with its row, and a placement with row a. */
const GLIDE_MS = 150;
const LETTERS = 'abcdefgh';
const layers = {};
/** Whether the second side is at the bottom. */
let isTurned = false;
/** The frame that is shown. */
let shown = {};

const sideOf = letter => SIDE_NAMES[letter === letter.toUpperCase() ? 0 : 1];
const nameOf = letter => sideOf(letter) + ' ' + kindOf(letter);
const squareAt = (column, row) => IS_ROW_FIRST ? LETTERS[row] + (column + 1) : LETTERS[column] + (row + 1);
/** Returns all squares with column and row, starting with the first row. */
const allSquares = () => [0, 1, 2, 3, 4, 5, 6, 7].flatMap((row, _, all) => all.map(column => [squareAt(column, row), column, row]));

/** Returns the top left corner of a square; the first row is at the bottom, or at the top if flipped. */
function corner(square) {
  const place = [square.charCodeAt(0) - 97, square.charCodeAt(1) - 49];
  const [column, row] = IS_ROW_FIRST ? place.reverse() : place;
  return { x: (isTurned ? 7 - column : column) * 100, y: (isTurned ? row : 7 - row) * 100 };
}
function centre(square) {
  const { x, y } = corner(square);
  return { x: x + 50, y: y + 50 };
}
const field = (square, more) => svg('rect', { ...corner(square), width: 100, height: 100, ...more });

function icon(letter) {
  return svg('svg', { viewBox: '-42 -42 84 84', class: sideOf(letter), 'aria-hidden': 'true' }, ...piece(letter));
}

/** Returns the squares and piece letters of a frame's placement, and of an unfinished setup. */
function placed(frame) {
  const found = [];
  frame.board.split('/').forEach((text, index) => {
    let column = 0;
    for (const letter of text) {
      if (letter >= '1' && letter <= '8') { column += Number(letter); continue; }
      found.push([squareAt(column, IS_ROW_FIRST ? index : 7 - index), letter]);
      column += 1;
    }
  });
  return [...found, ...Object.entries(frame.arranged || {})];
}

/** Draws the squares, and the coordinates above the marks. */
function drawSquares() {
  const squares = [], coordinates = [];
  for (const [square, column, row] of allSquares()) {
    const { x, y } = corner(square), shade = (column + row) % 2 === 0 ? 'dark' : 'light';
    const coordinate = (label, place) => coordinates.push(svg('text', { class: 'coordinate on-' + shade, ...place }, label));
    squares.push(field(square, { class: shade }));
    if (x === 0) coordinate(square[IS_ROW_FIRST ? 0 : 1], { x: x + 5, y: y + 20 });
    if (y === 700) coordinate(square[IS_ROW_FIRST ? 1 : 0], { x: x + 95, y: y + 95, 'text-anchor': 'end' });
  }
  layers.squares.replaceChildren(...squares);
  layers.coordinates.replaceChildren(...coordinates);
}
function drawBoard(frame, glide) {
  shown = frame;
  const squares = [...new Set([frame.from, frame.to].filter(Boolean))];
  layers.moved.replaceChildren(...squares.map(square => field(square, { class: 'moved', 'data-moved': square })));
  layers.pieces.replaceChildren(...placed(frame).map(([square, letter]) => {
    const { x, y } = centre(square), label = nameOf(letter) + ' on ' + square;
    const drawn = svg('g', { class: sideOf(letter), transform: `translate(${x} ${y})`, 'data-square': square, 'data-piece': letter }, svg('title', {}, label), ...piece(letter));
    if (square === frame.threat) drawn.append(svg('circle', { class: 'threat', r: 45 }));
    if (glide && square === frame.to && frame.from !== frame.to) glideIn(drawn, frame);
    return drawn;
  }));
}

/** Moves a piece from its square; one that comes from a hand shrinks into place. */
function glideIn(drawn, frame) {
  if (!drawn.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const to = centre(frame.to), from = frame.from ? centre(frame.from) : to;
  const start = `translate(${from.x}px, ${from.y}px) scale(${frame.from ? 1 : 1.5})`;
  drawn.animate([{ transform: start }, { transform: `translate(${to.x}px, ${to.y}px)` }], { duration: GLIDE_MS, easing: 'ease-out' });
}

/** Draws an arrow between two squares. */
function arrow(squares) {
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

const squareBoard = {
  begin() {
    for (const name of ['squares', 'moved', 'coordinates', 'pieces']) layers[name] = svg('g');
    layers.hint = svg('g', { 'pointer-events': 'none' });
    drawSquares();
    byId('board').setAttribute('viewBox', '0 0 800 800');
    byId('board').append(...Object.values(layers));
  },
  draw: drawBoard,
  hint(moves) {
    const drawn = moves.map((text, rank) => svg('g', { class: 'rank-' + rank, 'data-hint': text }, ...hinted(text)));
    layers.hint.replaceChildren(...drawn.reverse());
  },
  spots(frame) {
    const standing = new Map(placed(frame));
    return allSquares().map(([id]) => {
      const letter = standing.get(id), label = letter ? nameOf(letter) : 'empty';
      return { id, label: `${id}, ${label}`, ...centre(id), taken: Boolean(letter), shape: field(id) };
    });
  },
  /** Returns a frame with a move of a piece to another square or from a hand, as far as it can be known without the rules. */
  ahead(frame, { text, spots: [from, to, becomes] }) {
    const standing = new Map(placed(frame)), moving = standing.get(from) || from, taken = standing.get(to);
    if (!to || (taken && sideOf(taken) === sideOf(moving))) return null;
    const isDrop = !standing.delete(from);
    standing.set(to, becomes ? becomes[1] : moving);
    return { ...frame, move: text, board: '8/8/8/8/8/8/8/8', arranged: Object.fromEntries(standing), from: isDrop ? null : from, to, threat: null, hands: isDrop ? frame.hands.replace(from, '') : frame.hands };
  },
  kind: letter => kindOf(letter),
  ghost(frame, id) {
    if (id.length === 1) return icon(id);
    const drawn = layers.pieces.querySelector(`[data-square="${id}"]`);
    return drawn && icon(drawn.dataset.piece);
  },
  icon,
  flip(isFlipped) {
    isTurned = isFlipped;
    drawSquares();
  },
  icons: frame => frame.piece ? [icon(frame.piece)] : [],
  suffix: frame => frame.takes ? [html('span', { class: 'taken', title: 'takes' }, '×', icon(frame.takes))] : [],
};
