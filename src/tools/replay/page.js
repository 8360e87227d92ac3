/*
 * The frame of every game's page. The game's script, which comes before, defines `board`:
 *   begin()             draws into #board what stays, and sets its viewBox
 *   draw(frame, glide)  draws a position; glide: the move that led to it was just made
 *   extra(frame, side)  what stands beside a side's name (optional)
 *   icons(frame), behind(frame)  what stands before and behind a move in the list (optional)
 *   legend()            explains the pieces below the page (optional)
 *   hasLetters          is there a mode with letters in place of pictures?
 *   flip(isFlipped)     draws what stays for a view from the other side (optional)
 *   number(frame), row(frame)  the number of a move as its players write it, and that of its row (optional)
 */
const game = JSON.parse(document.getElementById('data').textContent);
const frames = game.frames;
/** How many moves of an expected line are shown. */
const LINE_SHOWN = 10;
const PAUSE_MS = 900;
const CURVE = { width: 600, height: 120, pad: 12 };
const MARKS = {
  'mistake': ['?', 'mistake', 'a mistake'], 'blunder': ['??', 'blunder', 'a blunder'],
  'missed-win': ['??', 'blunder', 'misses a win'], 'allowed-win': ['??', 'blunder', 'allows a win'],
};
/** The classes of the sides, the one that begins first. */
const SIDES = ['first', 'second'];
const byId = id => document.getElementById(id);
let current = -1;
let timer = null;

function node(space, name, attributes, children) {
  const made = space ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...(children || []));
  return made;
}
const html = (name, attributes, ...children) => node(false, name, attributes, children);
const svg = (name, attributes, ...children) => node(true, name, attributes, children);

/** Whose turn it is, and what the board shows beside each name. */
function drawSides(frame) {
  SIDES.forEach((_, side) => {
    const row = byId('side-' + side);
    row.querySelector('.extra').replaceChildren(...(board.extra ? board.extra(frame, side) : []));
    row.classList.toggle('moves', frame.turn === side);
  });
}

/** The best move where another one was played, if it is known. */
function betterMove() {
  const before = current > 0 && frames[current - 1];
  const best = before && before.line && before.line[0];
  return best && best !== frames[current].move ? best : null;
}

function drawRemark(frame) {
  const lines = [];
  const first = html('div');
  if (frame.move) {
    const [sign, style, text] = MARKS[frame.mark] || ['', '', ''];
    first.append(html('b', {}, `${board.number ? board.number(frame) : frame.ply + '.'} ${frame.move}`));
    if (sign) first.append(html('b', { class: style }, sign + ' ' + text), frame.cost ? ` (costs ${frame.cost})` : '');
    if (sign) first.insertBefore(document.createTextNode(' '), first.childNodes[1]);
  } else {
    first.append(html('b', {}, game.beginning));
  }
  lines.push(first);
  const better = frame.mark && betterMove();
  if (better) lines.push(html('div', { class: 'better' }, `${better} was best`));
  if (frame.view) lines.push(html('div', {}, html('b', {}, frame.view), frame.detail ? `, ${frame.detail}` : ''));
  if (frame.line) lines.push(html('div', { class: 'line' }, 'best now: ' + frame.line.slice(0, LINE_SHOWN).join(' ')));
  byId('remark').replaceChildren(...lines);
}

function moveButton(frame, index) {
  const [sign, style] = MARKS[frame.mark] || [];
  const button = html('button', { 'data-index': index }, ...(board.icons ? board.icons(frame) : []), frame.move);
  if (sign) button.append(html('b', { class: style }, sign));
  if (board.behind) button.append(...board.behind(frame));
  return button;
}

function drawList() {
  const list = byId('list');
  const start = html('button', { class: 'start', 'data-index': 0 });
  if (game.setups) start.append(...game.setups.map((setup, side) => html('div', { style: 'display:block' }, html('span', { class: SIDES[side] }, setup))));
  else start.append('start');
  list.append(html('div', {}, html('span', { class: 'number' }, game.setups ? '1' : ''), start));
  let row = null;
  frames.forEach((frame, index) => {
    if (index === 0) return;
    const isFirst = frame.mover === 0;
    if (isFirst || !row) {
      row = html('div', {}, html('span', { class: 'number' }, String(board.row ? board.row(frame) : isFirst ? frame.ply : frame.ply - 1)));
      if (!isFirst) row.append(html('span'));
      list.append(row);
    }
    row.append(moveButton(frame, index));
  });
  list.addEventListener('click', event => {
    const button = event.target.closest('button');
    if (button) show(Number(button.dataset.index));
  });
}

function chooseInList() {
  const list = byId('list');
  list.querySelectorAll('.chosen').forEach(button => { button.classList.remove('chosen'); button.removeAttribute('aria-current'); });
  const button = list.querySelector(`[data-index="${current}"]`);
  button.classList.add('chosen');
  button.setAttribute('aria-current', 'true');
  const box = list.getBoundingClientRect(), at = button.getBoundingClientRect();
  if (at.top < box.top + 8 || at.bottom > box.bottom - 8) list.scrollTop += at.top - box.top - box.height / 2;
}

const curveX = index => frames.length < 2 ? CURVE.width / 2 : CURVE.pad + index * (CURVE.width - 2 * CURVE.pad) / (frames.length - 1);
/** `height` is from -1, the second side has won, to 1, the first has. */
const curveY = height => CURVE.height / 2 - height * (CURVE.height / 2 - 6);

