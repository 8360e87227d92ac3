/*
 * The script shared by all pages. The game's script, which follows, defines `board`:
 *   begin()             draws the static parts of #board and sets its viewBox
 *   draw(frame, glide)  draws a position; glide: animate the move that led to it
 *   hint(moves)         draws suggested moves, the best one first (optional)
 *   extra(frame, side)  returns elements to show beside a side's name (optional)
 *   icons(frame), suffix(frame)  return elements to show before and after a move in the list (optional)
 *   legend()            returns the legend of the pieces at the bottom of the page (optional)
 *   count(frame)        returns a sentence about the number of moves so far (optional)
 *   sets                the piece sets, each with its name; body[data-pieces] has the chosen one (optional)
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

/** A move with its number, which is that of its row in the list. */
const numberedMove = frame => `${board.number ? board.number(frame) : Math.ceil(frame.ply / 2) + (frame.ply % 2 ? '.' : '...')} ${frame.move}`;

/** Returns the text about a position and the move that led to it; `before` is the previous position. */
function remark(frame, before, beginning) {
  const first = html('div');
  const lines = [first];
  if (frame.move) {
    const [symbol, style, text] = MARKS[frame.mark] || ['', '', ''];
    first.append(html('b', {}, numberedMove(frame)));
    if (symbol) first.append(' ', html('b', { class: style }, symbol + ' ' + text), frame.cost ? ` (costs ${frame.cost})` : '');
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
  const [symbol, style] = MARKS[frame.mark] || [];
  const button = html('button', attributes, ...(board.icons ? board.icons(frame) : []), frame.move);
  if (symbol) button.append(html('b', { class: style }, symbol));
  if (board.suffix) button.append(...board.suffix(frame));
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
