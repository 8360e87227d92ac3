/* Script of the replay page. What the game's script must define is documented in `parts.js`. */
const game = JSON.parse(document.getElementById('data').textContent);
const frames = game.frames;
const PAUSE_MS = 900;
let current = -1;
let timer = null;
let moveCursor = null;

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
    row.append(moveButton(frame, { 'data-index': index }));
  });
  if (game.refused) list.append(refused());
  list.addEventListener('click', event => {
    const button = event.target.closest('button');
    if (button) show(Number(button.dataset.index));
  });
}

/** Returns the text about the answer that ended the game because it was refused. */
const refused = () => html('div', { class: 'blunder' }, game.refused);

function show(wanted) {
  const index = Math.max(0, Math.min(frames.length - 1, wanted));
  if (index === current) return;
  const frame = frames[index];
  const glide = index === current + 1 && current >= 0;
  current = index;
  draw(glide);
  byId('board').setAttribute('aria-label', `Position after ${frame.ply} moves`);
  byId('remark').replaceChildren(...remark(frame, frames[index - 1], game.beginning));
  if (game.refused && index === frames.length - 1) byId('remark').append(refused());
  chooseButton(byId('list'), byId('list').querySelector(`[data-index="${index}"]`));
  byId('slider').value = index;
  byId('counter').textContent = `move ${frame.ply} of ${frames[frames.length - 1].ply}`;
  byId('first').disabled = byId('back').disabled = index === 0;
  byId('forward').disabled = byId('last').disabled = byId('play').disabled = index === frames.length - 1;
  if (moveCursor) moveCursor(index);
  if (index === frames.length - 1) pause();
}

function draw(glide) {
  const frame = frames[current];
  drawPosition(frame, glide);
  if (board.hint) board.hint(frame.line ? frame.line.slice(0, 1) : []);
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

function listen() {
  byId('first').addEventListener('click', () => step(-frames.length));
  byId('back').addEventListener('click', () => step(-1));
  byId('forward').addEventListener('click', () => step(1));
  byId('last').addEventListener('click', () => step(frames.length));
  byId('play').addEventListener('click', playOrPause);
  byId('slider').addEventListener('input', event => { pause(); show(Number(event.target.value)); });
  byId('flip').addEventListener('click', () => {
    turnBoard(!document.body.classList.contains('flipped'));
    draw(false);
  });
  byId('letters').addEventListener('click', turnLetters);
  // A tap on the right half of the board steps forward, on the left half back.
  byId('board').addEventListener('click', event => {
    const box = byId('board').getBoundingClientRect();
    step(event.clientX < box.left + box.width / 2 ? -1 : 1);
  });
  followCurve(() => frames, show);
  onKeys({
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-frames.length), End: () => step(frames.length),
    PageUp: () => step(-10), PageDown: () => step(10), ' ': playOrPause,
  }, event => event.key === ' ' && event.target.closest && event.target.closest('button'));
  addEventListener('hashchange', showHash);
}

/** Shows the position after the move in the address, e.g. page.html#17. */
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
  document.body.classList.toggle('scored', frames.some(frame => frame.view));
  moveCursor = drawCurve(frames, game.base);
  drawLegend();
  listen();
  showHash();
}
begin();
