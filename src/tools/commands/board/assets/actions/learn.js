/* Lessons: small positions with a task each; the server judges the moves by the rules. Loaded on demand. */
import { makeGame, addLine } from '../state/tree.js';
import { page } from '../state/state.js';
import { present } from './puzzles.js';
import { askJson, attempt } from './server.js';

/** @type {Lesson[]} */
let lessons = [];

/** Opens a lesson; after the last one the first. @param {number} index */
export async function openLesson(index) {
  if (!lessons.length) lessons = await attempt(() => askJson('lessons', { game: page.game })) || [];
  const lesson = lessons[index] || lessons[0];
  if (!lesson) return;
  const game = makeGame(lesson.start);
  addLine(game.root, lesson.moves);
  await present(game, lesson.side, lessons.indexOf(lesson), null, lessons);
}
