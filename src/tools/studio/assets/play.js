/* A match at this board: who sits where, clocks, setups, and cupbot's moves. */
const TICK_MS = 200;
const HINT_LEVEL = { by: 'move', ms: 1000 };
/** Shorter games limit cupbot alone: no person plays so fast. */
const LEAST_GAME_MS = 60000;
const match = {
  /** The node at which the match stands, and whether it goes on. */
  live: root, isOn: true,
  seats: ['you', 'cupbot'],
  /** Called off to stop cupbot's thinking. */
  thinking: null,
  /** When the side to move began to think. */
  since: performance.now(),
};
let hinted = [];
let hintText = '';
/** A setup in the making: of which node, and its letters. */
let arrangement = null;

const turnOf = node => node.scene ? node.scene.turn : undefined;
const isOver = node => Boolean(node.result || (node.scene && node.scene.end));
const isCupbots = node => match.seats[turnOf(node)] === 'cupbot';
const level = () => page.levels[Number(byId('level').value)];

/** May a person move here now? */
function mayMove() {
  if (!current.scene || isOver(current) || (match.thinking && match.live === current)) return false;
  return !(match.isOn && current === match.live && isCupbots(current));
}

const playing = {
  moves: prefix => (mayMove() ? current.scene.moves : []).filter(move => prefix.every((id, index) => move.spots[index] === id)),
  starts: id => playing.moves([id]).some(move => move.spots.length > 1),
  ends: id => playing.moves([...picked, id]).some(move => picked.length > 0 || move.spots.length === 1),
  choose(id) {
    const path = [...picked, id];
    const move = playing.moves(path).find(found => found.spots.length === path.length);
    if (move) makeMove(move.text + markWanted());
    else picked = path;
  },
  marks: id => playing.moves([...picked, id]).every(move => move.is_risky) ? 'risky' : '',
};

const arranging = {
  starts: id => current.scene.setup.spots.includes(id),
  ends: id => picked.length === 1 && id !== picked[0] && arranging.starts(id),
  choose(id) {
    const { spots: places } = current.scene.setup;
    const [one, other] = [places.indexOf(picked[0]), places.indexOf(id)];
    const { letters } = arrangement;
    [letters[one], letters[other]] = [letters[other], letters[one]];
    picked = [];
    draw(false);
  },
  marks: () => '',
};

const isArranging = () => Boolean(current.scene && current.scene.setup && mayMove());

/** The mark that is to stand behind the next move. */
function markWanted() {
  const box = byId('mark');
  if (!box || !box.checked) return '';
  box.checked = false;
  return page.mark.sign;
}

/** Charges the time of a move that was made in the match. */
function charge(from, moved) {
  const now = performance.now();
  moved.spent = [...from.spent];
  moved.spent[turnOf(from)] += now - match.since;
  match.since = now;
}

/** A person's move. */
async function makeMove(text) {
  const from = current;
  picked = [];
  const moved = await attempt(() => childBy(from, text));
  if (!moved) { refresh(); return false; }
  if (match.isOn) {
    stopThinking();
    charge(from, moved);
    match.live = moved;
  }
  await show(moved, true);
  reply();
  return true;
}

/** Cupbot's turn, if it is. */
function reply() {
  if (match.isOn && !match.thinking && match.live.scene && !isOver(match.live) && isCupbots(match.live)) cupbotMoves(match.live);
}

function stopThinking() {
  if (!match.thinking) return;
  match.thinking.abort();
  match.thinking = null;
}

function levelAt(node) {
  const asked = level();
  return asked.by === 'game' ? { ...asked, spent: Math.round(node.spent[turnOf(node)]) } : asked;
}

async function cupbotMoves(node) {
  stopThinking();
  pauseLive();
  const control = new AbortController();
  match.thinking = control;
  refresh();
  const asked = { record: recordOf(node), level: levelAt(node) };
  const answer = await attempt(async () => (await inSession('answer', asked, control.signal)).json());
  if (match.thinking !== control) return;
  const moved = answer && await attempt(() => childBy(node, answer.text));
  if (match.thinking !== control) return;
  match.thinking = null;
  if (!moved) {
    match.isOn = false;
    refresh();
    return;
  }
  if (match.live === node) {
    charge(node, moved);
    match.live = moved;
  }
  if (current === node) await show(moved, true);
  else refresh();
  reply();
}

/** The position of the number that was chosen to begin from; null for the usual beginning. */
async function startWanted() {
  const field = byId('start-number');
  if (!field || field.value.trim() === '') return null;
  return (await askJson('edit', { game: page.game, position: field.value.trim() })).position;
}

/** A new game from the beginning. */
async function newGame() {
  const position = await attempt(startWanted);
  if (position === undefined) return;
  stopThinking();
  clearReview();
  keepState();
  plant(position);
  Object.assign(match, { live: root, isOn: true, since: performance.now() });
  await show(root);
  reply();
}

/** Back to where a person was to move last. */
function takeBack() {
  stopThinking();
  let node = match.isOn && pathTo(match.live).includes(current) ? match.live : current;
  if (!node.parent) return;
  do {
    const parent = node.parent;
    cut(node);
    node = parent;
  } while (node.parent && match.isOn && isCupbots(node) && match.seats.includes('you'));
  node.result = null;
  Object.assign(match, { live: node, since: performance.now() });
  show(node);
}

