/* The move list with variations, comments and scores. */
import { endingOf, page, state } from '../state/state.js';
import { allNodes, commandValue, endOf, frameOf, movesTo, SYMBOLS, writtenOf } from '../state/tree.js';

/** @param {TreeNode} node */
const plyOf = node => node.scene ? node.scene.ply : (state.game.root.scene ? state.game.root.scene.ply : 0) + movesTo(node).length;
/** @param {TreeNode} node */
const moverOf = node => node.scene && node.scene.mover !== undefined ? node.scene.mover : (plyOf(node) + 1) % 2;
/** Returns the move number of a row. @param {TreeNode} node */
const rowOf = node => board.row && node.scene ? board.row(node.scene) : Math.ceil(plyOf(node) / 2);

/** Formats a score for the list. @param {string} score */
function shortScore(score) {
  const mate = score.match(/^(\S+) (?:mates|wins) in (\d+)$/);
  if (mate) return `#${mate[2]} ${mate[1][0]}`;
  if (/proved/.test(score)) return score.split(' ')[0][0] + ' wins';
  const number = score.match(/[-+]?\d[\d.]*( %| points?)?/);
  return number ? number[0] : '';
}

/** Returns the best known score of a position, from the analysis or the review. @param {TreeNode} node @returns {{ score: string, height: number } | null} */
export function scoreOf({ found, note }) {
  const best = found && found.finding.lines[0];
  if (best) return { score: best.score, height: best.height };
  return note && note.view !== undefined && note.height !== undefined ? { score: note.view, height: note.height } : null;
}

/** Returns the score for the score bar; a finished game needs no search. @param {TreeNode} node */
export function barOf(node) {
  const { end, status } = node.scene || {};
  const winner = end ? end.winner : undefined;
  return scoreOf(node) || (winner === undefined || page.isTeam ? null : { score: status || '', height: winner === null ? 0 : 1 - 2 * winner });
}

/** Returns the name of a setup; empty for a move. @param {TreeNode} node */
function setupName({ parent, text }) {
  const good = parent?.scene?.setup?.good;
  const [name] = good?.find(([, letters]) => letters === text) || [''];
  return good ? `setup${name && ': ' + name}` : '';
}

/** @param {TreeNode} node */
function buttonOf(node) {
  const shown = { ...frameOf(node), move: setupName(node) || writtenOf(node) };
  shown.move += signsOf(node);
  const meaning = node.glyphs.map(glyph => glyphOf(glyph).text).join(', ');
  const button = moveButton(shown, { 'data-node': node.id, ...(setupName(node) ? { title: node.text, class: 'setup' } : meaning && { title: meaning }) });
  const known = scoreOf(node);
  if (known && !setupName(node)) button.append(html('small', { title: known.score }, shortScore(known.score)));
  for (const [name, title] of TOLD) {
    const value = name === 'eval' && known ? '' : commandValue(node, name);
    if (value) button.append(html('small', { title }, value.replace(/^0:0?/, '')));
  }
  return button;
}

/** PGN commands that are shown with a move. */
const TOLD = [['eval', 'score'], ['clk', 'time left'], ['emt', 'time used']];
/** Returns the text of a numeric annotation glyph (PGN). @param {number} number @returns {{ number: number, forms: string[], text: string }} */
const glyphOf = number => page.glyphs.find((/** @type {any} */ glyph) => glyph.number === number) || { number, forms: [SYMBOLS[number] || ' $' + number], text: SYMBOLS[number] ? '' : `annotation ${number} of PGN` };
/** Returns the glyphs of a move, except the one that the review's mark shows already. @param {TreeNode} node */
function signsOf({ note, glyphs }) {
  const mark = note && note.mark ? ({ inaccuracy: '?!', mistake: '?' }[note.mark] || '??') : '';
  return glyphs.map(glyph => glyphOf(glyph).forms[0]).filter(form => form !== mark).join('');
}

/** Returns a move of a variation with its number, glyphs and comment. @param {TreeNode} node @returns {(string | HTMLElement)[]} */
function numbered(node) {
  const number = board.number && node.scene ? board.number(node.scene) : rowOf(node) + (moverOf(node) ? '...' : '.');
  const comment = node.comment ? [html('span', { class: 'comment' }, node.comment)] : [];
  return [number + ' ', buttonOf(node), ...comment];
}

/** Returns a variation as inline text. @param {TreeNode} node @returns {(string | HTMLElement)[]} */
function variation(node) {
  const parts = numbered(node);
  while (node.children.length) {
    const [main, ...others] = node.children;
    parts.push(' ', ...numbered(main), ...others.flatMap(other => [' (', ...variation(other), ') ']));
    node = main;
  }
  return parts;
}

/** @param {Element} list @param {TreeNode} node */
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
    if (main.comment) list.append(html('p', { class: 'comment' }, main.comment));
    if (others.length || main.comment) row = null;
    for (const other of others) list.append(html('span', { class: 'variation' }, ...variation(other)));
    node = main;
  }
}

/** Returns a key that changes whenever the list must be redrawn. @param {TreeNode} root */
const keyOf = root => allNodes(root).map(node => [node.id, node.parent ? node.parent.children.indexOf(node) : '', node.scene ? 1 : 0, node.note ? node.note.mark : '', node.glyphs.join('.'), (scoreOf(node) || { score: '' }).score, node.comment, node.commands].join(':')).join(',');

export function drawList() {
  const list = byId('list'), { game, current } = state, end = endOf(game.root);
  const text = endingOf(end);
  const key = `${game.id};${game.root.id};${text};${keyOf(game.root)}`;
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    const first = html('div', {}, html('span', { class: 'number' }), html('button', { class: 'start', 'data-node': game.root.id }, game.start ? 'position' : 'start'));
    list.replaceChildren(first);
    if (game.root.comment) list.append(html('p', { class: 'comment' }, game.root.comment));
    drawLine(list, game.root);
    if (text) list.append(html('span', { class: 'result' }, text));
  }
  const button = list.querySelector(`[data-node="${current.id}"]`);
  if (!button || button.classList.contains('chosen')) return;
  chooseButton(list, button);
  if (text && current === end) list.scrollTop = list.scrollHeight;
}
