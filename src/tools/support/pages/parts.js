/*
 * The script shared by all pages. The game's script, which follows, defines `board`:
 *   begin()             draws the static parts of #board and sets its viewBox
 *   draw(frame, glide)  draws a position; glide: animate the move that led to it
 *   hint(moves)         draws suggested moves, the best one first (optional)
 *   extra(frame, side)  returns elements to show beside a side's name (optional)
 *   icons(frame), behind(frame)  return elements to show before and after a move in the list (optional)
 *   legend()            returns the legend of the pieces at the bottom of the page (optional)
 *   sets                the piece sets, each with its name; body[data-pieces] has the chosen one (optional)
 *   hasLetters          whether the board can show letters instead of pictures
 *   flip(isFlipped)     redraws the static parts for a view from the other side (optional)
 *   number(frame), row(frame)  return a move's number in the game's notation, and the number of its row (optional)
 * For a page on which moves are made, it also defines:
 *   spots(frame)        returns the spots from which moves are composed: { id, label, x, y, shape }: an invisible
 *                       shape over the board and its centre x, y; isPassing: present only while it continues
 *                       the current pick
 *   ghost(frame, id)    returns the element that is dragged from a spot (optional)
 *   gather(spots, picked)  moves the spots whose position depends on the pick (optional)
 *   kind(piece)         returns the name of a piece (optional)
 *   keys                the spots for the arrow keys and swipes (optional)
 *   icon(piece)         returns the icon of a piece to pick from (optional)
 */
/** Maximum number of moves shown of an expected line. */
const LINE_SHOWN = 10;
const CURVE = { width: 600, height: 110, pad: 12 };
const MARKS = {
  'inaccuracy': ['?!', 'inaccuracy', 'an inaccuracy'],
  'mistake': ['?', 'mistake', 'a mistake'], 'blunder': ['??', 'blunder', 'a blunder'],
  'missed-win': ['??', 'blunder', 'misses a win'], 'allowed-win': ['??', 'blunder', 'allows a win'],
};
/** CSS classes of the sides; the first moves first. */
const SIDES = ['first', 'second'];
const byId = id => document.getElementById(id);

function node(space, name, attributes, children) {
  const made = space ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...(children || []));
  return made;
}
const html = (name, attributes, ...children) => node(false, name, attributes, children);
const svg = (name, attributes, ...children) => node(true, name, attributes, children);

/** Draws a position, the side to move, and the board's elements beside each name. */
function drawPosition(frame, glide) {
  board.draw(frame, glide);
  SIDES.forEach((_, side) => {
    const row = byId('side-' + side);
    row.querySelector('.extra').replaceChildren(...(board.extra ? board.extra(frame, side) : []));
    row.classList.toggle('moves', frame.turn === side);
  });
}

/** Shows the board from the second side's view, or from the first's. */
function turnBoard(isFlipped) {
  document.body.classList.toggle('flipped', isFlipped);
  byId('flip').setAttribute('aria-pressed', String(isFlipped));
  board.flip(isFlipped);
}

function turnLetters() {
  byId('letters').setAttribute('aria-pressed', String(document.body.classList.toggle('letters')));
}

/** A move with its number. */
const numberedMove = frame => `${board.number ? board.number(frame) : frame.ply + '.'} ${frame.move}`;

/** Returns the text about a position and the move that led to it; `before` is the previous position. */
function remark(frame, before, beginning) {
  const first = html('div');
  const lines = [first];
  if (frame.move) {
    const [sign, style, text] = MARKS[frame.mark] || ['', '', ''];
    first.append(html('b', {}, numberedMove(frame)));
    if (sign) first.append(' ', html('b', { class: style }, sign + ' ' + text), frame.cost ? ` (costs ${frame.cost})` : '');
  } else {
    first.append(html('b', {}, beginning));
  }
  const best = frame.mark && before && before.line && before.line[0];
  if (best && best !== frame.move) lines.push(html('div', { class: 'better' }, `${best} was best`));
  if (frame.view) lines.push(html('div', {}, html('b', {}, frame.view), frame.detail ? `, ${frame.detail}` : ''));
  if (frame.line) lines.push(html('div', { class: 'line' }, 'best now: ' + frame.line.slice(0, LINE_SHOWN).join(' ')));
  return lines;
}

/** Returns the button of a move in the list. */
function moveButton(frame, attributes) {
  const [sign, style] = MARKS[frame.mark] || [];
  const button = html('button', attributes, ...(board.icons ? board.icons(frame) : []), frame.move);
  if (sign) button.append(html('b', { class: style }, sign));
  if (board.behind) button.append(...board.behind(frame));
  return button;
}

/** Marks a button of a list as the chosen one and scrolls it into view. */
function chooseButton(list, button) {
  list.querySelectorAll('.chosen').forEach(other => { other.classList.remove('chosen'); other.removeAttribute('aria-current'); });
  if (!button) return;
  button.classList.add('chosen');
  button.setAttribute('aria-current', 'true');
  const box = list.getBoundingClientRect(), at = button.getBoundingClientRect();
  if (at.top < box.top + 8 || at.bottom > box.bottom - 8) list.scrollTop += at.top - box.top - box.height / 2;
}

