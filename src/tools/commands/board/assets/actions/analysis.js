/* Live analysis of the current position, and the review of a whole game. */
import { change, isOver, recordOf, state, stopThinking } from '../state/state.js';
import { endOf, lineThrough, pathTo } from '../state/tree.js';
import { askJson, attempt, load, search } from './server.js';

/** Stops the current search; the analysis continues with the next position. */
export function pauseSearch() {
  if (!state.live.control) return;
  state.live.control.abort();
  change(it => { it.live.control = null; });
}

/** Whether a finding is better than the known one. A restarted search has to catch up first. @param {Found | null} known @param {Found} now */
function isBetter(known, now) {
  if (!known || now.done || now.finding.lines.length > known.finding.lines.length) return true;
  return now.finding.nodes >= known.finding.nodes;
}

/** Analyses the current position if live analysis is on. */
export async function follow() {
  pauseSearch();
  const { current: node, thinking, review, editing, live, settings } = state;
  if (!live.isOn || thinking || review || editing || !node.scene || isOver(node)) return;
  const control = new AbortController();
  change(it => { it.live.control = control; });
  await attempt(async () => {
    for await (const message of search('analyse', { record: recordOf(node), lines: settings.lines }, control.signal)) {
      if (state.live.control !== control) return;
      if (!message.done && !message.finding.lines.length && !message.finding.remark) continue;
      change(it => {
        if (isBetter(node.found, message)) node.found = message;
        if (message.done) it.live.control = null;
      });
    }
  });
  change(it => { if (it.live.control === control) it.live.control = null; });
}

/** @param {boolean} isOn */
export function setLive(isOn) {
  change(it => { it.live.isOn = isOn; });
  follow();
}

/** Reviews every move of the current line, or stops a running review. */
export async function review() {
  if (state.review) {
    state.review.control.abort();
    change(it => { it.review = null; });
    return;
  }
  stopThinking();
  setLive(false);
  const end = endOf(state.current), control = new AbortController();
  change(it => { it.review = { control, count: 0, total: 1 }; });
  await attempt(async () => {
    const record = recordOf(end);
    for await (const message of search('review', { record, ms: state.settings.reviewMs }, control.signal)) {
      if (!state.review || state.review.control !== control) return;
      if (!message.done) change(it => { if (it.review) Object.assign(it.review, { count: message.count, total: Math.max(1, message.total) }); });
      else await takeReview(end, message);
    }
  });
  change(it => { if (it.review && it.review.control === control) it.review = null; });
}

/** @param {TreeNode} end @param {{ notes: any[], views: View[] }} message */
async function takeReview(end, { notes, views }) {
  await load(end);
  takeViews(end, views);
  change(it => { it.game.notes = { end, notes }; });
  await explain(end);
}

/** Adds what an analysis says to the positions of a line. @param {TreeNode} end @param {View[]} views */
export function takeViews(end, views) {
  const byPly = new Map(views.map(view => [view.ply, view]));
  change(() => {
    for (const node of pathTo(end)) {
      const { ply, ...note } = (node.scene && byPly.get(node.scene.ply)) || { ply: 0 };
      node.note = note;
    }
  });
}

/** Adds to each mistake what it allows: the best reply and what it captures. @param {TreeNode} end */
async function explain(end) {
  for (const node of lineThrough(end)) {
    const { note, scene } = node, reply = note && note.mark && note.line && note.line[0];
    if (!note || note.why || !scene || scene.setup || !reply || isOver(node)) continue;
    const record = recordOf(node);
    const asked = { record: { ...record, moves: [...record.moves, reply] }, from: record.moves.length + 1 };
    const { scenes } = await askJson('scenes', asked);
    const next = /** @type {Scene} */ (scenes[0]);
    const kind = next.takes && board.kind ? board.kind(next.takes) : '';
    // A piece in hand is a spot of one letter.
    const moved = scene.moves.find(({ text, written }) => text === reply || written === reply);
    const drop = reply.length === 3 && moved && moved.spots[0].length === 1 ? 'a drop, ' : '';
    const what = next.end ? `allows ${drop}${reply}, which ends the game`
      : kind ? `allows ${drop}${reply}, which takes the ${kind}`
        : note.mark === 'missed-win' ? `misses a ${note.certain ? 'proved ' : ''}win; ${reply} answers it` : `allows ${drop}${reply}`;
    change(() => { note.why = note.view && /in \d/.test(note.view) ? `${what}: ${note.view}` : what; });
  }
}
