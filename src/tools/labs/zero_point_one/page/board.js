/* The board of Zero Point One. */
const KINDS = {
  W: ['wazir', '1 straight'], N: ['knight', '2 straight, 1 aside'], F: ['ferz', '1 diagonally'], D: ['dabbaba', '2 straight'], A: ['alfil', '2 diagonally'],
};
const HAND_ORDER = 'NFDA';
const GLIDE_MS = 150;
const sideOf = letter => letter === letter.toUpperCase() ? 'red' : 'blue';

/** Whether Blue is at the bottom. */
let isTurned = false;

/** Returns the top left corner of a square; row a is at the bottom, or at the top if flipped. */
function corner(square) {
  const column = square.charCodeAt(1) - 49, row = square.charCodeAt(0) - 97;
  return { x: (isTurned ? 7 - column : column) * 100, y: (isTurned ? row : 7 - row) * 100 };
}
function centre(square) {
  const { x, y } = corner(square);
  return { x: x + 50, y: y + 50 };
}

/** Draws a piece centred at the origin. */
function piece(letter) {
  const kind = letter.toUpperCase();
  return [
    svg('circle', { class: 'disc', r: 37 }),
    svg('use', { class: 'glyph', href: '#glyph-' + kind }),
    svg('use', { class: 'glyph other', href: '#leap-' + kind }),
    svg('text', { class: 'letter', y: 18 }, letter),
  ];
}
function icon(letter) {
  return svg('svg', { viewBox: '-42 -42 84 84', class: sideOf(letter), 'aria-hidden': 'true' }, ...piece(letter));
}

/** Parses a placement (rows a to h separated by slashes, numbers for empty squares) into squares and letters. */
function placed(rows) {
  const found = [];
  rows.split('/').forEach((text, row) => {
    let column = 1;
    for (const letter of text) {
      if (letter >= '1' && letter <= '8') { column += Number(letter); continue; }
      found.push([String.fromCharCode(97 + row) + column, letter]);
      column += 1;
    }
  });
  return found;
}

/** Draws the squares, and the coordinates above the marks. */
function drawSquares() {
  const squares = [], coordinates = [];
  for (const row of 'abcdefgh') for (let column = 1; column <= 8; column++) {
    const { x, y } = corner(row + column);
    const dark = (row.charCodeAt(0) + column) % 2 === 0;
    squares.push(svg('rect', { x, y, width: 100, height: 100, class: dark ? 'dark' : 'light' }));
    if (x === 0) coordinates.push(svg('text', { class: 'coordinate', x: x + 5, y: y + 20 }, row));
    if (y === 700) coordinates.push(svg('text', { class: 'coordinate', x: x + 95, y: y + 95, 'text-anchor': 'end' }, String(column)));
  }
  layers.squares.replaceChildren(...squares);
  layers.coordinates.replaceChildren(...coordinates);
}
function drawBoard(frame, glide) {
  const squares = [frame.from, frame.to].filter(Boolean);
  layers.moved.replaceChildren(...squares.map(square => svg('rect', { ...corner(square), width: 100, height: 100, class: 'moved', 'data-moved': square })));
  // An unfinished setup is shown before it is played.
  const pieces = [...placed(frame.board), ...Object.entries(frame.arranged || {})];
  layers.pieces.replaceChildren(...pieces.map(([square, letter]) => {
    const { x, y } = centre(square);
    const label = sideOf(letter) + ' ' + KINDS[letter.toUpperCase()][0] + ' on ' + square;
    const drawn = svg('g', { class: sideOf(letter), transform: `translate(${x} ${y})`, 'data-square': square, 'data-piece': letter }, svg('title', {}, label), ...piece(letter));
    if (square === frame.threat) drawn.append(svg('circle', { class: 'threat', r: 44 }));
    if (glide && square === frame.to) glideIn(drawn, frame);
    return drawn;
  }));
}

function glideIn(drawn, frame) {
  if (!drawn.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const to = centre(frame.to);
  const from = frame.from ? centre(frame.from) : to;
  const start = `translate(${from.x}px, ${from.y}px) scale(${frame.from ? 1 : 1.5})`;
  drawn.animate([{ transform: start }, { transform: `translate(${to.x}px, ${to.y}px)` }], { duration: GLIDE_MS, easing: 'ease-out' });
}

/** Draws a suggested move: an arrow, or a ring for a drop. */
function hinted(best) {
  if (best.length > 4) return [];
  const to = centre(best.slice(-2));
  if (best.length === 3) {
    const ghost = svg('g', { class: sideOf(best[0]), transform: `translate(${to.x} ${to.y}) scale(.8)`, opacity: .55 }, ...piece(best[0]));
    return [ghost, svg('circle', { class: 'hint', cx: to.x, cy: to.y, r: 40 })];
  }
  const from = centre(best.slice(0, 2));
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

/** Draws the pieces in a side's hand. */
function hand(frame, side) {
  const held = [...HAND_ORDER].map(kind => side === 0 ? kind : kind.toLowerCase())
    .map(letter => [letter, [...frame.hands].filter(other => other === letter).length])
    .filter(([, count]) => count > 0 || frame.isBuilt);
  const shown = held.map(([letter, count]) => html('span', { 'data-hand': letter, 'data-count': count, 'data-spot': letter, title: `${count} ${KINDS[letter.toUpperCase()][0]} in hand` }, icon(letter), '×' + count));
  return shown.length ? shown : [html('span', { class: 'none' }, 'nothing in hand')];
}

const layers = {};
const board = {
  hasLetters: true,
  sets: [['', 'figures'], ['other', 'how they leap']],
  begin() {
    for (const name of ['squares', 'moved', 'coordinates', 'pieces']) layers[name] = svg('g');
    layers.hint = svg('g', { 'pointer-events': 'none' });
    drawSquares();
    byId('board').setAttribute('viewBox', '0 0 800 800');
    byId('board').append(layers.squares, layers.moved, layers.coordinates, layers.pieces, layers.hint);
  },
  draw: drawBoard,
  hint(moves) {
    const drawn = moves.map((text, rank) => svg('g', { class: 'rank-' + rank, 'data-hint': text }, ...hinted(text)));
    layers.hint.replaceChildren(...drawn.reverse());
  },
  spots(frame) {
    const standing = new Map([...placed(frame.board), ...Object.entries(frame.arranged || {})]);
    return [...'abcdefgh'].flatMap(row => [1, 2, 3, 4, 5, 6, 7, 8].map(column => {
      const id = row + column, letter = standing.get(id);
      const label = letter ? sideOf(letter) + ' ' + KINDS[letter.toUpperCase()][0] : 'empty';
      return { id, label: `${id}, ${label}`, ...centre(id), taken: Boolean(letter), shape: svg('rect', { ...corner(id), width: 100, height: 100 }) };
    }));
  },
  kind: letter => KINDS[letter.toUpperCase()][0],
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
  extra: hand,
  icons: frame => frame.piece ? [icon(frame.piece)] : [],
  behind: frame => frame.takes ? [html('span', { class: 'taken', title: 'takes' }, '×', icon(frame.takes))] : [],
  legend: () => [
    ...Object.entries(KINDS).map(([letter, [name, leap]]) => html('span', {}, icon(letter), html('span', { class: 'for-letters' }, icon(letter.toLowerCase())), `${name}: ${leap}`)),
    html('span', { class: 'for-letters' }, 'capitals: Red, small letters: Blue'),
  ],
};