/**
 * Draws the score graph of the frames that have a height, from -1 (the second side has won) to 1 (the first).
 * Returns a function that moves the cursor to a frame, or null if there is nothing to draw.
 */
function drawCurve(frames, base) {
  const x = index => frames.length < 2 ? CURVE.width / 2 : CURVE.pad + index * (CURVE.width - 2 * CURVE.pad) / (frames.length - 1);
  const y = height => CURVE.height / 2 - height * (CURVE.height / 2 - 6);
  const scored = frames.map((frame, index) => [frame, index]).filter(([frame]) => frame.height !== undefined);
  const drawing = byId('curve').querySelector('svg');
  drawing.replaceChildren();
  byId('curve').hidden = scored.length < 2;
  if (scored.length < 2) return null;
  const middle = y(base);
  const points = scored.map(([frame, index]) => `${x(index).toFixed(1)} ${y(frame.height).toFixed(1)}`);
  const graph = 'M' + points.join('L');
  const area = `${graph}L${x(scored[scored.length - 1][1])} ${middle}L${x(scored[0][1])} ${middle}Z`;
  drawing.append(
    svg('clipPath', { id: 'upper' }, svg('rect', { width: CURVE.width, height: middle })),
    svg('clipPath', { id: 'lower' }, svg('rect', { y: middle, width: CURVE.width, height: CURVE.height - middle })),
    svg('path', { class: 'up', d: area, 'clip-path': 'url(#upper)' }),
    svg('path', { class: 'down', d: area, 'clip-path': 'url(#lower)' }),
    svg('line', { class: 'zero', x1: 0, x2: CURVE.width, y1: middle, y2: middle }),
    svg('path', { class: 'graph', d: graph }));
  for (const [frame, index] of scored) {
    const mark = MARKS[frame.mark];
    if (!mark || frame.mark === 'inaccuracy') continue;
    const d = `M${x(index)} ${y(frame.height)}h0`;
    drawing.append(svg('path', { d, class: mark[1], 'data-mark': frame.mark }));
    // A mistake is a ring, a blunder a dot: they differ not only in colour.
    if (mark[1] === 'mistake') drawing.append(svg('path', { d, class: 'hole' }));
  }
  const cursor = svg('line', { class: 'cursor', y1: 0, y2: CURVE.height });
  drawing.append(cursor);
  return index => { cursor.setAttribute('x1', x(index)); cursor.setAttribute('x2', x(index)); };
}

/** Names the move under the pointer, and calls `go` with its index when it is pressed, else `look` if given; `frames` returns the frames. */
function followCurve(frames, go, look) {
  const curve = byId('curve'), drawing = curve.querySelector('svg'), label = html('b', { class: 'label' });
  curve.append(label);
  const follow = event => {
    const box = drawing.getBoundingClientRect(), all = frames();
    const along = ((event.clientX - box.left) / box.width * CURVE.width - CURVE.pad) / (CURVE.width - 2 * CURVE.pad);
    const index = Math.max(0, Math.min(all.length - 1, Math.round(along * (all.length - 1)))), frame = all[index];
    label.textContent = [frame.move && numberedMove(frame), frame.view].filter(Boolean).join(', ');
    label.style.left = Math.max(0, Math.min(box.width - label.offsetWidth, event.clientX - box.left - label.offsetWidth / 2)) + 'px';
    if (event.buttons) go(index);
    else if (look) look(frame, event);
  };
  curve.addEventListener('pointerdown', follow);
  curve.addEventListener('pointermove', follow);
  curve.addEventListener('pointerleave', () => { label.textContent = ''; if (look) look(null); });
}

/** Calls the handler of a pressed key, unless the event is meant for another element. */
function onKeys(keys, isElsewhere) {
  document.addEventListener('keydown', event => {
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!plain || !keys[event.key] || event.defaultPrevented || isElsewhere(event)) return;
    event.preventDefault();
    keys[event.key]();
  });
}

const GLIDE_MS = 150;
/**
 * Returns the parts of a board of 8 by 8 squares with pieces: `board` for the game's own to build on, and the functions
 * that it uses. A square is named by a letter and a digit. The game says which of them stands for the column (`across`,
 * 0 or 1) and which row a line of a placement is (`rowOf`), what a piece looks like around the origin (`piece`), of
 * which side and kind it is, and what is drawn for a move that may follow (`hinted`).
 */
