/* Building a position piece by piece. */
const ERASER = '';
/** The position in the making with what is drawn of it; null while none is built. */
let editing = null;
let brush = ERASER;

/** A click puts the piece of the brush somewhere, one more into a hand, or takes one away. */
const building = {
  starts: () => false,
  ends: () => true,
  choose(id) {
    const isErased = brush === ERASER;
    edit({ spot: id, piece: isErased ? null : spots.has(id) ? brush : id });
  },
  marks: () => '',
};

/** Sends a change and draws the position after it. */
async function edit(change) {
  const changed = await attempt(() => askJson('edit', { game: page.game, position: editing.position, ...change }));
  if (!changed || !editing) return;
  editing = changed;
  byId('position').value = changed.position;
  byId('edit-fault').textContent = changed.fault ? `Not yet a position: ${changed.fault}` : 'A position to begin from.';
  byId('edit-use').disabled = Boolean(changed.fault);
  draw(false);
}

function startEditing() {
  if (!page.editor || editing) return;
  stopThinking();
  pauseLive();
  editing = { position: (current.scene && current.scene.position) || page.editor.empty, frame: current.scene };
  picked = [];
  edit({});
}

function stopEditing() {
  if (!editing) return;
  editing = null;
  picked = [];
  draw(false);
  followLive();
}

async function useEdited() {
  if (!editing || editing.fault) return;
  const { position } = editing;
  editing = null;
  clearReview();
  keepState();
  plant(position);
  Object.assign(match, { live: root, isOn: false });
  setSeats(['you', 'you']);
  chooseTab('play');
  await show(root);
}

function drawPalette() {
  const pieces = [...page.editor.palette, [ERASER, 'eraser']];
  byId('palette').replaceChildren(...pieces.map(([piece, name]) => {
    const button = html('button', { role: 'radio', 'aria-checked': String(piece === brush), 'aria-label': name, title: name, 'data-brush': piece });
    button.append(piece && board.icon ? board.icon(piece) : '⌫');
    return button;
  }));
}

function listenToEditor() {
  if (!page.editor) return;
  brush = page.editor.palette[0][0];
  byId('position-form').textContent = page.editor.form;
  drawPalette();
  byId('palette').addEventListener('click', event => {
    const button = event.target.closest('[data-brush]');
    if (!button) return;
    brush = button.dataset.brush;
    drawPalette();
    draw(false);
  });
  byId('edit-turn').addEventListener('click', () => edit({ turn: true }));
  byId('edit-clear').addEventListener('click', () => { editing.position = page.editor.empty; edit({}); });
  byId('position').addEventListener('change', event => { editing = { ...editing, position: event.target.value.trim() }; edit({}); });
  byId('edit-use').addEventListener('click', useEdited);
  byId('edit-leave').addEventListener('click', () => chooseTab('play'));
}
