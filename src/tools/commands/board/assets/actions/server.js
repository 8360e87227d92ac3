/* Requests to the server, which knows the rules and searches; the page draws and stores games. */
import { change, recordOf, say, state } from '../state/state.js';
import { allNodes, detach, endOf, makeNode, pathTo } from '../state/tree.js';

const GONE = 410;

/** An error reported by the server. */
class Refused extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) { super(message); this.status = status; }
}

/** The server does not answer. */
class Away extends Error {
  constructor() { super('cupbot does not answer: is `cupbot board` still running?'); }
}

/** Sends a request to the server. Errors have a message for the user. @param {string} path @param {any} [body] @param {AbortSignal} [signal] */
export async function ask(path, body, signal) {
  let response;
  try {
    response = await fetch('api/' + path, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body || {}), signal,
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Away();
  }
  if (response.ok) return response;
  const text = await response.text();
  let message = text;
  try { message = JSON.parse(text).error || text; } catch { /* It is no JSON: the text says it. */ }
  throw new Refused(message, response.status);
}
/** Whether the server did not answer. @param {unknown} error */
export const isAway = error => error instanceof Away;
/** Whether the server refused what was asked. @param {unknown} error */
export const isRefused = error => error instanceof Refused;
/** @param {unknown} error */
const isAbort = error => error instanceof Error && error.name === 'AbortError';
/** @param {string} path @param {any} [body] @param {AbortSignal} [signal] */
export const askJson = async (path, body, signal) => (await ask(path, body, signal)).json();
/** @param {string} path @param {any} [body] */
export const askText = async (path, body) => (await ask(path, body)).text();

/** Interval between requests for the news of a search, in ms. No connection is held meanwhile: a browser has six for all its pages. */
const NEWS_MS = 150;
/** @param {number} ms */
export const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

/** @type {Promise<string> | null} */
let session = null;
/** Starts a search in this page's session, or in a new one if the session has expired, and yields its news until it is done. @param {string} what @param {any} body @param {AbortSignal} [signal] */
export async function* search(what, body, signal) {
  for (let attempts = 0; ; attempts++) {
    let path = '', answer = { job: 0, done: true, news: /** @type {any} */ (null) };
    try {
      session = session || askJson('session').then(found => found.session);
      path = `session/${await session}/`;
      answer = await askJson(path + what, body);
      for (;;) {
        if (signal?.aborted) return;
        if (answer.news) yield answer.news;
        if (answer.done) return;
        await pause(NEWS_MS);
        answer = { ...answer, ...await askJson(path + 'news', { job: answer.job }, signal) };
      }
    } catch (error) {
      if (isAbort(error)) throw error;
      answer.done = true;
      // No session was opened.
      if (!path) session = null;
      if ((error instanceof Refused && error.status !== GONE) || attempts > 0) throw error;
      session = null;
    } finally {
      if (!answer.done) askJson(path + 'stop', { job: answer.job }).catch(() => {});
    }
  }
}

/** Returns the result of a search; null if it was stopped. @param {string} what @param {any} body @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function searched(what, body, signal) {
  for await (const news of search(what, body, signal)) return news.result;
  return null;
}

/** Runs an action; an error is shown as a message. @template T @param {() => T | Promise<T>} action @returns {Promise<T | undefined>} */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    if (!isAbort(error)) say(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Loads the missing positions on the path to a node. @param {TreeNode} node */
export async function load(node) {
  const path = pathTo(node);
  const from = path.findIndex(step => !step.scene);
  if (from < 0) return;
  const { scenes } = await askJson('scenes', { record: recordOf(node), from });
  scenes.forEach((/** @type {Scene} */ scene, /** @type {number} */ index) => { path[from + index].scene = scene; });
}

/** Loads the positions of all variations, for the names of their moves. Illegal moves are removed. @param {TreeNode} root */
export async function loadVariations(root) {
  for (const leaf of allNodes(root).filter(node => !node.children.length && !node.scene)) {
    try {
      await load(leaf);
    } catch (error) {
      const first = pathTo(leaf).find(step => !step.scene);
      if (!(error instanceof Refused)) return;
      if (first) detach(first);
    }
    if (state.game.root !== root) return;
  }
  change(() => {});
}

/** Returns the child of a node after a move, which is checked and added if needed. @param {TreeNode} node @param {string} text @returns {Promise<TreeNode>} */
export async function childBy(node, text) {
  const known = node.children.find(child => child.text === text || (child.scene && child.scene.written === text));
  if (known) return known;
  const child = makeNode(node, text);
  await load(child);
  if (!child.scene || child.scene.begins) throw new Error('A start position begins a new game: choose it there.');
  // Use the canonical text of the move.
  child.text = child.scene.text || text;
  // Another request may have added the move in the meantime.
  const same = node.children.find(other => other.text === child.text);
  if (same) return same;
  child.spent = [...node.spent];
  // The file's result no longer applies to a game that continues.
  if (node === endOf(state.game.root)) state.game.tags = state.game.tags.filter(([name]) => name !== 'Result');
  node.children.push(child);
  return child;
}

/** Closes the session when the page is closed. */
export function leave() {
  if (session) session.then(name => fetch(`api/session/${name}/close`, { method: 'POST', keepalive: true, headers: { 'Content-Type': 'application/json' }, body: '{}' }), () => {});
  session = null;
}
