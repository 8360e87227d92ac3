/* The game tree: nodes, text formats and changes. Nothing here draws. */
let lastId = 0;

/** @param {TreeNode | null} parent @param {string} text @returns {TreeNode} */
export function makeNode(parent, text) {
  return { id: lastId++, parent, text, children: [], scene: null, note: null, found: null, shapes: [], comment: '', commands: '', glyphs: [], spent: [0, 0] };
}

/** Creates a game without moves, from a position if one is given. @param {string | null} [start] @returns {Game} */
export function makeGame(start) {
  const id = Date.now().toString(36) + Math.floor(Math.random() * 1296).toString(36).padStart(2, '0');
  return { id, start: start || null, root: makeNode(null, ''), names: [null, null], result: null, tags: [], notes: null };
}

/** Returns the nodes from the root to a node. @param {TreeNode | null} node @returns {TreeNode[]} */
export function pathTo(node) {
  const path = [];
  for (let step = node; step; step = step.parent) path.push(step);
  return path.reverse();
}
/** @param {TreeNode} node */
export const movesTo = node => pathTo(node).slice(1).map(step => step.text);

/** Returns the node and its main line. @param {TreeNode} node */
function lineFrom(node) {
  const line = [node];
  while (line[line.length - 1].children.length) line.push(line[line.length - 1].children[0]);
  return line;
}
/** Returns the line through a node: its ancestors, the node and its main line. @param {TreeNode} node */
export const lineThrough = node => [...pathTo(node).slice(0, -1), ...lineFrom(node)];
/** @param {TreeNode} node */
export const endOf = node => /** @type {TreeNode} */ (lineFrom(node).at(-1));
/** Returns the root and all its descendants. @param {TreeNode} root @returns {TreeNode[]} */
export function allNodes(root) {
  const found = [root];
  for (let index = 0; index < found.length; index++) found.push(...found[index].children);
  return found;
}

/** Returns the frame of a node: its position and the review's note. @param {TreeNode} node @returns {Frame} */
export const frameOf = node => ({ ...node.scene, ...node.note });
/** Returns a legal move of a node in the game's usual notation. @param {TreeNode} node @param {string} text */
export function writtenAt(node, text) {
  const found = node.scene && node.scene.moves.find(move => move.text === text);
  return (found && found.written) || text;
}
/** Returns the move that led to a node in the game's usual notation. @param {TreeNode} node */
export const writtenOf = node => (node.scene && node.scene.written) || node.text;

/** Adds moves below a node without loading their positions. @param {TreeNode} node @param {string[]} moves */
export function addLine(node, moves) {
  for (const text of moves) {
    const child = makeNode(node, text);
    node.children.push(child);
    node = child;
  }
  return node;
}

/** The glyphs after a move, by their PGN numbers. */
export const SYMBOLS = ['', '!', '?', '!!', '??', '!?', '?!'];
/** Colours of shapes by their PGN letters. @type {Record<string, string>} */
const COLOURS = { G: 'green', R: 'red', B: 'blue', Y: 'yellow' };
const SHAPES = /\[%c[as]l ((?:[GRBY](?:[a-h][1-8]){1,2},?)+)\]\s*/g;

/** Returns the PGN comment of a node, with commands and shapes. @param {TreeNode} node */
function wholeComment({ commands, shapes, comment }) {
  const text = (/** @type {Shape} */ { from, to, colour }) => colour[0].toUpperCase() + from + (from === to ? '' : to);
  const drawn = (/** @type {string} */ name, /** @type {boolean} */ isCircle) => {
    const some = shapes.filter(shape => (shape.from === shape.to) === isCircle).map(text);
    return some.length ? `[%${name} ${some.join()}]` : '';
  };
  return [commands, drawn('csl', true), drawn('cal', false), comment].filter(Boolean).join(' ').replace(/}/g, ')');
}

