/* What is shown, and what the tools and keys do. */
const TOOLS = ['play', 'analyse', 'import', 'share', 'edit'].filter(id => byId(id));

/** The frame on the board: of the position being built, else of the present node with a setup in the making. */
function shownFrame() {
  if (editing) return { ...editing.frame, isBuilt: true };
  const frame = frameOf(current);
  if (!isArranging() || !arrangement) return frame;
  return { ...frame, arranged: Object.fromEntries(current.scene.setup.spots.map((id, index) => [id, arrangement.letters[index]])) };
}

function draw(glide) {
  if (!current.scene) return;
  drawSetup();
  chooser = editing ? building : isArranging() ? arranging : playing;
  const frame = shownFrame();
  drawPosition(frame, glide);
  drawSpots(frame);
  drawHints();
  drawStatus();
}

function drawStatus() {
  const thinks = match.thinking ? ' – cupbot thinks …' : '';
  const text = editing ? 'Building a position' : current.result || (current.scene && current.scene.status) || '';
  byId('status').replaceChildren(text + thinks, hintText ? html('span', { class: 'soft' }, ` ${hintText}`) : '');
}

/** Everything beside the board. */
function refresh() {
  draw(false);
  drawList();
  drawCurveOfLine();
  drawMeter(live.message && live.message.finding && live.message.finding.lines[0]);
  tick();
  const line = lineThrough(current), index = line.indexOf(current);
  byId('first').disabled = byId('back').disabled = index === 0;
  byId('forward').disabled = byId('last').disabled = index === line.length - 1;
  byId('undo').disabled = !current.parent && !match.live.parent;
  byId('hint').disabled = isOver(current) || Boolean(match.thinking);
  byId('go').disabled = isOver(current);
  byId('go').textContent = match.thinking ? 'Stop' : 'Cupbot moves';
  byId('resign').disabled = !match.isOn || isOver(match.live);
  byId('review').textContent = reviewing ? 'Stop' : 'Analyse the game';
  byId('branch').hidden = !pathTo(current).some(node => node.parent && node.parent.children[0] !== node);
  saveState();
  attempt(drawShared);
}

/** Shows a node of the tree. */
async function show(node, glide) {
  current = node;
  picked = [];
  hinted = [];
  hintText = '';
  if (!node.scene) {
    await attempt(() => load(node));
    if (current !== node) return;
    if (!node.scene) {
      if (node.parent) { cut(node); await show(node.parent); }
      return;
    }
  }
  draw(glide);
  refresh();
  followLive();
}

function chooseTab(chosen) {
  for (const id of TOOLS) {
    const isChosen = id === chosen;
    byId(id).hidden = !isChosen;
    const tab = byId('tab-' + id);
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
  }
  if (chosen === 'edit') startEditing();
  else stopEditing();
  attempt(drawShared);
}

function listenToTabs() {
  for (const id of TOOLS) byId('tab-' + id).addEventListener('click', () => chooseTab(id));
  document.querySelector('.tabs').addEventListener('keydown', event => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const index = TOOLS.findIndex(id => !byId(id).hidden);
    const next = TOOLS[(index + by + TOOLS.length) % TOOLS.length];
    chooseTab(next);
    byId('tab-' + next).focus();
  });
}

function flip() {
  if (!board.flip) return;
  turnBoard(!document.body.classList.contains('flipped'));
  draw(false);
  saveState();
}

const isTyping = event => {
  const target = event.target.closest ? event.target : document.body;
  if (document.querySelector('dialog[open]')) return true;
  if (target.closest('input, textarea, select, [role=tablist]')) return true;
  return target.closest('#board') !== null && event.key.startsWith('Arrow');
};

function listenToKeys() {
  const letters = { f: flip, h: hint, m: goOn, n: newGame, a: () => { chooseTab('analyse'); setLive(!live.isOn); }, l: () => { if (board.hasLetters) turnLetters(); } };
  const keys = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity),
    Backspace: takeBack, '/': () => byId('move').focus(), '?': () => byId('help').showModal(),
  };
  for (const [letter, action] of Object.entries(letters)) keys[letter] = keys[letter.toUpperCase()] = action;
  onKeys(keys, isTyping);
}

async function begin() {
  board.begin();
  byId('letters').hidden = !board.hasLetters;
  byId('flip').hidden = !board.flip;
  byId('legend').append(...(board.legend ? board.legend() : []));
  byId('flip').addEventListener('click', flip);
  byId('letters').addEventListener('click', turnLetters);
  byId('help-button').addEventListener('click', () => byId('help').showModal());
  byId('game').addEventListener('change', event => location.assign('/' + event.target.value));
  [listenToSpots, listenToMoves, listenToPlay, listenToAnalysis, listenToShare, listenToEditor, listenToTabs, listenToKeys].forEach(listen => listen());
  await restoreState();
  addEventListener('hashchange', () => { stopThinking(); restoreState(); });
  const waiting = sessionStorage.getItem(IMPORT_KEY);
  if (waiting) {
    sessionStorage.removeItem(IMPORT_KEY);
    await openGame(JSON.parse(waiting));
  }
  document.body.dataset.ready = 'true';
}
begin();
