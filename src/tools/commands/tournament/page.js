'use strict';
/* The address names what is shown: #game-17 is a game, everything else a place of the page. */
const read = id => JSON.parse(document.getElementById(id).textContent);
const pages = read('pages');
const common = read('common');
const dialog = document.getElementById('replay');
const frame = dialog.querySelector('iframe');

/** The whole page of a game: what all games have in common stands in the place of its marks. */
function wholePage(number) {
  return Object.entries(common).reduce((page, [name, text]) => page.replace(`<!--${name}-->`, () => text), pages[number]);
}

function showAddress() {
  const [, number] = location.hash.match(/^#game-(\d+)$/) || [];
  if (number === undefined || pages[number] === undefined) {
    if (dialog.open) dialog.close();
    return;
  }
  frame.srcdoc = wholePage(number);
  if (!dialog.open) dialog.showModal();
  frame.focus();
}

addEventListener('hashchange', showAddress);
// Escape closes the game: then the address must name it no longer.
dialog.addEventListener('close', () => { if (location.hash.startsWith('#game-')) location.hash = '#table'; });
showAddress();
