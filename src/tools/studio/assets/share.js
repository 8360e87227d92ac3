/* The state in the address, games read and written, the board as a picture. */
const IMPORT_KEY = 'cupbot-import';
const MAX_LISTED = 1000;
/** What a picture keeps of the style. */
const PAINT = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'font-size', 'font-weight', 'font-family', 'text-anchor', 'display', 'visibility', 'transform', 'color', 'paint-order'];

/** Keeps the state in the address, so that a reload or a link shows the same. */
function saveState() {
  const state = new URLSearchParams();
  const tree = treeText(root);
  if (start) state.set('start', start);
  if (tree) state.set('tree', tree);
  if (current !== root) state.set('at', pathTo(current).slice(1).map(node => node.parent.children.indexOf(node)).join('.').replace(/(?:^|\.)0(?:\.0)*(?=\.|$)/g, run => '.' + 'x' + run.match(/0/g).length).replace(/^\./, ''));
  if (document.body.classList.contains('flipped')) state.set('flip', '1');
  state.set('play', [...match.seats, byId('level').value, match.isOn ? 'on' : 'off'].join(','));
  history.replaceState(null, '', '#' + state);
  byId('link').value = location.href;
}

/** Makes the browser's way back lead to the present state, before a new one takes its place. */
const keepState = () => history.pushState(null, '', location.href);

/** The node that an address means: numbers of children, `x7` for seven times the main line. */
function nodeAt(text) {
  let node = root;
  for (const part of (text || '').split('.').filter(Boolean)) {
    const times = part[0] === 'x' ? Number(part.slice(1)) : 1;
    for (let count = 0; count < times && node.children.length; count++) node = node.children[part[0] === 'x' ? 0 : Number(part)] || node.children[0];
  }
  return node;
}

/** Takes the state of the address. */
async function restoreState() {
  const state = new URLSearchParams(location.hash.slice(1));
  const [first, second, chosen, isOn] = (state.get('play') || '').split(',');
  const isSeat = seat => seat === 'you' || seat === 'cupbot';
  setSeats(isSeat(first) && isSeat(second) ? [first, second] : ['you', 'cupbot']);
  byId('level').value = page.levels[Number(chosen)] ? Number(chosen) : 2;
  plant(state.get('start'));
  readTree(root, state.get('tree') || '');
  if (board.flip) turnBoard(state.get('flip') === '1');
  const end = lineFrom(root).pop();
  const isKnown = await attempt(async () => { await load(end); return true; });
  if (!isKnown) plant(null);
  Object.assign(match, { live: isKnown ? end : root, isOn: isOn !== 'off', since: performance.now() });
  await show(isKnown ? nodeAt(state.get('at')) : root);
  if (current === match.live) reply();
}

/** The record of the line that is shown, with the notes of its review. */
function recordShown() {
  const end = lineThrough(current).pop();
  const record = recordOf(end);
  return reviewed && reviewed.end === end ? { ...record, notes: reviewed.notes } : record;
}

