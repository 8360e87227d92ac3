/* The board of Zuniq: draws dots, walls and the sizes of zones. */
/** Number of cells per row and column. */
const CELLS = 5;
/** Distance between neighbouring dots. */
const STEP = 120;
const MARGIN = 90;
const layers = {};

const at = index => MARGIN + index * STEP;

/** Returns the ends of the wall of a move such as `B3h`: the dot in its name and the one to the right or below. */
function ends(text) {
  const row = text.charCodeAt(0) - 65, column = text.charCodeAt(1) - 49;
  const isFlat = text[2] === 'h';
  return { x1: at(column), y1: at(row), x2: at(column + (isFlat ? 1 : 0)), y2: at(row + (isFlat ? 0 : 1)) };
}

function drawDots() {
  const layer = svg('g');
  for (let row = 0; row <= CELLS; row++) {
    layer.append(svg('text', { x: MARGIN / 2 - 8, y: at(row) + 10 }, String.fromCharCode(65 + row)));
    layer.append(svg('text', { x: at(row), y: MARGIN / 2 }, String(row + 1)));
    for (let column = 0; column <= CELLS; column++) layer.append(svg('circle', { class: 'dot', cx: at(column), cy: at(row), r: 9 }));
  }
  return layer;
}

function drawZones(zones) {
  layers.zones.replaceChildren(...zones.flatMap((size, cell) => {
    if (!size) return [];
    const x = at(cell % CELLS), y = at(Math.floor(cell / CELLS));
    return [
      svg('rect', { class: 'zone', x, y, width: STEP, height: STEP }),
      svg('text', { class: 'size', x: x + STEP / 2, y: y + STEP / 2 + 15, 'data-zone': cell }, String(size)),
    ];
  }));
}

/** Returns the names of all walls: row letter, column number and direction. */
function wallNames() {
  const rows = Array.from({ length: CELLS + 1 }, (_, index) => index);
  return rows.flatMap(row => rows.flatMap(column => [column < CELLS && 'h', row < CELLS && 'v']
    .filter(Boolean).map(kind => String.fromCharCode(65 + row) + (column + 1) + kind)));
}

/** Draws a small cross in the middle of a wall. */
function cross(text) {
  const { x1, y1, x2, y2 } = ends(text), x = (x1 + x2) / 2, y = (y1 + y2) / 2;
  return svg('path', { class: 'barred', 'data-barred': text, d: `M${x - 9} ${y - 9}l18 18m0-18-18 18` });
}

const board = {
  begin() {
    const size = 2 * MARGIN + CELLS * STEP;
    byId('board').setAttribute('viewBox', `0 0 ${size} ${size}`);
    for (const name of ['zones', 'marks', 'walls', 'hint']) layers[name] = svg('g');
    byId('board').append(svg('rect', { class: 'paper', width: size, height: size }), layers.zones, layers.marks, layers.walls, drawDots());
  },
  draw(frame) {
    drawZones(frame.zones);
    const marks = [];
    if (frame.move) marks.push(svg('line', { class: 'last', ...ends(frame.move) }));
    layers.marks.replaceChildren(...marks, ...frame.barred.map(cross), layers.hint);
    const rims = frame.walls.map(text => svg('line', { class: 'rim', ...ends(text) }));
    layers.walls.replaceChildren(...rims, ...frame.walls.map((text, index) => svg('line', { class: 'wall ' + SIDES[index % 2], 'data-wall': text, ...ends(text) })));
  },
  hint(moves) {
    layers.hint.replaceChildren(...moves.map((text, rank) => svg('line', { class: 'best rank-' + rank, 'data-hint': text, ...ends(text) })));
  },
  ahead: (frame, { text }) => ({ ...frame, walls: [...frame.walls, text], move: text, moves: null }),
  spots(frame) {
    return wallNames().map(id => {
      const { x1, y1, x2, y2 } = ends(id), x = (x1 + x2) / 2, y = (y1 + y2) / 2, half = STEP / 2;
      const label = `wall ${id}, ${frame.walls.includes(id) ? 'drawn' : 'free'}`;
      // All points that are nearer to this wall than to any other one.
      const area = svg('path', { d: `M${x - half} ${y}L${x} ${y - half} ${x + half} ${y} ${x} ${y + half}Z` });
      return { id, label, x, y, shape: svg('g', { class: 'wall-spot' }, area, svg('line', { x1, y1, x2, y2 })) };
    });
  },
  legend: () => [html('span', {}, 'Numbers: sizes of closed zones'), html('span', {}, 'Red crosses: walls that would close a zone of a size that is already taken')],
};
