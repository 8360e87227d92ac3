/* The card over the board at the end of a match: result, reason, score, accuracy, and what to do next. Loaded on demand. */
import { endText } from '../drawing/view.js';
import { summaryOf } from '../state/review.js';
import { counted, endingOf, keep, kept, onChange, page, state } from '../state/state.js';
import { endOf } from '../state/tree.js';

const BEST_KEY = 'cupbot-best';
/** What was on the board when the card was opened. @type {{ game: Game, current: TreeNode } | null} */
let opened = null;
/** Lines about the points of a team. @type {string[]} */
let points = [];

/** Compares a team's points with the best ones at this level and keeps them. @param {string} text */
function comparePoints(text) {
  const found = page.isTeam && text.match(/(\d+) points?\b/), { settings: { level }, match } = state;
  if (!found) return [];
  const all = kept(BEST_KEY) || {}, key = `${page.game} ${match.seats.join()} ${level}`;
  const now = Number(found[1]), before = all[key] || 0, best = Math.max(before, now);
  keep(BEST_KEY, { ...all, [key]: best });
  return [counted(now, 'point'), before ? `Your best so far at this level: ${counted(best, 'point')}` : 'Your first game at this level', board.perfect || ''];
}

/** Returns the score of both sides, the one that begins first. */
function score() {
  const { match, game } = state, winner = match.live.scene?.end ? match.live.scene.end.winner : page.names.findIndex((/** @type {string} */ name) => game.result?.outcome.startsWith(name));
  return winner === 0 ? '1 – 0' : winner === 1 ? '0 – 1' : '½ – ½';
}

function accuracies() {
  const { game: { notes }, review } = state;
  if (review) return ['The game is analysed …'];
  if (page.isTeam || !notes || notes.end !== endOf(state.game.root)) return [];
  return [page.sides.map((/** @type {string} */ side, /** @type {number} */ index) => `${side} ${summaryOf(notes.end, index).accuracy?.toFixed(0) ?? '–'} %`).join(', ')].map(text => 'Accuracy: ' + text);
}

function draw() {
  const card = byId('ending'), { game, current, match } = state;
  if (!opened) return;
  if (game !== opened.game || current !== opened.current || match.is !== 'over') { close(); return; }
  const end = endingOf(match.live), text = endText().replace(/^, /, '').replace(/^./, letter => letter.toUpperCase());
  const [title = end, ...facts] = page.isTeam ? points : [text || end, score()];
  const lines = [title === end ? '' : end, ...facts, ...accuracies()].filter(Boolean);
  const actions = [['rematch', 'Rematch', 'main'], ...(page.reviews && !game.notes ? [['after-review', 'Analyse', '']] : []), ['new', 'New game', '']];
  card.replaceChildren(
    html('h2', {}, title), ...lines.map(line => html('p', {}, line)),
    html('div', { class: 'buttons' }, ...actions.map(([id, name, style]) => html('button', { 'data-does': id, class: style }, name))));
}

function close() {
  opened = null;
  byId('ending').hidden = true;
}

let isListening = false;
/** Shows the card. */
export function openEnding() {
  const { game, match } = state, card = byId('ending');
  if (state.current !== match.live || match.is !== 'over') return;
  opened = { game, current: match.live };
  points = comparePoints(match.live.scene?.status || '');
  card.hidden = false;
  draw();
  if (isListening) return;
  isListening = true;
  onChange(draw);
  document.addEventListener('pointerdown', event => { if (!(event.target instanceof Element && event.target.closest('#ending button'))) close(); }, true);
  document.addEventListener('keydown', event => { if (event.key === 'Escape') close(); }, true);
  card.addEventListener('click', event => {
    const { does } = event.target instanceof HTMLElement ? event.target.dataset : {};
    if (does) byId(does).click();
  });
}
