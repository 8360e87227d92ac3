/*
 * Picking places on the board and pieces in hand, by mouse, touch and keys. What the picks mean a chooser
 * says:
 *   starts(id)  may something be lifted here?
 *   ends(id)    does this place go on with what is picked?
 *   choose(id)  picks the place
 *   marks(id)   the class of a place that goes on with what is picked
 */
const DRAG_FROM = 7;
const SWIPE_FROM = 30;
let chooser = null;
let picked = [];
let spots = new Map();
let place = null;
let gesture = null;
const layer = {};

function drawSpots(frame) {
  if (!layer.spots) {
    layer.marks = svg('g', { 'pointer-events': 'none' });
    layer.spots = svg('g');
  }
  spots = new Map((board.spots ? board.spots(frame) : []).map(spot => [spot.id, spot]));
  layer.spots.replaceChildren(...[...spots.values()].map(({ id, label, shape }) => {
    shape.classList.add('spot');
    shape.dataset.spot = id;
    shape.append(svg('title', {}, label));
    return shape;
  }));
  byId('board').append(layer.marks, layer.spots);
  drawPicks();
}

/** Shows what is picked, where it may go, and how the pieces leap. */
function drawPicks(hovered) {
  const marks = [];
  const at = (id, attributes) => { const spot = spots.get(id); if (spot) marks.push(svg('circle', { cx: spot.x, cy: spot.y, ...attributes })); };
  const shown = hovered || (document.activeElement === byId('board') ? place : null);
  const reach = shownFrame().reach || {};
  if (!picked.length && shown && reach[shown]) reach[shown].forEach(id => at(id, { r: 34, class: 'reach', 'data-reach': id }));
  for (const id of picked) at(id, { r: 44, class: 'picked-mark' });
  for (const [id, spot] of spots) {
    const isEnd = chooser.ends(id);
    spot.shape.classList.toggle('source', !isEnd && chooser.starts(id));
    spot.shape.classList.toggle('open', isEnd);
    if (isEnd && picked.length) at(id, { r: spot.taken ? 42 : 15, class: `target ${chooser.marks(id)} ${spot.taken ? 'taken' : ''}`, 'data-target': id });
  }
  if (place) at(place, { r: 47, class: 'place-mark', 'data-place': place });
  layer.marks.replaceChildren(...marks);
  drawHints();
  for (const held of document.querySelectorAll('.extra [data-spot]')) {
    const id = held.dataset.spot;
    const isSource = chooser.starts(id) || chooser.ends(id);
    held.classList.toggle('source', isSource);
    held.classList.toggle('picked', picked.includes(id));
    held.tabIndex = isSource ? 0 : -1;
    held.setAttribute('role', 'button');
    held.setAttribute('aria-pressed', String(picked.includes(id)));
  }
}

function clearPicks() {
  picked = [];
  drawPicks();
}

/** A place is picked: to go on with what is picked, or to begin. */
function pick(id) {
  if (chooser.ends(id)) chooser.choose(id);
  else if (chooser.starts(id) && !picked.includes(id)) picked = [id];
  else picked = [];
  drawPicks();
}

const spotAt = (x, y) => {
  const element = document.elementFromPoint(x, y);
  const spot = element && element.closest && element.closest('[data-spot]');
  return spot ? spot.dataset.spot : null;
};

function press(event) {
  if (event.button || !event.isPrimary) return;
  const element = event.target.closest('[data-spot]');
  const id = element ? element.dataset.spot : null;
  gesture = { id, x: event.clientX, y: event.clientY, isDrag: false, wasPicked: picked.includes(id), pointer: event.pointerId };
  if (id && !chooser.ends(id) && chooser.starts(id)) picked = [id];
  drawPicks();
}

function moveGesture(event) {
  if (!gesture || event.pointerId !== gesture.pointer) return;
  const far = Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y);
  if (!gesture.isDrag && far > DRAG_FROM && gesture.id && picked[picked.length - 1] === gesture.id) {
    gesture.isDrag = true;
    const drawn = board.ghost && board.ghost(shownFrame(), gesture.id);
    gesture.ghost = html('div', { id: 'ghost' }, ...(drawn ? [drawn] : []));
    document.body.append(gesture.ghost);
    document.body.classList.add('dragging');
    const lifted = byId('board').querySelector(`[data-square="${gesture.id}"]`);
    if (lifted) lifted.classList.add('lifted');
  }
  if (gesture.ghost) {
    gesture.ghost.style.left = event.clientX + 'px';
    gesture.ghost.style.top = event.clientY + 'px';
  }
}

