/*
 * The game as a tree: a node is a position, its children are the moves made there, the first one the main
 * line. Positions are asked for when they are needed.
 */
let lastId = 0;
let start = null;
let names = [null, null];
let root = makeNode(null, null);
let current = root;

function makeNode(parent, text) {
  return { id: lastId++, parent, text, children: [], scene: null, note: null, result: null, spent: [0, 0] };
}
const pathTo = node => node ? [...pathTo(node.parent), node] : [];
const movesTo = node => pathTo(node).slice(1).map(step => step.text);
const recordOf = node => ({ game: page.game, start, moves: movesTo(node), players: names });
/** The node and what follows it in its main line. */
function lineFrom(node) {
  const line = [node];
  while (line[line.length - 1].children.length) line.push(line[line.length - 1].children[0]);
  return line;
}
/** The line that runs through a node: what led to it and what follows it. */
const lineThrough = node => [...pathTo(node).slice(0, -1), ...lineFrom(node)];
/** What is drawn of a node: its position, and what an analysis said of it. */
const frameOf = node => ({ ...node.scene, ...node.note });

/** A move that may be made at a node, as its players write it. */
const writtenAt = (node, text) => (node.scene.moves.find(move => move.text === text) || {}).written || text;

/** Asks for the positions of a path that are not known yet. */
async function load(node) {
  const path = pathTo(node);
  const from = path.findIndex(step => !step.scene);
  if (from < 0) return;
  const { scenes } = await askJson('scenes', { record: recordOf(node), from });
  scenes.forEach((scene, index) => { path[from + index].scene = scene; });
}

/** The child of a node by this move, made and known to be legal. */
async function childBy(node, text) {
  const known = node.children.find(child => child.text === text || (child.scene && child.scene.written === text));
  if (known) return known;
  const child = makeNode(node, text);
  await load(child);
  if (child.scene.begins) throw new Error('A start position begins a new game: choose it there.');
  // One text for a move that may be written in several ways.
  child.text = child.scene.text || text;
  // Another way may have come here meanwhile.
  const same = node.children.find(other => other.text === child.text);
  if (same) return same;
  node.children.push(child);
  return child;
}

/** Begins a new tree, from a position if one is given. */
function plant(position) {
  start = position || null;
  names = [null, null];
  root = makeNode(null, null);
  current = root;
}

/** Adds a line of moves below the root, as the main line, without asking for positions. */
function addLine(moves) {
  let node = root;
  for (const text of moves) {
    const child = makeNode(node, text);
    node.children.push(child);
    node = child;
  }
  return node;
}

/** The tree as a text: moves, with variations in brackets before the move that was made instead. */
function treeText(node) {
  if (!node.children.length) return '';
  const [main, ...others] = node.children;
  const variations = others.map(other => `(${[other.text, treeText(other)].filter(Boolean).join(' ')})`);
  return [...variations, main.text, treeText(main)].filter(Boolean).join(' ');
}

/** Reads the text of a tree below a node. */
function readTree(node, text) {
  const words = text.match(/[()]|[^()\s]+/g) || [];
  const readLine = (from, at) => {
    let here = from;
    while (at < words.length && words[at] !== ')') {
      const others = [];
      while (words[at] === '(') {
        const branch = makeNode(null, null);
        at = readLine(branch, at + 1) + 1;
        others.push(...branch.children);
      }
      if (at >= words.length || words[at] === ')') break;
      const child = makeNode(here, words[at++]);
      others.forEach(other => { other.parent = here; });
      here.children = [child, ...others];
      here = child;
    }
    return at;
  };
  readLine(node, 0);
}

/** Takes a node and all that follows it out of the tree. */
function cut(node) {
  node.parent.children = node.parent.children.filter(child => child !== node);
}

/** Makes the line to a node the main line. */
function promote(node) {
  for (let step = node; step.parent; step = step.parent) {
    const { children } = step.parent;
    step.parent.children = [step, ...children.filter(child => child !== step)];
  }
}