async function hint() {
  if (!current.scene || isOver(current) || match.thinking) return;
  const node = current;
  const control = new AbortController();
  match.thinking = control;
  pauseLive();
  refresh();
  const asked = { record: recordOf(node), level: HINT_LEVEL };
  const answer = await attempt(async () => (await inSession('answer', asked, control.signal)).json());
  if (match.thinking !== control) return;
  match.thinking = null;
  if (answer && current === node) {
    if (isArranging()) arrangement.letters = [...answer.text];
    else hinted = [answer.text];
    hintText = `Hint: ${writtenAt(node, answer.text)}`;
  }
  draw(false);
  followLive();
}

function resign() {
  if (!match.isOn || isOver(match.live)) return;
  stopThinking();
  const turn = turnOf(match.live);
  const loser = match.seats[turn] === 'you' ? turn : 1 - turn;
  finish(page.isTeam ? 'The game is given up' : `${page.sides[loser]} resigns, ${page.sides[1 - loser]} wins`);
}

function finish(text) {
  match.live.result = text;
  match.isOn = false;
  stopThinking();
  refresh();
}

/** Shows the clocks: what is left of the game's time, or what was used. */
function tick() {
  const asked = level();
  const runs = match.isOn && match.live.scene && !isOver(match.live);
  const shown = match.isOn ? match.live : current;
  SIDES.forEach((_, side) => {
    let ms = shown.spent[side];
    if (runs && turnOf(match.live) === side) ms += performance.now() - match.since;
    const isLimited = asked.by === 'game' && (asked.ms >= LEAST_GAME_MS || match.seats[side] === 'cupbot');
    const left = isLimited ? Math.max(0, asked.ms - ms) : ms;
    const clock = byId('side-' + side).querySelector('.clock');
    clock.textContent = timeText(left);
    clock.title = isLimited ? 'time left' : 'time used';
    if (runs && isLimited && left === 0 && turnOf(match.live) === side) {
      finish(page.isTeam ? `The time of ${page.sides[side]} is over` : `The time of ${page.sides[side]} is over, ${page.sides[1 - side]} wins`);
    }
  });
}
function timeText(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Keeps the setup in the making, and offers good ones. */
function drawSetup() {
  const isDue = isArranging();
  byId('setup').hidden = !isDue;
  if (!isDue) { arrangement = null; return; }
  const { good } = current.scene.setup;
  if (!arrangement || arrangement.node !== current) {
    arrangement = { node: current, letters: [...good[0][1]] };
    byId('good').replaceChildren(...good.map(([name, letters]) => html('option', { value: letters }, `${name}: ${letters}`)));
  }
}

function takeSeats() {
  match.seats = [0, 1].map(side => byId('seat-' + side).value);
  drawNames();
  stopThinking();
  // The person's side is at the bottom.
  if (board.flip && new Set(match.seats).size === 2) turnBoard(match.seats[1] === 'you');
  if (!match.isOn && match.seats.includes('cupbot') && !isOver(current)) Object.assign(match, { isOn: true, live: current, since: performance.now() });
  refresh();
  followLive();
  reply();
}

function setSeats(seats) {
  match.seats = seats;
  seats.forEach((seat, side) => { byId('seat-' + side).value = seat; });
  drawNames();
}

function drawNames() {
  SIDES.forEach((_, side) => {
    const who = names[side] || match.seats[side];
    byId('side-' + side).querySelector('.name').textContent = `${page.sides[side]}: ${who}`;
  });
}

function listenToPlay() {
  byId('new').addEventListener('click', newGame);
  if (byId('start-number')) byId('start-random').addEventListener('click', () => {
    byId('start-number').value = Math.floor(Math.random() * page.editor.numbered);
    newGame();
  });
  byId('undo').addEventListener('click', takeBack);
  byId('hint').addEventListener('click', hint);
  byId('go').addEventListener('click', goOn);
  byId('resign').addEventListener('click', resign);
  byId('set-up').addEventListener('click', () => { if (arrangement) makeMove(arrangement.letters.join('')); });
  byId('good').addEventListener('change', event => {
    if (arrangement) arrangement.letters = [...event.target.value];
    draw(false);
  });
  [0, 1].forEach(side => byId('seat-' + side).addEventListener('change', takeSeats));
  byId('level').addEventListener('change', () => { tick(); saveState(); });
  byId('typed').addEventListener('submit', async event => {
    event.preventDefault();
    const field = byId('move');
    const text = field.value.trim();
    if (text && mayMove() && await makeMove(text + markWanted())) field.value = '';
    else if (text && !mayMove()) say(isOver(current) ? 'The game is over here.' : 'Cupbot is to move.');
  });
  setInterval(tick, TICK_MS);
}

/** Cupbot moves for whoever is to move; while it thinks, it is stopped. */
function goOn() {
  if (match.thinking) {
    stopThinking();
    match.isOn = false;
    refresh();
    followLive();
    return;
  }
  if (!current.scene || isOver(current)) return;
  if (match.isOn) match.live = current;
  cupbotMoves(current);
}