/** Adds a PGN comment to a node. @param {TreeNode} node @param {string} text */
function addComment(node, text) {
  let rest = text.replace(SHAPES, (_, /** @type {string} */ list) => {
    for (const [letter, ...spots] of list.split(',').filter(Boolean)) {
      const from = spots.slice(0, 2).join(''), to = spots.slice(2).join('') || from;
      node.shapes.push({ from, to, colour: COLOURS[letter] });
    }
    return '';
  });
  /** @type {string[]} */
  const commands = [];
  rest = rest.replace(/\[%\w+ [^\]]*\]\s*/g, command => { commands.push(command.trim()); return ''; });
  const score = rest.match(/^[-+]?(?:\d+\.\d+|[M#]-?\d+)(\/[^\s,;]*)?( [\d.]+m?s)?,?(?=\s|$)/);
  if (score && (score[1] || score[2] || score[0].endsWith(',') || score[0] === rest)) {
    commands.unshift(score[0]);
    rest = rest.slice(score[0].length);
  }
  node.commands = [node.commands, ...commands].filter(Boolean).join(' ');
  node.comment = [node.comment, rest.trim()].filter(Boolean).join(' ');
}

/** Returns the value of a PGN command at a node, e.g. `clk`. @param {TreeNode} node @param {string} name */
export const commandValue = ({ commands }, name) => (commands.match(new RegExp(`\\[%${name} ([^\\],]+)`)) || [])[1];

/** Returns the glyphs and the comment of a move in the text of a tree. @param {TreeNode} node */
const annotationTexts = node => [...node.glyphs.map(glyph => '$' + glyph), ...[wholeComment(node)].filter(Boolean).map(text => `{${text}}`)];

/**
 * Returns the tree as a text: moves, with each variation in brackets after the move it replaces. A whole text includes
 * glyphs and comments.
 * @param {TreeNode} node @param {boolean} [isWhole] @returns {string}
 */
export function treeText(node, isWhole) {
  const said = (/** @type {TreeNode} */ step) => isWhole ? annotationTexts(step) : [];
  const parts = node.parent ? [] : said(node);
  while (node.children.length) {
    const [main, ...others] = node.children;
    parts.push(...others.map(other => `(${[other.text, ...said(other), treeText(other, isWhole)].filter(Boolean).join(' ')})`), main.text, ...said(main));
    node = main;
  }
  return parts.join(' ');
}

/** Parses the text of a tree and adds it below a node. @param {TreeNode} node @param {string} text */
export function readTree(node, text) {
  const words = text.match(/\{[^}]*\}|[()]|[^(){}\s]+/g) || [];
  /** @param {TreeNode} from @param {number} at @returns {number} */
  const readLine = (from, at) => {
    let here = from;
    while (at < words.length && words[at] !== ')') {
      if (words[at][0] === '{') { addComment(here, words[at++].slice(1, -1)); continue; }
      if (words[at][0] === '$') { here.glyphs.push(Number(words[at++].slice(1))); continue; }
      /** @type {TreeNode[]} */
      const others = [];
      while (words[at] === '(') {
        const branch = makeNode(null, '');
        at = readLine(branch, at + 1) + 1;
        others.push(...branch.children);
      }
      if (at >= words.length || words[at] === ')') break;
      const child = makeNode(here, words[at++]);
      for (const other of others) other.parent = here;
      here.children = [child, ...others];
      here = child;
    }
    return at;
  };
  readLine(node, 0);
}

/** Returns the path to a node: indices of children, `x7` for seven moves of the main line. @param {TreeNode} node */
export function wayText(node) {
  const parts = [];
  let straight = 0;
  for (const step of pathTo(node).slice(1)) {
    const index = step.parent ? step.parent.children.indexOf(step) : 0;
    if (!index) { straight++; continue; }
    if (straight) parts.push('x' + straight);
    parts.push(String(index));
    straight = 0;
  }
  if (straight) parts.push('x' + straight);
  return parts.join('.');
}
/** @param {TreeNode} node @param {string | null} text */
export function nodeAt(node, text) {
  for (const part of (text || '').split('.').filter(Boolean)) {
    const isStraight = part[0] === 'x', times = isStraight ? Number(part.slice(1)) : 1;
    for (let count = 0; count < times && node.children.length; count++) node = node.children[isStraight ? 0 : Number(part)] || node.children[0];
  }
  return node;
}

/** Removes a node and its descendants from the tree. @param {TreeNode} node */
export function detach(node) {
  if (node.parent) node.parent.children = node.parent.children.filter(child => child !== node);
}
/** Makes the line to a node the main line. @param {TreeNode} node */
export function promote(node) {
  for (const step of pathTo(node)) {
    if (step.parent) step.parent.children = [step, ...step.parent.children.filter(child => child !== step)];
  }
}

/**
 * Returns the annotations of a line. `line` has the position before its first move, then one per move; moves before
 * number `from` have no variations here.
 * @param {TreeNode[]} line @param {number} [from] @returns {Annotations}
 */
export function annotationsOf(line, from = 1) {
  /** @type {{ comments: Record<number, string>, glyphs: Record<number, number[]>, variations: Variation[] }} */
  const found = { comments: {}, glyphs: {}, variations: [] };
  line.forEach((node, ply) => {
    const comment = wholeComment(node);
    if (comment && (ply || from === 1)) found.comments[ply] = comment;
    if (ply && node.glyphs.length) found.glyphs[ply] = node.glyphs;
    for (const other of ply && ply >= from && node.parent ? node.parent.children : []) {
      if (other === node) continue;
      const branch = lineFrom(other);
      found.variations.push({ ply, moves: branch.map(step => step.text), ...annotationsOf([line[ply - 1], ...branch], 2) });
    }
  });
  return found;
}

/** Adds annotations to the moves of a line; `line` has the position before its first move, then one per move. @param {TreeNode[]} line @param {Annotations} annotations */
export function annotate(line, { comments, glyphs, variations }) {
  const at = (/** @type {string | number} */ ply) => line[Math.min(Number(ply), line.length - 1)];
  for (const [ply, text] of Object.entries(comments || {})) addComment(at(ply), text);
  for (const [ply, numbers] of Object.entries(glyphs || {})) at(ply).glyphs = numbers;
  for (const variation of variations || []) {
    const before = at(variation.ply - 1), index = before.children.length;
    addLine(before, variation.moves);
    const { 0: first, ...rest } = variation.comments || {};
    const branch = [before, ...lineFrom(before.children[index])];
    if (first) addComment(branch[1], first);
    (variation.scenes || []).forEach((scene, at) => { branch[at + 1].scene = scene; });
    annotate(branch, { ...variation, comments: rest });
  }
}
