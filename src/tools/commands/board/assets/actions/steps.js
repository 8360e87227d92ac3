/* Navigation, and changes of the game tree outside a match. */
import { change, plant, say, state, stopThinking } from '../state/state.js';
import { detach, lineThrough, pathTo, promote, SYMBOLS } from '../state/tree.js';
import { follow, pauseSearch } from './analysis.js';
import { attempt, childBy, isRefused, load } from './server.js';

/** Shows a node of the tree. @param {TreeNode} node @param {boolean} [glide] */
export async function show(node, glide) {
  pauseSearch();
  change(it => { Object.assign(it, { current: node, picked: [], hint: null, refusal: null, message: null, ahead: null }); }, { glide });
  if (!node.scene) {
    /** @type {unknown} */
    let fault = null;
    try { await load(node); } catch (error) { fault = error; }
    if (state.current !== node) return;
    if (!node.scene) {
      // Step back to the last legal position. A refused move is removed; one that could not be sent is kept.
      if (node.parent) {
        if (isRefused(fault)) detach(node);
        await show(node.parent);
      }
      if (fault instanceof Error) say(fault.message);
      return;
    }
    change(() => {}, { glide });
  }
  follow();
}

/** Steps along the line through the current node. @param {number} by */
export function step(by) {
  if (state.editing) return;
  const line = lineThrough(state.current), index = line.indexOf(state.current);
  const next = line[Math.max(0, Math.min(line.length - 1, index + by))];
  if (next !== state.current) show(next, by === 1);
}

/** Adds the first moves of a line below the current node, as a variation. @param {string[]} moves */
export async function playLine(moves) {
  await attempt(async () => {
    let node = state.current;
    for (const text of moves) node = await childBy(node, text);
    await show(node);
  });
}

/** Sets the annotation symbol of the current move, or removes it if it is set already. @param {number} number that of a glyph of PGN, 0 for none */
export const toggleSymbol = number => change(({ current }) => {
  const rest = current.glyphs.filter(glyph => glyph >= SYMBOLS.length), isSet = current.glyphs.includes(number);
  if (current.parent) current.glyphs = number && !isSet ? [number, ...rest] : rest;
});

/** Makes the current line the main line. */
export const promoteCurrent = () => change(it => promote(it.current));

/** Removes a node and its descendants so that they can be restored. @param {TreeNode} node */
export function cut(node) {
  const { parent } = node;
  if (!parent) return;
  change(it => {
    it.cut.push({ parent, node, index: parent.children.indexOf(node), match: { ...it.match }, current: it.current, result: it.game.result });
    detach(node);
    if (pathTo(it.match.live).includes(node)) it.match.live = parent;
  });
}

/** Deletes the current node. */
export function cutCurrent() {
  const { current } = state;
  if (!current.parent) return;
  cut(current);
  show(current.parent);
}

/** Restores the last deleted or taken back moves. */
export async function restore() {
  const last = state.cut[state.cut.length - 1];
  if (!last || state.editing) return;
  stopThinking();
  change(it => {
    it.cut.pop();
    last.parent.children.splice(last.index, 0, last.node);
    // The time since the deletion is charged to neither side.
    it.match = { ...last.match, since: last.match.since === null ? null : performance.now() };
    it.game.result = last.result;
  });
  await show(last.current);
}

/** Replaces the game; the browser's back button returns to the old one. @param {Game} game @param {Partial<State>} [also] */
export function plantNew(game, also) {
  pauseSearch();
  history.pushState(null, '', location.href);
  plant(game, also);
}
