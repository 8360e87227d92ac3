/* Talking with the server. It knows the rules and searches; the page draws and remembers. */
const page = JSON.parse(byId('data').textContent);
const MESSAGE_MS = 8000;
const GONE = 410;
let messageTimer = null;

/** Shows a message for a while; a fault unless `isGood`. */
function say(text, isGood) {
  clearTimeout(messageTimer);
  const message = byId('message');
  message.textContent = text;
  message.classList.toggle('good', Boolean(isGood));
  message.hidden = !text;
  if (text) messageTimer = setTimeout(() => { message.hidden = true; }, MESSAGE_MS);
}

/** Asks the server; fails with a sentence for the person at the page. */
async function ask(path, body, signal) {
  let response;
  try {
    response = await fetch('/api/' + path, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body || {}), signal,
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Error('cupbot does not answer: is `cupbot board` still running?');
  }
  if (response.ok) return response;
  const text = await response.text();
  let message = text;
  try { message = JSON.parse(text).error || text; } catch (_) { /* It is no JSON: the text says it. */ }
  throw Object.assign(new Error(message), { status: response.status });
}
const askJson = async (path, body, signal) => (await ask(path, body, signal)).json();

let session = null;
/** Asks for a search of this page's session, of a new one if the old one is over. */
async function inSession(what, body, signal) {
  for (let attempt = 0; ; attempt++) {
    session = session || askJson('session').then(answer => answer.session);
    try {
      return await ask(`session/${await session}/${what}`, body, signal);
    } catch (error) {
      if (error.name !== 'AbortError' && error.status !== undefined && error.status !== GONE) throw error;
      if (error.name === 'AbortError' || attempt > 0) throw error;
      session = null;
    }
  }
}

/** The events of an answer, as they come. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      const data = part.split('\n').filter(line => line.startsWith('data:')).map(line => line.slice(5)).join('\n');
      if (data) yield JSON.parse(data);
    }
  }
}

/** Does something that may fail; the reason becomes a message. */
async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    if (error.name !== 'AbortError') say(error.message);
    return undefined;
  }
}

// A closed page needs no searches any more.
addEventListener('pagehide', () => {
  if (session) session.then(name => fetch(`/api/session/${name}/close`, { method: 'POST', keepalive: true, headers: { 'Content-Type': 'application/json' }, body: '{}' }), () => {});
  session = null;
});
