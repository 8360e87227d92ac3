/* Going from position to position, and changing the tree where no match is concerned. */
import { change, plant, state } from '../state/state.js';
import { detach, lineThrough, pathTo, promote, SIGNS } from '../state/tree.js';
import { follow, pause } from './analysis.js';
import { attempt, childBy, load } from './server.js';

/** Shows a node of the tree. @param {TreeNode} node @param {boolean} [glide] */
export async function show(node, glide) {
  pause();
  change(it => { Object.assign(it, { current: node, picked: [], hint: null, refusal: null, message: null }); }, { glide });
  if (!node.scene) {
    await attempt(() => load(node));
    if (state.current !== node) return;
    if (!node.scene) {
      // Step back to the last legal position.
      if (node.parent) { detach(node); await show(node.parent); }
      return;
    }
    change(() => {}, { glide });
  }
  follow();
}

/** Goes along the line through the present node. @param {number} by */
export function step(by) {
  const line = lineThrough(state.current), index = line.indexOf(state.current);
  const next = line[Math.max(0, Math.min(line.length - 1, index + by))];
  if (next !== state.current) show(next, by === 1);
}

/** Plays the first moves of a line below the present node, as a variation. @param {string[]} moves */
export async function playLine(moves) {
  await attempt(async () => {
    let node = state.current;
    for (const text of moves) node = await childBy(node, text);
    await show(node);
  });
}

/** Puts a sign after the present move in the place of another one; the same one again takes it away. @param {number} number that of a glyph of PGN, 0 for none */
export const sign = number => change(({ current }) => {
  const rest = current.glyphs.filter(glyph => glyph >= SIGNS.length), isThere = current.glyphs.includes(number);
  if (current.parent) current.glyphs = number && !isThere ? [number, ...rest] : rest;
});

/** The present line becomes the main line. */
export const promoteCurrent = () => change(it => promote(it.current));

/** Takes a node with all that follows out of the tree, so that it can be restored. @param {TreeNode} node */
export function cut(node) {
  const { parent } = node;
  if (!parent) return;
  change(it => {
    it.cut.push({ parent, node, index: parent.children.indexOf(node), match: { ...it.match }, current: it.current, result: it.game.result });
    detach(node);
    if (pathTo(it.match.live).includes(node)) it.match.live = parent;
  });
}

/** Deletes the present node. */
export function cutCurrent() {
  const { current } = state;
  if (!current.parent) return;
  cut(current);
  show(current.parent);
}

/** Brings back what was taken back or deleted last. */
export function restore() {
  const last = state.cut[state.cut.length - 1];
  if (!last) return;
  change(it => {
    it.cut.pop();
    last.parent.children.splice(last.index, 0, last.node);
    // The time since then counts for neither side.
    it.match = { ...last.match, since: last.match.since === null ? null : performance.now() };
    it.game.result = last.result;
  });
  show(last.current);
}

/** Plants a game; the browser's way back leads to the present one. @param {Game} game @param {Partial<State>} [also] */
export function plantNew(game, also) {
  pause();
  history.pushState(null, '', location.href);
  plant(game, also);
}
