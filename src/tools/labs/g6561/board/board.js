/* The board of 6561: draws tiles that slide, merge and vanish. */
const SQUARES_A_SIDE = 4;
const STEP = 160;
const GAP = 12;
/** Thickness of the strips beside the board that slide the tiles. */
const STRIP = 40;
/** Space around the tiles: a strip and the numbers of rows or columns. */
const MARGIN = STRIP + 40;
const SIZE = 2 * MARGIN + SQUARES_A_SIDE * STEP;
/** CSS classes of the colours, in the order of placement. */
const COLOURS = ['blue', 'red', 'gray'];
const SYMBOLS = '●■▲';
/** Duration of a slide in ms, as in the style sheet. */
const GLIDE_MS = 180;
/** Path of an upward arrow, centred on the board. */
const HINT_ARROW = 'M0 150V-110M-60-60 0-130 60-60';
const layers = {};
let shown = [];
let settling = null;

const at = index => MARGIN + index * STEP;
const place = square => `translate(${at(square % SQUARES_A_SIDE)}px, ${at(Math.floor(square / SQUARES_A_SIDE))}px)`;

function tile([colour, value], square) {
  const text = svg('text', { x: STEP / 2, y: STEP / 2 + 17 }, String(value));
  // A symbol in addition to the colour, for colour-blind users.
  const symbol = svg('text', { class: 'symbol', x: STEP - 34, y: 44 }, SYMBOLS[colour]);
  const size = STEP - GAP;
  const made = svg('g', { class: 'tile ' + COLOURS[colour], 'data-square': square }, svg('rect', { x: GAP / 2, y: GAP / 2, width: size, height: size, rx: 14 }), text, symbol);
  made.style.transform = place(square);
  return made;
}

/** Returns the squares of each line, starting at the edge towards which the tiles slide. */
function linesOf(slide) {
  const along = [0, 1, 2, 3], across = [0, 1, 2, 3];
  if (slide === 'D' || slide === 'R') along.reverse();
  const square = (line, step) => slide === 'U' || slide === 'D' ? step * SQUARES_A_SIDE + line : line * SQUARES_A_SIDE + step;
  return across.map(line => along.map(step => square(line, step)));
}

/** Returns the target square of each tile in a slide, as a map from square to square. */
function targets(tiles, slide) {
  const goes = new Map();
  for (const line of linesOf(slide)) {
    const held = line.filter(square => tiles[square]);
    let free = 0;
    for (let index = 0; index < held.length; index++) {
      const [tileHere, next] = [tiles[held[index]], tiles[held[index + 1]]];
      goes.set(held[index], line[free]);
      if (next && next[1] === tileHere[1]) {
        goes.set(held[++index], line[free]);
        // Tiles of two colours vanish, and the next tile takes their square.
        if (next[0] !== tileHere[0]) continue;
      }
      free++;
    }
  }
  return goes;
}

function settle(frame) {
  clearTimeout(settling);
  settling = null;
  layers.tiles.replaceChildren(...frame.tiles.flatMap((piece, square) => piece ? [tile(piece, square)] : []));
  if (/^[1-4]{2}$/.test(frame.move || '')) {
    const square = (frame.move[0] - 1) * SQUARES_A_SIDE + (frame.move[1] - 1);
    layers.tiles.querySelector(`[data-square="${square}"]`).classList.add('new');
  }
}

/** Number of moves of a game. */
const MOVES = 1000;
/** The turns of a rhythm. */
const RHYTHM = [['●', 'blue'], ['■', 'red'], ['▲', 'gray'], ['↔', 'slide'], ['↔', 'slide']];
/** Draws the rhythm with the current turn highlighted. */
function rhythm(frame) {
  return RHYTHM.map(([symbol, name], index) => html('span', { class: `beat ${name} ${index === frame.ply % RHYTHM.length ? 'due' : ''}`, title: index < 3 ? `place ${name}` : name }, symbol));
}