function drawCurve() {
  document.body.classList.toggle('scored', frames.some(frame => frame.view));
  const scored = frames.map((frame, index) => [frame, index]).filter(([frame]) => frame.height !== undefined);
  if (scored.length < 2) return;
  const drawing = byId('curve').querySelector('svg');
  const middle = curveY(game.base);
  byId('curve').hidden = false;
  drawing.append(
    svg('clipPath', { id: 'upper' }, svg('rect', { width: CURVE.width, height: middle })),
    svg('clipPath', { id: 'lower' }, svg('rect', { y: middle, width: CURVE.width, height: CURVE.height - middle })));
  const points = scored.map(([frame, index]) => `${curveX(index).toFixed(1)} ${curveY(frame.height).toFixed(1)}`);
  const graph = 'M' + points.join('L');
  const area = `${graph}L${curveX(scored[scored.length - 1][1])} ${middle}L${curveX(scored[0][1])} ${middle}Z`;
  drawing.append(
    svg('path', { class: 'up', d: area, 'clip-path': 'url(#upper)' }),
    svg('path', { class: 'down', d: area, 'clip-path': 'url(#lower)' }),
    svg('line', { class: 'zero', x1: 0, x2: CURVE.width, y1: middle, y2: middle }),
    svg('path', { class: 'graph', d: graph }));
  for (const [frame, index] of scored) {
    const mark = MARKS[frame.mark];
    if (mark) drawing.append(svg('circle', { class: mark[1], cx: curveX(index), cy: curveY(frame.height), r: 5 }));
  }
  drawing.append(svg('line', { class: 'cursor', y1: 0, y2: CURVE.height }));
  const follow = event => {
    const box = drawing.getBoundingClientRect();
    const along = ((event.clientX - box.left) / box.width * CURVE.width - CURVE.pad) / (CURVE.width - 2 * CURVE.pad);
    show(Math.round(along * (frames.length - 1)));
  };
  byId('curve').addEventListener('pointerdown', follow);
  byId('curve').addEventListener('pointermove', event => { if (event.buttons) follow(event); });
}

function show(wanted) {
  const index = Math.max(0, Math.min(frames.length - 1, wanted));
  if (index === current) return;
  const frame = frames[index];
  const glide = index === current + 1 && current >= 0;
  current = index;
  board.draw(frame, glide);
  byId('board').setAttribute('aria-label', `Position after ${frame.ply} moves`);
  drawSides(frame);
  drawRemark(frame);
  chooseInList();
  byId('slider').value = index;
  byId('counter').textContent = `move ${frame.ply} of ${frames[frames.length - 1].ply}`;
  byId('first').disabled = byId('back').disabled = index === 0;
  byId('forward').disabled = byId('last').disabled = byId('play').disabled = index === frames.length - 1;
  const cursor = byId('curve').querySelector('.cursor');
  if (cursor) { cursor.setAttribute('x1', curveX(index)); cursor.setAttribute('x2', curveX(index)); }
  if (index === frames.length - 1) pause();
}

function pause() {
  clearInterval(timer);
  timer = null;
  byId('play').classList.remove('playing');
}
function playOrPause() {
  if (timer) { pause(); return; }
  timer = setInterval(() => show(current + 1), PAUSE_MS);
  byId('play').classList.add('playing');
  show(current + 1);
}
function step(by) {
  pause();
  show(current + by);
}

/** Shows the board from the other side. */
function flip() {
  const isFlipped = document.body.classList.toggle('flipped');
  byId('flip').setAttribute('aria-pressed', String(isFlipped));
  board.flip(isFlipped);
  board.draw(frames[current], false);
}

function listen() {
  byId('first').addEventListener('click', () => step(-frames.length));
  byId('back').addEventListener('click', () => step(-1));
  byId('forward').addEventListener('click', () => step(1));
  byId('last').addEventListener('click', () => step(frames.length));
  byId('play').addEventListener('click', playOrPause);
  byId('slider').addEventListener('input', event => { pause(); show(Number(event.target.value)); });
  byId('flip').addEventListener('click', flip);
  byId('letters').addEventListener('click', event => {
    event.currentTarget.setAttribute('aria-pressed', String(document.body.classList.toggle('letters')));
  });
  // A tap on the right half of the board goes on, on the left half back.
  byId('board').addEventListener('click', event => {
    const box = byId('board').getBoundingClientRect();
    step(event.clientX < box.left + box.width / 2 ? -1 : 1);
  });
  const keys = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-frames.length), End: () => step(frames.length),
    PageUp: () => step(-10), PageDown: () => step(10), ' ': playOrPause,
  };
  document.addEventListener('keydown', event => {
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!plain || !keys[event.key] || (event.key === ' ' && event.target.closest && event.target.closest('button'))) return;
    event.preventDefault();
    keys[event.key]();
  });
  addEventListener('hashchange', showHash);
}

/** The address may name a move: page.html#17. */
function showHash() {
  const ply = Number(location.hash.slice(1));
  show(ply ? ply - frames[0].ply : 0);
}

function drawLegend() {
  const keys = html('span', {}, html('kbd', {}, '←'), html('kbd', {}, '→'), 'move', html('kbd', {}, 'space'), 'play');
  byId('legend').append(...(board.legend ? board.legend() : []), keys);
}

function begin() {
  game.players.forEach((name, side) => { byId('side-' + side).querySelector('.name').textContent = name; });
  byId('slider').max = frames.length - 1;
  byId('letters').hidden = !board.hasLetters;
  byId('flip').hidden = !board.flip;
  board.begin();
  drawList();
  drawCurve();
  drawLegend();
  listen();
  showHash();
}
begin();
