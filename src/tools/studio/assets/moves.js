/* The list of moves, with variations, and the steps through it. */

function drawList() {
  const list = byId('list');
  const setupsFirst = start ? 'position' : 'start';
  const first = html('div', {}, html('span', { class: 'number' }), html('button', { class: 'start', 'data-node': root.id }, setupsFirst));
  list.replaceChildren(first);
  drawLine(list, root);
  const end = lineFrom(root).pop();
  const text = end.result || (end.scene && end.scene.end && end.scene.status);
  if (text) list.append(html('span', { class: 'result' }, text));
  chooseButton(list, list.querySelector(`[data-node="${current.id}"]`));
}

const plyOf = node => node.scene ? node.scene.ply : (root.scene ? root.scene.ply : 0) + movesTo(node).length;
const moverOf = node => node.scene && node.scene.mover !== undefined ? node.scene.mover : (plyOf(node) + 1) % 2;
const shownIn = node => ({ ...frameOf(node), move: (node.scene && node.scene.written) || node.text });
/** The number of a row of the list. */
const rowOf = node => board.row && node.scene ? board.row(node.scene) : moverOf(node) === 0 ? plyOf(node) : plyOf(node) - 1;

function buttonOf(node) {
  return moveButton(shownIn(node), { 'data-node': node.id, class: node.text.length > 6 ? 'arranged' : '' });
}

/** Below a node its main line in two columns, variations between the rows. */
function drawLine(list, node) {
  let row = null;
  while (node.children.length) {
    const [main, ...others] = node.children;
    const mover = moverOf(main);
    if (mover === 0 || !row) {
      row = html('div', {}, html('span', { class: 'number' }, String(rowOf(main))));
      if (mover !== 0) row.append(html('span'));
      list.append(row);
    }
    row.append(buttonOf(main));
    if (others.length) {
      for (const other of others) list.append(html('span', { class: 'variation' }, ...variation(other)));
      row = null;
    }
    node = main;
  }
}

/** A variation in a line of text. */
function variation(node) {
  const number = board.number && node.scene ? board.number(node.scene) : `${plyOf(node)}.`;
  const parts = [number + ' ', buttonOf(node)];
  for (const child of node.children.slice(1)) parts.push(' (', ...variation(child), ') ');
  if (node.children.length) parts.push(...variation(node.children[0]));
  return parts;
}

function nodeById(id, node = root) {
  if (node.id === id) return node;
  for (const child of node.children) {
    const found = nodeById(id, child);
    if (found) return found;
  }
  return null;
}

/** Goes along the line through the present node. */
function step(by) {
  const line = lineThrough(current);
  const index = line.indexOf(current);
  show(line[Math.max(0, Math.min(line.length - 1, index + by))], by === 1);
}

function listenToMoves() {
  byId('list').addEventListener('click', event => {
    const button = event.target.closest('[data-node]');
    const node = button && nodeById(Number(button.dataset.node));
    if (node) show(node);
  });
  byId('first').addEventListener('click', () => step(-Infinity));
  byId('back').addEventListener('click', () => step(-1));
  byId('forward').addEventListener('click', () => step(1));
  byId('last').addEventListener('click', () => step(Infinity));
  byId('promote').addEventListener('click', () => { promote(current); refresh(); });
  byId('cut').addEventListener('click', () => {
    const node = current;
    if (!node.parent) return;
    if (pathTo(match.live).includes(node)) match.live = node.parent;
    cut(node);
    show(node.parent);
  });
}
