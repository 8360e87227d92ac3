/* The rules of the game, in a dialog of the page. Loaded on demand. */
import { page } from '../state/state.js';
import { attempt } from './server.js';

/** Shows the rules; they are asked for once. */
export async function openRules() {
  const dialog = /** @type {HTMLDialogElement} */ (byId('rules')), text = byId('rules-text');
  if (!text.childElementCount) await attempt(async () => {
    const answer = await fetch(page.game + '/rules');
    if (!answer.ok) throw new Error('The rules are not there.');
    text.innerHTML = await answer.text();
  });
  if (text.childElementCount) dialog.showModal();
}