function pieceBoard({ across, rowOf, sideOf, kind, piece, hinted }) {
  const layers = {}, numbers = [0, 1, 2, 3, 4, 5, 6, 7];
  const named = (column, row) => 'abcdefgh'[across ? row : column] + ((across ? column : row) + 1);
  let isTurned = false, shown = {};
  /** The top left corner of a square; the first row is at the bottom, or at the top of a turned board. */
  const corner = square => {
    const place = [square.charCodeAt(0) - 97, square.charCodeAt(1) - 49], column = place[across], row = place[1 - across];
    return { x: (isTurned ? 7 - column : column) * 100, y: (isTurned ? row : 7 - row) * 100 };
  };
  const centre = square => {
    const { x, y } = corner(square);
    return { x: x + 50, y: y + 50 };
  };
  const area = square => ({ ...corner(square), width: 100, height: 100 });
  const icon = letter => svg('svg', { viewBox: '-42 -42 84 84', class: sideOf(letter), 'aria-hidden': 'true' }, ...piece(letter));

  /** The squares and letters of a placement, with rows parted by slashes and empty squares counted, and of a setup in the making. */
  function standing(frame) {
    const found = [];
    frame.board.split('/').forEach((text, index) => {
      let column = 0;
      for (const letter of text) {
        if (letter >= '1' && letter <= '8') column += Number(letter);
        else found.push([named(column++, rowOf(index)), letter]);
      }
    });
    return [...found, ...Object.entries(frame.arranged || {})];
  }

  /** The squares, and the coordinates that stand above what marks them. */
  function drawSquares() {
    const squares = [], coordinates = [];
    for (const row of numbers) for (const column of numbers) {
      const square = named(column, row), { x, y } = corner(square), shade = (column + row) % 2 ? 'light' : 'dark';
      squares.push(svg('rect', { ...area(square), class: shade }));
      if (x === 0) coordinates.push(svg('text', { class: 'coordinate on-' + shade, x: x + 5, y: y + 20 }, square[1 - across]));
      if (y === 700) coordinates.push(svg('text', { class: 'coordinate on-' + shade, x: x + 95, y: y + 95, 'text-anchor': 'end' }, square[across]));
    }
    layers.squares.replaceChildren(...squares);
    layers.coordinates.replaceChildren(...coordinates);
  }

  /** Lets a piece glide from where it stood; one that is dropped shrinks to its size. */
  function glideIn(drawn, frame) {
    if (!drawn.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const to = centre(frame.to), from = frame.from ? centre(frame.from) : to;
    const start = `translate(${from.x}px, ${from.y}px) scale(${frame.from ? 1 : 1.5})`;
    drawn.animate([{ transform: start }, { transform: `translate(${to.x}px, ${to.y}px)` }], { duration: GLIDE_MS, easing: 'ease-out' });
  }

  /** An arrow between two squares. */
  function arrow(squares) {
    if (squares.length < 2 || squares[0] === squares[1]) return [];
    const [from, to] = squares.map(centre);
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    const point = (origin, along, aside) => ({
      x: origin.x + along * Math.cos(angle) - aside * Math.sin(angle),
      y: origin.y + along * Math.sin(angle) + aside * Math.cos(angle),
    });
    const head = [point(to, -8, 0), point(to, -38, 18), point(to, -38, -18)].map(p => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(' ');
    const tail = point(to, -40, 0);
    return [
      svg('line', { class: 'hint', x1: from.x, y1: from.y, x2: tail.x.toFixed(1), y2: tail.y.toFixed(1) }),
      svg('polygon', { class: 'hint-head', points: head }),
    ];
  }

  const board = {
    hasLetters: true,
    begin() {
      for (const name of ['squares', 'moved', 'coordinates', 'pieces', 'hint']) layers[name] = svg('g');
      layers.hint.setAttribute('pointer-events', 'none');
      drawSquares();
      byId('board').setAttribute('viewBox', '0 0 800 800');
      byId('board').append(...Object.values(layers));
    },
    draw(frame, glide) {
      shown = frame;
      const moved = [...new Set([frame.from, frame.to].filter(Boolean))];
      layers.moved.replaceChildren(...moved.map(square => svg('rect', { ...area(square), class: 'moved', 'data-moved': square })));
      layers.pieces.replaceChildren(...standing(frame).map(([square, letter]) => {
        const { x, y } = centre(square), title = svg('title', {}, `${sideOf(letter)} ${kind(letter)} on ${square}`);
        const drawn = svg('g', { class: sideOf(letter), transform: `translate(${x} ${y})`, 'data-square': square, 'data-piece': letter }, title, ...piece(letter));
        if (square === frame.threat) drawn.append(svg('circle', { class: 'threat', r: 45 }));
        if (glide && square === frame.to && frame.from !== frame.to) glideIn(drawn, frame);
        return drawn;
      }));
    },
    hint(moves) {
      const drawn = moves.map((text, rank) => svg('g', { class: 'rank-' + rank, 'data-hint': text }, ...hinted(text, shown)));
      layers.hint.replaceChildren(...drawn.reverse());
    },
    spots(frame) {
      const pieces = new Map(standing(frame));
      return numbers.flatMap(row => numbers.map(column => {
        const id = named(column, row), letter = pieces.get(id);
        const label = letter ? `${sideOf(letter)} ${kind(letter)}` : 'empty';
        return { id, label: `${id}, ${label}`, ...centre(id), taken: Boolean(letter), shape: svg('rect', area(id)) };
      }));
    },
    kind,
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
    behind: frame => frame.takes ? [html('span', { class: 'taken', title: 'takes' }, '×', icon(frame.takes))] : [],
  };
  return { board, centre, icon, arrow };
}
