'use strict';
/* The fragment of the address selects what is shown: #game-17 opens a game, any other fragment is an anchor. */
const read = id => JSON.parse(document.getElementById(id).textContent);
const pages = read('pages');
const common = read('common');
const dialog = document.getElementById('replay');
const frame = dialog.querySelector('iframe');

/** Returns the complete page of a game, with the common parts inserted at their markers. */
function wholePage(number) {
  return Object.entries(common).reduce((page, [name, text]) => page.replace(`<!--${name}-->`, () => text), pages[number]);
}

function showAddress() {
  const meeting = document.getElementById(location.hash.slice(1));
  if (meeting instanceof HTMLDetailsElement) { meeting.open = true; meeting.scrollIntoView(); }
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
// Escape closes the game: remove it from the address, too.
dialog.addEventListener('close', () => { if (location.hash.startsWith('#game-')) location.hash = '#table'; });
showAddress();
