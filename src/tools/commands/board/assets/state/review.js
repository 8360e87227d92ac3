/* Results of a review: the accuracy of each side, and the mistakes. */
import { pathTo } from './tree.js';

/** Limits of the window length in positions, and of the weight of a move. */
const WINDOW = [2, 8], WEIGHT = [.5, 12];
/** Number of windows in a game. */
const WINDOWS = 10;

/** @param {number} value @param {number[]} limits */
const within = (value, [least, most]) => Math.max(least, Math.min(most, value));
/** Returns the accuracy of a move in percent from its loss of winning chances in percent. @param {number} loss */
const moveAccuracy = loss => loss <= 0 ? 100 : within(103.1668100711649 * Math.exp(-.04354415386753951 * loss) - 3.166924740191411 + 1, [0, 100]);
/** @param {number[]} values */
const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
/** Returns the standard deviation. @param {number[]} values */
const deviation = values => Math.sqrt(mean(values.map(value => (value - mean(values)) ** 2)));

/**
 * Returns the accuracy of a side in percent by the formula of lichess, or null without scores. It is the mean of two
 * means of the moves' accuracies: one weighted by the volatility of the chances around the move, and the harmonic mean.
 * @param {TreeNode[]} path @param {number} side
 */
function accuracyOf(path, side) {
  const steps = path.filter(({ note }) => note && note.height !== undefined);
  const chances = steps.map(({ note }) => 50 + 50 * (note?.height || 0));
  const size = within(Math.floor((steps.length - 1) / WINDOWS), WINDOW);
  const own = steps.flatMap(({ scene }, index) => {
    if (!index || !scene || scene.mover !== side) return [];
    const from = Math.max(0, index + 1 - size), accuracy = moveAccuracy((chances[index - 1] - chances[index]) * (side ? -1 : 1));
    return [{ accuracy, weight: within(deviation(chances.slice(from, from + size)), WEIGHT) }];
  });
  if (!own.length) return null;
  const weighted = own.reduce((sum, { accuracy, weight }) => sum + accuracy * weight, 0) / own.reduce((sum, { weight }) => sum + weight, 0);
  return (weighted + 1 / mean(own.map(({ accuracy }) => 1 / Math.max(1, accuracy)))) / 2;
}

/** Returns the summary of a side: its accuracy and the number of moves by mark. @param {TreeNode} end @param {number} side */
export function summaryOf(end, side) {
  const path = pathTo(end);
  /** @type {Record<string, number>} */
  const marks = { inaccuracy: 0, mistake: 0, blunder: 0 };
  for (const { note, scene } of path) if (note && note.mark && scene && scene.mover === side) marks[note.mark in marks ? note.mark : 'blunder']++;
  return { accuracy: accuracyOf(path, side), marks };
}

/** Returns the mistakes and blunders of some sides for which the review knows a better move. @param {TreeNode} end @param {number[]} sides */
export const mistakesOf = (end, sides) => pathTo(end).filter(({ note, scene, parent }) => note && note.mark && note.mark !== 'inaccuracy'
  && scene && scene.mover !== undefined && sides.includes(scene.mover) && parent && bestAt(parent));

/** Returns the best move of a position by the review, or an empty text. @param {TreeNode} node */
export const bestAt = ({ note }) => (note && note.line && note.line[0]) || '';