const board = {
  order: rhythm,
  count: frame => `Move ${Math.min(frame.ply + 1, MOVES).toLocaleString('en')} of ${MOVES.toLocaleString('en')}.`,
  how: frame => frame.ply % RHYTHM.length < 3 ? 'Click an empty square to place the tile.' : 'Slide: click a strip beside the board, press an arrow key, or swipe.',
  perfect: 'Two copies of cupbot reach 4676 points by replaying a stored game.',
  ahead(frame, { text }) {
    const tiles = [...frame.tiles], goes = [...(text.length > 1 ? [] : targets(tiles, text))];
    if (text.length > 1) tiles[(text[0] - 1) * SQUARES_A_SIDE + (text[1] - 1)] = [frame.ply % RHYTHM.length, 1];
    else tiles.fill(null);
    for (let index = 0; index < goes.length; index++) {
      const [from, to] = goes[index], here = frame.tiles[from], next = goes[index + 1], met = next && next[1] === to ? frame.tiles[next[0]] : null;
      tiles[to] = here;
      if (!met || met[1] !== here[1]) continue;
      tiles[to] = met[0] === here[0] ? [here[0], 3 * here[1]] : null;
      index++;
    }
    return { ...frame, tiles, move: text };
  },
  begin() {
    byId('board').setAttribute('viewBox', `${STRIP} ${STRIP} ${SIZE - 2 * STRIP} ${SIZE - 2 * STRIP}`);
    const squares = svg('g');
    for (let index = 0; index < SQUARES_A_SIDE; index++) {
      squares.append(svg('text', { x: at(index) + STEP / 2, y: MARGIN - 10 }, String(index + 1)));
      squares.append(svg('text', { x: MARGIN - 20, y: at(index) + STEP / 2 + 10 }, String(index + 1)));
      for (let column = 0; column < SQUARES_A_SIDE; column++) {
        squares.append(svg('rect', { class: 'square', x: at(column) + GAP / 2, y: at(index) + GAP / 2, width: STEP - GAP, height: STEP - GAP, rx: 14 }));
      }
    }
    layers.tiles = svg('g');
    layers.hint = svg('g', { 'pointer-events': 'none' });
    byId('board').append(squares, layers.tiles, layers.hint);
  },
  draw(frame, glide) {
    const slide = frame.move && frame.move.length === 1 ? frame.move : null;
    if (settling) layers.tiles.replaceChildren(...shown.flatMap((piece, square) => piece ? [tile(piece, square)] : []));
    if (glide && slide) {
      const goes = targets(shown, slide);
      layers.tiles.getBoundingClientRect();
      for (const made of layers.tiles.children) made.style.transform = place(goes.get(Number(made.dataset.square)));
      clearTimeout(settling);
      settling = setTimeout(() => settle(frame), GLIDE_MS);
    } else settle(frame);
    shown = frame.tiles;
  },
  spots() {
    // The strips of the slides are along the sides of the board.
    const middle = SIZE / 2, edge = STRIP / 2, width = SQUARES_A_SIDE * STEP - GAP;
    byId('board').setAttribute('viewBox', `0 0 ${SIZE} ${SIZE}`);
    const strip = (id, label, x, y, turn) => ({
      id, label, x, y,
      shape: svg('g', { class: 'strip', transform: `translate(${x} ${y}) rotate(${turn})` },
        svg('rect', { x: -width / 2, y: 3 - edge, width, height: STRIP - 6, rx: 12 }), svg('path', { d: 'M-24 8 0-8 24 8' })),
    });
    const squares = Array.from({ length: SQUARES_A_SIDE * SQUARES_A_SIDE }, (_, square) => {
      const row = Math.floor(square / SQUARES_A_SIDE), column = square % SQUARES_A_SIDE;
      const held = shown[square];
      const id = `${row + 1}${column + 1}`;
      const label = `row ${row + 1}, column ${column + 1}, ${held ? `${COLOURS[held[0]]} ${held[1]}` : 'empty'}`;
      const shape = svg('rect', { x: at(column) + GAP / 2, y: at(row) + GAP / 2, width: STEP - GAP, height: STEP - GAP, rx: 14 });
      return { id, label, x: at(column) + STEP / 2, y: at(row) + STEP / 2, shape };
    });
    return [
      ...squares, strip('U', 'slide up', middle, edge, 0), strip('D', 'slide down', middle, SIZE - edge, 180),
      strip('L', 'slide left', edge, middle, -90), strip('R', 'slide right', SIZE - edge, middle, 90),
    ];
  },
  keys: { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' },
  hint(moves) {
    layers.hint.replaceChildren(...moves.map((text, rank) => {
      const attributes = { class: 'hint rank-' + rank, 'data-hint': text };
      // Only the best slide is shown, because overlapping arrows would be unreadable.
      if (text.length === 1) return rank ? svg('g', attributes) : svg('path', { ...attributes, d: HINT_ARROW, transform: `translate(${at(2)} ${at(2)}) rotate(${'URDL'.indexOf(text) * 90})` });
      return svg('rect', { ...attributes, x: at(text[1] - 1) + GAP, y: at(text[0] - 1) + GAP, width: STEP - 2 * GAP, height: STEP - 2 * GAP, rx: 14 });
    }));
  },
  legend() {
    return COLOURS.map(name => html('span', {}, html('span', { class: 'swatch ' + name }), `${SYMBOLS[COLOURS.indexOf(name)]} ${name}`));
  },
};