function release(event) {
  if (!gesture || event.pointerId !== gesture.pointer) return;
  const { id, x, y, isDrag, wasPicked } = gesture;
  endGesture();
  const dropped = spotAt(event.clientX, event.clientY);
  if (isDrag) {
    if (dropped && dropped !== id && chooser.ends(dropped)) chooser.choose(dropped);
    else picked = [];
    drawPicks();
    return;
  }
  const swiped = swipe(event.clientX - x, event.clientY - y);
  if (swiped && chooser.ends(swiped)) chooser.choose(swiped);
  else if (wasPicked) picked = [];
  else if (id && dropped === id && chooser.ends(id)) chooser.choose(id);
  else if (!id || !picked.includes(id)) picked = [];
  drawPicks();
}

/** The place that a swipe stands for, if it does for one. */
function swipe(x, y) {
  if (!board.keys || Math.max(Math.abs(x), Math.abs(y)) < SWIPE_FROM) return null;
  if (Math.abs(x) > Math.abs(y)) return board.keys[x > 0 ? 'ArrowRight' : 'ArrowLeft'];
  return board.keys[y > 0 ? 'ArrowDown' : 'ArrowUp'];
}

function endGesture() {
  if (gesture && gesture.ghost) gesture.ghost.remove();
  document.body.classList.remove('dragging');
  document.querySelectorAll('.lifted').forEach(element => element.classList.remove('lifted'));
  gesture = null;
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The next place from here in a direction: near, and not far aside. */
function nextPlace(key) {
  const [dx, dy] = DIRECTIONS[key];
  const here = spots.get(place);
  let best = null, least = Infinity;
  for (const [id, spot] of spots) {
    if (spot.isPassing && !chooser.ends(id)) continue;
    const along = (spot.x - here.x) * dx + (spot.y - here.y) * dy;
    const aside = Math.abs((spot.x - here.x) * dy) + Math.abs((spot.y - here.y) * dx);
    const cost = along + 2.5 * aside;
    if (along > 1 && cost < least) { best = id; least = cost; }
  }
  return best || place;
}

function onBoardKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !spots.size) return;
  const direct = board.keys && board.keys[event.key];
  if (direct && chooser.ends(direct)) {
    chooser.choose(direct);
  } else if (DIRECTIONS[event.key]) {
    place = spots.has(place) ? nextPlace(event.key) : spots.keys().next().value;
    const spot = spots.get(place);
    byId('spot').textContent = spot.label + (chooser.ends(place) && picked.length ? ', may go here' : chooser.starts(place) ? ', may be moved' : '');
  } else if ((event.key === 'Enter' || event.key === ' ') && place) {
    pick(place);
  } else if (event.key === 'Escape' && picked.length) {
    picked = [];
  } else {
    return;
  }
  event.preventDefault();
  drawPicks();
}

function listenToSpots() {
  const table = document.querySelector('.place-of-board');
  table.addEventListener('pointerdown', event => { if (event.target.closest('#board, .extra')) press(event); });
  document.addEventListener('pointermove', moveGesture);
  document.addEventListener('pointerup', release);
  document.addEventListener('pointercancel', () => { endGesture(); clearPicks(); });
  byId('board').addEventListener('pointerover', event => {
    const spot = event.target.closest('[data-spot]');
    if (event.pointerType === 'mouse' && !gesture) drawPicks(spot && spot.dataset.spot);
  });
  byId('board').addEventListener('pointerleave', () => drawPicks());
  byId('board').addEventListener('keydown', onBoardKey);
  byId('board').addEventListener('focus', () => drawPicks());
  byId('board').addEventListener('blur', () => drawPicks());
  table.addEventListener('keydown', event => {
    const held = event.target.closest('.extra [data-spot]');
    if (!held || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    pick(held.dataset.spot);
    byId('board').focus();
  });
}
