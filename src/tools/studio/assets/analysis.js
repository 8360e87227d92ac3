/* Live analysis of a position, and the review of a whole game. */
const REVIEW_MS = 150;
const live = { isOn: false, control: null, message: null };
let reviewing = null;
/** The notes of a review, and the last node of the line that they are about. */
let reviewed = null;
let moveCursor = null;

/** Stops the present search; the analysis goes on with the next position. */
function pauseLive() {
  if (live.control) live.control.abort();
  live.control = null;
  live.message = null;
}

/** Analyses the position that is shown, if that is wanted. */
async function followLive() {
  pauseLive();
  drawFinding();
  if (!live.isOn || match.thinking || reviewing || editing || !current.scene || isOver(current)) return;
  const control = new AbortController();
  live.control = control;
  const asked = { record: recordOf(current), lines: Number(byId('lines').value) };
  await attempt(async () => {
    for await (const message of events(await inSession('analyse', asked, control.signal))) {
      if (live.control !== control) return;
      if (message.error) throw new Error(message.error);
      live.message = message;
      drawFinding();
    }
  });
}

function setLive(isOn) {
  live.isOn = isOn;
  byId('live').setAttribute('aria-pressed', String(isOn));
  byId('live').textContent = isOn ? 'Stop analysing' : 'Analyse this position';
  if (!isOn && live.control) inSession('stop').catch(() => {});
  followLive();
}

/** 1234567 as 1.2 M. */
function short(number) {
  if (number >= 1e6) return (number / 1e6).toFixed(1) + ' M';
  return number >= 1e4 ? Math.round(number / 1e3) + ' k' : String(Math.round(number));
}

function drawFinding() {
  const { message } = live;
  const finding = message && message.finding;
  const lines = finding ? finding.lines : [];
  const speed = message && message.ms > 0 ? ` · ${short(finding.nodes / message.ms * 1000)} nodes/s` : '';
  const effort = finding ? [finding.depth, `${short(finding.nodes)} nodes${speed}`, message.done ? 'done' : '', finding.remark].filter(Boolean).join(' · ') : '';
  byId('effort').textContent = effort;
  byId('effort').dataset.running = String(Boolean(live.control && !(message && message.done)));
  byId('found').replaceChildren(...lines.map((line, rank) => {
    const moves = line.moves.slice(0, LINE_SHOWN).map((text, index) => html('button', { 'data-line': rank, 'data-index': index, title: `Play up to ${text}` }, text));
    return html('li', {}, html('b', {}, line.score), html('span', {}, ...moves));
  }));
  drawMeter(lines[0]);
  drawHints();
}

function drawMeter(best) {
  const note = current.note || {};
  const height = best ? best.height : note.height;
  const meter = byId('meter');
  meter.hidden = height === undefined && !live.isOn;
  if (meter.hidden) return;
  const shown = height === undefined ? 0 : height;
  meter.querySelector('div').style.width = `${(50 + 50 * shown).toFixed(1)}%`;
  meter.querySelector('span').textContent = best ? best.score : note.view || '…';
  meter.setAttribute('aria-valuenow', Math.round(100 * shown));
  meter.setAttribute('aria-valuetext', best ? best.score : note.view || 'not known yet');
}

/** The moves that may follow: those of the analysis, a hint, or what a review found best. */
function drawHints() {
  if (!board.hint) return;
  const found = live.message && live.message.finding ? live.message.finding.lines.map(line => line.moves[0]) : [];
  const noted = current.note && current.note.line ? current.note.line.slice(0, 1) : [];
  const shown = [found, hinted, noted].find(moves => moves.length) || [];
  board.hint(editing || isArranging() || picked.length ? [] : shown);
}

/** Plays the first moves of a line on the board, as a variation. */
async function playLine(rank, count) {
  const moves = live.message.finding.lines[rank].moves.slice(0, count);
  await attempt(async () => {
    let node = current;
    for (const text of moves) node = await childBy(node, text);
    await show(node);
  });
}

function clearReview() {
  if (reviewing) reviewing.abort();
  reviewing = null;
  reviewed = null;
  byId('progress').hidden = true;
}

/** Searches every move of the line that is shown. */
async function review() {
  if (reviewing) {
    clearReview();
    refresh();
    return;
  }
  stopThinking();
  setLive(false);
  const end = lineThrough(current).pop();
  const control = new AbortController();
  reviewing = control;
  refresh();
  await attempt(async () => {
    const response = await inSession('review', { record: recordOf(end), ms: REVIEW_MS }, control.signal);
    for await (const message of events(response)) {
      if (message.error) throw new Error(message.error);
      byId('progress').hidden = false;
      if (!message.done) Object.assign(byId('progress'), { max: Math.max(1, message.total), value: message.count });
      else if (reviewing === control) await takeReview(end, message);
    }
  });
  if (reviewing === control) reviewing = null;
  byId('progress').hidden = true;
  refresh();
}

async function takeReview(end, { notes, frames }) {
  await load(end);
  takeFrames(end, frames);
  reviewed = { end, notes };
}

/** Takes what frames of a replay page say of the positions of a line. */
function takeFrames(end, frames) {
  const byPly = new Map(frames.map(frame => [frame.ply, frame]));
  for (const node of pathTo(end)) {
    const { height, view, detail, line, mark, cost } = byPly.get(node.scene.ply) || {};
    node.note = JSON.parse(JSON.stringify({ height, view, detail, line, mark, cost }));
  }
}

function drawCurveOfLine() {
  const line = lineThrough(current);
  moveCursor = drawCurve(line.map(node => node.note || {}), page.base);
  if (moveCursor) moveCursor(line.indexOf(current));
  const isNoted = Boolean(current.note && Object.keys(current.note).length);
  byId('remark').hidden = !isNoted;
  if (isNoted) byId('remark').replaceChildren(...remark(frameOf(current), current.parent && current.parent.note, 'The beginning'));
}

function listenToAnalysis() {
  byId('live').addEventListener('click', () => setLive(!live.isOn));
  byId('lines').addEventListener('change', followLive);
  byId('review').addEventListener('click', review);
  byId('review').hidden = !page.reviews;
  byId('found').addEventListener('click', event => {
    const button = event.target.closest('[data-line]');
    if (button) playLine(Number(button.dataset.line), Number(button.dataset.index) + 1);
  });
  followCurve(() => lineThrough(current).length, index => show(lineThrough(current)[index]));
}
