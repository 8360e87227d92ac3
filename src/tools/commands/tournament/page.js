'use strict';
/* The fragment of the address selects what is shown: #game-17 opens a game, any other fragment is an anchor. */
const read = id => JSON.parse(document.getElementById(id).textContent);
const games = read('games');
const { page, mark } = read('frame');
const dialog = document.getElementById('replay');
const frame = dialog.querySelector('iframe');

/** Returns the page of a game. */
const pageOf = number => page.replace(mark, () => JSON.stringify(games[number]).replace(/</g, '\\u003c'));

function showAddress() {
  const meeting = document.getElementById(location.hash.slice(1));
  if (meeting instanceof HTMLDetailsElement) { meeting.open = true; meeting.scrollIntoView(); }
  const [, number] = location.hash.match(/^#game-(\d+)$/) || [];
  if (number === undefined || games[number] === undefined) {
    if (dialog.open) dialog.close();
    return;
  }
  frame.srcdoc = pageOf(number);
  if (!dialog.open) dialog.showModal();
  frame.focus();
}

addEventListener('hashchange', showAddress);
// Escape closes the game: remove it from the address, too.
dialog.addEventListener('close', () => { if (location.hash.startsWith('#game-')) location.hash = '#table'; });
showAddress();