function save(name, type, text) {
  const link = html('a', { href: URL.createObjectURL(new Blob([text], { type })), download: `${page.game}.${name}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const bare = record => ({ ...record, notes: undefined });

/** The board as a picture that needs no style of this page. */
function boardPicture() {
  const drawn = byId('board');
  const copy = drawn.cloneNode(true);
  const inline = (from, to) => {
    const style = getComputedStyle(from);
    for (const name of PAINT) {
      const value = style.getPropertyValue(name);
      if (value && !(name === 'transform' && (value === 'none' || from.hasAttribute('transform')))) to.style.setProperty(name, value);
    }
    for (let index = 0; index < from.children.length; index++) inline(from.children[index], to.children[index]);
  };
  inline(drawn, copy);
  copy.querySelectorAll('.spot, .place-mark, .reach, .target, .picked-mark').forEach(element => element.remove());
  const shapes = document.querySelector('body > svg defs');
  if (shapes) copy.prepend(shapes.cloneNode(true));
  const { width, height } = drawn.viewBox.baseVal;
  Object.entries({ xmlns: 'http://www.w3.org/2000/svg', width, height }).forEach(([name, value]) => copy.setAttribute(name, value));
  ['id', 'tabindex', 'aria-describedby', 'style'].forEach(name => copy.removeAttribute(name));
  copy.setAttribute('role', 'img');
  return new XMLSerializer().serializeToString(copy);
}

/** Opens a game that was read. */
async function openGame(record) {
  if (record.game !== page.game) {
    sessionStorage.setItem(IMPORT_KEY, JSON.stringify(record));
    location.assign('/' + record.game);
    return;
  }
  await attempt(async () => {
    // Nothing of the present game is lost if the other one can't be read.
    const probe = await askJson('scenes', { record: { ...record, notes: [], scores: {} }, from: 0 });
    stopThinking();
    clearReview();
    keepState();
    // What only names the position that the game begins with is no move.
    const { scenes } = probe, first = Math.max(0, scenes.findLastIndex(scene => scene.begins));
    plant(first ? scenes[first].position : record.start);
    names = record.players || [null, null];
    const end = addLine(record.moves.slice(first));
    pathTo(end).forEach((node, index) => {
      node.scene = scenes[first + index];
      node.text = (index && node.scene.text) || node.text;
    });
    Object.assign(match, { live: end, isOn: false });
    setSeats(['you', 'you']);
    if (record.outcome && !end.scene.end) end.result = `Recorded: ${record.outcome}`;
    if ((record.notes || []).length || Object.keys(record.scores || {}).length) {
      takeFrames(end, (await askJson('story', record)).frames);
      reviewed = (record.notes || []).length ? { end, notes: record.notes } : null;
    }
    await show(end);
    say(`A game of ${movesTo(end).length} moves is open.`, true);
  });
}

function listed(found) {
  const { record, line, count } = found;
  const players = (record.players || []).filter(Boolean).join(' – ');
  const facts = [found.title, record.outcome || 'open', `${count} moves`].join(', ');
  const button = html('button', { role: 'option' }, `${record.id || 'line ' + line} ${players} `, html('span', {}, facts));
  button.addEventListener('click', () => openGame(record));
  return button;
}

/** Reads games from a text: one is opened, of several a list is shown. */
async function readGames(text) {
  const list = await attempt(() => askJson('read', { text }));
  if (!list) return;
  const { games, faults } = list;
  const more_faults = faults.length + list.more_faults - 5;
  const more = games.length > MAX_LISTED ? [`only the first ${MAX_LISTED} of ${games.length} games are listed`] : [];
  byId('faults').textContent = [...more, ...faults.slice(0, 5), more_faults > 0 ? `and ${more_faults} more lines` : ''].filter(Boolean).join('; ');
  byId('games').replaceChildren(...(games.length > 1 ? games.slice(0, MAX_LISTED).map(listed) : []));
  if (games.length === 1) await openGame(games[0].record);
  else if (games.length) chooseTab('import');
  else say('There is no game in it.');
}

function listenToShare() {
  byId('read').addEventListener('click', () => readGames(byId('pasted').value));
  byId('pasted').addEventListener('paste', () => setTimeout(() => readGames(byId('pasted').value)));
  byId('file').addEventListener('change', async event => {
    const [file] = event.target.files;
    if (file) readGames(await file.text());
    event.target.value = '';
  });
  addEventListener('dragover', event => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    document.body.classList.add('drop-here');
  });
  addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('drop-here'); });
  addEventListener('drop', async event => {
    document.body.classList.remove('drop-here');
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    readGames(await file.text());
  });
  byId('copy').addEventListener('click', () => attempt(async () => {
    byId('link').select();
    await navigator.clipboard.writeText(location.href);
    say('The link is copied.', true);
  }));
  byId('link').addEventListener('focus', event => event.target.select());
  byId('save-text').addEventListener('click', () => attempt(async () => save('txt', 'text/plain', await (await ask('text', bare(recordShown()))).text())));
  byId('save-svg').addEventListener('click', () => save('svg', 'image/svg+xml', boardPicture()));
  byId('save-replay').addEventListener('click', () => attempt(async () => save('html', 'text/html', await (await ask('replay', recordShown())).text())));
}

/** Shows the game as a text while the tool is open. */
async function drawShared() {
  if (byId('share').hidden) return;
  const text = await (await ask('text', bare(recordShown()))).text().catch(() => '');
  byId('as-text').textContent = text;
}
